/* labels: soak view */
/* A monkey at the viewer: random inputs of all kinds on random simulated worlds, one or two, and on a scenario. Whatever it does,
 * what must hold at any time holds, every frame is painted whole, and the same inputs make the same frames. */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace_file.h"
#include "tests/support/file_text.h"
#include "tests/support/pick.h"
#include "tests/support/played_source.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "tests/support/view_traces.h"

#define FIRST GRT_SCRATCH_DIR "/first"
#define SECOND GRT_SCRATCH_DIR "/second"

static bool repeats; /* all is done once more */

/* ---- what it looks at ---- */

static void write_world(uint64_t number, const char *path) {
    struct grt_errors errors = {0};
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    if (number % 2 == 0) {
        grt_random_world_add_calls(builder, number);
    }
    grt_built_run_under(&run, builder, number % 3 == 0 ? "np-edf" : "hardware");
    struct grt_output *output = grt_output_open(path, &errors);
    CU_ASSERT_FATAL(output != NULL);
    grt_trace_file_sink.names(output, run.kept.names, run.kept.name_count);
    grt_trace_file_sink.write(output, run.kept.records, run.kept.record_count);
    grt_trace_file_sink.end(output);
    CU_ASSERT(grt_output_close(output, &errors));
    grt_built_run_end(&run, builder);
}

/* A file that is replaced while it is shown: by another world, by half of one, by something else. */
static void replace_file(struct grt_random *random, const char *path) {
    char *text;
    size_t bytes;
    switch (grt_pick(random, 0, 3)) {
    case 0:
        source_put_text(path, "no trace, and no scenario");
        return;
    case 1:
        write_world((uint64_t)grt_pick(random, 830000, 830020), path);
        text = grt_file_text(path, &bytes);
        CU_ASSERT_FATAL(text != NULL);
        text[bytes / 2] = '\0';
        source_put_text(path, text);
        free(text);
        return;
    case 2:
        source_put_text(path, VIEW_SCENARIO);
        return;
    default:
        write_world((uint64_t)grt_pick(random, 830000, 830020), path);
    }
}

/* ---- what it does ---- */

static const char *const lines[] = {
    "panel 1",
    "panel 2",
    "panel 3",
    "panel 4",
    "panel 5",
    "panel 6",
    "panel -1",
    "panel-choose 0",
    "panel-choose 3",
    "panel-choose 100000",
    "search a",
    "search k",
    "search 1",
    "search @1ms",
    "search @",
    "search zzz",
    "jump 1ms",
    "jump 10s",
    "jump -1ms",
    "jump nobody 3",
    "filter SM*",
    "filter !*",
    "filter gpu:*,!SM 0",
    "filter core:*",
    "filter",
    "set tasks[0].period=7ms",
    "set tasks[0].period=0",
    "set nonsense",
    "set policy.name=np-edf",
    "set =",
    "policy fifo",
    "policy np-edf",
    "policy hardware",
    "policy none-such",
    "policy ",
    "unset",
    "against policy=hardware",
    "against tasks[0].period=7ms",
    ("against " SECOND),
    ("against " FIRST),
    "against /nowhere",
    "alone",
    "reload",
    "export nowhere",
    "measure 1",
    "measure -1",
    "measure -12345",
    "measure 9223372036854775807",
    "next-slice 1000",
    "next-step -7",
    "next-step 0",
    "next-slice 0",
    "previous-miss 0",
    "next-job 12",
    "next-miss 4",
    "row-down 0",
    "zoom-in 0",
    "zoom-out 17",
    "text-larger 12",
    "text-usual -3",
    "back 7",
    "forward -7",
    "command zoom-in",
    "command command quit",
    "command x",
    "nonsense",
    "",
    " ",
    "mark 7",
    "theme -1",
    "fold-kind 3",
    "rows-higher -2",
    "page-down 0",
    "clear x",
};

static void pick_line(struct grt_random *random, struct view_driver *driver) {
    struct grt_errors errors = {0};
    const char *line = lines[grt_pick(random, 0, (int64_t)(sizeof lines / sizeof lines[0]) - 1)];
    viewer_command(driver->viewer, line, &errors);
    grt_errors_clear(&errors);
}

