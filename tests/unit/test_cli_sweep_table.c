/* The table that gpurt sweep prints: wide, long, and with means of some of the sets. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

/* Two axes; response_ratio has a value where the analysis says yes. */
static const char experiment[] =
    "{ \"gpurt_experiment\": 1, \"name\": \"table\", \"seed\": 5, \"samples\": 10,\n"
    "  \"generator\": { \"name\": \"cores\", \"cores\": 4 },\n"
    "  \"platform\": { \"cpus\": 4, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"
    "  \"axes\": [ { \"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"from\": 0.1, \"to\": 0.9, "
    "\"step\": 0.1 },\n"
    "             { \"name\": \"draw\", \"path\": \"evaluations[2].horizon\", \"values\":\n"
    "                 [ { \"label\": \"a\", \"value\": \"100ms\" }, { \"label\": \"b\", \"value\": \"200ms\" "
    "} ] } ],\n"
    "  \"evaluations\": [\n"
    "    { \"name\": \"mpcp\", \"label\": \"MPCP\", \"kind\": \"analysis\", \"policy\": { \"name\": \"mpcp\" "
    "} },\n"
    "    { \"name\": \"server\", \"label\": \"Server\", \"kind\": \"analysis\", \"policy\": { \"name\": "
    "\"gpu-server\" } },\n"
    "    { \"name\": \"sim\", \"kind\": \"simulation\", \"policy\": { \"name\": \"gpu-server\" },\n"
    "      \"measures\": [\"miss_ratio\"] } ] }\n";

static void begin(void) {
    call("rm -rf *.csv *.json *.journal .gpurt-*");
    put_file("table.json", experiment);
}

