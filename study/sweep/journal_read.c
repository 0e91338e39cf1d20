#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/build_id.h"
#include "sim/check.h"
#include "sim/memory.h"
#include "study/sweep/journal.h"

#define MAGIC "gpurt-journal "

enum { VERSION = 2, FIELDS = 10, MOST_HEAD = 4096 };

struct grt_journal_reader {
    FILE *file;
    char *path;
    const struct grt_journal_head *head;
    char *text; /* of the line, without its end */
    size_t length, capacity;
    bool ended;     /* the line has its end */
    bool continued; /* whoever reads it wants to go on with it, and can do otherwise */
    uint64_t line;
    int64_t good;
};

/* ---- the head ---- */

/* Letters, digits and a few signs as they are, all other bytes as %XX: a name is one word of the head. */
static void write_name(const char *name, FILE *out) {
    for (const char *at = name; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        bool plain = byte < 0x80 && (isalnum(byte) || byte == '-' || byte == '_' || byte == '.');
        fprintf(out, plain ? "%c" : "%%%02X", byte);
    }
}

char *grt_journal_head_text(const struct grt_journal_head *head) {
    char *text = NULL;
    size_t size = 0, measures = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    for (size_t i = 0; i < head->shape.evaluation_count; i++) {
        measures += head->shape.measure_counts[i];
    }
    fprintf(out, MAGIC "%d version=" GRT_VERSION " name=", VERSION);
    write_name(head->name, out);
    fprintf(out, " seed=%" PRIu64 " samples=%" PRIu64 " points=%" PRIu64 " evaluations=%zu", head->seed,
            head->plan.samples, head->plan.points, head->shape.evaluation_count);
    fprintf(out, " measures=%zu chunk=%" PRIu32 " build=%s identity=%016" PRIx64, measures,
            head->plan.chunk_samples, grt_build_id, head->identity);
    fclose(out);
    text = grt_reallocate(text, size + GRT_SEAL_SIZE + 2);
    grt_line_seal(text, size);
    return text;
}

/* The words after the magic one, "key=value" but for the version of the format. */
static size_t split(char *text, char *words[], size_t most) {
    size_t count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL && count < most;
         word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    return count;
}

/* Says in what the head of a journal differs from the one wanted: the first word that does. */
static void explain(const struct grt_journal_reader *reader, struct grt_errors *errors) {
    enum { WORDS = FIELDS + 4 };
    char *wanted = grt_journal_head_text(reader->head), *got = reader->text, *theirs[WORDS], *ours[WORDS];
    size_t length = strlen(wanted) - 1;
    wanted[length] = '\0';
    grt_line_unseal(wanted, &length);
    size_t ours_count = split(wanted, ours, WORDS), count = split(got, theirs, WORDS);
    const char *their = "", *our = "";
    for (size_t i = 1; i < count && i < ours_count && *their == '\0'; i++) {
        if (strcmp(theirs[i], ours[i]) != 0) {
            their = theirs[i];
            our = ours[i];
        }
    }
    const char *hint = reader->continued ? "; --restart throws it away, --journal names another file" : "";
    if (count != ours_count || strchr(their, '=') == NULL) {
        grt_error_add(errors, NULL, "%s: is a journal of another version of gpurt%s", reader->path, hint);
    } else if (strncmp(their, "build=", 6) == 0) {
        grt_error_add(
            errors, NULL,
            "%s: was written by another build of gpurt, which may count otherwise: by %s, this is %s; "
            "that one can go on with it%s",
            reader->path, their + 6, our + 6, hint);
    } else if (strncmp(their, "identity", 8) == 0) {
        grt_error_add(
            errors, NULL,
            "%s: is the journal of another experiment: the file, the changes to it, or a file that it "
            "names is another now%s",
            reader->path, hint);
    } else {
        grt_error_add(errors, NULL, "%s: is the journal of another experiment: it has %s, this one %s%s",
                      reader->path, their, our, hint);
    }
    free(wanted);
}

/* ---- lines ---- */

/* Reads a line of any length, keeping as much as a line can have; true unless the file is at its end. */
static bool read_line(struct grt_journal_reader *reader) {
    uint64_t bytes = 0;
    int byte;
    reader->length = 0;
    while ((byte = getc_unlocked(reader->file)) != EOF && byte != '\n') {
        bytes++;
        if (reader->length + 1 < reader->capacity) {
            reader->text[reader->length++] = (char)byte;
        }
    }
    reader->text[reader->length] = '\0';
    reader->ended = byte == '\n' && reader->length == bytes;
    reader->line += bytes > 0 || byte == '\n';
    return bytes > 0 || byte == '\n';
}

static bool at_end(struct grt_journal_reader *reader) {
    int byte = getc_unlocked(reader->file);
    if (byte != EOF) {
        ungetc(byte, reader->file);
    }
    return byte == EOF && ferror(reader->file) == 0;
}

