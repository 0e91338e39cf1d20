/* Which blocks are on an SM together. A block of the scenario may need many registers, which a spinning one does not have, and cannot be given: what a kernel needs is
 * the compiler's choice. So spinning blocks get more shared memory or more threads instead. That is the same for a kernel alone, but need not be beside other kernels, so
 * that several ways are tried, and all mixes of blocks compared that an SM may be asked to hold: by the charges of the scenario's device (models/occupancy.h). */
#include <stdio.h>
#include <stdlib.h>

#include "calib/replay/internal.h"
#include "calib/replay/mixes.h"
#include "sim/check.h"
#include "sim/divisor.h"

/* How spinning blocks make up for registers. */
enum way {
    AS_THEY_ARE, /* not at all: the registers never matter */
    BY_LEAST, /* shared memory: the least part of the SM's with which sets of blocks fit as by their registers alone; what is left is for those that need none */
    BY_SHARE, /* shared memory: as large a part of the SM's as the registers are of its registers */
    BY_THREADS,   /* threads: the same */
    BY_OCCUPANCY, /* the least shared memory with which no more of them fit than of the kernel */
    WAYS
};

/* Kernels of a stream whose blocks charge the same: one of them stands for all. */
struct alike {
    const struct resident *resident; /* the first of them */
    int64_t blocks;                  /* the most of one */
    struct charge wanted;            /* of a block */
};

struct suiting {
    struct replay_run *run;
    struct alike *alike; /* by stream */
    uint32_t alike_count;
    struct mix_kind *kinds; /* of these */
    /* the most that divides the registers of every block: the next sum above all that an SM has does not fit */
    int64_t step;
};

/* --- ways */

static const struct grt_device *device_of(const struct replay_run *run) {
    return &run->options->scenario->gpus[0];
}

/* Dynamic shared memory that a spinning block can have. */
static uint32_t most_shared(const struct replay_run *run, const struct imitation *imitation) {
    const struct grt_bench_device *device = grt_bench_device(run->bench);
    int most = device->shared_memory_per_block_opt_in > 0 ? device->shared_memory_per_block_opt_in
                                                          : device->shared_memory_per_block;
    int own = grt_bench_kernel(run->bench, imitation->id)->shared_bytes;
    return most > own ? (uint32_t)(most - own) : 0;
}

static int occupancy(struct replay_run *run, const struct imitation *imitation) {
    return grt_bench_occupancy(run->bench, imitation->id, imitation->threads, imitation->shared_bytes);
}

/* The least dynamic shared memory with which no more than `wanted` blocks fit on an SM. */
static void pad(struct replay_run *run, struct imitation *imitation, int wanted) {
    uint32_t low = imitation->shared_bytes, high = most_shared(run, imitation);
    while (low < high) {
        struct imitation middle = *imitation;
        middle.shared_bytes = low + (high - low) / 2;
        if (occupancy(run, &middle) > wanted) {
            low = middle.shared_bytes + 1;
        } else {
            high = middle.shared_bytes;
        }
    }
    imitation->shared_bytes = low;
}

static int blocks_of(const struct replay_run *run, const struct grt_kernel *kernel) {
    return kernel->whole_device ? 1 : (int)grt_occupancy_of(device_of(run), &kernel->needs).blocks_per_sm;
}

static int64_t part_of(int64_t whole, int64_t part, int64_t of) {
    return (whole * part + of - 1) / of;
}

static int64_t registers_of(const struct replay_run *run, const struct resident *resident) {
    return resident->kernel->whole_device
               ? 0
               : grt_occupancy_of(device_of(run), &resident->kernel->needs).registers;
}

/* What a block charges of an SM's shared memory for its registers. */
static int64_t shared_for(const struct suiting *it, int64_t registers, enum way way) {
    const struct grt_device *device = device_of(it->run);
    if (way == BY_SHARE || registers == 0) {
        return part_of(device->shared_memory_per_sm, registers, device->registers_per_sm);
    }
    GRT_ASSERT(it->step > 0, "registers are asked for in steps");
    int64_t beyond = (device->registers_per_sm / it->step + 1) * it->step;
    return part_of(device->shared_memory_per_sm, registers, beyond) + device->shared_memory_unit;
}

