/* Timelines of 10 and of 50 million blocks: their building, their memory, and frames of them at many zooms. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/block_maker.h"
#include "viz/picture/paint.h"
#include "viz/scene/scene.h"

enum { MOST_SMS = BLOCK_MAKER_MOST_SMS, LOT = 8192, FRAMES = 101, MOST_PIXELS = 3840 * 2160 };

struct building {
    const struct grt_trace_record *records;
    struct grt_trace_record *copy;
    uint32_t sms, blocks;
    struct grt_timeline timeline;
};

static void tell_names(struct grt_timeline *timeline, uint32_t sms) {
    size_t count;
    const struct grt_trace_name *names = block_maker_names(sms, &count);
    grt_timeline_sink.names(timeline, names, count);
}

static void make_records(const struct building *building, struct grt_trace_record *records) {
    struct block_maker maker;
    block_maker_start(&maker, building->sms);
    for (uint32_t i = 0; i < building->blocks; i++) {
        records[i] = block_maker_next(&maker);
    }
    block_maker_free(&maker);
}

static uint64_t build(void *state) {
    struct building *building = state;
    grt_timeline_free(&building->timeline);
    tell_names(&building->timeline, building->sms);
    for (uint32_t i = 0; i < building->blocks; i += LOT) {
        uint32_t count = building->blocks - i < LOT ? building->blocks - i : LOT;
        grt_timeline_sink.write(&building->timeline, building->records + i, count);
    }
    grt_timeline_sink.end(&building->timeline);
    return building->blocks;
}

/* A block of each SM at the end of eight times the time so far. */
static void tell_late_blocks(struct grt_timeline *timeline, uint32_t sms) {
    grt_time end = 8 * timeline->end;
    for (uint32_t i = 0; i < sms; i++) {
        struct grt_trace_record record = {
            .time = end, .other = end - 10000, .row = i, .kind = GRT_TRACE_BLOCK};
        grt_timeline_sink.write(timeline, &record, 1);
    }
}

/* The same, while the records are made; `early`: all but some in the first eighth of the time. */
static void build_unmeasured(struct building *building, bool early) {
    struct block_maker maker;
    block_maker_start(&maker, building->sms);
    tell_names(&building->timeline, building->sms);
    for (uint32_t i = 0; i < building->blocks; i++) {
        struct grt_trace_record record = block_maker_next(&maker);
        grt_timeline_sink.write(&building->timeline, &record, 1);
    }
    if (early) {
        tell_late_blocks(&building->timeline, building->sms);
    }
    grt_timeline_sink.end(&building->timeline);
    block_maker_free(&maker);
}

/* The least that must be done: to read every record and write it once. */
static uint64_t copy_records(void *state) {
    struct building *building = state;
    memcpy(building->copy, building->records, (size_t)building->blocks * sizeof *building->copy);
    bench_use(building->copy[building->blocks / 2].job);
    return building->blocks;
}

static double bytes_per_slice(const struct building *building) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < building->timeline.track_count; i++) {
        bytes += grt_track_bytes(&building->timeline.tracks[i]);
    }
    return (double)bytes / building->blocks;
}

/* ---- frames ---- */

struct frames {
    const struct grt_timeline *timeline;
    grt_time end; /* of what is shown */
    int width, height;
    double text_size; /* so that all rows are in the picture */
    struct grt_picture picture;
    struct grt_painter *painter;
    uint32_t *pixels;
    double seconds[FRAMES];
};

