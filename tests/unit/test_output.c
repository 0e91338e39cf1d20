/* Output files are whole or not there, whatever fails. */
#define _XOPEN_SOURCE 700 /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/output.h"
#include "tests/support/child.h"
#include "tests/support/suite.h"

#define FOLDER GRT_SCRATCH_DIR "/output"
#define FILE_NAME FOLDER "/result.txt"

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    chmod(path, 0700);
    return remove(path);
}

/* Starts every test with an empty folder. */
static void clear_folder(void) {
    nftw(FOLDER, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    CU_ASSERT_EQUAL_FATAL(mkdir(FOLDER, 0700), 0);
}

static int entry_count;

static int count_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)path;
    (void)status;
    (void)type;
    entry_count += place->level > 0;
    return 0;
}

static int entries(void) {
    entry_count = 0;
    nftw(FOLDER, count_entry, 16, FTW_PHYS);
    return entry_count;
}

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void check_file(const char *path, const char *expected) {
    char text[256] = "";
    FILE *file = fopen(path, "r");
    CU_ASSERT_FATAL(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

/* Checks the only error of a list and empties it. */
static void check_error(struct grt_errors *errors, const char *expected) {
    CU_ASSERT_EQUAL_FATAL(errors->count, 1);
    if (strcmp(errors->messages[0], expected) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", errors->messages[0], expected);
    }
    CU_ASSERT_STRING_EQUAL(errors->messages[0], expected);
    grt_errors_clear(errors);
}

static bool write_text(const char *path, const char *text, struct grt_errors *errors) {
    struct grt_output *output = grt_output_open(path, errors);
    return output != NULL && grt_output_write(output, text, strlen(text)) && grt_output_close(output, errors);
}

static void test_new_file(void) {
    struct grt_errors errors = {0};
    clear_folder();
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_output_write(output, "one ", 4));
    CU_ASSERT(grt_output_flush(output));
    CU_ASSERT_NOT_EQUAL(access(FILE_NAME, F_OK), 0); /* it gets its name when it is complete */
    CU_ASSERT_EQUAL(entries(), 1);
    CU_ASSERT(grt_output_write(output, "two", 3));
    CU_ASSERT_FALSE(grt_output_is_terminal(output));
    CU_ASSERT(grt_output_close(output, &errors));
    check_file(FILE_NAME, "one two");
    CU_ASSERT_EQUAL(entries(), 1);
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void test_replaces_and_keeps_permissions(void) {
    struct grt_errors errors = {0};
    struct stat status;
    clear_folder();
    put_file(FILE_NAME, "old");
    chmod(FILE_NAME, 0640);
    CU_ASSERT(write_text(FILE_NAME, "new", &errors));
    check_file(FILE_NAME, "new");
    CU_ASSERT_EQUAL(stat(FILE_NAME, &status), 0);
    CU_ASSERT_EQUAL(status.st_mode & 0777, 0640);
}

static void test_follows_links(void) {
    struct grt_errors errors = {0};
    struct stat status;
    clear_folder();
    mkdir(FOLDER "/elsewhere", 0700);
    put_file(FOLDER "/elsewhere/real.txt", "old");
    CU_ASSERT_EQUAL_FATAL(symlink("elsewhere/real.txt", FILE_NAME), 0);
    CU_ASSERT(write_text(FILE_NAME, "new", &errors));
    check_file(FOLDER "/elsewhere/real.txt", "new");
    CU_ASSERT_EQUAL(lstat(FILE_NAME, &status), 0);
    CU_ASSERT(S_ISLNK(status.st_mode));
}

static void test_discard_keeps_the_old_file(void) {
    struct grt_errors errors = {0};
    clear_folder();
    put_file(FILE_NAME, "old");
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    grt_output_write(output, "new", 3);
    grt_output_discard(output);
    check_file(FILE_NAME, "old");
    CU_ASSERT_EQUAL(entries(), 1);
    grt_output_discard(NULL);
}

static void test_large_pieces(void) {
    struct grt_errors errors = {0};
    static char piece[200000];
    struct stat status;
    clear_folder();
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    size_t sum = 0;
    for (size_t size = 0; size < sizeof piece; size += 9999) {
        CU_ASSERT(grt_output_write(output, piece, size));
        sum += size;
    }
    CU_ASSERT(grt_output_close(output, &errors));
    CU_ASSERT_EQUAL(stat(FILE_NAME, &status), 0);
    CU_ASSERT_EQUAL((size_t)status.st_size, sum);
}

static void test_bad_places(void) {
    struct grt_errors errors = {0};
    clear_folder();
    CU_ASSERT_FALSE(write_text(FOLDER "/no/such.txt", "x", &errors));
    check_error(&errors,
                FOLDER "/no/such.txt: cannot create a file in its folder: No such file or directory");
    put_file(FILE_NAME, "old");
    CU_ASSERT_FALSE(write_text(FILE_NAME "/below", "x", &errors));
    check_error(&errors, FILE_NAME "/below: cannot open: Not a directory");
    CU_ASSERT_FALSE(write_text(FOLDER, "x", &errors));
    check_error(&errors, FOLDER ": cannot open: Is a directory");
    CU_ASSERT_FALSE(write_text("", "x", &errors));
    check_error(&errors, ": cannot open: No such file or directory");
    check_file(FILE_NAME, "old");
    CU_ASSERT_EQUAL(entries(), 1);
}

static void test_no_permission(void) {
    struct grt_errors errors = {0};
    if (geteuid() == 0) {
        return; /* root may write everywhere */
    }
    clear_folder();
    put_file(FILE_NAME, "old");
    chmod(FILE_NAME, 0400);
    CU_ASSERT_FALSE(write_text(FILE_NAME, "x", &errors));
    check_error(&errors, FILE_NAME ": cannot replace: Permission denied");
    chmod(FILE_NAME, 0600);
    chmod(FOLDER, 0500);
    CU_ASSERT_FALSE(write_text(FILE_NAME, "x", &errors));
    check_error(&errors, FILE_NAME ": cannot create a file in its folder: Permission denied");
    chmod(FOLDER, 0700);
    check_file(FILE_NAME, "old");
}

/* /dev/full is written directly and always fails. */
static void test_full_disk(void) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open("/dev/full", &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_output_write(output, "x", 1)); /* gathered */
    CU_ASSERT_EQUAL(grt_output_error(output), 0);
    CU_ASSERT_FALSE(grt_output_flush(output));
    CU_ASSERT_EQUAL(grt_output_error(output), ENOSPC);
    CU_ASSERT_FALSE(grt_output_write(output, "x", 1));
    CU_ASSERT_FALSE(grt_output_close(output, &errors));
    check_error(&errors, "/dev/full: cannot write: No space left on device");
    CU_ASSERT_FALSE(write_text("/dev/full", "x", &errors));
    check_error(&errors, "/dev/full: cannot write: No space left on device");
    CU_ASSERT_EQUAL(access("/dev/full", F_OK), 0);
}

static void test_file_size_limit(void) {
    struct grt_errors errors = {0};
    static char piece[100000];
    struct rlimit old, limit;
    clear_folder();
    put_file(FILE_NAME, "old");
    signal(SIGXFSZ, SIG_IGN);
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = old;
    limit.rlim_cur = 150000;
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_output_write(output, piece, sizeof piece));
    CU_ASSERT_FALSE(grt_output_write(output, piece, sizeof piece)); /* after a short write */
    CU_ASSERT_FALSE(grt_output_close(output, &errors));
    setrlimit(RLIMIT_FSIZE, &old);
    check_error(&errors, FILE_NAME ": cannot write: File too large");
    check_file(FILE_NAME, "old");
    CU_ASSERT_EQUAL(entries(), 1);
}

