/* Turns files into C source: part of the build, never of the program.
 *
 * usage: grt_embed OUTPUT.c --device FILE... --scenario FILE...
 *
 * Each --<kind> starts a list that becomes grt_embedded_<kind>s and grt_embedded_<kind>_count, declared in
 * scenarios/embedded.h. A text is written as single characters, since ISO C promises no string literal longer
 * than 4095. On failure there is no output and the exit status is 1. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: grt_embed OUTPUT.c --device FILE... --scenario FILE...";

static bool fail(const char *subject, const char *problem) {
    fprintf(stderr, "grt_embed: %s: %s\n", subject, problem);
    return false;
}

static bool is_kind(const char *argument) {
    return strncmp(argument, "--", 2) == 0;
}

/* The part of a path between its last slash and ".json"; its length goes to *length. */
static const char *file_name(const char *path, size_t *length) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *suffix = strstr(name, ".json");
    *length = suffix ? (size_t)(suffix - name) : strlen(name);
    return name;
}

/* A name has to stand in a C string as it is. */
static bool is_plain(const char *name, size_t length) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    return length > 0 && strspn(name, plain) >= length;
}

static bool write_text(FILE *output, const char *kind, int index, const char *path) {
    FILE *input = fopen(path, "rb");
    if (!input) {
        return fail(path, "cannot be opened");
    }
    fprintf(output, "\nstatic const char %s_%d[] = {", kind, index);
    long count = 0;
    for (int byte = getc(input); byte != EOF; byte = getc(input), count++) {
        fprintf(output, "%s'\\x%02x',", count % 16 == 0 ? "\n    " : " ", (unsigned)byte);
    }
    fprintf(output, "\n    '\\0'};\n");
    bool complete = !ferror(input);
    fclose(input);
    return complete || fail(path, "cannot be read");
}

/* Writes the list `kind` from `count` files: first the texts, then the array that points to them. */
static bool write_list(FILE *output, const char *kind, int count, char **paths) {
    for (int i = 0; i < count; i++) {
        if (!write_text(output, kind, i, paths[i])) {
            return false;
        }
    }
    fprintf(output, "\nstatic const struct grt_embedded_file %ss[] = {\n", kind);
    for (int i = 0; i < count; i++) {
        size_t length;
        const char *name = file_name(paths[i], &length);
        if (!is_plain(name, length)) {
            return fail(paths[i], "rename it: letters, digits and ._+- only");
        }
        fprintf(output, "    {\"%.*s\", %s_%d, sizeof %s_%d - 1},\n", (int)length, name, kind, i, kind, i);
    }
    fprintf(output, "    {NULL, NULL, 0}};\nconst struct grt_embedded_file *const grt_embedded_%ss = %ss;\n",
            kind, kind);
    fprintf(output, "const size_t grt_embedded_%s_count = %d;\n", kind, count);
    return true;
}

static bool write_lists(FILE *output, int count, char **arguments) {
    fprintf(output, "/* Written by grt_embed from the JSON files of the library: edit those. */\n\n"
                    "#include \"scenarios/embedded.h\"\n");
    for (int i = 0; i < count;) {
        if (!is_kind(arguments[i])) {
            return fail(arguments[i], usage);
        }
        int end = i + 1;
        while (end < count && !is_kind(arguments[end])) {
            end++;
        }
        if (!write_list(output, arguments[i] + 2, end - i - 1, arguments + i + 1)) {
            return false;
        }
        i = end;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "%s\n", usage);
        return EXIT_FAILURE;
    }
    FILE *output = fopen(argv[1], "wb");
    if (!output) {
        fail(argv[1], "cannot be written");
        return EXIT_FAILURE;
    }
    bool done = write_lists(output, argc - 2, argv + 2) && !ferror(output);
    if (fclose(output) != 0) {
        done = fail(argv[1], "cannot be written");
    }
    if (!done) {
        remove(argv[1]);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
