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

/* What others did with the GPU, which the sentence has told of or has not. */
static const char *verb_of_users(const struct grt_timeline *timeline, bool told) {
    switch (grt_gpu_use(timeline)) {
    case GRT_USES_THE_GPU:
        return told ? "used it" : "used the GPU";
    case GRT_IS_ON_THE_GPU:
        return told ? "was on it" : "was on the GPU";
    default:
        return "was on a GPU";
    }
}

/* "map used it for 3 ms, net for 2 ms and lidar for 1 ms": the longest. */
static void say_users(struct grt_words *words, const struct grt_timeline *timeline,
                      const struct grt_cause *cause, bool told) {
    const struct grt_users *users = &cause->users;
    uint32_t said = users->count < GRT_USERS ? users->count : GRT_USERS;
    for (uint32_t i = 0; i < said; i++) {
        char name[GRT_NAME_WORDS];
        const char *before = i == 0 ? "" : i + 1 == said && users->count == said ? " and " : ", ";
        grt_words_say(words, "%s%s%s%s", before, grt_task_words(timeline, users->longest[i].task, name),
                      i == 0 ? " " : "", i == 0 ? verb_of_users(timeline, told) : "");
        say_time(words, " for ", users->longest[i].time, "");
    }
    grt_words_say(words, "%s", users->count > said ? " and others for less" : "");
}

/* The time is that of the BLOCKED steps, which may hold work of its own. */
static void say_own_within(struct grt_words *words, const struct grt_cause *cause) {
    grt_time own = cause->blocked - cause->parts[GRT_CAUSE_BLOCKED];
    if (own > 0) {
        say_time(words, " (", own, " of it at work of its own)");
    }
}

/* It was blocked all the time that it waited. */
static void say_blocked(struct grt_words *words, const struct grt_timeline *timeline,
                        const struct grt_cause *cause) {
    char name[GRT_NAME_WORDS];
    const struct grt_other *blocker = &cause->others[GRT_CAUSE_BLOCKED], *user = &cause->users.longest[0];
    grt_time wait = cause->parts[GRT_CAUSE_BLOCKED];
    bool known = blocker->task != GRT_TRACE_NO_TASK, alone = cause->users.count == 1;
    grt_task_words(timeline, blocker->task, name);
    say_time(words, "it was blocked for ", cause->blocked, "");
    if (cause->users.count == 0) {
        grt_words_say(words, "%s%s", known ? ", last by " : "", known ? name : "");
        say_own_within(words, cause);
    } else if (!alone || user->task != blocker->task) {
        grt_words_say(words, " by less urgent work");
        say_own_within(words, cause);
        grt_words_say(words, ", while ");
        say_users(words, timeline, cause, false);
    } else {
        grt_words_say(words, " by %s", name);
        say_own_within(words, cause);
        if (wait - user->time > wait / 10) {
            grt_words_say(words, ", which %s", verb_of_users(timeline, false));
            say_time(words, " for ", user->time, "");
        }
    }
}

static void say_wait_for_gpu(struct grt_words *words, const struct grt_timeline *timeline,
                             const struct grt_cause *cause) {
    grt_time wait = grt_cause_wait(cause, GRT_CAUSE_GPU);
    bool blocked = cause->parts[GRT_CAUSE_BLOCKED] > 0;
    if (blocked && cause->parts[GRT_CAUSE_GPU] == 0) {
        say_blocked(words, timeline, cause);
        return;
    }
    say_time(words, "it waited ", wait, " for the GPU");
    if (blocked) {
        say_time(words, ", ", cause->parts[GRT_CAUSE_BLOCKED], " of it blocked by less urgent work");
        if (cause->blocked > cause->parts[GRT_CAUSE_BLOCKED]) {
            say_time(words, " (blocked for ", cause->blocked, "");
            say_time(words, ", ", cause->blocked - cause->parts[GRT_CAUSE_BLOCKED],
                     " of that at work of its own)");
        }
    }
    if (cause->users.count > 0) {
        grt_words_say(words, "%s", blocked ? "; meanwhile " : ", while ");
        say_users(words, timeline, cause, true);
    }
}

/* While it waited for a core, or its kernels were not alone. */
static void say_other(struct grt_words *words, const struct grt_timeline *timeline,
                      const struct grt_other *other, const char *before, const char *after) {
    char name[GRT_NAME_WORDS];
    if (other->task != GRT_TRACE_NO_TASK) {
        grt_words_say(words, "%s%s", before, grt_task_words(timeline, other->task, name));
        say_time(words, after, other->time, "");
    }
}

/* "; they had 35 of 100 vprocessors on average": the job's kernels, where anybody has set their share. */
static void say_share(struct grt_words *words, const struct grt_cause *cause, const char *before) {
    if (cause->share < GRT_CAUSE_NO_SHARE) {
        grt_words_say(words, "%s%" PRIu32 " of 100 vprocessors on average", before, cause->share);
    }
}

