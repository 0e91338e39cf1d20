/* labels: soak branches */
/* The auditor of GPUs of granularity shares: its own reading of F1 to F5 accepts what the simulator does, in random worlds under every policy that runs
 * there and under one that changes shares at random; and it finds what is spoilt. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/shares_world.h"
#include "tests/support/spoilt_shares.h"
#include "tests/support/suite.h"
#include "verify/audit/speeds.h"

static struct grt_audit_tally tally;

static bool world_is_sound(uint64_t number) {
    struct grt_builder *builder = grt_shares_world(number);
    bool good = grt_audited_world_is_sound(builder, &grt_fickle_policy, &tally, number);
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        good &= grt_audited_world_is_sound(builder, *policy, &tally, number);
    }
    grt_builder_free(builder);
    return good;
}

static void traces_are_accepted(void) {
    int cases = grt_suite_cases(80, 100000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        bad += !world_is_sound(5000000 + (uint64_t)i);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* After that. */
static void every_rule_had_something_to_check(void) {
    size_t found = 0;
    for (size_t i = 0; i < tally.count; i++) {
        if (strncmp(tally.rule[i], "share", 5) == 0) { /* shares: and shared: */
            found++;
            CU_ASSERT(tally.checked[i] >= 60);
        }
    }
    CU_ASSERT_EQUAL(found, 8);
}

/* ---- speeds ---- */

/* The simulator's speeds and the auditor's, of the kernels of a world, each with a random share. */
static bool speeds_agree(uint64_t number) {
    enum { MOST = 12 };
    struct grt_builder *builder = grt_shares_world(number);
    struct grt_random random = grt_random_stream(number, "speeds", 0, 0);
    const struct grt_device *device = &builder->gpus[0];
    struct grt_arena arena = {0};
    struct grt_contention *contention = grt_contention_create(device, &arena);
    struct grt_sharer theirs[MOST];
    struct audit_sharer ours[MOST];
    double their_speeds[MOST], our_speeds[MOST], most = 0;
    uint32_t count = 0;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &builder->segments[i][j];
            for (size_t k = 0; k < segment->command_count && count < MOST; k++) {
                const struct grt_kernel *kernel = &segment->commands[k].kernel;
                if (segment->commands[k].kind == GRT_COMMAND_KERNEL && kernel->usage != NULL) {
                    int64_t share = grt_pick(&random, 0, 4) * grt_pick(&random, 0, 25);
                    theirs[count] = (struct grt_sharer){kernel->usage,
                                                        grt_device_class(device, kernel->class_name), share};
                    ours[count++] = (struct audit_sharer){kernel->usage, kernel->class_name, share};
                }
            }
        }
    }
    grt_contention_speeds(contention, theirs, count, their_speeds);
    bool known = audit_speeds_of(device, ours, count, our_speeds);
    for (uint32_t i = 0; i < count; i++) {
        most = fmax(most, fabs(their_speeds[i] - our_speeds[i]));
    }
    bool good = known && most <= audit_speed_error(device);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 ": speeds of %" PRIu32 " kernels differ by %g\n", number, count,
                most);
    }
    grt_arena_clear(&arena);
    grt_builder_free(builder);
    return good;
}

/* Five groups, each of which uses what the next one waits for: halved steps go round in circles there. The auditor does not know the speeds, and says
 * nothing of what ran. */
