/* labels: cairo */
/* The table of advance widths is that of the fonts. GRT_UPDATE=1 rewrites viz/picture/text_advances.c from the installed ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "viz/picture/paint_font.h"
#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

static struct grt_fonts fonts;

static cairo_scaled_font_t *open_font(enum grt_font font) {
    return grt_fonts_at_size(&fonts, font, GRT_TEXT_EM, fonts.on_paper);
}

static int font_advance(cairo_scaled_font_t *font, uint32_t point) {
    return (int)(grt_font_advance(font, point) + 0.5);
}

static int rewrite(void) {
    FILE *out = fopen(GRT_SOURCE_DIR "/viz/picture/text_advances.c", "w");
    if (out == NULL) {
        perror("viz/picture/text_advances.c");
        return 1;
    }
    fputs("/* Written by GRT_UPDATE=1 tests/unit/test_text_advances from DejaVu Sans and DejaVu Sans Bold "
          "2.37. */\n"
          "#include \"viz/picture/text_width.h\"\n\n/* clang-format off */\n"
          "const uint16_t grt_text_advances[2][GRT_TEXT_ADVANCES] = {\n",
          out);
    for (int font = GRT_FONT_PLAIN; font <= GRT_FONT_BOLD; font++) {
        cairo_scaled_font_t *scaled = open_font((enum grt_font)font);
        fputs("    {", out);
        int column = 0;
        for (int r = 0; r < GRT_TEXT_RANGES; r++) {
            for (uint32_t point = grt_text_ranges[r].first; point <= grt_text_ranges[r].last; point++) {
                column += fprintf(out, "%s%d,", column > 94 ? "\n     " : "", font_advance(scaled, point));
                column = column > 100 ? 0 : column;
            }
        }
        fputs("},\n", out);
        cairo_scaled_font_destroy(scaled);
    }
    fputs("};\n", out);
    return fclose(out) == 0 ? 0 : 1;
}

static void check_font(enum grt_font font) {
    cairo_scaled_font_t *scaled = open_font(font);
    int wrong = 0;
    for (int r = 0; r < GRT_TEXT_RANGES; r++) {
        for (uint32_t point = grt_text_ranges[r].first; point <= grt_text_ranges[r].last; point++) {
            int expected = grt_text_is_mark(point) ? 0 : font_advance(scaled, point);
            if (grt_text_advance(font, point) != expected) {
                wrong++;
                printf("font %d, U+%04X: table %d, font %d\n", (int)font, (unsigned)point,
                       grt_text_advance(font, point), expected);
            }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(grt_text_advance(font, 0x4e00), font_advance(scaled, 0x4e00)); /* the empty box */
    cairo_scaled_font_destroy(scaled);
}

static void test_plain(void) {
    check_font(GRT_FONT_PLAIN);
}

static void test_bold(void) {
    check_font(GRT_FONT_BOLD);
}

static void test_mono(void) {
    check_font(GRT_FONT_MONO);
}

int main(void) {
    const char *update = getenv("GRT_UPDATE");
    bool rewrites = update != NULL && strcmp(update, "1") == 0;
    grt_fonts_open(&fonts);
    CU_TestInfo tests[] = {
        {"plain", test_plain}, {"bold", test_bold}, {"mono", test_mono}, CU_TEST_INFO_NULL};
    int failed = rewrites ? rewrite() : grt_suite_run("text_advances", tests);
    grt_fonts_close(&fonts);
    return failed;
}
