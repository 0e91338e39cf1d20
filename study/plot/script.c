#include "study/plot/script.h"

#include <math.h>

#include "study/plot/layout.h"
#include "study/plot/palette.h"
#include "study/plot/text.h"

/* ---- terminals ---- */

/* How many of its units a terminal has per mm, and how thick its lines are at 1: measured in pictures of gnuplot 5.4. */
struct terminal {
    const char *name, *unit;
    double per_mm; /* of the size */
    double font;   /* of 8 points */
    double line;   /* linewidth that makes 1 a point thick */
    double mark;   /* pointsize of a mark of usual size */
    const char *rest;
};

static const struct terminal terminals[GRT_PLOT_FORMATS] = {
    [GRT_PLOT_SVG] = {"svg", "", 96 / 25.4, 8.0 * 96 / 72, 96.0 / 72, 0.5, "background '#ffffff'"},
    [GRT_PLOT_PDF] = {"pdfcairo", "cm", 0.1, 8, 2, 0.5, "fontscale 0.75"},
    [GRT_PLOT_PNG] = {"pngcairo", "", 300 / 25.4, 8, 300.0 / 72, 1.7, "fontscale 3.125 background '#ffffff'"},
};

/* A script in the making. */
struct script {
    FILE *out;
    const struct grt_figure *figure;
    const struct terminal *terminal;
    struct grt_plot_layout layout;
};

static void number(FILE *out, double value) {
    char text[GRT_DOUBLE_TEXT_SIZE];
    fputs(grt_double_text(value, text), out);
}

static void write_terminal(const struct script *script) {
    const struct terminal *terminal = script->terminal;
    fprintf(script->out,
            "set encoding utf8\nset terminal %s noenhanced size %.6g%s,%.6g%s font 'sans-serif,%.6g' ",
            terminal->name, script->layout.width * terminal->per_mm, terminal->unit,
            script->layout.height * terminal->per_mm, terminal->unit, terminal->font);
    fprintf(script->out, "linewidth %.6g %s\n", terminal->line, terminal->rest);
}

/* ---- data ---- */

/* Marks of several lines over one name stand beside each other. */
static double shift_of(const struct grt_figure *figure, size_t line) {
    double count = (double)figure->line_count;
    return figure->joined ? 0 : ((double)line - (count - 1) / 2) * fmin(0.8 / count, 0.16);
}

static bool is_gap(const struct grt_figure_line *line, size_t i) {
    return i >= line->count || isnan(line->points[i].y);
}

/* Points that lines do not reach: those between gaps, and all where nothing is joined. */
static bool is_alone(const struct grt_figure *figure, const struct grt_figure_line *line, size_t i) {
    return !figure->joined || ((i == 0 || is_gap(line, i - 1)) && is_gap(line, i + 1));
}

static bool has_interval(const struct grt_figure_point *point) {
    return isfinite(point->low) && isfinite(point->high);
}

/* A logarithmic axis has no place for what is not above 0: the interval goes down to its end. */
static double lowest_shown(const struct grt_figure *figure, double low) {
    return figure->y_log && low < figure->y_from ? figure->y_from : low;
}

static void write_point(const struct script *script, const struct grt_figure_point *point, double shift) {
    number(script->out, point->x + shift);
    fputc(' ', script->out);
    number(script->out, point->y);
    if (script->figure->bands && has_interval(point)) {
        fputc(' ', script->out);
        number(script->out, lowest_shown(script->figure, point->low));
        fputc(' ', script->out);
        number(script->out, point->high);
    }
    fputc('\n', script->out);
}

static bool has_interval_at(const struct grt_figure_line *line, size_t i) {
    return !is_gap(line, i) && has_interval(&line->points[i]);
}

/* Intervals that no band reaches. */
static bool is_bar(const struct grt_figure *figure, const struct grt_figure_line *line, size_t i) {
    bool neighbours = (i > 0 && has_interval_at(line, i - 1)) || has_interval_at(line, i + 1);
    return figure->bands && has_interval_at(line, i) && (!figure->joined || !neighbours);
}

/* What the data of a line are used for. */
struct parts {
    bool line, band, bars;
    bool broken; /* the band: some points have no interval */
    size_t points;
};

