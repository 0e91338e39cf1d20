/* What programs say about a scenario besides its results: it is no error, but changes what these are worth. */
#ifndef GRT_SCENARIOS_NOTES_H
#define GRT_SCENARIOS_NOTES_H

#include "scenarios/kernels.h"
#include "scenarios/scenario.h"

/* How descriptions begin that gpurt verify writes of a violation; ". Found with " ends it. */
#define GRT_VIOLATION_WRITTEN "Written by gpurt verify: "

/* Fills out->notes and out->note_count, in its arena: the violation for which gpurt verify has written it, kernels that were measured on other
 * devices, and worst cases that rest on no model. */
void grt_scenario_note(struct grt_scenario_file *out, const struct grt_kernels *kernels);

#endif
