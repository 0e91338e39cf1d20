/* labels: view */
/* What a user has chosen is kept when what is shown changes, and what is shown says what it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/output.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "tests/support/view_driver.h"

#define SCENARIO GRT_SCRATCH_DIR "/kept.json"
#define TRACE GRT_SCRATCH_DIR "/kept.trc"

static struct view_driver driver;

static void begin(void) {
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
}

static void end(void) {
    view_driver_close(&driver);
}

static void put(const char *path, const char *text, size_t size) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* The number of the job that is chosen. */
static uint32_t chosen_job(void) {
    const struct view_chosen *chosen = &driver.viewer->chosen;
    bool is_some = grt_place_is_some(&chosen->place);
    return is_some ? grt_place_slice(view_timeline(driver.viewer, chosen->run), chosen->place).job
                   : UINT32_MAX;
}

static void the_job_is_kept_under_another_policy(void) {
    begin();
    view_do(&driver, "command jump small 8\nkey Enter 3\n");
    CU_ASSERT_EQUAL(chosen_job(), 8);
    view_do(&driver, "command policy np-edf\n");
    CU_ASSERT_EQUAL(chosen_job(), 8);
    CU_ASSERT(driver.viewer->following && driver.viewer->view.focus.on);
    CU_ASSERT_EQUAL(driver.viewer->view.focus.job, 8);
    CU_ASSERT(view_shows(&driver, "completion"));
    view_do(&driver, "command set horizon=20ms\n"); /* in which there is no such job */
    CU_ASSERT_EQUAL(chosen_job(), UINT32_MAX);
    CU_ASSERT_FALSE(driver.viewer->following || driver.viewer->view.focus.on);
    end();
}

/* Also where the tasks have other numbers. */
static void the_job_is_kept_in_a_new_version_of_the_file(void) {
    static const char other[] =
        "{\"gpurt\":1,\"horizon\":\"100ms\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"policy\":"
        "{\"name\":\"fifo\"},\"tasks\":["
        "{\"name\":\"small\",\"period\":\"5ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"mpc\",\"time\":\"1ms\"}"
        "]}]},"
        "{\"name\":\"big\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"map\",\"time\":\"6ms\"}]"
        "}]}]}";
    begin();
    view_do(&driver, "command jump small 8\n");
    CU_ASSERT_EQUAL(driver.viewer->chosen.place.row, 2);
    put(SCENARIO, other, sizeof other - 1);
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    CU_ASSERT_EQUAL(chosen_job(), 8);
    CU_ASSERT_EQUAL(driver.viewer->chosen.place.row, 0);
    end();
}

static void titles_tell_changes_apart(void) {
    begin();
    CU_ASSERT_STRING_EQUAL(viewer_title(driver.viewer), "kept.json (fifo) - gpurt-view");
    view_do(&driver, "command set tasks[0].period=40ms\n");
    CU_ASSERT_STRING_EQUAL(viewer_title(driver.viewer),
                           "kept.json (fifo, tasks[0].period=40ms) - gpurt-view");
    view_do(&driver, "command against tasks[1].period=40ms\n");
    CU_ASSERT_STRING_EQUAL(viewer_title(driver.viewer),
                           "A: kept.json (fifo, tasks[0].period=40ms), B: kept.json (fifo, "
                           "tasks[1].period=40ms +1) - gpurt-view");
    end();
}

/* A simulation that was stopped leaves the names as they were. */
static bool stop(void *asker, const struct grt_play_progress *progress) {
    (void)progress;
    return asker == NULL;
}

static void a_stopped_simulation_changes_no_name(void) {
    struct grt_play_watch watch = {.keep_on = stop, .asker = &driver};
    begin();
    viewer_set_watch(driver.viewer, &watch);
    view_refuses(&driver, "command policy np-edf\n", "stopped");
    view_refuses(&driver, "command reload\n", "stopped");
    CU_ASSERT_STRING_EQUAL(viewer_title(driver.viewer), "kept.json (fifo) - gpurt-view");
    CU_ASSERT_STRING_EQUAL(driver.viewer->documents[0].source.policy, "fifo");
    end();
}

