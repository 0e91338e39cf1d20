/* Colours: three themes, each with a colour for every role, and fills for any number of keys (a key is what the user colours
 * by: a task, a stream, a kernel).
 *
 * The first seven fills are the colours of Okabe and Ito ("Color Universal Design", 2008); then the same hues at a lighter
 * and at a darker level, which a search chose so that the 21 lie far apart in normal and in colour-deficient vision; then
 * the 21 again with hatches. On top of the print theme's fills hatches tell apart what is equally bright, so that a grey copy
 * can be read. Text on a fill is black or white, whichever is clearer. No state may be told by colour alone. */
#ifndef GRT_VIZ_SCENE_THEME_H
#define GRT_VIZ_SCENE_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "viz/picture/picture.h"

enum grt_role {
    GRT_ROLE_BACKGROUND,
    GRT_ROLE_BAND,       /* every other row */
    GRT_ROLE_PANEL,      /* behind lists, headers, axes */
    GRT_ROLE_PANEL_EDGE, /* between panels */
    GRT_ROLE_GRID,
    GRT_ROLE_GRID_STRONG, /* lines with a number */
    GRT_ROLE_AXIS_TEXT,
    GRT_ROLE_ROW_LABEL,
    GRT_ROLE_MUTED_TEXT, /* what may be overlooked */
    GRT_ROLE_IDLE,       /* a resource that does nothing */
    GRT_ROLE_SUSPENDED,  /* lines of the hatch */
    GRT_ROLE_BLOCKED,    /* lines of the hatch, and text beside */
    GRT_ROLE_EDGE,       /* of bars; translucent */
    GRT_ROLE_RELEASE,
    GRT_ROLE_DEADLINE,
    GRT_ROLE_COMPLETION,
    GRT_ROLE_MISS,      /* always with a filled shape */
    GRT_ROLE_MISS_EDGE, /* its outline */
    GRT_ROLE_WARNING,
    GRT_ROLE_DIFFERENCE, /* between two traces */
    GRT_ROLE_SELECTION,  /* translucent */
    GRT_ROLE_SELECTION_EDGE,
    GRT_ROLE_HOVER, /* frame around what is pointed at */
    GRT_ROLE_FOCUS, /* frame around what has the keyboard */
    GRT_ROLE_ARROW,
    GRT_ROLE_ARROW_FOCUS,
    GRT_ROLE_VEIL,  /* translucent, over what a filter leaves out */
    GRT_ROLE_MATCH, /* behind what a search found */
    GRT_ROLE_BUTTON,
    GRT_ROLE_BUTTON_TEXT,
    GRT_ROLE_TOOLTIP,
    GRT_ROLE_TOOLTIP_TEXT,
    GRT_ROLE_OVERHEAD, /* of cores: context switches and wake-ups */
    GRT_ROLE_BOOSTED,  /* the line above a job that has another priority than its task's */
    GRT_ROLES
};

enum grt_theme_kind { GRT_THEME_LIGHT, GRT_THEME_DARK, GRT_THEME_PRINT, GRT_THEMES };

struct grt_theme {
    const char *name;
    bool hatched; /* fills have hatches from the first key on */
    grt_colour roles[GRT_ROLES];
};

extern const struct grt_theme grt_themes[GRT_THEMES];

/* By name, "light", "dark" or "print"; NULL for any other. */
const struct grt_theme *grt_theme_find(const char *name);

/* Colours before hatches begin; fills before they repeat. */
enum { GRT_FILL_COLOURS = 21, GRT_FILLS = 4 * GRT_FILL_COLOURS };

struct grt_fill {
    grt_colour colour;
    grt_colour text;         /* on it */
    enum grt_hatch hatch;    /* over it */
    grt_colour hatch_colour; /* 0 without a hatch */
};

struct grt_fill grt_theme_fill(const struct grt_theme *theme, uint32_t key);

/* The contrast of two opaque colours, 1 to 21 (WCAG 2.1). */
double grt_colour_contrast(grt_colour a, grt_colour b);

/* Black or white, whichever is clearer on the colour: a contrast of at least 4.5. */
grt_colour grt_colour_of_text_on(grt_colour colour);

#endif