static bool is_head_of(struct grt_journal_reader *reader, bool *fresh, struct grt_errors *errors) {
    bool any = read_line(reader);
    if (ferror(reader->file) != 0) {
        grt_error_add(errors, NULL, "%s: cannot be read: %s", reader->path, strerror(errno));
        return false;
    }
    char *wanted = grt_journal_head_text(reader->head);
    size_t length = strlen(wanted) - 1;
    bool same = reader->ended && reader->length == length && memcmp(reader->text, wanted, length) == 0;
    bool begun =
        !reader->ended && reader->length <= length && memcmp(reader->text, wanted, reader->length) == 0;
    free(wanted);
    if (same) {
        return true;
    }
    if (begun && fresh != NULL) {
        *fresh = true;
    } else if (!any || begun) {
        grt_error_add(errors, NULL, "%s: is an empty journal", reader->path);
    } else if (strncmp(reader->text, MAGIC, sizeof MAGIC - 1) != 0) {
        grt_error_add(errors, NULL, "%s: is no journal of gpurt", reader->path);
    } else if (!reader->ended || !grt_line_unseal(reader->text, &reader->length)) {
        grt_error_add(errors, NULL, "%s: line 1 is damaged: what it has cannot be used", reader->path);
    } else {
        explain(reader, errors);
    }
    return false;
}

bool grt_journal_is_one(int descriptor) {
    char text[sizeof MAGIC] = "";
    ssize_t count = pread(descriptor, text, sizeof MAGIC - 1, 0);
    return count >= 0 && memcmp(text, MAGIC, (size_t)count) == 0;
}

/* ---- opening and closing ---- */

struct grt_journal_reader *grt_journal_reader_start(int descriptor, const char *path,
                                                    const struct grt_journal_head *head, bool *fresh,
                                                    struct grt_errors *errors) {
    int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    FILE *file = own >= 0 ? fdopen(own, "rb") : NULL;
    if (file == NULL) {
        grt_error_add(errors, NULL, "%s: cannot be read: %s", path, strerror(errno));
        if (own >= 0) {
            close(own);
        }
        return NULL;
    }
    struct grt_journal_reader *reader = grt_allocate(sizeof *reader);
    size_t line = grt_chunk_text_size(&head->shape), size = strlen(path) + 1;
    *reader = (struct grt_journal_reader){.file = file,
                                          .head = head,
                                          .continued = fresh != NULL,
                                          .capacity = line > MOST_HEAD ? line : MOST_HEAD};
    reader->path = memcpy(grt_allocate(size), path, size);
    reader->text = grt_allocate(reader->capacity);
    if (!is_head_of(reader, fresh, errors)) {
        grt_journal_reader_close(reader);
        return NULL;
    }
    reader->good = (int64_t)reader->length + 1;
    return reader;
}

struct grt_journal_reader *grt_journal_reader_open(const char *path, const struct grt_journal_head *head,
                                                   struct grt_errors *errors) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) {
        grt_error_add(errors, NULL, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    struct grt_journal_reader *reader = NULL;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        grt_error_add(errors, NULL, "%s: is no file", path);
    } else {
        reader = grt_journal_reader_start(descriptor, path, head, NULL, errors);
    }
    close(descriptor);
    return reader;
}

void grt_journal_reader_close(struct grt_journal_reader *reader) {
    if (reader != NULL) {
        fclose(reader->file);
        free(reader->path);
        free(reader->text);
        free(reader);
    }
}

bool grt_journal_reader_next(struct grt_journal_reader *reader, struct grt_chunk *chunk, uint64_t *hash,
                             struct grt_errors *errors) {
    bool any = read_line(reader);
    if (ferror(reader->file) != 0) {
        grt_error_add(errors, NULL, "%s: cannot be read: %s", reader->path, strerror(errno));
        return false;
    }
    if (!any) {
        return false;
    }
    int64_t bytes = (int64_t)reader->length + 1;
    *hash = grt_line_hash(reader->text, reader->length);
    if (reader->ended &&
        grt_chunk_read(chunk, &reader->head->shape, &reader->head->plan, reader->text, reader->length)) {
        reader->good += bytes;
        return true;
    }
    if (!at_end(reader)) {
        grt_error_add(
            errors, NULL,
            "%s: line %" PRIu64 " is damaged, and more lines follow: no process that was killed leaves "
            "this behind%s",
            reader->path, reader->line, reader->continued ? "; --restart throws the journal away" : "");
    }
    return false;
}

uint64_t grt_journal_reader_line(const struct grt_journal_reader *reader) {
    return reader->line;
}

const char *grt_journal_reader_path(const struct grt_journal_reader *reader) {
    return reader->path;
}

int64_t grt_journal_reader_good(const struct grt_journal_reader *reader) {
    return reader->good;
}
