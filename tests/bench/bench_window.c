/* The window program without its window: what a movement of the pointer costs, a step along the axis, a zoom, a page of the list
 * of misses. `gpurt-bench window 10000000` for ten million slices. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/block_file.h"
#include "viz/view/viewer.h"

enum { SLICES = 1000000, WIDTH = 1600, HEIGHT = 900, FRAMES = 101 };

struct window {
    struct viewer *viewer;
    struct grt_frame frame;
    uint32_t *copy;
    uint32_t count; /* of frames */
};

static void paint(struct window *window) {
    viewer_paint(window->viewer, &window->frame);
    bench_use(window->frame.pixels[WIDTH * 300 + 300]);
    window->count++;
}

static uint64_t move_pointer(void *state) {
    struct window *window = state;
    for (int i = 0; i < FRAMES; i++) {
        struct view_input input = {.kind = VIEW_INPUT_MOVE, .x = 200 + 13 * i, .y = 100 + 7 * i};
        viewer_input(window->viewer, &input);
        paint(window);
    }
    return FRAMES;
}

static void command(struct window *window, const char *text) {
    struct grt_errors errors = {0};
    viewer_command(window->viewer, text, &errors);
    grt_errors_clear(&errors);
}

static uint64_t zoom(void *state) {
    struct window *window = state;
    for (int i = 0; i < FRAMES; i++) {
        command(window, i < FRAMES / 2 ? "zoom-in" : "zoom-out");
        paint(window);
    }
    return FRAMES;
}

static uint64_t pan(void *state) {
    struct window *window = state;
    command(window, "fit");
    command(window, "zoom-in");
    for (int i = 0; i < FRAMES; i++) {
        command(window, i % 8 < 4 ? "pan-right" : "pan-left");
        paint(window);
    }
    return FRAMES;
}

/* What no frame can do without: each pixel is written once. */
static uint64_t copy_frames(void *state) {
    struct window *window = state;
    for (int i = 0; i < FRAMES; i++) {
        memcpy(window->copy, window->frame.pixels, 4 * (size_t)WIDTH * HEIGHT);
        bench_use(window->copy[i]);
    }
    return FRAMES;
}

static void report(struct window *window) {
    double copied = bench_ns_per_unit(copy_frames, window, 3);
    const char *reference = "its pixels copied once";
    bench_report("window: the pointer moves, per frame", bench_ns_per_unit(move_pointer, window, 3),
                 reference, copied, "<= 2000000 ns");
    bench_report("window: zoomed, per frame", bench_ns_per_unit(zoom, window, 3), reference, copied,
                 "<= 16000000 ns");
    bench_report("window: moved in time, per frame", bench_ns_per_unit(pan, window, 3), reference, copied,
                 "<= 16000000 ns");
}

void bench_window(void) {
    char path[4096];
    const char *paths[] = {path};
    struct grt_errors errors = {0};
    uint64_t slices = bench_argument(SLICES);
    if (!block_file_write(path, sizeof path, slices)) {
        return;
    }
    struct viewer_options options = {.text_size = 5.7}; /* so that all rows are in the window */
    struct window window = {.viewer = viewer_create(paths, 1, &options, &errors)};
    remove(path);
    size_t pixels = (size_t)WIDTH * HEIGHT;
    window.frame = (struct grt_frame){grt_allocate(4 * pixels), WIDTH, HEIGHT, 4 * WIDTH, 1};
    window.copy = grt_allocate(4 * pixels);
    if (window.viewer != NULL) {
        printf("a window of %d x %d on %" PRIu64 " blocks:\n", WIDTH, HEIGHT, slices);
        paint(&window);
        report(&window);
        viewer_free(window.viewer);
    }
    grt_errors_print(&errors, stderr, "gpurt-bench: ");
    grt_errors_clear(&errors);
    free(window.frame.pixels);
    free(window.copy);
}
