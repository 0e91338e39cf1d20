#include "study/evaluate/networks.h"

#include <stdlib.h>
#include <string.h>

#include "models/adapt.h"
#include "models/learning/train.h"
#include "sim/hash.h"
#include "study/evaluate/evaluate.h"

/* So many sets of a point are looked at for their kernels. */
enum { SETS_LOOKED_AT = 1000, MOST_KERNELS = 256 };

/* What was trained for one list of kernels. */
struct grt_trained {
    struct grt_trained *next;
    uint64_t key;
    const struct grt_device *gpus; /* where the kernels are those of all points: on these; else NULL */
    int64_t training;
    const struct grt_networks *networks;
};

/* The kernels of all sets, each name once. */
struct kernels {
    const struct grt_experiment *experiment;
    const struct grt_point *point;
    const struct grt_evaluation *evaluation;
    struct grt_arena *arena; /* what stays */
    struct grt_task tasks[MOST_KERNELS];
    size_t count;
    bool of_all;                  /* of all points, not of `point` alone */
    struct grt_scenario scenario; /* with these tasks; as the first set besides */
    const char *problem;          /* NULL: none */
    const char *kernel;           /* that it is of */
};

/* ---- kernels ---- */

typedef bool kernel_visitor(struct kernels *kernels, const struct grt_task *task,
                            const struct grt_kernel *kernel);

/* Goes through the kernels of a task until one wants no more; whether none did. */
static bool visit_task(struct kernels *kernels, const struct grt_task *task, kernel_visitor *visit) {
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            const struct grt_command_spec *spec = &segment->commands[j];
            if (spec->kind == GRT_COMMAND_KERNEL && !visit(kernels, task, &spec->kernel)) {
                return false;
            }
        }
    }
    return true;
}

static const struct grt_kernel *find_in(const struct grt_task *task, const char *name) {
    for (size_t i = 0; i < task->segment_count; i++) {
        const struct grt_segment *segment = &task->segments[i];
        for (size_t j = 0; segment->kind == GRT_SEGMENT_GPU && j < segment->command_count; j++) {
            const struct grt_command_spec *spec = &segment->commands[j];
            if (spec->kind == GRT_COMMAND_KERNEL && strcmp(spec->kernel.name, name) == 0) {
                return &spec->kernel;
            }
        }
    }
    return NULL;
}

static const struct grt_kernel *find_kernel(const struct kernels *kernels, const char *name) {
    const struct grt_kernel *found = NULL;
    for (size_t i = 0; i < kernels->count && found == NULL; i++) {
        found = find_in(&kernels->tasks[i], name);
    }
    return found;
}

/* Networks are found by name. */
static bool is_known(struct kernels *kernels, const struct grt_task *task, const struct grt_kernel *kernel) {
    const struct grt_kernel *known = find_kernel(kernels, kernel->name);
    (void)task;
    if (known != NULL &&
        (known->blocks != kernel->blocks || known->whole_device != kernel->whole_device ||
         grt_distribution_worst(&known->block_time) != grt_distribution_worst(&kernel->block_time))) {
        kernels->problem = "takes other times in other sets";
        kernels->kernel = grt_arena_text(kernels->arena, kernel->name);
    }
    return known != NULL;
}

static bool has_counters(struct kernels *kernels, const struct grt_task *task,
                         const struct grt_kernel *kernel) {
    (void)kernels, (void)task;
    for (int i = 0; kernel->usage != NULL && i < GRT_INDICATORS; i++) {
        if (kernel->usage->counters[i] > 0) {
            return false;
        }
    }
    return true;
}

static bool any_has_counters(struct kernels *kernels) {
    for (size_t i = 0; i < kernels->count; i++) {
        if (!visit_task(kernels, &kernels->tasks[i], has_counters)) {
            return true;
        }
    }
    return false;
}

/* ---- sets ---- */

/* Which sets were drawn first shall not matter. */
static int by_name(const void *a, const void *b) {
    return strcmp(((const struct grt_task *)a)->name, ((const struct grt_task *)b)->name);
}

