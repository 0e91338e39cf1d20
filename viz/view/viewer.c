#include "viz/view/viewer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/memory.h"
#include "viz/answers/time_text.h"
#include "viz/view/internal.h"

enum { MOST_ARGUMENT = 1000000000 }; /* of commands */

/* ---- what is said ---- */

static void say(struct viewer *viewer, bool is_error, const char *format, va_list arguments) {
    vsnprintf(viewer->message, sizeof viewer->message, format, arguments);
    viewer->message_is_error = is_error;
    view_touch(viewer);
}

void view_say(struct viewer *viewer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(viewer, false, format, arguments);
    va_end(arguments);
}

void view_fail(struct viewer *viewer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(viewer, true, format, arguments);
    va_end(arguments);
    if (viewer->errors != NULL) {
        grt_error_add(viewer->errors, NULL, "%s", viewer->message);
    }
}

void view_touch(struct viewer *viewer) {
    viewer->changed = true;
}

void view_touch_scene(struct viewer *viewer) {
    viewer->changed = true;
    viewer->scene_changed = true;
}

/* ---- documents ---- */

/* What the user has made of the rows stays where rows of the same kind and number are there still. */
static void keep_states(struct viewer *viewer, uint32_t run, const uint32_t old_rows[GRT_ROW_KINDS + 1]) {
    const struct grt_timeline *timeline = view_timeline(viewer, run);
    struct view_row_state *states = grt_allocate((timeline->row_count + 1) * sizeof *states);
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        const struct grt_row *row = &timeline->rows[i];
        uint32_t before = old_rows[row->kind] + row->index;
        bool was_there = viewer->states[run] != NULL && before < old_rows[row->kind + 1];
        states[i] = was_there ? viewer->states[run][before] : (struct view_row_state){0};
    }
    free(viewer->states[run]);
    viewer->states[run] = states;
}

static void make_title(struct viewer *viewer) {
    const struct view_document *first = &viewer->documents[0], *second = &viewer->documents[1];
    bool two = viewer->document_count > 1;
    char a[VIEW_TEXT / 3], b[VIEW_TEXT / 3];
    snprintf(viewer->title, sizeof viewer->title, "%s%s%s%s - gpurt-view", two ? "A: " : "",
             view_document_name(first, a, sizeof a), two ? ", B: " : "",
             two ? view_document_name(second, b, sizeof b) : "");
}

void view_take_documents(struct viewer *viewer) {
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        keep_states(viewer, run, viewer->known_rows[run]);
        memcpy(viewer->known_rows[run], view_timeline(viewer, run)->first_rows,
               sizeof viewer->known_rows[run]);
    }
    viewer->view.timeline = view_timeline(viewer, 0);
    viewer->chosen = viewer->hover = view_nothing();
    view_forget_answers(viewer);
    view_forget_overview(viewer);
    viewer->last_hit = view_nothing();
    view_arrange_rows(viewer);
    make_title(viewer);
    view_move_span(viewer, viewer->view.from, viewer->view.to);
    view_choose_again(viewer);
    view_touch_scene(viewer);
}

/* Changes are for scenarios: one of the files must be one. */
static bool can_be_changed(const struct viewer *viewer, const struct view_changes *changes,
                           struct grt_errors *errors) {
    bool any = changes->count == 0;
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        any |= viewer->documents[run].source.is_scenario;
    }
    if (!any) {
        grt_error_add(errors, NULL,
                      "%s: is a trace, which cannot be simulated with another policy or parameters",
                      viewer->documents[0].path);
    }
    return any;
}

static bool open_documents(struct viewer *viewer, const char *const *paths, size_t path_count,
                           const struct viewer_options *options, struct grt_errors *errors) {
    struct view_changes changes = {0};
    if (options->policy != NULL) {
        view_changes_add_policy(&changes, options->policy);
    }
    for (size_t i = 0; i < options->set_count; i++) {
        view_changes_add(&changes, options->sets[i]);
    }
    bool good = true;
    for (size_t i = 0; i < path_count && i < VIEW_RUNS && good; i++) {
        good = view_document_open_named(&viewer->documents[i], paths[i], &changes, &viewer->watch, errors);
        viewer->document_count += good;
    }
    good = good && can_be_changed(viewer, &changes, errors);
    view_changes_free(&changes);
    return good;
}

