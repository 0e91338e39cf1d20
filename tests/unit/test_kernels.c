/* Kernels that scenarios take by name: what is shared, what tasks get of it, limits, notes, names of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/file_check.h"
#include "scenarios/file_names.h"
#include "scenarios/kernels.h"
#include "scenarios/scenario.h"
#include "tests/support/scenario_text.h"
#include "tests/support/suite.h"

#define HEAD(device)                                                                                         \
    "{\"gpurt\":1,\"horizon\":\"10ms\",\"platform\":{\"gpus\":[{\"device\":\"" device "\"}]},"
#define TASK(name, more, commands)                                                                           \
    "{\"name\":\"" name "\",\"period\":\"5ms\"" more ",\"segments\":[{\"gpu\":[" commands "]}]}"

static void put_file(const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GRT_SCRATCH_DIR, name);
    FILE *out = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(text, out);
    CU_ASSERT_EQUAL(fclose(out), 0);
}

static bool parse(const char *text, struct grt_scenario_file *file, struct grt_errors *errors) {
    return grt_scenario_parse(text, strlen(text), GRT_SCRATCH_DIR, NULL, file, errors);
}

static struct grt_scenario_file load(const char *text) {
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    bool good = parse(text, &file, &errors);
    grt_errors_print(&errors, stdout, "    ");
    CU_ASSERT_TRUE_FATAL(good);
    return file;
}

static const struct grt_kernel *kernel_of(const struct grt_scenario_file *file, size_t task, size_t command) {
    return &file->scenario.tasks[task].segments[0].commands[command].kernel;
}

static const char few[] =
    "{\"gpurt_kernels\":1,\"device\":\"jetson-tx2\",\"measured\":{\"how\":\"made up\"},\"kernels\":["
    "{\"name\":\"a\",\"blocks\":4,\"threads\":64,\"regs\":9,\"split_overhead\":\"7us\",\"block_time\":"
    "{\"distribution\":\"empirical\",\"values\":[\"3us\",\"3us\",\"5us\"],\"tail\":{\"threshold\":\"3us\","
    "\"scale\":\"1us\",\"shape\":0,\"ratio\":0.25},\"max\":\"9us\",\"declared\":\"8us\"}},"
    "{\"name\":\"b\",\"blocks\":2,\"threads\":32,\"block_time\":\"1us\",\"split_overhead\":\"0.009ms\","
    "\"class\":\"C\",\"launches\":[{\"kernel\":\"a\"},{\"kernel\":\"x\",\"like\":\"a\",\"blocks\":3}]},"
    "{\"name\":\"w\",\"time\":\"2us\",\"usage\":{\"sm_utilisation\":0.5}}]}";

/* ---- taking them ---- */

static void kernels_get_what_they_do_not_say(void) {
    put_file("few.json", few);
    struct grt_scenario_file file = load(HEAD("tx2") "\"kernels\":\"few.json\",\"tasks\":[" TASK(
        "t", "",
        "{\"kernel\":\"a\"},{\"kernel\":\"k\",\"like\":\"a\",\"blocks\":9,\"regs\":3},{\"kernel\":\"b\"},"
        "{\"kernel\":\"w\"},{\"kernel\":\"a\",\"blocks\":1,\"threads\":1,\"block_time\":\"1ns\"}") "]}");
    const struct grt_kernel *a = kernel_of(&file, 0, 0), *k = kernel_of(&file, 0, 1),
                            *b = kernel_of(&file, 0, 2), *w = kernel_of(&file, 0, 3),
                            *own = kernel_of(&file, 0, 4);
    CU_ASSERT(a->blocks == 4 && a->needs.threads == 64 && a->needs.registers_per_thread == 9);
    CU_ASSERT(k->blocks == 9 && k->needs.threads == 64 && k->needs.registers_per_thread == 3);
    CU_ASSERT_STRING_EQUAL(k->name, "k");
    CU_ASSERT_STRING_EQUAL(k->class_name, "a");
    CU_ASSERT_STRING_EQUAL(b->class_name, "C");
    CU_ASSERT(w->whole_device && w->block_time.max == 2000 && w->usage->sm_utilisation == 0.5);
    CU_ASSERT(own->blocks == 1 && own->block_time.max == 1 && own->class_name == NULL);
    CU_ASSERT(a->block_time.min == 3000 && a->block_time.max == 9000 &&
              grt_distribution_worst(&a->block_time) == 8000);
    CU_ASSERT(a->block_time.tail->threshold == 3000 && a->block_time.tail->ratio == 0.25);
    const struct grt_launch_spec *launches = b->launches.items;
    CU_ASSERT_EQUAL_FATAL(b->launches.count, 2);
    CU_ASSERT(launches[0].kernel.blocks == 4 && launches[1].kernel.blocks == 3);
    /* values are read once, whoever has them */
    CU_ASSERT_EQUAL(a->block_time.measured->count, 3);
    CU_ASSERT_PTR_EQUAL(a->block_time.measured, k->block_time.measured);
    CU_ASSERT_PTR_EQUAL(a->block_time.measured, launches[0].kernel.block_time.measured);
    grt_scenario_file_free(&file);
}

