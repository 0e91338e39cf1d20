#include "viz/gantt/chart.h"

#include <string.h>

#define CLAIMED (UINT64_C(1) << 63)

struct grt_gantt_cell *grt_gantt_add_row(struct grt_gantt_chart *chart, const char *label) {
    if (chart->row_count == chart->row_capacity) {
        chart->rows =
            grt_array_grow(chart->rows, &chart->row_capacity, chart->row_count + 1, sizeof *chart->rows);
    }
    struct grt_gantt_row *row = &chart->rows[chart->row_count++];
    row->label = grt_arena_text(&chart->arena, label);
    row->cells = grt_arena_array(&chart->arena, chart->column_count, sizeof *row->cells);
    return row->cells;
}

static void set_cell(struct grt_gantt_cell *cell, enum grt_gantt_sign sign, uint32_t task) {
    cell->sign = (uint8_t)sign;
    cell->task = (uint16_t)task;
}

static uint64_t rank_of(const struct grt_gantt_chart *chart, const struct grt_gantt_slice *slice,
                        uint32_t column) {
    return slice->priority > 0 ? slice->priority
                               : 1 + (uint64_t)grt_gantt_overlap(chart, column, slice->start, slice->end);
}

static void paint_cell(struct grt_gantt_cell *cell, const struct grt_gantt_slice *slice, uint64_t score) {
    if (cell->score < score) {
        cell->score = score;
        set_cell(cell, slice->sign, slice->task);
    }
}

/* Of its one or two columns a short slice takes the one that it fills more, or else the other. */
static void claim_column(const struct grt_gantt_chart *chart, struct grt_gantt_cell *cells,
                         const struct grt_gantt_slice *slice, uint32_t first, uint32_t last) {
    grt_time in_first = grt_gantt_overlap(chart, first, slice->start, slice->end);
    grt_time in_last = grt_gantt_overlap(chart, last, slice->start, slice->end);
    uint32_t better = in_last > in_first ? last : first, other = first + last - better;
    uint32_t column = cells[better].score < (CLAIMED | rank_of(chart, slice, better)) ? better : other;
    paint_cell(&cells[column], slice, CLAIMED | rank_of(chart, slice, column));
}

void grt_gantt_paint(const struct grt_gantt_chart *chart, struct grt_gantt_cell *cells,
                     const struct grt_gantt_slice *slice) {
    grt_time start = slice->start, end = slice->end;
    uint32_t first, last;
    if (!grt_gantt_clip(chart, &start, &end, &first, &last)) {
        return;
    }
    for (uint32_t column = first; column <= last; column++) {
        paint_cell(&cells[column], slice, rank_of(chart, slice, column));
    }
    if (slice->keep_short && last - first < 2) {
        claim_column(chart, cells, slice, first, last);
    }
}

void grt_gantt_mark(const struct grt_gantt_chart *chart, struct grt_gantt_cell *cells, grt_time instant,
                    enum grt_gantt_sign sign) {
    if (instant < chart->options.from || instant > chart->options.to) {
        return;
    }
    struct grt_gantt_cell *cell = &cells[grt_gantt_column(chart, instant)];
    bool both = (cell->sign == GRT_SIGN_RELEASE && sign == GRT_SIGN_DEADLINE) ||
                (cell->sign == GRT_SIGN_DEADLINE && sign == GRT_SIGN_RELEASE);
    if (both) {
        set_cell(cell, GRT_SIGN_RELEASE_AND_DEADLINE, 0);
    } else if (sign > cell->sign) {
        set_cell(cell, sign, 0);
    }
}

char grt_gantt_letter(uint32_t task) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return task < sizeof letters - 1 ? letters[task] : '*';
}
