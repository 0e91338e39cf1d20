/* What cores do for GPU segments: the host parts of a segment, and what switches and wake-ups cost on the platform. */
#include <stddef.h>

#include "scenarios/task_set.h"

#define AT(member) offsetof(struct grt_host_fields, member)

static const char *const modes[] = {
    [GRT_HOST_SYNCHRONOUS] = "synchronous", [GRT_HOST_ASYNCHRONOUS] = "asynchronous", NULL};

static const struct grt_field host_fields[] = {
    {.name = "before",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(part[GRT_HOST_BEFORE]),
     .fallback = "\"0ns\"",
     .custom = GRT_CUSTOM_SPAN,
     .help = "Computing before the commands are called: preparing and issuing them."},
    {.name = "after",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(part[GRT_HOST_AFTER]),
     .fallback = "\"0ns\"",
     .custom = GRT_CUSTOM_SPAN,
     .help = "Computing once they are called: hearing of their end, copying back."},
    {.name = "mode",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(mode),
     .fallback = "\"synchronous\"",
     .choices = modes,
     .help = "When `after` is computed: behind the commands, or beside them; in both cases the segment ends "
             "when both have "
             "ended. Only with `after`."},
};

const struct grt_record grt_host_record = {
    .name = "host",
    .size = sizeof(struct grt_host_fields),
    .fields = host_fields,
    .field_count = GRT_FIELD_COUNT(host_fields),
    .help = "What a core computes for a GPU segment, in the job's thread or in a thread of the policy's "
            "(`gpurt policies`); at least one of `before` and `after`.",
};

GRT_FINISH(grt_finish_host) {
    (void)out;
    struct grt_path mode = {.parent = path, .key = "mode"};
    bool has_after = grt_json_find(object, "after") != NULL;
    if (!clean) {
        return;
    }
    if (!has_after && grt_json_find(object, "before") == NULL) {
        grt_error_add(reader->errors, path, "needs \"before\" or \"after\"");
    } else if (!has_after && grt_json_find(object, "mode") != NULL) {
        grt_error_add(reader->errors, &mode,
                      "has no effect because after is 0; if that is meant, write after here, too");
    }
}

void grt_copy_host(const struct grt_host_fields *fields, struct grt_segment *segment) {
    segment->host_part[GRT_HOST_BEFORE] = fields->part[GRT_HOST_BEFORE];
    segment->host_part[GRT_HOST_AFTER] = fields->part[GRT_HOST_AFTER];
    segment->host_mode = fields->mode;
}

/* ---- who needs a core ---- */

static bool computes(const struct grt_task *task) {
    for (size_t i = 0; i < task->segment_count; i++) {
        if (task->segments[i].kind == GRT_SEGMENT_CPU) {
            return true;
        }
    }
    return false;
}

/* Whether the task's thread has to be on a core to ask for the GPU. */
static bool asks(const struct grt_task *task, const struct grt_policy_ops *policy) {
    return policy != NULL && policy->host != GRT_HOST_BY_JOB && grt_task_uses_gpu(task);
}

void grt_check_core_given(struct grt_reader *reader, const struct grt_task *task,
                          const struct grt_policy_ops *policy, int64_t cpus, const struct grt_path *path) {
    if (computes(task)) {
        grt_error_add(reader->errors, path,
                      "required because platform.cpus is %lld and the task has CPU segments",
                      (long long)cpus);
    } else if (grt_task_uses_cpu(task)) {
        grt_error_add(reader->errors, path,
                      "required because platform.cpus is %lld and the task has host parts of GPU segments",
                      (long long)cpus);
    } else if (asks(task, policy)) {
        grt_error_add(reader->errors, path,
                      "required because platform.cpus is %lld and under policy %s the task's thread asks for "
                      "the GPU",
                      (long long)cpus, policy->name);
    }
}

/* ---- costs that nobody pays ---- */

bool grt_task_pays_costs(const struct grt_task *task, const struct grt_policy_ops *policy) {
    return grt_task_uses_cpu(task) || asks(task, policy);
}

void grt_task_set_check_costs(struct grt_reader *reader, const struct grt_task_set *set,
                              const struct grt_platform_fields *platform, const struct grt_policy_ops *policy,
                              const struct grt_path *path) {
    const struct {
        const char *key;
        grt_time cost;
    } costs[] = {{"context_switch", platform->context_switch}, {"wake_up", platform->wake_up}};
    for (size_t i = 0; i < set->count; i++) {
        if (grt_task_pays_costs(&set->tasks[i].task, policy)) {
            return;
        }
    }
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        struct grt_path place = {.parent = path, .key = costs[i].key};
        if (costs[i].cost > 0) {
            grt_error_add(reader->errors, &place, "has no effect because no task computes on a core");
        }
    }
}
