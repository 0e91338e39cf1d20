/* A scenario made of structs, without a text, is completed as the file is that says the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "scenarios/complete.h"
#include "scenarios/scenario.h"
#include "sim/random.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { TASKS = 5, CORES = 2, TEXT = 8192 };

/* Five tasks that compute, use the GPU and compute again. */
struct sketch {
    struct {
        int64_t period, deadline, before, kernel, after; /* us */
    } tasks[TASKS];
    struct grt_task list[TASKS];
    struct grt_segment segments[TASKS][3];
    struct grt_command_spec commands[TASKS];
    char names[TASKS][8];
};

static struct grt_distribution constant(int64_t us) {
    grt_time span = us * GRT_MICROSECOND;
    return (struct grt_distribution){.kind = GRT_CONSTANT, .min = span, .max = span};
}

static void draw(struct sketch *sketch, struct grt_random *random) {
    for (size_t i = 0; i < TASKS; i++) {
        int64_t period = 1000 * grt_pick(random, 2, 6) * grt_pick(random, 1, 4);
        sketch->tasks[i].period = period;
        sketch->tasks[i].deadline = period * grt_pick(random, 5, 10) / 10;
        sketch->tasks[i].before = grt_pick(random, 1, period / 20);
        sketch->tasks[i].kernel = grt_pick(random, 1, period / 20);
        sketch->tasks[i].after = grt_pick(random, 1, period / 20);
    }
}

/* The tasks as structs, without priorities; on core 0 where `cores`, else on one of their own. */
static struct grt_scenario scenario_of(struct sketch *sketch, const struct grt_device *device,
                                       int64_t cores) {
    for (size_t i = 0; i < TASKS; i++) {
        struct grt_segment *segments = sketch->segments[i];
        snprintf(sketch->names[i], sizeof sketch->names[i], "t%zu", i);
        sketch->commands[i] =
            (struct grt_command_spec){.kind = GRT_COMMAND_KERNEL,
                                      .kernel = {.name = "k",
                                                 .whole_device = true,
                                                 .draw_per = GRT_DRAW_PER_KERNEL,
                                                 .block_time = constant(sketch->tasks[i].kernel)}};
        segments[0] =
            (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = constant(sketch->tasks[i].before)};
        segments[1] = (struct grt_segment){
            .kind = GRT_SEGMENT_GPU, .commands = &sketch->commands[i], .command_count = 1};
        segments[2] =
            (struct grt_segment){.kind = GRT_SEGMENT_CPU, .cpu_time = constant(sketch->tasks[i].after)};
        sketch->list[i] = (struct grt_task){.name = sketch->names[i],
                                            .period = sketch->tasks[i].period * GRT_MICROSECOND,
                                            .deadline = sketch->tasks[i].deadline * GRT_MICROSECOND,
                                            .cpu = cores == 1 ? 0 : -1,
                                            .segments = segments,
                                            .segment_count = 3};
    }
    return (struct grt_scenario){.name = "sketch",
                                 .core_count = cores,
                                 .horizon = GRT_SECOND,
                                 .gpus = device,
                                 .gpu_count = 1,
                                 .tasks = sketch->list,
                                 .task_count = TASKS};
}

/* The same as a text, with rules. */
static size_t write_text(char *text, const struct sketch *sketch, const char *head, const char *platform,
                         const char *policy) {
    int used = snprintf(text, TEXT,
                        "{\"gpurt\": 1, \"name\": \"sketch\", %s \"policy\": %s, \"platform\": {%s "
                        "\"gpus\": [{\"device\": \"exclusive\"}]}, \"tasks\": [",
                        head, policy, platform);
    for (size_t i = 0; i < TASKS; i++) {
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "%s{\"name\": \"t%zu\", \"period\": \"%lldus\", \"deadline\": \"%lldus\", "
                         "\"segments\": [{\"cpu\": \"%lldus\"}, {\"gpu\": [{\"kernel\": \"k\", \"time\": "
                         "\"%lldus\"}]}, {\"cpu\": \"%lldus\"}]}",
                         i > 0 ? ", " : "", i, (long long)sketch->tasks[i].period,
                         (long long)sketch->tasks[i].deadline, (long long)sketch->tasks[i].before,
                         (long long)sketch->tasks[i].kernel, (long long)sketch->tasks[i].after);
    }
    used += snprintf(text + used, (size_t)(TEXT - used), "]}");
    CU_ASSERT_FATAL(used < TEXT);
    return (size_t)used;
}

