/* labels: soak */
/* No process idles on the SMs while a kernel waits. In random worlds whose processes take turns on a GPU, and at every
 * instant of a process's stay there: where no block of it is on the SMs, no kernel, its own or another's, is in its
 * queue. For a turn ends when there is nothing left to do (T3r), and who is alone on the SMs finds room there.
 *
 * One rule lets them idle: where processes have priorities, nothing passes before software has rewritten the runlist
 * (T9r), so a kernel may wait for as long as an update takes. What lies between two stays, switches (T4s) and the
 * draining of blocks (in the old stay, which they fill), is not idling.
 *
 * The worlds have no copies and as many hardware queues as streams, because then the instant at which a kernel is in its
 * queue follows from the streams, the launch times and the records alone: on a shared runlist a turn may pass to a process
 * that only copies, and a hardware queue may hold a kernel behind another stream's. Everything else is random. */
#include <inttypes.h>
#include <stdio.h>

#include "policies/registry.h"
#include "tests/support/gpu_launches.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

enum { PROCESSES = 3 };

static const struct grt_process plain[PROCESSES] = {
    {.name = "p"},
    {.name = "q", .spec = {.time_slice = 37, .interleave = GRT_INTERLEAVE_HIGH}},
    {.name = "r", .spec = {.interleave = GRT_INTERLEAVE_MEDIUM}},
};

static const struct grt_process ranked[PROCESSES] = {
    {.name = "p"}, {.name = "q", .spec = {.time_slice = 37, .priority = 1}}, {.name = "r"}};

/* ---- worlds ---- */

static void make_kernels(struct grt_random *random, struct grt_segment *segment) {
    /* the builder's own commands: they live in its arena */
    struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (commands[i].kind != GRT_COMMAND_KERNEL) {
            commands[i] = (struct grt_command_spec){
                .kind = GRT_COMMAND_KERNEL,
                .kernel = {.name = "k",
                           .blocks = grt_pick(random, 1, 8),
                           .needs = {.threads = grt_pick(random, 1, 1024)},
                           .block_time = {.kind = GRT_CONSTANT, .max = grt_pick(random, 1, 40)}},
            };
        }
    }
}

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "idle", 0, 0);
    builder->scenario.processes = number % 3 == 0 ? ranked : plain;
    builder->scenario.process_count = PROCESSES;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        grt_random_turns(&random, &builder->gpus[i]);
        builder->gpus[i].hardware_queues = 0;
        builder->gpus[i].task_slots = grt_pick(&random, 0, 3);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        task->process = grt_pick(&random, 0, PROCESSES - 1);
        for (size_t j = 0; j < task->segment_count; j++) {
            if (task->segments[j].kind == GRT_SEGMENT_GPU) {
                make_kernels(&random, &builder->segments[i][j]);
            }
        }
        if (number % 2 == 0 && grt_pick(&random, 0, 2) > 0) {
            grt_random_partition(&random, builder, task);
        }
    }
    return builder;
}

/* ---- what the trace says ---- */

struct stay {
    uint32_t gpu;
    int64_t process;
    grt_time from, to;
};

struct seen {
    const struct grt_scenario *scenario;
    const struct grt_built_run *run;
    struct grt_launches all;
    uint64_t waits; /* of a kernel in another process's stay that were seen: the check must not be empty */
};

/* Contexts are made in the order in which the tasks bring up a process on a GPU. */
static int64_t process_of(const struct grt_scenario *scenario, uint32_t context) {
    const struct grt_task *tasks = scenario->tasks;
    for (uint32_t i = 0, contexts = 0; i < scenario->task_count; i++) {
        uint32_t first = 0;
        while (tasks[first].gpu != tasks[i].gpu || tasks[first].process != tasks[i].process) {
            first++;
        }
        if (first == i && contexts++ == context) {
            return tasks[i].process;
        }
    }
    return -1;
}

/* T9r holds on a GPU whose processes differ in priority. */
static grt_time may_idle(const struct seen *seen, uint32_t gpu) {
    const struct grt_scenario *scenario = seen->scenario;
    bool low = false, high = false;
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (scenario->tasks[i].gpu == gpu) { /* only `ranked` has a priority above 0 */
            bool is_high = scenario->processes[scenario->tasks[i].process].spec.priority > 0;
            high |= is_high;
            low |= !is_high;
        }
    }
    return low && high ? scenario->gpus[gpu].runlist_update : 0;
}

