/* labels: view window */
/* What SDL tells, as input: keyboards of other languages, number pads, shortcuts, keys that are held, buttons. The events are those
 * that SDL 2.26 made under X with the keyboards named. */
#include <SDL.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/view_traces.h"
#include "viz/view/window.h"
#include "viz/view/window_events.h"

static struct view_events events;
static struct view_input input;

static void begin(void) {
    events = (struct view_events){.scale = 1};
}

static bool key_event(SDL_Keycode sym, SDL_Scancode place, unsigned mod, bool repeats) {
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .repeat = repeats}};
    event.key.keysym = (SDL_Keysym){.scancode = place, .sym = sym, .mod = (Uint16)mod};
    return view_events_translate(&events, &event, &input);
}

static bool key(SDL_Keycode sym, SDL_Scancode place, unsigned mod) {
    return key_event(sym, place, mod, false);
}

static bool text(const char *typed) {
    SDL_Event event = {.text = {.type = SDL_TEXTINPUT}};
    snprintf(event.text.text, sizeof event.text.text, "%s", typed);
    return view_events_translate(&events, &event, &input);
}

static bool is_key(int wanted, unsigned modifiers) {
    return input.kind == VIEW_INPUT_KEY && input.key == wanted && input.modifiers == modifiers;
}

static bool is_text(const char *wanted) {
    return input.kind == VIEW_INPUT_TEXT && strcmp(input.text, wanted) == 0;
}

/* ---- keyboards ---- */

static void us_keyboard(void) {
    begin();
    CU_ASSERT(key('n', SDL_SCANCODE_N, 0) && is_key('n', 0));
    CU_ASSERT(key('n', SDL_SCANCODE_N, KMOD_RSHIFT) && is_key('n', VIEW_SHIFT));
    CU_ASSERT(text("N") && is_text("N"));
    CU_ASSERT(!key('=', SDL_SCANCODE_EQUALS, 0)); /* comes as text */
    CU_ASSERT(text("=") && is_text("="));
    CU_ASSERT(!key(';', SDL_SCANCODE_SEMICOLON, KMOD_LSHIFT));
    CU_ASSERT(text(":") && is_text(":"));
    CU_ASSERT(key(SDLK_F12, SDL_SCANCODE_F12, 0) && is_key(VIEW_KEY_F12, 0));
    CU_ASSERT(key('1', SDL_SCANCODE_1, 0) && is_key('1', 0));
    CU_ASSERT(!key('1', SDL_SCANCODE_1, KMOD_LSHIFT) || is_key('1', VIEW_SHIFT));
    CU_ASSERT(text("!") && is_text("!"));
    CU_ASSERT(!key(SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, KMOD_LSHIFT));
}

static void shortcuts_are_no_text(void) {
    begin();
    CU_ASSERT(key('=', SDL_SCANCODE_EQUALS, KMOD_LCTRL) && is_key('=', VIEW_CTRL));
    CU_ASSERT(!text("="));
    CU_ASSERT(key('-', SDL_SCANCODE_MINUS, KMOD_RCTRL) && is_key('-', VIEW_CTRL));
    CU_ASSERT(!text("-"));
    CU_ASSERT(key('=', SDL_SCANCODE_EQUALS, KMOD_LCTRL | KMOD_LSHIFT) && is_key('+', VIEW_CTRL));
    CU_ASSERT(!text("+"));
    CU_ASSERT(key('g', SDL_SCANCODE_G, KMOD_LCTRL | KMOD_LSHIFT) && is_key('g', VIEW_CTRL | VIEW_SHIFT));
    CU_ASSERT(!key('q', SDL_SCANCODE_Q, KMOD_LGUI));
    CU_ASSERT(!text("q"));
    CU_ASSERT(!text("=") && events.modifiers == KMOD_LGUI);
    SDL_Event up = {.key = {.type = SDL_KEYUP}};
    CU_ASSERT(!view_events_translate(&events, &up, &input));
    CU_ASSERT(text("=") && is_text("="));
}

