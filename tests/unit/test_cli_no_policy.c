/* Analyses that speak of no policy, in experiments: what they say of a set is what gpurt analyze says of its file. */
#include "study/evaluate/sample.h"
#include "tests/support/file_text.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

enum { SETS = 3 };

/* Of the table that gpurt analyze prints. */
static enum grt_outcome read_verdict(const char *analysis) {
    static const struct {
        const char *words;
        enum grt_outcome outcome;
    } verdicts[] = {{"schedulable", GRT_OUTCOME_YES},
                    {"not schedulable", GRT_OUTCOME_NO},
                    {"not proven", GRT_OUTCOME_UNKNOWN},
                    {"not applicable", GRT_OUTCOME_INAPPLICABLE}};
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "\n%s  %s", analysis, verdicts[i].words);
        if (strstr(out, line) != NULL) {
            return verdicts[i].outcome;
        }
    }
    printf("\n    no verdict of %s in:\n%s", analysis, out);
    return GRT_OUTCOMES;
}

static void check_set(struct grt_sampler *sampler, size_t point, uint64_t sample, const char *analysis,
                      int outcomes[GRT_OUTCOMES]) {
    struct grt_errors errors = {0};
    struct grt_found found;
    char *text = grt_sampler_scenario(sampler, point, sample, 0, &errors);
    grt_errors_print(&errors, stdout, "    ");
    CU_ASSERT_FATAL(text != NULL);
    put_file("set.json", text);
    free(text);
    grt_sampler_run(sampler, point, sample, &found);
    expect(0, call("gpurt analyze --analysis=%s set.json", analysis));
    CU_ASSERT_EQUAL(found.outcome, read_verdict(analysis));
    outcomes[found.outcome]++;
}

/* Light and overloaded sets, and such between. */
static void check_analysis(const char *analysis) {
    char text[1000];
    int outcomes[GRT_OUTCOMES] = {0};
    struct grt_experiment experiment;
    struct grt_errors errors = {0};
    snprintf(
        text, sizeof text,
        "{\"gpurt_experiment\": 1, \"name\": \"n\", \"generator\": {\"name\": \"independent\", "
        "\"tasks\": 4, \"max_period\": \"100ms\"}, \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]}, "
        "\"axes\": [{\"name\": \"u\", \"path\": \"generator.utilisation\", \"values\": [0.3, 0.95, 1.1]}], "
        "\"evaluations\": [{\"name\": \"a\", \"kind\": \"analysis\", \"analysis\": \"%s\"}]}",
        analysis);
    CU_ASSERT_FATAL(grt_experiment_parse(text, strlen(text), "text", NULL, NULL, &experiment, &errors));
    struct grt_study *study = grt_study_create(&experiment, &errors);
    CU_ASSERT_FATAL(study != NULL);
    struct grt_sampler *sampler = grt_sampler_create(study);
    for (size_t point = 0; point < experiment.point_count; point++) {
        for (uint64_t sample = 0; sample < SETS; sample++) {
            check_set(sampler, point, sample, analysis, outcomes);
        }
    }
    CU_ASSERT(outcomes[GRT_OUTCOME_YES] > 0 && outcomes[GRT_OUTCOME_YES] < 3 * SETS);
    grt_sampler_free(sampler);
    grt_study_free(study);
    grt_experiment_free(&experiment);
}

static void verdicts_are_those_of_analyze(void) {
    check_analysis("edf-demand");
    check_analysis("rm-utilisation");
    check_analysis("rm-hyperbolic");
    check_analysis("fp-response");
    check_analysis("fp-suspension");
}

