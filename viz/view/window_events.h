/* What SDL tells of keyboard and pointer, as input for the viewer; and the other way round, for scripts. */
#ifndef GRT_VIZ_VIEW_WINDOW_EVENTS_H
#define GRT_VIZ_VIEW_WINDOW_EVENTS_H

#include <SDL.h>
#include <stdbool.h>

#include "viz/view/input.h"

/* What is to be known of events before to understand the next one. Starts as {.scale = 1}. */
struct view_events {
    double scale;       /* pixels of the frame per unit of SDL's pointer */
    bool wants_text;    /* what is typed goes into a text: to be set before each event */
    unsigned modifiers; /* of SDL, as the last event said: SDL_GetModState is later than events that wait */
    int last_key;       /* that went down, as a view_key; 0: none that has a meaning */
    bool began_in_text; /* it went down where a text was typed, which holding it is then meant for, too */
    bool held;          /* it repeats, and did not begin so */
    bool drop_text;     /* it was known by its place: its text means nothing */
    unsigned button;    /* of the pointer that is down; 0: none. Others wait until it is up. */
};

/* What a key, a text or the pointer means to the viewer; false if nothing. */
bool view_events_translate(struct view_events *events, const SDL_Event *event, struct view_input *input);

/* The event of SDL that has that meaning: what scripts say goes the way of real events. */
void view_events_make(const struct view_input *input, SDL_Event *event);

/* SDL's modifiers for those of an input. */
unsigned view_events_modifiers(const struct view_input *input);

#endif
