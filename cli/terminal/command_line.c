#include "cli/terminal/command_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/library_files.h"
#include "cli/terminal/program.h"
#include "cli/terminal/shown_line.h"
#include "scenarios/spelling.h"
#include "sim/unit.h"
#include "sim/utf8.h"

void grt_options_fail(const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = grt_shown_text(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\nTry `%s --help' or `%s --usage' for more information.\n", name, text, name,
            name); /* as argp says it */
    free(text);
    exit(GRT_EXIT_INPUT);
}

void grt_argp_error(const struct argp_state *state, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = grt_shown_text(format, arguments);
    va_end(arguments);
    argp_error(state, "%s", text); /* ends the program */
    free(text);
}

/* ---- Unknown options ---- */

bool grt_option_is_end(const struct argp_option *option) {
    return option->name == NULL && option->key == 0 && option->doc == NULL && option->group == 0;
}

/* A search for the option of a name, which may be shortened; that of the whole name is found before others. */
struct name_search {
    const char *name;
    size_t length;
    struct grt_guess *guess; /* is offered all names */
    const struct argp_option *found;
    const struct argp_option *other; /* another one that the name may mean; NULL: none */
};

static void try_option(struct name_search *search, const struct argp_option *option) {
    if ((option->flags & OPTION_HIDDEN) == 0) {
        grt_guess_try(search->guess, option->name);
    }
    if (strncmp(option->name, search->name, search->length) != 0) {
        return;
    }
    bool whole = option->name[search->length] == '\0';
    if (search->found == NULL || whole) {
        search->found = option;
    } else if (option->key != search->found->key) { /* else its other name */
        search->other = option;
    }
}

static void search_options(struct name_search *search, const struct argp *argp) {
    for (const struct argp_option *option = argp->options; option != NULL && !grt_option_is_end(option);
         option++) {
        if (option->name != NULL) {
            try_option(search, option);
        }
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++) {
        search_options(search, child->argp);
    }
}

static struct name_search search_name(const struct argp *argp, const char *name, struct grt_guess *guess) {
    struct name_search search = {.name = name, .length = strcspn(name, "="), .guess = guess};
    if (search.length > 0) {
        search_options(&search, argp);
    }
    if (search.found != NULL && search.found->name[search.length] == '\0') {
        search.other = NULL;
    }
    return search;
}

/* Checks one "--name" or "--name=value"; whether the next word is its value. */
static bool check_long_option(const struct argp *argp, const char *program, const char *word) {
    char name[GRT_GUESS_TEXT_SIZE];
    size_t length = strcspn(word + 2, "=");
    length = length > 0 ? length : 1; /* "--=value" */
    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    if (length >= sizeof name) {
        grt_utf8_trim(name); /* the beginning of it */
    }
    struct grt_guess guess = grt_guess_start(name);
    const struct name_search search = search_name(argp, word + 2, &guess);
    const struct argp_option *option = search.found;
    if (option == NULL) {
        if (guess.best != NULL) {
            grt_options_fail(program, "unknown option '--%s' (did you mean '--%s'?)", name, guess.best);
        }
        grt_options_fail(program, "unknown option '--%s'", name);
    }
    if (search.other != NULL) {
        grt_options_fail(program, "option '--%s' is ambiguous: it may be '--%s' or '--%s'", name,
                         option->name, search.other->name);
    }
    return option->arg != NULL && (option->flags & OPTION_ARG_OPTIONAL) == 0 && word[2 + length] == '\0';
}

static const struct argp_option *find_letter(const struct argp *argp, char letter) {
    const struct argp_option *option = argp->options;
    while (option != NULL && !grt_option_is_end(option) && option->key != letter) {
        option++;
    }
    const struct argp_option *found = option != NULL && !grt_option_is_end(option) ? option : NULL;
    for (const struct argp_child *child = argp->children;
         found == NULL && child != NULL && child->argp != NULL; child++) {
        found = find_letter(child->argp, letter);
    }
    return found;
}

/* The same of "-x", "-xyz" and "-ovalue". */
static bool check_letters(const struct argp *argp, const char *program, const char *word) {
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        const struct argp_option *option = find_letter(argp, *letter);
        size_t length = grt_utf8_length(letter, strlen(letter));
        if (option == NULL) {
            grt_options_fail(program, "unknown option '-%.*s'", length > 0 ? (int)length : 1, letter);
        }
        if (option->arg != NULL) {
            return (option->flags & OPTION_ARG_OPTIONAL) == 0 && letter[1] == '\0';
        }
    }
    return false;
}

