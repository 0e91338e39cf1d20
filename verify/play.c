#include "verify/play.h"

#include <stdlib.h>
#include <string.h>

#include "models/analysis.h"
#include "models/world.h"
#include "verify/promised.h"

enum { MOST_RULES = 128 };

struct grt_player {
    const struct grt_subject *subject;
    struct grt_played played;
    struct grt_seen seen;
    /* of each task: 1 + the GPU segment whose start was seen last, of the job `segment_job` */
    uint32_t *segment;
    uint32_t *segment_job;
    struct grt_arena_store store; /* of the worlds, one after the other */
    struct grt_arena arena;       /* of `prepared` */
    const void *prepared;         /* by the policy */
    struct grt_arena promise_arena;
    struct grt_audit_promise promise;
    bool *made_without; /* which tasks were absent when these two were made */
    bool is_made;
    struct grt_audit_count counts[MOST_RULES];
    size_t count_count;
};

/* ---- what the trace says ---- */

static void see_job(struct grt_player *player, const struct grt_trace_record *record, bool late) {
    struct grt_seen_task *task = &player->seen.tasks[player->played.numbers[record->task]];
    grt_time response = record->time - record->other;
    task->jobs++;
    if (record->kind != GRT_TRACE_ABORT && response > task->response) {
        task->response = response;
        task->job = record->job;
        task->end = record->time;
        task->ended = record->kind == GRT_TRACE_FINISH;
    }
    if (late && task->missing_end < 0) {
        task->missing_job = record->job;
        task->missing_end = record->time;
    }
}

static void see_instant(struct grt_seen *seen, uint32_t task, bool is_row, grt_time time) {
    if (seen->instant_count < GRT_SEEN_INSTANTS) {
        seen->instants[seen->instant_count++] =
            (struct grt_seen_instant){.task = task, .is_row = is_row, .time = time};
    }
}

/* The first command of a GPU segment to end is the first to have begun, or close enough to it for a pattern. Calls of the policy's own are
 * of no task. */
static void see_start(struct grt_player *player, const struct grt_trace_record *record) {
    if (record->task == GRT_TRACE_NO_TASK) {
        return;
    }
    uint32_t segment = 1u + grt_trace_segment(record->detail);
    if (player->segment[record->task] != segment || player->segment_job[record->task] != record->job) {
        player->segment[record->task] = segment;
        player->segment_job[record->task] = record->job;
        see_instant(&player->seen, player->played.numbers[record->task], false, record->other);
    }
}

static void see_row(struct grt_player *player, const struct grt_trace_record *record) {
    uint32_t task =
        record->task == GRT_TRACE_NO_TASK ? GRT_ANALYSIS_NO_TASK : player->played.numbers[record->task];
    see_instant(&player->seen, task, true,
                record->kind == GRT_TRACE_ROW_SLICE ? record->other : record->time);
}

static void see(struct grt_player *player, const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_FINISH:
    case GRT_TRACE_UNFINISHED:
        see_job(player, record, (record->flags & GRT_TRACE_LATE) != 0);
        break;
    case GRT_TRACE_ABORT:
        see_job(player, record, true);
        break;
    case GRT_TRACE_KERNEL:
    case GRT_TRACE_COPY:
    case GRT_TRACE_CALL:
        see_start(player, record);
        break;
    case GRT_TRACE_ROW_SLICE:
    case GRT_TRACE_ROW_MARK:
        see_row(player, record);
        break;
    default:
        break;
    }
}

static bool no_names(void *sink, const struct grt_trace_name *names, size_t count) {
    (void)sink;
    (void)names;
    (void)count;
    return true;
}

static bool see_records(void *sink, const struct grt_trace_record *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        see(sink, &records[i]);
    }
    return true;
}

static bool nothing_to_end(void *sink) {
    (void)sink;
    return true;
}

static const struct grt_trace_sink seeing_sink = {no_names, see_records, nothing_to_end};

static void forget(struct grt_player *player) {
    struct grt_seen *seen = &player->seen;
    for (size_t i = 0; i < seen->task_count; i++) {
        seen->tasks[i] = (struct grt_seen_task){.response = -1, .missing_end = -1};
        player->segment[i] = 0;
    }
    seen->jobs = seen->missed = seen->finding_count = 0;
    seen->instant_count = 0;
}

/* ---- one run ---- */

static void sum_up(struct grt_player *player, const struct grt_result *result) {
    struct grt_seen *seen = &player->seen;
    seen->end = result->end;
    for (size_t i = 0; i < result->task_count; i++) {
        seen->tasks[player->played.numbers[i]].missed = result->tasks[i].missed;
        seen->missed += result->tasks[i].missed;
    }
    for (size_t i = 0; i < seen->task_count; i++) {
        seen->jobs += seen->tasks[i].jobs;
    }
}

static void make_promise(struct grt_player *player) {
    const struct grt_subject *subject = player->subject;
    grt_arena_clear(&player->promise_arena);
    player->promise =
        grt_promised(&player->played.scenario, subject->policy, subject->parameters, &player->promise_arena);
}

/* What the policy prepares for the played tasks and promises of them. Both depend on which tasks there are, and on nothing else that a
 * pattern says; but who goes first in a batch depends on average runtimes, which are drawn by the pattern's seed from its times. */
