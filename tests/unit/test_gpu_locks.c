/* The GPU server and the locks against the figures of Kim et al., and where the paper's bounds end: instants worked out by hand. */
#include "policies/locks/parameters.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_builder *on_cores(int64_t cores, grt_time horizon) {
    struct grt_builder *builder = grt_builder_create(horizon);
    grt_builder_gpu(builder, grt_built_exclusive());
    builder->scenario.core_count = cores;
    return builder;
}

static struct grt_task *add(struct grt_builder *builder, const char *name, int64_t core, int64_t priority,
                            grt_time release) {
    struct grt_task *task = grt_builder_task(builder, name);
    task->cpu = core;
    task->priority = priority;
    grt_builder_at(builder, task, release);
    return task;
}

/* A GPU segment with host parts. */
static void add_gpu(struct grt_builder *builder, struct grt_task *task, grt_time before, grt_time device,
                    grt_time after) {
    grt_builder_gpu_segment(builder, task);
    grt_builder_whole(builder, task, device);
    struct grt_segment *segment = (struct grt_segment *)&task->segments[task->segment_count - 1];
    segment->host_part[GRT_HOST_BEFORE] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = before};
    segment->host_part[GRT_HOST_AFTER] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = after};
}

/* ---- figures 2 and 4 ---- */

enum { H, M, L, UNIT = 1000 };

/* Each task computes for a unit, uses the GPU for `gpu` units, of which two parts on the CPU, and computes for another. */
static void add_figure_task(struct grt_builder *builder, const char *name, int64_t core, int64_t priority,
                            grt_time release, grt_time gpu, grt_time part) {
    struct grt_task *task = add(builder, name, core, priority, release * UNIT);
    grt_builder_cpu(builder, task, UNIT);
    add_gpu(builder, task, part, gpu * UNIT - 2 * part, part);
    grt_builder_cpu(builder, task, UNIT);
}

static struct grt_builder *figure(grt_time part) {
    struct grt_builder *builder = on_cores(2, 20 * UNIT);
    add_figure_task(builder, "h", 0, 3, 3, 3, part);
    add_figure_task(builder, "m", 0, 2, 2, 3, part);
    add_figure_task(builder, "l", 1, 1, 0, 4, part);
    return builder;
}

/* Whatever part of a segment is computed on the CPU: the holder has its core for all of it. */
static void figure_2(void) {
    for (grt_time part = 0; part <= 1000; part += 250) {
        struct grt_builder *builder = figure(part);
        struct grt_built_run run;
        grt_built_run_under(&run, builder, "mpcp");
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, H, 0), 12 * UNIT);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, M, 0), 13 * UNIT);
        CU_ASSERT_EQUAL(grt_built_run_finish(&run, L, 0), 6 * UNIT);
        CU_ASSERT_EQUAL(run.result->cores[0].busy, 10 * UNIT); /* all of h and m */
        CU_ASSERT_EQUAL(run.result->cores[0].spinning, 6 * UNIT - 4 * part);
        grt_built_run_end(&run, builder);
    }
}

static grt_time figure_4(int64_t cost, grt_time epsilon) {
    struct grt_builder *builder = figure(epsilon);
    struct grt_built_run run;
    struct grt_server_parameters given = {.core = 0, .epsilon = epsilon, .enqueue_cost = cost};
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
    grt_time end = grt_built_run_finish(&run, H, 0);
    grt_built_run_end(&run, builder);
    return end - 3 * UNIT;
}

/* 6 + 4 epsilon, wherever the figure's own instants hold. From epsilon = 1/2 on the server still computes for l when m is released, so that m and
 * h ask 2 epsilon - 1 later; and where every request costs, it is still receiving h's when l's commands complete, for as long again. */
static void figure_4_is_exact(void) {
    for (grt_time epsilon = 1; epsilon < 750; epsilon++) {
        CU_ASSERT_EQUAL(figure_4(GRT_LOCK_ENQUEUE_MERGED, epsilon), 6 * UNIT + 4 * epsilon);
    }
    for (grt_time epsilon = 1; epsilon <= 500; epsilon++) {
        CU_ASSERT_EQUAL(figure_4(GRT_LOCK_ENQUEUE_CHARGED, epsilon), 6 * UNIT + 4 * epsilon);
    }
    CU_ASSERT_EQUAL(figure_4(GRT_LOCK_ENQUEUE_CHARGED, 510), 6 * UNIT + 4 * 510 + 2 * 20);
}

