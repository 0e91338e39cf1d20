#include "policies/analyses/registry.h"

#include <string.h>

extern const struct grt_analysis_ops grt_analysis_utilisation;
extern const struct grt_analysis_ops grt_analysis_np_edf_exact;
extern const struct grt_analysis_ops grt_analysis_np_edf_continuous;
extern const struct grt_analysis_ops grt_analysis_np_edf_response;
extern const struct grt_analysis_ops grt_analysis_np_fp_response;
extern const struct grt_analysis_ops grt_analysis_np_rm_response;
extern const struct grt_analysis_ops grt_analysis_tdm;
extern const struct grt_analysis_ops grt_analysis_edf_demand;
extern const struct grt_analysis_ops grt_analysis_fp_response;
extern const struct grt_analysis_ops grt_analysis_fp_suspension;
extern const struct grt_analysis_ops grt_analysis_rm_utilisation;
extern const struct grt_analysis_ops grt_analysis_rm_hyperbolic;
extern const struct grt_analysis_ops grt_analysis_gpu_server;
extern const struct grt_analysis_ops grt_analysis_mpcp;
extern const struct grt_analysis_ops grt_analysis_fmlp;
extern const struct grt_analysis_ops grt_analysis_pruda_multi;

/* clang-format off: one a line */
static const struct grt_analysis_ops *const analyses[] = {
    &grt_analysis_utilisation,
    &grt_analysis_np_edf_exact,
    &grt_analysis_np_edf_continuous,
    &grt_analysis_np_edf_response,
    &grt_analysis_np_fp_response,
    &grt_analysis_np_rm_response,
    &grt_analysis_tdm,
    &grt_analysis_edf_demand,
    &grt_analysis_fp_response,
    &grt_analysis_fp_suspension,
    &grt_analysis_rm_utilisation,
    &grt_analysis_rm_hyperbolic,
    &grt_analysis_gpu_server,
    &grt_analysis_mpcp,
    &grt_analysis_fmlp,
    &grt_analysis_pruda_multi,
    NULL,
};
/* clang-format on */

const struct grt_analysis_ops *const *const grt_analyses = analyses;

const struct grt_analysis_ops *grt_analysis_find(const char *name) {
    for (const struct grt_analysis_ops *const *analysis = grt_analyses; *analysis != NULL; analysis++) {
        if (strcmp((*analysis)->name, name) == 0) {
            return *analysis;
        }
    }
    return NULL;
}

bool grt_analysis_is_of_none(const struct grt_analysis_ops *analysis) {
    return analysis->policies != NULL && analysis->policies[0] == NULL;
}