/* One way to leave things to rules, as a file says it and as structs do. */
struct way {
    const char *head, *platform, *policy;
    int64_t cores, horizon_kind;
    struct grt_scenario_assignment assignment;
    const char *analysis; /* of assignment; NULL: the policy's own */
    bool refused;         /* whatever the tasks are */
};

#define SECOND "\"horizon\": \"1s\","

static const struct way ways[] = {
    {.head = SECOND "\"priorities\": \"rate-monotonic\",",
     .platform = "",
     .policy = "{\"name\": \"np-fp\"}",
     .cores = 1,
     .assignment = {.priorities = GRT_PRIORITIES_RATE_MONOTONIC}},
    {.head = SECOND "\"priorities\": \"deadline-monotonic\",",
     .platform = "",
     .policy = "{\"name\": \"np-fp\"}",
     .cores = 1,
     .assignment = {.priorities = GRT_PRIORITIES_DEADLINE_MONOTONIC}},
    {.head = "\"horizon\": \"hyperperiod\", \"priorities\": \"deadline-monotonic\",",
     .platform = "",
     .policy = "{\"name\": \"np-fp\"}",
     .cores = 1,
     .assignment = {.priorities = GRT_PRIORITIES_DEADLINE_MONOTONIC},
     .horizon_kind = GRT_HORIZON_HYPERPERIOD},
    {.head = "\"horizon\": \"auto\", \"priorities\": \"rate-monotonic\",",
     .platform = "",
     .policy = "{\"name\": \"np-fp\"}",
     .cores = 1,
     .assignment = {.priorities = GRT_PRIORITIES_RATE_MONOTONIC},
     .horizon_kind = GRT_HORIZON_AUTO},
    {.head = SECOND "\"priorities\": \"rate-monotonic\",",
     .platform = "\"cpus\": 2, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"mpcp\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_RATE_MONOTONIC, .allocation = GRT_ALLOCATION_WORST_FIT}},
    {.head = SECOND "\"priorities\": \"deadline-monotonic\",",
     .platform = "\"cpus\": 2, \"allocation\": \"first-fit\", \"allocation_counts\": \"cpu-and-gpu\",",
     .policy = "{\"name\": \"mpcp\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_DEADLINE_MONOTONIC,
                    .allocation = GRT_ALLOCATION_FIRST_FIT,
                    .counts = GRT_ALLOCATION_COUNTS_CPU_AND_GPU}},
    {.head = SECOND "\"priorities\": \"audsley\",",
     .platform = "\"cpus\": 2, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"gpu-server\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_AUDSLEY, .allocation = GRT_ALLOCATION_WORST_FIT}},
    {.head = SECOND "\"priorities\": \"audsley\", \"priority_analysis\": \"gpu-server\",",
     .platform = "\"cpus\": 2, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"np-edf\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_AUDSLEY, .allocation = GRT_ALLOCATION_WORST_FIT},
     .analysis = "gpu-server"},
    {.head = SECOND "\"priorities\": \"audsley\", \"priority_analysis\": \"mpcp\",",
     .platform = "\"cpus\": 2, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"mpcp\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_AUDSLEY, .allocation = GRT_ALLOCATION_WORST_FIT},
     .analysis = "mpcp",
     .refused = true},
    {.head = SECOND "\"priorities\": \"audsley\",",
     .platform = "\"cpus\": 2, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"np-edf\"}",
     .cores = CORES,
     .assignment = {.priorities = GRT_PRIORITIES_AUDSLEY, .allocation = GRT_ALLOCATION_WORST_FIT},
     .refused = true},
    {.head = SECOND "\"priorities\": \"rate-monotonic\",",
     .platform = "\"cpus\": 0, \"allocation\": \"worst-fit\",",
     .policy = "{\"name\": \"np-fp\"}",
     .cores = 0,
     .assignment = {.priorities = GRT_PRIORITIES_RATE_MONOTONIC, .allocation = GRT_ALLOCATION_WORST_FIT},
     .refused = true},
};

