#include "calib/program/files/device_write.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/device_base.h"
#include "calib/program/files/file_text.h"
#include "scenarios/file_kind.h"
#include "scenarios/read_fields.h"
#include "sim/time.h"
#include "sim/unit.h"

const char *grt_device_file_name(const struct grt_bench_device *device, struct grt_arena *arena) {
    char name[GRT_BENCH_NAME_SIZE];
    size_t used = 0;
    for (const char *at = device->name; *at != '\0' && used + 1 < sizeof name; at++) {
        if (isalnum((unsigned char)*at)) {
            name[used++] = (char)tolower((unsigned char)*at);
        } else if (used > 0 && name[used - 1] != '-') {
            name[used++] = '-';
        }
    }
    used -= used > 0 && name[used - 1] == '-';
    name[used < GRT_NAME_LENGTH ? used : GRT_NAME_LENGTH] = '\0';
    return grt_arena_text(arena, used > 0 ? name : "device");
}

/* ---- single fields ---- */

static const struct grt_field *field_of(const char *name) {
    for (size_t i = 0; i < grt_device_record.field_count; i++) {
        if (strcmp(grt_device_record.fields[i].name, name) == 0) {
            return &grt_device_record.fields[i];
        }
    }
    return NULL;
}

static cJSON *quantity(enum grt_quantity quantity, int64_t value) {
    char text[GRT_UNIT_TEXT_SIZE];
    return cJSON_CreateString(grt_unit_text(quantity, value, text));
}

/* NULL: the finding has no value that the field can have. */
static cJSON *write_value(const struct grt_field *field, const struct grt_finding *finding) {
    char text[GRT_TIME_TEXT_SIZE];
    if (finding->word != NULL) {
        return cJSON_CreateString(finding->word);
    }
    if (!isfinite(finding->value) || fabs(finding->value) > (double)GRT_TIME_LIMIT) {
        return NULL;
    }
    bool counts =
        finding->unit == GRT_UNIT_NONE || finding->unit == GRT_UNIT_BYTES; /* they are what they are */
    int64_t whole = llround(counts ? finding->value
                                   : grt_written_value(finding->value, finding->low, finding->high, true));
    whole = whole < 0 ? 0 : whole; /* noise around nothing */
    switch (field->type) {
    case GRT_FIELD_TIME:
        return cJSON_CreateString(grt_time_text(whole, text));
    case GRT_FIELD_SIZE:
        return quantity(GRT_QUANTITY_SIZE, whole);
    case GRT_FIELD_RATE:
        return quantity(GRT_QUANTITY_RATE, whole);
    case GRT_FIELD_FREQUENCY:
        return quantity(GRT_QUANTITY_FREQUENCY, whole);
    case GRT_FIELD_INTEGER:
        return cJSON_CreateNumber((double)whole);
    case GRT_FIELD_CUSTOM:
        snprintf(text, sizeof text, "%d.%d", (int)(whole / 10), (int)(whole % 10));
        return field->custom == GRT_DEVICE_CUSTOM_COMPUTE_CAPABILITY ? cJSON_CreateString(text) : NULL;
    default:
        return NULL;
    }
}

static void set(cJSON *object, const char *key, cJSON *value) {
    if (cJSON_GetObjectItemCaseSensitive(object, key) != NULL) {
        cJSON_ReplaceItemInObjectCaseSensitive(object, key, value);
    } else {
        cJSON_AddItemToObject(object, key, value);
    }
}

/* The measured ones after those that the driver told, so that they stay. */
static void put_findings(cJSON *root, cJSON *sources, const struct grt_fit *fit,
                         enum grt_finding_status status, struct grt_arena *arena) {
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        const struct grt_field *field = finding->field != NULL ? field_of(finding->field) : NULL;
        cJSON *value = field != NULL && finding->status == status ? write_value(field, finding) : NULL;
        if (value != NULL) {
            set(root, field->name, value);
            set(sources, field->name, cJSON_CreateString(grt_source_text(finding, arena)));
        }
    }
}

/* ---- slowdowns ---- */

/* Of several partitions that a pair was measured in, that of the most equal parts. */
static bool is_chosen(const struct grt_fit *fit, const struct grt_fitted_slowdown *slowdown) {
    for (size_t i = 0; i < fit->slowdown_count; i++) {
        const struct grt_fitted_slowdown *other = &fit->slowdowns[i];
        bool same =
            strcmp(other->workload, slowdown->workload) == 0 && strcmp(other->beside, slowdown->beside) == 0;
        int64_t apart = llabs(other->sms - other->beside_sms),
                own = llabs(slowdown->sms - slowdown->beside_sms);
        if (other != slowdown && same && other->beside_sms > 0 &&
            (apart < own || (apart == own && other < slowdown))) {
            return false;
        }
    }
    return slowdown->beside_sms > 0;
}

