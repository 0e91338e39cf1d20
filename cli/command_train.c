#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/train/train.h"
#include "models/learning/collect.h"
#include "scenarios/samples.h"
#include "scenarios/text_file.h"
#include "sim/check.h"
#include "sim/output.h"

enum { BAR = 30, LEAST_PREDICTIONS = 20000 };

/* What is to be trained: of a simulated kernel how to get samples, of a measured one they are there. */
struct lesson {
    const char *kernel;
    const struct grt_learner *learner;    /* NULL: measured */
    struct grt_samples training, testing; /* filled before it is trained */
};

struct train {
    struct grt_train_options options;
    struct grt_arena arena;
    struct grt_scenario_file file;
    bool loaded;
    struct lesson *lessons;
    struct grt_trained_kernel *kernels;
    size_t count, current;
    const char *stage;
    int64_t shown; /* permille of the bar that stands there; -1: none does */
    struct grt_output *output, *json, *samples_out;
    struct grt_errors errors;
};

/* ---- progress ---- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Where a person looks. */
static void show(void *context, int64_t done, int64_t all) {
    struct train *train = context;
    int64_t part = all > 0 ? 1000 * done / all : 1000;
    if (part == train->shown || train->options.quiet || isatty(STDERR_FILENO) != 1) {
        return;
    }
    char bar[BAR + 1];
    for (int64_t i = 0; i < BAR; i++) {
        bar[i] = i < part * BAR / 1000 ? '#' : '.';
    }
    bar[BAR] = '\0';
    fprintf(stderr, "\r%zu of %zu %.24s: %s [%s] %3d %% ", train->current + 1, train->count,
            train->lessons[train->current].kernel, train->stage, bar, (int)(part / 10));
    fflush(stderr);
    train->shown = part;
}

static void clear_bar(struct train *train) {
    if (train->shown >= 0) {
        fprintf(stderr, "\r%79s\r", "");
        fflush(stderr);
    }
    train->shown = -1;
}

/* ---- input ---- */

static bool load_scenario(struct train *train) {
    const struct grt_train_options *options = &train->options;
    struct grt_learner_list learners;
    train->loaded = grt_scenario_read(options->scenario, &options->changes, &train->file, &train->errors);
    if (!train->loaded ||
        !grt_learners_find(&train->file.written, options->kernel, &train->arena, &learners, &train->errors)) {
        return false;
    }
    train->count = learners.count;
    train->lessons = grt_arena_array(&train->arena, train->count, sizeof *train->lessons);
    for (size_t i = 0; i < train->count; i++) {
        train->lessons[i] =
            (struct lesson){.kernel = grt_learner_application(&learners.items[i])->kernel->name,
                            .learner = &learners.items[i],
                            .training.count = (size_t)options->samples,
                            .testing.count = (size_t)options->test};
    }
    return true;
}

/* Which samples are for the test is drawn: files may be in any order. */
static void shuffle(struct grt_random *random, struct grt_samples *samples) {
    for (size_t i = samples->count; i > 1; i--) {
        size_t other = (size_t)grt_random_below(random, i);
        struct grt_sample kept = samples->items[i - 1];
        samples->items[i - 1] = samples->items[other];
        samples->items[other] = kept;
    }
}

static void add_measured(struct train *train, const struct grt_kernel_samples *measured) {
    const struct grt_train_options *options = &train->options;
    struct grt_random random = grt_random_stream(options->training.seed, "measured", 0, 0);
    struct grt_samples all = measured->samples;
    size_t test = options->test >= 0 ? (size_t)options->test : all.count / 4;
    if (test + GRT_TRAINING_LEAST_SAMPLES > all.count) {
        grt_error_add(
            &train->errors, NULL,
            "kernel \"%s\" has %zu samples: %zu for the test leave fewer than the %d that training needs",
            measured->kernel, all.count, test, GRT_TRAINING_LEAST_SAMPLES);
        return;
    }
    shuffle(&random, &all);
    train->lessons[train->count++] = (struct lesson){.kernel = measured->kernel,
                                                     .training = {all.items, all.count - test},
                                                     .testing = {all.items + all.count - test, test}};
}

