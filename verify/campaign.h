/* A campaign: simulates a scenario, and many release patterns of it, holds every response against the bounds of all analyses that speak of its
 * policy, every deadline against their verdicts, every trace against the auditor. Times in nanoseconds. */
#ifndef GRT_VERIFY_CAMPAIGN_H
#define GRT_VERIFY_CAMPAIGN_H

#include "verify/claim.h"

struct grt_campaign_options {
    uint64_t patterns; /* how many */
    uint64_t seed;
    uint32_t jobs; /* about how many a pattern has; 0: 40 */
    bool no_audit;
    /* NULL-terminated; NULL: all that there are for the policy */
    const struct grt_analysis_ops *const *analyses;

    /* Asked before each pattern, and before the scenario itself: false ends the campaign. NULL: nobody is asked. */
    bool (*go_on)(void *state, uint64_t done);
    void *go_on_state;
};

enum { GRT_CAMPAIGN_VIOLATIONS = 32 };

/* The number of what is simulated beside the patterns: the scenario itself, and the witnesses of analyses. */
#define GRT_CAMPAIGN_UNNUMBERED UINT64_MAX

/* One contradiction, with the pattern that showed it first. */
struct grt_campaign_violation {
    struct grt_violation violation;
    uint64_t pattern; /* its number, from 0, or GRT_CAMPAIGN_UNNUMBERED */
    uint64_t times;   /* in how many simulations it was seen */
    struct grt_pattern shown;
};

/* The worst that was seen of one task. */
struct grt_campaign_task {
    grt_time response;                /* -1: no job */
    uint64_t pattern;                 /* the number of the first that showed it, as above, */
    char name[GRT_PATTERN_NAME_SIZE]; /* and what it is */
    uint64_t jobs, missed;
};

/* The witness of a claim; of one without, that the tasks are not schedulable, the first simulation in which one of them missed a deadline. */
struct grt_campaign_witness {
    bool tried; /* it was simulated until it missed, or until it should have */
    bool missed;
    grt_time end;                     /* when the simulation ended: at the first miss */
    uint64_t pattern;                 /* without a witness: the number of the simulation, as of violations, */
    char name[GRT_PATTERN_NAME_SIZE]; /* and what it is */
};

/* The scenario itself, which is simulated behind the patterns. */
struct grt_campaign_itself {
    bool tried; /* false: the campaign was stopped before */
    uint64_t jobs;
    grt_time end; /* when the simulation ended */
};

struct grt_campaign {
    const struct grt_subject *subject;
    struct grt_campaign_options options;
    struct grt_claims claims;               /* of the subject */
    struct grt_campaign_witness *witnesses; /* one per claim */
    struct grt_campaign_task *tasks;
    uint64_t done; /* patterns; the scenario itself and witnesses are not counted */
    uint64_t jobs;
    struct grt_campaign_itself itself;
    bool stopped;             /* by go_on */
    grt_time window, horizon; /* of patterns: arrivals come before the one, simulations end at the other */
    const struct grt_audit_count *counts; /* of the auditor, by rule */
    size_t count_count;
    const char *unaudited; /* as grt_player_unaudited; NULL, too, where nothing was audited */
    struct grt_campaign_violation *violations;
    size_t violation_count; /* different ones; later ones than GRT_CAMPAIGN_VIOLATIONS are dropped */
    struct grt_arena arena;
    struct grt_player *player;
};

/* Runs a campaign to its end. `subject` must outlive it. False after adding errors: the scenario cannot be run. Free it in any case. */
bool grt_campaign_run(struct grt_campaign *campaign, const struct grt_subject *subject,
                      const struct grt_campaign_options *options, struct grt_errors *errors);
void grt_campaign_free(struct grt_campaign *campaign);

/* The largest response of a task over its bound by a claim, the closeness of the two; negative where there is none of them. */
double grt_campaign_closeness(const struct grt_campaign *campaign, const struct grt_claim *claim,
                              uint32_t task);

#endif
