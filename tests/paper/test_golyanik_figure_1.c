/* labels: soak */
/* V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU", ICIP 2017, figure 1: the
 * share of jobs that miss their deadlines, with U from 0.35 to 0.75, of 100 random task sets a point. The figure's curves have no numbers;
 * the text has the averages: np-edf 2.5 % of the jobs, 55 % of the sets without a miss; np-rm 2.7 %, 52 %; GPU-TDMh none.
 *
 * Not published: how many tasks a set has, the overheads, the execution times. Here n is 2, 3, 5 or 10, overheads are uniform in [0, 1 ms] (tdm
 * only), and a job takes exactly u_i T_i, or 86 % of it, since the paper's GPU was busy for 14 % less than expected. Sets with a
 * hyperperiod below 10^6 ms, as in the paper, are drawn until there are enough; of five or more periods in whole milliseconds there are hardly
 * any, so those are multiples of 50 or 100 ms. All tasks begin at 0.
 *
 * With GRT_SOAK=1 all of it is simulated, and a table with every point is printed, from whose averages docs/tdm.md is. */
#include <math.h>
#include <stdio.h>

#include "models/world.h"
#include "policies/registry.h"
#include "policies/tdm/tdm.h"
#include "scenarios/generate/generated_scenario.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { POINTS = 9, MOST_TASKS = 10 };

static const double utilisations[POINTS] = {.35, .40, .45, .50, .55, .60, .65, .70, .75};

static const struct experiment {
    size_t tasks;
    grt_time granularity;
} experiments[] = {
    {2, GRT_MILLISECOND}, {3, GRT_MILLISECOND}, {5, 50 * GRT_MILLISECOND}, {10, 100 * GRT_MILLISECOND}};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

/* Who schedules. */
enum { CUBIC, EXACT, EDF, RM, SCHEDULERS };

static const struct tdm_parameters rules[] = {
    [CUBIC] = {.rule = {.method = TDM_CUBIC, .count = TDM_COUNT_PAPER}},
    [EXACT] = {.rule = {.method = TDM_EXACT, .count = TDM_COUNT_PAPER}},
};

static const char *const policies[SCHEDULERS] = {"tdm", "tdm", "np-edf", "np-rm"};

/* What came out for many sets. */
struct tally {
    int sets, ran, clean;            /* all; admitted by the policy; those of them without a miss */
    double ratios;                   /* sum of the shares of jobs that missed */
    int admitted, clean_of_admitted; /* by the exact search, whatever ran */
};

/* ---- task sets ---- */

struct source {
    struct grt_generator *generator;
    uint64_t number;
    size_t count;
};

static struct source source_of(const struct experiment *experiment, double utilisation) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    struct grt_errors errors = {0};
    spec.seed = 2017;
    spec.task_count = experiment->tasks;
    spec.utilisation = utilisation;
    spec.method = GRT_UTILISATION_UUNIFAST;
    spec.periods = (struct grt_period_spec){.method = GRT_PERIODS_UNIFORM,
                                            .least = 100 * GRT_MILLISECOND,
                                            .most = 2000 * GRT_MILLISECOND,
                                            .granularity = experiment->granularity};
    spec.overhead = GRT_MILLISECOND;
    struct source source = {.generator = grt_generator_create(&spec, &errors), .count = experiment->tasks};
    CU_ASSERT_PTR_NOT_NULL_FATAL(source.generator);
    return source;
}

/* The next set whose hyperperiod is below 10^6 ms, with jobs that take `percent` of what is declared. */
static struct grt_scenario next_set(struct source *source, const struct grt_device *gpu, int64_t percent,
                                    grt_time longest, struct grt_arena *arena) {
    struct grt_generated_task tasks[MOST_TASKS];
    struct grt_generated_frame frame = {.name = "figure 1", .seed = 1, .gpu = gpu};
    for (;;) {
        CU_ASSERT_FATAL(grt_generator_make(source->generator, ++source->number, tasks));
        grt_arena_clear(arena);
        struct grt_scenario scenario = grt_generated_scenario(&frame, tasks, source->count, arena);
        grt_time hyperperiod = grt_scenario_hyperperiod(&scenario);
        if (hyperperiod == 0 || hyperperiod >= 1000 * GRT_SECOND) {
            continue;
        }
        for (size_t i = 0; i < source->count; i++) {
            struct grt_distribution *time = (struct grt_distribution *)(uintptr_t)&scenario.tasks[i]
                                                .segments[0]
                                                .commands[0]
                                                .kernel.block_time;
            time->declared = time->max;
            time->min = time->max = time->max * percent / 100 > 0 ? time->max * percent / 100 : 1;
        }
        scenario.horizon = hyperperiod < longest ? hyperperiod : longest;
        return scenario;
    }
}

/* ---- runs ---- */

/* The share of jobs that missed their deadlines; -1 where the policy refuses the set. */
static double miss_ratio(const struct grt_scenario *scenario, int scheduler) {
    struct grt_errors errors = {0};
    struct grt_world_options options = {.trace = NULL};
    struct grt_world *world =
        grt_world_create(scenario, grt_policy_find(policies[scheduler]),
                         scheduler <= EXACT ? &rules[scheduler] : NULL, &options, &errors);
    uint64_t missed = 0, released = 0;
    if (world != NULL) {
        grt_world_run(world);
        for (size_t i = 0; i < scenario->task_count; i++) {
            missed += grt_world_result(world)->tasks[i].missed;
            released += grt_world_result(world)->tasks[i].released;
        }
    }
    grt_world_free(world);
    grt_errors_clear(&errors);
    return released > 0 ? (double)missed / (double)released : -1.0;
}

