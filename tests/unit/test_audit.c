/* labels: wrap-malloc no-branches */
/* The auditor: what findings and counts say, the scenarios of the library, its memory, and its page in docs/. */
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/simulation.h"
#include "tests/support/audited_world.h"
#include "tests/support/count_allocations.h"
#include "tests/support/file_text.h"
#include "tests/support/suite.h"
#include "verify/promised.h"

/* ---- what is said ---- */

/* Two tasks under np-edf: the second one has the earlier deadline, but came later. */
static struct grt_builder *two_tasks(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, i == 0 ? "first" : "second");
        grt_builder_periodic(task, 100, 10 * i);
        task->deadline = 100 - 50 * i;
        grt_builder_whole(builder, task, 20);
    }
    return builder;
}

static void a_finding_says_what_is_wrong(void) {
    struct grt_builder *builder = two_tasks();
    struct grt_built_run run;
    grt_built_run_under(&run, builder, "np-edf");
    struct grt_audit_promise promise = {.policy = grt_policy_find("np-edf")->promise, .end = run.result->end};
    struct grt_audit *audit = grt_audit_create(&builder->scenario, &promise);
    for (size_t i = 0; i < run.kept.record_count;
         i++) { /* the second job of task "second" is said to be late */
        struct grt_trace_record record = run.kept.records[i];
        bool chosen = record.kind == GRT_TRACE_FINISH && record.task == 1 && record.job == 1;
        record.flags |= chosen ? GRT_TRACE_LATE : 0;
        grt_audit_sink.write(audit, &record, 1);
    }
    size_t count;
    CU_ASSERT_EQUAL(grt_audit_finish(audit), 1);
    const struct grt_audit_finding *finding = grt_audit_findings(audit, &count);
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_STRING_EQUAL(finding->rule, "jobs: late after the deadline");
    CU_ASSERT_STRING_EQUAL(finding->text, "is late, but ends before its deadline");
    CU_ASSERT_EQUAL(finding->time, 140);
    CU_ASSERT_EQUAL(finding->task, 1);
    CU_ASSERT_EQUAL(finding->job, 1);
    grt_audit_free(audit);
    grt_built_run_end(&run, builder);
}

static void the_first_findings_are_kept_and_all_are_counted(void) {
    struct grt_builder *builder = two_tasks();
    struct grt_built_run run;
    builder->scenario.horizon = 100000;
    grt_built_run_under(&run, builder, "fifo");
    for (size_t i = 0; i < run.kept.record_count; i++) {
        run.kept.records[i].flags |= run.kept.records[i].kind == GRT_TRACE_FINISH ? GRT_TRACE_LATE : 0;
    }
    struct grt_audit_promise promise = {.policy = grt_policy_find("fifo")->promise, .end = run.result->end};
    struct grt_audit *audit = grt_audit_create(&builder->scenario, &promise);
    size_t count;
    grt_audit_sink.write(audit, run.kept.records, run.kept.record_count);
    CU_ASSERT_EQUAL(grt_audit_finish(audit), 2000);
    const struct grt_audit_finding *findings = grt_audit_findings(audit, &count);
    CU_ASSERT_EQUAL(count, 256);
    for (size_t i = 1; i < count; i++) {
        CU_ASSERT(findings[i].time >= findings[i - 1].time);
    }
    grt_audit_free(audit);
    grt_built_run_end(&run, builder);
}

static struct grt_promise promised(const char *policy) {
    const struct grt_policy_ops *ops = grt_policy_find(policy);
    return ops != NULL ? ops->promise : (struct grt_promise){0};
}

