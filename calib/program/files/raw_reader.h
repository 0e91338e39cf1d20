/* Reading a raw file line by line: its own lines (raw_read.c) and those of samples (raw_read_samples.c). */
#ifndef GRT_CALIB_PROGRAM_FILES_RAW_READER_H
#define GRT_CALIB_PROGRAM_FILES_RAW_READER_H

#include <cjson/cJSON.h>

#include "calib/program/files/raw_join.h"
#include "calib/raw/cells.h"
#include "scenarios/read_fields.h"

struct raw_reader {
    struct grt_reader fields; /* its errors are those of the line */
    struct grt_raw *raw;
    struct grt_raw_join *join;
    size_t line;
    bool has_head, has_device, has_origin, has_end;
    struct grt_raw_workload *workloads;
    uint32_t workload_count, workload_capacity;
    struct grt_raw_skipped *skipped;
    uint32_t skipped_count, skipped_capacity;
    int64_t *values; /* of the columns of a batch, one behind the other */
    uint32_t value_count, value_capacity;
};

/* Adds a sentence about the line. */
static inline void raw_reader_complain(struct raw_reader *reader, const char *sentence) {
    grt_error_add(reader->fields.errors, NULL, "%s", sentence);
}

/* Adds a list of whole numbers that doubles hold exactly to the reader's values; false after adding an error. */
bool raw_reader_read_values(struct raw_reader *reader, const cJSON *list, const struct grt_path *place,
                            size_t *count);

/* A line of samples, which are joined to those of their cell before. */
void raw_reader_read_samples(struct raw_reader *reader, cJSON *line);

#endif
