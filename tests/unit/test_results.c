/* labels: soak */
/* Results as CSV and JSON, and CSV read again; files that are refused. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/build_id.h"
#include "scenarios/experiment/names.h"
#include "scenarios/json_syntax.h"
#include "sim/random.h"
#include "study/results/results.h"
#include "tests/support/suite.h"

/* ---- numbers ---- */

static void numbers_are_read_as_the_same(void) {
    char text[GRT_DOUBLE_TEXT_SIZE];
    struct grt_random random = grt_random_stream(1, "numbers", 0, 0);
    for (int i = grt_suite_cases(100000, 10000000); i-- > 0;) {
        uint64_t bits = grt_random_below(&random, UINT64_C(1) << 63);
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number)) {
            CU_ASSERT_FATAL(strtod(grt_double_text(number, text), NULL) == number);
        }
    }
    CU_ASSERT_STRING_EQUAL(grt_double_text(0.1, text), "0.1");
    CU_ASSERT_STRING_EQUAL(grt_double_text(0.1 + 0.2, text), "0.30000000000000004");
    CU_ASSERT_STRING_EQUAL(grt_double_text(3e8, text), "300000000");
}

/* ---- what is written ---- */

enum { POINTS = 4, EVALUATIONS = 2 };

static const char *const load_texts[] = {"0.1", "0.2"}, *const mode_texts[] = {"plain", "with, \"quotes\""};
static const double loads[] = {0.1, 0.2};
static const char *const first_measures[] = {"jobs", "response_max:a,b"}, *const second_measures[] = {"jobs"};

/* Two axes of two values, two evaluations, of which the second has no value of "response_max:a,b". */
struct sweep {
    struct grt_experiment experiment;
    struct grt_axis axes[2];
    struct grt_point points[POINTS];
    struct grt_evaluation evaluations[EVALUATIONS];
    struct grt_input input;
    struct grt_moments moments[POINTS * EVALUATIONS][2];
    struct grt_tally tallies[POINTS * EVALUATIONS];
    uint64_t samples[POINTS];
    struct grt_results results;
};

static void fill(struct sweep *sweep, size_t number) {
    struct grt_tally *tally = &sweep->tallies[number];
    struct grt_moments *moments = sweep->moments[number];
    tally->moments = moments;
    if (number > 0) { /* the first has not been worked on */
        tally->outcomes[GRT_OUTCOME_YES] = number;
        tally->outcomes[GRT_OUTCOME_NO] = 10 - number;
        tally->outcomes[GRT_OUTCOME_NONE] = 3;
        grt_moments_add(&moments[0], (double)number / 3);
        grt_moments_add(&moments[0], 1);
    }
}

static void make(struct sweep *sweep) {
    *sweep = (struct sweep){.input = {"e.json", 0xabcdef, "e.json"}};
    sweep->axes[0] = (struct grt_axis){
        .name = "load", .label = "Load U", .count = 2, .values = load_texts, .numbers = loads};
    sweep->axes[1] = (struct grt_axis){.name = "mode", .label = "mode", .count = 2, .values = mode_texts};
    sweep->evaluations[0] = (struct grt_evaluation){.name = "x",
                                                    .label = "X",
                                                    .kind = GRT_EVALUATE_SIMULATION,
                                                    .measures = first_measures,
                                                    .measure_count = 2};
    sweep->evaluations[1] = (struct grt_evaluation){.name = "y",
                                                    .label = "Y",
                                                    .kind = GRT_EVALUATE_VERIFY,
                                                    .measures = second_measures,
                                                    .measure_count = 1};
    for (size_t i = 0; i < POINTS; i++) {
        sweep->points[i] = (struct grt_point){.values = {i / 2, i % 2}, .evaluations = sweep->evaluations};
        sweep->samples[i] = 13;
    }
    for (size_t i = 0; i < POINTS * EVALUATIONS; i++) {
        fill(sweep, i);
    }
    sweep->experiment = (struct grt_experiment){.name = "two-axes",
                                                .title = "Two\naxes",
                                                .seed = UINT64_MAX,
                                                .samples = 13,
                                                .axes = sweep->axes,
                                                .axis_count = 2,
                                                .points = sweep->points,
                                                .point_count = POINTS,
                                                .evaluation_count = EVALUATIONS,
                                                .inputs = &sweep->input,
                                                .input_count = 1,
                                                .identity = 0x1234};
    sweep->results = (struct grt_results){
        .experiment = &sweep->experiment, .tallies = sweep->tallies, .samples = sweep->samples};
}

