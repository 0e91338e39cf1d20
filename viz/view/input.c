#include "viz/view/input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    int key;
} names[] = {
    {"Esc", VIEW_KEY_ESCAPE},
    {"Enter", VIEW_KEY_ENTER},
    {"Tab", VIEW_KEY_TAB},
    {"Backspace", VIEW_KEY_BACKSPACE},
    {"Delete", VIEW_KEY_DELETE},
    {"Left", VIEW_KEY_LEFT},
    {"Right", VIEW_KEY_RIGHT},
    {"Up", VIEW_KEY_UP},
    {"Down", VIEW_KEY_DOWN},
    {"Page-Up", VIEW_KEY_PAGE_UP},
    {"Page-Down", VIEW_KEY_PAGE_DOWN},
    {"Home", VIEW_KEY_HOME},
    {"End", VIEW_KEY_END},
    {"Space", ' '},
    {"Plus", '+'},
};

static const struct {
    const char *name;
    unsigned modifier;
} modifier_names[] = {{"Ctrl+", VIEW_CTRL}, {"Alt+", VIEW_ALT}, {"Shift+", VIEW_SHIFT}};

/* F1 to F12. */
static int function_key(const char *text) {
    int number = 0, length = 0;
    bool is_one = toupper((unsigned char)text[0]) == 'F' && sscanf(text + 1, "%2d%n", &number, &length) == 1;
    return is_one && text[1 + length] == '\0' && number >= 1 && number <= 12 ? VIEW_KEY_F1 + number - 1
                                                                             : VIEW_KEY_NONE;
}

bool view_key_parse(const char *text, int *key, unsigned *modifiers) {
    *modifiers = 0;
    for (size_t i = 0; i < sizeof modifier_names / sizeof modifier_names[0];) {
        size_t length = strlen(modifier_names[i].name);
        bool has = strncasecmp(text, modifier_names[i].name, length) == 0 && text[length] != '\0';
        *modifiers |= has ? modifier_names[i].modifier : 0;
        text += has ? length : 0;
        i = has ? 0 : i + 1;
    }
    *key = function_key(text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *key = strcasecmp(text, names[i].name) == 0 ? names[i].key : *key;
    }
    if (text[0] > ' ' && text[0] < 0x7f && text[1] == '\0') {
        *key = tolower((unsigned char)text[0]);
    }
    return *key != VIEW_KEY_NONE;
}

bool view_key_repeats(int key) {
    static const int special[] = {VIEW_KEY_BACKSPACE, VIEW_KEY_DELETE,    VIEW_KEY_LEFT,
                                  VIEW_KEY_RIGHT,     VIEW_KEY_UP,        VIEW_KEY_DOWN,
                                  VIEW_KEY_PAGE_UP,   VIEW_KEY_PAGE_DOWN, VIEW_KEY_F3};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (special[i] == key) {
            return true;
        }
    }
    return key > ' ' && key < 0x7f && strchr("wasdn.,[]<>{}+-=", key) != NULL;
}

size_t view_key_write(int key, unsigned modifiers, char *text, size_t size) {
    char single[8] = {(char)toupper(key & 0x7f)};
    const char *name = single;
    if (key >= VIEW_KEY_F1) {
        snprintf(single, sizeof single, "F%d", (key - VIEW_KEY_F1) % 12 + 1);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        name = key == names[i].key && key != '+' ? names[i].name : name;
    }
    int length = snprintf(text, size, "%s%s%s%s", (modifiers & VIEW_CTRL) != 0 ? "Ctrl+" : "",
                          (modifiers & VIEW_ALT) != 0 ? "Alt+" : "",
                          (modifiers & VIEW_SHIFT) != 0 ? "Shift+" : "", name);
    return (size_t)length < size ? (size_t)length : size - 1;
}
