#include "calib/program/report/worst.h"

#include <math.h>
#include <string.h>

#include "calib/program/report/findings.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"

/* What is printed, and how. */
struct print {
    const struct grt_pwcet *pwcet;
    const char *unit_name;
    const struct grt_style *style;
    struct grt_arena arena;
    FILE *out;
};

const char *grt_worst_value_text(double value, const char *unit_name, struct grt_arena *arena) {
    if (strcmp(unit_name, "ns") == 0) {
        return grt_finding_number_text(value, GRT_UNIT_NS, arena);
    }
    return isfinite(value) ? grt_format(arena, "%.5g%s", value, unit_name) : "-";
}

/* `up`: 1 or -1. What is no more than an error of doubles is no reason for another digit. */
static const char *bound_text(double value, double up, const char *unit_name, struct grt_arena *arena) {
    static const struct {
        double size;
        const char *name;
    } steps[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    enum { STEPS = sizeof steps / sizeof steps[0] };
    if (!isfinite(value)) {
        return "-";
    }
    if (strcmp(unit_name, "ns") != 0) {
        return grt_format(arena, "%.9g%s", value, unit_name);
    }
    double parts = fabs(value) >= 1000 ? 1 : 1000, error = 1e-12 * fabs(value);
    double shown = up > 0 ? ceil((value - error) * parts) / parts : floor((value + error) * parts) / parts;
    size_t i = 0;
    while (i + 1 < STEPS && fabs(shown) < steps[i].size) {
        i++;
    }
    return grt_format(arena, "%.13g%s", shown / steps[i].size, steps[i].name);
}

const char *grt_worst_upper_text(double value, const char *unit_name, struct grt_arena *arena) {
    return bound_text(value, 1, unit_name, arena);
}

const char *grt_worst_lower_text(double value, const char *unit_name, struct grt_arena *arena) {
    return bound_text(value, -1, unit_name, arena);
}

/* The exceedances without a time of which this is declared: "1e-08, 1e-09". */
static const char *exceedances_with(const struct grt_pwcet *pwcet, double declared, struct grt_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        if (!grt_pwcet_has_value(answer) && answer->declared == declared) {
            text = grt_format(arena, "%s%s%.3g", text, text[0] != '\0' ? ", " : "", answer->exceedance);
        }
    }
    return text;
}

const char *grt_worst_fallback_text(const struct grt_pwcet *pwcet, const char *unit_name,
                                    struct grt_arena *arena) {
    const char *times = "", *margin = grt_format(arena, "the longest run times %g", pwcet->margin);
    bool is_margin = true;
    double last = NAN;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        if (grt_pwcet_has_value(answer) || !isfinite(answer->declared) || answer->declared == last) {
            continue;
        }
        last = answer->declared;
        is_margin = is_margin && last == pwcet->fallback;
        times =
            grt_format(arena, "%s%s%s for %s", times, times[0] != '\0' ? "; " : "",
                       grt_worst_upper_text(last, unit_name, arena), exceedances_with(pwcet, last, arena));
    }
    if (times[0] == '\0') {
        return NULL;
    }
    return is_margin ? grt_format(arena, "Without a model: %s, %s, which is a choice and no bound.",
                                  grt_worst_upper_text(last, unit_name, arena), margin)
                     : grt_format(arena,
                                  "Without a model: %s. That is the most that methods say that describe the "
                                  "tail, of this chance or a larger one, and no less than %s, which is a "
                                  "choice and no bound.",
                                  times, margin);
}

const char *grt_worst_interval_text(const struct grt_pwcet_answer *answer, const char *unit_name,
                                    struct grt_arena *arena) {
    const char *low = grt_worst_lower_text(answer->low, unit_name, arena),
               *high = grt_worst_upper_text(answer->high, unit_name, arena);
    bool constant = answer->verdict == GRT_PWCET_CONSTANT;
    if (!isfinite(answer->low) || !isfinite(answer->high) || (constant && answer->low == answer->high)) {
        return "-";
    }
    return grt_format(arena, "%s to %s", low, high);
}

