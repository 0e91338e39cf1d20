/* That each sample is of what its cell says: what is beside it, where it is, what the cache has of it, and what came before it. */
#include <math.h>
#include <string.h>

#include "calib/fit/fit.h"
#include "tests/support/measured.h"
#include "tests/support/suite.h"

enum { RUNS = 250 };

static const char path[] = GRT_SCRATCH_DIR "/samples.jsonl";

static struct grt_pretend_spec spec;
static struct grt_arena arena;

/* ---- what is between the bench and the device ---- */

static struct {
    grt_cuda_result (*fetch)(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream);
    grt_cuda_result (*synchronise)(grt_cuda_stream stream);
    grt_cuda_result (*elapsed)(float *milliseconds, grt_cuda_event from, grt_cuda_event to);
    grt_cuda_result (*fill)(grt_cuda_address to, unsigned value, size_t count, grt_cuda_stream stream);
    void (*idle)(void *state, grt_time instant);
    grt_time (*now)(void *state);
    void (*wait_until)(void *state, grt_time instant);
} own;

static uint32_t blocks; /* of the workload */
static struct grt_block_record *coming;
static size_t coming_count;
static void (*seen)(struct grt_block_record *records, size_t count); /* what has come from the device */

static grt_cuda_result noted_fetch(void *to, grt_cuda_address from, size_t bytes, grt_cuda_stream stream) {
    coming = to;
    coming_count = bytes / sizeof *coming;
    return own.fetch(to, from, bytes, stream);
}

static grt_cuda_result noted_synchronise(grt_cuda_stream stream) {
    grt_cuda_result result = own.synchronise(stream);
    if (coming_count > 1 && seen != NULL) {
        seen(coming, coming_count);
    }
    coming_count = 0;
    return result;
}

static void look_at_records(struct grt_driver *driver) {
    own.fetch = driver->cuda.cuMemcpyDtoHAsync_v2;
    own.synchronise = driver->cuda.cuStreamSynchronize;
    driver->cuda.cuMemcpyDtoHAsync_v2 = noted_fetch;
    driver->cuda.cuStreamSynchronize = noted_synchronise;
    coming_count = 0;
}

/* ---- measuring ---- */

static struct grt_plan plan_of(enum grt_experiment experiment) {
    struct grt_plan plan = grt_measured_plan();
    plan.workloads[0] = "fma";
    plan.workload_count = 1;
    plan.experiments = 1u << experiment;
    plan.worst_samples = RUNS;
    return plan;
}

static struct grt_raw *measure(const struct grt_plan *plan, void (*prepare)(struct grt_driver *driver)) {
    struct grt_measured_run run = {
        .spec = &spec, .engine = &grt_engine_model, .plan = plan, .path = path, .prepare = prepare};
    enum grt_measure_result result;
    struct grt_raw *raw = grt_measured(&run, &arena, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

static void measure_blocks(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_CLOCK);
    blocks = measure(&plan, NULL)->workloads[0].blocks;
    grt_arena_clear(&arena);
}

static bool is_alone(const struct grt_raw_cell *cell) {
    return strcmp(grt_raw_text(cell, "beside"), "nothing") == 0;
}

static bool is_first(const struct grt_raw_cell *cell) {
    return grt_raw_text(cell, "run") != NULL;
}

/* ---- the first run of a visit ---- */

static int visits;
static bool begins;
static size_t delayed;

static void note_visit(void *state, const struct grt_measure_progress *progress) {
    (void)state;
    begins = strcmp(progress->experiment, "worst") == 0;
    visits += begins;
}

static void delay_first(struct grt_block_record *records, size_t count) {
    if (begins && count >= blocks) {
        for (uint32_t i = 0; i < blocks; i++) {
            records[i].end_ns += 1000000;
        }
        delayed++;
        begins = false;
    }
}

/* Runs that take 1 ms longer since they come first in their visit are not among those of the series, and not lost: there is a cell that has nothing else. */
static void test_first_runs(void) {
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_WORST);
    plan.progress = note_visit;
    visits = 0;
    begins = false;
    delayed = 0;
    seen = delay_first;
    measure_blocks();
    struct grt_raw *raw = measure(&plan, look_at_records);
    const struct grt_raw_cell *cell = NULL;
    size_t long_ones = 0, firsts = 0, dropped = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "span_ns");
        CU_ASSERT(is_first(cell) || cell->count == RUNS);
        for (size_t i = 0; i < cell->count; i++) {
            bool is_long = values[i] >= 1000000;
            CU_ASSERT(is_first(cell) || !is_long);
            long_ones += is_long;
        }
        firsts += is_first(cell) ? cell->count + cell->dropped : 0;
        dropped += is_first(cell) ? cell->dropped : 0;
    }
    CU_ASSERT_EQUAL(visits, 9); /* three series, in visits of 100, 100 and 50 */
    CU_ASSERT_EQUAL(firsts, 9);
    CU_ASSERT_EQUAL(delayed, 8); /* nobody tells when the first visit begins */
    CU_ASSERT(long_ones + dropped == delayed && dropped < 3);
    grt_arena_clear(&arena);
}

