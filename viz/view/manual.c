#include "viz/view/manual.h"

#include <stdbool.h>

#include "viz/view/command.h"
#include "viz/view/script.h"

/* Hyphens and points that roff would take for something else. */
static void write_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '.':
            fputs("\\&.", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        default:
            fputc(*text, out);
            break;
        }
    }
}

static void write_entry(FILE *out, const char *head, const char *text) {
    fputs(".TP\n\\fB", out);
    write_text(out, head);
    fputs("\\fR\n", out);
    write_text(out, text);
    fputs(".\n", out);
}

static void write_options(FILE *out, const struct argp_option *options) {
    fputs(".SH OPTIONS\n", out);
    for (; options->name != NULL || options->doc != NULL || options->key != 0; options++) {
        char head[200];
        if (options->name != NULL && (options->flags & OPTION_HIDDEN) == 0) {
            snprintf(head, sizeof head, "--%s%s%s", options->name, options->arg != NULL ? "=" : "",
                     options->arg != NULL ? options->arg : "");
            write_entry(out, head, options->doc);
        }
    }
}

static void write_keys(FILE *out) {
    fputs(".SH MOUSE\n", out);
    for (size_t i = 0; i < view_gesture_count; i++) {
        write_entry(out, view_gestures[i].gesture, view_gestures[i].help);
    }
    fputs(".SH KEYS\nBehind the keys stands the name of the command, for scripts and for the key :.\n", out);
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        char head[240], keys[160];
        if (command->name == NULL) {
            fprintf(out, ".SS %s\n", command->help);
            continue;
        }
        view_command_keys(command, keys, sizeof keys);
        snprintf(head, sizeof head, "%s%s(%s)", keys, keys[0] != '\0' ? " " : "", command->name);
        char text[400];
        snprintf(text, sizeof text, "%s%s%s", command->help,
                 command->example != NULL ? ". It asks for a text: " : "",
                 command->example != NULL ? command->example : "");
        write_entry(out, head, text);
    }
}

static void write_scripts(FILE *out) {
    fputs(".SH SCRIPTS\nA script has a line for each thing that a user would do. A line that begins with # "
          "is a comment.\n",
          out);
    for (size_t i = 0; i < view_script_line_count; i++) {
        write_entry(out, view_script_lines[i].form, view_script_lines[i].help);
    }
}

static const char *const examples[][2] = {
    {"gpurt-view scenario.json", "Simulates it and shows the run"},
    {"gpurt-view scenario.json --against policy=fifo",
     "The same beside it under another policy, differences marked"},
    {"gpurt-view simulated.trc measured.trc --tolerance 5us",
     "Two traces; what is up to 5 us apart counts as equal"},
    {"gpurt-view run.trc --from 10ms --to 60ms --script picture.script",
     "Does what a script says, without hands"},
};

void view_manual_write(FILE *out, const struct argp_option *options) {
    fprintf(out,
            ".TH GPURT\\-VIEW 1 \"\" \"gpurt %s\"\n"
            ".SH NAME\ngpurt\\-view \\- show the timeline of GPU real\\-time scheduling in a window\n"
            ".SH SYNOPSIS\n.B gpurt\\-view\n[\\fIOPTION\\fR...] \\fIFILE\\fR [\\fIFILE\\fR]\n"
            ".SH DESCRIPTION\nShows the timeline of \\fIFILE\\fR, a trace or a scenario, which is simulated. "
            "A second "
            "\\fIFILE\\fR is shown beside the first, with what differs marked. A file that changes is read "
            "again by "
            "itself.\n",
            GRT_VERSION);
    write_options(out, options);
    write_keys(out);
    write_scripts(out);
    fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        write_entry(out, examples[i][0], examples[i][1]);
    }
    fputs(".SH ENVIRONMENT\n.TP\n\\fBSDL_VIDEODRIVER\\fR\n\"dummy\": no display is needed, for scripts.\n",
          out);
    fputs(".SH EXIT STATUS\n0 done; 1 failed while running; 2 bad input or usage.\n.SH SEE "
          "ALSO\n\\fBgpurt\\fR(1)\n",
          out);
}
