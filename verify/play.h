/* Simulates release patterns, one after the other, and says what happened: the worst responses, missed deadlines, what the auditor
 * found. No JSON, no files; buffers are used again. */
#ifndef GRT_VERIFY_PLAY_H
#define GRT_VERIFY_PLAY_H

#include "sim/error.h"
#include "verify/audit.h"
#include "verify/pattern.h"

/* What happened to one task. */
struct grt_seen_task {
    uint64_t jobs;   /* that ended, or were alive at the end */
    uint64_t missed; /* deadlines */
    /* the longest from an arrival to the end of the job; of a job alive at the end, so far. -1: no job */
    grt_time response;
    uint32_t job;         /* whose that is, */
    grt_time end;         /* and when it ended, or the run */
    bool ended;           /* whether the job did */
    uint32_t missing_job; /* the first that missed its deadline, where any did */
    grt_time missing_end; /* when it ended, was aborted, or the run ended */
};

/* An instant at which something began that is of interest to patterns. */
struct grt_seen_instant {
    uint32_t task; /* GRT_ANALYSIS_NO_TASK: nobody's */
    /* on a row of the policy's own; else the first kernel, copy or call of a GPU segment began */
    bool is_row;
    grt_time time;
};

enum { GRT_SEEN_INSTANTS = 256 };

struct grt_seen {
    struct grt_seen_task *tasks; /* by number in the subject's scenario */
    size_t task_count;
    grt_time end; /* of the run */
    uint64_t jobs, missed;
    struct grt_seen_instant instants[GRT_SEEN_INSTANTS]; /* the first ones, in the order of their ends */
    size_t instant_count;
    uint64_t finding_count;
    struct grt_audit_finding finding; /* the first, where there is one; its task is the subject's */
};

struct grt_player;

/* `subject` must outlive it. */
struct grt_player *grt_player_create(const struct grt_subject *subject);
void grt_player_free(struct grt_player *player);

/* Simulates; with `audit` the trace is audited. NULL after adding errors: the scenario cannot be run. Valid until the next call. */
const struct grt_seen *grt_player_play(struct grt_player *player, const struct grt_pattern *pattern,
                                       bool audit, struct grt_errors *errors);

/* The scenario of the last call, with the tasks that it left out. */
const struct grt_played *grt_player_played(const struct grt_player *player);

/* Of what the policy promises rules that need numbers could not be checked, which nobody knows of it (grt_promised_unaudited); NULL: of nothing. */
const char *grt_player_unaudited(const struct grt_player *player);

/* What the auditor checked in all calls so far, by rule, in the order in which rules were first heard of. */
const struct grt_audit_count *grt_player_counts(const struct grt_player *player, size_t *count);

#endif
