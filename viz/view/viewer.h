/* The viewer without its window: it takes what a user does (input.h) and paints frames. So tests and scripts drive it as the
 * window does. Everything is one thread's. */
#ifndef GRT_VIZ_VIEW_VIEWER_H
#define GRT_VIZ_VIEW_VIEWER_H

#include <stdbool.h>
#include <stdint.h>

#include "scenarios/trace_source.h"
#include "sim/error.h"
#include "sim/time.h"
#include "viz/picture/paint.h"
#include "viz/picture/picture.h"
#include "viz/scene/theme.h"
#include "viz/view/input.h"

struct viewer;

struct viewer_options {
    const struct grt_theme *theme; /* NULL: light */
    double text_size;              /* pixels per em; 0: 13 */
    int width, height;             /* of the first frame; 0: 1280 x 800 */
    const char *policy;            /* for scenarios: instead of theirs; NULL: theirs */
    const char *const *sets;       /* for scenarios: "path=value" */
    size_t set_count;
    grt_time tolerance;          /* ns: what begins or ends so little apart in two runs is equal */
    struct grt_play_watch watch; /* asked while the first files are read */
};

/* The smallest and largest window, and text in pixels per em. */
enum {
    VIEWER_LEAST_SIDE = 160,
    VIEWER_MOST_SIDE = 16384,
    VIEWER_LEAST_TEXT = GRT_PICTURE_LEAST_TEXT,
    VIEWER_MOST_TEXT = GRT_PICTURE_MOST_TEXT,
};

/* Reads one or two files, traces or scenarios, which are simulated. The second is shown beside the first. NULL after adding
 * errors. */
struct viewer *viewer_create(const char *const *paths, size_t path_count,
                             const struct viewer_options *options, struct grt_errors *errors);
void viewer_free(struct viewer *viewer);

void viewer_input(struct viewer *viewer, const struct view_input *input);

/* Shows a span of time; GRT_TIME_NEVER: from the begin, or to the end. */
void viewer_show(struct viewer *viewer, grt_time from, grt_time to);

/* Who is asked from now on while files are read or simulated; `keep_on` may paint and must not give input. */
void viewer_set_watch(struct viewer *viewer, const struct grt_play_watch *watch);

/* Says how far a simulation is, in the line below. */
void viewer_say_progress(struct viewer *viewer, const struct grt_play_progress *progress);

/* Runs a command by its name, "zoom-in" or "set policy=fifo"; false after adding an error if there is none of that name, or if
 * it had failed. */
bool viewer_command(struct viewer *viewer, const char *text, struct grt_errors *errors);

/* Looks whether a file has changed and reads it again; to be called a few times a second. True if something changed. */
bool viewer_look_at_files(struct viewer *viewer);

/* Whether the next frame differs from the last one. */
bool viewer_has_changed(const struct viewer *viewer);

/* Paints the whole frame, whose size becomes the viewer's; `scale` is not used. */
void viewer_paint(struct viewer *viewer, const struct grt_frame *frame);

/* What the user wants of the window. */
bool viewer_is_closed(const struct viewer *viewer);
bool viewer_wants_full_screen(const struct viewer *viewer);
bool viewer_wants_text(const struct viewer *viewer); /* typing goes into a text */

/* For the window's title: what is shown. Valid until the next input. */
const char *viewer_title(const struct viewer *viewer);

/* What the line below says; "" if nothing. Valid until the next input. */
const char *viewer_message(const struct viewer *viewer);

#endif
