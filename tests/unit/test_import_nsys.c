/* labels: sqlite */
/* Profiles of nsys as scenarios. The files of SQLite are made here, from SQL. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calib/program/import/nsys_numbers.h"
#include "calib/program/import/nsys_scenario.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define FILE_PATH GRT_SCRATCH_DIR "/profile.sqlite"
#define MS GRT_MILLISECOND

static struct grt_errors errors, warnings;
static struct grt_nsys profile;
static struct grt_nsys_tasks tasks;
static struct grt_nsys_scenario made;

/* Makes the file from the fixture, and changes it. */
static void make_file(const char *change) {
    sqlite3 *database = NULL;
    size_t size = 0;
    char *sql = grt_text_file_read(GRT_SOURCE_DIR "/tests/import/two-streams.sql", &size, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sql);
    remove(FILE_PATH);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(FILE_PATH, &database), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_exec(database, change, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    free(sql);
}

static struct grt_device device_of(void) {
    struct grt_device device = grt_built_device(132);
    device.name = "exclusive"; /* as a preset has it; what differs is written */
    device.priority_levels = 6;
    device.copy_engines = 2;
    device.max_resident_grids = 128;
    return device;
}

static void read_profile(const char *change) {
    make_file(change);
    CU_ASSERT_TRUE_FATAL(grt_nsys_read(FILE_PATH, &profile, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void make_tasks(enum grt_nsys_by by) {
    const struct grt_nsys_options options = {.by = by, .device = -1};
    CU_ASSERT_TRUE_FATAL(grt_nsys_tasks_make(&profile, &options, &tasks, &warnings, &errors));
}

static void end(void) {
    grt_nsys_tasks_free(&tasks);
    grt_nsys_free(&profile);
    grt_errors_clear(&warnings);
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_errors_clear(&errors);
}

static bool is_said(const char *sentence) {
    for (size_t i = 0; i < warnings.count && i < GRT_ERRORS_KEPT; i++) {
        if (strcmp(warnings.messages[i], sentence) == 0) {
            return true;
        }
    }
    return false;
}

static void test_read(void) {
    read_profile("");
    CU_ASSERT_EQUAL_FATAL(profile.operation_count, 29); /* 8 * 3, 4, and a memset */
    CU_ASSERT_EQUAL(profile.range_count, 20);
    CU_ASSERT_EQUAL_FATAL(profile.gpu_count, 1);
    CU_ASSERT_STRING_EQUAL(profile.gpus[0].name, "NVIDIA H200");
    CU_ASSERT_EQUAL(profile.gpus[0].sm_count, 132);
    CU_ASSERT_EQUAL(profile.operations[0].kind, GRT_NSYS_OTHER);
    const struct grt_nsys_operation *up = &profile.operations[1], *kernel = &profile.operations[2];
    CU_ASSERT_EQUAL(up->kind, GRT_NSYS_H2D);
    CU_ASSERT_EQUAL(up->bytes, 1048576);
    CU_ASSERT_FALSE(up->pageable || up->synchronous);
    CU_ASSERT_EQUAL(up->call_start, MS);
    CU_ASSERT_EQUAL(kernel->kind, GRT_NSYS_KERNEL);
    CU_ASSERT_STRING_EQUAL(kernel->name, "detect");
    CU_ASSERT_EQUAL(kernel->blocks, 64 * 33);
    CU_ASSERT_EQUAL(kernel->threads, 256);
    CU_ASSERT_EQUAL(kernel->registers, 40);
    CU_ASSERT_EQUAL(kernel->shared_bytes, 1024);
    CU_ASSERT_STRING_EQUAL(profile.operations[3].name,
                           "plan"); /* its long name, since there is no short one */
    const struct grt_nsys_operation *down = &profile.operations[4];
    CU_ASSERT_TRUE(down->pageable && down->synchronous);
    end();
}

static void test_streams(void) {
    read_profile("");
    make_tasks(GRT_NSYS_BY_STREAM);
    CU_ASSERT_EQUAL_FATAL(tasks.count, 2);
    CU_ASSERT_STRING_EQUAL(tasks.items[0].name, "stream 7");
    CU_ASSERT_EQUAL(tasks.items[0].length, 3);
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 8);
    CU_ASSERT_EQUAL(tasks.items[0].left_out, 0);
    CU_ASSERT_EQUAL(tasks.items[0].operations[0]->kind, GRT_NSYS_H2D);
    CU_ASSERT_EQUAL(tasks.items[0].arrivals[1], 11 * MS);
    CU_ASSERT_EQUAL(tasks.items[1].length, 1);
    CU_ASSERT_EQUAL(tasks.items[1].job_count, 4);
    CU_ASSERT_EQUAL(tasks.start, MS);
    CU_ASSERT_TRUE(is_said("left out: memset, 1 times, 10us in all"));
    end();
}

/* A profile that begins in the middle of a job, and has another operation once, still has its jobs. */
static void test_cut(void) {
    read_profile("DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE correlationId = 100");
    make_tasks(GRT_NSYS_BY_STREAM);
    CU_ASSERT_EQUAL(tasks.items[0].length, 3);
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 7);
    CU_ASSERT_EQUAL(tasks.items[0].left_out, 2);
    CU_ASSERT_EQUAL(tasks.items[0].operations[0]->kind, GRT_NSYS_H2D);
    CU_ASSERT_TRUE(is_said("stream 7: 2 of 23 operations are in no job: others than usual, or cut off"));
    end();
}

static void test_ranges(void) {
    read_profile("");
    make_tasks(GRT_NSYS_BY_RANGE);
    CU_ASSERT_EQUAL_FATAL(tasks.count, 2);
    CU_ASSERT_STRING_EQUAL(tasks.items[0].name, "camera"); /* the outermost, by its text's number */
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 8);
    CU_ASSERT_EQUAL(tasks.items[0].length, 3);
    CU_ASSERT_EQUAL(tasks.items[0].arrivals[0], 900000);
    CU_ASSERT_STRING_EQUAL(tasks.items[1].name, "planner");
    end();
    /* One passage that is other than usual, and operations outside. */
    read_profile("DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE correlationId = 302;"
                 "DELETE FROM NVTX_EVENTS WHERE start = 900000");
    make_tasks(GRT_NSYS_BY_RANGE);
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 1); /* "upload" is the outermost of the first job now */
    CU_ASSERT_STRING_EQUAL(tasks.items[0].name, "upload");
    CU_ASSERT_EQUAL(tasks.items[2].job_count, 6);
    CU_ASSERT_EQUAL(tasks.items[2].left_out, 2);
    CU_ASSERT_TRUE(is_said("left out: 1 operations that were called in no range"));
    end();
}

