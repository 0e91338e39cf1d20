#include "models/priority.h"

#include <stdlib.h>
#include <string.h>

#include "models/task/rule_names.h"
#include "sim/memory.h"

const char *const grt_priority_rule_names[] = {"explicit", "rate-monotonic", "deadline-monotonic", "audsley",
                                               NULL};

/* ---- by a key ---- */

struct rank {
    grt_time key;
    size_t index;
};

static int compare(const void *left, const void *right) {
    const struct rank *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Few tasks, as in sweeps of many sets, are counted faster than sorted; without memory, too. */
enum { FEW = 64 };

static void count_ranks(const grt_time *keys, size_t count, int64_t *priorities) {
    for (size_t i = 0; i < count; i++) {
        priorities[i] = (int64_t)count;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            bool first = keys[i] <= keys[j]; /* i is more urgent */
            priorities[i] -= !first;
            priorities[j] -= first;
        }
    }
}

void grt_priorities_by_key(const grt_time *keys, size_t count, int64_t *priorities) {
    if (count <= FEW) {
        count_ranks(keys, count, priorities);
        return;
    }
    struct rank *ranks = grt_allocate(count * sizeof *ranks);
    for (size_t i = 0; i < count; i++) {
        ranks[i] = (struct rank){keys[i], i};
    }
    qsort(ranks, count, sizeof *ranks, compare);
    for (size_t i = 0; i < count; i++) {
        priorities[ranks[i].index] = (int64_t)(count - i);
    }
    free(ranks);
}

grt_time grt_rate_key(const struct grt_task *task) {
    bool has_rate = task->arrival != GRT_ARRIVAL_TIMES && task->arrival != GRT_ARRIVAL_AFTER;
    return has_rate ? task->period : task->deadline;
}

grt_time grt_deadline_key(const struct grt_task *task) {
    return task->deadline;
}

void grt_priorities_set(struct grt_task *tasks, size_t count,
                        grt_time (*key_of)(const struct grt_task *task)) {
    grt_time *keys = grt_allocate(count * sizeof *keys);
    int64_t *priorities = grt_allocate(count * sizeof *priorities);
    for (size_t i = 0; i < count; i++) {
        keys[i] = key_of(&tasks[i]);
    }
    grt_priorities_by_key(keys, count, priorities);
    for (size_t i = 0; i < count; i++) {
        tasks[i].priority = priorities[i];
    }
    free(keys);
    free(priorities);
}

/* ---- Audsley ---- */

/* Levels of the tasks that have none yet, above `level`: the lower index is higher. */
static void put_above(const size_t *left, size_t left_count, size_t level, int64_t *priorities) {
    for (size_t i = 0; i < left_count; i++) {
        priorities[left[i]] = (int64_t)(level + left_count - 1 - i);
    }
}

/* The place in `left` of a task that passes at the level, or `left_count`. All in `left` are at this level or above it on entry to
 * the test. */
static size_t find(const size_t *left, size_t left_count, size_t level, grt_priority_test *passes,
                   void *state, int64_t *priorities, uint64_t *tests) {
    for (size_t i = left_count; i-- > 0;) {
        put_above(left, left_count, level, priorities);
        for (size_t j = i + 1; j < left_count; j++) { /* those behind it move up by one */
            priorities[left[j]]++;
        }
        priorities[left[i]] = (int64_t)level;
        (*tests)++;
        if (passes(state, left[i], priorities)) {
            return i;
        }
    }
    return left_count;
}

bool grt_priorities_audsley(size_t count, grt_priority_test *passes, void *state, int64_t *priorities,
                            struct grt_priority_search *search) {
    size_t *left = grt_allocate(count * sizeof *left), left_count = count, level = 1;
    int64_t *tried = grt_allocate(count * sizeof *tried);
    uint64_t tests = 0;
    for (size_t i = 0; i < count; i++) {
        left[i] = i;
    }
    for (; left_count > 0; level++, left_count--) {
        size_t place = find(left, left_count, level, passes, state, tried, &tests);
        if (place == left_count) {
            break;
        }
        tried[left[place]] = (int64_t)level;
        memmove(&left[place], &left[place + 1], (left_count - 1 - place) * sizeof *left);
    }
    if (left_count == 0) {
        memcpy(priorities, tried, count * sizeof *priorities);
    }
    if (search != NULL) {
        *search = (struct grt_priority_search){.level = left_count > 0 ? level : 0, .tests = tests};
    }
    free(left);
    free(tried);
    return left_count == 0;
}
