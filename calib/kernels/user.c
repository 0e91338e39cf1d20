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

enum {
    MOST_THREADS = 1024,
    MOST_BYTES = 16 << 20,
    LOG_SHOWN = 800,
    MOST_ARCHITECTURES = 256,
    NAME_SIZE = 512
};

/* --- NVRTC, in declarations of our own after NVIDIA's "NVRTC" reference. */

typedef int nvrtc_result; /* 0 is success */
typedef struct nvrtc_program_handle *nvrtc_program;

struct nvrtc {
    void *library;
    nvrtc_result (*version)(int *major, int *minor);
    nvrtc_result (*architecture_count)(int *count); /* these two from 11.2 on; NULL: not there */
    nvrtc_result (*architectures)(int *numbers);    /* 10 * major + minor */
    nvrtc_result (*create)(nvrtc_program *program, const char *source, const char *name, int header_count,
                           const char *const *headers, const char *const *include_names);
    nvrtc_result (*compile)(nvrtc_program program, int option_count, const char *const *options);
    nvrtc_result (*log_size)(nvrtc_program program, size_t *size);
    nvrtc_result (*log)(nvrtc_program program, char *log);
    nvrtc_result (*ptx_size)(nvrtc_program program, size_t *size);
    nvrtc_result (*ptx)(nvrtc_program program, char *ptx);
    nvrtc_result (*destroy)(nvrtc_program *program);
    int major, minor;
    int architecture; /* that it is to compile for */
};

/* Names with a version are those of installations without headers; folders with one, of toolkits beside each other. */
static const char places[] = "libnvrtc.so:libnvrtc.so.13:libnvrtc.so.12:libnvrtc.so.11.2:"
                             "/usr/local/cuda/lib64/libnvrtc.so:/opt/cuda/lib64/libnvrtc.so:"
                             "/usr/local/cuda-13/lib64/libnvrtc.so:/usr/local/cuda-12/lib64/libnvrtc.so:"
                             "/usr/local/cuda-11/lib64/libnvrtc.so";

#define FIND(nvrtc, member, name)                                                                            \
    grt_library_find((nvrtc)->library, (name), &(nvrtc)->member, sizeof(nvrtc)->member)

static bool find_functions(struct nvrtc *nvrtc) {
    FIND(nvrtc, architecture_count, "nvrtcGetNumSupportedArchs");
    FIND(nvrtc, architectures, "nvrtcGetSupportedArchs");
    return FIND(nvrtc, version, "nvrtcVersion") && FIND(nvrtc, create, "nvrtcCreateProgram") &&
           FIND(nvrtc, compile, "nvrtcCompileProgram") && FIND(nvrtc, log_size, "nvrtcGetProgramLogSize") &&
           FIND(nvrtc, log, "nvrtcGetProgramLog") && FIND(nvrtc, ptx_size, "nvrtcGetPTXSize") &&
           FIND(nvrtc, ptx, "nvrtcGetPTX") && FIND(nvrtc, destroy, "nvrtcDestroyProgram") &&
           nvrtc->version(&nvrtc->major, &nvrtc->minor) == 0;
}

/* --- Which of them makes PTX that suits a target. */

/* Why those that are there do not. */
struct unsuited {
    bool found, too_far; /* one of them; one for newer devices only, else it is newer than the driver */
    int major, minor;    /* of the last of these, if there is one for newer devices only of those */
    int oldest;          /* device that it compiles for */
};

/* The architectures that it compiles for. One that cannot be asked is older than 11.2: all of those know these (CUDA's release notes). */
static int ask_architectures(const struct nvrtc *nvrtc, int *numbers) {
    static const int always[] = {60, 61, 62, 70};
    int count = 0;
    if (nvrtc->architecture_count && nvrtc->architectures && nvrtc->architecture_count(&count) == 0 &&
        count > 0 && count <= MOST_ARCHITECTURES && nvrtc->architectures(numbers) == 0) {
        return count;
    }
    memcpy(numbers, always, sizeof always);
    return (int)(sizeof always / sizeof always[0]);
}

