/* The figure of an experiment of papers, as gpurt plot draws it from the CSV. */
#include <stdlib.h>

#include "cli/papers/papers.h"
#include "cli/terminal/output_file.h"
#include "sim/check.h"
#include "study/plot/picture.h"
#include "study/plot/script.h"
#include "study/results/results.h"

static char *draw(const struct grt_experiment *experiment, const char *csv, size_t csv_size, size_t *size,
                  struct grt_errors *errors) {
    struct grt_result_table table = {0};
    struct grt_figure figure = {0};
    const struct grt_plot_options options = {0};
    char *picture = NULL;
    if (grt_result_table_parse(csv, csv_size, &table, errors) &&
        grt_figure_make(&table, experiment, &options, &figure, errors)) {
        picture = grt_plot_draw(&figure, GRT_PLOT_SVG, size, errors);
    }
    grt_figure_free(&figure);
    grt_result_table_free(&table);
    return picture;
}

bool grt_papers_draw(const char *path, const struct grt_paper_found *found, struct grt_errors *errors) {
    char *csv = NULL;
    size_t csv_size = 0, size = 0;
    FILE *out = open_memstream(&csv, &csv_size);
    GRT_REQUIRE(out != NULL, "have more memory");
    grt_results_csv(found->results, out);
    fclose(out);
    char *picture = draw(found->experiment, csv, csv_size, &size, errors);
    free(csv);
    if (picture == NULL) {
        return false;
    }
    struct grt_output *output = grt_output_open(path, errors);
    if (output != NULL) {
        grt_output_write(output, picture, size);
    }
    free(picture);
    return output != NULL && grt_output_finish(&output, errors);
}
