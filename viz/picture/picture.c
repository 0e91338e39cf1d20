/* The words of each kind, after the head:
 *   rect     colour, left, top, right, bottom
 *   hatch    colour, left, top, right, bottom, width, direction << 8 | pitch
 *   line     colour, width, dash, gap, points
 *   curve    the same
 *   polygon  colour, width, dash, gap, colour of the outline, points
 *   text     colour, x, y, size, anchor << 8 | font, bytes, the text, filled up with zeros
 *   clip     left, top, right, bottom
 *   group    bytes, the title, filled up with zeros */
#include "viz/picture/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/memory.h"
#include "viz/picture/text_utf8.h"

enum {
    HATCH_WORDS = 8,
    LINE_WORDS = 5,
    POLYGON_WORDS = 6,
    TEXT_WORDS = 7,
    CLIP_WORDS = 5,
    GROUP_WORDS = 2,
    FIRST_WORDS = 4096,
    WIDEST = 1000,
    MOST_DASHES = 20000
};

/* A NaN and what is negative is 0. */
static double length(double value) {
    return value > 0 ? (value < GRT_PICTURE_REACH ? value : GRT_PICTURE_REACH) : 0;
}

void grt_picture_begin(struct grt_picture *picture, double width, double height) {
    picture->count = 0;
    picture->depth = 0;
    picture->width = length(width);
    picture->height = length(height);
}

void grt_picture_free(struct grt_picture *picture) {
    free(picture->words);
    *picture = (struct grt_picture){0};
}

void grt_picture_grow(struct grt_picture *picture, uint32_t words) {
    GRT_REQUIRE(words <= UINT32_MAX / 2 - picture->count, "draw fewer shapes: the scene repeats itself");
    uint32_t needed = picture->count + words;
    if (picture->capacity == 0 && needed < GRT_FIRST_CAPACITY(FIRST_WORDS)) {
        needed = GRT_FIRST_CAPACITY(FIRST_WORDS);
    }
    picture->words = grt_array_grow(picture->words, &picture->capacity, needed, sizeof *picture->words);
}

/* The words of a new shape, with its head. */
static union grt_picture_word *append(struct grt_picture *picture, enum grt_shape_kind kind, uint32_t words) {
    if (picture->capacity - picture->count < words) {
        grt_picture_grow(picture, words);
    }
    union grt_picture_word *word = picture->words + picture->count;
    word[0].bits = grt_picture_head(kind, words);
    picture->count += words;
    return word;
}

static bool has_area(const struct grt_box *box) {
    return box->right > box->left && box->bottom > box->top;
}

static void put_box(union grt_picture_word *word, const struct grt_box *box) {
    word[0].number = grt_picture_reach(box->left);
    word[1].number = grt_picture_reach(box->top);
    word[2].number = grt_picture_reach(box->right);
    word[3].number = grt_picture_reach(box->bottom);
}

void grt_picture_hatch(struct grt_picture *picture, struct grt_box box, enum grt_hatch direction,
                       double pitch, double width, grt_colour colour) {
    if (!has_area(&box) || !(width > 0) || direction == GRT_HATCH_NONE) {
        return;
    }
    pitch = pitch > 2 ? (pitch < 255 ? floor(pitch + 0.5) : 255) : 2; /* NaN: 2 */
    union grt_picture_word *word = append(picture, GRT_SHAPE_HATCH, HATCH_WORDS);
    word[1].bits = colour;
    put_box(word + 2, &box);
    word[6].number = (float)(width < pitch ? width : pitch);
    word[7].bits = (uint32_t)direction << 8 | (uint32_t)pitch;
}

static bool all_numbers(const struct grt_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (isnan(points[i].x) || isnan(points[i].y)) {
            return false;
        }
    }
    return true;
}

static void put_points(union grt_picture_word *word, const struct grt_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        word[2 * i].number = grt_picture_reach(points[i].x);
        word[2 * i + 1].number = grt_picture_reach(points[i].y);
    }
}

static bool draws(const struct grt_pen *pen) {
    return pen->width > 0 && !isnan(pen->dash) && !isnan(pen->gap) && (pen->colour & 0xff) != 0;
}

/* Stores width, dash and gap. */
static void put_pen(union grt_picture_word *word, const struct grt_pen *pen, bool dashed) {
    word[0].number = (float)(pen->width < WIDEST ? pen->width : WIDEST);
    word[1].number = dashed ? grt_picture_reach(pen->dash) : 0;
    word[2].number = dashed ? grt_picture_reach(pen->gap) : 0;
}

/* Brings the end of a dashed line along an axis that is far outside nearer by whole periods: the dashes stay where they
 * are, and there are not a million of them. */
static void shorten(float *end, double other, double size, double period) {
    const double margin = 4096;
    double low = -margin, high = size + margin, value = *end;
    if (value < low && other > low) {
        *end = (float)(value + floor((low - value) / period) * period);
    } else if (value > high && other < high) {
        *end = (float)(value - floor((value - high) / period) * period);
    }
}

/* Whether so many points, stored behind each other, are to be dashed: no where dashes would be too short to see or too many
 * to paint. */
