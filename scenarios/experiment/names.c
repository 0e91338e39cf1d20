#include "scenarios/experiment/names.h"

#include <string.h>

/* study/results/results_csv.c writes them. */
static const char *const columns[] = {"evaluation", "sets", "yes",   "no",  "unknown", "inapplicable",
                                      "refused",    "none", "ratio", "low", "high",    NULL};

static char small(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

bool grt_names_are_alike(const char *a, const char *b) {
    while (*a != '\0' && small(*a) == small(*b)) {
        a++;
        b++;
    }
    return small(*a) == small(*b);
}

bool grt_name_is_of_column(const char *name) {
    for (size_t i = 0; columns[i] != NULL; i++) {
        if (grt_names_are_alike(columns[i], name)) {
            return true;
        }
    }
    return false;
}

void grt_name_check_ends(struct grt_reader *reader, const cJSON *object, const struct grt_path *path,
                         const char *name) {
    const struct grt_path place = {.parent = path, .key = "name"};
    if (name != NULL && (name[0] == ' ' || (name[0] != '\0' && name[strlen(name) - 1] == ' '))) {
        grt_read_error(reader, &place, grt_json_find(object, "name"), "must not begin or end with a space");
    }
}
