#include "viz/timeline/track.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/check.h"
#include "sim/memory.h"

enum { CHUNK = 64, MARK = 32, FAN_OUT = 16, MOST_MOVES = 32 };

/* ---- the packed form ---- */

enum { TIME_BITS = 30, FLAG_BITS = 5, WEIGHT_BITS = 6, LANE_BITS = 7, LOW_BITS = 32 };

static const uint64_t long_time = (UINT64_C(1) << TIME_BITS) - 1; /* or more: the time is in long_slices */

struct packed {
    grt_time end;
    uint32_t low; /* of the 48 bits that hold time, flags, weight - 1, lane */
    uint32_t job, detail;
    uint16_t task, high;
};

struct grt_track_chunk {
    struct packed slices[CHUNK];
    uint16_t grids[]; /* where has_grids: CHUNK of them */
};

struct grt_track_long {
    uint32_t number;
    grt_time start;
};

struct grt_track_mark {
    grt_time time;
    uint64_t busy_low; /* the sums of all starts and ends before the mark's number of each */
    uint32_t busy_high;
    uint32_t starts, ends;
    int32_t running; /* weight */
};

struct grt_track_node {
    grt_time first_start;
    uint32_t longest;
    uint32_t flags : FLAG_BITS;
    uint32_t length : 32 - FLAG_BITS; /* of the longest: see length_code */
};

static_assert(sizeof(struct packed) == 24, "a slice takes 24 bytes");
static_assert(sizeof(struct grt_track_mark) == 32 && sizeof(struct grt_track_node) == 16, "no padding");

static struct packed *packed_at(const struct grt_track *track, uint32_t number) {
    return &track->chunks[number / CHUNK]->slices[number % CHUNK];
}

static uint64_t bits_of(const struct packed *slice) {
    return (uint64_t)slice->high << LOW_BITS | slice->low;
}

static void set_bits(struct packed *slice, uint64_t bits) {
    slice->low = (uint32_t)bits;
    slice->high = (uint16_t)(bits >> LOW_BITS);
}

static uint8_t flags_of(const struct packed *slice) {
    return (uint8_t)(bits_of(slice) >> TIME_BITS & ((1U << FLAG_BITS) - 1));
}

static uint8_t weight_of(const struct packed *slice) {
    return (uint8_t)((bits_of(slice) >> (TIME_BITS + FLAG_BITS) & ((1U << WEIGHT_BITS) - 1)) + 1);
}

static uint8_t lane_of(const struct packed *slice) {
    return (uint8_t)(bits_of(slice) >> (TIME_BITS + FLAG_BITS + WEIGHT_BITS));
}

static uint64_t pack_bits(uint64_t time, uint8_t flags, uint8_t weight, uint8_t lane) {
    return time | (uint64_t)flags << TIME_BITS | (uint64_t)(weight - 1) << (TIME_BITS + FLAG_BITS) |
           (uint64_t)lane << (TIME_BITS + FLAG_BITS + WEIGHT_BITS);
}

static void set_lane(struct packed *slice, uint8_t lane) {
    const unsigned shift = TIME_BITS + FLAG_BITS + WEIGHT_BITS;
    set_bits(slice, (bits_of(slice) & ((UINT64_C(1) << shift) - 1)) | (uint64_t)lane << shift);
}

static int by_number(const void *a, const void *b) {
    uint32_t left = ((const struct grt_track_long *)a)->number,
             right = ((const struct grt_track_long *)b)->number;
    return (left > right) - (left < right);
}

static grt_time start_of(const struct grt_track *track, uint32_t number) {
    const struct packed *slice = packed_at(track, number);
    uint64_t time = slice->low & long_time;
    if (time < long_time) {
        return slice->end - (grt_time)time;
    }
    struct grt_track_long key = {.number = number};
    const struct grt_track_long *found =
        bsearch(&key, track->long_slices, track->long_count, sizeof key, by_number);
    return found->start;
}

static uint16_t grid_of(const struct grt_track *track, uint32_t number) {
    return track->has_grids ? track->chunks[number / CHUNK]->grids[number % CHUNK] : 0;
}