/* What the part that took most was. */
static void say_chief(struct grt_words *words, const struct grt_timeline *timeline,
                      const struct grt_cause *cause) {
    grt_time time = cause->parts[cause->chief];
    const struct grt_other *other = &cause->others[cause->chief];
    switch (cause->chief) {
    case GRT_CAUSE_JITTER:
        say_time(words, "it could start only ", time, " after its arrival");
        break;
    case GRT_CAUSE_EARLIER:
        say_time(words, "for ", time, " the job before it was not finished");
        break;
    case GRT_CAUSE_SHARED:
        say_time(words, "its kernels shared the GPU with others for ", time, "");
        say_other(words, timeline, other, ", longest those of ", ", for ");
        say_share(words, cause, "; they had ");
        break;
    case GRT_CAUSE_STILL:
        say_time(words, "its kernels stood still for ", time, " with a share of 0");
        say_other(words, timeline, other, ", while those of ", " ran for ");
        break;
    case GRT_CAUSE_LIMITED:
        say_time(words, "its kernels had only a part of the GPU for ", time, "");
        say_share(words, cause, ", ");
        break;
    case GRT_CAUSE_BLOCKED:
    case GRT_CAUSE_GPU:
        say_wait_for_gpu(words, timeline, cause);
        break;
    case GRT_CAUSE_CORE:
        say_time(words, "it waited ", time, " for a core");
        say_other(words, timeline, other, ", while ", " computed for ");
        break;
    default:
        break;
    }
}

static bool is_wait(enum grt_cause_part part) {
    return part != GRT_CAUSE_COMPUTE && part != GRT_CAUSE_KERNEL && part != GRT_CAUSE_COPY &&
           part != GRT_CAUSE_CALL;
}

static grt_time own_work_of(const struct grt_cause *cause) {
    return cause->parts[GRT_CAUSE_COMPUTE] + cause->parts[GRT_CAUSE_KERNEL] + cause->parts[GRT_CAUSE_COPY] +
           cause->parts[GRT_CAUSE_CALL];
}

/* Own work that was too long whatever the others did. */
static void say_own_work(struct grt_words *words, const struct grt_cause *cause) {
    say_time(words, cause->own_work ? "its own work alone took " : "its own work took ", own_work_of(cause),
             "");
    if (cause->own_work && cause->deadline > cause->arrival) {
        say_time(words, ", and it had ", cause->deadline - cause->arrival, "");
    }
}

/* Whether it would have been late without its chief part too, and not for its own work alone, which is told then. */
static bool has_more_causes(const struct grt_cause *cause) {
    return !cause->own_work && cause->deadline != GRT_TIME_NEVER && cause->end > cause->deadline &&
           cause->end - cause->deadline > grt_cause_wait(cause, cause->chief);
}

/* "; besides, its own work took 2 ms and it waited 5 ms for a core, and it had 10 ms": all but the chief part. */
static void say_rest(struct grt_words *words, const struct grt_cause *cause) {
    static const struct {
        enum grt_cause_part part;
        const char *before, *after;
    } rest[] = {{GRT_CAUSE_JITTER, "it could start ", " after its arrival"},
                {GRT_CAUSE_EARLIER, "the job before it took ", " of its time"},
                {GRT_CAUSE_CORE, "it waited ", " for a core"},
                {GRT_CAUSE_GPU, "it waited ", " for the GPU"},
                {GRT_CAUSE_STILL, "its kernels stood still for ", ""},
                {GRT_CAUSE_LIMITED, "its kernels had only a part of the GPU for ", ""},
                {GRT_CAUSE_SHARED, "its kernels ran beside those of others for ", ""}};
    bool of_gpu = cause->chief == GRT_CAUSE_BLOCKED;
    say_time(words, "; besides, its own work took ", own_work_of(cause), "");
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        grt_time time = grt_cause_wait(cause, rest[i].part);
        bool chief = rest[i].part == cause->chief || (of_gpu && rest[i].part == GRT_CAUSE_GPU);
        if (!chief && time > (cause->end - cause->arrival) / 100) {
            grt_words_say(words, ", ");
            say_time(words, rest[i].before, time, rest[i].after);
        }
    }
    say_time(words, ", and it had ", cause->deadline - cause->arrival, "");
}

char *grt_cause_text(const struct grt_timeline *timeline, const struct grt_cause *cause,
                     char text[GRT_CAUSE_TEXT]) {
    struct grt_words words = {.text = text, .size = GRT_CAUSE_TEXT};
    char task[GRT_NAME_WORDS];
    text[0] = '\0';
    say_miss(&words, cause, grt_task_words(timeline, cause->task, task));
    if (cause->end > cause->arrival) {
        grt_words_say(&words, ": ");
        if (is_wait(cause->chief)) {
            say_chief(&words, timeline, cause);
            grt_words_say(&words, "%s", cause->own_work ? "; " : "");
        }
        if (!is_wait(cause->chief) || cause->own_work) {
            say_own_work(&words, cause);
        } else if (has_more_causes(cause)) {
            say_rest(&words, cause);
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
