/* Launches of a pretended driver. */
#include "calib/pretend/driver_internal.h"
#include "models/occupancy.h"

/* What a kernel takes besides the control: which of its parameters is what. */
static const struct {
    int memory_first, memory_count; /* addresses of buffers */
    int amount;
} layouts[] = {
    [GRT_PARAMETERS_AMOUNT] = {0, 0, 1},     [GRT_PARAMETERS_IN_OUT] = {1, 2, 3},
    [GRT_PARAMETERS_TWO_IN_OUT] = {1, 3, 4}, [GRT_PARAMETERS_FLAGS] = {1, 2, 3},
    [GRT_PARAMETERS_OUT] = {1, 1, 2},        [GRT_PARAMETERS_TEXTURE] = {2, 2, 4},
    [GRT_PARAMETERS_TABLE] = {1, 1, 2},
};

static uint64_t number_at(void **parameters, int index) {
    return *(const uint64_t *)parameters[index];
}

/* Whether `bytes` from an address on are memory that kernels may use. */
static bool is_usable(const struct pretend *pretend, uint64_t address, uint64_t bytes) {
    return pretend_memory_of(pretend, (const void *)(uintptr_t)address, (size_t)bytes) != NULL;
}

/* The memory into which a launch writes its records and counts. */
static bool control_is_usable(const struct pretend *pretend, const struct grt_kernel_control *control) {
    if (control->counters != 0 && !is_usable(pretend, control->counters, 4 * sizeof(uint32_t))) {
        return false;
    }
    uint64_t every = control->record_every > 0 ? control->record_every : 1;
    uint64_t end = ((uint64_t)control->first_block + control->block_count + every - 1) / every;
    return control->records == 0 ||
           is_usable(pretend, control->records, end * sizeof(struct grt_block_record));
}

/* How many bytes of a buffer are used at least; of buffers that kernels read round and round any. */
static uint64_t bytes_of(enum grt_kernel_parameters kind, const struct grt_engine_kernel *kernel) {
    const struct grt_kernel_control *control = &kernel->control;
    uint64_t count = kernel->amount < UINT32_MAX ? kernel->amount : UINT32_MAX;
    switch (kind) {
    case GRT_PARAMETERS_TABLE:
        return (count + control->first_block + control->block_count) * sizeof(uint64_t);
    case GRT_PARAMETERS_OUT:
        return count * sizeof(uint64_t);
    default:
        return sizeof(uint32_t);
    }
}

/* Reads the parameters; false where they name memory that is not there. */
static bool read_parameters(const struct pretend *pretend, void **parameters,
                            struct grt_engine_kernel *kernel) {
    enum grt_kernel_parameters kind = grt_kernel_kinds[kernel->id].parameters;
    int first = layouts[kind].memory_first;
    kernel->control = *(const struct grt_kernel_control *)parameters[0];
    kernel->amount = number_at(parameters, layouts[kind].amount);
    for (int i = 0; i < layouts[kind].memory_count; i++) {
        if (!is_usable(pretend, number_at(parameters, first + i), bytes_of(kind, kernel))) {
            return false;
        }
    }
    if (kind == GRT_PARAMETERS_FLAGS) {
        kernel->ready = (volatile uint32_t *)(uintptr_t)number_at(parameters, first);
        kernel->go = (volatile uint32_t *)(uintptr_t)number_at(parameters, first + 1);
    } else if (kind == GRT_PARAMETERS_OUT) {
        kernel->out = (uint64_t *)(uintptr_t)number_at(parameters, first);
    } else if (kind == GRT_PARAMETERS_TABLE) {
        kernel->table = (const uint64_t *)(uintptr_t)number_at(parameters, first);
    }
    return control_is_usable(pretend, &kernel->control);
}

