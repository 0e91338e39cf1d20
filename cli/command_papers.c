#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/papers/papers.h"
#include "cli/terminal/change_options.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/terminal/shown_line.h"
#include "cli/terminal/text_table.h"
#include "scenarios/spelling.h"
#include "study/plot/columns.h"

/* A text that grows. */
struct growing {
    char *text;
    size_t size;
    FILE *out;
};

static void begin(struct growing *growing) {
    growing->out = open_memstream(&growing->text, &growing->size);
}

static void end(struct growing *growing) {
    if (growing->out != NULL) {
        fclose(growing->out);
        growing->out = NULL;
    }
}

static void drop(struct growing *growing) {
    end(growing);
    free(growing->text);
    *growing = (struct growing){0};
}

/* What all the experiments of a call add to. */
struct papers {
    const struct grt_papers_command *command;
    struct grt_library library;
    struct growing rows, sections; /* of the page */
    struct grt_arena arena;        /* of the names of pictures: */
    struct grt_plot_values pictures;
    cJSON *json;
    struct grt_papers_sum sum;
    struct grt_output *json_file, *page_file; /* open, or NULL */
};

/* ---- choosing ---- */

static bool is_named(const struct grt_papers_command *command, const struct grt_library_item *item,
                     const char *experiment, bool *used) {
    bool named = command->name_count == 0;
    for (uint32_t i = 0; i < command->name_count; i++) {
        const char *name = command->names[i];
        if (strcmp(name, experiment) == 0 || strcmp(name, item->paper) == 0) {
            named = used[i] = true;
        }
    }
    return named;
}

/* The names that are neither experiments nor papers; true if there are none. */
static bool check_names(const struct papers *papers, const bool *used, const struct grt_plot_values *known) {
    bool good = true;
    for (uint32_t i = 0; i < papers->command->name_count; i++) {
        if (used[i]) {
            continue;
        }
        const char *name = papers->command->names[i];
        struct grt_guess guess = grt_guess_start(name);
        for (size_t j = 0; j < known->count; j++) {
            grt_guess_try(&guess, known->texts[j]);
        }
        char suggestion[GRT_GUESS_TEXT_SIZE];
        grt_shown_line("gpurt: there is no experiment or paper \"%s\"%s; gpurt papers --list has all", name,
                       grt_guess_text(&guess, suggestion));
        good = false;
    }
    return good;
}

/* ---- running one ---- */

struct progress {
    const char *name;
    bool shown;
};

