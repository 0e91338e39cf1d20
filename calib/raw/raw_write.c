#include "calib/raw/raw_write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calib/raw/raw_shapes.h"
#include "sim/check.h"
#include "sim/memory.h"

enum { FIRST_CAPACITY = 16 * 1024, NUMBER_CELLS = 32 };

struct grt_raw_writer {
    char *path;
    int descriptor;
    bool is_file;   /* can be cut */
    bool is_output; /* standard output, which is not closed */
    int error;      /* of the first failure; 0: none */
    off_t whole;    /* bytes of whole lines */
    char *line;     /* the one in the making */
    uint32_t size, capacity;
};

/* ---- texts ---- */

static void put(struct grt_raw_writer *writer, const char *text, size_t size) {
    uint32_t needed = writer->size + (uint32_t)size, first = GRT_FIRST_CAPACITY(FIRST_CAPACITY);
    writer->line = grt_array_grow(writer->line, &writer->capacity, needed > first ? needed : first, 1);
    memcpy(writer->line + writer->size, text, size);
    writer->size = needed;
}

static void put_word(struct grt_raw_writer *writer, const char *text) {
    put(writer, text, strlen(text));
}

static void put_integer(struct grt_raw_writer *writer, int64_t number) {
    char text[NUMBER_CELLS];
    int size = snprintf(text, sizeof text, "%" PRId64, number);
    put(writer, text, (size_t)size);
}

static void put_number(struct grt_raw_writer *writer, double number) {
    char text[NUMBER_CELLS];
    int size = snprintf(text, sizeof text, "%.9g", isfinite(number) ? number : 0.0);
    put(writer, text, (size_t)size);
}

/* Bytes of the character at `text`; 0: it is none, or one that readers refuse: most control characters, half surrogate pairs (RFC 3629). */
static size_t character_size(const unsigned char *text) {
    unsigned lead = text[0];
    size_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < size; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    bool control = (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7F;
    bool refused = control || (lead == 0xC2 && text[1] < 0xA0) || (lead == 0xE0 && text[1] < 0xA0) ||
                   (lead == 0xED && text[1] > 0x9F) || (lead == 0xF0 && text[1] < 0x90) ||
                   (lead == 0xF4 && text[1] > 0x8F);
    return refused ? 0 : size;
}

static void put_text(struct grt_raw_writer *writer, const char *text) {
    const unsigned char *at = (const unsigned char *)(text != NULL ? text : "");
    put_word(writer, "\"");
    for (size_t used = 0; *at != '\0' && used < GRT_RAW_TEXT_LENGTH - 4;) {
        size_t size = character_size(at);
        if (*at == '"' || *at == '\\') {
            put_word(writer, "\\");
        }
        if (*at == '\n' || *at == '\t') {
            put_word(writer, *at == '\n' ? "\\n" : "\\t");
        } else {
            put(writer, size > 0 ? (const char *)at : "?", size > 0 ? size : 1);
        }
        used += size > 0 ? size : 1;
        at += size > 0 ? size : 1;
    }
    put_word(writer, "\"");
}

static void put_key(struct grt_raw_writer *writer, const char *name, bool first) {
    put_word(writer, first ? "" : ", ");
    put_text(writer, name);
    put_word(writer, ": ");
}

static void put_record(struct grt_raw_writer *writer, const struct grt_record *record, const void *values) {
    put_word(writer, "{");
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const char *at = (const char *)values + field->offset;
        put_key(writer, field->name, i == 0);
        if (field->type == GRT_FIELD_INTEGER) {
            put_integer(writer, *(const int64_t *)(const void *)at);
        } else if (field->type == GRT_FIELD_NUMBER) {
            put_number(writer, *(const double *)(const void *)at);
        } else if (field->type == GRT_FIELD_BOOLEAN) {
            put_word(writer, *(const bool *)(const void *)at ? "true" : "false");
        } else if (field->type == GRT_FIELD_NAME) {
            put_text(writer, *(const char *const *)(const void *)at);
        } else {
            GRT_REQUIRE(field->type == GRT_FIELD_OBJECT, "write this type of field in raw files");
            put_record(writer, field->record, at);
        }
    }
    put_word(writer, "}");
}

/* ---- the file ---- */

static bool refuse_existing(const char *path, struct grt_errors *errors) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        grt_error_add(errors, NULL,
                      "%s: is there already, and measurements are not thrown away: name another file, "
                      "or say that it is to be replaced (--replace)",
                      path);
        return true;
    }
    return false;
}

