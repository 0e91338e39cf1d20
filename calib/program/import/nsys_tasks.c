#include "calib/program/import/nsys_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/median.h"
#include "calib/program/import/nsys_numbers.h"
#include "calib/program/import/pattern.h"
#include "sim/check.h"

enum { MOST_MARKED = 200000 }; /* operations of a stream in which patterns are sought */

/* Operations that belong together: of a stream, or of a range in a stream. */
struct group {
    struct grt_nsys_stream stream;
    const char *range; /* NULL: all of the stream */
    const struct grt_nsys_operation **operations;
    size_t *instances; /* ranges: which of the profile's ranges each operation is of */
    uint32_t count, capacity, instance_capacity;
};

struct maker {
    const struct grt_nsys *profile;
    struct grt_nsys_tasks *out;
    struct grt_errors *warnings;
    struct group *groups;
    uint32_t group_count, group_capacity, task_capacity;
    int64_t device;
    size_t *outermost, outermost_count; /* of the profile's ranges, by thread and start */
    const char **range_names;           /* of each of the profile's ranges, as tasks are to be told apart */
};

/* By thread, and within one as in the profile. */
struct sorted_range {
    int64_t thread;
    size_t number;
};

static int by_thread(const void *left, const void *right) {
    const struct sorted_range *a = left, *b = right;
    int order = (a->thread > b->thread) - (a->thread < b->thread);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static bool same_stream(const struct grt_nsys_stream *a, const struct grt_nsys_stream *b) {
    return a->process == b->process && a->device == b->device && a->context == b->context &&
           a->stream == b->stream;
}

static bool same_name(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* ---- groups ---- */

static struct group *group_of(struct maker *maker, const struct grt_nsys_stream *stream, const char *range) {
    for (uint32_t i = 0; i < maker->group_count; i++) {
        struct group *group = &maker->groups[i];
        if (same_stream(&group->stream, stream) && same_name(group->range, range)) {
            return group;
        }
    }
    maker->groups = grt_array_grow(maker->groups, &maker->group_capacity, maker->group_count + 1,
                                   sizeof maker->groups[0]);
    struct group *group = &maker->groups[maker->group_count++];
    *group = (struct group){.stream = *stream, .range = range};
    return group;
}

static void add(struct group *group, const struct grt_nsys_operation *operation, size_t instance) {
    group->operations =
        grt_array_grow(group->operations, &group->capacity, group->count + 1, sizeof group->operations[0]);
    group->instances = grt_array_grow(group->instances, &group->instance_capacity, group->count + 1,
                                      sizeof group->instances[0]);
    group->operations[group->count] = operation;
    group->instances[group->count++] = instance;
}

static const struct grt_nsys_range *range_at(const struct maker *maker, size_t place) {
    return &maker->profile->ranges[maker->outermost[place]];
}

/* Those that are in no other one of their thread, one thread after the other. */
static void find_outermost(struct maker *maker) {
    const struct grt_nsys *profile = maker->profile;
    struct sorted_range *sorted = grt_arena_array(&maker->out->arena, profile->range_count, sizeof sorted[0]);
    maker->outermost = grt_arena_array(&maker->out->arena, profile->range_count, sizeof maker->outermost[0]);
    for (size_t i = 0; i < profile->range_count; i++) {
        sorted[i] = (struct sorted_range){profile->ranges[i].thread, i};
    }
    if (profile->range_count > 0) {
        qsort(sorted, profile->range_count, sizeof sorted[0], by_thread);
    }
    for (size_t i = 0; i < profile->range_count; i++) {
        const struct grt_nsys_range *range = &profile->ranges[sorted[i].number];
        const struct grt_nsys_range *last =
            maker->outermost_count > 0 ? range_at(maker, maker->outermost_count - 1) : NULL;
        if (last == NULL || last->thread != range->thread || range->start >= last->end) {
            maker->outermost[maker->outermost_count++] = sorted[i].number;
        }
    }
}

/* The outermost range in which an operation was called; SIZE_MAX: in none. */
static size_t range_of(const struct maker *maker, const struct grt_nsys_operation *operation) {
    size_t low = 0, high = operation->called ? maker->outermost_count : 0;
    while (low < high) { /* the last that starts no later */
        size_t middle = low + (high - low) / 2;
        const struct grt_nsys_range *range = range_at(maker, middle);
        bool before = range->thread < operation->call_thread ||
                      (range->thread == operation->call_thread && range->start <= operation->call_start);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    const struct grt_nsys_range *range = low > 0 ? range_at(maker, low - 1) : NULL;
    bool inside =
        range != NULL && range->thread == operation->call_thread && operation->call_start <= range->end;
    return inside && operation->called ? maker->outermost[low - 1] : SIZE_MAX;
}

/* Sums of what is left out, by name. */
static void warn_of_others(struct maker *maker, const char *name) {
    size_t count = 0;
    grt_time time = 0;
    char text[GRT_TIME_TEXT_SIZE];
    for (size_t i = 0; i < maker->profile->operation_count; i++) {
        const struct grt_nsys_operation *operation = &maker->profile->operations[i];
        if (operation->kind == GRT_NSYS_OTHER && strcmp(operation->name, name) == 0 &&
            operation->stream.device == maker->device) {
            count++;
            time += operation->end - operation->start;
        }
    }
    if (count > 0) {
        grt_error_add(maker->warnings, NULL, "left out: %s, %zu times, %s in all", name, count,
                      grt_time_text(time, text));
    }
}

static int64_t first_device(const struct grt_nsys *profile) {
    int64_t first = -1;
    for (size_t i = 0; i < profile->operation_count; i++) {
        int64_t device = profile->operations[i].stream.device;
        bool counts = profile->operations[i].kind == GRT_NSYS_KERNEL && (first < 0 || device < first);
        first = counts ? device : first;
    }
    return first < 0 ? profile->operations[0].stream.device : first;
}

static void name_ranges(struct maker *maker, bool cut_numbers) {
    const struct grt_nsys *profile = maker->profile;
    maker->range_names = grt_arena_array(&maker->out->arena, profile->range_count, sizeof(const char *));
    for (size_t i = 0; i < profile->range_count; i++) {
        const char *name = profile->ranges[i].name;
        maker->range_names[i] = cut_numbers ? grt_nsys_cut_number(name, &maker->out->arena) : name;
    }
}

static void make_groups(struct maker *maker, enum grt_nsys_by by) {
    size_t elsewhere = 0, outside = 0;
    for (size_t i = 0; i < maker->profile->operation_count; i++) {
        const struct grt_nsys_operation *operation = &maker->profile->operations[i];
        if (operation->stream.device != maker->device) {
            elsewhere++;
        } else if (operation->kind == GRT_NSYS_KERNEL ||
                   (operation->kind != GRT_NSYS_OTHER && operation->bytes > 0)) {
            size_t range = by == GRT_NSYS_BY_RANGE ? range_of(maker, operation) : 0;
            if (range == SIZE_MAX) {
                outside++;
                continue;
            }
            const char *name = by == GRT_NSYS_BY_RANGE ? maker->range_names[range] : NULL;
            add(group_of(maker, &operation->stream, name), operation, range);
        }
    }
    if (elsewhere > 0) {
        grt_error_add(maker->warnings, NULL, "left out: %zu operations of other devices than number %lld",
                      elsewhere, (long long)maker->device);
    }
    if (outside > 0) {
        grt_error_add(maker->warnings, NULL, "left out: %zu operations that were called in no range",
                      outside);
    }
    warn_of_others(maker, "memset");
    warn_of_others(maker, "copies that stay on devices");
}

/* ---- marks: equal operations have equal ones ---- */

static bool is_equal(const struct grt_nsys_operation *a, const struct grt_nsys_operation *b) {
    return a->kind == b->kind && a->blocks == b->blocks && a->threads == b->threads && a->bytes == b->bytes &&
           a->registers == b->registers && a->shared_bytes == b->shared_bytes && a->pageable == b->pageable &&
           a->synchronous == b->synchronous && same_name(a->name, b->name);
}

static uint32_t *mark(struct maker *maker, const struct group *group, size_t count) {
    uint32_t *marks = grt_arena_array(&maker->out->arena, count, sizeof marks[0]);
    size_t *kinds = grt_arena_array(&maker->out->arena, count, sizeof kinds[0]), kind_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = 0;
        while (kind < kind_count && !is_equal(group->operations[kinds[kind]], group->operations[i])) {
            kind++;
        }
        if (kind == kind_count) {
            kinds[kind_count++] = i;
        }
        marks[i] = kind;
    }
    return marks;
}

/* ---- tasks ---- */

static const char *name_task(struct maker *maker, const struct group *group) {
    char *name = grt_arena_array(&maker->out->arena, 65, 1);
    bool shared = false; /* the range has operations in several streams */
    for (uint32_t i = 0; i < maker->group_count; i++) {
        shared = shared || (&maker->groups[i] != group && same_name(maker->groups[i].range, group->range));
    }
    if (group->range == NULL) {
        snprintf(name, 65, "stream %lld", (long long)group->stream.stream);
    } else if (shared) {
        snprintf(name, 65, "%.44s in %lld", group->range, (long long)group->stream.stream);
    } else {
        snprintf(name, 65, "%.64s", group->range);
    }
    for (char *at = name; *at != '\0'; at++) {
        *at = (unsigned char)*at < 0x20 || (unsigned char)*at > 0x7e ? '_' : *at;
    }
    for (size_t i = 0; i < maker->out->count; i++) { /* other processes and contexts have the same numbers */
        if (strcmp(maker->out->items[i].name, name) == 0) {
            size_t used = strlen(name) < 58 ? strlen(name) : 58;
            snprintf(name + used, 65 - used, "-%zu", maker->out->count);
            break;
        }
    }
    return name;
}

static void add_task(struct maker *maker, const struct group *group, size_t length, size_t jobs,
                     const struct grt_nsys_operation **operations, const grt_time *arrivals) {
    struct grt_nsys_tasks *out = maker->out;
    struct grt_nsys_task task = {.name = name_task(maker, group),
                                 .stream = group->stream,
                                 .length = length,
                                 .job_count = jobs,
                                 .operations = operations,
                                 .arrivals = arrivals,
                                 .left_out = group->count - length * jobs};
    if (task.left_out > 0) {
        grt_error_add(maker->warnings, NULL,
                      "%s: %zu of %u operations are in no job: others than usual, or cut off", task.name,
                      task.left_out, group->count);
    }
    out->items =
        grt_array_grow(out->items, &maker->task_capacity, (uint32_t)out->count + 1, sizeof out->items[0]);
    out->items[out->count++] = task;
}

static grt_time arrival_of(const struct grt_nsys_operation *operation) {
    return operation->called ? operation->call_start : operation->start;
}

/* How long the stream has been idle, as a rule, before the operation at `place` of the pattern. */
static grt_time usual_gap(struct maker *maker, const struct group *group, const struct grt_pattern *pattern,
                          size_t place) {
    grt_time *gaps = grt_arena_array(&maker->out->arena, pattern->count, sizeof gaps[0]);
    size_t count = 0;
    for (size_t i = 0; i < pattern->count; i++) {
        size_t at = pattern->first + i * pattern->length + place;
        if (at > 0) {
            gaps[count++] = group->operations[at]->start - group->operations[at - 1]->end;
        }
    }
    return grt_median_time(gaps, count);
}

/* A job begins behind the longest gap. */
static void turn(struct maker *maker, const struct group *group, const uint32_t *marks, size_t count,
                 struct grt_pattern *pattern) {
    size_t best = 0;
    grt_time longest = usual_gap(maker, group, pattern, 0);
    for (size_t place = 1; place < pattern->length; place++) {
        grt_time gap = usual_gap(maker, group, pattern, place);
        best = gap > longest ? place : best;
        longest = gap > longest ? gap : longest;
    }
    size_t end = pattern->first + pattern->length;
    while (end < count && marks[end] == marks[end - pattern->length]) {
        end++;
    }
    GRT_ASSERT(pattern->length > 0, "a pattern has one operation at least");
    pattern->first += best;
    pattern->count = (end - pattern->first) / pattern->length;
}

static void add_stream_task(struct maker *maker, const struct group *group) {
    size_t count = group->count < MOST_MARKED ? group->count : MOST_MARKED;
    struct grt_pattern pattern;
    const uint32_t *marks = mark(maker, group, count);
    if (!grt_pattern_find(marks, count, GRT_NSYS_MOST_COMMANDS, &pattern)) {
        if (count > GRT_NSYS_MOST_COMMANDS) {
            grt_error_add(maker->warnings, NULL,
                          "left out: stream %lld, in whose %zu operations nothing repeats: mark its jobs by "
                          "ranges of NVTX",
                          (long long)group->stream.stream, count);
            return;
        }
        grt_error_add(maker->warnings, NULL, "stream %lld: nothing repeats: it is one job",
                      (long long)group->stream.stream);
        pattern = (struct grt_pattern){0, count, 1};
    } else {
        turn(maker, group, marks, count, &pattern);
    }
    grt_time *arrivals = grt_arena_array(&maker->out->arena, pattern.count, sizeof arrivals[0]);
    for (size_t i = 0; i < pattern.count; i++) {
        arrivals[i] = arrival_of(group->operations[pattern.first + i * pattern.length]);
    }
    add_task(maker, group, pattern.length, pattern.count, group->operations + pattern.first, arrivals);
}

/* One time that a range was passed through: some of the group's operations. */
struct passage {
    size_t first, count, like; /* `like`: passages that are as this one */
};

static bool is_alike(const uint32_t *marks, const struct passage *a, const struct passage *b) {
    return a->count == b->count &&
           memcmp(marks + a->first, marks + b->first, a->count * sizeof marks[0]) == 0;
}

/* Which passages there are; those that are alike are counted. Returns the most usual one. */
static size_t find_passages(const struct group *group, const uint32_t *marks, struct passage *passages,
                            size_t *count) {
    size_t usual = 0;
    *count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (i == 0 || group->instances[i] != group->instances[i - 1]) {
            passages[(*count)++] = (struct passage){.first = i};
        }
        passages[*count - 1].count++;
    }
    for (size_t i = 0; i < *count; i++) {
        size_t first = 0;
        while (!is_alike(marks, &passages[first], &passages[i])) {
            first++;
        }
        passages[first].like++;
        usual = passages[first].like > passages[usual].like ? first : usual;
    }
    return usual;
}

/* Operations of one passage stand together: ranges of a thread that are outermost do not overlap, but streams execute late. */
static int by_instance(const void *left, const void *right) {
    const struct grt_nsys_operation *const *a = left, *const *b = right;
    grt_time first = arrival_of(*a), second = arrival_of(*b);
    int order = (first > second) - (first < second);
    return order != 0 ? order : ((*a)->start > (*b)->start) - ((*a)->start < (*b)->start);
}

static void add_range_task(struct maker *maker, struct group *group) {
    struct grt_arena *arena = &maker->out->arena;
    qsort(group->operations, group->count, sizeof group->operations[0], by_instance);
    for (size_t i = 0; i < group->count; i++) {
        group->instances[i] = range_of(maker, group->operations[i]);
    }
    uint32_t *marks = mark(maker, group, group->count);
    struct passage *passages = grt_arena_array(arena, group->count, sizeof passages[0]);
    size_t count = 0, usual = find_passages(group, marks, passages, &count), jobs = 0;
    size_t length = passages[usual].count;
    if (length > GRT_NSYS_MOST_COMMANDS) {
        grt_error_add(maker->warnings, NULL,
                      "left out: range %.64s, which has %zu operations: at most %d can be", group->range,
                      length, GRT_NSYS_MOST_COMMANDS);
        return;
    }
    const struct grt_nsys_operation **operations =
        grt_arena_array(arena, length * passages[usual].like, sizeof operations[0]);
    grt_time *arrivals = grt_arena_array(arena, passages[usual].like, sizeof arrivals[0]);
    for (size_t i = 0; i < count; i++) {
        if (is_alike(marks, &passages[i], &passages[usual])) {
            memcpy(operations + jobs * length, group->operations + passages[i].first,
                   length * sizeof operations[0]);
            arrivals[jobs++] = maker->profile->ranges[group->instances[passages[i].first]].start;
        }
    }
    add_task(maker, group, length, jobs, operations, arrivals);
}

/* Operations of tasks by stream stay in their groups. */
static void keep_operations(struct maker *maker) {
    struct grt_nsys_tasks *out = maker->out;
    for (size_t i = 0; i < out->count; i++) {
        struct grt_nsys_task *task = &out->items[i];
        size_t count = task->length * task->job_count;
        const struct grt_nsys_operation **own = grt_arena_array(&out->arena, count, sizeof own[0]);
        memcpy(own, task->operations, count * sizeof own[0]);
        task->operations = own;
        out->start = i == 0 || task->arrivals[0] < out->start ? task->arrivals[0] : out->start;
        for (size_t j = 0; j < count; j++) {
            out->end = own[j]->end > out->end ? own[j]->end : out->end;
        }
    }
}

static void free_groups(struct maker *maker) {
    for (uint32_t i = 0; i < maker->group_count; i++) {
        free(maker->groups[i].operations);
        free(maker->groups[i].instances);
    }
    free(maker->groups);
}

bool grt_nsys_tasks_make(const struct grt_nsys *profile, const struct grt_nsys_options *options,
                         struct grt_nsys_tasks *out, struct grt_errors *warnings, struct grt_errors *errors) {
    struct maker maker = {.profile = profile, .out = out, .warnings = warnings};
    *out = (struct grt_nsys_tasks){0};
    maker.device = options->device >= 0 ? options->device : first_device(profile);
    find_outermost(&maker);
    name_ranges(&maker, options->cut_numbers);
    make_groups(&maker, options->by);
    for (uint32_t i = 0; i < maker.group_count; i++) {
        if (options->by == GRT_NSYS_BY_RANGE) {
            add_range_task(&maker, &maker.groups[i]);
        } else {
            add_stream_task(&maker, &maker.groups[i]);
        }
    }
    if (options->by == GRT_NSYS_BY_RANGE) {
        grt_nsys_warn_of_numbers(out, warnings);
    }
    keep_operations(&maker);
    free_groups(&maker);
    if (out->count == 0) {
        grt_error_add(errors, NULL, "no tasks are left of device %lld%s", (long long)maker.device,
                      options->by == GRT_NSYS_BY_RANGE && profile->range_count == 0
                          ? ": there are no ranges of NVTX (profile with --trace=cuda,nvtx)"
                          : "");
        grt_nsys_tasks_free(out);
        return false;
    }
    return true;
}

void grt_nsys_tasks_free(struct grt_nsys_tasks *tasks) {
    free(tasks->items);
    grt_arena_clear(&tasks->arena);
    *tasks = (struct grt_nsys_tasks){0};
}
