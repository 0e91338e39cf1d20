#include "viz/view/window.h"

#include <SDL.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/view/script.h"

enum {
    LOOK_MS = 400, /* how often files are looked at */
    TELL_MS = 250, /* how often a simulation says how far it is */
};

struct window {
    struct viewer *viewer;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    uint32_t *pixels;
    int width, height; /* of the frame */
    bool full_screen;
    Uint32 looked; /* at the files, ms */
    Uint32 told;   /* how far a simulation is, ms */
};

/* ---- events ---- */

static const struct {
    SDL_Keycode sdl;
    int key;
} special_keys[] = {
    {SDLK_ESCAPE, VIEW_KEY_ESCAPE},
    {SDLK_RETURN, VIEW_KEY_ENTER},
    {SDLK_KP_ENTER, VIEW_KEY_ENTER},
    {SDLK_TAB, VIEW_KEY_TAB},
    {SDLK_BACKSPACE, VIEW_KEY_BACKSPACE},
    {SDLK_DELETE, VIEW_KEY_DELETE},
    {SDLK_LEFT, VIEW_KEY_LEFT},
    {SDLK_RIGHT, VIEW_KEY_RIGHT},
    {SDLK_UP, VIEW_KEY_UP},
    {SDLK_DOWN, VIEW_KEY_DOWN},
    {SDLK_PAGEUP, VIEW_KEY_PAGE_UP},
    {SDLK_PAGEDOWN, VIEW_KEY_PAGE_DOWN},
    {SDLK_HOME, VIEW_KEY_HOME},
    {SDLK_END, VIEW_KEY_END},
    {SDLK_SPACE, ' '},
};

enum { SPECIAL_KEYS = sizeof special_keys / sizeof special_keys[0] };

static unsigned modifiers_of(unsigned sdl) {
    return ((sdl & KMOD_SHIFT) != 0 ? VIEW_SHIFT : 0U) | ((sdl & KMOD_CTRL) != 0 ? VIEW_CTRL : 0U) |
           ((sdl & KMOD_ALT) != 0 ? VIEW_ALT : 0U);
}

/* Letters, digits and keys without a character; signs come as text, since where they are depends on the keyboard. */
static int key_of(const SDL_Keysym *keysym, unsigned modifiers) {
    for (int i = 0; i < SPECIAL_KEYS; i++) {
        if (special_keys[i].sdl == keysym->sym) {
            return special_keys[i].key;
        }
    }
    if (keysym->sym >= SDLK_F1 && keysym->sym <= SDLK_F12) {
        return VIEW_KEY_F1 + (int)(keysym->sym - SDLK_F1);
    }
    bool is_character = keysym->sym > ' ' && keysym->sym < 0x7f;
    bool is_plain = is_character && isalnum((int)keysym->sym);
    return is_plain || (is_character && (modifiers & (VIEW_CTRL | VIEW_ALT)) != 0) ? (int)keysym->sym
                                                                                   : VIEW_KEY_NONE;
}

/* Pixels of the frame per unit of SDL's pointer, which are larger on some displays. */
static double pointer_scale(const struct window *window) {
    int width = 0, height = 0;
    SDL_GetWindowSize(window->window, &width, &height);
    return width > 0 ? (double)window->width / width : 1;
}

static bool translate_key(const SDL_KeyboardEvent *event, struct view_input *input) {
    input->kind = VIEW_INPUT_KEY;
    input->modifiers = modifiers_of(event->keysym.mod);
    input->key = key_of(&event->keysym, input->modifiers);
    return input->key != VIEW_KEY_NONE;
}

static bool translate_button(const struct window *window, const SDL_MouseButtonEvent *event,
                             struct view_input *input) {
    double scale = pointer_scale(window);
    input->kind = event->type == SDL_MOUSEBUTTONDOWN ? VIEW_INPUT_PRESS : VIEW_INPUT_RELEASE;
    input->button = (enum view_button)event->button; /* SDL numbers them alike */
    input->clicks = event->clicks;
    input->x = event->x * scale;
    input->y = event->y * scale;
    input->modifiers = modifiers_of(SDL_GetModState());
    return event->button >= SDL_BUTTON_LEFT && event->button <= SDL_BUTTON_RIGHT;
}

