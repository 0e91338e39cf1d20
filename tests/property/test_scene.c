/* labels: soak */
/* Pictures of random runs at random zooms: no miss vanishes, what is drawn on cores and copy engines is as much as they
 * worked, nothing leaves its row, signs are whole, of two views that meet at a deadline the second alone shows it, and the same
 * view gives the same picture. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"
#include "viz/scene/scene.h"

static void build(struct grt_timeline *timeline, const struct grt_built_run *run) {
    *timeline = (struct grt_timeline){0};
    grt_timeline_sink.names(timeline, run->kept.names, run->kept.name_count);
    grt_timeline_sink.write(timeline, run->kept.records, run->kept.record_count);
    grt_timeline_sink.end(timeline);
}

static struct grt_view random_view(const struct grt_timeline *timeline, struct grt_random *random) {
    grt_time span = timeline->end + 1;
    struct grt_view view = {
        .timeline = timeline,
        .theme = &grt_themes[grt_random_below(random, GRT_THEMES)],
        .from = (grt_time)grt_random_below(random, (uint64_t)span),
        .width = 300 + (double)grt_random_below(random, 1500),
        .text_size = 8 + (double)grt_random_below(random, 10),
    };
    view.to =
        view.from + 1 + (grt_time)(grt_random_below(random, (uint64_t)span) >> grt_random_below(random, 12));
    if (grt_random_below(random, 3) == 0) {
        view.from = 0;
        view.to = span;
    }
    return view;
}

/* The view of one row alone. */
static struct grt_view view_of_row(struct grt_view view, struct grt_view_row *rows, uint32_t row) {
    rows[0] = (struct grt_view_row){.timeline = view.timeline, .row = row};
    view.rows = rows;
    view.row_count = 1;
    return view;
}

static double left_of_axis(const struct grt_view *view) {
    struct grt_layout layout = {0};
    grt_layout_make(&layout, view);
    double left = layout.left;
    grt_layout_free(&layout);
    return left;
}

static double left_of(const struct grt_shape *shape) {
    if (shape->kind != GRT_SHAPE_POLYGON) {
        return (double)shape->left;
    }
    double left = (double)shape->points[0].number;
    for (uint32_t i = 1; i < shape->point_count; i++) {
        double x = (double)shape->points[2 * i].number;
        left = x < left ? x : left;
    }
    return left;
}

static double right_of(const struct grt_shape *shape) {
    if (shape->kind != GRT_SHAPE_POLYGON) {
        return (double)shape->right;
    }
    double right = (double)shape->points[0].number;
    for (uint32_t i = 1; i < shape->point_count; i++) {
        double x = (double)shape->points[2 * i].number;
        right = x > right ? x : right;
    }
    return right;
}

/* Whether something in the colour of misses covers a pixel. */
static bool has_miss_at(const struct grt_picture *picture, grt_colour colour, double x) {
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        if ((shape.kind == GRT_SHAPE_RECT || shape.kind == GRT_SHAPE_POLYGON) && shape.colour == colour &&
            left_of(&shape) <= x + 1 && right_of(&shape) >= x - 1) {
            return true;
        }
    }
    return false;
}

static bool shows_misses(const struct grt_view *view, struct grt_view_row *rows) {
    struct grt_picture picture = {0};
    bool good = true;
    for (uint32_t i = 0; i < view->timeline->miss_count && good; i++) {
        const struct grt_miss *miss = &view->timeline->misses[i];
        if (miss->deadline < view->from || miss->deadline >= view->to) {
            continue;
        }
        struct grt_view one = view_of_row(*view, rows, miss->task);
        double left = left_of_axis(&one), right = (double)(int64_t)(one.width - 0.6 * one.text_size);
        struct grt_scale scale = {one.from, one.to, (uint32_t)(right - left)};
        grt_scene_draw(&one, &picture);
        good = has_miss_at(&picture, view->theme->roles[GRT_ROLE_MISS],
                           left + grt_scale_x(&scale, miss->deadline));
    }
    grt_picture_free(&picture);
    return good;
}

static bool is_fill(const struct grt_theme *theme, grt_colour colour) {
    for (uint32_t key = 0; key < GRT_FILL_COLOURS; key++) {
        if (grt_theme_fill(theme, key).colour == colour) {
            return true;
        }
    }
    return false;
}

/* The area of the bars of a row, in pixels of full height, beside the time that the row was busy. */
static bool is_drawn_as_busy(const struct grt_view *view, struct grt_view_row *rows, uint32_t row) {
    struct grt_view one = view_of_row(*view, rows, row);
    const struct grt_track *track = view->timeline->rows[row].tracks[0].track;
    if (track->overlaps) { /* lanes share the height */
        return true;
    }
    struct grt_picture picture = {0};
    grt_scene_draw(&one, &picture);
    double area = 0, full = (double)(int64_t)(1.8 * one.text_size * 0.8 * 100) / 100;
    struct grt_shape shape;
    uint32_t bars = 0;
    for (uint32_t at = 0; grt_picture_next(&picture, &at, &shape);) {
        if (shape.kind == GRT_SHAPE_RECT && is_fill(view->theme, shape.colour)) {
            double left = (double)shape.left, right = (double)shape.right;
            area += (right - left) * (double)(shape.bottom - shape.top) / full;
            bars += right - left <= 1 ? 1 : 0;
            bars += 1;
        }
    }
    double left = left_of_axis(&one), right = (double)(int64_t)(one.width - 0.6 * one.text_size);
    struct grt_track_cursor cursor = {0};
    grt_wide before = grt_track_busy(track, &cursor, one.from);
    double busy = (double)(grt_track_busy(track, &cursor, one.to) - before) * (right - left) /
                  (double)(one.to - one.from);
    grt_picture_free(&picture);
    /* each bar has a gap of a pixel, or is rounded to a pixel of its height */
    return area >= busy - 1.5 * bars - 2 && area <= busy + 1.5 * bars + 2;
}

