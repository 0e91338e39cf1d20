/* What slices of cores say that are no computing of a job's own. */
#include <inttypes.h>
#include <stdio.h>

#include "viz/answers/core_users.h"
#include "viz/answers/explain_internal.h"

/* The core, which of a task's slices is that of their twins. */
static void core_words(const struct explanation *explanation, char name[GRT_NAME_WORDS]) {
    struct grt_place home = explanation->row->kind == GRT_ROW_TASK
                                ? grt_place_twin(explanation->timeline, explanation->place)
                                : explanation->place;
    if (grt_place_is_some(&home)) {
        grt_row_words(&explanation->timeline->rows[home.row], name);
    } else {
        snprintf(name, GRT_NAME_WORDS, "a core of its own");
    }
}

void explain_host(struct explanation *explanation) {
    char core[GRT_NAME_WORDS];
    core_words(explanation, core);
    grt_words_say(&explanation->words,
                  "Job %" PRIu32 " of %s executed a host part of GPU segment %" PRIu32 " for %s on %s, %s.",
                  explanation->slice.job, explanation->task, explanation->slice.detail, explanation->time,
                  core, explanation->when);
    explain_end(explanation, " Then it was preempted.");
}

void explain_spin(struct explanation *explanation) {
    const struct grt_slice *slice = &explanation->slice;
    struct grt_words *words = &explanation->words;
    char core[GRT_NAME_WORDS], time[GRT_TIME_WORDS];
    core_words(explanation, core);
    grt_words_say(words, "Job %" PRIu32 " of %s busy-waited for the GPU for %s on %s, %s.", slice->job,
                  explanation->task, explanation->time, core, explanation->when);
    if (slice->task < explanation->timeline->first_rows[GRT_ROW_TASK + 1] && slice->start < slice->end) {
        grt_time worked = grt_time_on_gpu(explanation->timeline, slice->task, true, slice->start, slice->end);
        grt_words_say(words, " Its kernels and copies ran for %s of that.", grt_time_words(worked, time));
    }
    explain_end(explanation, " Then it was preempted.");
}

void explain_overhead(struct explanation *explanation) {
    const struct grt_slice *slice = &explanation->slice;
    struct grt_words *words = &explanation->words;
    char core[GRT_NAME_WORDS], thread[GRT_NAME_WORDS];
    core_words(explanation, core);
    grt_words_say(words, "Overhead on %s: %s, %s: a context switch to ", core, explanation->time,
                  explanation->when);
    if ((slice->flags & GRT_OVERHEAD_OF_THREAD) != 0) {
        grt_words_say(words, "%s",
                      grt_thread_words(explanation->timeline, grt_trace_thread_of(slice->detail), thread));
    } else {
        grt_words_say(words, "job %" PRIu32 " of %s", slice->job, explanation->task);
    }
    grt_words_say(words, ", its wake-up, or both.");
    explain_end(explanation, " Then it was preempted.");
}

void explain_thread(struct explanation *explanation) {
    const struct grt_slice *slice = &explanation->slice;
    struct grt_words *words = &explanation->words;
    char thread[GRT_NAME_WORDS], label[GRT_NAME_WORDS];
    grt_words_say(words, "%s: %s",
                  grt_thread_words(explanation->timeline, grt_trace_thread_of(slice->detail), thread),
                  grt_label_words(explanation->timeline, grt_trace_label_of(slice->detail), label));
    if (slice->task != GRT_TRACE_NO_TASK) {
        grt_words_say(words, ", for %s, job %" PRIu32, explanation->task, slice->job);
    }
    grt_words_say(words, ": %s on %s, %s.", explanation->time, explanation->row_name, explanation->when);
    explain_end(explanation, " Then it was preempted.");
}

void explain_boosted(struct explanation *explanation) {
    const struct grt_slice *slice = &explanation->slice;
    const struct grt_timeline *timeline = explanation->timeline;
    int64_t priority = slice->detail < timeline->priority_count ? timeline->priorities[slice->detail] : 0;
    grt_words_say(&explanation->words,
                  "Job %" PRIu32 " of %s was boosted to priority %" PRId64 " for %s, %s.", slice->job,
                  explanation->task, priority, explanation->time, explanation->when);
    if ((slice->flags & GRT_TRACE_OPEN) != 0) {
        grt_words_say(&explanation->words, " It still was when the run ended.");
    }
}

/* ---- who else ---- */

void explain_other_on_core(struct explanation *explanation, const struct grt_row *core, grt_time from) {
    const struct grt_slice *slice = &explanation->slice;
    struct grt_words *words = &explanation->words;
    char name[GRT_NAME_WORDS], time[GRT_TIME_WORDS];
    struct grt_core_user user = grt_core_user(core, slice->task, slice->job, from, slice->start);
    const char *did = user.spinning > user.time / 2 ? "busy-waited" : "computed";
    grt_time_words(user.time, time);
    if (user.thread != GRT_NO_THREAD) {
        grt_words_say(words, "; meanwhile %s computed there for %s",
                      grt_thread_words(explanation->timeline, user.thread, name), time);
    } else if (user.task == slice->task) {
        grt_words_say(words, "; meanwhile another job of %s %s there for %s", explanation->task, did, time);
    } else if (user.task != GRT_TRACE_NO_TASK) {
        grt_words_say(words, "; meanwhile %s %s there for %s",
                      grt_task_words(explanation->timeline, user.task, name), did, time);
    }
}

void explain_preempted(struct explanation *explanation, const struct grt_row *core,
                       const struct grt_place *home) {
    struct grt_words *words = &explanation->words;
    const struct grt_slice *slice = &explanation->slice;
    char name[GRT_NAME_WORDS];
    struct grt_slice next = {.start = 0};
    enum grt_track_part part = GRT_PART_CPU;
    if (!grt_core_next(core, home->track, home->number, &next, &part)) {
        grt_words_say(words, " Then it was preempted.");
        return;
    }
    bool thread =
        part == GRT_PART_THREAD || (part == GRT_PART_OVERHEAD && (next.flags & GRT_OVERHEAD_OF_THREAD) != 0);
    if (thread) {
        grt_words_say(words, " Then it was preempted; %s ran next there.",
                      grt_thread_words(explanation->timeline, grt_trace_thread_of(next.detail), name));
    } else if (grt_slice_is_of(&next, slice->task, slice->job)) {
        grt_words_say(words, " Then it was preempted; nothing ran there before it went on.");
    } else {
        grt_words_say(words, " Then it was preempted; job %" PRIu32 " of %s ran next there.", next.job,
                      grt_task_words(explanation->timeline, next.task, name));
    }
}
