#include "calib/program/report/findings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"
#include "sim/check.h"

/* A power of ten, or of 1024, that has a name. */
struct step {
    double size;
    const char *name;
};

static const struct step no_steps[] = {{1, ""}};
static const struct step time_steps[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
static const struct step rate_steps[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}};
static const struct step frequency_steps[] = {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}};
static const struct step percent_steps[] = {{1, "%"}};
static const struct step size_steps[] = {{1, "B"}, {1024, "KiB"}, {1048576, "MiB"}, {1073741824, "GiB"}};

static const struct {
    const struct step *steps;
    size_t count;
} units[] = {
    [GRT_UNIT_NONE] = {no_steps, 1},
    [GRT_UNIT_NS] = {time_steps, 4},
    [GRT_UNIT_BYTES_PER_SECOND] = {rate_steps, 4},
    [GRT_UNIT_HERTZ] = {frequency_steps, 4},
    [GRT_UNIT_BYTES] = {size_steps, 4},
    [GRT_UNIT_PERCENT] = {percent_steps, 1},
};

/* Whole numbers below are shown with all digits. */
#define MOST_COUNT 1e9

const char *grt_finding_number_text(double value, enum grt_finding_unit unit, struct grt_arena *arena) {
    if (!isfinite(value)) {
        return "-";
    }
    const struct step *step = units[unit].steps;
    for (size_t i = 1; i < units[unit].count && fabs(value) >= units[unit].steps[i].size; i++) {
        step = &units[unit].steps[i];
    }
    bool is_count = unit == GRT_UNIT_NONE && fabs(value) < MOST_COUNT && floor(value) == value;
    return is_count ? grt_format(arena, "%.0f", value)
                    : grt_format(arena, "%.5g%s", value / step->size, step->name);
}

const char *grt_finding_value_text(const struct grt_finding *finding, struct grt_arena *arena) {
    bool is_known = finding->status == GRT_FINDING_MEASURED || finding->status == GRT_FINDING_TOLD;
    if (!is_known) {
        return "-";
    }
    return finding->word != NULL ? finding->word
                                 : grt_finding_number_text(finding->value, finding->unit, arena);
}

const char *grt_finding_interval_text(const struct grt_finding *finding, struct grt_arena *arena) {
    if (finding->status != GRT_FINDING_MEASURED || !isfinite(finding->low) || !isfinite(finding->high)) {
        return "-";
    }
    if (finding->low == finding->high) {
        return finding->word != NULL ? "-" : "exact";
    }
    return grt_format(arena, "%s to %s", grt_finding_number_text(finding->low, finding->unit, arena),
                      grt_finding_number_text(finding->high, finding->unit, arena));
}

const char *grt_finding_residual_text(const struct grt_finding *finding, struct grt_arena *arena) {
    return finding->status == GRT_FINDING_MEASURED && isfinite(finding->residual)
               ? grt_format(arena, "%.2g%%", finding->residual * 100)
               : "-";
}

/* Of pairs of kernels there are dozens, which pages and files have; longest times are printed by themselves. */
static bool is_told_apart(const struct grt_finding *finding) {
    return strcmp(finding->experiment, "together") == 0 || strcmp(finding->experiment, "worst") == 0;
}

static void print_known(const struct grt_fit *fit, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    struct grt_table table = {.arena = &arena};
    grt_table_add_column(&table, (struct grt_table_column){"", "parameter", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "value", GRT_TEXT_RIGHT, false});
    grt_table_add_column(&table, (struct grt_table_column){"95 %", "interval", GRT_TEXT_LEFT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "residual", GRT_TEXT_RIGHT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "samples", GRT_TEXT_RIGHT, false});
    grt_table_add_column(&table, (struct grt_table_column){"", "from", GRT_TEXT_LEFT, false});
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (finding->status == GRT_FINDING_REFUSED || finding->status == GRT_FINDING_MISSING ||
            is_told_apart(finding)) {
            continue;
        }
        grt_table_add(&table, "%s", finding->name);
        grt_table_add(&table, "%s", grt_finding_value_text(finding, &arena));
        grt_table_add(&table, "%s", grt_finding_interval_text(finding, &arena));
        grt_table_add(&table, "%s", grt_finding_residual_text(finding, &arena));
        grt_table_add(&table, "%zu", finding->samples);
        grt_table_add(&table, "%s", finding->status == GRT_FINDING_TOLD ? "the driver" : finding->experiment);
    }
    grt_table_print(&table, style, out);
    grt_table_free(&table);
    grt_arena_clear(&arena);
}

