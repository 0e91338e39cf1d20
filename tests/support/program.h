/* The program gpurt as its users call it: a line of the shell, what it says, and its exit code. For tests of commands, each of
 * which has the program and a scratch folder of its own. */
#ifndef GRT_TESTS_PROGRAM_H
#define GRT_TESTS_PROGRAM_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/cunit.h"

#ifdef GRT_PROGRAM

#define SCRATCH GRT_SCRATCH_DIR "/"
enum { TEXT_SIZE = 1 << 18, COMMAND_SIZE = 4000 };

static char out[TEXT_SIZE], err[TEXT_SIZE]; /* of the last call */

static inline void read_text(const char *path, char text[TEXT_SIZE]) {
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(text, 1, TEXT_SIZE - 1, file) : 0;
    text[size] = '\0';
    if (file != NULL) {
        fclose(file);
    }
}

/* Writes a file into the scratch folder, and says whether one is there. */
static inline void put_file(const char *name, const char *text) {
    char path[COMMAND_SIZE];
    snprintf(path, sizeof path, SCRATCH "%s", name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fputs(text, file);
    fclose(file);
}

static inline bool exists(const char *name) {
    char path[COMMAND_SIZE];
    snprintf(path, sizeof path, SCRATCH "%s", name);
    return access(path, F_OK) == 0;
}

/* Signals do what they do in the foreground of a shell: whoever started the tests may have had them ignored, as nohup does. */
static inline void usual_signals(void) {
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        signal(numbers[i], SIG_DFL);
    }
}

/* Runs lines of the shell in the scratch folder, in which "gpurt" is the program, as is "gpurt-calib"; returns their exit code. */
__attribute__((format(printf, 1, 2))) static inline int call(const char *format, ...) {
    char command[COMMAND_SIZE], line[2 * COMMAND_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line,
             "cd '" SCRATCH "' && unset LANG LC_ALL LC_CTYPE NO_COLOR; program='" GRT_PROGRAM
             "'; PATH=\"${program%%/*}:$PATH\"; " /* %% for snprintf */
             "gpurt() { \"$program\" \"$@\"; }\n" /* also where a test sets a PATH of its own */
             "{ %s\n} >out.txt 2>err.txt </dev/null",
             command);
    int status = system(line);
    read_text(SCRATCH "out.txt", out);
    read_text(SCRATCH "err.txt", err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Expects an exit code, and prints what was said where it is another. */
static inline void expect(int code, int got) {
    if (code != got) {
        printf("\n    exit code %d instead of %d\n    out: %.300s\n    err: %.600s\n", got, code, out, err);
    }
    CU_ASSERT_EQUAL(got, code);
}

static inline void expect_text(const char *got, const char *expected) {
    if (strcmp(got, expected) != 0) {
        printf("\n    got:\n%s\n    expected:\n%s\n", got, expected);
    }
    CU_ASSERT_STRING_EQUAL(got, expected);
}

static inline void expect_part(const char *text, const char *part) {
    if (strstr(text, part) == NULL) {
        printf("\n    got:         %.600s\n    expected in: %s\n", text, part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

#endif

#endif
