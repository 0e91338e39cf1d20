#define _XOPEN_SOURCE 700 /* realpath */
#include "sim/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim/memory.h"

enum { BUFFER_SIZE = 64 * 1024, NAME_SPACE = 64, ATTEMPTS = 100, UNFINISHED_KEPT = 16 };

struct grt_output {
    int fd;
    int error;         /* errno of the first failure, or 0 */
    const char *doing; /* what failed, for the message: "write", "store" */
    bool standard;     /* standard output, which stays open */
    int slot;          /* in `unfinished`, or -1 */
    char *path;        /* as the caller named it */
    char *target;      /* what the finished file is called; NULL where it is written directly */
    char *temporary;   /* its name until then; NULL where it is written directly */
    size_t used;
    unsigned char buffer[BUFFER_SIZE];
};

/* The one global of this module that changes: a signal handler has nothing else to find the files by. Outputs beyond
 * its size are written all the same, they just outlive a signal. */
static _Atomic(char *) unfinished[UNFINISHED_KEPT];

static int remember_unfinished(char *name) {
    for (int slot = 0; slot < UNFINISHED_KEPT; slot++) {
        char *empty = NULL;
        if (atomic_compare_exchange_strong(&unfinished[slot], &empty, name)) {
            return slot;
        }
    }
    return -1;
}

static void forget_unfinished(int slot) {
    if (slot >= 0) {
        atomic_store(&unfinished[slot], NULL);
    }
}

void grt_output_remove_unfinished(void) {
    for (int slot = 0; slot < UNFINISHED_KEPT; slot++) {
        char *name = atomic_load(&unfinished[slot]);
        if (name != NULL) {
            unlink(name);
        }
    }
}

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(grt_allocate(size), text, size);
}

static bool is_standard_output(const char *path, const struct stat *status) {
    struct stat standard;
    return strcmp(path, "-") == 0 || (status != NULL && fstat(STDOUT_FILENO, &standard) == 0 &&
                                      status->st_dev == standard.st_dev && status->st_ino == standard.st_ino);
}

static struct grt_output *create(const char *path) {
    struct grt_output *output = grt_allocate(sizeof *output);
    *output = (struct grt_output){.fd = -1, .doing = "", .slot = -1};
    output->path = copy_text(path);
    return output;
}

static void destroy(struct grt_output *output) {
    free(output->path);
    free(output->target);
    free(output->temporary);
    free(output);
}

static void note_failure(struct grt_output *output, const char *doing, int error) {
    if (output->error == 0) {
        output->doing = doing;
        output->error = error;
    }
}

/* A name in the target's folder that is short whatever the target is called, and that no other process picks. */
static char *temporary_name(const char *target, int attempt) {
    const char *slash = strrchr(target, '/');
    int folder = slash != NULL ? (int)(slash - target) + 1 : 0;
    size_t size = (size_t)folder + NAME_SPACE;
    char *name = grt_allocate(size);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, size, "%.*s.gpurt-%ld-%lx-%d.tmp", folder, target, (long)getpid(),
             (unsigned long)now.tv_nsec, attempt);
    return name;
}

static void open_temporary(struct grt_output *output, mode_t mode) {
    for (int attempt = 0; attempt < ATTEMPTS && output->fd < 0; attempt++) {
        free(output->temporary);
        output->temporary = temporary_name(output->target, attempt);
        output->slot = remember_unfinished(output->temporary);
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (output->fd < 0) {
            int error = errno;
            forget_unfinished(output->slot);
            output->slot = -1;
            if (error != EEXIST || attempt == ATTEMPTS - 1) {
                note_failure(output, "create a file in its folder", error);
                return;
            }
        }
    }
}

/* Begins to replace the regular file that `status` describes. */
static void open_replacement(struct grt_output *output, const struct stat *status) {
    if (access(output->path, W_OK) != 0) {
        note_failure(output, "replace", errno);
        return;
    }
    output->target = realpath(output->path, NULL);
    if (output->target == NULL) {
        note_failure(output, "open", errno);
        return;
    }
    open_temporary(output, 0600);
    if (output->fd >= 0 && fchmod(output->fd, status->st_mode & 0777) != 0) {
        note_failure(output, "set the permissions of", errno);
    }
}

