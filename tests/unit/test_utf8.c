/* UTF-8: every character, and every sequence of bytes that is none, against encoding by arithmetic; what a terminal is shown. */
#include <stdint.h>
#include <string.h>

#include "sim/utf8.h"
#include "tests/support/suite.h"

/* RFC 3629, section 3: the bytes of a character, or 0 where the number is none. */
static size_t encode(uint32_t number, unsigned char bytes[4]) {
    static const unsigned char leads[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    if (number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) {
        return 0;
    }
    size_t length = number < 0x80 ? 1 : number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1;) {
        bytes[i] = (unsigned char)(0x80 | (number & 0x3F));
        number >>= 6;
    }
    bytes[0] = (unsigned char)(leads[length] | number);
    return length;
}

static void every_character(void) {
    size_t wrong = 0, characters = 0;
    for (uint32_t number = 0; number <= 0x110000; number++) {
        unsigned char bytes[4] = {0};
        size_t length = encode(number, bytes);
        characters += length > 0;
        for (size_t left = 0; length > 0 && left <= 4; left++) {
            wrong += grt_utf8_length((const char *)bytes, left) != (left >= length ? length : 0);
        }
    }
    CU_ASSERT_EQUAL(characters, 0x110000 - 0x800);
    CU_ASSERT_EQUAL(wrong, 0);
}

/* The length of the character that the bytes begin with: of those numbers whose bits they could have, the one with these bytes. */
static size_t expected_length(const unsigned char bytes[4]) {
    for (size_t length = 1; length <= 4; length++) {
        unsigned char own[4];
        uint32_t number = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
        for (size_t i = 1; i < length; i++) {
            number = number << 6 | (bytes[i] & 0x3F);
        }
        if (encode(number, own) == length && memcmp(own, bytes, length) == 0) {
            return length;
        }
    }
    return 0;
}

/* All first and second bytes, and around the limits of the others. */
static void every_sequence(void) {
    static const unsigned char others[] = {0x00, 0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF};
    size_t wrong = 0, none = 0;
    for (uint32_t both = 0; both < 0x10000; both++) {
        for (size_t i = 0; i < sizeof others * sizeof others; i++) {
            unsigned char bytes[4] = {(unsigned char)(both >> 8), (unsigned char)both,
                                      others[i / sizeof others], others[i % sizeof others]};
            size_t expected = expected_length(bytes);
            none += expected == 0;
            wrong += grt_utf8_length((const char *)bytes, 4) != expected;
        }
    }
    CU_ASSERT_TRUE(none > 1000000);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void texts(void) {
    CU_ASSERT_TRUE(grt_utf8_valid(""));
    CU_ASSERT_TRUE(grt_utf8_valid("gr\xC3\xBC\xC3\x9F"
                                  "e \xE2\x82\xAC \xF0\x9F\x98\x80"));
    CU_ASSERT_FALSE(grt_utf8_valid("good, then \xC3"));
    CU_ASSERT_FALSE(grt_utf8_valid("\xED\xA0\x80"));
}

static void expect_shown(const char *text, const char *expected) {
    char shown[GRT_UTF8_SHOWN_SIZE(64)];
    CU_ASSERT_STRING_EQUAL(grt_utf8_shown(text, shown), expected);
}

static void shown_on_terminals(void) {
    expect_shown("", "");
    expect_shown("m\xC3\xBC"
                 "de \xE2\x82\xAC",
                 "m\xC3\xBC"
                 "de \xE2\x82\xAC");
    expect_shown("\x1b[31m\n\x7F", "\\x1b[31m\\x0a\\x7f");
    expect_shown("\xC2\x85 \xC2\xA0", "\\xc2\\x85 \xC2\xA0"); /* a control character beyond ASCII; a blank */
    expect_shown("\xFF"
                 "a\xE2\x82",
                 "\\xffa\\xe2\\x82");
}

static void lines_and_cuts(void) {
    CU_ASSERT_TRUE(grt_utf8_is_line("") && grt_utf8_is_line("a \xc3\xa9 \xf0\x9f\x98\x80"));
    CU_ASSERT_FALSE(grt_utf8_is_line("a\n") || grt_utf8_is_line("\x1b[1m") || grt_utf8_is_line("\x7f") ||
                    grt_utf8_is_line("\xc2\x9b") || grt_utf8_is_line("\xff"));
    static const char whole[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
    static const size_t left[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t size = 0; size < sizeof whole; size++) {
        char cut[sizeof whole] = "";
        memcpy(cut, whole, size);
        grt_utf8_trim(cut);
        CU_ASSERT_EQUAL(strlen(cut), left[size]);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every character", every_character},
        {"every sequence of bytes", every_sequence},
        {"texts", texts},
        {"shown on terminals", shown_on_terminals},
        {"lines and cuts", lines_and_cuts},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("UTF-8", tests);
}
