/* The clients of an MPS server, by the numbers of the rules (docs/gpu-model.md), one small case each, with times computed
 * by hand. Four SMs, a TPC each, that hold two blocks of 1024 threads; a copy of n bytes takes n ns; time slices are short
 * and switches dear, so that who takes turns is seen. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};

static struct grt_builder *four_sms(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(4));
    device->mps = true;
    device->time_slice = device->copy_time_slice = 5;
    device->context_switch = 100;
    builder->scenario.processes = processes;
    builder->scenario.process_count = 3;
    return builder;
}

/* The next task, in the process of this number: a kernel whose blocks take 10. */
static struct grt_task *add(struct grt_builder *builder, int64_t process, grt_time at, int64_t blocks,
                            int64_t threads) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->process = process;
    grt_builder_at(builder, task, at);
    grt_builder_kernel(builder, task, blocks, threads, 10);
    return task;
}

/* Gives the processes these percentages; the arrays stay. */
static void limit(struct grt_builder *builder, int64_t p, int64_t q, int64_t r) {
    struct grt_process *own = grt_arena_array(&builder->arena, 3, sizeof *own);
    memcpy(own, processes, sizeof processes);
    own[0].spec.active_thread_percentage = p;
    own[1].spec.active_thread_percentage = q;
    own[2].spec.active_thread_percentage = r;
    builder->scenario.processes = own;
}

/* The SMs of a task's blocks, by index, as digits. */
static bool ran_on(const struct grt_built_run *run, uint32_t task, const char *expected) {
    char seen[32] = "";
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task == task && record->detail < sizeof seen - 1) {
            seen[record->detail] = (char)('0' + record->row);
        }
    }
    if (strcmp(seen, expected) != 0) {
        fprintf(stderr, "task %u ran on %s\n", task, seen);
    }
    return strcmp(seen, expected) == 0;
}

/* ---- M1: one context ---- */

/* Blocks of two clients run beside each other, and nobody takes turns. */
static void m1_clients_share_the_sms(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, A, 0, 4, 1024);
    add(builder, B, 0, 4, 1024);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_CONTEXT), 0);
    CU_ASSERT_EQUAL(run.result->gpus[0].busy, 10);
    grt_built_run_end(&run, builder);
}

/* Leftover policy across clients: a short kernel waits for what a long one of another client leaves: its third wave fills
 * the device until 30. */
static void m1_a_short_kernel_waits_for_a_long_one(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, A, 0, 24, 1024);
    add(builder, B, 1, 1, 32);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 40));
    grt_built_run_end(&run, builder);
}

/* A kernel of 768 threads a block leaves 512 threads of each SM; another client's small block would fit, but the front
 * kernel is not fully dispatched until 10 (X1). */
static void m1_x1_holds_across_clients(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, A, 0, 12, 768);
    add(builder, B, 0, 1, 32);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* The copies of all clients stand in one queue; a time slice of 5 does not cut them. */
static void m1_copies_follow_one_another(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        task->process = i;
        grt_builder_at(builder, task, i);
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, 30);
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 30));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 30, 60));
    grt_built_run_end(&run, builder);
}

/* The NULL stream of one client holds back that client's streams (N2) and no other's. */
static void m1_null_streams_are_a_clients_own(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    add(builder, 0, 0, 1, 32)->stream = "null";
    add(builder, 0, 1, 1, 32);
    add(builder, 1, 1, 1, 32);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 1, 11));
    grt_built_run_end(&run, builder);
}

/* One hardware queue: before Volta the clients share it, and B waits until A's second kernel is dispatched; later each has
 * its own. */
static void q8_who_shares_hardware_queues(void) {
    static const int64_t capabilities[] = {61, 70};
    for (int volta = 0; volta < 2; volta++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        builder->gpus[0].compute_capability = capabilities[volta];
        builder->gpus[0].hardware_queues = 1;
        grt_builder_kernel(builder, add(builder, 0, 0, 1, 32), 1, 32, 10);
        add(builder, 1, 0, 1, 32);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, volta ? 0 : 10, volta ? 10 : 20));
        grt_built_run_end(&run, builder);
    }
}

