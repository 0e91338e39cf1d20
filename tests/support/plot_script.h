/* A figure's script as a text. */
#ifndef GRT_TESTS_SUPPORT_PLOT_SCRIPT_H
#define GRT_TESTS_SUPPORT_PLOT_SCRIPT_H

#include <stdio.h>

#include "study/plot/script.h"
#include "tests/support/cunit.h"

/* For SVG; to be freed. */
static inline char *script_of(const struct grt_figure *figure) {
    char *script = NULL;
    size_t size = 0;
    struct grt_errors errors = {0};
    FILE *out = open_memstream(&script, &size);
    CU_ASSERT_TRUE(grt_plot_script(figure, GRT_PLOT_SVG, out, &errors));
    fclose(out);
    return script;
}

#endif
