/* The kernels that the blocks of a kernel launch. */
#include <stddef.h>

#include "models/task/kernel_walk.h"
#include "scenarios/kernel_fields.h"

#define AT(member) offsetof(struct grt_launch_spec, member)

const char *const grt_draw_names[] = {"block", "kernel", NULL};

static const char *const launchers[] = {"every_block", "first_block", NULL};
static const char *const streams[] = {"block", "fire_and_forget", "tail", NULL};

static const struct grt_field launch_fields[] = {
    {.name = "kernel", .type = GRT_FIELD_NAME, .offset = AT(kernel.name), .help = "Name of the kernel."},
    {.name = "at",
     .type = GRT_FIELD_TIME,
     .offset = AT(at),
     .fallback = "",
     .min = 1,
     .max = GRT_TIME_LIMIT,
     .help =
         "When a block launches it, since the block's start. Default, and the latest: at the block's end."},
    {.name = "from",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(from),
     .fallback = "\"every_block\"",
     .choices = launchers,
     .help = "Whether every block of the grid launches it, or only block 0."},
    {.name = "stream",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(stream),
     .fallback = "\"block\"",
     .choices = streams,
     .help = "The block's own stream, in which its launches run one after the other; a stream of its own "
             "(fire_and_forget); or after the launching grid and all else that it launched (tail). Rule D3."},
    {.name = "wait",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(wait),
     .fallback = "false",
     .help =
         "Whether the block, when it has made this launch and all of the same `at`, waits until all that it "
         "has "
         "launched is complete, but for tails. It is off its SM meanwhile. Only before the block's end. Rule "
         "D4."},
    GRT_KERNEL_FIELDS(AT(kernel), "", "; required, here or in the kernel's definition"),
    GRT_LIKE_FIELD,
};

const struct grt_record grt_launch_record = {
    .name = "launch",
    .size = sizeof(struct grt_launch_spec),
    .fields = launch_fields,
    .field_count = GRT_FIELD_COUNT(launch_fields),
    .help = "A kernel that is launched by blocks of another one (dynamic parallelism, rules D1 to D5).",
};

static void check_wait(struct grt_reader *reader, const struct grt_kernel *kernel,
                       const struct grt_launch_spec *launch, const struct grt_path *place) {
    struct grt_path wait = {.parent = place, .key = "wait"};
    if (launch->stream == GRT_LAUNCH_STREAM_TAIL) {
        grt_error_add(reader->errors, &wait,
                      "must not be true where \"stream\" is \"tail\": a tail runs when its "
                      "blocks have ended");
    }
    if (launch->at == 0 || launch->at == kernel->block_time.max) {
        grt_error_add(reader->errors, &wait,
                      "must not be true without an \"at\" before the end of the block");
    }
}

/* What a launch asks of the kernel whose blocks make it. */
static void check_moments(struct grt_reader *reader, const struct grt_kernel *kernel,
                          const struct grt_path *path) {
    const struct grt_launch_spec *launches = kernel->launches.items;
    struct grt_path list = {.parent = path, .key = "launches"}, place = {.parent = &list},
                    at = {.parent = &place, .key = "at"};
    for (; place.index < kernel->launches.count; place.index++) {
        if (launches[place.index].at > kernel->block_time.max) {
            char given[GRT_TIME_TEXT_SIZE], end[GRT_TIME_TEXT_SIZE];
            grt_error_add(reader->errors, &at,
                          "must not be after the end of the block that launches it, \"%s\" (got \"%s\")",
                          grt_time_text(kernel->block_time.max, end),
                          grt_time_text(launches[place.index].at, given));
        }
        if (launches[place.index].wait) {
            check_wait(reader, kernel, &launches[place.index], &place);
        }
    }
}

GRT_FINISH(grt_finish_launch) {
    static const char *const required[] = {"blocks", "threads", "block_time"};
    const struct grt_launch_spec *launch = out;
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        struct grt_path place = {.parent = path, .key = required[i]};
        if (grt_json_find(object, required[i]) == NULL) {
            grt_error_add(reader->errors, &place, "required");
        }
    }
    if (clean) {
        check_moments(reader, &launch->kernel, path);
    }
}

void grt_check_launches(struct grt_reader *reader, const struct grt_kernel *kernel,
                        const struct grt_path *path) {
    struct grt_path list = {.parent = path, .key = "launches"};
    size_t depth = grt_launches_depth(kernel);
    check_moments(reader, kernel, path);
    if (depth > GRT_MAX_LAUNCH_DEPTH) {
        grt_error_add(reader->errors, &list, "must be nested at most %d deep (got %zu)", GRT_MAX_LAUNCH_DEPTH,
                      depth);
    }
}

void grt_check_segment_launches(struct grt_reader *reader, const struct grt_segment_fields *segment,
                                const struct grt_path *path) {
    const struct grt_command_fields *commands = segment->gpu.items;
    size_t count = 0;
    for (size_t i = 0; i < segment->gpu.count; i++) {
        count += grt_launches_count(&commands[i].kernel);
    }
    if (count > GRT_MAX_SEGMENT_LAUNCHES) {
        struct grt_path list = {.parent = path, .key = "gpu"};
        grt_error_add(reader->errors, &list, "must have at most %d launches in all its kernels (got %zu)",
                      GRT_MAX_SEGMENT_LAUNCHES, count);
    }
}
