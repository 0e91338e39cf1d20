/* labels: alone */
/* Output files where calls of the system fail in the middle. Those calls are ours here, and fail where a case says so: no disk breaks for a test, and
 * root may write everywhere. */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sim/output.h"
#include "tests/support/suite.h"

#define FILE_NAME GRT_SCRATCH_DIR "/result.txt"

/* ---- calls that fail ---- */

enum failing_call { OPEN, ACCESS, FCHMOD, WRITE, FSYNC, CLOSE, RENAME, CALLS };

static struct { int times, error; /* error 0: the call returns 0 */ } failing[CALLS];

static bool fails(enum failing_call call) {
    if (failing[call].times == 0) {
        return false;
    }
    failing[call].times--;
    errno = failing[call].error;
    return true;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return (flags & O_EXCL) != 0 && fails(OPEN) ? -1 : openat(AT_FDCWD, path, flags, mode);
}

int access(const char *path, int mode) {
    return fails(ACCESS) ? -1 : faccessat(AT_FDCWD, path, mode, 0);
}

int fchmod(int fd, mode_t mode) {
    return fails(FCHMOD) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

ssize_t write(int fd, const void *data, size_t size) {
    if (fails(WRITE)) {
        return errno != 0 ? -1 : 0;
    }
    return writev(fd, &(struct iovec){.iov_base = (void *)(size_t)data, .iov_len = size}, 1);
}

int fsync(int fd) {
    return fails(FSYNC) ? -1 : fdatasync(fd);
}

int close(int fd) {
    int result = (int)syscall(SYS_close, fd);
    return fails(CLOSE) ? -1 : result;
}

int rename(const char *old, const char *new) {
    return fails(RENAME) ? -1 : renameat(AT_FDCWD, old, AT_FDCWD, new);
}

/* ---- cases ---- */

static void put_old_file(void) {
    FILE *file = fopen(FILE_NAME, "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs("old", file);
    fclose(file);
}

static void expect_file(const char *expected) {
    char text[64] = "";
    FILE *file = fopen(FILE_NAME, "r");
    CU_ASSERT_FATAL(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_STRING_EQUAL(text, expected);
}

/* That nothing but the file is left. */
static void expect_alone(void) {
    CU_ASSERT_EQUAL(unlink(FILE_NAME), 0);
    CU_ASSERT_EQUAL(rmdir(GRT_SCRATCH_DIR), 0);
    CU_ASSERT_EQUAL(mkdir(GRT_SCRATCH_DIR, 0700), 0);
}

/* Replaces a file while a call fails that often with an error. Expects the message; NULL: that all went well. */
static void replace(enum failing_call call, int times, int error, const char *message) {
    struct grt_errors errors = {0};
    put_old_file();
    memset(failing, 0, sizeof failing);
    failing[call].times = times;
    failing[call].error = error;
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    bool done = output != NULL && grt_output_write(output, "new", 3);
    done = output != NULL && grt_output_close(output, &errors) && done;
    CU_ASSERT_EQUAL(failing[call].times, 0); /* it was called */
    CU_ASSERT_EQUAL(done, message == NULL);
    CU_ASSERT_EQUAL_FATAL(errors.count, message == NULL ? 0 : 1);
    if (message != NULL) {
        CU_ASSERT_STRING_EQUAL(errors.messages[0], message);
    }
    grt_errors_clear(&errors);
    expect_file(message == NULL ? "new" : "old");
    expect_alone();
}

static void a_file_that_cannot_begin(void) {
    replace(ACCESS, 1, EACCES, FILE_NAME ": cannot replace: Permission denied");
    replace(FCHMOD, 1, EPERM, FILE_NAME ": cannot set the permissions of: Operation not permitted");
    replace(OPEN, 1, EMFILE, FILE_NAME ": cannot create a file in its folder: Too many open files");
}

/* Other processes may have taken the name; not for ever. */
static void names_that_are_taken(void) {
    replace(OPEN, 1, EEXIST, NULL);
    replace(OPEN, 99, EEXIST, NULL);
    replace(OPEN, 100, EEXIST, FILE_NAME ": cannot create a file in its folder: File exists");
}

static void a_write_that_is_interrupted_or_fails(void) {
    replace(WRITE, 3, EINTR, NULL);
    replace(WRITE, 1, EIO, FILE_NAME ": cannot write: Input/output error");
    replace(WRITE, 1, 0, FILE_NAME ": cannot write: No space left on device");
}

/* What a file system cannot store by order it stores anyhow; and a file is closed even if that was interrupted. */
static void an_end_that_fails(void) {
    replace(FSYNC, 1, EIO, FILE_NAME ": cannot store: Input/output error");
    replace(FSYNC, 1, EINVAL, NULL);
    replace(CLOSE, 1, EIO, FILE_NAME ": cannot close: Input/output error");
    replace(CLOSE, 1, EINTR, NULL);
    replace(RENAME, 1, EACCES, FILE_NAME ": cannot give the finished file its name: Permission denied");
}

/* Of two failures the first is told. */
static void the_first_failure_is_told(void) {
    struct grt_errors errors = {0};
    static char large[200000];
    put_old_file();
    memset(failing, 0, sizeof failing);
    struct grt_output *output = grt_output_open(FILE_NAME, &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_output_write(output, "new", 3));
    failing[WRITE].times = failing[CLOSE].times = 1;
    failing[WRITE].error = EDQUOT;
    failing[CLOSE].error = EIO;
    CU_ASSERT_FALSE(grt_output_write(output, large, sizeof large)); /* what was gathered goes first */
    CU_ASSERT_EQUAL(grt_output_error(output), EDQUOT);
    CU_ASSERT_FALSE(grt_output_close(output, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_STRING_EQUAL(errors.messages[0], FILE_NAME ": cannot write: Disk quota exceeded");
    grt_errors_clear(&errors);
    expect_file("old");
    expect_alone();
}

/* A name without a folder: the file is made where the program is. */
static void a_name_without_a_folder(void) {
    struct grt_errors errors = {0};
    int before = openat(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY);
    memset(failing, 0, sizeof failing);
    CU_ASSERT_EQUAL_FATAL(chdir(GRT_SCRATCH_DIR), 0);
    struct grt_output *output = grt_output_open("result.txt", &errors);
    CU_ASSERT_FATAL(output != NULL);
    CU_ASSERT(grt_output_write(output, "here", 4));
    CU_ASSERT(grt_output_close(output, &errors));
    CU_ASSERT_EQUAL(fchdir(before), 0);
    close(before);
    expect_file("here");
    expect_alone();
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a file that cannot begin", a_file_that_cannot_begin},
        {"names that are taken", names_that_are_taken},
        {"a write that is interrupted or fails", a_write_that_is_interrupted_or_fails},
        {"an end that fails", an_end_that_fails},
        {"the first failure is told", the_first_failure_is_told},
        {"a name without a folder", a_name_without_a_folder},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("output files where calls fail", tests);
}
