/* Makes release patterns, one after the other: those that are known to be bad first, then random ones, and changes of the worst ones so
 * far. What it makes depends on its seed and on what was seen of the patterns before, on nothing else.
 *
 * In turn: the scenario's own offsets and gaps, or lists of arrivals; all tasks together (with jitter also: all late by it, later jobs not, so that the second ones
 * come close behind); each task as a victim 1 ns behind the start of a GPU segment of each other task; at and 1 ns behind each thing that
 * the policy shows on rows of its own (slots, activations), others pending or not; deadlines that coincide with the victim's; random
 * releases with random gaps and delays; mutations of the pattern with the longest response of some task. Times are the longest, or
 * for each task the longest, the shortest or drawn: without preemption a shorter time may delay others. */
#ifndef GRT_VERIFY_MAKER_H
#define GRT_VERIFY_MAKER_H

#include "sim/random.h"
#include "verify/claim.h"

/* A pattern to be made on purpose. */
struct grt_plan {
    enum grt_plan_kind {
        GRT_PLAN_OWN,
        GRT_PLAN_TOGETHER,
        GRT_PLAN_TOGETHER_LATE, /* with jitter */
        GRT_PLAN_BEHIND,        /* a GPU segment of `other` that starts at `instant`, alone from 0 on */
        GRT_PLAN_ROW,           /* something on a row of the policy's own at `instant` */
    } kind;
    uint32_t victim, other;
    grt_time instant;
    uint32_t variation;
};

struct grt_pattern_maker {
    const struct grt_subject *subject;
    uint64_t seed;
    grt_time window; /* arrivals come before this */
    grt_time tail;   /* how much longer simulations go on, as a rule: the largest deadline and jitter */
    /* when they end: earlier where tasks whose arrivals are not chosen would have too many jobs */
    grt_time horizon;
    grt_time jitter; /* the largest */
    struct grt_plan *plans;
    uint32_t plan_count, plan_capacity;
    uint32_t done;            /* patterns made so far */
    uint64_t planned;         /* how many of them are by plan */
    struct grt_pattern *best; /* of each task: with the longest response so far; NULL: too many tasks */
    struct grt_seen_instant *starts; /* what began in that pattern: BEST_INSTANTS of each task */
    uint32_t *start_counts;
    grt_time *best_response; /* -1: none */
};

/* `jobs`: about how many a pattern has. `total`: how many patterns are wanted, so that plans leave room for others. Plays the tasks alone
 * and together to learn when their segments and slots begin. False after adding errors: the scenario cannot be run. */
bool grt_maker_start(struct grt_pattern_maker *maker, const struct grt_subject *subject, uint64_t seed,
                     uint32_t jobs, uint64_t total, struct grt_player *player, struct grt_errors *errors);
void grt_maker_free(struct grt_pattern_maker *maker);

/* Makes the next pattern. */
void grt_maker_next(struct grt_pattern_maker *maker, struct grt_pattern *pattern);

/* Says what was seen of it. */
void grt_maker_learn(struct grt_pattern_maker *maker, const struct grt_pattern *pattern,
                     const struct grt_seen *seen);

/* The scenario as it is, with its arrivals and horizon, but at most about so many jobs: what `gpurt run` shows. */
void grt_maker_itself(const struct grt_pattern_maker *maker, uint64_t jobs, struct grt_pattern *pattern);

/* The releases that an analysis says miss a deadline; simulated until the first miss, at most some `jobs` jobs. Returns until when all of them come: behind
 * that instant jobs only end, or miss their deadlines. */
grt_time grt_maker_witness(const struct grt_pattern_maker *maker, const struct grt_claim *claim,
                           uint64_t jobs, struct grt_pattern *pattern);

#endif
