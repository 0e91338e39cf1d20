/* The steps of a job: CPU segments, and GPU segments of commands. */
#include <stddef.h>
#include <string.h>

#include "scenarios/kernel_fields.h"

#define AT(member) offsetof(struct grt_command_fields, member)

static const char *const synchronizations[] = {"stream", "device", NULL};

static const struct grt_field command_fields[] = {
    {.name = "h2d",
     .type = GRT_FIELD_SIZE,
     .offset = AT(h2d),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "A copy of so many bytes from host to device."},
    {.name = "d2h",
     .type = GRT_FIELD_SIZE,
     .offset = AT(d2h),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "A copy of so many bytes from device to host."},
    {.name = "kernel",
     .type = GRT_FIELD_NAME,
     .offset = AT(kernel.name),
     .fallback = "",
     .help = "A kernel of this name: either `blocks`, `threads` and `block_time`, or `time`, or, where "
             "neither `blocks` "
             "nor `time` is here, its definition in the scenario's `kernels`."},
    GRT_KERNEL_FIELDS(AT(kernel), "", "; required with `blocks`"),
    GRT_HOST_KERNEL_FIELDS(AT(kernel), AT(time)),
    GRT_LIKE_FIELD,
    {.name = "sync",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(sync),
     .fallback = "false",
     .help = "Copies: the host makes its next call when the copy is complete; from host to device, up to the "
             "device's `early_return` at once. Rule E7."},
    {.name = "pageable",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(pageable),
     .fallback = "false",
     .help = "Copies: the host's memory is pageable: the copy is synchronous and slower, by the device's "
             "`pageable_percent`. Rule E7."},
    {.name = "record",
     .type = GRT_FIELD_NAME,
     .offset = AT(record),
     .fallback = "",
     .help =
         "Records an event of this name, which completes when all commands before it in the stream have. "
         "Events "
         "belong to a process on a GPU: all its tasks there share them. Nobody need wait for one. Rule V1."},
    {.name = "wait",
     .type = GRT_FIELD_NAME,
     .offset = AT(wait),
     .fallback = "",
     .help = "Later commands of the stream wait for the last record of the event that was called before; "
             "where there is none, for nothing. Some task of the same process on the same GPU must record an "
             "event of that name. Rule V2."},
    {.name = "query",
     .type = GRT_FIELD_NAME,
     .offset = AT(query),
     .fallback = "",
     .help = "Asks whether the event has completed, and waits for nothing, but for the device's "
             "`dependency_check`. Some task of the same process on the same GPU must record an event of that "
             "name. Rules V3 and Q1b."},
    {.name = "query_stream",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(query_stream),
     .fallback = "",
     .help = "`true`: asks whether all that was called before in the stream has completed (cudaStreamQuery), "
             "and waits for nothing, but for the "
             "device's `dependency_check`. Rules V3 and Q1b."},
    {.name = "callback",
     .type = GRT_FIELD_CUSTOM,
     .offset = AT(callback),
     .fallback = "",
     .custom = GRT_CUSTOM_POSITIVE_SPAN,
     .help = "A host function of this run time, which takes its place in the stream. Those of a process run "
             "one at a "
             "time. Rule K1."},
    {.name = "synchronize",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(synchronize),
     .fallback = "",
     .choices = synchronizations,
     .help = "The host makes its next call when all that was called before has completed, in this stream or "
             "in all "
             "streams of the process on the GPU. Rule K2."},
    {.name = "malloc",
     .type = GRT_FIELD_SIZE,
     .offset = AT(bytes[0]),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "Allocates memory of the device; matters only for the device's `implicit_sync`, as do the next "
             "four. "
             "Rules S1 and S2."},
    {.name = "malloc_host",
     .type = GRT_FIELD_SIZE,
     .offset = AT(bytes[1]),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "Allocates pinned memory of the host."},
    {.name = "free",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(free),
     .fallback = "",
     .help = "`true`: frees memory."},
    {.name = "memset",
     .type = GRT_FIELD_SIZE,
     .offset = AT(bytes[2]),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "Sets so many bytes of the device's memory, at the device's `memory_bandwidth`, on no engine."},
    {.name = "d2d",
     .type = GRT_FIELD_SIZE,
     .offset = AT(bytes[3]),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help = "Copies so many bytes inside the device: it reads and writes them at `memory_bandwidth`, on no "
             "engine."},
};

const struct grt_record grt_command_record = {
    .name = "command",
    .size = sizeof(struct grt_command_fields),
    .fields = command_fields,
    .field_count = GRT_FIELD_COUNT(command_fields),
    .help = "One command of a GPU segment: a copy (`h2d`, `d2h`), to which `sync` and `pageable` belong; a "
            "`kernel`, to "
            "which the fields from `blocks` to `time` belong; or one of the calls from `record` to `d2d`.",
};

