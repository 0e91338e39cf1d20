/* The parameters of GPU-TDMh's server: a task set worked out by hand, the errors of the published rule, boundaries, bad input. */
#include <math.h>
#include <string.h>

#include "policies/tdm/assignment.h"
#include "tests/support/suite.h"
#include "tests/support/tdm_sets.h"

static const int64_t MS = 1000000;

static const struct tdm_rule exact = {.method = TDM_EXACT, .count = TDM_COUNT_SOUND};
static const struct tdm_rule cubic = {.method = TDM_CUBIC, .count = TDM_COUNT_PAPER};
static const struct tdm_rule paper = {.method = TDM_PAPER, .count = TDM_COUNT_PAPER};

static struct grt_tdm_set set;
static struct tdm_slot slots[GRT_TDM_MOST];
static struct tdm_assignment found;

static bool assign(struct tdm_rule rule) {
    memset(slots, 0x55, sizeof slots);
    memset(&found, 0x55, sizeof found);
    return tdm_assign(set.tasks, set.count, &rule, slots, &found);
}

static bool fixed(int64_t count, int64_t place, int64_t period) {
    return assign((struct tdm_rule){TDM_FIXED, count, place, period});
}

/* T = (100, 200, 400) ms, C = (10, 30, 40) ms. */
static void make_by_hand(int64_t overhead) {
    static const int64_t periods[] = {100, 200, 400}, work[] = {10, 30, 40};
    set.count = 0;
    for (int i = 0; i < 3; i++) {
        grt_tdm_add(&set, periods[i] * MS, work[i] * MS, overhead);
    }
}

static struct tdm_task *make_one(int64_t period, int64_t work, int64_t overhead) {
    set.count = 0;
    return grt_tdm_add(&set, period, work, overhead);
}

static bool near(double value, double expected) {
    return fabs(value - expected) <= 1e-6;
}

static bool is_slot(size_t task, int64_t count, double length_ms) {
    return slots[task].count == count && near((double)slots[task].length / (double)MS, length_ms);
}

/* ---- the set by hand ---- */

static void cubic_by_hand(void) {
    make_by_hand(MS);
    CU_ASSERT(assign(cubic));
    CU_ASSERT(found.feasible && found.reason[0] == '\0' && found.failing == UINT32_MAX);
    CU_ASSERT(near(found.p / 1e12, -2301.572618));
    CU_ASSERT(near(found.q / 1e18, 11100.832562));
    CU_ASSERT_EQUAL_FATAL(found.root_count, 3);
    CU_ASSERT(near(found.roots[0] / 1e6, -50.225420));
    CU_ASSERT(near(found.roots[1] / 1e6, 4.873441));
    CU_ASSERT(near(found.roots[2] / 1e6, 45.351979));
    /* T^2 + p + q / T is least at the cube root of q / 2. */
    CU_ASSERT(near((double)found.period / 1e6, cbrt(11100.832562 / 2.0)));
}

static void paper_by_hand(void) {
    make_by_hand(MS);
    CU_ASSERT(assign(paper));
    CU_ASSERT_EQUAL(found.period, 4873442); /* the root, 4.873441..., in whole nanoseconds */
    CU_ASSERT(is_slot(0, 19, 1.526316) && is_slot(1, 40, 1.75) && is_slot(2, 81, 1.493827));
    CU_ASSERT(near(found.load, .978804));
}

static void fixed_by_hand(void) {
    make_by_hand(MS);
    CU_ASSERT(fixed(TDM_COUNT_PAPER, TDM_SLOTS_PACKED, 35 * MS));
    CU_ASSERT(is_slot(0, 1, 11.0) && is_slot(1, 4, 8.5) && is_slot(2, 10, 5.0));
    CU_ASSERT(slots[0].offset == 0 && slots[1].offset == 11 * MS && slots[2].offset == 19 * MS + MS / 2);
    CU_ASSERT(found.budget == 24 * MS + MS / 2 && near(found.load, .7));
    CU_ASSERT(found.root_count == 0 && found.period == 35 * MS);
}

