#include "tests/support/perfetto_lint.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"

enum { MOST_NAMES = 20000, MOST_TRACKS = 20000, MOST_FLOWS = 50000 };

struct track {
    uint64_t uuid, parent, rank, start, name_iid;
    struct perfetto_text name;
    bool is_thread, is_process, is_counter, open;
};

struct flow {
    uint64_t id;
    size_t steps;
    bool ended;
};

struct lint {
    struct perfetto_contents *contents;
    struct perfetto_text names[MOST_NAMES]; /* of events, by iid */
    bool annotation_known[16];
    struct track tracks[MOST_TRACKS];
    size_t track_count;
    struct flow flows[MOST_FLOWS];
    size_t flow_count;
    uint64_t latest, pid;
    uint64_t tids[MOST_TRACKS];
    size_t tid_count, packet_count;
};

/* ---- Bytes ---- */

struct field {
    uint64_t number, wire, value;
    const unsigned char *bytes; /* of a field with a length, which is `value` */
};

struct message {
    const unsigned char *at, *end;
};

static bool read_varint(struct message *message, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && message->at < message->end; shift += 7) {
        unsigned char byte = *message->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* The next field; false at the end and where the bytes make no field, which sets `at` to NULL. */
static bool next_field(struct message *message, struct field *field) {
    uint64_t tag;
    if (message->at == NULL || message->at == message->end) {
        return false;
    }
    bool good = read_varint(message, &tag);
    field->number = tag >> 3;
    field->wire = tag & 7;
    if (good && field->wire == 1 && message->end - message->at >= 8) {
        memcpy(&field->value, message->at, 8);
        message->at += 8;
        return true;
    }
    good = good && (field->wire == 0 || field->wire == 2) && read_varint(message, &field->value);
    if (good && field->wire == 2) {
        good = field->value <= (uint64_t)(message->end - message->at);
        field->bytes = message->at;
        message->at += good ? field->value : 0;
    }
    if (!good) {
        message->at = NULL;
    }
    return good;
}

static struct message message_of(const struct field *field) {
    return (struct message){field->bytes, field->bytes + field->value};
}

static struct perfetto_text text_of(const struct field *field) {
    return (struct perfetto_text){(const char *)field->bytes, field->value};
}

/* ---- Names ---- */

static const char *read_entry(struct lint *lint, const struct field *entry) {
    struct message message = message_of(entry);
    struct field field, name = {0};
    uint64_t iid = 0;
    while (next_field(&message, &field)) {
        iid = field.number == 1 && field.wire == 0 ? field.value : iid;
        name = field.number == 2 && field.wire == 2 ? field : name;
    }
    if (message.at == NULL || iid == 0 || iid >= MOST_NAMES || name.bytes == NULL) {
        return "0: a name without number or text";
    }
    if (entry->number == 3) {
        lint->annotation_known[iid & 15] = true;
    } else {
        lint->names[iid] = text_of(&name);
    }
    return NULL;
}

static const char *read_names(struct lint *lint, const struct field *interned) {
    struct message message = message_of(interned);
    struct field field;
    const char *fault = NULL;
    while (fault == NULL && next_field(&message, &field)) {
        fault = (field.number == 2 || field.number == 3) && field.wire == 2
                    ? read_entry(lint, &field)
                    : "0: an unknown field among the names";
    }
    return fault == NULL && message.at == NULL ? "0: damaged names" : fault;
}

/* ---- Tracks ---- */

static struct track *find_track(struct lint *lint, uint64_t uuid) {
    for (size_t i = 0; i < lint->track_count; i++) {
        if (lint->tracks[i].uuid == uuid) {
            return &lint->tracks[i];
        }
    }
    return NULL;
}

/* A process {1 pid, 6 name} or thread {1 pid, 2 tid, 5 name}. */
static const char *read_owner(struct lint *lint, const struct field *owner, struct track *track) {
    struct message message = message_of(owner);
    struct field field;
    uint64_t pid = 0, tid = 0;
    while (next_field(&message, &field)) {
        pid = field.number == 1 ? field.value : pid;
        tid = field.number == 2 ? field.value : tid;
        if (field.wire == 2) {
            track->name = text_of(&field);
        }
    }
    track->is_process = owner->number == 3;
    track->is_thread = owner->number == 4;
    if (pid == 0 || (track->is_thread && tid == 0)) {
        return "6: a pid or tid of 0";
    }
    for (size_t i = 0; track->is_thread && i < lint->tid_count; i++) {
        if (lint->tids[i] == tid) {
            return "6: two threads with one tid";
        }
    }
    lint->tids[lint->tid_count] = tid;
    lint->tid_count += track->is_thread;
    if (track->is_process) {
        lint->pid = pid;
    }
    return lint->pid == pid ? NULL : "3: a thread of a process that was not described";
}

static const char *check_track(struct lint *lint, const struct track *track, uint64_t order, uint64_t merge) {
    if (track->uuid == 0 || find_track(lint, track->uuid) != NULL) {
        return "3: a track without number, or described twice";
    }
    if ((track->is_process || track->is_thread) && track->parent != 0) {
        return "4: a process or thread with a parent";
    }
    if (!track->is_process && !track->is_thread &&
        (track->parent == 0 || find_track(lint, track->parent) == NULL)) {
        return "3: a track before its parent";
    }
    if (!track->is_thread && order != 3) {
        return "5: a track whose children are not ordered by rank";
    }
    if (!track->is_process && !track->is_thread && merge != 2) {
        return "5: a track that may be merged with others";
    }
    for (size_t i = 0; track->parent != 0 && i < lint->track_count; i++) {
        if (lint->tracks[i].parent == track->parent && lint->tracks[i].rank == track->rank) {
            return "5: two tracks of one rank";
        }
    }
    return NULL;
}

static const char *read_track(struct lint *lint, const struct field *descriptor) {
    struct message message = message_of(descriptor);
    struct field field;
    struct track track = {0};
    uint64_t order = 0, merge = 0;
    const char *fault = NULL;
    while (fault == NULL && next_field(&message, &field)) {
        switch (field.number << 3 | field.wire) {
        case 1 << 3:
            track.uuid = field.value;
            break;
        case 2 << 3 | 2:
            track.name = text_of(&field);
            break;
        case 3 << 3 | 2:
        case 4 << 3 | 2:
            fault = read_owner(lint, &field, &track);
            break;
        case 5 << 3:
            track.parent = field.value;
            break;
        case 8 << 3 | 2:
            fault = field.value == 0 ? "0: a counter without a unit" : NULL;
            track.is_counter = true;
            break;
        case 11 << 3:
            order = field.value;
            break;
        case 12 << 3:
            track.rank = field.value;
            break;
        case 15 << 3:
            merge = field.value;
            break;
        default:
            fault = "0: an unknown field in a track";
        }
    }
    fault = fault == NULL && message.at == NULL ? "0: a damaged track" : fault;
    fault = fault == NULL ? check_track(lint, &track, order, merge) : fault;
    if (fault == NULL) {
        lint->tracks[lint->track_count++] = track;
        lint->contents->tracks++;
    }
    return fault;
}

/* ---- Events ---- */

struct event {
    uint64_t type, track, name, flow, last_flow, value;
    bool annotated, categorised, counts;
};

static const char *read_annotation(const struct lint *lint, const struct field *annotation) {
    struct message message = message_of(annotation);
    struct field field;
    uint64_t iid = 0;
    bool value = false;
    while (next_field(&message, &field)) {
        iid = field.number == 1 ? field.value : iid;
        value = value || ((field.number == 3 || field.number == 4) && field.wire == 0) ||
                (field.number == 6 && field.wire == 2);
    }
    if (message.at == NULL || !value) {
        return "0: a damaged annotation";
    }
    return iid > 0 && iid < 16 && lint->annotation_known[iid] ? NULL : "2: an annotation without a name";
}

static const char *read_event(const struct lint *lint, const struct field *source, struct event *event) {
    struct message message = message_of(source);
    struct field field;
    const char *fault = NULL;
    while (fault == NULL && next_field(&message, &field)) {
        switch (field.number << 3 | field.wire) {
        case 4 << 3 | 2:
            fault = read_annotation(lint, &field);
            event->annotated = true;
            break;
        case 9 << 3:
            event->type = field.value;
            break;
        case 10 << 3:
            event->name = field.value;
            break;
        case 11 << 3:
            event->track = field.value;
            break;
        case 22 << 3 | 2:
            fault =
                field.value == 0 || event->categorised ? "0: a category that says nothing, or more" : NULL;
            event->categorised = true;
            break;
        case 30 << 3:
            event->value = field.value;
            event->counts = true;
            break;
        case 47 << 3 | 1:
            event->flow = field.value;
            break;
        case 48 << 3 | 1:
            event->last_flow = field.value;
            break;
        default:
            fault = "0: an unknown field in an event";
        }
    }
    return fault == NULL && message.at == NULL ? "0: a damaged event" : fault;
}

static const char *step_flow(struct lint *lint, uint64_t id, bool last) {
    struct flow *flow = NULL;
    for (size_t i = 0; i < lint->flow_count && flow == NULL; i++) {
        flow = lint->flows[i].id == id ? &lint->flows[i] : NULL;
    }
    if (flow == NULL) {
        if (lint->flow_count == MOST_FLOWS) {
            return "7: more flows than the lint holds";
        }
        flow = &lint->flows[lint->flow_count++];
        *flow = (struct flow){.id = id};
        lint->contents->flows++;
    }
    if (flow->ended) {
        return "7: a flow goes on behind its end";
    }
    flow->steps++;
    flow->ended = last;
    lint->contents->flow_steps++;
    return last && flow->steps < 2 ? "7: a flow of one step" : NULL;
}

static void tell_slice(const struct lint *lint, const struct track *track, uint64_t end) {
    struct perfetto_slice slice = {
        .track = track->name, .name = lint->names[track->name_iid], .start = track->start, .end = end};
    lint->contents->slices++;
    lint->contents->open += end == UINT64_MAX;
    if (lint->contents->slice != NULL) {
        lint->contents->slice(lint->contents->state, &slice);
    }
}

static const char *begin_or_end(struct lint *lint, struct track *track, const struct event *event,
                                uint64_t time) {
    bool begin = event->type == 1;
    if (track->open == begin) {
        return begin ? "5: a slice begins while another lasts on its lane" : "5: an end without a begin";
    }
    track->open = begin;
    if (begin) {
        track->start = time;
        track->name_iid = event->name;
    } else {
        tell_slice(lint, track, time);
    }
    return NULL;
}

static const char *take_event(struct lint *lint, const struct event *event, uint64_t time, uint64_t flags) {
    struct track *track = find_track(lint, event->track);
    bool named = event->type == 1 || event->type == 3;
    if (track == NULL) {
        return "3: an event before its track";
    }
    if (event->type < 1 || event->type > 4) {
        return "0: an event of no known type";
    }
    if (track->is_counter != (event->type == 4) || event->counts != (event->type == 4)) {
        return "8: a value apart from a counter, or a counter without one";
    }
    if (named && (event->name >= MOST_NAMES || lint->names[event->name].bytes == NULL)) {
        return "2: an event without a name";
    }
    if ((event->name != 0 || event->annotated) && (flags & 2) == 0) {
        return "2: names are used without the state";
    }
    if (time < lint->latest) {
        return "6: time goes back";
    }
    lint->latest = time;
    if (event->categorised && event->type != 1) {
        return "0: a category of what is no slice";
    }
    lint->contents->categories += event->categorised;
    if ((event->flow != 0 || event->last_flow != 0) && event->type != 1) {
        return "7: a flow apart from a begin";
    }
    const char *fault = event->flow != 0 ? step_flow(lint, event->flow, false) : NULL;
    fault = fault == NULL && event->last_flow != 0 ? step_flow(lint, event->last_flow, true) : fault;
    if (event->type == 4) {
        lint->contents->values++;
        if (lint->contents->value != NULL) {
            lint->contents->value(lint->contents->state, &find_track(lint, track->parent)->name, event->value,
                                  time);
        }
        return fault;
    }
    if (event->type == 3) {
        lint->contents->instants++;
        if (lint->contents->instant != NULL) {
            lint->contents->instant(lint->contents->state, &track->name, &lint->names[event->name], time);
        }
        return fault;
    }
    return fault != NULL ? fault : begin_or_end(lint, track, event, time);
}

/* ---- Packets ---- */

static const char *read_packet(struct lint *lint, const struct field *packet) {
    struct message message = message_of(packet);
    struct field field, event_field = {0}, names = {0}, track = {0};
    uint64_t time = UINT64_MAX, sequence = 0, flags = 0;
    while (next_field(&message, &field)) {
        switch (field.number << 3 | field.wire) {
        case 8 << 3:
            time = field.value;
            break;
        case 10 << 3:
            sequence = field.value;
            break;
        case 11 << 3 | 2:
            event_field = field;
            break;
        case 12 << 3 | 2:
            names = field;
            break;
        case 13 << 3:
            flags = field.value;
            break;
        case 60 << 3 | 2:
            track = field;
            break;
        default:
            return "0: an unknown field in a packet";
        }
    }
    if (message.at == NULL) {
        return "0: a damaged packet";
    }
    if (sequence != 1) {
        return "1: a packet of another sequence";
    }
    bool first = lint->packet_count++ == 0;
    if (first != ((flags & 1) != 0) || first != (names.bytes != NULL) || (first && flags != 3)) {
        return "2: names and the clearing of the state belong into the first packet";
    }
    const char *fault = names.bytes != NULL ? read_names(lint, &names) : NULL;
    fault = fault == NULL && track.bytes != NULL ? read_track(lint, &track) : fault;
    if (fault == NULL && event_field.bytes != NULL) {
        struct event event = {0};
        fault = time == UINT64_MAX ? "6: an event without a time" : read_event(lint, &event_field, &event);
        fault = fault == NULL ? take_event(lint, &event, time, flags) : fault;
    }
    return fault;
}

static const char *finish(struct lint *lint) {
    for (size_t i = 0; i < lint->flow_count; i++) {
        if (!lint->flows[i].ended) {
            return "7: a flow without an end";
        }
    }
    for (size_t i = 0; i < lint->track_count; i++) {
        if (lint->tracks[i].open) {
            tell_slice(lint, &lint->tracks[i], UINT64_MAX);
        }
    }
    return lint->packet_count > 0 ? NULL : "2: no packet";
}

const char *grt_perfetto_lint(const unsigned char *bytes, size_t size, struct perfetto_contents *contents) {
    struct lint *lint = grt_allocate(sizeof *lint);
    struct message message = {bytes, bytes + size};
    struct field field;
    const char *fault = NULL;
    memset(lint, 0, sizeof *lint);
    lint->contents = contents;
    while (fault == NULL && next_field(&message, &field)) {
        fault = field.number == 1 && field.wire == 2 ? read_packet(lint, &field)
                                                     : "0: something that is no packet";
    }
    fault = fault == NULL && message.at == NULL ? "0: damaged bytes" : fault;
    fault = fault == NULL ? finish(lint) : fault;
    free(lint);
    return fault;
}
