#include "study/plot/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/plot/scale.h"
#include "study/plot/text.h"

#define EM GRT_PLOT_EM
#define LINE (1.25 * EM) /* from one line of text to the next */
#define LEAST_WIDTH 12.0 /* of a panel, mm */
#define LEAST_HEIGHT 10.0
#define TIC_SPACE (1.0 * EM) /* from an axis to its labels' edge: the tic and a gap */
#define TURN 0.766           /* the cosine of the 40 degrees that labels are turned by */
#define TURN_HEIGHT 0.643    /* and the sine */

/* A label broken into lines. */
struct block {
    const char *lines[GRT_PLOT_TEXT_LINES];
    size_t count;
};

/* What stands around the panels, in mm, and what is in it. */
struct frame {
    const struct grt_figure *figure;
    struct grt_plot_layout *layout;
    struct grt_plot_label *labels;
    struct block title, x_label, y_label;
    size_t rows;             /* of panels */
    double left, right, gap; /* gap: between columns of panels */
    double above;            /* each panel: its label */
    double below;            /* each panel: labels of tics */
    double top, bottom;      /* the title; x's label and the legend */
    size_t legend_columns, legend_rows;
    double legend_x[GRT_PLOT_LINES + 1]; /* where its columns begin, the first at 0, and the last ends */
    double panel_width, panel_height;
};

static double block_height(const struct block *block) {
    return block->count > 0 ? (double)block->count * LINE + 0.4 * EM : 0;
}

static struct block wrap(struct grt_arena *arena, const char *text, double width) {
    struct block block = {0};
    block.count = grt_plot_wrap(arena, text, width / EM, GRT_PLOT_TEXT_LINES, block.lines);
    return block;
}

static double widest(const struct grt_figure_tic *tics, size_t count) {
    double width = 0;
    for (size_t i = 0; i < count; i++) {
        width = fmax(width, grt_plot_text_width(tics[i].text) * EM);
    }
    return width;
}

/* ---- tics of x ---- */

static double place_of(const struct grt_figure *figure, double x, double width) {
    return figure->x_log ? log(x / figure->x_from) / log(figure->x_to / figure->x_from) * width
                         : (x - figure->x_from) / (figure->x_to - figure->x_from) * width;
}

static int compare_tics(const void *a, const void *b) {
    const struct grt_figure_tic *one = a, *other = b;
    return (one->at > other->at) - (one->at < other->at);
}

/* Whether the labels of sorted tics stand apart: side by side, or askew one above the other. */
static bool stand_apart(const struct grt_figure *figure, const struct grt_figure_tic *tics, size_t count,
                        double width, bool turned) {
    for (size_t i = 1; i < count; i++) {
        double between = place_of(figure, tics[i].at, width) - place_of(figure, tics[i - 1].at, width);
        double one = grt_plot_text_width(tics[i - 1].text), other = grt_plot_text_width(tics[i].text);
        double needed = turned ? EM / TURN_HEIGHT : ((one + other) / 2 + 0.4) * EM;
        if (between < needed) {
            return false;
        }
    }
    return true;
}

/* Tics at round numbers, as many as there is room for. */
static void round_tics(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    struct grt_arena *arena = frame->layout->arena;
    for (int wanted = 6; wanted > 0; wanted--) {
        double step = grt_plot_step(figure->x_to - figure->x_from, wanted);
        double first = ceil(figure->x_from / step - 1e-9), last = floor(figure->x_to / step + 1e-9);
        size_t count = last >= first ? (size_t)(last - first) + 1 : 0;
        struct grt_figure_tic *tics = grt_arena_array(arena, count + 1, sizeof *tics);
        for (size_t i = 0; i < count; i++) {
            char text[GRT_DOUBLE_TEXT_SIZE];
            tics[i].at = (first + (double)i) * step;
            snprintf(text, sizeof text, "%.10g", tics[i].at);
            tics[i].text = grt_arena_text(arena, text);
        }
        frame->layout->x_tics = tics;
        frame->layout->x_tic_count = count;
        if (stand_apart(figure, tics, count, frame->panel_width, false)) {
            return;
        }
    }
}

