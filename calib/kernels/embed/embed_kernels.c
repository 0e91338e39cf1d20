/* Writes kernels.ptx, and the header that users' kernels include, as C source, so that gpurt-calib carries them.
 *
 * usage: grt_embed_kernels OUTPUT.c kernels.ptx gpu_port.h
 *
 * Texts are written as numbers, since ISO C promises no string literal longer than 4095. On failure there is no output and the exit status
 * is 1. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MADE_BY_SIZE = 160 };

static bool fail(const char *subject, const char *problem) {
    fprintf(stderr, "grt_embed_kernels: %s: %s\n", subject, problem);
    return false;
}

/* Copies a file as the array `name`; `hash` becomes its FNV-1a hash of 64 bits (Fowler, Noll, Vo). */
static bool write_text(FILE *output, const char *name, const char *path, uint64_t *hash) {
    FILE *input = fopen(path, "rb");
    if (!input) {
        return fail(path, "cannot be opened");
    }
    *hash = UINT64_C(0xcbf29ce484222325);
    fprintf(output, "\nstatic const char %s[] = {", name);
    long count = 0;
    for (int byte = getc(input); byte != EOF; byte = getc(input), count++) {
        *hash = (*hash ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
        fprintf(output, "%s%d,", count % 24 == 0 ? "\n    " : " ", byte);
    }
    fprintf(output, "\n    0};\n");
    bool complete = !ferror(input) && count > 0;
    fclose(input);
    return complete || fail(path, "cannot be read, or is empty");
}

/* What the first line of the PTX says behind its colon. */
static bool read_made_by(const char *path, char made_by[MADE_BY_SIZE]) {
    FILE *input = fopen(path, "rb");
    char line[MADE_BY_SIZE] = "";
    bool complete = input && fgets(line, sizeof line, input);
    if (input) {
        fclose(input);
    }
    line[strcspn(line, "\r\n")] = '\0';
    const char *colon = strstr(line, ": ");
    if (!complete || strncmp(line, "// Made from ", strlen("// Made from ")) != 0 || !colon ||
        strpbrk(line, "\"\\")) {
        return fail(path, "its first line does not say who made it: see make_ptx.sh");
    }
    memcpy(made_by, colon + 2, strlen(colon + 2) + 1);
    return true;
}

static bool write_all(FILE *output, const char *ptx, const char *port) {
    char made_by[MADE_BY_SIZE];
    uint64_t hash, unused;
    fprintf(output, "/* Written by grt_embed_kernels. */\n\n#include \"calib/kernels/kernels.h\"\n");
    if (!read_made_by(ptx, made_by) || !write_text(output, "ptx", ptx, &hash) ||
        !write_text(output, "port", port, &unused)) {
        return false;
    }
    fprintf(output, "\nconst char *grt_kernels_ptx(void) {\n    return ptx;\n}\n");
    fprintf(output, "\nconst char *grt_kernels_port(void) {\n    return port;\n}\n");
    fprintf(output, "\nconst char *grt_kernels_made_by(void) {\n    return \"%s; hash %016llx\";\n}\n",
            made_by, (unsigned long long)hash);
    return true;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fail("usage", "grt_embed_kernels OUTPUT.c kernels.ptx gpu_port.h");
        return EXIT_FAILURE;
    }
    FILE *output = fopen(argv[1], "wb");
    if (!output) {
        fail(argv[1], "cannot be written");
        return EXIT_FAILURE;
    }
    bool done = write_all(output, argv[2], argv[3]) && !ferror(output);
    if (fclose(output) != 0) {
        done = fail(argv[1], "cannot be written");
    }
    if (!done) {
        remove(argv[1]);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