/* A key of the table as a rule; some other one now and then. */
static void pick_key(struct grt_random *random, struct view_input *input) {
    const struct view_command *command = &view_commands[grt_pick(random, 0, (int64_t)view_command_count - 1)];
    input->kind = VIEW_INPUT_KEY;
    if (command->name == NULL || command->keys[0] == NULL || grt_pick(random, 0, 9) == 0) {
        input->key = grt_pick(random, 0, 1) == 0 ? (int)grt_pick(random, VIEW_KEY_ESCAPE, VIEW_KEY_F12)
                                                 : (int)grt_pick(random, 0, 0x17f);
        input->modifiers = (unsigned)grt_pick(random, 0, 7);
        return;
    }
    int key = 0;
    while (key + 1 < VIEW_COMMAND_KEYS && command->keys[key + 1] != NULL && grt_pick(random, 0, 1) == 0) {
        key++;
    }
    CU_ASSERT(view_key_parse(command->keys[key], &input->key, &input->modifiers));
}

static void pick_text(struct grt_random *random, struct view_input *input) {
    static const char *const texts[] = {"a", "b", "e",        "k",    "1",        "0",  "*", "!",        ",",
                                        "@", "=", ":",        "[",    "ms",       " ",  "?", "/",        "{",
                                        "}", "<", "\xc3\xa4", "\xff", "\xe2\x82", "SM", "",  "tasks[0]."};
    input->kind = VIEW_INPUT_TEXT;
    snprintf(input->text, sizeof input->text, "%s",
             texts[grt_pick(random, 0, (int64_t)(sizeof texts / sizeof texts[0]) - 1)]);
}

static double pick_place(struct grt_random *random, double size) {
    return grt_pick(random, 0, 19) == 0 ? (double)grt_pick(random, -100000, 100000)
                                        : (double)grt_pick(random, 0, (int64_t)size);
}

static void pick_pointer(struct grt_random *random, const struct viewer *viewer, struct view_input *input) {
    static const enum view_input_kind kinds[] = {VIEW_INPUT_MOVE,  VIEW_INPUT_MOVE,    VIEW_INPUT_PRESS,
                                                 VIEW_INPUT_PRESS, VIEW_INPUT_RELEASE, VIEW_INPUT_WHEEL,
                                                 VIEW_INPUT_WHEEL, VIEW_INPUT_LEAVE};
    input->kind = kinds[grt_pick(random, 0, 7)];
    input->x = pick_place(random, viewer->width);
    input->y = pick_place(random, viewer->height);
    input->modifiers = grt_pick(random, 0, 1) == 0 ? 0 : (unsigned)grt_pick(random, 0, 7);
    input->button = (enum view_button)grt_pick(random, VIEW_BUTTON_LEFT, VIEW_BUTTON_RIGHT);
    input->clicks = (int)grt_pick(random, 1, 2);
    bool far = grt_pick(random, 0, 9) == 0;
    input->wheel_y = far ? (double)grt_pick(random, -100000, 100000) : (double)grt_pick(random, -30, 30) / 10;
    input->wheel_x = grt_pick(random, 0, 3) == 0 ? input->wheel_y : 0;
}

static void pick_input(struct grt_random *random, const struct viewer *viewer, struct view_input *input) {
    int64_t kind = grt_pick(random, 0, 99);
    *input = (struct view_input){.kind = VIEW_INPUT_CLOSE};
    if (kind < 45) {
        pick_key(random, input);
    } else if (kind < 85) {
        pick_pointer(random, viewer, input);
    } else if (kind < 95) {
        pick_text(random, input);
    } else if (kind < 97) {
        *input = (struct view_input){.kind = VIEW_INPUT_KEY, .key = VIEW_KEY_ENTER};
    } else if (kind < 99) {
        input->kind = VIEW_INPUT_RESIZE;
        input->x = (double)grt_pick(random, grt_pick(random, 0, 9) == 0 ? -5 : 160, 700);
        input->y = (double)grt_pick(random, 160, 500);
    }
}

/* Looks at the files; where all is done again, whatever their times are, which may be the same for some milliseconds. */
static void reload(struct view_driver *driver) {
    struct grt_errors errors = {0};
    if (repeats) {
        viewer_command(driver->viewer, "reload", &errors);
    } else {
        viewer_look_at_files(driver->viewer);
    }
    grt_errors_clear(&errors);
}

