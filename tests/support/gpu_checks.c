/* The checks that hold under every policy. */
#include "tests/support/gpu_checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool fail(const struct grt_launch *launch, const char *sentence) {
    fprintf(stderr, "task %u job %u segment %u command %u (%" PRId64 " to %" PRId64 "): %s\n", launch->task,
            launch->job, launch->segment, launch->command, launch->start, launch->end, sentence);
    return false;
}

/* ---- blocks of a launch ---- */

static bool blocks_once(const struct grt_launches *all, const struct grt_launch *launch, grt_time *start_of) {
    uint32_t number = (uint32_t)(launch - all->launches);
    for (uint32_t i = 0; i < launch->blocks; i++) {
        start_of[i] = GRT_TIME_NEVER;
    }
    for (uint32_t i = 0; i < all->block_count; i++) {
        const struct grt_seen_block *block = &all->blocks[i];
        if (block->launch != number) {
            continue;
        }
        if (block->index >= launch->blocks_seen || start_of[block->index] != GRT_TIME_NEVER) {
            return fail(launch, "a block that is not the next, or is there twice");
        }
        if (block->end <= block->start || (launch->end != GRT_TIME_NEVER && block->end > launch->end)) {
            return fail(launch, "a block that ends before it starts or after its kernel");
        }
        if (block->sm < all->first_sm[launch->gpu] || block->sm >= all->first_sm[launch->gpu + 1]) {
            return fail(launch, "a block on another GPU");
        }
        start_of[block->index] = block->start;
    }
    for (uint32_t i = 1; i < launch->blocks_seen; i++) {
        if (start_of[i] < start_of[i - 1]) {
            return fail(launch, "a block that starts before one of lower index");
        }
    }
    return true;
}

static bool launch_is_whole(const struct grt_launches *all, const struct grt_launch *launch) {
    if (launch->kind != GRT_COMMAND_KERNEL) {
        return true;
    }
    grt_time *start_of = grt_allocate(launch->blocks * sizeof *start_of);
    bool good = blocks_once(all, launch, start_of);
    free(start_of);
    if (good && launch->start != launch->first_start) {
        return fail(launch, "the kernel's record does not begin with its first block");
    }
    if (good && launch->end != GRT_TIME_NEVER && launch->aborted == GRT_TIME_NEVER &&
        launch->blocks_seen != launch->blocks) {
        return fail(launch, "a kernel that ended without all its blocks");
    }
    return good;
}

static bool in_order(const struct grt_launches *all) {
    for (uint32_t i = 1; i < all->launch_count; i++) {
        const struct grt_launch *one = &all->launches[i - 1], *next = &all->launches[i];
        bool same_segment = one->task == next->task && one->job == next->job && one->segment == next->segment;
        if (same_segment && next->start != GRT_TIME_NEVER && next->start < one->end) {
            return fail(next, "begins before the job's previous command has ended");
        }
    }
    return true;
}

/* ---- what an SM holds ---- */

struct load {
    int64_t threads, warps, blocks, registers, shared_memory;
};

