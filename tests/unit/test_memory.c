/* The arena and growable arrays: alignment, zeroed memory, nothing overlaps, contents survive growth. */
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/random.h"
#include "tests/support/suite.h"

static bool all_bytes_are(const void *memory, size_t size, unsigned char value) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

static bool is_aligned(const void *memory) {
    return (uintptr_t)memory % alignof(max_align_t) == 0;
}

static void allocates(void) {
    unsigned char *bytes = grt_allocate(100);
    memset(bytes, 7, 100);
    bytes = grt_reallocate(bytes, 100000);
    CU_ASSERT(all_bytes_are(bytes, 100, 7));
    bytes = grt_reallocate(bytes, 10);
    CU_ASSERT(all_bytes_are(bytes, 10, 7));
    free(bytes);
}

static void allocates_nothing(void) {
    void *nothing = grt_allocate(0);
    CU_ASSERT_PTR_NOT_NULL(nothing);
    nothing = grt_reallocate(nothing, 0);
    CU_ASSERT_PTR_NOT_NULL(nothing);
    void *something = grt_reallocate(NULL, 8);
    CU_ASSERT_PTR_NOT_NULL(something);
    free(something);
    free(nothing);
}

enum { PIECES = 2000 };

struct piece {
    unsigned char *bytes;
    size_t size;
};

/* Random pieces, some of them larger than a chunk: aligned and zeroed; then each is filled with its own value. */
static void fill_with_pieces(struct grt_arena *arena, struct piece pieces[PIECES],
                             struct grt_random *random) {
    unsigned unaligned = 0, dirty = 0;
    for (unsigned i = 0; i < PIECES; i++) {
        size_t size = 1 + grt_random_below(random, 24),
               count = grt_random_below(random, i % 100 == 0 ? 9000 : 30);
        pieces[i] = (struct piece){grt_arena_array(arena, count, size), count * size};
        unaligned += !is_aligned(pieces[i].bytes);
        dirty += !all_bytes_are(pieces[i].bytes, pieces[i].size, 0);
        memset(pieces[i].bytes, (int)(1 + i % 255), pieces[i].size);
    }
    CU_ASSERT_EQUAL(unaligned, 0);
    CU_ASSERT_EQUAL(dirty, 0);
}

static void an_arena_gives_zeroed_pieces_of_its_own(void) {
    static struct piece pieces[PIECES];
    struct grt_arena arena = {0};
    struct grt_random random = grt_random_stream(1, "test memory", 0, 0);
    for (int round = 0; round < 3; round++) {
        fill_with_pieces(&arena, pieces, &random);
        unsigned overwritten = 0;
        for (unsigned i = 0; i < PIECES; i++) {
            overwritten += !all_bytes_are(pieces[i].bytes, pieces[i].size, (unsigned char)(1 + i % 255));
        }
        CU_ASSERT_EQUAL(overwritten, 0);
        grt_arena_clear(&arena); /* and the next round starts on memory that is full of old values */
    }
    grt_arena_clear(&arena);
}

static void an_arena_gives_large_pieces(void) {
    static const size_t sizes[] = {65535, 65536, 65537, 1 << 20, 10, 3000000};
    struct grt_arena arena = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned char *bytes = grt_arena_array(&arena, sizes[i], 1);
        CU_ASSERT(is_aligned(bytes));
        CU_ASSERT(all_bytes_are(bytes, sizes[i], 0));
        memset(bytes, 0xa5, sizes[i]);
    }
    grt_arena_clear(&arena);
}

struct odd {
    char letter;
    long double number;
    void *pointer;
};

static void an_arena_gives_objects_and_texts(void) {
    struct grt_arena arena = {0};
    struct odd *odd = grt_arena_new(&arena, struct odd);
    CU_ASSERT(odd->letter == 0 && odd->number == 0 && odd->pointer == NULL);
    odd->number = 1;
    char source[] = "detect";
    char *copy = grt_arena_text(&arena, source), *empty = grt_arena_text(&arena, "");
    source[0] = 'x';
    CU_ASSERT_STRING_EQUAL(copy, "detect");
    CU_ASSERT_STRING_EQUAL(empty, "");
    CU_ASSERT(odd->number == 1);
    CU_ASSERT_PTR_NOT_NULL(grt_arena_array(&arena, 0, 8));
    grt_arena_clear(&arena);
    CU_ASSERT_PTR_NULL(arena.chunks);
    grt_arena_clear(&arena);
    CU_ASSERT_STRING_EQUAL(grt_arena_text(&arena, "again"), "again");
    grt_arena_clear(&arena);
}

