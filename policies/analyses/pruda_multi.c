/* Response times under PRUDA's two streams, with fixed priorities.
 *
 * The strategy: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA",
 * JRWRTC 2019, section 4.2, which leaves the analysis to future work. This one is our own; what it builds on:
 * Source: K. Tindell, A. Burns, A. J. Wellings, "An Extendible Approach for Analyzing Fixed Priority Hard Real-Time Tasks", Real-Time Systems
 * 6, 1994: busy periods with jitter.
 * Implements: fixed_priority.h, blocked once, with the costs and the blocking below. lp(j): tasks of lower priority than j; with `co_run`
 * allowed, all others.
 *     C'_j = C_j + k_j * max of (b_x - 1) over x in lp(j) + c_j * max of p_x over x in lp(j)
 *     B_i  = max of C'_j - 1 over lower j that have a lower-priority task themselves
 * k, c: kernels and copies of a request; b: a task's longest block, p: its longest copy.
 *
 * Why: at any instant at which requests are pending charge the time to the job in h-sq or, if that is empty, to the one in l-sq.
 * 1. A job j in h-sq is charged for C'_j at most. Each of its kernels finds blocks of the job x in l-sq on the SMs, all begun before, which
 * end within b_x - 1; x begins none while j's kernel has blocks left (A2). From then on j's blocks have all room that they have alone. Each of
 * its copies finds at most one copy of x in front of it. j's next kernel finds blocks of x again: these have begun while j's kernel was on its way
 * to the device, on room that j's last blocks left over, or while j copied.
 * 2. A job y in l-sq is charged for C_y at most: while h-sq is empty it has the GPU to itself, what it has begun is not lost, and each of its
 * blocks starts after C_y's waves at the latest, not counting the time in which h-sq is not empty.
 * 3. In a busy period of i and all tasks that are more urgent, a less urgent job comes to no stream, because the more urgent one is first in rq.
 * One may be in h-sq already, with a less urgent one yet in l-sq: B_i. One in l-sq alone is not charged: i, or who is more urgent, goes to
 * h-sq at once.
 *
 * Assumes: order `fp`; what requests_take checks; nothing in struct grt_analysis_set.coupling.
 * Deviates: tasks of equal priority count as higher ones; CPU segments around the GPU segment count as jitter and tail. */
#include <inttypes.h>

#include "policies/analyses/fixed_priority.h"
#include "policies/pruda/parameters.h"

/* How preemptions are counted. */
enum pruda_preemption { EVERY_COMMAND, ONCE };

struct pruda_multi_options {
    int64_t preemption; /* enum pruda_preemption */
};

/* What of a request others wait for, and what waits for others. */
struct pruda_request {
    int64_t kernels, copies;
    int64_t block, copy; /* the longest */
};

static int64_t longer(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct pruda_request request_of(const struct grt_analysis_task *task) {
    struct pruda_request request = {0};
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].step_count; j++) {
            const struct grt_step *step = &task->segments[i].steps[j];
            bool kernel = step->block > 0;
            request.kernels += kernel;
            request.copies += !kernel;
            request.block = longer(request.block, step->block);
            request.copy = longer(request.copy, kernel ? 0 : step->each);
        }
    }
    return request;
}

static int64_t sum_of(int64_t a, int64_t b) {
    return grt_span_sum_within(a, b, REQUESTS_LONGEST);
}

/* C': what a request is charged for in h-sq, while `other` is in l-sq. */
static int64_t cost_beside(int64_t cost, const struct pruda_request *self,
                           const struct pruda_request *other) {
    int64_t blocks = other->block > 0 ? other->block - 1 : 0;
    int64_t kernels = grt_span_product_within(blocks, self->kernels, REQUESTS_LONGEST);
    int64_t copies = grt_span_product_within(other->copy, self->copies, REQUESTS_LONGEST);
    return sum_of(cost, sum_of(kernels, copies));
}

static const struct pruda_parameters *parameters_of(const struct grt_analysis_set *set) {
    static const struct pruda_parameters defaults;
    return set->parameters != NULL ? set->parameters : &defaults;
}

/* The longest block and copy that the request of stream `self` may meet in l-sq. */
static struct pruda_request met_by(const struct requests *requests, size_t self,
                                   const struct grt_analysis_set *set) {
    bool any = parameters_of(set)->co_run == PRUDA_CO_RUN_ALLOWED;
    struct pruda_request met = {0};
    for (size_t i = 0; i < requests->count; i++) {
        if (i != self && (any || requests->streams[i].key > requests->streams[self].key)) {
            struct pruda_request other = request_of(&set->tasks[requests->streams[i].task]);
            met.block = longer(met.block, other.block);
            met.copy = longer(met.copy, other.copy);
        }
    }
    return met;
}

