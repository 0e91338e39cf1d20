/* pruda-single and pruda-multi, worked by hand: who goes where, what is refused, what is shown. The device has two SMs with room for two blocks
 * of 1024 threads each, and no overheads. */
#include <string.h>

#include "policies/pruda/parameters.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_built_run run;
static struct grt_builder *builder;

static void start(void) {
    builder = grt_builder_create(1000);
    grt_builder_gpu(builder, grt_built_tx2());
}

/* A task of one kernel of blocks that fill half an SM. */
static struct grt_task *add(const char *name, int64_t priority, grt_time arrival, int64_t blocks,
                            grt_time block_time) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_at(builder, task, arrival);
    grt_builder_kernel(builder, task, blocks, 1024, block_time);
    task->priority = priority;
    return task;
}

static void play(const char *policy, const struct pruda_parameters *parameters) {
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find(policy), parameters, false);
}

static void end(void) {
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

static void finished_at(uint32_t task, grt_time instant) {
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, task, 0), instant);
}

static bool is_named(enum grt_trace_name_kind kind, uint32_t index, const char *name) {
    const char *text = grt_trace_memory_name(&run.kept, kind, index, 0, 0);
    return text != NULL && strcmp(text, name) == 0;
}

/* Whether a slice with that task's label stands on a row. */
static bool stood_on(const char *row, const char *task, grt_time from, grt_time to) {
    for (size_t i = 0; i < run.kept.record_count; i++) {
        const struct grt_trace_record *record = &run.kept.records[i];
        if (record->kind == GRT_TRACE_ROW_SLICE && record->other == from && record->time == to &&
            is_named(GRT_NAME_ROW, record->row, row) && is_named(GRT_NAME_LABEL, record->detail, task)) {
            return true;
        }
    }
    return false;
}

static bool is_refused(const char *message) {
    bool same = run.world == NULL && run.errors.count > 0 && strcmp(run.errors.messages[0], message) == 0;
    if (!same) {
        grt_errors_print(&run.errors, stderr, "refused: ");
    }
    return same;
}

/* ---- pruda-single ---- */

/* `late` has the higher priority and the later deadline; both wait for the first. */
static void three_at_once(enum pruda_order order) {
    start();
    add("first", 0, 0, 4, 10);
    add("late", 2, 1, 4, 10)->deadline = 500;
    add("early", 1, 2, 4, 10)->deadline = 100;
    play("pruda-single", &(struct pruda_parameters){.order = order});
}

static void single_edf(void) {
    three_at_once(PRUDA_EDF);
    finished_at(2, 20);
    finished_at(1, 30);
    CU_ASSERT(stood_on("rq", "late", 1, 20));
    CU_ASSERT(stood_on("rq", "early", 2, 10));
    CU_ASSERT(stood_on("sq", "first", 0, 10));
    CU_ASSERT(stood_on("sq", "early", 10, 20));
    end();
}

static void single_fp(void) {
    three_at_once(PRUDA_FP);
    finished_at(1, 20);
    finished_at(2, 30);
    end();
}

/* Half of the GPU is idle, and stays so. */
static void single_keeps_the_gpu_to_one(void) {
    start();
    add("one", 0, 0, 2, 10);
    add("two", 0, 0, 2, 10);
    play("pruda-single", NULL);
    finished_at(1, 20);
    end();
}

/* `a` overruns its server of 2 in 8 while `b` waits: its V is 16 at 6, and its next job's deadline 24. The next job of `b` has 4 + 8 = 12. By
 * their own deadlines, both 15, `a` would be first. */
static void single_grub(void) {
    static const grt_time times_a[] = {0, 7}, times_b[] = {1, 7};
    struct pruda_server_fields servers[] = {{"a", 2, 8}, {"b", 4, 8}};
    for (int order = PRUDA_EDF; order <= PRUDA_GRUB; order += 2) {
        start();
        struct grt_task *a = add("a", 0, 0, 4, 6), *b = add("b", 0, 1, 4, 2);
        grt_builder_times(builder, a, times_a, 2);
        grt_builder_times(builder, b, times_b, 2);
        a->deadline = b->deadline = 8;
        play("pruda-single",
             &(struct pruda_parameters){.order = order, .servers = {servers, order == PRUDA_GRUB ? 2 : 0}});
        finished_at(0, 6);
        finished_at(1, 8);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, 0, 1), order == PRUDA_GRUB ? 16 : 14);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, 1, 1), order == PRUDA_GRUB ? 10 : 16);
        if (order == PRUDA_GRUB) {
            CU_ASSERT_EQUAL(run.result->counter_count, 1);
            CU_ASSERT(run.result->counters[0].count >= 2);
        }
        end();
    }
}

