/* A text that is typed for a command: what to find, where to go, what to change. */
#include <string.h>

#include "viz/picture/text_utf8.h"
#include "viz/view/internal.h"

void view_open_prompt(struct viewer *viewer, const struct view_command *command, const char *text) {
    size_t length = strlen(text);
    viewer->prompt = command;
    length = length < sizeof viewer->prompt_text ? length : sizeof viewer->prompt_text - 1;
    memcpy(viewer->prompt_text, text, length);
    viewer->prompt_text[length] = '\0';
    viewer->message[0] = '\0';
    view_touch(viewer);
}

static void add_text(struct viewer *viewer, const char *text) {
    size_t length = strlen(viewer->prompt_text), more = strlen(text);
    int swallowed = viewer->swallowed;
    viewer->swallowed = 0;
    if (swallowed != 0 && text[1] == '\0' && (text[0] | 0x20) == (swallowed | 0x20)) {
        return; /* it belongs to the key that opened the prompt */
    }
    if (length + more < sizeof viewer->prompt_text) {
        memcpy(viewer->prompt_text + length, text, more + 1);
    }
    viewer->message[0] = '\0';
    view_touch(viewer);
}

/* Removes the last character, which may be several bytes. */
static void remove_last(struct viewer *viewer) {
    size_t length = strlen(viewer->prompt_text);
    while (length > 0 && ((unsigned char)viewer->prompt_text[--length] & 0xc0) == 0x80) {
    }
    viewer->prompt_text[length] = '\0';
    view_touch(viewer);
}

/* The search stays open, so that the same key finds the next hit. */
static void take_text(struct viewer *viewer, unsigned modifiers) {
    const struct view_command *command = viewer->prompt;
    char text[VIEW_TEXT];
    memcpy(text, viewer->prompt_text, sizeof text);
    viewer->message_is_error = false;
    if (strcmp(command->name, "search") == 0) {
        view_search(viewer, text, (modifiers & VIEW_SHIFT) != 0 ? -1 : 1);
        return;
    }
    viewer->prompt = NULL;
    command->take(viewer, text);
    if (viewer->message_is_error && viewer->prompt == NULL) { /* to be corrected */
        viewer->prompt = command;
    }
    view_touch(viewer);
}

void view_prompt_input(struct viewer *viewer, const struct view_input *input) {
    if (input->kind == VIEW_INPUT_TEXT) {
        add_text(viewer, input->text);
        return;
    }
    viewer->swallowed = 0;
    if (input->key == VIEW_KEY_ENTER) {
        take_text(viewer, input->modifiers);
    } else if (input->key == VIEW_KEY_ESCAPE) {
        viewer->prompt = NULL;
        viewer->message[0] = '\0';
        view_touch(viewer);
    } else if (input->key == VIEW_KEY_BACKSPACE) {
        remove_last(viewer);
    } else if (input->key == 'u' && (input->modifiers & VIEW_CTRL) != 0) {
        viewer->prompt_text[0] = '\0';
        view_touch(viewer);
    }
}
