/* The scenario loader: every field and its default, arrivals, priorities, random times. What it refuses is in
 * tests/reject. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

#define MS GRT_MILLISECOND
#define US GRT_MICROSECOND

/* The scenario under test; each test frees it. */
static struct grt_scenario_file file;

static const struct grt_scenario *scenario(void) {
    return &file.scenario;
}

static const struct grt_task *task(size_t index) {
    CU_ASSERT_FATAL(index < file.scenario.task_count);
    return &file.scenario.tasks[index];
}

static void load(const char *text) {
    grt_scenario_text_load(text, NULL, &file);
}

static void test_defaults(void) {
    load(SCENARIO_HEAD SCENARIO_TASK("a", "\"period\":\"10ms\"") "]}");
    CU_ASSERT_STRING_EQUAL(scenario()->name, "unnamed");
    CU_ASSERT_STRING_EQUAL(file.description, "");
    CU_ASSERT_EQUAL(scenario()->seed, 1);
    CU_ASSERT_EQUAL(scenario()->horizon_kind, GRT_HORIZON_FIXED);
    CU_ASSERT_EQUAL(scenario()->horizon, GRT_SECOND);
    CU_ASSERT_EQUAL(scenario()->ties, GRT_TIES_TASK);
    CU_ASSERT_EQUAL(scenario()->core_count, 0);
    CU_ASSERT_EQUAL(scenario()->gpu_count, 1);
    CU_ASSERT_PTR_EQUAL(file.policy, grt_policy_find("hardware"));
    CU_ASSERT_PTR_NOT_NULL(file.policy_parameters);
    CU_ASSERT_FALSE(grt_expect_any(&file.expect));
    CU_ASSERT_EQUAL(scenario()->task_count, 1);
    CU_ASSERT_EQUAL(task(0)->arrival, GRT_ARRIVAL_PERIODIC);
    CU_ASSERT_EQUAL(task(0)->period, 10 * MS);
    CU_ASSERT_EQUAL(task(0)->offset, 0);
    CU_ASSERT_EQUAL(task(0)->jitter, 0);
    CU_ASSERT_EQUAL(task(0)->deadline, 10 * MS);
    CU_ASSERT_EQUAL(task(0)->deadline_from, GRT_DEADLINE_FROM_ARRIVAL);
    CU_ASSERT_EQUAL(task(0)->on_miss, GRT_MISS_CONTINUE);
    CU_ASSERT_EQUAL(task(0)->priority, 1);
    CU_ASSERT_EQUAL(task(0)->cpu, -1);
    CU_ASSERT_PTR_NULL(task(0)->stream);
    CU_ASSERT_EQUAL(task(0)->stream_priority, 0);
    CU_ASSERT_EQUAL(task(0)->gpu, 0);
    grt_scenario_file_free(&file);
    CU_ASSERT_PTR_NULL(file.arena.chunks);
}

static void load_full(void) {
    load("{\"gpurt\":1,\"name\":\"full\",\"description\":\"two\\nlines\",\"source\":\"a "
         "paper\",\"seed\":9007199254740991,"
         "\"horizon\":\"1.5h\",\"ties\":\"shuffle\",\"platform\":{\"cpus\":3,\"gpus\":[{\"device\":"
         "\"exclusive\"},{\"device\":"
         "\"tx2\"}]},\"policy\":{\"name\":\"np-edf\"},\"tasks\":[{\"name\":\"a\",\"period\":\"10ms\","
         "\"offset\":\"3ms\","
         "\"jitter\":\"250us\",\"deadline\":\"7ms\",\"deadline_from\":\"release\",\"on_miss\":\"skip-next\","
         "\"priority\":-5,"
         "\"cpu\":2,\"stream\":\"null\",\"stream_priority\":-3,\"gpu\":1,\"segments\":[{\"cpu\":\"1.5ms\"},{"
         "\"gpu\":["
         "{\"h2d\":\"4MiB\"},{\"kernel\":\"g\",\"blocks\":128,\"threads\":256,\"regs\":32,\"smem\":\"2KiB\","
         "\"smem_opt_in\":"
         "true,\"block_time\":\"120us\",\"draw\":\"kernel\"},{\"kernel\":\"w\",\"time\":\"5ms\"},{\"d2h\":"
         "\"1kB\"}]}]}]}");
}

