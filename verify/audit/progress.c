/* How far kernels were on a GPU of granularity shares: their speeds over time, from the begins, ends and shares that the trace shows.
 *
 * Speeds are rounded up to 2^-32 and work is counted in 2^-32 ns, as the simulator says that it does (docs/decisions/0031-shares.md), so that ends
 * come out to the ns. A speed that is computed with an error may be rounded to one of two numbers; then the work that was done is between two sums. */
#include <math.h>
#include <stdlib.h>

#include "verify/audit/guess.h"

/* What goes on at an instant. */
struct sweep {
    struct grt_audit *audit;
    const struct audit_shares *self;
    const struct grt_device *device;
    struct audit_shares_gpu *gpu;
    int64_t *shares;
    uint32_t share_count;
    struct audit_shares_kernel **by_start;
    uint32_t started, ended, marked;
    struct audit_guesses guesses;
};

/* ---- ends ---- */

static bool is_early(const struct grt_audit *audit, const struct audit_runner *runner) {
    audit_wide least = (audit_wide)runner->kernel->spec->least << AUDIT_FRACTION_BITS;
    bool whole = !runner->kernel->cut && audit->promise.policy.whole; /* or a piece: leave_kernel() */
    return whole && runner->most_done < least;
}

/* At the end its work was done, and a ns before it was not. */
static bool is_right(const struct grt_audit *audit, const struct audit_runner *runner) {
    const struct audit_shares_kernel *kernel = runner->kernel;
    audit_wide most = (audit_wide)kernel->spec->most << AUDIT_FRACTION_BITS;
    bool late = kernel->end > kernel->start && runner->least_done - runner->least_speed >= most;
    return !is_early(audit, runner) && !late;
}

/* The same in closed form, for one that had the GPU to itself. */
static void check_alone(const struct sweep *sweep, const struct audit_shares_kernel *kernel) {
    struct grt_audit *audit = sweep->audit;
    uint32_t rule = sweep->self->rule + AUDIT_SHARES_ALONE;
    if (kernel->disturbed || kernel->cut || kernel->share == 0 || !audit->promise.policy.whole ||
        sweep->device->share_interval > 0) {
        return;
    }
    double factor = audit_share_factor(&kernel->spec->usage, (double)kernel->share);
    double took = (double)(kernel->end - kernel->start);
    /* the speed is up to 2^-32 more; ends are whole ns; both are doubles */
    double slack = 1 + took * factor * ldexp(1, -AUDIT_FRACTION_BITS) + took * 1e-12;
    bool good = took >= (double)kernel->spec->least * factor - slack &&
                took <= (double)kernel->spec->most * factor + slack;
    audit->checked[rule]++;
    if (!good) {
        audit_find(audit, rule, kernel->end, kernel->task, kernel->job,
                   "has a kernel that takes %.0f ns alone with a share of %d, where %.9g are needed", took,
                   (int)kernel->share, (double)kernel->spec->least * factor);
    }
}

/* F4: what it used of the SMs was given to its stream meanwhile, or in the interval before it, but for one launch, whose tokens may be made up for later. */
static void check_tokens(const struct sweep *sweep, const struct audit_runner *runner) {
    struct grt_audit *audit = sweep->audit;
    const struct audit_shares_kernel *kernel = runner->kernel;
    const struct grt_usage *usage = &kernel->spec->usage;
    uint32_t rule = sweep->self->rule + AUDIT_SHARES_TOKENS;
    double each = GRT_FULL_SHARE * usage->sm_utilisation * (1 - usage->host_fraction) - 1e-6;
    double taken = each * (double)(kernel->spec->least - sweep->device->share_launch);
    double had = (double)runner->tokens + (double)GRT_FULL_SHARE * (double)sweep->device->share_interval;
    audit->checked[rule]++;
    if (taken > had * (1 + 1e-12)) {
        audit_find(audit, rule, kernel->end, kernel->task, kernel->job,
                   "has a kernel that took at least %.9g vprocessors for a ns, where there were %.9g", taken,
                   had);
    }
}

