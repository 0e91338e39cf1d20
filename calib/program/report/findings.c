#include "calib/program/report/findings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/evt/pwcet.h"
#include "calib/program/report/host_costs.h"
#include "calib/program/report/worst.h"
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

static const struct step *step_of(double value, enum grt_finding_unit unit) {
    const struct step *step = units[unit].steps;
    for (size_t i = 1; i < units[unit].count && fabs(value) >= units[unit].steps[i].size; i++) {
        step = &units[unit].steps[i];
    }
    return step;
}

/* Doubles of about 1 are off by some 1e-16: what is left of ratios and percentages below these is rounding, and 0. */
static const double ratio_rounding = 1e-14, percent_rounding = 1e-12;

static double without_rounding(double value, enum grt_finding_unit unit) {
    double least = unit == GRT_UNIT_NONE ? ratio_rounding : unit == GRT_UNIT_PERCENT ? percent_rounding : 0;
    return fabs(value) < least ? 0 : value;
}

const char *grt_finding_number_text(double value, enum grt_finding_unit unit, struct grt_arena *arena) {
    if (!isfinite(value)) {
        return "-";
    }
    value = without_rounding(value, unit);
    const struct step *step = step_of(value, unit);
    bool is_count = unit == GRT_UNIT_NONE && fabs(value) < MOST_COUNT && floor(value) == value;
    return is_count ? grt_format(arena, "%.0f", value)
                    : grt_format(arena, "%.5g%s", value / step->size, step->name);
}

/* ---- counts and ratios: their units follow from what findings are called ---- */

static const char *const own_units[][2] = {
    {"percent", " %"},     {"_bits", " bits"},        {": residency", " per SM"},
    {": partition", " x"}, {"beside opposite", " x"}, {"beside kernel", " x"},
    {"_ratio", " x"},      {"clock_drift", " s/s"},   {": overlap", " of the shorter"}};

static const char *own_unit(const struct grt_finding *finding) {
    size_t length = strlen(finding->name);
    for (size_t i = 0; i < sizeof own_units / sizeof own_units[0] && finding->unit == GRT_UNIT_NONE; i++) {
        size_t tail = strlen(own_units[i][0]);
        if (length >= tail && strcmp(finding->name + length - tail, own_units[i][0]) == 0) {
            return own_units[i][1];
        }
    }
    return "";
}

/* ---- values with their intervals ---- */

/* Numbers have five digits, up to seven where an interval would not show otherwise; a narrower one is shown by how far it is from the value. */
enum { DIGITS = 5, MOST_DIGITS = 7, PRECISE_DIGITS = 17 };

/* Digits of the larger end that it takes to see two of the interval's width. */
static int digits_of(const struct grt_finding *finding) {
    double width = finding->high - finding->low, size = fmax(fabs(finding->low), fabs(finding->high));
    if (finding->status != GRT_FINDING_MEASURED || !isfinite(width) || !(width > 0) ||
        finding->word != NULL) {
        return DIGITS;
    }
    int digits = (int)fmin(PRECISE_DIGITS, floor(log10(size)) - floor(log10(width)) + 2);
    return digits > DIGITS ? digits : DIGITS;
}

/* With so many digits, and zeros at the end where they are more than usual. */
static const char *precise_text(double value, enum grt_finding_unit unit, int digits,
                                struct grt_arena *arena) {
    if (digits <= DIGITS || value == 0) {
        return grt_finding_number_text(value, unit, arena);
    }
    const struct step *step = step_of(value, unit);
    double shown = value / step->size;
    int behind = digits - 1 - (int)floor(log10(fabs(shown)));
    return grt_format(arena, "%.*f%s", behind > 0 ? behind : 0, shown, step->name);
}

const char *grt_finding_value_text(const struct grt_finding *finding, struct grt_arena *arena) {
    bool is_known = finding->status == GRT_FINDING_MEASURED || finding->status == GRT_FINDING_TOLD;
    if (!is_known) {
        return "-";
    }
    return finding->word != NULL
               ? finding->word
               : grt_format(arena, "%s%s",
                            precise_text(finding->value, finding->unit, digits_of(finding), arena),
                            own_unit(finding));
}

