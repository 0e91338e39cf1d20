/* labels: alone */
/* What a crash says and leaves. Of the C library's functions three are ours here: raise, the last step of the handler, ends the child in good order, so
 * that what the handler did is seen; write and pause say where threads are. That the signal then ends the program is asked in test_plugin_program.c. */
#define _DEFAULT_SOURCE /* sigaltstack, MAP_ANONYMOUS, syscall */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/crash.h"
#include "sim/memory.h"
#include "sim/output.h"
#include "sim/running.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"

#define FILE_IN_THE_MAKING GRT_SCRATCH_DIR "/made.txt"

enum { TEXT_SIZE = 1024, SHOWN_OF_NAME = 120, NOT_DEFAULT = 99, TWICE = 98 };

static atomic_int raised;
static atomic_bool goes_on = true;   /* what a thread that raises waits for */
static atomic_bool may_write = true; /* what a thread that writes waits for */
static atomic_int writers;           /* threads that are, or were, about to write */
static atomic_bool waits;            /* whether a thread has no more to do */

static void wait_a_little(void) {
    const struct timespec short_time = {.tv_nsec = 100000};
    nanosleep(&short_time, NULL); /* a system call: NOLINT(bugprone-signal-handler,cert-sig30-c) */
}

/* In the place of the C library's: says that it is called. */
ssize_t write(int fd, const void *data, size_t size) {
    atomic_fetch_add(&writers, 1);
    while (!may_write) {
        wait_a_little();
    }
    return syscall(SYS_write, fd, data, size); /* NOLINT(bugprone-signal-handler,cert-sig30-c): as above */
}

/* The same. */
int pause(void) {
    waits = true;
    return poll(NULL, 0, -1);
}

/* In the place of the C library's: says by the exit code which signal it would have been, and whether that would end the program. */
int raise(int number) {
    struct sigaction now;
    sigaction(number, NULL, &now);
    if (atomic_fetch_add(&raised, 1) > 0) {
        _exit(TWICE);
    }
    while (!goes_on) {
        wait_a_little();
    }
    int nowhere = open("/dev/null", O_WRONLY); /* for what ends with the process and has to say something */
    dup2(nowhere, STDERR_FILENO);
    grt_running_end(NULL); /* else it would be told that what runs ends the program */
    exit(now.sa_handler == SIG_DFL ? number : NOT_DEFAULT);
}

static void crash_by(int number) {
    pthread_kill(pthread_self(), number);
}

/* Sanitizers may have handlers; these are as in a program without. */
static void start_reports(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        signal(numbers[i], SIG_DFL);
    }
    grt_crash_report("gpurt-test");
}

struct run {
    void (*run)(void);
};

static void run_and_exit(void *run) {
    start_reports();
    ((const struct run *)run)->run();
    exit(0);
}

/* Runs it in a child whose standard error is `text` in the end; returns the exit code, -1 where a signal ended it. */
static int in_child(void (*run)(void), char text[TEXT_SIZE]) {
    int status = grt_child_run(run_and_exit, &(struct run){run}, text, TEXT_SIZE);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- one thread ---- */

static const struct grt_running analysis = {.what = "analysis", .name = "mine", .file = "./mine.so"};

static int crash_number;

static void crash_of_an_analysis(void) {
    grt_running_begin(&analysis);
    crash_by(crash_number);
}

static void each_signal_has_its_sentence(void) {
    static const struct {
        int number;
        const char *sentence;
    } cases[] = {{SIGSEGV, "segmentation fault"},
                 {SIGBUS, "bus error"},
                 {SIGFPE, "arithmetic error, as a division by zero"},
                 {SIGILL, "illegal instruction"},
                 {SIGABRT, "aborted"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE], expected[TEXT_SIZE];
        crash_number = cases[i].number;
        CU_ASSERT_EQUAL(in_child(crash_of_an_analysis, text), cases[i].number);
        snprintf(expected, sizeof expected, "gpurt-test: analysis mine (./mine.so) crashed: %s\n",
                 cases[i].sentence);
        CU_ASSERT_STRING_EQUAL(text, expected);
    }
}

static void crash_of_ours(void) {
    crash_by(SIGSEGV);
}

static void write_where_nothing_is(void) {
    volatile char *nothing = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    grt_running_begin(&analysis);
    *nothing = 'x';
}

static void a_bad_access_is_a_crash(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(write_where_nothing_is, text), SIGSEGV);
    CU_ASSERT_STRING_EQUAL(text, "gpurt-test: analysis mine (./mine.so) crashed: segmentation fault\n");
}

