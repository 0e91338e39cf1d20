#include "viz/view/first_view.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/view/internal.h"

/* A command with a text of any length behind its name. */
static bool run(struct viewer *viewer, const char *name, const char *text, struct grt_errors *errors) {
    if (text == NULL) {
        return true;
    }
    size_t length = strlen(name), size = strlen(text) + 1;
    char *line = grt_allocate(length + size);
    memcpy(line, name, length);
    memcpy(line + length, text, size);
    bool done = viewer_command(viewer, line, errors);
    free(line);
    return done;
}

static bool show_time(struct viewer *viewer, const struct view_options *options, struct grt_errors *errors) {
    struct view_span whole = view_run_span(viewer);
    bool begins = options->from != GRT_TIME_NEVER, ends = options->to != GRT_TIME_NEVER;
    if (begins && options->from > whole.to) { /* what is at the end itself can be seen */
        grt_error_add(errors, NULL, "--from is behind the end of %s",
                      viewer->document_count > 1 ? "both runs" : "the run");
        return false;
    }
    if (ends && options->to <= whole.from) {
        grt_error_add(errors, NULL, "--to is before the begin of %s",
                      viewer->document_count > 1 ? "both runs" : "the run");
        return false;
    }
    if (begins || ends) {
        viewer_show(viewer, options->from, options->to);
    }
    return true;
}

bool view_show_first(struct viewer *viewer, const struct view_options *options, struct grt_errors *errors) {
    return run(viewer, "against ", options->against, errors) &&
           run(viewer, "filter ", options->rows, errors) && show_time(viewer, options, errors);
}
