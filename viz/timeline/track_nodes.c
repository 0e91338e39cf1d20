/* What runs of slices have in common, kept in nodes of every 16 slices, of every 16 such nodes, and so on. */
#include "sim/memory.h"
#include "viz/timeline/track_internal.h"

/* ---- settling ---- */

/* A time as a number of 11 bits that grows with it: where its highest bit is, and the five bits behind that. */
static uint32_t length_code(grt_time time) {
    uint64_t bits = (uint64_t)time;
    if (bits < 32) {
        return (uint32_t)bits;
    }
    uint32_t highest = 63 - (uint32_t)__builtin_clzll(bits);
    return (highest - 4) << 5 | (uint32_t)(bits >> (highest - 5) & 31);
}

/* The least time with this code. */
static grt_time time_of_code(uint32_t code) {
    return code < 32 ? code : (grt_time)((uint64_t)(32 | (code & 31)) << ((code >> 5) - 1));
}

static grt_time time_of(const struct grt_track *track, uint32_t number) {
    return track_packed_at(track, number)->end - track_start_of(track, number);
}

static struct grt_track_node leaf(const struct grt_track *track, uint32_t first) {
    uint32_t end = first + TRACK_FAN_OUT < track->count ? first + TRACK_FAN_OUT : track->count;
    uint32_t longest = first, flags = 0;
    grt_time longest_time = -1, first_start = GRT_TIME_NEVER;
    for (uint32_t i = first; i < end; i++) {
        const struct track_packed *slice = track_packed_at(track, i);
        grt_time start = track_start_of(track, i);
        first_start = start < first_start ? start : first_start;
        if (slice->end - start > longest_time) {
            longest = i;
            longest_time = slice->end - start;
        }
        flags |= track_flags_of(slice);
    }
    return (struct grt_track_node){.first_start = first_start,
                                   .longest = longest,
                                   .task = track_packed_at(track, longest)->task,
                                   .flags = flags & ((1U << FLAG_BITS) - 1),
                                   .length = length_code(longest_time) & ((1U << LENGTH_BITS) - 1)};
}

static struct grt_track_node merge(const struct grt_track *track, const struct grt_track_node *nodes,
                                   uint32_t count) {
    struct grt_track_node all = nodes[0];
    for (uint32_t i = 1; i < count; i++) {
        const struct grt_track_node *one = &nodes[i];
        all.first_start = one->first_start < all.first_start ? one->first_start : all.first_start;
        all.flags |= one->flags;
        if (time_of(track, one->longest) > time_of(track, all.longest)) {
            all.longest = one->longest;
            all.length = one->length;
            all.task = one->task;
        }
    }
    return all;
}

/* How many nodes there are at each level; returns how many there are. */
static uint32_t set_levels(struct grt_track *track) {
    uint32_t total = 0;
    track->level_count = 0;
    for (uint32_t count = track->count; count > 1 || (count > 0 && track->level_count == 0);) {
        count = (count + TRACK_FAN_OUT - 1) / TRACK_FAN_OUT;
        track->level_starts[track->level_count] = total;
        track->level_counts[track->level_count++] = count;
        total += count;
    }
    return total;
}

void track_set_nodes(struct grt_track *track) {
    uint32_t total = set_levels(track);
    track->nodes = grt_reallocate(track->nodes, total * sizeof *track->nodes);
    for (uint32_t i = 0; track->level_count > 0 && i < track->level_counts[0]; i++) {
        track->nodes[i] = leaf(track, i * TRACK_FAN_OUT);
    }
    for (uint32_t level = 1; level < track->level_count; level++) {
        const struct grt_track_node *below = &track->nodes[track->level_starts[level - 1]];
        for (uint32_t i = 0; i < track->level_counts[level]; i++) {
            uint32_t left = track->level_counts[level - 1] - i * TRACK_FAN_OUT;
            track->nodes[track->level_starts[level] + i] =
                merge(track, &below[i * TRACK_FAN_OUT], left < TRACK_FAN_OUT ? left : TRACK_FAN_OUT);
        }
    }
}

/* ---- questions ---- */

/* The choice is one without a branch, which nobody could foresee. */
static inline void add_to(const struct grt_track *track, struct grt_track_summary *sum, uint32_t number) {
    grt_time time = time_of(track, number);
    bool is_longest = time > sum->longest_time;
    sum->longest = is_longest ? number : sum->longest;
    sum->longest_time = is_longest ? time : sum->longest_time;
    sum->flags |= track_flags_of(track_packed_at(track, number));
}

static inline void add_slices(const struct grt_track *track, struct grt_track_summary *sum, uint32_t first,
                              uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        add_to(track, sum, i);
    }
}

/* Whole leaves, from number `first` on; returns behind the last of them. */
static uint32_t add_leaves(const struct grt_track *track, struct grt_track_summary *sum, uint32_t first,
                           uint32_t end) {
    while (end - first >= TRACK_FAN_OUT) {
        uint32_t level = 0;
        uint64_t size = TRACK_FAN_OUT;
        while (level + 1 < track->level_count && first % (size * TRACK_FAN_OUT) == 0 &&
               first + size * TRACK_FAN_OUT <= end) {
            size *= TRACK_FAN_OUT;
            level++;
        }
        const struct grt_track_node *node = &track->nodes[track->level_starts[level] + first / size];
        add_to(track, sum, node->longest);
        sum->flags |= (uint8_t)node->flags;
        first += (uint32_t)size;
    }
    return first;
}

