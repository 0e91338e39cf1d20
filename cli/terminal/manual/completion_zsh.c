/* Completion for zsh: a file for a folder of $fpath, or to be sourced. */
#include "cli/terminal/manual/completion.h"

#include <string.h>

/* A text between [ and ], or behind a colon, inside of single quotes. */
static void put_text(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else {
            fprintf(out, strchr("[]:\\", *text) != NULL ? "\\%c" : "%c", *text);
        }
    }
}

/* A colon would end the action: % stands for it. */
static void put_words(FILE *out, const char *words) {
    for (; *words != '\0'; words++) {
        fputc(*words == ':' ? '%' : *words, out);
    }
}

static void put_files(FILE *out, const struct grt_completion *completion, const struct grt_value_kind *kind) {
    if (kind->folders) {
        fputs("_files -/", out);
    } else if (kind->endings != NULL && kind->endings[0] != '\0') {
        fprintf(out, "%s_%s \"", completion->function, kind->library ? "library" : "files");
        for (const char *at = kind->endings; *at != '\0'; at++) {
            fputc(*at == ' ' ? '|' : *at, out);
        }
        fputc('"', out);
    } else {
        fputs("_files", out);
    }
}

/* What stands behind the last colon of a specification of _arguments. */
static void put_action(const struct grt_completion *completion, const struct grt_value_kind *kind) {
    FILE *out = completion->out;
    bool files = kind->endings != NULL || kind->folders;
    fputc(' ', out); /* else _arguments adds arguments of its own */
    if (kind->experiments) {
        fprintf(out, "%s_experiments", completion->function);
    } else if (kind->words != NULL && (kind->list || files)) {
        fprintf(out, "%s_%s \"", completion->function,
                kind->labels ? "labels"
                : kind->list ? "list"
                             : "both");
        put_words(out, kind->words);
        fputs("\"", out);
        if (files) {
            fprintf(out, " \"%s\"", kind->endings != NULL ? kind->endings : "");
        }
    } else if (kind->words != NULL) {
        fprintf(out, "%s_words \"", completion->function);
        put_words(out, kind->words);
        fputs("\"", out);
    } else if (files) {
        put_files(out, completion, kind);
    } else if (kind->library) {
        fprintf(out, "%s_library \"\"", completion->function);
    }
}

/* Those that the shell has to know for each other: -q excludes --quiet. */
static void put_option(const struct grt_completion *completion, const struct grt_listed_option *option,
                       const struct grt_value_kind *kind, const char *name) {
    FILE *out = completion->out;
    bool repeats = grt_listed_option_repeats(option), is_long = name[1] == '-';
    fputs("        '", out);
    if (repeats) {
        fputc('*', out);
    } else {
        fputs("(", out);
        for (size_t i = 0; i < 2 && option->names[i] != NULL; i++) {
            fprintf(out, "%s--%s", i > 0 ? " " : "", option->names[i]);
        }
        if (option->letter != '\0') {
            fprintf(out, " -%c", option->letter);
        }
        fputs(")", out);
    }
    const char *sign = option->value == NULL ? "" : is_long ? (option->value_is_optional ? "=-" : "=") : "+";
    fprintf(out, "%s%s[", name, sign);
    put_text(out, option->text);
    fputc(']', out);
    if (option->value != NULL) {
        fputs(option->value_is_optional ? "::" : ":", out);
        put_text(out, option->value);
        fputc(':', out);
        put_action(completion, kind);
    }
    fputs("' \\\n", out);
}

static void put_options(const struct grt_completion *completion,
                        const struct grt_completion_command *command) {
    for (uint32_t i = 0; i < command->options.count; i++) {
        const struct grt_listed_option *option = &command->options.items[i];
        char name[80];
        for (size_t k = 0; k < 2 && option->names[k] != NULL; k++) {
            snprintf(name, sizeof name, "--%s", option->names[k]);
            put_option(completion, option, &command->values[i], name);
        }
        if (option->letter != '\0') {
            snprintf(name, sizeof name, "-%c", option->letter);
            put_option(completion, option, &command->values[i], name);
        }
    }
}

static void put_command(const struct grt_completion *completion,
                        const struct grt_completion_command *command) {
    FILE *out = completion->out;
    fputs("    _arguments -s -S : \\\n", out);
    put_options(completion, command);
    for (size_t i = 0; i < command->argument_count; i++) {
        bool often = command->repeats && i + 1 == command->argument_count;
        fprintf(out, often ? "        '*:" : "        '%zu:", i + 1);
        put_text(out, command->labels[i]);
        fputc(':', out);
        put_action(completion, &command->arguments[i]);
        fputs("' \\\n", out);
    }
    fputs("        && return 0\n", out);
}

