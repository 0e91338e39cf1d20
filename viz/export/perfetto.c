/* The trace as a protobuf of Perfetto (https://perfetto.dev/docs/reference/trace-packet-proto): the few messages and
 * fields that tracks, slices, instants and flows need. What makes such a file accepted, and what is shown where, is in
 * docs/exports.md. */
#include "sim/check.h"
#include "sim/hash.h"
#include "viz/export/plan.h"
#include "viz/export/protobuf.h"

/* Numbers of fields, from the definitions in protos/perfetto/trace of Perfetto. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DESCRIPTOR = 60
};
enum {
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_THREAD = 4,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    DESCRIPTOR_CHILD_ORDER = 11,
    DESCRIPTOR_RANK = 12,
    DESCRIPTOR_MERGE = 15
};
enum { COUNTER_UNIT_NAME = 6 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_COUNTER_VALUE = 30,
    EVENT_FLOW = 47,
    EVENT_LAST_FLOW = 48
};
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_UINT = 3, ANNOTATION_INT = 4, ANNOTATION_STRING = 6 };
enum { INTERNED_EVENT_NAMES = 2, INTERNED_ANNOTATION_NAMES = 3, ENTRY_IID = 1, ENTRY_NAME = 2 };

enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum { ORDER_EXPLICIT = 3, MERGE_NONE = 2 };

/* One sequence; one process, whose children are the groups and whose threads are the cores; lanes. No number is 0, which
 * Perfetto gives a meaning of its own. Small ones make small files. */
enum {
    SEQUENCE = 1,
    PROCESS = 1,
    PID = 1,
    FIRST_TID = 2,
    FIRST_GROUP = 2,
    FIRST_LANE = FIRST_GROUP + GRT_ROW_KINDS
};

/* Names of annotations, by their interned number; the last one only where there are priorities. */
enum { NAME_JOB = 1, NAME_LATE, NAME_END, NAME_PRIORITY };
static const char *const annotation_names[] = {
    [NAME_JOB] = "job", [NAME_LATE] = "late_ns", [NAME_END] = "end", [NAME_PRIORITY] = "priority"};

/* Events are short by construction, so that the length of each message is one byte; descriptors hold one name, which is
 * clean (grt_export_clean_name) and so short; events are called by two of them in one. */
enum { EVENT_ROOM = 128, DESCRIPTOR_ROOM = GRT_LANE_NAME_SIZE + 100, NAME_ROOM = 2 * GRT_LANE_NAME_SIZE };

struct perfetto {
    struct grt_export_plan plan;
    struct grt_output *output;
};

/* ---- Packets ---- */

static void write_packet(struct perfetto *self, const unsigned char *packet, size_t size) {
    unsigned char head[GRT_PROTOBUF_TAG + GRT_PROTOBUF_VARINT];
    unsigned char *at = grt_protobuf_varint(grt_protobuf_tag(head, TRACE_PACKET, GRT_WIRE_LENGTH), size);
    grt_output_write(self->output, head, (size_t)(at - head));
    grt_output_write(self->output, packet, size);
}

/* An interned name: its number and its text. */
static unsigned char *put_entry(unsigned char *at, uint32_t field, uint32_t iid, const char *name) {
    unsigned char entry[NAME_ROOM];
    unsigned char *end = grt_protobuf_number(entry, ENTRY_IID, iid);
    end = grt_protobuf_bytes(end, ENTRY_NAME, name, strlen(name));
    return grt_protobuf_bytes(at, field, entry, (size_t)(end - entry));
}

static uint32_t annotation_count(const struct perfetto *self) {
    for (uint32_t i = 0; i < self->plan.marks.count; i++) {
        if (self->plan.marks.items[i].kind == GRT_MARK_PRIORITY) {
            return NAME_PRIORITY;
        }
    }
    return NAME_END;
}

/* Writes all names, or where there is no output only counts their bytes. */
static size_t put_names(const struct perfetto *self, struct grt_output *output) {
    size_t size = 0;
    uint32_t annotations = annotation_count(self);
    for (uint32_t i = 0; i < self->plan.labels.count + annotations; i++) {
        unsigned char bytes[NAME_ROOM + 32], *end;
        uint32_t annotation = i + 1 - self->plan.labels.count;
        if (i < self->plan.labels.count) {
            end = put_entry(bytes, INTERNED_EVENT_NAMES, i + 1, self->plan.labels.texts[i]);
        } else {
            end = put_entry(bytes, INTERNED_ANNOTATION_NAMES, annotation, annotation_names[annotation]);
        }
        size += (size_t)(end - bytes);
        if (output != NULL) {
            grt_output_write(output, bytes, (size_t)(end - bytes));
        }
    }
    return size;
}

