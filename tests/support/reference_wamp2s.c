#include "tests/support/reference_wamp2s.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/device/contention.h"
#include "policies/shares/allocate.h"
#include "policies/shares/predictor.h"

/* An application, with the records of its intervals. */
struct app {
    bool active, submitted, late;
    const struct grt_kernel *kernel;
    double fixed, work;
    grt_time asked, deadline, opened;
    double chat[REFERENCE_INTERVALS], tau[REFERENCE_INTERVALS];
    int intervals;
    double open; /* Chat of the open interval; 0: it stands still */
    double predicted, remaining;
    int64_t reference, share, planned, shown;
    bool in_plan;
    uint64_t begun;
};

struct reference {
    const struct wamp2s_parameters *given;
    struct app apps[REFERENCE_TASKS];
    int count;
    int order[REFERENCE_TASKS]; /* of priority */
    int64_t weights[REFERENCE_TASKS];
    struct grt_contention *contention;
    uint64_t begun;
    bool started, ended, missed, working, fits, verdict;
    grt_time done_at;
    bool *edge;
};

/* ---- one application ---- */

static double alone(const struct app *app, int64_t share) {
    return ceil(app->fixed + app->work * grt_usage_share_factor(app->kernel->usage, share));
}

static double theta(const struct app *app, grt_time now) {
    double sum = 0;
    for (int k = 0; k < app->intervals; k++) {
        sum += app->tau[k] / app->chat[k];
    }
    sum += app->open > 0 ? (double)(now - app->opened) / app->open : 0;
    return sum < 1 ? sum : 1;
}

static double executed(const struct app *app, grt_time now) {
    double sum = app->open > 0 ? (double)(now - app->opened) : 0;
    for (int k = 0; k < app->intervals; k++) {
        sum += app->tau[k];
    }
    return sum;
}

static void open_interval(struct app *app, grt_time now, double chat) {
    if (app->open > 0 && app->intervals < REFERENCE_INTERVALS) {
        app->tau[app->intervals] = (double)(now - app->opened);
        app->chat[app->intervals++] = app->open;
    }
    app->open = chat;
    app->opened = now;
}

/* ---- predicting ---- */

static double speed_beside(struct reference *self, int number, const int64_t *shares) {
    struct grt_sharer sharers[REFERENCE_TASKS];
    double speeds[REFERENCE_TASKS];
    uint32_t count = 0, mine = 0;
    bool taken[REFERENCE_TASKS] = {false};
    for (;;) { /* who began first first; who has not begun by priority */
        int next = -1;
        for (int i = 0; i < self->count; i++) {
            int candidate = self->order[i];
            const struct app *app = &self->apps[candidate];
            if (!app->active || taken[candidate]) {
                continue;
            }
            const struct app *best = next < 0 ? NULL : &self->apps[next];
            bool sooner = best == NULL || (app->submitted && !best->submitted) ||
                          (app->submitted && best->submitted && app->begun < best->begun);
            next = sooner ? candidate : next;
        }
        if (next < 0) {
            break;
        }
        taken[next] = true;
        mine = next == number ? count : mine;
        sharers[count++] = (struct grt_sharer){
            .usage = self->apps[next].kernel->usage, .class_number = GRT_NO_CLASS, .share = shares[next]};
    }
    grt_contention_speeds(self->contention, sharers, count, speeds);
    return speeds[mine];
}

static double predict(struct reference *self, int number, const int64_t *shares) {
    const struct app *app = &self->apps[number];
    if (self->given->predictor == SHARES_NONE) {
        return alone(app, shares[number]);
    }
    double speed = speed_beside(self, number, shares);
    return speed > 0 ? app->fixed + app->work / speed : app->fixed + (double)GRT_TIME_LIMIT;
}

static bool keeps(const struct reference *self, const struct app *app, grt_time now) {
    return self->given->aetc && app->predicted > 0 && theta(app, now) > self->given->threshold;
}

/* ---- sharing out ---- */

static int64_t least_share(struct reference *self, const struct app *app, double slack) {
    for (int64_t share = 1; share <= 100; share++) {
        double takes = app->remaining * alone(app, share) / alone(app, app->reference);
        if (fabs(takes - slack) <= 1e-9 * fabs(slack)) {
            *self->edge = true;
        }
        if (takes <= slack) {
            return share;
        }
    }
    return 101;
}

static int64_t usable(const struct app *app) {
    int64_t share = 100;
    while (share > 1 && alone(app, share - 1) <= alone(app, 100)) {
        share--;
    }
    return share;
}

static double slack_of(const struct reference *self, const struct app *app, grt_time now, grt_time change) {
    if (app->deadline == GRT_TIME_NEVER) {
        return INFINITY;
    }
    if (self->given->variant != SHARES_CORRECTED) {
        return (double)(app->deadline - app->asked) - executed(app, now);
    }
    return (double)(app->deadline - change);
}

