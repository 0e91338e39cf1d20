/* Hardware queues, by the numbers of the rules (docs/gpu-model.md), one small case each, with times computed by hand. Two
 * SMs that hold two blocks of 1024 threads each; a copy of n bytes takes n ns; every task has a stream of its own. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

enum { A, B, C };

static struct grt_builder *with_queues(int64_t model, int64_t count) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->queue_model = model;
    device->hardware_queues = count;
    return builder;
}

static struct grt_task *add(struct grt_builder *builder) {
    struct grt_task *task = grt_builder_task(builder, "t");
    grt_builder_at(builder, task, 0);
    return task;
}

/* A task with kernels of one small block, one after the other, of 10 each. */
static struct grt_task *add_kernels(struct grt_builder *builder, int count) {
    struct grt_task *task = add(builder);
    for (int i = 0; i < count; i++) {
        grt_builder_kernel(builder, task, 1, 32, 10);
    }
    return task;
}

/* ---- dynamic ---- */

/* Nine streams of two kernels and eight queues: the ninth begins when the first eight have dispatched their last kernels,
 * though there is room from the beginning. With nine queues, or without a limit, it begins at once. */
static void q4_nine_streams_on_eight_queues(void) {
    static const int64_t counts[] = {8, 9, 0};
    for (int i = 0; i < 3; i++) {
        struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, counts[i]);
        struct grt_built_run run;
        for (int stream = 0; stream < 9; stream++) {
            add_kernels(builder, 2);
        }
        grt_built_run_under(&run, builder, "hardware");
        for (uint32_t stream = 0; stream < 8; stream++) {
            CU_ASSERT(grt_built_kernel_ran(&run, stream, 0, 0, 10));
        }
        CU_ASSERT(grt_built_kernel_ran(&run, 8, 0, counts[i] == 8 ? 10 : 0, counts[i] == 8 ? 20 : 10));
        grt_built_run_end(&run, builder);
    }
}

/* One queue. A's last kernel, three waves from 10 to 40, is fully dispatched at 30: then B has the queue, not at 40. */
static void q5_dispatched_kernels_free_the_queue(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
    struct grt_built_run run;
    struct grt_task *task = add_kernels(builder, 1);
    grt_builder_kernel(builder, task, 10, 1024, 10);
    add_kernels(builder, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 30, 40));
    grt_built_run_end(&run, builder);
}

/* Kernels that fill the device, one queue: who comes after A is the order's business. */
static void q6_orders_of_the_waiting(void) {
    for (int order = GRT_QUEUE_ORDER_LIFO; order <= GRT_QUEUE_ORDER_FIFO; order++) {
        struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
        struct grt_built_run run;
        builder->gpus[0].queue_order = order;
        for (int i = 0; i < 3; i++) {
            struct grt_task *task = add(builder);
            grt_builder_kernel(builder, task, 4, 1024, 10);
            grt_builder_kernel(builder, task, 4, 1024, 10);
        }
        grt_built_run_under(&run, builder, "hardware");
        uint32_t second = order == GRT_QUEUE_ORDER_LIFO ? C : B,
                 third = order == GRT_QUEUE_ORDER_LIFO ? B : C;
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
        CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 20));
        CU_ASSERT(grt_built_kernel_ran(&run, second, 0, 20, 30));
        CU_ASSERT(grt_built_kernel_ran(&run, second, 1, 30, 40));
        CU_ASSERT(grt_built_kernel_ran(&run, third, 0, 40, 50));
        grt_built_run_end(&run, builder);
    }
}

/* By chance, each of two waiting streams is the next in some runs, and a seed always gives the same. */
static void q6_any_of_the_waiting(void) {
    int b_first = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        grt_time begins[2];
        for (int i = 0; i < 2; i++) {
            struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
            struct grt_built_run run;
            builder->gpus[0].queue_order = GRT_QUEUE_ORDER_RANDOM;
            builder->scenario.seed = seed;
            for (int task = 0; task < 3; task++) {
                grt_builder_kernel(builder, add(builder), 4, 1024, 10);
            }
            grt_built_run_under(&run, builder, "hardware");
            begins[i] = grt_built_run_find(&run, GRT_TRACE_KERNEL, B, 0, 0)->other;
            grt_built_run_end(&run, builder);
        }
        CU_ASSERT_EQUAL(begins[0], begins[1]);
        CU_ASSERT(begins[0] == 10 || begins[0] == 20);
        b_first += begins[0] == 10;
    }
    CU_ASSERT(b_first > 10 && b_first < 50);
}

/* Copies need a queue, too, until their engine takes them: B's kernel waits for A's second copy to begin at 10. */
static void copies_need_a_queue(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
    struct grt_built_run run;
    struct grt_task *task = add(builder);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 10);
    grt_builder_copy(builder, task, GRT_COMMAND_H2D, 30);
    add_kernels(builder, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 1, 10, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* A, aborted at 5, keeps its queue no longer: its running kernel is dispatched, its other one is gone. C gives up waiting
 * for a queue at 3. */
static void aborts_free_the_queue(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
    struct grt_built_run run;
    for (int i = 0; i < 3; i++) {
        struct grt_task *task = add_kernels(builder, 2);
        task->deadline = i == A ? 5 : i == B ? 100 : 3;
        task->on_miss = GRT_MISS_ABORT;
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 5, 15));
    CU_ASSERT_PTR_NULL(grt_built_run_find(&run, GRT_TRACE_KERNEL, C, 0, 0));
    grt_built_run_end(&run, builder);
}

/* C stands behind A in the stream that has the only queue, and waits for the NULL stream's B, which was launched before it:
 * were B to need a queue, both would wait for ever. */