/* Draws a set again, into the arena that stays, and takes the tasks with kernels that are new. */
static void take_new(struct kernels *kernels, uint64_t number) {
    struct grt_drawn_set set = {0};
    if (!kernels->point->generator->make(kernels->point->maker, number, kernels->arena, &set)) {
        return;
    }
    if (kernels->scenario.task_count == 0) {
        kernels->scenario = set.scenario;
    }
    for (size_t i = 0; i < set.scenario.task_count; i++) {
        if (kernels->count < MOST_KERNELS && !visit_task(kernels, &set.scenario.tasks[i], is_known)) {
            kernels->tasks[kernels->count++] = set.scenario.tasks[i];
        }
    }
}

static void look_at(struct kernels *kernels, uint64_t number, struct grt_arena *scratch) {
    struct grt_drawn_set set = {0};
    bool new = false;
    if (kernels->point->generator->make(kernels->point->maker, number, scratch, &set)) {
        for (size_t i = 0; i < set.scenario.task_count; i++) {
            new |= !visit_task(kernels, &set.scenario.tasks[i], is_known);
        }
    }
    if (new && kernels->problem == NULL) {
        take_new(kernels, number);
    }
    grt_arena_clear(scratch);
}

static void look_at_point(struct kernels *kernels, const struct grt_point *point) {
    struct grt_arena_store store = {0};
    struct grt_arena scratch = {.store = &store};
    kernels->point = point;
    for (int64_t i = 0; i < SETS_LOOKED_AT && i < kernels->experiment->samples && kernels->problem == NULL;
         i++) {
        look_at(kernels, (uint64_t)i, &scratch);
    }
    grt_arena_store_free(&store);
}

/* Of all points on the same GPUs, so that all have the same networks; where these contradict each other, or the set says on which GPUs it is, of the
 * one point. */
static void collect(struct kernels *kernels, size_t point, size_t evaluation) {
    const struct grt_experiment *experiment = kernels->experiment;
    const struct grt_device *gpus = kernels->evaluation->gpus;
    kernels->of_all = kernels->evaluation->gpu_count > 0;
    for (size_t i = 0; i < experiment->point_count && kernels->of_all; i++) {
        if (experiment->points[i].evaluations[evaluation].gpus == gpus) {
            look_at_point(kernels, &experiment->points[i]);
        }
        kernels->of_all = kernels->problem == NULL;
    }
    if (!kernels->of_all) {
        kernels->count = 0;
        kernels->problem = NULL;
        kernels->scenario.task_count = 0;
        look_at_point(kernels, &experiment->points[point]);
    }
    qsort(kernels->tasks, kernels->count, sizeof *kernels->tasks, by_name);
    if (kernels->evaluation->gpu_count > 0) {
        kernels->scenario.gpus = kernels->evaluation->gpus;
        kernels->scenario.gpu_count = kernels->evaluation->gpu_count;
    }
    kernels->scenario.tasks = kernels->tasks;
    kernels->scenario.task_count = kernels->count;
}

/* ---- training ---- */

/* Whether the policy that the evaluation's worlds have would train networks of its own. */
static bool would_train(const struct grt_point *point, const struct grt_evaluation *evaluation) {
    bool own = evaluation->policy != NULL, trains = false;
    if (own && evaluation->policy->trains == NULL) {
        return false;
    }
    struct grt_arena scratch = {0};
    struct grt_errors errors = {0};
    struct grt_drawn_set set = {0};
    bool drawn = point->generator->make(point->maker, 0, &scratch, &set);
    const struct grt_policy_ops *policy = own ? evaluation->policy : set.policy;
    void *parameters;
    if (drawn && policy != NULL && policy->trains != NULL && set.scenario.networks == NULL &&
        grt_policy_take_parameters(policy, own ? evaluation->parameters : set.parameters, &scratch,
                                   &parameters, &errors)) {
        trains = policy->trains(parameters);
    }
    grt_errors_clear(&errors);
    grt_arena_clear(&scratch);
    return trains;
}

