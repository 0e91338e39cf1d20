#include "scenarios/experiment/said.h"

#include <string.h>

#include "scenarios/experiment/axes.h"
#include "scenarios/spelling.h"

/* ---- names ---- */

static size_t find_axis(struct grt_reader *reader, const struct grt_experiment *experiment, const char *name,
                        const struct grt_path *path) {
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < experiment->axis_count; i++) {
        if (strcmp(experiment->axes[i].name, name) == 0) {
            return i;
        }
        grt_guess_try(&guess, experiment->axes[i].name);
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path, "unknown axis %s%s", grt_text_show(name, shown),
                  grt_guess_text(&guess, hint));
    return SIZE_MAX;
}

static size_t find_evaluation(struct grt_reader *reader, const struct grt_experiment *experiment,
                              const char *name, const struct grt_path *path) {
    const struct grt_evaluation *evaluations = experiment->points[0].evaluations;
    struct grt_guess guess = grt_guess_start(name);
    for (size_t i = 0; i < experiment->evaluation_count; i++) {
        if (strcmp(evaluations[i].name, name) == 0) {
            return i;
        }
        grt_guess_try(&guess, evaluations[i].name);
    }
    char shown[GRT_JSON_SHOWN_SIZE], hint[GRT_GUESS_TEXT_SIZE];
    grt_error_add(reader->errors, path, "unknown evaluation %s%s", grt_text_show(name, shown),
                  grt_guess_text(&guess, hint));
    return SIZE_MAX;
}

static size_t find_value(struct grt_reader *reader, const struct grt_axis *axis, const cJSON *value,
                         const struct grt_path *path) {
    const char *text = grt_axis_text(value, reader->arena);
    struct grt_guess guess = grt_guess_start(text != NULL ? text : "");
    char hint[GRT_GUESS_TEXT_SIZE];
    for (size_t i = 0; text != NULL && i < axis->count; i++) {
        if (strcmp(axis->values[i], text) == 0) {
            return i;
        }
        grt_guess_try(&guess, axis->values[i]);
    }
    grt_read_error(reader, path, value, "must be a value of the axis%s", grt_guess_text(&guess, hint));
    return SIZE_MAX;
}

/* ---- "at" ---- */

struct place {
    size_t *axes, *values, count;
};

static void read_at(struct grt_reader *reader, const struct grt_experiment *experiment, const cJSON *at,
                    const struct grt_path *parent, struct place *place) {
    const struct grt_path path = {.parent = parent, .key = "at"};
    *place = (struct place){grt_arena_array(reader->arena, GRT_MOST_AXES, sizeof *place->axes),
                            grt_arena_array(reader->arena, GRT_MOST_AXES, sizeof *place->values), 0};
    if (at != NULL && !cJSON_IsObject(at)) {
        grt_read_error(reader, &path, at, "must be an object such as {\"utilisation\": 0.5}");
        return;
    }
    for (const cJSON *item = at != NULL ? at->child : NULL; item != NULL; item = item->next) {
        char key[GRT_JSON_SHOWN_SIZE];
        const struct grt_path here = {.parent = &path, .key = grt_key_show(item->string, key)};
        size_t axis = find_axis(reader, experiment, item->string, &here);
        size_t value = axis != SIZE_MAX ? find_value(reader, &experiment->axes[axis], item, &here) : SIZE_MAX;
        if (value != SIZE_MAX && place->count < GRT_MOST_AXES) { /* keys are not repeated */
            place->axes[place->count] = axis;
            place->values[place->count++] = value;
        }
    }
}

/* ---- published ---- */

static void read_published(struct grt_reader *reader, const struct grt_published_fields *fields,
                           const struct grt_experiment *experiment, const struct grt_path *path,
                           struct grt_published *published) {
    const struct grt_path evaluation = {.parent = path, .key = "evaluation"};
    struct place place;
    read_at(reader, experiment, fields->at, path, &place);
    *published = (struct grt_published){
        .axes = place.axes,
        .values = place.values,
        .axis_count = place.count,
        .evaluation = find_evaluation(reader, experiment, fields->evaluation, &evaluation),
        .measure = fields->measure,
        .value = fields->value,
        .digits = fields->digits,
        .samples = fields->samples,
        .from = fields->from,
        .source = fields->source,
        .note = fields->note};
}

static void read_claim(struct grt_reader *reader, const struct grt_claim_fields *fields,
                       const struct grt_experiment *experiment, const struct grt_path *path,
                       struct grt_claimed *claim) {
    const struct grt_path list = {.parent = path, .key = "order"};
    const char *const *names = fields->order.items;
    size_t *order = grt_arena_array(reader->arena, fields->order.count, sizeof *order);
    struct place place;
    read_at(reader, experiment, fields->at, path, &place);
    for (size_t i = 0; i < fields->order.count; i++) {
        const struct grt_path item = {.parent = &list, .index = i};
        order[i] = find_evaluation(reader, experiment, names[i], &item);
    }
    *claim = (struct grt_claimed){.text = fields->text,
                                  .source = fields->source,
                                  .note = fields->note,
                                  .axes = place.axes,
                                  .values = place.values,
                                  .axis_count = place.count,
                                  .measure = fields->measure,
                                  .order = order,
                                  .order_count = fields->order.count,
                                  .margin = fields->margin,
                                  .about = fields->about,
                                  .everywhere = fields->everywhere};
}

