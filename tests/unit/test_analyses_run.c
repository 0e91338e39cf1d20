/* Which analyses are run on which tasks of a scenario, with which options, and what they are told of cores and GPUs. */
#include <stdio.h>
#include <string.h>

#include "policies/analyses/run.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* ---- a scenario ---- */

static struct grt_task *add(struct grt_builder *builder, const char *name, int64_t core, int64_t gpu) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_periodic(task, 100, 0);
    grt_builder_cpu(builder, task, 5);
    if (gpu >= 0) {
        grt_builder_whole(builder, task, 10);
        task->gpu = gpu;
    }
    task->cpu = core;
    return task;
}

/* Three GPUs, of which 1 and 2 are used; a and b share core 0 across GPUs, d computes only, on the core of c; e has one to itself. */
static struct grt_builder *platform(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    for (int i = 0; i < 3; i++) {
        grt_builder_gpu(builder, grt_built_exclusive());
    }
    builder->scenario.core_count = 4;
    add(builder, "a", 0, 1);
    add(builder, "b", 0, 2);
    add(builder, "c", 1, 2);
    add(builder, "d", 1, -1);
    add(builder, "e", 3, -1);
    return builder;
}

static const struct grt_analysis_task *task_of(const struct grt_analysis_set *set, const char *name) {
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->tasks[i].name, name) == 0) {
            return &set->tasks[i];
        }
    }
    return NULL;
}

static void tasks_know_their_core_and_gpu(void) {
    struct grt_builder *builder = platform();
    struct grt_analysis_set set =
        grt_analysis_set_of(&builder->scenario, GRT_ANALYSIS_ALL_GPUS, NULL, &builder->arena);
    static const int64_t cores[] = {0, 0, 1, 1, 3}, gpus[] = {1, 2, 2, -1, -1};
    CU_ASSERT_EQUAL_FATAL(set.count, 5);
    CU_ASSERT_EQUAL(set.platform.core_count, 4);
    CU_ASSERT_EQUAL(set.platform.gpu_count, 3);
    CU_ASSERT_EQUAL(set.gpu, GRT_ANALYSIS_ALL_GPUS);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(set.tasks[i].core, cores[i]);
        CU_ASSERT_EQUAL(set.tasks[i].gpu, gpus[i]);
        CU_ASSERT_EQUAL(set.tasks[i].shares_core, i < 4);
        CU_ASSERT_FALSE(set.tasks[i].shares_core_outside);
    }
    CU_ASSERT_EQUAL(set.tasks[0].segments[1].device_longest, set.tasks[0].segments[1].longest);
    CU_ASSERT_EQUAL(set.tasks[0].segments[0].device_longest, 0);
    grt_builder_free(builder);
}

static void host_parts_and_costs_are_told(void) {
    struct grt_builder *builder = platform();
    struct grt_segment *gpu_segment = &builder->segments[0][1];
    gpu_segment->host_part[GRT_HOST_BEFORE] =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 3};
    gpu_segment->host_part[GRT_HOST_AFTER].max = 14;
    builder->scenario.context_switch = 5;
    builder->scenario.wake_up = 6;
    struct grt_analysis_set set = grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena);
    const struct grt_analysis_segment *told = &set.tasks[0].segments[1];
    CU_ASSERT_EQUAL(set.platform.context_switch, 5);
    CU_ASSERT_EQUAL(set.platform.wake_up, 6);
    CU_ASSERT_EQUAL(told->host_before, 3);
    CU_ASSERT_EQUAL(told->host_after, 14);
    CU_ASSERT_EQUAL(told->device_longest, 10);
    CU_ASSERT_EQUAL(told->longest, 27);
    gpu_segment->host_mode = GRT_HOST_ASYNCHRONOUS;
    set = grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena);
    CU_ASSERT_EQUAL(set.tasks[0].segments[1].longest, 17);
    grt_builder_free(builder);
}

