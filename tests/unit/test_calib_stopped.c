/* labels: soak */
/* Measuring that is told to end, or ended at once: what was measured stays, and `fit` takes it. In real time, on a device of threads. */
#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

/* Starts measuring, with its errors in said.txt. */
static pid_t start(const char *output) {
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    int said = open(SCRATCH "said.txt", O_CREAT | O_TRUNC | O_WRONLY, 0666);
    usual_signals();
    if (said >= 0 && dup2(said, STDERR_FILENO) >= 0 && chdir(SCRATCH) == 0) {
        execl(GRT_CALIB_PROGRAM, "gpurt-calib", "measure", "-q", "--backend=host", "--pretend=two.json",
              "--only=clock,launch", "--samples=100000", "--budget=100s", "-o", output, (char *)NULL);
    }
    _exit(99);
}

/* Waits until so many lines are in the file: measuring is under way. */
static void await_lines(const char *name, int count) {
    for (int i = 0; i < 2000; i++) {
        call("grep -c '\"experiment\"' %s", name);
        if (atoi(out) >= count) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    CU_FAIL("nothing is measured");
}

static int end_of(pid_t child) {
    int status = 0;
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    read_text(SCRATCH "said.txt", err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void check_fit(const char *warning) {
    expect(
        0,
        call(
            "gpurt-calib fit raw.jsonl --width=200 --device-file=device.json && gpurt check device.json -q"));
    expect_part(out, "timer_step");
    expect_part(out, warning);
    expect_text(err, "");
    expect(0, call("gpurt-calib report raw.jsonl && gpurt-calib measure -q -o raw.jsonl --backend=sim "
                   "--only=clock || [ $? = 1 ]"));
    expect_part(err, "raw.jsonl: is there already, and measurements are not thrown away");
}

static void stop_by(int signal_number, int lines) {
    call("rm -f raw.jsonl device.json");
    pid_t child = start("raw.jsonl");
    CU_ASSERT_FATAL(child > 0);
    await_lines("raw.jsonl", lines);
    kill(child, signal_number);
    int code = end_of(child);
    if (signal_number == SIGKILL) {
        CU_ASSERT_EQUAL(code, 1000 + SIGKILL);
        check_fit("the measurement did not come to its end");
        return;
    }
    CU_ASSERT_EQUAL(code, 1);
    expect_part(err, "gpurt-calib: told to end: what was measured stays; told again, it ends at once\n");
    expect_part(err, "gpurt-calib: stopped; what was measured is in raw.jsonl\n");
    expect(0, call("tail -n 1 raw.jsonl"));
    CU_ASSERT_EQUAL(strncmp(out, "{\"stopped\": \"interrupted\"", 24), 0);
    check_fit("the measurement did not come to its end: interrupted");
}

static void test_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
    put_file(
        "two.json",
        "{\"gpurt_pretend\": 1, \"device\": {\"name\": \"two\", \"sm_count\": 2, \"max_blocks_per_sm\": 4, "
        "\"compute_capability\": \"8.6\"}}\n");
    int rounds = grt_suite_cases(1, 10);
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
            stop_by(signals[i], 1 + 3 * round);
        }
    }
}

/* A file that was cut off anywhere is good up to its last whole line, or says at which line it is not. */
static void test_cut_off(void) {
    expect(0, call("rm -f whole.jsonl; gpurt-calib measure -q -o whole.jsonl --backend=sim "
                   "--pretend=two.json --only=clock,copy "
                   "--samples=2 && wc -c < whole.jsonl"));
    int size = atoi(out), step = size / grt_suite_cases(12, 400);
    CU_ASSERT_FATAL(step > 0);
    for (int at = 1; at < size - 1; at += step) {
        int code = call("head -c %d whole.jsonl > cut.jsonl; gpurt-calib fit cut.jsonl --width=200", at);
        bool has_line = call("grep -qc . cut.jsonl && [ $(wc -l < cut.jsonl) -gt 0 ]") == 0;
        CU_ASSERT_EQUAL(code, has_line ? 0 : 2);
        if (code == 0) {
            call("gpurt-calib fit cut.jsonl --width=200");
            expect_part(out, "the measurement did not come to its end");
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"signals", test_signals}, {"cut off", test_cut_off}, CU_TEST_INFO_NULL};
    return grt_suite_run("calib_stopped", tests);
}
