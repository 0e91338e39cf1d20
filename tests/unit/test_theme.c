/* Colours can be told apart, also by those who do not see all of them, and text on them can be read. */
#include <math.h>
#include <stdio.h>

#include "tests/support/colour_vision.h"
#include "tests/support/suite.h"
#include "viz/scene/theme.h"

static const struct grt_theme *light = &grt_themes[GRT_THEME_LIGHT];
static const struct grt_theme *print = &grt_themes[GRT_THEME_PRINT];

static void test_known_contrasts(void) {
    CU_ASSERT_DOUBLE_EQUAL(grt_colour_contrast(0x000000ff, 0xffffffff), 21, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_colour_contrast(0x123456ff, 0x123456ff), 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(grt_colour_contrast(0xffffffff, 0x767676ff), 4.54,
                           0.005); /* WCAG's well-known grey */
    CU_ASSERT_EQUAL(grt_colour_of_text_on(0xf0e442ff), 0x000000ff);
    CU_ASSERT_EQUAL(grt_colour_of_text_on(0x12334bff), 0xffffffff);
}

/* Every text on every fill and on every hatch line over it. */
static void test_text_on_fills(void) {
    for (int kind = 0; kind < GRT_THEMES; kind++) {
        for (uint32_t key = 0; key < GRT_FILLS; key++) {
            struct grt_fill fill = grt_theme_fill(&grt_themes[kind], key);
            CU_ASSERT(grt_colour_contrast(fill.text, fill.colour) >= 4);
            CU_ASSERT_EQUAL(fill.text, grt_colour_of_text_on(fill.colour));
            CU_ASSERT_EQUAL(fill.hatch == GRT_HATCH_NONE, fill.hatch_colour == 0);
            if (fill.hatch != GRT_HATCH_NONE) {
                CU_ASSERT(grt_colour_contrast(fill.text, fill.hatch_colour) >= 4);
                CU_ASSERT(grt_colour_contrast(fill.colour, fill.hatch_colour) >= 1.3);
            }
        }
    }
}

static void check_distances(uint32_t keys, const double least[GRT_VISIONS]) {
    for (int vision = 0; vision < GRT_VISIONS; vision++) {
        double nearest = 1e9;
        for (uint32_t a = 1; a < keys; a++) {
            for (uint32_t b = 0; b < a; b++) {
                nearest = fmin(nearest,
                               grt_colour_distance((enum grt_vision)vision, grt_theme_fill(light, a).colour,
                                                   grt_theme_fill(light, b).colour));
            }
        }
        if (nearest < least[vision]) {
            printf("%u keys, vision %d: nearest pair at %.2f\n", (unsigned)keys, vision, nearest);
        }
        CU_ASSERT(nearest >= least[vision]);
    }
}

/* The first seven as Okabe and Ito's colours are known to be, all 21 nearly as far apart as Tableau's ten are for normal
 * vision, for which those have 8.4, 0.9, 0.7 and 5.2. */
static void test_distances(void) {
    check_distances(7, (double[]){15.55, 9.55, 7.55, 8.45});
    check_distances(GRT_FILL_COLOURS, (double[]){8.3, 6.4, 6.4, 6.4});
}

static bool equal_fills(struct grt_fill a, struct grt_fill b) {
    return a.colour == b.colour && a.hatch == b.hatch;
}

static void test_fills_differ(void) {
    for (int kind = 0; kind < GRT_THEMES; kind++) {
        const struct grt_theme *theme = &grt_themes[kind];
        for (uint32_t a = 0; a < GRT_FILLS; a++) {
            for (uint32_t b = 0; b < a; b++) {
                CU_ASSERT_FALSE(equal_fills(grt_theme_fill(theme, a), grt_theme_fill(theme, b)));
            }
        }
        CU_ASSERT(equal_fills(grt_theme_fill(theme, 5), grt_theme_fill(theme, 5 + GRT_FILLS)));
        grt_theme_fill(theme, UINT32_MAX);
    }
    CU_ASSERT_EQUAL(grt_theme_fill(light, 20).hatch, GRT_HATCH_NONE);
    CU_ASSERT_NOT_EQUAL(grt_theme_fill(light, 21).hatch, GRT_HATCH_NONE);
}

/* The grey that a printer makes of a colour. */
static grt_colour grey(grt_colour colour) {
    double linear = 0;
    const double weights[] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++) {
        double part = (colour >> (24 - 8 * i) & 0xff) / 255.0;
        linear += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    double part = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    uint32_t level = (uint32_t)(part * 255 + 0.5);
    return level << 24 | level << 16 | level << 8 | 0xff;
}

/* What is hatched alike differs in brightness, the first seven clearly. */
static void test_print_is_safe_in_grey(void) {
    for (uint32_t a = 0; a < GRT_FILL_COLOURS; a++) {
        for (uint32_t b = 0; b < a; b++) {
            struct grt_fill x = grt_theme_fill(print, a), y = grt_theme_fill(print, b);
            if (x.hatch == y.hatch) {
                double apart = grt_colour_distance(GRT_VISION_NORMAL, grey(x.colour), grey(y.colour));
                CU_ASSERT(apart >= (a < 7 ? 12 : 5));
                if (apart < (a < 7 ? 12 : 5)) {
                    printf("keys %u and %u: %.1f apart in grey\n", (unsigned)a, (unsigned)b, apart);
                }
            }
        }
    }
    CU_ASSERT_EQUAL(print->roles[GRT_ROLE_BACKGROUND], 0xffffffff);
}

static void check_contrast(const struct grt_theme *theme, enum grt_role front, enum grt_role behind,
                           double least) {
    double contrast = grt_colour_contrast(theme->roles[front], theme->roles[behind]);
    if (contrast < least) {
        printf("%s: role %d on %d has %.2f\n", theme->name, (int)front, (int)behind, contrast);
    }
    CU_ASSERT(contrast >= least);
}

static void test_roles(void) {
    static const enum grt_role texts[] = {GRT_ROLE_AXIS_TEXT, GRT_ROLE_ROW_LABEL, GRT_ROLE_MUTED_TEXT,
                                          GRT_ROLE_BLOCKED,   GRT_ROLE_MISS,      GRT_ROLE_WARNING};
    static const enum grt_role signs[] = {GRT_ROLE_RELEASE,    GRT_ROLE_DEADLINE,       GRT_ROLE_COMPLETION,
                                          GRT_ROLE_DIFFERENCE, GRT_ROLE_SELECTION_EDGE, GRT_ROLE_HOVER,
                                          GRT_ROLE_FOCUS,      GRT_ROLE_ARROW,          GRT_ROLE_ARROW_FOCUS,
                                          GRT_ROLE_MISS_EDGE,  GRT_ROLE_SUSPENDED};
    static const enum grt_role behind[] = {GRT_ROLE_BACKGROUND, GRT_ROLE_BAND, GRT_ROLE_PANEL};
    for (int kind = 0; kind < GRT_THEMES; kind++) {
        const struct grt_theme *theme = &grt_themes[kind];
        for (size_t b = 0; b < 3; b++) {
            for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
                check_contrast(theme, texts[i], behind[b], 4.0);
            }
            for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
                check_contrast(theme, signs[i], behind[b], 3.0);
            }
        }
        check_contrast(theme, GRT_ROLE_BUTTON_TEXT, GRT_ROLE_BUTTON, 4.5);
        check_contrast(theme, GRT_ROLE_TOOLTIP_TEXT, GRT_ROLE_TOOLTIP, 4.5);
        check_contrast(theme, GRT_ROLE_ROW_LABEL, GRT_ROLE_MATCH, 4.0);
        CU_ASSERT_PTR_EQUAL(grt_theme_find(theme->name), theme);
        for (int role = 0; role < GRT_ROLES; role++) {
            CU_ASSERT_NOT_EQUAL(theme->roles[role] & 0xff, 0);
        }
    }
    CU_ASSERT_PTR_NULL(grt_theme_find("sepia"));
}

int main(void) {
    CU_TestInfo tests[] = {{"known contrasts", test_known_contrasts},
                           {"text on fills", test_text_on_fills},
                           {"distances", test_distances},
                           {"fills differ", test_fills_differ},
                           {"print is safe in grey", test_print_is_safe_in_grey},
                           {"roles", test_roles},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("theme", tests);
}
