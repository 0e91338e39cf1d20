#include "policies/shares/prepared.h"

#include "models/learning/train.h"

/* What is done with each kernel. */
typedef void kernel_function(struct shares_prepared *prepared, const struct grt_networks *networks,
                             struct shares_kernel *kernel);

static void for_all_kernels(struct shares_prepared *prepared, const struct grt_scenario *scenario,
                            const struct grt_networks *networks, kernel_function *function) {
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        for (uint32_t j = 0; j < scenario->tasks[i].segment_count; j++) {
            const struct shares_segment *segment = shares_matrix_at(prepared->matrix, i, j);
            for (uint32_t k = 0; segment != NULL && k < segment->kernel_count; k++) {
                function(prepared, networks, &segment->kernels[k]);
            }
        }
    }
}

static void look_for_counters(struct shares_prepared *prepared, const struct grt_networks *networks,
                              struct shares_kernel *kernel) {
    (void)networks;
    prepared->has_counters |= grt_usage_has_counters(&kernel->usage);
}

static void set_network(struct shares_prepared *prepared, const struct grt_networks *networks,
                        struct shares_kernel *kernel) {
    kernel->network = grt_networks_find(networks, kernel->kernel->name);
    /* without counters a kernel cannot be told from one that does nothing: it is predicted as if it were alone */
    if (kernel->network == NULL && grt_usage_has_counters(&kernel->usage) &&
        prepared->without_network == NULL) {
        prepared->without_network = kernel->kernel->name;
    }
}

/* F4: every launch of a sample is simulated there. */
static bool any_takes_tokens(const struct grt_scenario *scenario) {
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        if (scenario->gpus[i].share_interval > 0) {
            return true;
        }
    }
    return false;
}

/* The scenario's, or some that are trained here. NULL: there are none. */
static const struct grt_networks *find_networks(struct shares_prepared *prepared,
                                                const struct grt_scenario *scenario,
                                                struct grt_arena *arena) {
    struct grt_errors errors = {0};
    for_all_kernels(prepared, scenario, NULL, look_for_counters);
    if (scenario->networks != NULL || !prepared->has_counters) {
        return scenario->networks;
    }
    if (any_takes_tokens(scenario)) {
        prepared->failure =
            "with \"share_interval\" that takes long; name \"networks\" of `gpurt train`, or set "
            "\"predictor\" to \"perfect\" or \"none\"";
        return NULL;
    }
    const struct grt_networks *networks = grt_networks_train(scenario, 1, GRT_TRAINING_QUICK, arena, &errors);
    if (networks == NULL) {
        prepared->failure = grt_arena_text(arena, errors.messages[0]);
    }
    grt_errors_clear(&errors);
    return networks;
}

const struct shares_prepared *shares_prepare(const struct grt_scenario *scenario,
                                             enum shares_predictor_kind kind, struct grt_arena *arena) {
    struct shares_prepared *prepared = grt_arena_new(arena, struct shares_prepared);
    prepared->matrix = shares_matrix_create(scenario, arena);
    if (kind == SHARES_SOFNN) {
        const struct grt_networks *networks = find_networks(prepared, scenario, arena);
        if (networks != NULL) {
            for_all_kernels(prepared, scenario, networks, set_network);
        }
    }
    return prepared;
}

bool shares_prepared_check(const struct shares_prepared *prepared, const char *policy_name,
                           struct grt_errors *errors) {
    static const struct grt_path root = {0}, policy = {&root, "policy", 0},
                                 predictor = {&policy, "predictor", 0}, networks = {&root, "networks", 0};
    if (prepared->without_network != NULL) {
        grt_error_add(errors, &networks,
                      "has none of kernel \"%s\", which policy %s has to predict; train it as well, or "
                      "set the policy's \"predictor\" to \"none\"",
                      prepared->without_network, policy_name);
    }
    if (prepared->failure != NULL) {
        grt_error_add(errors, &predictor, "no networks could be trained: %s", prepared->failure);
    }
    return prepared->without_network == NULL && prepared->failure == NULL;
}
