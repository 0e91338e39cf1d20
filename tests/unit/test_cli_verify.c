/* gpurt verify as its users call it. */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#define SET                                                                                                  \
    "cat >set.json <<'END'\n"                                                                                \
    "{\"gpurt\":1,\"name\":\"set\",\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]}," \
    "\"policy\":{\"name\":\"np-fp\"},\"tasks\":["                                                            \
    "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]}]},"   \
    "{\"name\":\"b\",\"period\":\"50ms\",\"jitter\":\"2ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\","      \
    "\"time\":"                                                                                              \
    "{\"min\":\"2ms\",\"max\":\"5ms\"}}]}]}]}\n"                                                             \
    "END\n"

static void report(void) {
    expect(0, call("rm -f violation.json; " SET
                   "gpurt verify set.json --patterns 50; e=$?; test ! -e violation.json && exit $e"));
    expect_part(out, "set: np-fp, the scenario itself and 50 release patterns,");
    expect_part(out, "no violation was found\n");
    expect_part(out, "np-fp-response: schedulable");
    expect_part(out, "policy: highest priority first:");
    expect_part(out, "utilisation: unknown");
    expect_part(out, "not checked, it");
    expect_text(err, "");
}

static void json(void) {
    expect(0, call("gpurt verify set.json --patterns 50 --json - >one.json && gpurt verify set.json "
                   "--patterns 50 --json "
                   "two.json --quiet && cmp one.json two.json && cat one.json"));
    expect_part(out, "\"gpurt_verify\":\t1,");
    expect_part(out, "\"stopped_by\":\t\"patterns\"");
    expect_part(out, "\"bound_ns\":\t5999999,"); /* 1 ms, and 5 ms less 1 ns of blocking */
    expect_part(out, "\"closeness_ratio\":\t1");
    expect_part(out, "\"violations\":\t[]");
    expect_part(out, "\"reproduction\":\tnull");
    expect_part(out, "\"not_checked\":\t\"it claims nothing\"");
}

static void seeds_and_choices(void) {
    expect(0, call("gpurt verify set.json --patterns 80 --jobs 20 --seed 1 --json a.json -q; gpurt verify "
                   "set.json --patterns 80 "
                   "--jobs 20 --seed 2 --json b.json -q; ! cmp -s a.json b.json"));
    expect(0, call("gpurt verify set.json --patterns 5 --no-audit --analysis np-fp-response"));
    expect_part(out, "Not audited: --no-audit");
    CU_ASSERT_PTR_NULL(strstr(out, "utilisation"));
    expect(0, call("gpurt verify - --patterns 5 --policy np-edf --set tasks[0].period=12ms <set.json"));
    expect_part(out, "set: np-edf");
    expect(0, call("gpurt verify set.json --patterns 1000000000 --time-limit 50ms"));
    expect_part(out, "set: np-fp, ");
    expect_part(out, "stopped by the time limit");
    CU_ASSERT_PTR_NULL(strstr(out, "the scenario itself")); /* it would come last */
    expect(0, call("gpurt verify set.json --patterns 1000000000 --time-limit 50ms --json -"));
    expect_part(out, "\"itself\":\tnull");
}

/* Whether anything that was said could have been refuted is said where nothing was. */
static void what_could_be_refuted(void) {
    static const char nothing[] =
        "\nno violation was found; no analysis says anything that simulations could refute\n";
    expect(0, call("gpurt verify set.json --patterns 5 --analysis utilisation")); /* unknown */
    expect_part(out, nothing);
    expect(0, call("gpurt verify set.json --patterns 5 --policy np-edf --set tasks[1].jitter=0ns --set "
                   "tasks[0].deadline=5ms"));
    expect_part(out, "do miss a deadline by ");
    expect_part(out, "\nno violation was found\n");
#define OVERLOAD                                                                                             \
    "gpurt verify set.json --patterns 5 --policy fifo --set tasks[0].deadline=1s --set "                     \
    "'tasks[0].segments[0].gpu[0].time=5ms' --set 'tasks[1].segments[0].gpu[0].time=500ms' --set "           \
    "tasks[1].jitter=0ns --set tasks[1].deadline=100s --set tasks[1].period="
    expect(0, call(OVERLOAD "999999999ns")); /* when it misses one is not known */
    expect_part(out, "utilisation: unschedulable: ");
    expect_part(out, nothing);
    expect(0, call(OVERLOAD "999990us")); /* it is known, and later than what is simulated */
    expect_part(out, "utilisation: unschedulable: ");
    expect_part(out, "\nno violation was found\n");
}

/* Task b computes on a core that is too small for it; the report is in one line. */
#define CORE(policy, rest)                                                                                   \
    call("gpurt verify set.json --patterns 5 --policy " policy " --set platform.cpus=1 --set "               \
         "tasks[1].jitter=0ns --set 'tasks[1].segments=[{\"cpu\":\"5ms\"}]' --set tasks[1].cpu=0 --set "     \
         "tasks[1].deadline=" rest " >core.txt; e=$?; tr -s ' \\n' ' ' <core.txt; exit $e")

