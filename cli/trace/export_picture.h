/* Pictures of timelines, for `gpurt export`. */
#ifndef GRT_CLI_TRACE_EXPORT_PICTURE_H
#define GRT_CLI_TRACE_EXPORT_PICTURE_H

#include "cli/command.h"
#include "cli/trace/export_options.h"
#include "viz/timeline/timeline.h"

/* Draws the timeline as the command says and writes it in the command's format. Returns GRT_EXIT_DONE, or another code after
 * adding errors. */
enum grt_exit grt_export_draw(const struct grt_export_command *command, const struct grt_timeline *timeline,
                              struct grt_errors *errors);

bool grt_export_png(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors);
bool grt_export_svg(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors);
bool grt_export_pdf(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors);

#endif
