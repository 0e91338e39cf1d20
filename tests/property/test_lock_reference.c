/* labels: soak */
/* The analyses of locks and of the GPU server against a slow reference, with every rule; and properties of their bounds: more work never gives a
 * smaller one, tighter rules never a larger one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/lock_case.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

enum { MOST = GRT_REFERENCE_LOCK_TASKS };

/* ---- rules ---- */

static void pick_common(struct lock_case *it, struct grt_random *random, int64_t jitters) {
    struct grt_reference_lock *reference = &it->reference;
    int64_t bound = grt_pick(random, 0, 2), jitter = grt_pick(random, 0, jitters - 1);
    reference->by_request = bound != GRT_LOCK_BY_JOB;
    reference->by_job = bound != GRT_LOCK_BY_REQUEST;
    reference->jitter_of_all = jitter == GRT_LOCK_JITTER_RESPONSE;
    reference->jitter_deadline = jitter == GRT_LOCK_JITTER_DEADLINE;
    reference->jitter_wait = jitter == GRT_LOCK_JITTER_BLOCKING;
    reference->one_more = grt_pick(random, 0, 1) == 1;
    reference->suspends = grt_pick(random, 0, 1) == 1;
    it->mpcp.bound = it->server.bound = bound;
    it->mpcp.jitter = it->fmlp.jitter = it->server.jitter = jitter;
    it->mpcp.carry = it->server.carry =
        reference->one_more ? GRT_LOCK_CARRY_ONE_MORE : GRT_LOCK_CARRY_RESPONSE;
    it->mpcp.waiting = it->fmlp.waiting = reference->suspends ? GRT_LOCK_SUSPEND : GRT_LOCK_SPIN;
}

static void pick_mpcp(struct lock_case *it, struct grt_random *random) {
    struct grt_reference_lock *reference = &it->reference;
    pick_common(it, random, 4);
    reference->protocol = GRT_REFERENCE_MPCP;
    it->mpcp.holding = grt_pick(random, 0, 3);
    reference->hold_local_higher = it->mpcp.holding == GRT_LOCK_HOLDING_LOCAL_HIGHER;
    reference->hold_local = it->mpcp.holding == GRT_LOCK_HOLDING_LOCAL;
    reference->hold_any_core = it->mpcp.holding == GRT_LOCK_HOLDING_ANY_CORE;
    it->mpcp.boost = grt_pick(random, 0, 1);
    reference->boosts_own = it->mpcp.boost == GRT_LOCK_BOOST_OWN;
    it->mpcp.boosted = grt_pick(random, 0, 1);
    reference->every_boost = it->mpcp.boosted == GRT_LOCK_BOOSTED_EVERY;
}

static void pick_fmlp(struct lock_case *it, struct grt_random *random) {
    pick_common(it, random, 3);
    it->reference.protocol = GRT_REFERENCE_FMLP;
    it->fmlp.once = it->reference.once = grt_pick(random, 0, 2) == 0;
}

static void pick_server(struct lock_case *it, struct grt_random *random) {
    struct grt_reference_lock *reference = &it->reference;
    pick_common(it, random, 3);
    reference->protocol = GRT_REFERENCE_SERVER;
    for (int i = 0; i < reference->count; i++) {
        reference->tasks[i].gpu = 0;
    }
    lock_case_take(it);
    it->server.core = reference->server_core = grt_pick(random, -1, 2);
    it->server.epsilon = reference->epsilon = grt_pick(random, 0, 2);
    it->server.enqueue = grt_pick(random, 0, 1);
    it->server.equations = grt_pick(random, 0, 2);
    reference->repaired =
        it->server.equations == GRT_LOCK_EQUATIONS_REPAIRED ||
        (it->server.equations == GRT_LOCK_EQUATIONS_AUTO && it->server.enqueue == GRT_LOCK_ENQUEUE_CHARGED);
    it->server.server = grt_pick(random, 0, 1);
    reference->server_deadline = it->server.server == GRT_LOCK_SERVER_DEADLINE;
}

/* ---- against the reference ---- */

static int accepted, refused;

static void compare(struct lock_case *it, int number) {
    lock_case_analyse(it);
    bool all = grt_reference_lock(&it->reference);
    bool same = all == it->result.schedulable;
    for (int i = 0; i < it->reference.count; i++) {
        int64_t expected = it->reference.response[i] < 0 ? GRT_LOCK_NEVER : it->reference.response[i];
        same = same && expected == it->response[i];
        same = same && (expected == GRT_LOCK_NEVER || it->reference.wait[i] == it->wait[i]);
        if (!same) {
            printf("set %d, protocol %d, task %d: %" PRId64 " is not %" PRId64 " (waits %" PRId64 ", %" PRId64
                   ")\n",
                   number, (int)it->reference.protocol, i, it->response[i], expected, it->wait[i],
                   it->reference.wait[i]);
            break;
        }
    }
    CU_ASSERT_TRUE_FATAL(same);
    accepted += all;
    refused += !all;
}

static void compare_all(uint64_t seed, void (*pick)(struct lock_case *it, struct grt_random *random)) {
    struct grt_random random = grt_random_stream(seed, "locks", 0, 0);
    int cases = grt_suite_cases(20000, 100000);
    accepted = refused = 0;
    for (int i = 0; i < cases; i++) {
        struct lock_case it;
        lock_case_draw(&it, &random);
        pick(&it, &random);
        compare(&it, i);
    }
    CU_ASSERT_TRUE(accepted > cases / 5); /* both happen often */
    CU_ASSERT_TRUE(refused > cases / 5);
}

