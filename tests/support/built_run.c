/* Runs of scenarios made with the builder, and how two of them are compared. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "policies/registry.h"
#include "tests/support/cunit.h"
#include "tests/support/world_builder.h"

void grt_built_run_start(struct grt_built_run *run, const struct grt_scenario *scenario,
                         const struct grt_policy_ops *policy, bool no_cohorts) {
    grt_built_run_start_with(run, scenario, policy, policy->permissive, no_cohorts);
}

void grt_built_run_start_with(struct grt_built_run *run, const struct grt_scenario *scenario,
                              const struct grt_policy_ops *policy, const void *parameters, bool no_cohorts) {
    *run = (struct grt_built_run){.policy = policy, .trace = grt_trace_create()};
    grt_trace_add_sink(run->trace, &grt_trace_memory_sink, &run->kept);
    struct grt_world_options options = {.trace = run->trace, .no_cohorts = no_cohorts};
    run->world = grt_world_create(scenario, policy, parameters, &options, &run->errors);
    if (run->world != NULL) {
        grt_world_run(run->world);
        run->result = grt_world_result(run->world);
        grt_trace_finish(run->trace);
    }
}

void grt_built_run_free(struct grt_built_run *run) {
    grt_world_free(run->world);
    grt_trace_memory_free(&run->kept);
    grt_trace_free(run->trace);
    grt_errors_clear(&run->errors);
    *run = (struct grt_built_run){0};
}

void grt_built_run_under(struct grt_built_run *run, const struct grt_builder *builder, const char *policy) {
    grt_built_run_start(run, &builder->scenario, grt_policy_find(policy), false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->result);
}

void grt_built_run_end(struct grt_built_run *run, struct grt_builder *builder) {
    grt_built_run_free(run);
    grt_builder_free(builder);
}

const struct grt_trace_record *grt_built_run_find(const struct grt_built_run *run, enum grt_trace_kind kind,
                                                  uint32_t task, uint32_t job, uint32_t nth) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == kind && record->task == task && record->job == job && nth-- == 0) {
            return record;
        }
    }
    return NULL;
}

size_t grt_built_run_count(const struct grt_built_run *run, enum grt_trace_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        count += run->kept.records[i].kind == kind;
    }
    return count;
}

static grt_time time_of(const struct grt_trace_record *record) {
    return record == NULL ? GRT_TIME_NEVER : record->time;
}

grt_time grt_built_run_finish(const struct grt_built_run *run, uint32_t task, uint32_t job) {
    return time_of(grt_built_run_find(run, GRT_TRACE_FINISH, task, job, 0));
}

grt_time grt_built_run_abort(const struct grt_built_run *run, uint32_t task, uint32_t job) {
    return time_of(grt_built_run_find(run, GRT_TRACE_ABORT, task, job, 0));
}

grt_time grt_built_run_release(const struct grt_built_run *run, uint32_t task, uint32_t job) {
    return time_of(grt_built_run_find(run, GRT_TRACE_RELEASE, task, job, 0));
}

/* ---- what ran when ---- */

static bool ran(const struct grt_trace_record *record, const char *what, uint32_t task, grt_time start,
                grt_time end) {
    if (record == NULL) {
        fprintf(stderr, "no such %s of task %" PRIu32 "\n", what, task);
        return false;
    }
    if (record->other != start || record->time != end) {
        fprintf(stderr, "%s of task %" PRIu32 " ran from %" PRId64 " to %" PRId64 "\n", what, task,
                record->other, record->time);
        return false;
    }
    return true;
}

static const struct grt_trace_record *nth_of(const struct grt_built_run *run, enum grt_trace_kind kind,
                                             uint32_t task, uint32_t nth) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == kind && record->task == task && nth-- == 0) {
            return record;
        }
    }
    return NULL;
}

bool grt_built_kernel_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                          grt_time end) {
    return ran(nth_of(run, GRT_TRACE_KERNEL, task, nth), "kernel", task, start, end);
}

bool grt_built_call_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                        grt_time end) {
    return ran(nth_of(run, GRT_TRACE_CALL, task, nth), "call", task, start, end);
}

bool grt_built_copy_ran(const struct grt_built_run *run, uint32_t task, uint32_t nth, grt_time start,
                        grt_time end) {
    return ran(nth_of(run, GRT_TRACE_COPY, task, nth), "copy", task, start, end);
}

