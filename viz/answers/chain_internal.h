/* What the parts of chains share. */
#ifndef GRT_VIZ_ANSWERS_CHAIN_INTERNAL_H
#define GRT_VIZ_ANSWERS_CHAIN_INTERNAL_H

#include "viz/answers/chain.h"

/* Adds a step behind the others; NULL if there are enough. */
struct grt_chain_step *chain_add_step(struct grt_chain *chain, enum grt_chain_step_kind kind,
                                      struct grt_place place, grt_time begin, grt_time end);

/* Brings the steps into their order and finds out which came after which; with_blocks: where there may be blocks. */
void chain_order(struct grt_chain *chain, bool with_blocks);

/* Adds the waits for the GPU to steps in order, blocks among them, and brings them into order. */
void chain_add_waits(const struct grt_timeline *timeline, struct grt_chain *chain);

#endif