/* The releases are simulated to the instant by which they are said to miss. */
static void misses_of_cores(void) {
    expect(0, CORE("np-fp", "4ms"));
    expect_part(out, " no violation was found ");
    expect_part(out, "np-fp-response: unschedulable: task b needs its core for 5000000 ns; its releases do "
                     "miss a deadline by 4ms ");
    expect(0, CORE("np-fp", "40ms --set tasks[1].period=3ms")); /* 5 (k + 1) > 3 k + 40: k = 18 */
    expect_part(out, " no violation was found ");
    expect_part(out, "; its releases do miss a deadline by 94ms ");
    expect(0, CORE("pruda-multi", "40ms --set tasks[1].period=3ms --set policy.order=fp --set "
                                  "platform.gpus[0].device=jetson-tx2"));
    expect_part(out, " no violation was found ");
    expect_part(out, "pruda-multi: unschedulable: task b needs its core for 5000000 ns; its releases do miss "
                     "a deadline by 94ms ");
    /* the job that is late comes behind the last that is released, though before the simulation's end: 101.102 s of 100 and 10 */
    expect(0, CORE("np-fp", "102ms --set tasks[1].period=1ms --set 'tasks[1].segments[0].cpu=1001us' --set "
                            "tasks[0].period=10s"));
    expect_part(out, " no violation was found ");
    expect_part(out, "; not checked, its releases miss none as far as they were simulated ");
}

/* A simulation of releases that ends early, by a miss of which they do not speak, refutes nothing: task c, of another GPU, is late at 2 ms. */
static void misses_of_others(void) {
    put_file(
        "two.json",
        "{\"gpurt\":1,\"name\":\"two\",\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"},"
        "{\"device\":\"exclusive\"}]},\"policy\":{\"name\":\"np-fp\"},\"tasks\":["
        "{\"name\":\"a\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]}]},"
        "{\"name\":\"b\",\"period\":\"50ms\",\"deadline\":\"40ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\","
        "\"time\":\"46ms\"}]}]},"
        "{\"name\":\"c\",\"gpu\":1,\"times\":[\"0ms\",\"1ms\"],\"deadline\":\"2ms\",\"segments\":[{\"gpu\":["
        "{\"kernel\":\"k\",\"time\":\"3ms\"}]}]}]}");
    expect(0, call("gpurt verify two.json --width 200 --patterns 3"));
    expect_part(out, "\nno violation was found\n");
    expect_part(out, "np-fp-response (GPU 0): unschedulable: ");
    expect_part(out, "; not checked, its releases miss none as far as they were simulated\n");
}

/* What is declared is played where less is taken always, too: releases miss with that. */
static void declared_above_constants(void) {
    static const char *const times[] = {
        "{\"min\":\"2ms\",\"max\":\"2ms\",\"declared\":\"5ms\"}",
        "{\"distribution\":\"constant\",\"max\":\"2ms\",\"declared\":\"5ms\"}"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        expect(
            0,
            call("gpurt verify set.json --width 200 --patterns 20 --policy np-edf --set tasks[1].jitter=0ns "
                 "--set tasks[1].deadline=4ms --set 'tasks[1].segments[0].gpu[0].time=%s'",
                 times[i]));
        expect_part(out, "\nno violation was found\n");
        expect_part(out, "np-edf-exact: unschedulable");
        expect_part(out, "do miss a deadline by 4.000001ms\n");
    }
}

/* One slot more than is sure is refuted; the file that shows it can be checked, run and verified where it lies. */
static void violations(void) {
    expect(4, call("rm -f violation*.json; gpurt verify set.json --policy tdm --set policy.count=unsound "
                   "--patterns 100"));
    expect_part(out, "although tdm calls the tasks schedulable");
    expect_part(out, "violation.json shows it with 1 task and 1 job");
    expect(0, call("gpurt check --run violation.json && gpurt run violation.json"));
    expect_part(out, "missed 1 of 1 deadlines");
    expect(0, call("grep -F '\"times\":\t[\"1ns\"]' violation.json")); /* just behind the activation at 0 */
    expect(4, call("cp violation.json first.json; gpurt verify violation.json --patterns 100"));
    expect_part(out, "violation-2.json shows it");
    expect(0, call("cmp violation.json first.json && gpurt check --run violation-2.json"));
    expect(2, call("gpurt verify violation.json --reproduce violation.json"));
}

/* What is bounded by an analysis of one GPU is told from that of another. */
static void several_gpus(void) {
    expect(0,
           call("gpurt verify set.json --patterns 5 --set 'platform.gpus=[{\"device\":\"exclusive\"},"
                "{\"device\":\"exclusive\"}]' --set 'tasks[1]={\"name\":\"b\",\"period\":\"50ms\",\"gpu\":1,"
                "\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"2ms\"}]}]}'"));
    expect_part(out, "np-fp-response gpu 0");
    expect_part(out, "np-fp-response gpu 1");
}

