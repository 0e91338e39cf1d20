#include "tests/support/every_policy.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/gpu_checks.h"
#include "tests/support/job_checks.h"

/* What a policy promises beyond that; a new policy has to say it here. */
struct promise {
    const char *name;
    bool one_at_a_time; /* and no idle GPU while a segment waits: the auditor has a rule for that */
    bool in_pieces;     /* it has segments executed in pieces, and the GPU may be idle */
};

static const struct promise promises[] = {
    {.name = "hardware"},
    {.name = "fifo", .one_at_a_time = true},
    {.name = "np-edf", .one_at_a_time = true},
    {.name = "np-rm", .one_at_a_time = true},
    {.name = "np-fp", .one_at_a_time = true},
    {.name = "tdm", .in_pieces = true},
};

static const struct promise *promise_of(const struct grt_policy_ops *policy) {
    for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
        if (strcmp(promises[i].name, policy->name) == 0) {
            return &promises[i];
        }
    }
    return NULL;
}

/* ---- running one case under one policy ---- */

/* What the auditor finds, beside the scenario and the policy's name. */
static bool audit_passes(const struct grt_scenario *scenario, const struct grt_built_run *run,
                         const struct promise *promise) {
    struct grt_audit_promise audited = {.policy = promise->name, .end = run->result->end};
    struct grt_audit_tally tally = {0};
    char rule[64];
    snprintf(rule, sizeof rule, "%s: one segment at a time", promise->name);
    bool good =
        grt_audit_records(scenario, &audited, run->kept.records, run->kept.record_count, &tally, false) == 0;
    bool known = grt_audit_tally_find(&tally, rule) < tally.count;
    if (known != promise->one_at_a_time) {
        fprintf(stderr, "%s: say in verify/audit_rules.c what it promises\n", promise->name);
    }
    return good && known == promise->one_at_a_time;
}

static bool run_is_sound(const struct grt_scenario *scenario, const struct grt_built_run *run,
                         const struct promise *promise) {
    struct grt_launches all;
    bool good = grt_job_checks_pass(scenario, run) && audit_passes(scenario, run, promise);
    if (!good || promise->in_pieces) {
        return good;
    }
    good = grt_launches_read(&all, scenario, run) && grt_gpu_checks_pass(&all, run);
    grt_launches_free(&all);
    return good;
}

/* Two runs of a case: sound, and equal. The caller frees `run`. */
static bool run_twice(struct grt_built_run *run, const struct grt_scenario *scenario,
                      const struct grt_policy_ops *policy, const struct promise *promise) {
    struct grt_built_run again;
    grt_built_run_start(run, scenario, policy, false);
    grt_built_run_start(&again, scenario, policy, false);
    if (run->world == NULL) {
        grt_errors_print(&run->errors, stderr, "refused: ");
    }
    bool good = run->world != NULL && run_is_sound(scenario, run, promise) &&
                grt_built_traces_equal(run, &again) && grt_built_results_equal(run->result, again.result);
    grt_built_run_free(&again);
    return good;
}

void grt_run_under_every_policy(struct grt_builder *builder, void (*judge)(const struct grt_built_run *run)) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        const struct promise *promise = promise_of(*policy);
        CU_ASSERT_PTR_NOT_NULL_FATAL(promise);
        for (int ties = GRT_TIES_TASK; ties <= GRT_TIES_SHUFFLE; ties++) {
            struct grt_built_run run;
            builder->scenario.ties = ties;
            bool good = run_twice(&run, &builder->scenario, *policy, promise);
            CU_ASSERT(good);
            if (!good) {
                fprintf(stderr, "under %s, tie rule %d\n", (*policy)->name, ties);
            } else if (judge != NULL && !promise->in_pieces) {
                judge(&run);
            }
            grt_built_run_free(&run);
        }
    }
    grt_builder_free(builder);
}