static void tasks_get_the_largest_split_overhead(void) {
    struct grt_scenario_file file = load(
        HEAD("tx2") "\"kernels\":[\"few.json\"],\"tasks\":[" TASK("t", "", "{\"kernel\":\"a\"},{\"kernel\":\"b\"}") "," TASK(
            "u", "",
            "{\"kernel\":\"x\",\"like\":\"a\"}") "," TASK("v", ",\"split_overhead\":\"1us\"",
                                                          "{\"kernel\":\"a\"}") "," TASK("w", "",
                                                                                         "{\"kernel\":"
                                                                                         "\"w\"}") "]}");
    static const grt_time overheads[] = {9000, 7000, 1000, 0};
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(file.scenario.tasks[i].split_overhead, overheads[i]);
    }
    grt_scenario_file_free(&file);
}

static void definitions_in_place_may_be_set(void) {
    static const char text[] =
        HEAD("tx2") "\"kernels\":[\"few.json\",{\"name\":\"p\",\"blocks\":1,\"threads\":32,"
                    "\"block_time\":\"1us\"}],\"tasks\":[" TASK("t", "", "{\"kernel\":\"p\"}") "]}";
    static const char *const sets[] = {"kernels[1].block_time=4us", "tasks[0].segments[0].gpu[0].threads=64"};
    const struct grt_scenario_changes changes = {.sets = sets, .set_count = 2};
    struct grt_scenario_file file;
    struct grt_errors errors = {0};
    CU_ASSERT_TRUE_FATAL(grt_scenario_parse(text, strlen(text), GRT_SCRATCH_DIR, &changes, &file, &errors));
    CU_ASSERT_EQUAL(kernel_of(&file, 0, 0)->block_time.max, 4000);
    CU_ASSERT_EQUAL(kernel_of(&file, 0, 0)->needs.threads, 64);
    grt_scenario_file_free(&file);
}

/* ---- limits ---- */

/* A kernel file with so many values. */
static char *file_of_values(size_t count) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("{\"gpurt_kernels\":1,\"kernels\":[{\"name\":\"m\",\"blocks\":1,\"threads\":32,\"block_time\":{"
          "\"distribution\":\"empirical\",\"max\":\"1s\",\"values\":[",
          out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s\"%zuns\"", i > 0 ? "," : "", 1000 + i);
    }
    fputs("]}}]}", out);
    fclose(out);
    return text;
}

