/* Unified memory: what CPU and GPU both see needs no copies.
 *
 * Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 2.
 * Deviates: the driver's pages that travel on discrete GPUs take no time here, nor does keeping caches coherent on integrated ones; put what
 * was measured into the kernels' times. */
#include "policies/pruda/pruda.h"

static bool is_copy(const struct grt_command_spec *command) {
    return command->kind == GRT_COMMAND_H2D || command->kind == GRT_COMMAND_D2H;
}

static bool has_copies(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            if (is_copy(&task->segments[i].commands[j])) {
                return true;
            }
        }
    }
    return false;
}

static void leave_out_copies_of(struct grt_segment *segment) {
    struct grt_command_spec *commands = grt_adapt_commands(segment);
    size_t kept = 0;
    for (size_t i = 0; i < segment->command_count; i++) {
        if (!is_copy(&commands[i])) {
            commands[kept++] = commands[i];
        }
    }
    segment->command_count = kept;
}

/* A GPU segment of nothing but copies goes with them. */
static bool leave_out_copies(struct grt_task *task, uint32_t number, struct grt_arena *arena,
                             struct grt_errors *errors) {
    struct grt_segment *segments = grt_adapt_segments(task, arena);
    size_t kept = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        leave_out_copies_of(&segments[i]);
        bool stays = segments[i].kind == GRT_SEGMENT_CPU || segments[i].command_count > 0;
        if (!stays && grt_segment_has_host_parts(&segments[i])) {
            grt_error_add(
                errors, NULL,
                "tasks[%u].segments[%zu]: has host parts and nothing but copies, which unified memory "
                "leaves out",
                number, i);
            return false;
        }
        if (stays) {
            segments[kept++] = segments[i];
        }
    }
    task->segment_count = kept;
    if (kept == 0) {
        grt_error_add(errors, NULL, "tasks[%u]: has nothing but copies, which unified memory leaves out",
                      number);
    }
    return kept > 0;
}

bool pruda_adapt(struct grt_scenario *scenario, const void *parameters, struct grt_arena *arena,
                 struct grt_errors *errors) {
    const struct pruda_parameters *given = parameters;
    if (given->memory != PRUDA_UNIFIED) {
        return true;
    }
    struct grt_task *tasks = grt_adapt_tasks(scenario, 0, arena);
    bool good = true;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        good &= !has_copies(&tasks[i]) || leave_out_copies(&tasks[i], i, arena, errors);
    }
    return good;
}
