/* labels: view */
/* The span of time in view: zoom, pan, fit, the way back, jumps, marks, the selection, the origin, the strip above. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_driver.h"

#define SCENARIO GRT_SCRATCH_DIR "/late.json"
#define MS INT64_C(1000000)

/* The last deadline is at 120 ms; a hundredth of that and 8 ns are shown at either end. */
#define BEGIN (-1200 * MS / 1000 - 8)
#define END (121200 * MS / 1000 + 8)

static struct view_driver driver;

static void begin(void) {
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
}

static void end(void) {
    view_driver_close(&driver);
}

static grt_time from(void) {
    return driver.viewer->view.from;
}

static grt_time to(void) {
    return driver.viewer->view.to;
}

static grt_time span(void) {
    return to() - from();
}

static void expect_span(grt_time expected_from, grt_time expected_to) {
    if (from() != expected_from || to() != expected_to) {
        printf("\n    in view: %lld to %lld, expected: %lld to %lld\n", (long long)from(), (long long)to(),
               (long long)expected_from, (long long)expected_to);
    }
    CU_ASSERT_EQUAL(from(), expected_from);
    CU_ASSERT_EQUAL(to(), expected_to);
}

static void expect_whole(void) {
    expect_span(BEGIN, END);
}

/* What is under the pointer stays there, within a pixel. */
static void zoom_keeps_what_is_under_the_pointer(void) {
    static const char *const ways[] = {"key w\n",
                                       "key +\n",
                                       "key =\n",
                                       "key s\n",
                                       "key -\n",
                                       "wheel 700 300 1 ctrl\n",
                                       "wheel 700 300 -1 ctrl\n",
                                       "wheel 700 300 3 ctrl shift\n"};
    begin();
    view_do(&driver, "command zoom-in\nmove 700 300\n");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        grt_time under = view_anchor(driver.viewer), before = span();
        view_do(&driver, ways[i]);
        CU_ASSERT(fabs(view_x(&driver, under) - 700) <= 1.01);
        bool in = strpbrk(ways[i], "w+=") != NULL && strstr(ways[i], "-1") == NULL;
        CU_ASSERT(in ? span() < before : span() > before);
    }
    end();
}

static void zoom_is_by_a_fifth(void) {
    begin();
    grt_time before = span();
    view_do(&driver, "key w\n");
    CU_ASSERT(llabs(span() - before * 4 / 5) <= 2);
    view_do(&driver, "key s\n");
    CU_ASSERT(llabs(span() - before) <= 4);
    for (int i = 0; i < 100; i++) {
        view_do(&driver, "key w\n");
    }
    CU_ASSERT_EQUAL(span(), 16); /* ns; no nearer */
    for (int i = 0; i < 200; i++) {
        view_do(&driver, "key s\n");
    }
    expect_whole();
    end();
}

static void pan_is_by_a_tenth(void) {
    begin();
    view_do(&driver, "command zoom-in\ncommand zoom-in\ncommand zoom-in\n");
    grt_time first = from(), length = span();
    view_do(&driver, "key d\n");
    CU_ASSERT(llabs(from() - first - length / 10) <= 1);
    CU_ASSERT_EQUAL(span(), length);
    view_do(&driver, "key a Left Left\n");
    CU_ASSERT(llabs(first - length / 5 - from()) <= 2);
    view_do(&driver, "key Right Right\n");
    CU_ASSERT(llabs(from() - first) <= 3);
    for (int i = 0; i < 30; i++) {
        view_do(&driver, "key d\n");
    }
    expect_span(END - length, END); /* not beyond the end */
    view_do(&driver, "wheel 500 300 1000 shift\n");
    expect_span(BEGIN, BEGIN + length); /* nor before the begin */
    end();
}

static void fit_and_the_way_back(void) {
    begin();
    expect_whole();
    view_do(&driver, "command jump 50ms\nkey w w w w w w\ncommand jump 20ms\n");
    grt_time middle = from() + span() / 2, at = from();
    CU_ASSERT(llabs(middle - 20 * MS) <= 1);
    view_do(&driver, "key 0\n");
    expect_whole();
    view_do(&driver, "key Backspace\n");
    CU_ASSERT_EQUAL(from(), at);
    view_do(&driver, "key alt+Left\n");
    CU_ASSERT_NOT_EQUAL(from(), at);
    view_do(&driver, "key Shift+Backspace\n");
    CU_ASSERT_EQUAL(from(), at);
    view_do(&driver, "key alt+Right\n");
    expect_whole();
    view_do(&driver, "key alt+Right\nexpect there is no view after this one\n");
    view_do(
        &driver,
        "key Backspace Backspace Backspace Backspace Backspace\nexpect there is no view before this one\n");
    view_do(&driver, "key Home\n");
    expect_whole();
    end();
}

