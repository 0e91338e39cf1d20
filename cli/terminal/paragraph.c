#include "cli/terminal/paragraph.h"

#include <string.h>

#include "sim/memory.h"
#include "viz/gantt/text_cells.h"

enum { LEAST_WIDTH = 20 };

void grt_paragraph_put(FILE *out, const char *text, size_t indent, size_t width) {
    struct grt_arena arena = {0};
    size_t room = width > indent + LEAST_WIDTH ? width - indent : LEAST_WIDTH, used = 0;
    char *rest = NULL;
    for (char *word = strtok_r(grt_arena_text(&arena, text), " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        size_t cells = grt_text_cells(word);
        if (used > 0 && used + 1 + cells > room) {
            fprintf(out, "\n%*s", (int)indent, "");
            used = 0;
        }
        fputs(used > 0 ? " " : "", out);
        grt_text_put(out, word, cells, GRT_TEXT_LEFT);
        used += cells + (used > 0);
    }
    fputc('\n', out);
    grt_arena_clear(&arena);
}
