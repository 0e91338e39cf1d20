#include "tests/support/export_check.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"
#include "sim/memory.h"
#include "tests/support/perfetto_lint.h"

struct grt_export_options grt_export_all(void) {
    return (struct grt_export_options){.from = 0, .to = GRT_TIME_NEVER};
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "%s is not there\n", path);
        abort();
    }
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = grt_allocate(*size + 1);
    *size = fread(bytes, 1, *size, file);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

char *grt_exported(grt_export_function *write, const struct grt_trace_memory *trace,
                   const struct grt_export_options *options, const char *path, size_t *size) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(path, &errors);
    if (output != NULL) {
        write(trace, options, output);
        grt_output_close(output, &errors);
    }
    grt_errors_print(&errors, stderr, "");
    grt_errors_clear(&errors);
    return read_file(path, size);
}

/* ---- What a trace holds, in whatever order ---- */

/* A sum over slices that is another one where any start, end or number differs. */
struct held {
    uint64_t slices, count, releases, aborts, skips, priorities, categories, shares;
};

static void hold_slice(struct held *held, uint64_t start, uint64_t end) {
    held->slices += grt_hash_add(grt_hash_mix(start), end);
    held->count++;
}

static void hold_share(struct held *held, uint64_t time, uint64_t value) {
    held->shares += grt_hash_add(grt_hash_mix(time), value);
}

static uint64_t share_of(const struct grt_trace_record *record) {
    return record->other < 0 ? 0 : record->other > 100 ? 100 : (uint64_t)record->other;
}

/* The counters of all streams that have one: at 0 what holds then, and whatever follows. */
static void hold_shares(struct held *held, const struct grt_trace_memory *trace) {
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        uint64_t first = 100;
        bool seen = false;
        if (record->kind != GRT_TRACE_SHARE) {
            continue;
        }
        for (size_t j = 0; j < trace->record_count; j++) {
            const struct grt_trace_record *other = &trace->records[j];
            if (other->kind == GRT_TRACE_SHARE && other->row == record->row) {
                seen = seen || j < i;
                first = other->time == 0 ? share_of(other) : first;
            }
        }
        if (!seen) {
            hold_share(held, 0, first);
        }
        if (record->time > 0) {
            hold_share(held, (uint64_t)record->time, share_of(record));
        }
    }
}

static bool is_instant(const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_RELEASE || record->kind == GRT_TRACE_SKIP ||
           record->kind == GRT_TRACE_MISS || record->kind == GRT_TRACE_GPU_REQUEST ||
           record->kind == GRT_TRACE_ROW_MARK || record->kind == GRT_TRACE_LAUNCH_FAILED ||
           record->kind == GRT_TRACE_PRIORITY || record->kind == GRT_TRACE_LOST_ITEMS ||
           record->kind == GRT_TRACE_SHARE;
}

static bool is_open(const struct grt_trace_record *record) {
    return (record->flags & GRT_TRACE_OPEN) != 0 || record->kind == GRT_TRACE_UNFINISHED;
}

static struct held held_by(const struct grt_trace_memory *trace, bool open_ends) {
    struct held held = {0};
    hold_shares(&held, trace);
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        held.releases += record->kind == GRT_TRACE_RELEASE;
        held.aborts += record->kind == GRT_TRACE_ABORT;
        held.skips += record->kind == GRT_TRACE_SKIP;
        held.priorities += record->kind == GRT_TRACE_PRIORITY;
        held.categories +=
            record->kind == GRT_TRACE_THREAD ||
            (record->kind == GRT_TRACE_CPU && (record->flags & (GRT_TRACE_SPIN | GRT_TRACE_OVERHEAD)) != 0);
        if (!is_instant(record)) {
            bool open = open_ends && is_open(record);
            hold_slice(&held, (uint64_t)record->other, open ? UINT64_MAX : (uint64_t)record->time);
        }
    }
    return held;
}

