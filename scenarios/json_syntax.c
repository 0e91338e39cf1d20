#include "scenarios/json_syntax.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/utf8.h"

static const char no_comments[] = "JSON has no comments: use the field \"description\"";

struct scan {
    const char *text;
    size_t size, at;
    size_t values;
    const char *problem;
};

static bool check_value(struct scan *scan, int depth);

/* The next byte, or -1 at the end. */
static int peek(const struct scan *scan) {
    return scan->at < scan->size ? (unsigned char)scan->text[scan->at] : -1;
}

/* Notes the problem at the current place, unless the place itself says more. */
static bool fail(struct scan *scan, const char *problem) {
    int byte = peek(scan);
    scan->problem = byte < 0 ? "the text ends too early" : byte == 0 ? "zero bytes are not allowed" : problem;
    return false;
}

static void skip_blanks(struct scan *scan) {
    while (scan->at < scan->size && strchr(" \t\n\r", peek(scan)) != NULL && peek(scan) != 0) {
        scan->at++;
    }
}

/* Moves over the byte if it comes next, after blanks. */
static bool take(struct scan *scan, char byte) {
    skip_blanks(scan);
    if (peek(scan) != byte) {
        return false;
    }
    scan->at++;
    return true;
}

/* Four hexadecimal digits; -1 if there are none. */
static long read_code_unit(struct scan *scan) {
    long unit = 0;
    for (int i = 0; i < 4; i++, scan->at++) {
        int byte = peek(scan);
        if (byte < 0 || !isxdigit(byte)) {
            return -1;
        }
        unit = unit * 16 + (isdigit(byte) ? byte - '0' : tolower(byte) - 'a' + 10);
    }
    return unit;
}

/* "\uXXXX", or two of them that make a surrogate pair; the current place is behind the "\u". */
static bool check_code_point(struct scan *scan) {
    size_t start = scan->at - 2;
    long unit = read_code_unit(scan);
    if (unit < 0) {
        return fail(scan, "four hexadecimal digits must follow \\u");
    }
    bool high = unit >= 0xD800 && unit < 0xDC00, low = unit >= 0xDC00 && unit < 0xE000;
    if (high && scan->size - scan->at >= 2 && strncmp(scan->text + scan->at, "\\u", 2) == 0) {
        scan->at += 2;
        long second = read_code_unit(scan);
        high = second < 0xDC00 || second >= 0xE000;
    }
    if (unit == 0 || high || low) {
        scan->at = start;
        return fail(scan, unit == 0 ? "zero characters are not allowed" : "this \\u is half a character");
    }
    return true;
}

static bool check_escape(struct scan *scan) {
    scan->at++;
    int byte = peek(scan);
    if (byte <= 0 || strchr("\"\\/bfnrtu", byte) == NULL) {
        return fail(scan, "unknown escape in a text: a backslash is written \\\\");
    }
    scan->at++;
    return byte != 'u' || check_code_point(scan);
}

/* One character inside a text. */
static bool check_character(struct scan *scan) {
    int byte = peek(scan);
    if (byte == '\\') {
        return check_escape(scan);
    }
    if (byte < 0x20) {
        return fail(scan, "control characters must be escaped in a text, a line break as \\n");
    }
    size_t length = grt_utf8_length(scan->text + scan->at, scan->size - scan->at);
    if (length == 0) {
        return fail(scan, "not valid UTF-8");
    }
    scan->at += length;
    return true;
}

static bool check_text(struct scan *scan) {
    scan->at++;
    while (peek(scan) != '"') {
        if (!check_character(scan)) {
            return false;
        }
    }
    scan->at++;
    return true;
}

static bool check_digits(struct scan *scan) {
    size_t start = scan->at;
    while (peek(scan) >= 0 && isdigit(peek(scan))) {
        scan->at++;
    }
    return scan->at > start || fail(scan, "a digit is missing in this number");
}

static bool is_in_range(struct scan *scan, size_t start) {
    char number[GRT_JSON_NUMBER + 1] = "";
    size_t length = scan->at - start;
    if (length <= GRT_JSON_NUMBER) {
        memcpy(number, scan->text + start, length);
        if (isfinite(strtod(number, NULL))) {
            return true;
        }
    }
    scan->at = start;
    return fail(scan, length > GRT_JSON_NUMBER ? "this number has more than 60 characters"
                                               : "this number is too large");
}

