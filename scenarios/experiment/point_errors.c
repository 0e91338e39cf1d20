#include "scenarios/experiment/point_errors.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

static void note(struct grt_point_errors *all, const char *message, size_t point) {
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].message, message) == 0) {
            all->items[i].count++;
            return;
        }
    }
    if (all->count == GRT_ERRORS_KEPT) {
        all->more++;
        return;
    }
    size_t size = strlen(message) + 1;
    all->items[all->count++] = (struct grt_point_error){memcpy(grt_allocate(size), message, size), point, 1};
}

void grt_point_errors_note(struct grt_point_errors *all, const struct grt_errors *errors, size_t point) {
    for (size_t i = 0; i < errors->count && i < GRT_ERRORS_KEPT; i++) {
        note(all, errors->messages[i], point);
    }
    all->more += errors->count > GRT_ERRORS_KEPT ? errors->count - GRT_ERRORS_KEPT : 0;
}

void grt_point_errors_add(struct grt_point_errors *all, size_t points, struct grt_errors *errors,
                          void (*label)(const void *state, size_t point, char *text, size_t size),
                          const void *state) {
    char place[512];
    for (size_t i = 0; i < all->count; i++) {
        const struct grt_point_error *item = &all->items[i];
        if (item->count >= points) {
            grt_error_add(errors, NULL, "%s", item->message);
        } else {
            label(state, item->first, place, sizeof place);
            grt_error_add(errors, NULL, "at %s: %s", place, item->message);
        }
        free(item->message);
    }
    if (errors->count >= GRT_ERRORS_KEPT) { /* else none were left out: what is counted has to be there */
        errors->count += all->more;
    }
    *all = (struct grt_point_errors){0};
}