/* The first packet tells the reader to forget other names, and holds those that all other packets refer to. */
static void write_names(struct perfetto *self) {
    size_t size = put_names(self, NULL);
    unsigned char inner[40], outer[20];
    unsigned char *end = grt_protobuf_number(inner, PACKET_SEQUENCE, SEQUENCE);
    end = grt_protobuf_number(end, PACKET_FLAGS, STATE_CLEARED | NEEDS_STATE);
    end = grt_protobuf_varint(grt_protobuf_tag(end, PACKET_INTERNED, GRT_WIRE_LENGTH), size);
    unsigned char *at = grt_protobuf_tag(outer, TRACE_PACKET, GRT_WIRE_LENGTH);
    at = grt_protobuf_varint(at, (size_t)(end - inner) + size);
    grt_output_write(self->output, outer, (size_t)(at - outer));
    grt_output_write(self->output, inner, (size_t)(end - inner));
    put_names(self, self->output);
}

/* ---- Descriptors ---- */

static void write_descriptor(struct perfetto *self, const unsigned char *descriptor,
                             const unsigned char *end) {
    unsigned char packet[DESCRIPTOR_ROOM + 32];
    unsigned char *at = grt_protobuf_number(packet, PACKET_SEQUENCE, SEQUENCE);
    at = grt_protobuf_bytes(at, PACKET_DESCRIPTOR, descriptor, (size_t)(end - descriptor));
    write_packet(self, packet, (size_t)(at - packet));
}

static unsigned char *put_name(unsigned char *at, uint32_t field, const char *name) {
    return grt_protobuf_bytes(at, field, name, strlen(name));
}

static void describe_process(struct perfetto *self) {
    unsigned char process[DESCRIPTOR_ROOM], descriptor[DESCRIPTOR_ROOM];
    const char *run = grt_export_name(&self->plan.rows, GRT_NAME_RUN, 0, 0);
    unsigned char *at = grt_protobuf_number(process, PROCESS_PID, PID);
    at = put_name(at, PROCESS_NAME, run != NULL && run[0] != '\0' ? run : "gpurt");
    unsigned char *end = grt_protobuf_number(descriptor, DESCRIPTOR_UUID, PROCESS);
    end = grt_protobuf_bytes(end, DESCRIPTOR_PROCESS, process, (size_t)(at - process));
    write_descriptor(self, descriptor, grt_protobuf_number(end, DESCRIPTOR_CHILD_ORDER, ORDER_EXPLICIT));
}

/* A track that is no thread; `rank` is its place among its siblings, which are not merged even where names are equal. */
static void describe_track(struct perfetto *self, uint32_t uuid, uint32_t parent, const char *name,
                           uint32_t rank) {
    unsigned char descriptor[DESCRIPTOR_ROOM];
    unsigned char *at = grt_protobuf_number(descriptor, DESCRIPTOR_UUID, uuid);
    at = put_name(at, DESCRIPTOR_NAME, name);
    at = grt_protobuf_number(at, DESCRIPTOR_PARENT, parent);
    at = grt_protobuf_number(at, DESCRIPTOR_CHILD_ORDER, ORDER_EXPLICIT);
    at = grt_protobuf_number(at, DESCRIPTOR_RANK, rank);
    write_descriptor(self, descriptor, grt_protobuf_number(at, DESCRIPTOR_MERGE, MERGE_NONE));
}

/* A thread belongs to its process by its number, without a parent. */
static void describe_thread(struct perfetto *self, uint32_t lane, const char *name) {
    unsigned char thread[DESCRIPTOR_ROOM], descriptor[DESCRIPTOR_ROOM];
    unsigned char *at = grt_protobuf_number(thread, THREAD_PID, PID);
    at = grt_protobuf_number(at, THREAD_TID, FIRST_TID + lane);
    at = put_name(at, THREAD_NAME, name);
    unsigned char *end = grt_protobuf_number(descriptor, DESCRIPTOR_UUID, FIRST_LANE + lane);
    end = grt_protobuf_bytes(end, DESCRIPTOR_THREAD, thread, (size_t)(at - thread));
    write_descriptor(self, descriptor, grt_protobuf_number(end, DESCRIPTOR_RANK, lane));
}

