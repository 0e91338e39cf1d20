#include "policies/registry.h"

#include <string.h>

extern const struct grt_policy_ops grt_policy_hardware, grt_policy_fifo, grt_policy_np_edf, grt_policy_np_rm,
    grt_policy_np_fp, grt_policy_tdm, grt_policy_gpu_server, grt_policy_mpcp, grt_policy_fmlp,
    grt_policy_pruda_single, grt_policy_pruda_multi, grt_policy_pruda_sm, grt_policy_cpu_traditional,
    grt_policy_cpu_interleave, grt_policy_cpu_concurrent, grt_policy_cpu_order, grt_policy_gpu_synchronize,
    grt_policy_gpu_atomics, grt_policy_wamp2s, grt_policy_static_shares;

static const struct grt_policy_ops *const policies[] = {
    &grt_policy_hardware,
    &grt_policy_fifo,
    &grt_policy_np_edf,
    &grt_policy_np_rm,
    &grt_policy_np_fp,
    &grt_policy_tdm,
    &grt_policy_gpu_server,
    &grt_policy_mpcp,
    &grt_policy_fmlp,
    &grt_policy_pruda_single,
    &grt_policy_pruda_multi,
    &grt_policy_pruda_sm,
    &grt_policy_cpu_traditional,
    &grt_policy_cpu_interleave,
    &grt_policy_cpu_concurrent,
    &grt_policy_cpu_order,
    &grt_policy_gpu_synchronize,
    &grt_policy_gpu_atomics,
    &grt_policy_wamp2s,
    &grt_policy_static_shares,
    NULL,
};

const struct grt_policy_ops *const *const grt_policies = policies;

const struct grt_policy_ops *grt_policy_find(const char *name) {
    for (const struct grt_policy_ops *const *policy = grt_policies; *policy != NULL; policy++) {
        if (strcmp((*policy)->name, name) == 0) {
            return *policy;
        }
    }
    return NULL;
}
