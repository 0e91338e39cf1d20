/* labels: view */
/* The one table of commands: every key can be read and is nobody else's, every command can be reached, the page of keys and the
 * manual have each; and keys as texts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_driver.h"
#include "viz/view/manual.h"

#define SCENARIO GRT_SCRATCH_DIR "/late.json"

static bool fail_with(const char *what, const char *name) {
    printf("\n    %s: %s\n", name, what);
    return false;
}

static bool every_key_is_good(const struct view_command *command) {
    for (int i = 0; i < VIEW_COMMAND_KEYS && command->keys[i] != NULL; i++) {
        int key, again;
        unsigned modifiers, modifiers_again;
        char text[40];
        if (!view_key_parse(command->keys[i], &key, &modifiers)) {
            return fail_with("is no key", command->keys[i]);
        }
        if (view_command_of_key(key, modifiers) != command) {
            return fail_with("is somebody else's key", command->keys[i]);
        }
        size_t length = view_key_write(key, modifiers, text, sizeof text);
        if (length != strlen(text) || strcmp(text, command->keys[i]) != 0 ||
            !view_key_parse(text, &again, &modifiers_again) || again != key || modifiers_again != modifiers) {
            return fail_with("is written in another way", text);
        }
    }
    return true;
}

static void keys_are_read_and_nobody_elses(void) {
    for (size_t i = 0; i < view_command_count; i++) {
        CU_ASSERT(every_key_is_good(&view_commands[i]));
    }
}

static void names_are_unique(void) {
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        CU_ASSERT(command->help != NULL && command->help[0] != '\0');
        if (command->name != NULL) {
            CU_ASSERT_PTR_EQUAL(view_command_find(command->name, strlen(command->name)), command);
            CU_ASSERT((command->run != NULL) != (command->take != NULL));
            CU_ASSERT(command->take == NULL || (command->wanted != NULL && command->example != NULL));
        }
    }
    CU_ASSERT_PTR_NULL(view_command_find("zoom", 4));
    CU_ASSERT_PTR_NULL(view_command_find("", 0));
}

/* Whether the window has something to press for it. */
static bool has_button(const struct viewer *viewer, const struct view_command *command) {
    for (uint32_t i = 0; i < viewer->hot_count; i++) {
        if (viewer->hot[i].command == command) {
            return true;
        }
    }
    return false;
}

static void every_command_is_reached(void) {
    struct view_driver driver;
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    view_do(&driver, "resize 1600 900\nkey 1\n");
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        bool reached =
            command->name == NULL || command->keys[0] != NULL || has_button(driver.viewer, command);
        CU_ASSERT(reached || fail_with("has no key and no button", command->name));
    }
    for (uint32_t i = 0; i < driver.viewer->hot_count; i++) {
        CU_ASSERT_PTR_NOT_NULL(driver.viewer->hot[i].command);
    }
    view_driver_close(&driver);
}

static void the_page_of_keys_has_all(void) {
    struct view_driver driver;
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    view_do(&driver, "resize 1280 800\n");
    CU_ASSERT_FALSE(view_shows(&driver, view_gestures[0].help));
    view_do(&driver, "key ?\n");
    for (size_t i = 0; i < view_gesture_count; i++) {
        CU_ASSERT(view_shows(&driver, view_gestures[i].help) ||
                  fail_with("is not on the page", view_gestures[i].gesture));
    }
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        char keys[160];
        view_command_keys(command, keys, sizeof keys);
        bool has_key = command->name == NULL || keys[0] != '\0';
        CU_ASSERT(!has_key || (view_shows(&driver, command->help) && view_shows(&driver, keys)) ||
                  fail_with("is not on the page", command->help));
    }
    view_do(&driver, "key F1\n");
    CU_ASSERT_FALSE(view_shows(&driver, view_gestures[0].help));
    view_driver_close(&driver);
}

/* Takes back what is written for roff alone. */
static void make_plain(char *text) {
    static const char *const codes[][2] = {{"\\(aq", "'"},  {"\\-", "-"},   {"\\&", ""},    {"\\e", "\\"},
                                           {"\\(dq", "\""}, {"\\(ga", "`"}, {"\\(ha", "^"}, {"\\(ti", "~"},
                                           {"\\fB", ""},    {"\\fR", ""}};
    enum { CODES = sizeof codes / sizeof codes[0] };
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        size_t i = 0;
        while (i < CODES && strncmp(from, codes[i][0], strlen(codes[i][0])) != 0) {
            i++;
        }
        size_t length = i < CODES ? strlen(codes[i][1]) : 1;
        memmove(to, i < CODES ? codes[i][1] : from, length);
        from += i < CODES ? strlen(codes[i][0]) : 1;
        to += length;
    }
    *to = '\0';
}

