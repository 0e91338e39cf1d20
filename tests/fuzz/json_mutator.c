/* Changes of JSON that stay JSON, for libFuzzer: values replaced, copied, moved, left out, made odd; names of fields replaced by others that gpurt knows. Of lines of
 * JSON one is changed. What is no JSON, and every fourth input, libFuzzer changes itself. */
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/random.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/words.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static const char *const odd_texts[] = {
    "",
    "0",
    "0ns",
    "1ns",
    "1us",
    "250us",
    "1ms",
    "33ms",
    "1s",
    "1000000000s",
    "9223372036854775807ns",
    "-1ms",
    "1.5ms",
    "0.1ns",
    "1B",
    "4KiB",
    "1MiB",
    "16EiB",
    "1GB/s",
    "1GHz",
    "auto",
    "hyperperiod",
    "null",
    "none",
    "../x",
    "/dev/x",
    "x.json",
    "\x1b[0m",
    "\xc3\xa9",
    "np-edf",
    "quickstart.json",
    "jetson-tx2",
    "exclusive",
};
static const double odd_numbers[] = {
    0,    1,    2,    3,    4,     7,    8,     16,    31,  32,   63,         64,         65,         100,
    255,  256,  1023, 1024, 2048,  4096, 65535, 1e5,   1e6, 1e9,  2147483647, 2147483648, 4294967295, 1e12,
    1e15, 9e15, 1e18, 1e19, 1e300, -1,   0.5,   0.999, 1.5, 1e-9, -0.5,       -1e18,
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static uint64_t below(struct grt_random *random, size_t bound) {
    return grt_random_below(random, bound);
}

/* ---- places in a tree ---- */

static size_t count_values(const cJSON *value) {
    size_t count = 1;
    for (const cJSON *child = value->child; child != NULL; child = child->next) {
        count += count_values(child);
    }
    return count;
}

/* The value of that number, in the order of the text, and its parent. */
static cJSON *find(cJSON *value, cJSON *above, size_t *number, cJSON **parent) {
    if ((*number)-- == 0) {
        *parent = above;
        return value;
    }
    for (cJSON *child = value->child; child != NULL; child = child->next) {
        cJSON *found = find(child, value, number, parent);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static cJSON *any(struct grt_random *random, cJSON *root, cJSON **parent) {
    size_t number = below(random, count_values(root));
    cJSON *found = find(root, NULL, &number, parent);
    assert(found != NULL);
    return found;
}

/* ---- values ---- */

static const char *any_word(struct grt_random *random) {
    size_t count;
    const char *const *words = fuzz_words(&count);
    return words[below(random, count)];
}

static cJSON *odd_value(struct grt_random *random) {
    switch (below(random, 7)) {
    case 0:
        return cJSON_CreateNull();
    case 1:
        return cJSON_CreateBool(below(random, 2) == 0);
    case 2:
        return below(random, 2) == 0 ? cJSON_CreateArray() : cJSON_CreateObject();
    case 3:
        return cJSON_CreateString(any_word(random));
    case 4:
        return cJSON_CreateString(odd_texts[below(random, COUNT(odd_texts))]);
    default:
        return cJSON_CreateNumber(odd_numbers[below(random, COUNT(odd_numbers))]);
    }
}

static cJSON *near_number(struct grt_random *random, double number) {
    const double changed[] = {number + 1, number - 1,  number * 2,  number / 2,
                              -number,    number * 10, number + 0.5};
    return cJSON_CreateNumber(changed[below(random, COUNT(changed))]);
}

/* One byte of the text becomes another that can be shown. */
static cJSON *near_text(struct grt_random *random, const char *text) {
    cJSON *copy = cJSON_CreateString(text);
    size_t length = strlen(text);
    if (length > 0) {
        copy->valuestring[below(random, length)] =
            below(random, 2) == 0 ? (char)('0' + below(random, 10)) : (char)(' ' + below(random, 95));
    }
    return copy;
}

static cJSON *new_value(struct grt_random *random, cJSON *root, const cJSON *old) {
    cJSON *parent;
    if (below(random, 3) == 0) {
        return cJSON_Duplicate(any(random, root, &parent), true);
    }
    if (cJSON_IsNumber(old) && below(random, 2) == 0) {
        return near_number(random, old->valuedouble);
    }
    if (cJSON_IsString(old) && below(random, 2) == 0) {
        return near_text(random, old->valuestring);
    }
    return odd_value(random);
}

/* ---- changes ---- */

static void put_into_list(struct grt_random *random, cJSON *list, cJSON *value) {
    int place = (int)below(random, (size_t)cJSON_GetArraySize(list) + 1);
    if (!cJSON_InsertItemInArray(list, place, value)) {
        cJSON_Delete(value);
    }
}

static void insert(struct grt_random *random, cJSON *root, cJSON *parent) {
    cJSON *value = new_value(random, root, parent);
    if (cJSON_IsArray(parent)) {
        put_into_list(random, parent, value);
    } else if (cJSON_IsObject(parent)) {
        cJSON_AddItemToObject(parent, any_word(random), value);
    } else {
        cJSON_Delete(value);
    }
}

static void rename_field(struct grt_random *random, cJSON *field) {
    const char *name = any_word(random);
    size_t size = strlen(name) + 1;
    char *copy = cJSON_malloc(size);
    cJSON_free(field->string);
    field->string = memcpy(copy, name, size);
}

static void change(struct grt_random *random, cJSON *root) {
    cJSON *parent, *value = any(random, root, &parent);
    uint64_t how = below(random, 8);
    if (parent == NULL || how == 0) {
        insert(random, root, value);
    } else if (how == 1) {
        cJSON_Delete(cJSON_DetachItemViaPointer(parent, value));
    } else if (how == 2 && value->string != NULL) {
        rename_field(random, value);
    } else if (how == 3 && cJSON_IsArray(parent)) { /* once more */
        put_into_list(random, parent, cJSON_Duplicate(value, true));
    } else if (value->child == NULL || how == 4) {
        cJSON *other = new_value(random, root, value);
        if (value->string != NULL) {
            cJSON_AddItemToObject(parent, value->string, other);
            cJSON_Delete(cJSON_DetachItemViaPointer(parent, value));
        } else {
            cJSON_ReplaceItemViaPointer(parent, value, other);
        }
    }
}

/* Changes a text in place, where there is room; returns its new length, or 0: it is no JSON, or has become too long. */
static size_t change_text(struct grt_random *random, uint8_t *data, size_t size, size_t room) {
    cJSON *root = cJSON_ParseWithLength((const char *)data, size);
    if (root == NULL) {
        return 0;
    }
    change(
        random,
        root); /* one: lists that cJSON has copied know no end to add to; libFuzzer asks for several in a row */
    char *text = cJSON_PrintUnformatted(root);
    size_t length = text != NULL ? strlen(text) : 0;
    length = length <= room ? length : 0;
    if (length > 0) {
        memcpy(data, text, length);
    }
    cJSON_free(text);
    cJSON_Delete(root);
    return length;
}

/* One line of several. */
static size_t change_line(struct grt_random *random, uint8_t *data, size_t size, size_t max_size) {
    size_t start = size > 0 ? below(random, size) : 0, end = start;
    while (start > 0 && data[start - 1] != '\n') {
        start--;
    }
    while (end < size && data[end] != '\n') {
        end++;
    }
    size_t rest = size - end, room = max_size - start - rest;
    uint8_t *line = grt_allocate(room);
    memcpy(line, data + start, end - start);
    size_t length = change_text(random, line, end - start, room);
    if (length > 0) {
        memmove(data + start + length, data + end, rest);
        memcpy(data + start, line, length);
        length += start + rest;
    }
    free(line);
    return length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    struct grt_random random = grt_random_of_key(seed);
    size_t changed = 0;
    if (below(&random, 4) > 0) {
        changed = change_text(&random, data, size, max_size);
        changed = changed > 0 ? changed : change_line(&random, data, size, max_size);
    }
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, max_size);
}
