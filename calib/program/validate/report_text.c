#include <inttypes.h>
#include <math.h>

#include "calib/program/validate/report.h"
#include "cli/terminal/table_columns.h"

/* ---- columns ---- */

typedef const struct grt_error_spread *(*spread_of)(const void *rows, size_t row);
typedef grt_time (*number_of)(const struct grt_error_spread *spread);

static grt_time least(const struct grt_error_spread *spread) {
    return spread->least;
}

static grt_time median(const struct grt_error_spread *spread) {
    return spread->median;
}

static grt_time most(const struct grt_error_spread *spread) {
    return spread->most;
}

static grt_time p95(const struct grt_error_spread *spread) {
    return spread->p95_absolute;
}

/* Four columns of a spread, in one unit, which begin a part of a table that is too wide. */
static void add_spread(struct grt_columns *columns, const char *group, const void *rows, spread_of spread) {
    static const struct {
        const char *name;
        number_of number;
    } parts[] = {{"min", least}, {"median", median}, {"max", most}, {"95% of |.|", p95}};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    size_t first = columns->count, count = columns->rows;
    grt_time *times = grt_arena_array(&columns->arena, PARTS * count, sizeof *times);
    for (size_t i = 0; i < PARTS * count; i++) {
        const struct grt_error_spread *one = spread(rows, i % count);
        times[i] = one->count > 0 ? parts[i / count].number(one) : GRT_TIME_NEVER;
    }
    struct grt_time_scale scale = grt_column_scale((struct grt_column_times){times, PARTS * count});
    for (size_t i = 0; i < PARTS; i++) {
        grt_columns_add_scaled(columns, group, parts[i].name,
                               (struct grt_column_times){times + i * count, count}, &scale);
    }
    columns->items[first].heading.starts_part = true;
}

static const char **add_words(struct grt_columns *columns, const char *group, const char *name,
                              enum grt_text_side side) {
    return grt_columns_add(columns, (struct grt_table_column){group, name, side, false});
}

/* ---- kinds ---- */

/* Those of which there is anything. */
struct shown_kinds {
    const struct grt_validated_kind *items[GRT_PAIRED_KINDS];
    size_t count;
};

static const struct grt_error_spread *kind_start(const void *rows, size_t row) {
    return &((const struct shown_kinds *)rows)->items[row]->start;
}

static const struct grt_error_spread *kind_end(const void *rows, size_t row) {
    return &((const struct shown_kinds *)rows)->items[row]->end;
}

static const struct grt_error_spread *kind_duration(const void *rows, size_t row) {
    return &((const struct shown_kinds *)rows)->items[row]->duration;
}

/* Who made the trace. */
static void print_origin(const struct grt_validated_trace *trace, FILE *out) {
    const char *const *values = trace->origin.values;
    struct grt_arena arena = {0};
    if (values[GRT_ORIGIN_MADE_BY] == NULL) {
        fprintf(out,
                "Warning: it is not known who made this trace, since it does not say so; those of gpurt run "
                "do not, which are simulations.\n");
        return;
    }
    fprintf(out, "Made by %s on %s.\n", values[GRT_ORIGIN_MADE_BY],
            values[GRT_ORIGIN_DATE] != NULL ? values[GRT_ORIGIN_DATE] : "?");
    for (int key = GRT_ORIGIN_BACKEND; key < GRT_ORIGIN_REAL; key++) {
        fprintf(out, "  %-8s  %s\n", grt_origin_keys[key], values[key] != NULL ? values[key] : "?");
    }
    const char *mismatch = grt_validation_mismatch(trace, &arena);
    if (mismatch != NULL) {
        fprintf(out, "Warning: %s.\n", mismatch);
    }
    grt_arena_clear(&arena);
}

