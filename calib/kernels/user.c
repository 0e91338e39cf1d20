#include "calib/kernels/user.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/driver/library.h"
#include "calib/kernels/kernels.h"
#include "sim/memory.h"

enum { MOST_THREADS = 1024, MOST_BYTES = 16 << 20, LOG_SHOWN = 800, OLDEST_CAPABILITY = 75 };

/* --- NVRTC, in declarations of our own after NVIDIA's "NVRTC" reference. */

typedef int nvrtc_result; /* 0 is success */
typedef struct nvrtc_program_handle *nvrtc_program;

struct nvrtc {
    void *library;
    nvrtc_result (*version)(int *major, int *minor);
    nvrtc_result (*create)(nvrtc_program *program, const char *source, const char *name, int header_count,
                           const char *const *headers, const char *const *include_names);
    nvrtc_result (*compile)(nvrtc_program program, int option_count, const char *const *options);
    nvrtc_result (*log_size)(nvrtc_program program, size_t *size);
    nvrtc_result (*log)(nvrtc_program program, char *log);
    nvrtc_result (*ptx_size)(nvrtc_program program, size_t *size);
    nvrtc_result (*ptx)(nvrtc_program program, char *ptx);
    nvrtc_result (*destroy)(nvrtc_program *program);
};

/* The newest first: names with a version are those of installations without headers. */
static const char *const places[] = {
    "libnvrtc.so",
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
    "/usr/local/cuda/lib64/libnvrtc.so",
    "/opt/cuda/lib64/libnvrtc.so",
};

#define FIND(nvrtc, member, name)                                                                            \
    grt_library_find((nvrtc)->library, (name), &(nvrtc)->member, sizeof(nvrtc)->member)

static bool open_nvrtc(const char *path, struct nvrtc *nvrtc) {
    const char *wanted = path ? path : getenv("GPURT_LIBNVRTC");
    size_t count = wanted ? 1 : sizeof places / sizeof places[0];
    *nvrtc = (struct nvrtc){.library = NULL};
    for (size_t i = 0; i < count && !nvrtc->library; i++)
        nvrtc->library = dlopen(wanted ? wanted : places[i], RTLD_NOW | RTLD_LOCAL);
    return nvrtc->library && FIND(nvrtc, version, "nvrtcVersion") &&
           FIND(nvrtc, create, "nvrtcCreateProgram") && FIND(nvrtc, compile, "nvrtcCompileProgram") &&
           FIND(nvrtc, log_size, "nvrtcGetProgramLogSize") && FIND(nvrtc, log, "nvrtcGetProgramLog") &&
           FIND(nvrtc, ptx_size, "nvrtcGetPTXSize") && FIND(nvrtc, ptx, "nvrtcGetPTX") &&
           FIND(nvrtc, destroy, "nvrtcDestroyProgram");
}

/* The compiler's messages, cut. */
static void add_log(const struct nvrtc *nvrtc, nvrtc_program program, const char *path,
                    struct grt_errors *errors) {
    size_t size = 0;
    char *log = NULL;
    if (nvrtc->log_size(program, &size) == 0 && size > 0) {
        log = grt_allocate(size + 1);
        if (nvrtc->log(program, log) != 0)
            size = 0;
        log[size] = '\0';
    }
    grt_error_add(errors, NULL, "%s: it cannot be compiled: %.*s", path, LOG_SHOWN,
                  log && size > 0 ? log : "NVRTC does not say why");
    free(log);
}

static char *compile_with(const struct nvrtc *nvrtc, nvrtc_program program, int capability, const char *path,
                          struct grt_errors *errors) {
    char architecture[64];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=compute_%d",
             capability > OLDEST_CAPABILITY ? capability : OLDEST_CAPABILITY);
    const char *const options[] = {architecture};
    size_t size = 0;
    if (nvrtc->compile(program, 1, options) != 0 || nvrtc->ptx_size(program, &size) != 0 || size == 0) {
        add_log(nvrtc, program, path, errors);
        return NULL;
    }
    char *ptx = grt_allocate(size + 1);
    ptx[size] = '\0';
    if (nvrtc->ptx(program, ptx) == 0)
        return ptx;
    free(ptx);
    grt_error_add(errors, NULL, "%s: NVRTC gives no PTX", path);
    return NULL;
}

