/* Events and dependency checks in the queues of the oldest devices (queue model single), by the numbers of the rules
 * (docs/gpu-model.md), with times computed by hand. Two SMs that hold two blocks of 1024 threads each; a copy of n bytes takes
 * n ns; calls are made by task, all at 0. */
#include "tests/support/suite.h"
#include "tests/support/world_builder.h"

static struct grt_builder *start(int64_t model, bool dependency_check) {
    struct grt_builder *builder = grt_builder_create(1000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_tx2());
    device->queue_model = model;
    device->hardware_queues = model == GRT_QUEUE_MODEL_SINGLE ? 1 : 0;
    device->dependency_check = dependency_check;
    return builder;
}

static struct grt_task *add(struct grt_builder *builder, const char *stream) {
    struct grt_task *task = grt_builder_task(builder, stream);
    grt_builder_at(builder, task, 0);
    task->stream = stream;
    return task;
}

/* Each is one call: a kernel of so many blocks that fill half an SM, one of a small block, a copy, an event. */
static void large(struct grt_builder *builder, const char *stream, int64_t blocks, grt_time time) {
    grt_builder_kernel(builder, add(builder, stream), blocks, 1024, time);
}

static void small(struct grt_builder *builder, const char *stream, grt_time time) {
    grt_builder_kernel(builder, add(builder, stream), 1, 32, time);
}

static void copy(struct grt_builder *builder, const char *stream, int64_t bytes) {
    grt_builder_copy(builder, add(builder, stream), GRT_COMMAND_D2H, bytes);
}

static void event(struct grt_builder *builder, const char *stream, enum grt_command_kind kind,
                  const char *name) {
    grt_builder_call(builder, add(builder, stream), kind, name);
}

/* ---- Q1c: three observations ---- */

/* K1 runs from 0 to 20, K2 from 20 to 40 in two waves. The record behind both is reached when K2's last wave begins, at 30:
 * the copy that K1's end would allow at 20 comes 10 later. Not so without the one queue. */
static void q1c_delayed_signal_of_large_kernels(void) {
    for (int single = 0; single < 2; single++) {
        struct grt_builder *builder = start(single ? GRT_QUEUE_MODEL_SINGLE : GRT_QUEUE_MODEL_DYNAMIC, false);
        struct grt_built_run run;
        large(builder, "1", 8, 10);
        large(builder, "2", 8, 10);
        event(builder, "1", GRT_COMMAND_RECORD, "e1");
        event(builder, "2", GRT_COMMAND_RECORD, "e2");
        copy(builder, "1", 5);
        copy(builder, "2", 5);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, 0, 0, 0, 20));
        CU_ASSERT(grt_built_kernel_ran(&run, 1, 0, 20, 40));
        CU_ASSERT(grt_built_call_ran(&run, 2, 0, 20, single ? 30 : 20));
        CU_ASSERT(grt_built_copy_ran(&run, 5, 0, 40, 45)); /* the job of e2's record ends at 41 */
        CU_ASSERT(grt_built_copy_ran(&run, 4, 0, single ? 30 : 20, single ? 35 : 25));
        grt_built_run_end(&run, builder);
    }
}

/* Small kernels run beside each other: all blocks of both have begun at 0, and the signal comes with K1's end. */
static void q1c_no_delay_of_small_kernels(void) {
    struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, false);
    struct grt_built_run run;
    small(builder, "1", 10);
    small(builder, "2", 15);
    event(builder, "1", GRT_COMMAND_RECORD, "e1");
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, 2, 0, 10, 10));
    grt_built_run_end(&run, builder);
}

/* K2 ends at 10, but its record stands behind that of K1, which ends at 30. */
static void q1c_a_record_behind_a_longer_kernels(void) {
    for (int single = 0; single < 2; single++) {
        struct grt_builder *builder = start(single ? GRT_QUEUE_MODEL_SINGLE : GRT_QUEUE_MODEL_DYNAMIC, false);
        struct grt_built_run run;
        small(builder, "1", 30);
        small(builder, "2", 10);
        event(builder, "1", GRT_COMMAND_RECORD, "e1");
        event(builder, "2", GRT_COMMAND_RECORD, "e2");
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_call_ran(&run, 2, 0, 30, 30));
        CU_ASSERT(grt_built_call_ran(&run, 3, 0, 10, single ? 30 : 10));
        grt_built_run_end(&run, builder);
    }
}

