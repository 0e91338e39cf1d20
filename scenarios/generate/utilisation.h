/* Vectors of n utilisations with a given sum. Plain functions on plain arrays; what they draw depends on the stream alone.
 * Which of them are uniform, and over what, is said in docs/generating.md. */
#ifndef GRT_SCENARIOS_GENERATE_UTILISATION_H
#define GRT_SCENARIOS_GENERATE_UTILISATION_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/random.h"

/* UUniFast (Bini, Buttazzo: Measuring the performance of schedulability tests, Real-Time Systems 30, 2005): uniform over
 * all vectors of `count` >= 1 values of at least 0 with the sum `total` >= 0. */
void grt_uunifast(struct grt_random *random, double *values, size_t count, double total);

/* UUniSort (the same paper): the gaps between sorted draws; the same distribution from other draws. */
void grt_uunisort(struct grt_random *random, double *values, size_t count, double total);

/* UUniFast-discard (Davis, Burns: Improved priority assignment for global fixed priority pre-emptive scheduling in
 * multiprocessor real-time systems, Real-Time Systems 47, 2011): UUniFast until no value is outside [least, most]. Gives up
 * and returns false after `tries` vectors. *tried, where not NULL: how many vectors it drew. */
bool grt_uunifast_discard(struct grt_random *random, double *values, size_t count, double total, double least,
                          double most, unsigned long tries, unsigned long *tried);

/* The share of UUniFast's vectors that have no value outside [least, most], by inclusion and exclusion; exact to 1e-9 for
 * up to 20 values, NAN for more. */
double grt_uunifast_share_within(size_t count, double total, double least, double most);

/* RandFixedSum (Stafford 2006; Emberson, Stafford, Davis: Techniques for the synthesis of multiprocessor tasksets, WATERS
 * 2010): uniform over all vectors of values in [least, most] with the sum `total`. */
struct grt_fixed_sum;

enum { GRT_FIXED_SUM_MOST = 1000 };

/* Its table, of at most count^2 / 2 numbers; 1 <= count <= GRT_FIXED_SUM_MOST, count * least <= total <= count * most. */
struct grt_fixed_sum *grt_fixed_sum_create(size_t count, double total, double least, double most);
void grt_fixed_sum_free(struct grt_fixed_sum *sum); /* NULL is allowed */

/* One vector, of the table's count. */
void grt_fixed_sum_draw(const struct grt_fixed_sum *sum, struct grt_random *random, double *values);

#endif
