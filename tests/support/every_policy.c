#include "tests/support/every_policy.h"

#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/cunit.h"
#include "tests/support/gpu_checks.h"
#include "tests/support/job_checks.h"
#include "tests/support/shared_world.h"
#include "verify/promised.h"

/* ---- running one case under one policy ---- */

bool grt_run_keeps_promises(const struct grt_scenario *scenario, const struct grt_built_run *run,
                            const struct grt_policy_ops *policy, const void *parameters) {
    struct grt_arena arena = {0};
    struct grt_audit_promise promise = grt_promised(scenario, policy, parameters, &arena);
    promise.end = run->result->end;
    bool good =
        grt_audit_records(scenario, &promise, run->kept.records, run->kept.record_count, NULL, false) == 0;
    grt_arena_clear(&arena);
    return good;
}

bool grt_run_is_sound(const struct grt_scenario *scenario, const struct grt_built_run *run,
                      const struct grt_policy_ops *policy, const void *parameters) {
    struct grt_launches all;
    bool has_blocks = !grt_device_has_shares(&scenario->gpus[0]);
    bool good =
        grt_job_checks_pass(scenario, run) && grt_run_keeps_promises(scenario, run, policy, parameters);
    if (!good || !policy->promise.whole || !has_blocks) { /* these checks read whole kernels of blocks */
        return good;
    }
    good = grt_launches_read(&all, scenario, run) && grt_gpu_checks_pass(&all, run);
    grt_launches_free(&all);
    return good;
}

/* Two runs of a case: sound, and equal. The caller frees `run`. */
static bool run_twice(struct grt_built_run *run, const struct grt_scenario *scenario,
                      const struct grt_policy_ops *policy) {
    struct grt_built_run again;
    grt_built_run_start(run, scenario, policy, false);
    grt_built_run_start(&again, scenario, policy, false);
    if (run->world == NULL) {
        grt_errors_print(&run->errors, stderr, "refused: ");
    }
    bool good = run->world != NULL && grt_run_is_sound(scenario, run, policy, policy->permissive) &&
                grt_built_traces_equal(run, &again) && grt_built_results_equal(run->result, again.result);
    grt_built_run_free(&again);
    return good;
}

/* A case as the policy has it executed, on GPUs of one granularity or the other. */
static const struct grt_scenario *as_executed(struct grt_builder *builder,
                                              const struct grt_policy_ops *policy, bool shares) {
    struct grt_errors errors = {0};
    const struct grt_scenario *written = shares ? grt_shared_world(builder) : &builder->scenario;
    const struct grt_scenario *scenario =
        grt_adapted(written, policy, policy->permissive, &builder->arena, &errors);
    grt_errors_print(&errors, stderr, "refused: ");
    grt_errors_clear(&errors);
    return scenario != NULL ? scenario : &builder->scenario;
}

/* Looks at the run besides where the GPUs have blocks and the policy never leaves them idle while somebody waits. */
static void run_case(struct grt_builder *builder, const struct grt_policy_ops *policy, int ties, bool shares,
                     void (*judge)(const struct grt_built_run *run)) {
    struct grt_built_run run;
    builder->scenario.ties = ties;
    bool good = run_twice(&run, as_executed(builder, policy, shares), policy);
    CU_ASSERT(good);
    if (!good) {
        fprintf(stderr, "under %s, tie rule %d%s\n", policy->name, ties, shares ? ", with shares" : "");
    } else if (judge != NULL && policy->promise.never_idle && !shares) {
        judge(&run);
    }
    grt_built_run_free(&run);
}

/* On GPUs of shares under one tie rule, unless that is where the policy belongs. */
void grt_run_under_every_policy(struct grt_builder *builder, void (*judge)(const struct grt_built_run *run)) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        for (int ties = GRT_TIES_TASK; ties <= GRT_TIES_SHUFFLE; ties++) {
            run_case(builder, *policy, ties, (*policy)->sets_shares, judge);
        }
        if (!(*policy)->sets_shares && !(*policy)->needs_blocks) {
            run_case(builder, *policy, GRT_TIES_TASK, true, judge);
        }
    }
    grt_builder_free(builder);
}
