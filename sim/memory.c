#include "sim/memory.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/output.h"
#include "sim/program_name.h"
#include "sim/running.h"

struct grt_arena_chunk {
    struct grt_arena_chunk *next;
    size_t size; /* of `bytes` */
    alignas(max_align_t) char bytes[];
};

enum { CHUNK_SIZE = 64 * 1024, MOST_KEPT = 256 };

static _Noreturn void out_of_memory(size_t size) {
    fprintf(stderr, "%s: out of memory (%zu bytes asked for)\n", grt_program_name(), size);
    grt_output_remove_unfinished();
    grt_running_end(NULL); /* it has been said: nobody else ended the program */
    exit(EXIT_FAILURE);
}

void *grt_allocate(size_t size) {
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL) {
        out_of_memory(size);
    }
    return memory;
}

void *grt_reallocate(void *memory, size_t size) {
    void *moved = realloc(memory, size > 0 ? size : 1);
    if (moved == NULL) {
        out_of_memory(size);
    }
    return moved;
}

static struct grt_arena_chunk *new_chunk(struct grt_arena_store *store, size_t size) {
    struct grt_arena_chunk *chunk = store != NULL && size == CHUNK_SIZE ? store->chunks : NULL;
    if (chunk != NULL) {
        store->chunks = chunk->next;
        store->count--;
        return chunk;
    }
    chunk = grt_allocate(sizeof *chunk + size);
    chunk->size = size;
    return chunk;
}

static void give_chunk(struct grt_arena_store *store, struct grt_arena_chunk *chunk) {
    if (store == NULL || chunk->size != CHUNK_SIZE || store->count == MOST_KEPT) {
        free(chunk);
        return;
    }
    chunk->next = store->chunks;
    store->chunks = chunk;
    store->count++;
}

void grt_arena_store_free(struct grt_arena_store *store) {
    while (store->chunks != NULL) {
        struct grt_arena_chunk *next = store->chunks->next;
        free(store->chunks);
        store->chunks = next;
    }
    store->count = 0;
}

static void add_chunk(struct grt_arena *arena, size_t size) {
    struct grt_arena_chunk *chunk = new_chunk(arena->store, size);
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
    arena->size = size;
}

void *grt_arena_array(struct grt_arena *arena, size_t count, size_t size) {
    GRT_REQUIRE(size == 0 || count <= (SIZE_MAX / 2) / size,
                "ask an arena for less than half the address space");
    size_t bytes = (count * size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (arena->chunks == NULL || arena->size - arena->used < bytes) {
        add_chunk(arena, bytes > CHUNK_SIZE ? bytes : CHUNK_SIZE);
    }
    void *memory = arena->chunks->bytes + arena->used;
    arena->used += bytes;
    return memset(memory, 0, bytes);
}

char *grt_arena_text(struct grt_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(grt_arena_array(arena, size, 1), text, size);
}

void grt_arena_clear(struct grt_arena *arena) {
    while (arena->chunks != NULL) {
        struct grt_arena_chunk *next = arena->chunks->next;
        give_chunk(arena->store, arena->chunks);
        arena->chunks = next;
    }
    arena->used = arena->size = 0;
}

void *grt_array_grow(void *memory, uint32_t *capacity, uint32_t needed, size_t element_size) {
    uint32_t grown = *capacity > 0 ? *capacity : 1;
    while (grown < needed) {
        GRT_REQUIRE(grown <= UINT32_MAX / 2, "keep growable arrays below 2^31 elements");
        grown *= 2;
    }
    if (grown == *capacity) {
        return memory;
    }
    char *moved = grt_reallocate(memory, (size_t)grown * element_size);
    memset(moved + (size_t)*capacity * element_size, 0, (size_t)(grown - *capacity) * element_size);
    *capacity = grown;
    return moved;
}
