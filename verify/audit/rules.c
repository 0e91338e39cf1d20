/* The names of the rules of all runs, and what is kept of those that were broken. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/check.h"
#include "verify/audit/internal.h"

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
    [AUDIT_CPU_COSTS] = "cpu: switches and wake-ups cost what they should",
    [AUDIT_PRIORITIES] = "cpu: priorities change only as promised",
    [AUDIT_DISPATCHED] = "cpu: GPU segments go on only on their task's core",
    [AUDIT_COMMANDS] = "gpu: commands in order, one after the other",
    [AUDIT_LAUNCHES] = "gpu: launches take their time",
    [AUDIT_BLOCKS] = "gpu: every block once",
    [AUDIT_BLOCK_TIMES] = "gpu: block times within their distribution",
    [AUDIT_KERNELS] = "gpu: kernels last from their first block to their last",
    [AUDIT_SMS] = "gpu: blocks on SMs that the kernel may use",
    [AUDIT_PINS] = "gpu: blocks of pinned kernels work where they should",
    [AUDIT_ITEMS] = "gpu: every item of work once, or lost",
    [AUDIT_ROOM] = "gpu: an SM holds no more than fits",
    [AUDIT_GRIDS] = "gpu: no more kernels at a time than the device holds",
    [AUDIT_ONE_COPY] = "gpu: an engine does one copy at a time",
    [AUDIT_COPY_TIMES] = "gpu: copies take their time",
    [AUDIT_CONTEXTS] = "gpu: one process at a time",
};

void audit_name_rules(struct grt_audit *audit) {
    memcpy(audit->names, names, sizeof names);
    audit->rule_count = AUDIT_RULES;
    if (audit->host == AUDIT_HOST_BY_JOB) {
        audit->names[AUDIT_PRIORITIES] = audit->names[AUDIT_DISPATCHED] = NULL;
    }
}

uint32_t audit_add_rules(struct grt_audit *audit, const char *const *more, uint32_t count) {
    uint32_t first = audit->rule_count;
    GRT_REQUIRE(first + count <= AUDIT_MOST_RULES,
                "the auditor has room for more rules: raise AUDIT_MOST_RULES");
    memcpy(audit->names + first, more, count * sizeof *more);
    audit->rule_count += count;
    return first;
}

void audit_find(struct grt_audit *audit, uint32_t rule, grt_time time, uint32_t task, uint64_t job,
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

void audit_broken(struct grt_audit *audit, uint32_t rule, const struct grt_trace_record *record,
                  const char *sentence) {
    audit_find(audit, rule, record->time, record->task, record->job, "%s", sentence);
}
