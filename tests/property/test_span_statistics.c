/* labels: soak */
/* Statistics of spans of random worlds against loops over the records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/random_world.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/rank.h"
#include "viz/answers/span_statistics.h"

static const struct {
    enum grt_trace_kind kind;
    enum grt_row_kind row_kind;
    bool in_rows;
} forms[GRT_MEASURES] = {
    [GRT_MEASURE_RESPONSE] = {GRT_TRACE_FINISH, GRT_ROW_TASK, false},
    [GRT_MEASURE_GAP] = {GRT_TRACE_FINISH, GRT_ROW_TASK, false},
    [GRT_MEASURE_CPU] = {GRT_TRACE_CPU, GRT_ROW_CORE, true},
    [GRT_MEASURE_KERNEL] = {GRT_TRACE_KERNEL, GRT_ROW_STREAM, true},
    [GRT_MEASURE_COPY] = {GRT_TRACE_COPY, GRT_ROW_ENGINE, true},
    [GRT_MEASURE_BLOCK] = {GRT_TRACE_BLOCK, GRT_ROW_SM, true},
    [GRT_MEASURE_SUSPENDED] = {GRT_TRACE_GPU_SEGMENT, GRT_ROW_TASK, false},
    [GRT_MEASURE_BLOCKED] = {GRT_TRACE_BLOCKED, GRT_ROW_TASK, false},
    [GRT_MEASURE_OWN] = {GRT_TRACE_ROW_SLICE, GRT_ROW_POLICY, true},
};

/* Whether the task or the resource of a record is chosen. */
static bool is_chosen(const struct grt_timeline *timeline, const struct grt_span_question *question,
                      const struct grt_trace_record *record) {
    const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, record->task);
    if (question->rows == NULL || (task != NULL && question->rows[task - timeline->rows])) {
        return true;
    }
    bool with_grid = record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_BLOCK;
    uint32_t number = with_grid ? grt_trace_row(record->row) : record->row;
    const struct grt_row *row = grt_timeline_row(timeline, forms[question->measure].row_kind, number);
    return forms[question->measure].in_rows && row != NULL && question->rows[row - timeline->rows];
}

static bool has_instant(const struct grt_timeline *timeline, const struct grt_span_question *question,
                        grt_time instant) {
    return instant >= question->from &&
           (instant < question->to || (instant == question->to && question->to >= timeline->end));
}

/* From the finish before that of the task, of which the record tells; -1: there is none. */
static grt_time gap_before(const struct grt_built_run *run, const struct grt_trace_record *record) {
    for (const struct grt_trace_record *other = record; other-- > run->kept.records;) {
        if (other->kind == GRT_TRACE_FINISH && other->task == record->task) {
            return record->time - other->time;
        }
    }
    return -1;
}

/* The length that counts of a record; -1: none. */
static grt_time length_of(const struct grt_timeline *timeline, const struct grt_built_run *run,
                          const struct grt_span_question *question, const struct grt_trace_record *record) {
    if (question->measure == GRT_MEASURE_GAP) {
        return has_instant(timeline, question, record->time) ? gap_before(run, record) : -1;
    }
    if (question->measure == GRT_MEASURE_RESPONSE || record->time == record->other) {
        return has_instant(timeline, question, record->time) ? record->time - record->other : -1;
    }
    grt_time from = record->other > question->from ? record->other : question->from;
    grt_time to = record->time < question->to ? record->time : question->to;
    return to > from ? to - from : -1;
}

static int by_size(const void *a, const void *b) {
    grt_time left = *(const grt_time *)a, right = *(const grt_time *)b;
    return (left > right) - (left < right);
}

/* What counts of one task, or of all (task < 0), sorted. */
static uint32_t lengths_of(const struct grt_timeline *timeline, const struct grt_built_run *run,
                           const struct grt_span_question *question, int task, grt_time *lengths) {
    uint32_t count = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        bool wanted = record->kind == forms[question->measure].kind && (task < 0 || record->task == task) &&
                      is_chosen(timeline, question, record);
        grt_time length = wanted ? length_of(timeline, run, question, record) : -1;
        if (length >= 0) {
            lengths[count++] = length;
        }
    }
    qsort(lengths, count, sizeof *lengths, by_size);
    return count;
}

static bool same_line(const struct grt_span_line *line, const grt_time *lengths, uint32_t count) {
    grt_wide sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (grt_wide)(uint64_t)lengths[i];
    }
    if (line->count != count || line->sum != sum) {
        return false;
    }
    return count == 0 || (line->min == lengths[0] && line->max == lengths[count - 1] &&
                          line->p50 == lengths[grt_rank_of(count, 50) - 1] &&
                          line->p99 == lengths[grt_rank_of(count, 99) - 1] && line->min <= line->mean &&
                          line->mean <= line->max);
}

