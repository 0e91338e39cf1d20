/* The device's state before and after a run: it is to be warm, since one that idles runs at a fraction of its frequency, and nothing is to slow it. */
#include <stdio.h>

#include "calib/driver/nvml.h"
#include "calib/replay/internal.h"

/* So much longer than asked for the device may take until its frequency is steady. */
enum { MOST_PATIENCE = 6 };

static const grt_time window = 20 * GRT_MILLISECOND;

/* Of the frequency before, below which another one after is told; that of SMs that are too slow for a sample when measuring. */
static const double least_ratio = 0.97;

static bool goes_on(void *state) {
    const struct grt_replay_options *options = state;
    return options->is_interrupted == NULL || !options->is_interrupted(options->state);
}

static void note_health(struct replay_run *run, const struct grt_replay_state *state, const char *when) {
    char names[256];
    uint64_t slowing = state->health.known ? state->health.reasons & GRT_NVML_SLOWING : 0;
    if (slowing != 0) {
        replay_note(
            run->out,
            "warning: something slowed the device %s the run (%s): its times are those of a device in "
            "this state",
            when, grt_nvml_reasons_text(slowing, names, sizeof names));
    }
}

void replay_look_before(struct replay_run *run) {
    const struct grt_replay_options *options = run->options;
    if (options->warm_up == 0) {
        return;
    }
    struct grt_bench_warm_up how = {options->warm_up, MOST_PATIENCE * options->warm_up, goes_on,
                                    (void *)(uintptr_t)options};
    struct grt_bench_warmth warmth;
    if (grt_bench_warm_up(run->bench, &how, &warmth) && !warmth.steady) {
        replay_note(
            run->out,
            "warning: the frequency did not stand still before the run: it was between %.0f and %.0f MHz",
            warmth.low_hertz / 1e6, warmth.hertz / 1e6);
    }
    run->out->looked = true;
    run->out->before = (struct grt_replay_state){warmth.hertz, grt_bench_health(run->bench)};
    note_health(run, &run->out->before, "before");
}

/* Health first, since that is of this instant. */
void replay_look_after(struct replay_run *run) {
    struct grt_replay *out = run->out;
    uint64_t cycles = 0, ns = 0;
    if (!out->looked || grt_bench_is_lost(run->bench)) {
        return;
    }
    out->after.health = grt_bench_health(run->bench);
    grt_bench_frequency(run->bench, window, &cycles, &ns);
    out->after.hertz = ns > 0 ? (double)cycles * 1e9 / (double)ns : 0;
    note_health(run, &out->after, "after");
    double before = out->before.hertz, after = out->after.hertz;
    if (after < least_ratio * before || before < least_ratio * after) {
        replay_note(
            out,
            "warning: the SMs ran at %.0f MHz before the run and at %.0f MHz after it: what was executed "
            "at which frequency is not known",
            before / 1e6, after / 1e6);
    }
}

const char *grt_replay_state_text(const struct grt_replay_state *state, char text[GRT_REPLAY_STATE_SIZE]) {
    size_t size = GRT_REPLAY_STATE_SIZE;
    const struct grt_bench_health *health = &state->health;
    char reasons[256], slowed[300] = "";
    if (!health->known) {
        snprintf(text, size, "SMs at %.0f MHz", state->hertz / 1e6);
        return text;
    }
    if ((health->reasons & GRT_NVML_SLOWING) != 0) {
        snprintf(slowed, sizeof slowed, ", slowed: %s",
                 grt_nvml_reasons_text(health->reasons, reasons, sizeof reasons));
    }
    snprintf(text, size, "SMs at %.0f MHz, memory at %d MHz, %d C, %.1f W%s", state->hertz / 1e6,
             health->memory_mhz, health->celsius, health->milliwatts / 1e3, slowed);
    return text;
}
