/* The processes of the GPU, and the clients of an MPS server. */
#ifndef GRT_MODELS_GPU_PROCESS_H
#define GRT_MODELS_GPU_PROCESS_H

#include "models/gpu/internal.h"

struct process *gpu_process_create(struct grt_gpu *gpu, const struct grt_process_spec *spec, uint32_t label);
void gpu_process_enqueue(struct grt_gpu *gpu, struct command_list *list, uint32_t command);

#endif
