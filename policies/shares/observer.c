#include "policies/shares/observer.h"

#include "policies/shares/estimates.h"
#include "policies/shares/progress.h"

/* A task that uses a GPU, and its segment while it is active. */
struct watched {
    bool active;
    bool seen; /* it began before this instant */
    const struct shares_segment *segment;
    uint64_t order; /* of its submission */
    double predicted;
    struct shares_progress progress;
    struct shares_estimates estimates;
    struct shares_error error; /* of all its segments */
};

struct shares_observer {
    const struct shares_choice *choice;
    const struct shares_matrix *matrix;
    const grt_stream *streams; /* by task */
    const int64_t *shares;
    struct watched *watched; /* by task */
    uint32_t task_count, gpu_count;
    struct shares_predictor **predictors; /* by GPU */
    bool *changed;
    uint64_t orders;
    struct shares_errors errors;

    struct shares_active *situation; /* of one GPU: scratch */
    uint32_t *tasks;                 /* whose places they are */
};

struct shares_observer *shares_observer_create(struct grt_world *world, const struct static_parameters *given,
                                               const struct shares_matrix *matrix, const grt_stream *streams,
                                               const int64_t *shares) {
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    size_t tasks = scenario->task_count, gpus = scenario->gpu_count;
    struct shares_observer *observer = grt_policy_memory(world, 1, sizeof *observer);
    *observer = (struct shares_observer){
        .choice = &given->estimates,
        .matrix = matrix,
        .streams = streams,
        .shares = shares,
        .watched = grt_policy_memory(world, tasks, sizeof(struct watched)),
        .task_count = (uint32_t)tasks,
        .gpu_count = (uint32_t)gpus,
        .predictors = grt_policy_memory(world, gpus, sizeof(struct shares_predictor *)),
        .changed = grt_policy_memory(world, gpus, sizeof(bool)),
        .situation = grt_policy_memory(world, tasks, sizeof(struct shares_active)),
        .tasks = grt_policy_memory(world, tasks, sizeof(uint32_t)),
    };
    for (size_t i = 0; i < gpus; i++) {
        observer->predictors[i] =
            shares_predictor_create((enum shares_predictor_kind)given->predictor, &scenario->gpus[i],
                                    observer->task_count, grt_policy_arena(world));
    }
    return observer;
}

/* ---- applications come and go ---- */

static void note_change(struct shares_observer *observer, const struct grt_world *world, uint32_t task) {
    observer->changed[grt_policy_scenario(world)->tasks[task].gpu] = true;
}

void shares_observer_begin(struct shares_observer *observer, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    struct watched *watched = &observer->watched[view->task];
    watched->segment = shares_matrix_at(observer->matrix, view->task, view->segment);
    if (watched->segment == NULL) {
        return;
    }
    watched->active = true;
    watched->seen = false;
    watched->order = observer->orders++;
    watched->progress = (struct shares_progress){.since = grt_policy_now(world)};
    watched->estimates.count = 0;
    note_change(observer, world, view->task);
}

void shares_observer_end(struct shares_observer *observer, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    struct watched *watched = &observer->watched[view->task];
    if (!watched->active) {
        return;
    }
    if (grt_policy_is_alive(world, job)) {
        shares_estimates_end(&watched->estimates, grt_policy_now(world), observer->choice, &observer->errors,
                             &watched->error);
    }
    watched->active = false;
    note_change(observer, world, view->task);
}

/* ---- estimates ---- */

/* Who is active on a GPU. Returns how many. */
static uint32_t look(struct shares_observer *observer, const struct grt_world *world, uint32_t gpu) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < observer->task_count; i++) {
        struct watched *watched = &observer->watched[i];
        if (!watched->active || grt_policy_scenario(world)->tasks[i].gpu != gpu) {
            continue;
        }
        const grt_time *times = watched->segment->times;
        int64_t share = observer->shares[i];
        shares_progress_advance(&watched->progress, grt_policy_now(world));
        observer->tasks[count] = i;
        observer->situation[count++] = (struct shares_active){
            .segment = watched->segment,
            .share = share,
            .done = watched->progress.done,
            .order = watched->order,
            .seen = watched->seen,
            .speed = (double)times[GRT_FULL_SHARE] / (double)times[share],
        };
    }
    shares_predictor_look(observer->predictors[gpu], observer->situation, count);
    return count;
}

static void predict(struct shares_observer *observer, const struct grt_world *world, uint32_t gpu,
                    uint32_t count, bool ahead) {
    for (uint32_t i = 0; i < count; i++) {
        double measured[GRT_INDICATORS] = {0};
        bool knows;
        if (!ahead) {
            grt_policy_workload(world, observer->streams[observer->tasks[i]], measured);
        }
        observer->watched[observer->tasks[i]].predicted =
            shares_predict(observer->predictors[gpu], i, measured, &knows);
    }
}

/* The same at the speeds that were predicted. */
static void look_ahead(struct shares_observer *observer, uint32_t gpu, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct watched *watched = &observer->watched[observer->tasks[i]];
        double alone = (double)watched->segment->times[GRT_FULL_SHARE];
        observer->situation[i].seen = false;
        observer->situation[i].speed = alone < watched->predicted ? alone / watched->predicted : 1;
    }
    shares_predictor_look(observer->predictors[gpu], observer->situation, count);
}

static void estimate(struct shares_observer *observer, const struct grt_world *world, uint32_t gpu) {
    grt_time now = grt_policy_now(world);
    uint32_t count = look(observer, world, gpu);
    predict(observer, world, gpu, count, false);
    look_ahead(observer, gpu, count);
    predict(observer, world, gpu, count, true);
    for (uint32_t i = 0; i < count; i++) {
        struct watched *watched = &observer->watched[observer->tasks[i]];
        watched->seen = true;
        shares_progress_change(&watched->progress, now, watched->predicted);
        shares_estimate(&watched->estimates, &watched->progress, now);
    }
}

void shares_observer_estimate(struct shares_observer *observer, struct grt_world *world) {
    for (uint32_t i = 0; i < observer->gpu_count; i++) {
        if (observer->changed[i]) {
            observer->changed[i] = false;
            estimate(observer, world, i);
        }
    }
}

void shares_observer_describe(const struct shares_observer *observer, struct grt_description *out) {
    shares_errors_describe(&observer->errors, out);
    for (uint32_t i = 0; i < observer->task_count; i++) {
        shares_task_error_describe(&observer->watched[i].error, i, out);
    }
}
