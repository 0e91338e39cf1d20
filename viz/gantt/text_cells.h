/* Text in the cells of a terminal: how many a UTF-8 text takes, and printing to a fixed number of them. */
#ifndef GRT_VIZ_GANTT_TEXT_CELLS_H
#define GRT_VIZ_GANTT_TEXT_CELLS_H

#include <stddef.h>
#include <stdio.h>

/* The number of cells of a text: 2 for wide East Asian characters and emoji, 0 for combining marks, 1 for others, and 1
 * for each byte that is no UTF-8 and each control character, which grt_text_put shows as "?". */
size_t grt_text_cells(const char *text);

enum grt_text_side { GRT_TEXT_LEFT, GRT_TEXT_RIGHT };

/* Writes a text into exactly `cells` cells: padded with blanks behind (LEFT) or in front (RIGHT), or cut, then with "~"
 * in the last cell. */
void grt_text_put(FILE *out, const char *text, size_t cells, enum grt_text_side side);

#endif
