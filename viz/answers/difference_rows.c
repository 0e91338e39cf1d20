#include "viz/answers/difference_rows.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "viz/answers/difference_key.h"

/* The starts and the ends of both rows are gone through together in their order. One that the other run has too, within the
 * tolerance, is taken out with its partner. The others change by how much more runs in A than in B of a thing; the rows differ
 * while that is not 0 for some thing. So memory is needed only for what is under way. */

/* ---- the scope ---- */

struct label {
    const char *text;
    uint32_t number;
    int side;
};

static int by_text(const void *a, const void *b) {
    const struct label *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    order = order != 0 ? order : left->side - right->side;
    return order != 0 ? order : (left->number > right->number) - (left->number < right->number);
}

/* Equal texts of two runs get equal numbers. */
static void number_texts(const char **const texts[2], const uint32_t counts[2], uint32_t *numbers[2]) {
    uint32_t count = 0, next = 0;
    struct label *labels = grt_allocate(((size_t)counts[0] + counts[1] + 1) * sizeof *labels);
    for (int side = 0; side < 2; side++) {
        numbers[side] = grt_allocate((counts[side] + 1) * sizeof *numbers[side]);
        for (uint32_t i = 0; i < counts[side]; i++) {
            labels[count++] = (struct label){texts[side][i], i, side};
        }
    }
    if (count > 1) {
        qsort(labels, count, sizeof *labels, by_text);
    }
    for (uint32_t i = 0; i < count; i++) {
        next += i > 0 && strcmp(labels[i].text, labels[i - 1].text) != 0;
        numbers[labels[i].side][labels[i].number] = next;
    }
    free(labels);
}

static void number_names(struct grt_difference_scope *scope) {
    const struct grt_timeline *a = scope->timelines[0], *b = scope->timelines[1];
    number_texts((const char **const[2]){a->labels, b->labels},
                 (const uint32_t[2]){a->label_count, b->label_count}, scope->labels);
    number_texts((const char **const[2]){a->threads, b->threads},
                 (const uint32_t[2]){a->thread_count, b->thread_count}, scope->threads);
}

static void find_parts(const struct grt_timeline *timeline, bool parts[GRT_PARTS], bool *deadlines) {
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        for (uint32_t j = 0; j < timeline->rows[i].track_count; j++) {
            parts[timeline->rows[i].tracks[j].part] |= timeline->rows[i].tracks[j].track->count > 0;
        }
    }
    *deadlines = false;
    for (uint32_t i = 0; !*deadlines && i < timeline->first_rows[GRT_ROW_TASK + 1]; i++) {
        const struct grt_track *windows = grt_row_track(&timeline->rows[i], GRT_PART_WINDOW);
        for (uint32_t j = 0; !*deadlines && j < windows->count; j++) {
            *deadlines = (grt_track_at(windows, j).flags & GRT_WINDOW_ENDLESS) == 0;
        }
    }
}

void grt_difference_scope_make(struct grt_difference_scope *scope, const struct grt_timeline *a,
                               const struct grt_timeline *b, const struct grt_row_pairs *pairs,
                               const struct grt_difference_options *options) {
    bool parts[2][GRT_PARTS] = {{false}}, deadlines[2];
    *scope = (struct grt_difference_scope){.timelines = {a, b},
                                           .pairs = {pairs->of_a, pairs->of_b},
                                           .deadlines = true,
                                           .tolerance = options->tolerance};
    for (int side = 0; side < 2; side++) {
        find_parts(scope->timelines[side], parts[side], &deadlines[side]);
    }
    if (options->common_only) {
        scope->deadlines = deadlines[0] && deadlines[1];
    }
    for (int i = 0; i < GRT_PARTS; i++) {
        scope->parts[i] = !options->common_only || (parts[0][i] && parts[1][i]);
    }
    scope->parts[GRT_PART_MISS] = scope->deadlines; /* there may be none where all are met */
    number_names(scope);
}

void grt_difference_scope_free(struct grt_difference_scope *scope) {
    for (int side = 0; side < 2; side++) {
        free(scope->labels[side]);
        free(scope->threads[side]);
    }
}

/* ---- the sweep ---- */

/* What is counted of a key: its place in the tag, above the part; above it, how it ended. */
enum count { RUNNING = 0, START = 1, END = 2, INSTANT = 3, COUNT_SHIFT = 8, ENDING_SHIFT = 10 };

/* Goes through the starts or the ends of a track. */
struct cursor {
    const struct grt_track *track;
    enum grt_track_part part;
    int side;
    enum count count;
    uint32_t next; /* among them */
    grt_time time; /* of that one */
};

enum { MOST_CURSORS = 4 * GRT_ROW_TRACKS };

struct event {
    grt_time time;
    struct grt_difference_key key;
    uint32_t next; /* of those that wait with it */
    uint8_t side;
    bool has_partner;
};