static size_t times(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* Each part of a table that is too wide has the columns of both axes. */
static void parts_repeat_the_axes(void) {
    begin();
    expect(0, call("gpurt sweep table.json --ascii --width 200 | tee whole.txt"));
    CU_ASSERT_EQUAL(times(out, "share  draw  "), 1);
    CU_ASSERT_EQUAL(times(out, "\n  0.9     b  "), 1);
    expect(0, call("gpurt sweep table.json --ascii --width 60"));
    CU_ASSERT_EQUAL(times(out, "share  draw  "), 3);
    CU_ASSERT_EQUAL(times(out, "\n  0.9     b  "), 3);
}

/* Means say of how many sets they are where that is not all, and what that means. */
static void means_say_of_how_many_sets(void) {
    static const char note[] = "\n(n): the mean is of n sets of the point; the others have no value\n";
    begin();
    expect(0, call("gpurt sweep table.json --ascii --csv r.csv"));
    char row[200], cell[40];
    double mean = 0;
    unsigned sets = 0, of = 0;
    read_text(SCRATCH "r.csv", err);
    const char *line = strstr(err, "\n0.9,b,mpcp,");
    CU_ASSERT_FATAL(line != NULL && sscanf(line + 1, "%199[^\n]", row) == 1);
    CU_ASSERT_FATAL(
        sscanf(row, "0.9,b,mpcp,%u,%*u,%*u,%*u,%*u,%*u,%*u,%*f,%*f,%*f,%lf,%u", &of, &mean, &sets) == 3);
    CU_ASSERT(sets > 0 && sets < of); /* so there is something to say */
    snprintf(cell, sizeof cell, "  %.4g (%u)", mean, sets);
    expect_part(out, cell);
    expect_part(out, note);
    expect(0, call("gpurt sweep table.json --ascii --set evaluations[0].measures='[\"steps\"]' --set "
                   "evaluations[1].measures='[\"steps\"]'"));
    CU_ASSERT_PTR_NULL(strstr(out, note)); /* all sets have them */
    expect(0, call("gpurt sweep table.json --ascii --set evaluations[0].measures='[\"steps\"]' --set "
                   "evaluations[1].measures='[\"steps\"]' --set "
                   "evaluations[2].measures='[\"scheduling_runs\"]'"));
    expect_part(out, "scheduling_runs");
    CU_ASSERT_PTR_NULL(strstr(out, note)); /* none has it: there is no mean */
}

/* More than 200 points: the first ones, and how many there are besides. */
static void long_tables_are_cut(void) {
    begin();
    call("sed -i 's/\"step\": 0.1/\"step\": 0.004/' table.json");
    expect(0, call("gpurt sweep table.json --ascii --samples 1 --width 200 --csv r.csv; grep -c mpcp r.csv"));
    expect_part(out, "402 points, 1 task set each");
    expect_part(out, "\n... and 202 more points: --csv FILE writes all of them\n");
    expect_part(out, "\n402\n");
    CU_ASSERT_EQUAL(times(out, "     a  "), 100);
    CU_ASSERT_EQUAL(times(out, "     b  "), 100);
}

/* Labels may be repeated in other groups; times have a unit, and not those of the CSV. */
static void headings_tell_groups_and_units(void) {
    begin();
    expect(0, call("gpurt sweep table.json --ascii --width 200 --samples 2 --csv r.csv "
                   "--set evaluations[0].group=locks --set evaluations[1].label=MPCP "
                   "--set evaluations[1].group=servers --set evaluations[2].group=servers "
                   "--set evaluations[2].measures='[\"end\",\"jobs\"]'"));
    expect_part(out, "locks: MPCP");
    expect_part(out, "servers: MPCP");
    expect_part(out, "end ms  jobs");
    expect_part(out, "  100.0  ");
    CU_ASSERT_PTR_NULL(strstr(out, "e+0"));
    read_text(SCRATCH "r.csv", err);
    expect_part(err, ",100000000,");
}

/* How many of the experiment's own claims hold, once it is whole; and the way to see which works. */
static void claims_are_counted(void) {
    static const char claims[] =
        "sed -i 's|\"evaluations\"|\"claims\": [{\"text\": \"a\", \"order\": [\"sim\", \"mpcp\"]}, "
        "{\"text\": "
        "\"b\", \"order\": [\"mpcp\", \"sim\"], \"margin\": 0.5}], \"published\": [{\"evaluation\": \"sim\", "
        "\"value\": 0.5, \"at\": {\"share\": 0.1}}], &|' table.json";
    begin();
    expect(0, call("gpurt sweep table.json --ascii"));
    CU_ASSERT_PTR_NULL(strstr(out, "claims"));
    CU_ASSERT_PTR_NULL(strstr(out, "published"));
    call(claims);
    expect(0, call("gpurt sweep table.json --ascii"));
    expect_part(out, "\nclaims: 1 of 2 hold\n0 of 1 published values agree\n"
                     "each of them, evaluated anew as the file says: gpurt papers table; of a file of your "
                     "own, in FOLDER/experiments, with --library=FOLDER\n");
    expect(
        0,
        call(
            "mkdir -p lib/experiments && cp table.json lib/experiments && gpurt papers --library=lib table"));
    expect_part(out, "0 of 1 published values agree.\n1 of 2 claims hold.\n");
    CU_ASSERT_PTR_NULL(strstr(out, "may be chance"));
    expect(0, call("gpurt papers --library=lib table --samples 5 --ascii --width 70"));
    expect_part(out,
                "\nwhere        evaluation  difference  agrees\n"); /* each part says of what its rows are */
    expect(0, call("gpurt papers --library=lib table --samples 5; rm -r lib"));
    expect_part(
        out,
        "Claims compare points without intervals: with fewer task sets, whether they hold may be chance.\n");
}

/* Quiet is without tables and progress, not without what is to be known of the results. */
static void quiet_sweeps_warn(void) {
    static const char proven[] =
        "gpurt: evaluation mpcp says neither yes nor no of any set (18 unknown): a ratio of 0 "
        "says that it proves none of them, not that they miss deadlines\n"
        "gpurt: measure scheduling_runs of evaluation sim had no value in any set\n";
    begin();
    call("sed -i 's|\"policy\": { \"name\": \"mpcp\" }|\"policy\": { \"name\": \"np-edf\" }, \"analysis\": "
         "\"utilisation\"|; s|\"miss_ratio\"|&, \"scheduling_runs\"|' table.json");
    expect(0, call("gpurt sweep table.json -q --samples 1"));
    expect_text(out, "");
    expect_text(err, proven);
    expect(0, call("gpurt sweep table.json -q --samples 1 --shard 1/1"));
    expect_text(err, "");
    expect(0, call("gpurt merge table.json -q --samples 1 *.journal"));
    expect_text(out, "");
    expect_text(err, proven);
}

/* Before anything runs. */
static void folders_are_no_files(void) {
    begin();
    expect(1, call("gpurt sweep table.json --csv ."));
    expect_text(err, "gpurt: .: is a folder: name a file\n");
    expect_text(out, "");
    expect(1, call("gpurt sweep table.json --json ."));
    expect_text(err, "gpurt: .: is a folder: name a file\n");
}

int main(void) {
    CU_TestInfo tests[] = {{"parts repeat the axes", parts_repeat_the_axes},
                           {"means say of how many sets", means_say_of_how_many_sets},
                           {"long tables are cut", long_tables_are_cut},
                           {"headings tell groups and units", headings_tell_groups_and_units},
                           {"claims are counted", claims_are_counted},
                           {"quiet sweeps warn", quiet_sweeps_warn},
                           {"folders are no files", folders_are_no_files},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_sweep_table", tests);
}