/* ---- Q1: where events stand ---- */

/* The wait stands in the queue of the command before it: behind a copy it holds back copies and no kernel, else kernels.
 * The record comes at 50; the wait's stream has ended its first command at 2. */
static void q1_a_wait_holds_back_its_queue(void) {
    for (int behind_kernel = 0; behind_kernel < 2; behind_kernel++) {
        struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, false);
        struct grt_built_run run;
        builder->gpus[0].copy_engines = 2;
        grt_builder_copy(builder, add(builder, "1"), GRT_COMMAND_H2D, 50);
        event(builder, "1", GRT_COMMAND_RECORD, "e");
        if (behind_kernel) {
            small(builder, "2", 2);
        } else {
            copy(builder, "2", 2);
        }
        event(builder, "2", GRT_COMMAND_WAIT, "e");
        small(builder, "3", 5);
        copy(builder, "4", 5);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_call_ran(&run, 3, 0, 2, 50));
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, 4, 0, 0)->other, behind_kernel ? 50 : 0);
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_COPY, 5, 0, 0)->other, behind_kernel ? 0 : 50);
        grt_built_run_end(&run, builder);
    }
}

/* A record behind a copy is reached when the copies called before it have begun: stream 2's, of 20, at 10. */
static void q1_a_record_behind_a_copy(void) {
    struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, false);
    struct grt_built_run run;
    copy(builder, "1", 10);
    copy(builder, "2", 20);
    copy(builder, "3", 20);
    event(builder, "1", GRT_COMMAND_RECORD, "e");
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, 3, 0, 10, 30));
    grt_built_run_end(&run, builder);
}

/* The only command before the record is aborted in the engine's queue: nothing is left to wait for. */
static void q1_aborts_let_records_pass(void) {
    struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, false);
    struct grt_built_run run;
    large(builder, "1", 4, 100);
    large(builder, "2", 4, 10);
    small(builder, "3", 10);
    event(builder, "4", GRT_COMMAND_RECORD, "e");
    for (int i = 1; i <= 2; i++) {
        builder->tasks[i].deadline = 10 * i;
        builder->tasks[i].on_miss = GRT_MISS_ABORT;
    }
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_call_ran(&run, 3, 0, 0, 20));
    grt_built_run_end(&run, builder);
}

/* ---- Q1b ---- */

/* The copy behind K1 asks for its end, and so holds back K2, called later, until 10. */
static void q1b_a_check_blocks_later_kernels(void) {
    for (int check = 0; check < 2; check++) {
        struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, check);
        struct grt_built_run run;
        small(builder, "1", 10);
        copy(builder, "1", 5);
        small(builder, "2", 10);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_copy_ran(&run, 1, 0, 10, 15));
        CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, check ? 10 : 0, check ? 20 : 10));
        grt_built_run_end(&run, builder);
    }
}

/* K1 ends at 20; the copy behind it, called after K2, begins when all blocks of K2 have begun, at 30. */
static void q1b_a_check_waits_for_all_earlier_kernels_to_begin(void) {
    for (int check = 0; check < 2; check++) {
        struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, check);
        struct grt_built_run run;
        large(builder, "1", 8, 10);
        large(builder, "2", 8, 10);
        copy(builder, "1", 5);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_copy_ran(&run, 2, 0, check ? 30 : 20, check ? 35 : 25));
        grt_built_run_end(&run, builder);
    }
}

