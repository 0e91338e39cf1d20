#include "calib/program/import/nsys_groups.h"

#include <stdlib.h>
#include <string.h>

#include "calib/program/import/nsys_numbers.h"

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

bool grt_nsys_same_name(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static struct nsys_group *group_of(struct nsys_groups *groups, const struct grt_nsys_stream *stream,
                                   const char *range) {
    for (uint32_t i = 0; i < groups->count; i++) {
        struct nsys_group *group = &groups->items[i];
        if (same_stream(&group->stream, stream) && grt_nsys_same_name(group->range, range)) {
            return group;
        }
    }
    groups->items =
        grt_array_grow(groups->items, &groups->capacity, groups->count + 1, sizeof groups->items[0]);
    struct nsys_group *group = &groups->items[groups->count++];
    *group = (struct nsys_group){.stream = *stream, .range = range};
    return group;
}

static void add(struct nsys_group *group, const struct grt_nsys_operation *operation, size_t instance) {
    group->operations =
        grt_array_grow(group->operations, &group->capacity, group->count + 1, sizeof group->operations[0]);
    group->instances = grt_array_grow(group->instances, &group->instance_capacity, group->count + 1,
                                      sizeof group->instances[0]);
    group->operations[group->count] = operation;
    group->instances[group->count++] = instance;
}

static const struct grt_nsys_range *range_at(const struct nsys_groups *groups, size_t place) {
    return &groups->profile->ranges[groups->outermost[place]];
}

/* Those that are in no other one of their thread, one thread after the other. */
static void find_outermost(struct nsys_groups *groups) {
    const struct grt_nsys *profile = groups->profile;
    struct sorted_range *sorted = grt_arena_array(groups->arena, profile->range_count, sizeof sorted[0]);
    groups->outermost = grt_arena_array(groups->arena, profile->range_count, sizeof groups->outermost[0]);
    for (size_t i = 0; i < profile->range_count; i++) {
        sorted[i] = (struct sorted_range){profile->ranges[i].thread, i};
    }
    if (profile->range_count > 0) {
        qsort(sorted, profile->range_count, sizeof sorted[0], by_thread);
    }
    for (size_t i = 0; i < profile->range_count; i++) {
        const struct grt_nsys_range *range = &profile->ranges[sorted[i].number];
        const struct grt_nsys_range *last =
            groups->outermost_count > 0 ? range_at(groups, groups->outermost_count - 1) : NULL;
        if (last == NULL || last->thread != range->thread || range->start >= last->end) {
            groups->outermost[groups->outermost_count++] = sorted[i].number;
        }
    }
}

size_t grt_nsys_range_of(const struct nsys_groups *groups, const struct grt_nsys_operation *operation) {
    size_t low = 0, high = operation->called ? groups->outermost_count : 0;
    while (low < high) { /* the last that starts no later */
        size_t middle = low + (high - low) / 2;
        const struct grt_nsys_range *range = range_at(groups, middle);
        bool before = range->thread < operation->call_thread ||
                      (range->thread == operation->call_thread && range->start <= operation->call_start);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    const struct grt_nsys_range *range = low > 0 ? range_at(groups, low - 1) : NULL;
    bool inside =
        range != NULL && range->thread == operation->call_thread && operation->call_start <= range->end;
    return inside && operation->called ? groups->outermost[low - 1] : SIZE_MAX;
}

/* Sums of what is left out, by name. */
static void warn_of_others(struct nsys_groups *groups, const char *name) {
    size_t count = 0;
    grt_time time = 0;
    char text[GRT_TIME_TEXT_SIZE];
    for (size_t i = 0; i < groups->profile->operation_count; i++) {
        const struct grt_nsys_operation *operation = &groups->profile->operations[i];
        if (operation->kind == GRT_NSYS_OTHER && strcmp(operation->name, name) == 0 &&
            operation->stream.device == groups->device) {
            count++;
            time += operation->end - operation->start;
        }
    }
    if (count > 0) {
        grt_error_add(groups->warnings, NULL, "left out: %s, %zu times, %s in all", name, count,
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

static void name_ranges(struct nsys_groups *groups, bool cut_numbers) {
    const struct grt_nsys *profile = groups->profile;
    groups->range_names = grt_arena_array(groups->arena, profile->range_count, sizeof(const char *));
    for (size_t i = 0; i < profile->range_count; i++) {
        const char *name = profile->ranges[i].name;
        groups->range_names[i] = cut_numbers ? grt_nsys_cut_number(name, groups->arena) : name;
    }
}

static void make_groups(struct nsys_groups *groups, enum grt_nsys_by by) {
    size_t elsewhere = 0, outside = 0;
    for (size_t i = 0; i < groups->profile->operation_count; i++) {
        const struct grt_nsys_operation *operation = &groups->profile->operations[i];
        if (operation->stream.device != groups->device) {
            elsewhere++;
        } else if (operation->kind == GRT_NSYS_KERNEL ||
                   (operation->kind != GRT_NSYS_OTHER && operation->bytes > 0)) {
            size_t range = by == GRT_NSYS_BY_RANGE ? grt_nsys_range_of(groups, operation) : 0;
            if (range == SIZE_MAX) {
                outside++;
                continue;
            }
            const char *name = by == GRT_NSYS_BY_RANGE ? groups->range_names[range] : NULL;
            add(group_of(groups, &operation->stream, name), operation, range);
        }
    }
    if (elsewhere > 0) {
        grt_error_add(groups->warnings, NULL, "left out: %zu operations of other devices than number %lld",
                      elsewhere, (long long)groups->device);
    }
    if (outside > 0) {
        grt_error_add(groups->warnings, NULL, "left out: %zu operations that were called in no range",
                      outside);
    }
    warn_of_others(groups, "memset");
    warn_of_others(groups, "copies that stay on devices");
}

void grt_nsys_groups_free(struct nsys_groups *groups) {
    for (uint32_t i = 0; i < groups->count; i++) {
        free(groups->items[i].operations);
        free(groups->items[i].instances);
    }
    free(groups->items);
}

void grt_nsys_groups_make(struct nsys_groups *groups, const struct grt_nsys_options *options) {
    groups->device = options->device >= 0 ? options->device : first_device(groups->profile);
    find_outermost(groups);
    name_ranges(groups, options->cut_numbers);
    make_groups(groups, options->by);
}
