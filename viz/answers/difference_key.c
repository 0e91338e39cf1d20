#include "viz/answers/difference_key.h"

#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"
#include "sim/memory.h"

/* Tasks and labels that no name has are the same if their numbers are. */
enum { UNNAMED = 0x40000000 };

/* ---- what a slice is ---- */

static uint32_t task_of(const struct grt_difference_scope *scope, int side, uint32_t task) {
    const struct grt_timeline *timeline = scope->timelines[side];
    return task < timeline->first_rows[GRT_ROW_TASK + 1] ? scope->pairs[side][task] : UNNAMED + task;
}

static uint32_t label_of(const struct grt_difference_scope *scope, int side, uint32_t label) {
    return label < scope->timelines[side]->label_count ? scope->labels[side][label]
                                                       : UNNAMED | (label & (UNNAMED - 1));
}

static uint32_t thread_of(const struct grt_difference_scope *scope, int side, uint32_t thread) {
    return thread < scope->timelines[side]->thread_count ? scope->threads[side][thread] : UNNAMED | thread;
}

static uint32_t thread_overhead(const struct grt_difference_scope *scope, int side,
                                const struct grt_slice *slice) {
    bool of_thread = (slice->flags & GRT_OVERHEAD_OF_THREAD) != 0;
    return of_thread ? 1 + thread_of(scope, side, grt_trace_thread_of(slice->detail)) : 0;
}

static void set_priority(struct grt_difference_key *key, const struct grt_timeline *timeline,
                         uint32_t number) {
    uint64_t priority = number < timeline->priority_count ? (uint64_t)timeline->priorities[number] : 0;
    key->detail = (uint32_t)priority;
    key->place = (uint32_t)(priority >> 32);
}

/* Between the ends of two blocks of the same kernel no other kernel of the same task, job and grid ended. */
static uint32_t kernel_place(const struct grt_timeline *timeline, struct grt_kernel_cache *cache,
                             const struct grt_slice *block) {
    uint64_t hash = grt_hash_mix(((uint64_t)block->task << 48 | (uint64_t)block->grid << 32 | block->job));
    struct grt_known_kernel *kernel = &cache->kernels[hash % GRT_KERNEL_CACHE];
    bool same = kernel->known && kernel->task == block->task && kernel->job == block->job &&
                kernel->grid == block->grid && block->end >= kernel->first && block->end <= kernel->end;
    if (!same || block->start < kernel->start) {
        uint32_t number = grt_timeline_kernel_of(timeline, block);
        if (number == GRT_NO_SLICE) {
            return UINT32_MAX;
        }
        const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, block->task);
        struct grt_slice slice = grt_track_at(grt_row_track(task, GRT_PART_KERNEL), number);
        *kernel = (struct grt_known_kernel){.first = block->end,
                                            .end = slice.end,
                                            .start = slice.start,
                                            .job = block->job,
                                            .place = slice.detail,
                                            .task = block->task,
                                            .grid = block->grid,
                                            .known = true};
    }
    return kernel->place;
}

struct grt_difference_key grt_difference_key_of(const struct grt_difference_scope *scope, int side,
                                                struct grt_kernel_cache *kernels, enum grt_track_part part,
                                                const struct grt_slice *slice, uint32_t *ending) {
    struct grt_difference_key key = {.task = task_of(scope, side, slice->task),
                                     .job = slice->job,
                                     .detail = slice->detail,
                                     .tag = (uint32_t)part};
    *ending = slice->flags & (scope->deadlines ? UINT32_MAX : ~(uint32_t)GRT_TRACE_LATE);
    switch (part) {
    case GRT_PART_JOB: /* the kind of its end */
        *ending |= slice->detail << 5;
        key.detail = 0;
        break;
    case GRT_PART_MISS: /* its number among all misses */
        key.detail = 0;
        break;
    case GRT_PART_BLOCKED:
        key.detail = task_of(scope, side, slice->detail);
        break;
    case GRT_PART_OWN:
    case GRT_PART_OWN_MARK:
        key.detail = label_of(scope, side, slice->detail);
        break;
    case GRT_PART_THREAD:
        key.detail = label_of(scope, side, grt_trace_label_of(slice->detail));
        key.place = thread_of(scope, side, grt_trace_thread_of(slice->detail));
        break;
    case GRT_PART_OVERHEAD: /* of a thread: its number, whatever it is to do */
        key.place = thread_overhead(scope, side, slice);
        key.detail = key.place != 0 ? 0 : slice->detail;
        break;
    case GRT_PART_BOOSTED:
        set_priority(&key, scope->timelines[side], slice->detail);
        break;
    case GRT_PART_BLOCK:
        key.place = kernel_place(scope->timelines[side], kernels, slice);
        break;
    default:
        break;
    }
    return key;
}

/* ---- the table ---- */

void grt_difference_table_free(struct grt_difference_table *table) {
    free(table->entries);
    free(table->buckets);
    *table = (struct grt_difference_table){0};
}

static uint32_t *bucket_of(const struct grt_difference_table *table, const struct grt_difference_key *key) {
    uint64_t hash = grt_hash_mix((uint64_t)key->task << 32 | key->job);
    hash = grt_hash_mix(hash ^ ((uint64_t)key->detail << 32 | key->place));
    hash = grt_hash_mix(hash + key->tag);
    return &table->buckets[hash & (table->bucket_count - 1)];
}

static void link_entry(struct grt_difference_table *table, uint32_t entry) {
    uint32_t *bucket = bucket_of(table, &table->entries[entry].key);
    table->entries[entry].next = *bucket;
    *bucket = entry;
}

static void grow(struct grt_difference_table *table) {
    uint32_t old_count = table->bucket_count, *old = table->buckets;
    table->bucket_count = old_count > 0 ? 2 * old_count : 64;
    table->buckets = grt_allocate(table->bucket_count * sizeof *table->buckets);
    for (uint32_t i = 0; i < table->bucket_count; i++) {
        table->buckets[i] = GRT_NO_ENTRY;
    }
    for (uint32_t i = 0; i < old_count; i++) {
        for (uint32_t entry = old[i], next; entry != GRT_NO_ENTRY; entry = next) {
            next = table->entries[entry].next;
            link_entry(table, entry);
        }
    }
    free(old);
}

static uint32_t new_entry(struct grt_difference_table *table) {
    if (table->used < table->entry_count) { /* some are free */
        uint32_t entry = table->free;
        table->free = table->entries[entry].next;
        return entry;
    }
    table->entries = grt_array_grow(table->entries, &table->entry_capacity, table->entry_count + 1,
                                    sizeof *table->entries);
    return table->entry_count++;
}

uint32_t grt_difference_table_get(struct grt_difference_table *table, const struct grt_difference_key *key) {
    if (table->used == table->bucket_count) {
        grow(table);
    }
    uint32_t entry = *bucket_of(table, key);
    while (entry != GRT_NO_ENTRY && memcmp(&table->entries[entry].key, key, sizeof *key) != 0) {
        entry = table->entries[entry].next;
    }
    if (entry == GRT_NO_ENTRY) {
        entry = new_entry(table);
        table->used++;
        table->entries[entry] = (struct grt_difference_entry){.key = *key};
        link_entry(table, entry);
    }
    return entry;
}

void grt_difference_table_drop(struct grt_difference_table *table, uint32_t entry) {
    uint32_t *link = bucket_of(table, &table->entries[entry].key);
    while (*link != entry) {
        link = &table->entries[*link].next;
    }
    *link = table->entries[entry].next;
    table->entries[entry].next = table->free;
    table->free = entry;
    table->used--;
}
