/* labels: soak */
/* Answers about random runs against a look through their whole traces. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/pick.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"
#include "viz/answers/cause.h"
#include "viz/answers/chain.h"
#include "viz/answers/explain.h"
#include "viz/answers/walk.h"

/* One run, and what it is that is not so. */
struct trial {
    const struct grt_built_run *run;
    struct grt_timeline timeline;
    const char *complaint;
};

static bool complain(struct trial *trial, const char *complaint) {
    trial->complaint = trial->complaint == NULL ? complaint : trial->complaint;
    return false;
}

/* ---- sentences ---- */

static bool is_sentence(const char *text) {
    static const char *const nonsense[] = {"%",  "nan", "NaN", "inf ", "\"\"", "  ",
                                           " ,", " .",  "..",  ",,",   "of ,", "(null)"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        if (strstr(text, nonsense[i]) != NULL) {
            return false;
        }
    }
    size_t length = strlen(text);
    return length > 10 && length < GRT_EXPLAIN_SIZE - 1 && text[length - 1] == '.';
}

/* Of every slice; and every 7th is a step of its job's chain. */
static bool explains(struct trial *trial) {
    const struct grt_timeline *timeline = &trial->timeline;
    struct grt_chain chain = {.count = 0};
    char text[GRT_EXPLAIN_SIZE];
    uint32_t places = 0;
    bool good = true;
    for (uint32_t row = 0; row < timeline->row_count; row++) {
        for (uint32_t track = 0; track < timeline->rows[row].track_count; track++) {
            uint32_t count = timeline->rows[row].tracks[track].track->count;
            for (uint32_t i = 0; i < count && good; i++) {
                struct grt_place place = {row, track, i};
                uint32_t task, job;
                size_t length = grt_explain(timeline, place, text, sizeof text);
                good = length == strlen(text) && is_sentence(text);
                if (!good) {
                    fprintf(stderr, "sentence: %s\n", text);
                    complain(trial, "sentence");
                }
                if (good && places++ % 7 == 0 && timeline->rows[row].kind != GRT_ROW_POLICY &&
                    grt_place_job(timeline, place, &task, &job)) {
                    good = grt_chain_find(timeline, task, job, &chain) &&
                           (chain.cut || grt_chain_step_at(timeline, &chain, place) != GRT_NO_STEP);
                    if (!good) {
                        fprintf(stderr, "not in its chain: %s\n", text);
                        complain(trial, "place not in the chain of its job");
                    }
                }
            }
        }
    }
    grt_chain_free(&chain);
    return good;
}

/* ---- chains ---- */

/* The step that a record of the job must have made. */
static enum grt_chain_step_kind step_of(const struct grt_trace_record *record) {
    switch (record->kind) {
    case GRT_TRACE_RELEASE:
        return GRT_STEP_RELEASE;
    case GRT_TRACE_FINISH:
        return GRT_STEP_FINISH;
    case GRT_TRACE_ABORT:
        return GRT_STEP_ABORT;
    case GRT_TRACE_UNFINISHED:
        return GRT_STEP_UNFINISHED;
    case GRT_TRACE_CPU:
        return GRT_STEP_CPU;
    case GRT_TRACE_GPU_SEGMENT:
        return GRT_STEP_REQUEST;
    case GRT_TRACE_BLOCKED:
        return GRT_STEP_BLOCKED;
    case GRT_TRACE_COPY:
        return GRT_STEP_COPY;
    case GRT_TRACE_KERNEL:
        return GRT_STEP_KERNEL;
    case GRT_TRACE_CALL:
        return GRT_STEP_CALL;
    case GRT_TRACE_LAUNCH_FAILED:
        return GRT_STEP_LAUNCH_FAILED;
    case GRT_TRACE_LOST_ITEMS:
        return GRT_STEP_LOST_ITEMS;
    default:
        return GRT_STEP_KINDS;
    }
}

static bool is_instant(enum grt_chain_step_kind kind) {
    return kind == GRT_STEP_RELEASE || kind >= GRT_STEP_LAUNCH_FAILED;
}

/* Whether the chain has a step at the record's times. */
static bool has_step(const struct grt_chain *chain, const struct grt_trace_record *record,
                     enum grt_chain_step_kind kind) {
    grt_time begin = is_instant(kind) ? record->time : record->other,
             end = kind == GRT_STEP_REQUEST ? record->other : record->time;
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (step->kind == kind && step->begin == begin && step->end == end) {
            return true;
        }
    }
    return false;
}

