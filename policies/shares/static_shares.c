/* Static shares: every task has its part of the GPU, from the beginning to the end, whether it uses it or not.
 *
 * Source: J. Gu, S. Song, Y. Li, H. Luo, "GaiaGPU: Sharing GPUs in Container Clouds", ISPA 2018, as Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022,
 * section 3, start from it: the vprocessors of a container are in its configuration. Every segment is submitted at once. With `estimate_errors` an
 * observer estimates the remaining times meanwhile, and nothing else changes. */
#include <string.h>

#include "models/policy.h"
#include "policies/request_list.h"
#include "policies/shares/observer.h"
#include "policies/shares/parameters.h"
#include "policies/shares/prepared.h"
#include "policies/shares/streams.h"

struct static_shares {
    const grt_stream *streams; /* by task */
    int64_t *shares;           /* by task; 0: it uses no GPU */
    struct request_list requests;
    bool are_set;
    struct shares_observer *observer; /* NULL: nobody estimates */
};

/* ---- start ---- */

static const struct grt_path root = {0}, policy_path = {&root, "policy", 0},
                             list_path = {&policy_path, "shares", 0};

/* What the parameters say of a task. */
static bool take(const struct grt_scenario *scenario, const struct static_share *given, size_t place,
                 int64_t *shares, struct grt_errors *errors) {
    struct grt_path item = {&list_path, NULL, place}, task = {&item, "task", 0};
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (strcmp(scenario->tasks[i].name, given->task) != 0 || !grt_task_uses_gpu(&scenario->tasks[i])) {
            continue;
        }
        if (shares[i] > 0) {
            grt_error_add(errors, &task, "\"%s\" has a share already", given->task);
            return false;
        }
        shares[i] = given->share;
        return true;
    }
    grt_error_add(errors, &task, "there is no task \"%s\" that uses a GPU", given->task);
    return false;
}

/* Equal parts of what is left on a GPU for its other tasks; what cannot be divided goes to the first of them. */
static bool share_rest(const struct grt_scenario *scenario, uint32_t gpu, int64_t *shares,
                       struct grt_errors *errors) {
    int64_t left = GRT_FULL_SHARE, others = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (scenario->tasks[i].gpu == gpu && grt_task_uses_gpu(&scenario->tasks[i])) {
            left -= shares[i];
            others += shares[i] == 0;
        }
    }
    if (left < others) {
        grt_error_add(errors, &list_path,
                      "shares of GPU %u must leave at least 1 of 100 for each of the other %lld tasks (%lld "
                      "are left)",
                      gpu, (long long)others, (long long)left);
        return false;
    }
    int64_t part = others > 0 ? left / others : 0, more = others > 0 ? left % others : 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (scenario->tasks[i].gpu == gpu && grt_task_uses_gpu(&scenario->tasks[i]) && shares[i] == 0) {
            shares[i] = part + (more > 0);
            more -= more > 0;
        }
    }
    return true;
}

static bool find_shares(const struct grt_scenario *scenario, const struct static_parameters *given,
                        int64_t *shares, struct grt_errors *errors) {
    bool good = true;
    for (size_t i = 0; i < given->shares.count; i++) {
        const struct static_share *items = given->shares.items;
        good &= take(scenario, &items[i], i, shares, errors);
    }
    for (uint32_t i = 0; good && i < scenario->gpu_count; i++) {
        good = share_rest(scenario, i, shares, errors);
    }
    return good;
}

/* What only estimates need. */
static const void *prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena) {
    const struct static_parameters *given = parameters;
    return given->estimate_errors
               ? shares_prepare(scenario, (enum shares_predictor_kind)given->predictor, arena)
               : NULL;
}

static bool trains(const void *parameters) {
    const struct static_parameters *given = parameters;
    return given->estimate_errors && given->predictor == SHARES_SOFNN;
}

static bool start_observer(struct static_shares *self, struct grt_world *world, struct grt_errors *errors) {
    const struct shares_prepared *prepared = grt_policy_prepared(world);
    const struct static_parameters *given = grt_policy_parameters(world);
    if (!shares_choice_check(&given->estimates, errors) ||
        !shares_prepared_check(prepared, "static-shares", errors)) {
        return false;
    }
    self->observer = shares_observer_create(world, given, prepared->matrix, self->streams, self->shares);
    return true;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct static_shares *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    const struct static_parameters *given = grt_policy_parameters(world);
    self->shares = grt_policy_memory(world, scenario->task_count, sizeof *self->shares);
    self->requests = request_list_for(world);
    self->streams = shares_make_streams(world);
    return find_shares(scenario, given, self->shares, errors) &&
           (!given->estimate_errors || start_observer(self, world, errors));
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct static_shares *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        if (self->shares[i] > 0) {
            grt_describe_number(out, "share", (uint32_t)scenario->tasks[i].gpu, i, self->shares[i]);
        }
    }
}

static void conclude(const void *state, const struct grt_world *world, struct grt_description *out) {
    const struct static_shares *self = state;
    (void)world;
    if (self->observer != NULL) {
        shares_observer_describe(self->observer, out);
    }
}

/* ---- requests ---- */

static void request(void *state, struct grt_world *world, grt_job job) {
    struct static_shares *self = state;
    (void)world;
    request_list_add(&self->requests, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    struct static_shares *self = state;
    (void)world;
    request_list_remove(&self->requests, job);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct static_shares *self = state;
    if (self->observer != NULL) {
        shares_observer_end(self->observer, world, job);
    }
}

static void set_shares(struct static_shares *self, struct grt_world *world) {
    for (uint32_t i = 0; i < grt_policy_scenario(world)->task_count; i++) {
        if (self->shares[i] > 0) {
            grt_policy_set_share(world, self->streams[i], self->shares[i]);
        }
    }
    self->are_set = true;
}

/* Each has a stream of its own, but copies share the engines: the scenario's tie rule says who goes first. */
static void decide(void *state, struct grt_world *world) {
    struct static_shares *self = state;
    if (!self->are_set) {
        set_shares(self, world);
    }
    request_list_sort(&self->requests, world);
    for (uint32_t i = 0; i < self->requests.count; i++) {
        grt_job job = self->requests.jobs[i];
        grt_policy_submit(world, job, self->streams[grt_policy_job(world, job)->task]);
        if (self->observer != NULL) {
            shares_observer_begin(self->observer, world, job);
        }
    }
    self->requests.count = 0;
    if (self->observer != NULL) {
        shares_observer_estimate(self->observer, world);
    }
}

const struct grt_policy_ops grt_policy_static_shares = {
    .name = "static-shares",
    .summary = "every task has a fixed share of the SMs; submit at once (GaiaGPU)",
    .state_size = sizeof(struct static_shares),
    .parameters_size = sizeof(struct static_parameters),
    .parameters = &static_parameters_record,
    .memoryless = true,
    .many_processes = true,
    .sets_shares = true,
    .promise = {.gpu = GRT_PROMISE_SHARES, .whole = true, .aborts_nothing = true},
    .prepare = prepare,
    .trains = trains,
    .start = start,
    .describe = describe,
    .conclude = conclude,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_done = done,
    .decide = decide,
};
