/* Short words for the tests of calls (test_gpu_call.c, test_gpu_sync.c), in which every line is one call of the host: two SMs
 * that hold two blocks of 1024 threads each; a copy of n bytes takes n ns, and memset n ns; every task has a stream of its own
 * unless it names one; calls of one instant are made by task. */
#ifndef GRT_TESTS_SUPPORT_CALL_SHORTHAND_H
#define GRT_TESTS_SUPPORT_CALL_SHORTHAND_H

#include "tests/support/world_builder.h"

enum { A, B, C, D, E };

static inline struct grt_builder *start(void) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->memory_bytes_per_second = GRT_SECOND;
    device->time_slice = device->copy_time_slice = 1000;
    return builder;
}

static inline struct grt_task *add_at(struct grt_builder *builder, grt_time instant) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, instant);
    return task;
}

static inline struct grt_task *add(struct grt_builder *builder) {
    return add_at(builder, 0);
}

static inline struct grt_task *add_in(struct grt_builder *builder, const char *stream) {
    struct grt_task *task = add(builder);
    task->stream = stream;
    return task;
}

/* A kernel of one small block. */
static inline void kernel(struct grt_builder *builder, struct grt_task *task, grt_time time) {
    grt_builder_kernel(builder, task, 1, 32, time);
}

static inline void call(struct grt_builder *builder, struct grt_task *task, enum grt_command_kind kind,
                        const char *event) {
    grt_builder_call(builder, task, kind, event);
}

static inline void abort_at(struct grt_task *task, grt_time deadline) {
    task->deadline = deadline;
    task->on_miss = GRT_MISS_ABORT;
}

static inline grt_time begin_of(const struct grt_built_run *run, uint32_t task) {
    return grt_built_run_find(run, GRT_TRACE_KERNEL, task, 0, 0)->other;
}

#endif