static void what_runs_for_nobody_is_not_blamed(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(crash_of_ours, text), SIGSEGV);
    CU_ASSERT_STRING_EQUAL(text, "");
}

static char long_name[2 * TEXT_SIZE];

static void crash_of_a_long_name(void) {
    const struct grt_running running = {.what = "policy", .name = long_name};
    grt_running_begin(&running);
    crash_by(SIGBUS);
}

/* Of a name without an end the last bytes are shown, and all that comes behind it. */
static void a_long_name_is_cut(void) {
    char text[TEXT_SIZE], expected[TEXT_SIZE];
    memset(long_name, 'x', sizeof long_name - 1);
    CU_ASSERT_EQUAL(in_child(crash_of_a_long_name, text), SIGBUS);
    snprintf(expected, sizeof expected, "gpurt-test: policy ...%s crashed: bus error\n",
             long_name + sizeof long_name - 1 - SHOWN_OF_NAME);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

static void crash_with_a_file(void) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(FILE_IN_THE_MAKING, &errors);
    grt_output_write(output, "half", 4);
    grt_output_flush(output);
    crash_of_an_analysis();
}

static void files_in_the_making_are_removed(void) {
    char text[TEXT_SIZE];
    crash_number = SIGSEGV;
    CU_ASSERT_EQUAL(system("rm -rf '" GRT_SCRATCH_DIR "'; mkdir -p '" GRT_SCRATCH_DIR "'"), 0);
    CU_ASSERT_EQUAL(in_child(crash_with_a_file, text), SIGSEGV);
    CU_ASSERT_EQUAL(rmdir(GRT_SCRATCH_DIR), 0); /* it is empty */
    CU_ASSERT_EQUAL(system("mkdir -p '" GRT_SCRATCH_DIR "'"), 0);
}

/* Its name was overwritten: what would say it crashes. */
static void run_without_a_name(void) {
    static struct grt_running running = {.what = "policy", .file = "./mine.so"};
    running.name = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    grt_running_begin(&running);
    alarm(30); /* if it waits for itself */
}

static void exit_without_a_name(void) {
    run_without_a_name();
    exit(0);
}

static void interruption_without_a_name(void) {
    run_without_a_name();
    grt_crash_interrupted(SIGINT);
}

static void a_crash_of_a_report_ends_it(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(exit_without_a_name, text), SIGSEGV);
    CU_ASSERT_EQUAL(in_child(interruption_without_a_name, text), SIGSEGV);
}

static const struct grt_running *interrupted;

static void interruption(void) {
    const struct sigaction action = {.sa_handler = grt_crash_interrupted}; /* as programs have it */
    grt_running_begin(interrupted);
    sigaction(SIGINT, &action, NULL);
    crash_by(SIGINT);
}

/* Who ends gpurt knows why it ended. */
static void plug_ins_alone_are_named_when_interrupted(void) {
    static const struct grt_running own = {.what = "analysis", .name = "mpcp"};
    char text[TEXT_SIZE];
    interrupted = &own;
    CU_ASSERT_EQUAL(in_child(interruption, text), SIGINT);
    CU_ASSERT_STRING_EQUAL(text, "");
    interrupted = &analysis;
    CU_ASSERT_EQUAL(in_child(interruption, text), SIGINT);
    CU_ASSERT_STRING_EQUAL(text, "gpurt-test: analysis mine (./mine.so) was interrupted\n");
}

static void handled_by_others(int number) {
    static const char said[] = "theirs\n";
    ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
    _exit(written > 0 ? number : NOT_DEFAULT);
}

static void crash_that_others_handle(void) {
    signal(SIGILL, handled_by_others);
    grt_crash_report("gpurt-test");
    crash_number = SIGILL;
    crash_of_an_analysis();
}

static void handlers_of_others_stay(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(crash_that_others_handle, text), SIGILL);
    CU_ASSERT_STRING_EQUAL(text, "theirs\n");
}

/* Stays until its parent sends a signal. */
static void wait_for_a_signal(void) {
    grt_running_begin(&analysis);
    pid_t self = getpid(), other = fork();
    if (other == 0) {
        kill(self, SIGABRT);
        _exit(0);
    }
    for (;;) {
        pause();
    }
}

static void a_signal_of_another_process_is_no_crash(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(wait_for_a_signal, text), SIGABRT);
    CU_ASSERT_STRING_EQUAL(text, "");
}

/* The address sanitizer ends a program that asks for too much in its own words. */
#ifndef GRT_SANITIZED
static void ask_for_too_much(void) {
    grt_running_begin(&analysis);
    grt_allocate(PTRDIFF_MAX - 64);
}

