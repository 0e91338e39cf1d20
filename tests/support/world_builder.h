/* Scenarios made in C: a builder of the plain structs of models/task.h, a few devices, and a run that keeps the
 * result and the whole trace. */
#ifndef GRT_TESTS_SUPPORT_WORLD_BUILDER_H
#define GRT_TESTS_SUPPORT_WORLD_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/world.h"
#include "sim/memory.h"
#include "sim/trace.h"

/* ---- devices without overheads ---- */

/* The TX2 of the published experiments: 2 SMs of 2048 threads, 32 blocks and 64 KiB; one copy engine; two priority
 * levels. A copy of n bytes takes n ns. */
struct grt_device grt_built_tx2(void);

/* The same SMs in another number. */
struct grt_device grt_built_device(int64_t sm_count);

/* One SM that holds one block: one kernel at a time. */
struct grt_device grt_built_exclusive(void);

/* ---- scenarios ---- */

enum { GRT_BUILDER_TASKS = 64, GRT_BUILDER_SEGMENTS = 16, GRT_BUILDER_COMMANDS = 16 };

/* Everything that functions of the builder return lives, at its place, until grt_builder_free. */
struct grt_builder {
    struct grt_scenario scenario;
    struct grt_device gpus[GRT_MAX_GPUS];
    struct grt_task tasks[GRT_BUILDER_TASKS];
    struct grt_segment *segments[GRT_BUILDER_TASKS]; /* of each task GRT_BUILDER_SEGMENTS */
    struct grt_arena arena;                          /* segments, commands, times, predecessors */
};

/* An empty scenario that runs to `horizon`; seed 1, ties by task, no named cores. */
struct grt_builder *grt_builder_create(grt_time horizon);
void grt_builder_free(struct grt_builder *builder);

/* Adds a GPU. */
struct grt_device *grt_builder_gpu(struct grt_builder *builder, struct grt_device device);

/* Adds a task without segments: one release at 0, a deadline of 1000 s, the priority -(its index), on GPU 0. */
struct grt_task *grt_builder_task(struct grt_builder *builder, const char *name);

/* Makes the task periodic with an implicit deadline. */
void grt_builder_periodic(struct grt_task *task, grt_time period, grt_time offset);

/* Gives the task releases at these instants, copied, or at this one. */
void grt_builder_times(struct grt_builder *builder, struct grt_task *task, const grt_time *times,
                       size_t count);
void grt_builder_at(struct grt_builder *builder, struct grt_task *task, grt_time instant);

/* Puts the task after a predecessor, besides those that it has. */
void grt_builder_after(struct grt_builder *builder, struct grt_task *task,
                       const struct grt_task *predecessor);

/* Adds a CPU segment of constant length; change the returned segment for another distribution. */
struct grt_segment *grt_builder_cpu(struct grt_builder *builder, struct grt_task *task, grt_time time);

/* Adds an empty GPU segment; commands are added to a task's last one, which they make where there is none. */
void grt_builder_gpu_segment(struct grt_builder *builder, struct grt_task *task);

/* Adds a kernel of equal blocks, or one that fills the device; change the returned kernel for more. */
struct grt_kernel *grt_builder_kernel(struct grt_builder *builder, struct grt_task *task, int64_t blocks,
                                      int64_t threads, grt_time block_time);
struct grt_kernel *grt_builder_whole(struct grt_builder *builder, struct grt_task *task, grt_time time);

/* Adds a copy. */
void grt_builder_copy(struct grt_builder *builder, struct grt_task *task, enum grt_command_kind kind,
                      int64_t bytes);

/* Adds a synchronous copy, and a call: of an event of that name, or without one; change the returned command for more. */
void grt_builder_sync_copy(struct grt_builder *builder, struct grt_task *task, enum grt_command_kind kind,
                           int64_t bytes);
struct grt_command_spec *grt_builder_call(struct grt_builder *builder, struct grt_task *task,
                                          enum grt_command_kind kind, const char *event);

/* Adds a host function. */
void grt_builder_callback(struct grt_builder *builder, struct grt_task *task, grt_time time);

/* ---- runs ---- */

/* A finished run. */
struct grt_built_run {
    struct grt_world *world;             /* NULL if it was refused */
    const struct grt_result *result;     /* NULL if it was refused */
    const struct grt_policy_ops *policy; /* NULL: not known */
    struct grt_trace *trace;
    struct grt_trace_memory kept;
    struct grt_errors errors;
};

/* Runs the scenario to its end, with these parameters; free the run with grt_built_run_free in any case. */
void grt_built_run_start(struct grt_built_run *run, const struct grt_scenario *scenario,
                         const struct grt_policy_ops *policy, bool no_cohorts);

/* The same with other parameters; NULL: none. */
void grt_built_run_start_with(struct grt_built_run *run, const struct grt_scenario *scenario,
                              const struct grt_policy_ops *policy, const void *parameters, bool no_cohorts);
void grt_built_run_free(struct grt_built_run *run);

/* The same for tests that run a builder's scenario under the policy of that name and expect it to be accepted; the
 * second function frees the run and the builder. */
void grt_built_run_under(struct grt_built_run *run, const struct grt_builder *builder, const char *policy);
void grt_built_run_end(struct grt_built_run *run, struct grt_builder *builder);

/* The `nth` record, from 0, of a kind, task and job, or NULL. */
const struct grt_trace_record *grt_built_run_find(const struct grt_built_run *run, enum grt_trace_kind kind,
                                                  uint32_t task, uint32_t job, uint32_t nth);

/* The number of records of a kind. */
size_t grt_built_run_count(const struct grt_built_run *run, enum grt_trace_kind kind);

/* The instant at which a job finished, was aborted, was released; GRT_TIME_NEVER if it did not or was not. */
grt_time grt_built_run_finish(const struct grt_built_run *run, uint32_t task, uint32_t job);
grt_time grt_built_run_abort(const struct grt_built_run *run, uint32_t task, uint32_t job);
grt_time grt_built_run_release(const struct grt_built_run *run, uint32_t task, uint32_t job);

/* Whether the `nth` kernel, copy or call of a task, from 0, or the block of that index of its kernel (the first in the trace)
 * began and ended at these instants; writes what was seen instead to standard error. */
bool grt_built_kernel_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                          grt_time end);
bool grt_built_copy_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                        grt_time end);
bool grt_built_call_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                        grt_time end);
bool grt_built_block_ran(const struct grt_built_run *run, uint32_t task, uint32_t index, uint32_t sm,
                         grt_time start, grt_time end);

/* Whether two results say the same in every figure. */
bool grt_built_results_equal(const struct grt_result *a, const struct grt_result *b);

/* Whether two runs made the same records; writes the first difference to standard error. */
bool grt_built_traces_equal(const struct grt_built_run *a, const struct grt_built_run *b);

#endif
