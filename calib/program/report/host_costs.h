/* What calls and waiting take of the host. They are no properties of a device, so that no file has them: a scenario says of each GPU segment what its host computes (docs/host-model.md). */
#ifndef GRT_CALIB_PROGRAM_REPORT_HOST_COSTS_H
#define GRT_CALIB_PROGRAM_REPORT_HOST_COSTS_H

#include "calib/fit/fit.h"

/* The member of a GPU segment of one command, ready to be copied: "\"host\": {\"before\": \"2us\", \"after\": \"6us\"}". NULL: neither was found, or
 * neither is above 0. In the arena. */
const char *grt_host_costs_member(const struct grt_fit *fit, struct grt_arena *arena);

/* What it means, in a paragraph. */
extern const char grt_host_costs_about[];

#endif
