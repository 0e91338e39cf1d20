#include "verify/campaign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "sim/check.h"
#include "verify/maker.h"

enum { USUAL_JOBS = 40, WITNESS_JOBS = 200000 };

/* ---- what is kept ---- */

static void keep_violation(struct grt_campaign *campaign, const struct grt_violation *violation,
                           uint64_t number, const struct grt_pattern *pattern) {
    for (size_t i = 0; i < campaign->violation_count; i++) {
        if (grt_violation_is_same(&campaign->violations[i].violation, violation)) {
            campaign->violations[i].times++;
            return;
        }
    }
    if (campaign->violation_count < GRT_CAMPAIGN_VIOLATIONS) {
        struct grt_campaign_violation *kept = &campaign->violations[campaign->violation_count++];
        *kept = (struct grt_campaign_violation){.violation = *violation, .pattern = number, .times = 1};
        grt_pattern_start(&kept->shown, pattern->task_count);
        grt_pattern_copy(&kept->shown, pattern);
    }
}

static void keep_worst(struct grt_campaign *campaign, uint64_t number, const struct grt_pattern *pattern,
                       const struct grt_seen *seen) {
    for (size_t i = 0; i < seen->task_count; i++) {
        struct grt_campaign_task *task = &campaign->tasks[i];
        task->jobs += seen->tasks[i].jobs;
        task->missed += seen->tasks[i].missed;
        if (seen->tasks[i].response > task->response) {
            task->response = seen->tasks[i].response;
            task->pattern = number;
            memcpy(task->name, pattern->name, sizeof task->name);
        }
    }
    campaign->jobs += seen->jobs;
}

/* ---- what is judged ---- */

/* Whether a task that the claim speaks of missed a deadline. */
static bool covered_miss(const struct grt_claim *claim, const struct grt_seen *seen) {
    for (size_t i = 0; i < seen->task_count; i++) {
        if (claim->covers[i] && seen->tasks[i].missed > 0) {
            return true;
        }
    }
    return false;
}

/* A claim of misses without releases to hold it to cannot be refuted: a miss that nobody has looked for long enough is none. It can be shown. */
static void look_for_miss(struct grt_campaign *campaign, size_t number, uint64_t simulation,
                          const struct grt_pattern *pattern, const struct grt_seen *seen) {
    const struct grt_claim *claim = &campaign->claims.items[number];
    struct grt_campaign_witness *witness = &campaign->witnesses[number];
    if (claim->verdict == GRT_VERDICT_UNSCHEDULABLE && claim->witness == NULL && !witness->missed &&
        covered_miss(claim, seen)) {
        *witness = (struct grt_campaign_witness){
            .tried = true, .missed = true, .end = seen->end, .pattern = simulation};
        memcpy(witness->name, pattern->name, sizeof witness->name);
    }
}

static void judge(struct grt_campaign *campaign, uint64_t number, const struct grt_pattern *pattern,
                  const struct grt_seen *seen) {
    const struct grt_played *played = grt_player_played(campaign->player);
    struct grt_violation violation;
    for (size_t i = 0; i < campaign->claims.count; i++) {
        if (grt_claim_is_broken(&campaign->claims.items[i], seen, played, &violation)) {
            keep_violation(campaign, &violation, number, pattern);
        }
        look_for_miss(campaign, i, number, pattern, seen);
    }
    if (grt_audit_is_broken(seen, campaign->subject->scenario, &violation)) {
        keep_violation(campaign, &violation, number, pattern);
    }
    keep_worst(campaign, number, pattern, seen);
}

/* The releases that an analysis says miss a deadline must have missed one by the instant that it names. Where not all came that long, the simulation
 * ended before, by a miss of which it does not speak, or it names none, nothing is proven. What is kept ends at that instant. */
static void judge_witness(struct grt_campaign *campaign, size_t number, grt_time whole_until,
                          struct grt_pattern *pattern) {
    const struct grt_claim *claim = &campaign->claims.items[number];
    struct grt_campaign_witness *witness = &campaign->witnesses[number];
    bool passed =
        claim->missed_by >= 0 && claim->missed_by <= whole_until && claim->missed_by <= witness->end;
    witness->tried = witness->missed || passed;
    if (passed && !(witness->missed && witness->end <= claim->missed_by)) {
        char by[GRT_TIME_TEXT_SIZE];
        grt_time horizon = pattern->horizon;
        struct grt_violation violation = {.kind = GRT_VIOLATION_WITNESS,
                                          .analysis = claim->analysis,
                                          .gpu = claim->gpu,
                                          .task = claim->failing,
                                          .time = claim->missed_by,
                                          .bound = -1,
                                          .response = -1};
        snprintf(violation.text, sizeof violation.text,
                 "%s says that these releases miss a deadline by %s, and none is missed by then: %s",
                 claim->analysis->name, grt_time_text(claim->missed_by, by), claim->reason);
        pattern->horizon = claim->missed_by > 0 ? claim->missed_by : 1;
        keep_violation(campaign, &violation, GRT_CAMPAIGN_UNNUMBERED, pattern);
        pattern->horizon = horizon;
    }
}

static bool go_on(struct grt_campaign *campaign) {
    const struct grt_campaign_options *options = &campaign->options;
    if (options->go_on != NULL && !options->go_on(options->go_on_state, campaign->done)) {
        campaign->stopped = true;
    }
    return !campaign->stopped && campaign->done < options->patterns;
}

