/* Partitions of the SMs. Green contexts come out of one split, since two splits may overlap: into groups as large as the hardware likes where all sizes are multiples of
 * those, else into the smallest there are, which are glued together. Each partition is checked by blocks that tell where they are. */
#include <stdlib.h>
#include <string.h>

#include "calib/bench/internal.h"
#include "sim/check.h"
#include "sim/memory.h"

/* Where blocks come late, others take all of the work before: each try to find them all has longer blocks. */
enum { PROBE_NS = 50000, PROBE_THREADS = 1024 /* at most */, PROBE_TRIES = 7, PROBE_GROWTH = 4 };

/* What the hardware likes where the driver does not say (before 13.0): CUDA Driver API, green contexts. */
static unsigned liked_size(const struct grt_bench *bench, const struct grt_cuda_resource *all) {
    if (all->sm.coscheduled_alignment > 0 && all->sm.coscheduled_alignment <= all->sm.sm_count) {
        return all->sm.coscheduled_alignment > all->sm.min_partition_size ? all->sm.coscheduled_alignment
                                                                          : all->sm.min_partition_size;
    }
    return bench->device.compute_capability >= 90 ? 8 : bench->device.compute_capability >= 80 ? 4 : 2;
}

/* A split of all SMs into groups of this size. */
struct split {
    struct grt_cuda_resource *groups;
    unsigned count, size; /* size: SMs of a group, as it came to be */
    unsigned flags;
};

static bool divide(struct grt_bench *bench, const struct grt_cuda_resource *all, unsigned size,
                   unsigned flags, struct split *split) {
    struct grt_cuda_resource rest = {0};
    split->count = all->sm.sm_count / size;
    split->flags = flags;
    split->size = 0;
    if (split->count == 0 ||
        bench->cuda->cuDevSmResourceSplitByCount(split->groups, &split->count, all, &rest, flags, size) !=
            GRT_CUDA_SUCCESS ||
        split->count == 0) {
        return false;
    }
    split->size = split->groups[0].sm.sm_count;
    return split->size > 0;
}

/* Whether the groups are enough for the partitions, without more SMs than were asked for if `exactly`. */
static bool suffices(const struct split *split, const uint32_t *sms, size_t count, bool exactly) {
    uint64_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        if (exactly && sms[i] % split->size != 0) {
            return false;
        }
        groups += (sms[i] + split->size - 1) / split->size;
    }
    return groups <= split->count;
}

static bool choose_split(struct grt_bench *bench, const uint32_t *sms, size_t count, struct split *split) {
    struct grt_cuda_resource all = {0}; /* old drivers fill in sm_count only */
    if (bench->cuda->cuDeviceGetDevResource(bench->number, &all, GRT_CUDA_RESOURCE_SM) != GRT_CUDA_SUCCESS) {
        return false;
    }
    if (divide(bench, &all, liked_size(bench, &all), 0, split) && suffices(split, sms, count, true)) {
        return true;
    }
    return divide(bench, &all, (unsigned)bench->device.partition_least, GRT_CUDA_SPLIT_IGNORE_COSCHEDULING,
                  split) &&
           suffices(split, sms, count, false);
}

static bool create_green(struct grt_bench *bench, struct bench_partition *part,
                         struct grt_cuda_resource *groups, unsigned count) {
    const struct grt_cuda *cuda = bench->cuda;
    grt_cuda_description description;
    struct grt_cuda_resource got = {0};
    if (cuda->cuDevResourceGenerateDesc(&description, groups, count) != GRT_CUDA_SUCCESS ||
        cuda->cuGreenCtxCreate(&part->green, description, bench->number, GRT_CUDA_GREEN_DEFAULT_STREAM) !=
            GRT_CUDA_SUCCESS) {
        part->green = NULL;
        return false;
    }
    bench->partition_count++;
    if (cuda->cuGreenCtxGetDevResource(part->green, &got, GRT_CUDA_RESOURCE_SM) != GRT_CUDA_SUCCESS) {
        return false;
    }
    part->sm_count = got.sm.sm_count;
    return true;
}

