#include "viz/view/command.h"

#include <stdio.h>
#include <string.h>

#include "viz/view/actions.h"
#include "viz/view/internal.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* A heading; a command, with its argument and its keys; one that asks for a text, with what it asks for and an example. */
#define TOPIC(text)                                                                                          \
    { .help = (text) }
#define RUN(command, text, function, value, ...)                                                             \
    {                                                                                                        \
        .name = (command), .help = (text), .run = (function), .argument = (value), .keys = { __VA_ARGS__ }   \
    }
#define TAKE(command, text, function, asked, such, ...)                                                      \
    {                                                                                                        \
        .name = (command), .help = (text), .take = (function), .wanted = (asked), .example = (such),         \
        .keys = {                                                                                            \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

const struct view_command view_commands[] = {
    TOPIC("Time"),
    RUN("fit", "Show the whole run", view_fit, 0, "0", "Home"),
    RUN("fit-chosen", "Show what is selected or chosen", view_fit_chosen, 0, "Z", "F"),
    RUN("zoom-in", "Zoom in at the pointer", view_zoom, 1, "W", "+", "="),
    RUN("zoom-out", "Zoom out", view_zoom, -1, "S", "-"),
    RUN("pan-right", "Move to later", view_pan, 1, "D", "Right"),
    RUN("pan-left", "Move to earlier", view_pan, -1, "A", "Left"),
    RUN("back", "Back to the view before", view_go_back, -1, "Backspace", "Alt+Left"),
    RUN("forward", "Forward again", view_go_back, 1, "Shift+Backspace", "Alt+Right"),
    TAKE("jump", "Jump to an instant or a job", view_take_jump, "jump to",
         "12.5ms, or detect 12 for job 12 of detect", "J"),
    RUN("mark", "Mark the instant at the pointer", view_mark, 0, "M"),
    RUN("mark-span", "Mark both ends of what is selected or chosen", view_mark_span, 0, "Shift+M"),
    RUN("clear-marks", "Remove all marks", view_clear_marks, 0, "Ctrl+M"),
    RUN("select", "Select the time of what is chosen, or what is in view", view_select, 0, "Space"),
    RUN("select-marks", "Select from the first mark to the last", view_select_marks, 0, "Shift+Space"),
    RUN("origin", "Count time from the chosen slice's start, or from 0 again", view_set_origin, 0, "T"),
    TOPIC("Slices and jobs"),
    RUN("next-slice", "Choose the next slice in the row", view_step_slice, 1, "."),
    RUN("previous-slice", "Choose the slice before", view_step_slice, -1, ","),
    RUN("next-step", "Choose the next step of the job", view_step_along_job, 1, "]"),
    RUN("previous-step", "Choose the step before", view_step_along_job, -1, "["),
    RUN("next-job", "Choose the next job of the task", view_step_job, 1, ">"),
    RUN("previous-job", "Choose the job before", view_step_job, -1, "<"),
    RUN("next-miss", "Go to the next missed deadline", view_step_miss, 1, "N"),
    RUN("previous-miss", "Go to the missed deadline before", view_step_miss, -1, "Shift+N"),
    RUN("follow", "Follow the chosen slice's job with arrows; again: stop", view_follow, 0, "Enter"),
    TAKE("search", "Search; Enter and Shift+Enter: next, previous", view_take_search, "search",
         "a part of a name, detect 12 for a job, or @12.5ms", "/", "Ctrl+F"),
    RUN("next-hit", "Go to the next hit", view_search_again, 1, "F3", "Ctrl+G"),
    RUN("previous-hit", "Go to the hit before", view_search_again, -1, "Shift+F3", "Ctrl+Shift+G"),
    RUN("next-difference", "Go to the next difference between two runs", view_step_difference, 1, "Shift+D"),
    RUN("previous-difference", "Go to the difference before", view_step_difference, -1, "Shift+A"),
    TOPIC("Rows"),
    RUN("row-down", "Go to the row below", view_step_row, 1, "Down"),
    RUN("row-up", "Go to the row above", view_step_row, -1, "Up"),
    RUN("page-down", "Scroll down", view_page, 1, "Page-Down"),
    RUN("page-up", "Scroll up", view_page, -1, "Page-Up"),
    RUN("pin", "Pin the row on top, or unpin it", view_pin, 0, "P"),
    RUN("hide", "Hide the row", view_hide, 0, "H"),
    RUN("fold", "Fold the row, or unfold it", view_fold, 0, "X"),
    RUN("fold-kind", "Fold all rows of its kind, or unfold them", view_fold_kind, 0, "Shift+X"),
    TAKE("filter", "Show only some rows", view_take_filter, "rows",
         "detect,SM*,!SM 3,copy:* - nothing for all rows", "R"),
    RUN("show-all", "Show all rows again", view_show_all, 0, "Shift+H"),
    RUN("rows-higher", "Make rows higher", view_row_height, 1, "}"),
    RUN("rows-lower", "Make rows lower", view_row_height, -1, "{"),
    TOPIC("Panels"),
    RUN("panel-misses", "Missed deadlines, worst first, and why", view_toggle_panel, VIEW_PANEL_MISSES, "1"),
    RUN("panel-statistics", "Statistics of what is selected, or of the whole run", view_toggle_panel,
        VIEW_PANEL_STATISTICS, "2"),
    RUN("panel-job", "The chosen slice and its job, step by step", view_toggle_panel, VIEW_PANEL_JOB, "3"),
    RUN("panel-differences", "Jobs that differ between two runs", view_toggle_panel, VIEW_PANEL_DIFFERENCES,
        "4"),
    RUN("panel-scenario", "Policy and parameters", view_toggle_panel, VIEW_PANEL_SETTINGS, "5"),
    RUN("panel", "Open or close the panel of that number", view_toggle_panel, VIEW_PANEL_MISSES, NULL),
    RUN("panel-keys", "Give the keyboard to the panel, or take it back", view_panel_keys, 0, "Tab"),
    RUN("panel-choose", "Choose the line of that number in the panel", view_panel_activate, 0, NULL),
    RUN("measure", "Statistics: measure something else", view_next_measure, 1, "Y"),
    TOPIC("Scenario and files"),
    TAKE("policy", "Simulate with another policy", view_take_policy, "policy", "np-edf", "O"),
    TAKE("set", "Change a parameter and simulate again", view_take_set, "set", "tasks[0].period=20ms", "E"),
    RUN("unset", "Take the last change back", view_unset, 0, "Shift+E"),
    TAKE("against", "Show a second run beside this one", view_take_against, "against",
         "a file, or a change of this scenario: policy=fifo", "V"),
    RUN("alone", "Show the first run alone again", view_alone, 0, "Shift+V"),
    TAKE("tolerance", "Count as equal what is so little apart in two runs", view_take_tolerance, "tolerance",
         "5us", "Shift+T"),
    RUN("reload", "Read the files again", view_reload, 0, "F5", "Ctrl+R"),
    TAKE("export", "Write what is in view to a picture", view_take_export, "write to",
         "view.png, view.svg or view.pdf", "F12", "Ctrl+E"),
    TOPIC("Display"),
    RUN("colour-key", "Colour by task, kernel or job", view_next_colour_key, 1, "K"),
    RUN("theme", "Light, dark or print colours", view_next_theme, 1, "C"),
    RUN("text-larger", "Make text and all else larger", view_text_size, 1, "Ctrl++", "Ctrl+="),
    RUN("text-smaller", "Make text and all else smaller", view_text_size, -1, "Ctrl+-"),
    RUN("text-usual", "Make text as large as at first", view_text_size, 0, "Ctrl+0"),
    RUN("legend", "Show or hide the legend", view_toggle_legend, 0, "L"),
    RUN("grid", "Show or hide the lines of the grid", view_toggle_grid, 0, "G"),
    RUN("full-screen", "Fill the screen, or not", view_toggle_full_screen, 0, "F11"),
    TAKE("command", "Run a command by its name", view_take_command, ":", "zoom-in", ":"),
    RUN("clear", "Choose and select nothing; close this page", view_clear, 0, "Esc"),
    RUN("help", "Show the keys", view_toggle_help, 0, "?", "F1"),
    RUN("quit", "Leave", view_quit, 0, "Ctrl+Q", "Q"),
};

const size_t view_command_count = COUNT(view_commands);

const struct view_gesture view_gestures[] = {
    {"Wheel", "Scroll the rows; Shift: move in time"},
    {"Ctrl+Wheel", "Zoom at the pointer; with Shift finely"},
    {"Point", "Say what ran, for whom, how long, and what it waited for"},
    {"Click", "Choose a slice or a row"},
    {"Double click", "Show that slice; on the axis: the whole run"},
    {"Drag", "Select a span of time and measure it"},
    {"Right drag", "Zoom to a span"},
    {"Middle drag, Shift+Drag", "Move"},
    {"Drag in the strip", "Move the view over the whole run"},
};

const size_t view_gesture_count = COUNT(view_gestures);

const struct view_command *view_command_find(const char *name, size_t length) {
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        if (command->name != NULL && strlen(command->name) == length &&
            strncmp(command->name, name, length) == 0) {
            return command;
        }
    }
    return NULL;
}

const struct view_command *view_command_of_key(int key, unsigned modifiers) {
    for (size_t i = 0; i < view_command_count; i++) {
        for (int j = 0; j < VIEW_COMMAND_KEYS && view_commands[i].keys[j] != NULL; j++) {
            int its_key;
            unsigned its_modifiers;
            if (view_key_parse(view_commands[i].keys[j], &its_key, &its_modifiers) && its_key == key &&
                its_modifiers == modifiers) {
                return &view_commands[i];
            }
        }
    }
    return NULL;
}

void view_run(struct viewer *viewer, const struct view_command *command, int64_t argument) {
    if (command->take != NULL) {
        view_open_prompt(viewer, command, "");
    } else {
        command->run(viewer, argument);
    }
}

size_t view_command_keys(const struct view_command *command, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < VIEW_COMMAND_KEYS && command->keys[i] != NULL && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", command->keys[i]);
    }
    return used;
}
