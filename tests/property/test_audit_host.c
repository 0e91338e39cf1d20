/* labels: soak */
/* The auditor and the cores: it accepts every trace of worlds with host parts, costs, locks, and refuses those of policies that do something wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/locks/parameters.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/faulty_policies.h"
#include "tests/support/hosted_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "verify/promised.h"

/* A run under a policy that may be none of the registered ones; what it promised is filled in by the caller. */
static bool run(struct grt_built_run *run, const struct grt_builder *builder,
                const struct grt_policy_ops *policy, const void *parameters,
                struct grt_audit_promise *promise) {
    *run = (struct grt_built_run){.trace = grt_trace_create()};
    grt_trace_add_sink(run->trace, &grt_trace_memory_sink, &run->kept);
    run->world = grt_world_create(&builder->scenario, policy, parameters,
                                  &(struct grt_world_options){.trace = run->trace}, &run->errors);
    if (run->world != NULL) {
        grt_world_run(run->world);
        run->result = grt_world_result(run->world);
        grt_trace_finish(run->trace);
        promise->policy = policy->promise;
        promise->end = run->result->end;
    }
    return run->world != NULL;
}

static bool is_accepted(const struct grt_builder *builder, const struct grt_policy_ops *policy,
                        const void *parameters, struct grt_audit_promise promise,
                        struct grt_audit_tally *tally, uint64_t number) {
    struct grt_built_run seen;
    bool good = !run(&seen, builder, policy, parameters, &promise) ||
                grt_audit_records(&builder->scenario, &promise, seen.kept.records, seen.kept.record_count,
                                  tally, false) == 0;
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy->name);
    }
    grt_built_run_free(&seen);
    return good;
}

/* ---- policies that leave the host's side to the jobs ---- */

static struct grt_audit_tally plain;

static void host_parts_are_accepted(void) {
    int cases = grt_suite_cases(400, 20000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        uint64_t number = 7000000 + (uint64_t)i;
        struct grt_builder *builder = grt_hosted_world(number);
        for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
            if ((*policy)->host == GRT_HOST_BY_JOB && (*policy)->promise.whole) {
                bad += !grt_audited_world_is_sound(builder, *policy, &plain, number);
            }
        }
        grt_builder_free(builder);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* ---- locks ---- */

static struct grt_audit_tally locks;
static int64_t ceilings[GRT_BUILDER_TASKS];

static struct grt_host_lock lock_of(const struct grt_builder *builder, uint64_t number,
                                    const struct grt_policy_ops *policy, struct grt_audit_lock *stated) {
    struct grt_host_lock lock = {
        .by_request = policy == &grt_host_fmlp, .spins = number / 2 % 2 == 0, .boost = 100};
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        ceilings[i] = builder->tasks[i].priority;
    }
    *stated = (struct grt_audit_lock){.spins = lock.spins, .ceilings = number % 5 > 0 ? ceilings : NULL};
    return lock;
}

