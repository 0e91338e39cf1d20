/* A kernel of one's own, for gpurt-calib: what it has to look like is said in gpu_port.h. `amount` is how often each thread multiplies. */
#include "gpu_port.h"

GRT_KERNEL(logistic)(struct grt_control control, const float *in, float *out, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        unsigned place = (block * GRT_THREADS + GRT_THREAD) & ((1u << control.buffer_log2) - 1);
        float value = in[place];
        for (unsigned long long i = 0; i < amount; i++)
            value = 3.7f * value * (1 - value);
        out[place] = value;
    }
}
