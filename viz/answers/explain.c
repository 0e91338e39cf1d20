#include "viz/answers/explain.h"

#include <inttypes.h>

#include "viz/answers/cause.h"
#include "viz/answers/explain_internal.h"

/* ---- what several say ---- */

bool explain_wait(struct explanation *explanation, grt_time since, grt_time until, const char *event) {
    char time[GRT_TIME_WORDS];
    if (until <= since + 1) { /* who is told of something hears of it 1 ns later: no wait */
        return false;
    }
    grt_words_say(&explanation->words, " It had waited %s since %s", grt_time_words(until - since, time),
                  event);
    return true;
}

void explain_end(struct explanation *explanation, const char *preempted) {
    uint8_t flags = explanation->slice.flags;
    struct grt_words *words = &explanation->words;
    if ((flags & GRT_TRACE_ABORTED) != 0) {
        grt_words_say(words, " It was cut short: its job was given up.");
    } else if ((flags & GRT_TRACE_OPEN) != 0) {
        grt_words_say(words, " It was still going on when the run ended.");
    } else if ((flags & GRT_TRACE_PREEMPTED) != 0) {
        grt_words_say(words, "%s", preempted);
    }
}

/* "2 ms before its deadline", nothing if it has none. */
static void say_slack(struct explanation *explanation, const struct grt_job_story *story,
                      const char *before) {
    char time[GRT_TIME_WORDS];
    if (story->deadline == GRT_TIME_NEVER) {
        return;
    }
    if (story->deadline == story->end) {
        grt_words_say(&explanation->words, "%sexactly at its deadline", before);
        return;
    }
    bool late = story->end > story->deadline;
    grt_time apart = late ? story->end - story->deadline : story->deadline - story->end;
    grt_words_say(&explanation->words, "%s%s %s its deadline", before, grt_time_words(apart, time),
                  late ? "after" : "before");
}

/* How a job ended; `with_instant`: and when. */
static void say_end_of_job(struct explanation *explanation, const struct grt_job_story *story,
                           bool with_instant) {
    struct grt_words *words = &explanation->words;
    char time[GRT_TIME_WORDS];
    switch (story->kind) {
    case GRT_TRACE_FINISH:
        grt_words_say(words, " It finished");
        break;
    case GRT_TRACE_ABORT:
        grt_words_say(words, " It was given up");
        break;
    case GRT_TRACE_UNFINISHED:
        grt_words_say(words, " It had not finished when the run ended");
        break;
    default:
        grt_words_say(words, " The trace does not say how it ended.");
        return;
    }
    if (with_instant) {
        grt_words_say(words, " at %s", grt_instant_words(story->end, time));
    }
    say_slack(explanation, story, with_instant ? ", " : " ");
    grt_words_say(words, "%s.",
                  !with_instant && story->deadline == GRT_TIME_NEVER ? "; it has no deadline" : "");
}

/* The job of the slice; false if the trace does not have it. */
static bool find_story(const struct explanation *explanation, struct grt_job_story *story) {
    const struct grt_slice *slice = &explanation->slice;
    return grt_job_story_near(explanation->timeline, slice->task, slice->job, slice->end, story);
}

/* ---- jobs ---- */

static void explain_window(struct explanation *explanation) {
    struct grt_words *words = &explanation->words;
    struct grt_job_story story;
    char first[GRT_TIME_WORDS], second[GRT_TIME_WORDS], third[GRT_TIME_WORDS];
    if (!find_story(explanation, &story)) {
        return;
    }
    grt_words_say(words, "Job %" PRIu32 " of %s was released at %s", story.job, explanation->task,
                  grt_instant_words(story.release, first));
    if (story.deadline == GRT_TIME_NEVER) {
        grt_words_say(words, ", without a deadline.");
    } else if (story.deadline >= story.release) {
        grt_words_say(words, " and due at %s, %s later.", grt_instant_words(story.deadline, second),
                      grt_time_words(story.deadline - story.release, third));
    } else {
        grt_words_say(words, ", %s after its deadline at %s.",
                      grt_time_words(story.release - story.deadline, third),
                      grt_instant_words(story.deadline, second));
    }
    say_end_of_job(explanation, &story, true);
}

