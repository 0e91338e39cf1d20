/* Where blocks go, in which order, and how fast: the launches' records against the rules of placement (docs/gpu-model.md, P1 to P7). */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "calib/fit/build.h"
#include "calib/fit/placement_replay.h"

static const char experiment[] = "dispatch";

/* More of them than this agreeing is a rule; the rest is said. */
#define AGREEMENT 0.9

/* A launch's blocks in the order in which they began, and how many were on an SM at a time. */
struct launch {
    struct grt_placed_block *blocks;
    size_t count;
    size_t first_wave; /* that began before any had ended */
    int64_t per_sm;
    size_t out_of_order; /* that did not begin in the order of their numbers */
    int64_t visit;       /* of all cells, from 0 on */
};

struct launches {
    struct launch *all;
    size_t count, blocks, bad;
    int64_t visits;
};

/* ---- reading ---- */

static bool place_records(const struct grt_fit_build *build, const struct grt_raw_cell *cell, size_t first,
                          struct launch *launch) {
    const int64_t *order = grt_raw_values(cell, "order"), *block = grt_raw_values(cell, "block");
    const int64_t *sm = grt_raw_values(cell, "sm"), *start = grt_raw_values(cell, "start_ns");
    const int64_t *end = grt_raw_values(cell, "end_ns");
    if (order == NULL || block == NULL || sm == NULL || start == NULL || end == NULL) {
        return false;
    }
    for (size_t i = 0; i < launch->count; i++) {
        launch->blocks[i].sm = -1;
    }
    for (size_t i = first; i < first + launch->count; i++) {
        bool good = order[i] >= 0 && order[i] < (int64_t)launch->count && sm[i] >= 0 &&
                    sm[i] < build->raw->device.sm_count && end[i] >= start[i];
        if (!good || launch->blocks[order[i]].sm >= 0) {
            return false;
        }
        launch->blocks[order[i]] = (struct grt_placed_block){start[i], end[i], sm[i]};
        launch->out_of_order += order[i] != block[i];
    }
    return true;
}

static void measure_launch(struct launch *launch) {
    int64_t first_end = INT64_MAX;
    for (size_t i = 0; i < launch->count; i++) {
        first_end = launch->blocks[i].end_ns < first_end ? launch->blocks[i].end_ns : first_end;
    }
    while (launch->first_wave < launch->count && launch->blocks[launch->first_wave].start_ns < first_end) {
        launch->first_wave++;
    }
    int64_t on[GRT_DEVICE_MAX_SMS] = {0};
    for (size_t i = 0; i < launch->first_wave; i++) {
        int64_t now = ++on[launch->blocks[i].sm];
        launch->per_sm = now > launch->per_sm ? now : launch->per_sm;
    }
}

static size_t launches_in(const struct grt_raw_cell *cell) {
    int64_t blocks = grt_raw_number(cell, "blocks", 0);
    return blocks > 0 ? cell->count / (size_t)blocks : 0;
}

static void read_cell(struct grt_fit_build *build, const struct grt_raw_cell *cell,
                      struct launches *launches) {
    size_t blocks = (size_t)grt_raw_number(cell, "blocks", 0), times = launches_in(cell);
    int64_t before = launches->visits;
    for (size_t k = 0; k < times; k++) {
        struct launch launch = {.count = blocks};
        launch.visit = before + (cell->visits != NULL ? cell->visits[k * blocks] : (int64_t)k);
        launches->visits = launch.visit + 1;
        launch.blocks = grt_arena_array(build->arena, blocks, sizeof *launch.blocks);
        if (place_records(build, cell, k * blocks, &launch)) {
            measure_launch(&launch);
            launches->all[launches->count++] = launch;
            launches->blocks += blocks;
        } else {
            launches->bad++;
        }
    }
}

static struct launches read_all(struct grt_fit_build *build) {
    struct launches launches = {0};
    size_t most = 0;
    const struct grt_raw_cell *cell = NULL;
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        most += launches_in(cell);
    }
    launches.all = grt_arena_array(build->arena, most > 0 ? most : 1, sizeof *launches.all);
    while ((cell = grt_raw_next(build->raw, experiment, cell)) != NULL) {
        read_cell(build, cell, &launches);
    }
    return launches;
}

/* ---- rules ---- */

struct rule {
    int64_t sm_order, sms_per_tpc, placement;
    size_t differences;
};

static const struct {
    int64_t number;
    const char *word;
} placements[] = {
    {GRT_PLACEMENT_MOST_ROOM, "most_room"}, /* the published one first: it wins where others agree as well */
    {GRT_PLACEMENT_ROUND_ROBIN, "round_robin"},
    {GRT_PLACEMENT_LEAST_LOADED, "least_loaded"},
    {GRT_PLACEMENT_FIRST_FIT, "first_fit"},
};
enum { PLACEMENTS = sizeof placements / sizeof placements[0], MOST_SMS_PER_TPC = 4 };

