/* UTF-8 (RFC 3629), strictly: no overlong forms, no surrogates. */
#ifndef GRT_SIM_UTF8_H
#define GRT_SIM_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length in bytes of the UTF-8 character that begins at `text`, of which `left` bytes may be read; 0: not valid. */
size_t grt_utf8_length(const char *text, size_t left);

/* True if the text is valid UTF-8. */
bool grt_utf8_valid(const char *text);

/* The same, and without line breaks and other control characters. */
bool grt_utf8_is_line(const char *text);

/* Takes away the beginning of a character, which a copy that was cut may end with. */
void grt_utf8_trim(char *text);

/* Copies a text as a terminal can show it: control characters, which could move its cursor or change its title, and bytes that are no UTF-8 become "\x1b" and so
 * on. Returns `shown`, which has room for GRT_UTF8_SHOWN_SIZE of the text's length. */
#define GRT_UTF8_SHOWN_SIZE(length) (4 * (size_t)(length) + 1)
char *grt_utf8_shown(const char *text, char *shown);

#endif
