#include "tests/support/wamp2s_remaining.h"

#include <math.h>

#include "models/device/contention.h"
#include "scenarios/scenario.h"
#include "sim/random.h"
#include "tests/support/cunit.h"

enum { ALL = RODINIA_APPLICATIONS };

/* What stays the same: the applications of Table 3 on their GPU. */
struct board {
    struct grt_scenario_file file;
    struct grt_arena arena;
    struct grt_contention *contention;
    const struct grt_kernel *kernels[ALL];
};

struct application {
    bool active;
    int64_t share;
    double left;  /* of its work, ns alone with the whole GPU; where it is away: ns until it comes back */
    double speed; /* 0 where it is away */
    uint64_t order;
};

struct play {
    const struct board *board;
    struct grt_random random;
    double away, now;
    uint64_t orders;
    struct application items[ALL];
};

static const struct board *the_board(void) {
    static struct board board;
    struct grt_errors errors = {0};
    if (board.contention == NULL) {
        const char *path = "scenarios/papers/wamp2s/rodinia-1.0-wamp2s.json";
        CU_ASSERT_FATAL(grt_scenario_read(path, NULL, &board.file, &errors));
        board.contention = grt_contention_create(&board.file.written.gpus[0], &board.arena);
        for (size_t i = 0; i < ALL; i++) {
            board.kernels[i] = &board.file.written.tasks[i].segments[0].commands[0].kernel;
        }
    }
    return &board;
}

/* ---- the world ---- */

static void begin(struct play *play, size_t i) {
    play->items[i].active = true;
    play->items[i].left = (double)rodinia_applications[i].worst;
    play->items[i].order = play->orders++;
}

static void leave(struct play *play, size_t i) {
    play->items[i].active = false;
    play->items[i].speed = 0;
    play->items[i].left = 1 + play->away * grt_random_uniform(&play->random);
}

/* Shares: 100 cut at nine places, each piece at least 1. */
static void cut(struct play *play) {
    int64_t left = GRT_FULL_SHARE - ALL;
    for (size_t i = 0; i < ALL; i++) {
        play->items[i].share = 1;
    }
    for (; left > 0; left--) {
        play->items[grt_random_below(&play->random, ALL)].share++;
    }
}

/* Who is active, those that began first first. */
static uint32_t in_order(const struct play *play, size_t numbers[ALL]) {
    uint32_t count = 0;
    for (size_t i = 0; i < ALL; i++) {
        uint32_t place = count;
        if (!play->items[i].active) {
            continue;
        }
        for (; place > 0 && play->items[numbers[place - 1]].order > play->items[i].order; place--) {
            numbers[place] = numbers[place - 1];
        }
        numbers[place] = i;
        count++;
    }
    return count;
}

static void find_speeds(struct play *play) {
    struct grt_sharer sharers[ALL];
    size_t numbers[ALL];
    double speeds[ALL];
    uint32_t count = in_order(play, numbers);
    for (uint32_t i = 0; i < count; i++) {
        sharers[i] = (struct grt_sharer){play->board->kernels[numbers[i]]->usage, GRT_NO_CLASS,
                                         play->items[numbers[i]].share};
    }
    grt_contention_speeds(play->board->contention, sharers, count, speeds);
    for (uint32_t i = 0; i < count; i++) {
        play->items[numbers[i]].speed = speeds[i];
    }
}

/* To the next one that comes or ends; returns who. */
static size_t advance(struct play *play) {
    double least = INFINITY;
    size_t first = 0;
    for (size_t i = 0; i < ALL; i++) {
        double rate = play->items[i].active ? play->items[i].speed : 1;
        if (play->items[i].left / rate < least) {
            least = play->items[i].left / rate;
            first = i;
        }
    }
    for (size_t i = 0; i < ALL; i++) {
        double rate = play->items[i].active ? play->items[i].speed : 1;
        play->items[i].left -= rate * least;
    }
    play->now += least;
    return first;
}

