/* The table of tasks, and what a task's fields say of each other. What tasks say of each other is in task_set.c. */
#include <stddef.h>
#include <string.h>

#include "scenarios/records.h"

#define SPORADIC(member) offsetof(struct grt_sporadic_fields, member)

static const struct grt_field sporadic_fields[] = {
    {.name = "min_gap",
     .type = GRT_FIELD_TIME,
     .offset = SPORADIC(min_gap),
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Least span between two arrivals."},
    {.name = "extra_gap",
     .type = GRT_FIELD_CUSTOM,
     .offset = SPORADIC(extra_gap),
     .fallback = "\"0ns\"",
     .custom = GRT_CUSTOM_SPAN,
     .help = "Added to each gap. Not with `times`."},
    {.name = "times",
     .type = GRT_FIELD_CUSTOM,
     .offset = SPORADIC(times),
     .fallback = "",
     .custom = GRT_CUSTOM_TIMES,
     .help = "The arrivals of this run, at least `min_gap` apart. Default: they are drawn. For analyses the "
             "task is the same "
             "with and without: `gpurt verify` writes files that show a violation in this way."},
    {.name = "delays",
     .type = GRT_FIELD_CUSTOM,
     .offset = SPORADIC(delays),
     .fallback = "",
     .custom = GRT_CUSTOM_DELAYS,
     .help =
         "How much later than at its arrival each of the jobs in `times` becomes ready: one per job, none "
         "above the task's "
         "`jitter`, and no job overtakes the one before it. Default: draws from 0 to `jitter`."},
};

const struct grt_record grt_sporadic_record = {
    .name = "sporadic",
    .size = sizeof(struct grt_sporadic_fields),
    .fields = sporadic_fields,
    .field_count = GRT_FIELD_COUNT(sporadic_fields),
    .help = "Arrivals that keep a least gap: the first at the task's offset, later ones by draws, or all of "
            "them as listed.",
};

static const struct grt_field poisson_fields[] = {
    {.name = "mean_gap",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_poisson_fields, mean_gap),
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Mean of the exponential span between two arrivals."},
};

const struct grt_record grt_poisson_record = {
    .name = "poisson",
    .size = sizeof(struct grt_poisson_fields),
    .fields = poisson_fields,
    .field_count = GRT_FIELD_COUNT(poisson_fields),
    .help = "Arrivals at random, one independent of the other, from the task's offset on.",
};

#define AT(member) offsetof(struct grt_task_fields, member)
#define TASK(member) offsetof(struct grt_task_fields, task.member)

static const char *const clocks[] = {"absolute", "relative", NULL};
static const char *const deadline_origins[] = {"arrival", "release", NULL};
static const char *const miss_reactions[] = {"continue", "abort", "skip-next", "stop", NULL};

static const struct grt_field task_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = TASK(name),
     .help = "Name of the task; no two are equal."},
    {.name = "period",
     .type = GRT_FIELD_TIME,
     .offset = AT(period),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Arrivals at offset, offset + period, and so on. Of `period`, `sporadic`, `poisson`, `times` "
             "and `after` "
             "exactly one is required."},
    {.name = "sporadic",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(sporadic),
     .fallback = "",
     .record = &grt_sporadic_record,
     .help = "Arrivals with a least gap."},
    {.name = "poisson",
     .type = GRT_FIELD_OBJECT,
     .offset = AT(poisson),
     .fallback = "",
     .record = &grt_poisson_record,
     .help = "Arrivals at random."},
    {.name = "times",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(times),
     .fallback = "",
     .custom = GRT_CUSTOM_TIMES,
     .help = "Arrivals at these instants."},
    {.name = "delays",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(delays),
     .fallback = "",
     .custom = GRT_CUSTOM_DELAYS,
     .help = "How much later than at its arrival each of the jobs in `times` becomes ready: one per job, and "
             "no job overtakes "
             "the one before it. Only with `times`. Default: none is delayed."},
    {.name = "after",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(after),
     .fallback = "",
     .custom = GRT_CUSTOM_NAMES,
     .help =
         "Job k is released when job k of every predecessor has finished; it inherits the latest of their "
         "arrivals, from which its response time and, unless `deadline_from` says otherwise, its deadline "
         "count."},
    {.name = "offset",
     .type = GRT_FIELD_TIME,
     .offset = TASK(offset),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "Start of the arrivals. Not with `times`, `sporadic.times` and `after`."},
    {.name = "jitter",
     .type = GRT_FIELD_TIME,
     .offset = TASK(jitter),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "Each job becomes ready later than it arrives, by a uniform draw from 0 to this. Only with "
             "`period` and `sporadic`."},
    {.name = "clock",
     .type = GRT_FIELD_CHOICE,
     .offset = TASK(clock),
     .fallback = "\"absolute\"",
     .choices = clocks,
     .help = "From where the task counts to its next arrival: from the one before (absolute), or from the "
             "instant at which "
             "that job became ready (relative), so that all jitter adds up and the task drifts. Only with "
             "`period`."},
    {.name = "deadline",
     .type = GRT_FIELD_TIME,
     .offset = TASK(deadline),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Relative deadline. Default: `period` or `sporadic.min_gap`; with `poisson`, `times`, "
             "`after` and `separation` none."},
    {.name = "deadline_from",
     .type = GRT_FIELD_CHOICE,
     .offset = TASK(deadline_from),
     .fallback = "\"arrival\"",
     .choices = deadline_origins,
     .help = "The deadline counts from the arrival (with `after`: the latest arrival of the tasks before) or "
             "from the "
             "moment the job becomes ready. Only where there is a deadline."},
    {.name = "on_miss",
     .type = GRT_FIELD_CHOICE,
     .offset = TASK(on_miss),
     .fallback = "\"continue\"",
     .choices = miss_reactions,
     .help = "What happens to a job that misses its deadline: it goes on, it is aborted, it goes on and the "
             "next job is "
             "left out, or the simulation stops. Only where there is a deadline."},
    {.name = "separation",
     .type = GRT_FIELD_TIME,
     .offset = TASK(separation),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Makes the task throughput-oriented: what counts is not how soon a job ends after its arrival, "
             "but that consecutive jobs end this far apart. Default: the task is latency-oriented, and what "
             "counts is its deadline."},
    {.name = "priority",
     .type = GRT_FIELD_INTEGER,
     .offset = TASK(priority),
     .fallback = "",
     .min = -1000000000,
     .max = 1000000000,
     .help =
         "Larger is more urgent. All tasks have one or none has; then they are rate monotonic and distinct: "
         "a "
         "shorter period (least or mean gap; with `times` and `after` the deadline) is more urgent, then the "
         "earlier place in the file."},
    {.name = "cpu",
     .type = GRT_FIELD_INTEGER,
     .offset = TASK(cpu),
     .fallback = "",
     .max = GRT_MAX_CORES - 1,
     .help = "The core of the task's thread, from 0. Required where `platform.cpus` is above 1 and the task "
             "has CPU "
             "segments, not allowed where it is 0."},
    {.name = "stream",
     .type = GRT_FIELD_NAME,
     .offset = TASK(stream),
     .fallback = "",
     .help = "Stream of the task's commands, for policies that keep the user's streams; tasks may share one. "
             "`\"null\"` "
             "is the NULL stream. Default: a stream of its own."},
    {.name = "stream_priority",
     .type = GRT_FIELD_INTEGER,
     .offset = TASK(stream_priority),
     .fallback = "0",
     .min = -1000,
     .max = 0,
     .help = "Priority of the stream as in CUDA: 0 is the lowest, a negative number more urgent; clamped to "
             "what the "
             "device has."},
    {.name = "split_overhead",
     .type = GRT_FIELD_TIME,
     .offset = TASK(split_overhead),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "What each piece costs, at most, into which a policy cuts the task's GPU segments, besides the "
             "device's own launch "
             "time: waking up the server, splitting, synchronising. `tdm` spends it at the start of each "
             "slot (delta of GPU-TDMh); "
             "policies that run segments whole do not."},
    {.name = "process",
     .type = GRT_FIELD_NAME,
     .offset = AT(process),
     .fallback = "",
     .help = "The process of the task. Processes take turns on a GPU, and streams, stream priorities and the "
             "NULL stream "
             "are a process's own. Tasks that name none are together in the process `main`. Only policy "
             "`hardware` keeps "
             "processes apart."},
    {.name = "tpcs",
     .type = GRT_FIELD_CUSTOM,
     .offset = TASK(tpcs),
     .fallback = "",
     .custom = GRT_CUSTOM_SMS,
     .help = "The TPCs whose SMs the task's kernels may use, from 0. Default: all. Rules W1 to W3."},
    {.name = "group",
     .type = GRT_FIELD_NAME,
     .offset = AT(group),
     .fallback = "",
     .help = "The group of SMs (`platform.groups`) that the task's kernels may use, instead of `tpcs`. "
             "Default: all SMs. Rule W5."},
    {.name = "gpu",
     .type = GRT_FIELD_INTEGER,
     .offset = TASK(gpu),
     .fallback = "0",
     .max = GRT_MAX_GPUS - 1,
     .help = "The GPU of the task, by its place in `platform.gpus`, from 0; every MIG instance has a place "
             "of its "
             "own."},
    {.name = "segments",
     .type = GRT_FIELD_LIST,
     .offset = AT(segments),
     .min = 1,
     .max = GRT_MAX_SEGMENTS,
     .record = &grt_segment_record,
     .help = "What a job does, step by step."},
};

