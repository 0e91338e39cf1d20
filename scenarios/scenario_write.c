#define _XOPEN_SOURCE 700 /* realpath */

#include "scenarios/scenario_write.h"

#include <stdlib.h>
#include <string.h>

#include "models/priority.h"
#include "scenarios/record_write.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "sim/check.h"
#include "sim/memory.h"

/* What all parts need. */
struct writer {
    struct grt_arena arena;
    struct grt_errors *errors;
    bool by_rates; /* priorities are rate monotonic, as where nothing is said of them */
};

/* ---- Tasks, back into the structs that files are read into ---- */

static void set_command(struct writer *writer, const struct grt_command_spec *command,
                        struct grt_command_fields *fields, const struct grt_path *path) {
    if (command->kind == GRT_COMMAND_H2D || command->kind == GRT_COMMAND_D2H) {
        *(command->kind == GRT_COMMAND_H2D ? &fields->h2d : &fields->d2h) = command->bytes;
        fields->sync = command->sync;
        fields->pageable = command->pageable;
        return;
    }
    if (command->kind != GRT_COMMAND_KERNEL) {
        grt_error_add(writer->errors, path, "a call cannot be written");
        return;
    }
    fields->kernel = command->kernel;
    if (command->kernel.whole_device) {
        fields->time = command->kernel.block_time;
        fields->kernel.block_time = (struct grt_distribution){0};
        fields->kernel.draw_per = GRT_DRAW_PER_BLOCK; /* not to be said of these */
    }
}

static void set_segment(struct writer *writer, const struct grt_segment *segment,
                        struct grt_segment_fields *fields, const struct grt_path *path) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        fields->cpu = segment->cpu_time;
        fields->bandwidth = segment->cpu_bandwidth;
        return;
    }
    struct grt_path list = {.parent = path, .key = "gpu"}, place = {.parent = &list};
    struct grt_command_fields *commands =
        grt_arena_array(&writer->arena, segment->command_count, sizeof *commands);
    for (; place.index < segment->command_count; place.index++) {
        set_command(writer, &segment->commands[place.index], &commands[place.index], &place);
    }
    fields->gpu = (struct grt_field_list){commands, segment->command_count};
    memcpy(fields->host.part, segment->host_part, sizeof fields->host.part);
    fields->host.mode = segment->host_mode;
}

static void set_arrival(struct writer *writer, const struct grt_task *task, struct grt_task_fields *fields,
                        const struct grt_path *path) {
    const struct grt_time_list times = {(grt_time *)(size_t)task->times, task->time_count}, /* only read */
        delays = {(grt_time *)(size_t)task->delays, task->delays != NULL ? task->time_count : 0};
    switch (task->arrival) {
    case GRT_ARRIVAL_PERIODIC:
        fields->period = task->period;
        return;
    case GRT_ARRIVAL_SPORADIC:
        fields->sporadic = (struct grt_sporadic_fields){
            .min_gap = task->period, .extra_gap = task->extra_gap, .times = times, .delays = delays};
        return;
    case GRT_ARRIVAL_POISSON:
        fields->poisson.mean_gap = task->period;
        return;
    case GRT_ARRIVAL_TIMES:
        fields->times = times;
        fields->delays = delays;
        return;
    default:
        grt_error_add(writer->errors, path, "a task after others cannot be written");
    }
}

static cJSON *write_segment(struct writer *writer, const struct grt_segment *segment,
                            const struct grt_path *path) {
    struct grt_segment_fields fields = {0};
    set_segment(writer, segment, &fields, path);
    cJSON *object = grt_record_write(&grt_segment_record, &fields, writer->errors, path);
    /* A kernel of the whole device says `time`, others `block_time`; a span of 0 is the other. */
    cJSON_DeleteItemFromObjectCaseSensitive(object, segment->kind == GRT_SEGMENT_CPU ? "gpu" : "cpu");
    cJSON *command;
    cJSON_ArrayForEach(command, cJSON_GetObjectItemCaseSensitive(object, "gpu")) {
        static const char *const spans[] = {"time", "block_time", "exit_time", "callback"};
        for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
            const char *text = cJSON_GetStringValue(grt_json_find(command, spans[i]));
            bool counts = strcmp(spans[i], "exit_time") == 0 && grt_json_find(command, "sms") != NULL;
            if (text != NULL && strcmp(text, "0s") == 0 && !counts) {
                cJSON_DeleteItemFromObjectCaseSensitive(command, spans[i]);
            }
        }
    }
    return object;
}

