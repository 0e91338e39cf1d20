/* What an evaluation sees of a set, as the text of a scenario file: written in the simplest way, read again, and held against the original by the
 * traces of both, so that a text never says something else. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "models/world.h"
#include "scenarios/scenario.h"
#include "sim/unit.h"
#include "study/sampler.h"

/* ---- fields of records ---- */

static void put_quantity(cJSON *object, const char *key, enum grt_quantity quantity, int64_t value) {
    char text[GRT_UNIT_TEXT_SIZE];
    cJSON_AddStringToObject(object, key, grt_unit_text(quantity, value, text));
}

static void put_time(cJSON *object, const char *key, grt_time time) {
    put_quantity(object, key, GRT_QUANTITY_TIME, time);
}

static void put_whole(cJSON *object, const struct grt_field *field, int64_t value) {
    static const enum grt_quantity quantities[] = {[GRT_FIELD_TIME] = GRT_QUANTITY_TIME,
                                                   [GRT_FIELD_SIZE] = GRT_QUANTITY_SIZE,
                                                   [GRT_FIELD_RATE] = GRT_QUANTITY_RATE,
                                                   [GRT_FIELD_FREQUENCY] = GRT_QUANTITY_FREQUENCY};
    if (field->type <= GRT_FIELD_FREQUENCY) {
        put_quantity(object, field->name, quantities[field->type], value);
    } else if (field->type == GRT_FIELD_CHOICE) {
        cJSON_AddStringToObject(object, field->name, field->choices[value]);
    } else {
        cJSON_AddNumberToObject(object, field->name, (double)value);
    }
}

/* Puts what is not as in `usual`, of fields with simple values. */
static void put_changes(cJSON *object, const struct grt_record *record, const void *given,
                        const void *usual) {
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const char *value = (const char *)given + field->offset, *other = (const char *)usual + field->offset;
        if (field->type <= GRT_FIELD_INTEGER || field->type == GRT_FIELD_CHOICE) {
            int64_t whole, usually;
            memcpy(&whole, value, sizeof whole);
            memcpy(&usually, other, sizeof usually);
            if (whole != usually) {
                put_whole(object, field, whole);
            }
        } else if (field->type == GRT_FIELD_NUMBER && memcmp(value, other, sizeof(double)) != 0) {
            double number;
            memcpy(&number, value, sizeof number);
            cJSON_AddNumberToObject(object, field->name, number);
        } else if (field->type == GRT_FIELD_BOOLEAN && *value != *other) {
            cJSON_AddBoolToObject(object, field->name, *value != 0);
        }
    }
}

/* ---- tasks ---- */

static void put_span(cJSON *object, const char *key, const struct grt_distribution *span) {
    if (grt_distribution_is_constant(span) && grt_distribution_worst(span) == span->max) {
        put_time(object, key, span->max);
        return;
    }
    cJSON *item = cJSON_AddObjectToObject(object, key);
    put_time(item, "min", grt_distribution_is_constant(span) ? span->max : span->min);
    put_time(item, "max", span->max);
    if (span->declared > 0) {
        put_time(item, "declared", span->declared);
    }
}

static void put_command(cJSON *list, const struct grt_command_spec *spec) {
    static const char *const copies[] = {[GRT_COMMAND_H2D] = "h2d", [GRT_COMMAND_D2H] = "d2h"};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    if (spec->kind == GRT_COMMAND_H2D || spec->kind == GRT_COMMAND_D2H) {
        put_quantity(item, copies[spec->kind], GRT_QUANTITY_SIZE, spec->bytes);
        return;
    }
    const struct grt_kernel *kernel = &spec->kernel;
    cJSON_AddStringToObject(item, "kernel", kernel->name != NULL ? kernel->name : "?");
    if (!kernel->whole_device) {
        cJSON_AddNumberToObject(item, "blocks", (double)kernel->blocks);
        cJSON_AddNumberToObject(item, "threads", (double)kernel->needs.threads);
    }
    put_span(item, kernel->whole_device ? "time" : "block_time", &kernel->block_time);
}

static void put_segment(cJSON *list, const struct grt_segment *segment) {
    static const char *const parts[] = {[GRT_HOST_BEFORE] = "before", [GRT_HOST_AFTER] = "after"};
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    if (segment->kind == GRT_SEGMENT_CPU) {
        put_span(item, "cpu", &segment->cpu_time);
        return;
    }
    cJSON *commands = cJSON_AddArrayToObject(item, "gpu");
    for (size_t i = 0; i < segment->command_count; i++) {
        put_command(commands, &segment->commands[i]);
    }
    cJSON *host = grt_segment_has_host_parts(segment) ? cJSON_AddObjectToObject(item, "host") : NULL;
    for (int part = 0; part < 2 && host != NULL; part++) {
        if (grt_distribution_worst(&segment->host_part[part]) > 0) {
            put_span(host, parts[part], &segment->host_part[part]);
        }
    }
}

