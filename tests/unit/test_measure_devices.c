/* Devices that lack something, and kernels that are not always measured: green contexts, room, priorities; the user's kernel. What is possible is measured. */
#include "calib/kernels/user.h"
#include "tests/support/measuring.h"

/* The filter takes the place of green contexts that there are not, and the file says why. */
static void expect_filter(const char *why) {
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PARTITION | 1u << GRT_EXPERIMENT_TOGETHER);
    struct grt_raw *raw = measure(&plan);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "partition"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "partition")->why, why);
    const struct grt_raw_cell *cell = NULL;
    size_t sizes = 0, pairs = 0;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        CU_ASSERT_STRING_NOT_EQUAL(grt_raw_text(cell, "how"), "green");
        sizes += strcmp(grt_raw_text(cell, "how"), "filter") == 0 && cell->count > 0;
    }
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        CU_ASSERT_STRING_NOT_EQUAL(grt_raw_text(cell, "how"), "green");
        pairs += strcmp(grt_raw_text(cell, "how"), "filter") == 0 && cell->count > 0;
    }
    CU_ASSERT_EQUAL(sizes, 4);
    CU_ASSERT_EQUAL(pairs, 6);
    grt_arena_clear(&arena);
}

static void test_no_green_contexts(void) {
    grt_measured_spec(4, &spec);
    spec.faults.no_green_contexts = true;
    expect_filter("how green: the driver has no green contexts; the filter takes their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_refused = true;
    expect_filter(
        "how green: the driver refused a green context (under MPS there are none); the filter takes "
        "their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_no_streams = true;
    expect_filter("how green: the driver refuses streams in such a partition; the filter takes their place");
    grt_measured_spec(4, &spec);
    spec.faults.green_no_kernels = true;
    expect_filter("how green: the driver refuses kernels in such a partition; the filter takes their place");
}

/* One call in the middle fails: its cells are left out, and all others are measured. */
static grt_cuda_result (*make_green_stream)(grt_cuda_stream *stream, grt_cuda_green green, unsigned flags,
                                            int priority);
static int green_streams;

static grt_cuda_result refuse_one(grt_cuda_stream *stream, grt_cuda_green green, unsigned flags,
                                  int priority) {
    return ++green_streams == 6 ? GRT_CUDA_OUT_OF_MEMORY : make_green_stream(stream, green, flags, priority);
}

static void refuse_a_stream(struct grt_driver *driver) {
    make_green_stream = driver->cuda.cuGreenCtxStreamCreate;
    driver->cuda.cuGreenCtxStreamCreate = refuse_one;
    green_streams = 0;
}

static void test_refused_stream(void) {
    grt_measured_spec(8, &spec);
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PARTITION | 1u << GRT_EXPERIMENT_WORST);
    struct grt_raw *raw = measure_prepared(&plan, refuse_a_stream);
    CU_ASSERT_EQUAL(raw->skipped_count, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "partition"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "partition")->why,
                           "1 cells: the driver refuses streams in such a partition");
    size_t green = 0, worst = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        green += strcmp(grt_raw_text(cell, "how"), "green") == 0 && cell->count > 0;
    }
    while ((cell = grt_raw_next(raw, "worst", cell)) != NULL) {
        worst += cell->count > 0 && grt_raw_text(cell, "run") == NULL;
    }
    CU_ASSERT_EQUAL(green, 7);
    CU_ASSERT_EQUAL(worst, 3);
    grt_arena_clear(&arena);
}

/* The filter is measured with sizes that green contexts have, to be held against them: a quarter of 132 SMs is no such size. */
static void test_sizes_of_both(void) {
    grt_measured_spec(132, &spec);
    spec.device.sms_per_tpc = 2;
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PARTITION);
    struct grt_raw *raw = measure(&plan);
    const struct grt_raw_cell *cell = NULL;
    bool has_green[133] = {[132] = true}; /* all SMs: nothing is divided */
    int filters = 0;
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        if (strcmp(grt_raw_text(cell, "how"), "green") == 0) {
            has_green[grt_raw_number(cell, "sms", 0)] = true;
        }
    }
    while ((cell = grt_raw_next(raw, "partition", cell)) != NULL) {
        if (strcmp(grt_raw_text(cell, "how"), "filter") == 0) {
            CU_ASSERT_TRUE(has_green[grt_raw_number(cell, "sms", 0)]);
            filters++;
        }
    }
    CU_ASSERT_EQUAL(filters, 4);
    grt_arena_clear(&arena);
}

/* Parts beside each other: [SMs of the device][which] -> the sizes of both. */
static const struct parts {
    int sms, parts[3][2];
} parts_of[] = {
    {132, {{64, 64}, {32, 96}, {96, 32}}},
    {114, {{56, 56}, {32, 80}, {88, 24}}},
    {16, {{8, 8}, {4, 12}, {12, 4}}},
    {6, {{4, 2}, {2, 4}, {4, 2}}},
};

