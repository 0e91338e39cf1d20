#include "study/plot/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/build_id.h"
#include "study/results/result_text.h"

/* What comment number `from` or a later one, "key: value", says; NULL: none does. */
static const char *find_comment(const struct grt_result_table *table, const char *key, size_t *from) {
    size_t length = strlen(key);
    for (size_t i = *from; i < table->comment_count; i++) {
        const char *comment = table->comments[i];
        if (strncmp(comment, key, length) == 0 && strncmp(comment + length, ": ", 2) == 0) {
            *from = i + 1;
            return comment + length + 2;
        }
    }
    return NULL;
}

static const char *comment_of(const struct grt_result_table *table, const char *key) {
    size_t from = 0;
    return find_comment(table, key, &from);
}

static bool is_hash(const char *text, uint64_t hash) {
    char own[17];
    snprintf(own, sizeof own, "%016" PRIx64, hash);
    return strncmp(text, own, sizeof own - 1) == 0;
}

/* The bytes of the files that the experiment depends on. */
static bool same_inputs(const struct grt_result_table *table, const struct grt_experiment *experiment) {
    size_t from = 0;
    for (size_t i = 0; i < experiment->input_count; i++) {
        const char *text = find_comment(table, "input", &from);
        if (text == NULL || !is_hash(text, experiment->inputs[i].hash)) {
            return false;
        }
    }
    return find_comment(table, "input", &from) == NULL;
}

/* The identity that the experiment has with the table's seed and samples, which are usually said at the command line. */
static bool same_identity(const struct grt_result_table *table, const struct grt_experiment *experiment,
                          const char *path) {
    const char *identity = comment_of(table, "identity"), *seed = comment_of(table, "seed"),
               *samples = comment_of(table, "samples");
    if (identity == NULL || is_hash(identity, experiment->identity)) {
        return true;
    }
    char own_seed[32];
    snprintf(own_seed, sizeof own_seed, "%" PRIu64, experiment->seed);
    int64_t count = samples != NULL ? strtoll(samples, NULL, 10) : 0;
    const struct grt_experiment_changes changes = {
        .samples = count > 0 && count != experiment->samples ? count : 0,
        .seed = seed != NULL && strcmp(seed, own_seed) != 0 ? seed : NULL};
    struct grt_experiment same;
    struct grt_errors errors = {0};
    bool is = grt_experiment_read(path, &changes, &same, &errors) && is_hash(identity, same.identity);
    grt_experiment_free(&same);
    grt_errors_clear(&errors);
    return is;
}

static bool is_changed(const struct grt_result_table *table, const struct grt_experiment *experiment,
                       const char *path) {
    const char *build = comment_of(table, "build");
    bool readable = strcmp(path, "-") != 0; /* once more */
    if (build != NULL && strcmp(build, grt_build_id) == 0 && readable) {
        return !same_identity(table, experiment, path);
    }
    return comment_of(table, "input") != NULL && !same_inputs(table, experiment);
}

bool grt_plot_origin_check(const struct grt_result_table *table, const struct grt_experiment *experiment,
                           const char *path, bool *changed, struct grt_errors *errors) {
    const char *name = comment_of(table, "experiment");
    char *own = grt_result_text(experiment->name, "\t");
    bool same = name == NULL || strcmp(name, own) == 0;
    if (!same) {
        grt_error_add(errors, NULL, "--experiment: these are results of experiment \"%s\", not of \"%s\"",
                      name, own);
    }
    *changed = same && name != NULL && is_changed(table, experiment, path);
    free(own);
    return same;
}
