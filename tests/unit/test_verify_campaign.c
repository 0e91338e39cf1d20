/* What gpurt verify must find: analyses that are wrong on purpose, a policy that is, a witness that does not miss; and what it must not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/one_at_a_time.h"
#include "policies/registry.h"
#include "scenarios/simulation.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"
#include "verify/batches.h"
#include "verify/campaign.h"
#include "verify/reproduce.h"
#include "verify/shrink.h"

#define TASK(name, period, rest, time)                                                                       \
    "{\"name\":\"" name "\",\"period\":\"" period "\"," rest                                                 \
    "\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":" time "}]}]}"
#define HEAD(policy)                                                                                         \
    "{\"gpurt\":1,\"name\":\"set\",\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]}," \
    "\"policy\":"                                                                                            \
    "{\"name\":\"" policy "\"},\"tasks\":["

/* Five tasks of 78 % load; c is drawn, d has jitter. */
#define FIVE                                                                                                 \
    TASK("a", "10ms", "", "\"1ms\"")                                                                         \
    "," TASK("b", "20ms", "", "\"3ms\"") "," TASK(                                                           \
        "c", "35ms", "", "{\"min\":\"2ms\",\"max\":\"4ms\"}") "," TASK("d", "50ms", "\"jitter\":\"3ms\",",   \
                                                                       "\"5ms\"") "," TASK("e", "100ms", "", \
                                                                                           "\"7ms\"") "]}"

/* ---- a campaign on a text ---- */

struct trial {
    const char *text;
    struct grt_scenario_file file;
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_errors errors;
};

/* `policy`, `analyses`: NULL: those of gpurt. */
static void try_text(struct trial *trial, const char *text, const struct grt_policy_ops *policy,
                     const struct grt_analysis_ops *analysis, uint64_t patterns) {
    const struct grt_analysis_ops *const one[] = {analysis, NULL};
    *trial = (struct trial){.text = text};
    grt_scenario_text_load(text, NULL, &trial->file);
    grt_subject_start(&trial->subject, &trial->file.scenario, policy != NULL ? policy : trial->file.policy,
                      trial->file.policy_parameters);
    struct grt_campaign_options options = {.patterns = patterns, .seed = 1};
    if (analysis != NULL) {
        options.analyses = one;
    }
    CU_ASSERT_FATAL(grt_campaign_run(&trial->campaign, &trial->subject, &options, &trial->errors));
}

static void end(struct trial *trial) {
    grt_campaign_free(&trial->campaign);
    grt_subject_free(&trial->subject);
    grt_scenario_file_free(&trial->file);
    grt_errors_clear(&trial->errors);
}

/* Shrinks the first violation and writes it as a file; the text, to be freed. */
static char *shrunk(struct trial *trial, struct grt_shrinking *shrinking, size_t *tasks, size_t *jobs) {
    struct grt_campaign_violation *found = &trial->campaign.violations[0];
    const struct grt_scenario_source source = {
        .text = trial->text, .size = strlen(trial->text), .folder = "."};
    *shrinking = (struct grt_shrinking){
        .subject = &trial->subject, .player = trial->campaign.player, .violation = found->violation};
    for (size_t i = 0; i < trial->campaign.claims.count; i++) {
        shrinking->original = found->violation.analysis != NULL ? &trial->campaign.claims.items[i] : NULL;
    }
    *tasks = *jobs = 0;
    if (!grt_shrink(shrinking, &found->shown)) {
        return NULL;
    }
    for (size_t i = 0; i < found->shown.task_count; i++) {
        *tasks += !found->shown.tasks[i].absent;
        *jobs += found->shown.tasks[i].absent ? 0 : found->shown.tasks[i].count;
    }
    char *text =
        grt_reproduce(&source, &trial->subject, &found->shown, &shrinking->violation, &trial->errors);
    grt_errors_print(&trial->errors, stdout, "    ");
    return text;
}

/* ---- analyses that are wrong ---- */

static const char *const np_fp[] = {"np-fp", NULL};

static int64_t longest(const struct grt_analysis_task *task) {
    return task->segments[0].longest;
}

/* The response time of non-preemptive fixed priorities, by the first job of the busy period alone (`all` false), without blocking by less
 * urgent tasks (`blocking` false). */
