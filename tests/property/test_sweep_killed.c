/* labels: soak */
/* Sweeps that are killed at random moments, again and again, and go on: the same bytes as undisturbed. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/random.h"
#include "tests/support/fake_work.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

#define JOURNAL GRT_SCRATCH_DIR "/killed.journal"

enum { POINTS = 6, SAMPLES = 230 }; /* 72 chunks */

/* A process of its own that runs the sweep; its exit code says whether all came out well. */
static pid_t start(size_t threads, const char *wanted) {
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    fake.pause_ns = 100000;
    struct grt_sweep_options options = {
        .threads = threads, .journal = JOURNAL, .keep_journal = true, .flush_ms = 1};
    if (!grt_sweep_work_run(&fake.work, &options, &results, &errors)) {
        grt_errors_print(&errors, stderr, "");
        _exit(2);
    }
    char *text = grt_fake_results_text(&results);
    bool same = results.complete && strcmp(text, wanted) == 0;
    free(text);
    grt_results_free(&results);
    _exit(same ? 0 : 1);
}

/* Ends it after so many microseconds; whether it was killed before its end. */
static bool kill_later(pid_t child, uint64_t microseconds, int *code) {
    int status = 0;
    nanosleep(&(struct timespec){.tv_sec = (time_t)(microseconds / 1000000),
                                 .tv_nsec = (long)(microseconds % 1000000) * 1000},
              NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return WIFSIGNALED(status);
}

static int64_t microseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Runs one that nobody kills; how long it took. */
static uint64_t undisturbed(const char *wanted) {
    int status = 0;
    int64_t begin = microseconds_now();
    pid_t child = start(2, wanted);
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    CU_ASSERT_FATAL(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return (uint64_t)(microseconds_now() - begin) + 1;
}

/* The moments are spread over about as long as the whole takes, whatever the machine and the build. */
static void test_killed(void) {
    int wanted_kills = grt_suite_cases(12, 200), kills = 0, code = 0;
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    struct grt_random random = grt_random_stream(11, "kills", 0, 0);
    unlink(JOURNAL);
    uint64_t whole = undisturbed(wanted);
    unlink(JOURNAL);
    while (kills < wanted_kills) {
        size_t threads = 1 + (size_t)grt_random_below(&random, 3);
        pid_t child = start(threads, wanted);
        CU_ASSERT_FATAL(child > 0);
        if (kill_later(child, grt_random_below(&random, whole), &code)) {
            kills++;
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(code, 0); /* it came to its end: begin anew */
        unlink(JOURNAL);
    }
    undisturbed(wanted); /* goes on from where the last was killed */
    free(wanted);
    unlink(JOURNAL);
}

/* ---- the program ---- */

/* The thread sanitizer needs minutes for what takes seconds. */
#ifdef __SANITIZE_THREAD__
#define PROGRAM_SAMPLES "50"
#else
#define PROGRAM_SAMPLES "1000"
#endif

static const char experiment[] =
    "{ \"gpurt_experiment\": 1, \"name\": \"program\", \"seed\": 5, \"samples\": " PROGRAM_SAMPLES ",\n"
    "  \"generator\": { \"name\": \"cores\", \"cores\": 4 },\n"
    "  \"platform\": { \"cpus\": 4, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"
    "  \"axes\": [ { \"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"values\": [0.2, 0.6, 1] } ],\n"
    "  \"evaluations\": [\n"
    "    { \"name\": \"mpcp\", \"kind\": \"analysis\", \"policy\": { \"name\": \"mpcp\" } },\n"
    "    { \"name\": \"fmlp\", \"kind\": \"analysis\", \"policy\": { \"name\": \"fmlp+\" } },\n"
    "    { \"name\": \"server\", \"kind\": \"analysis\", \"policy\": { \"name\": \"gpu-server\" } } ] }\n";

static pid_t start_program(void) {
    pid_t child = fork();
    if (child == 0) {
        int output = open(SCRATCH "run.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (output < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir(GRT_SCRATCH_DIR) != 0) {
            _exit(99);
        }
        execl(GRT_PROGRAM, "gpurt", "sweep", "program.json", "-q", "--threads", "2", "--checkpoint", "1ms",
              "--csv", "resumed.csv", (char *)NULL);
        _exit(99);
    }
    return child;
}

/* The moments are spread as above. */
static void test_program_killed(void) {
    int wanted_kills = grt_suite_cases(4, 50), kills = 0, code = 0;
    struct grt_random random = grt_random_stream(12, "kills", 0, 0);
    call("rm -f *.journal *.csv");
    put_file("program.json", experiment);
    int64_t begin = microseconds_now();
    expect(0, call("gpurt sweep program.json -q --threads 2 --no-journal --csv undisturbed.csv"));
    uint64_t whole = (uint64_t)(microseconds_now() - begin) + 1;
    while (kills < wanted_kills) {
        pid_t child = start_program();
        CU_ASSERT_FATAL(child > 0);
        if (kill_later(child, grt_random_below(&random, whole), &code)) {
            kills++;
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(code, 0);
        expect(0, call("cmp undisturbed.csv resumed.csv; rm resumed.csv"));
    }
    expect(
        0,
        call("gpurt sweep program.json -q --threads 1 --csv resumed.csv && cmp undisturbed.csv resumed.csv"));
    expect(0, call("ls | grep journal | wc -l"));
    expect_text(out, "0\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"killed", test_killed}, {"program killed", test_program_killed}, CU_TEST_INFO_NULL};
    return grt_suite_run("sweep_killed", tests);
}
