#include "viz/view/script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, LINE = 1024, MOST_WAIT = 60000 };

const struct view_script_line view_script_lines[] = {
    {"key KEY...", "Press keys one after the other, as in: key n ctrl+f Page-Down"},
    {"type TEXT", "Type the rest of the line"},
    {"move X Y", "Move the pointer, in pixels from the upper left corner"},
    {"click X Y [BUTTON]", "Click; BUTTON is left, middle or right, with modifiers before it: shift+left"},
    {"double-click X Y [BUTTON]", "Click twice"},
    {"drag X Y X Y [BUTTON]", "Press, move and release"},
    {"wheel X Y NOTCHES [MODIFIER...]", "Turn the wheel, away from the user where NOTCHES is above 0"},
    {"resize WIDTH HEIGHT", "Give the window another size"},
    {"command NAME [TEXT]", "Run a command by its name"},
    {"screenshot FILE", "Write what the window shows to a PNG file"},
    {"wait MILLISECONDS", "Let time pass, at most a minute"},
    {"expect TEXT", "Fail unless the line at the bottom says something with TEXT in it"},
};

const size_t view_script_line_count = sizeof view_script_lines / sizeof view_script_lines[0];

/* A line in words. */
struct line {
    char text[LINE]; /* cut into the words */
    char rest[LINE]; /* what is behind the first word, as it was written */
    const char *words[WORDS];
    int count;
    const struct view_script_player *player;
    struct grt_errors *errors;
};

static bool number(const struct line *line, int word, double *value) {
    char *end = NULL;
    const char *text = word < line->count ? line->words[word] : "";
    *value = strtod(text, &end);
    if (end == text || *end != '\0' || !(*value >= -100000 && *value <= 100000)) {
        grt_error_add(line->errors, NULL, "%s: word %d must be a number (got \"%s\")", line->words[0],
                      word + 1, text);
        return false;
    }
    return true;
}

/* Takes a modifier and the + behind it off the text; false if none is there. */
static bool take_modifier(const char **text, char end, unsigned *modifiers) {
    static const struct {
        const char *name;
        unsigned modifier;
    } names[] = {{"shift", VIEW_SHIFT}, {"ctrl", VIEW_CTRL}, {"alt", VIEW_ALT}};
    size_t length = strcspn(*text, "+");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((*text)[length] == end && strlen(names[i].name) == length &&
            strncmp(*text, names[i].name, length) == 0) {
            *modifiers |= names[i].modifier;
            *text += length + (end != '\0');
            return true;
        }
    }
    return false;
}

/* "shift+left": a button with modifiers before it; of nothing the left button. */
static bool button(const struct line *line, int word, enum view_button *button, unsigned *modifiers) {
    static const char *const names[] = {"", "left", "middle", "right"};
    const char *text = word < line->count ? line->words[word] : "left";
    *modifiers = 0;
    while (take_modifier(&text, '+', modifiers)) {
    }
    for (int i = VIEW_BUTTON_LEFT; i <= VIEW_BUTTON_RIGHT; i++) {
        if (strcmp(text, names[i]) == 0) {
            *button = (enum view_button)i;
            return true;
        }
    }
    grt_error_add(line->errors, NULL,
                  "there is no button \"%s\": left, middle, right, with shift+, ctrl+ or alt+ before it",
                  text);
    return false;
}

/* "ctrl", "shift+ctrl": modifiers alone. */
static bool modifiers(const struct line *line, int word, unsigned *modifiers) {
    const char *text = line->words[word];
    while (take_modifier(&text, '+', modifiers)) {
    }
    if (!take_modifier(&text, '\0', modifiers)) {
        grt_error_add(line->errors, NULL, "there is no modifier \"%s\": shift, ctrl, alt", text);
        return false;
    }
    return true;
}

static void send(const struct line *line, struct view_input input) {
    line->player->send(line->player->state, &input);
}

/* ---- the lines ---- */

