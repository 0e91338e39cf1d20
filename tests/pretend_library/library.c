/* A pretended driver as a library of its own, libgpurt-pretend-cuda.so, which the loader of the CUDA driver can open in the place of libcuda.so.1: its functions have the real names. Threads execute, since
 * the program that opens it goes by the machine's clock. Environment: GPURT_PRETEND_SMS, how many SMs the device has (4); GPURT_PRETEND_VERSION, the driver's; GPURT_PRETEND_STUB, where it is
 * set, has it say that it is the toolkit's stub. */
#include <stdio.h>
#include <stdlib.h>

#include "calib/pretend/pretend.h"

#define MEMORY ((int64_t)256 << 20)

static struct grt_pretend_spec spec;
static struct grt_driver driver;

static int64_t number_of(const char *name, int64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

/* SMs as of CC 9.0, fewer of them. */
static struct grt_device small_device(int64_t sm_count) {
    return (struct grt_device){
        .version = 1,
        .name = "pretended",
        .compute_capability = 90,
        .sm_count = sm_count,
        .sms_per_tpc = 1,
        .warp_size = 32,
        .max_threads_per_block = 1024,
        .max_threads_per_sm = 2048,
        .max_blocks_per_sm = 32,
        .registers_per_sm = 65536,
        .registers_per_block = 65536,
        .max_registers_per_thread = 255,
        .register_unit = 256,
        .warp_unit = 1,
        .sm_partitions = 4,
        .shared_memory_per_sm = 228 * 1024,
        .shared_memory_per_block = 48 * 1024,
        .shared_memory_per_block_opt_in = 227 * 1024,
        .shared_memory_reserved = 1024,
        .shared_memory_unit = 128,
        .max_resident_grids = 128,
        .cores_per_sm = 128,
        .copy_engines = 2,
        .h2d_bytes_per_second = 1000000000,
        .d2h_bytes_per_second = 1000000000,
        .pageable_percent = 50,
        .memory_bytes_per_second = 10000000000,
        .priority_levels = 6,
        .core_hertz = 1000000000,
    };
}

/* Where it cannot be opened, every call says that nothing was initialised. */
__attribute__((constructor)) static void open_library(void) {
    struct grt_device device = small_device(number_of("GPURT_PRETEND_SMS", 4));
    struct grt_errors errors = {0};
    grt_pretend_default(&device, &spec);
    spec.memory_bytes = MEMORY; /* of the real one the program takes buffers by the gigabyte */
    spec.faults.driver_version = number_of("GPURT_PRETEND_VERSION", 0);
    spec.faults.stub = getenv("GPURT_PRETEND_STUB") != NULL;
    if (!grt_pretend_open(&spec, &grt_engine_threads, &driver, &errors)) {
        grt_errors_print(&errors, stderr, "the pretended driver: ");
    }
    grt_errors_clear(&errors);
}

__attribute__((destructor)) static void close_library(void) {
    if (driver.close != NULL) {
        driver.close(&driver);
    }
}
