#include "viz/view/window_events.h"

#include <ctype.h>
#include <string.h>

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

/* Keys of the number pad: what they are while numbers are locked, and otherwise. Its signs come as text, but with Ctrl. */
static const struct {
    SDL_Keycode sdl;
    int locked, unlocked;
} pad_keys[] = {
    {SDLK_KP_0, '0', VIEW_KEY_NONE},
    {SDLK_KP_1, '1', VIEW_KEY_END},
    {SDLK_KP_2, '2', VIEW_KEY_DOWN},
    {SDLK_KP_3, '3', VIEW_KEY_PAGE_DOWN},
    {SDLK_KP_4, '4', VIEW_KEY_LEFT},
    {SDLK_KP_5, '5', VIEW_KEY_NONE},
    {SDLK_KP_6, '6', VIEW_KEY_RIGHT},
    {SDLK_KP_7, '7', VIEW_KEY_HOME},
    {SDLK_KP_8, '8', VIEW_KEY_UP},
    {SDLK_KP_9, '9', VIEW_KEY_PAGE_UP},
    {SDLK_KP_PERIOD, VIEW_KEY_NONE, VIEW_KEY_DELETE},
};

/* ---- modifiers ---- */

static unsigned modifiers_of(unsigned sdl) {
    return ((sdl & KMOD_SHIFT) != 0 ? VIEW_SHIFT : 0U) | ((sdl & KMOD_CTRL) != 0 ? VIEW_CTRL : 0U) |
           ((sdl & KMOD_ALT) != 0 ? VIEW_ALT : 0U);
}

unsigned view_events_modifiers(const struct view_input *input) {
    return ((input->modifiers & VIEW_SHIFT) != 0 ? KMOD_LSHIFT : 0U) |
           ((input->modifiers & VIEW_CTRL) != 0 ? KMOD_LCTRL : 0U) |
           ((input->modifiers & VIEW_ALT) != 0 ? KMOD_LALT : 0U);
}

/* With the right Alt key (AltGr) signs are written, which Windows reports as Ctrl and Alt. */
static bool is_shortcut(unsigned sdl) {
    return (sdl & KMOD_GUI) != 0 || ((sdl & KMOD_CTRL) != 0 && (sdl & (KMOD_MODE | KMOD_RALT)) == 0);
}

/* ---- keys ---- */

static int find_special(SDL_Keycode sym) {
    for (int i = 0; i < SPECIAL_KEYS; i++) {
        if (special_keys[i].sdl == sym) {
            return special_keys[i].key;
        }
    }
    return sym >= SDLK_F1 && sym <= SDLK_F12 ? VIEW_KEY_F1 + (int)(sym - SDLK_F1) : VIEW_KEY_NONE;
}

static bool is_pad_key(SDL_Keycode sym) {
    return sym >= SDLK_KP_DIVIDE && sym <= SDLK_KP_PERIOD;
}

static int pad_key(const SDL_Keysym *keysym) {
    for (size_t i = 0; i < sizeof pad_keys / sizeof pad_keys[0]; i++) {
        if (pad_keys[i].sdl == keysym->sym) {
            return (keysym->mod & KMOD_NUM) != 0 ? pad_keys[i].locked : pad_keys[i].unlocked;
        }
    }
    bool with_ctrl = (keysym->mod & KMOD_CTRL) != 0;
    return with_ctrl && keysym->sym == SDLK_KP_PLUS    ? '+'
           : with_ctrl && keysym->sym == SDLK_KP_MINUS ? '-'
                                                       : VIEW_KEY_NONE;
}

