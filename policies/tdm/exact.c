/* The period of GPU-TDMh's server with the least load, by going through the periods at which a count changes.
 *
 * Source: equation (4) of V. Golyanik, M. Nasri, D. Stricker, "Towards Scheduling Hard Real-Time Image Processing Tasks on a Single GPU",
 * ICIP 2017, which the paper relaxes to a cubic; here it is solved as it is.
 *
 * Between two changes of any count the slots' lengths stay the same, so that the load falls with T: only the largest period of each
 * stretch matters. They are gone through from the largest. That ends where load >= utilisation + slope T + overhead / T leaves nothing to
 * find, or load >= utilisation + overhead / T less than a hundredth to gain: without overhead the load would fall, if ever more slowly, down to the smallest periods. */
#include <math.h>
#include <stdlib.h>

#include "models/analysis.h"
#include "policies/tdm/search.h"

/* Sums of times of many tasks. */
__extension__ typedef __int128 wide;

/* How many changes are looked at, which is some milliseconds. Below them only every period that is three quarters of the one before
 * is tried: they are reached where the load is within a few thousandths of what no period can do, and then nearly any small one does. */
enum { CHANGES = 1 << 18, LEAST_CHANGES = 100 };

/* With many tasks a change takes longer: so many steps do, too. */
static const int64_t most_steps = 1 << 22;

static const double gain_ratio = 0.01;

/* The least period whose load can be at most `load`. */
static int64_t least_period(const struct tdm_demand *demand, double load) {
    double spare = load - demand->utilisation;
    if (spare <= 0.0) {
        return INT64_MAX;
    }
    double period = demand->overhead / (spare + 1e-12); /* the utilisation is a sum of rounded quotients */
    return period < 1.0 ? 1 : period < 4e18 ? (int64_t)period : INT64_MAX;
}

/* The least period whose load can be at most `load`, where windows tell more than the sums of least_period; INT64_MAX: there is none. It is the smaller
 * root of slope T^2 - (load - utilisation) T + overhead, a little less for rounding. */
static int64_t least_period_by_windows(const struct tdm_demand *demand, double load) {
    double spare = load - demand->utilisation + 1e-12;
    double square = spare * spare, product = 4.0 * demand->slope * demand->overhead;
    if (spare <= 0.0 || square < product * (1.0 - 1e-9)) {
        return INT64_MAX;
    }
    double root = square > product ? sqrt(square - product) : 0.0;
    double period = 2.0 * demand->overhead / (spare + root) * (1.0 - 1e-9);
    return period < 1.0 ? 1 : period < 4e18 ? (int64_t)period : INT64_MAX;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* The next change of a task's slot. */
struct change {
    int64_t period; /* at which it changes */
    size_t task;
};

/* Slots while the period falls. A slot is calculated again only where it changes; which one is next, a tournament tells: `latest` has the changes of
 * the tasks from their number on, and before them, at i, that of 2i and 2i + 1 which comes first. */
struct descent {
    const struct tdm_search *search;
    bool depends; /* counts depend on the slots before, so that with one many change */
    struct change *latest;
    int64_t period; /* that the slots are of */
    wide sum;       /* of their lengths, ns */
    size_t without; /* tasks that have none */
};

/* Without branches, since it is now one, now the other. */
static struct change later(struct change one, struct change other) {
    bool second = other.period > one.period;
    return (struct change){second ? other.period : one.period, second ? other.task : one.task};
}

static void expect(struct descent *down, size_t task) {
    struct change change = {down->search->slots[task].change, task};
    size_t at = down->search->count + task;
    for (; at > 1; at /= 2) {
        down->latest[at] = change;
        change = later(change, down->latest[at ^ 1]);
    }
    down->latest[1] = change;
}

/* Places the slots that change at the period, and those that follow others which do. */
static void place_all(struct descent *down, int64_t period) {
    const struct tdm_search *search = down->search;
    down->period = period;
    down->sum = 0;
    down->without = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct tdm_slot *slot = &search->slots[i];
        int64_t before = down->sum < GRT_STEP_NEVER ? (int64_t)down->sum : GRT_STEP_NEVER;
        if (slot->change >= period || (down->depends && slot->offset != before)) {
            tdm_place(&search->tasks[i], search->rule, period, before, slot);
            expect(down, i);
        }
        slot->offset = before;
        search->assignment->steps += (int64_t)search->tasks[i].step_count;
        down->sum += slot->length;
        down->without += slot->count == 0;
    }
}