/* Tasks that use none are with the first GPU that any uses. */
static void sets_of_gpus_know_who_is_outside(void) {
    struct grt_builder *builder = platform();
    struct grt_analysis_set first = grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena);
    struct grt_analysis_set second = grt_analysis_set_of(&builder->scenario, 2, NULL, &builder->arena);
    CU_ASSERT_EQUAL(grt_analysis_set_of(&builder->scenario, 0, NULL, &builder->arena).count, 0);
    CU_ASSERT_EQUAL_FATAL(first.count, 3);
    CU_ASSERT_EQUAL_FATAL(second.count, 2);
    CU_ASSERT_TRUE(task_of(&first, "a")->shares_core_outside);
    CU_ASSERT_TRUE(task_of(&second, "b")->shares_core_outside);
    CU_ASSERT_TRUE(task_of(&second, "c")->shares_core_outside);
    CU_ASSERT_TRUE(task_of(&first, "d")->shares_core_outside);
    CU_ASSERT_FALSE(task_of(&first, "e")->shares_core);
    builder->tasks[2].gpu = 1; /* c comes to d */
    first = grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena);
    CU_ASSERT_TRUE(task_of(&first, "c")->shares_core);
    CU_ASSERT_FALSE(task_of(&first, "c")->shares_core_outside);
    CU_ASSERT_FALSE(task_of(&first, "d")->shares_core_outside);
    builder->scenario.core_count = 0;
    first = grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena);
    CU_ASSERT_EQUAL(task_of(&first, "c")->core, -1);
    CU_ASSERT_FALSE(task_of(&first, "c")->shares_core);
    grt_builder_free(builder);
}

/* A scenario whose tasks only compute has one set, of GPU 0. */
static void tasks_that_only_compute_have_a_set(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive());
    grt_builder_gpu(builder, grt_built_exclusive());
    add(builder, "a", -1, -1);
    add(builder, "b", -1, -1);
    CU_ASSERT_EQUAL(grt_analysis_set_of(&builder->scenario, 0, NULL, &builder->arena).count, 2);
    CU_ASSERT_EQUAL(grt_analysis_set_of(&builder->scenario, 1, NULL, &builder->arena).count, 0);
    grt_builder_free(builder);
}

static const char *interference_of(size_t drawing, uint32_t gpu) {
    struct grt_builder *builder = platform();
    builder->gpus[2].integrated = true;
    builder->gpus[2].bandwidth_sharing = GRT_BANDWIDTH_SHARING_PROPORTIONAL;
    builder->gpus[2].memory_bytes_per_second = GRT_SECOND;
    if (drawing < 5) {
        builder->segments[drawing][0].cpu_bandwidth = 1;
    }
    const char *clause = grt_analysis_set_of(&builder->scenario, gpu, NULL, &builder->arena).interference;
    grt_builder_free(builder);
    return clause;
}

/* What makes segments of one GPU longer is said of the whole, too. */
static void interference_on_any_gpu_is_told(void) {
    CU_ASSERT_PTR_NULL(interference_of(9, GRT_ANALYSIS_ALL_GPUS));
    CU_ASSERT_PTR_NOT_NULL(interference_of(1, GRT_ANALYSIS_ALL_GPUS));
    CU_ASSERT_PTR_NULL(interference_of(1, 1));
    CU_ASSERT_PTR_NOT_NULL(interference_of(3, 1)); /* d is in the set of GPU 1 */
}

/* ---- analyses that write down what they see ---- */

struct own_options {
    int64_t form, most, wait;
    bool strict;
};

static const char *const forms[] = {"short", "long", NULL};

static const struct grt_field option_fields[] = {
    {.name = "form",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct own_options, form),
     .fallback = "\"long\"",
     .choices = forms,
     .help = "Which."},
    {.name = "most",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct own_options, most),
     .fallback = "7",
     .min = 1,
     .max = 9,
     .help = "How many."},
    {.name = "wait",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct own_options, wait),
     .fallback = "\"3us\"",
     .max = 5000000,
     .help = "How long."},
    {.name = "strict",
     .type = GRT_FIELD_BOOLEAN,
     .offset = offsetof(struct own_options, strict),
     .fallback = "false",
     .help = "Whether."},
};

