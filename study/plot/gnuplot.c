#include "study/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/memory.h"

/* Bytes that come from a pipe. */
struct received {
    int fd; /* -1: closed */
    char *bytes;
    uint32_t size, capacity;
};

#define MOST_OUTPUT (256u * 1024 * 1024) /* of a picture: something went wrong */
enum { MOST_SAID = 4096 };               /* of an error that is shown */

enum pipe_names { SCRIPT, PICTURE, SAID, FAILURE, PIPES };

struct process {
    pid_t pid;
    int to; /* its standard input, -1 when all is written */
    struct received picture, said;
    int failure; /* errno of exec, 0 */
};

/* ---- starting ---- */

static void close_all(int pipes[PIPES][2]) {
    for (int i = 0; i < PIPES; i++) {
        for (int end = 0; end < 2; end++) {
            if (pipes[i][end] >= 0) {
                close(pipes[i][end]);
            }
        }
    }
}

/* Descriptors above the standard ones, none of which the new program keeps by itself. */
static bool open_pipes(int pipes[PIPES][2]) {
    memset(pipes, -1, sizeof(int[PIPES][2]));
    for (int i = 0; i < PIPES; i++) {
        if (pipe(pipes[i]) != 0) {
            return false;
        }
        for (int end = 0; end < 2; end++) {
            fcntl(pipes[i][end], F_SETFD, FD_CLOEXEC);
        }
    }
    return true;
}

/* In the new process: only what may be called after fork. */
static _Noreturn void become_gnuplot(int pipes[PIPES][2]) {
    static const int restored[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof restored / sizeof restored[0]; i++) {
        signal(restored[i], SIG_DFL);
    }
    char name[] = "gnuplot", defaults[] = "-d", *arguments[] = {name, defaults, NULL};
    if (dup2(pipes[SCRIPT][0], STDIN_FILENO) >= 0 && dup2(pipes[PICTURE][1], STDOUT_FILENO) >= 0 &&
        dup2(pipes[SAID][1], STDERR_FILENO) >= 0) {
        unsetenv("GNUTERM"); /* a terminal that the script does not want */
        execvp(name, arguments);
    }
    int error = errno;
    ssize_t written = write(pipes[FAILURE][1], &error, sizeof error);
    _exit(written == (ssize_t)sizeof error ? 127 : 126);
}

/* What exec said, once it said anything: its end of the pipe closes where it succeeds. */
static int read_failure(int fd) {
    int error = 0;
    ssize_t size;
    do {
        size = read(fd, &error, sizeof error);
    } while (size < 0 && errno == EINTR);
    return size == (ssize_t)sizeof error ? error : 0;
}

static bool start(struct process *process, struct grt_errors *errors) {
    int pipes[PIPES][2];
    if (!open_pipes(pipes) || (process->pid = fork()) < 0) {
        grt_error_add(errors, NULL, "cannot start gnuplot: %s", strerror(errno));
        close_all(pipes);
        return false;
    }
    if (process->pid == 0) {
        become_gnuplot(pipes);
    }
    process->to = pipes[SCRIPT][1];
    process->picture.fd = pipes[PICTURE][0];
    process->said.fd = pipes[SAID][0];
    pipes[SCRIPT][1] = pipes[PICTURE][0] = pipes[SAID][0] = -1;
    close(pipes[FAILURE][1]);
    pipes[FAILURE][1] = -1;
    process->failure = read_failure(pipes[FAILURE][0]);
    close_all(pipes);
    fcntl(process->to, F_SETFL, O_NONBLOCK);
    return true;
}

/* ---- talking ---- */

