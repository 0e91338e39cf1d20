#include "study/results/result_names.h"

#include <stdio.h>
#include <string.h>

#include "study/evaluate/sample.h"

static const char *const fixed[] = {"evaluation", "sets", "ratio", "low", "high"};
enum { FIXED = sizeof fixed / sizeof fixed[0], COLUMNS_OF_MEASURE = 4 };

/* Names that are taken. */
struct taken {
    struct grt_arena *arena;
    const char **names;
    size_t count;
};

static bool has(const struct taken *taken, const char *name) {
    for (size_t i = 0; i < taken->count; i++) {
        if (strcmp(taken->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes `prefix` and `name` together, or with a number behind them where that is taken. */
static const char *take(struct taken *taken, const char *prefix, const char *name) {
    enum { NUMBER_CELLS = 24 };
    size_t size = strlen(prefix) + strlen(name) + NUMBER_CELLS;
    char *text = grt_arena_array(taken->arena, size, 1);
    snprintf(text, size, "%s%s", prefix, name);
    for (size_t number = 2; has(taken, text); number++) {
        snprintf(text, size, "%s%s_%zu", prefix, name, number);
    }
    taken->names[taken->count++] = text;
    return text;
}

/* The measures of all evaluations, each once; all points have the same ones. */
static void list_measures(const struct grt_experiment *experiment, struct grt_result_names *names) {
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        size_t count;
        const char *const *measures = grt_evaluation_measures(&experiment->points[0].evaluations[i], &count);
        for (size_t j = 0; j < count; j++) {
            size_t place = 0;
            while (place < names->measure_count && strcmp(names->measures[place].measure, measures[j]) != 0) {
                place++;
            }
            names->measures[place].measure = measures[j];
            names->measure_count += place == names->measure_count;
        }
    }
}

static size_t most_measures(const struct grt_experiment *experiment) {
    size_t most = 0, count;
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        grt_evaluation_measures(&experiment->points[0].evaluations[i], &count);
        most += count;
    }
    return most;
}

struct grt_result_names grt_result_names(const struct grt_experiment *experiment, struct grt_arena *arena) {
    struct grt_result_names names = {0};
    size_t most = experiment->point_count > 0 ? most_measures(experiment) : 0;
    names.measures = grt_arena_array(arena, most + 1, sizeof *names.measures);
    names.axes = grt_arena_array(arena, experiment->axis_count + 1, sizeof *names.axes);
    if (experiment->point_count > 0) {
        list_measures(experiment, &names);
    }
    size_t room = FIXED + GRT_OUTCOMES + experiment->axis_count + COLUMNS_OF_MEASURE * names.measure_count;
    struct taken taken = {.arena = arena, .names = grt_arena_array(arena, room, sizeof *taken.names)};
    for (size_t i = 0; i < FIXED; i++) {
        taken.names[taken.count++] = fixed[i];
    }
    for (size_t i = 0; i < GRT_OUTCOMES; i++) {
        taken.names[taken.count++] = grt_outcome_names[i];
    }
    for (size_t i = 0; i < names.measure_count; i++) {
        names.measures[i].mean = take(&taken, "", names.measures[i].measure);
    }
    for (size_t i = 0; i < names.measure_count; i++) {
        struct grt_measure_names *measure = &names.measures[i];
        measure->sets = take(&taken, GRT_COLUMN_SETS, measure->mean);
        measure->low = take(&taken, GRT_COLUMN_LOW, measure->mean);
        measure->high = take(&taken, GRT_COLUMN_HIGH, measure->mean);
    }
    for (size_t i = 0; i < experiment->axis_count; i++) {
        names.axes[i] = take(&taken, "", experiment->axes[i].name);
    }
    return names;
}
