#include "viz/view/panel.h"

#include <string.h>

#include "viz/picture/text_utf8.h"
#include "viz/picture/text_width.h"
#include "viz/view/actions.h"

static const struct view_panel_form *const forms[VIEW_PANELS] = {
    [VIEW_PANEL_MISSES] = &view_panel_misses,     [VIEW_PANEL_STATISTICS] = &view_panel_statistics,
    [VIEW_PANEL_JOB] = &view_panel_job,           [VIEW_PANEL_DIFFERENCES] = &view_panel_differences,
    [VIEW_PANEL_SETTINGS] = &view_panel_scenario,
};

static const double title_height = 2.2, margin = 0.8, least_scale = 0.45;

double view_panel_width(const struct viewer *viewer) {
    return viewer->panel == VIEW_PANEL_NONE ? 0 : forms[viewer->panel]->width * view_em(viewer);
}

/* How much smaller the fields of a table are where the window is too narrow for it. */
static double table_scale(const struct viewer *viewer, const struct view_line *line) {
    double wanted = (forms[viewer->panel]->width - 2 * margin) * view_em(viewer);
    double scale = (line->right - line->left) / wanted;
    return scale < least_scale ? least_scale : scale < 1 ? scale : 1;
}

void view_write_field(struct viewer *viewer, const struct view_line *line, const struct view_column *column,
                      double width, enum grt_role role, const char *text) {
    double scale = table_scale(viewer, line), em = scale * view_em(viewer);
    struct view_words words = {
        .role = role, .anchor = column->is_number ? GRT_ANCHOR_END : GRT_ANCHOR_START, .size = scale};
    double x = line->left + column->at * em, room = width * em;
    double left = line->right - x < room && !column->is_number ? line->right - x : room;
    view_write(viewer, x, line->box.top, line->box.bottom, left, &words, text);
}

