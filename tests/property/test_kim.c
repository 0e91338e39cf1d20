/* labels: soak wrap-malloc */
/* Task sets by the parameters of Kim et al.: each is as Table II says, spread as it says, the same for ever, and made fast enough to be made
 * in sweeps. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/priority.h"
#include "policies/registry.h"
#include "scenarios/generate/kim.h"
#include "sim/hash.h"
#include "tests/support/count_allocations.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_kim_task tasks[GRT_KIM_MOST_TASKS];
static struct grt_kim_set set = {.tasks = tasks};

static struct grt_kim *create(const struct grt_kim_spec *spec) {
    struct grt_errors errors = {0};
    struct grt_kim *kim = grt_kim_create(spec, &errors);
    grt_errors_print(&errors, stderr, "refused: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kim);
    return kim;
}

/* ---- As Table II says ---- */

struct means {
    double tasks, utilisation, gpu_share, gpu_ratio, segments, host_ratio, server_core, period;
    uint64_t cores, sets, gpu_tasks, gpu_segments, all_tasks;
};

static void check_gpu(const struct grt_kim_spec *spec, const struct grt_kim_task *task, struct means *means) {
    double gpu = (double)grt_kim_gpu(task), normal = (double)grt_kim_normal(task), slack = 2e-6;
    CU_ASSERT(gpu / normal > spec->gpu_ratio.low - slack && gpu / normal < spec->gpu_ratio.high + slack);
    CU_ASSERT(task->segments >= spec->segments.low && task->segments <= spec->segments.high);
    means->gpu_ratio += gpu / normal;
    means->segments += (double)task->segments;
    means->gpu_tasks++;
    for (int64_t i = 0; i < task->segments; i++) {
        double host = (double)(task->before[i] + task->after[i]), device = (double)task->device[i];
        CU_ASSERT(task->device[i] >= 1 && task->before[i] >= task->after[i] && task->after[i] >= 0);
        CU_ASSERT(task->before[i] - task->after[i] <= 1);
        if (device > 1e4) { /* else rounding shows */
            CU_ASSERT(host / device > spec->host_ratio.low - 1e-3 &&
                      host / device < spec->host_ratio.high + 1e-3);
            means->host_ratio += host / device;
            means->gpu_segments++;
        }
    }
}

/* The tasks of a core, from `from` on; returns the end. */
static size_t check_core(const struct grt_kim_spec *spec, size_t from, struct means *means) {
    size_t to = from;
    double utilisation = 0;
    for (; to < set.count && set.tasks[to].core == set.tasks[from].core; to++) {
        const struct grt_kim_task *task = &set.tasks[to];
        grt_time work = grt_kim_normal(task) + grt_kim_gpu(task);
        utilisation += task->utilisation;
        CU_ASSERT(fabs((double)work - task->utilisation * (double)task->period) <=
                  8); /* at least 1 ns for each segment */
        CU_ASSERT(task->period >= spec->periods.least && task->period <= spec->periods.most);
        CU_ASSERT_EQUAL(task->period % spec->periods.granularity, 0);
        for (int64_t i = 0; i <= task->segments; i++) {
            CU_ASSERT(task->normal[i] >= 1);
        }
        means->period += (double)task->period;
        if (task->segments > 0) {
            check_gpu(spec, task, means);
        }
    }
    CU_ASSERT((int64_t)(to - from) >= spec->tasks.low && (int64_t)(to - from) <= spec->tasks.high);
    CU_ASSERT(utilisation > spec->utilisation.low - 1e-9 && utilisation < spec->utilisation.high + 1e-9);
    means->utilisation += utilisation;
    means->cores++;
    return to;
}

static void check_set(const struct grt_kim_spec *spec, struct means *means) {
    uint64_t gpu_tasks = means->gpu_tasks, cores = means->cores;
    for (size_t from = 0; from < set.count;) {
        from = check_core(spec, from, means);
    }
    double share = (double)(means->gpu_tasks - gpu_tasks) / (double)set.count, half = 0.5 / (double)set.count;
    CU_ASSERT_EQUAL((int64_t)(means->cores - cores), spec->cores);
    CU_ASSERT(share > spec->gpu_tasks.low - half - 1e-9 && share < spec->gpu_tasks.high + half + 1e-9);
    CU_ASSERT(set.server_core >= 0 && set.server_core < spec->cores);
    means->gpu_share += share;
    means->server_core += (double)set.server_core;
    means->all_tasks += set.count;
    means->sets++;
}

static void is_near(double sum, uint64_t count, double expected, double slack) {
    CU_ASSERT(fabs(sum / (double)count - expected) < slack);
    if (fabs(sum / (double)count - expected) >= slack) {
        printf("\n    mean %g instead of %g\n", sum / (double)count, expected);
    }
}

