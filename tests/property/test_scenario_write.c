/* labels: soak */
/* Scenarios of every generator, and those of the library that can be written: what is read from the text is what was written. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/complete.h"
#include "scenarios/record_write.h"
#include "scenarios/scenario.h"
#include "scenarios/scenario_write.h"
#include "tests/support/drawn.h"
#include "tests/support/suite.h"

static bool same_text(const char *a, const char *b) {
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static bool same_measured(const struct grt_measured *a, const struct grt_measured *b) {
    return a == b || (a != NULL && b != NULL && a->count == b->count &&
                      memcmp(a->values, b->values, a->count * sizeof *a->values) == 0);
}

static bool same_tail(const struct grt_tail *a, const struct grt_tail *b) {
    return a == b || (a != NULL && b != NULL && a->threshold == b->threshold && a->scale == b->scale &&
                      a->shape == b->shape && a->ratio == b->ratio);
}

static bool same_span(const struct grt_distribution *a, const struct grt_distribution *b) {
    return same_measured(a->measured, b->measured) && same_tail(a->tail, b->tail) && a->kind == b->kind &&
           a->min == b->min && a->max == b->max && a->declared == b->declared && a->location == b->location &&
           a->scale == b->scale && a->shape == b->shape;
}

static bool same_usage(const struct grt_usage *a, const struct grt_usage *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return same_text(a->name, b->name) && a->host_fraction == b->host_fraction &&
           memcmp(a->demand, b->demand, sizeof a->demand) == 0 &&
           memcmp(a->counters, b->counters, sizeof a->counters) == 0;
}

static bool same_kernel(const struct grt_kernel *a, const struct grt_kernel *b) {
    return same_text(a->name, b->name) && a->whole_device == b->whole_device && a->blocks == b->blocks &&
           a->needs.threads == b->needs.threads && a->needs.shared_memory == b->needs.shared_memory &&
           a->needs.registers_per_thread == b->needs.registers_per_thread &&
           a->needs.shared_memory_opt_in == b->needs.shared_memory_opt_in &&
           same_span(&a->block_time, &b->block_time) && a->draw_per == b->draw_per &&
           a->bandwidth == b->bandwidth && same_text(a->class_name, b->class_name) &&
           a->launches.count == b->launches.count && a->sms.count == b->sms.count && a->items == b->items &&
           (a->sms.count == 0 || a->exit_time == b->exit_time) && same_usage(a->usage, b->usage);
}

static bool same_command(const struct grt_command_spec *a, const struct grt_command_spec *b) {
    return a->kind == b->kind && a->bytes == b->bytes && a->sync == b->sync && a->pageable == b->pageable &&
           (a->kind != GRT_COMMAND_KERNEL || same_kernel(&a->kernel, &b->kernel));
}

static bool same_segment(const struct grt_segment *a, const struct grt_segment *b) {
    bool same = a->kind == b->kind && same_span(&a->cpu_time, &b->cpu_time) &&
                a->cpu_bandwidth == b->cpu_bandwidth && a->command_count == b->command_count &&
                same_span(&a->host_part[0], &b->host_part[0]) &&
                same_span(&a->host_part[1], &b->host_part[1]) && a->host_mode == b->host_mode;
    for (size_t i = 0; i < a->command_count && same; i++) {
        same = same_command(&a->commands[i], &b->commands[i]);
    }
    return same;
}

static bool same_task(const struct grt_task *a, const struct grt_task *b) {
    bool same = same_text(a->name, b->name) && a->arrival == b->arrival && a->period == b->period &&
                a->offset == b->offset && a->jitter == b->jitter && a->clock == b->clock &&
                same_span(&a->extra_gap, &b->extra_gap) && a->time_count == b->time_count &&
                a->deadline == b->deadline && a->deadline_from == b->deadline_from &&
                a->on_miss == b->on_miss && a->separation == b->separation && a->priority == b->priority &&
                a->cpu == b->cpu && same_text(a->stream, b->stream) &&
                a->stream_priority == b->stream_priority && a->gpu == b->gpu &&
                a->split_overhead == b->split_overhead && a->process == b->process &&
                a->segment_count == b->segment_count &&
                (a->time_count == 0 || memcmp(a->times, b->times, a->time_count * sizeof *a->times) == 0);
    for (size_t i = 0; i < a->segment_count && same; i++) {
        same = same_segment(&a->segments[i], &b->segments[i]);
    }
    return same;
}

static bool same_device(const struct grt_device *a, const struct grt_device *b) {
    struct grt_device x = *a, y = *b; /* all but what is for people, and what points */
    x.name = y.name = x.description = y.description = NULL;
    x.slowdowns.items = y.slowdowns.items = NULL;
    return same_text(a->name, b->name) && memcmp(&x, &y, sizeof x) == 0;
}