static uint64_t signs_seen; /* with corners */

/* Signs are drawn where there is room beside the axis, and none leaves that room. */
static bool signs_are_whole(const struct grt_view *view) {
    struct grt_picture picture = {0};
    grt_scene_draw(view, &picture);
    double axis = left_of_axis(view);
    struct grt_shape shape, clip = {.left = 0};
    bool good = true;
    for (uint32_t at = 0; grt_picture_next(&picture, &at, &shape) && good;) {
        if (shape.kind == GRT_SHAPE_CLIP) {
            clip = shape;
        } else if (shape.kind == GRT_SHAPE_POLYGON && (double)clip.left < axis && (double)clip.right > axis) {
            good = left_of(&shape) >= (double)clip.left && right_of(&shape) <= (double)clip.right;
            signs_seen++;
        }
    }
    grt_picture_free(&picture);
    return good;
}

static uint64_t deadlines_seen;

/* Whether an arrow down, which a deadline has, points into [from, to). */
static bool has_deadline(const struct grt_view *view, double from, double to) {
    struct grt_picture picture = {0};
    struct grt_shape shape;
    bool found = false;
    grt_scene_draw(view, &picture);
    for (uint32_t at = 0; grt_picture_next(&picture, &at, &shape) && !found;) {
        if (shape.kind == GRT_SHAPE_POLYGON && shape.point_count == 3 &&
            shape.colour == view->theme->roles[GRT_ROLE_DEADLINE]) {
            double back = (double)shape.points[1].number, tip = (double)shape.points[5].number;
            double x = (double)shape.points[4].number;
            found = tip > back && x >= from && x < to;
        }
    }
    grt_picture_free(&picture);
    return found;
}

/* Of two pictures that meet at the deadline of a job the second shows it, at its left, and the first does not. */
static bool deadlines_begin_views(const struct grt_view *view, struct grt_view_row *rows,
                                  struct grt_random *random) {
    const struct grt_timeline *timeline = view->timeline;
    uint32_t task = (uint32_t)grt_random_below(random, timeline->row_count);
    const struct grt_row *row = &timeline->rows[task];
    const struct grt_track *windows = row->kind == GRT_ROW_TASK ? grt_row_track(row, GRT_PART_WINDOW) : NULL;
    if (windows == NULL || windows->count == 0) {
        return true;
    }
    struct grt_slice window = grt_track_at(windows, (uint32_t)grt_random_below(random, windows->count));
    if (window.end == window.start || window.flags != 0) {
        return true;
    }
    struct grt_view before = view_of_row(*view, rows, task), behind;
    before.from = window.start;
    before.to = window.end;
    before.width += 500; /* room for the arrow, whatever the size of letters */
    behind = before;
    behind.from = window.end;
    behind.to = window.end + (window.end - window.start);
    double left = left_of_axis(&before), right = (double)(int64_t)(before.width - 0.6 * before.text_size);
    deadlines_seen++;
    return has_deadline(&behind, left, left + 1) && !has_deadline(&before, right, right + 1);
}

static bool draws_twice_the_same(const struct grt_view *view) {
    struct grt_picture one = {0}, two = {0};
    grt_scene_draw(view, &one);
    grt_scene_draw(view, &two);
    bool good = grt_picture_hash(&one) == grt_picture_hash(&two) && one.count > 0 && one.depth == 0;
    grt_picture_free(&one);
    grt_picture_free(&two);
    return good;
}

static bool check_view(const struct grt_view *view, struct grt_view_row *rows) {
    bool good = draws_twice_the_same(view) && shows_misses(view, rows) && signs_are_whole(view);
    for (uint32_t i = 0; i < view->timeline->row_count && good; i++) {
        enum grt_row_kind kind = view->timeline->rows[i].kind;
        good = (kind != GRT_ROW_CORE && kind != GRT_ROW_ENGINE) || is_drawn_as_busy(view, rows, i);
    }
    return good;
}

static void judge(uint64_t number, const char *policy) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    struct grt_timeline timeline;
    struct grt_random random = grt_random_of_key(number);
    grt_built_run_under(&run, builder, policy);
    build(&timeline, &run);
    struct grt_view_row *rows = grt_allocate((timeline.row_count + 1) * sizeof *rows);
    for (int i = 0; i < 6; i++) {
        struct grt_view view = random_view(&timeline, &random);
        bool good = check_view(&view, rows) && deadlines_begin_views(&view, rows, &random);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 ", view %d: [%" PRId64 ", %" PRId64 ") %g pixels\n", number, i,
                    view.from, view.to, view.width);
        }
    }
    free(rows);
    grt_timeline_free(&timeline);
    grt_built_run_end(&run, builder);
}

static void random_views(void) {
    int cases = grt_suite_cases(60, 2000);
    for (int i = 0; i < cases; i++) {
        judge(730000 + (uint64_t)i, i % 2 == 0 ? "hardware" : "np-edf");
    }
    CU_ASSERT(signs_seen > (uint64_t)cases);
    CU_ASSERT(deadlines_seen > (uint64_t)cases / 4);
}

static CU_TestInfo tests[] = {
    {"random views", random_views},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("scene", tests);
}
