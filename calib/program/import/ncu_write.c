#include <cjson/cJSON.h>
#include <string.h>

#include "calib/program/import/ncu_usage.h"
#include "scenarios/records.h"
#include "sim/check.h"

/* On one line, with spaces between its parts. */
static void print(FILE *out, const cJSON *value) {
    if (!cJSON_IsObject(value)) {
        char *text = cJSON_PrintUnformatted(value);
        GRT_REQUIRE(text != NULL, "have more memory");
        fputs(text, out);
        cJSON_free(text);
        return;
    }
    fputc('{', out);
    for (const cJSON *part = value->child; part != NULL; part = part->next) {
        fprintf(out, "\"%s\": ", part->string);
        print(out, part);
        fputs(part->next != NULL ? ", " : "", out);
    }
    fputc('}', out);
}

static void put(FILE *out, const char *key, cJSON *value, const char *after) {
    fprintf(out, "  \"%s\": ", key);
    print(out, value);
    fprintf(out, "%s\n", after);
    cJSON_Delete(value);
}

/* The known ones of a list of numbers, by the names in their record. */
static cJSON *numbers(const struct grt_record *record, const double *values, const bool *known) {
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < record->field_count; i++) {
        size_t index = record->fields[i].offset / sizeof(double);
        if (known[index]) {
            cJSON_AddNumberToObject(object, record->fields[i].name, values[index]);
        }
    }
    return object;
}

static cJSON *describe(const struct grt_ncu_usage *usage) {
    char text[400];
    const struct grt_ncu_launch *like = usage->like;
    snprintf(text, sizeof text,
             "%.120s, grid %.40s, blocks %.40s: %zu launches counted by ncu, compute capability %.8s",
             like->kernel, like->grid[0] != '\0' ? like->grid : "not said",
             like->block[0] != '\0' ? like->block : "not said", usage->launches,
             like->capability[0] != '\0' ? like->capability : "not said");
    for (char *at = text; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x20 || (unsigned char)*at > 0x7e ? '?' : *at;
    }
    return cJSON_CreateString(text);
}

static cJSON *sources(const struct grt_ncu_usage *usage) {
    cJSON *object = cJSON_CreateObject();
    char time[128];
    snprintf(time, sizeof time,
             "measured under the profiler: the median of %zu launches, which spread by %.3g%%",
             usage->launches, 100 * usage->time_spread);
    cJSON_AddStringToObject(object, "measured_time", time);
    cJSON_AddStringToObject(object, "sm_utilisation", usage->utilisation_source);
    cJSON_AddStringToObject(object, "demand", usage->demand_source);
    cJSON_AddStringToObject(object, "counters", usage->counters_source);
    return object;
}

void grt_ncu_usage_write(const struct grt_ncu_usage *usage, FILE *out) {
    char time[GRT_TIME_TEXT_SIZE];
    fputs("{\n  \"gpurt_usage\": 1,\n", out);
    put(out, "name", cJSON_CreateString(usage->name), ",");
    put(out, "description", describe(usage), ",");
    put(out, "measured_time", cJSON_CreateString(grt_time_text(usage->fields.measured_time, time)), ",");
    put(out, "sm_utilisation", cJSON_CreateNumber(usage->fields.usage.sm_utilisation), ",");
    put(out, "demand", numbers(&grt_resources_record, usage->fields.usage.demand, usage->has_demand), ",");
    put(out, "counters", numbers(&grt_counters_record, usage->fields.usage.counters, usage->has_counter),
        ",");
    put(out, "sources", sources(usage), "");
    fputs("}\n", out);
}
