/* The grammar of JSON (RFC 8259), strictly: what the JSON library would let pass, and sentences for people. */
#ifndef GRT_SCENARIOS_JSON_SYNTAX_H
#define GRT_SCENARIOS_JSON_SYNTAX_H

#include <stddef.h>

enum {
    GRT_JSON_DEPTH = 64,       /* objects and lists may be nested this deep */
    GRT_JSON_VALUES = 4000000, /* values that one text may hold: bounds the memory of a tree */
    GRT_JSON_NUMBER = 60, /* characters of a number: the JSON library reads it through a buffer of 64 bytes */
};

/* Checks that `text` is exactly one JSON value in valid UTF-8, without zero bytes (nor "\u0000"), control characters
 * or half surrogate pairs, with at most GRT_JSON_VALUES values nested at most GRT_JSON_DEPTH deep. Returns NULL, or a
 * static sentence that says what is wrong at *offset. Takes linear time and constant memory. */
const char *grt_json_check(const char *text, size_t size, size_t *offset);

#endif
