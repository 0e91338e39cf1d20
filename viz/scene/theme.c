#include "viz/scene/theme.h"

#include <math.h>
#include <string.h>

#define BLACK UINT32_C(0x000000ff)
#define WHITE UINT32_C(0xffffffff)

const struct grt_theme grt_themes[GRT_THEMES] = {
    [GRT_THEME_LIGHT] = {.name = "light",
                         .roles = {[GRT_ROLE_BACKGROUND] = 0xffffffff, [GRT_ROLE_BAND] = 0xf6f7f9ff,
                                   [GRT_ROLE_PANEL] = 0xeef0f3ff,      [GRT_ROLE_PANEL_EDGE] = 0xc4c9d0ff,
                                   [GRT_ROLE_GRID] = 0xe3e6eaff,       [GRT_ROLE_GRID_STRONG] = 0xc4c9d0ff,
                                   [GRT_ROLE_AXIS_TEXT] = 0x4a5058ff,  [GRT_ROLE_ROW_LABEL] = 0x1f2328ff,
                                   [GRT_ROLE_MUTED_TEXT] = 0x606770ff, [GRT_ROLE_IDLE] = 0xe9ebeeff,
                                   [GRT_ROLE_SUSPENDED] = 0x7d8590ff,  [GRT_ROLE_BLOCKED] = 0xa83232ff,
                                   [GRT_ROLE_EDGE] = 0x00000059,       [GRT_ROLE_RELEASE] = 0x1f2328ff,
                                   [GRT_ROLE_DEADLINE] = 0x1f2328ff,   [GRT_ROLE_COMPLETION] = 0x1f2328ff,
                                   [GRT_ROLE_MISS] = 0xd1001fff,       [GRT_ROLE_MISS_EDGE] = 0x3d0009ff,
                                   [GRT_ROLE_WARNING] = 0x9a5b00ff,    [GRT_ROLE_DIFFERENCE] = 0x8a2be2ff,
                                   [GRT_ROLE_SELECTION] = 0x0969da2e,  [GRT_ROLE_SELECTION_EDGE] = 0x0969daff,
                                   [GRT_ROLE_HOVER] = 0x1f2328ff,      [GRT_ROLE_FOCUS] = 0x0969daff,
                                   [GRT_ROLE_ARROW] = 0x6e7781ff,      [GRT_ROLE_ARROW_FOCUS] = 0x1f2328ff,
                                   [GRT_ROLE_VEIL] = 0xffffffb3,       [GRT_ROLE_MATCH] = 0xffd33dff,
                                   [GRT_ROLE_BUTTON] = 0xffffffff,     [GRT_ROLE_BUTTON_TEXT] = 0x1f2328ff,
                                   [GRT_ROLE_TOOLTIP] = 0x24292fff,    [GRT_ROLE_TOOLTIP_TEXT] = 0xf6f8faff,
                                   [GRT_ROLE_OVERHEAD] = 0x8c959fff,   [GRT_ROLE_BOOSTED] = 0xbf2f86ff}},
    [GRT_THEME_DARK] = {.name = "dark",
                        .roles = {[GRT_ROLE_BACKGROUND] = 0x16191dff, [GRT_ROLE_BAND] = 0x1b1f24ff,
                                  [GRT_ROLE_PANEL] = 0x22272eff,      [GRT_ROLE_PANEL_EDGE] = 0x444c56ff,
                                  [GRT_ROLE_GRID] = 0x2a3038ff,       [GRT_ROLE_GRID_STRONG] = 0x444c56ff,
                                  [GRT_ROLE_AXIS_TEXT] = 0xb4bcc6ff,  [GRT_ROLE_ROW_LABEL] = 0xe6eaefff,
                                  [GRT_ROLE_MUTED_TEXT] = 0x939ca8ff, [GRT_ROLE_IDLE] = 0x282e36ff,
                                  [GRT_ROLE_SUSPENDED] = 0x8b949eff,  [GRT_ROLE_BLOCKED] = 0xff8f88ff,
                                  [GRT_ROLE_EDGE] = 0xffffff66,       [GRT_ROLE_RELEASE] = 0xe6eaefff,
                                  [GRT_ROLE_DEADLINE] = 0xe6eaefff,   [GRT_ROLE_COMPLETION] = 0xe6eaefff,
                                  [GRT_ROLE_MISS] = 0xff4d55ff,       [GRT_ROLE_MISS_EDGE] = 0xffffffff,
                                  [GRT_ROLE_WARNING] = 0xe3a03aff,    [GRT_ROLE_DIFFERENCE] = 0xc38bffff,
                                  [GRT_ROLE_SELECTION] = 0x58a6ff3d,  [GRT_ROLE_SELECTION_EDGE] = 0x58a6ffff,
                                  [GRT_ROLE_HOVER] = 0xffffffff,      [GRT_ROLE_FOCUS] = 0x58a6ffff,
                                  [GRT_ROLE_ARROW] = 0x9aa4b0ff,      [GRT_ROLE_ARROW_FOCUS] = 0xffffffff,
                                  [GRT_ROLE_VEIL] = 0x16191db3,       [GRT_ROLE_MATCH] = 0x7d6400ff,
                                  [GRT_ROLE_BUTTON] = 0x30363dff,     [GRT_ROLE_BUTTON_TEXT] = 0xe6eaefff,
                                  [GRT_ROLE_TOOLTIP] = 0xe6eaefff,    [GRT_ROLE_TOOLTIP_TEXT] = 0x16191dff,
                                  [GRT_ROLE_OVERHEAD] = 0x6e7681ff,   [GRT_ROLE_BOOSTED] = 0xff7ac6ff}},
    [GRT_THEME_PRINT] = {.name = "print",
                         .hatched = true,
                         .roles = {[GRT_ROLE_BACKGROUND] = 0xffffffff, [GRT_ROLE_BAND] = 0xffffffff,
                                   [GRT_ROLE_PANEL] = 0xffffffff,      [GRT_ROLE_PANEL_EDGE] = 0x808080ff,
                                   [GRT_ROLE_GRID] = 0xddddddff,       [GRT_ROLE_GRID_STRONG] = 0xaaaaaaff,
                                   [GRT_ROLE_AXIS_TEXT] = 0x000000ff,  [GRT_ROLE_ROW_LABEL] = 0x000000ff,
                                   [GRT_ROLE_MUTED_TEXT] = 0x404040ff, [GRT_ROLE_IDLE] = 0xf2f2f2ff,
                                   [GRT_ROLE_SUSPENDED] = 0x707070ff,  [GRT_ROLE_BLOCKED] = 0x8c1c1cff,
                                   [GRT_ROLE_EDGE] = 0x000000b3,       [GRT_ROLE_RELEASE] = 0x000000ff,
                                   [GRT_ROLE_DEADLINE] = 0x000000ff,   [GRT_ROLE_COMPLETION] = 0x000000ff,
                                   [GRT_ROLE_MISS] = 0xc00018ff,       [GRT_ROLE_MISS_EDGE] = 0x000000ff,
                                   [GRT_ROLE_WARNING] = 0x7a4800ff,    [GRT_ROLE_DIFFERENCE] = 0x5a189aff,
                                   [GRT_ROLE_SELECTION] = 0x00000026,  [GRT_ROLE_SELECTION_EDGE] = 0x000000ff,
                                   [GRT_ROLE_HOVER] = 0x000000ff,      [GRT_ROLE_FOCUS] = 0x000000ff,
                                   [GRT_ROLE_ARROW] = 0x505050ff,      [GRT_ROLE_ARROW_FOCUS] = 0x000000ff,
                                   [GRT_ROLE_VEIL] = 0xffffffb3,       [GRT_ROLE_MATCH] = 0xe0e0e0ff,
                                   [GRT_ROLE_BUTTON] = 0xffffffff,     [GRT_ROLE_BUTTON_TEXT] = 0x000000ff,
                                   [GRT_ROLE_TOOLTIP] = 0xffffffff,    [GRT_ROLE_TOOLTIP_TEXT] = 0x000000ff,
                                   [GRT_ROLE_OVERHEAD] = 0x8c8c8cff,   [GRT_ROLE_BOOSTED] = 0x000000ff}}};

