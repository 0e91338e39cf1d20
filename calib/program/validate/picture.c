#include "calib/program/validate/picture.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/picture/svg.h"
#include "viz/scene/scene.h"

static bool make_timeline(const struct grt_trace_memory *trace, struct grt_timeline *timeline,
                          struct grt_errors *errors) {
    *timeline = (struct grt_timeline){0};
    return grt_timeline_sink.names(timeline, trace->names, trace->name_count) &&
           grt_timeline_sink.write(timeline, trace->records, trace->record_count) &&
           grt_timeline_sink.end(timeline) && grt_timeline_is_drawable(timeline, errors);
}

/* The row of that kind and name; NULL: there is none. */
static const struct grt_row *find_row(const struct grt_timeline *timeline, const struct grt_row *wanted) {
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        const struct grt_row *row = &timeline->rows[i];
        if (row->kind == wanted->kind && strcmp(row->name, wanted->name) == 0) {
            return row;
        }
    }
    return NULL;
}

static uint32_t pair_rows(const struct grt_timeline *measured, const struct grt_timeline *simulated,
                          struct grt_view_row *rows) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < measured->row_count; i++) {
        const struct grt_row *same = find_row(simulated, &measured->rows[i]);
        rows[count++] = (struct grt_view_row){.timeline = measured, .row = i, .mark = "measured"};
        if (same != NULL) {
            rows[count++] = (struct grt_view_row){.timeline = simulated,
                                                  .row = (uint32_t)(same - simulated->rows),
                                                  .mark = "simulated",
                                                  .run = 1};
        }
    }
    return count;
}

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), least = strlen(ending);
    return length > least && strcmp(path + length - least, ending) == 0;
}

/* What it is follows from the file's name. */
static bool write_picture(const struct grt_picture *drawn, const char *path, grt_colour background,
                          struct grt_errors *errors) {
    if (ends_in(path, ".png")) {
        return grt_paint_png(drawn, path, 1, background, errors);
    }
    if (ends_in(path, ".pdf")) {
        struct grt_pdf pdf = {.width_mm = GRT_PICTURE_PAPER_MM, .background = background};
        return grt_paint_pdf(drawn, path, &pdf, errors);
    }
    struct grt_svg svg = {.title = "measured and simulated", .background = background};
    return grt_svg_write(drawn, path, &svg, errors);
}

static bool draw(const struct grt_validation_picture *picture, const struct grt_timeline *measured,
                 const struct grt_timeline *simulated, struct grt_errors *errors) {
    struct grt_view_row *rows = grt_allocate((2 * (size_t)measured->row_count + 1) * sizeof *rows);
    struct grt_view view = {
        .timeline = measured,
        .theme = grt_theme_find("light"),
        .from = picture->from,
        .to = picture->to != GRT_TIME_NEVER ? picture->to : measured->end + 1,
        .width = picture->width,
        .text_size = 13,
        .rows = rows,
        .row_count = pair_rows(measured, simulated, rows),
        .legend = true,
    };
    bool good = view.from < view.to;
    if (good) {
        struct grt_picture drawn = {0};
        grt_scene_draw(&view, &drawn);
        good = write_picture(&drawn, picture->path, view.theme->roles[GRT_ROLE_BACKGROUND], errors);
        grt_picture_free(&drawn);
    } else {
        grt_error_add(errors, NULL, "the picture's window is behind the end of the trace");
    }
    free(rows);
    return good;
}

bool grt_validation_draw(const struct grt_validation_picture *picture, struct grt_errors *errors) {
    struct grt_timeline measured, simulated;
    bool good = make_timeline(picture->measured, &measured, errors);
    good = make_timeline(picture->simulated, &simulated, errors) && good;
    good = good && draw(picture, &measured, &simulated, errors);
    grt_timeline_free(&measured);
    grt_timeline_free(&simulated);
    return good;
}
