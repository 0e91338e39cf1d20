/* Level of detail: cuts a span of a track into pieces that a picture of so many pixels can show. Where slices are wide enough
 * each is a piece of its own; where they are not, a pixel's worth of them is one, which knows exactly how busy the pixel is,
 * which of its slices is the longest, and whether something ends in it that must never vanish. */
#ifndef GRT_VIZ_TIMELINE_LOD_H
#define GRT_VIZ_TIMELINE_LOD_H

#include "viz/timeline/track.h"

/* A span of time and the pixels that show it. */
struct grt_scale {
    grt_time from, to; /* to > from */
    uint32_t pixels;   /* at least 1 */
};

/* Where an instant is, in pixels from the left; it may lie outside. Exact to a fraction of a pixel at any length of time. */
double grt_scale_x(const struct grt_scale *scale, grt_time instant);

/* The first instant of a pixel; of `pixels`: the end of the span. */
grt_time grt_scale_time(const struct grt_scale *scale, uint32_t pixel);

/* The pixel of an instant of the span, but for its end: the last one whose first instant is not behind it. */
uint32_t grt_scale_pixel(const struct grt_scale *scale, grt_time instant);

/* A piece of a track: what it does in [from, to). Pieces of a track whose slices do not overlap, or of one that is dense, come
 * in the order of time and touch or leave idle time between them. */
struct grt_lod_piece {
    grt_time from, to;
    bool alone;          /* one slice, whole or as much of it as is in view; its lanes are its own */
    uint32_t pixel;      /* where it is not alone: the one that it is in, or part of it */
    grt_time pixel_time; /* what that pixel stands for */
    uint32_t slice;      /* that one, or one of the longest of those in it */
    uint16_t task;       /* of that slice */
    uint32_t count;      /* of slices that end in it, or for an instant */
    uint8_t flags;       /* of those that end in it */
    grt_wide busy;       /* weight times ns */
};

/* Tells the pieces of a track in a span, with what ends at its first instant. Pixels that hold many slices begin and end at
 * ticks of the track, up to a quarter of a pixel from where they do in the scale: what is told of a piece is exact for its
 * [from, to). */
void grt_lod_walk(const struct grt_track *track, const struct grt_scale *scale,
                  void (*tell)(void *state, const struct grt_lod_piece *piece), void *state);

#endif
