/* What is pointed at, in a sentence or two, beside the pointer. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/answers/explain.h"
#include "viz/view/panel.h"

enum { LINES = 7 };

static const double width = 30, line_height = 1.4;

/* What it says, and that other slices share the pixel. */
static void write_text(const struct viewer *viewer, char *text, size_t size) {
    size_t used = grt_explain(view_timeline(viewer, viewer->hover.run), viewer->hover.place, text, size);
    if (viewer->hit.count > 1 && used < size) {
        snprintf(text + used, size - used, " The longest of %" PRIu32 " here.", viewer->hit.count);
    }
}

void view_draw_tooltip(struct viewer *viewer) {
    if (!grt_place_is_some(&viewer->hover.place) || viewer->drag != VIEW_DRAG_NONE) {
        return;
    }
    char text[GRT_EXPLAIN_SIZE + 64];
    double em = view_em(viewer), room = width * em, x = viewer->x + em, y = viewer->y + 1.5 * em;
    write_text(viewer, text, sizeof text);
    uint32_t lines = view_paragraph_lines(viewer, room, text);
    lines = lines < LINES ? lines : LINES;
    struct grt_box box = {x, y, x + room + em, y + lines * line_height * em + 0.8 * em};
    double right = box.right - viewer->areas.scene.right, below = box.bottom - viewer->areas.scene.bottom;
    box.left -= right > 0 ? right : 0;
    box.right -= right > 0 ? right : 0;
    if (below > 0) { /* above the pointer */
        double up = box.bottom - (viewer->y - 0.7 * em);
        box.top -= up;
        box.bottom -= up;
    }
    view_fill(viewer, box, GRT_ROLE_TOOLTIP);
    view_frame(viewer, box, GRT_ROLE_PANEL_EDGE, 1);
    view_write_paragraph(viewer, box.left + em / 2, box.right - em / 2, box.top + 0.4 * em, LINES,
                         GRT_ROLE_TOOLTIP_TEXT, text);
}
