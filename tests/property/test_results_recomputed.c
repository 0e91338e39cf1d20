/* labels: soak */
/* The results of whole sweeps, computed again in another way: from what each set says by itself, in long double and from the definitions, and held against all
 * columns of the CSV and all numbers of the JSON. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/results/results.h"
#include "tests/support/suite.h"

static const char text[] =
    "{ \"gpurt_experiment\": 1, \"name\": \"recomputed\", \"seed\": 11, \"samples\": 50,\n"
    "  \"generator\": { \"name\": \"cores\", \"cores\": 4 },\n"
    "  \"platform\": { \"cpus\": 4, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"
    "  \"axes\": [ { \"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"values\": [0.3, 0.8, 1] },\n"
    "             { \"name\": \"epsilon\", \"same_sets\": true, \"path\": "
    "\"evaluations[1].policy.epsilon\",\n"
    "               \"values\": [\"50us\", \"1ms\"] } ],\n"
    "  \"evaluations\": [\n"
    "    { \"name\": \"mpcp\", \"kind\": \"analysis\", \"policy\": { \"name\": \"mpcp\" },\n"
    "      \"measures\": [\"response_ratio\", \"steps\"] },\n"
    "    { \"name\": \"server\", \"kind\": \"analysis\", \"policy\": { \"name\": \"gpu-server\" },\n"
    "      \"measures\": [\"response_ratio\"] },\n"
    "    { \"name\": \"run\", \"kind\": \"simulation\", \"policy\": { \"name\": \"mpcp\" }, \"horizon\": "
    "\"1s\",\n"
    "      \"measures\": [\"jobs\", \"miss_ratio\", \"gpu_busy\"] } ] }\n";

enum { MOST_SETS = 2000 };

/* What one evaluation says of all sets of a point. */
struct told {
    uint64_t outcomes[GRT_OUTCOMES];
    size_t sets;
    struct {
        double values[MOST_SETS];
        size_t count;
    } measures[3];
};

static void ask(struct grt_sampler *sampler, const struct grt_experiment *experiment, size_t point,
                size_t evaluation, struct told *told) {
    struct grt_found *found = calloc(experiment->evaluation_count, sizeof *found);
    memset(told, 0, sizeof *told);
    for (int64_t sample = 0; sample < experiment->samples; sample++) {
        grt_sampler_run(sampler, point, (uint64_t)sample, found);
        told->outcomes[found[evaluation].outcome]++;
        told->sets += found[evaluation].outcome != GRT_OUTCOME_NONE;
        for (size_t i = 0; i < 3; i++) {
            double value = found[evaluation].values[i];
            size_t wanted;
            grt_evaluation_measures(&experiment->points[point].evaluations[evaluation], &wanted);
            if (i < wanted && !isnan(value)) {
                told->measures[i].values[told->measures[i].count++] = value;
            }
        }
    }
    free(found);
}

/* ---- the definitions ---- */

#define Z 1.95996398454005423552L

/* The proportions that a test with z does not reject, from the quadratic (1 + z^2/n) p^2 - (2 q + z^2/n) p + q^2 = 0 for the observed q. */
static void interval_of_ratio(size_t yes, size_t all, double ends[2]) {
    long double n = (long double)all, q = (long double)yes / n, a = 1 + Z * Z / n, b = -(2 * q + Z * Z / n);
    long double root = sqrtl(b * b - 4 * a * q * q);
    ends[0] = (double)((-b - root) / (2 * a));
    ends[1] = (double)((-b + root) / (2 * a));
}

struct summary {
    double mean, deviation, low, high, least, most;
};

/* The integral of cos(a)^(v - 1) from 0 on, by the midpoint rule: Student's density after x = sqrt(v) tan(a), but for a factor. */
static long double integral(long double to, long double v) {
    enum { STEPS = 400 };
    long double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        sum += powl(cosl(to * (i + 0.5L) / STEPS), v - 1);
    }
    return sum * to / STEPS;
}

/* What Student's distribution of v degrees of freedom is within in 95 percent, by bisection. */
static long double student(long double v) {
    long double low = 1.5L, high = 20, all = integral(acosl(0), v);
    while (high - low > 1e-7L) {
        long double middle = (low + high) / 2;
        *(integral(atanl(middle / sqrtl(v)), v) < 0.95L * all ? &low : &high) = middle;
    }
    return low;
}

