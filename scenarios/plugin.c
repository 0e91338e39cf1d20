#include "scenarios/plugin.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/json_tree.h"
#include "scenarios/plugin_file.h"
#include "scenarios/spelling.h"
#include "sim/running.h"

bool grt_plugin_is_file(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* ---- opening ---- */

static bool is_switched_off(void) {
    const char *wish = getenv(GRT_NO_PLUGINS);
    return wish != NULL && wish[0] != '\0';
}

/* What the loader says, without the file's name in front. */
static const char *loader_says(const char *file) {
    const char *text = dlerror();
    size_t length = strlen(file);
    if (text == NULL) {
        return "cannot be loaded";
    }
    bool named = strncmp(text, file, length) == 0 && strncmp(text + length, ": ", 2) == 0;
    return named ? text + length + 2 : text;
}

/* The loader would look for a name without a slash in the system's folders. */
static const char *path_of(const char *file, struct grt_arena *arena) {
    if (strchr(file, '/') != NULL) {
        return file;
    }
    size_t size = strlen(file) + sizeof "./";
    char *path = grt_arena_array(arena, size, 1);
    snprintf(path, size, "./%s", file);
    return path;
}

/* It is never closed: results, traces and results' names go on pointing into it. */
static const struct grt_plugin *open_plugin(const char *file, const char *shown, struct grt_arena *arena,
                                            struct grt_errors *errors, const struct grt_path *path) {
    const char *objection = grt_plugin_file_objection(file), *name = path_of(file, arena);
    if (objection != NULL) {
        grt_error_add(errors, path, "%s: %s", shown, objection);
        return NULL;
    }
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        grt_error_add(errors, path, "%s: %s", shown, loader_says(name));
        return NULL;
    }
    const struct grt_plugin *plugin = dlsym(library, "grt_plugin");
    if (plugin == NULL) {
        grt_error_add(errors, path, "%s: is no plug-in of gpurt: it does not say GRT_PLUGIN(policy)", shown);
    }
    return plugin;
}

/* ---- the interface ---- */

/* A number of the interface, as it is here. */
static const struct {
    const char *name, *what;
    int64_t number;
} numbers[] = {
#define STRUCT(type) {"struct " #type, " has a size of ", sizeof(struct type)},
#define MEMBER(type, member)                                                                                 \
    {#member " of struct " #type, " is at byte ", offsetof(struct type, member)},                            \
        {#member " of struct " #type, " has a size of ", sizeof(((struct type *)0)->member)},
#define NUMBER(constant) {#constant, " is ", (int64_t)(constant)},
    GRT_PLUGIN_LAYOUT(STRUCT, MEMBER, NUMBER){"", "", GRT_PLUGIN_FINGERPRINT}
#undef STRUCT
#undef MEMBER
#undef NUMBER
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static bool has_numbers(const struct grt_plugin *plugin, const char *shown, struct grt_errors *errors,
                        const struct grt_path *path) {
    static const char other[] = "was compiled with other headers than this gpurt";
    bool has_all = plugin->layout_count == NUMBERS && plugin->layout != NULL;
    size_t i = 0;
    while (i < NUMBERS && has_all && plugin->layout[i] == numbers[i].number) {
        i++;
    }
    if (!has_all || i == NUMBERS - 1) {
        grt_error_add(errors, path, "%s: %s (they have other structs, types or constants): compile it again",
                      shown, other);
    } else if (i < NUMBERS) {
        grt_error_add(errors, path, "%s: %s (%s%s%" PRId64 " there, %" PRId64 " here): compile it again",
                      shown, other, numbers[i].name, numbers[i].what, plugin->layout[i], numbers[i].number);
    }
    return i == NUMBERS;
}

static bool has_interface(const struct grt_plugin *plugin, const char *shown, struct grt_errors *errors,
                          const struct grt_path *path) {
    if (plugin->abi != GRT_PLUGIN_ABI) {
        grt_error_add(errors, path,
                      "%s: was made for plug-in interface %u, this gpurt has %d: compile it again with this "
                      "gpurt's headers",
                      shown, plugin->abi, GRT_PLUGIN_ABI);
        return false;
    }
    return has_numbers(plugin, shown, errors, path);
}

/* What a plug-in executes as it is loaded may crash, or end the program; so may reading its tables, where a pointer leads nowhere or
 * a list has no end. */
static const struct grt_policy_ops *find_policy(const char *file, const char *shown, struct grt_arena *arena,
                                                struct grt_errors *errors, const struct grt_path *path) {
    const struct grt_running running = {.what = "plug-in", .name = shown, .when = "while it was loaded"};
    const struct grt_running *before = grt_running_begin(&running);
    const struct grt_plugin *plugin = open_plugin(file, shown, arena, errors, path);
    bool good = plugin != NULL && has_interface(plugin, shown, errors, path) &&
                grt_plugin_check(plugin->policy, shown, errors, path);
    grt_running_end(before);
    return good ? plugin->policy : NULL;
}

const struct grt_policy_ops *grt_plugin_load(const char *file, const char *shown, struct grt_arena *arena,
                                             struct grt_errors *errors, const struct grt_path *path) {
    if (is_switched_off()) {
        grt_error_add(errors, path, "plug-ins are switched off by " GRT_NO_PLUGINS);
        return NULL;
    }
    const struct grt_policy_ops *found = find_policy(file, shown, arena, errors, path);
    if (found == NULL) {
        return NULL;
    }
    struct grt_policy_ops *policy = grt_arena_new(arena, struct grt_policy_ops);
    *policy = *found;
    policy->plugin = grt_arena_text(arena, file);
    return policy;
}

/* ---- names ---- */

static const struct grt_policy_ops *choose_own(const char *name, struct grt_errors *errors,
                                               const struct grt_path *path) {
    const struct grt_policy_ops *policy = grt_policy_find(name);
    if (policy == NULL) {
        char hint[GRT_GUESS_TEXT_SIZE], shown[GRT_JSON_SHOWN_SIZE];
        struct grt_guess guess = grt_guess_start(name);
        for (size_t i = 0; grt_policies[i] != NULL; i++) {
            grt_guess_try(&guess, grt_policies[i]->name);
        }
        grt_error_add(errors, path, "unknown policy %s%s; `gpurt policies` lists them",
                      grt_text_show(name, shown), grt_guess_text(&guess, hint));
    }
    return policy;
}

const struct grt_policy_ops *grt_policy_choose(const char *name, struct grt_arena *arena,
                                               struct grt_errors *errors, const struct grt_path *path) {
    return grt_plugin_is_file(name) ? grt_plugin_load(name, name, arena, errors, path)
                                    : choose_own(name, errors, path);
}
