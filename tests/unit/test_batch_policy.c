/* What the batch schedulers do besides their programs: who goes first, what their own work costs, what becomes of aborted jobs, the kernels that
 * count their threads, the schedulers on the device. All instants are computed by hand. */
#include <stdio.h>
#include <string.h>

#include "policies/batch/batch.h"
#include "policies/registry.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

/* Queues and engines of a Kepler; a block on each of its 16 SMs; nothing takes time by itself. */
static struct grt_device kepler(void) {
    struct grt_device device = grt_built_device(16);
    device.max_blocks_per_sm = 1;
    device.max_resident_grids = 32;
    device.copy_engines = 2;
    device.hardware_queues = 32;
    device.max_pending_launches = 100;
    return device;
}

static struct grt_builder *on(struct grt_device device) {
    struct grt_builder *builder = grt_builder_create(1000000);
    grt_builder_gpu(builder, device);
    return builder;
}

/* A copy in, a kernel of so many blocks, a copy out. */
static struct grt_task *add_job(struct grt_builder *builder, grt_time in, int64_t blocks, grt_time kernel,
                                grt_time out) {
    struct grt_task *task = grt_builder_task(builder, "t");
    task->deadline = 100000 * (grt_time)builder->scenario.task_count;
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, in);
    grt_builder_kernel(builder, task, blocks, 32, kernel);
    grt_builder_copy(builder, task, GRT_COMMAND_D2H, out);
    return task;
}

static void run(struct grt_built_run *run, const struct grt_builder *builder, const char *policy,
                const struct batch_parameters *given) {
    grt_built_run_start_with(run, &builder->scenario, grt_policy_find(policy), given, false);
    grt_errors_print(&run->errors, stderr, "refused: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

/* ---- who goes first ---- */

static struct grt_task *add_kernel(struct grt_builder *builder, const char *name, grt_time at,
                                   grt_time deadline, grt_time kernel) {
    struct grt_task *task = grt_builder_task(builder, name);
    grt_builder_at(builder, task, at);
    task->deadline = deadline;
    grt_builder_whole(builder, task, kernel);
    return task;
}

/* While `first` has the GPU until 10 four ask for it, at 1. Their values are 0 at: late 1 + 100 - 50 = 51, soon 1 + 60 - 5 = 56, even 1 + 40 - 5 =
 * 36; the last has no deadline. */
static struct grt_builder *four_requests(void) {
    struct grt_builder *builder = on(grt_built_exclusive());
    add_kernel(builder, "first", 0, 1000, 10);
    add_kernel(builder, "whenever", 1, GRT_TIME_NEVER, 7);
    add_kernel(builder, "soon", 1, 60, 5);
    add_kernel(builder, "late", 1, 100, 50);
    add_kernel(builder, "even", 1, GRT_TIME_NEVER, 5)->separation = 40;
    return builder;
}

static void who_goes_first(void) {
    static const struct batch_average average = {"soon", 30}; /* then its value is 0 at 31 */
    static const grt_time profiled[] = {10, 77, 70, 65, 15}, told[] = {10, 77, 15, 70, 20};
    struct batch_parameters given = batch_permissive;
    given.batch = 1;
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = four_requests();
        struct grt_built_run seen;
        given.averages = (struct grt_field_list){(void *)(uintptr_t)&average, (size_t)i};
        run(&seen, builder, "cpu-traditional", &given);
        for (uint32_t task = 0; task < 5; task++) {
            CU_ASSERT_EQUAL(grt_built_run_finish(&seen, task, 0), i == 0 ? profiled[task] : told[task]);
        }
        grt_built_run_end(&seen, builder);
    }
}

/* `even` was done at 5; at 20 it asks again, and its value is 0 at 5 + 100 - 5 = 100. That of the other one, at 20 + its deadline - 5, is before or
 * behind that; before 115, which it would be if the time counted from the second arrival, and behind 95, from the first. */
static void the_time_since_the_last_was_done(void) {
    static const grt_time times[] = {0, 20};
    for (grt_time deadline = 83; deadline <= 90; deadline += 7) {
        struct grt_builder *builder = on(grt_built_exclusive());
        struct batch_parameters given = batch_permissive;
        struct grt_built_run seen;
        struct grt_task *even = add_kernel(builder, "even", 0, GRT_TIME_NEVER, 5);
        even->separation = 100;
        grt_builder_times(builder, even, times, 2);
        add_kernel(builder, "in the way", 6, 1000, 24);
        add_kernel(builder, "other", 20, deadline, 5);
        given.batch = 1;
        run(&seen, builder, "cpu-traditional", &given);
        CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 1), deadline == 90 ? 35 : 40);
        CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 2, 0), deadline == 90 ? 40 : 35);
        grt_built_run_end(&seen, builder);
    }
}

