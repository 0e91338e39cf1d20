#include "verify/promised.h"

#include "policies/batch/parameters.h"
#include "policies/locks/lock.h"
#include "policies/locks/server.h"
#include "policies/shares/parameters.h"
#include "verify/batches.h"
#include "verify/places.h"
#include "verify/slots.h"

static bool on_one_core(const struct grt_scenario *scenario, size_t a, size_t b) {
    return scenario->core_count > 0 ? scenario->tasks[a].cpu == scenario->tasks[b].cpu : a == b;
}

/* The priority of the most urgent task of another core that uses the GPU of a task; its own where there is none. */
static int64_t remote_ceiling(const struct grt_scenario *scenario, size_t number) {
    const struct grt_task *task = &scenario->tasks[number];
    int64_t ceiling = task->priority;
    bool found = false;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *other = &scenario->tasks[i];
        if (!on_one_core(scenario, i, number) && other->gpu == task->gpu && grt_task_uses_gpu(other) &&
            (!found || other->priority > ceiling)) {
            ceiling = other->priority;
            found = true;
        }
    }
    return ceiling;
}

static const struct grt_audit_lock *lock_of(const struct grt_scenario *scenario,
                                            const struct grt_policy_ops *policy, const void *parameters,
                                            struct grt_arena *arena) {
    bool mpcp = policy->parameters == &lock_mpcp_record;
    if (!mpcp && policy->parameters != &lock_fmlp_record) {
        return NULL; /* of other parameters nothing is known */
    }
    static const struct grt_lock_parameters defaults; /* zero is the default of all */
    const struct grt_lock_parameters *given = parameters != NULL ? parameters : &defaults;
    struct grt_audit_lock *lock = grt_arena_array(arena, 1, sizeof *lock);
    lock->spins = given->waiting == GRT_LOCK_SPIN;
    if (mpcp) {
        int64_t *ceilings = grt_arena_array(arena, scenario->task_count, sizeof *ceilings);
        for (size_t i = 0; i < scenario->task_count; i++) {
            ceilings[i] = given->boost == GRT_LOCK_BOOST_OWN ? scenario->tasks[i].priority
                                                             : remote_ceiling(scenario, i);
        }
        lock->ceilings = ceilings;
    }
    return lock;
}

static const struct grt_audit_server *server_of(const struct grt_scenario *scenario,
                                                const struct grt_policy_ops *policy, const void *parameters,
                                                struct grt_arena *arena) {
    if (policy->parameters != &server_parameters_record) {
        return NULL;
    }
    const struct grt_server_parameters defaults = grt_server_default_parameters();
    const struct grt_server_parameters *given = parameters != NULL ? parameters : &defaults;
    struct grt_audit_server *server = grt_arena_array(arena, 1, sizeof *server);
    *server = (struct grt_audit_server){.cost = given->epsilon,
                                        .charged = given->enqueue_cost == GRT_LOCK_ENQUEUE_CHARGED,
                                        .shared = scenario->gpu_count > 1 && given->core >= 0};
    return server;
}

/* How many threads of its own a policy has, one for every GPU; 0 where that is not known. */
static uint32_t threads_of(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                           const void *parameters) {
    const struct batch_parameters defaults = batch_default_parameters();
    bool batches = policy->parameters == &batch_parameters_record &&
                   batch_has_threads(parameters != NULL ? parameters : &defaults);
    const struct wamp2s_parameters given_none = wamp2s_default_parameters();
    bool shares = policy->parameters == &wamp2s_parameters_record &&
                  wamp2s_takes_time(parameters != NULL ? parameters : &given_none);
    bool has_threads = batches || shares || policy->parameters == &server_parameters_record;
    return has_threads ? (uint32_t)scenario->gpu_count : 0;
}

const char *grt_promised_unaudited(const struct grt_audit_promise *promise) {
    switch (promise->policy.gpu) {
    case GRT_PROMISE_SLOTS:
        return promise->slots == NULL ? "slots" : NULL;
    case GRT_PROMISE_LOCK:
        return promise->lock == NULL ? "locks" : NULL;
    case GRT_PROMISE_SERVER:
        return promise->server == NULL ? "servers" : NULL;
    case GRT_PROMISE_BATCHES:
        return promise->batches == NULL ? "batches" : NULL;
    case GRT_PROMISE_PLACES:
        return promise->places == NULL ? "places" : NULL;
    default:
        return NULL;
    }
}

struct grt_audit_promise grt_promised(const struct grt_scenario *scenario,
                                      const struct grt_policy_ops *policy, const void *parameters,
                                      struct grt_arena *arena) {
    struct grt_audit_promise promise = {.policy = grt_policy_promise(policy, parameters),
                                        .any_order = policy->gpu_submission_done != NULL,
                                        .threads = threads_of(scenario, policy, parameters),
                                        .end = scenario->horizon};
    switch (promise.policy.gpu) {
    case GRT_PROMISE_SLOTS:
        promise.slots = grt_slots_of(scenario, policy, parameters, arena);
        break;
    case GRT_PROMISE_LOCK:
        promise.lock = lock_of(scenario, policy, parameters, arena);
        break;
    case GRT_PROMISE_SERVER:
        promise.server = server_of(scenario, policy, parameters, arena);
        break;
    case GRT_PROMISE_BATCHES:
        promise.batches = grt_batches_of(scenario, policy, parameters, arena);
        break;
    case GRT_PROMISE_PLACES:
        promise.places = grt_places_of(scenario, policy, parameters, arena);
        break;
    default:
        break;
    }
    return promise;
}
