/* labels: soak */
/* Every rule of the auditor sees what breaks it: sound traces of random worlds, each spoilt in one way (tests/support/spoilt_trace.c), are
 * refused under the rule that the way breaks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/locks/parameters.h"
#include "policies/registry.h"
#include "tests/support/hosted_world.h"
#include "tests/support/pick.h"
#include "tests/support/spoilt_host.h"
#include "tests/support/suite.h"

enum { MOST_WORLDS = 4000 };

static bool is_found(const struct grt_spoiling *spoiling, struct grt_audited_run *audited,
                     struct grt_spoilt *spoilt) {
    static struct grt_audit_tally tally; /* only the rules' names stay */
    tally.count = 0;
    grt_audit_records(&spoilt->builder->scenario, &audited->promise, spoilt->records, spoilt->count, &tally,
                      true);
    size_t place = grt_audit_tally_find(&tally, spoiling->rule);
    return place < tally.count && tally.broken[place] > 0;
}

/* Parameters of the policies that need them. */
struct given {
    struct tdm_parameters tdm;
    struct grt_server_parameters server;
};

static struct given given_of(uint64_t number) {
    return (struct given){
        .tdm = {.rule = {.method = TDM_EXACT, .count = TDM_COUNT_SOUND, .slots = (int64_t)(number % 2)}},
        .server = {.core = -1, .epsilon = 3, .enqueue_cost = (int64_t)(number / 2 % 2)}};
}

static const void *parameters_of(const struct grt_policy_ops *policy, const struct given *given) {
    return policy->promise.gpu == GRT_PROMISE_SLOTS    ? (const void *)&given->tdm
           : policy->promise.gpu == GRT_PROMISE_SERVER ? (const void *)&given->server
                                                       : policy->permissive;
}

static struct grt_builder *make_world(uint64_t number, int kind) {
    if (kind != GRT_SPOILT_HOSTED) {
        return kind == GRT_SPOILT_SLOTTED ? grt_slotted_world(number)
                                          : grt_audited_world(number, (enum grt_audited_kind)kind);
    }
    struct grt_builder *builder = grt_hosted_world(number);
    builder->scenario.gpu_count = 1;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].gpu = 0;
    }
    return builder;
}

