#include "viz/view/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/change_options.h"
#include "sim/input_name.h"

/* ---- reading ---- */

/* Plays the source into the timeline. */
static bool play(struct view_document *document, const struct grt_play_watch *watch,
                 struct grt_errors *errors) {
    struct view_changes_sum sum = view_changes_sum(&document->changes);
    struct grt_scenario_changes changes = {.names = &grt_change_option_names,
                                           .policy = sum.policy,
                                           .sets = sum.sets,
                                           .set_count = sum.set_count};
    struct grt_play_watch limited = watch != NULL ? *watch : (struct grt_play_watch){0};
    limited.most_records = VIEW_MOST_RECORDS;
    enum grt_play_end end = grt_trace_source_play(&document->source, &changes, &grt_timeline_sink,
                                                  &document->timeline, &limited, errors);
    free(sum.sets);
    if (end == GRT_PLAY_STOPPED) {
        grt_error_add(errors, NULL, "stopped");
    } else if (end == GRT_PLAY_FAILED) {
        grt_error_add(errors, NULL, "cannot be shown");
    }
    return end == GRT_PLAY_DONE && grt_timeline_is_drawable(&document->timeline, errors);
}

void view_document_free(struct view_document *document) {
    grt_timeline_free(&document->timeline);
    grt_trace_source_close(&document->source);
    view_changes_free(&document->changes);
    *document = (struct view_document){0};
}

bool view_document_open(struct view_document *document, const char *path, const struct view_changes *changes,
                        const struct grt_play_watch *watch, struct grt_errors *errors) {
    document->path = path;
    view_changes_add_all(&document->changes, changes);
    if (!grt_trace_source_open(&document->source, path, errors) || !play(document, watch, errors)) {
        view_document_free(document);
        return false;
    }
    return true;
}

bool view_document_open_named(struct view_document *document, const char *path,
                              const struct view_changes *changes, const struct grt_play_watch *watch,
                              struct grt_errors *errors) {
    struct grt_errors found = {0};
    bool open = view_document_open(document, path, changes, watch, &found);
    for (size_t i = 0; i < found.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(errors, NULL, "%s: %s", grt_input_name(path), found.messages[i]);
    }
    grt_errors_clear(&found);
    return open;
}

/* Puts a document that was read in the place of the one that was shown. */
static void replace(struct view_document *document, struct view_document *by) {
    by->path = document->path;
    view_document_free(document);
    *document = *by;
    *by = (struct view_document){0};
}

bool view_document_reload(struct view_document *document, const struct grt_play_watch *watch,
                          struct grt_errors *errors) {
    struct view_document fresh = {.path = document->path};
    if (strcmp(document->path, "-") == 0) {
        grt_error_add(errors, NULL, "standard input cannot be read again");
        return false;
    }
    view_changes_add_all(&fresh.changes, &document->changes);
    bool open = grt_trace_source_open(&fresh.source, document->path, errors);
    if (!open || !play(&fresh, watch, errors)) {
        if (fresh.source.stamp.known) { /* no second try before the file changes once more */
            document->source.stamp = fresh.source.stamp;
        }
        view_document_free(&fresh);
        return false;
    }
    replace(document, &fresh);
    return true;
}

/* ---- changes ---- */

bool view_document_is_scenario(const struct view_document *document, struct grt_errors *errors) {
    if (!document->source.is_scenario) {
        grt_error_add(errors, NULL, "is a trace: only scenarios can be simulated with changes");
    }
    return document->source.is_scenario;
}

/* Simulates with the changes that `fresh` has. */
static bool simulate(struct view_document *document, struct view_document *fresh,
                     const struct grt_play_watch *watch, struct grt_errors *errors) {
    fresh->source = document->source;
    if (!play(fresh, watch, errors)) {
        fresh->source = (struct grt_trace_source){0};
        view_document_free(fresh);
        return false;
    }
    document->source = (struct grt_trace_source){0};
    replace(document, fresh);
    return true;
}

bool view_document_set(struct view_document *document, const char *change, const struct grt_play_watch *watch,
                       struct grt_errors *errors) {
    struct view_document fresh = {0};
    if (!view_document_is_scenario(document, errors)) {
        return false;
    }
    if (strchr(change, '=') == NULL) {
        grt_error_add(errors, NULL, "a change is written path=value, as in tasks[0].period=20ms (got \"%s\")",
                      change);
        return false;
    }
    view_changes_add_all(&fresh.changes, &document->changes);
    view_changes_add(&fresh.changes, change);
    return simulate(document, &fresh, watch, errors);
}

bool view_document_unset(struct view_document *document, const struct grt_play_watch *watch,
                         struct grt_errors *errors) {
    struct view_document fresh = {0};
    if (!view_document_is_scenario(document, errors)) {
        return false;
    }
    if (document->changes.count == 0) {
        grt_error_add(errors, NULL, "nothing was changed");
        return false;
    }
    view_changes_add_all(&fresh.changes, &document->changes);
    view_changes_drop(&fresh.changes);
    return simulate(document, &fresh, watch, errors);
}

/* ---- names ---- */

/* The last parameter that was changed, and how many more; "" if none was. */
static void write_changes(const struct view_document *document, char *text, size_t size) {
    struct view_changes_sum sum = view_changes_sum(&document->changes);
    text[0] = '\0';
    if (sum.set_count > 0) {
        snprintf(text, size, ", %s", sum.sets[sum.set_count - 1]);
    }
    if (sum.set_count > 1) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, " +%zu", sum.set_count - 1);
    }
    free(sum.sets);
}

char *view_document_name(const struct view_document *document, char *text, size_t size) {
    char changes[80];
    const char *slash = strrchr(document->path, '/');
    const char *name = slash != NULL && slash[1] != '\0' ? slash + 1 : document->path;
    write_changes(document, changes, sizeof changes);
    if (document->source.policy != NULL) {
        snprintf(text, size, "%.60s (%s%s)", name, document->source.policy, changes);
    } else {
        snprintf(text, size, "%.60s", grt_input_name(name));
    }
    return text;
}
