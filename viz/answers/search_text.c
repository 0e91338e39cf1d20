#include "viz/answers/search_text.h"

#include <string.h>

#include "sim/memory.h"

static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool is_blank(char letter) {
    return letter == ' ' || letter == '\t';
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

static bool starts_with(const char *name, const char *part) {
    while (*part != '\0' && lower(*name) == lower(*part)) {
        name++;
        part++;
    }
    return *part == '\0';
}

bool grt_search_contains(const char *name, const char *part) {
    for (char first = lower(*part); *name != '\0'; name++) {
        if (lower(*name) == first && starts_with(name, part)) {
            return true;
        }
    }
    return false;
}

char *grt_search_trimmed(const char *text, size_t length) {
    while (length > 0 && is_blank(text[length - 1])) {
        length--;
    }
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    char *copy = grt_allocate(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool grt_search_job_form(const char *text, size_t *name_length, uint64_t *job) {
    size_t digits = strlen(text), end;
    while (digits > 0 && is_digit(text[digits - 1])) {
        digits--;
    }
    for (end = digits; end > 0 && is_blank(text[end - 1]); end--) {
    }
    bool sharp = end > 0 && text[end - 1] == '#';
    *name_length = sharp ? end - 1 : end;
    *job = 0;
    for (const char *digit = text + digits; *digit != '\0'; digit++) {
        *job = *job * 10 + (uint64_t)(*digit - '0');
        if (*job > UINT32_MAX) {
            *job = UINT64_MAX;
            break;
        }
    }
    return text[digits] != '\0' && (sharp || (end < digits && end > 0));
}
