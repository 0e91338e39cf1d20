#include "viz/gantt/text_gantt.h"

#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "viz/gantt/chart.h"
#include "viz/gantt/text_cells.h"

enum { GAP = 2, THREADS_TOLD = 8, THREAD_TEXT = 120 };

/* ---- How signs look ---- */

enum tint { TINT_PLAIN, TINT_DIM, TINT_ALARM, TINT_TASK };

static const struct {
    const char *utf8, *ascii;
    enum tint tint;
    const char *meaning; /* for the legend */
} signs[GRT_SIGNS] = {
    [GRT_SIGN_BLANK] = {" ", " ", TINT_PLAIN, NULL},
    [GRT_SIGN_BOOSTED] = {"═", "*", TINT_TASK, "boosted priority"},
    [GRT_SIGN_RELEASE] = {"↑", "^", TINT_PLAIN, "release"},
    [GRT_SIGN_DEADLINE] = {"↓", "v", TINT_PLAIN, "deadline"},
    [GRT_SIGN_RELEASE_AND_DEADLINE] = {"↕", "|", TINT_PLAIN, "release and deadline"},
    [GRT_SIGN_SKIP] = {"○", "o", TINT_PLAIN, "skipped job"},
    [GRT_SIGN_ABORT] = {"⊗", "X", TINT_ALARM, "abort"},
    [GRT_SIGN_MISS] = {"✗", "!", TINT_ALARM, "missed deadline"},
    [GRT_SIGN_WAIT_CORE] = {"┄", "-", TINT_DIM, "ready, waits for a core"},
    [GRT_SIGN_WAIT_GPU] = {"░", ".", TINT_DIM, "waits for the GPU"},
    [GRT_SIGN_STILL] = {"▫", "0", TINT_DIM, "kernel that stands still: a share of 0"},
    [GRT_SIGN_SERVED] = {"▒", "&", TINT_TASK, "a thread of the policy computes for it"},
    [GRT_SIGN_CALL] = {"≈", "~", TINT_TASK, "in a call"},
    [GRT_SIGN_COPY_IN] = {"»", ">", TINT_TASK, "copy to the GPU"},
    [GRT_SIGN_COPY_OUT] = {"«", "<", TINT_TASK, "copy from the GPU"},
    [GRT_SIGN_OVERHEAD] = {"·", ",", TINT_DIM, "context switch or wake-up"},
    [GRT_SIGN_SPIN] = {"↻", "@", TINT_TASK, "busy-waits for the GPU"},
    [GRT_SIGN_HOST] = {"╍", "+", TINT_TASK, "host part of a GPU segment"},
    [GRT_SIGN_CPU] = {"━", "=", TINT_TASK, "on a core"},
    [GRT_SIGN_KERNEL] = {"█", "#", TINT_TASK, "kernel"},
    [GRT_SIGN_SPIN_KERNEL] = {"▓", "$", TINT_TASK, "kernel, busy-waits for it"},
    [GRT_SIGN_TURN] = {"▬", "_", TINT_DIM, "has the SMs"},
    [GRT_SIGN_OWN] = {"◊", "%", TINT_DIM, "the policy's own"},
    [GRT_SIGN_THREAD] = {"", "", TINT_TASK, NULL},
    [GRT_SIGN_LETTER] = {"", "", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL] = {"▁", "1", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 1] = {"▂", "2", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 2] = {"▃", "3", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 3] = {"▄", "4", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 4] = {"▅", "5", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 5] = {"▆", "6", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 6] = {"▇", "7", TINT_TASK, NULL},
    [GRT_SIGN_LEVEL + 7] = {"█", "8", TINT_TASK, NULL},
};

