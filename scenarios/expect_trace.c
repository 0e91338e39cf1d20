#include "scenarios/expect_trace.h"

#include <stdlib.h>
#include <string.h>

#define NO_SLICE SIZE_MAX

/* A kernel or a copy that a job ran. */
struct slice {
    const struct grt_trace_record *record;
};

/* A thread block and the launch that it belongs to, an index of `kernels`. */
struct block {
    const struct grt_trace_record *record;
    size_t launch;
    bool named;
};

/* Slices are sorted by (task, job, start), blocks by (launch, index in the grid), names by name. */
struct check {
    const struct grt_result *result;
    const struct grt_trace_memory *trace;
    struct grt_errors *errors;
    struct grt_arena arena;
    struct slice *kernels, *copies;
    size_t kernel_count, copy_count;
    struct block *blocks;
    size_t block_count;
    struct grt_name_entry *task_names, *kernel_names; /* the index of both is the task's */
    size_t task_name_count, kernel_name_count;
};

/* What an expectation speaks of; a record with the start that is sought. */
static struct grt_trace_record sought(uint32_t task, int64_t job, grt_time start) {
    return (struct grt_trace_record){.task = (uint16_t)task, .job = (uint32_t)job, .other = start};
}

static int compare_records(const struct grt_trace_record *a, const struct grt_trace_record *b) {
    if (a->task != b->task) {
        return a->task < b->task ? -1 : 1;
    }
    if (a->job != b->job) {
        return a->job < b->job ? -1 : 1;
    }
    return a->other < b->other ? -1 : a->other > b->other;
}

static int compare_slices(const void *left, const void *right) {
    const struct slice *a = left, *b = right;
    int order = compare_records(a->record, b->record);
    uint32_t grid_a = grt_trace_grid(a->record->row), grid_b = grt_trace_grid(b->record->row);
    order = order != 0 ? order : grid_a < grid_b ? -1 : grid_a > grid_b;
    return order != 0 ? order : a->record < b->record ? -1 : a->record > b->record;
}

static int compare_blocks(const void *left, const void *right) {
    const struct block *a = left, *b = right;
    if (a->launch != b->launch) {
        return a->launch < b->launch ? -1 : 1;
    }
    if (a->record->detail != b->record->detail) {
        return a->record->detail < b->record->detail ? -1 : 1;
    }
    return a->record->other < b->record->other ? -1 : a->record->other > b->record->other;
}

/* The number of slices that start before or, with `same`, at the sought place. */
static size_t slices_before(const struct slice *slices, size_t count, const struct grt_trace_record *place,
                            bool same) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_records(slices[middle].record, place) < (same ? 1 : 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool same_job(const struct grt_trace_record *a, const struct grt_trace_record *b) {
    return a->task == b->task && a->job == b->job;
}

/* A job runs its launches of one grid number one after the other: a block belongs to the last one that has started by
 * then. */
static size_t launch_of(const struct check *check, const struct grt_trace_record *block) {
    size_t place = slices_before(check->kernels, check->kernel_count, block, true);
    for (; place > 0 && same_job(check->kernels[place - 1].record, block); place--) {
        if (grt_trace_grid(check->kernels[place - 1].record->row) == grt_trace_grid(block->row)) {
            return place - 1;
        }
    }
    return NO_SLICE;
}

static void collect_slices(struct check *check) {
    for (size_t i = 0; i < check->trace->record_count; i++) {
        const struct grt_trace_record *record = &check->trace->records[i];
        if (record->kind == GRT_TRACE_KERNEL) {
            check->kernels[check->kernel_count++].record = record;
        } else if (record->kind == GRT_TRACE_COPY) {
            check->copies[check->copy_count++].record = record;
        }
    }
    qsort(check->kernels, check->kernel_count, sizeof *check->kernels, compare_slices);
    qsort(check->copies, check->copy_count, sizeof *check->copies, compare_slices);
}

static void collect_blocks(struct check *check) {
    for (size_t i = 0; i < check->trace->record_count; i++) {
        const struct grt_trace_record *record = &check->trace->records[i];
        bool whole = record->kind == GRT_TRACE_BLOCK && !(record->flags & GRT_TRACE_PREEMPTED);
        size_t launch = whole ? launch_of(check, record) : NO_SLICE; /* else it was thrown away */
        if (launch != NO_SLICE) {
            check->blocks[check->block_count++] = (struct block){.record = record, .launch = launch};
        }
    }
    qsort(check->blocks, check->block_count, sizeof *check->blocks, compare_blocks);
}

static size_t count_records(const struct grt_trace_memory *trace, enum grt_trace_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < trace->record_count; i++) {
        count += trace->records[i].kind == kind;
    }
    return count;
}