static void locks_are_accepted(void) {
    int cases = grt_suite_cases(600, 30000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        uint64_t number = 7100000 + (uint64_t)i;
        struct grt_builder *builder = grt_hosted_world(number);
        const struct grt_policy_ops *policy = i % 2 == 0 ? &grt_host_mpcp : &grt_host_fmlp;
        struct grt_audit_lock stated;
        struct grt_host_lock lock = lock_of(builder, number, policy, &stated);
        bad +=
            !is_accepted(builder, policy, &lock, (struct grt_audit_promise){.lock = &stated}, &locks, number);
        grt_builder_free(builder);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* How often a fault was found under a rule. */
static int found_under(const struct grt_policy_ops *policy, enum grt_host_fault fault, const char *rule,
                       int cases) {
    int found = 0;
    for (int i = 0; i < cases; i++) {
        uint64_t number = 7200000 + (uint64_t)i;
        struct grt_builder *builder = grt_hosted_world(number);
        struct grt_audit_lock stated;
        struct grt_host_lock lock = lock_of(builder, number, policy, &stated);
        struct grt_audit_promise promise = {.lock = &stated};
        struct grt_audit_tally tally = {0};
        struct grt_built_run seen;
        lock.fault = fault;
        if (run(&seen, builder, policy, &lock, &promise)) {
            grt_audit_records(&builder->scenario, &promise, seen.kept.records, seen.kept.record_count, &tally,
                              true);
            size_t place = grt_audit_tally_find(&tally, rule);
            found += place < tally.count && tally.broken[place] > 0;
        }
        grt_built_run_free(&seen);
        grt_builder_free(builder);
    }
    return found;
}

static void faults_of_locks_are_found(void) {
    static const struct {
        enum grt_host_fault fault;
        const char *mpcp, *fmlp;
    } cases[] = {
        {GRT_HOST_LAST_FIRST, "policy: highest priority first", "policy: first come, first served"},
        {GRT_HOST_TWO_AT_A_TIME, "lock: one holder at a time", "lock: one holder at a time"},
        {GRT_HOST_LEAVES_IDLE, "lock: no GPU is free while somebody asks for it",
         "lock: no GPU is free while somebody asks for it"},
        {GRT_HOST_NOT_BOOSTED, "lock: no GPU is free while somebody asks for it",
         "lock: no GPU is free while somebody asks for it"},
        {GRT_HOST_BOOSTED_LONG, "lock: boosted exactly while it holds",
         "lock: boosted exactly while it holds"},
        {GRT_HOST_BOOSTED_BADLY, "lock: boosted exactly while it holds",
         "lock: boosted exactly while it holds"},
        {GRT_HOST_WAITS_BADLY, "lock: waits for the GPU as stated", "lock: waits for the GPU as stated"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int mpcp = found_under(&grt_host_mpcp, cases[i].fault, cases[i].mpcp, 60);
        int fmlp = found_under(&grt_host_fmlp, cases[i].fault, cases[i].fmlp, 60);
        if (mpcp < 10 || fmlp < 10) {
            fprintf(stderr, "fault %d: found in %d and %d of 60\n", (int)cases[i].fault, mpcp, fmlp);
        }
        CU_ASSERT(mpcp >= 10 && fmlp >= 10);
    }
}

/* A lock that promises another order than it has is held to what it promises. */
static void other_orders_are_found(void) {
    static const struct {
        enum grt_promise_order order;
        const char *rule;
    } cases[] = {{GRT_ORDER_REQUEST, "policy: first come, first served"},
                 {GRT_ORDER_DEADLINE, "policy: earliest deadline first"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_policy_ops other = grt_host_mpcp;
        other.promise.order = cases[i].order;
        int found = found_under(&other, GRT_HOST_NO_FAULT, cases[i].rule, 60);
        CU_ASSERT(found >= 10);
    }
}

/* ---- servers ---- */

static struct grt_audit_tally servers;

static struct grt_host_server server_of(const struct grt_builder *builder, uint64_t number,
                                        struct grt_audit_promise *promise, struct grt_audit_server *stated) {
    int64_t cores = builder->scenario.core_count;
    struct grt_host_server server = {.core = cores > 0 && number % 4 > 0 ? (int64_t)(number % (uint64_t)cores)
                                                                         : -1,
                                     .cost = (grt_time)(number / 2 % 4),
                                     .charged = number / 8 % 2 == 1};
    *stated = (struct grt_audit_server){.cost = server.cost, .charged = server.charged};
    *promise = (struct grt_audit_promise){.server = stated, .threads = (uint32_t)builder->scenario.gpu_count};
    return server;
}

static struct grt_builder *served_world(uint64_t number) {
    struct grt_builder *builder = grt_hosted_world(number);
    builder->scenario.gpu_count = 1; /* servers of one core would delay each other */
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].gpu = 0;
    }
    return builder;
}

static void servers_are_accepted(void) {
    int cases = grt_suite_cases(600, 30000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        uint64_t number = 7300000 + (uint64_t)i;
        struct grt_builder *builder = served_world(number);
        struct grt_audit_promise promise;
        struct grt_audit_server stated;
        struct grt_host_server server = server_of(builder, number, &promise, &stated);
        bad += !is_accepted(builder, &grt_host_server, &server, promise, &servers, number);
        grt_builder_free(builder);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static int found_of_server(enum grt_host_fault fault, const char *rule, int cases) {
    int found = 0;
    for (int i = 0; i < cases; i++) {
        uint64_t number = 7400000 + (uint64_t)i;
        struct grt_builder *builder = served_world(number);
        struct grt_audit_promise promise;
        struct grt_audit_server stated;
        struct grt_host_server server = server_of(builder, number, &promise, &stated);
        struct grt_audit_tally tally = {0};
        struct grt_built_run seen;
        server.fault = fault;
        if (run(&seen, builder, &grt_host_server, &server, &promise)) {
            grt_audit_records(&builder->scenario, &promise, seen.kept.records, seen.kept.record_count, &tally,
                              true);
            size_t place = grt_audit_tally_find(&tally, rule);
            found += place < tally.count && tally.broken[place] > 0;
        }
        grt_built_run_free(&seen);
        grt_builder_free(builder);
    }
    return found;
}

static void faults_of_servers_are_found(void) {
    static const struct {
        enum grt_host_fault fault;
        const char *rule;
    } cases[] = {
        {GRT_HOST_LAST_FIRST, "policy: highest priority first"},
        {GRT_HOST_SLOW, "server: never idle while a request waits"},
        {GRT_HOST_COST_FORGOTTEN, "server: host parts and epsilon as stated"},
        {GRT_HOST_PART_CHANGED, "server: host parts and epsilon as stated"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int found = found_of_server(cases[i].fault, cases[i].rule, 100);
        if (found < 10) {
            fprintf(stderr, "fault %d: found in %d of 100\n", (int)cases[i].fault, found);
        }
        CU_ASSERT(found >= 10);
    }
}

/* ---- the policies that gpurt has ---- */

static struct grt_audit_tally registered;

/* Parameters as number `number` has them; NULL: the defaults. */
static const void *parameters_of(const struct grt_policy_ops *policy, const struct grt_builder *builder,
                                 uint64_t number, struct grt_lock_parameters *lock,
                                 struct grt_server_parameters *server) {
    int64_t cores = builder->scenario.core_count;
    *lock = (struct grt_lock_parameters){.waiting = number / 2 % 2 == 0 ? GRT_LOCK_SPIN : GRT_LOCK_SUSPEND,
                                         .boost = number / 4 % 2 == 0 ? GRT_LOCK_BOOST_CEILING
                                                                      : GRT_LOCK_BOOST_OWN};
    *server = (struct grt_server_parameters){
        .core = cores > 0 && number % 4 > 0 ? (int64_t)(number % (uint64_t)cores) : -1,
        .epsilon = (grt_time)(number / 2 % 4),
        .enqueue_cost = number / 8 % 2 == 0 ? GRT_LOCK_ENQUEUE_MERGED : GRT_LOCK_ENQUEUE_CHARGED};
    return policy->promise.gpu == GRT_PROMISE_LOCK     ? (const void *)lock
           : policy->promise.gpu == GRT_PROMISE_SERVER ? (const void *)server
                                                       : NULL;
}

static void our_policies_are_accepted(void) {
    int cases = grt_suite_cases(400, 20000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        uint64_t number = 7500000 + (uint64_t)i;
        for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
            bool server = (*policy)->promise.gpu == GRT_PROMISE_SERVER;
            struct grt_builder *builder = server ? served_world(number) : grt_hosted_world(number);
            struct grt_lock_parameters lock;
            struct grt_server_parameters served;
            struct grt_arena arena = {0};
            if ((*policy)->host != GRT_HOST_BY_JOB) {
                const void *given = parameters_of(*policy, builder, number, &lock, &served);
                bad += !is_accepted(builder, *policy, given,
                                    grt_promised(&builder->scenario, *policy, given, &arena), &registered,
                                    number);
            }
            grt_arena_clear(&arena);
            grt_builder_free(builder);
        }
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* ---- what was checked ---- */

static void every_rule_had_something_to_check(void) {
    const struct grt_audit_tally *tallies[] = {&plain, &locks, &servers};
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < tallies[i]->count; j++) {
            bool cpu = strncmp(tallies[i]->rule[j], "cpu: ", 5) == 0;
            bool own =
                strncmp(tallies[i]->rule[j], "mpcp", 4) == 0 || strncmp(tallies[i]->rule[j], "fmlp", 4) == 0;
            bool only_locks = strcmp(tallies[i]->rule[j], "cpu: priorities change only as promised") == 0;
            if ((cpu || own) && (i == 1 || !only_locks) && tallies[i]->checked[j] < 50) {
                fprintf(stderr, "%s: checked %" PRIu64 " times\n", tallies[i]->rule[j],
                        tallies[i]->checked[j]);
                CU_ASSERT(false);
            }
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"host parts are accepted", host_parts_are_accepted},
        {"locks are accepted", locks_are_accepted},
        {"faults of locks are found", faults_of_locks_are_found},
        {"other orders are found", other_orders_are_found},
        {"servers are accepted", servers_are_accepted},
        {"faults of servers are found", faults_of_servers_are_found},
        {"our policies are accepted", our_policies_are_accepted},
        {"every rule had something to check", every_rule_had_something_to_check},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor and the cores", tests);
}
