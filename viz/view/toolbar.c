/* The buttons above and the line below. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "viz/answers/explain.h"
#include "viz/answers/time_text.h"
#include "viz/view/internal.h"

static const struct {
    const char *text, *command;
    int64_t argument;
    enum view_panel panel; /* that the button opens and closes */
} buttons[] = {
    {"Keys", "help", 0, VIEW_PANEL_NONE},
    {"Fit", "fit", 0, VIEW_PANEL_NONE},
    {"\u2212", "zoom-out", 0, VIEW_PANEL_NONE},
    {"+", "zoom-in", 0, VIEW_PANEL_NONE},
    {"\u25c2 Miss", "previous-miss", 0, VIEW_PANEL_NONE},
    {"Miss \u25b8", "next-miss", 0, VIEW_PANEL_NONE},
    {"Search", "search", 0, VIEW_PANEL_NONE},
    {"Follow", "follow", 0, VIEW_PANEL_NONE},
    {"Misses", "panel", VIEW_PANEL_MISSES, VIEW_PANEL_MISSES},
    {"Statistics", "panel", VIEW_PANEL_STATISTICS, VIEW_PANEL_STATISTICS},
    {"Job", "panel", VIEW_PANEL_JOB, VIEW_PANEL_JOB},
    {"Differences", "panel", VIEW_PANEL_DIFFERENCES, VIEW_PANEL_DIFFERENCES},
    {"Scenario", "panel", VIEW_PANEL_SETTINGS, VIEW_PANEL_SETTINGS},
    {"Colours", "theme", 1, VIEW_PANEL_NONE},
};

static bool is_possible(const struct viewer *viewer, enum view_panel panel) {
    return panel != VIEW_PANEL_DIFFERENCES || viewer->document_count > 1;
}

void view_draw_toolbar(struct viewer *viewer) {
    const struct grt_box *area = &viewer->areas.toolbar;
    double em = view_em(viewer), x = area->left + 0.4 * em;
    view_fill(viewer, *area, GRT_ROLE_PANEL);
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        double width = view_text_width(viewer, buttons[i].text) + em;
        struct grt_box box = {x, area->top + 0.25 * em, x + width, area->bottom - 0.25 * em};
        if (!is_possible(viewer, buttons[i].panel) || box.right > area->right) {
            continue;
        }
        bool open = buttons[i].panel != VIEW_PANEL_NONE && viewer->panel == buttons[i].panel;
        struct view_words words = {.role = GRT_ROLE_BUTTON_TEXT, .anchor = GRT_ANCHOR_MIDDLE};
        view_fill(viewer, box, open ? GRT_ROLE_PANEL_EDGE : GRT_ROLE_BUTTON);
        view_frame(viewer, box, view_is_pointed_at(viewer, box) ? GRT_ROLE_FOCUS : GRT_ROLE_PANEL_EDGE, 1);
        view_write(viewer, x + width / 2, box.top, box.bottom, width, &words, buttons[i].text);
        view_add_hot(viewer, box, buttons[i].command, buttons[i].argument);
        x += width + 0.5 * em;
    }
}

/* ---- the line below ---- */

/* What is in view, and what is selected. */
static void write_span(const struct viewer *viewer, char *text, size_t size) {
    char shown[GRT_TIME_WORDS], selected[GRT_TIME_WORDS];
    grt_time selection = viewer->selection.to - viewer->selection.from;
    grt_time_words(viewer->view.to - viewer->view.from, shown);
    grt_time_words(selection, selected);
    snprintf(text, size, "%s%s%s in view", selection > 0 ? selected : "", selection > 0 ? " selected, " : "",
             shown);
}

/* The end of what is typed, where one types, if it is longer than its field. */
static const char *end_that_fits(const struct viewer *viewer, double room) {
    const char *text = viewer->prompt_text;
    while (*text != '\0' && view_text_width(viewer, text) > room) {
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80) {
            text++;
        }
    }
    return text;
}