static int64_t response(const struct grt_analysis_set *set, size_t i, bool all, bool blocking) {
    const struct grt_analysis_task *own = &set->tasks[i];
    int64_t most = 0, worst = 0;
    for (size_t j = 0; j < set->count && blocking; j++) {
        bool lower = set->tasks[j].priority < own->priority;
        most = lower && longest(&set->tasks[j]) - 1 > most ? longest(&set->tasks[j]) - 1 : most;
    }
    for (int64_t q = 0; q == 0 || (all && q < 100); q++) {
        int64_t start = most + q * longest(own), before = -1;
        while (start != before && start < 1000 * own->period) {
            before = start;
            start = most + q * longest(own);
            for (size_t j = 0; j < set->count; j++) {
                const struct grt_analysis_task *other = &set->tasks[j];
                start += other->priority > own->priority
                             ? ((before + other->jitter) / other->period + 1) * longest(other)
                             : 0;
            }
        }
        int64_t bound = own->jitter + start - q * own->period + longest(own);
        worst = bound > worst ? bound : worst;
    }
    return worst;
}

static void bound_all(const struct grt_analysis_set *set, struct grt_analysis_result *result, bool all,
                      bool blocking) {
    result->verdict = GRT_VERDICT_SCHEDULABLE;
    for (uint32_t i = 0; i < set->count; i++) {
        result->response[i] = response(set, i, all, blocking);
        if (result->response[i] > set->tasks[i].deadline) {
            grt_analysis_fail(result, GRT_VERDICT_UNKNOWN, i, "too late");
        }
    }
}

static void run_right(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    bound_all(set, result, true, true);
}

static void run_first_job(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    bound_all(set, result, false, true);
}

static void run_unblocked(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    bound_all(set, result, true, false);
}

/* One less than the truth for the last task. */
static void run_one_less(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    bound_all(set, result, true, true);
    result->response[set->count - 1]--;
}

static void run_optimist(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    (void)set;
    result->verdict = GRT_VERDICT_SCHEDULABLE;
}

/* Says that what is schedulable misses a deadline with synchronous releases. Without saying when it cannot be refuted. */
static grt_time says_when;

static void run_pessimist(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    grt_analysis_fail(result, GRT_VERDICT_UNSCHEDULABLE, 0, "everything is too late");
    result->has_witness = true;
    if (says_when > 0) {
        grt_analysis_add_time(result, "first_miss_by", GRT_ANALYSIS_NO_TASK, says_when);
    }
    for (size_t i = 0; i < set->count; i++) {
        result->first_release[i] = 0;
    }
}

static const char *const values[] = {"first_miss_by", NULL};

#define ANALYSIS(identifier, text, has_bounds, function)                                                     \
    static const struct grt_analysis_ops identifier = {.name = text,                                         \
                                                       .policies = np_fp,                                    \
                                                       .bounds = has_bounds,                                 \
                                                       .covers = UINT32_MAX,                                 \
                                                       .values = values,                                     \
                                                       .run = function}

ANALYSIS(right, "right", true, run_right);
ANALYSIS(first_job, "first-job", true, run_first_job);
ANALYSIS(unblocked, "unblocked", true, run_unblocked);
ANALYSIS(one_less, "one-less", true, run_one_less);
ANALYSIS(optimist, "optimist", false, run_optimist);
ANALYSIS(pessimist, "pessimist", false, run_pessimist);

/* ---- what is found ---- */

static void sound_analysis_stands(void) {
    struct trial trial;
    try_text(&trial, HEAD("np-fp") FIVE, NULL, &right, 500);
    CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
    CU_ASSERT_EQUAL(trial.campaign.done, 500);
    CU_ASSERT_EQUAL(trial.campaign.claims.count, 1);
    for (uint32_t i = 0; i < 5; i++) { /* every bound is attained */
        CU_ASSERT_EQUAL(grt_campaign_closeness(&trial.campaign, &trial.campaign.claims.items[0], i), 1.0);
        CU_ASSERT_EQUAL(trial.campaign.tasks[i].response, trial.campaign.claims.items[0].bounds[i]);
    }
    end(&trial);
}

