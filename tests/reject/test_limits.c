/* labels: robustness */
/* The limits of docs/limits.md: what is at a limit is accepted, one more is refused with a sentence, and the document has the numbers that the code has. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calib/evt/pwcet.h"
#include "calib/program/import/sqlite_table.h"
#include "models/world.h"
#include "policies/registry.h"
#include "scenarios/examiner.h"
#include "scenarios/experiment/experiment.h"
#include "scenarios/json_syntax.h"
#include "scenarios/kernels.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "sim/trace_file.h"
#include "study/results/results.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"
#include "viz/view/document.h"

static char *document;

/* ---- the document ---- */

/* "4,096". */
static void with_commas(int64_t number, char text[32]) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRId64, number), used = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

/* Whether there is a row "| what | 4,096". */
static void check_document(const char *what, int64_t most) {
    char number[32], row[200];
    with_commas(most, number);
    snprintf(row, sizeof row, "\n| %s | %s", what, number);
    if (strstr(document, row) == NULL) {
        fprintf(stderr, "docs/limits.md has no row%s\n", row + 1);
        CU_ASSERT(false);
    }
}

/* ---- texts ---- */

#define PLATFORM "\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]"
#define TASK "\"tasks\":[{\"name\":\"a\",\"period\":\"1s\",\"segments\":[{\"cpu\":\"1ms\"}]}]}"
#define START "{\"gpurt\":1,\"horizon\":\"1s\","
#define FIRST START PLATFORM "},\"policy\":{\"name\":\"fifo\"},"
#define ONE_TASK(more) FIRST "\"tasks\":[{\"name\":\"a\",\"period\":\"1s\"," more
#define BLOCKS "\"blocks\":1,\"threads\":1,\"block_time\":\"1us\""

/* What is repeated between `before` and `after`: '#' is its number. */
struct limit {
    const char *what; /* in the document */
    int64_t most;
    enum { LIST, TEXT, NUMBER } how; /* a text has so many bytes, a number that value */
    const char *before, *item, *after, *message;
    bool only_above; /* what is at the limit is refused for another reason */
};