/* What is promised decides which rules there are. */
static void the_promise_picks_the_rules(void) {
    static const struct {
        const char *policy, *rule;
        uint64_t broken;
    } cases[] = {{"np-rm", "policy: shortest period first", 0},
                 {"np-fp", "policy: highest priority first", 0},
                 {"fifo", "policy: first come, first served", 1},
                 {"hardware", "policy: first come, first served", UINT64_MAX},
                 {"of my own", "policy: earliest deadline first", UINT64_MAX}};
    struct grt_builder *builder = grt_builder_create(100);
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 3; i++) { /* the last one goes before the second by deadline, period and priority */
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 1000 - 100 * i, 5 * i);
        task->priority = i;
        grt_builder_whole(builder, task, 20);
    }
    grt_built_run_under(&run, builder, "np-edf");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_audit_promise promise = {.policy = promised(cases[i].policy), .end = run.result->end};
        struct grt_audit_tally tally = {0};
        grt_audit_records(&builder->scenario, &promise, run.kept.records, run.kept.record_count, &tally,
                          true);
        size_t place = grt_audit_tally_find(&tally, cases[i].rule);
        CU_ASSERT_EQUAL(place < tally.count ? tally.broken[place] : UINT64_MAX, cases[i].broken);
    }
    grt_built_run_end(&run, builder);
}

/* Whoever promises an order has a rule that is called after it, whatever else is promised; of orders that the auditor does not know it has none. */
static void orders_have_their_names(void) {
    static const enum grt_promise_gpu kinds[] = {GRT_PROMISE_ONE, GRT_PROMISE_LOCK, GRT_PROMISE_SERVER};
    static const char *const rules[] = {[GRT_ORDER_NONE] = NULL,
                                        [GRT_ORDER_REQUEST] = "policy: first come, first served",
                                        [GRT_ORDER_DEADLINE] = "policy: earliest deadline first",
                                        [GRT_ORDER_PERIOD] = "policy: shortest period first",
                                        [GRT_ORDER_PRIORITY] = "policy: highest priority first",
                                        [GRT_ORDER_LATENESS] = NULL};
    struct grt_builder *builder = grt_builder_create(100);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        size_t without = 0;
        for (int order = GRT_ORDER_NONE; order <= GRT_ORDER_LATENESS; order++) {
            struct grt_audit_promise promise = {
                .policy = {.gpu = kinds[kind], .order = (enum grt_promise_order)order}, .end = 100};
            struct grt_audit_tally tally = {0};
            grt_audit_records(&builder->scenario, &promise, NULL, 0, &tally, true);
            without = order == GRT_ORDER_NONE ? tally.count : without;
            CU_ASSERT_EQUAL(tally.count, without + (rules[order] != NULL));
            CU_ASSERT(rules[order] == NULL || grt_audit_tally_find(&tally, rules[order]) < tally.count);
        }
    }
    grt_builder_free(builder);
}

/* An order that the auditor does not know leaves two rules. */
static void an_unknown_order_leaves_the_rest(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_device(2));
    for (int i = 0; i < 2; i++) { /* which can execute beside each other */
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 100, 10 * i);
        grt_builder_kernel(builder, task, 1, 32, 20);
    }
    for (int own = 0; own <= 1; own++) {
        struct grt_audit_tally tally = {0};
        struct grt_audit_promise promise = {.policy = {.gpu = GRT_PROMISE_ONE, .never_idle = true}};
        grt_built_run_start(&run, &builder->scenario, grt_policy_find(own ? "np-fp" : "hardware"), false);
        promise.end = run.result->end;
        grt_audit_records(&builder->scenario, &promise, run.kept.records, run.kept.record_count, &tally,
                          true);
        size_t one = grt_audit_tally_find(&tally, "policy: one segment at a time");
        CU_ASSERT_EQUAL(one + 2, tally.count);
        CU_ASSERT(one < tally.count && (tally.broken[one] == 0) == (own == 1));
        grt_built_run_free(&run);
    }
    grt_builder_free(builder);
}

/* ---- the library ---- */

static struct grt_audit_tally tally;
static int scenarios;

static void audit_scenario(const char *path) {
    struct grt_simulation simulation = {0};
    struct grt_errors errors = {0};
    struct grt_trace_memory kept = {0};
    bool good = grt_simulation_load(&simulation, path, NULL, &errors);
    if (good) {
        grt_simulation_add_sink(&simulation, &grt_trace_memory_sink, &kept);
        good = grt_simulation_run(&simulation, false, &errors);
    }
    if (good) {
        struct grt_arena arena = {0};
        const struct grt_scenario_file *file = &simulation.file;
        struct grt_audit_promise promise =
            grt_promised(&file->scenario, file->policy, file->policy_parameters, &arena);
        promise.end = simulation.result->end;
        good = grt_audit_records(&simulation.file.scenario, &promise, kept.records, kept.record_count, &tally,
                                 false) == 0;
        grt_arena_clear(&arena);
    }
    if (!good) {
        fprintf(stderr, "%s\n", path);
    }
    CU_ASSERT(good);
    grt_trace_memory_free(&kept);
    grt_simulation_free(&simulation);
    grt_errors_clear(&errors);
    scenarios++;
}