/* Who asks while a batch runs waits for its end, however urgent. */
static void a_batch_runs_to_its_end(void) {
    struct grt_builder *builder = on(kepler());
    struct grt_built_run seen;
    add_job(builder, 10, 1, 100, 10);
    grt_builder_at(builder, add_job(builder, 10, 1, 100, 10), 5);
    run(&seen, builder, "cpu-concurrent", &batch_permissive);
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 0), 120);
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 1, 0), 240);
    grt_built_run_end(&seen, builder);
}

/* ---- what the scheduler's work takes ---- */

/* The thread decides until 3; the copy is its second call, made at 7; the kernel its sixth, made at 15, and begins behind the copy; the last of the eleven
 * is made at 25. Only then its core is free for the other task. */
static void calls_take_time_on_a_core(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    builder->scenario.core_count = 1;
    add_job(builder, 10, 1, 20, 5);
    struct grt_task *other = grt_builder_task(builder, "other");
    other->cpu = 0;
    grt_builder_cpu(builder, other, 30);
    given.issue_time = 2;
    given.decision_time = 3;
    given.core = 0;
    run(&seen, builder, "cpu-traditional", &given);
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 0, 7, 17));
    CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 17, 37));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 1, 37, 42));
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 1, 0), 55);
    CU_ASSERT_EQUAL(grt_built_run_count(&seen, GRT_TRACE_THREAD), 12);
    grt_built_run_end(&seen, builder);
}

/* The second kernel ends at 35, which the poll from 30 to 40 sees; that of the first one is not looked for. */
static void polls_take_time(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    add_job(builder, 1, 1, 100, 5);
    add_job(builder, 1, 1, 33, 5);
    given.poll_interval = 10;
    run(&seen, builder, "cpu-order", &given);
    CU_ASSERT(grt_built_copy_ran(&seen, 1, 1, 40, 45));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 1, 101, 106));
    grt_built_run_end(&seen, builder);
}

/* Each GPU has a scheduler, and each of these a core. */
static void a_scheduler_for_every_gpu(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    grt_builder_gpu(builder, kepler());
    builder->scenario.core_count = 2;
    add_job(builder, 10, 1, 20, 5);
    add_job(builder, 10, 1, 20, 5)->gpu = 1;
    given.issue_time = 2;
    given.core = 0;
    run(&seen, builder, "cpu-interleave", &given);
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 0, 4, 14));
    CU_ASSERT(grt_built_copy_ran(&seen, 1, 0, 4, 14));
    grt_built_run_end(&seen, builder);
}

/* The host's thread waits for a synchronous copy: the next call is made 2 ns after its end. */
static void a_synchronous_copy_holds_the_thread_up(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_sync_copy(builder, task, GRT_COMMAND_H2D, 10);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 20);
    given.issue_time = 2;
    run(&seen, builder, "cpu-concurrent", &given);
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 0, 4, 14));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 1, 16, 36));
    grt_built_run_end(&seen, builder);
}

/* ---- aborts ---- */

/* The first job is aborted at 50; its kernel runs out until 110, and the second one's waits for that, as the program says. */
static void an_aborted_job_holds_its_place(void) {
    struct grt_builder *builder = on(kepler());
    struct grt_built_run seen;
    struct grt_task *first = add_job(builder, 10, 1, 100, 10);
    first->deadline = 50;
    first->on_miss = GRT_MISS_ABORT;
    add_job(builder, 10, 1, 20, 10);
    run(&seen, builder, "cpu-interleave", &batch_permissive);
    CU_ASSERT_EQUAL(grt_built_run_abort(&seen, 0, 0), 50);
    CU_ASSERT_PTR_NULL(grt_built_run_find(&seen, GRT_TRACE_COPY, 0, 0, 1));
    CU_ASSERT(grt_built_kernel_ran(&seen, 1, 0, 110, 130));
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 1, 0), 140);
    grt_built_run_end(&seen, builder);
}

