#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/papers/papers.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"

static bool is_said(const char *text) {
    return text != NULL && text[0] != '\0';
}

static void put_limits(const struct grt_papers_sum *sum, FILE *out) {
    if (sum->reduced > 0) {
        fprintf(
            out,
            "**Drawn with %" PRId64
            " task sets a point**, where experiments have more, as %zu of these %zu do: intervals are wider "
            "than they need be, and claims, which compare points without intervals, may hold or fail by "
            "chance.\n\n",
            sum->command->samples, sum->reduced, sum->run);
    }
    if (sum->quickly > 0) {
        fprintf(
            out,
            "**Networks were trained quickly**, with fewer samples than the experiments say, in %zu of these "
            "%zu.\n\n",
            sum->quickly, sum->run);
    }
}

void grt_papers_markdown_head(const struct grt_papers_sum *sum, FILE *out) {
    fputs("# Figures, tables and claims of the papers, made again\n\n"
          "Written by ",
          out);
    grt_markdown_put_code(out, sum->command->call);
    fputs(". A published value *agrees* where 0 is in the 95 percent interval of the difference between the "
          "simulated and the published value (R. G. Newcombe, Interval estimation for the difference between "
          "independent "
          "proportions, Statistics in Medicine 17, 1998, where it is known of how many sets the published "
          "value is; else "
          "Wilson's interval of the simulated one), wider by the rounding of the published value. Of many "
          "values that agree in "
          "truth one in twenty is expected outside. Values from a *paper* are printed there, or follow from "
          "what is; those from a *recalculation* no paper prints: they "
          "were calculated apart from gpurt, and are counted by themselves. A claim is an order of "
          "evaluations; some are in no paper, as their source says.\n\n",
          out);
    put_limits(sum, out);
    fputs("| experiment | what | published values that agree | recalculated ones | claims that hold "
          "|\n|---|---|---|---|---|\n",
          out);
}

/* The anchor that GitHub gives to the heading of a name. */
static void put_anchor(FILE *out, const char *name) {
    for (; *name != '\0'; name++) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9') ||
                      strchr("-_", *name) != NULL || ((unsigned char)*name & 0x80) != 0;
        if (*name >= 'A' && *name <= 'Z') {
            fputc(*name - 'A' + 'a', out);
        } else if (letter || *name == ' ') {
            fputc(letter ? *name : '-', out);
        }
    }
}

/* "3 of 4", or a dash where there are none. */
static void put_share(FILE *out, size_t part, size_t whole) {
    if (whole == 0) {
        fputs("-", out);
    } else {
        fprintf(out, "%zu of %zu", part, whole);
    }
}

void grt_papers_markdown_row(const struct grt_paper_found *found, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    fputs("| [", out);
    grt_markdown_put(out, experiment->name);
    fputs("](#", out);
    put_anchor(out, experiment->name);
    fputs(") | ", out);
    grt_markdown_put(out, experiment->title);
    fputs(" | ", out);
    const struct grt_agreed agreed = grt_papers_agreed(found);
    for (int from = GRT_FROM_PAPER; from <= GRT_FROM_RECALCULATION; from++) {
        put_share(out, agreed.agreeing[from], agreed.all[from]);
        fputs(" | ", out);
    }
    put_share(out, grt_papers_holding(found), experiment->claim_count);
    fputs(" |\n", out);
}

static void put_value(const struct grt_experiment *experiment, const struct grt_compared *value,
                      struct grt_arena *arena, FILE *out) {
    const struct grt_published *published = value->published;
    const char *measure = published->measure;
    fputs("| ", out);
    grt_markdown_put(
        out, grt_papers_place(experiment, published->axes, published->values, published->axis_count, arena));
    fputs(" | ", out);
    grt_markdown_put(out, experiment->points[0].evaluations[published->evaluation].label);
    fputs(" | ", out);
    grt_markdown_put(out, measure);
    fprintf(out, " | %s | %s | %s", grt_published_from_names[published->from],
            grt_papers_number(measure, published->value, arena),
            grt_papers_number(measure, value->simulated.value, arena));
    const struct grt_interval *within = &value->simulated.within;
    if (isnan(within->low)) {
        fputs(" | -", out); /* of one set */
    } else {
        fprintf(out, " | %s to %s", grt_papers_number(measure, within->low, arena),
                grt_papers_number(measure, within->high, arena));
    }
    fprintf(out, " | %s | %s | ", grt_papers_number(measure, value->difference, arena),
            value->agreement == GRT_AGREES      ? "yes"
            : value->agreement == GRT_DISAGREES ? "**no**"
                                                : "-");
    grt_markdown_put(out, published->source);
    fputs(is_said(published->source) && is_said(published->note) ? "; " : "", out);
    grt_markdown_put(out, published->note);
    fputs(" |\n", out);
}

static void put_values(const struct grt_paper_found *found, struct grt_arena *arena, FILE *out) {
    if (found->experiment->published_count == 0) {
        return;
    }
    fputs("| where | evaluation | measure | said by | value | simulated | 95 percent | difference | agrees | "
          "source, note |\n"
          "|---|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < found->experiment->published_count; i++) {
        put_value(found->experiment, &found->values[i], arena, out);
    }
    fputc('\n', out);
}

static void put_claims(const struct grt_paper_found *found, struct grt_arena *arena, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    for (size_t i = 0; i < experiment->claim_count; i++) {
        const struct grt_claimed *claim = &experiment->claims[i];
        fputs("- ", out);
        grt_markdown_put(out, claim->text);
        if (is_said(claim->source)) {
            fputs(" (", out);
            grt_markdown_put(out, claim->source);
            fputs(")", out);
        }
        fputs(found->claims[i].holds ? ": " : ": **", out);
        grt_markdown_put(out, grt_papers_claim(experiment, &found->claims[i], arena));
        fputs(found->claims[i].holds ? "." : "**.", out);
        fputs(is_said(claim->note) ? " " : "", out);
        grt_markdown_put(out, claim->note);
        fputc('\n', out);
    }
    fputs(experiment->claim_count > 0 ? "\n" : "", out);
}

/* ". 3 points of 20 task sets (in full: 100), networks trained quickly." */
static void put_effort(const struct grt_paper_found *found, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    fprintf(out, ". %zu point%s of %" PRId64 " task set%s", experiment->point_count,
            experiment->point_count == 1 ? "" : "s", experiment->samples,
            experiment->samples == 1 ? "" : "s");
    if (experiment->samples != found->full_samples) {
        fprintf(out, " (in full: %" PRId64 ")", found->full_samples);
    }
    fputs(found->quickly_trained ? ", networks trained quickly.\n\n" : ".\n\n", out);
}

void grt_papers_markdown_section(const struct grt_paper_found *found, const char *pictures, FILE *out) {
    const struct grt_experiment *experiment = found->experiment;
    struct grt_arena arena = {0};
    fputs("\n## ", out);
    grt_markdown_put(out, experiment->name);
    fputs("\n\n**", out);
    grt_markdown_put(out, experiment->title);
    fputs("**", out);
    if (is_said(experiment->source)) {
        fputs(": ", out);
        grt_markdown_put(out, experiment->source);
    }
    put_effort(found, out);
    if (is_said(experiment->description)) {
        grt_markdown_put(out, experiment->description);
        fputs("\n\n", out);
    }
    if (found->picture != NULL) {
        fputs("![", out);
        grt_markdown_put(out, experiment->name);
        fprintf(out, "](%s/%s)\n\n", pictures, found->picture);
    }
    put_values(found, &arena, out);
    put_claims(found, &arena, out);
    grt_arena_clear(&arena);
}
