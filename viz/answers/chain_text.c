/* Steps of a chain in words. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "viz/answers/chain.h"
#include "viz/answers/others.h"
#include "viz/answers/time_text.h"
#include "viz/answers/words.h"

static const char *const usual[GRT_STEP_KINDS] = {
    [GRT_STEP_SKIP] = "skipped",
    [GRT_STEP_RELEASE] = "release",
    [GRT_STEP_CPU] = "computes",
    [GRT_STEP_REQUEST] = "asks for the GPU",
    [GRT_STEP_LAUNCH_FAILED] = "launch failed",
    [GRT_STEP_LOST_ITEMS] = "work lost",
    [GRT_STEP_FINISH] = "completion",
    [GRT_STEP_ABORT] = "given up",
    [GRT_STEP_UNFINISHED] = "end of the run",
    [GRT_STEP_DEADLINE] = "deadline",
    [GRT_STEP_MISS] = "deadline missed",
    [GRT_STEP_HOST] = "computes for its GPU segment",
    [GRT_STEP_OVERHEAD] = "context switch or wake-up",
    [GRT_STEP_SPIN] = "busy-waits for the GPU",
};

static void say_command(struct grt_words *words, const struct grt_timeline *timeline, const char *what,
                        const struct grt_slice *slice) {
    char name[GRT_NAME_WORDS];
    grt_words_say(words, "%s %s", what, grt_command_words(timeline, slice->task, slice->detail, name));
}

static void say_blocks(struct grt_words *words, const struct grt_timeline *timeline,
                       const struct grt_chain_step *step) {
    char name[GRT_NAME_WORDS];
    grt_words_say(words, "%" PRIu32 " block%s on %s", step->count, step->count == 1 ? "" : "s",
                  grt_row_words(&timeline->rows[step->place.row], name));
}

/* The trace says who blocked to the end: all the time, if nobody else used the GPU. */
static void say_blocked(struct grt_words *words, const struct grt_timeline *timeline,
                        const struct grt_chain_step *step, const struct grt_slice *slice) {
    char name[GRT_NAME_WORDS];
    struct grt_users users = grt_users_of_gpu(timeline, slice->task, step->begin, step->end);
    bool alone = users.count == 1 && users.longest[0].task == slice->detail;
    grt_words_say(words, "blocked%s by %s", alone ? "" : ", last",
                  grt_task_words(timeline, slice->detail, name));
}

/* "thread server: receives a request" */
static void say_thread(struct grt_words *words, const struct grt_timeline *timeline,
                       const struct grt_slice *slice) {
    char thread[GRT_NAME_WORDS], label[GRT_NAME_WORDS];
    grt_words_say(words, "%s: %s", grt_thread_words(timeline, grt_trace_thread_of(slice->detail), thread),
                  grt_label_words(timeline, grt_trace_label_of(slice->detail), label));
}

/* What a wait came to: the thread that did something for the job when it was over, or the GPU. */
static char *awaited(const struct grt_timeline *timeline, const struct grt_chain *chain,
                     const struct grt_chain_step *wait, char text[GRT_NAME_WORDS]) {
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct grt_chain_step *step = &chain->steps[i];
        if (step->kind == GRT_STEP_THREAD && step->begin == wait->end) {
            uint32_t detail = grt_place_slice(timeline, step->home).detail;
            return grt_thread_words(timeline, grt_trace_thread_of(detail), text);
        }
    }
    snprintf(text, GRT_NAME_WORDS, "the GPU");
    return text;
}

static void say_wait(struct grt_words *words, const struct grt_timeline *timeline,
                     const struct grt_chain *chain, const struct grt_chain_step *step,
                     const struct grt_slice *slice) {
    char time[GRT_TIME_WORDS], what[GRT_NAME_WORDS], user[GRT_NAME_WORDS];
    struct grt_users users = grt_users_of_gpu(timeline, slice->task, step->begin, step->end);
    grt_words_say(words, "waits %s for %s", grt_time_words(step->end - step->begin, time),
                  awaited(timeline, chain, step, what));
    if (users.count > 0 && grt_gpu_use(timeline) == GRT_USES_THE_GPU) {
        grt_words_say(words, ", %sused %sby %s", strcmp(what, "the GPU") == 0 ? "" : "the GPU ",
                      users.count > 1 ? "longest " : "",
                      grt_task_words(timeline, users.longest[0].task, user));
    }
}

size_t grt_step_text(const struct grt_timeline *timeline, const struct grt_chain *chain, uint32_t number,
                     char *text, size_t size) {
    const struct grt_chain_step *step = &chain->steps[number];
    struct grt_slice slice = grt_place_slice(timeline, step->home);
    struct grt_words words = {.text = text, .size = size};
    text[0] = '\0';
    switch (step->kind) {
    case GRT_STEP_KERNEL:
        say_command(&words, timeline, "kernel", &slice);
        break;
    case GRT_STEP_CALL:
        say_command(&words, timeline, "call", &slice);
        break;
    case GRT_STEP_COPY:
        grt_words_say(&words, "copy %s", (slice.flags & GRT_TRACE_D2H) != 0 ? "out" : "in");
        break;
    case GRT_STEP_THREAD:
        say_thread(&words, timeline, &slice);
        break;
    case GRT_STEP_BLOCKS:
        say_blocks(&words, timeline, step);
        break;
    case GRT_STEP_BLOCKED:
        say_blocked(&words, timeline, step, &slice);
        break;
    case GRT_STEP_WAIT:
        say_wait(&words, timeline, chain, step, &slice);
        break;
    default:
        grt_words_say(&words, "%s", usual[step->kind]);
        break;
    }
    return words.length;
}