static bool translate_window(const struct window *window, const SDL_WindowEvent *event,
                             struct view_input *input) {
    int width = 0, height = 0;
    switch (event->event) {
    case SDL_WINDOWEVENT_LEAVE:
        input->kind = VIEW_INPUT_LEAVE;
        return true;
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_EXPOSED:
        SDL_GetRendererOutputSize(window->renderer, &width, &height);
        *input = (struct view_input){.kind = VIEW_INPUT_RESIZE, .x = width, .y = height};
        return true;
    default:
        return false;
    }
}

/* What an event means to the viewer; false if nothing. */
static bool translate(const struct window *window, const SDL_Event *event, struct view_input *input) {
    double scale = pointer_scale(window);
    *input = (struct view_input){0};
    switch (event->type) {
    case SDL_QUIT:
        input->kind = VIEW_INPUT_CLOSE;
        return true;
    case SDL_KEYDOWN:
        return translate_key(&event->key, input);
    case SDL_TEXTINPUT:
        input->kind = VIEW_INPUT_TEXT;
        memcpy(input->text, event->text.text, sizeof input->text);
        return true;
    case SDL_MOUSEMOTION:
        *input = (struct view_input){
            .kind = VIEW_INPUT_MOVE, .x = event->motion.x * scale, .y = event->motion.y * scale};
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return translate_button(window, &event->button, input);
    case SDL_MOUSEWHEEL:
        *input = (struct view_input){.kind = VIEW_INPUT_WHEEL,
                                     .x = event->wheel.mouseX * scale,
                                     .y = event->wheel.mouseY * scale,
                                     .wheel_x = event->wheel.preciseX,
                                     .wheel_y = event->wheel.preciseY,
                                     .modifiers = modifiers_of(SDL_GetModState())};
        return true;
    case SDL_WINDOWEVENT:
        return translate_window(window, &event->window, input);
    default:
        return false;
    }
}

static void take_event(struct window *window, const SDL_Event *event) {
    struct view_input input;
    window->told = SDL_GetTicks();
    if (translate(window, event, &input)) {
        viewer_input(window->viewer, &input);
    }
}

/* ---- frames ---- */

/* Makes room for frames of the window's size. */
static bool fit_frame(struct window *window) {
    int width = 0, height = 0;
    SDL_GetRendererOutputSize(window->renderer, &width, &height);
    if (width == window->width && height == window->height && window->texture != NULL) {
        return true;
    }
    if (window->texture != NULL) {
        SDL_DestroyTexture(window->texture);
    }
    free(window->pixels);
    window->width = width;
    window->height = height;
    window->pixels = grt_allocate(4 * (size_t)width * (size_t)height + 4);
    window->texture = SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_ARGB8888,
                                        SDL_TEXTUREACCESS_STREAMING, width, height);
    return window->texture != NULL;
}

static struct grt_frame frame_of(const struct window *window) {
    return (struct grt_frame){window->pixels, window->width, window->height, 4 * (size_t)window->width, 1};
}