static void draw_prompt(struct viewer *viewer, double left, double right) {
    const struct grt_box *area = &viewer->areas.status;
    double em = view_em(viewer);
    struct view_words label = {.role = GRT_ROLE_ROW_LABEL, .font = GRT_FONT_BOLD},
                      typed = {.role = GRT_ROLE_ROW_LABEL}, hint = {.role = GRT_ROLE_MUTED_TEXT};
    char text[VIEW_TEXT + 8];
    double x = left + view_write(viewer, left, area->top, area->bottom, right - left, &label,
                                 viewer->prompt->wanted);
    x += 0.6 * em;
    struct grt_box field = {x, area->top + 0.15 * em, right, area->bottom - 0.15 * em};
    view_fill(viewer, field, GRT_ROLE_BACKGROUND);
    view_frame(viewer, field, GRT_ROLE_FOCUS, 1);
    snprintf(text, sizeof text, "%s\u258f", end_that_fits(viewer, right - x - 2 * em));
    x += 0.4 * em + view_write(viewer, x + 0.4 * em, area->top, area->bottom, right - x - em, &typed, text);
    if (viewer->message[0] == '\0') {
        snprintf(text, sizeof text, "%s", viewer->prompt->example);
    } else {
        hint.role = viewer->message_is_error ? GRT_ROLE_MISS : GRT_ROLE_ROW_LABEL;
        snprintf(text, sizeof text, "%s", viewer->message);
    }
    view_write(viewer, x + em, area->top, area->bottom, right - x - 1.5 * em, &hint, text);
}

/* What is chosen; what a reader should know of the runs; which is which; or a hint. */
static void write_nothing_said(struct viewer *viewer, char *text, size_t size) {
    const char *notice = grt_painter_notice(viewer->painter);
    char a[VIEW_TEXT / 4], b[VIEW_TEXT / 4];
    uint32_t hidden = view_hidden_rows(viewer);
    if (grt_place_is_some(&viewer->chosen.place)) {
        grt_explain(view_timeline(viewer, viewer->chosen.run), viewer->chosen.place, text, size);
    } else if (view_write_notice(viewer, text, size)) {
        return;
    } else if (hidden > 0) {
        snprintf(text, size, "%" PRIu32 " row%s hidden or filtered away: Shift+H shows all", hidden,
                 hidden == 1 ? " is" : "s are");
    } else if (viewer->document_count > 1) {
        snprintf(text, size, "A: %s, B: %s", view_document_name(&viewer->documents[0], a, sizeof a),
                 view_document_name(&viewer->documents[1], b, sizeof b));
    } else {
        snprintf(text, size, "%s", notice != NULL ? notice : "? shows the keys");
    }
}

static void draw_message(struct viewer *viewer, double left, double right) {
    const struct grt_box *area = &viewer->areas.status;
    struct view_words words = {.role = viewer->message_is_error ? GRT_ROLE_MISS : GRT_ROLE_ROW_LABEL};
    char text[GRT_EXPLAIN_SIZE];
    snprintf(text, sizeof text, "%s", viewer->message);
    if (text[0] == '\0') {
        words.role = GRT_ROLE_MUTED_TEXT;
        write_nothing_said(viewer, text, sizeof text);
    }
    view_write(viewer, left, area->top, area->bottom, right - left, &words, text);
}

void view_draw_status(struct viewer *viewer) {
    const struct grt_box *area = &viewer->areas.status;
    double em = view_em(viewer), left = area->left + 0.6 * em, right = area->right - 0.6 * em;
    char span[2 * GRT_TIME_WORDS + 32];
    struct view_words words = {.role = GRT_ROLE_AXIS_TEXT, .anchor = GRT_ANCHOR_END};
    view_fill(viewer, *area, GRT_ROLE_PANEL);
    write_span(viewer, span, sizeof span);
    right -= view_write(viewer, right, area->top, area->bottom, right - left, &words, span) + em;
    if (viewer->prompt != NULL) {
        draw_prompt(viewer, left, right);
    } else {
        draw_message(viewer, left, right);
    }
}