static const char helpers[] =
    "# Words between blanks; behind those that end in = : or . the word goes on.\n"
    "${0}_words() {\n"
    "    local -a whole open\n"
    "    whole=(${=${1//\\%/:}})\n"
    "    open=(${(M)whole:#*[=:.]}) whole=(${whole:#*[=:.]})\n"
    "    compadd -a whole\n"
    "    (( $#open )) && compadd -S '' -a open\n"
    "}\n\n"
    "# The same with commas between.\n"
    "${0}_list() {\n"
    "    compset -P '*,'\n"
    "    compadd -qS, -- ${=1}\n"
    "}\n\n"
    "# The same with LABEL= in front.\n"
    "${0}_labels() {\n"
    "    compset -P '*,'\n"
    "    compset -P '[^,=]#='\n"
    "    compadd -qS, -- ${=1}\n"
    "}\n\n"
    "# Words, or files with one of the endings.\n"
    "${0}_both() {\n"
    "    ${0}_words \"$1\"\n"
    "    _files -g \"*.(${2// /|})(-.)\"\n"
    "}\n\n"
    "# Files with one of the endings, else any.\n"
    "${0}_files() {\n"
    "    _files -g \"*.($1)(-.)\" || _files\n"
    "}\n\n"
    "${0}_folder() {\n"
    "    local program=${commands[gpurt]} one\n"
    "    REPLY=${GPURT_LIBRARY:-${program%/bin/*}/share/gpurt/scenarios}\n"
    "    for one in ${program:h:h}/scenarios ${program:h:h:h}/scenarios; do\n"
    "        [[ ! -d $REPLY && -f $one/quickstart.json ]] && REPLY=$one\n"
    "    done\n"
    "    return 0\n"
    "}\n\n"
    "# The same, and scenarios and experiments of the library by their names, or the last parts of them that "
    "no other file has.\n"
    "${0}_library() {\n"
    "    local REPLY one\n"
    "    local -a paths names\n"
    "    local -A times\n"
    "    [[ -n $1 ]] && _files -g \"*.($1)(-.)\" && return\n"
    "    ${0}_folder\n"
    "    paths=($REPLY/$PREFIX*.json(N.) $REPLY/$PREFIX*/**/*.json(N.))\n"
    "    names=(${${paths#$REPLY/}%.json})\n"
    "    paths=($REPLY/*/**/$PREFIX*.json(N.))\n"
    "    for one in $paths; do times[${one:t:r}]+=x; done\n"
    "    for one in ${${${paths#$REPLY/}:#*(devices|usages|kernels)/*}:t:r}; do\n"
    "        [[ -n $PREFIX && $PREFIX != */* && $times[$one] == x ]] && names+=($one)\n"
    "    done\n"
    "    names=(${names:#*(devices|usages|kernels)/*})\n"
    "    compadd -a names || _files\n"
    "}\n\n"
    "# Experiments and papers of the library.\n"
    "${0}_experiments() {\n"
    "    local REPLY\n"
    "    local -a names\n"
    "    ${0}_folder\n"
    "    names=(${(f)\"$(grep -hm1 '\"name\"' $REPLY/papers/*/experiments/*.json(N) "
    "$REPLY/experiments/*.json(N))\"})\n"
    "    names=(${${names#*: \\\"}%\\\"*} $REPLY/papers/*/experiments(N:h:t))\n"
    "    compadd -a names\n"
    "}\n\n";

static void put_commands(const struct grt_completion *completion) {
    FILE *out = completion->out;
    grt_completion_put(completion, "${0}_commands() {\n    local -a names\n    names=(\n");
    for (size_t i = 0; i < completion->command_count; i++) {
        fprintf(out, "        '%s:", completion->commands[i].name);
        put_text(out, completion->commands[i].summary);
        fputs("'\n", out);
    }
    fputs("        'help:Show the help of a command'\n    )\n    _describe command names\n}\n\n", out);
}

static void put_main(const struct grt_completion *completion) {
    FILE *out = completion->out;
    grt_completion_put(completion, "${0}() {\n");
    if (completion->commands[0].name == NULL) {
        put_command(completion, &completion->commands[0]);
        fputs("}\n\n", out);
        return;
    }
    grt_completion_put(completion,
                       "    local context state state_descr line\n"
                       "    typeset -A opt_args\n"
                       "    if (( CURRENT == 2 )); then\n"
                       "        _arguments -s -S : '(-h --help)'{-h,--help}'[Print this help]' \\\n"
                       "            '--usage[Print all options in a few lines]' '(-V "
                       "--version)'{-V,--version}'[Print the version]' \\\n"
                       "            '1:command:${0}_commands'\n"
                       "        return\n"
                       "    fi\n"
                       "    shift words\n"
                       "    (( CURRENT-- ))\n"
                       "    case $words[1] in\n"
                       "    help) (( CURRENT == 2 )) && ${0}_commands ;;\n");
    for (size_t i = 0; i < completion->command_count; i++) {
        fprintf(out, "    %s) %s__%s ;;\n", completion->commands[i].name, completion->function,
                completion->commands[i].name);
    }
    fputs("    esac\n}\n\n", out);
}

void grt_completion_zsh(const struct grt_completion *completion) {
    FILE *out = completion->out;
    const char *name = completion->subject->name;
    fprintf(out, "#compdef %s\n# zsh completion for %s " GRT_VERSION ", written by %s --completion=zsh.\n\n",
            name, name, name);
    grt_completion_put(completion, helpers);
    for (size_t i = 0; i < completion->command_count && completion->commands[0].name != NULL; i++) {
        fprintf(out, "%s__%s() {\n", completion->function, completion->commands[i].name);
        put_command(completion, &completion->commands[i]);
        fputs("}\n\n", out);
    }
    if (completion->commands[0].name != NULL) {
        put_commands(completion);
    }
    put_main(completion);
    fprintf(out, "if [[ $funcstack[1] == _%s ]]; then\n    %s \"$@\"\nelse\n    compdef %s %s\nfi\n", name,
            completion->function, completion->function, name);
}
