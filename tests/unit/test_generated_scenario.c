/* Scenarios of generated sets: the same in memory and in a file, blocks that take as long as is said, text that does not change. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/demand.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/scenario.h"
#include "tests/support/rich_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static void make(const struct grt_generator_spec *spec, uint64_t number,
                 struct grt_generated_task tasks[TASKS]) {
    struct grt_generator *generator = create(spec);
    CU_ASSERT_FATAL(grt_generator_make(generator, number, tasks));
    grt_generator_free(generator);
}

/* Blocks take whole waves, and as long as the model of demand says that they do. */
static void blocks_take_whole_waves(void) {
    struct grt_device device = grt_built_tx2();
    struct grt_errors errors = {0};
    struct grt_generator_spec spec = rich_spec(GRT_UTILISATION_UUNIFAST, GRT_PERIODS_AUTOMOTIVE);
    spec.blocks_at_a_time = grt_generated_blocks_at_a_time(&device, 512, &errors);
    CU_ASSERT_EQUAL(spec.blocks_at_a_time, 8); /* two SMs of 2048 threads */
    struct grt_generator *generator = create(&spec);
    const struct grt_generated_frame frame = {.name = "waves", .gpu = &device, .threads = 512};
    for (uint64_t number = 0; number < 100; number++) {
        struct grt_generated_task tasks[TASKS];
        struct grt_arena arena = {0};
        grt_generator_make(generator, number, tasks);
        struct grt_scenario scenario = grt_generated_scenario(&frame, tasks, TASKS, &arena);
        for (size_t i = 0; i < TASKS; i++) {
            int64_t waves = (tasks[i].blocks + 7) / 8;
            double exact = tasks[i].utilisation * (double)tasks[i].period;
            CU_ASSERT_EQUAL(tasks[i].execution, waves * tasks[i].block_time);
            CU_ASSERT(fabs((double)tasks[i].execution - exact) <= 0.5 * (double)waves ||
                      tasks[i].block_time == 1);
            CU_ASSERT_EQUAL(grt_segment_time(&scenario, &scenario.tasks[i], scenario.tasks[i].segments),
                            tasks[i].execution);
        }
        grt_arena_clear(&arena);
    }
    grt_generator_free(generator);
    CU_ASSERT_EQUAL(grt_generated_blocks_at_a_time(&device, 5000, &errors), 0);
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
}

static bool same_span(const struct grt_distribution *a, const struct grt_distribution *b) {
    return a->kind == b->kind && a->min == b->min && a->max == b->max;
}

static bool same_kernel(const struct grt_kernel *a, const struct grt_kernel *b) {
    return strcmp(a->name, b->name) == 0 && a->whole_device == b->whole_device && a->blocks == b->blocks &&
           a->needs.threads == b->needs.threads &&
           a->needs.registers_per_thread == b->needs.registers_per_thread &&
           a->needs.shared_memory == b->needs.shared_memory && same_span(&a->block_time, &b->block_time) &&
           a->draw_per == b->draw_per && a->bandwidth == b->bandwidth && a->class_name == b->class_name &&
           a->tpcs.count == b->tpcs.count && a->launches.count == b->launches.count;
}

static bool same_task(const struct grt_task *a, const struct grt_task *b) {
    return strcmp(a->name, b->name) == 0 && a->arrival == b->arrival && a->period == b->period &&
           a->offset == b->offset && a->jitter == b->jitter && a->deadline == b->deadline &&
           a->deadline_from == b->deadline_from && a->on_miss == b->on_miss && a->priority == b->priority &&
           a->cpu == b->cpu && a->stream == b->stream && a->stream_priority == b->stream_priority &&
           a->gpu == b->gpu && a->split_overhead == b->split_overhead && a->process == b->process &&
           a->segment_count == 1 && b->segment_count == 1 && a->segments[0].kind == b->segments[0].kind &&
           a->segments[0].command_count == 1 && b->segments[0].command_count == 1 &&
           a->segments[0].commands[0].kind == b->segments[0].commands[0].kind &&
           same_kernel(&a->segments[0].commands[0].kernel, &b->segments[0].commands[0].kernel);
}

