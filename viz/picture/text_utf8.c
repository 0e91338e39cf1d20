#include "viz/picture/text_utf8.h"

#include <string.h>

/* The length that a first byte announces, and its bits of the character; 0 for a byte that begins nothing. */
static size_t announced(unsigned char lead, uint32_t *bits) {
    if (lead >= 0xc2 && lead < 0xe0) {
        *bits = lead & 0x1fu;
        return 2;
    }
    if (lead >= 0xe0 && lead < 0xf0) {
        *bits = lead & 0x0fu;
        return 3;
    }
    *bits = lead & 0x07u;
    return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

static bool is_character(uint32_t point, size_t length) {
    static const uint32_t first_of_length[] = {0, 0, 0x80, 0x800, 0x10000};
    return point >= first_of_length[length] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
}

uint32_t grt_text_next(const char *text, size_t bytes, size_t *at) {
    unsigned char lead = (unsigned char)text[*at];
    if (lead < 0x80) {
        *at += 1;
        return lead;
    }
    uint32_t point;
    size_t length = announced(lead, &point);
    bool whole = length > 0 && bytes - *at >= length;
    for (size_t i = 1; whole && i < length; i++) {
        unsigned char byte = (unsigned char)text[*at + i];
        whole = (byte & 0xc0) == 0x80;
        point = point << 6 | (byte & 0x3fu);
    }
    if (!whole || !is_character(point, length)) {
        *at += 1;
        return GRT_TEXT_REPLACEMENT;
    }
    *at += length;
    return point;
}

size_t grt_text_encode(uint32_t point, char encoded[4]) {
    static const unsigned char mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1;) {
        encoded[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    encoded[0] = (char)(mark[length] | point);
    return length;
}

bool grt_text_is_shown(uint32_t point) {
    return point >= 0x20 && (point < 0x7f || point > 0x9f) && (point & 0xfffe) != 0xfffe;
}

size_t grt_text_copy_shown(char *copy, size_t room, const char *text, size_t bytes) {
    size_t used = 0;
    for (size_t at = 0; at < bytes;) {
        unsigned char byte = (unsigned char)text[at];
        if (byte >= 0x20 && byte < 0x7f && used < room) {
            copy[used++] = (char)byte;
            at++;
            continue;
        }
        uint32_t point = grt_text_next(text, bytes, &at);
        char encoded[4];
        size_t length = grt_text_encode(grt_text_is_shown(point) ? point : GRT_TEXT_REPLACEMENT, encoded);
        if (length > room - used) {
            break;
        }
        memcpy(copy + used, encoded, length);
        used += length;
    }
    return used;
}

bool grt_text_is_mark(uint32_t point) {
    return (point >= 0x300 && point <= 0x36f) || (point >= 0x483 && point <= 0x489) ||
           (point >= 0x200b && point <= 0x200f) || (point >= 0x20d0 && point <= 0x20f0) ||
           (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xfe20 && point <= 0xfe2f) || point == 0xfeff;
}
