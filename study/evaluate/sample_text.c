/* What an evaluation sees of a set, as the text of a scenario file: written, read again, and held against the original by the traces of both, so
 * that a text never says something else. */
#include <stdlib.h>
#include <string.h>

#include "models/world.h"
#include "policies/registry.h"
#include "scenarios/scenario.h"
#include "scenarios/scenario_write.h"
#include "sim/check.h"
#include "study/evaluate/sampler.h"

/* Without networks: whoever reads it trains them, as the study did; if they are others, the runs differ. */
static char *write(const struct grt_sampler_view *view, struct grt_errors *errors) {
    struct grt_scenario scenario = view->written;
    const struct grt_scenario_content content = {
        .scenario = &scenario, .policy = view->seen->policy, .parameters = view->seen->parameters};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    scenario.networks = NULL;
    bool written = grt_scenario_write(out, &content, errors);
    fclose(out);
    if (!written) {
        free(text);
        text = NULL;
    }
    return text;
}

/* The digest of a run's trace; 0 after adding errors. */
static uint64_t digest_of(const struct grt_scenario *scenario, const struct grt_policy_ops *policy,
                          const void *parameters, struct grt_errors *errors) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_world *world =
        grt_world_create(scenario, policy, parameters, &(struct grt_world_options){.trace = trace}, errors);
    uint64_t digest = 0;
    if (world != NULL) {
        grt_world_run(world);
        grt_trace_finish(trace);
        digest = trace->digest;
        grt_world_free(world);
    }
    grt_trace_free(trace);
    return digest;
}

/* Both sides are run under the policy, but for a plug-in, which may be what crashes: then under one of gpurt's own, which takes all sets. Its parameters are then
 * not held against each other, and nothing is where it has sets adapted. */
static bool runs_the_same(const struct grt_scenario_file *file, const struct grt_scenario_draft *seen,
                          struct grt_errors *errors) {
    bool foreign = seen->policy->plugin != NULL;
    if (foreign && seen->policy->adapt != NULL) {
        return true;
    }
    const struct grt_policy_ops *policy = foreign ? grt_policy_find("fifo") : NULL;
    uint64_t written = foreign ? digest_of(&file->scenario, policy, NULL, errors)
                               : digest_of(&file->scenario, file->policy, file->policy_parameters, errors);
    uint64_t drawn = errors->count > 0 ? 0
                     : foreign         ? digest_of(&seen->scenario, policy, NULL, errors)
                                       : digest_of(&seen->scenario, seen->policy, seen->parameters, errors);
    return errors->count == 0 && drawn == written;
}

static bool says_the_same(const char *text, const struct grt_scenario_draft *seen,
                          struct grt_errors *errors) {
    struct grt_scenario_file file;
    if (!grt_scenario_parse(text, strlen(text), NULL, NULL, &file, errors)) {
        return false;
    }
    bool same = runs_the_same(&file, seen, errors);
    grt_scenario_file_free(&file);
    return same;
}

char *grt_sampler_scenario(struct grt_sampler *sampler, size_t point, uint64_t sample, size_t evaluation,
                           struct grt_errors *errors) {
    size_t before = errors->count;
    struct grt_sampler_view view;
    bool drawn = grt_sampler_look(sampler, point, sample, evaluation, &view, errors);
    char *text = drawn ? write(&view, errors) : NULL;
    if (text != NULL && !says_the_same(text, view.seen, errors)) {
        free(text);
        text = NULL;
    }
    if (text == NULL && errors->count == before) {
        grt_error_add(errors, NULL,
                      "the set has what cannot be written as a scenario: a text of it is run in another way");
    }
    return text;
}