static size_t differences_of(const struct grt_fit_build *build, const struct launches *launches,
                             const struct rule *rule, int64_t *predicted) {
    struct grt_device device = {.sm_count = build->raw->device.sm_count,
                                .sms_per_tpc = rule->sms_per_tpc,
                                .sm_order = rule->sm_order,
                                .placement = rule->placement};
    size_t differences = 0;
    for (size_t i = 0; i < launches->count; i++) {
        const struct launch *launch = &launches->all[i];
        differences +=
            grt_placement_differences(&device, launch->per_sm, launch->blocks, launch->count, predicted);
    }
    return differences;
}

/* The best of all rules for one placement. The order of SMs that comes first wins where several are as good. */
static struct rule best_order(const struct grt_fit_build *build, const struct launches *launches,
                              int64_t placement, int64_t *predicted) {
    struct rule best = {GRT_SM_ORDER_ASCENDING, 1, placement, 0};
    best.differences = differences_of(build, launches, &best, predicted);
    for (int64_t sms = 2; sms <= MOST_SMS_PER_TPC; sms++) {
        struct rule rule = {GRT_SM_ORDER_TPC_FIRST, sms, placement, 0};
        if (build->raw->device.sm_count % sms == 0 && build->raw->device.sm_count > sms) {
            rule.differences = differences_of(build, launches, &rule, predicted);
            best = rule.differences < best.differences ? rule : best;
        }
    }
    return best;
}

static void add_word(struct grt_fit_build *build, const char *name, const char *word, const char *how,
                     const struct launches *launches, const struct rule *rule) {
    struct grt_finding finding =
        grt_fit_measured(experiment, name, GRT_UNIT_NONE, grt_ranged_unknown(), launches->blocks);
    finding.word = word;
    finding.field = name;
    finding.how = how;
    finding.residual = (double)rule->differences / (double)launches->blocks;
    grt_fit_add(build, finding);
}

/* Names of the other placements that agree as well as the best. */
static const char *others(struct grt_fit_build *build, const struct rule *rules, size_t best) {
    const char *text = "";
    for (size_t i = 0; i < PLACEMENTS; i++) {
        if (i != best && rules[i].differences == rules[best].differences) {
            text = grt_fit_text(build, "%s; %s agrees as well", text, placements[i].word);
        }
    }
    return text;
}

static void add_curve(struct grt_fit_build *build, const struct launch *launch, const int64_t *predicted) {
    struct grt_curve *curve = grt_fit_curve(build,
                                            (struct grt_curve){.name = "where blocks go",
                                                               .experiment = experiment,
                                                               .x_label = "order of beginning",
                                                               .y_label = "SM",
                                                               .model_label = "rule of placement"},
                                            launch->count);
    for (size_t i = 0; i < launch->count; i++) {
        double model = predicted[i] != GRT_NO_SM ? (double)predicted[i] : NAN;
        curve->points[curve->count++] =
            (struct grt_curve_point){(double)i, (double)launch->blocks[i].sm, NAN, NAN, model};
    }
}

static void refuse_rules(struct grt_fit_build *build, const char *why) {
    grt_fit_refuse(build, experiment, "sm_order", "sm_order", why);
    grt_fit_refuse(build, experiment, "placement", "placement", why);
}

static void add_rule(struct grt_fit_build *build, const struct launches *launches, const struct rule *rules,
                     size_t best, int64_t *predicted) {
    const struct rule *rule = &rules[best];
    size_t agree = launches->blocks - rule->differences;
    const char *how = grt_fit_text(
        build, "%zu of %zu blocks of %zu launches went where the rule says, given those before them", agree,
        launches->blocks, launches->count);
    if ((double)agree < AGREEMENT * (double)launches->blocks) {
        refuse_rules(
            build, grt_fit_text(build, "no rule agrees: of the nearest, %s, %s", placements[best].word, how));
        return;
    }
    bool ascending = rule->sm_order == GRT_SM_ORDER_ASCENDING;
    add_word(build, "sm_order", ascending ? "ascending" : "tpc_first", how, launches, rule);
    if (!ascending) {
        struct grt_finding sms =
            grt_fit_measured(experiment, "sms_per_tpc", GRT_UNIT_NONE,
                             grt_ranged_exactly((double)rule->sms_per_tpc), launches->blocks);
        sms.field = "sms_per_tpc";
        sms.how = how;
        grt_fit_add(build, sms);
    }
    add_word(build, "placement", placements[best].word,
             grt_fit_text(build, "%s%s", how, others(build, rules, best)), launches, rule);
    const struct launch *shown = &launches->all[0];
    struct launches one = {.all = &launches->all[0], .count = 1, .blocks = shown->count};
    differences_of(build, &one, rule, predicted);
    add_curve(build, shown, predicted);
}

static void fit_rules(struct grt_fit_build *build, const struct launches *launches) {
    size_t most = 0, best = 0;
    for (size_t i = 0; i < launches->count; i++) {
        most = launches->all[i].count > most ? launches->all[i].count : most;
    }
    int64_t *predicted = grt_arena_array(build->arena, most, sizeof *predicted);
    struct rule rules[PLACEMENTS];
    for (size_t i = 0; i < PLACEMENTS; i++) {
        rules[i] = best_order(build, launches, placements[i].number, predicted);
        best = rules[i].differences < rules[best].differences ? i : best;
    }
    add_rule(build, launches, rules, best, predicted);
}

