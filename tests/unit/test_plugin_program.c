/* labels: plugins */
/* Plug-ins as users of gpurt meet them: named in files and on the command line, run, analysed, verified, compared, swept; and what is said where
 * one crashes or breaks a rule. */
#include "tests/support/plugin_program.h"
#include "tests/support/suite.h"

/* ---- taken ---- */

static void a_file_names_its_plugin_from_its_folder(void) {
    expect(0, call("gpurt run llf.json --fail-on-miss"));
    expect_part(out, "least laxity first: llf on exclusive");
    expect_part(out, "all 7 deadlines met");
    expect(0, call("gpurt run inner/llf.json --set policy.plugin=own.so -q"));
    expect(0, call("gpurt run llf.json --json -"));
    expect_part(out, "\"policy\":\t\"llf\",\n\t\"plugin\":\t\"./llf.so\",");
    expect(2, call("gpurt run inner/llf.json -q"));
    expect_text(err, "gpurt: inner/llf.json: policy.plugin: ./llf.so: No such file or directory\n");
    expect(2, call("gpurt run llf.json --set policy.slots=3"));
    expect_text(err, "gpurt: llf.json: policy.slots: unknown field\n");
    expect(2, call("gpurt run llf.json --set policy.name=fifo"));
    expect_text(err, "gpurt: llf.json: policy: takes only one of \"name\" and \"plugin\"\n");
}

static void options_name_plugins_from_here(void) {
    expect(0, call("gpurt run inner/llf.json --policy llf.so && gpurt run inner/llf.json --policy ./llf.so"));
    expect_part(out, "llf on exclusive");
    expect(2, call("gpurt run llf.json --policy ./none.so"));
    expect_text(err,
                "gpurt: llf.json: policy.plugin: ./none.so: No such file or directory (set by --policy)\n");
    expect(2, call("gpurt run llf.json --policy unruly.so --set policy.count=0 --set policy.does=nothin"));
    expect_part(err, "gpurt: llf.json: policy.does: must be \"nothing\", \"crash-in-start\", ");
    expect_part(err, "gpurt: llf.json: policy.count: must be between 1 and 100 (got 0)");
    expect(0, call("gpurt export csv llf.json -o llf.csv && test -s llf.csv"));
    expect(0, call("gpurt check llf.json"));
}

static void a_plugin_describes_itself(void) {
    expect(0, call("gpurt policies ./unruly.so"));
    expect_part(out,
                "unruly: breaks a rule\n\nparameters, in the scenario's \"policy\" object beside \"plugin\": "
                "\"./unruly.so\":\n");
    expect_part(out, "  count        whole number  3          1 to 100\n");
    expect_part(out, "  behind       object        none       the fields below\n      So much later.\n"
                     "    decisions  whole number  0          0 to 100\n");
    expect_part(out, "analyses:\n  unruly-division: divides by zero\n");
    expect(0, call("gpurt policies ./unruly.so --json"));
    expect_part(out, "\"plugin\":\t\"./unruly.so\"");
    expect_part(out, "\"name\":\t\"unruly-division\"");
    expect(0, call("gpurt policies llf.so"));
    expect_part(out, "no parameters: \"policy\": { \"plugin\": \"llf.so\" }\n");
    expect(2, call("gpurt policies none.so"));
    expect_part(err, "gpurt policies: none.so: No such file or directory");
}

static void its_analyses_are_run_and_verified(void) {
    expect(0, call("gpurt analyze llf.json --fail-if-unproven"));
    expect_part(out, "all deadlines are met: proven by llf-latest-start");
    expect(0, call("gpurt analyze llf.json --analysis llf-latest-start --sensitivity --json -"));
    expect_part(out, "\"llf-latest-start\"");
    expect(2, call("gpurt analyze llf.json --analysis llf-latest-strat"));
    expect_part(err,
                "unknown analysis \"llf-latest-strat\" (did you mean \"llf-latest-start\"?); `gpurt analyze "
                "--list` lists them, and `gpurt policies ./llf.so` those of the plug-in\n");
    expect(2, call("gpurt analyze llf.json --policy np-edf --analysis llf-latest-start"));
    expect_part(err, "unknown analysis \"llf-latest-start\"");
    expect(0, call("gpurt verify llf.json --patterns 60"));
    expect_part(out, "no violation was found");
    expect_part(out, "llf-latest-start: schedulable");
    expect_part(out, "policy: one segment at a time");
    expect(0, call("gpurt verify llf.json --patterns 20 --analysis llf-latest-start"));
}

