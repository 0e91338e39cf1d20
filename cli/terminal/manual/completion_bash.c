/* Completion for bash, 4.3 or later: one function, which needs nothing of the package bash-completion. */
#include "cli/terminal/manual/completion.h"

#include <string.h>

/* bash splits words at = and : too: they are put together again. */
static const char words_of_line[] =
    "    local IFS=$' \\t\\n' rest=$COMP_LINE word bare i\n"
    "    local -a words=()\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]} bare=${rest#\"${rest%%[![:blank:]]*}\"}\n"
    "        if ((i == 0)) || [[ $bare != \"$rest\" ]]; then\n"
    "            words+=(\"$word\")\n"
    "        else\n"
    "            words[-1]+=$word\n"
    "        fi\n"
    "        rest=${bare#\"$word\"}\n"
    "    done\n"
    "    local current=${words[-1]} last=${COMP_WORDS[COMP_CWORD]}\n"
    "    [[ $last == [=:] ]] && last=\n"
    "    local typed=${current%\"$last\"} # in front of what readline takes for the word\n";

/* Which command, which argument of it, or the value of which option. */
static const char place_of_word[] =
    "    local option= value=$current prefix= previous= index=0 valued\n"
    "    ${0}_options \"$command\"\n"
    "    for ((i = first; i < ${#words[@]} - 1; i++)); do\n"
    "        if [[ $previous ]]; then\n"
    "            previous=\n"
    "        elif [[ ${words[i]} == -* && ${words[i]} != - ]]; then\n"
    "            [[ \" $valued \" == *\" ${words[i]} \"* ]] && previous=${words[i]}\n"
    "        else\n"
    "            ((++index))\n"
    "        fi\n"
    "    done\n"
    "    if [[ $previous ]]; then\n"
    "        option=$previous\n"
    "    elif [[ $current == --*=* ]]; then\n"
    "        option=${current%%=*} value=${current#*=} prefix=${current%%=*}=\n"
    "    elif [[ $current == -* ]]; then\n"
    "        offer=$options\n"
    "        ${0}_words \"$current\"\n"
    "        return\n"
    "    fi\n"
    "    ${0}_value \"$command\" \"${option:-$index}\"\n"
    "    [[ $offer ]] && ${0}_words \"$value\"\n"
    "    [[ ${endings+set} ]] && ${0}_files \"$value\"\n"
    "    [[ $library && ! ${COMPREPLY+set} ]] && ${0}_library \"$value\"\n"
    "    [[ $experiments ]] && ${0}_experiments \"$value\"\n"
    "    return 0\n"
    "}\n\n";

