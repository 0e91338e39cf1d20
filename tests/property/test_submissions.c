/* labels: soak branches */
/* A policy that issues the commands of every segment in random order, whole or in pieces, to random streams, with calls of its own between
 * them, and aborts jobs at random: every command is executed once and in the order of its issue within its stream, every job comes to an
 * end, and every submission and call that is open ends or is of an aborted job. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "policies/registry.h"
#include "tests/support/audited_world.h"
#include "tests/support/job_checks.h"
#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

enum { STREAMS = 3, EVENTS = 2, MOST_ISSUES = 40000, CALLS_OPEN = 4096 };

/* A command that was issued, in the order of the issues to its stream. */
struct issued {
    uint32_t stream, task, job, place, nth; /* of the command's pieces */
};

struct log {
    struct issued *issued;
    uint32_t count;
    uint64_t aborts, calls, pieces, most_open; /* of one job */
    bool wrong;
    uint32_t open, peak; /* submissions and calls that are open, as long as no job was aborted */
    bool any_gone;
};

struct scatter_job {
    bool in_segment, gone;
    uint32_t open, left;
    bool whole[GRT_BUILDER_COMMANDS], busy[GRT_BUILDER_COMMANDS];
    int64_t units[GRT_BUILDER_COMMANDS]; /* submitted of it */
    uint32_t nth[GRT_BUILDER_COMMANDS];
};

struct scatter_submission {
    grt_job job;
    uint32_t first, commands;
    int64_t units;
};

struct scatter {
    struct log *log;           /* parameters */
    bool at_once, together;    /* all of a segment, in order in one stream; and in one submission */
    bool overruns;             /* kernels may take longer than declared */
    bool calls, aborts, waits; /* waits: the host may */
    struct grt_random random;
    grt_stream streams[GRT_MAX_GPUS][STREAMS];
    grt_stream_event events[GRT_MAX_GPUS][EVENTS];
    uint32_t label, timer;
    struct scatter_job jobs[GRT_BUILDER_TASKS];
    struct scatter_submission open[CALLS_OPEN]; /* by handle; commands and units 0: none */
    bool called[CALLS_OPEN];
};

static int64_t pick(struct scatter *self, int64_t from, int64_t to) {
    return grt_pick(&self->random, from, to);
}

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    struct scatter *self = state;
    (void)errors;
    *self = *(const struct scatter *)grt_policy_parameters(world);
    self->random = grt_random_of_key(grt_policy_scenario(world)->seed);
    for (uint32_t i = 0; i < grt_policy_scenario(world)->gpu_count; i++) {
        for (uint32_t j = 0; j < STREAMS; j++) {
            self->streams[i][j] = grt_policy_stream(world, i, -pick(self, 0, 2), "s");
        }
        for (uint32_t j = 0; j < EVENTS; j++) {
            self->events[i][j] = grt_policy_event(world, i);
        }
    }
    self->label = grt_policy_label(world, "its own");
    self->timer = grt_policy_new_timer(world);
    return true;
}

static const struct grt_segment *segment_of(const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    return &grt_policy_scenario(world)->tasks[view->task].segments[view->segment];
}

static void request(void *state, struct grt_world *world, grt_job job) {
    struct scatter *self = state;
    self->log->wrong |= self->jobs[job].open > 0;
    self->jobs[job] =
        (struct scatter_job){.in_segment = true, .left = (uint32_t)segment_of(world, job)->command_count};
}

static void withdrawn(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct scatter *)state)->jobs[job].in_segment = false;
}

static void submission_done(void *state, struct grt_world *world, grt_job job, grt_submission handle) {
    struct scatter *self = state;
    struct scatter_submission *done = &self->open[handle];
    self->log->wrong |= done->job != job || done->commands + (uint64_t)done->units == 0;
    uint32_t end = done->first + done->commands + (done->units > 0);
    for (uint32_t i = done->first; i < end;
         i++) { /* a time may be drawn shorter than its piece, or longer than declared */
        bool whole = grt_policy_is_submitted(world, job, i), was = self->jobs[job].whole[i];
        self->jobs[job].busy[i] = false;
        self->jobs[job].whole[i] = whole;
        self->jobs[job].left = self->jobs[job].left + was - whole;
    }
    self->log->open--;
    self->jobs[job].open--;
    *done = (struct scatter_submission){0};
}

