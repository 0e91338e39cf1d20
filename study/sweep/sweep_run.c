#include <stdlib.h>

#include "sim/time.h"
#include "study/sweep/ranks_internal.h"
#include "study/sweep/sweep_work.h"

enum { ASK_MS = 100, POLL_MS = 1 };

/* One sweep, on rank 0 or alone. */
struct run {
    const struct grt_sweep_work *work;
    const struct grt_sweep_options *options;
    struct grt_desk desk;
    struct grt_workers *workers; /* NULL: everything was there already */
    struct grt_rank_lead lead;
    uint64_t samples; /* that workers have evaluated who have ended */
    int64_t asked;    /* when go_on was */
};

/* Samples of this process's threads count as they come, those of others by chunks. */
static bool ask(struct run *run) {
    if (run->options->go_on == NULL) {
        return true;
    }
    struct grt_sweep_progress progress = grt_desk_progress(&run->desk);
    if (run->options->ranks == NULL) {
        progress.samples = run->workers != NULL ? grt_workers_samples(run->workers) : run->samples;
    }
    return run->options->go_on(run->options->state, &progress);
}

/* What is done now and then; false where the sweep has to end. */
static bool look_after(struct run *run, struct grt_errors *errors) {
    if (run->options->ranks != NULL && !grt_rank_lead_poll(&run->lead, errors)) {
        return false;
    }
    if (!grt_desk_flush(&run->desk, errors)) {
        return false;
    }
    int64_t now = grt_monotonic();
    if (now - run->asked < ASK_MS * GRT_MILLISECOND) {
        return true;
    }
    run->asked = now;
    return ask(run);
}

static uint32_t pause_of(const struct run *run) {
    uint32_t flush = run->options->flush_ms, ms = run->options->ranks != NULL ? POLL_MS : ASK_MS;
    return flush > 0 && flush < ms ? flush : ms;
}

/* Until all is there; false where it ended before. */
static bool watch(struct run *run, struct grt_errors *errors) {
    uint32_t pause = pause_of(run);
    bool all = grt_desk_wait(&run->desk, 0), good = true;
    while (!all && good) {
        all = grt_desk_wait(&run->desk, pause);
        good = all || look_after(run, errors);
    }
    return all;
}

static bool start_workers(struct run *run, struct grt_errors *errors) {
    if (grt_desk_wait(&run->desk, 0)) {
        return true;
    }
    size_t threads = run->options->threads > 0 ? run->options->threads : grt_workers_usual();
    struct grt_chunk_supply supply = grt_desk_supply(&run->desk);
    run->workers = grt_workers_start(run->work, &supply, threads, errors);
    return run->workers != NULL;
}

static bool lead(const struct grt_sweep_work *work, const struct grt_sweep_options *options,
                 struct grt_results *results, struct grt_errors *errors) {
    struct run run = {.work = work, .options = options, .asked = grt_monotonic()};
    size_t before = errors->count;
    if (!grt_desk_open(&run.desk, work, options, results, errors)) {
        if (options->ranks != NULL) {
            grt_ranks_give_up(options->ranks, errors);
        }
        return false;
    }
    if (options->ranks != NULL) {
        grt_rank_lead_start(&run.lead, options->ranks, &run.desk);
    }
    bool all = start_workers(&run, errors) && watch(&run, errors);
    grt_desk_stop(&run.desk);
    if (!all) {
        run.desk.flushed = 0; /* what is done is on disk before anything has to be waited for */
        grt_desk_flush(&run.desk, errors);
    }
    if (!all && run.workers != NULL) {
        grt_workers_stop(run.workers);
    }
    if (options->ranks != NULL) {
        grt_rank_lead_end(&run.lead, !all);
    }
    run.samples = grt_workers_join(run.workers);
    run.workers = NULL;
    ask(&run); /* of all that is done: workers have finished their chunks */
    grt_desk_close(&run.desk, errors);
    if (errors->count > before) {
        grt_results_free(results);
        return false;
    }
    return true;
}

bool grt_sweep_work_run(const struct grt_sweep_work *work, const struct grt_sweep_options *options,
                        struct grt_results *results, struct grt_errors *errors) {
    if (options->ranks != NULL && options->ranks->rank > 0) {
        *results = (struct grt_results){.experiment = work->experiment};
        return grt_rank_follow(work, options, errors);
    }
    return lead(work, options, results, errors);
}