struct grt_difference_sweep {
    const struct grt_difference_scope *scope;
    struct grt_kernel_cache kernels[4]; /* of starts and ends of each run */
    struct cursor cursors[MOST_CURSORS];
    uint32_t cursor_count;
    struct event *events; /* the last ones, a ring: from `first` up to but without `end` */
    uint32_t first, end, event_capacity;
    struct grt_difference_table table;
    uint32_t differing;    /* things of which not the same number runs */
    struct grt_slice span; /* the last that was found */
    bool has_span;
    struct grt_track *track; /* for the spans before it */
};

struct grt_difference_sweep *grt_difference_sweep_create(const struct grt_difference_scope *scope) {
    struct grt_difference_sweep *sweep = grt_allocate(sizeof *sweep);
    *sweep = (struct grt_difference_sweep){.scope = scope};
    return sweep;
}

void grt_difference_sweep_free(struct grt_difference_sweep *sweep) {
    free(sweep->events);
    grt_difference_table_free(&sweep->table);
    free(sweep);
}

/* ---- cursors ---- */

static struct grt_slice slice_at(const struct cursor *cursor, uint32_t next) {
    const struct grt_track *track = cursor->track;
    bool by_start = (cursor->count == START || cursor->count == INSTANT) && track->overlaps;
    return grt_track_at(track, by_start ? grt_track_started(track, next) : next);
}

static void set_time(struct cursor *cursor) {
    if (cursor->next < cursor->track->count) {
        struct grt_slice slice = slice_at(cursor, cursor->next);
        cursor->time = cursor->count == END ? slice.end : slice.start;
    }
}

static void add_cursor(struct grt_difference_sweep *sweep, int side, const struct grt_track *track,
                       enum grt_track_part part, enum count count) {
    struct cursor *cursor = &sweep->cursors[sweep->cursor_count++];
    *cursor = (struct cursor){.track = track, .part = part, .side = side, .count = count};
    set_time(cursor);
}

static void add_row(struct grt_difference_sweep *sweep, int side, uint32_t number) {
    if (number == GRT_NO_ROW) {
        return;
    }
    const struct grt_row *row = &sweep->scope->timelines[side]->rows[number];
    for (uint32_t i = 0; i < row->track_count; i++) {
        enum grt_track_part part = row->tracks[i].part;
        const struct grt_track *track = row->tracks[i].track;
        if (track->count > 0 && sweep->scope->parts[part]) {
            bool instants = part == GRT_PART_OWN_MARK || part == GRT_PART_MISS || part == GRT_PART_SIGN;
            add_cursor(sweep, side, track, part, instants ? INSTANT : START);
            if (!instants) {
                add_cursor(sweep, side, track, part, END);
            }
        }
    }
}

static struct cursor *earliest(struct grt_difference_sweep *sweep) {
    struct cursor *best = NULL;
    for (uint32_t i = 0; i < sweep->cursor_count; i++) {
        struct cursor *cursor = &sweep->cursors[i];
        if (cursor->next < cursor->track->count && (best == NULL || cursor->time < best->time)) {
            best = cursor;
        }
    }
    return best;
}

/* Without deadlines a window is its release, which is its end where it is reversed. Whether it is the end that is asked for. */
static bool is_release(const struct cursor *cursor, const struct grt_slice *window) {
    return ((window->flags & GRT_WINDOW_REVERSED) != 0) == (cursor->count == END);
}

/* Takes the next start or end of a cursor; false if it is nothing that is compared. */
static bool take(struct grt_difference_sweep *sweep, struct cursor *cursor, struct event *event) {
    const struct grt_difference_scope *scope = sweep->scope;
    struct grt_slice slice = slice_at(cursor, cursor->next++);
    uint32_t ending, count = cursor->count;
    *event = (struct event){.time = cursor->time, .side = (uint8_t)cursor->side};
    event->key =
        grt_difference_key_of(scope, cursor->side, &sweep->kernels[2 * cursor->side + (count == END)],
                              cursor->part, &slice, &ending);
    bool wanted = true;
    if (cursor->part == GRT_PART_WINDOW && !scope->deadlines) {
        wanted = is_release(cursor, &slice);
        count = INSTANT;
        ending = 0;
    }
    event->key.tag |= count << COUNT_SHIFT | (count == START ? 0 : ending << ENDING_SHIFT);
    set_time(cursor);
    return wanted;
}

/* ---- spans ---- */