/* ---- M2: priorities ---- */

/* p's urgent kernel C takes the place of p's long A at the front, and A the place of C behind q's B: B is where it was.
 * Where priorities count on the whole device, A goes before B, too. */
static void m2_priorities_change_a_clients_own_places(void) {
    for (int across = 0; across < 2; across++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        builder->gpus[0].mps_priorities = across ? GRT_MPS_PRIORITIES_DEVICE : GRT_MPS_PRIORITIES_CLIENT;
        add(builder, 0, 0, 16, 1024)->stream_priority = across ? -1 : 0;
        add(builder, 1, 3, 8, 1024);
        add(builder, 0, 6, 8, 1024)->stream_priority = -1;
        grt_built_run_under(&run, builder, "hardware");
        if (across) {
            CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
            CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 20, 30));
            CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 40));
        } else {
            CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
            CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
            CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 40));
        }
        grt_built_run_end(&run, builder);
    }
}

/* Another client's urgent kernel passes A only where priorities count on the whole device. */
static void m2_no_priority_between_clients(void) {
    for (int across = 0; across < 2; across++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        builder->gpus[0].mps_priorities = across ? GRT_MPS_PRIORITIES_DEVICE : GRT_MPS_PRIORITIES_CLIENT;
        add(builder, 0, 0, 16, 1024);
        add(builder, 1, 3, 8, 1024)->stream_priority = -1;
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, across ? 30 : 20));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, across ? 10 : 20, across ? 20 : 30));
        grt_built_run_end(&run, builder);
    }
}

/* Three levels of one client, least urgent first, behind a full device: they go by urgency in the places that they have,
 * and the other client's kernel keeps the second of the four. */
static void m2_three_levels(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].priority_levels = 3;
    add(builder, 2, 0, 8, 1024);
    add(builder, 0, 1, 8, 1024);
    add(builder, 1, 2, 8, 1024);
    add(builder, 0, 3, 8, 1024)->stream_priority = -1;
    add(builder, 0, 4, 8, 1024)->stream_priority = -2;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, 4, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, 20, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, 3, 0, 30, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 40, 50));
    grt_built_run_end(&run, builder);
}

/* The device holds one grid: the urgent kernel at the front waits for it and does not keep A from ending. */
static void m2_a_kernel_without_grid_holds_nobody_back(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].max_resident_grids = 1;
    add(builder, 0, 0, 16, 1024);
    add(builder, 0, 6, 8, 1024)->stream_priority = -1;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    grt_built_run_end(&run, builder);
}

/* ---- M3: percentages ---- */

/* 75 and 25 percent: three SMs and one, side by side; neither waits for the other. */
static void m3_three_quarters_and_one(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 75, 25, 0);
    add(builder, 0, 0, 12, 1024);
    add(builder, 1, 0, 4, 1024);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "012012012012"));
    CU_ASSERT(ran_on(&run, B, "3333"));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 20));
    grt_built_run_end(&run, builder);
}

/* 75 and 75 percent: A is on 0, 1 and 2. B's blocks of half an SM go where most room is: twice to 3, then beside A's on 0
 * and 1, and with three TPCs no further. */
static void m3_nothing_is_reserved(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 75, 75, 0);
    add(builder, 0, 0, 6, 512);
    add(builder, 1, 0, 6, 512);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "012012"));
    CU_ASSERT(ran_on(&run, B, "330130"));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    grt_built_run_end(&run, builder);
}

