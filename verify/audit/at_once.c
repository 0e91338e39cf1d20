/* Policies that submit every segment in the instant of its request. The simulator notes where they did not. A segment that has its GPU to itself
 * shows it, too: its first command begins then, a kernel a launch later. */
#include "verify/audit/cores.h"

static const char *const names[] = {"policy: submitted at the request"};

struct company {
    uint32_t open;  /* segments that asked and have not ended */
    uint32_t alone; /* the task that asked alone, at its request; AUDIT_NONE: none */
};

struct at_once {
    uint32_t rule;
    struct company *gpus;
    bool *alone; /* by task: nothing else was on the GPU when it asked */
};

static bool applies(const struct grt_audit *audit) {
    return audit->promise.policy.gpu == GRT_PROMISE_AT_ONCE;
}

static void create(struct grt_audit *audit, void *state) {
    struct at_once *self = state;
    self->rule = audit_add_rules(audit, names, 1);
    self->gpus = grt_arena_array(&audit->arena, audit->scenario->gpu_count, sizeof *self->gpus);
    self->alone = grt_arena_array(&audit->arena, audit->scenario->task_count, sizeof *self->alone);
    for (size_t i = 0; i < audit->scenario->gpu_count; i++) {
        self->gpus[i].alone = AUDIT_NONE;
    }
}

/* Whether a segment has its GPU to itself, from its request until its first command can have begun. */
static void request(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    struct at_once *self = state;
    const struct audit_gpu *gpu = &audit->gpus[task->spec->gpu];
    struct company *company = &self->gpus[task->spec->gpu];
    bool parts = grt_segment_has_host_parts(&task->spec->segments[task->segment]); /* which come first */
    self->alone[task->number] = company->open == 0 && !gpu->turns && !parts;
    if (company->alone != AUDIT_NONE &&
        task->since - audit->tasks[company->alone].since <= gpu->device->kernel_launch) {
        self->alone[company->alone] = false;
    }
    company->alone = self->alone[task->number] ? task->number : AUDIT_NONE;
    company->open++;
    audit_host_submitted(audit, task, record->time);
}

static void command(struct grt_audit *audit, void *state, struct audit_task *task,
                    const struct grt_trace_record *record) {
    const struct at_once *self = state;
    const struct grt_device *device = audit->gpus[task->spec->gpu].device;
    bool first = grt_trace_command(record->detail) == 0 && task->launched == 0 && task->copied == 0;
    grt_time launch = record->kind == GRT_TRACE_KERNEL ? device->kernel_launch : 0;
    if (first && self->alone[task->number] && record->kind != GRT_TRACE_CALL &&
        !grt_device_checks_dependencies(device)) {
        audit_check(audit, self->rule, record->other == task->since + launch, record,
                    "begins later than it could, on a GPU that it has to itself");
    }
}

static void segment_end(struct grt_audit *audit, void *state, struct audit_task *task,
                        const struct grt_trace_record *record) {
    struct at_once *self = state;
    audit_check(audit, self->rule, record->row != GRT_TRACE_NO_ROW || record->time == record->other, record,
                "was never submitted");
    audit_check(audit, self->rule, (record->flags & GRT_TRACE_HELD) == 0, record,
                "was submitted later than it asked, or only in part");
    self->gpus[task->spec->gpu].open -= (record->flags & GRT_TRACE_OPEN) == 0;
}

const struct audit_family audit_at_once = {
    .state_size = sizeof(struct at_once),
    .applies = applies,
    .create = create,
    .request = request,
    .command = command,
    .segment_end = segment_end,
};
