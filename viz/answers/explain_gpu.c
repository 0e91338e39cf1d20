/* What slices of the GPU say. */
#include <inttypes.h>

#include "viz/answers/explain_internal.h"

/* A kernel's blocks are counted where that takes no longer. */
enum { MOST_BLOCKS_LOOKED_AT = 1024, MOST_SMS_LOOKED_AT = 256, WARP = 32 };

/* Where processes take turns, a kernel or block may be switched out between its start and its end. */
static bool has_turns(const struct grt_timeline *timeline) {
    return timeline->first_rows[GRT_ROW_PROCESS] < timeline->first_rows[GRT_ROW_PROCESS + 1];
}

/* ---- waits ---- */

void explain_others_on_gpu(struct explanation *explanation, grt_time from, grt_time to) {
    const struct grt_timeline *timeline = explanation->timeline;
    uint16_t task = explanation->slice.task;
    char name[GRT_NAME_WORDS], command[GRT_NAME_WORDS], time[GRT_TIME_WORDS];
    struct grt_other kernels = grt_other_on_gpu(timeline, GRT_PART_KERNEL, task, from, to),
                     copies = grt_other_on_gpu(timeline, GRT_PART_COPY, task, from, to);
    bool of_kernels = kernels.time >= copies.time;
    struct grt_other most = of_kernels ? kernels : copies;
    if (most.task == GRT_TRACE_NO_TASK) {
        return;
    }
    const struct grt_track *track =
        grt_task_track(timeline, most.task, of_kernels ? GRT_PART_KERNEL : GRT_PART_COPY);
    uint32_t only = grt_track_only_in(track, from, to);
    grt_words_say(&explanation->words, "; meanwhile ");
    if (of_kernels && only != GRT_NO_SLICE) {
        grt_command_words(timeline, (uint16_t)most.task, grt_track_at(track, only).detail, command);
        grt_words_say(&explanation->words, "kernel %s", command);
    } else {
        grt_words_say(&explanation->words, "%s",
                      of_kernels             ? "kernels"
                      : only != GRT_NO_SLICE ? "a copy"
                                             : "copies");
    }
    grt_words_say(&explanation->words, " of %s %s for %s", grt_task_words(timeline, most.task, name),
                  of_kernels && has_turns(timeline) ? "lasted" : "ran", grt_time_words(most.time, time));
}

/* A later end of what the job did before. */
static void note_before(const struct explanation *explanation, const struct grt_track *track,
                        const char *name, grt_time *since, const char **event) {
    const struct grt_slice *slice = &explanation->slice;
    uint32_t number = grt_track_last_of(track, slice->task, slice->job, slice->start);
    if (number == GRT_NO_SLICE || grt_track_end(track, number) < *since) {
        return;
    }
    struct grt_slice before = grt_track_at(track, number);
    bool stopped = (before.flags & GRT_TRACE_PREEMPTED) != 0 && before.detail == slice->detail;
    *since = before.end;
    *event = stopped ? "it was stopped" : name;
}

/* Since when a command could have begun, as far as its own job is concerned; false if that is not known. */
static bool gpu_wait(const struct explanation *explanation, grt_time *since, const char **event) {
    const struct grt_timeline *timeline = explanation->timeline;
    const struct grt_slice *slice = &explanation->slice;
    if (grt_timeline_row(timeline, GRT_ROW_TASK, slice->task) == NULL || slice->grid != 0) {
        return false;
    }
    const struct grt_track *segments = grt_task_track(timeline, slice->task, GRT_PART_SUSPENDED);
    uint32_t segment = grt_track_around(segments, slice->task, slice->job, slice->start);
    if (segment == GRT_NO_SLICE) {
        return false;
    }
    *since = grt_track_at(segments, segment).start;
    *event = "its request";
    note_before(explanation, grt_task_track(timeline, slice->task, GRT_PART_COPY), "the copy before it ended",
                since, event);
    note_before(explanation, grt_task_track(timeline, slice->task, GRT_PART_KERNEL),
                "the kernel before it ended", since, event);
    note_before(explanation, grt_task_track(timeline, slice->task, GRT_PART_HOST),
                "the host's part before it ended", since, event);
    for (uint32_t i = timeline->first_rows[GRT_ROW_CORE]; i < timeline->first_rows[GRT_ROW_CORE + 1]; i++) {
        const struct grt_track *threads = grt_row_track(&timeline->rows[i], GRT_PART_THREAD);
        if (threads->count > 0) {
            note_before(explanation, threads, "the policy's thread handed it over", since, event);
        }
    }
    if (explanation->row->kind == GRT_ROW_STREAM) {
        note_before(explanation, grt_row_track(explanation->row, GRT_PART_CALL), "the call before it ended",
                    since, event);
    }
    return true;
}

