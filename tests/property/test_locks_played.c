/* labels: soak */
/* The policies mpcp, fmlp+ and gpu-server in gpurt's simulator against a player of the protocols that shares nothing with it: the same sets with
 * the same releases take the same times, whether an analysis accepts them or not. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/lock_case.h"
#include "tests/support/lock_play.h"
#include "tests/support/lock_world.h"
#include "tests/support/pick.h"
#include "tests/support/suite.h"

/* Times are long enough that little happens at the same instant by chance. */
enum { SCALE = 40, HORIZON = 300 * SCALE };

static struct lock_world simulated;
static struct lock_play played;

struct trial {
    const char *name;
    enum grt_reference_protocol protocol;
    bool suspends, boosts_own, charged;
    /* of the cores; where threads suspend without those of switches, which depend on who is there for no time at all */
    bool costs;
};

/* ---- a set ---- */

static int64_t scaled(int64_t time, struct grt_random *random) {
    return time == 0 ? 0 : time * SCALE + grt_pick(random, -SCALE / 2, SCALE / 2);
}

/* Priorities differ: which of two equal ones goes first is not the protocols' to say. Nor is who comes first of those that ask at the instant
 * at which a server, or a core after a switch, gets to something else: there jobs compute before they ask. */
static void draw_set(const struct trial *trial, struct lock_case *it, struct grt_random *random) {
    struct grt_reference_lock *set = &it->reference;
    bool at_once = trial->protocol != GRT_REFERENCE_SERVER && !trial->costs;
    lock_case_draw(it, random);
    set->protocol = trial->protocol;
    set->suspends = trial->suspends;
    set->boosts_own = trial->boosts_own;
    set->server_core = grt_pick(random, -1, 2);
    set->epsilon = scaled(grt_pick(random, 1, 2), random);
    set->context_switch = trial->costs && !trial->suspends ? scaled(grt_pick(random, 0, 1), random) : 0;
    set->wake_up = trial->costs ? scaled(grt_pick(random, 0, 1), random) : 0;
    for (int i = 0; i < set->count; i++) {
        struct grt_reference_lock_task *task = &set->tasks[i];
        task->priority = task->priority * LOCK_WORLD_TASKS + i;
        task->gpu = trial->protocol == GRT_REFERENCE_SERVER ? 0 : task->gpu;
        task->normal = scaled(task->normal, random);
        task->normal += task->normal == 0 && !at_once ? grt_pick(random, SCALE, 2 * SCALE) : 0;
        task->period *= SCALE;
        task->deadline *= SCALE;
        task->jitter *= SCALE;
        for (int u = 0; u < task->segments; u++) {
            task->before[u] = scaled(task->before[u], random);
            task->device[u] = scaled(task->device[u], random);
            task->after[u] = scaled(task->after[u], random);
        }
    }
}

static void take_releases(const struct grt_reference_lock *set) {
    for (int i = 0; i < set->count; i++) {
        simulated.arrival_count[i] = (size_t)played.arrival_count[i];
        for (int j = 0; j < played.arrival_count[i]; j++) {
            simulated.arrivals[i][j] = played.arrivals[i][j];
            simulated.delays[i][j] = played.delays[i][j];
        }
    }
}

static void complain(const struct trial *trial, int number, const struct grt_reference_lock *set) {
    printf("    %s, set %d: costs %" PRId64 " and %" PRId64 ", server on %" PRId64 ", epsilon %" PRId64 "\n",
           trial->name, number, set->context_switch, set->wake_up, set->server_core, set->epsilon);
    for (int i = 0; i < set->count; i++) {
        const struct grt_reference_lock_task *task = &set->tasks[i];
        printf("      t%d core %" PRId64 " gpu %" PRId64 " T %" PRId64 " priority %" PRId64 " C %" PRId64
               "%s",
               i, task->core, task->gpu, task->period, task->priority, task->normal,
               task->asynchronous ? " asynchronous" : "");
        for (int u = 0; u < task->segments; u++) {
            printf(" %" PRId64 "+%" PRId64 "+%" PRId64, task->before[u], task->device[u], task->after[u]);
        }
        printf(" played %" PRId64 " simulated %" PRId64 "; arrivals", played.response[i],
               simulated.response[i]);
        for (int j = 0; j < played.arrival_count[i] && j < 8; j++) {
            printf(" %" PRId64, played.arrivals[i][j] + played.delays[i][j]);
        }
        printf("\n");
    }
}

/* Whether both take the same times. Jobs that do not all end are not compared. */
static bool is_same(const struct trial *trial, int number, int *compared) {
    struct grt_random random = grt_random_stream((uint64_t)number, trial->name, 0, 0);
    struct lock_case it;
    draw_set(trial, &it, &random);
    const struct grt_reference_lock *set = &it.reference;
    memset(&played, 0, sizeof played);
    played.set = set;
    played.horizon = HORIZON;
    played.charged = simulated.charged = trial->charged;
    lock_play_draw(&played, &random);
    played.shorter = false;
    lock_play_run(&played, &random);
    lock_world_cut_equally(&simulated, set);
    lock_world_make(&simulated, set);
    take_releases(set);
    lock_world_run(&simulated, 4 * HORIZON, false, 1);
    bool same = true;
    for (int i = 0; i < set->count && simulated.all_ended; i++) {
        same &= played.response[i] == simulated.response[i];
    }
    *compared += simulated.all_ended;
    if (!same) {
        complain(trial, number, set);
    }
    return same;
}

/* ---- many ---- */

static void all_take_the_same_times(void) {
    static const struct trial trials[] = {
        {.name = "mpcp, busy-waiting, remote ceiling"},
        {.name = "mpcp, busy-waiting, own priority, costs", .boosts_own = true, .costs = true},
        {.name = "mpcp, suspension, remote ceiling, costs", .suspends = true, .costs = true},
        {.name = "mpcp, suspension, own priority", .suspends = true, .boosts_own = true},
        {.name = "fmlp+, busy-waiting, costs", .protocol = GRT_REFERENCE_FMLP, .costs = true},
        {.name = "fmlp+, suspension, costs", .protocol = GRT_REFERENCE_FMLP, .suspends = true, .costs = true},
        {.name = "gpu-server, merged", .protocol = GRT_REFERENCE_SERVER},
        {.name = "gpu-server, merged, costs", .protocol = GRT_REFERENCE_SERVER, .costs = true},
        {.name = "gpu-server, charged", .protocol = GRT_REFERENCE_SERVER, .charged = true},
    };
    int cases = grt_suite_cases(25, 600);
    printf("\n");
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        int compared = 0, different = 0;
        for (int j = 0; j < cases && different < 3; j++) {
            different += !is_same(&trials[i], j, &compared);
        }
        printf("    %s: %d of %d sets compared, %d different\n", trials[i].name, compared, cases, different);
        CU_ASSERT_EQUAL(different, 0);
        CU_ASSERT_TRUE(compared > cases / 2);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"played and simulated take the same times", all_take_the_same_times},
        CU_TEST_INFO_NULL,
    };
    int failed = grt_suite_run("locks, played", tests);
    lock_world_free(&simulated);
    return failed;
}