static void circles_are_not_known(void) {
    enum { GROUPS = GRT_RESOURCES, EACH = 8, ALL = GROUPS * EACH };
    static struct grt_usage usages[GROUPS];
    struct grt_builder *builder = grt_builder_create(GRT_SECOND);
    struct grt_device device = grt_built_device(10);
    struct audit_sharer sharers[ALL];
    double speeds[ALL];
    device.granularity = GRT_GRANULARITY_SHARES;
    device.contention = GRT_CONTENTION_SATURATION;
    device.contention_exponent = 0.9;
    device.contention_latency = (struct grt_resource_numbers){0.15, 0.3, 0.5, 0.1, 0.15};
    grt_builder_gpu(builder, device);
    for (int i = 0; i < ALL; i++) {
        struct grt_usage *usage = &usages[i % GROUPS];
        *usage = (struct grt_usage){.sm_utilisation = 1};
        usage->demand[i % GROUPS] = usage->bound[(i + 1) % GROUPS] = 1;
        sharers[i] = (struct audit_sharer){usage, NULL, GRT_FULL_SHARE};
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_at(builder, task, 0);
        grt_builder_whole(builder, task, 1000 + i)->usage = usage;
    }
    CU_ASSERT_FALSE(audit_speeds_of(&device, sharers, ALL, speeds));
    CU_ASSERT_TRUE(audit_speeds_of(&device, sharers, GROUPS - 1, speeds));
    CU_ASSERT_TRUE(grt_audited_world_is_sound(builder, grt_policy_find("hardware"), &tally, 0));
    grt_builder_free(builder);
}

static void speeds_are_the_same(void) {
    int cases = grt_suite_cases(600, 100000), bad = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        bad += !speeds_agree(6000000 + (uint64_t)i);
    }
    CU_ASSERT_EQUAL(bad, 0);
}

/* ---- what is spoilt ---- */

static bool breaks(const char *rule, const struct grt_scenario *scenario,
                   const struct grt_audit_promise *promise, const struct grt_trace_record *records,
                   size_t count) {
    static struct grt_audit_tally found;
    found.count = 0;
    grt_audit_records(scenario, promise, records, count, &found, true);
    size_t place = grt_audit_tally_find(&found, rule);
    return place < found.count && found.broken[place] > 0;
}

/* Spoils a run of a world: 1 if it was refused under the rule, 0 if there was nothing to spoil, -1 if it was not. */
static int try_world(const struct grt_shares_spoiling *spoiling, uint64_t number) {
    struct grt_builder *builder = grt_shares_world_of_fixed_times(number);
    struct grt_random random = grt_random_stream(number, "spoil", 0, 0);
    struct grt_audited_run audited;
    int found = 0;
    grt_audited_run_start(&audited, &builder->scenario, &grt_fickle_policy, NULL);
    size_t count = audited.run.kept.record_count;
    struct grt_spoilt spoilt = {.builder = builder,
                                .records = grt_allocate((count + 1) * sizeof(struct grt_trace_record)),
                                .count = count,
                                .promise = &audited.promise,
                                .random = &random};
    if (audited.run.result != NULL && count > 0) {
        memcpy(spoilt.records, audited.run.kept.records, count * sizeof *spoilt.records);
        if (spoiling->spoil(&spoilt)) {
            found = breaks(spoiling->rule, &builder->scenario, &audited.promise, spoilt.records, spoilt.count)
                        ? 1
                        : -1;
        }
    }
    free(spoilt.records);
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return found;
}

static void what_is_spoilt_is_found(void) {
    int wanted = grt_suite_cases(25, 600);
    for (const struct grt_shares_spoiling *spoiling = grt_shares_spoilings; spoiling->spoil != NULL;
         spoiling++) {
        int found = 0, tried = 0;
        for (uint64_t number = 0; tried < wanted && number < 100 * (uint64_t)wanted; number++) {
            int result = try_world(spoiling, number);
            found += result > 0;
            tried += result != 0;
            if (result < 0 && spoiling->percent == 100) {
                fprintf(stderr, "%s (%s): not found in world %" PRIu64 "\n", spoiling->what, spoiling->rule,
                        number);
                break;
            }
        }
        bool enough = tried >= wanted / 3 && 100 * found >= spoiling->percent * tried;
        if (!enough) {
            fprintf(stderr, "%s (%s): %d of %d\n", spoiling->what, spoiling->rule, found, tried);
        }
        CU_ASSERT(enough);
    }
}

/* ---- sums of shares ---- */

