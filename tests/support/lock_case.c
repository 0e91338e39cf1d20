#include "tests/support/lock_case.h"

#include <string.h>

#include "tests/support/pick.h"

static void make_task(struct lock_case *it, struct grt_random *random, int index, int64_t cores,
                      int64_t gpus) {
    struct grt_reference_lock_task *task = &it->reference.tasks[index];
    int64_t period = grt_pick(random, 10, 120);
    *task = (struct grt_reference_lock_task){.normal = grt_pick(random, 0, 1 + period / 8),
                                             .period = period,
                                             .deadline = period,
                                             .priority = 200 - period,
                                             .core = grt_pick(random, 0, cores) - 1,
                                             .gpu = grt_pick(random, 0, gpus - 1),
                                             .asynchronous = grt_pick(random, 0, 1) == 1};
    if (grt_pick(random, 0, 2) == 0) {
        task->deadline = grt_pick(random, period / 2, period + 10);
    }
    if (grt_pick(random, 0, 3) == 0) {
        task->jitter = grt_pick(random, 0, period / 4);
    }
    if (grt_pick(random, 0, 1) == 0) {
        task->priority = grt_pick(random, 0, 10); /* often equal to another one's */
    }
    task->segments = (int)grt_pick(random, 0, 1) * (int)grt_pick(random, 1, 3);
    task->normal += task->normal + task->segments == 0; /* no job is without work */
    for (int u = 0; u < task->segments; u++) {
        task->before[u] = grt_pick(random, 0, 1);
        task->device[u] = grt_pick(random, 1, 1 + period / 16);
        task->after[u] = grt_pick(random, 0, 2);
    }
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static struct grt_lock_task compact(const struct grt_reference_lock_task *from) {
    struct grt_lock_task task = {.normal = from->normal,
                                 .requests = from->segments,
                                 .period = from->period,
                                 .deadline = from->deadline,
                                 .jitter = from->jitter,
                                 .priority = from->priority,
                                 .core = from->core,
                                 .gpu = from->gpu};
    for (int u = 0; u < from->segments; u++) {
        int64_t rest =
            from->asynchronous ? larger(from->device[u], from->after[u]) : from->device[u] + from->after[u];
        task.segments += from->before[u] + rest;
        task.longest_segment = larger(task.longest_segment, from->before[u] + rest);
        task.host += from->before[u] + from->after[u];
        task.longest_host = larger(task.longest_host, from->before[u] + from->after[u]);
    }
    return task;
}

void lock_case_take(struct lock_case *it) {
    for (int i = 0; i < it->reference.count; i++) {
        it->tasks[i] = compact(&it->reference.tasks[i]);
    }
}

void lock_case_draw(struct lock_case *it, struct grt_random *random) {
    memset(it, 0, sizeof *it);
    it->reference.count = (int)grt_pick(random, 1, 7);
    int64_t cores = grt_pick(random, 1, 3), gpus = grt_pick(random, 0, 2) == 0 ? 2 : 1;
    for (int i = 0; i < it->reference.count; i++) {
        make_task(it, random, i, cores, gpus);
    }
    if (grt_pick(random, 0, 2) == 0) {
        it->reference.context_switch = grt_pick(random, 0, 1);
        it->reference.wake_up = grt_pick(random, 0, 1);
    }
    lock_case_take(it);
    it->costs = (struct grt_lock_costs){it->reference.context_switch, it->reference.wake_up};
}

void lock_case_analyse(struct lock_case *it) {
    uint32_t count = (uint32_t)it->reference.count;
    it->result =
        (struct grt_lock_result){.response = it->response, .wait = it->wait, .most_steps = INT64_C(1) << 40};
    switch (it->reference.protocol) {
    case GRT_REFERENCE_MPCP:
        grt_lock_mpcp(it->tasks, count, &it->costs, &it->mpcp, &it->result);
        break;
    case GRT_REFERENCE_FMLP:
        grt_lock_fmlp(it->tasks, count, &it->costs, &it->fmlp, &it->result);
        break;
    default:
        grt_lock_server(it->tasks, count, &it->costs, &it->server, &it->result);
        break;
    }
}
