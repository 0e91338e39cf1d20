#include "cli/sweep/absent_results.h"

#include <stdio.h>

#include "study/results/absent.h"

static void print(void *context, const char *sentence) {
    (void)context;
    fprintf(stderr, "gpurt: %s\n", sentence);
}

void grt_print_absent(const struct grt_results *results) {
    fflush(stdout); /* what was printed before stands before it */
    grt_results_absent(results, print, NULL);
}
