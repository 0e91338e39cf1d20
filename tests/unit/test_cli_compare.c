/* `gpurt compare` as its users call it. The scenario is worked out by hand: `long` takes 12 every 30 and has a deadline of 30, `stream` takes
 * 3 every 10 from 10 on and wants gaps of 10, in ms. First come, first served `long` has [0,12), [30,42), `stream` [12,15), [20,23),
 * [42,45), [45,48); under np-fp `stream`, which is more urgent, has [12,15), [20,23), [30,33), [45,48), and `long` [0,12), [33,45). So
 *   fifo   long -18 -18, stream gaps 8 22 3:  -36 + 3 = -33
 *   np-fp  long -18 -15, stream gaps 8 10 15: -33 + 3 = -30
 *   alone  long -18 -18, stream gaps 10 10 10: -36, beyond which fifo is 3 and np-fp 6. */
#include <cjson/cJSON.h>
#include <sys/stat.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#ifndef GRT_PROGRAM
#error "tests of the program need the program: GRT_PROGRAM is its path"
#endif

#define STUTTERING(policy_, stream_)                                                                         \
    "{ \"gpurt\": 1, \"name\": \"stuttering\", \"horizon\": \"50ms\", \"policy\": { " policy_ " },\n"        \
    "  \"platform\": { \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"                                     \
    "  \"tasks\": [\n"                                                                                       \
    "    { \"name\": \"long\", \"period\": \"30ms\", \"segments\": [\n"                                      \
    "      { \"gpu\": [ { \"kernel\": \"k\", \"time\": \"12ms\" } ] } ] },\n"                                \
    "    { \"name\": \"stream\", \"period\": \"10ms\", \"offset\": \"10ms\", " stream_ ",\n"                 \
    "      \"segments\": [ { \"gpu\": [ { \"kernel\": \"m\", \"time\": \"3ms\" } ] } ] } ] }\n"
#define SEPARATION "\"separation\": \"10ms\""

static void make_files(void) {
    mkdir(GRT_SCRATCH_DIR, 0777);
    put_file("stuttering.json", STUTTERING("\"name\": \"fifo\"", SEPARATION));
    put_file("all.json", STUTTERING("\"name\": \"tdm\", \"admit\": \"all\"", SEPARATION));
    put_file("abort.json", STUTTERING("\"name\": \"fifo\"", "\"deadline\": \"4ms\", \"on_miss\": \"abort\""));
    put_file("bad.json", STUTTERING("\"name\": \"fifo\"", "\"separation\": \"0ms\""));
    put_file("syntax.json", "{ \"gpurt\": 1,\n  name: 3 }\n");
}

/* ---- tables ---- */

static const char tables[] = "stuttering: 2 policies, seed 1, ties by task, ended at 50ms\n"
                             "performance: slack beyond the ideal of fifo, divided by the policy's own\n"
                             "ideal: every job ends as soon as it would alone\n"
                             "\n"
                             "                              slack\n"
                             "policy  performance  accumulated ms  beyond ideal ms\n"
                             "----------------------------------------------------\n"
                             "fifo           1.00          -33.00            3.000\n"
                             "np-fp          0.50          -30.00            6.000\n"
                             "\n"
                             "        deadlines        lateness                  gaps       not\n"
                             "policy     missed  late   mean ms  max ms  deviation ms  finished\n"
                             "-----------------------------------------------------------------\n"
                             "fifo            0     1     2.400   12.00         8.042         0\n"
                             "np-fp           0     1     1.000    5.00         2.944         0\n"
                             "\n"
                             "performance\n"
                             "fifo   ############################################################# 1.00\n"
                             "np-fp  ############################### 0.50\n";

static void the_tables(void) {
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --ascii --width 80"));
    expect_text(out, tables);
    read_text(GRT_SOURCE_DIR "/docs/metrics.md", out);
    expect_part(out, tables);
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --tasks --ascii --width 100"));
    expect_part(out, "\nlong: deadline 30ms\n");
    expect_part(out, "\nstream: separation 10ms\n");
    expect_part(out, "\nnp-fp      4.750    8.00       3     1           3.000            3.000     1.667    "
                     "5.00         0\n");
    expect_part(out, "\nnp-fp    8.000   15.00         2.944\n");
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp -q"));
    expect_text(out, "");
}

