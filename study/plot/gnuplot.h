/* Has gnuplot draw a script, as a process of its own. */
#ifndef GRT_STUDY_PLOT_GNUPLOT_H
#define GRT_STUDY_PLOT_GNUPLOT_H

#include <stddef.h>

#include "sim/error.h"

/* Runs "gnuplot -d" from PATH, which sees the script as its standard input and no settings of the user's, and returns what it writes to its standard output, to be
 * freed with free; *size: how many bytes. Dates of creation in PDF are set to 1970, so that the same script gives the same bytes. NULL after
 * adding an error: gnuplot is not there, says that something is wrong, writes nothing, is killed, or takes longer than `seconds`, after which it is
 * killed. */
char *grt_gnuplot_draw(const char *script, size_t script_size, int seconds, size_t *size,
                       struct grt_errors *errors);

#endif
