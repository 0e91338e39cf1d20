#include "cli/terminal/manual/option_list.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/command_line.h"
#include "sim/memory.h"

/* A group's heading may stand in the table of a parent or of a child: it is that of all options of the group. */
static void set_heading(struct grt_option_list *list, uint32_t from, int group, const char *heading) {
    for (uint32_t i = from; i < list->count; i++) {
        if (list->items[i].group == group) {
            list->items[i].heading = heading;
        }
    }
}

static void add_option(struct grt_option_list *list, const struct argp_option *option, int group,
                       const char *heading) {
    list->items = grt_array_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items[list->count++] = (struct grt_listed_option){
        .heading = heading,
        .group = group,
        .letter = option->key > ' ' && option->key < 0x7f ? (char)option->key : '\0',
        .names = {option->name},
        .value = option->arg,
        .value_is_optional = (option->flags & OPTION_ARG_OPTIONAL) != 0,
        .text = option->doc};
}

static void add_table(struct grt_option_list *list, const struct argp_option *options) {
    int group = 0, headed = 0;
    const char *heading = NULL;
    for (const struct argp_option *option = options; option != NULL && !grt_option_is_end(option); option++) {
        bool is_heading = option->name == NULL && option->key == 0;
        group = option->group != 0 ? option->group : group + is_heading;
        if (is_heading) {
            heading = option->doc;
            headed = group;
            set_heading(list, 0, group, heading);
        } else if ((option->flags & OPTION_ALIAS) != 0 && option->name != NULL && list->count > 0) {
            list->items[list->count - 1].names[1] = option->name;
        } else if ((option->flags & (OPTION_ALIAS | OPTION_HIDDEN)) == 0) {
            add_option(list, option, group, group == headed ? heading : NULL);
        }
    }
}

static void add_all(struct grt_option_list *list, const struct argp *argp) {
    add_table(list, argp->options);
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; child++) {
        uint32_t first = list->count;
        add_all(list, child->argp);
        for (uint32_t i = first; child->header != NULL && i < list->count; i++) {
            list->items[i].heading = child->header;
            list->items[i].group = child->group;
        }
    }
}

/* 0, 1, 2, ..., then -2, -1, as argp has it; those of a group as they stand. */
static void sort(struct grt_option_list *list) {
    for (uint32_t i = 1; i < list->count; i++) {
        struct grt_listed_option item = list->items[i];
        uint32_t at = i;
        while (at > 0 && (unsigned)list->items[at - 1].group > (unsigned)item.group) {
            list->items[at] = list->items[at - 1];
            at--;
        }
        list->items[at] = item;
    }
}

void grt_option_list_read(struct grt_option_list *list, const struct argp *argp) {
    add_all(list, argp);
    add_table(list, grt_built_in_options);
    sort(list);
}

void grt_option_list_free(struct grt_option_list *list) {
    free(list->items);
    *list = (struct grt_option_list){0};
}

bool grt_option_list_has(const struct grt_option_list *list, const char *name) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct grt_listed_option *option = &list->items[i];
        if (strcmp(option->names[0], name) == 0 ||
            (option->names[1] != NULL && strcmp(option->names[1], name) == 0)) {
            return true;
        }
    }
    return false;
}

bool grt_listed_option_repeats(const struct grt_listed_option *option) {
    return strstr(option->text, "given often") != NULL || strstr(option->text, "several times") != NULL;
}
