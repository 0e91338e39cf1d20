#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "calib/program/files/raw_reader.h"
#include "calib/raw/raw_lines.h"
#include "calib/raw/raw_shapes.h"

enum { FIRST_ITEMS = 16 };

static const struct grt_path root;

static bool is_whole(const cJSON *value) {
    return cJSON_IsNumber(value) && floor(value->valuedouble) == value->valuedouble &&
           fabs(value->valuedouble) <= (double)GRT_RAW_INTEGER_LIMIT;
}

bool raw_reader_read_values(struct raw_reader *reader, const cJSON *list, const struct grt_path *place,
                            size_t *count) {
    *count = 0;
    if (!cJSON_IsArray(list)) {
        grt_read_error(&reader->fields, place, list, "must be a list");
        return false;
    }
    for (const cJSON *value = list->child; value != NULL; value = value->next) {
        if (!is_whole(value)) {
            struct grt_path element = {.parent = place, .index = *count};
            grt_read_error(&reader->fields, &element, value, "must be a whole number up to 2^53 - 1");
            return false;
        }
        uint32_t needed = reader->value_count + 1, first = GRT_FIRST_CAPACITY(FIRST_ITEMS);
        reader->values = grt_array_grow(reader->values, &reader->value_capacity,
                                        needed > first ? needed : first, sizeof *reader->values);
        reader->values[reader->value_count++] = (int64_t)value->valuedouble;
        ++*count;
    }
    return true;
}

static bool read_keys(struct raw_reader *reader, const cJSON *cell, struct grt_raw_batch *batch) {
    struct grt_path place = {.parent = &root, .key = "cell"};
    if (!cJSON_IsObject(cell)) {
        grt_read_error(&reader->fields, &place, cell, "must be an object");
        return false;
    }
    for (const cJSON *value = cell->child; value != NULL; value = value->next) {
        bool is_text = cJSON_IsString(value);
        if (batch->key_count == GRT_RAW_KEYS || (!is_text && !is_whole(value))) {
            grt_read_error(&reader->fields, &place, cell, "must have up to %d texts and whole numbers",
                           GRT_RAW_KEYS);
            return false;
        }
        batch->keys[batch->key_count++] =
            (struct grt_raw_key){.name = value->string,
                                 .text = is_text ? value->valuestring : NULL,
                                 .number = is_text ? 0 : (int64_t)value->valuedouble};
    }
    return true;
}

static bool read_columns(struct raw_reader *reader, const cJSON *columns, struct grt_raw_batch *batch) {
    struct grt_path place = {.parent = &root, .key = "columns"};
    if (!cJSON_IsObject(columns)) {
        grt_read_error(&reader->fields, &place, columns, "must be an object");
        return false;
    }
    reader->value_count = 0;
    for (const cJSON *list = columns->child; list != NULL; list = list->next) {
        struct grt_path column = {.parent = &place, .key = list->string};
        size_t count;
        if (batch->column_count == GRT_RAW_COLUMNS) {
            grt_error_add(reader->fields.errors, &place, "has more than %d columns", GRT_RAW_COLUMNS);
            return false;
        }
        if (!raw_reader_read_values(reader, list, &column, &count)) {
            return false;
        }
        if (batch->column_count > 0 && count != batch->count) {
            grt_error_add(reader->fields.errors, &column, "has %zu values, the column before %zu", count,
                          batch->count);
            return false;
        }
        batch->count = count;
        batch->columns[batch->column_count++].name = list->string;
    }
    for (size_t i = 0; i < batch->column_count; i++) {
        batch->columns[i].values = reader->values + i * batch->count;
    }
    return true;
}

