/* labels: soak */
/* The auditor and the registered policies with locks and servers, in worlds so crowded that everything happens at the same instants: times of a few
 * ns, equal priorities, costs of the cores, budgets and deadlines that abort jobs at any moment, several locks, several servers on a core. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/locks/parameters.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

/* ---- worlds ---- */

static struct grt_distribution some_time(struct grt_random *random, grt_time least, grt_time most) {
    grt_time time = grt_pick(random, least, most);
    if (grt_pick(random, 0, 2) > 0) {
        return (struct grt_distribution){.kind = GRT_CONSTANT, .max = time};
    }
    return (struct grt_distribution){.kind = GRT_UNIFORM, .min = time, .max = time + grt_pick(random, 1, 3)};
}

static void add_gpu(struct grt_builder *builder, struct grt_task *task, struct grt_random *random) {
    grt_builder_gpu_segment(builder, task);
    for (int64_t kernels = grt_pick(random, 1, 4) / 3 + 1; kernels > 0; kernels--) {
        grt_builder_whole(builder, task, 1)->block_time = some_time(random, 1, 8);
    }
    struct grt_segment *segment = (struct grt_segment *)&task->segments[task->segment_count - 1];
    for (int part = 0; part < 2; part++) {
        if (grt_pick(random, 0, 1) == 0) {
            segment->host_part[part] = some_time(random, 0, 4);
        }
    }
    bool has_after = segment->host_part[GRT_HOST_AFTER].max > 0;
    segment->host_mode =
        has_after && grt_pick(random, 0, 3) == 0 ? GRT_HOST_ASYNCHRONOUS : GRT_HOST_SYNCHRONOUS;
}

static void add_task(struct grt_builder *builder, int64_t scale, struct grt_random *random) {
    struct grt_task *task = grt_builder_task(builder, "t");
    int64_t cores = builder->scenario.core_count;
    grt_time offset = grt_pick(random, 0, 20);
    grt_builder_periodic(task, grt_pick(random, scale / 2, scale * 2), offset);
    task->cpu = cores > 0 ? grt_pick(random, 0, cores - 1) : 0;
    task->gpu = grt_pick(random, 0, (int64_t)builder->scenario.gpu_count - 1);
    task->priority = grt_pick(random, 1, 4);
    task->deadline = grt_pick(random, 3, task->period * 3 / 2);
    task->jitter = grt_pick(random, 0, 1) * grt_pick(random, 0, 9);
    task->on_miss = grt_pick(random, 0, 1) == 0 ? GRT_MISS_ABORT : grt_pick(random, 0, GRT_MISS_SKIP_NEXT);
    for (int64_t segments = grt_pick(random, 1, 5); segments > 0; segments--) {
        if (grt_pick(random, 0, 1) == 0) {
            grt_builder_cpu(builder, task, 1)->cpu_time = some_time(random, 1, 6);
        } else {
            add_gpu(builder, task, random);
        }
    }
}

static struct grt_builder *crowded_world(struct grt_random *random, uint64_t number) {
    struct grt_builder *builder = grt_builder_create(1200);
    int64_t scale = grt_pick(random, 1, 4) * 20;
    builder->scenario.seed = number;
    builder->scenario.ties = (int64_t)(number % 3);
    builder->scenario.core_count = grt_pick(random, 0, 3);
    builder->scenario.context_switch = grt_pick(random, 0, 2) / 2 * grt_pick(random, 1, 2);
    builder->scenario.wake_up = grt_pick(random, 0, 2) / 2 * grt_pick(random, 1, 2);
    for (int64_t gpus = grt_pick(random, 1, 2); gpus > 0; gpus--) {
        grt_builder_gpu(builder, grt_built_exclusive());
    }
    for (int64_t tasks = grt_pick(random, 1, 5); tasks > 0; tasks--) {
        add_task(builder, scale, random);
    }
    return builder;
}

/* ---- what the auditor says ---- */

static struct grt_audit_tally tally;

static bool is_accepted(const char *name, uint64_t number) {
    struct grt_random random = grt_random_stream(number, "crowded", 0, 0);
    struct grt_builder *builder = crowded_world(&random, number);
    const struct grt_policy_ops *policy = grt_policy_find(name);
    grt_time budget = grt_pick(&random, 0, 1) * grt_pick(&random, 1, 22);
    struct grt_lock_parameters lock = {
        .waiting = grt_pick(&random, 0, 1), .boost = grt_pick(&random, 0, 1), .budget = budget};
    struct grt_server_parameters server = {.core = grt_pick(&random, -1, builder->scenario.core_count - 1),
                                           .epsilon = grt_pick(&random, 0, 3),
                                           .enqueue_cost = grt_pick(&random, 0, 1),
                                           .budget = budget};
    struct grt_audited_run audited;
    lock.boost *= policy == grt_policy_find("mpcp");
    const void *parameters =
        policy->parameters_size == sizeof server ? (const void *)&server : (const void *)&lock;
    grt_audited_run_start(&audited, &builder->scenario, policy, parameters);
    bool good = audited.run.result != NULL &&
                grt_audit_records(&builder->scenario, &audited.promise, audited.run.kept.records,
                                  audited.run.kept.record_count, &tally, false) == 0;
    if (!good) {
        grt_errors_print(&audited.run.errors, stderr, "    ");
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, name);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return good;
}

static void crowded_worlds_are_accepted(void) {
    static const char *const names[] = {"mpcp", "fmlp+", "gpu-server"};
    int cases = grt_suite_cases(4000, 100000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        bad += !is_accepted(names[i % 3], 7600000 + (uint64_t)i);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void all_of_it_was_checked(void) {
    static const char *const rules[] = {"cpu: switches and wake-ups cost what they should",
                                        "cpu: GPU segments go on only on their task's core",
                                        "jobs: misses are handled when the deadline passes",
                                        "lock: boosted exactly while it holds",
                                        "lock: one holder at a time",
                                        "server: never idle while a request waits",
                                        "server: the server is never delayed",
                                        "server: host parts and epsilon as stated"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        size_t place = grt_audit_tally_find(&tally, rules[i]);
        CU_ASSERT(place < tally.count && tally.checked[place] > 1000);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"crowded worlds are accepted", crowded_worlds_are_accepted},
        {"all of it was checked", all_of_it_was_checked},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor in crowded worlds with locks and servers", tests);
}
