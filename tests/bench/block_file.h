/* A trace file of any length for benchmarks, of the blocks of block_maker.h. */
#ifndef GRT_TESTS_BENCH_BLOCK_FILE_H
#define GRT_TESTS_BENCH_BLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes one into $TMPDIR or /tmp and stores its path, which the caller removes. Says so and returns false where there is no room
 * or it cannot be written. */
bool block_file_write(char *path, size_t size, uint64_t blocks);

#endif