struct grt_name_entry *grt_expect_index_names(struct grt_arena *arena, const struct grt_trace_memory *trace,
                                              enum grt_trace_name_kind kind, size_t *count) {
    struct grt_name_entry *entries = grt_arena_array(arena, trace->name_count, sizeof *entries);
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        if (name->kind == kind) {
            entries[(*count)++] = (struct grt_name_entry){name->text, name->index};
        }
    }
    grt_name_index_sort(entries, *count);
    return entries;
}

static void collect(struct check *check) {
    size_t kernels = count_records(check->trace, GRT_TRACE_KERNEL);
    size_t blocks = count_records(check->trace, GRT_TRACE_BLOCK),
           copies = count_records(check->trace, GRT_TRACE_COPY);
    check->kernels = grt_arena_array(&check->arena, kernels, sizeof *check->kernels);
    check->copies = grt_arena_array(&check->arena, copies, sizeof *check->copies);
    check->blocks = grt_arena_array(&check->arena, blocks, sizeof *check->blocks);
    check->task_names =
        grt_expect_index_names(&check->arena, check->trace, GRT_NAME_TASK, &check->task_name_count);
    check->kernel_names =
        grt_expect_index_names(&check->arena, check->trace, GRT_NAME_KERNEL, &check->kernel_name_count);
    collect_slices(check);
    collect_blocks(check);
}

/* The task that an expectation means; adds an error and returns NULL if there is none. */
static const struct grt_name_entry *find_task(struct check *check, const char *task, const char *kernel,
                                              const struct grt_path *path) {
    const struct grt_name_entry *found =
        task != NULL ? grt_name_index_find(check->task_names, check->task_name_count, task)
                     : grt_name_index_find(check->kernel_names, check->kernel_name_count, kernel);
    if (found == NULL) {
        grt_error_add(check->errors, path, "there is no %s \"%s\"", task != NULL ? "task" : "kernel",
                      task != NULL ? task : kernel);
    }
    return found;
}

static const char *name_of_launch(const struct check *check, const struct slice *slice) {
    uint32_t place = slice->record->detail;
    return grt_trace_memory_name(check->trace, GRT_NAME_KERNEL, slice->record->task, grt_trace_segment(place),
                                 grt_trace_command(place));
}

static bool is_launch_of(const struct check *check, const struct slice *slice, const char *kernel) {
    const char *name = name_of_launch(check, slice);
    return name != NULL && strcmp(name, kernel) == 0;
}

/* The launch that the expectation means: of several, the one of that number, or the one that is going on then, or else the
 * first. */
static size_t find_launch(struct check *check, const struct grt_expect_blocks *expect, uint32_t task) {
    struct grt_trace_record place = sought(task, expect->job, 0);
    size_t best = NO_SLICE, i = slices_before(check->kernels, check->kernel_count, &place, false);
    int64_t number = 0;
    for (; i < check->kernel_count && same_job(check->kernels[i].record, &place); i++) {
        const struct grt_trace_record *record = check->kernels[i].record;
        bool going_on = expect->start >= record->other && expect->end <= record->time;
        if (expect->launch >= 0
                ? is_launch_of(check, &check->kernels[i], expect->kernel) && number++ == expect->launch
                : (best == NO_SLICE || going_on) && is_launch_of(check, &check->kernels[i], expect->kernel)) {
            best = i;
            if (going_on || expect->launch >= 0) {
                break;
            }
        }
    }
    return best;
}

