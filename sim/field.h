/* Describes the fields of a plain struct in a table, so that one table drives reading from JSON, checks, defaults,
 * the JSON Schema and the reference documents. No JSON here: scenarios/ reads the tables. */
#ifndef GRT_SIM_FIELD_H
#define GRT_SIM_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum grt_field_type {
    GRT_FIELD_TIME,      /* text with a unit of time           -> int64_t nanoseconds */
    GRT_FIELD_SIZE,      /* text with a unit of size           -> int64_t bytes */
    GRT_FIELD_RATE,      /* text with a unit of rate           -> int64_t bytes per second */
    GRT_FIELD_FREQUENCY, /* text with a unit of frequency      -> int64_t hertz */
    GRT_FIELD_INTEGER,   /* whole number within +-2^53         -> int64_t */
    GRT_FIELD_NUMBER,    /* number                             -> double */
    GRT_FIELD_BOOLEAN,   /* true or false                      -> bool */
    GRT_FIELD_CHOICE,    /* one of the words in `choices`      -> int64_t, the word's index */
    GRT_FIELD_NAME,      /* 1 to 64 printable characters       -> const char *, owned by the reader's arena */
    GRT_FIELD_OBJECT,    /* object with the fields of `record` -> embedded struct at the offset */
    GRT_FIELD_LIST,      /* list of such objects               -> struct grt_field_list */
    GRT_FIELD_CUSTOM,    /* read by a function of the table's owner; `choices` is unused */
};

/* A list that was read: `items` points to `count` structs of the record's size, owned by the reader's arena. */
struct grt_field_list {
    void *items;
    size_t count;
};

struct grt_record;

/* One field. Every int64_t kind is checked against [min, max]; {0, 0} means "no bounds beyond the type's own". */
struct grt_field {
    const char *name;
    enum grt_field_type type;
    size_t offset;        /* of the value in the struct */
    const char *fallback; /* the default as JSON text; NULL: the field is required; "": absent is fine and
                                    leaves the zeroed struct as it is */
    int64_t min, max;     /* for lists and names: bounds of the count */
    const char *const *choices;      /* NULL-terminated, for GRT_FIELD_CHOICE */
    const struct grt_record *record; /* for GRT_FIELD_OBJECT and GRT_FIELD_LIST */
    const char *help;                /* one or two sentences for the reference: meaning, unit, source */
    int custom; /* for GRT_FIELD_CUSTOM: the owner's own number for its reading function */
};

/* A described struct. */
struct grt_record {
    const char *name; /* for the reference: "task" */
    size_t size;      /* of the struct in bytes */
    const struct grt_field *fields;
    size_t field_count;
    const char *help;
};

/* Fills in a struct of the record's size with the defaults, as a reader does that finds no field. False if a field is required: the rest is filled in
 * all the same. For records whose defaults are numbers, quantities, choices, truths, or "". */
bool grt_record_defaults(const struct grt_record *record, void *out);

#define GRT_FIELD_COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

#endif
