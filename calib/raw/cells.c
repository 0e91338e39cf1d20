#include "calib/raw/cells.h"

#include <string.h>

static const struct grt_raw_key *find_key(const struct grt_raw_cell *cell, const char *key) {
    for (size_t i = 0; i < cell->key_count; i++) {
        if (strcmp(cell->keys[i].name, key) == 0) {
            return &cell->keys[i];
        }
    }
    return NULL;
}

const char *grt_raw_text(const struct grt_raw_cell *cell, const char *key) {
    const struct grt_raw_key *found = find_key(cell, key);
    return found != NULL ? found->text : NULL;
}

int64_t grt_raw_number(const struct grt_raw_cell *cell, const char *key, int64_t absent) {
    const struct grt_raw_key *found = find_key(cell, key);
    return found != NULL && found->text == NULL ? found->number : absent;
}

const int64_t *grt_raw_values(const struct grt_raw_cell *cell, const char *column) {
    for (size_t i = 0; i < cell->column_count; i++) {
        if (strcmp(cell->columns[i].name, column) == 0) {
            return cell->columns[i].values;
        }
    }
    return NULL;
}

const struct grt_raw_cell *grt_raw_next(const struct grt_raw *raw, const char *experiment,
                                        const struct grt_raw_cell *after) {
    size_t from = after != NULL ? (size_t)(after - raw->cells) + 1 : 0;
    for (size_t i = from; i < raw->cell_count; i++) {
        if (strcmp(raw->cells[i].experiment, experiment) == 0) {
            return &raw->cells[i];
        }
    }
    return NULL;
}

const struct grt_raw_workload *grt_raw_workload(const struct grt_raw *raw, const char *name) {
    for (size_t i = 0; i < raw->workload_count; i++) {
        if (strcmp(raw->workloads[i].name, name) == 0) {
            return &raw->workloads[i];
        }
    }
    return NULL;
}
