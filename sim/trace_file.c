#include "sim/trace_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/check.h"
#include "sim/input_name.h"
#include "sim/memory.h"

/* Records and header go to the file as they lie in memory. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "traces are little-endian: port trace_file.c first");
static_assert(sizeof(struct grt_trace_record) == 32, "a record has 32 bytes");
static_assert(offsetof(struct grt_trace_record, other) == 8 && offsetof(struct grt_trace_record, job) == 16 &&
                  offsetof(struct grt_trace_record, detail) == 20 &&
                  offsetof(struct grt_trace_record, row) == 24 &&
                  offsetof(struct grt_trace_record, task) == 28 &&
                  offsetof(struct grt_trace_record, kind) == 30 &&
                  offsetof(struct grt_trace_record, flags) == 31,
              "the fields of a record are where docs/trace-format.md says");

struct file_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; /* this header, names, texts, padding */
    uint32_t record_bytes;
    uint32_t name_count;
    uint32_t text_bytes;
    uint32_t reserved;
};

struct file_name {
    uint32_t kind, index;
    uint16_t segment, command;
    uint32_t weight;
    uint32_t text_offset, text_bytes; /* within the texts */
};

static_assert(sizeof(struct file_header) == 32 && sizeof(struct file_name) == 24, "no padding in the header");

enum { ALIGNMENT = 32, TABLE_STEP = 1 << 20, LOT_BYTES = GRT_TRACE_LOT * 32 };

/* ---- Writing ---- */

static bool write_name(struct grt_output *output, const struct grt_trace_name *name, uint32_t *text_offset) {
    struct file_name entry = {.kind = (uint32_t)name->kind,
                              .index = name->index,
                              .segment = name->segment,
                              .command = name->command,
                              .weight = name->weight,
                              .text_offset = *text_offset,
                              .text_bytes = (uint32_t)strlen(name->text)};
    *text_offset += entry.text_bytes;
    return grt_output_write(output, &entry, sizeof entry);
}

static bool write_names(void *sink, const struct grt_trace_name *names, size_t count) {
    size_t text_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        text_bytes += strlen(names[i].text);
    }
    size_t bytes = sizeof(struct file_header) + count * sizeof(struct file_name) + text_bytes;
    size_t padding = (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
    struct file_header header = {.magic = GRT_TRACE_FILE_MAGIC,
                                 .version = GRT_TRACE_FILE_VERSION,
                                 .header_bytes = (uint32_t)(bytes + padding),
                                 .record_bytes = sizeof(struct grt_trace_record),
                                 .name_count = (uint32_t)count,
                                 .text_bytes = (uint32_t)text_bytes};
    GRT_REQUIRE(bytes < UINT32_MAX - ALIGNMENT, "name less than 4 GiB in a trace");
    bool done = grt_output_write(sink, &header, sizeof header);
    uint32_t text_offset = 0;
    for (size_t i = 0; i < count && done; i++) {
        done = write_name(sink, &names[i], &text_offset);
    }
    for (size_t i = 0; i < count && done; i++) {
        done = grt_output_write(sink, names[i].text, strlen(names[i].text));
    }
    static const char zeroes[ALIGNMENT];
    return done && grt_output_write(sink, zeroes, padding) && grt_output_flush(sink);
}

static bool write_records(void *sink, const struct grt_trace_record *records, size_t count) {
    return grt_output_write(sink, records, count * sizeof *records) && grt_output_flush(sink);
}

static bool end_records(void *sink) {
    return grt_output_flush(sink);
}

const struct grt_trace_sink grt_trace_file_sink = {
    .names = write_names, .write = write_records, .end = end_records};

/* ---- Reading ---- */

struct reader {
    struct grt_trace_file *file;
    const unsigned char *taken; /* what the caller has read already */
    size_t taken_size;
    struct grt_errors *errors;
    uint32_t task_count;
    size_t record_count;
    grt_time latest;
};

/* Adds a sentence, behind the file's name where it has one. */
static bool fail(const struct reader *reader, const char *sentence) {
    const char *name = reader->file->name;
    grt_error_add(reader->errors, NULL, "%s%s%s", name != NULL ? name : "", name != NULL ? ": " : "",
                  sentence);
    return false;
}

