/* A picture as a list of shapes, in the order in which they are painted. Scenes fill it; the painters (viz/picture/paint.h for the
 * window, PNG and PDF, viz/picture/svg.h) show it. The same list gives the same picture everywhere. It knows nothing of traces.
 *
 * Coordinates are pixels of the picture from its upper left corner, x to the right and y down, kept as floats. Those beyond
 * GRT_PICTURE_REACH are moved to it, which is far outside of every picture and does not change a horizontal or vertical edge;
 * a slanted line that long is to be cut by the scene. A shape with a NaN, and one without an area or length, is left out. A
 * painter for pixels snaps rectangles to whole pixels by rounding their edges, so that neighbours share an edge and never
 * overlap or leave a gap; a rectangle within half a pixel may vanish: the scene says how wide the narrowest one is.
 *
 * A list keeps its memory from picture to picture: once grown, nothing is allocated. */
#ifndef GRT_VIZ_PICTURE_PICTURE_H
#define GRT_VIZ_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0xRRGGBBAA. */
typedef uint32_t grt_colour;

enum grt_anchor { GRT_ANCHOR_START, GRT_ANCHOR_MIDDLE, GRT_ANCHOR_END };

enum grt_font { GRT_FONT_PLAIN, GRT_FONT_BOLD, GRT_FONT_MONO, GRT_FONTS };

struct grt_point {
    double x, y;
};

/* A rectangle by its edges. */
struct grt_box {
    double left, top, right, bottom;
};

#define GRT_PICTURE_REACH 1e6
/* How deep clips and groups nest; longest text of one shape in bytes (longer ones are cut); most points of one shape. */
enum { GRT_PICTURE_DEPTH = 32, GRT_PICTURE_TEXT = 4096, GRT_PICTURE_POINTS = 65536 };
/* What a user may ask for: pixels per em of the text; and the printed width in mm unless told, two columns of a paper. */
enum { GRT_PICTURE_LEAST_TEXT = 4, GRT_PICTURE_MOST_TEXT = 60, GRT_PICTURE_PAPER_MM = 181 };

/* ---- making one ---- */

union grt_picture_word {
    uint32_t bits;
    float number;
};

/* Shapes as words: kind and number of words in the first one, then what picture.c says. An empty list is {0}; free it with
 * grt_picture_free. */
struct grt_picture {
    union grt_picture_word *words;
    uint32_t count, capacity;
    double width, height; /* pixels */
    uint32_t depth;       /* clips and groups that are open */
    uint8_t open[GRT_PICTURE_DEPTH];
};

/* Begins a new picture of that size: forgets the shapes, keeps the memory. */
void grt_picture_begin(struct grt_picture *picture, double width, double height);
void grt_picture_free(struct grt_picture *picture);

/* A filled rectangle. 24 bytes; a frame has up to some 100,000 of them, hence inline. */
static inline void grt_picture_rect(struct grt_picture *picture, double left, double top, double right,
                                    double bottom, grt_colour colour);

/* How a line is drawn: at most 1000 pixels wide. Dashes where `dash` and `gap` are at least 0.1: so long, then so many pixels
 * nothing; but a line of more than 20000 dashes is solid. */
struct grt_pen {
    grt_colour colour;
    double width;
    double dash, gap;
};

enum grt_hatch {
    GRT_HATCH_NONE,
    GRT_HATCH_UP,    /* lines like / */
    GRT_HATCH_DOWN,  /* lines like \ */
    GRT_HATCH_CROSS, /* both */
};

/* Diagonal lines inside a rectangle, nothing between them; every `pitch` pixels along x (rounded to a whole number, 2 to
 * 255) and `width` (below the pitch) thick. Lines of different rectangles continue each other. */
void grt_picture_hatch(struct grt_picture *picture, struct grt_box box, enum grt_hatch direction,
                       double pitch, double width, grt_colour colour);

/* Joined straight lines. */
void grt_picture_line(struct grt_picture *picture, const struct grt_point *points, size_t count,
                      const struct grt_pen *pen);

/* A closed polygon, filled (even where its edges cross); `outline` may be NULL. A fill of 0 is none. */
void grt_picture_polygon(struct grt_picture *picture, const struct grt_point *points, size_t count,
                         grt_colour fill, const struct grt_pen *outline);