/* More views than are kept: the oldest are forgotten, the others come back in order. */
static void a_long_way_back(void) {
    begin();
    view_do(&driver, "key w w w w w w w w\n");
    for (int i = 1; i <= 90; i++) {
        char line[40];
        snprintf(line, sizeof line, "command jump %dms\n", i);
        view_do(&driver, line);
    }
    for (int i = 90; i > 90 - VIEW_HISTORY + 1; i--) {
        CU_ASSERT(from() < i * MS && to() > i * MS);
        grt_time middle = from() + span() / 2;
        CU_ASSERT(llabs(middle - i * MS) <= 1 || from() < 0 || to() > 100 * MS);
        view_do(&driver, "key Backspace\n");
    }
    view_do(&driver, "key Backspace\nexpect there is no view before this one\n");
    end();
}

static void jumps(void) {
    begin();
    view_do(&driver, "key w w w w w w\n");
    view_do(&driver, "key j\ntype 30ms\nkey Enter\nexpect at 30 ms\n");
    CU_ASSERT(llabs(from() + span() / 2 - 30 * MS) <= 1);
    CU_ASSERT_FALSE(viewer_wants_text(driver.viewer));
    view_do(&driver, "command jump small 8\n"); /* it arrives at 40 ms and ends at 47 */
    CU_ASSERT(from() <= 40 * MS && to() >= 47 * MS);
    struct grt_slice slice = grt_place_slice(view_timeline(driver.viewer, 0), driver.viewer->chosen.place);
    CU_ASSERT_EQUAL(slice.job, 8);
    CU_ASSERT_EQUAL(slice.start, 40 * MS);
    view_refuses(&driver, "command jump 2s\n", "2 s is outside of the run");
    view_refuses(&driver, "command jump small 20\n", "there is no such job");
    view_refuses(&driver, "command jump nowhere\n",
                 "jump to an instant, as 12.5ms, or to a job, as detect 12");
    view_do(&driver, "key j\ntype 2s\nkey Enter\nexpect outside\n"); /* stays open to be corrected */
    CU_ASSERT(viewer_wants_text(driver.viewer));
    view_do(&driver, "key Backspace\ntype 0ms\nkey Enter\nexpect at 20 ms\n");
    end();
}

static void the_command_line_shows_a_span(void) {
    begin();
    viewer_show(driver.viewer, 10 * MS, 30 * MS);
    expect_span(10 * MS, 30 * MS);
    viewer_show(driver.viewer, GRT_TIME_NEVER, 30 * MS);
    expect_span(0, 30 * MS);
    viewer_show(driver.viewer, 90 * MS, GRT_TIME_NEVER);
    CU_ASSERT(from() == 90 * MS && to() <= END);
    viewer_show(driver.viewer, 200 * MS, 300 * MS); /* outside: what there is of that length */
    CU_ASSERT(to() <= END && from() < to());
    end();
}

/* ---- marks, selection, origin ---- */

static void marks(void) {
    begin();
    view_do(&driver,
            "key w w w\ncommand jump 50ms\nkey m\n"); /* nothing pointed at or chosen: in the middle */
    CU_ASSERT_EQUAL(driver.viewer->mark_count, 1);
    CU_ASSERT_EQUAL(driver.viewer->marks[0], from() + span() / 2);
    CU_ASSERT(view_shows(&driver, "50 ms"));
    view_do(&driver, "command jump small 8\nkey shift+m\n"); /* 40 ms to 47 ms and a bit */
    CU_ASSERT_EQUAL(driver.viewer->mark_count, 3);
    CU_ASSERT_EQUAL(driver.viewer->marks[0], 40 * MS);
    CU_ASSERT(view_shows(&driver, "(+7 ms)") || view_shows(&driver, "(+7.0"));
    grt_time at = from() + 3 * span() / 4;
    char line[100];
    snprintf(line, sizeof line, "move %d 300\nkey m\n", (int)view_x(&driver, at));
    view_do(&driver, line);
    CU_ASSERT_EQUAL(driver.viewer->mark_count, 4);
    CU_ASSERT(fabs(view_x(&driver, driver.viewer->marks[3]) - view_x(&driver, at)) <= 1.01);
    memcpy(driver.viewer->marks, (const grt_time[]){40 * MS, 41 * MS, 43 * MS, 47 * MS},
           4 * sizeof(grt_time));
    view_touch(driver.viewer);
    CU_ASSERT(view_shows(&driver, "43 ms (+2 ms)") &&
              view_shows(&driver, "47 ms (+4 ms)")); /* since the one before */
    for (int i = 0; i < VIEW_MARKS; i++) {
        view_driver_play(&driver, "key m\n");
    }
    CU_ASSERT_EQUAL(driver.viewer->mark_count, VIEW_MARKS);
    view_says(&driver, "there are 32 marks already");
    view_do(&driver, "key ctrl+m\n");
    CU_ASSERT_EQUAL(driver.viewer->mark_count, 0);
    CU_ASSERT_FALSE(view_shows(&driver, "(+"));
    end();
}

