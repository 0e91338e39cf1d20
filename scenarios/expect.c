#include "scenarios/expect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "models/result/slack.h"
#include "scenarios/expect_trace.h"
#include "scenarios/name_index.h"
#include "sim/check.h"
#include "sim/memory.h"

static const struct grt_path root = {0};
static const struct grt_path expect_path = {.parent = &root, .key = "expect"};

bool grt_expect_needs_trace(const struct grt_expect *expect) {
    return expect->block_count > 0 || expect->copy_count > 0 || expect->core_count > 0 ||
           expect->row_count > 0;
}

bool grt_expect_any(const struct grt_expect *expect) {
    return expect->task_count > 0 || expect->missed >= 0 || expect->lost_items >= 0 ||
           expect->trace_digest != NULL || grt_expect_needs_trace(expect);
}

static void check_count(struct grt_errors *errors, const struct grt_path *path, const char *key,
                        int64_t expected, uint64_t count) {
    struct grt_path place = {.parent = path, .key = key};
    if (expected >= 0 && (uint64_t)expected != count) {
        grt_error_add(errors, &place, "expected %" PRId64 ", but it was %" PRIu64, expected, count);
    }
}

/* A statistic of spans; `any` says that there was one at all. */
static void check_span(struct grt_errors *errors, const struct grt_path *path, const char *key,
                       grt_time expected, grt_time span, bool any) {
    struct grt_path place = {.parent = path, .key = key};
    char wanted[GRT_TIME_TEXT_SIZE], was[GRT_TIME_TEXT_SIZE];
    if (expected < 0 || (any && expected == span)) {
        return;
    }
    grt_error_add(errors, &place, "expected %s, but %s%s", grt_time_text(expected, wanted),
                  any ? "it was " : "there was none", any ? grt_time_text(span, was) : "");
}

/* A sum, which may be negative, and longer than any time that can be expected. */
static void check_sum(struct grt_errors *errors, const struct grt_path *path, const char *key,
                      grt_time expected, grt_signed_wide sum, bool any) {
    struct grt_path place = {.parent = path, .key = key};
    char wanted[GRT_TIME_TEXT_SIZE], was[GRT_TIME_TEXT_SIZE];
    if (any && sum == expected) {
        return;
    }
    grt_error_add(errors, &place, "expected %s, but %s%s", grt_time_text(expected, wanted),
                  any ? "it was " : "there was none", any ? grt_time_text(grt_time_of_wide(sum), was) : "");
}

static void check_slack(const struct grt_expect_task *expect, const struct grt_task_result *result,
                        struct grt_errors *errors, const struct grt_path *path) {
    const struct grt_slack *slack = &result->slack;
    const struct grt_stats *gaps = &result->ends.gaps;
    bool any = slack->count > 0, separate = gaps->count > 0;
    if (expect->accumulated_slack != GRT_TIME_NEVER) {
        check_sum(errors, path, "accumulated_slack", expect->accumulated_slack, slack->accumulated, any);
    }
    if (expect->lateness_sum >= 0) {
        check_sum(errors, path, "lateness_sum", expect->lateness_sum, (grt_signed_wide)slack->lateness, any);
    }
    check_count(errors, path, "late", expect->late, slack->late);
    check_span(errors, path, "lateness_max", expect->lateness_max, slack->worst, any);
    check_span(errors, path, "gap_min", expect->gap_min, gaps->min, separate);
    check_span(errors, path, "gap_max", expect->gap_max, gaps->max, separate);
    check_span(errors, path, "gap_deviation", expect->gap_deviation,
               (grt_time)llround(grt_gap_deviation(&result->ends)), separate);
}

static void check_task(const struct grt_expect_task *expect, const struct grt_task_result *result,
                       struct grt_errors *errors, const struct grt_path *path) {
    check_count(errors, path, "released", expect->released, result->released);
    check_count(errors, path, "met", expect->met, result->met);
    check_count(errors, path, "missed", expect->missed, result->missed);
    check_count(errors, path, "aborted", expect->aborted, result->aborted);
    check_count(errors, path, "skipped", expect->skipped, result->skipped);
    check_count(errors, path, "unfinished", expect->unfinished, result->unfinished);
    bool any = result->response.count > 0;
    check_span(errors, path, "response_min", expect->response_min, result->response.min, any);
    check_span(errors, path, "response_max", expect->response_max, result->response.max, any);
    check_span(errors, path, "blocking_max", expect->blocking_max, result->blocking.max,
               result->blocking.count > 0);
    check_slack(expect, result, errors, path);
}

static void check_tasks(const struct grt_expect *expect, const struct grt_result *result,
                        struct grt_errors *errors) {
    struct grt_arena arena = {0};
    struct grt_name_entry *names = grt_arena_array(&arena, result->task_count, sizeof *names);
    for (size_t i = 0; i < result->task_count; i++) {
        names[i] = (struct grt_name_entry){result->tasks[i].name, (uint32_t)i};
    }
    grt_name_index_sort(names, result->task_count);
    struct grt_path list = {.parent = &expect_path, .key = "tasks"}, place = {.parent = &list};
    for (; place.index < expect->task_count; place.index++) {
        const struct grt_expect_task *task = &expect->tasks[place.index];
        const struct grt_name_entry *found = grt_name_index_find(names, result->task_count, task->task);
        if (found == NULL) {
            grt_error_add(errors, &place, "there is no task \"%s\"", task->task);
        } else {
            check_task(task, &result->tasks[found->index], errors, &place);
        }
    }
    grt_arena_clear(&arena);
}

static void check_digest(const struct grt_expect *expect, uint64_t digest, struct grt_errors *errors) {
    struct grt_path place = {.parent = &expect_path, .key = "trace_digest"};
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    if (expect->trace_digest != NULL && strcmp(expect->trace_digest, text) != 0) {
        grt_error_add(errors, &place, "expected \"%s\", but it was \"%s\"", expect->trace_digest, text);
    }
}

bool grt_expect_check(const struct grt_expect *expect, const struct grt_result *result,
                      const struct grt_trace_memory *trace, uint64_t trace_digest,
                      struct grt_errors *errors) {
    size_t before = errors->count;
    uint64_t missed = 0, lost_items = 0;
    for (size_t i = 0; i < result->task_count; i++) {
        missed += result->tasks[i].missed;
    }
    for (size_t i = 0; i < result->gpu_count; i++) {
        lost_items += result->gpus[i].lost_items;
    }
    check_count(errors, &expect_path, "missed", expect->missed, missed);
    check_count(errors, &expect_path, "lost_items", expect->lost_items, lost_items);
    check_tasks(expect, result, errors);
    check_digest(expect, trace_digest, errors);
    if (grt_expect_needs_trace(expect)) {
        GRT_REQUIRE(trace != NULL, "keep the trace where grt_expect_needs_trace says so");
        grt_expect_check_trace(expect, result, trace, errors);
    }
    return errors->count == before;
}
