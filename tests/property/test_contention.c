/* labels: soak */
/* Random worlds in which blocks, copies and threads slow each other, against the definition of the speeds: a second way
 * reads who ran when from the trace, works out everybody's speed for every span in which nothing changed, in floating
 * point and by other means than the simulator, and adds up what everybody had done. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/contended_world.h"
#include "tests/support/suite.h"

enum { BLOCK, COPY, THREAD };

/* Somebody who ran from `start` to `end`: a block while its process has the SMs, a copy or a thread without a break. Pieces
 * of one have the same `of`. */
struct run {
    int kind;
    uint32_t gpu, sm, task, launch;         /* launch: the kernel's or copy's record; of a thread: its job */
    const struct grt_command_spec *command; /* of blocks and copies */
    const struct grt_segment *segment;      /* of threads */
    grt_time start, end;
    uint32_t of;
    bool ended, latent; /* latent: a copy that moves no bytes yet */
    double demand, own, speed, work;
};

struct fluid {
    const struct grt_scenario *scenario;
    const struct grt_built_run *run;
    struct run *runs;
    size_t count;
};

/* ---- who ran when ---- */

static void add_run(struct fluid *fluid, struct run run) {
    if (run.start < run.end) {
        fluid->runs = realloc(fluid->runs, (fluid->count + 1) * sizeof *fluid->runs);
        fluid->runs[fluid->count++] = run;
    }
}

static const struct grt_command_spec *command_of(const struct fluid *fluid,
                                                 const struct grt_trace_record *record) {
    const struct grt_task *task = &fluid->scenario->tasks[record->task];
    return &task->segments[grt_trace_segment(record->detail)].commands[grt_trace_command(record->detail)];
}