static void refusals_of_servers(void) {
    struct pruda_server_fields server[] = {{"b", 9, 8}};
    struct pruda_parameters parameters = {.order = PRUDA_GRUB};
    start();
    add("a", 0, 0, 4, 10);
    play("pruda-single", &parameters);
    CU_ASSERT(is_refused("policy.servers: task \"a\" needs a server with a period"));
    grt_built_run_free(&run);
    parameters.servers = (struct grt_field_list){server, 1};
    play("pruda-single", &parameters);
    CU_ASSERT(is_refused("policy.servers[0].task: no task with GPU segments is named \"b\""));
    grt_built_run_free(&run);
    server[0].task = "a";
    play("pruda-single", &parameters);
    CU_ASSERT(
        is_refused("policy.servers: the server of task \"a\" needs 9 ns every 8 ns, which is more than the "
                   "GPU has"));
    grt_built_run_free(&run);
    parameters.order = PRUDA_FP;
    play("pruda-single", &parameters);
    CU_ASSERT(is_refused("policy.servers: only the order grub has servers"));
    end();
}

static void refusals_of_all_servers(void) {
    struct pruda_server_fields servers[] = {{"a", 6, 8}, {"b", 3, 8}, {"a", 1, 8}};
    struct pruda_parameters parameters = {.order = PRUDA_GRUB, .servers = {servers, 2}};
    start();
    add("a", 0, 0, 4, 10);
    add("b", 0, 0, 4, 10);
    play("pruda-single", &parameters);
    CU_ASSERT(is_refused("policy.servers: the servers of gpu 0 together need more than all of it"));
    grt_built_run_free(&run);
    parameters.servers.count = 3;
    play("pruda-single", &parameters);
    CU_ASSERT(is_refused("policy.servers[2].task: there is a server already of \"a\""));
    grt_built_run_free(&run);
    grt_builder_periodic(&builder->tasks[0], 100, 0);
    grt_builder_periodic(&builder->tasks[1], 100, 0);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    parameters.servers.count = 2;
    play("pruda-single", &parameters);
    CU_ASSERT(
        is_refused("horizon: \"auto\" is not possible with the order grub, whose servers cannot be compared; "
                   "\"hyperperiod\" or a duration is"));
    end();
}

/* ---- aborts ---- */

/* `best` has no deadline and the highest priority; `hard` comes at 15, inside its second wave. */
static void aborted(const char *policy, enum pruda_abort abort) {
    start();
    struct grt_task *best = add("best", 9, 0, 12, 10), *again = add("again", 8, 0, 4, 10);
    best->deadline = again->deadline = GRT_TIME_NEVER;
    add("hard", 1, 15, 4, 10);
    play(policy, &(struct pruda_parameters){.order = PRUDA_FP, .abort = abort});
}

static void best_effort_jobs_are_aborted(void) {
    aborted("pruda-single", PRUDA_ABORT_BEST_EFFORT);
    CU_ASSERT_EQUAL(grt_built_run_abort(&run, 0, 0), 15); /* its blocks end at 20 */
    finished_at(2, 30);
    finished_at(1, 40); /* it goes behind, whatever its priority, and is not aborted: nobody waits */
    end();
    aborted("pruda-single", PRUDA_ABORT_NEVER);
    finished_at(0, 30);
    finished_at(1, 40);
    finished_at(2, 50);
    end();
}

/* Two jobs with deadlines, of which one waits for the other. */
static void jobs_with_deadlines_are_not_aborted(void) {
    start();
    add("one", 1, 0, 4, 10);
    add("two", 2, 5, 4, 10);
    play("pruda-single", &(struct pruda_parameters){.order = PRUDA_FP, .abort = PRUDA_ABORT_BEST_EFFORT});
    finished_at(0, 10);
    finished_at(1, 20);
    end();
}