static bool compile(const char *path, const char *source, int capability, const char *library,
                    struct grt_user_kernel *kernel, struct grt_errors *errors) {
    const char *const headers[] = {grt_kernels_port()}, *const names[] = {"gpu_port.h"};
    struct nvrtc nvrtc;
    nvrtc_program program;
    int major = 0, minor = 0;
    if (!open_nvrtc(library, &nvrtc)) {
        grt_error_add(errors, NULL,
                      "%s: compiling it takes NVRTC, which is not here: install CUDA's toolkit, name the "
                      "library in GPURT_LIBNVRTC, or give a .ptx file",
                      path);
    } else if (nvrtc.create(&program, source, path, 1, headers, names) != 0) {
        grt_error_add(errors, NULL, "%s: NVRTC refuses it", path);
    } else {
        kernel->ptx = compile_with(&nvrtc, program, capability, path, errors);
        nvrtc.destroy(&program);
    }
    if (kernel->ptx) {
        nvrtc.version(&major, &minor);
        kernel->made_by = grt_allocate(64);
        snprintf(kernel->made_by, 64, "NVRTC %d.%d", major, minor);
    }
    if (nvrtc.library)
        dlclose(nvrtc.library);
    return kernel->ptx != NULL;
}

/* --- Files. */

static char *copy(const char *text) {
    char *memory = grt_allocate(strlen(text) + 1);
    memcpy(memory, text, strlen(text) + 1);
    return memory;
}

/* A file of text; NULL after adding errors. */
static char *read_file(const char *path, struct grt_errors *errors) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        grt_error_add(errors, NULL, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *text = grt_allocate(MOST_BYTES + 1);
    size_t size = fread(text, 1, MOST_BYTES + 1, file);
    const char *why = ferror(file)               ? "cannot be read"
                      : size == 0                ? "is empty"
                      : size > MOST_BYTES        ? "has more than 16 MiB"
                      : memchr(text, '\0', size) ? "is not a text"
                                                 : NULL;
    fclose(file);
    if (!why) {
        text[size] = '\0';
        return grt_reallocate(text, size + 1);
    }
    grt_error_add(errors, NULL, "%s: %s", path, why);
    free(text);
    return NULL;
}

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

static bool is_identifier(const char *name) {
    for (const char *at = name; *at; at++)
        if (!isalpha((unsigned char)*at) && *at != '_' && (at == name || !isdigit((unsigned char)*at)))
            return false;
    return name[0] != '\0';
}

/* Whether PTX has an entry of this name. */
static bool has_entry(const char *ptx, const char *name) {
    size_t length = strlen(name);
    for (const char *at = ptx; (at = strstr(at, ".entry")) != NULL;) {
        at += strlen(".entry");
        at += strspn(at, " \t\r\n");
        if (strncmp(at, name, length) == 0 && strchr("( \t\r\n", at[length]))
            return true;
    }
    return false;
}

static bool check_arguments(const char *path, const char *name, uint32_t threads, struct grt_errors *errors) {
    size_t before = errors->count;
    if (!is_identifier(name))
        grt_error_add(errors, NULL, "%s: '%s' cannot be a kernel's name", path, name);
    if (threads < 1 || threads > MOST_THREADS)
        grt_error_add(errors, NULL, "%s: a block has 1 to %d threads, not %u", path, MOST_THREADS, threads);
    if (!ends_in(path, ".cu") && !ends_in(path, ".ptx"))
        grt_error_add(errors, NULL, "%s: a kernel's file ends in .cu or .ptx", path);
    return errors->count == before;
}

bool grt_user_kernel_read(const char *path, const char *name, uint32_t threads, int compute_capability,
                          const char *nvrtc, struct grt_user_kernel *kernel, struct grt_errors *errors) {
    *kernel = (struct grt_user_kernel){.threads = threads};
    if (!check_arguments(path, name, threads, errors))
        return false;
    char *text = read_file(path, errors);
    if (!text)
        return false;
    kernel->name = copy(name);
    bool done = true;
    if (ends_in(path, ".ptx")) {
        kernel->ptx = text;
        kernel->made_by = copy("the user");
    } else {
        done = compile(path, text, compute_capability, nvrtc, kernel, errors);
        free(text);
    }
    if (done && !has_entry(kernel->ptx, name)) {
        grt_error_add(errors, NULL, "%s: it has no kernel '%s': write GRT_KERNEL(%s)(...)", path, name, name);
        done = false;
    }
    return done;
}

void grt_user_kernel_free(struct grt_user_kernel *kernel) {
    free(kernel->name);
    free(kernel->ptx);
    free(kernel->made_by);
    *kernel = (struct grt_user_kernel){.name = NULL};
}