static void call_done(void *state, struct grt_world *world, grt_submission call) {
    struct scatter *self = state;
    (void)world;
    self->log->wrong |= !self->called[call];
    self->called[call] = false;
    self->log->open--;
}

/* The job was aborted: its submissions are not told, and their handles are free. */
static void forget(struct scatter *self, grt_job job) {
    self->log->any_gone |= self->jobs[job].open > 0;
    for (uint32_t i = 0; self->jobs[job].open > 0 && i < CALLS_OPEN; i++) {
        if (self->open[i].job == job && self->open[i].commands + (uint64_t)self->open[i].units > 0) {
            self->open[i] = (struct scatter_submission){0};
            self->jobs[job].open--;
        }
    }
}

static void done(void *state, struct grt_world *world, grt_job job) {
    struct scatter *self = state;
    struct scatter_job *mine = &self->jobs[job];
    bool all = grt_policy_progress(world, job).step == segment_of(world, job)->command_count;
    self->log->wrong |= grt_policy_is_alive(world, job) && (mine->open > 0 || mine->left > 0 || !all);
    forget(self, job);
    mine->in_segment = false;
}

/* A handle is a task's, or one of those that are used again. */
static void note_handle(struct log *log, const struct grt_world *world, uint32_t handle) {
    log->open++;
    log->peak = log->open > log->peak ? log->open : log->peak;
    log->wrong |= !log->any_gone && handle >= grt_policy_scenario(world)->task_count + log->peak;
}

static void write_down(struct scatter *self, struct grt_world *world, grt_job job, grt_stream stream,
                       uint32_t command) {
    struct log *log = self->log;
    const struct grt_job_view *view = grt_policy_job(world, job);
    if (log->count < MOST_ISSUES && !self->overruns) {
        log->issued[log->count++] =
            (struct issued){stream, view->task, (uint32_t)view->number,
                            grt_trace_place(view->segment, command), self->jobs[job].nth[command]};
    }
    self->jobs[job].nth[command]++;
}

/* Issues some of what is free from a random command on. */
static void issue(struct scatter *self, struct grt_world *world, grt_job job) {
    struct scatter_job *mine = &self->jobs[job];
    const struct grt_segment *segment = segment_of(world, job);
    uint32_t count = (uint32_t)segment->command_count, first = (uint32_t)pick(self, 0, count - 1);
    uint32_t gpu = (uint32_t)grt_policy_scenario(world)->tasks[grt_policy_job(world, job)->task].gpu;
    grt_stream stream = self->streams[gpu][self->at_once ? 0 : pick(self, 0, STREAMS - 1)];
    while (self->at_once ? (first = count - mine->left, false) : (mine->whole[first] || mine->busy[first])) {
        first = (first + 1) % count;
    }
    struct grt_piece piece = {.commands = self->together ? count : 1};
    bool kernel = segment->commands[first].kind == GRT_COMMAND_KERNEL;
    const struct grt_step *step = &grt_policy_steps(world, grt_policy_job(world, job)->task,
                                                    grt_policy_job(world, job)->segment)[first];
    if (!self->at_once && kernel && step->units - mine->units[first] > 1 && pick(self, 0, 2) == 0) {
        piece = (struct grt_piece){.units = pick(self, 1, step->units - mine->units[first] - 1)};
    } else if (!self->at_once && !self->waits && first + 1 < count && !mine->whole[first + 1] &&
               !mine->busy[first + 1] && mine->units[first] + mine->units[first + 1] == 0 &&
               pick(self, 0, 2) == 0) {
        piece.commands = 2;
    }
    for (uint32_t i = first; i < first + piece.commands + (piece.units > 0); i++) {
        write_down(self, world, job, stream, i);
        mine->whole[i] = piece.units == 0;
        mine->busy[i] = piece.units > 0;
        mine->units[i] += piece.units;
        mine->left -= piece.units == 0;
    }
    grt_submission handle = grt_policy_issue(world, job, first, piece, stream);
    self->log->wrong |= handle >= CALLS_OPEN || self->called[handle] ||
                        self->open[handle].commands + (uint64_t)self->open[handle].units > 0;
    self->open[handle] = (struct scatter_submission){job, first, piece.commands, piece.units};
    note_handle(self->log, world, handle);
    self->log->pieces += piece.units > 0;
    mine->open++;
    self->log->most_open = mine->open > self->log->most_open ? mine->open : self->log->most_open;
}

