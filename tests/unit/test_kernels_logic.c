/* The text of calib/kernels/kernels.cu, compiled for the host: results, records, splitting, and the filter of SMs. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "calib/kernels/kernels.h"
#include "sim/random.h"
#include "tests/support/host_gpu.h"
#include "tests/support/suite.h"

#pragma GCC diagnostic ignored "-Wconversion" /* as device compilers do */
#include "calib/kernels/kernels.cu"

_Static_assert(sizeof(struct grt_control) == sizeof(struct grt_kernel_control), "one layout");
_Static_assert(offsetof(struct grt_control, first_block) == offsetof(struct grt_kernel_control, first_block),
               "one layout");
_Static_assert(offsetof(struct grt_control, mode) == offsetof(struct grt_kernel_control, mode), "one layout");
_Static_assert(offsetof(struct grt_control, buffer_log2) == offsetof(struct grt_kernel_control, buffer_log2),
               "one layout");
_Static_assert(sizeof(struct grt_record) == sizeof(struct grt_block_record), "one layout");
_Static_assert(offsetof(struct grt_record, start_cycle) == offsetof(struct grt_block_record, start_cycle),
               "one layout");
_Static_assert(offsetof(struct grt_record, sm) == offsetof(struct grt_block_record, sm), "one layout");
_Static_assert(offsetof(struct grt_record, order) == offsetof(struct grt_block_record, order), "one layout");
_Static_assert((int)GRT_MODE_FILTER == (int)GRT_KERNEL_FILTER, "one enumeration");

enum { LOG2 = 12, FLOATS = 1 << LOG2, RECORDS = 512, SMS = 16 };

static struct grt_record records[RECORDS];
static unsigned counters[4], hits[RECORDS];
static struct grt_random generator;
static _Alignas(16) float first[FLOATS], second[FLOATS], out[FLOATS];

/* --- Calls of kernels, one thread each. */

struct arguments {
    struct grt_control control;
    unsigned long long amount;
    unsigned long long *long_out;
    const unsigned long long *table;
    unsigned *ready, *go;
    unsigned long long texture;
};

GRT_KERNEL(k_hit)(struct grt_control control, unsigned long long amount) {
    GRT_BLOCKS(control, block) {
        if (GRT_THREAD == 0) {
            hits[block] += (unsigned)amount;
        }
    }
}

#define CALL(kernel, ...)                                                                                    \
    static void call_##kernel(void *state) {                                                                 \
        const struct arguments *is = state;                                                                  \
        kernel(is->control, __VA_ARGS__);                                                                    \
    }

CALL(k_hit, is->amount)
CALL(k_spin_ns, is->amount)
CALL(k_spin_cycles, is->amount)
CALL(k_fma, is->amount)
CALL(k_vadd, first, second, out, is->amount)
CALL(k_triad, (struct four *)(void *)first, (struct four *)(void *)second, (struct four *)(void *)out,
     is->amount)
CALL(k_matmul, first, second, out, is->amount)
CALL(k_stencil, first, out, is->amount)
CALL(k_reduce, first, out, is->amount)
CALL(k_texture, is->texture, first, out, is->amount)
CALL(k_chase, first, out, is->amount)
CALL(k_latch, is->ready, is->go, is->amount)
CALL(k_tick, is->long_out, is->amount)
CALL(k_clocks, is->amount)
CALL(k_spin_table, is->table, is->amount)

static struct arguments arguments;

static void fill(float *values, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        values[i] = (float)grt_random_uniform(&generator);
    }
}

/* Everything as before any launch; records of `blocks` blocks. */
static void begin(unsigned blocks, unsigned long long amount) {
    generator = grt_random_stream(7, "kernels", 0, 0);
    fill(first, FLOATS);
    fill(second, FLOATS);
    for (unsigned i = 0; i < FLOATS; i++) {
        out[i] = NAN;
    }
    memset(records, 0, sizeof records);
    memset(counters, 0, sizeof counters);
    memset(hits, 0, sizeof hits);
    arguments = (struct arguments){.amount = amount,
                                   .control = {.records = (unsigned long long)(uintptr_t)records,
                                               .counters = (unsigned long long)(uintptr_t)counters,
                                               .block_count = blocks,
                                               .record_every = 1,
                                               .sm_high = SMS,
                                               .buffer_log2 = LOG2}};
}