/* Grows an array element by element, as its users do, and checks after each growth. */
static void arrays_grow_zeroed(void) {
    uint32_t capacity = 0, count = 0, growths = 0, bad = 0;
    uint64_t *values = NULL;
    while (count < 20000) {
        uint32_t old = capacity;
        values = grt_array_grow(values, &capacity, count + 1, sizeof *values);
        if (capacity != old) {
            growths++;
            bad += capacity < count + 1;
            bad += !all_bytes_are(values + old, (capacity - old) * sizeof *values, 0);
        }
        values[count] = UINT64_C(0xffffffff00000000) | count;
        count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        bad += values[i] != (UINT64_C(0xffffffff00000000) | i);
    }
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT(growths <= 16); /* 1, 2, 4, ... 32768: by doubling */
    free(values);
}

static void arrays_grow_to_what_is_needed(void) {
    uint32_t capacity = 0;
    char *bytes = grt_array_grow(NULL, &capacity, 1000, 3);
    CU_ASSERT(capacity >= 1000 && capacity < 2000);
    CU_ASSERT(all_bytes_are(bytes, 3 * (size_t)capacity, 0));
    uint32_t before = capacity;
    CU_ASSERT_PTR_EQUAL(grt_array_grow(bytes, &capacity, before, 3), bytes);
    CU_ASSERT_PTR_EQUAL(grt_array_grow(bytes, &capacity, 1, 3), bytes);
    CU_ASSERT_EQUAL(capacity, before);
    free(bytes);
    capacity = 3;
    bytes = grt_allocate(3);
    memset(bytes, 9, 3);
    bytes = grt_array_grow(bytes, &capacity, 4, 1);
    CU_ASSERT(capacity >= 4 && all_bytes_are(bytes, 3, 9) && all_bytes_are(bytes + 3, capacity - 3, 0));
    free(bytes);
}

static void test_builds_start_small(void) {
#ifdef GRT_TEST_SMALL_BUFFERS
    CU_ASSERT_EQUAL(GRT_FIRST_CAPACITY(1024), 1);
#else
    CU_ASSERT_EQUAL(GRT_FIRST_CAPACITY(1024), 1024);
#endif
    CU_ASSERT_EQUAL(GRT_FIRST_CAPACITY(1), 1);
}

/* What one arena leaves the next one gets, zeroed; only chunks of the usual size are kept. */
static void a_store_hands_chunks_on(void) {
    struct grt_arena_store store = {0};
    struct grt_arena first = {.store = &store}, second = {.store = &store};
    unsigned char *bytes = grt_arena_array(&first, 1000, 1);
    memset(bytes, 255, 1000);
    grt_arena_array(&first, 1 << 20, 1);
    grt_arena_clear(&first);
    CU_ASSERT_EQUAL(store.count, 1);
    CU_ASSERT_PTR_EQUAL(grt_arena_array(&second, 1000, 1), bytes);
    CU_ASSERT_EQUAL(store.count, 0);
    for (int i = 0; i < 1000; i++) {
        CU_ASSERT_EQUAL_FATAL(bytes[i], 0);
    }
    grt_arena_array(&first, 1000, 1); /* the store is empty: new memory */
    grt_arena_clear(&first);
    grt_arena_clear(&second);
    CU_ASSERT_EQUAL(store.count, 2);
    grt_arena_store_free(&store);
    CU_ASSERT(store.count == 0 && store.chunks == NULL);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"allocates", allocates},
        {"allocates nothing", allocates_nothing},
        {"an arena gives zeroed pieces of its own", an_arena_gives_zeroed_pieces_of_its_own},
        {"an arena gives large pieces", an_arena_gives_large_pieces},
        {"an arena gives objects and texts", an_arena_gives_objects_and_texts},
        {"a store hands chunks on", a_store_hands_chunks_on},
        {"arrays grow zeroed", arrays_grow_zeroed},
        {"arrays grow to what is needed", arrays_grow_to_what_is_needed},
        {"test builds start small", test_builds_start_small},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("memory", tests);
}