/* Every record of the job is a step, every block is counted, and there are no more. */
static bool has_all(struct trial *trial, const struct grt_chain *chain) {
    uint32_t records[GRT_STEP_KINDS] = {0}, steps[GRT_STEP_KINDS] = {0};
    for (size_t i = 0; i < trial->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &trial->run->kept.records[i];
        if (record->task != chain->story.task || record->job != chain->story.job) {
            continue;
        }
        enum grt_chain_step_kind kind = step_of(record);
        records[GRT_STEP_BLOCKS] += record->kind == GRT_TRACE_BLOCK;
        if (kind != GRT_STEP_KINDS) {
            records[kind]++;
            if (!has_step(chain, record, kind)) {
                return complain(trial, "record without a step");
            }
        }
    }
    for (uint32_t i = 0; i < chain->count; i++) {
        steps[chain->steps[i].kind] += chain->steps[i].count;
    }
    for (uint32_t kind = 0; kind < GRT_STEP_DEADLINE; kind++) {
        if (steps[kind] != records[kind]) {
            return complain(trial, "other steps than records");
        }
    }
    return steps[GRT_STEP_DEADLINE] == (chain->story.deadline != GRT_TIME_NEVER) ||
           complain(trial, "a deadline");
}

/* A wait ends where a copy or kernel begins, and has nothing of the job's kernels in it. */
static bool is_told(struct trial *trial, const struct grt_chain *chain, uint32_t number) {
    char text[GRT_STEP_TEXT];
    const struct grt_chain_step *wait = &chain->steps[number];
    bool ends = wait->kind != GRT_STEP_WAIT;
    for (uint32_t i = 0; i < chain->count && wait->kind == GRT_STEP_WAIT; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        bool runs = step->kind == GRT_STEP_COPY || step->kind == GRT_STEP_KERNEL;
        ends = ends || (runs && step->begin == wait->end);
        if (runs && step->begin < wait->end && step->end > wait->begin &&
            grt_place_slice(&trial->timeline, step->home).grid == 0) {
            return false;
        }
    }
    size_t length = grt_step_text(&trial->timeline, chain, number, text, sizeof text);
    return ends && length > 3 && length < sizeof text - 1 && strchr(text, '%') == NULL;
}

/* Steps are in order, follow earlier ones, which have ended, and have places that say the same. */
static bool is_in_order(struct trial *trial, const struct grt_chain *chain) {
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (!grt_place_exists(&trial->timeline, step->place) ||
            !grt_place_exists(&trial->timeline, step->home)) {
            return complain(trial, "a step that is nowhere");
        }
        struct grt_slice slice = grt_place_slice(&trial->timeline, step->place);
        if (!grt_slice_is_of(&slice, chain->story.task, chain->story.job)) {
            return complain(trial, "a step of another job");
        }
        if (i > 0 && step->begin < chain->steps[i - 1].begin) {
            return complain(trial, "steps out of order");
        }
        if (!is_told(trial, chain, i)) {
            return complain(trial, "words of a step");
        }
        if (step->after == GRT_NO_STEP) {
            continue;
        }
        const struct grt_chain_step *before = &chain->steps[step->after];
        bool inside = step->kind == GRT_STEP_BLOCKS && before->kind == GRT_STEP_KERNEL &&
                      before->begin <= step->begin && before->end >= step->end;
        if (step->after >= i || (!inside && before->end > step->begin)) {
            return complain(trial, "a step behind a later one");
        }
    }
    return true;
}

/* To the end of the chain and back, over the same places. */
static bool walks(struct trial *trial, const struct grt_chain *chain) {
    struct grt_place place = chain->steps[0].place;
    for (uint32_t i = 0; i < chain->count; i++) {
        struct grt_place next = grt_walk_along_job(&trial->timeline, place, 1);
        if (!grt_place_is_some(&next)) {
            return true;
        }
        if (!grt_place_is(grt_walk_along_job(&trial->timeline, next, -1), place)) {
            return complain(trial, "no way back");
        }
        place = next;
    }
    return complain(trial, "an endless way");
}

/* ---- causes ---- */

