/* What is simulated: the policy, which can be changed here, and what was changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/policy_names.h"
#include "viz/view/actions.h"
#include "viz/view/panel.h"

static const struct view_document *current(const struct viewer *viewer) {
    return &viewer->documents[view_current_run(viewer)];
}

/* Whether what is simulated is a plug-in's policy, none of gpurt's. */
static bool is_of_plugin(const struct viewer *viewer) {
    const char *used = current(viewer)->source.policy;
    bool is_own = used == NULL;
    for (uint32_t i = 0; !is_own && grt_scenario_policy_name(i) != NULL; i++) {
        is_own = strcmp(grt_scenario_policy_name(i), used) == 0;
    }
    return !is_own;
}

/* The policy of a line: that of a plug-in, where one is simulated, then all of gpurt's; NULL behind the last. */
static const char *name_of(const struct viewer *viewer, uint32_t number) {
    uint32_t before = is_of_plugin(viewer);
    return number < before ? current(viewer)->source.policy : grt_scenario_policy_name(number - before);
}

static uint32_t count(struct viewer *viewer) {
    uint32_t policies = 0;
    while (current(viewer)->source.is_scenario && name_of(viewer, policies) != NULL) {
        policies++;
    }
    return policies;
}

static void write_changes(const struct view_document *document, char *text, size_t size) {
    struct view_changes_sum sum = view_changes_sum(&document->changes);
    size_t used = (size_t)snprintf(text, size, "Changed: %s%s", sum.policy != NULL ? "policy=" : "",
                                   sum.policy != NULL ? sum.policy : "");
    for (size_t i = 0; i < sum.set_count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 || sum.policy != NULL ? ", " : "",
                                 sum.sets[i]);
    }
    free(sum.sets);
}

static void draw_head(struct viewer *viewer, const struct view_line *line) {
    const struct view_document *document = current(viewer);
    double em = view_em(viewer), top = line->box.top;
    char text[2 * VIEW_TEXT];
    snprintf(text, sizeof text, "%s%.400s",
             viewer->document_count < 2      ? ""
             : document == viewer->documents ? "A: "
                                             : "B: ",
             document->path);
    view_write_paragraph(viewer, line->left, line->right, top, 2, GRT_ROLE_ROW_LABEL, text);
    if (!document->source.is_scenario) {
        view_write_paragraph(
            viewer, line->left, line->right, top + 3.2 * em, 3, GRT_ROLE_MUTED_TEXT,
            "A trace: only a scenario can be simulated with another policy or other parameters.");
        return;
    }
    write_changes(document, text, sizeof text);
    bool changed = document->changes.count > 0;
    view_write_paragraph(viewer, line->left, line->right, top + 3.2 * em, 3,
                         changed ? GRT_ROLE_ROW_LABEL : GRT_ROLE_MUTED_TEXT,
                         changed ? text
                                 : "As in the file. E sets a parameter, Shift+E takes the last change back.");
    view_write_paragraph(viewer, line->left, line->right, top + 8 * em, 1, GRT_ROLE_MUTED_TEXT,
                         "Policies; a click simulates with another:");
}

static void draw_line(struct viewer *viewer, const struct view_line *line, uint32_t number) {
    const char *name = name_of(viewer, number), *used = current(viewer)->source.policy;
    bool is_used = used != NULL && strcmp(name, used) == 0;
    view_write_field(viewer, line, &(struct view_column){0.5, false}, 1, GRT_ROLE_ROW_LABEL,
                     is_used ? "\u2022" : "");
    view_write_field(viewer, line, &(struct view_column){2, false}, 30,
                     is_used ? GRT_ROLE_ROW_LABEL : GRT_ROLE_AXIS_TEXT, name);
}

/* A plug-in's is simulated already, with its parameters. */
static void activate(struct viewer *viewer, uint32_t number) {
    if (number > 0 || !is_of_plugin(viewer)) {
        view_take_policy(viewer, name_of(viewer, number));
    }
}

const struct view_panel_form view_panel_scenario = {
    .title = "Scenario",
    .width = 34,
    .head_height = 9.8,
    .line_height = 1.6,
    .count = count,
    .draw_head = draw_head,
    .draw_line = draw_line,
    .activate = activate,
};
