#include "tests/support/fake_work.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/hash.h"
#include "sim/memory.h"

/* A thread's own. */
struct own {
    struct grt_fake_work *fake;
    volatile double sink;
};

static void *start(void *state) {
    struct own *own = grt_allocate(sizeof *own);
    *own = (struct own){.fake = state};
    atomic_fetch_add(&own->fake->own, 1);
    return own;
}

static void end(void *state) {
    struct own *own = state;
    atomic_fetch_sub(&own->fake->own, 1);
    free(own);
}

static double number_of(uint64_t hash) {
    return (double)(hash >> 11) * 0x1p-53;
}

/* Sums of such numbers round, so that another order of adding would show. */
static void run(void *state, size_t point, uint64_t sample, struct grt_found *found) {
    struct own *own = state;
    uint64_t hash = grt_hash_add(grt_hash_add(own->fake->experiment.seed, point), sample);
    if (own->fake->pause_ns > 0) {
        long pause = (long)((double)own->fake->pause_ns * 2 * number_of(grt_hash_mix(hash + 99)));
        nanosleep(&(struct timespec){.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000}, NULL);
    }
    for (long i = 0; i < own->fake->spin; i++) {
        own->sink = own->sink * 0.5 + (double)i;
    }
    for (size_t i = 0; i < GRT_FAKE_EVALUATIONS; i++) {
        uint64_t mixed = grt_hash_mix(hash + i);
        found[i].outcome = (enum grt_outcome)(mixed % GRT_OUTCOMES);
        for (size_t j = 0; j < own->fake->measures[i]; j++) {
            double number = number_of(grt_hash_mix(mixed + j));
            found[i].values[j] = number < 0.1 ? (double)NAN : exp(40 * (number - 0.5));
        }
    }
    atomic_fetch_add(&own->fake->ran, 1);
}

void grt_fake_work_start(struct grt_fake_work *fake, size_t points, int64_t samples) {
    *fake = (struct grt_fake_work){.experiment = {.name = "fake",
                                                  .seed = 7,
                                                  .samples = samples,
                                                  .point_count = points,
                                                  .evaluation_count = GRT_FAKE_EVALUATIONS,
                                                  .identity = UINT64_C(0xfa4efa4efa4efa4e)},
                                   .measures = {2, 0, 3}};
    fake->work = (struct grt_sweep_work){.experiment = &fake->experiment,
                                         .shape = {GRT_FAKE_EVALUATIONS, fake->measures},
                                         .state = fake,
                                         .start = start,
                                         .run = run,
                                         .end = end};
}

char *grt_fake_results_text(const struct grt_results *results) {
    static const size_t measures[GRT_FAKE_EVALUATIONS] = {2, 0, 3};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t point = 0; point < results->experiment->point_count; point++) {
        fprintf(out, "%zu: %" PRIu64 "\n", point, results->samples[point]);
        for (size_t i = 0; i < GRT_FAKE_EVALUATIONS; i++) {
            const struct grt_tally *tally = grt_results_tally(results, point, i);
            for (size_t j = 0; j < GRT_OUTCOMES; j++) {
                fprintf(out, " %" PRIu64, tally->outcomes[j]);
            }
            for (size_t j = 0; j < measures[i]; j++) {
                const struct grt_moments *moments = &tally->moments[j];
                fprintf(out, " (%" PRIu64 " %a %a %a %a %a)", moments->count, moments->sum, moments->rest,
                        moments->squares, moments->least, moments->most);
            }
            fputc('\n', out);
        }
    }
    fclose(out);
    return text;
}

char *grt_fake_undisturbed(size_t points, int64_t samples) {
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, points, samples);
    struct grt_sweep_options options = {.threads = 1};
    if (!grt_sweep_work_run(&fake.work, &options, &results, &errors) || !results.complete) {
        abort();
    }
    char *text = grt_fake_results_text(&results);
    grt_results_free(&results);
    return text;
}