/* The kernel of a block: that of its job which went on at the time. */
static uint32_t kernel_of(const struct fluid *fluid, const struct grt_trace_record *block) {
    for (uint32_t i = 0; i < fluid->run->kept.record_count; i++) {
        const struct grt_trace_record *kernel = &fluid->run->kept.records[i];
        if (kernel->kind == GRT_TRACE_KERNEL && kernel->task == block->task && kernel->job == block->job &&
            kernel->other <= block->other && kernel->time >= block->time) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Contexts are numbered in the order in which the tasks bring up a process on a GPU. */
static uint32_t context_of(const struct fluid *fluid, uint32_t number) {
    const struct grt_task *tasks = fluid->scenario->tasks;
    uint32_t contexts = 0;
    for (uint32_t i = 0; i <= number; i++) {
        uint32_t first = 0;
        while (tasks[first].gpu != tasks[i].gpu || tasks[first].process != tasks[i].process) {
            first++;
        }
        if (tasks[i].gpu == tasks[number].gpu && tasks[i].process == tasks[number].process) {
            return contexts;
        }
        contexts += first == i;
    }
    return contexts;
}

/* The pieces of a block: while its context has the SMs. Where only one context uses a GPU, nothing is recorded. */
static void add_block(struct fluid *fluid, struct run block) {
    uint32_t context = context_of(fluid, block.task);
    bool takes_turns = false;
    for (size_t i = 0; i < fluid->run->kept.record_count; i++) {
        const struct grt_trace_record *stay = &fluid->run->kept.records[i];
        if (stay->kind != GRT_TRACE_CONTEXT || stay->row != block.gpu) {
            continue;
        }
        takes_turns = true;
        if (stay->detail == context) {
            struct run piece = block;
            piece.start = stay->other > block.start ? stay->other : block.start;
            piece.end = stay->time < block.end ? stay->time : block.end;
            add_run(fluid, piece);
        }
    }
    if (!takes_turns) {
        add_run(fluid, block);
    }
}

/* The first record of a copy or thread that was interrupted. */
static uint32_t first_piece(const struct fluid *fluid, uint32_t number) {
    const struct grt_trace_record *records = fluid->run->kept.records, *record = &records[number];
    for (uint32_t i = 0; i < number; i++) {
        if (records[i].kind == record->kind && records[i].task == record->task &&
            records[i].job == record->job && records[i].detail == record->detail) {
            return i;
        }
    }
    return number;
}

/* The latency of a copy, at full speed, and then its bytes. */
static void add_copy(struct fluid *fluid, struct run copy, uint32_t number) {
    grt_time latency = fluid->scenario->gpus[copy.gpu].copy_latency;
    for (uint32_t i = copy.of; i < number; i++) {
        const struct grt_trace_record *record = &fluid->run->kept.records[i];
        bool same =
            record->kind == GRT_TRACE_COPY && record->task == copy.task && first_piece(fluid, i) == copy.of;
        latency -= same ? record->time - record->other : 0;
    }
    latency = latency > 0 ? latency : 0;
    struct run latent = copy;
    latent.latent = true;
    latent.end = copy.start + latency < copy.end ? copy.start + latency : copy.end;
    copy.start = latent.end;
    add_run(fluid, latent);
    add_run(fluid, copy);
}

static bool read_run(struct fluid *fluid, uint32_t number) {
    const struct grt_trace_record *record = &fluid->run->kept.records[number];
    struct run run = {
        .gpu = record->task == GRT_TRACE_NO_TASK ? 0 : (uint32_t)fluid->scenario->tasks[record->task].gpu,
        .sm = record->row,
        .task = record->task,
        .start = record->other,
        .end = record->time,
        .of = number,
        .ended = (record->flags & (GRT_TRACE_OPEN | GRT_TRACE_PREEMPTED)) == 0};
    switch (record->kind) {
    case GRT_TRACE_BLOCK:
        run.kind = BLOCK;
        run.launch = kernel_of(fluid, record);
        if (run.launch == UINT32_MAX) {
            return false;
        }
        run.command = command_of(fluid, &fluid->run->kept.records[run.launch]);
        add_block(fluid, run);
        break;
    case GRT_TRACE_COPY:
        run.kind = COPY;
        run.launch = run.of = first_piece(fluid, number);
        run.command = command_of(fluid, record);
        add_copy(fluid, run, number);
        break;
    case GRT_TRACE_CPU:
        run.kind = THREAD;
        run.gpu = UINT32_MAX;
        run.of = first_piece(fluid, number);
        run.ended = record->flags == 0;
        run.segment = &fluid->scenario->tasks[record->task].segments[record->detail];
        add_run(fluid, run);
        break;
    default:
        break;
    }
    return true;
}

/* ---- speeds by their definition ---- */

static int64_t rate_of_copy(const struct grt_device *device, const struct grt_command_spec *copy) {
    return device->copy_engines == 0       ? 0
           : copy->kind == GRT_COMMAND_H2D ? device->h2d_bytes_per_second
                                           : device->d2h_bytes_per_second;
}

static int64_t blocks_of(const struct grt_device *device, const struct grt_kernel *kernel) {
    return kernel->whole_device ? device->sm_count : kernel->blocks;
}

static int64_t fit_on_an_sm(const struct grt_device *device, const struct grt_kernel *kernel) {
    return kernel->whole_device ? 1 : grt_occupancy_of(device, &kernel->needs).blocks_per_sm;
}

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static double load_of(const struct grt_device *device, const struct grt_kernel *kernel) {
    int64_t threads = kernel->whole_device ? device->max_threads_per_sm : kernel->needs.threads;
    int64_t together = lesser(blocks_of(device, kernel), fit_on_an_sm(device, kernel));
    return (double)lesser(threads, device->cores_per_sm * device->threads_per_core / together);
}

static double demand_of(const struct fluid *fluid, const struct run *run) {
    if (run->kind == THREAD) {
        return (double)run->segment->cpu_bandwidth;
    }
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    if (run->kind == COPY) {
        double rate = (double)rate_of_copy(device, run->command) * (device->integrated ? 2 : 1);
        double most = (double)device->memory_bytes_per_second;
        return run->latent ? 0 : rate < most ? rate : most;
    }
    const struct grt_kernel *kernel = &run->command->kernel;
    int64_t together = lesser(fit_on_an_sm(device, kernel) * device->sm_count, blocks_of(device, kernel));
    return floor((double)kernel->bandwidth / (double)together);
}

static const char *class_of(const struct run *run) {
    const struct grt_kernel *kernel = &run->command->kernel;
    return kernel->class_name != NULL ? kernel->class_name : kernel->name;
}

static double factor_of(const struct grt_device *device, const char *class_name, const char *beside,
                        bool same_sm) {
    const struct grt_slowdown *rows = device->slowdowns.items;
    for (size_t i = 0; i < device->slowdowns.count; i++) {
        if (strcmp(rows[i].class_name, class_name) == 0 && strcmp(rows[i].beside, beside) == 0) {
            return same_sm && rows[i].same_sm != 0 ? rows[i].same_sm : rows[i].factor;
        }
    }
    return 1;
}

static bool is_running(const struct run *run, grt_time now) {
    return run->start <= now && now < run->end;
}

/* Beside every other kernel that runs on its GPU. */
static double speed_beside(const struct fluid *fluid, const struct run *run, grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    double speed = 1;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *other = &fluid->runs[i];
        if (other->kind != BLOCK || other->gpu != run->gpu || other->launch == run->launch ||
            !is_running(other, now)) {
            continue;
        }
        bool counted = false, same_sm = false; /* a kernel counts once */
        for (size_t j = 0; j < fluid->count; j++) {
            const struct run *sibling = &fluid->runs[j];
            bool of_it =
                sibling->kind == BLOCK && sibling->launch == other->launch && is_running(sibling, now);
            counted |= of_it && j < i;
            same_sm |= of_it && sibling->sm == run->sm;
        }
        speed /= counted ? 1 : factor_of(device, class_of(run), class_of(other), same_sm);
    }
    return speed;
}

static double speed_on_sm(const struct fluid *fluid, const struct run *run, grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    double load = 0, capacity = (double)(device->cores_per_sm * device->threads_per_core);
    for (size_t i = 0; capacity > 0 && i < fluid->count; i++) {
        const struct run *other = &fluid->runs[i];
        if (other->kind == BLOCK && other->sm == run->sm && is_running(other, now)) {
            load += load_of(device, &other->command->kernel);
        }
    }
    return load > capacity ? capacity / load : 1;
}

/* Whether somebody draws from the memory of a GPU. */
static bool is_on_bus(const struct fluid *fluid, const struct run *run, uint32_t gpu) {
    return run->gpu == gpu || (run->kind == THREAD && fluid->scenario->gpus[gpu].integrated);
}

/* What all draw together if nobody gets more than `level` bytes per second. */
static double drawn(const struct fluid *fluid, uint32_t gpu, grt_time now, double level) {
    double sum = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *run = &fluid->runs[i];
        if (is_running(run, now) && is_on_bus(fluid, run, gpu)) {
            sum += run->demand * run->own < level ? run->demand * run->own : level;
        }
    }
    return sum;
}

