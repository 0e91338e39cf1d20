#include "calib/program/validate/fingerprint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/sha256.h"
#include "models/learning/network.h"
#include "scenarios/record_write.h"
#include "sim/check.h"

/* One form for all that says the same: values in the order of the structs, each with its end, texts and lists with their lengths before them. */

static void put_whole(FILE *out, int64_t value) {
    fprintf(out, "%" PRId64 "\n", value);
}

static void put_numbers(FILE *out, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%a\n", values[i] + 0.0); /* of both zeroes the one above */
    }
}

static void put_text(FILE *out, const char *text) {
    if (text == NULL) {
        fputs("-\n", out);
    } else {
        fprintf(out, "%zu %s\n", strlen(text), text);
    }
}

static void put_wholes(FILE *out, const int64_t *values, size_t count) {
    put_whole(out, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        put_whole(out, values[i]);
    }
}

/* ---- kernels ---- */

static void put_empirical(FILE *out, const struct grt_distribution *time) {
    put_wholes(out, time->measured->values, time->measured->count);
    put_whole(out, time->tail != NULL);
    if (time->tail != NULL) {
        const int64_t spans[] = {time->tail->threshold, time->tail->scale};
        const double numbers[] = {time->tail->shape, time->tail->ratio};
        put_wholes(out, spans, 2);
        put_numbers(out, numbers, 2);
    }
}

static void put_time(FILE *out, const struct grt_distribution *time) {
    bool constant = grt_distribution_is_constant(time);
    put_whole(out, constant ? GRT_CONSTANT : time->kind);
    put_whole(out, time->max);
    put_whole(out, grt_distribution_worst(time));
    if (!constant) {
        const int64_t spans[] = {time->min, time->location, time->scale};
        put_wholes(out, spans, 3);
        put_numbers(out, &time->shape, 1);
    }
    if (!constant && time->kind == GRT_EMPIRICAL) {
        put_empirical(out, time);
    }
}

/* Without its name, which is where it was found. */
static void put_usage(FILE *out, const struct grt_usage *usage) {
    put_whole(out, usage != NULL);
    if (usage == NULL) {
        return;
    }
    put_numbers(out, &usage->host_fraction, 1);
    put_numbers(out, &usage->sm_utilisation, 1);
    put_numbers(out, usage->demand, GRT_RESOURCES);
    put_numbers(out, usage->bound, GRT_RESOURCES);
    put_numbers(out, usage->counters, GRT_INDICATORS);
    put_whole(out, (int64_t)usage->share_factors.count);
    const struct grt_share_factor *factors = usage->share_factors.items;
    for (size_t i = 0; i < usage->share_factors.count; i++) {
        put_whole(out, factors[i].share);
        put_numbers(out, &factors[i].factor, 1);
    }
}

static void put_grid(FILE *out, const struct grt_kernel *kernel) {
    put_whole(out, kernel->whole_device);
    if (!kernel->whole_device) { /* else by the device */
        const int64_t wholes[] = {kernel->blocks,
                                  kernel->needs.threads,
                                  kernel->needs.registers_per_thread,
                                  kernel->needs.shared_memory,
                                  kernel->needs.shared_memory_opt_in,
                                  grt_kernel_items(kernel),
                                  kernel->exit_time};
        put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
    }
}

static void put_kernel(FILE *out, const struct grt_kernel *kernel) {
    put_text(out, kernel->name);
    put_text(out, kernel->class_name != NULL ? kernel->class_name : kernel->name);
    put_grid(out, kernel);
    put_time(out, &kernel->block_time);
    put_whole(out, grt_distribution_is_constant(&kernel->block_time) ? 0 : kernel->draw_per);
    put_whole(out, kernel->bandwidth);
    put_wholes(out, kernel->tpcs.items, kernel->tpcs.count);
    put_wholes(out, kernel->sms.items, kernel->sms.count);
    put_usage(out, kernel->usage);
    put_whole(out, (int64_t)kernel->launches.count);
    const struct grt_launch_spec *launches = kernel->launches.items;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        const int64_t wholes[] = {launches[i].at, launches[i].from, launches[i].stream, launches[i].wait};
        put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
        put_kernel(out, &launches[i].kernel);
    }
}

/* ---- tasks ---- */

static void put_command(FILE *out, const struct grt_command_spec *command) {
    const int64_t wholes[] = {command->kind, command->bytes, command->sync, command->pageable};
    put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
    put_text(out, command->event);
    if (command->kind == GRT_COMMAND_KERNEL) {
        put_kernel(out, &command->kernel);
    } else if (command->kind == GRT_COMMAND_CALLBACK) {
        put_time(out, &command->callback_time);
    }
}

static void put_segment(FILE *out, const struct grt_segment *segment) {
    put_whole(out, segment->kind);
    if (segment->kind == GRT_SEGMENT_CPU) {
        put_time(out, &segment->cpu_time);
        put_whole(out, segment->cpu_bandwidth);
        return;
    }
    put_time(out, &segment->host_part[GRT_HOST_BEFORE]);
    put_time(out, &segment->host_part[GRT_HOST_AFTER]);
    put_whole(out, segment->host_mode);
    put_whole(out, (int64_t)segment->command_count);
    for (size_t i = 0; i < segment->command_count; i++) {
        put_command(out, &segment->commands[i]);
    }
}

