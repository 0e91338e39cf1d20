/* An experiment as its file says: which task sets, what is varied, what is asked of every set. Read as strictly as scenarios.
 *
 * An axis puts each of its values into the file's tree before the file is checked, so that a point is an experiment without axes, and anything that a file
 * can say can be varied: the generator's parameters, the platform, a policy's parameters, an analysis's options, a file's name. The points are all
 * combinations of values, the last axis fastest. docs/sweeps.md explains the format. */
#ifndef GRT_SCENARIOS_EXPERIMENT_EXPERIMENT_H
#define GRT_SCENARIOS_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "policies/analyses/settings.h"
#include "scenarios/complete.h"
#include "scenarios/generate/generators.h"
#include "sim/error.h"
#include "sim/memory.h"

enum {
    GRT_MOST_AXES = 6,
    GRT_MOST_VALUES = 1000,    /* of an axis */
    GRT_MOST_POINTS = 100000,  /* of an experiment */
    GRT_MOST_EVALUATIONS = 64, /* of a task set */
    GRT_MOST_MEASURES = 32,    /* of an evaluation */
};

#define GRT_MOST_SAMPLES INT64_C(100000000) /* of a point */
/* Bytes of the file times points: each point is made from a copy of the file. */
#define GRT_MOST_WORK (UINT64_C(4) << 30)

/* What is varied. */
struct grt_axis {
    const char *name;  /* the column's, a key: "utilisation" */
    const char *label; /* for people: "Utilisation U"; the name where the file has none */
    bool same_sets;    /* its values see the same task sets: it says nothing of them */
    size_t count;
    const char *const *values; /* as texts: the column's cells */
    /* the same as numbers, where all are (fields of time in ns, sizes in bytes); else NULL */
    const double *numbers;
};

enum grt_evaluation_kind {
    GRT_EVALUATE_ANALYSIS,
    GRT_EVALUATE_SIMULATION,
    GRT_EVALUATE_VERIFY,
    GRT_EVALUATE_TRAINING /* of performance models of the kernels */
};

/* What is trained, and what it is held against. */
enum grt_model_kind { GRT_MODEL_NETWORK, GRT_MODEL_LINEAR, GRT_MODEL_NEAREST };

/* What is asked of every set of a point. */
struct grt_evaluation {
    const char *name, *label;
    const char *group;                   /* the panel of figures in which it is drawn; "": none */
    int64_t kind;                        /* enum grt_evaluation_kind */
    const struct grt_policy_ops *policy; /* NULL: that of the drawn scenario, which is whole */
    const void *parameters;
    uint64_t given; /* which parameters the file gives: bit i, field i */

    /* the platform; the drawn scenario's where there is none */
    const struct grt_device *gpus;
    size_t gpu_count;
    int64_t core_count; /* 0: as many as the drawn scenario has */
    grt_time context_switch, wake_up;

    struct grt_scenario_assignment assignment;
    const struct grt_networks *networks;
    int64_t training;  /* enum grt_training_wish: what to train where there are no networks */
    grt_time horizon;  /* of simulations; 0: that of the drawn scenario */
    double periods;    /* of simulations: so many of the longest period instead; 0: not */
    bool stop_at_miss; /* simulations end at the first miss */

    const struct grt_analysis_ops *const *analyses; /* NULL-terminated; NULL: all that speak of the policy */
    struct grt_analysis_settings settings;
    uint64_t patterns;  /* of verify */
    uint32_t jobs;      /* of one of its patterns; 0: the usual number */
    const char *kernel; /* of training: that one only; NULL: all */
    int64_t model;      /* of training: enum grt_model_kind */

    const char *const *measures; /* whose means are wanted; none: the usual ones (study/evaluate/sample.h) */
    /* what each is: itself, or a quotient (study/evaluate/quotients.h); NULL: itself */
    const char *const *formulas;
    size_t measure_count;
};

enum grt_training_wish { GRT_TRAIN_NOT, GRT_TRAIN_QUICK, GRT_TRAIN_FULL };

/* One combination of the axes' values. */
struct grt_point {
    size_t values[GRT_MOST_AXES]; /* by axis: the number of the value */
    uint64_t key;                 /* names its task sets: of the values of the axes without same_sets */
    const struct grt_generator_ops *generator;
    void *maker; /* of the generator; shared by threads */
    const struct grt_evaluation *evaluations;
};

/* Who says a number. */
enum grt_published_from {
    GRT_FROM_PAPER,        /* it is printed, or follows from what is printed */
    GRT_FROM_RECALCULATION /* no paper prints it: it was calculated apart from gpurt */
};