static void describe_lane(struct perfetto *self, uint32_t lane) {
    char name[GRT_LANE_NAME_SIZE];
    const struct grt_export_plan *plan = &self->plan;
    enum grt_row_kind kind = plan->rows.items[plan->lanes[lane].row].kind;
    uint32_t number = plan->lanes[lane].number;
    grt_export_lane_name(plan, lane, name);
    if (number > 0) {
        describe_track(self, FIRST_LANE + lane, FIRST_LANE + lane - number, name, number);
    } else if (kind == GRT_ROW_CORE) {
        describe_thread(self, lane, name);
    } else {
        describe_track(self, FIRST_LANE + lane, FIRST_GROUP + (uint32_t)kind, name, lane);
    }
}

/* The counter of a stream's shares: a track of its own below the stream, behind further lanes. Counters are numbered behind the lanes. */
static uint32_t counter_of(const struct perfetto *self, uint32_t lane) {
    return FIRST_LANE + self->plan.lane_count + lane;
}

static void describe_counter(struct perfetto *self, uint32_t lane) {
    unsigned char counter[32], descriptor[DESCRIPTOR_ROOM];
    unsigned char *at = grt_protobuf_bytes(counter, COUNTER_UNIT_NAME, "vprocessors", 11);
    unsigned char *end = grt_protobuf_number(descriptor, DESCRIPTOR_UUID, counter_of(self, lane));
    end = put_name(end, DESCRIPTOR_NAME, "share");
    end = grt_protobuf_number(end, DESCRIPTOR_PARENT, FIRST_LANE + lane);
    end = grt_protobuf_bytes(end, DESCRIPTOR_COUNTER, counter, (size_t)(at - counter));
    end = grt_protobuf_number(end, DESCRIPTOR_CHILD_ORDER, ORDER_EXPLICIT);
    end = grt_protobuf_number(end, DESCRIPTOR_RANK, self->plan.lane_count);
    write_descriptor(self, descriptor, grt_protobuf_number(end, DESCRIPTOR_MERGE, MERGE_NONE));
}

static void write_descriptors(struct perfetto *self) {
    static const char *const groups[GRT_ROW_KINDS] = {
        [GRT_ROW_TASK] = "Tasks",          [GRT_ROW_POLICY] = "Policy", [GRT_ROW_STREAM] = "Streams",
        [GRT_ROW_ENGINE] = "Copy engines", [GRT_ROW_SM] = "SMs",        [GRT_ROW_PROCESS] = "Processes"};
    const struct grt_export_plan *plan = &self->plan;
    int latest = -1;
    describe_process(self);
    for (uint32_t lane = 0; lane < plan->lane_count; lane++) {
        int kind = (int)plan->rows.items[plan->lanes[lane].row].kind;
        if (kind != latest && groups[kind] != NULL) {
            describe_track(self, FIRST_GROUP + (uint32_t)kind, PROCESS, groups[kind], (uint32_t)kind);
        }
        latest = kind;
        describe_lane(self, lane);
        if (grt_export_has_shares(plan, lane)) {
            describe_counter(self, lane);
        }
    }
}

/* ---- Events ---- */

/* A packet in the making: the time, then the event. */
struct event {
    unsigned char bytes[EVENT_ROOM];
    unsigned char *length; /* of the event */
    unsigned char *at;
};

static inline void start_event(struct event *event, grt_time time, uint32_t flags, uint32_t type,
                               uint32_t lane) {
    unsigned char *at = grt_protobuf_tag(event->bytes, TRACE_PACKET, GRT_WIRE_LENGTH) + 1;
    at = grt_protobuf_number(at, PACKET_TIMESTAMP, (uint64_t)time);
    at = grt_protobuf_number(at, PACKET_SEQUENCE, SEQUENCE);
    at = flags != 0 ? grt_protobuf_number(at, PACKET_FLAGS, flags) : at;
    at = grt_protobuf_tag(at, PACKET_TRACK_EVENT, GRT_WIRE_LENGTH);
    event->length = at++;
    at = grt_protobuf_number(at, EVENT_TYPE, type);
    event->at = grt_protobuf_number(at, EVENT_TRACK, FIRST_LANE + lane);
}

static inline void finish_event(struct perfetto *self, struct event *event) {
    *event->length = (unsigned char)(event->at - event->length - 1);
    event->bytes[1] = (unsigned char)(event->at - event->bytes - 2);
    GRT_ASSERT(event->at - event->bytes <= EVENT_ROOM, "keep an event shorter than 128 bytes");
    grt_output_write(self->output, event->bytes, (size_t)(event->at - event->bytes));
}

