#include "tests/support/view_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cunit.h"
#include "viz/view/script.h"

enum { AROUND = 8 };

/* What no painted pixel is: those are opaque. */
static const uint32_t poison = 0x00c0ffee, guard = 0x5eadbeef;

/* ---- frames ---- */

/* A frame of the viewer's size with pixels around it that belong to nobody. */
static void make_frame(struct view_driver *driver) {
    int width = (int)driver->viewer->width, height = (int)driver->viewer->height;
    size_t stride = (size_t)width + 2 * AROUND, all = stride * ((size_t)height + 2 * AROUND);
    if (driver->memory == NULL || driver->frame.width != width || driver->frame.height != height) {
        free(driver->memory);
        driver->memory = malloc(all * sizeof *driver->memory);
        CU_ASSERT_FATAL(driver->memory != NULL);
    }
    for (size_t i = 0; i < all; i++) {
        driver->memory[i] = guard;
    }
    driver->frame =
        (struct grt_frame){driver->memory + AROUND * stride + AROUND, width, height, 4 * stride, 1};
    for (int y = 0; y < height; y++) {
        uint32_t *row = driver->frame.pixels + (size_t)y * stride;
        for (int x = 0; x < width; x++) {
            row[x] = poison;
        }
    }
}

/* The first pixel that is not painted although it should be, or the other way round; -1 if there is none. */
static int64_t wrong_pixel(const struct view_driver *driver) {
    int64_t stride = driver->frame.width + 2 * AROUND, all = stride * (driver->frame.height + 2 * AROUND);
    for (int64_t i = 0; i < all; i++) {
        int64_t x = i % stride - AROUND, y = i / stride - AROUND;
        bool inside = x >= 0 && x < driver->frame.width && y >= 0 && y < driver->frame.height;
        uint32_t pixel = driver->memory[i];
        if (inside ? pixel >> 24 != 0xff : pixel != guard) {
            printf("\n    pixel %d, %d of %d x %d is %08x\n", (int)x, (int)y, driver->frame.width,
                   driver->frame.height, (unsigned)pixel);
            return i;
        }
    }
    return -1;
}

