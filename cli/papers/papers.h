/* What the parts of `gpurt papers` share: its command line, and what one experiment came to. */
#ifndef GRT_CLI_PAPERS_PAPERS_H
#define GRT_CLI_PAPERS_PAPERS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/papers/library.h"
#include "cli/terminal/options.h"
#include "study/results/compare.h"

struct grt_papers_command {
    const char *const *names; /* of experiments or papers; none: all */
    uint32_t name_count, name_capacity;
    const char **name_list; /* the same, owned */
    bool list, all;
    int64_t samples;     /* of a point; 0: as in the files */
    bool quick_training; /* of networks, also where no samples are left out */
    size_t threads;
    const char *json, *markdown, *pictures, *library; /* paths, or NULL */
    char *call;                                       /* the command line, as a shell takes it; owned */
    struct grt_style style;
    uint64_t given; /* the options that may be given once, as bits */
};

/* Reads the command line; ends the program where it is wrong. Free with grt_papers_options_free. */
void grt_papers_options_read(struct grt_papers_command *command, int argc, char **argv);
void grt_papers_options_free(struct grt_papers_command *command);

/* An experiment that was run. */
struct grt_paper_found {
    const struct grt_library_item *item;
    const struct grt_experiment *experiment;
    const struct grt_results *results;
    int64_t full_samples;                 /* of a point, as the file says */
    bool quickly_trained;                 /* its networks, though the file says "full" */
    const struct grt_compared *values;    /* experiment->published_count */
    const struct grt_claim_found *claims; /* experiment->claim_count */
    const char *picture;                  /* the file's name in the folder of pictures, or NULL */
    double seconds;
};

/* All experiments of a call. */
struct grt_papers_sum {
    const struct grt_papers_command *command;
    size_t run, failed;
    size_t reduced; /* of those that were run: with fewer sets than they have */
    size_t quickly; /* with networks that were trained quickly, though they say "full" */
};

/* Adds one that was run. */
void grt_papers_count(struct grt_papers_sum *sum, const struct grt_paper_found *found);

/* Draws its figure as SVG into a file. False after adding an error. */
bool grt_papers_draw(const char *path, const struct grt_paper_found *found, struct grt_errors *errors);

/* How many of its published values have this origin. */
size_t grt_papers_values(const struct grt_experiment *experiment, enum grt_published_from from);

/* How many of its values agree, and of its claims hold. */
struct grt_agreed grt_papers_agreed(const struct grt_paper_found *found);
size_t grt_papers_holding(const struct grt_paper_found *found);

/* "cores = 4, utilisation = 0.6", with the labels of axes for people; "all points" of none. Belongs to the arena. */
const char *grt_papers_place(const struct grt_experiment *experiment, const size_t *axes,
                             const size_t *values, size_t axis_count, struct grt_arena *arena);

/* The same of one point, all its axes. */
const char *grt_papers_point(const struct grt_experiment *experiment, size_t point, struct grt_arena *arena);

/* A value with as many digits as say something: four behind the point of ratios, five of all of others. */
const char *grt_papers_number(const char *measure, double value, struct grt_arena *arena);

/* "holds", "holds at 3 of 5 points", or by how much it does not, and where. */
const char *grt_papers_claim(const struct grt_experiment *experiment, const struct grt_claim_found *found,
                             struct grt_arena *arena);

/* Tables for people. */
void grt_papers_print(const struct grt_paper_found *found, const struct grt_style *style, FILE *out);

/* The page docs/papers.md: its head with the summary of all, and the section of one. */
void grt_papers_markdown_section(const struct grt_paper_found *found, const char *pictures, FILE *out);
void grt_papers_markdown_row(const struct grt_paper_found *found, FILE *out);
void grt_papers_markdown_head(const struct grt_papers_sum *sum, FILE *out);

/* For programs. */
cJSON *grt_papers_json(const struct grt_paper_found *found);

#endif
