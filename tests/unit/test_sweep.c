/* Sweeps: the same bytes whoever has worked on what; resuming, shards, merging, ending early. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/fake_work.h"
#include "tests/support/suite.h"

#define JOURNAL GRT_SCRATCH_DIR "/sweep.journal"

enum { POINTS = 7, SAMPLES = 130 }; /* 7 chunks a point, the last of 10 samples */

static void expect_no_errors(struct grt_errors *errors) {
    grt_errors_print(errors, stdout, "\n    ");
    CU_ASSERT_EQUAL(errors->count, 0);
    grt_errors_clear(errors);
}

static void expect_error(struct grt_errors *errors, const char *part) {
    CU_ASSERT_EQUAL_FATAL(errors->count, 1);
    if (strstr(errors->messages[0], part) == NULL) {
        printf("\n    got:         %s\n    expected in: %s\n", errors->messages[0], part);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(errors->messages[0], part));
    grt_errors_clear(errors);
}

static void expect_same(const struct grt_results *results, const char *wanted) {
    char *text = grt_fake_results_text(results);
    CU_ASSERT_STRING_EQUAL(text, wanted);
    free(text);
}

/* Runs the experiment to its end and compares. */
static void expect_whole(struct grt_fake_work *fake, const struct grt_sweep_options *options,
                         const char *wanted) {
    struct grt_results results;
    struct grt_errors errors = {0};
    CU_ASSERT_FATAL(grt_sweep_work_run(&fake->work, options, &results, &errors));
    expect_no_errors(&errors);
    CU_ASSERT(results.complete);
    CU_ASSERT_EQUAL(atomic_load(&fake->own), 0);
    expect_same(&results, wanted);
    grt_results_free(&results);
}

static void test_counts_every_sample_once(void) {
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    CU_ASSERT_FATAL(
        grt_sweep_work_run(&fake.work, &(struct grt_sweep_options){.threads = 2}, &results, &errors));
    CU_ASSERT_EQUAL(atomic_load(&fake.ran), POINTS * SAMPLES);
    for (size_t point = 0; point < POINTS; point++) {
        CU_ASSERT_EQUAL(results.samples[point], SAMPLES);
        uint64_t sets = 0;
        for (size_t j = 0; j < GRT_OUTCOMES; j++) {
            sets += grt_results_tally(&results, point, 1)->outcomes[j];
        }
        CU_ASSERT_EQUAL(sets, SAMPLES);
    }
    grt_results_free(&results);
}

static void test_threads(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    for (size_t threads = 1; threads <= 5; threads++) {
        struct grt_fake_work fake;
        grt_fake_work_start(&fake, POINTS, SAMPLES);
        fake.pause_ns = 20000; /* so that chunks end in another order than they began */
        expect_whole(&fake, &(struct grt_sweep_options){.threads = threads}, wanted);
    }
    free(wanted);
}

static void test_few_samples(void) {
    static const struct {
        size_t points;
        int64_t samples;
    } cases[] = {{1, 1}, {3, 1}, {1, 20}, {1, 21}, {2, 19}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_fake_work fake;
        char *wanted = grt_fake_undisturbed(cases[i].points, cases[i].samples);
        grt_fake_work_start(&fake, cases[i].points, cases[i].samples);
        expect_whole(&fake, &(struct grt_sweep_options){.threads = 3}, wanted);
        CU_ASSERT_EQUAL(atomic_load(&fake.ran), cases[i].points * (uint64_t)cases[i].samples);
        free(wanted);
    }
}

/* ---- ending and going on ---- */

struct limit {
    uint64_t chunks; /* ends the sweep when so many are done */
    struct grt_sweep_progress last;
};

static bool until_limit(void *state, const struct grt_sweep_progress *progress) {
    struct limit *limit = state;
    limit->last = *progress;
    return progress->done < limit->chunks;
}

