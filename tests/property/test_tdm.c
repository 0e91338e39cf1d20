/* labels: soak */
/* The policy tdm in the simulator, against its analysis, with random task sets: what is admitted never misses a deadline and never takes longer than
 * its bound, whatever the releases; with one slot more than is sure, some releases make it miss. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis_set.h"
#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "policies/tdm/tdm.h"
#include "sim/random.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { MOST_TASKS = 5, MOST_JOBS = 40 };

/* ---- task sets ---- */

static int64_t pick(struct grt_random *random, int64_t least, int64_t most) {
    return least + (int64_t)grt_random_below(random, (uint64_t)(most - least + 1));
}

/* One task's work of about `time` ns on a device of two SMs: by its time, by blocks, or with copies around. */
static void add_work(struct grt_random *random, struct grt_builder *builder, struct grt_task *task,
                     int64_t time) {
    switch (pick(random, 0, 3)) {
    case 0:
    case 1:
        grt_builder_whole(builder, task, time);
        break;
    case 2: {
        int64_t block = pick(random, 1, 5), waves = time / block > 0 ? time / block : 1;
        grt_builder_kernel(builder, task, pick(random, 4 * waves - 3, 4 * waves), 1024, block);
        break;
    }
    default:
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, pick(random, 1, 3));
        grt_builder_whole(builder, task, time);
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, pick(random, 1, 3));
    }
}

static struct grt_builder *make_set(struct grt_random *random) {
    struct grt_builder *builder = grt_builder_create(100000);
    int64_t count = pick(random, 1, MOST_TASKS), load = pick(random, 20, 90);
    bool jitter = pick(random, 0, 2) == 0, constrained = pick(random, 0, 2) == 0,
         varied = pick(random, 0, 2) == 0;
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->kernel_launch = pick(random, 0, 3) == 0 ? pick(random, 1, 2) : 0;
    for (int64_t i = 0; i < count; i++) {
        static const char *const names[] = {"a", "b", "c", "d", "e"};
        struct grt_task *task = grt_builder_task(builder, names[i]);
        int64_t period = pick(random, 40, 800);
        int64_t most = 2 * period * load / 100 / count;
        grt_builder_periodic(task, period, 0);
        task->arrival = GRT_ARRIVAL_SPORADIC;
        task->jitter = jitter ? pick(random, 0, period / 4) : 0;
        task->deadline = constrained ? pick(random, period / 2, period) : period;
        task->split_overhead = pick(random, 0, 2);
        if (pick(random, 0, 4) == 0) { /* on a core of its own before and after */
            grt_builder_cpu(builder, task, pick(random, 1, period / 8));
        }
        add_work(random, builder, task, pick(random, 1, most > 1 ? most : 1));
        if (varied) {
            struct grt_command_spec *command =
                (struct grt_command_spec *)(uintptr_t)task->segments[task->segment_count - 1].commands;
            struct grt_distribution *time = &command->kernel.block_time;
            *time = (struct grt_distribution){
                .kind = time->max > 1 ? GRT_UNIFORM : GRT_CONSTANT, .min = 1, .max = time->max};
        }
    }
    return builder;
}

static struct tdm_parameters make_rule(struct grt_random *random) {
    struct tdm_parameters given = {.admit = TDM_ADMIT_FEASIBLE};
    struct tdm_rule *rule = &given.rule;
    rule->method = pick(random, TDM_CUBIC, TDM_FIXED);
    rule->count = pick(random, TDM_COUNT_PAPER, TDM_COUNT_TIGHT);
    rule->slots = pick(random, TDM_SLOTS_PACKED, TDM_SLOTS_TABLE);
    rule->period = rule->method == TDM_FIXED ? pick(random, 5, 120) : 0;
    return given;
}

/* ---- what the analysis says ---- */

struct bounds {
    struct grt_arena arena;
    struct grt_analysis_result result;
    int64_t period;
    int64_t offset[MOST_TASKS], length[MOST_TASKS], slots[MOST_TASKS];
};

static void keep_value(struct bounds *bounds, const struct grt_analysis_value *value) {
    static const char *const names[] = {"server_period", "slot_offset", "slot_length", "slots"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value->name, names[i]) != 0) {
            continue;
        }
        int64_t *places[] = {&bounds->period, &bounds->offset[value->task % MOST_TASKS],
                             &bounds->length[value->task % MOST_TASKS],
                             &bounds->slots[value->task % MOST_TASKS]};
        *places[i] = value->is_time ? value->time : (int64_t)value->number;
    }
}

static bool analyse(struct bounds *bounds, const struct grt_scenario *scenario,
                    const struct tdm_parameters *given) {
    *bounds = (struct bounds){.period = 0};
    struct grt_analysis_set set = grt_analysis_set_of(scenario, 0, given, &bounds->arena);
    bounds->result = grt_analysis_result_for(&set, &bounds->arena);
    grt_analysis_find("tdm")->run(&set, &bounds->result);
    for (size_t i = 0; i < bounds->result.value_count; i++) {
        keep_value(bounds, &bounds->result.values[i]);
    }
    return bounds->result.verdict == GRT_VERDICT_SCHEDULABLE;
}

/* ---- releases ---- */