/* What is read from the text is what was made in memory. */
static void expect_same_scenario(const struct grt_generated_frame *frame,
                                 const struct grt_generated_task *tasks, size_t count) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    grt_generated_write(out, frame, tasks, count);
    fclose(out);
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    struct grt_arena arena = {0};
    CU_ASSERT_FATAL(grt_scenario_parse(text, size, NULL, NULL, &file, &errors));
    struct grt_scenario made = grt_generated_scenario(frame, tasks, count, &arena);
    CU_ASSERT_STRING_EQUAL(file.scenario.name, made.name);
    CU_ASSERT_STRING_EQUAL(file.description, frame->description);
    CU_ASSERT_STRING_EQUAL(file.policy->name, frame->policy);
    CU_ASSERT(file.scenario.seed == made.seed && file.scenario.horizon == made.horizon &&
              file.scenario.horizon_kind == made.horizon_kind && file.scenario.ties == made.ties &&
              file.scenario.core_count == made.core_count && file.scenario.gpu_count == made.gpu_count &&
              file.scenario.task_count == made.task_count);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT(same_task(&file.scenario.tasks[i], &made.tasks[i]));
        CU_ASSERT_STRING_EQUAL(grt_process_of(&file.scenario, &file.scenario.tasks[i])->name,
                               grt_process_of(&made, &made.tasks[i])->name);
    }
    grt_arena_clear(&arena);
    grt_scenario_file_free(&file);
    free(text);
}

static void files_say_the_same(void) {
    struct grt_device device = grt_built_exclusive();
    struct grt_generated_frame frame = {.name = "a \"quoted\" name\\",
                                        .description = "caf\xc3\xa9",
                                        .device = "exclusive",
                                        .gpu = &device,
                                        .policy = "np-edf",
                                        .threads = 96};
    struct grt_generated_task tasks[TASKS];
    for (int64_t periods = 0; periods < GRT_PERIOD_METHODS; periods++) {
        for (int with_blocks = 0; with_blocks < 2; with_blocks++) {
            struct grt_generator_spec spec = rich_spec(GRT_UTILISATION_RANDFIXEDSUM, periods);
            spec.blocks.low = with_blocks;
            spec.blocks.high = 100 * with_blocks;
            for (uint64_t number = 0; number < 20; number++) {
                make(&spec, number, tasks);
                frame.seed = grt_generated_seed(spec.seed, number);
                expect_same_scenario(&frame, tasks, TASKS);
            }
        }
    }
}

static const char small_file[] = "{\n"
                                 "  \"gpurt\": 1,\n"
                                 "  \"name\": \"small\",\n"
                                 "  \"description\": \"two\",\n"
                                 "  \"seed\": 7,\n"
                                 "  \"horizon\": \"hyperperiod\",\n"
                                 "  \"platform\": { \"gpus\": [ { \"device\": \"tx2\" } ] },\n"
                                 "  \"policy\": { \"name\": \"np-rm\" },\n"
                                 "  \"tasks\": [\n"
                                 "    { \"name\": \"t1\", \"period\": \"10ms\", \"segments\": [ { \"gpu\": [ "
                                 "{ \"kernel\": \"k1\", \"time\": \"1.234567ms\" } ] } ] },\n"
                                 "    { \"name\": \"t2\", \"period\": \"1s\", \"offset\": \"2ns\", "
                                 "\"jitter\": \"3us\", \"deadline\": \"900ms\", \"split_overhead\": "
                                 "\"5us\", \"segments\": [ { \"gpu\": [ { \"kernel\": \"k2\", \"blocks\": 6, "
                                 "\"threads\": 32, \"block_time\": \"7us\" } ] } ] }\n"
                                 "  ]\n"
                                 "}\n";

static void the_text_is_stable(void) {
    const struct grt_generated_task tasks[] = {
        {.utilisation = 0.1, .period = 10000000, .execution = 1234567, .deadline = 10000000},
        {0.1, 1000000000, 42000, 900000000, 3000, 5000, 2, 6, 7000}};
    const struct grt_generated_frame frame = {"small", "two", 7, "tx2", NULL, "np-rm", "hyperperiod", 32, 0};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    grt_generated_write(out, &frame, tasks, 2);
    fclose(out);
    CU_ASSERT_STRING_EQUAL(text, small_file);
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"blocks take whole waves", blocks_take_whole_waves},
        {"files say the same", files_say_the_same},
        {"the text is stable", the_text_is_stable},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenarios of generated sets", tests);
}
