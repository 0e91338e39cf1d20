#include <stdlib.h>

#include "calib/measure/stop.h"
#include "calib/program/import/nsys_scenario.h"

/* Shorter copies take mostly their latency. */
enum { LARGE_BYTES = 1 << 20 };

/* How far measured rates may be from the device's. */
static const double most_ratio = 1.25;

/* The median rate of large copies of a kind, in bytes per second; 0: there are none. */
static double rate_of(const struct grt_nsys_tasks *tasks, enum grt_nsys_kind kind) {
    uint32_t capacity = 0, count = 0;
    double *rates = NULL;
    for (size_t i = 0; i < tasks->count; i++) {
        const struct grt_nsys_task *task = &tasks->items[i];
        for (size_t j = 0; j < task->length * task->job_count; j++) {
            const struct grt_nsys_operation *copy = task->operations[j];
            if (copy->kind == kind && !copy->pageable && copy->bytes >= LARGE_BYTES &&
                copy->end > copy->start) {
                rates = grt_array_grow(rates, &capacity, count + 1, sizeof rates[0]);
                rates[count++] = (double)copy->bytes / (double)(copy->end - copy->start) * 1e9;
            }
        }
    }
    double median = count > 0 ? grt_median(rates, count) : 0;
    free(rates);
    return median;
}

void grt_nsys_check_copies(const struct grt_nsys_tasks *tasks, const struct grt_device *device,
                           struct grt_errors *warnings) {
    const struct {
        enum grt_nsys_kind kind;
        const char *name;
        int64_t rate;
    } directions[] = {{GRT_NSYS_H2D, "h2d", device->h2d_bytes_per_second},
                      {GRT_NSYS_D2H, "d2h", device->d2h_bytes_per_second}};
    for (size_t i = 0; i < sizeof directions / sizeof directions[0]; i++) {
        double measured = rate_of(tasks, directions[i].kind), known = (double)directions[i].rate;
        if (measured > 0 && known > 0 && (measured > most_ratio * known || known > most_ratio * measured)) {
            grt_error_add(
                warnings, NULL,
                "%s copies of 1 MiB and more have %.3g GB/s in the profile, but %.3g GB/s on %s, which the "
                "scenario goes by: correct its %s_bandwidth",
                directions[i].name, measured / 1e9, known / 1e9, device->name, directions[i].name);
        }
    }
}