static void place_again(struct descent *down, size_t task) {
    const struct tdm_search *search = down->search;
    struct tdm_slot *slot = &search->slots[task];
    down->sum -= slot->length;
    down->without -= slot->count == 0;
    tdm_place(&search->tasks[task], search->rule, down->period, 0, slot);
    down->sum += slot->length;
    down->without += slot->count == 0;
    expect(down, task);
    search->assignment->steps += (int64_t)search->tasks[task].step_count;
}

/* To the largest smaller period at which a slot changes; false where that is less than `least`. */
static bool move_down(struct descent *down, int64_t least) {
    int64_t period = down->latest[1].period;
    if (period < least) {
        return false;
    }
    if (down->depends) {
        place_all(down, period);
        return true;
    }
    down->period = period;
    while (down->latest[1].period == period) {
        place_again(down, down->latest[1].task);
    }
    return true;
}

static bool is_tired(const struct descent *down, int changes) {
    return changes >= CHANGES || (changes >= LEAST_CHANGES && down->search->assignment->steps > most_steps);
}

/* The best of the periods at which something changes, from the present one down to `*least`, which it moves; 0: none. */
static int64_t best_change(struct descent *down, const struct tdm_demand *demand, int64_t *least) {
    double most_load = 0.0;
    int64_t best = 0;
    *least = larger(*least, least_period_by_windows(demand, 1.0));
    for (int i = 0; down->period >= *least && !is_tired(down, i); i++) {
        bool fits = down->without == 0 && down->sum <= down->period;
        double load = (double)(int64_t)down->sum / (double)down->period;
        if (fits && (best == 0 || load < most_load)) {
            best = down->period;
            most_load = load;
            *least = larger(least_period(demand, most_load * (1.0 - gain_ratio)),
                            least_period_by_windows(demand, most_load));
        }
        if (!move_down(down, *least)) {
            down->period = 0;
        }
    }
    return best;
}

/* The same from `*period`, which it moves to where it ended. */
static int64_t descend(const struct tdm_search *search, const struct tdm_demand *demand, int64_t *period,
                       int64_t *least) {
    struct descent down = {.search = search,
                           .depends = tdm_depends_on_place(search->rule),
                           .latest = grt_analysis_memory(2 * search->count, sizeof *down.latest)};
    for (size_t i = 0; i < search->count; i++) {
        search->slots[i].change = INT64_MAX; /* nothing is known yet */
    }
    place_all(&down, *period);
    int64_t best = best_change(&down, demand, least);
    *period = down.period;
    free(down.latest);
    return best;
}

bool tdm_exact(const struct tdm_search *search) {
    struct tdm_demand demand = tdm_demand_of(search);
    int64_t period = demand.shortest, least = least_period(&demand, 1.0), lowest = least;
    if (least > period) {
        return tdm_refuse(
            search->assignment,
            "no T is long enough for a density (work by window) of %.6g and overheads of %.9g ms",
            demand.utilisation, TDM_MS(demand.overhead));
    }
    int64_t best = descend(search, &demand, &period, &least);
    for (; best == 0 && period >= least; period -= (period - 1) / 4 + 1) {
        best = tdm_try(search, period) ? period : 0;
    }
    if (best == 0) {
        return tdm_refuse(
            search->assignment,
            "no T from %.9g ms to %.9g ms gives every task enough slots with a load of at most 1",
            TDM_MS(lowest), TDM_MS(demand.shortest));
    }
    return tdm_try(search, best);
}