/* "--gantt 0ms,5ms": what looks like the value of an option whose value is optional would be taken for a file. */
static void check_optional_value(const struct argp *argp, const char *program, const char *word,
                                 const char *next) {
    struct grt_guess guess = grt_guess_start("");
    const struct argp_option *option = search_name(argp, word + 2, &guess).found;
    bool is_value = strchr(word, '=') == NULL && next != NULL && next[0] >= '0' && next[0] <= '9' &&
                    strchr(next, ',') != NULL;
    if (option != NULL && (option->flags & OPTION_ARG_OPTIONAL) != 0 && is_value && access(next, F_OK) != 0) {
        grt_options_fail(program, "write --%s=%s: its value is optional, and has to stand behind a '='",
                         option->name, next);
    }
}

/* Whether a word is an option: "--name", which may be shortened, "--name=value", or "-x", with others or a value behind. */
static bool is_option(const struct argp *argp, const char *word) {
    if (strncmp(word, "--", 2) == 0) {
        struct grt_guess guess = grt_guess_start("");
        const struct name_search search = search_name(argp, word + 2, &guess);
        return search.found != NULL && search.other == NULL;
    }
    return word[0] == '-' && word[1] != '\0' && find_letter(argp, word[1]) != NULL;
}

/* "--json --quiet": a value was forgotten, and the option behind it would be taken for it: for a file's name, say. */
static void check_forgotten_value(const struct argp *argp, const char *program, const char *word,
                                  const char *next) {
    if (next != NULL && is_option(argp, next)) {
        bool is_long = word[1] == '-';
        grt_options_fail(program,
                         "option '%s' needs a value, and '%s' is an option; if it is the value, write %s%s%s",
                         word, next, word, is_long ? "=" : "", next);
    }
}

static void check_options(const struct argp *argp, int argc, char **argv, bool in_front_only) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        bool needs_next = false;
        if (strncmp(argv[i], "--", 2) == 0) {
            check_optional_value(argp, argv[0], argv[i], argv[i + 1]);
            needs_next = check_long_option(argp, argv[0], argv[i]);
        } else if (argv[i][0] == '-' && argv[i][1] != '\0') {
            needs_next = check_letters(argp, argv[0], argv[i]);
        } else if (in_front_only) {
            return;
        }
        if (needs_next) {
            check_forgotten_value(argp, argv[0], argv[i], argv[i + 1]);
            i++;
        }
    }
}

/* ---- Help ---- */

enum { KEY_USAGE = 0x7f00 };

const struct argp_option grt_built_in_options[] = {
    {"help", 'h', NULL, 0, "Print this help", -1},
    {NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, -1}, /* as argp calls it */
    {"usage", KEY_USAGE, NULL, 0, "Print all options in a few lines", -1},
    {"version", 'V', NULL, 0, "Print the version", -1},
    {0}};

/* A command line as all its parsers see it. */
struct parsing {
    struct argp all;          /* first: each of them has its address, ->root_argp */
    const char *missing;      /* the first word that is no file, nor of the library; NULL: none */
    struct grt_errors errors; /* about it: told when the line is known to be right */
};

static struct parsing *parsing_of(const struct argp_state *state) {
    return (struct parsing *)(uintptr_t)state->root_argp;
}