static void end(struct sweep *sweep, struct audit_shares_kernel *kernel) {
    struct grt_audit *audit = sweep->audit;
    uint32_t rule = sweep->self->rule + AUDIT_SHARES_WORK;
    struct audit_runner seen = {.kernel = kernel};
    bool begun = kernel->start < kernel->end, known = !sweep->guesses.lost;
    bool good =
        begun ? audit_guesses_end(&sweep->guesses, kernel, is_right, audit, &seen) : is_right(audit, &seen);
    kernel->ended = true;
    audit->checked[rule] += known;
    if (!good) {
        bool early = is_early(audit, &seen);
        audit_find(audit, rule, kernel->end, kernel->task, kernel->job,
                   "has a kernel that ends %s its work is done: it has done %.9g of %.9g ns",
                   early ? "before" : "after",
                   ldexp((double)(early ? seen.most_done : seen.least_done), -AUDIT_FRACTION_BITS),
                   (double)(early ? kernel->spec->least : kernel->spec->most));
    }
    if (begun) {
        check_alone(sweep, kernel);
    }
    if (sweep->device->share_interval > 0 && !kernel->cut && audit->promise.policy.whole) {
        check_tokens(sweep, &seen);
    }
}

/* ---- instants ---- */

/* The next instant at which something changes. */
static grt_time next_of(const struct sweep *sweep) {
    const struct audit_shares_gpu *gpu = sweep->gpu;
    grt_time next = GRT_TIME_NEVER;
    if (sweep->started < gpu->count) {
        next = sweep->by_start[sweep->started]->start;
    }
    if (sweep->ended < gpu->count && gpu->kernels[sweep->ended].end < next) {
        next = gpu->kernels[sweep->ended].end;
    }
    if (sweep->marked < sweep->self->mark_count && sweep->self->marks[sweep->marked].time < next) {
        next = sweep->self->marks[sweep->marked].time;
    }
    return next;
}

/* Those that begin now and have not ended: they are made one list. */
static void begin(struct sweep *sweep, grt_time now) {
    struct audit_shares_kernel **first = &sweep->by_start[sweep->started];
    uint32_t count = 0;
    for (; sweep->started < sweep->gpu->count && sweep->by_start[sweep->started]->start <= now;
         sweep->started++) {
        struct audit_shares_kernel *kernel = sweep->by_start[sweep->started];
        if (!kernel->ended) {
            kernel->share =
                kernel->stream < sweep->share_count ? sweep->shares[kernel->stream] : GRT_FULL_SHARE;
            first[count++] = kernel;
        }
    }
    audit_guesses_begin(&sweep->guesses, first, count);
}

static void take_instant(struct sweep *sweep, grt_time now) {
    const struct audit_shares *self = sweep->self;
    for (; sweep->ended < sweep->gpu->count && sweep->gpu->kernels[sweep->ended].end <= now; sweep->ended++) {
        end(sweep, &sweep->gpu->kernels[sweep->ended]);
    }
    for (; sweep->marked < self->mark_count && self->marks[sweep->marked].time <= now; sweep->marked++) {
        sweep->shares[self->marks[sweep->marked].stream] = self->marks[sweep->marked].share;
    }
    begin(sweep, now);
    audit_guesses_set_speeds(&sweep->guesses, sweep->shares, sweep->share_count);
}

static int by_start(const void *a, const void *b) {
    const struct audit_shares_kernel *one = *(struct audit_shares_kernel *const *)a,
                                     *other = *(struct audit_shares_kernel *const *)b;
    if (one->start != other->start) {
        return one->start < other->start ? -1 : 1;
    }
    return one->task < other->task ? -1 : one->task > other->task;
}

void audit_shares_add_up(struct grt_audit *audit, const struct audit_shares *self, uint32_t number,
                         int64_t *shares, uint32_t share_count) {
    struct audit_shares_gpu *gpu = &self->gpus[number];
    struct sweep sweep = {.audit = audit,
                          .self = self,
                          .device = audit->gpus[number].device,
                          .gpu = gpu,
                          .shares = shares,
                          .share_count = share_count};
    audit_guesses_start(&sweep.guesses, sweep.device);
    sweep.by_start = grt_allocate(gpu->count * sizeof *sweep.by_start);
    for (uint32_t i = 0; i < gpu->count; i++) {
        sweep.by_start[i] = &gpu->kernels[i];
    }
    qsort(sweep.by_start, gpu->count, sizeof *sweep.by_start, by_start);
    for (grt_time now = next_of(&sweep), next; sweep.ended < gpu->count; now = next) {
        take_instant(&sweep, now);
        next = next_of(&sweep);
        audit_guesses_pass(&sweep.guesses, now, next);
    }
    free(sweep.by_start);
    audit_guesses_free(&sweep.guesses);
}
