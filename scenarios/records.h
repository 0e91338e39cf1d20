/* The format of scenario files as tables: the records, the fields that need a function of their own, and what holds
 * between the fields of a record. Reading, the JSON Schema and the reference are all made from them. */
#ifndef GRT_SCENARIOS_RECORDS_H
#define GRT_SCENARIOS_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/policy.h"
#include "models/task.h"
#include "scenarios/expect.h"
#include "scenarios/read_fields.h"
#include "scenarios/usages.h"

/* The structs into which the objects of a file are read. */

struct grt_horizon_fields {
    int64_t kind; /* enum grt_horizon_kind */
    grt_time span;
};

struct grt_platform_fields {
    int64_t cpus;
    bool cpus_refused;         /* and 0 for that: what hangs on it is not judged */
    int64_t allocation;        /* enum grt_allocation_rule */
    int64_t allocation_counts; /* enum grt_allocation_counts */
    grt_time context_switch, wake_up;
    struct grt_field_list gpus;      /* of struct grt_device */
    struct grt_field_list processes; /* of struct grt_process */
    struct grt_field_list groups;    /* of struct grt_group_fields */
};

struct grt_gpu_fields {
    struct grt_device device;
    struct grt_field_list mig; /* of struct grt_mig_fields; none: the GPU is whole */
};

/* A MIG instance: a profile, or the numbers. */
struct grt_mig_fields {
    const char *profile; /* NULL: none */
    int64_t sms, memory, copy_engines;
};

struct grt_group_fields {
    const char *name, *process;
    int64_t sms, gpu;
};

struct grt_policy_fields {
    const struct grt_policy_ops *ops; /* NULL: not known */
    void *parameters;
};

struct grt_expect_fields {
    int64_t missed, lost_items;
    const char *trace_digest;
    struct grt_field_list tasks, blocks, copies, cores, rows; /* of the structs of scenarios/expect.h */
};

struct grt_scenario_fields {
    int64_t version;
    const char *name, *description, *source;
    int64_t seed;
    struct grt_horizon_fields horizon;
    int64_t ties;
    struct grt_platform_fields platform;
    struct grt_policy_fields policy;
    int64_t priorities;                  /* index in the words of the field; 0 where it is absent, too */
    const char *priority_analysis;       /* NULL: the policy's own */
    struct grt_field_list tasks;         /* of struct grt_task_fields */
    const struct grt_networks *networks; /* NULL: none */
    struct grt_expect_fields expect;
};

struct grt_time_list {
    grt_time *times;
    size_t count;
};

struct grt_sporadic_fields {
    grt_time min_gap;
    struct grt_distribution extra_gap;
    struct grt_time_list times, delays;
};

struct grt_poisson_fields {
    grt_time mean_gap;
};

struct grt_task_fields {
    struct grt_task task; /* all but what follows is read in place */
    grt_time period;
    struct grt_sporadic_fields sporadic;
    struct grt_poisson_fields poisson;
    struct grt_time_list times, delays;
    struct grt_field_list after;    /* of const char *: names */
    struct grt_field_list segments; /* of struct grt_segment_fields */
    const char *process;            /* NULL: main */
    const char *group;              /* NULL: none */
    bool has_priority, has_cpu;
    bool clean; /* was read without errors */
};

/* What a core does for a GPU segment. */
struct grt_host_fields {
    struct grt_distribution part[2]; /* by enum grt_host_part */
    int64_t mode;                    /* enum grt_host_mode */
};

struct grt_segment_fields {
    struct grt_distribution cpu;
    int64_t bandwidth;         /* of cpu */
    struct grt_field_list gpu; /* of struct grt_command_fields */
    struct grt_host_fields host;
};

struct grt_command_fields {
    int64_t h2d, d2h;
    struct grt_kernel kernel; /* all but `time` is read in place */
    struct grt_distribution time;
    bool sync, pageable;
    const char *record, *wait, *query;
    struct grt_distribution callback;
    int64_t synchronize; /* 0: stream, 1: device */
    int64_t bytes[4];    /* malloc, malloc_host, memset, d2d */
    bool free, query_stream;
    int64_t call; /* enum grt_command_kind of a call; 0: it is none */
};

/* A kernel's definition. */
struct grt_kernel_definition_fields {
    const char *description;
    struct grt_command_fields command; /* as of a kernel */
    grt_time split_overhead;
};

struct grt_kernel_file_fields {
    int64_t version;
    const char *name, *device, *description; /* device: on which it was measured; NULL: not said */
    struct grt_field_list kernels;           /* of struct grt_kernel_definition_fields */
};