static bool show_progress(void *state, const struct grt_sweep_progress *done) {
    struct progress *progress = state;
    if (isatty(STDERR_FILENO) == 1 && done->total > 0) {
        fprintf(stderr, "\r%s: %3.0f %%", progress->name, 100.0 * (double)done->done / (double)done->total);
        fflush(stderr);
        progress->shown = true;
    }
    return true;
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool sweep(const struct papers *papers, const struct grt_experiment *experiment,
                  struct grt_results *results, struct grt_errors *errors) {
    struct grt_study *study = grt_study_create(experiment, errors);
    if (study == NULL) {
        return false;
    }
    struct progress progress = {.name = experiment->name};
    const struct grt_sweep_options options = {
        .threads = papers->command->threads, .go_on = show_progress, .state = &progress};
    bool done = grt_sweep_run(study, &options, results, errors);
    if (progress.shown) {
        fputs("\r\x1b[K", stderr);
    }
    grt_study_free(study);
    return done;
}

static void compare(struct grt_paper_found *found, struct grt_arena *arena) {
    const struct grt_experiment *experiment = found->experiment;
    struct grt_compared *values = grt_arena_array(arena, experiment->published_count + 1, sizeof *values);
    struct grt_claim_found *claims = grt_arena_array(arena, experiment->claim_count + 1, sizeof *claims);
    for (size_t i = 0; i < experiment->published_count; i++) {
        values[i] = grt_compare_published(found->results, &experiment->published[i]);
    }
    for (size_t i = 0; i < experiment->claim_count; i++) {
        claims[i] = grt_compare_claim(found->results, &experiment->claims[i]);
    }
    found->values = values;
    found->claims = claims;
}

/* The pictures' folder as a page sees it that stands in its own. */
static const char *folder_from_page(const struct grt_papers_command *command) {
    const char *slash = command->markdown != NULL ? strrchr(command->markdown, '/') : NULL;
    size_t size = slash != NULL ? (size_t)(slash - command->markdown) + 1 : 0;
    bool below = size > 0 && strncmp(command->markdown, command->pictures, size) == 0;
    return below ? command->pictures + size : command->pictures;
}

static void tell(struct papers *papers, const struct grt_paper_found *found) {
    const struct grt_papers_command *command = papers->command;
    if (!grt_is_standard_output(command->json) && !grt_is_standard_output(command->markdown)) {
        fputs(papers->sum.run > 0 ? "\n" : "", stdout);
        grt_papers_print(found, &command->style, stdout);
        fflush(stdout);
    }
    grt_papers_markdown_row(found, papers->rows.out);
    grt_papers_markdown_section(found, found->picture != NULL ? folder_from_page(command) : "",
                                papers->sections.out);
    cJSON_AddItemToArray(papers->json, grt_papers_json(found));
    grt_papers_count(&papers->sum, found);
}

/* A name of an experiment, which is good as a file's, as one that needs no quotes and no brackets in a link, either. */
static char *plain_name(struct grt_arena *arena, const char *name) {
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    char *plain = grt_arena_text(arena, name);
    for (char *at = plain; *at != '\0'; at++) {
        bool stays = ((unsigned char)*at & 0x80) != 0 || strchr(kept, *at) != NULL;
        *at = stays ? *at : '-';
    }
    return plain;
}

/* Names its picture. False after adding an error: another experiment's has that name. */
static bool name_picture(struct papers *papers, struct grt_paper_found *found, struct grt_errors *errors) {
    struct grt_plot_values *pictures = &papers->pictures;
    found->picture =
        grt_format(&papers->arena, "%s.svg", plain_name(&papers->arena, found->experiment->name));
    if (grt_plot_values_find(pictures, found->picture) < pictures->count) {
        grt_error_add(errors, NULL, "its picture would replace that of another experiment: both are %s",
                      found->picture);
        return false;
    }
    pictures->texts[pictures->count++] = found->picture;
    return true;
}

static bool run(struct papers *papers, struct grt_paper_found *found, struct grt_errors *errors) {
    const char *folder = papers->command->pictures;
    if (folder != NULL && !name_picture(papers, found, errors)) {
        return false;
    }
    struct grt_results results = {0};
    double start = seconds_now();
    if (!sweep(papers, found->experiment, &results, errors)) {
        return false;
    }
    struct grt_arena arena = {0};
    found->results = &results;
    found->seconds = seconds_now() - start;
    compare(found, &arena);
    bool done =
        folder == NULL || grt_papers_draw(grt_format(&arena, "%s/%s", folder, found->picture), found, errors);
    if (done) {
        tell(papers, found);
    }
    grt_arena_clear(&arena);
    grt_results_free(&results);
    return done;
}

/* ---- one after the other ---- */

/* Whether networks are trained thoroughly for it. */
static bool trains_in_full(const struct grt_experiment *experiment) {
    bool full = false;
    for (size_t i = 0; i < experiment->point_count; i++) {
        for (size_t j = 0; j < experiment->evaluation_count; j++) {
            full = full || experiment->points[i].evaluations[j].training == GRT_TRAIN_FULL;
        }
    }
    return full;
}

/* Runs it with as many samples as are wanted, but no more than it has. */
static bool run_as_wanted(struct papers *papers, const struct grt_library_item *item,
                          const struct grt_experiment *whole, struct grt_errors *errors) {
    const struct grt_papers_command *command = papers->command;
    struct grt_paper_found found = {.item = item, .experiment = whole, .full_samples = whole->samples};
    bool fewer = command->samples > 0 && command->samples < whole->samples;
    if (!fewer && !command->quick_training) {
        return run(papers, &found, errors);
    }
    const struct grt_experiment_changes changes = {
        .samples = fewer ? command->samples : 0, .quick_training = true, .names = &grt_change_option_names};
    struct grt_experiment changed;
    if (!grt_experiment_read(item->path, &changes, &changed, errors)) {
        return false;
    }
    found.experiment = &changed;
    found.quickly_trained = trains_in_full(whole);
    bool done = run(papers, &found, errors);
    grt_experiment_free(&changed);
    return done;
}

static void add_row(struct grt_table *table, const struct grt_library_item *item,
                    const struct grt_experiment *experiment) {
    enum { TITLE_CELLS = 60 };
    grt_table_add(table, "%s", grt_arena_text(table->arena, experiment->name));
    grt_table_add(table, "%s", item->paper[0] != '\0' ? item->paper : "-");
    const char *title = experiment->title != NULL ? experiment->title : "";
    grt_table_add(table, "%s", grt_table_cut(table->arena, grt_arena_text(table->arena, title), TITLE_CELLS));
    grt_table_add(table, "%zu", experiment->point_count);
    grt_table_add(table, "%" PRId64, experiment->samples);
    grt_table_add(table, "%zu", grt_papers_values(experiment, GRT_FROM_PAPER));
    grt_table_add(table, "%zu", grt_papers_values(experiment, GRT_FROM_RECALCULATION));
    grt_table_add(table, "%zu", experiment->claim_count);
}

static void add_known(struct grt_plot_values *known, struct grt_arena *arena, const char *name) {
    known->texts[known->count++] = grt_arena_text(arena, name);
}

/* Reads each of the library, and lists or runs those that are wanted. One that fails does not keep the others from running. */
static bool go_through(struct papers *papers, struct grt_table *table) {
    const struct grt_papers_command *command = papers->command;
    struct grt_arena *arena = table->arena;
    bool *used = grt_arena_array(arena, command->name_count + 1, sizeof *used);
    struct grt_plot_values known = {
        .texts = grt_arena_array(arena, (size_t)2 * papers->library.count, sizeof *known.texts)};
    size_t unread = 0;
    for (uint32_t i = 0; i < papers->library.count; i++) {
        const struct grt_library_item *item = &papers->library.items[i];
        const struct grt_experiment_changes none = {0};
        struct grt_errors errors = {0};
        struct grt_experiment experiment;
        bool good = grt_experiment_read(item->path, &none, &experiment, &errors);
        if (!good && !is_named(command, item, item->paper, used)) {
            grt_errors_clear(&errors); /* nobody asked for it, as far as can be told */
            unread++;
            continue;
        }
        if (good) {
            add_known(&known, arena, experiment.name);
            add_known(&known, arena, item->paper);
            bool wanted = is_named(command, item, experiment.name, used);
            if (wanted && command->list) {
                add_row(table, item, &experiment);
            } else if (wanted) {
                good = run_as_wanted(papers, item, &experiment, &errors);
            }
            grt_experiment_free(&experiment);
        }
        papers->sum.failed += !good;
        grt_print_errors(&errors, item->path);
    }
    bool named = check_names(papers, used, &known);
    if (!named && unread > 0) {
        fprintf(stderr, "gpurt: %zu file%s of the library could not be read: gpurt papers --list says why\n",
                unread, unread == 1 ? "" : "s");
    }
    return named;
}

static void print_list(struct grt_table *table, const struct grt_papers_command *command) {
    if (table->cell_count > 0) {
        grt_table_print(table, &command->style, stdout);
    }
}

static struct grt_table list_table(struct grt_arena *arena) {
    static const struct grt_table_column columns[] = {
        {"", "name", GRT_TEXT_LEFT, false},          {"", "paper", GRT_TEXT_LEFT, false},
        {"", "title", GRT_TEXT_LEFT, false},         {"", "points", GRT_TEXT_RIGHT, true},
        {"", "samples", GRT_TEXT_RIGHT, false},      {"", "published", GRT_TEXT_RIGHT, false},
        {"", "recalculated", GRT_TEXT_RIGHT, false}, {"", "claims", GRT_TEXT_RIGHT, false}};
    struct grt_table table = {.arena = arena};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        grt_table_add_column(&table, columns[i]);
    }
    return table;
}

