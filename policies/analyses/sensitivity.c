#include "policies/analyses/sensitivity.h"

#include <stdalign.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* No analysis has to calculate with longer times (models/analysis.h). */
#define LONGEST_TIME INT64_C(1000000000000000000)

/* There is no room for values that analyses may add: they are of no use here. */
struct grt_sensitivity {
    const struct grt_analysis_set *given;
    const struct grt_analysis_ops *analysis;
    struct grt_analysis_set changed;
    struct grt_analysis_task *tasks;
    struct grt_analysis_segment *segments; /* of all tasks, one after the other */
    struct grt_step *steps;                /* of all segments */
    struct grt_analysis_result result;
    int64_t *response, *first_release;
    int64_t left;     /* steps */
    int64_t building; /* those that a change takes */
};

/* ---- memory ---- */

static size_t rounded(size_t size) {
    return (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

struct counts {
    size_t segments, steps;
};

static struct counts counts_of(const struct grt_analysis_set *set) {
    struct counts counts = {0};
    for (size_t i = 0; i < set->count; i++) {
        counts.segments += set->tasks[i].segment_count;
        for (size_t j = 0; j < set->tasks[i].segment_count; j++) {
            counts.steps += set->tasks[i].segments[j].step_count;
        }
    }
    return counts;
}

size_t grt_sensitivity_size(const struct grt_analysis_set *set) {
    struct counts counts = counts_of(set);
    return rounded(sizeof(struct grt_sensitivity)) + rounded(set->count * sizeof(struct grt_analysis_task)) +
           rounded(counts.segments * sizeof(struct grt_analysis_segment)) +
           rounded(counts.steps * sizeof(struct grt_step)) + 2 * rounded(set->count * sizeof(int64_t));
}

/* The next part of the memory. */
static void *part(char **memory, size_t size) {
    void *begin = *memory;
    *memory += rounded(size);
    return begin;
}

struct grt_sensitivity *grt_sensitivity_begin(void *memory, const struct grt_analysis_set *set,
                                              const struct grt_analysis_ops *analysis) {
    char *rest = memory;
    struct counts counts = counts_of(set);
    struct grt_sensitivity *sensitivity = part(&rest, sizeof *sensitivity);
    sensitivity->given = set;
    sensitivity->analysis = analysis;
    sensitivity->tasks = part(&rest, set->count * sizeof *sensitivity->tasks);
    sensitivity->segments = part(&rest, counts.segments * sizeof *sensitivity->segments);
    sensitivity->steps = part(&rest, counts.steps * sizeof *sensitivity->steps);
    sensitivity->response = part(&rest, set->count * sizeof *sensitivity->response);
    sensitivity->first_release = part(&rest, set->count * sizeof *sensitivity->first_release);
    sensitivity->left = GRT_SENSITIVITY_ALL_STEPS;
    sensitivity->building = 4 * (int64_t)(set->count + counts.segments + counts.steps); /* it copies */
    sensitivity->changed = *set;
    sensitivity->changed.most_steps = GRT_SENSITIVITY_STEPS;
    sensitivity->changed.tasks = sensitivity->tasks;
    return sensitivity;
}

int64_t *grt_sensitivity_steps(struct grt_sensitivity *sensitivity) {
    return &sensitivity->left;
}

const struct grt_analysis_set *grt_sensitivity_set(const struct grt_sensitivity *sensitivity) {
    return &sensitivity->changed;
}

/* ---- changed sets ---- */

static int64_t rounded_up(int64_t time, int64_t factor) {
    if (time == GRT_ANALYSIS_NEVER) {
        return time;
    }
    wide scaled = ((wide)(uint64_t)time * (uint64_t)factor + GRT_SENSITIVITY_UNIT - 1) / GRT_SENSITIVITY_UNIT;
    return scaled <= (wide)LONGEST_TIME ? (int64_t)scaled : GRT_ANALYSIS_NEVER;
}

/* At least 1, as every time and period is. */
static int64_t rounded_down(int64_t time, int64_t factor) {
    wide scaled = (wide)(uint64_t)time * (uint64_t)factor / GRT_SENSITIVITY_UNIT;
    int64_t bounded = scaled <= (wide)LONGEST_TIME ? (int64_t)scaled : LONGEST_TIME;
    return bounded > 0 ? bounded : 1;
}

/* Kernels that are described by their time have short units, of which there are more or less; all others have longer or shorter ones. */
static void scale_step(struct grt_step *step, int64_t factor) {
    step->once = rounded_up(step->once, factor);
    if (step->blocks == 0 && step->units > 1) {
        step->units = rounded_up(step->units, factor);
    } else {
        step->each = rounded_up(step->each, factor);
    }
}

/* The whole takes as long as its parts, of which each is rounded. */
static void scale_host_parts(struct grt_analysis_segment *segment, int64_t factor) {
    segment->host_before = rounded_up(segment->host_before, factor);
    segment->host_after = rounded_up(segment->host_after, factor);
    segment->longest = grt_analysis_longest_of(segment);
}

/* Copies the segments of a task, longer by a factor, to where the copies of the tasks before end. */
static void copy_segments(struct grt_analysis_task *task, int64_t factor,
                          struct grt_analysis_segment **segments, struct grt_step **steps) {
    const struct grt_analysis_segment *given = task->segments;
    task->segments = *segments;
    for (size_t i = 0; i < task->segment_count; i++) {
        struct grt_analysis_segment *segment = (*segments)++;
        *segment = given[i];
        segment->longest = rounded_up(segment->longest, factor);
        segment->device_longest = rounded_up(segment->device_longest, factor);
        if (segment->host_before > 0 || segment->host_after > 0) {
            scale_host_parts(segment, factor);
        }
        segment->shortest = rounded_down(segment->shortest, factor);
        for (size_t j = 0; j < segment->step_count; j++) {
            (*steps)[j] = given[i].steps[j];
            scale_step(&(*steps)[j], factor);
        }
        segment->steps = *steps;
        *steps += segment->step_count;
    }
}

static void set_period(struct grt_analysis_task *task, int64_t period) {
    if (task->deadline == task->period) {
        task->deadline = period;
    }
    task->period = period;
}

static void change_period(struct grt_analysis_task *task, struct grt_sensitivity_change change,
                          int64_t value) {
    if (task->period > 0) {
        set_period(task, change.task == GRT_ANALYSIS_NO_TASK ? rounded_down(task->period, value) : value);
    }
}

static void build(struct grt_sensitivity *sensitivity, struct grt_sensitivity_change change, int64_t value) {
    struct grt_analysis_segment *segments = sensitivity->segments;
    struct grt_step *steps = sensitivity->steps;
    for (uint32_t i = 0; i < sensitivity->given->count; i++) {
        struct grt_analysis_task *task = &sensitivity->tasks[i];
        bool changes = change.task == GRT_ANALYSIS_NO_TASK || change.task == i;
        bool times = changes && change.of == GRT_SENSITIVITY_TIMES;
        *task = sensitivity->given->tasks[i];
        copy_segments(task, times ? value : GRT_SENSITIVITY_UNIT, &segments, &steps);
        if (changes && change.of == GRT_SENSITIVITY_PERIODS) {
            change_period(task, change, value);
        }
    }
}

const struct grt_analysis_result *grt_sensitivity_try(struct grt_sensitivity *sensitivity,
                                                      struct grt_sensitivity_change change, int64_t value) {
    build(sensitivity, change, value);
    for (size_t i = 0; i < sensitivity->given->count; i++) {
        sensitivity->response[i] = sensitivity->first_release[i] = GRT_ANALYSIS_NEVER;
    }
    sensitivity->result = (struct grt_analysis_result){.failing = GRT_ANALYSIS_NO_TASK,
                                                       .response = sensitivity->response,
                                                       .first_release = sensitivity->first_release};
    grt_analysis_run(sensitivity->analysis, &sensitivity->changed, &sensitivity->result);
    sensitivity->left -= sensitivity->building + sensitivity->result.steps;
    return &sensitivity->result;
}

/* ---- the search ---- */

/* The first distance at which contradictions are sought, as a part of the value: analyses are slowest close to limits. */
enum { CONTRADICTION_PART = 256 };

/* The values of a change, from the easiest to the hardest, and what is asked at them. */
struct search {
    struct grt_sensitivity *sensitivity;
    struct grt_sensitivity_change change;
    int64_t easiest, hardest;
    int64_t present;
    struct grt_sensitivity_limit *limit; /* gets the reason of the last failure */
};

/* What was tried last does not count then. */
static bool is_cut_short(const struct search *search) {
    return search->sensitivity->left < 0;
}

static bool passes(const struct search *search, int64_t value) {
    const struct grt_analysis_result *result =
        grt_sensitivity_try(search->sensitivity, search->change, value);
    if (result->verdict == GRT_VERDICT_SCHEDULABLE) {
        return true;
    }
    if (search->limit != NULL) {
        search->limit->verdict = result->verdict;
        search->limit->failing = result->failing;
        memcpy(search->limit->reason, result->reason, sizeof search->limit->reason);
    }
    return false;
}

/* As far from a value as wanted, but not past the end. */
static int64_t towards(int64_t value, int64_t end, int64_t distance) {
    if (value < end) {
        return end - value > distance ? value + distance : end;
    }
    return value - end > distance ? value - distance : end;
}

static int64_t longest_of_one(int64_t period) {
    return rounded_down(period, GRT_SENSITIVITY_MOST);
}

int64_t grt_sensitivity_present(const struct grt_sensitivity *sensitivity,
                                struct grt_sensitivity_change change) {
    bool one_period = change.of == GRT_SENSITIVITY_PERIODS && change.task != GRT_ANALYSIS_NO_TASK;
    return one_period ? sensitivity->given->tasks[change.task].period : GRT_SENSITIVITY_UNIT;
}

static struct search search_for(struct grt_sensitivity *sensitivity, struct grt_sensitivity_change change,
                                struct grt_sensitivity_limit *limit) {
    struct search search = {.sensitivity = sensitivity,
                            .change = change,
                            .easiest = 1,
                            .hardest = GRT_SENSITIVITY_MOST,
                            .present = grt_sensitivity_present(sensitivity, change),
                            .limit = limit};
    if (change.of == GRT_SENSITIVITY_PERIODS) {
        bool all = change.task == GRT_ANALYSIS_NO_TASK;
        search.easiest =
            all ? GRT_SENSITIVITY_MOST : longest_of_one(sensitivity->given->tasks[change.task].period);
        search.hardest = 1;
    }
    return search;
}

/* A way from a value towards an end, in strides that double, as long as the set passes, or as long as it does not. */
struct way {
    int64_t from, to, first_stride;
    bool as_long_as;
};

/* Goes that way; returns the last value where it is so. *other: the first where it is not, or the last, too, where there is none. */
static int64_t go(const struct search *search, struct way way, int64_t *other) {
    int64_t value = way.from;
    *other = value;
    for (int64_t stride = way.first_stride; value != way.to && !is_cut_short(search); stride *= 2) {
        int64_t next = towards(value, way.to, stride);
        bool passing = passes(search, next);
        if (is_cut_short(search)) {
            break;
        }
        if (passing != way.as_long_as) {
            *other = next;
            break;
        }
        value = *other = next;
    }
    return value;
}

static void halve(const struct search *search, int64_t *good, int64_t *bad) {
    while ((*good - *bad > 1 || *bad - *good > 1) && !is_cut_short(search)) {
        int64_t middle = *good / 2 + *bad / 2 + (*good % 2 + *bad % 2) / 2;
        if (passes(search, middle)) {
            *good = middle;
        } else {
            *bad = middle;
        }
    }
}

/* A value on the way from `value` to the end where the set does as it should not, or 0. */
static int64_t contradiction(const struct search *search, int64_t value, int64_t end, bool should_pass) {
    const struct way way = {value, end, 1 + value / CONTRADICTION_PART, should_pass};
    int64_t unexpected, last = go(search, way, &unexpected);
    return unexpected == last ? 0 : unexpected;
}

/* The same from the limit, and from the present value where that lies on the way. */
static int64_t contradiction_beside(const struct search *search, int64_t limit, int64_t end,
                                    bool should_pass) {
    int64_t found = contradiction(search, limit, end, should_pass);
    bool on_the_way = limit < end ? search->present > limit : search->present < limit;
    return found == 0 && on_the_way ? contradiction(search, search->present, end, should_pass) : found;
}

static void seek_contradictions(struct search search, struct grt_sensitivity_limit *limit) {
    search.limit = NULL; /* its reason stays */
    if (limit->value > 0) {
        limit->fails_before = contradiction_beside(&search, limit->value, search.easiest, true);
    }
    if (limit->beyond > 0) {
        limit->passes_after = contradiction_beside(&search, limit->beyond, search.hardest, false);
    }
}

/* From the present value, which passes or does not. */
static void seek(const struct search *search, bool passing, struct grt_sensitivity_limit *limit) {
    const struct way way = {search->present, passing ? search->hardest : search->easiest, 1, passing};
    int64_t other, last = go(search, way, &other);
    int64_t good = passing ? last : other, bad = passing ? other : last;
    if (good == bad) {
        limit->kind = passing ? GRT_LIMIT_NONE : GRT_LIMIT_NO_PASS;
        *(passing ? &limit->value : &limit->beyond) = last;
        return;
    }
    halve(search, &good, &bad);
    limit->kind = GRT_LIMIT_FOUND;
    limit->value = good;
    limit->beyond = bad;
}

struct grt_sensitivity_limit grt_sensitivity_find(struct grt_sensitivity *sensitivity,
                                                  struct grt_sensitivity_change change) {
    struct grt_sensitivity_limit limit = {.kind = GRT_LIMIT_NO_SENSE, .failing = GRT_ANALYSIS_NO_TASK};
    int64_t present = grt_sensitivity_present(sensitivity, change);
    if (present == 0) {
        return limit;
    }
    struct search search = search_for(sensitivity, change, &limit);
    bool passing = !is_cut_short(&search) && passes(&search, present);
    if (!passing && limit.verdict == GRT_VERDICT_INAPPLICABLE) {
        return limit;
    }
    if (!is_cut_short(&search)) {
        seek(&search, passing, &limit);
    }
    if (is_cut_short(&search)) {
        return (struct grt_sensitivity_limit){
            .kind = GRT_LIMIT_NOT_SEARCHED, .failing = GRT_ANALYSIS_NO_TASK, .cut_short = true};
    }
    seek_contradictions(search, &limit);
    limit.cut_short = is_cut_short(&search);
    return limit;
}
