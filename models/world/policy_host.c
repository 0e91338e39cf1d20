/* What a policy may do on the cores: threads of its own, the host parts of GPU segments, priorities. See models/policy.h. */
#include "models/policy.h"
#include "models/world/internal.h"
#include "sim/check.h"

/* ---- threads of the policy's own ---- */

grt_thread grt_policy_thread(struct grt_world *world, int64_t core, int64_t priority, const char *name) {
    GRT_REQUIRE(!world->running, "a policy makes threads in `start` only");
    GRT_REQUIRE(core >= -1 && core < world->scenario->core_count,
                "a policy puts threads on cores of the platform");
    grt_thread thread = world->thread_count++;
    uint32_t place = core >= 0 ? (uint32_t)core : grt_cpu_add_core(world->cpu);
    world->threads =
        grt_array_grow(world->threads, &world->thread_capacity, world->thread_count, sizeof *world->threads);
    world->threads[thread] = (struct policy_thread){
        .number = grt_cpu_add_thread(world->cpu, place),
        .priority = priority,
        .name = grt_arena_text(&world->arena, name),
        .own_core = core >= 0 ? UINT32_MAX : place,
    };
    return thread;
}

void grt_policy_run(struct grt_world *world, grt_thread number, grt_time amount, uint32_t label,
                    grt_job job) {
    GRT_REQUIRE(world->deciding, "a policy gives work to threads in `decide` only");
    GRT_REQUIRE(number < world->thread_count && label < world->label_count && amount >= 0,
                "a policy gives work to threads that it made, under labels that it made");
    GRT_REQUIRE(job == GRT_NO_JOB || job < world->scenario->task_count,
                "a policy gives threads work for a job that it was told of, or for GRT_NO_JOB");
    GRT_REQUIRE(!world->threads[number].has_work, "a policy gives work to threads that have none");
    if (amount == 0) {
        policy_within_instant(world);
    }
    struct policy_thread *thread = &world->threads[number];
    struct grt_cpu_work work = {
        .amount = amount,
        .priority = thread->priority,
        .job = job == GRT_NO_JOB ? 0 : (uint32_t)world->tasks[job].view.number,
        .detail = label << 16 | number,
        .task = job == GRT_NO_JOB ? GRT_TRACE_NO_TASK : (uint16_t)job,
        .kind = GRT_TRACE_THREAD,
    };
    thread->has_work = true;
    grt_cpu_start(world->cpu, thread->number, &work);
}

void grt_policy_stop(struct grt_world *world, grt_thread number) {
    GRT_REQUIRE(world->deciding && number < world->thread_count && world->threads[number].has_work,
                "a policy stops, in `decide`, threads that have work");
    world->threads[number].has_work = false;
    grt_cpu_stop(world->cpu, world->threads[number].number, GRT_TRACE_ABORTED);
}

grt_time grt_policy_interrupt(struct grt_world *world, grt_thread number) {
    GRT_REQUIRE(world->deciding && number < world->thread_count && world->threads[number].has_work,
                "a policy interrupts, in `decide`, threads that have work");
    world->threads[number].has_work = false;
    return grt_cpu_interrupt(world->cpu, world->threads[number].number);
}

void policy_thread_completed(struct grt_world *world, uint32_t number) {
    grt_thread thread = 0;
    while (world->threads[thread].number != number) {
        thread++;
    }
    world->threads[thread].has_work = false;
    world->policy_told = true;
    if (world->policy->thread_done != NULL) {
        world->in_thread_done = true;
        world->policy->thread_done(world->policy_state, world, thread);
        world->in_thread_done = false;
        world_finish_segments(world);
    }
}

/* ---- GPU segments ---- */

grt_time grt_policy_host_time(const struct grt_world *world, grt_job job, enum grt_host_part part) {
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state >= JOB_REQUESTED,
                "a policy asks for the host parts of jobs in a GPU segment");
    return job_host_time(&world->tasks[job], part);
}

void grt_policy_finish(struct grt_world *world, grt_job job) {
    GRT_REQUIRE((world->deciding || world->in_thread_done) && world->policy->host == GRT_HOST_BY_POLICY,
                "a policy of GRT_HOST_BY_POLICY finishes segments, in `thread_done` or `decide`");
    GRT_REQUIRE(job < world->scenario->task_count && world->tasks[job].state == JOB_EXECUTED,
                "a policy finishes segments whose gpu_done it heard, once");
    GRT_REQUIRE(!world_is_to_abort(world, job),
                "a policy does not finish a segment of a job in the decision that aborts it");
    world->tasks[job].state = JOB_FINISHING;
    world->finishes[world->finish_count++] = job;
}

/* ---- the job's thread ---- */

static void require_thread(const struct grt_world *world, grt_job job) {
    GRT_REQUIRE(world->deciding, "a policy steers jobs' threads in `decide` only");
    GRT_REQUIRE(world->policy->host == GRT_HOST_BY_THREAD && job < world->scenario->task_count &&
                    world->tasks[job].host != NULL && world->tasks[job].state != JOB_NONE,
                "a policy of GRT_HOST_BY_THREAD steers the threads of jobs that use the GPU");
}

void grt_policy_boost(struct grt_world *world, grt_job job, int64_t priority) {
    require_thread(world, job);
    job_set_priority(world, job, priority);
}

void grt_policy_unboost(struct grt_world *world, grt_job job) {
    require_thread(world, job);
    job_set_priority(world, job, world->tasks[job].spec->priority);
}

void grt_policy_spin(struct grt_world *world, grt_job job, bool spins) {
    require_thread(world, job);
    GRT_REQUIRE(world->tasks[job].state == JOB_REQUESTED,
                "a policy says of waiting requests how they wait for the device");
    world->tasks[job].host->spins = spins;
}
