/* Commands about what is shown: files, scenarios and their changes, pictures of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/terminal/library_files.h"
#include "sim/unit.h"
#include "viz/picture/paint.h"
#include "viz/picture/svg.h"
#include "viz/view/actions.h"
#include "viz/view/internal.h"

/* The length of an error without what it says of the command line's options, which nobody has used here. */
static int told_length(const char *message) {
    const char *option = strstr(message, " (set by --");
    return option != NULL ? (int)(option - message) : (int)strlen(message);
}

/* Shows the result of something that was done with a document, or why it could not be done. */
static void end_change(struct viewer *viewer, bool done, const char *what, struct grt_errors *errors) {
    const char *message = errors->count > 0 ? errors->messages[0] : "failed";
    if (done) {
        view_take_documents(viewer);
        view_say(viewer, "%s", what);
    } else if (errors->count > 1) {
        view_fail(viewer, "%.*s (and %zu more)", told_length(message), message, errors->count - 1);
    } else {
        view_fail(viewer, "%.*s", told_length(message), message);
    }
    grt_errors_clear(errors);
}

void view_reload(struct viewer *viewer, int64_t unused) {
    (void)unused;
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        struct grt_errors errors = {0};
        bool done = view_document_reload(&viewer->documents[run], &viewer->watch, &errors);
        end_change(viewer, done, "read again", &errors);
    }
}

/* Keeps where the user is: the same span of time, if there is still something. */
void view_take_set(struct viewer *viewer, const char *text) {
    struct grt_errors errors = {0};
    char said[VIEW_TEXT];
    snprintf(said, sizeof said, "simulated with %.400s", text);
    bool done =
        view_document_set(&viewer->documents[view_current_run(viewer)], text, &viewer->watch, &errors);
    end_change(viewer, done, said, &errors);
}

void view_take_policy(struct viewer *viewer, const char *text) {
    struct view_changes change = {0};
    view_changes_add_policy(&change, text);
    view_take_set(viewer, change.texts[0]);
    view_changes_free(&change);
}

void view_unset(struct viewer *viewer, int64_t unused) {
    struct grt_errors errors = {0};
    (void)unused;
    bool done = view_document_unset(&viewer->documents[view_current_run(viewer)], &viewer->watch, &errors);
    end_change(viewer, done, "the last change was taken back", &errors);
}

void view_alone(struct viewer *viewer, int64_t unused) {
    (void)unused;
    if (viewer->document_count < 2) {
        view_say(viewer, "there is one run only");
        return;
    }
    viewer->document_count = 1;
    if (viewer->panel == VIEW_PANEL_DIFFERENCES) {
        viewer->panel = VIEW_PANEL_NONE;
    }
    view_take_documents(viewer);
    view_document_free(&viewer->documents[1]);
    free(viewer->second_path);
    viewer->second_path = NULL;
    free(viewer->states[1]);
    viewer->states[1] = NULL;
}

/* The first one's scenario with a change as a second document. */
static bool open_changed(struct viewer *viewer, const char *change, struct view_document *second,
                         struct grt_errors *errors) {
    const struct view_document *first = &viewer->documents[0];
    struct view_changes changes = {0};
    if (!view_document_is_scenario(first, errors)) {
        return false;
    }
    if (strcmp(first->path, "-") == 0) {
        grt_error_add(errors, NULL, "standard input cannot be read again");
        return false;
    }
    view_changes_add_all(&changes, &first->changes);
    view_changes_add(&changes, change);
    bool done = view_document_open(second, first->path, &changes, &viewer->watch, errors);
    view_changes_free(&changes);
    return done;
}

/* A file, or one of the library by its name; `path` is the caller's to free. */
static bool open_file(const char *text, char **path, struct viewer *viewer, struct view_document *second,
                      struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_errors found = {0};
    struct view_changes none = {0};
    const char *known = grt_library_path(text, GRT_LIBRARY_SCENARIO, &arena, &found);
    if (known == NULL) {
        grt_error_add(errors, NULL, "%s: %s", text, found.messages[0]);
    }
    *path = known != NULL ? strdup(known) : NULL;
    grt_errors_clear(&found);
    grt_arena_clear(&arena);
    return *path != NULL && view_document_open_named(second, *path, &none, &viewer->watch, errors);
}

/* What was beside the first run stays until the new one is complete. */
void view_take_against(struct viewer *viewer, const char *text) {
    struct grt_errors errors = {0};
    struct view_document second = {0};
    char *path = NULL;
    bool is_file = strchr(text, '=') == NULL || access(text, F_OK) == 0;
    bool done = is_file ? open_file(text, &path, viewer, &second, &errors)
                        : open_changed(viewer, text, &second, &errors);
    if (done) {
        enum view_panel panel = viewer->panel;
        if (viewer->document_count > 1) {
            view_alone(viewer, 0);
        }
        viewer->documents[1] = second;
        viewer->document_count = 2;
        viewer->second_path = path;
        viewer->panel = panel;
    } else {
        free(path);
    }
    end_change(viewer, done, "A is the first run, B the second", &errors);
}

void view_take_tolerance(struct viewer *viewer, const char *text) {
    int64_t tolerance;
    const char *fault = grt_unit_parse(GRT_QUANTITY_TIME, text, &tolerance);
    if (fault != NULL || tolerance < 0) {
        view_fail(viewer, "%s", fault != NULL ? fault : "must not be negative");
        return;
    }
    viewer->tolerance = tolerance;
    view_forget_answers(viewer);
    view_arrange_rows(viewer);
}

/* ---- pictures ---- */

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text), size = strlen(end);
    return length > size && strcasecmp(text + length - size, end) == 0;
}

static bool write_picture(struct viewer *viewer, const char *path, struct grt_errors *errors) {
    grt_colour background = view_colour(viewer, GRT_ROLE_BACKGROUND);
    if (viewer->scene_changed) { /* since it was painted */
        view_lay_out(viewer);
        grt_scene_draw_as(&viewer->view, &viewer->layout, &viewer->scene);
    }
    if (ends_in(path, ".png")) {
        return grt_paint_png(&viewer->scene, path, 1, background, errors);
    }
    if (ends_in(path, ".svg")) {
        struct grt_svg svg = {.background = background};
        return grt_svg_write(&viewer->scene, path, &svg, errors);
    }
    if (ends_in(path, ".pdf")) {
        struct grt_pdf pdf = {.width_mm = GRT_PICTURE_PAPER_MM, .background = background};
        return grt_paint_pdf(&viewer->scene, path, &pdf, errors);
    }
    grt_error_add(errors, NULL, "the name must end in .png, .svg or .pdf (got \"%s\")", path);
    return false;
}

void view_take_export(struct viewer *viewer, const char *text) {
    struct grt_errors errors = {0};
    if (write_picture(viewer, text, &errors)) {
        view_say(viewer, "%s was written", text);
    } else {
        view_fail(viewer, "%s", errors.count > 0 ? errors.messages[0] : "could not be written");
    }
    grt_errors_clear(&errors);
}

void view_take_command(struct viewer *viewer, const char *text) {
    struct grt_errors errors = {0};
    if (strncmp(text, "command", 7) == 0) {
        view_fail(viewer, "give the command's name without :");
    } else if (!viewer_command(viewer, text, &errors) && errors.count > 0) {
        view_fail(viewer, "%s", errors.messages[0]);
    }
    grt_errors_clear(&errors);
}