/* Something differs at an instant: the last span goes on, or a new one begins. */
static void touch(struct grt_difference_sweep *sweep, grt_time time, int side) {
    if (!sweep->has_span || time > sweep->span.end) {
        if (sweep->has_span) {
            grt_track_add(sweep->track, &sweep->span);
        }
        sweep->span = (struct grt_slice){.start = time, .end = time, .task = GRT_TRACE_NO_TASK, .weight = 1};
        sweep->has_span = true;
    }
    sweep->span.flags |= side == 0 ? GRT_DIFFERENCE_A : GRT_DIFFERENCE_B;
}

/* A start or end that only one run has. */
static void apply(struct grt_difference_sweep *sweep, const struct event *event) {
    struct grt_difference_key key = event->key;
    uint32_t count = key.tag >> COUNT_SHIFT & 3;
    if (sweep->differing > 0) {
        sweep->span.end = event->time;
    }
    touch(sweep, event->time, event->side);
    if (count == INSTANT) {
        return;
    }
    key.tag &= (1U << COUNT_SHIFT) - 1; /* RUNNING */
    uint32_t entry = grt_difference_table_get(&sweep->table, &key);
    int32_t *surplus = &sweep->table.entries[entry].surplus;
    sweep->differing -= *surplus != 0;
    *surplus += (count == START) == (event->side == 0) ? 1 : -1;
    sweep->differing += *surplus != 0;
    if (*surplus == 0) {
        grt_difference_table_drop(&sweep->table, entry);
    }
}

/* ---- partners ---- */

static struct event *event_at(const struct grt_difference_sweep *sweep, uint32_t number) {
    return &sweep->events[number & (sweep->event_capacity - 1)];
}

static void grow_ring(struct grt_difference_sweep *sweep) {
    uint32_t old_capacity = sweep->event_capacity;
    struct event *old = sweep->events;
    sweep->event_capacity = old_capacity > 0 ? 2 * old_capacity : GRT_FIRST_CAPACITY(256);
    sweep->events = grt_allocate(sweep->event_capacity * sizeof *sweep->events);
    for (uint32_t i = sweep->first; i != sweep->end; i++) {
        *event_at(sweep, i) = old[i & (old_capacity - 1)];
    }
    free(old);
}

/* Takes the first of an entry's events out. */
static struct event *leave(struct grt_difference_sweep *sweep, uint32_t entry) {
    struct grt_difference_entry *waiting = &sweep->table.entries[entry];
    struct event *event = event_at(sweep, waiting->head);
    if (waiting->head == waiting->tail) {
        grt_difference_table_drop(&sweep->table, entry);
    } else {
        waiting->head = event->next;
    }
    return event;
}

/* Nothing that comes at `time` or later can be the partner of what is so long ago. */
static void let_go(struct grt_difference_sweep *sweep, grt_time time) {
    for (; sweep->first != sweep->end; sweep->first++) {
        struct event *event = event_at(sweep, sweep->first);
        if (time - event->time <= sweep->scope->tolerance) {
            break;
        }
        if (!event->has_partner) {
            leave(sweep, grt_difference_table_get(&sweep->table, &event->key));
            apply(sweep, event);
        }
    }
}

/* Gives an event a partner, or lets it wait for one. */
static void meet(struct grt_difference_sweep *sweep, const struct event *event) {
    let_go(sweep, event->time);
    uint32_t entry = grt_difference_table_get(&sweep->table, &event->key);
    struct grt_difference_entry *waiting = &sweep->table.entries[entry];
    if (waiting->waits && waiting->side != event->side) {
        leave(sweep, entry)->has_partner = true;
        return;
    }
    if (sweep->end - sweep->first == sweep->event_capacity) {
        grow_ring(sweep);
    }
    uint32_t number = sweep->end++;
    *event_at(sweep, number) = *event;
    if (waiting->waits) {
        event_at(sweep, waiting->tail)->next = number;
    } else {
        waiting->head = number;
    }
    waiting->tail = number;
    waiting->waits = true;
    waiting->side = event->side;
}

static void finish(struct grt_difference_sweep *sweep) {
    for (; sweep->first != sweep->end; sweep->first++) {
        struct event *event = event_at(sweep, sweep->first);
        if (!event->has_partner) {
            leave(sweep, grt_difference_table_get(&sweep->table, &event->key));
            apply(sweep, event);
        }
    }
    if (sweep->has_span) {
        grt_track_add(sweep->track, &sweep->span);
    }
    grt_track_settle(sweep->track);
}

void grt_difference_sweep_rows(struct grt_difference_sweep *sweep, struct grt_row_pair rows,
                               struct grt_track *track) {
    sweep->track = track;
    sweep->cursor_count = 0;
    sweep->has_span = false;
    add_row(sweep, 0, rows.a);
    add_row(sweep, 1, rows.b);
    for (struct cursor *cursor = earliest(sweep); cursor != NULL; cursor = earliest(sweep)) {
        struct event event;
        if (take(sweep, cursor, &event)) {
            meet(sweep, &event);
        }
    }
    finish(sweep);
}
