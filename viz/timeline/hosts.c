#include "viz/timeline/hosts.h"

struct grt_timeline_hosts {
    grt_time boosted_since;
    uint32_t job, segment;       /* the last that asked */
    uint32_t boosted_job, boost; /* which job has another priority, and its number in timeline->priorities */
    bool asked, boosted;
};

void timeline_hosts_start(struct grt_timeline *timeline) {
    uint32_t tasks = timeline->first_rows[GRT_ROW_TASK + 1];
    timeline->hosts = grt_arena_array(&timeline->arena, tasks, sizeof *timeline->hosts);
}

static struct grt_timeline_hosts *host_of(const struct grt_timeline *timeline, uint32_t task) {
    return task < timeline->first_rows[GRT_ROW_TASK + 1] ? &timeline->hosts[task] : NULL;
}

enum grt_track_part timeline_core_part(const struct grt_timeline *timeline,
                                       const struct grt_trace_record *record) {
    const struct grt_timeline_hosts *host = host_of(timeline, record->task);
    if ((record->flags & GRT_TRACE_OVERHEAD) != 0) {
        return GRT_PART_OVERHEAD;
    }
    if (record->kind == GRT_TRACE_THREAD) {
        return GRT_PART_THREAD;
    }
    if ((record->flags & GRT_TRACE_SPIN) != 0) {
        return GRT_PART_SPIN;
    }
    bool of_gpu = host != NULL && host->asked && host->job == record->job && host->segment == record->detail;
    return of_gpu && timeline->has_host_parts ? GRT_PART_HOST : GRT_PART_CPU;
}

static void end_boost(struct grt_timeline *timeline, uint32_t task, grt_time instant, uint8_t flags) {
    struct grt_timeline_hosts *host = &timeline->hosts[task];
    struct grt_slice slice = {.start = host->boosted_since,
                              .end = instant,
                              .job = host->boosted_job,
                              .detail = host->boost,
                              .task = (uint16_t)task,
                              .weight = 1,
                              .flags = flags};
    if (host->boosted && slice.start < slice.end) {
        grt_track_add(grt_row_track(&timeline->rows[task], GRT_PART_BOOSTED), &slice);
    }
    host->boosted = false;
}

static void take_priority(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    struct grt_timeline_hosts *host = &timeline->hosts[record->task];
    if ((record->flags & GRT_TRACE_BOOSTED) == 0) {
        return;
    }
    timeline->priorities = grt_array_grow(timeline->priorities, &timeline->priority_capacity,
                                          timeline->priority_count + 1, sizeof *timeline->priorities);
    host->boost = timeline->priority_count;
    timeline->priorities[timeline->priority_count++] = record->other;
    host->boosted = true;
    host->boosted_since = record->time;
    host->boosted_job = record->job;
}

void timeline_hosts_note(struct grt_timeline *timeline, const struct grt_trace_record *record) {
    struct grt_timeline_hosts *host = host_of(timeline, record->task);
    if (host == NULL) {
        return;
    }
    switch (record->kind) {
    case GRT_TRACE_GPU_REQUEST:
        host->asked = true;
        host->job = record->job;
        host->segment = record->detail;
        break;
    case GRT_TRACE_PRIORITY:
        end_boost(timeline, record->task, record->time, 0);
        take_priority(timeline, record);
        break;
    case GRT_TRACE_FINISH:
    case GRT_TRACE_ABORT:
    case GRT_TRACE_UNFINISHED:
        if (host->boosted && host->boosted_job == record->job) {
            end_boost(timeline, record->task, record->time,
                      record->kind == GRT_TRACE_UNFINISHED ? GRT_TRACE_OPEN : 0);
        }
        break;
    default:
        break;
    }
}

void timeline_hosts_end(struct grt_timeline *timeline, grt_time instant) {
    for (uint32_t task = 0; task < timeline->first_rows[GRT_ROW_TASK + 1]; task++) {
        end_boost(timeline, task, instant, GRT_TRACE_OPEN);
    }
    timeline->hosts = NULL;
}