/* With two streams `hard` preempts: nobody waits, and nobody is aborted. */
static void who_can_be_preempted_is_not_aborted(void) {
    aborted("pruda-multi", PRUDA_ABORT_BEST_EFFORT);
    finished_at(2, 30);
    finished_at(0, 40);
    finished_at(1, 50);
    end();
}

/* ---- unified memory ---- */

static void unified_memory_leaves_out_copies(void) {
    start();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 100);
    grt_builder_kernel(builder, task, 4, 1024, 10);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, 100);
    grt_builder_gpu_segment(builder, task);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 100);
    play("pruda-single", NULL);
    finished_at(0, 310);
    grt_built_run_free(&run);
    play("pruda-single", &(struct pruda_parameters){.memory = PRUDA_UNIFIED});
    finished_at(0, 10);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_COPY), 0);
    CU_ASSERT_EQUAL(grt_built_run_count(&run, GRT_TRACE_GPU_REQUEST), 1);
    end();
}

static void unified_memory_needs_something_else(void) {
    start();
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 100);
    play("pruda-multi", &(struct pruda_parameters){.memory = PRUDA_UNIFIED});
    CU_ASSERT(is_refused("tasks[0]: has nothing but copies, which unified memory leaves out"));
    end();
}

/* ---- pruda-multi ---- */

/* `b` preempts `a` at the end of its blocks; `c`, the most urgent, waits for `b`, and then preempts `a`, too. */
static void one_preemption_at_a_time(void) {
    start();
    add("a", 1, 0, 8, 10);
    add("b", 3, 5, 4, 10);
    add("c", 4, 12, 4, 5);
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP});
    finished_at(1, 20);
    finished_at(2, 25);
    finished_at(0, 35);
    CU_ASSERT(stood_on("l-sq", "a", 0, 35));
    CU_ASSERT(stood_on("h-sq", "b", 5, 20));
    CU_ASSERT(stood_on("h-sq", "c", 20, 25));
    CU_ASSERT(stood_on("rq", "c", 12, 20));
    CU_ASSERT_EQUAL(run.result->counters[0].count, 2);
    end();
}

/* Rule 2 asks for a higher priority: not for a lower or an equal one. */
static void who_is_not_more_urgent_waits(void) {
    start();
    add("a", 2, 0, 8, 10);
    add("b", 2, 5, 4, 10);
    add("c", 1, 5, 4, 10);
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP});
    finished_at(0, 20);
    finished_at(1, 30);
    finished_at(2, 40);
    end();
}

static void deadlines_preempt(void) {
    start();
    add("a", 9, 0, 8, 10)->deadline = 100;
    add("b", 1, 5, 4, 10)->deadline = 50;
    play("pruda-multi", NULL);
    finished_at(1, 20);
    finished_at(0, 30);
    end();
}

/* `b` has two blocks: `a` goes on beside it. */
static void left_over_room_is_used(void) {
    start();
    add("a", 1, 0, 8, 10);
    add("b", 3, 5, 2, 10);
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP});
    finished_at(1, 20);
    finished_at(0, 30);
    CU_ASSERT(grt_built_block_ran(&run, 0, 4, 0, 10, 20) || grt_built_block_ran(&run, 0, 4, 1, 10, 20));
    end();
}

/* `a` ends before `b`, which preempted it. */
static void the_state_that_the_paper_leaves_open(void) {
    for (int64_t co_run = PRUDA_CO_RUN_WAIT; co_run <= PRUDA_CO_RUN_ALLOWED; co_run++) {
        start();
        add("a", 1, 0, 1, 10);
        add("b", 3, 5, 1, 30);
        add("c", 2, 6, 1, 5);
        play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP, .co_run = co_run});
        finished_at(0, 10);
        finished_at(1, 35);
        finished_at(2, co_run == PRUDA_CO_RUN_WAIT ? 40 : 15);
        CU_ASSERT(stood_on("l-sq", "c", co_run == PRUDA_CO_RUN_WAIT ? 35 : 10,
                           co_run == PRUDA_CO_RUN_WAIT ? 40 : 15));
        end();
    }
}

