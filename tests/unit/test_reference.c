/* The reference schedulers against schedules worked out by hand. Each schedule is drawn above its table. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tests/support/reference_np.h"
#include "tests/support/reference_placement.h"
#include "tests/support/reference_preemptive.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NEVER GRT_REFERENCE_NEVER

enum { ROOM = 32 };

struct np_expected {
    size_t task, job;
    grt_reference_tick request, start, finish;
    bool missed;
};

static void check_np(const char *name, const struct grt_reference_np_set *set,
                     const struct np_expected *expected, size_t expected_count) {
    struct grt_reference_np_job jobs[ROOM];
    size_t count = grt_reference_np_run(set, jobs, ROOM);
    CU_ASSERT_EQUAL(grt_reference_np_job_count(set), count);
    CU_ASSERT_EQUAL_FATAL(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        bool same = jobs[i].task == expected[i].task && jobs[i].job == expected[i].job &&
                    jobs[i].request == expected[i].request && jobs[i].start == expected[i].start &&
                    jobs[i].finish == expected[i].finish && jobs[i].missed == expected[i].missed;
        if (!same) {
            printf("\n    %s: job %zu of task %zu: request %lld, start %lld, finish %lld, missed %d", name,
                   jobs[i].job, jobs[i].task, (long long)jobs[i].request, (long long)jobs[i].start,
                   (long long)jobs[i].finish, jobs[i].missed);
        }
        CU_ASSERT(same);
    }
}

/* FIFO, period 10: 0 in [0,4), 1 in [4,7), 2 in [7,9), idle, the same again from 10. Tasks 1 and 2 both ask
 * at 1: lower index. */
static void test_np_fifo_periodic(void) {
    const grt_reference_tick exec[] = {4, 3, 2};
    const struct grt_reference_np_task tasks[] = {
        {.period = 10, .offset = 0, .deadline = 10, .exec = &exec[0], .exec_count = 1},
        {.period = 10, .offset = 1, .deadline = 10, .exec = &exec[1], .exec_count = 1},
        {.period = 10, .offset = 1, .deadline = 10, .exec = &exec[2], .exec_count = 1},
    };
    struct grt_reference_np_set set = {
        .tasks = tasks, .task_count = 3, .policy = GRT_REFERENCE_NP_FIFO, .horizon = 20};
    struct np_expected expected[] = {
        {0, 0, 0, 0, 4, false},    {0, 1, 10, 10, 14, false}, {1, 0, 1, 4, 7, false},
        {1, 1, 11, 14, 17, false}, {2, 0, 1, 7, 9, false},    {2, 1, 11, 17, 19, false},
    };
    check_np("whole", &set, expected, COUNT(expected));

    set.horizon = 19; /* a completion at the horizon counts */
    check_np("until 19", &set, expected, COUNT(expected));

    set.horizon = 18;
    expected[5].finish = NEVER;
    check_np("until 18", &set, expected, COUNT(expected));

    set.horizon = 17; /* nothing starts at the horizon */
    expected[5].start = NEVER;
    check_np("until 17", &set, expected, COUNT(expected));

    set.horizon = 10; /* nothing is released at the horizon */
    const struct np_expected first_period[] = {
        {0, 0, 0, 0, 4, false}, {1, 0, 1, 4, 7, false}, {2, 0, 1, 7, 9, false}};
    check_np("until 10", &set, first_period, COUNT(first_period));
}

/* Task 0 holds the GPU in [0,3). Tasks 1, 2, 3 ask at 1, 2, 3; the request at 3 takes part in the decision
 * at 3. Absolute deadlines 31, 9, 18; periods 20, 30, 10; priorities 3, 1, 2; so every policy chooses another
 * order: FIFO 1 2 3, EDF 2 3 1, RM 3 1 2, FP 1 3 2. */
