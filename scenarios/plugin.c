#include "scenarios/plugin.h"

#include <dlfcn.h>
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

/* What a plug-in executes as it is loaded may crash, or end the program. */
static void *load(const char *name, const char *shown) {
    const struct grt_running running = {.what = "plug-in", .name = shown, .when = "while it was loaded"};
    const struct grt_running *before = grt_running_begin(&running);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    grt_running_end(before);
    return library;
}

/* It is never closed: results, traces and results' names go on pointing into it. */
static const struct grt_plugin *open_plugin(const char *file, const char *shown, struct grt_arena *arena,
                                            struct grt_errors *errors, const struct grt_path *path) {
    const char *objection = grt_plugin_file_objection(file), *name = path_of(file, arena);
    if (objection != NULL) {
        grt_error_add(errors, path, "%s: %s", shown, objection);
        return NULL;
    }
    void *library = load(name, shown);
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

static const struct {
    const char *name;
    uint32_t size, last;
} structs[] = {
#define STRUCT(type, member) {#type, (uint32_t)sizeof(struct type), (uint32_t)offsetof(struct type, member)},
    GRT_PLUGIN_STRUCTS(STRUCT)
#undef STRUCT
};

enum { STRUCTS = sizeof structs / sizeof structs[0] };

static bool has_interface(const struct grt_plugin *plugin, const char *shown, struct grt_errors *errors,
                          const struct grt_path *path) {
    if (plugin->abi != GRT_PLUGIN_ABI) {
        grt_error_add(errors, path,
                      "%s: was made for plug-in interface %u, this gpurt has %d: compile it again with this "
                      "gpurt's headers",
                      shown, plugin->abi, GRT_PLUGIN_ABI);
        return false;
    }
    if (plugin->layout_count != 2 * STRUCTS || plugin->layout == NULL) {
        grt_error_add(
            errors, path,
            "%s: was compiled with other headers than this gpurt (they have another list of structs): "
            "compile it again",
            shown);
        return false;
    }
    for (size_t i = 0; i < STRUCTS; i++) {
        const uint32_t *own = &plugin->layout[2 * i];
        if (own[0] != structs[i].size || own[1] != structs[i].last) {
            grt_error_add(
                errors, path,
                "%s: was compiled with other headers than this gpurt (struct %s has %u bytes there, "
                "%u here): compile it again",
                shown, structs[i].name, own[0], structs[i].size);
            return false;
        }
    }
    return true;
}

const struct grt_policy_ops *grt_plugin_load(const char *file, const char *shown, struct grt_arena *arena,
                                             struct grt_errors *errors, const struct grt_path *path) {
    if (is_switched_off()) {
        grt_error_add(errors, path, "plug-ins are switched off by " GRT_NO_PLUGINS);
        return NULL;
    }
    const struct grt_plugin *plugin = open_plugin(file, shown, arena, errors, path);
    if (plugin == NULL || !has_interface(plugin, shown, errors, path) ||
        !grt_plugin_check(plugin->policy, shown, errors, path)) {
        return NULL;
    }
    struct grt_policy_ops *policy = grt_arena_new(arena, struct grt_policy_ops);
    *policy = *plugin->policy;
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
