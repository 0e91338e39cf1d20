/* Where in a row the parts of a timeline are drawn. */
#include "viz/scene/internal.h"
#include "viz/timeline/shares.h"

/* In shares of the row's height from the top. */
static const struct {
    float top, bottom;         /* in a row of a task */
    float own_top, own_bottom; /* in any other */
    enum scene_form_kind kind;
} forms[GRT_PARTS] = {
    [GRT_PART_JOB] = {0.34F, 0.94F, 0, 0, SCENE_FORM_GROUND},
    [GRT_PART_SUSPENDED] = {0.34F, 0.94F, 0, 0, SCENE_FORM_WAIT},
    [GRT_PART_BLOCKED] = {0.74F, 0.94F, 0, 0, SCENE_FORM_WAIT},
    [GRT_PART_CPU] = {0.34F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_HOST] = {0.78F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR}, /* below what the GPU does meanwhile */
    [GRT_PART_SPIN] = {0.78F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_OVERHEAD] = {0.78F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_THREAD] = {0, 0, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_BOOSTED] = {0.25F, 0.32F, 0, 0, SCENE_FORM_BAR},
    [GRT_PART_COPY] = {0.56F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_KERNEL] = {0.34F, 0.94F, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_CALL] = {0, 0, 0.7F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_SHARE] = {0, 0, 0.5F, 0.96F, SCENE_FORM_STEP},
    [GRT_PART_BLOCK] = {0, 0, 0.06F, 0.94F, SCENE_FORM_BAR},
    [GRT_PART_TURN] = {0, 0, 0.1F, 0.9F, SCENE_FORM_BAR},
    [GRT_PART_OWN] = {0, 0, 0.1F, 0.9F, SCENE_FORM_BAR},
};

enum { GAP_PIXELS = 3 };

/* What a stream executes stands above its shares, if it has any. */
static const double above_shares = 0.52;

struct scene_form scene_form_of(const struct grt_row *row, uint32_t track, double top, double bottom) {
    enum grt_track_part part = row->tracks[track].part;
    bool own = row->kind != GRT_ROW_TASK;
    double height = bottom - top;
    uint32_t lanes = part == GRT_PART_BLOCK   ? row->capacity
                     : part == GRT_PART_SHARE ? GRT_SHARE_LANES
                                              : 1,
             used = row->tracks[track].track->lane_count;
    height *= part != GRT_PART_SHARE && grt_row_has_shares(row) ? above_shares : 1;
    return (struct scene_form){
        .kind = forms[part].kind,
        .top = top + height * (double)(own ? forms[part].own_top : forms[part].top),
        .bottom = top + height * (double)(own ? forms[part].own_bottom : forms[part].bottom),
        .lanes = forms[part].kind == SCENE_FORM_GROUND ? 1
                 : used > lanes                        ? used
                                                       : lanes,
    };
}

struct grt_box scene_slice_box(const struct scene_form *form, const struct grt_slice *slice, double from,
                               double to, bool ends) {
    if (form->kind == SCENE_FORM_GROUND) { /* jobs lie over each other */
        return (struct grt_box){from, form->top, to - from < 1 ? from + 1 : to, form->bottom};
    }
    double lane = (form->bottom - form->top) / (double)form->lanes;
    struct grt_box box = {from, form->bottom - lane * (slice->lane + slice->weight), to,
                          form->bottom - lane * slice->lane};
    if (box.right - box.left >= GAP_PIXELS && ends) {
        box.right -= 1; /* so that equal neighbours stay apart */
    }
    if (form->lanes > 1 && box.bottom - box.top >= GAP_PIXELS) {
        box.bottom -= 1;
    }
    if (box.right - box.left < 1) {
        box.right = box.left + 1;
    }
    if (box.bottom - box.top < 1) {
        box.top = box.bottom - 1;
    }
    return box;
}
