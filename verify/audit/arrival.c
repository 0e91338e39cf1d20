/* When jobs may arrive: what follows from the scenario without a random draw. */
#include "verify/audit/internal.h"

/* Whether the scenario lists the arrivals. */
static bool is_listed(const struct grt_task *spec) {
    return spec->arrival == GRT_ARRIVAL_TIMES ||
           (spec->arrival == GRT_ARRIVAL_SPORADIC && spec->times != NULL);
}

/* When the next job of a periodic task arrives: by its place, or, where its clock is relative, a period after the release before it. */
static grt_time periodic_arrival(const struct audit_task *task) {
    const struct grt_task *spec = task->spec;
    if (spec->clock == GRT_CLOCK_RELATIVE && task->next_number > 0) {
        return task->last_release + spec->period;
    }
    return spec->offset + (grt_time)task->next_number * spec->period;
}

/* What is known of an arrival at its release. */
static grt_time known_arrival(const struct audit_task *task, const struct grt_trace_record *record) {
    const struct grt_task *spec = task->spec;
    bool dated = spec->deadline_from == GRT_DEADLINE_FROM_ARRIVAL && spec->deadline != GRT_TIME_NEVER;
    uint64_t number = task->next_number;
    if (spec->arrival == GRT_ARRIVAL_PERIODIC) {
        return periodic_arrival(task);
    }
    if (is_listed(spec)) {
        return number < spec->time_count ? spec->times[number] : AUDIT_UNKNOWN;
    }
    if (record->kind == GRT_TRACE_SKIP) {
        return record->other;
    }
    return spec->jitter == 0 ? record->time : dated ? record->other - spec->deadline : AUDIT_UNKNOWN;
}

/* The least distance of two arrivals, and of the first one from the offset. */
static grt_time least_gap(const struct grt_task *spec) {
    const struct grt_distribution *gap = &spec->extra_gap;
    grt_time extra = gap->kind == GRT_CONSTANT ? gap->max : gap->min;
    return spec->arrival == GRT_ARRIVAL_SPORADIC ? spec->period + extra : 1;
}

static grt_time most_gap(const struct grt_task *spec) {
    return spec->period + spec->extra_gap.max;
}

static void check_distance(struct grt_audit *audit, const struct audit_task *task, grt_time arrival,
                           const struct grt_trace_record *record) {
    const struct grt_task *spec = task->spec;
    bool sporadic = spec->arrival == GRT_ARRIVAL_SPORADIC, first = task->next_number == 0;
    if (first) {
        audit_check(audit, AUDIT_ARRIVALS, sporadic ? arrival == spec->offset : arrival > spec->offset,
                    record, "does not arrive at the offset of its task");
    } else if (task->last_arrival != AUDIT_UNKNOWN) {
        grt_time gap = arrival - task->last_arrival;
        audit_check(audit, AUDIT_ARRIVALS, gap >= least_gap(spec) && (!sporadic || gap <= most_gap(spec)),
                    record, "arrives at another distance from the job before than its task has");
    }
}

grt_time audit_arrival_of_next(struct grt_audit *audit, struct audit_task *task,
                               const struct grt_trace_record *record) {
    const struct grt_task *spec = task->spec;
    grt_time arrival = known_arrival(task, record);
    if (is_listed(spec)) {
        audit_check(audit, AUDIT_ARRIVALS, arrival != AUDIT_UNKNOWN, record,
                    "is one more than its task's times");
    } else if (spec->arrival != GRT_ARRIVAL_PERIODIC && arrival != AUDIT_UNKNOWN) {
        check_distance(audit, task, arrival, record);
    } else if (arrival == AUDIT_UNKNOWN && task->next_number > 0) { /* releases are at most a jitter late */
        audit_check(audit, AUDIT_ARRIVALS,
                    record->time - task->last_release >= least_gap(spec) - spec->jitter, record,
                    "comes too early after the job before");
    }
    return arrival;
}

/* The latest instant at which the next job may be released, as far as it is known. */
static grt_time latest_release(const struct audit_task *task) {
    const struct grt_task *spec = task->spec;
    grt_time arrival = GRT_TIME_NEVER;
    if (spec->arrival == GRT_ARRIVAL_PERIODIC) {
        arrival = periodic_arrival(task);
    } else if (is_listed(spec)) {
        arrival = task->next_number < spec->time_count ? spec->times[task->next_number] : GRT_TIME_NEVER;
    } else if (spec->arrival == GRT_ARRIVAL_SPORADIC && task->next_number == 0) {
        arrival = spec->offset;
    } else if (spec->arrival == GRT_ARRIVAL_SPORADIC && task->last_arrival != AUDIT_UNKNOWN) {
        arrival = task->last_arrival + most_gap(spec);
    }
    if (arrival == GRT_TIME_NEVER) {
        return GRT_TIME_NEVER;
    }
    grt_time latest = arrival + (spec->delays != NULL ? spec->delays[task->next_number] : spec->jitter);
    return latest > task->last_release ? latest : task->last_release;
}

/* At the end of the run whoever had to come has come. */
void audit_arrivals_finish(struct grt_audit *audit, struct audit_task *task) {
    audit->checked[AUDIT_JITTER]++;
    if (task->spec->arrival == GRT_ARRIVAL_AFTER) {
        grt_time arrival, instant;
        bool lost;
        audit->checked[AUDIT_AFTER]++;
        if (audit_after_take(task, &arrival, &instant, &lost) && instant < audit->promise.end) {
            audit_find(audit, AUDIT_AFTER, instant, task->number, task->next_number,
                       "does not come, although all jobs that it comes after have ended");
        }
    } else if (latest_release(task) < audit->promise.end) {
        audit_find(audit, AUDIT_JITTER, latest_release(task), task->number, task->next_number,
                   "was not released");
    }
}