static bool something_is_free(const struct scatter *self, const struct grt_world *world, grt_job job) {
    for (size_t i = 0; i < segment_of(world, job)->command_count; i++) {
        if (!self->jobs[job].whole[i] && !self->jobs[job].busy[i]) {
            return true;
        }
    }
    return false;
}

static void call(struct scatter *self, struct grt_world *world) {
    uint32_t gpu = (uint32_t)pick(self, 0, (int64_t)grt_policy_scenario(world)->gpu_count - 1);
    grt_stream stream = self->streams[gpu][pick(self, 0, STREAMS - 1)];
    grt_stream_event event = self->events[gpu][pick(self, 0, EVENTS - 1)];
    bool tell = pick(self, 0, 1) == 0;
    grt_submission handle;
    switch (pick(self, 0, 3)) {
    case 0:
        handle = grt_policy_record_event(world, stream, event, self->label, tell);
        break;
    case 1:
        handle = grt_policy_wait_event(world, stream, event, self->label, tell);
        break;
    case 2:
        handle = grt_policy_query_event(world, stream, event, self->label, tell);
        break;
    default:
        tell = true;
        handle = grt_policy_callback(world, stream, pick(self, 0, 9), self->label);
        break;
    }
    self->log->wrong |= tell != (handle != GRT_NO_SUBMISSION);
    if (tell) {
        self->log->wrong |= handle >= CALLS_OPEN || self->called[handle];
        self->called[handle] = true;
        note_handle(self->log, world, handle);
    }
    self->log->calls++;
}

static void decide(void *state, struct grt_world *world) {
    struct scatter *self = state;
    for (grt_job job = 0; job < grt_policy_scenario(world)->task_count; job++) {
        if (self->jobs[job].in_segment && !grt_policy_is_alive(world, job)) {
            self->jobs[job].gone = true;
            forget(self, job);
        }
    }
    for (grt_job job = 0; job < grt_policy_scenario(world)->task_count; job++) {
        struct scatter_job *mine = &self->jobs[job];
        while (mine->in_segment && !mine->gone && something_is_free(self, world, job) &&
               (self->at_once || mine->open == 0 || pick(self, 0, 2) > 0)) {
            issue(self, world, job);
            if (self->calls && pick(self, 0, 7) == 0) {
                call(self, world);
            }
        }
        if (self->aborts && mine->in_segment && !mine->gone && pick(self, 0, 15) == 0) {
            mine->gone = true;
            self->log->aborts++;
            grt_policy_abort(world, job);
        }
    }
    if (self->aborts && pick(self, 0, 3) == 0) { /* another chance at an instant of its own */
        grt_policy_timer(world, self->timer, grt_policy_now(world) + pick(self, 1, 20));
    }
}

static void released(void *state, struct grt_world *world, grt_job job) {
    (void)world;
    ((struct scatter *)state)->jobs[job] = (struct scatter_job){0};
}

static const struct grt_policy_ops scatter = {
    .name = "scatter",
    .summary = "any order, any stream",
    .state_size = sizeof(struct scatter),
    .parameters_size = sizeof(struct scatter),
    .start = start,
    .job_released = released,
    .gpu_request = request,
    .gpu_withdrawn = withdrawn,
    .gpu_submission_done = submission_done,
    .gpu_call_done = call_done,
    .gpu_done = done,
    .decide = decide,
};

