/* Memory: an arena for what lives as long as a run, and growable arrays. Running out of memory ends the program, here and
 * nowhere else. */
#ifndef GRT_SIM_MEMORY_H
#define GRT_SIM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* malloc and realloc that never return NULL: without memory they print a sentence, remove unfinished output files and
 * exit with 1. */
void *grt_allocate(size_t size);
void *grt_reallocate(void *memory, size_t size);

/* Chunks of memory that arenas leave for those after them: what follows many short lives, of worlds say, does not ask the system
 * for each. Start it as {0}; for arenas of one thread. */
struct grt_arena_store {
    struct grt_arena_chunk *chunks;
    size_t count;
};

/* Frees the chunks. The store is empty and may be used again. */
void grt_arena_store_free(struct grt_arena_store *store);

/* An arena: allocations that are all freed together. Start it as {0}, or with a store, which has to outlive it. */
struct grt_arena {
    struct grt_arena_chunk *chunks;
    size_t used, size;             /* bytes in the newest chunk */
    struct grt_arena_store *store; /* takes and gives chunks of the usual size; NULL: none */
};

/* Zeroed memory for `count` elements of `size` bytes, aligned for any type; valid until the arena is cleared. */
void *grt_arena_array(struct grt_arena *arena, size_t count, size_t size);

/* One zeroed object of the given type. */
#define grt_arena_new(arena, type) ((type *)grt_arena_array((arena), 1, sizeof(type)))

/* A copy of a string in the arena. */
char *grt_arena_text(struct grt_arena *arena, const char *text);

/* Frees everything. The arena is empty and may be used again. */
void grt_arena_clear(struct grt_arena *arena);

/* The first capacity of every growable buffer: `wanted`, or 1 in test builds, so that growth is exercised. */
#ifdef GRT_TEST_SMALL_BUFFERS
#define GRT_FIRST_CAPACITY(wanted) ((void)(wanted), 1u)
#else
#define GRT_FIRST_CAPACITY(wanted) ((uint32_t)(wanted))
#endif

/* Grows an array to at least `needed` elements by doubling: returns the new memory and stores the new capacity.
 * The new part is zeroed. `memory` may be NULL with *capacity 0. */
void *grt_array_grow(void *memory, uint32_t *capacity, uint32_t needed, size_t element_size);

#endif
