#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/generate_options.h"
#include "cli/print_errors.h"
#include "models/world.h"
#include "scenarios/scenario.h"
#include "scenarios/text_file.h"
#include "sim/check.h"
#include "sim/output.h"

/* One call. */
struct generation {
    struct grt_generate_command command;
    struct grt_arena arena;
    struct grt_generator *generator; /* of the shape kernel */
    struct grt_generated_task *tasks;
    struct grt_kim *kim; /* of the shape kim */
    struct grt_kim_set *kim_set;
    bool to_folder;
    const char *folder; /* of the files: device files are sought from there */
    double least, most; /* realised utilisations so far */
};

static bool is_folder(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static uint64_t set_count(const struct generation *generation) {
    return generation->command.count > 0 ? generation->command.count : 1;
}

/* ---- One scenario ---- */

static struct grt_scenario scenario_of(const struct generation *generation, struct grt_arena *arena) {
    const struct grt_generated_frame frame = {.name = ""};
    return generation->kim != NULL ? grt_kim_scenario(&frame, generation->kim_set, arena)
                                   : grt_generated_scenario(&frame, generation->tasks,
                                                            generation->command.spec.task_count, arena);
}

/* For the description: horizons and simulations are judged by it. */
static const char *hyperperiod_text(const struct generation *generation, char text[GRT_TIME_TEXT_SIZE]) {
    struct grt_arena arena = {0};
    struct grt_scenario scenario = scenario_of(generation, &arena);
    grt_time hyperperiod = grt_scenario_hyperperiod(&scenario);
    hyperperiod -= hyperperiod > 0 ? grt_scenario_largest_offset(&scenario) : 0;
    grt_arena_clear(&arena);
    return hyperperiod > 0 ? grt_time_text(hyperperiod, text) : "above 31.7 years";
}

/* The utilisation of the set that is there, of its tasks' segments on whichever processor. */
static double utilisation_of(const struct generation *generation) {
    if (generation->kim == NULL) {
        return grt_generated_utilisation(generation->tasks, generation->command.spec.task_count);
    }
    double sum = 0;
    for (size_t i = 0; i < generation->kim_set->count; i++) {
        const struct grt_kim_task *task = &generation->kim_set->tasks[i];
        sum += (double)(grt_kim_normal(task) + grt_kim_gpu(task)) / (double)task->period;
    }
    return sum;
}

/* What a description says of the shape. */
static const char *shape_text(const struct generation *generation, char text[128]) {
    text[0] = '\0';
    if (generation->kim != NULL) {
        char epsilon[GRT_TIME_TEXT_SIZE];
        snprintf(text, 128, ", priorities rate-monotonic, GPU server on core %" PRId64 " with epsilon %s",
                 generation->kim_set->server_core, grt_time_text(generation->kim_set->epsilon, epsilon));
    }
    return text;
}

/* The text of the set whose tasks are there, to be freed; its size without the zero byte. */
static char *make_text(const struct generation *generation, uint64_t number, size_t *size) {
    const struct grt_generate_command *command = &generation->command;
    char name[64], options[2048], description[2560], hyperperiod[GRT_TIME_TEXT_SIZE], shape[128],
        *text = NULL;
    snprintf(name, sizeof name, "seed %" PRIu64 " set %" PRIu64, command->spec.seed, number);
    snprintf(description, sizeof description,
             "Utilisation %.9g, hyperperiod %s%s. gpurt " GRT_VERSION ": gpurt generate %s",
             utilisation_of(generation), hyperperiod_text(generation, hyperperiod),
             shape_text(generation, shape),
             grt_generate_options_text(command, number, options, sizeof options));
    struct grt_generated_frame frame = command->frame;
    frame.name = name;
    frame.description = description;
    frame.seed = grt_generated_seed(command->spec.seed, number);
    FILE *out = open_memstream(&text, size);
    GRT_REQUIRE(out != NULL, "have more memory");
    if (generation->kim != NULL) {
        grt_kim_write(out, &frame, generation->kim_set);
    } else {
        grt_generated_write(out, &frame, generation->tasks, command->spec.task_count);
    }
    fclose(out);
    return text;
}

/* ---- Before anything is written ---- */

/* The path of an error of a specification is the option. */
static void print_option_errors(struct grt_errors *errors) {
    grt_errors_print(errors, stderr, "gpurt generate: --");
    grt_errors_clear(errors);
}

/* Whether gpurt would take the file: policies, horizons and devices have their own conditions. */
static bool check_text(const struct generation *generation, uint64_t number) {
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    char prefix[64];
    size_t size = 0;
    char *text = make_text(generation, number, &size);
    bool good = grt_scenario_parse(text, size, generation->folder, NULL, &file, &errors);
    grt_scenario_file_free(&file);
    free(text);
    snprintf(prefix, sizeof prefix, "gpurt generate: set %" PRIu64 ": ", number);
    grt_errors_print(&errors, stderr, prefix);
    grt_errors_clear(&errors);
    return good;
}

static bool make_tasks(const struct generation *generation, uint64_t number) {
    const struct grt_generator_spec *spec = &generation->command.spec;
    if (generation->kim != NULL) {
        grt_kim_make(generation->kim, number, generation->kim_set);
        return true;
    }
    bool made = grt_generator_make(generation->generator, number, generation->tasks);
    if (!made) {
        fprintf(stderr,
                "gpurt generate: set %" PRIu64
                ": uunifast-discard found no utilisations from %g to %g in %lu vectors; "
                "randfixedsum discards none\n",
                number, spec->least, spec->most, GRT_GENERATOR_TRIES);
    }
    return made;
}

/* All sets once: what is refused is refused before the first file is there. */
static bool check_all(struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    for (uint64_t i = 0; i < set_count(generation); i++) {
        if (!make_tasks(generation, command->first + i) || !check_text(generation, command->first + i)) {
            return false;
        }
        double realised = utilisation_of(generation);
        generation->least = i == 0 || realised < generation->least ? realised : generation->least;
        generation->most = i == 0 || realised > generation->most ? realised : generation->most;
    }
    return true;
}

static bool find_device(struct generation *generation, struct grt_errors *errors) {
    struct grt_generate_command *command = &generation->command;
    struct grt_device *device = grt_arena_new(&generation->arena, struct grt_device);
    struct grt_path root = {0}, path = {.parent = &root, .key = "device"};
    if (!grt_device_find(command->frame.device, generation->folder, &generation->arena, device, errors,
                         &path)) {
        return false;
    }
    if (command->spec.blocks.high > 0) {
        command->spec.blocks_at_a_time =
            grt_generated_blocks_at_a_time(device, command->frame.threads, errors);
    }
    return errors->count == 0;
}

static bool prepare(struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    struct grt_errors errors = {0};
    if (find_device(generation, &errors) && command->shape == GRT_SHAPE_KIM) {
        generation->kim = grt_kim_create(&command->kim, &errors);
        generation->kim_set = grt_arena_new(&generation->arena, struct grt_kim_set);
    } else if (errors.count == 0) {
        generation->generator = grt_generator_create(&command->spec, &errors);
    }
    print_option_errors(&errors);
    if (generation->generator == NULL && generation->kim == NULL) {
        return false;
    }
    generation->tasks =
        grt_arena_array(&generation->arena, command->spec.task_count, sizeof *generation->tasks);
    return check_all(generation);
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

static enum grt_exit write_set(const struct generation *generation, uint64_t number, const char *path) {
    size_t size = 0;
    make_tasks(generation, number);
    char *text = make_text(generation, number, &size);
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

static enum grt_exit write_folder(const struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    if (mkdir(command->output, 0777) != 0 && !is_folder(command->output)) {
        fprintf(stderr, "gpurt: %s: cannot be made a folder: %s\n", command->output, strerror(errno));
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
    size_t tasks = command->spec.task_count;
    printf("%s: %" PRIu64 " set%s", command->output, count, count == 1 ? "" : "s");
    if (generation->kim != NULL) {
        printf(" on %" PRId64 " core%s", command->kim.cores, command->kim.cores == 1 ? "" : "s");
    } else {
        printf(" of %zu task%s", tasks, tasks == 1 ? "" : "s");
    }
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
    grt_generator_free(generation.generator);
    grt_kim_free(generation.kim);
    grt_arena_clear(&generation.arena);
    return code;
}
