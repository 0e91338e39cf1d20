#include "viz/view/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

/* ---- changes ---- */

static char *copy(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(grt_allocate(size), text, size);
}

static void forget_changes(struct view_document *document) {
    free(document->policy);
    for (size_t i = 0; i < document->set_count; i++) {
        free(document->sets[i]);
    }
    free(document->sets);
    document->policy = NULL;
    document->sets = NULL;
    document->set_count = 0;
}

static void add_set(struct view_document *document, const char *change) {
    char **sets = grt_allocate((document->set_count + 1) * sizeof *sets);
    for (size_t i = 0; i < document->set_count; i++) {
        sets[i] = document->sets[i];
    }
    sets[document->set_count++] = copy(change);
    free(document->sets);
    document->sets = sets;
}

static bool is_same_path(const char *a, const char *b) {
    size_t length = strcspn(a, "=");
    return strcspn(b, "=") == length && strncmp(a, b, length) == 0;
}

/* The changes of `from` and one more. Parameters belong to a policy: with another one they are gone. */
static void take_changes(struct view_document *document, const struct view_document *from,
                         const char *change) {
    static const char policy[] = "policy=";
    bool is_policy = change != NULL && strncmp(change, policy, sizeof policy - 1) == 0;
    if (is_policy) {
        document->policy = copy(change + sizeof policy - 1);
    } else if (from->policy != NULL) {
        document->policy = copy(from->policy);
    }
    document->policy_after = from->policy_after;
    for (size_t i = 0; i < from->set_count; i++) {
        bool is_gone = change != NULL && (is_same_path(from->sets[i], change) ||
                                          (is_policy && strncmp(from->sets[i], "policy", 6) == 0));
        if (!is_gone) {
            add_set(document, from->sets[i]);
        } else if (i < from->policy_after) {
            document->policy_after--;
        }
    }
    document->policy_after = is_policy ? document->set_count : document->policy_after;
    if (change != NULL && !is_policy) {
        add_set(document, change);
    }
}

/* ---- reading ---- */

/* Plays the source into the timeline. */
static bool play(struct view_document *document, const struct grt_play_watch *watch,
                 struct grt_errors *errors) {
    struct grt_scenario_changes changes = {.policy = document->policy,
                                           .sets = (const char *const *)document->sets,
                                           .set_count = document->set_count};
    struct grt_play_watch limited = watch != NULL ? *watch : (struct grt_play_watch){0};
    limited.most_records = VIEW_MOST_RECORDS;
    switch (grt_trace_source_play(&document->source, &changes, &grt_timeline_sink, &document->timeline,
                                  &limited, errors)) {
    case GRT_PLAY_DONE:
        break;
    case GRT_PLAY_REFUSED:
        return false;
    case GRT_PLAY_STOPPED:
        grt_error_add(errors, NULL, "stopped");
        return false;
    case GRT_PLAY_FAILED:
        grt_error_add(errors, NULL, "cannot be shown");
        return false;
    }
    const struct grt_timeline *timeline = &document->timeline;
    if (timeline->beyond > 0 || timeline->begin < 0 || timeline->end > GRT_TIME_LIMIT) {
        grt_error_add(errors, NULL, "the trace has times beyond what gpurt simulates, and cannot be drawn");
        return false;
    }
    if (timeline->row_count == 0) {
        grt_error_add(errors, NULL,
                      "the trace names no tasks or resources, so that there is nothing to draw");
        return false;
    }
    document->is_loaded = true;
    return true;
}

void view_document_free(struct view_document *document) {
    grt_timeline_free(&document->timeline);
    grt_trace_source_close(&document->source);
    forget_changes(document);
    *document = (struct view_document){0};
}

static bool read_file(struct view_document *document, const struct grt_play_watch *watch,
                      struct grt_errors *errors) {
    if (!grt_trace_source_open(&document->source, document->path, errors)) {
        return false;
    }
    if (!document->source.is_scenario && (document->policy != NULL || document->set_count > 0)) {
        grt_error_add(errors, NULL,
                      "is a trace, which cannot be simulated with another policy or parameters");
        return false;
    }
    return play(document, watch, errors);
}

bool view_document_open(struct view_document *document, const char *path, const char *policy,
                        const char *const *sets, size_t set_count, const struct grt_play_watch *watch,
                        struct grt_errors *errors) {
    document->path = path;
    document->policy = policy != NULL ? copy(policy) : NULL;
    for (size_t i = 0; i < set_count; i++) {
        add_set(document, sets[i]);
    }
    if (!read_file(document, watch, errors)) {
        view_document_free(document);
        return false;
    }
    return true;
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
    take_changes(&fresh, document, NULL);
    if (!read_file(&fresh, watch, errors)) {
        if (fresh.source.stamp.known) { /* no second try before the file changes once more */
            document->source.stamp = fresh.source.stamp;
        }
        view_document_free(&fresh);
        return false;
    }
    replace(document, &fresh);
    return true;
}

static bool check_is_scenario(const struct view_document *document, struct grt_errors *errors) {
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
        document->source.policy = fresh->source.policy;
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
    if (!check_is_scenario(document, errors)) {
        return false;
    }
    if (strchr(change, '=') == NULL) {
        grt_error_add(errors, NULL, "a change is written path=value, as in tasks[0].period=20ms (got \"%s\")",
                      change);
        return false;
    }
    take_changes(&fresh, document, change);
    return simulate(document, &fresh, watch, errors);
}

bool view_document_unset(struct view_document *document, const struct grt_play_watch *watch,
                         struct grt_errors *errors) {
    struct view_document fresh = {0};
    if (!check_is_scenario(document, errors)) {
        return false;
    }
    if (document->set_count == 0 && document->policy == NULL) {
        grt_error_add(errors, NULL, "nothing was changed");
        return false;
    }
    take_changes(&fresh, document, NULL);
    if (fresh.set_count > 0 && (fresh.policy == NULL || fresh.policy_after < fresh.set_count)) {
        free(fresh.sets[--fresh.set_count]);
    } else {
        free(fresh.policy);
        fresh.policy = NULL;
    }
    return simulate(document, &fresh, watch, errors);
}

char *view_document_name(const struct view_document *document, char *text, size_t size) {
    const char *slash = strrchr(document->path, '/');
    int used = snprintf(text, size, "%.100s", slash != NULL && slash[1] != '\0' ? slash + 1 : document->path);
    size_t at = (size_t)used < size ? (size_t)used : size - 1;
    if (document->source.policy != NULL) {
        used =
            snprintf(text + at, size - at, " (%s%s%s)", document->source.policy,
                     document->set_count > 0 ? ", " : "", document->set_count > 0 ? document->sets[0] : "");
    }
    return text;
}
