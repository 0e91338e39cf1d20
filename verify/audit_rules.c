/* The names of the rules, which apply, and what is kept of those that were broken. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/audit_internal.h"

static const char *const names[AUDIT_RULES] = {
    [AUDIT_TIME] = "time: never goes back",
    [AUDIT_OPEN] = "time: open slices end with the run",
    [AUDIT_NUMBERS] = "jobs: numbered in turn",
    [AUDIT_ARRIVALS] = "jobs: arrivals keep their distance",
    [AUDIT_JITTER] = "jobs: released within their jitter",
    [AUDIT_AFTER] = "jobs: released when their predecessors have ended",
    [AUDIT_DEADLINES] = "jobs: deadlines as declared",
    [AUDIT_ENDS] = "jobs: end once, when their last segment does",
    [AUDIT_RESPONSES] = "jobs: responses count from the arrival",
    [AUDIT_LATE] = "jobs: late after the deadline",
    [AUDIT_MISSES] = "jobs: misses are handled when the deadline passes",
    [AUDIT_SKIPS] = "jobs: skipped for a reason",
    [AUDIT_SEGMENTS] = "segments: one after the other, without delay",
    [AUDIT_CORES] = "cpu: on the task's core",
    [AUDIT_ONE_THREAD] = "cpu: one thread at a time",
    [AUDIT_CPU_URGENT] = "cpu: the most urgent thread first",
    [AUDIT_CPU_IDLE] = "cpu: never idle while a thread is ready",
    [AUDIT_CPU_TIME] = "cpu: times within their distribution",
    [AUDIT_COMMANDS] = "gpu: commands in order, one after the other",
    [AUDIT_LAUNCHES] = "gpu: launches take their time",
    [AUDIT_BLOCKS] = "gpu: every block once",
    [AUDIT_BLOCK_TIMES] = "gpu: block times within their distribution",
    [AUDIT_KERNELS] = "gpu: kernels last from their first block to their last",
    [AUDIT_SMS] = "gpu: blocks on SMs that the kernel may use",
    [AUDIT_ROOM] = "gpu: an SM holds no more than fits",
    [AUDIT_GRIDS] = "gpu: no more kernels at a time than the device holds",
    [AUDIT_ONE_COPY] = "gpu: an engine does one copy at a time",
    [AUDIT_COPY_TIMES] = "gpu: copies take their time",
    [AUDIT_CONTEXTS] = "gpu: one process at a time",
};

/* A policy and the names of the rules that it has besides. */
static const struct policy_rules {
    const char *policy;
    enum audit_order order;
    const char *names[AUDIT_RULES - AUDIT_SUBMITTED];
} policies[] = {
    {"hardware", AUDIT_BY_NOTHING, {"hardware: submitted at the request"}},
    {"fifo",
     AUDIT_BY_REQUEST,
     {NULL, "fifo: one segment at a time", "fifo: never idle while a segment waits",
      "fifo: first come, first served"}},
    {"np-edf",
     AUDIT_BY_DEADLINE,
     {NULL, "np-edf: one segment at a time", "np-edf: never idle while a segment waits",
      "np-edf: earliest deadline first"}},
    {"np-rm",
     AUDIT_BY_PERIOD,
     {NULL, "np-rm: one segment at a time", "np-rm: never idle while a segment waits",
      "np-rm: shortest period first"}},
    {"np-fp",
     AUDIT_BY_PRIORITY,
     {NULL, "np-fp: one segment at a time", "np-fp: never idle while a segment waits",
      "np-fp: highest priority first"}},
    {"tdm",
     AUDIT_BY_NOTHING,
     {NULL, NULL, NULL, NULL, "tdm: one piece at a time", "tdm: slots no longer than their length",
      "tdm: slots begin in their turn", "tdm: a slot in every period for who waits"}},
};

void audit_name_rules(struct grt_audit *audit) {
    memcpy(audit->names, names, sizeof names);
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        const struct policy_rules *rules = &policies[i];
        if (audit->promise.policy != NULL && strcmp(rules->policy, audit->promise.policy) == 0) {
            memcpy(audit->names + AUDIT_SUBMITTED, rules->names, sizeof rules->names);
            audit->order = rules->order;
            audit->hardware = rules->names[0] != NULL;
            audit->tdm = rules->order == AUDIT_BY_NOTHING && !audit->hardware;
            audit->whole = !audit->tdm;
            audit->aborts_at_misses = true;
        }
    }
}

void audit_find(struct grt_audit *audit, enum audit_rule rule, grt_time time, uint32_t task, uint64_t job,
                const char *format, ...) {
    audit->broken[rule]++;
    if (audit->kept_count == AUDIT_KEPT) {
        return;
    }
    struct grt_audit_finding *finding = &audit->kept[audit->kept_count++];
    *finding = (struct grt_audit_finding){.rule = audit->names[rule],
                                          .time = time,
                                          .task = task == AUDIT_NONE ? GRT_TRACE_NO_TASK : task,
                                          .job = job};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    va_end(arguments);
}

void audit_broken(struct grt_audit *audit, enum audit_rule rule, const struct grt_trace_record *record,
                  const char *sentence) {
    audit_find(audit, rule, record->time, record->task, record->job, "%s", sentence);
}