static void end(int *fd) {
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void receive(struct received *received) {
    enum { PIECE = 65536 };
    received->bytes =
        grt_array_grow(received->bytes, &received->capacity, received->size + PIECE, sizeof *received->bytes);
    ssize_t size = read(received->fd, received->bytes + received->size, PIECE);
    if (size > 0) {
        received->size += (uint32_t)size;
    } else if (size == 0 || errno != EINTR) {
        end(&received->fd);
    }
}

static void send_more(struct process *process, const char *script, size_t size, size_t *sent) {
    ssize_t written = write(process->to, script + *sent, size - *sent);
    if (written > 0) {
        *sent += (size_t)written;
    } else if (errno != EINTR && errno != EAGAIN) {
        *sent = size; /* it has left, and will say why */
    }
    if (*sent == size) {
        end(&process->to);
    }
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Gives it the script and takes what it writes, until it has closed both ends. False: the time is over, or it writes without end. */
static bool talk(struct process *process, const char *script, size_t size, int64_t last) {
    size_t sent = 0;
    while (process->picture.fd >= 0 || process->said.fd >= 0) {
        struct pollfd waits[] = {{.fd = process->to, .events = POLLOUT},
                                 {.fd = process->picture.fd, .events = POLLIN},
                                 {.fd = process->said.fd, .events = POLLIN}};
        int64_t left = last - now_ms();
        if (left <= 0 || process->picture.size + process->said.size > MOST_OUTPUT) {
            return false;
        }
        if (poll(waits, 3, (int)left) < 0 && errno != EINTR) {
            return false;
        }
        if (waits[0].revents != 0) {
            send_more(process, script, size, &sent);
        }
        if (waits[1].revents != 0) {
            receive(&process->picture);
        }
        if (waits[2].revents != 0) {
            receive(&process->said);
        }
    }
    return true;
}

/* Its end, until `last`; then false after killing it. It may have closed its ends of the pipes and go on. */
static bool wait_for(pid_t pid, int64_t last, int *status) {
    bool in_time = true;
    for (;;) {
        pid_t ended = waitpid(pid, status, in_time ? WNOHANG : 0);
        if (ended == pid || (ended < 0 && errno != EINTR)) {
            return in_time;
        }
        if (in_time && now_ms() >= last) {
            kill(pid, SIGKILL);
            in_time = false;
        } else if (in_time) {
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
    }
}

/* ---- how it went ---- */

/* What it said, as one line; of a script's line only what is wrong with it. */
static void said_text(const struct process *process, char text[MOST_SAID]) {
    size_t used = 0;
    bool blank = true;
    for (uint32_t i = 0; i < process->said.size && used < MOST_SAID - 1; i++) {
        unsigned char c = (unsigned char)process->said.bytes[i];
        bool space = c <= ' ' || c == 0x7f;
        if (!space || !blank) {
            text[used++] = space ? ' ' : (char)c;
        }
        blank = space;
    }
    while (used > 0 && text[used - 1] == ' ') {
        used--;
    }
    text[used] = '\0';
}

static bool check(const struct process *process, bool in_time, int status, int seconds,
                  struct grt_errors *errors) {
    char said[MOST_SAID];
    said_text(process, said);
    const char *colon = said[0] != '\0' ? ": " : "";
    size_t before = errors->count;
    if (process->failure == ENOENT) {
        grt_error_add(errors, NULL,
                      "gnuplot is not installed here, or not in PATH: install it, or have the picture drawn "
                      "elsewhere");
    } else if (process->failure != 0) {
        grt_error_add(errors, NULL, "cannot start gnuplot: %s", strerror(process->failure));
    } else if (!in_time) {
        grt_error_add(errors, NULL, "gnuplot was stopped: it was not done after %d s%s%s", seconds, colon,
                      said);
    } else if (WIFSIGNALED(status)) {
        grt_error_add(errors, NULL, "gnuplot was killed by signal %d%s%s", WTERMSIG(status), colon, said);
    } else if (WEXITSTATUS(status) != 0) {
        grt_error_add(errors, NULL, "gnuplot failed with exit code %d%s%s", WEXITSTATUS(status), colon, said);
    } else if (process->picture.size == 0) {
        grt_error_add(errors, NULL, "gnuplot wrote no picture%s%s", colon, said);
    }
    return errors->count == before;
}

/* The date in a PDF is the only thing that differs from run to run; it keeps its length, since a PDF has offsets. */
static void forget_date(char *bytes, size_t size) {
    static const char key[] = "/CreationDate (D:", date[] = "19700101000000";
    enum { KEY = sizeof key - 1, DATE = sizeof date - 1 };
    if (size < 5 || memcmp(bytes, "%PDF-", 5) != 0) {
        return;
    }
    for (size_t i = 0; i + KEY + DATE <= size; i++) {
        if (bytes[i] == '/' && memcmp(bytes + i, key, KEY) == 0) {
            memcpy(bytes + i + KEY, date, DATE);
        }
    }
}

char *grt_gnuplot_draw(const char *script, size_t script_size, int seconds, size_t *size,
                       struct grt_errors *errors) {
    struct process process = {.to = -1, .picture = {.fd = -1}, .said = {.fd = -1}};
    if (!start(&process, errors)) {
        return NULL;
    }
    int64_t last = now_ms() + (int64_t)seconds * 1000;
    bool talked = talk(&process, script, script_size, last);
    end(&process.to);
    end(&process.picture.fd);
    end(&process.said.fd);
    int status = 0;
    bool in_time = wait_for(process.pid, talked ? last : 0, &status) && talked;
    bool drawn = check(&process, in_time, status, seconds, errors);
    free(process.said.bytes);
    if (!drawn) {
        free(process.picture.bytes);
        return NULL;
    }
    forget_date(process.picture.bytes, process.picture.size);
    *size = process.picture.size;
    return process.picture.bytes;
}