static char *csv_of(const struct sweep *sweep) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    grt_results_csv(&sweep->results, out);
    fclose(out);
    return text;
}

static void csv_is_as_written(void) {
    struct sweep sweep;
    make(&sweep);
    char *text = csv_of(&sweep);
    char head[1000];
    int size = snprintf(
        head, sizeof head,
        "# gpurt: " GRT_VERSION "\n# build: %s\n# experiment: two-axes\n# title: Two axes\n"
        "# seed: 18446744073709551615\n# samples: 13\n# identity: 0000000000001234\n"
        "# input: 0000000000abcdef e.json\n# complete: no\n# rows: 8\n"
        "load,mode,evaluation,sets,yes,no,unknown,inapplicable,refused,none,ratio,low,high,"
        "jobs,sets:jobs,low:jobs,high:jobs,"
        "\"response_max:a,b\",\"sets:response_max:a,b\",\"low:response_max:a,b\",\"high:response_max:a,b\"\n"
        "0.1,plain,x,0,0,0,0,0,0,0,,0,1,,0,,,,0,,\n"
        "0.1,plain,y,10,1,9,0,0,0,3,0.1,",
        grt_build_id);
    CU_ASSERT(strncmp(text, head, (size_t)size) == 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n0.1,\"with, \"\"quotes\"\"\",x,10,2,8,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",,,,\n")); /* y does not have the second measure */
    free(text);
}

static double number_at(const struct grt_result_table *table, const char *name, size_t row) {
    const struct grt_column *column = grt_result_table_find(table, name);
    CU_ASSERT_FATAL(column != NULL);
    return column->numbers[row];
}

static void csv_is_read_again(void) {
    struct sweep sweep;
    struct grt_result_table table;
    struct grt_errors errors = {0};
    make(&sweep);
    char *text = csv_of(&sweep);
    CU_ASSERT_FATAL(grt_result_table_parse(text, strlen(text), &table, &errors));
    CU_ASSERT(table.row_count == 8 && table.column_count == 21 && table.comment_count == 10);
    CU_ASSERT_STRING_EQUAL(table.comments[2], "experiment: two-axes");
    for (size_t i = 0; i < table.column_count; i++) { /* two axes first, two measures of four columns last */
        CU_ASSERT_EQUAL(grt_name_is_of_column(table.columns[i].name), i >= 2 && i + 8 < table.column_count);
    }
    for (size_t row = 0; row < table.row_count; row++) {
        const struct grt_tally *tally = &sweep.tallies[row];
        struct grt_interval interval = grt_wilson(tally->outcomes[0], row > 0 ? 10 : 0, GRT_WILSON_95);
        double mean = grt_moments_mean(&tally->moments[0]), read = number_at(&table, "jobs", row);
        CU_ASSERT(number_at(&table, "load", row) == loads[row / 4]);
        CU_ASSERT_STRING_EQUAL(grt_result_table_find(&table, "mode")->texts[row], mode_texts[row / 2 % 2]);
        CU_ASSERT_STRING_EQUAL(grt_result_table_find(&table, "evaluation")->texts[row],
                               row % 2 == 0 ? "x" : "y");
        CU_ASSERT(number_at(&table, "yes", row) == (double)row);
        CU_ASSERT(number_at(&table, "low", row) == interval.low);
        CU_ASSERT(number_at(&table, "high", row) == interval.high);
        CU_ASSERT(read == mean || (isnan(read) && isnan(mean)));
        struct grt_interval of_mean = grt_moments_interval(&tally->moments[0]);
        CU_ASSERT(number_at(&table, "sets:jobs", row) == (double)tally->moments[0].count);
        CU_ASSERT(row == 0 || number_at(&table, "low:jobs", row) == of_mean.low);
        CU_ASSERT(row == 0 || number_at(&table, "high:jobs", row) == of_mean.high);
        CU_ASSERT(isnan(number_at(&table, "response_max:a,b", row)));
    }
    CU_ASSERT_PTR_NULL(grt_result_table_find(&table, "jobs "));
    grt_result_table_free(&table);
    free(text);
}

static void json_has_all_of_it(void) {
    struct sweep sweep;
    make(&sweep);
    char *text = grt_results_json(&sweep.results);
    cJSON *tree = cJSON_Parse(text), *points = cJSON_GetObjectItem(tree, "points");
    CU_ASSERT_FATAL(tree != NULL && cJSON_GetArraySize(points) == POINTS);
    CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(tree, "title")->valuestring, "Two\naxes");
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"seed\": 18446744073709551615,"));
    cJSON *axes = cJSON_GetObjectItem(tree, "axes");
    CU_ASSERT(
        cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(axes, 0), "numbers"), 1)->valuedouble ==
        0.2);
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(axes, 1), "numbers")));
    for (int i = 0; i < POINTS; i++) {
        cJSON *point = cJSON_GetArrayItem(points, i);
        cJSON *second = cJSON_GetArrayItem(cJSON_GetObjectItem(point, "evaluations"), 1);
        cJSON *jobs = cJSON_GetObjectItem(cJSON_GetObjectItem(second, "measures"), "jobs");
        const struct grt_tally *tally = &sweep.tallies[2 * i + 1];
        CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(second, "kind")->valuestring, "verify");
        CU_ASSERT(cJSON_GetObjectItem(cJSON_GetObjectItem(second, "outcomes"), "no")->valuedouble ==
                  (double)tally->outcomes[GRT_OUTCOME_NO]);
        CU_ASSERT(cJSON_GetObjectItem(jobs, "mean")->valuedouble == grt_moments_mean(&tally->moments[0]));
        CU_ASSERT(cJSON_GetObjectItem(jobs, "most")->valuedouble == tally->moments[0].most);
        CU_ASSERT(cJSON_GetObjectItem(jobs, "low")->valuedouble ==
                  grt_moments_interval(&tally->moments[0]).low);
        CU_ASSERT(cJSON_GetObjectItem(jobs, "deviation")->valuedouble ==
                  grt_moments_deviation(&tally->moments[0]));
    }
    cJSON_Delete(tree);
    free(text);
}

