#include "viz/picture/paint_glyph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"
#include "sim/memory.h"
#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"

/* Places within a pixel; steps of sizes, a quarter of a pixel; largest size; bytes of masks at which the cache begins anew. */
enum { PLACES = 4, SIZE_STEPS = 4, LARGEST = 2048, FULL = 8 << 20, FIRST_SLOTS = 512 };

struct glyph {
    uint64_t key; /* 0: the slot is free */
    uint32_t mask;
    int16_t left, top;
    uint16_t width, height;
};

struct grt_glyph_cache {
    const struct grt_fonts *fonts;
    struct glyph *slots; /* a hash table, at most half full */
    uint32_t slot_count, used;
    uint8_t *masks;
    uint32_t mask_bytes, mask_capacity;
    cairo_scaled_font_t *scaled; /* the last one, and its font and size */
    uint64_t scaled_key;
};

struct grt_glyph_cache *grt_glyph_cache_create(const struct grt_fonts *fonts) {
    struct grt_glyph_cache *cache = grt_allocate(sizeof *cache);
    *cache = (struct grt_glyph_cache){.fonts = fonts, .slot_count = FIRST_SLOTS};
    cache->slots = grt_allocate(FIRST_SLOTS * sizeof *cache->slots);
    memset(cache->slots, 0, FIRST_SLOTS * sizeof *cache->slots);
    return cache;
}

void grt_glyph_cache_free(struct grt_glyph_cache *cache) {
    cairo_scaled_font_destroy(cache->scaled);
    free(cache->slots);
    free(cache->masks);
    free(cache);
}

/* The slot of a key, or the free one where it belongs. */
static struct glyph *slot_of(const struct grt_glyph_cache *cache, uint64_t key) {
    uint32_t at = (uint32_t)grt_hash_mix(key) & (cache->slot_count - 1);
    while (cache->slots[at].key != key && cache->slots[at].key != 0) {
        at = (at + 1) & (cache->slot_count - 1);
    }
    return &cache->slots[at];
}

static void double_slots(struct grt_glyph_cache *cache) {
    struct glyph *old = cache->slots;
    uint32_t old_count = cache->slot_count;
    cache->slot_count *= 2;
    cache->slots = grt_allocate(cache->slot_count * sizeof *cache->slots);
    memset(cache->slots, 0, cache->slot_count * sizeof *cache->slots);
    for (uint32_t i = 0; i < old_count; i++) {
        if (old[i].key != 0) {
            *slot_of(cache, old[i].key) = old[i];
        }
    }
    free(old);
}

static void make_room(struct grt_glyph_cache *cache) {
    if (cache->mask_bytes > FULL) {
        memset(cache->slots, 0, cache->slot_count * sizeof *cache->slots);
        cache->used = 0;
        cache->mask_bytes = 0;
    } else if (2 * (cache->used + 1) > cache->slot_count) {
        double_slots(cache);
    }
}

static void use_font(struct grt_glyph_cache *cache, enum grt_font font, uint32_t steps) {
    uint64_t key = (uint64_t)steps << 2 | (uint64_t)font;
    if (cache->scaled == NULL || cache->scaled_key != key) {
        cairo_scaled_font_destroy(cache->scaled);
        cache->scaled =
            grt_fonts_at_size(cache->fonts, font, (double)steps / SIZE_STEPS, cache->fonts->on_screen);
        cache->scaled_key = key;
    }
}

/* Draws the glyph into a new mask; the glyph's box is set. */
static void draw(struct grt_glyph_cache *cache, struct glyph *glyph, unsigned long index, double place) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, glyph->width, glyph->height);
    cairo_t *cairo = cairo_create(surface);
    cairo_glyph_t shown = {.index = index, .x = place - glyph->left, .y = -glyph->top};
    cairo_set_scaled_font(cairo, cache->scaled);
    cairo_glyph_path(cairo, &shown, 1);
    cairo_fill(cairo);
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    uint32_t bytes = (uint32_t)glyph->width * glyph->height;
    if (cache->mask_capacity - cache->mask_bytes < bytes) {
        cache->masks = grt_array_grow(cache->masks, &cache->mask_capacity, cache->mask_bytes + bytes, 1);
    }
    const unsigned char *rows = cairo_image_surface_get_data(surface);
    for (int y = 0; y < glyph->height && rows != NULL; y++) {
        memcpy(cache->masks + cache->mask_bytes + y * glyph->width,
               rows + y * cairo_image_surface_get_stride(surface), glyph->width);
    }
    glyph->mask = cache->mask_bytes;
    cache->mask_bytes += bytes;
    cairo_surface_destroy(surface);
}

