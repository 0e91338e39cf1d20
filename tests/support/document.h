/* Documents in docs/ that show what gpurt prints and draws: their blocks, pictures and tables are made anew and compared, or, where GRT_UPDATE is set in
 * the environment, written. Each function asserts that all of them are current, and returns how many there are. */
#ifndef GRT_TESTS_SUPPORT_DOCUMENT_H
#define GRT_TESTS_SUPPORT_DOCUMENT_H

#include <stdio.h>

struct grt_document {
    const char *path;    /* "docs/NAME.md" */
    const char *program; /* GRT_PROGRAM */
};

/* What a command prints that begins with "gpurt", with more options; valid until the next call. It has to end with exit code 0. */
const char *grt_document_run(const struct grt_document *document, const char *command, const char *options);

/* Blocks: a fence, a line "$ gpurt ...", what that prints, a fence. */
int grt_document_blocks(const struct grt_document *document);

/* Pictures in docs/pictures: each is drawn by the last line before it that begins with "gpurt export svg", and every such line draws one. */
int grt_document_pictures(const struct grt_document *document);

/* A picture in docs/pictures that a test makes; documents show it as "./pictures/NAME". */
void grt_document_chart(const char *name, const char *svg);

/* A table that a test makes: it stands behind a line "<!-- table: NAME -->", up to an empty line. */
struct grt_document_table {
    const char *name;
    void (*write)(FILE *out);
};

/* Each of `tables`, an array that ends with {0}, has to stand in the document. */
int grt_document_tables(const struct grt_document *document, const struct grt_document_table *tables);

#endif
