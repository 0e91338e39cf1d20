/* labels: view */
/* What is shown: changes of a scenario, a second run, files that change under the viewer, pictures that are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/file_text.h"
#include "tests/support/played_source.h"
#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "tests/support/view_traces.h"

#define SCENARIO GRT_SCRATCH_DIR "/late.json"
#define TRACE GRT_SCRATCH_DIR "/trace"
#define MS INT64_C(1000000)

static struct view_driver driver;

static void begin(void) {
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
}

static void end(void) {
    view_driver_close(&driver);
}

static uint32_t misses(void) {
    return view_timeline(driver.viewer, 0)->miss_count;
}

/* ---- changes ---- */

static void another_policy(void) {
    begin();
    CU_ASSERT_EQUAL(misses(), 5);
    view_do(&driver, "key w w w w w w\ncommand jump 50ms\n");
    grt_time from = driver.viewer->view.from;
    uint64_t before = view_paint(&driver);
    view_do(&driver, "key o\ntype np-edf\nkey Enter\nexpect simulated with policy=np-edf\n");
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), before);
    CU_ASSERT_EQUAL(driver.viewer->view.from, from); /* the view stays */
    CU_ASSERT_EQUAL(misses(),
                    0); /* small's are the earliest deadlines, and nothing is long enough to block it */
    CU_ASSERT_PTR_NOT_NULL(strstr(viewer_title(driver.viewer), "np-edf"));
    view_refuses(&driver, "command policy none-such\n", "none-such");
    CU_ASSERT_EQUAL(misses(), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(viewer_title(driver.viewer), "np-edf"));
    view_do(&driver, "key shift+e\nexpect the last change was taken back\n");
    CU_ASSERT_EQUAL(misses(), 5);
    view_do(&driver, "key shift+e\nexpect nothing was changed\n");
    view_do(&driver, "command jump 50ms\nexpect at 50 ms\n");
    end();
}

static void another_parameter(void) {
    begin();
    view_do(&driver,
            "key e\ntype tasks[2].period=10ms\nkey Enter\nexpect simulated with tasks[2].period=10ms\n");
    CU_ASSERT_EQUAL(misses(), 0);
    uint64_t good = view_paint(&driver);
    static const char *const wrong[][2] = {
        {"set tasks[2].period=0\n", "period"},
        {"set tasks[9].period=1ms\n", "tasks[9]"},
        {"set tasks[2].period\n",
         "a change is written path=value, as in tasks[0].period=20ms (got \"tasks[2].period\")"},
        {"set =\n", ""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "command %s", wrong[i][0]);
        view_refuses(&driver, line, wrong[i][1]);
        CU_ASSERT_EQUAL(misses(), 0);
        view_do(&driver, "command reload\n");
        CU_ASSERT_EQUAL(misses(), 0); /* nothing of it stayed */
    }
    view_do(&driver, "command set tasks[2].period=10ms\n");
    CU_ASSERT_EQUAL(view_paint(&driver), good);
    view_do(&driver, "command set tasks[2].period=5ms\ncommand unset\n");
    CU_ASSERT_EQUAL(misses(), 0);
    end();
}

static const struct view_changes *changes(void) {
    return &driver.viewer->documents[0].changes;
}

/* Whatever their order, the last change goes first, and what it had replaced is back. */
static void unset_takes_the_last_change_back(void) {
    begin();
    view_do(&driver,
            "command set tasks[2].period=10ms\ncommand policy np-edf\ncommand set tasks[0].period=40ms\n");
    view_do(&driver, "command unset\n");
    CU_ASSERT(changes()->count == 2 && strcmp(changes()->texts[1], "policy=np-edf") == 0);
    view_do(&driver, "command unset\n");
    CU_ASSERT(changes()->count == 1 && strcmp(changes()->texts[0], "tasks[2].period=10ms") == 0);
    uint32_t with_10ms = misses();
    view_do(&driver, "command set tasks[2].period=20ms\ncommand unset\n");
    CU_ASSERT_EQUAL(misses(), with_10ms);
    CU_ASSERT_NOT_EQUAL(with_10ms, 5);
    view_do(&driver, "command unset\n");
    CU_ASSERT_EQUAL(changes()->count, 0);
    CU_ASSERT_EQUAL(misses(), 5);
    end();
}