/* How far the ends are from the value, in three digits. */
static const char *distance_text(double distance, enum grt_finding_unit unit, struct grt_arena *arena) {
    const struct step *step = step_of(distance, unit);
    return grt_format(arena, "%.3g%s", distance / step->size, step->name);
}

static const char *narrow_text(const struct grt_finding *finding, struct grt_arena *arena) {
    double below = finding->value - finding->low, above = finding->high - finding->value;
    const char *down = distance_text(below, finding->unit, arena),
               *up = distance_text(above, finding->unit, arena);
    return strcmp(down, up) == 0 ? grt_format(arena, "+- %s%s", up, own_unit(finding))
                                 : grt_format(arena, "- %s, + %s%s", down, up, own_unit(finding));
}

const char *grt_finding_interval_text(const struct grt_finding *finding, struct grt_arena *arena) {
    if (finding->status != GRT_FINDING_MEASURED || !isfinite(finding->low) || !isfinite(finding->high)) {
        return "-";
    }
    if (finding->low == finding->high && (finding->word != NULL || !finding->varied)) {
        return finding->word != NULL ? "-" : "exact";
    }
    int digits = digits_of(finding);
    if (digits > MOST_DIGITS) {
        return narrow_text(finding, arena);
    }
    return grt_format(arena, "%s to %s%s", precise_text(finding->low, finding->unit, digits, arena),
                      precise_text(finding->high, finding->unit, digits, arena), own_unit(finding));
}

const char *grt_finding_residual_text(const struct grt_finding *finding, struct grt_arena *arena) {
    return finding->status == GRT_FINDING_MEASURED && isfinite(finding->residual)
               ? grt_format(arena, "%.2g%%", without_rounding(finding->residual * 100, GRT_UNIT_PERCENT))
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

const char *const *grt_findings_missing(const struct grt_fit *fit, size_t *count, struct grt_arena *arena) {
    const char **texts = grt_arena_array(arena, fit->finding_count + 1, sizeof *texts);
    *count = 0;
    for (size_t i = 0; i < fit->finding_count; i++) {
        if (fit->findings[i].why != NULL && !is_told_apart(&fit->findings[i]) && !was_said(fit, i)) {
            texts[(*count)++] = missing_text(fit, i, arena);
        }
    }
    return texts;
}

/* One cell of `worst`: how long one run in so many is, or why nobody knows. */
static void print_worst(const struct grt_fitted_worst *worst, const struct grt_style *style,
                        struct grt_arena *arena, FILE *out) {
    const struct grt_pwcet *pwcet = worst->pwcet;
    const char *apart =
        worst->first_longest > 0
            ? grt_format(arena, "; apart: %zu behind other work and a pause, up to %s", worst->first->count,
                         grt_finding_number_text((double)worst->first_longest, GRT_UNIT_NS, arena))
            : "";
    const char *text = grt_format(arena, "%s (%zu of %zu runs thrown away%s):", worst->name, pwcet->dropped,
                                  pwcet->count + pwcet->dropped, apart);
    if (pwcet->refusal_count == 0 && pwcet->constant != NULL) {
        print_paragraph(grt_format(arena, "%s constant: %s", text, pwcet->constant), style, out);
        return;
    }
    for (size_t i = 0; i < pwcet->answer_count; i++) {
        const struct grt_pwcet_answer *answer = &pwcet->answers[i];
        const char *before = i == 0 ? "" : ";";
        if (answer->verdict == GRT_PWCET_MODEL) {
            text = grt_format(arena, "%s%s %s in one of %g runs (%s, %s)", text, before,
                              grt_worst_upper_text(answer->value, "ns", arena), round(1 / answer->exceedance),
                              grt_worst_interval_text(answer, "ns", arena),
                              grt_pwcet_method_names[answer->method]);
        } else if (answer->verdict == GRT_PWCET_NO_MODEL) {
            text = grt_format(arena, "%s%s no model for one of %g runs: %s", text, before,
                              round(1 / answer->exceedance), answer->why);
        } else if (i == 0) { /* one reason for all */
            text =
                grt_format(arena, "%s %s: %s", text, grt_pwcet_verdict_names[answer->verdict], answer->why);
        }
    }
    print_paragraph(text, style, out);
}

/* Adds a name to a list with commas between, once. */
static const char *with_name(const char *list, const char *name, struct grt_arena *arena) {
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at++) {
        bool begins = at == list || at[-1] == ',', ends = at[length] == ',' || at[length] == '\0';
        if (begins && ends) {
            return list;
        }
    }
    return grt_format(arena, "%s%s%s", list, list[0] != '\0' ? "," : "", name);
}