/* AltGr and 8 are [, AltGr and Q are @; Windows calls AltGr Ctrl and right Alt. */
static void german_keyboard(void) {
    begin();
    CU_ASSERT(!key('8', SDL_SCANCODE_8, KMOD_RALT) || is_key('8', VIEW_ALT));
    CU_ASSERT(text("[") && is_text("["));
    CU_ASSERT(!key('8', SDL_SCANCODE_8, KMOD_RALT | KMOD_LCTRL) || is_key('8', VIEW_ALT | VIEW_CTRL));
    events.last_key = 0;
    CU_ASSERT(text("[") && is_text("["));
    CU_ASSERT(key('z', SDL_SCANCODE_Y, 0) && is_key('z', 0)); /* what is written on it */
    CU_ASSERT(!key(0xfc, SDL_SCANCODE_LEFTBRACKET, 0));       /* ü is no [ */
    CU_ASSERT(text("\xc3\xbc") && is_text("\xc3\xbc"));
    CU_ASSERT(key('+', SDL_SCANCODE_RIGHTBRACKET, KMOD_LCTRL) && is_key('+', VIEW_CTRL));
    CU_ASSERT(!text("+"));
}

/* SDL calls the upper row by its digits, which need Shift. */
static void french_keyboard(void) {
    begin();
    CU_ASSERT(key('a', SDL_SCANCODE_Q, 0) && is_key('a', 0));
    CU_ASSERT(key('1', SDL_SCANCODE_1, 0) && is_key('1', 0));
    CU_ASSERT(text("&") && is_text("&"));
    CU_ASSERT(key('1', SDL_SCANCODE_1, KMOD_LSHIFT) && is_key('1', VIEW_SHIFT));
    CU_ASSERT(text("1") && is_key('1', 0));
    events.wants_text = true;
    CU_ASSERT(text("1") && is_text("1"));
    events.wants_text = false;
    CU_ASSERT(key('6', SDL_SCANCODE_6, 0));
    CU_ASSERT(text("-") && is_text("-"));
    CU_ASSERT(key('6', SDL_SCANCODE_6, KMOD_LCTRL) && is_key('6', VIEW_CTRL));
    CU_ASSERT(text("-") && is_key('-', VIEW_CTRL));
    CU_ASSERT(key('6', SDL_SCANCODE_6, KMOD_LGUI | KMOD_LCTRL) == false);
    CU_ASSERT(!text("-"));
}

static void russian_keyboard(void) {
    begin();
    CU_ASSERT(key(0x439, SDL_SCANCODE_Q, 0) && is_key('q', 0));
    CU_ASSERT(!text("\xd0\xb9"));
    CU_ASSERT(key(0x442, SDL_SCANCODE_N, KMOD_LSHIFT) && is_key('n', VIEW_SHIFT));
    CU_ASSERT(key(0x430, SDL_SCANCODE_F, KMOD_LCTRL) && is_key('f', VIEW_CTRL));
    CU_ASSERT(key(0x445, SDL_SCANCODE_LEFTBRACKET, 0) && is_key('[', 0));
    CU_ASSERT(key(0x445, SDL_SCANCODE_LEFTBRACKET, KMOD_LSHIFT) && is_key('{', 0));
    CU_ASSERT(key(0x436, SDL_SCANCODE_SEMICOLON, KMOD_LSHIFT) && is_key(':', 0));
    CU_ASSERT(!text("\xd0\x96")); /* which the key that opened a prompt wrote */
    CU_ASSERT(!key('=', SDL_SCANCODE_EQUALS, 0));
    CU_ASSERT(text("=") && is_text("="));
    events.wants_text = true;
    CU_ASSERT(key(0x439, SDL_SCANCODE_Q, 0));
    CU_ASSERT(text("\xd0\xb9") && is_text("\xd0\xb9"));
}

