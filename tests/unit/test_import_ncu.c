/* Counters of ncu as usages: the figures by hand, what is missing, what is refused, and that gpurt reads what is written. */
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/ncu_usage.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_ncu ncu;
static struct grt_errors errors, warnings;

static void read_file(const char *name) {
    char path[256];
    size_t size = 0;
    snprintf(path, sizeof path, GRT_SOURCE_DIR "/tests/import/%s", name);
    char *text = grt_text_file_read(path, &size, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_TRUE_FATAL(grt_ncu_read(text, size, &ncu, &errors));
    CU_ASSERT_EQUAL(errors.count, 0);
    free(text);
}

static struct grt_device device_of(void) {
    struct grt_device device = grt_built_device(132);
    device.memory_bytes_per_second = INT64_C(4800000000000);
    device.compute_capability = 90; /* as in the files */
    return device;
}

static void test_raw(void) {
    struct grt_device device = device_of();
    struct grt_ncu_usages usages;
    read_file("raw.csv");
    CU_ASSERT_EQUAL_FATAL(ncu.count, 4);
    CU_ASSERT_STRING_EQUAL(ncu.launches[3].kernel, "say \"hi\"(int)");
    CU_ASSERT_DOUBLE_EQUAL(ncu.launches[0].values[GRT_NCU_TIME], 1e-4, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(ncu.launches[0].values[GRT_NCU_DRAM_READ_BYTES], 4e7, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(ncu.launches[0].values[GRT_NCU_DRAM_WRITE_BYTES], 8e6, 1e-3);
    CU_ASSERT_FALSE(ncu.launches[3].known[GRT_NCU_TEXTURE]);
    CU_ASSERT_TRUE_FATAL(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    CU_ASSERT_EQUAL_FATAL(usages.count, 2);
    const struct grt_ncu_usage *gemm = &usages.items[0];
    CU_ASSERT_STRING_EQUAL(gemm->name, "gemm");
    CU_ASSERT_EQUAL(gemm->launches, 3);
    CU_ASSERT_EQUAL(gemm->fields.measured_time, 100000);
    CU_ASSERT_DOUBLE_EQUAL(gemm->time_spread, 0.04, 1e-9);
    const struct grt_usage *usage = &gemm->fields.usage;
    CU_ASSERT_DOUBLE_EQUAL(usage->sm_utilisation, 0.9, 1e-6); /* 23.76 million of 132 * 200,000 */
    CU_ASSERT_DOUBLE_EQUAL(usage->demand[GRT_RESOURCE_SM], 0.1,
                           1e-6); /* 10.56 million of 4 * 132 * 200,000 */
    CU_ASSERT_DOUBLE_EQUAL(usage->demand[GRT_RESOURCE_DRAM], 0.1, 1e-6); /* 48 MB in 100 us of 4.8 TB/s */
    CU_ASSERT_DOUBLE_EQUAL(usage->demand[GRT_RESOURCE_SHARED_MEMORY], 4.0 / 26.4, 1e-6);
    CU_ASSERT_FALSE(gemm->has_demand[GRT_RESOURCE_L2]);
    CU_ASSERT_DOUBLE_EQUAL(usage->counters[GRT_INDICATOR_INSTRUCTIONS], 1.056e11, 1);
    CU_ASSERT_DOUBLE_EQUAL(usage->counters[GRT_INDICATOR_WARPS], 3.8016e12, 1);
    CU_ASSERT_DOUBLE_EQUAL(usage->counters[GRT_INDICATOR_L2_READ], 5e10, 1);
    CU_ASSERT_DOUBLE_EQUAL(usage->counters[GRT_INDICATOR_SHARED_LOAD_CONFLICTS], 1e10, 1); /* 3 - 2 million */
    CU_ASSERT_DOUBLE_EQUAL(usage->counters[GRT_INDICATOR_SHARED_STORE_CONFLICTS], 0, 0);
    CU_ASSERT_TRUE(gemm->has_counter[GRT_INDICATOR_TEXTURE_LOAD]);
    const struct grt_ncu_usage *hi = &usages.items[1];
    CU_ASSERT_STRING_EQUAL(hi->name, "_hi_");
    CU_ASSERT_DOUBLE_EQUAL(hi->fields.usage.counters[GRT_INDICATOR_L2_READ], 1.15e7, 1); /* with atomics */
    CU_ASSERT_DOUBLE_EQUAL(hi->fields.usage.counters[GRT_INDICATOR_L2_WRITE], 2.15e7, 1);
    CU_ASSERT_FALSE(hi->has_counter[GRT_INDICATOR_GLOBAL_LOAD]);
    grt_ncu_usages_free(&usages);
    grt_ncu_free(&ncu);
    grt_errors_clear(&warnings);
}

/* What is not there is said once, and nothing is made of it. */
static void test_long(void) {
    struct grt_device device = device_of();
    struct grt_ncu_usages usages;
    read_file("long.csv");
    CU_ASSERT_EQUAL_FATAL(ncu.count, 2);
    CU_ASSERT_TRUE_FATAL(grt_ncu_usages_make(&ncu, NULL, &usages, &warnings, &errors));
    CU_ASSERT_EQUAL_FATAL(usages.count, 2);
    CU_ASSERT_STRING_EQUAL(usages.items[1].name, "spin-2"); /* another grid */
    CU_ASSERT_DOUBLE_EQUAL(usages.items[1].fields.usage.counters[GRT_INDICATOR_INSTRUCTIONS], 1.5e10, 1);
    CU_ASSERT_DOUBLE_EQUAL(usages.items[0].fields.usage.counters[GRT_INDICATOR_WARPS], 1.6e11, 1);
    CU_ASSERT_FALSE(usages.items[1].has_counter[GRT_INDICATOR_WARPS]);
    CU_ASSERT_DOUBLE_EQUAL(usages.items[0].fields.usage.sm_utilisation, 1, 0);
    bool said = false;
    for (size_t i = 0; i < warnings.count && i < GRT_ERRORS_KEPT; i++) {
        said = said || strstr(warnings.messages[i],
                              "spin-2: no warps, for which sm__warps_active.sum is needed") != NULL;
    }
    CU_ASSERT_TRUE(said);
    CU_ASSERT_STRING_EQUAL(
        warnings.messages[0],
        "spin: sm_utilisation is not known and taken as 1: count sm__cycles_active.avg and "
        "gpc__cycles_elapsed.max, or name the device");
    grt_ncu_usages_free(&usages);
    grt_errors_clear(&warnings);
    CU_ASSERT_TRUE_FATAL(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    CU_ASSERT_DOUBLE_EQUAL(usages.items[0].fields.usage.sm_utilisation, 32.0 / 132, 1e-6); /* by the grid */
    grt_ncu_usages_free(&usages);
    grt_ncu_free(&ncu);
    grt_errors_clear(&warnings);
}

/* gpurt reads every usage as it was made. */
static void test_round_trip(void) {
    struct grt_device device = device_of();
    struct grt_ncu_usages usages;
    read_file("raw.csv");
    CU_ASSERT_TRUE_FATAL(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    for (size_t i = 0; i < usages.count; i++) {
        struct grt_usage_fields fields;
        struct grt_arena arena = {0};
        const struct grt_usage *made = &usages.items[i].fields.usage;
        FILE *file = fopen(GRT_SCRATCH_DIR "/usage.json", "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        grt_ncu_usage_write(&usages.items[i], file);
        fclose(file);
        CU_ASSERT_TRUE_FATAL(grt_usage_find("usage.json", GRT_SCRATCH_DIR, &arena, &fields, &errors, NULL));
        CU_ASSERT_STRING_EQUAL(fields.usage.name, usages.items[i].name);
        CU_ASSERT_EQUAL(fields.measured_time, usages.items[i].fields.measured_time);
        CU_ASSERT_DOUBLE_EQUAL(fields.usage.sm_utilisation, made->sm_utilisation, 0);
        CU_ASSERT_EQUAL(memcmp(fields.usage.demand, made->demand, sizeof made->demand), 0);
        CU_ASSERT_EQUAL(memcmp(fields.usage.counters, made->counters, sizeof made->counters), 0);
        grt_arena_clear(&arena);
    }
    grt_ncu_usages_free(&usages);
    grt_ncu_free(&ncu);
    grt_errors_clear(&warnings);
}

static void refuse(const char *text, const char *message) {
    CU_ASSERT_FALSE(grt_ncu_read(text, strlen(text), &ncu, &errors));
    CU_ASSERT_EQUAL(ncu.count, 0);
    CU_ASSERT_FATAL(errors.count > 0);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    grt_errors_clear(&errors);
}

#define HEAD "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n"

static void test_refused(void) {
    refuse("", "no line begins with \"ID\": this is not what ncu --csv --page raw writes");
    refuse("==PROF== nothing\n", "no line begins with \"ID\": this is not what ncu --csv --page raw writes");
    refuse("\"ID\",\"Name\"\n", "line 1: there is no column \"Kernel Name\"");
    refuse("ID,Kernel Name,Metric Name\n", "line 1: there is no column \"Metric Value\"");
    refuse(HEAD, "there are no launches");
    refuse(HEAD "\"0\",\"k\",\"12", "line 3: the quote does not end: the file is cut off");
    refuse(HEAD "\"0\",\"k\"", "line 3: 2 cells, but 3 names of columns: the file is cut off");
    refuse(HEAD "hello\n\"0\",\"k\",\"12\"\n",
           "line 3: 1 cells, but 3 names of columns: what the program wrote stands "
           "between (run ncu with --log-file)");
    refuse(HEAD "\"0\",\"k\",\"n/a\"\n",
           "launch 0 of k has no gpu__time_duration.sum, by which all is divided: add it to "
           "--metrics");
    refuse(HEAD "\"0\",\"k\",\"0\"\n",
           "launch 0 of k has no gpu__time_duration.sum, by which all is divided: add it to "
           "--metrics");
    refuse(HEAD "\"0\",\"k\",\"1.234.567\"\n",
           "line 3.gpu__time_duration.sum: \"1.234.567\" is not a number as the C "
           "locale has it (1,234.5): run ncu with LC_ALL=C");
    refuse(HEAD "\"0\",\"k\",\"12,5\"\n",
           "line 3.gpu__time_duration.sum: \"12,5\" is not a number as the C locale has it "
           "(1,234.5): run ncu with LC_ALL=C");
    refuse("ID,Kernel Name,gpu__time_duration.sum\n,,inst\n0,k,5\n",
           "line 3.gpu__time_duration.sum: the unit \"inst\" is not a unit of time such as nsecond");
    refuse("ID,Kernel Name,gpu__time_duration.sum\n,,s\n0,k,1e19\n",
           "line 3.gpu__time_duration.sum: 1e19 s is more than any GPU does");
    refuse("ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,gpu__time_duration.sum,ns,5\n"
           "0,k,gpu__time_duration.sum,ns,6\n",
           "line 3.gpu__time_duration.sum: launch 0 has another value of it already");
}

#define SIZES                                                                                                \
    "ID,Kernel Name,Block Size,Grid Size,CC,gpu__time_duration.sum\n,,,,,ns\n"                               \
    "0,k,\"(32, 1, 1)\",\"(8, 1, 1)\",9.0,5\n"
#define ROW(block, grid, capability) SIZES "1,k,\"" block "\",\"" grid "\"," capability ",5\n"

/* What no launch has is a sign that columns are not what they are taken for. */
static void test_refused_sizes(void) {
    static const char grid[] = "line 4.Grid Size: must be \"(x, y, z)\", from 1 to 2147483647, 65535 and "
                               "65535 (got \"%s\")",
                      block[] =
                          "line 4.Block Size: must be \"(x, y, z)\", of 1 to 1024 threads, with 64 in z "
                          "at most (got \"%s\")";
    static const char *const grids[] = {"8",        "(8, 1)", "(0, 1, 1)",  "(8, 1, 65536)",
                                        "(8, 1, 1", "8 1 1)", "(8, -1, 1)", "(8, 1, 1) x"};
    static const char *const blocks[] = {"(2048, 1, 1)", "(32, 33, 1)", "(1, 1, 65)", "32", "x"};
    char text[400], message[200];
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++) {
        snprintf(text, sizeof text, ROW("(32, 1, 1)", "%s", "9.0"), grids[i]);
        snprintf(message, sizeof message, grid, grids[i]);
        refuse(text, message);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        snprintf(text, sizeof text, ROW("%s", "(8, 1, 1)", "9.0"), blocks[i]);
        snprintf(message, sizeof message, block, blocks[i]);
        refuse(text, message);
    }
    refuse(ROW("(32, 1, 1)", "(8, 1, 1)", "9"),
           "line 4.CC: must be a compute capability, such as 9.0 (got \"9\")");
    refuse(ROW("(32, 1, 1)", "(8, 1, 1)", "6.1"),
           "line 4.CC: metrics are those of compute capability 7.0 and later (got \"6.1\")");
    refuse(SIZES ",,,,,ns\n", "line 4: has no ID; the row of units is the one behind the names");
    refuse("ID,Kernel Name,gpu__time_duration.sum\n0,k,5\n",
           "line 2.gpu__time_duration.sum: the unit \"\" is not a unit of time such as nsecond");
    refuse("\"ID\";\"Kernel Name\"\n",
           "cells are separated by semicolons, not by commas: another program has written the file anew; "
           "take what ncu itself wrote (--log-file)");
}

/* Forms of grids that there are; a column that is missing is no error. */
static void test_sizes(void) {
    static const char text[] = ROW("1024, 1, 1", "(2147483647, 65535,1)", "12.0") "2,k,,,,5\n";
    CU_ASSERT_TRUE_FATAL(grt_ncu_read(text, strlen(text), &ncu, &errors));
    CU_ASSERT_EQUAL_FATAL(ncu.count, 3);
    CU_ASSERT(ncu.launches[0].blocks == 8 && ncu.launches[0].threads == 32);
    CU_ASSERT_EQUAL(ncu.launches[0].compute_capability, 90);
    CU_ASSERT(ncu.launches[1].blocks == 2147483647.0 * 65535 && ncu.launches[1].threads == 1024);
    CU_ASSERT_EQUAL(ncu.launches[1].compute_capability, 120);
    CU_ASSERT(ncu.launches[2].blocks == 0 && ncu.launches[2].compute_capability == 0);
    grt_ncu_free(&ncu);
}

/* Kernels of one name that are not the same have usages of their own, none of which takes another one's name. */
static void test_kernels_of_one_name(void) {
    static const char text[] =
        "ID,Kernel Name,Block Size,Grid Size,Device,CC,gpu__time_duration.sum\n,,,,,,ns\n"
        "0,\"void a::k<float>(int)\",\"(32, 1, 1)\",\"(8, 1, 1)\",0,9.0,5\n"
        "1,\"void b::k<double>(int)\",\"(32, 1, 1)\",\"(8, 1, 1)\",0,9.0,6\n"
        "2,k-2,\"(32, 1, 1)\",\"(8, 1, 1)\",0,9.0,7\n"
        "3,\"void a::k<float>(int)\",\"(32, 1, 1)\",\"(9, 1, 1)\",0,9.0,8\n"
        "4,\"void a::k<float>(int)\",\"(32, 1, 1)\",\"(8, 1, 1)\",1,9.0,9\n"
        "5,\"void a::k<float>(int)\",\"(32, 1, 1)\",\"(8, 1, 1)\",0,9.0,5\n";
    struct grt_ncu_usages usages;
    CU_ASSERT_TRUE_FATAL(grt_ncu_read(text, strlen(text), &ncu, &errors));
    CU_ASSERT_TRUE_FATAL(grt_ncu_usages_make(&ncu, NULL, &usages, &warnings, &errors));
    static const char *const names[] = {"k", "k-2", "k-2-2", "k-3", "k-4"};
    CU_ASSERT_EQUAL_FATAL(usages.count, 5);
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_STRING_EQUAL(usages.items[i].name, names[i]);
        CU_ASSERT_EQUAL(usages.items[i].launches, i == 0 ? 2 : 1);
    }
    grt_ncu_usages_free(&usages);
    grt_ncu_free(&ncu);
    grt_errors_clear(&warnings);
}

/* By its compute capability, where both are known. */
static void test_another_device(void) {
    struct grt_device device = device_of();
    struct grt_ncu_usages usages;
    device.compute_capability = 80;
    read_file("raw.csv");
    CU_ASSERT_FALSE(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "line 6: launch 0 of void gemm<float, (int)16>(const T1 *, const T1 *, T1 *, int) "
                           "was counted on compute capability 9.0, but built has 8.0: name the device that "
                           "it was counted on");
    grt_errors_clear(&errors);
    device.compute_capability = 0; /* not known */
    CU_ASSERT_TRUE(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    grt_ncu_usages_free(&usages);
    grt_errors_clear(&warnings);
    grt_ncu_free(&ncu);
}

/* More than there is of it. */
static void test_too_much(void) {
    struct grt_device device = device_of();
    struct grt_ncu_usages usages;
    device.memory_bytes_per_second = 48000000000;
    read_file("raw.csv");
    CU_ASSERT_FALSE(grt_ncu_usages_make(&ncu, &device, &usages, &warnings, &errors));
    CU_ASSERT_STRING_EQUAL(errors.messages[0],
                           "gemm: uses 10 times all that there is of dram: it was another device than built");
    grt_errors_clear(&errors);
    grt_errors_clear(&warnings);
    grt_ncu_free(&ncu);
}

static void test_numbers(void) {
    static const struct {
        const char *value, *unit;
        enum grt_ncu_dimension dimension;
        double number; /* below 0: refused */
    } cases[] = {
        {"1", "second", GRT_NCU_SECONDS, 1},     {"1.5", "msecond", GRT_NCU_SECONDS, 1.5e-3},
        {"2", "us", GRT_NCU_SECONDS, 2e-6},      {"1,234,567.5", "Kbyte", GRT_NCU_BYTES, 1234567500},
        {"3e2", "", GRT_NCU_COUNT, 300},         {"7", "Minst", GRT_NCU_COUNT, 7e6},
        {"12.5", "%", GRT_NCU_PERCENT, 12.5},    {"1,23", "", GRT_NCU_COUNT, -1},
        {",123", "", GRT_NCU_COUNT, -1},         {"1234,567", "", GRT_NCU_COUNT, -1},
        {"-1", "", GRT_NCU_COUNT, -1},           {"0x10", "", GRT_NCU_COUNT, -1},
        {"1e", "", GRT_NCU_COUNT, -1},           {"inf", "", GRT_NCU_COUNT, -1},
        {"1 ", "", GRT_NCU_COUNT, -1},           {"1", "xinst", GRT_NCU_COUNT, -1},
        {"1", "byte/second", GRT_NCU_BYTES, -1}, {"1e400", "", GRT_NCU_COUNT, -1},
        {"1,2345", "", GRT_NCU_COUNT, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double number = -1;
        bool good = grt_ncu_number(cases[i].value, cases[i].unit, cases[i].dimension, &number, &errors, NULL);
        CU_ASSERT_EQUAL(good, cases[i].number >= 0);
        CU_ASSERT_EQUAL(errors.count, good ? 0 : 1);
        CU_ASSERT_DOUBLE_EQUAL(number, cases[i].number, 1e-9 * cases[i].number * (cases[i].number > 0));
        grt_errors_clear(&errors);
    }
}

/* A file that ends anywhere is read as far as it goes, or refused; it is never misread. */
static void test_cut_off(void) {
    size_t size = 0, refused = 0;
    char *text = grt_text_file_read(GRT_SOURCE_DIR "/tests/import/raw.csv", &size, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t end = 0; end < size; end++) {
        if (!grt_ncu_read(text, end, &ncu, &errors)) {
            refused++;
            CU_ASSERT_TRUE(errors.count > 0);
            grt_errors_clear(&errors);
            continue;
        }
        for (size_t i = 0; i < ncu.count; i++) {
            double us = ncu.launches[i].values[GRT_NCU_TIME] * 1e6;
            static const double whole[] = {100, 102, 98, 10};
            CU_ASSERT_DOUBLE_EQUAL(us, whole[i], 1e-6);
        }
        grt_ncu_free(&ncu);
    }
    CU_ASSERT_TRUE(refused > size / 2);
    free(text);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a column for each metric", test_raw},
        {"a row for each metric", test_long},
        {"written and read", test_round_trip},
        {"what is refused", test_refused},
        {"refused sizes", test_refused_sizes},
        {"sizes", test_sizes},
        {"kernels of one name", test_kernels_of_one_name},
        {"another device", test_another_device},
        {"more than there is", test_too_much},
        {"numbers and units", test_numbers},
        {"cut off anywhere", test_cut_off},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("import/ncu", tests);
}