static struct parts parts_of(const struct grt_figure *figure, const struct grt_figure_line *line) {
    struct parts parts = {0};
    for (size_t i = 0; i < line->count; i++) {
        if (is_gap(line, i)) {
            continue;
        }
        bool interval = has_interval(&line->points[i]), bar = is_bar(figure, line, i);
        parts.points++;
        parts.line = parts.line || !is_alone(figure, line, i);
        parts.bars = parts.bars || bar;
        parts.band = parts.band || (figure->bands && figure->joined && interval && !bar);
        parts.broken = parts.broken || !interval;
    }
    return parts;
}

/* A block of the points of a line that are chosen, an empty line in each gap. */
static void write_block(const struct script *script, char letter, size_t panel, size_t number_of_line,
                        bool (*chosen)(const struct grt_figure *figure, const struct grt_figure_line *line,
                                       size_t i)) {
    const struct grt_figure *figure = script->figure;
    const struct grt_figure_line *line = &figure->panels[panel].lines[number_of_line];
    double shift = shift_of(figure, number_of_line);
    bool gap = false, begun = false;
    fprintf(script->out, "$%c%zu_%zu << END\n", letter, panel, number_of_line);
    for (size_t i = 0; i < line->count; i++) {
        if (chosen(figure, line, i)) {
            fputs(gap && begun ? "\n" : "", script->out);
            write_point(script, &line->points[i], shift);
            begun = true;
            gap = false;
        } else {
            gap = true;
        }
    }
    fprintf(script->out, "END\n");
}

static bool is_point(const struct grt_figure *figure, const struct grt_figure_line *line, size_t i) {
    (void)figure;
    return !is_gap(line, i);
}

static bool is_in_band(const struct grt_figure *figure, const struct grt_figure_line *line, size_t i) {
    return has_interval_at(line, i) && !is_bar(figure, line, i);
}

/* $dP_L has the points of line L in panel P; $bP_L those of its band, where that is not all of them; $eP_L those that get bars. */
static void write_data(const struct script *script, size_t panel, size_t number_of_line) {
    struct parts parts = parts_of(script->figure, &script->figure->panels[panel].lines[number_of_line]);
    if (parts.points == 0) {
        return;
    }
    write_block(script, 'd', panel, number_of_line, is_point);
    if (parts.band && parts.broken) {
        write_block(script, 'b', panel, number_of_line, is_in_band);
    }
    if (parts.bars) {
        write_block(script, 'e', panel, number_of_line, is_bar);
    }
}

/* A sample of each line for the legend: its two ends and, in another block, its mark. */
static void write_samples(const struct script *script) {
    for (size_t i = 0; i < script->figure->line_count && script->layout.entries != NULL; i++) {
        const struct grt_plot_entry *entry = &script->layout.entries[i];
        fprintf(script->out, "$s%zu << END\n%.6g %.6g\n%.6g %.6g\nEND\n", i, entry->x, entry->y,
                entry->x + GRT_PLOT_SAMPLE, entry->y);
        fprintf(script->out, "$m%zu << END\n%.6g %.6g\nEND\n", i, entry->x + GRT_PLOT_SAMPLE / 2, entry->y);
    }
}

/* ---- looks ---- */

#define LINE_WIDTH "1.1"
static struct grt_plot_pen pen_of(const struct grt_figure *figure, size_t line) {
    const struct grt_figure_key *key = &figure->keys[line];
    return grt_plot_pen(key->series, key->style, figure->style_count, figure->grey);
}

/* Hollow marks are white inside, so that lines do not cross them; their filled twins follow them in gnuplot's list. */
static bool is_hollow(int mark) {
    return mark >= 4 && mark % 2 == 0;
}

static void write_marks(const struct script *script, const char *data, const struct grt_plot_pen *pen) {
    double size = script->terminal->mark * pen->mark_size;
    if (is_hollow(pen->mark)) {
        fprintf(script->out, ", \\\n  %s with points pt %d ps %.6g lw 0.6 lc rgb '#ffffff' notitle", data,
                pen->mark + 1, size);
    }
    fprintf(script->out, ", \\\n  %s with points pt %d ps %.6g lw 0.8 lc rgb '#%06x' notitle", data,
            pen->mark, size, (unsigned)pen->colour);
}

