/* Estimates of remaining time as Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022, section 6.2.2, measure them: with fixed shares, while other applications come and
 * go. A simulation of its own that shares nothing with the engine but the contention model. */
#ifndef GRT_TESTS_SUPPORT_WAMP2S_REMAINING_H
#define GRT_TESTS_SUPPORT_WAMP2S_REMAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/learning/network.h"
#include "tests/support/rodinia_sets.h"

enum { WAMP2S_BINS = 20, WAMP2S_MOST_ESTIMATES = 64 };

/* An estimate at the beginning of a job or at a change of its workload: equation (11). */
struct wamp2s_estimate_made {
    double done;                /* theta, as estimated: sum of tau_k / Chat_k */
    double estimated, remained; /* ns */
};

struct wamp2s_remaining_job {
    double time; /* ns */
    int64_t shares[RODINIA_APPLICATIONS];
    bool active[RODINIA_APPLICATIONS]; /* from the beginning */
    size_t count;
    struct wamp2s_estimate_made items[WAMP2S_MOST_ESTIMATES];
};

/* One job of the application with that number in Table 3, number `number` of its kind. The ten applications have parts of the GPU that are drawn; each of the others is
 * executed, then away for a time between none and `away` ns, and so on. `networks`: who estimates; NULL: the contention model. Estimates beyond those that there is room for are not kept. */
void wamp2s_remaining_job(size_t application, uint64_t number, double away,
                          const struct grt_networks *networks, struct wamp2s_remaining_job *job);

/* Mean errors by the completion at the estimate, in twentieths. */
struct wamp2s_remaining {
    uint64_t estimates[WAMP2S_BINS];
    double of_remaining[WAMP2S_BINS]; /* |estimate - actual| / actual */
    double of_time[WAMP2S_BINS];      /* the same difference / the time of the whole job */
};

/* Over `jobs` jobs of each of the ten applications. */
void wamp2s_remaining(int jobs, double away, const struct grt_networks *networks,
                      struct wamp2s_remaining *out);

/* From which completion on all mean errors are below `most`, 0 to 1; 1: none is. */
double wamp2s_threshold(const double errors[WAMP2S_BINS], const uint64_t estimates[WAMP2S_BINS], double most);

#endif
