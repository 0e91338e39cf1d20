/* How far an application has come, as a scheduler without a look into the GPU has to reckon: equations (9) to (11) of Y. Yao et al., "WAMP2S",
 * IEEE TPDS 33(11), 2022. Between two changes of the workload or of its share an application is in an interval k; it would take Chat_k for
 * the whole of itself under what holds then, and spends tau_k there. Then
 *
 *     theta = sum of tau_k / Chat_k
 *
 * is the part that is done, and Chat (1 - theta) what is left under whatever holds next: that is equation (11), and theta is the paper's "normalised
 * completion rate" as well, because tau_k C^{100,N} / Chat_k is what equation (9) makes of tau_k. Plain; no world. */
#ifndef GRT_POLICIES_SHARES_PROGRESS_H
#define GRT_POLICIES_SHARES_PROGRESS_H

#include <stdbool.h>

#include "sim/time.h"

struct shares_progress {
    double done;       /* theta, 0 to 1, of the intervals that are closed */
    double predicted;  /* Chat, ns, of the open interval; 0: it stands still */
    grt_time since;    /* when that began */
    grt_time executed; /* in closed intervals in which it did not stand still */
};

/* Closes the interval and opens one that is the same. */
void shares_progress_advance(struct shares_progress *progress, grt_time now);

/* Closes it and opens one in which all of it takes `predicted` ns, or 0: it stands still. */
void shares_progress_change(struct shares_progress *progress, grt_time now, double predicted);

/* What is left if all of it takes `predicted` ns. Who should be done and is not has a hundredth left: predictions are as good as that, and an
 * application that seems to have nothing left would be given next to nothing to end with. */
double shares_progress_left(const struct shares_progress *progress, double predicted);

#endif
