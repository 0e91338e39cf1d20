/* What the viewer can be told, in one table: keys, names for scripts and buttons, the help, the manual. */
#ifndef GRT_VIZ_VIEW_COMMAND_H
#define GRT_VIZ_VIEW_COMMAND_H

#include <stddef.h>
#include <stdint.h>

struct viewer;

enum { VIEW_COMMAND_KEYS = 4 };

struct view_command {
    const char *name;                    /* "zoom-in"; NULL: the entry is a heading, in `help` */
    const char *keys[VIEW_COMMAND_KEYS]; /* as view_key_parse reads them */
    const char *help;                    /* what it does, without a period */
    void (*run)(struct viewer *viewer, int64_t argument);
    int64_t argument; /* where nobody gives another */
    void (*take)(struct viewer *viewer,
                 const char *text); /* instead of `run`: what it does with a text that is typed */
    const char *wanted;             /* what that text is: "find" */
    const char *example;
};

extern const struct view_command view_commands[];
extern const size_t view_command_count;

/* What mouse buttons and the wheel do, for the help: pairs of texts. */
struct view_gesture {
    const char *gesture, *help;
};
extern const struct view_gesture view_gestures[];
extern const size_t view_gesture_count;

/* NULL if there is none. */
const struct view_command *view_command_find(const char *name, size_t length);
const struct view_command *view_command_of_key(int key, unsigned modifiers);

/* Its keys, "Z, F". Returns the length. */
size_t view_command_keys(const struct view_command *command, char *text, size_t size);

/* Runs one, or opens its prompt. */
void view_run(struct viewer *viewer, const struct view_command *command, int64_t argument);

#endif
