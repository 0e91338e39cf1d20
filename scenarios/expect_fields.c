/* The tables of what a scenario expects of its own results. */
#include <stddef.h>
#include <string.h>

#include "scenarios/expect.h"
#include "scenarios/records.h"

enum { DIGEST_LENGTH = 16 };

#define JOB_LIMIT INT64_C(4294967295)

/* A field that may be absent, which leaves -1: not checked. */
#define COUNT(key, record, member, text)                                                                     \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_INTEGER, .offset = offsetof(struct record, member), .fallback = "",   \
        .max = GRT_INTEGER_LIMIT, .help = text                                                               \
    }
#define SPAN(key, record, member, default_text, text)                                                        \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_TIME, .offset = offsetof(struct record, member),                      \
        .fallback = default_text, .max = GRT_TIME_LIMIT, .help = text                                        \
    }
#define NUMBER(key, record, member, default_text, limit, text)                                               \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_INTEGER, .offset = offsetof(struct record, member),                   \
        .fallback = default_text, .max = (limit), .help = text                                               \
    }

static const struct grt_field task_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_expect_task, task),
     .help = "Name of the task."},
    COUNT("released", grt_expect_task, released, "Jobs that became ready."),
    COUNT("met", grt_expect_task, met, "Jobs that finished at or before their deadline."),
    COUNT("missed", grt_expect_task, missed,
          "Jobs that finished late, were aborted at the deadline, or were unfinished past it."),
    COUNT("aborted", grt_expect_task, aborted, "Jobs that were ended before their end."),
    COUNT("skipped", grt_expect_task, skipped, "Jobs that were never released."),
    COUNT("unfinished", grt_expect_task, unfinished, "Jobs that were alive when the simulation ended."),
    SPAN("response_min", grt_expect_task, response_min, "", "Least response time of a finished job."),
    SPAN("response_max", grt_expect_task, response_max, "", "Greatest response time of a finished job."),
    SPAN("blocking_max", grt_expect_task, blocking_max, "", "Greatest blocking of a GPU segment."),
    {.name = "accumulated_slack",
     .type = GRT_FIELD_TIME,
     .offset = offsetof(struct grt_expect_task, accumulated_slack),
     .fallback = "",
     .min = -GRT_TIME_LIMIT,
     .max = GRT_TIME_LIMIT,
     .help =
         "Sum of the slacks of finished jobs: of their ends after the deadline, or with `separation` of the "
         "gaps between their ends beyond that; negative where more is early than late."},
    COUNT("late", grt_expect_task, late, "Slacks above zero."),
    SPAN("lateness_sum", grt_expect_task, lateness_sum, "", "Sum of the slacks above zero."),
    SPAN("lateness_max", grt_expect_task, lateness_max, "", "Greatest slack; 0 if none is above zero."),
    SPAN("gap_min", grt_expect_task, gap_min, "",
         "Least gap between the ends of consecutive finished jobs, with `separation`."),
    SPAN("gap_max", grt_expect_task, gap_max, "", "Greatest gap."),
    SPAN("gap_deviation", grt_expect_task, gap_deviation, "",
         "Standard deviation of the gaps, to the nearest nanosecond."),
};

const struct grt_record grt_expect_task_record = {
    .name = "expect_task",
    .size = sizeof(struct grt_expect_task),
    .fields = task_fields,
    .field_count = GRT_FIELD_COUNT(task_fields),
    .help = "Results of one task; absent fields are not checked.",
};

