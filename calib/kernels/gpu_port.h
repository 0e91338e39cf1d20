/* What a kernel needs that measures, in a language that nvcc, NVRTC, clang without a toolkit, and a C compiler for the host (tests) understand alike. A kernel of your own:
 *
 *     #include "gpu_port.h"
 *     GRT_KERNEL(my_kernel)(struct grt_control control, const float *in, float *out, unsigned long long amount) {
 *         GRT_BLOCKS(control, block) {
 *             ... as ever, with `block` in the place of blockIdx.x; GRT_THREAD, GRT_THREADS, GRT_BARRIER()
 *         }
 *     }
 *
 * All threads of a block have to come to the end of GRT_BLOCKS; no return, break or goto leaves it. */
#ifndef GRT_CALIB_KERNELS_GPU_PORT_H
#define GRT_CALIB_KERNELS_GPU_PORT_H

/* As struct grt_kernel_control and struct grt_block_record of kernels.h, in words that need no header. */
struct grt_control {
    unsigned long long records, counters;
    unsigned first_block, block_count, record_every, mode;
    unsigned sm_low, sm_high, buffer_log2;
};

struct grt_record {
    unsigned long long start_ns, end_ns;
    unsigned start_cycle, end_cycle;
    unsigned short sm, slot;
    unsigned order;
};

#if defined(__CUDACC_RTC__) || defined(__CUDACC__) || defined(__CUDA__)

#if defined(__clang__) && !defined(__CUDACC_RTC__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define GRT_THREAD ((unsigned)__nvvm_read_ptx_sreg_tid_x())
#define GRT_THREADS ((unsigned)__nvvm_read_ptx_sreg_ntid_x())
#define GRT_LAUNCHED_BLOCK ((unsigned)__nvvm_read_ptx_sreg_ctaid_x())
#define GRT_LAUNCHED_BLOCKS ((unsigned)__nvvm_read_ptx_sreg_nctaid_x())
#else
#pragma nv_diag_suppress 550 /* a kernel may have no use for its block's number */
#define GRT_THREAD (threadIdx.x)
#define GRT_THREADS (blockDim.x)
#define GRT_LAUNCHED_BLOCK (blockIdx.x)
#define GRT_LAUNCHED_BLOCKS (gridDim.x)
#endif

#define GRT_KERNEL(name) extern "C" __global__ void name
#define GRT_CODE __device__ static inline __attribute__((always_inline))
#define GRT_SHARED __shared__

/* All threads of the block come here before one goes on, and what they wrote before is seen behind it. Not __syncthreads: clang takes a shared variable whose address nobody
 * takes for one thread's own, and moves reads of it across that. */
#define GRT_BARRIER() asm volatile("bar.sync 0;" : : : "memory")

/* In ns; the same for all SMs. */
GRT_CODE unsigned long long grt_timer(void) {
    unsigned long long value;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value) : : "memory");
    return value;
}

/* The SM's cycles, their low half. */
GRT_CODE unsigned grt_cycles(void) {
    unsigned value;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(value) : : "memory");
    return value;
}

GRT_CODE unsigned grt_sm(void) {
    unsigned value;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
    return value;
}

GRT_CODE unsigned grt_warp_slot(void) {
    unsigned value;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(value));
    return value;
}

/* Adds atomically; returns what was there. */
GRT_CODE unsigned grt_add(unsigned *number, unsigned value) {
    unsigned before;
    asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(number), "r"(value) : "memory");
    return before;
}

/* What was written before is seen, by the host too, before what is written afterwards. */
GRT_CODE void grt_fence(void) {
    asm volatile("membar.sys;" : : : "memory");
}

GRT_CODE float grt_fma(float a, float b, float c) {
    float value;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(value) : "f"(a), "f"(b), "f"(c));
    return value;
}

/* Has the compiler believe that the value is needed. */
GRT_CODE void grt_keep(float value) {
    asm volatile("" : : "f"(value));
}

GRT_CODE unsigned grt_bits(float value) {
    unsigned bits;
    asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(value));
    return bits;
}

/* A texel of a texture over `memory`, or of that itself by the read-only path where there is no texture. */
GRT_CODE float grt_fetch(unsigned long long texture, const float *memory, unsigned index) {
    float value;
    if (texture)
        asm volatile("{\n\t.reg .f32 %%unused<3>;\n\t"
                     "tex.1d.v4.f32.s32 {%0, %%unused0, %%unused1, %%unused2}, [%1, {%2}];\n\t}"
                     : "=f"(value)
                     : "l"(texture), "r"(index));
    else
        asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(memory + index));
    return value;
}

#else /* the host: tests execute kernels there, thread by thread */

struct grt_host_thread {
    unsigned thread, threads, launched_block, launched_blocks, sm, slot;
};
extern struct grt_host_thread grt_host_thread; /* the one that goes on */
void grt_host_barrier(void);
unsigned long long grt_host_timer(void);

#define GRT_THREAD (grt_host_thread.thread)
#define GRT_THREADS (grt_host_thread.threads)
#define GRT_LAUNCHED_BLOCK (grt_host_thread.launched_block)
#define GRT_LAUNCHED_BLOCKS (grt_host_thread.launched_blocks)
#define GRT_KERNEL(name) static void name
#define GRT_CODE static inline
#define GRT_SHARED static /* blocks execute one after the other */
#define GRT_BARRIER() grt_host_barrier()

