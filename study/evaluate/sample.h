/* Draws one task set of a point and asks everything of it. */
#ifndef GRT_STUDY_EVALUATE_SAMPLE_H
#define GRT_STUDY_EVALUATE_SAMPLE_H

#include "scenarios/experiment/experiment.h"
#include "sim/memory.h"
#include "study/tally.h"

struct grt_asked;
struct grt_found;

/* What is asked of sets: how each kind of evaluation works. One for each enum grt_evaluation_kind, in study/evaluate/. */
struct grt_evaluation_ops {
    const char *name; /* "analysis" */
    /* those that it has by itself, NULL-terminated; policies and analyses may have more */
    const char *const *measures;
    const char *const *of_task; /* the same of one task: "response_max" is wanted as "response_max:TASK" */
    const char *const *usual;   /* those that are wanted where the file says none, NULL-terminated */
    bool runs_worlds;           /* it simulates: networks matter, and the horizon */

    /* Fills in what it finds: the outcome, the reason, and the values, which are not numbers before. */
    void (*evaluate)(const struct grt_asked *asked, struct grt_found *found);
};

extern const struct grt_evaluation_ops *const *const grt_evaluation_kinds;

/* The names of the measures of an evaluation: those wanted, or the usual ones. *count: how many. */
const char *const *grt_evaluation_measures(const struct grt_evaluation *evaluation, size_t *count);

/* What measure number `number` of them is: its own name, or a quotient (study/evaluate/quotients.h). */
const char *grt_evaluation_formula(const struct grt_evaluation *evaluation, size_t number);

/* Whether it is a time, in ns: a measure's own name, also of one task, not a quotient. */
bool grt_measure_is_time(const char *formula);

/* Adds an error where nothing gives this measure of an evaluation (by the names that its kind, its policy and its analyses have). */
bool grt_measure_check(const struct grt_evaluation *evaluation, const char *measure,
                       struct grt_errors *errors, const struct grt_path *path);

/* The same for each of its measures, and where one is there twice. Quotients depend on other evaluations: study/evaluate/quotients.h. */
bool grt_evaluation_check(const struct grt_evaluation *evaluation, struct grt_errors *errors,
                          const struct grt_path *path);

/* What one evaluation found of one set. */
struct grt_found {
    enum grt_outcome outcome;
    /* in the order of grt_evaluation_measures; not a number: there is none */
    double values[GRT_MOST_MEASURES];
    char reason[256]; /* of outcomes other than yes: why, or "" */
};

/* A thread's own: memory that samples leave for those after them. */
struct grt_sampler;

/* What all threads share: what is prepared once for an experiment (trained networks). Opaque. */
struct grt_study;

/* Whether grt_study_create would succeed, as far as that can be known without training: measures, what is said of them, and what policies would train. Adds
 * errors. */
bool grt_study_check(const struct grt_experiment *experiment, struct grt_errors *errors);

/* Prepares an experiment: checks what measures it wants, and trains what has to be trained. NULL after adding errors. `experiment` must outlive it. */
struct grt_study *grt_study_create(const struct grt_experiment *experiment, struct grt_errors *errors);
void grt_study_free(struct grt_study *study);
const struct grt_experiment *grt_study_experiment(const struct grt_study *study);

struct grt_sampler *grt_sampler_create(const struct grt_study *study);
void grt_sampler_free(struct grt_sampler *sampler);

/* Evaluates set number `sample` of a point: fills found[0 .. evaluation_count). Depends on the experiment, the point and the number alone. */
void grt_sampler_run(struct grt_sampler *sampler, size_t point, uint64_t sample, struct grt_found *found);

/* The scenario that one evaluation sees of a set, as the text of a file that `gpurt run` reads; to be freed with free. NULL after adding errors: what
 * it has cannot be written. */
char *grt_sampler_scenario(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                           struct grt_errors *errors);

#endif
