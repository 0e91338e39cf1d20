/* gpurt sweep while it runs: what signals do, what a log says, and that two runs do not share a journal. */
#define _GNU_SOURCE /* pipe2 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

#define EXPERIMENT(name, samples, horizon)                                                                   \
    "{ \"gpurt_experiment\": 1, \"name\": \"" name "\", \"samples\": " samples ",\n"                         \
    "  \"generator\": { \"name\": \"cores\", \"cores\": 2 },\n"                                              \
    "  \"platform\": { \"cpus\": 2, \"gpus\": [ { \"device\": \"exclusive\" } ] },\n"                        \
    "  \"axes\": [ { \"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"values\": [0.2, 0.6, 1] } "   \
    "],\n"                                                                                                   \
    "  \"evaluations\": [ { \"name\": \"sim\", \"kind\": \"simulation\", \"policy\": { \"name\": "           \
    "\"gpu-server\" }, \"horizon\": \"" horizon "\" } ] }\n"

/* The thread sanitizer holds a signal back until the call that it interrupts has returned: of one that waits for a reader, for ever. */
#ifdef __SANITIZE_THREAD__
enum { HOLDS_SIGNALS = 1 };
#else
enum { HOLDS_SIGNALS = 0 };
#endif

static void begin(void) {
    call("rm -rf *.csv *.json *.journal run.txt .gpurt-*");
    put_file("many.json", EXPERIMENT("many", "100000000", "1s")); /* would take hours */
    put_file("long.json", EXPERIMENT("long", "1", "1000h"));      /* one set would */
}

/* A sweep with more options, NULL-terminated, which says all in run.txt. */
static pid_t start_with(const char *file, const char *const *options) {
    enum { MOST = 8 };
    const char *words[MOST + 6] = {"gpurt", "sweep", file, "--checkpoint", "1ms"};
    for (size_t i = 0; i < MOST && options[i] != NULL; i++) {
        words[5 + i] = options[i];
    }
    pid_t child = fork();
    if (child == 0) {
        usual_signals();
        int output = open(SCRATCH "run.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (output < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir(GRT_SCRATCH_DIR) != 0) {
            _exit(99);
        }
        execv(GRT_PROGRAM, (char *const *)(size_t)words);
        _exit(99);
    }
    return child;
}

static pid_t start(const char *file) {
    return start_with(file, (const char *const[]){"--csv", "r.csv", "--progress", "100ms", NULL});
}

static void wait_ms(long ms) {
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static bool has_part(const char *text, const char *part) {
    return strstr(text, part) != NULL;
}

/* Whether a line of progress says how many sets a second. */
static bool has_rate(const char *text, const char *begin) {
    bool has = false;
    unsigned percent, rate;
    for (const char *line = strstr(text, begin); line != NULL && !has; line = strstr(line + 1, begin)) {
        has = sscanf(line + strlen(begin), "%u %%, %u sets/s, ", &percent, &rate) == 2 && rate > 0;
    }
    return has;
}

/* Waits until it is so of a file's text, but not for ever. */
static bool wait_for(const char *name, bool (*is_so)(const char *text, const char *part), const char *part) {
    static char text[TEXT_SIZE];
    for (int tries = 0; tries < 2000; tries++) {
        char path[COMMAND_SIZE];
        snprintf(path, sizeof path, SCRATCH "%s", name);
        read_text(path, text);
        if (is_so(text, part)) {
            return true;
        }
        wait_ms(5);
    }
    return false;
}

static bool wait_for_text(const char *name, const char *part) {
    return wait_for(name, has_part, part);
}

/* Also of two signals at once: what is done is kept and told. */
static void test_ended_cleanly(void) {
    static const struct {
        int number;
        bool twice;
    } signals[] = {{SIGINT, true}, {SIGTERM, true}, {SIGHUP, false}};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        begin();
        pid_t child = start("many.json");
        CU_ASSERT_FATAL(wait_for_text("many.journal", "\nchunk "));
        kill(child, signals[i].number);
        if (signals[i].twice) {
            wait_ms(1); /* so that they do not become one */
            kill(child, signals[i].number);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        read_text(SCRATCH "run.txt", out);
        expect_part(out, "gpurt: many: told to end: ends after the current task sets; told again, it ends at "
                         "once\ngpurt: interrupted: ");
        expect_part(
            out,
            "of 15000000 chunks are done, and kept in many.journal: the same command goes on from there\n");
        expect_part(out, "; not all of them are done\n");
        CU_ASSERT(exists("many.journal"));
        CU_ASSERT_FALSE(exists("r.csv"));
        expect(0, call("ls -a | grep tmp | wc -l"));
        expect_text(out, "0\n");
    }
}

/* A set that takes long cannot be waited for: another signal ends the program, but only one that answers what was told. */
static void test_ended_at_once(void) {
    int status = 0;
    begin();
    pid_t child = start("long.json");
    CU_ASSERT_FATAL(wait_for_text("run.txt", "sets/s"));
    kill(child, SIGINT);
    CU_ASSERT_FATAL(wait_for_text("run.txt", "told to end"));
    kill(child, SIGTERM);
    wait_ms(100);
    CU_ASSERT_EQUAL(waitpid(child, &status, WNOHANG), 0);
    wait_ms(600);
    CU_ASSERT_EQUAL(waitpid(child, &status, WNOHANG), 0);
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

/* Nobody reads what it says, so that nobody can be told: it ends all the same. */
static void test_ended_unheard(void) {
    begin();
    int status = 0, ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_NONBLOCK), 0);
    while (write(ends[1], "x", 1) == 1) {
    }
    CU_ASSERT_EQUAL(fcntl(ends[1], F_SETFL, 0), 0); /* full, and whoever writes waits */
    pid_t child = fork();
    if (child == 0) {
        usual_signals();
        if (dup2(ends[1], 2) < 0 || chdir(GRT_SCRATCH_DIR) != 0) {
            _exit(99);
        }
        execl(GRT_PROGRAM, "gpurt", "sweep", "many.json", "-q", "--checkpoint", "1ms", (char *)NULL);
        _exit(99);
    }
    CU_ASSERT_FATAL(wait_for_text("many.journal", "\nchunk "));
    kill(child, SIGTERM);
    for (int tries = 0; tries < 60 && waitpid(child, &status, WNOHANG) == 0; tries++) {
        wait_ms(250);
        kill(child, SIGTERM);
    }
    bool ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    if (!ended) {
        kill(child, SIGKILL);
    }
    CU_ASSERT(ended || HOLDS_SIGNALS);
    close(ends[0]), close(ends[1]);
}

