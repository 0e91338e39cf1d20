#include "calib/program/files/raw_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/file_taken.h"
#include "calib/program/files/raw_reader.h"
#include "calib/raw/raw_lines.h"
#include "calib/raw/raw_shapes.h"
#include "cli/terminal/sha256.h"
#include "scenarios/text_file.h"

enum { FIRST_ITEMS = 16, MOST_NAMED = 4096 };

static const struct grt_path root;

/* True the first time. */
static bool once(struct raw_reader *reader, bool *has) {
    if (*has) {
        raw_reader_complain(reader, "there is such a line before");
        return false;
    }
    return *has = true;
}

/* ---- plain lines ---- */

static bool read_object(struct raw_reader *reader, const struct grt_record *record, const cJSON *line,
                        void *out) {
    if (line->child->next != NULL) {
        grt_error_add(reader->fields.errors, NULL, "has other fields than \"%s\"", record->name);
        return false;
    }
    struct grt_path place = {.parent = &root, .key = record->name};
    return grt_read_record(&reader->fields, record, line->child, &place, out);
}

/* Which back ends there are, so that nothing that was pretended passes for a real device; "": not known. */
static bool check_backend(struct raw_reader *reader, const char *name) {
    static const char *const names[] = {"", "cuda", "sim", "host"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    struct grt_path place = {.parent = &root, .key = "backend"};
    char shown[GRT_JSON_SHOWN_SIZE];
    grt_error_add(reader->fields.errors, &place, "must be cuda, sim or host (got %s)",
                  grt_text_show(name, shown));
    return false;
}

static void read_head(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_head head = {0};
    struct grt_raw *raw = reader->raw;
    if (!once(reader, &reader->has_head) ||
        !grt_read_record(&reader->fields, &grt_raw_head_record, line, &root, &head) ||
        !check_backend(reader, head.backend)) {
        return;
    }
    raw->program = head.program;
    raw->build = head.build;
    raw->backend = head.backend;
    raw->started = head.started;
    raw->command = head.command;
    raw->seed = (uint64_t)head.seed;
    raw->host = head.host;
    raw->driver_path = head.driver.path;
    raw->kernels_made_by = head.kernels.made_by;
}

static void read_device(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_device_line device = {0};
    if (once(reader, &reader->has_device) && read_object(reader, &grt_raw_device_record, line, &device)) {
        grt_raw_device_of_line(&device, &reader->raw->device);
    }
}

static void read_origin(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_origin_line origin = {0};
    if (!once(reader, &reader->has_origin) || !read_object(reader, &grt_raw_origin_record, line, &origin)) {
        return;
    }
    char *host_end, *device_end;
    errno = 0;
    reader->raw->host_origin_ns = strtoll(origin.host_ns, &host_end, 10);
    reader->raw->device_origin_ns = strtoull(origin.device_ns, &device_end, 10);
    bool digits = strspn(origin.host_ns, "-0123456789") > 0 && strspn(origin.device_ns, "0123456789") > 0 &&
                  host_end > origin.host_ns;
    if (errno != 0 || *host_end != '\0' || *device_end != '\0' || !digits) {
        raw_reader_complain(reader,
                            "origin: host_ns and device_ns must be decimal numbers of 64 bits, as texts");
    }
}

static void read_workload(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_workload_line values = {0};
    struct grt_raw_workload workload;
    if (!grt_read_record(&reader->fields, &grt_raw_workload_record, line, &root, &values)) {
        return;
    }
    if (!grt_raw_workload_of_line(&values, &workload)) {
        grt_read_error(&reader->fields, &(struct grt_path){.parent = &root, .key = "kernel"},
                       grt_json_find(line, "kernel"), "must be the name of a measuring kernel");
        return;
    }
    for (uint32_t i = 0; i < reader->workload_count; i++) {
        if (strcmp(reader->workloads[i].name, workload.name) == 0) {
            raw_reader_complain(reader, "workload: there is one of this name before");
            return;
        }
    }
    if (reader->workload_count == MOST_NAMED) {
        raw_reader_complain(reader, "there are more than 4096 workloads");
        return;
    }
    uint32_t needed = reader->workload_count + 1, first = GRT_FIRST_CAPACITY(FIRST_ITEMS);
    reader->workloads = grt_array_grow(reader->workloads, &reader->workload_capacity,
                                       needed > first ? needed : first, sizeof workload);
    reader->workloads[reader->workload_count++] = workload;
}

/* 0 is not known. */
static void widen(int64_t value, int *low, int *high) {
    if (value > 0) {
        *low = *low == 0 || value < *low ? (int)value : *low;
        *high = value > *high ? (int)value : *high;
    }
}

static void read_link(const struct grt_raw_health_line *health, struct grt_raw_health_range *range) {
    widen(health->pcie_generation, &range->pcie_generation_low, &range->pcie_generation_high);
    widen(health->pcie_lanes, &range->pcie_lanes_low, &range->pcie_lanes_high);
    int least = 0;
    widen(health->pcie_most_generation, &least, &range->pcie_most_generation);
    widen(health->pcie_most_lanes, &least, &range->pcie_most_lanes);
}

static void read_health(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_health_line health = {0};
    struct grt_raw_health_range *range = &reader->raw->health;
    if (!read_object(reader, &grt_raw_health_record, line, &health)) {
        return;
    }
    int mhz = (int)health.sm_mhz, celsius = (int)health.celsius, milliwatts = (int)health.milliwatts;
    bool is_first = range->count++ == 0;
    range->sm_mhz_low = is_first || mhz < range->sm_mhz_low ? mhz : range->sm_mhz_low;
    range->sm_mhz_high = is_first || mhz > range->sm_mhz_high ? mhz : range->sm_mhz_high;
    range->celsius_low = is_first || celsius < range->celsius_low ? celsius : range->celsius_low;
    range->celsius_high = is_first || celsius > range->celsius_high ? celsius : range->celsius_high;
    range->milliwatts_high = milliwatts > range->milliwatts_high ? milliwatts : range->milliwatts_high;
    range->reasons |= (uint64_t)health.reasons;
    read_link(&health, range);
}

static void read_partition(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_partition_line partition = {0};
    struct grt_path place = {.parent = &root, .key = "partition"}, list = {.parent = &place, .key = "sms"};
    cJSON *sms = cJSON_DetachItemFromObjectCaseSensitive(line->child, "sms");
    size_t count = 0;
    reader->value_count = 0;
    if (sms == NULL) {
        grt_error_add(reader->fields.errors, &list, "required");
    } else {
        raw_reader_read_values(reader, sms, &list, &count);
    }
    for (size_t i = 0; i < count; i++) {
        if (reader->values[i] < 0 || reader->values[i] > UINT16_MAX) {
            grt_error_add(reader->fields.errors, &list, "numbers of SMs are from 0 to 65535");
            break;
        }
    }
    read_object(reader, &grt_raw_partition_record, line, &partition);
    cJSON_Delete(sms);
}

static void read_skipped(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_skipped_line values = {0};
    if (!grt_read_record(&reader->fields, &grt_raw_skipped_record, line, &root, &values)) {
        return;
    }
    uint32_t needed = reader->skipped_count + 1, first = GRT_FIRST_CAPACITY(FIRST_ITEMS);
    reader->skipped = grt_array_grow(reader->skipped, &reader->skipped_capacity,
                                     needed > first ? needed : first, sizeof *reader->skipped);
    reader->skipped[reader->skipped_count++] =
        (struct grt_raw_skipped){.experiment = values.skipped, .why = values.why};
}

static void read_stopped(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_stopped_line values = {0};
    if (grt_read_record(&reader->fields, &grt_raw_stopped_record, line, &root, &values)) {
        reader->raw->stopped = values.stopped;
        reader->raw->seconds = values.seconds;
    }
    reader->has_end = true;
}

static void read_end(struct raw_reader *reader, const cJSON *line) {
    struct grt_raw_end_line values = {0};
    if (grt_read_record(&reader->fields, &grt_raw_end_record, line, &root, &values) && !values.end) {
        raw_reader_complain(reader, "end: must be true");
    }
    reader->raw->complete = values.end;
    reader->raw->seconds = values.seconds;
    reader->has_end = true;
}

/* ---- lines ---- */

static const struct {
    const char *field; /* its first one */
    void (*read)(struct raw_reader *reader, const cJSON *line);
} kinds[] = {
    {"gpurt_raw", read_head},      {"device", read_device},   {"origin", read_origin},
    {"workload", read_workload},   {"health", read_health},   {"skipped", read_skipped},
    {"partition", read_partition}, {"stopped", read_stopped}, {"end", read_end},
};

static void read_tree(struct raw_reader *reader, cJSON *line) {
    const char *first = cJSON_IsObject(line) && line->child != NULL ? line->child->string : NULL;
    if (first == NULL) {
        raw_reader_complain(reader, "must be an object with fields");
        return;
    }
    if (!reader->has_head && strcmp(first, "gpurt_raw") != 0) {
        raw_reader_complain(reader,
                            "is no file of raw measurements: it does not begin with {\"gpurt_raw\": 1, ...}");
        reader->has_head = true; /* said once */
        return;
    }
    if (reader->has_end) {
        raw_reader_complain(reader, "comes after the line that says that measuring ended");
        return;
    }
    if (strcmp(first, "experiment") == 0) {
        raw_reader_read_samples(reader, line);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].field, first) == 0) {
            kinds[i].read(reader, line);
            return;
        }
    }
    char shown[GRT_JSON_SHOWN_SIZE];
    grt_error_add(reader->fields.errors, NULL, "there is no such line: it begins with %s",
                  grt_text_show(first, shown));
}

