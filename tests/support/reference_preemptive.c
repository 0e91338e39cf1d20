#include "tests/support/reference_preemptive.h"

#include <stdio.h>
#include <stdlib.h>

/* What a job does at the moment. */
struct progress {
    bool begun;                   /* has entered its first segment */
    bool running;                 /* holds its core */
    bool preempted;               /* lost its core within the current segment and has not got it back */
    size_t segment;               /* the current one; == segment_count: finished */
    grt_reference_tick remaining; /* of the current segment */
};

struct world {
    const struct grt_reference_preemptive_set *set;
    struct grt_reference_preemptive_job *jobs;
    struct progress *progress; /* parallel to jobs */
    size_t count;
};

static void require(bool holds, const char *sentence) {
    if (!holds) {
        fprintf(stderr, "reference_preemptive: %s\n", sentence);
        abort();
    }
}

static bool has_job(const struct grt_reference_preemptive_task *task, size_t job) {
    return task->arrivals == NULL || job < task->arrival_count;
}

static grt_reference_tick release_of(const struct grt_reference_preemptive_task *task, size_t job) {
    if (task->arrivals != NULL) {
        return task->arrivals[job];
    }
    return task->offset + (grt_reference_tick)job * task->period;
}

static void check_task(const struct grt_reference_preemptive_task *task) {
    require(task->segment_count >= 1, "give at least one segment");
    for (size_t i = 0; i < task->segment_count; i++) {
        require(task->segments[i].length >= 1, "give segments of length >= 1");
        require(i == 0 || task->segments[i].suspension != task->segments[i - 1].suspension,
                "merge neighbouring segments of one kind");
    }
    if (task->arrivals == NULL) {
        require(task->offset >= 0 && task->period >= 1, "give offset >= 0 and period >= 1, or arrivals");
        return;
    }
    for (size_t k = 0; k < task->arrival_count; k++) {
        require(task->arrivals[k] >= (k == 0 ? 0 : task->arrivals[k - 1]), "sort arrivals, each >= 0");
    }
}

size_t grt_reference_preemptive_job_count(const struct grt_reference_preemptive_set *set) {
    require(set->horizon >= 0, "give a horizon >= 0");
    require(set->tie != GRT_REFERENCE_TIE_SHUFFLE || set->tie_key != NULL,
            "give tie_key, the tie rule is SHUFFLE");
    size_t count = 0;
    for (size_t i = 0; i < set->task_count; i++) {
        check_task(&set->tasks[i]);
        for (size_t k = 0; has_job(&set->tasks[i], k) && release_of(&set->tasks[i], k) < set->horizon; k++) {
            count++;
        }
    }
    return count;
}

static void list_jobs(struct world *world) {
    for (size_t i = 0; i < world->set->task_count; i++) {
        const struct grt_reference_preemptive_task *task = &world->set->tasks[i];
        for (size_t k = 0; has_job(task, k) && release_of(task, k) < world->set->horizon; k++) {
            world->jobs[world->count++] = (struct grt_reference_preemptive_job){
                .task = i,
                .job = k,
                .release = release_of(task, k),
                .finish = GRT_REFERENCE_NEVER,
            };
        }
    }
}

static const struct grt_reference_preemptive_task *task_of(const struct world *world, size_t job) {
    return &world->set->tasks[world->jobs[job].task];
}

static void enter_segment(struct world *world, size_t job, size_t segment) {
    world->progress[job] = (struct progress){
        .begun = true,
        .segment = segment,
        .remaining =
            segment < task_of(world, job)->segment_count ? task_of(world, job)->segments[segment].length : 0,
    };
}

/* Begun and not finished. */
static bool active(const struct world *world, size_t job) {
    return world->progress[job].begun && world->jobs[job].finish == GRT_REFERENCE_NEVER;
}

static bool suspended(const struct world *world, size_t job) {
    return active(world, job) && task_of(world, job)->segments[world->progress[job].segment].suspension;
}

/* Wants its core, whether or not it has it. */
static bool wants_core(const struct world *world, size_t job) {
    return active(world, job) && !suspended(world, job);
}