static void put_segments(struct writer *writer, cJSON *object, const struct grt_task *task,
                         const struct grt_path *path) {
    struct grt_path list = {.parent = path, .key = "segments"}, place = {.parent = &list};
    cJSON *segments = cJSON_CreateArray();
    for (; place.index < task->segment_count; place.index++) {
        cJSON_AddItemToArray(segments, write_segment(writer, &task->segments[place.index], &place));
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, "segments");
    cJSON_AddItemToObject(object, "segments", segments);
}

static cJSON *write_task(struct writer *writer, const struct grt_task *task, const struct grt_path *path) {
    struct grt_task_fields fields = {.task = *task};
    set_arrival(writer, task, &fields, path);
    if (task->tpcs.count > 0) {
        grt_error_add(writer->errors, path, "groups of TPCs cannot be written");
    }
    fields.task.tpcs = (struct grt_number_list){0};
    fields.task.priority = fields.task.cpu = 0;
    cJSON *object = grt_record_write(&grt_task_record, &fields, writer->errors, path);
    bool usual = task->arrival == GRT_ARRIVAL_PERIODIC && task->deadline == task->period;
    if (usual || task->deadline == GRT_TIME_NEVER || task->deadline == 0) {
        cJSON_DeleteItemFromObjectCaseSensitive(object, "deadline");
    }
    cJSON_DeleteItemFromObjectCaseSensitive(object, "priority");
    cJSON_DeleteItemFromObjectCaseSensitive(object, "cpu");
    if (!writer->by_rates) {
        cJSON_AddNumberToObject(object, "priority", (double)task->priority);
    }
    if (task->cpu >= 0) {
        cJSON_AddNumberToObject(object, "cpu", (double)task->cpu);
    }
    put_segments(writer, object, task, path);
    return object;
}

/* ---- The rest ---- */

/* Moves the fields of `from`, which is freed, behind those of `object`. */
static void append(cJSON *object, cJSON *from) {
    while (from->child != NULL) {
        cJSON *field = cJSON_DetachItemViaPointer(from, from->child);
        cJSON_AddItemToObject(object, field->string, field);
    }
    cJSON_Delete(from);
}

/* By name with what differs from the preset, else in place. */
static cJSON *write_gpu(struct writer *writer, const struct grt_device *gpu, const struct grt_path *path) {
    struct grt_errors unused = {0};
    struct grt_device *preset = grt_arena_new(&writer->arena, struct grt_device);
    bool named = gpu->name != NULL && grt_device_find(gpu->name, ".", &writer->arena, preset, &unused, path);
    grt_errors_clear(&unused);
    cJSON *object = cJSON_CreateObject();
    if (named) {
        cJSON_AddStringToObject(object, "device", gpu->name);
        append(object, grt_record_difference(&grt_device_record, gpu, preset, writer->errors, path));
    } else {
        cJSON_AddItemToObject(object, "device",
                              grt_record_write(&grt_device_record, gpu, writer->errors, path));
    }
    return object;
}

static void put_cost(cJSON *object, const char *key, grt_time cost) {
    char text[GRT_TIME_TEXT_SIZE];
    if (cost > 0) {
        cJSON_AddStringToObject(object, key, grt_time_text(cost, text));
    }
}

static cJSON *write_platform(struct writer *writer, const struct grt_scenario *scenario) {
    static const struct grt_path root = {0};
    struct grt_path platform = {&root, "platform", 0}, list = {&platform, "gpus", 0},
                    place = {&list, NULL, 0};
    cJSON *object = cJSON_CreateObject(), *gpus = cJSON_CreateArray();
    if (scenario->process_count > 1 ||
        (scenario->process_count == 1 && strcmp(scenario->processes[0].name, "main") != 0)) {
        grt_error_add(writer->errors, &platform, "several processes cannot be written");
    }
    if (scenario->core_count > 0) {
        cJSON_AddNumberToObject(object, "cpus", (double)scenario->core_count);
    }
    put_cost(object, "context_switch", scenario->context_switch);
    put_cost(object, "wake_up", scenario->wake_up);
    for (; place.index < scenario->gpu_count; place.index++) {
        cJSON_AddItemToArray(gpus, write_gpu(writer, &scenario->gpus[place.index], &place));
    }
    cJSON_AddItemToObject(object, "gpus", gpus);
    return object;
}

static cJSON *write_policy(struct writer *writer, const struct grt_policy_ops *policy,
                           const void *parameters) {
    static const struct grt_path root = {0};
    const struct grt_path path = {&root, "policy", 0};
    cJSON *object = cJSON_CreateObject();
    if (policy->plugin != NULL) {
        char *place = realpath(policy->plugin, NULL); /* the file may be written into whatever folder */
        cJSON_AddStringToObject(object, "plugin", place != NULL ? place : policy->plugin);
        free(place);
    } else {
        cJSON_AddStringToObject(object, "name", policy->name);
    }
    if (policy->parameters != NULL && parameters != NULL) {
        append(object, grt_record_write(policy->parameters, parameters, writer->errors, &path));
    }
    return object;
}