static void sets_are_as_table_ii_says(void) {
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_kim *kim = create(&spec);
    struct means means = {0};
    int sets = grt_suite_cases(4000, 100000);
    for (int i = 0; i < sets; i++) {
        grt_kim_make(kim, (uint64_t)i, &set);
        check_set(&spec, &means);
    }
    is_near((double)means.all_tasks, means.cores, 4, 0.03);
    is_near(means.utilisation, means.cores, 0.4, 0.003);
    is_near(means.gpu_share, means.sets, 0.2, 0.005);
    is_near(means.gpu_ratio, means.gpu_tasks, 0.2, 0.003);
    is_near(means.segments, means.gpu_tasks, 2, 0.05);
    is_near(means.host_ratio, means.gpu_segments, 0.15, 0.002);
    is_near(means.server_core, means.sets, 1.5, 0.08);
    is_near(means.period / 1e6, means.all_tasks, 300, 3);
    grt_kim_free(kim);
}

/* Extremes: all tasks use the GPU, in many segments, for nearly nothing or nearly all. */
static void extremes_are_possible(void) {
    struct grt_kim_spec spec = grt_kim_spec_default();
    spec.cores = 8;
    spec.tasks = (struct grt_generated_count){1, 10};
    spec.gpu_tasks = (struct grt_generated_range){1, 1};
    spec.segments = (struct grt_generated_count){GRT_KIM_MOST_SEGMENTS, GRT_KIM_MOST_SEGMENTS};
    spec.utilisation = (struct grt_generated_range){1, 1};
    spec.host_ratio = (struct grt_generated_range){0, 9};
    for (int i = 0; i < 2; i++) {
        double ratio = i == 0 ? 0.01 : 100;
        spec.gpu_ratio = (struct grt_generated_range){ratio, ratio * 2};
        struct grt_kim *kim = create(&spec);
        for (uint64_t number = 0; number < 200; number++) {
            grt_kim_make(kim, number, &set);
            for (size_t j = 0; j < set.count; j++) {
                CU_ASSERT_EQUAL(set.tasks[j].segments, GRT_KIM_MOST_SEGMENTS);
                CU_ASSERT(set.tasks[j].normal[0] >= 1 && set.tasks[j].device[0] >= 1);
            }
        }
        grt_kim_free(kim);
    }
}

/* ---- The same for ever ---- */

static uint64_t digest_of_set(uint64_t hash) {
    hash = grt_hash_add(hash, set.count << 32 | (uint64_t)set.server_core);
    for (size_t i = 0; i < set.count; i++) {
        const struct grt_kim_task *task = &set.tasks[i];
        hash = grt_hash_add(hash, (uint64_t)task->period);
        hash = grt_hash_add(hash, (uint64_t)(task->segments << 32 | task->core));
        for (int64_t j = 0; j <= task->segments; j++) {
            hash = grt_hash_add(hash, (uint64_t)task->normal[j]);
        }
        for (int64_t j = 0; j < task->segments; j++) {
            hash = grt_hash_add(hash, (uint64_t)task->device[j]);
            hash = grt_hash_add(hash, (uint64_t)(task->before[j] + task->after[j]));
        }
    }
    return hash;
}

/* If it changes, experiments of the version before can no longer be repeated. */
static void sets_are_those_of_every_version(void) {
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_kim *kim = create(&spec);
    uint64_t digest = 0;
    for (uint64_t number = 0; number < 1000; number++) {
        grt_kim_make(kim, number, &set);
        digest = digest_of_set(digest);
    }
    if (digest != UINT64_C(0x3c421c471387029b)) {
        printf("\n    UINT64_C(0x%016" PRIx64 ")\n", digest);
    }
    CU_ASSERT_EQUAL(digest, UINT64_C(0x3c421c471387029b));
    grt_kim_free(kim);
}

/* Another number of segments leaves periods, utilisations and who uses the GPU alone. */
static void each_property_is_for_itself(void) {
    static struct grt_kim_task other_tasks[GRT_KIM_MOST_TASKS];
    struct grt_kim_set other = {.tasks = other_tasks};
    struct grt_kim_spec spec = grt_kim_spec_default(), more = spec;
    more.host_ratio = (struct grt_generated_range){0.5, 0.9};
    struct grt_kim *kim = create(&spec), *changed = create(&more);
    for (uint64_t number = 0; number < 100; number++) {
        grt_kim_make(kim, number, &set);
        grt_kim_make(changed, number, &other);
        CU_ASSERT_EQUAL_FATAL(set.count, other.count);
        for (size_t i = 0; i < set.count; i++) {
            CU_ASSERT(set.tasks[i].period == other.tasks[i].period &&
                      set.tasks[i].segments == other.tasks[i].segments &&
                      grt_kim_normal(&set.tasks[i]) == grt_kim_normal(&other.tasks[i]) &&
                      grt_kim_gpu(&set.tasks[i]) == grt_kim_gpu(&other.tasks[i]));
        }
    }
    grt_kim_free(kim);
    grt_kim_free(changed);
}