static void test_np_policies(void) {
    const grt_reference_tick exec[] = {3, 2, 4, 1};
    const grt_reference_tick arrivals[] = {0, 1, 2, 3};
    const struct grt_reference_np_task tasks[] = {
        /* period, offset, deadline, priority, execution times, arrivals */
        {99, 0, 99, 0, &exec[0], 1, &arrivals[0], 1},
        {20, 0, 30, 3, &exec[1], 1, &arrivals[1], 1},
        {30, 0, 7, 1, &exec[2], 1, &arrivals[2], 1},
        {10, 0, 15, 2, &exec[3], 1, &arrivals[3], 1},
    };
    struct grt_reference_np_set set = {.tasks = tasks, .task_count = 4, .horizon = 10};

    /* Task 2 finishes at its deadline, 9: met. */
    const struct np_expected fifo[] = {
        {0, 0, 0, 0, 3, false}, {1, 0, 1, 3, 5, false}, {2, 0, 2, 5, 9, false}, {3, 0, 3, 9, 10, false}};
    set.policy = GRT_REFERENCE_NP_FIFO;
    check_np("FIFO", &set, fifo, COUNT(fifo));

    const struct np_expected edf[] = {
        {0, 0, 0, 0, 3, false}, {1, 0, 1, 8, 10, false}, {2, 0, 2, 3, 7, false}, {3, 0, 3, 7, 8, false}};
    set.policy = GRT_REFERENCE_NP_EDF;
    check_np("EDF", &set, edf, COUNT(edf));

    const struct np_expected rm[] = {
        {0, 0, 0, 0, 3, false}, {1, 0, 1, 4, 6, false}, {2, 0, 2, 6, 10, true}, {3, 0, 3, 3, 4, false}};
    set.policy = GRT_REFERENCE_NP_RM;
    check_np("RM", &set, rm, COUNT(rm));

    const struct np_expected fp[] = {
        {0, 0, 0, 0, 3, false}, {1, 0, 1, 3, 5, false}, {2, 0, 2, 6, 10, true}, {3, 0, 3, 5, 6, false}};
    set.policy = GRT_REFERENCE_NP_FP;
    check_np("FP", &set, fp, COUNT(fp));
}

/* FIFO. Job 0 of task 0 takes [0,6), beyond the release of job 1 at 4. Task 1 asks at 5, job 1 only at 6, so
 * task 1 goes first: [6,8). Job 1 [8,10), job 2 (released 8) [10,11), job 3 (released 12) from 12 on,
 * unfinished at 16, its deadline. */
static void test_np_jobs_in_order(void) {
    const grt_reference_tick exec_0[] = {6, 2, 1};
    const grt_reference_tick exec_1[] = {2};
    const grt_reference_tick arrivals_1[] = {5};
    const struct grt_reference_np_task tasks[] = {
        {.period = 4, .deadline = 4, .exec = exec_0, .exec_count = COUNT(exec_0)},
        {.period = 99,
         .deadline = 3,
         .exec = exec_1,
         .exec_count = 1,
         .arrivals = arrivals_1,
         .arrival_count = 1},
    };
    struct grt_reference_np_set set = {
        .tasks = tasks, .task_count = 2, .policy = GRT_REFERENCE_NP_FIFO, .horizon = 16};
    struct np_expected expected[] = {
        {0, 0, 0, 0, 6, true},       {0, 1, 6, 8, 10, true}, {0, 2, 10, 10, 11, false},
        {0, 3, 12, 12, NEVER, true}, {1, 0, 5, 6, 8, false},
    };
    check_np("until 16", &set, expected, COUNT(expected));

    set.horizon = 15; /* its deadline lies beyond the horizon: not known to be missed */
    expected[3].missed = false;
    check_np("until 15", &set, expected, COUNT(expected));
}

/* The context is an array of one key per task. */
static uint64_t key_of_task(void *context, size_t task, size_t job) {
    (void)job;
    const uint64_t *keys = context;
    return keys[task];
}

/* FP, all of priority 5. Task 3 holds the GPU in [0,4); meanwhile tasks 0, 1, 2 ask at 3, 1, 2, for 1, 2, 3
 * ticks. */