/* Sets `call` by the key that the command has; false if it is no call. (call_fields.c) */
bool grt_find_call(const cJSON *object, struct grt_command_fields *command);

/* What holds between the fields of copies and calls. */
void grt_finish_call(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                     const struct grt_command_fields *command, bool is_copy);

/* Takes a call over into the command. */
void grt_copy_call(const struct grt_command_fields *fields, struct grt_command_spec *command);

/* Takes the host parts over into the segment. (host_fields.c) */
void grt_copy_host(const struct grt_host_fields *fields, struct grt_segment *segment);

/* The records. The root is "scenario". */
extern const struct grt_record grt_scenario_record, grt_platform_record, grt_gpu_record, grt_policy_record;
extern const struct grt_record grt_process_record, grt_group_record, grt_mig_record;
extern const struct grt_record grt_task_record, grt_sporadic_record, grt_poisson_record, grt_segment_record;
extern const struct grt_record grt_host_record, grt_command_record, grt_launch_record, grt_time_record;
extern const struct grt_record grt_tail_record, grt_kernel_definition_record, grt_kernel_file_record;
extern const struct grt_record grt_usage_record, grt_resources_record, grt_counters_record;
extern const struct grt_record grt_share_factor_record;
extern const struct grt_record grt_expect_record, grt_expect_task_record, grt_expect_blocks_record;
extern const struct grt_record grt_bare_platform_record; /* of experiments: no processes, no groups */
extern const struct grt_record grt_expect_copy_record, grt_expect_core_record, grt_expect_row_record;

/* All of them but the policies' parameters, in the order of the documents, NULL-terminated. */
extern const struct grt_record *const grt_records[];

/* Those of kernel files, the file first. */
extern const struct grt_record *const grt_kernel_records[];

/* Numbers of the fields that functions read; those of enum grt_device_custom go before. */
enum grt_scenario_custom {
    GRT_CUSTOM_HORIZON = 100, /* struct grt_horizon_fields */
    GRT_CUSTOM_GPUS,          /* struct grt_field_list of struct grt_device */
    GRT_CUSTOM_DEVICE,        /* struct grt_device */
    GRT_CUSTOM_MIG,           /* struct grt_field_list of struct grt_mig_fields */
    GRT_CUSTOM_POLICY,        /* struct grt_policy_fields */
    GRT_CUSTOM_POLICY_NAME,   /* struct grt_policy_fields */
    GRT_CUSTOM_POLICY_PLUGIN, /* nothing: it is loaded before the fields are read */
    GRT_CUSTOM_SPAN,          /* struct grt_distribution; may be zero */
    GRT_CUSTOM_POSITIVE_SPAN, /* struct grt_distribution of spans above zero */
    GRT_CUSTOM_TIMES,         /* struct grt_time_list */
    GRT_CUSTOM_DELAYS,        /* struct grt_time_list, in any order */
    GRT_CUSTOM_NAMES,         /* struct grt_field_list of const char * */
    GRT_CUSTOM_SMS,           /* struct grt_number_list of SMs or TPCs */
    GRT_CUSTOM_DIGEST,        /* const char * */
    GRT_CUSTOM_USAGE,         /* const struct grt_usage * */
    GRT_CUSTOM_NETWORKS,      /* const struct grt_networks * */
    GRT_CUSTOM_REALS,         /* struct grt_real_list, of files of networks (scenarios/networks_format.h) */
    GRT_CUSTOM_RANGE,         /* struct grt_generated_range (scenarios/generate/generate.h) */
    GRT_CUSTOM_COUNTS,        /* struct grt_generated_count */
    GRT_CUSTOM_TEXTS,         /* struct grt_field_list of const char * */
    GRT_CUSTOM_MEASURED,      /* const struct grt_measured * */
    GRT_CUSTOM_TAIL,          /* const struct grt_tail * */
    GRT_CUSTOM_KERNELS,       /* nothing: what it says is in the commands by then (scenarios/kernels.h) */
    GRT_CUSTOM_LIKE,          /* nothing, as well */
};

/* A kind of field that a function reads. */
struct grt_custom {
    int number;
    void (*read)(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,
                 const struct grt_path *path, void *out);
    const char *type;   /* for the reference, in Markdown */
    const char *schema; /* JSON Schema, as text */
};

/* Those of experiments, whose numbers begin with 200; the last has a NULL read. (experiment/records.c) */
extern const struct grt_custom grt_experiment_customs[];