const struct grt_record grt_task_record = {
    .name = "task",
    .size = sizeof(struct grt_task_fields),
    .fields = task_fields,
    .field_count = GRT_FIELD_COUNT(task_fields),
    .help = "A task releases jobs, each of which runs through the task's segments.",
};

GRT_READER(grt_read_names) {
    const struct grt_field name = {.name = field->name, .type = GRT_FIELD_NAME};
    struct grt_field_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, 1, GRT_MAX_TASKS, &count)) {
        return;
    }
    const char **names = grt_arena_array(reader->arena, count, sizeof *names);
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &name, element, &place, &names[place.index]);
    }
    *list = (struct grt_field_list){names, count};
}

static void copy_command(const struct grt_command_fields *fields, struct grt_command_spec *command) {
    bool is_kernel = fields->h2d == 0 && fields->d2h == 0;
    if (fields->call != GRT_COMMAND_KERNEL) {
        grt_copy_call(fields, command);
        return;
    }
    command->sync = fields->sync;
    command->pageable = fields->pageable;
    command->kind = is_kernel ? GRT_COMMAND_KERNEL : fields->h2d > 0 ? GRT_COMMAND_H2D : GRT_COMMAND_D2H;
    command->bytes = fields->h2d + fields->d2h;
    if (is_kernel) {
        command->kernel = fields->kernel;
    }
}

