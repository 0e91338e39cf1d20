/* The policy tdm by hand: when slots begin and how much of a job they execute, packed and in a table; overheads, blocks, copies; overruns and how they
 * are paid back; what is refused. On a GPU with one SM that holds one block, times in ns. */
#include <string.h>

#include "policies/registry.h"
#include "policies/tdm/tdm.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

/* T = `period`, tasks counted as the paper does; the least budget for the slots. */
static struct tdm_parameters fixed(grt_time period, enum tdm_slots slots) {
    struct tdm_parameters given = {.admit = TDM_ADMIT_FEASIBLE};
    given.rule =
        (struct tdm_rule){.method = TDM_FIXED, .count = TDM_COUNT_SOUND, .slots = slots, .period = period};
    return given;
}

static struct grt_builder *make(grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    return builder;
}

/* A sporadic task that arrives once, at `at`. */
static struct grt_task *add(struct grt_builder *builder, const char *name, grt_time period, grt_time at) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_at(builder, task, at);
    task->arrival = GRT_ARRIVAL_SPORADIC;
    task->period = task->deadline = period;
    return task;
}

static void run(struct grt_built_run *run, const struct grt_builder *builder, struct tdm_parameters given) {
    grt_built_run_start_with(run, &builder->scenario, grt_policy_find("tdm"), &given, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

static uint64_t counted(const struct grt_built_run *run, const char *name) {
    for (size_t i = 0; i < run->result->counter_count; i++) {
        if (strcmp(run->result->counters[i].name, name) == 0) {
            return run->result->counters[i].count;
        }
    }
    CU_FAIL("no such counter");
    return 0;
}

/* ---- slots ---- */

/* T = 10, a: 40 / 10 - 1 = 3 slots of 2 for 6; b: 3 slots of 3 for 8, the last one 2 long. Both come with the activation at 0. */
static struct grt_builder *two_tasks(grt_time a_at, grt_time b_at) {
    struct grt_builder *builder = make(200);
    grt_builder_whole(builder, add(builder, "a", 40, a_at), 6);
    grt_builder_whole(builder, add(builder, "b", 40, b_at), 8);
    return builder;
}

static void packed_slots_follow_one_another(void) {
    struct grt_builder *builder = two_tasks(0, 0);
    struct grt_built_run seen;
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 2) && grt_built_kernel_ran(&seen, A, 1, 10, 12) &&
              grt_built_kernel_ran(&seen, A, 2, 20, 22));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 2, 5) && grt_built_kernel_ran(&seen, B, 1, 12, 15) &&
              grt_built_kernel_ran(&seen, B, 2, 22, 24));
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, A, 0), 22);
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, B, 0), 24);
    CU_ASSERT_EQUAL(counted(&seen, "activations"), 3);
    CU_ASSERT_EQUAL(counted(&seen, "slots"), 6);
    CU_ASSERT_EQUAL(counted(&seen, "overruns"), 0);
    grt_built_run_end(&seen, builder);
}

/* a comes 1 ns after the activation began: it waits for the next. b moves up while a is not there. */
static void packed_slots_move_up(void) {
    struct grt_builder *builder = two_tasks(11, 10);
    struct grt_built_run seen;
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 10, 13) && grt_built_kernel_ran(&seen, B, 1, 22, 25) &&
              grt_built_kernel_ran(&seen, B, 2, 32, 34));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 20, 22) && grt_built_kernel_ran(&seen, A, 2, 40, 42));
    grt_built_run_end(&seen, builder);
}

/* b, whose turn comes behind a's, comes while a's slot is going on, and is served in the same activation; not so a. */
static void a_turn_is_decided_when_it_comes(void) {
    struct grt_builder *builder = two_tasks(10, 11);
    struct grt_built_run seen;
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 12, 15));
    grt_built_run_end(&seen, builder);
}

/* The slots of a are at 0, those of b at 2, whoever is there. */
static void slots_of_a_table_stay(void) {
    struct grt_builder *builder = two_tasks(11, 10);
    struct grt_built_run seen;
    run(&seen, builder, fixed(10, TDM_SLOTS_TABLE));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 12, 15) && grt_built_kernel_ran(&seen, B, 1, 22, 25) &&
              grt_built_kernel_ran(&seen, B, 2, 32, 34));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 20, 22) && grt_built_kernel_ran(&seen, A, 2, 40, 42));
    grt_built_run_end(&seen, builder);
}