static void put_task(cJSON *list, const struct grt_scenario *scenario, const struct grt_task *task) {
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "name", task->name);
    put_time(item, "period", task->period);
    if (task->offset > 0) {
        put_time(item, "offset", task->offset);
    }
    if (task->jitter > 0) {
        put_time(item, "jitter", task->jitter);
    }
    if (task->deadline != task->period && task->deadline != GRT_TIME_NEVER) {
        put_time(item, "deadline", task->deadline);
    }
    cJSON_AddNumberToObject(item, "priority", (double)task->priority);
    if (scenario->core_count > 0 && task->cpu >= 0) {
        cJSON_AddNumberToObject(item, "cpu", (double)task->cpu);
    }
    if (task->gpu > 0) {
        cJSON_AddNumberToObject(item, "gpu", (double)task->gpu);
    }
    if (task->split_overhead > 0) {
        put_time(item, "split_overhead", task->split_overhead);
    }
    cJSON *segments = cJSON_AddArrayToObject(item, "segments");
    for (size_t i = 0; i < task->segment_count; i++) {
        put_segment(segments, &task->segments[i]);
    }
}

/* ---- the rest ---- */

static bool put_gpu(cJSON *list, const struct grt_device *device, struct grt_arena *arena,
                    struct grt_errors *errors) {
    struct grt_device preset = {0};
    if (!grt_device_find(device->name, NULL, arena, &preset, errors, NULL)) {
        return false;
    }
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "device", device->name);
    put_changes(item, &grt_device_record, device, &preset);
    return true;
}

static bool put_platform(cJSON *tree, const struct grt_scenario *scenario, struct grt_arena *arena,
                         struct grt_errors *errors) {
    cJSON *platform = cJSON_AddObjectToObject(tree, "platform");
    if (scenario->core_count > 0) {
        cJSON_AddNumberToObject(platform, "cpus", (double)scenario->core_count);
    }
    if (scenario->context_switch > 0) {
        put_time(platform, "context_switch", scenario->context_switch);
    }
    if (scenario->wake_up > 0) {
        put_time(platform, "wake_up", scenario->wake_up);
    }
    cJSON *gpus = cJSON_AddArrayToObject(platform, "gpus");
    bool good = true;
    for (size_t i = 0; i < scenario->gpu_count && good; i++) {
        good = put_gpu(gpus, &scenario->gpus[i], arena, errors);
    }
    return good;
}

static void put_policy(cJSON *tree, const struct grt_scenario_draft *draft, struct grt_arena *arena) {
    const struct grt_record *record = draft->policy->parameters;
    cJSON *policy = cJSON_AddObjectToObject(tree, "policy");
    cJSON_AddStringToObject(policy, "name", draft->policy->name);
    if (record != NULL && draft->parameters != NULL) {
        void *usual = grt_arena_array(arena, 1, record->size);
        grt_record_defaults(record, usual);
        put_changes(policy, record, draft->parameters, usual);
    }
}

static char *write(const struct grt_scenario_draft *draft, struct grt_arena *arena,
                   struct grt_errors *errors) {
    const struct grt_scenario *scenario = &draft->scenario;
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "gpurt", 1);
    cJSON_AddStringToObject(tree, "name", scenario->name);
    cJSON_AddNumberToObject(tree, "seed", (double)scenario->seed);
    put_time(tree, "horizon", scenario->horizon);
    bool good = put_platform(tree, scenario, arena, errors);
    put_policy(tree, draft, arena);
    cJSON *tasks = cJSON_AddArrayToObject(tree, "tasks");
    for (size_t i = 0; i < scenario->task_count; i++) {
        put_task(tasks, scenario, &scenario->tasks[i]);
    }
    char *text = good ? cJSON_Print(tree) : NULL;
    cJSON_Delete(tree);
    return text;
}

/* ---- is it the same ---- */

/* The digest of a run's trace; 0 after adding errors. */
static uint64_t digest_of(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                          const void *parameters, struct grt_errors *errors) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_world *world =
        grt_world_create(scenario, policy, parameters, &(struct grt_world_options){.trace = trace}, errors);
    uint64_t digest = 0;
    if (world != NULL) {
        grt_world_run(world);
        grt_trace_finish(trace);
        digest = trace->digest;
        grt_world_free(world);
    }
    grt_trace_free(trace);
    return digest;
}

static bool says_the_same(const char *text, const struct grt_scenario_draft *draft,
                          struct grt_errors *errors) {
    struct grt_scenario_file file;
    if (!grt_scenario_parse(text, strlen(text), NULL, NULL, &file, errors)) {
        return false;
    }
    uint64_t written = digest_of(&file.scenario, file.policy, file.policy_parameters, errors);
    bool same = errors->count == 0 &&
                digest_of(&draft->scenario, draft->policy, draft->parameters, errors) == written;
    grt_scenario_file_free(&file);
    return same;
}

char *grt_sampler_scenario(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                           struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_arena arena = {0};
    const struct grt_scenario_draft *draft = grt_sampler_look(sampler, point, sample, evaluation, errors);
    char *text = draft != NULL ? write(draft, &arena, errors) : NULL;
    if (text != NULL && !says_the_same(text, draft, errors)) {
        free(text);
        text = NULL;
    }
    if (text == NULL && errors->count == before) {
        grt_error_add(errors, NULL,
                      "the set has what cannot be written as a scenario: a text of it is run in another way");
    }
    grt_arena_clear(&arena);
    return text;
}
