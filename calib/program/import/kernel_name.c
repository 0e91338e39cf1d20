#include "calib/program/import/kernel_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 48 };

const char *grt_kernel_name(struct grt_arena *arena, const char *text) {
    static const char anonymous[] = "(anonymous namespace)::";
    const char *inner = strstr(text, anonymous);
    text = inner != NULL ? inner + sizeof anonymous - 1 : text;
    size_t end = strcspn(text, "<("), start = end;
    while (start > 0 && text[start - 1] != ' ' && text[start - 1] != ':') {
        start--;
    }
    char *name = grt_arena_array(arena, MOST + 1, 1);
    for (size_t i = start; i < end && i - start < MOST; i++) {
        bool good = isalnum((unsigned char)text[i]) || strchr("_-.", text[i]) != NULL;
        name[i - start] = good ? text[i] : '_';
    }
    return name[0] != '\0' && name[0] != '.' ? name : "kernel";
}
