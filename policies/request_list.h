/* The requests of an instant, for policies that submit all of them when the instant ends: nothing waits in the policy. */
#ifndef GRT_POLICIES_REQUEST_LIST_H
#define GRT_POLICIES_REQUEST_LIST_H

#include "models/policy.h"

/* A job is in it once at most. */
struct request_list {
    grt_job *jobs; /* in the order in which they came; room for one of each task */
    uint32_t count;
};

/* An empty list; its memory is the world's. */
static inline struct request_list request_list_for(struct grt_world *world) {
    size_t room = grt_policy_scenario(world)->task_count;
    return (struct request_list){.jobs = grt_policy_memory(world, room, sizeof(grt_job))};
}

static inline void request_list_add(struct request_list *list, grt_job job) {
    list->jobs[list->count++] = job;
}

/* Takes a job out, if it is there. */
static inline void request_list_remove(struct request_list *list, grt_job job) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->jobs[i] != job) {
            list->jobs[kept++] = list->jobs[i];
        }
    }
    list->count = kept;
}

/* Whether job `a` goes before job `b` by the scenario's tie rule. */
static inline bool request_list_goes_first(const struct grt_world *world, grt_job a, grt_job b) {
    uint64_t tie_a = grt_policy_job(world, a)->tie, tie_b = grt_policy_job(world, b)->tie;
    return tie_a != tie_b ? tie_a < tie_b : a < b;
}

/* By the scenario's tie rule: a stable insertion sort of a few entries. */
static inline void request_list_sort(struct request_list *list, const struct grt_world *world) {
    for (uint32_t i = 1; i < list->count; i++) {
        grt_job job = list->jobs[i];
        uint32_t place = i;
        for (; place > 0 && request_list_goes_first(world, job, list->jobs[place - 1]); place--) {
            list->jobs[place] = list->jobs[place - 1];
        }
        list->jobs[place] = job;
    }
}

#endif