static void put_arrivals(FILE *out, const struct grt_task *task) {
    const int64_t wholes[] = {task->arrival, task->period, task->offset, task->jitter, task->clock};
    put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
    put_time(out, &task->extra_gap);
    put_wholes(out, task->times, task->time_count);
    put_wholes(out, task->delays, task->delays != NULL ? task->time_count : 0);
    put_whole(out, (int64_t)task->after_count);
    for (size_t i = 0; i < task->after_count; i++) {
        put_whole(out, task->after[i]);
    }
}

static void put_task(FILE *out, const struct grt_task *task) {
    const int64_t wholes[] = {
        task->deadline, task->deadline_from,   task->on_miss, task->separation,     task->priority,
        task->cpu,      task->stream_priority, task->gpu,     task->split_overhead, task->process};
    put_text(out, task->name);
    put_arrivals(out, task);
    put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
    put_text(out, task->stream);
    put_wholes(out, task->tpcs.items, task->tpcs.count);
    put_whole(out, (int64_t)task->segment_count);
    for (size_t i = 0; i < task->segment_count; i++) {
        put_segment(out, &task->segments[i]);
    }
}

/* ---- the rest ---- */

static void put_policy(FILE *out, const struct grt_scenario_file *file) {
    static const struct grt_path root = {0};
    const struct grt_path path = {.parent = &root, .key = "policy"};
    const struct grt_scenario_assignment *assignment = &file->assignment;
    bool searches = assignment->priorities == GRT_PRIORITIES_AUDSLEY; /* other rules have been applied */
    put_text(out, file->policy->name);
    if (file->policy->parameters != NULL && file->policy_parameters != NULL) {
        struct grt_errors none = {0};
        cJSON *object = grt_record_write(file->policy->parameters, file->policy_parameters, &none, &path);
        char *text = cJSON_PrintUnformatted(object);
        put_text(out, text);
        cJSON_free(text);
        cJSON_Delete(object);
        grt_errors_clear(&none);
    }
    put_whole(out, searches);
    put_text(out, searches && assignment->analysis != NULL ? assignment->analysis->name : NULL);
    put_whole(out, assignment->allocation);
    put_whole(out, assignment->counts);
}

static void put_process(FILE *out, const struct grt_process *process) {
    const struct grt_process_spec *spec = &process->spec;
    const int64_t wholes[] = {spec->time_slice, spec->interleave, spec->priority,
                              spec->active_thread_percentage > 0 ? spec->active_thread_percentage : 100};
    put_text(out, process->name);
    put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
}

static void put_network(FILE *out, const struct grt_network *network) {
    size_t rules = (size_t)network->rules;
    put_text(out, network->kernel);
    put_whole(out, network->rules);
    put_whole(out, network->order);
    put_numbers(out, network->low, GRT_NETWORK_INPUTS);
    put_numbers(out, network->high, GRT_NETWORK_INPUTS);
    put_numbers(out, &network->mean, 1);
    put_numbers(out, &network->deviation, 1);
    put_numbers(out, &network->threshold, 1);
    put_numbers(out, network->centres, rules * GRT_NETWORK_INPUTS);
    put_numbers(out, network->widths, rules * GRT_NETWORK_INPUTS);
    put_numbers(out, network->consequents, rules * grt_network_terms(network->order));
}

static void put_platform(FILE *out, const struct grt_scenario *scenario) {
    const int64_t wholes[] = {scenario->ties, scenario->core_count, scenario->context_switch,
                              scenario->wake_up};
    put_wholes(out, wholes, sizeof wholes / sizeof wholes[0]);
    put_whole(out, (int64_t)scenario->process_count);
    for (size_t i = 0; i < scenario->process_count; i++) {
        put_process(out, &scenario->processes[i]);
    }
    size_t network_count = scenario->networks != NULL ? scenario->networks->count : 0;
    put_whole(out, (int64_t)network_count);
    for (size_t i = 0; i < network_count; i++) {
        put_network(out, &scenario->networks->items[i]);
    }
}

const char *grt_scenario_fingerprint(const struct grt_scenario_file *file, struct grt_arena *arena) {
    const struct grt_scenario *scenario = &file->written;
    char *text = NULL, digits[GRT_SHA256_TEXT_SIZE];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    fputs("gpurt scenario 2\n", out); /* 1 was of the file's text */
    put_platform(out, scenario);
    put_policy(out, file);
    put_whole(out, (int64_t)scenario->task_count);
    for (size_t i = 0; i < scenario->task_count; i++) {
        put_task(out, &scenario->tasks[i]);
    }
    fclose(out);
    const char *fingerprint = grt_arena_text(arena, grt_sha256_text(text, size, digits));
    free(text);
    return fingerprint;
}
