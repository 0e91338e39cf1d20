#include "calib/program/report/measured.h"

#include "calib/measure/plan.h"
#include "cli/terminal/text_table.h"

struct sums {
    size_t cells, values, dropped, dropped_for[GRT_RAW_DROPS];
};

static struct sums sums_of(const struct grt_raw *raw, const char *experiment) {
    struct sums sums = {0};
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, experiment, cell)) != NULL) {
        sums.cells++;
        sums.values += cell->count;
        sums.dropped += cell->dropped;
        for (int i = 0; i < GRT_RAW_DROPS; i++) {
            sums.dropped_for[i] += cell->dropped_for[i];
        }
    }
    return sums;
}

/* "clock 2, overlap 1"; what has no reason is said to have none. */
static const char *drops_text(const struct sums *sums, struct grt_arena *arena) {
    const char *text = "";
    size_t left = sums->dropped;
    for (int i = 0; i < GRT_RAW_DROPS; i++) {
        if (sums->dropped_for[i] > 0) {
            text = grt_format(arena, "%s%s%s %zu", text, text[0] != '\0' ? ", " : "", grt_raw_drop_names[i],
                              sums->dropped_for[i]);
            left -= sums->dropped_for[i];
        }
    }
    return left == 0 ? text
                     : grt_format(arena, "%s%sthe file does not say why %zu", text,
                                  text[0] != '\0' ? ", " : "", left);
}

void grt_measured_put(const struct grt_raw *raw, struct grt_arena *arena, FILE *out) {
    fputs("\n### What was measured\n\n| experiment | cells | values | samples dropped | why "
          "|\n|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        struct sums sums = sums_of(raw, grt_experiment_names[i]);
        if (sums.cells == 0) {
            fprintf(out, "| %s | **not measured** | | | |\n", grt_experiment_names[i]);
        } else {
            fprintf(out, "| %s | %zu | %zu | %zu | %s |\n", grt_experiment_names[i], sums.cells, sums.values,
                    sums.dropped, drops_text(&sums, arena));
        }
    }
    fputs("\nReasons: clock: the SMs ran slower than is usual; throttle: power, heat or hardware slowed the "
          "device; placement: blocks were on other SMs; overlap: what was to run beside it did not; record: "
          "a block did not say when it ended.\n",
          out);
}