/* Ranges that programs count: each a task of its own, which is said, or jobs of one. */
static void test_numbers(void) {
    static const char counted[] =
        "UPDATE NVTX_EVENTS SET text = 'frame #' || (start / 10000000), textId = NULL "
        "WHERE end - start = 3100000";
    read_profile(counted);
    make_tasks(GRT_NSYS_BY_RANGE);
    CU_ASSERT_EQUAL_FATAL(tasks.count, 9);
    CU_ASSERT_STRING_EQUAL(tasks.items[0].name, "frame #0");
    CU_ASSERT_TRUE(
        is_said("8 tasks of one job each differ only by the number at the end of their names, from "
                "\"frame #0\" to \"frame #7\": with --cut-numbers they are jobs of one task"));
    end();
    read_profile(counted);
    const struct grt_nsys_options cut = {.by = GRT_NSYS_BY_RANGE, .device = -1, .cut_numbers = true};
    CU_ASSERT_TRUE_FATAL(grt_nsys_tasks_make(&profile, &cut, &tasks, &warnings, &errors));
    CU_ASSERT_EQUAL_FATAL(tasks.count, 2);
    CU_ASSERT_STRING_EQUAL(tasks.items[0].name, "frame");
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 8);
    CU_ASSERT_EQUAL(tasks.items[0].arrivals[1], 10900000);
    CU_ASSERT_STRING_EQUAL(tasks.items[1].name, "planner");
    CU_ASSERT_EQUAL(warnings.count, 1); /* memset */
    end();
}