/* By period `often` would go first, and `soon` be late. What they are asked with is the analysis's own choice. */
static void its_analysis_finds_priorities(void) {
    put_file("urgent.json",
             "{\"gpurt\": 1, \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": \"exclusive\"}]},\n"
             " \"policy\": {\"plugin\": \"" GRT_PLUGINS
             "/urgent.so\"}, \"priorities\": \"rate-monotonic\", \"tasks\": [\n"
             "  {\"name\": \"often\", \"period\": \"10ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", "
             "\"time\": \"2ms\"}]}]},\n"
             "  {\"name\": \"soon\", \"period\": \"40ms\", \"deadline\": \"4ms\",\n"
             "   \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"time\": \"1ms\"}]}]}]}\n");
    static const char analyze[] =
        "gpurt analyze urgent.json --fail-if-unproven --option urgent-deadlines.overlap=1";
    CU_ASSERT_NOT_EQUAL(0, call("%s", analyze));
    expect_part(out, "urgent-deadlines");
    expect(0, call("%s --set priorities=audsley", analyze));
    expect_part(out, "all deadlines are met: proven by urgent-deadlines");
    expect(0, call("gpurt verify urgent.json --set priorities=audsley --patterns 40 -q"));
    expect(2, call("gpurt run urgent.json --set priorities=audsley --set tasks[1].deadline=2ms"));
    expect_part(err, "there are none that urgent-deadlines accepts");
}

/* It submits one segment after the other, whatever it promises. */
static void what_is_held_back_is_found(void) {
    expect(4, call("gpurt verify llf.json --policy unruly.so --set policy.does=promise-at-once --patterns 20 "
                   "--reproduce held.json -q"));
    expect_part(out, "was submitted later than it asked, or only in part (policy: submitted at the request)");
    expect(0, call("gpurt export csv held.json | grep -c '^gpu-segment,.* held$'"));
    expect(0,
           call("gpurt verify llf.json --policy unruly.so --set policy.does=promise-batches --patterns 20"));
    expect_part(out, "not audited: rules of batches that need numbers, which are not known of unruly here");
    expect(0, call("gpurt verify llf.json --policy unruly.so --patterns 20 --json -"));
    expect_part(out, "\"not_audited\":\tnull");
}

/* That tasks are not schedulable is no proof where nothing stands behind it; a miss that is seen is what there is for it. */
static void a_claim_is_no_proof(void) {
#define CLAIM " llf.json --policy unruly.so --set policy.does=claim"
    expect(0, call("gpurt analyze" CLAIM));
    expect_part(out, "platform: nothing is proven of the deadlines\n");
    expect_part(out,
                "unruly-claim     not schedulable (claimed, without releases that show it): it does not");
    expect(0, call("gpurt analyze" CLAIM " --json - | grep -c '\"verdict\":.\"unknown\"'"));
    expect_text(out, "2\n"); /* of the platform, and of the other analysis */
    expect(0, call("gpurt analyze" CLAIM " --json - | grep -A2 '\"unschedulable\"'"));
    expect_part(out, "\"claimed\":\ttrue,");
    expect(0, call("gpurt verify" CLAIM " --patterns 30"));
    expect_part(out, "\nno violation was found; no analysis says anything that simulations could refute\n");
    expect_part(out, "unruly-claim: unschedulable (claimed, without releases that show it): ");
    expect_part(out, "deadline is missed in pattern ");
    expect(0, call("gpurt verify" CLAIM " --patterns 30 --json - | grep -A9 claim"));
    expect_part(out, "\"not_checked\":\tnull");
    expect_part(out, "\"missed\":\ttrue");
    expect(0, call("gpurt verify" CLAIM " --patterns 30 --set tasks[0].period=20ms | tr -s ' \\n' ' '"));
    expect_part(out, "; not checked, it gives no releases, and none of its tasks missed a deadline ");
    put_file("claim.json",
             PLUGIN_EXPERIMENT("claim", "{\"name\": \"claimed\", \"kind\": \"analysis\", \"analysis\": "
                                        "\"unruly-claim\", \"policy\": {\"plugin\": \"./unruly.so\", "
                                        "\"does\": \"claim\"}}"));
    expect(0, call("gpurt sweep claim.json --csv - --threads 1 -q | grep -c '^0.[36],claimed,40,0,0,40,'"));
    expect_text(out, "2\n");
}

