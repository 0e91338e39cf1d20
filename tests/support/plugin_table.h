/* A sound table of a plug-in, which tests change, and what is said of it then. */
#ifndef GRT_TESTS_SUPPORT_PLUGIN_TABLE_H
#define GRT_TESTS_SUPPORT_PLUGIN_TABLE_H

#include "models/analysis.h"
#include "models/policy.h"
#include "sim/field.h"

struct plugin_numbers {
    int64_t first, second;
    bool truth;
};

/* What a table is made of; a case changes some of it. */
struct plugin_table {
    struct grt_field fields[3];
    struct grt_record record;
    struct grt_analysis_ops analysis, second;
    const struct grt_analysis_ops *analyses[3];
    struct grt_policy_ops policy;
};

/* Makes it sound: a policy mine with three parameters and two analyses. */
void make_plugin_table(struct plugin_table *table);

#endif
