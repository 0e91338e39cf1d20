/* Release patterns per second of gpurt verify: five tasks under np-fp and tdm, audited and not, against simulating the same jobs in one run. */
#include <stdio.h>
#include <string.h>

#include "models/world.h"
#include "scenarios/scenario.h"
#include "tests/bench/bench.h"
#include "verify/campaign.h"

#define TASK(name, period, time)                                                                             \
    "{\"name\":\"" name "\",\"period\":\"" period                                                            \
    "\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"" time "\"}]}]}"
#define SET(policy)                                                                                          \
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"policy\":{"      \
    "\"name\":\"" policy "\"},\"tasks\":[" TASK("a", "10ms", "1ms") "," TASK("b", "20ms", "3ms") "," TASK(   \
        "c", "35ms", "4ms") "," TASK("d", "50ms", "5ms") "," TASK("e", "100ms", "7ms") "]}"

enum { PATTERNS = 2000 };

struct campaign {
    struct grt_subject subject;
    bool audit;
    uint64_t jobs;
};

static uint64_t verify(void *state) {
    struct campaign *campaign = state;
    struct grt_campaign result;
    struct grt_errors errors = {0};
    struct grt_campaign_options options = {.patterns = PATTERNS, .seed = 1, .no_audit = !campaign->audit};
    bench_use(grt_campaign_run(&result, &campaign->subject, &options, &errors));
    bench_use(result.violation_count);
    campaign->jobs = result.jobs;
    grt_campaign_free(&result);
    return PATTERNS;
}

/* The same number of jobs in one simulation. */
static uint64_t simulate(void *state) {
    struct campaign *campaign = state;
    struct grt_scenario scenario = *campaign->subject.scenario;
    struct grt_world_options options = {0};
    struct grt_errors errors = {0};
    scenario.horizon = (grt_time)(campaign->jobs * 5 * GRT_MILLISECOND); /* one in 4.98 ms */
    struct grt_world *world = grt_world_create(&scenario, campaign->subject.policy,
                                               campaign->subject.parameters, &options, &errors);
    grt_world_run(world);
    bench_use(grt_world_result(world)->events);
    grt_world_free(world);
    return PATTERNS;
}

static void measure(const char *text, const char *name, const char *audited) {
    struct grt_scenario_file file;
    struct campaign campaign = {0};
    struct grt_errors errors = {0};
    if (!grt_scenario_parse(text, strlen(text), ".", NULL, &file, &errors)) {
        grt_errors_print(&errors, stderr, "");
        return;
    }
    grt_subject_start(&campaign.subject, &file.scenario, file.policy, file.policy_parameters);
    double plain = bench_ns_per_unit(verify, &campaign, 3);
    double reference = bench_ns_per_unit(simulate, &campaign, 3);
    bench_report(name, plain, "as many jobs in one simulation", reference, "");
    campaign.audit = true;
    double audit = bench_ns_per_unit(verify, &campaign, 3);
    bench_report(audited, audit, "as many jobs in one simulation", reference, "<= 1000000 ns");
    grt_subject_free(&campaign.subject);
    grt_scenario_file_free(&file);
}

void bench_verify(void) {
    measure(SET("np-fp"), "verify np-fp, 5 tasks, per pattern", "the same, audited");
    measure(SET("tdm"), "verify tdm, 5 tasks, per pattern", "the same, audited");
}
