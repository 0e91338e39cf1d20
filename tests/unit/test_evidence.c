/* Times of a task that declare a worst case without a model: which are told, once each. */
#include "models/task/evidence.h"

#include <string.h>

#include "tests/support/suite.h"

static struct grt_distribution time_by(enum grt_evidence evidence) {
    return (struct grt_distribution){
        .kind = GRT_EMPIRICAL, .min = 1, .max = 9, .declared = 9, .evidence = evidence};
}

static struct grt_command_spec kernel(const char *name, enum grt_evidence evidence) {
    return (struct grt_command_spec){
        .kind = GRT_COMMAND_KERNEL,
        .kernel = {.name = name, .blocks = 1, .needs.threads = 32, .block_time = time_by(evidence)}};
}

static void expect_told(const struct grt_unfounded *told, const char *name, enum grt_evidence evidence) {
    CU_ASSERT_EQUAL(told->evidence, evidence);
    if (name == NULL) {
        CU_ASSERT_PTR_NULL(told->name);
    } else {
        CU_ASSERT_STRING_EQUAL(told->name, name);
    }
}

/* Two kernels have one name; the blocks of another one launch one whose time rests on nothing. */
static void names_each_once(void) {
    char again[] = "detect"; /* the same name in another place of memory */
    struct grt_launch_spec child = {.kernel = kernel("child", GRT_EVIDENCE_REFUSED).kernel};
    struct grt_command_spec commands[] = {
        kernel("detect", GRT_EVIDENCE_NO_MODEL), kernel("founded", GRT_EVIDENCE_MODEL),
        kernel("parent", GRT_EVIDENCE_CONSTANT), kernel(again, GRT_EVIDENCE_NO_MODEL)};
    commands[2].kernel.launches = (struct grt_field_list){.items = &child, .count = 1};
    struct grt_segment segments[] = {
        {.kind = GRT_SEGMENT_CPU, .cpu_time = time_by(GRT_EVIDENCE_REFUSED)},
        {.kind = GRT_SEGMENT_GPU, .commands = commands, .command_count = 4},
        {.kind = GRT_SEGMENT_CPU, .cpu_time = time_by(GRT_EVIDENCE_NO_MODEL)}, /* the task's code again */
    };
    const struct grt_task task = {.segments = segments, .segment_count = 3};
    struct grt_unfounded told[8];
    CU_ASSERT_EQUAL_FATAL(grt_task_unfounded(&task, told, 8), 3);
    expect_told(&told[0], NULL, GRT_EVIDENCE_REFUSED);
    expect_told(&told[1], "detect", GRT_EVIDENCE_NO_MODEL);
    expect_told(&told[2], "child", GRT_EVIDENCE_REFUSED);
    CU_ASSERT_EQUAL(grt_task_unfounded(&task, told, 2), 2); /* no more than there is room for */
}

static void parts_of_the_host(void) {
    struct grt_command_spec callback = {.kind = GRT_COMMAND_CALLBACK,
                                        .callback_time = time_by(GRT_EVIDENCE_NO_MODEL)};
    struct grt_segment segment = {.kind = GRT_SEGMENT_GPU, .commands = &callback, .command_count = 1};
    const struct grt_task task = {.segments = &segment, .segment_count = 1};
    struct grt_unfounded told[2];
    CU_ASSERT_EQUAL_FATAL(grt_task_unfounded(&task, told, 2), 1);
    expect_told(&told[0], NULL, GRT_EVIDENCE_NO_MODEL);
    segment.host_part[GRT_HOST_AFTER] = time_by(GRT_EVIDENCE_REFUSED);
    CU_ASSERT_EQUAL_FATAL(grt_task_unfounded(&task, told, 2),
                          1); /* the task's code is told once: what comes first */
    expect_told(&told[0], NULL, GRT_EVIDENCE_REFUSED);
}

static void reasons(void) {
    CU_ASSERT_PTR_NOT_NULL(strstr(grt_unfounded_reason(GRT_EVIDENCE_REFUSED), "allow no extrapolation"));
    CU_ASSERT_PTR_NOT_NULL(strstr(grt_unfounded_reason(GRT_EVIDENCE_NO_MODEL), "did not agree"));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"names each once", names_each_once},
        {"parts of the host", parts_of_the_host},
        {"reasons", reasons},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("evidence", tests);
}
