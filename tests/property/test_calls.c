/* labels: soak */
/* Random worlds with events, host functions, synchronous copies and calls that synchronise, on hardware queues of every
 * model, and what must hold whatever they are. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "models/gpu.h"
#include "policies/registry.h"
#include "sim/random.h"
#include "tests/support/contended_world.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}};

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "calls-processes", 0, 0);
    grt_random_world_add_calls(builder, number);
    if (number % 3 == 0) {
        builder->scenario.processes = processes;
        builder->scenario.process_count = 2;
        for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
            builder->gpus[i].time_slice = builder->gpus[i].copy_time_slice =
                1 + (grt_time)grt_random_below(&random, 60);
            builder->gpus[i].context_preemption = (int64_t)grt_random_below(&random, 4);
            builder->gpus[i].mps = number % 2 == 0;
        }
        for (size_t i = 0; i < builder->scenario.task_count; i++) {
            builder->tasks[i].process = (int64_t)grt_random_below(&random, 2);
        }
    }
    if (number % 4 == 1) {
        grt_contend(builder, number);
    }
    return builder;
}

/* ---- the trace ---- */

struct checks {
    const struct grt_scenario *scenario;
    const struct grt_built_run *run;
};

static bool fail(const struct grt_trace_record *record, const char *sentence) {
    fprintf(stderr, "at %" PRId64 ", task %u job %u kind %u detail %u:%u: %s\n", record->time, record->task,
            record->job, record->kind, grt_trace_segment(record->detail), grt_trace_command(record->detail),
            sentence);
    return false;
}

/* Whether a record is the completion of a command. */
static bool is_completion(const struct grt_trace_record *record) {
    return (record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_COPY ||
            record->kind == GRT_TRACE_CALL) &&
           (record->flags & (GRT_TRACE_OPEN | GRT_TRACE_PREEMPTED)) == 0;
}

/* The completion of a command of a job, the first at or after place `from` of the records; NULL if there is none. */
static const struct grt_trace_record *completion_of(const struct checks *checks, uint32_t task, uint32_t job,
                                                    uint32_t place, size_t from) {
    for (size_t i = from; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        if (is_completion(record) && record->task == task && record->job == job && record->detail == place) {
            return record;
        }
    }
    return NULL;
}

/* Every command of a segment that was not aborted completes exactly once, and none begins before the one before it has
 * completed. A call that stands at the head from then on. */
static bool segment_is_whole(const struct checks *checks, const struct grt_trace_record *done) {
    const struct grt_segment *segment = &checks->scenario->tasks[done->task].segments[done->detail];
    const struct grt_trace_record *records = checks->run->kept.records;
    grt_time before = done->other;
    for (uint32_t i = 0; i < segment->command_count; i++) {
        uint32_t place = grt_trace_place(done->detail, i);
        const struct grt_trace_record *record = completion_of(checks, done->task, done->job, place, 0);
        if (record == NULL) {
            return fail(done, "a command of the segment never completed");
        }
        if (completion_of(checks, done->task, done->job, place, (size_t)(record - records) + 1) != NULL) {
            return fail(record, "a command completed twice");
        }
        if (record->other < before) {
            return fail(record, "a command began before the one before it had completed");
        }
        before = record->time;
    }
    return before <= done->time || fail(done, "a segment was over before its last command");
}

/* ---- events ---- */

/* When the host calls a command: in which order, as far as that is known. */
struct called {
    grt_time time; /* GRT_TIME_NEVER: not known */
    /* with the segment, by task; else when the command before, for which it waits, has completed, which is before the segments of that instant */
    bool with_request;
    uint32_t task, command;
};

/* 1 ns after what the host waits for has passed if that has no duration. */
static struct called call_of(const struct checks *checks, const struct grt_trace_record *request,
                             uint32_t command) {
    const struct grt_task *task = &checks->scenario->tasks[request->task];
    const struct grt_device *device = &checks->scenario->gpus[task->gpu];
    const struct grt_command_spec *commands = task->segments[request->detail].commands;
    struct called called = {request->time, true, request->task, command};
    for (uint32_t i = command; i-- > 0;) {
        if (!grt_gpu_host_waits(device, &commands[i])) {
            continue;
        }
        const struct grt_trace_record *record =
            completion_of(checks, request->task, request->job, grt_trace_place(request->detail, i), 0);
        bool passes =
            commands[i].kind == GRT_COMMAND_SYNCHRONIZE || commands[i].kind == GRT_COMMAND_SYNCHRONIZE_DEVICE;
        called.time = record == NULL ? GRT_TIME_NEVER : record->time + passes;
        called.with_request = false;
        return called;
    }
    return called;
}

/* Below, at or above 0 for before, not known, and after. */
static int order(struct called a, struct called b) {
    if (a.time != b.time) {
        return a.time < b.time ? -1 : 1;
    }
    if (a.with_request != b.with_request) {
        return a.with_request ? 1 : -1;
    }
    if (a.task != b.task) {
        return !a.with_request ? 0 : a.task < b.task ? -1 : 1;
    }
    return a.command < b.command ? -1 : a.command > b.command;
}

struct last_record {
    struct called called;
    const struct grt_trace_record *completed;
    bool found, unsure; /* which is the last is not known */
};

/* Looks at the records of the wait's event that a request calls. */
static void look(const struct checks *checks, const struct grt_trace_record *request, const char *event,
                 struct called wait, struct last_record *last) {
    const struct grt_segment *segment = &checks->scenario->tasks[request->task].segments[request->detail];
    for (uint32_t i = 0; i < segment->command_count; i++) {
        const struct grt_command_spec *command = &segment->commands[i];
        if (command->kind != GRT_COMMAND_RECORD || strcmp(command->event, event) != 0) {
            continue;
        }
        struct called called = call_of(checks, request, i);
        if (called.time == GRT_TIME_NEVER || order(called, wait) > 0 ||
            (last->found && order(called, last->called) < 0)) {
            continue;
        }
        last->unsure = order(called, wait) == 0 || (last->found && order(called, last->called) == 0);
        last->found = true;
        last->called = called;
        last->completed =
            completion_of(checks, request->task, request->job, grt_trace_place(request->detail, i), 0);
    }
}

