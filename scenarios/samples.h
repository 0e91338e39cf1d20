/* Files of samples for training, CSV or JSON lines: measured on a device, or written by `gpurt train`; docs/performance-models.md describes them. */
#ifndef GRT_SCENARIOS_SAMPLES_H
#define GRT_SCENARIOS_SAMPLES_H

#include <stdbool.h>
#include <stdio.h>

#include "models/learning/sample.h"
#include "sim/error.h"
#include "sim/memory.h"

/* The samples of a kernel. */
struct grt_kernel_samples {
    const char *kernel;
    struct grt_samples samples;
};

struct grt_sample_file {
    struct grt_kernel_samples *items; /* in the order in which the kernels come first */
    size_t count;
};

/* What a sample has in files: the kernel, the share, the time and the indicators. */
enum {
    GRT_SAMPLE_KERNEL,
    GRT_SAMPLE_SHARE,
    GRT_SAMPLE_TIME,
    GRT_SAMPLE_INDICATORS,
    GRT_SAMPLE_COLUMNS = GRT_SAMPLE_INDICATORS + GRT_INDICATORS
};

/* The name of a column: "kernel", "share", "time_ns", "instructions", ... */
const char *grt_sample_column(size_t number);

/* Reads a text: JSON lines where its first character, after blanks, is a brace, else CSV whose first line names the columns, in any order. Everything is in the
 * arena. False after adding every error, "line 7: share: must be ...". */
bool grt_samples_parse(const char *text, size_t size, struct grt_arena *arena, struct grt_sample_file *file,
                       struct grt_errors *errors);

/* Writes the line of names, and samples of a kernel; or as JSON lines, which need no names. What is read from it is bit for bit what was written. */
void grt_samples_write_names(FILE *out);
void grt_samples_write_csv(FILE *out, const struct grt_kernel_samples *samples);
void grt_samples_write_jsonl(FILE *out, const struct grt_kernel_samples *samples);

#endif
