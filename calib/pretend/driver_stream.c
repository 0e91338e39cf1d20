/* Streams and events of a pretended driver. */
#include <stdlib.h>

#include "calib/pretend/driver_internal.h"
#include "sim/memory.h"

#define OTHER GRT_ENGINE_CALL_OTHER

/* ---- streams ---- */

/* Streams that were destroyed end in the engine when what is in them has been executed. */
static void sweep(struct pretend *pretend) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pretend->leaving_count; i++) {
        uint32_t number = pretend->leaving[i];
        if (pretend->ops->stream_done(pretend->engine, number)) {
            pretend->ops->stream_end(pretend->engine, number);
        } else {
            pretend->leaving[kept++] = number;
        }
    }
    pretend->leaving_count = kept;
}

void pretend_stream_leave(struct pretend *pretend, uint32_t number) {
    pretend->leaving = grt_array_grow(pretend->leaving, &pretend->leaving_capacity,
                                      pretend->leaving_count + 1, sizeof *pretend->leaving);
    pretend->leaving[pretend->leaving_count++] = number;
    sweep(pretend);
}

grt_cuda_result pretend_stream_make(struct pretend *pretend, int priority, const uint64_t *sms,
                                    const void *green, grt_cuda_stream *stream) {
    uint32_t number;
    sweep(pretend);
    if (!pretend->ops->stream(pretend->engine, priority, sms, &number)) {
        return GRT_CUDA_OUT_OF_MEMORY;
    }
    struct pretend_stream *item = grt_allocate(sizeof *item);
    *item = (struct pretend_stream){.number = number, .green = green};
    *stream = pretend_handle(pretend, PRETEND_STREAM, item);
    return GRT_CUDA_SUCCESS;
}

/* The default stream is one among others: all that can be made are non-blocking, which it does not wait for. */
bool pretend_stream_of(struct pretend *pretend, grt_cuda_stream stream, uint32_t *number) {
    if (stream == NULL) {
        pretend->has_default_stream =
            pretend->has_default_stream ||
            pretend->ops->stream(pretend->engine, 0, NULL, &pretend->default_stream);
        *number = pretend->default_stream;
        return pretend->has_default_stream;
    }
    const struct pretend_stream *item = pretend_find(pretend, PRETEND_STREAM, stream);
    *number = item != NULL ? item->number : 0;
    return item != NULL;
}

/* Priorities beyond the range are the nearest in it, as the real one has it. */
grt_cuda_result PRETEND(cuStreamCreateWithPriority)(grt_cuda_stream *stream, unsigned flags, int priority) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    if (stream == NULL || flags > GRT_CUDA_STREAM_NON_BLOCKING) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (flags != GRT_CUDA_STREAM_NON_BLOCKING) {
        return GRT_CUDA_NOT_SUPPORTED;
    }
    return pretend_stream_make(pretend, priority, NULL, NULL, stream);
}

grt_cuda_result PRETEND(cuStreamDestroy_v2)(grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_stream *item = pretend_find(pretend, PRETEND_STREAM, stream);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend_stream_leave(pretend, item->number);
    pretend_end(pretend, PRETEND_STREAM, stream);
    return GRT_CUDA_SUCCESS;
}

static void end_if_of(struct pretend *pretend, void *handle, void *item, const void *green) {
    const struct pretend_stream *stream = item;
    if (stream->green == green) {
        pretend_stream_leave(pretend, stream->number);
        pretend_end(pretend, PRETEND_STREAM, handle);
    }
}

void pretend_streams_end_of(struct pretend *pretend, const void *green) {
    pretend_each(pretend, PRETEND_STREAM, end_if_of, green);
}

grt_cuda_result PRETEND(cuStreamSynchronize)(grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    uint32_t number;
    if (!pretend_stream_of(pretend, stream, &number)) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend->ops->wait_stream(pretend->engine, number);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuStreamQuery)(grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    uint32_t number;
    if (!pretend_stream_of(pretend, stream, &number)) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    return pretend->ops->stream_done(pretend->engine, number) ? GRT_CUDA_SUCCESS : GRT_CUDA_NOT_READY;
}

grt_cuda_result PRETEND(cuStreamWaitEvent)(grt_cuda_stream stream, grt_cuda_event event, unsigned flags) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_event *item = pretend_find(pretend, PRETEND_EVENT, event);
    uint32_t number;
    if (!pretend_stream_of(pretend, stream, &number) || item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (flags != 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (item->recorded) {
        pretend->ops->wait(pretend->engine, number, item->number);
    }
    return GRT_CUDA_SUCCESS;
}

/* ---- events ---- */

grt_cuda_result PRETEND(cuEventCreate)(grt_cuda_event *event, unsigned flags) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    if (event == NULL || (flags & ~(unsigned)GRT_CUDA_EVENT_DISABLE_TIMING) != 0) {
        return GRT_CUDA_INVALID_VALUE;
    }
    uint32_t number;
    if (!pretend->ops->event(pretend->engine, &number)) {
        return GRT_CUDA_OUT_OF_MEMORY;
    }
    struct pretend_event *item = grt_allocate(sizeof *item);
    *item = (struct pretend_event){.number = number, .timing = flags == GRT_CUDA_EVENT_DEFAULT};
    if (!item->timing && pretend->ops->event_untimed != NULL) {
        pretend->ops->event_untimed(pretend->engine, number);
    }
    *event = pretend_handle(pretend, PRETEND_EVENT, item);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuEventDestroy_v2)(grt_cuda_event event) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_event *item = pretend_find(pretend, PRETEND_EVENT, event);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend->ops->event_end(pretend->engine, item->number);
    pretend_end(pretend, PRETEND_EVENT, event);
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuEventRecord)(grt_cuda_event event, grt_cuda_stream stream) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    struct pretend_event *item = pretend_find(pretend, PRETEND_EVENT, event);
    uint32_t number;
    if (item == NULL || !pretend_stream_of(pretend, stream, &number)) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    pretend->ops->record(pretend->engine, number, item->number);
    item->recorded = true;
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuEventQuery)(grt_cuda_event event) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_event *item = pretend_find(pretend, PRETEND_EVENT, event);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    bool done = !item->recorded || pretend->ops->event_done(pretend->engine, item->number);
    return done ? GRT_CUDA_SUCCESS : GRT_CUDA_NOT_READY;
}

grt_cuda_result PRETEND(cuEventSynchronize)(grt_cuda_event event) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_event *item = pretend_find(pretend, PRETEND_EVENT, event);
    if (item == NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (item->recorded) {
        pretend->ops->wait_event(pretend->engine, item->number);
    }
    return GRT_CUDA_SUCCESS;
}

grt_cuda_result PRETEND(cuEventElapsedTime)(float *milliseconds, grt_cuda_event start, grt_cuda_event end) {
    PRETEND_ENTER(pretend, OTHER, PRETEND_CONTEXT);
    const struct pretend_event *from = pretend_find(pretend, PRETEND_EVENT, start);
    const struct pretend_event *to = pretend_find(pretend, PRETEND_EVENT, end);
    if (milliseconds == NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    if (from == NULL || to == NULL || !from->timing || !to->timing || !from->recorded || !to->recorded) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (!pretend->ops->event_done(pretend->engine, from->number) ||
        !pretend->ops->event_done(pretend->engine, to->number)) {
        return GRT_CUDA_NOT_READY;
    }
    *milliseconds = (float)((pretend->ops->event_ns(pretend->engine, to->number) -
                             pretend->ops->event_ns(pretend->engine, from->number)) /
                            1e6);
    return GRT_CUDA_SUCCESS;
}
