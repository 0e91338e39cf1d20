#include "policies/shares/parameters.h"

#include <stddef.h>

#include "models/usage.h"
#include "policies/shares/allocate.h"
#include "policies/shares/predictor.h"

static const char *const variants[] = {"corrected", "paper", "listing", NULL};
static const char *const predictors[] = {"sofnn", "perfect", "none", NULL};

/* ---- estimates ---- */

/* Fields that both policies have. */
#define CHOICE_FIELDS(type_)                                                                                 \
    {.name = "estimates_from",                                                                               \
     .type = GRT_FIELD_NUMBER,                                                                               \
     .offset = offsetof(struct type_, estimates.from),                                                       \
     .fallback = "0",                                                                                        \
     .max = 1,                                                                                               \
     .help = "With `estimate_errors`: `estimate_error_percent` is the mean error of those estimates only "   \
             "that were made with at least this part of the application done, 0 to 1, and there are as "     \
             "many as `estimates` says; `estimate_error_percent_of` is that of a task."},                    \
        {.name = "estimates_to",                                                                             \
         .type = GRT_FIELD_NUMBER,                                                                           \
         .offset = offsetof(struct type_, estimates.to),                                                     \
         .fallback = "1",                                                                                    \
         .max = 1,                                                                                           \
         .help = "And with less than this part done; 1: up to the end."},                                    \
    {                                                                                                        \
        .name = "estimate_number", .type = GRT_FIELD_INTEGER,                                                \
        .offset = offsetof(struct type_, estimates.number), .fallback = "0", .max = 32,                      \
        .help = "And only the first estimate of each application, the second, and so on, up to 32. 0: "      \
                "any."                                                                                       \
    }

bool shares_choice_check(const struct shares_choice *choice, struct grt_errors *errors) {
    static const struct grt_path root = {0}, policy = {&root, "policy", 0},
                                 from = {&policy, "estimates_from", 0}, to = {&policy, "estimates_to", 0};
    if (!(choice->from >= 0 && choice->from < 1)) {
        grt_error_add(errors, &from, "must be 0 or more, and below 1 (got %g)", choice->from);
        return false;
    }
    if (!(choice->to > choice->from && choice->to <= 1)) {
        grt_error_add(errors, &to, "must be above \"estimates_from\", and at most 1 (got %g)", choice->to);
        return false;
    }
    return true;
}

/* ---- wamp2s ---- */

#define AT(member) offsetof(struct wamp2s_parameters, member)

static const struct grt_field wamp2s_fields[] = {
    {.name = "variant",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(variant),
     .fallback = "\"corrected\"",
     .choices = variants,
     .help = "How Algorithm 1 is read. `corrected`: without its flaws. `paper`: as printed, but for line 25, "
             "which its text contradicts. `listing`: "
             "with line 25 as well."},
    {.name = "predictor",
     .type = GRT_FIELD_CHOICE,
     .offset = AT(predictor),
     .fallback = "\"sofnn\"",
     .choices = predictors,
     .help =
         "Who says how long an application takes beside the others. `sofnn`: trained networks, those of "
         "the scenario's `networks` or, where it has none, "
         "trained quickly before the run from the usages of its kernels. `perfect`: the device's contention "
         "model itself. `none`: as if it were alone. With `share_interval` all but trained networks take "
         "shares for "
         "parts of the SMs, and `networks` are needed."},
    {.name = "wdc",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(wdc),
     .fallback = "true",
     .help =
         "Workload degradation checking: nothing is done where an application ends and everybody had what "
         "he needs."},
    {.name = "aetc",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(aetc),
     .fallback = "true",
     .help = "Actual execution time checking: nothing is predicted for an application of which more than "
             "`threshold` is done."},
    {.name = "threshold",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(threshold),
     .max = 1,
     .fallback = "0.7642",
     .help = "The part of an application, 0 to 1, from which on its last prediction is kept; 0.7642 in the "
             "paper for its Rodinia applications, 0.6796 "
             "for the airborne ones."},
    {.name = "rounds",
     .type = GRT_FIELD_INTEGER,
     .offset = AT(rounds),
     .fallback = "2",
     .min = 1,
     .max = 10,
     .help =
         "How often an operation predicts and shares out: from the second time on, beside the workload that "
         "the shares of the time before make. Only with `corrected`: the paper predicts once, beside the "
         "workload before the change."},
    {.name = "margin",
     .type = GRT_FIELD_NUMBER,
     .offset = AT(margin),
     .max = 1,
     .fallback = "0.05",
     .help =
         "The part of the time that is left until a deadline, 0 or more and below 1, that is kept for what "
         "was predicted wrongly; who does not fit with it gives it up. Only with `corrected`: the paper "
         "trusts its predictions."},
    {.name = "run_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(run_time),
     .fallback = "\"10us\"",
     .max = GRT_SECOND,
     .help = "What a scheduling operation takes a core that only the scheduler has, without predictions: the "
             "shares change when it is over. Chosen, not measured: the paper gives "
             "sums per job only, 59.2 us for ten applications."},
    {.name = "prediction_time",
     .type = GRT_FIELD_TIME,
     .offset = AT(prediction_time),
     .fallback = "\"2us\"",
     .max = GRT_SECOND,
     .help = "What each prediction adds to that. Chosen, like `run_time`."},
    {.name = "estimate_errors",
     .type = GRT_FIELD_BOOLEAN,
     .offset = AT(estimate_errors),
     .fallback = "false",
     .help =
         "Whether the results say how wrong the estimates of the remaining times were, by how much of the "
         "application was done (figure 13 of the paper): `error_ppm_at_5` is the mean error in millionths of "
         "the `estimates_at_5` that were made with 5 to 10 percent done."},
    CHOICE_FIELDS(wamp2s_parameters),
};