/* Whether two that have a segment on a GPU ever have more than all of it at the end of an instant: from the records, one by one. */
static bool sums_are_kept(const struct grt_scenario *scenario, const struct grt_trace_memory *kept) {
    int64_t shares[GRT_BUILDER_TASKS];                                  /* by stream: one per task */
    bool open[GRT_BUILDER_TASKS] = {0}, known[GRT_BUILDER_TASKS] = {0}; /* known: it was ever submitted */
    for (size_t i = 0; i < GRT_BUILDER_TASKS; i++) {
        shares[i] = GRT_FULL_SHARE;
    }
    for (size_t i = 0; i < kept->record_count; i++) {
        const struct grt_trace_record *record = &kept->records[i];
        if (record->kind == GRT_TRACE_GPU_SEGMENT && record->row != GRT_TRACE_NO_ROW) {
            known[record->task] = true;
        }
    }
    for (size_t i = 0; i < kept->record_count; i++) {
        const struct grt_trace_record *record = &kept->records[i];
        bool ended = record->kind == GRT_TRACE_GPU_SEGMENT && (record->flags & GRT_TRACE_OPEN) == 0;
        if (record->kind == GRT_TRACE_SHARE) {
            shares[record->row] = record->other;
        } else if (record->kind == GRT_TRACE_GPU_REQUEST || ended) {
            open[record->task] = !ended;
        }
        bool over = i + 1 == kept->record_count || kept->records[i + 1].time > record->time;
        for (size_t gpu = 0; over && gpu < scenario->gpu_count; gpu++) {
            int64_t sum = 0;
            for (size_t task = 0; task < scenario->task_count; task++) {
                sum +=
                    open[task] && known[task] && scenario->tasks[task].gpu == (int64_t)gpu ? shares[task] : 0;
            }
            if (sum > GRT_FULL_SHARE) {
                return false;
            }
        }
    }
    return true;
}

