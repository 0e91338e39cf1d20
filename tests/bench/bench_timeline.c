/* The timeline of ten million blocks: its building, its memory, and frames of it at three zooms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/block_maker.h"
#include "viz/picture/paint.h"
#include "viz/scene/scene.h"

enum { SMS = BLOCK_MAKER_SMS, BLOCKS = 10000000, LOT = 8192, FRAMES = 101, WIDTH = 1600, HEIGHT = 900 };

static void make_records(struct grt_trace_record *records) {
    struct block_maker maker;
    block_maker_start(&maker);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        records[i] = block_maker_next(&maker);
    }
    block_maker_free(&maker);
}

struct building {
    const struct grt_trace_record *records;
    struct grt_timeline timeline;
    struct grt_trace_record *copy;
};

static uint64_t build(void *state) {
    struct building *building = state;
    size_t name_count;
    const struct grt_trace_name *names = block_maker_names(&name_count);
    grt_timeline_free(&building->timeline);
    grt_timeline_sink.names(&building->timeline, names, name_count);
    for (uint32_t i = 0; i < BLOCKS; i += LOT) {
        uint32_t count = BLOCKS - i < LOT ? BLOCKS - i : LOT;
        grt_timeline_sink.write(&building->timeline, building->records + i, count);
    }
    grt_timeline_sink.end(&building->timeline);
    return BLOCKS;
}

/* The least that must be done: to read every record and write it once. */
static uint64_t copy_records(void *state) {
    struct building *building = state;
    memcpy(building->copy, building->records, (size_t)BLOCKS * sizeof *building->copy);
    bench_use(building->copy[BLOCKS / 2].job);
    return BLOCKS;
}

static double bytes_per_slice(const struct grt_timeline *timeline) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        bytes += grt_track_bytes(&timeline->tracks[i]);
    }
    return (double)bytes / BLOCKS;
}

/* ---- frames ---- */

struct frames {
    const struct grt_timeline *timeline;
    struct grt_picture picture;
    struct grt_painter *painter;
    uint32_t *pixels;
    double seconds[FRAMES];
};

static void draw_frame(struct frames *frames, grt_time from, grt_time to) {
    struct grt_view_row rows[SMS]; /* the tasks before them have nothing but blocks */
    for (uint32_t i = 0; i < SMS; i++) {
        rows[i] = (struct grt_view_row){.timeline = frames->timeline,
                                        .row = frames->timeline->first_rows[GRT_ROW_SM] + i};
    }
    struct grt_view view = {.timeline = frames->timeline,
                            .theme = grt_theme_find("dark"),
                            .from = from,
                            .to = to,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .text_size = 5.7, /* so that all 64 rows are in the picture */
                            .rows = rows,
                            .row_count = SMS};
    struct grt_frame frame = {frames->pixels, WIDTH, HEIGHT, 4 * WIDTH, 1};
    grt_scene_draw(&view, &frames->picture);
    grt_painter_paint(frames->painter, &frame, view.theme->roles[GRT_ROLE_BACKGROUND], &frames->picture);
    bench_use(frames->pixels[WIDTH * 100 + 100]);
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The frames of a pan over the whole timeline with one part in `zoom` of it in view; sorted. */
static void draw_frames(struct frames *frames, int zoom) {
    grt_time end = frames->timeline->end, span = end / zoom;
    for (int i = -1; i < FRAMES; i++) { /* the first one warms up */
        grt_time from = (end - span) / FRAMES * (i < 0 ? 0 : i) + (zoom == 1 ? i + 1 : 0);
        double before = bench_cpu_seconds();
        draw_frame(frames, from, from + span);
        frames->seconds[i < 0 ? 0 : i] = bench_cpu_seconds() - before;
    }
    qsort(frames->seconds, FRAMES, sizeof frames->seconds[0], by_size);
}

/* The least that a frame needs: its pixels are stored once. */
static uint64_t clear_frame(void *state) {
    const struct frames *frames = state;
    memset(frames->pixels, 0x33, sizeof *frames->pixels * WIDTH * HEIGHT);
    bench_use(frames->pixels[WIDTH * 100 + 100]);
    return 1;
}

static void report_frames(struct frames *frames, int zoom, const char *name, const char *target) {
    char text[80];
    draw_frames(frames, zoom);
    snprintf(text, sizeof text, "%s, p99 of %d", name, FRAMES);
    bench_report(text, frames->seconds[FRAMES - 2] * 1e9, "its pixels stored once",
                 bench_ns_per_unit(clear_frame, frames, 5), target);
}

void bench_timeline(void) {
    struct grt_trace_record *records = grt_allocate((size_t)BLOCKS * sizeof *records);
    struct building building = {.records = records, .copy = grt_allocate((size_t)BLOCKS * sizeof *records)};
    make_records(records);
    bench_report("timeline of 10,000,000 blocks, per block", bench_ns_per_unit(build, &building, 1),
                 "its records copied once", bench_ns_per_unit(copy_records, &building, 3),
                 "target <= 200 ns");
    bench_report("its memory, bytes per block", bytes_per_slice(&building.timeline), "a record of the trace",
                 32, "target <= 32 bytes");
    free(building.copy);
    free(records);
    struct frames frames = {.timeline = &building.timeline,
                            .painter = grt_painter_create(),
                            .pixels = grt_allocate(sizeof *frames.pixels * WIDTH * HEIGHT)};
    report_frames(&frames, 1, "a frame of all, 64 SMs, 1600x900", "target <= 16 ms");
    report_frames(&frames, 100, "a frame of one hundredth", "target <= 16 ms");
    report_frames(&frames, 100000, "a frame of 100 blocks a row", "target <= 2 ms");
    grt_painter_free(frames.painter);
    grt_picture_free(&frames.picture);
    free(frames.pixels);
    grt_timeline_free(&building.timeline);
}
