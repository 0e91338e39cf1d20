/* A scheduling operation of `wamp2s`: it predicts, shares out, and when its time is over the shares change. */
#include "policies/shares/wamp2s.h"

/* How often an operation predicts. */
static int64_t rounds_of(const struct wamp2s *self) {
    return self->given->variant == SHARES_CORRECTED ? self->given->rounds : 1;
}

static grt_time cost_of(const struct wamp2s *self, uint32_t predicted) {
    return self->given->run_time + (grt_time)predicted * rounds_of(self) * self->given->prediction_time;
}

/* ---- looking ---- */

/* Actual execution time checking: who is nearly done keeps his last prediction. Equation (11) with the Chat of the interval before is the remaining time
 * of that change less what has passed since (finding 13). */
static bool keeps_prediction(const struct wamp2s *self, const struct wamp2s_application *application) {
    return self->given->aetc && application->predicted > 0 &&
           application->progress.done > self->given->threshold;
}

/* Equation (12): what was predicted for one share is carried over to another by the matrix. */
static void carry_over(struct wamp2s_application *application, int64_t share) {
    const grt_time *times = application->segment->times;
    double ratio = (double)times[share] / (double)times[application->reference];
    application->predicted *= ratio;
    application->left *= ratio;
    application->reference = share;
}

/* Closes everybody's interval, and says who is where: with the share that he has, or had last, or before the first with an equal part, since nobody
 * is trained to have all of the GPU beside others (findings 6 and 8). Who does not run counts as if he did, at his speed alone. */
static void look(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    int64_t part = GRT_FULL_SHARE / (int64_t)scheduler->active_count;
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        struct wamp2s_application *application = scheduler->active[i];
        const grt_time *times = application->segment->times;
        shares_progress_advance(&application->progress, grt_policy_now(world));
        if (application->predicted == 0) {
            application->reference = part > 0 ? part : 1;
        }
        scheduler->predicts[i] = !keeps_prediction(self, application);
        scheduler->situation[i] = (struct shares_active){
            .segment = application->segment,
            .share = application->reference,
            .done = application->progress.done,
            .order = application->submitted ? application->order : self->orders + i,
            .seen = application->share > 0,
            .speed = (double)times[GRT_FULL_SHARE] / (double)times[application->reference],
        };
    }
    shares_predictor_look(scheduler->predictor, scheduler->situation, scheduler->active_count);
}

/* The same as it will be with the planned shares, at the speeds that were predicted for them: nobody has seen that (finding 11). */
static void look_ahead(struct wamp2s_scheduler *scheduler) {
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        struct wamp2s_application *application = scheduler->active[i];
        struct shares_active *place = &scheduler->situation[i];
        if (application->planned_share > 0) {
            carry_over(application, application->planned_share);
        }
        double alone = (double)application->segment->times[GRT_FULL_SHARE];
        place->share = application->reference;
        place->seen = false;
        place->speed = alone < application->predicted ? alone / application->predicted : 1;
    }
    shares_predictor_look(scheduler->predictor, scheduler->situation, scheduler->active_count);
}

/* ---- predicting ---- */

static void predict_one(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler,
                        uint32_t i, bool ahead) {
    struct wamp2s_application *application = scheduler->active[i];
    double measured[GRT_INDICATORS] = {0};
    bool knows;
    if (!ahead) {
        grt_policy_workload(world, application->stream, measured);
    }
    application->predicted = shares_predict(scheduler->predictor, i, measured, &knows);
    grt_policy_count(world, self->predictions);
    grt_policy_trace_mark(world, scheduler->row, self->prediction, application->job);
    if (!knows) {
        grt_policy_count(world, self->extrapolations);
    }
}

static void predict(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler,
                    bool ahead) {
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        if (scheduler->predicts[i]) {
            predict_one(self, world, scheduler, i, ahead);
        } else {
            grt_policy_count(world, self->aetc_skips);
            grt_policy_trace_mark(world, scheduler->row, self->kept, scheduler->active[i]->job);
            scheduler->saved_by_aetc += (uint64_t)self->given->prediction_time;
        }
    }
}

/* ---- sharing out ---- */

/* By the time that is left at the instant at which the shares change. As printed it is the deadline less what was executed: whoever waited or stood
 * still seems to have more time than he has (finding 5). */
static grt_time slack_of(const struct wamp2s *self, const struct wamp2s_application *application,
                         grt_time change) {
    if (application->due == GRT_TIME_NEVER) {
        return GRT_TIME_NEVER;
    }
    if (self->given->variant != SHARES_CORRECTED) {
        return application->due - application->requested - application->progress.executed;
    }
    return application->due - change;
}

/* What of it is kept for what was predicted wrongly. */
static grt_time margin_of(const struct wamp2s *self, grt_time slack) {
    bool keeps = self->given->variant == SHARES_CORRECTED && slack != GRT_TIME_NEVER && slack > 0;
    return keeps ? (grt_time)(self->given->margin * (double)slack) : 0;
}

/* As printed, what is kept is the remaining time of the last change, in which the time since has not passed (finding 13). */
static double left_of(const struct wamp2s *self, const struct wamp2s_application *application,
                      bool predicted) {
    return predicted || self->given->variant == SHARES_CORRECTED
               ? shares_progress_left(&application->progress, application->predicted)
               : application->left;
}

