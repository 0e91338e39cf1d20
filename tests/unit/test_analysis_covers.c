/* What an analysis covers is enforced: each analysis against a set with each feature, by a table that is kept here, not by what analyses say of
 * themselves. */
#include <stdio.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/pruda/parameters.h"
#include "tests/support/analysis_case.h"
#include "tests/support/suite.h"

static struct analysis_case it;

/* ---- sets with one feature each; task a at 0, task b at 1, both plain ---- */

static void after_others(void) {
    it.tasks[1].after_others = true;
}

static void no_period(void) {
    it.tasks[1].period = 0;
}

static void no_deadline(void) {
    it.tasks[1].deadline = GRT_ANALYSIS_NEVER;
}

static void several_segments(void) {
    analysis_case_segment(&it, true, 1, 1);
}

static void shared_core(void) {
    analysis_case_segment(&it, false, 1, 1);
    it.tasks[1].core = 0;
    it.tasks[1].shares_core = true;
}

static void outside_core(void) {
    shared_core();
    it.tasks[1].shares_core_outside = true;
}

static void host_before(void) {
    it.segments[1][0].host_before = 1;
    it.segments[1][0].longest++;
}

static void host_after(void) {
    it.segments[1][0].host_after = 1;
    it.segments[1][0].longest++;
}

static void unknown_times(void) {
    it.segments[1][0].longest = it.segments[1][0].device_longest = GRT_ANALYSIS_NEVER;
}

static void jitter(void) {
    it.tasks[1].jitter = 1;
}

static void cpu_segments(void) {
    analysis_case_segment(&it, false, 1, 1);
}

static void late_deadline(void) {
    it.tasks[1].deadline = 101;
}

static void deadline_from_release(void) {
    jitter();
    it.tasks[1].deadline_from_release = true;
}

static void interference(void) {
    it.set.interference = "several processes share the GPU";
}

static void context_switches(void) {
    analysis_case_segment(&it, false, 1, 1);
    it.set.platform.context_switch = 1;
}

static void wake_ups(void) {
    host_after();
    it.set.platform.wake_up = 1;
}

/* By which letter an analysis covers it, in the table below. */
static const struct {
    char letter;
    void (*make)(void);
    const char *clause;
} features[] = {
    {'a', after_others, "task b is released by the ends of other tasks' jobs"},
    {'p', no_period,
     "task b has no least distance between its arrivals (\"sporadic\" with \"min_gap\" gives one)"},
    {'d', no_deadline, "task b has no deadline"},
    {'s', several_segments, "task b has several GPU segments"},
    {'c', shared_core, "task b shares the core of its CPU segments"},
    {'o', outside_core, "task b shares its core with tasks of another GPU"},
    {'h', host_before, "task b has host parts in its GPU segments"},
    {'h', host_after, "task b has host parts in its GPU segments"},
    {'u', unknown_times, "task b has no known longest time"},
    {'j', jitter, "task b has release jitter"},
    {'g', cpu_segments, "task b has CPU segments besides its GPU segments"},
    {'l', late_deadline, "task b has a deadline after its period"},
    {'r', deadline_from_release, "task b has a deadline that counts from its release"},
    {'i', interference, "several processes share the GPU"},
    {'k', context_switches, "task b computes on a core, where context switches and wake-ups cost time"},
    {'k', wake_ups, "task b computes on a core, where context switches and wake-ups cost time"},
};

enum { FEATURES = sizeof features / sizeof *features };

static const struct {
    const char *name, *covers;
} analyses[] = {
    {"utilisation", "apdscohjglrik"},
    {"np-edf-exact", "jglr"},
    {"np-edf-continuous", "jglr"},
    {"np-edf-response", "jglr"},
    {"np-fp-response", "jglr"},
    {"np-rm-response", "jglr"},
    {"tdm", "ujglr"},
    {"edf-demand", "jglr"},
    {"fp-response", "jglr"},
    {"fp-suspension", "sjglr"},
    {"rm-utilisation", "l"},
    {"rm-hyperbolic", "l"},
    {"pruda-multi", "jglr"},
};

enum { ANALYSES = sizeof analyses / sizeof *analyses };

/* Parameters of the policy with which the analysis applies at all; NULL: the defaults. */
static const void *parameters_for(const char *analysis) {
    static const struct pruda_parameters by_priority = {.order = PRUDA_FP};
    return strcmp(analysis, "pruda-multi") == 0 ? &by_priority : NULL;
}

static void plain(void) {
    static const struct grt_step step = {.each = 1, .units = 5, .new_segment = true};
    analysis_case_start(&it);
    analysis_case_add(&it, 5, 100, 100);
    analysis_case_add(&it, 5, 100, 100);
    for (size_t i = 0; i < 2; i++) {
        it.segments[i][0].steps = &step;
        it.segments[i][0].step_count = 1;
        it.tasks[i].gpu = 0;
    }
}

