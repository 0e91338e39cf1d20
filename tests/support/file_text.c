#include "tests/support/file_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/memory.h"

char *grt_file_text(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t room = 1 << 16, used = 0, got;
    char *text = grt_allocate(room + 1);
    while ((got = fread(text + used, 1, room - used, file)) > 0) {
        used += got;
        if (used == room) {
            room *= 2;
            text = grt_reallocate(text, room + 1);
        }
    }
    fclose(file);
    text[used] = '\0';
    *bytes = used;
    return text;
}