#endif

static void out_of_memory_is_no_exit_of_what_runs(void) {
#ifndef GRT_SANITIZED
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(ask_for_too_much, text), EXIT_FAILURE);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "gpurt-test: out of memory ("));
    CU_ASSERT_PTR_NULL(strstr(text, "ended the program"));
#endif
}

/* ---- several threads ---- */

static void *crash_on_a_thread(void *name) {
    struct grt_crash_stack stack;
    struct grt_running running = {.what = "policy", .name = name};
    grt_crash_stack_use(&stack);
    grt_running_begin(&running);
    crash_by(SIGSEGV);
    grt_crash_stack_end(&stack);
    return NULL;
}

/* The second crashes while the first is about to say it, and must not end the program, nor say anything. */
static void crash_twice(void) {
    pthread_t threads[2];
    static char names[2][2] = {"a", "b"};
    goes_on = may_write = false;
    alarm(30); /* if one of them does none of what is waited for */
    if (pthread_create(&threads[0], NULL, crash_on_a_thread, names[0]) != 0) {
        exit(NOT_DEFAULT);
    }
    while (writers == 0) {
        wait_a_little();
    }
    if (pthread_create(&threads[1], NULL, crash_on_a_thread, names[1]) != 0) {
        exit(NOT_DEFAULT);
    }
    while (!waits && raised == 0 && writers == 1) {
        wait_a_little();
    }
    may_write = true;
    while (raised < (waits ? 1 : 2)) {
        wait_a_little();
    }
    goes_on = true;
    pthread_join(threads[0], NULL);
}

static void of_two_crashes_one_is_said(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(crash_twice, text), SIGSEGV);
    CU_ASSERT_STRING_EQUAL(text, "gpurt-test: policy a crashed: segmentation fault\n");
}

static void *hold_and_wait(void *stream) {
    flockfile(stream);
    pause();
    return NULL;
}

static void exit_beside_a_held_stream(void) {
    alarm(30);
    FILE *other = fopen("/dev/null", "w");
    pthread_t thread;
    if (other == NULL || pthread_create(&thread, NULL, hold_and_wait, other) != 0) {
        exit(NOT_DEFAULT);
    }
    while (!waits) {
        wait_a_little();
    }
    grt_running_begin(&analysis);
    exit(0);
}

static void an_exit_waits_for_no_other_stream(void) {
    char text[TEXT_SIZE];
    CU_ASSERT_EQUAL(in_child(exit_beside_a_held_stream, text), EXIT_FAILURE);
    CU_ASSERT_STRING_EQUAL(text, "gpurt-test: analysis mine (./mine.so) ended the program\n");
}

/* ---- stacks ---- */

static void stacks_are_given_back(void) {
    static char mine[64 * 1024];
    struct grt_crash_stack stack;
    stack_t own = {.ss_sp = mine, .ss_size = sizeof mine}, now, before;
    sigaltstack(&own, &before);
    grt_crash_stack_use(&stack);
    sigaltstack(NULL, &now);
    CU_ASSERT_PTR_EQUAL(now.ss_sp, stack.bytes);
    CU_ASSERT_EQUAL(now.ss_size, sizeof stack.bytes);
    grt_crash_stack_end(&stack);
    sigaltstack(NULL, &now);
    CU_ASSERT_PTR_EQUAL(now.ss_sp, mine);
    CU_ASSERT_EQUAL(now.ss_size, sizeof mine);
    sigaltstack(&before, NULL);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"each signal has its sentence", each_signal_has_its_sentence},
        {"a bad access is a crash", a_bad_access_is_a_crash},
        {"what runs for nobody is not blamed", what_runs_for_nobody_is_not_blamed},
        {"a long name is cut", a_long_name_is_cut},
        {"files in the making are removed", files_in_the_making_are_removed},
        {"a crash of a report ends it", a_crash_of_a_report_ends_it},
        {"plug-ins alone are named when interrupted", plug_ins_alone_are_named_when_interrupted},
        {"handlers of others stay", handlers_of_others_stay},
        {"a signal of another process is no crash", a_signal_of_another_process_is_no_crash},
        {"out of memory is no exit of what runs", out_of_memory_is_no_exit_of_what_runs},
        {"of two crashes one is said", of_two_crashes_one_is_said},
        {"an exit waits for no other stream", an_exit_waits_for_no_other_stream},
        {"stacks are given back", stacks_are_given_back},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("crash", tests);
}