static void choose_x_tics(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    struct grt_plot_layout *layout = frame->layout;
    size_t count = figure->x_tic_count;
    struct grt_figure_tic *tics = grt_arena_array(layout->arena, count + 1, sizeof *tics);
    for (size_t i = 0; i < count; i++) {
        tics[i] = figure->x_tics[i];
    }
    qsort(tics, count, sizeof *tics, compare_tics);
    layout->x_tics = tics;
    layout->x_tic_count = count;
    layout->tics_turned = false;
    if (count > 0 && stand_apart(figure, tics, count, frame->panel_width, false)) {
        return;
    }
    if (figure->x_names) {
        layout->tics_turned = true;
    } else if (!figure->x_log) {
        round_tics(frame);
    } else {
        layout->x_tic_count = 0;
    }
}

/* ---- the space that things need ---- */

static double y_tic_width(const struct grt_figure *figure) {
    const struct grt_figure_tic usual = {0, "0.001"};
    return figure->y_tic_count > 0 ? widest(figure->y_tics, figure->y_tic_count) : widest(&usual, 1);
}

/* Names that are turned begin left of their panel. */
static double turned_overhang(const struct frame *frame) {
    if (!frame->layout->tics_turned || frame->layout->x_tic_count == 0) {
        return 0;
    }
    const struct grt_figure_tic *first = &frame->layout->x_tics[0];
    return grt_plot_text_width(first->text) * EM * TURN -
           place_of(frame->figure, first->at, frame->panel_width);
}

static void size_sides(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    frame->left = 0.4 * EM + block_height(&frame->y_label) + y_tic_width(figure) + TIC_SPACE;
    double last = figure->x_tic_count > 0 && !frame->layout->tics_turned
                      ? grt_plot_text_width(figure->x_tics[figure->x_tic_count - 1].text) * EM / 2
                      : EM;
    frame->right = fmin(fmax(0.8 * EM, last), 3 * EM);
    frame->gap = 1.8 * EM;
    double columns = (double)frame->layout->columns;
    frame->panel_width =
        (frame->layout->width - frame->left - frame->right - frame->gap * (columns - 1)) / columns;
}

#define ENTRY_SPACE (GRT_PLOT_SAMPLE + 2.0 * EM) /* of an entry beside its label */

/* Puts the entries into so many columns, row by row, each as wide as its widest label; returns the width of all. */
static double set_legend_columns(struct frame *frame, size_t columns) {
    const struct grt_figure *figure = frame->figure;
    for (size_t column = 0; column < columns; column++) {
        double width = 0;
        for (size_t i = column; i < figure->line_count; i += columns) {
            width = fmax(width, grt_plot_text_width(figure->keys[i].label) * EM);
        }
        frame->legend_x[column + 1] = frame->legend_x[column] + width + ENTRY_SPACE;
    }
    frame->legend_columns = columns;
    frame->legend_rows = (figure->line_count + columns - 1) / columns;
    return frame->legend_x[columns];
}

/* As many columns as fit, and of those that need as few rows the fewest: even rows. */
static void size_legend(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    const double room = frame->layout->width - EM;
    if (!figure->legend) {
        return;
    }
    size_t columns = figure->line_count;
    while (columns > 1 && set_legend_columns(frame, columns) > room) {
        columns--;
    }
    size_t rows = (figure->line_count + columns - 1) / columns;
    size_t even = (figure->line_count + rows - 1) / rows;
    if (set_legend_columns(frame, even) > room) {
        set_legend_columns(frame, columns);
    }
    frame->legend_x[1] = frame->legend_columns == 1 ? fmin(frame->legend_x[1], room) : frame->legend_x[1];
}