static void explain_job(struct explanation *explanation) {
    struct grt_words *words = &explanation->words;
    struct grt_job_story story;
    char time[GRT_TIME_WORDS];
    if (!find_story(explanation, &story)) {
        return;
    }
    grt_words_say(words, "Job %" PRIu32 " of %s: %s %s, %s.", story.job, explanation->task,
                  story.kind == GRT_TRACE_FINISH ? "response time" : "alive for", explanation->time,
                  explanation->when);
    if (story.release > story.arrival) {
        grt_words_say(words, " It could start %s after its arrival.",
                      grt_time_words(story.release - story.arrival, time));
    }
    say_end_of_job(explanation, &story, false);
}

static void explain_miss(struct explanation *explanation) {
    const struct grt_timeline *timeline = explanation->timeline;
    struct grt_words *words = &explanation->words;
    char text[GRT_CAUSE_TEXT], time[GRT_TIME_WORDS];
    uint32_t miss = explanation->slice.detail;
    struct grt_cause cause;
    if (miss < timeline->miss_count && grt_cause_find(timeline, miss, &cause)) {
        grt_cause_text(timeline, &cause, text);
        grt_words_say(words, "%s The deadline was at %s.", text,
                      grt_instant_words(explanation->slice.end, time));
    } else {
        grt_words_say(words, "Job %" PRIu32 " of %s missed its deadline at %s.", explanation->slice.job,
                      explanation->task, grt_instant_words(explanation->slice.end, time));
    }
}

static void explain_sign(struct explanation *explanation) {
    struct grt_words *words = &explanation->words;
    if (explanation->slice.detail == GRT_TRACE_SKIP) {
        grt_words_say(words,
                      "Job %" PRIu32
                      " of %s was skipped %s. The job before it was late, or one that it comes "
                      "after was lost.",
                      explanation->slice.job, explanation->task, explanation->when);
    } else if (explanation->slice.detail == GRT_TRACE_LOST_ITEMS) {
        grt_words_say(words,
                      "Work of %s, job %" PRIu32
                      ", was lost %s: the last block of a pinned kernel ended, and none had come to one of "
                      "its SMs.",
                      explanation->task, explanation->slice.job, explanation->when);
    } else {
        grt_words_say(words, "A block of %s, job %" PRIu32 ", failed to launch a kernel %s.",
                      explanation->task, explanation->slice.job, explanation->when);
    }
}

static void explain_blocked(struct explanation *explanation) {
    char blocker[GRT_NAME_WORDS];
    grt_words_say(&explanation->words,
                  "Job %" PRIu32
                  " of %s was blocked for %s, %s. Its GPU segment waited while a less urgent one, "
                  "last that of %s, was still on the GPU",
                  explanation->slice.job, explanation->task, explanation->time, explanation->when,
                  grt_task_words(explanation->timeline, explanation->slice.detail, blocker));
    explain_others_on_gpu(explanation, explanation->slice.start, explanation->slice.end);
    grt_words_say(&explanation->words, ".");
}

/* ---- cores ---- */

/* Since when a job could have gone on when a stay on a core began, and what was then. */
static grt_time core_wait(const struct explanation *explanation, const char **event) {
    const struct grt_timeline *timeline = explanation->timeline;
    const struct grt_slice *slice = &explanation->slice;
    struct grt_job_story story;
    const struct grt_track *own = grt_task_track(timeline, slice->task, GRT_PART_CPU),
                           *gpu = grt_task_track(timeline, slice->task, GRT_PART_SUSPENDED);
    uint32_t stay = grt_track_last_of(own, slice->task, slice->job, slice->start),
             segment = grt_track_last_of(gpu, slice->task, slice->job, slice->start);
    grt_time stay_end = stay != GRT_NO_SLICE ? grt_track_end(own, stay) : INT64_MIN,
             segment_end = segment != GRT_NO_SLICE ? grt_track_end(gpu, segment) : INT64_MIN;
    if (stay_end > segment_end) {
        bool preempted = (grt_track_at(own, stay).flags & GRT_TRACE_PREEMPTED) != 0;
        *event = preempted ? "it was preempted" : "its last stay on a core";
        return stay_end;
    }
    *event = segment != GRT_NO_SLICE ? "its GPU segment was completed" : "its release";
    if (segment != GRT_NO_SLICE) {
        return segment_end;
    }
    bool known = grt_job_story_near(timeline, slice->task, slice->job, slice->start, &story);
    return known ? story.release : slice->start;
}

