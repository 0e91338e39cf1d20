/* Results of cuda_scheduling_examiner become exactly these names and records. tests/examiner/README.md describes the files;
 * the times here are those of the files, from 1.250010 s on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/examiner.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ZERO INT64_C(1250010000)
#define FOLDER GRT_SOURCE_DIR "/tests/examiner/two-tasks/"

enum { CAMERA, PLANNER };
enum { CPU_1, CPU_3 };

/* Files that are read, checked and written into memory. */
struct imported {
    struct grt_arena arena;
    struct grt_examiner_file files[8];
    size_t count;
    struct grt_errors errors;
    struct grt_trace_memory trace;
    grt_time zero;
};

static void read_text(struct imported *imported, const char *path, const char *text) {
    struct grt_examiner_file *file = &imported->files[imported->count++];
    CU_ASSERT_TRUE_FATAL(
        grt_examiner_parse(path, text, strlen(text), &imported->arena, file, &imported->errors));
}

static void write_into_memory(struct imported *imported, const struct grt_examiner_options *options) {
    bool good = grt_examiner_check(imported->files, imported->count, options, &imported->errors);
    grt_errors_print(&imported->errors, stdout, "\n    ");
    CU_ASSERT_TRUE_FATAL(good);
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &imported->trace);
    imported->zero = grt_examiner_write(imported->files, imported->count, options, trace);
    CU_ASSERT_TRUE(grt_trace_finish(trace));
    grt_trace_free(trace);
}

static void release(struct imported *imported) {
    grt_trace_memory_free(&imported->trace);
    grt_arena_clear(&imported->arena);
    grt_errors_clear(&imported->errors);
}

static void import_two_tasks(struct imported *imported, const struct grt_examiner_options *options) {
    static const char *const paths[] = {FOLDER "camera_0.json", FOLDER "planner_10.json"};
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct grt_examiner_file *file = &imported->files[imported->count++];
        CU_ASSERT_TRUE_FATAL(grt_examiner_read(paths[i], &imported->arena, file, &imported->errors));
    }
    write_into_memory(imported, options);
}

static void check_names(const struct grt_trace_memory *trace, const struct grt_trace_name *names,
                        size_t count) {
    CU_ASSERT_EQUAL_FATAL(trace->name_count, count);
    for (size_t i = 0; i < count; i++) {
        const struct grt_trace_name *got = &trace->names[i], *wanted = &names[i];
        bool same = got->kind == wanted->kind && got->index == wanted->index &&
                    got->segment == wanted->segment && got->command == wanted->command &&
                    got->weight == wanted->weight && strcmp(got->text, wanted->text) == 0;
        if (!same) {
            printf("\n    name %zu: kind %d, %u, %u, %u, weight %u, \"%s\"", i, (int)got->kind, got->index,
                   got->segment, got->command, got->weight, got->text);
        }
        CU_ASSERT_TRUE(same);
    }
}

static void check_records(const struct grt_trace_memory *trace, const struct grt_trace_record *records,
                          size_t count, grt_time shift) {
    CU_ASSERT_EQUAL_FATAL(trace->record_count, count);
    for (size_t i = 0; i < count; i++) {
        struct grt_trace_record wanted = records[i], got = trace->records[i];
        wanted.time += shift;
        bool instant = wanted.kind == GRT_TRACE_RELEASE || wanted.kind == GRT_TRACE_GPU_REQUEST;
        wanted.other += instant ? 0 : shift;
        if (memcmp(&got, &wanted, sizeof got) != 0) {
            printf("\n    record %zu: %lld, %lld, job %u, detail %u, row %u, task %u, kind %u", i,
                   (long long)got.time, (long long)got.other, got.job, got.detail, got.row, got.task,
                   got.kind);
        }
        CU_ASSERT_EQUAL(memcmp(&got, &wanted, sizeof got), 0);
    }
}

/* ---- Two tasks ---- */

static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 0, "Two tasks, measured"},
    {GRT_NAME_TASK, CAMERA, 0, 0, 0, "camera"},
    {GRT_NAME_KERNEL, CAMERA, 1, 0, 512, "edges"},
    {GRT_NAME_KERNEL, CAMERA, 1, 1, 1024, "corners"},
    {GRT_NAME_STREAM, CAMERA, 0, 0, 0, "camera"},
    {GRT_NAME_TASK, PLANNER, 0, 0, 0, "planner"},
    {GRT_NAME_KERNEL, PLANNER, 1, 0, 256, "walk"},
    {GRT_NAME_KERNEL, PLANNER, 1, 1, 256, "walk"},
    {GRT_NAME_STREAM, PLANNER, 0, 0, 0, "planner"},
    {GRT_NAME_CORE, CPU_1, 0, 0, 0, "cpu 1"},
    {GRT_NAME_CORE, CPU_3, 0, 0, 0, "cpu 3"},
    {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
    {GRT_NAME_SM, 1, 0, 0, 2048, "SM 1"},
};