/* The level of max-min sharing, by bisection. */
static double fair_level(const struct fluid *fluid, uint32_t gpu, grt_time now, double capacity) {
    double low = 0, high = 2 * capacity;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(drawn(fluid, gpu, now, middle) > capacity ? &high : &low) = middle;
    }
    return low;
}

static void share_memory(struct fluid *fluid, uint32_t gpu, grt_time now) {
    const struct grt_device *device = &fluid->scenario->gpus[gpu];
    double capacity = (double)device->memory_bytes_per_second, total = drawn(fluid, gpu, now, INFINITY);
    if (device->bandwidth_sharing == GRT_BANDWIDTH_SHARING_NONE || total <= capacity) {
        return;
    }
    double level = fair_level(fluid, gpu, now, capacity);
    for (size_t i = 0; i < fluid->count; i++) {
        struct run *run = &fluid->runs[i];
        if (!is_running(run, now) || !is_on_bus(fluid, run, gpu) || run->demand == 0) {
            continue;
        }
        if (device->bandwidth_sharing == GRT_BANDWIDTH_SHARING_PROPORTIONAL) {
            run->speed = run->own * capacity / total;
        } else if (run->demand * run->own > level) {
            run->speed = level / run->demand;
        }
    }
}

/* Lets everybody work from `now` to `next`, between which nothing changes. */
static void integrate(struct fluid *fluid, grt_time now, grt_time next) {
    for (size_t i = 0; i < fluid->count; i++) {
        struct run *run = &fluid->runs[i];
        if (is_running(run, now)) {
            run->own = run->kind == BLOCK ? speed_on_sm(fluid, run, now) * speed_beside(fluid, run, now) : 1;
            run->speed = run->own;
        }
    }
    for (uint32_t gpu = 0; gpu < fluid->scenario->gpu_count; gpu++) {
        share_memory(fluid, gpu, now);
    }
    for (size_t i = 0; i < fluid->count; i++) {
        if (is_running(&fluid->runs[i], now)) {
            fluid->runs[i].work += fluid->runs[i].speed * (double)(next - now);
        }
    }
}