/* The first instant from `from` on at which a block of the process whose stay it is is on the SMs, at most the stay's end. */
static grt_time next_block(const struct seen *seen, const struct stay *stay, grt_time from) {
    grt_time first = stay->to;
    for (uint32_t i = 0; i < seen->all.block_count; i++) {
        const struct grt_seen_block *block = &seen->all.blocks[i];
        const struct grt_launch *kernel = &seen->all.launches[block->launch];
        if (kernel->gpu == stay->gpu && kernel->process == stay->process && block->end > from) {
            grt_time begin = block->start > from ? block->start : from;
            first = begin < first ? begin : first;
        }
    }
    return first;
}

/* From an instant of a stay on, nothing waits in vain while the SMs idle. */
static bool nothing_waits(struct seen *seen, const struct stay *stay, grt_time from) {
    grt_time idle_to = next_block(seen, stay, from);
    for (uint32_t i = 0; i < seen->all.launch_count; i++) {
        const struct grt_launch *kernel = &seen->all.launches[i];
        if (kernel->dropped || kernel->gpu != stay->gpu || kernel->entered > from || kernel->gone <= from) {
            continue;
        }
        seen->waits += kernel->process != stay->process;
        grt_time to = kernel->gone < idle_to ? kernel->gone : idle_to;
        if (to - from > may_idle(seen, stay->gpu)) {
            fprintf(stderr,
                    "process %" PRId64 " idles on GPU %u from %" PRId64 " to %" PRId64
                    " while task %u job %u segment %u command %u waits, in its queue since %" PRId64 "\n",
                    stay->process, stay->gpu, from, to, kernel->task, kernel->job, kernel->segment,
                    kernel->command, kernel->entered);
            return false;
        }
    }
    return true;
}

/* Idling begins where the stay does or a block ends; there is something to wait for from where a kernel enters its queue. */
static bool stay_is_used(struct seen *seen, const struct stay *stay) {
    bool good = nothing_waits(seen, stay, stay->from);
    for (uint32_t i = 0; good && i < seen->all.block_count; i++) {
        grt_time end = seen->all.blocks[i].end;
        good = end < stay->from || end >= stay->to || nothing_waits(seen, stay, end);
    }
    for (uint32_t i = 0; good && i < seen->all.launch_count; i++) {
        const struct grt_launch *kernel = &seen->all.launches[i];
        bool within = !kernel->dropped && kernel->entered >= stay->from && kernel->entered < stay->to;
        good = !within || nothing_waits(seen, stay, kernel->entered);
    }
    return good;
}

/* Before the first stay on a GPU nobody is there. */
enum { NOBODY = -1 };

static bool stays_are_used(struct seen *seen) {
    bool good = true, used[GRT_MAX_GPUS] = {false};
    for (size_t i = 0; good && i < seen->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &seen->run->kept.records[i];
        if (record->kind == GRT_TRACE_CONTEXT) {
            struct stay stay = {.gpu = record->row,
                                .process = process_of(seen->scenario, record->detail),
                                .from = record->other,
                                .to = record->time};
            struct stay before = {.gpu = record->row, .process = NOBODY, .to = record->other};
            good = (used[record->row] || stay_is_used(seen, &before)) && stay_is_used(seen, &stay);
            used[record->row] = true;
        }
    }
    return good;
}

/* ---- the test ---- */

static bool world_is_right(uint64_t number, uint64_t *waits) {
    struct grt_builder *builder = make_world(number);
    struct grt_built_run run;
    grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), false);
    bool good = true;
    if (run.result != NULL) { /* refused: streams of one name and two priorities, kernels that do not fit */
        struct seen seen = {.scenario = &builder->scenario, .run = &run};
        good = grt_launches_read(&seen.all, &builder->scenario, &run) && stays_are_used(&seen);
        *waits += seen.waits;
        grt_launches_free(&seen.all);
    }
    if (!good) {
        fprintf(stderr, "world %" PRIu64 "\n", number);
    }
    grt_built_run_free(&run);
    grt_builder_free(builder);
    return good;
}

static void nobody_idles_while_a_kernel_waits(void) {
    int cases = grt_suite_cases(400, 10000);
    uint64_t waits = 0;
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(9000000 + (uint64_t)i, &waits);
    }
    CU_ASSERT(good);
    CU_ASSERT(!good || waits > (uint64_t)cases);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"nobody idles while a kernel waits", nobody_idles_while_a_kernel_waits},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("idle", tests);
}
