#include "tests/fuzz/words.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/experiment/experiment.h"
#include "scenarios/samples.h"
#include "scenarios/scenario.h"
#include "sim/check.h"
#include "sim/memory.h"

struct words {
    const char **items;
    uint32_t count, capacity;
};

static void add(struct words *words, struct grt_arena *arena, const char *word) {
    words->items = grt_array_grow(words->items, &words->capacity, words->count + 1, sizeof *words->items);
    words->items[words->count++] = grt_arena_text(arena, word);
}

static void add_texts(struct words *words, struct grt_arena *arena, const cJSON *list) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item)) {
            add(words, arena, item->valuestring);
        }
    }
}

/* A schema says names in "properties", choices in "enum". */
static void add_schema(struct words *words, struct grt_arena *arena, const cJSON *value) {
    const cJSON *child;
    cJSON_ArrayForEach(child, value) {
        if (child->string != NULL && strcmp(child->string, "properties") == 0) {
            const cJSON *field;
            cJSON_ArrayForEach(field, child) {
                add(words, arena, field->string);
            }
        } else if (child->string != NULL && strcmp(child->string, "enum") == 0) {
            add_texts(words, arena, child);
        }
        add_schema(words, arena, child);
    }
}

static void add_written(struct words *words, struct grt_arena *arena, void (*write)(FILE *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    write(out);
    fclose(out);
    cJSON *schema = cJSON_Parse(text);
    GRT_REQUIRE(schema != NULL, "a schema is JSON");
    add_schema(words, arena, schema);
    cJSON_Delete(schema);
    free(text);
}

static int compare(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

const char *const *fuzz_words(size_t *count) {
    static struct grt_arena arena;
    static struct words words;
    if (words.count == 0) {
        add_written(&words, &arena, grt_scenario_write_schema);
        add_written(&words, &arena, grt_kernels_write_schema);
        add_written(&words, &arena, grt_experiment_write_schema);
        for (size_t i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
            add(&words, &arena, grt_sample_column(i));
        }
        qsort(words.items, words.count, sizeof *words.items, compare);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < words.count; i++) {
            if (i == 0 || strcmp(words.items[i], words.items[kept - 1]) != 0) {
                words.items[kept++] = words.items[i];
            }
        }
        words.count = kept;
    }
    *count = words.count;
    return words.items;
}
