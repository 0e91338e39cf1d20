#include "policies/shares/estimates.h"

#include <math.h>

void shares_estimate(struct shares_estimates *estimates, const struct shares_progress *progress,
                     grt_time now) {
    if (estimates->count < SHARES_ESTIMATES) {
        estimates->items[estimates->count++] = (struct shares_estimate){
            .done = progress->done, .left = progress->predicted * (1 - progress->done), .at = now};
    }
}

static int bin_of(double done) {
    int bin = (int)(done * SHARES_ERROR_BINS);
    return bin < SHARES_ERROR_BINS ? bin : SHARES_ERROR_BINS - 1;
}

static void add(struct shares_error *error, double value) {
    error->count++;
    error->sum += value;
}

/* All that is done belongs to the last part. */
static bool is_chosen(const struct shares_choice *choice, uint32_t number, double done) {
    return done >= choice->from && (done < choice->to || choice->to == 1) &&
           (choice->number == 0 || choice->number == (int64_t)number);
}

void shares_estimates_end(struct shares_estimates *estimates, grt_time now,
                          const struct shares_choice *choice, struct shares_errors *errors,
                          struct shares_error *task) {
    for (uint32_t i = 0; i < estimates->count; i++) {
        const struct shares_estimate *estimate = &estimates->items[i];
        double actual = (double)(now - estimate->at);
        if (actual > 0) {
            double error = fabs(estimate->left - actual) / actual;
            add(&errors->at[bin_of(estimate->done)], error);
            if (is_chosen(choice, i + 1, estimate->done)) {
                add(&errors->chosen, error);
                add(task, error);
            }
        }
    }
    estimates->count = 0;
}

/* Names are constants. */
static const char *const error_names[SHARES_ERROR_BINS] = {
    "error_ppm_at_0",  "error_ppm_at_5",  "error_ppm_at_10", "error_ppm_at_15", "error_ppm_at_20",
    "error_ppm_at_25", "error_ppm_at_30", "error_ppm_at_35", "error_ppm_at_40", "error_ppm_at_45",
    "error_ppm_at_50", "error_ppm_at_55", "error_ppm_at_60", "error_ppm_at_65", "error_ppm_at_70",
    "error_ppm_at_75", "error_ppm_at_80", "error_ppm_at_85", "error_ppm_at_90", "error_ppm_at_95"};
static const char *const count_names[SHARES_ERROR_BINS] = {
    "estimates_at_0",  "estimates_at_5",  "estimates_at_10", "estimates_at_15", "estimates_at_20",
    "estimates_at_25", "estimates_at_30", "estimates_at_35", "estimates_at_40", "estimates_at_45",
    "estimates_at_50", "estimates_at_55", "estimates_at_60", "estimates_at_65", "estimates_at_70",
    "estimates_at_75", "estimates_at_80", "estimates_at_85", "estimates_at_90", "estimates_at_95"};

static double mean_of(const struct shares_error *error) {
    return error->sum / (double)error->count;
}

void shares_errors_describe(const struct shares_errors *errors, struct grt_description *out) {
    const uint32_t none = GRT_NUMBER_OF_NONE;
    if (errors->chosen.count > 0) {
        grt_describe_percent(out, "estimate_error_percent", none, none, 100 * mean_of(&errors->chosen));
    }
    grt_describe_number(out, "estimates", none, none, (int64_t)errors->chosen.count);
    for (int i = 0; i < SHARES_ERROR_BINS; i++) {
        if (errors->at[i].count > 0) {
            grt_describe_number(out, error_names[i], none, none,
                                (int64_t)fmin(mean_of(&errors->at[i]) * 1e6, 1e15));
        }
    }
    for (int i = 0; i < SHARES_ERROR_BINS; i++) {
        if (errors->at[i].count > 0) {
            grt_describe_number(out, count_names[i], none, none, (int64_t)errors->at[i].count);
        }
    }
}

void shares_task_error_describe(const struct shares_error *error, uint32_t task,
                                struct grt_description *out) {
    if (error->count > 0) {
        grt_describe_percent(out, "estimate_error_percent_of", GRT_NUMBER_OF_NONE, task,
                             100 * mean_of(error));
    }
}
