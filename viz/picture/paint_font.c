#include "viz/picture/paint_font.h"

#include <math.h>

#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

#ifdef GRT_SANITIZED
#include <sanitizer/lsan_interface.h>

/* fontconfig keeps some blocks of what it has read until the program ends, and the leak sanitizer does not see who points
 * at them. Their number does not grow. What is allocated while a font is looked for is left alone, too: a suppressed leak has to
 * be symbolised first, which takes longer than most pictures. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\n";
}

const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}

static void begin_search(void) {
    __lsan_disable();
}

static void end_search(void) {
    __lsan_enable();
}
#else
static void begin_search(void) {
}
static void end_search(void) {
}
#endif

static cairo_font_options_t *options(cairo_hint_style_t hints) {
    cairo_font_options_t *made = cairo_font_options_create();
    cairo_font_options_set_antialias(made, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(made, hints);
    cairo_font_options_set_hint_metrics(made, CAIRO_HINT_METRICS_OFF);
    return made;
}

void grt_fonts_open(struct grt_fonts *fonts) {
    static const char *const families[GRT_FONTS] = {"DejaVu Sans", "DejaVu Sans", "DejaVu Sans Mono"};
    begin_search();
    for (int font = 0; font < GRT_FONTS; font++) {
        fonts->faces[font] = cairo_toy_font_face_create(families[font], CAIRO_FONT_SLANT_NORMAL,
                                                        font == GRT_FONT_BOLD ? CAIRO_FONT_WEIGHT_BOLD
                                                                              : CAIRO_FONT_WEIGHT_NORMAL);
    }
    end_search();
    fonts->on_screen = options(CAIRO_HINT_STYLE_SLIGHT);
    fonts->on_paper = options(CAIRO_HINT_STYLE_NONE);
}

void grt_fonts_close(struct grt_fonts *fonts) {
    for (int font = 0; font < GRT_FONTS; font++) {
        cairo_font_face_destroy(fonts->faces[font]);
    }
    cairo_font_options_destroy(fonts->on_screen);
    cairo_font_options_destroy(fonts->on_paper);
}

cairo_scaled_font_t *grt_fonts_at_size(const struct grt_fonts *fonts, enum grt_font font, double size,
                                       const cairo_font_options_t *how) {
    cairo_matrix_t matrix, identity;
    cairo_matrix_init_scale(&matrix, size, size);
    cairo_matrix_init_identity(&identity);
    begin_search();
    cairo_scaled_font_t *scaled = cairo_scaled_font_create(fonts->faces[font], &matrix, &identity, how);
    end_search();
    return scaled;
}

unsigned long grt_font_glyph(cairo_scaled_font_t *scaled, uint32_t point) {
    char text[4];
    size_t bytes = grt_text_encode(point, text);
    cairo_glyph_t *glyphs = NULL;
    int count = 0;
    cairo_scaled_font_text_to_glyphs(scaled, 0, 0, text, (int)bytes, &glyphs, &count, NULL, NULL, NULL);
    unsigned long index = count > 0 ? glyphs[0].index : 0;
    cairo_glyph_free(glyphs);
    return index;
}

double grt_font_advance(cairo_scaled_font_t *scaled, uint32_t point) {
    cairo_glyph_t glyph = {.index = grt_font_glyph(scaled, point)};
    cairo_text_extents_t extents = {0};
    cairo_scaled_font_glyph_extents(scaled, &glyph, 1, &extents);
    return extents.x_advance;
}

/* Whether some letters are as wide as DejaVu's. */
static bool is_dejavu(const struct grt_fonts *fonts, enum grt_font font) {
    static const char letters[] = "MWi.g7";
    cairo_scaled_font_t *scaled = grt_fonts_at_size(fonts, font, GRT_TEXT_EM, fonts->on_paper);
    bool equal = cairo_scaled_font_status(scaled) == CAIRO_STATUS_SUCCESS;
    for (int i = 0; letters[i] != '\0' && equal; i++) {
        uint32_t point = (uint32_t)letters[i];
        equal = fabs(grt_font_advance(scaled, point) - grt_text_advance(font, point)) < 1;
    }
    cairo_scaled_font_destroy(scaled);
    return equal;
}

const char *grt_fonts_notice(const struct grt_fonts *fonts) {
    for (int font = 0; font < GRT_FONTS; font++) {
        if (!is_dejavu(fonts, (enum grt_font)font)) {
            return "the DejaVu fonts are not installed (Debian and Ubuntu: fonts-dejavu-core); text is shown "
                   "in another font";
        }
    }
    return NULL;
}
