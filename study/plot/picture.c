#include "study/plot/picture.h"

#include <stdlib.h>

#include "study/plot/gnuplot.h"
#include "study/plot/script.h"

enum { MOST_SECONDS = 60 }; /* a figure takes gnuplot a tenth of one */

char *grt_plot_draw(const struct grt_figure *figure, int format, size_t *size, struct grt_errors *errors) {
    char *script = NULL;
    size_t script_size = 0;
    FILE *out = open_memstream(&script, &script_size);
    bool written =
        grt_plot_script(figure, format < 0 ? GRT_PLOT_SVG : (enum grt_plot_format)format, out, errors);
    fclose(out);
    if (!written) {
        free(script);
        return NULL;
    }
    if (format < 0) {
        *size = script_size;
        return script;
    }
    char *picture = grt_gnuplot_draw(script, script_size, MOST_SECONDS, size, errors);
    free(script);
    return picture;
}
