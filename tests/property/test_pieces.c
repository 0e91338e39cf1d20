/* labels: soak branches */
/* GPU segments in pieces: a policy cuts every segment of random worlds by budgets of its own. What jobs execute is the same as in one piece,
 * every piece takes at most what was told, and a piece of everything is the whole segment, record by record. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* ---- the policy: first come, first served, a piece at a time ---- */

enum { NO_LIMIT = 0 };

struct cutter {
    grt_time smallest, spread; /* parameters: the budgets; smallest NO_LIMIT: everything in one piece */
    int64_t *pieces, *late;    /* how many were submitted; how many took longer than told */
    struct grt_random random;
    struct cutter_gpu {
        grt_stream stream;
        struct grt_ready_queue waiting;
        bool busy;
        grt_time begun, told; /* of the piece; told: NEVER where it was not asked */
    } gpus[GRT_MAX_GPUS];
    int64_t turn;                                 /* of the queues' keys */
    struct grt_step_cursor at[GRT_BUILDER_TASKS]; /* progress of each handle when it was asked last, */
    uint64_t number[GRT_BUILDER_TASKS];           /* of this job, from 1, */
    uint32_t segment[GRT_BUILDER_TASKS];          /* and segment */
    struct begun { /* of each handle: the segment whose beginning was told last */
        bool any;
        uint64_t job;
        uint32_t segment;
    } begun[GRT_BUILDER_TASKS];
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct cutter *self = state;
    (void)errors;
    *self = *(const struct cutter *)grt_policy_parameters(world);
    self->random = grt_random_of_key(1);
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        self->gpus[i].stream = grt_policy_stream(world, i, 0, "gpu");
        self->gpus[i].waiting =
            grt_policy_ready_queue(world, (uint32_t)grt_policy_scenario(world)->task_count);
    }
    return true;
}

static struct cutter_gpu *gpu_of(struct cutter *self, const struct grt_world *world, grt_job job) {
    return &self->gpus[grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct cutter *self = state;
    bool whole = self->smallest == NO_LIMIT;
    int64_t key = whole ? grt_policy_job(world, job)->requested : self->turn++;
    grt_ready_queue_push(&gpu_of(self, world, job)->waiting, key, grt_policy_job(world, job)->tie, job);
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    grt_ready_queue_remove(&gpu_of(state, world, job)->waiting, job);
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct cutter *self = state;
    struct cutter_gpu *gpu = gpu_of(self, world, job);
    *self->late += gpu->told != GRT_TIME_NEVER && grt_policy_now(world) - gpu->begun > gpu->told;
    gpu->busy = false;
}

/* Told once for each segment, whatever its pieces. */
static void begun(void *state, struct grt_world *world, grt_job job) {
    struct cutter *self = state;
    const struct grt_job_view *view = grt_policy_job(world, job);
    struct begun now = {true, view->number, view->segment}, *last = &self->begun[job];
    CU_ASSERT(!last->any || last->job != now.job || last->segment != now.segment);
    *last = now;
}

static void piece_done(void *state, struct grt_world *world, grt_job job) {
    done(state, world, job);
    request(state, world, job);
}

/* Progress is where the last piece ended. */
static void check_progress(struct cutter *self, struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    struct grt_step_cursor at = grt_policy_progress(world, job), *was = &self->at[job];
    bool same = self->number[job] == view->number + 1 && self->segment[job] == view->segment;
    CU_ASSERT(same ? at.step > was->step || (at.step == was->step && at.unit > was->unit)
                   : at.step + (size_t)at.unit == 0);
    *was = at;
    self->number[job] = view->number + 1;
    self->segment[job] = view->segment;
}

static void submit(struct cutter *self, struct grt_world *world, struct cutter_gpu *gpu, grt_job job) {
    check_progress(self, world, job);
    grt_time budget = self->smallest;
    if (budget == NO_LIMIT) {
        gpu->told = GRT_TIME_NEVER;
        grt_policy_submit(world, job, gpu->stream);
        return;
    }
    budget += (grt_time)grt_random_below(&self->random, (uint64_t)self->spread);
    struct grt_piece piece = grt_policy_piece_within(world, job, budget, &gpu->told);
    if (piece.commands == 0 && piece.units == 0) { /* not even a block */
        CU_ASSERT(gpu->told == 0);
        gpu->told = GRT_TIME_NEVER;
        bool least = grt_random_below(&self->random, 2) == 0;
        piece = least ? (struct grt_piece){.units = 1} : (struct grt_piece){.commands = 1};
    } else if (gpu->told > budget) {
        *self->late += 1;
    }
    grt_policy_submit_piece(world, job, gpu->stream, piece);
    *self->pieces += 1;
}

static void decide(void *state, struct grt_world *world) {
    struct cutter *self = state;
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        struct cutter_gpu *gpu = &self->gpus[i];
        if (!gpu->busy && !grt_ready_queue_is_empty(&gpu->waiting)) {
            gpu->busy = true;
            gpu->begun = grt_policy_now(world);
            submit(self, world, gpu, grt_ready_queue_pop(&gpu->waiting));
        }
    }
}

