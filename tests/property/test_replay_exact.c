/* labels: property soak */
/* The closed loop: a scenario that is executed by a pretended device without noise, whose calls take no time, has the trace of its simulation, to the nanosecond, also where
 * host parts, events and completions fall on the same instant: decision 2 says who is first. No case is left out. */
#include <inttypes.h>
#include <stdio.h>

#include "calib/program/validate/report.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/replay_case.h"
#include "tests/support/suite.h"

/* ---- scenarios that a device can execute ---- */

enum with { NOTHING, CALLS, HOST_PARTS, REGISTERS };

static void suit_kernel(struct grt_kernel *kernel, enum with with, struct grt_random *random) {
    if (with != REGISTERS) {
        kernel->needs.registers_per_thread = 0; /* spinning blocks have their own */
    } else {
        kernel->needs.registers_per_thread = 8 * grt_pick(random, 3, 8);
        kernel->needs.threads = kernel->needs.threads > 512 ? 512 : kernel->needs.threads;
    }
    if (kernel->whole_device) {
        kernel->whole_device = false;
        kernel->blocks = grt_pick(random, 1, 12);
        kernel->needs.threads = 256;
    }
}

static void suit_command(struct grt_command_spec *command, enum with with, struct grt_random *random) {
    command->pageable = false;
    suit_kernel(&command->kernel, with, random);
    if (command->kind > GRT_COMMAND_WAIT) {
        command->kind = GRT_COMMAND_RECORD;
        command->event = "x";
    }
}

static void suit_task(struct grt_builder *builder, size_t number, enum with with, struct grt_random *random) {
    struct grt_task *task = &builder->tasks[number];
    task->on_miss = GRT_MISS_CONTINUE;
    task->gpu = 0;
    if (task->stream != NULL && strcmp(task->stream, "null") == 0) {
        task->stream = NULL;
    }
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_segment *segment = &builder->segments[number][i];
        for (size_t j = 0; j < segment->command_count; j++) {
            /* the builder's own commands: they live in its arena */
            suit_command((struct grt_command_spec *)(uintptr_t)&segment->commands[j], with, random);
        }
    }
}

/* Placement must not remember what was launched before the scenario began. */
static void suit_device(struct grt_device *device) {
    if (device->placement == GRT_PLACEMENT_ROUND_ROBIN || device->placement == GRT_PLACEMENT_RANDOM) {
        device->placement = GRT_PLACEMENT_MOST_ROOM;
    }
}

static struct grt_builder *draw(uint64_t number, enum with with) {
    struct grt_random random = grt_random_stream(number, "replay", 0, 0);
    struct grt_builder *builder = grt_random_world(number);
    if (with == CALLS) {
        grt_random_world_add_calls(builder, number);
        builder->gpus[0].hardware_queues = 0;
        builder->gpus[0].implicit_sync = GRT_IMPLICIT_SYNC_NONE;
    } else if (with == HOST_PARTS) {
        grt_random_world_add_host(builder, number);
    }
    builder->scenario.gpu_count = 1;
    builder->scenario.horizon = grt_pick(&random, 1, with == NOTHING ? 2000 : 250);
    suit_device(&builder->gpus[0]);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        suit_task(builder, i, with, &random);
    }
    return builder;
}

/* ---- the property ---- */

static size_t seen_blocks, seen_copies, seen_jobs, seen_calls;

static bool is_exact(const struct grt_validation *validation) {
    const struct grt_validated_kind *kinds = validation->kinds;
    bool exact = validation->unpaired == 0 && validation->most_absolute == 0 &&
                 validation->pairing->open_error == 0 &&
                 validation->pairing->short_run == GRT_SHORT_NEITHER &&
                 kinds[GRT_PAIRED_BLOCK].other_row == 0 && kinds[GRT_PAIRED_COPY].other_row == 0;
    seen_blocks += kinds[GRT_PAIRED_BLOCK].pairs;
    seen_copies += kinds[GRT_PAIRED_COPY].pairs;
    seen_calls += kinds[GRT_PAIRED_CALL].pairs;
    seen_jobs += kinds[GRT_PAIRED_JOB].pairs;
    return exact;
}

