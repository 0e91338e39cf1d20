#include "tests/support/host_trace.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define US GRT_MICROSECOND

static const struct grt_trace_name names[] = {
    {GRT_NAME_RUN, 0, 0, 0, 1, "hosts"},
    {GRT_NAME_TASK, HOST_TAU_H, 0, 0, 0, "tau_h"},
    {GRT_NAME_TASK, HOST_TAU_M, 0, 0, 0, "tau_m"},
    {GRT_NAME_TASK, HOST_TAU_L, 0, 0, 0, "tau_l"},
    {GRT_NAME_KERNEL, HOST_TAU_H, 1, 0, 1024, "near"},
    {GRT_NAME_KERNEL, HOST_TAU_L, 1, 0, 1024, "far"},
    {GRT_NAME_CORE, 0, 0, 0, 0, "cpu 0"},
    {GRT_NAME_CORE, 1, 0, 0, 0, "cpu 1"},
    {GRT_NAME_STREAM, 0, 0, 0, 0, "gpu"},
    {GRT_NAME_SM, 0, 0, 0, 1024, "SM 0"},
    {GRT_NAME_ROW, 0, 0, 0, 0, "lock"},
    {GRT_NAME_LABEL, 0, 0, 0, 0, "held"},
    {GRT_NAME_LABEL, 1, 0, 0, 0, "receives"},
    {GRT_NAME_LABEL, 2, 0, 0, 0, "copies in"},
    {GRT_NAME_LABEL, 3, 0, 0, 0, "notifies"},
    {GRT_NAME_THREAD, 0, 0, 0, 0, "server"},
};

/* Times are in microseconds; `on`: the row, `what`: the detail. */
#define AT(t, kind_, task_, other_, what, flags_)                                                            \
    {                                                                                                        \
        .time = (t)*US, .other = (other_), .detail = what, .task = task_, .kind = GRT_TRACE_##kind_,         \
        .flags = flags_                                                                                      \
    }
#define SPAN(from, to, kind_, task_, on, what, flags_)                                                       \
    {                                                                                                        \
        .time = (to)*US, .other = (from)*US, .detail = what, .row = on, .task = task_,                       \
        .kind = GRT_TRACE_##kind_, .flags = flags_                                                           \
    }
#define SERVER(label) ((label) << 16)

static const struct grt_trace_record records[] = {
    AT(0, RELEASE, HOST_TAU_H, 8000 * US, 0, 0),
    AT(0, RELEASE, HOST_TAU_M, 9000 * US, 0, 0),
    AT(0, RELEASE, HOST_TAU_L, 10000 * US, 0, 0),
    SPAN(0, 100, CPU, HOST_TAU_H, 0, 0, GRT_TRACE_OVERHEAD),
    SPAN(100, 1000, CPU, HOST_TAU_H, 0, 0, 0),
    AT(1000, GPU_REQUEST, HOST_TAU_H, 0, 1, 0),
    AT(1000, PRIORITY, HOST_TAU_H, 1003, 1, GRT_TRACE_BOOSTED),
    SPAN(1000, 1500, CPU, HOST_TAU_H, 0, 1, 0),
    SPAN(0, 2000, CPU, HOST_TAU_L, 1, 0, 0),
    AT(2000, GPU_REQUEST, HOST_TAU_L, 0, 1, 0),
    SPAN(2000, 2050, THREAD, HOST_TAU_L, 1, SERVER(1), GRT_TRACE_OVERHEAD),
    SPAN(2050, 2200, THREAD, HOST_TAU_L, 1, SERVER(1), 0),
    SPAN(1500, 4000, BLOCK, HOST_TAU_H, 0, 0, 0),
    SPAN(1500, 4000, KERNEL, HOST_TAU_H, 0, 1 << 16, 0),
    SPAN(1500, 4000, CPU, HOST_TAU_H, 0, 1, GRT_TRACE_SPIN),
    SPAN(4000, 4500, CPU, HOST_TAU_H, 0, 1, 0),
    AT(4500, PRIORITY, HOST_TAU_H, 3, 1, 0),
    SPAN(1000, 4500, GPU_SEGMENT, HOST_TAU_H, 0, 1, 0),
    SPAN(1000, 4500, ROW_SLICE, HOST_TAU_H, 0, 0, 0),
    SPAN(2200, 4500, CPU, HOST_TAU_M, 1, 0, GRT_TRACE_PREEMPTED),
    SPAN(4500, 5000, THREAD, HOST_TAU_L, 1, SERVER(2), 0),
    SPAN(4500, 5000, CPU, HOST_TAU_H, 0, 2, 0),
    SPAN(0, 5000, FINISH, HOST_TAU_H, 0, 0, 0),
    SPAN(5000, 6000, CPU, HOST_TAU_M, 1, 0, 0),
    SPAN(0, 6000, FINISH, HOST_TAU_M, 0, 0, 0),
    SPAN(5000, 8000, BLOCK, HOST_TAU_L, 0, 0, 0),
    SPAN(5000, 8000, KERNEL, HOST_TAU_L, 0, 1 << 16, 0),
    SPAN(8000, 8500, THREAD, HOST_TAU_L, 1, SERVER(3), 0),
    SPAN(2000, 8500, GPU_SEGMENT, HOST_TAU_L, 0, 1, 0),
    AT(8500, PRIORITY, HOST_TAU_L, 7, 2, GRT_TRACE_BOOSTED),
    SPAN(8500, 9000, CPU, HOST_TAU_L, 1, 2, 0),
    SPAN(0, 9000, FINISH, HOST_TAU_L, 0, 0, 0),
};

struct grt_trace_memory host_trace(void) {
    struct grt_trace_memory trace = {0};
    grt_trace_memory_sink.names(&trace, names, COUNT(names));
    grt_trace_memory_sink.write(&trace, records, COUNT(records));
    return trace;
}

struct grt_timeline host_timeline(void) {
    struct grt_timeline timeline = {.run = NULL};
    grt_timeline_sink.names(&timeline, names, COUNT(names));
    grt_timeline_sink.write(&timeline, records, COUNT(records));
    grt_timeline_sink.end(&timeline);
    return timeline;
}