/* Those that are slower beyond doubt. */
static void put_slowdowns(cJSON *root, cJSON *sources, const struct grt_fit *fit) {
    cJSON *rows = cJSON_CreateArray();
    for (size_t i = 0; i < fit->slowdown_count; i++) {
        const struct grt_fitted_slowdown *slowdown = &fit->slowdowns[i];
        if (is_chosen(fit, slowdown) && slowdown->is_separate && slowdown->low > 1) {
            cJSON *row = cJSON_CreateObject();
            cJSON_AddStringToObject(row, "class", slowdown->workload);
            cJSON_AddStringToObject(row, "beside", slowdown->beside);
            cJSON_AddNumberToObject(
                row, "factor", grt_written_value(slowdown->factor, slowdown->low, slowdown->high, false));
            cJSON_AddItemToArray(rows, row);
        }
    }
    if (cJSON_GetArraySize(rows) == 0) {
        cJSON_Delete(rows);
        return;
    }
    set(root, "slowdowns", rows);
    set(sources, "slowdowns",
        cJSON_CreateString("measured: median times on SMs of their own over what block times say, of pairs "
                           "whose 95 % interval "
                           "is above 1; experiments together and coresidency"));
}

/* ---- the file ---- */

static int64_t number_of(const cJSON *root, const char *key) {
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(root, key);
    return cJSON_IsNumber(number) ? (int64_t)number->valuedouble : 1;
}

/* Of how many SMs a TPC is, is assumed as on the preset: not where it cannot be. */
static void mend_tpcs(cJSON *root, cJSON *sources) {
    int64_t sms_per_tpc = number_of(root, "sms_per_tpc");
    if (sms_per_tpc > 1 && number_of(root, "sm_count") % sms_per_tpc != 0) {
        set(root, "sms_per_tpc", cJSON_CreateNumber(1));
        set(sources, "sms_per_tpc",
            cJSON_CreateString("not known: the number of SMs is no multiple of that of similar devices"));
    }
}

static cJSON *describe(const struct grt_raw *raw) {
    char text[400];
    const char *pretended = grt_pretended_text(raw);
    snprintf(text, sizeof text, "%s%s%s%s, measured %s by %s on back end %s, driver %d.%d", raw->device.name,
             pretended != NULL ? " (pretended: " : "", pretended != NULL ? pretended : "",
             pretended != NULL ? ")" : "", raw->started != NULL ? raw->started : "",
             raw->program != NULL ? raw->program : "gpurt-calib", raw->backend != NULL ? raw->backend : "?",
             raw->device.driver_version / 1000, raw->device.driver_version % 1000 / 10);
    return cJSON_CreateString(text);
}

static cJSON *device_tree(const struct grt_fit *fit, const char *name, struct grt_arena *arena) {
    cJSON *root = grt_device_base_tree(&fit->raw->device);
    cJSON *sources = cJSON_DetachItemFromObjectCaseSensitive(root, "sources");
    cJSON_DeleteItemFromObjectCaseSensitive(root, "aliases");
    set(root, "name",
        cJSON_CreateString(name != NULL ? name : grt_device_file_name(&fit->raw->device, arena)));
    set(root, "description", describe(fit->raw));
    cJSON_DeleteItemFromObjectCaseSensitive(sources, "description");
    put_findings(root, sources, fit, GRT_FINDING_TOLD, arena);
    put_findings(root, sources, fit, GRT_FINDING_MEASURED, arena);
    put_slowdowns(root, sources, fit);
    mend_tpcs(root, sources);
    grt_sources_mark(sources, fit->raw);
    cJSON_AddItemToObject(root, "sources", sources);
    return root;
}

bool grt_device_file_read(const char *text, size_t size, struct grt_arena *arena, struct grt_device *device,
                          struct grt_errors *errors) {
    static const struct grt_path root = {0};
    size_t before = errors->count;
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = "."};
    cJSON *tree = grt_json_parse(text, size, errors);
    *device = (struct grt_device){0};
    bool good = tree != NULL && grt_file_kind_check(tree, GRT_FILE_DEVICE, errors) &&
                grt_read_record(&reader, &grt_device_record, tree, &root, device) &&
                grt_device_check(device, errors, &root);
    cJSON_Delete(tree);
    return good && errors->count == before;
}

char *grt_device_file_text(const struct grt_fit *fit, const char *name, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_device device;
    char *text = grt_tree_text(device_tree(fit, name, &arena));
    if (!grt_device_file_read(text, strlen(text), &arena, &device, errors)) {
        free(text);
        text = NULL;
    }
    grt_arena_clear(&arena);
    return text;
}
