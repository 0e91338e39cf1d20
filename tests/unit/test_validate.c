/* Two traces of one scenario held beside each other: what is paired with what, and what the errors are. */
#include <string.h>

#include "calib/program/validate/picture.h"
#include "calib/program/validate/report.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define US GRT_MICROSECOND

/* ---- hand-made traces ---- */

enum { MOST = 32 };
struct made {
    struct grt_trace_record records[MOST];
    struct grt_trace_memory trace;
};

static void add(struct made *made, enum grt_trace_kind kind, uint32_t job, uint32_t detail, uint32_t row,
                grt_time start, grt_time end) {
    made->records[made->trace.record_count++] = (struct grt_trace_record){
        .time = end, .other = start, .job = job, .detail = detail, .row = row, .kind = (uint8_t)kind};
    made->trace.records = made->records;
}

static struct grt_arena arena;

static const struct grt_validation *validate(const struct made *simulated, const struct made *measured) {
    grt_arena_clear(&arena);
    return grt_validate(&simulated->trace, &measured->trace, &arena);
}

/* A job with a kernel of two blocks, each moved by so much. */
static void add_job(struct made *made, uint32_t job, grt_time at, grt_time first, grt_time second) {
    grt_time end = at + 10 * US + (first > second ? first : second);
    add(made, GRT_TRACE_RELEASE, job, 0, 0, 0, at);
    add(made, GRT_TRACE_BLOCK, job, 0, 0, at + first, at + 10 * US + first);
    add(made, GRT_TRACE_BLOCK, job, 1, 1, at + second, at + 10 * US + second);
    add(made, GRT_TRACE_KERNEL, job, grt_trace_place(0, 0), 0, at + (first < second ? first : second), end);
    add(made, GRT_TRACE_GPU_SEGMENT, job, 0, 0, at, end);
    add(made, GRT_TRACE_FINISH, job, 0, 0, at, end);
}

static void test_errors(void) {
    struct made simulated = {0}, measured = {0};
    add_job(&simulated, 0, 0, 0, 0);
    add_job(&simulated, 1, 100 * US, 0, 0);
    add_job(&measured, 0, 0, 1 * US, 3 * US);
    add_job(&measured, 1, 100 * US, 2 * US, 2 * US);
    const struct grt_validation *found = validate(&simulated, &measured);
    const struct grt_validated_kind *blocks = &found->kinds[GRT_PAIRED_BLOCK];
    CU_ASSERT_EQUAL(blocks->pairs, 4);
    CU_ASSERT_EQUAL(blocks->other_row, 0);
    CU_ASSERT_EQUAL(blocks->start.least, -3 * US); /* the device was later */
    CU_ASSERT_EQUAL(blocks->start.median, -2 * US);
    CU_ASSERT_EQUAL(blocks->start.most, -1 * US);
    CU_ASSERT_EQUAL(blocks->start.p95_absolute, 3 * US);
    CU_ASSERT_EQUAL(blocks->start.mean_ns, -2.0 * US);
    CU_ASSERT_EQUAL(blocks->duration.most_absolute, 0);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_KERNEL].duration.least, -2 * US);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_RELEASE].start.most_absolute, 0);
    CU_ASSERT_EQUAL(found->kernel_count, 1);
    CU_ASSERT_EQUAL(found->kernels[0].count, 2);
    CU_ASSERT_EQUAL(found->kernels[0].measured_most, 12 * US);
    CU_ASSERT_EQUAL(found->kernels[0].simulated_mean_ns, 10.0 * US);
    CU_ASSERT_EQUAL(found->responses[0].measured_most, 13 * US);
    CU_ASSERT_EQUAL(found->responses[0].error.least, -3 * US);
    CU_ASSERT_EQUAL(found->most_absolute, 3 * US);
    CU_ASSERT_EQUAL(found->unpaired, 0);
    CU_ASSERT_TRUE(grt_validation_is_within(found, 3 * US));
    CU_ASSERT_FALSE(grt_validation_is_within(found, 3 * US - 1));
    CU_ASSERT_EQUAL(found->worst[0].error, -3 * US);
    CU_ASSERT_EQUAL(found->worst_count, 8); /* releases are right */
}