/* ---- Text ---- */

/* A value on one line, with spaces between its parts. */
static void print(FILE *out, const cJSON *value) {
    if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
        char *text = cJSON_PrintUnformatted(value);
        GRT_REQUIRE(text != NULL, "have more memory");
        fputs(text, out);
        cJSON_free(text);
        return;
    }
    bool object = cJSON_IsObject(value);
    fputc(object ? '{' : '[', out);
    for (const cJSON *part = value->child; part != NULL; part = part->next) {
        if (object) {
            fprintf(out, "\"%s\": ", part->string);
        }
        print(out, part);
        fputs(part->next != NULL ? ", " : "", out);
    }
    fputc(object ? '}' : ']', out);
}

/* Writes one value, and takes it. */
static void put(FILE *out, const char *before, cJSON *value, const char *after) {
    fputs(before, out);
    print(out, value);
    fputs(after, out);
    cJSON_Delete(value);
}

static cJSON *write_horizon(const struct grt_scenario *scenario) {
    char text[GRT_TIME_TEXT_SIZE];
    return cJSON_CreateString(scenario->horizon_kind == GRT_HORIZON_HYPERPERIOD ? "hyperperiod"
                              : scenario->horizon_kind == GRT_HORIZON_AUTO
                                  ? "auto"
                                  : grt_time_text(scenario->horizon, text));
}

static bool are_by_rates(const struct grt_scenario *scenario, struct grt_arena *arena) {
    size_t count = scenario->task_count;
    struct grt_task *tasks = grt_arena_array(arena, count, sizeof *tasks);
    bool same = count > 0;
    for (size_t i = 0; i < count; i++) {
        tasks[i] = scenario->tasks[i];
    }
    grt_priorities_set(tasks, count, grt_rate_key);
    for (size_t i = 0; i < count && same; i++) {
        same = tasks[i].priority == scenario->tasks[i].priority;
    }
    return same;
}

static void write_head(struct writer *writer, FILE *out, const struct grt_scenario_content *content) {
    static const char *const ties[] = {"task", "arrival", "shuffle"};
    const struct grt_scenario *scenario = content->scenario;
    const char *name = scenario->name != NULL ? scenario->name : "";
    put(out, "{\n  \"gpurt\": 1,\n  \"name\": ", cJSON_CreateString(name), ",\n");
    if (content->description != NULL) {
        put(out, "  \"description\": ", cJSON_CreateString(content->description), ",\n");
    }
    put(out, "  \"seed\": ", cJSON_CreateNumber((double)scenario->seed), ",\n");
    put(out, "  \"horizon\": ", write_horizon(scenario), ",\n");
    if (scenario->ties != GRT_TIES_TASK) {
        put(out, "  \"ties\": ", cJSON_CreateString(ties[scenario->ties]), ",\n");
    }
    put(out, "  \"platform\": ", write_platform(writer, scenario), ",\n");
    put(out, "  \"policy\": ", write_policy(writer, content->policy, content->parameters), ",\n");
}

static void write_all(struct writer *writer, FILE *out, const struct grt_scenario_content *content) {
    static const struct grt_path root = {0};
    const struct grt_scenario *scenario = content->scenario;
    struct grt_path list = {&root, "tasks", 0}, place = {&list, NULL, 0};
    writer->by_rates = are_by_rates(scenario, &writer->arena);
    write_head(writer, out, content);
    fputs("  \"tasks\": [\n", out);
    for (; place.index < scenario->task_count; place.index++) {
        put(out, "    ", write_task(writer, &scenario->tasks[place.index], &place),
            place.index + 1 < scenario->task_count ? ",\n" : "\n");
    }
    fputs("  ]\n}\n", out);
}

bool grt_scenario_write(FILE *out, const struct grt_scenario_content *content, struct grt_errors *errors) {
    struct writer writer = {.errors = errors};
    size_t before = errors->count, size = 0;
    char *text = NULL;
    FILE *memory = open_memstream(&text, &size);
    GRT_REQUIRE(memory != NULL, "have more memory");
    if (content->scenario->adapted_for != NULL) {
        grt_error_add(errors, NULL, "a scenario that a policy has adapted cannot be written");
    }
    if (content->scenario->networks != NULL) {
        grt_error_add(errors, NULL, "networks: trained networks are in a file of their own");
    }
    write_all(&writer, memory, content);
    fclose(memory);
    if (errors->count == before) {
        fwrite(text, 1, size, out);
    }
    free(text);
    grt_arena_clear(&writer.arena);
    return errors->count == before;
}
