/* Commands: kernels, copies, memory, and records of blocks. */
#include <string.h>

#include "calib/bench/internal.h"
#include "sim/check.h"

static uint32_t threads_of(const struct grt_bench *bench, const struct grt_bench_launch *launch) {
    return launch->threads ? launch->threads : grt_bench_kind(bench, launch->kernel)->threads;
}

static uint32_t every_of(const struct grt_bench_launch *launch) {
    return launch->record_every ? launch->record_every : 1;
}

static int ask_occupancy(struct grt_bench *bench, enum grt_kernel_id kernel, uint32_t threads,
                         uint32_t shared_bytes) {
    int blocks = 0;
    CALL(bench, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, bench->functions[kernel], (int)threads,
         shared_bytes);
    return blocks;
}

/* Drivers refuse questions about blocks that no SM can have. */
static bool can_ask(const struct grt_bench *bench, enum grt_kernel_id kernel, uint32_t threads,
                    uint32_t shared_bytes) {
    const struct grt_bench_device *device = &bench->device;
    int most = device->shared_memory_per_block_opt_in > 0 ? device->shared_memory_per_block_opt_in
                                                          : device->shared_memory_per_block;
    int64_t all = (int64_t)bench->kernels[kernel].shared_bytes + shared_bytes;
    return (int)threads <= bench->kernels[kernel].max_threads && (most <= 0 || all <= most);
}

int grt_bench_occupancy(struct grt_bench *bench, enum grt_kernel_id kernel, uint32_t threads,
                        uint32_t shared_bytes) {
    struct bench_occupancy *known = bench->occupancies[kernel];
    threads = threads ? threads : grt_bench_kind(bench, kernel)->threads;
    for (size_t i = 0; i < CACHED_OCCUPANCIES; i++) {
        if (known[i].threads == threads && known[i].shared_bytes == shared_bytes) {
            return (int)known[i].blocks;
        }
    }
    if (!can_ask(bench, kernel, threads, shared_bytes)) {
        return 0;
    }
    int blocks = ask_occupancy(bench, kernel, threads, shared_bytes);
    if (bench->lost) {
        return 0;
    }
    memmove(known + 1, known, (CACHED_OCCUPANCIES - 1) * sizeof *known);
    known[0] = (struct bench_occupancy){threads, shared_bytes, (uint32_t)blocks};
    return blocks;
}

static const char *amount_problem(const struct grt_bench *bench, const struct grt_bench_launch *launch) {
    uint64_t floats = UINT64_C(1) << bench->buffer_log2, amount = launch->amount;
    switch (launch->kernel) {
    case GRT_KERNEL_VADD:
    case GRT_KERNEL_REDUCE:
        return amount < 1 || amount > floats ? "a block's floats have to be 1 at least, and fit into a buffer"
                                             : NULL;
    case GRT_KERNEL_TRIAD:
        return amount < 1 || amount > floats / 4
                   ? "a block's groups of four floats have to be 1 at least, and fit into a buffer"
                   : NULL;
    case GRT_KERNEL_MATMUL:
    case GRT_KERNEL_STENCIL:
        return amount < 16 || amount % 16 != 0 || amount > 32768 || amount * amount > floats
                   ? "a square's rows have to be a multiple of 16, and the square to fit into a buffer"
                   : NULL;
    case GRT_KERNEL_TICK:
        return amount > floats / 2 ? "so many values of the timer do not fit into a buffer" : NULL;
    case GRT_KERNEL_SPIN_CYCLES:
    case GRT_KERNEL_FMA:
    case GRT_KERNEL_TEXTURE:
    case GRT_KERNEL_CHASE:
        return amount > UINT32_MAX ? "the amount has to be less than 2^32" : NULL;
    case GRT_KERNEL_SPIN_TABLE:
        return amount + launch->first_block + launch->blocks > bench->table_count
                   ? "the table ends before the last block's time"
                   : NULL;
    default:
        return NULL;
    }
}

/* Records are among `room`. */
static const char *problem(struct grt_bench *bench, const struct grt_bench_launch *launch, uint64_t room) {
    const struct grt_kernel_kind *kind = grt_bench_kind(bench, launch->kernel);
    if (!kind) {
        return "there is no kernel of the user's";
    }
    uint32_t threads = threads_of(bench, launch);
    if (kind->fixed_threads && threads != kind->threads) {
        return "this kernel relies on its number of threads";
    }
    if ((int)threads > bench->kernels[launch->kernel].max_threads) {
        return "a block of this kernel cannot have so many threads";
    }
    if (launch->blocks < 1 || (uint64_t)launch->first_block + launch->blocks > INT32_MAX) {
        return "the number of blocks has to be at least 1 and less than 2^31";
    }
    if (launch->record &&
        launch->record_base + ((uint64_t)launch->first_block + launch->blocks - 1) / every_of(launch) >=
            room) {
        return "there are not so many records";
    }
    if (launch->slot >= SLOTS) {
        return "there are two slots of buffers, 0 and 1";
    }
    const char *why = amount_problem(bench, launch);
    if (!why && !bench->lost &&
        grt_bench_occupancy(bench, launch->kernel, threads, launch->shared_bytes) < 1) {
        why = bench->lost ? NULL : "such a block fits on no SM";
    }
    return why;
}