static void test_unpaired(void) {
    struct made simulated = {0}, measured = {0};
    add_job(&simulated, 0, 0, 0, 0);
    add_job(&simulated, 1, 100 * US, 0, 0);
    add_job(&measured, 1, 100 * US, 0, 0);
    const struct grt_validation *found = validate(&simulated, &measured);
    CU_ASSERT_EQUAL(found->unpaired, 6);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].only_simulated, 2);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].only_measured, 0);
    CU_ASSERT_EQUAL(found->most_absolute, 0);
    CU_ASSERT_FALSE(grt_validation_is_within(found, GRT_SECOND));
}

/* What the end of the run cut off has a start only, and need not be in the other trace. */
static void test_open(void) {
    struct made simulated = {0}, measured = {0};
    add_job(&simulated, 0, 0, 0, 0);
    add_job(&measured, 0, 0, 0, 0);
    add(&simulated, GRT_TRACE_BLOCK, 1, 0, 0, 50 * US, 60 * US);
    add(&simulated, GRT_TRACE_KERNEL, 1, grt_trace_place(0, 0), 0, 50 * US, 60 * US);
    add(&measured, GRT_TRACE_BLOCK, 1, 0, 0, 52 * US, 60 * US);
    add(&measured, GRT_TRACE_BLOCK, 1, 1, 0, 59 * US, 60 * US);
    add(&measured, GRT_TRACE_KERNEL, 1, grt_trace_place(0, 0), 0, 52 * US, 60 * US);
    for (size_t i = 0; i < simulated.trace.record_count; i++) {
        simulated.records[i].flags = simulated.records[i].time == 60 * US ? GRT_TRACE_OPEN : 0;
    }
    for (size_t i = 0; i < measured.trace.record_count; i++) {
        measured.records[i].flags = measured.records[i].time == 60 * US ? GRT_TRACE_OPEN : 0;
    }
    const struct grt_validation *found = validate(&simulated, &measured);
    CU_ASSERT_EQUAL(found->unpaired, 0);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].start.count, 3);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].end.count, 2);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].start.most_absolute, 2 * US);
    CU_ASSERT_EQUAL(found->pairing->open_error, US);
}

/* So much of a run of jobs every 100 us, the last of which is open where it ends in its midst. */
static void add_run(struct made *made, int jobs, grt_time end) {
    for (int i = 0; i < jobs; i++) {
        add_job(made, (uint32_t)i, i * 100 * US, 0, 0);
    }
    while (made->trace.record_count > 0 && made->records[made->trace.record_count - 1].time > end) {
        made->trace.record_count--;
    }
    if (jobs > 0 && end < (jobs - 1) * 100 * US + 10 * US) {
        add(made, GRT_TRACE_UNFINISHED, (uint32_t)jobs - 1, 0, 0, (jobs - 1) * 100 * US, end);
    }
}

static void expect_part(const struct made *simulated, const struct made *measured, enum grt_run_short shorter,
                        grt_time until, const char *words) {
    const struct grt_validation *found = validate(simulated, measured);
    CU_ASSERT_EQUAL(found->pairing->short_run, shorter);
    CU_ASSERT_EQUAL(found->pairing->until, until);
    CU_ASSERT_EQUAL(found->unpaired, 0);
    CU_ASSERT_EQUAL(found->most_absolute, 0);
    const char *part = grt_validation_part(found, &arena);
    CU_ASSERT_EQUAL(grt_validation_is_within(found, GRT_SECOND), words == NULL);
    CU_ASSERT_EQUAL(part == NULL, words == NULL);
    CU_ASSERT_TRUE(part == NULL || (words != NULL && strstr(part, words) != NULL));
}

