/* What the table, the page and the JSON of `gpurt papers` say in the same words. */
#include <math.h>
#include <string.h>

#include "cli/papers/papers.h"
#include "cli/terminal/text_table.h"

struct grt_agreed grt_papers_agreed(const struct grt_paper_found *found) {
    struct grt_agreed agreed = {0};
    for (size_t i = 0; i < found->experiment->published_count; i++) {
        grt_agreed_count(&agreed, &found->values[i]);
    }
    return agreed;
}

size_t grt_papers_values(const struct grt_experiment *experiment, enum grt_published_from from) {
    size_t count = 0;
    for (size_t i = 0; i < experiment->published_count; i++) {
        count += experiment->published[i].from == (int64_t)from;
    }
    return count;
}

size_t grt_papers_holding(const struct grt_paper_found *found) {
    size_t count = 0;
    for (size_t i = 0; i < found->experiment->claim_count; i++) {
        count += found->claims[i].holds;
    }
    return count;
}

void grt_papers_count(struct grt_papers_sum *sum, const struct grt_paper_found *found) {
    sum->run++;
    sum->reduced += found->experiment->samples != found->full_samples;
    sum->quickly += found->quickly_trained;
}

const char *grt_papers_place(const struct grt_experiment *experiment, const size_t *axes,
                             const size_t *values, size_t axis_count, struct grt_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < axis_count; i++) {
        const struct grt_axis *axis = &experiment->axes[axes[i]];
        text = grt_format(arena, "%s%s%s = %s", text, i > 0 ? ", " : "", axis->name, axis->values[values[i]]);
    }
    return axis_count > 0 ? text : "all points";
}

const char *grt_papers_point(const struct grt_experiment *experiment, size_t point, struct grt_arena *arena) {
    size_t axes[GRT_MOST_AXES];
    for (size_t i = 0; i < experiment->axis_count; i++) {
        axes[i] = i;
    }
    return grt_papers_place(experiment, axes, experiment->points[point].values, experiment->axis_count,
                            arena);
}

const char *grt_papers_number(const char *measure, double value, struct grt_arena *arena) {
    if (isnan(value)) {
        return "-";
    }
    bool ratio = strcmp(measure, "ratio") == 0;
    return ratio ? grt_format(arena, "%.4f", value + 0.0) : grt_format(arena, "%.5g", value + 0.0);
}

/* ", 2 without values": of points where a claim cannot be told. */
static const char *without_values(const struct grt_claim_found *found, struct grt_arena *arena) {
    return found->without_values > 0 ? grt_format(arena, ", %zu without values", found->without_values) : "";
}

const char *grt_papers_claim(const struct grt_experiment *experiment, const struct grt_claim_found *found,
                             struct grt_arena *arena) {
    if (found->point == SIZE_MAX) {
        return "cannot be told: no point has all of its values";
    }
    const char *held = grt_format(arena, "holds at %zu of %zu points%s", found->held, found->points,
                                  without_values(found, arena));
    if (found->holds) {
        return found->claim->everywhere || found->points == 1 ? "holds" : held;
    }
    if (found->held + found->without_values == found->points) { /* it fails nowhere */
        return grt_format(arena, "does not hold everywhere: %s", held);
    }
    const char *where = found->points > 1
                            ? grt_format(arena, " at %s", grt_papers_point(experiment, found->point, arena))
                            : "";
    const char *many =
        found->claim->everywhere && found->points > 1 ? grt_format(arena, ", and %s", held) : "";
    return grt_format(arena, "does not hold: off by %s%s%s",
                      grt_papers_number(found->claim->measure, -found->by, arena), where, many);
}
