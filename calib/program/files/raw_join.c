#include "calib/program/files/raw_join.h"

#include <stdlib.h>
#include <string.h>

#include "sim/hash.h"

enum { FIRST_CELLS = 64, FIRST_VALUES = 64, FIRST_SLOTS = 256 };

/* A cell in the making: its values grow, a column behind the other one in each row, and behind them the number of the batch. */
struct joined {
    struct grt_raw_cell cell;
    int64_t *rows;
    uint32_t used, capacity, batches;
};

struct grt_raw_join {
    struct joined *cells;
    uint32_t count, capacity;
    uint32_t *slots; /* open addressing: number of a cell + 1; 0: free */
    uint32_t slot_count;
};

struct grt_raw_join *grt_raw_join_create(void) {
    struct grt_raw_join *join = grt_allocate(sizeof *join);
    *join = (struct grt_raw_join){0};
    return join;
}

void grt_raw_join_destroy(struct grt_raw_join *join) {
    for (uint32_t i = 0; i < join->count; i++) {
        free(join->cells[i].rows);
    }
    free(join->cells);
    free(join->slots);
    free(join);
}

/* ---- finding ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
    }
    return hash;
}

static uint64_t hash_keys(const char *experiment, const struct grt_raw_key *keys, size_t count) {
    uint64_t hash = hash_text(UINT64_C(0xcbf29ce484222325), experiment);
    for (size_t i = 0; i < count; i++) {
        hash = keys[i].text != NULL ? hash_text(hash, keys[i].text)
                                    : grt_hash_mix(hash ^ (uint64_t)keys[i].number);
    }
    return grt_hash_mix(hash);
}

static bool is_of(const struct grt_raw_cell *cell, const struct grt_raw_batch *batch) {
    bool same = strcmp(cell->experiment, batch->experiment) == 0 && cell->key_count == batch->key_count;
    for (size_t i = 0; i < batch->key_count && same; i++) {
        const struct grt_raw_key *key = &cell->keys[i], *other = &batch->keys[i];
        same = strcmp(key->name, other->name) == 0 && (key->text == NULL) == (other->text == NULL) &&
               (key->text == NULL ? key->number == other->number : strcmp(key->text, other->text) == 0);
    }
    return same;
}

static void grow_slots(struct grt_raw_join *join) {
    join->slot_count = join->slot_count == 0 ? FIRST_SLOTS : 2 * join->slot_count;
    free(join->slots);
    join->slots = grt_allocate(join->slot_count * sizeof *join->slots);
    memset(join->slots, 0, join->slot_count * sizeof *join->slots);
    for (uint32_t i = 0; i < join->count; i++) {
        const struct grt_raw_cell *cell = &join->cells[i].cell;
        uint64_t at = hash_keys(cell->experiment, cell->keys, cell->key_count);
        while (join->slots[at % join->slot_count] != 0) {
            at++;
        }
        join->slots[at % join->slot_count] = i + 1;
    }
}

static struct joined *find_or_make(struct grt_raw_join *join, const struct grt_raw_batch *batch,
                                   struct grt_arena *arena) {
    if (2 * join->count >= join->slot_count) {
        grow_slots(join);
    }
    uint64_t at = hash_keys(batch->experiment, batch->keys, batch->key_count);
    for (; join->slots[at % join->slot_count] != 0; at++) {
        struct joined *found = &join->cells[join->slots[at % join->slot_count] - 1];
        if (is_of(&found->cell, batch)) {
            return found;
        }
    }
    uint32_t needed = join->count + 1, first = GRT_FIRST_CAPACITY(FIRST_CELLS);
    join->cells =
        grt_array_grow(join->cells, &join->capacity, needed > first ? needed : first, sizeof *join->cells);
    struct joined *made = &join->cells[join->count++];
    join->slots[at % join->slot_count] = join->count;
    *made = (struct joined){.cell = {.experiment = grt_arena_text(arena, batch->experiment),
                                     .key_count = batch->key_count,
                                     .column_count = batch->column_count}};
    for (size_t i = 0; i < batch->key_count; i++) {
        const struct grt_raw_key *key = &batch->keys[i];
        made->cell.keys[i] =
            (struct grt_raw_key){.name = grt_arena_text(arena, key->name),
                                 .text = key->text != NULL ? grt_arena_text(arena, key->text) : NULL,
                                 .number = key->number};
    }
    for (size_t i = 0; i < batch->column_count; i++) {
        made->cell.columns[i].name = grt_arena_text(arena, batch->columns[i].name);
    }
    return made;
}

/* ---- joining ---- */

bool grt_raw_join_add(struct grt_raw_join *join, const struct grt_raw_batch *batch, struct grt_arena *arena) {
    struct joined *joined = find_or_make(join, batch, arena);
    struct grt_raw_cell *cell = &joined->cell;
    if (cell->column_count != batch->column_count) {
        return false;
    }
    uint32_t more = (uint32_t)(batch->count * (batch->column_count + 1)),
             first = GRT_FIRST_CAPACITY(FIRST_VALUES);
    uint32_t needed = joined->used + more;
    joined->rows = grt_array_grow(joined->rows, &joined->capacity, needed > first ? needed : first,
                                  sizeof *joined->rows);
    for (size_t i = 0; i < batch->count; i++) {
        for (size_t j = 0; j < batch->column_count; j++) {
            joined->rows[joined->used++] = batch->columns[j].values[i];
        }
        joined->rows[joined->used++] = joined->batches;
    }
    joined->batches++;
    cell->count += batch->count;
    cell->dropped += batch->dropped;
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        cell->dropped_for[i] += batch->dropped_for[i];
    }
    if (batch->has_cpu) {
        bool known = cell->cpu_batches++ > 0;
        cell->cpu_low = known && cell->cpu_low < batch->cpu ? cell->cpu_low : batch->cpu;
        cell->cpu_high = known && cell->cpu_high > batch->cpu ? cell->cpu_high : batch->cpu;
    }
    if (batch->sm_mhz > 0) {
        bool known = cell->sm_mhz_high > 0;
        cell->sm_mhz_low = known && cell->sm_mhz_low < batch->sm_mhz ? cell->sm_mhz_low : batch->sm_mhz;
        cell->sm_mhz_high = cell->sm_mhz_high > batch->sm_mhz ? cell->sm_mhz_high : batch->sm_mhz;
    }
    return true;
}

static const int64_t *values_of(const struct joined *joined, size_t column, struct grt_arena *arena) {
    size_t count = joined->cell.count;
    int64_t *values = grt_arena_array(arena, count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = joined->rows[i * (joined->cell.column_count + 1) + column];
    }
    return values;
}

const struct grt_raw_cell *grt_raw_join_cells(struct grt_raw_join *join, struct grt_arena *arena,
                                              size_t *count) {
    struct grt_raw_cell *cells = grt_arena_array(arena, join->count, sizeof *cells);
    for (uint32_t i = 0; i < join->count; i++) {
        const struct joined *joined = &join->cells[i];
        cells[i] = joined->cell;
        for (size_t j = 0; j < cells[i].column_count; j++) {
            cells[i].columns[j].values = values_of(joined, j, arena);
        }
        cells[i].visits = values_of(joined, cells[i].column_count, arena);
    }
    *count = join->count;
    return cells;
}
