/* labels: pretend-library */
/* A pretended driver in a library of its own, opened as the CUDA driver is. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calib/driver/driver.h"
#include "calib/kernels/kernels.h"
#include "tests/support/suite.h"

static struct grt_driver driver;
static struct grt_errors errors;

#define CU_OK(call) CU_ASSERT_EQUAL_FATAL((call), GRT_CUDA_SUCCESS)

static void run_kernel(const struct grt_cuda *cuda) {
    enum { BLOCKS = 10 };
    grt_cuda_context context;
    grt_cuda_module module;
    grt_cuda_function function;
    void *memory;
    CU_OK(cuda->cuDevicePrimaryCtxRetain(&context, 0));
    CU_OK(cuda->cuCtxSetCurrent(context));
    CU_OK(cuda->cuModuleLoadData(&module, grt_kernels_ptx()));
    CU_OK(cuda->cuModuleGetFunction(&function, module, "k_spin_ns"));
    CU_OK(
        cuda->cuMemHostAlloc(&memory, BLOCKS * sizeof(struct grt_block_record), GRT_CUDA_HOST_ALLOC_MAPPED));
    struct grt_kernel_control control = {
        .records = (uint64_t)(uintptr_t)memory, .block_count = BLOCKS, .record_every = 1};
    uint64_t amount = 1000;
    void *parameters[] = {&control, &amount};
    CU_OK(cuda->cuLaunchKernel(function, BLOCKS, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
    CU_OK(cuda->cuCtxSynchronize());
    const struct grt_block_record *records = memory;
    for (int i = 0; i < BLOCKS; i++) {
        CU_ASSERT_TRUE(records[i].end_ns >= records[i].start_ns + 1000);
        CU_ASSERT_TRUE(records[i].sm < 7);
    }
}

static void test_opens(void) {
    CU_ASSERT_EQUAL_FATAL(setenv("GPURT_PRETEND_SMS", "7", 1), 0);
    CU_ASSERT_EQUAL_FATAL(grt_driver_open(GRT_PRETEND_LIBRARY, &driver, &errors), GRT_DRIVER_OPEN);
    int sms = 0;
    CU_OK(driver.cuda.cuDeviceGetAttribute(&sms, GRT_CUDA_MULTIPROCESSOR_COUNT, 0));
    CU_ASSERT_EQUAL(sms, 7);
    run_kernel(&driver.cuda);
    driver.close(&driver);
}

/* What opening the driver comes to in a process of its own, since a driver stays in the process that has loaded it. */
static int opened_with(const char *name, const char *value) {
    pid_t child = fork();
    if (child == 0) {
        setenv(name, value, 1);
        _exit((int)grt_driver_open(GRT_PRETEND_LIBRARY, &driver, &errors) + 10 * (int)errors.count);
    }
    int status = 0;
    CU_ASSERT_TRUE_FATAL(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_refused(void) {
    CU_ASSERT_EQUAL(opened_with("GPURT_PRETEND_STUB", "1"), GRT_DRIVER_ABSENT + 10);
    CU_ASSERT_EQUAL(opened_with("GPURT_PRETEND_VERSION", "10020"), GRT_DRIVER_UNUSABLE + 10);
    CU_ASSERT_EQUAL(opened_with("GPURT_PRETEND_VERSION", "13000"), GRT_DRIVER_OPEN);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"refused", test_refused}, /* before this process loads the library */
        {"opens", test_opens},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pretend_library", tests);
}