/* The line's errors get its number; those of syntax have "1:COLUMN: " in front. */
static void move_errors(const struct raw_reader *reader, struct grt_errors *line, struct grt_errors *errors) {
    for (size_t i = 0; i < line->count && i < GRT_ERRORS_KEPT; i++) {
        const char *text = line->messages[i];
        bool is_syntax = strncmp(text, "1:", 2) == 0;
        grt_error_add(errors, NULL, "line %zu%s%s", reader->line, is_syntax ? ", column " : ": ",
                      is_syntax ? text + 2 : text);
    }
    grt_errors_clear(line);
}

static void read_line(struct raw_reader *reader, const char *text, size_t size, struct grt_errors *errors) {
    struct grt_errors own = {0};
    reader->fields.errors = &own;
    reader->line++;
    cJSON *tree = grt_json_parse(text, size, &own);
    if (tree != NULL && own.count == 0) {
        read_tree(reader, tree);
    }
    cJSON_Delete(tree);
    move_errors(reader, &own, errors);
    reader->fields.errors = errors;
}

static void finish(struct raw_reader *reader) {
    struct grt_raw *raw = reader->raw;
    struct grt_arena *arena = reader->fields.arena;
    struct grt_raw_workload *workloads = grt_arena_array(arena, reader->workload_count, sizeof *workloads);
    struct grt_raw_skipped *skipped = grt_arena_array(arena, reader->skipped_count, sizeof *skipped);
    for (uint32_t i = 0; i < reader->workload_count; i++) {
        workloads[i] = reader->workloads[i];
    }
    for (uint32_t i = 0; i < reader->skipped_count; i++) {
        skipped[i] = reader->skipped[i];
    }
    raw->workloads = workloads;
    raw->workload_count = reader->workload_count;
    raw->skipped = skipped;
    raw->skipped_count = reader->skipped_count;
    raw->cells = grt_raw_join_cells(reader->join, arena, &raw->cell_count);
}