static const struct grt_policy_ops cutter = {
    .name = "cutter",
    .summary = "a piece at a time, first come, first served",
    .state_size = sizeof(struct cutter),
    .parameters_size = sizeof(struct cutter),
    .start = start,
    .gpu_request = request,
    .gpu_begun = begun,
    .gpu_withdrawn = withdrawn,
    .gpu_piece_done = piece_done,
    .gpu_done = done,
    .decide = decide,
};

/* ---- runs ---- */

struct count {
    int64_t pieces, late, overruns, blocks, cut; /* cut: worlds in which kernels were */
};

static void run(struct grt_built_run *run, const struct grt_scenario *scenario, grt_time smallest,
                struct count *count, bool no_cohorts) {
    struct cutter parameters = {
        .smallest = smallest, .spread = 1 + 3 * smallest, .pieces = &count->pieces, .late = &count->late};
    grt_built_run_start_with(run, scenario, &cutter, &parameters, no_cohorts);
}

/* ---- what was executed ---- */

/* What jobs executed, in an order that does not depend on when. */
struct executed {
    uint32_t task, job, kind, detail;
    uint32_t place; /* of blocks: which kernel of the job */
    grt_time duration;
};

static int compare(const void *left, const void *right) {
    const struct executed *a = left, *b = right;
#define COMPARE(field)                                                                                       \
    if (a->field != b->field) {                                                                              \
        return a->field < b->field ? -1 : 1;                                                                 \
    }
    COMPARE(task)
    COMPARE(job)
    COMPARE(kind)
    COMPARE(place)
    COMPARE(detail)
    COMPARE(duration)
#undef COMPARE
    return 0;
}

/* Whether a kernel is described by its time: its pieces' times add up, its blocks are SMs. */
static bool is_whole(const struct grt_scenario *scenario, uint32_t task, uint32_t place) {
    return scenario->tasks[task]
        .segments[grt_trace_segment(place)]
        .commands[grt_trace_command(place)]
        .kernel.whole_device;
}

static bool finished(const struct grt_built_run *run, const struct grt_trace_record *record) {
    return grt_built_run_finish(run, record->task, record->job) != GRT_TIME_NEVER;
}

/* A block's record comes before its kernel's. */
static uint32_t kernel_of(const struct grt_built_run *run, size_t block) {
    const struct grt_trace_record *records = run->kept.records;
    for (size_t i = block + 1; i < run->kept.record_count; i++) {
        if (records[i].kind == GRT_TRACE_KERNEL && records[i].task == records[block].task) {
            return records[i].detail;
        }
    }
    return UINT32_MAX;
}

