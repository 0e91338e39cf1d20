#include "policies/shares/estimates.h"

#include <math.h>

void wamp2s_estimate(struct wamp2s_estimates *estimates, const struct shares_progress *progress,
                     grt_time now) {
    if (estimates->count < WAMP2S_ESTIMATES) {
        estimates->items[estimates->count++] = (struct wamp2s_estimate){
            .done = progress->done, .left = progress->predicted * (1 - progress->done), .at = now};
    }
}

static int bin_of(double done) {
    int bin = (int)(done * WAMP2S_ERROR_BINS);
    return bin < WAMP2S_ERROR_BINS ? bin : WAMP2S_ERROR_BINS - 1;
}

void wamp2s_estimates_end(struct wamp2s_estimates *estimates, grt_time now, struct wamp2s_errors *errors) {
    for (uint32_t i = 0; i < estimates->count; i++) {
        const struct wamp2s_estimate *estimate = &estimates->items[i];
        double actual = (double)(now - estimate->at);
        if (actual > 0) {
            errors->count[bin_of(estimate->done)]++;
            errors->sum[bin_of(estimate->done)] += fabs(estimate->left - actual) / actual;
        }
    }
    estimates->count = 0;
}

/* Names are constants. */
static const char *const error_names[WAMP2S_ERROR_BINS] = {
    "error_ppm_at_0",  "error_ppm_at_5",  "error_ppm_at_10", "error_ppm_at_15", "error_ppm_at_20",
    "error_ppm_at_25", "error_ppm_at_30", "error_ppm_at_35", "error_ppm_at_40", "error_ppm_at_45",
    "error_ppm_at_50", "error_ppm_at_55", "error_ppm_at_60", "error_ppm_at_65", "error_ppm_at_70",
    "error_ppm_at_75", "error_ppm_at_80", "error_ppm_at_85", "error_ppm_at_90", "error_ppm_at_95"};
static const char *const count_names[WAMP2S_ERROR_BINS] = {
    "estimates_at_0",  "estimates_at_5",  "estimates_at_10", "estimates_at_15", "estimates_at_20",
    "estimates_at_25", "estimates_at_30", "estimates_at_35", "estimates_at_40", "estimates_at_45",
    "estimates_at_50", "estimates_at_55", "estimates_at_60", "estimates_at_65", "estimates_at_70",
    "estimates_at_75", "estimates_at_80", "estimates_at_85", "estimates_at_90", "estimates_at_95"};

void wamp2s_errors_describe(const struct wamp2s_errors *errors, struct grt_description *out) {
    for (int i = 0; i < WAMP2S_ERROR_BINS; i++) {
        if (errors->count[i] > 0) {
            double mean = errors->sum[i] / (double)errors->count[i];
            grt_describe_number(out, error_names[i], GRT_NUMBER_OF_NONE, GRT_NUMBER_OF_NONE,
                                (int64_t)fmin(mean * 1e6, 1e15));
        }
    }
    for (int i = 0; i < WAMP2S_ERROR_BINS; i++) {
        if (errors->count[i] > 0) {
            grt_describe_number(out, count_names[i], GRT_NUMBER_OF_NONE, GRT_NUMBER_OF_NONE,
                                (int64_t)errors->count[i]);
        }
    }
}
