/* The fields that all kernels have, those that the host launches and those that blocks launch. */
#ifndef GRT_SCENARIOS_KERNEL_FIELDS_H
#define GRT_SCENARIOS_KERNEL_FIELDS_H

#include <stddef.h>

#include "scenarios/records.h"

/* No SM has more; occupancy rules say what a device has. */
enum { GRT_MOST_REGISTERS = 4096, GRT_MOST_SHARED_MEMORY = 1073741824 };

/* The words of `draw`, in the order of enum grt_draw_per. (launch_fields.c) */
extern const char *const grt_draw_names[];

/* Rows of a table of fields. `start`: the offset of a struct grt_kernel in the table's struct; `absent`: the default of what
 * no grid can do without: NULL, or "" where a kernel need not be described as a grid; `with`: says so, or "". */
#define GRT_KERNEL_FIELDS(start, absent, with)                                                               \
    {.name = "blocks",                                                                                       \
     .type = GRT_FIELD_INTEGER,                                                                              \
     .offset = (start) + offsetof(struct grt_kernel, blocks),                                                \
     .fallback = (absent),                                                                                   \
     .min = 1,                                                                                               \
     .max = INT32_MAX,                                                                                       \
     .help = "Thread blocks of the grid."},                                                                  \
        {.name = "threads",                                                                                  \
         .type = GRT_FIELD_INTEGER,                                                                          \
         .offset = (start) + offsetof(struct grt_kernel, needs.threads),                                     \
         .fallback = (absent),                                                                               \
         .min = 1,                                                                                           \
         .max = 1024,                                                                                        \
         .help = "Threads of one block" with "."},                                                           \
        {.name = "regs",                                                                                     \
         .type = GRT_FIELD_INTEGER,                                                                          \
         .offset = (start) + offsetof(struct grt_kernel, needs.registers_per_thread),                        \
         .fallback = "0",                                                                                    \
         .max = GRT_MOST_REGISTERS,                                                                          \
         .help = "Registers of one thread; 0: not known, no limit."},                                        \
        {.name = "smem",                                                                                     \
         .type = GRT_FIELD_SIZE,                                                                             \
         .offset = (start) + offsetof(struct grt_kernel, needs.shared_memory),                               \
         .fallback = "\"0B\"",                                                                               \
         .max = GRT_MOST_SHARED_MEMORY,                                                                      \
         .help = "Shared memory of one block, static and dynamic."},                                         \
        {.name = "smem_opt_in",                                                                              \
         .type = GRT_FIELD_BOOLEAN,                                                                          \
         .offset = (start) + offsetof(struct grt_kernel, needs.shared_memory_opt_in),                        \
         .fallback = "false",                                                                                \
         .help = "The kernel asked for more shared memory than the usual limit per block."},                 \
        {.name = "block_time",                                                                               \
         .type = GRT_FIELD_CUSTOM,                                                                           \
         .offset = (start) + offsetof(struct grt_kernel, block_time),                                        \
         .fallback = (absent),                                                                               \
         .custom = GRT_CUSTOM_POSITIVE_SPAN,                                                                 \
         .help = "Run time of one block on an SM" with "."},                                                 \
        {.name = "tpcs",                                                                                     \
         .type = GRT_FIELD_CUSTOM,                                                                           \
         .offset = (start) + offsetof(struct grt_kernel, tpcs),                                              \
         .fallback = "",                                                                                     \
         .custom = GRT_CUSTOM_SMS,                                                                           \
         .help =                                                                                             \
             "The TPCs whose SMs the blocks may use, from 0. Default: those of the task, or of the kernel "  \
             "whose blocks launch it. Not with `granularity` shares. Rules W1 to W3."},                      \
        {.name = "bandwidth",                                                                                \
         .type = GRT_FIELD_RATE,                                                                             \
         .offset = (start) + offsetof(struct grt_kernel, bandwidth),                                         \
         .fallback = "",                                                                                     \
         .min = 1,                                                                                           \
         .max = INT64_C(1000000000000000000),                                                                \
         .help =                                                                                             \
             "What the kernel draws from the device's memory when it runs alone, with as many blocks as "    \
             "fit, as a profiler shows it; absent: too little to count. Used where the device has "          \
             "`bandwidth_sharing`. Rule B1."},                                                               \
        {.name = "class",                                                                                    \
         .type = GRT_FIELD_NAME,                                                                             \
         .offset = (start) + offsetof(struct grt_kernel, class_name),                                        \
         .fallback = "",                                                                                     \
         .help = "What the kernel is called in the device's `slowdowns`; absent: as its name. One that is "  \
                 "in no table slows nobody."},                                                               \
        {.name = "draw",                                                                                     \
         .type = GRT_FIELD_CHOICE,                                                                           \
         .offset = (start) + offsetof(struct grt_kernel, draw_per),                                          \
         .fallback = "\"block\"",                                                                            \
         .choices = grt_draw_names,                                                                          \
         .help =                                                                                             \
             "Whether every block draws a random time of its own, or all blocks of one launch share one "    \
             "draw."},                                                                                       \
    {                                                                                                        \
        .name = "launches", .type = GRT_FIELD_LIST,                                                          \
        .offset = (start) + offsetof(struct grt_kernel, launches), .fallback = "", .min = 1,                 \
        .max = GRT_MAX_LAUNCHES, .record = &grt_launch_record,                                               \
        .help = "Kernels that its blocks launch, up to 24 levels deep. Not with `granularity` shares. "      \
                "Rules D1 to D5."                                                                            \
    }

