/* A stream for every task that uses a GPU, in the process of the task: what policies start with that give streams shares. */
#ifndef GRT_POLICIES_SHARES_STREAMS_H
#define GRT_POLICIES_SHARES_STREAMS_H

#include "models/policy.h"

/* Makes them; by task, 0 where a task uses no GPU. */
grt_stream *shares_make_streams(struct grt_world *world);

#endif