static void run(void (*call)(void *), unsigned blocks, unsigned threads) {
    struct host_gpu_launch launch = {
        .call = call, .arguments = &arguments, .blocks = blocks, .threads = threads};
    CU_ASSERT_TRUE(host_gpu_run(&launch));
}

/* The same blocks in launches of a few each. */
static void run_in_parts(void (*call)(void *), unsigned blocks, unsigned threads) {
    for (unsigned from = 0, part = 1; from < blocks; from += part, part++) {
        unsigned count = part < blocks - from ? part : blocks - from;
        arguments.control.first_block = from;
        arguments.control.block_count = count;
        run(call, count, threads);
    }
}

static void run_either(bool parts, void (*call)(void *), unsigned blocks, unsigned threads) {
    if (parts) {
        run_in_parts(call, blocks, threads);
    } else {
        run(call, blocks, threads);
    }
    for (unsigned i = 0; i < blocks; i++)
        CU_ASSERT_TRUE(records[i].end_ns > records[i].start_ns && records[i].start_ns > 0);
    CU_ASSERT_EQUAL(records[blocks].end_ns, 0);
}

/* --- Results. */

static void test_vadd_and_triad(void) {
    for (int parts = 0; parts < 2; parts++) {
        begin(7, 500);
        run_either(parts, call_k_vadd, 7, 64);
        for (unsigned i = 0; i < FLOATS; i++)
            CU_ASSERT_TRUE(i < 3500 ? out[i] == first[i] + second[i] : isnan(out[i]));
        begin(7, 100);
        run_either(parts, call_k_triad, 7, 32);
        for (unsigned i = 0; i < FLOATS; i++)
            CU_ASSERT_TRUE(i < 2800 ? fabsf(out[i] - (first[i] + 3 * second[i])) < 1e-6f : isnan(out[i]));
    }
    begin(10, 1000); /* four parts fit: the fifth block begins anew */
    run(call_k_vadd, 10, 64);
    CU_ASSERT_TRUE(out[3999] == first[3999] + second[3999] && isnan(out[4000]));
}

static void test_matmul(void) {
    enum { N = 48, BLOCKS = N / TILE * (N / TILE) };
    for (int parts = 0; parts < 2; parts++) {
        unsigned blocks = parts ? BLOCKS : 2 * BLOCKS; /* which go over the product a second time */
        begin(blocks, N);
        run_either(parts, call_k_matmul, blocks, TILE * TILE);
        for (unsigned row = 0; row < N; row++) {
            for (unsigned column = 0; column < N; column++) {
                double sum = 0;
                for (unsigned k = 0; k < N; k++) {
                    sum += (double)first[row * N + k] * (double)second[k * N + column];
                }
                CU_ASSERT_DOUBLE_EQUAL((double)out[row * N + column], sum, 1e-4);
            }
        }
        CU_ASSERT_TRUE(isnan(out[N * N]));
    }
}

static float near(int row, int column, int width) {
    row = row < 0 ? 0 : row >= width ? width - 1 : row;
    column = column < 0 ? 0 : column >= width ? width - 1 : column;
    return first[row * width + column];
}

static void test_stencil(void) {
    enum { WIDTH = 48, BLOCKS = WIDTH / TILE * (WIDTH / TILE) };
    for (int parts = 0; parts < 2; parts++) {
        unsigned blocks = parts ? BLOCKS : 2 * BLOCKS;
        begin(blocks, WIDTH);
        run_either(parts, call_k_stencil, blocks, TILE * TILE);
        for (int y = 0; y < WIDTH; y++) {
            for (int x = 0; x < WIDTH; x++) {
                float around = near(y - 1, x, WIDTH) + near(y + 1, x, WIDTH) + near(y, x - 1, WIDTH) +
                               near(y, x + 1, WIDTH);
                float value = 0.5f * near(y, x, WIDTH) + 0.125f * around;
                CU_ASSERT_DOUBLE_EQUAL(out[y * WIDTH + x], value, 1e-6);
            }
        }
        CU_ASSERT_TRUE(isnan(out[WIDTH * WIDTH]));
    }
}

