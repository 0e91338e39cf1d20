/* What a user does, free of any window system: the window (window.c) and scripts (script.c) make these, the viewer takes
 * them. */
#ifndef GRT_VIZ_VIEW_INPUT_H
#define GRT_VIZ_VIEW_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* A key that has a character is that character, letters as small ones; the others are these. */
enum view_key {
    VIEW_KEY_NONE,
    VIEW_KEY_ESCAPE = 0x100,
    VIEW_KEY_ENTER,
    VIEW_KEY_TAB,
    VIEW_KEY_BACKSPACE,
    VIEW_KEY_DELETE,
    VIEW_KEY_LEFT,
    VIEW_KEY_RIGHT,
    VIEW_KEY_UP,
    VIEW_KEY_DOWN,
    VIEW_KEY_PAGE_UP,
    VIEW_KEY_PAGE_DOWN,
    VIEW_KEY_HOME,
    VIEW_KEY_END,
    VIEW_KEY_F1,
    VIEW_KEY_F3 = VIEW_KEY_F1 + 2,
    VIEW_KEY_F5 = VIEW_KEY_F1 + 4,
    VIEW_KEY_F11 = VIEW_KEY_F1 + 10,
    VIEW_KEY_F12 = VIEW_KEY_F1 + 11,
};

enum view_modifier { VIEW_SHIFT = 1, VIEW_CTRL = 2, VIEW_ALT = 4 };

enum view_button { VIEW_BUTTON_LEFT = 1, VIEW_BUTTON_MIDDLE, VIEW_BUTTON_RIGHT };

enum view_input_kind {
    VIEW_INPUT_KEY,     /* key went down, or repeats: key, modifiers */
    VIEW_INPUT_TEXT,    /* text was typed, which also a key may have caused: text */
    VIEW_INPUT_MOVE,    /* the pointer moved: x, y, modifiers */
    VIEW_INPUT_PRESS,   /* button went down: x, y, button, clicks, modifiers */
    VIEW_INPUT_RELEASE, /* button went up: x, y, button */
    VIEW_INPUT_WHEEL,   /* wheel_x, wheel_y in notches, away from the user is up: x, y, modifiers */
    VIEW_INPUT_LEAVE,   /* the pointer left the window */
    VIEW_INPUT_RESIZE,  /* the window has a new size: x, y in pixels */
    VIEW_INPUT_CLOSE,   /* the window is to be closed */
};

struct view_input {
    enum view_input_kind kind;
    int key;
    unsigned modifiers;
    char text[32];
    double x, y; /* pixels from the window's upper left corner */
    enum view_button button;
    int clicks; /* 2: a double click */
    double wheel_x, wheel_y;
};

/* A key from what people write: "a", "shift+n", "ctrl+plus", "F12", "Page-Down". False if it is none. */
bool view_key_parse(const char *text, int *key, unsigned *modifiers);

/* Whether a key that is held does its work again and again: moving does, opening and switching does not. */
bool view_key_repeats(int key);

/* The same as view_key_parse the other way round, as the help shows it: "Ctrl+F", "Shift+N". Returns the length. */
size_t view_key_write(int key, unsigned modifiers, char *text, size_t size);

#endif
