/* labels: soak */
/* What docs/tdm.md says of overruns: a task whose blocks take longer than declared makes no other task miss a deadline, as long as the slots and
 * what one of its slots overruns fit into the server's period together. Lengths of slots are calculated here, apart from gpurt. */
#include <stdio.h>

#include "models/world.h"
#include "policies/registry.h"
#include "policies/tdm/tdm.h"
#include "sim/random.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MOST_TASKS = 4, MOST_JOBS = 40 };

static int64_t pick(struct grt_random *random, int64_t least, int64_t most) {
    return least + (int64_t)grt_random_below(random, (uint64_t)(most - least + 1));
}

struct set {
    struct grt_builder *builder;
    int64_t count, period; /* of the server */
    int64_t slots;         /* sum of their lengths */
    int64_t overrun;       /* of a slot of task 0, the one that takes longer than declared */
    grt_time times[MOST_TASKS][MOST_JOBS];
};

/* Arrivals by chance, as close as may be or further apart; often just after a multiple of the server's period. */
static void release(struct set *set, int64_t number, struct grt_random *random) {
    struct grt_task *task = &set->builder->tasks[number];
    grt_time at = pick(random, 0, 3) * set->period + pick(random, 0, 2);
    for (int i = 0; i < MOST_JOBS; i++) {
        set->times[number][i] = at;
        at += task->period + (pick(random, 0, 3) == 0 ? pick(random, 0, task->period) : 0);
    }
    task->times = set->times[number];
    task->time_count = MOST_JOBS;
}

/* Tasks of blocks on a device that executes one at a time. */
static struct set *make_set(struct set *set, uint64_t number) {
    struct grt_random random = grt_random_stream(number, "tdm overrun", 0, 0);
    *set = (struct set){.builder = grt_builder_create(20000),
                        .count = pick(&random, 2, MOST_TASKS),
                        .period = pick(&random, 20, 80)};
    grt_builder_gpu(set->builder, grt_built_exclusive());
    for (int64_t i = 0; i < set->count; i++) {
        static const char *const names[MOST_TASKS] = {"rogue", "b", "c", "d"};
        struct grt_task *task = grt_builder_task(set->builder, names[i]);
        grt_builder_periodic(task, pick(&random, 2 * set->period, 8 * set->period), 0);
        task->arrival = GRT_ARRIVAL_SPORADIC;
        int64_t blocks = pick(&random, 1, 8), time = pick(&random, 1, 8),
                count = task->period / set->period - 1;
        int64_t a_slot = (blocks + count - 1) / count;
        struct grt_distribution *block =
            &grt_builder_kernel(set->builder, task, blocks, 1024, time)->block_time;
        set->slots += a_slot * time;
        if (i == 0) {
            int64_t more = pick(&random, 1, 6);
            block->declared = time;
            block->min = block->max = time + more;
            set->overrun = a_slot * more;
        }
        release(set, i, &random);
    }
    return set;
}

/* What came out for many sets. */
struct count {
    int64_t runs, rogue_missed, others_missed;
};

static void run(const struct set *set, int64_t slots, int64_t count, struct count *found) {
    struct tdm_parameters given = {
        .rule = {.method = TDM_FIXED, .count = count, .slots = slots, .period = set->period}};
    struct grt_built_run run;
    grt_built_run_start_with(&run, &set->builder->scenario, grt_policy_find("tdm"), &given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    found->runs++;
    for (int64_t i = 0; i < set->count; i++) {
        *(i == 0 ? &found->rogue_missed : &found->others_missed) += (int64_t)run.result->tasks[i].missed;
    }
    grt_built_run_free(&run);
}

/* Sets whose slots fit into the period, with an overrun that does, or does not. */
static struct count run_sets(bool fits) {
    struct count found = {0};
    uint64_t number = 0;
    for (int wanted = grt_suite_cases(400, 100000); found.runs < wanted;) {
        struct set set;
        make_set(&set, ++number);
        if (set.slots <= set.period && (set.slots + set.overrun <= set.period) == fits) {
            int64_t before = found.others_missed;
            run(&set, (int64_t)number % 2, TDM_COUNT_SOUND, &found);
            if (fits && found.others_missed > before) {
                fprintf(stderr, "set %llu: others miss deadlines\n", (unsigned long long)number);
            }
        }
        grt_builder_free(set.builder);
    }
    return found;
}

static void others_keep_their_deadlines(void) {
    struct count found = run_sets(true);
    CU_ASSERT_EQUAL(found.others_missed, 0);
    CU_ASSERT(found.rogue_missed > 0);
}

/* The condition is needed. */
static void unless_overruns_exceed_the_period(void) {
    CU_ASSERT(run_sets(false).others_missed > 0);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"others keep their deadlines", others_keep_their_deadlines},
        {"unless overruns exceed the period", unless_overruns_exceed_the_period},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tdm: overruns", tests);
}