/* ---- beyond the bounds ---- */

/* The response of the middle task; equation (3) bounds it by 37. */
static grt_time refuted(int64_t cost) {
    struct grt_builder *builder = on_cores(2, 300);
    struct grt_built_run run;
    struct grt_server_parameters given = {.core = 0, .epsilon = 2, .enqueue_cost = cost};
    struct grt_task *task = add(builder, "0", 1, 3, 31);
    grt_builder_cpu(builder, task, 5);
    task = add(builder, "1", 1, 2, 2);
    grt_builder_cpu(builder, task, 2);
    add_gpu(builder, task, 0, 2, 0);
    grt_builder_cpu(builder, task, 9);
    task = add(builder, "2", 1, 1, 0);
    grt_builder_cpu(builder, task, 1);
    add_gpu(builder, task, 2, 11, 0);
    grt_builder_cpu(builder, task, 2);
    add_gpu(builder, task, 0, 10, 0);
    grt_builder_cpu(builder, task, 4);
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
    grt_time response = run.result->tasks[1].response.max;
    grt_built_run_end(&run, builder);
    return response;
}

static void what_the_printed_bound_leaves_out(void) {
    CU_ASSERT_EQUAL(refuted(GRT_LOCK_ENQUEUE_CHARGED), 38);
    CU_ASSERT_EQUAL(refuted(GRT_LOCK_ENQUEUE_MERGED), 29);
}

/* LNR09's jitter bounds the third task by 240; it takes 279. */
static void what_lnr09s_jitter_leaves_out(void) {
    struct grt_builder *builder = on_cores(2, 1000);
    struct grt_built_run run;
    struct grt_task *task = add(builder, "1", 0, 4, 0);
    grt_builder_periodic(task, 140, 0);
    grt_builder_cpu(builder, task, 80);
    task = add(builder, "2", 0, 3, 0);
    grt_builder_periodic(task, 320, 0);
    grt_builder_cpu(builder, task, 10);
    add_gpu(builder, task, 0, 10, 0);
    grt_builder_cpu(builder, task, 30);
    task = add(builder, "3", 0, 2, 140);
    grt_builder_periodic(task, 610, 140);
    grt_builder_cpu(builder, task, 30);
    task = add(builder, "4", 1, 1, 79);
    grt_builder_periodic(task, 970, 79);
    grt_builder_cpu(builder, task, 10);
    add_gpu(builder, task, 0, 50, 0);
    grt_builder_cpu(builder, task, 10);
    grt_built_run_under(&run, builder, "mpcp");
    CU_ASSERT_EQUAL(grt_built_run_finish(&run, 2, 0) - 140, 279);
    grt_built_run_end(&run, builder);
}

/* ---- a job that is aborted while the server serves it ---- */

static grt_time end_under_server(struct grt_builder *builder, const struct grt_server_parameters *given,
                                 uint32_t task) {
    struct grt_built_run run;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), given, false);
    grt_time end = grt_built_run_finish(&run, task, 0);
    grt_built_run_end(&run, builder);
    return end;
}

/* a is received from 0, executed from 4, and its end told from 8; b comes at 10 and is received to 14; then the server still has 2 of a's end
 * to tell, whenever a is aborted; b is executed from 16, told of to 23, and computes for 1. */
static void an_end_is_told_in_full(void) {
    static const struct grt_server_parameters given = {
        .core = 1, .epsilon = 4, .enqueue_cost = GRT_LOCK_ENQUEUE_CHARGED};
    for (grt_time deadline = 5; deadline < 16; deadline++) {
        struct grt_builder *builder = on_cores(2, 100);
        struct grt_task *a = add(builder, "a", 0, 1, 0), *b = add(builder, "b", 0, 2, 10);
        a->deadline = deadline;
        a->on_miss = GRT_MISS_ABORT;
        add_gpu(builder, a, 0, 4, 0);
        grt_builder_cpu(builder, a, 1);
        add_gpu(builder, b, 0, 3, 0);
        grt_builder_cpu(builder, b, 1);
        CU_ASSERT_EQUAL(end_under_server(builder, &given, 1), 24);
    }
}