/* It comes at the very instant of its slot, and has it; 1 ns later it waits for the next. */
static void a_slot_of_a_table_begins_on_time_only(void) {
    for (grt_time late = 0; late <= 1; late++) {
        struct grt_builder *builder = two_tasks(100, 12 + late);
        struct grt_built_run seen;
        run(&seen, builder, fixed(10, TDM_SLOTS_TABLE));
        CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 12 + 10 * late, 15 + 10 * late));
        grt_built_run_end(&seen, builder);
    }
}

/* Tasks have their slots by period, not in the order of the file. */
static void slots_are_in_the_order_of_the_periods(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    grt_builder_whole(builder, add(builder, "long", 80, 0), 7);
    grt_builder_whole(builder, add(builder, "short", 40, 0), 6);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 0, 2) && grt_built_kernel_ran(&seen, A, 0, 2, 3));
    grt_built_run_end(&seen, builder);
}

/* ---- what a slot holds ---- */

/* An overhead of 3 a slot is spent before the piece begins: o = 6 / 3 + 3. */
static void overhead_comes_first(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    struct grt_task *a = add(builder, "a", 40, 0);
    a->split_overhead = 3;
    grt_builder_whole(builder, a, 6);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 3);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 3, 5) && grt_built_kernel_ran(&seen, A, 1, 13, 15));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 5, 6));
    grt_built_run_end(&seen, builder);
}

/* 10 blocks of 2 in 3 slots: 4 blocks a slot, which keep their numbers. */
static void kernels_are_cut_between_blocks(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    grt_builder_kernel(builder, add(builder, "a", 40, 0), 10, 32, 2);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 8) && grt_built_kernel_ran(&seen, A, 1, 10, 18) &&
              grt_built_kernel_ran(&seen, A, 2, 20, 24));
    CU_ASSERT(grt_built_block_ran(&seen, A, 4, 0, 10, 12) && grt_built_block_ran(&seen, A, 9, 0, 22, 24));
    CU_ASSERT_EQUAL(grt_built_run_count(&seen, GRT_TRACE_BLOCK), 10);
    grt_built_run_end(&seen, builder);
}

/* 5 of copy, 4 of kernel, 3 of copy in 3 slots: the least is 5 | 4 | 3 in slots of 5. */
static void copies_are_not_cut(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    struct grt_task *a = add(builder, "a", 40, 0);
    builder->gpus[0].copy_engines = 1;
    builder->gpus[0].h2d_bytes_per_second = builder->gpus[0].d2h_bytes_per_second = GRT_SECOND;
    grt_builder_copy(builder, a, GRT_COMMAND_H2D, 5);
    grt_builder_whole(builder, a, 4);
    grt_builder_copy(builder, a, GRT_COMMAND_D2H, 3);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_copy_ran(&seen, A, 0, 0, 5) && grt_built_copy_ran(&seen, A, 1, 20, 23));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 10, 14));
    grt_built_run_end(&seen, builder);
}

/* A job that is done earlier than its worst case leaves the rest of its slot to the next. */
static void a_shorter_job_gives_its_time_on(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    grt_builder_whole(builder, add(builder, "a", 40, 0), 6)->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = 1, .max = 1, .declared = 0};
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 1) && grt_built_kernel_ran(&seen, B, 0, 1, 4));
    grt_built_run_end(&seen, builder);
}

/* ---- overruns ---- */

static void let_overrun(struct grt_kernel *kernel, grt_time declared, grt_time takes) {
    kernel->block_time =
        (struct grt_distribution){.kind = GRT_UNIFORM, .min = takes, .max = takes, .declared = declared};
}

/* Blocks of a are declared to take 2 and take 5. o_a = 2 (3 blocks in 3 slots): the first slot is 3 too long, b's begins 3 later, at 5, and
 * has all of its 3. a owes 3: its slots at 10 and 20 are left out (3 - 2, 1 - 1), the one at 30 executes again. */
static void what_was_taken_is_paid_back(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    let_overrun(grt_builder_kernel(builder, add(builder, "a", 40, 0), 3, 32, 2), 2, 5);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 5) && grt_built_kernel_ran(&seen, A, 1, 30, 35));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 5, 8) && grt_built_kernel_ran(&seen, B, 1, 10, 13) &&
              grt_built_kernel_ran(&seen, B, 2, 20, 22));
    CU_ASSERT_EQUAL(counted(&seen, "overruns"), 3);
    CU_ASSERT_EQUAL(counted(&seen, "repaid_slots"), 4);
    grt_built_run_end(&seen, builder);
}