static struct imitation suit(const struct suiting *it, const struct resident *resident, enum way way) {
    struct replay_run *run = it->run;
    const struct grt_device *device = device_of(run);
    struct imitation suited = *resident->imitation;
    int64_t registers = registers_of(run, resident);
    int64_t own = grt_bench_kernel(run->bench, suited.id)->shared_bytes + device->shared_memory_reserved;
    int64_t shared = shared_for(it, registers, way) - own;
    int64_t warps =
        part_of(device->max_threads_per_sm / device->warp_size, registers, device->registers_per_sm);
    int64_t threads = warps * device->warp_size;
    if ((way == BY_LEAST || way == BY_SHARE) && shared > suited.shared_bytes) {
        uint32_t most = most_shared(run, &suited);
        suited.shared_bytes = shared < most ? (uint32_t)shared : most;
    } else if (way == BY_THREADS && threads > suited.threads) {
        int64_t most = grt_bench_device(run->bench)->max_threads_per_block;
        suited.threads = (uint32_t)(threads < most ? threads : most);
    } else if (way == BY_OCCUPANCY && occupancy(run, &suited) > blocks_of(run, resident->kernel)) {
        pad(run, &suited, blocks_of(run, resident->kernel));
    }
    return suited;
}

/* --- the choice */

static struct mix_difference compare(const struct suiting *it, enum way way) {
    struct replay_run *run = it->run;
    for (uint32_t i = 0; i < it->alike_count; i++) {
        const struct alike *alike = &it->alike[i];
        struct imitation suited = suit(it, alike->resident, way);
        const struct grt_bench_kernel *kernel = grt_bench_kernel(run->bench, suited.id);
        struct grt_block_needs needs = {.threads = suited.threads,
                                        .registers_per_thread = kernel->registers,
                                        .shared_memory = (int64_t)suited.shared_bytes + kernel->shared_bytes,
                                        .shared_memory_opt_in = true};
        it->kinds[i] = (struct mix_kind){alike->resident->kernel->name, alike->resident->stream,
                                         alike->blocks, alike->wanted, charge_of(device_of(run), &needs)};
    }
    return mixes_compare(device_of(run), it->kinds, it->alike_count);
}

static bool is_exact(const struct mix_difference *difference) {
    return difference->alone + difference->together + difference->orders == 0;
}

static bool is_better(const struct mix_difference *a, const struct mix_difference *b) {
    if (a->alone != b->alone) {
        return a->alone < b->alone;
    }
    return a->together != b->together ? a->together < b->together : a->orders < b->orders;
}

/* The first of the best ways: none is better than one that is exact. */
static enum way choose(const struct suiting *it, struct mix_difference *chosen) {
    enum way best = AS_THEY_ARE;
    *chosen = compare(it, best);
    for (enum way way = BY_LEAST; way < WAYS && !is_exact(chosen); way++) {
        struct mix_difference difference = compare(it, way);
        if (is_better(&difference, chosen)) {
            *chosen = difference;
            best = way;
        }
    }
    return best;
}

static void note_suited(struct replay_run *run, const struct resident *resident,
                        const struct imitation *before, int wanted) {
    const struct imitation *after = resident->imitation;
    int had = occupancy(run, after);
    bool threads = after->threads != before->threads;
    if (!resident->kernel->whole_device && (threads || after->shared_bytes != before->shared_bytes)) {
        char instead[64];
        snprintf(instead, sizeof instead, threads ? "%u threads" : "%u bytes of shared memory",
                 threads ? after->threads : after->shared_bytes);
        replay_note(
            run->out,
            "kernel \"%s\": spinning blocks do not need its registers, and have %s instead; %d fit on "
            "an SM%s",
            resident->kernel->name, instead, had, had == wanted ? ", as in the scenario" : "");
    }
    if (had > 0 && had != wanted) {
        replay_note(run->out, "kernel \"%s\": %d blocks fit on an SM of the device, and %d in the scenario",
                    resident->kernel->name, had, wanted);
    }
}

/* What the driver says counts: the device may be another than the scenario's. Returns whether the way serves there as it is. */
static bool apply(const struct suiting *it, const struct resident *resident, enum way way) {
    struct replay_run *run = it->run;
    struct imitation before = *resident->imitation;
    int wanted = blocks_of(run, resident->kernel);
    *resident->imitation = suit(it, resident, resident->kernel->whole_device ? BY_OCCUPANCY : way);
    int had = occupancy(run, resident->imitation);
    if (had < wanted) {
        *resident->imitation = before;
    }
    if (occupancy(run, resident->imitation) > wanted) {
        pad(run, resident->imitation, wanted);
    }
    note_suited(run, resident, &before, wanted);
    return had == wanted;
}