struct viewer *viewer_create(const char *const *paths, size_t path_count,
                             const struct viewer_options *options, struct grt_errors *errors) {
    struct viewer *viewer = grt_allocate(sizeof *viewer);
    *viewer = (struct viewer){.view = {.theme = options->theme != NULL ? options->theme : &grt_themes[0],
                                       .text_size = options->text_size > 0 ? options->text_size : 13},
                              .width = options->width > 0 ? options->width : 1280,
                              .height = options->height > 0 ? options->height : 800,
                              .x = -1,
                              .y = -1,
                              .cursor = GRT_NO_SHOWN_ROW,
                              .difference_at = -GRT_TIME_LIMIT,
                              .tolerance = options->tolerance,
                              .watch = options->watch};
    if (!open_documents(viewer, paths, path_count, options, errors)) {
        viewer_free(viewer);
        return NULL;
    }
    viewer->painter = grt_painter_create();
    viewer->usual_text_size = viewer->view.text_size;
    viewer->past_count = 1;
    viewer->view.from = -GRT_TIME_LIMIT; /* all of it, whatever it is */
    viewer->view.to = GRT_TIME_LIMIT;
    view_take_documents(viewer);
    return viewer;
}

void viewer_free(struct viewer *viewer) {
    view_forget_answers(viewer);
    view_forget_overview(viewer);
    for (uint32_t run = 0; run < VIEW_RUNS; run++) {
        view_document_free(&viewer->documents[run]);
        free(viewer->states[run]);
        free(viewer->places[run]);
    }
    grt_layout_free(&viewer->layout);
    grt_row_patterns_free(&viewer->filter);
    grt_picture_free(&viewer->scene);
    grt_picture_free(&viewer->top);
    grt_painter_free(viewer->painter);
    free(viewer->rows);
    free(viewer->second_path);
    free(viewer->scene_pixels);
    free(viewer);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads a file that has changed. */
static void take_new_version(struct viewer *viewer, struct view_document *document) {
    struct grt_errors errors = {0};
    if (view_document_reload(document, &viewer->watch, &errors)) {
        view_take_documents(viewer);
        view_say(viewer, "%s was read again", document->path);
    } else if (errors.count > 0) {
        view_fail(viewer, "%s has changed, but %s", document->path, errors.messages[0]);
    }
    grt_errors_clear(&errors);
}

bool viewer_look_at_files(struct viewer *viewer) {
    bool changed = false;
    double begin = seconds();
    for (uint32_t run = 0; run < viewer->document_count && begin >= viewer->rests_until; run++) {
        if (grt_trace_source_has_changed(&viewer->documents[run].source)) {
            take_new_version(viewer, &viewer->documents[run]);
            changed = true;
        }
    }
    if (changed) { /* a trace that still grows is not read all the time */
        viewer->rests_until = seconds() + 2 * (seconds() - begin);
    }
    return changed;
}

/* ---- input ---- */

static void take_key(struct viewer *viewer, int key, unsigned modifiers) {
    if (view_help_key(viewer, key) || view_panel_key(viewer, key, modifiers)) {
        return;
    }
    const struct view_command *command = view_command_of_key(key, modifiers);
    if (command != NULL) {
        viewer->message[0] = '\0';
        view_run(viewer, command, command->argument);
        viewer->swallowed = viewer->prompt != NULL ? key : 0;
    }
}

/* Keys with signs have no place of their own on many keyboards: they come as text. */
static void take_text(struct viewer *viewer, const char *text) {
    int sign = (unsigned char)text[0];
    if (text[1] == '\0' && sign > ' ' && !isalnum(sign)) {
        take_key(viewer, sign, 0);
        viewer->swallowed = 0; /* it has come already */
    }
}

static void resize(struct viewer *viewer, double width, double height) {
    viewer->width = width < VIEWER_LEAST_SIDE  ? VIEWER_LEAST_SIDE
                    : width > VIEWER_MOST_SIDE ? VIEWER_MOST_SIDE
                                               : width;
    viewer->height = height < VIEWER_LEAST_SIDE  ? VIEWER_LEAST_SIDE
                     : height > VIEWER_MOST_SIDE ? VIEWER_MOST_SIDE
                                                 : height;
    view_touch_scene(viewer);
}

/* What is done next is done to rows as they are now, painted or not. */
static void catch_up(struct viewer *viewer) {
    if (viewer->scene_changed) {
        view_lay_out(viewer);
    }
}

void viewer_input(struct viewer *viewer, const struct view_input *input) {
    catch_up(viewer);
    switch (input->kind) {
    case VIEW_INPUT_CLOSE:
        viewer->closed = true;
        return;
    case VIEW_INPUT_RESIZE:
        resize(viewer, input->x, input->y);
        return;
    case VIEW_INPUT_KEY:
    case VIEW_INPUT_TEXT:
        break;
    default:
        view_point(viewer, input);
        return;
    }
    if (viewer->prompt != NULL) {
        view_prompt_input(viewer, input);
    } else if (input->kind == VIEW_INPUT_KEY) {
        take_key(viewer, input->key, input->modifiers);
    } else {
        take_text(viewer, input->text);
    }
}

/* The number behind a command's name; its own where there is none. False after adding an error. */
static bool read_argument(const struct view_command *command, const char *text, int64_t *argument,
                          struct grt_errors *errors) {
    char *end = NULL;
    long long number = strtoll(text, &end, 10);
    bool is_one =
        end != text && end[strspn(end, " ")] == '\0' && number >= -MOST_ARGUMENT && number <= MOST_ARGUMENT;
    *argument = text[0] == '\0' ? command->argument : number;
    if (text[0] != '\0' && !is_one) {
        grt_error_add(errors, NULL, "%s takes nothing or a number (got \"%s\")", command->name, text);
        return false;
    }
    return true;
}

bool viewer_command(struct viewer *viewer, const char *text, struct grt_errors *errors) {
    size_t length = strcspn(text, " ");
    const struct view_command *command = view_command_find(text, length);
    const char *rest = text + length + strspn(text + length, " ");
    size_t before = errors->count;
    if (command == NULL) {
        grt_error_add(errors, NULL, "there is no command \"%.*s\"", (int)length, text);
        return false;
    }
    catch_up(viewer);
    bool takes_text = command->take != NULL && rest[0] != '\0';
    int64_t argument = 0;
    if (!takes_text && !read_argument(command, rest, &argument, errors)) {
        return false;
    }
    struct grt_errors *outer = viewer->errors;
    viewer->errors = errors;
    viewer->message[0] = '\0';
    viewer->message_is_error = false;
    if (takes_text) {
        command->take(viewer, rest);
    } else {
        view_run(viewer, command, argument);
    }
    viewer->errors = outer;
    view_touch(viewer);
    return errors->count == before;
}

void viewer_show(struct viewer *viewer, grt_time from, grt_time to) {
    struct view_span run = view_run_span(viewer);
    view_show_span(viewer, from != GRT_TIME_NEVER ? from : run.from, to != GRT_TIME_NEVER ? to : run.to + 1);
}

/* ---- progress ---- */

void viewer_set_watch(struct viewer *viewer, const struct grt_play_watch *watch) {
    viewer->watch = *watch;
}

void viewer_say_progress(struct viewer *viewer, const struct grt_play_progress *progress) {
    char at[GRT_TIME_WORDS], share[32] = "";
    grt_instant_words(progress->time, at);
    if (progress->done_ratio >= 0) {
        snprintf(share, sizeof share, " (%.0f %%)", 100 * progress->done_ratio);
    }
    view_say(viewer, "at %s%s; Esc stops", at, share);
}

/* ---- what a reader should know of what is shown ---- */

bool view_write_notice(const struct viewer *viewer, char *text, size_t size) {
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        const struct view_document *document = &viewer->documents[run];
        const struct grt_timeline *timeline = &document->timeline;
        if (document->source.cut) {
            snprintf(text, size, "%s was cut short: its end is missing", document->path);
            return true;
        }
        if (timeline->left_out > 0) {
            snprintf(text, size, "%s: %" PRIu64 " records belong to no row and are not shown", document->path,
                     timeline->left_out);
            return true;
        }
        if (timeline->record_count == 0) {
            snprintf(text, size, "%s: nothing happens", document->path);
            return true;
        }
    }
    return false;
}

/* ---- what the window asks ---- */

bool viewer_has_changed(const struct viewer *viewer) {
    return viewer->changed;
}

bool viewer_is_closed(const struct viewer *viewer) {
    return viewer->closed;
}

bool viewer_wants_full_screen(const struct viewer *viewer) {
    return viewer->full_screen;
}

bool viewer_wants_text(const struct viewer *viewer) {
    return viewer->prompt != NULL;
}

const char *viewer_title(const struct viewer *viewer) {
    return viewer->title;
}

const char *viewer_message(const struct viewer *viewer) {
    return viewer->message;
}
