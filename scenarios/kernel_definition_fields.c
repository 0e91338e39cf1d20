/* Kernels as entities: the tables of a definition and of a file of them. */
#include <stddef.h>
#include <string.h>

#include "scenarios/kernel_fields.h"
#include "scenarios/kernels.h"

#define AT(member) offsetof(struct grt_kernel_definition_fields, member)

static const struct grt_field definition_fields[] = {
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = AT(command.kernel.name),
     .help = "Name of the kernel, by which commands and launches take it; no two are equal."},
    {.name = "description",
     .type = GRT_FIELD_NAME,
     .offset = AT(description),
     .fallback = "\"\"",
     .max = 4096,
     .help = "What it is, for people."},
    GRT_KERNEL_FIELDS(AT(command.kernel), "", "; required with `blocks`"),
    GRT_HOST_KERNEL_FIELDS(AT(command.kernel), AT(command.time)),
    {.name = "split_overhead",
     .type = GRT_FIELD_TIME,
     .offset = AT(split_overhead),
     .fallback = "\"0ns\"",
     .max = GRT_TIME_LIMIT,
     .help = "What every piece costs into which the kernel is cut. A task that does not say its "
             "`split_overhead` has the largest of those of its kernels."},
    {.name = "sources",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_SOURCES,
     .help = "Object that says for each field where its value was measured or read, or that it was chosen."},
};

const struct grt_record grt_kernel_definition_record = {
    .name = "kernel_definition",
    .size = sizeof(struct grt_kernel_definition_fields),
    .fields = definition_fields,
    .field_count = GRT_FIELD_COUNT(definition_fields),
    .help =
        "A kernel that commands and launches take by name: either `blocks`, `threads` and `block_time`, or "
        "`time`, and what else describes a kernel. In a kernel file a `usage` is a preset's name or in "
        "place: it names no other files.",
};

#define FILE_AT(member) offsetof(struct grt_kernel_file_fields, member)

static const struct grt_field file_fields[] = {
    {.name = "gpurt_kernels",
     .type = GRT_FIELD_INTEGER,
     .offset = FILE_AT(version),
     .min = 1,
     .max = 1,
     .help = "Version of the format of kernel files."},
    {.name = "name",
     .type = GRT_FIELD_NAME,
     .offset = FILE_AT(name),
     .fallback = "",
     .help = "Name, for people."},
    {.name = "device",
     .type = GRT_FIELD_NAME,
     .offset = FILE_AT(device),
     .fallback = "",
     .help =
         "The device on which the kernels were measured: its `name`, or that of a preset. `gpurt check` and "
         "`gpurt run` say so where a scenario uses them on another one."},
    {.name = "description",
     .type = GRT_FIELD_NAME,
     .offset = FILE_AT(description),
     .fallback = "\"\"",
     .max = 4096,
     .help = "What the kernels are, for people."},
    {.name = "measured",
     .type = GRT_FIELD_CUSTOM,
     .fallback = "",
     .custom = GRT_DEVICE_CUSTOM_SOURCES,
     .help = "Object of texts: when, with which driver and by which program they were measured; or that they "
             "were invented."},
    {.name = "kernels",
     .type = GRT_FIELD_LIST,
     .offset = FILE_AT(kernels),
     .min = 1,
     .max = GRT_MOST_DEFINITIONS,
     .record = &grt_kernel_definition_record,
     .help = "The kernels. Blocks of one may launch others of the same scenario's `kernels` by name."},
};

const struct grt_record grt_kernel_file_record = {
    .name = "kernel_file",
    .size = sizeof(struct grt_kernel_file_fields),
    .fields = file_fields,
    .field_count = GRT_FIELD_COUNT(file_fields),
    .help = "A file of kernels, which a scenario names as its `kernels` ([kernel files](kernel-files.md)).",
};

GRT_FINISH(grt_finish_kernel_definition) {
    struct grt_kernel_definition_fields *definition = out;
    (void)clean;
    grt_finish_kernel(reader, object, path, &definition->command);
}

/* By then all of it is in the commands; what cannot be has been said. */
GRT_READER(grt_read_kernels) {
    (void)reader;
    (void)field;
    (void)value;
    (void)path;
    (void)out;
}

GRT_READER(grt_read_like) {
    (void)field;
    (void)out;
    if (grt_read_text_is_good(reader, value, path, 1, GRT_NAME_LENGTH) && !reader->has_kernels) {
        grt_read_error(reader, path, value, "needs the kernel's definition in the scenario's \"kernels\"");
    }
}
