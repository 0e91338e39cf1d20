/* The window: SDL's events become input, the viewer's frames are shown. All that gpurt asks of SDL is here. */
#ifndef GRT_VIZ_VIEW_WINDOW_H
#define GRT_VIZ_VIEW_WINDOW_H

#include "sim/error.h"
#include "viz/view/viewer.h"

/* Opens a window and shows the viewer until it is closed, or plays a script and ends. False after adding errors. */
bool view_window_show(struct viewer *viewer, int width, int height, const char *script,
                      struct grt_errors *errors);

/* Looks whether there is a display; `text_size` becomes the pixels per em that suit it, 0 where it does not tell. False after
 * adding an error if there is none. */
bool view_window_find_display(double *text_size, struct grt_errors *errors);

#endif