static bool is_dashed(const union grt_picture_word *points, size_t count, bool closed,
                      const struct grt_pen *pen) {
    if (!(pen->dash >= 0.1 && pen->gap >= 0.1)) {
        return false;
    }
    double length = 0;
    for (size_t i = closed ? 0 : 1; i < count; i++) {
        const union grt_picture_word *from = points + 2 * (i > 0 ? i - 1 : count - 1), *to = points + 2 * i;
        length += hypot((double)to[0].number - from[0].number, (double)to[1].number - from[1].number);
    }
    return length <= MOST_DASHES * (pen->dash + pen->gap);
}

static void shorten_dashed(const struct grt_picture *picture, union grt_picture_word *points,
                           const struct grt_pen *pen) {
    double period = pen->dash + pen->gap;
    if (points[0].number == points[2].number) {
        shorten(&points[1].number, points[3].number, picture->height, period);
        shorten(&points[3].number, points[1].number, picture->height, period);
    } else if (points[1].number == points[3].number) {
        shorten(&points[0].number, points[2].number, picture->width, period);
        shorten(&points[2].number, points[0].number, picture->width, period);
    }
}

static void append_line(struct grt_picture *picture, enum grt_shape_kind kind, const struct grt_point *points,
                        size_t count, const struct grt_pen *pen) {
    GRT_REQUIRE(count <= GRT_PICTURE_POINTS, "draw a long line in pieces");
    if (count < 2 || !draws(pen) || !all_numbers(points, count)) {
        return;
    }
    union grt_picture_word *word = append(picture, kind, LINE_WORDS + 2 * (uint32_t)count);
    word[1].bits = pen->colour;
    put_points(word + LINE_WORDS, points, count);
    if (count == 2 && pen->dash >= 0.1 && pen->gap >= 0.1) {
        shorten_dashed(picture, word + LINE_WORDS, pen);
    }
    put_pen(word + 2, pen, is_dashed(word + LINE_WORDS, count, false, pen));
}

void grt_picture_line(struct grt_picture *picture, const struct grt_point *points, size_t count,
                      const struct grt_pen *pen) {
    append_line(picture, GRT_SHAPE_LINE, points, count, pen);
}

void grt_picture_curve(struct grt_picture *picture, const struct grt_point points[4],
                       const struct grt_pen *pen) {
    append_line(picture, GRT_SHAPE_CURVE, points, 4, pen);
}

void grt_picture_polygon(struct grt_picture *picture, const struct grt_point *points, size_t count,
                         grt_colour fill, const struct grt_pen *outline) {
    static const struct grt_pen none = {.width = 0};
    GRT_REQUIRE(count <= GRT_PICTURE_POINTS, "draw a large polygon in pieces");
    outline = outline != NULL && draws(outline) ? outline : &none;
    bool shown = (fill & 0xff) != 0 || outline != &none;
    if (count < 3 || !shown || !all_numbers(points, count)) {
        return;
    }
    union grt_picture_word *word = append(picture, GRT_SHAPE_POLYGON, POLYGON_WORDS + 2 * (uint32_t)count);
    word[1].bits = fill;
    word[5].bits = outline->colour;
    put_points(word + POLYGON_WORDS, points, count);
    put_pen(word + 2, outline, is_dashed(word + POLYGON_WORDS, count, true, outline));
}

/* ---- text ---- */

/* Appends a shape that ends with a text: `before` words, the last of them the text's length in bytes. */
static union grt_picture_word *append_text(struct grt_picture *picture, enum grt_shape_kind kind,
                                           uint32_t before, const char *text, size_t bytes) {
    size_t most = bytes < GRT_PICTURE_TEXT ? 3 * bytes : 3 * GRT_PICTURE_TEXT; /* U+FFFD for each byte */
    most = most < GRT_PICTURE_TEXT ? most : GRT_PICTURE_TEXT;
    uint32_t room = before + (uint32_t)(most / sizeof(union grt_picture_word)) + 1;
    union grt_picture_word *word = append(picture, kind, room);
    char *copy = (char *)(word + before);
    uint32_t used = (uint32_t)grt_text_copy_shown(copy, GRT_PICTURE_TEXT, text, bytes);
    uint32_t words = (used + 3) / 4;
    memset(copy + used, 0, 4 * words - used);
    word[0].bits = grt_picture_head(kind, before + words);
    word[before - 1].bits = used;
    picture->count -= room - before - words;
    return word;
}

void grt_picture_text(struct grt_picture *picture, double x, double y, const struct grt_text_style *style,
                      const char *text, size_t bytes) {
    if (bytes == 0 || isnan(x) || isnan(y) || isnan(style->size) || (style->colour & 0xff) == 0) {
        return;
    }
    union grt_picture_word *word = append_text(picture, GRT_SHAPE_TEXT, TEXT_WORDS, text, bytes);
    double size = style->size < 1 ? 1 : style->size > 250 ? 250 : style->size;
    word[1].bits = style->colour;
    word[2].number = grt_picture_reach(x);
    word[3].number = grt_picture_reach(y);
    word[4].number = (float)size;
    word[5].bits = (uint32_t)style->anchor << 8 | (uint32_t)style->font;
}