static void the_manual_has_all(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    CU_ASSERT_FATAL(file != NULL);
    view_manual_write_sections(file);
    fclose(file);
    make_plain(text);
    for (size_t i = 0; i < view_command_count; i++) {
        const struct view_command *command = &view_commands[i];
        CU_ASSERT(strstr(text, command->help) != NULL || fail_with("is not in the manual", command->help));
        CU_ASSERT(command->name == NULL || strstr(text, command->name) != NULL ||
                  fail_with("is not in the manual", command->name));
    }
    for (size_t i = 0; i < view_gesture_count; i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(text, view_gestures[i].help));
    }
    free(text);
}

static void keys_as_texts(void) {
    static const struct {
        const char *text;
        int key;
        unsigned modifiers;
    } good[] = {
        {"a", 'a', 0},
        {"A", 'a', 0},
        {"ctrl+f", 'f', VIEW_CTRL},
        {"Shift+N", 'n', VIEW_SHIFT},
        {"alt+ctrl+shift+x", 'x', VIEW_SHIFT | VIEW_CTRL | VIEW_ALT},
        {"+", '+', 0},
        {"ctrl++", '+', VIEW_CTRL},
        {"ctrl+plus", '+', VIEW_CTRL},
        {"Space", ' ', 0},
        {"esc", VIEW_KEY_ESCAPE, 0},
        {"page-down", VIEW_KEY_PAGE_DOWN, 0},
        {"F1", VIEW_KEY_F1, 0},
        {"f12", VIEW_KEY_F12, 0},
        {"f", 'f', 0},
        {"~", '~', 0},
    };
    static const char *const bad[] = {"",      " ",   "F0",       "F13",      "F1x",  "F123",
                                      "ctrl+", "abc", "ctrl+abc", "\xc3\xa4", "\x7f", "Page Down"};
    int key;
    unsigned modifiers;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CU_ASSERT(view_key_parse(good[i].text, &key, &modifiers));
        CU_ASSERT_EQUAL(key, good[i].key);
        CU_ASSERT_EQUAL(modifiers, good[i].modifiers);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT(!view_key_parse(bad[i], &key, &modifiers) || fail_with("is taken for a key", bad[i]));
    }
}

static void commands_by_name(void) {
    struct view_driver driver;
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    view_refuses(&driver, "command no-such\n", "line 1: there is no command \"no-such\"");
    view_refuses(&driver, "# a comment\n\ncommand fit it\n",
                 "line 3: fit takes nothing or a number (got \"it\")");
    view_refuses(&driver, "command panel 6\n", "there are panels 1 to 5");
    view_refuses(&driver, "command panel 99999999999999999999\n", "takes nothing or a number");
    view_refuses(&driver, "command panel-choose 0\n", "there is no such line");
    view_do(&driver, "command panel 2\n");
    CU_ASSERT_EQUAL(driver.viewer->panel, VIEW_PANEL_STATISTICS);
    view_do(&driver, "key :\ntype panel 1\nkey Enter\n");
    CU_ASSERT_EQUAL(driver.viewer->panel, VIEW_PANEL_MISSES);
    view_do(&driver, "key :\ntype no-such\nkey Enter\nexpect there is no command \"no-such\"\n");
    CU_ASSERT(viewer_wants_text(driver.viewer)); /* to be corrected */
    view_do(&driver, "key ctrl+u\ntype command quit\nkey Enter\nexpect without :\n");
    CU_ASSERT_FALSE(viewer_is_closed(driver.viewer));
    view_do(&driver, "key Esc\n");
    CU_ASSERT_FALSE(viewer_wants_text(driver.viewer));
    view_driver_close(&driver);
}