/* The corrected variant: those that got nothing get what is left, but for one percent for each behind them; the new sum. */
static int64_t raise_those_without(struct reference *self, const int64_t *needs, int64_t sum,
                                   int64_t missing) {
    for (int place = 0; place < self->count; place++) {
        struct app *app = &self->apps[self->order[place]];
        int64_t need = needs[self->order[place]];
        if (app->active && app->planned == 0 && sum < 100) {
            int64_t want = need <= 100 ? need : usable(app);
            missing--;
            do {
                app->planned++;
                sum++;
            } while (app->planned < want && sum + missing < 100);
        }
    }
    return sum;
}

/* What is left goes to all by their weights; the new sum. */
static int64_t share_rest(struct reference *self, int64_t sum, int64_t weights) {
    int64_t left = 100 - sum;
    for (int i = 0; i < self->count && left > 0; i++) {
        struct app *app = &self->apps[i];
        if (app->active) {
            assert(weights > 0);
            bool zeroed = self->given->variant == SHARES_LISTING;
            app->planned = (zeroed ? 0 : app->planned) + left * self->weights[i] / weights;
            sum += left * self->weights[i] / weights;
        }
    }
    return sum;
}

static void share_out(struct reference *self, grt_time now, grt_time change) {
    bool corrected = self->given->variant == SHARES_CORRECTED, failed = false;
    int64_t needs[REFERENCE_TASKS], sum = 0, weights = 0, missing = 0;
    int first = -1;
    self->verdict = true;
    for (int place = 0; place < self->count; place++) {
        int i = self->order[place];
        struct app *app = &self->apps[i];
        if (!app->active) {
            continue;
        }
        first = first < 0 ? i : first;
        double slack = slack_of(self, app, now, change);
        double kept = corrected && slack > 0 && isfinite(slack) ? floor(self->given->margin * slack) : 0;
        needs[i] = least_share(self, app, slack - kept);
        if (kept > 0 && sum + needs[i] > 100) {
            int64_t without = least_share(self, app, slack);
            needs[i] = sum + without <= 100 ? without : needs[i];
        }
        bool good = !failed && (corrected ? sum + needs[i] <= 100 : sum + needs[i] < 100);
        app->planned = good ? needs[i] : 0;
        sum += app->planned;
        weights += self->weights[i];
        missing += !good;
        self->verdict &= good;
        failed |= !good && !corrected;
    }
    sum = corrected ? raise_those_without(self, needs, sum, missing) : sum;
    sum = corrected || !failed ? share_rest(self, sum, weights) : sum;
    if (corrected && first >= 0) {
        self->apps[first].planned += 100 - sum;
    }
    for (int i = 0; i < self->count && self->given->variant == SHARES_LISTING && failed; i++) {
        self->apps[i].planned = 0; /* line 25 had set those before it to 0 */
    }
}

/* ---- operations ---- */

static void carry(struct app *app, int64_t share) {
    double factor = alone(app, share) / alone(app, app->reference);
    app->predicted *= factor;
    app->remaining *= factor;
    app->reference = share;
}

static void plan(struct reference *self, grt_time now, grt_time change, bool again, const bool *kept) {
    int64_t shares[REFERENCE_TASKS] = {0};
    for (int i = 0; i < self->count; i++) {
        if (again && self->apps[i].active && self->apps[i].planned > 0) {
            carry(&self->apps[i], self->apps[i].planned);
        }
        shares[i] = self->apps[i].reference;
    }
    for (int i = 0; i < self->count; i++) {
        struct app *app = &self->apps[i];
        if (!app->active) {
            continue;
        }
        if (!kept[i]) {
            app->predicted = predict(self, i, shares);
        }
        if (!kept[i] || self->given->variant == SHARES_CORRECTED) {
            app->remaining = app->predicted * fmax(0.01, 1 - theta(app, now));
        }
    }
    share_out(self, now, change);
}

static void begin(struct reference *self, grt_time now) {
    int active = 0, predictions = 0;
    bool kept[REFERENCE_TASKS] = {false};
    for (int i = 0; i < self->count; i++) {
        active += self->apps[i].active;
    }
    for (int i = 0; i < self->count; i++) {
        struct app *app = &self->apps[i];
        app->in_plan = app->active;
        if (app->active && app->predicted == 0) {
            app->reference = 100 / active;
        }
        kept[i] = app->active && keeps(self, app, now);
        predictions += app->active && !kept[i];
    }
    int64_t rounds = self->given->variant == SHARES_CORRECTED ? self->given->rounds : 1;
    self->done_at = now + self->given->run_time + predictions * rounds * self->given->prediction_time;
    for (int64_t round = 0; round < rounds; round++) {
        plan(self, now, self->done_at, round > 0, kept);
    }
    self->working = true;
    self->started = self->ended = self->missed = false;
}

