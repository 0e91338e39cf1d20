/* labels: soak */
/* Traces of pinned tasks are refused where they are read beside another promise, other priorities or other instants than those that made them: each rule
 * of the auditor sees what breaks it. */
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/batched_world.h"
#include "tests/support/pick.h"
#include "tests/support/pruda_tasks.h"
#include "tests/support/suite.h"

enum spoiling { NOTHING, ONE_PLACE, EXCLUSIVE, REVERSED, LATE, SPOILINGS };

static const char *const rules[SPOILINGS] = {
    [NOTHING] = "places: the most urgent goes first",
    [ONE_PLACE] = "places: one pinned segment at a time on each part",
    [EXCLUSIVE] = "places: nothing pinned beside an exclusive segment",
    [REVERSED] = "places: the most urgent goes first",
    [LATE] = "places: never idle while a segment waits",
};

/* Two parts are said to be one, or a task that is pinned to need all of the GPU. */
static void spoil_places(const struct grt_builder *builder, struct grt_audited_run *audited,
                         enum spoiling spoiling) {
    uint32_t *places = (uint32_t *)(uintptr_t)audited->promise.places->places; /* the run's own */
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        if (places[i] != UINT32_MAX && spoiling == EXCLUSIVE) {
            places[i] = UINT32_MAX;
            return;
        }
        bool here = places[i] != UINT32_MAX && builder->tasks[i].gpu == 0;
        first = here && first == UINT32_MAX ? places[i] : first;
        places[i] = here ? first : places[i];
    }
}

/* Whatever begins first begins a little later. */
static void spoil_start(struct grt_trace_memory *kept) {
    for (size_t i = 0; i < kept->record_count; i++) {
        struct grt_trace_record *record = &kept->records[i];
        if ((record->kind == GRT_TRACE_COPY || record->kind == GRT_TRACE_KERNEL) &&
            record->other < record->time) {
            record->other++;
            return;
        }
    }
}

static uint64_t broken_by(uint64_t number, enum spoiling spoiling) {
    struct grt_builder *builder = grt_batched_world(number, GRT_AUDITED_PLAIN);
    struct grt_random random = grt_random_stream(number, "pins", 0, 0);
    struct pruda_pin_fields pins[8];
    struct pruda_parameters given = {
        .order = PRUDA_FP, .one_level = PRUDA_ONE_LEVEL_ACCEPTED, .pins = {.items = pins}, .exit_time = 1};
    struct grt_audited_run audited;
    struct grt_audit_tally tally = {0};
    given.pins.count = grt_pin_tasks(builder, &random, pins);
    builder->scenario.ties = GRT_TIES_TASK;
    grt_audited_run_start(&audited, &builder->scenario, grt_policy_find("pruda-sm"), &given);
    if (audited.run.result != NULL) {
        struct grt_scenario scenario = *audited.scenario;
        struct grt_task tasks[GRT_BUILDER_TASKS];
        memcpy(tasks, scenario.tasks, scenario.task_count * sizeof *tasks);
        scenario.tasks = tasks;
        for (size_t i = 0; i < scenario.task_count && spoiling == REVERSED; i++) {
            tasks[i].priority = -tasks[i].priority;
        }
        if (spoiling == ONE_PLACE || spoiling == EXCLUSIVE) {
            spoil_places(builder, &audited, spoiling);
        } else if (spoiling == LATE) {
            spoil_start(&audited.run.kept);
        }
        grt_audit_records(&scenario, &audited.promise, audited.run.kept.records,
                          audited.run.kept.record_count, &tally, true);
    }
    grt_audited_run_free(&audited);
    grt_builder_free(builder);
    size_t place = grt_audit_tally_find(&tally, rules[spoiling]);
    return place < tally.count ? tally.broken[place] : 0;
}

static void what_is_spoilt_is_found(void) {
    int cases = grt_suite_cases(300, 10000);
    for (int spoiling = NOTHING; spoiling < SPOILINGS; spoiling++) {
        int found = 0;
        for (int i = 0; i < cases; i++) {
            found += broken_by(7900000 + (uint64_t)i, (enum spoiling)spoiling) > 0;
        }
        bool good = spoiling == NOTHING ? found == 0 : found >= cases / 30;
        if (!good) {
            fprintf(stderr, "%d (%s): found %d times\n", spoiling, rules[spoiling], found);
        }
        CU_ASSERT(good);
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is spoilt is found", what_is_spoilt_is_found},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("the auditor of pinned tasks", tests);
}
