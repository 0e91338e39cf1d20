/* labels: view */
/* Which rows are shown and how; what is chosen, found and pointed at; the job that is followed. */
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "tests/support/view_traces.h"

#define SCENARIO GRT_SCRATCH_DIR "/late.json"
#define TRACE GRT_SCRATCH_DIR "/trace"
#define MS INT64_C(1000000)

static struct view_driver driver;

static void begin(void) {
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
}

static void end(void) {
    view_driver_close(&driver);
}

static const char *first(void) {
    return view_row_name(&driver, 0);
}

static uint32_t rows(void) {
    return driver.viewer->view.row_count;
}

static struct grt_slice chosen(void) {
    const struct view_chosen *place = &driver.viewer->chosen;
    CU_ASSERT_FATAL(grt_place_is_some(&place->place));
    return grt_place_slice(view_timeline(driver.viewer, place->run), place->place);
}

/* ---- rows ---- */

static void row_of_the_keyboard(void) {
    begin();
    CU_ASSERT_EQUAL(driver.viewer->cursor, GRT_NO_SHOWN_ROW);
    view_do(&driver, "key Down\n");
    CU_ASSERT_EQUAL(driver.viewer->cursor, 0);
    view_do(&driver, "key Up\n");
    CU_ASSERT_EQUAL(driver.viewer->cursor, 0);
    for (uint32_t i = 1; i < rows() + 3; i++) {
        view_do(&driver, "key Down\n");
        CU_ASSERT_EQUAL(driver.viewer->cursor, i < rows() ? i : rows() - 1);
    }
    end();
}

static void hide_and_show_all(void) {
    begin();
    uint32_t all = rows();
    CU_ASSERT_STRING_EQUAL(first(), "big");
    view_do(&driver, "key h\nexpect point at a row, or go to one with Up and Down\n");
    view_do(&driver, "key Down Down h\nexpect third is hidden: Shift+H shows all rows again\n");
    CU_ASSERT_EQUAL(rows(), all - 1);
    CU_ASSERT_EQUAL(view_row_called(&driver, 0, "third"), GRT_NO_SHOWN_ROW);
    CU_ASSERT_FALSE(view_shows(&driver, "flow")); /* nor the text on its slices */
    char line[80];
    snprintf(line, sizeof line, "move 30 %d\nkey h\n",
             (int)view_y(&driver, view_row_called(&driver, 0, "small")));
    view_do(&driver, line); /* pointed at by its name */
    CU_ASSERT_EQUAL(view_row_called(&driver, 0, "small"), GRT_NO_SHOWN_ROW);
    view_do(&driver, "key shift+h\n");
    CU_ASSERT_EQUAL(rows(), all);
    CU_ASSERT_EQUAL(view_row_called(&driver, 0, "third"), 1);
    end();
}

static void everything_hidden(void) {
    begin();
    uint32_t all = rows();
    view_do(&driver, "key Down\n");
    for (uint32_t i = 0; i < all; i++) {
        view_do(&driver, "key h Up\n");
    }
    CU_ASSERT_EQUAL(rows(), 0);
    view_do(&driver, "key Down Up h p x n . Enter w 0\nkey 1 Tab Down Enter Tab 2 3\nclick 300 300\ndrag 200 "
                     "200 300 300\n");
    view_do(&driver, "key shift+h\n");
    CU_ASSERT_EQUAL(rows(), all);
    end();
}

static void pin_keeps_on_top(void) {
    static const char *const paths[] = {TRACE};
    view_trace_write(VIEW_TRACE_OF_MANY_ROWS, TRACE);
    view_driver_open(&driver, paths, 1, NULL);
    view_do(&driver, "key Down Down Down p\n"); /* task, core 0, core 1 */
    CU_ASSERT_EQUAL(driver.viewer->view.pinned, 1);
    CU_ASSERT_EQUAL(driver.viewer->rows[0].row, 2);
    struct grt_box before, after;
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &before));
    view_do(&driver, "move 500 400\nwheel 500 400 -20\nkey Page-Down\n");
    CU_ASSERT(driver.viewer->view.scroll > 0);
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &after));
    CU_ASSERT(before.top == after.top && before.bottom == after.bottom);
    struct grt_box other;
    CU_ASSERT_FALSE(grt_layout_visible(&driver.viewer->layout, 1, &other)); /* the task is scrolled away */
    double scroll = driver.viewer->view.scroll;
    view_do(&driver, "key Page-Up\n");
    CU_ASSERT(driver.viewer->view.scroll < scroll);
    char line[80];
    snprintf(line, sizeof line, "move 20 %d\nkey p\n", (int)view_y(&driver, 0));
    view_do(&driver, line);
    CU_ASSERT_EQUAL(driver.viewer->view.pinned, 0);
    CU_ASSERT_EQUAL(driver.viewer->rows[0].row, 0);
    view_do(&driver, "wheel 500 400 100000\n");
    CU_ASSERT_EQUAL(driver.viewer->view.scroll, 0);
    view_do(&driver, "wheel 500 400 -100000\n");
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, rows() - 1, &other)); /* the end, and not beyond */
    CU_ASSERT(driver.viewer->view.scroll <= grt_layout_scroll_limit(&driver.viewer->layout) + 1);
    view_do(&driver, "move 0 0\nkey Esc Down Up Up\n");
    end();
}

