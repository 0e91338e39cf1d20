/* From counted launches to usage files (docs/usages.md): one usage for each kernel of one size, by the median of its launches. What a counter does not say is
 * not made up: it stays absent, and a warning says so. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NCU_USAGE_H
#define GRT_CALIB_PROGRAM_IMPORT_NCU_USAGE_H

#include <stdio.h>

#include "calib/program/import/ncu.h"
#include "models/device.h"
#include "scenarios/usages.h"

enum { GRT_NCU_SOURCE_SIZE = 256 };

struct grt_ncu_usage {
    const struct grt_ncu_launch *like; /* the first of its launches: its kernel, grid and blocks */
    const char *name;                  /* 1 to 64 letters, digits, '_', '-', '.'; different for each usage */
    size_t launches;
    double time_spread; /* (longest - shortest) / median of the launches */
    struct grt_usage_fields fields;
    bool has_counter[GRT_INDICATORS], has_demand[GRT_RESOURCES];
    /* Where the figures are from, for people. */
    char utilisation_source[GRT_NCU_SOURCE_SIZE], demand_source[GRT_NCU_SOURCE_SIZE],
        counters_source[GRT_NCU_SOURCE_SIZE];
};

struct grt_ncu_usages {
    struct grt_arena arena;
    struct grt_ncu_usage *items; /* in the order in which the kernels appear */
    size_t count;
};

/* `device`: on which the launches were counted, for the peaks that demands are fractions of; NULL: not known. `ncu` and `device` stay as long as the usages. Adds to
 * `warnings` what is missing; false after adding errors: more than all of a resource, so that it must have been another device. */
bool grt_ncu_usages_make(const struct grt_ncu *ncu, const struct grt_device *device,
                         struct grt_ncu_usages *out, struct grt_errors *warnings, struct grt_errors *errors);
void grt_ncu_usages_free(struct grt_ncu_usages *usages);

/* Writes a usage file. */
void grt_ncu_usage_write(const struct grt_ncu_usage *usage, FILE *out);

#endif
