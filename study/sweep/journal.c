#define _DEFAULT_SOURCE /* flock */
#include "study/sweep/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/memory.h"

enum { FIRST_CAPACITY = 64 * 1024 };

struct grt_journal {
    const struct grt_journal_head *head;
    char *path;
    int descriptor; /* -1: no file yet */
    int64_t good;   /* bytes of the file that are whole lines; what is behind them is overwritten */
    char *waiting;
    uint32_t size, capacity;
    bool written, spoilt; /* there is something to store; writing failed */
};

static void add_failure(const char *path, const char *doing, struct grt_errors *errors) {
    grt_error_add(errors, NULL, "%s: cannot %s: %s", path, doing, strerror(errno));
}

/* ---- taking up what is there ---- */

/* Locks the file, unless the file system has no locks. False after adding an error: another run has it. */
static bool lock(int descriptor, const char *path, struct grt_errors *errors) {
    while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            grt_error_add(errors, NULL, "%s: another run is writing this journal", path);
            return false;
        }
        if (errno != EINTR) {
            return true;
        }
    }
    return true;
}

/* Whether the path still leads to the open file: a run that ended in between may have removed it. */
static bool is_still_there(int descriptor, const char *path) {
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* A locked descriptor, -1 where there is no file, or -2 after adding an error. */
static int open_existing(const char *path, struct grt_errors *errors) {
    for (;;) {
        struct stat status;
        int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (descriptor < 0 && errno == ENOENT) {
            return -1;
        }
        if (descriptor < 0) {
            add_failure(path, "open the journal", errors);
            return -2;
        }
        if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
            grt_error_add(errors, NULL, "%s: a journal has to be a file", path);
        } else if (!lock(descriptor, path, errors)) {
        } else if (is_still_there(descriptor, path)) {
            return descriptor;
        } else {
            close(descriptor);
            continue;
        }
        close(descriptor);
        return -2;
    }
}

/* Whether a file can be made later: a sweep should not find out after its first half second. */
static bool check_folder(const char *path, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    char *folder = grt_arena_text(&arena, path), *slash = strrchr(folder, '/');
    struct stat status;
    if (slash != NULL) {
        slash[slash == folder] = '\0';
    }
    const char *name = slash != NULL ? folder : ".";
    bool good = stat(name, &status) == 0;
    if (good && !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        good = false;
    }
    good = good && access(name, W_OK | X_OK) == 0;
    if (path[0] == '\0' || path[strlen(path) - 1] == '/') {
        errno = EISDIR;
        good = false;
    }
    if (!good) {
        add_failure(path, "create a journal there", errors);
    }
    grt_arena_clear(&arena);
    return good;
}

static bool read_chunks(struct grt_journal *journal, const struct grt_journal_options *options,
                        struct grt_journal_reader *reader, struct grt_errors *errors) {
    struct grt_chunk *chunk = grt_chunk_create(&options->head->shape, 0);
    size_t before = errors->count;
    uint64_t hash = 0;
    while (grt_journal_reader_next(reader, chunk, &hash, errors) &&
           options->each(options->state, chunk, hash, reader, errors)) {
    }
    journal->good = grt_journal_reader_good(reader);
    free(chunk);
    return errors->count == before;
}

static bool take_up(struct grt_journal *journal, const struct grt_journal_options *options,
                    struct grt_errors *errors) {
    bool fresh = false;
    if (options->restart && grt_journal_is_one(journal->descriptor)) {
        return true; /* from its first byte on */
    }
    struct grt_journal_reader *reader =
        grt_journal_reader_start(journal->descriptor, journal->path, options->head, &fresh, errors);
    bool good = reader != NULL ? read_chunks(journal, options, reader, errors) : fresh;
    grt_journal_reader_close(reader);
    return good;
}

static void destroy(struct grt_journal *journal) {
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
    }
    free(journal->path);
    free(journal->waiting);
    free(journal);
}