/* ---- the cache ---- */

static size_t flushes, cold_runs, hot_runs;
static bool flushed;

static grt_cuda_result noted_fill(grt_cuda_address to, unsigned value, size_t count, grt_cuda_stream stream) {
    if (value != 0) { /* records and counters are filled with zeros */
        flushes++;
        flushed = true;
    }
    return own.fill(to, value, count, stream);
}

static void note_state(struct grt_block_record *records, size_t count) {
    (void)records;
    if (count == blocks) {
        cold_runs += flushed;
        hot_runs += !flushed;
        flushed = false;
    }
}

static void look_at_flushes(struct grt_driver *driver) {
    look_at_records(driver);
    own.fill = driver->cuda.cuMemsetD32Async;
    driver->cuda.cuMemsetD32Async = noted_fill;
    flushes = cold_runs = hot_runs = 0;
    flushed = false;
}

/* Each run of a cold series comes behind a flush, and none of a hot one. */
static void test_flushes(void) {
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_WORST);
    seen = note_state;
    measure_blocks();
    struct grt_raw *raw = measure(&plan, look_at_flushes);
    const struct grt_raw_cell *cell = NULL;
    size_t cold = 0, cold_alone = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        bool is_cold = strcmp(grt_raw_text(cell, "state"), "cold") == 0;
        cold += is_cold ? cell->count + cell->dropped : 0;
        cold_alone += is_cold && is_alone(cell) ? cell->count + cell->dropped : 0;
    }
    CU_ASSERT(cold_alone > RUNS && cold > 2 * RUNS);
    CU_ASSERT_EQUAL(flushes, cold);
    CU_ASSERT_EQUAL(cold_runs, cold_alone);
    CU_ASSERT(hot_runs > RUNS); /* and those by which the workload got its size */
    grt_arena_clear(&arena);
}

/* ---- what is beside a kernel ---- */

static size_t spoilt, beside_runs;
static grt_time earliest, latest;

static bool is_fifth_beside(size_t count) {
    return count == 3 * blocks && ++beside_runs % 5 == 0;
}

/* The other kernel begins later than the first one. */
static void begin_late(struct grt_block_record *records, size_t count) {
    bool now = is_fifth_beside(count);
    for (uint32_t i = blocks; i < 2 * blocks && now; i++) {
        records[i].start_ns += GRT_SECOND;
    }
    spoilt += now;
}

/* It ends sooner. */
static void end_early(struct grt_block_record *records, size_t count) {
    bool now = is_fifth_beside(count);
    for (uint32_t i = 2 * blocks; i < 3 * blocks && now; i++) {
        records[i].end_ns = records[i].start_ns = records[0].start_ns;
    }
    spoilt += now;
}

/* A block of the first one is where the other kernel is. */
static void be_elsewhere(struct grt_block_record *records, size_t count) {
    bool now = is_fifth_beside(count);
    records[blocks / 2].sm = now ? records[blocks].sm : records[blocks / 2].sm;
    spoilt += now;
}

static void note_phase(struct grt_block_record *records, size_t count) {
    if (count == 3 * blocks) {
        uint64_t first = UINT64_MAX, other = UINT64_MAX;
        for (uint32_t i = 0; i < blocks; i++) {
            first = records[i].start_ns < first ? records[i].start_ns : first;
            other = records[blocks + i].start_ns < other ? records[blocks + i].start_ns : other;
        }
        grt_time phase = (grt_time)(first - other);
        earliest = beside_runs == 0 || phase < earliest ? phase : earliest;
        latest = beside_runs == 0 || phase > latest ? phase : latest;
        beside_runs++;
    }
}