GRT_CODE unsigned long long grt_timer(void) {
    return grt_host_timer();
}

GRT_CODE unsigned grt_cycles(void) {
    return 2 * (unsigned)grt_host_timer();
}

GRT_CODE unsigned grt_sm(void) {
    return grt_host_thread.sm;
}

GRT_CODE unsigned grt_warp_slot(void) {
    return grt_host_thread.slot;
}

GRT_CODE unsigned grt_add(unsigned *number, unsigned value) {
    unsigned before = *number;
    *number += value;
    return before;
}

GRT_CODE void grt_fence(void) {
}

GRT_CODE float grt_fma(float a, float b, float c) {
    return a * b + c;
}

GRT_CODE void grt_keep(float value) {
    (void)value;
}

GRT_CODE unsigned grt_bits(float value) {
    union {
        float value;
        unsigned bits;
    } both = {value};
    return both.bits;
}

GRT_CODE float grt_fetch(unsigned long long texture, const float *memory, unsigned index) {
    return texture ? ((const float *)texture)[index] : memory[index];
}

#endif

/* --- Blocks and their records. */

enum { GRT_MODE_PLAIN, GRT_MODE_FILTER };
enum { GRT_BLOCKS_BEGUN, GRT_BLOCKS_TAKEN, GRT_BLOCKS_CAME, GRT_BLOCKS_WORK }; /* of the counters */

/* Where a launched block is: in which logical one. What has a start is known to thread 0 only. */
struct grt_walk {
    unsigned begun, block;
    unsigned order, start_cycle;
    unsigned long long start_ns;
};

GRT_CODE unsigned *grt_counter(const struct grt_control *control, unsigned which) {
    return (unsigned *)control->counters + which;
}

/* Cycles are read before the timer at the start and at the end, so that both spans are equally long. The counter's value is not needed before the block's end, so that waiting for it overlaps with the block. */
GRT_CODE void grt_stamp_start(const struct grt_control *control, struct grt_walk *walk) {
    if (GRT_THREAD != 0 || !control->records) {
        return;
    }
    walk->order = control->counters ? grt_add(grt_counter(control, GRT_BLOCKS_BEGUN), 1) : 0;
    walk->start_cycle = grt_cycles();
    walk->start_ns = grt_timer();
}

GRT_CODE void grt_stamp_end(const struct grt_control *control, const struct grt_walk *walk) {
    GRT_BARRIER();
    if (GRT_THREAD != 0 || !control->records) {
        return;
    }
    unsigned end_cycle = grt_cycles();
    unsigned long long end_ns = grt_timer();
    if (walk->block % control->record_every != 0) {
        return;
    }
    struct grt_record *record = (struct grt_record *)control->records + walk->block / control->record_every;
    record->start_ns = walk->start_ns;
    record->end_ns = end_ns;
    record->start_cycle = walk->start_cycle;
    record->end_cycle = end_cycle;
    record->sm = (unsigned short)grt_sm();
    record->slot = (unsigned short)grt_warp_slot();
    record->order = walk->order;
}

/* Whether a launched block that has just come works: if it is on the right SM; and the last one to come wherever it is, if nobody works, as it
 * happens where others keep the right SMs full. */
GRT_CODE int grt_may_work(const struct grt_control *control) {
    unsigned sm = grt_sm();
    int works = sm >= control->sm_low && sm < control->sm_high;
    if (works) {
        grt_add(grt_counter(control, GRT_BLOCKS_WORK), 1);
        grt_fence();
    }
    unsigned before = grt_add(grt_counter(control, GRT_BLOCKS_CAME), 1);
    return works || (before + 1 == GRT_LAUNCHED_BLOCKS && !grt_add(grt_counter(control, GRT_BLOCKS_WORK), 0));
}

/* Takes the next logical block for all threads; 0: there is none, or this one does not work. */
GRT_CODE int grt_take(const struct grt_control *control, struct grt_walk *walk) {
    GRT_SHARED unsigned taken;
    if (GRT_THREAD == 0) {
        taken =
            walk->begun || grt_may_work(control) ? grt_add(grt_counter(control, GRT_BLOCKS_TAKEN), 1) : ~0u;
    }
    GRT_BARRIER();
    unsigned number = taken;
    GRT_BARRIER();
    walk->block = control->first_block + number;
    return number < control->block_count;
}

GRT_CODE int grt_next(const struct grt_control *control, struct grt_walk *walk) {
    if (walk->begun) {
        grt_stamp_end(control, walk);
    }
    if (control->mode == GRT_MODE_PLAIN) {
        if (walk->begun) {
            return 0;
        }
        walk->block = control->first_block + GRT_LAUNCHED_BLOCK;
    } else if (!grt_take(control, walk)) {
        return 0;
    }
    walk->begun = 1;
    grt_stamp_start(control, walk);
    return 1;
}

/* For every logical block of this launched one: executes what follows, with its number in `block`. */
#define GRT_BLOCKS(control, block)                                                                           \
    for (struct grt_walk grt_walk = {0, 0, 0, 0, 0}; grt_next(&(control), &grt_walk);)                       \
        for (unsigned block = grt_walk.block, grt_once = 1; (void)(block), grt_once; grt_once = 0)

#endif