/* What changes come to: the last value of each path; parameters of a policy go with it. */
static void changes_add_up(void) {
    static const char *const all[] = {"a=1", "policy.x=2", "policy=p", "b=3", "policy.y=4", "a=5"};
    static const char *const left[] = {"b=3", "policy.y=4", "a=5"};
    struct view_changes list = {0};
    for (int i = 0; i < 6; i++) {
        view_changes_add(&list, all[i]);
    }
    struct view_changes_sum sum = view_changes_sum(&list);
    CU_ASSERT_STRING_EQUAL(sum.policy, "p");
    CU_ASSERT_EQUAL_FATAL(sum.set_count, 3);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(sum.sets[i], left[i]);
    }
    free(sum.sets);
    view_changes_free(&list);
}

static void a_trace_has_nothing_to_change(void) {
    static const char *const paths[] = {TRACE};
    view_trace_write(VIEW_TRACE_OF_TEN_YEARS, TRACE);
    view_driver_open(&driver, paths, 1, NULL);
    view_refuses(&driver, "command policy fifo\n",
                 "is a trace: only scenarios can be simulated with changes");
    view_refuses(&driver, "command set tasks[0].period=1ms\n", "is a trace");
    view_refuses(&driver, "command unset\n", "is a trace");
    view_refuses(&driver, "command against policy=fifo\n", "is a trace");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 1);
    end();
}

/* ---- two runs ---- */

static void a_second_run(void) {
    begin();
    uint32_t rows = driver.viewer->view.row_count;
    uint64_t alone = view_paint(&driver);
    view_do(&driver, "key v\ntype policy=np-edf\nkey Enter\nexpect A is the first run, B the second\n");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 2);
    CU_ASSERT_EQUAL(driver.viewer->view.row_count, 2 * rows);
    CU_ASSERT_EQUAL(driver.viewer->view.rows[0].run, 0); /* each beside its like */
    CU_ASSERT_EQUAL(driver.viewer->view.rows[1].run, 1);
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, 0), view_row_name(&driver, 1));
    CU_ASSERT(view_shapes(&driver, GRT_ROLE_DIFFERENCE) > 0);
    view_do(&driver, "key 4\n");
    CU_ASSERT(view_shows(&driver, "Missed deadlines: 5 in A, 0 in B."));
    view_do(&driver, "command panel-choose 0\n");
    CU_ASSERT(grt_place_is_some(&driver.viewer->chosen.place));
    uint64_t differing = view_difference_of(driver.viewer)->differing_jobs;
    view_do(&driver, "key Down\ncommand tolerance 1s\n");
    CU_ASSERT_EQUAL(view_difference_of(driver.viewer)->differing_jobs,
                    5); /* those that miss in one run only */
    CU_ASSERT(differing > 5);
    CU_ASSERT(view_shows(&driver, "5 jobs differ"));
    view_refuses(&driver, "command tolerance -1ms\n", "");
    view_refuses(&driver, "command tolerance x\n", "");
    /* The run of the row with the keyboard is changed. */
    view_do(&driver, "command filter small\ncommand clear\nkey Up Up Down\ncommand policy fifo\n");
    CU_ASSERT_EQUAL(view_timeline(driver.viewer, 1)->miss_count, 5);
    view_do(&driver, "key shift+h\ncommand tolerance 0ms\n");
    CU_ASSERT_EQUAL(view_shapes(&driver, GRT_ROLE_DIFFERENCE), 0);
    view_do(&driver, "key shift+v 0 Esc\n");
    CU_ASSERT_EQUAL(driver.viewer->panel, VIEW_PANEL_NONE); /* there are no differences any more */
    CU_ASSERT_EQUAL(driver.viewer->view.row_count, rows);
    driver.viewer->cursor = GRT_NO_SHOWN_ROW;
    CU_ASSERT_EQUAL(view_paint(&driver), alone);
    view_do(&driver, "key shift+v\nexpect there is one run only\n");
    end();
}

/* What is refused changes nothing, not even the second run that is shown. */
static void a_second_run_that_is_refused(void) {
    begin();
    view_refuses(&driver, "command against /nowhere\n", "/nowhere");
    view_refuses(&driver, "command against policy=none-such\n", "none-such");
    view_refuses(&driver, "command against tasks[0].period=0\n", "period");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 1);
    view_do(&driver, "command against policy=np-edf\n");
    uint64_t two = view_paint(&driver);
    view_refuses(&driver, "command against /nowhere\n", "/nowhere");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 2);
    view_do(&driver, "expect /nowhere\ncommand against policy=np-edf\n"); /* the same as was there */
    CU_ASSERT_EQUAL(view_paint(&driver), two);
    view_trace_write(VIEW_TRACE_OF_AN_INSTANT, TRACE);
    view_do(&driver, "command against " TRACE "\n");
    CU_ASSERT_EQUAL(view_timeline(driver.viewer, 1)->miss_count, 1);
    view_do(&driver, "command against " SCENARIO "\n");
    CU_ASSERT_EQUAL(view_timeline(driver.viewer, 1)->miss_count, 5);
    end();
}