static void expect_drops(void (*spoil)(struct grt_block_record *records, size_t count),
                         enum grt_raw_drop reason) {
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_WORST);
    seen = NULL;
    measure_blocks();
    seen = spoil;
    spoilt = beside_runs = 0;
    struct grt_raw *raw = measure(&plan, look_at_records);
    const struct grt_raw_cell *cell = NULL;
    size_t dropped = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        CU_ASSERT(is_first(cell) || cell->count == RUNS);
        CU_ASSERT_EQUAL(cell->dropped, cell->dropped_for[reason]);
        CU_ASSERT(cell->dropped == 0 || !is_alone(cell));
        dropped += cell->dropped;
    }
    CU_ASSERT(spoilt > RUNS / 5);
    CU_ASSERT_EQUAL(dropped, spoilt);
    grt_arena_clear(&arena);
}

static void test_late_others(void) {
    expect_drops(begin_late, GRT_RAW_DROP_OVERLAP);
}

static void test_early_ends(void) {
    expect_drops(end_early, GRT_RAW_DROP_OVERLAP);
}

static void test_misplaced(void) {
    expect_drops(be_elsewhere, GRT_RAW_DROP_PLACEMENT);
}

/* A kernel meets the other one in all parts of that one's time. */
static void test_phases(void) {
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_WORST);
    seen = NULL;
    measure_blocks();
    seen = note_phase;
    beside_runs = 0;
    struct grt_raw *raw = measure(&plan, look_at_records);
    const struct grt_raw_cell *cell = NULL;
    int64_t span = 0;
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        span = is_alone(cell) ? grt_raw_values(cell, "span_ns")[0] : span;
    }
    CU_ASSERT(beside_runs > RUNS && span > 0);
    CU_ASSERT(latest - earliest > span * 9 / 10 && latest - earliest < span * 3 / 2);
    grt_arena_clear(&arena);
}

/* ---- what is beside a copy ---- */

static grt_cuda_event last_from[3];
static size_t asked;

/* Each sample asks for its own time first and, where something is beside it, in the fourth place for the time from that one's start to its own. */
static grt_cuda_result begins_too_late(float *milliseconds, grt_cuda_event from, grt_cuda_event to) {
    grt_cuda_result result = own.elapsed(milliseconds, from, to);
    if (to == last_from[asked % 3]) {
        *milliseconds = -1;
    }
    last_from[asked++ % 3] = from;
    return result;
}

static void delay_others(struct grt_driver *driver) {
    own.elapsed = driver->cuda.cuEventElapsedTime;
    driver->cuda.cuEventElapsedTime = begins_too_late;
    memset(last_from, 0, sizeof last_from);
    asked = 0;
}

/* A copy that began before what is to be beside it. */
static void test_copies_overlap(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_COPY);
    struct grt_raw *raw = measure(&plan, delay_others);
    const struct grt_raw_cell *cell = NULL;
    size_t beside = 0, alone = 0;
    while ((cell = grt_raw_next(raw, "copy", cell)) != NULL) {
        bool by_itself = is_alone(cell);
        CU_ASSERT(by_itself ? cell->count > 0 && cell->dropped == 0
                            : cell->count == 0 && cell->dropped >= 40);
        CU_ASSERT_EQUAL(cell->dropped, cell->dropped_for[GRT_RAW_DROP_OVERLAP]);
        alone += by_itself;
        beside += !by_itself;
    }
    CU_ASSERT(alone > 10 && beside >= 5);
    grt_arena_clear(&arena);
}

/* ---- the clocks ---- */

static size_t idled;

/* The host looks later than it could, now more, now less. */
static void idle_longer(void *state, grt_time instant) {
    own.idle(state, instant);
    own.wait_until(state, own.now(state) + (grt_time)(idled++ * 7 % 13) * 10 * GRT_MICROSECOND);
}

static void make_host_late(struct grt_driver *driver) {
    own.idle = driver->clock.idle;
    own.now = driver->clock.now;
    own.wait_until = driver->clock.wait_until;
    driver->clock.idle = idle_longer;
    idled = 0;
}

/* Of each lot of exchanges the quickest one is kept. */
static void test_exchanges(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_CLOCK);
    plan.exchanges = 500;
    struct grt_raw *raw = measure(&plan, make_host_late);
    const struct grt_raw_cell *cell = NULL;
    size_t exchanges = 0;
    while ((cell = grt_raw_next(raw, "clock", cell)) != NULL) {
        const int64_t *before = grt_raw_values(cell, "before_ns"), *after = grt_raw_values(cell, "after_ns");
        for (size_t i = 0; before != NULL && i < cell->count; i++) {
            CU_ASSERT(after[i] - before[i] < 10 * GRT_MICROSECOND);
            exchanges++;
        }
    }
    CU_ASSERT_EQUAL(exchanges, 8);
    CU_ASSERT(idled > 1000);
    grt_arena_clear(&arena);
}