static void judge(struct replay_case *it, const struct grt_builder *builder, uint64_t number) {
    bool executed = replay_case_execute(it, &builder->scenario);
    CU_ASSERT_TRUE(executed);
    if (executed) {
        replay_case_compare(it, &builder->scenario);
        bool exact = is_exact(it->validation);
        CU_ASSERT_TRUE(exact);
        CU_ASSERT_EQUAL(it->replay.missing_blocks, 0);
        CU_ASSERT_EQUAL(it->replay.latest, 0);
        if (!exact) {
            fprintf(stderr, "scenario %" PRIu64 " under %s is not exact\n", number, it->policy);
            struct grt_style style = grt_style_default();
            style.width = 200;
            struct grt_validated_trace trace = {
                .path = "measured", .validation = it->validation, .fingerprint = ""};
            grt_validation_print(&trace, &style, stderr);
        }
    } else {
        fprintf(stderr, "scenario %" PRIu64 ":\n", number);
        grt_errors_print(&it->errors, stderr, "  ");
    }
    replay_case_end(it);
}

static void run_some(enum with with, const char *policy, uint64_t first, int count) {
    for (uint64_t number = first; number < first + (uint64_t)count; number++) {
        struct grt_builder *builder = draw(number, with);
        struct replay_case it;
        replay_case_start(&it, &builder->scenario);
        it.policy = policy;
        /* a clock that has counted for long, and another one on the device */
        it.spec.timer_offset = (grt_time)(number * 12345677 % 1000000007);
        judge(&it, builder, number);
        grt_builder_free(builder);
    }
}

static void test_plain(void) {
    run_some(NOTHING, "hardware", 1, grt_suite_cases(120, 20000));
    CU_ASSERT_TRUE(seen_blocks > 1000 && seen_copies > 100 && seen_jobs > 500);
}

static void test_calls(void) {
    run_some(CALLS, "hardware", 100001, grt_suite_cases(60, 10000));
    CU_ASSERT_TRUE(seen_calls > 100);
}

static void test_host_parts(void) {
    run_some(HOST_PARTS, "hardware", 200001, grt_suite_cases(40, 5000));
}

static bool has_note(const struct replay_case *it, const char *part) {
    for (size_t i = 0; i < it->replay.note_count; i++) {
        if (strstr(it->replay.notes[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

/* Registers, which spinning blocks do not have: exact, or it was said that other blocks fit on an SM, or go to other ones. */
static void test_registers(void) {
    int suited = 0, said = 0, count = grt_suite_cases(80, 10000);
    for (uint64_t number = 400001; number < 400001 + (uint64_t)count; number++) {
        struct grt_builder *builder = draw(number, REGISTERS);
        struct replay_case it;
        replay_case_start(&it, &builder->scenario);
        CU_ASSERT_TRUE_FATAL(replay_case_execute(&it, &builder->scenario));
        replay_case_compare(&it, &builder->scenario);
        bool differs = has_note(&it, "which blocks fit on an SM together") ||
                       has_note(&it, "fit on an SM of the device") ||
                       has_note(&it, "blocks may be on other SMs than in the scenario");
        bool exact = is_exact(it.validation);
        CU_ASSERT_TRUE(exact || differs);
        if (!exact && !differs) {
            fprintf(stderr, "scenario %" PRIu64 " is not exact\n", number);
        }
        said += differs;
        suited += !differs && has_note(&it, "do not need its registers");
        replay_case_end(&it);
        grt_builder_free(builder);
    }
    CU_ASSERT_TRUE(suited > count / 8 && said > 0);
}

static void test_one_at_a_time(void) {
    static const char *const policies[] = {"fifo", "np-fp", "np-edf"};
    for (size_t i = 0; i < 3; i++) {
        run_some(HOST_PARTS, policies[i], 300001, grt_suite_cases(12, 2000));
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"kernels and copies in streams of several priorities", test_plain},
        {"records of and waits for events", test_calls},
        {"host parts, cores and their costs", test_host_parts},
        {"kernels that need registers", test_registers},
        {"policies that have one segment on the device at a time", test_one_at_a_time},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("replay: exact on a pretended device", tests);
}
