/* What happens on the SMs, as records of the trace. */
#include "models/gpu/trace.h"

#include "models/gpu/cohort.h"
#include "models/gpu/internal.h"

/* The number of a grid in the trace. */
static uint32_t grid_of(const struct grt_gpu *gpu, uint32_t command) {
    return gpu->uses.launches ? gpu->families[command].number : 0;
}

void gpu_trace_block(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                     uint32_t offset, uint8_t flags) {
    uint32_t place = cohort->place != NONE ? cohort->place : cohort->places[offset];
    uint32_t row = gpu->options.first_sm_row + grt_placement_sm(context->placement, place);
    const struct command *kernel = &gpu->commands[cohort->command];
    grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                          .time = gpu->options.loop->now,
                                          .other = cohort->start,
                                          .job = kernel->job,
                                          .detail = cohort->first + offset,
                                          .row = grt_trace_grid_row(row, grid_of(gpu, cohort->command)),
                                          .task = kernel->task,
                                          .kind = GRT_TRACE_BLOCK,
                                          .flags = flags,
                                      });
}

void gpu_trace_cohort(struct grt_gpu *gpu, const struct context *context, const struct cohort *cohort,
                      uint8_t flags) {
    for (uint32_t i = 0; i < cohort->count; i++) {
        gpu_trace_block(gpu, context, cohort, i, flags);
    }
}

void gpu_trace_kernel_slice(struct grt_gpu *gpu, uint32_t number, uint8_t flags) {
    const struct command *kernel = &gpu->commands[number];
    uint32_t row = gpu->streams[kernel->stream].row;
    grt_trace_add(gpu->options.trace, (struct grt_trace_record){
                                          .time = gpu->options.loop->now,
                                          .other = kernel->start,
                                          .job = kernel->job,
                                          .detail = kernel->place,
                                          .row = grt_trace_grid_row(row, grid_of(gpu, number)),
                                          .task = kernel->task,
                                          .kind = GRT_TRACE_KERNEL,
                                          .flags = flags,
                                      });
}