static void test_np_ties(void) {
    const grt_reference_tick exec[] = {1, 2, 3, 4};
    const grt_reference_tick arrivals[] = {3, 1, 2, 0};
    struct grt_reference_np_task tasks[4];
    for (size_t i = 0; i < 4; i++) {
        tasks[i] = (struct grt_reference_np_task){.period = 50,
                                                  .deadline = 50,
                                                  .priority = 5,
                                                  .exec = &exec[i],
                                                  .exec_count = 1,
                                                  .arrivals = &arrivals[i],
                                                  .arrival_count = 1};
    }
    uint64_t keys[] = {20, UINT64_MAX, 10, 0};
    struct grt_reference_np_set set = {.tasks = tasks,
                                       .task_count = 4,
                                       .policy = GRT_REFERENCE_NP_FP,
                                       .horizon = 10,
                                       .tie_key = key_of_task,
                                       .context = keys};

    const struct np_expected task[] = {
        {0, 0, 3, 4, 5, false}, {1, 0, 1, 5, 7, false}, {2, 0, 2, 7, 10, false}, {3, 0, 0, 0, 4, false}};
    set.tie = GRT_REFERENCE_TIE_TASK;
    check_np("task", &set, task, COUNT(task));

    const struct np_expected arrival[] = {
        {0, 0, 3, 9, 10, false}, {1, 0, 1, 4, 6, false}, {2, 0, 2, 6, 9, false}, {3, 0, 0, 0, 4, false}};
    set.tie = GRT_REFERENCE_TIE_ARRIVAL;
    check_np("arrival", &set, arrival, COUNT(arrival));

    const struct np_expected shuffle[] = {
        {0, 0, 3, 7, 8, false}, {1, 0, 1, 8, 10, false}, {2, 0, 2, 4, 7, false}, {3, 0, 0, 0, 4, false}};
    set.tie = GRT_REFERENCE_TIE_SHUFFLE;
    check_np("shuffle", &set, shuffle, COUNT(shuffle));

    keys[0] = keys[1] = keys[2] = 7; /* equal keys: task index */
    check_np("shuffle, equal keys", &set, task, COUNT(task));
}

/* FIFO. Job 1 of task 1 is released at 3 and asks at 5, when job 0 ends; task 0 is released and asks at 5,
 * too. At 10 job 2 of task 1 (released 6) or task 0 (asked at 5) follows. */
static void test_np_equal_requests(void) {
    const grt_reference_tick exec[] = {1, 5};
    const grt_reference_tick arrivals_0[] = {5};
    const grt_reference_tick arrivals_1[] = {0, 3, 6};
    const struct grt_reference_np_task tasks[] = {
        {.period = 50,
         .deadline = 50,
         .exec = &exec[0],
         .exec_count = 1,
         .arrivals = arrivals_0,
         .arrival_count = 1},
        {.period = 3,
         .deadline = 50,
         .exec = &exec[1],
         .exec_count = 1,
         .arrivals = arrivals_1,
         .arrival_count = 3},
    };
    struct grt_reference_np_set set = {
        .tasks = tasks, .task_count = 2, .policy = GRT_REFERENCE_NP_FIFO, .horizon = 16};

    const struct np_expected task[] = {
        {0, 0, 5, 5, 6, false}, {1, 0, 0, 0, 5, false}, {1, 1, 5, 6, 11, false}, {1, 2, 11, 11, 16, false}};
    set.tie = GRT_REFERENCE_TIE_TASK;
    check_np("task", &set, task, COUNT(task));

    const struct np_expected arrival[] = {
        {0, 0, 5, 10, 11, false}, {1, 0, 0, 0, 5, false}, {1, 1, 5, 5, 10, false}, {1, 2, 10, 11, 16, false}};
    set.tie = GRT_REFERENCE_TIE_ARRIVAL;
    check_np("arrival", &set, arrival, COUNT(arrival));
}

static grt_reference_tick exec_grows(void *context, size_t task, size_t job) {
    (void)context;
    return (grt_reference_tick)(task + job) + 1;
}

/* EDF with execution times from the callback: task 0 takes 1, 2, 3, ..., task 1 takes 2, 3, .... Absolute
 * deadlines 5, 10, 15 and 3, 13. [0,2) task 1, [2,3) task 0, [5,7) task 0, [10,13) task 1 (deadline 13 before
 * 15), [13,16) task 0. */