static void every_analysis_is_in_the_table(void) {
    for (size_t i = 0; grt_analyses[i] != NULL; i++) {
        size_t found = 0;
        for (size_t j = 0; j < ANALYSES; j++) {
            found += strcmp(analyses[j].name, grt_analyses[i]->name) == 0;
        }
        CU_ASSERT(found == 1 || grt_analyses[i]->scope == GRT_SCOPE_PLATFORM);
    }
}

/* A set may have a feature only together with others: a shared core with CPU segments. The first that is not covered is told. */
static const char *expected_clause(size_t analysis, size_t feature) {
    const char *covers = analyses[analysis].covers;
    bool computes = features[feature].make == shared_core || features[feature].make == outside_core ||
                    features[feature].make == context_switches;
    bool has_jitter = features[feature].make == deadline_from_release;
    bool has_host = features[feature].make == wake_ups;
    if (features[feature].make == outside_core && strchr(covers, 'c') == NULL) {
        return "task b shares the core of its CPU segments";
    }
    if (features[feature].letter == 'c' && strchr(covers, 'c') == NULL) {
        return features[feature].clause;
    }
    if (has_host && strchr(covers, 'h') == NULL) {
        return "task b has host parts in its GPU segments";
    }
    if (has_jitter && strchr(covers, 'j') == NULL) {
        return "task b has release jitter";
    }
    if (computes && strchr(covers, 'g') == NULL) {
        return "task b has CPU segments besides its GPU segments";
    }
    return strchr(covers, features[feature].letter) == NULL ? features[feature].clause : NULL;
}

static void every_feature_is_covered_or_refused(void) {
    for (size_t i = 0; i < ANALYSES; i++) {
        plain();
        it.set.parameters = parameters_for(analyses[i].name);
        CU_ASSERT_NOT_EQUAL(analysis_case_run(&it, analyses[i].name), GRT_VERDICT_INAPPLICABLE);
        for (size_t j = 0; j < FEATURES; j++) {
            const char *clause = expected_clause(i, j);
            plain();
            features[j].make();
            it.set.parameters = parameters_for(analyses[i].name);
            enum grt_verdict verdict = analysis_case_run(&it, analyses[i].name);
            bool refused = verdict == GRT_VERDICT_INAPPLICABLE;
            bool as_told = clause == NULL ? strcmp(it.result.reason, features[j].clause) != 0
                                          : refused && strcmp(it.result.reason, clause) == 0;
            if (!as_told) {
                printf("\n    %s: \"%s\" instead of \"%s\"\n", analyses[i].name, it.result.reason,
                       clause != NULL ? clause : "something else");
            }
            CU_ASSERT(as_told);
            CU_ASSERT_EQUAL(it.result.failing < 2 && refused, false);
        }
    }
}

/* What no analysis of the table can meet, and what is said first where several are missing. */
static void bits_are_checked_one_by_one(void) {
    char reason[GRT_ANALYSIS_REASON_SIZE];
    for (size_t j = 0; j < FEATURES; j++) {
        plain();
        features[j].make();
        CU_ASSERT_TRUE(grt_analysis_is_beyond(&it.set, 0, reason));
        CU_ASSERT_FALSE(grt_analysis_is_beyond(&it.set, UINT32_MAX & ~(uint32_t)GRT_COVERS_CPU_ONLY, reason));
    }
    plain();
    CU_ASSERT_FALSE(grt_analysis_is_beyond(&it.set, 0, reason));
    it.tasks[1].gpu = 1;
    CU_ASSERT_TRUE(grt_analysis_is_beyond(&it.set, ~(uint32_t)GRT_COVERS_SEVERAL_GPUS, reason));
    CU_ASSERT_STRING_EQUAL(reason, "the tasks use several GPUs");
    CU_ASSERT_FALSE(grt_analysis_is_beyond(&it.set, GRT_COVERS_SEVERAL_GPUS, reason));
    plain();
    outside_core();
    CU_ASSERT_TRUE(
        grt_analysis_is_beyond(&it.set, GRT_COVERS_SHARED_CORES | GRT_COVERS_CPU_SEGMENTS, reason));
    CU_ASSERT_STRING_EQUAL(reason, "task b shares its core with tasks of another GPU");
}

/* Costs matter where something computes. */
static void costs_without_work_on_cores_are_none(void) {
    plain();
    it.set.platform.context_switch = it.set.platform.wake_up = 5;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
}