struct grt_raw *grt_raw_read_text(const char *text, size_t size, const char *file, struct grt_arena *arena,
                                  struct grt_errors *errors) {
    size_t before = errors->count, at = 0;
    if (!grt_taken_check(text, size, GRT_TAKEN_RAW, errors)) {
        return NULL;
    }
    struct raw_reader reader = {.fields = {.arena = arena, .folder = "."},
                                .raw = grt_arena_new(arena, struct grt_raw),
                                .join = grt_raw_join_create()};
    char hash[GRT_SHA256_TEXT_SIZE];
    reader.raw->file = grt_arena_text(arena, file);
    reader.raw->size_bytes = size;
    reader.raw->sha256 = grt_arena_text(arena, grt_sha256_text(text, size, hash));
    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        if (end == NULL) {
            reader.raw->cut_off = true;
            break;
        }
        read_line(&reader, text + at, (size_t)(end - text) - at, errors);
        at = (size_t)(end - text) + 1;
        if (!reader.has_head) { /* what else is in it need not be said */
            grt_error_add(errors, NULL, "is no file of raw measurements");
            break;
        }
    }
    if (!reader.has_head && errors->count == before) {
        grt_error_add(errors, NULL, "is no file of raw measurements: it has no whole line");
    }
    finish(&reader);
    grt_raw_join_destroy(reader.join);
    free(reader.workloads);
    free(reader.skipped);
    free(reader.values);
    return errors->count == before ? reader.raw : NULL;
}

struct grt_raw *grt_raw_read(const char *path, struct grt_arena *arena, struct grt_errors *errors) {
    size_t size;
    char *text = grt_text_file_read(path, &size, errors);
    if (text == NULL) {
        return NULL;
    }
    struct grt_raw *raw = grt_raw_read_text(text, size, path, arena, errors);
    free(text);
    return raw;
}