static void test_np_exec_callback(void) {
    const struct grt_reference_np_task tasks[] = {{.period = 5, .deadline = 5},
                                                  {.period = 10, .deadline = 3}};
    const struct grt_reference_np_set set = {.tasks = tasks,
                                             .task_count = 2,
                                             .policy = GRT_REFERENCE_NP_EDF,
                                             .horizon = 15,
                                             .exec_of = exec_grows};
    const struct np_expected expected[] = {
        {0, 0, 0, 2, 3, false}, {0, 1, 5, 5, 7, false},    {0, 2, 10, 13, NEVER, true},
        {1, 0, 0, 0, 2, false}, {1, 1, 10, 10, 13, false},
    };
    check_np("callback", &set, expected, COUNT(expected));
}

enum { MOST_SMS = 68 };

static const struct grt_reference_placement_limits pascal = {
    .warps = 64, .block_slots = 32, .registers = 65536, .shared_memory_bytes = 98304};

static void check_placement(const char *name, const struct grt_reference_placement *placement,
                            const int *expected, size_t count) {
    int sm_of_block[ROOM];
    grt_reference_placement_run(placement, count, sm_of_block);
    for (size_t i = 0; i < count; i++) {
        if (sm_of_block[i] != expected[i]) {
            printf("\n    %s: block %zu on SM %d, expected %d", name, i, sm_of_block[i], expected[i]);
        }
        CU_ASSERT_EQUAL(sm_of_block[i], expected[i]);
    }
}

/* The 5-SM Pascal of Gilman et al., one block of kernel X on SM 1 to 4. */
static void check_pascal(const char *name, int64_t threads_of_x, int64_t threads_of_y) {
    const int order[] = {0, 1, 2, 3, 4};
    struct grt_reference_placement_resident residents[4];
    for (int i = 0; i < 4; i++) {
        residents[i] =
            (struct grt_reference_placement_resident){.sm = i + 1, .block = {.threads = threads_of_x}};
    }
    const struct grt_reference_placement placement = {
        .policy = GRT_REFERENCE_PLACEMENT_MOST_ROOM,
        .limits = pascal,
        .order = order,
        .order_count = 5,
        .residents = residents,
        .resident_count = 4,
        .block = {.threads = threads_of_y},
        .last_sm = -1,
    };
    const int expected[] = {0, 0, 1};
    check_placement(name, &placement, expected, 3);
}

/* Room for Y: 64/5 = 12 on SM 0, 56/5 = 11 elsewhere. So 0, then a tie at 11 that SM 0 wins, then 10
 * against 11. */
static void test_placement_golden_threads(void) {
    check_pascal("3 x 160 beside 256", 256, 160);
}

/* Room for Y: 32 block slots on SM 0, min(32 warps, 31 slots) = 31 elsewhere. */
static void test_placement_golden_slots(void) {
    check_pascal("3 x 32 beside 1024", 1024, 32);
}

/* The 68-SM Turing, evens then odds; 512 threads on all but SM 67. Room: 16 there, 15 elsewhere. */
static void test_placement_golden_turing(void) {
    int order[MOST_SMS];
    struct grt_reference_placement_resident residents[MOST_SMS - 1];
    for (int i = 0; i < MOST_SMS; i++) {
        order[i] = i < MOST_SMS / 2 ? 2 * i : 2 * (i - MOST_SMS / 2) + 1;
    }
    for (int i = 0; i < MOST_SMS - 1; i++) {
        residents[i] = (struct grt_reference_placement_resident){.sm = i, .block = {.threads = 512}};
    }
    const struct grt_reference_placement placement = {
        .policy = GRT_REFERENCE_PLACEMENT_MOST_ROOM,
        .limits = {.warps = 32, .block_slots = 16, .registers = 65536, .shared_memory_bytes = 65536},
        .order = order,
        .order_count = MOST_SMS,
        .residents = residents,
        .resident_count = MOST_SMS - 1,
        .block = {.threads = 32},
        .last_sm = -1,
    };
    const int expected[] = {67, 0, 2, 4, 6, 8, 10, 12};
    check_placement("8 x 32 beside 512", &placement, expected, COUNT(expected));
}

