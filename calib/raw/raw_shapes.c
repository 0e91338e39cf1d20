#include "calib/raw/raw_shapes.h"

#include <limits.h>
#include <string.h>

#include "calib/raw/raw_lines.h"

#define TEXT(name, choices)                                                                                  \
    { name, GRT_RAW_KEY_WORD, choices }
#define NUMBER(name)                                                                                         \
    { name, GRT_RAW_KEY_NUMBER, NULL }
#define KERNEL                                                                                               \
    { "kernel", GRT_RAW_KEY_KERNEL, NULL }
#define WORKLOAD                                                                                             \
    { "kernel", GRT_RAW_KEY_WORKLOAD, NULL }
#define BESIDE                                                                                               \
    { "beside", GRT_RAW_KEY_BESIDE, NULL }
#define KEYS(...)                                                                                            \
    .keys = {__VA_ARGS__},                                                                                   \
    .key_count = sizeof((struct grt_raw_shape_key[]){__VA_ARGS__}) / sizeof(struct grt_raw_shape_key)
#define COLUMNS(...)                                                                                         \
    .columns = {__VA_ARGS__},                                                                                \
    .column_count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)

#define HOW TEXT("how", "none green filter")
#define DIRECTIONS "h2d d2h d2d"

static const struct grt_raw_shape shapes[] = {
    {"clock", KEYS(TEXT("what", "tick")), COLUMNS("delta_ns")},
    {"clock", KEYS(TEXT("what", "event")), COLUMNS("elapsed_ns")},
    {"clock", KEYS(TEXT("what", "offset")), COLUMNS("before_ns", "after_ns", "device_ns")},
    {"clock", KEYS(TEXT("what", "frequency")), COLUMNS("cycles", "ns")},
    {"launch", KEYS(TEXT("what", "call"), TEXT("queue", "empty deep")), COLUMNS("call_ns", "launch")},
    {"launch", KEYS(TEXT("what", "idle")), COLUMNS("call_ns", "start_ns")},
    {"launch", KEYS(TEXT("what", "gap"), TEXT("streams", "same other")), COLUMNS("gap_ns", "launch")},
    {"launch", KEYS(TEXT("what", "sync")), COLUMNS("end_ns", "return_ns")},
    {"launch", KEYS(TEXT("what", "records"), WORKLOAD), COLUMNS("with_ns", "without_ns")},
    {"residency", KEYS(KERNEL, NUMBER("threads"), NUMBER("shared_bytes"), NUMBER("blocks")),
     COLUMNS("most_per_sm", "sms_used", "expected")},
    {"dispatch", KEYS(KERNEL, NUMBER("threads"), NUMBER("blocks")),
     COLUMNS("block", "sm", "start_ns", "end_ns", "slot", "order")},
    {"coresidency", KEYS(WORKLOAD, NUMBER("per_sm")), COLUMNS("block_ns", "launch", "sm"), .newer = 1},
    {"waves", KEYS(WORKLOAD, NUMBER("blocks")), COLUMNS("span_ns")},
    {"split", KEYS(WORKLOAD, NUMBER("parts"), NUMBER("whole_waves")), COLUMNS("span_ns", "gap_ns")},
    {"copy",
     KEYS(TEXT("direction", DIRECTIONS), TEXT("memory", "pinned pageable device"), NUMBER("bytes"),
          TEXT("beside", "nothing opposite kernel")),
     COLUMNS("elapsed_ns", "call_ns")},
    {"engines", KEYS(TEXT("first", DIRECTIONS), TEXT("second", DIRECTIONS), NUMBER("bytes")),
     COLUMNS("first_ns", "second_ns", "together_ns")},
    {"priority", KEYS(NUMBER("low"), NUMBER("high")), COLUMNS("wait_ns", "left_ns", "overtook")},
    {"partition", KEYS(WORKLOAD, NUMBER("sms"), HOW), COLUMNS("span_ns")},
    {"together", KEYS(WORKLOAD, BESIDE, NUMBER("sms"), NUMBER("beside_sms"), HOW), COLUMNS("span_ns")},
    {"worst", KEYS(WORKLOAD, NUMBER("sms"), BESIDE, TEXT("state", "cold hot")), COLUMNS("span_ns")},
    {"worst", KEYS(WORKLOAD, NUMBER("sms"), BESIDE, TEXT("state", "cold hot"), TEXT("run", "first")),
     COLUMNS("span_ns")},
};