/* Paints and shows what has changed. */
static void show_frame(struct window *window) {
    if (viewer_wants_full_screen(window->viewer) != window->full_screen) {
        window->full_screen = !window->full_screen;
        SDL_SetWindowFullscreen(window->window, window->full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    }
    if (!fit_frame(window)) {
        return;
    }
    struct grt_frame frame = frame_of(window);
    viewer_paint(window->viewer, &frame);
    SDL_SetWindowTitle(window->window, viewer_title(window->viewer));
    SDL_UpdateTexture(window->texture, NULL, window->pixels, 4 * window->width);
    SDL_RenderCopy(window->renderer, window->texture, NULL, NULL);
    SDL_RenderPresent(window->renderer);
}

/* ---- while files are read or simulated ---- */

/* Whether Esc was pressed, or the window is to be closed; everything else waits. */
static bool is_stopped(void) {
    SDL_Event events[64];
    SDL_PumpEvents();
    int count = SDL_PeepEvents(events, 64, SDL_PEEKEVENT, SDL_QUIT, SDL_QUIT);
    if (count > 0) {
        return true;
    }
    count = SDL_PeepEvents(events, 64, SDL_PEEKEVENT, SDL_KEYDOWN, SDL_KEYDOWN);
    for (int i = 0; i < count; i++) {
        if (events[i].key.keysym.sym == SDLK_ESCAPE) {
            SDL_FlushEvent(SDL_KEYDOWN);
            return true;
        }
    }
    return false;
}

static bool keep_on(void *state, const struct grt_play_progress *progress) {
    struct window *window = state;
    if (SDL_GetTicks() - window->told < TELL_MS) {
        return true;
    }
    viewer_say_progress(window->viewer, progress);
    show_frame(window);
    window->told = SDL_GetTicks();
    return !is_stopped();
}

/* ---- life ---- */

/* Handles what has happened, at most waiting so long for the first of it. */
static void handle_events(struct window *window, int wait_ms) {
    SDL_Event event;
    if (SDL_WaitEventTimeout(&event, wait_ms) != 0) {
        take_event(window, &event);
        while (SDL_PollEvent(&event) != 0) {
            take_event(window, &event);
        }
    }
    if (SDL_GetTicks() - window->looked >= LOOK_MS) {
        viewer_look_at_files(window->viewer);
        window->looked = SDL_GetTicks();
    }
    if (viewer_has_changed(window->viewer)) {
        show_frame(window);
    }
}

static bool fail(struct grt_errors *errors, const char *what) {
    grt_error_add(errors, NULL, "cannot %s: %s", what, SDL_GetError());
    return false;
}

static bool open_window(struct window *window, int width, int height, struct grt_errors *errors) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return fail(errors, "use a display");
    }
    window->window =
        SDL_CreateWindow(viewer_title(window->viewer), SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                         width, height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    if (window->window == NULL) {
        return fail(errors, "open a window");
    }
    SDL_SetWindowMinimumSize(window->window, VIEWER_LEAST_SIDE, VIEWER_LEAST_SIDE);
    window->renderer = SDL_CreateRenderer(window->window, -1, 0);
    if (window->renderer == NULL) {
        window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_SOFTWARE);
    }
    if (window->renderer == NULL) {
        return fail(errors, "draw in a window");
    }
    SDL_StartTextInput();
    window->looked = SDL_GetTicks();
    return true;
}

static void close_window(struct window *window) {
    free(window->pixels);
    if (window->texture != NULL) {
        SDL_DestroyTexture(window->texture);
    }
    if (window->renderer != NULL) {
        SDL_DestroyRenderer(window->renderer);
    }
    if (window->window != NULL) {
        SDL_DestroyWindow(window->window);
    }
    SDL_Quit();
}

double view_window_text_size(void) {
    float dpi = 0;
    bool known = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0 && SDL_GetDisplayDPI(0, NULL, &dpi, NULL) == 0;
    SDL_Quit(); /* SDL keeps Ctrl+C for itself: until there is a window it is to end the program */
    double size = known && dpi > 48 && dpi < 600 ? 13 * (double)dpi / 96 : 0;
    return size < VIEWER_MOST_TEXT ? size : VIEWER_MOST_TEXT;
}

/* ---- scripts: what they say goes the way of real events ---- */

static SDL_Keycode keycode_of(int key) {
    for (int i = 0; i < SPECIAL_KEYS; i++) {
        if (special_keys[i].key == key) {
            return special_keys[i].sdl;
        }
    }
    return key >= VIEW_KEY_F1 ? SDLK_F1 + (key - VIEW_KEY_F1) : key;
}

