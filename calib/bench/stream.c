/* Streams, events, and the latch that holds streams. */
#include <string.h>

#include "calib/bench/internal.h"
#include "sim/check.h"

static int clamp(int priority, int least, int greatest) {
    return priority > least ? least : priority < greatest ? greatest : priority;
}

static bool open_stream(struct grt_bench *bench, struct bench_stream *stream, int priority) {
    const struct bench_partition *part = stream->partition;
    priority = clamp(priority, bench->device.priority_least, bench->device.priority_greatest);
    if (part && part->how == GRT_PARTITION_GREEN) {
        return CALL(bench, cuGreenCtxStreamCreate, &stream->handle, part->green, GRT_CUDA_STREAM_NON_BLOCKING,
                    priority);
    }
    return CALL(bench, cuStreamCreateWithPriority, &stream->handle, GRT_CUDA_STREAM_NON_BLOCKING, priority);
}

uint32_t grt_bench_stream(struct grt_bench *bench, const struct grt_partition *partition, int priority) {
    GRT_REQUIRE(!partition || bench->lost || partition->number < bench->partition_count,
                "make streams in partitions that are there");
    uint32_t number = 0;
    while (number < GRT_BENCH_STREAMS && bench->streams[number].open) {
        number++;
    }
    GRT_REQUIRE(number < GRT_BENCH_STREAMS, "end streams that are not needed any more");
    struct bench_stream *stream = &bench->streams[number];
    *stream = (struct bench_stream){.partition = partition ? &bench->partitions[partition->number] : NULL};
    stream->open = open_stream(bench, stream, priority);
    if (!stream->open) {
        stream->partition = NULL;
    }
    return number;
}

bool grt_bench_stream_try(struct grt_bench *bench, const struct grt_partition *partition, int priority,
                          uint32_t *stream) {
    bench->tries = true;
    bench->tried = GRT_CUDA_SUCCESS;
    *stream = grt_bench_stream(bench, partition, priority);
    bench->tries = false;
    return !bench->lost && bench->tried == GRT_CUDA_SUCCESS;
}

void grt_bench_stream_end(struct grt_bench *bench, uint32_t number) {
    struct bench_stream *stream = &bench->streams[number];
    if (number >= GRT_BENCH_STREAMS || !stream->open) {
        return;
    }
    CALL(bench, cuStreamSynchronize, stream->handle);
    CALL(bench, cuStreamDestroy_v2, stream->handle);
    *stream = (struct bench_stream){.open = false};
}

static grt_cuda_stream handle_of(const struct grt_bench *bench, uint32_t stream) {
    GRT_REQUIRE(stream < GRT_BENCH_STREAMS && (bench->lost || bench->streams[stream].open),
                "use a stream that grt_bench_stream gave");
    return bench->streams[stream].handle;
}

static grt_cuda_event event_of(const struct grt_bench *bench, uint32_t event) {
    GRT_REQUIRE(event < GRT_BENCH_EVENTS, "events are numbered below GRT_BENCH_EVENTS");
    return bench->events[event];
}

void grt_bench_record(struct grt_bench *bench, uint32_t stream, uint32_t event) {
    CALL(bench, cuEventRecord, event_of(bench, event), handle_of(bench, stream));
}

void grt_bench_wait(struct grt_bench *bench, uint32_t stream, uint32_t event) {
    CALL(bench, cuStreamWaitEvent, handle_of(bench, stream), event_of(bench, event), 0);
}

bool grt_bench_event_is_done(struct grt_bench *bench, uint32_t event) {
    if (bench->lost) {
        return true;
    }
    grt_cuda_result result = bench->cuda->cuEventQuery(event_of(bench, event));
    return result != GRT_CUDA_NOT_READY && (grt_bench_check(bench, result, "cuEventQuery") || bench->lost);
}

double grt_bench_elapsed_ns(struct grt_bench *bench, uint32_t from, uint32_t to) {
    float milliseconds = 0;
    CALL(bench, cuEventElapsedTime, &milliseconds, event_of(bench, from), event_of(bench, to));
    return (double)milliseconds * 1e6;
}

void grt_bench_sync_stream(struct grt_bench *bench, uint32_t stream) {
    CALL(bench, cuStreamSynchronize, handle_of(bench, stream));
}

void grt_bench_sync(struct grt_bench *bench) {
    if (CALL(bench, cuCtxSynchronize, )) {
        grt_bench_reset_counters(bench);
    }
}

/* --- The latch. */

/* Asks a real driver how a stream is: some hand over commands no sooner than that, and it says if the device is lost. */
static void query(struct grt_bench *bench, uint32_t stream) {
    grt_cuda_result result = bench->cuda->cuStreamQuery(bench->streams[stream].handle);
    if (result != GRT_CUDA_NOT_READY) {
        grt_bench_check(bench, result, "cuStreamQuery");
    }
}

bool grt_bench_await(struct grt_bench *bench, uint32_t stream, const uint32_t *word, uint32_t value,
                     grt_time span, const char *why) {
    const struct grt_host_clock *clock = &bench->driver->clock;
    grt_time deadline = grt_bench_now(bench) + span;
    for (uint32_t polls = 1; !bench->lost && __atomic_load_n(word, __ATOMIC_ACQUIRE) < value; polls++) {
        if (grt_bench_now(bench) >= deadline) {
            grt_bench_lose(bench, why);
        } else if (polls % POLLS_PER_QUERY == 0 && !bench->pretends) {
            query(bench, stream);
        } else {
            clock->idle(clock->state, deadline);
        }
    }
    return !bench->lost;
}

static struct bench_flags *present(struct grt_bench *bench) {
    return &bench->flags[bench->generation % GENERATIONS];
}

/* A new generation takes the flags of one long gone; the latter's latches have ended, or do so now. */
static void begin_generation(struct grt_bench *bench) {
    struct bench_flags *flags = present(bench);
    for (uint32_t i = 0; i < LATCHES; i++) {
        if (flags->ready[i] > 0) {
            grt_bench_await(bench, OWN_STREAM, &flags->ready[i], 2, GRT_SECOND, "a latch does not end");
        }
    }
    memset(flags->ready, 0, sizeof flags->ready);
    __atomic_store_n(&flags->go, 0, __ATOMIC_SEQ_CST);
    bench->held_since = grt_bench_now(bench);
}

void grt_bench_hold(struct grt_bench *bench, uint32_t stream) {
    GRT_REQUIRE(stream <= OWN_STREAM && (bench->lost || bench->streams[stream].open),
                "hold a stream that grt_bench_stream gave");
    if (bench->lost || bench->streams[stream].held) {
        return;
    }
    if (bench->held_since == GRT_TIME_NEVER) {
        begin_generation(bench);
    }
    bench->streams[stream].held = true;
    if (grt_bench_latch(bench, stream)) {
        grt_bench_await(bench, stream, &present(bench)->ready[stream], 1, HELD_AT_MOST,
                        "a latch does not begin: what is before it in its stream does not end, or no SM is "
                        "free for it");
    }
}

void grt_bench_release(struct grt_bench *bench) {
    if (bench->held_since == GRT_TIME_NEVER) {
        return;
    }
    grt_time held = grt_bench_now(bench) - bench->held_since;
    __atomic_store_n(&present(bench)->go, 1, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i <= OWN_STREAM; i++) {
        bench->streams[i].held = false;
    }
    bench->held_since = GRT_TIME_NEVER;
    bench->generation++;
    if (held > HELD_AT_MOST) {
        grt_bench_lose(bench, "streams were held for more than ten seconds, and went on by themselves");
    }
}