static const char *make_green(struct grt_bench *bench, const uint32_t *sms, size_t count, bool *glued) {
    if (bench->device.partition_least == 0) {
        return "the driver makes no green contexts of this device (CUDA 12.4 is needed)";
    }
    struct split split = {.groups = grt_allocate((size_t)bench->device.sm_count * sizeof *split.groups)};
    const char *why = NULL;
    unsigned at = 0;
    if (!choose_split(bench, sms, count, &split)) {
        why = "the device has too few SMs for these partitions";
    }
    for (size_t i = 0; i < count && !why; i++) {
        struct bench_partition *part = &bench->partitions[i];
        unsigned groups = (sms[i] + split.size - 1) / split.size;
        *part = (struct bench_partition){.how = GRT_PARTITION_GREEN};
        if (!create_green(bench, part, split.groups + at, groups)) {
            why = "the driver refused a green context (under MPS there are none)";
        }
        at += groups;
    }
    *glued = split.flags != 0;
    free(split.groups);
    return why;
}

/* Parts of the numbers of SMs, one after the other; or all of them for each. */
static const char *make_ranges(struct grt_bench *bench, enum grt_partition_how how, const uint32_t *sms,
                               size_t count) {
    uint32_t all = (uint32_t)bench->device.sm_count, low = 0;
    for (size_t i = 0; i < count; i++) {
        bool whole = how == GRT_PARTITION_NONE;
        if (!whole && sms[i] > all - low) {
            return "the device has too few SMs for these partitions";
        }
        uint32_t first = whole ? 0 : low, end = whole ? all : low + sms[i];
        bench->partitions[i] =
            (struct bench_partition){.how = how, .sm_low = first, .sm_high = end, .sm_count = end - first};
        bench->partition_count++;
        low = end;
    }
    return NULL;
}

static int compare_sms(const void *left, const void *right) {
    return (int)*(const uint16_t *)left - (int)*(const uint16_t *)right;
}

/* The SMs on which blocks were, each once and in ascending order; their number. */
static uint32_t collect(const struct grt_block_record *records, uint32_t count, uint16_t *sms) {
    uint32_t different = 0;
    for (uint32_t i = 0; i < count; i++) {
        sms[i] = records[i].sm;
    }
    qsort(sms, count, sizeof *sms, compare_sms);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || sms[i] != sms[different - 1]) {
            sms[different++] = sms[i];
        }
    }
    return different;
}

/* Has blocks spin, enough to fill the device, and notes where they were. */
static const char *probe_once(struct grt_bench *bench, struct bench_partition *part, uint32_t stream,
                              uint64_t spin_ns, uint32_t *found) {
    uint32_t threads = (uint32_t)bench->kernels[GRT_KERNEL_SPIN_NS].max_threads;
    threads = threads < PROBE_THREADS ? threads : PROBE_THREADS;
    uint32_t per_sm = (uint32_t)grt_bench_occupancy(bench, GRT_KERNEL_SPIN_NS, threads, 0);
    uint32_t blocks = (uint32_t)bench->device.sm_count * (per_sm > 0 ? per_sm : 1);
    blocks = blocks < OWN_RECORDS ? blocks : OWN_RECORDS;
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_SPIN_NS,
                                      .amount = spin_ns,
                                      .blocks = blocks,
                                      .threads = threads,
                                      .record = true,
                                      .record_base = bench->record_count};
    bench->tries = true; /* drivers may refuse kernels of the primary context there */
    bench->tried = GRT_CUDA_SUCCESS;
    grt_bench_launch_any(bench, stream, &launch);
    bench->tries = false;
    if (bench->tried) {
        return "the driver refuses kernels in such a partition";
    }
    grt_bench_sync_stream(bench, stream);
    const struct grt_block_record *records = grt_bench_fetch(bench, bench->record_count, blocks);
    if (!records) {
        return "the device was lost";
    }
    free(part->sms);
    part->sms = grt_allocate(blocks * sizeof *part->sms);
    *found = collect(records, blocks, part->sms);
    return NULL;
}