/* The largest that is not above the device's; 0: there is none. */
static int choose_architecture(const struct nvrtc *nvrtc, int capability, int *oldest) {
    int numbers[MOST_ARCHITECTURES], best = 0;
    int count = ask_architectures(nvrtc, numbers);
    *oldest = numbers[0];
    for (int i = 0; i < count; i++) {
        best = numbers[i] <= capability && numbers[i] > best ? numbers[i] : best;
        *oldest = numbers[i] < *oldest ? numbers[i] : *oldest;
    }
    return best;
}

static bool suits(struct nvrtc *nvrtc, const struct grt_user_target *target, struct unsuited *unsuited) {
    int oldest, version = 1000 * nvrtc->major + 10 * nvrtc->minor;
    bool too_new = target->driver_version > 0 && version > target->driver_version;
    nvrtc->architecture = choose_architecture(nvrtc, target->compute_capability, &oldest);
    if (!too_new && nvrtc->architecture > 0) {
        return true;
    }
    bool too_far = nvrtc->architecture == 0;
    if (too_far || !unsuited->too_far) {
        *unsuited = (struct unsuited){true, too_far, nvrtc->major, nvrtc->minor, oldest};
    }
    return false;
}

/* The first of a list that suits; else `unsuited` says why none does. */
static bool open_nvrtc(const char *list, const struct grt_user_target *target, struct nvrtc *nvrtc,
                       struct unsuited *unsuited) {
    for (const char *at = list; *at;) {
        char name[NAME_SIZE];
        int length = (int)strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s", length, at);
        at += length + (at[length] == ':');
        *nvrtc = (struct nvrtc){.library = length > 0 ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL};
        if (nvrtc->library && find_functions(nvrtc) && suits(nvrtc, target, unsuited)) {
            return true;
        }
        if (nvrtc->library) {
            dlclose(nvrtc->library);
        }
    }
    nvrtc->library = NULL;
    return false;
}

/* CUDA 13 compiles for 7.5 and newer, CUDA 12, which ends with 12.9, for 5.0 and newer (their release notes). */
enum { LAST_OF_12 = 12090, AFTER_12 = 13000 };

static void add_unsuited(const char *path, const struct grt_user_target *target,
                         const struct unsuited *unsuited, struct grt_errors *errors) {
    static const char advice[] = "or an older one, name it in GPURT_LIBNVRTC, or give a .ptx file";
    int driver = target->driver_version, capability = target->compute_capability;
    int wanted = unsuited->too_far && (driver == 0 || driver >= AFTER_12) ? LAST_OF_12 : driver;
    if (!unsuited->found) {
        grt_error_add(errors, NULL,
                      "%s: compiling it takes NVRTC, which is not here: install CUDA's toolkit, name the "
                      "library in GPURT_LIBNVRTC, or give a .ptx file",
                      path);
    } else if (unsuited->too_far) {
        grt_error_add(errors, NULL,
                      "%s: NVRTC %d.%d compiles for devices of compute capability %d.%d and newer, and this "
                      "one has %d.%d: install NVRTC %d.%d %s",
                      path, unsuited->major, unsuited->minor, unsuited->oldest / 10, unsuited->oldest % 10,
                      capability / 10, capability % 10, wanted / 1000, wanted % 1000 / 10, advice);
    } else {
        grt_error_add(errors, NULL,
                      "%s: NVRTC %d.%d is newer than the driver, which is of CUDA %d.%d and takes no PTX of "
                      "a newer one: install NVRTC %d.%d %s",
                      path, unsuited->major, unsuited->minor, driver / 1000, driver % 1000 / 10,
                      wanted / 1000, wanted % 1000 / 10, advice);
    }
}

/* --- Compiling. */

/* The compiler's messages, cut. */
static void add_log(const struct nvrtc *nvrtc, nvrtc_program program, const char *path,
                    struct grt_errors *errors) {
    size_t size = 0;
    char *log = NULL;
    if (nvrtc->log_size(program, &size) == 0 && size > 0) {
        log = grt_allocate(size + 1);
        if (nvrtc->log(program, log) != 0) {
            size = 0;
        }
        log[size] = '\0';
    }
    grt_error_add(errors, NULL, "%s: it cannot be compiled: %.*s", path, LOG_SHOWN,
                  log && size > 0 ? log : "NVRTC does not say why");
    free(log);
}