/* Reads up to `size` bytes; fewer only at the end of the file. Returns false after an error of the system. */
static bool read_fully(struct reader *reader, void *memory, size_t size, size_t *got) {
    *got = reader->taken_size < size ? reader->taken_size : size;
    if (*got > 0) {
        memcpy(memory, reader->taken, *got);
        reader->taken += *got;
        reader->taken_size -= *got;
    }
    while (*got < size) {
        ssize_t count = read(reader->file->fd, (char *)memory + *got, size - *got);
        if (count == 0) {
            return true;
        }
        if (count < 0 && errno != EINTR) {
            char sentence[200];
            snprintf(sentence, sizeof sentence, "cannot read: %s", strerror(errno));
            return fail(reader, sentence);
        }
        *got += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool check_header(const struct reader *reader, const struct file_header *header, size_t got) {
    static const char foreign[] = "is not a gpurt trace (it does not begin with \"GPURTTRC\")";
    if (got == 0) {
        return fail(reader, "is empty, not a gpurt trace");
    }
    if (memcmp(header->magic, GRT_TRACE_FILE_MAGIC, got < 8 ? got : 8) != 0) {
        return fail(reader, foreign);
    }
    if (got < sizeof *header) {
        return fail(reader, "is cut short within its header");
    }
    if (header->version != GRT_TRACE_FILE_VERSION) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "has trace format %u; this program reads format %d",
                 header->version, GRT_TRACE_FILE_VERSION);
        return fail(reader, sentence);
    }
    uint64_t needed =
        sizeof *header + (uint64_t)header->name_count * sizeof(struct file_name) + header->text_bytes;
    if (header->record_bytes != sizeof(struct grt_trace_record) || header->header_bytes % ALIGNMENT != 0 ||
        header->header_bytes < needed || header->header_bytes - needed >= ALIGNMENT) {
        return fail(reader, "has a header whose sizes contradict each other");
    }
    return true;
}

/* Reads the rest of the header in steps, so that a made-up size takes no more memory than the file has bytes. */
static unsigned char *read_tables(struct reader *reader, size_t size) {
    unsigned char *tables = NULL;
    size_t got = 0, have = 0;
    do {
        size_t step = size - have < TABLE_STEP ? size - have : TABLE_STEP;
        tables = grt_reallocate(tables, have + step);
        if (!read_fully(reader, tables + have, step, &got)) {
            free(tables);
            return NULL;
        }
        if (got < step) {
            fail(reader, "is cut short within its header");
            free(tables);
            return NULL;
        }
        have += step;
    } while (have < size);
    return tables;
}

static bool is_printable(const unsigned char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] < 0x20 || text[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

/* The names of a trace while they are taken out of its tables. */
struct name_table {
    const unsigned char *entries, *texts;
    uint32_t text_bytes;
    struct grt_trace_name *names;
    char *copies; /* of the texts, each with an end */
    uint32_t copied;
};

/* Texts that many names share could be far more than the file holds: all together they are no longer than its texts. */
static bool take_name(struct reader *reader, struct name_table *table, size_t number) {
    struct file_name entry;
    memcpy(&entry, table->entries + number * sizeof entry, sizeof entry);
    if (entry.kind >= GRT_NAME_KINDS || entry.text_offset > table->text_bytes ||
        entry.text_bytes > table->text_bytes - entry.text_offset ||
        entry.text_bytes > table->text_bytes - table->copied ||
        !is_printable(table->texts + entry.text_offset, entry.text_bytes)) {
        return fail(reader, "has a damaged table of names");
    }
    char *text = table->copies + table->copied + number; /* behind that many ends */
    memcpy(text, table->texts + entry.text_offset, entry.text_bytes);
    text[entry.text_bytes] = '\0';
    table->copied += entry.text_bytes;
    table->names[number] = (struct grt_trace_name){.kind = entry.kind,
                                                   .index = entry.index,
                                                   .segment = entry.segment,
                                                   .command = entry.command,
                                                   .weight = entry.weight,
                                                   .text = text};
    reader->task_count += entry.kind == GRT_NAME_TASK;
    return true;
}

/* Takes the names out of the tables behind the header and tells them to the sink. */
static enum grt_trace_reading pass_names(struct reader *reader, const struct file_header *header,
                                         const unsigned char *tables, const struct grt_trace_sink *sink,
                                         void *state) {
    size_t count = header->name_count;
    struct name_table table = {.entries = tables,
                               .texts = tables + count * sizeof(struct file_name),
                               .text_bytes = header->text_bytes,
                               .names = grt_allocate(count * sizeof *table.names),
                               .copies = grt_allocate(header->text_bytes + count)};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        good = take_name(reader, &table, i);
    }
    enum grt_trace_reading outcome = good ? GRT_READING_DONE : GRT_READING_REFUSED;
    if (good && !sink->names(state, table.names, count)) {
        outcome = GRT_READING_STOPPED;
    }
    free(table.names);
    free(table.copies);
    return outcome;
}

static enum grt_trace_reading read_names(struct reader *reader, const struct grt_trace_sink *sink,
                                         void *state) {
    struct file_header header;
    size_t got;
    if (!read_fully(reader, &header, sizeof header, &got) || !check_header(reader, &header, got)) {
        return GRT_READING_REFUSED;
    }
    unsigned char *tables = read_tables(reader, header.header_bytes - sizeof header);
    if (tables == NULL) {
        return GRT_READING_REFUSED;
    }
    enum grt_trace_reading outcome = pass_names(reader, &header, tables, sink, state);
    free(tables);
    return outcome;
}

/* Sets of kinds, a bit each. */
#define KIND(name) (UINT32_C(1) << GRT_TRACE_##name)
static_assert(GRT_TRACE_KINDS <= 32, "a kind has a bit");