const struct grt_theme *grt_theme_find(const char *name) {
    for (int i = 0; i < GRT_THEMES; i++) {
        if (strcmp(name, grt_themes[i].name) == 0) {
            return &grt_themes[i];
        }
    }
    return NULL;
}

/* ---- fills ---- */

/* A colour, black or white for text on it, the lines of a hatch over it, and which hatch the print theme gives it first.
 * Lines are the colour mixed with black or white, whichever stands out more (up to a contrast of 2) while text on them keeps
 * one of 4. For the print theme the colours sorted by brightness take the four hatches in turn, so that those with the same
 * hatch differ in brightness. */
enum { N = GRT_HATCH_NONE, U = GRT_HATCH_UP, D = GRT_HATCH_DOWN, X = GRT_HATCH_CROSS };
/* clang-format off */
static const struct {
    grt_colour colour, text, lines;
    unsigned char print;
} palette[GRT_FILL_COLOURS] = {
    /* Okabe and Ito: orange, sky blue, green, yellow, blue, vermilion, purple; the same lighter; the same darker */
    {0xe69f00ff, 0x000000ff, 0xa17000ff, N},
    {0x56b4e9ff, 0x000000ff, 0x3d7ea4ff, X},
    {0x009e73ff, 0x000000ff, 0x8cd3c0ff, U},
    {0xf0e442ff, 0x000000ff, 0xb4ab32ff, X},
    {0x0072b2ff, 0xffffffff, 0x00456bff, D},
    {0xd55e00ff, 0x000000ff, 0xeaae7fff, N},
    {0xcc79a7ff, 0x000000ff, 0xe8c2d7ff, D},
    {0xffbb48ff, 0x000000ff, 0xc08d36ff, N},
    {0xbde0f7ff, 0x000000ff, 0x8ea8baff, D},
    {0xd1fae7ff, 0x000000ff, 0x9dbcaeff, N},
    {0xb6b48cff, 0x000000ff, 0x807e62ff, U},
    {0x90c8f7ff, 0x000000ff, 0x658cadff, X},
    {0xdec5b9ff, 0x000000ff, 0xa7948bff, U},
    {0xd69ebbff, 0x000000ff, 0x966f83ff, D},
    {0x604000ff, 0xffffffff, 0x876f3fff, X},
    {0x005d85ff, 0xffffffff, 0x002f43ff, N},
    {0x36453eff, 0xffffffff, 0x111513ff, D},
    {0x322f04ff, 0xffffffff, 0x5b5836ff, N},
    {0x12334bff, 0xffffffff, 0x415b6fff, U},
    {0x9c5c3aff, 0xffffffff, 0x5e3823ff, X},
    {0x96236dff, 0xffffffff, 0x4b1237ff, U},
};
/* clang-format on */

struct grt_fill grt_theme_fill(const struct grt_theme *theme, uint32_t key) {
    uint32_t at = key % GRT_FILL_COLOURS, round = key / GRT_FILL_COLOURS;
    uint32_t first = theme->hatched ? palette[at].print : (uint32_t)GRT_HATCH_NONE;
    enum grt_hatch hatch = (enum grt_hatch)((first + round) % 4);
    return (struct grt_fill){palette[at].colour, palette[at].text, hatch,
                             hatch != GRT_HATCH_NONE ? palette[at].lines : 0};
}

/* ---- contrast ---- */

/* The part of light of one channel, 0 to 1, that a screen gives off for it (WCAG 2.1, relative luminance). */
static double light(uint32_t channel) {
    double part = channel / 255.0;
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(grt_colour colour) {
    return 0.2126 * light(colour >> 24) + 0.7152 * light(colour >> 16 & 0xff) +
           0.0722 * light(colour >> 8 & 0xff);
}

double grt_colour_contrast(grt_colour a, grt_colour b) {
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

grt_colour grt_colour_of_text_on(grt_colour colour) {
    return grt_colour_contrast(colour, BLACK) >= grt_colour_contrast(colour, WHITE) ? BLACK : WHITE;
}