static void bound_without_blocking_is_refuted(void) {
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, HEAD("np-fp") FIVE, NULL, &unblocked, 200);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    CU_ASSERT_EQUAL(trial.campaign.violations[0].violation.kind, GRT_VIOLATION_RESPONSE);
    CU_ASSERT(trial.campaign.violations[0].times > 1);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(!shrinking.keeps_claim);
    CU_ASSERT_EQUAL(tasks, 2); /* one waits for another that is less urgent */
    CU_ASSERT_EQUAL(jobs, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"response_max\""));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "[\"0s\"]")); /* from 0 on, until the job that took too long has ended */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"horizon\":\t\"12ms\""));
    free(text);
    end(&trial);
}

/* Kernels that are defined, with times that were measured, have times of their own in the file that shows a violation: b of 7 ms is begun before a,
 * whose 3 ms may be drawn, though only 1 ms was measured. */
static void defined_kernels_are_written(void) {
    static const char set[] = HEAD(
        "np-fp") "{\"name\":\"a\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"like\":"
                 "\"m\"}]}]},"
                 "{\"name\":\"b\",\"period\":\"50ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"w\"}]}]}],"
                 "\"kernels\":["
                 "{\"name\":\"m\",\"time\":{\"distribution\":\"empirical\",\"values\":[\"1ms\"],\"max\":"
                 "\"4ms\",\"declared\":"
                 "\"3ms\",\"tail\":{\"threshold\":\"1ms\",\"scale\":\"1ms\",\"shape\":0.1,\"ratio\":0.5}}},"
                 "{\"name\":\"w\",\"time\":\"7ms\"}]}";
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, set, NULL, &unblocked, 50);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    CU_ASSERT_EQUAL(trial.campaign.violations[0].violation.bound, 3 * GRT_MILLISECOND);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(tasks == 2 && jobs == 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"time\":\t\"3ms\""));
    free(text);
    /* what it takes at least is the least that was measured: a response of 1 ms behind b is a violation, too */
    struct grt_campaign_violation *found = &trial.campaign.violations[0];
    const struct grt_scenario_source source = {.text = set, .size = strlen(set), .folder = "."};
    found->shown.tasks[0].times = GRT_PATTERN_SHORTEST;
    text = grt_reproduce(&source, &trial.subject, &found->shown, &found->violation, &trial.errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"max\":\t\"1ms\""));
    free(text);
    end(&trial);
}

/* Times as the file has them that shows a violation: what is declared may be above or below all that is drawn. */
static void declared_times_are_written(void) {
#define BELOW "{\"min\":\"4ms\",\"max\":\"6ms\",\"declared\":\"3ms\"}"
#define ABOVE "{\"distribution\":\"constant\",\"max\":\"7ms\",\"declared\":\"8ms\"}"
#define NOTHING "{\"distribution\":\"constant\",\"max\":\"0ns\"}"
    static const char set[] = HEAD("np-fp") TASK(
        "a", "20ms", "",
        BELOW) ","
               "{\"name\":\"b\",\"period\":\"50ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":" ABOVE
               "}],"
               "\"host\":{\"before\":" NOTHING "}}]}]}";
    static const char *const first[] = {"\"time\":\t\"3ms\"", "\"min\":\t\"3ms\"", "\"max\":\t\"3ms\""};
    static const char *const second[] = {"\"time\":\t\"8ms\"", "\"max\":\t\"7ms\"", "\"max\":\t\"7ms\""};
    struct trial trial;
    try_text(&trial, set, NULL, &unblocked, 50);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    struct grt_campaign_violation *found = &trial.campaign.violations[0];
    const struct grt_scenario_source source = {.text = set, .size = strlen(set), .folder = "."};
    for (int times = 0; times < GRT_PATTERN_TIMES; times++) {
        found->shown.tasks[0].times = found->shown.tasks[1].times = (enum grt_pattern_times)times;
        char *text = grt_reproduce(&source, &trial.subject, &found->shown, &found->violation, &trial.errors);
        CU_ASSERT_PTR_NOT_NULL_FATAL(text);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, first[times]));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, second[times]));
        struct grt_scenario_file file;
        CU_ASSERT(
            grt_scenario_parse(text, strlen(text), ".", NULL, &file, &trial.errors)); /* it can be run */
        grt_errors_print(&trial.errors, stderr, "    ");
        grt_scenario_file_free(&file);
        free(text);
    }
    end(&trial);
}

