/* labels: view */
/* The panels: misses, statistics, job, differences, scenario; and how it all looks: themes, sizes, legend, grid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "viz/answers/cause.h"
#include "viz/answers/time_text.h"

#define SCENARIO GRT_SCRATCH_DIR "/late.json"
#define MS INT64_C(1000000)

static struct view_driver driver;

static void begin(void) {
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
}

static void end(void) {
    view_driver_close(&driver);
}

static const struct grt_timeline *timeline(void) {
    return view_timeline(driver.viewer, 0);
}

static struct grt_slice chosen(void) {
    const struct view_chosen *place = &driver.viewer->chosen;
    CU_ASSERT_FATAL(grt_place_is_some(&place->place));
    return grt_place_slice(view_timeline(driver.viewer, place->run), place->place);
}

static void panels_open_and_close(void) {
    static const char *const titles[] = {"Missed deadlines", "Statistics", "Job", "Differences", "Scenario"};
    begin();
    double width = driver.viewer->areas.scene.right;
    for (int i = 0; i < 5; i++) {
        char line[40];
        snprintf(line, sizeof line, "key %d\n", i + 1);
        view_do(&driver, line);
        CU_ASSERT_EQUAL((int)driver.viewer->panel, i + 1);
        CU_ASSERT(view_shows(&driver, titles[i]));
        CU_ASSERT(driver.viewer->areas.scene.right < width);
    }
    view_do(&driver, "key 5\n");
    CU_ASSERT_EQUAL(driver.viewer->panel, VIEW_PANEL_NONE);
    CU_ASSERT_EQUAL(driver.viewer->areas.scene.right, width);
    view_do(&driver, "key Tab\nexpect no panel is open: 1 to 5 open one\n");
    end();
}

static void misses_worst_first(void) {
    begin();
    view_do(&driver, "key 1\n");
    CU_ASSERT(view_shows(&driver, "5 missed deadlines, worst first"));
    CU_ASSERT(view_shows(&driver, "small job 0") && view_shows(&driver, "small job 16"));
    CU_ASSERT(view_shows(&driver, " late"));
    uint32_t *worst = grt_misses_worst_first(timeline());
    grt_time before = INT64_MAX;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 5; i++) {
        char line[40];
        snprintf(line, sizeof line, "command panel-choose %" PRIu32 "\n", i);
        view_do(&driver, line);
        const struct grt_miss *miss = &timeline()->misses[worst[i]];
        CU_ASSERT_EQUAL(chosen().end, miss->deadline);
        CU_ASSERT_EQUAL(chosen().job, miss->job);
        CU_ASSERT(miss->end - miss->deadline <= before);
        before = miss->end - miss->deadline;
        CU_ASSERT((miss->job == 0 || miss->job == 12) == (i < 2)); /* 3.5 ms late; the others 2 */
        seen |= 1U << miss->job / 4;
    }
    CU_ASSERT_EQUAL(seen, 31);
    free(worst);
    view_refuses(&driver, "command panel-choose 5\n", "there is no such line");
    end();
}

static void panels_by_keyboard(void) {
    begin();
    view_do(&driver, "key 1 Tab Enter\n");
    grt_time first = chosen().end;
    CU_ASSERT(first == 5 * MS || first == 65 * MS);
    view_do(&driver, "key Down Enter\n");
    CU_ASSERT_EQUAL(chosen().end, 70 * MS - first);
    view_do(&driver, "key End Enter\n");
    CU_ASSERT_EQUAL(driver.viewer->panel_line, 4);
    view_do(&driver, "key Page-Down\n");
    CU_ASSERT_EQUAL(driver.viewer->panel_line, 4);
    view_do(&driver, "key Page-Up Up Home\n");
    CU_ASSERT_EQUAL(driver.viewer->panel_line, 0);
    view_do(&driver, "key Tab Down\n"); /* the rows have the keyboard again */
    CU_ASSERT_EQUAL(driver.viewer->panel_line, 0);
    end();
}