static void test_every_field(void) {
    load_full();
    CU_ASSERT_STRING_EQUAL(scenario()->name, "full");
    CU_ASSERT_STRING_EQUAL(file.description, "two\nlines");
    CU_ASSERT_EQUAL(scenario()->seed, 9007199254740991);
    CU_ASSERT_EQUAL(scenario()->horizon, 5400 * GRT_SECOND);
    CU_ASSERT_EQUAL(scenario()->ties, GRT_TIES_SHUFFLE);
    CU_ASSERT_EQUAL(scenario()->core_count, 3);
    CU_ASSERT_EQUAL(scenario()->gpu_count, 2);
    CU_ASSERT_PTR_EQUAL(file.policy, grt_policy_find("np-edf"));
    const struct grt_task *a = task(0);
    CU_ASSERT_STRING_EQUAL(a->name, "a");
    CU_ASSERT_EQUAL(a->offset, 3 * MS);
    CU_ASSERT_EQUAL(a->jitter, 250 * US);
    CU_ASSERT_EQUAL(a->deadline, 7 * MS);
    CU_ASSERT_EQUAL(a->deadline_from, GRT_DEADLINE_FROM_RELEASE);
    CU_ASSERT_EQUAL(a->on_miss, GRT_MISS_SKIP_NEXT);
    CU_ASSERT_EQUAL(a->priority, -5);
    CU_ASSERT_EQUAL(a->cpu, 2);
    CU_ASSERT_STRING_EQUAL(a->stream, "null");
    CU_ASSERT_EQUAL(a->stream_priority, -3);
    CU_ASSERT_EQUAL(a->gpu, 1);
    grt_scenario_file_free(&file);
}