static void fold(void) {
    begin();
    struct grt_box open, folded;
    view_do(&driver, "command rows-lower\nkey Down\n"); /* a height that does not follow the window's */
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &open));
    view_do(&driver, "key x\n");
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &folded));
    CU_ASSERT(folded.bottom - folded.top < open.bottom - open.top);
    CU_ASSERT(driver.viewer->rows[0].folded && !driver.viewer->rows[1].folded);
    view_do(&driver, "key x\n");
    CU_ASSERT_FALSE(driver.viewer->rows[0].folded);
    view_do(&driver, "key shift+x\n");
    for (uint32_t i = 0; i < rows(); i++) { /* all tasks, nothing else */
        CU_ASSERT_EQUAL(driver.viewer->rows[i].folded, i < 3);
    }
    view_do(&driver, "key shift+x\n");
    CU_ASSERT_FALSE(driver.viewer->rows[1].folded);
    end();
}

static void heights(void) {
    struct grt_box box, higher;
    begin();
    view_do(&driver, "command rows-lower\n");
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &box));
    view_do(&driver, "key }\n");
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &higher));
    CU_ASSERT(higher.bottom - higher.top > box.bottom - box.top);
    view_do(&driver, "key {\n");
    CU_ASSERT(grt_layout_visible(&driver.viewer->layout, 0, &higher));
    CU_ASSERT(higher.bottom - higher.top <= box.bottom - box.top + 1);
    for (int i = 0; i < 40; i++) {
        view_do(&driver, "key }\n");
    }
    CU_ASSERT(driver.viewer->row_scale <= 6);
    for (int i = 0; i < 40; i++) {
        view_do(&driver, "key {\n");
    }
    CU_ASSERT(driver.viewer->row_scale >= 0.4);
    end();
}

/* Where they do not fit into the window, rows have their usual height, and } makes that larger, too. */
static void heights_of_many(void) {
    struct viewer_options options = {.width = 600, .height = 160};
    static const char *const paths[] = {SCENARIO};
    begin();
    view_driver_close(&driver);
    view_driver_open(&driver, paths, 1, &options);
    CU_ASSERT(grt_layout_scroll_limit(&driver.viewer->layout) > 0);
    double usual = driver.viewer->layout.rows[0].bottom - driver.viewer->layout.rows[0].top;
    view_do(&driver, "key }\n");
    CU_ASSERT(driver.viewer->layout.rows[0].bottom - driver.viewer->layout.rows[0].top > 1.1 * usual);
    end();
}

/* Jobs without a deadline are drawn by their releases alone: arrows that would stand closer than 14 pixels are left out. */
static void crowded_releases(void) {
    static const char text[] = "{\"gpurt\":1,\"horizon\":\"1s\",\"seed\":7,\"platform\":{\"gpus\":[{"
                               "\"device\":\"exclusive\"}]},\"policy\":"
                               "{\"name\":\"fifo\"},\"tasks\":[{\"name\":\"p\",\"poisson\":{\"mean_gap\":"
                               "\"200us\"},\"segments\":[{\"gpu\":[{"
                               "\"kernel\":\"k\",\"time\":\"10us\"}]}]}]}";
    view_driver_open_text(&driver, SCENARIO, text);
    uint32_t shapes = view_shapes(&driver, GRT_ROLE_RELEASE); /* two each */
    CU_ASSERT(shapes > 20);
    CU_ASSERT(shapes <= 2 * 1000 / 14 + 2);
    end();
}