static inline bool is_in(uint32_t kinds, uint8_t kind) {
    return (kinds >> kind & 1) != 0;
}

/* What is wrong with a record behind one of `latest`, or NULL. */
static inline const char *record_fault(uint32_t task_count, grt_time latest,
                                       const struct grt_trace_record *record) {
    static const uint32_t instants = KIND(RELEASE) | KIND(SKIP) | KIND(MISS) | KIND(GPU_REQUEST) |
                                     KIND(ROW_MARK) | KIND(PRIORITY) | KIND(LOST_ITEMS) | KIND(SHARE);
    static const uint32_t may_have_no_task = KIND(ROW_SLICE) | KIND(ROW_MARK) | KIND(CONTEXT) | KIND(THREAD) |
                                             KIND(CALL) | KIND(SHARE); /* the policy's own */
    if (record->kind == 0 || record->kind >= GRT_TRACE_KINDS) {
        return "is of no known kind";
    }
    if (record->task >= task_count &&
        !(record->task == GRT_TRACE_NO_TASK && is_in(may_have_no_task, record->kind))) {
        return "belongs to a task that the header does not name";
    }
    if (record->time < latest) {
        return "goes back in time";
    }
    if (!is_in(instants, record->kind) && (record->other < 0 || record->other > record->time)) {
        return "ends before it starts";
    }
    if (record->kind == GRT_TRACE_SHARE && (record->other < 0 || record->other > 100)) {
        return "sets a share that is not of 0 to 100";
    }
    return NULL;
}

static bool check_records(struct reader *reader, const struct grt_trace_record *records, size_t count) {
    grt_time latest = reader->latest;
    for (size_t i = 0; i < count; i++) {
        const char *fault = record_fault(reader->task_count, latest, &records[i]);
        if (fault != NULL) {
            char sentence[120];
            snprintf(sentence, sizeof sentence, "record %zu %s", reader->record_count + i, fault);
            return fail(reader, sentence);
        }
        latest = records[i].time;
    }
    reader->latest = latest;
    reader->record_count += count;
    return true;
}

/* Reads lots into the buffer, each of which goes to the sink once all of it has been checked. */
static enum grt_trace_reading pass_records(struct reader *reader, struct grt_trace_record *buffer,
                                           const struct grt_trace_sink *sink, void *state) {
    for (size_t got = LOT_BYTES; got == LOT_BYTES;) {
        if (!read_fully(reader, buffer, LOT_BYTES, &got)) {
            return GRT_READING_REFUSED;
        }
        size_t count = got / sizeof *buffer;
        reader->file->cut = got % sizeof *buffer != 0;
        if (!check_records(reader, buffer, count)) {
            return GRT_READING_REFUSED;
        }
        if (count > 0 && !sink->write(state, buffer, count)) {
            return GRT_READING_STOPPED;
        }
    }
    return sink->end(state) ? GRT_READING_DONE : GRT_READING_STOPPED;
}

enum grt_trace_reading grt_trace_file_stream(struct grt_trace_file *file, const struct grt_trace_sink *sink,
                                             void *state, struct grt_errors *errors) {
    struct reader reader = {
        .file = file, .taken = file->first, .taken_size = file->first_size, .errors = errors};
    file->cut = false;
    enum grt_trace_reading outcome = read_names(&reader, sink, state);
    if (outcome == GRT_READING_DONE) {
        struct grt_trace_record *buffer = grt_allocate(LOT_BYTES);
        outcome = pass_records(&reader, buffer, sink, state);
        free(buffer);
    }
    return outcome;
}

/* Whether the file's records go into memory, as far as its size tells. */
static bool is_short(const struct grt_trace_file *file, const struct grt_trace_memory *out,
                     struct grt_errors *errors) {
    struct stat status;
    bool known = out->record_limit == 0 && fstat(file->fd, &status) == 0 && S_ISREG(status.st_mode);
    if (!known || status.st_size / (off_t)sizeof(struct grt_trace_record) <= GRT_TRACE_FILE_MOST) {
        return true;
    }
    grt_error_add(errors, NULL, "%s: has more than %d records, which is too much for the memory", file->name,
                  GRT_TRACE_FILE_MOST);
    return false;
}

bool grt_trace_file_read(const char *path, struct grt_trace_memory *out, struct grt_errors *errors) {
    bool standard = strcmp(path, "-") == 0;
    struct grt_trace_file file = {.fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                                  .name = grt_input_name(path)};
    if (file.fd < 0) {
        grt_error_add(errors, NULL, "%s: cannot open: %s", file.name, strerror(errno));
        return false;
    }
    bool done = is_short(&file, out, errors) &&
                grt_trace_file_stream(&file, &grt_trace_memory_sink, out, errors) == GRT_READING_DONE;
    out->cut = out->cut || file.cut;
    if (!done) {
        grt_trace_memory_free(out);
    }
    if (!standard) {
        close(file.fd);
    }
    return done;
}