static void exact_by_hand(void) {
    make_by_hand(MS);
    CU_ASSERT(assign(exact));
    CU_ASSERT_EQUAL(found.period, 33333333); /* floor(100 ms / 3) */
    CU_ASSERT(is_slot(0, 2, 6.0) && is_slot(1, 5, 7.0) && is_slot(2, 11, 4.636364));
    CU_ASSERT(near(found.load, .529091));
}

/* With the whole window counted, T + o_1 = 100 ms is the largest period of all, and the best: (11 + 16 + 11) / 89. */
static void table_by_hand(void) {
    make_by_hand(MS);
    CU_ASSERT(assign((struct tdm_rule){TDM_EXACT, TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 0}));
    CU_ASSERT(found.period == 89 * MS && near(found.load, 38.0 / 89.0));
    CU_ASSERT(is_slot(0, 1, 11.0) && is_slot(1, 2, 16.0) && is_slot(2, 4, 11.0));
    /* Packed, the second task's slots end 27 ms after the start: 2 T + 27 = 200 ms. */
    CU_ASSERT(assign((struct tdm_rule){TDM_EXACT, TDM_COUNT_TIGHT, TDM_SLOTS_PACKED, 0}));
    CU_ASSERT(found.period == 86 * MS + MS / 2 && near(found.load, 38.0 / 86.5));
}

/* ---- what is wrong with the published rule ---- */

static void negative_root(void) {
    make_by_hand(MS);
    set.steps[0][0].units = 70 * MS; /* U = 0.95: above 1 / 1.08 */
    CU_ASSERT(!assign(paper));
    CU_ASSERT(found.root_count == 1 && found.roots[0] < 0.0 && found.p > 0.0);
    CU_ASSERT_STRING_EQUAL(found.reason, "the root rule gives T = -12.4173585 ms, which is no period");
    CU_ASSERT(!assign(cubic));
    CU_ASSERT_STRING_EQUAL(found.reason,
                           "the utilisation is 0.95, and the cubic can only do with less than 1 / 1.08");
}

static void root_of_zero(void) {
    make_by_hand(0);
    CU_ASSERT(!assign(paper));
    CU_ASSERT(found.roots[1] == 0.0 && found.root_count == 3);
    CU_ASSERT_STRING_EQUAL(found.reason,
                           "the root rule gives T = -47.9747081 ms and T = 0 ms, which are no periods");
    CU_ASSERT(assign(cubic));
    CU_ASSERT_EQUAL(found.period, 35 * MS); /* 0.35 T_1, below the positive root */
    set.steps[0][0].units = 70 * MS;        /* U = 0.95: it is the only one */
    CU_ASSERT(!assign(paper) && found.root_count == 1 && found.roots[0] == 0.0);
    CU_ASSERT_STRING_EQUAL(found.reason, "the root rule gives T = 0 ms, which is no period");
    make_by_hand(0);
    set.steps[1][0].units = 100 * MS; /* U = 0.7: the positive root is small enough */
    CU_ASSERT(assign(paper));
    CU_ASSERT(found.roots[2] > 0.0 && found.period == (int64_t)found.roots[2]);
}

static void interval_that_is_empty(void) {
    make_by_hand(25 * MS);
    CU_ASSERT(!assign(cubic));
    CU_ASSERT_STRING_EQUAL(found.reason,
                           "the overheads, 75 ms an activation, leave the cubic without a positive root");
    CU_ASSERT(!assign(exact));
    set.count = 0;
    grt_tdm_add(&set, 100 * MS, MS, 0);
    grt_tdm_add(&set, 10000 * MS, 5000 * MS, 16 * MS);
    CU_ASSERT(!assign(cubic)); /* the least T is above 0.35 T_1, */
    CU_ASSERT(strstr(found.reason, "above 0.35 of the shortest window of 100 ms") != NULL);
    CU_ASSERT(assign(exact)); /* which equation (4) does not ask for */
    CU_ASSERT(found.period > 35 * MS && found.load <= 1.0);
}

/* (8): 4.7 z^2 + 1.08 is at least 1 / (1 - z) up to the root of (4.7 z^2 + 1.08)(1 - z) = 1, 0.710190, and 2T / T_1 goes up to 0.7. */
static void bound_of_the_series(void) {
    double least = 1.0, end = 0.0;
    for (int i = 0; i <= 1000000; i++) {
        double z = i * 1e-6, gap = 4.7 * z * z + 1.08 - 1.0 / (1.0 - z);
        if (gap < 0.0) {
            end = z;
            break;
        }
        least = z < 0.7 && gap < least ? gap : least;
    }
    CU_ASSERT(fabs(end - 0.710190) < 2e-6);
    CU_ASSERT(fabs(least - 0.00922) < 1e-5);
}

