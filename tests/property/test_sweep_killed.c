/* labels: soak */
/* Sweeps that are killed at random moments, again and again, and go on: the same bytes as undisturbed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/random.h"
#include "tests/support/fake_work.h"
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
    nanosleep(&(struct timespec){.tv_nsec = (long)microseconds * 1000}, NULL);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return WIFSIGNALED(status);
}

static void test_killed(void) {
    int wanted_kills = grt_suite_cases(12, 200), kills = 0, ends = 0, code = 0;
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    struct grt_random random = grt_random_stream(11, "kills", 0, 0);
    unlink(JOURNAL);
    while (kills < wanted_kills || ends == 0) {
        size_t threads = 1 + (size_t)grt_random_below(&random, 3);
        pid_t child = start(threads, wanted);
        CU_ASSERT_FATAL(child > 0);
        if (kill_later(child, grt_random_below(&random, 40000), &code)) {
            kills++;
            continue;
        }
        CU_ASSERT_EQUAL_FATAL(code, 0); /* it came to its end: begin anew */
        ends++;
        unlink(JOURNAL);
    }
    CU_ASSERT(ends > 0);
    free(wanted);
    unlink(JOURNAL);
}

int main(void) {
    CU_TestInfo tests[] = {{"killed", test_killed}, CU_TEST_INFO_NULL};
    return grt_suite_run("sweep_killed", tests);
}