static void one_nanosecond_is_found(void) {
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, HEAD("np-fp") FIVE, NULL, &one_less, 200);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    const struct grt_violation *violation = &trial.campaign.violations[0].violation;
    CU_ASSERT_EQUAL(violation->task, 4);
    CU_ASSERT_EQUAL(violation->response, violation->bound + 1);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL(text);
    CU_ASSERT_EQUAL(tasks, 1); /* alone it takes longer than one less than what it takes */
    CU_ASSERT_EQUAL(jobs, 1);
    free(text);
    end(&trial);
}

/* The example of Davis, Burns, Bril and Lukkien, "Controller Area Network (CAN) schedulability analysis: Refuted, revisited and revised",
 * Real-Time Systems 2007: it is not the first job of the busy period that takes longest. */
static void first_job_alone_is_refuted(void) {
    static const char set[] = HEAD("np-fp") TASK("a", "250us", "", "\"100us\"") "," TASK(
        "b", "350us", "\"deadline\":\"325us\",",
        "\"100us\"") "," TASK("c", "350us", "\"deadline\":\"325us\",", "\"100us\"") "]}";
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, set, NULL, &first_job, 200);
    CU_ASSERT_FATAL(trial.campaign.violation_count >= 1);
    const struct grt_violation *violation = &trial.campaign.violations[0].violation;
    CU_ASSERT_EQUAL(violation->task, 2);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(tasks, 3);
    CU_ASSERT_EQUAL(jobs, 7); /* 3 + 2 + 2 */
    free(text);
    end(&trial);
}

static void missed_deadline_is_found(void) {
    static const char set[] =
        HEAD("np-fp") TASK("fast", "2ms", "", "\"1ms\"") "," TASK("slow", "50ms", "", "\"9ms\"") "," TASK(
            "other", "70ms", "", "{\"min\":\"10us\",\"max\":\"20us\"}") "]}";
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, set, NULL, &optimist, 50);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    CU_ASSERT_EQUAL(trial.campaign.violations[0].violation.kind, GRT_VIOLATION_DEADLINE);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(tasks, 2);
    CU_ASSERT_EQUAL(jobs, 2);
    CU_ASSERT_PTR_NULL(strstr(text, "other"));
    free(text);
    end(&trial);
}

static void false_witness_is_found(void) {
    struct trial trial;
    for (says_when = 0; says_when <= GRT_TIME_LIMIT;
         says_when += GRT_TIME_LIMIT) { /* or too late to be simulated */
        try_text(&trial, HEAD("np-fp") FIVE, NULL, &pessimist, 5);
        CU_ASSERT(!trial.campaign.witnesses[0].tried && trial.campaign.violation_count == 0);
        end(&trial);
    }
    says_when = GRT_MILLISECOND;
    try_text(&trial, HEAD("np-fp") FIVE, NULL, &pessimist, 5);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    CU_ASSERT_EQUAL(trial.campaign.violations[0].violation.kind, GRT_VIOLATION_WITNESS);
    CU_ASSERT(trial.campaign.witnesses[0].tried && !trial.campaign.witnesses[0].missed);
    const struct grt_scenario_source source = {.text = trial.text, .size = strlen(trial.text), .folder = "."};
    char *text = grt_reproduce(&source, &trial.subject, &trial.campaign.violations[0].shown,
                               &trial.campaign.violations[0].violation, &trial.errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"offset\":\t\"0s\""));
    free(text);
    end(&trial);
}

static bool never_on(void *state, uint64_t done) {
    (void)state;
    (void)done;
    return false;
}

