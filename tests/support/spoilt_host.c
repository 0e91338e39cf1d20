/* Traces of worlds in which cores have to do with GPU segments, spoilt: see spoilt_trace.h. */
#include "tests/support/spoilt_host.h"

#include <string.h>

#include "tests/support/pick.h"
#include "tests/support/spoil.h"

static bool is_host_part(const struct grt_spoilt *spoilt, const struct grt_trace_record *record) {
    return record->kind == GRT_TRACE_CPU && record->flags == 0 && record->time - record->other > 1 &&
           spoilt->builder->tasks[record->task].segments[record->detail].kind == GRT_SEGMENT_GPU;
}

CHOOSER(long_overhead, record->kind == GRT_TRACE_CPU && record->flags == GRT_TRACE_OVERHEAD &&
                           record->time - record->other > 1)
SPOIL(shorten_overhead, long_overhead, record->other++)

CHOOSER(host_part, is_host_part(spoilt, record))
SPOIL(shorten_part, host_part, {
    struct grt_segment *segment = &spoilt->builder->segments[record->task][record->detail];
    for (int i = 0; i < 2; i++) {
        bool some = segment->host_part[i].max > 0;
        segment->host_part[i] = (struct grt_distribution){.kind = GRT_CONSTANT, .max = some ? 1000000 : 0};
    }
})

CHOOSER(boost, record->kind == GRT_TRACE_PRIORITY && (record->flags & GRT_TRACE_BOOSTED))
SPOIL(forget_boosted, boost, record->flags = 0)
SPOIL(boost_less, boost, record->other--)
SPOIL(drop_boost, boost, spoil_drop(spoilt, index))

CHOOSER(unboost, record->kind == GRT_TRACE_PRIORITY && (record->flags & GRT_TRACE_BOOSTED) == 0)
SPOIL(drop_unboost, unboost, spoil_drop(spoilt, index))

/* The next job, or segment, asks while its thread still has the raised priority. */
SPOIL(ask_boosted, unboost, {
    for (size_t i = index + 1; i < spoilt->count; i++) {
        struct grt_trace_record own = spoilt->records[index];
        if (spoilt->records[i].kind == GRT_TRACE_GPU_REQUEST && spoilt->records[i].task == own.task) {
            memmove(spoilt->records + index, spoilt->records + index + 1, (i - index) * sizeof own);
            own.time = spoilt->records[i - 1].time;
            spoilt->records[i] = own;
            return true;
        }
    }
    return false;
})

CHOOSER(spinning, record->kind == GRT_TRACE_CPU && (record->flags & GRT_TRACE_SPIN))
SPOIL(state_suspension, spinning, spoilt->lock->spins = false)
SPOIL(drop_spinning, spinning, {
    const struct grt_trace_record first = *record;
    size_t kept = 0;
    for (size_t i = 0; i < spoilt->count; i++) {
        const struct grt_trace_record *other = &spoilt->records[i];
        bool same = other->kind == GRT_TRACE_CPU && (other->flags & GRT_TRACE_SPIN) &&
                    other->task == first.task && other->job == first.job;
        if (!same) {
            spoilt->records[kept++] = *other;
        }
    }
    spoilt->count = kept;
})

/* Two requests change their priorities, so that the less urgent one went first. */
SPOIL(reverse_priorities, boost, {
    for (size_t i = 0; i < spoilt->builder->scenario.task_count; i++) {
        spoilt->builder->tasks[i].priority = -spoilt->builder->tasks[i].priority;
    }
    spoilt->lock->ceilings = NULL;
})

CHOOSER(work_of_server,
        record->kind == GRT_TRACE_THREAD && record->flags == 0 && record->time - record->other > 1)
SPOIL(shorten_work, work_of_server, record->other++)
SPOIL(raise_cost, work_of_server, spoilt->server->cost++)
SPOIL(cut_off_server, work_of_server, record->flags |= GRT_TRACE_PREEMPTED)
SPOIL(reverse_urgency, work_of_server, {
    for (size_t i = 0; i < spoilt->builder->scenario.task_count; i++) {
        spoilt->builder->tasks[i].priority = -spoilt->builder->tasks[i].priority;
    }
})

