/* Files of trained networks: JSON, versioned, read as strictly as scenarios; docs/performance-models.md describes the format. */
#ifndef GRT_SCENARIOS_NETWORKS_H
#define GRT_SCENARIOS_NETWORKS_H

#include <stdio.h>

#include "models/learning/network.h"
#include "models/learning/train.h"
#include "sim/error.h"

/* How a network came to be: what a file says beside it, for people. */
struct grt_network_history {
    struct grt_training options; /* those that a number in the file stands for */
    struct grt_training_report report;
};

/* Reads a file, `name` as seen from `folder` ("." if NULL); "-" is standard input. Everything belongs to the arena. False after adding every
 * error at `path`: "networks: in lidar.json: networks[0].rules[3].width: ...". */
bool grt_networks_read(const char *name, const char *folder, struct grt_arena *arena,
                       struct grt_networks *networks, struct grt_errors *errors, const struct grt_path *path);

/* The same from a text in memory, with errors that begin with their place in it. */
bool grt_networks_parse(const char *text, size_t size, struct grt_arena *arena, struct grt_networks *networks,
                        struct grt_errors *errors);

/* Writes networks, with one history each, or NULL. What is read from it is bit for bit what was written. */
void grt_networks_write(FILE *out, const struct grt_networks *networks,
                        const struct grt_network_history *histories);

#endif
