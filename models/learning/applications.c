#include "models/learning/applications.h"

#include <string.h>

#include "models/device/kernel_usage.h"
#include "models/span.h"
#include "models/task/kernel_walk.h"

/* ---- all kernels ---- */

struct grt_application grt_application_of(const struct grt_device *device, uint32_t task,
                                          const struct grt_kernel *kernel) {
    struct grt_application application = {.task = task, .kernel = kernel};
    grt_time worst = grt_distribution_worst(&kernel->block_time);
    int64_t blocks = kernel->whole_device ? 1 : kernel->blocks,
            wave = kernel->whole_device ? 1 : grt_kernel_wave(device, kernel);
    application.work = grt_span_product_within(worst, (blocks + wave - 1) / wave, GRT_TIME_LIMIT);
    application.work = application.work < 1 ? 1 : application.work;
    application.work = application.work > GRT_TIME_LIMIT ? GRT_TIME_LIMIT : application.work;
    grt_kernel_usage(device, kernel, &application.usage);
    return application;
}

/* Calls `visit` for every kernel of a GPU; returns how many there are. */
static size_t walk(const struct grt_scenario *scenario, uint32_t gpu, struct grt_application *items) {
    size_t count = 0;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        struct grt_kernel_place place = {0};
        const struct grt_kernel *kernel;
        while (task->gpu == gpu && (kernel = grt_task_next_kernel(task, &place)) != NULL) {
            if (items != NULL) {
                items[count] = grt_application_of(&scenario->gpus[gpu], i, kernel);
            }
            count++;
        }
    }
    return count;
}

static const struct grt_application_list *find_all(const struct grt_scenario *scenario, uint32_t gpu,
                                                   struct grt_arena *arena) {
    struct grt_application_list *all = grt_arena_new(arena, struct grt_application_list);
    size_t count = walk(scenario, gpu, NULL);
    struct grt_application *items = grt_arena_array(arena, count, sizeof *items);
    walk(scenario, gpu, items);
    *all = (struct grt_application_list){&scenario->gpus[gpu], items, count};
    return all;
}

/* ---- those that get a network ---- */

static bool same_numbers(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static bool same_factors(const struct grt_field_list *a, const struct grt_field_list *b) {
    const struct grt_share_factor *left = a->items, *right = b->items;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (left[i].share != right[i].share || left[i].factor != right[i].factor) {
            return false;
        }
    }
    return a->count == b->count;
}

bool grt_application_is_same(const struct grt_application *a, const struct grt_application *b) {
    const struct grt_usage *left = &a->usage, *right = &b->usage;
    return a->work == b->work && left->host_fraction == right->host_fraction &&
           left->sm_utilisation == right->sm_utilisation &&
           same_numbers(left->demand, right->demand, GRT_RESOURCES) &&
           same_numbers(left->bound, right->bound, GRT_RESOURCES) &&
           same_numbers(left->counters, right->counters, GRT_INDICATORS) &&
           same_factors(&left->share_factors, &right->share_factors);
}

/* While it goes through the kernels. */
struct search {
    const struct grt_scenario *scenario;
    const char *name;
    struct grt_learner *found;
    size_t count;
    struct grt_errors *errors;
};

static void add_difference(struct search *search, const struct grt_application *first,
                           const struct grt_application *other) {
    const struct grt_task *tasks = search->scenario->tasks;
    struct grt_path root = {0}, list = {.parent = &root, .key = "tasks"},
                    path = {.parent = &list, .index = other->task};
    grt_error_add(search->errors, &path,
                  "its kernel \"%s\" is not the one of task \"%s\": networks are found by the names of "
                  "kernels, so that two that differ in time or usage, or in their GPU, need two names",
                  other->kernel->name, tasks[first->task].name);
}

/* Whether the kernel's name is new; an error where it is another kernel's. */
static bool is_new(struct search *search, uint32_t gpu, const struct grt_application *application) {
    for (size_t i = 0; i < search->count; i++) {
        const struct grt_application *known = grt_learner_application(&search->found[i]);
        if (strcmp(known->kernel->name, application->kernel->name) == 0) {
            if (search->found[i].gpu != gpu || !grt_application_is_same(known, application)) {
                add_difference(search, known, application);
            }
            return false;
        }
    }
    return true;
}

static void search_gpu(struct search *search, uint32_t gpu, const struct grt_application_list *all) {
    bool shares = grt_device_has_shares(all->device), refused = false;
    for (size_t i = 0; i < all->count; i++) {
        const struct grt_kernel *kernel = all->items[i].kernel;
        if (!grt_usage_has_counters(kernel->usage) ||
            (search->name != NULL && strcmp(kernel->name, search->name) != 0)) {
            continue;
        }
        if (!shares && !refused) {
            struct grt_path root = {0}, platform = {.parent = &root, .key = "platform"},
                            list = {.parent = &platform, .key = "gpus"},
                            path = {.parent = &list, .index = gpu};
            grt_error_add(search->errors, &path,
                          "networks are trained on GPUs of granularity \"shares\", where kernels \"%s\" "
                          "and others have speeds",
                          kernel->name);
            refused = true;
        }
        if (shares && is_new(search, gpu, &all->items[i])) {
            search->found[search->count++] = (struct grt_learner){gpu, all, i};
        }
    }
}

bool grt_learners_find(const struct grt_scenario *scenario, const char *name, struct grt_arena *arena,
                       struct grt_learner_list *learners, struct grt_errors *errors) {
    size_t before = errors->count, most = 0;
    for (uint32_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        most += walk(scenario, gpu, NULL);
    }
    struct search search = {.scenario = scenario, .name = name, .errors = errors};
    search.found = grt_arena_array(arena, most, sizeof *search.found);
    for (uint32_t gpu = 0; gpu < scenario->gpu_count; gpu++) {
        search_gpu(&search, gpu, find_all(scenario, gpu, arena));
    }
    if (search.count == 0 && errors->count == before) {
        grt_error_add(errors, NULL, "no kernel%s%s%s has a usage with counters: there is nothing to train",
                      name != NULL ? " \"" : "", name != NULL ? name : "", name != NULL ? "\"" : "");
    }
    *learners = (struct grt_learner_list){search.found, search.count};
    return errors->count == before;
}