static void test_every_segment(void) {
    load_full();
    const struct grt_task *a = task(0);
    CU_ASSERT_EQUAL_FATAL(a->segment_count, 2);
    CU_ASSERT_EQUAL(a->segments[0].kind, GRT_SEGMENT_CPU);
    CU_ASSERT_EQUAL(a->segments[0].cpu_time.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(a->segments[0].cpu_time.max, 1500 * US);
    CU_ASSERT_EQUAL(a->segments[0].cpu_time.min, 1500 * US);
    CU_ASSERT_EQUAL(a->segments[1].kind, GRT_SEGMENT_GPU);
    CU_ASSERT_EQUAL_FATAL(a->segments[1].command_count, 4);
    const struct grt_command_spec *commands = a->segments[1].commands;
    CU_ASSERT_EQUAL(commands[0].kind, GRT_COMMAND_H2D);
    CU_ASSERT_EQUAL(commands[0].bytes, 4194304);
    CU_ASSERT_EQUAL(commands[1].kind, GRT_COMMAND_KERNEL);
    CU_ASSERT_STRING_EQUAL(commands[1].kernel.name, "g");
    CU_ASSERT_FALSE(commands[1].kernel.whole_device);
    CU_ASSERT_EQUAL(commands[1].kernel.blocks, 128);
    CU_ASSERT_EQUAL(commands[1].kernel.needs.threads, 256);
    CU_ASSERT_EQUAL(commands[1].kernel.needs.registers_per_thread, 32);
    CU_ASSERT_EQUAL(commands[1].kernel.needs.shared_memory, 2048);
    CU_ASSERT_TRUE(commands[1].kernel.needs.shared_memory_opt_in);
    CU_ASSERT_EQUAL(commands[1].kernel.block_time.max, 120 * US);
    CU_ASSERT_EQUAL(commands[1].kernel.draw_per, GRT_DRAW_PER_KERNEL);
    CU_ASSERT_TRUE(commands[2].kernel.whole_device);
    CU_ASSERT_EQUAL(commands[2].kernel.block_time.max, 5 * MS);
    CU_ASSERT_EQUAL(commands[2].kernel.draw_per, GRT_DRAW_PER_KERNEL);
    CU_ASSERT_EQUAL(commands[3].kind, GRT_COMMAND_D2H);
    CU_ASSERT_EQUAL(commands[3].bytes, 1000);
    grt_scenario_file_free(&file);
}

static void test_arrivals(void) {
    static const char sporadic[] = SCENARIO_TASK(
        "a", "\"sporadic\":{\"min_gap\":\"5ms\",\"extra_gap\":{\"min\":\"1ms\",\"max\":\"2ms\"}}");
    static const char poisson[] = SCENARIO_TASK("b", "\"poisson\":{\"mean_gap\":\"4ms\"},\"offset\":\"1ms\"");
    static const char times[] =
        SCENARIO_TASK("c", "\"times\":[\"0s\",\"2ms\",\"2ms\",\"7ms\"],\"deadline\":\"3ms\"");
    static const char after[] = SCENARIO_TASK("d", "\"after\":[\"c\",\"a\"]");
    static const char no_extra_gap[] = SCENARIO_TASK("e", "\"sporadic\":{\"min_gap\":\"5ms\"}");
    char text[2048];
    snprintf(text, sizeof text, "%s%s,%s,%s,%s,%s]}", SCENARIO_HEAD, sporadic, poisson, times, after,
             no_extra_gap);
    load(text);
    CU_ASSERT_EQUAL(task(0)->arrival, GRT_ARRIVAL_SPORADIC);
    CU_ASSERT_EQUAL(task(0)->period, 5 * MS);
    CU_ASSERT_EQUAL(task(0)->deadline, 5 * MS);
    CU_ASSERT_EQUAL(task(0)->extra_gap.kind, GRT_UNIFORM);
    CU_ASSERT_EQUAL(task(0)->extra_gap.max, 2 * MS);
    CU_ASSERT_EQUAL(task(1)->arrival, GRT_ARRIVAL_POISSON);
    CU_ASSERT_EQUAL(task(1)->period, 4 * MS);
    CU_ASSERT_EQUAL(task(1)->offset, 1 * MS);
    CU_ASSERT_EQUAL(task(1)->deadline, GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(task(2)->arrival, GRT_ARRIVAL_TIMES);
    CU_ASSERT_EQUAL(task(2)->period, 0);
    CU_ASSERT_EQUAL_FATAL(task(2)->time_count, 4);
    CU_ASSERT_EQUAL(task(2)->times[3], 7 * MS);
    CU_ASSERT_EQUAL(task(2)->deadline, 3 * MS);
    CU_ASSERT_EQUAL(task(3)->arrival, GRT_ARRIVAL_AFTER);
    CU_ASSERT_EQUAL_FATAL(task(3)->after_count, 2);
    CU_ASSERT_EQUAL(task(3)->after[0], 2);
    CU_ASSERT_EQUAL(task(3)->after[1], 0);
    CU_ASSERT_EQUAL(task(3)->deadline, GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(task(4)->extra_gap.kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(task(4)->extra_gap.max, 0);
    grt_scenario_file_free(&file);
}

/* A throughput-oriented task has no deadline unless it says one. */
static void test_separation(void) {
    static const char plain[] = SCENARIO_TASK("a", "\"period\":\"5ms\"");
    static const char separate[] = SCENARIO_TASK("b", "\"period\":\"5ms\",\"separation\":\"6ms\"");
    static const char both[] =
        SCENARIO_TASK("c", "\"sporadic\":{\"min_gap\":\"5ms\"},\"separation\":\"1ns\",\"deadline\":\"4ms\","
                           "\"on_miss\":\"abort\"");
    char text[2048];
    snprintf(text, sizeof text, "%s%s,%s,%s]}", SCENARIO_HEAD, plain, separate, both);
    load(text);
    CU_ASSERT_EQUAL(task(0)->separation, 0);
    CU_ASSERT_EQUAL(task(0)->deadline, 5 * MS);
    CU_ASSERT_EQUAL(task(1)->separation, 6 * MS);
    CU_ASSERT_EQUAL(task(1)->deadline, GRT_TIME_NEVER);
    CU_ASSERT_EQUAL(task(2)->separation, 1);
    CU_ASSERT_EQUAL(task(2)->deadline, 4 * MS);
    grt_scenario_file_free(&file);
}

static void check_priorities(const int64_t *expected, size_t count) {
    CU_ASSERT_EQUAL_FATAL(file.scenario.task_count, count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(task(i)->priority, expected[i]);
    }
    grt_scenario_file_free(&file);
}

/* By the key that stands behind each. */
static void test_priorities(void) {
    static const char *const tasks[] = {
        SCENARIO_TASK("a", "\"period\":\"20ms\""),                                      /* 20 */
        SCENARIO_TASK("b", "\"period\":\"10ms\""),                                      /* 10 */
        SCENARIO_TASK("c", "\"period\":\"10ms\",\"deadline\":\"2ms\""),                 /* 10 */
        SCENARIO_TASK("d", "\"sporadic\":{\"min_gap\":\"5ms\"}"),                       /* 5 */
        SCENARIO_TASK("e", "\"poisson\":{\"mean_gap\":\"15ms\"},\"deadline\":\"1ms\""), /* 15 */
        SCENARIO_TASK("f", "\"times\":[\"0s\"],\"deadline\":\"12ms\""),                 /* 12, its deadline */
        SCENARIO_TASK("g", "\"after\":[\"a\"]"),                                        /* never */
    };
    char text[4096] = SCENARIO_HEAD;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? "," : "", tasks[i]);
    }
    load(strcat(text, "]}"));
    check_priorities((const int64_t[]){2, 6, 5, 7, 3, 4, 1}, 7);
    load(SCENARIO_HEAD SCENARIO_TASK("a", "\"period\":\"20ms\",\"priority\":7") "," SCENARIO_TASK(
        "b", "\"period\":\"10ms\",\"priority\":7") "]}");
    check_priorities((const int64_t[]){7, 7}, 2);
}

static void test_cores(void) {
    static const char two[] = "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"cpus\":2,\"gpus\":[{"
                              "\"device\":\"tx2\"}]},\"tasks\":[";
    char text[1000];
    snprintf(text, sizeof text, "%s%s]}", two, SCENARIO_TASK("a", "\"period\":\"1ms\""));
    load(text); /* no CPU segment: no core needed */
    CU_ASSERT_EQUAL(task(0)->cpu, -1);
    grt_scenario_file_free(&file);
    grt_scenario_text_load(
        text,
        &(struct grt_scenario_changes){.sets = (const char *const[]){"platform.cpus=1"}, .set_count = 1},
        &file);
    CU_ASSERT_EQUAL(task(0)->cpu, 0);
    grt_scenario_file_free(&file);
}

/* A GPU segment with one kernel that has this time, or a CPU segment with it. */
static const struct grt_distribution *read_time(const char *field, const char *time) {
    char text[1000];
    snprintf(text, sizeof text, SCENARIO_HEAD "{\"name\":\"a\",\"period\":\"9ms\",\"segments\":[{%s%s}]}]}",
             field, time);
    load(text);
    const struct grt_segment *segment = &task(0)->segments[0];
    return segment->kind == GRT_SEGMENT_CPU ? &segment->cpu_time : &segment->commands[0].kernel.block_time;
}

static void test_distributions(void) {
    static const char *const names[] = {"normal",  "lognormal", "exponential", "gamma",
                                        "weibull", "gumbel",    "pareto"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool shape = strchr("lgwp", names[i][0]) != NULL && strcmp(names[i], "gumbel") != 0;
        char time[200];
        snprintf(time, sizeof time,
                 "{\"distribution\":\"%s\",\"location\":\"-1us\",\"scale\":\"2us\",%s\"min\":\"1us\",\"max\":"
                 "\"9us\"}",
                 names[i], shape ? "\"shape\":1.5," : "");
        const struct grt_distribution *read_back = read_time("\"cpu\":", time);
        CU_ASSERT_EQUAL(read_back->kind, (int64_t)i + GRT_NORMAL);
        CU_ASSERT_EQUAL(read_back->location, -1 * US);
        CU_ASSERT_EQUAL(read_back->scale, 2 * US);
        CU_ASSERT_EQUAL(read_back->shape, shape ? 1.5 : 0);
        CU_ASSERT_EQUAL(read_back->min, 1 * US);
        CU_ASSERT_EQUAL(read_back->max, 9 * US);
        grt_scenario_file_free(&file);
    }
}

static void test_short_times(void) {
    const struct grt_distribution *time = read_time("\"cpu\":", "{\"min\":\"1ns\",\"max\":\"5us\"}");
    CU_ASSERT_EQUAL(time->kind, GRT_UNIFORM);
    CU_ASSERT_EQUAL(time->min, 1);
    grt_scenario_file_free(&file);
    time = read_time("\"cpu\":", "{\"distribution\":\"constant\",\"max\":\"5us\"}");
    CU_ASSERT_EQUAL(time->kind, GRT_CONSTANT);
    CU_ASSERT_EQUAL(time->min, 5 * US);
    grt_scenario_file_free(&file);
    time = read_time("\"gpu\":[{\"kernel\":\"k\",\"time\":",
                     "{\"distribution\":\"exponential\",\"scale\":\"1us\",\"max\":\"5us\"}}]");
    CU_ASSERT_EQUAL(time->min, 1); /* a kernel takes at least 1 ns */
    grt_scenario_file_free(&file);
}

static void test_horizons(void) {
    load(
        "{\"gpurt\":1,\"horizon\":\"hyperperiod\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},"
        "\"tasks\":[" SCENARIO_TASK("a", "\"period\":\"6ms\",\"offset\":\"1ms\",\"jitter\":\"1us\"") "," SCENARIO_TASK(
            "b", "\"period\":\"4ms\"") "," SCENARIO_TASK("c", "\"after\":[\"a\"]") "]}");
    CU_ASSERT_EQUAL(scenario()->horizon_kind, GRT_HORIZON_HYPERPERIOD);
    CU_ASSERT_EQUAL(scenario()->horizon, 13 * MS);
    grt_scenario_file_free(&file);
    load("{\"gpurt\":1,\"horizon\":\"auto\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"tasks\":"
         "[" SCENARIO_TASK("a", "\"period\":\"6ms\"") "]}");
    CU_ASSERT_EQUAL(scenario()->horizon_kind, GRT_HORIZON_AUTO);
    CU_ASSERT_EQUAL(scenario()->horizon, 6 * MS);
    grt_scenario_file_free(&file);
}

static void test_standard_input(void) {
    const char *path = GRT_SCRATCH_DIR "/input.json";
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(SCENARIO_HEAD SCENARIO_TASK("a", "\"period\":\"6ms\"") "]}", out);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(freopen(path, "r", stdin));
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_scenario_read("-", NULL, &file, &errors));
    CU_ASSERT_EQUAL(task(0)->period, 6 * MS);
    grt_scenario_file_free(&file);
}

static void test_expectations(void) {
    load(SCENARIO_HEAD SCENARIO_TASK(
        "a",
        "\"period\":\"10ms\"") "],\"expect\":{\"missed\":0,\"trace_digest\":\"0123456789abcdef\",\"tasks\":[{"
                               "\"task\":\"a\",\"met\":3,\"response_max\":\"5ms\"}],\"blocks\":[{\"kernel\":"
                               "\"k\",\"start\":\"0s\",\"end\":\"1ms\"},"
                               "{\"task\":\"a\",\"kernel\":\"k\",\"job\":2,\"first\":1,\"last\":3,\"start\":"
                               "\"1ms\",\"end\":\"2ms\",\"sms\":[0,1,0]}],"
                               "\"copies\":[{\"task\":\"a\",\"direction\":\"d2h\",\"start\":\"1ms\",\"end\":"
                               "\"1ms\"}]}}");
    const struct grt_expect *expect = &file.expect;
    CU_ASSERT_TRUE(grt_expect_any(expect));
    CU_ASSERT_TRUE(grt_expect_needs_trace(expect));
    CU_ASSERT_EQUAL(expect->missed, 0);
    CU_ASSERT_STRING_EQUAL(expect->trace_digest, "0123456789abcdef");
    CU_ASSERT_EQUAL_FATAL(expect->task_count, 1);
    CU_ASSERT_EQUAL(expect->tasks[0].met, 3);
    CU_ASSERT_EQUAL(expect->tasks[0].released, -1);
    CU_ASSERT_EQUAL(expect->tasks[0].response_max, 5 * MS);
    CU_ASSERT_EQUAL(expect->tasks[0].blocking_max, -1);
    CU_ASSERT_EQUAL_FATAL(expect->block_count, 2);
    CU_ASSERT_PTR_NULL(expect->blocks[0].task);
    CU_ASSERT_EQUAL(expect->blocks[0].job, 0);
    CU_ASSERT_EQUAL(expect->blocks[0].last, 0);
    CU_ASSERT_EQUAL(expect->blocks[0].sms.count, 0);
    CU_ASSERT_EQUAL(expect->blocks[1].last, 3);
    CU_ASSERT_EQUAL_FATAL(expect->blocks[1].sms.count, 3);
    CU_ASSERT_EQUAL(expect->blocks[1].sms.items[1], 1);
    CU_ASSERT_EQUAL_FATAL(expect->copy_count, 1);
    CU_ASSERT_EQUAL(expect->copies[0].command, -1);
    CU_ASSERT_EQUAL(expect->copies[0].direction, 1);
    grt_scenario_file_free(&file);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"defaults", test_defaults},
        {"every field", test_every_field},
        {"every field of segments", test_every_segment},
        {"arrivals", test_arrivals},
        {"separation", test_separation},
        {"priorities", test_priorities},
        {"cores", test_cores},
        {"distributions", test_distributions},
        {"short times", test_short_times},
        {"horizons", test_horizons},
        {"standard input", test_standard_input},
        {"expectations", test_expectations},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenario", tests);
}
