#include "tests/support/document.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cunit.h"
#include "tests/support/file_text.h"

enum { TEXT_SIZE = 1 << 18, LINE_SIZE = 4096 };

const char *grt_document_run(const struct grt_document *document, const char *command, const char *options) {
    static char output[TEXT_SIZE];
    char line[LINE_SIZE];
    CU_ASSERT_FATAL(strncmp(command, "gpurt ", 6) == 0);
    snprintf(line, sizeof line, "%s %s %s", document->program, command + 6, options);
    FILE *pipe = popen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    output[fread(output, 1, TEXT_SIZE - 1, pipe)] = '\0';
    CU_ASSERT_EQUAL(pclose(pipe), 0);
    return output;
}

/* ---- files ---- */

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

/* Asserts that the file has that text; writes it where that is wanted. */
static void check_current(const char *path, const char *text) {
    size_t size;
    char *known = grt_file_text(path, &size);
    bool same = known != NULL && strcmp(known, text) == 0;
    if (!same && getenv("GRT_UPDATE") != NULL) {
        write_file(path, text);
        same = true;
    }
    if (!same) {
        printf("\n    %s: run this test with GRT_UPDATE=1 ", path);
    }
    CU_ASSERT(same);
    free(known);
}

static char *read_document(const struct grt_document *document) {
    size_t size;
    char *text = grt_file_text(document->path, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    return text;
}

/* The line at a place of the text, without its end; the place behind it. */
static const char *take_line(const char *text, char line[LINE_SIZE]) {
    size_t length = strcspn(text, "\n");
    CU_ASSERT_FATAL(length < LINE_SIZE);
    memcpy(line, text, length);
    line[length] = '\0';
    return text + length + (text[length] != '\0');
}

/* ---- what documents show ---- */

int grt_document_blocks(const struct grt_document *document) {
    static const char open[] = "```\n$ gpurt ";
    char *text = read_document(document), *made = NULL, line[LINE_SIZE];
    const char *rest = text, *block;
    size_t size;
    int count = 0;
    FILE *out = open_memstream(&made, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (; (block = strstr(rest, open)) != NULL; count++) {
        const char *body = take_line(block + 4, line), *end = strstr(body - 1, "\n```\n");
        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        fprintf(out, "%.*s%s\n%s```\n", (int)(block + 4 - rest), rest, line,
                grt_document_run(document, line + 2, "--utf8 --color=never"));
        rest = end + 5;
    }
    fputs(rest, out);
    fclose(out);
    check_current(document->path, made);
    free(made);
    free(text);
    return count;
}

int grt_document_pictures(const struct grt_document *document) {
    char *text = read_document(document), line[LINE_SIZE], command[LINE_SIZE] = "";
    int count = 0;
    for (const char *rest = text; *rest != '\0';) {
        rest = take_line(rest, line);
        char *picture = strstr(line, "](pictures/");
        if (strncmp(line, "gpurt export svg ", 17) == 0) {
            CU_ASSERT_STRING_EQUAL(command, ""); /* else the one before drew nothing */
            memcpy(command, line, sizeof command);
        } else if (picture != NULL) {
            char path[LINE_SIZE];
            snprintf(path, sizeof path, "docs/%.*s", (int)strcspn(picture + 2, ")"), picture + 2);
            const char *drawn = grt_document_run(document, command, "");
            CU_ASSERT(strlen(drawn) > 5000);
            check_current(path, drawn);
            command[0] = '\0';
            count++;
        }
    }
    free(text);
    return count;
}

void grt_document_chart(const char *name, const char *svg) {
    char path[LINE_SIZE];
    snprintf(path, sizeof path, "docs/pictures/%s", name);
    check_current(path, svg);
}

static void replace_table(const struct grt_document *document, const struct grt_document_table *table) {
    char *text = read_document(document), *made = NULL, mark[128];
    size_t size;
    snprintf(mark, sizeof mark, "\n<!-- table: %s -->\n", table->name);
    const char *begin = strstr(text, mark);
    CU_ASSERT_PTR_NOT_NULL_FATAL(begin);
    begin += strlen(mark);
    const char *end = strstr(begin - 1, "\n\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    FILE *out = open_memstream(&made, &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fprintf(out, "%.*s", (int)(begin - text), text);
    table->write(out);
    fputs(end + 1, out);
    fclose(out);
    check_current(document->path, made);
    free(made);
    free(text);
}

int grt_document_tables(const struct grt_document *document, const struct grt_document_table *tables) {
    int count = 0;
    for (; tables[count].name != NULL; count++) {
        replace_table(document, &tables[count]);
    }
    return count;
}
