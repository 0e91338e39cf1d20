/* Completion for fish. */
#include "cli/terminal/manual/completion.h"

#include <string.h>

/* In single quotes fish knows \' and \\ alone. */
static void put_text(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        fprintf(out, strchr("'\\", *text) != NULL ? "\\%c" : "%c", *text);
    }
    fputc('\'', out);
}

static void put_kind(const struct grt_completion *completion, const struct grt_value_kind *kind) {
    FILE *out = completion->out;
    bool files = kind->endings != NULL;
    fputs(files || kind->folders ? " -r -F" : " -x", out);
    if (kind->folders) {
        fputs(" -a '(__fish_complete_directories)'", out);
    } else if (kind->experiments) {
        fprintf(out, " -a '(_%s_experiments)'", completion->function);
    } else if (kind->list && kind->words != NULL) {
        fprintf(out, " -a '(__fish_append , %s)'", kind->words);
    } else if (kind->words != NULL) {
        fputs(" -a ", out);
        put_text(out, kind->words);
    } else if (files && kind->endings[0] != '\0') {
        fputs(" -k -a '(__fish_complete_suffix", out);
        for (const char *at = kind->endings; *at != '\0';) {
            int length = (int)strcspn(at, " ");
            fprintf(out, " .%.*s", length, at);
            at += length + (at[length] == ' ');
        }
        fputs(")", out);
        if (kind->library) {
            fprintf(out, " (_%s_scenarios)", completion->function);
        }
        fputc('\'', out);
    } else if (kind->library) {
        fprintf(out, " -a '(_%s_scenarios)'", completion->function);
    }
}

static void begin(const struct grt_completion *completion, const struct grt_completion_command *command) {
    fprintf(completion->out, "complete -c %s", completion->subject->name);
    if (command->name != NULL) {
        fprintf(completion->out, " -n '__fish_seen_subcommand_from %s'", command->name);
    }
}

static void put_option(const struct grt_completion *completion, const struct grt_completion_command *command,
                       uint32_t index) {
    const struct grt_listed_option *option = &command->options.items[index];
    begin(completion, command);
    for (size_t k = 0; k < 2 && option->names[k] != NULL; k++) {
        fprintf(completion->out, " -l %s", option->names[k]);
    }
    if (option->letter != '\0') {
        fprintf(completion->out, " -s %c", option->letter);
    }
    if (option->value != NULL && !option->value_is_optional) {
        put_kind(completion, &command->values[index]);
    }
    fputs(" -d ", completion->out);
    put_text(completion->out, option->text);
    fputc('\n', completion->out);
}

static void put_arguments(const struct grt_completion *completion,
                          const struct grt_completion_command *command) {
    for (size_t i = 0; i < command->argument_count; i++) {
        const struct grt_value_kind *kind = &command->arguments[i];
        if (kind->words == NULL && kind->endings == NULL && !kind->library && !kind->experiments) {
            continue;
        }
        begin(completion, command);
        put_kind(completion, kind);
        fputc('\n', completion->out);
    }
}

static const char folder[] =
    "function _%s_folder\n"
    "    set -q GPURT_LIBRARY; and echo $GPURT_LIBRARY; and return\n"
    "    echo (string replace -r '/bin/[^/]*$' '' (command -s gpurt))/share/gpurt/scenarios\n"
    "end\n\n";

static const char scenarios[] =
    "function _%s_scenarios\n"
    "    set -l folder (_%s_folder)\n"
    "    set -l files $folder/*.json $folder/*/*.json $folder/*/*/*.json $folder/*/*/*/*.json\n"
    "    string replace -- $folder/ '' $files | string match -rv '(devices|usages|kernels)/' | string "
    "replace "
    "-r '\\.json$' ''\n"
    "end\n\n";

static const char experiments[] =
    "function _%s_experiments\n"
    "    set -l folder (_%s_folder)\n"
    "    set -l files $folder/papers/*/experiments/*.json $folder/experiments/*.json\n"
    "    test -n \"$files\"; and grep -hm1 '\"name\"' $files | string replace -r '.*: \"(.*)\".*' '$1'\n"
    "end\n\n";

void grt_completion_fish(const struct grt_completion *completion) {
    FILE *out = completion->out;
    const char *name = completion->subject->name;
    fprintf(out, "# fish completion for %s " GRT_VERSION ", written by %s --completion=fish.\n\n", name,
            name);
    fprintf(out, folder, completion->function);
    fprintf(out, scenarios, completion->function, completion->function);
    fprintf(out, experiments, completion->function, completion->function);
    fprintf(out, "complete -c %s -f\n", name);
    for (size_t i = 0; i < completion->command_count; i++) {
        const struct grt_completion_command *command = &completion->commands[i];
        if (command->name != NULL) {
            fprintf(out, "complete -c %s -n __fish_use_subcommand -a %s -d ", name, command->name);
            put_text(out, command->summary);
            fputc('\n', out);
        }
        put_arguments(completion, command);
        for (uint32_t k = 0; k < command->options.count; k++) {
            put_option(completion, command, k);
        }
    }
    if (completion->commands[0].name != NULL) {
        fprintf(out, "complete -c %s -n __fish_use_subcommand -a help -d 'Show the help of a command'\n",
                name);
        fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from help' -x -a '", name);
        for (size_t i = 0; i < completion->command_count; i++) {
            fprintf(out, "%s%s", i > 0 ? " " : "", completion->commands[i].name);
        }
        fputs("'\n", out);
    }
}