static void say_wait(struct explanation *explanation) {
    const char *event;
    grt_time since;
    if (gpu_wait(explanation, &since, &event) &&
        explain_wait(explanation, since, explanation->slice.start, event)) {
        explain_others_on_gpu(explanation, since, explanation->slice.start);
        grt_words_say(&explanation->words, ".");
    }
}

/* ---- copies, kernels, calls ---- */

/* The row where it happened: that of the place, or of its twin. The place of it there is stored. */
static const struct grt_row *find_resource(struct explanation *explanation) {
    if (explanation->row->kind == GRT_ROW_TASK) {
        struct grt_place twin = grt_place_twin(explanation->timeline, explanation->place);
        if (!grt_place_is_some(&twin)) {
            return NULL;
        }
        explanation->row = &explanation->timeline->rows[twin.row];
        grt_row_words(explanation->row, explanation->row_name);
    }
    return explanation->row;
}

void explain_copy(struct explanation *explanation) {
    const struct grt_row *engine = find_resource(explanation);
    bool back = (explanation->slice.flags & GRT_TRACE_D2H) != 0;
    grt_words_say(&explanation->words, "Copy %s the device for %s, job %" PRIu32 ": took %s%s%s, %s.",
                  back ? "from" : "to", explanation->task, explanation->slice.job, explanation->time,
                  engine != NULL ? " on " : "", engine != NULL ? explanation->row_name : "",
                  explanation->when);
    say_wait(explanation);
    explain_end(explanation, " It was stopped, and goes on later.");
}

/* The blocks of a kernel that a row of an SM has; false if there are too many to look at. */
static bool count_blocks(const struct grt_timeline *timeline, const struct grt_slice *kernel, uint32_t number,
                         const struct grt_track *sm, uint32_t *looks, uint32_t *count) {
    struct grt_track_cursor cursor = {0};
    uint32_t i = grt_track_first_after(sm, &cursor, kernel->start - 1);
    for (; *looks < MOST_BLOCKS_LOOKED_AT; ++*looks, i++) {
        i = grt_track_next_before(sm, i, kernel->end);
        if (i == GRT_NO_SLICE || grt_track_end(sm, i) > kernel->end) {
            return true;
        }
        struct grt_slice block = grt_track_at(sm, i);
        *count += grt_slice_is_of(&block, kernel->task, kernel->job) && block.grid == kernel->grid &&
                  (block.flags & GRT_TRACE_PREEMPTED) == 0 && (block.flags & GRT_BLOCK_GOES_ON) == 0 &&
                  grt_timeline_kernel_of(timeline, &block) == number;
    }
    return false;
}

/* " with 40 blocks on 2 SMs", if they are easily counted. */
static void say_blocks(struct explanation *explanation, uint32_t number) {
    const struct grt_timeline *timeline = explanation->timeline;
    uint32_t first = timeline->first_rows[GRT_ROW_SM], end = timeline->first_rows[GRT_ROW_SM + 1];
    uint32_t looks = 0, sms = 0, sum = 0;
    if (end - first > MOST_SMS_LOOKED_AT || number == GRT_NO_SLICE) {
        return;
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t count = 0;
        if (!count_blocks(timeline, &explanation->slice, number,
                          grt_row_track(&timeline->rows[i], GRT_PART_BLOCK), &looks, &count)) {
            return;
        }
        sms += count > 0;
        sum += count;
    }
    if (sum > 0) {
        grt_words_say(&explanation->words, " with %" PRIu32 " block%s on %" PRIu32 " SM%s", sum,
                      sum == 1 ? "" : "s", sms, sms == 1 ? "" : "s");
    }
}

