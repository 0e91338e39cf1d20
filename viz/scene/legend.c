/* The legend: which colour is which task, and what the signs mean. */
#include <string.h>

#include "viz/picture/text_width.h"
#include "viz/scene/core_look.h"
#include "viz/scene/internal.h"
#include "viz/scene/share_look.h"

static const double line_height = 1.6, box_width = 1.4, text_gap = 0.4, item_gap = 1.2;

/* An item in place, on a line of items that go on below when it is full. */
struct line {
    const struct grt_view *view;
    double x, top; /* of the next item, from the legend's upper left corner */
};

static double right_edge(const struct line *line) {
    return line->view->width - SCENE_MARGIN * line->view->text_size;
}

/* Makes room for an item with that text and stores where it begins. */
static void take_room(struct line *line, const char *text, double *x, double *top) {
    double em = line->view->text_size;
    double width = (box_width + text_gap) * em + grt_text_width(GRT_FONT_PLAIN, em, text, strlen(text));
    if (line->x > SCENE_MARGIN * em && line->x + width > right_edge(line)) {
        line->x = SCENE_MARGIN * em;
        line->top += line_height * em;
    }
    *x = line->x;
    *top = line->top;
    line->x += width + item_gap * em;
}

static void write_text(const struct scene *scene, double x, double top, const char *text) {
    struct grt_text_style style = {.colour = scene->theme->roles[GRT_ROLE_ROW_LABEL], .size = scene->em};
    char shown[GRT_PICTURE_TEXT];
    size_t bytes = grt_text_shorten(GRT_FONT_PLAIN, scene->em, text, strlen(text), scene->right - x,
                                    GRT_TEXT_CUT_END, shown);
    grt_picture_text(scene->picture, x, grt_text_baseline(top, top + line_height * scene->em, scene->em),
                     &style, shown, bytes);
}

/* ---- what stands beside the texts ---- */

static struct grt_box box_at(const struct scene *scene, double left, double top, double bottom) {
    return (struct grt_box){left, top, left + box_width * scene->em, bottom};
}

static void draw_fill(const struct scene *scene, double left, double top, double bottom, uint32_t key) {
    struct grt_fill fill = grt_theme_fill(scene->theme, key);
    struct grt_box box = box_at(scene, left, top, bottom);
    grt_picture_rect(scene->picture, box.left, box.top, box.right, box.bottom, fill.colour);
    if (fill.hatch != GRT_HATCH_NONE) {
        grt_picture_hatch(scene->picture, box, fill.hatch, 6, 1, fill.hatch_colour);
    }
}

static double middle_of(const struct scene *scene, double left) {
    return left + box_width * scene->em / 2;
}

static void draw_release(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_arrow(scene, middle_of(scene, left), bottom, top, scene->theme->roles[GRT_ROLE_RELEASE]);
}

static void draw_deadline(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_arrow(scene, middle_of(scene, left), top, bottom, scene->theme->roles[GRT_ROLE_DEADLINE]);
}

static void draw_completion(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_completion(scene, middle_of(scene, left), top, bottom, false);
}

static void draw_miss(const struct scene *scene, double left, double top, double bottom) {
    (void)bottom;
    scene_draw_miss(scene, middle_of(scene, left), top);
}

static void draw_suspended(const struct scene *scene, double left, double top, double bottom) {
    grt_picture_hatch(scene->picture, box_at(scene, left, top, bottom), GRT_HATCH_UP, 6, 1,
                      scene->theme->roles[GRT_ROLE_SUSPENDED]);
}

static void draw_blocked(const struct scene *scene, double left, double top, double bottom) {
    grt_picture_hatch(scene->picture, box_at(scene, left, (top + bottom) / 2, bottom), GRT_HATCH_CROSS, 4, 1,
                      scene->theme->roles[GRT_ROLE_BLOCKED]);
}

static void draw_preempted(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_edges(scene, box_at(scene, left, top, bottom), GRT_TRACE_PREEMPTED);
}

static void draw_aborted(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_cross(scene, middle_of(scene, left), (top + bottom) / 2, scene->em / 4);
}

static void draw_part(const struct scene *scene, struct grt_box box, enum grt_track_part part) {
    grt_colour grey = scene->theme->roles[GRT_ROLE_PANEL_EDGE];
    struct grt_fill own = {.colour = grey}, fill = scene_core_fill(scene->theme, part, &own);
    if (part ==
        GRT_PART_SPIN) { /* as of a task whose colour is that of suspended ones: lines have to be seen */
        fill.hatch_colour = scene->theme->roles[GRT_ROLE_SUSPENDED];
    }
    grt_picture_rect(scene->picture, box.left, box.top, box.right, box.bottom, fill.colour);
    if (fill.hatch != GRT_HATCH_NONE) {
        grt_picture_hatch(scene->picture, box, fill.hatch, 6, 1, fill.hatch_colour);
    }
    if (part == GRT_PART_THREAD) {
        scene_draw_thread_mark(scene, box);
    }
    scene_draw_edges(scene, box, 0);
}

