#include "study/sample.h"

char *grt_sampler_scenario(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                           struct grt_errors *errors) {
    (void)sampler, (void)point, (void)sample, (void)evaluation;
    grt_error_add(errors, NULL, "a sample's scenario cannot be written by this version");
    return NULL;
}