/* Alone, too: blocks of 5 in slots of 2, the first owes 3. The slot at 10 is left out, that at 20 is, the one at 30 is whole again. */
static void what_was_taken_is_paid_back_with_time(void) {
    for (enum tdm_slots slots = TDM_SLOTS_PACKED; slots <= TDM_SLOTS_TABLE; slots++) {
        struct grt_builder *builder = make(200);
        struct grt_built_run seen;
        let_overrun(grt_builder_kernel(builder, add(builder, "a", 40, 0), 3, 32, 2), 2, 5);
        run(&seen, builder, fixed(10, slots));
        CU_ASSERT(grt_built_kernel_ran(&seen, A, 1, 30, 35) && grt_built_kernel_ran(&seen, A, 2, 60, 65));
        grt_built_run_end(&seen, builder);
    }
}

/* Blocks of 1 in slots of 4, of which the first takes 2 more. The next slot has 2 blocks, and then nothing is owed: the third has 4. */
static void a_shorter_slot_pays_back(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    struct grt_task *a = add(builder, "a", 40, 0);
    let_overrun(grt_builder_kernel(builder, a, 1, 32, 4), 4, 6);
    grt_builder_kernel(builder, a, 8, 32, 1);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 6) && grt_built_kernel_ran(&seen, A, 1, 10, 12) &&
              grt_built_kernel_ran(&seen, A, 2, 20, 24) && grt_built_kernel_ran(&seen, A, 3, 30, 32));
    grt_built_run_end(&seen, builder);
}

/* Two jobs of three slots each: neither needs more than it may. */
static void slots_are_counted_by_the_job(void) {
    struct grt_builder *builder = make(100);
    struct grt_built_run seen;
    struct grt_task *a = grt_builder_task(builder, "a");
    grt_builder_periodic(a, 40, 0);
    grt_builder_whole(builder, a, 6);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT_EQUAL(counted(&seen, "slots"), 8); /* the third job has two before the end */
    CU_ASSERT_EQUAL(counted(&seen, "overruns"), 0);
    grt_built_run_end(&seen, builder);
}

/* The same in a table: b's slot at 2 begins when a lets go, at 5, and has its whole length. */
static void a_slot_of_a_table_that_was_taken_comes_late(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    let_overrun(grt_builder_kernel(builder, add(builder, "a", 40, 0), 3, 32, 2), 2, 5);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    run(&seen, builder, fixed(10, TDM_SLOTS_TABLE));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 5, 8) && grt_built_kernel_ran(&seen, B, 1, 12, 15));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 1, 30, 35));
    grt_built_run_end(&seen, builder);
}

/* A kernel of a declared time of 6 takes 9: cut by time it never leaves its slots of 2, needs five instead of three, and that is an overrun. */
static void a_kernel_of_known_time_overruns_within_its_slots(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    let_overrun(grt_builder_whole(builder, add(builder, "a", 40, 0), 6), 6, 9);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 2, 20, 22) && grt_built_kernel_ran(&seen, A, 3, 30, 32) &&
              grt_built_kernel_ran(&seen, A, 4, 40, 41));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 2, 22, 24));
    CU_ASSERT_EQUAL(counted(&seen, "overruns"), 2);
    CU_ASSERT_EQUAL(counted(&seen, "repaid_slots"), 0);
    CU_ASSERT_EQUAL(seen.result->tasks[A].missed, 1);
    CU_ASSERT_EQUAL(seen.result->tasks[B].missed, 0);
    grt_built_run_end(&seen, builder);
}

/* The same of the shortest time that can be declared, 1: its slots of 1 are never left, either. */
static void a_kernel_of_one_nanosecond_overruns_within_its_slots(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    let_overrun(grt_builder_whole(builder, add(builder, "a", 40, 0), 1), 1, 3);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 1) && grt_built_kernel_ran(&seen, A, 1, 10, 11) &&
              grt_built_kernel_ran(&seen, A, 2, 20, 21));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 1, 4));
    CU_ASSERT_EQUAL(counted(&seen, "repaid_slots"), 0);
    grt_built_run_end(&seen, builder);
}

/* A block that takes longer than two periods: b has its turn behind it, at 25. The activation at 10 falls away, the one at 20 begins late, at 27,
 * the next one on time. */
static void a_late_server_goes_on_by_its_grid(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    let_overrun(grt_builder_kernel(builder, add(builder, "a", 40, 0), 1, 32, 2), 2, 25);
    grt_builder_whole(builder, add(builder, "b", 60, 5), 10);
    run(&seen, builder, fixed(10, TDM_SLOTS_PACKED));
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 25));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 25, 27) && grt_built_kernel_ran(&seen, B, 1, 27, 29) &&
              grt_built_kernel_ran(&seen, B, 2, 30, 32));
    grt_built_run_end(&seen, builder);
}

