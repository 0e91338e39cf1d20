#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/generate/options.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/shown_line.h"
#include "models/world.h"
#include "scenarios/generate/generated_scenario.h"
#include "scenarios/read_fields.h"
#include "scenarios/scenario.h"
#include "scenarios/scenario_write.h"
#include "scenarios/text_file.h"
#include "sim/check.h"
#include "sim/error_path.h"
#include "sim/output.h"

/* One call. */
struct generation {
    struct grt_generate_command command;
    struct grt_arena arena;
    struct grt_device device;
    void *maker; /* of the command's generator */
    bool to_folder;
    const char *folder; /* of the files: device files are sought from there */
    struct grt_arena set_arena;
    struct grt_drawn_set set; /* the present one */
    double least, most;       /* realised utilisations so far */
};

static bool is_folder(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static uint64_t set_count(const struct generation *generation) {
    return generation->command.count > 0 ? generation->command.count : 1;
}

/* ---- One scenario ---- */

/* For the description: horizons and simulations are judged by it. */
static const char *hyperperiod_text(const struct grt_scenario *scenario, char text[GRT_TIME_TEXT_SIZE]) {
    grt_time hyperperiod = grt_scenario_hyperperiod(scenario);
    hyperperiod -= hyperperiod > 0 ? grt_scenario_largest_offset(scenario) : 0;
    return hyperperiod > 0 ? grt_time_text(hyperperiod, text) : "above 31.7 years";
}

/* Alone on the device, without launch times. */
static grt_time kernel_time(const struct grt_kernel *kernel, const struct grt_device *device) {
    grt_time worst = grt_distribution_worst(&kernel->block_time);
    struct grt_errors errors = {0};
    if (kernel->whole_device) {
        return worst;
    }
    int64_t at_a_time = grt_generated_blocks_at_a_time(device, kernel->needs.threads, &errors);
    grt_errors_clear(&errors);
    return at_a_time > 0 ? (kernel->blocks + at_a_time - 1) / at_a_time * worst : 0;
}

static grt_time segment_time(const struct grt_segment *segment, const struct grt_device *device) {
    if (segment->kind == GRT_SEGMENT_CPU) {
        return grt_distribution_worst(&segment->cpu_time);
    }
    grt_time sum = grt_distribution_worst(&segment->host_part[GRT_HOST_BEFORE]) +
                   grt_distribution_worst(&segment->host_part[GRT_HOST_AFTER]);
    for (size_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        sum += command->kind == GRT_COMMAND_KERNEL ? kernel_time(&command->kernel, device) : 0;
    }
    return sum;
}

/* Of the tasks' segments on whichever processor. */
static double utilisation_of(const struct grt_scenario *scenario) {
    double sum = 0;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        grt_time work = 0;
        for (size_t j = 0; j < task->segment_count; j++) {
            work += segment_time(&task->segments[j], scenario->gpus);
        }
        sum += (double)work / (double)task->period;
    }
    return sum;
}

static const struct grt_set_value *value_of(const struct grt_drawn_set *set, const char *name) {
    for (size_t i = 0; i < set->value_count; i++) {
        if (strcmp(set->values[i].name, name) == 0) {
            return &set->values[i];
        }
    }
    return NULL;
}

/* What a description says of sets with a server. */
static const char *server_text(const struct grt_drawn_set *set, char text[128]) {
    const struct grt_set_value *core = value_of(set, "cpu"), *epsilon = value_of(set, "epsilon");
    char span[GRT_TIME_TEXT_SIZE];
    text[0] = '\0';
    if (core != NULL && epsilon != NULL) {
        snprintf(text, 128, ", priorities rate-monotonic, GPU server on core %" PRId64 " with epsilon %s",
                 core->value, grt_time_text(epsilon->value, span));
    }
    return text;
}