static const struct grt_field blocks_fields[] = {
    {.name = "kernel",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_expect_blocks, kernel),
     .help = "Name of the kernel. Where a job has several launches of that name, the one meant is the one "
             "that is going "
             "on from `start` to `end`."},
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_expect_blocks, task),
     .fallback = "",
     .help = "Name of the task; required where several tasks have a kernel of that name."},
    NUMBER("job", grt_expect_blocks, job, "0", JOB_LIMIT, "Number of the job within its task, from 0."),
    NUMBER(
        "launch", grt_expect_blocks, launch, "", INT32_MAX,
        "Of several launches of that name, the number in the order of their starts, from 0; those that start "
        "together in the order of the launches. Default: as said with `kernel`."),
    NUMBER("first", grt_expect_blocks, first, "0", INT32_MAX,
           "First block of the grid that this speaks of, from 0."),
    NUMBER("last", grt_expect_blocks, last, "", INT32_MAX,
           "Last block that this speaks of. Default: `first`."),
    SPAN("start", grt_expect_blocks, start, NULL,
         "When all these blocks start; of blocks that leave their SM before their end and come back, "
         "the last time; of blocks of a pinned kernel, one item of its work or the exit."),
    SPAN("end", grt_expect_blocks, end, NULL, "When all these blocks end."),
    {.name = "sms",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_expect_blocks, sms),
     .fallback = "",
     .custom = GRT_CUSTOM_SMS,
     .help = "On which SM of the GPU each block runs: one number per block, or one for all. Absent: not "
             "checked."},
};

const struct grt_record grt_expect_blocks_record = {
    .name = "expect_blocks",
    .size = sizeof(struct grt_expect_blocks),
    .fields = blocks_fields,
    .field_count = GRT_FIELD_COUNT(blocks_fields),
    .help = "Thread blocks of one launch that start and end together. Every block of a launch that is spoken "
            "of at all "
            "must be named.",
};

static const char *const directions[] = {"h2d", "d2h", NULL};

static const struct grt_field copy_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_expect_copy, task),
     .help = "Name of the task."},
    NUMBER("job", grt_expect_copy, job, "0", JOB_LIMIT, "Number of the job within its task, from 0."),
    NUMBER("command", grt_expect_copy, command, "", GRT_MAX_COMMANDS - 1,
           "Place of the copy among the commands of its segment, from 0. Required where the job has several "
           "copies in "
           "that direction."),
    {.name = "direction",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_expect_copy, direction),
     .choices = directions,
     .help = "From host to device or from device to host."},
    SPAN("start", grt_expect_copy, start, NULL, "When the copy starts."),
    SPAN("end", grt_expect_copy, end, NULL, "When the copy ends."),
};

const struct grt_record grt_expect_copy_record = {
    .name = "expect_copy",
    .size = sizeof(struct grt_expect_copy),
    .fields = copy_fields,
    .field_count = GRT_FIELD_COUNT(copy_fields),
    .help = "One copy of one job. One that is stopped for other processes (rules E5 and E6) runs in parts, "
            "each from a start to an end of its own, and an entry is about one of them.",
};

#define LIST(key, member, of, text)                                                                          \
    {                                                                                                        \
        .name = key, .type = GRT_FIELD_LIST, .offset = offsetof(struct grt_expect_fields, member),           \
        .fallback = "", .record = &(of), .help = text                                                        \
    }

static const struct grt_field expect_fields[] = {
    COUNT("missed", grt_expect_fields, missed, "Missed deadlines of all tasks together."),
    COUNT("lost_items", grt_expect_fields, lost_items,
          "Items of work of pinned kernels that no block took, on all GPUs together. Rule W8."),
    {.name = "trace_digest",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_expect_fields, trace_digest),
     .fallback = "",
     .custom = GRT_CUSTOM_DIGEST,
     .help = "Digest of the whole trace, as the JSON output of `gpurt run` shows it when a trace is made."},
    LIST("tasks", tasks, grt_expect_task_record, "Counts and times of single tasks."),
    LIST("blocks", blocks, grt_expect_blocks_record, "When and where thread blocks run."),
    LIST("copies", copies, grt_expect_copy_record, "When copies run."),
    LIST("cores", cores, grt_expect_core_record,
         "What cores execute. Every slice of a core that is spoken of at all must be named."),
    LIST("rows", rows, grt_expect_row_record,
         "What is on rows of the policy's own, such as who holds a lock. Every slice of a row that is spoken "
         "of at all must be named."),
};