/* The server has received a at 1, and computes beside its commands, which last until 13, when it is aborted at 5. w has the server's core then, but for
 * 13 to 14, where a's end is told; it computes for 10. */
static void an_aborted_jobs_part_is_left(void) {
    for (int by_budget = 0; by_budget < 2; by_budget++) {
        struct grt_server_parameters given = {.core = 1, .epsilon = 1, .budget = by_budget ? 4 : 0};
        struct grt_builder *builder = on_cores(2, 100);
        struct grt_task *a = add(builder, "a", 0, 2, 0), *w = add(builder, "w", 1, 1, 0);
        a->deadline = by_budget ? 90 : 5;
        a->on_miss = GRT_MISS_ABORT;
        add_gpu(builder, a, 0, 12, 20);
        ((struct grt_segment *)&a->segments[0])->host_mode = GRT_HOST_ASYNCHRONOUS;
        grt_builder_cpu(builder, w, 10);
        CU_ASSERT_EQUAL(end_under_server(builder, &given, 1), 16);
    }
}

/* The server is asked at 1 and at work from 2 (it wakes up for 1) to 3; the commands last until 9, when the budget cuts the job. Its end is told from 10 to 11, after
 * another wake-up; so what w computes on the server's core for 20 ends 2 * (1 + 1) and its own wake-up later. */
static void a_cut_at_the_end_of_the_commands_costs_a_wake_up(void) {
    static const struct grt_server_parameters given = {.core = 1, .epsilon = 1, .budget = 6};
    struct grt_builder *builder = on_cores(2, 100);
    struct grt_task *a = add(builder, "a", 0, 2, 0), *w = add(builder, "w", 1, 1, 0);
    builder->scenario.wake_up = 1;
    add_gpu(builder, a, 0, 6, 3);
    grt_builder_cpu(builder, w, 20);
    CU_ASSERT_EQUAL(end_under_server(builder, &given, 1), 25);
}

/* ---- ends at an instant ---- */

static grt_time ended_under(struct grt_builder *builder, const char *policy, const void *given, bool *met) {
    struct grt_built_run run;
    grt_built_run_start_with(&run, &builder->scenario, grt_policy_find(policy), given, false);
    grt_time end = grt_built_run_finish(&run, 0, 0);
    *met = run.result->tasks[0].met == 1 && run.result->tasks[0].missed == 0 &&
           grt_built_run_count(&run, GRT_TRACE_MISS) == 0;
    grt_built_run_end(&run, builder);
    return end;
}

/* A job that ends at its deadline has met it, also where its thread, or the server, needs its core for no time in that instant; a ns less, and it has not. */
static void who_ends_at_its_deadline_has_met_it(void) {
    static const struct grt_server_parameters server = {.core = 1};
    static const struct grt_lock_parameters locks[] = {{.waiting = GRT_LOCK_SPIN},
                                                       {.waiting = GRT_LOCK_SUSPEND}};
    for (int i = 0; i < 3 * 3 * 4; i++) {
        grt_time part = i / 3 % 3;
        for (grt_time deadline = 7 + part; deadline <= 8 + part; deadline++) {
            struct grt_builder *builder = on_cores(2, 100);
            struct grt_task *a = add(builder, "a", 0, 2, 0);
            bool met, in_time = deadline == 8 + part;
            a->deadline = deadline;
            a->on_miss = (int64_t)i / 9; /* continue, abort, ... */
            grt_builder_cpu(builder, a, 3);
            add_gpu(builder, a, 0, 5, part);
            grt_time end = i % 3 < 2 ? ended_under(builder, "mpcp", &locks[i % 3], &met)
                                     : ended_under(builder, "gpu-server", &server, &met);
            CU_ASSERT(met == in_time && (!in_time || end == deadline));
        }
    }
}

/* Three jobs of `a`, of which the server ends the first at `end`, its deadline and that of the second, which therefore never begins: the third pays for the switch from w when it
 * asks, and the second has not paid it before. */
