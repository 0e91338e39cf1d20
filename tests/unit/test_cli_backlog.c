/* labels: soak */
/* A task set so overloaded that more jobs wait than a run has room for: the programs say so, and show what was simulated until then. It takes 1.6 GB, so that it is
 * tried in long runs only; tests/reject/test_limits.c tries the limit itself with less room. */
#include "tests/support/program.h"
#include "tests/support/suite.h"

static const char pile[] =
    "{\"gpurt\": 1, \"name\": \"pile\", \"horizon\": \"10s\", \"policy\": {\"name\": \"fifo\"},\n"
    " \"platform\": {\"cpus\": 1, \"gpus\": [{\"device\": \"exclusive\"}]},\n"
    " \"tasks\": [{\"name\": \"a\", \"period\": \"10ns\", \"segments\": [{\"cpu\": \"1s\"}]}]}\n";

#define ENDED "pile.json: horizon: the run ended at 167.77216ms: more jobs wait for others than there is room"

static void what_was_simulated_is_shown(void) {
    put_file("pile.json", pile);
    expect(0, call("gpurt run pile.json --until 1us -q")); /* the file is sound */
    if (!grt_suite_is_long()) {
        return;
    }
    expect(1, call("gpurt run pile.json --json pile.out"));
    expect_part(err, "gpurt: " ENDED);
    expect_part(out, "horizon 10s, stopped at 167.77216ms: too many jobs wait");
    expect_part(out, "a missed 16777216 of 16777216 deadlines");
    expect(0, call("grep -q '\"stopped_by\":\t\"backlog\"' pile.out"));
    expect(1, call("gpurt check --run pile.json"));
    expect_part(out, ENDED);
    expect(2, call("gpurt compare pile.json --policies fifo,np-edf"));
    expect_part(err, ENDED);
}

/* What shows in the file is refused before anything runs; how much will wait does not show. */
static void what_shows_before_is_refused_before(void) {
    static const char *const commands[] = {"run", "check", "check --run"};
    put_file("pile.json", pile);
    expect(0, call("gpurt check pile.json; sed s/10s/10001s/ pile.json > long.json"));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        expect(2, call("gpurt %s long.json 2>&1", commands[i]));
        expect_part(out, "long.json: horizon: a run of 10001s has about 1000100000000 jobs, more than "
                         "1000000000000: look at");
    }
}

int main(void) {
    CU_TestInfo tests[] = {{"what was simulated is shown", what_was_simulated_is_shown},
                           {"what shows before is refused before", what_shows_before_is_refused_before},
                           CU_TEST_INFO_NULL};
    return grt_suite_run("backlogs in the programs", tests);
}
