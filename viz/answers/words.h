/* Sentences in the making, and the names in them. For the answers only. */
#ifndef GRT_VIZ_ANSWERS_WORDS_H
#define GRT_VIZ_ANSWERS_WORDS_H

#include <stddef.h>

#include "viz/timeline/timeline.h"

/* A text of at most `size` - 1 bytes, which ends with a zero; what does not fit is left out. */
struct grt_words {
    char *text;
    size_t size, length;
};

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void grt_words_say(struct grt_words *words, const char *format, ...);

/* Names that may be empty or long: cut behind a whole character, or a number where there is no name. Each returns `text`. */
#define GRT_NAME_WORDS 80

char *grt_task_words(const struct grt_timeline *timeline, uint32_t task, char text[GRT_NAME_WORDS]);

/* A row in a sentence: "cpu 0", "stream gpu", "engine copy", "SM 3", "process a", "server". */
char *grt_row_words(const struct grt_row *row, char text[GRT_NAME_WORDS]);

/* The name of a kernel or call, by grt_trace_place; "1.0" where it has none: its segment and command. */
char *grt_command_words(const struct grt_timeline *timeline, uint16_t task, uint32_t place,
                        char text[GRT_NAME_WORDS]);

/* A thread of the policy's own: "thread server", or by its number. */
char *grt_thread_words(const struct grt_timeline *timeline, uint32_t thread, char text[GRT_NAME_WORDS]);

/* The text of a policy's label. */
char *grt_label_words(const struct grt_timeline *timeline, uint32_t label, char text[GRT_NAME_WORDS]);

#endif