/* Rows of what only kernels that the host launches have. `at_time`: the offset of the run time of one that is described by it. */
#define GRT_HOST_KERNEL_FIELDS(start, at_time)                                                               \
    {.name = "time",                                                                                         \
     .type = GRT_FIELD_CUSTOM,                                                                               \
     .offset = (at_time),                                                                                    \
     .fallback = "",                                                                                         \
     .custom = GRT_CUSTOM_POSITIVE_SPAN,                                                                     \
     .help = "Run time of a kernel that fills the whole device: one block per SM, each as large as the SM. " \
             "Only with `bandwidth`, `class` and `usage`."},                                                 \
        {.name = "usage",                                                                                    \
         .type = GRT_FIELD_CUSTOM,                                                                           \
         .offset = (start) + offsetof(struct grt_kernel, usage),                                             \
         .fallback = "",                                                                                     \
         .custom = GRT_CUSTOM_USAGE,                                                                         \
         .help =                                                                                             \
             "How the kernel uses a GPU with `granularity` shares: the name or alias of a preset (`gpurt "   \
             "usages` lists them), a usage file relative to the scenario's folder, or a usage in place. "    \
             "Default: it fills the SMs that its blocks fill, and depends on nothing else. Rule F3."},       \
        {.name = "sms",                                                                                      \
         .type = GRT_FIELD_CUSTOM,                                                                           \
         .offset = (start) + offsetof(struct grt_kernel, sms),                                               \
         .fallback = "",                                                                                     \
         .custom = GRT_CUSTOM_SMS,                                                                           \
         .help =                                                                                             \
             "The kernel is pinned to these SMs, from 0, by its own code: a block that starts there takes "  \
             "`items` of its work until none is left, one that starts elsewhere, or finds none left, "       \
             "exits. "                                                                                       \
             "Not with `launches` or `granularity` shares, nor under policies that cut GPU segments into "   \
             "pieces. Rule W8."},                                                                            \
        {.name = "items",                                                                                    \
         .type = GRT_FIELD_INTEGER,                                                                          \
         .offset = (start) + offsetof(struct grt_kernel, items),                                             \
         .fallback = "",                                                                                     \
         .min = 1,                                                                                           \
         .max = INT32_MAX,                                                                                   \
         .help = "With `sms`: the items of work of all its blocks together, each of which takes a "          \
                 "`block_time`. "                                                                            \
                 "Default: as many as `blocks`."},                                                           \
    {                                                                                                        \
        .name = "exit_time", .type = GRT_FIELD_TIME,                                                         \
        .offset = (start) + offsetof(struct grt_kernel, exit_time), .fallback = "\"1us\"", .min = 1,         \
        .max = GRT_TIME_LIMIT, .help = "With `sms`: what a block takes that exits."                          \
    }

/* The row of whose definition a kernel takes. */
#define GRT_LIKE_FIELD                                                                                       \
    {                                                                                                        \
        .name = "like", .type = GRT_FIELD_CUSTOM, .fallback = "", .custom = GRT_CUSTOM_LIKE,                 \
        .help = "A kernel of the scenario's `kernels`: all fields of its definition that are not here are "  \
                "taken from it, and `class` is its "                                                         \
                "name where neither says it. Default: the kernel of this one's own name, where neither "     \
                "`blocks` nor `time` is here."                                                               \
    }

#endif
