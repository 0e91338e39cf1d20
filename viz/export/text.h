/* Numbers and texts of the formats that people can read, written without stdio: millions of lines are written. */
#ifndef GRT_VIZ_EXPORT_TEXT_H
#define GRT_VIZ_EXPORT_TEXT_H

#include <stdint.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/output.h"
#include "sim/time.h"

/* A line in the making, in front of an output. Start it with .output set. */
enum { GRT_TEXT_ROOM = 4096 };
struct grt_export_text {
    struct grt_output *output;
    size_t used;
    char buffer[GRT_TEXT_ROOM];
};

/* Hands on what was gathered. Call it at the end. */
void grt_export_text_flush(struct grt_export_text *text);

/* Appends a text of any length. */
void grt_export_text_put(struct grt_export_text *text, const char *bytes, size_t size);

static inline void grt_export_text_string(struct grt_export_text *text, const char *string) {
    grt_export_text_put(text, string, strlen(string));
}

/* Appends a literal. */
#define GRT_TEXT_LITERAL(text, literal) grt_export_text_put((text), "" literal, sizeof(literal) - 1)

/* Appends a number. */
void grt_export_text_unsigned(struct grt_export_text *text, uint64_t number);

/* Appends a time of at least 0 in microseconds, exactly: "12", "12.5", "0.001". */
void grt_export_text_us(struct grt_export_text *text, grt_time time);

/* A copy of a text in the arena as JSON has it, with its quotes. */
const char *grt_export_json_string(struct grt_arena *arena, const char *string);

/* Appends a field of CSV (RFC 4180): in quotes, which are doubled within, where it holds a comma, a quote or a blank at an
 * end. */
void grt_export_text_csv(struct grt_export_text *text, const char *string);

/* A text as all exports have it: every byte that is not UTF-8 is U+FFFD, and what is behind GRT_EXPORT_NAME_LIMIT bytes,
 * which no scenario can make, is left out. It is the text itself, or a copy in the arena. */
enum { GRT_EXPORT_NAME_LIMIT = 96 };
const char *grt_export_clean_name(struct grt_arena *arena, const char *string);

#endif