static void a_click_on_a_line(void) {
    begin();
    view_do(&driver, "key 1\n");
    const struct viewer *viewer = driver.viewer;
    for (uint32_t i = 0; i < viewer->hot_count; i++) {
        const struct view_hot hot = viewer->hot[i];
        if (strcmp(hot.command->name, "panel-choose") == 0 && hot.argument == 1) {
            char line[80];
            snprintf(line, sizeof line, "click %d %d\n", (int)(hot.box.left + hot.box.right) / 2,
                     (int)(hot.box.top + hot.box.bottom) / 2);
            view_do(&driver, line);
            break;
        }
    }
    CU_ASSERT(chosen().end == 5 * MS || chosen().end == 65 * MS);
    end();
}

/* Every button does what its command does. */
static void buttons(void) {
    begin();
    view_do(&driver, "resize 1600 700\nkey w w\n");
    uint32_t pressed = 0;
    for (uint32_t i = 0; i < driver.viewer->hot_count; i++) {
        const struct view_hot hot = driver.viewer->hot[i];
        char line[80];
        if (hot.box.bottom > driver.viewer->areas.toolbar.bottom || strcmp(hot.command->name, "panel") != 0) {
            continue;
        }
        int x = (int)(hot.box.left + hot.box.right) / 2, y = (int)(hot.box.top + hot.box.bottom) / 2;
        snprintf(line, sizeof line, "click %d %d\n", x, y);
        view_do(&driver, line);
        CU_ASSERT_EQUAL(driver.viewer->panel, hot.argument);
        view_do(&driver, line);
        CU_ASSERT_EQUAL(driver.viewer->panel, VIEW_PANEL_NONE);
        pressed++;
    }
    CU_ASSERT_EQUAL(pressed, 4); /* differences need two runs */
    end();
}

/* What the panel shows of a task is what the answer says, in its order. */
static void expect_line(const char *name, const struct grt_span_line *line) {
    const grt_time times[] = {(grt_time)line->sum, line->min, line->mean, line->p50, line->p99, line->max};
    char expected[400];
    size_t used = (size_t)snprintf(expected, sizeof expected, "|%" PRIu64, line->count);
    for (int i = 0; i < 6; i++) {
        char text[GRT_TIME_WORDS];
        used +=
            (size_t)snprintf(expected + used, sizeof expected - used, "|%s", grt_time_words(times[i], text));
    }
    snprintf(expected + used, sizeof expected - used, "|%" PRIu32, line->misses);
    const char *got = view_line_behind(&driver, name);
    if (strncmp(got, expected, strlen(expected)) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", got, expected);
    }
    CU_ASSERT_EQUAL(strncmp(got, expected, strlen(expected)), 0);
}

