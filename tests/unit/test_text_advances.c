/* labels: cairo */
/* The table of advance widths is that of the fonts. GRT_UPDATE=1 rewrites viz/text_advances.c from the installed ones. */
#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "viz/text_utf8.h"
#include "viz/text_width.h"

static cairo_scaled_font_t *open_font(enum grt_font font) {
    cairo_font_face_t *face = cairo_toy_font_face_create(
        font == GRT_FONT_MONO ? "DejaVu Sans Mono" : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
        font == GRT_FONT_BOLD ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_matrix_t size, identity;
    cairo_matrix_init_scale(&size, GRT_TEXT_EM, GRT_TEXT_EM);
    cairo_matrix_init_identity(&identity);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_scaled_font_t *scaled = cairo_scaled_font_create(face, &size, &identity, options);
    cairo_font_options_destroy(options);
    cairo_font_face_destroy(face);
    return scaled;
}

static int font_advance(cairo_scaled_font_t *font, uint32_t point) {
    char encoded[4];
    int length = (int)grt_text_encode(point, encoded);
    cairo_glyph_t *glyphs = NULL;
    int count = 0;
    cairo_scaled_font_text_to_glyphs(font, 0, 0, encoded, length, &glyphs, &count, NULL, NULL, NULL);
    cairo_text_extents_t extents = {0};
    cairo_scaled_font_glyph_extents(font, glyphs, count, &extents);
    cairo_glyph_free(glyphs);
    return (int)(extents.x_advance + 0.5);
}

static int rewrite(void) {
    FILE *out = fopen(GRT_SOURCE_DIR "/viz/text_advances.c", "w");
    if (out == NULL) {
        perror("viz/text_advances.c");
        return 1;
    }
    fputs("/* Written by GRT_UPDATE=1 tests/unit/test_text_advances from DejaVu Sans and DejaVu Sans Bold "
          "2.37. */\n"
          "#include \"viz/text_width.h\"\n\n/* clang-format off */\n"
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
    if (update != NULL && strcmp(update, "1") == 0) {
        return rewrite();
    }
    CU_TestInfo tests[] = {
        {"plain", test_plain}, {"bold", test_bold}, {"mono", test_mono}, CU_TEST_INFO_NULL};
    return grt_suite_run("text_advances", tests);
}