/* What was compared, and what is known besides. */
static void print_part(const struct grt_validation *validation, FILE *out) {
    const struct grt_pairing *pairing = validation->pairing;
    struct grt_arena arena = {0};
    char text[GRT_TIME_TEXT_SIZE];
    const char *part = grt_validation_part(validation, &arena);
    if (part != NULL) {
        fprintf(out, "Warning: %s.\n", part);
    } else {
        fprintf(out, "Compared until %s%s.\n", grt_time_text(pairing->until, text),
                pairing->short_run == GRT_SHORT_NEITHER ? "" : ", as was asked for");
    }
    if (pairing->open_error > 0) {
        fprintf(out, "What was going on when a run ended is off by %s at least.\n",
                grt_time_text(pairing->open_error, text));
    }
    putc('\n', out);
    grt_arena_clear(&arena);
}

static void print_kinds(const struct grt_validation *validation, const struct grt_style *style, FILE *out) {
    struct shown_kinds shown = {.count = 0};
    for (int kind = 0; kind < GRT_PAIRED_KINDS; kind++) {
        const struct grt_validated_kind *one = &validation->kinds[kind];
        if (one->pairs + one->only_simulated + one->only_measured > 0) {
            shown.items[shown.count++] = one;
        }
    }
    struct grt_columns columns = {.rows = shown.count};
    const char **names = add_words(&columns, "", "", GRT_TEXT_LEFT);
    const char **pairs = add_words(&columns, "in both", "traces", GRT_TEXT_RIGHT);
    const char **simulated = add_words(&columns, "only", "simulated", GRT_TEXT_RIGHT);
    const char **measured = add_words(&columns, "only", "measured", GRT_TEXT_RIGHT);
    for (size_t i = 0; i < shown.count; i++) {
        names[i] = shown.items[i]->kind == GRT_PAIRED_COPY
                       ? "copies"
                       : grt_format(&columns.arena, "%ss", grt_paired_names[shown.items[i]->kind]);
        pairs[i] = grt_format(&columns.arena, "%zu", shown.items[i]->pairs);
        simulated[i] = grt_format(&columns.arena, "%zu", shown.items[i]->only_simulated);
        measured[i] = grt_format(&columns.arena, "%zu", shown.items[i]->only_measured);
    }
    add_spread(&columns, "error of starts", &shown, kind_start);
    add_spread(&columns, "error of ends", &shown, kind_end);
    add_spread(&columns, "error of durations", &shown, kind_duration);
    grt_columns_print(&columns, style, out);
}

/* ---- kernels and tasks ---- */

static const struct grt_error_spread *item_error(const void *rows, size_t row) {
    return &((const struct grt_validated_item *)rows)[row].error;
}

static void add_item_times(struct grt_columns *columns, const struct grt_validated_item *items,
                           const char *group, bool measured) {
    grt_time *means = grt_arena_array(&columns->arena, columns->rows, sizeof *means);
    grt_time *mosts = grt_arena_array(&columns->arena, columns->rows, sizeof *mosts);
    for (size_t i = 0; i < columns->rows; i++) {
        bool known = items[i].count > 0;
        double mean = measured ? items[i].measured_mean_ns : items[i].simulated_mean_ns;
        means[i] = known ? llround(mean) : GRT_TIME_NEVER;
        mosts[i] = !known ? GRT_TIME_NEVER : measured ? items[i].measured_most : items[i].simulated_most;
    }
    grt_columns_add_times(columns, group, "mean", (struct grt_column_times){means, columns->rows});
    grt_columns_add_times(columns, group, "max", (struct grt_column_times){mosts, columns->rows});
}

static void print_items(const struct grt_validated_item *items, size_t count, const char *title,
                        const struct grt_style *style, FILE *out) {
    if (count == 0) {
        return;
    }
    fprintf(out, "\n%s\n", title);
    struct grt_columns columns = {.rows = count};
    const char **tasks = add_words(&columns, "", "task", GRT_TEXT_LEFT);
    const char **kernels = items[0].kernel != NULL ? add_words(&columns, "", "kernel", GRT_TEXT_LEFT) : NULL;
    const char **counts = add_words(&columns, "", "count", GRT_TEXT_RIGHT);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = items[i].task;
        counts[i] = grt_format(&columns.arena, "%zu", items[i].count);
        if (kernels != NULL) {
            kernels[i] = items[i].kernel;
        }
    }
    add_item_times(&columns, items, "measured", true);
    add_item_times(&columns, items, "simulated", false);
    add_spread(&columns, "error", items, item_error);
    grt_columns_print(&columns, style, out);
}