/* Everything that jobs which finished in both runs executed; the caller frees it. */
static size_t collect(const struct grt_scenario *scenario, const struct grt_built_run *one,
                      const struct grt_built_run *other, struct executed **list) {
    size_t count = 0;
    *list = grt_allocate((one->kept.record_count + 1) * sizeof **list);
    for (size_t i = 0; i < one->kept.record_count; i++) {
        const struct grt_trace_record *record = &one->kept.records[i];
        bool block = record->kind == GRT_TRACE_BLOCK, kernel = record->kind == GRT_TRACE_KERNEL;
        bool counts = block || kernel || record->kind == GRT_TRACE_COPY || record->kind == GRT_TRACE_CALL;
        if (!counts || !finished(one, record) || !finished(other, record)) {
            continue;
        }
        uint32_t place = block ? kernel_of(one, i) : record->detail;
        bool whole = (block || kernel) && is_whole(scenario, record->task, place);
        if ((kernel && !whole) || (block && whole)) {
            continue; /* pieces of a kernel end when they do; its blocks say what was executed, or its time does */
        }
        bool timed = record->kind != GRT_TRACE_CALL; /* the last one of a piece takes at least 1 ns */
        (*list)[count++] = (struct executed){.task = record->task,
                                             .job = record->job,
                                             .kind = record->kind,
                                             .detail = block ? record->detail : 0,
                                             .place = place,
                                             .duration = timed ? record->time - record->other : 0};
    }
    qsort(*list, count, sizeof **list, compare);
    return count;
}

/* Adds up the pieces of kernels that are described by their times. */
static size_t add_up(const struct grt_scenario *scenario, struct executed *list, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = kept > 0 && list[i].kind == GRT_TRACE_KERNEL && list[kept - 1].kind == GRT_TRACE_KERNEL &&
                    list[i].task == list[kept - 1].task && list[i].job == list[kept - 1].job &&
                    list[i].place == list[kept - 1].place && is_whole(scenario, list[i].task, list[i].place);
        if (same) {
            list[kept - 1].duration += list[i].duration;
        } else {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static bool executed_the_same(const struct grt_scenario *scenario, const struct grt_built_run *whole,
                              const struct grt_built_run *cut, struct count *count) {
    struct executed *a, *b;
    size_t whole_count = collect(scenario, whole, cut, &a), cut_count = collect(scenario, cut, whole, &b);
    whole_count = add_up(scenario, a, whole_count);
    cut_count = add_up(scenario, b, cut_count);
    bool good = whole_count == cut_count;
    if (!good) {
        fprintf(stderr, "%zu things were executed, in pieces %zu\n", whole_count, cut_count);
    }
    for (size_t i = 0; good && i < whole_count; i++) {
        good = compare(&a[i], &b[i]) == 0;
        count->blocks += a[i].kind == GRT_TRACE_BLOCK;
        if (!good) {
            fprintf(stderr, "task %u job %u kind %u place %u detail %u: %" PRId64 ", in pieces %" PRId64 "\n",
                    a[i].task, a[i].job, a[i].kind, a[i].place, a[i].detail, a[i].duration, b[i].duration);
        }
    }
    free(a);
    free(b);
    return good;
}

/* ---- worlds ---- */

/* Kernels that may take longer than they are declared to. */
static void declare_too_little(struct grt_builder *builder) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &builder->segments[i][j];
            for (size_t k = 0; k < segment->command_count; k++) {
                struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
                struct grt_distribution *time = &commands[k].kernel.block_time;
                time->declared = (time->max + 2) / 3;
            }
        }
    }
}

static struct grt_builder *make_world(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    if (number % 5 == 0) {
        declare_too_little(builder);
    }
    if (number % 3 == 0) {
        grt_random_world_add_calls(builder, number);
    }
    return builder;
}

