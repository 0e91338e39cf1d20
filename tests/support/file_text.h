/* A whole file in memory. */
#ifndef GRT_TESTS_SUPPORT_FILE_TEXT_H
#define GRT_TESTS_SUPPORT_FILE_TEXT_H

#include <stddef.h>

/* The file's bytes and a zero behind them, which the caller frees; NULL if it cannot be read. */
char *grt_file_text(const char *path, size_t *bytes);

#endif