static bool same_scenarios(const struct grt_scenario *a, const struct grt_scenario *b) {
    bool same = same_text(a->name, b->name) && a->seed == b->seed && a->horizon_kind == b->horizon_kind &&
                a->horizon == b->horizon && a->ties == b->ties && a->core_count == b->core_count &&
                a->context_switch == b->context_switch && a->wake_up == b->wake_up &&
                a->gpu_count == b->gpu_count && a->task_count == b->task_count;
    for (size_t i = 0; i < a->gpu_count && same; i++) {
        same = same_device(&a->gpus[i], &b->gpus[i]);
    }
    for (size_t i = 0; i < a->task_count && same; i++) {
        same = same_task(&a->tasks[i], &b->tasks[i]);
    }
    return same;
}

static bool same_parameters(const struct grt_policy_ops *policy, const void *a, const void *b) {
    struct grt_errors errors = {0};
    if (policy->parameters == NULL || a == NULL) {
        return true;
    }
    cJSON *left = grt_record_write(policy->parameters, a, &errors, NULL),
          *right = grt_record_write(policy->parameters, b, &errors, NULL);
    bool same = errors.count == 0 && cJSON_Compare(left, right, true);
    cJSON_Delete(left);
    cJSON_Delete(right);
    grt_errors_clear(&errors);
    return same;
}

/* Whether it could be written; if so it was read as it is. */
static bool check(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                  const void *parameters, const char *what) {
    struct grt_errors errors = {0};
    char *text = NULL;
    size_t size = 0;
    struct grt_scenario_file file;
    FILE *out = open_memstream(&text, &size);
    bool written = grt_scenario_write(
        out, &(struct grt_scenario_content){scenario, policy, parameters, "what it is"}, &errors);
    fclose(out);
    if (!written) {
        CU_ASSERT(errors.count > 0 && size == 0);
    } else {
        bool read = grt_scenario_parse(text, size, NULL, NULL, &file, &errors);
        bool same = read && same_scenarios(&file.written, scenario) && file.policy == policy &&
                    same_text(file.description, "what it is") &&
                    same_parameters(policy, parameters, file.policy_parameters);
        CU_ASSERT(same);
        if (!same) {
            grt_errors_print(&errors, stdout, "    ");
            printf("%s:\n%.3000s\n", what, text);
        }
        if (read) {
            grt_scenario_file_free(&file);
        }
    }
    grt_errors_clear(&errors);
    free(text);
    return written;
}

/* ---- Generators ---- */

static const struct {
    const char *generator, *json, *policy, *device;
} shapes[] = {
    {"independent", "{}", "np-edf", "exclusive"},
    {"independent",
     "{\"utilisation\": 2, \"deadlines\": \"slack\", \"deadline_factor\": [0.5, 1], \"jitter\": [0, 0.1], "
     "\"split_overhead\": \"6ms\", \"random_offsets\": true}",
     "tdm", "exclusive"},
    {"independent", "{\"blocks\": [1, 100], \"threads\": 96, \"takes\": 0.86}", "fifo", "jetson-tx2"},
    {"independent", "{\"takes\": 0.5, \"periods\": \"automotive\"}", "np-rm", "exclusive"},
    {"independent", "{\"periods\": \"uniform\", \"min_period\": \"1us\", \"granularity\": \"1ns\"}", "np-fp",
     "exclusive"},
    {"independent", "{\"periods\": \"divisors\", \"hyperperiod\": \"216s\", \"blocks\": [1, 9]}", "fifo",
     "h100"},
    {"cores", "{}", "gpu-server", "exclusive"},
    {"cores", "{\"cores\": 8, \"gpu_tasks\": 1, \"host_ratio\": 0}", "mpcp", "exclusive"},
    {"applications", "{\"count\": 6, \"utilisation\": 0.9}", "wamp2s", "gtx1060_6gb"},
};

static void draw_and_check(size_t shape, uint64_t sets) {
    struct grt_arena arena = {0}, one = {0};
    struct grt_errors errors = {0};
    const struct grt_path root = {0};
    struct grt_device *device = grt_arena_new(&arena, struct grt_device);
    const struct grt_generator_ops *ops = grt_generator_find(shapes[shape].generator);
    CU_ASSERT_FATAL(grt_device_find(shapes[shape].device, ".", &arena, device, &errors, &root));
    if (strcmp(shapes[shape].generator, "applications") == 0) {
        device->granularity = GRT_GRANULARITY_SHARES;
        device->contention = GRT_CONTENTION_SATURATION;
    }
    const struct grt_generator_place place = {.seed = 3, .device = device, .folder = "."};
    void *maker = drawn_maker(shapes[shape].generator, shapes[shape].json, &place, &arena, &errors);
    grt_errors_print(&errors, stdout, "    ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(maker);
    const struct grt_policy_ops *policy = grt_policy_find(shapes[shape].policy);
    CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
    for (uint64_t number = 0; number < sets; number++) {
        struct grt_drawn_set set;
        CU_ASSERT_FATAL(ops->make(maker, number, &one, &set));
        set.scenario.gpus = device;
        set.scenario.gpu_count = 1;
        CU_ASSERT(check(&set.scenario, policy, grt_set_parameters(&set, policy, NULL, 0, &one),
                        shapes[shape].generator));
        grt_arena_clear(&one);
    }
    ops->destroy(maker);
    grt_arena_clear(&arena);
}

static void drawn_sets_are_read_as_they_are(void) {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        draw_and_check(i, (uint64_t)grt_suite_cases(10, 1000));
    }
}