static uint64_t hash_frame(const struct view_driver *driver) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int y = 0; y < driver->frame.height; y++) {
        const uint32_t *row = driver->frame.pixels + (size_t)y * (driver->frame.stride_bytes / 4);
        for (int x = 0; x < driver->frame.width; x++) {
            hash = (hash ^ row[x]) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

uint64_t view_paint(struct view_driver *driver) {
    make_frame(driver);
    viewer_paint(driver->viewer, &driver->frame);
    driver->frames++;
    CU_ASSERT_EQUAL(wrong_pixel(driver), -1);
    CU_ASSERT(!viewer_has_changed(driver->viewer));
    return hash_frame(driver);
}

static void paint_if_changed(struct view_driver *driver) {
    if (driver->paints && viewer_has_changed(driver->viewer)) {
        view_paint(driver);
    }
}

/* ---- life ---- */

void view_driver_open(struct view_driver *driver, const char *const *paths, size_t count,
                      const struct viewer_options *options) {
    static const struct viewer_options usual = {.width = 1000, .height = 600, .text_size = 13};
    struct grt_errors errors = {0};
    *driver = (struct view_driver){.paints = true};
    driver->viewer = viewer_create(paths, count, options != NULL ? options : &usual, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    grt_errors_clear(&errors);
    CU_ASSERT_FATAL(driver->viewer != NULL);
    view_paint(driver);
}

void view_driver_open_text(struct view_driver *driver, const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    view_driver_open(driver, &path, 1, NULL);
}

void view_driver_close(struct view_driver *driver) {
    viewer_free(driver->viewer);
    free(driver->memory);
    *driver = (struct view_driver){0};
}

/* ---- scripts ---- */

void view_driver_send(struct view_driver *driver, const struct view_input *input) {
    viewer_input(driver->viewer, input);
    paint_if_changed(driver);
}

static void send(void *state, const struct view_input *input) {
    view_driver_send(state, input);
}

static bool command(void *state, const char *text, struct grt_errors *errors) {
    struct view_driver *driver = state;
    bool done = viewer_command(driver->viewer, text, errors);
    paint_if_changed(driver);
    return done;
}

static bool screenshot(void *state, const char *path, struct grt_errors *errors) {
    struct view_driver *driver = state;
    view_paint(driver);
    return grt_paint_frame_png(&driver->frame, path, errors);
}

static void look(void *state, int ms) {
    struct view_driver *driver = state;
    (void)ms;
    viewer_look_at_files(driver->viewer);
    paint_if_changed(driver);
}

static const char *message(void *state) {
    struct view_driver *driver = state;
    return viewer_message(driver->viewer);
}

bool view_driver_play(struct view_driver *driver, const char *script) {
    struct view_script_player player = {driver, send, command, screenshot, look, message};
    struct grt_errors errors = {0};
    bool good = view_script_play(script, &player, &errors);
    snprintf(driver->error, sizeof driver->error, "%s", errors.count > 0 ? errors.messages[0] : "");
    CU_ASSERT_EQUAL(good, errors.count == 0);
    grt_errors_clear(&errors);
    return good;
}

void view_do(struct view_driver *driver, const char *script) {
    bool good = view_driver_play(driver, script);
    if (!good) {
        printf("\n    %s\n", driver->error);
    }
    CU_ASSERT(good);
    CU_ASSERT(view_is_sane(driver));
}

static void expect_part(const char *text, const char *part) {
    if (strstr(text, part) == NULL) {
        printf("\n    got:         %s\n    expected in: %s\n", text, part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(text, part));
}

void view_refuses(struct view_driver *driver, const char *script, const char *part) {
    CU_ASSERT_FALSE(view_driver_play(driver, script));
    expect_part(driver->error, part);
    CU_ASSERT(view_is_sane(driver));
}

void view_says(struct view_driver *driver, const char *part) {
    expect_part(viewer_message(driver->viewer), part);
}

/* ---- what is shown ---- */

static bool has_text(const struct grt_picture *picture, const char *part) {
    struct grt_shape shape;
    for (uint32_t at = 0; grt_picture_next(picture, &at, &shape);) {
        char text[GRT_PICTURE_TEXT + 1];
        if (shape.kind == GRT_SHAPE_TEXT) {
            memcpy(text, shape.text, shape.bytes);
            text[shape.bytes] = '\0';
            if (strstr(text, part) != NULL) {
                return true;
            }
        }
    }
    return false;
}

bool view_shows(struct view_driver *driver, const char *part) {
    if (viewer_has_changed(driver->viewer)) {
        view_paint(driver);
    }
    return has_text(&driver->viewer->scene, part) || has_text(&driver->viewer->top, part);
}

const char *view_line_behind(struct view_driver *driver, const char *first) {
    struct grt_shape shape;
    size_t used = 0;
    bool found = false;
    float y = 0;
    driver->line[0] = '\0';
    if (viewer_has_changed(driver->viewer)) {
        view_paint(driver);
    }
    for (uint32_t at = 0; grt_picture_next(&driver->viewer->top, &at, &shape);) {
        if (shape.kind == GRT_SHAPE_TEXT && found && shape.y == y && used < sizeof driver->line) {
            used += (size_t)snprintf(driver->line + used, sizeof driver->line - used, "|%.*s",
                                     (int)shape.bytes, shape.text);
        } else if (shape.kind == GRT_SHAPE_TEXT && !found && shape.bytes == strlen(first) &&
                   memcmp(shape.text, first, shape.bytes) == 0) {
            found = true;
            y = shape.y;
        }
    }
    return driver->line;
}

uint32_t view_shapes(struct view_driver *driver, enum grt_role role) {
    grt_colour colour = driver->viewer->view.theme->roles[role];
    struct grt_shape shape;
    uint32_t count = 0;
    view_paint(driver);
    for (uint32_t at = 0; grt_picture_next(&driver->viewer->scene, &at, &shape);) {
        count += shape.kind != GRT_SHAPE_TEXT && shape.colour == colour;
    }
    return count;
}

const char *view_row_name(const struct view_driver *driver, uint32_t shown) {
    const struct grt_view *view = &driver->viewer->view;
    return shown < view->row_count ? view->rows[shown].timeline->rows[view->rows[shown].row].name : "";
}

uint32_t view_row_called(const struct view_driver *driver, uint32_t run, const char *name) {
    for (uint32_t i = 0; i < driver->viewer->view.row_count; i++) {
        if (driver->viewer->view.rows[i].run == run && strcmp(view_row_name(driver, i), name) == 0) {
            return i;
        }
    }
    return GRT_NO_SHOWN_ROW;
}

double view_x(const struct view_driver *driver, grt_time instant) {
    return driver->viewer->areas.scene.left + grt_layout_x(&driver->viewer->layout, instant);
}

double view_y(const struct view_driver *driver, uint32_t shown) {
    struct grt_box box = {0, 0, 0, 0};
    CU_ASSERT(grt_layout_visible(&driver->viewer->layout, shown, &box));
    return driver->viewer->areas.scene.top + (box.top + box.bottom) / 2;
}

/* ---- what must hold at any time ---- */

static bool is_place(const struct viewer *viewer, const struct view_chosen *chosen) {
    if (chosen->place.row == GRT_NOWHERE) {
        return true;
    }
    if (chosen->run >= viewer->document_count ||
        chosen->place.row >= viewer->documents[chosen->run].timeline.row_count) {
        return false;
    }
    const struct grt_row *row = &viewer->documents[chosen->run].timeline.rows[chosen->place.row];
    return chosen->place.track < row->track_count &&
           chosen->place.number < row->tracks[chosen->place.track].track->count;
}

static bool are_marks_sorted(const struct viewer *viewer) {
    for (uint32_t i = 1; i < viewer->mark_count; i++) {
        if (viewer->marks[i] < viewer->marks[i - 1]) {
            return false;
        }
    }
    return viewer->mark_count <= VIEW_MARKS;
}

bool view_is_sane(const struct view_driver *driver) {
    const struct viewer *viewer = driver->viewer;
    struct view_span whole = view_whole(viewer);
    const struct {
        bool holds;
        const char *what;
    } laws[] = {
        {viewer->view.from < viewer->view.to, "the view has a length"},
        {viewer->view.from >= whole.from && viewer->view.to <= whole.to, "the view is in the run"},
        {viewer->cursor == GRT_NO_SHOWN_ROW || viewer->cursor < viewer->view.row_count,
         "the cursor is at a row"},
        {is_place(viewer, &viewer->chosen), "what is chosen is there"},
        {is_place(viewer, &viewer->hover), "what is pointed at is there"},
        {are_marks_sorted(viewer), "marks are in order"},
        {viewer->selection.from <= viewer->selection.to, "the selection is forward"},
        {viewer->past_at < viewer->past_count && viewer->past_count <= VIEW_HISTORY,
         "the history has a place"},
        {viewer->view.text_size >= VIEWER_LEAST_TEXT && viewer->view.text_size <= VIEWER_MOST_TEXT,
         "text can be read"},
        {viewer->view.scroll >= 0, "rows are not scrolled below their begin"},
        {viewer->panel >= VIEW_PANEL_NONE && viewer->panel < VIEW_PANELS, "the panel is one"},
        {viewer->measure < GRT_MEASURES, "the measure is one"},
        {memchr(viewer->message, 0, sizeof viewer->message) != NULL, "the message ends"},
        {memchr(viewer->prompt_text, 0, sizeof viewer->prompt_text) != NULL, "the prompt ends"},
    };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        if (!laws[i].holds) {
            printf("\n    it does not hold that %s\n", laws[i].what);
            return false;
        }
    }
    return true;
}