/* The first kernel of `high` waits for blocks of `low` until 10, and its second one for those that began at 10, of which three of four places are
 * taken until 20: its four blocks have one place, from 11 to 15. A bound of one block, 9 + 2, is exceeded. */
static void a_preemption_waits_for_a_block_before_each_kernel(void) {
    start();
    add("low", 1, 0, 16, 10);
    struct grt_task *high = add("high", 2, 1, 1, 1);
    grt_builder_kernel(builder, high, 4, 1024, 1);
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP});
    finished_at(1, 15);
    end();
}

/* `a` has a server of 1 in 8 and overruns it. At 10 its V is 10 and its D 16; `b` has 10 + 8 = 18, and does not preempt, though its own deadline is before that of `a`.
 * Then V grows by (1 + 4) / 1 a ns: at 12 it is 20, and D 24: `b` preempts. At 30 `c` has 18 + 8 = 26, and does not; V grows by 7 a ns, and is 27 at 31: `c`
 * preempts, at the end of the blocks that `a` has begun at 30. */
static void servers_that_overrun_are_preempted(void) {
    struct pruda_server_fields servers[] = {{"a", 1, 8}, {"b", 4, 8}, {"c", 2, 8}};
    start();
    add("a", 0, 0, 16, 10)->deadline = 100;
    add("b", 0, 10, 4, 10)->deadline = 20;
    add("c", 0, 18, 4, 10)->deadline = 30;
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_GRUB, .servers = {servers, 3}});
    CU_ASSERT(stood_on("rq", "b", 10, 12));
    CU_ASSERT(stood_on("h-sq", "b", 12, 30));
    CU_ASSERT(stood_on("rq", "c", 18, 31));
    CU_ASSERT(stood_on("h-sq", "c", 31, 50));
    CU_ASSERT(stood_on("l-sq", "a", 0, 60));
    end();
}

static void one_level_of_priority_is_refused(void) {
    start();
    add("a", 1, 0, 8, 10);
    add("b", 3, 5, 4, 10);
    builder->gpus[0].priority_levels = 1;
    builder->gpus[0].name = "old";
    play("pruda-multi", NULL);
    CU_ASSERT(is_refused(
        "policy pruda-multi needs streams of two priorities; gpu 0 (old) has one; pruda-single does "
        "with one, and \"one_level\": \"accepted\" runs it all the same"));
    grt_built_run_free(&run);
    play("pruda-multi", &(struct pruda_parameters){.order = PRUDA_FP, .one_level = PRUDA_ONE_LEVEL_ACCEPTED});
    finished_at(0, 20);
    finished_at(1, 30);
    end();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"single: earliest deadline first", single_edf},
        {"single: highest priority first", single_fp},
        {"single keeps the GPU to one", single_keeps_the_gpu_to_one},
        {"single: GRUB", single_grub},
        {"refusals of servers", refusals_of_servers},
        {"refusals of all servers", refusals_of_all_servers},
        {"best effort jobs are aborted", best_effort_jobs_are_aborted},
        {"jobs with deadlines are not aborted", jobs_with_deadlines_are_not_aborted},
        {"who can be preempted is not aborted", who_can_be_preempted_is_not_aborted},
        {"unified memory leaves out copies", unified_memory_leaves_out_copies},
        {"unified memory needs something else", unified_memory_needs_something_else},
        {"multi: one preemption at a time", one_preemption_at_a_time},
        {"multi: who is not more urgent waits", who_is_not_more_urgent_waits},
        {"multi: deadlines preempt", deadlines_preempt},
        {"multi: left-over room is used", left_over_room_is_used},
        {"multi: the state that the paper leaves open", the_state_that_the_paper_leaves_open},
        {"multi: a preemption waits for a block before each kernel",
         a_preemption_waits_for_a_block_before_each_kernel},
        {"multi: servers that overrun are preempted", servers_that_overrun_are_preempted},
        {"multi: one level of priority is refused", one_level_of_priority_is_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("PRUDA's strategies", tests);
}