/* ---- As scenarios ---- */

static void scenarios_are_those_sets(void) {
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_kim *kim = create(&spec);
    struct grt_device device = grt_built_exclusive();
    const struct grt_generated_frame frame = {.name = "kim", .seed = 1, .gpu = &device};
    for (uint64_t number = 1; number <= 20; number++) {
        struct grt_arena arena = {0};
        struct grt_built_run run;
        grt_kim_make(kim, number, &set);
        struct grt_scenario scenario = grt_kim_scenario(&frame, &set, &arena);
        CU_ASSERT(scenario.task_count == set.count && scenario.core_count == spec.cores);
        for (size_t i = 0; i < set.count; i++) {
            CU_ASSERT_EQUAL(scenario.tasks[i].segment_count, (size_t)(2 * set.tasks[i].segments + 1));
            for (size_t j = 0; j < set.count; j++) { /* global, rate monotonic, ties by index */
                bool above = scenario.tasks[i].period < scenario.tasks[j].period ||
                             (scenario.tasks[i].period == scenario.tasks[j].period && i < j);
                CU_ASSERT_EQUAL(above, scenario.tasks[i].priority > scenario.tasks[j].priority);
            }
        }
        scenario.horizon = GRT_SECOND;
        grt_built_run_start(&run, &scenario, grt_policy_find("np-fp"), false);
        CU_ASSERT_PTR_NOT_NULL(run.world);
        grt_errors_print(&run.errors, stderr, "refused: ");
        grt_built_run_free(&run);
        grt_arena_clear(&arena);
    }
    grt_kim_free(kim);
}

static void sets_are_made_without_memory(void) {
    struct grt_kim_spec spec = grt_kim_spec_default();
    struct grt_kim *kim = create(&spec);
    long before = allocations;
    for (uint64_t number = 0; number < 100; number++) {
        grt_kim_make(kim, number, &set);
    }
    CU_ASSERT_EQUAL(allocations, before);
    grt_kim_free(kim);
}

/* ---- Refusals ---- */

static void refused(const struct grt_kim_spec *spec, const char *message) {
    struct grt_errors errors = {0};
    CU_ASSERT_PTR_NULL(grt_kim_create(spec, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
}

#define REFUSED(change, message)                                                                             \
    do {                                                                                                     \
        struct grt_kim_spec spec = grt_kim_spec_default();                                                   \
        spec.change;                                                                                         \
        refused(&spec, message);                                                                             \
    } while (0)

static void impossible_sets_are_refused(void) {
    REFUSED(cores = 0, "cpus: must be 1 to 256 (got 0)");
    REFUSED(tasks.low = 0, "tasks-per-core: must be from 1 to 1024, the smaller number first (got 0 to 5)");
    REFUSED(tasks.high = 257, "tasks-per-core: 4 cores can have up to 256 tasks each (got 257)");
    REFUSED(gpu_tasks.high = 1.5, "gpu-tasks: must be from 0 to 1, the lower bound first (got 0.1 to 1.5)");
    REFUSED(utilisation.low = NAN,
            "core-utilisation: must be from 1e-06 to 1, the lower bound first (got nan to 0.5)");
    REFUSED(gpu_ratio.low = 0,
            "gpu-ratio: must be from 1e-06 to 1e+06, the lower bound first (got 0 to 0.3)");
    REFUSED(segments.high = 17, "gpu-segments: must be from 1 to 16, the smaller number first (got 1 to 17)");
    REFUSED(host_ratio.low = 0.3,
            "host-ratio: must be from 0 to 1e+06, the lower bound first (got 0.3 to 0.2)");
    REFUSED(epsilon = -1, "epsilon: must be from 0s to 1000000000s (got -1ns)");
    REFUSED(periods.least = GRT_SECOND, "periods: the shortest, 1s, is longer than the longest, 500ms");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"sets are as Table II says", sets_are_as_table_ii_says},
        {"extremes are possible", extremes_are_possible},
        {"sets are those of every version", sets_are_those_of_every_version},
        {"each property is for itself", each_property_is_for_itself},
        {"scenarios are those sets", scenarios_are_those_sets},
        {"sets are made without memory", sets_are_made_without_memory},
        {"impossible sets are refused", impossible_sets_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kim", tests);
}