static void copy_segment(struct grt_reader *reader, const struct grt_segment_fields *fields,
                         struct grt_segment *segment) {
    segment->kind = fields->gpu.count > 0 ? GRT_SEGMENT_GPU : GRT_SEGMENT_CPU;
    segment->cpu_time = fields->cpu;
    segment->cpu_bandwidth = fields->bandwidth;
    grt_copy_host(&fields->host, segment);
    struct grt_command_spec *commands = grt_arena_array(reader->arena, fields->gpu.count, sizeof *commands);
    for (size_t i = 0; i < fields->gpu.count; i++) {
        copy_command((const struct grt_command_fields *)fields->gpu.items + i, &commands[i]);
    }
    segment->commands = fields->gpu.count > 0 ? commands : NULL;
    segment->command_count = fields->gpu.count;
}

static void copy_segments(struct grt_reader *reader, struct grt_task_fields *fields) {
    size_t count = fields->segments.count;
    struct grt_segment *segments = grt_arena_array(reader->arena, count, sizeof *segments);
    for (size_t i = 0; i < count; i++) {
        copy_segment(reader, (const struct grt_segment_fields *)fields->segments.items + i, &segments[i]);
    }
    fields->task.segments = segments;
    fields->task.segment_count = count;
}

static void copy_times(const struct grt_time_list *times, const struct grt_time_list *delays,
                       struct grt_task *task) {
    task->times = times->times;
    task->time_count = times->count;
    task->delays = delays->times;
}

