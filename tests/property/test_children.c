/* labels: soak branches */
/* Random worlds whose blocks launch kernels, with task slots, processes, partitions and aborts: the same with and without
 * cohorts, every block of every grid exactly once, in stays that add up to its time, limits kept, a grid complete after all that
 * it launched. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/launching_world.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* ---- the laws ---- */

struct checks {
    const struct grt_scenario *scenario;
    const struct grt_built_run *run;
};

static bool fail(const struct grt_trace_record *record, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u kind %u detail %u row %x: %s\n", record->time,
            record->task, record->job, record->kind, record->detail, record->row, sentence);
    return false;
}

static const struct grt_task *task_of(const struct checks *checks, const struct grt_trace_record *record) {
    return &checks->scenario->tasks[record->task];
}

/* The launch number `left` of a kernel's, in the order of the scenario. */
static const struct grt_kernel *find_launch(const struct grt_kernel *kernel, uint32_t *left) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        if ((*left)-- == 0) {
            return &launches[i].kernel;
        }
        const struct grt_kernel *found = find_launch(&launches[i].kernel, left);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static const struct grt_kernel *kernel_of(const struct checks *checks,
                                          const struct grt_trace_record *record) {
    const struct grt_segment *segment = &task_of(checks, record)->segments[grt_trace_segment(record->detail)];
    uint32_t number = grt_trace_command(record->detail);
    if (number < segment->command_count) {
        return &segment->commands[number].kernel;
    }
    number -= (uint32_t)segment->command_count;
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_kernel *found = find_launch(&segment->commands[i].kernel, &number);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static bool same_grid(const struct grt_trace_record *a, const struct grt_trace_record *b) {
    return a->task == b->task && a->job == b->job && grt_trace_grid(a->row) == grt_trace_grid(b->row);
}

static bool waits_inside(const struct grt_kernel *kernel) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    bool waits = false;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        waits |= launches[i].wait;
    }
    return waits;
}

/* What is known of a block, from its last stay on an SM back to its first. */
struct block {
    bool seen, whole; /* whole: it has ended */
    grt_time first, had;
};

/* One stay more, the one before those that are known; false if that cannot be. */
static bool add_stay(struct block *block, const struct grt_trace_record *stay) {
    bool cut = (stay->flags & GRT_TRACE_PREEMPTED) != 0;
    bool good = cut ? !block->seen || stay->time < block->first : !block->seen;
    block->whole = block->whole || (stay->flags & (GRT_TRACE_PREEMPTED | GRT_TRACE_OPEN)) == 0;
    block->seen = true;
    block->first = stay->other;
    block->had += stay->time - stay->other;
    return good;
}

/* Whether a block has had the time that it takes; the speed must be one, and nothing switched out. */
static bool time_is_right(const struct checks *checks, const struct grt_trace_record *grid,
                          const struct block *block) {
    const struct grt_device *device = &checks->scenario->gpus[task_of(checks, grid)->gpu];
    const struct grt_distribution *time = &kernel_of(checks, grid)->block_time;
    bool turns = checks->scenario->process_count > 0 && !device->mps;
    if (!block->whole || turns || grt_device_is_contended(device)) {
        return true;
    }
    return (time->kind == GRT_CONSTANT ? block->had == time->max : block->had <= time->max) ||
           fail(grid, "a block's stays do not add up to its time");
}

/* Every block once, in stays that do not overlap, in the grid's slice; all of them but of grids that were cut. */
static bool grid_is_whole(const struct checks *checks, size_t index) {
    const struct grt_trace_record *grid = &checks->run->kept.records[index];
    const struct grt_kernel *kernel = kernel_of(checks, grid);
    int64_t count =
        kernel->whole_device ? checks->scenario->gpus[task_of(checks, grid)->gpu].sm_count : kernel->blocks;
    int64_t whole = 0;
    grt_time first = GRT_TIME_NEVER, last = 0;
    struct block *blocks = calloc((size_t)count, sizeof *blocks);
    bool good = true;
    for (size_t i = index; good && i-- > 0;) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (record->kind == GRT_TRACE_KERNEL && same_grid(record, grid)) {
            break; /* the one before of that number */
        }
        if (record->kind != GRT_TRACE_BLOCK || !same_grid(record, grid)) {
            continue;
        }
        bool cut_off = (record->flags & GRT_TRACE_PREEMPTED) != 0;
        good = record->detail < count && (!cut_off || waits_inside(kernel)) &&
               add_stay(&blocks[record->detail], record);
        first = record->other < first ? record->other : first;
        last = record->time > last ? record->time : last;
    }
    bool times = true;
    for (int64_t i = 0; i < count; i++) {
        whole += blocks[i].whole;
        times = times && time_is_right(checks, grid, &blocks[i]);
    }
    free(blocks);
    if (!good) {
        return fail(grid, "a block twice, or one that the grid does not have");
    }
    if (first != grid->other || last > grid->time) {
        return fail(grid, "does not begin with its first block or ends before its last");
    }
    bool cut = (grid->flags & (GRT_TRACE_OPEN | GRT_TRACE_ABORTED)) != 0;
    return times && (cut || whole == count || fail(grid, "is complete without all its blocks"));
}

