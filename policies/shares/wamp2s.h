/* The inside of the policy `wamp2s`: what its files share. */
#ifndef GRT_POLICIES_SHARES_WAMP2S_H
#define GRT_POLICIES_SHARES_WAMP2S_H

#include "models/policy.h"
#include "policies/shares/allocate.h"
#include "policies/shares/estimates.h"
#include "policies/shares/parameters.h"
#include "policies/shares/predictor.h"
#include "policies/shares/progress.h"

/* A task that uses a GPU: App_i. It is active while a job of it is in a GPU segment with kernels. */
struct wamp2s_application {
    uint32_t task;
    grt_stream stream;
    uint64_t weight; /* P_i in the proportion */
    int64_t set;     /* the share that its stream has */

    /* Of the segment that is active. */
    bool active;
    bool submitted; /* it was given a share once; until then it waits */
    bool planned;   /* the operation that is going on gives it a share */
    bool late;      /* `due` has passed */
    grt_job job;
    int64_t priority;
    uint64_t tie;
    const struct shares_segment *segment;
    grt_time requested;
    grt_time due;   /* when the segment shall be done; GRT_TIME_NEVER */
    uint64_t order; /* of its submission */
    int64_t share;  /* what it has: 0 to 100 */
    int64_t planned_share;
    /* the share for which `predicted` is: the last that was not 0; before it has had one, an equal part */
    int64_t reference;
    double predicted; /* Chat, ns; 0: it was never predicted */
    double left;      /* ns, with `reference`, at the last operation */
    struct shares_progress progress;
    struct shares_estimates estimates;
    struct shares_error error; /* of all its segments */

    uint32_t row; /* of its shares in the timeline */
    grt_time share_since;

    uint64_t jobs; /* that came to the GPU */
    uint64_t last_job;
    grt_wide overhead; /* ns: of the operations during its segments; equation (16) */
};

/* What shares a GPU out. */
struct wamp2s_scheduler {
    uint32_t gpu;
    struct wamp2s_application **active; /* the highest priority first */
    uint32_t active_count;
    bool started, ended; /* an application did since the last operation began; */
    bool missed;         /* or became late */
    bool schedulable;    /* the last verdict */
    bool working;        /* an operation is going on: shares change when it is over */
    bool worked;         /* it is over */
    bool verdict;        /* its verdict */
    grt_thread thread;
    uint32_t timer; /* at the next `due` */

    struct shares_predictor *predictor;
    struct shares_active *situation; /* the rest: scratch, by the places in `active` */
    struct shares_demand *demands;
    int64_t *shares;
    bool *predicts;

    uint32_t row;                         /* of what it does */
    grt_wide saved_by_wdc, saved_by_aetc; /* ns of operations */
};

struct wamp2s {
    const struct wamp2s_parameters *given;
    const struct shares_matrix *matrix;
    uint32_t application_count, scheduler_count;
    struct wamp2s_application *applications; /* by task; stream unset where the task has no GPU segment */
    struct wamp2s_scheduler *schedulers;     /* by GPU */
    uint64_t orders;
    grt_job *without_kernels; /* requests that need no share */
    uint32_t without_count;
    struct shares_errors errors;

    uint32_t share_labels[GRT_FULL_SHARE + 1];
    uint32_t operation, prediction, kept, skipped, unschedulable;                /* labels */
    uint32_t runs, predictions, wdc_skips, aetc_skips, failures, extrapolations; /* counters */
};

/* Does what an event calls for: ends an operation that is over, skips, begins or executes the next one. Once per GPU and decision. */
void wamp2s_operate(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler);

/* Shows the share that an application had until now, before it gets another one or ends. */
void wamp2s_show_share(const struct wamp2s *self, struct grt_world *world,
                       struct wamp2s_application *application);

#endif
