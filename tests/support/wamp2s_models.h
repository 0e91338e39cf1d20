/* Trained performance models of the kernels of a scenario, and how good they are: figures 11 and 16 of Y. Yao et al., "WAMP2S: Workload-Aware GPU Performance
 * Model Based Pseudo-Preemptive Real-Time Scheduling for the Airborne Embedded System", IEEE TPDS 33(11), 2022. */
#ifndef GRT_TESTS_SUPPORT_WAMP2S_MODELS_H
#define GRT_TESTS_SUPPORT_WAMP2S_MODELS_H

#include <stddef.h>

#include "models/learning/measure.h"
#include "models/learning/network.h"

enum { WAMP2S_MOST_MODELS = 10 };

/* With how many samples networks are trained, and for how many turns. */
struct wamp2s_effort {
    size_t samples, tests;
    int epochs;
};

/* `gpurt train` without options; and what a test has time for. */
extern const struct wamp2s_effort wamp2s_full, wamp2s_quick;

/* How good predictions of samples are that no model was trained with; zeroes without such samples. */
struct wamp2s_accuracy {
    struct grt_accuracy network, linear,
        nearest; /* linear: log-linear regression; nearest: of 5 neighbours */
};

/* The networks of the kernels of scenarios/papers/wamp2s/NAME.json. They live to the end of the program. */
struct wamp2s_models {
    size_t count;
    struct grt_network networks[WAMP2S_MOST_MODELS];
    struct wamp2s_accuracy accuracies[WAMP2S_MOST_MODELS];
    struct grt_networks list; /* of them, as scenarios have it */
};

void wamp2s_train(const char *name, const struct wamp2s_effort *effort, struct wamp2s_models *models);

/* Those of the ten Rodinia applications, and of the five of the airborne system: trained at the first call, fully where the environment has GRT_SOAK=1, else quickly. */
const struct grt_networks *wamp2s_rodinia_networks(void);
const struct grt_networks *wamp2s_airborne_networks(void);

#endif