static void test_reduce(void) {
    for (int parts = 0; parts < 2; parts++) {
        begin(5, 777);
        run_either(parts, call_k_reduce, 5, REDUCE_THREADS);
        for (unsigned block = 0; block < 5; block++) {
            double sum = 0;
            for (unsigned i = 0; i < 777; i++) {
                sum += (double)first[block * 777 + i];
            }
            CU_ASSERT_DOUBLE_EQUAL((double)out[block], sum, 1e-2);
        }
        CU_ASSERT_TRUE(isnan(out[5]));
    }
}

static void test_texture_and_chase(void) {
    float texels[FLOATS];
    for (int with = 0; with < 2; with++) {
        begin(3, 20);
        fill(texels, FLOATS);
        arguments.texture = with ? (unsigned long long)(uintptr_t)texels : 0;
        run(call_k_texture, 3, 32);
        for (unsigned place = 0; place < 96; place++) {
            float sum = 0;
            for (unsigned i = 0; i < 20; i++) {
                sum += (with ? texels : first)[(place + i * 33) % FLOATS];
            }
            CU_ASSERT_DOUBLE_EQUAL((double)out[place], (double)sum, 1e-5);
        }
        CU_ASSERT_TRUE(isnan(out[96]));
    }
    float ends[2];
    for (unsigned hops = 0; hops < 2; hops++) { /* one hop more goes elsewhere */
        begin(40, 100 + hops);
        run(call_k_chase, 40, 32);
        ends[hops] = out[39];
        CU_ASSERT_FALSE(isnan(out[0]) || out[0] == out[39]);
    }
    CU_ASSERT_TRUE(ends[0] != ends[1]);
}

static void test_times(void) {
    begin(3, 500);
    run_either(false, call_k_spin_ns, 3, 32);
    for (unsigned i = 0; i < 3; i++)
        CU_ASSERT_TRUE(records[i].end_ns - records[i].start_ns >= 500 &&
                       records[i].end_ns - records[i].start_ns < 600);
    begin(3, 500);
    run_either(false, call_k_spin_cycles, 3, 32);
    for (unsigned i = 0; i < 3; i++)
        CU_ASSERT_TRUE(records[i].end_cycle - records[i].start_cycle >= 500 &&
                       records[i].end_cycle - records[i].start_cycle < 700);
    const unsigned long long table[] = {1, 1, 300, 100, 200};
    begin(3, 2);
    arguments.table = table;
    run_either(true, call_k_spin_table, 3, 32);
    for (unsigned i = 0; i < 3; i++)
        CU_ASSERT_TRUE(records[i].end_ns - records[i].start_ns >= table[2 + i] &&
                       records[i].end_ns - records[i].start_ns < table[2 + i] + 100);
    begin(4, 10);
    run_either(false, call_k_fma, 4, 32);
    begin(4, 0);
    run_either(false, call_k_clocks, 4, 32);
}

/* What is between two texts, the first of them behind `from`; NULL: one is not there. */
static const char *between(const char *from, const char *begin, const char *end, size_t *size) {
    const char *start = strstr(from, begin);
    const char *last = start != NULL ? strstr(start + strlen(begin), end) : NULL;
    *size = last != NULL ? (size_t)(last - start) : 0;
    return last != NULL ? start : NULL;
}

