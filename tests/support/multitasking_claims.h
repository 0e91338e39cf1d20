/* What the paper says of performances (see multitasking.h): the orderings of its table 2, conclusions (1) to (4) of section 6, and the order of the real-world
 * case of section 7, as data. */
#ifndef GRT_TESTS_SUPPORT_MULTITASKING_CLAIMS_H
#define GRT_TESTS_SUPPORT_MULTITASKING_CLAIMS_H

#include <stddef.h>

#include "tests/support/multitasking.h"

enum { GRT_CASES = 6, GRT_REAL_WORLD = 7, GRT_WORKLOADS = 8 }; /* workloads: 1 to 6, and 7 */

/* What came out of all workloads; the first is not used. */
struct grt_workloads {
    struct grt_multitasking of[GRT_WORKLOADS][GRT_SCHEDULERS];
};

/* One of the paper's claims. */
struct grt_claim {
    const char *where; /* "table 2", "conclusion 1", "section 7" */
    int workload;
    /* "T<I<C~O": performances of the schedulers, below or about as large as the next one's; see grt_claim_letters */
    const char *chain;
};

/* T I C O S A, by enum grt_scheduler. */
extern const char grt_claim_letters[];

/* All of them; the last has no `where`. */
extern const struct grt_claim grt_claims[];

/* What "about" means: a difference of at most 3.2 % of the larger one, which is the most that the paper has where it says so (3.12 and 3.22 in case 1). */
#define GRT_ABOUT 0.032

/* Whether a claim holds. *shortfall becomes by how much the worst of its links fails, as a part of the larger of the two, and *link the place of that
 * link's sign in the chain; 0 and NULL where none fails. */
bool grt_claim_holds(const struct grt_claim *claim, const struct grt_workloads *workloads, double *shortfall,
                     const char **link);

/* What the paper's table 2 and section 7 have; not a number where they have nothing. */
extern const double grt_published[GRT_WORKLOADS][GRT_SCHEDULERS];

/* Runs the six cases as varied, and the real-world case with its intervals varied. */
void grt_workloads_run(const struct grt_variation *variation, struct grt_workloads *out);

#endif
