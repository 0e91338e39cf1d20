/* Streams, whose heads move on to the engines. */
#ifndef GRT_MODELS_GPU_STREAM_H
#define GRT_MODELS_GPU_STREAM_H

#include "models/gpu/command.h"
#include "sim/loop.h"

struct context;
struct process;
struct grt_gpu;

struct stream {
    struct command_list commands;
    grt_source source; /* tells when the head's launch reaches the device; used where launches take time */
    grt_time last_arrival;
    struct process *process;
    struct context *context; /* of the process */
    uint32_t level;          /* of its execution-engine queue; 0 is the most urgent */
    uint32_t urgency;        /* its priority, 0 the most urgent; differs from `level` where own_places */
    uint32_t row;            /* in the trace */
    uint8_t share;           /* vprocessors that its kernels may use: see share.c */
    bool is_null, touched;
    /* launch of the first command that was submitted since the last decision; UINT64_MAX: none was */
    uint64_t called_from;
    bool has_queue; /* dynamic model: it holds a hardware queue */
    bool unchecked; /* rule Q1b: nothing that was called since its last kernel has asked for that one's end */
    uint32_t hardware_queue; /* static model: the one that it is bound to; single: that of its last command */
};

void gpu_stream_touch(struct grt_gpu *gpu, uint32_t stream);
void gpu_stream_called(struct grt_gpu *gpu, uint32_t stream);
void gpu_streams_advance(struct grt_gpu *gpu);
bool gpu_stream_is_earliest(const struct grt_gpu *gpu, const struct stream *stream, uint64_t launch);

#endif