static void the_base(void) {
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --base np-fp --ascii"));
    expect_part(out, "\nfifo           2.00 ");
    expect_part(out, "\nnp-fp          1.00 ");
    expect_part(out, "slack beyond the ideal of np-fp, divided");
}

static void the_ideal(void) {
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --ideal arrival"));
    expect_part(out, "\nnp-fp          0.90 ");
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --ideal zero"));
    expect_part(out, "\nfifo      undefined ");
    expect_part(out, "\nfifo   undefined: it is no worse than the ideal\n");
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --set tasks[1].separation=1ms "
                   "--ideal zero"));
    expect_part(out, "\nnp-fp  undefined: it is no worse than the ideal\n"); /* 27 - 36, 27 - 33 */
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --until 1ns"));
    expect_part(out, "\nnp-fp  undefined: no job has a slack\n");
}

/* Of hi, which takes all of the device, np-fp ends each job as soon as it would end alone, and none of lo's. */
static void who_starves_a_task_is_not_praised(void) {
    put_file(
        "starve.json",
        "{\"gpurt\": 1, \"name\": \"starve\", \"horizon\": \"100ms\", \"policy\": {\"name\": \"np-fp\"},\n"
        " \"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": \"exclusive\"}]}, \"tasks\": [\n"
        "  {\"name\": \"hi\", \"period\": \"10ms\", \"cpu\": 0, \"segments\": [{\"gpu\": [\n"
        "   {\"kernel\": \"k\", \"blocks\": 1, \"threads\": 32, \"block_time\": \"10ms\"}]}]},\n"
        "  {\"name\": \"lo\", \"period\": \"10ms\", \"cpu\": 1, \"segments\": [{\"gpu\": [\n"
        "   {\"kernel\": \"k\", \"blocks\": 1, \"threads\": 32, \"block_time\": \"2ms\"}]}]}]}\n");
    expect(0, call("gpurt compare starve.json --policies fifo,np-fp"));
    expect_part(out, "\nnp-fp     undefined ");
    expect_part(out, "\nnp-fp  undefined: task lo ends no job\n");
    expect(0, call("gpurt compare starve.json --policies np-fp,fifo --json -"));
    expect_part(out, "\"undefined\":\t\"task lo ends no job\"");
    expect_part(out, "\"undefined\":\t\"task lo ends no job under the base\"");
}

/* Nothing ends late's first job, of 50 ms, within the run; what is only cut off says nothing of a policy, but a deadline does. */
static void who_is_cut_off_is_not_starved(void) {
    put_file(
        "cut.json",
        "{\"gpurt\": 1, \"name\": \"cut\", \"horizon\": \"30ms\", \"policy\": {\"name\": \"np-fp\"},\n"
        " \"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": \"exclusive\"}]}, \"tasks\": [\n"
        "  {\"name\": \"hi\", \"period\": \"10ms\", \"cpu\": 0, \"segments\": [{\"gpu\": [\n"
        "   {\"kernel\": \"k\", \"blocks\": 1, \"threads\": 32, \"block_time\": \"2ms\"}]}]},\n"
        "  {\"name\": \"late\", \"period\": \"100ms\", \"cpu\": 1, \"segments\": [{\"cpu\": \"50ms\"}]}]}\n");
    expect(0, call("gpurt compare cut.json --policies np-fp,fifo --json -"));
    CU_ASSERT_PTR_NULL(strstr(out, "ends no job"));
    expect(0, call("gpurt compare cut.json --policies np-fp,fifo --set tasks[1].period=29ms --set "
                   "tasks[1].deadline=100ms --json -")); /* nor its second one */
    CU_ASSERT_PTR_NULL(strstr(out, "ends no job"));
    expect(0, call("gpurt compare cut.json --policies np-fp,fifo --set tasks[1].deadline=20ms --json -"));
    expect_part(out, "\"undefined\":\t\"task late ends no job\"");
    expect(0, call("gpurt compare starve.json --policies np-fp,fifo --set tasks[1].period=90ms --set "
                   "tasks[1].deadline=90ms --until 40ms --json -"));
    expect_part(out, "\"undefined\":\t\"task lo ends no job\""); /* which fifo does */
    put_file("separate.sed", "s/\"name\": \"lo\", \"period\": \"10ms\"/&, \"separation\": \"10ms\"/");
    expect(0, call("sed -f separate.sed starve.json >separate.json && "
                   "gpurt compare separate.json --policies np-fp,np-rm --json -")); /* nor any deadline */
    expect_part(out, "\"undefined\":\t\"task lo ends no job\"");
}

