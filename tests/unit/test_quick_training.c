/* Who wants quick training gets it, wherever an experiment says "full": what is left is the same as if it had said "quick". */
#include <stdio.h>
#include <string.h>

#include "scenarios/experiment/experiment.h"
#include "tests/support/suite.h"

/* The experiment with these fields of its evaluation, and of its root. */
static struct grt_experiment read(const char *own, const char *root, bool quick) {
    char text[2000];
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    const struct grt_experiment_changes changes = {.quick_training = quick};
    snprintf(text, sizeof text,
             "{\"gpurt_experiment\": 1, \"name\": \"t\", \"generator\": {\"name\": \"applications\"}, "
             "\"platform\": {\"gpus\": [{\"device\": \"gtx1060_6gb\", \"granularity\": \"shares\"}]}, "
             "\"evaluations\": [{\"name\": \"w\", \"kind\": \"simulation\", \"policy\": {\"name\": "
             "\"wamp2s\"}%s}]%s}",
             own, root);
    bool good = grt_experiment_parse(text, strlen(text), "text", NULL, &changes, &experiment, &errors);
    grt_errors_print(&errors, stderr, "    ");
    CU_ASSERT_FATAL(good);
    return experiment;
}

/* `full`: at how many points models are trained in full where nobody wants it quick. */
static void check(const char *own, const char *root, size_t full) {
    struct grt_experiment slow = read(own, root, false), quick = read(own, root, true);
    size_t found = 0;
    CU_ASSERT_EQUAL_FATAL(slow.point_count, quick.point_count);
    for (size_t i = 0; i < slow.point_count; i++) {
        found += slow.points[i].evaluations[0].training == GRT_TRAIN_FULL;
        CU_ASSERT_EQUAL(quick.points[i].evaluations[0].training, GRT_TRAIN_QUICK);
        CU_ASSERT_EQUAL(quick.points[i].key, slow.points[i].key); /* the same sets */
    }
    for (size_t i = 0; i < slow.axis_count; i++) {
        for (size_t j = 0; j < slow.axes[i].count; j++) {
            CU_ASSERT_STRING_EQUAL(quick.axes[i].values[j], slow.axes[i].values[j]);
        }
    }
    CU_ASSERT_EQUAL(found, full);
    CU_ASSERT_EQUAL(slow.identity == quick.identity, full == 0);
    grt_experiment_free(&slow);
    grt_experiment_free(&quick);
}

static void in_the_file(void) {
    check("", ", \"train\": \"quick\"", 0);
    check("", ", \"train\": \"full\"", 1);
    check(", \"train\": \"full\"", "", 1);
}

#define AXIS(fields) ", \"axes\": [{\"name\": \"a\", " fields "}]"

static void put_by_axes(void) {
    check("", AXIS("\"path\": \"train\", \"values\": [\"quick\", \"full\"]"), 1);
    check("",
          AXIS("\"path\": \"evaluations[0].train\", \"values\": [\"full\", {\"label\": \"b\", \"value\": "
               "\"full\"}]"),
          2);
    check(", \"train\": \"quick\"",
          AXIS("\"values\": [{\"label\": \"1\", \"set\": {\"evaluations[0].train\": \"full\"}}, "
               "{\"label\": \"2\", \"set\": {\"generator.count\": 3}}]"),
          1);
    check("",
          AXIS("\"path\": \"evaluations[0]\", \"values\": [{\"label\": \"1\", \"value\": {\"name\": \"w\", "
               "\"kind\": "
               "\"simulation\", \"policy\": {\"name\": \"wamp2s\"}, \"train\": \"full\"}}]"),
          1);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"in the file", in_the_file},
        {"put by axes", put_by_axes},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("quick training", tests);
}