static void write_stroke(const struct script *script, const char *data, const struct grt_plot_pen *pen) {
    fprintf(script->out, ", \\\n  %s with lines lw " LINE_WIDTH " dt %s lc rgb '#%06x' notitle", data,
            pen->dash, (unsigned)pen->colour);
}

/* ---- panels ---- */

static void write_box(const struct script *script, const struct grt_plot_box *box) {
    const struct grt_plot_layout *layout = &script->layout;
    fprintf(script->out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n",
            box->left / layout->width, box->right / layout->width);
    fprintf(script->out, "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
            box->bottom / layout->height, box->top / layout->height);
}

static void write_tics(const struct script *script, char axis, const struct grt_figure_tic *tics,
                       size_t count, bool labelled, bool turned) {
    fprintf(script->out, "set %ctics out nomirror scale 0.6,0.3 offset 0,%s %s", axis,
            axis == 'x' ? "0.35" : "0", turned ? "rotate by 40 right" : "norotate");
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? " (" : ", ", script->out);
        grt_plot_quote_tic(script->out, labelled ? tics[i].text : "");
        fputc(' ', script->out);
        number(script->out, tics[i].at);
    }
    fputs(count > 0 ? ")\n" : "\n", script->out);
    if (count == 0) {
        fprintf(script->out, "set format %c '%s'\n", axis, labelled ? "%g" : "");
    }
}

static void write_range(const struct script *script, char axis, double from, double to, bool logarithmic) {
    fprintf(script->out, "set %crange [", axis);
    number(script->out, from);
    fputc(':', script->out);
    number(script->out, to);
    fputs("]\n", script->out);
    if (logarithmic) {
        fprintf(script->out, "set logscale %c\n", axis);
    }
}

enum { MANY = 24 };

/* Of many points on a line only some have marks, at other places in each line. */
static void name_marks(const struct parts *parts, size_t panel, size_t line, char *text, size_t size) {
    enum { MARKS = 12 };
    size_t step = parts->points > MANY ? (parts->points + MARKS - 1) / MARKS : 1;
    snprintf(text, size, "$d%zu_%zu every %zu::%zu using 1:2", panel, line, step, line * 2 % step);
}

/* Many bands above each other would hide the lines. */
static double band_density(size_t lines) {
    return lines <= 5 ? 0.18 : lines <= 9 ? 0.12 : 0.07;
}

static void write_curves(const struct script *script, size_t panel) {
    const struct grt_figure *figure = script->figure;
    fprintf(script->out, "plot NaN notitle");
    for (int pass = 0; pass < 3; pass++) { /* bands below lines below marks */
        for (size_t i = 0; i < figure->line_count; i++) {
            struct parts parts = parts_of(figure, &figure->panels[panel].lines[i]);
            struct grt_plot_pen pen = pen_of(figure, i);
            char name[128];
            snprintf(name, sizeof name, "$d%zu_%zu using 1:2", panel, i);
            if (parts.points == 0) {
                continue;
            }
            if (pass == 0 && parts.band) {
                fprintf(
                    script->out,
                    ", \\\n  $%c%zu_%zu using 1:3:4 with filledcurves fs transparent solid %.2f noborder lc "
                    "rgb '#%06x' notitle",
                    parts.broken ? 'b' : 'd', panel, i, band_density(figure->line_count),
                    (unsigned)pen.colour);
            }
            if (pass == 1 && parts.line && figure->keys[i].look != GRT_FIGURE_MARKS) {
                write_stroke(script, name, &pen);
            }
            if (pass == 1 && parts.bars) {
                fprintf(script->out,
                        ", \\\n  $e%zu_%zu using 1:2:3:4 with yerrorbars pt 0 lw 0.8 dt solid lc rgb '#%06x' "
                        "notitle",
                        panel, i, (unsigned)pen.colour);
            }
            if (pass == 2 && figure->keys[i].look != GRT_FIGURE_LINE) {
                if (figure->keys[i].look != GRT_FIGURE_MARKS) {
                    name_marks(&parts, panel, i, name, sizeof name);
                } else if (parts.points > MANY) { /* where there is no line all are drawn, but small */
                    pen.mark_size /= 2;
                }
                write_marks(script, name, &pen);
            }
        }
    }
    fputc('\n', script->out);
}