/* Whether a block can run: by the limits that the driver knows, then by what an SM has. */
static grt_cuda_result check_block(const struct pretend *pretend, const struct pretend_function *function,
                                   unsigned threads, unsigned dynamic) {
    const struct grt_device *device = &pretend->spec->device;
    if (threads > device->max_threads_per_block || dynamic > function->most_dynamic) {
        return GRT_CUDA_INVALID_VALUE;
    }
    struct grt_block_needs needs = pretend_needs(pretend, function, threads, dynamic);
    return grt_occupancy_of(device, &needs).blocks_per_sm > 0 ? GRT_CUDA_SUCCESS
                                                              : GRT_CUDA_LAUNCH_OUT_OF_RESOURCES;
}

/* What the engines do not pretend: amounts that would outlast the run. */
static bool is_pretended(const struct pretend *pretend, const struct grt_engine_kernel *kernel) {
    const struct grt_kernel_control *control = &kernel->control;
    bool filter = control->mode == GRT_KERNEL_FILTER;
    return control->mode <= GRT_KERNEL_FILTER && kernel->amount <= GRT_PRETEND_MOST_AMOUNT &&
           kernel->blocks <= GRT_PRETEND_MOST_BLOCKS && control->block_count <= GRT_PRETEND_MOST_BLOCKS &&
           (!filter || (control->sm_low < control->sm_high &&
                        control->sm_low < (uint64_t)pretend->spec->device.sm_count));
}

/* A kernel that would use memory that is not there breaks the context, as it does on a device. */
grt_cuda_result PRETEND(cuLaunchKernel)(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                        unsigned dynamic_shared, grt_cuda_stream stream, void **parameters,
                                        void **extra) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_LAUNCH, PRETEND_CONTEXT);
    const struct pretend_function *item = pretend_find(pretend, PRETEND_FUNCTION, function);
    uint32_t number;
    if (item == NULL || !pretend_stream_of(pretend, stream, &number)) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_y != 1 || block_z != 1 ||
        parameters == NULL || extra != NULL) {
        return GRT_CUDA_INVALID_VALUE;
    }
    const struct pretend_stream *in = stream != NULL ? pretend_find(pretend, PRETEND_STREAM, stream) : NULL;
    if (pretend->spec->faults.green_no_kernels && in != NULL && in->green != NULL) {
        return GRT_CUDA_INVALID_HANDLE;
    }
    grt_cuda_result result = check_block(pretend, item, block_x, dynamic_shared);
    if (result != GRT_CUDA_SUCCESS) {
        return result;
    }
    const struct grt_pretend_kernel *spec = &pretend->spec->kernels[item->id];
    struct grt_engine_kernel kernel = {.spec = spec,
                                       .id = item->id,
                                       .blocks = grid_x,
                                       .threads = block_x,
                                       .shared_bytes = (uint32_t)spec->shared_bytes + dynamic_shared};
    if (!read_parameters(pretend, parameters, &kernel)) {
        pretend->broken = GRT_CUDA_ILLEGAL_ADDRESS;
        return pretend->broken;
    }
    if (!is_pretended(pretend, &kernel)) {
        return GRT_CUDA_NOT_SUPPORTED;
    }
    pretend->ops->kernel(pretend->engine, number, &kernel);
    return GRT_CUDA_SUCCESS;
}

/* Textures are not pretended: the kernel of them reads a buffer. */
grt_cuda_result PRETEND(cuTexObjectCreate)(uint64_t *texture, const struct grt_cuda_texture_memory *memory,
                                           const struct grt_cuda_texture_access *access, const void *view) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    (void)pretend, (void)texture, (void)memory, (void)access, (void)view;
    return GRT_CUDA_NOT_SUPPORTED;
}

grt_cuda_result PRETEND(cuTexObjectDestroy)(uint64_t texture) {
    PRETEND_ENTER(pretend, GRT_ENGINE_CALL_OTHER, PRETEND_CONTEXT);
    (void)pretend, (void)texture;
    return GRT_CUDA_NOT_SUPPORTED;
}
