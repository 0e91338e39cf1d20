/* The same reference as the manual page's, for documents. */
#include <string.h>

#include "viz/view/command.h"
#include "viz/view/manual.h"
#include "viz/view/script.h"

/* A text in a cell of a table. */
static void write_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        fprintf(out, strchr("\\|*_<>[]`", *text) != NULL ? "\\%c" : "%c", *text);
    }
}

/* In a table a | ends a cell even in code. */
static void write_row(FILE *out, const char *head, const char *text) {
    fputs("| `", out);
    for (; *head != '\0'; head++) {
        fprintf(out, *head == '|' ? "\\%c" : "%c", *head);
    }
    fputs("` | ", out);
    write_text(out, text);
    fputs(" |\n", out);
}

static void write_options(FILE *out, const struct argp_option *options) {
    fputs("### Options\n\n| option | what it does |\n|---|---|\n", out);
    for (; options->name != NULL || options->doc != NULL || options->key != 0; options++) {
        char head[200];
        if (options->name != NULL && (options->flags & OPTION_HIDDEN) == 0) {
            snprintf(head, sizeof head, "--%s %s", options->name, options->arg != NULL ? options->arg : "");
            write_row(out, head, options->doc);
        }
    }
}

static void write_keys_of(FILE *out, const struct view_command *command) {
    fputs("| ", out);
    for (int i = 0; i < VIEW_COMMAND_KEYS && command->keys[i] != NULL; i++) {
        fprintf(out, "%s`%s`", i > 0 ? " " : "", command->keys[i]);
    }
    fputs(" | ", out);
}

static void write_commands(FILE *out) {
    fputs("### Keys\n\n| keys | what they do | command | what it asks for |\n|---|---|---|---|\n", out);
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        if (command->name == NULL) {
            fprintf(out, "| **%s** | | | |\n", command->help);
            continue;
        }
        write_keys_of(out, command);
        write_text(out, command->help);
        fprintf(out, " | `%s` |%s", command->name, command->example != NULL ? " " : "");
        write_text(out, command->example != NULL ? command->example : "");
        fputs(" |\n", out);
    }
}

void view_manual_write_markdown(FILE *out, const struct argp_option *options) {
    write_options(out, options);
    fputs("\n### Mouse\n\n| mouse | what it does |\n|---|---|\n", out);
    for (size_t i = 0; i < view_gesture_count; i++) {
        write_row(out, view_gestures[i].gesture, view_gestures[i].help);
    }
    fputc('\n', out);
    write_commands(out);
    fputs("\n### Lines of scripts\n\n| line | what it does |\n|---|---|\n", out);
    for (size_t i = 0; i < view_script_line_count; i++) {
        write_row(out, view_script_lines[i].form, view_script_lines[i].help);
    }
}