/* What is at that place of a US keyboard; VIEW_KEY_NONE but for letters and signs. */
static int us_key(SDL_Scancode scancode, bool shift) {
    static const struct {
        SDL_Scancode scancode;
        char plain, shifted;
    } signs[] = {
        {SDL_SCANCODE_MINUS, '-', '_'},       {SDL_SCANCODE_EQUALS, '=', '+'},
        {SDL_SCANCODE_LEFTBRACKET, '[', '{'}, {SDL_SCANCODE_RIGHTBRACKET, ']', '}'},
        {SDL_SCANCODE_BACKSLASH, '\\', '|'},  {SDL_SCANCODE_SEMICOLON, ';', ':'},
        {SDL_SCANCODE_APOSTROPHE, '\'', '"'}, {SDL_SCANCODE_GRAVE, '`', '~'},
        {SDL_SCANCODE_COMMA, ',', '<'},       {SDL_SCANCODE_PERIOD, '.', '>'},
        {SDL_SCANCODE_SLASH, '/', '?'},
    };
    if (scancode >= SDL_SCANCODE_A && scancode <= SDL_SCANCODE_Z) {
        return 'a' + (int)(scancode - SDL_SCANCODE_A);
    }
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (signs[i].scancode == scancode) {
            return shift ? signs[i].shifted : signs[i].plain;
        }
    }
    return VIEW_KEY_NONE;
}

/* A key that writes what no command is called by, as on Russian keyboards: its place counts. Keyboards of Latin letters keep
 * their umlauts and accents, which are where the US have signs. */
static int key_by_place(const SDL_Keysym *keysym, unsigned *modifiers) {
    enum { LATIN = 0x250 }; /* below are the letters of Unicode that are Latin ones */
    int key = us_key(keysym->scancode, (*modifiers & VIEW_SHIFT) != 0);
    bool is_letter = key >= 'a' && key <= 'z';
    if (keysym->sym < 0x80 || (keysym->sym & SDLK_SCANCODE_MASK) != 0 ||
        (keysym->sym < LATIN && !is_letter)) {
        return VIEW_KEY_NONE;
    }
    if (!is_letter && (*modifiers & VIEW_CTRL) == 0) {
        *modifiers &= ~(unsigned)VIEW_SHIFT; /* it is in the sign */
    }
    return key;
}

/* Letters, digits and keys without a character; signs come as text, since where they are depends on the keyboard. */
static int key_of(const SDL_Keysym *keysym, unsigned *modifiers) {
    int key = find_special(keysym->sym);
    key = key != VIEW_KEY_NONE ? key : pad_key(keysym);
    key = key != VIEW_KEY_NONE ? key : key_by_place(keysym, modifiers);
    if (key != VIEW_KEY_NONE) {
        return key;
    }
    bool is_character = keysym->sym > ' ' && keysym->sym < 0x7f;
    bool is_plain = is_character && isalnum((int)keysym->sym);
    if ((*modifiers & VIEW_CTRL) != 0 && (*modifiers & VIEW_SHIFT) != 0 && keysym->sym == '=') {
        *modifiers &= ~(unsigned)VIEW_SHIFT; /* that is Ctrl and +, where + is above = */
        return '+';
    }
    return is_plain || (is_character && (*modifiers & (VIEW_CTRL | VIEW_ALT)) != 0) ? (int)keysym->sym
                                                                                    : VIEW_KEY_NONE;
}

static bool translate_key(struct view_events *events, const SDL_KeyboardEvent *event,
                          struct view_input *input) {
    bool repeats = event->repeat != 0;
    input->kind = VIEW_INPUT_KEY;
    input->modifiers = modifiers_of(event->keysym.mod);
    input->key = key_of(&event->keysym, &input->modifiers);
    events->last_key = input->key;
    events->began_in_text = repeats ? events->began_in_text : events->wants_text;
    events->held = repeats && !events->began_in_text;
    events->drop_text = event->keysym.sym >= 0x80 && input->key > ' ' && input->key < 0x7f &&
                        !is_pad_key(event->keysym.sym) && !events->began_in_text;
    bool once = events->held && (events->wants_text || !view_key_repeats(input->key));
    return input->key != VIEW_KEY_NONE && !once && (event->keysym.mod & KMOD_GUI) == 0;
}

/* ---- texts ---- */

/* Signs that are where the US have digits, as - is on French keyboards, are known by their text, with Ctrl too; digits that
 * need Shift also. */