/* The first job is gone when the scheduler has decided; for the second it decides again. */
static void deciding_in_vain(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    struct grt_task *first = add_job(builder, 10, 1, 20, 10), *second = add_job(builder, 10, 1, 20, 10);
    first->deadline = 5;
    first->on_miss = GRT_MISS_ABORT;
    grt_builder_at(builder, second, 50);
    given.decision_time = 10;
    run(&seen, builder, "cpu-concurrent", &given);
    CU_ASSERT_EQUAL(grt_built_run_abort(&seen, 0, 0), 5);
    CU_ASSERT(grt_built_copy_ran(&seen, 1, 0, 60, 70));
    grt_built_run_end(&seen, builder);
}

/* ---- kernels that count their threads ---- */

static void check_cost(const struct grt_builder *builder, const struct grt_task *task, grt_time expected) {
    CU_ASSERT_EQUAL(batch_atomic_cost(&builder->scenario, task, 44), expected);
}

static void counting_costs_by_the_threads(void) {
    static const int64_t tpcs[] = {0, 1};
    struct grt_builder *builder = on(kepler());
    struct grt_task *small = grt_builder_task(builder, "small"), *large = grt_builder_task(builder, "large");
    struct grt_task *whole = grt_builder_task(builder, "whole"), *apart = grt_builder_task(builder, "apart");
    grt_builder_kernel(builder, small, 8, 256, 6000000);
    grt_builder_kernel(builder, large, 128, 1024, 750000);
    grt_builder_whole(builder, whole, 100);
    grt_builder_kernel(builder, apart, 128, 1024, 750000)->tpcs = (struct grt_number_list){tpcs, 2};
    check_cost(builder, small, 90112);
    check_cost(builder, large, 5767168);
    check_cost(builder, apart, 5767168); /* in 64 waves instead of 8 */
    check_cost(builder, whole, 16 * 2048 * 44);
    CU_ASSERT_EQUAL(batch_atomic_cost(&builder->scenario, large, 0), 0);
    grt_builder_free(builder);
}

/* The copies and events are as ever; each block takes longer by 2 x 32 x 3 ns. */
static void counting_makes_kernels_longer(void) {
    struct grt_builder *builder = on(kepler());
    struct batch_parameters given = batch_permissive;
    struct grt_built_run seen;
    add_job(builder, 10, 2, 100, 10);
    given.atomic_time = 3;
    run(&seen, builder, "cpu-order", &given);
    CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 10, 302));
    CU_ASSERT_EQUAL(builder->segments[0][0].commands[1].kernel.block_time.max,
                    100); /* the user's is as it was */
    grt_built_run_free(&seen);
    run(&seen, builder, "cpu-concurrent", &given);
    CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 10, 110));
    grt_built_run_end(&seen, builder);
}

/* ---- on the device ---- */

static struct grt_builder *one_job_on_the_device(struct batch_parameters *given) {
    struct grt_device device = kepler();
    device.kernel_launch = 3;
    device.device_launch = 7;
    struct grt_builder *builder = on(device);
    add_job(builder, 10, 1, 30, 4);
    *given = batch_permissive;
    given->scheduler_blocks = 1;
    given->scheduler_threads = 32;
    given->message_time = 10;
    given->device_decision_time = 20;
    given->device_issue_time = 2;
    given->synchronize_time = 4;
    given->poll_interval = 10;
    given->zero_copy_percent = 150;
    return builder;
}