static void number_pad(void) {
    begin();
    CU_ASSERT(key(SDLK_KP_1, SDL_SCANCODE_KP_1, KMOD_NUM) && is_key('1', 0));
    CU_ASSERT(text("1") && is_text("1"));
    CU_ASSERT(key(SDLK_KP_1, SDL_SCANCODE_KP_1, 0) && is_key(VIEW_KEY_END, 0));
    CU_ASSERT(key(SDLK_KP_8, SDL_SCANCODE_KP_8, 0) && is_key(VIEW_KEY_UP, 0));
    CU_ASSERT(!key(SDLK_KP_5, SDL_SCANCODE_KP_5, 0));
    CU_ASSERT(!key(SDLK_KP_PLUS, SDL_SCANCODE_KP_PLUS, KMOD_NUM));
    CU_ASSERT(text("+") && is_text("+"));
    CU_ASSERT(key(SDLK_KP_PLUS, SDL_SCANCODE_KP_PLUS, KMOD_LCTRL) && is_key('+', VIEW_CTRL));
    CU_ASSERT(!text("+"));
    CU_ASSERT(key(SDLK_KP_0, SDL_SCANCODE_KP_0, KMOD_LCTRL | KMOD_NUM) && is_key('0', VIEW_CTRL));
    CU_ASSERT(key(SDLK_KP_ENTER, SDL_SCANCODE_KP_ENTER, 0) && is_key(VIEW_KEY_ENTER, 0));
}

/* ---- keys that are held ---- */

static void held_keys(void) {
    begin();
    CU_ASSERT(key('l', SDL_SCANCODE_L, 0));
    CU_ASSERT(!key_event('l', SDL_SCANCODE_L, 0, true));
    CU_ASSERT(key(SDLK_F5, SDL_SCANCODE_F5, 0));
    CU_ASSERT(!key_event(SDLK_F5, SDL_SCANCODE_F5, 0, true));
    CU_ASSERT(key(SDLK_RIGHT, SDL_SCANCODE_RIGHT, 0));
    CU_ASSERT(key_event(SDLK_RIGHT, SDL_SCANCODE_RIGHT, 0, true) && is_key(VIEW_KEY_RIGHT, 0));
    CU_ASSERT(key('w', SDL_SCANCODE_W, 0));
    CU_ASSERT(key_event('w', SDL_SCANCODE_W, 0, true) && is_key('w', 0));
    key('=', SDL_SCANCODE_EQUALS, 0);
    CU_ASSERT(text("="));
    key_event('=', SDL_SCANCODE_EQUALS, 0, true);
    CU_ASSERT(text("="));
    key('/', SDL_SCANCODE_SLASH, KMOD_LSHIFT);
    CU_ASSERT(text("?"));
    key_event('/', SDL_SCANCODE_SLASH, KMOD_LSHIFT, true);
    CU_ASSERT(!text("?"));
    CU_ASSERT(key('j', SDL_SCANCODE_J, 0)); /* opens a prompt, and is not for it */
    CU_ASSERT(text("j"));
    events.wants_text = true;
    CU_ASSERT(!key_event('j', SDL_SCANCODE_J, 0, true));
    CU_ASSERT(!text("j"));
    CU_ASSERT(key('a', SDL_SCANCODE_A, 0)); /* in the prompt it may repeat */
    CU_ASSERT(text("a"));
    CU_ASSERT(key_event('a', SDL_SCANCODE_A, 0, true));
    CU_ASSERT(text("a") && is_text("a"));
}

/* ---- the pointer ---- */

static bool button(Uint32 type, Uint8 number) {
    SDL_Event event = {.button = {.type = type, .button = number, .clicks = 1, .x = 3, .y = 4}};
    return view_events_translate(&events, &event, &input);
}

static void one_button_at_a_time(void) {
    begin();
    events.scale = 2;
    CU_ASSERT(!button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT)); /* it went down while nobody looked */
    CU_ASSERT(button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT));
    CU_ASSERT(input.kind == VIEW_INPUT_PRESS && input.x == 6 && input.y == 8);
    CU_ASSERT(!button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT));
    CU_ASSERT(!button(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT));
    CU_ASSERT(button(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT) && input.kind == VIEW_INPUT_RELEASE);
    CU_ASSERT(button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT) && input.button == VIEW_BUTTON_RIGHT);
    CU_ASSERT(button(SDL_MOUSEBUTTONUP, SDL_BUTTON_RIGHT));
    CU_ASSERT(!button(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_X1));
}

