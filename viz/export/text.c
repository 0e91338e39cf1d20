#include "viz/export/text.h"

#include <stdbool.h>

void grt_export_text_flush(struct grt_export_text *text) {
    grt_output_write(text->output, text->buffer, text->used);
    text->used = 0;
}

/* Appends what is shorter than the buffer. */
static void put_short(struct grt_export_text *text, const char *bytes, size_t size) {
    if (text->used + size > GRT_TEXT_ROOM) {
        grt_export_text_flush(text);
    }
    memcpy(text->buffer + text->used, bytes, size);
    text->used += size;
}

/* Apart from the rest, because gcc warns of texts that are far too short to get here. */
__attribute__((noinline)) static void put_long(struct grt_export_text *text, const char *bytes, size_t size) {
    grt_export_text_flush(text);
    grt_output_write(text->output, bytes, size);
}

void grt_export_text_put(struct grt_export_text *text, const char *bytes, size_t size) {
    if (size <= GRT_TEXT_ROOM) {
        put_short(text, bytes, size);
    } else {
        put_long(text, bytes, size);
    }
}

void grt_export_text_unsigned(struct grt_export_text *text, uint64_t number) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof digits;
    for (; number >= 100; number /= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (number % 100), 2);
    }
    if (number >= 10) {
        digits[--at] = pairs[2 * number + 1];
    }
    digits[--at] = number >= 10 ? pairs[2 * number] : (char)('0' + number);
    put_short(text, digits + at, sizeof digits - at);
}

void grt_export_text_us(struct grt_export_text *text, grt_time time) {
    uint64_t rest = (uint64_t)time % 1000;
    grt_export_text_unsigned(text, (uint64_t)time / 1000);
    if (rest > 0) {
        char digits[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                         (char)('0' + rest % 10)};
        put_short(text, digits, rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4);
    }
}

/* ---- Texts ---- */

/* The length of the character of UTF-8 at the beginning of a text that does not end there; 0 if there is none. */
static size_t length_of_character(const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = bytes[0] < 0x80   ? 1
                    : bytes[0] < 0xc2 ? 0
                    : bytes[0] < 0xe0 ? 2
                    : bytes[0] < 0xf0 ? 3
                    : bytes[0] < 0xf5 ? 4
                                      : 0;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) { /* also the zero at the end */
            return 0;
        }
    }
    bool overlong = (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xf0 && bytes[1] < 0x90);
    bool surrogate = bytes[0] == 0xed && bytes[1] >= 0xa0, beyond = bytes[0] == 0xf4 && bytes[1] >= 0x90;
    return length > 1 && (overlong || surrogate || beyond) ? 0 : length;
}

const char *grt_export_clean_name(struct grt_arena *arena, const char *string) {
    static const char replacement[] = "\xef\xbf\xbd";
    char clean[GRT_EXPORT_NAME_LIMIT + 1];
    size_t used = 0, at = 0;
    while (string[at] != '\0') {
        size_t length = length_of_character(string + at), size = length > 0 ? length : 3;
        if (used + size > GRT_EXPORT_NAME_LIMIT) {
            break;
        }
        memcpy(clean + used, length > 0 ? string + at : replacement, size);
        used += size;
        at += length > 0 ? length : 1;
    }
    clean[used] = '\0';
    return strcmp(clean, string) == 0 ? string : grt_arena_text(arena, clean);
}

/* Whether a character of a text in JSON needs a backslash. Names have no control characters. */
static bool is_special(char character) {
    return character == '"' || character == '\\';
}

const char *grt_export_json_string(struct grt_arena *arena, const char *string) {
    size_t size = 0;
    for (const char *at = string; *at != '\0'; at++) {
        size += is_special(*at) ? 2 : 1;
    }
    char *text = grt_arena_array(arena, size + 3, 1), *out = text;
    *out++ = '"';
    for (const char *at = string; *at != '\0'; at++) {
        if (is_special(*at)) {
            *out++ = '\\';
        }
        *out++ = *at;
    }
    *out = '"';
    return text;
}

/* Whether a field stands in quotes. */
static bool needs_quotes(const char *string) {
    size_t size = strlen(string);
    return strpbrk(string, ",\"\r\n") != NULL || (size > 0 && (string[0] == ' ' || string[size - 1] == ' '));
}

void grt_export_text_csv(struct grt_export_text *text, const char *string) {
    if (!needs_quotes(string)) {
        grt_export_text_string(text, string);
        return;
    }
    GRT_TEXT_LITERAL(text, "\"");
    for (const char *quote; (quote = strchr(string, '"')) != NULL; string = quote + 1) {
        grt_export_text_put(text, string, (size_t)(quote - string));
        GRT_TEXT_LITERAL(text, "\"\"");
    }
    grt_export_text_string(text, string);
    GRT_TEXT_LITERAL(text, "\"");
}
