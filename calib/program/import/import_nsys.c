#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/import/import.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/text_table.h"
#include "scenarios/scenario.h"
#include "sim/check.h"

/* ---- the device ---- */

/* "NVIDIA H100 80GB HBM3" as presets are called: "h100-80gb-hbm3", or by its first word: "h100". */
static const char *preset_name(struct grt_arena *arena, const char *gpu, bool first_word) {
    static const char maker[] = "NVIDIA ";
    gpu += strncmp(gpu, maker, sizeof maker - 1) == 0 ? sizeof maker - 1 : 0;
    char *name = grt_arena_text(arena, gpu);
    for (char *at = name; *at != '\0'; at++) {
        if (*at == ' ' && first_word) {
            *at = '\0';
            break;
        }
        *at = *at == ' ' ? '-' : (char)tolower((unsigned char)*at);
    }
    return name;
}

static bool find_by_gpu(struct grt_import *import, const char *gpu, struct grt_device *device) {
    struct grt_errors unused = {0};
    bool found = false;
    for (int first_word = 0; first_word <= 1 && !found && gpu[0] != '\0'; first_word++) {
        const char *name = preset_name(&import->arena, gpu, first_word);
        found = grt_device_find(name, ".", &import->arena, device, &unused, NULL);
    }
    grt_errors_clear(&unused);
    return found;
}

static bool find_device(struct grt_import *import, const struct grt_nsys *profile, struct grt_device *device,
                        struct grt_errors *errors) {
    const char *gpu = profile->gpu_count > 0 ? profile->gpus[0].name : "";
    if (import->device != NULL) {
        static const struct grt_path root = {0};
        const struct grt_path option = {.parent = &root, .key = "--device"};
        return grt_device_find(import->device, ".", &import->arena, device, errors, &option);
    }
    if (find_by_gpu(import, gpu, device)) {
        return true;
    }
    grt_error_add(errors, NULL,
                  "the profile's GPU is \"%.60s\", which is no preset: name one, or a file, with --device",
                  gpu);
    return false;
}

/* Times of one device say nothing of another one. The numbers of GPUs are those of the machine, which need not be those that the program saw: one of them has to be like the device. */
static bool check_device(const struct grt_nsys *profile, const struct grt_device *device,
                         struct grt_errors *warnings, struct grt_errors *errors) {
    const struct grt_nsys_gpu *other = NULL;
    for (size_t i = 0; i < profile->gpu_count; i++) {
        const struct grt_nsys_gpu *gpu = &profile->gpus[i];
        if (gpu->sm_count == device->sm_count) {
            return true;
        }
        other = other == NULL && gpu->sm_count > 0 ? gpu : other;
    }
    if (other == NULL) {
        grt_error_add(
            warnings, NULL,
            "the profile does not say how many SMs its GPU has (TARGET_INFO_GPU): nobody knows whether "
            "it was made on %s",
            device->name);
        return true;
    }
    grt_error_add(
        errors, NULL,
        "the profile was made on \"%.60s\" of %lld SMs, but %s has %lld: name the device that it was "
        "made on",
        other->name, (long long)other->sm_count, device->name, (long long)device->sm_count);
    return false;
}

/* ---- what is said ---- */

static void add_columns(struct grt_table *table) {
    static const struct grt_table_column columns[] = {
        {"", "task", GRT_TEXT_LEFT, false},        {"", "stream", GRT_TEXT_RIGHT, false},
        {"", "jobs", GRT_TEXT_RIGHT, false},       {"", "commands", GRT_TEXT_RIGHT, false},
        {"gaps", "5%", GRT_TEXT_RIGHT, false},     {"gaps", "median", GRT_TEXT_RIGHT, false},
        {"gaps", "95%", GRT_TEXT_RIGHT, false},    {"", "becomes", GRT_TEXT_LEFT, false},
        {"", "on the host", GRT_TEXT_RIGHT, false}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(table, columns[i]);
    }
}

static void add_span(struct grt_table *table, grt_time span) {
    char text[GRT_TIME_TEXT_SIZE];
    grt_table_add(table, "%s", span > 0 ? grt_time_text(span, text) : "-");
}