static void statistics(void) {
    begin();
    view_do(&driver, "resize 1400 600\nkey 2\n");
    struct grt_span_question question = {.from = timeline()->begin, .to = timeline()->end + 1};
    struct grt_span_statistics expected;
    grt_span_statistics_make(&expected, timeline(), &question);
    CU_ASSERT_EQUAL(expected.tasks[2].count, 20); /* small's jobs */
    CU_ASSERT_EQUAL(expected.tasks[2].misses, 5);
    CU_ASSERT_EQUAL(expected.all.count, 5 + 4 + 20);
    CU_ASSERT_EQUAL(expected.tasks[0].max / MS, 6);
    CU_ASSERT(expected.tasks[2].max / 1000 == 8500); /* small's first and fourth are late by 3.5 ms */
    expect_line("big", &expected.tasks[0]);
    expect_line("third", &expected.tasks[1]);
    expect_line("small", &expected.tasks[2]);
    expect_line("all", &expected.all);
    grt_span_statistics_free(&expected);
    CU_ASSERT(view_shows(&driver, "the whole run; Y"));
    /* Of a selection: big's third job from 40 to 46 ms, in which small's ninth ends not. */
    view_do(&driver, "command jump big 2\nkey Space\n");
    CU_ASSERT(!view_shows(&driver, "the whole run; Y"));
    question.from = driver.viewer->selection.from;
    question.to = driver.viewer->selection.to;
    view_do(&driver, "key Esc\ncommand jump big 2\nkey Space y y y\n"); /* kernels */
    CU_ASSERT_EQUAL(driver.viewer->measure, GRT_MEASURE_KERNEL);
    question.measure = GRT_MEASURE_KERNEL;
    grt_span_statistics_make(&expected, timeline(), &question);
    CU_ASSERT_EQUAL(expected.tasks[0].count, 1);
    CU_ASSERT_EQUAL(expected.tasks[0].sum / MS, 6);
    expect_line("big", &expected.tasks[0]);
    grt_span_statistics_free(&expected);
    /* The same begin and another end: another answer. */
    driver.viewer->selection.to += 60 * MS;
    view_touch(driver.viewer);
    question.to = driver.viewer->selection.to;
    grt_span_statistics_make(&expected, timeline(), &question);
    CU_ASSERT_EQUAL(expected.tasks[0].count, 3);
    expect_line("big", &expected.tasks[0]);
    grt_span_statistics_free(&expected);
    for (int i = 0; i < GRT_MEASURE_HOST; i++) { /* the others do not apply */
        view_do(&driver, "key y\n");
        CU_ASSERT(view_shows(&driver, grt_measure_name(driver.viewer->measure)));
    }
    CU_ASSERT_EQUAL(driver.viewer->measure, GRT_MEASURE_KERNEL); /* round */
    view_do(&driver, "command panel-choose 2\n");
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, driver.viewer->cursor), "small");
    end();
}

static void job_step_by_step(void) {
    begin();
    view_do(&driver, "key 3\n");
    CU_ASSERT(view_shows(&driver, "Nothing is chosen."));
    view_do(&driver, "command jump small 8\n");
    CU_ASSERT(view_shows(&driver, "release") && view_shows(&driver, "kernel") &&
              view_shows(&driver, "completion"));
    CU_ASSERT(view_shows(&driver, "deadline missed"));
    view_do(&driver, "command panel-choose 2\n");
    CU_ASSERT_EQUAL(chosen().job, 8);
    end();
}

/* Another job has fewer steps than the panel was scrolled by: its lines are seen. */
static void a_panel_that_was_scrolled(void) {
    begin();
    view_do(&driver, "resize 800 260\ncommand jump small 8\nkey 3\nwheel 700 200 -100\n");
    CU_ASSERT(driver.viewer->panel_scroll > 0);
    view_do(&driver, "key Esc\n");
    CU_ASSERT(view_shows(&driver, "Nothing is chosen."));
    view_do(&driver, "resize 800 900\ncommand jump small 9\n");
    CU_ASSERT(view_shows(&driver, "release"));
    end();
}

static void scenario_panel(void) {
    begin();
    view_do(&driver, "key 5\n");
    CU_ASSERT(view_shows(&driver, "np-edf") && view_shows(&driver, "hardware"));
    CU_ASSERT(view_shows(&driver, "As in the file."));
    view_do(&driver, "command panel-choose 0\n");
    CU_ASSERT(strstr(viewer_message(driver.viewer), "simulated with policy=") != NULL);
    CU_ASSERT(view_shows(&driver, "Changed: policy="));
    end();
}

/* ---- how it looks ---- */

static void themes(void) {
    begin();
    for (int i = 0; i < GRT_THEMES; i++) {
        uint32_t corner =
            driver.frame.pixels[driver.frame.width / 2 + 590 * (int)(driver.frame.stride_bytes / 4)];
        CU_ASSERT_EQUAL(corner, 0xff000000 | grt_themes[i].roles[GRT_ROLE_PANEL] >> 8); /* the line below */
        view_do(&driver, "key c\n");
    }
    CU_ASSERT_PTR_EQUAL(driver.viewer->view.theme, &grt_themes[0]);
    end();
}