static bool try_witness(struct grt_campaign *campaign, const struct grt_pattern_maker *maker, size_t number,
                        struct grt_pattern *pattern, struct grt_errors *errors) {
    const struct grt_claim *claim = &campaign->claims.items[number];
    struct grt_campaign_witness *witness = &campaign->witnesses[number];
    const struct grt_seen *seen = NULL;
    grt_time whole_until = 0;
    GRT_ASSERT(!witness->missed, "try each witness once");
    for (uint64_t jobs = 1000; jobs <= WITNESS_JOBS && !witness->missed && (seen == NULL || go_on(campaign));
         jobs *= 10) {
        whole_until = grt_maker_witness(maker, claim, jobs, pattern);
        seen = grt_player_play(campaign->player, pattern, !campaign->options.no_audit, errors);
        if (seen == NULL) {
            return false;
        }
        witness->missed = covered_miss(claim, seen);
        witness->end = seen->end;
    }
    judge_witness(campaign, number, whole_until, pattern);
    judge(campaign, GRT_CAMPAIGN_UNNUMBERED, pattern, seen);
    return true;
}

static bool try_witnesses(struct grt_campaign *campaign, const struct grt_pattern_maker *maker,
                          struct grt_pattern *pattern, struct grt_errors *errors) {
    for (size_t i = 0; i < campaign->claims.count; i++) {
        if (campaign->claims.items[i].witness != NULL && !try_witness(campaign, maker, i, pattern, errors)) {
            return false;
        }
    }
    return true;
}

/* ---- the campaign ---- */

/* Patterns show policies tasks that come when they like. What the scenario says, such as that they are periodic, is tried by itself: last,
 * since patterns can be shrunk further, and with at most a quarter as many jobs as were asked for of all patterns, or as of one. */
static bool try_itself(struct grt_campaign *campaign, const struct grt_pattern_maker *maker,
                       struct grt_pattern *pattern, struct grt_errors *errors) {
    grt_maker_itself(maker, campaign->options.jobs * (campaign->done / 4 + 1), pattern);
    const struct grt_seen *seen =
        grt_player_play(campaign->player, pattern, !campaign->options.no_audit, errors);
    if (seen != NULL) {
        judge(campaign, GRT_CAMPAIGN_UNNUMBERED, pattern, seen);
        campaign->itself = (struct grt_campaign_itself){true, seen->jobs, seen->end};
    }
    return seen != NULL;
}

static bool play_all(struct grt_campaign *campaign, struct grt_pattern_maker *maker,
                     struct grt_pattern *pattern, struct grt_errors *errors) {
    if (!try_witnesses(campaign, maker, pattern, errors)) {
        return false;
    }
    for (; go_on(campaign); campaign->done++) {
        grt_maker_next(maker, pattern);
        const struct grt_seen *seen =
            grt_player_play(campaign->player, pattern, !campaign->options.no_audit, errors);
        if (seen == NULL) {
            return false;
        }
        judge(campaign, campaign->done, pattern, seen);
        grt_maker_learn(maker, pattern, seen);
    }
    return campaign->stopped || try_itself(campaign, maker, pattern, errors);
}

bool grt_campaign_run(struct grt_campaign *campaign, const struct grt_subject *subject,
                      const struct grt_campaign_options *options, struct grt_errors *errors) {
    size_t count = subject->scenario->task_count;
    *campaign = (struct grt_campaign){.subject = subject, .options = *options};
    struct grt_campaign_options *own = &campaign->options;
    own->analyses =
        own->analyses != NULL ? own->analyses : grt_analyses_for(subject->policy, &campaign->arena);
    own->jobs = own->jobs > 0 ? own->jobs : USUAL_JOBS;
    campaign->claims = grt_claims_make(
        &(struct grt_analyses_subject){subject->scenario, subject->policy, subject->parameters},
        &(struct grt_analyses_choice){.analyses = own->analyses, .settings = subject->settings},
        &campaign->arena);
    campaign->witnesses =
        grt_arena_array(&campaign->arena, campaign->claims.count, sizeof *campaign->witnesses);
    campaign->tasks = grt_arena_array(&campaign->arena, count, sizeof *campaign->tasks);
    campaign->violations =
        grt_arena_array(&campaign->arena, GRT_CAMPAIGN_VIOLATIONS, sizeof *campaign->violations);
    for (size_t i = 0; i < count; i++) {
        campaign->tasks[i].response = -1;
    }
    campaign->player = grt_player_create(subject);
    struct grt_pattern_maker maker = {.subject = subject};
    struct grt_pattern pattern;
    grt_pattern_start(&pattern, count);
    bool done =
        grt_maker_start(&maker, subject, own->seed, own->jobs, own->patterns, campaign->player, errors) &&
        play_all(campaign, &maker, &pattern, errors);
    campaign->window = maker.window;
    campaign->horizon = maker.horizon;
    campaign->unaudited = own->no_audit ? NULL : grt_player_unaudited(campaign->player);
    campaign->counts = grt_player_counts(campaign->player, &campaign->count_count);
    grt_pattern_free(&pattern);
    grt_maker_free(&maker);
    return done;
}

void grt_campaign_free(struct grt_campaign *campaign) {
    for (size_t i = 0; i < campaign->violation_count; i++) {
        grt_pattern_free(&campaign->violations[i].shown);
    }
    grt_player_free(campaign->player);
    grt_arena_clear(&campaign->arena);
    *campaign = (struct grt_campaign){0};
}

double grt_campaign_closeness(const struct grt_campaign *campaign, const struct grt_claim *claim,
                              uint32_t task) {
    grt_time response = campaign->tasks[task].response, bound = claim->bounds[task];
    return response < 0 || bound == GRT_ANALYSIS_NEVER || bound <= 0 ? -1.0
                                                                     : (double)response / (double)bound;
}
