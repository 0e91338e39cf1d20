#include "verify/shrink.h"

#include <stdio.h>
#include <string.h>

#include "verify/batches.h"

enum { MOST_PLAYS = 4000 };

/* ---- whether it still violates ---- */

/* The claim of the analysis about the tasks of the last play. */
static bool broken_anew(const struct grt_shrinking *shrinking, const struct grt_seen *seen,
                        const struct grt_played *played, struct grt_violation *violation) {
    const struct grt_analysis_ops *const analyses[] = {shrinking->violation.analysis, NULL};
    struct grt_arena arena = {0};
    bool broken = false;
    const struct grt_subject *given = shrinking->subject;
    const struct grt_analyses_subject subject = {&played->scenario, given->policy, given->parameters};
    const struct grt_analyses_choice choice = {.analyses = analyses, .settings = given->settings};
    struct grt_claims claims = grt_claims_make(&subject, &choice, &arena);
    for (size_t i = 0; i < claims.count && !broken; i++) {
        broken = claims.items[i].gpu == shrinking->violation.gpu &&
                 grt_claim_is_broken(&claims.items[i], seen, played, violation) &&
                 violation->kind == shrinking->violation.kind;
    }
    grt_arena_clear(&arena);
    return broken;
}

bool grt_shrink_violates(struct grt_shrinking *shrinking, const struct grt_pattern *pattern,
                         struct grt_violation *violation) {
    struct grt_errors errors = {0};
    bool audit = shrinking->violation.kind == GRT_VIOLATION_AUDIT;
    const struct grt_seen *seen = grt_player_play(shrinking->player, pattern, audit, &errors);
    const struct grt_played *played = grt_player_played(shrinking->player);
    shrinking->plays++;
    grt_errors_clear(&errors);
    if (seen == NULL) {
        return false;
    }
    if (audit) {
        return grt_audit_is_broken(seen, shrinking->subject->scenario, violation) &&
               strcmp(violation->rule, shrinking->violation.rule) == 0;
    }
    if (shrinking->keeps_claim) {
        return grt_claim_is_broken(shrinking->original, seen, played, violation) &&
               violation->kind == shrinking->violation.kind;
    }
    return broken_anew(shrinking, seen, played, violation);
}

/* ---- one change after the other ---- */

struct shrinker {
    struct grt_shrinking *shrinking;
    struct grt_pattern *pattern; /* the smallest so far */
    struct grt_pattern trial;    /* a copy with a change */
    bool changed;
};

static bool left(const struct shrinker *shrinker) {
    uint64_t most = shrinker->shrinking->most_plays;
    return shrinker->shrinking->plays < (most > 0 ? most : MOST_PLAYS);
}

/* Takes the trial for the pattern if it violates. */
static bool keep_trial(struct shrinker *shrinker) {
    struct grt_violation violation;
    if (!left(shrinker) || !grt_pattern_is_legal(&shrinker->trial, shrinker->shrinking->subject->scenario) ||
        !grt_shrink_violates(shrinker->shrinking, &shrinker->trial, &violation)) {
        return false;
    }
    grt_pattern_copy(shrinker->pattern, &shrinker->trial);
    shrinker->shrinking->violation = violation;
    shrinker->changed = true;
    return true;
}

static struct grt_pattern *begin_trial(struct shrinker *shrinker) {
    grt_pattern_copy(&shrinker->trial, shrinker->pattern);
    return &shrinker->trial;
}

/* Ends the run when the violation has been seen, and drops what comes later. */
static void cut_end(struct shrinker *shrinker) {
    struct grt_pattern *trial = begin_trial(shrinker);
    grt_time end = shrinker->shrinking->violation.time;
    for (uint32_t i = 0; i < trial->task_count; i++) {
        struct grt_releases *releases = &trial->tasks[i];
        while (!releases->own && releases->count > 0 && releases->arrivals[releases->count - 1] >= end) {
            releases->count--;
        }
    }
    if (end > 0 && end < trial->horizon) {
        trial->horizon = end;
        if (!keep_trial(shrinker)) { /* a rule that is broken at an instant may have to be seen behind it */
            trial->horizon = end + 1;
            keep_trial(shrinker);
        }
    }
}

/* A task whose jobs others wait for goes with them. */
static void leave_out(const struct grt_scenario *scenario, struct grt_pattern *trial, uint32_t number) {
    trial->tasks[number].absent = true;
    for (uint32_t i = 0; i < trial->task_count; i++) {
        for (size_t j = 0; j < scenario->tasks[i].after_count; j++) {
            if (scenario->tasks[i].after[j] == number && !trial->tasks[i].absent) {
                leave_out(scenario, trial, i);
            }
        }
    }
}

static bool any_task(const struct grt_pattern *pattern) {
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        if (!pattern->tasks[i].absent) {
            return true;
        }
    }
    return false;
}

static void remove_tasks(struct shrinker *shrinker) {
    const struct grt_subject *subject = shrinker->shrinking->subject;
    size_t own = grt_batches_own_tasks(subject->scenario, subject->policy, subject->parameters),
           count = shrinker->pattern->task_count - own;
    for (uint32_t i = 0; i < count && !shrinker->shrinking->keeps_claim; i++) {
        if (!shrinker->pattern->tasks[i].absent) {
            struct grt_pattern *trial = begin_trial(shrinker);
            leave_out(subject->scenario, trial, i);
            if (any_task(trial)) {
                keep_trial(shrinker);
            }
        }
    }
}

static void cut_jobs(struct grt_releases *releases, uint32_t first, uint32_t count) {
    uint32_t behind = releases->count - first - count;
    memmove(releases->arrivals + first, releases->arrivals + first + count,
            behind * sizeof *releases->arrivals);
    memmove(releases->delays + first, releases->delays + first + count, behind * sizeof *releases->delays);
    releases->count -= count;
}

