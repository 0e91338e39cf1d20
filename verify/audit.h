/* The auditor: reads the trace of a run beside its scenario and says what in it breaks the rules. It shares no code with the policies and does
 * not run the simulator: it may include sim/ (traces, arithmetic) and the plain descriptions of models/ (task.h, device.h, occupancy.h,
 * demand.h, step.h, promise.h), nothing else; tests/structure/check.py sees to that.
 *
 * Order of calls: grt_audit_create, then its sink's functions by way of grt_trace_add_sink, grt_audit_finish, grt_audit_free. */
#ifndef GRT_VERIFY_AUDIT_H
#define GRT_VERIFY_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/promise.h"
#include "models/task.h"
#include "sim/time.h"
#include "sim/trace.h"

/* The reservation server of a GPU (GRT_PROMISE_SLOTS), as numbers. */
struct grt_audit_slots {
    grt_time period; /* T, ns */
    size_t count;
    const uint32_t *tasks;   /* the scenario's numbers of the tasks, in the order of their slots */
    const grt_time *lengths; /* o_i, ns, with the overhead of a piece; GRT_TIME_NEVER: no limit */
    const grt_time *offsets; /* of the slots in the period; NULL: packed */
};

/* How the locks of GPUs work (GRT_PROMISE_LOCK). */
struct grt_audit_lock {
    bool spins; /* whoever holds one busy-waits for the device; else it leaves its core meanwhile */
    /* By task: the priority of its thread while it holds one is this plus a number that is the same for all; NULL: any. In either case it is
     * above those of all tasks. */
    const int64_t *ceilings;
};

/* How a server works (GRT_PROMISE_SERVER). */
struct grt_audit_server {
    /* epsilon: what the server executes when it is asked while it has nothing to do, and behind every request */
    grt_time cost;
    bool charged; /* also for every other time that it is asked */
    bool shared;  /* several servers have one core, and delay each other */
};

/* How the scheduler of a GPU makes batches (GRT_PROMISE_BATCHES). Times in ns. */
struct grt_audit_batches {
    uint32_t most; /* segments in a batch */

    /* How long after the instant in which somebody waits and no batch goes on the members may be chosen. 0: then; GRT_TIME_NEVER: until
     * the first command shows it. */
    grt_time choice;

    /* How long after that instant the first command is called at the latest; GRT_TIME_NEVER: not known. */
    grt_time begin;

    /* With `choice` 0, where the host is not held up and segments overlap: something of every member is called in the instant of the choice. */
    bool at_once;

    grt_time told; /* how long after a request the scheduler hears of it: until then nobody waits */
    const grt_time *averages; /* by task: the average runtime in its priority; GRT_TIME_NEVER: not known */
    const bool *outside;      /* by task: it is a part of the scheduler, and in no batch; NULL: none is */
};

/* Where segments belong (GRT_PROMISE_PLACES). */
struct grt_audit_places {
    /* By task: a number that those share that are pinned to the same part of their GPU; UINT32_MAX: has all of it. */
    const uint32_t *places;
};

/* What the run promised besides what all runs promise. */
struct grt_audit_promise {
    struct grt_promise policy; /* picks the rules; nothing promised: only those of all runs */
    grt_time end;              /* when the run ended */
    bool any_order;            /* the policy issues the commands of a job in any order, in several streams */
    /* GRT_PROMISE_SLOTS: one per GPU, as long as the auditor lives; NULL: not audited. */
    const struct grt_audit_slots *slots;
    /* GRT_PROMISE_LOCK, GRT_PROMISE_SERVER: as long as the auditor lives; NULL: what they say is not audited. */
    const struct grt_audit_lock *lock;
    const struct grt_audit_server *server;
    /* GRT_PROMISE_BATCHES, GRT_PROMISE_PLACES: as long as the auditor lives; NULL: not audited. */
    const struct grt_audit_batches *batches;
    const struct grt_audit_places *places;
    uint32_t threads; /* how many threads of its own the policy has */
};

/* One broken rule. */
struct grt_audit_finding {
    const char *rule; /* short, constant: "policy: earliest deadline first" */
    grt_time time;    /* when */
    uint32_t task;    /* whom it concerns, GRT_TRACE_NO_TASK: nobody */
    uint64_t job;
    char text[256]; /* a sentence */
};

struct grt_audit;

/* An auditor of one run; `scenario` must outlive it. */
struct grt_audit *grt_audit_create(const struct grt_scenario *scenario,
                                   const struct grt_audit_promise *promise);

/* Hears the trace: pass to grt_trace_add_sink with the auditor as state. */
extern const struct grt_trace_sink grt_audit_sink;

/* Checks what can only be checked at the end. Returns how many findings there are in all; the first 256 are kept. */
uint64_t grt_audit_finish(struct grt_audit *audit);

/* The kept findings, in the order of their times; valid until the auditor is freed. */
const struct grt_audit_finding *grt_audit_findings(const struct grt_audit *audit, size_t *count);

/* How many things were checked (dispatches, slots, ...), by rule that holds for the policy, after grt_audit_finish: so that a check that never
 * had anything to check is seen. */
struct grt_audit_count {
    const char *rule;
    uint64_t checked, broken;
};
const struct grt_audit_count *grt_audit_counts(const struct grt_audit *audit, size_t *count);

void grt_audit_free(struct grt_audit *audit);

#endif