/* ---- boundaries ---- */

static void counts_where_the_period_divides(void) {
    make_one(100, 12, 0);
    CU_ASSERT(fixed(TDM_COUNT_PAPER, TDM_SLOTS_PACKED, 25) && slots[0].count == 2); /* ceil(100 / 25) - 2 */
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].count == 3); /* floor(100 / 25) - 1 */
    CU_ASSERT(fixed(TDM_COUNT_PAPER, TDM_SLOTS_PACKED, 24) && slots[0].count == 3);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 24) && slots[0].count == 3);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 50) && slots[0].count == 1);
    CU_ASSERT(!fixed(TDM_COUNT_PAPER, TDM_SLOTS_PACKED, 50));
    CU_ASSERT(found.failing == 0 && found.period == 50);
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 51));
    CU_ASSERT(fixed(TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 24) && slots[0].count == 4); /* 4 * 24 + 3 <= 100 */
    CU_ASSERT(fixed(TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 25) && slots[0].count == 3);
    CU_ASSERT(fixed(TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 88) && slots[0].count == 1); /* 88 + 12 <= 100 */
    CU_ASSERT(!fixed(TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 89));
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 101));
}

/* Two slots of 10 and 12 ns: at T = 22 they are all of it. */
static void load_of_exactly_one(void) {
    set.count = 0;
    grt_tdm_add(&set, 66, 20, 0);
    grt_tdm_add(&set, 66, 20, 2);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 22) && found.load == 1.0 && found.budget == 22);
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 21) && found.failing == UINT32_MAX);
    CU_ASSERT_STRING_EQUAL(found.reason, "with T = 2.1e-05 ms the slots take 2.2e-05 ms");
    CU_ASSERT(found.budget == 22 && near(found.load, 22.0 / 21.0));
}

/* Lengths are rounded up: 10 ns in 3 slots. */
static void lengths_in_whole_nanoseconds(void) {
    make_one(100, 10, 0);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].length == 4);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 1) && slots[0].count == 99 && slots[0].length == 1);
}

static void jitter_and_deadline_shorten_the_window(void) {
    struct tdm_task *task = make_one(100, 12, 0);
    task->jitter = 1;
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].count == 2);
    task->jitter = 50;
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].count == 1);
    task->jitter = 0;
    task->deadline = 75;
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].count == 2);
    task->deadline = 200; /* the next job may come before it */
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && slots[0].count == 3);
    task->deadline = 99;
    task->jitter = 99;
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 25) && found.failing == 0);
    CU_ASSERT_STRING_EQUAL(found.reason,
                           "a job of task 0 has no time between its latest release and its deadline");
    task->deadline = -INT64_MAX; /* what is left where a job computes for ever elsewhere */
    CU_ASSERT(!assign(exact) && !assign(cubic) && !assign(paper));
}

/* Ten blocks of 10 ns in four slots: three blocks in each, where (2) would have 25 ns. */
static void kernels_are_cut_between_blocks(void) {
    make_one(1000, 1, 7);
    set.steps[0][0] = (struct grt_step){.each = 10, .units = 10, .blocks = 1};
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 200) && slots[0].count == 4);
    CU_ASSERT_EQUAL(slots[0].length, 37);
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 0, &exact, slots, 200), 4 * 200 + 37);
    set.steps[0][0].once = 5; /* launched in every slot */
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 200) && slots[0].length == 42);
    set.tasks[0].overhead = 0;
    set.steps[0][0].once = 12; /* to the cubic a launch is overhead: as much as this */
    double q = assign(cubic) ? found.q : 0.0;
    set.tasks[0].overhead = 12;
    set.steps[0][0].once = 0;
    CU_ASSERT(q > 0.0 && assign(cubic) && found.q == q);
}

