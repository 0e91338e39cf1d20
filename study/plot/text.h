/* Texts of figures: how wide they are, where they break, and how gnuplot is told them so that whatever stands in them is drawn and not done. */
#ifndef GRT_STUDY_PLOT_TEXT_H
#define GRT_STUDY_PLOT_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "sim/memory.h"

/* A copy that can be drawn: control characters become blanks, bytes that are no UTF-8 "?". */
char *grt_plot_clean(struct grt_arena *arena, const char *text);

/* Writes a cleaned text as a string of gnuplot in single quotes, in which only the quote itself means something: it becomes an apostrophe. */
void grt_plot_quote(FILE *out, const char *text);

/* The same for labels of tics, in which "%" stands for the number. */
void grt_plot_quote_tic(FILE *out, const char *text);

/* About how wide a cleaned text is in a sans-serif font, rather too much than too little; 1 is the size of the font. */
double grt_plot_text_width(const char *text);

/* Breaks a cleaned text at blanks into at most `most` lines that are at most `width` wide; what does not fit ends in "...". Returns how
 * many there are, of which `lines` has copies in the arena. */
size_t grt_plot_wrap(struct grt_arena *arena, const char *text, double width, size_t most,
                     const char **lines);

#endif