#define SLICE(kind_, task_, job_, from, to, row_, detail_)                                                   \
    {                                                                                                        \
        .time = (to), .other = (from), .job = (job_), .detail = (detail_), .row = (row_), .task = (task_),   \
        .kind = GRT_TRACE_##kind_                                                                            \
    }
#define RELEASE(task_, job_, at)                                                                             \
    { .time = (at), .other = GRT_TIME_NEVER, .job = (job_), .task = (task_), .kind = GRT_TRACE_RELEASE }
#define REQUEST(task_, job_, at)                                                                             \
    { .time = (at), .job = (job_), .detail = 1, .task = (task_), .kind = GRT_TRACE_GPU_REQUEST }
#define FIRST (1 << 16)
#define SECOND (1 << 16 | 1)
#define GRID_1 (1 << 16)

static const struct grt_trace_record records[] = {
    RELEASE(CAMERA, 0, 0),
    SLICE(CPU, CAMERA, 0, 0, 20000, CPU_3, 0),
    REQUEST(CAMERA, 0, 20500),
    SLICE(CPU, CAMERA, 0, 21000, 30000, CPU_3, 1), /* launches edges */
    RELEASE(PLANNER, 0, 1010000),
    SLICE(CPU, PLANNER, 0, 1010000, 1011000, CPU_1, 0),
    REQUEST(PLANNER, 0, 1011000),
    SLICE(CPU, PLANNER, 0, 1012000, 1020000, CPU_1, 1),
    SLICE(CPU, PLANNER, 0, 1021000, 1028000, CPU_1, 1),
    SLICE(BLOCK, CAMERA, 0, 50032, 1040000, 0, 2),
    SLICE(BLOCK, CAMERA, 0, 50000, 1050000, 0, 0),
    SLICE(BLOCK, CAMERA, 0, 50064, 1050000, 1, 3),
    SLICE(BLOCK, CAMERA, 0, 50000, 1050001, 1, 1),
    SLICE(KERNEL, CAMERA, 0, 50000, 1050001, CAMERA, FIRST),
    SLICE(CPU, CAMERA, 0, 1061000, 1070000, CPU_3, 1), /* launches corners */
    SLICE(BLOCK, PLANNER, 0, 1052000, 2052000, 0, 0),
    SLICE(BLOCK, CAMERA, 0, 1090000, 2088976, 1, 0),
    SLICE(KERNEL, CAMERA, 0, 1090000, 2088976, CAMERA, SECOND),
    SLICE(GPU_SEGMENT, CAMERA, 0, 20500, 2090000, CAMERA, 1),
    SLICE(CPU, CAMERA, 0, 2090400, 2170000, CPU_3, 2),
    SLICE(FINISH, CAMERA, 0, 0, 2170000, 0, 0),
    RELEASE(CAMERA, 1, 2190000),
    SLICE(CPU, CAMERA, 1, 2190000, 2200000, CPU_3, 0),
    REQUEST(CAMERA, 1, 2200500),
    SLICE(CPU, CAMERA, 1, 2201000, 2209000, CPU_3, 1),
    SLICE(BLOCK, PLANNER, 0, 1052000, 2552000, 1, 1),
    SLICE(KERNEL, PLANNER, 0, 1052000, 2552000, PLANNER, FIRST),
    SLICE(BLOCK, CAMERA, 1, 2230000, 3230000, 0, 0),
    SLICE(BLOCK, CAMERA, 1, 2230000, 3230000, 0, 1),
    SLICE(BLOCK, CAMERA, 1, 2230000, 3230000, 1, 2),
    SLICE(BLOCK, CAMERA, 1, 2230000, 3230000, 1, 3),
    SLICE(KERNEL, CAMERA, 1, 2230000, 3230000, CAMERA, FIRST),
    SLICE(GPU_SEGMENT, CAMERA, 1, 2200500, 3290000, CAMERA, 1),
    SLICE(CPU, CAMERA, 1, 3290400, 3340000, CPU_3, 2),
    SLICE(FINISH, CAMERA, 1, 2190000, 3340000, 0, 0),
    SLICE(BLOCK, PLANNER, 0, 2060000, 3560000, 0 | GRID_1, 0), /* began before the first walk had ended */
    SLICE(KERNEL, PLANNER, 0, 2060000, 3560000, PLANNER | GRID_1, SECOND),
    SLICE(GPU_SEGMENT, PLANNER, 0, 1011000, 3560000, PLANNER, 1), /* to the last block: nothing waited */
    SLICE(CPU, PLANNER, 0, 1050000, 3590000, CPU_1, 2),
    SLICE(FINISH, PLANNER, 0, 1010000, 3590000, 0, 0),
};

