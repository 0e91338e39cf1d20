/* The registry of generators: parameters, numbering of sets, values for policies, refusals. */
#include <stdio.h>
#include <string.h>

#include "models/world.h"
#include "policies/registry.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/generate/independent.h"
#include "scenarios/generate/kim.h"
#include "scenarios/scenario.h"
#include "tests/support/drawn.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static const struct grt_generator_place seven = {.seed = 7, .folder = "."};

static void *maker_of(const char *generator, const char *json, struct grt_arena *arena) {
    struct grt_errors errors = {0};
    void *maker = drawn_maker(generator, json, &seven, arena, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(maker);
    return maker;
}

static void same_tasks(const struct grt_scenario *a, const struct grt_scenario *b) {
    CU_ASSERT_FATAL(a->task_count == b->task_count);
    CU_ASSERT(a->seed == b->seed && a->horizon == b->horizon && a->core_count == b->core_count);
    CU_ASSERT_STRING_EQUAL(a->name, b->name);
    for (size_t i = 0; i < a->task_count; i++) {
        const struct grt_task *x = &a->tasks[i], *y = &b->tasks[i];
        CU_ASSERT_STRING_EQUAL(x->name, y->name);
        CU_ASSERT(x->period == y->period && x->deadline == y->deadline && x->offset == y->offset &&
                  x->jitter == y->jitter && x->priority == y->priority && x->cpu == y->cpu &&
                  x->split_overhead == y->split_overhead && x->segment_count == y->segment_count);
    }
}

/* Set k of a maker is the set k + 1 of gpurt generate. */
static void independent_sets_are_numbered_from_zero(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.seed = 7;
    struct grt_generator *generator = grt_generator_create(&spec, &errors);
    void *maker = maker_of("independent", "{}", &arena);
    for (uint64_t number = 0; number < 50; number++) {
        struct grt_generated_task tasks[10];
        char name[64];
        struct grt_drawn_set set;
        snprintf(name, sizeof name, "seed 7 set %d", (int)number + 1);
        const struct grt_generated_frame frame = {.name = name, .seed = grt_generated_seed(7, number + 1)};
        CU_ASSERT_FATAL(grt_generator_make(generator, number + 1, tasks));
        CU_ASSERT_FATAL(grt_generator_find("independent")->make(maker, number, &arena, &set));
        struct grt_scenario scenario = grt_generated_scenario(&frame, tasks, 10, &arena);
        same_tasks(&set.scenario, &scenario);
        for (size_t i = 0; i < 10; i++) {
            const struct grt_distribution *time =
                &set.scenario.tasks[i].segments[0].commands[0].kernel.block_time;
            CU_ASSERT(time->max == tasks[i].execution && time->min == time->max && time->declared == 0);
        }
        CU_ASSERT(!set.whole && set.policy == NULL && set.scenario.gpu_count == 0 && set.value_count == 0);
    }
    grt_generator_free(generator);
    grt_generator_find("independent")->destroy(maker);
    grt_arena_clear(&arena);
}

static void sets_on_cores_are_numbered_from_zero(void) {
    static struct grt_kim_task kim_tasks[GRT_KIM_MOST_TASKS];
    struct grt_kim_set kim_set = {.tasks = kim_tasks};
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_kim_spec spec = grt_kim_spec_default();
    spec.seed = 7;
    spec.cores = 8;
    spec.gpu_tasks = (struct grt_generated_range){0.6, 0.6};
    struct grt_kim *kim = grt_kim_create(&spec, &errors);
    void *maker = maker_of("cores", "{\"cores\": 8, \"gpu_tasks\": 0.6}", &arena);
    for (uint64_t number = 0; number < 50; number++) {
        char name[64];
        struct grt_drawn_set set;
        snprintf(name, sizeof name, "seed 7 set %d", (int)number + 1);
        const struct grt_generated_frame frame = {.name = name, .seed = grt_generated_seed(7, number + 1)};
        grt_kim_make(kim, number + 1, &kim_set);
        CU_ASSERT_FATAL(grt_generator_find("cores")->make(maker, number, &arena, &set));
        struct grt_scenario scenario = grt_kim_scenario(&frame, &kim_set, &arena);
        same_tasks(&set.scenario, &scenario);
        CU_ASSERT(set.value_count == 2 && set.values[0].value == kim_set.server_core);
        CU_ASSERT(!set.whole && set.policy == NULL && set.scenario.gpu_count == 0);
    }
    grt_kim_free(kim);
    grt_generator_find("cores")->destroy(maker);
    grt_arena_clear(&arena);
}

/* The tables' defaults are those of the specifications. */
static void defaults_are_the_usual_ones(void) {
    struct grt_independent independent;
    struct grt_kim_spec kim, usual_kim = grt_kim_spec_default();
    struct grt_generator_spec usual = grt_generator_spec_default();
    CU_ASSERT(grt_generator_defaults(grt_generator_find("independent"), &independent));
    const struct grt_generator_spec *spec = &independent.spec;
    CU_ASSERT(independent.tasks == (int64_t)usual.task_count && independent.threads == 256 &&
              independent.takes == 1);
    CU_ASSERT(spec->utilisation == usual.utilisation && spec->method == usual.method &&
              spec->least == usual.least && spec->most == usual.most && spec->deadlines == usual.deadlines &&
              spec->deadline_factor.low == 1 && spec->deadline_factor.high == 1 && spec->jitter.high == 0 &&
              spec->overhead == 0 && !spec->random_offsets && spec->blocks.high == 0 &&
              spec->hyperperiod_below == 0);
    CU_ASSERT(memcmp(&spec->periods, &usual.periods, sizeof usual.periods) == 0);
    CU_ASSERT(grt_generator_defaults(grt_generator_find("cores"), &kim));
    kim.seed = usual_kim.seed;
    CU_ASSERT(memcmp(&kim, &usual_kim, sizeof kim) == 0);
}

static void find_knows_the_names(void) {
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        CU_ASSERT_PTR_EQUAL(grt_generator_find(grt_generators[i]->name), grt_generators[i]);
        CU_ASSERT(strlen(grt_generators[i]->summary) > 0 && strlen(grt_generators[i]->source) > 0);
    }
    CU_ASSERT_PTR_NULL(grt_generator_find("dependent"));
}