/* Tasks are found by their names: a user's task that has the scheduler's keeps it. */
static void the_scheduler_has_a_name_of_its_own(void) {
    struct batch_parameters given;
    struct grt_builder *builder = one_job_on_the_device(&given);
    struct grt_built_run seen;
    builder->tasks[0].name = "scheduler";
    add_job(builder, 10, 1, 30, 4)->name = "scheduler''";
    run(&seen, builder, "gpu-atomics", &given);
    CU_ASSERT_EQUAL_FATAL(seen.result->task_count, 3);
    CU_ASSERT_STRING_EQUAL(seen.result->tasks[0].name, "scheduler");
    CU_ASSERT_STRING_EQUAL(seen.result->tasks[2].name, "scheduler'");
    grt_built_run_end(&seen, builder);
}

/* The scheduler's kernel is there at 3; hears of the job at 10; has decided at 30, begun the copy of 15 bytes at 32, launched at 49 what begins
 * 7 later; knows its end at 90, and begins the copy of 6 bytes at 92. The host hears of that 10 after its end. */
static void a_job_under_gpu_synchronize(void) {
    struct batch_parameters given;
    struct grt_builder *builder = one_job_on_the_device(&given);
    struct grt_built_run seen;
    run(&seen, builder, "gpu-synchronize", &given);
    CU_ASSERT(grt_built_kernel_ran(&seen, 1, 0, 3, 1000000));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 0, 32, 47));
    CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 56, 86));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 1, 92, 98));
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 0), 108);
    CU_ASSERT_EQUAL(seen.result->task_count, 2);
    CU_ASSERT_EQUAL(seen.result->tasks[1].unfinished, 1);
    grt_built_run_end(&seen, builder);
}

/* Polls of 10 from 32 on: that to 52 sees the copy's end at 47. The next ones begin at 54: that to 94 sees the kernel's, at 91. */
static void a_job_under_gpu_atomics(void) {
    struct batch_parameters given;
    struct grt_builder *builder = one_job_on_the_device(&given);
    struct grt_built_run seen;
    run(&seen, builder, "gpu-atomics", &given);
    CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 61, 91));
    CU_ASSERT(grt_built_copy_ran(&seen, 0, 1, 96, 102));
    CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 0), 112);
    grt_built_run_end(&seen, builder);
}

/* The second kernel ends first: its results are copied first; and the two run beside each other. */
static void the_device_changes_the_order(void) {
    static const char *const policies[] = {"gpu-synchronize", "gpu-atomics"};
    for (int i = 0; i < 2; i++) {
        struct grt_builder *builder = on(kepler());
        struct batch_parameters given = batch_permissive;
        struct grt_built_run seen;
        given.scheduler_blocks = 1;
        add_job(builder, 10, 4, 100, 10);
        add_job(builder, 10, 4, 20, 10);
        run(&seen, builder, policies[i], &given);
        CU_ASSERT(grt_built_kernel_ran(&seen, 0, 0, 10, 110));
        CU_ASSERT(grt_built_kernel_ran(&seen, 1, 0, 20, 40));
        CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 1, 0), 50);
        CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 0), 120);
        grt_built_run_end(&seen, builder);
    }
}

/* The kernel of the scheduler was with the device before the job asks for it, and is due later; but the job waits for decisions and calls. */
static void the_scheduler_blocks_nobody(void) {
    struct batch_parameters given;
    struct grt_builder *builder = one_job_on_the_device(&given);
    struct grt_built_run seen;
    grt_builder_at(builder, add_job(builder, 10, 1, 30, 4), 500);
    run(&seen, builder, "gpu-atomics", &given);
    CU_ASSERT(seen.result->tasks[1].gpu_wait.max > 0);
    CU_ASSERT_EQUAL(grt_built_run_count(&seen, GRT_TRACE_BLOCKED), 0);
    grt_built_run_end(&seen, builder);
}

/* ---- what is refused ---- */

static void is_refused(struct grt_builder *builder, const char *policy, const struct batch_parameters *given,
                       const char *why) {
    struct grt_built_run seen;
    grt_built_run_start_with(&seen, &builder->scenario, grt_policy_find(policy), given, false);
    CU_ASSERT_PTR_NULL(seen.world);
    bool said = seen.errors.count == 1 && strstr(seen.errors.messages[0], why) != NULL;
    CU_ASSERT(said);
    if (!said) {
        grt_errors_print(&seen.errors, stderr, "said: ");
        fprintf(stderr, "expected: %s\n", why);
    }
    grt_built_run_end(&seen, builder);
}