static char *compile_with(const struct nvrtc *nvrtc, nvrtc_program program, const char *path,
                          struct grt_errors *errors) {
    char architecture[64];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=compute_%d", nvrtc->architecture);
    const char *const options[] = {architecture};
    size_t size = 0;
    if (nvrtc->compile(program, 1, options) != 0 || nvrtc->ptx_size(program, &size) != 0 || size == 0) {
        add_log(nvrtc, program, path, errors);
        return NULL;
    }
    char *ptx = grt_allocate(size + 1);
    ptx[size] = '\0';
    if (nvrtc->ptx(program, ptx) == 0) {
        return ptx;
    }
    free(ptx);
    grt_error_add(errors, NULL, "%s: NVRTC gives no PTX", path);
    return NULL;
}

static bool compile(const char *path, const char *source, const struct grt_user_target *target,
                    const char *libraries, struct grt_user_kernel *kernel, struct grt_errors *errors) {
    const char *const headers[] = {grt_kernels_port()}, *const names[] = {"gpu_port.h"};
    const char *given = libraries ? libraries : getenv("GPURT_LIBNVRTC");
    struct nvrtc nvrtc;
    struct unsuited unsuited = {.found = false};
    nvrtc_program program;
    if (!open_nvrtc(given ? given : places, target, &nvrtc, &unsuited)) {
        add_unsuited(path, target, &unsuited, errors);
        return false;
    }
    if (nvrtc.create(&program, source, path, 1, headers, names) != 0) {
        grt_error_add(errors, NULL, "%s: NVRTC refuses it", path);
    } else {
        kernel->ptx = compile_with(&nvrtc, program, path, errors);
        nvrtc.destroy(&program);
    }
    if (kernel->ptx) {
        kernel->made_by = grt_allocate(64);
        snprintf(kernel->made_by, 64, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
    }
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
    for (const char *at = name; *at; at++) {
        if (!isalpha((unsigned char)*at) && *at != '_' && (at == name || !isdigit((unsigned char)*at))) {
            return false;
        }
    }
    return name[0] != '\0';
}

/* Whether PTX has an entry of this name. */
static bool has_entry(const char *ptx, const char *name) {
    size_t length = strlen(name);
    for (const char *at = ptx; (at = strstr(at, ".entry")) != NULL;) {
        at += strlen(".entry");
        at += strspn(at, " \t\r\n");
        if (strncmp(at, name, length) == 0 && strchr("( \t\r\n", at[length])) {
            return true;
        }
    }
    return false;
}

static bool check_arguments(const char *path, const char *name, uint32_t threads, struct grt_errors *errors) {
    size_t before = errors->count;
    if (!is_identifier(name)) {
        grt_error_add(errors, NULL, "%s: '%s' cannot be a kernel's name", path, name);
    }
    if (threads < 1 || threads > MOST_THREADS) {
        grt_error_add(errors, NULL, "%s: a block has 1 to %d threads, not %u", path, MOST_THREADS, threads);
    }
    if (!ends_in(path, ".cu") && !ends_in(path, ".ptx")) {
        grt_error_add(errors, NULL, "%s: a kernel's file ends in .cu or .ptx", path);
    }
    return errors->count == before;
}

bool grt_user_kernel_read(const char *path, const char *name, uint32_t threads,
                          const struct grt_user_target *target, const char *nvrtc,
                          struct grt_user_kernel *kernel, struct grt_errors *errors) {
    *kernel = (struct grt_user_kernel){.threads = threads};
    if (!check_arguments(path, name, threads, errors)) {
        return false;
    }
    char *text = read_file(path, errors);
    if (!text) {
        return false;
    }
    kernel->name = copy(name);
    bool done = true;
    if (ends_in(path, ".ptx")) {
        kernel->ptx = text;
        kernel->made_by = copy("the user");
    } else {
        done = compile(path, text, target, nvrtc, kernel, errors);
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
