/* The options of a command, out of the tables that argp reads them with, in the order of --help but for the alphabet. */
#ifndef GRT_CLI_TERMINAL_MANUAL_OPTION_LIST_H
#define GRT_CLI_TERMINAL_MANUAL_OPTION_LIST_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct grt_listed_option {
    const char *heading;  /* of its group; NULL: none */
    int group;            /* as argp has it: below 0 behind all others */
    char letter;          /* 'q' for -q; 0: none */
    const char *names[2]; /* "quiet", and another spelling or NULL */
    const char *value;    /* as "FILE"; NULL: takes none */
    bool value_is_optional;
    const char *text;
};

/* Start it as {0}, free it with grt_option_list_free. Texts belong to the tables. */
struct grt_option_list {
    struct grt_listed_option *items;
    uint32_t count, capacity;
};

/* Reads the options of a table and of its children that are not hidden, and behind them those of every program. */
void grt_option_list_read(struct grt_option_list *list, const struct argp *argp);
void grt_option_list_free(struct grt_option_list *list);

/* Whether one has this long name. */
bool grt_option_list_has(const struct grt_option_list *list, const char *name);

/* Whether it may be given more than once, as its text says. */
bool grt_listed_option_repeats(const struct grt_listed_option *option);

#endif
