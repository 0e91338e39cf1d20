#include "tests/support/rodinia_sets.h"

#include <inttypes.h>
#include <stdio.h>

#include "tests/support/cunit.h"

enum { TEXT_SIZE = 8192 };

const struct rodinia_application rodinia_applications[RODINIA_APPLICATIONS] = {
    {"GS", "gaussian", 261 * GRT_MILLISECOND, 10}, {"HW", "heart_wall", 356 * GRT_MILLISECOND, 9},
    {"CFD", "cfd", 2081 * GRT_MILLISECOND, 8},     {"KM", "kmeans", 79 * GRT_MILLISECOND, 7},
    {"LM", "lavamd", 448 * GRT_MILLISECOND, 6},    {"LC", "leukocyte", 144 * GRT_MILLISECOND, 5},
    {"LUD", "lud", 28 * GRT_MILLISECOND, 4},       {"MC", "myocyte", 531 * GRT_MILLISECOND, 3},
    {"SRD", "srad", 301 * GRT_MILLISECOND, 2},     {"ST", "streamcluster", 1444 * GRT_MILLISECOND, 1}};

/* ---- sets ---- */

grt_time rodinia_set_horizon(const struct rodinia_set *set) {
    grt_time longest = 30 * GRT_SECOND;
    for (size_t i = 0; i < set->count; i++) {
        longest = set->items[i].period > longest ? set->items[i].period : longest;
    }
    return longest < 150 * GRT_SECOND ? 2 * longest : 300 * GRT_SECOND;
}

/* ---- runs ---- */

static void write_task(FILE *out, const struct rodinia_set *set, size_t i) {
    const struct rodinia_application *application = &rodinia_applications[set->items[i].application];
    fprintf(out,
            "%s{\"name\": \"%s\", \"period\": \"%" PRId64 "ns\", \"priority\": %" PRId64 ","
            " \"segments\": [{\"gpu\": [{\"kernel\": \"%s\", \"time\": \"%" PRId64
            "ns\", \"usage\": \"%s\"}]}]}",
            i > 0 ? ",\n" : "", application->task, set->items[i].period, application->priority,
            application->kernel, application->worst, application->kernel);
}

static size_t write_scenario(char *text, const struct rodinia_set *set, const struct rodinia_setup *setup) {
    FILE *out = fmemopen(text, TEXT_SIZE, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out,
            "{\"gpurt\": 1, \"name\": \"rodinia\", \"horizon\": \"%" PRId64 "ns\",\n"
            "\"platform\": {\"gpus\": [{\"device\": \"gtx1060_6gb\", \"granularity\": \"shares\", %s}]},\n"
            "\"policy\": %s,\n\"tasks\": [\n",
            rodinia_set_horizon(set), setup->gpu, setup->policy);
    for (size_t i = 0; i < set->count; i++) {
        write_task(out, set, i);
    }
    fputs("]}\n", out);
    long length = ftell(out);
    CU_ASSERT_FATAL(length > 0 && length < TEXT_SIZE - 1);
    fclose(out);
    return (size_t)length;
}

void rodinia_run(const struct rodinia_set *set, const struct rodinia_setup *setup,
                 struct grt_simulation *simulation) {
    char text[TEXT_SIZE];
    struct grt_scenario_text scenario = {.bytes = text};
    struct grt_errors errors = {0};
    scenario.size = write_scenario(text, set, setup);
    bool runs = grt_simulation_parse(simulation, &scenario, NULL, &errors);
    runs = runs && grt_simulation_run(simulation, false, &errors);
    grt_errors_print(&errors, stdout, setup->name);
    CU_ASSERT_FATAL(runs);
    grt_errors_clear(&errors);
}