static void size_around(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    struct grt_plot_layout *layout = frame->layout;
    double turned = layout->tics_turned ? widest(layout->x_tics, layout->x_tic_count) * TURN_HEIGHT : 0;
    frame->top = block_height(&frame->title) + 0.7 * EM;
    frame->above = figure->panels[0].label[0] != '\0' ? 1.9 * EM : 0;
    frame->below = TIC_SPACE + fmax(LINE, turned + 0.5 * EM) + 0.3 * EM;
    frame->bottom = block_height(&frame->x_label) + (double)frame->legend_rows * LINE +
                    (frame->legend_rows > 0 ? 0.9 * EM : 0) + 0.3 * EM;
}

/* ---- the size of the whole ---- */

/* A column of a paper, or its whole width; between them for what is too much for a column. */
static double usual_width(const struct grt_figure *figure, size_t columns) {
    const size_t many = 10;
    return columns > 2 ? 181 : columns == 2 || figure->line_count > many ? 140 : 88;
}

static double usual_panel_height(const struct frame *frame) {
    const size_t many = 10;
    if (frame->rows == 1 && frame->layout->columns == 1 && frame->figure->line_count > many) {
        return 70;
    }
    return frame->rows > 1 ? 36 : frame->layout->columns > 1 ? 42 : 48;
}

static void size_height(struct frame *frame) {
    double rows = (double)frame->rows,
           around = frame->top + frame->bottom + (frame->above + frame->below) * rows;
    if (frame->figure->height_mm > 0) {
        frame->layout->height = frame->figure->height_mm;
        frame->panel_height = (frame->layout->height - around) / rows;
    } else {
        frame->panel_height = usual_panel_height(frame);
        frame->layout->height = around + frame->panel_height * rows;
    }
}

static void size_all(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    struct grt_plot_layout *layout = frame->layout;
    enum { WIDEST = 4 };
    frame->rows = (figure->panel_count + WIDEST - 1) / WIDEST;
    layout->columns = (figure->panel_count + frame->rows - 1) / frame->rows;
    layout->width = figure->width_mm > 0 ? figure->width_mm : usual_width(figure, layout->columns);
    frame->title = wrap(layout->arena, figure->title, layout->width - 2 * EM);
    size_legend(frame);
    for (int pass = 0; pass < 2;
         pass++) { /* y's label is broken by the height, which follows from the rest */
        size_sides(frame);
        choose_x_tics(frame);
        double lacking = turned_overhang(frame) - frame->left + 0.4 * EM;
        if (lacking > 0) {
            frame->left += fmin(lacking, layout->width / 4);
            frame->panel_width =
                (layout->width - frame->left - frame->right - frame->gap * ((double)layout->columns - 1)) /
                (double)layout->columns;
        }
        frame->x_label = wrap(layout->arena, figure->x_label, layout->width - 2 * EM);
        size_around(frame);
        size_height(frame);
        frame->y_label = wrap(layout->arena, figure->y_label, layout->height - frame->bottom - EM);
    }
}

/* ---- places ---- */

static void add_label(struct frame *frame, double x, double y, const char *text,
                      enum grt_plot_direction how) {
    struct grt_plot_label *label = &frame->labels[frame->layout->label_count++];
    label->x = x;
    label->y = y;
    label->text = text;
    label->how = how;
}

static void place_panels(struct frame *frame) {
    struct grt_plot_layout *layout = frame->layout;
    const struct grt_figure *figure = frame->figure;
    struct grt_plot_box *boxes = grt_arena_array(layout->arena, figure->panel_count, sizeof *boxes);
    for (size_t i = 0; i < figure->panel_count; i++) {
        size_t column = i % layout->columns, row = i / layout->columns;
        double left = frame->left + (double)column * (frame->panel_width + frame->gap);
        double top = layout->height - frame->top - frame->above -
                     (double)row * (frame->above + frame->panel_height + frame->below);
        boxes[i] = (struct grt_plot_box){left, left + frame->panel_width, top - frame->panel_height, top};
        const char *text = figure->panels[i].label;
        if (text[0] != '\0') {
            struct block block = {0};
            double room = frame->panel_width + frame->gap * 0.8;
            block.count = grt_plot_wrap(layout->arena, text, room / EM, 1, block.lines);
            add_label(frame, (boxes[i].left + boxes[i].right) / 2, top + 0.95 * EM, block.lines[0],
                      GRT_PLOT_CENTRE);
        }
    }
    layout->panels = boxes;
}