/* ---- what is measured beside ---- */

typedef grt_cuda_result launch_kernel(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared, grt_cuda_stream stream, void **parameters,
                                      void **extra);
static launch_kernel *launch;

/* Blocks of the workload that leave records have a tenth more to do. */
static grt_cuda_result dear_records(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                    unsigned shared, grt_cuda_stream stream, void **parameters,
                                    void **extra) {
    const struct grt_kernel_control *control = parameters[0];
    uint64_t amount = *(const uint64_t *)parameters[1];
    void *changed[] = {parameters[0], &amount, NULL};
    amount += control->records != 0 ? amount / 10 : 0;
    return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                  grid_x == blocks ? changed : parameters, extra);
}

static void make_records_dear(struct grt_driver *driver) {
    launch = driver->cuda.cuLaunchKernel;
    driver->cuda.cuLaunchKernel = dear_records;
}

static const struct grt_finding *finding_of(const struct grt_raw *raw, const char *name) {
    const struct grt_finding *finding = grt_fit_find(grt_fit_all(raw, &arena), name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(finding);
    CU_ASSERT_EQUAL(finding->status, GRT_FINDING_MEASURED);
    return finding;
}

static struct grt_raw *measure_again(enum grt_experiment experiment,
                                     void (*prepare)(struct grt_driver *driver)) {
    struct grt_plan plan = plan_of(experiment);
    plan.experiments |= 1u << GRT_EXPERIMENT_CLOCK;
    plan.least_samples = plan.most_samples = 30;
    measure_blocks();
    return measure(&plan, prepare);
}

/* What records add, which whole kernels have in their times. */
static void test_record_cost(void) {
    seen = NULL;
    const struct grt_finding *none =
        finding_of(measure_again(GRT_EXPERIMENT_LAUNCH, NULL), "fma: record_cost");
    CU_ASSERT(none->value == 0 && none->high < 100 && none->samples == 30);
    struct grt_raw *raw = measure_again(GRT_EXPERIMENT_LAUNCH, make_records_dear);
    const struct grt_finding *dear = finding_of(raw, "fma: record_cost");
    const struct grt_raw_cell *cell = NULL;
    double without = 0;
    while ((cell = grt_raw_next(raw, "launch", cell)) != NULL) {
        const int64_t *values = grt_raw_values(cell, "without_ns");
        without = values != NULL ? (double)values[0] : without;
    }
    CU_ASSERT(without > 0 && dear->low > 0.09 * without && dear->high < 0.11 * without);
    grt_arena_clear(&arena);
}

/* Whichever launch comes first, and however long it is until a kernel is in its stream: what comes behind another one has that in its time by events. */
static void test_record_cost_and_gaps(void) {
    static const grt_time launches[] = {5 * GRT_MICROSECOND, 60 * GRT_MICROSECOND};
    for (uint64_t i = 0; i < 6; i++) {
        seen = NULL;
        grt_measured_spec(4, &spec);
        spec.device.kernel_launch = launches[i % 2];
        struct grt_plan plan = plan_of(GRT_EXPERIMENT_LAUNCH);
        plan.experiments |= 1u << GRT_EXPERIMENT_CLOCK;
        plan.least_samples = plan.most_samples = 30;
        plan.seed = i;
        const struct grt_finding *cost = finding_of(measure(&plan, NULL), "fma: record_cost");
        CU_ASSERT(cost->value == 0 && cost->high < 100 && cost->samples == 30);
        grt_arena_clear(&arena);
    }
}

/* Every other launch with records takes a tenth longer: the median is one of the two, which is said. */
static grt_cuda_result sometimes_dear(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                      unsigned shared, grt_cuda_stream stream, void **parameters,
                                      void **extra) {
    static unsigned count;
    bool records = ((const struct grt_kernel_control *)parameters[0])->records != 0 && grid_x == blocks;
    launch_kernel *as = records && ++count % 2 == 0 ? dear_records : launch;
    return as(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters, extra);
}

static void make_records_dear_sometimes(struct grt_driver *driver) {
    launch = driver->cuda.cuLaunchKernel;
    driver->cuda.cuLaunchKernel = sometimes_dear;
}

static void test_two_record_costs(void) {
    seen = NULL;
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_LAUNCH);
    plan.experiments |= 1u << GRT_EXPERIMENT_CLOCK;
    plan.least_samples = plan.most_samples = 100;
    measure_blocks();
    const struct grt_fit *fit = grt_fit_all(measure(&plan, make_records_dear_sometimes), &arena);
    size_t warnings = 0;
    for (size_t i = 0; i < fit->warning_count; i++) {
        warnings += strstr(fit->warnings[i], "fma: record_cost has ") != NULL;
    }
    CU_ASSERT_EQUAL(warnings, 1);
    grt_arena_clear(&arena);
}