static const struct grt_field segment_fields[] = {
    {.name = "cpu",
     .type = GRT_FIELD_CUSTOM,
     .offset = offsetof(struct grt_segment_fields, cpu),
     .fallback = "",
     .custom = GRT_CUSTOM_POSITIVE_SPAN,
     .help = "Computing on the task's core for this long."},
    {.name = "bandwidth",
     .type = GRT_FIELD_RATE,
     .offset = offsetof(struct grt_segment_fields, bandwidth),
     .fallback = "",
     .min = 1,
     .max = INT64_C(1000000000000000000),
     .help =
         "What a CPU segment draws from memory while it computes; absent: too little to count. Used where an "
         "integrated GPU shares that memory's bandwidth. Rule B2."},
    {.name = "gpu",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct grt_segment_fields, gpu),
     .fallback = "",
     .min = 1,
     .max = GRT_MAX_COMMANDS,
     .record = &grt_command_record,
     .help = "Commands that the GPU executes in this order."},
    {.name = "host",
     .type = GRT_FIELD_OBJECT,
     .offset = offsetof(struct grt_segment_fields, host),
     .fallback = "",
     .record = &grt_host_record,
     .help = "What a core computes for these commands. Only with `gpu`; not under policies that cut GPU "
             "segments into pieces. Default: nothing."},
};

const struct grt_record grt_segment_record = {
    .name = "segment",
    .size = sizeof(struct grt_segment_fields),
    .fields = segment_fields,
    .field_count = GRT_FIELD_COUNT(segment_fields),
    .help = "One step of a job: exactly one of `cpu` and `gpu`.",
};

static const char *const grid_fields[] = {"blocks",     "threads",   "regs", "smem",     "smem_opt_in",
                                          "block_time", "tpcs",      "draw", "launches", "sms",
                                          "items",      "exit_time", NULL};
static const char *const pin_fields[] = {"items", "exit_time", NULL};
static const char *const kernel_fields[] = {"time", "bandwidth", "class", "usage", "like", NULL};
static const char *const cpu_fields[] = {"bandwidth", NULL};
static const char *const gpu_fields[] = {"host", NULL};

/* Adds an error for each of some fields that is there. */
static void refuse(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                   const char *const *names, const char *reason) {
    for (; *names != NULL; names++) {
        struct grt_path place = {.parent = path, .key = *names};
        if (grt_json_find(object, *names) != NULL) {
            grt_error_add(reader->errors, &place, "%s", reason);
        }
    }
}

static void require(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                    const char *name) {
    struct grt_path place = {.parent = path, .key = name};
    if (grt_json_find(object, name) == NULL) {
        grt_error_add(reader->errors, &place, "required");
    }
}

/* W8. */
static void check_pin(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                      const struct grt_kernel *kernel) {
    static const char *const launches[] = {"launches", NULL};
    if (grt_json_find(object, "sms") == NULL) {
        refuse(reader, object, path, pin_fields, "belongs to a kernel with \"sms\"");
    } else if (kernel->launches.count > 0) {
        refuse(reader, object, path, launches, "does not go together with \"sms\"");
    }
}

void grt_finish_kernel(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                       struct grt_command_fields *command) {
    bool has_time = grt_json_find(object, "time") != NULL;
    if (has_time) {
        refuse(reader, object, path, grid_fields, "does not go together with \"time\"");
        command->kernel.whole_device = true;
        command->kernel.block_time = command->time;
        command->kernel.draw_per = GRT_DRAW_PER_KERNEL;
    } else if (grt_json_find(object, "blocks") == NULL && grt_json_find(object, "block_time") == NULL) {
        grt_error_add(reader->errors, path,
                      "a kernel needs \"time\", or \"blocks\", \"threads\" and \"block_time\"");
    } else {
        require(reader, object, path, "blocks");
        require(reader, object, path, "threads");
        require(reader, object, path, "block_time");
        grt_check_launches(reader, &command->kernel, path);
        check_pin(reader, object, path, &command->kernel);
    }
}

GRT_FINISH(grt_finish_command) {
    (void)clean;
    struct grt_command_fields *command = out;
    bool is_kernel = grt_json_find(object, "kernel") != NULL;
    bool is_copy = grt_json_find(object, "h2d") != NULL || grt_json_find(object, "d2h") != NULL;
    bool is_call = grt_find_call(object, command);
    if (is_kernel + is_copy + is_call != 1) {
        return; /* has been said */
    }
    if (is_kernel) {
        grt_finish_kernel(reader, object, path, command);
    } else {
        const char *reason = is_copy ? "belongs to a kernel, not to a copy" : "belongs to a kernel";
        refuse(reader, object, path, grid_fields, reason);
        refuse(reader, object, path, kernel_fields, reason);
    }
    grt_finish_call(reader, object, path, command, is_copy);
}

GRT_FINISH(grt_finish_segment) {
    (void)clean;
    grt_check_segment_launches(reader, out, path);
    if (grt_json_find(object, "cpu") == NULL) {
        refuse(reader, object, path, cpu_fields, "belongs to a CPU segment; a kernel has its own");
    }
    if (grt_json_find(object, "gpu") == NULL) {
        refuse(reader, object, path, gpu_fields, "belongs to a GPU segment");
    }
}
