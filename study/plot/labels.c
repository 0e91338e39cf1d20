#include <stdio.h>
#include <string.h>

#include "study/plot/making.h"
#include "study/plot/text.h"

static const struct grt_axis *axis_of(const struct grt_experiment *experiment,
                                      const struct grt_column *column) {
    for (size_t i = 0; experiment != NULL && i < experiment->axis_count; i++) {
        if (strcmp(experiment->axes[i].name, column->name) == 0) {
            return &experiment->axes[i];
        }
    }
    return NULL;
}

static const char *label_of_column(const struct grt_plot_making *making, const struct grt_column *column) {
    const struct grt_axis *axis = axis_of(making->experiment, column);
    return axis != NULL ? axis->label : column->name;
}

bool grt_plot_is_evaluation(const struct grt_column *column) {
    return column != NULL && (column->name[0] == '\0' || strcmp(column->name, "evaluation") == 0);
}

static bool is_drawn(const struct grt_plot_columns *columns, const struct grt_column *column,
                     const char *text) {
    for (size_t i = 0; i < columns->row_count; i++) {
        if (strcmp(column->texts[columns->rows[i]], text) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether another drawn evaluation, of another group, has the same label. */
static bool needs_group(const struct grt_plot_making *making, const struct grt_column *column,
                        const struct grt_evaluation *evaluation) {
    const struct grt_experiment *experiment = making->experiment;
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        const struct grt_evaluation *other = &experiment->points[0].evaluations[i];
        if (other != evaluation && strcmp(other->label, evaluation->label) == 0 &&
            is_drawn(&making->columns, column, other->name)) {
            return true;
        }
    }
    return false;
}

const char *grt_plot_value_label(const struct grt_plot_making *making, const struct grt_column *column,
                                 const char *text) {
    const struct grt_evaluation *evaluation =
        strcmp(column->name, "evaluation") == 0 ? grt_plot_evaluation_named(making->experiment, text) : NULL;
    if (evaluation == NULL) {
        return text;
    }
    if (!needs_group(making, column, evaluation)) {
        return evaluation->label;
    }
    size_t size = strlen(evaluation->group) + strlen(evaluation->label) + 3;
    char *label = grt_arena_array(&making->figure->arena, size, 1);
    snprintf(label, size, "%s, %s", evaluation->group, evaluation->label);
    return label;
}

const char *grt_plot_named_value(const struct grt_plot_making *making, const struct grt_column *column,
                                 const char *text) {
    const char *value = grt_plot_value_label(making, column, text);
    if (grt_plot_is_evaluation(column)) {
        return grt_plot_clean(&making->figure->arena, value);
    }
    const char *name = label_of_column(making, column);
    size_t size = strlen(name) + strlen(value) + 3;
    char *label = grt_arena_array(&making->figure->arena, size, 1);
    snprintf(label, size, "%s: %s", name, value);
    return grt_plot_clean(&making->figure->arena, label);
}

static const char *with_unit(struct grt_arena *arena, const char *label, const struct grt_plot_scale *scale) {
    size_t size = strlen(label) + strlen(scale->unit_name) + 4;
    char *text = grt_arena_array(arena, size, 1);
    bool has = scale->unit_name[0] == '\0' || (strlen(label) > 0 && label[strlen(label) - 1] == ')');
    snprintf(text, size, has ? "%s" : "%s (%s)", label, scale->unit_name);
    return grt_plot_clean(arena, text);
}

/* What begins the words for a measure whose name ends so. */
static const struct {
    const char *ending, *word;
} endings[] = {{"_max", "Largest"},         {"_min", "Least"},
               {"_mean", "Mean"},           {"_deviation", "Deviation of"},
               {"_p50", "Median"},          {"_p95", "95th percentile:"},
               {"_p99", "99th percentile:"}};

/* A name in words: "gpu_wait" as "GPU wait"; it gets no longer. */
static void put_words(char *out, const char *name, size_t length) {
    for (size_t i = 0; i < length;) {
        size_t word = 0;
        while (i + word < length && name[i + word] != '_') {
            word++;
        }
        bool is_gpu = word == 3 && memcmp(name + i, "gpu", 3) == 0;
        memcpy(out + i, is_gpu ? "GPU" : name + i, word);
        i += word;
        if (i < length) {
            out[i++] = ' ';
        }
    }
    out[length] = '\0';
}

static bool ends_with(const char *text, size_t length, const char *ending) {
    size_t part = strlen(ending);
    return length > part && memcmp(text + length - part, ending, part) == 0;
}

/* "gpu_wait_max:isp" as "Largest GPU wait of isp", "error_of:isp" as "Error of isp"; a plain word as it is. */
static const char *words_of(struct grt_arena *arena, const char *measure) {
    size_t length = strcspn(measure, ":"), ending = 0, size = strlen(measure) + 32;
    const char *task = measure[length] == ':' ? measure + length + 1 : "", *word = "";
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ends_with(measure, length, endings[i].ending)) {
            word = endings[i].word, ending = strlen(endings[i].ending);
        }
    }
    if (strpbrk(measure, "_:") == NULL) {
        return measure;
    }
    char *text = grt_arena_array(arena, size, 1);
    int front = snprintf(text, size, "%s%s", word, word[0] != '\0' ? " " : "");
    put_words(text + front, measure, length - ending);
    size_t used = (size_t)front + length - ending;
    const char *of = task[0] == '\0' ? "" : ends_with(measure, length, "_of") ? " " : " of ";
    snprintf(text + used, size - used, "%s%s", of, task);
    text[0] = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];
    return text;
}

/* The label that is asked for, or NULL. */
static const char *wanted_label(const char *option, const char *wish) {
    return option != NULL ? option : wish != NULL && wish[0] != '\0' ? wish : NULL;
}

const char *grt_plot_wished_x_label(const struct grt_plot_making *making) {
    const struct grt_experiment *experiment = making->experiment;
    bool same = experiment != NULL && experiment->plot.x < experiment->axis_count &&
                strcmp(experiment->axes[experiment->plot.x].name, making->columns.x->name) == 0;
    return wanted_label(making->options->x_label, same ? experiment->plot.x_label : NULL);
}

const char *grt_plot_wished_y_label(const struct grt_plot_making *making) {
    const struct grt_plot_wish *wish = making->experiment != NULL ? &making->experiment->plot : NULL;
    bool same = wish != NULL && wish->measure != NULL && strcmp(wish->measure, making->columns.y->name) == 0;
    return wanted_label(making->options->y_label, same ? wish->y_label : NULL);
}

/* Figures of papers have their titles below: only one that is asked for is drawn. */
static const char *title_of(const struct grt_plot_making *making) {
    const char *wish = making->experiment != NULL ? making->experiment->plot.title : NULL;
    return making->options->title != NULL ? making->options->title : wish != NULL ? wish : "";
}

void grt_plot_set_texts(struct grt_plot_making *making) {
    struct grt_figure *figure = making->figure;
    const struct grt_plot_columns *columns = &making->columns;
    const char *x = grt_plot_wished_x_label(making), *y = grt_plot_wished_y_label(making);
    if (x == NULL) {
        x = grt_plot_is_evaluation(columns->x) ? "" : label_of_column(making, columns->x);
    }
    if (y == NULL) {
        y = columns->is_proportion ? "Ratio of task sets" : words_of(&figure->arena, columns->y->name);
    }
    figure->x_label = with_unit(&figure->arena, x, &making->x);
    figure->y_label = with_unit(&figure->arena, y, &making->y);
    figure->title = grt_plot_clean(&figure->arena, title_of(making));
}
