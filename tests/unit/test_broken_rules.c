/* What policies and analyses must not say or do, whoever wrote them: each ends the program with a sentence that says who ran. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "models/analysis.h"
#include "models/world/policy_running.h"
#include "sim/crash.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { SAID_SIZE = 1024 };

/* Calls a function in a child process, which has to end by that signal, and keeps what it wrote to standard error. */
static void ends_by(int signal_number, void (*function)(void), char said[SAID_SIZE]) {
    CU_ASSERT(grt_child_ended_by(grt_child_call(function, said, SAID_SIZE), signal_number));
}

/* Expects of a function that it aborts with "gpurt: bug: broken rule: <sentence> (...), under <who>". */
static void aborts(void (*function)(void), const char *sentence, const char *who) {
    char said[SAID_SIZE], begin[512], end[512];
    ends_by(SIGABRT, function, said);
    snprintf(begin, sizeof begin, "gpurt: bug: broken rule: %s (", sentence);
    snprintf(end, sizeof end, "), under %s\n", who);
    bool good = strncmp(said, begin, strlen(begin)) == 0 && strstr(said, end) != NULL;
    if (!good) {
        printf("\n    said: %s    not: %s...%s", said, begin, end);
    }
    CU_ASSERT(good);
}

/* ---- results of analyses ---- */

static struct grt_analysis_result wrong;

static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    int64_t *response = result->response;
    (void)set;
    *result = wrong;
    result->response = result->first_release = response;
    response[1] = wrong.steps;
}

static void run_analysis(void) {
    static const char *const values[] = {"load", NULL};
    const struct grt_analysis_ops proof = {
        .name = "proof", .bounds = true, .covers = UINT32_MAX, .values = values, .run = analyse};
    const struct grt_analysis_task tasks[2] = {{.name = "a"}, {.name = "b"}};
    const struct grt_analysis_set set = {.tasks = tasks, .count = 2};
    int64_t response[2] = {0};
    struct grt_analysis_result result = {.response = response, .first_release = response};
    grt_analysis_run(&proof, &set, &result);
}

static void make_result(void) {
    static struct grt_analysis_value value = {.name = "load", .task = 1};
    value.name = "load";
    value.task = 1;
    wrong = (struct grt_analysis_result){.verdict = GRT_VERDICT_SCHEDULABLE,
                                         .failing = GRT_ANALYSIS_NO_TASK,
                                         .values = &value,
                                         .value_count = 1,
                                         .value_capacity = 1};
}

/* Expects that the result as it was changed is refused, then makes it anew. */
static void refused(const char *sentence) {
    aborts(run_analysis, sentence, "analysis proof");
    make_result();
}

static void results_of_analyses(void) {
    make_result();
    run_analysis(); /* is sound */
    wrong.verdict = (enum grt_verdict)77;
    refused("an analysis says one of the verdicts");
    wrong.failing = 2;
    refused("an analysis says of a task of the set that it fails, or of none (GRT_ANALYSIS_NO_TASK)");
    wrong.values->task = 2;
    refused("an analysis adds values, with a name, of a task of the set or of none");
    wrong.values->name = NULL;
    refused("an analysis adds values, with a name, of a task of the set or of none");
    wrong.value_count = 2;
    refused("an analysis adds values, with a name, of a task of the set or of none");
    wrong.values->name = "loads";
    refused("an analysis lists in its ops->values all values that it adds");
    memset(wrong.reason, 'x', sizeof wrong.reason);
    refused("an analysis ends its reason");
    wrong.steps = -1; /* and a bound */
    refused("an analysis bounds responses by times, 0 or more, or by GRT_ANALYSIS_NEVER");
    wrong.steps = -1;
    wrong.verdict = GRT_VERDICT_UNKNOWN; /* of which bounds are shown, too */
    refused("an analysis bounds responses by times, 0 or more, or by GRT_ANALYSIS_NEVER");
    wrong.steps = -1;
    wrong.verdict = GRT_VERDICT_INAPPLICABLE; /* of which they are not looked at */
    run_analysis();
    make_result();
    static const char *const reasons[] = {"\033[31mred", "two\nlines", "\xff", "\xc2\x9b [31m"};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        snprintf(wrong.reason, sizeof wrong.reason, "%s", reasons[i]);
        refused("an analysis gives its reason as one line of UTF-8 text");
    }
    for (size_t i = 0; i + 2 < sizeof wrong.reason; i += 2) {
        memcpy(&wrong.reason[i], "\u00e9", 3);
    }
    memcpy(&wrong.reason[sizeof wrong.reason - 2], "\xc3", 2); /* a name was cut within a character */
    run_analysis();
    make_result();
    wrong.steps = -1;
    wrong.verdict = GRT_VERDICT_INAPPLICABLE;
    wrong.has_witness = true;
    refused("an analysis gives first releases, 0 or more, or GRT_ANALYSIS_NEVER");
}