static void jobs_that_never_end_are_not_said_to(void) {
    expect(4, call("gpurt verify llf.json --policy unruly.so --set policy.does=idle --no-audit --patterns 5 "
                   "--reproduce idle.json -q"));
    expect_part(out, " from its arrival to the end of the run, more than the bound ");
    expect_part(out, " of unruly-claim");
    expect(0, call("gpurt run idle.json --json - -q | grep -c '\"finished\":.0,'"));
}

/* Its order is the opposite of what it promises; what shows it names the plug-in such that it is found from anywhere. */
static void a_broken_promise_is_found(void) {
    expect(4, call("cd inner && gpurt verify ../llf.json --policy ../unruly.so --set policy.does=unfair "
                   "--patterns 60 --reproduce deep.json -q"));
    expect_part(out, "is given the GPU although");
    expect_part(out, "which goes first (policy: first come, first served)");
    expect(0, call("gpurt check inner/deep.json && gpurt run inner/deep.json"));
    expect_part(out, "unruly on exclusive");
    expect_part(err, "gpurt: note: `gpurt verify` found, under the file's own policy: at ");
    expect_part(err, "which goes first (policy: first come, first served)\n");
    expect(4, call("gpurt verify inner/llf.json --set policy.plugin=../unruly.so --set policy.does=unfair "
                   "--patterns 60 --reproduce deep.json -q"));
    expect(0, call("gpurt run deep.json"));
    expect_part(out, "unruly on exclusive");
}

/* At 4 ms b and c wait, in this order. */
#define FOUR_TASK(name, offset)                                                                              \
    "{\"name\": \"" name "\", \"period\": \"20ms\", \"offset\": \"" offset                                   \
    "\", \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"time\": \"4ms\"}]}]}"
#define FOUR                                                                                                 \
    "{\"gpurt\": 1, \"name\": \"four\", \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": "        \
    "\"exclusive\"}]}, \"policy\": {\"plugin\": \"./unruly.so\"}, \"tasks\": [" FOUR_TASK(                   \
        "a", "0s") ", " FOUR_TASK("b", "1ms") ", " FOUR_TASK("c", "2ms") ", " FOUR_TASK("d", "15ms") "]}"

/* Patterns have sporadic tasks alone: what a policy does to periodic ones is seen in the scenario itself, and in what is left of it. */
static void the_scenario_itself_is_tried(void) {
    put_file("four.json", FOUR);
    expect(4, call("gpurt verify four.json --set policy.does=unfair-if-periodic --patterns 20 --reproduce "
                   "itself.json --json itself-report.json"));
    expect_part(out, "In 1 simulation, first in the scenario itself");
    expect_part(out, "itself.json shows it with 3 tasks: ");
    expect(0, call("grep -q '\"itself\":.{' itself-report.json && gpurt check --run itself.json"));
    expect(4, call("gpurt verify itself.json --patterns 5 --reproduce again.json -q"));
    expect_part(out, "In 1 simulation, first in the scenario itself");
}

static void whoever_interrupts_the_scenario_itself_is_heard(void) {
    usual_signals();
    put_file("four.json", FOUR);
    expect(1, call("gpurt verify four.json --set policy.does=interrupt-if-periodic --patterns 20 --json -"));
    expect_text(err, "gpurt: told to end: reports what is done; told again, it ends at once\n");
    expect_part(out, "\"stopped_by\":\t\"interrupt\"");
    expect_part(out, "\"patterns\":\t20,");
}

static void it_is_compared_and_generated(void) {
    expect(0, call("gpurt compare llf.json --policies llf.so,np-edf,other=./llf.so --csv - -q | cut -d, "
                   "-f1,2 | uniq"));
    expect_text(out, "label,policy\nllf,llf\nnp-edf,np-edf\nother,llf\n");
    expect(0,
           call("gpurt compare llf.json --policies llf.so,np-edf --csv - -q | sed -n 's/.*,//p' | sort -u"));
    expect_text(out, "\nllf.so\nplugin\n");
    expect(2, call("gpurt compare llf.json --policies none.so,np-edf"));
    expect_part(err, "--policies: none.so: No such file or directory");
    expect(0, call("gpurt generate --tasks 3 --policy llf.so -o inner/set.json && gpurt run inner/set.json"));
    expect_part(out, "llf on exclusive");
}