static Uint16 mod_of(unsigned modifiers) {
    return (Uint16)(((modifiers & VIEW_SHIFT) != 0 ? KMOD_LSHIFT : 0) |
                    ((modifiers & VIEW_CTRL) != 0 ? KMOD_LCTRL : 0) |
                    ((modifiers & VIEW_ALT) != 0 ? KMOD_LALT : 0));
}

static void make_event(const struct view_input *input, SDL_Event *event) {
    memset(event, 0, sizeof *event);
    switch (input->kind) {
    case VIEW_INPUT_KEY:
        event->key.type = SDL_KEYDOWN;
        event->key.keysym.sym = keycode_of(input->key);
        event->key.keysym.mod = mod_of(input->modifiers);
        break;
    case VIEW_INPUT_TEXT:
        event->text.type = SDL_TEXTINPUT;
        memcpy(event->text.text, input->text, sizeof input->text);
        break;
    case VIEW_INPUT_MOVE:
        event->motion.type = SDL_MOUSEMOTION;
        event->motion.x = (Sint32)input->x;
        event->motion.y = (Sint32)input->y;
        break;
    case VIEW_INPUT_PRESS:
    case VIEW_INPUT_RELEASE:
        event->button.type = input->kind == VIEW_INPUT_PRESS ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
        event->button.button = (Uint8)input->button;
        event->button.clicks = (Uint8)input->clicks;
        event->button.x = (Sint32)input->x;
        event->button.y = (Sint32)input->y;
        break;
    case VIEW_INPUT_WHEEL:
        event->wheel.type = SDL_MOUSEWHEEL;
        event->wheel.preciseY = (float)input->wheel_y;
        event->wheel.preciseX = (float)input->wheel_x;
        event->wheel.mouseX = (Sint32)input->x;
        event->wheel.mouseY = (Sint32)input->y;
        break;
    default:
        event->type = SDL_QUIT;
        break;
    }
}

static void script_send(void *state, const struct view_input *input) {
    struct window *window = state;
    SDL_Event event;
    if (input->kind == VIEW_INPUT_RESIZE) {
        SDL_SetWindowSize(window->window, (int)input->x, (int)input->y);
    } else {
        make_event(input, &event);
        SDL_SetModState((SDL_Keymod)mod_of(input->modifiers)); /* which pushed events do not change */
        SDL_PushEvent(&event);
    }
    handle_events(window, 0);
    SDL_SetModState(KMOD_NONE);
}

static bool script_command(void *state, const char *text, struct grt_errors *errors) {
    struct window *window = state;
    bool done = viewer_command(window->viewer, text, errors);
    handle_events(window, 0);
    return done;
}

static bool script_screenshot(void *state, const char *path, struct grt_errors *errors) {
    struct window *window = state;
    handle_events(window, 0);
    show_frame(window);
    struct grt_frame frame = frame_of(window);
    return grt_paint_frame_png(&frame, path, errors);
}

static void script_wait(void *state, int ms) {
    struct window *window = state;
    Uint32 begin = SDL_GetTicks();
    while (SDL_GetTicks() - begin < (Uint32)ms && !viewer_is_closed(window->viewer)) {
        handle_events(window, 10);
    }
}

static const char *script_message(void *state) {
    struct window *window = state;
    return viewer_message(window->viewer);
}

bool view_window_show(struct viewer *viewer, int width, int height, const char *script,
                      struct grt_errors *errors) {
    struct window window = {.viewer = viewer};
    bool good = open_window(&window, width, height, errors);
    if (good) {
        struct grt_play_watch watch = {.keep_on = keep_on, .asker = &window};
        viewer_set_watch(viewer, &watch);
        handle_events(&window, 0);
        show_frame(&window);
    }
    if (good && script != NULL) {
        struct view_script_player player = {&window,           script_send, script_command,
                                            script_screenshot, script_wait, script_message};
        good = view_script_play(script, &player, errors);
    }
    while (good && script == NULL && !viewer_is_closed(viewer)) {
        handle_events(&window, LOOK_MS);
    }
    viewer_set_watch(viewer, &(struct grt_play_watch){0});
    close_window(&window);
    return good;
}