/* The text of the present set, to be freed, and its size without the zero byte; NULL after adding errors. */
static char *make_text(struct generation *generation, uint64_t number, size_t *size,
                       struct grt_errors *errors) {
    const struct grt_generate_command *command = &generation->command;
    const struct grt_drawn_set *set = &generation->set;
    char options[2048], description[2560], hyperperiod[GRT_TIME_TEXT_SIZE], server[128], *text = NULL;
    snprintf(description, sizeof description,
             "Utilisation %.9g, hyperperiod %s%s. gpurt " GRT_VERSION ": gpurt generate %s",
             utilisation_of(&set->scenario), hyperperiod_text(&set->scenario, hyperperiod),
             server_text(set, server), grt_generate_options_text(command, number, options, sizeof options));
    const struct grt_scenario_content content = {
        .scenario = &set->scenario,
        .policy = command->policy,
        .parameters = grt_set_parameters(set, command->policy, NULL, 0, &generation->set_arena),
        .description = description};
    FILE *out = open_memstream(&text, size);
    GRT_REQUIRE(out != NULL, "have more memory");
    bool written = grt_scenario_write(out, &content, errors);
    fclose(out);
    if (!written) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- Before anything is written ---- */

/* Errors of a generator begin with its fields: the option is what the user knows. */
static void print_errors(const struct generation *generation, struct grt_errors *errors) {
    const struct grt_generate_shape *shape = &generation->command.shape;
    for (size_t i = 0; i < errors->count && i < GRT_ERRORS_KEPT; i++) {
        const char *message = errors->messages[i];
        size_t length = grt_error_first_key(message);
        const char *option = grt_generate_option_of(shape, message, length);
        if (option != NULL) {
            fprintf(stderr, "gpurt generate: --%s%s\n", option, message + length);
        } else {
            fprintf(stderr, "gpurt generate: --parameter: %s\n", message);
        }
    }
    grt_errors_clear(errors);
}

/* Whether gpurt would take the file: policies, horizons and devices have their own conditions. */
static bool check_text(struct generation *generation, uint64_t number) {
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    char prefix[64];
    size_t size = 0;
    char *text = make_text(generation, number, &size, &errors);
    bool good = text != NULL && grt_scenario_parse(text, size, generation->folder, NULL, &file, &errors);
    grt_scenario_file_free(&file);
    free(text);
    snprintf(prefix, sizeof prefix, "gpurt generate: set %" PRIu64 ": ", number);
    grt_errors_print(&errors, stderr, prefix);
    grt_errors_clear(&errors);
    return good;
}

static void print_failure(const struct generation *generation, uint64_t number) {
    const struct grt_generate_command *command = &generation->command;
    const struct grt_generator_spec *spec = &command->independent.spec;
    fprintf(stderr, "gpurt generate: set %" PRIu64 ": ", number);
    if (command->parameters == &command->independent && spec->hyperperiod_below == 0) {
        fprintf(stderr,
                "uunifast-discard found no utilisations from %g to %g in %lu vectors; randfixedsum discards "
                "none\n",
                spec->least, spec->most, GRT_GENERATOR_TRIES);
    } else {
        fprintf(stderr, "none was found in so many draws as are tried\n");
    }
}

/* Draws a set of that number, from 1 as in names of files. */
static bool make_set(struct generation *generation, uint64_t number) {
    const struct grt_generate_command *command = &generation->command;
    struct grt_drawn_set *set = &generation->set;
    grt_arena_clear(&generation->set_arena);
    if (!command->generator->make(generation->maker, number - 1, &generation->set_arena, set)) {
        print_failure(generation, number);
        return false;
    }
    set->scenario.gpus = &generation->device;
    set->scenario.gpu_count = 1;
    set->scenario.horizon_kind = command->horizon_kind;
    if (command->horizon_kind != GRT_HORIZON_FIXED || command->horizon > 0) {
        set->scenario.horizon = command->horizon;
    }
    return true;
}

/* All sets once: what is refused is refused before the first file is there. */
static bool check_all(struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    for (uint64_t i = 0; i < set_count(generation); i++) {
        if (!make_set(generation, command->first + i) || !check_text(generation, command->first + i)) {
            return false;
        }
        double realised = utilisation_of(&generation->set.scenario);
        generation->least = i == 0 || realised < generation->least ? realised : generation->least;
        generation->most = i == 0 || realised > generation->most ? realised : generation->most;
    }
    return true;
}

/* Kernels with usages run on GPUs whose SMs are shared out. */
static bool find_device(struct generation *generation, struct grt_errors *errors) {
    const struct grt_generate_command *command = &generation->command;
    struct grt_path root = {0}, path = {.parent = &root, .key = "device"};
    struct grt_device *device = &generation->device;
    if (!grt_device_find(command->device, generation->folder, &generation->arena, device, errors, &path)) {
        return false;
    }
    if (command->shape.shares && device->granularity != GRT_GRANULARITY_SHARES) {
        device->granularity = GRT_GRANULARITY_SHARES;
        device->contention = GRT_CONTENTION_SATURATION;
    }
    return true;
}

/* What --parameter gives, into the parameters. */
static bool read_others(struct generation *generation, struct grt_errors *errors) {
    struct grt_generate_command *command = &generation->command;
    static const struct grt_path root = {0};
    struct grt_reader reader = {.arena = &generation->arena, .errors = errors, .folder = generation->folder};
    const struct grt_read_part part = {command->generator->record, command->parameters, true};
    return command->others == NULL || grt_read_parts(&reader, &part, 1, command->others, &root);
}

static bool prepare(struct generation *generation) {
    struct grt_generate_command *command = &generation->command;
    static const struct grt_path root = {0};
    struct grt_errors errors = {0};
    if (!find_device(generation, &errors)) {
        grt_errors_print(&errors, stderr, "gpurt generate: --");
        grt_errors_clear(&errors);
        return false;
    }
    const struct grt_generator_place place = {command->seed, &generation->device, generation->folder};
    if (read_others(generation, &errors)) {
        generation->maker = command->generator->create(command->parameters, &place, &errors, &root);
    }
    print_errors(generation, &errors);
    return generation->maker != NULL && check_all(generation);
}

/* ---- Writing ---- */

static enum grt_exit write_text(const char *path, const char *text, size_t size) {
    struct grt_errors errors = {0};
    struct grt_output *output = grt_output_open(path, &errors);
    bool done = false;
    if (output != NULL) {
        grt_output_write(output, text, size);
        grt_output_flush(output);
        if (grt_output_error(output) == EPIPE) { /* a reader that left early is no news */
            grt_output_discard(output);
        } else {
            done = grt_output_close(output, &errors);
        }
    }
    grt_print_errors(&errors, NULL);
    return done ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static enum grt_exit write_set(struct generation *generation, uint64_t number, const char *path) {
    size_t size = 0;
    struct grt_errors errors = {0};
    make_set(generation, number);
    char *text = make_text(generation, number, &size, &errors);
    GRT_REQUIRE(text != NULL, "check all sets before they are written");
    enum grt_exit code = write_text(path, text, size);
    free(text);
    return code;
}

static int digits_of(uint64_t number) {
    int digits = 1;
    for (; number >= 10; number /= 10) {
        digits++;
    }
    return digits;
}

static enum grt_exit write_folder(struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    if (mkdir(command->output, 0777) != 0 && !is_folder(command->output)) {
        grt_shown_line("gpurt: %s: cannot be made a folder: %s", command->output, strerror(errno));
        return GRT_EXIT_FAILED;
    }
    uint64_t last = command->first + set_count(generation) - 1;
    enum grt_exit code = GRT_EXIT_DONE;
    for (uint64_t number = command->first; number <= last && code == GRT_EXIT_DONE; number++) {
        char name[64];
        struct grt_arena arena = {0};
        snprintf(name, sizeof name, "set-%0*" PRIu64 ".json", digits_of(last), number);
        code = write_set(generation, number, grt_path_in_folder(&arena, command->output, name));
        grt_arena_clear(&arena);
    }
    return code;
}

static void print_summary(const struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    uint64_t count = set_count(generation);
    const struct grt_scenario *scenario = &generation->set.scenario;
    bool cores = scenario->core_count > 0;
    uint64_t size = cores ? (uint64_t)scenario->core_count : scenario->task_count;
    printf("%s: %" PRIu64 " set%s %s %" PRIu64 " %s%s", command->output, count, count == 1 ? "" : "s",
           cores ? "on" : "of", size, cores ? "core" : "task", size == 1 ? "" : "s");
    printf(", utilisation %.9g", generation->least);
    if (generation->most > generation->least) {
        printf(" to %.9g", generation->most);
    }
    putchar('\n');
}

enum grt_exit grt_command_generate(int argc, char **argv) {
    struct generation generation = {0};
    grt_generate_options_read(&generation.command, argc, argv);
    const struct grt_generate_command *command = &generation.command;
    generation.to_folder = command->count > 0 || is_folder(command->output);
    generation.folder =
        generation.to_folder ? command->output : grt_folder_of(&generation.arena, command->output);
    enum grt_exit code = GRT_EXIT_INPUT;
    if (prepare(&generation)) {
        code = generation.to_folder ? write_folder(&generation)
                                    : write_set(&generation, command->first, command->output);
    }
    if (code == GRT_EXIT_DONE && !command->quiet && strcmp(command->output, "-") != 0) {
        print_summary(&generation);
    }
    if (generation.maker != NULL) {
        command->generator->destroy(generation.maker);
    }
    grt_arena_clear(&generation.set_arena);
    grt_arena_clear(&generation.arena);
    grt_generate_options_free(&generation.command);
    return code;
}