static void same_errors(const struct grt_errors *a, const struct grt_errors *b) {
    CU_ASSERT_EQUAL_FATAL(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        CU_ASSERT_STRING_EQUAL(a->messages[i], b->messages[i]);
    }
}

static void same_scenarios(const struct grt_scenario_draft *draft, const struct grt_scenario_file *file) {
    CU_ASSERT_EQUAL(draft->scenario.horizon, file->scenario.horizon);
    CU_ASSERT_EQUAL(draft->scenario.horizon_kind, file->scenario.horizon_kind);
    CU_ASSERT_PTR_EQUAL(draft->assignment.analysis, file->assignment.analysis);
    for (size_t i = 0; i < TASKS; i++) {
        CU_ASSERT_EQUAL(draft->scenario.tasks[i].priority, file->scenario.tasks[i].priority);
        CU_ASSERT_EQUAL(draft->scenario.tasks[i].cpu, file->scenario.tasks[i].cpu);
    }
}

/* Whether it could be completed; in both ways or in none. */
static bool try_way(struct sketch *sketch, const struct way *way, const struct grt_device *device) {
    char text[TEXT];
    struct grt_errors of_file = {0}, of_structs = {0};
    struct grt_scenario_file file;
    struct grt_arena arena = {0};
    size_t size =
        write_text(text, sketch, way->head, way->cores == 1 ? "\"cpus\": 1," : way->platform, way->policy);
    bool read = grt_scenario_parse(text, size, NULL, NULL, &file, &of_file);
    struct grt_scenario_draft draft = {.scenario = scenario_of(sketch, device, way->cores),
                                       .assignment = way->assignment};
    char name[32];
    sscanf(way->policy, "{\"name\": \"%31[^\"]", name);
    draft.policy = grt_policy_find(name);
    draft.scenario.horizon_kind = way->horizon_kind;
    draft.assignment.analysis = way->analysis != NULL ? grt_analysis_find(way->analysis) : NULL;
    bool completed = grt_scenario_complete(&draft, &arena, &of_structs);
    CU_ASSERT_EQUAL(read, completed);
    if (read != completed) {
        grt_errors_print(&of_file, stdout, "file: ");
        grt_errors_print(&of_structs, stdout, "structs: ");
    }
    if (read && completed) {
        same_scenarios(&draft, &file);
    } else {
        same_errors(&of_file, &of_structs);
    }
    CU_ASSERT(sketch->list[0].priority == 0 &&
              sketch->list[0].cpu == (way->cores == 1 ? 0 : -1)); /* untouched */
    grt_errors_clear(&of_file);
    grt_errors_clear(&of_structs);
    grt_arena_clear(&arena);
    if (read) {
        grt_scenario_file_free(&file);
    }
    return read;
}

static void structs_become_what_files_do(void) {
    struct grt_random random = grt_random_stream(1, "complete", 0, 0);
    struct grt_device device = grt_built_exclusive();
    struct sketch *sketch = calloc(1, sizeof *sketch);
    int good[sizeof ways / sizeof ways[0]] = {0};
    for (int set = 0; set < 60; set++) {
        draw(sketch, &random);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            good[i] += try_way(sketch, &ways[i], &device);
        }
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        CU_ASSERT(ways[i].refused ? good[i] == 0 : good[i] > 0);
    }
    free(sketch);
}

/* Tasks that have what they need are left where they are, in the caller's memory. */
static void nothing_is_done_without_rules(void) {
    struct grt_random random = grt_random_stream(2, "complete", 0, 0);
    struct grt_device device = grt_built_exclusive();
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct sketch sketch;
    draw(&sketch, &random);
    struct grt_scenario_draft draft = {.scenario = scenario_of(&sketch, &device, 1),
                                       .policy = grt_policy_find("np-fp")};
    sketch.list[3].priority = 9;
    CU_ASSERT(grt_scenario_complete(&draft, &arena, &errors));
    CU_ASSERT_PTR_EQUAL(draft.scenario.tasks, sketch.list);
    CU_ASSERT(sketch.list[3].priority == 9 && draft.scenario.horizon == GRT_SECOND);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"structs become what files do", structs_become_what_files_do},
        {"nothing is done without rules", nothing_is_done_without_rules},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("completing scenarios", tests);
}