/* A run that ended before the other one: in the midst of a job, and when nothing was going on. */
static void test_short(void) {
    struct made whole = {0}, midst = {0}, between = {0}, none = {0}, long_ago = {0};
    add_run(&whole, 3, GRT_SECOND);
    add_run(&midst, 2, 105 * US);
    add_run(&between, 2, GRT_SECOND);
    add(&none, GRT_TRACE_RELEASE, 0, 0, 0, 0, 0);
    add_run(&long_ago, 1, 1);
    expect_part(&whole, &whole, GRT_SHORT_NEITHER, 210 * US, NULL);
    expect_part(&midst, &midst, GRT_SHORT_NEITHER, 105 * US, NULL);
    expect_part(&whole, &midst, GRT_SHORT_MEASURED, 105 * US,
                "until 105us: the trace ends there, the simulation not before 210us");
    expect_part(&whole, &between, GRT_SHORT_MEASURED, 200 * US, "until 200us: the trace ends there");
    expect_part(&midst, &whole, GRT_SHORT_SIMULATED, 105 * US,
                "until 105us: the simulation ends there, the trace not before 210us");
    expect_part(&between, &whole, GRT_SHORT_SIMULATED, 200 * US, "the simulation ends there");
    expect_part(&none, &none, GRT_SHORT_NEITHER, 0, "nothing was compared but 1 releases");
    expect_part(&whole, &long_ago, GRT_SHORT_MEASURED, 1, "nothing was compared but 1 releases until 1ns");

    grt_arena_clear(&arena);
    struct grt_validation *asked = grt_validate(&midst.trace, &whole.trace, &arena);
    asked->part_is_asked = true; /* the simulation was to end there */
    CU_ASSERT_PTR_NULL(grt_validation_part(asked, &arena));
    CU_ASSERT_TRUE(grt_validation_is_within(asked, 5 * US));  /* its blocks have not even begun */
    asked = grt_validate(&whole.trace, &midst.trace, &arena); /* and this one goes on */
    asked->part_is_asked = true;
    CU_ASSERT_FALSE(grt_validation_is_within(asked, GRT_SECOND));
}

/* A file that lost its end: nothing says that the run ended there. */
static void test_lost_end(void) {
    struct made whole = {0}, lost = {0};
    add_run(&whole, 2, GRT_SECOND);
    add_run(&lost, 2, GRT_SECOND);
    lost.trace.record_count -= 2;
    const struct grt_validation *found = validate(&whole, &lost);
    CU_ASSERT_EQUAL(found->unpaired, 2);
    CU_ASSERT_FALSE(grt_validation_is_within(found, GRT_SECOND));
    found = validate(&lost, &whole);
    CU_ASSERT_EQUAL(found->unpaired, 2);
}

/* What ended in one run and not in the other is off by what is left of the run at least. */
static void test_open_errors(void) {
    struct made ends = {0}, hangs = {0};
    struct made *both[] = {&ends, &hangs};
    for (int i = 0; i < 2; i++) {
        add(both[i], GRT_TRACE_RELEASE, 0, 0, 0, 0, 0);
        add(both[i], GRT_TRACE_RELEASE, 1, 0, 0, 0, 10 * US);
        add(both[i], GRT_TRACE_COPY, 0, grt_trace_place(0, 0), 0, 10 * US, 20 * US);
    }
    add(&ends, GRT_TRACE_FINISH, 0, 0, 0, 0, 30 * US);
    for (int i = 0; i < 2; i++) {
        if (both[i] == &hangs) {
            add(both[i], GRT_TRACE_UNFINISHED, 0, 0, 0, 0, 100 * US);
        }
        add(both[i], GRT_TRACE_UNFINISHED, 1, 0, 0, 10 * US, 100 * US);
    }
    const struct grt_validation *found = validate(&ends, &hangs);
    CU_ASSERT_EQUAL(found->unpaired, 0);
    CU_ASSERT_EQUAL(found->pairing->open_error, 70 * US);
    CU_ASSERT_TRUE(grt_validation_is_within(found, 70 * US));
    CU_ASSERT_FALSE(grt_validation_is_within(found, 70 * US - 1));
    CU_ASSERT_EQUAL(validate(&hangs, &ends)->pairing->open_error, 70 * US);
    CU_ASSERT_EQUAL(validate(&hangs, &hangs)->pairing->open_error, 0);
}

/* Blocks belong to the kernel of their job that ends next; pieces of a kernel are told by their order. */
static void test_kernels_of_blocks(void) {
    struct made simulated = {0}, measured = {0};
    struct made *both[] = {&simulated, &measured};
    for (int i = 0; i < 2; i++) {
        grt_time late = i * US;
        add(both[i], GRT_TRACE_BLOCK, 0, 0, 0, 0, 10 * US);
        add(both[i], GRT_TRACE_KERNEL, 0, grt_trace_place(0, 0), 0, 0, 10 * US);
        add(both[i], GRT_TRACE_BLOCK, 0, 0, 0, 10 * US + late, 20 * US + late);
        add(both[i], GRT_TRACE_KERNEL, 0, grt_trace_place(0, 1), 0, 10 * US + late, 20 * US + late);
        add(both[i], GRT_TRACE_BLOCK, 0, 0, 0, 30 * US, 40 * US);
        add(both[i], GRT_TRACE_KERNEL, 0, grt_trace_place(0, 1), 0, 30 * US, 40 * US);
    }
    const struct grt_validation *found = validate(&simulated, &measured);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].pairs, 3);
    CU_ASSERT_EQUAL(found->unpaired, 0);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].start.least, -US);
    CU_ASSERT_EQUAL(found->kinds[GRT_PAIRED_BLOCK].start.median, 0);
    CU_ASSERT_EQUAL(found->kernel_count, 2);
    CU_ASSERT_EQUAL(found->kernels[1].count, 2);
}

