/* labels: robustness */
/* Traces from files and from scenarios, as the commands and the window program take them: opened, refused, played again and
 * with changes, through pipes, and of files that change under their reader. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/file_text.h"
#include "tests/support/played_source.h"
#include "tests/support/suite.h"

#define TRACE GRT_SCRATCH_DIR "/source.trc"
#define SCENARIO GRT_SCRATCH_DIR "/source.json"

static bool same_records(const struct heard_trace *left, const struct heard_trace *right) {
    return left->kept.record_count == right->kept.record_count &&
           (left->kept.record_count == 0 ||
            memcmp(left->kept.records, right->kept.records,
                   left->kept.record_count * sizeof(struct grt_trace_record)) == 0);
}

/* ---- Traces and scenarios ---- */

/* A scenario and its trace say the same, and again the second time. */
static void test_either(void) {
    struct grt_trace_source scenario, trace;
    struct heard_trace heard[4] = {{0}};
    source_write_trace(SOURCE_TEXT("20ms"), SCENARIO, TRACE);
    source_open(&scenario, SCENARIO);
    source_open(&trace, TRACE);
    CU_ASSERT(scenario.is_scenario);
    CU_ASSERT_FALSE(trace.is_scenario);
    CU_ASSERT_PTR_NULL(scenario.policy);
    for (size_t i = 0; i < 4; i++) {
        source_play_well(i < 2 ? &scenario : &trace, &heard[i]);
        CU_ASSERT_EQUAL(heard[i].kept.record_count, 6 * 6); /* 2 jobs of slow, 4 of fast */
        CU_ASSERT(same_records(&heard[i], &heard[0]));
        CU_ASSERT_EQUAL(heard[i].kept.name_count, heard[0].kept.name_count);
    }
    CU_ASSERT_STRING_EQUAL(scenario.policy, "fifo");
    CU_ASSERT_PTR_NULL(trace.policy);
    CU_ASSERT_FALSE(trace.cut);
    for (size_t i = 0; i < 4; i++) {
        heard_trace_free(&heard[i]);
    }
    grt_trace_source_close(&scenario);
    grt_trace_source_close(&trace);
    grt_trace_source_close(&trace); /* and once more */
}