static bool has_parts(const struct grt_raw *raw, const int wanted[2]) {
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        if (grt_raw_number(cell, "sms", 0) == wanted[0] &&
            grt_raw_number(cell, "beside_sms", 0) == wanted[1] && cell->count > 0) {
            return true;
        }
    }
    return false;
}

static void test_parts(void) {
    for (size_t i = 0; i < sizeof parts_of / sizeof parts_of[0]; i++) {
        grt_measured_spec(parts_of[i].sms, &spec);
        spec.device.sms_per_tpc = 2;
        struct grt_plan plan = plan_of("fma", 1u << GRT_EXPERIMENT_TOGETHER);
        struct grt_raw *raw = measure(&plan);
        for (size_t j = 0; j < 3; j++) {
            CU_ASSERT(has_parts(raw, parts_of[i].parts[j]));
        }
        CU_ASSERT_EQUAL(raw->skipped_count, 0);
        grt_arena_clear(&arena);
    }
}

/* Where a launch takes longer than a block: the urgent kernel comes while the other one runs all the same, and before its last blocks. */
static void test_slow_launches(void) {
    static const grt_time launches[] = {5 * GRT_MICROSECOND, 50 * GRT_MICROSECOND, 300 * GRT_MICROSECOND};
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        grt_measured_spec(2, &spec);
        spec.device.kernel_launch = launches[i];
        struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PRIORITY);
        plan.least_samples = plan.most_samples = 40;
        struct grt_raw *raw = measure(&plan);
        const struct grt_raw_cell *cell = NULL;
        size_t cells = 0;
        while ((cell = grt_raw_next(raw, "priority", cell)) != NULL) {
            bool urgent = grt_raw_number(cell, "high", 0) < grt_raw_number(cell, "low", 0);
            const int64_t *overtook = grt_raw_values(cell, "overtook");
            const int64_t *wait = grt_raw_values(cell, "wait_ns"), *left = grt_raw_values(cell, "left_ns");
            size_t next = 0;
            CU_ASSERT(cell->count > 0 && 50 * cell->dropped <= cell->count);
            for (size_t j = 0; j < cell->count; j++) {
                CU_ASSERT_EQUAL(overtook[j], urgent);
                next += wait[j] == left[j];
            }
            CU_ASSERT(!urgent || 2 * next > cell->count);
            cells++;
        }
        CU_ASSERT(cells > 4);
        grt_arena_clear(&arena);
    }
}

/* The host wakes up late by nearly a block, which takes four launches of 20 us: the urgent kernel still comes before the last blocks. */
static void (*wait_until)(void *state, grt_time instant);

static void wait_longer(void *state, grt_time instant) {
    wait_until(state, instant + 70 * GRT_MICROSECOND);
}

static void make_host_late(struct grt_driver *driver) {
    wait_until = driver->clock.wait_until;
    driver->clock.wait_until = wait_longer;
}

static void test_late_host(void) {
    grt_measured_spec(2, &spec);
    spec.device.kernel_launch = 5 * GRT_MICROSECOND;
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_PRIORITY);
    plan.least_samples = plan.most_samples = 40;
    struct grt_raw *raw = measure_prepared(&plan, make_host_late);
    const struct grt_raw_cell *cell = NULL;
    size_t urgent = 0;
    while ((cell = grt_raw_next(raw, "priority", cell)) != NULL) {
        const int64_t *overtook = grt_raw_values(cell, "overtook");
        bool is_urgent = grt_raw_number(cell, "high", 0) < grt_raw_number(cell, "low", 0);
        for (size_t i = 0; is_urgent && i < cell->count; i++) {
            CU_ASSERT_EQUAL(overtook[i], 1);
            urgent++;
        }
        CU_ASSERT(cell->count > 0 && cell->dropped == 0);
    }
    CU_ASSERT(urgent >= 40);
    grt_arena_clear(&arena);
}

/* One SM, one block, no priorities: what is possible is measured. */
static void test_small_device(void) {
    grt_measured_spec(1, &spec);
    spec.device.priority_levels = 1;
    spec.device.max_blocks_per_sm = 1;
    struct grt_plan plan = grt_measured_plan();
    struct grt_raw *raw = measure(&plan);
    CU_ASSERT_PTR_NOT_NULL(skipped(raw, "priority"));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "waves", NULL));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "partition", NULL));
    CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, "together", NULL));
    CU_ASSERT_PTR_NULL(grt_raw_next(raw, "priority", NULL));
    grt_arena_clear(&arena);
}

