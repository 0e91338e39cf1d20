#include "calib/program/measure_options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/command.h"
#include "cli/terminal/command_line.h"
#include "cli/terminal/same_file.h"
#include "scenarios/spelling.h"

enum {
    KEY_QUICK = 0x700,
    KEY_BUDGET,
    KEY_SEED,
    KEY_ONLY,
    KEY_WORKLOADS,
    KEY_SAMPLES,
    KEY_WORST,
    KEY_REPLACE,
    KEY_KERNEL,
    KEY_ENTRY,
    KEY_AMOUNT,
    KEY_BLOCKS,
    KEY_THREADS,
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "The raw file (- for standard output), which grows while measuring goes on. Needed", 0},
    {"replace", KEY_REPLACE, NULL, 0, "Write over a file that is there", 0},
    {"quick", KEY_QUICK, NULL, 0, "A tenth of the samples, in half a minute", 0},
    {"budget", KEY_BUDGET, "TIME", 0, "What all of it may take (default: 5min; with --quick 30s)", 0},
    {"only", KEY_ONLY, "EXPERIMENTS", 0, "These experiments, with commas between (default: all)", 0},
    {"workloads", KEY_WORKLOADS, "WORKLOADS", 0, "These kernels, with commas between (default: all)", 0},
    {"samples", KEY_SAMPLES, "COUNT", 0, "At most so many samples of a cell", 0},
    {"worst-samples", KEY_WORST, "COUNT", 0, "At most so many of a cell of worst, for extreme value theory",
     0},
    {"seed", KEY_SEED, "NUMBER", 0, "Seed of all random orders (default: 1)", 0},
    {"quiet", 'q', NULL, 0, "Show no progress", 0},
    {0, 0, NULL, 0, "A kernel of your own:", 1},
    {"kernel", KEY_KERNEL, "FILE", 0, "A .cu file (needs NVRTC) or .ptx file", 0},
    {"entry", KEY_ENTRY, "NAME", 0, "The kernel's function in it", 0},
    {"amount", KEY_AMOUNT, "NUMBER", 0, "Its last parameter (default: 1)", 0},
    {"blocks", KEY_BLOCKS, "COUNT", 0, "Blocks of its grid", 0},
    {"threads", KEY_THREADS, "COUNT", 0, "Threads of its blocks (default: 256)", 0},
    {0}};

/* A list with commas between: calls `take` for each item, which it may change. */
static void read_list(char *list, struct grt_measure_command *command, const struct argp_state *state,
                      void (*take)(struct grt_measure_command *command, char *item,
                                   const struct argp_state *state)) {
    while (list != NULL) {
        char *comma = strchr(list, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        take(command, list, state);
        list = comma;
    }
}

enum { NAMES_SIZE = 512 };

/* Adds a name to a list with commas between, of that size. */
static void add_name(char *names, const char *name) {
    size_t used = strlen(names);
    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static void take_experiment(struct grt_measure_command *command, char *item, const struct argp_state *state) {
    struct grt_guess guess = grt_guess_start(item);
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        if (strcmp(item, grt_experiment_names[i]) == 0) {
            command->plan.experiments |= UINT32_C(1) << i;
            return;
        }
        grt_guess_try(&guess, grt_experiment_names[i]);
    }
    char suggestion[GRT_GUESS_TEXT_SIZE], names[NAMES_SIZE];
    names[0] = '\0';
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        add_name(names, grt_experiment_names[i]);
    }
    grt_argp_error(state, "--only: there is no experiment \"%s\"%s; there are %s", item,
                   grt_guess_text(&guess, suggestion), names);
}

static void check_workload(const char *item, const struct argp_state *state) {
    struct grt_guess guess = grt_guess_start(item);
    char suggestion[GRT_GUESS_TEXT_SIZE], names[NAMES_SIZE] = "";
    const char *known;
    for (size_t i = 0; (known = grt_plan_workload(i)) != NULL; i++) {
        if (strcmp(item, known) == 0) {
            return;
        }
        grt_guess_try(&guess, known);
        add_name(names, known);
    }
    grt_argp_error(state, "--workloads: there is no \"%s\"%s; there are %s", item,
                   grt_guess_text(&guess, suggestion), names);
}

static void take_workload(struct grt_measure_command *command, char *item, const struct argp_state *state) {
    check_workload(item, state);
    if (command->plan.workload_count == GRT_PLAN_WORKLOADS) {
        grt_argp_error(state, "--workloads: at most %d", GRT_PLAN_WORKLOADS);
    }
    command->plan.workloads[command->plan.workload_count++] = item;
}

static double read_budget(const char *argument, const struct argp_state *state) {
    double budget_s = (double)grt_option_time("--budget", argument, state) / 1e9;
    if (budget_s < GRT_PLAN_LEAST_BUDGET_S || budget_s > GRT_PLAN_MOST_BUDGET_S) {
        grt_argp_error(state, "--budget must be between %gms and %gs (got '%s')",
                       GRT_PLAN_LEAST_BUDGET_S * 1e3, GRT_PLAN_MOST_BUDGET_S, argument);
    }
    return budget_s;
}