/* ---- sweeps ---- */

static const char experiment[] = PLUGIN_EXPERIMENT(
    "plug", "{\"name\": \"proof\", \"kind\": \"analysis\", \"policy\": {\"plugin\": \"./llf.so\"}, "
            "\"analysis\": \"llf-latest-start\"},\n"
            "  {\"name\": \"simulated\", \"kind\": \"verify\", \"policy\": {\"plugin\": \"./llf.so\"}}");

/* Two threads say what one says; and a journal is not continued with another plug-in. */
static void sweeps_know_which_plugin_it_was(void) {
    put_file("plug.json", experiment);
    expect(0, call("rm -f a.csv b.csv c.csv *.journal; gpurt sweep plug.json --csv a.csv --threads 1 -q && "
                   "gpurt sweep plug.json --csv b.csv --threads 2 -q && cmp a.csv b.csv"));
    expect(0, call("grep -c proof a.csv"));
    expect(0, call("rm -f j; gpurt sweep plug.json --csv a.csv --journal j -q"));
    expect(0, call("gpurt sweep plug.json --csv a.csv --journal j -q"));
    expect(1, call("printf x >>llf.so; gpurt sweep plug.json --csv a.csv --journal j -q"));
    expect_part(err, "gpurt: j: is the journal of another experiment: ");
}

/* ---- switched off ---- */

#define OFF "GPURT_NO_PLUGINS=1 "
#define IS_OFF "plug-ins are switched off by GPURT_NO_PLUGINS"

/* Whichever program or option would load one. */
static void plugins_are_switched_off(void) {
    expect(2, call(OFF "gpurt run llf.json"));
    expect_text(err, "gpurt: llf.json: policy.plugin: " IS_OFF "\n");
    expect(2, call(OFF "gpurt check --run llf.json"));
    expect_text(out, "llf.json: policy.plugin: " IS_OFF "\n");
    expect(2, call(OFF "gpurt run llf.json --policy ./llf.so"));
    expect_text(err, "gpurt: llf.json: policy.plugin: " IS_OFF " (set by --policy)\n");
    expect(0, call(OFF "gpurt run llf.json --policy np-edf -q"));
    expect(2, call(OFF "gpurt compare llf.json --policies ./llf.so"));
    expect_part(err, "--policies: " IS_OFF);
    expect(2, call(OFF "gpurt policies ./llf.so"));
    expect_part(err, "gpurt policies: " IS_OFF);
    put_file("plug.json", experiment);
    expect(2, call(OFF "gpurt sweep plug.json --csv off.csv -q"));
    expect_part(err, "evaluations[0].policy.plugin: " IS_OFF);
    expect(2, call(OFF "gpurt analyze llf.json"));
    expect(2, call(OFF "gpurt verify llf.json"));
    expect(2, call(OFF "gpurt export csv llf.json"));
    expect_part(err, "policy.plugin: " IS_OFF);
}

/* ---- crashes and broken rules ---- */

static void said(const char *deed, int code, const char *sentence) {
    expect(code,
           call(ALONE "gpurt run llf.json --policy unruly.so --set policy.does=%s --json never.json", deed));
    expect_part(err, sentence);
    CU_ASSERT_FALSE(exists("never.json"));
}

static void crashes_are_said(void) {
    said("crash", 128 + SIGSEGV, "gpurt: policy unruly (unruly.so) crashed at 8ms: segmentation fault\n");
    said("full-stack", 128 + SIGSEGV,
         "gpurt: policy unruly (unruly.so) crashed at 8ms: segmentation fault\n");
    said("abort", 128 + SIGABRT, "gpurt: policy unruly (unruly.so) crashed at 8ms: aborted\n");
    said("abort --set 'policy.behind={\"decisions\":1}'", 128 + SIGABRT,
         "gpurt: policy unruly (unruly.so) crashed at 12ms: aborted\n");
    said("division-by-zero", 128 + SIGFPE,
         "gpurt: policy unruly (unruly.so) crashed at 8ms: arithmetic error, as a division by zero\n");
    said("crash-in-start", 128 + SIGSEGV,
         "gpurt: policy unruly (unruly.so) crashed before the first instant: segmentation fault\n");
    expect(128 + SIGFPE,
           call(ALONE "gpurt analyze llf.json --policy unruly.so --set policy.does=division-by-zero"));
    expect_part(err, "gpurt: analysis unruly-division crashed: arithmetic error, as a division by zero\n");
}

