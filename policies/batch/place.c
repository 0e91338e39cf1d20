/* Places of a batch: see policies/batch/batch.h. */
#include <stdio.h>

#include "policies/batch/batch.h"
#include "policies/names.h"

/* "batch 1st", "batch 2nd", ... */
static uint32_t make_row(struct grt_world *world, uint32_t gpu, uint32_t number) {
    static const char *const ends[] = {"st", "nd", "rd"};
    char text[POLICY_NAME_SIZE];
    snprintf(text, sizeof text, "batch %u%s", number + 1, number < 3 ? ends[number] : "th");
    return policy_row_of_gpu(world, text, gpu);
}

void batch_place_create(struct grt_world *world, const struct batch_scheduler *scheduler, uint32_t number) {
    static const char *const words[BATCH_OPERATIONS] = {"in", "kernel", "out"};
    static const enum grt_command_kind kinds[BATCH_OPERATIONS] = {GRT_COMMAND_H2D, GRT_COMMAND_KERNEL,
                                                                  GRT_COMMAND_D2H};
    struct batch_place *place = &scheduler->places[number];
    char name[POLICY_NAME_SIZE];
    for (int i = 0; i < BATCH_OPERATIONS; i++) {
        snprintf(name, sizeof name, "%s %u", words[i], number + 1);
        place->streams[i] = grt_policy_stream(world, scheduler->gpu, 0, name);
        grt_policy_stream_begins(world, place->streams[i], kinds[i]); /* the paper's dummy commands */
        place->begun[i] = grt_policy_event(world, scheduler->gpu);
        place->ended[i] = grt_policy_event(world, scheduler->gpu);
    }
    place->row = make_row(world, scheduler->gpu, number);
}

static bool is_kernel(const struct grt_segment *segment, uint32_t command) {
    return segment->commands[command].kind == GRT_COMMAND_KERNEL;
}

/* What is between two kernels belongs to them. Without a kernel: what comes before the first copy back is copied in, the rest out. */
static void find_spans(const struct grt_segment *segment, struct batch_span spans[BATCH_OPERATIONS]) {
    uint32_t count = (uint32_t)segment->command_count, first = 0, end = count;
    while (first < count && !is_kernel(segment, first)) {
        first++;
    }
    if (first == count) {
        for (first = 0; first < count && segment->commands[first].kind != GRT_COMMAND_D2H;) {
            first++;
        }
        end = first;
    }
    while (end > first && !is_kernel(segment, end - 1)) {
        end--;
    }
    spans[BATCH_IN] = (struct batch_span){0, first};
    spans[BATCH_KERNEL] = (struct batch_span){first, end};
    spans[BATCH_OUT] = (struct batch_span){end, count};
}

void batch_place_take(struct batch_place *place, const struct grt_world *world, grt_job job) {
    const struct grt_job_view *view = grt_policy_job(world, job);
    const struct grt_task *task = &grt_policy_scenario(world)->tasks[view->task];
    place->job = job;
    place->task = view->task;
    place->since = grt_policy_now(world);
    place->gone = place->done = place->collected = false;
    find_spans(&task->segments[view->segment], place->spans);
    for (int i = 0; i < BATCH_OPERATIONS; i++) {
        place->next[i] = place->spans[i].first;
        place->last[i] = GRT_NO_SUBMISSION;
    }
}

void batch_place_submission_done(struct batch_place *place, grt_submission submission) {
    for (int i = 0; i < BATCH_OPERATIONS; i++) {
        if (place->last[i] == submission) {
            place->last[i] = GRT_NO_SUBMISSION; /* the handle may be another's from now on */
        }
    }
}