/* ---- what was executed ---- */

/* When the nth slice of a command went on; false if there is none. A copy has one slice here. */
static bool find(const struct grt_built_run *run, const struct issued *issued, grt_time *from, grt_time *to) {
    uint32_t nth = 0;
    for (size_t i = 0; i < run->kept.record_count; i++) {
        const struct grt_trace_record *record = &run->kept.records[i];
        bool executes = record->kind == GRT_TRACE_KERNEL || record->kind == GRT_TRACE_COPY ||
                        record->kind == GRT_TRACE_CALL;
        if (executes && record->task == issued->task && record->job == issued->job &&
            record->detail == issued->place && nth++ == issued->nth) {
            *from = record->other;
            *to = record->time;
            return record->kind == GRT_TRACE_COPY || grt_trace_row(record->row) == issued->stream;
        }
    }
    return false;
}

/* In each stream, one after the other in the order of the issues; a job that finished has had them all. */
static bool in_order(const struct grt_built_run *run, const struct log *log) {
    grt_time ends[GRT_MAX_GPUS * STREAMS] = {0};
    for (uint32_t i = 0; i < log->count && i < MOST_ISSUES; i++) {
        const struct issued *issued = &log->issued[i];
        grt_time from = 0, to = 0;
        bool finished = grt_built_run_finish(run, issued->task, issued->job) != GRT_TIME_NEVER;
        bool found = find(run, issued, &from, &to);
        if ((finished && !found) || (found && from < ends[issued->stream])) {
            fprintf(stderr, "task %u job %u place %x: %s\n", issued->task, issued->job, issued->place,
                    found ? "before its turn" : "not executed");
            return false;
        }
        ends[issued->stream] = found ? to : ends[issued->stream];
    }
    return true;
}

/* ---- worlds ---- */

/* Kernels that may take longer than they are declared to: they end the piece that they are in. */
static void declare_too_little(struct grt_builder *builder) {
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        for (size_t j = 0; j < builder->tasks[i].segment_count; j++) {
            const struct grt_segment *segment = &builder->segments[i][j];
            struct grt_command_spec *commands = (struct grt_command_spec *)(uintptr_t)segment->commands;
            for (size_t k = 0; k < segment->command_count; k++) {
                commands[k].kernel.block_time.declared = (commands[k].kernel.block_time.max + 2) / 3;
            }
        }
    }
}

static struct grt_builder *make_world(uint64_t number, bool ends) {
    static const grt_time times[] = {0, 10, 10, 70};
    struct grt_builder *builder = number % 3 == 0 ? grt_audited_world(number, GRT_AUDITED_CALLS)
                                                  : grt_audited_world(number, GRT_AUDITED_PLAIN);
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        struct grt_task *task = &builder->tasks[i];
        if (ends && task->arrival != GRT_ARRIVAL_AFTER) {
            grt_builder_times(builder, task, times, 4);
        }
        task->on_miss = ends && task->on_miss == GRT_MISS_STOP ? GRT_MISS_ABORT : task->on_miss;
    }
    if (number % 7 == 0) {
        declare_too_little(builder);
    }
    builder->scenario.horizon = ends ? 1000000 : builder->scenario.horizon;
    return builder;
}

struct total {
    uint64_t aborts, calls, pieces, most_open, issued, finished, blocked;
};

static bool all_ended(const struct grt_result *result) {
    bool good = true;
    for (size_t i = 0; i < result->task_count; i++) {
        good &= result->tasks[i].unfinished == 0;
    }
    return good;
}