static void long_lists_are_read_once(void) {
    char *text = file_of_values(100000), *scenario;
    size_t size;
    put_file("long.json", text);
    free(text);
    FILE *out = open_memstream(&scenario, &size);
    fputs(HEAD("tx2") "\"kernels\":\"long.json\",\"tasks\":["
                      "{\"name\":\"t\",\"period\":\"5ms\",\"segments\":[{\"gpu\":[",
          out);
    for (int i = 0; i < GRT_MAX_COMMANDS; i++) {
        fprintf(out, "%s{\"kernel\":\"k%d\",\"like\":\"m\"}", i > 0 ? "," : "", i);
    }
    fputs("]}]}]}", out);
    fclose(out);
    struct grt_scenario_file file = load(scenario); /* a list of its own each would take 800 MB */
    CU_ASSERT_EQUAL(kernel_of(&file, 0, 1023)->block_time.measured->count, 100000);
    CU_ASSERT_EQUAL(kernel_of(&file, 0, 1023)->block_time.measured->values[99999], 100999);
    CU_ASSERT_PTR_EQUAL(kernel_of(&file, 0, 0)->block_time.measured,
                        kernel_of(&file, 0, 1023)->block_time.measured);
    grt_scenario_file_free(&file);
    free(scenario);
}

static void longer_lists_are_refused(void) {
    struct grt_errors errors = {0};
    char *text = file_of_values(100001);
    CU_ASSERT_FALSE(grt_file_check(GRT_FILE_KERNELS, text, strlen(text), &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "kernels[0].block_time.values: must have between 1 and 100000 "
                                               "elements (got 100001)");
    grt_errors_clear(&errors);
    free(text);
}

/* 16 launches of 16 of 15 in each kernel, and two of them in a segment. */
static void launches_are_counted_before_they_are_read(void) {
    static const char grid[] = "\"blocks\":1,\"threads\":32,\"block_time\":\"1us\"";
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, HEAD("tx2") "\"kernels\":[{\"name\":\"k0\",%s}", grid);
    for (int i = 1; i <= 3; i++) {
        fprintf(out, ",{\"name\":\"k%d\",%s,\"launches\":[", i, grid);
        for (int j = 0; j < (i == 1 ? 15 : 16); j++) {
            fprintf(out, "%s{\"kernel\":\"k%d\"}", j > 0 ? "," : "", i - 1);
        }
        fputs("]}", out);
    }
    fputs("],\"tasks\":[" TASK("t", "", "{\"kernel\":\"k3\"},{\"kernel\":\"k1\"}") "]}", out);
    fclose(out);
    CU_ASSERT_FALSE(parse(text, &file, &errors)); /* 16 + 16 * (16 + 16 * 15) = 4112 */
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "kernels[3].launches: must come to at most 4096 launches in all");
    grt_errors_clear(&errors);
    memcpy(strstr(text, "{\"kernel\":\"k2\"},"), "                ", 16); /* one of k3's less: 3855 */
    CU_ASSERT_TRUE(parse(text, &file, &errors));
    grt_scenario_file_free(&file);
    memcpy(strstr(text, "{\"kernel\":\"k1\"}]}]"), "{\"kernel\":\"k2\"}]}]", 18); /* and 256 more */
    CU_ASSERT_FALSE(parse(text, &file, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "tasks[0].segments[0].gpu: must have at most 4096 launches in all its kernels");
    grt_errors_clear(&errors);
    free(text);
}

/* Each launches the next one: as many as there may be. */
static void long_chains_are_refused(void) {
    struct grt_errors errors = {0};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("{\"gpurt_kernels\":1,\"kernels\":[", out);
    for (int i = 0; i < GRT_MOST_DEFINITIONS; i++) {
        fprintf(out, "{\"name\":\"k%d\",\"blocks\":1,\"threads\":32,\"block_time\":\"1us\"", i);
        fprintf(out, i < GRT_MOST_DEFINITIONS - 1 ? ",\"launches\":[{\"kernel\":\"k%d\"}]}," : "}]}", i + 1);
    }
    fclose(out);
    CU_ASSERT_FALSE(grt_file_check(GRT_FILE_KERNELS, text, strlen(text), &errors));
    CU_ASSERT_FATAL(errors.count > 0);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], "kernels[24].launches[0]: must be nested at most 24 deep");
    grt_errors_clear(&errors);
    free(text);
}

/* ---- what else knows of them ---- */

