/* Fields of experiments that are no plain values. */
#include <math.h>
#include <string.h>

#include "scenarios/experiment/fields.h"

GRT_READER(grt_read_as_it_is) {
    (void)reader;
    (void)field;
    (void)path;
    *(const cJSON **)out = value;
}

static bool is_there_before(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (names[i] != NULL && strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

GRT_READER(grt_read_name_list) {
    const struct grt_field name = {.name = field->name, .type = GRT_FIELD_NAME};
    struct grt_field_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, field->min, field->max, &count)) {
        return;
    }
    const char **names = grt_arena_array(reader->arena, count, sizeof *names);
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &name, element, &place, &names[place.index]);
        const char *read = names[place.index];
        if (read != NULL && is_there_before(names, place.index, read)) {
            grt_read_error(reader, &place, element, "is there twice");
        }
    }
    *list = (struct grt_field_list){names, count};
}

GRT_READER(grt_read_plot_span) {
    const struct grt_field number = {.name = field->name, .type = GRT_FIELD_NUMBER};
    double *span = out;
    size_t count, before = reader->errors->count;
    if (!grt_read_list(reader, value, path, 2, 2, &count)) {
        return;
    }
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &number, element, &place, &span[place.index]);
    }
    if (reader->errors->count == before && !(span[0] < span[1])) {
        grt_read_error(reader, path, value, "must be two numbers, the smaller one first");
    }
}

GRT_READER(grt_read_end) {
    struct grt_end_fields *end = out;
    if (!cJSON_IsObject(value)) {
        const struct grt_field span = {
            .name = field->name, .type = GRT_FIELD_TIME, .min = 1, .max = GRT_TIME_LIMIT};
        grt_read_plain_value(reader, &span, value, path, &end->horizon);
        return;
    }
    if (grt_read_record(reader, &grt_periods_record, value, path, &end->periods) && !(end->periods > 0)) {
        const struct grt_path place = {.parent = path, .key = "periods"};
        grt_read_error(reader, &place, grt_json_find(value, "periods"), "must be above 0");
    }
}

/* ---- the generator ---- */

static const char *generator_name(size_t number) {
    return grt_generators[number] != NULL ? grt_generators[number]->name : NULL;
}

GRT_READER(grt_read_generator) {
    struct grt_sets_fields *sets = out;
    const struct grt_path place = {.parent = path, .key = "name"};
    const cJSON *name = grt_json_find(value, "name");
    const char *read = NULL;
    (void)field;
    if (!cJSON_IsObject(value)) {
        grt_read_error(reader, path, value, "must be an object such as {\"name\":\"independent\"}");
        return;
    }
    if (name == NULL) {
        grt_error_add(reader->errors, &place, "required");
        return;
    }
    sets->generator = cJSON_IsString(name) ? grt_generator_find(name->valuestring) : NULL;
    if (!cJSON_IsString(name)) {
        grt_read_error(reader, &place, name, "must be a text");
    } else if (sets->generator == NULL) {
        grt_read_unknown(reader, name, &place, "generator", generator_name);
    } else {
        sets->parameters = grt_arena_array(reader->arena, 1, sets->generator->record->size);
        const struct grt_read_part parts[] = {{.record = &grt_generator_record, .out = &read},
                                              {.record = sets->generator->record, .out = sets->parameters}};
        grt_read_parts(reader, parts, 2, value, path);
    }
}
