#include "scenarios/experiment/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/build_id.h"
#include "scenarios/text_file.h"
#include "sim/hash.h"

static struct grt_input input_of(struct grt_reader *reader, const char *name) {
    return (struct grt_input){.name = grt_arena_text(reader->arena, name),
                              .path = grt_path_in_folder(reader->arena, reader->folder, name)};
}

static uint64_t hash_file(struct grt_reader *reader, const struct grt_input *input) {
    struct grt_errors inner = {0};
    size_t size;
    char *text = grt_text_file_read(input->path, &size, &inner);
    if (text == NULL) {
        grt_error_add(reader->errors, NULL, "the file %s %s", input->name, inner.messages[0]);
        grt_errors_clear(&inner);
        return 0;
    }
    uint64_t hash = grt_hash_bytes(0, text, size);
    free(text);
    return hash;
}

void grt_inputs_hash(struct grt_reader *reader, const struct grt_own_text *own,
                     const struct grt_file_names *files, struct grt_experiment *experiment) {
    struct grt_input *inputs = grt_arena_array(reader->arena, files->count + 1, sizeof *inputs);
    inputs[0] = input_of(reader, own->name);
    inputs[0].hash = grt_hash_bytes(0, own->text, own->size);
    for (uint32_t i = 0; i < files->count; i++) {
        inputs[i + 1] = input_of(reader, files->items[i]);
        inputs[i + 1].hash = hash_file(reader, &inputs[i + 1]);
    }
    experiment->inputs = inputs;
    experiment->input_count = files->count + 1;
}

/* Only people read them, or they are about results. */
static const char *const of_no_influence[] = {"title",  "description", "source", "published",
                                              "claims", "plot",        NULL};

uint64_t grt_experiment_identity(const cJSON *tree, const struct grt_input *files, size_t count) {
    cJSON *copy = cJSON_Duplicate(tree, true);
    for (size_t i = 0; of_no_influence[i] != NULL; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(copy, of_no_influence[i]);
    }
    char *text = cJSON_PrintUnformatted(copy);
    uint64_t hash = grt_hash_bytes(0, text, strlen(text));
    hash = grt_hash_bytes(hash, GRT_VERSION, strlen(GRT_VERSION));
    hash = grt_hash_bytes(hash, grt_build_id, strlen(grt_build_id));
    for (size_t i = 0; i < count; i++) {
        hash = grt_hash_bytes(hash, files[i].name, strlen(files[i].name));
        hash = grt_hash_add(hash, files[i].hash);
    }
    cJSON_free(text);
    cJSON_Delete(copy);
    return hash;
}
