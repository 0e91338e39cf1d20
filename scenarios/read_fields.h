/* Reads JSON values into plain structs by the tables of sim/field.h. Every problem becomes an error with its path, and
 * reading goes on; a value that could not be read leaves zeroes. */
#ifndef GRT_SCENARIOS_READ_FIELDS_H
#define GRT_SCENARIOS_READ_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenarios/json_tree.h"
#include "sim/error.h"
#include "sim/field.h"
#include "sim/memory.h"

/* Whole numbers in files: up to here every one is exact in JSON's doubles. */
#define GRT_INTEGER_LIMIT INT64_C(9007199254740991)

/* Names that may be longer than this are free texts: they may hold line breaks. */
#define GRT_NAME_LENGTH 64

/* Elements that a list may have where its field gives no bounds. */
#define GRT_LIST_LENGTH 1000000

struct grt_usage_known;
struct grt_read_shared;

/* What all reading needs. */
struct grt_reader {
    struct grt_arena *arena; /* owns what is read */
    struct grt_errors *errors;
    const char *folder;                   /* where relative file names start */
    uint64_t new_devices;                 /* bit i: `--set` gave GPU i of the file another device */
    bool new_policy;                      /* `--policy` put another one in place */
    const char *policy_folder;            /* where a plug-in's file starts; NULL: `folder` */
    const struct grt_usage_known *usages; /* that kernels have named so far (usage_find.c) */
    bool has_kernels;                     /* the scenario has definitions of kernels */
    struct grt_read_shared *shared;       /* scenarios/shared_lists.h; NULL: nothing is shared */
};

/* Reads one object into zeroed memory by a record: every field, its default or "required" where it is absent, an error
 * for every other key, then what the record's rule asks (scenarios/records.h). True if there was no error. */
bool grt_read_record(struct grt_reader *reader, const struct grt_record *record, const cJSON *object,
                     const struct grt_path *path, void *out);

/* One of the records that share an object. */
struct grt_read_part {
    const struct grt_record *record;
    void *out;
    bool only_present; /* absent fields keep their values: overrides */
};

/* The same for an object that holds the fields of several records, up to four; read in their order. */
bool grt_read_parts(struct grt_reader *reader, const struct grt_read_part *parts, size_t part_count,
                    const cJSON *object, const struct grt_path *path);

/* Reads one value as a field says; `out` is where the value goes. */
void grt_read_value(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                    const struct grt_path *path, void *out);

/* The same for every kind but objects, lists and customs. */
void grt_read_plain_value(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                          const struct grt_path *path, void *out);

/* Checks that the value is a list of [min, max] elements and gives their number; adds an error if it is not. */
bool grt_read_list(struct grt_reader *reader, const cJSON *value, const struct grt_path *path, int64_t min,
                   int64_t max, size_t *count);

/* Checks a number against a field's bounds; adds an error that shows the value, in the field's unit. */
bool grt_read_bounds(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                     const struct grt_path *path, int64_t number);

/* Checks a text for a length in [min, max] bytes and for control characters. */
bool grt_read_text_is_good(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                           int64_t min, int64_t max);

/* Adds "<path>: <sentence> (got <value>)". */
void grt_read_error(struct grt_reader *reader, const struct grt_path *path, const cJSON *value,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds "<path>: unknown <what> <value> (did you mean ...?); known are ...": a text that is none of the names name(0), name(1), ..., of which NULL
 * is the end. */
void grt_read_unknown(struct grt_reader *reader, const cJSON *value, const struct grt_path *path,
                      const char *what, const char *(*name)(size_t number));

#endif
