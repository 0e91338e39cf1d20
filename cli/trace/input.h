/* The input of commands that take either a trace or a scenario. */
#ifndef GRT_CLI_TRACE_INPUT_H
#define GRT_CLI_TRACE_INPUT_H

#include <stdint.h>

#include "cli/command.h"
#include "scenarios/scenario.h"
#include "sim/trace.h"

/* Sends the trace in `path` ("-": standard input), or that of the scenario in it with these changes, to a sink: see
 * scenarios/trace_source.h. A trace is refused where there are changes. More than `most_records` are refused. Returns GRT_EXIT_DONE, or another code after printing the
 * errors. Of a trace file that was cut short what is there is sent, and it is said on standard error. */
enum grt_exit grt_trace_input_play(const char *path, const struct grt_scenario_changes *changes,
                                   uint64_t most_records, const struct grt_trace_sink *sink, void *state);

#endif