static void explain_cpu(struct explanation *explanation) {
    const struct grt_timeline *timeline = explanation->timeline;
    struct grt_place home = explanation->row->kind == GRT_ROW_TASK
                                ? grt_place_twin(timeline, explanation->place)
                                : explanation->place;
    const struct grt_row *core = grt_place_is_some(&home) ? &timeline->rows[home.row] : NULL;
    char name[GRT_NAME_WORDS] = "a core of its own";
    const char *event;
    if (core != NULL) {
        grt_row_words(core, name);
    }
    grt_words_say(&explanation->words, "Job %" PRIu32 " of %s computed for %s on %s, %s.",
                  explanation->slice.job, explanation->task, explanation->time, name, explanation->when);
    if (grt_timeline_row(timeline, GRT_ROW_TASK, explanation->slice.task) == NULL) {
        return;
    }
    grt_time since = core_wait(explanation, &event);
    if (explain_wait(explanation, since, explanation->slice.start, event)) {
        if (core != NULL) {
            explain_other_on_core(explanation, core, since);
        }
        grt_words_say(&explanation->words, ".");
    }
    bool preempted = (explanation->slice.flags & GRT_TRACE_PREEMPTED) != 0;
    if (preempted && core != NULL) {
        explain_preempted(explanation, core, &home);
    } else {
        explain_end(explanation, " Then it was preempted.");
    }
}

/* ---- rows of processes and of the policy ---- */

static void explain_turn(struct explanation *explanation) {
    grt_words_say(&explanation->words, "The SMs of GPU %" PRIu32 " were %s's for %s, %s.",
                  explanation->slice.detail, explanation->row_name, explanation->time, explanation->when);
    explain_end(explanation, "");
}

static void explain_own(struct explanation *explanation) {
    bool instant = explanation->slice.start == explanation->slice.end;
    struct grt_words *words = &explanation->words;
    char label[GRT_NAME_WORDS];
    grt_words_say(words,
                  "%s, on %s: ", grt_label_words(explanation->timeline, explanation->slice.detail, label),
                  explanation->row_name);
    grt_words_say(words, "%s%s%s", instant ? "" : explanation->time, instant ? "" : ", ", explanation->when);
    if (explanation->slice.task != GRT_TRACE_NO_TASK) {
        grt_words_say(words, ", for %s, job %" PRIu32, explanation->task, explanation->slice.job);
    }
    grt_words_say(words, ".");
    explain_end(explanation, "");
}

/* ---- all ---- */

static void (*const explain_part[GRT_PARTS])(struct explanation *explanation) = {
    [GRT_PART_WINDOW] = explain_window,
    [GRT_PART_JOB] = explain_job,
    [GRT_PART_SUSPENDED] = explain_suspended,
    [GRT_PART_BLOCKED] = explain_blocked,
    [GRT_PART_CPU] = explain_cpu,
    [GRT_PART_HOST] = explain_host,
    [GRT_PART_SPIN] = explain_spin,
    [GRT_PART_OVERHEAD] = explain_overhead,
    [GRT_PART_THREAD] = explain_thread,
    [GRT_PART_BOOSTED] = explain_boosted,
    [GRT_PART_COPY] = explain_copy,
    [GRT_PART_KERNEL] = explain_kernel,
    [GRT_PART_CALL] = explain_call,
    [GRT_PART_SHARE] = explain_share,
    [GRT_PART_BLOCK] = explain_block,
    [GRT_PART_TURN] = explain_turn,
    [GRT_PART_OWN] = explain_own,
    [GRT_PART_OWN_MARK] = explain_own,
    [GRT_PART_MISS] = explain_miss,
    [GRT_PART_SIGN] = explain_sign,
};

size_t grt_explain(const struct grt_timeline *timeline, struct grt_place place, char *text, size_t size) {
    text[0] = '\0';
    if (!grt_place_exists(timeline, place)) {
        return 0;
    }
    struct explanation explanation = {.timeline = timeline,
                                      .place = place,
                                      .row = &timeline->rows[place.row],
                                      .part = grt_place_part(timeline, place),
                                      .slice = grt_place_slice(timeline, place),
                                      .words = {.text = text, .size = size}};
    const struct grt_slice *slice = &explanation.slice;
    grt_task_words(timeline, slice->task, explanation.task);
    grt_row_words(explanation.row, explanation.row_name);
    grt_time_words(slice->end - slice->start, explanation.time);
    grt_span_words(slice->start, slice->end, explanation.when);
    explain_part[explanation.part](&explanation);
    if (explanation.words.length == 0) { /* of a job of which the trace has but this */
        grt_words_say(&explanation.words, "Job %" PRIu32 " of %s, %s.", slice->job, explanation.task,
                      explanation.when);
    }
    return explanation.words.length;
}
