#include "calib/program/report/findings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/terminal/paragraph.h"
#include "cli/terminal/text_table.h"

/* A power of ten, or of 1024, that has a name. */
struct step {
    double size;
    const char *name;
};

static const struct step no_steps[] = {{1, ""}};
static const struct step time_steps[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
static const struct step rate_steps[] = {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}};
static const struct step frequency_steps[] = {{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}};
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
};

const char *grt_finding_number_text(double value, enum grt_finding_unit unit, struct grt_arena *arena) {
    if (!isfinite(value)) {
        return "-";
    }
    const struct step *step = units[unit].steps;
    for (size_t i = 1; i < units[unit].count && fabs(value) >= units[unit].steps[i].size; i++) {
        step = &units[unit].steps[i];
    }
    return grt_format(arena, "%.5g%s", value / step->size, step->name);
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
        bool is_pair = strcmp(finding->experiment, "together") == 0; /* dozens: they are in pages and files */
        if (finding->status == GRT_FINDING_REFUSED || finding->status == GRT_FINDING_MISSING || is_pair) {
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

static void print_paragraph(const char *name, const char *text, const struct grt_style *style, FILE *out) {
    enum { INDENT = 4 };
    int begun = fprintf(out, "  %s: ", name);
    (void)begun;
    fputc('\n', out);
    fprintf(out, "%*s", INDENT, "");
    grt_paragraph_put(out, text, INDENT, (size_t)style->width);
}

void grt_findings_print(const struct grt_fit *fit, const struct grt_style *style, FILE *out) {
    print_known(fit, style, out);
    bool headed = false;
    for (size_t i = 0; i < fit->finding_count; i++) {
        const struct grt_finding *finding = &fit->findings[i];
        if (finding->why != NULL) {
            fputs(headed ? "" : "\nNot found:\n", out);
            headed = true;
            print_paragraph(finding->name, finding->why, style, out);
        }
    }
    for (size_t i = 0; i < fit->warning_count; i++) {
        fputs(i == 0 ? "\nWarnings:\n  " : "  ", out);
        grt_paragraph_put(out, fit->warnings[i], 2, (size_t)style->width);
    }
}