/* What points with the same kernels on the same GPUs have in common. */
static uint64_t key_of(struct kernels *kernels) {
    uint64_t hash = (uint64_t)kernels->evaluation->training;
    hash = grt_hash_add(hash, (uint64_t)(uintptr_t)kernels->scenario.gpus);
    for (size_t i = 0; i < kernels->count; i++) {
        const struct grt_task *task = &kernels->tasks[i];
        hash = grt_hash_add(hash, (uint64_t)task->gpu);
        for (size_t j = 0; j < task->segment_count; j++) {
            const struct grt_segment *segment = &task->segments[j];
            for (size_t k = 0; segment->kind == GRT_SEGMENT_GPU && k < segment->command_count; k++) {
                const struct grt_kernel *kernel = &segment->commands[k].kernel;
                if (segment->commands[k].kind == GRT_COMMAND_KERNEL) {
                    hash = grt_hash_bytes(hash, kernel->name, strlen(kernel->name));
                    hash = grt_hash_add(hash, (uint64_t)kernel->blocks);
                    hash = grt_hash_add(hash, (uint64_t)grt_distribution_worst(&kernel->block_time));
                }
            }
        }
    }
    return hash;
}

/* What an earlier point has for all of them. */
static const struct grt_networks *find_of_all(const struct grt_trainer *trainer,
                                              const struct grt_evaluation *evaluation) {
    for (const struct grt_trained *trained = trainer->first; trained != NULL; trained = trained->next) {
        if (trained->gpus != NULL && trained->gpus == evaluation->gpus &&
            trained->training == evaluation->training) {
            return trained->networks;
        }
    }
    return NULL;
}

static const struct grt_networks *find_or_train(struct grt_trainer *trainer, struct kernels *kernels,
                                                struct grt_errors *errors) {
    uint64_t key = key_of(kernels);
    for (const struct grt_trained *trained = trainer->first; trained != NULL; trained = trained->next) {
        if (trained->key == key) {
            return trained->networks;
        }
    }
    struct grt_trained *trained = grt_arena_new(kernels->arena, struct grt_trained);
    enum grt_training_effort effort =
        kernels->evaluation->training == GRT_TRAIN_FULL ? GRT_TRAINING_FULL : GRT_TRAINING_QUICK;
    const struct grt_networks *networks =
        grt_networks_train(&kernels->scenario, kernels->experiment->seed, effort, kernels->arena, errors);
    *trained = (struct grt_trained){trainer->first, key, kernels->of_all ? kernels->evaluation->gpus : NULL,
                                    kernels->evaluation->training, networks};
    trainer->first = trained;
    return networks;
}

/* Whether networks are needed, and may be trained. */
static bool is_wanted(struct kernels *kernels, const struct grt_path *path, struct grt_errors *errors) {
    if (kernels->problem != NULL) {
        grt_error_add(errors, path, "no network can be trained for kernel \"%s\", which %s", kernels->kernel,
                      kernels->problem);
    } else if (kernels->evaluation->training == GRT_TRAIN_NOT) {
        grt_error_add(errors, path,
                      "its policy would train networks for every set: give \"networks\" of gpurt train, or "
                      "\"train\": \"quick\" or \"full\" to have them trained once");
    } else {
        return true;
    }
    return false;
}

bool grt_train_for(struct grt_trainer *trainer, const struct grt_experiment *experiment, size_t point,
                   size_t evaluation, const struct grt_networks **networks, struct grt_arena *arena,
                   struct grt_errors *errors) {
    struct grt_path root = {0}, list = {.parent = &root, .key = "evaluations"},
                    path = {.parent = &list, .index = evaluation};
    const struct grt_evaluation *asked = &experiment->points[point].evaluations[evaluation];
    *networks = NULL;
    if (!grt_evaluation_kinds[asked->kind]->runs_worlds || asked->networks != NULL ||
        !would_train(&experiment->points[point], asked)) {
        return true;
    }
    *networks = find_of_all(trainer, asked);
    if (*networks != NULL) {
        return true;
    }
    struct kernels *kernels = grt_arena_new(arena, struct kernels);
    kernels->experiment = experiment;
    kernels->evaluation = asked;
    kernels->arena = arena;
    collect(kernels, point, evaluation);
    if (!any_has_counters(kernels)) {
        return true;
    }
    if (!is_wanted(kernels, &path, errors)) {
        return false;
    }
    *networks = find_or_train(trainer, kernels, errors);
    return *networks != NULL;
}
