#include "sim/utf8.h"

#include <string.h>

static bool continues(const unsigned char *byte, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return false;
        }
    }
    return true;
}

size_t grt_utf8_length(const char *text, size_t left) {
    const unsigned char *byte = (const unsigned char *)text;
    if (left == 0) {
        return 0;
    }
    size_t length = byte[0] < 0x80   ? 1
                    : byte[0] < 0xC2 ? 0
                    : byte[0] < 0xE0 ? 2
                    : byte[0] < 0xF0 ? 3
                    : byte[0] < 0xF5 ? 4
                                     : 0;
    if (length == 0 || length > left || !continues(byte + 1, length - 1)) {
        return 0;
    }
    bool overlong = (byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xF0 && byte[1] < 0x90);
    bool surrogate = byte[0] == 0xED && byte[1] >= 0xA0;
    bool beyond = byte[0] == 0xF4 && byte[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

/* U+0080 to U+009F are C2 80 to C2 9F. */
static bool is_control(const char *text, size_t length) {
    const unsigned char *byte = (const unsigned char *)text;
    return length == 1 ? byte[0] < 0x20 || byte[0] == 0x7F : byte[0] == 0xC2 && byte[1] < 0xA0;
}

/* Whether all characters are valid, and no control characters where there may be none. */
static bool is_text(const char *text, bool controls) {
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = grt_utf8_length(text, left);
        if (length == 0 || (!controls && is_control(text, length))) {
            return false;
        }
        text += length;
        left -= length;
    }
    return true;
}

bool grt_utf8_valid(const char *text) {
    return is_text(text, true);
}

bool grt_utf8_is_line(const char *text) {
    return is_text(text, false);
}

void grt_utf8_trim(char *text) {
    size_t size = strlen(text), begun = size;
    while (begun > 0 && size - begun < 3 && ((unsigned char)text[begun - 1] & 0xC0) == 0x80) {
        begun--;
    }
    if (begun > 0 && (unsigned char)text[begun - 1] >= 0xC0 &&
        grt_utf8_length(&text[begun - 1], size - begun + 1) == 0) {
        text[begun - 1] = '\0';
    }
}

char *grt_utf8_shown(const char *text, char *shown) {
    static const char digits[] = "0123456789abcdef";
    char *to = shown;
    for (size_t left = strlen(text); left > 0;) {
        size_t length = grt_utf8_length(text, left);
        if (length == 0 || is_control(text, length)) {
            unsigned char byte = (unsigned char)*text;
            to = (char *)memcpy(to, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4) + 4;
            length = 1;
        } else {
            to = (char *)memcpy(to, text, length) + length;
        }
        text += length;
        left -= length;
    }
    *to = '\0';
    return shown;
}
