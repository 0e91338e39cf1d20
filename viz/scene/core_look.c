/* How the work of cores looks that is no computing of a job's own: busy-waiting, overhead, threads of the policy's own, priorities. */
#include "viz/scene/core_look.h"

#include <stdio.h>
#include <string.h>

#include "viz/picture/text_width.h"

grt_colour scene_mix(grt_colour colour, grt_colour over) {
    grt_colour mixed = 0xff;
    for (int shift = 8; shift < 32; shift += 8) {
        uint32_t share = ((colour >> shift & 0xff) + 3 * (over >> shift & 0xff) + 2) / 4;
        mixed |= share << shift;
    }
    return mixed;
}

static struct grt_fill plain(grt_colour colour) {
    return (struct grt_fill){.colour = colour, .text = grt_colour_of_text_on(colour)};
}

struct grt_fill scene_core_fill(const struct grt_theme *theme, enum grt_track_part part,
                                const struct grt_fill *own) {
    struct grt_fill fill = *own;
    switch (part) {
    case GRT_PART_SPIN:
        fill = plain(scene_mix(own->colour, theme->roles[GRT_ROLE_BACKGROUND]));
        fill.hatch = GRT_HATCH_DOWN;
        fill.hatch_colour = own->colour;
        break;
    case GRT_PART_OVERHEAD:
        fill = plain(theme->roles[GRT_ROLE_OVERHEAD]);
        break;
    case GRT_PART_BOOSTED:
        fill = plain(theme->roles[GRT_ROLE_BOOSTED]);
        break;
    default:
        break;
    }
    return fill;
}

void scene_draw_thread_mark(const struct scene *scene, struct grt_box box) {
    double height = scene->em / 4, room = (box.bottom - box.top) / 3;
    grt_picture_rect(scene->picture, box.left, box.top, box.right, box.top + (height < room ? height : room),
                     scene->theme->roles[GRT_ROLE_AXIS_TEXT]);
}

/* How much of a label is the name of the task, which its colour says: "tau_h " of "tau_h notified". */
static size_t named_length(const char *label, const struct grt_row *task) {
    size_t length = task != NULL ? strlen(task->name) : 0;
    return length > 0 && strncmp(label, task->name, length) == 0 && label[length] == ' ' ? length + 1 : 0;
}

void scene_core_label(const struct grt_timeline *timeline, const struct grt_slice *slice, char *text,
                      size_t size) {
    uint32_t label = grt_trace_label_of(slice->detail), thread = grt_trace_thread_of(slice->detail);
    const char *name = thread < timeline->thread_count ? timeline->threads[thread] : "";
    const char *what = label < timeline->label_count ? timeline->labels[label] : "";
    what += named_length(what, grt_timeline_row(timeline, GRT_ROW_TASK, slice->task));
    bool both = name[0] != '\0' && what[0] != '\0';
    snprintf(text, size, "%s%s%s%s", what, both ? " (" : "", name, both ? ")" : "");
}

bool scene_is_stacked(const struct grt_row *row) {
    uint32_t used = 0;
    for (uint32_t i = 0; row->kind == GRT_ROW_CORE && i < row->track_count; i++) {
        used += row->tracks[i].track->count > 0;
    }
    return used > 1;
}

static bool has_slices(const struct grt_row *row, enum grt_track_part part) {
    const struct grt_track *track = grt_row_track(row, part);
    return track != NULL && track->count > 0;
}

bool scene_has_part(const struct grt_view *view, enum grt_track_part part) {
    bool any = false;
    for (uint32_t i = 0; view->rows != NULL && i < view->row_count && !any; i++) {
        any = has_slices(scene_row_of(&view->rows[i]), part);
    }
    for (uint32_t i = 0; view->rows == NULL && i < view->timeline->row_count && !any; i++) {
        any = has_slices(&view->timeline->rows[i], part);
    }
    return any;
}

void scene_spin_label(const struct scene *scene, struct grt_box box, const char *task, char *text,
                      size_t size) {
    for (int i = 0; i < 2; i++) {
        snprintf(text, size, i == 0 ? "%s busy-waits" : "%s", task);
        if (1.5 * grt_text_width(GRT_FONT_PLAIN, scene->em, text, strlen(text)) <= box.right - box.left) {
            return;
        }
    }
    text[0] = '\0';
}
