/* The shapes of `gpurt generate`: generators of the registry (scenarios/generate/generators.h), and which options give their parameters. */
#ifndef GRT_CLI_GENERATE_SHAPES_H
#define GRT_CLI_GENERATE_SHAPES_H

#include <stdbool.h>

#include "scenarios/generate/generators.h"

/* A parameter and the option that gives it; several may have one. */
struct grt_generate_field {
    const char *field, *option;
};

struct grt_generate_shape {
    const char *name;      /* as --shape has it */
    const char *generator; /* its name in the registry, by which --shape knows it, too */
    /* ends with {0}; parameters that are not here are given by --parameter */
    const struct grt_generate_field *fields;
    const char *policy, *device; /* where no option names one */
    bool shares;                 /* its kernels have usages: the GPU gets shares, whose contention counts */
};

enum { GRT_GENERATE_MOST_SHAPES = 32 };

/* What --shape can be, NULL-terminated: the shapes with names of their own, then the generators that read no files. */
void grt_generate_shape_names(const char *names[GRT_GENERATE_MOST_SHAPES]);

/* The shape of one of these names. */
struct grt_generate_shape grt_generate_shape_of(const char *name);

/* Whether an option gives parameters of the shape. */
bool grt_generate_has_option(const struct grt_generate_shape *shape, const char *option);

/* The option that gives a parameter; NULL: --parameter. */
const char *grt_generate_option_of(const struct grt_generate_shape *shape, const char *field, size_t length);

#endif
