#include "scenarios/json_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_syntax.h"
#include "sim/memory.h"

/* Objects with more fields than this are searched for repeated keys by sorting. */
enum { FEW_FIELDS = 32 };

static void add_syntax_error(const char *text, size_t offset, const char *problem,
                             struct grt_errors *errors) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        column = text[i] == '\n' ? 1 : column + (((unsigned char)text[i] & 0xC0) != 0x80);
        line += text[i] == '\n';
    }
    grt_error_add(errors, NULL, "%zu:%zu: %s", line, column, problem);
}

static void add_repeated(const cJSON *field, const struct grt_path *path, struct grt_errors *errors) {
    char key[GRT_JSON_SHOWN_SIZE];
    struct grt_path place = {.parent = path, .key = grt_key_show(field->string, key)};
    grt_error_add(errors, &place, "given twice");
}

/* True if exactly one field before `field` has its name. */
static bool is_second(const cJSON *object, const cJSON *field) {
    int same = 0;
    for (const cJSON *other = object->child; other != field; other = other->next) {
        same += strcmp(other->string, field->string) == 0;
    }
    return same == 1;
}

struct hashed {
    uint64_t hash;
    const cJSON *field;
};

/* FNV-1a. Keys that were made to collide only slow the comparisons down to strcmp. */
static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}

static int compare_hashed(const void *left, const void *right) {
    const struct hashed *a = left, *b = right;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : strcmp(a->field->string, b->field->string);
}

static void find_repeated_by_sorting(const cJSON *object, size_t count, const struct grt_path *path,
                                     struct grt_errors *errors) {
    struct hashed *keys = grt_allocate(count * sizeof *keys);
    size_t used = 0;
    for (const cJSON *field = object->child; field != NULL; field = field->next) {
        keys[used++] = (struct hashed){.hash = hash_of(field->string), .field = field};
    }
    qsort(keys, count, sizeof *keys, compare_hashed);
    for (size_t i = 1; i < count; i++) {
        bool same = compare_hashed(&keys[i - 1], &keys[i]) == 0;
        if (same && (i == 1 || compare_hashed(&keys[i - 2], &keys[i]) != 0)) {
            add_repeated(keys[i].field, path, errors);
        }
    }
    free(keys);
}

static void find_repeated_here(const cJSON *object, const struct grt_path *path, struct grt_errors *errors) {
    size_t count = 0;
    for (const cJSON *field = object->child; field != NULL; field = field->next) {
        count++;
    }
    if (count > FEW_FIELDS) {
        find_repeated_by_sorting(object, count, path, errors);
        return;
    }
    for (const cJSON *field = object->child; field != NULL; field = field->next) {
        if (is_second(object, field)) {
            add_repeated(field, path, errors);
        }
    }
}

/* In the value and all inside it; the syntax check has bounded the depth. */
static void find_repeated(const cJSON *value, const struct grt_path *path, struct grt_errors *errors) {
    if (cJSON_IsObject(value)) {
        find_repeated_here(value, path, errors);
    }
    size_t index = 0;
    for (const cJSON *child = value->child; child != NULL; child = child->next, index++) {
        if (child->child != NULL) {
            char key[GRT_JSON_SHOWN_SIZE];
            struct grt_path place = {.parent = path, .index = index};
            place.key = child->string != NULL ? grt_key_show(child->string, key) : NULL;
            find_repeated(child, &place, errors);
        }
    }
}

cJSON *grt_json_parse(const char *text, size_t size, struct grt_errors *errors) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    size_t offset = 0;
    const char *problem = grt_json_check(text, size, &offset);
    if (problem != NULL) {
        add_syntax_error(text, offset, problem, errors);
        return NULL;
    }
    cJSON *tree = cJSON_ParseWithLength(text, size);
    if (tree == NULL) {
        grt_error_add(errors, NULL, "there is not enough memory for this text");
        return NULL;
    }
    find_repeated(tree, &(struct grt_path){0}, errors);
    return tree;
}

const cJSON *grt_json_find(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}
