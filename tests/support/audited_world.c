#include "tests/support/audited_world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "tests/support/contended_world.h"
#include "tests/support/launching_world.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "verify/promised.h"

/* ---- worlds ---- */

enum { PROCESSES = 3 };

static const struct grt_process processes[PROCESSES] = {
    {.name = "p"},
    {.name = "q",
     .spec = {.time_slice = 37, .interleave = GRT_INTERLEAVE_HIGH, .active_thread_percentage = 40}},
    {.name = "r", .spec = {.interleave = GRT_INTERLEAVE_MEDIUM, .priority = 1}},
};

static struct grt_builder *make_shared(uint64_t number, bool mps) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_random random = grt_random_stream(number, "audited", 0, 0);
    builder->scenario.processes = processes;
    builder->scenario.process_count = PROCESSES;
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        grt_random_turns(&random, &builder->gpus[i]);
        builder->gpus[i].mps = mps;
        builder->gpus[i].compute_capability = 80;
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = grt_pick(&random, 0, PROCESSES - 1);
        builder->tasks[i].stream_priority *= builder->tasks[i].stream == NULL;
        if (!mps && grt_pick(&random, 0, 2) == 0) {
            grt_random_partition(&random, builder, &builder->tasks[i]);
        }
    }
    return builder;
}

static struct grt_builder *make_pinned(uint64_t number) {
    struct grt_builder *builder = number % 5 == 0   ? grt_contended_world(number)
                                  : number % 5 == 1 ? grt_contended_processes(number)
                                  : number % 5 < 4  ? make_shared(number, number % 5 == 2)
                                                    : grt_random_world(number);
    grt_random_world_pin(builder, number);
    return builder;
}

struct grt_builder *grt_audited_world(uint64_t number, enum grt_audited_kind kind) {
    struct grt_builder *builder = kind == GRT_AUDITED_CONTENDED         ? grt_contended_world(number)
                                  : kind == GRT_AUDITED_LAUNCHES        ? grt_launching_world(number)
                                  : kind == GRT_AUDITED_TURNS           ? make_shared(number, false)
                                  : kind == GRT_AUDITED_CONTENDED_TURNS ? grt_contended_processes(number)
                                  : kind == GRT_AUDITED_MPS             ? make_shared(number, true)
                                  : kind == GRT_AUDITED_PINNED          ? make_pinned(number)
                                                                        : grt_random_world(number);
    if (kind == GRT_AUDITED_CALLS) {
        grt_random_world_add_calls(builder, number);
    }
    builder->scenario.ties = (int64_t)(number % 3);
    return builder;
}

static void add_work(struct grt_random *random, struct grt_builder *builder, struct grt_task *task) {
    struct grt_kernel *kernel;
    if (grt_pick(random, 0, 2) == 0) {
        grt_builder_copy(builder, task, GRT_COMMAND_H2D, grt_pick(random, 1, 60));
    }
    if (grt_pick(random, 0, 2) == 0) {
        kernel = grt_builder_whole(builder, task, grt_pick(random, 1, 300));
    } else {
        int64_t time = grt_pick(random, 1, 20);
        kernel = grt_builder_kernel(builder, task, grt_pick(random, 1, 40), 1024, time);
    }
    if (grt_pick(random, 0, 1) == 0) {
        kernel->block_time.kind = GRT_UNIFORM;
        kernel->block_time.min = grt_pick(random, 1, kernel->block_time.max);
        kernel->draw_per = grt_pick(random, 0, 1);
    }
    if (grt_pick(random, 0, 2) == 0) {
        grt_builder_copy(builder, task, GRT_COMMAND_D2H, grt_pick(random, 1, 60));
    }
}

struct grt_builder *grt_slotted_world(uint64_t number) {
    struct grt_random random = grt_random_stream(number, "slotted", 0, 0);
    struct grt_builder *builder = grt_builder_create(20000);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(grt_pick(&random, 1, 3)));
    device->kernel_launch = grt_pick(&random, 0, 1) * grt_pick(&random, 1, 5);
    device->copy_engines = grt_pick(&random, 1, 2);
    builder->scenario.seed = number;
    for (int64_t tasks = grt_pick(&random, 1, 5); tasks > 0; tasks--) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_time offset = grt_pick(&random, 0, 1) * grt_pick(&random, 0, 400);
        grt_builder_periodic(task, grt_pick(&random, 500, 5000), offset);
        task->split_overhead = grt_pick(&random, 0, 1) * grt_pick(&random, 1, 6);
        task->jitter = grt_pick(&random, 0, 2) == 0 ? grt_pick(&random, 1, task->period / 4) : 0;
        task->on_miss = grt_pick(&random, 0, 1) == 0 ? GRT_MISS_ABORT : GRT_MISS_CONTINUE;
        if (grt_pick(&random, 0, 2) == 0) {
            task->arrival = GRT_ARRIVAL_SPORADIC;
            task->jitter = 0;
            task->extra_gap = (struct grt_distribution){.kind = GRT_UNIFORM, .max = 700};
        }
        add_work(&random, builder, task);
    }
    return builder;
}

