/* The staircase: how long a kernel takes with so many blocks, and how well that follows from the times of its blocks. */
#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "calib/fit/block_times.h"
#include "calib/fit/build.h"

static const char experiment[] = "waves";

/* Instants that are nearer are one. */
#define INSTANT_NS 1e-6

/* ---- a kernel alone, block by block ---- */

/* An SM: parts of its blocks that are still to be done; all go at 1 / B(resident). */
struct sm {
    double left[GRT_DEVICE_MAX_BLOCKS_PER_SM];
    size_t resident;
    double since; /* `left` is of this instant */
};

struct kernel {
    const struct grt_block_times *times;
    size_t sms, per_sm;
    double interval; /* between blocks that begin */
    struct sm *all;
};

static double speed(const struct kernel *kernel, const struct sm *sm) {
    return 1 / grt_block_time_at(kernel->times, (double)sm->resident);
}

static double next_end(const struct kernel *kernel, const struct sm *sm) {
    double least = INFINITY;
    for (size_t i = 0; i < sm->resident; i++) {
        least = fmin(least, sm->left[i]);
    }
    return sm->resident > 0 ? sm->since + least / speed(kernel, sm) : INFINITY;
}

/* Brings an SM to an instant, and takes off the blocks that end there. */
static void advance(const struct kernel *kernel, struct sm *sm, double now) {
    double rate = sm->resident > 0 ? speed(kernel, sm) : 0;
    size_t kept = 0;
    for (size_t i = 0; i < sm->resident; i++) {
        double left = sm->left[i] - (now - sm->since) * rate;
        if (left > INSTANT_NS * rate) {
            sm->left[kept++] = left;
        }
    }
    sm->resident = kept;
    sm->since = now;
}

/* The SM with most room (rule P1); NULL: there is none. */
static struct sm *emptiest(const struct kernel *kernel) {
    struct sm *best = &kernel->all[0];
    for (size_t i = 1; i < kernel->sms; i++) {
        best = kernel->all[i].resident < best->resident ? &kernel->all[i] : best;
    }
    return best->resident < kernel->per_sm ? best : NULL;
}

/* From the first begin to the last end. */
static double kernel_time(struct kernel *kernel, size_t blocks) {
    double now = 0, may_begin = 0;
    for (size_t i = 0; i < kernel->sms; i++) {
        kernel->all[i] = (struct sm){0};
    }
    for (size_t begun = 0;;) {
        struct sm *room;
        while (begun < blocks && may_begin <= now + INSTANT_NS && (room = emptiest(kernel)) != NULL) {
            advance(kernel, room, now);
            room->left[room->resident++] = 1;
            begun++;
            may_begin = now + kernel->interval;
        }
        bool waits = begun < blocks && may_begin > now + INSTANT_NS && emptiest(kernel) != NULL;
        double next = waits ? may_begin : INFINITY;
        for (size_t i = 0; i < kernel->sms; i++) {
            next = fmin(next, next_end(kernel, &kernel->all[i]));
        }
        if (isinf(next)) {
            return now;
        }
        now = next;
        for (size_t i = 0; i < kernel->sms; i++) {
            if (next_end(kernel, &kernel->all[i]) <= now + INSTANT_NS) {
                advance(kernel, &kernel->all[i], now);
            }
        }
    }
}

/* In waves: all but the last are full, and the last one is spread over the SMs. */
static double closed_form(const struct kernel *kernel, size_t blocks) {
    size_t wave = kernel->sms * kernel->per_sm, full = (blocks - 1) / wave;
    size_t last = (blocks - full * wave + kernel->sms - 1) / kernel->sms;
    return (double)full * grt_block_time_at(kernel->times, (double)kernel->per_sm) +
           grt_block_time_at(kernel->times, (double)last);
}

/* No grid that is measured comes near it. */
static bool can_be_played(const struct kernel *kernel, int64_t blocks) {
    static const double most_steps = 1e9;
    return blocks >= 1 && (double)blocks * (double)kernel->sms * (double)kernel->per_sm <= most_steps;
}

/* ---- against what was measured ---- */

struct errors {
    double *replayed, *closed;
    size_t count, samples;
    double worst;         /* model / measured - 1 of the grid that is farthest from being played */
    int64_t worst_blocks; /* its blocks */
};

/* Of the steps in which kernels are played. */
#define ROUNDING 1e-12

/* Beyond this, kernels of block times are doubtful: an engineer's choice. */
#define GOOD_ERROR 0.05

/* The largest of these errors: a fact of the grids that were measured, without an interval. */
static void add_error(struct grt_fit_build *build, const char *name, double *errors, const struct errors *all,
                      const char *how) {
    gsl_sort(errors, 1, all->count);
    struct grt_ranged most = grt_ranged_unknown();
    most.value = 100 * errors[all->count - 1];
    struct grt_finding finding = grt_fit_measured(experiment, name, GRT_UNIT_PERCENT, most, all->samples);
    finding.residual = grt_sorted_quantile(errors, all->count, 0.5);
    finding.how = grt_fit_text(build, "of %zu grids the largest %s", all->count, how);
    grt_fit_add(build, finding);
}

