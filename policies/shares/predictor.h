/* How long a GPU segment takes beside others: Chat, by a trained network, by the contention model of the simulator itself, or as if it were
 * alone. All are asked about the same situation: everybody who is active runs with the share that he has, or with the one that he would have. */
#ifndef GRT_POLICIES_SHARES_PREDICTOR_H
#define GRT_POLICIES_SHARES_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "models/device/contention.h"
#include "models/learning/network.h"
#include "policies/shares/matrix.h"

enum shares_predictor_kind {
    SHARES_SOFNN,   /* a network per kernel; a kernel without one as if it were alone */
    SHARES_PERFECT, /* the device's contention model, which no real scheduler has */
    SHARES_NONE     /* alone: M_WCET */
};

/* An application that is active. */
struct shares_active {
    const struct shares_segment *segment;
    int64_t share;  /* 1 to 100 */
    double done;    /* of the segment, 0 to 1 */
    uint64_t order; /* of their beginnings: who began first has the least */
    bool seen;      /* a monitor sees what it does: it has that share at this moment */
    /* the fraction of its speed alone with the whole GPU at which it will go, as far as is known, where it is not seen */
    double speed;
};

struct shares_predictor;

/* Makes one for a device and at most `capacity` applications. It lives as long as the arena. */
struct shares_predictor *shares_predictor_create(enum shares_predictor_kind kind,
                                                 const struct grt_device *device, uint32_t capacity,
                                                 struct grt_arena *arena);

/* Says of what is asked from now on; `active` must stay as it is. */
void shares_predictor_look(struct shares_predictor *predictor, const struct shares_active *active,
                           uint32_t count);

/* Chat of number `i` in ns, above 0. `measured`: for SHARES_SOFNN, what a monitor finds of all others that are seen, GRT_INDICATORS
 * numbers; the rest is added to it. *knows becomes false where a network extrapolates. */
double shares_predict(struct shares_predictor *predictor, uint32_t i, const double *measured, bool *knows);

/* Which kernel of its segment an application is at, by how much of it is done: as if its copies were spread evenly over it. */
uint32_t shares_current_kernel(const struct shares_active *active);

#endif
