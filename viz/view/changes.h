/* What was changed of a scenario, in the order in which it was changed, so that it can be taken back. */
#ifndef GRT_VIZ_VIEW_CHANGES_H
#define GRT_VIZ_VIEW_CHANGES_H

#include <stddef.h>

/* Texts "policy=NAME", which is the policy without parameters, or "path=value". Start it as {0}; free it with
 * view_changes_free. */
struct view_changes {
    char **texts;
    size_t count;
};

void view_changes_free(struct view_changes *changes);

/* Copies the text behind the others. */
void view_changes_add(struct view_changes *changes, const char *text);

/* Adds "policy=NAME". */
void view_changes_add_policy(struct view_changes *changes, const char *name);

/* Adds copies of all of another list. */
void view_changes_add_all(struct view_changes *changes, const struct view_changes *from);

/* Takes the last one back; there must be one. */
void view_changes_drop(struct view_changes *changes);

/* What they come to: of each path the last value; a policy's parameters are gone with it. The texts stay the list's, `sets` is to
 * be freed. */
struct view_changes_sum {
    const char *policy; /* NULL: the scenario's own */
    const char **sets;
    size_t set_count;
};
struct view_changes_sum view_changes_sum(const struct view_changes *changes);

#endif
