#include "viz/view/window.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/memory.h"
#include "viz/picture/paint.h"
#include "viz/view/script.h"
#include "viz/view/window_events.h"

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
    struct view_events events;
    char fault[300]; /* why nothing can be shown; "": it can */
    Uint32 looked;   /* at the files, ms */
    Uint32 told;     /* how far a simulation is, ms; or when it began */
    bool is_busy;    /* it has been told */
};

/* ---- events ---- */

/* Pixels of the frame per unit of SDL's pointer, which are larger on some displays. */
static double pointer_scale(const struct window *window) {
    int width = 0, height = 0;
    SDL_GetWindowSize(window->window, &width, &height);
    return width > 0 && window->width > 0 ? (double)window->width / width : 1;
}

/* The window's size, which is also what has the viewer paint all anew. */
static void take_size(struct window *window) {
    int width = 0, height = 0;
    SDL_GetRendererOutputSize(window->renderer, &width, &height);
    if (width > 0 && height > 0) { /* else it is hidden */
        struct view_input input = {.kind = VIEW_INPUT_RESIZE, .x = width, .y = height};
        viewer_input(window->viewer, &input);
    }
}

static void forget_texture(struct window *window) {
    if (window->texture != NULL) {
        SDL_DestroyTexture(window->texture);
    }
    window->texture = NULL;
}

static void take_window_event(struct window *window, const SDL_WindowEvent *event) {
    if (event->event == SDL_WINDOWEVENT_LEAVE) {
        struct view_input input = {.kind = VIEW_INPUT_LEAVE};
        viewer_input(window->viewer, &input);
    } else if (event->event == SDL_WINDOWEVENT_SIZE_CHANGED || event->event == SDL_WINDOWEVENT_EXPOSED) {
        take_size(window);
    }
}

/* What was done while the viewer was busy is forgotten, but for what the window itself was told, and for a button that went up.
 * True if Esc was pressed, or the window is to be closed. */
static bool drop_input(struct window *window) {
    SDL_Event events[64];
    bool stops = false;
    int count;
    SDL_PumpEvents();
    while ((count = SDL_PeepEvents(events, 64, SDL_GETEVENT, SDL_KEYDOWN, SDL_KEYDOWN)) > 0) {
        for (int i = 0; i < count; i++) {
            stops = stops || events[i].key.keysym.sym == SDLK_ESCAPE;
        }
    }
    SDL_FlushEvents(SDL_KEYUP, SDL_MOUSEMOTION - 1);
    SDL_FlushEvent(SDL_MOUSEMOTION);
    SDL_FlushEvent(SDL_MOUSEBUTTONDOWN);
    SDL_FlushEvent(SDL_MOUSEWHEEL);
    window->events.modifiers = SDL_GetModState();
    window->events.last_key = 0;
    return stops || SDL_HasEvent(SDL_QUIT);
}

/* To be called before and after what may simulate: long ones say how far they are (keep_on), and what is typed meanwhile is lost. */
static void begin_work(struct window *window) {
    window->told = SDL_GetTicks();
    window->is_busy = false;
}

static void end_work(struct window *window) {
    if (window->is_busy) {
        drop_input(window);
        window->is_busy = false;
    }
}

static void take_event(struct window *window, const SDL_Event *event) {
    struct view_input input;
    begin_work(window);
    window->events.scale = pointer_scale(window);
    window->events.wants_text = viewer_wants_text(window->viewer);
    if (event->type == SDL_WINDOWEVENT) {
        take_window_event(window, &event->window);
    } else if (event->type == SDL_RENDER_TARGETS_RESET || event->type == SDL_RENDER_DEVICE_RESET) {
        forget_texture(window); /* it is lost, or what was on it */
        take_size(window);
    } else if (view_events_translate(&window->events, event, &input)) {
        viewer_input(window->viewer, &input);
    }
    end_work(window);
}

/* ---- frames ---- */