bool grt_built_block_ran(const struct grt_built_run *run, uint32_t task, uint32_t index, uint32_t sm,
                         grt_time start, grt_time end) {
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        if (record->kind == GRT_TRACE_BLOCK && record->task == task && record->detail == index) {
            if (record->row != sm) {
                fprintf(stderr, "block %" PRIu32 " of task %" PRIu32 " ran on SM %" PRIu32 "\n", index, task,
                        record->row);
            }
            return ran(record, "block", task, start, end) && record->row == sm;
        }
    }
    return ran(NULL, "block", task, start, end);
}

/* ---- comparisons ---- */

static bool stats_equal(const struct grt_stats *a, const struct grt_stats *b) {
    return a->count == b->count && a->min == b->min && a->max == b->max && a->sum_low == b->sum_low &&
           a->sum_high == b->sum_high && grt_stats_quantile(a, 0.5) == grt_stats_quantile(b, 0.5);
}

static bool slacks_equal(const struct grt_slack *a, const struct grt_slack *b) {
    return a->kind == b->kind && a->count == b->count && a->late == b->late &&
           a->accumulated == b->accumulated && a->lateness == b->lateness && a->worst == b->worst &&
           a->not_finished == b->not_finished;
}

static bool tasks_equal(const struct grt_task_result *a, const struct grt_task_result *b) {
    return strcmp(a->name, b->name) == 0 && a->released == b->released && a->finished == b->finished &&
           a->met == b->met && a->missed == b->missed && a->aborted == b->aborted &&
           a->skipped == b->skipped && a->unfinished == b->unfinished &&
           a->worst_tardiness == b->worst_tardiness && stats_equal(&a->response, &b->response) &&
           stats_equal(&a->blocking, &b->blocking) && stats_equal(&a->gpu_wait, &b->gpu_wait) &&
           slacks_equal(&a->slack, &b->slack) && stats_equal(&a->ends.gaps, &b->ends.gaps) &&
           a->ends.gap_squares == b->ends.gap_squares;
}

static bool gpus_equal(const struct grt_gpu_result *a, const struct grt_gpu_result *b) {
    bool same = a->sm_count == b->sm_count && a->engine_count == b->engine_count && a->busy == b->busy &&
                !(a->sm_busy < b->sm_busy) && !(a->sm_busy > b->sm_busy) &&
                !(a->thread_time < b->thread_time) && !(a->thread_time > b->thread_time) &&
                a->kernels == b->kernels && a->blocks == b->blocks && a->copies == b->copies &&
                a->failed_launches == b->failed_launches && a->lost_items == b->lost_items;
    for (uint32_t i = 0; same && i < a->engine_count; i++) {
        same = a->engine_busy[i] == b->engine_busy[i];
    }
    return same;
}

bool grt_built_results_equal(const struct grt_result *a, const struct grt_result *b) {
    bool same = a->end == b->end && a->stopped_by_miss == b->stopped_by_miss &&
                a->stopped_by_repeat == b->stopped_by_repeat &&
                a->stopped_by_backlog == b->stopped_by_backlog && a->events == b->events &&
                a->task_count == b->task_count && a->core_count == b->core_count &&
                a->gpu_count == b->gpu_count;
    for (size_t i = 0; same && i < a->task_count; i++) {
        same = tasks_equal(&a->tasks[i], &b->tasks[i]);
    }
    for (size_t i = 0; same && i < a->core_count; i++) {
        same = a->cores[i].busy == b->cores[i].busy && a->cores[i].spinning == b->cores[i].spinning &&
               a->cores[i].overhead == b->cores[i].overhead;
    }
    for (size_t i = 0; same && i < a->gpu_count; i++) {
        same = gpus_equal(&a->gpus[i], &b->gpus[i]);
    }
    return same;
}

static void print_record(const char *which, const struct grt_trace_record *record) {
    fprintf(stderr, "  %s: %" PRId64 " other %" PRId64 " kind %u task %u job %u detail %u row %u flags %u\n",
            which, record->time, record->other, record->kind, record->task, record->job, record->detail,
            record->row, record->flags);
}

bool grt_built_traces_equal(const struct grt_built_run *a, const struct grt_built_run *b) {
    const struct grt_trace_memory *one = &a->kept, *other = &b->kept;
    for (size_t i = 0; i < one->record_count && i < other->record_count; i++) {
        if (memcmp(&one->records[i], &other->records[i], sizeof one->records[i]) != 0) {
            fprintf(stderr, "record %zu differs:\n", i);
            print_record("one  ", &one->records[i]);
            print_record("other", &other->records[i]);
            return false;
        }
    }
    if (one->record_count != other->record_count) {
        fprintf(stderr, "%zu records against %zu\n", one->record_count, other->record_count);
        return false;
    }
    return a->trace->digest == b->trace->digest;
}