/* An empty SM of 64 warps, 32 slots, 65536 registers, 98304 bytes, and each limit in turn the smallest. */
static void test_placement_room(void) {
    const struct {
        struct grt_reference_placement_block block;
        int64_t room;
    } cases[] = {
        {{.threads = 32}, 32},                              /* block slots */
        {{.threads = 64}, 32},                              /* both: 2 warps x 32 */
        {{.threads = 65}, 21},                              /* 64 warps / 3 */
        {{.threads = 33, .registers = 2049}, 31},           /* 65536 / 2049 = 31.98 */
        {{.threads = 33, .shared_memory_bytes = 49152}, 2}, /* exactly 2 */
        {{.threads = 33, .shared_memory_bytes = 49153}, 1},
        {{.threads = 1, .registers = 65537}, 0},
        {{.threads = 2049}, 0}, /* 65 warps */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct grt_reference_placement placement = {.limits = pascal, .block = cases[i].block};
        CU_ASSERT_EQUAL(grt_reference_placement_room(&placement, 0), cases[i].room);
    }
}

/* 3 SMs of 8 warps and 4 slots; SM 0 holds one block of 4 warps, SM 1 two blocks of 1 warp. The kernel's
 * blocks have 2 warps. Room: 2 on SM 0 (warps), 2 on SM 1 (slots), 4 on SM 2; the ninth block finds none.
 * Resident warps at first: 4, 2, 0. */
