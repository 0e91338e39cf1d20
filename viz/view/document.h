/* A file that is shown: a trace or a scenario, read again when it changes, simulated again when its policy or a parameter is
 * changed in the window. What is shown stays until the new one is complete. */
#ifndef GRT_VIZ_VIEW_DOCUMENT_H
#define GRT_VIZ_VIEW_DOCUMENT_H

#include "scenarios/trace_source.h"
#include "viz/timeline/timeline.h"
#include "viz/view/changes.h"

/* A trace or a run of more records is refused: 8 GB and more of memory. */
#define VIEW_MOST_RECORDS UINT64_C(300000000)

/* Start it as {0}. */
struct view_document {
    const char *path; /* the caller's */
    struct grt_trace_source source;
    /* its address stays; its rows until the document is read or simulated again */
    struct grt_timeline timeline;
    struct view_changes changes; /* of a scenario; of a trace they do nothing */
};

/* Reads the file; a scenario is simulated with copies of the changes. False after adding errors; then nothing is to be freed. */
bool view_document_open(struct view_document *document, const char *path, const struct view_changes *changes,
                        const struct grt_play_watch *watch, struct grt_errors *errors);
/* The same with errors that begin with the file's name. */
bool view_document_open_named(struct view_document *document, const char *path,
                              const struct view_changes *changes, const struct grt_play_watch *watch,
                              struct grt_errors *errors);
void view_document_free(struct view_document *document);

/* Reads the file again. False after adding errors; what was shown stays. */
bool view_document_reload(struct view_document *document, const struct grt_play_watch *watch,
                          struct grt_errors *errors);

/* Simulates a scenario with one more change. False after adding errors; then nothing has changed. */
bool view_document_set(struct view_document *document, const char *change, const struct grt_play_watch *watch,
                       struct grt_errors *errors);

/* Takes back the last change. False after adding an error if there is none. */
bool view_document_unset(struct view_document *document, const struct grt_play_watch *watch,
                         struct grt_errors *errors);

/* Adds an error unless it is a scenario. */
bool view_document_is_scenario(const struct view_document *document, struct grt_errors *errors);

/* The file's name, the policy that was simulated, the last parameter that was changed and how many more were:
 * "quickstart.json (np-edf, tasks[0].period=20ms +1)". Returns `text`. */
char *view_document_name(const struct view_document *document, char *text, size_t size);

#endif