/* ---- policies ---- */

enum deed {
    RUN_FOR_NOBODY,
    TRACE_OF_NOBODY,
    DESCRIBE_NO_GPU,
    CONCLUDE_NO_TASK,
    WORK_WITHOUT_END,
    PROMISE_NOTHING,
    PROMISE_LATENESS,
    DESCRIBE_WITHOUT_A_NAME,
    COUNT_WITHOUT_A_KEY,
    REFUSE_WITHOUT_A_WORD,
    ADAPT_WITHOUT_A_WORD
};

struct parameters {
    int64_t deed;
};

/* Gives a thread of its own work of 0 ns whenever it has none. */
struct state {
    int64_t deed;
    grt_stream stream;
    grt_thread thread;
    uint32_t row, label;
    bool works;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct state *self = state;
    *self = (struct state){.deed = ((const struct parameters *)grt_policy_parameters(world))->deed,
                           .stream = grt_policy_stream(world, 0, 0, "s"),
                           .thread = grt_policy_thread(world, -1, 0, "own"),
                           .row = grt_policy_row(world, "row"),
                           .label = grt_policy_label(world, "label")};
    if (self->deed == COUNT_WITHOUT_A_KEY) {
        grt_policy_counter(world, "two words");
    }
    return errors != NULL && self->deed != REFUSE_WITHOUT_A_WORD;
}

static bool adapt(struct grt_scenario *scenario, const void *given, struct grt_arena *arena,
                  struct grt_errors *errors) {
    return scenario != NULL && arena != NULL && errors != NULL &&
           ((const struct parameters *)given)->deed != ADAPT_WITHOUT_A_WORD;
}

static void describe(const void *state, const struct grt_world *world, struct grt_description *out) {
    uint32_t gpu = ((const struct state *)state)->deed == DESCRIBE_NO_GPU ? 1 : 0;
    (void)world;
    grt_describe_number(out, ((const struct state *)state)->deed == DESCRIBE_WITHOUT_A_NAME ? NULL : "number",
                        gpu, GRT_NUMBER_OF_NONE, 1);
}

static void conclude(const void *state, const struct grt_world *world, struct grt_description *out) {
    uint32_t task = ((const struct state *)state)->deed == CONCLUDE_NO_TASK ? 1 : 0;
    (void)world;
    grt_describe_time(out, "time", GRT_NUMBER_OF_NONE, task, 1);
}

static void thread_done(void *state, struct grt_world *world, grt_thread thread) {
    (void)world, (void)thread;
    ((struct state *)state)->works = false;
}

static void decide(void *state, struct grt_world *world) {
    struct state *self = state;
    if (self->deed == TRACE_OF_NOBODY) {
        grt_policy_trace_mark(world, self->row, self->label, 1);
    } else if (self->deed == RUN_FOR_NOBODY || (self->deed == WORK_WITHOUT_END && !self->works)) {
        self->works = true;
        grt_policy_run(world, self->thread, 0, self->label, self->deed == RUN_FOR_NOBODY ? 1 : GRT_NO_JOB);
    }
}

static struct grt_promise promised(const void *parameters) {
    int64_t deed = ((const struct parameters *)parameters)->deed;
    return (struct grt_promise){.gpu = GRT_PROMISE_ONE,
                                .order = deed == PROMISE_NOTHING    ? (enum grt_promise_order)55
                                         : deed == PROMISE_LATENESS ? GRT_ORDER_LATENESS
                                                                    : GRT_ORDER_NONE};
}

static const struct grt_policy_ops policy = {.name = "breaking",
                                             .summary = "breaks rules",
                                             .plugin = "./b.so",
                                             .state_size = sizeof(struct state),
                                             .parameters_size = sizeof(struct parameters),
                                             .host = GRT_HOST_BY_POLICY,
                                             .promised = promised,
                                             .adapt = adapt,
                                             .start = start,
                                             .describe = describe,
                                             .conclude = conclude,
                                             .thread_done = thread_done,
                                             .decide = decide};