static bool same(const char *format, const struct held *expected, const struct held *got) {
    bool good = expected->count == got->count && expected->slices == got->slices &&
                expected->releases == got->releases && expected->aborts == got->aborts &&
                expected->skips == got->skips && expected->priorities == got->priorities &&
                expected->categories == got->categories && expected->shares == got->shares;
    if (!good) {
        fprintf(stderr,
                "%s: %" PRIu64 " slices instead of %" PRIu64 "%s, releases %" PRIu64 " %" PRIu64
                ", aborts %" PRIu64 " %" PRIu64 ", skips %" PRIu64 " %" PRIu64 ", priorities %" PRIu64
                " %" PRIu64 ", categories %" PRIu64 " %" PRIu64 "%s\n",
                format, got->count, expected->count, got->slices != expected->slices ? " or others" : "",
                got->releases, expected->releases, got->aborts, expected->aborts, got->skips, expected->skips,
                got->priorities, expected->priorities, got->categories, expected->categories,
                expected->shares != got->shares ? ", other shares" : "");
    }
    return good;
}

static void hold_mark(struct held *held, const char *name, size_t size) {
    held->releases += size == 7 && memcmp(name, "release", 7) == 0;
    held->aborts += size == 5 && memcmp(name, "abort", 5) == 0;
    held->skips += size == 4 && memcmp(name, "skip", 4) == 0;
    held->priorities += size == 7 && memcmp(name, "boosted", 7) == 0;
    held->priorities += size == 13 && memcmp(name, "base priority", 13) == 0;
}

/* ---- Perfetto ---- */

static void take_slice(void *state, const struct perfetto_slice *slice) {
    hold_slice(state, slice->start, slice->end);
}

static void take_instant(void *state, const struct perfetto_text *track, const struct perfetto_text *name,
                         uint64_t time) {
    (void)track;
    (void)time;
    hold_mark(state, name->bytes, name->size);
}

static void take_value(void *state, const struct perfetto_text *parent, uint64_t value, uint64_t time) {
    (void)parent;
    hold_share(state, time, value);
}

bool grt_perfetto_holds(const struct grt_trace_memory *trace, const char *path) {
    const struct grt_export_options all = grt_export_all();
    size_t size;
    char *bytes = grt_exported(grt_export_perfetto, trace, &all, path, &size);
    struct held got = {0}, expected = held_by(trace, true);
    struct perfetto_contents contents = {
        .slice = take_slice, .instant = take_instant, .value = take_value, .state = &got};
    const char *fault = grt_perfetto_lint((unsigned char *)bytes, size, &contents);
    free(bytes);
    got.categories = contents.categories;
    if (fault != NULL) {
        fprintf(stderr, "perfetto: rule %s\n", fault);
        return false;
    }
    return same("perfetto", &expected, &got);
}

struct sought {
    const char *name;
    size_t count;
};

static void count_instant(void *state, const struct perfetto_text *track, const struct perfetto_text *name,
                          uint64_t time) {
    struct sought *sought = state;
    (void)track;
    (void)time;
    sought->count += strlen(sought->name) == name->size && memcmp(sought->name, name->bytes, name->size) == 0;
}

size_t grt_perfetto_marks(const struct grt_trace_memory *trace, const char *path, const char *name) {
    const struct grt_export_options all = grt_export_all();
    size_t size;
    char *bytes = grt_exported(grt_export_perfetto, trace, &all, path, &size);
    struct sought sought = {.name = name};
    struct perfetto_contents contents = {.instant = count_instant, .state = &sought};
    const char *fault = grt_perfetto_lint((unsigned char *)bytes, size, &contents);
    free(bytes);
    return fault == NULL ? sought.count : SIZE_MAX;
}

/* ---- Chrome ---- */

static const char *text_in(const cJSON *event, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(event, key));
    return text != NULL ? text : "";
}

/* Times are microseconds with three decimals: a double holds them exactly enough up to 2^52 ns. */
static uint64_t ns_in(const cJSON *event, const char *key) {
    return (uint64_t)llround(cJSON_GetNumberValue(cJSON_GetObjectItem(event, key)) * 1000);
}

static uint64_t number_in(const cJSON *event, const char *key) {
    return (uint64_t)cJSON_GetNumberValue(cJSON_GetObjectItem(event, key));
}