static void broken_rules_are_said(void) {
    said("submit-twice", 128 + SIGABRT,
         "gpurt: bug: broken rule: a policy submits a job between its gpu_request and its gpu_withdrawn, "
         "once (");
    expect_part(err, "), under policy unruly (unruly.so) at 8ms\n");
    CU_ASSERT_PTR_NULL(strstr(err, "crashed")); /* it is said once */
    said("ask-for-nobody", 128 + SIGABRT,
         "gpurt: bug: broken rule: a policy asks only for jobs that it was told of (");
    said("endless-instant", 128 + SIGABRT,
         "gpurt: bug: broken rule: a policy comes to an end within an instant: ");
    expect_part(err, "), under policy unruly (unruly.so) at 10ms\n");
    said("refuse", 2, "gpurt: llf.json: unruly does not want to\n");
}

/* It says that its state is smaller than what it uses: nothing else is written to by it. */
static void missing_state_is_said(void) {
    expect(128 + SIGSEGV, call(ALONE "gpurt run llf.json --policy '" GRT_PLUGINS "/stateless.so'"));
    expect_part(err, "gpurt: policy unruly (" GRT_PLUGINS
                     "/stateless.so) crashed before the first instant: segmentation fault\n");
    expect(128 + SIGABRT, call(ALONE "gpurt run llf.json --policy '" GRT_PLUGINS "/cramped.so'"));
    expect_part(
        err, "gpurt: bug: broken rule: a policy writes to no more of its state than its `state_size` says (");
    expect_part(err, "), under policy unruly (" GRT_PLUGINS "/cramped.so) before the first instant\n");
    expect(128 + SIGABRT, call(ALONE "gpurt run llf.json --policy '" GRT_PLUGINS "/overflowing.so'"));
    expect_part(
        err, "gpurt: bug: broken rule: a policy writes to no more of its state than its `state_size` says (");
    expect_part(err, "/overflowing.so) at "); /* the end of the run */
}

/* Who ends the program without having done all of it does not end it as if he had. */
static void exits_are_said(void) {
    said("leave", 1, "gpurt: policy unruly (unruly.so) ended the program at 8ms\n");
    expect(1, call(ALONE "gpurt policies '" GRT_PLUGINS "/leaves.so'"));
    expect_text(err, "gpurt: plug-in " GRT_PLUGINS "/leaves.so ended the program while it was loaded\n");
    expect(128 + SIGSEGV, call(ALONE "gpurt run llf.json --policy '" GRT_PLUGINS "/crashes.so'"));
    expect_part(err, "gpurt: plug-in " GRT_PLUGINS
                     "/crashes.so crashed while it was loaded: segmentation fault\n");
    put_file(
        "leave.json",
        PLUGIN_EXPERIMENT("leave", PLUGIN_SIMULATED("\"plugin\": \"./unruly.so\", \"does\": \"leave\"")));
    /* whichever of the threads leave first, and which of them at a time */
    expect(0,
           call(ALONE "for i in 1 2 3 4 5 6 7 8 9; do gpurt sweep leave.json --threads 8 -q --csv never.csv "
                      ">left.txt 2>said.txt; [ $? = 1 ] && grep -q '^has left$' left.txt && "
                      "grep -q '^gpurt: policy unruly (./unruly.so) ended the program at ' said.txt || "
                      "{ cat said.txt left.txt >&2; exit 1; }; done"));
    expect(1, call(ALONE "gpurt sweep leave.json --threads 8 -q --csv never.csv 2>&1"));
    const char *printed = strstr(out, "has left\n"), *said_so = strstr(out, "gpurt: policy unruly ");
    CU_ASSERT(printed != NULL && said_so != NULL && printed < said_so);
    CU_ASSERT_FALSE(exists("never.csv"));
    expect(1, call(ALONE "sed 's#\"./llf.so\"#\"./unruly.so\", \"does\": \"leave\"#' llf.json >leaving.json; "
                         "gpurt check --run quickstart leaving.json"));
    expect_part(err, "gpurt: policy unruly (./unruly.so) ended the program at 8ms\n");
    expect_part(out, "quickstart: ok"); /* what was said before has arrived */
    expect_part(out, "has left\n");
    expect(1, call("gpurt check --run quickstart leaving.json 2>&1"));
    expect_part(out, "has left\ngpurt: policy unruly (./unruly.so) ended the program at 8ms\n");
    expect(1, call("gpurt check --run quickstart leaving.json >/dev/full"));
    expect_part(err, "gpurt: standard output: cannot write: ");
    expect_part(err, "gpurt: policy unruly (./unruly.so) ended the program at 8ms\n");
}

