/* The command line of `gpurt compare`. */
#ifndef GRT_CLI_COMPARE_OPTIONS_H
#define GRT_CLI_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/terminal/options.h"
#include "models/policy.h"
#include "models/result/ideal.h"
#include "scenarios/scenario.h"

enum { GRT_COMPARE_MOST = 64 };

/* A policy to run, under a name of its own. */
struct grt_compared_policy {
    char *label;
    const struct grt_policy_ops *policy;
};

struct grt_compare_options {
    const char *scenario;
    struct grt_compared_policy policies[GRT_COMPARE_MOST];
    size_t policy_count;
    size_t base; /* the policy to which the others are compared */
    /* of all runs, and of single ones: those begin with a label; `policy` is NULL, `sets` is owned */
    struct grt_scenario_changes changes;
    enum grt_ideal ideal;
    uint32_t profile_runs;
    const char *json, *csv; /* files, or NULL */
    bool tasks, quiet;
    struct grt_style style;
    const char *list, *base_name; /* as they were given */
    struct grt_arena arena;       /* of policies of plug-ins */
    uint64_t given;
};

/* Reads the command line; ends the program where it is wrong. Free with grt_compare_options_free. */
struct grt_compare_options grt_compare_options_read(int argc, char **argv);
void grt_compare_options_free(struct grt_compare_options *options);

/* The policy that a change is for: the index of that whose label it begins with, and *rest is what is behind "label."; or policy_count: for
 * all, and *rest is all of it. */
size_t grt_compare_options_whose(const struct grt_compare_options *options, const char *set,
                                 const char **rest);

#endif