static void print_paragraph(const char *text, const struct grt_style *style, FILE *out) {
    enum { INDENT = 4 };
    fputs("  ", out);
    grt_paragraph_put(out, text, INDENT, (size_t)style->width);
}

/* Whether an earlier finding was not found for the same reason. */
static bool was_said(const struct grt_fit *fit, size_t number) {
    for (size_t i = 0; i < number; i++) {
        if (fit->findings[i].why != NULL && strcmp(fit->findings[i].why, fit->findings[number].why) == 0) {
            return true;
        }
    }
    return false;
}

/* The names of all that was not found for one reason, and the reason. */
static const char *missing_text(const struct grt_fit *fit, size_t first, struct grt_arena *arena) {
    const char *why = fit->findings[first].why;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    for (size_t i = first; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (finding->why != NULL && !is_told_apart(finding) && strcmp(finding->why, why) == 0) {
            fprintf(out, "%s%s", i == first ? "" : "; ", finding->name);
        }
    }
    fprintf(out, ": %s", why);
    fclose(out);
    const char *copy = grt_arena_text(arena, text);
    free(text);
    return copy;
}

/* One cell of `worst`: how long one run in so many is, or why nobody knows. */
static void print_worst(const struct grt_fitted_worst *worst, const struct grt_style *style,
                        struct grt_arena *arena, FILE *out) {
    const struct grt_pwcet *pwcet = worst->pwcet;
    const char *text = grt_format(arena, "%s (%zu of %zu runs thrown away):", worst->name, pwcet->dropped,
                                  pwcet->count + pwcet->dropped);
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        const char *before = i == 0 ? "" : ";";
        if (answer->verdict == GRT_PWCET_MODEL) {
            text = grt_format(arena, "%s%s %s in one of %g runs (%s to %s, %s)", text, before,
                              grt_finding_number_text(answer->value, GRT_UNIT_NS, arena),
                              round(1 / answer->exceedance),
                              grt_finding_number_text(answer->low, GRT_UNIT_NS, arena),
                              grt_finding_number_text(answer->high, GRT_UNIT_NS, arena),
                              grt_pwcet_method_names[answer->method]);
        } else if (i == 0 || answer->why != pwcet->answers[i - 1].why) {
            text = grt_format(arena, "%s%s %s: %s", text, before, grt_pwcet_verdict_names[answer->verdict],
                              answer->why);
        }
    }
    print_paragraph(text, style, out);
}

void grt_findings_print(const struct grt_fit *fit, const struct grt_style *style, FILE *out) {
    struct grt_arena arena = {0};
    print_known(fit, style, out);
    for (size_t i = 0; i < fit->worst_count; i++) {
        fputs(i == 0 ? "\nLongest times:\n" : "", out);
        print_worst(&fit->worst[i], style, &arena, out);
    }
    bool headed = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        if (fit->findings[i].why != NULL && !is_told_apart(&fit->findings[i]) && !was_said(fit, i)) {
            fputs(headed ? "" : "\nNot found:\n", out);
            headed = true;
            print_paragraph(missing_text(fit, i, &arena), style, out);
        }
    }
    for (size_t i = 0; i < fit->warning_count; i++) {
        fputs(i == 0 ? "\nWarnings:\n" : "", out);
        print_paragraph(fit->warnings[i], style, out);
    }
    grt_arena_clear(&arena);
}
