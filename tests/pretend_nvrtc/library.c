/* A library that pretends to be NVRTC, of a version and for devices that the build says: its PTX is a text that says what it was asked for. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct nvrtc_program_handle *nvrtc_program;

static const int numbers[] = {PRETEND_NVRTC_ARCHITECTURES};
static char made[256];

int nvrtcVersion(int *major, int *minor);
int nvrtcCreateProgram(nvrtc_program *program, const char *source, const char *name, int header_count,
                       const char *const *headers, const char *const *include_names);
int nvrtcCompileProgram(nvrtc_program program, int option_count, const char *const *options);
int nvrtcGetProgramLogSize(nvrtc_program program, size_t *size);
int nvrtcGetProgramLog(nvrtc_program program, char *log);
int nvrtcGetPTXSize(nvrtc_program program, size_t *size);
int nvrtcGetPTX(nvrtc_program program, char *ptx);
int nvrtcDestroyProgram(nvrtc_program *program);

#if PRETEND_NVRTC_MAJOR >= 12
int nvrtcGetNumSupportedArchs(int *count);
int nvrtcGetSupportedArchs(int *out);

int nvrtcGetNumSupportedArchs(int *count) {
    *count = (int)(sizeof numbers / sizeof numbers[0]);
    return 0;
}

int nvrtcGetSupportedArchs(int *out) {
    memcpy(out, numbers, sizeof numbers);
    return 0;
}
#endif

int nvrtcVersion(int *major, int *minor) {
    *major = PRETEND_NVRTC_MAJOR;
    *minor = PRETEND_NVRTC_MINOR;
    return 0;
}

int nvrtcCreateProgram(nvrtc_program *program, const char *source, const char *name, int header_count,
                       const char *const *headers, const char *const *include_names) {
    (void)source, (void)name, (void)header_count, (void)headers, (void)include_names;
    *program = (nvrtc_program)(void *)made;
    return 0;
}

/* Fails where the architecture is none of its own, as NVRTC does. */
int nvrtcCompileProgram(nvrtc_program program, int option_count, const char *const *options) {
    static const char wanted[] = "--gpu-architecture=compute_";
    int asked = 0;
    (void)program;
    if (option_count != 1 || strncmp(options[0], wanted, sizeof wanted - 1) != 0 ||
        sscanf(options[0] + sizeof wanted - 1, "%d", &asked) != 1) {
        return 5;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i] == asked) {
            snprintf(made, sizeof made, "// %d.%d\n.target sm_%d\n.visible .entry logistic(\n)\n",
                     PRETEND_NVRTC_MAJOR, PRETEND_NVRTC_MINOR, asked);
            return 0;
        }
    }
    return 5;
}

int nvrtcGetProgramLogSize(nvrtc_program program, size_t *size) {
    (void)program;
    *size = 0;
    return 0;
}

int nvrtcGetProgramLog(nvrtc_program program, char *log) {
    (void)program, (void)log;
    return 0;
}

int nvrtcGetPTXSize(nvrtc_program program, size_t *size) {
    (void)program;
    *size = strlen(made) + 1;
    return 0;
}

int nvrtcGetPTX(nvrtc_program program, char *ptx) {
    (void)program;
    memcpy(ptx, made, strlen(made) + 1);
    return 0;
}

int nvrtcDestroyProgram(nvrtc_program *program) {
    *program = NULL;
    return 0;
}
