/* Executes kernels of calib/kernels on the host: blocks one after the other, the threads of a block in turn, each until its next barrier. So a kernel's text is
 * tested without a device. A test that includes kernels.cu includes this, once. */
#ifndef GRT_TESTS_SUPPORT_HOST_GPU_H
#define GRT_TESTS_SUPPORT_HOST_GPU_H

#include <stdbool.h>
#include <stdlib.h>
#include <ucontext.h>

#include "calib/kernels/gpu_port.h"

enum { HOST_GPU_THREADS = 256, HOST_GPU_STACK = 65536 };

struct host_gpu_launch {
    void (*call)(void *arguments); /* one thread of the kernel */
    void *arguments;
    unsigned blocks, threads;
    const unsigned *sms;   /* of each launched block; NULL: all on SM 0 */
    const unsigned *order; /* in which launched blocks come; NULL: by their numbers */
};

struct host_gpu {
    struct host_gpu_launch launch;
    ucontext_t scheduler, threads[HOST_GPU_THREADS];
    bool done[HOST_GPU_THREADS];
    char *stacks;
    unsigned long long now;
    bool diverged; /* some threads of a block came to a barrier, and others to the end */
};

static struct host_gpu host_gpu;
struct grt_host_thread grt_host_thread;

void grt_host_barrier(void) {
    swapcontext(&host_gpu.threads[grt_host_thread.thread], &host_gpu.scheduler);
}

unsigned long long grt_host_timer(void) {
    return host_gpu.now += 10;
}

static void host_gpu_thread(void) {
    host_gpu.launch.call(host_gpu.launch.arguments);
    host_gpu.done[grt_host_thread.thread] = true;
}

static void host_gpu_start(unsigned thread) {
    ucontext_t *context = &host_gpu.threads[thread];
    getcontext(context);
    context->uc_stack.ss_sp = host_gpu.stacks + (size_t)thread * HOST_GPU_STACK;
    context->uc_stack.ss_size = HOST_GPU_STACK;
    context->uc_link = &host_gpu.scheduler;
    makecontext(context, host_gpu_thread, 0);
    host_gpu.done[thread] = false;
}

/* Lets each thread go on to its next barrier; how many came to their end. */
static unsigned host_gpu_round(unsigned threads) {
    unsigned ended = 0;
    for (unsigned i = 0; i < threads; i++) {
        grt_host_thread.thread = i;
        if (!host_gpu.done[i]) {
            swapcontext(&host_gpu.scheduler, &host_gpu.threads[i]);
        }
        ended += host_gpu.done[i];
    }
    host_gpu.diverged = host_gpu.diverged || (ended > 0 && ended < threads);
    return ended;
}

/* False where threads of a block did not come to the same barriers. */
static inline bool host_gpu_run(const struct host_gpu_launch *launch) {
    host_gpu.launch = *launch;
    host_gpu.diverged = false;
    host_gpu.stacks = malloc((size_t)launch->threads * HOST_GPU_STACK);
    for (unsigned i = 0; i < launch->blocks; i++) {
        unsigned block = launch->order ? launch->order[i] : i;
        grt_host_thread = (struct grt_host_thread){.threads = launch->threads,
                                                   .launched_block = block,
                                                   .launched_blocks = launch->blocks,
                                                   .sm = launch->sms ? launch->sms[block] : 0,
                                                   .slot = block % 4};
        for (unsigned thread = 0; thread < launch->threads; thread++) {
            host_gpu_start(thread);
        }
        unsigned ended = 0;
        while (ended < launch->threads) {
            ended = host_gpu_round(launch->threads);
        }
    }
    free(host_gpu.stacks);
    return !host_gpu.diverged;
}

#endif