/* A number and its unit stay on one line. */
static bool is_unit(const char *word) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t length = strcspn(word, " .,;:)");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (length == strlen(units[i]) && strncmp(word, units[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* The length of what fits into a line, up to a blank if there is one; at least one character. */
static size_t line_length(const struct viewer *viewer, const char *text, double room) {
    size_t fits = 0, at = 0;
    while (text[at] != '\0') {
        size_t word = at + strspn(text + at, " ");
        word += strcspn(text + word, " ");
        if (text[word] == ' ' && is_unit(text + word + 1)) {
            word += 1 + strcspn(text + word + 1, " ");
        }
        if (grt_text_width(GRT_FONT_PLAIN, view_em(viewer), text, word) > room) {
            break;
        }
        fits = at = word;
    }
    return fits > 0 ? fits : strlen(text);
}

uint32_t view_paragraph_lines(const struct viewer *viewer, double room, const char *text) {
    uint32_t lines = 0;
    for (; *text != '\0'; lines++) {
        size_t length = line_length(viewer, text, room);
        text += length + strspn(text + length, " ");
    }
    return lines;
}

uint32_t view_write_paragraph(struct viewer *viewer, double left, double right, double top, uint32_t lines,
                              enum grt_role role, const char *text) {
    double height = 1.4 * view_em(viewer);
    struct view_words words = {.role = role};
    uint32_t line = 0;
    for (; line < lines && *text != '\0'; line++) {
        char part[VIEW_TEXT * 2];
        size_t length = line + 1 == lines ? strlen(text) : line_length(viewer, text, right - left);
        length = length < sizeof part ? length : sizeof part - 1;
        memcpy(part, text, length);
        part[length] = '\0';
        view_write(viewer, left, top + line * height, top + (line + 1) * height, right - left, &words, part);
        text += length + strspn(text + length, " ");
    }
    return line;
}

/* ---- the list ---- */

/* Edges of the part with the lines. */
static struct grt_box list_area(const struct viewer *viewer) {
    struct grt_box area = viewer->areas.panel;
    area.top += title_height * view_em(viewer) + viewer->panel_head;
    return area;
}

static double line_height(const struct viewer *viewer) {
    return (double)(int64_t)(forms[viewer->panel]->line_height * view_em(viewer));
}

static void draw_lines(struct viewer *viewer, uint32_t count) {
    const struct view_panel_form *form = forms[viewer->panel];
    struct grt_box area = list_area(viewer);
    double height = line_height(viewer), em = view_em(viewer),
           limit = count * height - (area.bottom - area.top);
    limit = limit > 0 ? limit : 0; /* there may be fewer lines than when it was scrolled */
    viewer->panel_scroll = viewer->panel_scroll < limit ? viewer->panel_scroll : limit;
    uint32_t first = (uint32_t)(viewer->panel_scroll / height);
    grt_picture_clip(&viewer->top, area);
    for (uint32_t i = first; i < count; i++) {
        double top = area.top - viewer->panel_scroll + i * height;
        struct view_line line = {{area.left, top, area.right, top + height},
                                 area.left + margin * em,
                                 area.right - margin * em,
                                 false};
        if (top >= area.bottom) {
            break;
        }
        struct grt_box visible = line.box;
        visible.top = visible.top < area.top ? area.top : visible.top;
        visible.bottom = visible.bottom > area.bottom ? area.bottom : visible.bottom;
        bool pointed = form->activate != NULL && view_is_pointed_at(viewer, visible);
        line.chosen =
            pointed || (viewer->panel_has_keys && form->activate != NULL && viewer->panel_line == i);
        if (line.chosen) {
            view_fill(viewer, line.box, GRT_ROLE_SELECTION);
        }
        form->draw_line(viewer, &line, i);
        if (form->activate != NULL) {
            view_add_hot(viewer, visible, "panel-choose", i);
        }
    }
    grt_picture_unclip(&viewer->top);
    viewer->panel_content = count * height + (area.top - viewer->areas.panel.top);
}

void view_draw_panel(struct viewer *viewer) {
    if (viewer->panel == VIEW_PANEL_NONE) {
        return;
    }
    const struct view_panel_form *form = forms[viewer->panel];
    const struct grt_box *area = &viewer->areas.panel;
    double em = view_em(viewer), head = area->top + title_height * em;
    struct view_words title = {.role = GRT_ROLE_ROW_LABEL, .font = GRT_FONT_BOLD};
    struct view_line line = {{area->left, head, area->right, head + form->head_height * em},
                             area->left + margin * em,
                             area->right - margin * em,
                             false};
    view_fill(viewer, *area, GRT_ROLE_PANEL);
    view_fill(viewer, (struct grt_box){area->left, area->top, area->left + 1, area->bottom},
              viewer->panel_has_keys ? GRT_ROLE_FOCUS : GRT_ROLE_PANEL_EDGE);
    grt_picture_clip(&viewer->top, *area);
    view_write(viewer, line.left, area->top, head, line.right - line.left, &title, form->title);
    viewer->panel_head = form->head_height * em;
    form->draw_head(viewer, &line);
    draw_lines(viewer, form->count(viewer));
    grt_picture_unclip(&viewer->top);
}

/* ---- the keyboard ---- */

/* Scrolls so that the chosen line is in the window. */
static void reveal_line(struct viewer *viewer) {
    struct grt_box area = list_area(viewer);
    double height = line_height(viewer), top = viewer->panel_line * height, room = area.bottom - area.top;
    if (top < viewer->panel_scroll) {
        viewer->panel_scroll = top;
    } else if (top + height > viewer->panel_scroll + room) {
        viewer->panel_scroll = top + height - room > 0 ? top + height - room : 0;
    }
    view_touch(viewer);
}

bool view_panel_key(struct viewer *viewer, int key, unsigned modifiers) {
    if (!viewer->panel_has_keys || viewer->panel == VIEW_PANEL_NONE || modifiers != 0 ||
        forms[viewer->panel]->activate == NULL) {
        return false;
    }
    uint32_t count = forms[viewer->panel]->count(viewer), page = 10;
    uint32_t line = viewer->panel_line;
    switch (key) {
    case VIEW_KEY_UP:
        line -= line > 0;
        break;
    case VIEW_KEY_DOWN:
        line++;
        break;
    case VIEW_KEY_PAGE_UP:
        line -= line < page ? line : page;
        break;
    case VIEW_KEY_PAGE_DOWN:
        line += page;
        break;
    case VIEW_KEY_HOME:
        line = 0;
        break;
    case VIEW_KEY_END:
        line = count;
        break;
    case VIEW_KEY_ENTER:
        view_panel_activate(viewer, line);
        return true;
    default:
        return false;
    }
    viewer->panel_line = line < count ? line : count > 0 ? count - 1 : 0;
    reveal_line(viewer);
    return true;
}

void view_panel_activate(struct viewer *viewer, int64_t line) {
    const struct view_panel_form *form = viewer->panel != VIEW_PANEL_NONE ? forms[viewer->panel] : NULL;
    if (form == NULL || form->activate == NULL || line < 0 || line >= form->count(viewer)) {
        view_fail(viewer, "there is no such line");
        return;
    }
    form->activate(viewer, (uint32_t)line);
    viewer->panel_line = (uint32_t)line;
    view_touch(viewer);
}