/* What a generator says that its sets have in common where it may find none, so has a set that it finds. */
static void sets_that_may_not_be_found_are_tasks_alone(void) {
    int may_find_none = 0;
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        struct grt_arena arena = {0};
        struct grt_drawn_set set;
        if (grt_generators[i]->may_find_none) {
            void *maker = maker_of(grt_generators[i]->name, "{}", &arena);
            CU_ASSERT_FATAL(grt_generators[i]->make(maker, 0, &arena, &set));
            CU_ASSERT(!set.whole && set.policy == NULL && set.scenario.core_count == 0 &&
                      set.scenario.gpu_count == 0 && set.scenario.task_count > 0);
            grt_generators[i]->destroy(maker);
            may_find_none++;
        }
        grt_arena_clear(&arena);
    }
    CU_ASSERT_EQUAL(may_find_none, 2); /* independent, applications */
}

/* ---- Applications ---- */

static void applications_are_those_of_the_table(void) {
    struct grt_arena arena = {0};
    const struct grt_generator_ops *ops = grt_generator_find("applications");
    void *maker = maker_of("applications", "{\"count\": 4, \"utilisation\": 1.5}", &arena);
    int lud = 0, sets = 2000;
    for (int number = 0; number < sets; number++) {
        struct grt_drawn_set set;
        CU_ASSERT_FATAL(ops->make(maker, (uint64_t)number, &arena, &set) && set.scenario.task_count == 4);
        double sum = 0;
        for (size_t i = 0; i < 4; i++) {
            const struct grt_task *task = &set.scenario.tasks[i];
            const struct grt_kernel *kernel = &task->segments[0].commands[0].kernel;
            sum += (double)kernel->block_time.max / (double)task->period;
            CU_ASSERT(task->period >= kernel->block_time.max && task->deadline == task->period);
            CU_ASSERT_STRING_EQUAL(kernel->usage->name, kernel->name);
            CU_ASSERT(i == 0 || task->priority < set.scenario.tasks[i - 1].priority);
            lud += strcmp(task->name, "LUD") == 0;
            CU_ASSERT(strcmp(task->name, "LUD") != 0 ||
                      (task->priority == 4 && kernel->block_time.max == 28 * GRT_MILLISECOND));
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, 1.5, 1e-5); /* periods are whole nanoseconds, or cut at 1000000 s */
        CU_ASSERT(set.scenario.horizon >= 60 * GRT_SECOND && set.scenario.horizon <= 300 * GRT_SECOND);
        grt_arena_clear(&arena);
    }
    CU_ASSERT_DOUBLE_EQUAL((double)lud / sets, 0.4, 5 * 0.011); /* five standard deviations */
    ops->destroy(maker);
    grt_arena_clear(&arena);
}

