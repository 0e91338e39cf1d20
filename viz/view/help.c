/* The page of keys. */
#include <math.h>

#include "viz/view/internal.h"

static const double line_height = 1.45, key_width = 15, column_width = 44, margin = 1.5, least_scale = 0.75;

/* Entries stand in columns that follow each other; where the window is too small for all the page can be scrolled. */
struct page {
    struct viewer *viewer;
    struct grt_box box;
    double column, line, key, size; /* in pixels; size: of the text in ems */
    uint32_t lines, written;        /* lines of a column, entries so far */
};

static uint32_t entry_count(void) {
    return (uint32_t)(view_command_count + view_gesture_count + 1);
}

/* The largest text with which all is in the window, or the smallest that can be read. */
static struct page begin(struct viewer *viewer) {
    double em = view_em(viewer), left = margin * em, right = viewer->width - margin * em;
    struct page page = {
        .viewer = viewer,
        .box = {left, viewer->areas.toolbar.bottom, right, viewer->areas.status.top - em / 2}};
    double width = right - left - 2 * em, height = page.box.bottom - page.box.top - 2 * em, columns = 1;
    for (page.size = 1; page.size > least_scale; page.size -= 0.05) {
        columns = floor(width / (column_width * em * page.size));
        columns = columns > 1 ? columns : 1;
        if (columns * floor(height / (line_height * em * page.size)) >= entry_count()) {
            break;
        }
    }
    page.lines = (uint32_t)ceil(entry_count() / columns);
    page.line = line_height * em * page.size;
    page.key = key_width * em * page.size;
    page.column = width / columns;
    page.key = page.key < 0.4 * page.column ? page.key : 0.4 * page.column;
    return page;
}

static double scroll_limit(const struct page *page) {
    double beyond = page->lines * page->line + 2 * view_em(page->viewer) - (page->box.bottom - page->box.top);
    return beyond > 0 ? beyond : 0;
}

static void write_entry(struct page *page, const char *head, const char *text, bool is_heading) {
    double em = view_em(page->viewer);
    unsigned column = page->written / page->lines, line = page->written % page->lines;
    double left = page->box.left + em + column * page->column;
    double top = page->box.top + em + line * page->line - page->viewer->help_scroll;
    double bottom = top + page->line;
    struct view_words strong = {.role = GRT_ROLE_ROW_LABEL, .font = GRT_FONT_BOLD, .size = page->size},
                      key = {.role = GRT_ROLE_FOCUS, .size = page->size},
                      plain = {.role = GRT_ROLE_ROW_LABEL, .size = page->size};
    view_write(page->viewer, left, top, bottom, is_heading ? page->column : page->key - em / 2,
               is_heading ? &strong : &key, head);
    if (!is_heading) {
        view_write(page->viewer, left + page->key, top, bottom, page->column - page->key - em / 2, &plain,
                   text);
    }
    page->written++;
}

static void write_all(struct page *page) {
    write_entry(page, "Mouse", "", true);
    for (size_t i = 0; i < view_gesture_count; i++) {
        write_entry(page, view_gestures[i].gesture, view_gestures[i].help, false);
    }
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        char keys[160];
        view_command_keys(command, keys, sizeof keys);
        if (command->name == NULL || keys[0] != '\0') {
            write_entry(page, command->name != NULL ? keys : command->help, command->help,
                        command->name == NULL);
        }
    }
}

void view_draw_help(struct viewer *viewer) {
    if (!viewer->help) {
        return;
    }
    struct page page = begin(viewer);
    double limit = scroll_limit(&page), height = page.box.bottom - page.box.top,
           edge = 0.35 * view_em(viewer);
    viewer->help_scroll = viewer->help_scroll < limit ? viewer->help_scroll : limit;
    view_fill(viewer, page.box, GRT_ROLE_PANEL);
    grt_picture_clip(&viewer->top, page.box);
    write_all(&page);
    if (limit > 0) {
        double share = height / (height + limit), top = page.box.top + viewer->help_scroll * share;
        view_fill(viewer, (struct grt_box){page.box.right - edge, top, page.box.right, top + share * height},
                  GRT_ROLE_SUSPENDED);
    }
    grt_picture_unclip(&viewer->top);
    view_frame(viewer, page.box, GRT_ROLE_FOCUS, 1);
}

void view_scroll_help(struct viewer *viewer, double lines) {
    double to = viewer->help_scroll + lines * line_height * view_em(viewer);
    viewer->help_scroll = to > 0 ? to : 0; /* the limit is kept when it is drawn */
    view_touch(viewer);
}

bool view_help_key(struct viewer *viewer, int key) {
    if (!viewer->help) {
        return false;
    }
    switch (key) {
    case VIEW_KEY_UP:
        view_scroll_help(viewer, -1);
        return true;
    case VIEW_KEY_DOWN:
        view_scroll_help(viewer, 1);
        return true;
    case VIEW_KEY_PAGE_UP:
        view_scroll_help(viewer, -15);
        return true;
    case VIEW_KEY_PAGE_DOWN:
        view_scroll_help(viewer, 15);
        return true;
    default:
        return false;
    }
}