/* A copy, which is one piece, and a kernel in front of it, which is not: 40 + 60 ns in three slots. */
static void segments_of_several_steps(void) {
    struct grt_step steps[] = {{.each = 1, .units = 40, .new_segment = true}, {.each = 60, .units = 1}};
    struct tdm_task *task = make_one(1000, 1, 0);
    task->steps = steps;
    task->step_count = 2;
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 250) && slots[0].count == 3 && slots[0].length == 60);
    steps[1].new_segment = true; /* a slot each */
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 500) && found.failing == 0);
    CU_ASSERT_STRING_EQUAL(found.reason,
                           "with T = 0.0005 ms a job of task 0 is not sure of enough slots within "
                           "its window of 0.001 ms");
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 333) && slots[0].count == 2);
    CU_ASSERT(assign(cubic) && slots[0].count >= 2 && found.budget <= found.period);
}

/* The cubic knows nothing of blocks: its first T is too short for a block of 80 ms, a longer one of the interval is not. */
static void cubic_tries_its_interval(void) {
    make_one(1000 * MS, 1, MS / 10);
    set.steps[0][0] = (struct grt_step){.each = 80 * MS, .units = 2, .blocks = 1};
    CU_ASSERT(assign(cubic));
    double calmest = cbrt(found.q / 2.0);
    CU_ASSERT(calmest < 80e6 && found.period >= 80 * MS && found.load <= 1.0);
    CU_ASSERT((double)found.period <= fmin(found.roots[2], 350e6));
    set.steps[0][0] = (struct grt_step){.each = 160 * MS, .units = 1, .blocks = 1};
    CU_ASSERT(assign(cubic) && found.period >= 160 * MS);
    set.steps[0][0] = (struct grt_step){.each = 400 * MS, .units = 1, .blocks = 1};
    CU_ASSERT(!assign(cubic) && strstr(found.reason, " ms the slots take 400.1 ms") != NULL);
}

static void long_times(void) {
    const int64_t most = 1000000000000000000;
    set.count = 0;
    for (int i = 0; i < GRT_TDM_MOST; i++) {
        grt_tdm_add(&set, most, most / 32, 1);
    }
    static const int64_t methods[] = {TDM_CUBIC, TDM_PAPER, TDM_EXACT};
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT(assign((struct tdm_rule){.method = methods[i], .count = TDM_COUNT_PAPER}));
        CU_ASSERT(found.budget <= found.period && found.load > .5);
    }
    /* The least positive root is where the overhead is all of what 1.08 U leaves; it is a 10^-17th of the others. */
    CU_ASSERT(assign(paper) && near(found.roots[1], 16.0 / (1.0 - 1.08 / 2.0)));
    for (int i = 0; i < GRT_TDM_MOST; i++) {
        set.tasks[i].overhead = most;
    }
    for (int64_t count = TDM_COUNT_PAPER; count <= TDM_COUNT_TIGHT; count++) {
        CU_ASSERT(!fixed(count, TDM_SLOTS_PACKED, most / 3));
        CU_ASSERT(!assign((struct tdm_rule){.method = TDM_EXACT, .count = count}));
    }
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_TABLE, most / 3) && found.budget == INT64_MAX);
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 15, &exact, slots, most / 3), INT64_MAX);
}

/* Nothing bounds T from below here but the load: it ends where little is left to gain. */
static void exact_without_overheads(void) {
    make_by_hand(0);
    CU_ASSERT(assign(exact));
    CU_ASSERT(found.load >= .35 && found.load <= .35 / .99 && found.period > MS);
    make_one(1000 * MS, 999990000, 0); /* U = 0.99999: only T below 1 / 100000 of the window will do */
    CU_ASSERT(assign(exact) && found.load <= 1.0 && found.period == 10000); /* m = 99999 */
    set.steps[0][0].units = 999999999;                                      /* U = 1 - 10^-9 */

    CU_ASSERT(assign(exact) && found.load <= 1.0 && slots[0].count == 999999999);
    make_one(1000000000 * MS * 1000, 999999 * MS * 1000000,
             0); /* a million changes above the first that will do */
    CU_ASSERT(assign(exact) && found.load <= 1.0 && found.period <= 1000 * MS * 1000);
    make_one(1000 * MS, 1, 0);
    set.steps[0][0].units = 999999999;
    set.steps[0][0].units = 1000000000;
    CU_ASSERT(!assign(exact) &&
              strstr(found.reason, "no T is long enough for a density (work by window) of 1") != NULL);
}

