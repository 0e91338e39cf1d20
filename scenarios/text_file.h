/* Whole files in memory. */
#ifndef GRT_SCENARIOS_TEXT_FILE_H
#define GRT_SCENARIOS_TEXT_FILE_H

#include <stddef.h>

#include "sim/error.h"
#include "sim/memory.h"

/* Larger files are refused. */
#define GRT_TEXT_FILE_LIMIT (64u * 1024 * 1024)

/* Reads a file, or standard input where `path` is "-". Returns its bytes, *size of them and a zero byte, to be freed
 * with free, or NULL after adding an error without the file's name. */
char *grt_text_file_read(const char *path, size_t *size, struct grt_errors *errors);

/* The folder of a path: "." for "a.json" and "-", "b" for "b/a.json". Belongs to the arena. */
const char *grt_folder_of(struct grt_arena *arena, const char *path);

/* `path` as seen from `folder`, itself where it is absolute. Belongs to the arena. */
const char *grt_path_in_folder(struct grt_arena *arena, const char *folder, const char *path);

#endif
