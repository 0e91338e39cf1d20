#include "tests/support/drawn.h"

#include <string.h>

#include "scenarios/read_fields.h"
#include "tests/support/cunit.h"

void *drawn_maker(const char *generator, const char *json, const struct grt_generator_place *place,
                  struct grt_arena *arena, struct grt_errors *errors) {
    const struct grt_generator_ops *ops = grt_generator_find(generator);
    const struct grt_path root = {0}, path = {.parent = &root, .key = "generator"};
    struct grt_reader reader = {.arena = arena, .errors = errors, .folder = place->folder};
    cJSON *tree = grt_json_parse(json, strlen(json), errors);
    CU_ASSERT_FATAL(ops != NULL && tree != NULL);
    void *parameters = grt_arena_array(arena, 1, ops->record->size);
    const struct grt_read_part part = {.record = ops->record, .out = parameters};
    bool read = grt_read_parts(&reader, &part, 1, tree, &path);
    cJSON_Delete(tree);
    return read ? ops->create(parameters, place, errors, &path) : NULL;
}
