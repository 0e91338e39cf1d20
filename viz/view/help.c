/* The page of keys. */
#include <math.h>
#include <string.h>

#include "viz/view/internal.h"

static const double line_height = 1.45, key_width = 15.5, column_width = 44, margin = 1.5;

/* Where the next entry stands; columns follow each other. */
struct page {
    struct viewer *viewer;
    struct grt_box box;
    double left, top;
    double column, line, key; /* sizes in pixels */
};

static void write_entry(struct page *page, const char *head, const char *text, bool is_heading) {
    if (page->top + page->line > page->box.bottom) {
        page->top = page->box.top + page->line;
        page->left += page->column;
    }
    struct view_words strong = {.role = GRT_ROLE_ROW_LABEL, .font = GRT_FONT_BOLD},
                      key = {.role = GRT_ROLE_FOCUS}, plain = {.role = GRT_ROLE_ROW_LABEL};
    double size = page->line / line_height / view_em(page->viewer), bottom = page->top + page->line;
    strong.size = key.size = plain.size = size;
    view_write(page->viewer, page->left, page->top, bottom, page->key, is_heading ? &strong : &key, head);
    if (!is_heading) {
        view_write(page->viewer, page->left + page->key, page->top, bottom,
                   page->column - page->key - page->line / 2, &plain, text);
    }
    page->top = bottom;
}

/* As few columns as hold all; smaller where they do not fit. */
static struct page begin(struct viewer *viewer) {
    double em = view_em(viewer), entries = (double)(view_command_count + view_gesture_count + 2);
    double left = margin * em, right = viewer->width - margin * em, top = viewer->areas.toolbar.bottom;
    double bottom = viewer->areas.status.top - em / 2, scale = 1, columns = 1;
    for (; scale > 0.5; scale -= 0.05) {
        double lines = floor((bottom - top) / (line_height * em * scale)) - 2;
        columns = ceil(entries / (lines > 1 ? lines : 1));
        if (columns * column_width * em * scale <= right - left) {
            break;
        }
    }
    struct page page = {.viewer = viewer, .box = {left, top, right, bottom}, .left = left + em};
    page.line = line_height * em * scale;
    page.key = key_width * em * scale;
    page.column = (right - left - em) / columns;
    page.top = top + page.line;
    return page;
}

void view_draw_help(struct viewer *viewer) {
    if (!viewer->help) {
        return;
    }
    struct page page = begin(viewer);
    view_fill(viewer, page.box, GRT_ROLE_PANEL);
    view_frame(viewer, page.box, GRT_ROLE_FOCUS, 1);
    write_entry(&page, "Mouse", "", true);
    for (size_t i = 0; i < view_gesture_count; i++) {
        write_entry(&page, view_gestures[i].gesture, view_gestures[i].help, false);
    }
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        char keys[160];
        view_command_keys(command, keys, sizeof keys);
        if (command->name == NULL || keys[0] != '\0') {
            write_entry(&page, command->name != NULL ? keys : command->help, command->help,
                        command->name == NULL);
        }
    }
}