/* A cubic Bezier curve from points[0] to points[3]. */
void grt_picture_curve(struct grt_picture *picture, const struct grt_point points[4],
                       const struct grt_pen *pen);

/* How a text looks; `size` in pixels per em, 1 to 250 (kept within). */
struct grt_text_style {
    grt_colour colour;
    enum grt_font font;
    enum grt_anchor anchor;
    double size;
};

/* A line of UTF-8, which is copied; its baseline is at y. What is no UTF-8 or cannot be shown becomes U+FFFD. */
void grt_picture_text(struct grt_picture *picture, double x, double y, const struct grt_text_style *style,
                      const char *text, size_t bytes);

/* From here to the matching grt_picture_unclip only what lies in the box is painted, and in the boxes around it. */
void grt_picture_clip(struct grt_picture *picture, struct grt_box box);
void grt_picture_unclip(struct grt_picture *picture);

/* From here to the matching grt_picture_ungroup: one thing with a name, which SVG shows as its tooltip. */
void grt_picture_group(struct grt_picture *picture, const char *title, size_t bytes);
void grt_picture_ungroup(struct grt_picture *picture);

/* A hash of the size and all shapes, equal on every machine, for tests. */
uint64_t grt_picture_hash(const struct grt_picture *picture);

/* ---- reading one ---- */

enum grt_shape_kind {
    GRT_SHAPE_RECT,
    GRT_SHAPE_HATCH,
    GRT_SHAPE_LINE,
    GRT_SHAPE_POLYGON,
    GRT_SHAPE_CURVE,
    GRT_SHAPE_TEXT,
    GRT_SHAPE_CLIP,
    GRT_SHAPE_UNCLIP,
    GRT_SHAPE_GROUP,
    GRT_SHAPE_UNGROUP,
};

/* A shape as the painters see it; what its kind does not have is 0. */
struct grt_shape {
    enum grt_shape_kind kind;
    grt_colour colour;                    /* of the fill, the line or the text; 0 for none */
    grt_colour outline;                   /* polygon; 0 for none */
    float left, top, right, bottom;       /* rect, hatch, clip */
    float width, dash, gap;               /* line, polygon, curve; hatch: width */
    enum grt_hatch direction;             /* hatch */
    int pitch;                            /* hatch */
    const union grt_picture_word *points; /* line, polygon, curve: x, y, x, y ... */
    uint32_t point_count;
    const char *text; /* text, group */
    uint32_t bytes;
    float x, y, size; /* text */
    enum grt_font font;
    enum grt_anchor anchor;
};

/* Stores the shape at *at, which begins at 0, and moves on; false at the end. */
bool grt_picture_next(const struct grt_picture *picture, uint32_t *at, struct grt_shape *shape);

/* ---- inside ---- */

enum { GRT_RECT_WORDS = 6 };

/* Room for so many more words. */
void grt_picture_grow(struct grt_picture *picture, uint32_t words);

static inline float grt_picture_reach(double value) {
    value = value < GRT_PICTURE_REACH ? value : GRT_PICTURE_REACH;
    return (float)(value > -GRT_PICTURE_REACH ? value : -GRT_PICTURE_REACH);
}

static inline uint32_t grt_picture_head(enum grt_shape_kind kind, uint32_t words) {
    return words << 8 | (uint32_t)kind;
}

static inline void grt_picture_rect(struct grt_picture *picture, double left, double top, double right,
                                    double bottom, grt_colour colour) {
    if (!(right > left && bottom > top)) { /* NaN too */
        return;
    }
    if (picture->capacity - picture->count < GRT_RECT_WORDS) {
        grt_picture_grow(picture, GRT_RECT_WORDS);
    }
    union grt_picture_word *word = picture->words + picture->count;
    word[0].bits = grt_picture_head(GRT_SHAPE_RECT, GRT_RECT_WORDS);
    word[1].bits = colour;
    word[2].number = grt_picture_reach(left);
    word[3].number = grt_picture_reach(top);
    word[4].number = grt_picture_reach(right);
    word[5].number = grt_picture_reach(bottom);
    picture->count += GRT_RECT_WORDS;
}

#endif