/* Blocks of 128 threads: kernels of larger ones are left out, with a line, and all experiments are there. */
static void test_small_blocks(void) {
    grt_measured_spec(4, &spec);
    spec.device.max_threads_per_block = 128;
    struct grt_plan plan = grt_measured_plan();
    struct grt_raw *raw = measure(&plan);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "fma"));
    CU_ASSERT_STRING_EQUAL(skipped(raw, "fma")->why, "no block of 256 threads fits on an SM");
    CU_ASSERT_PTR_NOT_NULL(grt_raw_workload(raw, "spin"));
    CU_ASSERT_PTR_NULL(grt_raw_workload(raw, "fma"));
    for (int i = 0; i < GRT_EXPERIMENTS; i++) {
        CU_ASSERT_PTR_NOT_NULL(grt_raw_next(raw, grt_experiment_names[i], NULL));
    }
    grt_arena_clear(&arena);
}

/* ---- kernels of the user's ---- */

static struct grt_raw *measure_user(struct grt_plan *plan, uint32_t blocks, enum grt_measure_result *result) {
    const struct grt_user_kernel user = {.name = "k_reduce",
                                         .ptx = (char *)(uintptr_t)grt_kernels_ptx(),
                                         .made_by = "the user",
                                         .threads = 256};
    struct grt_measured_run run = {.spec = &spec,
                                   .engine = &grt_engine_model,
                                   .plan = plan,
                                   .path = path,
                                   .record_count = 4096,
                                   .user = &user};
    plan->user_blocks = blocks;
    plan->user_amount = 256;
    struct grt_raw *raw = grt_measured(&run, &arena, result);
    CU_ASSERT_PTR_NOT_NULL_FATAL(raw);
    return raw;
}

/* As many blocks as were asked for, beside each other as well, or none and a line. */
static void test_user_kernel(void) {
    enum grt_measure_result result;
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of("spin", 1u << GRT_EXPERIMENT_TOGETHER);
    struct grt_raw *raw = measure_user(&plan, 1024, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    const struct grt_raw_workload *workload = grt_raw_workload(raw, "user");
    CU_ASSERT_PTR_NOT_NULL_FATAL(workload);
    CU_ASSERT(workload->blocks == 1024 && workload->ptx_version > 0 && workload->binary_version > 0);
    CU_ASSERT_EQUAL(strncmp(workload->made_by, "the user; hash ", 15), 0);
    CU_ASSERT_EQUAL(strlen(workload->made_by), 15 + 16);
    const struct grt_raw_cell *cell = NULL;
    size_t cells = 0;
    while ((cell = grt_raw_next(raw, "together", cell)) != NULL) {
        cells += strcmp(grt_raw_text(cell, "kernel"), "user") == 0 &&
                 strcmp(grt_raw_text(cell, "beside"), "user") == 0 && cell->count > 0;
    }
    CU_ASSERT_EQUAL(cells, 4);
    grt_arena_clear(&arena);
    raw = measure_user(&plan, 1025, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NULL(grt_raw_workload(raw, "user"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(skipped(raw, "user"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(skipped(raw, "user")->why, "1025 blocks of 256 threads: there are records for fewer"));
    grt_arena_clear(&arena);
    plan.user_threads = 2048;
    raw = measure_user(&plan, 10, &result);
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_PTR_NOT_NULL(skipped(raw, "user"));
    grt_arena_clear(&arena);
}

static void test_cycles(void) {
    grt_measured_spec(4, &spec);
    struct grt_plan plan = plan_of("cycles", 1u << GRT_EXPERIMENT_WAVES);
    struct grt_raw *raw = measure(&plan);
    const struct grt_raw_workload *workload = grt_raw_workload(raw, "cycles");
    CU_ASSERT_PTR_NOT_NULL_FATAL(workload);
    const struct grt_raw_cell *cell = NULL;
    do {
        cell = grt_raw_next(raw, "waves", cell);
        CU_ASSERT_PTR_NOT_NULL_FATAL(cell);
    } while (grt_raw_number(cell, "blocks", 0) != 1);
    CU_ASSERT_EQUAL((uint64_t)grt_raw_values(cell, "span_ns")[0], workload->amount); /* 1 GHz */
    grt_arena_clear(&arena);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"no green contexts", test_no_green_contexts},
        {"a refused stream", test_refused_stream},
        {"parts beside each other", test_parts},
        {"sizes of green contexts and filters", test_sizes_of_both},
        {"launches longer than blocks", test_slow_launches},
        {"a host that is late", test_late_host},
        {"one SM, one block", test_small_device},
        {"blocks of 128 threads", test_small_blocks},
        {"a kernel of the user's", test_user_kernel},
        {"cycles", test_cycles},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measuring: devices and kernels", tests);
}
