/* The report of a calibration: a page in Markdown, with pictures in a folder. */
#ifndef GRT_CALIB_PROGRAM_REPORT_PAGE_H
#define GRT_CALIB_PROGRAM_REPORT_PAGE_H

#include <stdio.h>

#include "calib/fit/fit.h"
#include "calib/program/report/chart.h"

struct grt_page {
    const struct grt_fit *fit;
    FILE *out;
    const char *pictures; /* the folder; NULL: no pictures */
    const char *link;     /* the folder as the page sees it */
    enum grt_plot_format format;
    struct grt_arena *arena;
    struct grt_errors *errors;
    bool failed; /* a picture could not be drawn, or a file not be read; errors say which */

    const char *const *named; /* files that were made of this measurement, for the summary */
    size_t named_count;

    const char **files; /* pictures that were drawn, for the page itself */
    uint32_t file_count, file_capacity;
};

/* Writes all of it: a summary to sign, then for each experiment what was found, how, and what not; and the fingerprints of all pictures. */
void grt_page_write(struct grt_page *page);

/* What whoever signs has to know: the device, whether it was one, the clocks, what was measured, dropped, refused, doubtful, and which files belong to it. */
void grt_page_write_summary(struct grt_page *page);

/* The fingerprints of the pictures. */
void grt_page_write_files(struct grt_page *page);

/* Of the chapter on kernels side by side: for each way to share the SMs a matrix of workloads, then all pairs. */
void grt_page_write_slowdowns(struct grt_page *page);

/* The chapter on worst-case times. */
void grt_page_write_worst(struct grt_page *page);

/* Draws a picture, and puts it there. */
void grt_page_put_chart(struct grt_page *page, const struct grt_chart *chart);

#endif