static void test_ends_early_and_goes_on(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    struct limit limit = {.chunks = 1};
    struct grt_sweep_options options = {
        .threads = 2, .journal = JOURNAL, .go_on = until_limit, .state = &limit};
    unlink(JOURNAL);
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    fake.pause_ns = 1000000;
    CU_ASSERT_FATAL(grt_sweep_work_run(&fake.work, &options, &results, &errors));
    expect_no_errors(&errors);
    CU_ASSERT_FALSE(results.complete);
    CU_ASSERT(limit.last.done >= 1);
    CU_ASSERT(limit.last.done < limit.last.total);
    CU_ASSERT_EQUAL(access(JOURNAL, F_OK), 0);
    grt_results_free(&results);

    uint64_t done = limit.last.done;
    limit.chunks = UINT64_MAX;
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    expect_whole(&fake, &options, wanted);
    CU_ASSERT_EQUAL(limit.last.resumed, done);
    CU_ASSERT_EQUAL(limit.last.done, limit.last.total);
    CU_ASSERT(atomic_load(&fake.ran) <= POINTS * SAMPLES - (done - POINTS) * GRT_CHUNK_SAMPLES);

    grt_fake_work_start(&fake, POINTS, SAMPLES); /* a third time: nothing is left to do */
    expect_whole(&fake, &options, wanted);
    CU_ASSERT_EQUAL(atomic_load(&fake.ran), 0);
    options.restart = true;
    expect_whole(&fake, &options, wanted);
    CU_ASSERT_EQUAL(atomic_load(&fake.ran), POINTS * SAMPLES);
    free(wanted);
    unlink(JOURNAL);
}

static void test_short_sweeps_leave_no_file(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    struct grt_fake_work fake;
    unlink(JOURNAL);
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    expect_whole(&fake, &(struct grt_sweep_options){.journal = JOURNAL, .flush_ms = 60000}, wanted);
    CU_ASSERT_NOT_EQUAL(access(JOURNAL, F_OK), 0);
    expect_whole(&fake,
                 &(struct grt_sweep_options){.journal = JOURNAL, .flush_ms = 60000, .keep_journal = true},
                 wanted);
    CU_ASSERT_EQUAL(access(JOURNAL, F_OK), 0);
    free(wanted);
    unlink(JOURNAL);
}

/* ---- shards ---- */

enum { SHARDS = 4 };

static const char *const shard_journals[SHARDS] = {
    GRT_SCRATCH_DIR "/shard-1.journal", GRT_SCRATCH_DIR "/shard-2.journal",
    GRT_SCRATCH_DIR "/shard-3.journal", GRT_SCRATCH_DIR "/shard-4.journal"};

static void run_shards(struct grt_fake_work *fake) {
    for (uint32_t shard = 0; shard < SHARDS; shard++) {
        struct grt_results results;
        struct grt_errors errors = {0};
        unlink(shard_journals[shard]);
        struct grt_sweep_options options = {.threads = 2,
                                            .journal = shard_journals[shard],
                                            .keep_journal = true,
                                            .shard = shard,
                                            .shards = SHARDS};
        CU_ASSERT_FATAL(grt_sweep_work_run(&fake->work, &options, &results, &errors));
        expect_no_errors(&errors);
        CU_ASSERT_FALSE(results.complete);
        grt_results_free(&results);
    }
}

static void test_shards(void) {
    char *wanted = grt_fake_undisturbed(POINTS, SAMPLES);
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    run_shards(&fake);
    CU_ASSERT_EQUAL(atomic_load(&fake.ran), POINTS * SAMPLES);
    CU_ASSERT_FATAL(
        grt_sweep_work_merge(&fake.experiment, &fake.work.shape, shard_journals, SHARDS, &results, &errors));
    CU_ASSERT(results.complete);
    expect_same(&results, wanted);
    grt_results_free(&results);

    /* one twice is no harm, one too few is */
    const char *twice[] = {shard_journals[3], shard_journals[1], shard_journals[0], shard_journals[2],
                           shard_journals[1]};
    CU_ASSERT_FATAL(grt_sweep_work_merge(&fake.experiment, &fake.work.shape, twice, 5, &results, &errors));
    expect_same(&results, wanted);
    grt_results_free(&results);
    CU_ASSERT_FALSE(grt_sweep_work_merge(&fake.experiment, &fake.work.shape, twice, 3, &results, &errors));
    expect_error(&errors, "12 of 49 chunks are missing, of 7 points from point 1 to 7");
    free(wanted);
}