/* Selects a colour: the parameters of ANSI's "select graphic rendition"; "" is none. Red is kept for alarms. */
static const char *colour_of(const struct grt_gantt_chart *chart, const struct grt_gantt_cell *cell) {
    uint32_t behind = cell->sign == GRT_SIGN_THREAD ? chart->task_count : 0;
    static const char *const tasks[] = {"36", "33", "35", "32", "34", "96", "93", "95", "92", "94"};
    switch (cell->late && cell->sign != GRT_SIGN_BLANK ? TINT_ALARM : signs[cell->sign].tint) {
    case TINT_DIM:
        return "2";
    case TINT_ALARM:
        return "1;31";
    case TINT_TASK:
        return tasks[(behind + cell->task) % (sizeof tasks / sizeof tasks[0])];
    case TINT_PLAIN:
        break;
    }
    return "";
}

/* ---- Cells ---- */

/* What is printed next, to begin a colour only where it changes and no blanks at the end of a line. */
struct pen {
    const struct grt_gantt_chart *chart;
    FILE *out;
    const char *colour;
    uint32_t blanks;
};

static void set_colour(struct pen *pen, const char *colour) {
    if (pen->chart->options.colour && strcmp(colour, pen->colour) != 0) {
        fprintf(pen->out, colour[0] != '\0' && pen->colour[0] == '\0' ? "\033[%sm" : "\033[0;%sm", colour);
        pen->colour = colour;
    }
}

static void put_sign(struct pen *pen, const char *text, const char *colour) {
    if (strcmp(text, " ") == 0) {
        pen->blanks++;
        return;
    }
    fprintf(pen->out, "%*s", (int)pen->blanks, "");
    pen->blanks = 0;
    set_colour(pen, colour);
    fputs(text, pen->out);
}

static void end_line(struct pen *pen) {
    if (pen->colour[0] != '\0') {
        fputs("\033[0m", pen->out);
    }
    fputc('\n', pen->out);
}

static void put_cell(struct pen *pen, const struct grt_gantt_cell *cell, uint32_t column) {
    const struct grt_gantt_chart *chart = pen->chart;
    bool utf8 = chart->options.utf8;
    if (cell->sign == GRT_SIGN_LETTER || cell->sign == GRT_SIGN_THREAD) {
        uint32_t behind = cell->sign == GRT_SIGN_THREAD ? chart->task_count : 0;
        put_sign(pen, (char[]){grt_gantt_letter(behind + cell->task), '\0'}, colour_of(chart, cell));
    } else if (cell->sign != GRT_SIGN_BLANK) {
        put_sign(pen, utf8 ? signs[cell->sign].utf8 : signs[cell->sign].ascii, colour_of(chart, cell));
    } else if (grt_gantt_has_tick(chart, column)) {
        put_sign(pen, utf8 ? "┊" : ":", "2");
    } else {
        put_sign(pen, " ", "");
    }
}

static void print_row(const struct grt_gantt_chart *chart, const struct grt_gantt_row *row, FILE *out) {
    uint32_t cells = (uint32_t)grt_text_cells(row->label);
    cells = cells < chart->label_cells ? cells : chart->label_cells;
    struct pen pen = {.chart = chart, .out = out, .colour = "", .blanks = chart->label_cells - cells + GAP};
    grt_text_put(out, row->label, cells, GRT_TEXT_LEFT);
    for (uint32_t column = 0; column < chart->column_count; column++) {
        put_cell(&pen, &row->cells[column], column);
    }
    end_line(&pen);
}

/* ---- Axis ---- */

static void print_tick_numbers(const struct grt_gantt_chart *chart, FILE *out) {
    grt_time unit, tick = grt_gantt_first_tick(chart);
    const char *name = grt_gantt_tick_unit(chart, &unit);
    grt_text_put(out, name, chart->label_cells, GRT_TEXT_RIGHT);
    uint32_t used = 0, gap = GAP, room = (uint32_t)chart->options.width - chart->label_cells - GAP;
    for (; tick <= chart->options.to; tick += chart->tick_ns) {
        char text[32];
        uint32_t column = grt_gantt_column(chart, tick);
        uint32_t length = (uint32_t)snprintf(text, sizeof text, "%lld", (long long)(tick / unit));
        bool has_number = tick / chart->tick_ns % chart->ticks_per_number == 0;
        if (!has_number || column < used || column + length > room || !grt_gantt_has_tick(chart, column)) {
            continue;
        }
        fprintf(out, "%*s%s", (int)(gap + column - used), "", text);
        used = column + length;
        gap = 0;
    }
    fputc('\n', out);
}