static void other_devices_are_noted(void) {
    static const char tasks[] =
        "\"kernels\":\"few.json\",\"tasks\":[" TASK("t", "", "{\"kernel\":\"a\"}") "]}",
                      none[] = "\"kernels\":\"few.json\",\"tasks\":[" TASK(
                          "t", "", "{\"kernel\":\"k\",\"time\":\"1us\"}") "]}";
    char text[2000];
    snprintf(text, sizeof text, "%s%s", HEAD("tx1"), tasks);
    struct grt_scenario_file file = load(text);
    CU_ASSERT_EQUAL_FATAL(file.note_count, 1);
    CU_ASSERT_STRING_EQUAL(file.notes[0],
                           "the kernels of few.json were measured on jetson-tx2, and run on tx1, GPU 0");
    grt_scenario_file_free(&file);
    snprintf(text, sizeof text, "%s%s", HEAD("tx2"), tasks); /* of which the other is an alias */
    file = load(text);
    CU_ASSERT_EQUAL(file.note_count, 0);
    grt_scenario_file_free(&file);
    snprintf(text, sizeof text, "%s%s", HEAD("tx1"), none);
    file = load(text);
    CU_ASSERT_EQUAL(file.note_count, 0);
    grt_scenario_file_free(&file);
}

static void files_are_among_the_names(void) {
    static const char text[] =
        "{\"kernels\":[\"a.json\",{\"name\":\"n.json\",\"usage\":\"u.json\"},\"/b.json\"],"
        "\"tasks\":[{\"segments\":[{\"gpu\":[{\"kernel\":\"c.json\"}]}]}]}",
                      one[] = "{\"kernels\":\"a.json\",\"texts\":[\"d.json\"]}";
    static const char *const expected[] = {"in/a.json", "in/u.json", "/b.json"};
    struct grt_arena arena = {0};
    struct grt_file_names names = {0};
    struct grt_errors errors = {0};
    cJSON *tree = grt_json_parse(text, strlen(text), &errors),
          *other = grt_json_parse(one, strlen(one), &errors);
    grt_file_names_in(&names, tree, "in", &arena);
    grt_file_names_in(&names, other, "in", &arena);
    CU_ASSERT_EQUAL_FATAL(names.count, 3);
    for (size_t i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(names.items[i], expected[i]);
    }
    cJSON_Delete(tree);
    cJSON_Delete(other);
    free(names.items);
    grt_arena_clear(&arena);
}

static void parts_are_checked_alone(void) {
    static const char device[] = "{\"sm_count\":0}", usage[] = "{\"gpurt_usage\":1}";
    struct grt_errors errors = {0};
    CU_ASSERT(grt_file_check(GRT_FILE_KERNELS, few, strlen(few), &errors));
    CU_ASSERT(grt_file_check(GRT_FILE_DEVICE, "{\"sm_count\":4}", 14, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
    CU_ASSERT_FALSE(grt_file_check(GRT_FILE_KERNELS, few, 100, &errors));
    CU_ASSERT_FALSE(grt_file_check(GRT_FILE_DEVICE, device, strlen(device), &errors));
    CU_ASSERT_FALSE(grt_file_check(GRT_FILE_USAGE, usage, strlen(usage), &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 3);
    CU_ASSERT_STRING_EQUAL(errors.messages[2], "sm_utilisation: required");
    grt_errors_clear(&errors);
    CU_ASSERT_EQUAL(grt_file_kind_of_text(few, strlen(few)), GRT_FILE_KERNELS);
    CU_ASSERT(grt_file_can_be_checked(GRT_FILE_KERNELS) && !grt_file_can_be_checked(GRT_FILE_SCENARIO));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"kernels get what they do not say", kernels_get_what_they_do_not_say},
        {"tasks get the largest split overhead", tasks_get_the_largest_split_overhead},
        {"definitions in place may be set", definitions_in_place_may_be_set},
        {"long lists are read once", long_lists_are_read_once},
        {"longer lists are refused", longer_lists_are_refused},
        {"launches are counted before they are read", launches_are_counted_before_they_are_read},
        {"long chains are refused", long_chains_are_refused},
        {"other devices are noted", other_devices_are_noted},
        {"files are among the names", files_are_among_the_names},
        {"parts are checked alone", parts_are_checked_alone},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernels", tests);
}