static void filter(void) {
    begin();
    uint32_t all = rows();
    view_do(&driver, "key r\ntype small,third\nkey Enter\n");
    CU_ASSERT_EQUAL(rows(), 2);
    CU_ASSERT_STRING_EQUAL(first(), "third"); /* in their own order */
    view_do(&driver, "command filter !small\n");
    CU_ASSERT_EQUAL(rows(), all - 1);
    view_refuses(&driver, "command filter nobody\n", "no row is called so");
    CU_ASSERT_EQUAL(rows(), all - 1);  /* as before */
    view_do(&driver, "key r Enter\n"); /* nothing: all */
    CU_ASSERT_EQUAL(rows(), all);
    view_do(&driver, "key Down p\ncommand filter small\n"); /* what is pinned stays */
    CU_ASSERT_EQUAL(rows(), 2);
    CU_ASSERT_STRING_EQUAL(first(), "big");
    view_do(&driver, "key shift+h\n");
    CU_ASSERT_EQUAL(rows(), all);
    end();
}

/* ---- choosing ---- */

static void next_miss_visits_all_in_order(void) {
    static const grt_time deadlines[] = {5 * MS, 25 * MS, 45 * MS, 65 * MS, 85 * MS};
    begin();
    view_do(&driver, "key w w w w w w w w\ncommand jump 0ms\n");
    for (size_t i = 0; i < 5; i++) {
        view_do(&driver, "key n\n");
        CU_ASSERT_EQUAL(chosen().end, deadlines[i]);
        CU_ASSERT_EQUAL(chosen().job, 4 * i);
        CU_ASSERT_STRING_EQUAL(view_row_name(&driver, driver.viewer->cursor), "small");
        CU_ASSERT(driver.viewer->view.from <= deadlines[i] && driver.viewer->view.to > deadlines[i]);
    }
    view_do(&driver, "key n\nexpect there is no missed deadline after this one\n");
    for (size_t i = 4; i-- > 0;) {
        view_do(&driver, "key shift+n\n");
        CU_ASSERT_EQUAL(chosen().end, deadlines[i]);
    }
    view_do(&driver, "key shift+n\nexpect there is no missed deadline before this one\n");
    /* The first deadline is the instant behind this view, which is not shown. */
    view_show_span(driver.viewer, 0, 5 * MS);
    view_do(&driver, "key Esc n\n");
    CU_ASSERT_EQUAL(chosen().end, 5 * MS);
    CU_ASSERT(driver.viewer->view.to > 5 * MS);
    view_do(&driver, "key Esc\ncommand jump 50ms\nkey n\n"); /* from where the view begins */
    CU_ASSERT(chosen().end == 45 * MS || chosen().end == 65 * MS);
    end();
}

static void no_miss(void) {
    static const char *const paths[] = {TRACE};
    view_trace_write(VIEW_TRACE_WITHOUT_EVENTS, TRACE);
    view_driver_open(&driver, paths, 1, NULL);
    view_do(&driver, "key n\nexpect no deadline was missed\nkey Down .\nexpect there is nothing in this row "
                     "from here on\n");
    end();
}

static void steps_over_slices_and_jobs(void) {
    begin();
    view_do(&driver, "command jump small 8\nkey >\n");
    CU_ASSERT_EQUAL(chosen().job, 9);
    view_do(&driver, "key < <\n");
    CU_ASSERT_EQUAL(chosen().job, 7);
    for (int i = 0; i < 7; i++) {
        view_do(&driver, "key <\n");
    }
    CU_ASSERT_EQUAL(chosen().job, 0);
    view_do(&driver, "key <\nexpect there is no job of this task before this one\n");
    view_do(&driver, "command jump small 8\nkey .\n");
    CU_ASSERT_EQUAL(chosen().job, 9);
    view_do(&driver, "key ,\n");
    CU_ASSERT_EQUAL(chosen().job, 8);
    /* Along the job, to its end and back to its begin: always the same job, never back in time. */
    grt_time before = 0;
    int steps = 0;
    view_do(&driver, "key [ [ [ [ [ [ [ [ [ [\n");
    for (; strstr(viewer_message(driver.viewer), "after") == NULL && steps < 50; steps++) {
        CU_ASSERT_EQUAL(chosen().job, 8);
        CU_ASSERT(chosen().end >= before);
        before = chosen().start;
        view_do(&driver, "key ]\n");
    }
    CU_ASSERT(steps > 3 && steps < 50);
    view_says(&driver, "there is no step of this job after this one");
    end();
}

