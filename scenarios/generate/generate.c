#include "scenarios/generate/generate.h"

#include <math.h>
#include <stdlib.h>

#include "models/task.h"
#include "scenarios/generate/spec_check.h"
#include "scenarios/generate/utilisation.h"
#include "sim/check.h"
#include "sim/divisor.h"
#include "sim/memory.h"
#include "sim/random.h"

const char *const grt_utilisation_method_names[] = {"uunifast", "uunifast-discard", "randfixedsum",
                                                    "uunisort", NULL};

struct grt_generator {
    struct grt_generator_spec spec;
    struct grt_periods periods;
    struct grt_fixed_sum *fixed_sum; /* randfixedsum only */
};

struct grt_generator_spec grt_generator_spec_default(void) {
    return (struct grt_generator_spec){
        .seed = 1,
        .task_count = 10,
        .utilisation = 0.5,
        .method = GRT_UTILISATION_UUNIFAST_DISCARD,
        .least = 0,
        .most = 1,
        .periods = {.method = GRT_PERIODS_LOG_UNIFORM,
                    .least = 10 * GRT_MILLISECOND,
                    .most = GRT_SECOND,
                    .granularity = GRT_MILLISECOND},
        .deadlines = GRT_DEADLINES_IMPLICIT,
        .deadline_factor = {1, 1},
        .blocks_at_a_time = 1,
    };
}

struct grt_generator *grt_generator_create(const struct grt_generator_spec *spec, struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_periods periods;
    bool prepared = grt_periods_prepare(&spec->periods, &periods, errors);
    grt_generator_check(spec, prepared ? &periods : NULL, errors);
    if (errors->count > before) {
        if (prepared) {
            free(periods.choices);
        }
        return NULL;
    }
    struct grt_generator *generator = grt_allocate(sizeof *generator);
    *generator = (struct grt_generator){.spec = *spec, .periods = periods};
    if (spec->method == GRT_UTILISATION_RANDFIXEDSUM) {
        generator->fixed_sum =
            grt_fixed_sum_create(spec->task_count, spec->utilisation, spec->least, spec->most);
    }
    return generator;
}

void grt_generator_free(struct grt_generator *generator) {
    if (generator != NULL) {
        grt_fixed_sum_free(generator->fixed_sum);
        free(generator->periods.choices);
        free(generator);
    }
}

/* ---- One set ---- */

static bool draw_utilisations(const struct grt_generator *generator, uint64_t number, double *values) {
    const struct grt_generator_spec *spec = &generator->spec;
    struct grt_random random = grt_random_stream(spec->seed, "generate utilisation", number, 0);
    switch (spec->method) {
    case GRT_UTILISATION_UUNIFAST_DISCARD:
        return grt_uunifast_discard(&random, values, spec->task_count, spec->utilisation, spec->least,
                                    spec->most, GRT_GENERATOR_TRIES, NULL);
    case GRT_UTILISATION_RANDFIXEDSUM:
        grt_fixed_sum_draw(generator->fixed_sum, &random, values);
        return true;
    case GRT_UTILISATION_UUNISORT:
        grt_uunisort(&random, values, spec->task_count, spec->utilisation);
        return true;
    default:
        grt_uunifast(&random, values, spec->task_count, spec->utilisation);
        return true;
    }
}

/* To the nearest nanosecond, halves up. */
static grt_time round_time(double span) {
    return (grt_time)floor(span + 0.5);
}

static grt_time at_least_one(grt_time span) {
    return span < 1 ? 1 : span;
}

static double draw_in(const struct grt_generated_range *range, struct grt_random *random) {
    return range->low + (range->high - range->low) * grt_random_uniform(random);
}

static void draw_work(const struct grt_generator_spec *spec, uint64_t number,
                      struct grt_generated_task *tasks) {
    struct grt_random random = grt_random_stream(spec->seed, "generate blocks", number, 0);
    uint64_t choices = (uint64_t)(spec->blocks.high - spec->blocks.low) + 1;
    for (size_t i = 0; i < spec->task_count; i++) {
        struct grt_generated_task *task = &tasks[i];
        task->blocks = spec->blocks.low + (int64_t)grt_random_below(&random, choices);
        int64_t waves = (task->blocks - 1) / spec->blocks_at_a_time + 1;
        task->block_time = at_least_one(round_time(task->utilisation * (double)task->period / (double)waves));
        task->execution = waves * task->block_time;
    }
}