static struct parameters parameters;

/* A run of a task under the policy, to be ended with the builder. */
static struct grt_builder *start_run(struct grt_built_run *run) {
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 5);
    grt_builder_whole(builder, task, 10);
    grt_built_run_start_with(run, &builder->scenario, &policy, &parameters, false);
    return builder;
}

static void run_world(void) {
    struct grt_built_run run;
    struct grt_builder *builder = start_run(&run);
    grt_built_run_end(&run, builder);
}

static void ask_for_promise(void) {
    grt_policy_promise(&policy, &parameters);
}

static void does(enum deed deed, void (*function)(void), const char *sentence, const char *when) {
    char who[64];
    snprintf(who, sizeof who, "policy breaking (./b.so) %s", when);
    parameters.deed = deed;
    aborts(function, sentence, who);
}

static void deeds_of_policies(void) {
    does(RUN_FOR_NOBODY, run_world,
         "a policy gives threads work for a job that it was told of, or for GRT_NO_JOB", "at 5ns");
    does(TRACE_OF_NOBODY, run_world, "a policy traces what concerns a job that it was told of, or GRT_NO_JOB",
         "at 5ns");
    does(DESCRIBE_NO_GPU, run_world,
         "a policy tells numbers of the scenario's GPUs and tasks, or of GRT_NUMBER_OF_NONE",
         "before the first instant");
    does(CONCLUDE_NO_TASK, run_world,
         "a policy tells numbers of the scenario's GPUs and tasks, or of GRT_NUMBER_OF_NONE", "at 100ns");
    does(
        WORK_WITHOUT_END, run_world,
        "a policy comes to an end within an instant: it set timers to the present, or gave threads work of 0 "
        "ns, a million times",
        "at 5ns");
    static const char promises[] =
        "a policy's `promised` says a place, an order and an overlap that there are, and "
        "the order by lateness of batches only";
    does(PROMISE_NOTHING, ask_for_promise, promises, "before the first instant");
    does(PROMISE_LATENESS, ask_for_promise, promises, "before the first instant");
    does(DESCRIBE_WITHOUT_A_NAME, run_world,
         "a policy gives its numbers names that are keys: letters, digits and \"_\" in lower case, a letter "
         "first, at "
         "most 32",
         "before the first instant");
    does(COUNT_WITHOUT_A_KEY, run_world,
         "a policy gives its counters names that are keys: letters, digits and \"_\" in lower case, a letter "
         "first, at "
         "most 32",
         "before the first instant");
    CU_ASSERT_EQUAL(grt_policy_promise(&policy, &(struct parameters){RUN_FOR_NOBODY}).order, GRT_ORDER_NONE);
}

static void a_refusal_says_something(void) {
    for (int i = 0; i < 2; i++) {
        struct grt_built_run run;
        parameters.deed = i == 0 ? REFUSE_WITHOUT_A_WORD : ADAPT_WITHOUT_A_WORD;
        struct grt_builder *builder = start_run(&run);
        CU_ASSERT_PTR_NULL(run.world);
        CU_ASSERT_EQUAL_FATAL(run.errors.count, 1);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(run.errors.messages[0], "policy breaking refuses the scenario, and does not say why"));
        grt_built_run_end(&run, builder);
    }
}

/* ---- crashes ---- */

static struct grt_policy_ops crashing = {.name = "crashing"};

static void trap(void) {
    const struct grt_running running = grt_policy_running(&crashing, NULL);
    grt_crash_report("gpurt");
    grt_running_begin(&running);
    raise(SIGTRAP);
}

/* What runs under a policy of gpurt's is gpurt's, too: nothing is said of which of both it was. */
static void crashes_of_plugins_and_of_gpurt(void) {
    char said[SAID_SIZE];
    ends_by(SIGTRAP, trap, said);
    CU_ASSERT_STRING_EQUAL(said, "gpurt: crashed under policy crashing before the first instant: trap\n");
    crashing.plugin = "./c.so";
    ends_by(SIGTRAP, trap, said);
    CU_ASSERT_STRING_EQUAL(said, "gpurt: policy crashing (./c.so) crashed before the first instant: trap\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"results of analyses", results_of_analyses},
        {"deeds of policies", deeds_of_policies},
        {"a refusal says something", a_refusal_says_something},
        {"crashes of plug-ins and of gpurt", crashes_of_plugins_and_of_gpurt},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("broken rules", tests);
}