static void make_for_played(struct grt_player *player, bool audit) {
    const struct grt_subject *subject = player->subject;
    bool same = player->is_made;
    for (size_t i = 0; i < player->seen.task_count; i++) {
        bool absent = player->played.places[i] == UINT32_MAX;
        same = same && player->made_without[i] == absent;
        player->made_without[i] = absent;
    }
    if (!same) {
        grt_arena_clear(&player->arena);
        player->prepared =
            grt_world_prepare(&player->played.scenario, subject->policy, subject->parameters, &player->arena);
    }
    if (!same || (audit && player->promise.policy.gpu == GRT_PROMISE_BATCHES)) {
        make_promise(player);
    }
    player->is_made = true;
    player->promise.end = player->played.scenario.horizon;
}

/* Runs the played scenario; false after adding errors. */
static bool run(struct grt_player *player, struct grt_audit *audit, struct grt_errors *errors) {
    struct grt_world_options options = {
        .trace = grt_trace_create(), .store = &player->store, .prepared = player->prepared};
    grt_trace_add_sink(options.trace, &seeing_sink, player);
    if (audit != NULL) {
        grt_trace_add_sink(options.trace, &grt_audit_sink, audit);
    }
    forget(player);
    struct grt_world *world = grt_world_create(&player->played.scenario, player->subject->policy,
                                               player->subject->parameters, &options, errors);
    if (world != NULL) {
        grt_world_run(world);
        grt_trace_finish(options.trace);
        sum_up(player, grt_world_result(world));
        grt_world_free(world);
    }
    grt_trace_free(options.trace);
    return world != NULL;
}

/* ---- auditing ---- */

static void add_count(struct grt_player *player, const struct grt_audit_count *count) {
    size_t place = 0;
    while (place < player->count_count && strcmp(player->counts[place].rule, count->rule) != 0) {
        place++;
    }
    if (place == MOST_RULES) {
        return;
    }
    if (place == player->count_count) {
        player->counts[player->count_count++] = (struct grt_audit_count){.rule = count->rule};
    }
    player->counts[place].checked += count->checked;
    player->counts[place].broken += count->broken;
}

static void take_findings(struct grt_player *player, struct grt_audit *audit) {
    size_t count = 0;
    player->seen.finding_count = grt_audit_finish(audit);
    const struct grt_audit_finding *findings = grt_audit_findings(audit, &count);
    if (count > 0) {
        player->seen.finding = findings[0];
        uint32_t task = findings[0].task;
        bool nobody = task >= player->played.scenario.task_count;
        player->seen.finding.task = nobody ? GRT_ANALYSIS_NO_TASK : player->played.numbers[task];
    }
    const struct grt_audit_count *counts = grt_audit_counts(audit, &count);
    for (size_t i = 0; i < count; i++) {
        add_count(player, &counts[i]);
    }
}

/* An auditor has to know when the run ends: where that was before the horizon, it hears the run again. */
static bool run_audited(struct grt_player *player, struct grt_errors *errors) {
    struct grt_audit_promise promise = player->promise;
    bool done, again = false;
    do {
        struct grt_audit *audit = grt_audit_create(&player->played.scenario, &promise);
        done = run(player, audit, errors);
        again = done && player->seen.end != promise.end;
        promise.end = player->seen.end;
        if (done && !again) {
            take_findings(player, audit);
        }
        grt_audit_free(audit);
    } while (again);
    return done;
}

const struct grt_seen *grt_player_play(struct grt_player *player, const struct grt_pattern *pattern,
                                       bool audit, struct grt_errors *errors) {
    grt_played_set(&player->played, player->subject, pattern);
    make_for_played(player, audit);
    bool done = audit ? run_audited(player, errors) : run(player, NULL, errors);
    return done ? &player->seen : NULL;
}

/* ---- the player ---- */

struct grt_player *grt_player_create(const struct grt_subject *subject) {
    struct grt_player *player = grt_allocate(sizeof *player);
    size_t count = subject->scenario->task_count;
    *player = (struct grt_player){.subject = subject, .seen.task_count = count};
    player->seen.tasks = grt_allocate(count * sizeof *player->seen.tasks);
    player->segment = grt_allocate(count * sizeof *player->segment);
    player->made_without = grt_allocate(count * sizeof *player->made_without);
    player->segment_job = grt_allocate(count * sizeof *player->segment_job);
    grt_played_start(&player->played, subject);
    return player;
}

void grt_player_free(struct grt_player *player) {
    if (player != NULL) {
        grt_played_free(&player->played);
        free(player->seen.tasks);
        free(player->segment);
        free(player->segment_job);
        free(player->made_without);
        grt_arena_clear(&player->arena);
        grt_arena_clear(&player->promise_arena);
        grt_arena_store_free(&player->store);
        free(player);
    }
}

const struct grt_played *grt_player_played(const struct grt_player *player) {
    return &player->played;
}

const char *grt_player_unaudited(const struct grt_player *player) {
    return grt_promised_unaudited(&player->promise);
}

const struct grt_audit_count *grt_player_counts(const struct grt_player *player, size_t *count) {
    *count = player->count_count;
    return player->counts;
}