static void draw_host(const struct scene *scene, double left, double top, double bottom) {
    draw_part(scene, box_at(scene, left, (top + bottom) / 2, bottom), GRT_PART_HOST);
}

static void draw_spin(const struct scene *scene, double left, double top, double bottom) {
    draw_part(scene, box_at(scene, left, top, bottom), GRT_PART_SPIN);
}

static void draw_overhead(const struct scene *scene, double left, double top, double bottom) {
    draw_part(scene, box_at(scene, left, top, bottom), GRT_PART_OVERHEAD);
}

static void draw_thread(const struct scene *scene, double left, double top, double bottom) {
    draw_part(scene, box_at(scene, left, top, bottom), GRT_PART_THREAD);
}

static void draw_boosted(const struct scene *scene, double left, double top, double bottom) {
    struct grt_box line = box_at(scene, left, (2 * top + bottom) / 3, bottom);
    line.bottom = line.top + scene->em / 5;
    grt_picture_rect(scene->picture, line.left, line.top, line.right, line.bottom,
                     scene->theme->roles[GRT_ROLE_BOOSTED]);
}

static void draw_share(const struct scene *scene, double left, double top, double bottom) {
    scene_draw_share_step(scene, box_at(scene, left, top, bottom), 0.6);
}

/* Those of a part are shown where the trace has such slices. */
static const struct {
    const char *text;
    void (*draw)(const struct scene *scene, double left, double top, double bottom);
    enum grt_track_part part, without; /* without: only where it has none of these; 0: in any case */
} signs[] = {
    {"release", draw_release, GRT_PARTS, 0},
    {"deadline", draw_deadline, GRT_PARTS, 0},
    {"completion", draw_completion, GRT_PARTS, 0},
    {"deadline missed", draw_miss, GRT_PARTS, 0},
    {"waits for the GPU", draw_suspended, GRT_PARTS, GRT_PART_THREAD},
    {"waits for the GPU, or a thread of the policy computes for it", draw_suspended, GRT_PART_THREAD, 0},
    {"blocked by a less urgent task", draw_blocked, GRT_PARTS, 0},
    {"preempted: goes on later", draw_preempted, GRT_PARTS, 0},
    {"aborted", draw_aborted, GRT_PARTS, 0},
    {"host part of a GPU segment", draw_host, GRT_PART_HOST, 0},
    {"busy-waits for the GPU", draw_spin, GRT_PART_SPIN, 0},
    {"context switch or wake-up", draw_overhead, GRT_PART_OVERHEAD, 0},
    {"thread of the policy", draw_thread, GRT_PART_THREAD, 0},
    {"boosted priority", draw_boosted, GRT_PART_BOOSTED, 0},
    {"share of the GPU that a stream's kernels may use", draw_share, GRT_PART_SHARE, 0},
};

enum { SIGNS = sizeof signs / sizeof signs[0] };

static bool is_shown(const struct grt_view *view, uint32_t sign) {
    return (signs[sign].part == GRT_PARTS || scene_has_part(view, signs[sign].part)) &&
           (signs[sign].without == 0 || !scene_has_part(view, signs[sign].without));
}

/* ---- the whole ---- */

enum { MOST_TASKS = 42 }; /* colours repeat behind so many but for hatches, and nobody reads more */

static void each_task(const struct grt_view *view, const struct scene *scene, double top, struct line *line) {
    const uint32_t *first = view->timeline->first_rows + GRT_ROW_TASK;
    double em = view->text_size, x, y;
    for (uint32_t i = first[0]; i < first[1] && i < first[0] + MOST_TASKS; i++) {
        take_room(line, view->timeline->rows[i].name, &x, &y);
        if (scene != NULL) {
            draw_fill(scene, x, top + y + 0.3 * em, top + y + 1.3 * em, view->timeline->rows[i].index);
            write_text(scene, x + (box_width + text_gap) * em, top + y, view->timeline->rows[i].name);
        }
    }
}

/* Walks through the items; draws them if there is a scene. Returns the height. */
static double each_item(const struct grt_view *view, const struct scene *scene, double top) {
    double em = view->text_size, x, y;
    struct line line = {.view = view, .x = SCENE_MARGIN * em};
    if (view->colour_key == GRT_COLOUR_TASK) {
        each_task(view, scene, top, &line);
    }
    for (uint32_t i = 0; i < SIGNS; i++) {
        if (!is_shown(view, i)) {
            continue;
        }
        take_room(&line, signs[i].text, &x, &y);
        if (scene != NULL) {
            signs[i].draw(scene, x, top + y + 0.3 * em, top + y + 1.3 * em);
            write_text(scene, x + (box_width + text_gap) * em, top + y, signs[i].text);
        }
    }
    return line.top + (line_height + SCENE_MARGIN) * em;
}

double scene_legend_height(const struct grt_view *view) {
    return (double)(int64_t)(each_item(view, NULL, 0) + 0.5);
}

void scene_draw_legend(const struct scene *scene, double top) {
    grt_picture_rect(scene->picture, 0, top, scene->right, top + 1, scene->theme->roles[GRT_ROLE_GRID]);
    each_item(scene->view, scene, top);
}
