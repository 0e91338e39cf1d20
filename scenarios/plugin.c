#include "scenarios/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "policies/registry.h"
#include "scenarios/json_tree.h"
#include "scenarios/spelling.h"

bool grt_plugin_is_file(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* ---- opening ---- */

/* Why a file cannot be a shared object, in better words than the loader's; NULL: it may be one. */
static const char *objection_to_file(const char *file) {
    struct stat about;
    char first[4] = "";
    if (stat(file, &about) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(about.st_mode)) {
        return S_ISDIR(about.st_mode) ? "is a folder" : "is no file";
    }
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        return strerror(errno);
    }
    size_t read = fread(first, 1, sizeof first, in);
    fclose(in);
    return read == 4 && memcmp(first,
                               "\x7f"
                               "ELF",
                               4) == 0
               ? NULL
               : "is no shared object; `cc -shared -fPIC` makes one";
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
    const char *objection = objection_to_file(file), *name = path_of(file, arena);
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
    size_t i = 0;
    while (i < NUMBERS && plugin->layout_count == NUMBERS && plugin->layout[i] == numbers[i].number) {
        i++;
    }
    if (plugin->layout_count != NUMBERS || i == NUMBERS - 1) {
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

const struct grt_policy_ops *grt_plugin_load(const char *file, const char *shown, struct grt_arena *arena,
                                             struct grt_errors *errors, const struct grt_path *path) {
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