/* It is starved whenever its jobs arrive, if the first of them has more than its 2 ms left. */
static void however_it_arrives(void) {
    static const struct {
        const char *arrival;
        bool starved;
    } cases[] = {{"\"times\": [\"0ms\", \"90ms\"]", true},
                 {"\"times\": [\"97999999ns\"]", true},
                 {"\"times\": [\"98ms\", \"99ms\"]", false},
                 {"\"poisson\": {\"mean_gap\": \"10ms\"}", true},
                 {"\"period\": \"10ms\", \"jitter\": \"9ms\"", true},
                 {"\"after\": [\"hi\"]", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char program[200];
        snprintf(program, sizeof program,
                 "s/\"name\": \"lo\", \"period\": \"10ms\"/\"name\": \"lo\", \"deadline\": \"1s\", %s/\n",
                 cases[i].arrival);
        put_file("arrivals.sed", program);
        expect(0, call("sed -f arrivals.sed starve.json >arrives.json && "
                       "gpurt compare arrives.json --policies np-fp,np-edf --set horizon=100ms --json -"));
        CU_ASSERT_EQUAL(strstr(out, "\"task lo ends no job\"") != NULL, cases[i].starved);
    }
    expect(0, call("gpurt compare arrives.json --policies np-fp,np-edf --json - --set "
                   "tasks[1].segments[0].gpu[0].block_time=101ms")); /* which nobody ends */
    CU_ASSERT_PTR_NULL(strstr(out, "ends no job"));
}

/* ---- what policies are run with ---- */

static double number(const cJSON *object, const char *key) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(value)) {
        printf("\n    no number: %s", key);
    }
    CU_ASSERT(cJSON_IsNumber(value));
    return cJSON_GetNumberValue(value);
}

/* The file's policy has the file's parameters, others those that they know, and what --set says of a label. */
static void parameters(void) {
    expect(0, call("gpurt compare all.json --policies tdm,fifo,again=tdm --json -"));
    cJSON *root = cJSON_Parse(out);
    const cJSON *list = cJSON_GetObjectItem(root, "policies");
    CU_ASSERT_EQUAL(cJSON_GetArraySize(list), 3);
    CU_ASSERT_EQUAL(number(cJSON_GetArrayItem(list, 0), "beyond_ideal_ns"),
                    number(cJSON_GetArrayItem(list, 2), "beyond_ideal_ns"));
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 2), "policy")),
                           "tdm");
    cJSON_Delete(root);
    expect(1, call("gpurt compare stuttering.json --policies fifo,tdm"));
    expect_part(out, "\ntdm         refused ");
    expect_part(out, "\ntdm   refused\n");
    expect_part(err, "gpurt: stuttering.json: tdm: policy tdm cannot guarantee the deadlines");
    expect(0, call("gpurt compare stuttering.json --policies fifo,x=tdm --set x.admit=all"));
    expect(
        0,
        call("gpurt compare stuttering.json --policies fifo,a=tdm,b=tdm --set a.admit=all --set b.admit=all "
             "--set b.period=6ms --json -"));
    root = cJSON_Parse(out);
    list = cJSON_GetObjectItem(root, "policies");
    CU_ASSERT_NOT_EQUAL(number(cJSON_GetArrayItem(list, 1), "beyond_ideal_ns"),
                        number(cJSON_GetArrayItem(list, 2), "beyond_ideal_ns"));
    cJSON_Delete(root);
    expect(1, call("gpurt compare stuttering.json --policies fifo,np-fp --set fifo.nothing=1"));
    expect_part(err, "gpurt: stuttering.json: fifo: policy.nothing: unknown field");
    expect_part(out, "\nnp-fp  undefined: the base refuses the scenario\n");
    expect(2, call("gpurt compare stuttering.json --policies a=tdm,b=tdm --set horizon=soon --set a.admit=x "
                   "--set b.admit=y"));
    expect_part(err,
                "gpurt: stuttering.json: a: policy.admit: must be \"feasible\" or \"all\" (got \"x\")\n");
    expect_part(err,
                "gpurt: stuttering.json: b: policy.admit: must be \"feasible\" or \"all\" (got \"y\")\n");
}