/* ---- without a guarantee ---- */

/* Twelve slots of 9 * 10^17 ns each are longer than time itself: the first and the second have their places, the others never come. */
static void slots_of_many_years_do_not_overflow(void) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    const grt_time years = INT64_C(900000000000000000);
    for (enum tdm_slots slots_kind = TDM_SLOTS_PACKED; slots_kind <= TDM_SLOTS_TABLE; slots_kind++) {
        struct grt_builder *builder = make(years + 10);
        struct grt_built_run seen;
        struct tdm_parameters given = fixed(years, slots_kind);
        given.admit = TDM_ADMIT_ALL;
        for (int i = 0; i < 12; i++) {
            let_overrun(grt_builder_kernel(builder, add(builder, names[i], years, 0), 1, 32, 1), years, 1);
        }
        run(&seen, builder, given);
        CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 1));
        if (slots_kind == TDM_SLOTS_TABLE) {
            CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, years, years + 1));
            CU_ASSERT_EQUAL(grt_built_run_count(&seen, GRT_TRACE_BLOCK), 2);
        }
        grt_built_run_end(&seen, builder);
    }
}

/* Equal parts of 10 are too short for blocks of 8 and 6: the slots are as long as these, and the period is 14. b comes too
 * late for its first one. */
static void equal_parts_hold_the_longest_unit(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    struct tdm_parameters given = fixed(10, TDM_SLOTS_TABLE);
    given.admit = TDM_ADMIT_ALL;
    grt_builder_kernel(builder, add(builder, "a", 20, 0), 2, 32, 8);
    grt_builder_kernel(builder, add(builder, "b", 20, 9), 2, 32, 6);
    run(&seen, builder, given);
    CU_ASSERT(grt_built_kernel_ran(&seen, A, 0, 0, 8) && grt_built_kernel_ran(&seen, A, 1, 14, 22));
    CU_ASSERT(grt_built_kernel_ran(&seen, B, 0, 22, 28) && grt_built_kernel_ran(&seen, B, 1, 36, 42));
    CU_ASSERT_EQUAL(counted(&seen, "overruns"), 0);
    grt_built_run_end(&seen, builder);
}

/* ---- aborts ---- */

/* a is aborted at its deadline, in its slot's overhead: the slot is over at once, and b has its turn. */
static void an_abort_ends_a_slot(void) {
    struct grt_builder *builder = make(200);
    struct grt_built_run seen;
    struct grt_task *a = add(builder, "a", 40, 0);
    struct tdm_parameters given = fixed(10, TDM_SLOTS_PACKED);
    a->split_overhead = 3;
    a->deadline = 1;
    a->on_miss = GRT_MISS_ABORT;
    grt_builder_whole(builder, a, 6);
    grt_builder_whole(builder, add(builder, "b", 40, 0), 8);
    given.admit = TDM_ADMIT_ALL;
    run(&seen, builder, given);
    CU_ASSERT_EQUAL(grt_built_run_abort(&seen, A, 0), 1);
    CU_ASSERT_EQUAL(grt_built_run_find(&seen, GRT_TRACE_KERNEL, B, 0, 0)->other, 1);
    grt_built_run_end(&seen, builder);
}

/* ---- refusals ---- */

static void expect_refusal(struct grt_builder *builder, struct tdm_parameters given, const char *part) {
    struct grt_built_run seen;
    grt_built_run_start_with(&seen, &builder->scenario, grt_policy_find("tdm"), &given, false);
    CU_ASSERT_PTR_NULL(seen.world);
    CU_ASSERT_FATAL(seen.errors.count == 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(seen.errors.messages[0], part));
    grt_built_run_end(&seen, builder);
}

