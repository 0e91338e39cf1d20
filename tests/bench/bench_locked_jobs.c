/* Jobs per second on cores that share a GPU: Table I of H. Kim and others, RTCSA 2017, five tasks on two cores, without the host parts that the
 * paper does not give, under the GPU server and as a lock. The reference is the same set where nothing is kept apart. */
#include <stdio.h>

#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/lock_world.h"

enum { UNIT = 50000, HYPERPERIODS = 8000 };

static const struct grt_reference_lock_task table[] = {
    {.normal = 400, .segments = 2, .device = {1900, 940}, .period = 6000, .core = 0, .priority = 70},
    {.normal = 4300, .period = 15000, .core = 0, .priority = 67},
    {.normal = 2040, .period = 6000, .core = 1, .priority = 69},
    {.normal = 3, .segments = 1, .device = {380}, .period = 12000, .core = 1, .priority = 68},
    {.normal = 3, .segments = 1, .device = {760}, .period = 20000, .core = 1, .priority = 66}};

static void make(struct lock_world *it, struct grt_reference_lock *set) {
    set->count = 5;
    set->server_core = 1;
    set->epsilon = UNIT;
    for (int i = 0; i < set->count; i++) {
        struct grt_reference_lock_task *task = &set->tasks[i];
        *task = table[i];
        task->normal *= UNIT;
        task->device[0] *= UNIT;
        task->device[1] *= UNIT;
        task->period *= UNIT;
        task->deadline = task->period;
    }
    lock_world_cut_equally(it, set);
    lock_world_make(it, set);
    for (int i = 0; i < set->count; i++) {
        grt_builder_periodic(&it->builder->tasks[i], set->tasks[i].period, 0);
    }
    it->builder->scenario.horizon = (grt_time)HYPERPERIODS * 60000 * UNIT;
}

static uint64_t simulate(void *state) {
    const struct lock_world *it = state;
    struct grt_errors errors = {0};
    uint64_t jobs = 0;
    struct grt_world *world = grt_world_create(&it->builder->scenario, it->policy, it->parameters,
                                               &(struct grt_world_options){0}, &errors);
    grt_world_run(world);
    for (int i = 0; i < it->set->count; i++) {
        jobs += grt_world_result(world)->tasks[i].finished;
    }
    grt_world_free(world);
    return jobs;
}

static double simulate_as(struct lock_world *it, enum grt_reference_protocol protocol, bool suspends,
                          bool charged) {
    static struct grt_reference_lock set;
    set = (struct grt_reference_lock){.protocol = protocol, .suspends = suspends};
    it->charged = charged;
    make(it, &set);
    return bench_ns_per_unit(simulate, it, 3);
}

void bench_locked_jobs(void) {
    static struct lock_world it;
    double locked = simulate_as(&it, GRT_REFERENCE_MPCP, false, false);
    it.policy = grt_policy_find("fifo");
    it.parameters = NULL;
    double free_for_all = bench_ns_per_unit(simulate, &it, 3);
    const char *reference = "under fifo, per job";
    bench_report("Table I under mpcp, per job", locked, reference, free_for_all, "<= 1000 ns");
    bench_report("the same, suspended", simulate_as(&it, GRT_REFERENCE_MPCP, true, false), reference,
                 free_for_all, "<= 1000 ns");
    bench_report("Table I under fmlp+, per job", simulate_as(&it, GRT_REFERENCE_FMLP, false, false),
                 reference, free_for_all, "<= 1000 ns");
    bench_report("Table I under gpu-server, merged, per job",
                 simulate_as(&it, GRT_REFERENCE_SERVER, false, false), reference, free_for_all, "<= 1000 ns");
    bench_report("Table I under gpu-server, charged, per job",
                 simulate_as(&it, GRT_REFERENCE_SERVER, false, true), reference, free_for_all, "<= 1000 ns");
    lock_world_free(&it);
}