/* The same as single runs say. */
static void as_single_runs(void) {
    static const char *const policies[] = {"fifo", "np-fp", "np-edf", "hardware"};
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp,np-edf,hardware --seed 3 --until 1s "
                   "--json -"));
    cJSON *root = cJSON_Parse(out);
    for (int i = 0; i < 4; i++) {
        expect(0, call("gpurt run stuttering.json --policy %s --seed 3 --until 1s --json -", policies[i]));
        cJSON *single = cJSON_Parse(out);
        const cJSON *slack = cJSON_GetObjectItem(cJSON_GetObjectItem(single, "totals"), "slack"),
                    *own = cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "policies"), i),
                                               "slack");
        CU_ASSERT(cJSON_Compare(slack, own, true));
        cJSON_Delete(single);
    }
    cJSON_Delete(root);
}

/* ---- other jobs ---- */

/* First come, first served `stream` loses the jobs of 10 (it would end at 15, after 14) and of 30 and 40; under np-fp that of 10 and
 * that of 40 only. */
static void other_jobs(void) {
    expect(0, call("gpurt compare abort.json --policies fifo,np-fp --ascii"));
    expect_part(out,
                "\nnp-fp has other numbers of slacks than fifo, in 1 task: its sums are of other jobs\n");
    expect(0, call("gpurt compare abort.json --policies fifo,np-fp --json -"));
    cJSON *root = cJSON_Parse(out);
    const cJSON *list = cJSON_GetObjectItem(root, "policies");
    CU_ASSERT_EQUAL(number(cJSON_GetArrayItem(list, 0), "tasks_with_other_jobs"), 0);
    CU_ASSERT_EQUAL(number(cJSON_GetArrayItem(list, 1), "tasks_with_other_jobs"), 1);
    cJSON_Delete(root);
}

/* ---- files ---- */

static const char csv[] =
    "label,policy,task,kind,performance,slacks,accumulated_ns,ideal_ns,late,lateness_sum_ns,lateness_mean_ns,"
    "lateness_max_ns,missed,not_finished,response_mean_ns,response_max_ns,gap_min_ns,gap_mean_ns,gap_max_ns,"
    "gap_deviation_ns,refused,plugin\n"
    "fifo,fifo,,,1,5,-33000000,-36000000,1,12000000,2400000,12000000,0,0,,,,,,8041559,,\n"
    "fifo,fifo,long,latency,,2,-36000000,-36000000,0,0,0,0,0,0,12000000,12000000,,,,,,\n"
    "fifo,fifo,stream,throughput,,3,3000000,0,1,12000000,4000000,12000000,0,0,7750000,15000000,3000000,"
    "11000000,"
    "22000000,8041559,,\n"
    "np-fp,np-fp,,,0.5,5,-30000000,-36000000,1,5000000,1000000,5000000,0,0,,,,,,2943920,,\n"
    "np-fp,np-fp,long,latency,,2,-33000000,-36000000,0,0,0,0,0,0,13500000,15000000,,,,,,\n"
    "np-fp,np-fp,stream,throughput,,3,3000000,0,1,5000000,1666667,5000000,0,0,4750000,8000000,8000000,"
    "11000000,"
    "15000000,2943920,,\n";

