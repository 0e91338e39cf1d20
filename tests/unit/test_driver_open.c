/* labels: alone */
/* How the CUDA driver is found and refused, with libraries that only pretend to be it. */
#include <stdlib.h>
#include <string.h>

#include "calib/driver/driver.h"
#include "calib/driver/nvml.h"
#include "tests/support/suite.h"

static struct grt_errors errors;
static struct grt_driver driver;

static void expect_set(const char *variable, const char *value) {
    const char *now = getenv(variable);
    CU_ASSERT_PTR_NOT_NULL_FATAL(now);
    CU_ASSERT_STRING_EQUAL(now, value);
}

/* Expects one error that has these words. */
static void expect(const char *words) {
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    if (!strstr(errors.messages[0], words)) {
        grt_errors_print(&errors, stderr, "unexpected: ");
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], words));
    grt_errors_clear(&errors);
}

static enum grt_driver_status open_with(const char *variable, const char *value) {
    setenv(variable, value, 1);
    enum grt_driver_status status = grt_driver_open(GRT_FAKE_NVIDIA, &driver, &errors);
    unsetenv(variable);
    return status;
}

static void test_open(void) {
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    setenv("CUDA_MODULE_LOADING", "LAZY", 1);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    setenv("GPURT_LIBNVML", GRT_FAKE_NVIDIA, 1);
    setenv("GPURT_LIBCUDA", GRT_FAKE_NVIDIA, 1);
    CU_ASSERT_EQUAL_FATAL(grt_driver_open(NULL, &driver, &errors), GRT_DRIVER_OPEN);
    CU_ASSERT_STRING_EQUAL(driver.name, "cuda");
    CU_ASSERT_STRING_EQUAL(driver.path, GRT_FAKE_NVIDIA);
    expect_set("CUDA_DEVICE_MAX_CONNECTIONS", "32");
    CU_ASSERT_EQUAL(driver.connections, 32);
    expect_set("CUDA_MODULE_LOADING", "LAZY"); /* the user's own */
    CU_ASSERT_PTR_NULL(getenv("CUDA_LAUNCH_BLOCKING"));
    CU_ASSERT_PTR_NOT_NULL(driver.cuda.cuLaunchKernel);
    CU_ASSERT_PTR_NOT_NULL(driver.cuda.cuGreenCtxCreate);
    struct grt_nvml_health health;
    CU_ASSERT_TRUE(grt_nvml_ask(driver.nvml, "0000:01:00.0", &health));
    CU_ASSERT_TRUE(health.sm_mhz == 1980 && health.memory_mhz == 2619 && health.celsius == 40 &&
                   health.milliwatts == 0 && health.reasons == 1);
    CU_ASSERT(health.pcie_generation == 4 && health.pcie_lanes == 8 && health.pcie_most_generation == 5 &&
              health.pcie_most_lanes == 16);
    CU_ASSERT_FALSE(grt_nvml_ask(driver.nvml, "0000:02:00.0", &health));
    CU_ASSERT_FALSE(grt_nvml_ask(NULL, "0000:01:00.0", &health));
    driver.close(&driver);
    unsetenv("GPURT_LIBNVML");
    unsetenv("GPURT_LIBCUDA");
}

/* The user's own number of connections, or what the driver takes where that is none. */
static void test_connections(void) {
    static const struct {
        const char *text;
        int count;
    } cases[] = {{"1", 1}, {"8", 8}, {"32", 32}, {"33", 8}, {"0", 8}, {"many", 8}, {"", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL_FATAL(open_with("CUDA_DEVICE_MAX_CONNECTIONS", cases[i].text), GRT_DRIVER_OPEN);
        CU_ASSERT_EQUAL(driver.connections, cases[i].count);
        driver.close(&driver);
    }
}

static void test_clock(void) {
    CU_ASSERT_EQUAL_FATAL(grt_driver_open(GRT_FAKE_NVIDIA, &driver, &errors), GRT_DRIVER_OPEN);
    struct grt_host_clock clock = driver.clock;
    grt_time start = clock.now(clock.state), until = start + GRT_MILLISECOND;
    clock.idle(clock.state, until);
    clock.wait_until(clock.state, until);
    CU_ASSERT_TRUE(clock.now(clock.state) >= until);
    clock.wait_until(clock.state, start); /* long gone */
    driver.close(&driver);
}

static void test_absent(void) {
    CU_ASSERT_EQUAL(grt_driver_open("/nowhere/libcuda.so", &driver, &errors), GRT_DRIVER_ABSENT);
    expect("there is no CUDA driver: /nowhere/libcuda.so: cannot open");
    setenv("GPURT_LIBCUDA", GRT_SOURCE_DIR "/LICENSE", 1);
    CU_ASSERT_EQUAL(grt_driver_open(NULL, &driver, &errors), GRT_DRIVER_ABSENT);
    expect("LICENSE");
    unsetenv("GPURT_LIBCUDA");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "34"), GRT_DRIVER_ABSENT);
    expect("cuInit: error 34: this library is the toolkit's stub");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "100"), GRT_DRIVER_ABSENT);
    expect("CUDA_VISIBLE_DEVICES");
    CU_ASSERT_EQUAL(open_with("FAKE_count", "0"), GRT_DRIVER_ABSENT);
    expect("cuDeviceGetCount: error 100: ");
}

static void test_unusable(void) {
    CU_ASSERT_EQUAL(open_with("FAKE_version", "10020"), GRT_DRIVER_UNUSABLE);
    expect("the driver is of CUDA 10.2, and 11.0 is needed");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "803"), GRT_DRIVER_UNUSABLE);
    expect("restart the machine");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "802"), GRT_DRIVER_UNUSABLE);
    expect("cuInit: error 802: the machine's devices are not set up yet");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "804"), GRT_DRIVER_UNUSABLE);
    expect("leave its folder (compat) out of");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "214"), GRT_DRIVER_UNUSABLE);
    expect("could not be corrected");
    CU_ASSERT_EQUAL(open_with("FAKE_cuInit", "777"), GRT_DRIVER_UNUSABLE);
    expect("cuInit: error 777");
    CU_ASSERT_EQUAL(grt_driver_open(GRT_FAKE_NVIDIA_OLD, &driver, &errors), GRT_DRIVER_UNUSABLE);
    expect("which is needed: it lacks cuDevicePrimaryCtxRelease_v2");
    CU_ASSERT_EQUAL(grt_driver_open("libm.so.6", &driver, &errors), GRT_DRIVER_UNUSABLE);
    expect("it lacks cuInit, cuDriverGetVersion, ");
}

/* A management library that is there but does not work is none. */
static void test_no_nvml(void) {
    setenv("FAKE_nvmlInit_v2", "9", 1);
    CU_ASSERT_PTR_NULL(grt_nvml_open(GRT_FAKE_NVIDIA));
    unsetenv("FAKE_nvmlInit_v2");
    CU_ASSERT_PTR_NULL(grt_nvml_open(GRT_FAKE_NVIDIA_OLD "-not-there"));
    CU_ASSERT_PTR_NULL(grt_nvml_open("libm.so.6"));
    struct grt_nvml *nvml = grt_nvml_open(GRT_FAKE_NVIDIA);
    CU_ASSERT_PTR_NOT_NULL(nvml);
    grt_nvml_close(nvml);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"open", test_open},     {"the host's clock", test_clock}, {"connections", test_connections},
        {"absent", test_absent}, {"unusable", test_unusable},      {"no nvml", test_no_nvml},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("opening the driver", tests);
}