/* Of one set the mean is known, and no interval. */
static void one_set_has_a_mean_alone(void) {
    struct sweep sweep;
    make(&sweep);
    sweep.moments[0][0] = (struct grt_moments){0};
    grt_moments_add(&sweep.moments[0][0], 7);
    char *csv = csv_of(&sweep), *json = grt_results_json(&sweep.results);
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\n0.1,plain,x,0,0,0,0,0,0,0,,0,1,7,1,,,,0,,\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "\"jobs\": {\"count\": 1, \"mean\": 7, \"deviation\": null, "
                                        "\"low\": null, \"high\": null, \"least\": 7, \"most\": 7}"));
    free(csv);
    free(json);
}

/* ---- names that no check of an experiment has seen ---- */

static struct grt_result_table parsed(const char *text) {
    struct grt_result_table table;
    struct grt_errors errors = {0};
    bool good = grt_result_table_parse(text, strlen(text), &table, &errors);
    CU_ASSERT_FATAL(good);
    return table;
}

static void columns_stay_distinct(void) {
    static const char *const first[] = {"sets", "jobs"}, *const second[] = {"low:jobs"};
    struct sweep sweep;
    make(&sweep);
    sweep.axes[0].name = "ratio";
    sweep.axes[1].name = "jobs";
    sweep.evaluations[0].measures = first;
    sweep.evaluations[1].measures = second;
    char *text = csv_of(&sweep);
    struct grt_result_table table = parsed(text);
    CU_ASSERT_STRING_EQUAL(table.columns[0].name, "ratio_2");
    CU_ASSERT_STRING_EQUAL(table.columns[1].name, "jobs_2");
    CU_ASSERT_STRING_EQUAL(grt_result_table_find(&table, "sets_2")[1].name, "sets:sets_2");
    CU_ASSERT_STRING_EQUAL(grt_result_table_find(&table, "jobs")[2].name, "low:jobs_2");
    CU_ASSERT(number_at(&table, "ratio_2", 7) == loads[1] && number_at(&table, "ratio", 7) == 0.7);
    CU_ASSERT(number_at(&table, "sets", 7) == 10 && number_at(&table, "sets_2", 6) == 1.5);
    CU_ASSERT(number_at(&table, "low:jobs", 7) == grt_moments_mean(&sweep.moments[7][0]));
    grt_result_table_free(&table);
    free(text);
}

