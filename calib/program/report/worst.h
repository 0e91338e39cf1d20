/* What extreme value theory says about execution times, for people and for programs. */
#ifndef GRT_CALIB_PROGRAM_REPORT_WORST_H
#define GRT_CALIB_PROGRAM_REPORT_WORST_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "calib/evt/pwcet.h"
#include "cli/terminal/options.h"

/* Whether any method has a fit. */
bool grt_worst_has_fits(const struct grt_pwcet *pwcet);

/* Whether every exceedance has a time. */
bool grt_worst_has_value(const struct grt_pwcet *pwcet);

/* What an answer is by: a method, or all runs where they are equal; "-" where there is none. */
const char *grt_worst_by(const struct grt_pwcet_answer *answer);

/* Between what an answer is, in its unit; "-": there is nothing like that. In the arena. */
const char *grt_worst_interval_text(const struct grt_pwcet_answer *answer, const char *unit_name,
                                    struct grt_arena *arena);

/* Prints answers, methods, tests, warnings and refusals; times in ns, except with `unit_name` of some other unit that the values have ("": none). */
void grt_worst_print(const struct grt_pwcet *pwcet, const char *name, const char *unit_name,
                     const struct grt_style *style, FILE *out);

/* The same as an object, to be freed with cJSON_Delete; values in the unit that they have. */
cJSON *grt_worst_json(const struct grt_pwcet *pwcet, const char *name);

/* A value in its unit: "118.2us" of ns, else four digits with the unit. In the arena. */
const char *grt_worst_value_text(double value, const char *unit_name, struct grt_arena *arena);

/* The same of a time that others go by: to the ns, below 1 us to a thousandth of it, and never to the wrong side. In the arena. */
const char *grt_worst_upper_text(double value, const char *unit_name, struct grt_arena *arena);
const char *grt_worst_lower_text(double value, const char *unit_name, struct grt_arena *arena);

/* What there is where there is no model, and what it is worth: a sentence in the arena. NULL: every exceedance has a time, or there is nothing. */
const char *grt_worst_fallback_text(const struct grt_pwcet *pwcet, const char *unit_name,
                                    struct grt_arena *arena);

#endif