static const char *arrival_text(const struct grt_task *task, const struct grt_nsys_rhythm *rhythm) {
    return task->arrival == GRT_ARRIVAL_TIMES      ? "one job"
           : task->arrival == GRT_ARRIVAL_SPORADIC ? "sporadic"
           : rhythm->given                         ? "periodic, as given"
                                                   : "periodic";
}

static void print_tasks(struct grt_import *import, const struct grt_nsys_tasks *tasks,
                        const struct grt_nsys_scenario *scenario, FILE *out) {
    struct grt_table table = {.arena = &import->arena};
    add_columns(&table);
    for (size_t i = 0; i < tasks->count; i++) {
        const struct grt_nsys_task *task = &tasks->items[i];
        const struct grt_nsys_rhythm *rhythm = &scenario->rhythms[i];
        grt_table_add(&table, "%s", task->name);
        grt_table_add(&table, "%lld", (long long)task->stream.stream);
        grt_table_add(&table, "%zu", task->job_count);
        grt_table_add(&table, "%zu", task->length);
        add_span(&table, rhythm->low);
        add_span(&table, rhythm->median);
        add_span(&table, rhythm->high);
        grt_table_add(&table, "%s", arrival_text(&scenario->scenario.tasks[i], rhythm));
        add_span(&table, rhythm->host);
    }
    grt_table_print(&table, &import->style, out);
    grt_table_free(&table);
}

/* ---- the way ---- */

static bool write_scenario(struct grt_import *import, const struct grt_nsys_scenario *scenario,
                           struct grt_errors *errors) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    GRT_REQUIRE(memory != NULL, "have more memory");
    const char *description = grt_format(
        &import->arena,
        "What %.200s, a profile of Nsight Systems, has: each task repeats what a %s did; times are "
        "measured ones; kernels' times were told of whole kernels and are spread over their waves",
        import->file, import->tasks.by == GRT_NSYS_BY_RANGE ? "range" : "stream");
    bool good = grt_nsys_scenario_write(scenario, description, memory, errors);
    fclose(memory);
    good = good && grt_output_text(import->out, text, "", errors);
    free(text);
    return good;
}

/* The file's name without its folder and what is behind a dot. */
static const char *base_name(struct grt_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = grt_arena_text(arena, slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    name[strlen(name) < 64 ? strlen(name) : 64] = '\0';
    return name;
}

static enum grt_exit make_scenario(struct grt_import *import, const struct grt_nsys *profile,
                                   const struct grt_nsys_tasks *tasks, struct grt_errors *warnings,
                                   struct grt_errors *errors) {
    struct grt_device device;
    struct grt_nsys_scenario scenario;
    if (!find_device(import, profile, &device, errors) || !check_device(profile, &device, warnings, errors)) {
        return GRT_EXIT_INPUT;
    }
    const struct grt_nsys_scenario_options options = {
        .device = &device,
        .name = import->name != NULL ? import->name : base_name(&import->arena, import->file),
        .periods = import->periods,
        .period_count = import->period_count,
        .most_values = import->most_values};
    if (!grt_nsys_scenario_make(profile, tasks, &options, &scenario, warnings, errors)) {
        return GRT_EXIT_INPUT;
    }
    grt_import_warn(warnings, import->file);
    bool good = write_scenario(import, &scenario, errors);
    if (good && !import->quiet) {
        print_tasks(import, tasks, &scenario, grt_is_standard_output(import->out) ? stderr : stdout);
    }
    grt_nsys_scenario_free(&scenario);
    return good ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

enum grt_exit grt_import_nsys(struct grt_import *import) {
    struct grt_errors errors = {0}, warnings = {0};
    struct grt_nsys profile = {0};
    struct grt_nsys_tasks tasks = {0};
    enum grt_exit result = GRT_EXIT_INPUT;
    if (grt_nsys_read(import->file, &profile, &errors) &&
        grt_nsys_tasks_make(&profile, &import->tasks, &tasks, &warnings, &errors)) {
        result = make_scenario(import, &profile, &tasks, &warnings, &errors);
    }
    grt_import_warn(&warnings, import->file);
    grt_print_errors(&errors, result == GRT_EXIT_FAILED ? NULL : import->file);
    grt_nsys_tasks_free(&tasks);
    grt_nsys_free(&profile);
    return result;
}