static void mpcp_as_reference(void) {
    compare_all(1, pick_mpcp);
}

static void fmlp_as_reference(void) {
    compare_all(2, pick_fmlp);
}

static void server_as_reference(void) {
    compare_all(3, pick_server);
}

/* ---- more work, looser rules ---- */

static void (*const picks[])(struct lock_case *it, struct grt_random *random) = {pick_mpcp, pick_fmlp,
                                                                                 pick_server};

/* Whether `looser`, analysed, passes only what `it` passes, with no smaller bound. */
static bool never_smaller(const struct lock_case *it, struct lock_case *looser) {
    lock_case_analyse(looser);
    if (looser->result.schedulable && !it->result.schedulable) {
        return false;
    }
    for (int i = 0; i < it->reference.count && looser->result.schedulable; i++) {
        if (looser->response[i] < it->response[i]) {
            return false;
        }
    }
    return true;
}

/* D - E gets less as E gets more, and with it the number of jobs that count: bounds with it are none the less bounds, but not monotone. So here
 * is neither that jitter, nor are there equal priorities, nor tasks on the server's core. */
static void make_monotone(struct lock_case *it, struct grt_random *random, int protocol) {
    lock_case_draw(it, random);
    picks[protocol](it, random);
    for (int i = 0; i < it->reference.count; i++) {
        it->reference.tasks[i].priority = it->reference.tasks[i].priority * MOST + i;
    }
    lock_case_take(it);
    it->mpcp.jitter %= 2;
    it->fmlp.jitter %= 2;
    it->server.jitter %= 2;
    it->server.core = -1;
}

/* One of the things that may grow. */
static void grow(struct lock_case *it, struct grt_random *random) {
    struct grt_reference_lock_task *task = &it->reference.tasks[grt_pick(random, 0, it->reference.count - 1)];
    int64_t *some[] = {&task->normal,       &task->device[0],          &task->before[0],   &task->after[0],
                       &it->server.epsilon, &it->costs.context_switch, &it->costs.wake_up, &task->jitter};
    *some[grt_pick(random, 0, 7)] += grt_pick(random, 1, 3);
    lock_case_take(it);
}

static void more_work_no_smaller_bound(void) {
    struct grt_random random = grt_random_stream(4, "locks", 0, 0);
    int cases = grt_suite_cases(20000, 100000), kept = 0;
    for (int i = 0; i < cases; i++) {
        struct lock_case it, more;
        make_monotone(&it, &random, i % 3);
        lock_case_analyse(&it);
        more = it;
        grow(&more, &random);
        CU_ASSERT_TRUE_FATAL(never_smaller(&it, &more));
        kept += more.result.schedulable;
    }
    CU_ASSERT_TRUE(kept > cases / 5);
}

/* Takes the next looser rule of one kind. */
static void loosen(struct lock_case *it, int64_t kind) {
    switch (kind) {
    case 0:
        it->mpcp.bound = it->server.bound = 1 + (it->reference.count & 1);
        break;
    case 1:
        it->mpcp.carry = it->server.carry = GRT_LOCK_CARRY_ONE_MORE;
        break;
    case 2:
        it->mpcp.jitter = it->fmlp.jitter = it->server.jitter = GRT_LOCK_JITTER_RESPONSE;
        break;
    case 3:
        it->mpcp.jitter = it->fmlp.jitter = it->server.jitter = GRT_LOCK_JITTER_DEADLINE;
        break;
    case 4:
        it->mpcp.boosted = GRT_LOCK_BOOSTED_EVERY;
        it->server.server = GRT_LOCK_SERVER_DEADLINE;
        it->fmlp.once = true;
        break;
    case 5:
        it->server.equations = GRT_LOCK_EQUATIONS_REPAIRED;
        break;
    default:
        it->mpcp.holding = kind - 5;
        break;
    }
}

/* The defaults, which are all zero, against each rule alone: no larger. */
static void defaults_are_the_tightest(void) {
    struct grt_random random = grt_random_stream(5, "locks", 0, 0);
    int cases = grt_suite_cases(20000, 100000), larger_bounds = 0;
    for (int i = 0; i < cases; i++) {
        struct lock_case it, looser;
        int64_t waiting, kind = grt_pick(&random, 0, 8);
        lock_case_draw(&it, &random);
        picks[i % 3](&it, &random);
        waiting = it.mpcp.waiting;
        it.mpcp = (struct grt_mpcp_rules){.waiting = waiting};
        it.fmlp = (struct grt_fmlp_rules){.waiting = waiting};
        it.server = (struct grt_server_rules){.core = it.server.core, .epsilon = it.server.epsilon};
        for (int j = 0; j < it.reference.count; j++) {
            it.reference.tasks[j].gpu = 0; /* with several locks W' of the literature need not be enough */
        }
        lock_case_take(&it);
        lock_case_analyse(&it);
        looser = it;
        loosen(&looser, kind);
        CU_ASSERT_TRUE_FATAL(never_smaller(&it, &looser));
        larger_bounds += memcmp(it.response, looser.response, sizeof it.response) != 0;
    }
    CU_ASSERT_TRUE(larger_bounds > cases / 20);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"MPCP is as the reference", mpcp_as_reference},
        {"FMLP+ is as the reference", fmlp_as_reference},
        {"the server is as the reference", server_as_reference},
        {"more work gives no smaller bound", more_work_no_smaller_bound},
        {"the defaults are the tightest rules", defaults_are_the_tightest},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("lock_reference", tests);
}