struct grt_journal *grt_journal_open(const struct grt_journal_options *options, struct grt_errors *errors) {
    size_t size = strlen(options->path) + 1;
    struct grt_journal *journal = grt_allocate(sizeof *journal);
    *journal = (struct grt_journal){.head = options->head};
    journal->path = memcpy(grt_allocate(size), options->path, size);
    journal->descriptor = open_existing(options->path, errors);
    bool good = journal->descriptor == -1   ? check_folder(options->path, errors)
                : journal->descriptor == -2 ? false
                                            : take_up(journal, options, errors);
    if (!good) {
        destroy(journal);
        return NULL;
    }
    return journal;
}

/* ---- writing ---- */

void grt_journal_append(struct grt_journal *journal, const char *lines, size_t size) {
    uint32_t needed = journal->size + (uint32_t)size, first = GRT_FIRST_CAPACITY(FIRST_CAPACITY);
    journal->waiting =
        grt_array_grow(journal->waiting, &journal->capacity, needed > first ? needed : first, 1);
    memcpy(journal->waiting + journal->size, lines, size);
    journal->size = needed;
}

size_t grt_journal_waiting(const struct grt_journal *journal) {
    return journal->size;
}

/* Writes behind the good bytes; what did not arrive whole is cut off again. */
static bool write_good(struct grt_journal *journal, const char *text, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t written =
            pwrite(journal->descriptor, text + done, size - done, (off_t)(journal->good + (int64_t)done));
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            int error = written == 0 ? ENOSPC : errno;
            bool cut = ftruncate(journal->descriptor, (off_t)journal->good) == 0;
            (void)cut; /* if not, the next run takes it for a line that was cut off */
            errno = error;
            return false;
        }
    }
    journal->good += (int64_t)size;
    return true;
}

/* The file of a new journal, or the rest of an old one removed: then there are good bytes, and nothing behind them. */
static bool prepare_file(struct grt_journal *journal, struct grt_errors *errors) {
    if (journal->descriptor < 0) {
        journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        if (journal->descriptor < 0 && errno == EEXIST) {
            grt_error_add(errors, NULL, "%s: another run has begun this journal in the meantime",
                          journal->path);
            return false;
        }
        if (journal->descriptor < 0) {
            add_failure(journal->path, "create the journal", errors);
            return false;
        }
        return lock(journal->descriptor, journal->path, errors);
    }
    if (ftruncate(journal->descriptor, (off_t)journal->good) != 0) {
        add_failure(journal->path, "write the journal", errors);
        return false;
    }
    return true;
}

static bool write_waiting(struct grt_journal *journal, struct grt_errors *errors) {
    if (!prepare_file(journal, errors)) {
        return false;
    }
    bool good = true;
    if (journal->good == 0) {
        char *head = grt_journal_head_text(journal->head);
        good = write_good(journal, head, strlen(head));
        free(head);
    }
    good = good && write_good(journal, journal->waiting, journal->size);
    if (!good) {
        add_failure(journal->path, "write the journal", errors);
    }
    return good;
}

bool grt_journal_flush(struct grt_journal *journal, struct grt_errors *errors) {
    if (journal->size == 0 || journal->spoilt) {
        return !journal->spoilt;
    }
    journal->spoilt = !write_waiting(journal, errors);
    journal->written = true;
    journal->size = 0;
    return !journal->spoilt;
}

bool grt_journal_close(struct grt_journal *journal, struct grt_errors *errors) {
    if (journal == NULL) {
        return true;
    }
    bool good = grt_journal_flush(journal, errors);
    if (good && journal->written && fsync(journal->descriptor) != 0 && errno != EINVAL) {
        add_failure(journal->path, "store the journal", errors);
        good = false;
    }
    destroy(journal);
    return good;
}

bool grt_journal_finish(struct grt_journal *journal, struct grt_errors *errors) {
    if (journal->descriptor < 0) {
        journal->size = 0;
    }
    return grt_journal_close(journal, errors);
}
