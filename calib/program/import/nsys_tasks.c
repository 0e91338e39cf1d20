#include "calib/program/import/nsys_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/median.h"
#include "calib/program/import/nsys_groups.h"
#include "calib/program/import/nsys_numbers.h"
#include "calib/program/import/pattern.h"
#include "sim/check.h"

enum { MOST_MARKED = 200000 }; /* operations of a stream in which patterns are sought */

struct maker {
    struct nsys_groups groups;
    struct grt_nsys_tasks *out;
    struct grt_errors *warnings;
    uint32_t task_capacity;
};

/* ---- marks: equal operations have equal ones ---- */

static bool is_equal(const struct grt_nsys_operation *a, const struct grt_nsys_operation *b) {
    return a->kind == b->kind && a->blocks == b->blocks && a->threads == b->threads && a->bytes == b->bytes &&
           a->registers == b->registers && a->shared_bytes == b->shared_bytes && a->pageable == b->pageable &&
           a->synchronous == b->synchronous && grt_nsys_same_name(a->name, b->name);
}

static uint32_t *mark(struct maker *maker, const struct nsys_group *group, size_t count) {
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

static const char *name_task(struct maker *maker, const struct nsys_group *group) {
    char *name = grt_arena_array(&maker->out->arena, 65, 1);
    bool shared = false; /* the range has operations in several streams */
    for (uint32_t i = 0; i < maker->groups.count; i++) {
        shared = shared || (&maker->groups.items[i] != group &&
                            grt_nsys_same_name(maker->groups.items[i].range, group->range));
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

static void add_task(struct maker *maker, const struct nsys_group *group, size_t length, size_t jobs,
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
static grt_time usual_gap(struct maker *maker, const struct nsys_group *group,
                          const struct grt_pattern *pattern, size_t place) {
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
static void turn(struct maker *maker, const struct nsys_group *group, const uint32_t *marks, size_t count,
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

static void add_stream_task(struct maker *maker, const struct nsys_group *group) {
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
static size_t find_passages(const struct nsys_group *group, const uint32_t *marks, struct passage *passages,
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

static void add_range_task(struct maker *maker, struct nsys_group *group) {
    struct grt_arena *arena = &maker->out->arena;
    qsort(group->operations, group->count, sizeof group->operations[0], by_instance);
    for (size_t i = 0; i < group->count; i++) {
        group->instances[i] = grt_nsys_range_of(&maker->groups, group->operations[i]);
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
            arrivals[jobs++] = maker->groups.profile->ranges[group->instances[passages[i].first]].start;
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

bool grt_nsys_tasks_make(const struct grt_nsys *profile, const struct grt_nsys_options *options,
                         struct grt_nsys_tasks *out, struct grt_errors *warnings, struct grt_errors *errors) {
    struct maker maker = {.groups = {.profile = profile, .arena = &out->arena, .warnings = warnings},
                          .out = out,
                          .warnings = warnings};
    *out = (struct grt_nsys_tasks){0};
    grt_nsys_groups_make(&maker.groups, options);
    for (uint32_t i = 0; i < maker.groups.count; i++) {
        if (options->by == GRT_NSYS_BY_RANGE) {
            add_range_task(&maker, &maker.groups.items[i]);
        } else {
            add_stream_task(&maker, &maker.groups.items[i]);
        }
    }
    if (options->by == GRT_NSYS_BY_RANGE) {
        grt_nsys_warn_of_numbers(out, warnings);
    }
    keep_operations(&maker);
    grt_nsys_groups_free(&maker.groups);
    if (out->count == 0) {
        grt_error_add(errors, NULL, "no tasks are left of device %lld%s", (long long)maker.groups.device,
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