/* Spoils a run of a world: 1 if it was refused under the rule, 0 if there was nothing to spoil, -1 if it was not. */
static int try_world(const struct grt_spoiling *spoiling, uint64_t number) {
    bool slotted = spoiling->kind == GRT_SPOILT_SLOTTED;
    struct given given = given_of(number);
    const struct grt_policy_ops *policy = grt_policy_find(spoiling->policy);
    struct grt_builder *builder = make_world(number, spoiling->kind);
    struct grt_random random = grt_random_stream(number, "spoil", 0, 0);
    struct grt_audited_run audited;
    int found = 0;
    grt_audited_run_start(&audited, &builder->scenario, policy, parameters_of(policy, &given));
    if (audited.run.kept.record_count > 0 && (!slotted || audited.promise.slots != NULL)) {
        size_t count = audited.run.kept.record_count;
        struct grt_spoilt spoilt = {
            .builder = builder,
            .records = grt_allocate((count + 1) * sizeof(struct grt_trace_record)),
            .count = count,
            .promise = &audited.promise,
            .slots = (struct grt_audit_slots *)(uintptr_t)audited.promise.slots, /* the run's own, */
            .lock = (struct grt_audit_lock *)(uintptr_t)audited.promise.lock,    /* in its arena */
            .server = (struct grt_audit_server *)(uintptr_t)audited.promise.server,
            .random = &random};
        memcpy(spoilt.records, audited.run.kept.records, count * sizeof *spoilt.records);
        if (spoiling->spoil(&spoilt)) {
            found = is_found(spoiling, &audited, &spoilt) ? 1 : -1;
        }
        free(spoilt.records);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return found;
}

/* One that the auditor need not see wherever it is done: what it does not know leaves room. */
static bool is_often_found(const struct grt_spoiling *spoiling, int once_in, int wanted) {
    int found = 0, missed = 0;
    for (uint64_t number = 0; found + missed < wanted && number < (uint64_t)MOST_WORLDS * 10; number++) {
        int result = try_world(spoiling, number);
        found += result > 0;
        missed += result < 0;
    }
    bool good = found + missed >= wanted && found * once_in >= found + missed;
    if (!good) {
        fprintf(stderr, "%s (%s): found %d, missed %d\n", spoiling->what, spoiling->rule, found, missed);
    }
    return good;
}

static bool is_always_found(const struct grt_spoiling *spoiling, int wanted) {
    int found = 0;
    for (uint64_t number = 0; found < wanted && number < (uint64_t)MOST_WORLDS * 100; number++) {
        int result = try_world(spoiling, number);
        if (result < 0) {
            fprintf(stderr, "%s (%s), world %" PRIu64 ": not found\n", spoiling->what, spoiling->rule,
                    number);
            return false;
        }
        found += result;
        if (number >= MOST_WORLDS && found == 0) {
            break;
        }
    }
    if (found < wanted) {
        fprintf(stderr, "%s (%s): only %d to spoil\n", spoiling->what, spoiling->rule, found);
    }
    return found >= wanted;
}

static void what_is_spoilt_is_found(void) {
    int wanted = grt_suite_cases(50, 3000);
    for (const struct grt_spoiling *spoiling = grt_spoilings; spoiling->spoil != NULL; spoiling++) {
        CU_ASSERT(is_always_found(spoiling, wanted));
    }
    for (const struct grt_host_spoiling *host = grt_host_spoilings; host->spoiling.spoil != NULL; host++) {
        CU_ASSERT(is_often_found(&host->spoiling, host->once_in, wanted));
    }
}

/* ---- rubbish ---- */

static void litter(struct grt_random *random, struct grt_trace_record *record,
                   const struct grt_audited_run *audited) {
    switch (grt_pick(random, 0, 7)) {
    case 0:
        record->time = grt_pick(random, 0, audited->promise.end);
        break;
    case 1:
        record->other = grt_pick(random, 0, audited->promise.end);
        break;
    case 2:
        record->job += (uint32_t)grt_pick(random, -2, 2);
        break;
    case 3:
        record->detail = (uint32_t)(grt_pick(random, 0, 3) << 16 | grt_pick(random, 0, 6));
        break;
    case 4:
        record->row = (uint32_t)(grt_pick(random, 0, 3) << 16 | grt_pick(random, 0, 9));
        break;
    case 5:
        record->task = (uint16_t)grt_pick(random, 0, 9);
        break;
    case 6:
        record->kind = (uint8_t)grt_pick(random, 0, GRT_TRACE_KINDS);
        break;
    default:
        record->flags ^= (uint8_t)(1 << grt_pick(random, 0, 4));
        break;
    }
}

/* Whatever the records say, the auditor comes to its end; and it does not say that a trace with much rubbish is sound. */
static bool survives(uint64_t number) {
    struct given given = given_of(number);
    struct grt_random random = grt_random_stream(number, "rubbish", 0, 0);
    size_t policies = 0;
    while (grt_policies[policies] != NULL) {
        policies++;
    }
    CU_ASSERT_FATAL(policies > 0);
    int64_t kind = grt_pick(&random, GRT_SPOILT_HOSTED, GRT_AUDITED_KINDS - 1);
    struct grt_builder *builder = make_world(number, (int)kind);
    const struct grt_policy_ops *policy = kind == GRT_SPOILT_SLOTTED  ? grt_policy_find("tdm")
                                          : kind <= GRT_AUDITED_CALLS ? grt_policies[number % policies]
                                                                      : grt_policy_find("hardware");
    struct grt_audited_run audited;
    grt_audited_run_start(&audited, &builder->scenario, policy, parameters_of(policy, &given));
    size_t count = audited.run.kept.record_count;
    bool good = true;
    if (audited.run.result != NULL && count > 0) {
        for (size_t i = 0; i < count; i++) {
            if (grt_pick(&random, 0, 9) == 0) {
                litter(&random, &audited.run.kept.records[i], &audited);
            }
        }
        good = grt_audit_records(audited.scenario, &audited.promise, audited.run.kept.records, count, NULL,
                                 true) > 0 ||
               count < 500;
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return good;
}

static void rubbish_does_no_harm(void) {
    int cases = grt_suite_cases(500, 100000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = survives(6000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is spoilt is found", what_is_spoilt_is_found},
        {"rubbish does no harm", rubbish_does_no_harm},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor refuses what is spoilt", tests);
}