/* Whoever reads them. */
static void tables_that_lead_nowhere(void) {
    static const char *const files[] = {GRT_PLUGINS "/endless-choices.so", GRT_PLUGINS "/too-many-fields.so"};
    for (size_t i = 0; i < 2; i++) {
        char said[1000];
        snprintf(said, sizeof said, "gpurt: plug-in %s crashed while it was loaded: segmentation fault\n",
                 files[i]);
        expect(128 + SIGSEGV, call(ALONE "gpurt policies '%s'", files[i]));
        expect_part(err, said);
        expect(128 + SIGSEGV, call(ALONE "gpurt run llf.json --policy '%s'", files[i]));
        expect_part(err, said);
        expect(128 + SIGSEGV,
               call(ALONE "sed 's#\\./llf.so#%s#' llf.json >lost.json; gpurt check lost.json", files[i]));
        expect_part(err, said);
    }
}

/* Waits for the plug-in's sign, or half a minute. */
#define UNTIL_ENDLESS "i=0; until [ -e endless ] || [ $((i += 1)) -gt 1500 ]; do sleep 0.02; done; "

/* On the thread that takes the signal, and on another one. */
static void an_endless_one_is_named_at_the_end(void) {
    static const char said_what[] = "gpurt: policy unruly (./unruly.so) was interrupted at 8ms\n";
    usual_signals();
    expect(128 + SIGINT,
           call("rm -f *.trace .gpurt* endless; { " UNTIL_ENDLESS "kill -INT $(cat pid); } & "
                "timeout -s KILL 60 sh -c 'echo $$ >pid; exec \"$0\" run llf.json --policy ./unruly.so --set "
                "policy.does=never-return --trace x.trace' '" GRT_PROGRAM "'"));
    expect_text(err, said_what);
    expect(0, call("test -z \"$(find . -name '*.trace' -o -name '.gpurt*')\""));
    put_file("endless.json",
             PLUGIN_EXPERIMENT("endless",
                               PLUGIN_SIMULATED("\"plugin\": \"./unruly.so\", \"does\": \"never-return\"")));
    expect(128 + SIGTERM,
           call("rm -f endless; ( '" GRT_PROGRAM
                "' sweep endless.json --threads 1 -q & pid=$!; " UNTIL_ENDLESS
                "kill $pid; sleep 1.2; kill $pid; " /* as verify.md says: a second later */
                "i=0; while kill -0 $pid 2>kill.txt && [ $((i += 1)) -lt 300 ]; do sleep 0.1; done; "
                "kill -9 $pid 2>kill.txt; wait $pid )"));
    expect_part(err, "gpurt: policy unruly (");
    expect_part(err, "unruly.so) was interrupted at ");
}

static const char crashing[] =
    PLUGIN_EXPERIMENT("crash", PLUGIN_SIMULATED("\"plugin\": \"./unruly.so\", \"does\": \"full-stack\""));

/* A worker of a sweep crashes as well as the first thread. */
static void crashes_of_threads_are_said(void) {
    put_file("crash.json", crashing);
    expect(128 + SIGSEGV, call(ALONE "gpurt sweep crash.json --threads 2 -q --csv never.csv"));
    expect_part(err, "gpurt: policy unruly (./unruly.so) crashed at ");
    CU_ASSERT_FALSE(exists("never.csv"));
}

