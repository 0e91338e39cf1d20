/* The walk over kernels: its order, levels and places, and what is counted with it. */
#include "models/task/kernel_walk.h"

#include <string.h>

#include "tests/support/suite.h"

/* Host's kernels "a", whose blocks launch "b", whose blocks launch "c", and "d"; and "e", the only one that is random. */
static struct grt_launch_spec third[] = {{.kernel = {.name = "c"}}};
static struct grt_launch_spec second[] = {{.kernel = {.name = "b", .launches = {third, 1}}},
                                          {.kernel = {.name = "d"}}};
static const struct grt_command_spec commands[] = {
    {.kind = GRT_COMMAND_H2D, .bytes = 1},
    {.kind = GRT_COMMAND_KERNEL, .kernel = {.name = "a", .launches = {second, 2}}},
    {.kind = GRT_COMMAND_KERNEL,
     .kernel = {.name = "e", .block_time = {.kind = GRT_UNIFORM, .min = 1, .max = 2}}},
};
static const struct grt_segment segments[] = {
    {.kind = GRT_SEGMENT_CPU}, {.kind = GRT_SEGMENT_GPU, .commands = commands, .command_count = 3}};

static void note(void *text, const struct grt_kernel *kernel, size_t level, const struct grt_path *path) {
    char place[128];
    size_t used = strlen(text);
    snprintf((char *)text + used, 1024 - used, "%s %zu %s\n", kernel->name, level,
             grt_path_text(path, place, sizeof place));
}

static void order_levels_and_places(void) {
    static const struct grt_path root = {0};
    const struct grt_path task_path = {&root, "task", 0};
    const struct grt_task task = {.segments = segments, .segment_count = 2};
    char text[1024] = "";
    grt_task_walk_kernels(&task, &task_path, note, text);
    CU_ASSERT_STRING_EQUAL(text, "a 0 task.segments[1].gpu[1]\n"
                                 "b 1 task.segments[1].gpu[1].launches[0]\n"
                                 "c 2 task.segments[1].gpu[1].launches[0].launches[0]\n"
                                 "d 1 task.segments[1].gpu[1].launches[1]\n"
                                 "e 0 task.segments[1].gpu[2]\n");
}

static void counts(void) {
    CU_ASSERT_EQUAL(grt_launches_count(&commands[1].kernel), 3);
    CU_ASSERT_EQUAL(grt_launches_depth(&commands[1].kernel), 2);
    CU_ASSERT_EQUAL(grt_launches_count(&commands[2].kernel), 0);
    CU_ASSERT_EQUAL(grt_launches_depth(&commands[2].kernel), 0);
}

static void random_commands(void) {
    CU_ASSERT_FALSE(grt_command_is_random(&commands[0]));
    CU_ASSERT_FALSE(grt_command_is_random(&commands[1]));
    CU_ASSERT_TRUE(grt_command_is_random(&commands[2]));
    third[0].kernel.block_time = commands[2].kernel.block_time;
    CU_ASSERT_TRUE(grt_command_is_random(&commands[1])); /* two levels below */
    struct grt_command_spec callback = {.kind = GRT_COMMAND_CALLBACK};
    CU_ASSERT_FALSE(grt_command_is_random(&callback));
    callback.callback_time = commands[2].kernel.block_time;
    CU_ASSERT_TRUE(grt_command_is_random(&callback));
}

int main(void) {
    CU_TestInfo tests[] = {
        {"order, levels and places", order_levels_and_places},
        {"counts", counts},
        {"random commands", random_commands},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("kernel walk", tests);
}
