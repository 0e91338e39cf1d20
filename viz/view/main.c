/* gpurt-view: the timeline in a window. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/text_file.h"
#include "viz/view/options.h"
#include "viz/view/window.h"

enum { FAILED = 1, INPUT = 2 };

/* Prints the errors; returns the exit code. */
static int fail(struct grt_errors *errors, int code) {
    grt_errors_print(errors, stderr, "gpurt-view: ");
    grt_errors_clear(errors);
    return code;
}

/* What the command line says about the first view. */
static bool set_up(struct viewer *viewer, const struct view_options *options, struct grt_errors *errors) {
    char text[1024];
    if (options->against != NULL) {
        snprintf(text, sizeof text, "against %s", options->against);
        if (!viewer_command(viewer, text, errors)) {
            return false;
        }
    }
    if (options->rows != NULL) {
        snprintf(text, sizeof text, "filter %s", options->rows);
        if (!viewer_command(viewer, text, errors)) {
            return false;
        }
    }
    if (options->from != GRT_TIME_NEVER || options->to != GRT_TIME_NEVER) {
        viewer_show(viewer, options->from, options->to);
    }
    return true;
}

static char *read_script(const char *path, struct grt_errors *errors) {
    struct grt_errors found = {0};
    size_t size;
    char *text = grt_text_file_read(path, &size, &found);
    if (text == NULL) {
        grt_error_add(errors, NULL, "--script %s: %s", path, found.messages[0]);
    }
    grt_errors_clear(&found);
    return text;
}

static int show(struct viewer *viewer, const struct view_options *options) {
    struct grt_errors errors = {0};
    char *script = options->script != NULL ? read_script(options->script, &errors) : NULL;
    if ((options->script != NULL && script == NULL) || !set_up(viewer, options, &errors)) {
        free(script);
        return fail(&errors, INPUT);
    }
    int width = options->viewer.width, height = options->viewer.height;
    bool done = view_window_show(viewer, width, height, script, &errors);
    free(script);
    return done ? 0 : fail(&errors, FAILED);
}

static bool write_manual(const struct view_options *options, struct grt_errors *errors) {
    view_options_write_manual(options, stdout);
    if (ferror(stdout) != 0 || fflush(stdout) != 0) {
        grt_error_add(errors, NULL, "standard output: %s", strerror(errno));
        return false;
    }
    return true;
}

/* Says on a terminal how far a simulation is that takes long. */
static bool tell(void *state, const struct grt_play_progress *progress) {
    struct timespec *told = state, now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (told->tv_sec == 0) {
        *told = now;
    }
    if (now.tv_sec > told->tv_sec && progress->done_ratio >= 0) {
        fprintf(stderr, "\rgpurt-view: %3.0f %% ", 100 * progress->done_ratio);
        *told = now;
    }
    return true;
}

int main(int argc, char **argv) {
    struct view_options options;
    struct grt_errors errors = {0};
    view_options_read(&options, argc, argv);
    if (options.write_manual != NULL) {
        return write_manual(&options, &errors) ? 0 : fail(&errors, FAILED);
    }
    if (options.viewer.text_size == 0) {
        options.viewer.text_size = view_window_text_size();
    }
    if (options.viewer.width == 0) {
        options.viewer.width = 1280;
        options.viewer.height = 800;
    }
    struct timespec told = {0};
    if (isatty(STDERR_FILENO)) {
        options.viewer.watch = (struct grt_play_watch){.keep_on = tell, .asker = &told};
    }
    struct viewer *viewer = viewer_create(options.paths, options.path_count, &options.viewer, &errors);
    if (viewer == NULL) {
        return fail(&errors, INPUT);
    }
    viewer_set_watch(viewer, &(struct grt_play_watch){0});
    int code = show(viewer, &options);
    viewer_free(viewer);
    return code;
}