static const char *value_text(struct print *print, double value) {
    return grt_worst_value_text(value, print->unit_name, &print->arena);
}

/* Rounded up. */
static const char *bound(struct print *print, double value) {
    return grt_worst_upper_text(value, print->unit_name, &print->arena);
}

static const char *number_text(struct print *print, double value) {
    return isfinite(value) ? grt_format(&print->arena, "%.3g", value) : "-";
}

static void begin_table(struct print *print, struct grt_table *table, const char *const *names, size_t count,
                        size_t left) {
    *table = (struct grt_table){.arena = &print->arena};
    for (size_t i = 0; i < count; i++) {
        enum grt_text_side side = i < left ? GRT_TEXT_LEFT : GRT_TEXT_RIGHT;
        grt_table_add_column(table, (struct grt_table_column){"", names[i], side, false});
    }
}

static void end_table(struct print *print, struct grt_table *table) {
    grt_table_print(table, print->style, print->out);
    grt_table_free(table);
}

static void put_paragraph(struct print *print, const char *head, const char *text) {
    int width = fprintf(print->out, "  %s", head);
    grt_paragraph_put(print->out, text, (size_t)(width < 0 ? 0 : width), (size_t)print->style->width);
}

static void print_answers(struct print *print) {
    static const char *const names[] = {"a run is longer with", "verdict", "time", "95 % interval", "says"};
    const struct grt_pwcet *pwcet = print->pwcet;
    struct grt_table table;
    begin_table(print, &table, names, sizeof names / sizeof names[0], 2);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        grt_table_add(&table, "%.3g", answer->exceedance);
        grt_table_add(&table, "%s", grt_pwcet_verdict_names[answer->verdict]);
        grt_table_add(&table, "%s", grt_pwcet_has_value(answer) ? bound(print, answer->value) : "-");
        grt_table_add(&table, "%s", grt_worst_interval_text(answer, print->unit_name, &print->arena));
        grt_table_add(&table, "%s", grt_worst_by(answer));
    }
    end_table(print, &table);
    const char *said = NULL;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        bool is_news = answer->why != NULL && pwcet->refusal_count == 0; /* else told above */
        if (is_news && (said == NULL || strcmp(said, answer->why) != 0)) {
            put_paragraph(print, grt_format(&print->arena, "%.3g: ", answer->exceedance), answer->why);
            said = answer->why;
        }
    }
}

static void print_methods(struct print *print) {
    static const char *const names[] = {"method", "values", "location", "scale",
                                        "shape",  "p (A2)", "p (AU2)",  "fits"};
    enum { FIXED = sizeof names / sizeof names[0] };
    const struct grt_pwcet *pwcet = print->pwcet;
    struct grt_table table;
    begin_table(print, &table, names, FIXED, 1);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const char *heading = grt_format(&print->arena, "%.3g", pwcet->answers[i].exceedance);
        grt_table_add_column(&table, (struct grt_table_column){"time at", heading, GRT_TEXT_RIGHT, false});
    }
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        const struct grt_pwcet_fit *fit = &pwcet->fits[method];
        if (fit->why_not != NULL) {
            continue;
        }
        const struct grt_extreme *extreme = &fit->estimate.likely.extreme;
        grt_table_add(&table, "%s", grt_pwcet_method_names[method]);
        grt_table_add(&table, "%zu", fit->count);
        grt_table_add(&table, "%s", value_text(print, extreme->location));
        grt_table_add(&table, "%s", value_text(print, extreme->scale));
        grt_table_add(&table, "%s",
                      grt_extreme_has_shape(extreme->kind) ? number_text(print, extreme->shape) : "-");
        grt_table_add(&table, "%s", number_text(print, fit->p[GRT_DISTANCE_ANDERSON_DARLING]));
        grt_table_add(&table, "%s", number_text(print, fit->p[GRT_DISTANCE_UPPER_TAIL]));
        grt_table_add(&table, "%s", fit->is_good ? "yes" : "no");
        for (size_t i = 0; i < pwcet->answer_count; i++) {
            grt_table_add(&table, "%s", value_text(print, fit->quantiles[i].value));
        }
    }
    fputc('\n', print->out);
    end_table(print, &table);
    for (int method = 0; method < GRT_PWCET_METHODS; method++) {
        if (pwcet->fits[method].why_not != NULL) {
            put_paragraph(print, grt_format(&print->arena, "%s: ", grt_pwcet_method_names[method]),
                          pwcet->fits[method].why_not);
        }
    }
}