/* By the name that it has in the library, as on the command line. */
static void a_second_run_of_the_library(void) {
    setenv("GPURT_LIBRARY", GRT_SOURCE_DIR "/scenarios", 1);
    begin();
    view_do(&driver, "command against quickstart\n");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 2);
    CU_ASSERT_STRING_EQUAL(driver.viewer->documents[1].path, GRT_SOURCE_DIR "/scenarios/quickstart.json");
    view_refuses(&driver, "command against quikstart\n", "quikstart: there is no such file, and no scenario");
    CU_ASSERT_EQUAL(driver.viewer->document_count, 2);
    end();
    unsetenv("GPURT_LIBRARY");
}

/* ---- files that change ---- */

/* A new file in the place of the old one, as editors and gpurt write it. */
static void put(const char *path, const char *text) {
    source_put_text(SCENARIO ".new", text);
    CU_ASSERT_EQUAL(rename(SCENARIO ".new", path), 0);
}

#define OTHER                                                                                                \
    "{\"gpurt\":1,\"horizon\":\"50ms\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"tasks\":["     \
    "{\"name\":\"only\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"map\",\"time\":\"6ms\"}]}" \
    "]}]}"

static void a_file_that_changes(void) {
    begin();
    CU_ASSERT_FALSE(viewer_look_at_files(driver.viewer));
    CU_ASSERT_FALSE(viewer_has_changed(driver.viewer));
    uint64_t before = view_paint(&driver);
    put(SCENARIO, OTHER);
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    view_says(&driver, "was read again");
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), before);
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, 0), "only");
    CU_ASSERT(view_is_sane(&driver));
    CU_ASSERT_FALSE(viewer_look_at_files(driver.viewer));
    end();
}

static void a_bad_new_file(void) {
    begin();
    view_do(&driver, "command jump small 8\n");
    put(SCENARIO, "{\"gpurt\":1,");
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    view_says(&driver, SCENARIO " has changed, but 1:");
    CU_ASSERT_EQUAL(misses(), 5); /* the old picture stays */
    CU_ASSERT(grt_place_is_some(&driver.viewer->chosen.place));
    view_paint(&driver);
    CU_ASSERT_FALSE(viewer_look_at_files(driver.viewer)); /* it is told once */
    view_do(&driver, "key 1 Esc w s\n");
    put(SCENARIO, OTHER);
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, 0), "only");
    CU_ASSERT_EQUAL(remove(SCENARIO), 0);
    CU_ASSERT_FALSE(viewer_look_at_files(driver.viewer)); /* between two versions */
    view_do(&driver, "key F5\nexpect No such file\n");
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, 0), "only");
    put(SCENARIO, VIEW_SCENARIO);
    view_do(&driver, "key ctrl+r\nexpect read again\n");
    CU_ASSERT_EQUAL(misses(), 5);
    end();
}

/* Something that is no file in the place of the file is told once too: a window at rest stays at rest. */
static void a_folder_in_the_place_of_the_file(void) {
    begin();
    CU_ASSERT_EQUAL(remove(SCENARIO), 0);
    CU_ASSERT_EQUAL(mkdir(SCENARIO, 0700), 0);
    viewer_look_at_files(driver.viewer);
    view_paint(&driver);
    CU_ASSERT_FALSE(viewer_look_at_files(driver.viewer));
    CU_ASSERT_FALSE(viewer_has_changed(driver.viewer));
    CU_ASSERT_EQUAL(misses(), 5);
    CU_ASSERT_EQUAL(rmdir(SCENARIO), 0);
    put(SCENARIO, OTHER);
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, 0), "only");
    end();
}

/* What the user has made of rows stays where such rows are there still; changes of the scenario are made to the new file. */
static void a_change_of_the_file_keeps_what_was_done(void) {
    begin();
    view_do(&driver, "command set tasks[0].period=25ms\nkey Down Down h Up p\n");
    put(SCENARIO, VIEW_SCENARIO " ");
    CU_ASSERT(viewer_look_at_files(driver.viewer));
    CU_ASSERT_EQUAL(view_row_called(&driver, 0, "third"), GRT_NO_SHOWN_ROW);
    CU_ASSERT_EQUAL(driver.viewer->view.pinned, 1);
    CU_ASSERT_EQUAL(changes()->count, 1);
    CU_ASSERT(grt_timeline_row(view_timeline(driver.viewer, 0), GRT_ROW_TASK, 0)->tracks[0].track->count ==
              4);
    end();
}