static struct grt_builder *a_job_on(struct grt_device device) {
    struct grt_builder *builder = on(device);
    add_job(builder, 1, 1, 1, 1);
    return builder;
}

/* Two segments that have just as many blocks as are profiled, and one more; fewer of which each execution draws; a task whose time is given
 * has any number of them. */
static void long_profiles_are_refused(void) {
    static const struct batch_average average = {"t", 3};
    static const char why[] =
        "tasks[0]: to profile it, more than 16777216 blocks would be executed: give its time in "
        "policy.average_runtimes";
    const struct grt_distribution drawn = {.kind = GRT_UNIFORM, .min = 1, .max = 2};
    struct batch_parameters given = batch_permissive;
    for (int64_t more = 0; more < 2; more++) {
        struct grt_builder *builder = on(grt_built_device(1024)); /* few waves */
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_kernel(builder, task, BATCH_MOST_PROFILED / 2, 32, 1);
        grt_builder_gpu_segment(builder, task);
        grt_builder_kernel(builder, task, BATCH_MOST_PROFILED / 2 + more, 32, 1);
        builder->scenario.horizon = 10;
        if (more) {
            is_refused(builder, "cpu-order", &given, why);
        } else {
            struct grt_built_run seen;
            run(&seen, builder, "cpu-traditional", &given);
            grt_built_run_end(&seen, builder);
        }
    }
    given.profile_runs = 20;
    for (size_t told = 0; told < 2; told++) {
        struct grt_builder *builder = on(kepler());
        struct grt_built_run seen;
        grt_builder_kernel(builder, grt_builder_task(builder, "t"), BATCH_MOST_PROFILED / 19, 32, 1)
            ->block_time = drawn;
        builder->scenario.horizon = 1000;
        given.averages = (struct grt_field_list){(void *)(uintptr_t)&average, told};
        if (told) {
            run(&seen, builder, "cpu-concurrent", &given);
            grt_built_run_end(&seen, builder);
        } else {
            is_refused(builder, "cpu-concurrent", &given, why);
        }
    }
}

static void refusals(void) {
    static const struct batch_average stranger = {"stranger", 3}, twice[] = {{"t", 3}, {"t", 4}};
    struct batch_parameters given = batch_permissive;
    struct grt_device device = kepler();
    given.averages = (struct grt_field_list){(void *)(uintptr_t)&stranger, 1};
    is_refused(a_job_on(device), "cpu-order", &given, "no task has this name (got \"stranger\")");
    given.averages = (struct grt_field_list){(void *)(uintptr_t)twice, 2};
    is_refused(
        a_job_on(device), "cpu-order", &given,
        "policy.average_runtimes[1].task: the average runtime of this task is given already (got \"t\")");
    given = batch_permissive;
    given.core = 0;
    is_refused(a_job_on(device), "cpu-order", &given,
               "must leave a core of the platform, of which there are 0");
    given = batch_permissive;
    given.scheduler_blocks = 1;
    device.max_pending_launches = 0;
    is_refused(a_job_on(device), "gpu-synchronize", &given, "max_pending_launches is 0");
    is_refused(a_job_on(device), "gpu-atomics", &given, "max_pending_launches is 0");
    device.max_pending_launches = 1;
    device.max_resident_grids = 1;
    is_refused(a_job_on(device), "gpu-atomics", &given,
               "no room for another kernel beside that of the scheduler");
    device.max_resident_grids = 32;
    device.task_slots = 1;
    is_refused(a_job_on(device), "gpu-atomics", &given,
               "no room for another kernel beside that of the scheduler");
    given.scheduler_blocks = 17;
    is_refused(a_job_on(kepler()), "gpu-atomics", &given,
               "holds 16 blocks of the scheduler's kernel at a time, not 17");
    given.scheduler_blocks = 16;
    is_refused(a_job_on(kepler()), "gpu-atomics", &given, "would never begin");
}

