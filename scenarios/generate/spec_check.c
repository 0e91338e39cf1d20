#include "scenarios/generate/spec_check.h"

#include <inttypes.h>
#include <math.h>

#include "models/task.h"
#include "scenarios/generate/utilisation.h"

/* Adds "<key>: <sentence>". */
#define ADD(errors, name, ...)                                                                               \
    grt_error_add(errors, &(const struct grt_path){.parent = &(const struct grt_path){0}, .key = (name)},    \
                  __VA_ARGS__)

/* Vectors that uunifast-discard would find in fewer than one of so many draws are not sought. */
#define LEAST_SHARE 1e-4

/* Three tasks of 0.1 have 0.3 together, though not in floating point. */
#define ROUNDING 1e-12

static bool takes_bounds(int64_t method) {
    return method == GRT_UTILISATION_UUNIFAST_DISCARD || method == GRT_UTILISATION_RANDFIXEDSUM;
}

static void check_bounds(const struct grt_generator_spec *spec, struct grt_errors *errors) {
    double n = (double)spec->task_count, total = spec->utilisation;
    if (!takes_bounds(spec->method)) {
        if (spec->least != 0 || spec->most != 1) {
            ADD(errors, "method",
                "%s does not bound the utilisation of a task: take uunifast-discard or randfixedsum",
                grt_utilisation_method_names[spec->method]);
        }
    } else if (!(spec->least >= 0 && spec->least <= spec->most && isfinite(spec->most))) {
        ADD(errors, "max-utilisation",
            "a task's utilisation must be 0 or more, the lower bound first (got %g to %g)", spec->least,
            spec->most);
    } else if (n * spec->most < total * (1 - ROUNDING) || n * spec->least > total * (1 + ROUNDING)) {
        ADD(errors, "utilisation", "%zu tasks of %g to %g each have %g to %g together, not %g",
            spec->task_count, spec->least, spec->most, n * spec->least, n * spec->most, total);
    } else if (spec->method == GRT_UTILISATION_UUNIFAST_DISCARD) {
        double share = grt_uunifast_share_within(spec->task_count, total, spec->least, spec->most);
        if (share < LEAST_SHARE) { /* not where it is unknown */
            ADD(errors, "method",
                "uunifast-discard would discard nearly all vectors: less than one in %g has %zu tasks of %g "
                "to %g with %g "
                "together; randfixedsum discards none",
                1 / LEAST_SHARE, spec->task_count, spec->least, spec->most, total);
        }
    }
}

static void check_utilisation(const struct grt_generator_spec *spec, struct grt_errors *errors) {
    size_t before = errors->count;
    if (spec->task_count < 1 || spec->task_count > GRT_MAX_TASKS) {
        ADD(errors, "tasks", "must be 1 to %d (got %zu)", GRT_MAX_TASKS, spec->task_count);
    }
    if (spec->method < 0 || spec->method >= GRT_UTILISATION_METHODS) {
        ADD(errors, "method", "unknown method %" PRId64, spec->method);
    }
    if (!(spec->utilisation > 0)) { /* nor NaN */
        ADD(errors, "utilisation", "must be above 0 (got %g)", spec->utilisation);
    } else if (errors->count == before && spec->utilisation > (double)spec->task_count) {
        ADD(errors, "utilisation", "%zu task%s cannot have %g together: at most 1 each", spec->task_count,
            spec->task_count == 1 ? "" : "s", spec->utilisation);
    }
    if (spec->method == GRT_UTILISATION_RANDFIXEDSUM && spec->task_count > GRT_FIXED_SUM_MOST) {
        ADD(errors, "tasks", "randfixedsum makes sets of at most %d tasks (got %zu)", GRT_FIXED_SUM_MOST,
            spec->task_count);
    }
    if (errors->count == before) {
        check_bounds(spec, errors);
    }
}

