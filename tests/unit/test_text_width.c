/* labels: soak */
/* Widths and shortened labels, of UTF-8 and of what is none. */
#include <math.h>
#include <string.h>

#include "sim/random.h"
#include "tests/support/suite.h"
#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

static void check_decoded(const char *text, size_t bytes, uint32_t point, size_t length) {
    size_t at = 0;
    CU_ASSERT_EQUAL(grt_text_next(text, bytes, &at), point);
    CU_ASSERT_EQUAL(at, length);
}

static void test_decoding(void) {
    check_decoded("a", 1, 'a', 1);
    check_decoded("\xc3\xb6", 2, 0xf6, 2);
    check_decoded("\xe2\x82\xac", 3, 0x20ac, 3);
    check_decoded("\xf0\x9f\x98\x80", 4, 0x1f600, 4);
    check_decoded("\xf4\x8f\xbf\xbf", 4, 0x10ffff, 4);
    static const struct {
        const char *text;
        size_t bytes;
    } bad[] = {{"\x80", 1},
               {"\xc3", 1},
               {"\xc3(", 2},
               {"\xc0\x80", 2},
               {"\xe0\x9f\xbf", 3},
               {"\xe2\x82", 2},
               {"\xed\xa0\x80", 3},
               {"\xf0\x8f\xbf\xbf", 4},
               {"\xf4\x90\x80\x80", 4},
               {"\xf5\x80\x80\x80", 4},
               {"\xff", 1},
               {"\xf0\x9f\x98", 3}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_decoded(bad[i].text, bad[i].bytes, GRT_TEXT_REPLACEMENT, 1);
    }
}

static void test_encoding_is_the_inverse(void) {
    for (uint32_t point = 1; point <= 0x10ffff; point++) {
        if (point == 0xd800) {
            point = 0xe000;
        }
        char encoded[4];
        size_t length = grt_text_encode(point, encoded), at = 0;
        if (grt_text_next(encoded, length, &at) != point || at != length) {
            CU_FAIL("a character does not come back");
            return;
        }
    }
}

static void test_widths(void) {
    CU_ASSERT_DOUBLE_EQUAL(grt_text_width(GRT_FONT_PLAIN, 2048, "Mi", 2), 1767 + 569, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_text_width(GRT_FONT_BOLD, 1024, "M", 1), 2038 / 2.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_text_width(GRT_FONT_MONO, 10, "Mi\xce\x94\xe6\x97\xa5", 7), 4 * 12330 / 2048.0,
                           1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_text_width(GRT_FONT_PLAIN, 2048, "e\xcc\x81", 3), 1260, 1e-9); /* e, accent */
    CU_ASSERT_DOUBLE_EQUAL(grt_text_width(GRT_FONT_PLAIN, 2048, "\xff\x01", 2),
                           2 * grt_text_advance(GRT_FONT_PLAIN, 0xfffd), 1e-9);
    CU_ASSERT_EQUAL(grt_text_width(GRT_FONT_PLAIN, 11, "", 0), 0);
}

static void check_short(const char *text, double letters, enum grt_text_cut cut, const char *expected) {
    char out[GRT_PICTURE_TEXT];
    double width = letters * 12 * GRT_TEXT_MONO / GRT_TEXT_EM + 1e-6;
    size_t bytes = grt_text_shorten(GRT_FONT_MONO, 12, text, strlen(text), width, cut, out);
    CU_ASSERT_EQUAL(bytes, strlen(expected));
    CU_ASSERT(memcmp(out, expected, bytes) == 0);
}

static void test_shortening(void) {
    check_short("detector", 8, GRT_TEXT_CUT_END, "detector");
    check_short("detector", 7.9, GRT_TEXT_CUT_END, "detect…");
    check_short("detector", 2, GRT_TEXT_CUT_END, "d…");
    check_short("detector", 1.9, GRT_TEXT_CUT_END, "");
    check_short("detector", 7, GRT_TEXT_CUT_MIDDLE, "det…tor");
    check_short("detector", 6, GRT_TEXT_CUT_MIDDLE, "de…tor");
    check_short("detector", 3, GRT_TEXT_CUT_MIDDLE, "d…r");
    check_short("detector", 2, GRT_TEXT_CUT_MIDDLE, "d…");
    check_short("größer", 4, GRT_TEXT_CUT_END, "grö…");
    check_short("größer", 5, GRT_TEXT_CUT_MIDDLE, "gr…er");
    check_short("ae\xcc\x81xyz", 3, GRT_TEXT_CUT_END, "ae\xcc\x81…");
    check_short("xyza\xcc\x81", 3, GRT_TEXT_CUT_MIDDLE, "x…a\xcc\x81");
    check_short("", 3, GRT_TEXT_CUT_END, "");
}