/* Names of files and texts with all bytes there are. */
static void any_bytes_are_written_as_text(void) {
    static const char *const odd[] = {"line\nend",    "\xff\xfe\"bytes\xc3", "tab\tand \x01\x7f", "ends\r",
                                      "\xe2\x82\xac", "# no comment",        "\xed\xa0\x80"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct sweep sweep;
        const char *const values[] = {odd[i], "other"}, *const measure[] = {odd[i]};
        make(&sweep);
        sweep.input.name = sweep.experiment.title = sweep.experiment.name = odd[i];
        sweep.axes[1].name = sweep.axes[1].label = sweep.evaluations[1].name = odd[i];
        sweep.axes[1].values = values;
        sweep.evaluations[1].measures = measure;
        char *csv = csv_of(&sweep), *json = grt_results_json(&sweep.results);
        struct grt_result_table table = parsed(csv);
        CU_ASSERT(table.row_count == 8 && table.comment_count == 10 && table.column_count == 25);
        size_t offset = 0;
        CU_ASSERT_PTR_NULL(grt_json_check(json, strlen(json), &offset));
        grt_result_table_free(&table);
        free(csv);
        free(json);
    }
}

static void odd_names_are_for_people(void) {
    struct sweep sweep;
    make(&sweep);
    sweep.input.name = "a\nb\xff.json";
    char *csv = csv_of(&sweep), *json = grt_results_json(&sweep.results);
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\n# input: 0000000000abcdef a\\x0ab\\xff.json\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(json, "{\"name\": \"a\\nb\\\\xff.json\", "));
    free(csv);
    free(json);
}

/* ---- other tables ---- */

static void other_tables_are_read(void) {
    static const char text[] =
        "\xef\xbb\xbf# hello\r\n#\nx,time,\"a \"\"b\"\"\"\r\n1,50us,\" \n\"\r\n-2e3,1.5ms,\n 7,inf,0x1\n";
    struct grt_result_table table;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_result_table_parse(text, sizeof text - 1, &table, &errors));
    CU_ASSERT(table.row_count == 3 && table.comment_count == 2);
    CU_ASSERT_STRING_EQUAL(table.comments[0], "hello");
    CU_ASSERT_STRING_EQUAL(table.columns[2].name, "a \"b\"");
    CU_ASSERT_STRING_EQUAL(table.columns[2].texts[0], " \n");
    CU_ASSERT_STRING_EQUAL(table.columns[2].texts[1], "");
    CU_ASSERT(table.columns[0].numbers[1] == -2000 && isnan(table.columns[0].numbers[2]));
    CU_ASSERT(table.columns[1].numbers[0] == 50000 && table.columns[1].numbers[1] == 1.5e6);
    CU_ASSERT(isnan(table.columns[1].numbers[2]) && isnan(table.columns[2].numbers[2]));
    grt_result_table_free(&table);
}