static error_t parse_built_in(int key, char *argument, struct argp_state *state) {
    (void)argument;
    switch (key) {
    case 'h':
    case '?':
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        argp_program_version_hook(state->out_stream, state);
        exit(0);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* argp's note about short options, which says little to people, is left out. */
static char *without_note(int key, const char *text, void *input) {
    (void)input;
    return key != ARGP_KEY_HELP_DUP_ARGS_NOTE ? (char *)(size_t)text : NULL;
}

static void parse(const struct argp *argp, int argc, char **argv, void *input, bool in_front_only) {
    static const struct argp built_in = {.options = grt_built_in_options, .parser = parse_built_in};
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {&built_in, 0, NULL, 0}, {0}};
    struct parsing parsing = {.all = {.children = children, .help_filter = without_note}};
    check_options(&parsing.all, argc, argv, in_front_only);
    argp_err_exit_status = GRT_EXIT_INPUT;
    error_t error =
        argp_parse(&parsing.all, argc, argv, ARGP_NO_HELP | (in_front_only ? ARGP_IN_ORDER : 0), NULL, input);
    if (error != 0) {
        grt_options_fail(argv[0], "%s", strerror(error));
    }
    if (parsing.missing != NULL) {
        grt_options_fail(argv[0], "%s: %s", parsing.missing, parsing.errors.messages[0]);
    }
}

void grt_options_parse(const struct argp *argp, int argc, char **argv, void *input) {
    parse(argp, argc, argv, input, false);
}

void grt_options_parse_front(const struct argp *argp, int argc, char **argv, void *input) {
    parse(argp, argc, argv, input, true);
}

enum { ENTRY_INDENT = 13, ENTRY_WIDTH = 78 };

void grt_options_put_entry(FILE *out, const char *name, const char *text) {
    int column = fprintf(out, "  %-*s", ENTRY_INDENT - 2, name);
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > ENTRY_INDENT && column + 1 + length > ENTRY_WIDTH) {
            fprintf(out, "\n%*s", ENTRY_INDENT, "");
            column = ENTRY_INDENT;
        }
        column += fprintf(out, "%s%.*s", column > ENTRY_INDENT ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* ---- Values ---- */

void grt_option_once(uint64_t *given, const struct argp_option *options, int key,
                     const struct argp_state *state) {
    for (unsigned i = 0; i < 64 && !grt_option_is_end(&options[i]); i++) {
        if (options[i].key == key && options[i].arg != NULL) {
            if ((*given >> i & 1) != 0) {
                grt_argp_error(state, "--%s was given twice", options[i].name);
            }
            *given |= (uint64_t)1 << i;
        }
    }
}

bool grt_option_keep(const struct grt_plain_option *plain, int key, const char *argument,
                     const struct argp_state *state) {
    while (plain->key != 0 && plain->key != key) {
        plain++;
    }
    if (plain->text != NULL) {
        *plain->text = plain->option != NULL ? grt_option_text(plain->option, argument, state) : argument;
    } else if (plain->flag != NULL) {
        *plain->flag = true;
    }
    return plain->key != 0;
}

void grt_option_one(const char **argument, const char *what, const char *text,
                    const struct argp_state *state) {
    if (*argument != NULL) {
        grt_argp_error(state, "one %s at a time (got '%s' and '%s')", what, *argument, text);
    }
    *argument = text;
}

const char *grt_option_file(const char *text, unsigned kinds, const struct argp_state *state) {
    struct parsing *parsing = parsing_of(state);
    struct grt_arena arena = {0};
    const char *path = grt_library_path(text, kinds, &arena, &parsing->errors);
    if (path == NULL) {
        parsing->missing = parsing->missing != NULL ? parsing->missing : text;
        path = text;
    } else if (path != text) {
        size_t size = strlen(path) + 1;
        state->argv[state->next - 1] = memcpy(grt_allocate(size), path, size);
        path = state->argv[state->next - 1];
    }
    grt_arena_clear(&arena);
    return path;
}

void grt_option_scenario(const char **argument, const char *text, const struct argp_state *state) {
    grt_option_one(argument, "scenario", text, state);
    *argument = grt_option_file(text, GRT_LIBRARY_SCENARIO, state);
}

double grt_option_number(const char *option, const char *text, double least, double most,
                         const struct argp_state *state) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most)) {
        grt_argp_error(state, "%s: must be a number from %g to %g (got '%s')", option, least, most, text);
    }
    return value;
}

uint64_t grt_option_whole(const char *option, const char *text, uint64_t least, uint64_t most,
                          const struct argp_state *state) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = text[0] >= '0' && text[0] <= '9';
    if (!digits || *end != '\0' || errno != 0 || number < least || number > most) {
        grt_argp_error(state, "%s: must be a whole number from %" PRIu64 " to %" PRIu64 " (got '%s')", option,
                       least, most, text);
    }
    return number;
}

const char *grt_option_text(const char *option, const char *text, const struct argp_state *state) {
    if (text[0] == '\0') {
        grt_argp_error(state, "%s: must not be empty", option);
    }
    return text;
}

grt_time grt_option_time(const char *option, const char *text, const struct argp_state *state) {
    int64_t value = 0;
    const char *fault = grt_unit_parse(GRT_QUANTITY_TIME, text, &value);
    if (fault != NULL) {
        grt_argp_error(state, "%s: %s (got '%s')", option, fault, text);
    }
    if (value < 0) {
        grt_argp_error(state, "%s: must not be negative (got '%s')", option, text);
    }
    return value;
}