static void print_axis(const struct grt_gantt_chart *chart, FILE *out) {
    bool utf8 = chart->options.utf8;
    print_tick_numbers(chart, out);
    fprintf(out, "%*s", (int)chart->label_cells + GAP, "");
    for (uint32_t column = 0; column < chart->column_count; column++) {
        bool tick = grt_gantt_has_tick(chart, column);
        fputs(tick ? (utf8 ? "┬" : "+") : (utf8 ? "─" : "-"), out);
    }
    fputc('\n', out);
}

static void print_heading(const struct grt_gantt_chart *chart, FILE *out) {
    char from[GRT_TIME_TEXT_SIZE], to[GRT_TIME_TEXT_SIZE], column[GRT_TIME_TEXT_SIZE];
    const char *name = grt_gantt_name(chart, GRT_NAME_RUN, 0);
    fprintf(out, "%s%s%s to %s, a column is %s\n", name, name[0] != '\0' ? ": " : "",
            grt_time_text(chart->options.from, from), grt_time_text(chart->options.to, to),
            grt_time_text(chart->column_ns, column));
}

/* ---- Legend ---- */

struct legend {
    FILE *out;
    size_t used, width;
};

static void put_entry(struct legend *legend, const char *sign, const char *meaning) {
    size_t cells = grt_text_cells(sign) + 1 + grt_text_cells(meaning);
    if (legend->used > 0 && legend->used + GAP + cells > legend->width) {
        fputc('\n', legend->out);
        legend->used = 0;
    }
    fprintf(legend->out, "%*s%s %s", legend->used > 0 ? GAP : 0, "", sign, meaning);
    legend->used += (legend->used > 0 ? GAP : 0) + cells;
}

/* The signs that are to be seen, as a bit set. */
static uint64_t signs_used(const struct grt_gantt_chart *chart) {
    uint64_t used = 0;
    for (uint32_t row = 0; row < chart->row_count; row++) {
        for (uint32_t column = 0; column < chart->column_count; column++) {
            enum grt_gantt_sign sign = chart->rows[row].cells[column].sign;
            used |= UINT64_C(1) << (sign > GRT_SIGN_LEVEL ? GRT_SIGN_LEVEL : sign);
        }
    }
    return used;
}

/* Which threads of the policy are to be seen: only those that have a letter of their own are told apart. */
static void put_threads(const struct grt_gantt_chart *chart, struct legend *legend) {
    bool used[THREADS_TOLD] = {false};
    for (uint32_t row = 0; row < chart->row_count; row++) {
        for (uint32_t column = 0; column < chart->column_count; column++) {
            const struct grt_gantt_cell *cell = &chart->rows[row].cells[column];
            if (cell->sign == GRT_SIGN_THREAD && cell->task < THREADS_TOLD) {
                used[cell->task] = true;
            }
        }
    }
    for (uint32_t thread = 0; thread < THREADS_TOLD; thread++) {
        char meaning[THREAD_TEXT];
        snprintf(meaning, sizeof meaning, "thread %s of the policy",
                 grt_gantt_name(chart, GRT_NAME_THREAD, thread));
        if (used[thread]) {
            put_entry(legend, (char[]){grt_gantt_letter(chart->task_count + thread), '\0'}, meaning);
        }
    }
}

static const char *meaning_of_levels(const struct grt_gantt_chart *chart) {
    return chart->shared_rows == 0 ? "share of the SM's threads"
           : grt_gantt_name_count(chart, GRT_NAME_SM) == 0
               ? "share of the GPU that a stream's kernels may use"
               : "share of the SM's threads, or of the GPU that a stream's kernels may use";
}

