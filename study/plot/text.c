#include "study/plot/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- UTF-8 ---- */

/* How many bytes the character at `text` has that may stand in XML; 0: there is none. */
static size_t character_size(const unsigned char *text) {
    if (text[0] < 0x80) {
        return 1;
    }
    size_t size = text[0] >= 0xc2 && text[0] < 0xe0   ? 2
                  : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                  : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                      : 0;
    uint32_t code = size == 2 ? text[0] & 0x1fu : size == 3 ? text[0] & 0x0fu : text[0] & 0x07u;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool good = size > 0 && code >= least[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
                code != 0xfffe && code != 0xffff && code >= 0xa0;
    return good ? size : 0;
}

char *grt_plot_clean(struct grt_arena *arena, const char *text) {
    char *clean = grt_arena_array(arena, strlen(text) + 1, 1);
    char *to = clean;
    for (const unsigned char *from = (const unsigned char *)text; *from != '\0';) {
        size_t size = character_size(from);
        if (size == 1) {
            *to++ = *from < ' ' || *from == 0x7f ? ' ' : (char)*from;
        } else if (size == 0) {
            *to++ = '?';
        } else {
            memcpy(to, from, size);
            to += size;
        }
        from += size > 0 ? size : 1;
    }
    return clean;
}

/* ---- for gnuplot ---- */

/* A quote inside would be doubled, but gnuplot 5.4 takes two of them at the beginning for an empty string: what is drawn is the typographic one. */
static void quote(FILE *out, const char *text, bool tic) {
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("\xe2\x80\x99", out);
        } else {
            fputs(tic && *text == '%' ? "%" : "", out);
            fputc(*text, out);
        }
    }
    fputc('\'', out);
}

void grt_plot_quote(FILE *out, const char *text) {
    quote(out, text, false);
}

void grt_plot_quote_tic(FILE *out, const char *text) {
    quote(out, text, true);
}

/* ---- widths ---- */

/* As DejaVu Sans has it, which is wider than what most systems have for sans-serif. */
static double character_width(const unsigned char *text) {
    if (text[0] >= 0xe3 && text[0] < 0xf0) { /* Chinese, Japanese, Korean */
        return 1.0;
    }
    if (text[0] >= 0x80) {
        return 0.65;
    }
    return strchr("iIjl.,:;'|! ", text[0]) != NULL  ? 0.33
           : strchr("()[]ftr-/\\", text[0]) != NULL ? 0.41
           : strchr("mwMW%@", text[0]) != NULL      ? 0.98
           : text[0] >= 'A' && text[0] <= 'Z'       ? 0.72
                                                    : 0.62;
}

/* Of the first `size` bytes. */
static double width_of(const char *text, size_t size) {
    double width = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned char *at = (const unsigned char *)text + i;
        width += (*at & 0xc0) == 0x80 ? 0 : character_width(at);
    }
    return width;
}

double grt_plot_text_width(const char *text) {
    return width_of(text, strlen(text));
}

static const char *copy(struct grt_arena *arena, const char *text, size_t size, const char *end) {
    char *line = grt_arena_array(arena, size + strlen(end) + 1, 1);
    memcpy(line, text, size);
    memcpy(line + size, end, strlen(end));
    return line;
}

/* The bytes of whole characters that fit. */
static size_t fitting(const char *text, double width) {
    size_t size = 0;
    for (size_t i = 1; text[i - 1] != '\0'; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            if (width_of(text, i) > width) {
                break;
            }
            size = i;
        }
    }
    return size;
}

/* Where a line ends that begins at `text`: before the last blank that fits, or anywhere. */
static size_t line_size(const char *text, double width) {
    size_t size = fitting(text, width);
    if (text[size] == '\0' || text[size] == ' ') {
        return size;
    }
    for (size_t i = size; i > 0; i--) {
        if (text[i - 1] == ' ') {
            return i - 1;
        }
    }
    return size;
}

size_t grt_plot_wrap(struct grt_arena *arena, const char *text, double width, size_t most,
                     const char **lines) {
    size_t count = 0;
    text += strspn(text, " ");
    while (*text != '\0' && count < most) {
        if (grt_plot_text_width(text) <= width) {
            lines[count++] = grt_arena_text(arena, text);
            break;
        }
        size_t size = count + 1 < most ? line_size(text, width) : 0;
        if (size == 0) { /* the last line, or not even a character fits */
            lines[count++] = copy(arena, text, fitting(text, width - grt_plot_text_width("...")), "...");
            break;
        }
        lines[count++] = copy(arena, text, size, "");
        text += size;
        text += strspn(text, " ");
    }
    return count;
}