static void write_panel(const struct script *script, size_t panel) {
    const struct grt_figure *figure = script->figure;
    const struct grt_plot_layout *layout = &script->layout;
    write_box(script, &layout->panels[panel]);
    write_tics(script, 'x', layout->x_tics, layout->x_tic_count, true, layout->tics_turned);
    write_tics(script, 'y', figure->y_tics, figure->y_tic_count, panel % layout->columns == 0, false);
    write_curves(script, panel);
    if (panel == 0) {
        fprintf(script->out, "unset label\n");
    }
}

/* ---- texts and legend ---- */

static void write_labels(const struct script *script) {
    static const char *const how[] = {
        [GRT_PLOT_LEFT] = "left", [GRT_PLOT_CENTRE] = "center", [GRT_PLOT_UPWARDS] = "center rotate by 90"};
    const struct grt_plot_layout *layout = &script->layout;
    for (size_t i = 0; i < layout->label_count; i++) {
        const struct grt_plot_label *label = &layout->labels[i];
        fprintf(script->out, "set label %zu ", i + 1);
        grt_plot_quote(script->out, label->text);
        fprintf(script->out, " at screen %.6f,%.6f %s\n", label->x / layout->width, label->y / layout->height,
                how[label->how]);
    }
}

static void write_legend(const struct script *script) {
    const struct grt_figure *figure = script->figure;
    const struct grt_plot_layout *layout = &script->layout;
    if (layout->entries == NULL) {
        return;
    }
    write_box(script, &(struct grt_plot_box){0, layout->width, 0, layout->height});
    fprintf(
        script->out,
        "unset border\nunset tics\nunset grid\nunset logscale\nset xrange [0:%.6g]\nset yrange [0:%.6g]\n",
        layout->width, layout->height);
    fprintf(script->out, "plot NaN notitle");
    for (size_t i = 0; i < figure->line_count; i++) {
        struct grt_plot_pen pen = pen_of(figure, i);
        char name[128];
        if (figure->joined && figure->keys[i].look != GRT_FIGURE_MARKS) {
            snprintf(name, sizeof name, "$s%zu using 1:2", i);
            write_stroke(script, name, &pen);
        }
        if (figure->keys[i].look != GRT_FIGURE_LINE) {
            snprintf(name, sizeof name, "$m%zu using 1:2", i);
            write_marks(script, name, &pen);
        }
    }
    fputc('\n', script->out);
}

static void write_all(const struct script *script) {
    const struct grt_figure *figure = script->figure;
    fprintf(script->out, "# A figure by gpurt " GRT_VERSION
                         ". gnuplot writes it to its standard output: gnuplot -d THIS > FIGURE\n");
    for (size_t i = 0; i < figure->panel_count; i++) {
        for (size_t j = 0; j < figure->line_count; j++) {
            write_data(script, i, j);
        }
    }
    write_samples(script);
    write_terminal(script);
    fprintf(script->out,
            "set multiplot\nunset key\nset border 3 lw 0.6\nset grid ytics back lt 1 lw 0.4 lc rgb "
            "'#d9d9d9'\nset errorbars small\n");
    write_range(script, 'x', figure->x_from, figure->x_to, figure->x_log);
    write_range(script, 'y', figure->y_from, figure->y_to, figure->y_log);
    write_labels(script);
    for (size_t i = 0; i < figure->panel_count; i++) {
        write_panel(script, i);
    }
    write_legend(script);
    fprintf(script->out, "unset multiplot\n");
}

bool grt_plot_script(const struct grt_figure *figure, enum grt_plot_format format, FILE *out,
                     struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct script script = {.out = out, .figure = figure, .terminal = &terminals[format]};
    bool fits = grt_plot_lay_out(figure, &arena, &script.layout, errors);
    if (fits) {
        write_all(&script);
    }
    grt_arena_clear(&arena);
    return fits;
}
