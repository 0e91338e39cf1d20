/* labels: soak */
/* The auditor accepts what the simulator does: random worlds of every kind, under every policy; and no rule goes without anything to
 * check. That it refuses what is wrong is in test_audit_mutants.c and test_audit_policies.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/locks/parameters.h"
#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"
#include "verify/audit/internal.h"

static struct grt_audit_tally tally;

static bool is_sound(const struct grt_builder *builder, const struct grt_policy_ops *policy,
                     const struct tdm_parameters *given, uint64_t number, int kind) {
    struct grt_audited_run audited;
    struct grt_server_parameters server = {.core = -1, .epsilon = (grt_time)(number % 4)};
    const void *parameters = policy->promise.gpu == GRT_PROMISE_SLOTS    ? (const void *)given
                             : policy->promise.gpu == GRT_PROMISE_SERVER ? (const void *)&server
                                                                         : policy->permissive;
    grt_audited_run_start(&audited, &builder->scenario, policy, parameters);
    bool good = grt_audited_run_is_sound(&audited, &tally);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " of kind %d under %s\n", number, kind, policy->name);
    }
    grt_audited_run_free(&audited);
    return good;
}

static bool world_is_sound(uint64_t number, enum grt_audited_kind kind) {
    static const struct tdm_parameters all = {
        .rule = {.method = TDM_EXACT, .count = TDM_COUNT_SOUND, .period = 200}, .admit = TDM_ADMIT_ALL};
    struct tdm_parameters given = all;
    struct grt_builder *builder = grt_audited_world(number, kind);
    bool good = true;
    given.rule.slots = number % 2 == 0 ? TDM_SLOTS_PACKED : TDM_SLOTS_TABLE;
    for (const struct grt_policy_ops *const *policy = grt_policies; good && *policy != NULL; policy++) {
        bool fits = kind <= GRT_AUDITED_CALLS || (*policy)->promise.gpu == GRT_PROMISE_AT_ONCE;
        good = !fits || is_sound(builder, *policy, &given, number, (int)kind);
    }
    grt_builder_free(builder);
    return good;
}

static void traces_are_accepted(void) {
    int cases = grt_suite_all_cases(150, 10000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        for (int kind = 0; good && kind < GRT_AUDITED_KINDS; kind++) {
            good = world_is_sound(4000000 + (uint64_t)i, (enum grt_audited_kind)kind);
        }
    }
    CU_ASSERT(good);
}

static bool slots_are_sound(uint64_t number) {
    struct grt_builder *builder = grt_slotted_world(number);
    bool good = true;
    for (int64_t slots = TDM_SLOTS_PACKED; good && slots <= TDM_SLOTS_TABLE; slots++) {
        struct tdm_parameters given = {
            .rule = {.method = TDM_EXACT, .count = (int64_t)(number % 3), .slots = slots}};
        good = is_sound(builder, grt_policy_find("tdm"), &given, number, -1);
    }
    grt_builder_free(builder);
    return good;
}

static void slots_are_accepted(void) {
    int cases = grt_suite_all_cases(150, 10000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = slots_are_sound(4100000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

/* How many rules have a name that begins so, before the colon. */
static size_t rules_of(const char *family) {
    size_t count = 0;
    for (size_t i = 0; i < tally.count; i++) {
        count += strncmp(tally.rule[i], family, strlen(family)) == 0 && tally.rule[i][strlen(family)] == ':';
    }
    return count;
}

/* After all of the above: none is missing, and each was asked often. */
static void every_rule_had_something_to_check(void) {
    static const struct {
        const char *name;
        size_t rules;
    } families[] = {{"time", 2}, {"jobs", 10},  {"segments", 1}, {"cpu", 8},
                    {"gpu", 13}, {"policy", 7}, {"slots", 4},    {"server", 5},
                    {"lock", 4}, {"levels", 5}, {"places", 4},   {"batches", 7}};
    size_t all = 0;
    for (size_t i = 0; i < tally.count; i++) {
        if (strcmp(tally.rule[i], "server: tasks neither busy-wait nor are boosted") == 0 ||
            strcmp(tally.rule[i], "places: the most urgent goes first") == 0) {
            continue; /* test_audit_host.c, where tasks have to do with their cores; test_audit_parameters.c, where some are pinned */
        }
        if (tally.checked[i] < 50) {
            fprintf(stderr, "%s: checked %" PRIu64 " times\n", tally.rule[i], tally.checked[i]);
        }
        CU_ASSERT(tally.checked[i] >= 50);
    }
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        CU_ASSERT_EQUAL(rules_of(families[i].name), families[i].rules);
        all += families[i].rules;
    }
    CU_ASSERT_EQUAL(tally.count, all);
}

/* ---- how much is taken at a time ---- */

struct stay {
    grt_time start, end;
    int64_t units;
};

static int64_t most_at_a_time(const struct stay *stays, int count) {
    int64_t most = 0;
    for (int i = 0; i < count; i++) {
        int64_t sum = 0;
        for (int j = 0; j < count; j++) {
            sum += stays[j].start <= stays[i].start && stays[j].end > stays[i].start ? stays[j].units : 0;
        }
        most = sum > most ? sum : most;
    }
    return most;
}

/* Stays in the order of their ends find room exactly if at no instant more is taken than there is. */
static bool room_is_right(uint64_t number) {
    struct grt_random random = grt_random_stream(number, "room", 0, 0);
    struct stay stays[40];
    int count = (int)grt_pick(&random, 1, 40);
    grt_time end = 0;
    for (int i = 0; i < count; i++) {
        end += grt_pick(&random, 0, 3);
        stays[i] = (struct stay){.end = end + 1, .units = grt_pick(&random, 1, 6)};
        stays[i].start = stays[i].end - grt_pick(&random, 1, 12);
    }
    int64_t most = most_at_a_time(stays, count);
    for (int64_t units = most - 1; units <= most + 1; units++) {
        struct audit_room room = {0};
        bool fits = true;
        audit_room_start(&room, units);
        for (int i = 0; i < count; i++) {
            fits &= audit_room_take(&room, stays[i].start, stays[i].end, stays[i].units);
        }
        free(room.units);
        if (fits != (units >= most)) {
            fprintf(stderr, "case %" PRIu64 ": %" PRId64 " units for %" PRId64 "\n", number, units, most);
            return false;
        }
    }
    return true;
}

static void room_is_what_is_taken_at_an_instant(void) {
    int cases = grt_suite_cases(3000, 1000000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = room_is_right((uint64_t)i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"traces of random worlds are accepted", traces_are_accepted},
        {"traces of tdm are accepted", slots_are_accepted},
        {"every rule had something to check", every_rule_had_something_to_check},
        {"room is what is taken at an instant", room_is_what_is_taken_at_an_instant},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor accepts", tests);
}
