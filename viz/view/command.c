#include "viz/view/command.h"

#include <stdio.h>
#include <string.h>

#include "viz/view/actions.h"
#include "viz/view/internal.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

const struct view_command view_commands[] = {
    {.help = "Time"},
    {"fit", {"0", "Home"}, "Show the whole run", view_fit, 0, NULL, NULL, NULL},
    {"fit-chosen", {"Z", "F"}, "Show what is selected or chosen", view_fit_chosen, 0, NULL, NULL, NULL},
    {"zoom-in", {"W", "+", "="}, "Zoom in at the pointer", view_zoom, 1, NULL, NULL, NULL},
    {"zoom-out", {"S", "-"}, "Zoom out", view_zoom, -1, NULL, NULL, NULL},
    {"pan-right", {"D", "Right"}, "Move to later", view_pan, 1, NULL, NULL, NULL},
    {"pan-left", {"A", "Left"}, "Move to earlier", view_pan, -1, NULL, NULL, NULL},
    {"back", {"Backspace", "Alt+Left"}, "Back to the view before", view_go_back, -1, NULL, NULL, NULL},
    {"forward", {"Shift+Backspace", "Alt+Right"}, "Forward again", view_go_back, 1, NULL, NULL, NULL},
    {"jump",
     {"J"},
     "Jump to an instant or a job",
     NULL,
     0,
     view_take_jump,
     "jump to",
     "12.5ms, or detect 12 for job 12 of detect"},
    {"mark", {"M"}, "Mark the instant at the pointer", view_mark, 0, NULL, NULL, NULL},
    {"mark-span",
     {"Shift+M"},
     "Mark both ends of what is selected or chosen",
     view_mark_span,
     0,
     NULL,
     NULL,
     NULL},
    {"clear-marks", {"Ctrl+M"}, "Remove all marks", view_clear_marks, 0, NULL, NULL, NULL},
    {"select",
     {"Space"},
     "Select the time of what is chosen, or what is in view",
     view_select,
     0,
     NULL,
     NULL,
     NULL},
    {"select-marks",
     {"Shift+Space"},
     "Select from the first mark to the last",
     view_select_marks,
     0,
     NULL,
     NULL,
     NULL},
    {"origin",
     {"T"},
     "Count time from the chosen slice's start, or from 0 again",
     view_set_origin,
     0,
     NULL,
     NULL,
     NULL},

    {.help = "Slices and jobs"},
    {"next-slice", {"."}, "Choose the next slice in the row", view_step_slice, 1, NULL, NULL, NULL},
    {"previous-slice", {","}, "Choose the slice before", view_step_slice, -1, NULL, NULL, NULL},
    {"next-step", {"]"}, "Choose the next step of the job", view_step_along_job, 1, NULL, NULL, NULL},
    {"previous-step", {"["}, "Choose the step before", view_step_along_job, -1, NULL, NULL, NULL},
    {"next-job", {">"}, "Choose the next job of the task", view_step_job, 1, NULL, NULL, NULL},
    {"previous-job", {"<"}, "Choose the job before", view_step_job, -1, NULL, NULL, NULL},
    {"next-miss", {"N"}, "Go to the next missed deadline", view_step_miss, 1, NULL, NULL, NULL},
    {"previous-miss", {"Shift+N"}, "Go to the missed deadline before", view_step_miss, -1, NULL, NULL, NULL},
    {"follow",
     {"Enter"},
     "Follow the chosen slice's job with arrows; again: stop",
     view_follow,
     0,
     NULL,
     NULL,
     NULL},
    {"search",
     {"/", "Ctrl+F"},
     "Search; Enter and Shift+Enter: next, previous",
     NULL,
     0,
     view_take_search,
     "search",
     "a part of a name, detect 12 for a job, or @12.5ms"},
    {"next-hit", {"F3", "Ctrl+G"}, "Go to the next hit", view_search_again, 1, NULL, NULL, NULL},
    {"previous-hit",
     {"Shift+F3", "Ctrl+Shift+G"},
     "Go to the hit before",
     view_search_again,
     -1,
     NULL,
     NULL,
     NULL},

    {.help = "Rows"},
    {"row-down", {"Down"}, "Go to the row below", view_step_row, 1, NULL, NULL, NULL},
    {"row-up", {"Up"}, "Go to the row above", view_step_row, -1, NULL, NULL, NULL},
    {"page-down", {"Page-Down"}, "Scroll down", view_page, 1, NULL, NULL, NULL},
    {"page-up", {"Page-Up"}, "Scroll up", view_page, -1, NULL, NULL, NULL},
    {"pin", {"P"}, "Pin the row on top, or unpin it", view_pin, 0, NULL, NULL, NULL},
    {"hide", {"H"}, "Hide the row", view_hide, 0, NULL, NULL, NULL},
    {"fold", {"X"}, "Fold the row, or unfold it", view_fold, 0, NULL, NULL, NULL},
    {"fold-kind",
     {"Shift+X"},
     "Fold all rows of its kind, or unfold them",
     view_fold_kind,
     0,
     NULL,
     NULL,
     NULL},
    {"filter",
     {"R"},
     "Show only some rows",
     NULL,
     0,
     view_take_filter,
     "rows",
     "detect,SM*,!SM 3,copy:* - nothing for all rows"},
    {"show-all", {"Shift+H"}, "Show all rows again", view_show_all, 0, NULL, NULL, NULL},
    {"rows-higher", {"}"}, "Make rows higher", view_row_height, 1, NULL, NULL, NULL},
    {"rows-lower", {"{"}, "Make rows lower", view_row_height, -1, NULL, NULL, NULL},

    {.help = "Panels"},
    {"panel-misses",
     {"1"},
     "Missed deadlines, worst first, and why",
     view_toggle_panel,
     VIEW_PANEL_MISSES,
     NULL,
     NULL,
     NULL},
    {"panel-statistics",
     {"2"},
     "Statistics of what is selected, or of the whole run",
     view_toggle_panel,
     VIEW_PANEL_STATISTICS,
     NULL,
     NULL,
     NULL},
    {"panel-job",
     {"3"},
     "The chosen slice and its job, step by step",
     view_toggle_panel,
     VIEW_PANEL_JOB,
     NULL,
     NULL,
     NULL},
    {"panel-differences",
     {"4"},
     "Jobs that differ between two runs",
     view_toggle_panel,
     VIEW_PANEL_DIFFERENCES,
     NULL,
     NULL,
     NULL},
    {"panel-scenario",
     {"5"},
     "Policy and parameters",
     view_toggle_panel,
     VIEW_PANEL_SETTINGS,
     NULL,
     NULL,
     NULL},
    {"panel",
     {NULL},
     "Open or close the panel of that number",
     view_toggle_panel,
     VIEW_PANEL_MISSES,
     NULL,
     NULL,
     NULL},
    {"panel-keys",
     {"Tab"},
     "Give the keyboard to the panel, or take it back",
     view_panel_keys,
     0,
     NULL,
     NULL,
     NULL},
    {"panel-choose",
     {NULL},
     "Choose the line of that number in the panel",
     view_panel_activate,
     0,
     NULL,
     NULL,
     NULL},
    {"measure", {"Y"}, "Statistics: measure something else", view_next_measure, 1, NULL, NULL, NULL},

    {.help = "Scenario and files"},
    {"policy", {"O"}, "Simulate with another policy", NULL, 0, view_take_policy, "policy", "np-edf"},
    {"set",
     {"E"},
     "Change a parameter and simulate again",
     NULL,
     0,
     view_take_set,
     "set",
     "tasks[0].period=20ms"},
    {"unset", {"Shift+E"}, "Take the last change back", view_unset, 0, NULL, NULL, NULL},
    {"against",
     {"V"},
     "Show a second run beside this one",
     NULL,
     0,
     view_take_against,
     "against",
     "a file, or a change of this scenario: policy=fifo"},
    {"alone", {"Shift+V"}, "Show the first run alone again", view_alone, 0, NULL, NULL, NULL},
    {"tolerance",
     {"Shift+T"},
     "Count as equal what is so little apart in two runs",
     NULL,
     0,
     view_take_tolerance,
     "tolerance",
     "5us"},
    {"reload", {"F5", "Ctrl+R"}, "Read the files again", view_reload, 0, NULL, NULL, NULL},
    {"export",
     {"F12", "Ctrl+E"},
     "Write what is in view to a picture",
     NULL,
     0,
     view_take_export,
     "write to",
     "view.png, view.svg or view.pdf"},

    {.help = "Display"},
    {"colour-key", {"K"}, "Colour by task, kernel or job", view_next_colour_key, 1, NULL, NULL, NULL},
    {"theme", {"C"}, "Light, dark or print colours", view_next_theme, 1, NULL, NULL, NULL},
    {"text-larger",
     {"Ctrl++", "Ctrl+="},
     "Make text and all else larger",
     view_text_size,
     1,
     NULL,
     NULL,
     NULL},
    {"text-smaller", {"Ctrl+-"}, "Make text and all else smaller", view_text_size, -1, NULL, NULL, NULL},
    {"text-usual", {"Ctrl+0"}, "Make text as large as at first", view_text_size, 0, NULL, NULL, NULL},
    {"legend", {"L"}, "Show or hide the legend", view_toggle_legend, 0, NULL, NULL, NULL},
    {"grid", {"G"}, "Show or hide the lines of the grid", view_toggle_grid, 0, NULL, NULL, NULL},
    {"full-screen", {"F11"}, "Fill the screen, or not", view_toggle_full_screen, 0, NULL, NULL, NULL},
    {"command", {":"}, "Run a command by its name", NULL, 0, view_take_command, ":", "zoom-in"},
    {"clear", {"Esc"}, "Choose and select nothing; close this page", view_clear, 0, NULL, NULL, NULL},
    {"help", {"?", "F1"}, "Show the keys", view_toggle_help, 0, NULL, NULL, NULL},
    {"quit", {"Ctrl+Q", "Q"}, "Leave", view_quit, 0, NULL, NULL, NULL},
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