static int visit(const char *path, const struct stat *status, int type) {
    size_t length = strlen(path);
    (void)status;
    if (type == FTW_F && length > 5 && strcmp(path + length - 5, ".json") == 0 &&
        strstr(path, "/devices/") == NULL && strstr(path, "/usages/") == NULL &&
        strstr(path, "/kernels/") == NULL && strstr(path, "/experiments/") == NULL) {
        audit_scenario(path);
    }
    return 0;
}

static void the_library_is_sound(void) {
    ftw("scenarios", visit, 16);
    ftw("tests/golden/scenarios", visit, 16);
    CU_ASSERT(scenarios > 80);
    for (size_t i = 0; i < tally.count; i++) {
        if (tally.checked[i] == 0) {
            fprintf(stderr, "%s: nothing to check\n", tally.rule[i]);
            CU_ASSERT(tally.checked[i] > 0);
        }
    }
}

/* ---- memory ---- */

/* Twenty times as long a trace takes no more memory. */
static void memory_does_not_grow_with_the_trace(void) {
    long taken[2];
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = two_tasks();
        struct grt_built_run run;
        builder->scenario.horizon = i == 0 ? 10000 : 200000;
        grt_built_run_under(&run, builder, "np-edf");
        struct grt_audit_promise promise = {.policy = grt_policy_find("np-edf")->promise,
                                            .end = run.result->end};
        long before = allocations;
        CU_ASSERT_EQUAL(grt_audit_records(&builder->scenario, &promise, run.kept.records,
                                          run.kept.record_count, NULL, false),
                        0);
        taken[i] = allocations - before;
        grt_built_run_end(&run, builder);
    }
    CU_ASSERT_EQUAL(taken[0], taken[1]);
}

/* ---- the page ---- */

/* Every rule has a row. */
static bool is_in(const char *page, const char *rule) {
    char row[128];
    snprintf(row, sizeof row, "| %s |", rule);
    return strstr(page, row) != NULL;
}

static void the_page_names_every_rule(void) {
    size_t bytes;
    char *page = grt_file_text("docs/auditor.md", &bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(page);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        struct grt_builder *builder = two_tasks();
        struct grt_arena arena = {0};
        struct grt_audit_promise promise = grt_promised(&builder->scenario, *policy, NULL, &arena);
        struct grt_audit_tally rules = {0};
        grt_audit_records(&builder->scenario, &promise, NULL, 0, &rules, true);
        for (size_t i = 0; i < rules.count; i++) {
            if (!is_in(page, rules.rule[i])) {
                fprintf(stderr, "docs/auditor.md does not say \"%s\"\n", rules.rule[i]);
                CU_ASSERT(false);
            }
        }
        CU_ASSERT(rules.count > 29);
        grt_arena_clear(&arena);
        grt_builder_free(builder);
    }
    free(page);
}

/* The auditor and the tests go by it: a policy that says nothing would not be checked. */
static void every_policy_promises_something(void) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        const struct grt_promise *promise = &(*policy)->promise;
        CU_ASSERT_NOT_EQUAL(promise->gpu, GRT_PROMISE_UNSTATED);
        CU_ASSERT_EQUAL(promise->whole, (*policy)->gpu_piece_done == NULL);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a finding says what is wrong", a_finding_says_what_is_wrong},
        {"the first findings are kept, all are counted", the_first_findings_are_kept_and_all_are_counted},
        {"the promise picks the rules", the_promise_picks_the_rules},
        {"orders have their names", orders_have_their_names},
        {"an unknown order leaves the rest", an_unknown_order_leaves_the_rest},
        {"every policy promises something", every_policy_promises_something},
        {"the library is sound", the_library_is_sound},
        {"memory does not grow with the trace", memory_does_not_grow_with_the_trace},
        {"the page names every rule", the_page_names_every_rule},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("audit", tests);
}