struct grt_raw_writer *grt_raw_writer_open(const char *path, bool replace, struct grt_errors *errors) {
    bool is_output = strcmp(path, "-") == 0;
    if (!is_output && !replace && refuse_existing(path, errors)) {
        return NULL;
    }
    int descriptor = STDOUT_FILENO;
    if (!is_output) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
    }
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        grt_error_add(errors, NULL, "%s: cannot be written: %s", path, strerror(errno));
        return NULL;
    }
    struct grt_raw_writer *writer = grt_allocate(sizeof *writer);
    *writer = (struct grt_raw_writer){
        .descriptor = descriptor, .is_output = is_output, .is_file = !is_output && S_ISREG(status.st_mode)};
    size_t size = strlen(path) + 1;
    writer->path = memcpy(grt_allocate(size), path, size);
    return writer;
}

/* Hands the line to the system. What a full disk took of it is taken away again. */
static bool end_line(struct grt_raw_writer *writer) {
    put_word(writer, "\n");
    size_t done = 0, size = writer->size;
    writer->size = 0;
    while (writer->error == 0 && done < size) {
        ssize_t written = write(writer->descriptor, writer->line + done, size - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            writer->error = written == 0 ? ENOSPC : errno;
        }
    }
    if (writer->error == 0) {
        writer->whole += (off_t)size;
        return true;
    }
    int kept = writer->is_file && done > 0 ? ftruncate(writer->descriptor, writer->whole) : 0;
    (void)kept; /* readers know what to do about a line that stays cut off */
    return false;
}

bool grt_raw_writer_close(struct grt_raw_writer *writer, struct grt_errors *errors) {
    if (writer->is_file && writer->error == 0 && fsync(writer->descriptor) != 0) {
        writer->error = errno;
    }
    if (!writer->is_output && close(writer->descriptor) != 0 && writer->error == 0 && errno != EINTR) {
        writer->error = errno;
    }
    bool good = writer->error == 0;
    if (!good) {
        grt_error_add(errors, NULL, "%s: cannot be written: %s; it ends with the last whole line before",
                      writer->path, strerror(writer->error));
    }
    free(writer->path);
    free(writer->line);
    free(writer);
    return good;
}

/* ---- lines ---- */

static bool write_record(struct grt_raw_writer *writer, const struct grt_record *record, const void *values) {
    put_record(writer, record, values);
    return end_line(writer);
}

/* A line with one field, which is an object. */
static bool write_object(struct grt_raw_writer *writer, const struct grt_record *record, const void *values) {
    put_word(writer, "{");
    put_key(writer, record->name, true);
    put_record(writer, record, values);
    put_word(writer, "}");
    return end_line(writer);
}

bool grt_raw_write_head(struct grt_raw_writer *writer, const struct grt_raw_head *head) {
    struct grt_raw_head line = *head;
    line.version = GRT_RAW_VERSION;
    return write_record(writer, &grt_raw_head_record, &line);
}

bool grt_raw_write_device(struct grt_raw_writer *writer, const struct grt_bench_device *device) {
    struct grt_raw_device_line line = grt_raw_line_of_device(device);
    return write_object(writer, &grt_raw_device_record, &line);
}

bool grt_raw_write_origin(struct grt_raw_writer *writer, int64_t host_ns, uint64_t device_ns) {
    char host[NUMBER_CELLS], device[NUMBER_CELLS];
    snprintf(host, sizeof host, "%" PRId64, host_ns);
    snprintf(device, sizeof device, "%" PRIu64, device_ns);
    struct grt_raw_origin_line line = {.host_ns = host, .device_ns = device};
    return write_object(writer, &grt_raw_origin_record, &line);
}

bool grt_raw_write_workload(struct grt_raw_writer *writer, const struct grt_raw_workload *workload) {
    struct grt_raw_workload_line line = grt_raw_line_of_workload(workload);
    return write_record(writer, &grt_raw_workload_record, &line);
}

