#include "tests/support/lock_sets.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/pick.h"

static double uniform(struct grt_random *random, double from, double to) {
    return from + (to - from) * ((double)grt_random_below(random, UINT64_C(1) << 53) + 0.5) * 0x1p-53;
}

static int ascending(const void *a, const void *b) {
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void add_segment(struct grt_lock_task *task, int64_t length, double misc) {
    int64_t host = (int64_t)((double)length * misc / (1.0 + misc));
    task->segments += length;
    task->longest_segment = length > task->longest_segment ? length : task->longest_segment;
    task->host += host;
    task->longest_host = host > task->longest_host ? host : task->longest_host;
}

/* Turns a part of a task's time into GPU segments. */
static void use_gpu(struct grt_lock_task *task, struct grt_random *random) {
    double ratio = uniform(random, 0.1, 0.3), cuts[4] = {0.0};
    int64_t whole = (int64_t)((double)task->normal * ratio / (1.0 + ratio));
    task->requests = grt_pick(random, 1, 3);
    for (int64_t i = 1; i < task->requests; i++) {
        cuts[i] = uniform(random, 0.0, 1.0);
    }
    cuts[task->requests] = 1.0;
    qsort(cuts, (size_t)task->requests, sizeof *cuts, ascending);
    for (int64_t i = 0; i < task->requests; i++) {
        add_segment(task, (int64_t)((double)whole * (cuts[i + 1] - cuts[i])), uniform(random, 0.1, 0.2));
    }
    task->normal -= task->segments;
}

static void draw_core(struct lock_sets_set *set, const struct lock_sets_rules *rules, int core,
                      struct grt_random *random) {
    int64_t count = grt_pick(random, rules->least_tasks, rules->most_tasks);
    double load = uniform(random, 0.3, 0.5);
    for (int64_t i = 0; i < count; i++) {
        double rest =
            i + 1 < count ? load * pow(uniform(random, 0.0, 1.0), 1.0 / (double)(count - 1 - i)) : 0.0;
        struct grt_lock_task *task = &set->tasks[set->count++];
        *task =
            (struct grt_lock_task){.period = (int64_t)(uniform(random, 100.0, 500.0) * 1e6), .core = core};
        task->deadline = task->period;
        task->priority = -task->period;
        task->normal = (int64_t)((load - rest) * (double)task->period);
        load = rest;
    }
}

void lock_sets_draw(struct lock_sets_set *set, const struct lock_sets_rules *rules,
                    struct grt_random *random) {
    set->count = 0;
    for (int core = 0; core < rules->cores; core++) {
        draw_core(set, rules, core, random);
    }
    int64_t share = grt_pick(random, rules->least_gpu, rules->most_gpu);
    int64_t users = (share * set->count + 50) / 100;
    while (users > 0) {
        struct grt_lock_task *task = &set->tasks[grt_random_below(random, set->count)];
        if (task->requests == 0) {
            use_gpu(task, random);
            users--;
        }
    }
    set->server_core = grt_pick(random, 0, rules->cores - 1);
}
