/* The tables of what a scenario expects of cores and of rows of the policy's own. */
#include <stddef.h>

#include "scenarios/expect.h"
#include "scenarios/records.h"

#define JOB_LIMIT INT64_C(4294967295)

/* What slices of both kinds have, of struct `of`. */
#define JOB(of)                                                                                              \
    {                                                                                                        \
        .name = "job", .type = GRT_FIELD_INTEGER, .offset = offsetof(struct of, job), .fallback = "0",       \
        .max = JOB_LIMIT, .help = "Number of the job within its task, from 0."                               \
    }
#define NAME(of, member, text)                                                                               \
    {                                                                                                        \
        .name = #member, .type = GRT_FIELD_NAME, .offset = offsetof(struct of, member), .fallback = "",      \
        .help = text                                                                                         \
    }
#define INSTANT(of, member, text)                                                                            \
    {                                                                                                        \
        .name = #member, .type = GRT_FIELD_TIME, .offset = offsetof(struct of, member),                      \
        .max = GRT_TIME_LIMIT, .help = text                                                                  \
    }

static const char *const doings[] = {"work", "busy-wait", "overhead", NULL};

static const struct grt_field core_fields[] = {
    {.name = "core",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct grt_expect_core, core),
     .max = 65535,
     .help = "Number of the core; those that tasks or threads have for themselves come after the "
             "platform's."},
    NAME(grt_expect_core, task, "The task whose job it is; with `thread`, whose job the thread works for."),
    JOB(grt_expect_core),
    NAME(grt_expect_core, thread,
         "The thread of the policy's own that it is, such as the server of `gpu-server`. Default: the "
         "task's."),
    {.name = "doing",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct grt_expect_core, doing),
     .fallback = "\"work\"",
     .choices = doings,
     .help = "`work`: its CPU segment, a host part, what the policy has the thread do. `busy-wait`: for the "
             "GPU. `overhead`: context switches and waking up."},
    INSTANT(grt_expect_core, start,
            "When the core starts with it. Segments and host parts are slices of their own, and what is "
            "preempted goes on as another."),
    INSTANT(grt_expect_core, end, "When it has ended or is preempted."),
};

const struct grt_record grt_expect_core_record = {
    .name = "expect_core",
    .size = sizeof(struct grt_expect_core),
    .fields = core_fields,
    .field_count = GRT_FIELD_COUNT(core_fields),
    .help = "One slice of what a core executes, without interruption. Every slice of a core that is spoken "
            "of at all must be named; what takes no time is none.",
};

static const struct grt_field row_fields[] = {
    {.name = "row",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct grt_expect_row, row),
     .help = "Name of the row, such as `lock`."},
    NAME(grt_expect_row, task,
         "The task that it concerns. Default: none, as where its job is aborted meanwhile."),
    JOB(grt_expect_row),
    NAME(grt_expect_row, label, "What is written there. Default: not checked."),
    INSTANT(grt_expect_row, start, "When it starts."),
    INSTANT(grt_expect_row, end, "When it ends."),
};

const struct grt_record grt_expect_row_record = {
    .name = "expect_row",
    .size = sizeof(struct grt_expect_row),
    .fields = row_fields,
    .field_count = GRT_FIELD_COUNT(row_fields),
    .help = "One slice on a row of the policy's own. Every slice of a row that is spoken of at all must be "
            "named; marks are not slices.",
};

GRT_FINISH(grt_finish_expect_core) {
    const struct grt_expect_core *core = out;
    struct grt_path place = {.parent = path, .key = "task"};
    if (!clean) {
        return;
    }
    if (core->task == NULL && core->thread == NULL) {
        grt_error_add(reader->errors, &place, "required, unless thread is given");
    }
    grt_check_expect_span(reader, object, path, core->start, core->end);
}

GRT_FINISH(grt_finish_expect_row) {
    const struct grt_expect_row *row = out;
    if (clean) {
        grt_check_expect_span(reader, object, path, row->start, row->end);
    }
}
