#ifndef GRT_SCENARIOS_EMBEDDED_H
#define GRT_SCENARIOS_EMBEDDED_H

/* JSON files of the library that are part of the program, so that it needs no data files at run time. The
 * build writes the arrays from scenarios/devices/<name>.json, scenarios/usages/<name>.json and scenarios/quickstart.json (see
 * scenarios/embed/embed.c). Everything here is constant and lives as long as the program. */

#include <stddef.h>

/* One file, byte for byte. */
struct grt_embedded_file {
    const char *name;  /* the file's name without folder and ".json", for instance "jetson-tx2" */
    const char *text;  /* its content, followed by a zero byte that is not part of the file */
    size_t size_bytes; /* its length without that zero byte */
};

/* The device presets, sorted by file name. A last entry beyond the count has NULL as its name. */
extern const struct grt_embedded_file *const grt_embedded_devices;
extern const size_t grt_embedded_device_count;

/* The presets of how kernels use a GPU (scenarios/usages), with the same order and end. */
extern const struct grt_embedded_file *const grt_embedded_usages;
extern const size_t grt_embedded_usage_count;

/* The library scenarios that are built in ("quickstart"), with the same order and end. */
extern const struct grt_embedded_file *const grt_embedded_scenarios;
extern const size_t grt_embedded_scenario_count;

#endif
