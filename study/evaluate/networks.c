#include "study/evaluate/networks.h"

#include <stdlib.h>
#include <string.h>

#include "models/adapt.h"
#include "models/learning/applications.h"
#include "models/learning/train.h"
#include "models/task/kernel_walk.h"
#include "models/world/policy_question.h"
#include "scenarios/experiment/memo.h"
#include "study/evaluate/evaluate.h"
#include "study/evaluate/training_key.h"

/* So many sets of a point are looked at for their kernels. */
enum { SETS_LOOKED_AT = 1000 };

/* What was trained for one list of kernels. */
struct grt_trained {
    struct grt_trained *next;
    const char *key;  /* grt_training_key; "" of what says something of all points alone */
    const char *gpus; /* where the kernels are those of all points: on these (gpus_key); else NULL */
    int64_t training;
    const struct grt_networks *networks; /* NULL: none are needed, or */
    bool contradict;                     /* points contradict each other: each has its own */
};

/* A kernel by the name of which a network is found. */
struct known {
    struct grt_application application; /* where it was seen first */
    int64_t gpu;
};

/* The kernels of all sets, each name once. */
struct kernels {
    const struct grt_experiment *experiment;
    const struct grt_point *point;
    const struct grt_evaluation *evaluation;
    const char *gpus;        /* gpus_key of the evaluation's */
    struct grt_arena *arena; /* what stays */
    struct grt_memo known;   /* struct known, by name */
    struct grt_task *tasks;  /* those with kernels that were new; malloc */
    uint32_t count, capacity;
    bool of_all;                  /* of all points, not of `point` alone */
    struct grt_scenario scenario; /* with these tasks; as the first set besides */
    const char *problem;          /* NULL: none */
    const char *kernel;           /* that it is of */
};

/* ---- GPUs ---- */

/* NULL: the evaluation has none of its own. */
static const char *gpus_key(const struct grt_evaluation *evaluation, struct grt_arena *arena) {
    return evaluation->gpu_count > 0 ? grt_gpus_key(evaluation->gpus, evaluation->gpu_count, arena) : NULL;
}

/* The same of the evaluation that has asked last, which is asked for again and again. */
static const char *gpus_key_kept(struct grt_trainer *trainer, const struct grt_evaluation *evaluation,
                                 struct grt_arena *arena) {
    if (trainer->last != evaluation->gpus || trainer->last_key == NULL) {
        trainer->last = evaluation->gpus;
        trainer->last_key = gpus_key(evaluation, arena);
    }
    return evaluation->gpu_count > 0 ? trainer->last_key : NULL;
}

/* Whether some evaluation of a point is on these GPUs. */
static bool is_on(const struct kernels *kernels, const struct grt_point *point) {
    struct grt_arena scratch = {0};
    bool found = false;
    for (size_t i = 0; i < kernels->experiment->evaluation_count && !found; i++) {
        const struct grt_evaluation *evaluation = &point->evaluations[i];
        found = evaluation->gpus == kernels->evaluation->gpus;
        const char *key = found ? NULL : gpus_key(evaluation, &scratch);
        found = found || (key != NULL && strcmp(key, kernels->gpus) == 0);
    }
    grt_arena_clear(&scratch);
    return found;
}

/* ---- kernels ---- */

typedef void kernel_visitor(struct kernels *kernels, const struct grt_kernel *kernel,
                            const struct known *found, void *state);

/* What a set is on: the evaluation's GPUs, else its own. */
static const struct grt_device *gpu_of(const struct kernels *kernels, const struct grt_scenario *scenario,
                                       const struct grt_task *task) {
    bool own = kernels->evaluation->gpu_count > 0;
    size_t count = own ? kernels->evaluation->gpu_count : scenario->gpu_count;
    const struct grt_device *gpus = own ? kernels->evaluation->gpus : scenario->gpus;
    bool there = task->gpu >= 0 && (uint64_t)task->gpu < count;
    return there ? &gpus[task->gpu] : NULL;
}

/* Goes through the kernels that a task launches; `found`: what it is on its GPU. Of a GPU that is not there: none. */
static void visit_task(struct kernels *kernels, const struct grt_scenario *scenario,
                       const struct grt_task *task, kernel_visitor *visit, void *state) {
    const struct grt_device *gpu = gpu_of(kernels, scenario, task);
    struct grt_kernel_place place = {0};
    const struct grt_kernel *kernel;
    while (gpu != NULL && (kernel = grt_task_next_kernel(task, &place)) != NULL) {
        const struct known known = {grt_application_of(gpu, 0, kernel), task->gpu};
        visit(kernels, kernel, &known, state);
    }
}