static bool is_key_after_all(const struct view_events *events, const char *text) {
    bool at_digit =
        events->last_key < 0x80 && isdigit(events->last_key) && text[0] != '\0' && text[1] == '\0';
    unsigned held = modifiers_of(events->modifiers);
    return at_digit && ((held == VIEW_SHIFT && text[0] == events->last_key && !events->wants_text) ||
                        ((held & VIEW_CTRL) != 0 && (events->modifiers & KMOD_GUI) == 0 &&
                         ispunct((unsigned char)text[0])));
}

static bool translate_text(struct view_events *events, const SDL_TextInputEvent *event,
                           struct view_input *input) {
    bool once = events->held && (events->wants_text || !view_key_repeats((unsigned char)event->text[0]));
    bool drop = events->drop_text || once || is_shortcut(events->modifiers);
    if (!events->drop_text && is_key_after_all(events, event->text)) {
        *input = (struct view_input){.kind = VIEW_INPUT_KEY,
                                     .key = event->text[0],
                                     .modifiers = modifiers_of(events->modifiers) & ~(unsigned)VIEW_SHIFT};
        return !is_shortcut(events->modifiers) || ispunct(input->key);
    }
    input->kind = VIEW_INPUT_TEXT;
    memcpy(input->text, event->text, sizeof input->text);
    return !drop;
}

/* ---- the pointer ---- */

static bool translate_button(struct view_events *events, const SDL_MouseButtonEvent *event,
                             struct view_input *input) {
    bool is_press = event->type == SDL_MOUSEBUTTONDOWN;
    input->kind = is_press ? VIEW_INPUT_PRESS : VIEW_INPUT_RELEASE;
    input->button = (enum view_button)event->button; /* SDL numbers them alike */
    input->clicks = event->clicks;
    input->x = event->x * events->scale;
    input->y = event->y * events->scale;
    input->modifiers = modifiers_of(events->modifiers);
    if (event->button < SDL_BUTTON_LEFT || event->button > SDL_BUTTON_RIGHT ||
        events->button != (is_press ? 0 : event->button)) {
        return false;
    }
    events->button = is_press ? event->button : 0;
    return true;
}

bool view_events_translate(struct view_events *events, const SDL_Event *event, struct view_input *input) {
    *input = (struct view_input){0};
    switch (event->type) {
    case SDL_QUIT:
        input->kind = VIEW_INPUT_CLOSE;
        return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        events->modifiers = event->key.keysym.mod;
        return event->type == SDL_KEYDOWN && translate_key(events, &event->key, input);
    case SDL_TEXTINPUT:
        return translate_text(events, &event->text, input);
    case SDL_MOUSEMOTION:
        *input = (struct view_input){.kind = VIEW_INPUT_MOVE,
                                     .x = event->motion.x * events->scale,
                                     .y = event->motion.y * events->scale,
                                     .modifiers = modifiers_of(events->modifiers)};
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return translate_button(events, &event->button, input);
    case SDL_MOUSEWHEEL:
        *input = (struct view_input){.kind = VIEW_INPUT_WHEEL,
                                     .x = event->wheel.mouseX * events->scale,
                                     .y = event->wheel.mouseY * events->scale,
                                     .wheel_x = event->wheel.preciseX,
                                     .wheel_y = event->wheel.preciseY,
                                     .modifiers = modifiers_of(events->modifiers)};
        return true;
    default:
        return false;
    }
}

/* ---- scripts ---- */

static SDL_Keycode keycode_of(int key) {
    for (int i = 0; i < SPECIAL_KEYS; i++) {
        if (special_keys[i].key == key) {
            return special_keys[i].sdl;
        }
    }
    return key >= VIEW_KEY_F1 ? SDLK_F1 + (key - VIEW_KEY_F1) : key;
}

void view_events_make(const struct view_input *input, SDL_Event *event) {
    memset(event, 0, sizeof *event);
    switch (input->kind) {
    case VIEW_INPUT_KEY:
        event->key.type = SDL_KEYDOWN;
        event->key.keysym.sym = keycode_of(input->key);
        event->key.keysym.mod = (Uint16)view_events_modifiers(input);
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