struct releases {
    grt_time times[MOST_TASKS][MOST_JOBS], delays[MOST_TASKS][MOST_JOBS];
};

enum pattern { TOGETHER, ALONE_AFTER_ITS_TURN, WITH_OTHERS_AFTER_ITS_TURN, BY_CHANCE, PATTERNS };

/* Jobs from `first` on as close as they may come, the first as late as it may be. */
static void fill(const struct grt_task *task, grt_time first, struct grt_random *random, bool by_chance,
                 grt_time times[MOST_JOBS], grt_time delays[MOST_JOBS]) {
    for (int i = 0; i < MOST_JOBS; i++) {
        bool gap = by_chance && pick(random, 0, 3) == 0;
        times[i] = i == 0 ? first : times[i - 1] + task->period + (gap ? pick(random, 0, task->period) : 0);
        delays[i] = by_chance ? pick(random, 0, task->jitter) : i == 0 ? task->jitter : 0;
    }
}

/* Releases all tasks' first jobs in one of the ways that delay `victim` long. */
static void release(struct grt_builder *builder, const struct bounds *bounds, enum pattern pattern,
                    size_t victim, struct grt_random *random, struct releases *releases) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        grt_time cpu = task->segments[0].kind == GRT_SEGMENT_CPU ? task->segments[0].cpu_time.max : 0;
        bool table = pattern == ALONE_AFTER_ITS_TURN;
        /* its request comes 1 ns after the activation, or the slot of a table, that it would have needed */
        grt_time turn = 20 * bounds->period + 1 + (table ? bounds->offset[i] : 0);
        grt_time asks = pattern == TOGETHER || i == victim || pattern == ALONE_AFTER_ITS_TURN
                            ? turn
                            : turn + pick(random, 0, bounds->period);
        grt_time first = pattern == BY_CHANCE ? pick(random, 0, 2 * task->period) : asks - cpu - task->jitter;
        fill(task, first > 0 ? first : 0, random, pattern == BY_CHANCE, releases->times[i],
             releases->delays[i]);
        task->times = releases->times[i];
        task->time_count = MOST_JOBS;
        task->delays = releases->delays[i];
    }
}

/* ---- runs ---- */

struct count {
    int64_t sets, admitted, runs, missed;
    double closest; /* largest response over bound */
};

/* Runs the releases; counts misses, and responses above a bound as such. */
static bool run(const struct grt_builder *builder, const struct bounds *bounds,
                const struct tdm_parameters *given, struct count *count) {
    struct grt_built_run run;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("tdm"), given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result); /* the policy admits what the analysis does */
    int64_t missed = 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        const struct grt_task_result *task = &run.result->tasks[i];
        bool above = task->finished > 0 && task->response.max > bounds->result.response[i];
        double ratio = (double)task->response.max / (double)bounds->result.response[i];
        missed += (int64_t)task->missed + above;
        count->closest = ratio > count->closest ? ratio : count->closest;
    }
    count->runs++;
    count->missed += missed;
    grt_built_run_free(&run);
    return missed == 0;
}

/* A random set under a random rule, whose count of slots may be replaced by the unsound one. */
static bool set_is_right(uint64_t number, bool unsound, struct count *count) {
    struct grt_random random = grt_random_stream(number, "tdm", 0, 0);
    struct grt_builder *builder = make_set(&random);
    struct tdm_parameters given = make_rule(&random);
    struct bounds bounds;
    struct releases releases;
    bool good = true;
    given.rule.count = unsound ? TDM_COUNT_UNSOUND : given.rule.count;
    builder->scenario.seed = number;
    count->sets++;
    if (analyse(&bounds, &builder->scenario, &given)) {
        count->admitted++;
        for (int i = 0; i < PATTERNS; i++) {
            size_t victim = (size_t)pick(&random, 0, (int64_t)builder->scenario.task_count - 1);
            release(builder, &bounds, (enum pattern)i, victim, &random, &releases);
            good &= run(builder, &bounds, &given, count);
        }
    }
    if (!good && !unsound) {
        const struct tdm_rule *rule = &given.rule;
        fprintf(stderr, "set %" PRIu64 ": method %d, count %d, slots %d\n", number, (int)rule->method,
                (int)rule->count, (int)rule->slots);
    }
    grt_arena_clear(&bounds.arena);
    grt_builder_free(builder);
    return good;
}

static void what_is_admitted_never_misses(void) {
    int cases = grt_suite_cases(3000, 300000);
    struct count count = {0};
    for (int i = 0; i < cases && count.missed == 0; i++) {
        set_is_right((uint64_t)i, false, &count);
    }
    CU_ASSERT_EQUAL(count.missed, 0);
    CU_ASSERT(count.admitted > cases / 3);
    CU_ASSERT(count.closest > 0.98 && count.closest <= 1.0);
}

static void one_slot_more_misses(void) {
    int cases = grt_suite_cases(300, 3000);
    struct count count = {0};
    int64_t refuted = 0;
    for (int i = 0; i < cases; i++) {
        refuted += !set_is_right((uint64_t)i, true, &count);
    }
    CU_ASSERT(2 * refuted > count.admitted);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is admitted never misses", what_is_admitted_never_misses},
        {"one slot more misses", one_slot_more_misses},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("time division of random task sets", tests);
}
