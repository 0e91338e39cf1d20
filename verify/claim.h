/* What analyses claim of a scenario, and whether what was seen contradicts a claim. Times in nanoseconds. */
#ifndef GRT_VERIFY_CLAIM_H
#define GRT_VERIFY_CLAIM_H

#include "models/analysis.h"
#include "models/policy.h"
#include "policies/analyses/run.h"
#include "verify/play.h"

/* What one analysis says of the tasks of one GPU, or of all. */
struct grt_claim {
    const struct grt_analysis_ops *analysis;
    uint32_t gpu; /* GRT_ANALYSIS_ALL_GPUS: of all tasks */
    enum grt_verdict verdict;
    bool unsound; /* GRT_VERDICT_SCHEDULABLE by an option that is known to be wrong */
    bool claimed; /* GRT_VERDICT_UNSCHEDULABLE, and nothing stands behind it (grt_analysis_only_claims) */
    const char *reason; /* "": none */
    uint32_t failing;   /* a task of the scenario, or GRT_ANALYSIS_NO_TASK */
    grt_time *bounds;   /* of each task of the scenario; GRT_ANALYSIS_NEVER: none */
    bool *covers;       /* whether it speaks of the task */
    /* the first release of each task, GRT_ANALYSIS_NEVER: it does not come; NULL: no witness */
    grt_time *witness;
    /* when the witness has missed a deadline, as the analysis says; -1: it does not say */
    grt_time missed_by;
};

/* What speaks of what. */
struct grt_claims {
    struct grt_claim *items;
    size_t count;
};

/* Runs the analyses that are chosen (policies/analyses/run.h). All is in the arena. */
struct grt_claims grt_claims_make(const struct grt_analyses_subject *subject,
                                  const struct grt_analyses_choice *choice, struct grt_arena *arena);

enum grt_violation_kind {
    GRT_VIOLATION_NONE,
    GRT_VIOLATION_RESPONSE, /* a response is above its bound */
    GRT_VIOLATION_DEADLINE, /* a deadline was missed although the set was called schedulable */
    GRT_VIOLATION_WITNESS,  /* releases that should miss a deadline do not */
    GRT_VIOLATION_AUDIT,    /* the trace breaks a rule */
};

/* The kinds as JSON and tables call them. */
extern const char *const *const grt_violation_names;

enum { GRT_VIOLATION_TEXT_SIZE = 512 };

struct grt_violation {
    enum grt_violation_kind kind;
    const struct grt_analysis_ops *analysis; /* NULL: the auditor */
    uint32_t gpu;                            /* of the claim */
    const char *rule;                        /* of the auditor; NULL: an analysis */
    uint32_t task;                           /* in the subject's scenario, or GRT_ANALYSIS_NO_TASK */
    uint64_t job;
    grt_time time;                      /* when it was seen: the job's end, the finding's time */
    grt_time bound;                     /* GRT_VIOLATION_RESPONSE; else -1 */
    grt_time response;                  /* the same */
    char text[GRT_VIOLATION_TEXT_SIZE]; /* a sentence */
};

/* Whether what was seen contradicts the claim: first a task's response, then a deadline. The claim is of a scenario with the tasks of
 * `played`: the subject's, where none is absent. */
bool grt_claim_is_broken(const struct grt_claim *claim, const struct grt_seen *seen,
                         const struct grt_played *played, struct grt_violation *violation);

/* The same of what the auditor found. */
bool grt_audit_is_broken(const struct grt_seen *seen, const struct grt_scenario *scenario,
                         struct grt_violation *violation);

/* Whether two violations are of the same claim or rule. */
bool grt_violation_is_same(const struct grt_violation *a, const struct grt_violation *b);

#endif
