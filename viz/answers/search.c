#include "viz/answers/search.h"

#include <stdlib.h>
#include <string.h>

#include "sim/memory.h"
#include "sim/unit.h"
#include "viz/answers/search_text.h"

/* Hits of a track are counted once, in blocks: then the number of those before any slice, and the slice of any of them, are a few
 * steps and one block away. */
enum { BLOCK = 256 };

enum test { EVERY_SLICE, OF_JOB, NAMED, LABELLED, THREADED };

struct grt_search_track {
    uint32_t row, track;
    const struct grt_track *slices;
    enum test test;
    uint32_t hit_count;
    /* of each block, and of the end: how many hits come before it; NULL where every slice is one */
    uint32_t *before;
};

struct grt_search_names {
    bool *rows, *labels, *threads;
    uint64_t *commands; /* task and place, ascending */
    uint32_t command_count;
    bool any, any_label, any_thread;
};

/* ---- names ---- */

static void find_names(struct grt_search *search, struct grt_search_names *names) {
    const struct grt_timeline *timeline = search->timeline;
    names->rows = grt_arena_array(&search->arena, timeline->row_count + 1, sizeof *names->rows);
    names->labels = grt_arena_array(&search->arena, timeline->label_count + 1, sizeof *names->labels);
    names->commands = grt_arena_array(&search->arena, timeline->kernel_count + 1, sizeof *names->commands);
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        names->rows[i] = grt_search_contains(timeline->rows[i].name, search->text);
        names->any |= names->rows[i];
    }
    for (uint32_t i = 0; i < timeline->label_count; i++) {
        names->labels[i] = grt_search_contains(timeline->labels[i], search->text);
        names->any_label |= names->labels[i];
    }
    names->threads = grt_arena_array(&search->arena, timeline->thread_count + 1, sizeof *names->threads);
    for (uint32_t i = 0; i < timeline->thread_count; i++) {
        names->threads[i] = grt_search_contains(timeline->threads[i], search->text);
        names->any_thread |= names->threads[i];
    }
    for (uint32_t i = 0; i < timeline->kernel_count; i++) {
        uint32_t task, place;
        if (grt_search_contains(grt_timeline_named(timeline, i, &task, &place), search->text)) {
            names->commands[names->command_count++] = (uint64_t)task << 32 | place;
        }
    }
    names->any |= names->any_label || names->any_thread || names->command_count > 0;
}