static bool check_number(struct scan *scan) {
    size_t start = scan->at;
    scan->at += peek(scan) == '-';
    if (peek(scan) == '0' && scan->at + 1 < scan->size && isdigit((unsigned char)scan->text[scan->at + 1])) {
        return fail(scan, "a number must not start with 0");
    }
    if (!check_digits(scan)) {
        return false;
    }
    if (peek(scan) == '.') {
        scan->at++;
        if (!check_digits(scan)) {
            return false;
        }
    }
    if (peek(scan) == 'e' || peek(scan) == 'E') {
        scan->at++;
        scan->at += peek(scan) == '+' || peek(scan) == '-';
        if (!check_digits(scan)) {
            return false;
        }
    }
    return is_in_range(scan, start);
}

static bool check_word(struct scan *scan, const char *word) {
    size_t length = strlen(word), left = scan->size - scan->at;
    if (strncmp(scan->text + scan->at, word, left < length ? left : length) != 0) {
        return fail(scan, "expected a value");
    }
    if (left < length) {
        scan->at = scan->size;
        return fail(scan, "");
    }
    scan->at += length;
    return true;
}

static bool fail_at_name(struct scan *scan) {
    return fail(scan, peek(scan) == '}'   ? "remove the comma before this bracket"
                      : peek(scan) == '/' ? no_comments
                                          : "expected the name of a field in double quotes");
}

static bool check_member(struct scan *scan, int depth) {
    skip_blanks(scan);
    if (peek(scan) != '"') {
        return fail_at_name(scan);
    }
    if (!check_text(scan)) {
        return false;
    }
    if (!take(scan, ':')) {
        return fail(scan, "expected \":\" after the name of a field");
    }
    return check_value(scan, depth);
}

static bool check_object(struct scan *scan, int depth) {
    scan->at++;
    if (take(scan, '}')) {
        return true;
    }
    do {
        if (!check_member(scan, depth)) {
            return false;
        }
    } while (take(scan, ','));
    return take(scan, '}') || fail(scan, "expected \",\" or \"}\"");
}

static bool check_list(struct scan *scan, int depth) {
    scan->at++;
    if (take(scan, ']')) {
        return true;
    }
    do {
        skip_blanks(scan);
        if (peek(scan) == ']') {
            return fail(scan, "remove the comma before this bracket");
        }
        if (!check_value(scan, depth)) {
            return false;
        }
    } while (take(scan, ','));
    return take(scan, ']') || fail(scan, "expected \",\" or \"]\"");
}

static bool check_nested(struct scan *scan, int depth) {
    if (depth == GRT_JSON_DEPTH) {
        return fail(scan, "nested deeper than 64 levels");
    }
    return peek(scan) == '{' ? check_object(scan, depth + 1) : check_list(scan, depth + 1);
}

static bool check_value(struct scan *scan, int depth) {
    skip_blanks(scan);
    if (++scan->values > GRT_JSON_VALUES) {
        return fail(scan, "more than 4000000 values");
    }
    switch (peek(scan)) {
    case '{':
    case '[':
        return check_nested(scan, depth);
    case '"':
        return check_text(scan);
    case 't':
        return check_word(scan, "true");
    case 'f':
        return check_word(scan, "false");
    case 'n':
        return check_word(scan, "null");
    case '/':
        return fail(scan, no_comments);
    case '\'':
        return fail(scan, "a text is written in double quotes");
    default:
        return peek(scan) == '-' || (peek(scan) >= '0' && peek(scan) <= '9') ? check_number(scan)
                                                                             : fail(scan, "expected a value");
    }
}

const char *grt_json_check(const char *text, size_t size, size_t *offset) {
    struct scan scan = {.text = text, .size = size};
    *offset = 0;
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return "the text is UTF-16: save it as UTF-8";
    }
    skip_blanks(&scan);
    if (scan.at == size) {
        return "the text is empty";
    }
    if (check_value(&scan, 0)) {
        skip_blanks(&scan);
        if (scan.at < size) {
            fail(&scan, "nothing may follow the end of the value");
        }
    }
    *offset = scan.at;
    return scan.problem;
}
