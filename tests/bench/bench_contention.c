/* How fast kernels go beside each other on a GPU of shares: the speeds of ten kernels, as they are asked for at every begin, end and change of
 * a share, against the iteration that defines them. */
#include "models/device/contention.h"
#include "sim/random.h"
#include "tests/bench/bench.h"
#include "tests/support/speed_reference.h"

enum { KERNELS = 10, WORLDS = 64, MOST = GRT_REFERENCE_SHARERS, ROUNDS = 2000 };

struct contending {
    struct grt_device device;
    struct grt_contention *contention;
    struct grt_usage usages[WORLDS][MOST];
    struct grt_sharer sharers[WORLDS][MOST];
    uint32_t count;
};

/* Kernels that depend on what they use, heavy enough that resources are full. */
static void draw(struct contending *contending) {
    struct grt_random random = grt_random_of_key(1);
    for (int w = 0; w < WORLDS; w++) {
        for (int i = 0; i < MOST; i++) {
            struct grt_usage *usage = &contending->usages[w][i];
            *usage = (struct grt_usage){.host_fraction = .3 * grt_random_uniform(&random),
                                        .sm_utilisation = 1 - .8 * grt_random_uniform(&random)};
            for (int r = 0; r < GRT_RESOURCES; r++) {
                usage->demand[r] = grt_random_uniform(&random);
                usage->bound[r] = .2 * usage->demand[r];
            }
            int64_t share = 10 + (int64_t)grt_random_below(&random, 91);
            contending->sharers[w][i] =
                (struct grt_sharer){.usage = usage, .class_number = GRT_NO_CLASS, .share = share};
        }
    }
}

static uint64_t ours(void *state) {
    struct contending *contending = state;
    double speeds[MOST], sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        grt_contention_speeds(contending->contention, contending->sharers[i % WORLDS], contending->count,
                              speeds);
        sum += speeds[0];
    }
    bench_use((uint64_t)sum);
    return ROUNDS;
}

static uint64_t definition(void *state) {
    struct contending *contending = state;
    uint64_t rounds = 0;
    for (int i = 0; i < WORLDS; i++) {
        double speeds[MOST];
        int64_t shares[MOST];
        const struct grt_sharer *sharers = contending->sharers[i];
        grt_reference_shares(&contending->device, sharers, contending->count, shares);
        for (uint32_t k = 0; k < contending->count; k++) {
            speeds[k] = 1 / grt_usage_share_factor(sharers[k].usage, shares[k]);
        }
        rounds += grt_reference_saturation(&contending->device, sharers, shares, contending->count, .5, 1000,
                                           speeds);
    }
    bench_use(rounds);
    return WORLDS;
}

static double measure(struct contending *contending, enum grt_contention_kind kind, uint32_t count) {
    struct grt_arena arena = {0};
    contending->device.contention = kind;
    contending->count = count;
    contending->contention = grt_contention_create(&contending->device, &arena);
    double ns = bench_ns_per_unit(ours, contending, 5);
    grt_arena_clear(&arena);
    return ns;
}

void bench_contention(void) {
    static struct contending contending = {
        .device = {.contention_latency = {.15, .3, .5, .1, .15}, .contention_exponent = .9}};
    draw(&contending);
    double saturation = measure(&contending, GRT_CONTENTION_SATURATION, KERNELS);
    double reference = bench_ns_per_unit(definition, &contending, 5);
    bench_report("speeds of 10 kernels, saturation", saturation, "its iteration, with pow", reference,
                 "<= 6000 ns");
    bench_report("speeds of 10 kernels, max-min", measure(&contending, GRT_CONTENTION_MAX_MIN, KERNELS),
                 "saturation", saturation, "");
    bench_report("speeds of 10 kernels, none", measure(&contending, GRT_CONTENTION_NONE, KERNELS),
                 "saturation", saturation, "");
    bench_report("speeds of 3 kernels, saturation", measure(&contending, GRT_CONTENTION_SATURATION, 3),
                 "of 10", saturation, "");
    bench_report("speeds of 32 kernels, saturation", measure(&contending, GRT_CONTENTION_SATURATION, MOST),
                 "of 10", saturation, "");
}
