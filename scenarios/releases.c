/* What the listed arrivals of a task and their delays say of each other, of its least gap and of its jitter. */
#include <inttypes.h>

#include "scenarios/records.h"
#include "sim/check.h"

/* Where a task's lists are: its own object, or `sporadic`. */
struct lists {
    struct grt_reader *reader;
    const cJSON *object;
    const struct grt_path *path;
    const struct grt_task *task;
};

/* `sentence`: a format that takes the limit as a text. */
static void add_error(const struct lists *lists, const char *list, size_t index, const char *sentence,
                      grt_time limit) {
    if (lists->reader->errors->count >= GRT_ERRORS_KEPT) {
        lists->reader->errors->count++; /* finding the element takes time */
        return;
    }
    const cJSON *items = grt_json_find(lists->object, list);
    struct grt_path path = {.parent = lists->path, .key = list}, place = {.parent = &path, .index = index};
    char text[GRT_TIME_TEXT_SIZE];
    grt_read_error(lists->reader, &place, cJSON_GetArrayItem(items, (int)index), sentence,
                   grt_time_text(limit, text));
}

static void check_gaps(const struct lists *lists) {
    const struct grt_task *task = lists->task;
    for (size_t i = 1; i < task->time_count; i++) {
        if (task->times[i] - task->times[i - 1] < task->period) {
            add_error(lists, "times", i, "must be at least min_gap, %s, after the one before it",
                      task->period);
        }
    }
}

static void check_delays(const struct lists *lists) {
    const struct grt_task *task = lists->task;
    for (size_t i = 0; i < task->time_count; i++) {
        if (task->arrival == GRT_ARRIVAL_SPORADIC && task->delays[i] > task->jitter) {
            add_error(lists, "delays", i, "must not be above the task's jitter, which is %s", task->jitter);
        }
        grt_time before = i > 0 ? task->times[i - 1] + task->delays[i - 1] : 0;
        if (task->times[i] + task->delays[i] < before) {
            add_error(lists, "delays", i, "lets the job overtake the one before it, which is ready at %s",
                      before);
        }
    }
}

/* Whether there are as many delays as times. */
static bool check_counts(const struct lists *lists) {
    const cJSON *delays = grt_json_find(lists->object, "delays"),
                *times = grt_json_find(lists->object, "times");
    struct grt_path place = {.parent = lists->path, .key = "delays"};
    if (times == NULL && delays != NULL) {
        grt_error_add(lists->reader->errors, &place, "goes only together with \"times\"");
        return false;
    }
    int count = cJSON_GetArraySize(delays), wanted = cJSON_GetArraySize(times);
    if (delays != NULL && count != wanted) {
        grt_error_add(lists->reader->errors, &place,
                      "must have as many elements as \"times\", which has %d (got %d)", wanted, count);
        return false;
    }
    return delays != NULL;
}

void grt_check_releases(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                        const struct grt_task *task) {
    GRT_ASSERT(task->time_count == 0 || task->times != NULL, "arrivals that are counted are listed");
    struct lists own = {reader, object, path, task};
    bool has_delays = check_counts(&own);
    if (task->arrival == GRT_ARRIVAL_SPORADIC) {
        struct grt_path sporadic = {.parent = path, .key = "sporadic"};
        struct lists nested = {reader, grt_json_find(object, "sporadic"), &sporadic, task};
        if (task->times != NULL && grt_json_find(nested.object, "extra_gap") != NULL) {
            struct grt_path place = {.parent = &sporadic, .key = "extra_gap"};
            grt_error_add(reader->errors, &place, "does not go together with \"times\"");
        }
        check_gaps(&nested);
        if (check_counts(&nested)) {
            check_delays(&nested);
        }
    } else if (has_delays) {
        check_delays(&own);
    }
}