void explain_kernel(struct explanation *explanation) {
    const struct grt_timeline *timeline = explanation->timeline;
    char name[GRT_NAME_WORDS];
    struct grt_place home = explanation->row->kind == GRT_ROW_TASK
                                ? explanation->place
                                : grt_place_twin(timeline, explanation->place);
    const struct grt_row *stream = find_resource(explanation);
    grt_words_say(&explanation->words, "Kernel %s of %s, job %" PRIu32 ": %s for %s",
                  grt_command_words(timeline, explanation->slice.task, explanation->slice.detail, name),
                  explanation->task, explanation->slice.job, has_turns(timeline) ? "lasted" : "ran",
                  explanation->time);
    say_blocks(explanation, grt_place_is_some(&home) ? home.number : GRT_NO_SLICE);
    grt_words_say(&explanation->words, "%s%s, %s.", stream != NULL ? " in " : "",
                  stream != NULL ? explanation->row_name : "", explanation->when);
    if (explanation->slice.grid != 0) {
        grt_words_say(&explanation->words, " It was launched by a block of its own job.");
    }
    if (stream != NULL) {
        explain_shares_of_kernel(explanation, stream);
    }
    say_wait(explanation);
    explain_end(explanation, "");
}

void explain_call(struct explanation *explanation) {
    char name[GRT_NAME_WORDS];
    bool instant = explanation->slice.start == explanation->slice.end;
    grt_words_say(
        &explanation->words, "Call %s of %s, job %" PRIu32 ", in %s: %s%s%s.",
        grt_command_words(explanation->timeline, explanation->slice.task, explanation->slice.detail, name),
        explanation->task, explanation->slice.job, explanation->row_name,
        instant ? "passed at once, " : explanation->time, instant ? "" : ", ", explanation->when);
    explain_end(explanation, "");
}

void explain_block(struct explanation *explanation) {
    const struct grt_timeline *timeline = explanation->timeline;
    struct grt_words *words = &explanation->words;
    const struct grt_slice *block = &explanation->slice;
    uint32_t number = grt_timeline_kernel_of(timeline, block);
    char name[GRT_NAME_WORDS] = "";
    if (number != GRT_NO_SLICE) {
        struct grt_slice kernel =
            grt_track_at(grt_task_track(timeline, block->task, GRT_PART_KERNEL), number);
        grt_command_words(timeline, block->task, kernel.detail, name);
    }
    grt_words_say(words, "Block %" PRIu32 " of %s%s of %s, job %" PRIu32 ": %s for %s on %s, %s.",
                  block->detail, number != GRT_NO_SLICE ? "kernel " : "a kernel", name, explanation->task,
                  block->job, has_turns(timeline) ? "lasted" : "ran", explanation->time,
                  explanation->row_name, explanation->when);
    if (number != GRT_NO_SLICE && explanation->row->capacity > 1 && explanation->row->unit == WARP) {
        grt_words_say(words, " It held %u of the SM's %" PRIu32 " warps.", (unsigned)block->weight,
                      explanation->row->capacity);
    }
    if ((block->flags & GRT_EXIT_OF_BLOCK) != 0) {
        grt_words_say(words, " It exited: its kernel is pinned, not to this SM or with no work left.");
    }
    if ((block->flags & GRT_BLOCK_GOES_ON) != 0) {
        grt_words_say(words, " It did an item of its kernel's work, and took another.");
    }
    explain_end(explanation, " It left the SM before its end.");
}

/* ---- GPU segments ---- */