static bool overlaps(const struct grt_trace_record *other, grt_time instant) {
    return other->other <= instant && (other->time > instant || (other->flags & GRT_TRACE_OPEN));
}

/* The threads and blocks of a process on an SM, at the start of each. */
static bool has_room(const struct checks *checks, size_t index) {
    const struct grt_trace_record *block = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, block);
    int64_t blocks = 0;
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        blocks += other->kind == GRT_TRACE_BLOCK && grt_trace_row(other->row) == grt_trace_row(block->row) &&
                  task_of(checks, other)->process == task->process && overlaps(other, block->other);
    }
    return blocks <= checks->scenario->gpus[task->gpu].max_blocks_per_sm ||
           fail(block, "more blocks on an SM than it holds");
}

/* Whether a block of the grid of some kernel record runs at an instant, or has not all been handed out. */
static grt_time last_block_end(const struct checks *checks, size_t index) {
    const struct grt_trace_record *grid = &checks->run->kept.records[index];
    grt_time last = 0;
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (record->kind == GRT_TRACE_KERNEL && same_grid(record, grid)) {
            break;
        }
        if (record->kind == GRT_TRACE_BLOCK && same_grid(record, grid) && record->time > last) {
            last = record->flags & GRT_TRACE_OPEN ? GRT_TIME_NEVER : record->time;
        }
    }
    return last;
}

/* Whether a grid whose blocks may wait has one on an SM just after an instant, or one that begins later. */
static bool holds_place(const struct checks *checks, size_t index, grt_time instant) {
    const struct grt_trace_record *grid = &checks->run->kept.records[index];
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (record->kind == GRT_TRACE_KERNEL && same_grid(record, grid)) {
            break;
        }
        if (record->kind != GRT_TRACE_BLOCK || !same_grid(record, grid)) {
            continue;
        }
        bool begun_before = false;
        for (size_t j = i; record->other > instant && j-- > 0 && !begun_before;) {
            const struct grt_trace_record *other = &checks->run->kept.records[j];
            begun_before = other->kind == GRT_TRACE_BLOCK && same_grid(other, grid) &&
                           other->detail == record->detail && other->other >= grid->other;
        }
        if (overlaps(record, instant) || (record->other > instant && !begun_before)) {
            return true;
        }
    }
    return false;
}

/* Q9, Q10: grids of a process that hold a place, from the first block's start to the last one's end but while all that is left
 * of them waits, when a grid begins or goes on. */
static bool slots_suffice(const struct checks *checks, size_t index, const grt_time *ends) {
    const struct grt_trace_record *begins = &checks->run->kept.records[index];
    const struct grt_task *task = task_of(checks, begins);
    const struct grt_device *device = &checks->scenario->gpus[task->gpu];
    int64_t begun = 0;
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        begun += other->kind == GRT_TRACE_KERNEL && task_of(checks, other)->gpu == task->gpu &&
                 task_of(checks, other)->process == task->process && other->other <= begins->other &&
                 ends[i] > begins->other &&
                 (!waits_inside(kernel_of(checks, other)) || holds_place(checks, i, begins->other));
    }
    return (device->task_slots == 0 || begun <= device->task_slots) && begun <= device->max_resident_grids
               ? true
               : fail(begins, "more grids have begun than may");
}