/* As experiments have them: "paper", "recalculation". Ends with NULL. */
extern const char *const *const grt_published_from_names;

/* A number of a paper, or one that was calculated apart from gpurt. Which points and evaluations it is of is said by the values of some of the axes. */
struct grt_published {
    const size_t *axes, *values; /* so many pairs: */
    size_t axis_count;
    size_t evaluation;
    const char *measure; /* "ratio", or one of the evaluation's */
    double value;
    double digits;      /* half of its last digit: how far a value may be off by rounding alone */
    int64_t samples;    /* of how many sets it is; 0: not known */
    int64_t from;       /* enum grt_published_from */
    const char *source; /* "section VI.C, text", "calculation of sets of its own" */
    const char *note;   /* why it does not come out, or "" */
};

/* What a paper says that is no number: at some points, the evaluations are in this order by a measure. */
struct grt_claimed {
    const char *text; /* the paper's claim, in short, own words */
    const char *source, *note;
    const size_t *axes, *values;
    size_t axis_count;
    const char *measure;
    const size_t *order; /* evaluations, the largest first */
    size_t order_count;
    double about; /* above 0: no order, but all within this part of the largest of them */
    /* by how much the first has to be above the next, at least; below 0: how much it may be below */
    double margin;
    bool everywhere; /* at all the points; else at one of them at least */
};

/* How a figure of it is drawn, unless the command line says otherwise. */
struct grt_plot_wish {
    const char *title;   /* NULL: none */
    size_t x;            /* axis; SIZE_MAX: there are no axes */
    const char *measure; /* y: "ratio" or another */
    const char *x_label, *y_label;
    bool x_log, y_log;
    size_t panel;        /* axis whose values are panels; SIZE_MAX: none, or groups of evaluations */
    bool no_panel;       /* the file says so: what else varies is rather a style */
    size_t style;        /* axis whose values are line styles; SIZE_MAX: none */
    double y_from, y_to; /* equal: by the data */
};

/* A file that the experiment depends on, itself first. */
struct grt_input {
    const char *name; /* as seen from the experiment's folder; may hold any bytes */
    uint64_t hash;    /* of its bytes */
    const char *path; /* as it can be opened */
};

/* A maker of sets, and whose it is. */
struct grt_set_maker {
    const struct grt_generator_ops *generator;
    void *maker;
};

struct grt_experiment {
    struct grt_arena arena;
    const char *name, *title, *description, *source;
    uint64_t seed;
    int64_t samples; /* of a point */
    const struct grt_axis *axes;
    size_t axis_count;
    const struct grt_point *points;
    size_t point_count;
    size_t evaluation_count; /* of every point, the same ones */
    const struct grt_published *published;
    size_t published_count;
    const struct grt_claimed *claims;
    size_t claim_count;
    struct grt_plot_wish plot;
    const struct grt_input *inputs;
    size_t input_count;
    const struct grt_set_maker *makers; /* all that points have, each once: to be destroyed */
    size_t maker_count;
    /* of everything that results depend on: the tree after changes, the inputs, gpurt's build */
    uint64_t identity;
};

/* Changes to make before the checks: what the command line says. */
struct grt_experiment_changes {
    int64_t samples;         /* 0: as in the file */
    bool quick_training;     /* networks are trained with few samples where the file says "full" */
    const char *seed;        /* as on the command line; NULL: as in the file */
    const char *const *sets; /* "path=value" */
    size_t set_count;
    const struct grt_change_names *names; /* for errors; NULL: as C calls them */
};

/* Reads a file ("-": standard input). On failure returns false with every error added and an empty *out. */
bool grt_experiment_read(const char *path, const struct grt_experiment_changes *changes,
                         struct grt_experiment *out, struct grt_errors *errors);

/* The same from a text; `name` stands in `inputs`, `folder` is where relative files are sought. */
bool grt_experiment_parse(const char *text, size_t size, const char *name, const char *folder,
                          const struct grt_experiment_changes *changes, struct grt_experiment *out,
                          struct grt_errors *errors);

void grt_experiment_free(struct grt_experiment *experiment);

/* The number of the point with these values, one for each axis. */
size_t grt_experiment_point(const struct grt_experiment *experiment, const size_t *values);

/* Writes the JSON Schema (draft 2020-12) of experiments, and the reference in Markdown. */
void grt_experiment_write_schema(FILE *out);
void grt_experiment_write_reference(FILE *out);

#endif
