#include "viz/picture/svg_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viz/picture/text_utf8.h"

int64_t grt_svg_hundredths(double value) {
    return llround(value * 100);
}

void grt_svg_put(struct grt_output *out, const char *text) {
    grt_output_write(out, text, strlen(text));
}

void grt_svg_put_number(struct grt_output *out, int64_t hundredths) {
    char text[24];
    char *end = text + sizeof text, *at = end;
    uint64_t rest = (uint64_t)(hundredths < 0 ? -hundredths : hundredths);
    uint64_t part = rest % 100;
    if (part != 0) {
        if (part % 10 != 0) {
            *--at = (char)('0' + part % 10);
        }
        *--at = (char)('0' + part / 10);
        *--at = '.';
    }
    rest /= 100;
    if (rest == 0 && part == 0) {
        *--at = '0';
    }
    for (; rest > 0; rest /= 10) { /* nothing before the point of ".5" */
        *--at = (char)('0' + rest % 10);
    }
    if (hundredths < 0) {
        *--at = '-';
    }
    grt_output_write(out, at, (size_t)(end - at));
}

static void put_name(struct grt_output *out, const char *name) {
    grt_output_write(out, " ", 1);
    grt_svg_put(out, name);
}

void grt_svg_put_attribute(struct grt_output *out, const char *name, double value) {
    put_name(out, name);
    grt_output_write(out, "=\"", 2);
    grt_svg_put_number(out, grt_svg_hundredths(value));
    grt_output_write(out, "\"", 1);
}

void grt_svg_put_colour(struct grt_output *out, const char *name, grt_colour colour) {
    char text[24];
    put_name(out, name);
    if ((colour & 0xff) == 0) {
        grt_svg_put(out, "=\"none\"");
        return;
    }
    snprintf(text, sizeof text, "=\"#%06x\"", (unsigned)(colour >> 8));
    grt_svg_put(out, text);
    if ((colour & 0xff) != 0xff) {
        put_name(out, name);
        snprintf(text, sizeof text, "-opacity=\"%.3g\"", (colour & 0xff) / 255.0);
        grt_svg_put(out, text);
    }
}

static const char *escape_of(char byte) {
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static void put_pieces(struct grt_output *out, const char *text, size_t bytes) {
    size_t done = 0;
    for (size_t at = 0; at < bytes; at++) {
        const char *escape = escape_of(text[at]);
        if (escape != NULL) {
            grt_output_write(out, text + done, at - done);
            grt_svg_put(out, escape);
            done = at + 1;
        }
    }
    grt_output_write(out, text + done, bytes - done);
}

void grt_svg_put_escaped(struct grt_output *out, const char *text, size_t bytes) {
    char shown[GRT_PICTURE_TEXT];
    put_pieces(out, shown, grt_text_copy_shown(shown, sizeof shown, text, bytes));
}