/* ---- what nests ---- */

static void open_shape(struct grt_picture *picture, enum grt_shape_kind kind) {
    GRT_REQUIRE(picture->depth < GRT_PICTURE_DEPTH, "nest fewer clips and groups, or close them");
    picture->open[picture->depth++] = (uint8_t)kind;
}

static void close_shape(struct grt_picture *picture, enum grt_shape_kind kind, enum grt_shape_kind closing) {
    GRT_REQUIRE(picture->depth > 0 && picture->open[picture->depth - 1] == kind,
                "close clips and groups in the reverse order in which they were opened");
    picture->depth--;
    append(picture, closing, 1);
}

void grt_picture_clip(struct grt_picture *picture, struct grt_box box) {
    open_shape(picture, GRT_SHAPE_CLIP);
    if (!has_area(&box)) {
        box = (struct grt_box){0, 0, 0, 0}; /* nothing is painted */
    }
    put_box(append(picture, GRT_SHAPE_CLIP, CLIP_WORDS) + 1, &box);
}

void grt_picture_unclip(struct grt_picture *picture) {
    close_shape(picture, GRT_SHAPE_CLIP, GRT_SHAPE_UNCLIP);
}

void grt_picture_group(struct grt_picture *picture, const char *title, size_t bytes) {
    open_shape(picture, GRT_SHAPE_GROUP);
    append_text(picture, GRT_SHAPE_GROUP, GROUP_WORDS, title, bytes);
}

void grt_picture_ungroup(struct grt_picture *picture) {
    close_shape(picture, GRT_SHAPE_GROUP, GRT_SHAPE_UNGROUP);
}

/* ---- reading ---- */

static void read_box(struct grt_shape *shape, const union grt_picture_word *word) {
    shape->left = word[0].number;
    shape->top = word[1].number;
    shape->right = word[2].number;
    shape->bottom = word[3].number;
}

static void read_line(struct grt_shape *shape, const union grt_picture_word *word, uint32_t words,
                      uint32_t before) {
    shape->colour = word[1].bits;
    shape->width = word[2].number;
    shape->dash = word[3].number;
    shape->gap = word[4].number;
    shape->points = word + before;
    shape->point_count = (words - before) / 2;
}

static void read_text(struct grt_shape *shape, const union grt_picture_word *word) {
    shape->colour = word[1].bits;
    shape->x = word[2].number;
    shape->y = word[3].number;
    shape->size = word[4].number;
    shape->anchor = (enum grt_anchor)(word[5].bits >> 8);
    shape->font = (enum grt_font)(word[5].bits & 0xff);
    shape->bytes = word[6].bits;
    shape->text = (const char *)(word + TEXT_WORDS);
}

static void read_hatch(struct grt_shape *shape, const union grt_picture_word *word) {
    shape->colour = word[1].bits;
    read_box(shape, word + 2);
    shape->width = word[6].number;
    shape->direction = (enum grt_hatch)(word[7].bits >> 8);
    shape->pitch = (int)(word[7].bits & 0xff);
}

bool grt_picture_next(const struct grt_picture *picture, uint32_t *at, struct grt_shape *shape) {
    if (*at >= picture->count) {
        return false;
    }
    const union grt_picture_word *word = picture->words + *at;
    uint32_t words = word[0].bits >> 8;
    *at += words;
    *shape = (struct grt_shape){.kind = (enum grt_shape_kind)(word[0].bits & 0xff)};
    switch (shape->kind) {
    case GRT_SHAPE_RECT:
        shape->colour = word[1].bits;
        read_box(shape, word + 2);
        break;
    case GRT_SHAPE_HATCH:
        read_hatch(shape, word);
        break;
    case GRT_SHAPE_LINE:
    case GRT_SHAPE_CURVE:
        read_line(shape, word, words, LINE_WORDS);
        break;
    case GRT_SHAPE_POLYGON:
        read_line(shape, word, words, POLYGON_WORDS);
        shape->outline = shape->width > 0 ? word[5].bits : 0;
        break;
    case GRT_SHAPE_TEXT:
        read_text(shape, word);
        break;
    case GRT_SHAPE_CLIP:
        read_box(shape, word + 1);
        break;
    case GRT_SHAPE_GROUP:
        shape->bytes = word[1].bits;
        shape->text = (const char *)(word + GROUP_WORDS);
        break;
    case GRT_SHAPE_UNCLIP:
    case GRT_SHAPE_UNGROUP:
        break;
    }
    return true;
}

uint64_t grt_picture_hash(const struct grt_picture *picture) {
    uint64_t hash = grt_hash_add(grt_hash_add(0, picture->count), (uint64_t)llround(picture->width * 64));
    hash = grt_hash_add(hash, (uint64_t)llround(picture->height * 64));
    for (uint32_t i = 0; i < picture->count; i++) {
        hash = grt_hash_add(hash, picture->words[i].bits);
    }
    return hash;
}