static void test_merge_refuses(void) {
    struct grt_fake_work fake, other;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    run_shards(&fake);
    CU_ASSERT_FALSE(grt_sweep_work_merge(&fake.experiment, &fake.work.shape,
                                         &(const char *){GRT_SCRATCH_DIR "/none.journal"}, 1, &results,
                                         &errors));
    expect_error(&errors, "none.journal: cannot be opened: No such file");
    CU_ASSERT_FALSE(grt_sweep_work_merge(&fake.experiment, &fake.work.shape, &(const char *){GRT_SCRATCH_DIR},
                                         1, &results, &errors));
    expect_error(&errors, "is no file");
    grt_fake_work_start(&other, POINTS, SAMPLES + 1);
    CU_ASSERT_FALSE(
        grt_sweep_work_merge(&other.experiment, &other.work.shape, shard_journals, 1, &results, &errors));
    expect_error(
        &errors,
        "shard-1.journal: is the journal of another experiment: it has samples=130, this one samples=131");

    /* the same chunks with other results */
    struct grt_sweep_options options = {
        .journal = JOURNAL, .keep_journal = true, .shard = 1, .shards = SHARDS};
    unlink(JOURNAL);
    other.experiment.samples = SAMPLES;
    other.experiment.seed++;
    const uint64_t seed = other.experiment.seed;
    CU_ASSERT_FATAL(grt_sweep_work_run(&other.work, &options, &results, &errors));
    grt_results_free(&results);
    const char *both[] = {shard_journals[1], JOURNAL};
    CU_ASSERT_FALSE(grt_sweep_work_merge(&fake.experiment, &fake.work.shape, both, 2, &results, &errors));
    expect_error(&errors, "it has seed=8, this one seed=7");
    CU_ASSERT_EQUAL(seed, 8);
    unlink(JOURNAL);
}

/* Two programs that claim to be one, but are not. */
static bool alter(void) {
    FILE *in = fopen(shard_journals[1], "r"), *out = fopen(JOURNAL, "w");
    char line[4096];
    bool head = true;
    if (in == NULL || out == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, in) != NULL) {
        size_t length = strlen(line) - 1;
        line[length] = '\0';
        char *end = strstr(line, ":0x1");
        if (!head && end != NULL && grt_line_unseal(line, &length)) {
            end[3] = '0'; /* a sum of 0x0... */
            grt_line_seal(line, length);
            fputs(line, out);
        } else {
            fprintf(out, "%s\n", line);
        }
        head = false;
    }
    fclose(in);
    return fclose(out) == 0;
}

static void test_merge_finds_differences(void) {
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, POINTS, SAMPLES);
    run_shards(&fake);
    CU_ASSERT_FATAL(alter());
    const char *both[] = {shard_journals[1], JOURNAL};
    CU_ASSERT_FALSE(grt_sweep_work_merge(&fake.experiment, &fake.work.shape, both, 2, &results, &errors));
    expect_error(&errors, "of point 1 are also in " GRT_SCRATCH_DIR);
    unlink(JOURNAL);
}

static void test_too_many(void) {
    struct grt_fake_work fake;
    struct grt_results results;
    struct grt_errors errors = {0};
    grt_fake_work_start(&fake, GRT_MOST_POINTS, GRT_MOST_SAMPLES);
    CU_ASSERT_FALSE(grt_sweep_work_run(&fake.work, &(struct grt_sweep_options){0}, &results, &errors));
    expect_error(&errors, "100000 points of 100000000 samples are more than a sweep can have");
}

int main(void) {
    CU_TestInfo tests[] = {{"counts every sample once", test_counts_every_sample_once},
                           {"threads", test_threads},
                           {"few samples", test_few_samples},
                           {"ends early and goes on", test_ends_early_and_goes_on},
                           {"short sweeps leave no file", test_short_sweeps_leave_no_file},
                           {"shards", test_shards},
                           {"merge refuses", test_merge_refuses},
                           {"merge finds differences", test_merge_finds_differences},
                           {"too many", test_too_many},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("sweep", tests);
}
