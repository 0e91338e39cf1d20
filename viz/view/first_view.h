/* What the command line says about the first view. */
#ifndef GRT_VIZ_VIEW_FIRST_VIEW_H
#define GRT_VIZ_VIEW_FIRST_VIEW_H

#include <stdbool.h>

#include "sim/error.h"
#include "viz/view/options.h"
#include "viz/view/viewer.h"

/* Shows the run beside, the rows and the time that the options name. False after adding an error if there are none. */
bool view_show_first(struct viewer *viewer, const struct view_options *options, struct grt_errors *errors);

#endif
