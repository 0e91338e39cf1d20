/* Lists that many objects of a tree have in common, since a kernel's definition was put in their places: each is read once, and what
 * was read of it is shared. Such lists are the same in the tree as well: their first elements are. */
#ifndef GRT_SCENARIOS_SHARED_LISTS_H
#define GRT_SCENARIOS_SHARED_LISTS_H

#include <stdbool.h>

#include "scenarios/read_fields.h"

/* Starts to note what is read, in the reader's arena. The tree has to live as long as the reader is used. */
void grt_shared_start(struct grt_reader *reader);

/* Stops that: what was noted is still found. */
void grt_shared_stop(struct grt_reader *reader);

/* Notes what was read of a list without errors; nothing where the reader does not note. */
void grt_shared_add(struct grt_reader *reader, const cJSON *list, const struct grt_field_list *read);

/* What was noted of this list, or of one that has the same elements; false if nothing was. */
bool grt_shared_find(const struct grt_reader *reader, const cJSON *list, struct grt_field_list *read);

#endif