static const struct grt_record option_record = {.name = "options",
                                                .size = sizeof(struct own_options),
                                                .fields = option_fields,
                                                .field_count = GRT_FIELD_COUNT(option_fields)};

static struct {
    char text[1024];
    struct own_options options;
} seen;

static void note(const char *name, const struct grt_analysis_set *set) {
    size_t used = strlen(seen.text);
    used += (size_t)snprintf(seen.text + used, sizeof seen.text - used, "%s(", name);
    for (size_t i = 0; i < set->count; i++) {
        used += (size_t)snprintf(seen.text + used, sizeof seen.text - used, "%s", set->tasks[i].name);
    }
    snprintf(seen.text + used, sizeof seen.text - used, set->parameters != NULL ? "+)" : ")");
}

static void run_per_gpu(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    note("g", set);
    result->verdict = GRT_VERDICT_SCHEDULABLE;
}

static void run_whole(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    note("w", set);
    memcpy(&seen.options, set->options, sizeof seen.options);
    result->verdict = GRT_VERDICT_SCHEDULABLE;
}

static const char *const mine[] = {"mine", NULL}, *const no_policy[] = {NULL};

static const struct grt_analysis_ops per_gpu = {
    .name = "per-gpu", .policies = mine, .covers = UINT32_MAX, .run = run_per_gpu};
static const struct grt_analysis_ops whole = {.name = "whole",
                                              .policies = mine,
                                              .scope = GRT_SCOPE_PLATFORM,
                                              .covers = UINT32_MAX,
                                              .options = &option_record,
                                              .run = run_whole};
static const struct grt_analysis_ops other = {
    .name = "other", .policies = no_policy, .covers = UINT32_MAX, .run = run_per_gpu};
static const struct grt_analysis_ops inside = {.name = "inside",
                                               .policies = mine,
                                               .covers = UINT32_MAX & ~(uint32_t)GRT_COVERS_OUTSIDE_CORES,
                                               .run = run_per_gpu};
static const struct grt_analysis_ops one_gpu = {.name = "one-gpu",
                                                .policies = mine,
                                                .scope = GRT_SCOPE_PLATFORM,
                                                .covers = UINT32_MAX & ~(uint32_t)GRT_COVERS_SEVERAL_GPUS,
                                                .run = run_per_gpu};

static void tell_begin(void *context, const struct grt_analysis_set *set, size_t count) {
    char *told = context;
    sprintf(told + strlen(told), "[%d:%zu", (int)set->gpu, count);
}

static void tell_found(void *context, const struct grt_analysis_ops *ops, const struct grt_analysis_set *set,
                       const struct grt_analysis_result *result) {
    char *told = context;
    sprintf(told + strlen(told), " %s@%d%s%s", ops->name, (int)set->gpu,
            result->verdict == GRT_VERDICT_INAPPLICABLE ? "!" : "", result->reason);
}

static const struct grt_policy_ops my_policy = {.name = "mine"}, your_policy = {.name = "yours"};

static const char *told(const struct grt_analysis_ops *const *analyses, bool whatever,
                        const struct grt_analysis_settings *settings) {
    static char text[1024];
    struct grt_builder *builder = platform();
    const struct grt_analyses_subject subject = {&builder->scenario, &my_policy, text};
    const struct grt_analyses_choice choice = {analyses, whatever, settings};
    const struct grt_analyses_visitor visitor = {text, tell_begin, tell_found};
    text[0] = seen.text[0] = '\0';
    grt_analyses_run(&subject, &choice, &visitor, &builder->arena);
    grt_builder_free(builder);
    return text;
}

