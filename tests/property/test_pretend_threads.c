/* labels: soak */
/* Random commands in random streams of a device of threads: all come to their end, every block runs once and where it may, SMs hold no more than fits, and nothing begins
 * before what it comes after, in its stream or by an event. */
#include <stdlib.h>

#include "sim/random.h"
#include "tests/support/suite.h"
#include "tests/support/thread_device.h"

enum { STREAMS = 6, EVENTS = 4, COMMANDS = 60, MOST_BLOCKS = 12 };

/* What a command has to come after, as numbers of kernels. */
struct launched {
    uint32_t stream, first, blocks;
    int before[2]; /* the kernel before it in its stream, and the latest that a wait is for; -1: none */
};

struct run {
    struct thread_device device;
    struct grt_random random;
    uint32_t streams[STREAMS], events[EVENTS];
    uint64_t sms[STREAMS];
    int last[STREAMS], recorded[EVENTS]; /* kernels; -1: none */
    int awaited[STREAMS];
    struct launched kernels[COMMANDS];
    int count;
    uint32_t used;
};

static uint32_t below(struct run *run, uint32_t bound) {
    return (uint32_t)grt_random_below(&run->random, bound);
}

static void start(struct run *run) {
    int64_t sms = 1 + below(run, 5);
    thread_device_describe(&run->device, sms, 1 + below(run, 4));
    run->device.spec.device.copy_engines = below(run, 3);
    run->device.spec.device.copy_latency = 10 * GRT_MICROSECOND;
    run->device.spec.kernels[GRT_KERNEL_SPIN_NS].noise =
        (struct grt_distribution){.kind = GRT_UNIFORM, .max = 50 * GRT_MICROSECOND};
    thread_device_open(&run->device);
    uint64_t all = (UINT64_C(1) << sms) - 1;
    for (uint32_t i = 0; i < STREAMS; i++) {
        uint64_t part = 1 + grt_random_below(&run->random, all);
        run->sms[i] = below(run, 2) == 0 ? all : part;
        run->streams[i] = thread_device_stream(&run->device, -(int)below(run, 3), &run->sms[i]);
        run->last[i] = run->awaited[i] = -1;
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        run->events[i] = thread_device_event(&run->device);
        run->recorded[i] = -1;
    }
}

static void launch(struct run *run, uint32_t stream) {
    struct launched *kernel = &run->kernels[run->count];
    *kernel = (struct launched){.stream = stream,
                                .first = run->used,
                                .blocks = 1 + below(run, MOST_BLOCKS),
                                .before = {run->last[stream], run->awaited[stream]}};
    thread_device_launch(&run->device, run->streams[stream], kernel->blocks, below(run, 300000),
                         kernel->first);
    run->used += kernel->blocks;
    run->last[stream] = run->count++;
}

static void copy(struct run *run, uint32_t stream) {
    static const enum grt_engine_copy kinds[] = {GRT_ENGINE_H2D, GRT_ENGINE_D2H, GRT_ENGINE_D2D,
                                                 GRT_ENGINE_MEMSET};
    static char from[4096], to[STREAMS][4096];
    struct grt_engine_transfer transfer = {
        .kind = kinds[below(run, 4)], .to = to[stream], .from = from, .bytes = 4 * below(run, 1024)};
    run->device.ops->transfer(run->device.engine, run->streams[stream], &transfer);
}

/* Of what a stream has done when its event is recorded the latest kernel counts, and what that stream itself waited for is before that or of no kernel. */
static void command(struct run *run) {
    uint32_t stream = below(run, STREAMS), event = below(run, EVENTS);
    switch (below(run, 6)) {
    case 0:
        copy(run, stream);
        break;
    case 1:
        run->device.ops->record(run->device.engine, run->streams[stream], run->events[event]);
        run->recorded[event] = run->last[stream];
        break;
    case 2:
        run->device.ops->wait(run->device.engine, run->streams[stream], run->events[event]);
        run->awaited[stream] = run->recorded[event];
        break;
    default:
        launch(run, stream);
        break;
    }
}

static void check_kernel(const struct run *run, const struct launched *kernel) {
    const struct grt_block_record *records = run->device.records + kernel->first;
    uint64_t begin = thread_device_first_start(records, kernel->blocks);
    for (uint32_t i = 0; i < kernel->blocks; i++) {
        CU_ASSERT_TRUE(records[i].end_ns > 0);
        CU_ASSERT_NOT_EQUAL(run->sms[kernel->stream] >> records[i].sm & 1, 0);
    }
    for (size_t i = 0; i < 2; i++) {
        if (kernel->before[i] >= 0) {
            const struct launched *other = &run->kernels[kernel->before[i]];
            CU_ASSERT_TRUE(begin >=
                           thread_device_last_end(run->device.records + other->first, other->blocks));
        }
    }
}

static void check(struct run *run) {
    const struct grt_device *device = &run->device.spec.device;
    CU_ASSERT_EQUAL(run->device.counters[0], run->used);
    for (int i = 0; i < run->count; i++) {
        check_kernel(run, &run->kernels[i]);
    }
    for (uint32_t sm = 0; sm < device->sm_count; sm++) {
        CU_ASSERT_TRUE(thread_device_most(run->device.records, run->used, sm) <=
                       device->max_threads_per_sm / 32);
    }
    for (uint32_t i = 0; i < EVENTS; i++) {
        CU_ASSERT_TRUE(run->device.ops->event_done(run->device.engine, run->events[i]));
    }
}

static void test_random(void) {
    int cases = grt_suite_cases(40, 2000);
    struct run *run = malloc(sizeof *run);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    for (int i = 0; i < cases; i++) {
        memset(run, 0, sizeof *run);
        run->random = grt_random_stream((uint64_t)i, "thread commands", 0, 0);
        start(run);
        for (int j = 0; j < COMMANDS; j++) {
            command(run);
        }
        bool cut = below(run, 4) == 0; /* sometimes the engine ends in the middle */
        if (!cut) {
            run->device.ops->wait_all(run->device.engine);
            check(run);
        }
        run->device.ops->destroy(run->device.engine);
    }
    free(run);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"random commands", test_random},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("property/pretend_threads", tests);
}