static const struct limit limits[] = {
    {"tasks", GRT_MAX_TASKS, LIST, FIRST "\"tasks\":[",
     "{\"name\":\"t#\",\"period\":\"1s\",\"segments\":[{\"cpu\":\"1ns\"}]}", "]}",
     "tasks: must have between 1 and 4096 elements (got 4097)", false},
    {"segments of a task", GRT_MAX_SEGMENTS, LIST, ONE_TASK("\"segments\":["), "{\"cpu\":\"1ns\"}", "]}]}",
     "tasks[0].segments: must have between 1 and 256 elements (got 257)", false},
    {"commands of a segment", GRT_MAX_COMMANDS, LIST, ONE_TASK("\"segments\":[{\"gpu\":["),
     "{\"h2d\":\"1B\"}", "]}]}]}",
     "tasks[0].segments[0].gpu: must have between 1 and 1024 elements (got 1025)", false},
    {"launches of a kernel", GRT_MAX_LAUNCHES, LIST,
     ONE_TASK("\"segments\":[{\"gpu\":[{\"kernel\":\"k\"," BLOCKS ",\"launches\":["),
     "{\"kernel\":\"c\",\"at\":\"1ns\"," BLOCKS "}", "]}]}]}]}",
     "tasks[0].segments[0].gpu[0].launches: must have between 1 and 64 elements (got 65)", true},
    {"definitions of kernels", GRT_MOST_DEFINITIONS, LIST, FIRST "\"kernels\":[",
     "{\"name\":\"k#\",\"time\":\"1s\"}", "]," TASK,
     "kernels: must have between 1 and 4096 elements (got 4097)", false},
    {"cores", GRT_MAX_CORES, NUMBER, START PLATFORM ",\"cpus\":", "#",
     "},\"policy\":{\"name\":\"fifo\"}," TASK, "platform.cpus: must be between 0 and 256 (got 257)", true},
    {"GPUs", GRT_MAX_GPUS, LIST, START "\"platform\":{\"gpus\":[", "{\"device\":\"exclusive\"}",
     "]},\"policy\":{\"name\":\"fifo\"}," TASK, "platform.gpus: must have between 1 and 8 elements (got 9)",
     false},
    {"processes", GRT_MAX_PROCESSES, LIST, START PLATFORM ",\"processes\":[", "{\"name\":\"p#\"}",
     "]},\"policy\":{\"name\":\"fifo\"}," TASK,
     "platform.processes: must have between 0 and 64 elements (got 65)", true},
    {"groups of TPCs", GRT_MAX_GROUPS, LIST, START PLATFORM ",\"groups\":[", "{\"name\":\"g#\",\"sms\":1}",
     "]},\"policy\":{\"name\":\"fifo\"}," TASK,
     "platform.groups: must have between 0 and 1024 elements (got 1025)", true},
    {"releases in a list", 100000, LIST,
     FIRST "\"tasks\":[{\"name\":\"a\",\"segments\":[{\"cpu\":\"1ns\"}],\"times\":[", "\"1s\"", "]}]}",
     "tasks[0].times: must have between 1 and 100000 elements (got 100001)", false},
    {"measured values of a distribution", GRT_MOST_MEASURED, LIST,
     ONE_TASK("\"segments\":[{\"cpu\":{\"distribution\":\"empirical\",\"max\":\"1us\",\"values\":["),
     "\"1us\"", "]}}]}]}",
     "tasks[0].segments[0].cpu.values: must have between 1 and 100000 elements (got 100001)", false},
    {"bytes of a name", 64, TEXT,
     FIRST "\"tasks\":[{\"period\":\"1s\",\"segments\":[{\"cpu\":\"1ns\"}],\"name\":\"", "n", "\"}]}",
     "tasks[0].name: must be 1 to 64 bytes long (got \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...)", false},
    {"bytes of a description", 4096, TEXT, FIRST "\"description\":\"", "n", "\"," TASK,
     "description: must be 0 to 4096 bytes long (got \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...)", false},
    {"SMs of a GPU", GRT_DEVICE_MAX_SMS, NUMBER,
     START "\"platform\":{\"gpus\":[{\"device\":\"exclusive\",\"sm_count\":", "#",
     "}]},\"policy\":{\"name\":\"fifo\"}," TASK,
     "platform.gpus[0].sm_count: must be between 1 and 1024 (got 1025)", false},
    {"blocks of a grid", INT32_MAX, NUMBER, ONE_TASK("\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"blocks\":"),
     "#", ",\"threads\":1,\"block_time\":\"1us\"}]}]}]}",
     "tasks[0].segments[0].gpu[0].blocks: must be between 1 and 2147483647 (got 2147483648)", false},
    {"largest priority", 1000000000, NUMBER, ONE_TASK("\"segments\":[{\"cpu\":\"1ns\"}],\"priority\":"), "#",
     "}]}", "tasks[0].priority: must be between -1000000000 and 1000000000 (got 1000000001)", false},
    {"largest seed", INT64_C(9007199254740991), NUMBER, FIRST "\"seed\":", "#", "," TASK,
     "seed: must be at most 9007199254740991 (got 9007199254740992)", false},
    {"seconds of a horizon, period or any other time", GRT_TIME_LIMIT / GRT_SECOND, NUMBER,
     ONE_TASK("\"segments\":[{\"cpu\":\"1ns\"}],\"offset\":\""), "#", "s\"}]}",
     "tasks[0].offset: must be at most 1000000000s (got \"1000000001s\")", false},
};

static void write_item(FILE *out, const char *item, int64_t number) {
    for (; *item != '\0'; item++) {
        if (*item == '#') {
            fprintf(out, "%" PRId64, number);
        } else {
            fputc(*item, out);
        }
    }
}

static char *write_text(const struct limit *limit, int64_t count, size_t *size) {
    char *text;
    FILE *out = open_memstream(&text, size);
    fputs(limit->before, out);
    for (int64_t i = 0; i < count && limit->how != NUMBER; i++) {
        fputs(i > 0 && limit->how == LIST ? "," : "", out);
        write_item(out, limit->item, i);
    }
    if (limit->how == NUMBER) {
        write_item(out, limit->item, count);
    }
    fputs(limit->after, out);
    fclose(out);
    return text;
}

static bool parse(const struct limit *limit, int64_t count, struct grt_errors *errors) {
    struct grt_scenario_file file;
    size_t size;
    char *text = write_text(limit, count, &size);
    bool good = grt_scenario_parse(text, size, NULL, NULL, &file, errors);
    grt_scenario_file_free(&file);
    free(text);
    return good;
}

static void one_more_is_refused(void) {
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct grt_errors errors = {0};
        check_document(limits[i].what, limits[i].most);
        CU_ASSERT_FALSE(parse(&limits[i], limits[i].most + 1, &errors));
        CU_ASSERT_FATAL(errors.count >= 1);
        CU_ASSERT_STRING_EQUAL(errors.messages[0], limits[i].message);
        if (strcmp(errors.messages[0], limits[i].message) != 0) {
            fprintf(stderr, "%s\n", errors.messages[0]);
        }
        grt_errors_clear(&errors);
        bool good = limits[i].only_above || parse(&limits[i], limits[i].most, &errors);
        grt_errors_print(&errors, stderr, limits[i].what);
        CU_ASSERT(good);
        grt_errors_clear(&errors);
    }
}

