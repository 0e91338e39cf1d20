/* A timeline from a file, for commands that take either a trace or a scenario. */
#ifndef GRT_CLI_TRACE_INPUT_H
#define GRT_CLI_TRACE_INPUT_H

#include <stdbool.h>

#include "cli/command.h"
#include "sim/trace.h"

/* Reads the trace in `path` ("-": standard input), or simulates the scenario in it and keeps its trace: what begins as
 * a trace does is one, anything else is taken for a scenario. Pipes will do. *out starts as {0} and is freed with
 * grt_trace_memory_free. Returns GRT_EXIT_DONE, or another code after printing the errors. */
enum grt_exit grt_trace_input_read(const char *path, struct grt_trace_memory *out);

#endif
