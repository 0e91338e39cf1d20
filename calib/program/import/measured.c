#include "calib/program/import/measured.h"

#include "calib/program/import/median.h"

struct grt_distribution grt_measured_spans(grt_time *values, size_t count, size_t most,
                                           struct grt_arena *arena) {
    (void)grt_median_time(values, count);
    grt_time least = values[0], greatest = values[count - 1];
    if (least == greatest) {
        return (struct grt_distribution){.kind = GRT_CONSTANT, .min = least, .max = least};
    }
    size_t kept = count < most ? count : most;
    grt_time *list = grt_arena_array(arena, kept, sizeof list[0]);
    for (size_t i = 0; i < kept; i++) {
        list[i] = values[i * (count - 1) / (kept - 1)];
    }
    struct grt_measured *measured = grt_arena_new(arena, struct grt_measured);
    *measured = (struct grt_measured){list, kept};
    return (struct grt_distribution){
        .kind = GRT_EMPIRICAL, .min = least, .max = greatest, .measured = measured};
}
