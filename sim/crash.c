#define _XOPEN_SOURCE 700 /* sigaltstack, SA_ONSTACK */

#include "sim/crash.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/output.h"
#include "sim/program_name.h"
#include "sim/running.h"

enum { LINE_SIZE = 1024 + GRT_RUNNING_SET_TEXT_SIZE };

static const struct {
    int number;
    const char *text;
} crashes[] = {{SIGSEGV, "segmentation fault"},
               {SIGBUS, "bus error"},
               {SIGFPE, "arithmetic error, as a division by zero"},
               {SIGILL, "illegal instruction"},
               {SIGTRAP, "trap"},
               {SIGABRT, "aborted"}};

enum { CRASHES = sizeof crashes / sizeof crashes[0] };

/* One thread writes; those that crash meanwhile wait for it to end the program. */
static atomic_flag somebody_reports = ATOMIC_FLAG_INIT;
static _Thread_local volatile sig_atomic_t i_report;

/* From grt_crash_report on: before there are other threads. */
static bool reports;

static void append(char line[LINE_SIZE], const char *text) {
    size_t used = strlen(line);
    for (; *text != '\0' && used + 2 < LINE_SIZE; text++) {
        line[used++] = *text;
    }
    line[used] = '\0';
}

static const char *text_of(int number) {
    size_t i = 0;
    while (i + 1 < CRASHES && crashes[i].number != number) {
        i++;
    }
    return crashes[i].text;
}

/* Says what ran on this thread, if anything that said so, what it did, and how, if there is more to say. */
static void write_line(const char *did, const char *how) {
    const struct grt_running *running = grt_running_now();
    char line[LINE_SIZE] = "", whose[GRT_RUNNING_TEXT_SIZE], set[GRT_RUNNING_SET_TEXT_SIZE];
    if (running != NULL) {
        append(line, grt_program_name());
        append(line, ": ");
        append(line, running->own ? &did[1] : "");
        append(line, running->own ? " under " : "");
        append(line, grt_running_text(running, running->own ? "" : did, whose, sizeof whose));
        append(line, how[0] != '\0' ? ": " : "");
        append(line, how);
        append(line, "\n");
        if (grt_running_set_text(set) != NULL) {
            append(line, grt_program_name());
            append(line, ": ");
            append(line, set);
            append(line, "\n");
        }
        ssize_t written = write(STDERR_FILENO, line, strlen(line));
        (void)written; /* there is nobody else to tell */
    }
}

/* Such a signal is no crash if another process has sent it, as one does that watches over programs. */
static bool is_crash(const siginfo_t *information) {
    return information->si_code > 0 || information->si_pid == getpid();
}

static void report(int number, siginfo_t *information, void *context) {
    (void)context;
    if (!atomic_flag_test_and_set(&somebody_reports)) {
        i_report = 1;
        grt_output_remove_unfinished(); /* first: what is to be said may be broken, and nobody may read it */
        if (is_crash(information)) {
            write_line(" crashed", text_of(number));
        }
    }
    while (!i_report) {
        pause();
    }
    signal(number, SIG_DFL);
    raise(number); /* once this has returned */
}

/* What runs must come back, and not end the program with an exit code of its own, as if all were done. */
static void report_exit(void) {
    if (grt_running_now() == NULL || i_report) {
        return;
    }
    grt_output_remove_unfinished(); /* first, as above */
    fflush(stdout); /* what was printed; before others wait for this thread: one of them may hold it */
    while (atomic_flag_test_and_set(&somebody_reports)) {
        pause();
    }
    i_report = 1;
    grt_output_remove_unfinished(); /* once more: writing what was printed may have taken a while */
    write_line(" ended the program", "");
    _exit(EXIT_FAILURE);
}

/* While a handler runs its signal is blocked on its thread, so that one more is for another thread, if there is one; it ends the program. */
static void let_others_say(int number) {
    static atomic_flag passed_on = ATOMIC_FLAG_INIT;
    static const struct timespec patience = {.tv_nsec = 50000000};
    if (!atomic_flag_test_and_set(&passed_on)) {
        kill(getpid(), number);
        nanosleep(&patience, NULL);
    }
}

void grt_crash_interrupted(int number) {
    const struct grt_running *running = grt_running_now();
    grt_output_remove_unfinished();
    if (running == NULL || running->file == NULL) {
        let_others_say(number);
    } else if (!atomic_flag_test_and_set(&somebody_reports)) {
        i_report = 1;
        write_line(" was interrupted", "");
    }
    signal(number, SIG_DFL);
    raise(number);
}

void grt_crash_report(const char *program) {
    static struct grt_crash_stack of_first_thread;
    grt_program_set_name(program);
    reports = true;
    grt_crash_stack_use(&of_first_thread);
    for (size_t i = 0; i < CRASHES; i++) {
        struct sigaction old, action = {.sa_sigaction = report, .sa_flags = SA_ONSTACK | SA_SIGINFO};
        if (sigaction(crashes[i].number, NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            sigaction(crashes[i].number, &action, NULL);
        }
    }
}

/* Threads that call exit at a time take a function each, and one for which none is left would end the program with an exit code of its own. */
void grt_crash_stack_use(struct grt_crash_stack *stack) {
    if (reports) {
        atexit(report_exit);
    }
    const stack_t used = {.ss_sp = stack->bytes, .ss_size = sizeof stack->bytes};
    stack_t before = {.ss_flags = SS_DISABLE};
    sigaltstack(&used, &before);
    stack->before = before.ss_sp;
    stack->before_size = before.ss_size;
    stack->before_flags = before.ss_flags;
}

void grt_crash_stack_end(const struct grt_crash_stack *stack) {
    const stack_t before = {
        .ss_sp = stack->before, .ss_size = stack->before_size, .ss_flags = stack->before_flags};
    sigaltstack(&before, NULL);
}
