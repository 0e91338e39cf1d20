/* Jobs: each is released or skipped in its turn, goes through its segments, and ends once. */
#include <stdlib.h>

#include "verify/audit/cores.h"

/* ---- the ring of jobs ---- */

static void grow(struct audit_task *task) {
    uint32_t capacity = task->capacity > 0 ? 2 * task->capacity : GRT_FIRST_CAPACITY(4);
    struct audit_job *jobs = grt_allocate(capacity * sizeof *jobs);
    for (uint32_t i = 0; i < task->count; i++) {
        jobs[i] = *audit_job_at(task, i);
    }
    free(task->jobs);
    task->jobs = jobs;
    task->first = 0;
    task->capacity = capacity;
}

static struct audit_job *push(struct audit_task *task) {
    if (task->count == task->capacity) {
        grow(task);
    }
    return audit_job_at(task, task->count++);
}

static void pop(struct audit_task *task) {
    task->first = (task->first + 1) & (task->capacity - 1);
    task->count--;
}

/* Numbers grow along the ring; a record has their low half. */
static struct audit_job *find(const struct audit_task *task, uint32_t number) {
    uint32_t first = 0, behind = task->count;
    while (first < behind) {
        uint32_t middle = first + (behind - first) / 2;
        uint64_t base = audit_job_at(task, 0)->number, here = audit_job_at(task, middle)->number;
        if (here - base < (uint32_t)(number - (uint32_t)base)) {
            first = middle + 1;
        } else {
            behind = middle;
        }
    }
    struct audit_job *job = first < task->count ? audit_job_at(task, first) : NULL;
    return job != NULL && (uint32_t)job->number == number ? job : NULL;
}

struct audit_job *audit_current(struct audit_task *task, const struct grt_trace_record *record) {
    struct audit_job *job = task->count > 0 ? audit_job_at(task, 0) : NULL;
    return job != NULL && (uint32_t)job->number == record->job ? job : NULL;
}

/* ---- from segment to segment ---- */

static void begin_segment(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    task->since = now;
    if (task->segment == task->spec->segment_count) {
        task->state = AUDIT_FINISHING;
    } else if (task->spec->segments[task->segment].kind == GRT_SEGMENT_GPU) {
        task->state = AUDIT_ASKING;
        audit_host_begin(audit, task, now);
    } else {
        task->state = AUDIT_COMPUTING;
        task->computed = 0;
        audit_cpu_ready(audit, task);
    }
}

void audit_advance(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    task->segment++;
    begin_segment(audit, task, now);
}

static uint64_t tie_of(const struct grt_audit *audit, const struct audit_job *job) {
    return audit->scenario->ties == GRT_TIES_ARRIVAL ? (uint64_t)job->release : 0;
}

static void become_current(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    task->tie = tie_of(audit, audit_job_at(task, 0));
    task->segment = 0;
    begin_segment(audit, task, now);
}

void audit_next_job(struct grt_audit *audit, struct audit_task *task, grt_time now) {
    task->state = AUDIT_NO_JOB;
    do {
        pop(task);
    } while (task->count > 0 && audit_job_at(task, 0)->ended);
    if (task->count > 0) {
        become_current(audit, task, now);
    }
}

/* ---- releases ---- */

/* By how much the numbers of a spoilt trace may go ahead and be followed. */
enum { MOST_AHEAD = 16 };

/* Job numbers are those of a task's releases and skips together. */
static void check_number(struct grt_audit *audit, struct audit_task *task,
                         const struct grt_trace_record *record) {
    bool good = record->job == (uint32_t)task->next_number;
    audit_check(audit, AUDIT_NUMBERS, good, record, "is not the job that comes next");
    uint32_t ahead = record->job - (uint32_t)task->next_number;
    task->next_number += ahead <= MOST_AHEAD ? ahead : 0; /* goes on from there */
}

static void check_deadline(struct grt_audit *audit, const struct audit_task *task, grt_time arrival,
                           const struct grt_trace_record *record) {
    const struct grt_task *spec = task->spec;
    bool from_release = spec->deadline_from == GRT_DEADLINE_FROM_RELEASE;
    if (spec->deadline == GRT_TIME_NEVER) {
        audit_check(audit, AUDIT_DEADLINES, record->other == GRT_TIME_NEVER, record,
                    "has a deadline, but its task has none");
    } else if (from_release || arrival != AUDIT_UNKNOWN) {
        audit_check(audit, AUDIT_DEADLINES,
                    record->other == (from_release ? record->time : arrival) + spec->deadline, record,
                    "has another deadline than its task says");
    }
}

/* A job is released at most its task's jitter after its arrival, or exactly as much as the scenario lists; but not before the job
 * before it was. */