/* One SM is a tenth slower. */
static void slow_one(struct grt_block_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool is_slow = records[i].sm == 2;
        records[i].end_ns += is_slow ? (records[i].end_ns - records[i].start_ns) / 10 : 0;
        records[i].end_cycle += is_slow ? (records[i].end_cycle - records[i].start_cycle) / 10 : 0;
    }
}

static void test_sm_spread(void) {
    seen = NULL;
    const struct grt_finding *none =
        finding_of(measure_again(GRT_EXPERIMENT_CORESIDENCY, NULL), "fma: sm_spread");
    CU_ASSERT(none->value == 0 && none->high == 0);
    seen = slow_one;
    struct grt_raw *raw = measure_again(GRT_EXPERIMENT_CORESIDENCY, look_at_records);
    const struct grt_finding *spread = finding_of(raw, "fma: sm_spread");
    CU_ASSERT(spread->value > 0 && spread->low == spread->high);
    CU_ASSERT_PTR_NOT_NULL(strstr(spread->how, "on SM 2, the slowest"));
    CU_ASSERT_PTR_NOT_NULL(strstr(spread->how, ": 10 % (at most 10 %)"));
    grt_arena_clear(&arena);
}

/* All SMs are alike, but each block takes up to 1 us longer by chance. */
static struct grt_random chance;

static void delay_by_chance(struct grt_block_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        records[i].end_ns += grt_random_below(&chance, 1000);
    }
}

/* SMs that chance has made the slowest and the quickest of some visits are not so in others. */
static void test_chosen_sms(void) {
    double sum = 0;
    for (uint64_t i = 0; i < 4; i++) {
        grt_measured_spec(32, &spec);
        struct grt_plan plan = plan_of(GRT_EXPERIMENT_CORESIDENCY);
        plan.experiments |= 1u << GRT_EXPERIMENT_CLOCK;
        plan.least_samples = plan.most_samples = 30;
        seen = delay_by_chance;
        chance = grt_random_stream(i, "chance", 0, 0);
        sum += finding_of(measure(&plan, look_at_records), "fma: sm_spread")->value;
        grt_arena_clear(&arena);
    }
    CU_ASSERT(sum / 4 < 150); /* those that chose them say 400 */
}

/* ---- what is measured before ---- */

static const struct grt_raw_cell *event_cell(uint64_t seed) {
    seen = NULL;
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of(GRT_EXPERIMENT_RESIDENCY);
    plan.seed = seed;
    struct grt_raw *raw = measure(&plan, NULL);
    const struct grt_raw_cell *cell = NULL;
    do {
        cell = grt_raw_next(raw, "clock", cell);
        CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
    } while (strcmp(grt_raw_text(cell, "what"), "event") != 0);
    CU_ASSERT_EQUAL_FATAL(cell->count, 32);
    return cell;
}

/* Kernels by which the events' step is found have lengths of the plan's seed. */
static void test_seeds_of_steps(void) {
    const int64_t *one = grt_raw_values(event_cell(1), "elapsed_ns");
    const int64_t *again = grt_raw_values(event_cell(1), "elapsed_ns");
    const int64_t *other = grt_raw_values(event_cell(2), "elapsed_ns");
    size_t differ = 0;
    for (size_t i = 0; i < 32; i++) {
        CU_ASSERT_EQUAL(one[i], again[i]);
        differ += one[i] != other[i];
    }
    CU_ASSERT(differ > 25);
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"first runs of visits are apart", test_first_runs},
        {"cold is cold, and hot is hot", test_flushes},
        {"another kernel that begins late", test_late_others},
        {"another kernel that ends early", test_early_ends},
        {"blocks outside of their partition", test_misplaced},
        {"kernels meet at random", test_phases},
        {"copies that began alone", test_copies_overlap},
        {"the quickest exchanges", test_exchanges},
        {"what records add", test_record_cost},
        {"what records add, whichever is first", test_record_cost_and_gaps},
        {"records that add this or that", test_two_record_costs},
        {"how SMs differ", test_sm_spread},
        {"SMs that chance has chosen", test_chosen_sms},
        {"seeds of the steps' kernels", test_seeds_of_steps},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("samples", tests);
}