static struct summary summary_of(const double *values, size_t count) {
    struct summary summary = {NAN, NAN, NAN, NAN, NAN, NAN};
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        summary.least = i == 0 || values[i] < summary.least ? values[i] : summary.least;
        summary.most = i == 0 || values[i] > summary.most ? values[i] : summary.most;
    }
    long double n = (long double)count, mean = sum / n;
    summary.mean = count > 0 ? (double)mean : (double)NAN;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    if (count > 1) {
        long double deviation = sqrtl(squares / (n - 1)), half = student(n - 1) * deviation / sqrtl(n);
        summary.deviation = (double)deviation;
        summary.low = (double)(mean - half);
        summary.high = (double)(mean + half);
    }
    return summary;
}

/* ---- held against ---- */

static bool is_near(double got, double wanted, double scale) {
    return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= scale * 1e-12;
}

/* Student's t has 6 digits. */
static bool is_end(double got, double wanted, const struct summary *summary) {
    return isnan(wanted) ? isnan(got)
                         : fabs(got - wanted) <= 1e-5 * summary->deviation + 1e-12 * fabs(wanted);
}

static double cell(const struct grt_result_table *table, const char *prefix, const char *name, size_t row) {
    char whole[100];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    const struct grt_column *column = grt_result_table_find(table, whole);
    CU_ASSERT_FATAL(column != NULL);
    return column->numbers[row];
}

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    CU_ASSERT_FATAL(item != NULL);
    return cJSON_IsNull(item) ? (double)NAN : item->valuedouble;
}

static void check_counts(const struct told *told, const struct grt_result_table *table, size_t row,
                         const cJSON *json) {
    double ends[2], ratio = (double)told->outcomes[GRT_OUTCOME_YES] / (double)told->sets;
    const cJSON *outcomes = cJSON_GetObjectItemCaseSensitive(json, "outcomes");
    interval_of_ratio(told->outcomes[GRT_OUTCOME_YES], told->sets, ends);
    for (int i = 0; i < GRT_OUTCOMES; i++) {
        CU_ASSERT_EQUAL(cell(table, "", grt_outcome_names[i], row), (double)told->outcomes[i]);
        CU_ASSERT_EQUAL(number(outcomes, grt_outcome_names[i]), (double)told->outcomes[i]);
    }
    CU_ASSERT(cell(table, "", "sets", row) == (double)told->sets &&
              number(json, "sets") == (double)told->sets);
    CU_ASSERT(cell(table, "", "ratio", row) == ratio && number(json, "ratio") == ratio);
    CU_ASSERT(is_near(cell(table, "", "low", row), ends[0], 1) && is_near(number(json, "low"), ends[0], 1));
    CU_ASSERT(is_near(cell(table, "", "high", row), ends[1], 1) && is_near(number(json, "high"), ends[1], 1));
}

static void check_measure(const double *values, size_t count, const char *name,
                          const struct grt_result_table *table, size_t row, const cJSON *json) {
    const struct summary wanted = summary_of(values, count);
    const double scale = fabs(wanted.mean);
    CU_ASSERT(cell(table, "sets:", name, row) == (double)count && number(json, "count") == (double)count);
    CU_ASSERT(is_near(cell(table, "", name, row), wanted.mean, scale));
    CU_ASSERT(is_near(number(json, "mean"), wanted.mean, scale));
    CU_ASSERT(is_near(number(json, "deviation"), wanted.deviation, scale));
    CU_ASSERT(is_end(cell(table, "low:", name, row), wanted.low, &wanted));
    CU_ASSERT(is_end(cell(table, "high:", name, row), wanted.high, &wanted));
    CU_ASSERT(is_end(number(json, "low"), wanted.low, &wanted));
    CU_ASSERT(is_end(number(json, "high"), wanted.high, &wanted));
    CU_ASSERT(is_near(number(json, "least"), wanted.least, 0) &&
              is_near(number(json, "most"), wanted.most, 0));
}