static double processor_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Of several groups, in the order of their first tasks; those that have several jobs, or others' names within theirs, are not of them. Many tasks take no
 * longer than their number. */
static void test_groups(void) {
    static const char *const names[] = {"z 1",     "frame 3", "z 2", "frame 1", "frames 1",
                                        "frame 2", "z 9",     "z",   "7"};
    struct grt_nsys_task items[sizeof names / sizeof names[0] + 1] = {{.name = "frame 4", .job_count = 2}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        items[i + 1] = (struct grt_nsys_task){.name = names[i], .job_count = 1};
    }
    const struct grt_nsys_tasks few = {.items = items, .count = sizeof items / sizeof items[0]};
    grt_nsys_warn_of_numbers(&few, &warnings);
    CU_ASSERT_EQUAL_FATAL(warnings.count, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(warnings.messages[0], "3 tasks of one job each"));
    CU_ASSERT_PTR_NOT_NULL(strstr(warnings.messages[0], "from \"z 1\" to \"z 9\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(warnings.messages[1], "from \"frame 3\" to \"frame 2\""));
    grt_errors_clear(&warnings);
}

static void test_many_numbers(void) {
    enum { MANY = 40000, LENGTH = 16 };
    struct grt_arena arena = {0};
    struct grt_nsys_task *items = grt_arena_array(&arena, MANY, sizeof *items);
    char *names = grt_arena_array(&arena, MANY, LENGTH);
    for (size_t i = 0; i < MANY; i++) {
        snprintf(names + i * LENGTH, LENGTH, "frame %zu", i);
        items[i] = (struct grt_nsys_task){.name = names + i * LENGTH, .job_count = 1};
    }
    const struct grt_nsys_tasks many = {.items = items, .count = MANY};
    double from = processor_seconds();
    grt_nsys_warn_of_numbers(&many, &warnings);
    CU_ASSERT(processor_seconds() - from <
              2); /* milliseconds; each with each other one took more than 30 s */
    CU_ASSERT_EQUAL(warnings.count, 1);
    grt_errors_clear(&warnings);
    grt_arena_clear(&arena);
}

static void test_names_without_numbers(void) {
    static const char *const cases[][2] = {
        {"frame 12", "frame"},
        {"frame_12", "frame"},
        {"frame[12]", "frame"},
        {"frame #1 ", "frame"},
        {"frame1", "frame"},
        {"conv2d", "conv2d"},
        {"frame", "frame"},
        {"12", "12"},
        {"layer 3: 4", "layer 3"},
        {"", ""},
        {"[7]", "[7]"},
        {"f(x)", "f(x)"},
    };
    struct grt_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_STRING_EQUAL(grt_nsys_cut_number(cases[i][0], &arena), cases[i][1]);
    }
    grt_arena_clear(&arena);
}

static void make_scenario(const struct grt_device *device, const struct grt_nsys_period *periods,
                          size_t count) {
    const struct grt_nsys_scenario_options options = {
        .device = device, .name = "imported", .periods = periods, .period_count = count};
    CU_ASSERT_TRUE_FATAL(grt_nsys_scenario_make(&profile, &tasks, &options, &made, &warnings, &errors));
}