const struct grt_record wamp2s_parameters_record = {
    .name = "wamp2s",
    .size = sizeof(struct wamp2s_parameters),
    .fields = wamp2s_fields,
    .field_count = GRT_FIELD_COUNT(wamp2s_fields),
    .help = "Parameters of `wamp2s`.",
};

const struct wamp2s_parameters wamp2s_permissive = {.variant = SHARES_CORRECTED,
                                                    .predictor = SHARES_PERFECT,
                                                    .wdc = true,
                                                    .aetc = true,
                                                    .threshold = 0.75,
                                                    .rounds = 2,
                                                    .run_time = 3};

struct wamp2s_parameters wamp2s_default_parameters(void) {
    struct wamp2s_parameters parameters;
    grt_record_defaults(&wamp2s_parameters_record, &parameters);
    return parameters;
}

bool wamp2s_check(const struct wamp2s_parameters *given, struct grt_errors *errors) {
    static const struct grt_path root = {0}, policy = {&root, "policy", 0},
                                 threshold = {&policy, "threshold", 0}, margin = {&policy, "margin", 0};
    bool in_range = true;
    if (!(given->margin >= 0 && given->margin < 1)) {
        grt_error_add(errors, &margin, "must be 0 or more, and below 1 (got %g)", given->margin);
        in_range = false;
    }
    if (!(given->threshold >= 0 && given->threshold <= 1)) {
        grt_error_add(errors, &threshold, "must be from 0 to 1 (got %g)", given->threshold);
        in_range = false;
    }
    if (given->estimate_errors) {
        in_range &= shares_choice_check(&given->estimates, errors);
    }
    return in_range;
}

bool wamp2s_takes_time(const struct wamp2s_parameters *given) {
    return given->run_time > 0 || given->prediction_time > 0;
}

/* ---- static-shares ---- */

static const struct grt_field share_fields[] = {
    {.name = "task",
     .type = GRT_FIELD_NAME,
     .offset = offsetof(struct static_share, task),
     .min = 1,
     .max = 64,
     .help = "The name of the task."},
    {.name = "share",
     .type = GRT_FIELD_INTEGER,
     .offset = offsetof(struct static_share, share),
     .min = 1,
     .max = GRT_FULL_SHARE,
     .help = "Its vprocessors, hundredths of the GPU."},
};

static const struct grt_record share_record = {
    .name = "share",
    .size = sizeof(struct static_share),
    .fields = share_fields,
    .field_count = GRT_FIELD_COUNT(share_fields),
    .help = "The share of a task of its GPU under `static-shares`.",
};

static const struct grt_field static_fields[] = {
    {.name = "shares",
     .type = GRT_FIELD_LIST,
     .offset = offsetof(struct static_parameters, shares),
     .fallback = "",
     .record = &share_record,
     .max = 4096,
     .help = "Tasks whose share is given; on each GPU the others have equal parts of what is left."},
    {.name = "estimate_errors",
     .type = GRT_FIELD_BOOLEAN,
     .offset = offsetof(struct static_parameters, estimate_errors),
     .fallback = "false",
     .help =
         "Whether the remaining time of each application is estimated where it begins and wherever another "
         "one begins or ends, as `wamp2s` does, and the results say how wrong that was. It changes nothing "
         "else. `error_ppm_at_5` is the mean error in millionths of the `estimates_at_5` that were made with "
         "5 to 10 percent done."},
    CHOICE_FIELDS(static_parameters),
    {.name = "predictor",
     .type = GRT_FIELD_CHOICE,
     .offset = offsetof(struct static_parameters, predictor),
     .fallback = "\"sofnn\"",
     .choices = predictors,
     .help = "By what is estimated, as in `wamp2s`. Only with `estimate_errors`."},
};

const struct grt_record static_parameters_record = {
    .name = "static-shares",
    .size = sizeof(struct static_parameters),
    .fields = static_fields,
    .field_count = GRT_FIELD_COUNT(static_fields),
    .help = "Parameters of `static-shares`.",
};
