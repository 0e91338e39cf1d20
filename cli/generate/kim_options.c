/* The options of `gpurt generate --shape kim`: Table II of the paper. */
#include "cli/generate/options.h"
#include "cli/terminal/options.h"

enum {
    KEY_CPUS = 0x300,
    KEY_TASKS,
    KEY_GPU_TASKS,
    KEY_UTILISATION,
    KEY_GPU_RATIO,
    KEY_SEGMENTS,
    KEY_HOST_RATIO,
    KEY_EPSILON,
};

/* Largest ratio that is read; the generator refuses more by itself. */
#define MOST_RATIO 1e9

static const struct argp_option kim_options[] = {
    {NULL, 0, NULL, 0, "With --shape kim (document generating.md):", 3},
    {"cpus", KEY_CPUS, "N", 0, "CPU cores (default: 4)", 0},
    {"tasks-per-core", KEY_TASKS, "LOW,HIGH", 0, "Tasks of each core (default: 3,5)", 0},
    {"gpu-tasks", KEY_GPU_TASKS, "LOW,HIGH", 0, "Share of the tasks that use the GPU (default: 0.1,0.3)", 0},
    {"core-utilisation", KEY_UTILISATION, "LOW,HIGH", 0, "Utilisation of each core (default: 0.3,0.5)", 0},
    {"gpu-ratio", KEY_GPU_RATIO, "LOW,HIGH", 0,
     "GPU segments of a task over its CPU segments, G / C (default: 0.1,0.3)", 0},
    {"gpu-segments", KEY_SEGMENTS, "LOW,HIGH", 0, "GPU segments of a task that uses the GPU (default: 1,3)",
     0},
    {"host-ratio", KEY_HOST_RATIO, "LOW,HIGH", 0,
     "Host parts of a GPU segment over the GPU's, G^m / G^e (default: 0.1,0.2)", 0},
    {"epsilon", KEY_EPSILON, "TIME", 0,
     "Overhead of the GPU server, for policies with such a parameter (default: 50us)", 0},
    {0}};

static struct grt_generated_range parse(const char *option, const char *argument,
                                        const struct argp_state *state) {
    return grt_generate_range(option, argument, true, MOST_RATIO, state);
}

static int64_t parse_cores(const char *argument, const struct argp_state *state) {
    struct grt_generated_count cores = grt_generate_counts("--cpus", argument, GRT_MAX_CORES, state);
    if (cores.low != cores.high) {
        grt_argp_error(state, "--cpus: must be one number (got '%s')", argument);
    }
    return cores.low;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_generate_command *command = state->input;
    if (command == NULL) { /* argp asks for the help of children without an input */
        return ARGP_ERR_UNKNOWN;
    }
    struct grt_kim_spec *kim = &command->kim;
    grt_option_once(&command->kim_given, kim_options, key, state);
    switch (key) {
    case KEY_CPUS:
        kim->cores = parse_cores(argument, state);
        return 0;
    case KEY_TASKS:
        kim->tasks = grt_generate_counts("--tasks-per-core", argument, GRT_KIM_MOST_TASKS, state);
        return 0;
    case KEY_GPU_TASKS:
        kim->gpu_tasks = parse("--gpu-tasks", argument, state);
        return 0;
    case KEY_UTILISATION:
        kim->utilisation = parse("--core-utilisation", argument, state);
        return 0;
    case KEY_GPU_RATIO:
        kim->gpu_ratio = parse("--gpu-ratio", argument, state);
        return 0;
    case KEY_SEGMENTS:
        kim->segments = grt_generate_counts("--gpu-segments", argument, GRT_KIM_MOST_SEGMENTS, state);
        return 0;
    case KEY_HOST_RATIO:
        kim->host_ratio = parse("--host-ratio", argument, state);
        return 0;
    case KEY_EPSILON:
        kim->epsilon = grt_option_time("--epsilon", argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp grt_kim_argp = {.options = kim_options, .parser = parse_option};