const struct grt_record grt_expect_record = {
    .name = "expect",
    .size = sizeof(struct grt_expect_fields),
    .fields = expect_fields,
    .field_count = GRT_FIELD_COUNT(expect_fields),
    .help = "What should come out. What is absent is not checked.",
};

GRT_READER(grt_read_digest) {
    (void)field;
    const char *text = cJSON_IsString(value) ? value->valuestring : "";
    if (strlen(text) != DIGEST_LENGTH || strspn(text, "0123456789abcdef") != DIGEST_LENGTH) {
        grt_read_error(reader, path, value, "must be a text of 16 digits 0-9 and a-f");
        return;
    }
    *(const char **)out = grt_arena_text(reader->arena, text);
}

GRT_READER(grt_read_sms) {
    const struct grt_field sm = {
        .name = field->name, .type = GRT_FIELD_INTEGER, .max = GRT_DEVICE_MAX_SMS - 1};
    struct grt_number_list *list = out;
    size_t count;
    if (!grt_read_list(reader, value, path, 1, GRT_LIST_LENGTH, &count)) {
        return;
    }
    int64_t *sms = grt_arena_array(reader->arena, count, sizeof *sms);
    struct grt_path place = {.parent = path};
    for (const cJSON *element = value->child; element != NULL; element = element->next, place.index++) {
        grt_read_plain_value(reader, &sm, element, &place, &sms[place.index]);
    }
    *list = (struct grt_number_list){sms, count};
}

/* Counts and spans without a default that are absent become -1. */
static void mark_unchecked(const struct grt_record *record, const cJSON *object, void *out) {
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        bool number = field->type == GRT_FIELD_INTEGER || field->type == GRT_FIELD_TIME;
        if (number && field->fallback != NULL && field->fallback[0] == '\0' &&
            grt_json_find(object, field->name) == NULL) {
            *(int64_t *)(void *)((char *)out + field->offset) = -1;
        }
    }
}

GRT_FINISH(grt_finish_expect) {
    (void)reader, (void)path, (void)clean;
    mark_unchecked(&grt_expect_record, object, out);
}

GRT_FINISH(grt_finish_expect_task) {
    (void)reader, (void)path, (void)clean;
    struct grt_expect_task *task = out;
    mark_unchecked(&grt_expect_task_record, object, out);
    if (grt_json_find(object, "accumulated_slack") == NULL) {
        task->accumulated_slack = GRT_TIME_NEVER;
    }
}

void grt_check_expect_span(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                           grt_time start, grt_time end) {
    struct grt_path place = {.parent = path, .key = "end"};
    if (end < start) {
        grt_read_error(reader, &place, grt_json_find(object, "end"), "must not be before start");
    }
}

GRT_FINISH(grt_finish_expect_blocks) {
    struct grt_expect_blocks *blocks = out;
    mark_unchecked(&grt_expect_blocks_record, object, out);
    blocks->last = blocks->last < 0 ? blocks->first : blocks->last;
    if (!clean) {
        return;
    }
    grt_check_expect_span(reader, object, path, blocks->start, blocks->end);
    struct grt_path last = {.parent = path, .key = "last"}, sms = {.parent = path, .key = "sms"};
    int64_t count = blocks->last - blocks->first + 1;
    if (count < 1) {
        grt_read_error(reader, &last, grt_json_find(object, "last"), "must not be below first");
    } else if (blocks->sms.count > 1 && (int64_t)blocks->sms.count != count) {
        grt_error_add(reader->errors, &sms,
                      "must have one number, or one for each of the %lld blocks (got %zu)", (long long)count,
                      blocks->sms.count);
    }
}

GRT_FINISH(grt_finish_expect_copy) {
    struct grt_expect_copy *copy = out;
    mark_unchecked(&grt_expect_copy_record, object, out);
    if (clean) {
        grt_check_expect_span(reader, object, path, copy->start, copy->end);
    }
}