/* One TPC at a time, but not always the same: at 10 another client's block is on SM 0, and SM 1 has more room. */
static void m3_so_many_at_a_time(void) {
    static const int64_t first[] = {0};
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 25, 0, 0);
    grt_builder_kernel(builder, add(builder, 0, 0, 2, 1024), 2, 1024, 10);
    struct grt_task *other = grt_builder_task(builder, "t");
    other->process = 1;
    other->tpcs = (struct grt_number_list){first, 1};
    grt_builder_at(builder, other, 10);
    grt_builder_kernel(builder, other, 1, 512, 100);
    struct grt_task *third = add(builder, 0, 20, 1, 1024);
    third->stream = "late";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 20));
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_BLOCK, A, 0, 0)->row, 0);
    CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_BLOCK, C, 0, 0)->row, 1);
    grt_built_run_end(&run, builder);
}

/* 70 percent of four TPCs are 2.8: two, or by the older rule three. A client has one at least. */
static void m3_rounding(void) {
    static const struct {
        int64_t percentage, rounding, sms;
    } cases[] = {{70, GRT_MPS_ROUNDING_DOWN, 2}, {70, GRT_MPS_ROUNDING_UP, 3},   {75, GRT_MPS_ROUNDING_UP, 3},
                 {1, GRT_MPS_ROUNDING_DOWN, 1},  {1, GRT_MPS_ROUNDING_UP, 1},    {99, GRT_MPS_ROUNDING_UP, 4},
                 {99, GRT_MPS_ROUNDING_DOWN, 3}, {100, GRT_MPS_ROUNDING_DOWN, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        limit(builder, cases[i].percentage, 0, 0);
        builder->gpus[0].mps_rounding = cases[i].rounding;
        add(builder, 0, 0, 24, 1024);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10 * (12 / cases[i].sms)));
        grt_built_run_end(&run, builder);
    }
}

/* Two SMs a TPC: half of two TPCs are SMs 0 and 1. */
static void m3_counts_tpcs(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].sms_per_tpc = 2;
    builder->gpus[0].sm_order = GRT_SM_ORDER_TPC_FIRST;
    limit(builder, 50, 50, 0);
    add(builder, 0, 0, 4, 1024);
    add(builder, 1, 0, 4, 1024);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "0101"));
    CU_ASSERT(ran_on(&run, B, "2323"));
    grt_built_run_end(&run, builder);
}

/* Without an MPS server percentages say nothing. */
static void m3_only_under_mps(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].mps = false;
    limit(builder, 25, 0, 0);
    add(builder, 0, 0, 8, 1024);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    grt_built_run_end(&run, builder);
}

/* ---- M4: the queue behind a client at its limit ---- */

/* A is at its limit on 0 and 1 and has blocks left. B begins at once on 2 and 3; C, whose blocks would fit beside A's on 0
 * and 1, too, gets none of A's SMs. */
static void m4_a_client_at_its_limit_is_passed(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 50, 0, 0);
    add(builder, 0, 0, 8, 768);
    add(builder, 1, 0, 2, 768);
    add(builder, 2, 0, 6, 128);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(ran_on(&run, B, "23"));
    CU_ASSERT(ran_on(&run, C, "232323"));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 0, 10));
    grt_built_run_end(&run, builder);
}

/* B, unlimited and stuck, holds back everybody behind it (X1), where C would fit beside its blocks. */
static void m4_x1_holds_for_the_rest(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 50, 0, 0);
    add(builder, 0, 0, 8, 768);
    add(builder, 1, 0, 6, 768);
    add(builder, 2, 0, 1, 128);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* Two kernels of one client at its limit keep their order, though the second's small blocks would fit beside the first's. */
static void m4_a_clients_kernels_stay_in_order(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 50, 0, 0);
    add(builder, 0, 0, 8, 768);
    add(builder, 0, 0, 1, 128);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* An aborted kernel gives back what it used: C, of the same client, may then use two other SMs. */
static void m4_aborts_free_the_share(void) {
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    limit(builder, 50, 0, 0);
    struct grt_task *task = add(builder, 0, 0, 40, 1024);
    task->deadline = 15;
    task->on_miss = GRT_MISS_ABORT;
    add(builder, 0, 30, 4, 1024);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, A, 0), 15);
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 40));
    grt_built_run_end(&run, builder);
}

