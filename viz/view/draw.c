/* Texts, boxes and what can be pressed, on top of the scene. */
#include <stdio.h>
#include <string.h>

#include "viz/picture/text_width.h"
#include "viz/view/internal.h"

double view_write(struct viewer *viewer, double x, double top, double bottom, double room,
                  const struct view_words *words, const char *text) {
    char shown[GRT_PICTURE_TEXT];
    double size = (words->size > 0 ? words->size : 1) * view_em(viewer);
    size_t bytes = grt_text_shorten(words->font, size, text, strlen(text), room, GRT_TEXT_CUT_END, shown);
    struct grt_text_style style = {.colour = view_colour(viewer, words->role),
                                   .font = words->font,
                                   .anchor = words->anchor,
                                   .size = size};
    if (bytes > 0) {
        grt_picture_text(&viewer->top, x, grt_text_baseline(top, bottom, size), &style, shown, bytes);
    }
    return grt_text_width(words->font, size, shown, bytes);
}

char *view_instant_words(const struct viewer *viewer, grt_time instant, char text[GRT_TIME_WORDS]) {
    grt_time from = instant - viewer->view.origin;
    char words[GRT_TIME_WORDS];
    if (viewer->view.origin == 0) {
        return grt_instant_words(instant, text);
    }
    snprintf(text, GRT_TIME_WORDS, "%s%s", from < 0 ? "\u2212" : "+",
             grt_time_words(from < 0 ? -from : from, words));
    return text;
}

double view_text_width(const struct viewer *viewer, const char *text) {
    return grt_text_width(GRT_FONT_PLAIN, view_em(viewer), text, strlen(text));
}

void view_fill(struct viewer *viewer, struct grt_box box, enum grt_role role) {
    grt_picture_rect(&viewer->top, box.left, box.top, box.right, box.bottom, view_colour(viewer, role));
}

void view_frame(struct viewer *viewer, struct grt_box box, enum grt_role role, double width) {
    view_fill(viewer, (struct grt_box){box.left - width, box.top - width, box.right + width, box.top}, role);
    view_fill(viewer, (struct grt_box){box.left - width, box.bottom, box.right + width, box.bottom + width},
              role);
    view_fill(viewer, (struct grt_box){box.left - width, box.top, box.left, box.bottom}, role);
    view_fill(viewer, (struct grt_box){box.right, box.top, box.right + width, box.bottom}, role);
}

void view_add_hot(struct viewer *viewer, struct grt_box box, const char *command, int64_t argument) {
    if (viewer->hot_count < VIEW_HOT) {
        viewer->hot[viewer->hot_count++] =
            (struct view_hot){box, view_command_find(command, strlen(command)), argument};
    }
}

bool view_is_in(const struct grt_box *box, double x, double y) {
    return x >= box->left && x < box->right && y >= box->top && y < box->bottom;
}

bool view_is_pointed_at(const struct viewer *viewer, struct grt_box box) {
    return view_is_in(&box, viewer->x, viewer->y) && viewer->drag == VIEW_DRAG_NONE;
}