const char *const grt_raw_drop_names[GRT_RAW_DROPS] = {
    [GRT_RAW_DROP_CLOCK] = "clock",         [GRT_RAW_DROP_THROTTLE] = "throttle",
    [GRT_RAW_DROP_PLACEMENT] = "placement", [GRT_RAW_DROP_OVERLAP] = "overlap",
    [GRT_RAW_DROP_RECORD] = "record",
};

const struct grt_raw_shape *grt_raw_shape(size_t number) {
    return number < sizeof shapes / sizeof shapes[0] ? &shapes[number] : NULL;
}

/* More blocks than any grid that is measured; the records of a launch are far fewer. */
#define MOST_BLOCKS (INT64_C(1) << 20)

static const struct {
    const char *name;
    int64_t least, most;
} limits[] = {
    {"threads", 1, 65536},
    {"blocks", 1, MOST_BLOCKS},
    {"parts", 1, MOST_BLOCKS},
    {"whole_waves", 0, 1},
    {"per_sm", 1, GRT_DEVICE_MAX_BLOCKS_PER_SM},
    {"sms", 1, GRT_DEVICE_MAX_SMS},
    {"beside_sms", 0, GRT_DEVICE_MAX_SMS},
    {"shared_bytes", 0, INT_MAX},
    {"bytes", 1, GRT_RAW_INTEGER_LIMIT},
    {"low", -GRT_RAW_PRIORITIES, GRT_RAW_PRIORITIES},
    {"high", -GRT_RAW_PRIORITIES, GRT_RAW_PRIORITIES},
    {"most_per_sm", 0, MOST_BLOCKS},
    {"sms_used", 0, UINT16_MAX},
    {"expected", 0, GRT_DEVICE_MAX_BLOCKS_PER_SM},
    {"block", 0, MOST_BLOCKS},
    {"sm", 0, UINT16_MAX},
    {"order", 0, MOST_BLOCKS},
    {"overtook", 0, 1},
    {"launch", 0, GRT_RAW_INTEGER_LIMIT},
};

void grt_raw_limits(const char *name, int64_t *least, int64_t *most) {
    *least = -GRT_RAW_INTEGER_LIMIT;
    *most = GRT_RAW_INTEGER_LIMIT;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (strcmp(limits[i].name, name) == 0) {
            *least = limits[i].least;
            *most = limits[i].most;
        }
    }
}

static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; at != NULL; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0')) {
            return length > 0;
        }
    }
    return false;
}

/* How far a batch is of a shape, from "another experiment" to all of it. */
enum fit { FIT_NOTHING, FIT_EXPERIMENT, FIT_KEY_NAMES, FIT_KEYS, FIT_ALL };

static enum fit compare(const struct grt_raw_shape *shape, const struct grt_raw_batch *batch) {
    if (strcmp(shape->experiment, batch->experiment) != 0) {
        return FIT_NOTHING;
    }
    if (shape->key_count != batch->key_count) {
        return FIT_EXPERIMENT;
    }
    for (size_t i = 0; i < shape->key_count; i++) {
        bool is_number = batch->keys[i].text == NULL, wants = shape->keys[i].kind == GRT_RAW_KEY_NUMBER;
        if (strcmp(shape->keys[i].name, batch->keys[i].name) != 0 || is_number != wants) {
            return FIT_EXPERIMENT;
        }
    }
    for (size_t i = 0; i < shape->key_count; i++) {
        const char *choices = shape->keys[i].choices;
        const char *text = batch->keys[i].text;
        if (choices != NULL && (text == NULL || !has_word(choices, text))) {
            return FIT_KEY_NAMES;
        }
    }
    if (shape->column_count != batch->column_count &&
        shape->column_count - shape->newer != batch->column_count) {
        return FIT_KEYS;
    }
    for (size_t i = 0; i < batch->column_count; i++) {
        if (strcmp(shape->columns[i], batch->columns[i].name) != 0) {
            return FIT_KEYS;
        }
    }
    return FIT_ALL;
}

const struct grt_raw_shape *grt_raw_shape_of(const struct grt_raw_batch *batch, const char **why) {
    static const char *const sentences[FIT_ALL] = {
        "there is no such experiment",
        "the experiment has no cell with these keys",
        "a key of the cell has a value that the experiment does not know",
        "the experiment's cell has other columns",
    };
    enum fit best = FIT_NOTHING;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        enum fit fit = compare(&shapes[i], batch);
        if (fit == FIT_ALL) {
            return &shapes[i];
        }
        best = fit > best ? fit : best;
    }
    *why = sentences[best];
    return NULL;
}
