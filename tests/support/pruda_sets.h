/* Random task sets for pruda-multi, and its bound written down a second time, with terms that can be left out. */
#ifndef GRT_TESTS_SUPPORT_PRUDA_SETS_H
#define GRT_TESTS_SUPPORT_PRUDA_SETS_H

#include "sim/random.h"
#include "tests/support/world_builder.h"

enum { PRUDA_SET_TASKS = 6 };

enum pruda_set_kind {
    PRUDA_SET_PLAIN,
    PRUDA_SET_FINE, /* kernels of many blocks of a ns, which preempt each other at once; high loads */
    PRUDA_SET_RICH, /* jitter and CPU segments too */
};

/* Two to six tasks of copies and kernels of blocks, in small numbers of ns, on one to three SMs that take time to launch, with a load of 30
 * to 110 percent. */
struct grt_builder *pruda_set_start(struct grt_random *random, enum pruda_set_kind kind);

/* What can be wrong with a bound. */
enum pruda_fault {
    PRUDA_SOUND,
    PRUDA_NO_BLOCKS,    /* kernels in h-sq wait for no block of who is in l-sq */
    PRUDA_ONE_BLOCK,    /* only the first kernel of a request does */
    PRUDA_NO_COPIES,    /* copies wait for no copy */
    PRUDA_ONE_COPY,     /* only the first one does */
    PRUDA_SHORT_BLOCKS, /* and blocks are a ns shorter than they are */
    PRUDA_SHORT_COPIES,
    PRUDA_NO_BLOCKING,    /* nobody less urgent is in h-sq when a busy period begins */
    PRUDA_PLAIN_BLOCKING, /* who is waits for nobody */
    PRUDA_OWN_ONLY,       /* who interferes waits for nobody */
    PRUDA_OTHERS_ONLY,    /* the task itself waits for nobody */
    PRUDA_FIRST_ONLY,     /* the first request of a busy period is the worst */
    PRUDA_ONCE, /* one block, or one less urgent request, delays a busy period, and nobody waits else */
    PRUDA_FAULTS
};

/* The bound of task `index` without CPU segments; INT64_MAX: there is none, or it is far away. */
int64_t pruda_set_bound(const struct grt_scenario *scenario, size_t index, bool co_run,
                        enum pruda_fault fault);

#endif