/* Options that need the plan, whose defaults --quick changes wherever it stands: they are read once --quick is known. */
static bool parse_plan(int key, char *argument, struct grt_measure_command *command,
                       const struct argp_state *state) {
    struct grt_plan *plan = &command->plan;
    switch (key) {
    case KEY_BUDGET:
        plan->budget_s = read_budget(argument, state);
        return true;
    case KEY_ONLY:
        read_list(argument, command, state, take_experiment);
        return true;
    case KEY_WORKLOADS:
        read_list(argument, command, state, take_workload);
        return true;
    case KEY_SAMPLES:
        plan->most_samples = (uint32_t)grt_option_whole("--samples", argument, 1, UINT32_MAX, state);
        plan->least_samples =
            plan->least_samples < plan->most_samples ? plan->least_samples : plan->most_samples;
        return true;
    case KEY_WORST:
        plan->worst_samples = (uint32_t)grt_option_whole("--worst-samples", argument, 1, UINT32_MAX, state);
        return true;
    case KEY_SEED:
        plan->seed = grt_option_whole("--seed", argument, 0, UINT64_MAX, state);
        return true;
    case KEY_AMOUNT:
        plan->user_amount = grt_option_whole("--amount", argument, 0, UINT64_MAX, state);
        return true;
    case KEY_BLOCKS:
        plan->user_blocks = (uint32_t)grt_option_whole("--blocks", argument, 1, UINT32_MAX, state);
        return true;
    case KEY_THREADS:
        plan->user_threads = (uint32_t)grt_option_whole("--threads", argument, 1, 1024, state);
        return true;
    default:
        return false;
    }
}

static void check(const struct grt_measure_command *command, const struct argp_state *state) {
    if (command->output == NULL) {
        grt_argp_error(state, "where to? (--output=FILE)");
    }
    const struct grt_output_option output = {"--output", command->output};
    grt_check_output_list("kernel", command->kernel_file, &output, 1, state);
    grt_check_output_list("pretended device", command->backend.pretend, &output, 1, state);
    if ((command->kernel_file == NULL) != (command->kernel_name == NULL)) {
        grt_argp_error(state, "--kernel and --entry belong together");
    }
    bool sized = command->plan.user_blocks > 0;
    if ((command->kernel_file != NULL) != sized) {
        grt_argp_error(state, "--kernel needs --blocks, and --blocks needs --kernel");
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct grt_measure_command *command = state->input;
    grt_option_once(&command->given, options, key, state);
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &command->backend;
        return 0;
    case 'o':
        command->output = grt_option_text("--output", argument, state);
        return 0;
    case KEY_QUICK:
        return 0; /* has been seen */
    case 'q':
        command->quiet = true;
        return 0;
    case KEY_REPLACE:
        command->replace = true;
        return 0;
    case KEY_KERNEL:
        command->kernel_file = grt_option_text("--kernel", argument, state);
        return 0;
    case KEY_ENTRY:
        command->kernel_name = grt_option_text("--entry", argument, state);
        return 0;
    case ARGP_KEY_ARG:
        grt_argp_error(state, "takes no arguments (got '%s')", argument);
        return EINVAL;
    case ARGP_KEY_END:
        check(command, state);
        return 0;
    default:
        return parse_plan(key, argument, command, state) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&grt_backend_argp, 0, NULL, 0}, {0}};

const struct argp grt_calib_measure_argp = {
    .options = options,
    .parser = parse_option,
    .children = children,
    .doc =
        "Measures a device: its clocks, launches, placement of blocks, copies, priorities, partitions, "
        "how kernels slow each other, and their longest times; "
        "writes every sample to a raw file (document raw-measurements.md), which gpurt-calib fit turns into "
        "parameters."
        "\v"
        "Examples:\n"
        "  gpurt-calib measure -o h200.jsonl\n"
        "  gpurt-calib measure -o h200.jsonl --only=clock,launch,copy --budget=20s\n"
        "  gpurt-calib measure -o try.jsonl --backend=sim --pretend=h200 --quick\n"
        "  gpurt-calib measure -o mine.jsonl --kernel=mine.cu --entry=filter \\\n"
        "      --blocks=512\n"
        "\n" GRT_EXIT_DEVICE_HELP};

static char *join(int argc, char **argv) {
    size_t size = 1;
    for (int i = 0; i < argc; i++) {
        size += strlen(argv[i]) + 1;
    }
    char *line = grt_allocate(size);
    size_t used = 0;
    line[0] = '\0';
    for (int i = 0; i < argc; i++) {
        used += (size_t)snprintf(line + used, size - used, "%s%s", i > 0 ? " " : "", argv[i]);
    }
    return line;
}

void grt_measure_options_parse(int argc, char **argv, struct grt_measure_command *command) {
    for (int i = 1; i < argc; i++) {
        command->quick = command->quick || strcmp(argv[i], "--quick") == 0;
    }
    command->line = join(argc, argv);
    command->plan = grt_plan_default(command->quick);
    grt_options_parse(&grt_calib_measure_argp, argc, argv, command);
}

bool grt_measure_read_kernel(const struct grt_measure_command *command, const struct grt_driver *driver,
                             struct grt_user_kernel *kernel, struct grt_errors *errors) {
    int major = 0, minor = 0;
    grt_cuda_device device = 0;
    const struct grt_cuda *cuda = &driver->cuda;
    grt_cuda_result result = cuda->cuDeviceGet(&device, command->backend.device);
    if (result == GRT_CUDA_SUCCESS) {
        cuda->cuDeviceGetAttribute(&major, GRT_CUDA_COMPUTE_CAPABILITY_MAJOR, device);
        result = cuda->cuDeviceGetAttribute(&minor, GRT_CUDA_COMPUTE_CAPABILITY_MINOR, device);
    }
    if (result != GRT_CUDA_SUCCESS) {
        grt_driver_error(driver, result, "asking for the compute capability", errors);
        return false;
    }
    struct grt_user_target target = {.compute_capability = 10 * major + minor};
    cuda->cuDriverGetVersion(&target.driver_version);
    uint32_t threads = command->plan.user_threads > 0 ? command->plan.user_threads : 256;
    return grt_user_kernel_read(command->kernel_file, command->kernel_name, threads, &target, NULL, kernel,
                                errors);
}
