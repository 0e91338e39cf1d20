/* What the command lines of all programs have in common: they say what is wrong, and end the program. */
#ifndef GRT_CLI_TERMINAL_COMMAND_LINE_H
#define GRT_CLI_TERMINAL_COMMAND_LINE_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/time.h"

/* argp_parse that suggests a known option for a misspelt one, and knows -h. Ends the program after --help, --version and --usage,
 * and with exit code 2 after a wrong option. */
void grt_options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The same of the options in front of a command: the first word that is none is ARGP_KEY_ARG before any behind it is looked at. */
void grt_options_parse_front(const struct argp *argp, int argc, char **argv, void *input);

/* The options that each program has beside its own: --help, --usage, --version. */
extern const struct argp_option grt_built_in_options[];

/* Whether a table of options ends there. */
bool grt_option_is_end(const struct argp_option *option);

/* Writes "  name       text" for help texts, broken into lines of a terminal. */
void grt_options_put_entry(FILE *out, const char *name, const char *text);

/* Ends the program with exit code 2 and "<name>: <sentence>" followed by a hint at --help. */
_Noreturn void grt_options_fail(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of a command line that is being read, as argp_error; words of it may be in the sentence, which a terminal can show (grt_utf8_shown). */
void grt_argp_error(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the program if an option that takes a value was given before: of two values it is not clear which was meant. `given` has a
 * bit for each of the first 64 of `options`; start it at 0, and call this for each option that may be given once. */
void grt_option_once(uint64_t *given, const struct argp_option *options, int key,
                     const struct argp_state *state);

/* An option that is only kept: as a flag, or as its text. */
struct grt_plain_option {
    int key;            /* 0 ends a list */
    const char *option; /* the text must not be empty, and errors call it so: "--json"; NULL: it may be */
    const char **text;
    bool *flag; /* where `text` is NULL */
};

/* Keeps it if it is one of these; false if it is none. */
bool grt_option_keep(const struct grt_plain_option *plain, int key, const char *argument,
                     const struct argp_state *state);

/* Takes the one argument that a command has, a "scenario" or `what` else; a usage error where there was one already. */
void grt_option_one(const char **argument, const char *what, const char *text,
                    const struct argp_state *state);

/* The path of a file that a command reads and that may be one of the library by its name (grt_library_path, with its `kinds`): `text`, the latest argument or the value
 * of the latest option; the path is kept in argv in the place of the word that has it. Where there is none, `text`, and the program ends when the rest of the command line is known to be right. */
const char *grt_option_file(const char *text, unsigned kinds, const struct argp_state *state);

/* The same of the one scenario that a command has. */
void grt_option_scenario(const char **argument, const char *text, const struct argp_state *state);

/* The values of options, called as they are written, "--width"; these end the program where the text is none. */
double grt_option_number(const char *option, const char *text, double least, double most,
                         const struct argp_state *state);
uint64_t grt_option_whole(const char *option, const char *text, uint64_t least, uint64_t most,
                          const struct argp_state *state); /* of decimal digits alone */
const char *grt_option_text(const char *option, const char *text,
                            const struct argp_state *state); /* not empty */
grt_time grt_option_time(const char *option, const char *text,
                         const struct argp_state *state); /* not negative */

#endif
