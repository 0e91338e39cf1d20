/* Finds names in logarithmic time. */
#ifndef GRT_SCENARIOS_NAME_INDEX_H
#define GRT_SCENARIOS_NAME_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct grt_name_entry {
    const char *name;
    uint32_t index; /* the owner's number for it */
};

/* Sorts by name, then by index; after that entries of equal names stand side by side. */
void grt_name_index_sort(struct grt_name_entry *entries, size_t count);

/* The number of entries before (name, index) in a sorted index. */
size_t grt_name_index_before(const struct grt_name_entry *entries, size_t count, const char *name,
                             uint32_t index);

/* The first entry of that name in a sorted index, or NULL. */
const struct grt_name_entry *grt_name_index_find(const struct grt_name_entry *entries, size_t count,
                                                 const char *name);

#endif