/* One SM, on which the scheduler leaves room for 512 threads. */
static void kernels_that_blocks_launch_need_room_too(void) {
    for (int64_t threads = 512; threads <= 544; threads += 32) {
        struct grt_device device = grt_built_device(1);
        struct batch_parameters given = batch_permissive;
        struct grt_launch_spec launch = {.kernel = {.name = "c", .blocks = 1, .needs = {.threads = threads}}};
        device.max_pending_launches = 100;
        launch.kernel.block_time = (struct grt_distribution){.kind = GRT_CONSTANT, .max = 5};
        struct grt_builder *builder = on(device);
        struct grt_kernel *kernel = grt_builder_kernel(builder, grt_builder_task(builder, "t"), 1, 32, 10);
        kernel->launches = (struct grt_field_list){&launch, 1};
        given.scheduler_blocks = 2;
        given.scheduler_threads = 768;
        if (threads > 512) {
            is_refused(builder, "gpu-atomics", &given,
                       "tasks[0].segments[0].gpu[0].launches[0]: would never begin");
        } else {
            struct grt_built_run seen;
            run(&seen, builder, "gpu-atomics", &given);
            CU_ASSERT_EQUAL(grt_built_run_finish(&seen, 0, 0), 15);
            grt_built_run_end(&seen, builder);
        }
    }
}

static void what_never_goes_on_beside_the_scheduler(void) {
    struct batch_parameters given = batch_permissive;
    struct grt_builder *builder = on(kepler());
    given.scheduler_blocks = 1;
    grt_builder_whole(builder, grt_builder_task(builder, "t"), 5);
    is_refused(builder, "gpu-synchronize", &given, "would never begin");
    for (int64_t kind = GRT_COMMAND_SYNCHRONIZE; kind < GRT_COMMAND_KINDS; kind++) {
        for (int64_t sync = GRT_IMPLICIT_SYNC_NONE; sync <= GRT_IMPLICIT_SYNC_MEASURED; sync++) {
            struct grt_device device = kepler();
            device.implicit_sync = sync;
            builder = on(device);
            grt_builder_call(builder, grt_builder_task(builder, "t"), (enum grt_command_kind)kind, NULL)
                ->bytes = 1;
            bool guided = kind >= GRT_COMMAND_MALLOC && kind != GRT_COMMAND_FREE;
            if (kind == GRT_COMMAND_SYNCHRONIZE_DEVICE || (guided && sync == GRT_IMPLICIT_SYNC_GUIDE) ||
                (kind == GRT_COMMAND_FREE && sync == GRT_IMPLICIT_SYNC_MEASURED)) {
                is_refused(builder, "gpu-synchronize", &given,
                           "would wait for the kernel of the scheduler, which never ends");
            } else {
                struct grt_built_run seen;
                run(&seen, builder, "gpu-synchronize", &given);
                CU_ASSERT_EQUAL(seen.result->tasks[0].finished, 1);
                grt_built_run_end(&seen, builder);
            }
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"who goes first", who_goes_first},
        {"the time since the last was done", the_time_since_the_last_was_done},
        {"a batch runs to its end", a_batch_runs_to_its_end},
        {"calls take time on a core", calls_take_time_on_a_core},
        {"polls take time", polls_take_time},
        {"a scheduler for every GPU", a_scheduler_for_every_gpu},
        {"a synchronous copy holds the thread up", a_synchronous_copy_holds_the_thread_up},
        {"an aborted job holds its place", an_aborted_job_holds_its_place},
        {"deciding in vain", deciding_in_vain},
        {"counting costs by the threads", counting_costs_by_the_threads},
        {"counting makes kernels longer", counting_makes_kernels_longer},
        {"a job under gpu-synchronize", a_job_under_gpu_synchronize},
        {"a job under gpu-atomics", a_job_under_gpu_atomics},
        {"the scheduler has a name of its own", the_scheduler_has_a_name_of_its_own},
        {"the device changes the order", the_device_changes_the_order},
        {"the scheduler blocks nobody", the_scheduler_blocks_nobody},
        {"long profiles are refused", long_profiles_are_refused},
        {"refusals", refusals},
        {"kernels that blocks launch need room, too", kernels_that_blocks_launch_need_room_too},
        {"what never goes on beside the scheduler", what_never_goes_on_beside_the_scheduler},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("batch schedulers", tests);
}
