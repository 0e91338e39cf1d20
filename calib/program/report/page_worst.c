#include <math.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "calib/program/report/page.h"
#include "calib/program/report/worst.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"

static const char *time_text(double value, struct grt_arena *arena) {
    return grt_worst_value_text(value, "ns", arena);
}

/* A number, or a dash. */
static const char *number_text(double value, struct grt_arena *arena) {
    return isfinite(value) ? grt_format(arena, "%.3g", value) : "-";
}

static void put_answers(struct grt_page *page, const struct grt_pwcet *pwcet) {
    fputs("\n| a run is longer with | verdict | time | 95 % interval | by |\n|---|---|---|---|---|\n",
          page->out);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        fprintf(page->out, "| %.3g | %s | %s | %s | %s |\n", answer->exceedance,
                grt_pwcet_verdict_names[answer->verdict],
                grt_worst_upper_text(answer->value, "ns", page->arena),
                grt_worst_interval_text(answer, "ns", page->arena), grt_worst_by(answer));
    }
    bool is_first = true;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        if (answer->why != NULL) {
            fprintf(page->out, "%s- %.3g, %s: ", is_first ? "\n" : "", answer->exceedance,
                    grt_pwcet_verdict_names[answer->verdict]);
            grt_markdown_put(page->out, answer->why);
            fputc('\n', page->out);
            is_first = false;
        }
    }
}

static void put_methods(struct grt_page *page, const struct grt_pwcet *pwcet) {
    fputs("\n| method | values | scale | shape | p (A2) | p (AU2) | fits |", page->out);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        fprintf(page->out, " %.3g |", pwcet->answers[i].exceedance);
    }
    fputs("\n|---|---|---|---|---|---|---|", page->out);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        fputs("---|", page->out);
    }
    fputc('\n', page->out);
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[method];
        if (fit->why_not != NULL) {
            continue;
        }
        const struct grt_extreme *extreme = &fit->estimate.likely.extreme;
        fprintf(page->out, "| %s | %zu | %s | %.3g | %.3g | %.3g | %s |", grt_pwcet_method_names[method],
                fit->count, time_text(extreme->scale, page->arena), extreme->shape,
                fit->p[GRT_DISTANCE_ANDERSON_DARLING], fit->p[GRT_DISTANCE_UPPER_TAIL],
                fit->is_good ? "yes" : "no");
        for (size_t i = 0; i < pwcet->answer_count; i++) {
            fprintf(page->out, " %s |", time_text(fit->quantiles[i].value, page->arena));
        }
        fputc('\n', page->out);
    }
}

static void put_tests(struct grt_page *page, const struct grt_pwcet *pwcet) {
    fputs("\nTests, p for all together: ", page->out);
    for (int i = 0; i < GRT_PWCET_TESTS; i++) {
        fprintf(page->out, "%s %s, ", grt_pwcet_test_names[i], number_text(pwcet->tests[i].p, page->arena));
    }
    fprintf(page->out, "one mode %s.\n", number_text(pwcet->one_mode.p, page->arena));
}

static void put_sentences(struct grt_page *page, const char *head, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fprintf(page->out, "%s- **%s**: ", i == 0 ? "\n" : "", head);
        grt_markdown_put(page->out, texts[i]);
        fputc('\n', page->out);
    }
}

static void put_one(struct grt_page *page, const struct grt_fitted_worst *worst) {
    const struct grt_pwcet *pwcet = worst->pwcet;
    fputs("\n### ", page->out);
    grt_markdown_put(page->out, worst->name);
    fprintf(page->out, "\n\n%zu runs, %s to %s, median %s.\n", pwcet->count,
            grt_worst_lower_text(pwcet->smallest, "ns", page->arena),
            grt_worst_upper_text(pwcet->largest, "ns", page->arena),
            grt_worst_upper_text(pwcet->median, "ns", page->arena));
    if (pwcet->condition != NULL) {
        fprintf(page->out, "\n%zu runs were thrown away: all of this holds while %s.\n", pwcet->dropped,
                pwcet->condition);
    }
    put_sentences(page, "Apart", &pwcet->apart, pwcet->apart != NULL);
    put_sentences(page, "Refused", pwcet->refusals, pwcet->refusal_count);
    if (pwcet->refusal_count == 0 && pwcet->constant != NULL) {
        put_sentences(page, "Constant", &pwcet->constant, 1);
    }
    put_sentences(page, "Warning", pwcet->warnings, pwcet->warning_count);
    if (pwcet->refusal_count == 0) {
        put_answers(page, pwcet);
    }
    if (grt_worst_has_fits(pwcet)) {
        put_methods(page, pwcet);
        put_tests(page, pwcet);
    }
    const char *fallback = grt_worst_fallback_text(pwcet, "ns", page->arena);
    if (fallback != NULL) {
        fprintf(page->out, "\n%s\n", fallback);
    }
    const struct grt_chart quantiles = grt_chart_of_quantiles(pwcet, worst->name, page->arena);
    const struct grt_chart returns = grt_chart_of_returns(pwcet, worst->name, page->arena);
    grt_page_put_chart(page, &quantiles);
    if (grt_worst_has_fits(pwcet)) {
        grt_page_put_chart(page, &returns);
    }
}

void grt_page_write_worst(struct grt_page *page) {
    if (page->fit->worst_count > 0) {
        fputs("\n## Times that are exceeded rarely\n\nBy extreme value theory, per run, in the state that "
              "each heading says, and only there: a run under other "
              "conditions (other kernels beside it, another clock) is not spoken of.\n",
              page->out);
    }
    for (size_t i = 0; i < page->fit->worst_count; i++) {
        put_one(page, &page->fit->worst[i]);
    }
}
