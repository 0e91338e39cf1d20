#include "scenarios/text_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 * 1024 };

/* Reads until the end of the file or one byte more than the limit. */
static char *read_all(FILE *file, size_t *size) {
    char *bytes = NULL;
    uint32_t capacity = 0;
    size_t used = 0, count = 1;
    while (count > 0 && used <= GRT_TEXT_FILE_LIMIT) {
        uint32_t first = GRT_FIRST_CAPACITY(FIRST_CAPACITY), needed = (uint32_t)used + 2;
        bytes = grt_array_grow(bytes, &capacity, needed > first ? needed : first, 1);
        count = fread(bytes + used, 1, capacity - used - 1, file);
        used += count;
    }
    bytes[used] = '\0';
    *size = used;
    return bytes;
}

char *grt_text_file_read(const char *path, size_t *size, struct grt_errors *errors) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file == NULL) {
        grt_error_add(errors, NULL, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    errno = 0;
    char *bytes = read_all(file, size);
    bool failed = ferror(file) != 0;
    if (failed) {
        grt_error_add(errors, NULL, "cannot be read: %s", strerror(errno));
    } else if (*size > GRT_TEXT_FILE_LIMIT) {
        grt_error_add(errors, NULL, "is larger than 64 MiB");
        failed = true;
    }
    if (file != stdin) {
        fclose(file);
    }
    if (failed) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

const char *grt_folder_of(struct grt_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return ".";
    }
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    return memcpy(grt_arena_array(arena, length + 1, 1), path, length);
}

const char *grt_path_in_folder(struct grt_arena *arena, const char *folder, const char *path) {
    if (path[0] == '/' || strcmp(folder, ".") == 0) {
        return grt_arena_text(arena, path);
    }
    size_t size = strlen(folder) + strlen(path) + 2;
    char *joined = grt_arena_array(arena, size, 1);
    snprintf(joined, size, "%s/%s", folder, path);
    return joined;
}
