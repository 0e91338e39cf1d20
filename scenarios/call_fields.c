/* Commands that are calls: which one an object is, and what holds between its fields. */
#include "scenarios/records.h"

static const struct {
    const char *key;
    enum grt_command_kind kind;
} calls[] = {
    {"record", GRT_COMMAND_RECORD},     {"wait", GRT_COMMAND_WAIT},
    {"query", GRT_COMMAND_QUERY},       {"query_stream", GRT_COMMAND_QUERY},
    {"callback", GRT_COMMAND_CALLBACK}, {"synchronize", GRT_COMMAND_SYNCHRONIZE},
    {"malloc", GRT_COMMAND_MALLOC},     {"malloc_host", GRT_COMMAND_MALLOC_HOST},
    {"free", GRT_COMMAND_FREE},         {"memset", GRT_COMMAND_MEMSET},
    {"d2d", GRT_COMMAND_D2D},
};

bool grt_find_call(const cJSON *object, struct grt_command_fields *command) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (grt_json_find(object, calls[i].key) != NULL) {
            bool whole_device = calls[i].kind == GRT_COMMAND_SYNCHRONIZE && command->synchronize == 1;
            command->call = whole_device ? GRT_COMMAND_SYNCHRONIZE_DEVICE : calls[i].kind;
            return true;
        }
    }
    return false;
}

static void refuse_copy_field(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                              const char *name) {
    struct grt_path place = {.parent = path, .key = name};
    if (grt_json_find(object, name) != NULL) {
        grt_error_add(reader->errors, &place, "belongs to a copy");
    }
}

/* Of calls that have nothing to say but that they are made. */
static void require_true(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                         const char *name) {
    struct grt_path place = {.parent = path, .key = name};
    const cJSON *item = grt_json_find(object, name);
    if (item != NULL && cJSON_IsFalse(item)) {
        grt_read_error(reader, &place, item, "must be true");
    }
}

void grt_finish_call(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                     const struct grt_command_fields *command, bool is_copy) {
    const cJSON *sync = grt_json_find(object, "sync");
    if (!is_copy) {
        refuse_copy_field(reader, object, path, "sync");
        refuse_copy_field(reader, object, path, "pageable");
    } else if (command->pageable && sync != NULL && !command->sync) {
        struct grt_path place = {.parent = path, .key = "sync"};
        grt_read_error(reader, &place, sync, "must be true: copies of pageable memory are synchronous");
    }
    require_true(reader, object, path, "free");
    require_true(reader, object, path, "query_stream");
}

void grt_copy_call(const struct grt_command_fields *fields, struct grt_command_spec *command) {
    const char *const events[] = {fields->record, fields->wait, fields->query};
    command->kind = fields->call;
    for (int i = 0; i < 3; i++) {
        command->event = events[i] != NULL ? events[i] : command->event;
    }
    for (int i = 0; i < 4; i++) {
        command->bytes += fields->bytes[i];
    }
    command->callback_time = fields->callback;
}