/* Whoever interrupts does not wait for the longest witness. */
static void witness_is_interrupted(void) {
    const struct grt_analysis_ops *const one[] = {&pessimist, NULL};
    struct trial whole, cut = {.text = HEAD("np-fp") FIVE};
    says_when = GRT_TIME_LIMIT;
    try_text(&whole, cut.text, NULL, &pessimist, 1);
    grt_scenario_text_load(cut.text, NULL, &cut.file);
    grt_subject_start(&cut.subject, &cut.file.scenario, cut.file.policy, cut.file.policy_parameters);
    struct grt_campaign_options options = {.patterns = 1, .analyses = one, .go_on = never_on};
    CU_ASSERT(grt_campaign_run(&cut.campaign, &cut.subject, &options, &cut.errors));
    CU_ASSERT(cut.campaign.stopped);
    CU_ASSERT(cut.campaign.witnesses[0].end < whole.campaign.witnesses[0].end / 50);
    CU_ASSERT(whole.campaign.itself.tried && whole.campaign.itself.jobs > 0);
    CU_ASSERT_FALSE(cut.campaign.itself.tried);
    CU_ASSERT_STRING_EQUAL(cut.campaign.tasks[0].name, "the witness of pessimist");
    end(&cut);
    end(&whole);
}

/* A witness that does miss is no violation. */
static void true_witness_stands(void) {
    static const char set[] =
        HEAD("np-edf") TASK("fast", "2ms", "", "\"1ms\"") "," TASK("slow", "50ms", "", "\"9ms\"") "]}";
    struct trial trial;
    try_text(&trial, set, NULL, grt_analysis_find("np-edf-exact"), 20);
    CU_ASSERT_EQUAL(trial.campaign.claims.items[0].verdict, GRT_VERDICT_UNSCHEDULABLE);
    CU_ASSERT(trial.campaign.witnesses[0].tried && trial.campaign.witnesses[0].missed);
    CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
    end(&trial);
}

/* As if a response began with the release. */
static void run_without_jitter(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    bound_all(set, result, true, true);
    for (uint32_t i = 0; i < set->count; i++) {
        result->response[i] -= set->tasks[i].jitter;
    }
}
ANALYSIS(without_jitter, "without-jitter", true, run_without_jitter);

static void forgotten_jitter_is_refuted(void) {
    struct trial trial;
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    try_text(&trial, HEAD("np-fp") FIVE, NULL, &without_jitter, 200);
    CU_ASSERT_FATAL(trial.campaign.violation_count == 1);
    CU_ASSERT_EQUAL(trial.campaign.violations[0].violation.task, 3);
    char *text = shrunk(&trial, &shrinking, &tasks, &jobs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(tasks, 1);
    CU_ASSERT_EQUAL(jobs, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"delays\""));
    free(text);
    end(&trial);
}

/* Two GPUs: on the first one every job is late, on the second one it depends on the deadline of its second task. */
#define TWO_GPUS(deadline)                                                                                   \
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"},{\"device\":"        \
    "\"exclusive\"}]},"                                                                                      \
    "\"policy\":{\"name\":\"np-fp\"},\"tasks\":[" TASK(                                                      \
        "late", "2ms", "\"deadline\":\"1ms\",",                                                              \
        "\"2ms\"") "," TASK("good", "9ms", "\"gpu\":1,",                                                     \
                            "\"3ms\"") "," TASK("other", "90ms", "\"gpu\":1,\"deadline\":\"" deadline "\",", \
                                                "\"2ms\"") "]}"