/* ---- files ---- */

/* Before anything is run, which may take long. */
static bool open_files(struct papers *papers, struct grt_errors *errors) {
    const struct grt_papers_command *command = papers->command;
    bool good =
        command->pictures == NULL || grt_output_folder(command->pictures, "draw pictures there", errors);
    if (command->json != NULL) {
        papers->json_file = grt_output_open(command->json, errors);
        good = papers->json_file != NULL && good;
    }
    if (command->markdown != NULL) {
        papers->page_file = grt_output_open(command->markdown, errors);
        good = papers->page_file != NULL && good;
    }
    return good;
}

static void write_page(struct papers *papers) {
    struct growing page = {0};
    begin(&page);
    end(&papers->rows);
    end(&papers->sections);
    grt_papers_markdown_head(&papers->sum, page.out);
    fputs(papers->rows.text, page.out);
    fputs(papers->sections.text, page.out);
    end(&page);
    grt_output_write(papers->page_file, page.text, strlen(page.text));
    drop(&page);
}

static bool write_files(struct papers *papers, struct grt_errors *errors) {
    if (papers->json_file != NULL) {
        char *text = cJSON_Print(papers->json);
        grt_output_write(papers->json_file, text, strlen(text));
        grt_output_write(papers->json_file, "\n", 1);
        free(text);
    }
    if (papers->page_file != NULL) {
        write_page(papers);
    }
    bool written = grt_output_finish(&papers->json_file, errors);
    return grt_output_finish(&papers->page_file, errors) && written;
}

