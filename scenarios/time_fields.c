/* Spans of time that may be random, and lists of instants. */
#include <stddef.h>
#include <string.h>

#include "scenarios/records.h"
#include "sim/distribution_names.h"

enum { MOST_TIMES = 100000 };

#define AT(member) offsetof(struct grt_distribution, member)

static const struct grt_field time_fields[] = {
    {.name = "distribution",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(kind),
     .fallback = "\"uniform\"",
     .choices = grt_distribution_names,
     .help = "The law of the draws. `constant`: max. `uniform`: whole nanoseconds from min to max. `normal`: "
             "location is "
             "the mean, scale the standard deviation. `lognormal`: location + exp(N(ln scale, shape)). "
             "`exponential`: "
             "location + exponential with mean scale. `gamma`: location + gamma(shape, scale). `weibull`: "
             "location + "
             "Weibull(scale, shape). `gumbel`: location - scale * ln(-ln U), the law of maxima. `pareto`: "
             "location + "
             "Pareto with exponent shape and smallest value scale. `empirical`: one of the measured "
             "`values`, each as "
             "probable as the others, with a `tail` above a threshold or without; nothing in between is made "
             "up. `gev`: location + scale * ((-ln U)^-shape - 1) / shape, generalised extreme values. `gpd`: "
             "location + scale * (U^-shape - 1) / shape, generalised Pareto, above its threshold, the "
             "location. U is uniform between 0 and 1; where a shape is 0 these two are `gumbel` and "
             "`exponential`."},
    {.name = "location",
     .type = GRT_FIELD_TIME,
     .offset = AT(location),
     .fallback = "\"0ns\"",
     .min = -GRT_TIME_LIMIT,
     .max = GRT_TIME_LIMIT,
     .help = "Shift of the distribution; may be negative. Not for `constant`, `uniform` and "
             "`empirical`."},
    {.name = "scale",
     .type = GRT_FIELD_TIME,
     .offset = AT(scale),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "Width of the distribution; required, but not for `constant`, `uniform` and `empirical`."},
    {.name = "shape",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(shape),
     .fallback = "",
     .help =
         "Shape of a `lognormal`, `gamma`, `weibull` or `pareto` distribution, above 0; required there "
         "and not for "
         "others. Of `gev` and `gpd` it is required, too, and from -10 to 10: above 0 a heavy tail, below "
         "0 an upper end."},
    {.name = "values",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(measured),
     .fallback = "",
     .custom = GRT_CUSTOM_MEASURED,
     .help =
         "The values of an `empirical` distribution, in ascending order, equal ones as often as they were "
         "measured. Required there, and not for others."},
    {.name = "tail",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(tail),
     .fallback = "",
     .custom = GRT_CUSTOM_TAIL,
     .help = "What is above a threshold of an `empirical` distribution; values above it are not drawn then. "
             "Default: nothing but the values."},
    {.name = "min",
     .type = GRT_FIELD_TIME,
     .offset = AT(min),
     .fallback = "",
     .max = GRT_TIME_LIMIT,
     .help = "Least span: smaller draws are raised to it. Required for `uniform`, not for `constant`; else "
             "the least of `values`, or 0; 1ns "
             "where the span has to be above 0."},
    {.name = "max",
     .type = GRT_FIELD_TIME,
     .offset = AT(max),
     .max = GRT_TIME_LIMIT,
     .help = "Greatest span: larger draws are lowered to it. The worst case that policies and analyses go "
             "by, unless `declared` "
             "says otherwise."},
    {.name = "declared",
     .type = GRT_FIELD_TIME,
     .offset = AT(declared),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help = "The worst case that policies and analyses go by: a longer draw is an overrun, as of a kernel "
             "that was not "
             "measured well enough. It may be above max, for draws that stay below it. Default: max."},
    {.name = "evidence",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(evidence),
     .fallback = "\"assumed\"",
     .choices = grt_evidence_names,
     .help =
         "What the worst case rests on. `assumed`: somebody says it. `model`: a model of extreme value "
         "theory, "
         "of measured times. `constant`: measured times that were all equal. `no-model`: a choice by "
         "measured times, since methods did not agree, none fitted, or runs of another kind took longer. "
         "`refused`: the same, since the "
         "measured times allow no extrapolation. Of the last two programs say so, and nothing that goes by "
         "them is called proven."},
};

const struct grt_record grt_time_record = {
    .name = "time",
    .size = sizeof(struct grt_distribution),
    .fields = time_fields,
    .field_count = GRT_FIELD_COUNT(time_fields),
    .help = "A random span of time. Where a field takes one, a plain duration is a constant, "
            "`{\"min\": \"1ms\", \"max\": \"2ms\"}` a uniform distribution.",
};