static void check_jitter(struct grt_audit *audit, const struct audit_task *task, const struct audit_job *job,
                         grt_time arrival, const struct grt_trace_record *record) {
    const grt_time *delays = job->number < task->spec->time_count ? task->spec->delays : NULL;
    grt_time least = delays != NULL ? delays[job->number] : 0;
    grt_time most = delays != NULL ? least : task->spec->jitter, late = job->release - arrival;
    bool held_up = late >= least && job->release == job->release_before;
    audit_check(audit, AUDIT_JITTER, (late >= least && late <= most) || held_up, record,
                "is not released between its arrival and the end of its jitter");
}

/* Whether the job that comes is skipped or must come, and its arrival. */
static grt_time come(struct grt_audit *audit, struct audit_task *task,
                     const struct grt_trace_record *record) {
    bool after = task->spec->arrival == GRT_ARRIVAL_AFTER, skipped = record->kind == GRT_TRACE_SKIP;
    grt_time arrival, instant;
    bool lost = false;
    check_number(audit, task, record);
    if (!after) {
        arrival = audit_arrival_of_next(audit, task, record);
    } else if (audit_after_take(task, &arrival, &instant, &lost)) {
        grt_time due = instant > task->last_release ? instant : task->last_release;
        audit_check(audit, AUDIT_AFTER, record->time == due, record,
                    "does not come at the instant at which the last job before it ends");
    } else {
        audit_check(audit, AUDIT_AFTER, false, record, "comes before a job that it comes after has ended");
        arrival = AUDIT_UNKNOWN;
    }
    bool must_skip = lost || task->skip_next;
    audit_check(audit, AUDIT_SKIPS, skipped == must_skip, record,
                skipped ? "is skipped for no reason" : "is released although it had to be skipped");
    task->skip_next = false;
    task->next_number++;
    return arrival;
}

void audit_release(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    grt_time arrival = come(audit, task, record);
    struct audit_job *job = push(task);
    *job = (struct audit_job){
        .number = task->next_number - 1,
        .arrival = arrival,
        .release = record->time,
        .deadline = record->other,
        .release_before = task->last_release,
    };
    if (job->number == 0) {
        task->first_arrival = arrival;
        task->first_release = record->time;
    }
    check_deadline(audit, task, arrival, record);
    if (task->spec->arrival != GRT_ARRIVAL_AFTER && arrival != AUDIT_UNKNOWN) {
        check_jitter(audit, task, job, arrival, record);
    }
    task->last_release = record->time;
    task->last_arrival = arrival;
    if (task->count == 1) {
        become_current(audit, task, record->time);
    }
}

void audit_skip(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    grt_time arrival = come(audit, task, record);
    if (arrival != AUDIT_UNKNOWN) {
        audit_check(audit, AUDIT_RESPONSES, record->other == arrival, record,
                    "was skipped with another arrival");
    }
    task->last_release = record->time;
    task->last_arrival = record->other;
    audit_hand_over(task, task->next_number - 1, record->other, record->time, true);
}

/* ---- ends ---- */

static void check_arrival(struct grt_audit *audit, const struct audit_task *task, const struct audit_job *job,
                          const struct grt_trace_record *record) {
    if (job->arrival != AUDIT_UNKNOWN) {
        audit_check(audit, AUDIT_RESPONSES, record->other == job->arrival, record,
                    "ends with another arrival than it came with");
    } else {
        check_jitter(audit, task, job, record->other, record);
    }
}

static void check_lateness(struct grt_audit *audit, const struct audit_job *job,
                           const struct grt_trace_record *record) {
    bool late = (record->flags & GRT_TRACE_LATE) != 0;
    bool passed =
        record->kind == GRT_TRACE_FINISH ? record->time > job->deadline : record->time >= job->deadline;
    if (record->kind != GRT_TRACE_ABORT) {
        audit_check(audit, AUDIT_LATE, late == passed, record,
                    passed ? "ends after its deadline and is not late"
                           : "is late, but ends before its deadline");
    }
}

/* A miss is handled for whoever is alive at its deadline, if its task asks for that. Ends at the end of the run may come before. */
static void check_miss(struct grt_audit *audit, const struct audit_task *task, const struct audit_job *job,
                       const struct grt_trace_record *record) {
    bool asks = task->spec->on_miss != GRT_MISS_CONTINUE;
    grt_time due = job->deadline > job->release ? job->deadline : job->release;
    bool was_alive = record->time > due;
    if (asks && (was_alive || record->kind == GRT_TRACE_FINISH)) {
        audit_check(audit, AUDIT_MISSES, job->missed == was_alive, record,
                    was_alive ? "missed its deadline without a record" : "met its deadline, but has a miss");
    }
    if (record->kind == GRT_TRACE_ABORT && audit->promise.policy.aborts_nothing) {
        audit_check(audit, AUDIT_MISSES,
                    job->missed && task->spec->on_miss == GRT_MISS_ABORT && record->time == due, record,
                    "is aborted, but did not miss its deadline at this instant");
    } else if (job->missed && task->spec->on_miss == GRT_MISS_ABORT) {
        audit_check(audit, AUDIT_MISSES, record->kind == GRT_TRACE_ABORT, record,
                    "missed its deadline and was not aborted");
    }
}