/* What is said of the tasks of one GPU is not held against those of another, nor is it the same. */
static void gpus_are_held_apart(void) {
    struct trial trial;
    try_text(&trial, TWO_GPUS("6ms"), NULL, &right, 50);
    CU_ASSERT(trial.campaign.tasks[0].missed > 0);
    CU_ASSERT_EQUAL_FATAL(trial.campaign.claims.count, 2);
    CU_ASSERT_EQUAL(trial.campaign.claims.items[1].verdict, GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
    end(&trial);
    try_text(&trial, TWO_GPUS("4ms"), NULL, &optimist, 50);
    CU_ASSERT_EQUAL_FATAL(trial.campaign.violation_count, 2);
    CU_ASSERT_NOT_EQUAL(trial.campaign.violations[0].violation.gpu,
                        trial.campaign.violations[1].violation.gpu);
    end(&trial);
}

/* Right about the releases, but 1 ns early about when. */
static void run_hasty(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    grt_analysis_run(grt_analysis_find("np-edf-exact"), set, result);
    result->values[result->value_count - 1].time = 2 * GRT_MILLISECOND; /* and not 1 ns later */
}

static const char *const np_edf[] = {"np-edf", NULL};
static const struct grt_analysis_ops hasty = {
    .name = "hasty", .policies = np_edf, .covers = UINT32_MAX, .values = values, .run = run_hasty};

static void late_witness_is_found(void) {
    static const char set[] =
        HEAD("np-edf") TASK("fast", "2ms", "", "\"1ms\"") "," TASK("slow", "50ms", "", "\"9ms\"") "]}";
    struct trial trial;
    try_text(&trial, set, NULL, &hasty, 20);
    CU_ASSERT_EQUAL_FATAL(trial.campaign.violation_count, 1);
    const struct grt_campaign_violation *found = &trial.campaign.violations[0];
    CU_ASSERT_EQUAL(found->violation.kind, GRT_VIOLATION_WITNESS);
    CU_ASSERT_EQUAL(found->violation.time, 2 * GRT_MILLISECOND);
    CU_ASSERT(trial.campaign.witnesses[0].missed);
    const struct grt_scenario_source source = {.text = trial.text, .size = strlen(trial.text), .folder = "."};
    char *text = grt_reproduce(&source, &trial.subject, &found->shown, &found->violation, &trial.errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text); /* none is missed in it */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"horizon\":\t\"2ms\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"missed\":\t0"));
    free(text);
    end(&trial);
}

/* ---- a policy that is wrong ---- */

static void push_backwards(void *state, struct grt_world *world, grt_job job) {
    one_at_a_time_push(state, world, job, grt_policy_job(world, job)->priority); /* the least urgent first */
}

static const struct grt_policy_ops backwards = {
    .name = "np-fp",
    .summary = "not what it says",
    .state_size = sizeof(struct one_at_a_time),
    .promise = ONE_AT_A_TIME_PROMISE(GRT_ORDER_PRIORITY),
    .start = one_at_a_time_start,
    .gpu_request = push_backwards,
    .gpu_withdrawn = one_at_a_time_withdrawn,
    .gpu_done = one_at_a_time_done,
    .decide = one_at_a_time_decide,
};

static void wrong_policy_is_caught(void) {
    struct trial trial;
    try_text(&trial, HEAD("np-fp") FIVE, &backwards, &pessimist, 20);
    const struct grt_campaign_violation *found = NULL;
    for (size_t i = 0; i < trial.campaign.violation_count; i++) {
        if (trial.campaign.violations[i].violation.kind == GRT_VIOLATION_AUDIT) {
            found = &trial.campaign.violations[i];
        }
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_STRING_EQUAL(found->violation.rule, "policy: highest priority first");
    struct grt_shrinking shrinking = {
        .subject = &trial.subject, .player = trial.campaign.player, .violation = found->violation};
    struct grt_pattern pattern;
    grt_pattern_start(&pattern, 5);
    grt_pattern_copy(&pattern, &found->shown);
    CU_ASSERT(grt_shrink(&shrinking, &pattern));
    uint32_t tasks = 0, jobs = 0;
    for (size_t i = 0; i < 5; i++) {
        tasks += !pattern.tasks[i].absent;
        jobs += pattern.tasks[i].absent ? 0 : pattern.tasks[i].count;
    }
    CU_ASSERT_EQUAL(tasks, 2); /* the wrong one of two goes first */
    CU_ASSERT_EQUAL(jobs, 2);
    grt_pattern_free(&pattern);
    end(&trial);
}

/* ---- the same again ---- */

static void campaigns_repeat(void) {
    struct trial first, second;
    try_text(&first, HEAD("np-fp") FIVE, NULL, &unblocked, 300);
    try_text(&second, HEAD("np-fp") FIVE, NULL, &unblocked, 300);
    CU_ASSERT_EQUAL(first.campaign.jobs, second.campaign.jobs);
    CU_ASSERT_EQUAL(first.campaign.violation_count, second.campaign.violation_count);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(first.campaign.tasks[i].pattern, second.campaign.tasks[i].pattern);
        CU_ASSERT_STRING_EQUAL(first.campaign.tasks[i].name, second.campaign.tasks[i].name);
    }
    struct grt_shrinking shrinking;
    size_t tasks, jobs;
    char *one = shrunk(&first, &shrinking, &tasks, &jobs), *two = shrunk(&second, &shrinking, &tasks, &jobs);
    CU_ASSERT_FATAL(one != NULL && two != NULL);
    CU_ASSERT_STRING_EQUAL(one, two);
    free(one);
    free(two);
    end(&first);
    end(&second);
}