/* Users of the GPU are in order, and none used it for longer than the job waited. */
static bool users_are_right(const struct grt_cause *cause) {
    grt_time last = grt_cause_wait(cause, GRT_CAUSE_GPU);
    for (uint32_t i = 0; i < GRT_USERS; i++) {
        const struct grt_other *user = &cause->users.longest[i];
        if (user->time > last || (user->time > 0) != (i < cause->users.count) ||
            (user->task == GRT_TRACE_NO_TASK) != (user->time == 0)) {
            return false;
        }
        last = user->time;
    }
    return true;
}

/* As long as the records say, which hold what is of the job alone. */
static bool is_blocked_as_traced(const struct trial *trial, const struct grt_cause *cause) {
    grt_time blocked = 0;
    for (size_t i = 0; i < trial->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &trial->run->kept.records[i];
        bool own =
            record->kind == GRT_TRACE_BLOCKED && record->task == cause->task && record->job == cause->job;
        blocked += own ? (record->time < cause->end ? record->time : cause->end) - record->other : 0;
    }
    return blocked == cause->blocked && blocked >= cause->parts[GRT_CAUSE_BLOCKED];
}

static bool adds_up(struct trial *trial, uint32_t task, uint32_t job) {
    struct grt_cause cause;
    char text[GRT_CAUSE_TEXT];
    grt_time sum = 0, computed = 0;
    if (!grt_cause_of_job(&trial->timeline, task, job, &cause) || cause.cut) {
        return complain(trial, "no cause");
    }
    for (uint32_t part = 0; part < GRT_CAUSE_PARTS; part++) {
        sum += cause.parts[part];
        const struct grt_other *other = &cause.others[part];
        if (cause.parts[part] < 0 || other->time > cause.parts[part] ||
            (other->task == GRT_TRACE_NO_TASK) != (other->time == 0)) {
            return complain(trial, "a part of the cause");
        }
    }
    for (size_t i = 0; i < trial->run->kept.record_count; i++) {
        const struct grt_trace_record *record = &trial->run->kept.records[i];
        bool own = record->kind == GRT_TRACE_CPU && record->task == task && record->job == job;
        computed += own ? record->time - record->other : 0;
    }
    if (!users_are_right(&cause) || !is_blocked_as_traced(trial, &cause)) {
        return complain(trial, "who used the GPU, or how long it was blocked");
    }
    grt_cause_text(&trial->timeline, &cause, text);
    if (!is_sentence(text)) {
        fprintf(stderr, "cause: %s\n", text);
        return complain(trial, "words of a cause");
    }
    return (sum == cause.end - cause.arrival && computed == cause.parts[GRT_CAUSE_COMPUTE]) ||
           complain(trial, "causes that do not add up");
}

static bool follows_jobs(struct trial *trial, uint64_t seed) {
    struct grt_chain chain = {.count = 0};
    bool good = true;
    uint32_t number = 0;
    for (size_t i = 0; i < trial->run->kept.record_count && good; i++) {
        const struct grt_trace_record *record = &trial->run->kept.records[i];
        if (record->kind != GRT_TRACE_RELEASE || number++ % 3 != seed % 3) {
            continue;
        }
        good = grt_chain_find(&trial->timeline, record->task, record->job, &chain) ||
               complain(trial, "no chain");
        good = good && !chain.cut && has_all(trial, &chain) && is_in_order(trial, &chain) &&
               adds_up(trial, record->task, record->job);
        good = good && (number % 5 != 0 || walks(trial, &chain));
    }
    grt_chain_free(&chain);
    return good;
}

/* ---- misses ---- */

static bool finds_misses(struct trial *trial) {
    const struct grt_timeline *timeline = &trial->timeline;
    for (uint32_t i = 0; i < timeline->miss_count; i++) {
        grt_time instant = timeline->misses[i].deadline;
        for (grt_time at = instant - 1; at <= instant + 1; at++) {
            uint32_t next = GRT_NO_SLICE, last = GRT_NO_SLICE;
            for (uint32_t j = 0; j < timeline->miss_count; j++) {
                next = next == GRT_NO_SLICE && timeline->misses[j].deadline > at ? j : next;
                last = timeline->misses[j].deadline < at ? j : last;
            }
            if (grt_miss_beside(timeline, at, 1) != next || grt_miss_beside(timeline, at, -1) != last) {
                return complain(trial, "the miss beside an instant");
            }
        }
        struct grt_place place = grt_miss_place(timeline, i);
        struct grt_place next = grt_walk_misses(timeline, place, 0, 1);
        if (!grt_place_exists(timeline, place) || grt_place_slice(timeline, place).detail != i ||
            (i + 1 < timeline->miss_count && !grt_place_is(next, grt_miss_place(timeline, i + 1)))) {
            return complain(trial, "the place of a miss");
        }
    }
    return true;
}