static void a_cut_trace_is_told(void) {
    static const char *const paths[] = {TRACE};
    struct grt_errors errors = {0};
    struct grt_trace_source source;
    struct grt_output *output = grt_output_open(TRACE, &errors);
    put(SCENARIO, VIEW_SCENARIO, sizeof VIEW_SCENARIO - 1);
    CU_ASSERT_FATAL(output != NULL && grt_trace_source_open(&source, SCENARIO, &errors));
    CU_ASSERT_EQUAL(grt_trace_source_play(&source, NULL, &grt_trace_file_sink, output, NULL, &errors),
                    GRT_PLAY_DONE);
    CU_ASSERT(grt_output_close(output, &errors));
    grt_trace_source_close(&source);
    size_t size;
    char *text = grt_file_text(TRACE, &size);
    put(TRACE, text, size - 40);
    view_driver_open(&driver, paths, 1, NULL);
    CU_ASSERT(view_shows(&driver, "was cut short"));
    end();
    put(TRACE, text, size);
    view_driver_open(&driver, paths, 1, NULL);
    CU_ASSERT_FALSE(view_shows(&driver, "was cut short"));
    end();
    free(text);
}

/* Changes of the command line are for the scenario; the trace beside it stays as it is. */
static void a_scenario_beside_a_trace(void) {
    static const char *const paths[] = {SCENARIO, TRACE}, *const traces[] = {TRACE, TRACE};
    struct viewer_options options = {.policy = "np-edf"};
    struct grt_errors errors = {0};
    put(SCENARIO, VIEW_SCENARIO, sizeof VIEW_SCENARIO - 1);
    view_driver_open(&driver, paths, 2, &options);
    CU_ASSERT_STRING_EQUAL(viewer_title(driver.viewer), "A: kept.json (np-edf), B: kept.trc - gpurt-view");
    end();
    CU_ASSERT_PTR_NULL(viewer_create(traces, 2, &options, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
}

static void hidden_rows_are_told(void) {
    begin();
    view_do(&driver, "command filter sm:*,big\n");
    CU_ASSERT(view_shows(&driver, "hidden or filtered away"));
    view_do(&driver, "command next-miss\n");
    view_says(&driver, "it is in the hidden row small");
    end();
}

/* All differences in the order of time, and back. */
static void steps_over_differences(void) {
    begin();
    view_do(&driver,
            "command next-difference\nexpect there is one run only\ncommand against policy=np-edf\n");
    const struct grt_difference *difference = view_difference_of(driver.viewer);
    grt_time last = -1, first = difference->first;
    uint32_t count = 0;
    CU_ASSERT_NOT_EQUAL_FATAL(first, GRT_TIME_NEVER);
    for (view_do(&driver, "key shift+d\n"); driver.viewer->difference_at > last && count < 1000; count++) {
        CU_ASSERT_EQUAL(count == 0, driver.viewer->difference_at == first);
        last = driver.viewer->difference_at;
        view_do(&driver, "key shift+d\n");
    }
    view_says(&driver, "there is no difference after this one");
    CU_ASSERT(count > 1);
    while (--count > 0) {
        view_do(&driver, "key shift+a\n");
        CU_ASSERT(driver.viewer->difference_at < last);
        last = driver.viewer->difference_at;
    }
    CU_ASSERT_EQUAL(last, first);
    view_do(&driver, "key shift+a\nexpect there is no difference before this one\n");
    end();
}

static CU_TestInfo tests[] = {
    {"the job is kept under another policy", the_job_is_kept_under_another_policy},
    {"the job is kept in a new version of the file", the_job_is_kept_in_a_new_version_of_the_file},
    {"titles tell changes apart", titles_tell_changes_apart},
    {"a stopped simulation changes no name", a_stopped_simulation_changes_no_name},
    {"a cut trace is told", a_cut_trace_is_told},
    {"a scenario beside a trace", a_scenario_beside_a_trace},
    {"hidden rows are told", hidden_rows_are_told},
    {"steps over differences", steps_over_differences},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_kept", tests);
}
