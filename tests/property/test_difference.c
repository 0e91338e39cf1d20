/* labels: soak */
/* Differences of random runs against a comparison at every instant. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random_world.h"
#include "tests/support/small_timeline.h"
#include "tests/support/suite.h"
#include "viz/answers/difference.h"

enum { MOST_SLICES = 60 }; /* of a row, that are compared at every instant */

/* ---- at every instant ---- */

struct thing {
    struct grt_slice slice;
    enum grt_track_part part;
    const char *label;
    uint32_t place; /* of a block's kernel */
};

struct things {
    struct thing all[2 * GRT_ROW_TRACKS * MOST_SLICES];
    uint32_t count;
};

static struct thing thing_of(const struct grt_timeline *timeline, enum grt_track_part part,
                             struct grt_slice slice) {
    struct thing thing = {slice, part, "", 0};
    if (part == GRT_PART_OWN || part == GRT_PART_OWN_MARK) {
        thing.label = timeline->labels[slice.detail];
        thing.slice.detail = 0;
    } else if (part == GRT_PART_MISS) {
        thing.slice.detail = 0;
    } else if (part == GRT_PART_BLOCK) {
        uint32_t number = grt_timeline_kernel_of(timeline, &slice);
        const struct grt_row *task = grt_timeline_row(timeline, GRT_ROW_TASK, slice.task);
        thing.place = number == GRT_NO_SLICE
                          ? UINT32_MAX
                          : grt_track_at(grt_row_track(task, GRT_PART_KERNEL), number).detail;
    }
    return thing;
}

/* False if there are too many. */
static bool things_of(struct things *things, const struct grt_timeline *timeline, uint32_t number) {
    things->count = 0;
    if (number == GRT_NO_ROW) {
        return true;
    }
    const struct grt_row *row = &timeline->rows[number];
    for (uint32_t i = 0; i < row->track_count; i++) {
        const struct grt_track *track = row->tracks[i].track;
        if (track->count > MOST_SLICES) {
            return false;
        }
        for (uint32_t j = 0; j < track->count; j++) {
            things->all[things->count++] = thing_of(timeline, row->tracks[i].part, grt_track_at(track, j));
        }
    }
    return true;
}

/* What of a thing is looked at: it begins, ends, or runs at an instant and until the next. */
enum look { BEGINS, ENDS, RUNS };

static bool is_there(const struct thing *thing, enum look look, grt_time instant) {
    switch (look) {
    case BEGINS:
        return thing->slice.start == instant;
    case ENDS:
        return thing->slice.end == instant;
    default:
        return thing->slice.start <= instant && thing->slice.end > instant;
    }
}

static bool same(const struct thing *a, const struct thing *b, enum look look) {
    bool end = a->part == GRT_PART_JOB; /* its detail is how it ended */
    return a->part == b->part && a->slice.job == b->slice.job && a->slice.task == b->slice.task &&
           strcmp(a->label, b->label) == 0 && a->place == b->place &&
           ((end && look != ENDS) || a->slice.detail == b->slice.detail) &&
           (look != ENDS || a->slice.flags == b->slice.flags);
}

static uint32_t count_of(const struct things *things, const struct thing *thing, enum look look,
                         grt_time instant) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < things->count; i++) {
        count += is_there(&things->all[i], look, instant) && same(&things->all[i], thing, look);
    }
    return count;
}

/* Whether there are other things in one than in the other. */
static bool differ(const struct things *a, const struct things *b, enum look look, grt_time instant) {
    for (uint32_t i = 0; i < a->count + b->count; i++) {
        const struct thing *thing = i < a->count ? &a->all[i] : &b->all[i - a->count];
        if (is_there(thing, look, instant) &&
            count_of(a, thing, look, instant) != count_of(b, thing, look, instant)) {
            return true;
        }
    }
    return false;
}

static int by_time(const void *a, const void *b) {
    grt_time left = *(const grt_time *)a, right = *(const grt_time *)b;
    return (left > right) - (left < right);
}