struct grt_slice grt_track_at(const struct grt_track *track, uint32_t number) {
    const struct packed *slice = packed_at(track, number);
    return (struct grt_slice){
        .start = start_of(track, number),
        .end = slice->end,
        .job = slice->job,
        .detail = slice->detail,
        .task = slice->task,
        .grid = grid_of(track, number),
        .weight = weight_of(slice),
        .lane = lane_of(slice),
        .flags = flags_of(slice),
    };
}

grt_time grt_track_end(const struct grt_track *track, uint32_t number) {
    return packed_at(track, number)->end;
}

/* ---- adding ---- */

static size_t chunk_size(bool has_grids) {
    return sizeof(struct grt_track_chunk) + (has_grids ? CHUNK * sizeof(uint16_t) : 0);
}

static uint32_t chunk_count(const struct grt_track *track) {
    return (track->count + CHUNK - 1) / CHUNK;
}

/* The first grid: from now on every chunk has room for them. */
static void use_grids(struct grt_track *track) {
    uint32_t chunks = chunk_count(track);
    track->has_grids = true;
    for (uint32_t i = 0; i < chunks; i++) {
        track->chunks[i] = grt_reallocate(track->chunks[i], chunk_size(true));
        memset(track->chunks[i]->grids, 0, CHUNK * sizeof(uint16_t));
    }
}

static void put(struct grt_track *track, uint32_t number, const struct grt_slice *slice) {
    uint64_t time = (uint64_t)(slice->end - slice->start);
    struct packed *packed = packed_at(track, number);
    *packed =
        (struct packed){.end = slice->end, .job = slice->job, .detail = slice->detail, .task = slice->task};
    if (time >= long_time) {
        time = long_time;
        track->long_slices = grt_array_grow(track->long_slices, &track->long_capacity, track->long_count + 1,
                                            sizeof *track->long_slices);
        track->long_slices[track->long_count++] = (struct grt_track_long){number, slice->start};
    }
    set_bits(packed, pack_bits(time, slice->flags, slice->weight, slice->lane));
    if (track->has_grids) {
        track->chunks[number / CHUNK]->grids[number % CHUNK] = slice->grid;
    }
}

void grt_track_add(struct grt_track *track, const struct grt_slice *slice) {
    GRT_REQUIRE(slice->start <= slice->end && slice->weight >= 1 && slice->weight <= 64,
                "add slices that do not end before they start, of weight 1 to 64");
    GRT_REQUIRE(track->count < GRT_NO_SLICE, "a track has fewer than 2^32 - 1 slices");
    if (slice->grid != 0 && !track->has_grids) {
        use_grids(track);
    }
    uint32_t number = track->count;
    if (number % CHUNK == 0) {
        track->chunks = grt_array_grow(track->chunks, &track->chunk_capacity, number / CHUNK + 1,
                                       sizeof(struct grt_track_chunk *));
        track->chunks[number / CHUNK] = grt_allocate(chunk_size(track->has_grids));
    }
    track->sorted = number == 0 || (track->sorted && packed_at(track, number - 1)->end <= slice->end);
    track->count++;
    put(track, number, slice);
}

void grt_track_set_weight(struct grt_track *track, uint32_t number, uint8_t weight) {
    struct packed *slice = packed_at(track, number);
    GRT_REQUIRE(weight >= 1 && weight <= 64, "weights are 1 to 64");
    set_bits(slice, pack_bits(slice->low & long_time, flags_of(slice), weight, lane_of(slice)));
}

void grt_track_free(struct grt_track *track) {
    for (uint32_t i = 0; i < chunk_count(track); i++) {
        free(track->chunks[i]);
    }
    free(track->chunks);
    free(track->long_slices);
    free(track->by_start);
    free(track->marks);
    free(track->nodes);
    *track = (struct grt_track){0};
}

/* ---- settling: the orders ---- */

static int by_end(const void *a, const void *b) {
    const struct grt_slice *left = a, *right = b;
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    return (left->start > right->start) - (left->start < right->start);
}

