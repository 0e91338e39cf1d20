/* The common part of PRUDA's strategies: run queues ordered by a policy, stream queues for a job each, and their rows in the timeline.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 4. Its `tq` is the scenario's list of tasks, its `pruda_subscribe` a request, its `pruda_resched` an operation
 * `decide`.
 *
 * A GPU segment that asks stands in a run queue; the first goes to a stream queue, which holds one job, from its submission until its
 * commands have completed. */
#ifndef GRT_POLICIES_PRUDA_PRUDA_H
#define GRT_POLICIES_PRUDA_PRUDA_H

#include "models/policy.h"
#include "policies/pruda/grub.h"
#include "policies/pruda/parameters.h"

/* The run queue of a GPU, or of a part of one. */
struct pruda_run_queue {
    struct grt_ready_queue jobs,
        best_effort; /* the second goes behind the first; empty unless such jobs are aborted */
    uint32_t row;
};

/* A stream, and the job that it executes. */
struct pruda_stream_queue {
    grt_stream stream;
    grt_job job; /* GRT_NO_JOB: it is empty */
    grt_time since;
    uint32_t row;
};

struct pruda {
    const struct pruda_parameters *given;
    const struct grt_scenario *scenario;
    uint32_t *labels;   /* by task: its name */
    struct grub *grubs; /* by GPU; NULL unless the order is grub */
    uint32_t postponed; /* a counter of such orders */
};

/* The operation `adapt`: leaves out the copies where the memory is unified. (memory.c) */
bool pruda_adapt(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                 struct grt_errors *errors);

/* Takes parameters and labels, makes the servers. */
bool pruda_start(struct pruda *self, struct grt_world *world, struct grt_errors *errors);

/* Whether all GPUs have two levels of stream priority, or need not have; adds errors, which name the policy, where not. */
bool pruda_levels_suffice(const struct pruda *self, const char *policy, struct grt_errors *errors);

/* Tells the servers, where there are any. */
void pruda_describe(const struct pruda *self, struct grt_description *out);

struct pruda_run_queue pruda_new_run_queue(struct grt_world *world, const char *name, uint32_t gpu);
struct pruda_stream_queue pruda_new_stream_queue(struct grt_world *world, const char *name, uint32_t gpu,
                                                 int64_t priority);

/* The GPU of a job. */
uint32_t pruda_gpu_of(const struct pruda *self, const struct grt_world *world, grt_job job);

/* A request comes, or is taken back. */
void pruda_push(struct pruda *self, struct grt_world *world, grt_job job, struct pruda_run_queue *queue);
void pruda_remove(struct pruda *self, struct grt_world *world, grt_job job, struct pruda_run_queue *queue);

bool pruda_is_empty(const struct pruda_run_queue *queue);

/* The first job of a run queue that is not empty. */
grt_job pruda_first(const struct pruda_run_queue *queue);

/* Whether job `a` is more urgent than job `b`, strictly. */
bool pruda_goes_before(const struct pruda *self, const struct grt_world *world, grt_job a, grt_job b);

/* Whether it goes first of two that wait: as urgent ones by the scenario's rule of ties. */
bool pruda_is_first(const struct pruda *self, const struct grt_world *world, grt_job a, grt_job b);

/* Whether a job with a deadline waits in a queue from which jobs without one are aborted. */
bool pruda_urges(const struct pruda *self, const struct pruda_run_queue *queue);

/* Moves the first job of `from` to the stream queue, which is empty. */
void pruda_submit(struct pruda *self, struct grt_world *world, struct pruda_run_queue *from,
                  struct pruda_stream_queue *to);

/* A job's commands have completed: empties its queue. */
void pruda_done(struct pruda *self, struct grt_world *world, struct pruda_stream_queue *queue);

/* Of two streams: where the first job of the run queue, which is not empty, goes now by rules 1 to 3 of docs/pruda.md; NULL: it waits. */
struct pruda_stream_queue *pruda_place(const struct pruda *self, const struct grt_world *world,
                                       const struct pruda_run_queue *from, struct pruda_stream_queue *high,
                                       struct pruda_stream_queue *low);

/* Aborts the job of a stream queue, if there is one without a deadline that is alive. */
void pruda_abort_best_effort(struct grt_world *world, const struct pruda_stream_queue *queue);

/* For servers. The first at the beginning of `decide`, when all of the instant has been told; the second at its end, with the job that has
 * the GPU, or GRT_NO_JOB, where `idle` says whether nobody waits, either. */
void pruda_settle(struct pruda *self, struct grt_world *world, uint32_t gpu);
void pruda_charge(struct pruda *self, struct grt_world *world, uint32_t gpu, grt_job job, bool idle);

/* The instant, after pruda_charge, at which the deadline of the server that is charged may be reached; GRT_TIME_NEVER: there is none. */
grt_time pruda_deadline_reached(const struct pruda *self, const struct grt_world *world, uint32_t gpu);

/* The order that is promised: none by servers, nor by priority where jobs without a deadline go behind. */
enum grt_promise_order pruda_promised_order(const struct pruda_parameters *given);

/* For the measuring of blocking: by deadlines, or by priorities. */
bool pruda_outranks(const void *state, const struct grt_world *world, grt_job a, grt_job b);

#endif