static void selection(void) {
    begin();
    view_do(&driver, "command jump small 8\nkey Space\n");
    CU_ASSERT_EQUAL(driver.viewer->selection.from, 40 * MS);
    CU_ASSERT(driver.viewer->selection.to >= 47 * MS && driver.viewer->selection.to < 48 * MS);
    CU_ASSERT(view_shows(&driver, " selected, "));
    view_do(&driver, "key z\n");
    expect_span(driver.viewer->selection.from, driver.viewer->selection.to);
    view_do(&driver, "key Esc\n");
    CU_ASSERT_EQUAL(driver.viewer->selection.from, driver.viewer->selection.to);
    CU_ASSERT_FALSE(view_shows(&driver, " selected, "));
    view_do(&driver, "key z\nexpect nothing is selected or chosen\n");
    view_do(&driver, "key Space\n"); /* what is in view */
    CU_ASSERT_EQUAL(driver.viewer->selection.from, from());
    CU_ASSERT_EQUAL(driver.viewer->selection.to, to());
    end();
}

static int x_at(grt_time instant) {
    return (int)(view_x(&driver, instant) + 0.5);
}

static void drags(void) {
    char line[200];
    begin();
    snprintf(line, sizeof line, "drag %d 300 %d 320\n", x_at(20 * MS), x_at(30 * MS));
    view_do(&driver, line);
    double pixel = (double)span() / (double)driver.viewer->layout.scale.pixels;
    CU_ASSERT(fabs((double)(driver.viewer->selection.from - 20 * MS)) <= pixel);
    CU_ASSERT(fabs((double)(driver.viewer->selection.to - 30 * MS)) <= pixel);
    expect_whole();
    CU_ASSERT(view_shows(&driver, "selected"));
    snprintf(line, sizeof line, "drag %d 300 %d 300 right\n", x_at(60 * MS),
             x_at(40 * MS)); /* backwards too */
    view_do(&driver, line);
    CU_ASSERT(fabs((double)(from() - 40 * MS)) <= pixel && fabs((double)(to() - 60 * MS)) <= pixel);
    CU_ASSERT(fabs((double)(driver.viewer->selection.to - 30 * MS)) <=
              (double)span()); /* as it was selected */
    CU_ASSERT(driver.viewer->selection.to > driver.viewer->selection.from);
    grt_time before = from(), length = span();
    view_do(&driver, "drag 600 300 500 300 middle\n");
    CU_ASSERT_EQUAL(span(), length);
    pixel = (double)length / (double)driver.viewer->layout.scale.pixels;
    CU_ASSERT(fabs((double)(from() - before) - 100 * pixel) <= pixel);
    view_do(&driver, "drag 500 300 600 300 shift+left\n");
    CU_ASSERT(fabs((double)(from() - before)) <= pixel);
    view_do(&driver, "double-click 600 80\n"); /* on the axis */
    expect_whole();
    view_do(&driver, "drag 500 300 502 300 right\n"); /* no drag: a click */
    expect_whole();
    end();
}

static void the_strip_moves_the_view(void) {
    begin();
    view_do(&driver, "key w w w w w w w w\n");
    grt_time length = span();
    const struct grt_box *strip = &driver.viewer->areas.overview;
    char line[100];
    int y = (int)(strip->top + strip->bottom) / 2;
    snprintf(line, sizeof line, "click 250 %d\n", y);
    view_do(&driver, line);
    CU_ASSERT(llabs(span() - length) <= 1);
    CU_ASSERT(llabs(from() + span() / 2 - ((END - BEGIN) / 4 + BEGIN)) <
              MS / 2); /* a quarter of the window: of the run */
    snprintf(line, sizeof line, "drag 250 %d 750 %d\n", y, y);
    view_do(&driver, line);
    CU_ASSERT(llabs(from() + span() / 2 - (3 * (END - BEGIN) / 4 + BEGIN)) < MS / 2);
    end();
}

static void origin(void) {
    begin();
    view_do(&driver, "key t\nexpect nothing is selected or chosen\n");
    CU_ASSERT_EQUAL(driver.viewer->view.origin, 0);
    view_do(&driver, "command jump small 8\nkey t\n");
    CU_ASSERT_EQUAL(driver.viewer->view.origin, 40 * MS);
    view_do(&driver, "key Esc m\n");
    driver.viewer->marks[0] = 45 * MS;
    view_touch(driver.viewer);
    CU_ASSERT(view_shows(&driver, "5 ms")); /* counted from there */
    view_do(&driver, "key t\n");
    CU_ASSERT_EQUAL(driver.viewer->view.origin, 0);
    view_touch(driver.viewer);
    CU_ASSERT(view_shows(&driver, "45 ms"));
    end();
}

static CU_TestInfo tests[] = {
    {"zoom keeps what is under the pointer", zoom_keeps_what_is_under_the_pointer},
    {"zoom is by a fifth, between 16 ns and the whole run", zoom_is_by_a_fifth},
    {"pan is by a tenth, within the run", pan_is_by_a_tenth},
    {"fit, back, forward", fit_and_the_way_back},
    {"a long way back", a_long_way_back},
    {"jumps to instants and jobs", jumps},
    {"the command line shows a span", the_command_line_shows_a_span},
    {"marks", marks},
    {"selection", selection},
    {"drags select, zoom and move", drags},
    {"the strip of the whole run moves the view", the_strip_moves_the_view},
    {"time is counted from elsewhere", origin},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_time", tests);
}