/* Networks are found by name. *state: whether some name is new. */
static void look_at_kernel(struct kernels *kernels, const struct grt_kernel *kernel,
                           const struct known *found, void *state) {
    bool fresh, *any = state;
    const struct known *known = grt_memo_find(&kernels->known, kernel->name, &fresh)->value;
    *any = *any || known == NULL;
    if (known != NULL && kernels->problem == NULL &&
        (known->gpu != found->gpu || !grt_application_is_same(&known->application, &found->application))) {
        kernels->problem = "takes other times, has another usage or is on another GPU in other sets";
        kernels->kernel = grt_arena_text(kernels->arena, kernel->name);
    }
}

static void learn_kernel(struct kernels *kernels, const struct grt_kernel *kernel, const struct known *found,
                         void *state) {
    bool fresh;
    struct grt_memo_entry *entry = grt_memo_find(&kernels->known, kernel->name, &fresh);
    (void)state;
    if (entry->value == NULL) {
        entry->value = grt_arena_new(kernels->arena, struct known);
        *(struct known *)entry->value = *found;
    }
}

static bool has_counters(const struct grt_task *task) {
    struct grt_kernel_place place = {0};
    bool has = false;
    for (const struct grt_kernel *kernel; !has && (kernel = grt_task_next_kernel(task, &place)) != NULL;) {
        has = grt_usage_has_counters(kernel->usage);
    }
    return has;
}

static bool any_has_counters(const struct kernels *kernels) {
    for (size_t i = 0; i < kernels->count; i++) {
        if (has_counters(&kernels->tasks[i])) {
            return true;
        }
    }
    return false;
}

/* ---- sets ---- */

/* The first kernel's name, or "". */
static const char *first_kernel(const struct grt_task *task) {
    const struct grt_kernel *kernel = grt_task_next_kernel(task, &(struct grt_kernel_place){0});
    return kernel != NULL ? kernel->name : "";
}

/* Which sets were drawn first shall not matter. */
static int by_name(const void *a, const void *b) {
    int order = strcmp(((const struct grt_task *)a)->name, ((const struct grt_task *)b)->name);
    return order != 0 ? order : strcmp(first_kernel(a), first_kernel(b));
}

static void keep_task(struct kernels *kernels, const struct grt_scenario *scenario,
                      const struct grt_task *task) {
    if (kernels->count == GRT_MAX_TASKS) {
        kernels->problem = "is one of more than a scenario may have tasks, in all sets together";
        kernels->kernel = first_kernel(task);
        return;
    }
    kernels->tasks =
        grt_array_grow(kernels->tasks, &kernels->capacity, kernels->count + 1, sizeof *kernels->tasks);
    kernels->tasks[kernels->count++] = *task;
    visit_task(kernels, scenario, task, learn_kernel, NULL);
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
    for (size_t i = 0; i < set.scenario.task_count && kernels->problem == NULL; i++) {
        bool new = false;
        visit_task(kernels, &set.scenario, &set.scenario.tasks[i], look_at_kernel, &new);
        if (new) {
            keep_task(kernels, &set.scenario, &set.scenario.tasks[i]);
        }
    }
}