static void test_scenario(void) {
    struct grt_device device = device_of();
    read_profile("");
    make_tasks(GRT_NSYS_BY_STREAM);
    make_scenario(&device, NULL, 0);
    const struct grt_task *camera = &made.scenario.tasks[0], *planner = &made.scenario.tasks[1];
    CU_ASSERT_EQUAL(camera->arrival, GRT_ARRIVAL_PERIODIC);
    CU_ASSERT_EQUAL(camera->period, 10 * MS);
    CU_ASSERT_EQUAL(camera->offset, 0);
    CU_ASSERT_EQUAL_FATAL(camera->segment_count, 3); /* the copy back is called after the kernel has ended */
    CU_ASSERT_EQUAL(camera->segments[0].command_count, 2);
    CU_ASSERT_EQUAL(camera->segments[1].kind, GRT_SEGMENT_CPU);
    CU_ASSERT_EQUAL(camera->segments[1].cpu_time.max, 438000);
    const struct grt_kernel *kernel = &camera->segments[0].commands[1].kernel;
    CU_ASSERT_STRING_EQUAL(kernel->name, "detect");
    CU_ASSERT_EQUAL(kernel->blocks, 2112); /* 132 SMs with 6 blocks (of 40 registers) at a time: 3 waves */
    CU_ASSERT_EQUAL(kernel->draw_per, GRT_DRAW_PER_KERNEL);
    CU_ASSERT_EQUAL(kernel->block_time.kind, GRT_EMPIRICAL);
    CU_ASSERT_EQUAL(kernel->block_time.measured->count, 8);
    CU_ASSERT_EQUAL(kernel->block_time.min, 666667);
    CU_ASSERT_TRUE(camera->segments[2].commands[0].pageable);
    CU_ASSERT_EQUAL(planner->arrival, GRT_ARRIVAL_SPORADIC); /* gaps of 5, 15, 25 ms */
    CU_ASSERT_EQUAL(planner->period, 5 * MS);
    CU_ASSERT_EQUAL(planner->extra_gap.max, 20 * MS);
    CU_ASSERT_EQUAL(planner->stream_priority, -3);
    CU_ASSERT_EQUAL(planner->offset, MS);
    CU_ASSERT_TRUE(is_said(
        "h2d copies of 1 MiB and more have 21 GB/s in the profile, but 1 GB/s on exclusive, which the "
        "scenario goes by: correct its h2d_bandwidth"));
    CU_ASSERT_TRUE(made.rhythms[0].periodic && !made.rhythms[1].periodic);
    CU_ASSERT_TRUE(
        is_said("stream 13: is not periodic: gaps from 5ms to 25ms; it becomes sporadic, with these gaps (or "
                "give its period)"));
    grt_nsys_scenario_free(&made);
    end();
}

/* gpurt reads what was written, as it was made, and can run it. */
static void test_round_trip(void) {
    struct grt_device device;
    struct grt_arena arena = {0};
    struct grt_scenario_file file;
    char *text = NULL;
    size_t size = 0;
    CU_ASSERT_TRUE_FATAL(grt_device_find("h200", ".", &arena, &device, &errors, NULL));
    read_profile("");
    make_tasks(GRT_NSYS_BY_RANGE);
    const struct grt_nsys_period period = {"planner", 20 * MS};
    make_scenario(&device, &period, 1);
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_TRUE(grt_nsys_scenario_write(&made, "from nsys", out, &errors));
    fclose(out);
    bool good = grt_scenario_parse(text, size, ".", NULL, &file, &errors);
    for (size_t i = 0; i < errors.count; i++) {
        fprintf(stderr, "%s\n", errors.messages[i]);
    }
    CU_ASSERT_TRUE_FATAL(good);
    const struct grt_scenario *read = &file.scenario;
    CU_ASSERT_EQUAL(read->task_count, 2);
    CU_ASSERT_EQUAL(read->horizon, made.scenario.horizon);
    for (size_t i = 0; i < 2; i++) {
        const struct grt_task *a = &read->tasks[i], *b = &made.scenario.tasks[i];
        CU_ASSERT_STRING_EQUAL(a->name, b->name);
        CU_ASSERT_STRING_EQUAL(a->stream, b->stream);
        CU_ASSERT_EQUAL(a->period, b->period);
        CU_ASSERT_EQUAL(a->offset, b->offset);
        CU_ASSERT_EQUAL(a->priority, b->priority);
        CU_ASSERT_EQUAL(a->segment_count, b->segment_count);
    }
    CU_ASSERT_EQUAL(read->tasks[1].period, 20 * MS);
    CU_ASSERT_EQUAL_FATAL(read->tasks[0].segment_count, 4); /* from the range's start to its first call */
    CU_ASSERT_EQUAL(read->tasks[0].segments[0].cpu_time.max, 100000);
    const struct grt_distribution *time = &read->tasks[0].segments[1].commands[1].kernel.block_time;
    const struct grt_distribution *as_made =
        &made.scenario.tasks[0].segments[1].commands[1].kernel.block_time;
    CU_ASSERT_EQUAL_FATAL(time->measured->count, as_made->measured->count);
    CU_ASSERT_EQUAL(memcmp(time->measured->values, as_made->measured->values,
                           time->measured->count * sizeof time->measured->values[0]),
                    0);
    grt_scenario_file_free(&file);
    free(text);
    grt_arena_clear(&arena);
    grt_nsys_scenario_free(&made);
    end();
}