/* Whatever follows a kernel in another queue asks for its end, once: the second copy does not hold back K3. */
static void q1b_one_check_is_enough(void) {
    struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, true);
    struct grt_built_run run;
    small(builder, "1", 10);
    copy(builder, "1", 50);
    small(builder, "2", 10);
    copy(builder, "1", 5);
    small(builder, "3", 10);
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, 10, 20));
    CU_ASSERT(grt_built_kernel_ran(&run, 4, 0, 10, 20));
    grt_built_run_end(&run, builder);
}

/* A host function, synchronisation and memset ask as copies do; allocations that do not synchronise do not, nor does a copy
 * in a stream without a kernel. */
static void q1b_who_asks(void) {
    static const struct {
        enum grt_command_kind kind;
        bool asks;
    } cases[] = {
        {GRT_COMMAND_CALLBACK, true}, {GRT_COMMAND_SYNCHRONIZE, true}, {GRT_COMMAND_MEMSET, true},
        {GRT_COMMAND_RECORD, true},   {GRT_COMMAND_MALLOC, false},     {GRT_COMMAND_FREE, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, true);
        struct grt_built_run run;
        copy(builder, "3", 100);
        copy(builder, "3", 100);
        small(builder, "1", 10);
        grt_builder_call(builder, add(builder, "1"), cases[i].kind,
                         cases[i].kind == GRT_COMMAND_RECORD ? "e" : NULL)
            ->callback_time.max = 1;
        small(builder, "2", 10);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT_EQUAL(grt_built_run_find(&run, GRT_TRACE_KERNEL, 4, 0, 0)->other, cases[i].asks ? 10 : 0);
        grt_built_run_end(&run, builder);
    }
}

/* The query blocks kernels called after it until the event has completed, at 30; without the check it does nothing. */
static void q1b_a_query_blocks_later_kernels(void) {
    for (int check = 0; check < 2; check++) {
        struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, check);
        struct grt_built_run run;
        copy(builder, "1", 30);
        event(builder, "1", GRT_COMMAND_RECORD, "e");
        small(builder, "2", 5);
        event(builder, "3", GRT_COMMAND_QUERY, "e");
        small(builder, "4", 5);
        grt_built_run_under(&run, builder, "hardware");
        CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, 0, 5));
        CU_ASSERT(grt_built_kernel_ran(&run, 4, 0, check ? 30 : 0, check ? 35 : 5));
        grt_built_run_end(&run, builder);
    }
}

/* The copy that asks is aborted at 5, its question with it: K2 begins then. */
static void q1b_aborts_take_the_check_along(void) {
    struct grt_builder *builder = start(GRT_QUEUE_MODEL_SINGLE, true);
    struct grt_built_run run;
    small(builder, "1", 30);
    copy(builder, "1", 5);
    small(builder, "2", 10);
    builder->tasks[1].deadline = 5;
    builder->tasks[1].on_miss = GRT_MISS_ABORT;
    grt_built_run_under(&run, builder, "hardware");
    CU_ASSERT(grt_built_kernel_ran(&run, 2, 0, 5, 15));
    grt_built_run_end(&run, builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"Q1: a wait holds back its queue", q1_a_wait_holds_back_its_queue},
        {"Q1: a record behind a copy", q1_a_record_behind_a_copy},
        {"Q1: aborts let records pass", q1_aborts_let_records_pass},
        {"Q1b: a check blocks later kernels", q1b_a_check_blocks_later_kernels},
        {"Q1b: a check waits for all earlier kernels to begin",
         q1b_a_check_waits_for_all_earlier_kernels_to_begin},
        {"Q1b: one check is enough", q1b_one_check_is_enough},
        {"Q1b: who asks", q1b_who_asks},
        {"Q1b: a query blocks later kernels", q1b_a_query_blocks_later_kernels},
        {"Q1b: aborts take the check along", q1b_aborts_take_the_check_along},
        {"Q1c: delayed signal of large kernels", q1c_delayed_signal_of_large_kernels},
        {"Q1c: no delay of small kernels", q1c_no_delay_of_small_kernels},
        {"Q1c: a record behind a longer kernel's", q1c_a_record_behind_a_longer_kernels},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("calls in the queues of old devices", tests);
}