static void print_tests(struct print *print) {
    static const char *const names[] = {"test", "p", "p for all"};
    const struct grt_pwcet *pwcet = print->pwcet;
    struct grt_table table;
    begin_table(print, &table, names, sizeof names / sizeof names[0], 1);
    for (int i = 0; i < GRT_PWCET_TESTS; i++) {
        grt_table_add(&table, "%s", grt_pwcet_test_names[i]);
        grt_table_add(&table, "%s", number_text(print, pwcet->tests[i].test.p));
        grt_table_add(&table, "%s", number_text(print, pwcet->tests[i].p));
    }
    grt_table_add(&table, "one mode");
    grt_table_add(&table, "%s", number_text(print, pwcet->one_mode.p));
    grt_table_add(&table, "-");
    fputc('\n', print->out);
    end_table(print, &table);
}

const char *grt_worst_by(const struct grt_pwcet_answer *answer) {
    return answer->verdict == GRT_PWCET_MODEL      ? grt_pwcet_method_names[answer->method]
           : answer->verdict == GRT_PWCET_CONSTANT ? "all runs"
                                                   : "-";
}

bool grt_worst_has_value(const struct grt_pwcet *pwcet) {
    bool all = pwcet->answer_count > 0;
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        all = all && grt_pwcet_has_value(&pwcet->answers[i]);
    }
    return all;
}

bool grt_worst_has_fits(const struct grt_pwcet *pwcet) {
    bool any = false;
    for (int i = 0; i < GRT_PWCET_METHODS; i++) {
        any = any || pwcet->fits[i].why_not == NULL;
    }
    return any;
}

static const char *quantum_text(struct print *print) {
    const struct grt_pwcet *pwcet = print->pwcet;
    return !pwcet->was_jittered
               ? ""
               : grt_format(&print->arena, "; a share of the clock's quantum, %s%s, was added to each",
                            bound(print, pwcet->quantum),
                            pwcet->quantum_is_seen ? " by what the times are multiples of" : "");
}

void grt_worst_print(const struct grt_pwcet *pwcet, const char *name, const char *unit_name,
                     const struct grt_style *style, FILE *out) {
    struct print print = {.pwcet = pwcet, .unit_name = unit_name, .style = style, .out = out};
    fprintf(out, "%s: %zu runs, %s to %s, median %s%s\n", name, pwcet->count,
            grt_worst_lower_text(pwcet->smallest, unit_name, &print.arena), bound(&print, pwcet->largest),
            bound(&print, pwcet->median), quantum_text(&print));
    if (pwcet->condition != NULL) {
        fprintf(out, "%zu runs were thrown away: while %s\n", pwcet->dropped, pwcet->condition);
    }
    if (pwcet->apart != NULL) {
        put_paragraph(&print, "apart: ", pwcet->apart);
    }
    for (size_t i = 0; i < pwcet->refusal_count; i++) {
        put_paragraph(&print, "refused: ", pwcet->refusals[i]);
    }
    if (pwcet->refusal_count == 0 && pwcet->constant != NULL) {
        put_paragraph(&print, "constant: ", pwcet->constant);
    }
    for (size_t i = 0; i < pwcet->warning_count; i++) {
        put_paragraph(&print, "warning: ", pwcet->warnings[i]);
    }
    fputc('\n', out);
    print_answers(&print);
    if (grt_worst_has_fits(pwcet)) {
        print_methods(&print);
        print_tests(&print);
    }
    const char *fallback = grt_worst_fallback_text(pwcet, unit_name, &print.arena);
    if (fallback != NULL) {
        fprintf(out, "\n%s\n", fallback);
    }
    grt_arena_clear(&print.arena);
}
