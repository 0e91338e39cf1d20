#include "models/learning/collect.h"

#include <string.h>

#include "models/world.h"
#include "sim/check.h"
#include "sim/hash.h"

enum { PATIENCE = 100000, TRIES = 1000, TELL_EVERY = 50 };

/* ---- a policy that submits all at once, and takes the time of one ---- */

struct findings {
    const struct grt_situation *situation;
    double *indicators;
    grt_time time;
};

struct parameters {
    struct findings *findings;
};

struct collector {
    grt_stream streams[GRT_SITUATION_MOST];
    grt_job jobs[GRT_SITUATION_MOST];
    uint32_t timer, count;
    bool sampled, done, ended;
};

static struct findings *findings_of(struct grt_world *world) {
    const struct parameters *parameters = grt_policy_parameters(world);
    return parameters->findings;
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct collector *collector = state;
    (void)errors;
    for (size_t i = 0; i < findings_of(world)->situation->count; i++) {
        collector->streams[i] = grt_policy_stream(world, 0, 0, "s");
    }
    collector->timer = grt_policy_new_timer(world);
    return true;
}

static void gpu_request(void *state, struct grt_world *world, grt_job job) {
    struct collector *collector = state;
    collector->jobs[grt_policy_job(world, job)->task] = job;
    collector->count++;
}

static void gpu_done(void *state, struct grt_world *world, grt_job job) {
    struct collector *collector = state;
    struct findings *findings = findings_of(world);
    if (grt_policy_job(world, job)->task == findings->situation->measured) {
        findings->time = grt_policy_now(world);
        collector->done = true;
    }
}

static void submit_all(struct collector *collector, struct grt_world *world) {
    const struct grt_situation *situation = findings_of(world)->situation;
    for (size_t i = 0; i < situation->count; i++) {
        grt_policy_submit(world, collector->jobs[i], collector->streams[i]);
        grt_policy_set_share(world, collector->streams[i], situation->shares[i]);
    }
    grt_policy_timer(world, collector->timer, grt_policy_now(world) + 1);
}

/* At the first instant all begin; at the next one there are speeds; when the measured kernel is done, so is the run. */
static void decide(void *state, struct grt_world *world) {
    struct collector *collector = state;
    struct findings *findings = findings_of(world);
    size_t measured = findings->situation->measured;
    if (grt_policy_now(world) == 0) {
        submit_all(collector, world);
    } else if (!collector->sampled) {
        grt_policy_workload(world, collector->streams[measured], findings->indicators);
        collector->sampled = true;
    }
    if (collector->done && !collector->ended) {
        for (size_t i = 0; i < findings->situation->count; i++) {
            if (i != measured) {
                grt_policy_abort(world, collector->jobs[i]);
            }
        }
        collector->ended = true;
    }
}

static const struct grt_policy_ops collector_ops = {
    .name = "collect",
    .summary = "executes kernels beside each other, and takes the time of one",
    .state_size = sizeof(struct collector),
    .parameters_size = sizeof(struct parameters),
    .sets_shares = true,
    .promise = {.gpu = GRT_PROMISE_AT_ONCE},
    .start = start,
    .gpu_request = gpu_request,
    .gpu_done = gpu_done,
    .decide = decide,
};

/* ---- one sample ---- */

/* A kernel of that work, all of it in one wave; the others have more of it than time. */
static struct grt_command_spec command_of(const struct grt_application *application, grt_time work) {
    const struct grt_kernel *kernel = application->kernel;
    return (struct grt_command_spec){
        .kind = GRT_COMMAND_KERNEL,
        .kernel = {.name = kernel->name,
                   .whole_device = true,
                   .block_time = {.kind = GRT_CONSTANT, .max = work},
                   .class_name = kernel->class_name,
                   .usage = &application->usage},
    };
}

static struct grt_task task_of(const struct grt_segment *segment) {
    static const grt_time at_once[] = {0};
    return (struct grt_task){
        .name = "t",
        .arrival = GRT_ARRIVAL_TIMES,
        .times = at_once,
        .time_count = 1,
        .deadline = GRT_TIME_NEVER,
        .cpu = -1,
        .segments = segment,
        .segment_count = 1,
    };
}

static void execute(const struct grt_scenario *scenario, struct findings *findings) {
    struct parameters parameters = {findings};
    struct grt_world_options options = {0};
    struct grt_errors errors = {0};
    struct grt_world *world = grt_world_create(scenario, &collector_ops, &parameters, &options, &errors);
    GRT_REQUIRE(world != NULL, "collect samples of scenarios that were checked");
    grt_world_run(world);
    grt_world_free(world);
}

grt_time grt_collect_one(const struct grt_learner *learner, const struct grt_situation *situation,
                         double *indicators) {
    struct grt_command_spec commands[GRT_SITUATION_MOST];
    struct grt_segment segments[GRT_SITUATION_MOST];
    struct grt_task tasks[GRT_SITUATION_MOST];
    struct grt_device device = *learner->all->device;
    struct findings findings = {situation, indicators, GRT_TIME_NEVER};
    grt_time work = grt_learner_application(learner)->work;
    device.kernel_launch = 0;
    for (size_t i = 0; i < situation->count; i++) {
        commands[i] = command_of(situation->running[i], i == situation->measured ? work : GRT_TIME_LIMIT);
        segments[i] =
            (struct grt_segment){.kind = GRT_SEGMENT_GPU, .commands = &commands[i], .command_count = 1};
        tasks[i] = task_of(&segments[i]);
    }
    const struct grt_scenario scenario = {
        .name = "samples",
        .horizon = work < GRT_TIME_LIMIT / PATIENCE ? PATIENCE * work : GRT_TIME_LIMIT,
        .gpus = &device,
        .gpu_count = 1,
        .tasks = tasks,
        .task_count = situation->count,
    };
    execute(&scenario, &findings);
    return findings.time;
}

/* ---- many ---- */

static bool collect(const struct grt_learner *learner, const struct grt_collection *collection,
                    struct grt_random *random, struct grt_sample *sample) {
    for (int i = 0; i < TRIES; i++) {
        struct grt_situation situation = grt_situation_draw(learner, random);
        grt_time time = grt_collect_one(learner, &situation, sample->indicators);
        if (time != GRT_TIME_NEVER) {
            double measured = (double)time * grt_noise_draw(random, collection->noise);
            sample->share = situation.shares[situation.measured];
            sample->time = measured < 1 ? 1 : measured;
            return true;
        }
    }
    return false;
}

bool grt_collect(const struct grt_learner *learner, const struct grt_collection *collection, uint64_t first,
                 struct grt_samples *samples, struct grt_errors *errors) {
    const char *name = grt_learner_application(learner)->kernel->name;
    uint64_t kernel = 0;
    for (const char *letter = name; *letter != '\0'; letter++) {
        kernel = grt_hash_add(kernel, (unsigned char)*letter);
    }
    for (size_t i = 0; i < samples->count; i++) {
        struct grt_random random = grt_random_stream(collection->seed, "sample", kernel, first + i);
        if (!collect(learner, collection, &random, &samples->items[i])) {
            grt_error_add(errors, NULL, "kernel \"%s\" never ended in %d situations", name, TRIES);
            return false;
        }
        if (collection->tell != NULL && (i + 1) % TELL_EVERY == 0) {
            collection->tell(collection->context, (int64_t)i + 1, (int64_t)samples->count);
        }
    }
    return true;
}