static void test_pipe(void) {
    struct grt_errors errors = {0};
    char text[8] = "";
    clear_folder();
    CU_ASSERT_EQUAL_FATAL(mkfifo(FILE_NAME, 0600), 0);
    int reader = open(FILE_NAME, O_RDONLY | O_NONBLOCK);
    CU_ASSERT(write_text(FILE_NAME, "piped", &errors));
    CU_ASSERT_EQUAL(read(reader, text, sizeof text), 5);
    CU_ASSERT_STRING_EQUAL(text, "piped");
    signal(SIGPIPE, SIG_IGN);
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    close(reader);
    grt_output_write(output, "x", 1);
    CU_ASSERT_FALSE(grt_output_flush(output));
    CU_ASSERT_EQUAL(grt_output_error(output), EPIPE);
    grt_output_discard(output);
    CU_ASSERT_EQUAL(errors.count, 0);
}

/* Somebody else may have made standard output a pipe that does not block: while it is full, it is waited for. */
static void test_pipe_that_does_not_block(void) {
    enum { SIZE = 1 << 20 };
    static char text[SIZE];
    struct grt_errors errors = {0};
    int ends[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) { /* begins to read when it is full */
        close(ends[1]);
        poll(NULL, 0, 20);
        size_t got = 0;
        for (ssize_t size = 1; size > 0; got += (size_t)size) {
            size = read(ends[0], text, SIZE);
        }
        _exit(got == SIZE ? 0 : 1);
    }
    int standard = dup(STDOUT_FILENO);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    struct grt_output *output = grt_output_open("-", &errors);
    bool done = grt_output_write(output, text, SIZE);
    done = grt_output_close(output, &errors) && done;
    dup2(standard, STDOUT_FILENO);
    close(standard);
    CU_ASSERT(done);
    int status = 1;
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

static void remove_two_unfinished(void) {
    static struct grt_output *outputs[2]; /* which valgrind does not call lost as the process ends */
    struct grt_errors errors = {0};
    outputs[0] = grt_output_open(FILE_NAME, &errors);
    outputs[1] = grt_output_open(FOLDER "/b", &errors);
    bool there = entries() == 3;
    grt_output_remove_unfinished();
    _exit(outputs[0] != NULL && outputs[1] != NULL && there ? 0 : 1);
}

/* A handler of a signal removes what is not complete, in a process that then ends. */
static void test_remove_unfinished(void) {
    char said[8];
    clear_folder();
    put_file(FILE_NAME, "old");
    CU_ASSERT_EQUAL(grt_child_call(remove_two_unfinished, said, sizeof said), 0);
    CU_ASSERT_EQUAL(entries(), 1);
    check_file(FILE_NAME, "old");
}

/* More files than the list for signals remembers are written all the same. */
static void test_many_at_once(void) {
    enum { MANY = 40 };
    struct grt_output *outputs[MANY];
    struct grt_errors errors = {0};
    clear_folder();
    for (int i = 0; i < MANY; i++) {
        char path[sizeof FOLDER + 16];
        snprintf(path, sizeof path, FOLDER "/%d", i);
        outputs[i] = grt_output_open(path, &errors);
        CU_ASSERT_FATAL(outputs[i] != NULL);
        grt_output_write(outputs[i], "x", 1);
    }
    for (int i = 0; i < MANY; i++) {
        CU_ASSERT(grt_output_close(outputs[i], &errors));
    }
    CU_ASSERT_EQUAL(entries(), MANY);
    check_file(FOLDER "/39", "x");
}

/* Standard output by any of its names is written directly and stays open. */
static void test_standard_output(void) {
    static const char *const names[] = {"-", "/dev/stdout", FILE_NAME};
    struct grt_errors errors = {0};
    clear_folder();
    fflush(stdout);
    int old = dup(STDOUT_FILENO), file = open(FILE_NAME, O_WRONLY | O_CREAT, 0600);
    dup2(file, STDOUT_FILENO);
    bool good = true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        good = write_text(names[i], "x", &errors) && good;
    }
    good = write(STDOUT_FILENO, "y", 1) == 1 && good;
    dup2(old, STDOUT_FILENO);
    close(old);
    close(file);
    CU_ASSERT(good);
    check_file(FILE_NAME, "xxxy");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a new file", test_new_file},
        {"replaces and keeps permissions", test_replaces_and_keeps_permissions},
        {"follows links", test_follows_links},
        {"discard keeps the old file", test_discard_keeps_the_old_file},
        {"large pieces", test_large_pieces},
        {"bad places", test_bad_places},
        {"no permission", test_no_permission},
        {"full disk", test_full_disk},
        {"file size limit", test_file_size_limit},
        {"pipe", test_pipe},
        {"a pipe that does not block", test_pipe_that_does_not_block},
        {"remove unfinished", test_remove_unfinished},
        {"many at once", test_many_at_once},
        {"standard output", test_standard_output},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("output", tests);
}
