#include "calib/program/report/chart_file.h"

#include <stdlib.h>

#include "cli/terminal/output_file.h"
#include "cli/terminal/text_table.h"

const char *const grt_chart_endings[GRT_PLOT_FORMATS] = {
    [GRT_PLOT_SVG] = "svg", [GRT_PLOT_PDF] = "pdf", [GRT_PLOT_PNG] = "png"};

bool grt_chart_write(const char *folder, const char *name, const struct grt_chart *chart,
                     enum grt_plot_format format, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    size_t size = 0;
    char *bytes = grt_output_folder(folder, "draw pictures there", errors)
                      ? grt_chart_draw(chart, format, &size, errors)
                      : NULL;
    struct grt_output *output = NULL;
    if (bytes != NULL) {
        output =
            grt_output_open(grt_format(&arena, "%s/%s.%s", folder, name, grt_chart_endings[format]), errors);
        if (output != NULL) {
            grt_output_write(output, bytes, size);
        }
    }
    bool written = output != NULL && grt_output_finish(&output, errors);
    free(bytes);
    grt_arena_clear(&arena);
    return written;
}
