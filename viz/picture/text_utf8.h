/* Reading UTF-8 that may be anything: names come from traces, which may be hostile. */
#ifndef GRT_VIZ_PICTURE_TEXT_UTF8_H
#define GRT_VIZ_PICTURE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands for a byte that is no UTF-8, and for a character that no picture can show. */
#define GRT_TEXT_REPLACEMENT UINT32_C(0xfffd)

/* The character that begins at text[*at], of `bytes` > *at bytes in all; moves *at behind it. A byte that begins no valid
 * sequence (cut short, overlong, a surrogate, above 10FFFF) is the replacement character, and *at moves by one. */
uint32_t grt_text_next(const char *text, size_t bytes, size_t *at);

/* Encodes a character, 1 to 4 bytes; returns how many. */
size_t grt_text_encode(uint32_t point, char encoded[4]);

/* False for what XML 1.0 forbids and fonts cannot show: control characters, U+FFFE and U+FFFF. */
bool grt_text_is_shown(uint32_t point);

/* Copies a text of which every character can be shown: others, and bytes that are no UTF-8, become U+FFFD. Stops where
 * `room` bytes are not enough for the next character. Returns the bytes written, at most 3 for each that was read. */
size_t grt_text_copy_shown(char *copy, size_t room, const char *text, size_t bytes);

/* True for a mark that belongs to the character before it: combining marks, variation selectors, joiners. */
bool grt_text_is_mark(uint32_t point);

#endif