static bool is_request(const struct grt_spoilt *spoilt, size_t index) {
    return spoilt->records[index].kind == GRT_TRACE_GPU_REQUEST;
}
SPOIL(boost_task, is_request, {
    record->kind = GRT_TRACE_PRIORITY;
    record->flags = GRT_TRACE_BOOSTED;
    record->other = 1000;
})

/* Two kernels of different tasks overlap. */
CHOOSER(kernel, record->kind == GRT_TRACE_KERNEL && index > 0 && grt_trace_grid(record->row) == 0)
SPOIL(overlap_requests, kernel, {
    for (size_t i = index; i-- > 0;) {
        const struct grt_trace_record *other = &spoilt->records[i];
        if (other->kind == GRT_TRACE_GPU_SEGMENT && other->task != record->task &&
            (other->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) == 0) {
            struct grt_trace_record end = *other;
            memmove(spoilt->records + i, spoilt->records + i + 1, (index - i) * sizeof end);
            end.time = spoilt->records[index - 1].time;
            spoilt->records[index] = end;
            return true;
        }
    }
    return false;
})

#define HOSTED GRT_SPOILT_HOSTED

const struct grt_host_spoiling grt_host_spoilings[] = {
    {{"an overhead is shorter", "cpu: switches and wake-ups cost what they should", "fifo", HOSTED,
      shorten_overhead},
     3},
    {{"a host part takes too little", "cpu: times within their distribution", "hardware", HOSTED,
      shorten_part},
     3},
    {{"a host part takes too little", "cpu: times within their distribution", "mpcp", HOSTED, shorten_part},
     3},
    {{"a raised priority is not said to be", "cpu: priorities change only as promised", "mpcp", HOSTED,
      forget_boosted},
     3},
    {{"a job asks at a raised priority", "cpu: GPU segments go on only on their task's core", "fmlp+", HOSTED,
      ask_boosted},
     3},
    {{"a task's priority is raised", "cpu: priorities change only as promised", "gpu-server", HOSTED,
      boost_task},
     3},
    {{"two hold the lock", "lock: one holder at a time", "mpcp", HOSTED, overlap_requests}, 3},
    {{"somebody more urgent waited", "policy: highest priority first", "mpcp", HOSTED, reverse_priorities},
     3},
    {{"nobody is given the lock", "lock: no GPU is free while somebody asks for it", "mpcp", HOSTED,
      drop_boost},
     3},
    {{"a holder is boosted less", "lock: boosted exactly while it holds", "mpcp", HOSTED, boost_less}, 3},
    {{"a priority stays raised", "lock: boosted exactly while it holds", "mpcp", HOSTED, drop_unboost}, 3},
    {{"a holder should have suspended itself", "lock: waits for the GPU as stated", "mpcp", HOSTED,
      state_suspension},
     3},
    {{"a holder does not busy-wait", "lock: waits for the GPU as stated", "mpcp", HOSTED, drop_spinning}, 3},
    {{"two hold the lock", "lock: one holder at a time", "fmlp+", HOSTED, overlap_requests}, 3},
    {{"nobody is given the lock", "lock: no GPU is free while somebody asks for it", "fmlp+", HOSTED,
      drop_boost},
     3},
    {{"a priority stays raised", "lock: boosted exactly while it holds", "fmlp+", HOSTED, drop_unboost}, 3},
    {{"a holder does not busy-wait", "lock: waits for the GPU as stated", "fmlp+", HOSTED, drop_spinning}, 3},
    {{"two are served", "server: one request at a time", "gpu-server", HOSTED, overlap_requests}, 3},
    {{"somebody more urgent waited", "policy: highest priority first", "gpu-server", HOSTED, reverse_urgency},
     3},
    {{"the server pauses", "server: never idle while a request waits", "gpu-server", HOSTED, shorten_work},
     3},
    {{"the server is cut off", "server: the server is never delayed", "gpu-server", HOSTED, cut_off_server},
     3},
    {{"epsilon is another", "server: host parts and epsilon as stated", "gpu-server", HOSTED, raise_cost}, 3},
    {{"a task's priority is raised", "server: tasks neither busy-wait nor are boosted", "gpu-server", HOSTED,
      boost_task},
     3},
    {{0}, 0},
};
