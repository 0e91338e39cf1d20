/* Commands about rows. They hold for the row at the pointer, or, without one, for that of the keyboard. */
#include <stdio.h>
#include <string.h>

#include "viz/view/actions.h"
#include "viz/view/internal.h"

static const double height_step = 1.2, least_height = 0.4, most_height = 6;

/* Says so where there is none. */
static const struct grt_view_row *current_row(struct viewer *viewer) {
    uint32_t row = viewer->hit.shown < viewer->view.row_count ? viewer->hit.shown : viewer->cursor;
    const struct grt_box *scene = &viewer->areas.scene;
    double x = viewer->x - scene->left, y = viewer->y - scene->top;
    if (x >= 0 && x < viewer->layout.left && y >= 0 &&
        grt_layout_row_at(&viewer->layout, y) < viewer->view.row_count) {
        row = grt_layout_row_at(&viewer->layout, y); /* at a name */
    }
    if (row >= viewer->view.row_count) {
        view_say(viewer, "point at a row, or go to one with Up and Down");
        return NULL;
    }
    return &viewer->rows[row];
}

static struct view_row_state *current_state(struct viewer *viewer) {
    const struct grt_view_row *row = current_row(viewer);
    return row != NULL ? &viewer->states[row->run][row->row] : NULL;
}

void view_pin(struct viewer *viewer, int64_t unused) {
    struct view_row_state *state = current_state(viewer);
    (void)unused;
    if (state != NULL) {
        state->pinned = !state->pinned;
        view_arrange_rows(viewer);
    }
}

void view_hide(struct viewer *viewer, int64_t unused) {
    const struct grt_view_row *row = current_row(viewer);
    (void)unused;
    if (row != NULL) {
        const char *name = row->timeline->rows[row->row].name;
        viewer->states[row->run][row->row] = (struct view_row_state){.hidden = true};
        view_arrange_rows(viewer);
        view_say(viewer, "%s is hidden: Shift+H shows all rows again", name);
    }
}

void view_fold(struct viewer *viewer, int64_t unused) {
    struct view_row_state *state = current_state(viewer);
    (void)unused;
    if (state != NULL) {
        state->folded = !state->folded;
        view_arrange_rows(viewer);
    }
}

void view_fold_kind(struct viewer *viewer, int64_t unused) {
    const struct grt_view_row *row = current_row(viewer);
    (void)unused;
    if (row == NULL) {
        return;
    }
    bool folded = !viewer->states[row->run][row->row].folded;
    enum grt_row_kind kind = row->timeline->rows[row->row].kind;
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        const uint32_t *first = view_timeline(viewer, run)->first_rows + kind;
        for (uint32_t i = first[0]; i < first[1]; i++) {
            viewer->states[run][i].folded = folded;
        }
    }
    view_arrange_rows(viewer);
}

void view_show_all(struct viewer *viewer, int64_t unused) {
    (void)unused;
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        for (uint32_t i = 0; i < view_timeline(viewer, run)->row_count; i++) {
            viewer->states[run][i].hidden = false;
        }
    }
    grt_row_patterns_free(&viewer->filter);
    view_arrange_rows(viewer);
}

/* Whether a filter leaves any row. */
static bool leaves_rows(const struct viewer *viewer, const struct grt_row_patterns *patterns) {
    for (uint32_t run = 0; run < viewer->document_count; run++) {
        const struct grt_timeline *timeline = view_timeline(viewer, run);
        for (uint32_t i = 0; i < timeline->row_count; i++) {
            if (grt_row_patterns_show(patterns, timeline->rows[i].kind, timeline->rows[i].name)) {
                return true;
            }
        }
    }
    return false;
}

void view_take_filter(struct viewer *viewer, const char *text) {
    struct grt_row_patterns patterns = {0};
    struct grt_errors errors = {0};
    bool good = text[0] == '\0' || grt_row_patterns_add(&patterns, text, &errors);
    if (!good) {
        view_fail(viewer, "%s", errors.messages[0]);
    } else if (!leaves_rows(viewer, &patterns)) {
        view_fail(viewer, "no row is called so");
        good = false;
    }
    if (good) {
        grt_row_patterns_free(&viewer->filter);
        viewer->filter = patterns;
        view_arrange_rows(viewer);
        view_scroll_to(viewer, 0);
    } else {
        grt_row_patterns_free(&patterns);
    }
    grt_errors_clear(&errors);
}

void view_row_height(struct viewer *viewer, int64_t step) {
    double usual = viewer->view.row_scale > 0 ? viewer->view.row_scale : 1;
    double scale = usual * (step > 0 ? height_step : 1 / height_step);
    viewer->row_scale = scale < least_height ? least_height : scale > most_height ? most_height : scale;
    view_touch_scene(viewer);
}