static void only_computes(void) {
    plain();
    it.segments[1][0] = (struct grt_analysis_segment){.shortest = 5, .longest = 5};
    it.tasks[1].gpu = GRT_ANALYSIS_NO_GPU;
}

/* Tasks that only compute: without influence and deadline they count for nothing; tdm looks at each by itself. */
static void tasks_that_only_compute(void) {
    only_computes();
    it.tasks[1].deadline = GRT_ANALYSIS_NEVER;
    it.tasks[1].period = 0;
    it.tasks[1].jitter = 7;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-utilisation"), GRT_VERDICT_SCHEDULABLE);
    it.tasks[1].shares_core = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "rm-utilisation"), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(
        it.result.reason,
        "task b has no least distance between its arrivals (\"sporadic\" with \"min_gap\" gives one)");
    only_computes();
    it.tasks[1].shares_core = true;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
    CU_ASSERT_STRING_EQUAL(it.result.reason, "task b shares the core of its CPU segments");
    CU_ASSERT_EQUAL(analysis_case_run(&it, "tdm"), GRT_VERDICT_UNKNOWN);
    only_computes();
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_SCHEDULABLE);
    CU_ASSERT_EQUAL(it.response[1], 5);
    it.set.platform.wake_up = 1;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "np-fp-response"), GRT_VERDICT_INAPPLICABLE);
}

/* The load is that of the GPU's own part: 60 of 100, with 50 on cores. */
static void host_parts_are_no_load(void) {
    plain();
    for (size_t i = 0; i < 2; i++) {
        it.segments[i][0].device_longest = 30;
        it.segments[i][0].host_before = it.segments[i][0].host_after = 25;
        it.segments[i][0].longest = grt_analysis_longest_of(&it.segments[i][0]);
        CU_ASSERT_EQUAL(it.segments[i][0].longest, 80);
    }
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNKNOWN);
    CU_ASSERT_DOUBLE_EQUAL(it.values[2].number, 0.6, 1e-12);
    it.segments[1][0].device_longest = 71;
    CU_ASSERT_EQUAL(analysis_case_run(&it, "utilisation"), GRT_VERDICT_UNSCHEDULABLE);
}

static void a_segment_is_as_long_as_its_parts(void) {
    struct grt_analysis_segment segment = {.host_before = 3, .device_longest = 10, .host_after = 4};
    CU_ASSERT_EQUAL(grt_analysis_longest_of(&segment), 17);
    segment.asynchronous = true;
    CU_ASSERT_EQUAL(grt_analysis_longest_of(&segment), 13);
    segment.host_after = 11;
    CU_ASSERT_EQUAL(grt_analysis_longest_of(&segment), 14);
    segment.device_longest = GRT_ANALYSIS_NEVER;
    CU_ASSERT_EQUAL(grt_analysis_longest_of(&segment), GRT_ANALYSIS_NEVER);
    segment.asynchronous = false;
    CU_ASSERT_EQUAL(grt_analysis_longest_of(&segment), GRT_ANALYSIS_NEVER);
}

static void spans_do_not_overflow(void) {
    CU_ASSERT_EQUAL(grt_span_sum(INT64_MAX - 2, 1), INT64_MAX - 1);
    CU_ASSERT_EQUAL(grt_span_sum(INT64_MAX - 2, 2), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_sum(INT64_MAX - 2, 3), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_sum(GRT_SPAN_NEVER, GRT_SPAN_NEVER), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_sum(0, GRT_SPAN_NEVER), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_sum_within(4, 6, 10), 10);
    CU_ASSERT_EQUAL(grt_span_sum_within(5, 6, 10), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_sum_within(11, 0, 10), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_product(INT64_C(1) << 31, INT64_C(1) << 31), INT64_C(1) << 62);
    CU_ASSERT_EQUAL(grt_span_product(INT64_C(1) << 32, INT64_C(1) << 32), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_product(GRT_SPAN_NEVER, 0), 0);
    CU_ASSERT_EQUAL(grt_span_product_within(5, 2, 9), GRT_SPAN_NEVER);
    CU_ASSERT_EQUAL(grt_span_product_within(5, 2, 10), 10);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every analysis is in the table", every_analysis_is_in_the_table},
        {"every feature is covered or refused", every_feature_is_covered_or_refused},
        {"bits are checked one by one", bits_are_checked_one_by_one},
        {"costs without work on cores are none", costs_without_work_on_cores_are_none},
        {"tasks that only compute", tasks_that_only_compute},
        {"host parts are no load", host_parts_are_no_load},
        {"a segment is as long as its parts", a_segment_is_as_long_as_its_parts},
        {"spans do not overflow", spans_do_not_overflow},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("what analyses cover", tests);
}
