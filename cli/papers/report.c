#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/papers/papers.h"
#include "cli/terminal/text_table.h"

static const char *agreement_text(enum grt_agreement agreement) {
    static const char *const texts[] = {
        [GRT_AGREES] = "yes", [GRT_DISAGREES] = "NO", [GRT_NOT_COMPARABLE] = "-"};
    return texts[agreement];
}

static void add_value(struct grt_table *table, const struct grt_experiment *experiment,
                      const struct grt_compared *value, bool with_from) {
    struct grt_arena *arena = table->arena;
    const struct grt_published *published = value->published;
    const char *measure = published->measure;
    grt_table_add(
        table, "%s",
        grt_papers_place(experiment, published->axes, published->values, published->axis_count, arena));
    const char *evaluation = experiment->points[0].evaluations[published->evaluation].name;
    bool ratio = strcmp(measure, "ratio") == 0;
    grt_table_add(table, ratio ? "%s" : "%s: %s", evaluation, measure);
    if (with_from) {
        grt_table_add(table, "%s", grt_published_from_names[published->from]);
    }
    grt_table_add(table, "%s", grt_papers_number(measure, published->value, arena));
    grt_table_add(table, "%s", grt_papers_number(measure, value->simulated.value, arena));
    grt_table_add(table, "%s", grt_papers_number(measure, value->simulated.within.low, arena));
    grt_table_add(table, "%s", grt_papers_number(measure, value->simulated.within.high, arena));
    grt_table_add(table, "%s", grt_papers_number(measure, value->difference, arena));
    grt_table_add(table, "%s", agreement_text(value->agreement));
}

/* Who says a value is a column only where it is not a paper throughout. */
static void add_columns(struct grt_table *table, bool with_from) {
    enum { FROM = 2 };
    static const struct grt_table_column columns[] = {
        {"", "where", GRT_TEXT_LEFT, false},         {"", "evaluation", GRT_TEXT_LEFT, false},
        {"", "said by", GRT_TEXT_LEFT, false},       {"", "value", GRT_TEXT_RIGHT, false},
        {"", "simulated", GRT_TEXT_RIGHT, false},    {"95 percent", "from", GRT_TEXT_RIGHT, false},
        {"95 percent", "to", GRT_TEXT_RIGHT, false}, {"", "difference", GRT_TEXT_RIGHT, false},
        {"", "agrees", GRT_TEXT_RIGHT, false}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (i != FROM || with_from) {
            grt_table_add_column(table, columns[i]);
        }
    }
}

static void print_values(const struct grt_paper_found *found, const struct grt_style *style,
                         struct grt_arena *arena, FILE *out) {
    if (found->experiment->published_count == 0) {
        return;
    }
    struct grt_table table = {.arena = arena, .kept = 2};
    bool with_from = grt_papers_values(found->experiment, GRT_FROM_RECALCULATION) > 0;
    add_columns(&table, with_from);
    for (size_t i = 0; i < found->experiment->published_count; i++) {
        add_value(&table, found->experiment, &found->values[i], with_from);
    }
    fputc('\n', out);
    grt_table_print(&table, style, out);
    grt_table_free(&table);
}

static void print_notes(const struct grt_paper_found *found, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    const char *before = "";
    for (size_t i = 0; i < experiment->published_count; i++) {
        const char *note = experiment->published[i].note;
        if (note != NULL && note[0] != '\0' && strcmp(note, before) != 0) {
            fprintf(out, "Note: %s\n", note);
            before = note;
        }
    }
}

static void print_claims(const struct grt_paper_found *found, struct grt_arena *arena, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    for (size_t i = 0; i < experiment->claim_count; i++) {
        const struct grt_claimed *claim = &experiment->claims[i];
        fprintf(out, "%sClaim: %s", i == 0 ? "\n" : "", claim->text);
        fprintf(out, claim->source != NULL && claim->source[0] != '\0' ? " (%s)\n" : "%s\n",
                claim->source != NULL ? claim->source : "");
        fprintf(out, "  %s.\n", grt_papers_claim(experiment, &found->claims[i], arena));
        if (claim->note != NULL && claim->note[0] != '\0') {
            fprintf(out, "  %s\n", claim->note);
        }
    }
}

void grt_papers_print(const struct grt_paper_found *found, const struct grt_style *style, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    struct grt_arena arena = {0};
    fprintf(out, "%s: %s\n", experiment->name, experiment->title != NULL ? experiment->title : "");
    if (experiment->source != NULL && experiment->source[0] != '\0') {
        fprintf(out, "%s\n", experiment->source);
    }
    fprintf(out, "%zu point%s, %" PRId64 " task sets each, %.1f s", experiment->point_count,
            experiment->point_count == 1 ? "" : "s", experiment->samples, found->seconds);
    if (experiment->samples != found->full_samples) {
        fprintf(out, " (in full: %" PRId64 " sets)", found->full_samples);
    }
    fputs(found->quickly_trained ? ", networks trained quickly" : "", out);
    fputc('\n', out);
    print_values(found, style, &arena, out);
    print_notes(found, out);
    print_claims(found, &arena, out);
    if (experiment->published_count > 0) {
        const struct grt_agreed agreed = grt_papers_agreed(found);
        char text[GRT_AGREED_TEXT_SIZE];
        fprintf(out, "\n%s.\n", grt_agreed_text(&agreed, text));
    }
    if (experiment->claim_count > 0) {
        fprintf(out, "%s%zu of %zu claims hold.\n", experiment->published_count > 0 ? "" : "\n",
                grt_papers_holding(found), experiment->claim_count);
    }
    if (experiment->claim_count > 0 && experiment->samples != found->full_samples) {
        fputs("Claims compare points without intervals: with fewer task sets, whether they hold may be "
              "chance.\n",
              out);
    }
    grt_arena_clear(&arena);
}