/* NULL if there is none of that number. */
const struct grt_custom *grt_custom_find(int number);

/* What holds between the fields of one record. */
struct grt_record_rule {
    const struct grt_record *record;
    const char *const *one_of; /* exactly one of these fields must be there; NULL: no such rule */
    /* records whose fields stand in the same object, NULL-terminated; for the documents. NULL: none */
    const struct grt_record *const *beside;
    /* Called after all fields: defaults that depend on other fields, contradictions. `clean` says that the object had
     * no error so far. May be NULL. */
    void (*finish)(struct grt_reader *reader, const cJSON *object, const struct grt_path *path, void *out,
                   bool clean);
};

/* Those of experiments; the last has a NULL record. (experiment/records.c) */
extern const struct grt_record_rule grt_experiment_rules[];

/* NULL if the record has none. */
const struct grt_record_rule *grt_record_rule_find(const struct grt_record *record);

/* The readers and rules, each beside its table. */
#define GRT_READER(name)                                                                                     \
    void name(struct grt_reader *reader, const struct grt_field *field, const cJSON *value,                  \
              const struct grt_path *path, void *out)
GRT_READER(grt_read_horizon);
GRT_READER(grt_read_gpus);
GRT_READER(grt_read_device);
GRT_READER(grt_read_mig);
GRT_READER(grt_read_compute_capability);
GRT_READER(grt_read_sources);
GRT_READER(grt_read_aliases);
GRT_READER(grt_read_policy);
GRT_READER(grt_read_policy_name);
GRT_READER(grt_read_policy_plugin);
GRT_READER(grt_read_span);
GRT_READER(grt_read_times);
GRT_READER(grt_read_delays);
GRT_READER(grt_read_names);
GRT_READER(grt_read_sms);
GRT_READER(grt_read_digest);
GRT_READER(grt_read_usage);
GRT_READER(grt_read_networks);
GRT_READER(grt_read_reals);
GRT_READER(grt_read_range);
GRT_READER(grt_read_counts);
GRT_READER(grt_read_texts);
GRT_READER(grt_read_measured);
GRT_READER(grt_read_tail);
GRT_READER(grt_read_kernels);
GRT_READER(grt_read_like);

/* Writes the devices that a GPU's MIG instances are, gpu->mig.count of them; false after adding errors at `path`, the GPU's,
 * for what cannot be. (mig.c) */
bool grt_mig_split(struct grt_reader *reader, const struct grt_gpu_fields *gpu, const struct grt_path *path,
                   struct grt_device *instances);

/* Adds an error for each field of a GPU of the file that has no effect on the device that came of it, unless the file also
 * says so of what it needs. `path`: the GPU's. (effects.c) */
void grt_check_gpu_effects(struct grt_reader *reader, const cJSON *gpu, const struct grt_device *device,
                           const struct grt_path *path);

#define GRT_FINISH(name)                                                                                     \
    void name(struct grt_reader *reader, const cJSON *object, const struct grt_path *path, void *out,        \
              bool clean)
GRT_FINISH(grt_finish_time);
GRT_FINISH(grt_finish_command);
GRT_FINISH(grt_finish_launch);
GRT_FINISH(grt_finish_kernel_definition);
GRT_FINISH(grt_finish_segment);
GRT_FINISH(grt_finish_host);
GRT_FINISH(grt_finish_task);
GRT_FINISH(grt_finish_usage);
GRT_FINISH(grt_finish_expect);
GRT_FINISH(grt_finish_expect_task);
GRT_FINISH(grt_finish_expect_blocks);
GRT_FINISH(grt_finish_expect_copy);
GRT_FINISH(grt_finish_expect_core);
GRT_FINISH(grt_finish_expect_row);

/* Adds an error if an expectation ends before it starts. */
void grt_check_expect_span(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                           grt_time start, grt_time end);

/* Checks the listed arrivals and delays of a task against each other, and against its least gap and its jitter. (releases.c) */
void grt_check_releases(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                        const struct grt_task *task);

/* Checks how many launches a segment has in all: their numbers in the trace are limited. (launch_fields.c) */
void grt_check_segment_launches(struct grt_reader *reader, const struct grt_segment_fields *segment,
                                const struct grt_path *path);

/* What holds between the fields of a kernel that the host launches. (segment_fields.c) */
void grt_finish_kernel(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                       struct grt_command_fields *command);

/* Checks what a kernel of a command launches. (launch_fields.c) */
void grt_check_launches(struct grt_reader *reader, const struct grt_kernel *kernel,
                        const struct grt_path *path);

#endif
