/* The auditor: takes a trace record by record, and gives each to those who check what it shows. */
#include "verify/audit.h"

#include <stdlib.h>
#include <string.h>

#include "verify/audit/cores.h"

/* ---- life ---- */

static bool takes_turns(const struct grt_scenario *scenario, uint32_t gpu) {
    int64_t process = -1;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        if (task->gpu == gpu && process >= 0 && task->process != process) {
            return !scenario->gpus[gpu].mps && !grt_device_has_shares(&scenario->gpus[gpu]);
        }
        process = task->gpu == gpu ? task->process : process;
    }
    return false;
}

static void create_gpu(struct grt_audit *audit, uint32_t number) {
    const struct grt_scenario *scenario = audit->scenario;
    struct audit_gpu *gpu = &audit->gpus[number];
    const struct grt_device *device = &scenario->gpus[number];
    bool turns = takes_turns(scenario, number);
    *gpu = (struct audit_gpu){
        .device = device,
        .number = number,
        .first_sm = audit->sm_count,
        .first_engine = audit->engine_count,
        .turns = turns,
        .contended = grt_device_is_contended(device) ||
                     (grt_device_has_shares(device) && device->share_interval > 0), /* alone, too */
        .stretched = turns && device->context_preemption == GRT_CONTEXT_PREEMPTION_INSTRUCTION,
        .rounding = grt_device_is_contended(device) ? 1 : 0,
    };
    audit_room_start(&gpu->grids, device->max_resident_grids);
    audit->sm_count += (uint32_t)device->sm_count;
    audit->engine_count += grt_device_engines(device);
}

static void create_tasks(struct grt_audit *audit) {
    const struct grt_scenario *scenario = audit->scenario;
    audit->tasks = grt_arena_array(&audit->arena, scenario->task_count, sizeof *audit->tasks);
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        task->spec = &scenario->tasks[i];
        task->number = i;
        task->last_arrival = task->dispatched = task->spun = task->beside_end = AUDIT_UNKNOWN;
        task->first_arrival = task->first_release = task->finished = AUDIT_UNKNOWN;
        audit_grid_clear(&task->grid);
    }
}

struct grt_audit *grt_audit_create(const struct grt_scenario *scenario,
                                   const struct grt_audit_promise *promise) {
    struct grt_audit *audit = grt_allocate(sizeof *audit);
    *audit = (struct grt_audit){.scenario = scenario, .promise = *promise};
    audit->host = promise->policy.gpu == GRT_PROMISE_LOCK     ? AUDIT_HOST_BY_THREAD
                  : promise->policy.gpu == GRT_PROMISE_SERVER ? AUDIT_HOST_BY_POLICY
                                                              : AUDIT_HOST_BY_JOB;
    audit_name_rules(audit);
    audit->any_order = promise->any_order;
    create_tasks(audit);
    audit_scattered_create(audit);
    audit->gpus = grt_arena_array(&audit->arena, scenario->gpu_count, sizeof *audit->gpus);
    for (uint32_t i = 0; i < scenario->gpu_count; i++) {
        create_gpu(audit, i);
    }
    audit->sms = grt_arena_array(&audit->arena, audit->sm_count, sizeof *audit->sms);
    audit_kernels_create(audit);
    audit_cores_create(audit);
    audit_after_create(audit);
    audit_stays_create(audit);
    audit_families_create(audit);
    return audit;
}

void grt_audit_free(struct grt_audit *audit) {
    if (audit == NULL) {
        return;
    }
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        free(audit->tasks[i].jobs);
        audit_pinned_free(&audit->tasks[i]);
    }
    for (uint32_t i = 0; i < audit->scenario->gpu_count; i++) {
        free(audit->gpus[i].grids.units);
    }
    audit_kernels_free(audit);
    audit_scattered_free(audit);
    audit_after_free(audit);
    audit_families_free(audit);
    grt_arena_clear(&audit->arena);
    free(audit);
}

/* ---- records ---- */

static bool is_slice(uint8_t kind) {
    switch (kind) {
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_CPU:
    case GRT_TRACE_GPU_SEGMENT:
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_BLOCK:
    case GRT_TRACE_COPY:
    case GRT_TRACE_UNFINISHED:
    case GRT_TRACE_BLOCKED:
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_CONTEXT:
    case GRT_TRACE_CALL:
    case GRT_TRACE_THREAD:
        return true;
    default:
        return false;
    }
}