/* As docs/sweeps.md says. */
static void tasks_run_for_ten_longest_periods(void) {
    static const char *const names[] = {"independent", "cores"};
    for (size_t i = 0; i < 2; i++) {
        struct grt_arena arena = {0};
        const struct grt_generator_ops *ops = grt_generator_find(names[i]);
        void *maker = maker_of(names[i], "{}", &arena);
        for (uint64_t number = 0; number < 20; number++) {
            struct grt_drawn_set set;
            grt_time longest = 0;
            CU_ASSERT_FATAL(ops->make(maker, number, &arena, &set));
            for (size_t j = 0; j < set.scenario.task_count; j++) {
                grt_time period = set.scenario.tasks[j].period;
                longest = period > longest ? period : longest;
            }
            CU_ASSERT_EQUAL(set.scenario.horizon, 10 * longest);
        }
        ops->destroy(maker);
        grt_arena_clear(&arena);
    }
}

/* ---- Whole scenarios ---- */

static const char library[] = "{\"file\": \"scenarios/quickstart.json\"";

static void *library_maker(const char *more, struct grt_arena *arena) {
    char json[256];
    snprintf(json, sizeof json, "%s%s}", library, more);
    return maker_of("scenario", json, arena);
}

static void files_are_whole_scenarios(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    const struct grt_generator_ops *ops = grt_generator_find("scenario");
    CU_ASSERT_FATAL(grt_scenario_read("scenarios/quickstart.json", NULL, &file, &errors));
    void *maker = library_maker(", \"seeds\": \"file\"", &arena);
    struct grt_drawn_set first, second, again;
    CU_ASSERT_FATAL(ops->make(maker, 0, &arena, &first) && ops->make(maker, 1, &arena, &second) &&
                    ops->make(maker, 1, &arena, &again));
    same_tasks(&first.scenario, &file.written);
    CU_ASSERT(first.whole && first.policy == file.policy &&
              first.scenario.gpu_count == file.scenario.gpu_count);
    CU_ASSERT(first.scenario.seed == file.scenario.seed && second.scenario.seed != first.scenario.seed &&
              second.scenario.seed == again.scenario.seed);
    struct grt_scenario_draft draft = {.scenario = first.scenario,
                                       .policy = first.policy,
                                       .parameters = first.parameters,
                                       .assignment = first.assignment};
    CU_ASSERT(grt_scenario_complete(&draft, &arena, &errors));
    same_tasks(&draft.scenario, &file.scenario);
    const char *const *names = NULL;
    CU_ASSERT_FATAL(ops->files(maker, &arena, &names) == 1);
    CU_ASSERT_STRING_EQUAL(names[0], "scenarios/quickstart.json");
    ops->destroy(maker);
    maker = library_maker(", \"policy\": \"np-rm\", \"set\": [\"horizon=3s\"]", &arena);
    CU_ASSERT_FATAL(ops->make(maker, 0, &arena, &first));
    CU_ASSERT(first.policy == grt_policy_find("np-rm") && first.scenario.horizon == 3 * GRT_SECOND);
    ops->destroy(maker);
    grt_scenario_file_free(&file);
    grt_arena_clear(&arena);
}