static bool play_key(const struct line *line) {
    for (int i = 1; i < line->count; i++) {
        struct view_input input = {.kind = VIEW_INPUT_KEY};
        if (!view_key_parse(line->words[i], &input.key, &input.modifiers)) {
            grt_error_add(line->errors, NULL, "there is no key \"%s\"", line->words[i]);
            return false;
        }
        bool types = input.key >= ' ' && input.key < 0x7f && (input.modifiers & (VIEW_CTRL | VIEW_ALT)) == 0;
        if (!types || isalnum(input.key) ||
            input.key == ' ') { /* a sign comes as text alone, as from a window */
            send(line, input);
        }
        if (types) {
            bool large = (input.modifiers & VIEW_SHIFT) != 0;
            struct view_input text = {.kind = VIEW_INPUT_TEXT};
            text.text[0] = (char)(large ? toupper(input.key) : input.key);
            send(line, text);
        }
    }
    return true;
}

static bool play_type(const struct line *line) {
    for (const char *at = line->rest; *at != '\0';) {
        struct view_input input = {.kind = VIEW_INPUT_TEXT};
        size_t length = 1; /* a character may have several bytes */
        while (((unsigned char)at[length] & 0xc0) == 0x80 && length < 4) {
            length++;
        }
        memcpy(input.text, at, length);
        send(line, input);
        at += length;
    }
    return true;
}

static bool play_move(const struct line *line) {
    struct view_input input = {.kind = VIEW_INPUT_MOVE};
    if (!number(line, 1, &input.x) || !number(line, 2, &input.y)) {
        return false;
    }
    send(line, input);
    return true;
}

static void send_click(const struct line *line, struct view_input input, int clicks) {
    for (input.clicks = 1; input.clicks <= clicks; input.clicks++) {
        input.kind = VIEW_INPUT_PRESS;
        send(line, input);
        input.kind = VIEW_INPUT_RELEASE;
        send(line, input);
    }
}

static bool play_click(const struct line *line) {
    struct view_input input = {.kind = VIEW_INPUT_MOVE};
    if (!number(line, 1, &input.x) || !number(line, 2, &input.y) ||
        !button(line, 3, &input.button, &input.modifiers)) {
        return false;
    }
    send(line, input);
    send_click(line, input, line->words[0][0] == 'd' ? 2 : 1);
    return true;
}

static bool play_drag(const struct line *line) {
    struct view_input from = {.kind = VIEW_INPUT_MOVE}, to = from;
    if (!number(line, 1, &from.x) || !number(line, 2, &from.y) || !number(line, 3, &to.x) ||
        !number(line, 4, &to.y) || !button(line, 5, &from.button, &from.modifiers)) {
        return false;
    }
    to.button = from.button;
    to.modifiers = from.modifiers;
    from.clicks = to.clicks = 1;
    send(line, from);
    from.kind = VIEW_INPUT_PRESS;
    send(line, from);
    for (int i = 1; i <= 4; i++) {
        struct view_input step = to;
        step.x = from.x + (to.x - from.x) * i / 4;
        step.y = from.y + (to.y - from.y) * i / 4;
        send(line, step);
    }
    to.kind = VIEW_INPUT_RELEASE;
    send(line, to);
    return true;
}

static bool play_wheel(const struct line *line) {
    struct view_input input = {.kind = VIEW_INPUT_WHEEL};
    if (!number(line, 1, &input.x) || !number(line, 2, &input.y) || !number(line, 3, &input.wheel_y)) {
        return false;
    }
    for (int i = 4; i < line->count; i++) {
        if (!modifiers(line, i, &input.modifiers)) {
            return false;
        }
    }
    send(line, input);
    return true;
}

static bool play_resize(const struct line *line) {
    struct view_input input = {.kind = VIEW_INPUT_RESIZE};
    if (!number(line, 1, &input.x) || !number(line, 2, &input.y)) {
        return false;
    }
    send(line, input);
    return true;
}

static bool play_command(const struct line *line) {
    return line->player->command(line->player->state, line->rest, line->errors);
}

static bool play_screenshot(const struct line *line) {
    return line->player->screenshot(line->player->state, line->rest, line->errors);
}