static enum grt_exit run_papers(struct papers *papers, struct grt_errors *errors) {
    const struct grt_papers_command *command = papers->command;
    struct grt_arena arena = {0};
    if (!open_files(papers, errors)) {
        return GRT_EXIT_FAILED;
    }
    struct grt_table table = list_table(&arena);
    bool named = go_through(papers, &table);
    if (command->list) {
        print_list(&table, command);
    }
    grt_table_free(&table);
    grt_arena_clear(&arena);
    /* A page without some of its experiments would pass for a whole one. */
    bool written = papers->sum.failed > 0 || !named || write_files(papers, errors);
    return !named ? GRT_EXIT_INPUT : papers->sum.failed > 0 || !written ? GRT_EXIT_FAILED : GRT_EXIT_DONE;
}

enum grt_exit grt_command_papers(int argc, char **argv) {
    struct grt_papers_command command = {0};
    grt_papers_options_read(&command, argc, argv);
    struct grt_errors errors = {0};
    struct papers papers = {.command = &command, .sum = {.command = &command}};
    enum grt_exit code = GRT_EXIT_INPUT;
    if (grt_library_open(command.library, &papers.library, &errors)) {
        papers.json = cJSON_CreateArray();
        papers.pictures.texts =
            grt_arena_array(&papers.arena, papers.library.count, sizeof *papers.pictures.texts);
        begin(&papers.rows);
        begin(&papers.sections);
        code = run_papers(&papers, &errors);
        grt_output_discard(papers.json_file);
        grt_output_discard(papers.page_file);
        cJSON_Delete(papers.json);
        drop(&papers.rows);
        drop(&papers.sections);
        grt_arena_clear(&papers.arena);
        grt_library_free(&papers.library);
    }
    grt_print_errors(&errors, NULL);
    grt_papers_options_free(&command);
    return code;
}