static unsigned count_of(const char *text, size_t size, const char *part) {
    unsigned count = 0;
    for (const char *at = strstr(text, part); at != NULL && at < text + size; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* A block reads its time once, and not in the loop that looks at the timer: the table is far away. */
static void test_table_is_read_once(void) {
    size_t size, loop_size;
    const char *kernel = between(grt_kernels_ptx(), ".entry k_spin_table(", "\n}", &size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
    CU_ASSERT_EQUAL(count_of(kernel, size, "ld.global.u64"), 1);
    const char *loop = between(strstr(kernel, "ld.global.u64"), "LBB", "bra", &loop_size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(loop);
    CU_ASSERT_EQUAL(count_of(loop, loop_size, "%globaltimer"), 1);
    CU_ASSERT_EQUAL(count_of(loop, loop_size, "ld."), 0);
}

static void test_latch_and_tick(void) {
    unsigned ready = 0, go = 1;
    begin(1, 1000000);
    arguments.ready = &ready;
    arguments.go = &go;
    run_either(false, call_k_latch, 1, 1);
    CU_ASSERT_TRUE(ready == 2 && records[0].end_ns - records[0].start_ns < 100);
    go = 0; /* nobody says go */
    begin(1, 5000);
    arguments.ready = &ready;
    arguments.go = &go;
    run_either(false, call_k_latch, 1, 1);
    CU_ASSERT_TRUE(ready == 2 && records[0].end_ns - records[0].start_ns >= 5000);
    unsigned long long values[20] = {0};
    begin(1, 20);
    arguments.long_out = values;
    run_either(false, call_k_tick, 1, 1);
    for (unsigned i = 1; i < 20; i++)
        CU_ASSERT_TRUE(values[i] > values[i - 1]);
}

/* --- Records. */

static void test_records(void) {
    unsigned sms[20], order[20];
    begin(20, 1);
    for (unsigned i = 0; i < 20; i++) {
        sms[i] = i * 7 % SMS;
        order[i] = (i * 3 + 5) % 20;
    }
    arguments.control.record_every = 3;
    struct host_gpu_launch launch = {
        .call = call_k_hit, .arguments = &arguments, .blocks = 20, .threads = 32, .sms = sms, .order = order};
    CU_ASSERT_TRUE(host_gpu_run(&launch));
    for (unsigned i = 0; i < 20; i++) {
        const struct grt_record *record = &records[order[i] / 3];
        CU_ASSERT_EQUAL(hits[i], 1);
        if (order[i] % 3 == 0)
            CU_ASSERT_TRUE(record->order == i && record->sm == sms[order[i]] && record->slot == order[i] % 4);
    }
    CU_ASSERT_EQUAL(records[7].end_ns, 0);
    CU_ASSERT_EQUAL(counters[GRT_BLOCKS_BEGUN], 20);
    begin(20, 1); /* without any */
    arguments.control.records = arguments.control.counters = 0;
    run(call_k_hit, 20, 32);
    CU_ASSERT_TRUE(hits[0] == 1 && hits[19] == 1 && records[0].end_ns == 0 && counters[0] == 0);
}

/* --- The filter. */

/* Every logical block is executed once, on SMs of the filter wherever a launched block came to one. */
static void run_filter(unsigned blocks, unsigned launched, unsigned low, unsigned high) {
    unsigned sms[RECORDS];
    bool inside = false;
    begin(blocks, 1);
    arguments.control.first_block = 5;
    arguments.control.mode = GRT_MODE_FILTER;
    arguments.control.sm_low = low;
    arguments.control.sm_high = high;
    generator = grt_random_stream(blocks * 31 + launched, "places", low, high);
    for (unsigned i = 0; i < launched; i++) {
        sms[i] = (unsigned)grt_random_below(&generator, SMS);
        inside = inside || (sms[i] >= low && sms[i] < high);
    }
    struct host_gpu_launch launch = {
        .call = call_k_hit, .arguments = &arguments, .blocks = launched, .threads = 8, .sms = sms};
    CU_ASSERT_TRUE(host_gpu_run(&launch));
    for (unsigned i = 0; i < RECORDS; i++) {
        bool executed = i >= 5 && i < blocks + 5;
        CU_ASSERT_EQUAL(hits[i], executed);
        CU_ASSERT_EQUAL(records[i].end_ns != 0, executed);
        if (executed && inside)
            CU_ASSERT_TRUE(records[i].sm >= low && records[i].sm < high);
    }
    CU_ASSERT_EQUAL(counters[GRT_BLOCKS_CAME], launched);
}

static void test_filter(void) {
    for (unsigned blocks = 1; blocks < 200; blocks += 33) {
        for (unsigned low = 0; low < SMS; low += 5) {
            run_filter(blocks, 40, low, low + 3 < SMS ? low + 3 : SMS);
            run_filter(blocks, 2, low, low + 1); /* hardly ever is one of two on that SM */
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"vadd and triad", test_vadd_and_triad},
        {"a table of times is read once", test_table_is_read_once},
        {"matmul", test_matmul},
        {"stencil", test_stencil},
        {"reduce", test_reduce},
        {"texture and chase", test_texture_and_chase},
        {"times", test_times},
        {"latch and tick", test_latch_and_tick},
        {"records", test_records},
        {"filter", test_filter},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernels", tests);
}
