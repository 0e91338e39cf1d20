/* What the parts of a scenario say of each other, checked once all of them are read. */
#ifndef GRT_SCENARIOS_TASK_SET_H
#define GRT_SCENARIOS_TASK_SET_H

#include "scenarios/name_index.h"
#include "scenarios/records.h"

/* The tasks that were read and their names. */
struct grt_task_set {
    struct grt_task_fields *tasks;
    size_t count;
    struct grt_name_entry *names; /* sorted; tasks whose name could not be read are left out */
    size_t name_count;
    const struct grt_path *path; /* of the list of tasks */
};

/* Indexes the names and adds an error for each that was used before. */
struct grt_task_set grt_task_set_create(struct grt_reader *reader, const struct grt_scenario_fields *fields,
                                        const struct grt_path *path);

/* Adds "<path>: unknown task ..." with the closest name that there is. */
void grt_task_set_add_unknown(struct grt_reader *reader, const struct grt_task_set *set, const char *name,
                              const struct grt_path *path);

/* Sets the priorities of a set without any to rate-monotonic ranks; a set with some
 * is an error, and so is one with any beside `priorities`, the rule by which they are given later. `tree`: of the file. */
void grt_task_set_priorities(struct grt_reader *reader, struct grt_task_set *set, const cJSON *tree);

/* Sets and checks each task's core and GPU. `policy`: NULL where it is not known. */
void grt_task_set_processors(struct grt_reader *reader, struct grt_task_set *set,
                             const struct grt_platform_fields *platform, const struct grt_policy_ops *policy);

/* Adds an error at `path`, the task's core, which the file does not say, if it has to: its platform has `cpus` of them.
 * (host_fields.c) */
void grt_check_core_given(struct grt_reader *reader, const struct grt_task *task,
                          const struct grt_policy_ops *policy, int64_t cpus, const struct grt_path *path);

/* Whether the task has a thread that context switches and wake-ups cost something. (host_fields.c) */
bool grt_task_pays_costs(const struct grt_task *task, const struct grt_policy_ops *policy);

/* Adds an error for each cost on the cores that no thread pays. `path`: of the platform. (host_fields.c) */
void grt_task_set_check_costs(struct grt_reader *reader, const struct grt_task_set *set,
                              const struct grt_platform_fields *platform, const struct grt_policy_ops *policy,
                              const struct grt_path *path);

/* Sets each task's process and returns all of them, a list of struct grt_process in the order in which tasks name them.
 * `path`: of the platform. (processes.c) */
struct grt_field_list grt_task_set_processes(struct grt_reader *reader, struct grt_task_set *set,
                                             const struct grt_platform_fields *platform,
                                             const struct grt_path *path);

/* The name of a task's process, whether or not the file says it. */
const char *grt_process_of_task(const struct grt_task_fields *task);

/* The place of a process in the platform's list; its length if it is not there. (processes.c) */
size_t grt_listed_process(const struct grt_platform_fields *platform, const char *name);

/* Gives the groups their TPCs, and the TPCs to the groups' tasks. `path`: of the platform. (groups.c) */
void grt_task_set_groups(struct grt_reader *reader, struct grt_task_set *set,
                         const struct grt_platform_fields *platform, const struct grt_path *path);

/* Checks that the GPUs can be shared as the processes want. `path`: of the platform. (sharing.c) */
void grt_task_set_check_sharing(struct grt_reader *reader, const struct grt_task_set *set,
                                const struct grt_platform_fields *platform,
                                const struct grt_field_list *processes, const struct grt_path *path);

/* Checks that tasks wait for events that somebody records, that the scenario's slowdowns are of its kernels, and that
 * percentages are of processes under MPS. `gpus`: of the platform; `platform`: as the file has it; `path`: its. (effects.c) */
void grt_task_set_check_effects(struct grt_reader *reader, const struct grt_task_set *set,
                                const struct grt_device *gpus, const cJSON *platform,
                                const struct grt_path *path);

/* Checks that one of the networks is of a kernel of the tasks, where there are any (NULL: none). (scenario_networks.c) */
void grt_task_set_check_networks(struct grt_reader *reader, const struct grt_task_set *set,
                                 const struct grt_networks *networks, const struct grt_path *path);

/* Turns the names in `after` into indices; unknown and repeated names and circles are errors. (precedence.c) */
void grt_task_set_precedence(struct grt_reader *reader, struct grt_task_set *set);

/* Checks the tasks and kernels that the expectations name. (expect_names.c) */
void grt_task_set_expectations(struct grt_reader *reader, const struct grt_task_set *set,
                               const struct grt_expect_fields *expect, const struct grt_path *path);

#endif
