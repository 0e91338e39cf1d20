#include "tests/support/job_checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/slack_checks.h"

/* What the trace says of one job. */
struct seen_job {
    uint32_t task;
    grt_time release, arrival, deadline, end; /* GRT_TIME_NEVER: not seen */
    uint8_t ended_as;                         /* kind of the record, 0 while it has not ended */
    bool skipped, late;
    grt_time first_work; /* first slice on a core or first request */
    grt_time computed;   /* on cores */
    grt_time missed;     /* when its miss was handled */
    uint32_t segments;   /* of the GPU, completed */
};

/* All jobs: those of task i are at first[i] and on, by number. */
struct seen_jobs {
    struct seen_job *jobs;
    size_t first[GRT_BUILDER_TASKS + 1];
    grt_time end;   /* of the run */
    bool stopped;   /* by a miss */
    bool own_parts; /* the jobs' threads execute host parts, not one of the policy */
};

static bool fail(const struct grt_trace_record *record, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u kind %u: %s\n", record->time, record->task, record->job,
            record->kind, sentence);
    return false;
}

/* ---- reading ---- */

static void make_room(struct seen_jobs *jobs, const struct grt_built_run *run) {
    size_t count = 0, of_task[GRT_BUILDER_TASKS] = {0};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        size_t *of = record->task < GRT_BUILDER_TASKS ? &of_task[record->task] : NULL;
        if (of != NULL && record->job >= *of) {
            *of = record->job + 1u;
        }
    }
    for (size_t task = 0; task < GRT_BUILDER_TASKS; task++) {
        jobs->first[task] = count;
        count += of_task[task];
    }
    jobs->first[GRT_BUILDER_TASKS] = count;
    jobs->jobs = grt_allocate((count + 1) * sizeof *jobs->jobs);
    for (size_t i = 0; i < count; i++) {
        jobs->jobs[i] = (struct seen_job){.release = GRT_TIME_NEVER,
                                          .arrival = GRT_TIME_NEVER,
                                          .deadline = GRT_TIME_NEVER,
                                          .end = GRT_TIME_NEVER,
                                          .first_work = GRT_TIME_NEVER,
                                          .missed = GRT_TIME_NEVER};
    }
}

static void read_work(struct seen_job *job, const struct grt_trace_record *record) {
    grt_time begin = record->kind == GRT_TRACE_CPU ? record->other : record->time;
    job->first_work = begin < job->first_work ? begin : job->first_work;
    bool computes = record->kind == GRT_TRACE_CPU && !(record->flags & (GRT_TRACE_SPIN | GRT_TRACE_OVERHEAD));
    job->computed += computes ? record->time - record->other : 0;
}

static bool read_end(struct seen_job *job, const struct grt_trace_record *record) {
    if (job->release == GRT_TIME_NEVER || job->ended_as != 0) {
        return fail(record, "a job that ends twice or was not released");
    }
    job->ended_as = record->kind;
    job->end = record->time;
    job->arrival = record->other;
    job->late = (record->flags & GRT_TRACE_LATE) != 0;
    bool passed = record->kind == GRT_TRACE_FINISH ? job->end > job->deadline : job->end >= job->deadline;
    passed |= job->missed == job->end; /* its thread was dispatched to end it when the deadline had passed */
    return record->kind == GRT_TRACE_ABORT || job->late == passed ||
           fail(record, "late in one of two senses only");
}

static bool read_record(struct seen_jobs *jobs, const struct grt_trace_record *record) {
    struct seen_job *job = &jobs->jobs[jobs->first[record->task] + record->job];
    job->task = record->task;
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
    case GRT_TRACE_SKIP:
        if (job->release != GRT_TIME_NEVER || job->skipped) {
            return fail(record, "a job that is released or skipped twice");
        }
        job->skipped = record->kind == GRT_TRACE_SKIP;
        job->release = job->skipped ? GRT_TIME_NEVER : record->time;
        job->end = job->skipped ? record->time : GRT_TIME_NEVER;
        job->deadline = record->other;
        return true;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
        return read_end(job, record);
    case GRT_TRACE_MISS:
        job->missed = record->time;
        return true;
    case GRT_TRACE_CPU:
    case GRT_TRACE_GPU_REQUEST:
        read_work(job, record);
        return job->release <= job->first_work || fail(record, "work before the release");
    case GRT_TRACE_GPU_SEGMENT:
        job->segments += !(record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN));
        return true;
    default:
        return true;
    }
}

/* ---- what must hold of a job ---- */

/* Cores that share the memory with a GPU may be slower than they are alone. */
static bool is_contended(const struct grt_scenario *scenario) {
    bool any = false;
    for (size_t i = 0; i < scenario->gpu_count; i++) {
        any |= grt_device_is_contended(&scenario->gpus[i]);
    }
    return any;
}