static void sort(struct grt_track *track) {
    struct grt_slice *slices = grt_allocate(track->count * sizeof *slices);
    for (uint32_t i = 0; i < track->count; i++) {
        slices[i] = grt_track_at(track, i);
    }
    qsort(slices, track->count, sizeof *slices, by_end);
    track->long_count = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        put(track, i, &slices[i]);
    }
    free(slices);
    track->sorted = true;
}

struct started {
    grt_time start;
    uint32_t number;
};

static int by_start(const void *a, const void *b) {
    const struct started *left = a, *right = b;
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

/* Slices that are ordered by their ends are nearly ordered by their starts: each is moved past the few that started later. False,
 * with the order unfinished, where they are not few. */
static bool insert_by_start(struct started *order, uint32_t count) {
    uint64_t moves = 0;
    for (uint32_t i = 1; i < count && moves <= MOST_MOVES * (uint64_t)count; i++) {
        struct started one = order[i];
        uint32_t place = i;
        for (; place > 0 && order[place - 1].start > one.start && i - place < 2 * MOST_MOVES * MOST_MOVES;
             place--) {
            order[place] = order[place - 1];
        }
        order[place] = one;
        moves += i - place;
        if (place > 0 && order[place - 1].start > one.start) {
            return false;
        }
    }
    return moves <= MOST_MOVES * (uint64_t)count;
}

static bool find_overlaps(const struct grt_track *track) {
    for (uint32_t i = 1; i < track->count; i++) {
        if (start_of(track, i) < packed_at(track, i - 1)->end) {
            return true;
        }
    }
    return false;
}

static void order_by_start(struct grt_track *track) {
    struct started *order = grt_allocate(track->count * sizeof *order);
    for (uint32_t i = 0; i < track->count; i++) {
        order[i] = (struct started){start_of(track, i), i};
    }
    if (!insert_by_start(order, track->count)) {
        qsort(order, track->count, sizeof *order, by_start);
    }
    track->by_start = grt_allocate(track->count * sizeof *track->by_start);
    for (uint32_t i = 0; i < track->count; i++) {
        track->by_start[i] = order[i].number;
    }
    free(order);
}

/* The number of the slice that starts i-th. */
static inline uint32_t started_at(const struct grt_track *track, uint32_t i) {
    return track->overlaps ? track->by_start[i] : i;
}

/* ---- settling: lanes ---- */

struct lanes {
    grt_time free_at[GRT_TRACK_LANES]; /* when each lane's last slice ends */
    uint32_t used;
};

/* The lowest run of free lanes; where there is none, the last lanes. */
static uint32_t find_lanes(struct grt_track *track, const struct lanes *lanes, grt_time start,
                           uint32_t weight) {
    uint32_t run = 0;
    for (uint32_t lane = 0; lane < GRT_TRACK_LANES; lane++) {
        run = lanes->free_at[lane] <= start ? run + 1 : 0;
        if (run == weight) {
            return lane + 1 - weight;
        }
    }
    track->crowded = true;
    return GRT_TRACK_LANES - weight;
}

/* In the order of the starts every slice gets the lowest lanes that are free, so that slices of weight 1 take no more lanes
 * than ever run at a time. */
static void find_all_lanes(struct grt_track *track) {
    struct lanes lanes = {.used = 0};
    for (uint32_t lane = 0; lane < GRT_TRACK_LANES; lane++) {
        lanes.free_at[lane] = INT64_MIN;
    }
    for (uint32_t i = 0; i < track->count; i++) {
        uint32_t number = started_at(track, i);
        struct packed *slice = packed_at(track, number);
        uint32_t weight = weight_of(slice);
        uint32_t lane = find_lanes(track, &lanes, start_of(track, number), weight);
        set_lane(slice, (uint8_t)lane);
        for (uint32_t j = lane; j < lane + weight; j++) {
            lanes.free_at[j] = slice->end > lanes.free_at[j] ? slice->end : lanes.free_at[j];
        }
        lanes.used = lane + weight > lanes.used ? lane + weight : lanes.used;
    }
    track->lane_count = lanes.used;
}

/* ---- settling: sums ---- */

/* The sums while starts and ends are gone through in their order. */
struct sums {
    grt_time time;
    grt_wide busy;
    int64_t running;
    uint32_t starts, ends;
};

static void advance(struct sums *sums, grt_time time) {
    sums->busy +=
        (grt_wide)(sums->running >= 0 ? (uint64_t)sums->running : 0) * (uint64_t)(time - sums->time);
    sums->time = time;
}

/* Takes the next start or end; the start of a slice without time comes before its end. */
static void take_next(const struct grt_track *track, struct sums *sums) {
    const struct packed *ends = packed_at(track, sums->ends);
    if (sums->starts < track->count) {
        uint32_t number = started_at(track, sums->starts);
        grt_time start = start_of(track, number);
        if (start <= ends->end) {
            advance(sums, start);
            sums->running += weight_of(packed_at(track, number));
            sums->starts++;
            return;
        }
    }
    advance(sums, ends->end);
    sums->running -= weight_of(ends);
    sums->ends++;
}

static void set_marks(struct grt_track *track) {
    struct sums sums = {.time = track->begin};
    track->mark_count = 2 * (track->count / MARK) + 2;
    track->marks = grt_reallocate(track->marks, track->mark_count * sizeof *track->marks);
    uint32_t marks = 0;
    while (sums.ends < track->count) {
        if (((uint64_t)sums.starts + sums.ends) % MARK == 0) {
            track->marks[marks++] = (struct grt_track_mark){.time = sums.time,
                                                            .busy_low = (uint64_t)sums.busy,
                                                            .busy_high = (uint32_t)(sums.busy >> 64),
                                                            .starts = sums.starts,
                                                            .ends = sums.ends,
                                                            .running = (int32_t)sums.running};
        }
        take_next(track, &sums);
    }
    track->mark_count = marks;
}

/* The last mark that is not behind an instant, from the cursor's on: steps that double, then halves. */
static uint32_t find_mark(const struct grt_track *track, uint32_t from, grt_time instant) {
    uint32_t step = 1, low = from;
    while (step < track->mark_count - low && track->marks[low + step].time <= instant) {
        low += step;
        step *= 2;
    }
    uint32_t high = step < track->mark_count - low ? low + step : track->mark_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (track->marks[middle].time <= instant) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Weight times what slices have had since the mark: all that run there, and those that start until the instant, but for what
 * those have not had that end before it. */
static grt_wide busy_since(const struct grt_track *track, const struct grt_track_mark *mark, grt_time instant,
                           uint32_t *end) {
    grt_wide more = (grt_wide)(uint64_t)mark->running * (uint64_t)(instant - mark->time), less = 0;
    for (uint32_t i = mark->starts; i < track->count; i++) {
        uint32_t number = started_at(track, i);
        grt_time start = start_of(track, number);
        if (start >= instant) {
            break;
        }
        more += (grt_wide)(uint64_t)(instant - start) * weight_of(packed_at(track, number));
    }
    for (*end = mark->ends; *end < track->count; ++*end) {
        const struct packed *slice = packed_at(track, *end);
        if (slice->end > instant) {
            break;
        }
        less += (grt_wide)(uint64_t)(instant - slice->end) * weight_of(slice);
    }
    return more - less;
}

grt_wide grt_track_reach(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant,
                         uint32_t *first_after) {
    *first_after = 0;
    if (track->count == 0 || instant < track->begin) {
        return 0;
    }
    cursor->mark = find_mark(track, cursor->mark, instant);
    const struct grt_track_mark *mark = &track->marks[cursor->mark];
    return ((grt_wide)mark->busy_high << 64 | mark->busy_low) + busy_since(track, mark, instant, first_after);
}

void grt_track_expect(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant) {
    if (track->count == 0 || instant < track->begin) {
        return;
    }
    cursor->mark = find_mark(track, cursor->mark, instant);
    const struct grt_track_mark *mark = &track->marks[cursor->mark];
    uint32_t last = mark->ends + MARK < track->count ? mark->ends + MARK : track->count - 1;
    for (uint32_t i = mark->ends; i < last; i += 2) { /* a line of the cache holds two and a half */
        __builtin_prefetch(packed_at(track, i));
    }
    if (track->overlaps) {
        __builtin_prefetch(&track->by_start[mark->starts < track->count ? mark->starts : 0]);
    }
}

grt_wide grt_track_busy(const struct grt_track *track, struct grt_track_cursor *cursor, grt_time instant) {
    uint32_t first_after;
    return grt_track_reach(track, cursor, instant, &first_after);
}

/* ---- settling: nodes ---- */

static void add_to(const struct grt_track *track, struct grt_track_summary *sum, uint32_t number) {
    const struct packed *slice = packed_at(track, number);
    grt_time time = slice->end - start_of(track, number);
    if (sum->longest == GRT_NO_SLICE || time > sum->longest_time) {
        sum->longest = number;
        sum->longest_time = time;
    }
    sum->flags |= flags_of(slice);
}

/* A time as a number of 27 bits that grows with it: its highest 21 bits, and where they are. */
static uint32_t length_code(grt_time time) {
    uint64_t bits = (uint64_t)time;
    uint32_t shift = bits >> 21 == 0 ? 0 : 43 - (uint32_t)__builtin_clzll(bits);
    return shift << 21 | (uint32_t)(bits >> shift & 0x1fffff);
}

static struct grt_track_node leaf(const struct grt_track *track, uint32_t first) {
    uint32_t end = first + FAN_OUT < track->count ? first + FAN_OUT : track->count;
    struct grt_track_summary sum = {.longest = GRT_NO_SLICE};
    grt_time first_start = GRT_TIME_NEVER;
    for (uint32_t i = first; i < end; i++) {
        grt_time start = start_of(track, i);
        first_start = start < first_start ? start : first_start;
        add_to(track, &sum, i);
    }
    return (struct grt_track_node){first_start, sum.longest, sum.flags & ((1U << FLAG_BITS) - 1),
                                   length_code(sum.longest_time) & ((1U << (32 - FLAG_BITS)) - 1)};
}

static grt_time time_of(const struct grt_track *track, uint32_t number) {
    return packed_at(track, number)->end - start_of(track, number);
}

static struct grt_track_node merge(const struct grt_track *track, const struct grt_track_node *nodes,
                                   uint32_t count) {
    struct grt_track_node all = nodes[0];
    for (uint32_t i = 1; i < count; i++) {
        all.first_start = nodes[i].first_start < all.first_start ? nodes[i].first_start : all.first_start;
        all.flags |= nodes[i].flags;
        if (time_of(track, nodes[i].longest) > time_of(track, all.longest)) {
            all.longest = nodes[i].longest;
            all.length = nodes[i].length;
        }
    }
    return all;
}

static void set_nodes(struct grt_track *track) {
    uint32_t total = 0;
    track->level_count = 0;
    for (uint32_t count = track->count; count > 1 || track->level_count == 0;) {
        count = (count + FAN_OUT - 1) / FAN_OUT;
        track->level_starts[track->level_count] = total;
        track->level_counts[track->level_count++] = count;
        total += count;
    }
    track->nodes = grt_reallocate(track->nodes, total * sizeof *track->nodes);
    for (uint32_t i = 0; i < track->level_counts[0]; i++) {
        track->nodes[i] = leaf(track, i * FAN_OUT);
    }
    for (uint32_t level = 1; level < track->level_count; level++) {
        const struct grt_track_node *below = &track->nodes[track->level_starts[level - 1]];
        for (uint32_t i = 0; i < track->level_counts[level]; i++) {
            uint32_t left = track->level_counts[level - 1] - i * FAN_OUT;
            track->nodes[track->level_starts[level] + i] =
                merge(track, &below[i * FAN_OUT], left < FAN_OUT ? left : FAN_OUT);
        }
    }
}

void grt_track_settle(struct grt_track *track) {
    free(track->by_start);
    track->by_start = NULL;
    track->crowded = track->overlaps = false;
    track->lane_count = 0;
    track->begin = track->end = 0;
    if (track->count == 0) {
        return;
    }
    if (!track->sorted) {
        sort(track);
    }
    track->overlaps = find_overlaps(track);
    if (track->overlaps) {
        order_by_start(track);
    }
    track->begin = start_of(track, started_at(track, 0));
    track->end = packed_at(track, track->count - 1)->end;
    find_all_lanes(track);
    set_marks(track);
    set_nodes(track);
}

/* ---- questions ---- */

uint32_t grt_track_first_after(const struct grt_track *track, struct grt_track_cursor *cursor,
                               grt_time instant) {
    uint32_t low = cursor->slice, step = 1; /* all before `low` end by then */
    while (step <= track->count - low && packed_at(track, low + step - 1)->end <= instant) {
        low += step;
        step *= 2;
    }
    uint32_t high = step <= track->count - low ? low + step - 1 : track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (packed_at(track, middle)->end > instant) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    cursor->slice = low;
    return low;
}

struct grt_track_summary grt_track_summarise(const struct grt_track *track, uint32_t first, uint32_t end) {
    struct grt_track_summary sum = {.longest = GRT_NO_SLICE};
    while (first < end) {
        uint32_t level = 0;
        uint64_t size = 1;
        while (level < track->level_count && first % (size * FAN_OUT) == 0 && first + size * FAN_OUT <= end) {
            size *= FAN_OUT;
            level++;
        }
        if (level == 0) {
            add_to(track, &sum, first++);
            continue;
        }
        const struct grt_track_node *node = &track->nodes[track->level_starts[level - 1] + first / size];
        grt_time time = time_of(track, node->longest);
        if (sum.longest == GRT_NO_SLICE || time > sum.longest_time) {
            sum.longest = node->longest;
            sum.longest_time = time;
        }
        sum.flags |= (uint8_t)node->flags;
        first += (uint32_t)size;
    }
    return sum;
}

/* A node, or the part of one, in a glance. */
static void glance_at(const struct grt_track_node *node, uint32_t first, uint32_t end,
                      struct grt_track_summary *sum, uint32_t *length) {
    if (node->longest >= first && node->longest < end &&
        (sum->longest == GRT_NO_SLICE || node->length > *length)) {
        sum->longest = node->longest;
        *length = node->length;
    }
}

struct grt_track_summary grt_track_glance(const struct grt_track *track, uint32_t first, uint32_t end) {
    struct grt_track_summary sum = {.longest = GRT_NO_SLICE};
    uint32_t length = 0;
    while (first < end) {
        uint32_t level = 0;
        uint64_t size = FAN_OUT;
        while (level + 1 < track->level_count && first % (size * FAN_OUT) == 0 &&
               first + size * FAN_OUT <= end) {
            size *= FAN_OUT;
            level++;
        }
        const struct grt_track_node *node = &track->nodes[track->level_starts[level] + first / size];
        uint64_t behind = (first / size + 1) * size;
        uint32_t next = behind < end ? (uint32_t)behind : end;
        if (next - first == size) {
            sum.flags |= (uint8_t)node->flags;
        }
        for (uint32_t i = first; next - first < size && node->flags != 0 && i < next; i++) {
            sum.flags |= flags_of(packed_at(track, i));
        }
        glance_at(node, first, next, &sum, &length);
        first = next;
    }
    return sum;
}

uint32_t grt_track_next_before(const struct grt_track *track, uint32_t from, grt_time instant) {
    while (from < track->count) {
        uint32_t level = 0;
        uint64_t size = 1;
        while (level < track->level_count && from % (size * FAN_OUT) == 0 &&
               track->nodes[track->level_starts[level] + from / (size * FAN_OUT)].first_start >= instant) {
            size *= FAN_OUT;
            level++;
        }
        if (level == 0 && start_of(track, from) < instant) {
            return from;
        }
        from = size < track->count - from ? from + (uint32_t)size : track->count;
    }
    return GRT_NO_SLICE;
}

uint64_t grt_track_bytes(const struct grt_track *track) {
    uint64_t nodes = 0;
    for (uint32_t level = 0; level < track->level_count; level++) {
        nodes += track->level_counts[level];
    }
    return track->chunk_capacity * sizeof(struct grt_track_chunk *) +
           chunk_count(track) * (uint64_t)chunk_size(track->has_grids) +
           track->long_capacity * sizeof *track->long_slices + track->mark_count * sizeof *track->marks +
           nodes * sizeof *track->nodes +
           (track->by_start != NULL ? track->count * sizeof *track->by_start : 0);
}
