#include <inttypes.h>

#include "cli/terminal/json_numbers.h"
#include "cli/terminal/text_table.h"
#include "cli/train/train.h"

/* ---- the table ---- */

static void add_columns(struct grt_table *table) {
    static const struct grt_table_column columns[] = {
        {"", "kernel", GRT_TEXT_LEFT, false},
        {"samples", "trained", GRT_TEXT_RIGHT, false},
        {"samples", "tested", GRT_TEXT_RIGHT, false},
        {"", "rules", GRT_TEXT_RIGHT, false},
        {"error of the test (%)", "mean", GRT_TEXT_RIGHT, false},
        {"error of the test (%)", "eq. 15", GRT_TEXT_RIGHT, false},
        {"error of the test (%)", "largest", GRT_TEXT_RIGHT, false},
        {"RMSE", "(ms)", GRT_TEXT_RIGHT, false},
        {"unknown", "(%)", GRT_TEXT_RIGHT, false},
        {"beside it (%)", "linear", GRT_TEXT_RIGHT, true},
        {"beside it (%)", "nearest", GRT_TEXT_RIGHT, false},
        {"training", "(s)", GRT_TEXT_RIGHT, false},
        {"prediction", "(us)", GRT_TEXT_RIGHT, false},
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(table, columns[i]);
    }
}

/* Nothing is said of a test without samples. */
static void add_percent(struct grt_table *table, const struct grt_accuracy *accuracy, double ratio) {
    if (accuracy->samples > 0) {
        grt_table_add(table, "%.2f", 100 * ratio);
    } else {
        grt_table_add(table, "-");
    }
}

static void add_row(struct grt_table *table, const struct grt_trained_kernel *kernel) {
    const struct grt_training_report *report = &kernel->history.report;
    const struct grt_accuracy *test = &report->test;
    grt_table_add(table, "%s", kernel->network.kernel);
    grt_table_add(table, "%zu", report->trained + report->validated);
    grt_table_add(table, "%zu", test->samples);
    grt_table_add(table, "%" PRId64, kernel->network.rules);
    add_percent(table, test, test->error);
    add_percent(table, test, test->error_of_estimate);
    add_percent(table, test, test->largest);
    if (test->samples > 0) {
        grt_table_add(table, "%.3f", test->root_mean_square / 1e6);
    } else {
        grt_table_add(table, "-");
    }
    add_percent(table, test, test->unknown);
    add_percent(table, test, kernel->regression.error);
    add_percent(table, test, kernel->neighbours.error);
    grt_table_add(table, "%.2f", kernel->training);
    grt_table_add(table, "%.2f", kernel->prediction / 1e3);
}

void grt_train_report_tables(const struct grt_trained *trained, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    add_columns(&table);
    for (size_t i = 0; i < trained->count; i++) {
        add_row(&table, &trained->items[i]);
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

/* ---- JSON ---- */

static void add_accuracy(cJSON *object, const char *key, const struct grt_accuracy *accuracy) {
    cJSON *part = cJSON_AddObjectToObject(object, key);
    double one = accuracy->samples > 0 ? 1 : 0; /* without samples the ratios are null */
    grt_json_add_count(part, "samples", accuracy->samples);
    grt_json_add_ratio(part, "mape_ratio", accuracy->error, one);
    grt_json_add_ratio(part, "mape_of_estimate_ratio", accuracy->error_of_estimate, one);
    grt_json_add_ratio(part, "largest_error_ratio", accuracy->largest, one);
    grt_json_add_ratio(part, "rmse_ns", accuracy->root_mean_square, one);
    grt_json_add_ratio(part, "unknown_ratio", accuracy->unknown, one);
}

static cJSON *kernel_json(const struct grt_trained_kernel *kernel) {
    const struct grt_training_report *report = &kernel->history.report;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kernel", kernel->network.kernel);
    grt_json_add_integer(object, "order", kernel->network.order);
    grt_json_add_integer(object, "rules", kernel->network.rules);
    grt_json_add_integer(object, "rules_grown", report->grown);
    grt_json_add_integer(object, "rules_pruned", report->pruned);
    grt_json_add_integer(object, "epochs", report->epochs);
    grt_json_add_integer(object, "best_epoch", report->best_epoch);
    add_accuracy(object, "training", &report->training);
    add_accuracy(object, "validation", &report->validation);
    add_accuracy(object, "test", &report->test);
    add_accuracy(object, "linear_regression", &kernel->regression);
    add_accuracy(object, "nearest_neighbours", &kernel->neighbours);
    cJSON_AddNumberToObject(object, "collecting_seconds", kernel->collecting);
    cJSON_AddNumberToObject(object, "training_seconds", kernel->training);
    cJSON_AddNumberToObject(object, "prediction_ns", kernel->prediction);
    return object;
}

char *grt_train_report_json(const struct grt_trained *trained) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "gpurt_train", 1);
    cJSON_AddStringToObject(root, "version", GRT_VERSION);
    cJSON *list = cJSON_AddArrayToObject(root, "kernels");
    for (size_t i = 0; i < trained->count; i++) {
        cJSON_AddItemToArray(list, kernel_json(&trained->items[i]));
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
