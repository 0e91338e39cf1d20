/* Pictures as files. */
#ifndef GRT_CALIB_PROGRAM_REPORT_PICTURE_FILES_H
#define GRT_CALIB_PROGRAM_REPORT_PICTURE_FILES_H

#include "calib/program/report/picture.h"

/* Draws into the file FOLDER/NAME.svg, .pdf or .png; the folder is made where it is not there. False after adding an error. */
bool grt_picture_write(const char *folder, const char *name, const struct grt_picture *picture,
                       enum grt_plot_format format, struct grt_errors *errors);

#endif