static void check_refused(const char *text, size_t size, const char *message) {
    struct grt_result_table table;
    struct grt_errors errors = {0};
    CU_ASSERT(!grt_result_table_parse(text, size, &table, &errors));
    CU_ASSERT_FATAL(errors.count == 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    CU_ASSERT(table.column_count == 0 && table.columns == NULL);
    grt_errors_clear(&errors);
}

static void bad_tables_are_refused(void) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "line 1: a line of column names must come here"},
        {"# a\n# b\n", "line 3: a line of column names must come here"},
        {"# a", "line 1: the file ends inside of this line: it is cut off"},
        {"a,b", "line 1: the file ends inside of this line: it is cut off"},
        {"a,b\n1,2\n3,4", "line 3: the file ends inside of this line: it is cut off"},
        {"a,b\n1,2\n3\n", "line 3: must have as many cells as the line of names, 2 (got 1)"},
        {"a,b\n1,2,3\n", "line 2: must have as many cells as the line of names, 2 (got 3)"},
        {"a,b\n1,2\n\n", "line 3: must have as many cells as the line of names, 2 (got 1)"},
        {"a,b\n1,\"2\n3\n", "line 2: a quote that opens here is never closed"},
        {"a,b\n1,\"2\"3\n", "line 2: a comma or the end of the line must come behind a quoted cell"},
        {"a,b\n1,2\"3\"\n", "line 2: a quote inside of a cell that does not begin with one"},
        {"a,b\r1,2\r",
         "line 1: a carriage return alone does not end a line: a line feed must come behind it"},
        {"a,b\r\n1,2\r\n3,", "line 3: the file ends inside of this line: it is cut off"},
        {"a,b\n\"1\n1\",2\n3\n", "line 4: must have as many cells as the line of names, 2 (got 1)"},
        {"a,\n", "column 2 has no name"},
        {"a,b,a\n", "columns 1 and 3 are both named \"a\""},
        {"# rows: 2\na\n1\n", "must have 2 rows, as a comment says (got 1): it is cut off, or changed"},
        {"a\n1\n\x01\n", "line 3: this is not a text (byte 0x01)"},
        {"a\n\xff\xfe\n", "line 2: this is not a text (byte 0xff)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_refused(cases[i].text, strlen(cases[i].text), cases[i].message);
    }
    static const char experiment[] = "{\n  \"gpurt_experiment\": 1, \"name\": \"a\"}\n";
    check_refused(experiment, strlen(experiment),
                  "this is an experiment, not its results: gpurt sweep --csv=FILE writes them");
    check_refused("{\"gpurt\": 1}", 12,
                  "this is a scenario, not the results of a sweep: gpurt sweep --csv=FILE writes them");
    check_refused(" {}", 3,
                  "this is JSON, not the results of a sweep as CSV: gpurt sweep --csv=FILE writes them");
    check_refused("a\n1\0\n", 5, "line 2: this is not a text (byte 0x00)");
}

/* Cut off anywhere, a file of results is not read as a whole one. */
static void results_cut_off_anywhere_are_refused(void) {
    struct sweep sweep;
    make(&sweep);
    char *text = csv_of(&sweep);
    for (size_t size = 0; size < strlen(text); size++) {
        struct grt_result_table table;
        struct grt_errors errors = {0};
        CU_ASSERT(!grt_result_table_parse(text, size, &table, &errors));
        CU_ASSERT(errors.count == 1);
        grt_errors_clear(&errors);
    }
    free(text);
}

static void files_that_are_not_there_are_refused(void) {
    struct grt_result_table table;
    struct grt_errors errors = {0};
    CU_ASSERT(!grt_result_table_read(GRT_SCRATCH_DIR "/none.csv", &table, &errors));
    CU_ASSERT(errors.count == 1);
    grt_errors_clear(&errors);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"numbers", numbers_are_read_as_the_same},
        {"csv written", csv_is_as_written},
        {"csv read again", csv_is_read_again},
        {"json", json_has_all_of_it},
        {"one set", one_set_has_a_mean_alone},
        {"columns stay distinct", columns_stay_distinct},
        {"any bytes", any_bytes_are_written_as_text},
        {"odd names", odd_names_are_for_people},
        {"other tables", other_tables_are_read},
        {"refused", bad_tables_are_refused},
        {"cut off", results_cut_off_anywhere_are_refused},
        {"no file", files_that_are_not_there_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("results", tests);
}
