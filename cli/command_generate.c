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
    struct grt_generator *generator;
    struct grt_generated_task *tasks;
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

/* For the description: horizons and simulations are judged by it. */
static const char *hyperperiod_text(const struct generation *generation, char text[GRT_TIME_TEXT_SIZE]) {
    struct grt_arena arena = {0};
    struct grt_scenario scenario =
        grt_generated_scenario(&(const struct grt_generated_frame){.name = ""}, generation->tasks,
                               generation->command.spec.task_count, &arena);
    grt_time hyperperiod = grt_scenario_hyperperiod(&scenario);
    hyperperiod -= hyperperiod > 0 ? grt_scenario_largest_offset(&scenario) : 0;
    grt_arena_clear(&arena);
    return hyperperiod > 0 ? grt_time_text(hyperperiod, text) : "above 31.7 years";
}

/* The text of the set whose tasks are there, to be freed; its size without the zero byte. */
static char *make_text(const struct generation *generation, uint64_t number, size_t *size) {
    const struct grt_generate_command *command = &generation->command;
    size_t count = command->spec.task_count;
    char name[64], options[2048], description[2304], hyperperiod[GRT_TIME_TEXT_SIZE], *text = NULL;
    snprintf(name, sizeof name, "seed %" PRIu64 " set %" PRIu64, command->spec.seed, number);
    snprintf(description, sizeof description,
             "Utilisation %.9g, hyperperiod %s. gpurt " GRT_VERSION ": gpurt generate %s",
             grt_generated_utilisation(generation->tasks, count), hyperperiod_text(generation, hyperperiod),
             grt_generate_options_text(command, number, options, sizeof options));
    struct grt_generated_frame frame = command->frame;
    frame.name = name;
    frame.description = description;
    frame.seed = grt_generated_seed(command->spec.seed, number);
    FILE *out = open_memstream(&text, size);
    GRT_REQUIRE(out != NULL, "have more memory");
    grt_generated_write(out, &frame, generation->tasks, count);
    fclose(out);
    return text;
}

/* ---- Before anything is written ---- */

/* Whether gpurt would take the file: policies, horizons and devices have their own conditions. */
static bool check_text(const struct generation *generation, uint64_t number) {
    struct grt_errors errors = {0};
    struct grt_scenario_file file = {0};
    char name[32];
    size_t size = 0;
    char *text = make_text(generation, number, &size);
    bool good = grt_scenario_parse(text, size, generation->folder, NULL, &file, &errors);
    grt_scenario_file_free(&file);
    free(text);
    snprintf(name, sizeof name, "set %" PRIu64, number);
    grt_print_errors(&errors, name);
    return good;
}

static bool make_tasks(const struct generation *generation, uint64_t number) {
    const struct grt_generator_spec *spec = &generation->command.spec;
    bool made = grt_generator_make(generation->generator, number, generation->tasks);
    if (!made) {
        fprintf(stderr,
                "gpurt: set %" PRIu64
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
        double realised = grt_generated_utilisation(generation->tasks, command->spec.task_count);
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
    if (command->spec.most_blocks > 0) {
        command->spec.blocks_at_a_time =
            grt_generated_blocks_at_a_time(device, command->frame.threads, errors);
    }
    return errors->count == 0;
}

static bool prepare(struct generation *generation) {
    const struct grt_generate_command *command = &generation->command;
    struct grt_errors errors = {0};
    if (find_device(generation, &errors)) {
        generation->generator = grt_generator_create(&command->spec, &errors);
    }
    grt_print_errors(&errors, NULL);
    if (generation->generator == NULL) {
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
    grt_generator_make(generation->generator, number, generation->tasks);
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
    printf("%s: %" PRIu64 " set%s of %zu task%s, utilisation %.9g", command->output, count,
           count == 1 ? "" : "s", tasks, tasks == 1 ? "" : "s", generation->least);
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
    grt_arena_clear(&generation.arena);
    return code;
}