static void refusals(void) {
    struct grt_builder *builder = two_tasks(0, 0);
    grt_builder_whole(builder, &builder->tasks[B], 7);
    expect_refusal(builder, fixed(20, TDM_SLOTS_PACKED),
                   "with T = 2e-05 ms the slots take 2.1e-05 ms"); /* 6 and 15 in one slot each */
    expect_refusal(two_tasks(0, 0), fixed(40, TDM_SLOTS_PACKED),
                   "a job of task a is not sure of enough slots");
    expect_refusal(two_tasks(0, 0), fixed(0, TDM_SLOTS_PACKED), "required for the assignment \"fixed\"");
    struct tdm_parameters given = fixed(10, TDM_SLOTS_PACKED);
    given.rule.method = TDM_EXACT;
    expect_refusal(two_tasks(0, 0), given, "only for the assignment \"fixed\"");
    builder = two_tasks(0, 0);
    builder->tasks[B].arrival = GRT_ARRIVAL_TIMES;
    builder->tasks[B].period = 0;
    expect_refusal(builder, fixed(10, TDM_SLOTS_PACKED),
                   "task b has no least distance between arrivals (\"sporadic\" with \"min_gap\" gives one)");
    builder = two_tasks(0, 0);
    builder->tasks[B].deadline = GRT_TIME_NEVER;
    expect_refusal(builder, fixed(10, TDM_SLOTS_PACKED), "task b has no deadline");
    builder = two_tasks(0, 0);
    grt_builder_gpu_segment(builder, &builder->tasks[A]);
    grt_builder_whole(builder, &builder->tasks[A], 1);
    expect_refusal(builder, fixed(10, TDM_SLOTS_PACKED), "task a has several GPU segments");
}

/* ---- what worlds share ---- */

static grt_time last_end(const struct grt_scenario *scenario, const struct tdm_parameters *given,
                         const void *prepared) {
    struct grt_world_options options = {.prepared = prepared};
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(scenario, grt_policy_find("tdm"), given, &options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(world);
    grt_world_run(world);
    grt_time end = grt_world_result(world)->tasks[B].response.max;
    grt_world_free(world);
    return end;
}

/* One plan for two worlds, in which the jobs come at other times: a world does as if it had found the plan itself, and with that of other
 * slots (6 and 8 where T is 20) it does not. */
static void plans_are_shared(void) {
    struct tdm_parameters given = fixed(10, TDM_SLOTS_PACKED), other = fixed(20, TDM_SLOTS_PACKED);
    struct grt_arena arena = {0};
    struct grt_builder *first = two_tasks(0, 0), *second = two_tasks(11, 10);
    const struct grt_policy_ops *tdm = grt_policy_find("tdm");
    const void *plan = grt_world_prepare(&first->scenario, tdm, &given, &arena);
    const void *wide = grt_world_prepare(&first->scenario, tdm, &other, &arena);
    CU_ASSERT_EQUAL(last_end(&first->scenario, &given, NULL), 24);
    CU_ASSERT_EQUAL(last_end(&first->scenario, &given, plan), 24);
    CU_ASSERT_EQUAL(last_end(&first->scenario, &given, wide), 14);
    grt_time alone = last_end(&second->scenario, &given, NULL);
    CU_ASSERT_EQUAL(last_end(&second->scenario, &given, plan), alone);
    grt_arena_clear(&arena);
    grt_builder_free(first);
    grt_builder_free(second);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"packed slots follow one another", packed_slots_follow_one_another},
        {"packed slots move up", packed_slots_move_up},
        {"a turn is decided when it comes", a_turn_is_decided_when_it_comes},
        {"slots of a table stay", slots_of_a_table_stay},
        {"a slot of a table begins on time only", a_slot_of_a_table_begins_on_time_only},
        {"slots are in the order of the periods", slots_are_in_the_order_of_the_periods},
        {"overhead comes first", overhead_comes_first},
        {"kernels are cut between blocks", kernels_are_cut_between_blocks},
        {"copies are not cut", copies_are_not_cut},
        {"a shorter job gives its time on", a_shorter_job_gives_its_time_on},
        {"what was taken is paid back", what_was_taken_is_paid_back},
        {"what was taken is paid back with time", what_was_taken_is_paid_back_with_time},
        {"a shorter slot pays back", a_shorter_slot_pays_back},
        {"slots are counted by the job", slots_are_counted_by_the_job},
        {"equal parts hold the longest unit", equal_parts_hold_the_longest_unit},
        {"a slot of a table that was taken comes late", a_slot_of_a_table_that_was_taken_comes_late},
        {"a kernel of known time overruns within its slots",
         a_kernel_of_known_time_overruns_within_its_slots},
        {"a kernel of one nanosecond overruns within its slots",
         a_kernel_of_one_nanosecond_overruns_within_its_slots},
        {"a late server goes on by its grid", a_late_server_goes_on_by_its_grid},
        {"slots of many years do not overflow", slots_of_many_years_do_not_overflow},
        {"an abort ends a slot", an_abort_ends_a_slot},
        {"refusals", refusals},
        {"plans are shared", plans_are_shared},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("time division", tests);
}
