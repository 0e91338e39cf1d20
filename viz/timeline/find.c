#include "viz/timeline/find.h"

#include <stdlib.h>

#include "sim/memory.h"

/* ---- kernels ---- */

static int compare(uint32_t left, uint32_t right) {
    return (left > right) - (left < right);
}

static int by_launch(const struct grt_kernel_key *left, const struct grt_kernel_key *right) {
    int order = compare(left->task, right->task);
    order = order != 0 ? order : compare(left->job, right->job);
    return order != 0 ? order : compare(left->grid, right->grid);
}

static int by_launch_and_end(const void *a, const void *b) {
    const struct grt_kernel_key *left = a, *right = b;
    int order = by_launch(left, right);
    return order != 0 ? order : compare(left->number, right->number);
}

static const struct grt_track *kernels_of(const struct grt_timeline *timeline, uint32_t task) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    return row != NULL ? grt_row_track(row, GRT_PART_KERNEL) : NULL;
}

void grt_timeline_index_kernels(struct grt_timeline *timeline) {
    uint32_t tasks = timeline->first_rows[GRT_ROW_TASK + 1];
    size_t count = 0;
    for (uint32_t task = 0; task < tasks; task++) {
        count += kernels_of(timeline, task)->count;
    }
    timeline->kernel_keys = grt_allocate((count + 1) * sizeof *timeline->kernel_keys);
    timeline->kernel_key_count = 0;
    for (uint32_t task = 0; task < tasks; task++) {
        const struct grt_track *track = kernels_of(timeline, task);
        for (uint32_t i = 0; i < track->count; i++) {
            struct grt_slice kernel = grt_track_at(track, i);
            timeline->kernel_keys[timeline->kernel_key_count++] = (struct grt_kernel_key){
                .job = kernel.job, .number = i, .task = (uint16_t)task, .grid = kernel.grid};
        }
    }
    qsort(timeline->kernel_keys, count, sizeof *timeline->kernel_keys, by_launch_and_end);
}

/* A block belongs to the next kernel of its task, job and grid: docs/trace-format.md. */
uint32_t grt_timeline_kernel_of(const struct grt_timeline *timeline, const struct grt_slice *block) {
    const struct grt_track *track = kernels_of(timeline, block->task);
    if (track == NULL) {
        return GRT_NO_SLICE;
    }
    struct grt_kernel_key key = {.job = block->job, .task = block->task, .grid = block->grid};
    size_t low = 0, high = timeline->kernel_key_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = by_launch(&timeline->kernel_keys[middle], &key);
        if (order < 0 ||
            (order == 0 && grt_track_end(track, timeline->kernel_keys[middle].number) < block->end)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == timeline->kernel_key_count || by_launch(&timeline->kernel_keys[low], &key) != 0) {
        return GRT_NO_SLICE;
    }
    uint32_t number = timeline->kernel_keys[low].number;
    return grt_track_at(track, number).start <= block->start ? number : GRT_NO_SLICE;
}

/* ---- jobs ---- */

struct grt_job_key {
    uint32_t job, number;
};

static int by_job(const void *a, const void *b) {
    const struct grt_job_key *left = a, *right = b;
    int order = compare(left->job, right->job);
    return order != 0 ? order : compare(left->number, right->number);
}

struct grt_job_index grt_job_index_of(const struct grt_track *track) {
    struct grt_job_index index = {NULL};
    uint32_t i = 1;
    while (i < track->count && grt_track_at(track, i - 1).job <= grt_track_at(track, i).job) {
        i++;
    }
    if (i >= track->count) {
        return index;
    }
    index.keys = grt_allocate(track->count * sizeof *index.keys);
    for (i = 0; i < track->count; i++) {
        index.keys[i] = (struct grt_job_key){grt_track_at(track, i).job, i};
    }
    qsort(index.keys, track->count, sizeof *index.keys, by_job);
    return index;
}

static uint32_t job_at(const struct grt_job_index *index, const struct grt_track *track, uint32_t i) {
    return index->keys != NULL ? index->keys[i].job : grt_track_at(track, i).job;
}

uint32_t grt_job_index_find(const struct grt_job_index *index, const struct grt_track *track, uint32_t job) {
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (job_at(index, track, middle) < job) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == track->count || job_at(index, track, low) != job) {
        return GRT_NO_SLICE;
    }
    return index->keys != NULL ? index->keys[low].number : low;
}

void grt_job_index_free(struct grt_job_index *index) {
    free(index->keys);
    index->keys = NULL;
}