/* Whether a block's stay is not its first. */
static bool comes_back(const struct checks *checks, size_t index) {
    const struct grt_trace_record *stay = &checks->run->kept.records[index];
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        if (other->kind == GRT_TRACE_KERNEL && same_grid(other, stay)) {
            return false;
        }
        if (other->kind == GRT_TRACE_BLOCK && same_grid(other, stay) && other->detail == stay->detail) {
            return true;
        }
    }
    return false;
}

/* D2: the slices of what the job's blocks launched lie before the end of the host's kernel, which comes last. */
static bool children_end_first(const struct checks *checks, size_t index) {
    const struct grt_trace_record *root = &checks->run->kept.records[index];
    for (size_t i = index + 1; grt_trace_grid(root->row) == 0 && i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        bool kernel = other->kind == GRT_TRACE_KERNEL && other->task == root->task && other->job == root->job;
        if (kernel && grt_trace_grid(other->row) == 0) {
            break;
        }
        if (kernel && other->other < root->time && !(other->flags & GRT_TRACE_OPEN)) {
            return fail(other, "ends after the kernel that launched it");
        }
    }
    return true;
}

static bool trace_is_right(const struct checks *checks) {
    const struct grt_trace_memory *kept = &checks->run->kept;
    grt_time *ends = calloc(kept->record_count + 1, sizeof *ends);
    bool good = true;
    uint64_t failed = 0;
    for (size_t i = 0; i < kept->record_count; i++) {
        ends[i] = kept->records[i].kind == GRT_TRACE_KERNEL ? last_block_end(checks, i) : 0;
        failed += kept->records[i].kind == GRT_TRACE_LAUNCH_FAILED;
    }
    for (size_t i = 0; good && i < kept->record_count; i++) {
        const struct grt_trace_record *record = &kept->records[i];
        bool kernel = record->kind == GRT_TRACE_KERNEL;
        good = (record->kind != GRT_TRACE_BLOCK ||
                (has_room(checks, i) && (!comes_back(checks, i) || slots_suffice(checks, i, ends)))) &&
               (!kernel || (grid_is_whole(checks, i) && children_end_first(checks, i) &&
                            slots_suffice(checks, i, ends)));
    }
    for (size_t i = 0; i < checks->run->result->gpu_count; i++) {
        failed -= checks->run->result->gpus[i].failed_launches;
    }
    free(ends);
    return good && failed == 0;
}

/* Where there are no processes, any policy that has kernels executed whole. */
static const struct grt_policy_ops *policy_of(const struct grt_builder *builder, uint64_t number) {
    static const char *const names[] = {"hardware", "fifo", "np-edf", "np-rm", "np-fp"};
    return grt_policy_find(builder->scenario.process_count > 0 ? "hardware" : names[number % 5]);
}

static bool world_is_right(uint64_t number) {
    struct grt_builder *builder = grt_launching_world(number);
    struct grt_built_run runs[2];
    for (int i = 0; i < 2; i++) {
        grt_built_run_start(&runs[i], &builder->scenario, policy_of(builder, number), i == 1);
    }
    bool refused = runs[0].result == NULL;
    bool good = refused ? runs[1].result == NULL
                        : grt_built_traces_equal(&runs[0], &runs[1]) &&
                              grt_built_results_equal(runs[0].result, runs[1].result);
    struct checks checks = {&builder->scenario, &runs[0]};
    good = good && (refused || trace_is_right(&checks));
    if (!good) {
        fprintf(stderr, "world %" PRIu64 "\n", number);
    }
    grt_built_run_free(&runs[0]);
    grt_built_run_free(&runs[1]);
    grt_builder_free(builder);
    return good;
}

static void laws_hold_for_children(void) {
    int cases = grt_suite_cases(300, 10000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(9000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

/* ---- nothing is forgotten ---- */

/* A few jobs early in a long run, without the NULL stream: all come to an end. */
static bool everything_ends(uint64_t number) {
    struct grt_builder *builder = grt_launching_world(number);
    builder->scenario.horizon = GRT_SECOND; /* long: saving state may take most of every turn */
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        builder->gpus[i].hardware_queues = 0;
        builder->gpus[i].slowdowns.count = 0; /* the factors of many grids multiply */
    }
    return grt_random_world_ends(builder, number);
}

static void nothing_is_forgotten(void) {
    int cases = grt_suite_cases(300, 10000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = everything_ends(9500000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"laws hold for kernels launched by blocks", laws_hold_for_children},
        {"nothing is forgotten", nothing_is_forgotten},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernels launched by blocks", tests);
}
