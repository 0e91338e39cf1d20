#include "scenarios/name_index.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
    const struct grt_name_entry *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : a->index < b->index ? -1 : a->index > b->index;
}

void grt_name_index_sort(struct grt_name_entry *entries, size_t count) {
    if (count > 0) { /* else there need not be an array */
        qsort(entries, count, sizeof *entries, compare);
    }
}

size_t grt_name_index_before(const struct grt_name_entry *entries, size_t count, const char *name,
                             uint32_t index) {
    const struct grt_name_entry sought = {name, index};
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(&entries[middle], &sought) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct grt_name_entry *grt_name_index_find(const struct grt_name_entry *entries, size_t count,
                                                 const char *name) {
    size_t place = grt_name_index_before(entries, count, name, 0);
    return place < count && strcmp(entries[place].name, name) == 0 ? &entries[place] : NULL;
}