static void draw_deadlines(const struct grt_generator_spec *spec, uint64_t number,
                           struct grt_generated_task *tasks) {
    struct grt_random random = grt_random_stream(spec->seed, "generate deadline", number, 0);
    for (size_t i = 0; i < spec->task_count; i++) {
        struct grt_generated_task *task = &tasks[i];
        double factor = draw_in(&spec->deadline_factor, &random);
        if (spec->deadlines == GRT_DEADLINES_FACTOR) {
            task->deadline = at_least_one(round_time(factor * (double)task->period));
        } else {
            double slack = (double)(task->period - task->execution);
            task->deadline = at_least_one(task->execution + round_time(factor * slack));
        }
    }
}

static void draw_jitter(const struct grt_generator_spec *spec, uint64_t number,
                        struct grt_generated_task *tasks) {
    struct grt_random random = grt_random_stream(spec->seed, "generate jitter", number, 0);
    for (size_t i = 0; i < spec->task_count; i++) {
        tasks[i].jitter = round_time(draw_in(&spec->jitter, &random) * (double)tasks[i].period);
    }
}

static void draw_overheads(const struct grt_generator_spec *spec, uint64_t number,
                           struct grt_generated_task *tasks) {
    struct grt_random random = grt_random_stream(spec->seed, "generate overhead", number, 0);
    for (size_t i = 0; i < spec->task_count; i++) {
        tasks[i].overhead = (grt_time)grt_random_below(&random, (uint64_t)spec->overhead + 1);
    }
}

static void draw_offsets(const struct grt_generator_spec *spec, uint64_t number,
                         struct grt_generated_task *tasks) {
    struct grt_random random = grt_random_stream(spec->seed, "generate offset", number, 0);
    grt_time step = spec->periods.granularity;
    for (size_t i = 0; i < spec->task_count; i++) {
        uint64_t steps = (uint64_t)(tasks[i].period / step);
        tasks[i].offset = steps > 0 ? (grt_time)grt_random_below(&random, steps) * step : 0;
    }
}

/* Whether the least common multiple of the periods is below the bound. */
static bool repeats_below(const struct grt_generated_task *tasks, size_t count, grt_time bound) {
    grt_time multiple = 1;
    for (size_t i = 0; i < count; i++) {
        grt_time common = (grt_time)grt_common_divisor((uint64_t)multiple, (uint64_t)tasks[i].period);
        GRT_ASSERT(common > 0, "periods are drawn above 0");
        if (tasks[i].period / common > (bound - 1) / multiple) {
            return false;
        }
        multiple *= tasks[i].period / common;
    }
    return multiple < bound;
}

/* False where no periods were found that are wanted. */
static bool draw_periods(const struct grt_generator *generator, uint64_t number,
                         struct grt_generated_task *tasks) {
    const struct grt_generator_spec *spec = &generator->spec;
    for (uint64_t tries = 0; tries < GRT_GENERATOR_PERIOD_TRIES; tries++) {
        struct grt_random random = grt_random_stream(spec->seed, "generate period", number, tries);
        for (size_t i = 0; i < spec->task_count; i++) {
            tasks[i].period = grt_periods_draw(&generator->periods, &random);
        }
        if (spec->hyperperiod_below == 0 || repeats_below(tasks, spec->task_count, spec->hyperperiod_below)) {
            return true;
        }
    }
    return false;
}

/* What every set has; the rest is drawn only where it is asked for. */
static bool draw_tasks(const struct grt_generator *generator, uint64_t number, const double *utilisations,
                       struct grt_generated_task *tasks) {
    if (!draw_periods(generator, number, tasks)) {
        return false;
    }
    for (size_t i = 0; i < generator->spec.task_count; i++) {
        grt_time period = tasks[i].period;
        tasks[i] = (struct grt_generated_task){
            .utilisation = utilisations[i],
            .period = period,
            .execution = at_least_one(round_time(utilisations[i] * (double)period)),
            .deadline = period,
        };
    }
    return true;
}

bool grt_generator_make(const struct grt_generator *generator, uint64_t number,
                        struct grt_generated_task *tasks) {
    const struct grt_generator_spec *spec = &generator->spec;
    double utilisations[GRT_MAX_TASKS];
    if (!draw_utilisations(generator, number, utilisations) ||
        !draw_tasks(generator, number, utilisations, tasks)) {
        return false;
    }
    if (spec->blocks.high > 0) {
        draw_work(spec, number, tasks);
    }
    if (spec->deadlines != GRT_DEADLINES_IMPLICIT) {
        draw_deadlines(spec, number, tasks);
    }
    if (spec->jitter.high > 0) {
        draw_jitter(spec, number, tasks);
    }
    if (spec->overhead > 0) {
        draw_overheads(spec, number, tasks);
    }
    if (spec->random_offsets) {
        draw_offsets(spec, number, tasks);
    }
    return true;
}

double grt_generated_utilisation(const struct grt_generated_task *tasks, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)tasks[i].execution / (double)tasks[i].period;
    }
    return sum;
}
