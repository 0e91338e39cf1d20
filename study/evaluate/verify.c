#include <math.h>

#include "study/evaluate/evaluate.h"
#include "verify/campaign.h"

static const char *const measures[] = {"patterns", "violations", "jobs", "response_ratio", "closeness", NULL};
static const char *const of_task[] = {NULL};
static const char *const usual[] = {"violations", "closeness", NULL};

static double largest_closeness(const struct grt_campaign *campaign) {
    double largest = (double)NAN;
    for (size_t i = 0; i < campaign->claims.count; i++) {
        for (uint32_t task = 0; task < campaign->subject->scenario->task_count; task++) {
            double closeness = grt_campaign_closeness(campaign, &campaign->claims.items[i], task);
            largest = closeness < 0 || closeness <= largest ? largest : closeness;
        }
    }
    return largest;
}

static double largest_response_ratio(const struct grt_campaign *campaign) {
    const struct grt_scenario *scenario = campaign->subject->scenario;
    double largest = (double)NAN;
    for (size_t i = 0; i < scenario->task_count; i++) {
        const struct grt_task *task = &scenario->tasks[i];
        bool other_origin = task->deadline_from == GRT_DEADLINE_FROM_RELEASE && task->jitter > 0;
        if (task->deadline != GRT_TIME_NEVER && !other_origin && campaign->tasks[i].response >= 0) {
            double ratio = (double)campaign->tasks[i].response / (double)task->deadline;
            largest = ratio <= largest ? largest : ratio;
        }
    }
    return largest;
}

static void take(const struct grt_asked *asked, struct grt_found *found,
                 const struct grt_campaign *campaign) {
    const struct {
        const char *name;
        double value;
    } values[] = {
        {"patterns", (double)campaign->done},       {"violations", (double)campaign->violation_count},
        {"jobs", (double)campaign->jobs},           {"response_ratio", largest_response_ratio(campaign)},
        {"closeness", largest_closeness(campaign)},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        grt_found_put(asked, found, values[i].name, NULL, values[i].value);
    }
    if (campaign->violation_count > 0) {
        grt_found_say(found, GRT_OUTCOME_NO, "%s", campaign->violations[0].violation.text);
    } else {
        grt_found_say(found, GRT_OUTCOME_YES, "%s", "");
    }
}

static void evaluate(const struct grt_asked *asked, struct grt_found *found) {
    const struct grt_evaluation *evaluation = asked->evaluation;
    const struct grt_campaign_options options = {.patterns = evaluation->patterns,
                                                 .seed = asked->scenario->seed,
                                                 .jobs = evaluation->jobs,
                                                 .analyses = evaluation->analyses};
    struct grt_errors errors = {0};
    struct grt_subject subject = {0};
    struct grt_campaign campaign = {0};
    grt_subject_start(&subject, asked->scenario, asked->policy, asked->parameters);
    subject.settings = &evaluation->settings;
    if (grt_campaign_run(&campaign, &subject, &options, &errors)) {
        take(asked, found, &campaign);
    } else {
        grt_found_refuse(found, &errors);
    }
    grt_campaign_free(&campaign);
    grt_subject_free(&subject);
    grt_errors_clear(&errors);
}

const struct grt_evaluation_ops grt_evaluate_verify = {.name = "verify",
                                                       .measures = measures,
                                                       .of_task = of_task,
                                                       .usual = usual,
                                                       .runs_worlds = true,
                                                       .evaluate = evaluate};