/* What each stream may be blocked for. */
static void block(struct requests *requests) {
    int64_t longest = 0;
    for (size_t i = requests->count; i > 0; i--) {
        struct request_stream *stream = &requests->streams[i - 1];
        bool preempts = stream->key < requests->streams[requests->count - 1].key;
        stream->longest_behind = longest;
        longest = preempts ? longer(longest, stream->cost) : longest;
    }
}

static bool prepare(struct requests *requests, const struct grt_analysis_set *set,
                    struct grt_analysis_result *result) {
    if (!requests_step(requests, requests->count * requests->count)) {
        grt_analysis_refuse(result, "the set has too many tasks to look at");
        return false;
    }
    for (size_t i = 0; i < requests->count; i++) {
        struct request_stream *stream = &requests->streams[i];
        struct pruda_request self = request_of(&set->tasks[stream->task]), met = met_by(requests, i, set);
        stream->cost = cost_beside(stream->cost, &self, &met);
        if (stream->cost == GRT_ANALYSIS_NEVER) {
            grt_analysis_refuse(result, "task %s may be held up for above 31 years",
                                set->tasks[stream->task].name);
            return false;
        }
        grt_analysis_add_time(result, "cost_preempting", stream->task, stream->cost);
    }
    block(requests);
    return true;
}

/* As if a block delayed a busy period once, whoever is in h-sq: B_i is the larger of that and of the longest lower request in h-sq. */
static bool prepare_once(struct requests *requests, const struct grt_analysis_set *set,
                         struct grt_analysis_result *result) {
    int64_t block_behind = 0;
    result->unsound = true;
    block(requests);
    for (size_t i = requests->count; i > 0; i--) {
        struct request_stream *stream = &requests->streams[i - 1];
        stream->longest_behind = longer(stream->longest_behind, block_behind);
        block_behind = longer(block_behind, request_of(&set->tasks[stream->task]).block);
    }
    return true;
}

static int64_t priority_key(const struct grt_analysis_task *task) {
    return -task->priority;
}

static void run(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    const struct pruda_multi_options *chosen = set->options;
    struct fixed_priority rules = {.key = priority_key,
                                   .preemptive = true,
                                   .prepare = chosen->preemption == ONCE ? prepare_once : prepare};
    if (parameters_of(set)->order != PRUDA_FP) {
        grt_analysis_refuse(result, "it is for the order fp only");
    } else if (set->coupling != NULL) {
        grt_analysis_refuse(result, "%s", set->coupling);
    } else {
        fixed_priority_analyse(&rules, set, result);
    }
}

static const char *const policies[] = {"pruda-multi", NULL};
static const char *const preemptions[] = {"every-command", "once", NULL};

static const struct grt_field fields[] = {
    {.name = "preemption",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct pruda_multi_options, preemption),
     .fallback = "\"every-command\"",
     .choices = preemptions,
     .help =
         "How often who preempts waits for blocks and copies of the preempted job. `every-command`: for one "
         "before each of its kernels and copies. `once`: a busy period waits for one block, or for a less "
         "urgent request in h-sq, and nobody else waits, which is UNSOUND."},
};

static const struct grt_record options = {
    .name = "pruda-multi analysis",
    .size = sizeof(struct pruda_multi_options),
    .fields = fields,
    .field_count = GRT_FIELD_COUNT(fields),
    .help = "Options of the analysis `pruda-multi`.",
};

static const char *const values[] = {"cost_preempting", "first_miss_by", NULL};

const struct grt_analysis_ops grt_analysis_pruda_multi = {
    .name = "pruda-multi",
    .summary = "response times with two streams and fixed priorities: one preemption, at the ends of blocks",
    .source =
        "gpurt, for R. Tekin, H.-E. Zahaf, G. Lipari, PRUDA: An API for Time and Space Predictible "
        "Programming in NVIDIA GPUs using CUDA, JRWRTC 2019, section 4.2; on K. Tindell, A. Burns, A. J. "
        "Wellings, An Extendible Approach for Analyzing Fixed Priority Hard Real-Time Tasks, Real-Time "
        "Systems 6, 1994",
    .deviation = "tasks of equal priority count as higher ones; CPU segments around the GPU segment count as "
                 "jitter and tail",
    .policies = policies,
    .bounds = true,
    .covers = REQUESTS_COVERED,
    .options = &options,
    .values = values,
    .audsley_objection =
        "counts what higher tasks wait for when they preempt, which depends on the order of these",
    .run = run,
};
