/* What tests ask of fits. */
#ifndef GRT_TESTS_SUPPORT_FINDINGS_H
#define GRT_TESTS_SUPPORT_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/suite.h"

/* The finding of that name, which is there. */
static inline const struct grt_finding *finding(const struct grt_fit *all, const char *name) {
    const struct grt_finding *found = grt_fit_find(all, name);
    if (found == NULL) {
        printf("\nno finding %s", name);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return found;
}

/* Whether a warning has the text in it. */
static inline bool is_warned(const struct grt_fit *all, const char *text) {
    for (size_t i = 0; i < all->warning_count; i++) {
        if (strstr(all->warnings[i], text) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