static bool play_wait(const struct line *line) {
    double ms;
    if (!number(line, 1, &ms) || ms < 0 || ms > MOST_WAIT) {
        grt_error_add(line->errors, NULL, "wait needs 0 to %d milliseconds", MOST_WAIT);
        return false;
    }
    line->player->wait(line->player->state, (int)ms);
    return true;
}

static bool play_expect(const struct line *line) {
    const char *message = line->player->message(line->player->state);
    if (strstr(message, line->rest) == NULL) {
        grt_error_add(line->errors, NULL, "expected \"%s\", got \"%s\"", line->rest, message);
        return false;
    }
    return true;
}

static const struct {
    const char *name;
    int words; /* behind it, at least */
    bool (*play)(const struct line *line);
} kinds[] = {
    {"key", 1, play_key},
    {"type", 1, play_type},
    {"move", 2, play_move},
    {"click", 2, play_click},
    {"double-click", 2, play_click},
    {"drag", 4, play_drag},
    {"wheel", 3, play_wheel},
    {"resize", 2, play_resize},
    {"command", 1, play_command},
    {"wait", 1, play_wait},
    {"screenshot", 1, play_screenshot},
    {"expect", 1, play_expect},
};

/* ---- the whole ---- */

/* Whether a line is not too long for what it is: texts are taken whole, other lines word by word. */
static bool fits(const struct line *line, size_t length) {
    static const char *const texts[] = {"type", "command", "screenshot", "expect"};
    bool is_text = line->count > 0 && line->words[0][0] == '#';
    for (size_t i = 0; line->count > 0 && i < sizeof texts / sizeof texts[0]; i++) {
        is_text = is_text || strcmp(line->words[0], texts[i]) == 0;
    }
    if (length >= LINE) {
        grt_error_add(line->errors, NULL, "is longer than %d characters", LINE - 1);
    } else if (line->count > WORDS && !is_text) {
        grt_error_add(line->errors, NULL, "has more than %d words", WORDS);
    } else {
        return true;
    }
    return false;
}

static bool play_line(struct line *line) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(line->words[0], kinds[i].name) == 0) {
            if (line->count <= kinds[i].words) {
                grt_error_add(line->errors, NULL, "%s needs %d more", kinds[i].name,
                              kinds[i].words + 1 - line->count);
                return false;
            }
            return kinds[i].play(line);
        }
    }
    grt_error_add(line->errors, NULL, "scripts have no \"%s\"", line->words[0]);
    return false;
}

static void split(struct line *line) {
    char *place = NULL;
    line->count = 0;
    for (char *word = strtok_r(line->text, " \t\r", &place); word != NULL;
         word = strtok_r(NULL, " \t\r", &place)) {
        if (line->count == WORDS) {
            line->count++;
            return;
        }
        line->words[line->count++] = word;
    }
}

/* The text behind the first word, without blanks around it. */
static void find_rest(struct line *line) {
    const char *at = line->text + strspn(line->text, " \t");
    at += strcspn(at, " \t");
    at += strspn(at, " \t");
    snprintf(line->rest, sizeof line->rest, "%s", at);
    for (size_t length = strlen(line->rest); length > 0 && strchr(" \t\r", line->rest[length - 1]) != NULL;) {
        line->rest[--length] = '\0';
    }
}

bool view_script_play(const char *text, const struct view_script_player *player, struct grt_errors *errors) {
    for (int number = 1; *text != '\0'; number++) {
        struct grt_errors found = {0};
        struct line line = {.player = player, .errors = &found};
        size_t length = strcspn(text, "\n");
        snprintf(line.text, sizeof line.text, "%.*s", (int)(length < LINE ? length : LINE - 1), text);
        text += length + (text[length] == '\n');
        find_rest(&line);
        split(&line);
        bool good = fits(&line, length) && (line.count == 0 || line.words[0][0] == '#' || play_line(&line));
        for (size_t i = 0; i < found.count && i < GRT_ERRORS_KEPT; i++) {
            grt_error_add(errors, NULL, "line %d: %s", number, found.messages[i]);
        }
        grt_errors_clear(&found);
        if (!good) {
            return false;
        }
    }
    return true;
}
