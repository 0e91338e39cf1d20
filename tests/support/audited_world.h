/* Worlds and runs for tests of the auditor. */
#ifndef GRT_TESTS_SUPPORT_AUDITED_WORLD_H
#define GRT_TESTS_SUPPORT_AUDITED_WORLD_H

#include "models/policy.h"
#include "policies/tdm/tdm.h"
#include "tests/support/world_builder.h"
#include "verify/audit.h"

/* What a world has besides what all random worlds have. The first two run under every policy, launches too unless it refuses them, the others under those that
 * submit at once. */
enum grt_audited_kind {
    GRT_AUDITED_PLAIN,
    GRT_AUDITED_CALLS,
    GRT_AUDITED_CONTENDED,
    GRT_AUDITED_LAUNCHES, /* kernels launched by blocks, some with processes, some contended */
    GRT_AUDITED_TURNS,    /* processes that take turns */
    GRT_AUDITED_CONTENDED_TURNS,
    GRT_AUDITED_MPS,
    GRT_AUDITED_PINNED, /* pinned kernels, some with processes or clients, some contended */
    GRT_AUDITED_KINDS
};

/* A world of a kind; ties by `number`. Free it with grt_builder_free. */
struct grt_builder *grt_audited_world(uint64_t number, enum grt_audited_kind kind);

/* Tasks for tdm: one GPU segment each, of a kernel of blocks, of one that is described by its time, or of copies and kernels. Loads for which
 * parameters are found in most cases. */
struct grt_builder *grt_slotted_world(uint64_t number);

/* A finished run, the scenario as it was executed, and what its policy promised. */
struct grt_audited_run {
    const struct grt_scenario *scenario;
    struct grt_built_run run; /* its result is NULL where the world was refused */
    struct grt_audit_promise promise;
    struct grt_arena arena;
};

/* Runs a scenario; `parameters`: of the policy, NULL: the defaults. Free the run in any case. */
void grt_audited_run_start(struct grt_audited_run *audited, const struct grt_scenario *scenario,
                           const struct grt_policy_ops *policy, const void *parameters);
void grt_audited_run_free(struct grt_audited_run *audited);

/* Room for the rules of all policies. */
enum { GRT_AUDIT_TALLY = 128 };

/* What the auditor says of records: by rule, summed up over calls. */
struct grt_audit_tally {
    const char *rule[GRT_AUDIT_TALLY];
    uint64_t checked[GRT_AUDIT_TALLY], broken[GRT_AUDIT_TALLY];
    size_t count;
};

/* Audits records; returns how many findings there are, and writes the first ones to standard error unless `quiet`. `tally` may be NULL. */
uint64_t grt_audit_records(const struct grt_scenario *scenario, const struct grt_audit_promise *promise,
                           const struct grt_trace_record *records, size_t count,
                           struct grt_audit_tally *tally, bool quiet);

/* Whether the auditor finds nothing in a run; a world that was refused has nothing to find. */
bool grt_audited_run_is_sound(const struct grt_audited_run *audited, struct grt_audit_tally *tally);

/* The same of a world's run under a policy with its permissive parameters; says on standard error which `number` it is where not. */
bool grt_audited_world_is_sound(const struct grt_builder *builder, const struct grt_policy_ops *policy,
                                struct grt_audit_tally *tally, uint64_t number);

/* The tally's place of a rule; its count where there is none. */
size_t grt_audit_tally_find(const struct grt_audit_tally *tally, const char *rule);

#endif
