#include <stdlib.h>

#include "calib/pretend/threads_internal.h"

void grt_threads_mark_leave(struct threads_mark *mark) {
    if (mark != NULL && --mark->users == 0) {
        free(mark);
    }
}

void grt_threads_command_free(struct threads_command *command) {
    grt_threads_mark_leave(command->mark);
    if (command->grid != NULL) {
        free(command->grid->times);
        free(command->grid);
    }
    free(command->staged);
    free(command);
}

void grt_threads_append(struct grt_threads *threads, uint32_t stream, struct threads_command *command) {
    struct threads_stream *queue = &threads->streams[stream];
    command->stream = queue;
    command->serial = threads->serial++;
    command->next = NULL;
    *queue->last = command;
    queue->last = &command->next;
}

void grt_threads_complete(struct grt_threads *threads, struct threads_command *command) {
    struct threads_stream *stream = command->stream;
    stream->first = command->next;
    stream->last = stream->first == NULL ? &stream->first : stream->last;
    stream->begun = false;
    grt_threads_command_free(command);
    pthread_cond_broadcast(&threads->changed);
}

static void record(struct grt_threads *threads, struct threads_command *command) {
    command->mark->done = true;
    command->mark->ns = grt_threads_event_time(threads, grt_threads_now(threads));
    grt_threads_complete(threads, command);
}

/* Begins the first command of a stream where that can begin; true where it did. */
static bool begin(struct grt_threads *threads, struct threads_stream *stream) {
    struct threads_command *command = stream->first;
    if (command == NULL || stream->begun || (command->kind == THREADS_WAIT && !command->mark->done)) {
        return false;
    }
    stream->begun = true;
    switch (command->kind) {
    case THREADS_KERNEL:
        grt_threads_grid_begin(threads, command->grid);
        break;
    case THREADS_TRANSFER:
        grt_threads_copy(threads, command);
        break;
    case THREADS_RECORD:
        record(threads, command);
        break;
    case THREADS_WAIT:
        grt_threads_complete(threads, command);
        break;
    }
    return true;
}

void grt_threads_progress(struct grt_threads *threads) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < threads->stream_count; i++) {
            again = begin(threads, &threads->streams[i]) || again;
        }
    }
    grt_threads_dispatch(threads);
}