/* What gpurt run shows is tried as well, to its end or to the limit of jobs: with periodic tasks, their offsets, and what is drawn. */
static void scenario_itself(void) {
    static const char set[] = HEAD("np-fp") TASK("x", "25ms", "\"offset\":\"7ms\",", "\"2ms\"") "," FIVE;
    struct grt_simulation simulation = {0};
    struct trial trial = {.text = set};
    CU_ASSERT_FATAL(grt_simulation_parse(&simulation, &(struct grt_scenario_text){set, strlen(set), "."},
                                         NULL, &trial.errors));
    CU_ASSERT_FATAL(grt_simulation_run(&simulation, false, &trial.errors));
    grt_scenario_text_load(set, NULL, &trial.file);
    grt_subject_start(&trial.subject, &trial.file.scenario, trial.file.policy, trial.file.policy_parameters);
    for (uint32_t jobs = 10000; jobs >= 100; jobs /= 100) {
        const struct grt_campaign_options options = {.jobs = jobs, .seed = 1};
        CU_ASSERT_FATAL(grt_campaign_run(&trial.campaign, &trial.subject, &options, &trial.errors));
        CU_ASSERT_EQUAL(trial.campaign.done, 0);
        for (size_t i = 0; i < 6 && jobs == 10000; i++) {
            const struct grt_task_result *shown = &simulation.result->tasks[i];
            CU_ASSERT_EQUAL(trial.campaign.tasks[i].jobs, shown->released);
            CU_ASSERT_EQUAL(trial.campaign.tasks[i].response, shown->response.max);
            CU_ASSERT_EQUAL(trial.campaign.tasks[i].pattern, GRT_CAMPAIGN_UNNUMBERED);
            CU_ASSERT_STRING_EQUAL(trial.campaign.tasks[i].name, "the scenario itself");
        }
        CU_ASSERT(jobs == 10000 || (trial.campaign.jobs >= jobs - 6 && trial.campaign.jobs <= jobs + 6));
        grt_campaign_free(&trial.campaign);
    }
    grt_simulation_free(&simulation);
    end(&trial);
}

/* Its jobs are counted from the first ones on, not from 0. */
static void late_scenario_itself(void) {
    static const char set[] = HEAD("np-fp") TASK("late", "10ms", "\"offset\":\"900ms\",", "\"2ms\"") "]}";
    struct trial trial;
    try_text(&trial, set, NULL, NULL, 0);
    CU_ASSERT_EQUAL(trial.campaign.itself.jobs, 10);
    CU_ASSERT_EQUAL(trial.campaign.jobs, 10);
    CU_ASSERT_EQUAL(trial.campaign.itself.end, GRT_SECOND);
    end(&trial);
}

/* Tasks that choose no arrivals, and a scenario that runs no pattern but its own. */
static void own_arrivals(void) {
    static const char set[] =
        HEAD("fifo") "{\"name\":\"t\",\"times\":[\"1ms\",\"2ms\"],\"segments\":[{\"cpu\":\"1ms\"}]},{"
                     "\"name\":\"u\",\"after\":[\"t\"],"
                     "\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]}]}]}";
    struct trial trial;
    try_text(&trial, set, NULL, NULL, 10);
    CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
    CU_ASSERT_EQUAL(trial.campaign.tasks[0].jobs, 22); /* of the patterns, and the scenario itself */
    CU_ASSERT_EQUAL(trial.campaign.tasks[1].jobs, 22);
    end(&trial);
}

/* Who goes first in a batch follows from average runtimes, and these from the seed and the times of each pattern: the auditor goes by those, too,
 * not by those of the first pattern. */
