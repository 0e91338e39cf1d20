/* Causes in words, and the order of the misses. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/memory.h"
#include "viz/answers/cause.h"
#include "viz/answers/time_text.h"
#include "viz/answers/words.h"

/* ---- what became of the job ---- */

/* "detect missed the deadline of job 12 by 3 ms" */
static void say_miss(struct grt_words *words, const struct grt_cause *cause, const char *task) {
    char time[GRT_TIME_WORDS];
    bool late = cause->end > cause->deadline;
    grt_time apart = late ? cause->end - cause->deadline : cause->deadline - cause->end;
    grt_time_words(apart, time);
    if (cause->kind == GRT_TRACE_FINISH && late) {
        grt_words_say(words, "%s missed the deadline of job %" PRIu32 " by %s", task, cause->job, time);
        return;
    }
    grt_words_say(words, "%s %s job %" PRIu32, task,
                  cause->kind == GRT_TRACE_FINISH  ? "finished"
                  : cause->kind == GRT_TRACE_ABORT ? "gave up"
                                                   : "had not finished",
                  cause->job);
    if (cause->kind != GRT_TRACE_FINISH && cause->kind != GRT_TRACE_ABORT) {
        grt_words_say(words, " when the run ended");
    }
    if (cause->deadline == cause->end) {
        grt_words_say(words, " at its deadline");
    } else if (cause->deadline != GRT_TIME_NEVER) {
        grt_words_say(words, " %s %s its deadline", time, late ? "after" : "before");
    }
}

/* ---- why ---- */

/* `before` time `after`. */
static void say_time(struct grt_words *words, const char *before, grt_time time, const char *after) {
    char text[GRT_TIME_WORDS];
    grt_words_say(words, "%s%s%s", before, grt_time_words(time, text), after);
}

/* What the part that took most was; `other`: the name of its task, "" if there is none. */
static void say_chief(struct grt_words *words, const struct grt_cause *cause, const char *other) {
    grt_time time = cause->parts[cause->chief], meanwhile = cause->others[cause->chief].time;
    bool known = other[0] != '\0';
    switch (cause->chief) {
    case GRT_CAUSE_JITTER:
        say_time(words, "it could start only ", time, " after its arrival");
        break;
    case GRT_CAUSE_EARLIER:
        say_time(words, "for ", time, " the job before it was not finished");
        break;
    case GRT_CAUSE_BLOCKED:
        say_time(words, "it was blocked for ", time, "");
        grt_words_say(words, "%s%s", known ? ", last by " : "", other);
        break;
    case GRT_CAUSE_SHARED:
        say_time(words, "its kernels shared the GPU with others for ", time, "");
        break;
    case GRT_CAUSE_GPU:
        say_time(words, "it waited ", time, " for the GPU");
        break;
    case GRT_CAUSE_CORE:
        say_time(words, "it waited ", time, " for a core");
        break;
    default:
        break;
    }
    if (known && cause->chief == GRT_CAUSE_SHARED) {
        grt_words_say(words, ", longest those of %s", other);
        say_time(words, ", for ", meanwhile, "");
    } else if (known && cause->chief != GRT_CAUSE_BLOCKED) {
        grt_words_say(words, ", while %s", other);
        say_time(words, cause->chief == GRT_CAUSE_CORE ? " computed for " : " used it for ", meanwhile, "");
    }
}

/* Own work that was too long whatever the others did. */
static void say_own_work(struct grt_words *words, const struct grt_cause *cause) {
    grt_time own = cause->parts[GRT_CAUSE_COMPUTE] + cause->parts[GRT_CAUSE_KERNEL] +
                   cause->parts[GRT_CAUSE_COPY] + cause->parts[GRT_CAUSE_CALL];
    say_time(words, cause->own_work ? "its own work alone took " : "its own work took ", own, "");
    if (cause->own_work && cause->deadline > cause->arrival) {
        say_time(words, ", and it had ", cause->deadline - cause->arrival, "");
    }
}

static bool is_wait(enum grt_cause_part part) {
    return part != GRT_CAUSE_COMPUTE && part != GRT_CAUSE_KERNEL && part != GRT_CAUSE_COPY &&
           part != GRT_CAUSE_CALL;
}

char *grt_cause_text(const struct grt_timeline *timeline, const struct grt_cause *cause,
                     char text[GRT_CAUSE_TEXT]) {
    struct grt_words words = {.text = text, .size = GRT_CAUSE_TEXT};
    char task[GRT_NAME_WORDS], other[GRT_NAME_WORDS] = "";
    uint32_t worker = cause->others[cause->chief].task;
    text[0] = '\0';
    if (worker != GRT_TRACE_NO_TASK) {
        grt_task_words(timeline, worker, other);
    }
    say_miss(&words, cause, grt_task_words(timeline, cause->task, task));
    if (cause->end > cause->arrival) {
        grt_words_say(&words, ": ");
        if (is_wait(cause->chief)) {
            say_chief(&words, cause, other);
            grt_words_say(&words, "%s", cause->own_work ? "; " : "");
        }
        if (!is_wait(cause->chief) || cause->own_work) {
            say_own_work(&words, cause);
        }
    }
    grt_words_say(&words, ".");
    return text;
}

/* ---- the worst first ---- */

struct ranked {
    grt_time late;
    uint32_t miss;
    uint8_t rank;
};

static uint8_t rank_of(const struct grt_miss *miss) {
    return miss->kind == GRT_TRACE_FINISH ? 2 : miss->kind == GRT_TRACE_ABORT ? 1 : 0;
}

/* Their numbers are in the order of the deadlines. */
static int worst_first(const void *a, const void *b) {
    const struct ranked *left = a, *right = b;
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    if (left->late != right->late) {
        return left->late > right->late ? -1 : 1;
    }
    return (left->miss > right->miss) - (left->miss < right->miss);
}

uint32_t *grt_misses_worst_first(const struct grt_timeline *timeline) {
    uint32_t count = timeline->miss_count;
    struct ranked *ranked = grt_allocate((count + (size_t)1) * sizeof *ranked);
    uint32_t *order = grt_allocate((count + (size_t)1) * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        const struct grt_miss *miss = &timeline->misses[i];
        ranked[i] = (struct ranked){miss->end - miss->deadline, i, rank_of(miss)};
    }
    qsort(ranked, count, sizeof *ranked, worst_first);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = ranked[i].miss;
    }
    free(ranked);
    return order;
}