static void lines_of_scripts_that_are_wrong(void) {
    static const char *const wrong[][2] = {
        {"press 1 2", "scripts have no \"press\""},
        {"key", "key needs 1 more"},
        {"click 10", "click needs 1 more"},
        {"key nokey", "there is no key \"nokey\""},
        {"move 1 x", "word 3 must be a number (got \"x\")"},
        {"move 1 nan", "must be a number"},
        {"move 1 1e9", "must be a number"},
        {"click 1 2 top", "there is no button \"top\""},
        {"click 1 2 xshift+left", "there is no button \"xshift+left\""},
        {"click 1 2 shift+", "there is no button \"\""},
        {"click 1 2 left+shift", "there is no button \"left+shift\""},
        {"drag 1 2 3 4 shift+super+left", "there is no button \"super+left\""},
        {"wheel 1 2 3 noshift", "there is no modifier \"noshift\""},
        {"wheel 1 2 3 ctrl shft", "there is no modifier \"shft\""},
        {"wheel 1 2 3 shift+", "there is no modifier \"\""},
        {"wait -1", "wait needs 0 to 60000 milliseconds"},
        {"wait 60001", "wait needs 0 to 60000 milliseconds"},
        {"expect something", "expected \"something\", got \"\""},
        {"screenshot /nowhere/a.png", "/nowhere"},
    };
    struct view_driver driver;
    char line[3000];
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        view_refuses(&driver, wrong[i][0], wrong[i][1]);
    }
    for (size_t i = 0; i < 70; i++) {
        memcpy(line + 3 + 2 * i, " m", 3);
    }
    memcpy(line, "key", 3);
    view_refuses(&driver, line, "has more than 64 words");
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "type ", 5);
    line[sizeof line - 1] = '\0';
    view_refuses(&driver, line, "is longer than");
    view_driver_close(&driver);
}

/* Any order and number of modifiers, a blank, and what moves when it is held. */
static void modifiers_and_blanks(void) {
    struct view_driver driver;
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    view_do(&driver, "click 100 100 shift+ctrl+alt+left\nwheel 300 200 1 shift+ctrl\nwheel 300 200 1 alt\n");
    view_do(&driver, "key :\ntype jump\nkey space\ntype 1ms\nkey Enter\nexpect at 1 ms\n");
    view_driver_close(&driver);
    CU_ASSERT(view_key_repeats('w') && view_key_repeats(VIEW_KEY_LEFT) && view_key_repeats('+'));
    CU_ASSERT(!view_key_repeats('l') && !view_key_repeats(VIEW_KEY_F5) && !view_key_repeats('?'));
    CU_ASSERT(!view_key_repeats(VIEW_KEY_NONE) && !view_key_repeats(' ') && !view_key_repeats('/'));
}

/* What belongs to the key that opened the prompt is not typed into it, and nothing else is lost. */
static void prompts(void) {
    struct view_driver driver;
    view_driver_open_text(&driver, SCENARIO, VIEW_SCENARIO);
    view_do(&driver, "key j\n");
    CU_ASSERT_STRING_EQUAL(driver.viewer->prompt_text, "");
    view_do(&driver, "key j 1 0 m s\n");
    CU_ASSERT_STRING_EQUAL(driver.viewer->prompt_text, "j10ms");
    view_do(&driver, "key ctrl+u\ntype a\xc3\xa4\nkey Backspace\n");
    CU_ASSERT_STRING_EQUAL(driver.viewer->prompt_text, "a");
    view_do(&driver, "key Esc n\ncommand search\ntype note\n"); /* the n before was no prompt's */
    CU_ASSERT_STRING_EQUAL(driver.viewer->prompt_text, "note");
    view_do(&driver, "key Esc / /\n");
    CU_ASSERT_STRING_EQUAL(driver.viewer->prompt_text, "/");
    for (int i = 0; i < VIEW_TEXT; i++) {
        struct view_input input = {.kind = VIEW_INPUT_TEXT, .text = "\xc3\xa4"};
        viewer_input(driver.viewer, &input);
    }
    CU_ASSERT(view_is_sane(&driver));
    CU_ASSERT(strlen(driver.viewer->prompt_text) < VIEW_TEXT);
    view_paint(&driver);
    view_driver_close(&driver);
}

static CU_TestInfo tests[] = {
    {"every key can be read and is nobody else's", keys_are_read_and_nobody_elses},
    {"names are unique and tell what they do", names_are_unique},
    {"every command is reached by a key or a button", every_command_is_reached},
    {"the page of keys has every key", the_page_of_keys_has_all},
    {"the manual has every command", the_manual_has_all},
    {"keys as texts", keys_as_texts},
    {"commands by their names", commands_by_name},
    {"wrong lines of scripts are refused", lines_of_scripts_that_are_wrong},
    {"modifiers and blanks", modifiers_and_blanks},
    {"prompts take what is typed", prompts},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("view_commands", tests);
}