/* ---- refusals ---- */

static void refuses_tpcs_with_a_percentage(void) {
    static const int64_t first[] = {0};
    struct grt_errors errors = {0};
    struct grt_world_options options = {0};
    struct grt_builder *builder = four_sms();
    limit(builder, 50, 0, 0);
    add(builder, 0, 0, 1, 32)->tpcs = (struct grt_number_list){first, 1};
    CU_ASSERT_PTR_NULL(
        grt_world_create(&builder->scenario, grt_policy_find("hardware"), NULL, &options, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "tasks[0].segments[0].gpu[0]: kernel \"t\" can never run on \"built\": it is kept "
                           "to some TPCs, but its process has an active_thread_percentage");
    grt_errors_clear(&errors);
    grt_builder_free(builder);
}

/* 99 percent of four TPCs, rounded up, are all. */
static void takes_tpcs_where_the_percentage_limits_nothing(void) {
    static const int64_t first[] = {0};
    struct grt_builder *builder = four_sms();
    struct grt_built_run run;
    builder->gpus[0].mps_rounding = GRT_MPS_ROUNDING_UP;
    limit(builder, 99, 0, 0);
    add(builder, 0, 0, 1, 32)->tpcs = (struct grt_number_list){first, 1};
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(ran_on(&run, A, "0"));
    grt_built_run_end(&run, builder);
}

/* Whoever makes the one process that all tasks are in: the policy, or the world. Half of four SMs hold four blocks of eight at
 * a time, so the rest end at 20. */
static void m3_limits_the_one_process_of_any_policy(void) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        struct grt_builder *builder = four_sms();
        struct grt_built_run run;
        if ((*policy)->sets_shares) { /* on their GPUs a percentage is refused */
            grt_builder_free(builder);
            continue;
        }
        limit(builder, 50, 0, 0);
        builder->scenario.process_count = 1;
        add(builder, 0, 0, 8, 1024);
        grt_built_run_start(&run, &builder->scenario, *policy, false);
        CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, A, 0), 20);
        grt_built_run_end(&run, builder);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"M1, clients share the SMs", m1_clients_share_the_sms},
        {"M1, a short kernel waits for a long one", m1_a_short_kernel_waits_for_a_long_one},
        {"M1, X1 holds across clients", m1_x1_holds_across_clients},
        {"M1, copies follow one another", m1_copies_follow_one_another},
        {"M1, NULL streams are a client's own", m1_null_streams_are_a_clients_own},
        {"Q8, who shares hardware queues", q8_who_shares_hardware_queues},
        {"M2, priorities change a client's own places", m2_priorities_change_a_clients_own_places},
        {"M2, no priority between clients", m2_no_priority_between_clients},
        {"M2, three levels", m2_three_levels},
        {"M2, a kernel without grid holds nobody back", m2_a_kernel_without_grid_holds_nobody_back},
        {"M3, three quarters and one", m3_three_quarters_and_one},
        {"M3, nothing is reserved", m3_nothing_is_reserved},
        {"M3, so many at a time", m3_so_many_at_a_time},
        {"M3, rounding", m3_rounding},
        {"M3, counts TPCs", m3_counts_tpcs},
        {"M3, only under MPS", m3_only_under_mps},
        {"M3, limits the one process of any policy", m3_limits_the_one_process_of_any_policy},
        {"M4, a client at its limit is passed", m4_a_client_at_its_limit_is_passed},
        {"M4, X1 holds for the rest", m4_x1_holds_for_the_rest},
        {"M4, a client's kernels stay in order", m4_a_clients_kernels_stay_in_order},
        {"M4, aborts free the share", m4_aborts_free_the_share},
        {"refuses TPCs with a percentage", refuses_tpcs_with_a_percentage},
        {"takes TPCs where the percentage limits nothing", takes_tpcs_where_the_percentage_limits_nothing},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("clients of an MPS server", tests);
}