static void finish(struct grt_audit *audit, struct audit_task *task, const struct grt_trace_record *record) {
    bool good =
        audit_current(task, record) != NULL && task->state == AUDIT_FINISHING && task->since == record->time;
    audit_check(audit, AUDIT_ENDS, good, record, "does not finish when its last segment ends");
    if (audit_current(task, record) != NULL) {
        task->finished = record->time;
        task->dispatched = AUDIT_UNKNOWN; /* the next job has to wait for its core */
        audit_next_job(audit, task, record->time);
    }
}

/* The job is given up. What runs on a GPU runs out. */
static void give_up(struct grt_audit *audit, struct audit_task *task, struct audit_job *job,
                    const struct grt_trace_record *record) {
    if (audit_current(task, record) == NULL) {
        job->ended = true;
        return;
    }
    switch (task->state) {
    case AUDIT_COMPUTING:
        audit_cpu_aborted(audit, task, job->number, record->time);
        audit_next_job(audit, task, record->time);
        break;
    case AUDIT_ASKING:
        audit_check(audit, AUDIT_ENDS, task->phase == AUDIT_ASKS, record,
                    "is aborted in the instant in which it has to ask");
        audit_host_aborted(audit, task, job->number, record->time);
        audit_next_job(audit, task, record->time);
        break;
    case AUDIT_ON_GPU:
        audit_host_aborted(audit, task, job->number, record->time);
        task->state = AUDIT_DRAINING;
        task->aborted = record->time;
        break;
    default:
        audit_check(audit, AUDIT_ENDS, false, record, "is aborted, but has nothing left to do");
        break;
    }
}

void audit_end(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_job *job = find(task, record->job);
    bool draining = job != NULL && audit_current(task, record) != NULL && task->state == AUDIT_DRAINING;
    bool good = job != NULL && !job->ended && !draining;
    audit_check(audit, AUDIT_ENDS, good, record, "ends, but is not alive");
    if (!good) {
        return;
    }
    check_arrival(audit, task, job, record);
    check_lateness(audit, job, record);
    check_miss(audit, task, job, record);
    uint64_t number = job->number;
    if (record->kind == GRT_TRACE_FINISH) {
        finish(audit, task, record);
    } else if (record->kind == GRT_TRACE_ABORT) {
        give_up(audit, task, job, record);
    } else {
        job->ended = true;
        audit_check(audit, AUDIT_ENDS, record->time == audit->promise.end, record,
                    "is unfinished before the end of the run");
        return;
    }
    audit_hand_over(task, number, record->other, record->time, record->kind == GRT_TRACE_ABORT);
}

void audit_miss(struct grt_audit *audit, const struct grt_trace_record *record) {
    struct audit_task *task = &audit->tasks[record->task];
    struct audit_job *job = find(task, record->job);
    grt_time due = job == NULL ? GRT_TIME_NEVER : job->deadline > job->release ? job->deadline : job->release;
    bool good =
        job != NULL && !job->ended && !job->missed && record->time == due && record->other == job->deadline;
    audit_check(audit, AUDIT_MISSES, good, record,
                "has a miss at another instant than its deadline, or twice");
    if (job != NULL) {
        job->missed = true;
    }
    task->skip_next |= task->spec->on_miss == GRT_MISS_SKIP_NEXT;
    if (task->spec->on_miss == GRT_MISS_STOP) {
        audit_check(audit, AUDIT_MISSES, record->time == audit->promise.end, record, "does not stop the run");
    }
}

/* ---- the end of the run ---- */

void audit_jobs_finish(struct grt_audit *audit) {
    for (uint32_t i = 0; i < audit->scenario->task_count; i++) {
        struct audit_task *task = &audit->tasks[i];
        for (uint32_t j = 0; j < task->count; j++) {
            const struct audit_job *job = audit_job_at(task, j);
            bool draining = j == 0 && task->state == AUDIT_DRAINING;
            audit->checked[AUDIT_ENDS]++;
            if (!job->ended && !draining) {
                audit_find(audit, AUDIT_ENDS, audit->promise.end, i, job->number, "has no end");
            }
        }
        bool on_gpu = task->state == AUDIT_ON_GPU || task->state == AUDIT_DRAINING;
        audit->checked[AUDIT_OPEN] += on_gpu;
        if (on_gpu && !task->shown) {
            audit_find(audit, AUDIT_OPEN, audit->promise.end, i, audit_job_at(task, 0)->number,
                       "is in a GPU segment at the end of the run, which is not there");
        }
        audit_arrivals_finish(audit, task);
    }
}
