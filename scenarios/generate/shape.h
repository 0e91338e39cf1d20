/* What the generators of the registry share; internal to them. */
#ifndef GRT_SCENARIOS_GENERATE_SHAPE_H
#define GRT_SCENARIOS_GENERATE_SHAPE_H

#include "scenarios/generate/generators.h"
#include "scenarios/generate/periods.h"

/* An option of `gpurt generate`, by which makers of sets call what is wrong, and the field of the record that says the same. */
struct grt_option_field {
    const char *option, *field;
};

/* Moves errors whose paths are options to `to`, with the paths of the fields; `names` ends with {0}, other options are called as their
 * fields, but for "-". `from` is empty then. */
void grt_shape_errors(struct grt_errors *from, const struct grt_option_field *names, struct grt_errors *to,
                      const struct grt_path *path);

/* The four fields of periods, and their granularity, for a record of the struct `holder` with a struct grt_period_spec `member`; the bounds as
 * JSON texts. */
#define GRT_PERIOD_FIELDS(holder, member, usual, shortest, longest)                                          \
    {.name = "periods",                                                                                      \
     .type = GRT_FIELD_CHOICE,                                                                               \
     .offset = offsetof(holder, member.method),                                                              \
     .fallback = usual,                                                                                      \
     .choices = grt_period_method_names,                                                                     \
     .help =                                                                                                 \
         "How periods are drawn: uniform or log-uniform from `min_period` to `max_period`, the divisors "    \
         "of `hyperperiod` in that range, or as frequent as in engine control."},                            \
        {.name = "min_period",                                                                               \
         .type = GRT_FIELD_TIME,                                                                             \
         .offset = offsetof(holder, member.least),                                                           \
         .fallback = shortest,                                                                               \
         .min = 1,                                                                                           \
         .max = GRT_TIME_LIMIT,                                                                              \
         .help = "Shortest period."},                                                                        \
        {.name = "max_period",                                                                               \
         .type = GRT_FIELD_TIME,                                                                             \
         .offset = offsetof(holder, member.most),                                                            \
         .fallback = longest,                                                                                \
         .min = 1,                                                                                           \
         .max = GRT_TIME_LIMIT,                                                                              \
         .help = "Longest period."},                                                                         \
        {.name = "granularity",                                                                              \
         .type = GRT_FIELD_TIME,                                                                             \
         .offset = offsetof(holder, member.granularity),                                                     \
         .fallback = "\"1ms\"",                                                                              \
         .min = 1,                                                                                           \
         .max = GRT_TIME_LIMIT,                                                                              \
         .help = "Periods and random offsets are multiples of this."},                                       \
    {                                                                                                        \
        .name = "hyperperiod", .type = GRT_FIELD_TIME, .offset = offsetof(holder, member.hyperperiod),       \
        .fallback = "", .min = 1, .max = GRT_TIME_LIMIT,                                                     \
        .help = "Of which periods are divisors, with `periods` `divisors`."                                  \
    }

/* Adds an error for bounds that the method of drawing periods does not use; `usual`: the defaults. */
void grt_shape_check_periods(const struct grt_period_spec *periods, const struct grt_period_spec *usual,
                             struct grt_errors *errors, const struct grt_path *path);

/* The name of set number `number`, from 0, as `gpurt generate` calls it. */
const char *grt_shape_name(uint64_t seed, uint64_t number, struct grt_arena *arena);

extern const struct grt_generator_ops grt_generator_independent, grt_generator_cores;
extern const struct grt_generator_ops grt_generator_applications, grt_generator_scenario;

#endif
