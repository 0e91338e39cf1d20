/* Static shares: every task has its part of the GPU, from the beginning to the end, whether it uses it or not.
 *
 * Source: J. Gu, S. Song, Y. Li, H. Luo, "GaiaGPU: Sharing GPUs in Container Clouds", ISPA 2018, as Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022,
 * section 3, start from it: the vprocessors of a container are in its configuration. Every segment is submitted at once. */
#include <string.h>

#include "models/policy.h"
#include "policies/request_list.h"
#include "policies/shares/parameters.h"
#include "policies/shares/streams.h"

struct static_shares {
    const grt_stream *streams; /* by task */
    int64_t *shares;           /* by task; 0: it uses no GPU */
    struct request_list requests;
    bool are_set;
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

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct static_shares *self = state;
    const struct grt_scenario *scenario = grt_policy_scenario(world);
    self->shares = grt_policy_memory(world, scenario->task_count, sizeof *self->shares);
    self->requests = request_list_for(world);
    self->streams = shares_make_streams(world);
    return find_shares(scenario, grt_policy_parameters(world), self->shares, errors);
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
    }
    self->requests.count = 0;
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
    .start = start,
    .describe = describe,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .decide = decide,
};
