#include "calib/driver/driver.h"

/* What to do about results that people meet. */
static const struct advice {
    grt_cuda_result result;
    const char *text;
} advices[] = {
    {GRT_CUDA_OUT_OF_MEMORY, "ask for smaller buffers, or end what else uses the device"},
    {GRT_CUDA_STUB_LIBRARY, "this library is the toolkit's stub, which only linkers use: leave it out of "
                            "LD_LIBRARY_PATH, and install the driver"},
    {GRT_CUDA_CALL_REQUIRES_NEWER_DRIVER, "install a newer driver"},
    {GRT_CUDA_DEVICE_UNAVAILABLE,
     "another process has the device for itself, or its compute mode forbids use: see nvidia-smi"},
    {GRT_CUDA_NO_DEVICE, "the driver sees no device: see nvidia-smi, CUDA_VISIBLE_DEVICES, and whether a "
                         "container was given one"},
    {GRT_CUDA_INVALID_DEVICE, "there is no device of this number"},
    {GRT_CUDA_NO_BINARY_FOR_GPU, "the device is too old: compute capability 6.0 is needed"},
    {GRT_CUDA_ECC_UNCORRECTABLE, "the device's memory had an error that could not be corrected: reset the "
                                 "device or restart the machine; if "
                                 "it comes again (nvidia-smi -q -d ECC), the device is to be replaced"},
    {GRT_CUDA_JIT_COMPILER_NOT_FOUND, "the driver's libnvidia-ptxjitcompiler is missing: install the driver "
                                      "wholly, or give the container its compute capability"},
    {GRT_CUDA_UNSUPPORTED_PTX_VERSION,
     "the driver is older than the compiler that made the kernels: install a newer one"},
    {GRT_CUDA_DEVICE_LOST,
     "the device had a fault: start the program anew; see the kernel's log (dmesg, Xid)"},
    {GRT_CUDA_LAUNCH_TIMEOUT, "a watchdog ended a kernel: measure on a device without a display"},
    {GRT_CUDA_LAUNCH_FAILED, "a kernel failed: start the program anew; see the kernel's log (dmesg, Xid)"},
    {GRT_CUDA_SYSTEM_NOT_READY,
     "the machine's devices are not set up yet: where they are joined by NVSwitch, the fabric manager "
     "(nvidia-fabricmanager, of the driver's version) has to run; nvidia-smi -q says how the fabric is"},
    {GRT_CUDA_COMPAT_NOT_SUPPORTED_ON_DEVICE, "CUDA's forward compatibility package works on data centre "
                                              "devices only: leave its folder (compat) out of "
                                              "LD_LIBRARY_PATH, or install a newer driver"},
    {GRT_CUDA_SYSTEM_DRIVER_MISMATCH,
     "libcuda and the kernel's module are of different versions: restart the machine after an update, or "
     "give the container the host's libcuda"},
    {GRT_CUDA_UNKNOWN, "see the kernel's log (dmesg, Xid); after a suspend, load the module nvidia_uvm anew"},
};

void grt_driver_error(const struct grt_driver *driver, grt_cuda_result result, const char *what,
                      struct grt_errors *errors) {
    const char *name = NULL, *meaning = NULL, *advice = "";
    if (!driver->cuda.cuGetErrorName || driver->cuda.cuGetErrorName(result, &name) != GRT_CUDA_SUCCESS) {
        name = NULL;
    }
    if (!driver->cuda.cuGetErrorString ||
        driver->cuda.cuGetErrorString(result, &meaning) != GRT_CUDA_SUCCESS) {
        meaning = NULL;
    }
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++) {
        if (advices[i].result == result) {
            advice = advices[i].text;
        }
    }
    if (name) {
        grt_error_add(errors, NULL, "%s: %s (%d%s%s)%s%s", what, name, result, meaning ? ", " : "",
                      meaning ? meaning : "", *advice ? ": " : "", advice);
    } else {
        grt_error_add(errors, NULL, "%s: error %d%s%s", what, result, *advice ? ": " : "", advice);
    }
}
