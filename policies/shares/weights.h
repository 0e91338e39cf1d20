/* P_i of Algorithm 1 in Y. Yao et al., "WAMP2S", IEEE TPDS 33(11), 2022, line 32: by what a GPU's idle vprocessors are shared out. */
#ifndef GRT_POLICIES_SHARES_WEIGHTS_H
#define GRT_POLICIES_SHARES_WEIGHTS_H

#include "models/task.h"

/* The weight of a task that uses a GPU, 1 or more: its priority, where those of all tasks of that GPU are positive. Else its rank among them: 1 and
 * how many of them have a lower priority. */
uint64_t shares_weight(const struct grt_scenario *scenario, uint32_t task);

#endif