static void who_cannot_begin_takes_no_core(void) {
    static const struct grt_server_parameters given = {.core = 1};
    static const grt_time times[] = {0, 0, 1};
    grt_time end = GRT_TIME_NEVER;
    for (int handled = 0; handled < 2; handled++) {
        struct grt_builder *builder = on_cores(2, 100);
        struct grt_task *a = add(builder, "a", 0, 2, 0);
        struct grt_built_run run;
        builder->scenario.context_switch = 2;
        add_gpu(builder, a, 0, 6, 3);
        grt_builder_cpu(builder, add(builder, "w", 0, 1, 0), 90);
        grt_builder_times(builder, a, times, handled ? 3 : 1);
        a->on_miss = GRT_MISS_ABORT;
        a->deadline = handled ? end : a->deadline;
        grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
        CU_ASSERT_PTR_NOT_NULL_FATAL(run.world);
        CU_ASSERT(!handled || grt_built_run_finish(&run, 0, 0) == end);
        end = grt_built_run_finish(&run, 0, 0);
        if (handled) {
            const struct grt_trace_record *asks = grt_built_run_find(&run, GRT_TRACE_GPU_REQUEST, 0, 2, 0);
            CU_ASSERT_EQUAL(grt_built_run_abort(&run, 0, 1), end);
            CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_GPU_REQUEST, 0, 1, 0));
            CU_ASSERT_PTR_NULL(asks); /* its own deadline comes first, a ns later */
        }
        grt_built_run_end(&run, builder);
    }
}

/* The part beside the commands takes as long as they do: the thread has its core until that very instant, so that the segment ends in it, and a budget
 * of as much is enough. */
static void a_part_may_end_with_the_commands(void) {
    for (grt_time budget = 5; budget <= 6; budget++) {
        for (int64_t waiting = GRT_LOCK_SPIN; waiting <= GRT_LOCK_SUSPEND; waiting++) {
            struct grt_lock_parameters given = {.waiting = waiting, .budget = budget};
            struct grt_builder *builder = on_cores(1, 100);
            struct grt_task *a = add(builder, "a", 0, 2, 0);
            bool met;
            add_gpu(builder, a, 3, 3, 3);
            ((struct grt_segment *)&a->segments[0])->host_mode = GRT_HOST_ASYNCHRONOUS;
            ended_under(builder, "fmlp+", &given, &met);
            CU_ASSERT_EQUAL(met, budget == 6);
        }
    }
}

/* ---- bad parameters ---- */

static void cores_that_are_not_there_are_refused(void) {
    static const char *const messages[] = {
        [0] = "policy.cpu: must be -1, since the platform has no cores (got 2)",
        [2] = "policy.cpu: must be a core of the platform, 0 to 1, or -1 (got 2)"};
    for (int64_t cores = 0; cores <= 2; cores += 2) {
        struct grt_builder *builder = on_cores(cores, 10);
        struct grt_built_run run;
        struct grt_server_parameters given = {.core = 2};
        grt_builder_cpu(builder, add(builder, "t", 0, 1, 0), 1);
        grt_built_run_start_with(&run, &builder->scenario, grt_policy_find("gpu-server"), &given, false);
        CU_ASSERT_PTR_NULL(run.world);
        CU_ASSERT_EQUAL_FATAL(run.errors.count, 1);
        CU_ASSERT_STRING_EQUAL(run.errors.messages[0], messages[cores]);
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"figure 2", figure_2},
        {"figure 4 is exact", figure_4_is_exact},
        {"what the printed bound leaves out", what_the_printed_bound_leaves_out},
        {"what LNR09's jitter leaves out", what_lnr09s_jitter_leaves_out},
        {"an end is told in full", an_end_is_told_in_full},
        {"an aborted job's part is left", an_aborted_jobs_part_is_left},
        {"a cut at the end of the commands costs a wake-up",
         a_cut_at_the_end_of_the_commands_costs_a_wake_up},
        {"who ends at its deadline has met it", who_ends_at_its_deadline_has_met_it},
        {"who cannot begin takes no core", who_cannot_begin_takes_no_core},
        {"a part may end with the commands", a_part_may_end_with_the_commands},
        {"cores that are not there are refused", cores_that_are_not_there_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("GPU server and locks", tests);
}
