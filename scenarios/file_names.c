#include "scenarios/file_names.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/text_file.h"

/* The only keys whose texts, or lists of texts, may be names of files; others of their texts are names of presets. */
static const char *const keys[] = {"device", "usage", "networks", "kernels", NULL};

void grt_file_names_add(struct grt_file_names *all, const char *name, struct grt_arena *arena) {
    for (uint32_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i], name) == 0) {
            return;
        }
    }
    all->items = grt_array_grow(all->items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items[all->count++] = grt_arena_text(arena, name);
}

static bool is_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

/* A policy's plug-in is a file whatever its name. */
static bool is_plugin(const char *key) {
    return key != NULL && strcmp(key, "plugin") == 0;
}

static bool is_key(const char *key) {
    for (size_t i = 0; key != NULL && keys[i] != NULL; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* `key`: under which the values are, where they are a list's. */
static void names_in(struct grt_file_names *all, const cJSON *values, const char *key, const char *folder,
                     struct grt_arena *arena) {
    for (const cJSON *value = values->child; value != NULL; value = value->next) {
        const char *name = value->string != NULL ? value->string : key;
        if (!cJSON_IsString(value)) {
            names_in(all, value, name, folder, arena);
        } else if (is_plugin(value->string) || (is_key(name) && is_file(value->valuestring))) {
            grt_file_names_add(all, grt_path_in_folder(arena, folder, value->valuestring), arena);
        }
    }
}

void grt_file_names_in(struct grt_file_names *all, const cJSON *tree, const char *folder,
                       struct grt_arena *arena) {
    names_in(all, tree, NULL, folder, arena);
}