static uint32_t instants_of(const struct things *a, const struct things *b, grt_time *instants) {
    uint32_t count = 0, kept = 0;
    for (uint32_t i = 0; i < a->count + b->count; i++) {
        const struct thing *thing = i < a->count ? &a->all[i] : &b->all[i - a->count];
        instants[count++] = thing->slice.start;
        instants[count++] = thing->slice.end;
    }
    qsort(instants, count, sizeof *instants, by_time);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || instants[i] > instants[kept - 1]) {
            instants[kept++] = instants[i];
        }
    }
    return kept;
}

/* The spans of a track are where the rows differ, from one instant to the next. */
static bool spans_are_right(const struct things *a, const struct things *b, const struct grt_track *track) {
    static grt_time instants[8 * GRT_ROW_TRACKS * MOST_SLICES];
    uint32_t count = instants_of(a, b, instants), spans = 0;
    bool open = false;
    for (uint32_t i = 0; i < count; i++) {
        grt_time instant = instants[i];
        bool runs = differ(a, b, RUNS, instant);
        if (!open && (runs || differ(a, b, BEGINS, instant) || differ(a, b, ENDS, instant))) {
            open = true;
            if (spans == track->count || grt_track_at(track, spans).start != instant) {
                return false;
            }
        }
        if (open && !runs) {
            open = false;
            if (grt_track_at(track, spans++).end != instant) {
                return false;
            }
        }
    }
    return spans == track->count;
}

static bool rows_are_right(const struct grt_timeline *a, const struct grt_timeline *b,
                           const struct grt_difference *difference) {
    static struct things first, second;
    for (uint32_t i = 0; i < difference->row_count; i++) {
        const struct grt_difference_row *row = &difference->rows[i];
        if (row->rows.a == GRT_NO_ROW || row->rows.b == GRT_NO_ROW) {
            if (row->track.count > 0) {
                return false;
            }
            continue;
        }
        if (things_of(&first, a, row->rows.a) && things_of(&second, b, row->rows.b) &&
            !spans_are_right(&first, &second, &row->track)) {
            fprintf(stderr, "row %" PRIu32 "\n", i);
            return false;
        }
    }
    return true;
}

/* ---- jobs ---- */

static const struct grt_trace_record *end_of(const struct grt_trace_memory *trace, uint32_t task,
                                             uint32_t job) {
    for (size_t i = 0; i < trace->record_count; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->task == task && record->job == job &&
            (record->kind == GRT_TRACE_FINISH || record->kind == GRT_TRACE_ABORT ||
             record->kind == GRT_TRACE_UNFINISHED)) {
            return record;
        }
    }
    return NULL;
}

static grt_time response_of(const struct grt_trace_record *end) {
    return end != NULL && end->kind == GRT_TRACE_FINISH ? end->time - end->other : -1;
}

/* Every job that is listed says what the traces say, the worst first. */
static bool jobs_are_right(const struct grt_trace_memory *a, const struct grt_trace_memory *b,
                           const struct grt_difference *difference) {
    uint64_t last = UINT64_MAX;
    for (uint32_t i = 0; i < difference->job_count; i++) {
        const struct grt_difference_job *job = &difference->jobs[i];
        grt_time first = response_of(end_of(a, job->task, job->job)),
                 second = response_of(end_of(b, job->task, job->job));
        bool alone = (first < 0) != (second < 0);
        uint64_t size = alone ? UINT64_MAX : (uint64_t)llabs((long long)(first - second));
        if (job->response_a != first || job->response_b != second || size > last) {
            return false;
        }
        last = size;
    }
    return true;
}

/* Jobs that are not listed are the same. */
static uint32_t differing_responses(const struct grt_trace_memory *a, const struct grt_trace_memory *b) {
    uint32_t count = 0;
    for (size_t i = 0; i < a->record_count; i++) {
        const struct grt_trace_record *end = &a->records[i];
        if (end->kind == GRT_TRACE_FINISH) {
            count += response_of(end) != response_of(end_of(b, end->task, end->job));
        }
    }
    return count;
}

static uint32_t listed_responses(const struct grt_difference *difference) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < difference->job_count; i++) {
        count += difference->jobs[i].response_a >= 0 &&
                 difference->jobs[i].response_a != difference->jobs[i].response_b;
    }
    return count;
}

/* ---- both ways round ---- */