static const struct grt_analysis_ops *const three[] = {&whole, &per_gpu, &other, NULL};

static void gpus_come_first_then_the_platform(void) {
    CU_ASSERT_STRING_EQUAL(told(three, false, NULL), "[1:1 per-gpu@1[2:1 per-gpu@2[-1:1 whole@-1");
    CU_ASSERT_STRING_EQUAL(seen.text, "g(ade+)g(bc+)w(abcde+)");
}

/* The parameters are the policy's own. */
static void analyses_of_other_policies_get_no_parameters(void) {
    CU_ASSERT_STRING_EQUAL(told(three, true, NULL),
                           "[1:2 per-gpu@1 other@1[2:2 per-gpu@2 other@2[-1:1 whole@-1");
    CU_ASSERT_STRING_EQUAL(seen.text, "g(ade+)g(ade)g(bc+)g(bc)w(abcde+)");
}

static void sets_without_analyses_are_not_made(void) {
    static const struct grt_analysis_ops *const only[] = {&whole, NULL}, *const nothing[] = {&other, NULL};
    CU_ASSERT_STRING_EQUAL(told(only, false, NULL), "[-1:1 whole@-1");
    CU_ASSERT_STRING_EQUAL(told(nothing, false, NULL), "[1:0[2:0");
}

static void shared_cores_and_gpus_are_refused(void) {
    static const struct grt_analysis_ops *const both[] = {&inside, &one_gpu, NULL};
    CU_ASSERT_STRING_EQUAL(told(both, false, NULL),
                           "[1:1 inside@1!task a shares its core with tasks of another GPU"
                           "[2:1 inside@2!task b shares its core with tasks of another GPU"
                           "[-1:1 one-gpu@-1!the tasks use several GPUs");
    CU_ASSERT_STRING_EQUAL(seen.text, "");
}

/* ---- options ---- */

static void options_have_defaults(void) {
    told(three, false, NULL);
    CU_ASSERT_EQUAL(seen.options.form, 1);
    CU_ASSERT_EQUAL(seen.options.most, 7);
    CU_ASSERT_EQUAL(seen.options.wait, 3000);
    CU_ASSERT_FALSE(seen.options.strict);
}

static void options_are_set_by_name(void) {
    struct grt_analysis_settings settings = {0};
    struct grt_errors errors = {0};
    static const char *const texts[] = {"whole.form=short", "whole.most=9", "whole.wait=2ms",
                                        "whole.strict=true"};
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_TRUE(grt_analysis_settings_set(&settings, three, texts[i], &errors));
    }
    CU_ASSERT_EQUAL(settings.count, 1);
    told(three, false, &settings);
    CU_ASSERT_EQUAL(seen.options.form, 0);
    CU_ASSERT_EQUAL(seen.options.most, 9);
    CU_ASSERT_EQUAL(seen.options.wait, 2000000);
    CU_ASSERT_TRUE(seen.options.strict);
    for (size_t i = 0; i < 4; i++) {
        char text[GRT_ANALYSIS_OPTION_TEXT_SIZE];
        const char *value = grt_analysis_option_text(&option_fields[i], &seen.options, text);
        CU_ASSERT_STRING_EQUAL(value, strchr(texts[i], '=') + 1);
    }
    grt_errors_clear(&errors);
}