bool grt_raw_write_health(struct grt_raw_writer *writer, int64_t at_ns,
                          const struct grt_bench_health *health) {
    struct grt_raw_health_line line = {.at_ns = at_ns,
                                       .sm_mhz = health->sm_mhz,
                                       .memory_mhz = health->memory_mhz,
                                       .celsius = health->celsius,
                                       .milliwatts = health->milliwatts,
                                       .pcie_generation = health->pcie_generation,
                                       .pcie_lanes = health->pcie_lanes,
                                       .pcie_most_generation = health->pcie_most_generation,
                                       .pcie_most_lanes = health->pcie_most_lanes,
                                       .reasons = (int64_t)(health->reasons & GRT_RAW_INTEGER_LIMIT)};
    return write_object(writer, &grt_raw_health_record, &line);
}

bool grt_raw_write_partition(struct grt_raw_writer *writer, const struct grt_partition *partition) {
    put_word(writer, "{");
    put_key(writer, "partition", true);
    put_word(writer, "{");
    put_key(writer, "how", true);
    put_text(writer, grt_raw_partition_names[partition->how]);
    put_key(writer, "glued", false);
    put_word(writer, partition->glued ? "true" : "false");
    put_key(writer, "sms", false);
    for (uint32_t i = 0; i < partition->sm_count; i++) {
        put_word(writer, i == 0 ? "[" : ",");
        put_integer(writer, partition->sms[i]);
    }
    put_word(writer, partition->sm_count > 0 ? "]}}" : "[]}}");
    return end_line(writer);
}

bool grt_raw_write_skipped(struct grt_raw_writer *writer, const char *experiment, const char *why) {
    struct grt_raw_skipped_line line = {.skipped = experiment, .why = why};
    return write_record(writer, &grt_raw_skipped_record, &line);
}

bool grt_raw_write_stopped(struct grt_raw_writer *writer, const char *why, double seconds) {
    struct grt_raw_stopped_line line = {.stopped = why, .seconds = seconds};
    return write_record(writer, &grt_raw_stopped_record, &line);
}

bool grt_raw_write_end(struct grt_raw_writer *writer, double seconds) {
    struct grt_raw_end_line line = {.end = true, .seconds = seconds};
    return write_record(writer, &grt_raw_end_record, &line);
}

static void put_cell(struct grt_raw_writer *writer, const struct grt_raw_batch *batch) {
    put_word(writer, "{");
    for (size_t i = 0; i < batch->key_count; i++) {
        put_key(writer, batch->keys[i].name, i == 0);
        if (batch->keys[i].text != NULL) {
            put_text(writer, batch->keys[i].text);
        } else {
            put_integer(writer, batch->keys[i].number);
        }
    }
    put_word(writer, "}");
}

static void put_columns(struct grt_raw_writer *writer, const struct grt_raw_batch *batch) {
    put_word(writer, "{");
    for (size_t i = 0; i < batch->column_count; i++) {
        put_key(writer, batch->columns[i].name, i == 0);
        put_word(writer, "[");
        for (size_t j = 0; j < batch->count; j++) {
            put_word(writer, j == 0 ? "" : ",");
            put_integer(writer, batch->columns[i].values[j]);
        }
        put_word(writer, "]");
    }
    put_word(writer, "}");
}

/* Reasons that there were. */
static void put_drops(struct grt_raw_writer *writer, const struct grt_raw_batch *batch) {
    bool any = false;
    put_key(writer, "dropped", false);
    put_integer(writer, (int64_t)batch->dropped);
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        if (batch->dropped_for[i] > 0) {
            if (!any) {
                put_key(writer, "dropped_for", false);
                put_word(writer, "{");
            }
            put_key(writer, grt_raw_drop_names[i], !any);
            put_integer(writer, (int64_t)batch->dropped_for[i]);
            any = true;
        }
    }
    put_word(writer, any ? "}" : "");
}

bool grt_raw_write_batch(struct grt_raw_writer *writer, const struct grt_raw_batch *batch) {
    const char *why = NULL;
    GRT_REQUIRE(grt_raw_shape_of(batch, &why) != NULL, "write samples as raw_shapes.c has them");
    put_word(writer, "{");
    put_key(writer, "experiment", true);
    put_text(writer, batch->experiment);
    put_key(writer, "cell", false);
    put_cell(writer, batch);
    put_key(writer, "at_ns", false);
    put_integer(writer, batch->at_ns);
    put_key(writer, "sm_mhz", false);
    put_number(writer, batch->sm_mhz);
    if (batch->has_cpu) {
        put_key(writer, "cpu", false);
        put_integer(writer, batch->cpu);
    }
    put_drops(writer, batch);
    put_key(writer, "columns", false);
    put_columns(writer, batch);
    put_word(writer, "}");
    return end_line(writer);
}
