/* A release pattern: when the jobs of each task arrive, how late each is released, how long the tasks' segments take. Legal of a task
 * with a least gap between arrivals is all that keeps this gap and its jitter; other tasks keep their own arrivals. A pattern is turned
 * into a scenario in memory, which the simulator runs. Times in nanoseconds. */
#ifndef GRT_VERIFY_PATTERN_H
#define GRT_VERIFY_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/policy.h"
#include "models/task.h"
#include "sim/memory.h"

/* How long the segments of a task take: never longer than the worst case that the scenario declares. */
enum grt_pattern_times { GRT_PATTERN_LONGEST, GRT_PATTERN_DRAWN, GRT_PATTERN_SHORTEST, GRT_PATTERN_TIMES };

enum { GRT_PATTERN_NAME_SIZE = 160 };

/* The jobs of one task. */
struct grt_releases {
    grt_time *arrivals; /* ascending, from 0 on */
    grt_time *delays;   /* of each: from 0 to the task's jitter; no job overtakes another */
    uint32_t count, capacity;
    enum grt_pattern_times times;
    bool own;    /* the scenario's own arrivals instead; always so of tasks that have no least gap */
    bool absent; /* the task is left out altogether */
};

struct grt_pattern {
    struct grt_releases *tasks; /* one per task of the scenario */
    size_t task_count;
    grt_time horizon;                 /* when the simulation ends */
    uint64_t seed;                    /* of what is drawn in it */
    bool stop;                        /* the simulation ends at the first missed deadline */
    char name[GRT_PATTERN_NAME_SIZE]; /* how it came to be, as a clause */
};

/* What is varied: a scenario and its policy. */
struct grt_subject {
    const struct grt_scenario *scenario;
    const struct grt_policy_ops *policy;
    const void *parameters;                                 /* of the policy; NULL: none */
    const struct grt_analysis_settings *settings;           /* options of analyses; NULL: the defaults */
    const struct grt_segment **segments[GRT_PATTERN_TIMES]; /* of each task, with such times */
    /* of each task: whether patterns vary its times, as some are drawn, or are not what they declare */
    bool *varied;
    struct grt_arena arena;
};

/* `scenario` and `parameters` must outlive it. */
void grt_subject_start(struct grt_subject *subject, const struct grt_scenario *scenario,
                       const struct grt_policy_ops *policy, const void *parameters);
void grt_subject_free(struct grt_subject *subject);

/* Whether a task's arrivals can be chosen: it has a least gap. */
bool grt_pattern_chooses(const struct grt_task *task);

/* An empty pattern for so many tasks: no jobs. grt_pattern_clear makes it that again, keeping its memory; tasks without a least gap
 * have their own arrivals. */
void grt_pattern_start(struct grt_pattern *pattern, size_t task_count);
void grt_pattern_clear(struct grt_pattern *pattern, const struct grt_scenario *scenario);
void grt_pattern_copy(struct grt_pattern *to, const struct grt_pattern *from);
void grt_pattern_free(struct grt_pattern *pattern);

/* Adds a job behind the task's others. */
void grt_releases_add(struct grt_releases *releases, grt_time arrival, grt_time delay);

/* Adds a job at `first` and one every `period` behind it, before `end`; the first is delayed by `delay`, none of the others. */
void grt_releases_add_periodic(struct grt_releases *releases, grt_time first, grt_time period, grt_time end,
                               grt_time delay);

/* Raises delays so that no job overtakes the one before it: never above the jitter, where the others are not. */
void grt_releases_settle(struct grt_releases *releases);

/* Whether the pattern is one that the tasks of the scenario may show. */
bool grt_pattern_is_legal(const struct grt_pattern *pattern, const struct grt_scenario *scenario);

/* A scenario made of a pattern: its tasks' lists are the pattern's, all else is the subject's. */
struct grt_played {
    struct grt_scenario scenario;
    struct grt_task *tasks;
    uint32_t *numbers; /* of each task in the subject's scenario */
    uint32_t *places;  /* of each task of the subject in `tasks`; UINT32_MAX: absent */
    uint32_t *after;   /* the predecessors of all tasks */
};

void grt_played_start(struct grt_played *played, const struct grt_subject *subject);
void grt_played_set(struct grt_played *played, const struct grt_subject *subject,
                    const struct grt_pattern *pattern);
void grt_played_free(struct grt_played *played);

#endif