static bool world_is_right(uint64_t number, struct total *total) {
    bool ends = number % 2 == 0;
    struct grt_builder *builder = make_world(number, ends);
    struct log log = {.issued = grt_allocate(MOST_ISSUES * sizeof(struct issued))};
    struct scatter *parameters = calloc(1, sizeof *parameters);
    parameters->log = &log;
    parameters->overruns = number % 7 == 0;
    parameters->calls = number % 5 != 0;
    parameters->aborts = number % 4 == 1 || number % 4 == 2;
    parameters->waits = number % 3 == 0;
    struct grt_built_run run;
    grt_built_run_start_with(&run, &builder->scenario, &scatter, parameters, false);
    struct grt_audit_promise promise = {.end = run.result->end, .any_order = true};
    bool good = !log.wrong && (!ends || all_ended(run.result)) &&
                grt_job_checks_pass(&builder->scenario, &run) && in_order(&run, &log) &&
                grt_audit_records(&builder->scenario, &promise, run.kept.records, run.kept.record_count, NULL,
                                  false) == 0;
    if (!good) {
        fprintf(stderr, "world %" PRIu64 "%s%s\n", number, log.wrong ? ": told wrongly" : "",
                ends && !all_ended(run.result) ? ": a job never ends" : "");
    }
    total->aborts += log.aborts;
    total->calls += log.calls;
    total->pieces += log.pieces;
    total->issued += log.count;
    total->blocked += grt_built_run_count(&run, GRT_TRACE_BLOCKED);
    total->finished += grt_built_run_count(&run, GRT_TRACE_FINISH);
    total->most_open = log.most_open > total->most_open ? log.most_open : total->most_open;
    grt_built_run_free(&run);
    grt_builder_free(builder);
    free(parameters);
    free(log.issued);
    return good;
}

static void every_command_is_executed_once_in_its_turn(void) {
    int cases = grt_suite_cases(1500, 100000);
    struct total total = {0};
    bool good = true;
    for (int i = 0; good && i < cases; i++) {
        good = world_is_right((uint64_t)i, &total);
    }
    CU_ASSERT(good);
    fprintf(stderr,
            "%" PRIu64 " issues, %" PRIu64 " of pieces, %" PRIu64 " calls, %" PRIu64 " aborts, %" PRIu64
            " jobs finished, %" PRIu64 " segments blocked, up to %" PRIu64 " submissions of a job\n",
            total.issued, total.pieces, total.calls, total.aborts, total.finished, total.blocked,
            total.most_open);
    CU_ASSERT(total.issued > 10 * (uint64_t)cases && total.pieces > (uint64_t)cases &&
              total.calls > (uint64_t)cases && total.aborts > (uint64_t)cases / 4 &&
              total.finished > (uint64_t)cases && total.blocked > (uint64_t)cases / 2 && total.most_open > 3);
}

/* Every command by itself, all at once in one stream, is the segment in one submission, record by record. */
static bool is_one_submission(uint64_t number) {
    struct grt_builder *builder = grt_random_world(number);
    struct log log = {.issued = grt_allocate(MOST_ISSUES * sizeof(struct issued))};
    struct scatter *parameters = calloc(1, sizeof *parameters);
    parameters->log = &log;
    parameters->at_once = true;
    struct grt_built_run apart, whole;
    grt_built_run_start_with(&apart, &builder->scenario, &scatter, parameters, false);
    parameters->together = true;
    grt_built_run_start_with(&whole, &builder->scenario, &scatter, parameters, true);
    bool good = !log.wrong && grt_built_traces_equal(&apart, &whole);
    grt_built_run_free(&apart);
    grt_built_run_free(&whole);
    grt_builder_free(builder);
    free(parameters);
    free(log.issued);
    return good;
}

static void commands_by_themselves_are_the_segment(void) {
    bool good = true;
    for (uint64_t i = 0; good && i < (uint64_t)grt_suite_cases(500, 20000); i++) {
        good = is_one_submission(i);
    }
    CU_ASSERT(good);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"every command is executed once, in its turn", every_command_is_executed_once_in_its_turn},
        {"commands by themselves are the segment", commands_by_themselves_are_the_segment},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("submissions in random worlds", tests);
}
