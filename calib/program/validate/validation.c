#include "calib/program/validate/validation.h"

#include <stdlib.h>

#include "cli/terminal/text_table.h"

/* --- spreads */

static int compare_times(const void *a, const void *b) {
    const grt_time *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

static grt_time absolute(grt_time time) {
    return time < 0 ? -time : time;
}

/* Sorts the errors, and after that their absolute values. */
static struct grt_error_spread spread_of(grt_time *errors, size_t count) {
    struct grt_error_spread spread = {.count = count};
    if (count == 0) {
        return spread;
    }
    qsort(errors, count, sizeof *errors, compare_times);
    spread.least = errors[0];
    spread.median = errors[(count - 1) / 2];
    spread.most = errors[count - 1];
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)errors[i];
        errors[i] = absolute(errors[i]);
    }
    qsort(errors, count, sizeof *errors, compare_times);
    spread.mean_ns = sum / (double)count;
    spread.p95_absolute = errors[(count * 95 + 99) / 100 - 1]; /* nearest rank */
    spread.most_absolute = errors[count - 1];
    return spread;
}

/* --- errors of pairs */

static grt_time start_error(const struct grt_pair *pair) {
    return pair->simulated->start - pair->measured->start;
}

static grt_time end_error(const struct grt_pair *pair) {
    return pair->simulated->end - pair->measured->end;
}

static grt_time duration_error(const struct grt_pair *pair) {
    return end_error(pair) - start_error(pair);
}

static bool has_ended(const struct grt_pair *pair) {
    return !pair->simulated->is_open && !pair->measured->is_open;
}

/* Those of some pairs next to each other that have ended, or of all of them. */
static struct grt_error_spread spread_over(const struct grt_pair *pairs, size_t count, bool ended,
                                           grt_time (*error)(const struct grt_pair *pair), grt_time *room) {
    size_t errors = 0;
    for (size_t i = 0; i < count; i++) {
        if (!ended || has_ended(&pairs[i])) {
            room[errors++] = error(&pairs[i]);
        }
    }
    return spread_of(room, errors);
}

/* --- kinds */

static size_t count_kind(const struct grt_happened *const *singles, size_t count, enum grt_paired_kind kind) {
    size_t of_kind = 0;
    for (size_t i = 0; i < count; i++) {
        of_kind += singles[i]->kind == kind;
    }
    return of_kind;
}

static void validate_kind(struct grt_validation *validation, enum grt_paired_kind kind,
                          const struct grt_pair *pairs, size_t count, grt_time *room) {
    const struct grt_pairing *pairing = validation->pairing;
    struct grt_validated_kind *out = &validation->kinds[kind];
    *out = (struct grt_validated_kind){
        .kind = kind,
        .pairs = count,
        .only_simulated = count_kind(pairing->only_simulated, pairing->only_simulated_count, kind),
        .only_measured = count_kind(pairing->only_measured, pairing->only_measured_count, kind),
        .start = spread_over(pairs, count, false, start_error, room),
        .end = spread_over(pairs, count, true, end_error, room),
        .duration = spread_over(pairs, count, true, duration_error, room),
    };
    for (size_t i = 0; i < count; i++) {
        out->other_row += pairs[i].simulated->row != pairs[i].measured->row;
    }
    validation->unpaired += out->only_simulated + out->only_measured;
    grt_time most =
        out->start.most_absolute > out->end.most_absolute ? out->start.most_absolute : out->end.most_absolute;
    validation->most_absolute = most > validation->most_absolute ? most : validation->most_absolute;
}

/* --- kernels and tasks */

static grt_time duration(const struct grt_happened *happened) {
    return happened->end - happened->start;
}

static int compare_items(const void *a, const void *b) {
    const struct grt_pair *left = a, *right = b;
    const struct grt_happened *x = left->simulated, *y = right->simulated;
    return x->task != y->task     ? (x->task < y->task ? -1 : 1)
           : x->place != y->place ? (x->place < y->place ? -1 : 1)
                                  : (x < y ? -1 : x > y);
}

static void validate_item(struct grt_validated_item *item, const struct grt_pair *pairs, size_t count,
                          grt_time *room) {
    for (size_t i = 0; i < count; i++) {
        if (has_ended(&pairs[i])) {
            grt_time simulated = duration(pairs[i].simulated), measured = duration(pairs[i].measured);
            item->count++;
            item->simulated_mean_ns += (double)simulated;
            item->measured_mean_ns += (double)measured;
            item->simulated_most = simulated > item->simulated_most ? simulated : item->simulated_most;
            item->measured_most = measured > item->measured_most ? measured : item->measured_most;
        }
    }
    item->simulated_mean_ns /= item->count > 0 ? (double)item->count : 1;
    item->measured_mean_ns /= item->count > 0 ? (double)item->count : 1;
    item->error = spread_over(pairs, count, true, duration_error, room);
}

static const char *name_of(const struct grt_trace_memory *names, enum grt_trace_name_kind kind,
                           const struct grt_happened *happened) {
    bool kernel = kind == GRT_NAME_KERNEL;
    uint16_t segment = kernel ? grt_trace_segment(happened->place) : 0;
    uint16_t command = kernel ? grt_trace_command(happened->place) : 0;
    const char *name = grt_trace_memory_name(names, kind, happened->task, segment, command);
    return name != NULL ? name : "?";
}