static bool mirrored(const struct grt_difference *one, const struct grt_difference *other) {
    bool good = one->row_count == other->row_count && one->first == other->first &&
                one->job_count == other->job_count && one->differing_jobs == other->differing_jobs;
    for (uint32_t i = 0; good && i < one->row_count; i++) {
        uint32_t row = one->rows[i].rows.a;
        uint32_t pair = row != GRT_NO_ROW ? other->pairs.of_b[row] : other->pairs.of_a[one->rows[i].rows.b];
        const struct grt_track *a = &one->rows[i].track, *b = &other->rows[pair].track;
        good = a->count == b->count;
        for (uint32_t j = 0; good && j < a->count; j++) {
            struct grt_slice first = grt_track_at(a, j), second = grt_track_at(b, j);
            good = first.start == second.start && first.end == second.end &&
                   (first.flags >> 1 & 1) == (second.flags & 1) &&
                   (second.flags >> 1 & 1) == (first.flags & 1);
        }
    }
    for (uint32_t i = 0; good && i < one->job_count; i++) {
        good = one->jobs[i].job == other->jobs[i].job &&
               one->jobs[i].response_a == other->jobs[i].response_b &&
               one->jobs[i].missed_b == other->jobs[i].missed_a;
    }
    return good;
}

static bool equal(const struct grt_difference *difference) {
    bool good = difference->first == GRT_TIME_NEVER && difference->differing_jobs == 0;
    for (uint32_t i = 0; i < difference->row_count; i++) {
        good = good && difference->rows[i].track.count == 0;
    }
    return good;
}

/* ---- worlds ---- */

static struct grt_difference compare(const struct grt_timeline *a, const struct grt_timeline *b,
                                     grt_time tolerance) {
    struct grt_difference difference;
    struct grt_difference_options options = {tolerance, false, 1000000};
    grt_difference_make(&difference, a, b, &options);
    return difference;
}

/* A run, and another of the same world under another policy or with a few records changed. */
struct couple {
    struct grt_builder *builders[2];
    struct grt_built_run runs[2];
    struct grt_timeline timelines[2];
};

/* No job ends twice. */
static void change(struct grt_trace_memory *trace, struct grt_random *random) {
    struct grt_trace_record *record = &trace->records[grt_random_below(random, trace->record_count)];
    switch (grt_random_below(random, 6)) {
    case 0:
        record->job ^= record->kind != GRT_TRACE_FINISH && record->kind != GRT_TRACE_ABORT &&
                       record->kind != GRT_TRACE_UNFINISHED;
        break;
    case 1:
        record->other -= record->kind == GRT_TRACE_RELEASE || record->other == 0 ? 0 : 1;
        break;
    case 2:
        record->flags ^= GRT_TRACE_PREEMPTED;
        break;
    case 3:
        record->detail ^= 1;
        break;
    case 4:
        record->time += 1;
        break;
    default:
        *record = trace->records[--trace->record_count];
    }
}

static void make(struct couple *couple, uint64_t number) {
    static const char *const policies[] = {"hardware", "np-edf"};
    struct grt_random random = grt_random_of_key(number);
    uint64_t changes = grt_random_below(&random, 4);
    for (int i = 0; i < 2; i++) {
        couple->builders[i] = grt_random_world(number);
        grt_built_run_under(&couple->runs[i], couple->builders[i], policies[changes == 0 ? i : 0]);
        struct grt_trace_memory *kept = &couple->runs[i].kept;
        for (uint64_t j = 0; i == 1 && j < changes && kept->record_count > 1; j++) {
            change(kept, &random);
        }
        grt_small_timeline(&couple->timelines[i], kept->names, kept->name_count, kept->records,
                           kept->record_count);
    }
}

static void unmake(struct couple *couple) {
    for (int i = 0; i < 2; i++) {
        grt_timeline_free(&couple->timelines[i]);
        grt_built_run_end(&couple->runs[i], couple->builders[i]);
    }
}