static void place_labels(struct frame *frame) {
    const struct grt_plot_layout *layout = frame->layout;
    double across = (frame->left + layout->width - frame->right) / 2;
    double up = (layout->panels[frame->figure->panel_count - 1].bottom + layout->panels[0].top) / 2;
    for (size_t i = 0; i < frame->title.count; i++) {
        add_label(frame, layout->width / 2, layout->height - 0.5 * EM - ((double)i + 0.5) * LINE,
                  frame->title.lines[i], GRT_PLOT_CENTRE);
    }
    for (size_t i = 0; i < frame->x_label.count; i++) {
        add_label(frame, across, frame->bottom - ((double)i + 0.5) * LINE, frame->x_label.lines[i],
                  GRT_PLOT_CENTRE);
    }
    for (size_t i = 0; i < frame->y_label.count; i++) {
        add_label(frame, 0.4 * EM + ((double)i + 0.5) * LINE, up, frame->y_label.lines[i], GRT_PLOT_UPWARDS);
    }
}

static void place_legend(struct frame *frame) {
    const struct grt_figure *figure = frame->figure;
    struct grt_plot_layout *layout = frame->layout;
    struct grt_plot_entry *entries = grt_arena_array(layout->arena, figure->line_count, sizeof *entries);
    double left = (layout->width - frame->legend_x[frame->legend_columns]) / 2 + 0.7 * EM;
    for (size_t i = 0; i < figure->line_count && figure->legend; i++) {
        size_t column = i % frame->legend_columns, row = i / frame->legend_columns;
        entries[i].x = left + frame->legend_x[column];
        double room = frame->legend_x[column + 1] - frame->legend_x[column] - ENTRY_SPACE + 0.1 * EM;
        entries[i].y = 0.5 * EM + ((double)(frame->legend_rows - row) - 0.5) * LINE;
        const char *text[1];
        if (grt_plot_wrap(layout->arena, figure->keys[i].label, room / EM, 1, text) > 0) {
            add_label(frame, entries[i].x + GRT_PLOT_SAMPLE + 0.6 * EM, entries[i].y, text[0], GRT_PLOT_LEFT);
        }
    }
    layout->entries = figure->legend ? entries : NULL;
}

bool grt_plot_lay_out(const struct grt_figure *figure, struct grt_arena *arena,
                      struct grt_plot_layout *layout, struct grt_errors *errors) {
    *layout = (struct grt_plot_layout){.arena = arena};
    size_t most = 3 * GRT_PLOT_TEXT_LINES + figure->panel_count + figure->line_count;
    struct frame frame = {.figure = figure, .layout = layout};
    frame.labels = grt_arena_array(arena, most, sizeof *frame.labels);
    layout->labels = frame.labels;
    size_all(&frame);
    if (frame.panel_width < LEAST_WIDTH || frame.panel_height < LEAST_HEIGHT) {
        double width = layout->width + fmax(0, LEAST_WIDTH - frame.panel_width) * (double)layout->columns;
        double height = layout->height + fmax(0, LEAST_HEIGHT - frame.panel_height) * (double)frame.rows;
        grt_error_add(errors, NULL,
                      "--size: %.0fx%.0f mm leave no room between the texts: at least about %.0fx%.0f",
                      layout->width, layout->height, ceil(width), ceil(height));
        return false;
    }
    place_panels(&frame);
    place_labels(&frame);
    place_legend(&frame);
    return true;
}
