#include "cli/trace/export_picture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/picture/svg.h"
#include "viz/scene/scene.h"

enum { MOST_HEIGHT = 32767 };

static const struct grt_theme *theme_of(const struct grt_export_command *command) {
    bool paper = strcmp(command->format->name, "pdf") == 0;
    return command->theme != NULL ? command->theme : grt_theme_find(paper ? "print" : "light");
}

bool grt_export_png(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors) {
    return grt_paint_png(picture, command->output, 1, theme_of(command)->roles[GRT_ROLE_BACKGROUND], errors);
}

bool grt_export_svg(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors) {
    struct grt_svg svg = {.width_mm = command->width_mm,
                          .background = theme_of(command)->roles[GRT_ROLE_BACKGROUND]};
    return grt_svg_write(picture, command->output, &svg, errors);
}

bool grt_export_pdf(const struct grt_export_command *command, const struct grt_picture *picture,
                    struct grt_errors *errors) {
    struct grt_pdf pdf = {.width_mm = command->width_mm,
                          .background = theme_of(command)->roles[GRT_ROLE_BACKGROUND]};
    return grt_paint_pdf(picture, command->output, &pdf, errors);
}

/* Returns how many. */
static uint32_t choose_rows(const struct grt_export_command *command, const struct grt_timeline *timeline,
                            struct grt_view_row *rows) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        const struct grt_row *row = &timeline->rows[i];
        if (command->rows.count == 0 || grt_row_patterns_show(&command->rows, row->kind, row->name)) {
            rows[count++] = (struct grt_view_row){.timeline = timeline, .row = i};
        }
    }
    return count;
}

static enum grt_exit draw(const struct grt_export_command *command, const struct grt_view *view,
                          struct grt_errors *errors) {
    if (view->from > view->timeline->end) { /* what is at the end itself is in the picture */
        grt_error_add(errors, NULL, "--from is behind the end of the trace");
        return GRT_EXIT_INPUT;
    }
    double height = grt_scene_height(view);
    if (height > MOST_HEIGHT) {
        grt_error_add(errors, NULL,
                      "the picture would be %.0f pixels high, at most %d can be: choose rows with --rows%s",
                      height, MOST_HEIGHT, command->in_points ? "" : ", or a smaller --text-size");
        return GRT_EXIT_FAILED;
    }
    struct grt_picture picture = {0};
    grt_scene_draw(view, &picture);
    bool done = command->format->draw(command, &picture, errors);
    grt_picture_free(&picture);
    return done ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

enum grt_exit grt_export_draw(const struct grt_export_command *command, const struct grt_timeline *timeline,
                              struct grt_errors *errors) {
    if (command->format->binary && strcmp(command->output, "-") == 0 && isatty(STDOUT_FILENO)) {
        grt_error_add(errors, NULL, "%s is binary and is not written to a terminal: use --output FILE",
                      command->format->name);
        return GRT_EXIT_FAILED;
    }
    if (!grt_timeline_is_drawable(timeline, errors)) {
        return GRT_EXIT_INPUT;
    }
    struct grt_view_row *rows = grt_allocate((timeline->row_count + 1) * sizeof *rows);
    uint32_t row_count = choose_rows(command, timeline, rows);
    struct grt_view view = {
        .timeline = timeline,
        .theme = theme_of(command),
        .from = command->options.from,
        .to = command->options.to != GRT_TIME_NEVER ? command->options.to : timeline->end + 1,
        .width = command->width,
        .text_size = command->text_size,
        .rows = rows,
        .row_count = row_count,
        .legend = command->legend,
    };
    enum grt_exit code = draw(command, &view, errors);
    free(rows);
    return code;
}