/* Which measures an evaluation does not have: their cells are empty. */
static size_t check_empty(const struct grt_result_table *table, size_t row, const char *const *measures,
                          size_t count) {
    static const char *const all[] = {"response_ratio", "steps", "jobs", "miss_ratio", "gpu_busy"};
    size_t empty = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bool has = false;
        for (size_t j = 0; j < count; j++) {
            has = has || strcmp(measures[j], all[i]) == 0;
        }
        if (!has) {
            CU_ASSERT(isnan(cell(table, "", all[i], row)) && isnan(cell(table, "sets:", all[i], row)));
            CU_ASSERT(isnan(cell(table, "low:", all[i], row)) && isnan(cell(table, "high:", all[i], row)));
            empty++;
        }
    }
    return empty;
}

/* A sweep, and its texts read again. */
struct swept_texts {
    struct grt_results results;
    struct grt_result_table table;
    cJSON *json;
};

static void read_texts(struct grt_study *study, struct swept_texts *swept) {
    struct grt_errors errors = {0};
    char *csv = NULL;
    size_t size = 0;
    CU_ASSERT_FATAL(
        grt_sweep_run(study, &(struct grt_sweep_options){.threads = 2}, &swept->results, &errors));
    FILE *out = open_memstream(&csv, &size);
    grt_results_csv(&swept->results, out);
    fclose(out);
    CU_ASSERT_FATAL(grt_result_table_parse(csv, size, &swept->table, &errors));
    char *json = grt_results_json(&swept->results);
    swept->json = cJSON_Parse(json);
    CU_ASSERT_FATAL(swept->json != NULL);
    free(csv);
    free(json);
}

static void check_row(const struct grt_experiment *experiment, size_t point, size_t evaluation,
                      const struct told *told, const struct swept_texts *swept) {
    const struct grt_evaluation *asked = &experiment->points[point].evaluations[evaluation];
    const cJSON *at = cJSON_GetArrayItem(cJSON_GetObjectItem(swept->json, "points"), (int)point);
    const cJSON *json = cJSON_GetArrayItem(cJSON_GetObjectItem(at, "evaluations"), (int)evaluation);
    const cJSON *measured = cJSON_GetObjectItem(json, "measures");
    size_t row = point * experiment->evaluation_count + evaluation, count;
    const char *const *measures = grt_evaluation_measures(asked, &count);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        const char *value = experiment->axes[i].values[experiment->points[point].values[i]];
        CU_ASSERT_STRING_EQUAL(swept->table.columns[i].texts[row], value);
    }
    CU_ASSERT_STRING_EQUAL(grt_result_table_find(&swept->table, "evaluation")->texts[row], asked->name);
    check_counts(told, &swept->table, row, json);
    for (size_t i = 0; i < count; i++) {
        check_measure(told->measures[i].values, told->measures[i].count, measures[i], &swept->table, row,
                      cJSON_GetObjectItemCaseSensitive(measured, measures[i]));
    }
    CU_ASSERT_EQUAL(count + check_empty(&swept->table, row, measures, count), 5);
}

static void all_columns_are_those_of_the_sets(void) {
    static struct told told;
    const struct grt_experiment_changes changes = {.samples = grt_suite_cases(50, MOST_SETS)};
    struct grt_errors errors = {0};
    struct grt_experiment experiment;
    CU_ASSERT_FATAL(
        grt_experiment_parse(text, sizeof text - 1, "e.json", ".", &changes, &experiment, &errors));
    struct grt_study *study = grt_study_create(&experiment, &errors);
    CU_ASSERT_FATAL(study != NULL);
    struct swept_texts swept;
    read_texts(study, &swept);
    CU_ASSERT(swept.table.row_count == 18 && swept.table.column_count == 33);
    struct grt_sampler *sampler = grt_sampler_create(study);
    size_t partial = 0;
    for (size_t i = 0; i < swept.table.row_count; i++) {
        size_t point = i / experiment.evaluation_count, evaluation = i % experiment.evaluation_count;
        ask(sampler, &experiment, point, evaluation, &told);
        check_row(&experiment, point, evaluation, &told, &swept);
        partial += told.measures[0].count > 1 && told.measures[0].count < told.sets;
    }
    CU_ASSERT(partial >= 3); /* means of some of the sets are among them */
    grt_sampler_free(sampler);
    cJSON_Delete(swept.json);
    grt_result_table_free(&swept.table);
    grt_results_free(&swept.results);
    grt_study_free(study);
    grt_experiment_free(&experiment);
}

int main(void) {
    CU_TestInfo tests[] = {{"all columns are those of the sets", all_columns_are_those_of_the_sets},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("results_recomputed", tests);
}
