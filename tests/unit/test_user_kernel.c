/* Kernels of users' own: files, NVRTC where it is, and the bench. */
/* labels: pretend-nvrtc */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/bench/bench.h"
#include "calib/kernels/user.h"
#include "calib/pretend/pretend.h"
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

#define PTX GRT_SOURCE_DIR "/calib/kernels/kernels.ptx"
#define EXAMPLE GRT_SOURCE_DIR "/calib/kernels/example.cu"

static struct grt_errors errors;
static struct grt_user_kernel kernel;

static bool read_kernel(const char *path, const char *name, uint32_t threads, const char *nvrtc) {
    struct grt_user_target target = {.compute_capability = 90};
    return grt_user_kernel_read(path, name, threads, &target, nvrtc, &kernel, &errors);
}

static void expect(const char *words) {
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], words));
    if (!strstr(errors.messages[0], words)) {
        grt_errors_print(&errors, stderr, "unexpected: ");
    }
    grt_errors_clear(&errors);
    grt_user_kernel_free(&kernel);
}

static const char *write_file(const char *name, const char *text, size_t size) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", GRT_SCRATCH_DIR, name);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fwrite(text, 1, size, file);
    fclose(file);
    return path;
}

static void test_files(void) {
    CU_ASSERT_TRUE(read_kernel(PTX, "k_vadd", 256, NULL));
    CU_ASSERT_TRUE(kernel.threads == 256 && strcmp(kernel.name, "k_vadd") == 0 &&
                   strcmp(kernel.ptx, grt_kernels_ptx()) == 0);
    grt_user_kernel_free(&kernel);
    CU_ASSERT_FALSE(read_kernel(PTX, "k_vad", 256, NULL));
    expect("has no kernel 'k_vad'");
    CU_ASSERT_FALSE(read_kernel(PTX, "2nd", 256, NULL));
    expect("'2nd' cannot be a kernel's name");
    CU_ASSERT_FALSE(read_kernel(PTX, "", 256, NULL));
    expect("'' cannot be");
    CU_ASSERT_FALSE(read_kernel(PTX, "k_vadd", 0, NULL));
    expect("1 to 1024 threads, not 0");
    CU_ASSERT_FALSE(read_kernel(PTX, "k_vadd", 1025, NULL));
    expect("not 1025");
    CU_ASSERT_FALSE(read_kernel("kernels.txt", "k_vadd", 256, NULL));
    expect("ends in .cu or .ptx");
    CU_ASSERT_FALSE(read_kernel("/nowhere/a.cu", "k_vadd", 256, NULL));
    expect("cannot be opened: No such file");
    CU_ASSERT_FALSE(read_kernel(write_file("empty.ptx", "", 0), "k", 32, NULL));
    expect("is empty");
    CU_ASSERT_FALSE(read_kernel(write_file("binary.ptx", "a\0b", 3), "k", 32, NULL));
    expect("is not a text");
    CU_ASSERT_FALSE(read_kernel(EXAMPLE, "logistic", 32, "/nowhere/libnvrtc.so"));
    expect("takes NVRTC, which is not here");
    CU_ASSERT_FALSE(read_kernel(EXAMPLE, "logistic", 32, "libm.so.6"));
    expect("takes NVRTC, which is not here");
}

static bool has_nvrtc(void) {
    void *library = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        library = dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        printf("(skipped: there is no NVRTC) ");
    }
    return library != NULL;
}

static void test_compile(void) {
    if (!has_nvrtc()) {
        return;
    }
    CU_ASSERT_TRUE(read_kernel(EXAMPLE, "logistic", 128, NULL));
    grt_errors_print(&errors, stderr, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel.ptx);
    CU_ASSERT_PTR_NOT_NULL(strstr(kernel.ptx, "%globaltimer"));
    CU_ASSERT_PTR_NOT_NULL(strstr(kernel.ptx, ".target sm_90"));
    CU_ASSERT_EQUAL(strncmp(kernel.made_by, "NVRTC ", 6), 0);
    grt_user_kernel_free(&kernel);
    static const char wrong[] =
        "#include \"gpu_port.h\"\nGRT_KERNEL(k)(struct grt_control control) { nothing; }\n";
    CU_ASSERT_FALSE(read_kernel(write_file("wrong.cu", wrong, sizeof wrong - 1), "k", 32, NULL));
    expect("identifier \"nothing\" is undefined");
    static const char other[] = "#include <stdio.h>\n";
    CU_ASSERT_FALSE(read_kernel(write_file("other.cu", other, sizeof other - 1), "k", 32, NULL));
    expect("it cannot be compiled");
    CU_ASSERT_FALSE(read_kernel(EXAMPLE, "sine", 128, NULL));
    expect("write GRT_KERNEL(sine)(...)");
}