/* The SM's number on its GPU: those of all GPUs are counted through. */
static uint32_t local_sm(const struct check *check, uint32_t row) {
    row = grt_trace_row(row);
    for (size_t gpu = 0; gpu < check->result->gpu_count && row >= check->result->gpus[gpu].sm_count; gpu++) {
        row -= check->result->gpus[gpu].sm_count;
    }
    return row;
}

/* "from 0s to 5us", and whether it is still open. */
const char *grt_expect_span_text(const struct grt_trace_record *record, char text[96]) {
    char start[GRT_TIME_TEXT_SIZE], end[GRT_TIME_TEXT_SIZE];
    bool open = (record->flags & GRT_TRACE_OPEN) != 0;
    snprintf(text, 96, "from %s %s%s", grt_time_text(record->other, start),
             open ? "on without an end" : "to ", open ? "" : grt_time_text(record->time, end));
    return text;
}

bool grt_expect_is_span(const struct grt_trace_record *record, grt_time start, grt_time end) {
    return record->other == start && record->time == end && (record->flags & GRT_TRACE_OPEN) == 0;
}

static void add_span(struct check *check, const struct grt_path *path, const char *what,
                     const struct grt_trace_record *record, grt_time start, grt_time end) {
    char span[96], from[GRT_TIME_TEXT_SIZE], to[GRT_TIME_TEXT_SIZE];
    grt_error_add(check->errors, path, "%s ran %s; expected from %s to %s", what,
                  grt_expect_span_text(record, span), grt_time_text(start, from), grt_time_text(end, to));
}

/* False after adding an error for the first difference. */
static bool check_block(struct check *check, const struct grt_expect_blocks *expect,
                        const struct block *block, const struct grt_path *path) {
    const struct grt_trace_record *record = block->record;
    int64_t sm = local_sm(check, record->row), offset = (int64_t)record->detail - expect->first;
    char what[64];
    snprintf(what, sizeof what, "block %u", record->detail);
    if (!grt_expect_is_span(record, expect->start, expect->end)) {
        add_span(check, path, what, record, expect->start, expect->end);
        return false;
    }
    if (expect->sms.count > 0) {
        int64_t wanted = expect->sms.items[expect->sms.count > 1 ? offset : 0];
        if (sm != wanted) {
            grt_error_add(check->errors, path, "%s ran on SM %lld; expected SM %lld", what, (long long)sm,
                          (long long)wanted);
            return false;
        }
    }
    return true;
}