/* The functions below see the variables of the one above. */
static const char helpers[] =
    "# ${0}_add VALUE: offers it, without what stands in front of the word in readline's sense.\n"
    "${0}_add() {\n"
    "    local whole=$prefix$1\n"
    "    COMPREPLY+=(\"${whole#\"$typed\"}\")\n"
    "}\n\n"
    "# ${0}_words WORD: the words of $offer that go on as WORD does.\n"
    "${0}_words() {\n"
    "    local front= word=$1 one\n"
    "    if [[ $list ]]; then\n"
    "        [[ $word == *,* ]] && front=${word%,*}, word=${word##*,}\n"
    "        [[ $labels && $word == *=* ]] && front+=${word%%=*}= word=${word#*=}\n"
    "    fi\n"
    "    for one in $offer; do\n"
    "        if [[ $one == \"$word\"* ]]; then\n"
    "            ${0}_add \"$front$one\"\n"
    "            [[ $one == *[=:.] ]] && compopt -o nospace 2>/dev/null\n"
    "        fi\n"
    "    done\n"
    "    return 0\n"
    "}\n\n"
    "# ${0}_files WORD: folders, and files with one of the $endings; any file where there are none such.\n"
    "${0}_files() {\n"
    "    local word=${1//\\\\/} one ending found=\n"
    "    [[ $word == '~/'* ]] && word=$HOME/${word#??}\n"
    "    local -a files=()\n"
    "    while IFS= read -r one; do files+=(\"$one\"); done < <(compgen -f -- \"$word\")\n"
    "    for one in \"${files[@]}\"; do\n"
    "        [[ -d $one ]] && ${0}_add \"$one\"\n"
    "        for ending in $endings; do\n"
    "            [[ ! -d $one && $one == *.\"$ending\" ]] && ${0}_add \"$one\" && found=1\n"
    "        done\n"
    "    done\n"
    "    for one in \"${files[@]}\"; do\n"
    "        [[ $folders || $found || -d $one ]] || ${0}_add \"$one\"\n"
    "    done\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    return 0\n"
    "}\n\n"
    "# ${0}_folder: where the library of scenarios is, in $folder; a program that is not installed has it in "
    "the sources, two or three folders up.\n"
    "${0}_folder() {\n"
    "    local program=$(type -P gpurt) one\n"
    "    folder=${GPURT_LIBRARY:-${program%/bin/*}/share/gpurt/scenarios}\n"
    "    for one in \"${program%/*/*}/scenarios\" \"${program%/*/*/*}/scenarios\"; do\n"
    "        [[ ! -d $folder && -f $one/quickstart.json ]] && folder=$one\n"
    "    done\n"
    "    return 0\n"
    "}\n\n"
    "# ${0}_library WORD: scenarios and experiments of the library by their names, or the last parts of "
    "them that no other file has.\n"
    "${0}_library() {\n"
    "    local folder one seen=/ several=/ parts='@(devices|usages|kernels)'\n"
    "    ${0}_folder\n"
    "    for one in \"$folder/$1\"*; do\n"
    "        if [[ -d $one && /${one#\"$folder/\"} != */$parts ]]; then\n"
    "            COMPREPLY+=(\"${one#\"$folder/\"}/\")\n"
    "            compopt -o nospace 2>/dev/null\n"
    "        fi\n"
    "    done\n"
    "    local -a files=(\"$folder/$1\"*.json \"$folder\"/*/\"$1\"*.json \"$folder\"/*/*/{,*/}\"$1\"*.json)\n"
    "    for one in \"${files[@]##*/}\"; do\n"
    "        [[ $seen == */\"${one%.json}\"/* ]] && several+=${one%.json}/\n"
    "        seen+=${one%.json}/\n"
    "    done\n"
    "    for one in \"${files[@]}\"; do\n"
    "        [[ -f $one && $one != */$parts/* ]] || continue\n"
    "        one=${one#\"$folder/\"} one=${one%.json}\n"
    "        if [[ $one == \"$1\"* && ${one#\"$1\"} != */* ]]; then\n"
    "            COMPREPLY+=(\"$one\")\n"
    "        elif [[ $1 && $1 != */* && $several != */\"${one##*/}\"/* ]]; then\n"
    "            COMPREPLY+=(\"${one##*/}\")\n"
    "        fi\n"
    "    done\n"
    "    return 0\n"
    "}\n\n"
    "# ${0}_experiments WORD: experiments and papers of the library.\n"
    "${0}_experiments() {\n"
    "    local folder one\n"
    "    ${0}_folder\n"
    "    while IFS='\"' read -r _ _ _ one _; do\n"
    "        [[ $one == \"$1\"* ]] && COMPREPLY+=(\"$one\")\n"
    "    done < <(grep -hm1 '\"name\"' \"$folder\"/papers/*/experiments/*.json "
    "\"$folder\"/experiments/*.json 2>/dev/null)\n"
    "    for one in \"$folder/papers/$1\"*/experiments; do\n"
    "        [[ -d $one ]] && one=${one%/*} && COMPREPLY+=(\"${one##*/}\")\n"
    "    done\n"
    "    return 0\n"
    "}\n\n";

/* ---- Tables ---- */

static void put_options(FILE *out, const struct grt_option_list *list) {
    fputs("        options='", out);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct grt_listed_option *option = &list->items[i];
        bool plain = option->value == NULL || option->value_is_optional;
        for (size_t k = 0; k < 2 && option->names[k] != NULL; k++) {
            fprintf(out, plain ? " --%s" : " --%s=", option->names[k]);
        }
    }
    fputs("'\n        valued='", out);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct grt_listed_option *option = &list->items[i];
        bool plain = option->value == NULL || option->value_is_optional;
        for (size_t k = 0; k < 2 && option->names[k] != NULL && !plain; k++) {
            fprintf(out, " --%s", option->names[k]);
        }
        if (option->letter != '\0' && !plain) {
            fprintf(out, " -%c", option->letter);
        }
    }
    fputs("'\n", out);
}

