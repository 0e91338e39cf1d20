/* Commands that list what gpurt comes with, or show one of it by its name: devices, policies, usages, scenarios. */
#ifndef GRT_CLI_NAMED_LIST_H
#define GRT_CLI_NAMED_LIST_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/terminal/options.h"
#include "scenarios/embedded.h"

/* What the command line asks for. */
struct grt_named_list {
    const char *what; /* "device", for messages: given beforehand */
    const char *name; /* NULL: all */
    bool json;
    struct grt_style style;
};

/* What reads -j (--json) and a name into it, and the options of its style; a list for struct argp. */
error_t grt_named_list_parse(int key, char *argument, struct argp_state *state);
extern const struct argp_child grt_named_list_children[];

/* The style of the list: on no terminal nothing is cut unless --width says so, for what reads a pipe can cut lines itself. */
struct grt_style grt_named_list_style(const struct grt_named_list *list);

/* Prints files as a JSON list. */
void grt_named_list_json(const struct grt_embedded_file *files, size_t count);

#endif