/* Nothing repeats: one job at one instant. */
static void test_single(void) {
    struct grt_device device = device_of();
    read_profile("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE start > 3000000;"
                 "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE start > 3000000");
    make_tasks(GRT_NSYS_BY_STREAM);
    make_scenario(&device, NULL, 0);
    CU_ASSERT_EQUAL(made.scenario.tasks[0].arrival, GRT_ARRIVAL_TIMES);
    CU_ASSERT_EQUAL(made.scenario.tasks[0].times[0], 0);
    CU_ASSERT_EQUAL(made.scenario.tasks[1].times[0], MS);
    CU_ASSERT_TRUE(is_said("stream 7: nothing repeats: it is one job"));
    grt_nsys_scenario_free(&made);
    end();
}

/* Older and newer exports lack some columns and tables. */
static void test_less(void) {
    read_profile("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN registersPerThread;"
                 "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN shortName;"
                 "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN srcKind;"
                 "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE NVTX_EVENTS; DROP TABLE TARGET_INFO_GPU;"
                 "DROP TABLE ENUM_CUDA_MEM_KIND; DROP TABLE TARGET_INFO_CUDA_STREAM;"
                 "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET");
    CU_ASSERT_EQUAL(profile.operation_count, 28);
    CU_ASSERT_STRING_EQUAL(profile.operations[1].name, "void detect<float>(const T1 *, int)");
    CU_ASSERT_FALSE(profile.operations[1].called);
    CU_ASSERT_EQUAL(profile.gpu_count, 0);
    make_tasks(GRT_NSYS_BY_STREAM);
    CU_ASSERT_EQUAL(tasks.items[0].job_count, 8);
    CU_ASSERT_EQUAL(tasks.items[0].arrivals[0], 1010000); /* when the GPU began, since calls are not known */
    end();
}

static void refuse(const char *change, const char *message) {
    make_file(change);
    CU_ASSERT_FALSE(grt_nsys_read(FILE_PATH, &profile, &errors));
    CU_ASSERT_EQUAL(profile.operation_count, 0);
    CU_ASSERT_FATAL(errors.count > 0);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
}