static size_t blocks_before(const struct check *check, size_t launch, int64_t index) {
    const struct grt_trace_record record = {.detail = (uint32_t)index};
    const struct block place = {.record = &record, .launch = launch};
    size_t low = 0, high = check->block_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_blocks(&check->blocks[middle], &place) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Block `number` of a launch, *at being its place; of the items of work of one of a pinned kernel (W8) the one that starts at an instant,
 * or else the first that was not named. NULL: it did not run. Moves on to the next block. */
static struct block *take_block(struct check *check, size_t launch, int64_t number, grt_time start,
                                size_t *at) {
    struct block *found = NULL;
    for (; *at < check->block_count; ++*at) {
        struct block *block = &check->blocks[*at];
        if (block->launch != launch || block->record->detail != number) {
            break;
        }
        bool better = found == NULL || (found->record->other != start && found->named && !block->named);
        found = better || block->record->other == start ? block : found;
    }
    return found;
}

/* Marks the blocks as named and reports the first that differs or is not there. */
static void check_blocks(struct check *check, const struct grt_expect_blocks *expect,
                         const struct grt_path *path) {
    const struct grt_name_entry *task = find_task(check, expect->task, expect->kernel, path);
    size_t launch = task != NULL ? find_launch(check, expect, task->index) : NO_SLICE;
    if (launch == NO_SLICE) {
        if (task != NULL) {
            grt_error_add(check->errors, path, "job %lld did not run the kernel \"%s\"",
                          (long long)expect->job, expect->kernel);
        }
        return;
    }
    bool good = true;
    size_t at = blocks_before(check, launch, expect->first);
    for (int64_t number = expect->first; number <= expect->last; number++) {
        struct block *block = take_block(check, launch, number, expect->start, &at);
        if (block != NULL) {
            good = good && check_block(check, expect, block, path);
            block->named = true;
        } else if (good) {
            grt_error_add(check->errors, path, "block %lld did not run", (long long)number);
            good = false;
        } else if (at == check->block_count || check->blocks[at].launch != launch) {
            break;
        }
    }
}

/* Every block of a launch of which one is named must be named; reports the first that is not. */
static void check_named(struct check *check, const struct grt_path *path) {
    for (size_t first = 0, end; first < check->block_count; first = end) {
        const struct block *missing = NULL;
        bool named = false;
        for (end = first;
             end < check->block_count && check->blocks[end].launch == check->blocks[first].launch; end++) {
            named = named || check->blocks[end].named;
            missing = missing == NULL && !check->blocks[end].named ? &check->blocks[end] : missing;
        }
        if (named && missing != NULL) {
            const struct slice *launch = &check->kernels[missing->launch];
            const char *kernel = name_of_launch(check, launch);
            char span[96];
            grt_error_add(check->errors, path,
                          "block %u of kernel \"%s\" (job %u) is not named; it ran %s on SM %u",
                          missing->record->detail, kernel != NULL ? kernel : "", missing->record->job,
                          grt_expect_span_text(missing->record, span), local_sm(check, missing->record->row));
        }
    }
}

static bool is_meant(const struct grt_trace_record *record, const struct grt_expect_copy *expect) {
    int64_t direction = (record->flags & GRT_TRACE_D2H) != 0;
    return direction == expect->direction &&
           (expect->command < 0 || grt_trace_command(record->detail) == expect->command);
}

static void check_copy(struct check *check, const struct grt_expect_copy *expect,
                       const struct grt_path *path) {
    const struct grt_name_entry *task = find_task(check, expect->task, "", path);
    if (task == NULL) {
        return;
    }
    struct grt_trace_record place = sought(task->index, expect->job, 0);
    const struct grt_trace_record *best = NULL;
    size_t count = 0, i = slices_before(check->copies, check->copy_count, &place, false);
    for (; i < check->copy_count && same_job(check->copies[i].record, &place); i++) {
        const struct grt_trace_record *record = check->copies[i].record;
        if (is_meant(record, expect)) {
            bool better = best == NULL || record->other == expect->start;
            best = better ? record : best;
            count++;
        }
    }
    if (count == 0) {
        grt_error_add(check->errors, path, "job %lld made no such copy", (long long)expect->job);
    } else if (count > 1 && expect->command < 0) {
        grt_error_add(check->errors, path,
                      "job %lld made %zu copies in that direction: say which with \"command\"",
                      (long long)expect->job, count);
    } else if (!grt_expect_is_span(best, expect->start, expect->end)) {
        add_span(check, path, "the copy", best, expect->start, expect->end);
    }
}

void grt_expect_check_trace(const struct grt_expect *expect, const struct grt_result *result,
                            const struct grt_trace_memory *trace, struct grt_errors *errors) {
    struct check check = {.result = result, .trace = trace, .errors = errors};
    struct grt_path root = {0}, path = {.parent = &root, .key = "expect"};
    struct grt_path blocks = {.parent = &path, .key = "blocks"}, copies = {.parent = &path, .key = "copies"};
    if (trace->cut) {
        grt_error_add(errors, &path, "the trace was cut short, so what happened when cannot be checked");
        return;
    }
    collect(&check);
    for (size_t i = 0; i < expect->block_count; i++) {
        struct grt_path place = {.parent = &blocks, .index = i};
        check_blocks(&check, &expect->blocks[i], &place);
    }
    check_named(&check, &blocks);
    for (size_t i = 0; i < expect->copy_count; i++) {
        struct grt_path place = {.parent = &copies, .index = i};
        check_copy(&check, &expect->copies[i], &place);
    }
    grt_arena_clear(&check.arena);
    grt_expect_check_slices(expect, trace, errors);
}