/* ---- estimates ---- */

/* Chat of an application as things are. */
static double predict(const struct play *play, size_t tagged, const struct grt_networks *networks) {
    double indicators[GRT_INDICATORS] = {0};
    if (networks == NULL) {
        return (double)rodinia_applications[tagged].worst / play->items[tagged].speed;
    }
    for (size_t i = 0; i < ALL; i++) {
        for (int k = 0; i != tagged && play->items[i].active && k < GRT_INDICATORS; k++) {
            indicators[k] += play->items[i].speed * play->board->kernels[i]->usage->counters[k];
        }
    }
    const struct grt_network *network = grt_networks_find(networks, rodinia_applications[tagged].kernel);
    CU_ASSERT_PTR_NOT_NULL_FATAL(network);
    return grt_network_predict(network, indicators, play->items[tagged].share, NULL);
}

void wamp2s_remaining_job(size_t application, uint64_t number, double away,
                          const struct grt_networks *networks, struct wamp2s_remaining_job *job) {
    struct play play = {.board = the_board(), .away = away};
    double done = 0, at[WAMP2S_MOST_ESTIMATES];
    play.random = grt_random_stream(2022, "remaining", application, number);
    *job = (struct wamp2s_remaining_job){0};
    cut(&play);
    for (size_t i = 0; i < ALL; i++) {
        if (i == application || grt_random_below(&play.random, 2) == 0) {
            begin(&play, i);
        } else {
            leave(&play, i);
        }
        job->shares[i] = play.items[i].share;
        job->active[i] = play.items[i].active;
    }
    for (;;) {
        find_speeds(&play);
        double predicted = predict(&play, application, networks), since = play.now;
        if (job->count < WAMP2S_MOST_ESTIMATES) {
            at[job->count] = play.now;
            job->items[job->count++] = (struct wamp2s_estimate_made){done, predicted * (1 - done), 0};
        }
        size_t who = advance(&play);
        done += (play.now - since) / predicted;
        if (who == application) {
            break;
        }
        if (play.items[who].active) {
            leave(&play, who);
        } else {
            begin(&play, who);
        }
    }
    job->time = play.now;
    for (size_t i = 0; i < job->count; i++) {
        job->items[i].remained = play.now - at[i];
    }
}

/* ---- means ---- */

static void add(const struct wamp2s_remaining_job *job, struct wamp2s_remaining *out) {
    for (size_t i = 0; i < job->count; i++) {
        const struct wamp2s_estimate_made *made = &job->items[i];
        int bin = (int)(made->done * WAMP2S_BINS);
        bin = bin < WAMP2S_BINS ? bin : WAMP2S_BINS - 1;
        double error = fabs(made->estimated - made->remained);
        out->estimates[bin]++;
        out->of_remaining[bin] += error / made->remained;
        out->of_time[bin] += error / job->time;
    }
}

void wamp2s_remaining(int jobs, double away, const struct grt_networks *networks,
                      struct wamp2s_remaining *out) {
    *out = (struct wamp2s_remaining){0};
    for (size_t i = 0; i < ALL; i++) {
        for (int j = 0; j < jobs; j++) {
            struct wamp2s_remaining_job job;
            wamp2s_remaining_job(i, (uint64_t)j, away, networks, &job);
            add(&job, out);
        }
    }
    for (int i = 0; i < WAMP2S_BINS; i++) {
        if (out->estimates[i] > 0) {
            out->of_remaining[i] /= (double)out->estimates[i];
            out->of_time[i] /= (double)out->estimates[i];
        }
    }
}

double wamp2s_threshold(const double errors[WAMP2S_BINS], const uint64_t estimates[WAMP2S_BINS],
                        double most) {
    int bin = WAMP2S_BINS;
    while (bin > 0 && (estimates[bin - 1] == 0 || errors[bin - 1] < most)) {
        bin--;
    }
    return (double)bin / WAMP2S_BINS;
}