static void integrate_all(struct fluid *fluid) {
    for (grt_time now = 0, next; now != GRT_TIME_NEVER; now = next) {
        next = GRT_TIME_NEVER;
        for (size_t i = 0; i < fluid->count; i++) {
            const struct run *run = &fluid->runs[i];
            next = run->start > now && run->start < next ? run->start : next;
            next = run->end > now && run->end < next ? run->end : next;
        }
        if (next != GRT_TIME_NEVER) {
            integrate(fluid, now, next);
        }
    }
}

/* ---- what must hold ---- */

static grt_time wanted(const struct fluid *fluid, const struct run *run) {
    if (run->kind != COPY) {
        return run->kind == BLOCK ? run->command->kernel.block_time.max : run->segment->cpu_time.max;
    }
    const struct grt_device *device = &fluid->scenario->gpus[run->gpu];
    int64_t rate = rate_of_copy(device, run->command);
    grt_time time = device->copy_latency + (rate > 0 ? grt_time_of_work(run->command->bytes, rate) : 0);
    return time > 0 ? time : 1;
}

/* Whether what was done in all pieces is what there was to do. Everything begins and ends at whole ns, so that up to a ns is
 * lost with every piece. */
static bool did(const struct fluid *fluid, const struct run *run) {
    double work = 0, pieces = 0;
    bool ended = false;
    for (size_t i = 0; i < fluid->count; i++) {
        const struct run *piece = &fluid->runs[i];
        if (piece->kind == run->kind && piece->of == run->of) {
            work += piece->work;
            pieces++;
            ended |= piece->ended;
        }
    }
    double want = (double)wanted(fluid, run);
    if ((!ended || work > want - 0.001) && work < want + pieces + 1.001) {
        return true;
    }
    fprintf(stderr, "kind %d of task %u, %" PRId64 " to %" PRId64 ": did %.6f ns of %.0f\n", run->kind,
            run->task, run->start, run->end, work, want);
    return false;
}

static bool follows_the_definition(const struct grt_builder *builder, const struct grt_built_run *run) {
    struct fluid fluid = {.scenario = &builder->scenario, .run = run};
    bool good = true;
    for (uint32_t i = 0; good && i < run->kept.record_count; i++) {
        good = read_run(&fluid, i);
    }
    for (size_t i = 0; i < fluid.count; i++) {
        fluid.runs[i].demand = demand_of(&fluid, &fluid.runs[i]);
    }
    integrate_all(&fluid);
    for (size_t i = 0; good && i < fluid.count; i++) {
        good = did(&fluid, &fluid.runs[i]);
    }
    free(fluid.runs);
    return good;
}

static void check(struct grt_builder *(*make)(uint64_t)) {
    bool good = true;
    for (int i = 0, cases = grt_suite_cases(300, 5000); good && i < cases; i++) {
        struct grt_builder *builder = make((uint64_t)i);
        struct grt_built_run run;
        grt_built_run_start(&run, &builder->scenario, grt_policy_find("hardware"), i % 2 == 1);
        good = run.world != NULL && follows_the_definition(builder, &run);
        if (!good) {
            grt_errors_print(&run.errors, stderr, "refused: ");
            fprintf(stderr, "world %d\n", i);
        }
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
    CU_ASSERT(good);
}

static void everybody_works_at_the_defined_speed(void) {
    check(grt_contended_world);
}

static void so_do_processes_in_their_turns(void) {
    check(grt_contended_processes);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"everybody works at the speed that the rules define", everybody_works_at_the_defined_speed},
        {"so do processes in their turns", so_do_processes_in_their_turns},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("contention", tests);
}