/* The set is named, and can be had without the policy being run: then it crashes in that scenario, too. */
static void a_crash_of_a_sweep_says_in_which_set(void) {
    static const char *const deeds[] = {"crash", "crash-in-start", "submit-twice", "leave"};
    for (size_t i = 0; i < 4; i++) {
        put_file("deed.json",
                 PLUGIN_EXPERIMENT("deed",
                                   "{\"name\": \"fine\", \"kind\": \"simulation\", \"policy\": {\"name\": "
                                   "\"fifo\"}}, " PLUGIN_SIMULATED("\"plugin\": \"./unruly.so\"")));
        int code =
            call(ALONE "gpurt sweep deed.json --set evaluations[1].policy.does=%s --threads 1 -q", deeds[i]);
        CU_ASSERT_NOT_EQUAL(code, 0);
        expect_part(err, "gpurt: in set 1 of point 1 of deed under simulated: `gpurt sweep EXPERIMENT --show "
                         "1:1:2`, with the same --seed, --set and --samples, writes it as a scenario\n");
        expect(0, call("gpurt sweep deed.json --set evaluations[1].policy.does=%s --show 1:1:2 >shown.json",
                       deeds[i]));
        expect(code, call(ALONE "gpurt run shown.json -q"));
        CU_ASSERT_PTR_NULL(strstr(err, "in set "));
    }
}

/* Another process that ends the program by such a signal, as a watchdog does: no policy has crashed. */
static void a_signal_from_outside_is_no_crash(void) {
    expect(128 + SIGABRT,
           call(ALONE "rm -f pipe .gpurt-*; mkfifo pipe; exec 3<>pipe 4<pipe; '" GRT_PROGRAM
                      "' run llf.json --json never.json --trace pipe --until 1000s & p=$!; exec 3>&-; "
                      "head -c 100 <&4 >head.bin; kill -ABRT $p; wait $p"));
    CU_ASSERT_PTR_NULL(strstr(err, "crashed"));
    expect(0, call("ls -A | grep -c tmp; true"));
    expect_text(out, "0\n");
}

/* Whoever is first is heard, and only that one: the crash of another thread does not end the program before. */
static void crashes_of_several_threads_are_said_once(void) {
    put_file("crash.json", crashing);
    expect(
        0,
        call(
            ALONE
            "rm -f said; sed s/full-stack/crash/ crash.json >crashes.json; for i in 1 2 3 4 5 6 7 8 9 10; do "
            "gpurt sweep crashes.json --threads 8 -q --csv never.csv 2>>said; "
            "done; grep -c 'crashed at' said"));
    expect_text(out, "10\n");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a file names its plug-in from its folder", a_file_names_its_plugin_from_its_folder},
        {"options name plug-ins from here", options_name_plugins_from_here},
        {"a plug-in describes itself", a_plugin_describes_itself},
        {"its analyses are run and verified", its_analyses_are_run_and_verified},
        {"its analysis finds priorities", its_analysis_finds_priorities},
        {"what is held back is found", what_is_held_back_is_found},
        {"a claim is no proof", a_claim_is_no_proof},
        {"jobs that never end are not said to", jobs_that_never_end_are_not_said_to},
        {"a broken promise is found", a_broken_promise_is_found},
        {"the scenario itself is tried", the_scenario_itself_is_tried},
        {"whoever interrupts the scenario itself is heard", whoever_interrupts_the_scenario_itself_is_heard},
        {"it is compared and generated", it_is_compared_and_generated},
        {"sweeps know which plug-in it was", sweeps_know_which_plugin_it_was},
        {"plug-ins are switched off", plugins_are_switched_off},
        {"crashes are said", crashes_are_said},
        {"broken rules are said", broken_rules_are_said},
        {"a crash of a sweep says in which set", a_crash_of_a_sweep_says_in_which_set},
        {"a signal from outside is no crash", a_signal_from_outside_is_no_crash},
        {"missing state is said", missing_state_is_said},
        {"exits are said", exits_are_said},
        {"tables that lead nowhere", tables_that_lead_nowhere},
        {"an endless one is named at the end", an_endless_one_is_named_at_the_end},
        {"crashes of threads are said", crashes_of_threads_are_said},
        {"crashes of several threads are said once", crashes_of_several_threads_are_said_once},
        CU_TEST_INFO_NULL,
    };
    return put_plugins() != 0 ? 1 : grt_suite_run("plug-ins of the program", tests);
}