static bool judge(uint64_t number, uint32_t *differing) {
    static struct couple couple;
    make(&couple, number);
    const struct grt_timeline *a = &couple.timelines[0], *b = &couple.timelines[1];
    const struct grt_trace_memory *first = &couple.runs[0].kept, *second = &couple.runs[1].kept;
    struct grt_difference forth = compare(a, b, 0), back = compare(b, a, 0), self = compare(a, a, 0);
    struct grt_difference rough = compare(a, b, 50), rough_back = compare(b, a, 50);
    bool good = rows_are_right(a, b, &forth) && mirrored(&forth, &back) && mirrored(&rough, &rough_back) &&
                equal(&self) && jobs_are_right(first, second, &forth) &&
                differing_responses(first, second) == listed_responses(&forth);
    *differing += forth.first != GRT_TIME_NEVER;
    struct grt_difference *all[] = {&forth, &back, &self, &rough, &rough_back};
    for (int i = 0; i < 5; i++) {
        grt_difference_free(all[i]);
    }
    unmake(&couple);
    return good;
}

static void worlds(void) {
    int cases = grt_suite_cases(60, 1500);
    uint32_t differing = 0;
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        bool good = judge(750000 + i, &differing);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 "\n", 750000 + i);
            return;
        }
    }
    CU_ASSERT(differing > (uint32_t)cases / 2);
}

/* ---- tolerance ---- */

enum { JITTER = 3 };

/* Moves starts and ends by up to JITTER ns; not of kernels and blocks, since blocks must end with their kernels. */
static void jitter(struct grt_trace_memory *trace, struct grt_random *random) {
    for (size_t i = 0; i < trace->record_count; i++) {
        struct grt_trace_record *record = &trace->records[i];
        if (record->kind == GRT_TRACE_CPU || record->kind == GRT_TRACE_COPY ||
            record->kind == GRT_TRACE_GPU_SEGMENT || record->kind == GRT_TRACE_FINISH ||
            record->kind == GRT_TRACE_CALL) {
            record->time += (grt_time)grt_random_below(random, JITTER + 1);
            record->other += (grt_time)grt_random_below(random, JITTER + 1);
            record->other = record->other < record->time ? record->other : record->time;
        }
    }
}

/* What is moved by no more than the tolerance does not differ; the whole run moved by more differs. */
static bool forgives(uint64_t number) {
    static struct couple couple;
    struct grt_random random = grt_random_of_key(number);
    make(&couple, number);
    struct grt_timeline moved;
    struct grt_trace_memory *kept = &couple.runs[0].kept;
    jitter(kept, &random);
    grt_small_timeline(&moved, kept->names, kept->name_count, kept->records, kept->record_count);
    struct grt_difference none = compare(&couple.timelines[0], &moved, JITTER);
    bool good = none.first == GRT_TIME_NEVER;
    grt_difference_free(&none);
    grt_timeline_free(&moved);
    unmake(&couple);
    return good;
}

static void tolerance(void) {
    int cases = grt_suite_cases(60, 1500);
    for (uint64_t i = 0; i < (uint64_t)cases; i++) {
        bool good = forgives(760000 + i);
        CU_ASSERT(good);
        if (!good) {
            fprintf(stderr, "world %" PRIu64 "\n", 760000 + i);
            return;
        }
    }
}

/* A trace against itself, 1 ns later: everything differs, at a tolerance of 1 ns nothing. */
static void shifted(void) {
    static struct couple couple;
    struct grt_timeline later;
    make(&couple, 750001);
    struct grt_trace_memory *kept = &couple.runs[0].kept;
    for (size_t i = 0; i < kept->record_count; i++) {
        kept->records[i].time++;
        kept->records[i].other += kept->records[i].other != GRT_TIME_NEVER;
    }
    grt_small_timeline(&later, kept->names, kept->name_count, kept->records, kept->record_count);
    struct grt_difference exact = compare(&couple.timelines[0], &later, 0),
                          rough = compare(&couple.timelines[0], &later, 1);
    CU_ASSERT(exact.first <= 1);
    CU_ASSERT_EQUAL(exact.differing_jobs, 0);
    CU_ASSERT_EQUAL(rough.first, GRT_TIME_NEVER);
    grt_difference_free(&exact);
    grt_difference_free(&rough);
    grt_timeline_free(&later);
    unmake(&couple);
}

static CU_TestInfo tests[] = {
    {"random runs differ where a look at every instant says, either way round, and not from themselves",
     worlds},
    {"starts and ends that move by no more than the tolerance", tolerance},
    {"a run against itself, later", shifted},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("difference of random worlds", tests);
}