static bool load_measured(struct train *train) {
    const struct grt_train_options *options = &train->options;
    struct grt_sample_file file;
    size_t size;
    char *text = grt_text_file_read(options->measured, &size, &train->errors);
    bool good = text != NULL && grt_samples_parse(text, size, &train->arena, &file, &train->errors);
    free(text);
    if (!good) {
        return false;
    }
    train->lessons = grt_arena_array(&train->arena, file.count, sizeof *train->lessons);
    for (size_t i = 0; i < file.count; i++) {
        if (options->kernel == NULL || strcmp(options->kernel, file.items[i].kernel) == 0) {
            add_measured(train, &file.items[i]);
        }
    }
    if (train->count == 0 && train->errors.count == 0) {
        grt_error_add(&train->errors, NULL, "has no samples of a kernel \"%s\"", options->kernel);
    }
    return train->errors.count == 0;
}

/* ---- training ---- */

static bool collect(struct train *train, struct lesson *lesson, struct grt_arena *arena) {
    size_t test = lesson->testing.count, training = lesson->training.count;
    struct grt_samples all = {.count = training + test};
    const struct grt_collection collection = {
        .seed = train->options.training.seed, .noise = train->options.noise, .tell = show, .context = train};
    all.items = grt_arena_array(arena, all.count, sizeof *all.items);
    train->stage = "samples ";
    if (!grt_collect(lesson->learner, &collection, 0, &all, &train->errors)) {
        return false;
    }
    lesson->training.items = all.items;
    lesson->testing.items = all.items + training;
    return true;
}

/* The mean time of one, in ns, of samples over and over. */
static double time_prediction(const struct grt_network *network, const struct grt_samples *samples) {
    size_t done = 0;
    double sum = 0, start = now();
    while (done < LEAST_PREDICTIONS) {
        for (size_t i = 0; i < samples->count; i++) {
            sum += grt_network_predict(network, samples->items[i].indicators, samples->items[i].share, NULL);
        }
        done += samples->count;
    }
    double passed = now() - start;
    return sum > 0 ? 1e9 * passed / (double)done : 0; /* which it is: else the loop could be left out */
}

static void compare(const struct lesson *lesson, struct grt_trained_kernel *kernel, struct grt_arena *arena) {
    const struct grt_samples *training = &lesson->training, *testing = &lesson->testing;
    struct grt_regression regression = grt_regression_fit(training);
    struct grt_neighbours neighbours = grt_neighbours_fit(training, GRT_TRAIN_NEIGHBOURS, arena);
    kernel->regression = grt_measure(grt_regression_predict, &regression, testing);
    kernel->neighbours = grt_measure(grt_neighbours_predict, &neighbours, testing);
}

static bool write_samples(struct train *train, const struct lesson *lesson, bool first) {
    const char *path = train->options.samples_out;
    size_t length = path != NULL ? strlen(path) : 0, size;
    bool lines = length > 6 && strcmp(path + length - 6, ".jsonl") == 0;
    const struct grt_kernel_samples all = {
        lesson->kernel, {lesson->training.items, lesson->training.count + lesson->testing.count}};
    if (train->samples_out == NULL) {
        return true;
    }
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    if (lines) {
        grt_samples_write_jsonl(out, &all);
    } else {
        if (first) {
            grt_samples_write_names(out);
        }
        grt_samples_write_csv(out, &all);
    }
    fclose(out);
    bool written = grt_output_write(train->samples_out, text, size);
    free(text);
    return written;
}