/* Limits that are tried elsewhere: in test_reject.c, test_experiments.c, test_examiner.c, by files beside them, in tests/unit/test_sqlite_table.c, test_sweep.c, test_pwcet_refused.c. */
static void the_document_has_the_other_numbers(void) {
    static const struct {
        const char *what;
        int64_t most;
    } others[] = {
        {"nested objects and lists", GRT_JSON_DEPTH},
        {"values of a JSON text", GRT_JSON_VALUES},
        {"bytes of a file of JSON, CSV or raw measurements", GRT_TEXT_FILE_LIMIT},
        {"characters of a number", GRT_JSON_NUMBER},
        {"errors that are shown; others are counted", GRT_ERRORS_KEPT},
        {"launches of a segment, inner ones as well", GRT_MAX_SEGMENT_LAUNCHES},
        {"depth of launches", GRT_MAX_LAUNCH_DEPTH},
        {"axes", GRT_MOST_AXES},
        {"values of an axis", GRT_MOST_VALUES},
        {"points", GRT_MOST_POINTS},
        {"evaluations of a task set", GRT_MOST_EVALUATIONS},
        {"samples of a point", GRT_MOST_SAMPLES},
        {"bytes of the file times points", (int64_t)GRT_MOST_WORK},
        {"samples of all points", (int64_t)GRT_MOST_CHUNKS},
        {"records that the viewer shows", (int64_t)VIEW_MOST_RECORDS},
        {"values in a series for worst cases", GRT_PWCET_MOST_VALUES},
        {"rows of a table of a profile of Nsight Systems", GRT_SQLITE_MOST_ROWS},
        {"bytes of text of a table of such a profile", GRT_SQLITE_MOST_TEXT},
        {"bytes of a value of such a profile", GRT_SQLITE_MOST_VALUE},
        {"steps of SQLite to read such a profile", GRT_SQLITE_MOST_STEPS},
        {"SMs in a result of cuda_scheduling_examiner", GRT_EXAMINER_SMS},
        {"blocks of a kernel in it", GRT_EXAMINER_BLOCKS},
        {"kernels at a time in it", GRT_EXAMINER_GRIDS},
        {"results of one experiment of it", GRT_EXAMINER_FILES},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        check_document(others[i].what, others[i].most);
    }
}

/* ---- what is not a list or a number ---- */

/* A definition that launches 64 others, taken by so many segments that a short text would fill the memory. */
static void launches_are_counted_over_all_tasks(void) {
    enum { COMMANDS = 60, SEGMENTS = 4, EACH = 64 };
    static const int tasks[] = {GRT_MOST_LAUNCHES_IN_ALL / (COMMANDS * SEGMENTS * EACH),
                                GRT_MOST_LAUNCHES_IN_ALL / (COMMANDS * SEGMENTS * EACH) + 1};
    check_document("launches of all tasks, where definitions are used", GRT_MOST_LAUNCHES_IN_ALL);
    for (int large = 0; large <= 1; large++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        fputs(
            START
            "\"platform\":{\"gpus\":[{\"device\":\"h100\"}]},\"policy\":{\"name\":\"hardware\"},\"kernels\":["
            "{\"name\":\"c\"," BLOCKS "},{\"name\":\"d\"," BLOCKS ",\"launches\":[",
            out);
        for (int i = 0; i < EACH; i++) {
            fprintf(out, "%s{\"kernel\":\"c\",\"at\":\"1ns\"}", i > 0 ? "," : "");
        }
        fputs("]}],\"tasks\":[", out);
        for (int i = 0; i < tasks[large]; i++) {
            fprintf(out, "%s{\"name\":\"t%d\",\"period\":\"1s\",\"segments\":[", i > 0 ? "," : "", i);
            for (int j = 0; j < SEGMENTS * COMMANDS; j++) {
                fprintf(out, "%s{\"kernel\":\"d\"}",
                        j == 0              ? "{\"gpu\":["
                        : j % COMMANDS == 0 ? "]},{\"gpu\":["
                                            : ",");
            }
            fputs("]}]}", out);
        }
        fputs("]}", out);
        fclose(out);
        struct grt_scenario_file file;
        struct grt_errors errors = {0};
        CU_ASSERT_EQUAL(grt_scenario_parse(text, size, NULL, NULL, &file, &errors), large == 0);
        CU_ASSERT_EQUAL_FATAL(errors.count, (size_t)large);
        if (large == 1) {
            CU_ASSERT_STRING_EQUAL(errors.messages[0],
                                   "tasks: must have at most 1000000 launches in all their kernels");
        }
        grt_errors_clear(&errors);
        grt_scenario_file_free(&file);
        free(text);
    }
}

