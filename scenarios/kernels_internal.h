/* What the parts of scenarios/kernels.h share. */
#ifndef GRT_SCENARIOS_KERNELS_INTERNAL_H
#define GRT_SCENARIOS_KERNELS_INTERNAL_H

#include "scenarios/kernels.h"
#include "scenarios/name_index.h"

/* How often launches follow from a kernel, and how deep. */
struct kernel_launches {
    size_t count, depth;
};

enum definition_state { DEFINITION_NEW, DEFINITION_IN_WORK, DEFINITION_DONE };

struct definition {
    const char *name;
    cJSON *object;
    uint32_t source; /* its number */
    size_t place;    /* in the source's list */
    enum definition_state state;
    struct kernel_launches launches; /* once done */
};

/* A file, or the definitions that are in the scenario itself. */
struct kernel_source {
    const char *file;         /* NULL: in the scenario */
    cJSON *tree;              /* of a file, owned; else the root */
    size_t entry;             /* in the scenario's list */
    bool is_list;             /* the scenario has a list, not one name */
    const char *device;       /* on which it was measured; NULL: not said */
    uint64_t gpus;            /* bit i: a task on GPU i has a kernel of it */
    struct grt_errors errors; /* of its definitions, with paths in the source */
};

struct grt_kernels {
    struct kernel_source *sources;
    uint32_t source_count, source_capacity;
    struct definition *items;
    uint32_t count, capacity;
    struct grt_name_entry *names; /* sorted, of `items` */
};

/* The first element of a list; NULL where it is none. */
static inline cJSON *kernel_list_first(const cJSON *list) {
    return cJSON_IsArray(list) ? list->child : NULL;
}

/* The definition of that name, or NULL. */
struct definition *grt_kernels_named(const struct grt_kernels *kernels, const char *name);

/* Puts definitions into the launches of others, then reads all of them, whose errors are their sources' then. (kernels_put.c) */
void grt_kernels_check(struct grt_reader *reader, struct grt_kernels *kernels);

/* Adds the errors of all sources to the reader's, with the files' names; true if there were none. */
bool grt_kernels_report(struct grt_reader *reader, struct grt_kernels *kernels);

#endif
