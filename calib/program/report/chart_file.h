/* Pictures as files. */
#ifndef GRT_CALIB_PROGRAM_REPORT_CHART_FILE_H
#define GRT_CALIB_PROGRAM_REPORT_CHART_FILE_H

#include "calib/program/report/chart.h"

/* What names of such files end in: "svg". */
extern const char *const grt_chart_endings[GRT_PLOT_FORMATS];

/* Draws into the file FOLDER/NAME.svg, .pdf or .png; the folder is made where it is not there. False after adding an error. */
bool grt_chart_write(const char *folder, const char *name, const struct grt_chart *chart,
                     enum grt_plot_format format, struct grt_errors *errors);

#endif