struct grt_track_summary grt_track_summarise(const struct grt_track *track, uint32_t first, uint32_t end) {
    struct grt_track_summary sum = {.longest = GRT_NO_SLICE, .longest_time = -1};
    uint64_t low = ((uint64_t)first + TRACK_FAN_OUT - 1) / TRACK_FAN_OUT * TRACK_FAN_OUT;
    if (low + TRACK_FAN_OUT <= end) {
        add_slices(track, &sum, first, (uint32_t)low);
        first = add_leaves(track, &sum, (uint32_t)low, end);
    }
    add_slices(track, &sum, first, end);
    if (sum.longest == GRT_NO_SLICE) {
        return (struct grt_track_summary){.longest = GRT_NO_SLICE};
    }
    sum.task = track_packed_at(track, sum.longest)->task;
    return sum;
}

/* The node of the longest so far, and what all have in common. */
struct glance {
    const struct grt_track_node *longest; /* NULL: none */
    uint32_t flags;
};

static inline void take_longest(struct glance *glance, const struct grt_track_node *node) {
    if (glance->longest == NULL || node->length > glance->longest->length) {
        glance->longest = node;
    }
}

static inline void take_nodes(struct glance *glance, const struct grt_track_node *node, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, node++) {
        take_longest(glance, node);
        glance->flags |= node->flags;
    }
}

/* The leaves from `low` up to but without `high`: up the levels, leaving what is at either end at each. */
static void take_leaves(const struct grt_track *track, struct glance *glance, uint32_t low, uint32_t high) {
    for (uint32_t level = 0; low < high; level++) {
        const struct grt_track_node *nodes = &track->nodes[track->level_starts[level]];
        uint32_t up = (low + TRACK_FAN_OUT - 1) / TRACK_FAN_OUT, down = high / TRACK_FAN_OUT;
        if (up >= down || level + 1 == track->level_count) {
            take_nodes(glance, nodes + low, high - low);
            return;
        }
        take_nodes(glance, nodes + low, up * TRACK_FAN_OUT - low);
        take_nodes(glance, nodes + (size_t)down * TRACK_FAN_OUT, high - down * TRACK_FAN_OUT);
        low = up;
        high = down;
    }
}

/* A part of a leaf. Its slices are not looked at but for flags that none has had. */
static void take_part(const struct grt_track *track, struct glance *glance, uint32_t first, uint32_t end) {
    const struct grt_track_node *node = &track->nodes[first / TRACK_FAN_OUT];
    if (node->longest >= first && node->longest < end) {
        take_longest(glance, node);
    }
    for (uint32_t i = first; i < end && (node->flags & ~glance->flags) != 0; i++) {
        glance->flags |= track_flags_of(track_packed_at(track, i));
    }
}

struct grt_track_summary grt_track_glance(const struct grt_track *track, uint32_t first, uint32_t end) {
    struct glance glance = {.longest = NULL};
    uint32_t low = (first + TRACK_FAN_OUT - 1) / TRACK_FAN_OUT, high = end / TRACK_FAN_OUT;
    if (low > high) {
        return grt_track_summarise(track, first, end);
    }
    take_leaves(track, &glance, low, high);
    if (first < low * TRACK_FAN_OUT) {
        take_part(track, &glance, first, low * TRACK_FAN_OUT);
    }
    if (high * TRACK_FAN_OUT < end) {
        take_part(track, &glance, high * TRACK_FAN_OUT, end);
    }
    if (glance.longest == NULL) {
        return grt_track_summarise(track, first, end);
    }
    return (struct grt_track_summary){.longest = glance.longest->longest,
                                      .longest_time = time_of_code(glance.longest->length),
                                      .task = glance.longest->task,
                                      .flags = (uint8_t)glance.flags};
}

uint32_t grt_track_first_after(const struct grt_track *track, struct grt_track_cursor *cursor,
                               grt_time instant) {
    uint32_t low = cursor->slice, step = 1; /* all before `low` end by then */
    while (step <= track->count - low && track_packed_at(track, low + step - 1)->end <= instant) {
        low += step;
        step *= 2;
    }
    uint32_t high = step <= track->count - low ? low + step - 1 : track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (track_packed_at(track, middle)->end > instant) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    cursor->slice = low;
    return low;
}

uint32_t grt_track_next_before(const struct grt_track *track, uint32_t from, grt_time instant) {
    while (from < track->count) {
        uint32_t level = 0;
        uint64_t size = 1;
        while (level < track->level_count && from % (size * TRACK_FAN_OUT) == 0 &&
               track->nodes[track->level_starts[level] + from / (size * TRACK_FAN_OUT)].first_start >=
                   instant) {
            size *= TRACK_FAN_OUT;
            level++;
        }
        if (level == 0 && track_start_of(track, from) < instant) {
            return from;
        }
        from = size < track->count - from ? from + (uint32_t)size : track->count;
    }
    return GRT_NO_SLICE;
}
