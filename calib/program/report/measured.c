#include "calib/program/report/measured.h"

#include <inttypes.h>

#include "calib/measure/plan.h"
#include "calib/raw/drops.h"
#include "cli/terminal/markdown.h"
#include "cli/terminal/text_table.h"

/* Cells that lost more than one in so many samples are named, up to so many of them. */
enum { MANY = 10, MOST_NAMED = 12 };

static void put_experiment(const struct grt_raw *raw, const char *experiment, FILE *out) {
    char drops[GRT_RAW_DROPS_TEXT_SIZE];
    struct grt_raw_sums sums = grt_raw_sums_of(raw, experiment);
    if (sums.cells == 0) {
        fprintf(out, "| %s | **not measured** | | | | |\n", experiment);
    } else {
        fprintf(out, "| %s | %zu | %zu | %zu | %zu | %s |\n", experiment, sums.cells, sums.samples,
                sums.values, sums.dropped, grt_raw_drops_text(&sums, drops));
    }
}

/* "copy: direction h2d, memory pinned, bytes 4096, beside kernel". */
static const char *cell_text(const struct grt_raw_cell *cell, struct grt_arena *arena) {
    const char *text = grt_format(arena, "%s:", cell->experiment);
    for (size_t i = 0; i < cell->key_count; i++) {
        const struct grt_raw_key *key = &cell->keys[i];
        const char *comma = i > 0 ? "," : "";
        text = key->text != NULL ? grt_format(arena, "%s%s %s %s", text, comma, key->name, key->text)
                                 : grt_format(arena, "%s%s %s %" PRId64, text, comma, key->name, key->number);
    }
    return text;
}

static void put_cells(const struct grt_raw *raw, struct grt_arena *arena, FILE *out) {
    size_t count = 0;
    for (size_t i = 0; i < raw->cell_count; i++) {
        struct grt_raw_sums sums = {0};
        char drops[GRT_RAW_DROPS_TEXT_SIZE];
        grt_raw_sums_add(&sums, &raw->cells[i]);
        if (MANY * sums.dropped <= sums.samples + sums.dropped) {
            continue;
        }
        if (count++ < MOST_NAMED) {
            fputs(count == 1 ? "\nCells of which more than a tenth was dropped:\n\n- " : "- ", out);
            grt_markdown_put(out, cell_text(&raw->cells[i], arena));
            fprintf(out, ": %zu of %zu samples: %s\n", sums.dropped, sums.samples + sums.dropped,
                    grt_raw_drops_text(&sums, drops));
        }
    }
    if (count > MOST_NAMED) {
        fprintf(out, "- and %zu more\n", count - MOST_NAMED);
    }
}

void grt_measured_put(const struct grt_raw *raw, struct grt_arena *arena, FILE *out) {
    fputs("\n### What was measured\n\n| experiment | cells | samples | values | samples dropped | why "
          "|\n|---|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        put_experiment(raw, grt_experiment_names[i], out);
    }
    fputs("\nReasons: clock: the SMs ran slower than is usual; throttle: power, heat or hardware slowed the "
          "device; placement: blocks were on other SMs, or not at the same time; overlap: what was to run "
          "beside it did not; record: "
          "a block did not say when it ended.\n",
          out);
    put_cells(raw, arena, out);
}
