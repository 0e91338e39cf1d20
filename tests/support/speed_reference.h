/* Plain second ways to the speeds of kernels that contend (models/device/contention.h), slow and by the definitions. */
#ifndef GRT_TESTS_SUPPORT_SPEED_REFERENCE_H
#define GRT_TESTS_SUPPORT_SPEED_REFERENCE_H

#include "models/device/contention.h"

enum { GRT_REFERENCE_SHARERS = 32 };

/* The vprocessors that each has under the device's share mode; left-over hands them out one by one. */
void grt_reference_shares(const struct grt_device *device, const struct grt_sharer *sharers, uint32_t count,
                          int64_t *shares);

/* Saturation: v <- v + part * (1 / T - v) until no speed differs by more than 1e-13 from 1 / T. `speeds` has the start; 0 stands still.
 * Returns the number of rounds, or 0: not within `most`. */
uint32_t grt_reference_saturation(const struct grt_device *device, const struct grt_sharer *sharers,
                                  const int64_t *shares, uint32_t count, double part, uint32_t most,
                                  double *speeds);

/* How far speeds are from max-min fairness: the most that a resource is used beyond all of it, a kernel goes faster than alone, or one that is
 * slower than alone lacks of a bottleneck, a full resource that it uses and of which no user is faster. 0 where they are fair, and only
 * there (Bertsekas and Gallager, "Data Networks", 1992, section 6.5.2). */
double grt_reference_unfairness(const struct grt_sharer *sharers, const int64_t *shares, uint32_t count,
                                const double *speeds);

#endif
