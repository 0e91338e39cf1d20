#include "viz/scene/share_look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "viz/picture/text_width.h"
#include "viz/timeline/shares.h"

grt_colour scene_share_colour(const struct scene *scene) {
    return scene->theme->roles[GRT_ROLE_GRID_STRONG];
}

/* Where the line of a share is in a box. */
static double line_of(struct grt_box box, double part) {
    double top = box.bottom - (double)(int64_t)((box.bottom - box.top) * part + 0.5);
    return top > box.bottom - 1 ? box.bottom - 1 : top;
}

void scene_draw_share_step(const struct scene *scene, struct grt_box box, double part) {
    double top = line_of(box, part);
    grt_picture_rect(scene->picture, box.left, top, box.right, box.bottom, scene_share_colour(scene));
    grt_picture_rect(scene->picture, box.left, top, box.right, top + 1,
                     scene->theme->roles[GRT_ROLE_AXIS_TEXT]);
}

/* At the left end of what is in view, where the share begins; on the larger side of its line. */
static void write_share(const struct scene *scene, struct grt_box box, uint32_t share) {
    double size = 0.8 * scene->em, gap = 0.2 * scene->em;
    char text[24];
    snprintf(text, sizeof text, "%" PRIu32 " %%", share);
    double width = grt_text_width(GRT_FONT_PLAIN, size, text, strlen(text));
    struct grt_text_style style = {.colour = scene->theme->roles[GRT_ROLE_ROW_LABEL], .size = size};
    double line = line_of(box, (double)share / GRT_WHOLE_SHARE);
    if (line - box.top >= box.bottom - line) {
        box.bottom = line;
    } else {
        box.top = line + 1;
    }
    if (box.right - box.left >= width + 2 * gap && box.bottom - box.top >= size) {
        grt_picture_text(scene->picture, box.left + gap, grt_text_baseline(box.top, box.bottom, size), &style,
                         text, strlen(text));
    }
}

void scene_draw_share(const struct scene *scene, const struct scene_row *row, const struct scene_form *form,
                      const struct grt_slice *slice, double left, double right) {
    struct grt_box box = {left, form->top, right - left < 1 ? left + 1 : right, form->bottom};
    scene_draw_share_step(scene, box, (double)slice->detail / GRT_WHOLE_SHARE);
    if (!row->shown->folded) {
        box.left = box.left > scene->left ? box.left : scene->left;
        box.right = box.right < scene->right ? box.right : scene->right;
        write_share(scene, box, slice->detail);
    }
}
