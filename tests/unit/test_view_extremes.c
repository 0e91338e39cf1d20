/* labels: view */
/* The viewer at its limits: traces of nothing, of an instant, of ten years, of 10,000 rows, with names that are none; windows
 * from 160 x 160 to 5000 wide; text from 4 to 60. Nothing is left unpainted, nothing painted outside (view_paint says so). */
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "tests/support/view_traces.h"

#define TRACE GRT_SCRATCH_DIR "/trace"

static void open_trace(struct view_driver *driver, enum view_trace kind) {
    static const char *const paths[] = {TRACE};
    view_trace_write(kind, TRACE);
    view_driver_open(driver, paths, 1, NULL);
}

/* A little of everything. */
static const char *const tour =
    "key 0 w w w d a s s backspace shift+backspace m shift+m space t t\n"
    "key . , ] [ > < n shift+n enter enter down up Page-Down Page-Up p x shift+x } { shift+h\n"
    "key 1 Tab End Down Up Enter Tab 2 y 3 4 5 1 1 l g c c c ctrl++ ctrl+0 ? ? esc\n"
    "key /\ntype a\nkey enter F3 shift+F3 esc\n"
    "move 300 300\nclick 300 300\ndouble-click 300 300\ndrag 200 200 400 400\ndrag 200 200 400 400 right\n"
    "drag 300 250 500 350 middle\ndrag 20 45 600 45\nwheel 300 300 3\nwheel 300 300 -3 ctrl\nwheel 300 300 5 "
    "shift ctrl\n"
    "wheel 300 300 100000 shift\nwheel 300 300 -100000 shift\nwheel 300 300 -100000 ctrl\nwheel 300 300 "
    "100000 ctrl\n"
    "wheel 300 300 100000\nwheel 300 300 -100000\ndrag 300 250 100000 100000 middle\ndrag 300 250 -100000 "
    "-100000 middle\n"
    "drag 300 250 100000 250\ndrag 300 250 -100000 250\nkey 0\n";

static void go_round(struct view_driver *driver) {
    view_do(driver, tour);
    CU_ASSERT(driver->frames > 50);
}

static void every_trace_is_toured(void) {
    for (int kind = 0; kind < VIEW_TRACES; kind++) {
        struct view_driver driver;
        if (kind != VIEW_TRACE_OF_MANY_ROWS) {
            open_trace(&driver, (enum view_trace)kind);
            go_round(&driver);
            view_driver_close(&driver);
        }
    }
}

static void many_rows_are_scrolled(void) {
    struct view_driver driver;
    open_trace(&driver, VIEW_TRACE_OF_MANY_ROWS);
    CU_ASSERT_EQUAL(driver.viewer->view.row_count, 10001);
    view_do(&driver, "key Up\n");
    CU_ASSERT_EQUAL(driver.viewer->cursor, 10000); /* without a row the last is above */
    uint64_t begin = view_paint(&driver);
    view_do(&driver, "key Page-Down Page-Down p h x\nkey shift+x 2\n");
    CU_ASSERT_NOT_EQUAL(view_paint(&driver), begin);
    view_driver_close(&driver);
}

static void every_size_is_painted(void) {
    static const int sizes[][2] = {{160, 160}, {161, 1000}, {5000, 160}, {333, 217}};
    static const double texts[] = {4, 13, 60};
    static const enum view_trace kinds[] = {VIEW_TRACE_WITH_NAMES, VIEW_TRACE_OF_TEN_YEARS};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) {
            static const char *const paths[] = {TRACE};
            struct viewer_options options = {.width = 160, .height = 160, .text_size = texts[j]};
            struct view_driver driver;
            view_trace_write(kinds[i], TRACE);
            view_driver_open(&driver, paths, 1, &options);
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
                char line[100];
                snprintf(line, sizeof line, "resize %d %d\nkey l n 1\nmove 60 120\n", sizes[k][0],
                         sizes[k][1]);
                view_do(&driver, line);
                CU_ASSERT(driver.frame.width == sizes[k][0] && driver.frame.height == sizes[k][1]);
                view_do(&driver, "key 2 3 4 5 5 ?\nkey ? esc\n");
            }
            view_driver_close(&driver);
        }
    }
}

/* A window that is smaller than can be used gets no garbage. */
static void too_small_a_frame_is_filled(void) {
    struct view_driver driver;
    uint32_t pixels[100 * 50];
    struct grt_frame frame = {pixels, 100, 50, 400, 1};
    memset(pixels, 0, sizeof pixels);
    open_trace(&driver, VIEW_TRACE_OF_TEN_YEARS);
    viewer_paint(driver.viewer, &frame);
    for (int i = 0; i < 100 * 50; i++) {
        if (pixels[i] >> 24 != 0xff) {
            CU_FAIL("a pixel is not painted");
            break;
        }
    }
    CU_ASSERT(!viewer_has_changed(driver.viewer)); /* or the window would paint on and on */
    CU_ASSERT(view_is_sane(&driver));
    view_driver_close(&driver);
}

static CU_TestInfo tests[] = {
    {"traces of all kinds are shown", every_trace_is_toured},
    {"10,000 rows are scrolled", many_rows_are_scrolled},
    {"windows and texts of every size", every_size_is_painted},
    {"a frame that is too small is filled", too_small_a_frame_is_filled},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_extremes", tests);
}
