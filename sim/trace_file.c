#include "sim/trace_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/check.h"
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

enum { ALIGNMENT = 32, READ_LOT = 1 << 20, LOT_RECORDS = READ_LOT / 32 };

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
    int fd;
    const char *path;
    const unsigned char *taken; /* what the caller has read already */
    size_t taken_size;
    struct grt_errors *errors;
    struct grt_trace_memory *out;
    uint32_t task_count;
    grt_time latest;
};

static bool fail(struct reader *reader, const char *sentence) {
    grt_error_add(reader->errors, NULL, "%s: %s", reader->path, sentence);
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
        ssize_t count = read(reader->fd, (char *)memory + *got, size - *got);
        if (count == 0) {
            return true;
        }
        if (count < 0 && errno != EINTR) {
            grt_error_add(reader->errors, NULL, "%s: cannot read: %s", reader->path, strerror(errno));
            return false;
        }
        *got += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool check_header(struct reader *reader, const struct file_header *header, size_t got) {
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
        grt_error_add(reader->errors, NULL, "%s: has trace format %u; this program reads format %d",
                      reader->path, header->version, GRT_TRACE_FILE_VERSION);
        return false;
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
        size_t step = size - have < READ_LOT ? size - have : READ_LOT;
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

static bool take_name(struct reader *reader, const struct file_name *entry, const unsigned char *texts,
                      uint32_t text_bytes) {
    if (entry->kind >= GRT_NAME_KINDS || entry->text_offset > text_bytes ||
        entry->text_bytes > text_bytes - entry->text_offset ||
        !is_printable(texts + entry->text_offset, entry->text_bytes)) {
        return fail(reader, "has a damaged table of names");
    }
    char *text = grt_allocate((size_t)entry->text_bytes + 1);
    memcpy(text, texts + entry->text_offset, entry->text_bytes);
    text[entry->text_bytes] = '\0';
    reader->out->names[reader->out->name_count++] = (struct grt_trace_name){.kind = entry->kind,
                                                                            .index = entry->index,
                                                                            .segment = entry->segment,
                                                                            .command = entry->command,
                                                                            .weight = entry->weight,
                                                                            .text = text};
    reader->task_count += entry->kind == GRT_NAME_TASK;
    return true;
}

static bool read_names(struct reader *reader) {
    struct file_header header;
    size_t got;
    if (!read_fully(reader, &header, sizeof header, &got) || !check_header(reader, &header, got)) {
        return false;
    }
    unsigned char *tables = read_tables(reader, header.header_bytes - sizeof header);
    if (tables == NULL) {
        return false;
    }
    size_t table_bytes = header.name_count * sizeof(struct file_name);
    reader->out->names = grt_allocate(header.name_count * sizeof *reader->out->names);
    bool done = true;
    for (size_t i = 0; i < header.name_count && done; i++) {
        struct file_name entry;
        memcpy(&entry, tables + i * sizeof entry, sizeof entry);
        done = take_name(reader, &entry, tables + table_bytes, header.text_bytes);
    }
    free(tables);
    return done;
}

static bool is_slice(unsigned kind) {
    return kind != GRT_TRACE_RELEASE && kind != GRT_TRACE_SKIP && kind != GRT_TRACE_MISS &&
           kind != GRT_TRACE_GPU_REQUEST && kind != GRT_TRACE_ROW_MARK;
}

static bool task_is_known(const struct reader *reader, const struct grt_trace_record *record) {
    bool may_have_none = record->kind == GRT_TRACE_ROW_SLICE || record->kind == GRT_TRACE_ROW_MARK ||
                         record->kind == GRT_TRACE_CONTEXT;
    return record->task < reader->task_count || (may_have_none && record->task == GRT_TRACE_NO_TASK);
}

/* What is wrong with a record, or NULL. */
static const char *record_fault(const struct reader *reader, const struct grt_trace_record *record) {
    if (record->kind == 0 || record->kind >= GRT_TRACE_KINDS) {
        return "is of no known kind";
    }
    if (!task_is_known(reader, record)) {
        return "belongs to a task that the header does not name";
    }
    if (record->time < reader->latest) {
        return "goes back in time";
    }
    if (is_slice(record->kind) && (record->other < 0 || record->other > record->time)) {
        return "ends before it starts";
    }
    return NULL;
}

static bool check_records(struct reader *reader, const struct grt_trace_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const char *fault = record_fault(reader, &records[i]);
        if (fault != NULL) {
            grt_error_add(reader->errors, NULL, "%s: record %zu %s", reader->path,
                          reader->out->record_count + i, fault);
            return false;
        }
        reader->latest = records[i].time;
    }
    return true;
}

static bool read_records(struct reader *reader) {
    struct grt_trace_memory *out = reader->out;
    for (size_t got = READ_LOT; got == READ_LOT;) {
        if (out->record_count + LOT_RECORDS > out->record_capacity) {
            out->record_capacity = 2 * out->record_capacity + LOT_RECORDS;
            out->records = grt_reallocate(out->records, out->record_capacity * sizeof *out->records);
        }
        struct grt_trace_record *records = out->records + out->record_count;
        if (!read_fully(reader, records, READ_LOT, &got) ||
            !check_records(reader, records, got / sizeof *records)) {
            return false;
        }
        out->record_count += got / sizeof *records;
        out->cut = out->cut || got % sizeof *records != 0;
        if (out->record_limit != 0 && out->record_count > out->record_limit) {
            out->record_count = out->record_limit;
            out->cut = true;
            return true;
        }
    }
    return true;
}

static bool read_trace(struct reader *reader) {
    bool done = read_names(reader) && read_records(reader);
    if (!done) {
        grt_trace_memory_free(reader->out);
    }
    return done;
}

bool grt_trace_file_read_open(int fd, const char *name, const void *first, size_t taken,
                              struct grt_trace_memory *out, struct grt_errors *errors) {
    struct reader reader = {
        .fd = fd, .path = name, .taken = first, .taken_size = taken, .errors = errors, .out = out};
    return read_trace(&reader);
}

bool grt_trace_file_read(const char *path, struct grt_trace_memory *out, struct grt_errors *errors) {
    bool standard = strcmp(path, "-") == 0;
    struct reader reader = {.fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                            .path = standard ? "standard input" : path,
                            .errors = errors,
                            .out = out};
    if (reader.fd < 0) {
        grt_error_add(errors, NULL, "%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    bool done = read_trace(&reader);
    if (!standard) {
        close(reader.fd);
    }
    return done;
}
