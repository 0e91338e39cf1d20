#include "cli/terminal/manual/page_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/manual/completion.h"
#include "cli/terminal/manual/help_text.h"
#include "cli/terminal/manual/option_list.h"
#include "cli/terminal/manual/roff.h"
#include "cli/terminal/manual/value_kind.h"

/* A file or variable, and the option of the commands to which it matters; or several, or their arguments, with "|" between; "library":
 * also to those that take names of its files; NULL: to all. */
struct line {
    const char *option, *name, *text;
};

static const struct line files[] = {
    {"reproduce", "violation.json",
     "The scenario that shows a violation, unless --reproduce names another file"},
    {"checkpoint", "NAME.journal",
     "What is done of the experiment of that name, in the folder where the command runs, until it has ended"},
    {"library", "PREFIX/share/gpurt/scenarios",
     "The library of scenarios and experiments, whose files commands know by name, where gpurt is installed "
     "as "
     "PREFIX/bin/gpurt"},
    {NULL, "PREFIX/share/doc/gpurt", "The documents; README.md lists them"},
};

static const struct line variables[] = {
    {"color", "NO_COLOR", "Set, and not empty: no colours, unless --color says otherwise"},
    {"color", "TERM", "\"dumb\" or not set: no colours either"},
    {"utf8", "LC_ALL, LC_CTYPE, LANG",
     "The first of them that is set: its character set is drawn with, UTF-8 where none is, ASCII for any "
     "other"},
    {"library", "GPURT_LIBRARY",
     "The folder of the library of scenarios and experiments, instead of that below FILES"},
    {"libcuda", "GPURT_LIBCUDA", "The CUDA driver's library, unless --libcuda names one"},
    {"libcuda", "GPURT_LIBNVML", "The library by which clocks, temperature and power are read"},
    {"entry", "GPURT_LIBNVRTC", "The library that compiles .cu files, or several with colons between them"},
    {"libcuda", "CUDA_DEVICE_MAX_CONNECTIONS",
     "As the CUDA driver has it: hardware queues; 32 unless it is set, so that streams do not wait for each "
     "other"},
    {"set|policy|policies|run|quick-training|[POLICY]", "GPURT_NO_PLUGINS",
     "Set, and not empty: no plug-in is loaded, so that no file, whoever wrote it, has code executed"},
    {"script", "SDL_VIDEODRIVER", "\"dummy\": no display is needed, for scripts"},
};

static bool is_known(const struct argp *argp, const char *options) {
    struct grt_option_list list = {0};
    bool known = false;
    grt_option_list_read(&list, argp);
    for (const char *at = options; *at != '\0' && !known; at += *at == '|') {
        char option[32];
        size_t length = strcspn(at, "|");
        snprintf(option, sizeof option, "%.*s", (int)length, at);
        known = grt_option_list_has(&list, option) ||
                (argp->args_doc != NULL && strcmp(argp->args_doc, option) == 0);
        at += length;
    }
    grt_option_list_free(&list);
    return known;
}

/* Whether its arguments are names of the library's files. `command` NULL: the program, if it has no commands. */
static bool takes_names(const struct grt_manual_subject *subject, const struct grt_program_command *command) {
    const struct argp *argp = command != NULL ? command->argp : subject->argp;
    char value[64];
    bool takes = false;
    for (size_t i = 0; i < GRT_COMPLETION_ARGUMENTS && grt_value_of_argument(argp->args_doc, i, value); i++) {
        struct grt_value_kind kind =
            grt_value_kind_of(subject, command != NULL ? command->name : NULL, value);
        takes = takes || kind.library;
        free(kind.words);
    }
    return takes;
}

static bool has(const struct grt_manual_subject *subject, const struct grt_program_command *command,
                const char *option) {
    return option == NULL || is_known(command != NULL ? command->argp : subject->argp, option) ||
           (strcmp(option, "library") == 0 && takes_names(subject, command));
}

static bool matters(const struct grt_manual_subject *subject, const struct grt_program_command *command,
                    const char *option) {
    bool found = has(subject, command, option);
    for (size_t i = 0; command == NULL && i < subject->command_count && !found; i++) {
        found = has(subject, &subject->commands[i], option);
    }
    return found;
}

static void write_list(FILE *out, const char *heading, const struct line *lines, size_t count,
                       const struct grt_manual_subject *subject, const struct grt_program_command *command) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (matters(subject, command, lines[i].option)) {
            if (!any) {
                fprintf(out, ".SH %s\n", heading);
            }
            grt_roff_put_entry(out, lines[i].name, lines[i].text);
            any = true;
        }
    }
}

void grt_page_lists_write(FILE *out, const struct grt_manual_subject *subject,
                          const struct grt_program_command *command) {
    write_list(out, "ENVIRONMENT", variables, sizeof variables / sizeof variables[0], subject, command);
    write_list(out, "FILES", files, sizeof files / sizeof files[0], subject, command);
}

/* ---- See also ---- */

struct references {
    FILE *out;
    bool any;
};

static void put_reference(struct references *references, const char *program, const char *command) {
    fputs(references->any ? ",\n\\fB" : "\\fB", references->out);
    grt_roff_put_plain(references->out, program, strlen(program));
    fprintf(references->out, "%s%s\\fR(1)", command != NULL ? "\\-" : "", command != NULL ? command : "");
    references->any = true;
}

/* Whether a text has "gpurt NAME", the name as a word. */
static bool speaks_of(const char *text, const char *program, const char *name) {
    char call[128];
    size_t length = (size_t)snprintf(call, sizeof call, "%s %s", program, name);
    for (const char *at = strstr(text, call); at != NULL; at = strstr(at + 1, call)) {
        if (strchr("abcdefghijklmnopqrstuvwxyz", at[length]) == NULL || at[length] == '\0') {
            return true;
        }
    }
    return false;
}

static bool page_speaks_of(const struct argp *argp, const char *program, const char *name) {
    struct grt_option_list list = {0};
    grt_option_list_read(&list, argp);
    bool found = argp->doc != NULL && speaks_of(argp->doc, program, name);
    for (uint32_t i = 0; i < list.count && !found; i++) {
        found = speaks_of(list.items[i].text, program, name);
    }
    grt_option_list_free(&list);
    return found;
}

void grt_page_see_also_write(FILE *out, const struct grt_manual_subject *subject,
                             const struct grt_program_command *command) {
    static const char *const programs[] = {"gpurt", "gpurt-view", "gpurt-calib"};
    struct references references = {.out = out};
    fputs(".SH SEE ALSO\n", out);
    for (size_t i = 0; command != NULL && i < subject->command_count; i++) {
        const struct grt_program_command *other = &subject->commands[i];
        if (other != command && (page_speaks_of(command->argp, subject->name, other->name) ||
                                 page_speaks_of(other->argp, subject->name, command->name))) {
            put_reference(&references, subject->name, other->name);
        }
    }
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (command != NULL || strcmp(programs[i], subject->name) != 0) {
            put_reference(&references, programs[i], NULL);
        }
    }
    fputc('\n', out);
}
