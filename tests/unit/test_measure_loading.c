/* A driver may load a kernel only when it is launched for the first time, and wait for all that executes before it does: behind a latch it would wait for ever. So while measuring no kernel
 * is launched for the first time while a latch holds a stream, be it the user's own. */
#include "calib/kernels/user.h"
#include "tests/support/measuring.h"

enum { FUNCTIONS = GRT_KERNEL_IDS + 1, LATCHES = 256 };

static grt_cuda_result (*get)(grt_cuda_function *function, grt_cuda_module module, const char *name);
static grt_cuda_result (*launch)(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                 unsigned shared, grt_cuda_stream stream, void **parameters, void **extra);
static struct {
    grt_cuda_function function;
    bool latch;
    int launches;
} seen[FUNCTIONS];
static size_t seen_count, behind, late,
    latch_count; /* behind: launches while a latch was held; late: the first ones */
static struct {
    const volatile uint32_t *go; /* what it waits for; NULL: it is over */
    grt_cuda_stream stream;
} latches[LATCHES]; /* those that were launched last */
static grt_cuda_result (*synchronise)(grt_cuda_stream stream);

static grt_cuda_result noted_get(grt_cuda_function *function, grt_cuda_module module, const char *name) {
    grt_cuda_result result = get(function, module, name);
    if (result == GRT_CUDA_SUCCESS && seen_count < FUNCTIONS) {
        seen[seen_count].latch = strcmp(name, grt_kernel_kinds[GRT_KERNEL_LATCH].symbol) == 0;
        seen[seen_count++].function = *function;
    }
    return result;
}

static bool is_held(void) {
    for (size_t i = 0; i < latch_count && i < LATCHES; i++) {
        if (latches[i].go != NULL && *latches[i].go == 0) {
            return true;
        }
    }
    return false;
}

static grt_cuda_result noted_launch(grt_cuda_function function, unsigned grid_x, unsigned grid_y,
                                    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                    unsigned shared, grt_cuda_stream stream, void **parameters,
                                    void **extra) {
    for (size_t i = 0; i < seen_count; i++) {
        if (seen[i].function == function) {
            bool held = is_held();
            behind += held;
            late += seen[i].launches++ == 0 && held;
            if (seen[i].latch) { /* its parameters: the control, ready, go */
                uint64_t go = *(const uint64_t *)parameters[2];
                latches[latch_count % LATCHES].stream = stream;
                latches[latch_count++ % LATCHES].go = (const volatile uint32_t *)(uintptr_t)go;
            }
        }
    }
    return launch(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, parameters,
                  extra);
}

static grt_cuda_result noted_synchronise(grt_cuda_stream stream) {
    for (size_t i = 0; i < latch_count && i < LATCHES; i++) {
        latches[i].go = latches[i].stream == stream ? NULL : latches[i].go;
    }
    return synchronise(stream);
}

static void watch(struct grt_driver *driver) {
    get = driver->cuda.cuModuleGetFunction;
    launch = driver->cuda.cuLaunchKernel;
    driver->cuda.cuModuleGetFunction = noted_get;
    driver->cuda.cuLaunchKernel = noted_launch;
    synchronise = driver->cuda.cuStreamSynchronize;
    driver->cuda.cuStreamSynchronize = noted_synchronise;
    memset(seen, 0, sizeof seen);
    seen_count = behind = late = latch_count = 0;
}

static void test_loading(void) {
    const struct grt_user_kernel user = {.name = "k_reduce",
                                         .ptx = (char *)(uintptr_t)grt_kernels_ptx(),
                                         .made_by = "the user",
                                         .threads = 256};
    struct grt_plan plan = grt_measured_plan();
    struct grt_measured_run run = {.spec = &spec,
                                   .engine = &grt_engine_model,
                                   .plan = &plan,
                                   .path = path,
                                   .user = &user,
                                   .prepare = watch};
    enum grt_measure_result result;
    grt_measured_spec(4, &spec);
    plan.user_blocks = 64;
    plan.user_amount = 256;
    CU_ASSERT_PTR_NOT_NULL(grt_measured(&run, &arena, &result));
    CU_ASSERT_EQUAL(result, GRT_MEASURE_DONE);
    CU_ASSERT_EQUAL(seen_count, FUNCTIONS);
    for (size_t i = 0; i < seen_count; i++) {
        CU_ASSERT_TRUE(seen[i].launches > 0);
    }
    CU_ASSERT_TRUE(latch_count > 100 &&
                   behind > 1000); /* streams were held, and kernels launched meanwhile */
    CU_ASSERT_EQUAL(late, 0);
    grt_arena_clear(&arena);
}

/* A bench that is open has launched each of its kernels. */
static void test_loaded(void) {
    struct grt_driver driver;
    struct grt_errors errors = {0};
    grt_measured_spec(4, &spec);
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, &grt_engine_model, &driver, &errors));
    driver.cuda.cuInit(0);
    watch(&driver);
    struct grt_bench_options options = {.driver = &driver, .buffer_bytes = 1 << 18};
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    CU_ASSERT_EQUAL(seen_count, GRT_KERNEL_IDS);
    for (size_t i = 0; i < seen_count; i++) {
        CU_ASSERT_TRUE(seen[i].launches > 0);
    }
    grt_bench_close(bench);
    driver.close(&driver);
}

int main(void) {
    CU_TestInfo tests[] = {{"an open bench has loaded its kernels", test_loaded},
                           {"no kernel comes first behind a latch", test_loading},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("measuring: kernels that are loaded late", tests);
}