static void open_directly(struct grt_output *output) {
    output->fd = open(output->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (output->fd < 0) {
        note_failure(output, "open", errno);
    }
}

static void open_file(struct grt_output *output) {
    struct stat status;
    bool exists = stat(output->path, &status) == 0;
    int error = errno;
    if (is_standard_output(output->path, exists ? &status : NULL)) {
        output->fd = STDOUT_FILENO;
        output->standard = true;
    } else if (exists && S_ISREG(status.st_mode)) {
        open_replacement(output, &status);
    } else if (exists) {
        open_directly(output);
    } else if (error != ENOENT || output->path[0] == '\0') {
        note_failure(output, "open", error);
    } else {
        output->target = copy_text(output->path);
        open_temporary(output, 0666);
    }
}

static void add_error(const struct grt_output *output, struct grt_errors *errors) {
    grt_error_add(errors, NULL, "%s: cannot %s: %s", output->standard ? "standard output" : output->path,
                  output->doing, strerror(output->error));
}

struct grt_output *grt_output_open(const char *path, struct grt_errors *errors) {
    struct grt_output *output = create(path);
    open_file(output);
    if (output->error != 0) {
        add_error(output, errors);
        grt_output_discard(output);
        return NULL;
    }
    return output;
}

/* Waits until a descriptor that someone else made non-blocking takes data again. */
static bool wait_until_writable(int fd) {
    struct pollfd descriptor = {.fd = fd, .events = POLLOUT};
    return poll(&descriptor, 1, -1) >= 0 || errno == EINTR;
}

static bool write_fully(struct grt_output *output, const unsigned char *data, size_t size) {
    while (size > 0 && output->error == 0) {
        ssize_t written = write(output->fd, data, size);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (written == 0) {
            note_failure(output, "write", ENOSPC);
        } else if (errno == EAGAIN && wait_until_writable(output->fd)) {
            continue;
        } else if (errno != EINTR) {
            note_failure(output, "write", errno);
        }
    }
    return output->error == 0;
}

bool grt_output_flush(struct grt_output *output) {
    size_t used = output->used;
    output->used = 0;
    return write_fully(output, output->buffer, used);
}

bool grt_output_write(struct grt_output *output, const void *data, size_t size) {
    if (output->used + size > BUFFER_SIZE && !grt_output_flush(output)) {
        return false;
    }
    if (size >= BUFFER_SIZE) {
        return write_fully(output, data, size);
    }
    if (size > 0) {
        memcpy(output->buffer + output->used, data, size);
        output->used += size;
    }
    return output->error == 0;
}

bool grt_output_is_terminal(const struct grt_output *output) {
    return isatty(output->fd) == 1;
}

/* Makes the data durable, then the name: the other way round a crash of the machine could leave an empty file. */
static void complete(struct grt_output *output) {
    if (output->error == 0 && output->temporary != NULL && fsync(output->fd) != 0 && errno != EINVAL) {
        note_failure(output, "store", errno);
    }
    if (!output->standard && close(output->fd) != 0 && errno != EINTR) {
        note_failure(output, "close", errno);
    }
    if (output->error == 0 && output->temporary != NULL && rename(output->temporary, output->target) != 0) {
        note_failure(output, "give the finished file its name", errno);
    }
    if (output->error != 0 && output->temporary != NULL) {
        unlink(output->temporary);
    }
    forget_unfinished(output->slot);
}

int grt_output_error(const struct grt_output *output) {
    return output->error;
}

bool grt_output_close(struct grt_output *output, struct grt_errors *errors) {
    grt_output_flush(output);
    complete(output);
    bool done = output->error == 0;
    if (!done) {
        add_error(output, errors);
    }
    destroy(output);
    return done;
}

void grt_output_discard(struct grt_output *output) {
    if (output == NULL) {
        return;
    }
    if (output->fd >= 0 && !output->standard) {
        close(output->fd);
    }
    if (output->fd >= 0 && output->temporary != NULL) {
        unlink(output->temporary);
    }
    forget_unfinished(output->slot);
    destroy(output);
}