/* A wait does not end before the record that it means has completed. */
static bool wait_is_right(const struct checks *checks, const struct grt_trace_record *request,
                          uint32_t command, int *judged) {
    const struct grt_task *task = &checks->scenario->tasks[request->task];
    const struct grt_command_spec *spec = &task->segments[request->detail].commands[command];
    const struct grt_trace_record *wait =
        completion_of(checks, request->task, request->job, grt_trace_place(request->detail, command), 0);
    struct called called = call_of(checks, request, command);
    struct last_record last = {.found = false};
    if (wait == NULL || called.time == GRT_TIME_NEVER) {
        return true;
    }
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *other = &checks->run->kept.records[i];
        if (other->kind == GRT_TRACE_GPU_REQUEST &&
            checks->scenario->tasks[other->task].process == task->process &&
            checks->scenario->tasks[other->task].gpu == task->gpu) {
            look(checks, other, spec->event, called, &last);
        }
    }
    if (!last.found || last.unsure || last.completed == NULL) {
        return true; /* none, or not known which, or it was aborted */
    }
    *judged += last.called.task != called.task;
    return wait->time >= last.completed->time || fail(wait, "a wait passed before its record was complete");
}

static bool waits_are_right(const struct checks *checks, const struct grt_trace_record *request,
                            int *judged) {
    const struct grt_segment *segment = &checks->scenario->tasks[request->task].segments[request->detail];
    for (uint32_t i = 0; i < segment->command_count; i++) {
        if (segment->commands[i].kind == GRT_COMMAND_WAIT && !wait_is_right(checks, request, i, judged)) {
            return false;
        }
    }
    return true;
}

/* What runs in one stream, kernels and calls, follows one another. */
static bool stream_is_in_order(grt_time *free_from, const struct grt_trace_record *record) {
    bool good = record->other >= free_from[record->row];
    free_from[record->row] = record->time;
    return good || fail(record, "two commands of one stream overlap");
}

/* `judged` counts the waits for other tasks' records that were judged; NULL: a policy makes the calls later. */
static bool trace_is_right(const struct checks *checks, int *judged) {
    grt_time free_from[2 * GRT_BUILDER_TASKS] = {0};
    for (size_t i = 0; i < checks->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &checks->run->kept.records[i];
        bool good = true;
        if (record->kind == GRT_TRACE_GPU_REQUEST && judged != NULL) {
            good = waits_are_right(checks, record, judged);
        } else if (record->kind == GRT_TRACE_GPU_SEGMENT) {
            good = (record->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) || segment_is_whole(checks, record);
        } else if (record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_CALL) {
            good = stream_is_in_order(free_from, record);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

/* ---- worlds ---- */

static bool world_is_right(uint64_t number, const char *policy, int *judged) {
    struct grt_builder *builder = make_world(number);
    struct grt_built_run runs[2];
    bool hardware = strcmp(policy, "hardware") == 0;
    if (!hardware) {
        builder->scenario.process_count = 0;
    }
    for (int i = 0; i < 2; i++) {
        grt_built_run_start(&runs[i], &builder->scenario, grt_policy_find(policy), i == 1);
    }
    bool refused =
        runs[0].result == NULL; /* streams of one name and two priorities, kernels that do not fit */
    bool good = refused ? runs[1].result == NULL
                        : grt_built_traces_equal(&runs[0], &runs[1]) &&
                              grt_built_results_equal(runs[0].result, runs[1].result);
    struct checks checks = {&builder->scenario, &runs[0]};
    good = good && (refused || trace_is_right(&checks, hardware ? judged : NULL));
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy);
    }
    grt_built_run_free(&runs[0]);
    grt_built_run_free(&runs[1]);
    grt_builder_free(builder);
    return good;
}

static void check_worlds(const char *policy, int cases, int least_judged) {
    bool good = true;
    int judged = 0;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(9000000 + (uint64_t)i, policy, &judged);
    }
    CU_ASSERT(good);
    CU_ASSERT(judged >= least_judged);
}

static void laws_hold_for_calls(void) {
    int cases = grt_suite_cases(600, 10000);
    check_worlds("hardware", cases, cases / 3);
}

static void laws_hold_under_a_policy(void) {
    check_worlds("np-edf", grt_suite_cases(200, 3000), 0);
}

/* ---- nothing is forgotten ---- */

/* A few jobs early in a long run: whatever they wait for, all come to an end. */
static bool everything_ends(uint64_t number) {
    struct grt_builder *builder = make_world(number);
    builder->scenario.horizon = 100000000;
    for (size_t i = 0; i < builder->scenario.gpu_count;
         i++) { /* T4x: what is longer than a turn need never end */
        int64_t *preemption = &builder->gpus[i].context_preemption;
        *preemption =
            *preemption == GRT_CONTEXT_PREEMPTION_RESET ? GRT_CONTEXT_PREEMPTION_BLOCK : *preemption;
    }
    return grt_random_world_ends(builder, number);
}

static void nothing_is_forgotten(void) {
    int cases = grt_suite_cases(3000, 60000);
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = everything_ends(10000000 + (uint64_t)i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"laws hold for calls", laws_hold_for_calls},
        {"laws hold under a policy", laws_hold_under_a_policy},
        {"nothing is forgotten", nothing_is_forgotten},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("calls", tests);
}