static int64_t round_up(int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static void add_load(struct load *load, const struct grt_device *device, const struct grt_launch *launch) {
    const struct grt_block_needs *needs = &launch->kernel->needs;
    int64_t threads = launch->kernel->whole_device ? device->max_threads_per_sm : needs->threads;
    int64_t warps = round_up(threads, device->warp_size) / device->warp_size;
    load->threads += threads;
    load->warps += warps;
    load->blocks++;
    if (!launch->kernel->whole_device) {
        load->registers +=
            warps * round_up(needs->registers_per_thread * device->warp_size, device->register_unit);
        load->shared_memory +=
            round_up(needs->shared_memory + device->shared_memory_reserved, device->shared_memory_unit);
    }
}

/* The load of an SM is largest where a block starts: it is added up there. */
static bool sm_holds(const struct grt_launches *all, const struct grt_seen_block *start) {
    const struct grt_launch *launch = &all->launches[start->launch];
    const struct grt_device *device = &all->scenario->gpus[launch->gpu];
    struct load load = {0};
    for (uint32_t i = 0; i < all->block_count; i++) {
        const struct grt_seen_block *block = &all->blocks[i];
        if (block->sm == start->sm && block->start <= start->start && block->end > start->start) {
            add_load(&load, device, &all->launches[block->launch]);
        }
    }
    if (load.threads > device->max_threads_per_sm ||
        load.warps > device->max_threads_per_sm / device->warp_size ||
        load.blocks > device->max_blocks_per_sm || load.registers > device->registers_per_sm ||
        load.shared_memory > device->shared_memory_per_sm) {
        return fail(launch, "an SM holds more than it has room for");
    }
    return true;
}

/* ---- grids and engines ---- */

static bool grids_allowed(const struct grt_launches *all, const struct grt_launch *launch) {
    int64_t resident = 0;
    if (launch->kind != GRT_COMMAND_KERNEL || launch->start == GRT_TIME_NEVER) {
        return true;
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        resident += other->kind == GRT_COMMAND_KERNEL && other->gpu == launch->gpu &&
                    other->start <= launch->start && other->end > launch->start;
    }
    return resident <= all->scenario->gpus[launch->gpu].max_resident_grids ||
           fail(launch, "more grids than the device may hold");
}

static grt_time copy_time(const struct grt_device *device, const struct grt_launch *launch) {
    int64_t rate =
        launch->kind == GRT_COMMAND_H2D ? device->h2d_bytes_per_second : device->d2h_bytes_per_second;
    if (device->copy_engines == 0 || rate == 0) {
        return device->copy_latency;
    }
    return device->copy_latency + (launch->bytes * GRT_SECOND + rate - 1) / rate;
}

static bool copy_is_alone(const struct grt_launches *all, const struct grt_launch *launch) {
    if (launch->kind == GRT_COMMAND_KERNEL || launch->start == GRT_TIME_NEVER) {
        return true;
    }
    if (launch->end != GRT_TIME_NEVER &&
        launch->end - launch->start != copy_time(&all->scenario->gpus[launch->gpu], launch)) {
        return fail(launch, "a copy of the wrong length");
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *other = &all->launches[i];
        bool overlaps = other->kind != GRT_COMMAND_KERNEL && other->engine == launch->engine &&
                        other != launch && other->start <= launch->start && other->end > launch->start;
        if (overlaps) {
            return fail(launch, "two copies at a time on one engine");
        }
    }
    return true;
}

/* ---- the sums ---- */

static bool time_goes_on(const struct grt_built_run *run) {
    for (size_t i = 1; i < run->kept.record_count; i++) {
        if (run->kept.records[i].time < run->kept.records[i - 1].time) {
            fprintf(stderr, "record %zu goes back in time\n", i);
            return false;
        }
    }
    return true;
}

static grt_time until(grt_time end, const struct grt_built_run *run) {
    return end == GRT_TIME_NEVER ? run->result->end : end;
}

/* The length of the union of the blocks' times on one row of SMs, or on the rows from `first` up to `last` as one. */
static grt_time union_of(const struct grt_launches *all, const struct grt_built_run *run, uint32_t first,
                         uint32_t last) {
    grt_time sum = 0, covered = 0;
    for (;;) { /* jumps from start to start; blocks are not sorted */
        grt_time start = GRT_TIME_NEVER, end = 0;
        for (uint32_t i = 0; i < all->block_count; i++) {
            const struct grt_seen_block *block = &all->blocks[i];
            bool counts = block->sm >= first && block->sm < last && until(block->end, run) > covered;
            grt_time from = block->start > covered ? block->start : covered;
            if (counts && (from < start || (from == start && until(block->end, run) > end))) {
                start = from;
                end = until(block->end, run);
            }
        }
        if (start == GRT_TIME_NEVER) {
            return sum;
        }
        sum += end - start;
        covered = end;
    }
}

static bool equal(double a, double b) {
    double difference = a > b ? a - b : b - a, size = a > b ? a : b;
    return difference <= 1e-12 * size;
}

static bool sums_agree(const struct grt_launches *all, const struct grt_built_run *run, uint32_t gpu) {
    const struct grt_gpu_result *result = &run->result->gpus[gpu];
    const struct grt_device *device = &all->scenario->gpus[gpu];
    uint64_t blocks = 0, kernels = 0, copies = 0, dropped_kernels = 0;
    double threads = 0, sm_busy = 0;
    for (uint32_t i = 0; i < all->block_count; i++) {
        const struct grt_seen_block *block = &all->blocks[i];
        const struct grt_launch *launch = &all->launches[block->launch];
        if (launch->gpu == gpu) {
            int64_t size =
                launch->kernel->whole_device ? device->max_threads_per_sm : launch->kernel->needs.threads;
            blocks += block->end != GRT_TIME_NEVER;
            threads += (double)size * (double)(until(block->end, run) - block->start);
        }
    }
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        bool ended = launch->gpu == gpu && launch->end != GRT_TIME_NEVER;
        kernels += ended && launch->kind == GRT_COMMAND_KERNEL;
        copies += ended && launch->kind != GRT_COMMAND_KERNEL;
        dropped_kernels +=
            ended && launch->kind == GRT_COMMAND_KERNEL && launch->blocks_seen < launch->blocks;
    }
    for (uint32_t sm = all->first_sm[gpu]; sm < all->first_sm[gpu + 1]; sm++) {
        sm_busy += (double)union_of(all, run, sm, sm + 1);
    }
    bool good = blocks == result->blocks && copies == result->copies && kernels >= result->kernels &&
                kernels <= result->kernels + dropped_kernels &&
                result->busy == union_of(all, run, all->first_sm[gpu], all->first_sm[gpu + 1]) &&
                equal(result->sm_busy, sm_busy) &&
                equal(result->thread_time, threads / (double)device->max_threads_per_sm);
    if (!good) {
        fprintf(stderr, "the result of GPU %u is not the sum of its records\n", gpu);
    }
    return good;
}

static bool engines_agree(const struct grt_launches *all, const struct grt_built_run *run) {
    grt_time busy[2 * GRT_MAX_GPUS] = {0};
    uint32_t row = 0;
    for (uint32_t i = 0; i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        if (launch->kind != GRT_COMMAND_KERNEL && launch->start != GRT_TIME_NEVER) {
            busy[launch->engine] += until(launch->end, run) - launch->start;
        }
    }
    for (size_t gpu = 0; gpu < run->result->gpu_count; gpu++) {
        for (uint32_t i = 0; i < run->result->gpus[gpu].engine_count; i++, row++) {
            if (run->result->gpus[gpu].engine_busy[i] != busy[row]) {
                fprintf(stderr, "engine %u was busy for another time than its copies\n", row);
                return false;
            }
        }
    }
    return true;
}

bool grt_gpu_checks_pass(const struct grt_launches *all, const struct grt_built_run *run) {
    bool good = time_goes_on(run) && in_order(all) && engines_agree(all, run);
    for (uint32_t i = 0; good && i < all->launch_count; i++) {
        const struct grt_launch *launch = &all->launches[i];
        good = launch_is_whole(all, launch) && grids_allowed(all, launch) && copy_is_alone(all, launch);
    }
    for (uint32_t i = 0; good && i < all->block_count; i++) {
        good = sm_holds(all, &all->blocks[i]);
    }
    for (uint32_t gpu = 0; good && gpu < all->scenario->gpu_count; gpu++) {
        good = sums_agree(all, run, gpu);
    }
    return good;
}
