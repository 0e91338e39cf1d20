/* Completion for fish. */
#include "cli/terminal/manual/completion.h"

#include <string.h>

#include "cli/terminal/command_line.h"

/* In single quotes fish knows \' and \\ alone. */
static void put_text(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text != '\0'; text++) {
        fprintf(out, strchr("'\\", *text) != NULL ? "\\%c" : "%c", *text);
    }
    fputc('\'', out);
}

/* The endings as arguments of a function: " json trace". */
static void put_call(const struct grt_completion *completion, const char *name, const char *arguments) {
    fprintf(completion->out, " (%s_%s%s%s)", completion->function, name, arguments[0] != '\0' ? " " : "",
            arguments);
}

/* What stands behind -a: words, and calls of functions, between single quotes. Words have none of fish's own characters but these. */
static void put_candidates(const struct grt_completion *completion, const struct grt_value_kind *kind) {
    FILE *out = completion->out;
    fputs(" -a '", out);
    if (kind->words != NULL && kind->list) {
        put_call(completion, "list", kind->words);
    } else if (kind->words != NULL) {
        fputs(kind->words, out);
    }
    if (kind->folders) {
        fputs(" (__fish_complete_directories)", out);
    } else if (kind->endings != NULL) {
        put_call(completion, "files", kind->endings);
    }
    if (kind->library) {
        put_call(completion, "scenarios", "");
    }
    if (kind->experiments) {
        put_call(completion, "experiments", "");
    }
    fputc('\'', out);
}

/* Files are completed by fish, which knows quotes, ~ and variables; candidates in their order put those with the endings first. */
static void put_kind(const struct grt_completion *completion, const struct grt_value_kind *kind) {
    bool any_file = kind->endings != NULL && kind->endings[0] == '\0';
    fputs(any_file ? " -r -F" : kind->endings != NULL ? " -r -F -k" : " -x", completion->out);
    if (!any_file && (kind->words != NULL || kind->folders || kind->endings != NULL || kind->library ||
                      kind->experiments)) {
        put_candidates(completion, kind);
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

static const char helpers[] =
    "# The value that is typed: behind --option=.\n"
    "function ${0}_word\n"
    "    string replace -r -- '^--[^=]*=' '' (commandline -ct)\n"
    "end\n\n"
    "# Files with one of the endings, then all others, in the words of fish's own completion.\n"
    "function ${0}_files\n"
    "    set -l all (complete -C \"__fish_command_without_completions \"(${0}_word))\n"
    "    for ending in $argv\n"
    "        string match -- \"*.$ending\" $all\n"
    "    end\n"
    "    printf '%s\\n' $all\n"
    "end\n\n"
    "# Words, behind those of the list that are there, and behind LABEL=.\n"
    "function ${0}_list\n"
    "    set -l front (string match -r -- '^.*[,=]' (${0}_word))\n"
    "    printf '%s\\n' \"$front\"$argv\n"
    "end\n\n"
    "function ${0}_folder\n"
    "    set -q GPURT_LIBRARY; and echo $GPURT_LIBRARY; and return\n"
    "    set -l program (command -s gpurt)\n"
    "    for one in (string replace -r '/bin/[^/]*$' /share/gpurt $program) (string replace -r "
    "'(/[^/]*){2}$' '' "
    "$program) (string replace -r '(/[^/]*){3}$' '' $program)\n"
    "        test -f $one/scenarios/quickstart.json; and echo $one/scenarios; and return\n"
    "    end\n"
    "end\n\n"
    "# Scenarios and experiments of the library by their names, or the last parts of them that no other file "
    "has.\n"
    "function ${0}_scenarios\n"
    "    set -l folder (${0}_folder)\n"
    "    test -n \"$folder\"; or return\n"
    "    set -l files $folder/*.json $folder/*/*.json $folder/*/*/*.json $folder/*/*/*/*.json\n"
    "    set -l names (string replace -- $folder/ '' $files | string match -rv '(devices|usages|kernels)/' | "
    "string replace -r '\\.json$' '')\n"
    "    printf '%s\\n' $names\n"
    "    string match -q '*/*' -- (${0}_word); and return\n"
    "    set -l last (string replace -r -- '.*/' '' $names)\n"
    "    for one in (string replace -r -- '.*/(.*)\\.json$' '$1' $files | sort | uniq -u)\n"
    "        contains -- $one $last; and echo $one\n"
    "    end\n"
    "end\n\n"
    "function ${0}_experiments\n"
    "    set -l folder (${0}_folder)\n"
    "    test -n \"$folder\"; or return\n"
    "    set -l files $folder/papers/*/experiments/*.json $folder/experiments/*.json\n"
    "    test -n \"$files\"; and grep -hm1 '\"name\"' $files | string replace -r '.*: \"(.*)\".*' '$1'\n"
    "    set -l papers $folder/papers/*/experiments\n"
    "    string replace -r -- '.*/([^/]*)/experiments$' '$1' $papers\n"
    "end\n\n";

/* In front of a command. */
static void put_front(const struct grt_completion *completion) {
    const char *name = completion->subject->name;
    for (const struct argp_option *option = grt_built_in_options; option->name != NULL || option->key != 0;
         option++) {
        if (option->name != NULL) {
            fprintf(completion->out, "complete -c %s -n __fish_use_subcommand -l %s -d ", name, option->name);
            put_text(completion->out, option->doc);
            fputc('\n', completion->out);
        }
    }
}

void grt_completion_fish(const struct grt_completion *completion) {
    FILE *out = completion->out;
    const char *name = completion->subject->name;
    fprintf(out, "# fish completion for %s " GRT_VERSION ", written by %s --completion=fish.\n\n", name,
            name);
    grt_completion_put(completion, helpers);
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
        put_front(completion);
        fprintf(out, "complete -c %s -n __fish_use_subcommand -a help -d 'Show the help of a command'\n",
                name);
        fprintf(out, "complete -c %s -n '__fish_seen_subcommand_from help' -x -a '", name);
        for (size_t i = 0; i < completion->command_count; i++) {
            fprintf(out, "%s%s", i > 0 ? " " : "", completion->commands[i].name);
        }
        fputs("'\n", out);
    }
}
