#include "cli/papers/library.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/library_files.h"

/* The text from `begin` to `end`. */
static const char *part(struct grt_arena *arena, const char *begin, const char *end) {
    char *text = grt_arena_text(arena, begin);
    text[end - begin] = '\0';
    return text;
}

/* Takes "papers/PAPER/experiments/ITEM" and "experiments/ITEM". */
static void add(struct grt_library *library, const struct grt_library_file *file) {
    static const char papers[] = "papers/", below[] = "experiments/";
    const char *rest = file->name, *paper = "";
    if (strncmp(rest, papers, strlen(papers)) == 0) {
        const char *begin = rest + strlen(papers), *end = strchr(begin, '/');
        paper = part(&library->arena, begin, end);
        rest = end + 1;
    }
    if (strncmp(rest, below, strlen(below)) == 0 && strchr(rest + strlen(below), '/') == NULL) {
        library->items =
            grt_array_grow(library->items, &library->capacity, library->count + 1, sizeof *library->items);
        library->items[library->count++] = (struct grt_library_item){file->path, paper, rest + strlen(below)};
    }
}

bool grt_library_open(const char *given, struct grt_library *library, struct grt_errors *errors) {
    *library = (struct grt_library){0};
    struct grt_library_files files;
    bool listed = grt_library_files_list(given, GRT_LIBRARY_EXPERIMENT, &files, &library->arena, errors);
    if (listed) {
        library->folder = files.folder;
        for (int own = 0; own < 2; own++) { /* those of papers first; both are sorted */
            for (uint32_t i = 0; i < files.count; i++) {
                bool of_paper = strncmp(files.items[i].name, "papers/", 7) == 0;
                if (of_paper == (own == 0)) {
                    add(library, &files.items[i]);
                }
            }
        }
        grt_library_files_free(&files);
    }
    if (listed && library->count == 0) {
        grt_error_add(errors, NULL, "%s has no experiments", library->folder);
        listed = false;
    }
    if (!listed) {
        grt_library_free(library);
    }
    return listed;
}

void grt_library_free(struct grt_library *library) {
    free(library->items);
    grt_arena_clear(&library->arena);
    *library = (struct grt_library){0};
}