static void wheel_with_keys_of_that_time(void) {
    begin();
    key(SDLK_LCTRL, SDL_SCANCODE_LCTRL, KMOD_LCTRL);
    SDL_Event wheel = {.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = 1, .mouseX = 7}};
    CU_ASSERT(view_events_translate(&events, &wheel, &input));
    CU_ASSERT(input.modifiers == VIEW_CTRL && input.wheel_y == 1 && input.x == 7);
}

/* ---- the whole window ---- */

static int failures; /* of SDL_UpdateTexture, from now on */

/* Stands in for SDL's own, so that it can fail. */
int SDL_UpdateTexture(SDL_Texture *texture, const SDL_Rect *area, const void *pixels, int pitch) {
    void *to;
    int to_pitch, width, height;
    if (failures > 0) {
        failures--;
        return SDL_SetError("the device is lost");
    }
    if (SDL_QueryTexture(texture, NULL, NULL, &width, &height) != 0 ||
        SDL_LockTexture(texture, area, &to, &to_pitch) != 0) {
        return -1;
    }
    for (int y = 0; y < height; y++) {
        memcpy((char *)to + y * to_pitch, (const char *)pixels + y * pitch, 4 * (size_t)width);
    }
    SDL_UnlockTexture(texture);
    return 0;
}

static Uint32 reset_device(Uint32 interval, void *type) {
    SDL_Event event = {.type = *(Uint32 *)type};
    SDL_PushEvent(&event);
    return interval;
}

/* Shows a trace while SDL says again and again that textures are lost. */
static bool show_while(Uint32 type, struct grt_errors *errors) {
    const char *path = GRT_SCRATCH_DIR "/good";
    view_trace_write(VIEW_TRACE_OF_TEN_YEARS, path);
    struct viewer_options options = {.text_size = 13, .width = 400, .height = 300};
    struct viewer *viewer = viewer_create(&path, 1, &options, errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(viewer);
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
    CU_ASSERT_EQUAL_FATAL(SDL_Init(SDL_INIT_TIMER), 0);
    SDL_TimerID timer = SDL_AddTimer(20, reset_device, &type);
    bool done = view_window_show(viewer, 400, 300,
                                 "screenshot " GRT_SCRATCH_DIR "/before.png\nwait 300\n"
                                 "screenshot " GRT_SCRATCH_DIR "/after.png\n",
                                 errors);
    SDL_RemoveTimer(timer);
    viewer_free(viewer);
    return done;
}

static void textures_are_made_anew(void) {
    static const Uint32 types[] = {SDL_RENDER_DEVICE_RESET, SDL_RENDER_TARGETS_RESET};
    for (int i = 0; i < 2; i++) {
        struct grt_errors errors = {0};
        CU_ASSERT(show_while(types[i], &errors));
        grt_errors_print(&errors, stderr, "");
        grt_errors_clear(&errors);
    }
}

static void a_second_texture_may_do(void) {
    struct grt_errors errors = {0};
    failures = 1;
    CU_ASSERT(show_while(SDL_USEREVENT, &errors));
    CU_ASSERT_EQUAL(failures, 0);
    CU_ASSERT_EQUAL(errors.count, 0);
    grt_errors_clear(&errors);
}

static void nothing_can_be_shown(void) {
    struct grt_errors errors = {0};
    failures = 1000;
    CU_ASSERT_FALSE(show_while(SDL_USEREVENT, &errors));
    failures = 0;
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(errors.messages[0], "cannot show a picture of 400 x 300 pixels: the device is lost"));
    grt_errors_clear(&errors);
}

static CU_TestInfo tests[] = {
    {"US keyboard", us_keyboard},
    {"shortcuts are no text", shortcuts_are_no_text},
    {"German keyboard", german_keyboard},
    {"French keyboard", french_keyboard},
    {"Russian keyboard", russian_keyboard},
    {"number pad", number_pad},
    {"held keys", held_keys},
    {"one button at a time", one_button_at_a_time},
    {"a wheel with the keys of that time", wheel_with_keys_of_that_time},
    {"textures are made anew", textures_are_made_anew},
    {"a second texture may do", a_second_texture_may_do},
    {"nothing can be shown", nothing_can_be_shown},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("window_events", tests);
}