static void test_two_tasks(void) {
    struct imported imported = {0};
    import_two_tasks(&imported, &(struct grt_examiner_options){0});
    CU_ASSERT_EQUAL(imported.zero, ZERO);
    check_names(&imported.trace, names, COUNT(names));
    check_records(&imported.trace, records, COUNT(records), 0);
    release(&imported);
}

static void test_zero_of_the_file(void) {
    struct imported imported = {0};
    import_two_tasks(&imported, &(struct grt_examiner_options){.zero = GRT_EXAMINER_ZERO_FILE});
    CU_ASSERT_EQUAL(imported.zero, 0);
    check_records(&imported.trace, records, COUNT(records), ZERO);
    release(&imported);
}

/* ---- The instant 0 ---- */

#define HEAD(rest)                                                                                           \
    "{\"scenario_name\":\"s\",\"benchmark_name\":\"b\",\"max_resident_threads\":2048," rest "\"times\":[{},"
#define HOST(from, to) "{\"cpu_times\":[" from "," to "]}"
#define KERNEL(name, threads, launch, blocks, sms, count)                                                    \
    "{\"kernel_name\":\"" name "\",\"thread_count\":" threads ",\"block_count\":" count                      \
    ",\"cuda_launch_times\":[" launch "],\"block_times\":[" blocks "],\"block_smids\":[" sms "]}"

