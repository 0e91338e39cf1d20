#include "viz/picture/text_width.h"

#include <string.h>

#include "viz/picture/text_utf8.h"

/* ASCII and Latin to Cyrillic; punctuation to mathematical operators; box drawing to dingbats; what stands for bad bytes. */
const struct grt_text_range grt_text_ranges[GRT_TEXT_RANGES] = {
    {0x20, 0x52f}, {0x2000, 0x22ff}, {0x2500, 0x27bf}, {0xfffd, 0xfffd}};

int grt_text_advance(enum grt_font font, uint32_t point) {
    if (point >= 0x300 && grt_text_is_mark(point)) {
        return 0;
    }
    if (font == GRT_FONT_MONO) {
        return GRT_TEXT_MONO;
    }
    uint32_t before = 0;
    for (int i = 0; i < GRT_TEXT_RANGES; i++) {
        const struct grt_text_range *range = &grt_text_ranges[i];
        if (point >= range->first && point <= range->last) {
            return grt_text_advances[font][before + point - range->first];
        }
        before += range->last - range->first + 1;
    }
    return GRT_TEXT_MISSING;
}

static bool is_plain_ascii(char byte) {
    return byte >= 0x20 && byte < 0x7f;
}

/* The next character's advance; moves *at. What cannot be shown is painted as U+FFFD. */
static int64_t next_advance(enum grt_font font, const char *text, size_t bytes, size_t *at) {
    if (is_plain_ascii(text[*at])) {
        uint32_t point = (unsigned char)text[(*at)++];
        return font == GRT_FONT_MONO ? GRT_TEXT_MONO : grt_text_advances[font][point - 0x20];
    }
    uint32_t point = grt_text_next(text, bytes, at);
    return grt_text_advance(font, grt_text_is_shown(point) ? point : GRT_TEXT_REPLACEMENT);
}

double grt_text_width(enum grt_font font, double size, const char *text, size_t bytes) {
    int64_t units = 0;
    for (size_t at = 0; at < bytes;) {
        units += next_advance(font, text, bytes, &at);
    }
    return (double)units * size / GRT_TEXT_EM;
}

double grt_text_baseline(double top, double bottom, double size) {
    enum { CAPITAL = 1493 }; /* height of a capital of DejaVu in 1/2048 */
    return (top + bottom + size * CAPITAL / GRT_TEXT_EM) / 2;
}

/* ---- shortening ---- */

static const char ellipsis[] = "\xe2\x80\xa6";
enum { ELLIPSIS_BYTES = sizeof ellipsis - 1, ELLIPSIS_POINT = 0x2026 };

struct piece {
    size_t end;    /* bytes */
    int64_t units; /* width */
};

/* Adds the letter with its marks that begins at the piece's end. */
static struct piece with_next(enum grt_font font, const char *text, size_t bytes, struct piece piece) {
    piece.units += next_advance(font, text, bytes, &piece.end);
    while (piece.end < bytes && !is_plain_ascii(text[piece.end])) {
        size_t behind = piece.end;
        if (!grt_text_is_mark(grt_text_next(text, bytes, &behind))) {
            break;
        }
        piece.end = behind;
    }
    return piece;
}

/* The longest beginning of at most so wide and so many bytes. */
static struct piece beginning(enum grt_font font, const char *text, size_t bytes, int64_t room, size_t most) {
    struct piece piece = {0, 0};
    while (piece.end < bytes) {
        struct piece longer = with_next(font, text, bytes, piece);
        if (longer.units > room || longer.end > most) {
            break;
        }
        piece = longer;
    }
    return piece;
}

/* Where the longest ending of at most so wide begins that leaves the first `from` bytes. Goes from the front, because only
 * from there it is known where characters begin. */
static size_t ending(enum grt_font font, const char *text, size_t bytes, int64_t room, size_t from) {
    struct piece piece = {from, 0};
    while (piece.end < bytes) {
        piece = with_next(font, text, bytes, piece);
    }
    int64_t left = piece.units;
    for (piece = (struct piece){from, 0}; piece.end < bytes && left - piece.units > room;) {
        piece = with_next(font, text, bytes, piece);
    }
    return piece.end;
}

size_t grt_text_shorten(enum grt_font font, double size, const char *text, size_t bytes, double width,
                        enum grt_text_cut cut, char out[GRT_PICTURE_TEXT]) {
    double wide = size > 0 ? width * GRT_TEXT_EM / size : 0;
    if (!(wide > 0)) { /* NaN too */
        return 0;
    }
    int64_t room = wide < 1e12 ? (int64_t)wide : (int64_t)1e12;
    struct piece head = beginning(font, text, bytes, room, GRT_PICTURE_TEXT);
    if (head.end == bytes) {
        memcpy(out, text, bytes);
        return bytes;
    }
    room -= grt_text_advance(font, ELLIPSIS_POINT);
    int64_t first = cut == GRT_TEXT_CUT_MIDDLE ? (room + 1) / 2 : room;
    size_t most = (size_t)(GRT_PICTURE_TEXT - ELLIPSIS_BYTES) / (cut == GRT_TEXT_CUT_MIDDLE ? 2 : 1);
    head = beginning(font, text, bytes, first, most);
    if (head.end == 0 && cut == GRT_TEXT_CUT_MIDDLE) {
        head = beginning(font, text, bytes, room, most); /* one wide letter is more than half */
    }
    if (head.end == 0) {
        return 0;
    }
    size_t tail = bytes;
    if (cut == GRT_TEXT_CUT_MIDDLE) {
        tail = ending(font, text, bytes, room - head.units, head.end);
        while (bytes - tail > most) {
            tail = with_next(font, text, bytes, (struct piece){tail, 0}).end;
        }
    }
    memcpy(out, text, head.end);
    memcpy(out + head.end, ellipsis, ELLIPSIS_BYTES);
    memcpy(out + head.end + ELLIPSIS_BYTES, text + tail, bytes - tail);
    return head.end + ELLIPSIS_BYTES + bytes - tail;
}