/* ---- the figure ---- */

/* An axis or null; *given: it is there. */
static size_t axis_or_none(struct grt_reader *reader, const struct grt_experiment *experiment,
                           const cJSON *value, const struct grt_path *path) {
    if (value == NULL || cJSON_IsNull(value)) {
        return SIZE_MAX;
    }
    if (!cJSON_IsString(value)) {
        grt_read_error(reader, path, value, "must be the name of an axis, or null");
        return SIZE_MAX;
    }
    return find_axis(reader, experiment, value->valuestring, path);
}

static void check_different(struct grt_reader *reader, const struct grt_plot_wish *plot,
                            const struct grt_path *path) {
    const struct grt_path panel = {.parent = path, .key = "panel"}, style = {.parent = path, .key = "style"};
    if (plot->panel != SIZE_MAX && plot->panel == plot->x) {
        grt_error_add(reader->errors, &panel, "must be another axis than x");
    }
    if (plot->style != SIZE_MAX && (plot->style == plot->x || plot->style == plot->panel)) {
        grt_error_add(reader->errors, &style, "must be another axis than x and panel");
    }
}

/* The first axis that is neither of two. */
static size_t other_axis(const struct grt_experiment *experiment, size_t x, size_t style) {
    for (size_t i = 0; i < experiment->axis_count; i++) {
        if (i != x && i != style) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Several, which are panels. */
static bool has_groups(const struct grt_experiment *experiment) {
    const struct grt_evaluation *evaluations = experiment->points[0].evaluations;
    for (size_t i = 1; i < experiment->evaluation_count; i++) {
        if (strcmp(evaluations[i].group, evaluations[0].group) != 0) {
            return true;
        }
    }
    return false;
}

static void read_plot(struct grt_reader *reader, const struct grt_plot_fields *fields,
                      const struct grt_experiment *experiment, struct grt_plot_wish *plot) {
    static const struct grt_path root = {0};
    const struct grt_path path = {.parent = &root, .key = "plot"}, x = {.parent = &path, .key = "x"},
                          panel = {.parent = &path, .key = "panel"},
                          style = {.parent = &path, .key = "style"};
    bool ratio = strcmp(fields->measure, "ratio") == 0;
    size_t first = experiment->axis_count > 0 ? 0 : SIZE_MAX;
    *plot = (struct grt_plot_wish){.title = fields->title,
                                   .no_panel = cJSON_IsNull(fields->panel),
                                   .measure = fields->measure,
                                   .x_log = fields->x_log,
                                   .y_log = fields->y_log,
                                   .y_from = fields->y[0],
                                   .y_to = fields->y[1]};
    plot->x = fields->x != NULL ? find_axis(reader, experiment, fields->x, &x) : first;
    plot->style = axis_or_none(reader, experiment, fields->style, &style);
    if (fields->panel != NULL) {
        plot->panel = axis_or_none(reader, experiment, fields->panel, &panel);
    } else {
        plot->panel = has_groups(experiment) ? SIZE_MAX : other_axis(experiment, plot->x, plot->style);
    }
    if (!(plot->y_from < plot->y_to) && ratio && !plot->y_log) {
        plot->y_from = 0;
        plot->y_to = 1;
    }
    const char *label = plot->x != SIZE_MAX ? experiment->axes[plot->x].label : "";
    plot->x_label = fields->x_label != NULL ? fields->x_label : label;
    plot->y_label = fields->y_label != NULL ? fields->y_label
                    : ratio                 ? "Ratio of task sets"
                                            : fields->measure;
    check_different(reader, plot, &path);
}

void grt_said_read(struct grt_reader *reader, const struct grt_experiment_fields *fields,
                   struct grt_experiment *experiment) {
    static const struct grt_path root = {0};
    struct grt_path list = {.parent = &root, .key = "published"}, place = {.parent = &list};
    size_t published_count = fields->published.count, claim_count = fields->claims.count;
    struct grt_published *published = grt_arena_array(reader->arena, published_count, sizeof *published);
    struct grt_claimed *claims = grt_arena_array(reader->arena, claim_count, sizeof *claims);
    const struct grt_published_fields *numbers = fields->published.items;
    const struct grt_claim_fields *orders = fields->claims.items;
    for (place.index = 0; place.index < published_count; place.index++) {
        read_published(reader, &numbers[place.index], experiment, &place, &published[place.index]);
    }
    list.key = "claims";
    for (place.index = 0; place.index < claim_count; place.index++) {
        read_claim(reader, &orders[place.index], experiment, &place, &claims[place.index]);
    }
    experiment->published = published;
    experiment->published_count = published_count;
    experiment->claims = claims;
    experiment->claim_count = claim_count;
    read_plot(reader, &fields->plot, experiment, &experiment->plot);
}