static void test_refused(void) {
    refuse("ALTER TABLE CUPTI_ACTIVITY_KIND_MEMSET RENAME COLUMN streamId TO queue",
           "CUPTI_ACTIVITY_KIND_MEMSET has no column streamId: this schema is not known (it has start, end, "
           "deviceId, "
           "contextId, queue, correlationId, globalPid, bytes, value)");
    refuse("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE correlationId = 203",
           "CUPTI_ACTIVITY_KIND_KERNEL: an operation ends before it starts, or has no time");
    refuse("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridY = 0 WHERE correlationId = 203",
           "CUPTI_ACTIVITY_KIND_KERNEL: a gridY of 0 is no size");
    refuse("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET blockX = 1025 WHERE correlationId = 203",
           "CUPTI_ACTIVITY_KIND_KERNEL: a blockX of 1025 is no size");
    refuse("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE correlationId = 203",
           "CUPTI_ACTIVITY_KIND_KERNEL: start is not a whole number in all rows");
    refuse("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = -1 WHERE correlationId = 103",
           "CUPTI_ACTIVITY_KIND_MEMCPY: a copy of -1 bytes");
    refuse("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
           "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET",
           "there are no kernels or copies in it: profile with nsys profile --trace=cuda,nvtx");
}

static void test_no_database(void) {
    FILE *file = fopen(FILE_PATH, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (int i = 0; i < 2000; i++) {
        fputs("this is a report, not a database. ", file);
    }
    fclose(file);
    CU_ASSERT_FALSE(grt_nsys_read(FILE_PATH, &profile, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "file is not a database: export the report with nsys export --type sqlite");
    grt_errors_clear(&errors);
    CU_ASSERT_FALSE(grt_nsys_read(GRT_SCRATCH_DIR "/nowhere.sqlite", &profile, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "unable to open database file");
    grt_errors_clear(&errors);
}

/* A file that was cut off is refused, or what is read of it are whole rows; nothing crashes. */
static void test_cut_off(void) {
    size_t size = 0, refused = 0;
    make_file("");
    char *bytes = grt_text_file_read(FILE_PATH, &size, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    for (size_t length = 512; length < size; length += 4096) {
        FILE *file = fopen(FILE_PATH, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        CU_ASSERT_EQUAL(fwrite(bytes, 1, length, file), length);
        fclose(file);
        if (!grt_nsys_read(FILE_PATH, &profile, &errors)) {
            refused++;
            CU_ASSERT_TRUE(errors.count > 0);
            grt_errors_clear(&errors);
        } else {
            grt_nsys_free(&profile);
        }
    }
    CU_ASSERT_TRUE(refused > 0);
    free(bytes);
}

static void test_wishes(void) {
    struct grt_device device = device_of();
    const struct grt_nsys_period period = {"radar", MS};
    struct grt_nsys_scenario_options options = {
        .device = &device, .name = "imported", .periods = &period, .period_count = 1};
    read_profile("");
    make_tasks(GRT_NSYS_BY_STREAM);
    CU_ASSERT_FALSE(grt_nsys_scenario_make(&profile, &tasks, &options, &made, &warnings, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "there is no task \"radar\", whose period was given");
    grt_errors_clear(&errors);
    options.period_count = 0;
    device.max_threads_per_block = 128;
    CU_ASSERT_FALSE(grt_nsys_scenario_make(&profile, &tasks, &options, &made, &warnings, &errors));
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "kernel detect cannot run on exclusive: "));
    grt_errors_clear(&errors);
    grt_nsys_tasks_free(&tasks);
    const struct grt_nsys_options other = {.by = GRT_NSYS_BY_STREAM, .device = 3};
    CU_ASSERT_FALSE(grt_nsys_tasks_make(&profile, &other, &tasks, &warnings, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "no tasks are left of device 3");
    grt_errors_clear(&errors);
    end();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is read", test_read},
        {"tasks by streams", test_streams},
        {"a profile that begins in a job", test_cut},
        {"tasks by ranges", test_ranges},
        {"ranges with numbers", test_numbers},
        {"groups of names with numbers", test_groups},
        {"many names with numbers", test_many_numbers},
        {"names without numbers", test_names_without_numbers},
        {"the scenario", test_scenario},
        {"written and read", test_round_trip},
        {"a single job", test_single},
        {"with less in it", test_less},
        {"what is refused", test_refused},
        {"no database", test_no_database},
        {"cut off", test_cut_off},
        {"wishes that cannot be", test_wishes},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("import/nsys", tests);
}