/* The fickle policy gives task i the ith stream where there is one GPU. Returns whether the auditor says of sums what they are. */
static bool sums_are_seen(uint64_t number, int *kept_sums, int *broken_sums) {
    struct grt_builder *builder = grt_shares_world_of_fixed_times(number);
    struct grt_audited_run audited;
    bool good = true;
    grt_audited_run_start(&audited, &builder->scenario, &grt_fickle_policy, NULL);
    if (audited.run.result != NULL && builder->scenario.gpu_count == 1) {
        struct grt_audit_promise promise = audited.promise;
        const struct grt_trace_memory *kept = &audited.run.kept;
        promise.policy.gpu = GRT_PROMISE_SHARES;
        bool sums = sums_are_kept(&builder->scenario, kept);
        *(sums ? kept_sums : broken_sums) += 1;
        good = sums != breaks("shared: never more than all of a GPU", &builder->scenario, &promise,
                              kept->records, kept->record_count);
    }
    if (!good) {
        fprintf(stderr, "world %" PRIu64 ": sums\n", number);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return good;
}

static void sums_of_shares_are_seen(void) {
    int cases = grt_suite_cases(120, 5000), bad = 0, kept = 0, broken = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        bad += !sums_are_seen((uint64_t)i, &kept, &broken);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(kept >= cases / 20 && broken >= cases / 20);
}

/* ---- a stream per task ---- */

/* Whether something of two tasks was in one stream; tasks that had a segment and were in none say nothing. */
static bool streams_are_apart(const struct grt_trace_memory *kept) {
    uint32_t owner[GRT_BUILDER_TASKS];
    for (size_t i = 0; i < GRT_BUILDER_TASKS; i++) {
        owner[i] = UINT32_MAX;
    }
    for (size_t i = 0; i < kept->record_count; i++) {
        const struct grt_trace_record *record = &kept->records[i];
        bool in_stream = record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_GPU_SEGMENT ||
                         record->kind == GRT_TRACE_CALL;
        if (in_stream && record->row != GRT_TRACE_NO_ROW) {
            if (owner[record->row] != UINT32_MAX && owner[record->row] != record->task) {
                return false;
            }
            owner[record->row] = record->task;
        }
    }
    return true;
}

static bool streams_are_seen(uint64_t number, int *apart_count, int *together_count) {
    struct grt_builder *builder = grt_shares_world_of_fixed_times(number);
    struct grt_audited_run audited;
    bool good = true;
    grt_audited_run_start(&audited, &builder->scenario, grt_policy_find("hardware"), NULL);
    if (audited.run.result != NULL) {
        struct grt_audit_promise promise = audited.promise;
        const struct grt_trace_memory *kept = &audited.run.kept;
        promise.policy.gpu = GRT_PROMISE_SHARES;
        bool apart = streams_are_apart(kept);
        *(apart ? apart_count : together_count) += 1;
        good = apart != breaks("shared: a stream per task", &builder->scenario, &promise, kept->records,
                               kept->record_count);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    return good;
}

static void streams_of_two_tasks_are_seen(void) {
    int cases = grt_suite_cases(100, 5000), bad = 0, apart = 0, together = 0;
    for (int i = 0; bad < 3 && i < cases; i++) {
        bad += !streams_are_seen((uint64_t)i, &apart, &together);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(apart >= cases / 20 && together >= cases / 20);
}

/* ---- rubbish ---- */

static void litter(struct grt_random *random, struct grt_trace_record *record, grt_time last) {
    switch (grt_pick(random, 0, 6)) {
    case 0:
        record->time = grt_pick(random, 0, last);
        break;
    case 1:
        record->other = grt_pick(random, -5, last);
        break;
    case 2:
        record->kind =
            (uint8_t)(grt_pick(random, 0, 1) == 0 ? GRT_TRACE_SHARE : grt_pick(random, 0, GRT_TRACE_KINDS));
        break;
    case 3:
        record->row = (uint32_t)(grt_pick(random, 0, 3) << 16 | grt_pick(random, 0, 70000));
        break;
    case 4:
        record->task = grt_pick(random, 0, 1) == 0 ? GRT_TRACE_NO_TASK : (uint16_t)grt_pick(random, 0, 9);
        break;
    case 5:
        record->detail = (uint32_t)(grt_pick(random, 0, 3) << 16 | grt_pick(random, 0, 6));
        break;
    default:
        record->flags ^= (uint8_t)(1 << grt_pick(random, 0, 4));
        break;
    }
}

/* Whatever the records say, the auditor comes to its end. */
static void rubbish_does_no_harm(void) {
    int cases = grt_suite_cases(100, 10000);
    uint64_t broken = 0;
    for (int i = 0; i < cases; i++) {
        struct grt_builder *builder = grt_shares_world((uint64_t)i);
        struct grt_random random = grt_random_stream((uint64_t)i, "rubbish", 0, 0);
        struct grt_audited_run audited;
        grt_audited_run_start(&audited, &builder->scenario, &grt_fickle_policy, NULL);
        for (size_t j = 0; audited.run.result != NULL && j < audited.run.kept.record_count; j++) {
            if (grt_pick(&random, 0, 9) == 0) {
                litter(&random, &audited.run.kept.records[j], audited.promise.end);
            }
        }
        audited.promise.policy.gpu = i % 2 == 0 ? GRT_PROMISE_SHARES : GRT_PROMISE_AT_ONCE;
        broken += grt_audit_records(&builder->scenario, &audited.promise, audited.run.kept.records,
                                    audited.run.kept.record_count, NULL, true) > 0;
        grt_audited_run_free(&audited);
        grt_builder_free(builder);
    }
    CU_ASSERT(broken > (uint64_t)cases / 2);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"traces of random worlds are accepted", traces_are_accepted},
        {"every rule had something to check", every_rule_had_something_to_check},
        {"speeds are the same", speeds_are_the_same},
        {"circles are not known", circles_are_not_known},
        {"what is spoilt is found", what_is_spoilt_is_found},
        {"sums of shares are seen", sums_of_shares_are_seen},
        {"streams of two tasks are seen", streams_of_two_tasks_are_seen},
        {"rubbish does no harm", rubbish_does_no_harm},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor of shares", tests);
}
