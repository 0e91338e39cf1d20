#include "policies/shares/prepared.h"

#include "policies/shares/predictor.h"

/* A kernel of which nobody can count anything cannot be told from one that does nothing: it has no network, and is predicted as if it were alone. */
static bool has_counters(const struct grt_usage *usage) {
    bool any = false;
    for (int i = 0; i < GRT_INDICATORS; i++) {
        any |= usage->counters[i] > 0;
    }
    return any;
}

static void set_network(struct wamp2s_prepared *prepared, const struct grt_networks *networks,
                        struct shares_kernel *kernel) {
    kernel->network = grt_networks_find(networks, kernel->kernel->name);
    if (kernel->network == NULL && has_counters(&kernel->usage) && prepared->without_network == NULL) {
        prepared->without_network = kernel->kernel->name;
    }
}

static void set_networks(struct wamp2s_prepared *prepared, const struct grt_scenario *scenario,
                         const struct grt_networks *networks) {
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        for (uint32_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            const struct shares_segment *segment = shares_matrix_at(prepared->matrix, i, j);
            for (uint32_t k = 0; segment != NULL && k < segment->kernel_count; k++) {
                set_network(prepared, networks, &segment->kernels[k]);
            }
        }
    }
}

const void *wamp2s_prepare(const struct grt_scenario *scenario, const void *parameters,
                           struct grt_arena *arena) {
    const struct wamp2s_parameters *given = parameters;
    struct wamp2s_prepared *prepared = grt_arena_new(arena, struct wamp2s_prepared);
    prepared->matrix = shares_matrix_create(scenario, arena);
    if (given->predictor == SHARES_SOFNN && scenario->networks != NULL) {
        set_networks(prepared, scenario, scenario->networks);
    }
    return prepared;
}

bool wamp2s_check(const struct wamp2s_parameters *given, const struct wamp2s_prepared *prepared,
                  struct grt_errors *errors) {
    static const struct grt_path root = {0}, policy = {&root, "policy", 0},
                                 threshold = {&policy, "threshold", 0}, networks = {&root, "networks", 0};
    bool in_range = given->threshold >= 0 && given->threshold <= 1;
    if (!in_range) {
        grt_error_add(errors, &threshold, "must be from 0 to 1 (got %g)", given->threshold);
    }
    if (prepared->without_network != NULL) {
        grt_error_add(errors, &networks,
                      "has none of kernel \"%s\", which policy wamp2s has to predict; train it as well, or "
                      "set the policy's \"predictor\" to \"none\"",
                      prepared->without_network);
    }
    return in_range && prepared->without_network == NULL;
}
