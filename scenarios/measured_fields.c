/* Measured values, and tails above them. */
#include <stddef.h>

#include "scenarios/records.h"
#include "scenarios/shared_lists.h"

#define AT(member) offsetof(struct grt_tail, member)

static const struct grt_field tail_fields[] = {
    {.name = "threshold",
     .type = GRT_FIELD_TIME,
     .offset = AT(threshold),
     .max = GRT_TIME_LIMIT,
     .help =
         "Above it draws are of the tail; those below are among the values that are not above it, of which "
         "there is one at least."},
    {.name = "scale",
     .type = GRT_FIELD_TIME,
     .offset = AT(scale),
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Scale of the generalised Pareto distribution of what is above the threshold."},
    {.name = "shape",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(shape),
     .min = -GRT_STEEPEST_SHAPE,
     .max = GRT_STEEPEST_SHAPE,
     .help = "Its shape: above 0 a heavy tail, 0 an exponential one, below 0 one that ends at threshold - "
             "scale / shape."},
    {.name = "ratio",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(ratio),
     .max = 1,
     .help = "How many of all draws are above the threshold: above 0, at most 1."},
};

const struct grt_record grt_tail_record = {
    .name = "tail",
    .size = sizeof(struct grt_tail),
    .fields = tail_fields,
    .field_count = GRT_FIELD_COUNT(tail_fields),
    .help =
        "What longer times than were measured often are like, as peaks over a threshold show it (S. Coles, "
        "An Introduction to Statistical Modeling of Extreme Values, 2001, chapter 4).",
};

GRT_READER(grt_read_tail) {
    const struct grt_tail **tail = out;
    struct grt_tail *read = grt_arena_new(reader->arena, struct grt_tail);
    (void)field;
    if (grt_read_record(reader, &grt_tail_record, value, path, read)) {
        *tail = read;
    }
}

static grt_time *read_values(struct grt_reader *reader, const cJSON *list, size_t count,
                             const struct grt_path *path) {
    const struct grt_field span = {.type = GRT_FIELD_TIME, .max = GRT_TIME_LIMIT};
    grt_time *values = grt_arena_array(reader->arena, count, sizeof *values), latest = 0;
    struct grt_path place = {.parent = path};
    for (const cJSON *element = list->child; element != NULL; element = element->next, place.index++) {
        values[place.index] = latest;
        grt_read_plain_value(reader, &span, element, &place, &values[place.index]);
        if (values[place.index] < latest) {
            grt_read_error(reader, &place, element, "must not be below the one before it");
        }
        latest = values[place.index];
    }
    return values;
}

GRT_READER(grt_read_measured) {
    const struct grt_measured **measured = out;
    struct grt_field_list list;
    size_t count, before = reader->errors->count;
    (void)field;
    if (grt_shared_find(reader, value, &list)) {
        *measured = list.items;
        return;
    }
    if (!grt_read_list(reader, value, path, 1, GRT_MOST_MEASURED, &count)) {
        return;
    }
    struct grt_measured *read = grt_arena_new(reader->arena, struct grt_measured);
    *read = (struct grt_measured){read_values(reader, value, count, path), count};
    if (reader->errors->count == before) {
        *measured = read;
        grt_shared_add(reader, value, &(struct grt_field_list){read, 1});
    }
}
