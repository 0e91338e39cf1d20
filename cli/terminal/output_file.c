#include "cli/terminal/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool grt_is_standard_output(const char *path) {
    return path != NULL && strcmp(path, "-") == 0;
}

bool grt_output_finish(struct grt_output **output, struct grt_errors *errors) {
    struct grt_output *closing = *output;
    *output = NULL;
    if (closing == NULL) {
        return true;
    }
    grt_output_flush(closing);
    if (grt_output_error(closing) == EPIPE) {
        grt_output_discard(closing);
        return false;
    }
    return grt_output_close(closing, errors);
}

bool grt_output_text(const char *path, const char *text, const char *end, struct grt_errors *errors) {
    struct grt_output *output = grt_output_open(path, errors);
    if (output == NULL) {
        return false;
    }
    grt_output_write(output, text, strlen(text));
    grt_output_write(output, end, strlen(end));
    return grt_output_finish(&output, errors);
}

bool grt_output_folder(const char *path, const char *purpose, struct grt_errors *errors) {
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    struct stat status;
    int error = errno;
    if (error == EEXIST && stat(path, &status) == 0) {
        error = !S_ISDIR(status.st_mode) ? ENOTDIR : access(path, W_OK | X_OK) != 0 ? errno : 0;
    }
    if (error != 0) {
        grt_error_add(errors, NULL, "%s: cannot %s: %s", path, purpose, strerror(error));
    }
    return error == 0;
}
