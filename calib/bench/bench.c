#include <stdlib.h>
#include <string.h>

#include "calib/bench/internal.h"
#include "sim/memory.h"

bool grt_bench_check(struct grt_bench *bench, grt_cuda_result result, const char *what) {
    if (result == GRT_CUDA_SUCCESS || bench->lost) {
        return !bench->lost;
    }
    if (bench->tries && result != GRT_CUDA_DEVICE_LOST) {
        bench->tried = bench->tried ? bench->tried : result;
        return false;
    }
    grt_driver_error(bench->driver, result, what, bench->errors);
    bench->lost = true;
    return false;
}

void grt_bench_lose(struct grt_bench *bench, const char *why) {
    if (!bench->lost) {
        grt_error_add(bench->errors, NULL, "%s", why);
    }
    bench->lost = true;
}

static bool open_device(struct grt_bench *bench, const struct grt_bench_options *options) {
    int count = 0;
    if (!CALL(bench, cuDeviceGetCount, &count)) {
        return false;
    }
    if (options->device < 0 || options->device >= count) {
        grt_error_add(bench->errors, NULL, "there is no device %d: the driver has %d, from 0",
                      options->device, count);
        bench->lost = true;
        return false;
    }
    return CALL(bench, cuDeviceGet, &bench->number, options->device) &&
           CALL(bench, cuDevicePrimaryCtxSetFlags_v2, bench->number, GRT_CUDA_CONTEXT_SCHED_SPIN) &&
           CALL(bench, cuDevicePrimaryCtxRetain, &bench->context, bench->number) &&
           CALL(bench, cuCtxSetCurrent, bench->context);
}

static bool open_streams(struct grt_bench *bench, size_t order_events) {
    struct bench_stream *own = &bench->streams[OWN_STREAM];
    own->open = CALL(bench, cuStreamCreateWithPriority, &own->handle, GRT_CUDA_STREAM_NON_BLOCKING, 0);
    for (size_t i = 0; i <= OWN_EVENT; i++) {
        CALL(bench, cuEventCreate, &bench->events[i],
             i < order_events ? GRT_CUDA_EVENT_DISABLE_TIMING : GRT_CUDA_EVENT_DEFAULT);
    }
    return !bench->lost;
}

struct grt_bench *grt_bench_open(const struct grt_bench_options *options, struct grt_errors *errors) {
    struct grt_bench *bench = grt_allocate(sizeof *bench);
    *bench = (struct grt_bench){.driver = options->driver,
                                .cuda = &options->driver->cuda,
                                .errors = errors,
                                .pretends = strcmp(options->driver->name, "cuda") != 0,
                                .simulated = strcmp(options->driver->name, "sim") == 0,
                                .held_since = GRT_TIME_NEVER};
    if (open_device(bench, options) && grt_bench_ask_device(bench) &&
        open_streams(bench, options->order_events) && grt_bench_allocate(bench, options) &&
        grt_bench_load(bench, options)) {
        return bench;
    }
    grt_bench_close(bench);
    return NULL;
}

/* Closing goes on whatever the driver says; a lost device answers errors to everything. */
void grt_bench_close(struct grt_bench *bench) {
    if (bench == NULL) {
        return;
    }
    const struct grt_cuda *cuda = bench->cuda;
    if (!bench->lost && bench->held_since != GRT_TIME_NEVER) {
        grt_bench_release(bench);
    }
    if (bench->context) {
        cuda->cuCtxSynchronize();
    }
    grt_bench_unpartition(bench);
    for (uint32_t i = 0; i <= OWN_STREAM; i++) {
        if (bench->streams[i].open) {
            cuda->cuStreamDestroy_v2(bench->streams[i].handle);
        }
    }
    for (size_t i = 0; i <= OWN_EVENT; i++) {
        if (bench->events[i]) {
            cuda->cuEventDestroy_v2(bench->events[i]);
        }
    }
    grt_bench_free(bench);
    if (bench->user_module) {
        cuda->cuModuleUnload(bench->user_module);
    }
    if (bench->module) {
        cuda->cuModuleUnload(bench->module);
    }
    if (bench->context) {
        cuda->cuDevicePrimaryCtxRelease_v2(bench->number);
    }
    free(bench);
}

const struct grt_bench_device *grt_bench_device(const struct grt_bench *bench) {
    return &bench->device;
}

const struct grt_bench_kernel *grt_bench_kernel(const struct grt_bench *bench, enum grt_kernel_id kernel) {
    return &bench->kernels[kernel];
}

const struct grt_kernel_kind *grt_bench_kind(const struct grt_bench *bench, enum grt_kernel_id kernel) {
    if (kernel < GRT_KERNEL_IDS) {
        return &grt_kernel_kinds[kernel];
    }
    return bench->user_kind.name ? &bench->user_kind : NULL;
}

const char *grt_bench_made_by(const struct grt_bench *bench, enum grt_kernel_id kernel) {
    return kernel == GRT_KERNEL_USER ? bench->user_made_by : "";
}

struct grt_driver *grt_bench_driver(const struct grt_bench *bench) {
    return bench->driver;
}

size_t grt_bench_buffer_bytes(const struct grt_bench *bench) {
    return bench->buffer_bytes;
}

uint32_t grt_bench_record_count(const struct grt_bench *bench) {
    return bench->record_count;
}

bool grt_bench_is_simulated(const struct grt_bench *bench) {
    return bench->simulated;
}

bool grt_bench_is_lost(const struct grt_bench *bench) {
    return bench->lost;
}

grt_time grt_bench_now(const struct grt_bench *bench) {
    return bench->driver->clock.now(bench->driver->clock.state);
}