/* Without a choice a step chooses the first slice in the row that ends behind the view's begin. */
static void steps_begin_in_view(void) {
    begin();
    view_do(&driver, "key w w w w w w w w\ncommand jump 42ms\nkey Down .\n");
    CU_ASSERT_STRING_EQUAL(view_row_name(&driver, driver.viewer->cursor), "big");
    CU_ASSERT(chosen().end > driver.viewer->view.from && chosen().start < driver.viewer->view.to);
    view_do(&driver, "key Down\n"); /* another row: nothing is chosen any more */
    CU_ASSERT_FALSE(grt_place_is_some(&driver.viewer->chosen.place));
    end();
}

/* Whether the frame has the box of a sentence beside the pointer. */
static bool has_sentence(void) {
    struct grt_shape shape;
    grt_colour colour = driver.viewer->view.theme->roles[GRT_ROLE_TOOLTIP];
    for (uint32_t at = 0; grt_picture_next(&driver.viewer->top, &at, &shape);) {
        if (shape.kind == GRT_SHAPE_RECT && shape.colour == colour) {
            return true;
        }
    }
    return false;
}

static void pointer_and_click(void) {
    char line[200];
    begin();
    view_do(&driver, "key w w w w w w w w\ncommand jump 43ms\n");
    int x = (int)view_x(&driver, 43 * MS), y = (int)view_y(&driver, view_row_called(&driver, 0, "big"));
    snprintf(line, sizeof line, "move %d %d\n", x, y);
    view_do(&driver, line); /* big's third kernel, 40 to 46 ms */
    CU_ASSERT_FATAL(grt_place_is_some(&driver.viewer->hover.place));
    struct grt_slice slice = grt_place_slice(view_timeline(driver.viewer, 0), driver.viewer->hover.place);
    CU_ASSERT(slice.job == 2 && slice.start <= 43 * MS && slice.end >= 43 * MS);
    CU_ASSERT(view_shows(&driver, "big")); /* the sentence */
    uint64_t pointed = view_paint(&driver);
    struct view_input input = {
        .kind = VIEW_INPUT_PRESS, .x = x, .y = y, .button = VIEW_BUTTON_LEFT, .clicks = 1};
    CU_ASSERT(has_sentence());
    view_driver_send(&driver, &input);
    view_touch(driver.viewer);
    view_paint(&driver);
    CU_ASSERT_FALSE(has_sentence()); /* nothing in the way of what is dragged */
    input.kind = VIEW_INPUT_RELEASE;
    view_driver_send(&driver, &input);
    CU_ASSERT(has_sentence());
    view_do(&driver, "key Esc\n");
    snprintf(line, sizeof line, "click %d %d\n", x, y);
    view_do(&driver, line);
    CU_ASSERT_EQUAL(chosen().job, 2);
    CU_ASSERT_EQUAL(driver.viewer->cursor, view_row_called(&driver, 0, "big"));
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), pointed);
    snprintf(line, sizeof line, "double-click %d %d\n", x, y);
    view_do(&driver, line); /* the slice and a fifth at either side */
    CU_ASSERT(driver.viewer->view.from < chosen().start && driver.viewer->view.to > chosen().end);
    CU_ASSERT(driver.viewer->view.to - driver.viewer->view.from < 2 * (chosen().end - chosen().start));
    struct view_input leave = {.kind = VIEW_INPUT_LEAVE};
    view_driver_send(&driver, &leave);
    CU_ASSERT_FALSE(grt_place_is_some(&driver.viewer->hover.place));
    end();
}

/* Several things may be done before a frame is painted: each is done to rows as they are by then. */
static void before_the_next_frame(void) {
    char line[200];
    begin();
    uint32_t last = rows() - 1;
    int y = (int)view_y(&driver, last);
    driver.paints = false;
    snprintf(line, sizeof line, "command filter small\nmove 500 %d\n", y);
    view_do(&driver, line);
    CU_ASSERT_EQUAL(driver.viewer->hit.shown, GRT_NO_SHOWN_ROW); /* there is one row now, above */
    snprintf(line, sizeof line, "command show-all\nclick 500 %d\n", y);
    view_do(&driver, line);
    CU_ASSERT_EQUAL(driver.viewer->cursor, last);
    snprintf(line, sizeof line, "command against policy=np-edf\ncommand alone\nmove 500 %d\n", y);
    view_do(&driver, line);
    CU_ASSERT_EQUAL(driver.viewer->hit.shown, last);
    view_paint(&driver);
    view_do(&driver, "move 700 300\n");
    view_do(&driver, "key w w w w w d d m\n");
    view_paint(&driver);
    double x = view_x(&driver, driver.viewer->marks[0]);
    CU_ASSERT(x > 697 && x < 703); /* at the pointer */
    end();
}