static void the_csv(void) {
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --csv -"));
    expect_text(out, csv);
    expect(0, call("gpurt compare - --policies fifo,np-fp -q --csv a.csv < stuttering.json && cat a.csv"));
    expect_text(out, csv);
    expect(0, call("gpurt compare stuttering.json --policies fifo,tdm -q --csv t.csv || grep tdm t.csv"));
    expect_part(out, "tdm,tdm,,,,,,,,,,,,,,,,,,,\"policy tdm cannot guarantee");
    expect_part(out, "task stream has no deadline (\"\"admit\"\": \"\"all\"\" runs");
}

static void the_json(void) {
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --json -"));
    cJSON *root = cJSON_Parse(out);
    const cJSON *second = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "policies"), 1),
                *task = cJSON_GetArrayItem(cJSON_GetObjectItem(second, "tasks"), 1);
    CU_ASSERT_EQUAL(number(root, "gpurt_compare"), 1);
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "ideal")), "alone");
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(root, "base")), "fifo");
    CU_ASSERT_STRING_EQUAL(cJSON_GetStringValue(cJSON_GetObjectItem(second, "label")), "np-fp");
    CU_ASSERT_EQUAL(number(second, "performance_ratio"), 0.5);
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(second, "undefined")));
    CU_ASSERT(cJSON_IsNull(cJSON_GetObjectItem(second, "refused")));
    CU_ASSERT_EQUAL(number(second, "ideal_ns"), -36e6);
    CU_ASSERT_EQUAL(number(second, "beyond_ideal_ns"), 6e6);
    CU_ASSERT_EQUAL(number(second, "gap_deviation_max_ns"), 2943920);
    CU_ASSERT_EQUAL(number(second, "missed"), 0);
    CU_ASSERT_EQUAL(number(second, "end_ns"), 50e6);
    CU_ASSERT_EQUAL(number(cJSON_GetObjectItem(second, "slack"), "accumulated_ns"), -30e6);
    CU_ASSERT_EQUAL(number(task, "released"), 4);
    CU_ASSERT_EQUAL(number(task, "response_max_ns"), 8e6);
    CU_ASSERT_EQUAL(number(task, "beyond_ideal_ns"), 3e6);
    cJSON_Delete(root);
    expect(1, call("gpurt compare stuttering.json --policies fifo,tdm --json -"));
    expect_part(out, "\"refused\":\t[\"policy tdm cannot guarantee");
    expect(0, call("gpurt compare stuttering.json --policies fifo,np-fp --ideal zero --json -"));
    expect_part(out, "\"performance_ratio\":\tnull,");
    expect_part(out, "\"undefined\":\t\"it is no worse than the ideal\"");
}

static void full_disks(void) {
    expect(1, call("gpurt compare stuttering.json --policies fifo,np-fp -q --json /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt compare stuttering.json --policies fifo,np-fp -q --csv /dev/full"));
    expect_text(err, "gpurt: /dev/full: cannot write: No space left on device\n");
    expect(1, call("gpurt compare stuttering.json --policies fifo,np-fp > /dev/full"));
    expect(1, call("gpurt compare stuttering.json --policies fifo,np-fp -q --csv none/a.csv"));
    expect(2, call("gpurt compare bad.json --policies fifo,np-fp --json kept.json"));
    CU_ASSERT_FALSE(exists("kept.json"));
}

/* ---- usage ---- */