/* ---- times ---- */

/* Between blocks that begin, while there is room. */
static void fit_interval(struct grt_fit_build *build, const struct launches *launches) {
    double *intervals = grt_arena_array(build->arena, launches->count, sizeof *intervals), hidden = 0;
    int64_t *visits = grt_arena_array(build->arena, launches->count, sizeof *visits);
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++) {
        const struct launch *launch = &launches->all[i];
        if (launch->first_wave >= 2) {
            double steps = (double)(launch->first_wave - 1);
            visits[count] = launch->visit;
            intervals[count++] =
                (double)(launch->blocks[launch->first_wave - 1].start_ns - launch->blocks[0].start_ns) /
                steps;
            hidden = fmax(hidden, (double)(build->timer_step - 1) / steps);
        }
    }
    if (count == 0) {
        grt_fit_refuse(build, experiment, "dispatch_interval", NULL,
                       "no launch had two blocks that began before one ended");
        return;
    }
    const struct grt_fit_series series = {.values = intervals, .visits = visits, .count = count};
    struct grt_fit_center center = grt_fit_center(build, &series, 1);
    struct grt_ranged interval = center.value;
    bool few = !(interval.high >= interval.low);
    gsl_sort(intervals, 1, count);
    interval.low = (few ? intervals[0] : interval.low) - hidden;
    interval.high = (few ? intervals[count - 1] : interval.high) + hidden;
    struct grt_finding finding =
        grt_fit_measured(experiment, "dispatch_interval", GRT_UNIT_NS, interval, count);
    finding.how = grt_fit_text(build, "from the first to the last block that began before one ended: %s%s",
                               center.how, few ? "; said is their range" : "");
    grt_fit_add_span(build, finding);
    build->dispatch_interval = fmax(interval.value, 0);
}

/* Gaps on one SM between an end and the begin that it made room for: the k-th of both in their order. */
static size_t gaps_on(const struct launch *launch, int64_t sm, double *ends, double *gaps) {
    size_t count = 0, begun = 0;
    for (size_t i = 0; i < launch->count; i++) {
        if (launch->blocks[i].sm == sm) {
            ends[count++] = (double)launch->blocks[i].end_ns;
        }
    }
    gsl_sort(ends, 1, count);
    for (size_t i = launch->first_wave; i < launch->count; i++) {
        if (launch->blocks[i].sm == sm && begun < count) {
            gaps[begun] = (double)launch->blocks[i].start_ns - ends[begun];
            begun++;
        }
    }
    return begun;
}

/* Of all launches, with the launch and the visit of each. */
static struct grt_fit_series gaps_of(struct grt_fit_build *build, const struct launches *launches) {
    double *gaps = grt_arena_array(build->arena, launches->blocks, sizeof *gaps);
    int64_t *numbers = grt_arena_array(build->arena, launches->blocks, sizeof *numbers),
            *visits = grt_arena_array(build->arena, launches->blocks, sizeof *visits);
    size_t count = 0;
    for (size_t i = 0; i < launches->count; i++) {
        double *ends = grt_arena_array(build->arena, launches->all[i].count, sizeof *ends);
        size_t first = count;
        for (int64_t sm = 0; sm < build->raw->device.sm_count; sm++) {
            count += gaps_on(&launches->all[i], sm, ends, gaps + count);
        }
        for (size_t k = first; k < count; k++) {
            numbers[k] = (int64_t)i;
            visits[k] = launches->all[i].visit;
        }
    }
    return (struct grt_fit_series){.values = gaps, .launches = numbers, .visits = visits, .count = count};
}

static void fit_refill(struct grt_fit_build *build, const struct launches *launches) {
    struct grt_fit_series gaps = gaps_of(build, launches);
    if (gaps.count == 0) {
        grt_fit_refuse(build, experiment, "refill_gap", NULL, "no launch had more blocks than fit at a time");
        return;
    }
    struct grt_fit_center gap = grt_fit_center(build, &gaps, build->timer_step);
    struct grt_finding finding =
        grt_fit_measured(experiment, "refill_gap", GRT_UNIT_NS, gap.value, gaps.count);
    finding.how =
        grt_fit_text(build, "from a block's end to the begin of the next one on its SM: %s", gap.how);
    grt_fit_add_span(build, finding);
}

void grt_fit_dispatch(struct grt_fit_build *build) {
    const struct grt_bench_device *device = &build->raw->device;
    if (device->sm_count < 1 || device->sm_count > GRT_DEVICE_MAX_SMS) {
        refuse_rules(build, "the raw file does not say how many SMs there are");
        return;
    }
    struct launches launches = read_all(build);
    if (launches.bad > 0) {
        grt_fit_warn(
            build, grt_fit_text(build, "dispatch: the records of %zu launches are incomplete", launches.bad));
    }
    if (launches.count == 0) {
        refuse_rules(build, "no launch has all its records");
        return;
    }
    fit_rules(build, &launches);
    fit_interval(build, &launches);
    fit_refill(build, &launches);
}