static void sizes_of_text(void) {
    begin();
    double toolbar = driver.viewer->areas.toolbar.bottom;
    view_do(&driver, "key ctrl++ ctrl+=\n");
    CU_ASSERT_EQUAL(driver.viewer->view.text_size, 15);
    CU_ASSERT(driver.viewer->areas.toolbar.bottom > toolbar);
    view_do(&driver, "key ctrl+0\n");
    CU_ASSERT_EQUAL(driver.viewer->areas.toolbar.bottom, toolbar);
    view_do(&driver, "key ctrl+-\n");
    CU_ASSERT_EQUAL(driver.viewer->view.text_size, 12);
    for (int i = 0; i < 20; i++) {
        view_do(&driver, "key ctrl+-\n");
    }
    CU_ASSERT_EQUAL(driver.viewer->view.text_size, VIEWER_LEAST_TEXT);
    for (int i = 0; i < 70; i++) {
        view_do(&driver, "key ctrl++\n");
    }
    CU_ASSERT_EQUAL(driver.viewer->view.text_size, VIEWER_MOST_TEXT);
    end();
}

static void legend_and_grid(void) {
    begin();
    uint64_t plain = view_paint(&driver);
    uint32_t lines = view_shapes(&driver, GRT_ROLE_GRID) + view_shapes(&driver, GRT_ROLE_GRID_STRONG);
    view_do(&driver, "key l\n");
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), plain);
    CU_ASSERT(view_shows(&driver, "release"));
    view_do(&driver, "key l\n");
    CU_ASSERT_EQUAL(view_paint(&driver), plain);
    view_do(&driver, "key g\n");
    CU_ASSERT(view_shapes(&driver, GRT_ROLE_GRID) + view_shapes(&driver, GRT_ROLE_GRID_STRONG) < lines);
    view_do(&driver, "key g\n");
    CU_ASSERT_EQUAL(view_paint(&driver), plain);
    end();
}

static void window_wishes(void) {
    begin();
    CU_ASSERT_FALSE(viewer_wants_full_screen(driver.viewer));
    view_do(&driver, "key F11\n");
    CU_ASSERT(viewer_wants_full_screen(driver.viewer));
    view_do(&driver, "key F11\n");
    CU_ASSERT_FALSE(viewer_wants_full_screen(driver.viewer));
    CU_ASSERT_PTR_NOT_NULL(strstr(viewer_title(driver.viewer), "late.json"));
    view_do(&driver, "key ctrl+q\n");
    CU_ASSERT(viewer_is_closed(driver.viewer));
    end();
    begin();
    struct view_input close = {.kind = VIEW_INPUT_CLOSE};
    view_driver_send(&driver, &close);
    CU_ASSERT(viewer_is_closed(driver.viewer));
    end();
}

/* Esc forgets what is chosen and selected, and leaves the page of keys. */
static void clear(void) {
    begin();
    uint64_t plain = view_paint(&driver);
    view_do(&driver, "key Down ? Space\ncommand jump small 8\nkey Enter Esc 0\n");
    CU_ASSERT_FALSE(driver.viewer->help || driver.viewer->following ||
                    grt_place_is_some(&driver.viewer->chosen.place));
    CU_ASSERT_EQUAL(driver.viewer->selection.from, driver.viewer->selection.to);
    driver.viewer->cursor = GRT_NO_SHOWN_ROW;
    CU_ASSERT_EQUAL(view_paint(&driver), plain);
    end();
}

static CU_TestInfo tests[] = {
    {"panels open and close", panels_open_and_close},
    {"misses, worst first", misses_worst_first},
    {"panels by the keyboard", panels_by_keyboard},
    {"a click on a line", a_click_on_a_line},
    {"buttons", buttons},
    {"statistics are those of the answers", statistics},
    {"a job step by step", job_step_by_step},
    {"a panel that was scrolled", a_panel_that_was_scrolled},
    {"the panel of the scenario", scenario_panel},
    {"themes change the colours", themes},
    {"sizes of text", sizes_of_text},
    {"legend and grid", legend_and_grid},
    {"what is wished of the window", window_wishes},
    {"Esc clears", clear},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_panels", tests);
}
