/* A generator of task sets that draws everything that can be drawn, for tests. */
#ifndef GRT_TESTS_SUPPORT_RICH_SETS_H
#define GRT_TESTS_SUPPORT_RICH_SETS_H

#include <stdio.h>

#include "scenarios/generate/generate.h"
#include "tests/support/cunit.h"

enum { TASKS = 10 };

static inline struct grt_generator *create(const struct grt_generator_spec *spec) {
    struct grt_errors errors = {0};
    struct grt_generator *generator = grt_generator_create(spec, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_FATAL(generator != NULL);
    return generator;
}

/* Everything that can be drawn. */
static inline struct grt_generator_spec rich_spec(int64_t method, int64_t periods) {
    struct grt_generator_spec spec = grt_generator_spec_default();
    spec.seed = 42;
    spec.task_count = TASKS;
    spec.utilisation = method == GRT_UTILISATION_RANDFIXEDSUM ? 3.3 : 2.4;
    spec.method = method;
    spec.periods.method = periods;
    spec.periods.hyperperiod = 216 * GRT_SECOND;
    spec.deadlines = GRT_DEADLINES_SLACK;
    spec.deadline_factor = (struct grt_generated_range){0.5, 1};
    spec.jitter = (struct grt_generated_range){0, 0.1};
    spec.overhead = 6 * GRT_MILLISECOND;
    spec.random_offsets = true;
    spec.blocks.low = 1;
    spec.blocks.high = 100;
    spec.blocks_at_a_time = 16;
    return spec;
}

#endif