#define TOO_OLD "/nowhere/libnvrtc.so:" GRT_PRETEND_NVRTC_13
#define ANY GRT_PRETEND_NVRTC_13 ":" GRT_PRETEND_NVRTC_12 ":" GRT_PRETEND_NVRTC_11

/* PTX has to suit the device and the driver, whatever NVRTC comes first. `words`: of PTX, or of the error where `made_by` is NULL. */
static void expect_nvrtc(int capability, int driver, const char *libraries, const char *made_by,
                         const char *words) {
    struct grt_user_target target = {capability, driver};
    bool good = grt_user_kernel_read(EXAMPLE, "logistic", 128, &target, libraries, &kernel, &errors);
    CU_ASSERT_EQUAL_FATAL(good, made_by != NULL);
    if (made_by == NULL) {
        expect(words);
        return;
    }
    CU_ASSERT_STRING_EQUAL(kernel.made_by, made_by);
    CU_ASSERT_PTR_NOT_NULL(strstr(kernel.ptx, words));
    grt_user_kernel_free(&kernel);
}

static void test_versions(void) {
    expect_nvrtc(90, 13000, ANY, "NVRTC 13.0", "sm_90");
    expect_nvrtc(103, 13000, ANY, "NVRTC 13.0", "sm_100");
    expect_nvrtc(72, 13000, ANY, "NVRTC 12.4", "sm_72"); /* Xavier */
    expect_nvrtc(70, 0, ANY, "NVRTC 12.4", "sm_70");     /* V100 */
    expect_nvrtc(62, 13000, ANY, "NVRTC 12.4", "sm_62"); /* TX2 */
    expect_nvrtc(90, 12040, ANY, "NVRTC 12.4", "sm_90");
    expect_nvrtc(90, 12030, ANY, "NVRTC 11.1", "sm_70"); /* whose devices cannot be asked for */
    expect_nvrtc(62, 11040, ANY, "NVRTC 11.1", "sm_62");
    expect_nvrtc(72, 13000, TOO_OLD, NULL,
                 "NVRTC 13.0 compiles for devices of compute capability 7.5 and newer, and this one has 7.2: "
                 "install NVRTC 12.9 or an older one, name");
    expect_nvrtc(62, 11040, TOO_OLD, NULL, "this one has 6.2: install NVRTC 11.4 or an older one");
    expect_nvrtc(
        90, 12020, GRT_PRETEND_NVRTC_13 ":" GRT_PRETEND_NVRTC_12, NULL,
        "NVRTC 12.4 is newer than the driver, which is of CUDA 12.2 and takes no PTX of a newer one: "
        "install NVRTC 12.2 or an older one");
    expect_nvrtc(90, 12020, "::", NULL, "takes NVRTC, which is not here");
}

/* Pretended devices know our kernels' names only: one of them stands for the user's. */
static void test_bench(void) {
    struct grt_pretend_spec spec;
    struct grt_driver driver;
    struct grt_device device = grt_built_device(4);
    grt_pretend_default(&device, &spec);
    CU_ASSERT_TRUE_FATAL(read_kernel(PTX, "k_reduce", 256, NULL));
    CU_ASSERT_TRUE_FATAL(grt_pretend_open(&spec, &grt_engine_model, &driver, &errors));
    CU_ASSERT_EQUAL_FATAL(driver.cuda.cuInit(0), GRT_CUDA_SUCCESS);
    struct grt_bench_options options = {.driver = &driver, .buffer_bytes = 1 << 20, .user = &kernel};
    struct grt_bench *bench = grt_bench_open(&options, &errors);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench);
    CU_ASSERT_STRING_EQUAL(grt_bench_kind(bench, GRT_KERNEL_USER)->name, "k_reduce");
    CU_ASSERT_EQUAL(grt_bench_kernel(bench, GRT_KERNEL_USER)->registers,
                    spec.kernels[GRT_KERNEL_REDUCE].registers);
    struct grt_bench_launch launch = {.kernel = GRT_KERNEL_USER, .amount = 1000, .blocks = 2, .record = true};
    uint32_t stream = grt_bench_stream(bench, NULL, 0);
    grt_bench_launch(bench, stream, &launch);
    grt_bench_sync(bench);
    const struct grt_block_record *records = grt_bench_records(bench, 0, 2);
    CU_ASSERT_TRUE(records && records[0].end_ns > records[0].start_ns && records[1].end_ns != 0);
    grt_bench_close(bench);
    kernel.name[0] = 'q'; /* the module has no such kernel */
    CU_ASSERT_PTR_NULL(grt_bench_open(&options, &errors));
    expect("cuModuleGetFunction");
    driver.close(&driver);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"files", test_files}, {"NVRTC", test_compile}, {"which NVRTC", test_versions},
        {"bench", test_bench}, CU_TEST_INFO_NULL,
    };
    return grt_suite_run("users' kernels", tests);
}