const char *grt_bench_launch_problem(struct grt_bench *bench, const struct grt_bench_launch *launch) {
    return problem(bench, launch, bench->record_count);
}

/* The next set of counters, which is 0: where all have been used, that is made so in the stream. */
static uint64_t take_counters(struct grt_bench *bench, const struct bench_stream *stream) {
    uint64_t set = bench->counters + (uint64_t)bench->counter_set * COUNTERS * sizeof(uint32_t);
    if (bench->counters_used_up) {
        CALL(bench, cuMemsetD32Async, set, 0, COUNTERS, stream->handle);
    }
    if (++bench->counter_set == COUNTER_SETS) {
        bench->counter_set = 0;
        bench->counters_used_up = true;
    }
    return set;
}

void grt_bench_reset_counters(struct grt_bench *bench) {
    if (bench->counter_set < COUNTER_SETS / 2 && !bench->counters_used_up) {
        return;
    }
    grt_cuda_stream own = bench->streams[OWN_STREAM].handle;
    if (CALL(bench, cuMemsetD32Async, bench->counters, 0, (size_t)COUNTER_SETS * COUNTERS, own)) {
        CALL(bench, cuStreamSynchronize, own);
    }
    bench->counter_set = 0;
    bench->counters_used_up = false;
}

static struct grt_kernel_control control_of(struct grt_bench *bench, const struct bench_stream *stream,
                                            const struct grt_bench_launch *launch) {
    struct grt_kernel_control control = {.first_block = launch->first_block,
                                         .block_count = launch->blocks,
                                         .record_every = every_of(launch),
                                         .mode = GRT_KERNEL_PLAIN,
                                         .sm_high = (uint32_t)bench->device.sm_count,
                                         .buffer_log2 = bench->buffer_log2};
    if (launch->record) {
        control.records = bench->records + (uint64_t)launch->record_base * sizeof(struct grt_block_record);
    }
    if (stream->partition && stream->partition->how == GRT_PARTITION_FILTER) {
        control.mode = GRT_KERNEL_FILTER;
        control.sm_low = stream->partition->sm_low;
        control.sm_high = stream->partition->sm_high;
    }
    if ((launch->record && !launch->unordered) || control.mode == GRT_KERNEL_FILTER) {
        control.counters = take_counters(bench, stream);
    }
    return control;
}

/* Of a filter: enough to fill all SMs twice, so that the right ones become full whoever leaves at once. */
static uint32_t grid_of(struct grt_bench *bench, const struct grt_kernel_control *control,
                        const struct grt_bench_launch *launch) {
    if (control->mode == GRT_KERNEL_PLAIN) {
        return launch->blocks;
    }
    int occupancy =
        grt_bench_occupancy(bench, launch->kernel, threads_of(bench, launch), launch->shared_bytes);
    return 2 * (uint32_t)bench->device.sm_count * (uint32_t)(occupancy > 0 ? occupancy : 1);
}

static void launch_function(struct grt_bench *bench, const struct bench_stream *stream,
                            const struct grt_bench_launch *launch, struct grt_kernel_control control,
                            void **parameters) {
    uint32_t grid = grid_of(bench, &control, launch);
    CALL(bench, cuLaunchKernel, bench->functions[launch->kernel], grid, 1, 1, threads_of(bench, launch), 1, 1,
         launch->shared_bytes, stream->handle, parameters, NULL);
}

void grt_bench_launch_any(struct grt_bench *bench, uint32_t stream_number,
                          const struct grt_bench_launch *launch) {
    if (bench->lost) {
        return;
    }
    const struct bench_stream *stream = &bench->streams[stream_number];
    struct grt_kernel_control control = control_of(bench, stream, launch);
    uint64_t amount = launch->amount;
    uint32_t slot = launch->slot;
    grt_cuda_address first = bench->first[slot], second = bench->second[slot], out = bench->out[slot];
    void *of_amount[] = {&control, &amount}, *of_in_out[] = {&control, &first, &out, &amount};
    void *of_two_in_out[] = {&control, &first, &second, &out, &amount}, *of_out[] = {&control, &out, &amount};
    void *of_texture[] = {&control, &bench->textures[slot], &first, &out, &amount};
    void *of_table[] = {&control, &bench->table_address, &amount};
    void **parameters[] = {
        [GRT_PARAMETERS_AMOUNT] = of_amount,         [GRT_PARAMETERS_IN_OUT] = of_in_out,
        [GRT_PARAMETERS_TWO_IN_OUT] = of_two_in_out, [GRT_PARAMETERS_OUT] = of_out,
        [GRT_PARAMETERS_TEXTURE] = of_texture,       [GRT_PARAMETERS_TABLE] = of_table,
    };
    launch_function(bench, stream, launch, control,
                    parameters[grt_bench_kind(bench, launch->kernel)->parameters]);
}

