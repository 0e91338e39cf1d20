/* What `gpurt train` has found out, and how it says so. */
#ifndef GRT_CLI_TRAIN_TRAIN_H
#define GRT_CLI_TRAIN_TRAIN_H

#include "cli/train/options.h"
#include "models/learning/baseline.h"
#include "scenarios/networks.h"

/* Of one kernel. */
struct grt_trained_kernel {
    struct grt_network network;
    struct grt_network_history history;
    struct grt_accuracy regression, neighbours; /* on the samples for the test */
    double collecting, training;                /* seconds; collecting 0 where samples were read */
    double prediction;                          /* ns for one, on average */
};

struct grt_trained {
    const struct grt_trained_kernel *items;
    size_t count;
};

/* The nearest neighbours that predict together in the comparison. */
enum { GRT_TRAIN_NEIGHBOURS = 5 };

void grt_train_report_tables(const struct grt_trained *trained, const struct grt_style *style, FILE *out);

/* To be freed with free. */
char *grt_train_report_json(const struct grt_trained *trained);

#endif