/* A scenario's own policy does not matter. */
static void whole_scenarios_are_analysed_whatever_their_policy(void) {
    put_file(
        "whole.json",
        "{\"gpurt\": 1, \"name\": \"w\", \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": "
        "\"exclusive\"}]}, \"policy\": {\"name\": \"np-edf\"}, \"tasks\": [{\"name\": \"a\", \"period\": "
        "\"10ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"time\": \"4ms\"}]}]}, {\"name\": \"b\", "
        "\"period\": \"100ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"l\", \"time\": \"20ms\"}]}]}]}");
    put_file(
        "experiment.json",
        "{\"gpurt_experiment\": 1, \"name\": \"e\", \"samples\": 1, \"generator\": {\"name\": \"scenario\", "
        "\"file\": \"whole.json\"}, \"evaluations\": [{\"name\": \"p\", \"kind\": \"analysis\", "
        "\"analysis\": "
        "\"edf-demand\"}, {\"name\": \"n\", \"kind\": \"analysis\", \"analysis\": \"np-edf-exact\"}]}");
    expect(0, call("gpurt sweep experiment.json --quiet --csv=-"));
    expect_part(out, "\np,1,1,0,0,0,0,0,1,");
    expect_part(out, "\nn,1,0,1,0,0,0,0,0,");
    expect(0, call("gpurt analyze --analysis=edf-demand --analysis=np-edf-exact whole.json"));
    CU_ASSERT_EQUAL(read_verdict("edf-demand  "), GRT_OUTCOME_YES);
    CU_ASSERT_EQUAL(read_verdict("np-edf-exact"), GRT_OUTCOME_NO);
}

static void refused(const char *evaluation, const char *message) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"gpurt_experiment\": 1, \"name\": \"n\", \"generator\": {\"name\": \"independent\"}, "
             "\"platform\": "
             "{\"gpus\": [{\"device\": \"exclusive\"}]}, \"evaluations\": [{\"name\": \"a\", %s}]}",
             evaluation);
    put_file("refused.json", text);
    expect(2, call("gpurt check refused.json"));
    expect_part(out, message);
}

static void mixtures_are_refused(void) {
    refused("\"kind\": \"analysis\", \"analysis\": [\"edf-demand\", \"np-edf-exact\"]",
            "evaluations[0].analysis: np-edf-exact speaks of a policy, others here speak of none");
    refused("\"kind\": \"analysis\", \"analysis\": \"edf-demand\", \"policy\": {\"name\": \"np-edf\"}",
            "evaluations[0].analysis: edf-demand speaks of no policy: it is asked without \"policy\"");
    refused("\"kind\": \"verify\", \"analysis\": \"edf-demand\", \"policy\": {\"name\": \"np-edf\"}",
            "evaluations[0].analysis: names analyses that speak of no policy: no simulation can be held");
    refused("\"kind\": \"analysis\", \"analysis\": \"edf-demand\", \"priorities\": \"audsley\"",
            "Audsley's algorithm cannot ask edf-demand, which ");
}

/* The second experiment of docs/sweeps.md. */
static void documented_experiment(void) {
    static const char name[] = "\"name\": \"preemption\"", fence[] = "```json\n";
    size_t size;
    char *page = grt_file_text(GRT_SOURCE_DIR "/docs/sweeps.md", &size), *begin = NULL;
    CU_ASSERT_FATAL(page != NULL && strstr(page, name) != NULL);
    for (char *at = page; (at = strstr(at, fence)) != NULL && at < strstr(page, name);) {
        begin = at += strlen(fence);
    }
    CU_ASSERT_FATAL(begin != NULL);
    *strstr(begin, "```") = '\0';
    put_file("documented.json", begin);
    free(page);
    expect(
        0,
        call("gpurt check documented.json && gpurt sweep documented.json --quiet --no-journal --csv=d.csv && "
             "grep -c '^0[.][579],' d.csv"));
    expect_text(out, "documented.json: ok\n6\n");
    expect(0, call("grep '^0[.][579],preemptive,100,100,' d.csv | wc -l"));
    expect_text(out, "3\n");
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"as gpurt analyze", verdicts_are_those_of_analyze},
        {"whole scenarios", whole_scenarios_are_analysed_whatever_their_policy},
        {"mixtures", mixtures_are_refused},
        {"documented", documented_experiment},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("analyses of no policy on the command line", tests);
}