static void averages_of_patterns(void) {
    static const char set[] = HEAD("cpu-traditional\",\"batch\":1,\"profile_runs\":1,\"decision_time\":\"1us")
        TASK("a", "10ms", "", "{\"min\":\"1us\",\"max\":\"4ms\"}") "," TASK(
            "b", "10ms", "",
            "{\"min\":\"1us\",\"max\":\"4ms\"}") "," TASK("c", "10ms", "",
                                                          "{\"min\":\"1us\",\"max\":\"4ms\"}") "]}";
    struct trial trial;
    try_text(&trial, set, NULL, NULL, 20);
    CU_ASSERT_EQUAL(trial.campaign.violation_count, 0);
    size_t count;
    uint64_t checked = 0;
    const struct grt_audit_count *counts = grt_player_counts(trial.campaign.player, &count);
    for (size_t i = 0; i < count; i++) {
        checked += strcmp(counts[i].rule, "batches: the latest go first") == 0 ? counts[i].checked : 0;
    }
    CU_ASSERT_TRUE(checked > 0);
    end(&trial);
}

/* A violation under a scheduler on the device is shrunk without leaving out the task that is the scheduler: nothing would go on. */
static void schedulers_stay(void) {
    static const char set[] =
        "{\"gpurt\":1,\"name\":\"set\",\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"h100\"}]},"
        "\"policy\":{\"name\":\"gpu-atomics\"},\"tasks\":["
        "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"blocks\":2,"
        "\"threads\":32,"
        "\"block_time\":\"1ms\"}]}]},"
        "{\"name\":\"b\",\"period\":\"20ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"blocks\":2,"
        "\"threads\":32,"
        "\"block_time\":\"2ms\"}]}]}]}";
    struct grt_policy_ops wrong = *grt_policy_find("gpu-atomics");
    struct trial trial = {.text = set};
    wrong.promise.overlap = GRT_OVERLAP_NONE;
    grt_scenario_text_load(set, NULL, &trial.file);
    trial.file.scenario.adapted_for = &wrong;
    grt_subject_start(&trial.subject, &trial.file.scenario, &wrong, trial.file.policy_parameters);
    struct grt_campaign_options options = {.patterns = 2, .seed = 1};
    CU_ASSERT_FATAL(grt_campaign_run(&trial.campaign, &trial.subject, &options, &trial.errors));
    CU_ASSERT_EQUAL_FATAL(trial.campaign.violation_count, 1);
    struct grt_campaign_violation *found = &trial.campaign.violations[0];
    struct grt_shrinking shrinking = {
        .subject = &trial.subject, .player = trial.campaign.player, .violation = found->violation};
    CU_ASSERT(grt_shrink(&shrinking, &found->shown));
    CU_ASSERT_EQUAL_FATAL(found->shown.task_count, 3);
    CU_ASSERT_FALSE(found->shown.tasks[2].absent);
    CU_ASSERT_EQUAL(
        grt_batches_own_tasks(&trial.file.scenario, trial.file.policy, trial.file.policy_parameters), 1);
    CU_ASSERT_EQUAL(grt_batches_own_tasks(&trial.file.scenario, grt_policy_find("cpu-order"), NULL), 0);
    end(&trial);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a sound analysis stands", sound_analysis_stands},
        {"a bound without blocking is refuted", bound_without_blocking_is_refuted},
        {"defined kernels are written", defined_kernels_are_written},
        {"declared times are written", declared_times_are_written},
        {"one nanosecond is found", one_nanosecond_is_found},
        {"the first job alone is refuted", first_job_alone_is_refuted},
        {"a missed deadline is found", missed_deadline_is_found},
        {"a forgotten jitter is refuted", forgotten_jitter_is_refuted},
        {"GPUs are held apart", gpus_are_held_apart},
        {"a false witness is found", false_witness_is_found},
        {"a true witness stands", true_witness_stands},
        {"a witness is interrupted", witness_is_interrupted},
        {"a late witness is found", late_witness_is_found},
        {"a wrong policy is caught", wrong_policy_is_caught},
        {"campaigns repeat", campaigns_repeat},
        {"the scenario itself", scenario_itself},
        {"a late scenario itself", late_scenario_itself},
        {"own arrivals", own_arrivals},
        {"average runtimes of each pattern", averages_of_patterns},
        {"schedulers stay", schedulers_stay},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("campaigns of gpurt verify", tests);
}
