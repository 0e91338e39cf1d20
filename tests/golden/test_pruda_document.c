/* labels: golden once
 * What docs/pruda-strategies.md shows is what the program prints and draws, and its tables are what it simulates. With GRT_UPDATE in the environment they are written. */
#include <stdio.h>

#include "models/demand/profile.h"
#include "scenarios/simulation.h"
#include "tests/support/document.h"
#include "tests/support/suite.h"

#define FOLDER "scenarios/papers/pruda/"

enum { PICTURES = 12 };

static const struct grt_document document = {.path = "docs/pruda-strategies.md", .program = GRT_PROGRAM};

static void run(struct grt_simulation *simulation, const char *file) {
    struct grt_errors errors = {0};
    char path[128];
    snprintf(path, sizeof path, FOLDER "%s.json", file);
    CU_ASSERT_FATAL(grt_simulation_load(simulation, path, NULL, &errors) &&
                    grt_simulation_run(simulation, false, &errors));
}

static void write_row(FILE *out, const char *file, const char *what) {
    struct grt_simulation simulation = {0};
    uint64_t missed = 0;
    run(&simulation, file);
    fprintf(out, "| `%s` | %s |", file, what);
    for (size_t i = 0; i < 3; i++) {
        const struct grt_task_result *task = &simulation.result->tasks[i];
        fprintf(out, " %g ms |", (double)task->response.max / 1e6);
        missed += task->missed;
    }
    fprintf(out, " %d |\n", (int)missed);
    grt_simulation_free(&simulation);
}

static void write_responses(FILE *out) {
    static const char *const files[][2] = {
        {"single-edf", "one stream, by deadlines"},
        {"single-fp", "one stream, by priorities"},
        {"single-grub", "one stream, by bandwidth servers"},
        {"multi-fp", "two streams, by priorities"},
        {"sm-fp", "SMs as cores, by priorities"},
        {"sm-whole-fp", "the same, *map* needs all SMs"},
    };
    fputs("| file | strategy | *steer* | *detect* | *map* | missed |\n|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_row(out, files[i][0], files[i][1]);
    }
}

/* ---- SMs as cores ---- */

/* Blocks of a task's kernels, as they are launched; items of work, as they were written. */
static int64_t blocks_of(const struct grt_task *task) {
    int64_t sum = 0;
    for (size_t i = 0; i < task->segment_count; i++) {
        for (size_t j = 0; j < task->segments[i].command_count; j++) {
            const struct grt_command_spec *command = &task->segments[i].commands[j];
            sum += command->kind == GRT_COMMAND_KERNEL ? command->kernel.blocks : 0;
        }
    }
    return sum;
}

static void write_sms_of(FILE *out, const char *file) {
    struct grt_simulation simulation = {0};
    run(&simulation, file);
    const struct grt_scenario *scenario = &simulation.file.scenario;
    const struct grt_gpu_result *gpu = &simulation.result->gpus[0];
    int64_t items = 0;
    grt_time delay = 0;
    for (uint32_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task_result *task = &simulation.result->tasks[i];
        grt_time own = task->response.max - grt_profile_segment(scenario, i, 0, 1);
        items += (int64_t)task->finished * blocks_of(&simulation.file.written.tasks[i]);
        delay = own > delay ? own : delay;
    }
    fprintf(out, "| %u | `%s` | `%s` | %zu | %d | %d | %d | %g ms |\n", gpu->sm_count, gpu->device, file,
            scenario->task_count, (int)items, (int)gpu->blocks, (int)gpu->lost_items, (double)delay / 1e6);
    grt_simulation_free(&simulation);
}

static void write_sms(FILE *out) {
    fputs("| SMs | device | file | tasks | items of work | blocks launched | items lost | delay "
          "|\n|---|---|---|---|---|---|---|---|\n",
          out);
    write_sms_of(out, "sm-fp");
    write_sms_of(out, "sm-8");
    write_sms_of(out, "sm-132");
}

static void test_tables(void) {
    static const struct grt_document_table tables[] = {
        {"responses", write_responses}, {"sms", write_sms}, {0}};
    CU_ASSERT_EQUAL(grt_document_tables(&document, tables), 2);
}

static void test_blocks(void) {
    CU_ASSERT_EQUAL(grt_document_blocks(&document), 1);
}

static void test_pictures(void) {
    CU_ASSERT_EQUAL(grt_document_pictures(&document), PICTURES);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the tables are current", test_tables},
        {"blocks are what the program prints", test_blocks},
        {"the pictures are current", test_pictures},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run(document.path, tests);
}
