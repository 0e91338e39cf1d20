#include "calib/program/report/host_costs.h"

#include <math.h>

#include "calib/program/files/file_text.h"
#include "cli/terminal/text_table.h"
#include "sim/time.h"

const char grt_host_costs_about[] =
    "No file has what the host computes: it is not the device's. A scenario says it of each GPU segment, as "
    "above for a segment of one command. `before` is launch_call, times the segment's commands; `after` is "
    "sync_return, from the last command's end until the host knows. The device's kernel_launch has the first "
    "call in it already, so that kernels begin a launch_call later than was measured, which is on the safe "
    "side.";

/* A cost as a field; "" where it is not known, or nothing. */
static const char *field_of(const struct grt_fit *fit, const char *name, const char *field,
                            struct grt_arena *arena) {
    char text[GRT_TIME_TEXT_SIZE];
    const struct grt_finding *finding = grt_fit_find(fit, name);
    bool known = finding != NULL && finding->status == GRT_FINDING_MEASURED && isfinite(finding->value);
    double value = known ? grt_written_value(finding->value, finding->low, finding->high, true) : 0;
    return value >= 1 ? grt_format(arena, "\"%s\": \"%s\"", field, grt_time_text(llround(value), text)) : "";
}

const char *grt_host_costs_member(const struct grt_fit *fit, struct grt_arena *arena) {
    const char *before = field_of(fit, "launch_call", "before", arena),
               *after = field_of(fit, "sync_return", "after", arena);
    bool both = before[0] != '\0' && after[0] != '\0';
    return before[0] == '\0' && after[0] == '\0'
               ? NULL
               : grt_format(arena, "\"host\": {%s%s%s}", before, both ? ", " : "", after);
}
