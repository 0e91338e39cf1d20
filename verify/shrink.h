/* Makes the pattern of a violation small: fewer tasks, fewer jobs, an earlier end, no delays, constant times, round instants, as long as
 * it still violates.
 *
 * What "still violates" means. A finding of the auditor: the same rule is broken. A contradiction of an analysis: the analysis is made anew
 * of the tasks that are left, as the file that comes of it will describe them; it must still call them schedulable, and one of them must
 * still miss its deadline, or take longer than its bound of then. So the file is evidence by itself. Where even the whole pattern does not
 * do that (because its times are the shortest, say, and the analysis of a set with these as its longest times is another), the claim about
 * the original set is kept: its bounds and its verdict; no task is left out then. */
#ifndef GRT_VERIFY_SHRINK_H
#define GRT_VERIFY_SHRINK_H

#include "verify/claim.h"

struct grt_shrinking {
    const struct grt_subject *subject;
    struct grt_player *player;
    struct grt_violation violation; /* what is shown; updated to what the smallest pattern shows */
    /* the claim that was contradicted, of the whole subject; NULL: the auditor's */
    const struct grt_claim *original;
    uint64_t most_plays; /* 0: 4,000 */

    uint64_t plays;   /* simulations so far */
    bool keeps_claim; /* the claim of the original set is what is held against the pattern */
};

/* Shrinks the pattern in place. False where it does not violate to begin with. GRT_VIOLATION_WITNESS cannot be shrunk. */
bool grt_shrink(struct grt_shrinking *shrinking, struct grt_pattern *pattern);

/* Whether a pattern still violates; says how in `violation`. */
bool grt_shrink_violates(struct grt_shrinking *shrinking, const struct grt_pattern *pattern,
                         struct grt_violation *violation);

#endif