enum { MOST_LANES = 20000, MOST_JOBS = 50000 };

struct chrome {
    struct held held;
    uint64_t latest;
    uint64_t lane_ends[MOST_LANES], lane_starts[MOST_LANES];
    bool lane_named[MOST_LANES], lane_used[MOST_LANES];
    uint8_t flows[MOST_JOBS]; /* 0: none, 1: begun, 2: ended */
};

static const char *take_chrome_flow(struct chrome *chrome, const cJSON *event, char phase) {
    uint64_t id = number_in(event, "id"), lane = number_in(event, "tid");
    if (id == 0 || id >= MOST_JOBS || strcmp(text_in(event, "name"), "job") != 0 ||
        strcmp(text_in(event, "cat"), "job") != 0) {
        return "a flow without number or name";
    }
    if (chrome->flows[id] != (phase == 's' ? 0 : 1)) {
        return "a flow that does not begin once, or goes on behind its end";
    }
    chrome->flows[id] = phase == 'f' ? 2 : 1;
    if (phase == 'f' && strcmp(text_in(event, "bp"), "e") != 0) {
        return "the end of a flow binds to the next slice";
    }
    return ns_in(event, "ts") == chrome->lane_starts[lane] ? NULL : "a flow apart from its slice";
}

static const char *take_chrome_event(struct chrome *chrome, const cJSON *event) {
    char phase = text_in(event, "ph")[0];
    uint64_t lane = number_in(event, "tid"), start = ns_in(event, "ts");
    if (phase == 'M') {
        bool thread = strcmp(text_in(event, "name"), "thread_name") == 0;
        if (thread && (lane >= MOST_LANES || chrome->lane_named[lane])) {
            return "a lane is named twice";
        }
        chrome->lane_named[thread ? lane : 0] = true;
        return NULL;
    }
    if (lane == 0 || lane >= MOST_LANES || !chrome->lane_named[lane] || number_in(event, "pid") == 0) {
        return "an event on no lane";
    }
    if (start < chrome->latest) {
        return "time goes back";
    }
    chrome->latest = start;
    if (phase == 's' || phase == 't' || phase == 'f') {
        return take_chrome_flow(chrome, event, phase);
    }
    if (phase == 'C') {
        const cJSON *share = cJSON_GetObjectItem(cJSON_GetObjectItem(event, "args"), "vprocessors");
        hold_share(&chrome->held, start, (uint64_t)cJSON_GetNumberValue(share));
        return share != NULL && text_in(event, "name")[0] != '\0' ? NULL : "a counter without value or name";
    }
    if (phase == 'i') {
        hold_mark(&chrome->held, text_in(event, "name"), strlen(text_in(event, "name")));
        return strcmp(text_in(event, "s"), "t") == 0 ? NULL : "a mark that is not of its lane";
    }
    if (phase != 'X' || text_in(event, "name")[0] == '\0') {
        return "an event of no known kind, or without a name";
    }
    if (chrome->lane_used[lane] && start < chrome->lane_ends[lane]) {
        return "slices of a lane overlap";
    }
    chrome->held.categories += text_in(event, "cat")[0] != '\0';
    chrome->lane_used[lane] = true;
    chrome->lane_starts[lane] = start;
    chrome->lane_ends[lane] = start + ns_in(event, "dur");
    hold_slice(&chrome->held, start, chrome->lane_ends[lane]);
    return NULL;
}

bool grt_chrome_holds(const struct grt_trace_memory *trace, const char *path) {
    const struct grt_export_options all = grt_export_all();
    struct chrome *chrome = grt_allocate(sizeof *chrome);
    size_t size;
    memset(chrome, 0, sizeof *chrome);
    char *text = grt_exported(grt_export_chrome, trace, &all, path, &size);
    cJSON *root = cJSON_ParseWithLength(text, size);
    const char *fault = root == NULL ? "is no JSON" : NULL;
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItem(root, "traceEvents")) {
        fault = fault == NULL ? take_chrome_event(chrome, event) : fault;
    }
    for (size_t i = 0; i < MOST_JOBS && fault == NULL; i++) {
        fault = chrome->flows[i] == 1 ? "a flow without an end" : NULL;
    }
    struct held expected = held_by(trace, false);
    bool good = fault == NULL && same("chrome", &expected, &chrome->held);
    if (fault != NULL) {
        fprintf(stderr, "chrome: %s\n", fault);
    }
    cJSON_Delete(root);
    free(text);
    free(chrome);
    return good;
}

