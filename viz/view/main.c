/* gpurt-view: the timeline in a window. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/terminal/standard_streams.h"
#include "scenarios/text_file.h"
#include "sim/crash.h"
#include "viz/view/first_view.h"
#include "viz/view/options.h"
#include "viz/view/window.h"

enum { FAILED = 1, INPUT = 2 };

/* Prints the errors; returns the exit code. */
static int fail(struct grt_errors *errors, int code) {
    grt_errors_print(errors, stderr, "gpurt-view: ");
    grt_errors_clear(errors);
    return code;
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

/* ---- before there is a window ---- */

struct progress {
    struct timespec told; /* when it was said last, or when it began */
    bool is_shown;
};

/* Says on a terminal how far a simulation is that takes long. */
static bool tell(void *state, const struct grt_play_progress *play) {
    struct progress *progress = state;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec > progress->told.tv_sec && play->done_ratio >= 0) {
        fprintf(stderr, "\rgpurt-view: %3.0f %% ", 100 * play->done_ratio);
        progress->told = now;
        progress->is_shown = true;
    }
    return true;
}

/* Reads the files and makes the first view; NULL after adding errors. */
static struct viewer *open_viewer(const struct view_options *options, struct grt_errors *errors) {
    struct viewer_options wanted = options->viewer;
    struct progress progress = {.is_shown = false};
    clock_gettime(CLOCK_MONOTONIC, &progress.told);
    if (isatty(STDERR_FILENO)) {
        wanted.watch = (struct grt_play_watch){.keep_on = tell, .asker = &progress};
    }
    struct viewer *viewer = viewer_create(options->paths, options->path_count, &wanted, errors);
    if (viewer != NULL && !view_show_first(viewer, options, errors)) {
        viewer_free(viewer);
        viewer = NULL;
    }
    if (viewer != NULL) {
        viewer_set_watch(viewer, &(struct grt_play_watch){0});
    }
    if (progress.is_shown) {
        fprintf(stderr, "\r%*s\r", 20, ""); /* as long as what stands there */
    }
    return viewer;
}

/* ---- all of it ---- */

static int show(const struct view_options *options, const char *script) {
    struct grt_errors errors = {0};
    struct viewer *viewer = open_viewer(options, &errors);
    if (viewer == NULL) {
        return fail(&errors, INPUT);
    }
    int width = options->viewer.width, height = options->viewer.height;
    bool done = view_window_show(viewer, width, height, script, &errors);
    viewer_free(viewer);
    return done ? 0 : fail(&errors, FAILED);
}

int main(int argc, char **argv) {
    struct view_options options;
    struct grt_errors errors = {0};
    double text_size = 0;
    grt_crash_report("gpurt-view");
    grt_standard_streams_watch("gpurt-view");
    view_options_read(&options, argc, argv);
    if (options.writing != VIEW_WRITES_NOTHING) {
        view_options_write(&options, stdout);
        return 0;
    }
    char *script = options.script != NULL ? read_script(options.script, &errors) : NULL;
    if (options.script != NULL && script == NULL) {
        return fail(&errors, INPUT);
    }
    if (!view_window_find_display(&text_size, &errors)) {
        free(script);
        return fail(&errors, FAILED);
    }
    if (options.viewer.text_size == 0) {
        options.viewer.text_size = text_size;
    }
    if (options.viewer.width == 0) {
        options.viewer.width = 1280;
        options.viewer.height = 800;
    }
    int code = show(&options, script);
    free(script);
    return code;
}
