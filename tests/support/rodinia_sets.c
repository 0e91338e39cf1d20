#include "tests/support/rodinia_sets.h"

#include <inttypes.h>
#include <stdio.h>

#include <CUnit/CUnit.h>

#include "scenarios/generate/utilisation.h"
#include "sim/random.h"
#include "tests/support/wamp2s_models.h"

enum { TEXT_SIZE = 8192 };

const struct rodinia_application rodinia_applications[RODINIA_APPLICATIONS] = {
    {"GS", "gaussian", 261 * GRT_MILLISECOND, 10}, {"HW", "heart_wall", 356 * GRT_MILLISECOND, 9},
    {"CFD", "cfd", 2081 * GRT_MILLISECOND, 8},     {"KM", "kmeans", 79 * GRT_MILLISECOND, 7},
    {"LM", "lavamd", 448 * GRT_MILLISECOND, 6},    {"LC", "leukocyte", 144 * GRT_MILLISECOND, 5},
    {"LUD", "lud", 28 * GRT_MILLISECOND, 4},       {"MC", "myocyte", 531 * GRT_MILLISECOND, 3},
    {"SRD", "srad", 301 * GRT_MILLISECOND, 2},     {"ST", "streamcluster", 1444 * GRT_MILLISECOND, 1}};

#define SATURATION "\"contention\": \"saturation\""
#define PERFECT "{\"name\": \"wamp2s\", \"predictor\": \"perfect\"}"
#define HARDWARE "{\"name\": \"hardware\"}"

const struct rodinia_setup rodinia_setups[RODINIA_POLICIES] = {
    [RODINIA_SOFNN] = {"`wamp2s`", "{\"name\": \"wamp2s\"}", SATURATION, true},
    [RODINIA_PERFECT] = {"`wamp2s`, `predictor` `perfect`", PERFECT, SATURATION, false},
    [RODINIA_NONE] = {"`wamp2s`, `predictor` `none`", "{\"name\": \"wamp2s\", \"predictor\": \"none\"}",
                      SATURATION, false},
    [RODINIA_PAPER] = {"`wamp2s`, `variant` `paper`", "{\"name\": \"wamp2s\", \"variant\": \"paper\"}",
                       SATURATION, true},
    [RODINIA_TOKENS] = {"`wamp2s`, shares by tokens", PERFECT,
                        SATURATION ", \"share_interval\": \"100ms\", \"share_launch\": \"1ms\"", false},
    [RODINIA_STATIC] = {"`static-shares`", "{\"name\": \"static-shares\"}", SATURATION, false},
    [RODINIA_TIME_SLICING] = {"`hardware`, time slicing", HARDWARE,
                              SATURATION ", \"share_mode\": \"time-slicing\"", false},
    [RODINIA_LEFT_OVER] = {"`hardware`, left over", HARDWARE, SATURATION ", \"share_mode\": \"left-over\"",
                           false},
    [RODINIA_CONCURRENT] = {"`hardware`, concurrent", HARDWARE, SATURATION, false},
    [RODINIA_STRICT_PERFECT] = {"`wamp2s`, `max-min`", PERFECT, "\"contention\": \"max-min\"", false},
    [RODINIA_STRICT_CONCURRENT] = {"`hardware`, concurrent, `max-min`", HARDWARE,
                                   "\"contention\": \"max-min\"", false},
};

/* ---- sets ---- */

/* The applications in the order of the table, `count` of them: each next one with the probability that it is among those. */
static void choose(struct rodinia_set *set, size_t count, struct grt_random *random) {
    set->count = 0;
    for (size_t i = 0; i < RODINIA_APPLICATIONS; i++) {
        if (grt_random_below(random, RODINIA_APPLICATIONS - i) < count - set->count) {
            set->items[set->count++].application = i;
        }
    }
}

void rodinia_set_draw(struct rodinia_set *set, size_t count, double utilisation, uint64_t number) {
    uint64_t point = (uint64_t)(utilisation * 1000 + 0.5) * 100 + count;
    struct grt_random random = grt_random_stream(2022, "rodinia", point, number);
    double values[RODINIA_APPLICATIONS];
    choose(set, count, &random);
    CU_ASSERT_FATAL(grt_uunifast_discard(&random, values, count, utilisation, 0, 1, 1000000, NULL));
    for (size_t i = 0; i < count; i++) {
        double period = (double)rodinia_applications[set->items[i].application].worst / values[i];
        set->items[i].period = period < 1e15 ? (grt_time)period : 1000000 * GRT_SECOND;
    }
}

grt_time rodinia_set_horizon(const struct rodinia_set *set) {
    grt_time longest = 30 * GRT_SECOND;
    for (size_t i = 0; i < set->count; i++) {
        longest = set->items[i].period > longest ? set->items[i].period : longest;
    }
    return longest < 150 * GRT_SECOND ? 2 * longest : 300 * GRT_SECOND;
}

/* ---- runs ---- */

static void write_task(FILE *out, const struct rodinia_set *set, size_t i, bool stops) {
    const struct rodinia_application *application = &rodinia_applications[set->items[i].application];
    fprintf(
        out,
        "%s{\"name\": \"%s\", \"period\": \"%" PRId64 "ns\", \"priority\": %" PRId64 "%s,"
        " \"segments\": [{\"gpu\": [{\"kernel\": \"%s\", \"time\": \"%" PRId64 "ns\", \"usage\": \"%s\"}]}]}",
        i > 0 ? ",\n" : "", application->task, set->items[i].period, application->priority,
        stops ? ", \"on_miss\": \"stop\"" : "", application->kernel, application->worst, application->kernel);
}

static size_t write_scenario(char *text, const struct rodinia_set *set, const struct rodinia_setup *setup,
                             bool stops) {
    FILE *out = fmemopen(text, TEXT_SIZE, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out,
            "{\"gpurt\": 1, \"name\": \"rodinia\", \"horizon\": \"%" PRId64 "ns\",\n"
            "\"platform\": {\"gpus\": [{\"device\": \"gtx1060_6gb\", \"granularity\": \"shares\", %s}]},\n"
            "\"policy\": %s,\n\"tasks\": [\n",
            rodinia_set_horizon(set), setup->gpu, setup->policy);
    for (size_t i = 0; i < set->count; i++) {
        write_task(out, set, i, stops);
    }
    fputs("]}\n", out);
    long length = ftell(out);
    CU_ASSERT_FATAL(length > 0 && length < TEXT_SIZE - 1);
    fclose(out);
    return (size_t)length;
}

void rodinia_run(const struct rodinia_set *set, const struct rodinia_setup *setup, bool stops,
                 struct grt_simulation *simulation) {
    char text[TEXT_SIZE];
    struct grt_scenario_text scenario = {.bytes = text};
    struct grt_errors errors = {0};
    scenario.size = write_scenario(text, set, setup, stops);
    bool runs = grt_simulation_parse(simulation, &scenario, NULL, &errors);
    if (setup->networks) {
        simulation->file.scenario.networks = wamp2s_rodinia_networks();
    }
    runs = runs && grt_simulation_run(simulation, false, &errors);
    grt_errors_print(&errors, stdout, setup->name);
    CU_ASSERT_FATAL(runs);
    grt_errors_clear(&errors);
}

bool rodinia_is_schedulable(const struct rodinia_set *set, const struct rodinia_setup *setup) {
    struct grt_simulation simulation = {0};
    rodinia_run(set, setup, true, &simulation);
    bool met = !simulation.result->stopped_by_miss;
    grt_simulation_free(&simulation);
    return met;
}