/* 1000 s of jobs every nanosecond are as many as a run may have; so are 2000 s of gaps that are drawn up to 2 ns. */
static void runs_have_an_end(void) {
    static const grt_time horizons[] = {1000 * GRT_SECOND, 1001 * GRT_SECOND, 2000 * GRT_SECOND,
                                        2000 * GRT_SECOND + 4};
    static const char *const sentences[] = {
        [1] = "horizon: a run of 1001s has about 1001000000000 jobs, more than 1000000000000: look at the "
              "horizon and the shortest periods",
        [3] = "horizon: a run of 2000.000000004s has about 1000000000002 jobs, more than 1000000000000: look "
              "at the horizon and the shortest periods"};
    check_document("jobs of a run", GRT_MAX_JOBS);
    for (int i = 0; i < 4; i++) {
        int large = i % 2;
        struct grt_builder *builder = grt_builder_create(horizons[i]);
        grt_builder_gpu(builder, grt_built_exclusive());
        struct grt_task *task = grt_builder_task(builder, "a");
        grt_builder_periodic(task, 1, 0);
        if (i >= 2) {
            task->arrival = GRT_ARRIVAL_SPORADIC;
            task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .min = 0, .max = 1};
        }
        grt_builder_cpu(builder, task, 1);
        struct grt_errors errors = {0};
        struct grt_world *world = grt_world_create(&builder->scenario, grt_policy_find("fifo"), NULL,
                                                   &(struct grt_world_options){0}, &errors);
        CU_ASSERT_EQUAL(world != NULL, large == 0);
        CU_ASSERT_EQUAL_FATAL(errors.count, (size_t)large);
        if (large == 1) {
            CU_ASSERT_STRING_EQUAL(errors.messages[0], sentences[i]);
        }
        grt_errors_clear(&errors);
        grt_world_free(world);
        grt_builder_free(builder);
    }
}

/* A job every ns that takes 50: its task's ring grows when 32 wait, and not once more. Nothing that was counted is lost. */
static void jobs_wait_in_bounded_room(void) {
    check_document("jobs that wait for others", GRT_MAX_WAITING_JOBS);
    for (uint32_t most = 0; most <= 64; most += 32) {
        struct grt_builder *builder = grt_builder_create(60);
        grt_builder_gpu(builder, grt_built_exclusive());
        struct grt_task *task = grt_builder_task(builder, "a");
        grt_builder_periodic(task, 1, 0);
        grt_builder_cpu(builder, task, 50);
        struct grt_errors errors = {0};
        struct grt_world *world =
            grt_world_create(&builder->scenario, grt_policy_find("fifo"), NULL,
                             &(struct grt_world_options){.most_waiting = most}, &errors);
        CU_ASSERT_PTR_NOT_NULL_FATAL(world);
        grt_world_run(world);
        const struct grt_result *result = grt_world_result(world);
        bool ends = most == 32;
        CU_ASSERT_EQUAL(result->stopped_by_backlog, ends);
        CU_ASSERT_EQUAL(grt_world_is_whole(world, &errors), !ends);
        CU_ASSERT_EQUAL(result->end, ends ? 32 : 60);
        CU_ASSERT_EQUAL(result->tasks[0].released, ends ? 33 : 60);
        CU_ASSERT_EQUAL(result->tasks[0].unfinished, ends ? 33 : 59);
        CU_ASSERT_EQUAL_FATAL(errors.count, (size_t)ends);
        if (ends) {
            CU_ASSERT_STRING_EQUAL(
                errors.messages[0],
                "horizon: the run ended at 32ns: more jobs wait for others than there is "
                "room for (32): look at the load, and at how often tasks come that others "
                "come after; on_miss \"abort\" or \"skip-next\" may keep a task's own jobs "
                "from waiting");
        }
        grt_errors_clear(&errors);
        grt_world_free(world);
        grt_builder_free(builder);
    }
}

/* Every task has room for a few. */
static void jobs_that_do_not_wait_need_no_room(void) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 4; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 10, 0);
        grt_builder_cpu(builder, task, 1);
    }
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(&builder->scenario, grt_policy_find("fifo"), NULL,
                                               &(struct grt_world_options){.most_waiting = 1}, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    CU_ASSERT_TRUE(grt_world_is_whole(world, &errors));
    CU_ASSERT_EQUAL(grt_world_result(world)->end, 100);
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_errors_clear(&errors);
    grt_world_free(world);
    grt_builder_free(builder);
}