static void count_set(const double ratios[SCHEDULERS], struct tally tallies[SCHEDULERS]) {
    for (int i = 0; i < SCHEDULERS; i++) {
        struct tally *tally = &tallies[i];
        tally->sets++;
        tally->ran += ratios[i] >= 0.0;
        tally->clean += ratios[i] == 0.0;
        tally->ratios += ratios[i] > 0.0 ? ratios[i] : 0.0;
        tally->admitted += ratios[EXACT] >= 0.0;
        tally->clean_of_admitted += ratios[EXACT] >= 0.0 && ratios[i] == 0.0;
    }
}

/* One point of the figure. `longest`: where longer hyperperiods are cut off. */
static void run_point(const struct experiment *experiment, double utilisation, int64_t percent, int sets,
                      grt_time longest, struct tally tallies[SCHEDULERS]) {
    struct source source = source_of(experiment, utilisation);
    struct grt_device gpu = grt_built_exclusive();
    struct grt_arena arena = {0};
    for (int set = 0; set < sets; set++) {
        struct grt_scenario scenario = next_set(&source, &gpu, percent, longest, &arena);
        double ratios[SCHEDULERS];
        for (int i = 0; i < SCHEDULERS; i++) {
            ratios[i] = miss_ratio(&scenario, i);
        }
        CU_ASSERT(ratios[CUBIC] <= 0.0 && ratios[EXACT] <= 0.0); /* what is admitted never misses */
        CU_ASSERT(ratios[CUBIC] < 0.0 || ratios[EXACT] >= 0.0);  /* exact admits what the cubic does */
        count_set(ratios, tallies);
    }
    grt_arena_clear(&arena);
    grt_generator_free(source.generator);
}

/* ---- results ---- */

static double percent_of(double part, int whole) {
    return whole > 0 ? 100.0 * part / whole : 0.0;
}

/* A row of a table, all in percent: sets admitted by the cubic and by the exact search; of np-edf and np-rm the jobs
 * that miss, the sets without a miss, and these among the sets that the exact search admits. */
static void print_row(const char *name, const struct tally tallies[SCHEDULERS]) {
    printf("\n    | %s | %.1f | %.1f |", name, percent_of(tallies[CUBIC].ran, tallies[CUBIC].sets),
           percent_of(tallies[EXACT].ran, tallies[EXACT].sets));
    for (int i = EDF; i <= RM; i++) {
        const struct tally *tally = &tallies[i];
        printf(" %.2f | %.1f | %.1f |", percent_of(tally->ratios, tally->sets),
               percent_of(tally->clean, tally->sets), percent_of(tally->clean_of_admitted, tally->admitted));
    }
}

static void add(struct tally sums[SCHEDULERS], const struct tally tallies[SCHEDULERS]) {
    for (int i = 0; i < SCHEDULERS; i++) {
        sums[i].sets += tallies[i].sets;
        sums[i].ran += tallies[i].ran;
        sums[i].clean += tallies[i].clean;
        sums[i].ratios += tallies[i].ratios;
        sums[i].admitted += tallies[i].admitted;
        sums[i].clean_of_admitted += tallies[i].clean_of_admitted;
    }
}

/* What holds for any n. That np-edf is better than np-rm, as the paper has it, holds of the sets without a miss. Of the jobs the shares are the
 * same to within a twentieth, and as a rule that of np-edf is the larger. */
static void check_order(const struct tally sums[SCHEDULERS]) {
    CU_ASSERT(sums[EDF].clean >= sums[RM].clean);
    CU_ASSERT(fabs(sums[EDF].ratios - sums[RM].ratios) <= 0.05 * sums[RM].ratios);
    CU_ASSERT(sums[EDF].clean_of_admitted < sums[EXACT].ran);
    CU_ASSERT(sums[EXACT].clean == sums[EXACT].ran);
}

static void run_figure(int64_t percent) {
    int sets = grt_suite_cases(20, 100), step = grt_suite_cases(2, 1);
    grt_time longest = grt_suite_cases(10, 1000) * GRT_SECOND;
    for (int e = 0; e < EXPERIMENTS; e++) {
        struct tally sums[SCHEDULERS] = {{0}};
        char name[64];
        for (int point = 0; point < POINTS; point += step) {
            struct tally tallies[SCHEDULERS] = {{0}};
            run_point(&experiments[e], utilisations[point], percent, sets, longest, tallies);
            add(sums, tallies);
            snprintf(name, sizeof name, "%zu | %.2f", experiments[e].tasks, utilisations[point]);
            if (step == 1) {
                print_row(name, tallies);
            }
        }
        check_order(sums);
        snprintf(name, sizeof name, "%zu | all", experiments[e].tasks);
        print_row(name, sums);
    }
    printf("\n    ");
}

static void times_as_declared(void) {
    run_figure(100);
}

static void times_fourteen_percent_shorter(void) {
    run_figure(86);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"times as declared", times_as_declared},
        {"times 14 % shorter", times_fourteen_percent_shorter},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("Golyanik et al., ICIP 2017, figure 1", tests);
}