static void end_operation(struct reference *self, grt_time now) {
    self->working = false;
    self->fits = self->verdict;
    for (int place = 0; place < self->count; place++) {
        struct app *app = &self->apps[self->order[place]];
        if (!app->active || !app->in_plan) {
            continue;
        }
        app->share = app->planned;
        if (app->share > 0) {
            carry(app, app->share);
        }
        open_interval(app, now, app->share > 0 ? app->predicted : 0);
        if (app->share > 0 && !app->submitted) {
            app->submitted = true;
            app->begun = self->begun++;
        }
    }
}

static void work(struct reference *self, grt_time now) {
    bool any = false;
    if (self->working && self->done_at <= now) {
        end_operation(self, now);
    }
    for (int i = 0; i < self->count; i++) {
        struct app *app = &self->apps[i];
        any |= app->active;
        if (app->active && app->deadline <= now && !app->late && self->given->variant == SHARES_CORRECTED) {
            app->late = self->missed = true;
        }
    }
    if (self->working) {
        return;
    }
    bool skips = self->given->wdc && self->fits && !self->started && !self->missed;
    if (any && (self->started || self->missed || (self->ended && !skips))) {
        begin(self, now);
        if (self->done_at <= now) {
            end_operation(self, now);
        }
    } else {
        self->started = self->ended = self->missed = false;
    }
}

/* ---- all of it ---- */

static void prepare(struct reference *self, const struct grt_scenario *scenario) {
    bool positive = true;
    self->count = (int)scenario->task_count;
    for (int i = 0; i < self->count; i++) {
        const struct grt_segment *segment = &scenario->tasks[i].segments[0];
        struct app *app = &self->apps[i];
        app->shown = 100;
        for (size_t j = 0; j < segment->command_count; j++) {
            if (segment->commands[j].kind == GRT_COMMAND_KERNEL) {
                app->kernel = &segment->commands[j].kernel;
                app->work = (double)app->kernel->block_time.max;
            } else {
                app->fixed += (double)segment->commands[j].bytes; /* 1 ns each */
            }
        }
        positive &= scenario->tasks[i].priority > 0;
        self->order[i] = i;
    }
    for (int i = 0; i < self->count; i++) {
        int64_t priority = scenario->tasks[i].priority, rank = 1;
        for (int j = 0; j < self->count; j++) {
            rank += scenario->tasks[j].priority < priority;
        }
        self->weights[i] = positive ? priority : rank;
    }
    for (int i = 0; i < self->count; i++) {
        for (int j = i;
             j > 0 && scenario->tasks[self->order[j]].priority > scenario->tasks[self->order[j - 1]].priority;
             j--) {
            int kept = self->order[j];
            self->order[j] = self->order[j - 1];
            self->order[j - 1] = kept;
        }
    }
}

static void hear(struct reference *self, const struct reference_event *event) {
    struct app *app = &self->apps[event->task];
    if (!event->asks) {
        app->active = app->in_plan = false;
        app->share = 0;
        self->ended = true;
        return;
    }
    struct app fresh = {.active = true,
                        .kernel = app->kernel,
                        .fixed = app->fixed,
                        .work = app->work,
                        .asked = event->at,
                        .deadline = event->deadline,
                        .opened = event->at,
                        .shown = app->shown};
    *app = fresh;
    self->started = true;
}

static grt_time next_instant(const struct reference *self, const struct reference_event *events, size_t next,
                             size_t count, grt_time now) {
    grt_time instant = next < count ? events[next].at : GRT_TIME_NEVER;
    if (self->working && self->done_at < instant) {
        instant = self->done_at;
    }
    for (int i = 0; i < self->count && self->given->variant == SHARES_CORRECTED; i++) {
        const struct app *app = &self->apps[i];
        if (app->active && app->deadline > now && app->deadline < instant) {
            instant = app->deadline;
        }
    }
    return instant;
}

size_t reference_wamp2s(const struct grt_scenario *scenario, const struct wamp2s_parameters *given,
                        const struct reference_event *events, size_t count, grt_time end,
                        struct reference_change *changes, size_t most, bool *edge) {
    struct grt_arena arena = {0};
    struct reference *self = grt_arena_new(&arena, struct reference);
    size_t next = 0, found = 0;
    self->given = given;
    self->edge = edge;
    self->contention = grt_contention_create(&scenario->gpus[0], &arena);
    prepare(self, scenario);
    for (grt_time now = next_instant(self, events, 0, count, -1); now <= end && !*edge;
         now = next_instant(self, events, next, count, now)) {
        for (; next < count && events[next].at == now; next++) {
            hear(self, &events[next]);
        }
        work(self, now);
        for (int i = 0; i < self->count; i++) {
            struct app *app = &self->apps[i];
            if (app->share != app->shown && found < most) {
                changes[found++] = (struct reference_change){now, (uint32_t)i, app->share};
                app->shown = app->share;
            }
        }
    }
    grt_arena_clear(&arena);
    return found;
}