/* Which fields the kinds use beside `max`. */
enum use {
    USES_MIN = 1,
    USES_LOCATION = 2,
    USES_TAIL = 4,
    USES_SCALE = 8, /* from here on what is used is required */
    USES_SHAPE = 16,
    USES_VALUES = 32
};

static const struct {
    const char *name;
    enum use use;
} uses[] = {{"min", USES_MIN},     {"location", USES_LOCATION}, {"scale", USES_SCALE},
            {"shape", USES_SHAPE}, {"values", USES_VALUES},     {"tail", USES_TAIL}};

static unsigned uses_of(int64_t kind) {
    switch (kind) {
    case GRT_CONSTANT:
        return 0;
    case GRT_UNIFORM:
        return USES_MIN;
    case GRT_EMPIRICAL:
        return USES_MIN | USES_VALUES | USES_TAIL;
    case GRT_LOGNORMAL:
    case GRT_GAMMA:
    case GRT_WEIBULL:
    case GRT_PARETO:
    case GRT_GEV:
    case GRT_GPD:
        return USES_MIN | USES_LOCATION | USES_SCALE | USES_SHAPE;
    default:
        return USES_MIN | USES_LOCATION | USES_SCALE;
    }
}

static void check_uses(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                       int64_t kind) {
    const char *article = grt_distribution_names[kind][0] == 'e' ? "an" : "a";
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        struct grt_path place = {.parent = path, .key = uses[i].name};
        bool given = grt_json_find(object, uses[i].name) != NULL, used = (uses_of(kind) & uses[i].use) != 0;
        bool needed = used && (kind == GRT_UNIFORM || uses[i].use >= USES_SCALE);
        if (given && !used) {
            grt_error_add(reader->errors, &place, "has no meaning for %s %s distribution", article,
                          grt_distribution_names[kind]);
        } else if (!given && needed) {
            grt_error_add(reader->errors, &place, "required for %s %s distribution", article,
                          grt_distribution_names[kind]);
        }
    }
}

GRT_FINISH(grt_finish_time) {
    struct grt_distribution *time = out;
    size_t before = reader->errors->count;
    if (!clean) {
        return;
    }
    check_uses(reader, object, path, time->kind);
    if (time->kind == GRT_CONSTANT) {
        time->min = time->max;
    }
    if (reader->errors->count > before) {
        return;
    }
    if (time->kind == GRT_EMPIRICAL && grt_json_find(object, "min") == NULL) {
        time->min = time->measured->values[0] < time->max ? time->measured->values[0] : time->max;
    }
    grt_distribution_check(time, reader->errors, path);
}

/* Draws of a positive span are at least 1ns. */
static void make_positive(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                          struct grt_distribution *time) {
    const char *key = time->max == 0 ? "max" : "min";
    const cJSON *value = grt_json_find(object, key);
    if (time->min == 0 && value != NULL) {
        struct grt_path place = {.parent = path, .key = key};
        grt_read_error(reader, &place, value, "must be above 0");
    } else if (time->min == 0) {
        time->min = 1;
    }
}

GRT_READER(grt_read_span) {
    bool positive = field->custom == GRT_CUSTOM_POSITIVE_SPAN;
    struct grt_distribution *time = out;
    if (cJSON_IsObject(value)) {
        if (grt_read_record(reader, &grt_time_record, value, path, time) && positive) {
            make_positive(reader, value, path, time);
        }
        return;
    }
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value,
                       "must be a duration such as \"250us\" or an object with min and max");
        return;
    }
    const struct grt_field span = {.type = GRT_FIELD_TIME, .min = positive, .max = GRT_TIME_LIMIT};
    grt_read_plain_value(reader, &span, value, path, &time->max);
    time->min = time->max;
    time->kind = GRT_CONSTANT;
}

/* Reads a list of spans from 0 on; where they are instants, none may be before the one before it. */
static void read_list(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                      bool ascending, struct grt_time_list *list) {
    const struct grt_field span = {.type = GRT_FIELD_TIME, .max = GRT_TIME_LIMIT};
    size_t count;
    if (!grt_read_list(reader, value, path, 1, MOST_TIMES, &count)) {
        return;
    }
    *list = (struct grt_time_list){grt_arena_array(reader->arena, count, sizeof *list->times), count};
    struct grt_path place = {.parent = path};
    grt_time latest = 0;
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_time *time = &list->times[place.index];
        *time = latest;
        grt_read_plain_value(reader, &span, element, &place, time);
        if (ascending && *time < latest) {
            grt_read_error(reader, &place, element, "must not be before the one before it");
        }
        latest = ascending ? *time : 0;
    }
}

GRT_READER(grt_read_times) {
    (void)field;
    read_list(reader, value, path, true, out);
}

GRT_READER(grt_read_delays) {
    (void)field;
    read_list(reader, value, path, false, out);
}