static void test_placement_policies(void) {
    const int ascending[] = {0, 1, 2};
    const int swapped[] = {0, 2, 1};
    const int part[] = {1, 0};
    const struct grt_reference_placement_resident residents[] = {{.sm = 0, .block = {.threads = 128}},
                                                                 {.sm = 1, .block = {.threads = 20}},
                                                                 {.sm = 1, .block = {.threads = 32}}};
    const struct {
        const char *name;
        enum grt_reference_placement_policy policy;
        const int *order;
        size_t order_count;
        int last_sm;
        int expected[9];
    } cases[] = {
        {"most room", GRT_REFERENCE_PLACEMENT_MOST_ROOM, ascending, 3, -1, {2, 2, 0, 1, 2, 0, 1, 2, -1}},
        {"first fit", GRT_REFERENCE_PLACEMENT_FIRST_FIT, ascending, 3, -1, {0, 0, 1, 1, 2, 2, 2, 2, -1}},
        {"least loaded",
         GRT_REFERENCE_PLACEMENT_LEAST_LOADED,
         ascending,
         3,
         -1,
         {2, 1, 2, 0, 1, 2, 0, 2, -1}},
        {"round robin", GRT_REFERENCE_PLACEMENT_ROUND_ROBIN, ascending, 3, -1, {0, 1, 2, 0, 1, 2, 2, 2, -1}},
        {"round robin, continued",
         GRT_REFERENCE_PLACEMENT_ROUND_ROBIN,
         swapped,
         3,
         0,
         {2, 1, 0, 2, 1, 0, 2, 2, -1}},
        {"round robin, wrapped",
         GRT_REFERENCE_PLACEMENT_ROUND_ROBIN,
         ascending,
         3,
         2,
         {0, 1, 2, 0, 1, 2, 2, 2, -1}},
        {"most room, SM 2 not allowed",
         GRT_REFERENCE_PLACEMENT_MOST_ROOM,
         part,
         2,
         -1,
         {1, 0, 1, 0, -1, -1, -1, -1, -1}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct grt_reference_placement placement = {
            .policy = cases[i].policy,
            .limits = {.warps = 8, .block_slots = 4, .registers = 65536, .shared_memory_bytes = 65536},
            .order = cases[i].order,
            .order_count = cases[i].order_count,
            .residents = residents,
            .resident_count = COUNT(residents),
            .block = {.threads = 64},
            .last_sm = cases[i].last_sm,
        };
        check_placement(cases[i].name, &placement, cases[i].expected, COUNT(cases[i].expected));
    }
}

static void check_preemptive(const char *name, const struct grt_reference_preemptive_set *set,
                             const struct grt_reference_preemptive_job *expected, size_t expected_count) {
    struct grt_reference_preemptive_job jobs[ROOM];
    size_t count = grt_reference_preemptive_run(set, jobs, ROOM);
    CU_ASSERT_EQUAL(grt_reference_preemptive_job_count(set), count);
    CU_ASSERT_EQUAL_FATAL(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        bool same = jobs[i].task == expected[i].task && jobs[i].job == expected[i].job &&
                    jobs[i].release == expected[i].release && jobs[i].finish == expected[i].finish;
        if (!same) {
            printf("\n    %s: job %zu of task %zu: release %lld, finish %lld", name, jobs[i].job,
                   jobs[i].task, (long long)jobs[i].release, (long long)jobs[i].finish);
        }
        CU_ASSERT(same);
    }
}

/* Task 0: [0,2) [5,7) [10,12) [15,17); task 1: [2,5) [7,10). */
static void test_preemptive_preemption(void) {
    const struct grt_reference_preemptive_segment cpu_2[] = {{false, 2}};
    const struct grt_reference_preemptive_segment cpu_6[] = {{false, 6}};
    const struct grt_reference_preemptive_task tasks[] = {
        {.priority = 2, .period = 5, .segments = cpu_2, .segment_count = 1},
        {.priority = 1, .period = 20, .segments = cpu_6, .segment_count = 1},
    };
    struct grt_reference_preemptive_set set = {.tasks = tasks, .task_count = 2, .horizon = 20};
    struct grt_reference_preemptive_job expected[] = {
        {0, 0, 0, 2}, {0, 1, 5, 7}, {0, 2, 10, 12}, {0, 3, 15, 17}, {1, 0, 0, 10}};
    check_preemptive("whole", &set, expected, COUNT(expected));

    set.horizon = 16;
    expected[3].finish = NEVER;
    check_preemptive("until 16", &set, expected, COUNT(expected));
}

/* Core 0: task 0 [0,1), suspended [1,4), [4,6), the same 10 later; task 1 [1,4) [6,8).
 * Core 7: task 2 [0,4); task 3 [4,6), suspended [6,8), [8,9). */
static void test_preemptive_suspension(void) {
    const struct grt_reference_preemptive_segment segments_0[] = {{false, 1}, {true, 3}, {false, 2}};
    const struct grt_reference_preemptive_segment segments_1[] = {{false, 5}};
    const struct grt_reference_preemptive_segment segments_2[] = {{false, 4}};
    const struct grt_reference_preemptive_segment segments_3[] = {{false, 2}, {true, 2}, {false, 1}};
    const struct grt_reference_preemptive_task tasks[] = {
        {.core = 0, .priority = 2, .period = 10, .segments = segments_0, .segment_count = 3},
        {.core = 0, .priority = 1, .period = 20, .segments = segments_1, .segment_count = 1},
        {.core = 7, .priority = 3, .period = 20, .segments = segments_2, .segment_count = 1},
        {.core = 7, .priority = 1, .period = 20, .segments = segments_3, .segment_count = 3},
    };
    const struct grt_reference_preemptive_set set = {.tasks = tasks, .task_count = 4, .horizon = 20};
    const struct grt_reference_preemptive_job expected[] = {
        {0, 0, 0, 6}, {0, 1, 10, 16}, {1, 0, 0, 8}, {2, 0, 0, 4}, {3, 0, 0, 9}};
    check_preemptive("two cores", &set, expected, COUNT(expected));
}

/* Tasks 0 and 1 have priority 1. Task 1 runs from 0, task 0 arrives at 1 and does not preempt it; task 2
 * does, in [2,3). At 3 tasks 0 (2 ticks) and 1 (2 ticks left) are both ready: task 0 first ends at 5 and 7,
 * task 1 first at 7 and 5. */
static void test_preemptive_equal_priorities(void) {
    const grt_reference_tick arrivals[] = {1, 0, 2};
    const struct grt_reference_preemptive_segment cpu[] = {{false, 2}, {false, 4}, {false, 1}};
    const struct grt_reference_preemptive_task tasks[] = {
        {.priority = 1,
         .arrivals = &arrivals[0],
         .arrival_count = 1,
         .segments = &cpu[0],
         .segment_count = 1},
        {.priority = 1,
         .arrivals = &arrivals[1],
         .arrival_count = 1,
         .segments = &cpu[1],
         .segment_count = 1},
        {.priority = 5,
         .arrivals = &arrivals[2],
         .arrival_count = 1,
         .segments = &cpu[2],
         .segment_count = 1},
    };
    uint64_t keys[] = {1, 2, 3};
    struct grt_reference_preemptive_set set = {
        .tasks = tasks, .task_count = 3, .horizon = 7, .tie_key = key_of_task, .context = keys};
    const struct grt_reference_preemptive_job task_0_first[] = {{0, 0, 1, 5}, {1, 0, 0, 7}, {2, 0, 2, 3}};
    const struct grt_reference_preemptive_job task_1_first[] = {{0, 0, 1, 7}, {1, 0, 0, 5}, {2, 0, 2, 3}};

    set.tie = GRT_REFERENCE_TIE_TASK;
    check_preemptive("task", &set, task_0_first, 3);
    set.preempted_first = true;
    check_preemptive("task, preempted first", &set, task_1_first, 3);
    set.preempted_first = false;

    set.tie = GRT_REFERENCE_TIE_ARRIVAL;
    check_preemptive("arrival", &set, task_1_first, 3);

    set.tie = GRT_REFERENCE_TIE_SHUFFLE;
    check_preemptive("shuffle", &set, task_0_first, 3);
    keys[1] = 0;
    check_preemptive("shuffle, other keys", &set, task_1_first, 3);

    /* Without task 2: [0,4) task 1, [4,6) task 0. */
    const struct grt_reference_preemptive_job alone[] = {{0, 0, 1, 6}, {1, 0, 0, 4}};
    set.tie = GRT_REFERENCE_TIE_TASK;
    set.task_count = 2;
    check_preemptive("without task 2", &set, alone, 2);
}

/* A job of task 0 needs 4 ticks every 3: jobs [0,2)+[2,4), [4,6)+[6,8), [8,10)+[10,12), [12,14)+[14,16), each
 * one late and behind the one before. Task 1 gets the suspensions: [2,4) [6,7). */
static void test_preemptive_jobs_in_order(void) {
    const struct grt_reference_preemptive_segment segments_0[] = {{false, 2}, {true, 2}};
    const struct grt_reference_preemptive_segment segments_1[] = {{false, 3}};
    const grt_reference_tick arrivals_0[] = {0, 3, 6, 9};
    const grt_reference_tick arrivals_1[] = {0};
    const struct grt_reference_preemptive_task tasks[] = {
        {.priority = 2,
         .arrivals = arrivals_0,
         .arrival_count = 4,
         .segments = segments_0,
         .segment_count = 2},
        {.priority = 1,
         .arrivals = arrivals_1,
         .arrival_count = 1,
         .segments = segments_1,
         .segment_count = 1},
    };
    const struct grt_reference_preemptive_set set = {.tasks = tasks, .task_count = 2, .horizon = 16};
    const struct grt_reference_preemptive_job expected[] = {
        {0, 0, 0, 4}, {0, 1, 3, 8}, {0, 2, 6, 12}, {0, 3, 9, 16}, {1, 0, 0, 7}};
    check_preemptive("backlog", &set, expected, COUNT(expected));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"FIFO, periodic, four horizons", test_np_fifo_periodic},
        {"each policy its own order", test_np_policies},
        {"jobs of one task in order", test_np_jobs_in_order},
        {"tie rules", test_np_ties},
        {"equal requests of a late and a new job", test_np_equal_requests},
        {"execution times by callback", test_np_exec_callback},
        {"3 x 160 threads beside 256", test_placement_golden_threads},
        {"3 x 32 threads beside 1024", test_placement_golden_slots},
        {"8 x 32 threads on 68 SMs", test_placement_golden_turing},
        {"room by each limit", test_placement_room},
        {"all policies", test_placement_policies},
        {"preemptive: preemption", test_preemptive_preemption},
        {"preemptive: suspension, two cores", test_preemptive_suspension},
        {"preemptive: equal priorities", test_preemptive_equal_priorities},
        {"preemptive: jobs of one task in order", test_preemptive_jobs_in_order},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("reference simulators", tests);
}
