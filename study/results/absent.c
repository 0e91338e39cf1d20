#include "study/results/absent.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SENTENCE_SIZE = 512 };

/* Who is told. */
struct telling {
    const struct grt_results *results;
    void (*tell)(void *context, const char *sentence);
    void *context;
};

/* "18 unknown, 2 refused" */
static void list_outcomes(const uint64_t outcomes[GRT_OUTCOMES], char text[SENTENCE_SIZE]) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < GRT_OUTCOMES; i++) {
        if (outcomes[i] > 0) {
            used += (size_t)snprintf(text + used, SENTENCE_SIZE - used, "%s%" PRIu64 " %s",
                                     used > 0 ? ", " : "", outcomes[i], grt_outcome_names[i]);
        }
    }
}

static void tell_answers(const struct telling *telling, size_t evaluation) {
    const struct grt_experiment *experiment = telling->results->experiment;
    uint64_t outcomes[GRT_OUTCOMES] = {0}, all = 0;
    for (size_t point = 0; point < experiment->point_count; point++) {
        const struct grt_tally *tally = grt_results_tally(telling->results, point, evaluation);
        for (int i = 0; i < GRT_OUTCOMES; i++) {
            outcomes[i] += tally->outcomes[i];
            all += tally->outcomes[i];
        }
    }
    if (all > 0 && outcomes[GRT_OUTCOME_YES] + outcomes[GRT_OUTCOME_NO] == 0) {
        char counts[SENTENCE_SIZE], sentence[2 * SENTENCE_SIZE];
        list_outcomes(outcomes, counts);
        bool asked = outcomes[GRT_OUTCOME_UNKNOWN] > 0;
        snprintf(sentence, sizeof sentence, "evaluation %s says neither yes nor no of any set (%s): %s",
                 experiment->points[0].evaluations[evaluation].name, counts,
                 asked ? "a ratio of 0 says that it proves none of them, not that they miss deadlines"
                       : "its ratio is no result");
        telling->tell(telling->context, sentence);
    }
}

static void tell_measure(const struct telling *telling, size_t evaluation, size_t measure) {
    const struct grt_experiment *experiment = telling->results->experiment;
    const struct grt_evaluation *asked = &experiment->points[0].evaluations[evaluation];
    uint64_t values = 0;
    for (size_t point = 0; point < experiment->point_count; point++) {
        values += grt_results_tally(telling->results, point, evaluation)->moments[measure].count;
    }
    if (values == 0) {
        char sentence[SENTENCE_SIZE];
        snprintf(sentence, sizeof sentence, "measure %s of evaluation %s had no value in any set",
                 asked->measures[measure], asked->name);
        telling->tell(telling->context, sentence);
    }
}

void grt_results_absent(const struct grt_results *results, void (*tell)(void *context, const char *sentence),
                        void *context) {
    const struct telling telling = {results, tell, context};
    const struct grt_experiment *experiment = results->experiment;
    for (size_t i = 0; i < experiment->evaluation_count && experiment->point_count > 0; i++) {
        tell_answers(&telling, i);
        for (size_t j = 0; j < experiment->points[0].evaluations[i].measure_count; j++) {
            tell_measure(&telling, i, j);
        }
    }
}