static void the_null_stream_needs_no_queue(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
    struct grt_built_run run;
    for (int i = 0; i < 3; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_at(builder, task, i == 0 ? 0 : 4 + i);
        grt_builder_kernel(builder, task, i == 0 ? 8 : 1, 1024, 10);
        task->stream = i == B ? "null" : "s";
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 30, 40));
    grt_built_run_end(&run, builder);
}

/* One queue. A's stream has it at 20, when its second kernel, D's, must wait for the NULL stream (N2), which waits for B
 * (N1), which needs a queue: it gives it back. */
static void streams_behind_the_null_stream_free_the_queue(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_DYNAMIC, 1);
    struct grt_built_run run;
    struct grt_task *first = add(builder);
    grt_builder_kernel(builder, first, 8, 1024, 10);
    add_kernels(builder, 1);
    add_kernels(builder, 1)->stream = "null";
    first->stream = add_kernels(builder, 1)->stream = "shared";
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 20, 30));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 30, 40));
    CU_ASSERT(grt_built_kernel_ran(&run, C + 1, 0, 40, 50));
    grt_built_run_end(&run, builder);
}

/* ---- static ---- */

/* A and C are bound to the first of two queues: C's kernel waits behind A's second, which waits for A's first. B has the
 * other one. */
static void q7_streams_share_queues(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_STATIC, 2);
    struct grt_built_run run;
    add_kernels(builder, 2);
    add_kernels(builder, 1);
    add_kernels(builder, 1);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 0, 10));
    CU_ASSERT(grt_built_kernel_ran(&run, C, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* Streams of one kernel each do not feel it. */
static void q7_matters_behind_a_second_kernel_only(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_STATIC, 1);
    struct grt_built_run run;
    for (int i = 0; i < 3; i++) {
        add_kernels(builder, 1);
    }
    grt_built_run_under(&run, builder, "hardware");
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT(grt_built_kernel_ran(&run, i, 0, 0, 10));
    }
    grt_built_run_end(&run, builder);
}

/* What waited in front is gone at 5: C goes at once. */
static void aborts_leave_the_queue(void) {
    for (int model = GRT_QUEUE_MODEL_STATIC; model <= GRT_QUEUE_MODEL_SINGLE; model++) {
        struct grt_builder *builder = with_queues(model, 1);
        struct grt_built_run run;
        struct grt_task *task = add_kernels(builder, 3);
        task->deadline = 5;
        task->on_miss = GRT_MISS_ABORT;
        add_kernels(builder, 1);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 0, 10));
        CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 5, 15));
        grt_built_run_end(&run, builder);
    }
}

/* ---- single ---- */

/* One queue for kernels: B's waits behind A's second. The copies of both have another queue. */
static void q1_kernels_in_the_order_of_the_calls(void) {
    struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_SINGLE, 1);
    struct grt_built_run run;
    struct grt_task *first = add(builder), *second = add(builder);
    grt_builder_copy(builder, first, GRT_COMMAND_H2D, 4);
    grt_builder_kernel(builder, first, 1, 32, 10);
    grt_builder_kernel(builder, first, 1, 32, 10);
    grt_builder_copy(builder, second, GRT_COMMAND_H2D, 4);
    grt_builder_kernel(builder, second, 1, 32, 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_copy_ran(&run, A, 0, 0, 4));
    CU_ASSERT(grt_built_copy_ran(&run, B, 0, 4, 8));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 0, 4, 14));
    CU_ASSERT(grt_built_kernel_ran(&run, A, 1, 14, 24));
    CU_ASSERT(grt_built_kernel_ran(&run, B, 0, 14, 24)); /* behind it in the queue, beside it on the SMs */
    grt_built_run_end(&run, builder);
}

/* With one copy engine B's copy to the device waits behind A's copy back, and so for A's kernel: a false dependency. Two
 * copy engines have a queue each. */
static void q1_copies_in_the_order_of_the_calls(void) {
    for (int engines = 1; engines <= 2; engines++) {
        struct grt_builder *builder = with_queues(GRT_QUEUE_MODEL_SINGLE, 1);
        struct grt_built_run run;
        builder->gpus[0].copy_engines = engines;
        struct grt_task *first = add(builder), *second = add(builder);
        grt_builder_kernel(builder, first, 1, 32, 10);
        grt_builder_copy(builder, first, GRT_COMMAND_D2H, 4);
        grt_builder_copy(builder, second, GRT_COMMAND_H2D, 4);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_copy_ran(&run, A, 0, 10, 14));
        CU_ASSERT(grt_built_copy_ran(&run, B, 0, engines == 1 ? 14 : 0, engines == 1 ? 18 : 4));
        grt_built_run_end(&run, builder);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"Q4, nine streams on eight queues", q4_nine_streams_on_eight_queues},
        {"Q5, dispatched kernels free the queue", q5_dispatched_kernels_free_the_queue},
        {"Q6, orders of the waiting", q6_orders_of_the_waiting},
        {"Q6, any of the waiting", q6_any_of_the_waiting},
        {"copies need a queue", copies_need_a_queue},
        {"aborts free the queue", aborts_free_the_queue},
        {"the NULL stream needs no queue", the_null_stream_needs_no_queue},
        {"streams behind the NULL stream free the queue", streams_behind_the_null_stream_free_the_queue},
        {"Q7, streams share queues", q7_streams_share_queues},
        {"Q7, matters behind a second kernel only", q7_matters_behind_a_second_kernel_only},
        {"aborts leave the queue", aborts_leave_the_queue},
        {"Q1, kernels in the order of the calls", q1_kernels_in_the_order_of_the_calls},
        {"Q1, copies in the order of the calls", q1_copies_in_the_order_of_the_calls},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("hardware queues", tests);
}
