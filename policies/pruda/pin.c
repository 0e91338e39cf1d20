/* Source: R. Tekin, H.-E. Zahaf, G. Lipari, "PRUDA: An API for Time and Space Predictible Programming in NVIDIA GPUs using CUDA", JRWRTC
 * 2019, section 4.3: `pruda_allocate_to_sm`; rule W8 of docs/gpu-model.md.
 * Deviates: in the paper a block on the right SM does its own work and those on wrong ones are lost, so that as many blocks are needed as come to the
 * right one; here the blocks on the right SM share the work out in a loop, as B. Wu, G. Chen, D. Li, X. Shen, J. Vetter, "Enabling and
 * Exploiting Flexible Task Assignment on GPU through SM-Centric Program Transformations", ICS 2015, do. */
#include "policies/pruda/pin.h"

#include <inttypes.h>
#include <string.h>

const struct pruda_pin_fields *pruda_pin_of(const struct pruda_parameters *given,
                                            const struct grt_task *task) {
    const struct pruda_pin_fields *pins = given->pins.items;
    for (size_t i = 0; i < given->pins.count; i++) {
        if (strcmp(pins[i].task, task->name) == 0) {
            return &pins[i];
        }
    }
    return NULL;
}

/* The part of that GPU with these SMs; a new one if there is none. */
static uint32_t part_with(struct pruda_part *parts, uint32_t *count, const struct grt_task *task,
                          const struct pruda_pin_fields *pin) {
    for (uint32_t i = 0; i < *count; i++) {
        if (parts[i].gpu == task->gpu && parts[i].sm == pin->sm && parts[i].sms == pin->sms) {
            return i;
        }
    }
    parts[*count] = (struct pruda_part){(uint32_t)task->gpu, pin->sm, pin->sms};
    return (*count)++;
}

uint32_t pruda_find_parts(const struct grt_scenario *scenario, const struct pruda_parameters *given,
                          struct pruda_part *parts, uint32_t *part_of) {
    uint32_t count = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        const struct pruda_pin_fields *pin = grt_task_uses_gpu(task) ? pruda_pin_of(given, task) : NULL;
        part_of[i] = pin != NULL ? part_with(parts, &count, task, pin) : PRUDA_NO_PART;
    }
    return count;
}

/* ---- checks ---- */

static const struct grt_task *task_named(const struct grt_scenario *scenario, const char *name) {
    for (size_t i = 0; i < scenario->task_count; i++) {
        if (strcmp(scenario->tasks[i].name, name) == 0 && grt_task_uses_gpu(&scenario->tasks[i])) {
            return &scenario->tasks[i];
        }
    }
    return NULL;
}

/* Why a pin is impossible, besides earlier ones; NULL: it is not. */
static const char *objection(const struct grt_scenario *scenario, const struct pruda_parameters *given,
                             size_t number) {
    const struct pruda_pin_fields *pins = given->pins.items, *pin = &pins[number];
    const struct grt_task *task = task_named(scenario, pin->task);
    if (task == NULL) {
        return "no task with GPU segments has that name";
    }
    if (pin->sm + pin->sms > scenario->gpus[task->gpu].sm_count) {
        return "its GPU does not have these SMs";
    }
    for (size_t i = 0; i < number; i++) {
        const struct grt_task *other = task_named(scenario, pins[i].task);
        if (other == task) {
            return "it is pinned already";
        }
        bool same = pins[i].sm == pin->sm && pins[i].sms == pin->sms;
        bool apart = pins[i].sm + pins[i].sms <= pin->sm || pin->sm + pin->sms <= pins[i].sm;
        if (other != NULL && other->gpu == task->gpu && !same && !apart) {
            return "its SMs overlap those of another part";
        }
    }
    return NULL;
}

static bool pins_are_possible(const struct grt_scenario *scenario, const struct pruda_parameters *given,
                              struct grt_errors *errors) {
    const struct pruda_pin_fields *pins = given->pins.items;
    bool good = true;
    for (size_t i = 0; i < given->pins.count; i++) {
        const char *why = objection(scenario, given, i);
        if (why != NULL) {
            grt_error_add(errors, NULL, "policy.pins[%zu]: \"%s\": %s", i, pins[i].task, why);
            good = false;
        }
    }
    return good;
}

/* ---- kernels ---- */

/* Whether a kernel that the scenario pins would work outside its task's part, which may be another one's. */
static bool is_pinned_elsewhere(const struct grt_kernel *kernel, const struct grt_number_list *part) {
    int64_t first = part->items[0], end = first + (int64_t)part->count;
    for (size_t i = 0; i < kernel->sms.count; i++) {
        if (kernel->sms.items[i] < first || kernel->sms.items[i] >= end) {
            return true;
        }
    }
    return false;
}

static bool pin_kernel(struct grt_kernel *kernel, const struct grt_number_list *sms, int64_t sm_count,
                       grt_time exit_time, struct grt_errors *errors) {
    const char *why =
        kernel->whole_device                    ? "is described by its time, which is for all SMs"
        : kernel->launches.count > 0            ? "launches kernels"
        : is_pinned_elsewhere(kernel, sms)      ? "has \"sms\" of its own outside the SMs of its task"
        : kernel->blocks > INT32_MAX / sm_count ? "has more blocks than can be launched for every SM"
                                                : NULL;
    if (why != NULL) {
        grt_error_add(errors, NULL, "policy.pins: kernel \"%s\" %s, and cannot be pinned", kernel->name, why);
        return false;
    }
    if (kernel->sms.count == 0) { /* else it is pinned by the scenario, within them */
        kernel->sms = *sms;
        kernel->items = kernel->blocks;
        kernel->blocks *= sm_count;
        kernel->exit_time = exit_time;
    }
    return true;
}

static bool pin_task(struct grt_task *task, const struct grt_number_list *sms, int64_t sm_count,
                     grt_time exit_time, struct grt_arena *arena, struct grt_errors *errors) {
    struct grt_segment *segments = grt_adapt_segments(task, arena);
    bool good = true;
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_command_spec *commands = grt_adapt_commands(&segments[i]);
        for (size_t j = 0; j < segments[i].command_count; j++) {
            if (commands[j].kind == GRT_COMMAND_KERNEL) {
                good &= pin_kernel(&commands[j].kernel, sms, sm_count, exit_time, errors);
            }
        }
    }
    return good;
}

static struct grt_number_list list_of(const struct pruda_pin_fields *pin, struct grt_arena *arena) {
    int64_t *sms = grt_arena_array(arena, (size_t)pin->sms, sizeof *sms);
    for (int64_t i = 0; i < pin->sms; i++) {
        sms[i] = pin->sm + i;
    }
    return (struct grt_number_list){sms, (size_t)pin->sms};
}

bool pruda_pin_kernels(struct grt_scenario *scenario, const struct pruda_parameters *given,
                       struct grt_arena *arena, struct grt_errors *errors) {
    if (!pins_are_possible(scenario, given, errors)) {
        return false;
    }
    struct grt_task *tasks = grt_adapt_tasks(scenario, 0, arena);
    bool good = true;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct pruda_pin_fields *pin =
            grt_task_uses_gpu(&tasks[i]) ? pruda_pin_of(given, &tasks[i]) : NULL;
        if (pin != NULL) {
            struct grt_number_list sms = list_of(pin, arena);
            good &= pin_task(&tasks[i], &sms, scenario->gpus[tasks[i].gpu].sm_count, given->exit_time, arena,
                             errors);
        }
    }
    return good;
}