static void require_stream(const struct grt_bench *bench, uint32_t stream) {
    GRT_REQUIRE(stream < GRT_BENCH_STREAMS && (bench->lost || bench->streams[stream].open),
                "use a stream that grt_bench_stream gave");
}

void grt_bench_launch(struct grt_bench *bench, uint32_t stream, const struct grt_bench_launch *launch) {
    require_stream(bench, stream);
    GRT_REQUIRE(launch->kernel != GRT_KERNEL_LATCH, "hold a stream with grt_bench_hold");
    GRT_REQUIRE(bench->lost || !grt_bench_launch_problem(bench, launch),
                "ask grt_bench_launch_problem before");
    grt_bench_launch_any(bench, stream, launch);
}

/* The latch of a stream in the present generation. */
bool grt_bench_latch(struct grt_bench *bench, uint32_t stream) {
    if (bench->lost) {
        return false;
    }
    uint64_t flags = bench->flags_address + bench->generation % GENERATIONS * sizeof(struct bench_flags);
    uint64_t go = flags + offsetof(struct bench_flags, go);
    uint64_t ready = flags + offsetof(struct bench_flags, ready) + stream * sizeof(uint32_t);
    uint64_t amount = (uint64_t)(HELD_AT_MOST + GRT_SECOND);
    struct grt_kernel_control control = {.records = bench->records + (uint64_t)bench->record_count *
                                                                         sizeof(struct grt_block_record),
                                         .block_count = 1,
                                         .record_every = 1,
                                         .sm_high = (uint32_t)bench->device.sm_count,
                                         .buffer_log2 = bench->buffer_log2};
    void *parameters[] = {&control, &ready, &go, &amount};
    return CALL(bench, cuLaunchKernel, bench->functions[GRT_KERNEL_LATCH], 1, 1, 1, 1, 1, 1, 0,
                bench->streams[stream].handle, parameters, NULL);
}

uint64_t *grt_bench_table(struct grt_bench *bench) {
    return bench->lost ? NULL : bench->table;
}

void grt_bench_copy(struct grt_bench *bench, uint32_t stream, enum grt_bench_direction direction,
                    size_t bytes, bool pageable, uint32_t slot) {
    require_stream(bench, stream);
    GRT_REQUIRE(bytes <= bench->buffer_bytes && slot < SLOTS, "copy grt_bench_buffer_bytes at most");
    grt_cuda_stream handle = bench->streams[stream].handle;
    void *host = pageable ? bench->pageable[slot] : bench->pinned[slot];
    if (direction == GRT_BENCH_H2D) {
        CALL(bench, cuMemcpyHtoDAsync_v2, bench->second[slot], host, bytes, handle);
    } else if (direction == GRT_BENCH_D2H) {
        CALL(bench, cuMemcpyDtoHAsync_v2, host, bench->first[slot], bytes, handle);
    } else {
        CALL(bench, cuMemcpyDtoDAsync_v2, bench->second[slot], bench->first[slot], bytes, handle);
    }
}

void grt_bench_flush_l2(struct grt_bench *bench, uint32_t stream) {
    require_stream(bench, stream);
    CALL(bench, cuMemsetD32Async, bench->flush, 0x3f000000, bench->flush_bytes / 4,
         bench->streams[stream].handle);
}

void grt_bench_clear_records(struct grt_bench *bench, uint32_t from, uint32_t count) {
    GRT_REQUIRE((uint64_t)from + count <= bench->record_count, "there are grt_bench_record_count records");
    size_t size = sizeof(struct grt_block_record);
    grt_cuda_stream own = bench->streams[OWN_STREAM].handle;
    bool running_out = bench->counter_set >= COUNTER_SETS / 2 || bench->counters_used_up;
    if (running_out && bench->held_since == GRT_TIME_NEVER) {
        grt_bench_sync(bench);
    }
    if (count > 0 && CALL(bench, cuMemsetD32Async, bench->records + from * size, 0, count * size / 4, own)) {
        CALL(bench, cuStreamSynchronize, own);
    }
}

const struct grt_block_record *grt_bench_fetch(struct grt_bench *bench, uint32_t from, uint32_t count) {
    size_t size = sizeof(struct grt_block_record);
    grt_cuda_stream own = bench->streams[OWN_STREAM].handle;
    if (count > 0 &&
        CALL(bench, cuMemcpyDtoHAsync_v2, bench->fetched, bench->records + from * size, count * size, own)) {
        CALL(bench, cuStreamSynchronize, own);
    }
    return bench->lost ? NULL : bench->fetched;
}

const struct grt_block_record *grt_bench_records(struct grt_bench *bench, uint32_t from, uint32_t count) {
    GRT_REQUIRE((uint64_t)from + count <= bench->record_count, "there are grt_bench_record_count records");
    return grt_bench_fetch(bench, from, count);
}