static uint32_t misses_in(const struct grt_timeline *timeline, const struct grt_span_question *question,
                          uint32_t task) {
    const struct grt_row *row = grt_timeline_row(timeline, GRT_ROW_TASK, task);
    const struct grt_track *signs = grt_row_track(row, GRT_PART_MISS);
    bool any = false;
    for (uint32_t i = 0; question->rows != NULL && i < timeline->first_rows[GRT_ROW_TASK + 1]; i++) {
        any |= question->rows[i];
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < signs->count; i++) {
        sum += (!any || question->rows[task]) && has_instant(timeline, question, grt_track_end(signs, i));
    }
    return sum;
}

static bool is_right(const struct grt_timeline *timeline, const struct grt_built_run *run,
                     const struct grt_span_question *question) {
    struct grt_span_statistics statistics;
    grt_time *lengths = malloc((run->kept.record_count + 1) * sizeof *lengths);
    grt_span_statistics_make(&statistics, timeline, question);
    uint32_t count = lengths_of(timeline, run, question, -1, lengths);
    bool good = same_line(&statistics.all, lengths, count);
    for (uint32_t i = 0; good && i < statistics.task_count; i++) {
        count = lengths_of(timeline, run, question, (int)i, lengths);
        good = same_line(&statistics.tasks[i], lengths, count) &&
               statistics.tasks[i].misses == misses_in(timeline, question, i);
    }
    free(lengths);
    grt_span_statistics_free(&statistics);
    return good;
}

static void choose(const struct grt_timeline *timeline, struct grt_random *random, bool *rows,
                   struct grt_span_question *question) {
    uint64_t end = (uint64_t)timeline->end;
    question->measure = (enum grt_measure)grt_random_below(random, GRT_MEASURES);
    question->from = (grt_time)grt_random_below(random, end + 1);
    question->to = question->from + 1 + (grt_time)grt_random_below(random, end + 1);
    if (grt_random_below(random, 5) == 0) {
        question->from = timeline->begin;
        question->to = timeline->end;
    }
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        rows[i] = grt_random_below(random, 3) == 0;
    }
    question->rows = grt_random_below(random, 2) == 0 ? NULL : rows;
}

/* The sums of the parts of a span are the sum of the whole. */
static bool adds_up(const struct grt_timeline *timeline, const struct grt_span_question *question) {
    struct grt_span_question first = *question, second = *question;
    struct grt_span_statistics parts[3];
    first.to = second.from = question->from + (question->to - question->from) / 2;
    if (first.to >= timeline->end) {
        return true; /* both have the end */
    }
    grt_span_statistics_make(&parts[0], timeline, question);
    grt_span_statistics_make(&parts[1], timeline, &first);
    grt_span_statistics_make(&parts[2], timeline, &second);
    bool good = parts[0].all.sum == parts[1].all.sum + parts[2].all.sum &&
                parts[0].all.misses == parts[1].all.misses + parts[2].all.misses;
    for (int i = 0; i < 3; i++) {
        grt_span_statistics_free(&parts[i]);
    }
    return good;
}

static bool judge(const char *policy, uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct grt_built_run run;
    struct grt_timeline timeline;
    struct grt_random random = grt_random_of_key(number);
    grt_built_run_under(&run, builder, policy);
    grt_small_timeline(&timeline, run.kept.names, run.kept.name_count, run.kept.records,
                       run.kept.record_count);
    bool *rows = malloc(timeline.row_count + 1), good = true;
    for (int i = 0; good && i < 40; i++) {
        struct grt_span_question question;
        choose(&timeline, &random, rows, &question);
        good = is_right(&timeline, &run, &question) && adds_up(&timeline, &question);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 " under %s: measure %d in [%" PRId64 ", %" PRId64 ")%s\n",
                    number, policy, (int)question.measure, question.from, question.to,
                    question.rows != NULL ? ", some rows" : "");
        }
    }
    free(rows);
    grt_timeline_free(&timeline);
    grt_built_run_end(&run, builder);
    return good;
}

static void worlds(void) {
    int cases = grt_suite_cases(40, 1000);
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        bool good = judge(i % 2 == 0 ? "hardware" : "np-edf", 730000 + i);
        CU_ASSERT(good);
        if (!good) {
            return;
        }
    }
}

static CU_TestInfo tests[] = {
    {"statistics of random spans are what the records say", worlds},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("span statistics of random worlds", tests);
}