/* The glyph's pixels, one more on each side than the font says, because hinting moves edges. */
static void measure(struct glyph *glyph, const cairo_text_extents_t *extents, double place) {
    double left = floor(extents->x_bearing + place) - 1, top = floor(extents->y_bearing) - 1;
    double right = ceil(extents->x_bearing + extents->width + place) + 1;
    double bottom = ceil(extents->y_bearing + extents->height) + 1;
    bool sane = left > -4 * LARGEST && top > -4 * LARGEST && right < 4 * LARGEST && bottom < 4 * LARGEST;
    if (!sane || !(extents->width > 0 && extents->height > 0)) {
        return; /* a blank, or a font that lies */
    }
    glyph->left = (int16_t)left;
    glyph->top = (int16_t)top;
    glyph->width = (uint16_t)(right - left);
    glyph->height = (uint16_t)(bottom - top);
}

static const struct glyph *make(struct grt_glyph_cache *cache, uint64_t key, enum grt_font font,
                                uint32_t point, uint32_t steps, uint32_t place) {
    make_room(cache);
    use_font(cache, font, steps);
    struct glyph glyph = {.key = key};
    cairo_glyph_t shown = {.index = grt_font_glyph(cache->scaled, point)};
    bool mark = grt_text_is_mark(point);
    if (shown.index != 0 || !mark) { /* a mark that the font lacks is not an empty box */
        cairo_text_extents_t extents = {0};
        cairo_scaled_font_glyph_extents(cache->scaled, &shown, 1, &extents);
        double x = (double)place / PLACES;
        if (mark && font == GRT_FONT_MONO) { /* its marks stand in a cell of their own */
            x -= (double)steps / SIZE_STEPS * GRT_TEXT_MONO / GRT_TEXT_EM;
        }
        measure(&glyph, &extents, x);
        if (glyph.width > 0) {
            draw(cache, &glyph, shown.index, x);
        }
    }
    struct glyph *slot = slot_of(cache, key);
    *slot = glyph;
    cache->used++;
    return slot;
}

static const struct glyph *find(struct grt_glyph_cache *cache, enum grt_font font, uint32_t point,
                                uint32_t steps, uint32_t place) {
    uint64_t key =
        (uint64_t)steps << 32 | (uint64_t)point << 8 | (uint64_t)place << 4 | (uint64_t)font << 1 | 1;
    const struct glyph *slot = slot_of(cache, key);
    return slot->key == key ? slot : make(cache, key, font, point, steps, place);
}

void grt_glyph_cache_paint(struct grt_glyph_cache *cache, const struct grt_pixels *pixels,
                           struct grt_pixel_box box, const struct grt_shape *text, double scale) {
    double size = text->size * scale;
    uint32_t steps = (uint32_t)((size < LARGEST ? size : LARGEST) * SIZE_STEPS + 0.5);
    steps = steps > SIZE_STEPS ? steps : SIZE_STEPS;
    double width = grt_text_width(text->font, size, text->text, text->bytes);
    double shift = text->anchor == GRT_ANCHOR_START ? 0 : text->anchor == GRT_ANCHOR_END ? 1 : 0.5;
    double start = text->x * scale - shift * width;
    double y = floor(text->y * scale + 0.5);
    bool inside = start < box.right + size && start + width > box.left - size && y > box.top - 2 * size &&
                  y < box.bottom + 2 * size;
    if (!inside || box.right <= box.left || box.bottom <= box.top) {
        return;
    }
    int64_t units = 0;
    for (size_t at = 0; at < text->bytes;) {
        uint32_t point = grt_text_next(text->text, text->bytes, &at);
        double x = start + (double)units * size / GRT_TEXT_EM;
        units += grt_text_advance(text->font, point);
        if (x < box.left - 2 * size || x > box.right + 2 * size || point == ' ') {
            continue;
        }
        double whole = floor(x * PLACES + 0.5);
        int quarter = (int)(whole - PLACES * floor(whole / PLACES));
        const struct glyph *glyph = find(cache, text->font, point, steps, (uint32_t)quarter);
        struct grt_mask mask = {cache->masks + glyph->mask, glyph->width, glyph->height};
        grt_pixels_stamp(pixels, box, (int)floor(whole / PLACES) + glyph->left, (int)y + glyph->top, &mask,
                         text->colour);
    }
}
