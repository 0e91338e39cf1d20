/* Reading a profile: what its files share. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_READER_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_READER_H

#include "calib/program/import/nsys.h"
#include "calib/program/import/sqlite_table.h"

/* Processes are in the upper 40 bits of numbers of threads and processes. */
#define PROCESS_OF(number) ((int64_t)((uint64_t)(number) >> 24))

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

struct nsys_text {
    int64_t id;
    const char *text;
};

struct nsys_call {
    int64_t process, correlation, thread;
    grt_time start;
    const char *name;
};

struct nsys_reader {
    struct sqlite3 *database;
    struct grt_nsys *out;
    struct grt_errors *errors;
    struct nsys_text *texts; /* by id */
    struct nsys_call *calls; /* by process and correlation */
    uint32_t text_count, text_capacity, call_count, call_capacity, operation_capacity, range_capacity,
        priority_capacity, gpu_capacity;
    int64_t steps_left;
    int64_t pageable; /* the number of that kind of memory; -1: not said */
};

/* The text of that number; NULL: there is none. */
const char *grt_nsys_text(const struct nsys_reader *reader, int64_t id);

/* The first call of that number; NULL: it is not known. */
const struct nsys_call *grt_nsys_call(const struct nsys_reader *reader, int64_t process, int64_t correlation);

bool grt_nsys_read_operations(struct nsys_reader *reader);

#endif