/* The first of the ways to arrive that the object has; check_one_of has counted them. */
static void copy_arrival(struct grt_task_fields *fields, const cJSON *object) {
    struct grt_task *task = &fields->task;
    if (grt_json_find(object, "period") != NULL) {
        task->arrival = GRT_ARRIVAL_PERIODIC;
        task->period = fields->period;
    } else if (grt_json_find(object, "sporadic") != NULL) {
        task->arrival = GRT_ARRIVAL_SPORADIC;
        task->period = fields->sporadic.min_gap;
        task->extra_gap = fields->sporadic.extra_gap;
        copy_times(&fields->sporadic.times, &fields->sporadic.delays, task);
    } else if (grt_json_find(object, "poisson") != NULL) {
        task->arrival = GRT_ARRIVAL_POISSON;
        task->period = fields->poisson.mean_gap;
    } else if (grt_json_find(object, "times") != NULL) {
        task->arrival = GRT_ARRIVAL_TIMES;
        copy_times(&fields->times, &fields->delays, task);
    } else {
        task->arrival = GRT_ARRIVAL_AFTER;
    }
}

static void check_arrival(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                          const struct grt_task *task) {
    bool takes_offset = task->times == NULL && task->arrival != GRT_ARRIVAL_AFTER;
    bool has_gap = task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_SPORADIC;
    struct grt_path offset = {.parent = path, .key = "offset"}, jitter = {.parent = path, .key = "jitter"};
    if (!takes_offset && grt_json_find(object, "offset") != NULL) {
        grt_error_add(reader->errors, &offset, "does not go together with \"%s\"",
                      task->arrival == GRT_ARRIVAL_AFTER   ? "after"
                      : task->arrival == GRT_ARRIVAL_TIMES ? "times"
                                                           : "sporadic.times");
    }
    if (task->extra_gap.declared > 0 || task->extra_gap.evidence != GRT_EVIDENCE_ASSUMED) {
        struct grt_path sporadic = {.parent = path, .key = "sporadic"},
                        gap = {.parent = &sporadic, .key = "extra_gap"},
                        declared = {.parent = &gap,
                                    .key = task->extra_gap.declared > 0 ? "declared" : "evidence"};
        grt_error_add(reader->errors, &declared, "has no meaning for a gap");
    }
    if (!has_gap && grt_json_find(object, "jitter") != NULL) {
        grt_error_add(reader->errors, &jitter, "goes only together with \"period\" or \"sporadic\"");
    }
    if (task->arrival != GRT_ARRIVAL_PERIODIC && grt_json_find(object, "clock") != NULL) {
        struct grt_path clock = {.parent = path, .key = "clock"};
        grt_error_add(reader->errors, &clock, "goes only together with \"period\"");
    }
    grt_check_releases(reader, object, path, task);
}

static void set_deadline(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                         struct grt_task *task) {
    struct grt_path places[] = {{.parent = path, .key = "on_miss"}, {.parent = path, .key = "deadline_from"}};
    bool has_gap = task->arrival == GRT_ARRIVAL_PERIODIC || task->arrival == GRT_ARRIVAL_SPORADIC;
    bool by_default = has_gap && grt_json_find(object, "separation") == NULL;
    if (grt_json_find(object, "deadline") != NULL) {
        return;
    }
    task->deadline = by_default ? task->period : GRT_TIME_NEVER;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !by_default; i++) {
        const cJSON *value = grt_json_find(object, places[i].key);
        if (value != NULL) {
            grt_read_error(reader, &places[i], value, "has no meaning without a deadline");
        }
    }
}

GRT_FINISH(grt_finish_task) {
    struct grt_task_fields *fields = out;
    struct grt_task *task = &fields->task;
    fields->clean = clean;
    fields->has_priority = grt_json_find(object, "priority") != NULL;
    fields->has_cpu = grt_json_find(object, "cpu") != NULL;
    copy_arrival(fields, object);
    if (clean) {
        check_arrival(reader, object, path, task);
    }
    set_deadline(reader, object, path, task);
    copy_segments(reader, fields);
}