static bool is_workload(const struct raw_reader *reader, const char *name) {
    for (uint32_t i = 0; i < reader->workload_count; i++) {
        if (strcmp(reader->workloads[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_kernel(const char *name) {
    for (int i = 0; i < GRT_KERNEL_IDS; i++) {
        if (strcmp(grt_kernel_kinds[i].name, name) == 0) {
            return true;
        }
    }
    return strcmp(name, GRT_RAW_USER_KERNEL) == 0;
}

static void check_names(struct raw_reader *reader, const struct grt_raw_shape *shape,
                        const struct grt_raw_batch *batch) {
    for (size_t i = 0; i < shape->key_count; i++) {
        const char *text = batch->keys[i].text;
        if (text == NULL) {
            continue; /* a number */
        }
        enum grt_raw_key_kind kind = shape->keys[i].kind;
        bool nothing = kind == GRT_RAW_KEY_BESIDE && strcmp(text, "nothing") == 0;
        if (kind == GRT_RAW_KEY_KERNEL && !is_kernel(text)) {
            raw_reader_complain(reader, "cell: names a kernel that there is not");
        } else if ((kind == GRT_RAW_KEY_WORKLOAD || kind == GRT_RAW_KEY_BESIDE) && !nothing &&
                   !is_workload(reader, text)) {
            raw_reader_complain(reader, "cell: names a workload of which no line before tells");
        }
    }
}

static bool check_limit(struct raw_reader *reader, const struct grt_path *place, const char *name,
                        int64_t value) {
    int64_t least, most;
    grt_raw_limits(name, &least, &most);
    if (value >= least && value <= most) {
        return true;
    }
    struct grt_path key = {.parent = place, .key = name};
    grt_error_add(reader->fields.errors, &key, "must be from %" PRId64 " to %" PRId64 " (got %" PRId64 ")",
                  least, most, value);
    return false;
}

static void check_numbers(struct raw_reader *reader, const struct grt_raw_batch *batch) {
    const struct grt_path cell = {.parent = &root, .key = "cell"},
                          columns = {.parent = &root, .key = "columns"};
    for (size_t i = 0; i < batch->key_count; i++) {
        if (batch->keys[i].text == NULL) {
            check_limit(reader, &cell, batch->keys[i].name, batch->keys[i].number);
        }
    }
    for (size_t i = 0; i < batch->column_count; i++) {
        const struct grt_raw_column *column = &batch->columns[i];
        size_t k = 0;
        while (k < batch->count && check_limit(reader, &columns, column->name, column->values[k])) {
            k++;
        }
    }
}

/* The fields of a line of samples but its cell and columns. */
struct batch_line {
    const char *experiment;
    int64_t at_ns, dropped, cpu;
    double sm_mhz;
};

static const struct grt_field batch_fields[] = {
    {.name = "experiment", .type = GRT_FIELD_NAME, .offset = offsetof(struct batch_line, experiment)},
    {.name = "at_ns",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct batch_line, at_ns),
     .min = -GRT_RAW_INTEGER_LIMIT,
     .max = GRT_RAW_INTEGER_LIMIT},
    {.name = "sm_mhz", .type = GRT_FIELD_NUMBER, .offset = offsetof(struct batch_line, sm_mhz)},
    {.name = "cpu",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct batch_line, cpu),
     .fallback = "0",
     .max = INT32_MAX},
    {.name = "dropped",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct batch_line, dropped),
     .min = 0,
     .max = INT32_MAX},
};
static const struct grt_record batch_record = {.name = "samples",
                                               .size = sizeof(struct batch_line),
                                               .fields = batch_fields,
                                               .field_count = GRT_FIELD_COUNT(batch_fields)};

/* Why samples were dropped: the reasons' fields are in the order of grt_raw_drop_names. */
struct drops_line {
    int64_t of[GRT_RAW_DROPS];
};

/* Absent: nobody said why. Otherwise every one has its reason. */
static bool read_drops(struct raw_reader *reader, const cJSON *object, int64_t dropped,
                       struct grt_raw_batch *batch) {
    struct grt_path place = {.parent = &root, .key = "dropped_for"};
    struct grt_field fields[GRT_RAW_DROPS];
    struct drops_line drops = {0};
    size_t sum = 0;
    batch->dropped = (size_t)dropped;
    if (object == NULL) {
        return true;
    }
    for (size_t i = 0; i < GRT_RAW_DROPS; i++) {
        fields[i] = (struct grt_field){.name = grt_raw_drop_names[i],
                                       .type = GRT_FIELD_INTEGER,
                                       .offset = offsetof(struct drops_line, of) + i * sizeof drops.of[0],
                                       .fallback = "0",
                                       .max = INT32_MAX};
    }
    const struct grt_record record = {
        .name = "dropped_for", .size = sizeof drops, .fields = fields, .field_count = GRT_RAW_DROPS};
    if (!grt_read_record(&reader->fields, &record, object, &place, &drops)) {
        return false;
    }
    for (size_t i = 0; i < GRT_RAW_DROPS; i++) {
        batch->dropped_for[i] = (size_t)drops.of[i];
        sum += batch->dropped_for[i];
    }
    if (sum != batch->dropped) {
        grt_error_add(reader->fields.errors, &place, "must add up to dropped, which is %zu (got %zu)",
                      batch->dropped, sum);
        return false;
    }
    return true;
}

void raw_reader_read_samples(struct raw_reader *reader, cJSON *line) {
    struct batch_line values = {0};
    struct grt_raw_batch batch = {0};
    cJSON *drops = cJSON_DetachItemFromObjectCaseSensitive(line, "dropped_for");
    cJSON *cell = cJSON_DetachItemFromObjectCaseSensitive(line, "cell");
    cJSON *columns = cJSON_DetachItemFromObjectCaseSensitive(line, "columns");
    if (!reader->has_device) {
        raw_reader_complain(reader, "there are samples before the line of the device");
    } else if (cell == NULL || columns == NULL) {
        raw_reader_complain(reader, "cell and columns are required");
    } else if (grt_read_record(&reader->fields, &batch_record, line, &root, &values) &&
               read_drops(reader, drops, values.dropped, &batch) && read_keys(reader, cell, &batch) &&
               read_columns(reader, columns, &batch)) {
        batch.experiment = values.experiment;
        batch.sm_mhz = values.sm_mhz;
        batch.has_cpu = grt_json_find(line, "cpu") != NULL;
        batch.cpu = values.cpu;
        const char *why = NULL;
        const struct grt_raw_shape *shape = grt_raw_shape_of(&batch, &why);
        if (shape == NULL) {
            grt_error_add(reader->fields.errors, NULL, "experiment \"%s\": %s", batch.experiment, why);
        } else {
            check_names(reader, shape, &batch);
            check_numbers(reader, &batch);
            if (!grt_raw_join_add(reader->join, &batch, reader->fields.arena)) {
                raw_reader_complain(reader, "columns: lines of this cell before had others");
            }
        }
    }
    cJSON_Delete(drops);
    cJSON_Delete(cell);
    cJSON_Delete(columns);
}