static void allocate(struct wamp2s *self, struct wamp2s_scheduler *scheduler, grt_time change) {
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        struct wamp2s_application *application = scheduler->active[i];
        grt_time slack = slack_of(self, application, change), margin = margin_of(self, slack);
        application->left = left_of(self, application, scheduler->predicts[i]);
        scheduler->demands[i] = (struct shares_demand){
            .times = application->segment->times,
            .enough = application->segment->enough,
            .share = application->reference,
            .remaining = application->left,
            .slack = slack - margin,
            .margin = margin,
            .weight = application->weight,
        };
    }
    scheduler->verdict = shares_allocate(scheduler->demands, scheduler->active_count,
                                         (enum shares_variant)self->given->variant, scheduler->shares);
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        scheduler->active[i]->planned = true;
        scheduler->active[i]->planned_share = scheduler->shares[i];
    }
}

/* ---- the shares change ---- */

/* Opens an interval with the new share. Who has none stands still. */
static void open_interval(struct wamp2s_application *application, int64_t share, grt_time now) {
    if (share == 0) {
        shares_progress_change(&application->progress, now, 0);
        return;
    }
    carry_over(application, share);
    shares_progress_change(&application->progress, now, application->predicted);
    shares_estimate(&application->estimates, &application->progress, now);
}

/* A segment is submitted when it has a share for the first time. */
static void give(struct wamp2s *self, struct grt_world *world, struct wamp2s_application *application) {
    int64_t share = application->planned_share;
    grt_time now = grt_policy_now(world);
    application->planned = false;
    if (share != application->share) {
        wamp2s_show_share(self, world, application);
    }
    open_interval(application, share, now);
    application->share = share;
    if (share > 0 && !application->submitted) {
        application->submitted = true;
        application->order = self->orders++;
        grt_policy_submit(world, application->job, application->stream);
    }
}

static void end_operation(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    scheduler->working = scheduler->worked = false;
    scheduler->schedulable = scheduler->verdict;
    if (!scheduler->verdict) {
        grt_policy_count(world, self->failures);
        grt_policy_trace_mark(world, scheduler->row, self->unschedulable, GRT_NO_JOB);
    }
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        if (scheduler->active[i]->planned) {
            give(self, world, scheduler->active[i]);
        }
    }
}

/* ---- when ---- */

/* Predicts and shares out, as often as it is to. Returns what that takes. */
static grt_time plan(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    uint32_t predicted = 0;
    look(self, world, scheduler);
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        predicted += scheduler->predicts[i];
    }
    grt_time cost = cost_of(self, predicted);
    for (int64_t round = 0; round < rounds_of(self); round++) {
        if (round > 0) {
            look_ahead(scheduler);
        }
        predict(self, world, scheduler, round > 0);
        allocate(self, scheduler, grt_policy_now(world) + cost);
    }
    return cost;
}

static void begin_operation(struct wamp2s *self, struct grt_world *world,
                            struct wamp2s_scheduler *scheduler) {
    grt_time cost = plan(self, world, scheduler);
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        scheduler->active[i]->overhead += (uint64_t)cost;
    }
    grt_policy_count(world, self->runs);
    scheduler->started = scheduler->ended = scheduler->missed = false;
    scheduler->working = true;
    if (cost > 0) {
        grt_policy_run(world, scheduler->thread, cost, self->operation, GRT_NO_JOB);
    } else {
        grt_policy_trace_mark(world, scheduler->row, self->operation, GRT_NO_JOB);
        scheduler->worked = true;
    }
}

/* Workload degradation checking: who had enough beside more has enough beside less. That says nothing where somebody had not, which the verdict
 * says (finding 12). */
static bool degrades(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    if (!self->given->wdc || !scheduler->schedulable) {
        return false;
    }
    uint32_t predictions = 0;
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        shares_progress_advance(&scheduler->active[i]->progress, grt_policy_now(world));
        predictions += !keeps_prediction(self, scheduler->active[i]);
    }
    scheduler->saved_by_wdc += (uint64_t)cost_of(self, predictions);
    scheduler->ended = false;
    grt_policy_count(world, self->wdc_skips);
    grt_policy_trace_mark(world, scheduler->row, self->skipped, GRT_NO_JOB);
    return true;
}

/* Where nobody is left there is nothing to do. */
static bool is_called_for(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    if (scheduler->active_count == 0) {
        scheduler->started = scheduler->ended = scheduler->missed = false;
        return false;
    }
    return scheduler->started || scheduler->missed || (scheduler->ended && !degrades(self, world, scheduler));
}

/* Who is late needs something else than he was given, and others may wait for him while he waits for them: for all streams, or for an event. Without an
 * operation that could last for ever. As printed only beginnings and ends count. */
static void look_for_late(struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    grt_time now = grt_policy_now(world), next = GRT_TIME_NEVER;
    for (uint32_t i = 0; i < scheduler->active_count; i++) {
        struct wamp2s_application *application = scheduler->active[i];
        if (application->due > now) {
            next = application->due < next ? application->due : next;
        } else if (!application->late) {
            application->late = scheduler->missed = true;
        }
    }
    grt_policy_timer(world, scheduler->timer, next);
}

void wamp2s_operate(struct wamp2s *self, struct grt_world *world, struct wamp2s_scheduler *scheduler) {
    if (scheduler->working && scheduler->worked) {
        end_operation(self, world, scheduler);
    }
    if (self->given->variant == SHARES_CORRECTED) {
        look_for_late(world, scheduler);
    }
    if (!scheduler->working && is_called_for(self, world, scheduler)) {
        begin_operation(self, world, scheduler);
        if (scheduler->worked) {
            end_operation(self, world, scheduler);
        }
    }
}
