/* Scenarios of generated sets: blocks that take as long as is said. */
#include <math.h>

#include "models/demand/demand.h"
#include "scenarios/generate/generated_scenario.h"
#include "tests/support/rich_sets.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

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

int main(void) {
    CU_TestInfo tests[] = {
        {"blocks take whole waves", blocks_take_whole_waves},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("scenarios of generated sets", tests);
}