/* A kernel of another grid was launched by a block: it is left out. */
static void test_left_out(void) {
    struct made simulated = {0}, measured = {0};
    add(&simulated, GRT_TRACE_BLOCK, 0, 0, grt_trace_grid_row(0, 1), 0, 10 * US);
    add(&simulated, GRT_TRACE_KERNEL, 0, grt_trace_place(0, 1), grt_trace_grid_row(0, 1), 0, 10 * US);
    const struct grt_validation *found = validate(&simulated, &measured);
    CU_ASSERT_EQUAL(found->pairing->left_out, 2);
    CU_ASSERT_EQUAL(found->unpaired, 0);
}

/* ---- two simulations, one of which is perturbed ---- */

static struct grt_builder *world(grt_time block_time) {
    struct grt_builder *builder = grt_builder_create(10 * GRT_MILLISECOND);
    grt_builder_gpu(builder, grt_built_tx2());
    for (int i = 0; i < 2; i++) {
        struct grt_task *task = grt_builder_task(builder, i == 0 ? "first" : "second");
        grt_builder_periodic(task, GRT_MILLISECOND, i * 10 * US);
        grt_builder_kernel(builder, task, 6, 512, block_time)->name = "k";
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, 1000);
    }
    return builder;
}

static void test_perturbed(void) {
    struct grt_builder *builders[] = {world(50 * US), world(51 * US)};
    struct grt_built_run runs[2];
    for (int i = 0; i < 2; i++) {
        grt_built_run_under(&runs[i], builders[i], "hardware");
    }
    grt_arena_clear(&arena);
    const struct grt_validation *same = grt_validate(&runs[0].kept, &runs[0].kept, &arena);
    CU_ASSERT_TRUE(grt_validation_is_within(same, 0));
    CU_ASSERT_EQUAL(same->worst_count, 0);
    const struct grt_validation *other = grt_validate(&runs[0].kept, &runs[1].kept, &arena);
    const struct grt_validated_kind *blocks = &other->kinds[GRT_PAIRED_BLOCK];
    CU_ASSERT_EQUAL(blocks->pairs, 120);
    CU_ASSERT_EQUAL(blocks->duration.least, -US);
    CU_ASSERT_EQUAL(blocks->duration.most, -US);
    CU_ASSERT_EQUAL(other->kernel_count, 2);
    CU_ASSERT_STRING_EQUAL(other->kernels[1].task, "second");
    CU_ASSERT_STRING_EQUAL(other->kernels[1].kernel, "k");
    CU_ASSERT_EQUAL(other->kernels[0].error.count, 10);

    struct grt_validated_trace trace = {.path = "x.trace", .validation = other, .fingerprint = ""};
    cJSON *json = grt_validation_json(&trace);
    char *text = cJSON_PrintUnformatted(json);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"block\":{\"in_both\":120,\"only_simulated\":0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"max_absolute_error_ns\":"));
    cJSON_free(text);
    cJSON_Delete(json);

    struct grt_errors errors = {0};
    struct grt_validation_picture picture = {.simulated = &runs[0].kept,
                                             .measured = &runs[1].kept,
                                             .to = GRT_TIME_NEVER,
                                             .width = 800,
                                             .path = GRT_SCRATCH_DIR "/both.svg"};
    CU_ASSERT_TRUE(grt_validation_draw(&picture, &errors));
    picture.from = GRT_SECOND;
    CU_ASSERT_FALSE(grt_validation_draw(&picture, &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
    for (int i = 0; i < 2; i++) {
        grt_built_run_end(&runs[i], builders[i]);
    }
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {{"errors by kind, kernel and task", test_errors},
                           {"what is in one trace only", test_unpaired},
                           {"what the end of the run cut off", test_open},
                           {"runs that end before the other one", test_short},
                           {"a trace that lost its end", test_lost_end},
                           {"what hung at the end", test_open_errors},
                           {"to which kernel blocks belong", test_kernels_of_blocks},
                           {"kernels that blocks launch are left out", test_left_out},
                           {"two simulations, one of them perturbed", test_perturbed},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("validate", tests);
}
