/* How kernels slow each other, as tables of a page: small ones to see what is beside what, and one with all there is to say. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/report/page.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"

/* Matrices of more workloads would be too wide for a page. */
enum { MOST_COLUMNS = 16 };

static bool is_shared(const struct grt_fitted_slowdown *slowdown) {
    return slowdown->beside_sms == 0;
}

static bool is_filtered(const struct grt_fitted_slowdown *slowdown) {
    return slowdown->how != NULL && strcmp(slowdown->how, "filter") == 0;
}

static int by_number(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* On SMs of their own first, the most equal parts before others, and contexts before filters. */
static int by_way(const struct grt_fitted_slowdown *a, const struct grt_fitted_slowdown *b) {
    int order = is_shared(a) - is_shared(b);
    order = order != 0 ? order : by_number(llabs(a->sms - a->beside_sms), llabs(b->sms - b->beside_sms));
    order = order != 0 ? order : by_number(b->sms, a->sms);
    return order != 0 ? order : is_filtered(a) - is_filtered(b);
}

static int by_pair(const void *left, const void *right) {
    const struct grt_fitted_slowdown *a = *(const struct grt_fitted_slowdown *const *)left;
    const struct grt_fitted_slowdown *b = *(const struct grt_fitted_slowdown *const *)right;
    int order = strcmp(a->workload, b->workload);
    order = order != 0 ? order : strcmp(a->beside, b->beside);
    return order != 0 ? order : by_way(a, b);
}

static int by_way_and_pair(const void *left, const void *right) {
    const struct grt_fitted_slowdown *a = *(const struct grt_fitted_slowdown *const *)left;
    const struct grt_fitted_slowdown *b = *(const struct grt_fitted_slowdown *const *)right;
    int order = by_way(a, b);
    return order != 0 ? order : by_pair(left, right);
}

/* ---- matrices ---- */

static void put_way(struct grt_page *page, const struct grt_fitted_slowdown *slowdown) {
    if (is_shared(slowdown)) {
        fputs("\nBoth on all SMs, against the kernel's time alone; waiting for room is in it, which a "
              "simulation adds by itself. Rows: the kernel; columns: what runs beside it.\n\n",
              page->out);
        return;
    }
    fprintf(page->out,
            "\nOn %" PRId64 " SMs beside %" PRId64 " others (%s). Rows: the kernel; columns: what runs "
            "beside it.\n\n",
            slowdown->sms, slowdown->beside_sms,
            is_filtered(slowdown) ? "filter in the kernel" : "green contexts");
}

/* Names of what runs beside, each once, in the order of their names. */
static size_t columns_of(const struct grt_fitted_slowdown *const *rows, size_t count,
                         const char *columns[MOST_COLUMNS]) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        while (place < found && strcmp(columns[place], rows[i]->beside) < 0) {
            place++;
        }
        if (place < found && strcmp(columns[place], rows[i]->beside) == 0) {
            continue;
        }
        if (found == MOST_COLUMNS) {
            return 0;
        }
        memmove(columns + place + 1, columns + place, (found - place) * sizeof columns[0]);
        columns[place] = rows[i]->beside;
        found++;
    }
    return found;
}

static void put_cells(struct grt_page *page, const struct grt_fitted_slowdown *const *rows, size_t count,
                      const char *const columns[MOST_COLUMNS], size_t column_count) {
    for (size_t i = 0; i < count;) {
        const char *kernel = rows[i]->workload;
        fputs("| ", page->out);
        grt_markdown_put(page->out, kernel);
        for (size_t column = 0; column < column_count; column++) {
            bool here = i < count && strcmp(rows[i]->workload, kernel) == 0 &&
                        strcmp(rows[i]->beside, columns[column]) == 0;
            fputs(" | ", page->out);
            if (here) {
                fprintf(page->out, "%.2fx", rows[i]->factor);
                i++;
            }
        }
        fputs(" |\n", page->out);
    }
}

/* Rows of one way to share the SMs, by workload and what is beside. */
static void put_matrix(struct grt_page *page, const struct grt_fitted_slowdown *const *rows, size_t count) {
    const char *columns[MOST_COLUMNS];
    size_t column_count = columns_of(rows, count, columns);
    if (column_count == 0) {
        return;
    }
    put_way(page, rows[0]);
    fputs("| beside", page->out);
    for (size_t column = 0; column < column_count; column++) {
        fputs(" | ", page->out);
        grt_markdown_put(page->out, columns[column]);
    }
    fputs(" |\n|---", page->out);
    for (size_t column = 0; column < column_count; column++) {
        fputs("|---", page->out);
    }
    fputs("|\n", page->out);
    put_cells(page, rows, count, columns, column_count);
}

/* ---- all pairs ---- */

static const char *longest_text(const struct grt_page *page, const struct grt_fitted_slowdown *slowdown) {
    return isfinite(slowdown->p99)
               ? grt_format(page->arena, "99 %%: %.2fx", slowdown->p99)
               : grt_format(page->arena, "longest of %zu: %.2fx", slowdown->samples, slowdown->longest);
}

static void put_pair(struct grt_page *page, const struct grt_fitted_slowdown *slowdown) {
    struct grt_arena *arena = page->arena;
    bool known = isfinite(slowdown->low);
    fputs("| ", page->out);
    grt_markdown_put(page->out, slowdown->workload);
    fputs(" | ", page->out);
    grt_markdown_put(page->out, slowdown->beside);
    fprintf(page->out, " | %" PRId64 "%s | %s | %.2fx | %s | %.2fx | %s | %s |\n", slowdown->sms,
            is_filtered(slowdown) ? ", by filter" : "",
            is_shared(slowdown) ? "the same" : grt_format(arena, "%" PRId64, slowdown->beside_sms),
            slowdown->factor, known ? grt_format(arena, "%.3f to %.3f", slowdown->low, slowdown->high) : "-",
            slowdown->over_alone, longest_text(page, slowdown),
            slowdown->is_separate ? "its blocks, or alone" : "alone");
}

static void put_pairs(struct grt_page *page, const struct grt_fitted_slowdown *const *rows, size_t count) {
    fputs("\nAll pairs:\n\n| kernel | beside | SMs | the other's SMs | takes | 95 % interval | over alone "
          "there | longest runs | against |\n|---|---|---|---|---|---|---|---|---|\n",
          page->out);
    for (size_t i = 0; i < count; i++) {
        put_pair(page, rows[i]);
    }
    fputs(
        "\nAgainst its blocks: what a simulation says of the kernel alone on these SMs by the times that its "
        "blocks have on the whole device, or its time alone there where that is longer. The device file gets "
        "such pairs on the most equal SMs whose interval is above 1. A factor against its time alone goes "
        "into no file.\n",
        page->out);
}

void grt_page_write_slowdowns(struct grt_page *page) {
    const struct grt_fit *fit = page->fit;
    size_t count = fit->slowdown_count;
    if (count == 0) {
        return;
    }
    const struct grt_fitted_slowdown **rows = grt_arena_array(page->arena, count, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i] = &fit->slowdowns[i];
    }
    qsort(rows, count, sizeof *rows, by_way_and_pair);
    for (size_t first = 0, i = 1; i <= count; i++) {
        if (i == count || by_way(rows[i], rows[first]) != 0) {
            put_matrix(page, rows + first, i - first);
            first = i;
        }
    }
    qsort(rows, count, sizeof *rows, by_pair);
    put_pairs(page, rows, count);
}