/* The first start of a copy or kernel of a GPU segment. */
static grt_time first_start(const struct explanation *explanation, enum grt_track_part part) {
    const struct grt_slice *segment = &explanation->slice;
    const struct grt_track *track = grt_task_track(explanation->timeline, segment->task, part);
    struct grt_track_cursor cursor = {0};
    grt_time first = GRT_TIME_NEVER;
    uint32_t i = grt_track_first_after(track, &cursor, segment->start - 1);
    for (uint32_t looks = 0; looks < MOST_BLOCKS_LOOKED_AT; looks++, i++) {
        i = grt_track_next_before(track, i, segment->end + 1);
        if (i == GRT_NO_SLICE) {
            break;
        }
        struct grt_slice slice = grt_track_at(track, i);
        bool own = grt_slice_is_of(&slice, segment->task, segment->job) &&
                   grt_trace_segment(slice.detail) == segment->detail;
        first = own && slice.start < first ? slice.start : first;
    }
    return first;
}

/* How long threads of the policy's own computed for the job of a GPU segment during it, and one of them; false if there are too many
 * slices to look at. */
static bool served_by_threads(const struct explanation *explanation, grt_time *time, uint32_t *thread) {
    const struct grt_timeline *timeline = explanation->timeline;
    const struct grt_slice *segment = &explanation->slice;
    uint32_t looks = 0;
    *time = 0;
    for (uint32_t row = timeline->first_rows[GRT_ROW_CORE]; row < timeline->first_rows[GRT_ROW_CORE + 1];
         row++) {
        const struct grt_track *track = grt_row_track(&timeline->rows[row], GRT_PART_THREAD);
        struct grt_track_cursor cursor = {0};
        uint32_t i = grt_track_first_after(track, &cursor, segment->start);
        for (;; i++) {
            i = grt_track_next_before(track, i, segment->end);
            if (i == GRT_NO_SLICE) {
                break;
            }
            if (looks++ == MOST_BLOCKS_LOOKED_AT) {
                return false;
            }
            struct grt_slice slice = grt_track_at(track, i);
            if (grt_slice_is_of(&slice, segment->task, segment->job)) {
                grt_time from = slice.start > segment->start ? slice.start : segment->start;
                *time += (slice.end < segment->end ? slice.end : segment->end) - from;
                *thread = grt_trace_thread_of(slice.detail);
            }
        }
    }
    return true;
}

/* A segment is not all waiting for the GPU. */
static void say_served(struct explanation *explanation) {
    char name[GRT_NAME_WORDS], time[GRT_TIME_WORDS];
    grt_time served;
    uint32_t thread;
    if (served_by_threads(explanation, &served, &thread) && served > 0) {
        grt_words_say(&explanation->words, " In all, %s computed %s for it.",
                      grt_thread_words(explanation->timeline, thread, name), grt_time_words(served, time));
    }
}

void explain_suspended(struct explanation *explanation) {
    struct grt_words *words = &explanation->words;
    const struct grt_slice *segment = &explanation->slice;
    char time[GRT_TIME_WORDS];
    grt_words_say(words, "GPU segment %" PRIu32 " of %s, job %" PRIu32 ": %s from request to %s, %s.",
                  segment->detail, explanation->task, segment->job, explanation->time,
                  (segment->flags & (GRT_TRACE_ABORTED | GRT_TRACE_OPEN)) != 0 ? "end" : "completion",
                  explanation->when);
    grt_time copy = first_start(explanation, GRT_PART_COPY),
             kernel = first_start(explanation, GRT_PART_KERNEL);
    grt_time first = copy < kernel ? copy : kernel;
    if (first != GRT_TIME_NEVER && first > segment->start) {
        grt_words_say(words, " Its first %s began %s after the request", copy < kernel ? "copy" : "kernel",
                      grt_time_words(first - segment->start, time));
        explain_others_on_gpu(explanation, segment->start, first);
        grt_words_say(words, ".");
    }
    say_served(explanation);
    explain_end(explanation, "");
}