/* One thing; returns a hash of the frame, if it painted one. */
static uint64_t do_something(struct grt_random *random, struct view_driver *driver) {
    struct view_input input;
    int64_t kind = grt_pick(random, 0, 99);
    if (kind < 12) {
        pick_line(random, driver);
    } else if (kind == 12) {
        replace_file(random, grt_pick(random, 0, 1) == 0 ? FIRST : SECOND);
        reload(driver);
    } else {
        pick_input(random, driver->viewer, &input);
        viewer_input(driver->viewer, &input);
    }
    return grt_pick(random, 0, 5) == 0 ? view_paint(driver) : 0;
}

/* ---- the laws ---- */

static void open_world(struct view_driver *driver, uint64_t number) {
    static const char *const paths[] = {FIRST, SECOND};
    struct viewer_options options = {
        .width = 500, .height = 350, .text_size = 9, .theme = &grt_themes[number % GRT_THEMES]};
    write_world(810000 + number, SECOND);
    if (number % 3 == 0) {
        source_put_text(FIRST, VIEW_SCENARIO);
    } else if (number % 5 == 4) { /* but for the 10,000 rows, which are slow here */
        static const enum view_trace kinds[] = {VIEW_TRACE_WITHOUT_EVENTS, VIEW_TRACE_OF_AN_INSTANT,
                                                VIEW_TRACE_OF_TEN_YEARS, VIEW_TRACE_OF_ALL_TIME,
                                                VIEW_TRACE_WITH_NAMES};
        view_trace_write(kinds[number / 5 % 5], FIRST);
    } else {
        write_world(800000 + number, FIRST);
    }
    view_driver_open(driver, paths, number % 4 == 1 ? 2 : 1, &options);
    driver->paints = false;
}

/* A hash of all frames of so many inputs; 0 where something did not hold. */
static uint64_t play(struct view_driver *driver, uint64_t number, int inputs) {
    struct grt_random random = grt_random_stream(number, "monkey", 0, 0);
    uint64_t hash = 1;
    for (int i = 0; i < inputs; i++) {
        hash = (hash ^ do_something(&random, driver)) * UINT64_C(0x100000001b3);
        if (!view_is_sane(driver)) {
            printf("\n    world %" PRIu64 ", input %d\n", number, i);
            return 0;
        }
    }
    hash = (hash ^ view_paint(driver)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t play_anew(uint64_t number, int inputs) {
    struct view_driver driver;
    open_world(&driver, number);
    uint64_t hash = play(&driver, number, inputs);
    view_driver_close(&driver);
    return hash;
}

static void holds_and_repeats(void) {
    int worlds = grt_suite_cases(16, 400), inputs = grt_suite_cases(150, 1000);
    for (int i = 0; i < worlds; i++) {
        repeats = i % 4 < 2;
        uint64_t hash = play_anew((uint64_t)i, inputs);
        CU_ASSERT_NOT_EQUAL(hash, 0);
        if (repeats) {
            CU_ASSERT_EQUAL(play_anew((uint64_t)i, inputs), hash);
        }
    }
}

/* The sanitizers' allocator counts nothing here: there leaks are reported at the end. */
static void does_not_grow(void) {
    enum { BOUND = 1 << 20 };
    struct view_driver driver;
    int inputs = grt_suite_cases(200, 5000);
    open_world(&driver, 2);
    size_t before = 0;
    for (int round = 0; round < 4; round++) {
        play(&driver, 99, inputs);
        source_put_text(FIRST, VIEW_SCENARIO);
        view_driver_play(&driver,
                         "key esc\ncommand alone\ncommand reload\nresize 400 300\ncommand panel 2\n");
        view_paint(&driver);
        size_t used = mallinfo2().uordblks;
        CU_ASSERT(round < 2 || used < before + BOUND);
        before = round == 1 ? used : before;
    }
    view_driver_close(&driver);
}

static CU_TestInfo tests[] = {
    {"whatever is done, what must hold holds, and the same is done again", holds_and_repeats},
    {"memory does not grow with what is done", does_not_grow},
    CU_TEST_INFO_NULL,
};

int main(void) {
    bool closed = freopen("/dev/null", "rb", stdin) != NULL; /* for "against -" */
    return !closed ? 1 : grt_suite_run("view_monkey", tests);
}