/* Once the sweep is over, signals end the program as always: here it waits for somebody to take the results. */
static void test_ended_afterwards(void) {
    begin();
    int status = 0, ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        usual_signals();
        if (dup2(ends[1], 1) < 0 || close(ends[0]) != 0 || chdir(GRT_SCRATCH_DIR) != 0) {
            _exit(99);
        }
        execl(GRT_PROGRAM, "gpurt", "sweep", "many.json", "--samples", "1", "--no-journal", "--set",
              "axes[0]={\"name\": \"share\", \"path\": \"generator.gpu_tasks\", \"from\": 0.001, \"to\": 1, "
              "\"step\": 0.001}",
              "--csv", "-", (char *)NULL);
        _exit(99);
    }
    close(ends[1]);
    char first;
    CU_ASSERT_EQUAL(read(ends[0], &first, 1), 1); /* the rest is more than the pipe holds */
    wait_ms(50);
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    close(ends[0]);
}

/* Two runs at once do not write one journal. */
static void test_two_runs(void) {
    begin();
    pid_t child = start("many.json");
    CU_ASSERT_FATAL(wait_for_text("many.journal", "\nchunk "));
    expect(1, call("gpurt sweep many.json -q"));
    expect_text(err, "gpurt: many.journal: another run is writing this journal\n");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Ends a run; what was said is in `out`. */
static void end_run(pid_t child) {
    kill(child, SIGTERM);
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    read_text(SCRATCH "run.txt", out);
}

/* Runs until a file has a text. */
static void run_until(const char *file, const char *part, const char *const *options) {
    pid_t child = start_with("many.json", options);
    CU_ASSERT(wait_for_text(file, part));
    end_run(child);
}

/* As schedulers do it: the signal goes to the program and to its group, and SIGCONT follows. A quiet run says nothing of how far it is. */
static void test_ended_by_timeout(void) {
    begin();
    run_until("many.journal", "\nchunk ", (const char *const[]){"-q", NULL});
    expect(124, call("timeout 2 '" GRT_PROGRAM "' sweep many.json -q"));
    expect_part(err, "gpurt: interrupted: ");
    CU_ASSERT_PTR_NULL(strstr(err, "goes on with"));
    CU_ASSERT_PTR_NULL(strchr(err, '\r'));
}

/* Where standard error is no terminal, lines say how far it is, if that takes long enough or is wished. */
static void test_log(void) {
    static const char *const none[] = {NULL};
    static const char *const often[] = {"--progress", "100ms", NULL};
    static const char *const both[] = {"-q", "--progress", "100ms", NULL};
    begin();
    pid_t child = start_with("many.json", often);
    CU_ASSERT(wait_for_text("run.txt", " left\ngpurt: many:   0 %, "));
    CU_ASSERT(wait_for("run.txt", has_rate, "gpurt: many: ")); /* on a slow machine not the first line */
    end_run(child);
    unsigned percent = 99, rate = 0;
    CU_ASSERT_EQUAL(sscanf(out, "gpurt: many: %u %%, %u sets/s, ", &percent, &rate), 2);
    CU_ASSERT_EQUAL(percent, 0);
    CU_ASSERT_PTR_NULL(strstr(out, "goes on with"));
    run_until("run.txt", "chunks done\n", none);
    uint64_t done = 0;
    CU_ASSERT_EQUAL(sscanf(out, "gpurt: many: goes on with %" SCNu64 " of 15000000 chunks done\n", &done), 1);
    CU_ASSERT(done > 0);
    begin();
    run_until("many.journal", "\nchunk ", none);
    CU_ASSERT_PTR_NULL(strstr(out, "sets/s")); /* none in the first minute */
    begin();
    run_until("many.journal", "\nchunk ", both);
    CU_ASSERT_PTR_NULL(strstr(out, "sets/s"));
    expect(2, call("gpurt sweep many.json --progress 99ms"));
    expect_part(err, "--progress: must be 100ms to 24h (got '99ms')");
}

int main(void) {
    CU_TestInfo tests[] = {{"ended cleanly", test_ended_cleanly},
                           {"ended by timeout", test_ended_by_timeout},
                           {"ended at once", test_ended_at_once},
                           {"ended unheard", test_ended_unheard},
                           {"ended afterwards", test_ended_afterwards},
                           {"two runs", test_two_runs},
                           {"log", test_log},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("cli_sweep_ended", tests);
}
