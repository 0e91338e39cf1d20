/* The performance models that a scenario names. */
#include <string.h>

#include "models/task/kernel_walk.h"
#include "scenarios/networks.h"
#include "scenarios/records.h"
#include "scenarios/task_set.h"

enum { FILE_LENGTH = 1000 };

GRT_READER(grt_read_networks) {
    static const char ending[] = ".json";
    const struct grt_networks **networks = out;
    (void)field;
    const char *name = cJSON_IsString(value) ? value->valuestring : "";
    size_t length = strlen(name), least = strlen(ending);
    if (strpbrk(name, "\n\t") != NULL) {
        grt_read_error(reader, path, value, "must not hold control characters");
        return;
    }
    if (length <= least || strcmp(name + length - least, ending) != 0) {
        grt_read_error(reader, path, value, "must be the name of a file that ends in .json");
        return;
    }
    struct grt_networks *read = grt_arena_array(reader->arena, 1, sizeof *read);
    if (grt_read_text_is_good(reader, value, path, 1, FILE_LENGTH) &&
        grt_networks_read(name, reader->folder, reader->arena, read, reader->errors, path)) {
        *networks = read;
    }
}

/* Whether networks are of any kernel. */
struct search {
    const struct grt_networks *networks;
    bool found;
};

static void look_for(void *owner, const struct grt_kernel *kernel, size_t level,
                     const struct grt_path *path) {
    struct search *search = owner;
    (void)level;
    (void)path;
    search->found = search->found || grt_networks_find(search->networks, kernel->name) != NULL;
}

void grt_task_set_check_networks(struct grt_reader *reader, const struct grt_task_set *set,
                                 const struct grt_networks *networks, const struct grt_path *path) {
    struct search search = {networks, networks == NULL};
    for (size_t i = 0; i < set->count && !search.found; i++) {
        grt_task_walk_kernels(&set->tasks[i].task, NULL, look_for, &search);
    }
    if (!search.found && networks->count > 0) {
        char shown[GRT_JSON_SHOWN_SIZE];
        grt_error_add(reader->errors, path,
                      "no task has a kernel that the file has a network of (it has one of %s)",
                      grt_text_show(networks->items[0].kernel, shown));
    }
}
