/* Fields of generators: one number or the two ends of a range; lists of texts. */
#include <string.h>

#include "scenarios/generate/generate.h"
#include "scenarios/records.h"

enum { MOST_TEXTS = 1000, LONGEST_TEXT = 1000 };

/* Reads one value for both ends, or a list of two for one each, of `size` bytes; false after an error. */
static bool read_ends(struct grt_reader *reader, const struct grt_field *end, const cJSON *value,
                      const struct grt_path *path, void *low, void *high, size_t size) {
    size_t before = reader->errors->count;
    if (!cJSON_IsArray(value)) {
        grt_read_plain_value(reader, end, value, path, low);
        memcpy(high, low, size);
        return reader->errors->count == before;
    }
    size_t count;
    if (!grt_read_list(reader, value, path, 2, 2, &count)) {
        return false;
    }
    const struct grt_path first = {.parent = path, .index = 0}, second = {.parent = path, .index = 1};
    grt_read_plain_value(reader, end, value->child, &first, low);
    grt_read_plain_value(reader, end, value->child->next, &second, high);
    return reader->errors->count == before;
}

static void add_disorder(struct grt_reader *reader, const cJSON *value, const struct grt_path *path) {
    grt_read_error(reader, path, value, "the lower bound comes first");
}

GRT_READER(grt_read_range) {
    const struct grt_field end = {
        .name = field->name, .type = GRT_FIELD_NUMBER, .min = field->min, .max = field->max};
    struct grt_generated_range *range = out, read = {0};
    if (read_ends(reader, &end, value, path, &read.low, &read.high, sizeof read.low)) {
        *range = read;
        if (read.low > read.high) {
            add_disorder(reader, value, path);
        }
    }
}

GRT_READER(grt_read_counts) {
    const struct grt_field end = {
        .name = field->name, .type = GRT_FIELD_INTEGER, .min = field->min, .max = field->max};
    struct grt_generated_count *range = out, read = {0};
    if (read_ends(reader, &end, value, path, &read.low, &read.high, sizeof read.low)) {
        *range = read;
        if (read.low > read.high) {
            add_disorder(reader, value, path);
        }
    }
}

GRT_READER(grt_read_texts) {
    const struct grt_field text = {
        .name = field->name, .type = GRT_FIELD_NAME, .min = 1, .max = LONGEST_TEXT};
    struct grt_field_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, 0, MOST_TEXTS, &count)) {
        return;
    }
    const char **texts = grt_arena_array(reader->arena, count, sizeof *texts);
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &text, element, &place, &texts[place.index]);
    }
    *list = (struct grt_field_list){texts, count};
}
