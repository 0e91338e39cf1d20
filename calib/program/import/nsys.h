/* What a profile of NVIDIA's Nsight Systems says, exported as SQLite (nsys export --type sqlite): kernels and copies as the GPU executed them, the host's calls for
 * them, and ranges that programs marked by NVTX. Times in ns since the start of the profile. */
#ifndef GRT_CALIB_PROGRAM_IMPORT_NSYS_H
#define GRT_CALIB_PROGRAM_IMPORT_NSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/memory.h"
#include "sim/time.h"

enum grt_nsys_kind {
    GRT_NSYS_KERNEL,
    GRT_NSYS_H2D,
    GRT_NSYS_D2H,
    GRT_NSYS_OTHER, /* memset, and copies that stay on devices: their name says which */
};

/* Where an operation was executed. */
struct grt_nsys_stream {
    int64_t process, device, context, stream; /* process: as profiles number them */
};

struct grt_nsys_operation {
    enum grt_nsys_kind kind;
    grt_time start, end;
    struct grt_nsys_stream stream;
    bool called; /* its call is known: */
    grt_time call_start;
    int64_t call_thread; /* as profiles number them */
    /* of a kernel, as it was written: with or without parameters; else "memset" and so on */
    const char *name;
    int64_t blocks, threads, registers, shared_bytes; /* kernels; registers of a thread, 0: not known */
    int64_t bytes;                                    /* copies */
    bool synchronous, pageable;                       /* copies, as far as that is known */
};

/* A range of NVTX: what one thread did between its start and its end. */
struct grt_nsys_range {
    const char *name;
    grt_time start, end;
    int64_t thread;
};

struct grt_nsys_priority {
    struct grt_nsys_stream stream; /* its device is not said: 0 */
    int64_t priority;
};

struct grt_nsys_gpu {
    const char *name; /* "": not said */
    int64_t sm_count; /* 0: not said */
};

struct grt_nsys {
    struct grt_arena arena;
    struct grt_nsys_operation *operations; /* by their starts */
    size_t operation_count;
    struct grt_nsys_range *ranges; /* by their starts, outer ones first */
    size_t range_count;
    struct grt_nsys_priority *priorities; /* of streams, where they are known */
    size_t priority_count;
    struct grt_nsys_gpu *gpus; /* of the machine; none where the profile does not say them */
    size_t gpu_count;
};

/* Whether gpurt-calib was built with SQLite: without, grt_nsys_read adds an error that says so. */
bool grt_nsys_is_there(void);

/* Reads a file. Which columns there are differs between versions of nsys: those that are needed have to be there, others may be missing. False after adding errors, and then *out is
 * empty. */
bool grt_nsys_read(const char *path, struct grt_nsys *out, struct grt_errors *errors);
void grt_nsys_free(struct grt_nsys *profile);

#endif
