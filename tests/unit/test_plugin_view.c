/* labels: plugins view window */
/* Plug-ins in gpurt-view: a scenario that names one, in pictures without hands, with another policy, beside another one, in the list of policies; and what is
 * said of those that are missing or crash. */
#include "tests/support/plugin_program.h"
#include "tests/support/suite.h"
#include "tests/support/view_driver.h"

/* With no window to be seen, and sanitizers that look for no leaks in SDL and what it loads. */
#define HIDDEN                                                                                               \
    "unset DISPLAY WAYLAND_DISPLAY; export SDL_VIDEODRIVER=dummy "                                           \
    "ASAN_OPTIONS=detect_leaks=0:handle_sigill=1; view() { "                                                 \
    "'" GRT_VIEW_PROGRAM "' --size 400x300 \"$@\"; }; "

static void pictures_without_hands(void) {
    put_file("own", "screenshot own.png\n");
    put_file("option", "screenshot option.png\n");
    put_file("changed", "command set policy.does=unfair\nscreenshot changed.png\ncommand unset\n"
                        "command policy ./llf.so\nscreenshot option.png\n");
    expect(0, call(HIDDEN "view llf.json --script own && "
                          "view inner/llf.json --policy llf.so --script option && cmp own.png option.png"));
    expect(0,
           call(HIDDEN "view llf.json --policy unruly.so --script changed && ! cmp -s own.png changed.png"));
    expect(0, call(HIDDEN
                   "view llf.json --against policy=./unruly.so --script own && "
                   "view inner/llf.json inner/llf.json --policy $(yes ./ | head -n 300 | tr -d '\\n')llf.so "
                   "--script own"));
}

static void what_goes_wrong_is_said(void) {
    put_file("missing", "command policy none.so\n");
    expect(2, call(HIDDEN "view inner/llf.json --script own"));
    expect_text(err, "gpurt-view: inner/llf.json: policy.plugin: ./llf.so: No such file or directory\n");
    expect(2, call(HIDDEN "view llf.json --policy none.so --script own"));
    expect_text(err, "gpurt-view: llf.json: policy.plugin: none.so: No such file or directory (set by "
                     "--policy)\n");
    expect(1, call(HIDDEN "view llf.json --script missing"));
    expect_text(err, "gpurt-view: line 1: policy.plugin: none.so: No such file or directory\n");
    expect(128 + SIGSEGV,
           call(HIDDEN ALONE "view llf.json --policy unruly.so --set policy.does=crash --script own"));
    expect_part(err, "gpurt-view: policy unruly (unruly.so) crashed at 8ms: segmentation fault\n");
    expect(128 + SIGABRT,
           call(HIDDEN ALONE "view llf.json --policy unruly.so --set policy.does=submit-twice --script own"));
    expect_part(err, "), under policy unruly (unruly.so) at 8ms\n");
}

/* Before gpurt's own policies stands the plug-in's, while it is simulated. */
static void the_list_of_policies_has_it(void) {
    struct view_driver driver;
    view_driver_open(&driver, (const char *const[]){SCRATCH "llf.json"}, 1, NULL);
    view_do(&driver, "key 5\n");
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|llf");
    view_do(&driver, "command policy np-edf\n");
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|np-edf");
    view_do(&driver, "command policy " SCRATCH "unruly.so\ncommand set policy.does=unfair\n");
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|unruly");
    view_do(&driver, "command unset\ncommand unset\ncommand unset\n");
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|llf");
    view_do(&driver, "key Tab Enter\n"); /* it is simulated already */
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|llf");
    view_do(&driver, "key Down Down Enter\n");
    CU_ASSERT_STRING_EQUAL(view_line_behind(&driver, "\u2022"), "|fifo");
    view_driver_close(&driver);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"pictures without hands", pictures_without_hands},
        {"what goes wrong is said", what_goes_wrong_is_said},
        {"the list of policies has it", the_list_of_policies_has_it},
        CU_TEST_INFO_NULL,
    };
    return put_plugins() != 0 ? 1 : grt_suite_run("plug-ins of the viewer", tests);
}
