/* Values in messages: short, on one line, free of control characters. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/json_syntax.h"
#include "scenarios/json_tree.h"
#include "sim/utf8.h"

enum { SHOWN_LENGTH = 40 };

struct shown {
    char *text;
    size_t used;
    bool full; /* nothing more is added */
};

static void show_value(struct shown *shown, const cJSON *value);

static void put(struct shown *shown, const char *bytes, size_t count) {
    shown->full = shown->full || shown->used + count > SHOWN_LENGTH;
    if (!shown->full) {
        memcpy(shown->text + shown->used, bytes, count);
        shown->used += count;
    }
}

static char *finish(struct shown *shown) {
    memcpy(shown->text + shown->used, shown->full ? "..." : "", shown->full ? 4 : 1);
    return shown->text;
}

/* Control characters: those of ASCII, and U+0080 to U+009F, which some terminals obey. */
static bool is_control(const char *character, size_t length) {
    unsigned char first = (unsigned char)character[0];
    return first < 0x20 || first == 0x7F ||
           (length == 2 && first == 0xC2 && (unsigned char)character[1] < 0xA0) || length == 0;
}

static void put_escaped(struct shown *shown, const char *character, size_t length) {
    char escape[16];
    const char *plain = "\"\\\n\t\r", *letters = "\"\\ntr";
    const char *found = strchr(plain, *character);
    if (found != NULL) {
        snprintf(escape, sizeof escape, "\\%c", letters[found - plain]);
    } else {
        unsigned code = (unsigned char)character[length == 2 ? 1 : 0];
        snprintf(escape, sizeof escape, "\\u%04x", code);
    }
    put(shown, escape, strlen(escape));
}

static void put_characters(struct shown *shown, const char *string) {
    size_t left = strnlen(string, SHOWN_LENGTH + 4);
    while (left > 0 && !shown->full) {
        size_t length = grt_utf8_length(string, left);
        if (is_control(string, length) || *string == '"' || *string == '\\') {
            put_escaped(shown, string, length);
        } else {
            put(shown, string, length);
        }
        length = length > 0 ? length : 1;
        string += length;
        left -= length;
    }
}

static void show_text(struct shown *shown, const char *string) {
    put(shown, "\"", 1);
    put_characters(shown, string);
    put(shown, "\"", 1);
}

static void show_number(struct shown *shown, double number) {
    char digits[32];
    bool whole = fabs(number) < 1e16 && trunc(number) == number;
    snprintf(digits, sizeof digits, whole ? "%.0f" : "%.15g", number);
    if (!whole && strtod(digits, NULL) < number) {
        snprintf(digits, sizeof digits, "%.17g", number);
    }
    put(shown, digits, strlen(digits));
}

static void show_children(struct shown *shown, const cJSON *value) {
    bool object = cJSON_IsObject(value);
    put(shown, object ? "{" : "[", 1);
    for (const cJSON *child = value->child; child != NULL && !shown->full; child = child->next) {
        if (object) {
            show_text(shown, child->string);
            put(shown, ":", 1);
        }
        show_value(shown, child);
        put(shown, ",", child->next != NULL);
    }
    put(shown, object ? "}" : "]", 1);
}

static void show_value(struct shown *shown, const cJSON *value) {
    if (cJSON_IsString(value)) {
        show_text(shown, value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        show_number(shown, value->valuedouble);
    } else if (cJSON_IsObject(value) || cJSON_IsArray(value)) {
        show_children(shown, value);
    } else {
        const char *word = cJSON_IsTrue(value) ? "true" : cJSON_IsFalse(value) ? "false" : "null";
        put(shown, word, strlen(word));
    }
}

char *grt_json_show(const cJSON *value, char text[GRT_JSON_SHOWN_SIZE]) {
    struct shown shown = {.text = text};
    show_value(&shown, value);
    return finish(&shown);
}

char *grt_text_show(const char *string, char text[GRT_JSON_SHOWN_SIZE]) {
    struct shown shown = {.text = text};
    show_text(&shown, string);
    return finish(&shown);
}

char *grt_key_show(const char *key, char text[GRT_JSON_SHOWN_SIZE]) {
    struct shown shown = {.text = text};
    if (*key == '\0') {
        show_text(&shown, key);
    }
    put_characters(&shown, key);
    return finish(&shown);
}
