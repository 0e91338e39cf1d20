/* Expectations of what cores execute and of what is on the policy's rows. Both are lanes: slices side by side, each of
 * somebody, from a start to an end. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/expect_trace.h"

/* A slice of the trace on a lane. */
struct slice {
    const struct grt_trace_record *record;
    size_t order; /* of its start, among those of the trace */
    bool named;
};

struct check {
    const struct grt_trace_memory *trace;
    struct grt_errors *errors;
    struct grt_arena arena;
    struct slice *slices; /* by (lane, start, order) */
    size_t count;
    bool rows; /* lanes are the policy's rows, else cores */
};

/* What an expectation says, whether of a core or of a row. */
struct expected {
    struct grt_path path;
    const char *who;   /* as who_text says it */
    const char *label; /* NULL: not checked */
    uint32_t lane;
    grt_time start, end;
};

static int compare(const void *left, const void *right) {
    const struct slice *a = left, *b = right;
    if (a->record->row != b->record->row) {
        return a->record->row < b->record->row ? -1 : 1;
    }
    if (a->record->other != b->record->other) {
        return a->record->other < b->record->other ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_on_lane(const struct check *check, const struct grt_trace_record *record) {
    return check->rows ? record->kind == GRT_TRACE_ROW_SLICE
                       : record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD;
}

static void collect(struct check *check) {
    size_t count = 0;
    for (size_t i = 0; i < check->trace->record_count; i++) {
        count += is_on_lane(check, &check->trace->records[i]);
    }
    check->slices = grt_arena_array(&check->arena, count, sizeof *check->slices);
    for (size_t i = 0; i < check->trace->record_count; i++) {
        if (is_on_lane(check, &check->trace->records[i])) {
            check->slices[check->count] =
                (struct slice){.record = &check->trace->records[i], .order = check->count};
            check->count++;
        }
    }
    qsort(check->slices, check->count, sizeof *check->slices, compare);
}

/* ---- in words ---- */

static const char *name_of(const struct check *check, enum grt_trace_name_kind kind, uint32_t index) {
    const char *name = grt_trace_memory_name(check->trace, kind, index, 0, 0);
    return name != NULL ? name : "";
}

enum { WHO_SIZE = 256 };

/* "a (job 0)", "a (job 0), busy-wait", "server for a (job 0)", "server". */
static const char *who_text(const char *thread, const char *task, int64_t job, int64_t doing,
                            char text[WHO_SIZE]) {
    static const char *const doings[] = {"", ", busy-wait", ", overhead"};
    int length = snprintf(text, WHO_SIZE, "%s%s", thread != NULL ? thread : "",
                          thread != NULL && task != NULL ? " for " : "");
    if (task != NULL) {
        length += snprintf(text + length, WHO_SIZE - (size_t)length, "%s (job %lld)", task, (long long)job);
    } else if (thread == NULL) {
        length += snprintf(text + length, WHO_SIZE - (size_t)length, "nobody");
    }
    snprintf(text + length, WHO_SIZE - (size_t)length, "%s", doings[doing]);
    return text;
}

static const char *who_of(const struct check *check, const struct grt_trace_record *record,
                          char text[WHO_SIZE]) {
    bool spins = (record->flags & GRT_TRACE_SPIN) != 0, overhead = (record->flags & GRT_TRACE_OVERHEAD) != 0;
    int64_t doing = check->rows ? GRT_EXPECT_WORK
                    : spins     ? GRT_EXPECT_BUSY_WAIT
                    : overhead  ? GRT_EXPECT_OVERHEAD
                                : GRT_EXPECT_WORK;
    const char *thread =
        record->kind == GRT_TRACE_THREAD ? name_of(check, GRT_NAME_THREAD, record->detail & 0xffff) : NULL;
    const char *task = record->task != GRT_TRACE_NO_TASK ? name_of(check, GRT_NAME_TASK, record->task) : NULL;
    return who_text(thread, task, record->job, doing, text);
}

static const char *lane_text(const struct check *check, uint32_t lane, char text[96]) {
    if (check->rows) {
        snprintf(text, 96, "row \"%s\"", name_of(check, GRT_NAME_ROW, lane));
    } else {
        snprintf(text, 96, "core %u", lane);
    }
    return text;
}

/* ---- comparing ---- */

static size_t slices_before(const struct check *check, uint32_t lane, grt_time start) {
    const struct grt_trace_record record = {.row = lane, .other = start};
    const struct slice place = {.record = &record};
    size_t low = 0, high = check->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&check->slices[middle], &place) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_as_expected(const struct check *check, const struct slice *slice,
                           const struct expected *expected) {
    char who[WHO_SIZE];
    return grt_expect_is_span(slice->record, expected->start, expected->end) &&
           strcmp(who_of(check, slice->record, who), expected->who) == 0 &&
           (expected->label == NULL ||
            strcmp(name_of(check, GRT_NAME_LABEL, slice->record->detail), expected->label) == 0);
}

/* The slice that is meant: one that starts there and is not named yet; if there are several, which is so only where they take no time, the one that is as
 * expected. */
static struct slice *find(struct check *check, const struct expected *expected) {
    struct slice *found = NULL;
    for (size_t i = slices_before(check, expected->lane, expected->start); i < check->count; i++) {
        struct slice *slice = &check->slices[i];
        if (slice->record->row != expected->lane || slice->record->other != expected->start) {
            break;
        }
        if (!slice->named && (found == NULL || is_as_expected(check, slice, expected))) {
            found = slice;
        }
    }
    return found;
}

static void check_one(struct check *check, const struct expected *expected) {
    char lane[96], who[WHO_SIZE], span[96], start[GRT_TIME_TEXT_SIZE], end[GRT_TIME_TEXT_SIZE];
    struct slice *slice = find(check, expected);
    grt_time_text(expected->start, start);
    grt_time_text(expected->end, end);
    lane_text(check, expected->lane, lane);
    if (slice == NULL) {
        grt_error_add(check->errors, &expected->path, "nothing starts at %s on %s; expected %s to %s", start,
                      lane, expected->who, end);
        return;
    }
    slice->named = true;
    if (!is_as_expected(check, slice, expected)) {
        const char *label = check->rows ? name_of(check, GRT_NAME_LABEL, slice->record->detail) : NULL;
        grt_error_add(check->errors, &expected->path, "on %s there was %s%s%s%s %s; expected %s%s%s%s to %s",
                      lane, who_of(check, slice->record, who), label != NULL ? ", \"" : "",
                      label != NULL ? label : "", label != NULL ? "\"," : "",
                      grt_expect_span_text(slice->record, span), expected->who,
                      expected->label != NULL ? ", \"" : "", expected->label != NULL ? expected->label : "",
                      expected->label != NULL ? "\"," : "", end);
    }
}

/* Every slice of a lane of which one is named must be named; reports the first that is not. */
static void check_named(struct check *check, const struct grt_path *path) {
    for (size_t first = 0, end; first < check->count; first = end) {
        const struct slice *missing = NULL;
        bool named = false;
        uint32_t lane = check->slices[first].record->row;
        for (end = first; end < check->count && check->slices[end].record->row == lane; end++) {
            named = named || check->slices[end].named;
            missing = missing == NULL && !check->slices[end].named ? &check->slices[end] : missing;
        }
        if (named && missing != NULL) {
            char text[96], who[WHO_SIZE], span[96];
            grt_error_add(check->errors, path, "%s is not named on %s, %s",
                          who_of(check, missing->record, who), lane_text(check, lane, text),
                          grt_expect_span_text(missing->record, span));
        }
    }
}

/* ---- both kinds ---- */

static void check_cores(struct check *check, const struct grt_expect *expect, const struct grt_path *path) {
    for (size_t i = 0; i < expect->core_count; i++) {
        const struct grt_expect_core *core = &expect->cores[i];
        char who[WHO_SIZE];
        struct expected expected = {.path = {.parent = path, .index = i},
                                    .who = who_text(core->thread, core->task, core->job, core->doing, who),
                                    .lane = (uint32_t)core->core,
                                    .start = core->start,
                                    .end = core->end};
        check_one(check, &expected);
    }
}

static void check_rows(struct check *check, const struct grt_expect *expect, const struct grt_path *path) {
    size_t count = 0;
    const struct grt_name_entry *names =
        grt_expect_index_names(&check->arena, check->trace, GRT_NAME_ROW, &count);
    for (size_t i = 0; i < expect->row_count; i++) {
        const struct grt_expect_row *row = &expect->rows[i];
        const struct grt_name_entry *found = grt_name_index_find(names, count, row->row);
        char who[WHO_SIZE];
        struct expected expected = {.path = {.parent = path, .index = i},
                                    .who = who_text(NULL, row->task, row->job, GRT_EXPECT_WORK, who),
                                    .label = row->label,
                                    .start = row->start,
                                    .end = row->end};
        if (found == NULL) {
            grt_error_add(check->errors, &expected.path, "the policy has no row \"%s\"", row->row);
            continue;
        }
        expected.lane = found->index;
        check_one(check, &expected);
    }
}

void grt_expect_check_slices(const struct grt_expect *expect, const struct grt_trace_memory *trace,
                             struct grt_errors *errors) {
    struct grt_path root = {0}, path = {.parent = &root, .key = "expect"};
    struct grt_path cores = {.parent = &path, .key = "cores"}, rows = {.parent = &path, .key = "rows"};
    for (int kind = 0; kind < 2; kind++) {
        struct check check = {.trace = trace, .errors = errors, .rows = kind == 1};
        if ((check.rows ? expect->row_count : expect->core_count) == 0) {
            continue;
        }
        collect(&check);
        if (check.rows) {
            check_rows(&check, expect, &rows);
        } else {
            check_cores(&check, expect, &cores);
        }
        check_named(&check, check.rows ? &rows : &cores);
        grt_arena_clear(&check.arena);
    }
}