static void bad_usage(void) {
    expect(2, call("gpurt verify"));
    expect_part(err, "needs a scenario file");
    expect(2, call("gpurt verify none.json"));
    expect_part(err, "none.json");
    expect(2, call("gpurt verify set.json --patterns 0"));
    expect_part(err, "--patterns: must be a whole number from 1 to");
    expect(2, call("gpurt verify set.json --patterns -1"));
    expect(2, call("gpurt verify set.json --seed x"));
    expect(2, call("gpurt verify set.json --time-limit 0s"));
    expect_part(err, "--time-limit: must be above 0");
    expect(2, call("gpurt verify set.json --time-limit 5"));
    expect(2, call("gpurt verify set.json --analysis np-fp-respnse"));
    expect_part(err, "--analysis: unknown analysis \"np-fp-respnse\" (did you mean");
    expect(2, call("gpurt verify set.json set.json"));
    expect(2, call("gpurt verify set.json --seed 1 --seed 2"));
    expect_part(err, "--seed was given twice");
    expect(2, call("gpurt verify set.json --json set.json"));
    expect_part(err, "--json would overwrite the scenario");
    expect(2, call("gpurt verify set.json --reproduce set.json"));
    expect(2, call("gpurt verify set.json --set tasks[0].period=0ms"));
    expect_part(err, "tasks[0].period: must");
    expect(2, call("gpurt verify set.json --policy tdm --set tasks[0].segments[0].gpu[0].time=9ms"));
    expect_part(err, "cannot guarantee the deadlines");
    expect(2, call("rm -f r.json; gpurt verify set.json --option mpcp.jitter=blocking --json r.json; e=$?; "
                   "test ! -e r.json && exit $e"));
    expect_text(err,
                "gpurt: set.json: --option: mpcp is not run here (policy np-fp); no analysis that is has "
                "options\n");
}

static void help(void) {
    expect(0, call("gpurt verify --help"));
    expect_part(out, "--time-limit=DURATION");
    expect_part(out, "violation was found");
}

/* Starts an endless campaign, as a shell in the foreground does: with the usual effect of signals. */
static pid_t start_endless(void) {
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        usual_signals();
        if (chdir(GRT_SCRATCH_DIR) != 0 || freopen("out.txt", "w", stdout) == NULL ||
            freopen("err.txt", "w", stderr) == NULL) {
            _exit(99);
        }
        execl(GRT_PROGRAM, "gpurt", "verify", "set.json", "--patterns", "1000000000", "--json",
              "endless.json", NULL);
        _exit(99);
    }
    return child;
}

/* Whether the program has begun to write its report: then it listens to signals. */
static bool has_begun(pid_t program) {
    bool found = false;
    char beginning[64];
    snprintf(beginning, sizeof beginning, ".gpurt-%ld-", (long)program);
    DIR *folder = opendir(GRT_SCRATCH_DIR);
    CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        found |= strncmp(entry->d_name, beginning, strlen(beginning)) == 0;
    }
    closedir(folder);
    return found;
}

static void wait_ms(long ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Whatever is meant to end it ends the campaign, not the program; also if it comes in pairs, as from `timeout`. */
static void interruption(void) {
    static const struct {
        int number;
        bool twice;
    } signals[] = {{SIGINT, false}, {SIGTERM, true}, {SIGHUP, false}};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        int status;
        expect(0, call("rm -f endless.json"));
        pid_t child = start_endless();
        for (int tries = 0; tries < 10000 && !has_begun(child); tries++) {
            wait_ms(2);
        }
        kill(child, signals[i].number);
        if (signals[i].twice) {
            wait_ms(1); /* so that they do not become one */
            kill(child, signals[i].number);
        }
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        read_text(SCRATCH "out.txt", out);
        expect_part(out, ", interrupted\n");
        read_text(SCRATCH "err.txt", err);
        expect_text(err, "gpurt: told to end: reports what is done; told again, it ends at once\n");
        expect(0, call("grep -q '\"stopped_by\":\t\"interrupt\"' endless.json"));
    }
}

static void full_disk(void) {
    expect(1, call("gpurt verify set.json --patterns 5 --json /dev/full"));
    expect_part(err, "/dev/full: cannot write");
    expect(1, call("gpurt verify set.json --patterns 5 --json missing/r.json"));
}

/* Nor does the auditor profile what the scheduler refuses to, here for many minutes, since each of the blocks takes a time of its own. */
static void long_profiles(void) {
    expect(2, call("sed 's/\"10s\"/{\"min\":\"1s\",\"max\":\"10s\"}/' '" GRT_SOURCE_DIR
                   "/tests/fuzz/corpus/scenario/profile-too-long' >drawn.json && grep -q min drawn.json && "
                   "timeout 60 gpurt verify drawn.json"));
    expect_part(err, "tasks[0]: to profile it, more than 16777216 blocks would be executed");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"report", report},
        {"JSON", json},
        {"seeds and choices", seeds_and_choices},
        {"bad usage", bad_usage},
        {"violations", violations},
        {"what could be refuted", what_could_be_refuted},
        {"misses of cores", misses_of_cores},
        {"misses of others", misses_of_others},
        {"declared above constants", declared_above_constants},
        {"several GPUs", several_gpus},
        {"help", help},
        {"interruption", interruption},
        {"full disk", full_disk},
        {"long profiles", long_profiles},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("gpurt verify", tests);
}