static void put_options_of_all(const struct grt_completion *completion) {
    grt_completion_put(completion, "${0}_options() {\n    case $1 in\n");
    for (size_t i = 0; i < completion->command_count; i++) {
        const struct grt_completion_command *command = &completion->commands[i];
        fprintf(completion->out, "    %s)\n", command->name != NULL ? command->name : "*");
        put_options(completion->out, &command->options);
        fputs("        ;;\n", completion->out);
    }
    fputs("    esac\n}\n\n", completion->out);
}

/* What ${0}_value sets for a value. */
static void put_kind(FILE *out, const struct grt_value_kind *kind) {
    if (kind->words != NULL) {
        fputs(" offer=", out);
        grt_completion_quote(out, kind->words);
    }
    if (kind->endings != NULL || kind->folders) {
        fprintf(out, " endings='%s'", kind->endings != NULL ? kind->endings : "");
    }
    fprintf(out, "%s%s%s%s%s ;;\n", kind->list ? " list=1" : "", kind->labels ? " labels=1" : "",
            kind->folders ? " folders=1" : "", kind->library ? " library=1" : "",
            kind->experiments ? " experiments=1" : "");
}

static bool is_known(const struct grt_value_kind *kind) {
    return kind->words != NULL || kind->endings != NULL || kind->folders || kind->library ||
           kind->experiments;
}

static void put_values(FILE *out, const struct grt_completion_command *command) {
    const char *name = command->name != NULL ? command->name : "";
    for (uint32_t i = 0; i < command->options.count; i++) {
        const struct grt_listed_option *option = &command->options.items[i];
        if (option->value == NULL || !is_known(&command->values[i])) {
            continue;
        }
        fprintf(out, "    %s:--%s", name, option->names[0]);
        if (option->names[1] != NULL) {
            fprintf(out, " | %s:--%s", name, option->names[1]);
        }
        if (option->letter != '\0') {
            fprintf(out, " | %s:-%c", name, option->letter);
        }
        fputc(')', out);
        put_kind(out, &command->values[i]);
    }
    for (size_t i = 0; i < command->argument_count; i++) {
        if (is_known(&command->arguments[i])) {
            bool often = command->repeats && i + 1 == command->argument_count;
            fprintf(out, often ? "    %s:[0-9]*)" : "    %s:%zu)", name, i);
            put_kind(out, &command->arguments[i]);
        }
    }
}

static void put_values_of_all(const struct grt_completion *completion) {
    grt_completion_put(completion, "${0}_value() {\n    case $1:$2 in\n");
    for (size_t i = 0; i < completion->command_count; i++) {
        put_values(completion->out, &completion->commands[i]);
    }
    fputs("    esac\n}\n\n", completion->out);
}

/* ---- All ---- */

static void put_commands(const struct grt_completion *completion) {
    FILE *out = completion->out;
    if (completion->commands[0].name == NULL) {
        fputs("    local command= first=1\n", out);
        return;
    }
    fputs("    local command=${words[1]} first=2\n"
          "    if ((${#words[@]} == 2)) || [[ $command == help && ${#words[@]} -eq 3 ]]; then\n"
          "        offer='",
          out);
    for (size_t i = 0; i < completion->command_count; i++) {
        fprintf(out, "%s ", completion->commands[i].name);
    }
    fputs("help'\n        [[ $current == -* ]] && offer='--help --usage --version'\n", out);
    grt_completion_put(completion, "        ${0}_words \"$current\"\n        return 0\n    fi\n");
}

void grt_completion_bash(const struct grt_completion *completion) {
    FILE *out = completion->out;
    const char *name = completion->subject->name;
    fprintf(out, "# bash completion for %s " GRT_VERSION ", written by %s --completion=bash.\n\n", name,
            name);
    grt_completion_put(completion, "${0}() {\n");
    fputs(words_of_line, out);
    fputs(
        "    local offer= list= labels= folders= library= experiments= options= endings\n    COMPREPLY=()\n",
        out);
    put_commands(completion);
    grt_completion_put(completion, place_of_word);
    grt_completion_put(completion, helpers);
    put_options_of_all(completion);
    put_values_of_all(completion);
    fprintf(out, "complete -F %s %s\n", completion->function, name);
}