static void follow(void) {
    begin();
    view_do(
        &driver,
        "key Enter\n"); /* nothing is chosen: the first there is, which is followed or told to belong to no job */
    view_do(&driver, "key Esc\ncommand jump small 8\n");
    uint64_t before = view_paint(&driver);
    view_do(&driver, "key Enter\n");
    CU_ASSERT(driver.viewer->view.focus.on);
    CU_ASSERT_EQUAL(driver.viewer->view.focus.job, 8);
    CU_ASSERT(view_chain_of(driver.viewer)->count > 3);
    CU_ASSERT(driver.viewer->view.from <= 40 * MS &&
              driver.viewer->view.to >= 47 * MS); /* all of it is in view */
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), before);
    view_do(&driver, "key >\n"); /* and so is the job that is chosen next */
    CU_ASSERT_EQUAL(driver.viewer->view.focus.job, 9);
    view_do(&driver, "key Enter\n");
    CU_ASSERT_FALSE(driver.viewer->view.focus.on);
    end();
}

static void search(void) {
    begin();
    view_do(&driver, "key w w w w w w\ncommand jump 0ms\nkey /\ntype mpc\nkey Enter\n");
    view_says(&driver, " of 20");
    uint32_t jobs[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = chosen().job;
        CU_ASSERT(viewer_wants_text(driver.viewer)); /* stays open, so that Enter goes on */
        view_do(&driver, "key Enter\n");
    }
    CU_ASSERT(jobs[0] == 0 && jobs[1] == 1 && jobs[2] == 2);
    view_do(&driver, "key shift+Enter Esc\n");
    CU_ASSERT_EQUAL(chosen().job, 2);
    view_do(&driver, "key F3\nexpect 4 of 20\n");
    CU_ASSERT_EQUAL(chosen().job, 3);
    view_do(&driver, "key shift+F3\nexpect 3 of 20\n");
    for (int i = 0; i < 3; i++) {
        view_do(&driver, "key ctrl+shift+g\n");
    }
    view_says(&driver, "20 of 20, from the other end again");
    view_do(&driver, "key ctrl+g\nexpect 1 of 20, from the other end again\n");
    view_refuses(&driver, "command search nobody\n", "nothing is called \"nobody\"");
    view_refuses(&driver, "command search @x\n", "");
    view_do(&driver, "command search @30ms\nexpect at 30 ms\n");
    view_do(&driver, "key Up Up Up Up h\ncommand search big 1\n");
    view_says(&driver, "in the hidden row big");
    CU_ASSERT_EQUAL(chosen().job, 1);
    end();
}

static void search_before_anything_was_searched(void) {
    begin();
    view_do(&driver, "key F3\nexpect nothing was searched yet: / asks what for\n");
    end();
}

static CU_TestInfo tests[] = {
    {"the row of the keyboard", row_of_the_keyboard},
    {"rows are hidden, and all shown again", hide_and_show_all},
    {"every row is hidden", everything_hidden},
    {"a pinned row stays on top", pin_keeps_on_top},
    {"rows are folded, one or all of a kind", fold},
    {"rows are made higher and lower", heights},
    {"many rows are made higher", heights_of_many},
    {"crowded releases", crowded_releases},
    {"a filter leaves some rows", filter},
    {"next miss visits all in the order of time", next_miss_visits_all_in_order},
    {"where no deadline was missed", no_miss},
    {"steps over slices, jobs and along a job", steps_over_slices_and_jobs},
    {"steps begin in view", steps_begin_in_view},
    {"what is pointed at and clicked", pointer_and_click},
    {"what is done before the next frame", before_the_next_frame},
    {"a job is followed", follow},
    {"search", search},
    {"a search again before the first", search_before_anything_was_searched},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_rows", tests);
}
