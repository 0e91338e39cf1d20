/* Sensitivity of an analysis: how far execution times may grow, or periods shrink, until a task set no longer passes. Whole numbers
 * throughout, so that "it passes here and not one step further" is exact; nothing is said between steps.
 *
 * Source: S. Punnekkat, R. Davis, A. Burns, "Sensitivity Analysis of Real-Time Task Sets", ASIAN 1997: a binary search over a
 * schedulability test. E. Bini, M. Di Natale, G. Buttazzo, "Sensitivity Analysis for Fixed-Priority Real-Time Systems",
 * Real-Time Systems 39, 2008: which changes to ask for.
 * Implements: that search, outwards from the set as it is in doubling strides, then by halves.
 * Assumes: nothing. Where an analysis is not monotone (a set passes, an easier one does not), the limit found is the one that the search
 * comes upon; values on both sides of it are tried, in strides that double from a 256th of it, and what contradicts it is reported.
 *
 * What a change does to a set:
 * - Execution times by a factor: longest times of all segments, CPU segments included, and the steps of GPU segments are rounded up, so
 *   that the steps in one piece still take as long as their segment; shortest times are rounded down. What cutting costs a policy
 *   (struct grt_analysis_task.overhead) stays.
 * - Periods: rounded down. A deadline that equals its period moves with it; others stay, and so do jitter and priorities. */
#ifndef GRT_POLICIES_ANALYSES_SENSITIVITY_H
#define GRT_POLICIES_ANALYSES_SENSITIVITY_H

#include "models/analysis.h"

/* Factors are in thousandths, from 1 (0.001) to this (1000.000). */
#define GRT_SENSITIVITY_UNIT 1000
#define GRT_SENSITIVITY_MOST INT64_C(1000000)

enum grt_sensitivity_of {
    GRT_SENSITIVITY_TIMES, /* the values are factors, and larger ones are harder */
    GRT_SENSITIVITY_PERIODS, /* of all tasks: factors; of one: ns, from 1 to 1000 times what it has; smaller ones are harder */
};

/* What is changed. */
struct grt_sensitivity_change {
    enum grt_sensitivity_of of;
    uint32_t task; /* an index in the set, or GRT_ANALYSIS_NO_TASK: all */
};

/* Of analyses and of changing sets: how many an analysis may take here, and how many all searches of a grt_sensitivity together. With
 * fewer than GRT_ANALYSIS_STEPS an analysis may give up on a set that it can do alone; the set then counts as one that does not pass. */
#define GRT_SENSITIVITY_STEPS (INT64_C(1) << 22)
#define GRT_SENSITIVITY_ALL_STEPS (INT64_C(1) << 27)

enum grt_limit_kind {
    GRT_LIMIT_FOUND,        /* the set passes at `value`, and at `beyond`, the next harder one, it does not */
    GRT_LIMIT_NONE,         /* it passes at the hardest value there is, `value` */
    GRT_LIMIT_NO_PASS,      /* not even at the easiest, `beyond` */
    GRT_LIMIT_NO_SENSE,     /* the task has no period, or the analysis does not apply to the set as it is */
    GRT_LIMIT_NOT_SEARCHED, /* the steps were used up before it was found: nothing is known */
};

struct grt_sensitivity_limit {
    enum grt_limit_kind kind;
    int64_t value, beyond;
    enum grt_verdict verdict; /* at `beyond`, why, and of which task, as in struct grt_analysis_result */
    uint32_t failing;
    char reason[GRT_ANALYSIS_REASON_SIZE];
    int64_t fails_before; /* an easier value than `value` that was tried and does not pass; 0: none */
    int64_t passes_after; /* a harder value than `beyond` that was tried and passes; 0: none */
    bool cut_short;       /* the steps were used up before all was tried */
};

/* An analysis of changed sets; opaque. It allocates nothing. */
struct grt_sensitivity;

/* How many bytes it needs. */
size_t grt_sensitivity_size(const struct grt_analysis_set *set);

/* Begins, in zeroed memory of that size, aligned for any type. The set must live as long. */
struct grt_sensitivity *grt_sensitivity_begin(void *memory, const struct grt_analysis_set *set,
                                              const struct grt_analysis_ops *analysis);

/* Analyses the set with one change. What is returned is valid until the next call. */
const struct grt_analysis_result *grt_sensitivity_try(struct grt_sensitivity *sensitivity,
                                                      struct grt_sensitivity_change change, int64_t value);

/* The set as the last call has changed it. */
const struct grt_analysis_set *grt_sensitivity_set(const struct grt_sensitivity *sensitivity);

/* The value of a change that leaves the set as it is; 0: the change makes no sense. */
int64_t grt_sensitivity_present(const struct grt_sensitivity *sensitivity,
                                struct grt_sensitivity_change change);

/* The steps that are left for all searches to come; below 0: they are used up. May be set, to what a caller finds right. */
int64_t *grt_sensitivity_steps(struct grt_sensitivity *sensitivity);

/* Searches the limit: a few hundred analyses at most. */
struct grt_sensitivity_limit grt_sensitivity_find(struct grt_sensitivity *sensitivity,
                                                  struct grt_sensitivity_change change);

#endif