/* What to do where the time did not suffice for as many runs as the shortest analysis needs. */
static void print_worst_hint(const struct grt_fit *fit, const struct grt_style *style,
                             struct grt_arena *arena, FILE *out) {
    const char *names = "";
    size_t count = 0;
    for (size_t i = 0; i < fit->worst_count; i++) {
        const struct grt_fitted_worst *worst = &fit->worst[i];
        const char *beside = worst->cell != NULL ? grt_raw_text(worst->cell, "beside") : NULL;
        if (worst->pwcet->count >= GRT_PWCET_LEAST_VALUES) {
            continue;
        }
        count++;
        names = with_name(names, worst->workload, arena);
        names = beside != NULL && strcmp(beside, "nothing") != 0 ? with_name(names, beside, arena) : names;
    }
    if (count > 0) {
        print_paragraph(
            grt_format(arena,
                       "%zu of %zu series have fewer than %d runs, since no time was left or no more "
                       "were asked for. With more time: gpurt-calib measure -o FILE --only=clock,worst "
                       "--workloads=%s --worst-samples=10000 --budget=30min; `gpurt-calib worst` and "
                       "`fit` take that file",
                       count, fit->worst_count, (int)GRT_PWCET_LEAST_VALUES, names),
            style, out);
    }
}

static void print_host_costs(const struct grt_fit *fit, const struct grt_style *style,
                             struct grt_arena *arena, FILE *out) {
    const char *member = grt_host_costs_member(fit, arena);
    if (member != NULL) {
        fprintf(out, "\nWhat the host computes:\n  %s\n", member);
        print_paragraph(grt_host_costs_about, style, out);
    }
}

/* Of pairs the range only: there are dozens. */
static void print_slowdowns(const struct grt_fit *fit, const struct grt_style *style, struct grt_arena *arena,
                            FILE *out) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < fit->slowdown_count; i++) {
        least = fmin(least, fit->slowdowns[i].factor);
        most = fmax(most, fit->slowdowns[i].factor);
    }
    if (fit->slowdown_count > 0) {
        fputs("\nKernels side by side:\n", out);
        print_paragraph(
            grt_format(arena,
                       "%zu pairs, %.2f to %.2f times as long as without the other one; `gpurt-calib "
                       "report` lists them all, --json writes them, and --device-file has those that a "
                       "simulation needs",
                       fit->slowdown_count, least, most),
            style, out);
    }
}

static void print_hows(const struct grt_fit *fit, const struct grt_style *style, struct grt_arena *arena,
                       FILE *out) {
    fputs("\nHow:\n", out);
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (finding->why == NULL && finding->how != NULL && !is_told_apart(finding)) {
            print_paragraph(grt_format(arena, "%s: %s", finding->name, finding->how), style, out);
        }
    }
}

void grt_findings_print(const struct grt_fit *fit, const struct grt_style *style, bool with_how, FILE *out) {
    struct grt_arena arena = {0};
    print_known(fit, style, out);
    if (with_how) {
        print_hows(fit, style, &arena, out);
    }
    print_slowdowns(fit, style, &arena, out);
    print_host_costs(fit, style, &arena, out);
    for (size_t i = 0; i < fit->worst_count; i++) {
        fputs(i == 0 ? "\nLongest times:\n" : "", out);
        print_worst(&fit->worst[i], style, &arena, out);
    }
    print_worst_hint(fit, style, &arena, out);
    size_t count;
    const char *const *missing = grt_findings_missing(fit, &count, &arena);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "\nNot found:\n" : "", out);
        print_paragraph(missing[i], style, out);
    }
    for (size_t i = 0; i < fit->warning_count; i++) {
        fputs(i == 0 ? "\nWarnings:\n" : "", out);
        print_paragraph(fit->warnings[i], style, out);
    }
    grt_arena_clear(&arena);
}
