/* What a user would do, written down: a command a line. It drives the viewer without hands, for tests and for pictures in
 * documents. */
#ifndef GRT_VIZ_VIEW_SCRIPT_H
#define GRT_VIZ_VIEW_SCRIPT_H

#include <stdbool.h>

#include "sim/error.h"
#include "viz/view/input.h"

/* Who does what a script says. Each may fail, after adding an error. */
struct view_script_player {
    void *state;
    void (*send)(void *state, const struct view_input *input);
    bool (*command)(void *state, const char *text, struct grt_errors *errors);
    bool (*screenshot)(void *state, const char *path, struct grt_errors *errors);
    void (*wait)(void *state, int ms); /* goes on as if nobody did anything */
    const char *(*message)(void *state);
};

/* The lines that there are, for the manual. */
struct view_script_line {
    const char *form, *help;
};
extern const struct view_script_line view_script_lines[];
extern const size_t view_script_line_count;

/* Plays a script; ends at the first line that fails, after adding an error with its number. Empty lines are skipped, and those
 * that begin with #. */
bool view_script_play(const char *text, const struct view_script_player *player, struct grt_errors *errors);

#endif