static const char *probe(struct grt_bench *bench, struct bench_partition *part, uint32_t number) {
    struct grt_partition handle = {.number = number};
    uint32_t stream, found = 0;
    uint64_t spin_ns = PROBE_NS;
    if (!grt_bench_stream_try(bench, &handle, 0, &stream)) {
        return bench->lost ? "the device was lost" : "the driver refuses streams in such a partition";
    }
    const char *why = NULL;
    for (int i = 0; i < PROBE_TRIES && !why && found < part->sm_count; i++) {
        why = probe_once(bench, part, stream, spin_ns, &found);
        spin_ns *= PROBE_GROWTH;
    }
    if (!why && found != part->sm_count) {
        why = "blocks were on other SMs than the partition should have";
    }
    if (!bench->lost) {
        grt_bench_stream_end(bench, stream);
    }
    return why;
}

static bool is_in(const struct bench_partition *part, uint16_t sm) {
    return bsearch(&sm, part->sms, part->sm_count, sizeof sm, compare_sms) != NULL;
}

static bool overlap(const struct bench_partition *left, const struct bench_partition *right) {
    for (uint32_t i = 0; i < left->sm_count; i++) {
        if (is_in(right, left->sms[i])) {
            return true;
        }
    }
    return false;
}

static const char *check(struct grt_bench *bench) {
    const char *why = NULL;
    for (uint32_t i = 0; i < bench->partition_count && !why; i++) {
        struct bench_partition *part = &bench->partitions[i];
        why = probe(bench, part, i);
        for (uint32_t j = 0; j < i && !why && part->how != GRT_PARTITION_NONE; j++) {
            if (overlap(part, &bench->partitions[j])) {
                why = "two partitions have an SM in common";
            }
        }
    }
    return why;
}

bool grt_bench_partition(struct grt_bench *bench, enum grt_partition_how how, const uint32_t *sms,
                         size_t count, struct grt_partition *partitions, const char **why) {
    GRT_REQUIRE(bench->partition_count == 0, "end the partitions that are there first");
    GRT_REQUIRE(count >= 1 && count <= PARTITIONS, "ask for 1 to 16 partitions");
    bool glued = false;
    *why = bench->lost ? "the device was lost" : NULL;
    for (size_t i = 0; i < count && !*why; i++) {
        if (sms[i] == 0 && how != GRT_PARTITION_NONE) {
            *why = "a partition has 1 SM at least";
        }
    }
    if (!*why) {
        *why = how == GRT_PARTITION_GREEN ? make_green(bench, sms, count, &glued)
                                          : make_ranges(bench, how, sms, count);
    }
    if (!*why) {
        *why = check(bench);
    }
    if (*why) {
        grt_bench_unpartition(bench);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        partitions[i] = (struct grt_partition){.how = how,
                                               .sm_count = bench->partitions[i].sm_count,
                                               .sms = bench->partitions[i].sms,
                                               .glued = glued,
                                               .number = i};
    }
    return true;
}

void grt_bench_unpartition(struct grt_bench *bench) {
    for (uint32_t i = 0; i < GRT_BENCH_STREAMS; i++) {
        if (bench->streams[i].partition) {
            grt_bench_stream_end(bench, i);
        }
    }
    for (uint32_t i = 0; i < bench->partition_count; i++) {
        struct bench_partition *part = &bench->partitions[i];
        if (part->green) {
            bench->cuda->cuGreenCtxDestroy(part->green);
        }
        free(part->sms);
        *part = (struct bench_partition){.how = GRT_PARTITION_NONE};
    }
    bench->partition_count = 0;
}