static void wrong_options_are_refused(void) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"whole", "expected ANALYSIS.OPTION=VALUE (got \"whole\")"},
        {"whole=1.2", "expected ANALYSIS.OPTION=VALUE (got \"whole=1.2\")"},
        {"hole.form=short", "unknown analysis \"hole\"; `gpurt analyze --list` lists them"},
        {"other.form=short", "analysis \"other\" has no options"},
        {"whole.shape=short", "whole.shape: unknown option; `gpurt analyze --list` lists them"},
        {"whole.form=tall", "whole.form: unknown word (got \"tall\"); allowed: short, long"},
        {"whole.most=10", "whole.most: out of range (got \"10\"); from 1 to 9"},
        {"whole.most=2x", "whole.most: expected a whole number (got \"2x\"); from 1 to 9"},
        {"whole.most=99999999999999999999",
         "whole.most: expected a whole number (got \"99999999999999999999\"); from 1 to 9"},
        {"whole.wait=6ms", "whole.wait: out of range (got \"6ms\"); from 0ns to 5ms"},
        {"whole.wait=3", "whole.wait: must end in a unit of time (ns, us, ms, s, min, h) (got \"3\"); from "
                         "0ns to 5ms"},
        {"whole.strict=yes", "whole.strict: expected true or false (got \"yes\")"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct grt_analysis_settings settings = {0};
        struct grt_errors errors = {0};
        CU_ASSERT_FALSE(grt_analysis_settings_set(&settings, three, wrong[i].text, &errors));
        CU_ASSERT_EQUAL_FATAL(errors.count, 1);
        CU_ASSERT_STRING_EQUAL(errors.messages[0], wrong[i].message);
        grt_errors_clear(&errors);
    }
}

/* `whole` has options and is of the policy, `other` is not. */
static void settings_of_what_does_not_run_are_refused(void) {
    static const struct grt_analysis_ops *const only[] = {&per_gpu, &other, NULL};
    static const struct grt_path root = {0}, path = {.parent = &root, .key = "option"};
    struct grt_analysis_settings settings = {0};
    struct grt_errors errors = {0};
    const struct grt_analyses_subject subject = {.policy = &my_policy};
    struct grt_analyses_choice choice = {.analyses = three, .settings = &settings};
    CU_ASSERT_TRUE(grt_analyses_choice_check(&subject, &choice, &errors, &path));
    CU_ASSERT_TRUE(grt_analysis_settings_set(&settings, three, "whole.most=9", &errors));
    CU_ASSERT_TRUE(grt_analyses_choice_check(&subject, &choice, &errors, &path));
    choice.analyses = only;
    CU_ASSERT_FALSE(grt_analyses_choice_check(&subject, &choice, &errors, &path));
    choice.analyses = three;
    const struct grt_analyses_subject yours = {.policy = &your_policy};
    CU_ASSERT_FALSE(grt_analyses_choice_check(&yours, &choice, &errors, &path));
    settings.items[0].analysis = &other;
    CU_ASSERT_FALSE(grt_analyses_choice_check(&subject, &choice, &errors, &path));
    static const char *const messages[] = {
        "option: whole is not run here (policy mine); no analysis that is has options",
        "option: whole is not run here (policy yours); no analysis that is has options",
        ("option: other is not run here (policy mine); the analyses that are have whole.form, whole.most, "
         "whole.wait, whole.strict")};
    CU_ASSERT_EQUAL_FATAL(errors.count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(errors.messages[i], messages[i]);
    }
    choice.whatever_policy = true;
    CU_ASSERT_TRUE(grt_analyses_choice_check(&yours, &choice, &errors, &path));
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"tasks know their core and GPU", tasks_know_their_core_and_gpu},
        {"host parts and costs are told", host_parts_and_costs_are_told},
        {"sets of GPUs know who is outside", sets_of_gpus_know_who_is_outside},
        {"tasks that only compute have a set", tasks_that_only_compute_have_a_set},
        {"interference on any GPU is told", interference_on_any_gpu_is_told},
        {"GPUs come first, then the platform", gpus_come_first_then_the_platform},
        {"analyses of other policies get no parameters", analyses_of_other_policies_get_no_parameters},
        {"sets without analyses are not made", sets_without_analyses_are_not_made},
        {"shared cores and GPUs are refused", shared_cores_and_gpus_are_refused},
        {"options have defaults", options_have_defaults},
        {"options are set by name", options_are_set_by_name},
        {"wrong options are refused", wrong_options_are_refused},
        {"settings of what does not run are refused", settings_of_what_does_not_run_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("running analyses", tests);
}