static void complete_segments(struct world *world, grt_reference_tick now) {
    for (size_t i = 0; i < world->count; i++) {
        if (active(world, i) && world->progress[i].remaining == 0) {
            enter_segment(world, i, world->progress[i].segment + 1);
            if (world->progress[i].segment == task_of(world, i)->segment_count) {
                world->jobs[i].finish = now;
            }
        }
    }
}

/* Lets every job enter its first segment that is released and whose predecessor has finished. */
static void begin_jobs(struct world *world, grt_reference_tick now) {
    for (size_t i = 0; i < world->count; i++) {
        bool waits_for_predecessor =
            world->jobs[i].job > 0 && world->jobs[i - 1].finish == GRT_REFERENCE_NEVER;
        if (!world->progress[i].begun && world->jobs[i].release <= now && !waits_for_predecessor) {
            enter_segment(world, i, 0);
        }
    }
}

static bool tie_goes_to(const struct world *world, size_t a, size_t b) {
    const struct grt_reference_preemptive_set *set = world->set;
    const struct grt_reference_preemptive_job *job_a = &world->jobs[a];
    const struct grt_reference_preemptive_job *job_b = &world->jobs[b];
    if (set->preempted_first && world->progress[a].preempted != world->progress[b].preempted) {
        return world->progress[a].preempted;
    }
    if (set->tie == GRT_REFERENCE_TIE_ARRIVAL && job_a->release != job_b->release) {
        return job_a->release < job_b->release;
    }
    if (set->tie == GRT_REFERENCE_TIE_SHUFFLE) {
        uint64_t key_a = set->tie_key(set->context, job_a->task, job_a->job);
        uint64_t key_b = set->tie_key(set->context, job_b->task, job_b->job);
        if (key_a != key_b) {
            return key_a < key_b;
        }
    }
    return job_a->task < job_b->task;
}

/* Whether the core should rather execute a than b; both want it. */
static bool goes_before(const struct world *world, size_t a, size_t b) {
    if (task_of(world, a)->priority != task_of(world, b)->priority) {
        return task_of(world, a)->priority > task_of(world, b)->priority;
    }
    if (world->progress[a].running || world->progress[b].running) {
        return world->progress[a].running;
    }
    return tie_goes_to(world, a, b);
}

/* Whether no other job on the same core goes before this one. */
static bool is_first_on_its_core(const struct world *world, size_t job) {
    for (size_t i = 0; i < world->count; i++) {
        bool rival = i != job && wants_core(world, i) && task_of(world, i)->core == task_of(world, job)->core;
        if (rival && goes_before(world, i, job)) {
            return false;
        }
    }
    return true;
}

/* Decides for all cores. `first` has room for one flag per job, so that no decision sees the effects of
 * another. */
static void decide(struct world *world, bool *first) {
    for (size_t i = 0; i < world->count; i++) {
        first[i] = wants_core(world, i) && is_first_on_its_core(world, i);
    }
    for (size_t i = 0; i < world->count; i++) {
        if (world->progress[i].running && !first[i]) {
            world->progress[i].preempted = true;
        }
        if (first[i]) {
            world->progress[i].preempted = false;
        }
        world->progress[i].running = first[i];
    }
}

static void pass_one_tick(struct world *world) {
    for (size_t i = 0; i < world->count; i++) {
        if (world->progress[i].running || suspended(world, i)) {
            world->progress[i].remaining--;
        }
    }
}

size_t grt_reference_preemptive_run(const struct grt_reference_preemptive_set *set,
                                    struct grt_reference_preemptive_job *jobs, size_t capacity) {
    size_t count = grt_reference_preemptive_job_count(set);
    require(count <= capacity, "give room for grt_reference_preemptive_job_count() jobs");
    struct world world = {.set = set, .jobs = jobs};
    world.progress = calloc(count + 1, sizeof *world.progress);
    bool *first = calloc(count + 1, sizeof *first);
    require(world.progress != NULL && first != NULL, "out of memory");
    list_jobs(&world);

    for (grt_reference_tick now = 0; now <= set->horizon; now++) {
        complete_segments(&world, now);
        if (now == set->horizon) {
            break;
        }
        begin_jobs(&world, now);
        decide(&world, first);
        pass_one_tick(&world);
    }

    free(first);
    free(world.progress);
    return count;
}