static uint64_t seed_of(const char *json, uint64_t seed, uint64_t number) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_drawn_set set = {0};
    const struct grt_generator_place place = {.seed = seed, .folder = "."};
    void *maker = drawn_maker("scenario", json, &place, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(maker);
    CU_ASSERT_TRUE(grt_generator_find("scenario")->make(maker, number, &arena, &set));
    grt_generator_find("scenario")->destroy(maker);
    grt_arena_clear(&arena);
    return set.scenario.seed;
}

/* Drawn ones depend on the place and the number, those of the file on it and the number. */
static void seeds_of_whole_scenarios(void) {
    static const char drawn[] = "{\"file\": \"scenarios/quickstart.json\"}",
                      of_file[] = "{\"file\": \"scenarios/quickstart.json\", \"seeds\": \"file\"}",
                      other[] = "{\"file\": \"scenarios/quickstart.json\", \"seeds\": \"file\", "
                                "\"set\": [\"seed=77\"]}";
    for (uint64_t number = 0; number < 20; number++) {
        uint64_t seed = seed_of(drawn, 7, number);
        CU_ASSERT_EQUAL(seed_of(drawn, 7, number), seed);
        CU_ASSERT_NOT_EQUAL(seed_of(drawn, 8, number), seed);
        CU_ASSERT_NOT_EQUAL(seed_of(drawn, 7, number + 1), seed);
        CU_ASSERT_EQUAL(seed_of(of_file, 7, number), seed_of(of_file, 8, number));
        CU_ASSERT_NOT_EQUAL(seed_of(of_file, 7, number), seed_of(of_file, 7, number + 1));
        CU_ASSERT_NOT_EQUAL(seed_of(other, 7, number), seed_of(of_file, 7, number));
    }
    CU_ASSERT_EQUAL(seed_of(other, 7, 0), 77);
}

/* ---- Further parameters ---- */

static void hyperperiods_can_be_bounded(void) {
    struct grt_arena arena = {0};
    void *maker = maker_of("independent",
                           "{\"tasks\": 3, \"periods\": \"uniform\", \"min_period\": \"100ms\", "
                           "\"max_period\": \"2s\", \"hyperperiod_below\": \"100s\"}",
                           &arena);
    const struct grt_generator_ops *ops = grt_generator_find("independent");
    grt_time longest = 0;
    for (uint64_t number = 0; number < 200; number++) {
        struct grt_drawn_set set;
        CU_ASSERT_FATAL(ops->make(maker, number, &arena, &set));
        grt_time hyperperiod = grt_scenario_hyperperiod(&set.scenario);
        CU_ASSERT(hyperperiod > 0 && hyperperiod < 100 * GRT_SECOND);
        longest = hyperperiod > longest ? hyperperiod : longest;
    }
    CU_ASSERT(longest > 50 * GRT_SECOND);
    ops->destroy(maker);
    maker = maker_of(
        "independent", /* 999 ms and 1 s: at most 999 s together, but ten draws of the same are rare */
        "{\"tasks\": 10, \"periods\": \"uniform\", \"min_period\": \"999ms\", \"max_period\": "
        "\"1s\", \"hyperperiod_below\": \"1s\"}",
        &arena);
    struct grt_drawn_set set;
    CU_ASSERT(ops->make(maker, 0, &arena, &set));
    CU_ASSERT(grt_scenario_hyperperiod(&set.scenario) == 999 * GRT_MILLISECOND);
    ops->destroy(maker);
    maker = maker_of("independent",
                     "{\"tasks\": 100, \"utilisation\": 1, \"periods\": \"uniform\", \"min_period\": "
                     "\"999ms\", \"max_period\": \"1s\", \"hyperperiod_below\": \"1s\"}",
                     &arena);
    CU_ASSERT_FALSE(ops->make(maker, 0, &arena, &set));
    ops->destroy(maker);
    grt_arena_clear(&arena);
}