/* `own_parts`: the host parts of its GPU segments are its own. */
static bool has_done_everything(const struct grt_scenario *scenario, const struct seen_job *job,
                                bool own_parts) {
    const struct grt_task *task = &scenario->tasks[job->task];
    uint32_t gpu_segments = 0;
    grt_time least = 0, most = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_distribution *time = &task->segments[i].cpu_time;
        bool gpu = task->segments[i].kind == GRT_SEGMENT_GPU;
        gpu_segments += gpu;
        for (int part = 0; part < 2; part++) {
            const struct grt_distribution *host = &task->segments[i].host_part[part];
            least += !gpu || !own_parts ? 0 : grt_distribution_is_constant(host) ? host->max : host->min;
            most += gpu && own_parts ? host->max : 0;
        }
        least += gpu ? 0 : grt_distribution_is_constant(time) ? time->max : time->min;
        most += gpu ? 0 : time->max;
    }
    return job->segments == gpu_segments && job->computed >= least &&
           (job->computed <= most || is_contended(scenario));
}

/* A miss is handled at the deadline, or at the release if that is later, exactly if the job is alive then. */
static bool misses_are_handled(const struct grt_task *task, const struct seen_job *job, grt_time end) {
    grt_time due = job->deadline > job->release ? job->deadline : job->release;
    bool alive = job->ended_as == GRT_TRACE_FINISH ? job->late : job->end >= due;
    bool expected = task->on_miss != GRT_MISS_CONTINUE && !job->skipped && due <= end && alive;
    return job->missed == (expected ? due : GRT_TIME_NEVER);
}

static bool task_is_sound(const struct grt_scenario *scenario, const struct seen_jobs *jobs, uint32_t task,
                          grt_time end) {
    grt_time free_from = 0;
    for (size_t i = jobs->first[task]; i < jobs->first[task + 1]; i++) {
        const struct seen_job *job = &jobs->jobs[i];
        bool good = job->skipped ? job->ended_as == 0 : job->release != GRT_TIME_NEVER && job->ended_as != 0;
        good = good && (job->first_work == GRT_TIME_NEVER || job->first_work >= free_from);
        good = good &&
               (job->ended_as != GRT_TRACE_FINISH || has_done_everything(scenario, job, jobs->own_parts));
        if (!misses_are_handled(&scenario->tasks[task], job, end)) {
            fprintf(stderr, "task %u: the deadline of job %zu is not handled when it passes\n", task,
                    i - jobs->first[task]);
            return false;
        }
        if (!good) {
            fprintf(stderr, "task %u: job %zu is not whole, or begins before the one before it has ended\n",
                    task, i - jobs->first[task]);
            return false;
        }
        bool gone = job->ended_as == GRT_TRACE_FINISH || job->ended_as == GRT_TRACE_ABORT;
        free_from = gone && job->end > free_from ? job->end : free_from;
    }
    return true;
}

static bool counts_agree(const struct seen_jobs *jobs, const struct grt_built_run *run, uint32_t task) {
    const struct grt_task_result *result = &run->result->tasks[task];
    uint64_t released = 0, finished = 0, met = 0, missed = 0, aborted = 0, skipped = 0, unfinished = 0,
             sum = 0;
    grt_time longest = 0, shortest = GRT_TIME_NEVER, tardiness = 0;
    for (size_t i = jobs->first[task]; i < jobs->first[task + 1]; i++) {
        const struct seen_job *job = &jobs->jobs[i];
        released += !job->skipped;
        skipped += job->skipped;
        aborted += job->ended_as == GRT_TRACE_ABORT;
        unfinished += job->ended_as == GRT_TRACE_UNFINISHED;
        missed += job->late || job->ended_as == GRT_TRACE_ABORT;
        if (job->ended_as == GRT_TRACE_FINISH) {
            grt_time response = job->end - job->arrival;
            finished++;
            met += !job->late;
            sum += (uint64_t)response;
            longest = response > longest ? response : longest;
            shortest = response < shortest ? response : shortest;
            tardiness =
                job->late && job->end - job->deadline > tardiness ? job->end - job->deadline : tardiness;
        }
    }
    const struct grt_stats *response = &result->response;
    bool good = released == result->released && finished == result->finished && met == result->met &&
                missed == result->missed && aborted == result->aborted && skipped == result->skipped &&
                unfinished == result->unfinished && tardiness == result->worst_tardiness &&
                released == finished + aborted + unfinished && response->count == finished &&
                response->sum_low == sum && response->max == longest &&
                response->min == (finished > 0 ? shortest : 0);
    if (!good) {
        fprintf(stderr, "task %u: the result's counts are not those of the trace\n", task);
    }
    return good;
}