static bool world_is_right(uint64_t number, struct count *count) {
    struct grt_builder *builder = make_world(number);
    const struct grt_scenario *scenario = &builder->scenario;
    struct grt_built_run fifo, whole, cut, alike;
    grt_built_run_start(&fifo, scenario, grt_policy_find("fifo"), false);
    run(&whole, scenario, NO_LIMIT, count, false);
    bool good = grt_built_traces_equal(&fifo, &whole);
    grt_time smallest = INT64_C(1) << number % 14;
    run(&cut, scenario, smallest, count, false);
    run(&alike, scenario, smallest, &(struct count){0}, true);
    good = good && grt_built_traces_equal(&cut, &alike) && executed_the_same(scenario, &whole, &cut, count) &&
           (count->late == 0 || number % 5 == 0);
    count->overruns += count->late;
    count->late = 0;
    count->cut += grt_built_run_count(&cut, GRT_TRACE_KERNEL) > grt_built_run_count(&whole, GRT_TRACE_KERNEL);
    if (!good) {
        fprintf(stderr, "world %" PRIu64 ", late %" PRId64 "\n", number, count->late);
    }
    grt_built_run_free(&fifo);
    grt_built_run_free(&whole);
    grt_built_run_free(&cut);
    grt_built_run_free(&alike);
    grt_builder_free(builder);
    return good;
}

static void the_same_in_pieces(void) {
    int cases = grt_suite_cases(2000, 100000);
    struct count count = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right(31000000 + (uint64_t)i, &count);
    }
    CU_ASSERT(good);
    CU_ASSERT(count.pieces > 5 * cases && count.blocks > 10 * cases && count.cut > cases / 10);
    CU_ASSERT(count.overruns > cases / 100);
}

/* ---- horizon "auto" ---- */

/* The lowest task first, 5 ns at a time. */
struct lowest {
    grt_stream stream;
    bool busy, waiting[2];
};

static bool start_lowest(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct lowest *self = state;
    (void)errors;
    self->stream = grt_policy_stream(world, 0, 0, "gpu");
    return true;
}

static void request_lowest(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct lowest *)state)->waiting[job] = true;
}

static void done_lowest(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    (void)job;
    ((struct lowest *)state)->busy = false;
}

static void piece_done_lowest(void *state, struct grt_world *world, grt_job job) {
    done_lowest(state, world, job);
    request_lowest(state, world, job);
}

static void decide_lowest(void *state, struct grt_world *world) {
    struct lowest *self = state;
    for (grt_job job = 0; job < 2 && !self->busy; job++) {
        if (self->waiting[job]) {
            self->waiting[job] = false;
            self->busy = true;
            grt_policy_submit_piece(world, job, self->stream, grt_policy_piece_within(world, job, 5, NULL));
        }
    }
}

static const struct grt_policy_ops lowest = {
    .name = "lowest",
    .summary = "the lowest task first, in pieces",
    .state_size = sizeof(struct lowest),
    .memoryless = true,
    .start = start_lowest,
    .gpu_request = request_lowest,
    .gpu_piece_done = piece_done_lowest,
    .gpu_done = done_lowest,
    .decide = decide_lowest,
};

/* The boundaries are at 85, 185, 285. b executes from 50 to 85, a from 85 to 90 and again from 150 to 160, which takes 10 from the second job of b,
 * though both jobs of b asked 35 before their boundary. All later ones are as the second. */
static void how_far_a_segment_is_belongs_to_the_state(void) {
    struct grt_builder *builder = grt_builder_create(0);
    struct grt_built_run run;
    grt_builder_gpu(builder, grt_built_exclusive());
    struct grt_task *a = grt_builder_task(builder, "a"), *b = grt_builder_task(builder, "b");
    grt_builder_periodic(a, 100, 85);
    grt_builder_whole(builder, a, 5);
    grt_builder_cpu(builder, a, 60);
    grt_builder_gpu_segment(builder, a);
    grt_builder_whole(builder, a, 10);
    grt_builder_periodic(b, 100, 50);
    grt_builder_whole(builder, b, 50);
    builder->scenario.horizon_kind = GRT_HORIZON_AUTO;
    grt_built_run_start(&run, &builder->scenario, &lowest, false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.result);
    CU_ASSERT(run.result->stopped_by_repeat);
    CU_ASSERT_EQUAL(run.result->end, 285);
    grt_built_run_free(&run);
    grt_builder_free(builder);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"the same in pieces", the_same_in_pieces},
        {"how far a segment is belongs to the state", how_far_a_segment_is_belongs_to_the_state},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("pieces", tests);
}
