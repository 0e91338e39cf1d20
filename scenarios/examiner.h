/* Result files of cuda_scheduling_examiner (N. Otterness, M. Yang and others, University of North Carolina; its
 * README's "Output File Format" and task_host.c): what was measured on a real GPU, one file for each benchmark of an
 * experiment, with the CPU times of every iteration and for each of its kernels the start, end and SM of every block.
 * Read here into plain structs and written as a trace. It lives beside the scenarios because the strict reader of JSON
 * does, and needs of gpurt no more than that and sim/. docs/gpurt.md says what becomes what. */
#ifndef GRT_SCENARIOS_EXAMINER_H
#define GRT_SCENARIOS_EXAMINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"
#include "sim/memory.h"
#include "sim/trace.h"

/* The files give seconds with nine decimals; read as doubles, every nanosecond up to this many seconds is exact. */
enum { GRT_EXAMINER_SECONDS = 1000000 };

enum {
    GRT_EXAMINER_SMS = 4096,       /* more are refused, and the numbers of SMs from here on */
    GRT_EXAMINER_BLOCKS = 1 << 22, /* of one kernel */
    GRT_EXAMINER_FILES = 10000,    /* of one experiment */
    GRT_EXAMINER_GRIDS = 1024,     /* kernels of one iteration that may overlap */
    GRT_EXAMINER_PLACES = 65536,   /* kinds of kernels in one file: what a trace can name */
};

/* From when to when, ns since the examiner's start; start GRT_TIME_NEVER: not in the file. */
struct grt_examiner_span {
    grt_time start, end;
};

/* One launch of a kernel. */
struct grt_examiner_kernel {
    const char *name;
    uint32_t threads; /* of a block */
    uint32_t block_count;
    int32_t core; /* -1: not known */
    struct grt_examiner_span launch;
    grt_time synchronized; /* GRT_TIME_NEVER: the file does not say */
    struct grt_examiner_span *blocks;
    uint32_t *sms; /* of the blocks */
};

/* One iteration. */
struct grt_examiner_job {
    struct grt_examiner_span cpu, copy_in, execute, copy_out;
    struct grt_examiner_kernel *kernels;
    size_t kernel_count;
};

/* One file: a benchmark, which is a thread or process of the host with a stream. */
struct grt_examiner_file {
    const char *path;
    const char *scenario, *benchmark, *label; /* label NULL: none */
    int64_t resident_threads;                 /* that the GPU holds */
    grt_time release_time;                    /* how long the benchmark slept before its first iteration */
    int64_t process;                          /* its PID */
    struct grt_examiner_job *jobs;
    size_t job_count;
};

/* Reads a text into *out, which the arena owns; false after adding errors for all that is wrong. `path` is kept. */
bool grt_examiner_parse(const char *path, const char *text, size_t size, struct grt_arena *arena,
                        struct grt_examiner_file *out, struct grt_errors *errors);

/* The same for the file `path` ("-": standard input). The errors do not name the file. */
bool grt_examiner_read(const char *path, struct grt_arena *arena, struct grt_examiner_file *out,
                       struct grt_errors *errors);

/* What the instant 0 of the trace is. */
enum grt_examiner_zero {
    GRT_EXAMINER_ZERO_RELEASE, /* the benchmarks' common start, as far as the files tell */
    GRT_EXAMINER_ZERO_FILE,    /* as in the files: the start of the examiner */
};

struct grt_examiner_options {
    enum grt_examiner_zero zero;
    int64_t sm_threads; /* that one SM holds; 0: found by grt_examiner_sms */
};

/* The GPU's SMs, and the threads that each holds. */
struct grt_examiner_sms {
    uint32_t count;
    uint32_t threads;
};

/* The files say how many threads the GPU holds, not how many SMs it has. Where options do not say, it is the first of 2048,
 * 1536 and 1024 threads an SM that divides them so that every SM that is named exists; else 2048. */
struct grt_examiner_sms grt_examiner_sms(const struct grt_examiner_file *files, size_t count,
                                         const struct grt_examiner_options *options);

/* Checks that the files are of one experiment on one GPU, and that a trace can hold them. */
bool grt_examiner_check(const struct grt_examiner_file *files, size_t count,
                        const struct grt_examiner_options *options, struct grt_errors *errors);

/* Writes names and records of files that were checked into a new trace that has its sinks; the caller finishes it. The
 * task of file i has number i. Returns which instant of the files is the 0 of the trace. */
grt_time grt_examiner_write(const struct grt_examiner_file *files, size_t count,
                            const struct grt_examiner_options *options, struct grt_trace *trace);

#endif
