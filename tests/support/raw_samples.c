#include "tests/support/raw_samples.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"

void raw_start(struct raw_samples *samples, int sms) {
    grt_arena_clear(&samples->arena);
    memset(samples, 0, sizeof *samples);
    samples->raw = (struct grt_raw){.file = "made.jsonl",
                                    .program = "test",
                                    .build = "test",
                                    .backend = "sim",
                                    .started = "2026-11-23T00:00:00Z",
                                    .command = "none",
                                    .driver_path = "",
                                    .kernels_made_by = "hand",
                                    .host = "none",
                                    .complete = true,
                                    .cells = samples->cells,
                                    .workloads = samples->workloads,
                                    .skipped = samples->skipped};
    samples->raw.device.sm_count = sms;
    snprintf(samples->raw.device.name, sizeof samples->raw.device.name, "Test Device");
}

static void add_key(struct raw_samples *samples, struct grt_raw_cell *cell, char *key) {
    char *value = strchr(key, '=');
    GRT_ASSERT(value != NULL && cell->key_count < GRT_RAW_KEYS, "keys are name=value");
    *value++ = '\0';
    struct grt_raw_key *made = &cell->keys[cell->key_count++];
    made->name = grt_arena_text(&samples->arena, key);
    if (isdigit((unsigned char)value[0]) || value[0] == '-') {
        made->number = strtoll(value, NULL, 10);
    } else {
        made->text = grt_arena_text(&samples->arena, value);
    }
}

struct grt_raw_cell *raw_cell(struct raw_samples *samples, const char *experiment, size_t count,
                              const char *keys, ...) {
    GRT_ASSERT(samples->raw.cell_count < RAW_MOST_CELLS, "make room for more cells");
    struct grt_raw_cell *cell = &samples->cells[samples->raw.cell_count++];
    char text[300];
    va_list arguments;
    va_start(arguments, keys);
    vsnprintf(text, sizeof text, keys, arguments);
    va_end(arguments);
    *cell = (struct grt_raw_cell){.experiment = experiment, .count = count};
    for (char *key = strtok(text, ","); key != NULL; key = strtok(NULL, ",")) {
        add_key(samples, cell, key);
    }
    return cell;
}

int64_t *raw_column(struct raw_samples *samples, struct grt_raw_cell *cell, const char *name) {
    int64_t *values = grt_arena_array(&samples->arena, cell->count > 0 ? cell->count : 1, sizeof *values);
    cell->columns[cell->column_count++] = (struct grt_raw_column){name, values};
    return values;
}

struct grt_raw_workload *raw_workload(struct raw_samples *samples, const char *name,
                                      enum grt_kernel_id kernel, uint32_t threads, int occupancy) {
    struct grt_raw_workload *workload = &samples->workloads[samples->raw.workload_count++];
    *workload = (struct grt_raw_workload){.name = name,
                                          .kernel = kernel,
                                          .amount = 1000,
                                          .blocks = 64,
                                          .threads = threads,
                                          .registers = 16,
                                          .occupancy = occupancy};
    return workload;
}