static void wrong_usage(void) {
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"--policies fifo,np-fp", "needs a scenario file"},
        {"stuttering.json", "needs --policies, as in --policies fifo,np-edf"},
        {"stuttering.json all.json --policies fifo,np-fp",
         "one scenario at a time (got 'stuttering.json' and 'all.json')"},
        {"stuttering.json --policies fifo", "one policy cannot be compared; name two or more"},
        {"stuttering.json --policies fifo,np-edv", "unknown policy \"np-edv\" (did you mean \"np-edf\"?)"},
        {"stuttering.json --policies fifo,,np-fp", "a name is missing between two commas, or at an end"},
        {"stuttering.json --policies fifo,", "a name is missing between two commas, or at an end"},
        {"stuttering.json --policies fifo,fifo",
         "'fifo' is there twice; a policy is compared to itself under labels, as in "
         "a=fifo,b=fifo"},
        {"stuttering.json --policies =fifo,np-fp", "a label has one character or more"},
        {"stuttering.json --policies a.b=fifo,np-fp", "a label has one character or more, and none of"},
        {"stuttering.json --policies tasks=fifo,np-fp", "'tasks' is a key of scenario files and no label"},
        {"stuttering.json --policies fifo,np-fp --base np-edf", "--base: np-edf is not among --policies"},
        {"stuttering.json --policies fifo,np-fp --base np-f", "(did you mean \"np-fp\"?)"},
        {"stuttering.json --policies fifo,np-fp --ideal best",
         "--ideal: must be alone, arrival or zero (got 'best')"},
        {"stuttering.json --policies fifo,np-fp --profile-runs 0",
         "--profile-runs: must be a whole number from 1"},
        {"stuttering.json --policies fifo,np-fp --profile-runs 2x",
         "--profile-runs: must be a whole number from 1"},
        {"stuttering.json --policies fifo,np-fp --set tdm.admit=all",
         "--set tdm.admit=all: tdm is no label of --policies"},
        {"stuttering.json --policies fifo,np-fp --set x", "--set needs PATH=VALUE"},
        {"stuttering.json --policies fifo,np-fp --policies fifo,np-fp", "--policies was given twice"},
        {"stuttering.json --policies fifo,np-fp --json - --csv -",
         "--json - and --csv - cannot both have standard output"},
        {"stuttering.json --policies fifo,np-fp --json a --csv a", "--json and --csv cannot both write 'a'"},
        {"stuttering.json --policies fifo,np-fp --csv stuttering.json", "would overwrite the scenario"},
        {"stuttering.json --policies fifo,np-fp --tasks -q", "--tasks is a table, and --quiet prints none"},
        {"none.json --policies fifo,np-fp", "none.json: cannot"},
        {"syntax.json --policies fifo,np-fp", "gpurt: syntax.json: 2:3: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect(2, call("gpurt compare %s", cases[i].arguments));
        expect_part(err, cases[i].message);
        expect_text(out, "");
    }
}

/* What is wrong with the file is said once, what only policies say with their labels. */
static void all_refuse(void) {
    expect(2, call("gpurt compare bad.json --policies fifo,np-fp"));
    expect_text(err, "gpurt: bad.json: tasks[1].separation: must be above 0 (got \"0ms\")\n");
    expect(2, call("gpurt compare stuttering.json --policies fifo,np-fp --set fifo.x=1 --set np-fp.y=1"));
    expect_part(err, "gpurt: stuttering.json: fifo: policy.x: unknown field");
    expect_part(err, "gpurt: stuttering.json: np-fp: policy.y: unknown field");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the tables", the_tables},
        {"the base", the_base},
        {"the ideal", the_ideal},
        {"who starves a task is not praised", who_starves_a_task_is_not_praised},
        {"who is cut off is not starved", who_is_cut_off_is_not_starved},
        {"who is starved, however it arrives", however_it_arrives},
        {"parameters", parameters},
        {"as single runs", as_single_runs},
        {"other jobs", other_jobs},
        {"the CSV", the_csv},
        {"the JSON", the_json},
        {"full disks", full_disks},
        {"wrong usage", wrong_usage},
        {"all refuse", all_refuse},
        CU_TEST_INFO_NULL,
    };
    make_files();
    return grt_suite_run("gpurt compare", tests);
}
