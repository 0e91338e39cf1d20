#include "tests/support/reference_np.h"

#include <stdio.h>
#include <stdlib.h>

static void require(bool holds, const char *sentence) {
    if (!holds) {
        fprintf(stderr, "reference_np: %s\n", sentence);
        abort();
    }
}

static bool has_job(const struct grt_reference_np_task *task, size_t job) {
    return task->arrivals == NULL || job < task->arrival_count;
}

static grt_reference_tick release_of(const struct grt_reference_np_task *task, size_t job) {
    if (task->arrivals != NULL) {
        return task->arrivals[job];
    }
    return task->offset + (grt_reference_tick)job * task->period;
}

static grt_reference_tick exec_of(const struct grt_reference_np_set *set, size_t task, size_t job) {
    if (set->tasks[task].exec != NULL) {
        return set->tasks[task].exec[job % set->tasks[task].exec_count];
    }
    return set->exec_of(set->context, task, job);
}

static void check(const struct grt_reference_np_set *set) {
    require(set->horizon >= 0, "give a horizon >= 0");
    require(set->tie != GRT_REFERENCE_TIE_SHUFFLE || set->tie_key != NULL,
            "give tie_key, the tie rule is SHUFFLE");
    for (size_t i = 0; i < set->task_count; i++) {
        const struct grt_reference_np_task *task = &set->tasks[i];
        require(task->deadline >= 0, "give a relative deadline >= 0");
        require(task->exec != NULL || set->exec_of != NULL, "give exec or exec_of");
        require(task->exec == NULL || task->exec_count > 0, "give exec_count > 0 with exec");
        if (task->arrivals == NULL) {
            require(task->offset >= 0 && task->period >= 1, "give offset >= 0 and period >= 1, or arrivals");
            continue;
        }
        for (size_t k = 0; k < task->arrival_count; k++) {
            require(task->arrivals[k] >= (k == 0 ? 0 : task->arrivals[k - 1]), "sort arrivals, each >= 0");
        }
    }
}

size_t grt_reference_np_job_count(const struct grt_reference_np_set *set) {
    check(set);
    size_t count = 0;
    for (size_t i = 0; i < set->task_count; i++) {
        for (size_t k = 0; has_job(&set->tasks[i], k) && release_of(&set->tasks[i], k) < set->horizon; k++) {
            count++;
        }
    }
    return count;
}

/* Lists all jobs of the run, none of which has done anything yet. */
static size_t list_jobs(const struct grt_reference_np_set *set, struct grt_reference_np_job *jobs) {
    size_t count = 0;
    for (size_t i = 0; i < set->task_count; i++) {
        const struct grt_reference_np_task *task = &set->tasks[i];
        for (size_t k = 0; has_job(task, k) && release_of(task, k) < set->horizon; k++) {
            jobs[count++] = (struct grt_reference_np_job){
                .task = i,
                .job = k,
                .release = release_of(task, k),
                .request = GRT_REFERENCE_NEVER,
                .start = GRT_REFERENCE_NEVER,
                .finish = GRT_REFERENCE_NEVER,
                .deadline = release_of(task, k) + task->deadline,
                .exec = exec_of(set, i, k),
                .missed = false,
            };
            require(jobs[count - 1].exec >= 1, "give execution times >= 1");
        }
    }
    return count;
}

/* Negative: a goes first; positive: b does; 0: equal. */
static int compare(grt_reference_tick a, grt_reference_tick b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

static int compare_by_policy(const struct grt_reference_np_set *set, const struct grt_reference_np_job *a,
                             const struct grt_reference_np_job *b) {
    switch (set->policy) {
    case GRT_REFERENCE_NP_FIFO:
        return compare(a->request, b->request);
    case GRT_REFERENCE_NP_EDF:
        return compare(a->deadline, b->deadline);
    case GRT_REFERENCE_NP_RM:
        return compare(set->tasks[a->task].period, set->tasks[b->task].period);
    case GRT_REFERENCE_NP_FP:
        return compare(set->tasks[b->task].priority, set->tasks[a->task].priority);
    }
    require(false, "give one of the four policies");
    return 0;
}

static int compare_by_tie_rule(const struct grt_reference_np_set *set, const struct grt_reference_np_job *a,
                               const struct grt_reference_np_job *b) {
    if (set->tie == GRT_REFERENCE_TIE_ARRIVAL) {
        return compare(a->release, b->release);
    }
    if (set->tie == GRT_REFERENCE_TIE_SHUFFLE) {
        uint64_t key_a = set->tie_key(set->context, a->task, a->job);
        uint64_t key_b = set->tie_key(set->context, b->task, b->job);
        return key_a < key_b ? -1 : key_a > key_b ? 1 : 0;
    }
    return 0;
}

static bool goes_before(const struct grt_reference_np_set *set, const struct grt_reference_np_job *a,
                        const struct grt_reference_np_job *b) {
    int order = compare_by_policy(set, a, b);
    if (order == 0) {
        order = compare_by_tie_rule(set, a, b);
    }
    if (order == 0) {
        return a->task < b->task;
    }
    return order < 0;
}

/* Lets every job make its request that is released and whose predecessor has finished. */
static void make_requests(struct grt_reference_np_job *jobs, size_t count, grt_reference_tick now) {
    for (size_t i = 0; i < count; i++) {
        bool waits_for_predecessor = jobs[i].job > 0 && jobs[i - 1].finish == GRT_REFERENCE_NEVER;
        if (jobs[i].request == GRT_REFERENCE_NEVER && jobs[i].release <= now && !waits_for_predecessor) {
            jobs[i].request = now;
        }
    }
}

/* Returns the ready job that goes first, NULL if none is ready. */
static struct grt_reference_np_job *choose(const struct grt_reference_np_set *set,
                                           struct grt_reference_np_job *jobs, size_t count) {
    struct grt_reference_np_job *best = NULL;
    for (size_t i = 0; i < count; i++) {
        bool ready = jobs[i].request != GRT_REFERENCE_NEVER && jobs[i].start == GRT_REFERENCE_NEVER;
        if (ready && (best == NULL || goes_before(set, &jobs[i], best))) {
            best = &jobs[i];
        }
    }
    return best;
}

size_t grt_reference_np_run(const struct grt_reference_np_set *set, struct grt_reference_np_job *jobs,
                            size_t capacity) {
    require(grt_reference_np_job_count(set) <= capacity, "give room for grt_reference_np_job_count() jobs");
    size_t count = list_jobs(set, jobs);

    struct grt_reference_np_job *running = NULL;
    for (grt_reference_tick now = 0; now <= set->horizon; now++) {
        if (running != NULL && running->start + running->exec == now) {
            running->finish = now;
            running = NULL;
        }
        if (now == set->horizon) {
            break;
        }
        make_requests(jobs, count, now);
        if (running == NULL) {
            running = choose(set, jobs, count);
            if (running != NULL) {
                running->start = now;
            }
        }
    }

    for (size_t i = 0; i < count; i++) {
        bool in_time = jobs[i].finish != GRT_REFERENCE_NEVER && jobs[i].finish <= jobs[i].deadline;
        jobs[i].missed = jobs[i].deadline <= set->horizon && !in_time;
    }
    return count;
}