/* ---- runs ---- */

void grt_audited_run_start(struct grt_audited_run *audited, const struct grt_scenario *scenario,
                           const struct grt_policy_ops *policy, const void *parameters) {
    struct grt_built_run *run = &audited->run;
    *audited = (struct grt_audited_run){.run = {.trace = grt_trace_create()}};
    grt_trace_add_sink(run->trace, &grt_trace_memory_sink, &run->kept);
    scenario = grt_adapted(scenario, policy, parameters, &audited->arena, &run->errors);
    if (scenario == NULL) {
        return;
    }
    audited->scenario = scenario;
    run->world = grt_world_create(scenario, policy, parameters,
                                  &(struct grt_world_options){.trace = run->trace}, &run->errors);
    if (run->world == NULL) {
        return;
    }
    grt_world_run(run->world);
    run->result = grt_world_result(run->world);
    grt_trace_finish(run->trace);
    audited->promise = grt_promised(scenario, policy, parameters, &audited->arena);
    audited->promise.end = run->result->end;
}

void grt_audited_run_free(struct grt_audited_run *audited) {
    grt_built_run_free(&audited->run);
    grt_arena_clear(&audited->arena);
}

/* ---- audits ---- */

size_t grt_audit_tally_find(const struct grt_audit_tally *tally, const char *rule) {
    size_t place = 0;
    while (place < tally->count && strcmp(tally->rule[place], rule) != 0) {
        place++;
    }
    return place;
}

static void add(struct grt_audit_tally *tally, const struct grt_audit_count *count) {
    size_t place = grt_audit_tally_find(tally, count->rule);
    if (place == tally->count) {
        GRT_REQUIRE(tally->count < GRT_AUDIT_TALLY, "raise GRT_AUDIT_TALLY");
        tally->rule[tally->count++] = count->rule;
        tally->checked[place] = tally->broken[place] = 0;
    }
    tally->checked[place] += count->checked;
    tally->broken[place] += count->broken;
}

static void print(const struct grt_audit *audit) {
    size_t count;
    const struct grt_audit_finding *findings = grt_audit_findings(audit, &count);
    for (size_t i = 0; i < count && i < 3; i++) {
        fprintf(stderr, "at %" PRId64 ", task %" PRIu32 " job %" PRIu64 ", %s: %s\n", findings[i].time,
                findings[i].task, findings[i].job, findings[i].rule, findings[i].text);
    }
}

uint64_t grt_audit_records(const struct grt_scenario *scenario, const struct grt_audit_promise *promise,
                           const struct grt_trace_record *records, size_t count,
                           struct grt_audit_tally *tally, bool quiet) {
    struct grt_audit *audit = grt_audit_create(scenario, promise);
    size_t rules;
    grt_audit_sink.write(audit, records, count);
    uint64_t broken = grt_audit_finish(audit);
    const struct grt_audit_count *counts = grt_audit_counts(audit, &rules);
    for (size_t i = 0; tally != NULL && i < rules; i++) {
        add(tally, &counts[i]);
    }
    if (broken > 0 && !quiet) {
        print(audit);
    }
    grt_audit_free(audit);
    return broken;
}

bool grt_audited_run_is_sound(const struct grt_audited_run *audited, struct grt_audit_tally *tally) {
    const struct grt_trace_memory *kept = &audited->run.kept;
    return audited->run.result == NULL ||
           grt_audit_records(audited->scenario, &audited->promise, kept->records, kept->record_count, tally,
                             false) == 0;
}

bool grt_audited_world_is_sound(const struct grt_builder *builder, const struct grt_policy_ops *policy,
                                struct grt_audit_tally *tally, uint64_t number) {
    struct grt_audited_run audited;
    grt_audited_run_start(&audited, &builder->scenario, policy, policy->permissive);
    bool good = grt_audited_run_is_sound(&audited, tally);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 " under %s\n", number, policy->name);
    }
    grt_audited_run_free(&audited);
    return good;
}