/* ---- the worst ---- */

static const char *what_it_is(const struct grt_validated_worst *worst, struct grt_arena *arena) {
    const struct grt_happened *one = worst->pair.simulated;
    if (one->kind == GRT_PAIRED_BLOCK) {
        return grt_format(arena, "block %" PRIu32 " of %s", one->block, worst->kernel);
    }
    if (one->kind == GRT_PAIRED_KERNEL) {
        return grt_format(arena, "kernel %s", worst->kernel);
    }
    return grt_paired_names[one->kind];
}

enum instant { START, END };

static void add_instants(struct grt_columns *columns, const struct grt_validation *validation,
                         const char *group, bool measured, enum instant which) {
    grt_time *times = grt_arena_array(&columns->arena, columns->rows, sizeof *times);
    for (size_t i = 0; i < columns->rows; i++) {
        const struct grt_pair *pair = &validation->worst[i].pair;
        const struct grt_happened *side = measured ? pair->measured : pair->simulated;
        times[i] = which == START ? side->start : side->end;
    }
    grt_columns_add_times(columns, group, which == START ? "start" : "end",
                          (struct grt_column_times){times, columns->rows});
}

static void print_worst(const struct grt_validation *validation, const struct grt_style *style, FILE *out) {
    if (validation->worst_count == 0) {
        return;
    }
    fprintf(out, "\nThe farthest off:\n");
    struct grt_columns columns = {.rows = validation->worst_count};
    const char **tasks = add_words(&columns, "", "task", GRT_TEXT_LEFT);
    const char **jobs = add_words(&columns, "", "job", GRT_TEXT_RIGHT);
    const char **whats = add_words(&columns, "", "what", GRT_TEXT_LEFT);
    grt_time *errors = grt_arena_array(&columns.arena, columns.rows, sizeof *errors);
    for (size_t i = 0; i < columns.rows; i++) {
        const struct grt_validated_worst *worst = &validation->worst[i];
        tasks[i] = worst->task;
        jobs[i] = grt_format(&columns.arena, "%" PRIu32, worst->pair.simulated->job);
        whats[i] = what_it_is(worst, &columns.arena);
        errors[i] = worst->error;
    }
    add_instants(&columns, validation, "measured", true, START);
    add_instants(&columns, validation, "measured", true, END);
    add_instants(&columns, validation, "simulated", false, START);
    add_instants(&columns, validation, "simulated", false, END);
    grt_columns_add_times(&columns, "", "error", (struct grt_column_times){errors, columns.rows});
    grt_columns_print(&columns, style, out);
}

/* ---- the whole ---- */

void grt_validation_print(const struct grt_validated_trace *trace, const struct grt_style *style, FILE *out) {
    const struct grt_validation *validation = trace->validation;
    const struct grt_validated_kind *blocks = &validation->kinds[GRT_PAIRED_BLOCK];
    char text[GRT_TIME_TEXT_SIZE];
    fprintf(out,
            "%s: errors are simulated minus measured; the largest is %s, and %zu are in one trace only\n",
            trace->path, grt_time_text(validation->most_absolute, text), validation->unpaired);
    print_origin(trace, out);
    print_part(validation, out);
    print_kinds(validation, style, out);
    if (blocks->pairs > 0) {
        fprintf(out, "\n%zu of %zu blocks ran on the SM on which they were simulated.\n",
                blocks->pairs - blocks->other_row, blocks->pairs);
    }
    if (validation->pairing->left_out > 0) {
        fprintf(out, "%zu records of kernels that blocks launched, or that have none, were left out.\n",
                validation->pairing->left_out);
    }
    print_items(
        validation->kernels, validation->kernel_count,
        "How long kernels took (blocks spin for the scenario's own times, by construction: errors show waves "
        "and starts, not how well times of real code are known; but see --real):",
        style, out);
    print_items(validation->responses, validation->response_count, "Response times:", style, out);
    print_worst(validation, style, out);
}