static void print_legend(const struct grt_gantt_chart *chart, FILE *out) {
    struct legend legend = {.out = out, .width = (size_t)chart->options.width};
    uint64_t used = signs_used(chart);
    bool utf8 = chart->options.utf8;
    for (int sign = 0; sign < GRT_SIGNS; sign++) {
        if (signs[sign].meaning != NULL && (used >> sign & 1) != 0) {
            put_entry(&legend, utf8 ? signs[sign].utf8 : signs[sign].ascii, signs[sign].meaning);
        }
    }
    if (used >> GRT_SIGN_THREAD & 1) {
        put_threads(chart, &legend);
    }
    if (used >> GRT_SIGN_LEVEL & 1) {
        put_entry(&legend, utf8 ? "▁ to █" : "1 to 8", meaning_of_levels(chart));
    }
    fputs(legend.used > 0 ? "\n" : "", out);
}

static void print_notes(const struct grt_gantt_chart *chart, FILE *out) {
    if (chart->hidden_tasks > 0) {
        fprintf(out, "%u more tasks are not shown\n", chart->hidden_tasks);
    }
    if (chart->hidden_rows > 0) {
        fprintf(out, "%u more rows are not shown\n", chart->hidden_rows);
    }
    if (chart->trace->cut) {
        fprintf(out, "the chart is incomplete: its trace was cut after %zu records\n",
                chart->trace->record_count);
    }
}

/* ---- The whole ---- */

static size_t longest_label(const struct grt_trace_memory *trace, bool shared) {
    size_t longest = 0;
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        size_t cells = grt_text_cells(name->text);
        if (name->kind == GRT_NAME_TASK || (name->kind == GRT_NAME_STREAM && shared)) {
            cells += 2; /* the task's letter and a blank */
        } else if (name->kind == GRT_NAME_SM) {
            cells += 4; /* "-131" of a group */
        } else if (name->kind != GRT_NAME_CORE && name->kind != GRT_NAME_ENGINE &&
                   name->kind != GRT_NAME_ROW) {
            cells = 0;
        }
        longest = cells > longest ? cells : longest;
    }
    return longest;
}

static bool any_shared(const struct grt_gantt_chart *chart) {
    bool any = false;
    for (uint32_t i = 0; i < chart->stream_count; i++) {
        any |= chart->is_shared[i];
    }
    return any;
}

void grt_text_gantt_write(const struct grt_trace_memory *trace, const struct grt_text_gantt_options *options,
                          FILE *out) {
    GRT_REQUIRE(options->from >= 0 && options->from < options->to, "draw a window that is not empty");
    struct grt_gantt_chart chart = {.trace = trace, .options = *options};
    grt_gantt_index_names(&chart);
    chart.task_count = grt_gantt_name_count(&chart, GRT_NAME_TASK);
    chart.task_count =
        chart.task_count < UINT16_MAX ? chart.task_count : UINT16_MAX; /* what records can name */
    grt_gantt_find_shares(&chart);
    grt_gantt_choose_scale(&chart, longest_label(trace, any_shared(&chart)));
    grt_gantt_find_stays(&chart);
    grt_gantt_add_tasks(&chart);
    grt_gantt_add_row(&chart, "");
    grt_gantt_add_policy(&chart);
    grt_gantt_add_cores_and_engines(&chart);
    grt_gantt_add_processes(&chart);
    grt_gantt_add_shared_streams(&chart);
    grt_gantt_add_sms(&chart);
    print_heading(&chart, out);
    print_axis(&chart, out);
    for (uint32_t i = 0; i < chart.row_count; i++) {
        print_row(&chart, &chart.rows[i], out);
    }
    print_legend(&chart, out);
    print_notes(&chart, out);
    free(chart.rows);
    grt_gantt_free_stays(&chart);
    grt_arena_clear(&chart.arena);
}
