#include "cli/terminal/markdown.h"

#include <stdbool.h>
#include <string.h>

void grt_markdown_put(FILE *out, const char *text) {
    bool code = false;
    for (; text != NULL && *text != '\0'; text++) {
        code = code != (*text == '`');
        if (*text == '|' || (!code && strchr("<>*_[]", *text) != NULL)) {
            fputc('\\', out);
        }
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
    }
}

void grt_markdown_put_code(FILE *out, const char *text) {
    char fence[16] = "`";
    while (strstr(text, fence) != NULL && strlen(fence) + 1 < sizeof fence) {
        fence[strlen(fence)] = '`';
    }
    const char *space = fence[1] != '\0' ? " " : "";
    fprintf(out, "%s%s%s%s%s", fence, space, text, space, fence);
}