static void test_strange_widths(void) {
    char out[GRT_PICTURE_TEXT];
    const double widths[] = {0, -1, NAN, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(grt_text_shorten(GRT_FONT_PLAIN, 11, "a", 1, widths[i], GRT_TEXT_CUT_END, out), 0);
        CU_ASSERT_EQUAL(grt_text_shorten(GRT_FONT_PLAIN, widths[i], "a", 1, 50, GRT_TEXT_CUT_END, out), 0);
    }
    CU_ASSERT_EQUAL(grt_text_shorten(GRT_FONT_PLAIN, 11, "abc", 3, INFINITY, GRT_TEXT_CUT_END, out), 3);
    static char longer[2 * GRT_PICTURE_TEXT];
    memset(longer, 'a', sizeof longer);
    for (int cut = 0; cut < 2; cut++) {
        size_t bytes =
            grt_text_shorten(GRT_FONT_PLAIN, 11, longer, sizeof longer, 1e9, (enum grt_text_cut)cut, out);
        CU_ASSERT(bytes <= GRT_PICTURE_TEXT && bytes > GRT_PICTURE_TEXT - 10);
    }
}

/* Some letters, some marks, some bytes that are no UTF-8. */
static size_t random_text(struct grt_random *random, char *text, size_t most) {
    static const char *const parts[] = {"a",        "W",    "i",        " ",  "ö", "€",
                                        "\xcc\x81", "\xff", "\xe2\x82", "日", "τ"};
    size_t bytes = 0;
    for (uint64_t n = grt_random_below(random, 30); n > 0; n--) {
        const char *part = parts[grt_random_below(random, sizeof parts / sizeof parts[0])];
        if (bytes + strlen(part) <= most) {
            memcpy(text + bytes, part, strlen(part));
            bytes += strlen(part);
        }
    }
    return bytes;
}

/* Whatever the text: it fits, is the text or a beginning, an ellipsis and an ending of it, and is as long as possible. */
static void test_random_texts(void) {
    struct grt_random random = grt_random_stream(1, "shorten", 0, 0);
    int cut_short = 0;
    for (int i = 0; i < grt_suite_cases(20000, 2000000); i++) {
        char text[128], out[GRT_PICTURE_TEXT];
        size_t bytes = random_text(&random, text, sizeof text);
        enum grt_font font = (enum grt_font)grt_random_below(&random, GRT_FONTS);
        enum grt_text_cut cut = (enum grt_text_cut)grt_random_below(&random, 2);
        double width = (double)grt_random_below(&random, 200);
        size_t used = grt_text_shorten(font, 11, text, bytes, width, cut, out);
        CU_ASSERT(grt_text_width(font, 11, out, used) <= width);
        if (grt_text_width(font, 11, text, bytes) <= width) {
            CU_ASSERT(used == (width > 0 ? bytes : 0) && memcmp(out, text, used) == 0);
        } else if (used > 0) {
            const char *dots = NULL;
            for (size_t at = 0; at + 3 <= used && dots == NULL; at++) {
                dots = memcmp(out + at, "…", 3) == 0 ? out + at : NULL;
            }
            CU_ASSERT_FATAL(dots != NULL);
            size_t head = (size_t)(dots - out), tail = used - head - 3;
            CU_ASSERT(head > 0 && memcmp(out, text, head) == 0);
            CU_ASSERT(memcmp(dots + 3, text + bytes - tail, tail) == 0);
            CU_ASSERT(tail == 0 || cut == GRT_TEXT_CUT_MIDDLE);
            double widest = 2.2 * 11; /* a W of the bold font, or the box */
            CU_ASSERT(grt_text_width(font, 11, out, used) > width - widest);
            cut_short++;
        }
    }
    CU_ASSERT(cut_short > 1000);
}

int main(void) {
    CU_TestInfo tests[] = {{"decoding", test_decoding},
                           {"encoding is the inverse", test_encoding_is_the_inverse},
                           {"widths", test_widths},
                           {"shortening", test_shortening},
                           {"strange widths", test_strange_widths},
                           {"random texts", test_random_texts},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("text_width", tests);
}