static void annotate_as(struct event *event, uint32_t name, uint32_t type, uint64_t value) {
    unsigned char inner[2 * (GRT_PROTOBUF_TAG + GRT_PROTOBUF_VARINT)];
    unsigned char *at = grt_protobuf_number(inner, ANNOTATION_NAME_IID, name);
    at = grt_protobuf_number(at, type, value);
    event->at = grt_protobuf_bytes(event->at, EVENT_ANNOTATION, inner, (size_t)(at - inner));
}

static void annotate(struct event *event, uint32_t name, uint64_t value) {
    annotate_as(event, name, ANNOTATION_UINT, value);
}

static void annotate_end(struct event *event, const char *how) {
    unsigned char inner[32];
    unsigned char *at = grt_protobuf_number(inner, ANNOTATION_NAME_IID, NAME_END);
    at = grt_protobuf_bytes(at, ANNOTATION_STRING, how, strlen(how));
    event->at = grt_protobuf_bytes(event->at, EVENT_ANNOTATION, inner, (size_t)(at - inner));
}

/* Blocks are too many to say more of each than what every one needs. */
static void annotate_slice(struct event *event, const struct grt_export_slice *slice) {
    const struct grt_trace_record *record = slice->record;
    if (record->kind != GRT_TRACE_BLOCK && record->task != GRT_TRACE_NO_TASK) {
        annotate(event, NAME_JOB, record->job);
    }
    if (grt_export_lateness(slice) > 0) {
        annotate(event, NAME_LATE, (uint64_t)grt_export_lateness(slice));
    }
    const char *how = grt_export_how_ended(record);
    if (how != NULL) {
        annotate_end(event, how);
    }
}

static void begin_slice(void *state, const struct grt_export_slice *slice) {
    struct perfetto *self = state;
    struct event event;
    start_event(&event, slice->record->other, NEEDS_STATE, TYPE_BEGIN, slice->lane);
    event.at = grt_protobuf_number(event.at, EVENT_NAME_IID, slice->label + 1);
    const char *category = grt_export_category(slice->record);
    if (category != NULL) {
        event.at = grt_protobuf_bytes(event.at, EVENT_CATEGORY, category, strlen(category));
    }
    if (slice->flow != GRT_FLOW_NONE) {
        uint64_t id = grt_hash_mix(grt_export_job_key(slice->record));
        event.at = grt_protobuf_fixed64(event.at, slice->flow == GRT_FLOW_END ? EVENT_LAST_FLOW : EVENT_FLOW,
                                        id > 0 ? id : 1);
    }
    annotate_slice(&event, slice);
    finish_event(self, &event);
}

static void end_slice(void *state, grt_time time, uint32_t lane) {
    struct event event;
    start_event(&event, time, 0, TYPE_END, lane);
    finish_event(state, &event);
}

static void write_mark(void *state, const struct grt_export_mark *mark, uint32_t lane) {
    struct perfetto *self = state;
    const struct grt_trace_record *record = &self->plan.trace->records[mark->record];
    struct event event;
    start_event(&event, mark->time, NEEDS_STATE, TYPE_INSTANT, lane);
    event.at = grt_protobuf_number(event.at, EVENT_NAME_IID, mark->label + 1);
    if (record->task != GRT_TRACE_NO_TASK) {
        annotate(&event, NAME_JOB, record->job);
    }
    if (mark->kind == GRT_MARK_MISS && mark->late > 0) {
        annotate(&event, NAME_LATE, (uint64_t)mark->late);
    } else if (mark->kind == GRT_MARK_PRIORITY) {
        annotate_as(&event, NAME_PRIORITY, ANNOTATION_INT, (uint64_t)record->other);
    }
    finish_event(self, &event);
}

static void write_share(void *state, const struct grt_export_share *share, uint32_t lane) {
    struct perfetto *self = state;
    struct event event;
    start_event(&event, share->time, 0, TYPE_COUNTER, counter_of(self, lane) - FIRST_LANE);
    event.at = grt_protobuf_number(event.at, EVENT_COUNTER_VALUE, share->value);
    finish_event(self, &event);
}

void grt_export_perfetto(const struct grt_trace_memory *trace, const struct grt_export_options *options,
                         struct grt_output *output) {
    static const struct grt_export_player player = {begin_slice, end_slice, write_mark, write_share};
    struct perfetto self = {.output = output};
    grt_export_plan_make(&self.plan, trace, options);
    write_names(&self);
    write_descriptors(&self);
    grt_export_plan_play(&self.plan, &player, &self);
    grt_export_plan_free(&self.plan);
}