/* They say 1.4 s, 1.2 s and 1.3 s (below 0 is no wait): the second was the least late. */
static void test_zero_is_of_the_least_late(void) {
    struct imported imported = {0};
    read_text(&imported, "1", HEAD("\"release_time\":1,") HOST("2.4", "3") "]}");
    read_text(&imported, "2", HEAD("\"release_time\":3,") HOST("4.2", "5") "]}");
    read_text(&imported, "3", HEAD("\"release_time\":-1,") HOST("1.3", "5") "]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    CU_ASSERT_EQUAL(imported.zero, 1200 * GRT_MILLISECOND);
    CU_ASSERT_EQUAL(imported.trace.records[0].time, 100 * GRT_MILLISECOND);
    release(&imported);
}

/* Nothing lies before 0: not even a block that by the GPU's clock began before its benchmark. */
static void test_nothing_before_zero(void) {
    struct imported imported = {0};
    read_text(&imported, "1",
              HEAD("") HOST("1", "3") "," KERNEL("k", "32", "1.1,1.2,0", "0.9,1.5", "0", "1") "]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    CU_ASSERT_EQUAL(imported.zero, 900 * GRT_MILLISECOND);
    CU_ASSERT_EQUAL(imported.trace.records[0].kind, GRT_TRACE_RELEASE);
    CU_ASSERT_EQUAL(imported.trace.records[0].time, 100 * GRT_MILLISECOND);
    release(&imported);
}

/* ---- Times ---- */

/* Nine decimals are exact up to the limit, more are rounded to the nearest nanosecond. */
static void test_rounding(void) {
    static const struct {
        const char *seconds;
        grt_time time;
    } cases[] = {
        {"0", 0},
        {"-0.0", 0},
        {"0.000000001", 1},
        {"0.0000000014999", 1},
        {"0.0000000015001", 2},
        {"1e-9", 1},
        {"1.250010032", 1250010032},
        {"0.999999999", 999999999},
        {"4294.967295999", 4294967295999},
        {"999999.999999998", 999999999999998},
        {"999999.999999999", 999999999999999},
        {"1000000.000000000", 1000000000000000},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct imported imported = {0};
        char text[512];
        snprintf(text, sizeof text, HEAD("") HOST("%s", "%s") "]}", cases[i].seconds, cases[i].seconds);
        read_text(&imported, "1", text);
        CU_ASSERT_EQUAL(imported.files[0].jobs[0].cpu.start, cases[i].time);
        CU_ASSERT_EQUAL(imported.files[0].jobs[0].cpu.end, cases[i].time);
        release(&imported);
    }
}

/* Every nanosecond is exact that the examiner can write, for times of any size. */
static void test_every_nanosecond(void) {
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        struct imported imported = {0};
        char text[512], seconds[64];
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        grt_time time = (grt_time)((random >> 8) % (uint64_t)(GRT_EXAMINER_SECONDS * GRT_SECOND)) >> i % 48;
        snprintf(seconds, sizeof seconds, "%lld.%09lld", (long long)(time / GRT_SECOND),
                 (long long)(time % GRT_SECOND));
        snprintf(text, sizeof text, HEAD("") HOST("%s", "%s") "]}", seconds, seconds);
        read_text(&imported, "1", text);
        CU_ASSERT_EQUAL_FATAL(imported.files[0].jobs[0].cpu.start, time);
        release(&imported);
    }
}

/* ---- Kernels ---- */

/* Without CPU times (as converted simulations have none) all kernels are one job, in any order. */
static void test_without_cpu_times(void) {
    struct imported imported = {0};
    read_text(&imported, "1",
              HEAD("") KERNEL("late", "64", "5,5,6", "5,6", "0", "1") "," KERNEL("early", "32", "1,1,4",
                                                                                 "1,3", "0", "1") "]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    static const struct grt_trace_record wanted[] = {
        RELEASE(0, 0, 0),
        REQUEST(0, 0, 0),
        SLICE(CPU, 0, 0, 0, 0, 0, 1), /* a core of its own, without a name */
        SLICE(BLOCK, 0, 0, 0, 2 * GRT_SECOND, 0, 0),
        SLICE(KERNEL, 0, 0, 0, 2 * GRT_SECOND, 0, SECOND),
        SLICE(CPU, 0, 0, 4 * GRT_SECOND, 4 * GRT_SECOND, 0, 1),
        SLICE(BLOCK, 0, 0, 4 * GRT_SECOND, 5 * GRT_SECOND, 0, 0),
        SLICE(KERNEL, 0, 0, 4 * GRT_SECOND, 5 * GRT_SECOND, 0, FIRST),
        SLICE(GPU_SEGMENT, 0, 0, 0, 5 * GRT_SECOND, 0, 1),
        SLICE(FINISH, 0, 0, 0, 5 * GRT_SECOND, 0, 0),
    };
    check_records(&imported.trace, wanted, COUNT(wanted), 0);
    release(&imported);
}

/* A kernel that an iteration launches twice is two; other iterations use the same numbers, whatever their order. */
static void test_kinds_of_kernels(void) {
#define K(name, threads) KERNEL(name, threads, "1,1,0", "1,2", "0", "1")
    struct imported imported = {0};
    read_text(&imported, "1",
              HEAD("") HOST("0", "9") "," K("a", "32") "," K("b", "32") "," K("a", "32") "," HOST(
                  "0", "9") "," K("b", "32") "," K("a", "64") "," K("a", "32") "]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    static const struct grt_trace_name wanted[] = {
        {GRT_NAME_RUN, 0, 0, 0, 0, "s, measured"}, {GRT_NAME_TASK, 0, 0, 0, 0, "b"},
        {GRT_NAME_KERNEL, 0, 1, 0, 32, "a"},       {GRT_NAME_KERNEL, 0, 1, 1, 32, "b"},
        {GRT_NAME_KERNEL, 0, 1, 2, 32, "a"},       {GRT_NAME_KERNEL, 0, 1, 3, 64, "a"},
        {GRT_NAME_STREAM, 0, 0, 0, 0, "b"},        {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
    };
    check_names(&imported.trace, wanted, COUNT(wanted));
    static const uint32_t places[] = {FIRST, SECOND, FIRST + 2, SECOND, FIRST + 3, FIRST};
    size_t seen = 0;
    for (size_t i = 0; i < imported.trace.record_count; i++) {
        const struct grt_trace_record *record = &imported.trace.records[i];
        if (record->kind == GRT_TRACE_KERNEL) {
            CU_ASSERT_EQUAL(record->detail, places[seen]);
            CU_ASSERT_EQUAL(grt_trace_grid(record->row), seen % 3); /* all three at a time */
            seen++;
        }
    }
    CU_ASSERT_EQUAL(seen, COUNT(places));
    release(&imported);
}

/* Benchmarks of the CPU have no kernel: what they execute is on their core. */
static void test_cpu_benchmark(void) {
    struct imported imported = {0};
    read_text(&imported, "1",
              HEAD("") "{\"copy_in_times\":[1,2],\"execute_times\":[2,4],\"copy_out_times\":[4,5],"
                       "\"cpu_times\":[1,5]}]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    static const struct grt_trace_record wanted[] = {
        RELEASE(0, 0, 0),
        SLICE(CPU, 0, 0, 0, GRT_SECOND, 0, 0),
        SLICE(CPU, 0, 0, GRT_SECOND, 3 * GRT_SECOND, 0, 1),
        SLICE(CPU, 0, 0, 3 * GRT_SECOND, 4 * GRT_SECOND, 0, 2),
        SLICE(FINISH, 0, 0, 0, 4 * GRT_SECOND, 0, 0),
    };
    check_records(&imported.trace, wanted, COUNT(wanted), 0);
    release(&imported);
}

/* ---- Names ---- */

static void test_equal_names(void) {
    struct imported imported = {0};
    read_text(&imported, "runs/spin_0.json", HEAD("\"label\":\"\",\"PID\":7,") HOST("1", "2") "]}");
    read_text(&imported, "runs/spin_1.json", HEAD("\"PID\":8,") HOST("1", "2") "]}");
    read_text(&imported, "other", HEAD("\"label\":\"tab\\tand \\u007f\",\"PID\":7,") HOST("1", "2") "]}");
    write_into_memory(&imported, &(struct grt_examiner_options){0});
    static const struct grt_trace_name wanted[] = {
        {GRT_NAME_RUN, 0, 0, 0, 0, "s, measured"},
        {GRT_NAME_TASK, 0, 0, 0, 0, "b (spin_0.json)"},
        {GRT_NAME_STREAM, 0, 0, 0, 0, "b (spin_0.json), process 7"},
        {GRT_NAME_TASK, 1, 0, 0, 0, "b (spin_1.json)"},
        {GRT_NAME_STREAM, 1, 0, 0, 0, "b (spin_1.json), process 8"},
        {GRT_NAME_TASK, 2, 0, 0, 0, "tab?and ?"},
        {GRT_NAME_STREAM, 2, 0, 0, 0, "tab?and ?, process 7"},
        {GRT_NAME_SM, 0, 0, 0, 2048, "SM 0"},
    };
    check_names(&imported.trace, wanted, COUNT(wanted));
    release(&imported);
}

/* How many SMs a GPU has that holds so many threads, of which `sm` is one. */
static void check_sms(const char *resident, const char *sm, int64_t option, uint32_t count,
                      uint32_t threads) {
    struct imported imported = {0};
    char text[512];
    snprintf(text, sizeof text,
             "{\"scenario_name\":\"s\",\"benchmark_name\":\"b\",\"max_resident_threads\":%s,\"times\":[{},"
             "{\"thread_count\":32,\"block_count\":1,\"cuda_launch_times\":[1,1,0],\"block_times\":[1,2],"
             "\"block_smids\":[%s]}]}",
             resident, sm);
    read_text(&imported, "1", text);
    struct grt_examiner_sms sms =
        grt_examiner_sms(imported.files, 1, &(struct grt_examiner_options){.sm_threads = option});
    CU_ASSERT_EQUAL(sms.count, count);
    CU_ASSERT_EQUAL(sms.threads, threads);
    release(&imported);
}

static void test_sms(void) {
    check_sms("4096", "1", 0, 2, 2048);       /* TX2 */
    check_sms("270336", "131", 0, 132, 2048); /* H100 */
    check_sms("125952", "0", 0, 82, 1536);    /* RTX 3090 */
    check_sms("69632", "0", 0, 34, 2048);     /* RTX 2080 Ti, half of it seen */
    check_sms("69632", "34", 0, 68, 1024);
    check_sms("69632", "0", 1024, 68, 1024);
    check_sms("1000", "3", 0, 4, 2048); /* fits nothing: the SMs that were seen */
}

int main(void) {
    CU_TestInfo tests[] = {
        {"two tasks", test_two_tasks},
        {"zero of the file", test_zero_of_the_file},
        {"zero is of the least late", test_zero_is_of_the_least_late},
        {"nothing before zero", test_nothing_before_zero},
        {"rounding", test_rounding},
        {"every nanosecond", test_every_nanosecond},
        {"without CPU times", test_without_cpu_times},
        {"kinds of kernels", test_kinds_of_kernels},
        {"CPU benchmark", test_cpu_benchmark},
        {"equal names", test_equal_names},
        {"SMs", test_sms},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("examiner", tests);
}