/* The first of the commands that is not before a task and place. */
static uint32_t first_command(const struct grt_search_names *names, uint64_t command) {
    uint32_t low = 0, high = names->command_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (names->commands[middle] < command) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_command(const struct grt_search_names *names, uint64_t command) {
    uint32_t first = first_command(names, command);
    return first < names->command_count && names->commands[first] == command;
}

static bool task_has_commands(const struct grt_search_names *names, uint32_t task) {
    uint32_t first = first_command(names, (uint64_t)task << 32);
    return first < names->command_count && names->commands[first] >> 32 == task;
}

/* ---- hits of a track ---- */

static bool is_hit(const struct grt_search *search, enum test test, const struct grt_slice *slice) {
    uint32_t label = grt_trace_label_of(slice->detail), thread = grt_trace_thread_of(slice->detail);
    switch (test) {
    case OF_JOB:
        return slice->job == search->job;
    case NAMED:
        return has_command(search->names, (uint64_t)slice->task << 32 | slice->detail);
    case LABELLED:
        return slice->detail < search->timeline->label_count && search->names->labels[slice->detail];
    case THREADED:
        return (label < search->timeline->label_count && search->names->labels[label]) ||
               (thread < search->timeline->thread_count && search->names->threads[thread]);
    default:
        return true;
    }
}

static uint32_t count_hits(const struct grt_search *search, const struct grt_search_track *track,
                           uint32_t from, uint32_t to) {
    uint32_t hits = 0;
    for (uint32_t i = from; i < to; i++) {
        struct grt_slice slice = grt_track_at(track->slices, i);
        hits += is_hit(search, track->test, &slice);
    }
    return hits;
}

/* How many hits have a lower number. */
static uint32_t hits_before(const struct grt_search *search, const struct grt_search_track *track,
                            uint32_t number) {
    if (track->before == NULL) {
        return number;
    }
    return track->before[number / BLOCK] +
           (number % BLOCK > 0 ? count_hits(search, track, number - number % BLOCK, number) : 0);
}

/* The number of the slice that is the hit after `hits` others, of which there is one. */
static uint32_t hit_at(const struct grt_search *search, const struct grt_search_track *track, uint32_t hits) {
    if (track->before == NULL) {
        return hits;
    }
    uint32_t low = 0, high = (track->slices->count + BLOCK - 1) / BLOCK;
    while (high - low > 1) { /* the last block with at most so many before it */
        uint32_t middle = low + (high - low) / 2;
        if (track->before[middle] <= hits) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint32_t number = low * BLOCK;
    for (hits -= track->before[low];; number++) {
        struct grt_slice slice = grt_track_at(track->slices, number);
        if (is_hit(search, track->test, &slice) && hits-- == 0) {
            return number;
        }
    }
}

static void set_counts(const struct grt_search *search, struct grt_search_track *track) {
    uint32_t count = track->slices->count, blocks = (count + BLOCK - 1) / BLOCK;
    track->before = grt_allocate((blocks + 1) * sizeof *track->before);
    track->before[0] = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        uint32_t end = count - i * BLOCK < BLOCK ? count : (i + 1) * BLOCK;
        track->before[i + 1] = track->before[i] + count_hits(search, track, i * BLOCK, end);
    }
    track->hit_count = track->before[blocks];
}

/* ---- where hits may be ---- */

/* Adds a row's track of that part, if it has hits; whether it has. */
static bool add_track(struct grt_search *search, uint32_t row, enum grt_track_part part, enum test test) {
    const struct grt_row *of = &search->timeline->rows[row];
    struct grt_search_track track = {.row = row, .test = test, .slices = grt_row_track(of, part)};
    while (of->tracks[track.track].part != part) {
        track.track++;
    }
    if (test == EVERY_SLICE) {
        track.hit_count = track.slices->count;
    } else {
        set_counts(search, &track);
    }
    if (track.hit_count == 0) {
        free(track.before);
        return false;
    }
    search->tracks =
        grt_array_grow(search->tracks, &search->track_capacity, search->track_count + 1, sizeof track);
    search->tracks[search->track_count++] = track;
    search->hit_count += track.hit_count;
    return true;
}

static void add_tracks_of_names(struct grt_search *search) {
    const struct grt_timeline *timeline = search->timeline;
    const struct grt_search_names *names = search->names;
    for (uint32_t i = 0; i < timeline->row_count; i++) {
        enum grt_row_kind kind = timeline->rows[i].kind;
        if (kind == GRT_ROW_TASK && names->rows[i]) {
            add_track(search, i, GRT_PART_JOB, EVERY_SLICE);
        }
        if (kind == GRT_ROW_TASK && task_has_commands(names, timeline->rows[i].index)) {
            add_track(search, i, GRT_PART_KERNEL, NAMED);
        }
        if (kind == GRT_ROW_STREAM && names->command_count > 0) {
            add_track(search, i, GRT_PART_CALL, NAMED);
        }
        if (kind == GRT_ROW_CORE && (names->any_label || names->any_thread)) {
            add_track(search, i, GRT_PART_THREAD, THREADED);
        }
        if (kind == GRT_ROW_POLICY && names->any_label) {
            add_track(search, i, GRT_PART_OWN, LABELLED);
            add_track(search, i, GRT_PART_OWN_MARK, LABELLED);
        }
    }
}

static void add_rows(struct grt_search *search) {
    const struct grt_search_names *names = search->names;
    search->rows = grt_arena_array(&search->arena, search->timeline->row_count + 1, sizeof *search->rows);
    for (uint32_t i = 0; i < search->timeline->row_count; i++) {
        if (names->rows[i]) {
            search->rows[search->row_count++] = i;
        }
    }
    search->hit_count += search->row_count;
}

/* A job is where it ended; in a trace that was cut off it may only have been released; or it was skipped. */
static void add_jobs(struct grt_search *search) {
    for (uint32_t i = 0; i < search->timeline->first_rows[GRT_ROW_TASK + 1]; i++) {
        if (*search->text == '\0' || search->names->rows[i]) {
            (void)(add_track(search, i, GRT_PART_JOB, OF_JOB) ||
                   add_track(search, i, GRT_PART_WINDOW, OF_JOB) ||
                   add_track(search, i, GRT_PART_SIGN, OF_JOB));
        }
    }
}

/* ---- understanding ---- */

static bool matches_task(const struct grt_search *search) {
    bool any = false;
    for (uint32_t i = 0; i < search->timeline->first_rows[GRT_ROW_TASK + 1]; i++) {
        any |= search->names->rows[i];
    }
    return any;
}

static void set_names(struct grt_search *search) {
    search->names = grt_arena_new(&search->arena, struct grt_search_names);
    if (*search->text != '\0') {
        find_names(search, search->names);
    }
}

static void read_instant(struct grt_search *search) {
    const char *text = search->text + 1;
    int64_t instant = 0;
    search->error = grt_unit_parse(GRT_QUANTITY_TIME, text + strspn(text, " \t"), &instant);
    search->instant = search->error == NULL ? instant : 0;
    search->kind = search->error == NULL ? GRT_SEARCH_INSTANT : GRT_SEARCH_WRONG;
    search->hit_count = search->error == NULL;
}

/* If what is before the number is part of a task's name; else it is a text that nothing contains. */
static void read_job(struct grt_search *search) {
    size_t name_length;
    uint64_t job;
    if (!grt_search_job_form(search->text, &name_length, &job)) {
        return;
    }
    char *whole = search->text;
    search->text = grt_search_trimmed(whole, name_length);
    set_names(search);
    if (*search->text != '\0' && !matches_task(search)) {
        free(search->text);
        search->text = whole;
        return;
    }
    free(whole);
    search->kind = job <= UINT32_MAX ? GRT_SEARCH_JOB : GRT_SEARCH_WRONG;
    search->job = (uint32_t)job;
    if (search->kind == GRT_SEARCH_JOB) {
        add_jobs(search);
    } else {
        search->error = "must be a number of a job, at most 4294967295";
    }
}

void grt_search_make(struct grt_search *search, const struct grt_timeline *timeline, const char *text) {
    *search = (struct grt_search){
        .kind = GRT_SEARCH_TEXT, .text = grt_search_trimmed(text, strlen(text)), .timeline = timeline};
    if (*search->text == '\0') {
        search->kind = GRT_SEARCH_EMPTY;
        return;
    }
    set_names(search);
    if (search->names->any) {
        add_rows(search);
        add_tracks_of_names(search);
    } else if (*search->text == '@') {
        read_instant(search);
    } else {
        read_job(search);
    }
}

void grt_search_free(struct grt_search *search) {
    for (uint32_t i = 0; i < search->track_count; i++) {
        free(search->tracks[i].before);
    }
    free(search->tracks);
    free(search->text);
    grt_arena_clear(&search->arena);
    *search = (struct grt_search){.kind = GRT_SEARCH_EMPTY};
}

/* ---- from hit to hit ---- */

/* Where in the order of the hits; rows come before all slices. */
struct position {
    grt_time end;
    uint32_t row, track, number;
};

static const struct position at_begin = {.end = INT64_MIN},
                             at_end = {INT64_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

/* The first slice of a track that is at or behind a position; behind it, if the position is to be passed. */
static uint32_t number_at(const struct grt_search_track *track, const struct position *from, bool pass) {
    struct grt_track_cursor cursor = {0};
    if (from->end == INT64_MIN) {
        return 0;
    }
    if (track->row == from->row && track->track == from->track) {
        return from->number + pass;
    }
    bool later = track->row > from->row || (track->row == from->row && track->track > from->track);
    return grt_track_first_after(track->slices, &cursor, later ? from->end - 1 : from->end);
}

/* How many rows among the hits are before a position. */
static uint32_t rows_before(const struct grt_search *search, const struct position *from, bool pass) {
    uint32_t rows = 0;
    if (from->end != INT64_MIN) {
        return search->row_count;
    }
    while (from->number == GRT_NO_SLICE && rows < search->row_count &&
           (search->rows[rows] < from->row || (pass && search->rows[rows] == from->row))) {
        rows++;
    }
    return rows;
}

static bool is_before(const struct position *a, const struct position *b) {
    if (a->end != b->end) {
        return a->end < b->end;
    }
    return a->row != b->row ? a->row < b->row : a->track < b->track; /* one of each track */
}

/* The nearest hit of a track behind, or before, a position; returns how many of its hits are before that position. */
static uint32_t nearest(const struct grt_search *search, const struct grt_search_track *track,
                        const struct position *from, bool forward, struct position *best, bool *found) {
    uint32_t before = hits_before(search, track, number_at(track, from, forward));
    if (forward ? before < track->hit_count : before > 0) {
        uint32_t number = hit_at(search, track, forward ? before : before - 1);
        struct position hit = {grt_track_end(track->slices, number), track->row, track->track, number};
        if (!*found || is_before(forward ? &hit : best, forward ? best : &hit)) {
            *best = hit;
            *found = true;
        }
    }
    return before;
}

static bool step(const struct grt_search *search, const struct position *from, bool forward,
                 struct grt_search_hit *hit) {
    uint32_t rows = rows_before(search, from, forward);
    uint64_t before = rows;
    struct position best = {0};
    bool found = forward ? rows < search->row_count : rows > 0;
    if (found) {
        best = (struct position){INT64_MIN, search->rows[forward ? rows : rows - 1], 0, GRT_NO_SLICE};
    }
    for (uint32_t i = 0; i < search->track_count; i++) {
        before += nearest(search, &search->tracks[i], from, forward, &best, &found);
    }
    *hit = (struct grt_search_hit){.place = {best.row, best.track, best.number},
                                   .instant = best.end == INT64_MIN ? GRT_TIME_NEVER : best.end,
                                   .number = forward ? before : before - 1};
    return found;
}

static bool go(const struct grt_search *search, const struct position *from, bool forward,
               struct grt_search_hit *hit) {
    if (search->kind == GRT_SEARCH_INSTANT) {
        *hit = (struct grt_search_hit){.place = {GRT_NOWHERE, 0, 0}, .instant = search->instant};
        return true;
    }
    if (step(search, from, forward, hit)) {
        return true;
    }
    bool found = step(search, forward ? &at_begin : &at_end, forward, hit);
    hit->wrapped = found;
    return found;
}

static struct position position_of(const struct grt_search *search, const struct grt_place *place,
                                   bool forward) {
    if (!grt_place_is_some(place)) {
        return forward ? at_begin : at_end;
    }
    if (place->number == GRT_NO_SLICE) {
        return (struct position){INT64_MIN, place->row, 0, GRT_NO_SLICE};
    }
    const struct grt_track *track = search->timeline->rows[place->row].tracks[place->track].track;
    return (struct position){grt_track_end(track, place->number), place->row, place->track, place->number};
}

bool grt_search_next(const struct grt_search *search, const struct grt_place *from,
                     struct grt_search_hit *hit) {
    struct position position = position_of(search, from, true);
    return go(search, &position, true, hit);
}

bool grt_search_previous(const struct grt_search *search, const struct grt_place *from,
                         struct grt_search_hit *hit) {
    struct position position = position_of(search, from, false);
    return go(search, &position, false, hit);
}

bool grt_search_next_at(const struct grt_search *search, grt_time from, struct grt_search_hit *hit) {
    const struct position position = {from, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    return go(search, &position, true, hit);
}

bool grt_search_previous_at(const struct grt_search *search, grt_time from, struct grt_search_hit *hit) {
    const struct position position = {from, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    return go(search, &position, false, hit);
}