static void check_range(const struct grt_generated_range *range, double least, double most, const char *name,
                        struct grt_errors *errors) {
    if (!(range->low >= least && range->low <= range->high && range->high <= most)) {
        ADD(errors, name, "must be from %g to %g, the lower bound first (got %g to %g)", least, most,
            range->low, range->high);
    }
}

static void check_deadlines(const struct grt_generator_spec *spec, struct grt_errors *errors) {
    switch (spec->deadlines) {
    case GRT_DEADLINES_IMPLICIT:
        return;
    case GRT_DEADLINES_FACTOR:
        check_range(&spec->deadline_factor, 0.001, 100, "deadlines", errors);
        return;
    case GRT_DEADLINES_SLACK:
        check_range(&spec->deadline_factor, 0, 1, "deadlines", errors);
        return;
    default:
        ADD(errors, "deadlines", "unknown kind %" PRId64, spec->deadlines);
    }
}

static void check_blocks(const struct grt_generator_spec *spec, struct grt_errors *errors) {
    if (spec->blocks.low == 0 && spec->blocks.high == 0) {
        return;
    }
    if (spec->blocks.low < 1 || spec->blocks.low > spec->blocks.high || spec->blocks.high > INT32_MAX) {
        ADD(errors, "blocks",
            "must be from 1 to %d, the smaller number first (got %" PRId64 " to %" PRId64 ")", INT32_MAX,
            spec->blocks.low, spec->blocks.high);
    }
    if (spec->blocks_at_a_time < 1) {
        ADD(errors, "blocks at a time", "must be 1 or more (got %" PRId64 ")", spec->blocks_at_a_time);
    }
}

/* All times stay at or below GRT_TIME_LIMIT, also those of tasks that have all of the utilisation. */
static void check_times(const struct grt_generator_spec *spec, const struct grt_periods *periods,
                        struct grt_errors *errors) {
    double limit = (double)GRT_TIME_LIMIT * 0.99;
    double factor = spec->deadlines == GRT_DEADLINES_FACTOR ? spec->deadline_factor.high : 1;
    factor = factor > spec->utilisation ? factor : spec->utilisation;
    if ((double)grt_periods_most(periods) * factor > limit) {
        char text[GRT_TIME_TEXT_SIZE];
        ADD(errors, "periods", "must be at most %.0fs where times can be %g times as long (got %s)",
            floor(limit / factor / (double)GRT_SECOND), factor,
            grt_time_text(grt_periods_most(periods), text));
    }
}

void grt_generator_check(const struct grt_generator_spec *spec, const struct grt_periods *periods,
                         struct grt_errors *errors) {
    size_t before = errors->count;
    check_utilisation(spec, errors);
    check_deadlines(spec, errors);
    check_range(&spec->jitter, 0, 1, "jitter", errors);
    check_blocks(spec, errors);
    if (spec->overhead < 0 || spec->overhead > GRT_TIME_LIMIT) {
        char text[GRT_TIME_TEXT_SIZE];
        ADD(errors, "overhead", "must be from 0s to %" PRId64 "s (got %s)", GRT_TIME_LIMIT / GRT_SECOND,
            grt_time_text(spec->overhead, text));
    }
    if (spec->hyperperiod_below < 0 || spec->hyperperiod_below > GRT_TIME_LIMIT) {
        char text[GRT_TIME_TEXT_SIZE];
        ADD(errors, "hyperperiod-below", "must be from 0s to %" PRId64 "s (got %s)",
            GRT_TIME_LIMIT / GRT_SECOND, grt_time_text(spec->hyperperiod_below, text));
    } else if (spec->hyperperiod_below > 0 && periods != NULL &&
               spec->hyperperiod_below <= grt_periods_least(periods)) {
        char text[GRT_TIME_TEXT_SIZE], least[GRT_TIME_TEXT_SIZE];
        ADD(errors, "hyperperiod-below", "must be above the shortest period, %s (got %s)",
            grt_time_text(grt_periods_least(periods), least), grt_time_text(spec->hyperperiod_below, text));
    }
    if (errors->count == before && periods != NULL) {
        check_times(spec, periods, errors);
    }
}