/* --- kernels that are alike */

static int order_of(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}

/* By stream, and by all that charges depend on. */
static int by_charge(const struct alike *left, const struct alike *right) {
    const struct resident *a = left->resident, *b = right->resident;
    const struct grt_block_needs *needs = &a->kernel->needs, *others = &b->kernel->needs;
    const int orders[] = {
        order_of(a->stream, b->stream),
        order_of(needs->threads, others->threads),
        order_of(needs->registers_per_thread, others->registers_per_thread),
        order_of(needs->shared_memory, others->shared_memory),
        order_of(needs->shared_memory_opt_in, others->shared_memory_opt_in),
        order_of(a->imitation->id, b->imitation->id),
    };
    size_t i = 0;
    while (i + 1 < sizeof orders / sizeof orders[0] && orders[i] == 0) {
        i++;
    }
    return orders[i];
}

/* The first one of the scenario first. */
static int compare_alike(const void *left, const void *right) {
    const struct alike *a = left, *b = right;
    int order = by_charge(a, b);
    return order != 0 ? order : (a->resident > b->resident) - (a->resident < b->resident);
}

static void merge_alike(struct suiting *it) {
    uint32_t all = it->alike_count;
    it->alike_count = 0;
    for (uint32_t i = 0; i < all; i++) {
        struct alike *last = it->alike_count > 0 ? &it->alike[it->alike_count - 1] : NULL;
        if (last == NULL || by_charge(last, &it->alike[i]) != 0) {
            it->alike[it->alike_count++] = it->alike[i];
        } else if (last->blocks < it->alike[i].blocks) {
            last->blocks = it->alike[i].blocks;
        }
    }
}

static void find_alike(struct suiting *it) {
    struct replay_run *run = it->run;
    uint64_t step = 0;
    it->alike = grt_arena_array(&run->arena, run->resident_count, sizeof *it->alike);
    it->kinds = grt_arena_array(&run->arena, run->resident_count, sizeof *it->kinds);
    for (uint32_t i = 0; i < run->resident_count; i++) {
        const struct resident *resident = &run->residents[i];
        if (!resident->kernel->whole_device) {
            it->alike[it->alike_count++] =
                (struct alike){.resident = resident,
                               .blocks = resident->kernel->blocks,
                               .wanted = charge_of(device_of(run), &resident->kernel->needs)};
            step = grt_common_divisor(step, (uint64_t)registers_of(run, resident));
        }
    }
    it->step = (int64_t)step;
    qsort(it->alike, it->alike_count, sizeof *it->alike, compare_alike);
    merge_alike(it);
}

static void note_mixes(struct replay_run *run, const struct mix_difference *difference) {
    if (difference->together > 0) {
        replay_note(run->out,
                    "which blocks fit on an SM together is not always as in the scenario, since spinning "
                    "blocks do not have its registers: %s there",
                    difference->example);
    } else if (difference->orders > 0) {
        replay_note(run->out,
                    "blocks may be on other SMs than in the scenario, since spinning blocks do not have its "
                    "registers, and an SM has not as much room left as there");
    }
    if (!difference->all) {
        replay_note(run->out, "not all mixes of blocks that an SM could hold were compared with those of "
                              "spinning blocks: there are too many");
    }
}

void replay_suit_residency(struct replay_run *run) {
    struct suiting it = {.run = run};
    if (run->resident_count == 0) {
        return;
    }
    find_alike(&it);
    struct mix_difference difference;
    enum way way = choose(&it, &difference);
    bool serves = true;
    for (uint32_t i = 0; i < run->resident_count; i++) {
        serves &= apply(&it, &run->residents[i], way);
    }
    note_mixes(run, &difference);
    bool several =
        it.alike_count > 1 && it.alike[0].resident->stream != it.alike[it.alike_count - 1].resident->stream;
    if (!serves && several) {
        replay_note(run->out,
                    "which blocks fit on an SM together may not be as in the scenario: what stands for "
                    "registers on its device is not as good on this one");
    }
}
