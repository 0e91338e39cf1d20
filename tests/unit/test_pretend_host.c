/* The pretended driver on threads: a kernel, a copy and a latch through the driver's own functions. */
#include <stdatomic.h>

#include "calib/pretend/pretend.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define MS GRT_MILLISECOND
#define GOOD(call) CU_ASSERT_EQUAL_FATAL((call), GRT_CUDA_SUCCESS)
enum { BLOCKS = 24 };

static struct grt_pretend_spec spec;
static struct grt_driver driver;
static grt_cuda_module module;
static grt_cuda_stream stream;

static void start(void) {
    struct grt_errors errors = {0};
    struct grt_device device = grt_built_device(4);
    grt_cuda_context context = NULL;
    device.max_blocks_per_sm = 2;
    grt_pretend_default(&device, &spec);
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, &grt_engine_threads, &driver, &errors));
    GOOD(driver.cuda.cuInit(0));
    GOOD(driver.cuda.cuDevicePrimaryCtxRetain(&context, 0));
    GOOD(driver.cuda.cuCtxSetCurrent(context));
    GOOD(driver.cuda.cuModuleLoadData(&module, grt_kernels_ptx()));
    GOOD(driver.cuda.cuStreamCreateWithPriority(&stream, GRT_CUDA_STREAM_NON_BLOCKING, 0));
}

static void launch(const char *name, struct grt_kernel_control control, unsigned blocks, void **others) {
    grt_cuda_function function = NULL;
    void *parameters[] = {&control, others[0], others[1], others[2]};
    GOOD(driver.cuda.cuModuleGetFunction(&function, module, name));
    GOOD(driver.cuda.cuLaunchKernel(function, blocks, 1, 1, 32, 1, 1, 0, stream, parameters, NULL));
}

static void test_kernel(void) {
    start();
    static struct grt_block_record records[BLOCKS];
    grt_cuda_address memory = 0;
    GOOD(driver.cuda.cuMemAlloc_v2(&memory, sizeof records));
    GOOD(driver.cuda.cuMemsetD32Async(memory, 0, sizeof records / 4, stream));
    struct grt_kernel_control control = {.records = memory, .block_count = BLOCKS, .record_every = 1};
    uint64_t amount = 2 * MS;
    launch("k_spin_ns", control, BLOCKS, (void *[]){&amount, NULL, NULL});
    GOOD(driver.cuda.cuStreamSynchronize(stream));
    GOOD(driver.cuda.cuMemcpyDtoH_v2(records, memory, sizeof records));
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        CU_ASSERT_TRUE(records[i].end_ns >= records[i].start_ns + 2 * MS);
        first = records[i].start_ns < first ? records[i].start_ns : first;
        last = records[i].end_ns > last ? records[i].end_ns : last;
    }
    CU_ASSERT_TRUE(last - first >= 6 * MS); /* three waves of 4 SMs with 2 blocks */
    driver.close(&driver);
}

static void test_latch(void) {
    start();
    _Atomic uint32_t *flags = NULL;
    void *host = NULL;
    grt_cuda_address address = 0;
    GOOD(driver.cuda.cuMemHostAlloc(&host, 8, GRT_CUDA_HOST_ALLOC_MAPPED));
    GOOD(driver.cuda.cuMemHostGetDevicePointer_v2(&address, host, 0));
    flags = host;
    atomic_store(&flags[0], 0);
    atomic_store(&flags[1], 0);
    grt_cuda_address ready = address, go = address + 4;
    uint64_t amount = 10 * GRT_SECOND;
    struct grt_kernel_control control = {.block_count = 1, .record_every = 1};
    launch("k_latch", control, 1, (void *[]){&ready, &go, &amount});
    while (atomic_load(&flags[0]) == 0) {
        driver.clock.idle(driver.clock.state, GRT_TIME_NEVER);
    }
    CU_ASSERT_EQUAL(driver.cuda.cuStreamQuery(stream), GRT_CUDA_NOT_READY);
    grt_time before = driver.clock.now(driver.clock.state);
    atomic_store(&flags[1], 1);
    GOOD(driver.cuda.cuStreamSynchronize(stream));
    CU_ASSERT_TRUE(driver.clock.now(driver.clock.state) - before < 10 * GRT_SECOND);
    CU_ASSERT_EQUAL(atomic_load(&flags[0]), 2);
    driver.close(&driver);
}

static void test_events(void) {
    start();
    grt_cuda_event events[2];
    float milliseconds = 0;
    uint64_t amount = 80 * MS; /* this thread may be late, too */
    struct grt_kernel_control control = {.block_count = 1, .record_every = 1};
    GOOD(driver.cuda.cuEventCreate(&events[0], GRT_CUDA_EVENT_DEFAULT));
    GOOD(driver.cuda.cuEventCreate(&events[1], GRT_CUDA_EVENT_DEFAULT));
    GOOD(driver.cuda.cuEventRecord(events[0], stream));
    launch("k_spin_ns", control, 1, (void *[]){&amount, NULL, NULL});
    GOOD(driver.cuda.cuEventRecord(events[1], stream));
    CU_ASSERT_EQUAL(driver.cuda.cuEventQuery(events[1]), GRT_CUDA_NOT_READY);
    GOOD(driver.cuda.cuEventSynchronize(events[1]));
    GOOD(driver.cuda.cuEventElapsedTime(&milliseconds, events[0], events[1]));
    CU_ASSERT_TRUE(milliseconds >= 80);
    driver.close(&driver);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a kernel and a copy", test_kernel},
        {"a latch", test_latch},
        {"events", test_events},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend/host", tests);
}