/* Policies get back the parameters that were written. */
static void parameters_are_read_as_they_are(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    CU_ASSERT_FATAL(grt_scenario_read("scenarios/quickstart.json", NULL, &file, &errors));
    const struct grt_policy_ops *server = grt_policy_find("gpu-server");
    const struct grt_drawn_set set = {.values = {{"epsilon", 70}}, .value_count = 1};
    const void *parameters = grt_set_parameters(&set, server, NULL, 0, &arena);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CU_ASSERT(grt_scenario_write(
        out,
        &(struct grt_scenario_content){.scenario = &file.written, .policy = server, .parameters = parameters},
        &errors));
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"policy\": {\"name\": \"gpu-server\", \"epsilon\": \"70ns\"}"));
    free(text);
    grt_scenario_file_free(&file);
    grt_arena_clear(&arena);
}

/* ---- Times ---- */

/* As a CPU segment, a kernel's time and a host part. */
static void times_are_read_as_they_are(void) {
    static const char *const times[] = {
        "{\"distribution\":\"empirical\",\"values\":[\"1us\",\"1us\",\"3us\"],\"max\":\"9us\"}",
        ("{\"distribution\":\"empirical\",\"values\":[\"2us\"],\"min\":\"1us\",\"max\":\"9us\",\"declared\":"
         "\"8us\","
         "\"tail\":{\"threshold\":\"2us\",\"scale\":\"7ns\",\"shape\":-0.123456789012345678,\"ratio\":0.1}}"),
        "{\"distribution\":\"gev\",\"location\":\"5us\",\"scale\":\"1us\",\"shape\":0,\"max\":\"9us\"}",
        "{\"distribution\":\"gev\",\"scale\":\"1us\",\"shape\":-3.5,\"min\":\"1ns\",\"max\":\"9us\"}",
        "{\"distribution\":\"gpd\",\"location\":\"5us\",\"scale\":\"1us\",\"shape\":0.1,\"max\":\"9us\"}",
        "{\"distribution\":\"gpd\",\"location\":\"-5us\",\"scale\":\"1us\",\"shape\":0,\"max\":\"9us\"}",
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct grt_errors errors = {0};
        struct grt_scenario_file file;
        char text[4000];
        snprintf(text, sizeof text,
                 "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"tx2\"}]},\"tasks\":[{"
                 "\"name\":"
                 "\"a\",\"period\":\"1ms\",\"segments\":[{\"cpu\":%s},{\"gpu\":[{\"kernel\":\"k\",\"time\":%"
                 "s},{\"kernel\":"
                 "\"l\",\"blocks\":1,\"threads\":32,\"block_time\":%s}],\"host\":{\"before\":%s}}]}]}",
                 times[i], times[i], times[i], times[i]);
        CU_ASSERT_FATAL(grt_scenario_parse(text, strlen(text), NULL, NULL, &file, &errors));
        CU_ASSERT(check(&file.written, file.policy, file.policy_parameters, times[i]));
        grt_scenario_file_free(&file);
    }
}

/* ---- The library ---- */

/* Returns how many were written. */
static int check_folder(const char *folder, int *all) {
    int written = 0;
    DIR *entries = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(entries);
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        char path[512];
        struct grt_errors errors = {0};
        struct grt_scenario_file file;
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        if (strstr(entry->d_name, ".json") != NULL && grt_scenario_read(path, NULL, &file, &errors)) {
            ++*all;
            written += file.written.networks == NULL &&
                       check(&file.written, file.policy, file.policy_parameters, path);
            grt_scenario_file_free(&file);
        }
        grt_errors_clear(&errors);
    }
    closedir(entries);
    return written;
}

static void files_of_the_library_are_read_as_they_are(void) {
    static const char *const folders[] = {
        "scenarios/rules",         "scenarios/papers/gpu-tdm",      "scenarios/papers/gpu-server",
        "scenarios/papers/wamp2s", "scenarios/papers/multitasking", "scenarios/applications",
        "scenarios/calibration"};
    int written = 0, all = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        written += check_folder(folders[i], &all);
    }
    CU_ASSERT(all > 50 && written > all / 3);
    printf(" (%d of %d) ", written, all);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"drawn sets are read as they are", drawn_sets_are_read_as_they_are},
        {"parameters are read as they are", parameters_are_read_as_they_are},
        {"times are read as they are", times_are_read_as_they_are},
        {"files of the library are read as they are", files_of_the_library_are_read_as_they_are},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("written scenarios", tests);
}