/* Sorts copies of the pairs of a kind by task and place, and makes an item of each run of them. */
static size_t validate_items(const struct grt_trace_memory *names, const struct grt_pair *pairs, size_t count,
                             struct grt_validated_item **items, struct grt_arena *arena, grt_time *room) {
    struct grt_pair *sorted = grt_arena_array(arena, count, sizeof *sorted);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = pairs[i];
    }
    qsort(sorted, count, sizeof *sorted, compare_items);
    *items = grt_arena_array(arena, count, sizeof **items);
    size_t item_count = 0;
    for (size_t first = 0, end; first < count; first = end) {
        const struct grt_happened *one = sorted[first].simulated;
        for (end = first + 1; end < count && sorted[end].simulated->task == one->task &&
                              sorted[end].simulated->place == one->place;
             end++) {
        }
        struct grt_validated_item *item = &(*items)[item_count++];
        *item = (struct grt_validated_item){
            .task = name_of(names, GRT_NAME_TASK, one),
            .kernel = one->kind == GRT_PAIRED_KERNEL ? name_of(names, GRT_NAME_KERNEL, one) : NULL,
            .task_number = one->task,
            .place = one->place,
        };
        validate_item(item, &sorted[first], end - first, room);
    }
    return item_count;
}

/* --- the worst */

static grt_time worse_error(const struct grt_pair *pair) {
    grt_time start = start_error(pair), end = has_ended(pair) ? end_error(pair) : 0;
    return absolute(end) > absolute(start) ? end : start;
}

static void add_worst(struct grt_validation *validation, const struct grt_trace_memory *names,
                      const struct grt_pair *pair) {
    grt_time error = worse_error(pair);
    size_t place = validation->worst_count;
    while (place > 0 && absolute(validation->worst[place - 1].error) < absolute(error)) {
        place--;
    }
    if (error == 0 || place == GRT_VALIDATION_WORST) {
        return;
    }
    validation->worst_count += validation->worst_count < GRT_VALIDATION_WORST;
    for (size_t i = validation->worst_count - 1; i > place; i--) {
        validation->worst[i] = validation->worst[i - 1];
    }
    const struct grt_happened *one = pair->simulated;
    bool of_kernel = one->kind == GRT_PAIRED_KERNEL || one->kind == GRT_PAIRED_BLOCK;
    validation->worst[place] =
        (struct grt_validated_worst){*pair, name_of(names, GRT_NAME_TASK, one),
                                     of_kernel ? name_of(names, GRT_NAME_KERNEL, one) : NULL, error};
}

/* --- the whole */

struct grt_validation *grt_validate(const struct grt_trace_memory *simulated,
                                    const struct grt_trace_memory *measured, struct grt_arena *arena) {
    struct grt_validation *validation = grt_arena_new(arena, struct grt_validation);
    validation->pairing = grt_pair_traces(simulated, measured, arena);
    const struct grt_pair *pairs = validation->pairing->pairs;
    size_t count = validation->pairing->pair_count;
    grt_time *room = grt_arena_array(arena, count, sizeof *room);
    size_t first = 0;
    for (int kind = 0; kind < GRT_PAIRED_KINDS; kind++) {
        size_t end = first;
        while (end < count && pairs[end].simulated->kind == kind) {
            end++;
        }
        validate_kind(validation, (enum grt_paired_kind)kind, &pairs[first], end - first, room);
        if (kind == GRT_PAIRED_KERNEL) {
            validation->kernel_count =
                validate_items(simulated, &pairs[first], end - first, &validation->kernels, arena, room);
        } else if (kind == GRT_PAIRED_JOB) {
            validation->response_count =
                validate_items(simulated, &pairs[first], end - first, &validation->responses, arena, room);
        }
        first = end;
    }
    for (size_t i = 0; i < count; i++) {
        int kind = pairs[i].simulated->kind;
        if (kind != GRT_PAIRED_SEGMENT && kind != GRT_PAIRED_CALL) {
            add_worst(validation, simulated, &pairs[i]);
        }
    }
    return validation;
}

/* Besides releases, and jobs and segments that have not ended, which say nothing of a device. */
static bool has_pairs(const struct grt_validation *validation) {
    const struct grt_validated_kind *kinds = validation->kinds;
    return kinds[GRT_PAIRED_BLOCK].pairs + kinds[GRT_PAIRED_KERNEL].pairs + kinds[GRT_PAIRED_COPY].pairs +
               kinds[GRT_PAIRED_CALL].pairs + kinds[GRT_PAIRED_SEGMENT].end.count +
               kinds[GRT_PAIRED_JOB].end.count >
           0;
}

static bool is_whole(const struct grt_validation *validation) {
    enum grt_run_short shorter = validation->pairing->short_run;
    bool whole =
        shorter == GRT_SHORT_NEITHER || (shorter == GRT_SHORT_SIMULATED && validation->part_is_asked);
    return whole && has_pairs(validation);
}

const char *grt_validation_part(const struct grt_validation *validation, struct grt_arena *arena) {
    const struct grt_pairing *pairing = validation->pairing;
    char until[GRT_TIME_TEXT_SIZE], other[GRT_TIME_TEXT_SIZE];
    grt_time_text(pairing->until, until);
    if (is_whole(validation)) {
        return NULL;
    }
    if (!has_pairs(validation)) {
        return grt_format(arena, "nothing was compared but %zu releases until %s",
                          validation->kinds[GRT_PAIRED_RELEASE].pairs, until);
    }
    bool trace = pairing->short_run == GRT_SHORT_MEASURED;
    grt_time_text(trace ? pairing->simulated_end.at : pairing->measured_end.at, other);
    return trace ? grt_format(arena,
                              "only a part was compared, until %s: the trace ends there, the simulation not "
                              "before %s",
                              until, other)
                 : grt_format(arena,
                              "only a part was compared, until %s: the simulation ends there, the trace not "
                              "before %s",
                              until, other);
}

bool grt_validation_is_within(const struct grt_validation *validation, grt_time tolerance) {
    return is_whole(validation) && validation->unpaired == 0 && validation->most_absolute <= tolerance &&
           validation->pairing->open_error <= tolerance;
}