/* ---- pictures ---- */

static void expect_file(const char *path, const char *begins) {
    size_t bytes = 0;
    char *text = grt_file_text(path, &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(bytes > 1000);
    CU_ASSERT_EQUAL(memcmp(text, begins, strlen(begins)), 0);
    free(text);
}

static void pictures(void) {
    begin();
    view_do(&driver, "key F12\ntype " GRT_SCRATCH_DIR "/a.svg\nkey Enter\nexpect a.svg was written\n");
    expect_file(GRT_SCRATCH_DIR "/a.svg", "<");
    if (grt_paint_is_built_in()) {
        view_do(&driver,
                "command export " GRT_SCRATCH_DIR "/a.png\ncommand export " GRT_SCRATCH_DIR "/a.PDF\n");
        expect_file(GRT_SCRATCH_DIR "/a.png", "\x89PNG");
        expect_file(GRT_SCRATCH_DIR "/a.PDF", "%PDF-");
    }
    view_refuses(&driver, "command export " GRT_SCRATCH_DIR "/a.gif\n",
                 "the name must end in .png, .svg or .pdf");
    view_refuses(&driver, "command export .svg\n", "the name must end in");
    view_refuses(&driver, "command export /nowhere/a.svg\n", "/nowhere/a.svg");
    view_do(&driver, "key F12\ntype /nowhere/a.svg\nkey Enter\nexpect /nowhere/a.svg\n");
    CU_ASSERT(viewer_wants_text(driver.viewer)); /* to be corrected */
    end();
}

/* What is written is what is in view, also where it has not been painted since. */
static void a_picture_is_of_now(void) {
    begin();
    view_do(&driver, "command export " GRT_SCRATCH_DIR "/whole.svg\n");
    driver.paints = false;
    view_do(&driver, "command filter small\ncommand export " GRT_SCRATCH_DIR "/small.svg\n");
    size_t bytes;
    char *text = grt_file_text(GRT_SCRATCH_DIR "/small.svg", &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "small"));
    CU_ASSERT_PTR_NULL(strstr(text, ">third<"));
    free(text);
    end();
}

static void files_that_cannot_be_shown(void) {
    static const char *const paths[] = {TRACE, "/nowhere/b"};
    struct viewer_options options = {.width = 500};
    struct grt_errors errors = {0};
    source_put_text(TRACE, "{\"gpurt\":1,\"horizon\":\"1s\",\"tasks\":[{}],\"platform\":{},\"sed\":1}");
    CU_ASSERT_PTR_NULL(viewer_create(paths, 1, &options, &errors));
    CU_ASSERT(errors.count >= 2); /* all that is wrong */
    for (size_t i = 0; i < errors.count && i < GRT_ERRORS_KEPT; i++) {
        CU_ASSERT_EQUAL(strncmp(errors.messages[i], TRACE ": ", strlen(TRACE) + 2), 0);
    }
    grt_errors_clear(&errors);
    view_trace_write(VIEW_TRACE_OF_AN_INSTANT, TRACE);
    CU_ASSERT_PTR_NULL(viewer_create(paths, 2, &options, &errors));
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "/nowhere/b: "));
    grt_errors_clear(&errors);
    options.policy = "fifo";
    CU_ASSERT_PTR_NULL(viewer_create(paths, 1, &options, &errors));
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "is a trace, which cannot be simulated"));
    grt_errors_clear(&errors);
}

static CU_TestInfo tests[] = {
    {"another policy", another_policy},
    {"another parameter", another_parameter},
    {"the last change is taken back", unset_takes_the_last_change_back},
    {"changes add up", changes_add_up},
    {"a trace has nothing to change", a_trace_has_nothing_to_change},
    {"a second run", a_second_run},
    {"a second run that is refused", a_second_run_that_is_refused},
    {"a second run of the library", a_second_run_of_the_library},
    {"a file that changes is read again", a_file_that_changes},
    {"a bad new file leaves the old picture", a_bad_new_file},
    {"a folder in the place of the file", a_folder_in_the_place_of_the_file},
    {"a change of the file keeps what was done", a_change_of_the_file_keeps_what_was_done},
    {"pictures", pictures},
    {"a picture is of now", a_picture_is_of_now},
    {"files that cannot be shown", files_that_cannot_be_shown},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_files", tests);
}