/* ---- CSV ---- */

enum { COLUMNS = 13, FIELD_SIZE = 1000 };

/* Reads a line of RFC 4180 into its fields; returns what follows, or NULL where it is none. */
static const char *read_line(const char *at, char fields[COLUMNS][FIELD_SIZE]) {
    for (int column = 0; column < COLUMNS; column++) {
        size_t used = 0;
        bool quoted = *at == '"';
        at += quoted;
        while (quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\n') {
            if (*at == '\0' || used == FIELD_SIZE - 1 || (!quoted && *at == '"')) {
                return NULL;
            }
            at += quoted && *at == '"';
            fields[column][used++] = *at++;
        }
        fields[column][used] = '\0';
        at += quoted;
        if (*at++ != (column == COLUMNS - 1 ? '\n' : ',')) {
            return NULL;
        }
    }
    return at;
}

static bool is_number(const char *field, uint64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return strcmp(field, text) == 0;
}

/* A task's name as it is written, where that needs no mending of UTF-8: a unit test holds that. */
static bool is_task(const char *field, const char *name) {
    return name == NULL || (unsigned char)name[0] >= 0x80 || strcmp(field, name) == 0;
}

static bool line_is(char fields[COLUMNS][FIELD_SIZE], const struct grt_trace_memory *trace,
                    const struct grt_trace_record *record) {
    static const char *const kinds[] = {"",         "release",    "finish",        "abort",       "skip",
                                        "miss",     "cpu",        "gpu-request",   "gpu-segment", "kernel",
                                        "block",    "copy",       "unfinished",    "blocked",     "row-slice",
                                        "row-mark", "context",    "launch-failed", "call",        "thread",
                                        "priority", "lost-items", "share"};
    const char *task = grt_trace_memory_name(trace, GRT_NAME_TASK, record->task, 0, 0);
    bool late = strstr(fields[12], "late") != NULL, open = strstr(fields[12], "open") != NULL;
    return strcmp(fields[0], kinds[record->kind]) == 0 && is_task(fields[1], task) &&
           (record->task == GRT_TRACE_NO_TASK ? fields[2][0] == '\0' : is_number(fields[2], record->job)) &&
           is_number(fields[3], (uint64_t)(is_instant(record) ? record->time : record->other)) &&
           is_number(fields[4], (uint64_t)record->time) &&
           (record->kind != GRT_TRACE_BLOCK || is_number(fields[10], record->detail)) &&
           (record->kind != GRT_TRACE_RELEASE || record->other == GRT_TIME_NEVER || record->other < 0 ||
            is_number(fields[11], (uint64_t)record->other)) &&
           late == ((record->flags & GRT_TRACE_LATE) != 0) && open == ((record->flags & GRT_TRACE_OPEN) != 0);
}

bool grt_csv_holds(const struct grt_trace_memory *trace, const char *path) {
    const struct grt_export_options all = grt_export_all();
    char fields[COLUMNS][FIELD_SIZE];
    size_t size, lines = 0;
    char *text = grt_exported(grt_export_csv, trace, &all, path, &size);
    const char *at = read_line(text, fields);
    bool good = at != NULL && strcmp(fields[0], "kind") == 0 && strcmp(fields[12], "flags") == 0;
    for (; good && *at != '\0'; lines++) {
        at = lines < trace->record_count ? read_line(at, fields) : NULL;
        good = at != NULL && line_is(fields, trace, &trace->records[lines]);
    }
    good = good && lines == trace->record_count;
    if (!good) {
        fprintf(stderr, "csv: line %zu is not record %zu of %zu\n", lines + 1, lines, trace->record_count);
    }
    free(text);
    return good;
}
