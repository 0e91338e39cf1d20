/* Counts all allocations of a test program that is linked with --wrap for malloc, calloc and realloc (label wrap-malloc). To be
 * included by one file of it. */
#ifndef GRT_TESTS_SUPPORT_COUNT_ALLOCATIONS_H
#define GRT_TESTS_SUPPORT_COUNT_ALLOCATIONS_H

#include <stddef.h>

static long allocations;

/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    allocations++;
    return __real_realloc(memory, size);
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
