#include "tests/support/multitasking_claims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char grt_claim_letters[] = "TICOSA";

const double grt_published[GRT_WORKLOADS][GRT_SCHEDULERS] = {
    {NAN, NAN, NAN, NAN, NAN, NAN},       {1.00, 1.92, 3.57, 3.57, 3.12, 3.22},
    {1.00, 2.83, 3.55, 4.26, NAN, NAN},   {1.00, 3.34, 4.37, 4.32, NAN, NAN},
    {1.00, 1.75, 1.78, 0.66, 1.70, 0.63}, {1.00, 2.59, 1.54, 0.11, NAN, NAN},
    {1.00, 1.13, 0.82, 0.29, NAN, NAN},   {1.00, 1.13, 2.45, 1.63, 2.04, 1.47}};

const struct grt_claim grt_claims[] = {
    {"table 2", 1, "T<I<S<A<O~C"},
    {"table 2", 2, "T<I<C<O"},
    {"table 2", 3, "T<I<O~C"},
    {"table 2", 4, "A<O<T<S<I~C"},
    {"table 2", 5, "O<T<C<I"},
    {"table 2", 6, "O<C<T<I"},
    /* kernels beside each other are better where they are small; large, it is the same on a Kepler and worse on a Fermi */
    {"conclusion 1", 1, "I<C"},
    {"conclusion 1", 2, "I<C"},
    {"conclusion 1", 3, "I<C"},
    {"conclusion 1", 4, "I~C"},
    {"conclusion 1", 5, "C<I"},
    /* on a Fermi, large and unbalanced, they are worse than no overlap at all */
    {"conclusion 2", 6, "C<T"},
    /* another order of the copies back, found by atomics, is better only on a Fermi, with small kernels, the longer ones of higher
       priority; with large ones it is worse */
    {"conclusion 3", 1, "O~C"},
    {"conclusion 3", 1, "S~A"},
    {"conclusion 3", 2, "C<O"},
    {"conclusion 3", 3, "O~C"},
    {"conclusion 3", 4, "O<C"},
    {"conclusion 3", 4, "A<S"},
    {"conclusion 3", 5, "O<C"},
    {"conclusion 3", 6, "O<C"},
    /* a scheduler on the GPU is worse than its counterpart on the CPU */
    {"conclusion 4", 1, "S<C"},
    {"conclusion 4", 1, "A<O"},
    {"conclusion 4", 4, "S<C"},
    {"conclusion 4", 4, "A<O"},
    {"section 7", GRT_REAL_WORLD, "T<I<A<O<S<C"},
    {0},
};

static double performance(const struct grt_workloads *workloads, int workload, char letter) {
    return workloads->of[workload][strchr(grt_claim_letters, letter) - grt_claim_letters].performance;
}

/* By how much "a<b" or "a~b" fails; at most 0: it holds. */
static double excess(double a, double b, char sign) {
    double difference = (a - b) / fmax(a, b);
    return sign == '~' ? fabs(difference) - GRT_ABOUT : a == b ? GRT_ABOUT : difference;
}

bool grt_claim_holds(const struct grt_claim *claim, const struct grt_workloads *workloads, double *shortfall,
                     const char **link) {
    *shortfall = 0;
    *link = NULL;
    for (const char *sign = claim->chain + 1; *sign != '\0'; sign = sign[1] != '\0' ? sign + 2 : sign + 1) {
        double fails = excess(performance(workloads, claim->workload, sign[-1]),
                              performance(workloads, claim->workload, sign[1]), *sign);
        if (!(fails <= *shortfall)) { /* not a number fails, too */
            *shortfall = fails;
            *link = sign;
        }
    }
    return *link == NULL;
}

void grt_workloads_run(const struct grt_variation *variation, struct grt_workloads *out) {
    const struct grt_variation intervals = {.percent = variation->percent};
    for (int i = 1; i <= GRT_CASES; i++) {
        char name[32];
        snprintf(name, sizeof name, "case-%d", i);
        grt_multitasking_run(name, variation, out->of[i]);
    }
    grt_multitasking_run("real-world", &intervals, out->of[GRT_REAL_WORLD]);
}