/* ---- precedence ---- */

/* Job number `number` of a predecessor, or NULL. */
static const struct seen_job *find(const struct seen_jobs *jobs, uint32_t task, size_t number) {
    size_t index = jobs->first[task] + number;
    return index < jobs->first[task + 1] ? &jobs->jobs[index] : NULL;
}

/* Job k comes at the instant at which job k of the last predecessor has ended, if all have finished, and not before the
 * job before it, which came at *previous. At the end of the run none need come. */
static bool came_in_turn(const struct grt_task *task, const struct seen_jobs *jobs,
                         const struct seen_job *job, size_t number, grt_time *previous) {
    bool lost = false;
    for (size_t i = 0; i < task->after_count; i++) {
        const struct seen_job *before = find(jobs, task->after[i], number);
        if (before == NULL || before->end == GRT_TIME_NEVER || before->ended_as == GRT_TRACE_UNFINISHED) {
            return job == NULL;
        }
        *previous = before->end > *previous ? before->end : *previous;
        lost = lost || before->skipped || before->ended_as == GRT_TRACE_ABORT;
    }
    bool at_end = *previous >= jobs->end;
    if (job == NULL ||
        (at_end && !jobs->stopped)) { /* a job that comes too late may itself have stopped the run */
        return job == NULL && at_end;
    }
    if ((job->skipped ? !lost && task->on_miss != GRT_MISS_SKIP_NEXT : lost)) {
        return false;
    }
    return (job->skipped ? job->end : job->release) == *previous;
}

static bool precedence_holds(const struct grt_scenario *scenario, const struct seen_jobs *jobs,
                             uint32_t number) {
    const struct grt_task *task = &scenario->tasks[number];
    size_t count = jobs->first[number + 1] - jobs->first[number];
    grt_time previous = 0;
    for (size_t i = 0; task->arrival == GRT_ARRIVAL_AFTER && i <= count; i++) {
        if (!came_in_turn(task, jobs, find(jobs, number, i), i, &previous)) {
            fprintf(stderr, "task %u: job %zu does not come as job %zu of its predecessors does\n", number, i,
                    i);
            return false;
        }
    }
    return true;
}

/* Whoever waits for the GPU waits at least as long as it is blocked. */
static bool waits_agree(const struct grt_built_run *run, uint32_t task) {
    const struct grt_task_result *result = &run->result->tasks[task];
    bool good = result->blocking.count == result->gpu_wait.count &&
                result->blocking.max <= result->gpu_wait.max &&
                result->blocking.sum_low <= result->gpu_wait.sum_low;
    if (!good) {
        fprintf(stderr, "task %u: more blocking than waiting\n", task);
    }
    return good;
}

static bool cores_are_sound(const struct grt_built_run *run) {
    grt_time free[GRT_MAX_CORES + GRT_BUILDER_TASKS] = {0}, busy[GRT_MAX_CORES + GRT_BUILDER_TASKS] = {0};
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_THREAD) {
            if (record->other < free[record->row]) {
                return fail(record, "two slices of one core overlap");
            }
            free[record->row] = record->time;
            busy[record->row] += record->time - record->other;
        }
    }
    for (size_t i = 0; i < run->result->core_count; i++) {
        if (run->result->cores[i].busy != busy[i]) {
            fprintf(stderr, "core %zu was busy for another time than its slices\n", i);
            return false;
        }
    }
    return true;
}

/* A policy may have threads and leave host parts to the jobs all the same. */
static bool has_own_parts(const struct grt_built_run *run) {
    bool own = run->policy == NULL || run->policy->host != GRT_HOST_BY_POLICY;
    for (size_t i = 0; run->policy == NULL && i < run->kept.record_count; i++) {
        own &= run->kept.records[i].kind != GRT_TRACE_THREAD;
    }
    return own;
}

bool grt_job_checks_pass(const struct grt_scenario *scenario, const struct grt_built_run *run) {
    struct seen_jobs jobs;
    bool good = cores_are_sound(run);
    make_room(&jobs, run);
    jobs.end = run->result->end;
    jobs.own_parts = has_own_parts(run);
    jobs.stopped = run->result->stopped_by_miss;
    for (size_t i = 0; good && i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        good = record->task == GRT_TRACE_NO_TASK || record->kind == GRT_TRACE_THREAD ||
               read_record(&jobs, record);
    }
    for (uint32_t task = 0; good && task < scenario->task_count; task++) {
        good = task_is_sound(scenario, &jobs, task, run->result->end) &&
               precedence_holds(scenario, &jobs, task) && counts_agree(&jobs, run, task) &&
               waits_agree(run, task);
    }
    free(jobs.jobs);
    return good && grt_slack_checks_pass(scenario, run);
}