static void warn_of_error(struct grt_fit_build *build, const char *workload, const struct errors *errors) {
    if (fabs(errors->worst) > GOOD_ERROR) {
        grt_fit_warn(
            build, grt_fit_text(
                       build,
                       "%s: played by typical times of its blocks, a kernel of %" PRId64
                       " blocks is %.1f %% %s than measured: its times are random, or blocks cost each other "
                       "more than those beside them on an SM show",
                       workload, errors->worst_blocks, 100 * fabs(errors->worst),
                       errors->worst < 0 ? "shorter" : "longer"));
    }
}

static size_t cells_of(const struct grt_fit_build *build, const char *workload) {
    size_t count = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        count += grt_fit_is_text(grt_raw_text(cell, "kernel"), workload);
    }
    return count;
}

static struct errors compare(struct grt_fit_build *build, struct kernel *kernel, const char *workload,
                             struct grt_curve *curve) {
    size_t most = cells_of(build, workload);
    struct errors errors = {.replayed = grt_arena_array(build->arena, most, sizeof(double)),
                            .closed = grt_arena_array(build->arena, most, sizeof(double))};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        double *sorted = grt_fit_sorted(build, cell, "span_ns");
        int64_t blocks = grt_raw_number(cell, "blocks", 0);
        if (!grt_fit_is_text(grt_raw_text(cell, "kernel"), workload) || sorted == NULL) {
            continue;
        }
        if (!can_be_played(kernel, blocks)) {
            grt_fit_warn(build, grt_fit_text(build, "%s: a kernel of %" PRId64 " blocks is not played",
                                             workload, blocks));
            continue;
        }
        double measured = grt_fit_median(build, cell, "span_ns", build->timer_step).value.value;
        double model = kernel_time(kernel, (size_t)blocks);
        double off = model / measured - 1;
        off = fabs(off) > ROUNDING ? off : 0;
        if (fabs(off) > fabs(errors.worst)) {
            errors.worst = off;
            errors.worst_blocks = blocks;
        }
        errors.replayed[errors.count] = fabs(off);
        errors.closed[errors.count++] = fabs(closed_form(kernel, (size_t)blocks) / measured - 1);
        errors.samples += cell->count;
        curve->points[curve->count++] = grt_fit_point((double)blocks, sorted, cell->count, model);
    }
    return errors;
}

static int by_x(const void *a, const void *b) {
    const struct grt_curve_point *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

static void fit_workload(struct grt_fit_build *build, const struct grt_raw_workload *workload,
                         const struct grt_block_times *times) {
    struct kernel kernel = {.times = times,
                            .sms = (size_t)build->raw->device.sm_count,
                            .per_sm = (size_t)workload->occupancy,
                            .interval = build->dispatch_interval};
    kernel.all = grt_arena_array(build->arena, kernel.sms, sizeof *kernel.all);
    struct grt_curve *curve =
        grt_fit_curve(build,
                      (struct grt_curve){.name = grt_fit_text(build, "%s: kernel time", workload->name),
                                         .experiment = experiment,
                                         .x_label = "blocks",
                                         .y_label = "time, ns",
                                         .model_label = "blocks played by their times",
                                         .is_steps = true},
                      cells_of(build, workload->name));
    struct errors errors = compare(build, &kernel, workload->name, curve);
    qsort(curve->points, curve->count, sizeof *curve->points, by_x);
    if (errors.count == 0) {
        return;
    }
    add_error(
        build, grt_fit_text(build, "%s: kernel_time_error", workload->name), errors.replayed, &errors,
        "distance between the median of kernel times and a kernel played block by block with B(r) and the "
        "dispatch interval; the residual is their median");
    add_error(
        build, grt_fit_text(build, "%s: kernel_time_error_closed", workload->name), errors.closed, &errors,
        "distance of full waves of B(R) and a last one: (ceil(n / (S R)) - 1) B(R) + B(ceil(rest / S))");
    warn_of_error(build, workload->name, &errors);
}

void grt_fit_waves(struct grt_fit_build *build) {
    for (size_t i = 0; i < build->raw->workload_count; i++) {
        const struct grt_raw_workload *workload = &build->raw->workloads[i];
        if (cells_of(build, workload->name) == 0) {
            continue;
        }
        const char *name = grt_fit_text(build, "%s: kernel_time_error", workload->name);
        struct grt_block_times times = grt_block_times_of(build, workload->name);
        bool possible = workload->occupancy >= 1 && workload->occupancy <= GRT_DEVICE_MAX_BLOCKS_PER_SM &&
                        build->raw->device.sm_count >= 1;
        if (times.count == 0 || !possible) {
            grt_fit_refuse(build, experiment, name, NULL,
                           times.count == 0 ? "the times of its blocks were not measured (coresidency)"
                                            : "it is not known how many blocks fit on an SM");
        } else {
            fit_workload(build, workload, &times);
        }
    }
}