/* The first task wants T at most 999, and the overhead of the second, with its half of the time, at least 962. */
static void exact_between_overheads_and_windows(void) {
    static const struct tdm_rule table = {TDM_EXACT, TDM_COUNT_TIGHT, TDM_SLOTS_TABLE, 0};
    set.count = 0;
    grt_tdm_add(&set, 1000, 1, 0);
    grt_tdm_add(&set, 1000000, 500000, 480);
    CU_ASSERT(assign(table) && found.period == 999 && slots[1].count == 1000 && found.budget == 981);
    set.tasks[1].overhead = 498;
    CU_ASSERT(assign(table) && found.period == 999 && found.load == 1.0);
    set.tasks[1].overhead = 499;
    CU_ASSERT(!assign(table));
    CU_ASSERT_STRING_EQUAL(
        found.reason,
        "no T from 0.000999 ms to 0.001 ms gives every task enough slots with a load of at most 1");
    set.tasks[1].overhead = 500;
    CU_ASSERT(!assign(table));
    CU_ASSERT_STRING_EQUAL(
        found.reason,
        "no T is long enough for a density (work by window) of 0.501 and overheads of 0.0005 ms");
}

static void bad_input(void) {
    make_by_hand(MS);
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 0));
    CU_ASSERT_STRING_EQUAL(found.reason, "T = 0 ms is no period");
    CU_ASSERT(!fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, -5 * MS));
    set.steps[1][0].each = GRT_STEP_NEVER;
    CU_ASSERT(!assign(exact) && found.failing == 1 && !found.feasible);
    CU_ASSERT_STRING_EQUAL(found.reason, "task 1 has no known longest time");
    set.tasks[2].step_count = 0;
    set.steps[1][0].each = 1;
    CU_ASSERT(!assign(cubic) && found.failing == 2);
    CU_ASSERT_STRING_EQUAL(found.reason, "task 2 has no work");
}

/* ---- responses ---- */

/* n slots needed of the m that are sure: 10 ns in slots of 4 are three, in slots of 10 one. */
static void responses(void) {
    static const struct tdm_rule table = {.slots = TDM_SLOTS_TABLE};
    set.count = 0;
    grt_tdm_add(&set, 100, 6, 0);
    grt_tdm_add(&set, 100, 10, 1);
    CU_ASSERT(fixed(TDM_COUNT_SOUND, TDM_SLOTS_PACKED, 20) && slots[0].length == 2 && slots[1].length == 4);
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 0, &exact, slots, 20), 3 * 20 + 2);
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 1, &exact, slots, 20), 4 * 20 + 2 + 4);
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 1, &table, slots, 20), 4 * 20 + 4);
    slots[1].length = 11;
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 1, &exact, slots, 20), 1 * 20 + 2 + 11);
    slots[1].length = 1; /* all of it overhead */
    CU_ASSERT_EQUAL(tdm_response(set.tasks, 1, &exact, slots, 20), GRT_STEP_NEVER);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"cubic by hand", cubic_by_hand},
        {"paper by hand", paper_by_hand},
        {"fixed by hand", fixed_by_hand},
        {"exact by hand", exact_by_hand},
        {"table by hand", table_by_hand},
        {"negative root", negative_root},
        {"root of zero", root_of_zero},
        {"interval that is empty", interval_that_is_empty},
        {"bound of the series", bound_of_the_series},
        {"counts where the period divides", counts_where_the_period_divides},
        {"load of exactly one", load_of_exactly_one},
        {"lengths in whole nanoseconds", lengths_in_whole_nanoseconds},
        {"jitter and deadline shorten the window", jitter_and_deadline_shorten_the_window},
        {"kernels are cut between blocks", kernels_are_cut_between_blocks},
        {"segments of several steps", segments_of_several_steps},
        {"cubic tries its interval", cubic_tries_its_interval},
        {"long times", long_times},
        {"exact without overheads", exact_without_overheads},
        {"exact between overheads and windows", exact_between_overheads_and_windows},
        {"bad input", bad_input},
        {"responses", responses},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("parameters of GPU-TDMh", tests);
}