/* What a quick predecessor leaves for a task that also comes after a slow one. */
static void finished_jobs_wait_for_their_successors_in_the_same_room(void) {
    struct grt_builder *builder = grt_builder_create(200);
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_task *tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = grt_builder_task(builder, "t");
        grt_builder_cpu(builder, tasks[i], i == 1 ? 300 : 1);
    }
    grt_builder_periodic(tasks[0], 2, 0);
    grt_builder_periodic(tasks[1], 2, 0);
    tasks[1]->on_miss = GRT_MISS_SKIP_NEXT;
    grt_builder_after(builder, tasks[2], tasks[0]);
    grt_builder_after(builder, tasks[2], tasks[1]);
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(&builder->scenario, grt_policy_find("fifo"), NULL,
                                               &(struct grt_world_options){.most_waiting = 64}, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    CU_ASSERT_FALSE(grt_world_is_whole(world, &errors));
    CU_ASSERT(grt_world_result(world)->end < 200);
    CU_ASSERT(grt_world_result(world)->tasks[0].finished > 15);
    grt_errors_clear(&errors);
    grt_world_free(world);
    grt_builder_free(builder);
}

/* A file with holes: it takes no room. */
static void long_traces_are_not_taken_into_memory(void) {
    static const char path[] = GRT_SCRATCH_DIR "/long.trace";
    struct grt_trace_memory trace = {0};
    struct grt_errors errors = {0};
    check_document("records of a trace that is taken into memory", GRT_TRACE_FILE_MOST);
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    CU_ASSERT_FATAL(file >= 0);
    bool has_room = ftruncate(file, ((off_t)GRT_TRACE_FILE_MOST + 1) * 32) == 0;
    close(file);
    if (has_room) {
        CU_ASSERT_FALSE(grt_trace_file_read(path, &trace, &errors));
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "long.trace: has more than 1000000000 records"));
        grt_errors_clear(&errors);
    }
    unlink(path);
}

/* A number of so many digits, which is 10. */
static void numbers_have_an_end(void) {
    for (int length = GRT_JSON_NUMBER; length <= GRT_JSON_NUMBER + 1; length++) {
        char text[GRT_JSON_NUMBER + 8];
        size_t offset;
        int size = snprintf(text, sizeof text, "[10.%0*d]", length - 3, 0);
        const char *said = grt_json_check(text, (size_t)size, &offset);
        CU_ASSERT_EQUAL(said == NULL, length == GRT_JSON_NUMBER);
        if (said != NULL) {
            CU_ASSERT_STRING_EQUAL(said, "this number has more than 60 characters");
        }
    }
}

static void tables_have_so_many_columns(void) {
    check_document("columns of a table of results", GRT_RESULT_MOST_COLUMNS);
    for (int more = 0; more <= 1; more++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        for (int i = 0; i < GRT_RESULT_MOST_COLUMNS + more; i++) {
            fprintf(out, "%sc%d", i > 0 ? "," : "", i);
        }
        fputs("\n", out);
        fclose(out);
        struct grt_result_table table;
        struct grt_errors errors = {0};
        CU_ASSERT_EQUAL(grt_result_table_parse(text, size, &table, &errors), more == 0);
        CU_ASSERT_EQUAL_FATAL(errors.count, (size_t)more);
        if (more == 1) {
            CU_ASSERT_STRING_EQUAL(errors.messages[0], "must have at most 10000 columns (got 10001)");
        }
        grt_errors_clear(&errors);
        grt_result_table_free(&table);
        free(text);
    }
}

int main(void) {
    size_t size;
    document = grt_file_text(GRT_SOURCE_DIR "/docs/limits.md", &size);
    CU_TestInfo tests[] = {
        {"one more is refused", one_more_is_refused},
        {"the document has the other numbers", the_document_has_the_other_numbers},
        {"launches are counted over all tasks", launches_are_counted_over_all_tasks},
        {"runs have an end", runs_have_an_end},
        {"jobs wait in bounded room", jobs_wait_in_bounded_room},
        {"jobs that do not wait need no room", jobs_that_do_not_wait_need_no_room},
        {"finished jobs wait for their successors in the same room",
         finished_jobs_wait_for_their_successors_in_the_same_room},
        {"long traces are not taken into memory", long_traces_are_not_taken_into_memory},
        {"numbers have an end", numbers_have_an_end},
        {"tables have so many columns", tables_have_so_many_columns},
        CU_TEST_INFO_NULL,
    };
    int failed = document == NULL || grt_suite_run("limits", tests);
    free(document);
    return failed;
}