/* Makes room for frames of the window's size; false if that cannot be, after SDL_SetError. */
static bool fit_frame(struct window *window, int width, int height) {
    if (width == window->width && height == window->height && window->texture != NULL) {
        return true;
    }
    forget_texture(window);
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

static bool present(struct window *window) {
    if (SDL_UpdateTexture(window->texture, NULL, window->pixels, 4 * window->width) != 0 ||
        SDL_RenderCopy(window->renderer, window->texture, NULL, NULL) != 0) {
        return false;
    }
    SDL_RenderPresent(window->renderer);
    return true;
}

/* Paints and shows what has changed. Where that fails, a new texture may help; else window->fault says why not. */
static void show_frame(struct window *window) {
    int width = 0, height = 0;
    if (viewer_wants_full_screen(window->viewer) != window->full_screen) {
        window->full_screen = !window->full_screen;
        SDL_SetWindowFullscreen(window->window, window->full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
    }
    if (SDL_GetRendererOutputSize(window->renderer, &width, &height) == 0 && (width <= 0 || height <= 0)) {
        return; /* nobody sees it */
    }
    bool shown = false;
    for (int tries = 0; tries < 2 && !shown; tries++) {
        if (fit_frame(window, width, height)) {
            struct grt_frame frame = frame_of(window);
            viewer_paint(window->viewer, &frame);
            shown = present(window);
        }
        if (!shown) {
            forget_texture(window);
        }
    }
    if (!shown) {
        snprintf(window->fault, sizeof window->fault, "a picture of %d x %d pixels: %s", width, height,
                 SDL_GetError());
    }
    SDL_SetWindowTitle(window->window, viewer_title(window->viewer));
}

/* ---- while files are read or simulated ---- */

static bool keep_on(void *state, const struct grt_play_progress *progress) {
    struct window *window = state;
    if (SDL_GetTicks() - window->told < TELL_MS) {
        return true;
    }
    window->is_busy = true;
    viewer_say_progress(window->viewer, progress);
    show_frame(window);
    window->told = SDL_GetTicks();
    return !drop_input(window) && window->fault[0] == '\0';
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
        begin_work(window);
        viewer_look_at_files(window->viewer);
        end_work(window);
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

/* Where there is no display SDL takes drivers that show nothing, and nobody would see the window, or end it: they are for those who name
 * them. */
static bool start_video(struct grt_errors *errors) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return fail(errors, "use a display");
    }
    const char *wish = getenv("SDL_VIDEODRIVER"), *taken = SDL_GetCurrentVideoDriver();
    bool shows_nothing = taken == NULL || strcmp(taken, "offscreen") == 0 || strcmp(taken, "dummy") == 0;
    if (shows_nothing && (wish == NULL || wish[0] == '\0')) {
        SDL_Quit();
        grt_error_add(
            errors, NULL,
            "there is no display, as DISPLAY or WAYLAND_DISPLAY name one: `gpurt export` draws into files, "
            "and scripts run with SDL_VIDEODRIVER=dummy");
        return false;
    }
    return true;
}

static bool open_window(struct window *window, int width, int height, struct grt_errors *errors) {
    if (!start_video(errors)) {
        return false;
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
    forget_texture(window);
    if (window->renderer != NULL) {
        SDL_DestroyRenderer(window->renderer);
    }
    if (window->window != NULL) {
        SDL_DestroyWindow(window->window);
    }
    SDL_Quit();
}

bool view_window_find_display(double *text_size, struct grt_errors *errors) {
    float dpi = 0;
    if (!start_video(errors)) {
        return false;
    }
    bool known = SDL_GetDisplayDPI(0, NULL, &dpi, NULL) == 0 && dpi > 48 && dpi < 600;
    SDL_Quit(); /* SDL keeps Ctrl+C for itself: until there is a window it is to end the program */
    double size = known ? 13 * (double)dpi / 96 : 0;
    *text_size = size < VIEWER_MOST_TEXT ? size : VIEWER_MOST_TEXT;
    return true;
}

/* ---- scripts ---- */

static void script_send(void *state, const struct view_input *input) {
    struct window *window = state;
    SDL_Event event;
    if (input->kind == VIEW_INPUT_RESIZE) {
        SDL_SetWindowSize(window->window, (int)input->x, (int)input->y);
    } else {
        view_events_make(input, &event);
        window->events.modifiers = view_events_modifiers(input); /* as keys before had said */
        SDL_PushEvent(&event);
    }
    handle_events(window, 0);
}

static bool script_command(void *state, const char *text, struct grt_errors *errors) {
    struct window *window = state;
    begin_work(window);
    bool done = viewer_command(window->viewer, text, errors);
    end_work(window);
    handle_events(window, 0);
    return done;
}

static bool script_screenshot(void *state, const char *path, struct grt_errors *errors) {
    struct window *window = state;
    handle_events(window, 0);
    show_frame(window);
    if (window->fault[0] != '\0') {
        grt_error_add(errors, NULL, "cannot show %s", window->fault);
        return false;
    }
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

static bool play_script(struct window *window, const char *script, struct grt_errors *errors) {
    struct view_script_player player = {window,      script_send,   script_command, script_screenshot,
                                        script_wait, script_message};
    return view_script_play(script, &player, errors);
}

bool view_window_show(struct viewer *viewer, int width, int height, const char *script,
                      struct grt_errors *errors) {
    struct window window = {.viewer = viewer, .events.scale = 1};
    bool good = open_window(&window, width, height, errors);
    if (good) {
        struct grt_play_watch watch = {.keep_on = keep_on, .asker = &window};
        viewer_set_watch(viewer, &watch);
        handle_events(&window, 0);
        show_frame(&window);
        good = script == NULL || play_script(&window, script, errors);
    }
    while (good && script == NULL && !viewer_is_closed(viewer) && window.fault[0] == '\0') {
        handle_events(&window, LOOK_MS);
    }
    if (good && window.fault[0] != '\0') {
        grt_error_add(errors, NULL, "cannot show %s", window.fault);
        good = false;
    }
    viewer_set_watch(viewer, &(struct grt_play_watch){0});
    close_window(&window);
    return good;
}