static bool train_kernel(struct train *train, struct lesson *lesson, struct grt_trained_kernel *kernel) {
    struct grt_arena scratch = {0};
    double start = now();
    bool good = lesson->learner == NULL || collect(train, lesson, &scratch);
    kernel->history.options = train->options.training;
    kernel->history.options.tell = show;
    kernel->history.options.context = train;
    train->stage = "training";
    double middle = now();
    good =
        good && grt_network_train(lesson->kernel, &lesson->training, &kernel->history.options, &train->arena,
                                  &kernel->network, &kernel->history.report, &train->errors);
    kernel->collecting = lesson->learner != NULL ? middle - start : 0;
    kernel->training = now() - middle;
    if (good) {
        kernel->history.report.test = grt_measure_network(&kernel->network, &lesson->testing);
        compare(lesson, kernel, &scratch);
        kernel->prediction = time_prediction(&kernel->network, &lesson->training);
        write_samples(train, lesson, lesson == train->lessons);
    }
    grt_arena_clear(&scratch);
    return good;
}

static bool train_all(struct train *train) {
    train->kernels = grt_arena_array(&train->arena, train->count, sizeof *train->kernels);
    for (train->current = 0; train->current < train->count; train->current++) {
        if (!train_kernel(train, &train->lessons[train->current], &train->kernels[train->current])) {
            return false;
        }
    }
    return true;
}

/* ---- output ---- */

static char *networks_text(const struct train *train, size_t *size) {
    struct grt_arena arena = {0};
    struct grt_network *networks = grt_arena_array(&arena, train->count, sizeof *networks);
    struct grt_network_history *histories = grt_arena_array(&arena, train->count, sizeof *histories);
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    GRT_REQUIRE(out != NULL, "have more memory");
    for (size_t i = 0; i < train->count; i++) {
        networks[i] = train->kernels[i].network;
        histories[i] = train->kernels[i].history;
    }
    grt_networks_write(out, &(struct grt_networks){networks, train->count}, histories);
    fclose(out);
    grt_arena_clear(&arena);
    return text;
}

static enum grt_exit report(struct train *train) {
    const struct grt_train_options *options = &train->options;
    const struct grt_trained trained = {train->kernels, train->count};
    size_t size;
    char *text = networks_text(train, &size);
    grt_output_write(train->output, text, size);
    free(text);
    if (!options->quiet && !grt_is_standard_output(options->output) &&
        !grt_is_standard_output(options->json) && !grt_is_standard_output(options->samples_out)) {
        grt_train_report_tables(&trained, &options->style, stdout);
    }
    if (train->json != NULL) {
        text = grt_train_report_json(&trained);
        grt_output_write(train->json, text, strlen(text));
        grt_output_write(train->json, "\n", 1);
        free(text);
    }
    bool done = grt_output_finish(&train->samples_out, &train->errors);
    done = grt_output_finish(&train->json, &train->errors) && done;
    done = grt_output_finish(&train->output, &train->errors) && done;
    grt_print_errors(&train->errors, NULL);
    return done ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

static bool open_output(struct train *train, const char *path, struct grt_output **output) {
    *output = path != NULL ? grt_output_open(path, &train->errors) : NULL;
    return path == NULL || *output != NULL;
}

static enum grt_exit run(struct train *train) {
    const struct grt_train_options *options = &train->options;
    const char *input = options->scenario != NULL ? options->scenario : options->measured;
    if (!(options->scenario != NULL ? load_scenario(train) : load_measured(train))) {
        grt_print_errors(&train->errors, input);
        return GRT_EXIT_INPUT;
    }
    bool opened = open_output(train, options->output, &train->output);
    opened = open_output(train, options->json, &train->json) && opened;
    opened = open_output(train, options->samples_out, &train->samples_out) && opened;
    if (!opened) {
        grt_print_errors(&train->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    bool trained = train_all(train);
    clear_bar(train);
    if (!trained) {
        grt_print_errors(&train->errors, input);
        return GRT_EXIT_INPUT;
    }
    return report(train);
}

enum grt_exit grt_command_train(int argc, char **argv) {
    struct train train = {.options = grt_train_options_read(argc, argv), .shown = -1};
    enum grt_exit code = run(&train);
    grt_output_discard(train.output);
    grt_output_discard(train.json);
    grt_output_discard(train.samples_out);
    if (train.loaded) {
        grt_scenario_file_free(&train.file);
    }
    grt_errors_clear(&train.errors);
    grt_arena_clear(&train.arena);
    grt_train_options_free(&train.options);
    return code;
}