static void jobs_can_take_less(void) {
    struct grt_arena arena = {0};
    const struct grt_generator_ops *ops = grt_generator_find("independent");
    void *whole = maker_of("independent", "{}", &arena),
         *part = maker_of("independent", "{\"takes\": 0.86}", &arena);
    for (uint64_t number = 0; number < 20; number++) {
        struct grt_drawn_set set, less;
        ops->make(whole, number, &arena, &set);
        ops->make(part, number, &arena, &less);
        for (size_t i = 0; i < set.scenario.task_count; i++) {
            const struct grt_distribution
                *all = &set.scenario.tasks[i].segments[0].commands[0].kernel.block_time,
                *some = &less.scenario.tasks[i].segments[0].commands[0].kernel.block_time;
            CU_ASSERT(grt_distribution_worst(some) == all->max && some->min == some->max);
            CU_ASSERT_DOUBLE_EQUAL((double)some->max, 0.86 * (double)all->max, 0.5);
        }
    }
    ops->destroy(whole);
    ops->destroy(part);
    grt_arena_clear(&arena);
}

static void blocks_fill_waves_of_the_device(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_device device = grt_built_exclusive();
    struct grt_generator_place place = {.seed = 1, .device = &device, .folder = "."};
    const struct grt_generator_ops *ops = grt_generator_find("independent");
    void *maker =
        drawn_maker("independent", "{\"blocks\": [3, 90], \"threads\": 512}", &place, &arena, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(maker);
    struct grt_drawn_set set;
    CU_ASSERT_FATAL(ops->make(maker, 0, &arena, &set));
    for (size_t i = 0; i < set.scenario.task_count; i++) {
        const struct grt_kernel *kernel = &set.scenario.tasks[i].segments[0].commands[0].kernel;
        CU_ASSERT(!kernel->whole_device && kernel->blocks >= 3 && kernel->blocks <= 90 &&
                  kernel->needs.threads == 512);
    }
    ops->destroy(maker);
    grt_arena_clear(&arena);
}

/* ---- Values for policies ---- */

static int64_t parameter(const struct grt_policy_ops *policy, const void *parameters, const char *name) {
    for (size_t i = 0; i < policy->parameters->field_count; i++) {
        const struct grt_field *field = &policy->parameters->fields[i];
        if (strcmp(field->name, name) == 0) {
            return *(const int64_t *)(const void *)((const char *)parameters + field->offset);
        }
    }
    CU_FAIL_FATAL("no such parameter");
    return 0;
}

static uint64_t bit_of(const struct grt_policy_ops *policy, const char *name) {
    size_t i = 0;
    while (strcmp(policy->parameters->fields[i].name, name) != 0) {
        i++;
    }
    return UINT64_C(1) << i;
}

static void policies_get_the_values_of_sets(void) {
    struct grt_arena arena = {0};
    const struct grt_policy_ops *server = grt_policy_find("gpu-server"), *edf = grt_policy_find("np-edf");
    const struct grt_drawn_set set = {.values = {{"cpu", 3}, {"epsilon", 70}}, .value_count = 2};
    const void *both = grt_set_parameters(&set, server, NULL, 0, &arena);
    CU_ASSERT(parameter(server, both, "cpu") == 3 && parameter(server, both, "epsilon") == 70);
    void *given = grt_arena_array(&arena, 1, server->parameters_size);
    CU_ASSERT(grt_record_defaults(server->parameters, given));
    int64_t epsilon = parameter(server, given, "epsilon"), core = parameter(server, given, "cpu");
    const void *one = grt_set_parameters(&set, server, given, bit_of(server, "epsilon"), &arena);
    CU_ASSERT(parameter(server, one, "cpu") == 3 && parameter(server, one, "epsilon") == epsilon);
    CU_ASSERT(parameter(server, given, "cpu") == core); /* untouched */
    uint64_t all = bit_of(server, "epsilon") | bit_of(server, "cpu");
    CU_ASSERT_PTR_EQUAL(grt_set_parameters(&set, server, given, all, &arena), given);
    CU_ASSERT_PTR_NULL(grt_set_parameters(&set, edf, NULL, 0, &arena));
    grt_arena_clear(&arena);
}

/* ---- Refusals ---- */

static void refused(const char *generator, const char *json, const char *message) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    CU_ASSERT_PTR_NULL(drawn_maker(generator, json, &seven, &arena, &errors));
    const char *said = errors.count > 0 ? errors.messages[0] : "nothing";
    if (errors.count != 1 || strcmp(said, message) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", said, message);
    }
    CU_ASSERT_EQUAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(said, message);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

static void absurd_independent_sets_are_refused(void) {
    const char *name = "independent";
    refused(name, "{\"task\": 3}", "generator.task: unknown field (did you mean \"tasks\"?)");
    refused(name, "{\"tasks\": 0}", "generator.tasks: must be between 1 and 4096 (got 0)");
    refused(name, "{\"tasks\": [2, 3]}", "generator.tasks: must be a whole number (got [2,3])");
    refused(name, "{\"utilisation\": 0}", "generator.utilisation: must be above 0 (got 0)");
    refused(name, "{\"utilisation\": 10.5}",
            "generator.utilisation: 10 tasks cannot have 10.5 together: at most 1 each");
    refused(name, "{\"method\": \"uunisort\", \"max_utilisation\": 0.5}",
            "generator.method: uunisort does not bound the utilisation of a task: take uunifast-discard or "
            "randfixedsum");
    refused(
        name, "{\"min_utilisation\": 0.5, \"max_utilisation\": 0.25}",
        "generator.max_utilisation: a task's utilisation must be 0 or more, the lower bound first (got 0.5 "
        "to 0.25)");
    refused(name, "{\"min_period\": \"2s\"}",
            "generator.periods: the shortest, 2s, is longer than the longest, 1s");
    refused(name, "{\"periods\": \"automotive\", \"max_period\": \"2s\"}",
            "generator.max_period: has no meaning with \"periods\": \"automotive\"");
    refused(name, "{\"hyperperiod\": \"2s\"}",
            "generator.hyperperiod: has no meaning with \"periods\": \"log-uniform\"");
    refused(name, "{\"hyperperiod_below\": \"10ms\"}",
            "generator.hyperperiod_below: must be above the shortest period, 10ms (got 10ms)");
    refused(name, "{\"deadline_factor\": 0.5}",
            "generator.deadline_factor: has no meaning with \"deadlines\": \"implicit\"");
    refused(name, "{\"deadlines\": \"slack\", \"deadline_factor\": [0, 2]}",
            "generator.deadline_factor: must be from 0 to 1, the lower bound first (got 0 to 2)");
    refused(name, "{\"jitter\": [0.2, 0.1]}",
            "generator.jitter: the lower bound comes first (got [0.2,0.1])");
    refused(name, "{\"jitter\": [0.1]}", "generator.jitter: must have between 2 and 2 elements (got 1)");
    refused(name, "{\"jitter\": \"0.1\"}", "generator.jitter: must be a number (got \"0.1\")");
    refused(name, "{\"jitter\": [0, \"x\"]}", "generator.jitter[1]: must be a number (got \"x\")");
    refused(name, "{\"blocks\": [1, 2]}",
            "generator.blocks: needs a platform: the work is whole waves of its first GPU");
    refused(name, "{\"blocks\": 1.5}", "generator.blocks: must be a whole number (got 1.5)");
    refused(name, "{\"threads\": 128}", "generator.threads: has a meaning only with \"blocks\"");
    refused(name, "{\"takes\": 0}", "generator.takes: must be above 0 and at most 1 (got 0)");
    refused(name, "{\"takes\": 1.5}", "generator.takes: must be between 0 and 1 (got 1.5)");
}

static void absurd_sets_on_cores_are_refused(void) {
    const char *name = "cores";
    refused(name, "{\"cores\": 257}", "generator.cores: must be between 1 and 256 (got 257)");
    refused(name, "{\"tasks\": 257}", "generator.tasks: 4 cores can have up to 256 tasks each (got 257)");
    refused(name, "{\"gpu_tasks\": [0.5, 1.5]}",
            "generator.gpu_tasks: must be from 0 to 1, the lower bound first (got 0.5 to 1.5)");
    refused(name, "{\"gpu_segments\": 17}",
            "generator.gpu_segments: must be from 1 to 16, the smaller number first (got 17 to 17)");
    refused(name, "{\"utilisation\": 1.5}",
            "generator.utilisation: must be from 1e-06 to 1, the lower bound first (got 1.5 to 1.5)");
    refused(name, "{\"epsilon\": 50}", "generator.epsilon: must be a duration such as \"250us\" (got 50)");
}

static void absurd_applications_and_files_are_refused(void) {
    refused("applications", "{\"count\": 11}", "generator.count: must be between 1 and 10 (got 11)");
    refused("applications", "{\"utilisation\": 0}", "generator.utilisation: must be above 0 (got 0)");
    refused("applications", "{\"count\": 2, \"utilisation\": 2.5}",
            "generator.utilisation: 2 applications cannot have 2.5 together: at most 1 each");
    refused("applications", "{\"count\": 10, \"utilisation\": 9}",
            "generator.utilisation: nearly all vectors of 10 values with 9 together have one above 1");
    refused("applications", "{\"set\": \"parboil\"}", "generator.set: must be \"rodinia\" (got \"parboil\")");
    refused("scenario", "{}", "generator.file: required");
    refused("scenario", "{\"file\": \"nowhere.json\"}",
            "generator.file: in nowhere.json: cannot be opened: No such file or directory");
    refused("scenario", "{\"file\": \"scenarios/quickstart.json\", \"set\": [\"horizon=0s\"]}",
            "generator.file: in scenarios/quickstart.json: horizon: must be above 0 (got \"0s\")");
    refused("scenario", "{\"file\": \"-\"}", "generator.file: must be the name of a file (got \"-\")");
    refused("scenario", "{\"file\": \"scenarios/quickstart.json\", \"set\": [\"horizon=3s\", \"seed=3\"]}",
            "generator.set[1]: has a meaning only with \"seeds\": \"file\"");
    refused("scenario", "{\"file\": \"scenarios/quickstart.json\", \"set\": \"horizon=3s\"}",
            "generator.set: must be a list (got \"horizon=3s\")");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"independent sets are numbered from zero", independent_sets_are_numbered_from_zero},
        {"sets on cores are numbered from zero", sets_on_cores_are_numbered_from_zero},
        {"defaults are the usual ones", defaults_are_the_usual_ones},
        {"find knows the names", find_knows_the_names},
        {"sets that may not be found are tasks alone", sets_that_may_not_be_found_are_tasks_alone},
        {"hyperperiods can be bounded", hyperperiods_can_be_bounded},
        {"jobs can take less", jobs_can_take_less},
        {"blocks fill waves of the device", blocks_fill_waves_of_the_device},
        {"policies get the values of sets", policies_get_the_values_of_sets},
        {"absurd independent sets are refused", absurd_independent_sets_are_refused},
        {"absurd sets on cores are refused", absurd_sets_on_cores_are_refused},
        {"applications are those of the table", applications_are_those_of_the_table},
        {"tasks run for ten longest periods", tasks_run_for_ten_longest_periods},
        {"files are whole scenarios", files_are_whole_scenarios},
        {"seeds of whole scenarios", seeds_of_whole_scenarios},
        {"absurd applications and files are refused", absurd_applications_and_files_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("registry of generators", tests);
}
