/* Analyses per second of sets of 16 tasks on 4 cores, 60 % of which use the GPU, drawn as in H. Kim and others, RTCSA 2017, Table II: all tasks of a
 * set, as far as the first that fails. The reference is what each needs at least: a division for each pair of tasks. */
#include <stdio.h>

#include "tests/bench/bench.h"
#include "tests/support/lock_sets.h"

enum { SETS = 500, ROUNDS = 20 };

struct locks {
    struct lock_sets_set sets[SETS];
    int which;
    uint64_t accepted;
};

static const struct grt_lock_costs no_costs = {0, 0};

static void analyse_set(const struct lock_sets_set *set, int which, struct grt_lock_result *result) {
    struct grt_server_rules server = {.core = set->server_core, .epsilon = 50000};
    struct grt_mpcp_rules published = {.bound = GRT_LOCK_BY_REQUEST,
                                       .jitter = GRT_LOCK_JITTER_RESPONSE,
                                       .carry = GRT_LOCK_CARRY_ONE_MORE,
                                       .boosted = GRT_LOCK_BOOSTED_EVERY};
    switch (which) {
    case 0:
        grt_lock_mpcp(set->tasks, set->count, &no_costs, &(struct grt_mpcp_rules){0}, result);
        break;
    case 1:
        grt_lock_mpcp(set->tasks, set->count, &no_costs, &published, result);
        break;
    case 2:
        grt_lock_fmlp(set->tasks, set->count, &no_costs, &(struct grt_fmlp_rules){0}, result);
        break;
    case 3:
        grt_lock_server(set->tasks, set->count, &no_costs, &server, result);
        break;
    default:
        server.enqueue = GRT_LOCK_ENQUEUE_CHARGED;
        grt_lock_server(set->tasks, set->count, &no_costs, &server, result);
        break;
    }
}

static uint64_t analyse(void *state) {
    struct locks *self = state;
    int64_t response[LOCK_SETS_TASKS];
    struct grt_lock_result result = {.response = response, .most_steps = INT64_C(1) << 26};
    self->accepted = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SETS; i++) {
            analyse_set(&self->sets[i], self->which, &result);
            self->accepted += result.schedulable;
        }
    }
    return ROUNDS * SETS;
}

/* Sets drawn and analysed, each once, as a sweep does it. */
static uint64_t draw_and_analyse(void *state) {
    static const struct lock_sets_rules table_2 = {
        .cores = 4, .least_tasks = 3, .most_tasks = 5, .least_gpu = 10, .most_gpu = 30};
    struct locks *self = state;
    struct grt_random random = grt_random_stream(2, "locks", 0, 0);
    int64_t response[LOCK_SETS_TASKS];
    struct grt_lock_result result = {.response = response, .most_steps = INT64_C(1) << 26};
    self->accepted = 0;
    for (int i = 0; i < ROUNDS * SETS; i++) {
        lock_sets_draw(&self->sets[0], &table_2, &random);
        analyse_set(&self->sets[0], self->which, &result);
        self->accepted += result.schedulable;
    }
    return ROUNDS * SETS;
}

static uint64_t divide(void *state) {
    struct locks *self = state;
    int64_t sum = 0;
    for (int64_t round = 0; round < ROUNDS * SETS; round++) {
        const struct lock_sets_set *set = &self->sets[round % SETS];
        for (uint32_t i = 0; i < set->count * set->count; i++) {
            sum += (round * 1000000) / set->tasks[i % set->count].period;
        }
    }
    bench_use((uint64_t)sum);
    return ROUNDS * SETS;
}

void bench_locks(void) {
    static const char *const names[] = {"mpcp", "mpcp as published", "fmlp+", "gpu-server",
                                        "gpu-server, repaired"};
    static const struct lock_sets_rules rules = {
        .cores = 4, .least_tasks = 4, .most_tasks = 4, .least_gpu = 60, .most_gpu = 60};
    static struct locks locks;
    struct grt_random random = grt_random_stream(1, "locks", 0, 0);
    for (int i = 0; i < SETS; i++) {
        lock_sets_draw(&locks.sets[i], &rules, &random);
    }
    double reference = bench_ns_per_unit(divide, &locks, 3);
    for (locks.which = 0; locks.which < 5; locks.which++) {
        char title[64];
        double ours = bench_ns_per_unit(analyse, &locks, 3);
        snprintf(title, sizeof title, "%s, 16 tasks, %d %% pass", names[locks.which],
                 (int)(100 * locks.accepted / (ROUNDS * SETS)));
        bench_report(title, ours, "256 divisions", reference, "<= 50000 ns");
    }
    for (locks.which = 0; locks.which < 4; locks.which += 3) {
        double ours = bench_ns_per_unit(draw_and_analyse, &locks, 3);
        bench_report(locks.which == 0 ? "Table II, a set drawn, under mpcp" : "the same under gpu-server",
                     ours, "256 divisions", reference, "<= 50000 ns");
    }
}
