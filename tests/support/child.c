#include "tests/support/child.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/cunit.h"

static _Noreturn void be_the_child(void (*function)(void *argument), void *argument, const int ends[2]) {
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    function(argument);
    _exit(0);
}

/* To the end, so that the child never waits for a reader. */
static void read_all(int end, char *said, size_t size) {
    char rest[256];
    size_t used = 0;
    for (ssize_t got = 1; got > 0;) {
        bool full = used + 1 >= size;
        got = full ? read(end, rest, sizeof rest) : read(end, said + used, size - 1 - used);
        used += got > 0 && !full ? (size_t)got : 0;
    }
    said[used] = '\0';
}

int grt_child_run(void (*function)(void *argument), void *argument, char *said, size_t size) {
    int ends[2], status = 0;
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        be_the_child(function, argument, ends);
    }
    close(ends[1]);
    read_all(ends[0], said, size);
    close(ends[0]);
    CU_ASSERT_EQUAL_FATAL(waitpid(child, &status, 0), child);
    return status;
}

struct call {
    void (*function)(void);
};

static void make_call(void *call) {
    ((const struct call *)call)->function();
}

int grt_child_call(void (*function)(void), char *said, size_t size) {
    struct call call = {function};
    return grt_child_run(make_call, &call, said, size);
}

bool grt_child_ended_by(int status, int signal_number) {
    return WIFSIGNALED(status) && WTERMSIG(status) == signal_number;
}
