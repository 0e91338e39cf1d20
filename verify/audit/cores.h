/* Cores and the threads on them, as the auditor follows them: who is ready, who has to run, and what threads of jobs do for GPU segments. See
 * core.c. */
#ifndef GRT_VERIFY_AUDIT_CORES_H
#define GRT_VERIFY_AUDIT_CORES_H

#include "verify/audit/internal.h"

/* A thread: of each task, by its number; then those of the policy. */
struct audit_thread {
    uint32_t number, core;        /* core AUDIT_NONE: it has none, or has not been seen */
    uint32_t ready_at;            /* place in the core's list; AUDIT_NONE: not there */
    bool unsure;                  /* it may be ready: a slice will show it; set by audit_thread_unsure */
    bool gone_unsure, gone_vague; /* it was when it last ceased to be ready; and the next one */
    bool apart;                   /* it became ready later in the instant at which it had left its core */
    bool vague;                   /* it may have been idle before it became ready */
    bool point;                   /* what it has to do takes no time */
    int64_t priority;
    uint64_t tie;
    grt_time since;       /* when it became ready */
    grt_time idle_from;   /* when it last ceased to be; -1 at first */
    grt_time hidden;      /* how many switches more it may owe, of which nothing shows */
    grt_time idle_before; /* that, when it became ready */
    grt_time overhead;    /* what it has to execute of switches and wake-ups before it goes on */
    grt_time gone_since, gone_overhead; /* of what it did last, if that was cut short */
    grt_time due; /* when it had to be dispatched for something that takes no time; NEVER: not yet */
};

struct audit_core {
    uint32_t *ready; /* threads */
    uint32_t ready_count, unsure_count;
    bool alone;             /* it has one thread, which runs whenever it is ready */
    bool has_unsure;        /* threads of which it may be unknown when they became ready */
    bool touched, doubtful; /* doubtful: another one of equals may run */
    uint32_t running, last; /* who has to run now, and who ran last; AUDIT_NONE: nobody */
    grt_time since;         /* when that began, as far as it has not been seen */
    grt_time free_from;     /* the end of the last slice */
    grt_time point_at;      /* the last instant at which somebody had it who needed no time */
    uint32_t cut;           /* who was cut off, if it is not known for whom */
    grt_time cut_at;
    uint32_t owed; /* whose slice has to come next: it was cut off or aborted */
    grt_time owed_since;
    grt_time claimed; /* since when one of equals has had it, of whom some went meanwhile; NEVER: nobody */
};

/* ---- core.c: who has to run on the cores ---- */

void audit_cores_create(struct grt_audit *audit);

/* A thread is ready from now on; `point`: it needs its core, but no time. Or it has nothing to do any more; or not, and was running perhaps, of which
 * a slice tells next. */
void audit_thread_ready(struct grt_audit *audit, struct audit_thread *thread, bool point, grt_time now);
void audit_thread_leave(struct grt_audit *audit, struct audit_thread *thread, grt_time now);
void audit_thread_unsure(struct grt_audit *audit, struct audit_thread *thread, bool unsure);
void audit_thread_aborted(struct grt_audit *audit, struct audit_thread *thread, grt_time now);
void audit_thread_priority(struct grt_audit *audit, struct audit_thread *thread, int64_t priority);

/* Whether nobody who was ready before this instant goes before the thread. */
bool audit_is_first(struct grt_audit *audit, const struct audit_thread *thread, grt_time now);

/* The instant `now` is over. */
void audit_cores_settle(struct grt_audit *audit);

/* The task of a thread; AUDIT_NONE: it is one of the policy's. */
static inline uint32_t audit_task_of(const struct grt_audit *audit, uint32_t thread) {
    return thread < audit->scenario->task_count ? thread : AUDIT_NONE;
}

/* It has to be decided anew who runs on the core. */
void audit_core_touch(struct grt_audit *audit, uint32_t core);

/* Of the instant at which a thread had to be dispatched: it may have been any of several by now. */
#define AUDIT_MAYBE (GRT_TIME_NEVER - 1)

/* ---- ran.c: slices on cores ---- */

/* A slice of the thread, on a core that exists. `gone`: it has come to its end otherwise. */
void audit_core_slice(struct grt_audit *audit, struct audit_thread *thread, bool gone,
                      const struct grt_trace_record *record);

void audit_cores_finish(struct grt_audit *audit);

/* ---- cpu.c: whose they are, and how long they compute ---- */

void audit_cpu_ready(struct grt_audit *audit, struct audit_task *task);
void audit_cpu_aborted(struct grt_audit *audit, struct audit_task *task, uint64_t job, grt_time now);
void audit_cpu_slice(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_thread_slice(struct grt_audit *audit, const struct grt_trace_record *record);
void audit_priority(struct grt_audit *audit, const struct grt_trace_record *record);

/* ---- host.c: what threads of jobs do for GPU segments ---- */

/* Whether it may be unknown when a thread of the task becomes ready. */
bool audit_host_may_be_unsure(const struct grt_audit *audit, const struct grt_task *spec);

/* A GPU segment begins; its job asks, true if it may now; has asked. */
void audit_host_begin(struct grt_audit *audit, struct audit_task *task, grt_time now);
bool audit_host_asks(struct grt_audit *audit, struct audit_task *task, const struct grt_trace_record *record);
void audit_host_requested(struct grt_audit *audit, struct audit_task *task);

/* The segment is submitted, which families know; its commands have completed. */
void audit_host_submitted(struct grt_audit *audit, struct audit_task *task, grt_time now);
void audit_host_device_done(struct grt_audit *audit, struct audit_task *task, grt_time now);

/* A thread that needs no time has its core, certainly or by what is known. */
void audit_host_dispatched(struct grt_audit *audit, struct audit_thread *thread, bool certain, grt_time now);

/* Whether the current job may compute as a slice in its GPU segment says; the part that it executes; and what follows. */
bool audit_host_computes(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record);
struct grt_distribution audit_host_part(const struct audit_task *task);
void audit_host_computed(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record);

/* Whether cores, or the policy, have to do with a segment of the task; whether it may end now, as far as they have; its job is aborted. */
bool audit_host_takes_part(const struct grt_audit *audit, const struct grt_segment *segment);
bool audit_host_ends(struct grt_audit *audit, struct audit_task *task, const struct grt_trace_record *record);
void audit_host_aborted(struct grt_audit *audit, struct audit_task *task, uint64_t job, grt_time now);

#endif