static void check_unopened(const char *path, const char *message) {
    struct grt_errors errors = {0};
    struct grt_trace_source source;
    CU_ASSERT_FALSE(grt_trace_source_open(&source, path, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
    grt_trace_source_close(&source);
}

/* What is opened but no scenario is refused when it is played, without a word to the sink. */
static void check_unplayed(const char *text, const char *message) {
    struct grt_trace_source source;
    struct heard_trace heard = {0};
    source_put_text(SCENARIO, text);
    source_open(&source, SCENARIO);
    source_play(&source, NULL, NULL, &heard, GRT_PLAY_REFUSED, message);
    CU_ASSERT_FALSE(heard.named);
    grt_trace_source_close(&source);
}

static void test_bad_files(void) {
    check_unopened(GRT_SCRATCH_DIR "/nothing", "cannot be opened: No such file or directory");
    check_unopened(GRT_SCRATCH_DIR, "cannot be read: Is a directory");
    check_unplayed("", "1:1: the text is empty");
    check_unplayed("x", "1:1: expected a value");
    check_unplayed("GPURT", "is cut short within its header");
    check_unplayed("GPURTTRD", "1:1: expected a value");
    source_put_text(SCENARIO, "[");
    CU_ASSERT_EQUAL_FATAL(truncate(SCENARIO, 70 * 1024 * 1024), 0); /* with a hole */
    check_unopened(SCENARIO, "is larger than 64 MiB");
    remove(SCENARIO);
}

/* ---- Changes ---- */

static void test_changes(void) {
    static const char *const sets[] = {"tasks[1].period=20ms"}, *const wrong[] = {"tasks[7].period=20ms"};
    const struct grt_scenario_changes policy = {.policy = "np-edf"}, unknown = {.policy = "no-such"};
    const struct grt_scenario_changes longer = {.sets = sets, .set_count = 1},
                                      nowhere = {.sets = wrong, .set_count = 1};
    struct grt_trace_source source;
    struct heard_trace as_said = {0}, edf = {0}, rarer = {0}, again = {0}, refused = {0};
    source_put_text(SCENARIO, SOURCE_TEXT("20ms"));
    source_open(&source, SCENARIO);
    remove(SCENARIO); /* what was read is enough */
    source_play_well(&source, &as_said);
    source_play(&source, &policy, NULL, &edf, GRT_PLAY_DONE, "");
    CU_ASSERT_STRING_EQUAL(source.policy, "np-edf");
    CU_ASSERT_FALSE(same_records(&edf, &as_said));
    source_play(&source, &longer, NULL, &rarer, GRT_PLAY_DONE, "");
    CU_ASSERT_STRING_EQUAL(source.policy, "fifo");
    CU_ASSERT_EQUAL(rarer.kept.record_count, 6 * 3);
    struct grt_errors errors = {0};
    CU_ASSERT_EQUAL(grt_trace_source_play(&source, &unknown, &heard_trace_sink, &refused, NULL, &errors),
                    GRT_PLAY_REFUSED);
    CU_ASSERT_EQUAL(grt_trace_source_play(&source, &nowhere, &heard_trace_sink, &refused, NULL, &errors),
                    GRT_PLAY_REFUSED);
    CU_ASSERT(errors.count >= 2);
    CU_ASSERT_FALSE(refused.named);
    CU_ASSERT_STRING_EQUAL(source.policy, "fifo"); /* that of the last that was simulated */
    source_play_well(&source, &again);
    CU_ASSERT(same_records(&again, &as_said));
    grt_errors_clear(&errors);
    heard_trace_free(&as_said);
    heard_trace_free(&edf);
    heard_trace_free(&rarer);
    heard_trace_free(&again);
    grt_trace_source_close(&source);
}

/* Device files are sought beside the scenario, wherever the program runs. */
static void test_folder(void) {
    struct grt_trace_source source;
    struct heard_trace heard = {0};
    source_put_text(GRT_SCRATCH_DIR "/own.json", "{\"sm_count\":1,\"copy_engines\":1}");
    source_put_text(SCENARIO,
                    "{\"gpurt\":1,\"horizon\":\"1ms\",\"platform\":{\"gpus\":[{\"device\":\"own.json\"}]},"
                    "\"tasks\":[{\"name\":\"a\",\"period\":\"1ms\",\"segments\":[{\"cpu\":\"1us\"}]}]}");
    source_open(&source, SCENARIO);
    source_play_well(&source, &heard);
    CU_ASSERT_EQUAL(heard.kept.record_count, 3);
    heard_trace_free(&heard);
    grt_trace_source_close(&source);
}

/* ---- Files that change ---- */

/* Sets a file's time of change to the given nanoseconds behind one second. */
static void set_time(const char *path, long nanoseconds) {
    const struct timespec times[2] = {{1, nanoseconds}, {1, nanoseconds}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void append(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "ab");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_changed_files(void) {
    static const char *const paths[] = {TRACE, SCENARIO};
    source_write_trace(SOURCE_TEXT("20ms"), SCENARIO, TRACE);
    for (size_t i = 0; i < 2; i++) {
        struct grt_trace_source source;
        set_time(paths[i], 5);
        source_open(&source, paths[i]);
        CU_ASSERT_FALSE(grt_trace_source_has_changed(&source));
        set_time(paths[i], 6);
        CU_ASSERT(grt_trace_source_has_changed(&source));
        set_time(paths[i], 5);
        CU_ASSERT_FALSE(grt_trace_source_has_changed(&source));
        append(paths[i], " ", 1);
        set_time(paths[i], 5);
        CU_ASSERT(grt_trace_source_has_changed(&source)); /* by its size */
        remove(paths[i]);
        CU_ASSERT_FALSE(grt_trace_source_has_changed(&source));
        source_put_text(GRT_SCRATCH_DIR "/other", "x");
        CU_ASSERT_EQUAL(rename(GRT_SCRATCH_DIR "/other", paths[i]), 0);
        CU_ASSERT(grt_trace_source_has_changed(&source));
        grt_trace_source_close(&source);
    }
}

/* The same bytes, size and time in another file: told by the inode. */
static void test_replaced_file(void) {
    struct grt_trace_source source;
    source_put_text(SCENARIO, SOURCE_TEXT("20ms"));
    set_time(SCENARIO, 5);
    source_open(&source, SCENARIO);
    source_put_text(GRT_SCRATCH_DIR "/other", SOURCE_TEXT("20ms"));
    set_time(GRT_SCRATCH_DIR "/other", 5);
    CU_ASSERT_EQUAL(rename(GRT_SCRATCH_DIR "/other", SCENARIO), 0);
    CU_ASSERT(grt_trace_source_has_changed(&source));
    grt_trace_source_close(&source);
    CU_ASSERT_FALSE(grt_trace_source_has_changed(&(struct grt_trace_source){0}));
}

/* A trace that is being written: each time all that is whole of it. */
static void test_growing_file(void) {
    struct grt_trace_source first, second;
    struct heard_trace heard[4] = {{0}};
    const struct grt_trace_record more[2] = {
        {.time = GRT_SECOND, .other = GRT_TIME_NEVER, .kind = GRT_TRACE_RELEASE},
        {.time = 2 * GRT_SECOND, .other = GRT_SECOND, .kind = GRT_TRACE_FINISH}};
    source_write_trace(SOURCE_TEXT("20ms"), SCENARIO, TRACE);
    source_open(&first, TRACE);
    source_play_well(&first, &heard[0]);
    append(TRACE, more, 40);
    source_play_well(&first, &heard[1]);
    CU_ASSERT(first.cut);
    CU_ASSERT_EQUAL(heard[1].kept.record_count, heard[0].kept.record_count + 1);
    CU_ASSERT(grt_trace_source_has_changed(&first));
    source_open(&second, TRACE);
    CU_ASSERT_FALSE(grt_trace_source_has_changed(&second));
    source_play_well(&second, &heard[2]);
    CU_ASSERT(second.cut && same_records(&heard[2], &heard[1]));
    append(TRACE, (const char *)more + 40, sizeof more - 40);
    source_play_well(&second, &heard[3]);
    CU_ASSERT_FALSE(second.cut);
    CU_ASSERT_EQUAL(heard[3].kept.record_count, heard[0].kept.record_count + 2);
    for (size_t i = 0; i < 4; i++) {
        heard_trace_free(&heard[i]);
    }
    grt_trace_source_close(&first);
    grt_trace_source_close(&second);
}

/* ---- Pipes ---- */

/* A process writes a file into a pipe with a name, in pieces. */
static pid_t begin_pipe(const char *path, const char *pipe_path, size_t piece) {
    remove(pipe_path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(pipe_path, 0600), 0);
    pid_t writer = fork();
    CU_ASSERT_FATAL(writer >= 0);
    if (writer == 0) {
        size_t size;
        const char *bytes = grt_file_text(path, &size);
        int fd = open(pipe_path, O_WRONLY);
        for (size_t at = 0; at < size; at += piece) {
            size_t rest = size - at < piece ? size - at : piece;
            if (write(fd, bytes + at, rest) != (ssize_t)rest) {
                _exit(1);
            }
        }
        _exit(0);
    }
    return writer;
}

static void test_pipes(void) {
    static const char *const paths[] = {TRACE, SCENARIO};
    static const char pipe_path[] = GRT_SCRATCH_DIR "/pipe";
    source_write_trace(SOURCE_TEXT("20ms"), SCENARIO, TRACE);
    for (size_t i = 0; i < 2; i++) {
        struct grt_trace_source source;
        struct heard_trace heard = {0}, again = {0};
        int status;
        pid_t writer = begin_pipe(paths[i], pipe_path, 3);
        source_open(&source, pipe_path);
        source_play_well(&source, &heard);
        CU_ASSERT_EQUAL(heard.kept.record_count, 6 * 6);
        CU_ASSERT_FALSE(grt_trace_source_has_changed(&source));
        if (source.is_scenario) {
            source_play_well(&source, &again);
        } else {
            source_play(&source, NULL, NULL, &again, GRT_PLAY_REFUSED, "cannot be read twice: Illegal seek");
        }
        CU_ASSERT_EQUAL(waitpid(writer, &status, 0), writer);
        grt_trace_source_close(&source);
        heard_trace_free(&heard);
        heard_trace_free(&again);
    }
    remove(pipe_path);
}

int main(void) {
    CU_TestInfo tests[] = {{"trace or scenario", test_either},
                           {"bad files", test_bad_files},
                           {"changes", test_changes},
                           {"folder", test_folder},
                           {"changed files", test_changed_files},
                           {"replaced file", test_replaced_file},
                           {"growing file", test_growing_file},
                           {"pipes", test_pipes},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("trace source", tests);
}