static bool ranks_misses(struct trial *trial) {
    const struct grt_timeline *timeline = &trial->timeline;
    uint32_t *order = grt_misses_worst_first(timeline);
    uint64_t sum = 0;
    bool good = true;
    for (uint32_t i = 0; i < timeline->miss_count && good; i++) {
        const struct grt_miss *miss = &timeline->misses[order[i]],
                              *before = &timeline->misses[order[i > 0 ? i - 1 : 0]];
        sum += order[i];
        good = miss->kind != before->kind || miss->end - miss->deadline <= before->end - before->deadline;
    }
    free(order);
    return (good && sum * 2 == timeline->miss_count * ((uint64_t)timeline->miss_count - 1)) ||
           timeline->miss_count == 0 || complain(trial, "the order of misses");
}

/* ---- all ---- */

/* What is added to a random world. */
enum extra { NOTHING, CALLS, PROCESSES };

/* Three processes that take turns on the GPUs. */
static void add_processes(struct grt_builder *builder, uint64_t number) {
    static const struct grt_process processes[] = {{.name = "p"}, {.name = "q"}, {.name = "r"}};
    struct grt_random random = grt_random_stream(number, "processes", 0, 0);
    builder->scenario.processes = processes;
    builder->scenario.process_count = sizeof processes / sizeof processes[0];
    for (size_t i = 0; i < builder->scenario.gpu_count; i++) {
        grt_random_turns(&random, &builder->gpus[i]);
    }
    for (size_t i = 0; i < builder->scenario.task_count; i++) {
        builder->tasks[i].process = grt_pick(&random, 0, 2);
        if (builder->tasks[i].stream == NULL) {
            builder->tasks[i].stream_priority = -grt_pick(&random, 0, 2);
        }
    }
    grt_random_world_fix_times(builder);
}

static void judge(int cases, uint64_t first, const char *policy, enum extra extra) {
    uint32_t misses = 0;
    for (int i = 0; i < cases; i++) {
        uint64_t number = first + (uint64_t)i;
        struct grt_builder *builder = grt_random_world(number);
        if (extra == CALLS) {
            grt_random_world_add_calls(builder, number);
        } else if (extra == PROCESSES) {
            add_processes(builder, number);
        }
        struct grt_built_run run;
        grt_built_run_under(&run, builder, policy);
        struct trial trial = {.run = &run};
        grt_timeline_sink.names(&trial.timeline, run.kept.names, run.kept.name_count);
        grt_timeline_sink.write(&trial.timeline, run.kept.records, run.kept.record_count);
        grt_timeline_sink.end(&trial.timeline);
        bool good =
            follows_jobs(&trial, number) && finds_misses(&trial) && ranks_misses(&trial) && explains(&trial);
        CU_ASSERT(good);
        misses += trial.timeline.miss_count;
        if (!good) {
            fprintf(stderr, "world %" PRIu64 " under %s: %s\n", number, policy, trial.complaint);
            i = cases;
        }
        grt_timeline_free(&trial.timeline);
        grt_built_run_end(&run, builder);
    }
    CU_ASSERT(misses > 0); /* else much was not tried */
}

static void random_worlds(void) {
    int cases = grt_suite_cases(150, 3000);
    judge(cases, 730000, "hardware", NOTHING);
    judge(cases, 740000, "np-edf", NOTHING);
}

static void random_calls(void) {
    judge(grt_suite_cases(150, 3000), 750000, "hardware", CALLS);
}

static void random_processes(void) {
    judge(grt_suite_cases(150, 3000), 760000, "hardware", PROCESSES);
}

static CU_TestInfo tests[] = {
    {"answers about random worlds", random_worlds},
    {"the same with calls", random_calls},
    {"the same with several processes", random_processes},
    CU_TEST_INFO_NULL,
};

int main(void) {
    return grt_suite_run("answers", tests);
}