/* Half of a task's jobs at a time, then a quarter, down to single ones. */
static void remove_jobs(struct shrinker *shrinker, uint32_t number) {
    const struct grt_releases *releases = &shrinker->pattern->tasks[number];
    for (uint32_t size = releases->count; size > 0 && left(shrinker); size /= 2) {
        for (uint32_t first = 0; first + size <= releases->count && left(shrinker);) {
            cut_jobs(&begin_trial(shrinker)->tasks[number], first, size);
            first += keep_trial(shrinker) ? 0 : size;
        }
    }
}

static void make_times_constant(struct shrinker *shrinker, uint32_t number) {
    static const enum grt_pattern_times constant[] = {GRT_PATTERN_LONGEST, GRT_PATTERN_SHORTEST};
    for (size_t i = 0; i < 2 && shrinker->pattern->tasks[number].times != GRT_PATTERN_LONGEST; i++) {
        if (shrinker->pattern->tasks[number].times != constant[i]) {
            begin_trial(shrinker)->tasks[number].times = constant[i];
            keep_trial(shrinker);
        }
    }
}

static void remove_delays(struct shrinker *shrinker, uint32_t number) {
    const struct grt_releases *releases = &shrinker->pattern->tasks[number];
    for (uint32_t i = 0; i < releases->count; i++) {
        if (releases->delays[i] > 0) {
            begin_trial(shrinker)->tasks[number].delays[i] = 0;
            keep_trial(shrinker);
        }
    }
}

static grt_time first_arrival(const struct grt_pattern *pattern) {
    grt_time first = pattern->horizon;
    for (uint32_t i = 0; i < pattern->task_count; i++) {
        const struct grt_releases *releases = &pattern->tasks[i];
        bool counts = !releases->absent && !releases->own && releases->count > 0;
        first = counts && releases->arrivals[0] < first ? releases->arrivals[0] : first;
    }
    return first;
}

/* Moves everything so that the first job comes at `start`, if that is earlier. */
static bool move_to(struct shrinker *shrinker, grt_time start) {
    struct grt_pattern *trial = begin_trial(shrinker);
    grt_time by = first_arrival(trial) - start;
    if (by <= 0) {
        return false;
    }
    for (uint32_t i = 0; i < trial->task_count; i++) {
        for (uint32_t j = 0; j < trial->tasks[i].count; j++) {
            trial->tasks[i].arrivals[j] -= by;
        }
    }
    trial->horizon -= by < trial->horizon ? by : 0;
    return keep_trial(shrinker);
}

/* To 0, or just behind it, where it matters to have missed what begins at 0. */
static void move_to_start(struct shrinker *shrinker) {
    if (!move_to(shrinker, 0)) {
        move_to(shrinker, 1);
    }
}

static grt_time round_down(grt_time time, grt_time unit) {
    return time - time % unit;
}

/* Rounds an arrival, and its delay, down to the largest unit with which the violation stays. */
static void round_job(struct shrinker *shrinker, uint32_t number, uint32_t job) {
    const struct grt_releases *releases = &shrinker->pattern->tasks[number];
    grt_time arrival = releases->arrivals[job], delay = releases->delays[job];
    grt_time tried_arrival = arrival, tried_delay = delay;
    for (grt_time unit = GRT_SECOND; unit > 1; unit /= 10) {
        grt_time new_arrival = round_down(arrival, unit), new_delay = round_down(delay, unit);
        if (new_arrival == arrival && new_delay == delay) {
            return;
        }
        if (new_arrival != tried_arrival || new_delay != tried_delay) {
            struct grt_releases *changed = &begin_trial(shrinker)->tasks[number];
            changed->arrivals[job] = tried_arrival = new_arrival;
            changed->delays[job] = tried_delay = new_delay;
            if (keep_trial(shrinker)) {
                return;
            }
        }
    }
}

static void shrink_once(struct shrinker *shrinker) {
    shrinker->changed = false;
    cut_end(shrinker);
    remove_tasks(shrinker);
    for (uint32_t i = 0; i < shrinker->pattern->task_count; i++) {
        if (!shrinker->pattern->tasks[i].absent) {
            remove_jobs(shrinker, i);
            make_times_constant(shrinker, i);
            remove_delays(shrinker, i);
        }
    }
    move_to_start(shrinker);
    for (uint32_t i = 0; i < shrinker->pattern->task_count; i++) {
        for (uint32_t j = 0; !shrinker->pattern->tasks[i].absent && j < shrinker->pattern->tasks[i].count;
             j++) {
            round_job(shrinker, i, j);
        }
    }
}

bool grt_shrink(struct grt_shrinking *shrinking, struct grt_pattern *pattern) {
    struct grt_violation violation;
    if (shrinking->violation.kind == GRT_VIOLATION_WITNESS) {
        return false;
    }
    shrinking->plays = 0;
    shrinking->keeps_claim = false;
    if (!grt_shrink_violates(shrinking, pattern, &violation)) {
        shrinking->keeps_claim = shrinking->original != NULL;
        if (!shrinking->keeps_claim || !grt_shrink_violates(shrinking, pattern, &violation)) {
            return false;
        }
    }
    shrinking->violation = violation;
    struct shrinker shrinker = {.shrinking = shrinking, .pattern = pattern};
    grt_pattern_start(&shrinker.trial, pattern->task_count);
    do {
        shrink_once(&shrinker);
    } while (shrinker.changed && left(&shrinker));
    grt_pattern_free(&shrinker.trial);
    return true;
}
