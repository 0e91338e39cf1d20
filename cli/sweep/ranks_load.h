/* Joins the other processes where a launcher of MPI has started this one. */
#ifndef GRT_CLI_SWEEP_RANKS_LOAD_H
#define GRT_CLI_SWEEP_RANKS_LOAD_H

#include "sim/error.h"
#include "study/sweep/ranks.h"

struct grt_loaded_ranks {
    struct grt_ranks ranks;
    const struct grt_ranks_module *module; /* NULL: this process is alone */
    void *library;
};

/* Looks into the environment for a launcher, and loads the module gpurt-mpi where there is one, from the program's folder or
 * ../lib/gpurt or the like beside it. False after adding an error: without the module all processes would do the same. */
bool grt_ranks_load(struct grt_loaded_ranks *loaded, struct grt_errors *errors);

/* Which there are; NULL: this process is alone. */
const struct grt_ranks *grt_ranks_loaded(const struct grt_loaded_ranks *loaded);

/* Leaves the others. */
void grt_ranks_unload(struct grt_loaded_ranks *loaded);

#endif
