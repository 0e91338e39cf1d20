#include "study/results/result_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/utf8.h"

static bool is_escaped(char byte, const char *kept) {
    bool control = (unsigned char)byte < ' ' || byte == 0x7f;
    return control && kept != NULL && strchr(kept, byte) == NULL;
}

char *grt_result_text(const char *text, const char *kept) {
    enum { ESCAPED = 4 };
    size_t left = strlen(text), length = 0;
    char *clean = grt_allocate(ESCAPED * left + 1), *to = clean;
    for (; left > 0; text += length, left -= length) {
        length = grt_utf8_length(text, left);
        if (length == 0 || is_escaped(*text, kept)) {
            to += sprintf(to, "\\x%02x", (unsigned)(unsigned char)*text);
            length = 1;
        } else {
            memcpy(to, text, length);
            to += length;
        }
    }
    *to = '\0';
    return clean;
}
