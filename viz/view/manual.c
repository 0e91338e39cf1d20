#include "viz/view/manual.h"

#include "cli/terminal/manual/roff.h"
#include "viz/view/command.h"
#include "viz/view/script.h"

static void write_command(FILE *out, const struct view_command *command) {
    char head[240], keys[160], text[400];
    view_command_keys(command, keys, sizeof keys);
    snprintf(head, sizeof head, "%s%s(%s)", keys, keys[0] != '\0' ? " " : "", command->name);
    snprintf(text, sizeof text, "%s%s%s", command->help,
             command->example != NULL ? ". It asks for a text: " : "",
             command->example != NULL ? command->example : "");
    grt_roff_put_entry(out, head, text);
}

static void write_keys(FILE *out) {
    fputs(".SH KEYS\nBehind the keys stands the name of the command, for scripts and for the key :.\n", out);
    for (size_t i = 0; i < view_command_count; i++) {
        if (view_commands[i].name == NULL) {
            fprintf(out, ".SS %s\n", view_commands[i].help);
        } else {
            write_command(out, &view_commands[i]);
        }
    }
}

void view_manual_write_sections(FILE *out) {
    fputs(".SH MOUSE\n", out);
    for (size_t i = 0; i < view_gesture_count; i++) {
        grt_roff_put_entry(out, view_gestures[i].gesture, view_gestures[i].help);
    }
    write_keys(out);
    fputs(".SH SCRIPTS\nA script has a line for each thing that a user would do. A line that begins with # "
          "is a comment.\n",
          out);
    for (size_t i = 0; i < view_script_line_count; i++) {
        grt_roff_put_entry(out, view_script_lines[i].form, view_script_lines[i].help);
    }
}