/* Nothing more happens at this instant. */
static inline void end_instant(struct grt_audit *audit) {
    if (audit->settles) {
        audit_families_settle(audit, audit->now);
    }
    if (audit->touched_count > 0) {
        audit_cores_settle(audit);
    }
}

static void check_time(struct grt_audit *audit, const struct grt_trace_record *record) {
    bool forward = record->time >= audit->now && (!is_slice(record->kind) || record->other <= record->time);
    audit_check(audit, AUDIT_TIME, forward, record, "goes back in time");
    if (record->time > audit->now) {
        end_instant(audit);
        audit->now = record->time;
    }
    if (record->flags & GRT_TRACE_OPEN || record->time > audit->promise.end) {
        audit_check(audit, AUDIT_OPEN, record->time == audit->promise.end, record,
                    "is not at the end of the run, where it should be");
    }
}

static void read_record(struct grt_audit *audit, const struct grt_trace_record *record) {
    check_time(audit, record);
    if (record->kind == GRT_TRACE_CONTEXT) {
        audit_stay(audit, record);
        return;
    }
    if (record->kind == GRT_TRACE_THREAD) {
        audit_thread_slice(audit, record);
        audit_families_thread(audit, record);
        return;
    }
    if (record->task >= audit->scenario->task_count) {
        if (record->kind == GRT_TRACE_SHARE) {
            audit_families_share(audit, record);
        }
        return;
    }
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        audit_release(audit, record);
        break;
    case GRT_TRACE_SKIP:
        audit_skip(audit, record);
        break;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
        audit_end(audit, record);
        break;
    case GRT_TRACE_MISS:
        audit_miss(audit, record);
        break;
    case GRT_TRACE_CPU:
        audit_cpu_slice(audit, record);
        break;
    case GRT_TRACE_PRIORITY:
        audit_priority(audit, record);
        break;
    case GRT_TRACE_GPU_REQUEST:
        audit_request(audit, record);
        break;
    case GRT_TRACE_GPU_SEGMENT:
        audit_segment_end(audit, record);
        break;
    case GRT_TRACE_KERNEL:
        audit_kernel_end(audit, record);
        break;
    case GRT_TRACE_BLOCK:
        audit_block(audit, record);
        break;
    case GRT_TRACE_LOST_ITEMS:
        audit_pinned_lost(audit, record);
        break;
    case GRT_TRACE_COPY:
        audit_copy_end(audit, record);
        break;
    case GRT_TRACE_CALL:
        audit_call_end(audit, record);
        break;
    default: /* what policies say of themselves proves nothing */
        break;
    }
}

static bool write(void *sink, const struct grt_trace_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        read_record(sink, &records[i]);
    }
    return true;
}

static bool names(void *sink, const struct grt_trace_name *names, size_t count) {
    (void)sink;
    (void)names;
    (void)count;
    return true;
}

static bool end(void *sink) {
    (void)sink;
    return true;
}

const struct grt_trace_sink grt_audit_sink = {names, write, end};

/* ---- what was found ---- */

static int by_time(const void *a, const void *b) {
    grt_time one = ((const struct grt_audit_finding *)a)->time,
             other = ((const struct grt_audit_finding *)b)->time;
    return one < other ? -1 : one > other;
}

uint64_t grt_audit_finish(struct grt_audit *audit) {
    uint64_t broken = 0;
    audit_jobs_finish(audit);
    audit_kernels_finish(audit);
    audit_stays_finish(audit);
    audit_cores_finish(audit);
    audit_families_finish(audit);
    qsort(audit->kept, audit->kept_count, sizeof *audit->kept, by_time);
    audit->count_count = 0;
    for (uint32_t i = 0; i < audit->rule_count; i++) {
        broken += audit->broken[i];
        if (audit->names[i] != NULL) {
            audit->counts[audit->count_count++] =
                (struct grt_audit_count){audit->names[i], audit->checked[i], audit->broken[i]};
        }
    }
    return broken;
}

const struct grt_audit_finding *grt_audit_findings(const struct grt_audit *audit, size_t *count) {
    *count = audit->kept_count;
    return audit->kept;
}

const struct grt_audit_count *grt_audit_counts(const struct grt_audit *audit, size_t *count) {
    *count = audit->count_count;
    return audit->counts;
}
