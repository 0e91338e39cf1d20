/* Steps of clocks, of files that have samples of them and of those that do not. */
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "sim/random.h"
#include "tests/support/findings.h"
#include "tests/support/measured.h"
#include "tests/support/raw_samples.h"
#include "tests/support/suite.h"

static struct raw_samples samples;
static struct grt_arena arena;

/* A file without its own samples of steps, as older ones are: block times with steps of so many ns, of so many different lengths. */
static const struct grt_fit *fit_of_blocks(int64_t step, int lengths) {
    raw_start(&samples, 4);
    raw_workload(&samples, "fma", GRT_KERNEL_FMA, 256, 1);
    struct grt_random random = grt_random_stream(1, "steps", 0, 0);
    struct grt_raw_cell *cell = raw_cell(&samples, "coresidency", 200, "kernel=fma,per_sm=1");
    int64_t *times = raw_column(&samples, cell, "block_ns");
    for (size_t i = 0; i < cell->count; i++) {
        times[i] = step * (1000 + (int64_t)grt_random_below(&random, (uint64_t)lengths));
    }
    return grt_fit_all(&samples.raw, &samples.arena);
}

static void older_files_tell_the_step_by_their_spans(void) {
    static const int64_t steps[] = {1, 32, 1024};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct grt_fit *all = fit_of_blocks(steps[i], 60);
        CU_ASSERT_EQUAL(finding(all, "timer_step")->status, GRT_FINDING_MEASURED);
        CU_ASSERT_DOUBLE_EQUAL(finding(all, "timer_step")->value, (double)steps[i], 0);
        CU_ASSERT_EQUAL(all->warning_count, 0);
    }
}

static void few_spans_do_not_tell_it(void) {
    const struct grt_fit *all = fit_of_blocks(1024, 3);
    CU_ASSERT_EQUAL(finding(all, "timer_step")->status, GRT_FINDING_MISSING);
    CU_ASSERT_TRUE(is_warned(all, "the step of the device's timer was not measured"));
    CU_ASSERT_TRUE(is_warned(all, "3 different spans are too few"));
}

/* Whatever is measured, the steps are. */
static const struct grt_fit *measure(uint32_t experiments, grt_time tick, struct grt_pretend_spec *spec) {
    struct grt_plan plan = grt_measured_plan();
    plan.experiments = experiments;
    plan.workloads[0] = "fma";
    plan.workload_count = 1;
    plan.worst_samples = 3000;
    spec->timer_tick = spec->event_tick = tick;
    const struct grt_measured_run run = {.spec = spec,
                                         .engine = &grt_engine_model,
                                         .plan = &plan,
                                         .path = GRT_SCRATCH_DIR "/steps.jsonl",
                                         .buffer_bytes = 1 << 22};
    grt_arena_clear(&arena);
    struct grt_raw *raw = grt_measured(&run, &arena, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return grt_fit_all(raw, &arena);
}

#define ONLY(experiment) (UINT32_C(1) << (experiment))

static void steps_are_measured_in_any_case(void) {
    static const grt_time ticks[] = {1, 32, 1024};
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        struct grt_pretend_spec spec;
        grt_measured_spec(4, &spec);
        spec.device.kernel_launch = 55000;
        const struct grt_fit *all = measure(ONLY(GRT_EXPERIMENT_LAUNCH), ticks[i], &spec);
        CU_ASSERT_DOUBLE_EQUAL(finding(all, "timer_step")->value, (double)ticks[i], 0);
        const struct grt_finding *gap = finding(all, "launch_gap"); /* less the 5 us of the kernel before */
        CU_ASSERT(gap->low <= 50000 && gap->high >= 50000);
        CU_ASSERT(ticks[i] == 1 || gap->low < gap->high);
        CU_ASSERT_FALSE(is_warned(all, "timer was not measured"));
    }
}

static void events_have_their_step_beside_copies_too(void) {
    struct grt_pretend_spec spec;
    grt_measured_spec(4, &spec);
    const struct grt_fit *all = measure(ONLY(GRT_EXPERIMENT_COPY), 1024, &spec);
    CU_ASSERT_DOUBLE_EQUAL(finding(all, "event_step")->value, 1024, 0);
}

/* Runs that differ by less than three steps are no sample of anything. */
static void worst_cases_know_the_step(void) {
    struct grt_pretend_spec spec;
    grt_measured_spec(4, &spec);
    spec.kernels[GRT_KERNEL_FMA].noise =
        (struct grt_distribution){.kind = GRT_GAMMA, .shape = 2, .scale = 1000, .max = 1000000};
    const struct grt_fit *all = measure(ONLY(GRT_EXPERIMENT_WORST), 1024, &spec);
    CU_ASSERT_FATAL(all->worst_count > 0);
    for (size_t i = 0; i < all->worst_count; i++) {
        const struct grt_pwcet *pwcet = all->worst[i].pwcet;
        CU_ASSERT_FATAL(pwcet->refusal_count > 0);
        if (strstr(pwcet->refusals[0], "the clock is too coarse") == NULL) {
            printf("\n%s: %s", all->worst[i].name, pwcet->refusals[0]);
            CU_FAIL("another reason");
        }
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"older files tell the step by their spans", older_files_tell_the_step_by_their_spans},
        {"few spans do not tell it", few_spans_do_not_tell_it},
        {"steps are measured in any case", steps_are_measured_in_any_case},
        {"events have their step beside copies too", events_have_their_step_beside_copies_too},
        {"worst cases know the step", worst_cases_know_the_step},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("steps of clocks", tests);
    grt_arena_clear(&samples.arena);
    grt_arena_clear(&arena);
    return result;
}
