#include "cli/terminal/manual/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void put_character(FILE *out, char character) {
    static const struct {
        char character;
        const char *escape;
    } escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'.', "\\&."},  {'\'', "\\(aq"}, {'`', "\\(ga"},
                   {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"}, {'\n', " "}};
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        if (escapes[i].character == character) {
            fputs(escapes[i].escape, out);
            return;
        }
    }
    fputc(character, out);
}

void grt_roff_put_plain(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        put_character(out, text[i]);
    }
}

static void put_bold(FILE *out, const char *text, size_t length) {
    fputs("\\fB", out);
    grt_roff_put_plain(out, text, length);
    fputs("\\fR", out);
}

/* How long the option is that begins here; 0: none does. */
static size_t option_length(const char *text, size_t at, size_t length) {
    bool begins = at == 0 || strchr(" (\n", text[at - 1]) != NULL;
    if (!begins || length - at < 3 || strncmp(text + at, "--", 2) != 0 ||
        islower((unsigned char)text[at + 2]) == 0) {
        return 0;
    }
    size_t end = at + 2;
    while (end < length && (islower((unsigned char)text[end]) != 0 || text[end] == '-')) {
        end++;
    }
    return end - at;
}

void grt_roff_put(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        const char *end = text[i] == '`' ? memchr(text + i + 1, '`', length - i - 1) : NULL;
        size_t option = option_length(text, i, length);
        if (end != NULL) {
            put_bold(out, text + i + 1, (size_t)(end - text) - i - 1);
            i = (size_t)(end - text) + 1;
        } else if (option > 0) {
            put_bold(out, text + i, option);
            i += option;
        } else if (strchr(" \n", text[i]) != NULL) {
            fputc(' ', out);
            i += strspn(text + i, " \n");
        } else {
            put_character(out, text[i++]);
        }
    }
}

static bool is_capital(char character) {
    return isupper((unsigned char)character) != 0;
}

void grt_roff_put_synopsis(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        size_t end = i;
        while (end < length &&
               (is_capital(text[end]) || (end > i && strchr("0123456789", text[end]) != NULL))) {
            end++;
        }
        if (end > i) {
            fputs("\\fI", out);
            grt_roff_put_plain(out, text + i, end - i);
            fputs("\\fR", out);
            i = end;
        } else {
            put_character(out, text[i++]);
        }
    }
}

void grt_roff_put_text(FILE *out, const char *text, size_t length) {
    grt_roff_put(out, text, length);
    fputs(length > 0 && strchr(".?!:", text[length - 1]) != NULL ? "\n" : ".\n", out);
}

void grt_roff_put_sentence(FILE *out, const char *text, size_t length) {
    bool is_name = length >= 5 && strncmp(text, "gpurt", 5) == 0;
    if (length > 1 && text[0] != '`' && isalpha((unsigned char)text[0]) != 0 && !is_name) {
        fputc(toupper((unsigned char)*text++), out);
        length--;
    }
    grt_roff_put_text(out, text, length);
}

void grt_roff_put_entry(FILE *out, const char *head, const char *text) {
    fputs(".TP\n", out);
    put_bold(out, head, strlen(head));
    fputc('\n', out);
    grt_roff_put_sentence(out, text, strlen(text));
}