static void draw_frame(struct frames *frames, grt_time from, grt_time to) {
    const uint32_t *first_rows = frames->timeline->first_rows;
    uint32_t sms = first_rows[GRT_ROW_SM + 1] - first_rows[GRT_ROW_SM];
    struct grt_view_row rows[MOST_SMS]; /* the tasks before them have nothing but blocks */
    for (uint32_t i = 0; i < sms; i++) {
        rows[i] = (struct grt_view_row){.timeline = frames->timeline, .row = first_rows[GRT_ROW_SM] + i};
    }
    struct grt_view view = {.timeline = frames->timeline,
                            .theme = grt_theme_find("dark"),
                            .from = from,
                            .to = to,
                            .width = frames->width,
                            .height = frames->height,
                            .text_size = frames->text_size,
                            .rows = rows,
                            .row_count = sms};
    struct grt_frame frame = {frames->pixels, frames->width, frames->height, 4 * (size_t)frames->width, 1};
    grt_scene_draw(&view, &frames->picture);
    grt_painter_paint(frames->painter, &frame, view.theme->roles[GRT_ROLE_BACKGROUND], &frames->picture);
    bench_use(frames->pixels[frames->width * 100 + 100]);
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* What is in view: the i-th frame of a pan over the whole timeline with one part in `zoom` of it in view, or of a zoom that
 * goes down to that part in its middle. */
static void view_of(const struct frames *frames, double zoom, bool zooming, int i, grt_time *from,
                    grt_time *to) {
    grt_time end = frames->end;
    grt_time span = (grt_time)((double)end / (zooming ? pow(zoom, i / (FRAMES - 1.0)) : zoom));
    *from = zooming ? (end - span) / 2 : (end - span) / FRAMES * i + (span == end ? i : 0);
    *to = *from + span;
}

static void draw_frames(struct frames *frames, double zoom, bool zooming) {
    for (int i = -1; i < FRAMES; i++) { /* the first one warms up */
        grt_time from, to;
        view_of(frames, zoom, zooming, i < 0 ? 0 : i, &from, &to);
        double before = bench_cpu_seconds();
        draw_frame(frames, from, to);
        frames->seconds[i < 0 ? 0 : i] = bench_cpu_seconds() - before;
    }
    qsort(frames->seconds, FRAMES, sizeof frames->seconds[0], by_size);
}

/* The least that a frame needs: its pixels are stored once. */
static uint64_t clear_frame(void *state) {
    const struct frames *frames = state;
    memset(frames->pixels, 0x33, sizeof *frames->pixels * (size_t)(frames->width * frames->height));
    bench_use(frames->pixels[frames->width * 100 + 100]);
    return 1;
}

static void report_frames(struct frames *frames, double zoom, bool zooming, const char *name,
                          const char *target) {
    char text[80];
    draw_frames(frames, zoom, zooming);
    snprintf(text, sizeof text, "%s, p99 (p50 %.1f ms)", name, frames->seconds[FRAMES / 2] * 1e3);
    bench_report(text, frames->seconds[FRAMES - 2] * 1e9, "its pixels stored once",
                 bench_ns_per_unit(clear_frame, frames, 5), target);
}

static void report_building(struct building *building) {
    struct grt_trace_record *records = grt_allocate((size_t)building->blocks * sizeof *records);
    building->copy = grt_allocate((size_t)building->blocks * sizeof *records);
    building->records = records;
    make_records(building, records);
    bench_report("timeline of 10,000,000 blocks, per block", bench_ns_per_unit(build, building, 1),
                 "its records copied once", bench_ns_per_unit(copy_records, building, 3), "<= 200 ns");
    free(building->copy);
    free(records);
}

static void report_memory(const struct building *building) {
    bench_report("its memory, bytes per block", bytes_per_slice(building), "a record of the trace", 32,
                 "<= 32 bytes");
}

static void show(struct frames *frames, const struct grt_timeline *timeline, grt_time end) {
    frames->timeline = timeline;
    frames->end = end;
}

static void set_size(struct frames *frames, int width, int height, double text_size) {
    frames->width = width;
    frames->height = height;
    frames->text_size = text_size;
}

static void report_10_million(struct frames *frames) {
    struct building building = {.sms = 64, .blocks = 10000000};
    report_building(&building);
    report_memory(&building);
    show(frames, &building.timeline, building.timeline.end);
    set_size(frames, 1600, 900, 5.7);
    report_frames(frames, 1, false, "all, 64 SMs, 1600x900", "<= 16 ms");
    report_frames(frames, 3, false, "a third", "<= 16 ms");
    report_frames(frames, 8, false, "an eighth", "<= 16 ms");
    report_frames(frames, 100, false, "a hundredth", "<= 16 ms");
    report_frames(frames, 100000, false, "100 blocks a row", "<= 2 ms");
    report_frames(frames, 100000, true, "zooming from all to those", "<= 16 ms");
    set_size(frames, 3840, 2160, 13.7);
    report_frames(frames, 1, false, "all, 64 SMs, 3840x2160", "<= 33 ms");
    grt_timeline_free(&building.timeline);
}

static void report_50_million(struct frames *frames) {
    struct building building = {.sms = 128, .blocks = 50000000};
    build_unmeasured(&building, false);
    report_memory(&building);
    show(frames, &building.timeline, building.timeline.end);
    set_size(frames, 1600, 900, 2.87);
    report_frames(frames, 1, false, "all of 50,000,000, 128 SMs, 1600x900", "<= 33 ms");
    report_frames(frames, 8, false, "an eighth of them", "<= 33 ms");
    grt_timeline_free(&building.timeline);
}

/* Ticks are far apart then. */
static void report_early(struct frames *frames) {
    struct building building = {.sms = 64, .blocks = 10000000};
    build_unmeasured(&building, true);
    show(frames, &building.timeline, building.timeline.end / 8);
    set_size(frames, 1600, 900, 5.7);
    report_frames(frames, 1, false, "an eighth of the time with all blocks", "");
    grt_timeline_free(&building.timeline);
}

void bench_timeline(void) {
    struct frames frames = {.painter = grt_painter_create(),
                            .pixels = grt_allocate(sizeof *frames.pixels * MOST_PIXELS)};
    report_10_million(&frames);
    report_early(&frames);
    report_50_million(&frames);
    grt_painter_free(frames.painter);
    grt_picture_free(&frames.picture);
    free(frames.pixels);
}