static void look_at(struct kernels *kernels, uint64_t number, struct grt_arena *scratch) {
    struct grt_drawn_set set = {0};
    bool new = false;
    if (kernels->point->generator->make(kernels->point->maker, number, scratch, &set)) {
        for (size_t i = 0; i < set.scenario.task_count; i++) {
            visit_task(kernels, &set.scenario, &set.scenario.tasks[i], look_at_kernel, &new);
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

static void forget(struct kernels *kernels) {
    kernels->count = 0;
    kernels->problem = NULL;
    kernels->scenario.task_count = 0;
    grt_memo_clear(&kernels->known);
}

/* Of all points on the same GPUs, so that all have the same networks; where these contradict each other, or the set says on which GPUs it is, of the
 * one point. */
static void collect(struct kernels *kernels, size_t point, bool contradict) {
    const struct grt_experiment *experiment = kernels->experiment;
    kernels->of_all = kernels->gpus != NULL && !contradict;
    for (size_t i = 0; i < experiment->point_count && kernels->of_all; i++) {
        if (is_on(kernels, &experiment->points[i])) {
            look_at_point(kernels, &experiment->points[i]);
        }
        kernels->of_all = kernels->problem == NULL;
    }
    if (!kernels->of_all) {
        forget(kernels);
        look_at_point(kernels, &experiment->points[point]);
    }
    if (kernels->count > 0) {
        qsort(kernels->tasks, kernels->count, sizeof *kernels->tasks, by_name);
    }
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
    struct grt_drawn_set set = {0};
    bool drawn = point->generator->make(point->maker, 0, &scratch, &set);
    const struct grt_policy_ops *policy = own ? evaluation->policy : set.policy;
    if (drawn && policy != NULL && set.scenario.networks == NULL) {
        trains = grt_policy_trains(policy, own ? evaluation->parameters : set.parameters);
    }
    grt_arena_clear(&scratch);
    return trains;
}

/* What an earlier point has found out of all of them. */
static const struct grt_trained *find_of_all(const struct grt_trainer *trainer,
                                             const struct grt_evaluation *evaluation, const char *gpus) {
    for (const struct grt_trained *trained = trainer->first; trained != NULL; trained = trained->next) {
        if (trained->gpus != NULL && gpus != NULL && strcmp(trained->gpus, gpus) == 0 &&
            trained->training == evaluation->training) {
            return trained;
        }
    }
    return NULL;
}

static const struct grt_networks *find_by_key(const struct grt_trainer *trainer, const char *key) {
    for (const struct grt_trained *trained = trainer->first; trained != NULL; trained = trained->next) {
        if (trained->networks != NULL && strcmp(trained->key, key) == 0) {
            return trained->networks;
        }
    }
    return NULL;
}

static void keep(struct grt_trainer *trainer, const struct kernels *kernels, struct grt_trained found) {
    struct grt_trained *trained = grt_arena_new(kernels->arena, struct grt_trained);
    *trained = found;
    trained->next = trainer->first;
    trained->training = kernels->evaluation->training;
    trainer->first = trained;
}

static const struct grt_networks *find_or_train(struct grt_trainer *trainer, const struct kernels *kernels,
                                                struct grt_errors *errors) {
    static const struct grt_networks untrained = {0};
    uint64_t seed = kernels->experiment->seed;
    enum grt_training_effort effort =
        kernels->evaluation->training == GRT_TRAIN_FULL ? GRT_TRAINING_FULL : GRT_TRAINING_QUICK;
    const char *key = grt_training_key(&kernels->scenario, seed, effort, kernels->arena, errors);
    if (key == NULL) {
        return NULL;
    }
    const struct grt_networks *networks = find_by_key(trainer, key);
    if (networks == NULL) {
        networks = trainer->only_check
                       ? &untrained
                       : grt_networks_train(&kernels->scenario, seed, effort, kernels->arena, errors);
    }
    if (networks != NULL) {
        const char *gpus = kernels->of_all ? kernels->gpus : NULL;
        keep(trainer, kernels, (struct grt_trained){.key = key, .gpus = gpus, .networks = networks});
    }
    return networks;
}

/* Whether networks may be trained. */
static bool is_wanted(const struct kernels *kernels, const struct grt_path *path, struct grt_errors *errors) {
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

/* Where find_of_all has found nothing that answers. *networks: NULL where kernels have no counters. */
static bool train(struct grt_trainer *trainer, struct kernels *kernels, size_t point, bool contradict,
                  const struct grt_path *path, const struct grt_networks **networks,
                  struct grt_errors *errors) {
    collect(kernels, point, contradict);
    bool needed = any_has_counters(kernels), good = !needed || is_wanted(kernels, path, errors);
    if (kernels->gpus != NULL && !contradict && (!kernels->of_all || !needed)) {
        keep(trainer, kernels,
             (struct grt_trained){.key = "", .gpus = kernels->gpus, .contradict = !kernels->of_all});
    }
    if (needed && good) {
        *networks = find_or_train(trainer, kernels, errors);
        good = *networks != NULL;
    }
    grt_memo_clear(&kernels->known);
    free(kernels->tasks);
    return good;
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
    const char *gpus = gpus_key_kept(trainer, asked, arena);
    const struct grt_trained *of_all = find_of_all(trainer, asked, gpus);
    bool contradict = of_all != NULL && of_all->contradict;
    if (of_all != NULL && !contradict) {
        *networks = of_all->networks;
        return true;
    }
    struct kernels kernels = {.experiment = experiment, .evaluation = asked, .gpus = gpus, .arena = arena};
    return train(trainer, &kernels, point, contradict, &path, networks, errors);
}
