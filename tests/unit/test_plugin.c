/* labels: plugins */
/* Policies outside the tree: what of a plug-in is refused, with which sentence; what becomes of one that is taken; what is said of one that
 * crashes or breaks a rule. */
#include "scenarios/plugin.h"

#include "tests/support/program.h"
#include "tests/support/suite.h"

#define PLUGIN(name) GRT_PLUGINS "/" name ".so"

static const struct grt_path root = {0}, place = {.parent = &root, .key = "plugin"};

/* ---- loading ---- */

/* Expects the one error "plugin: <shown>: <sentence>". */
static void refused(const char *file, const char *sentence) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    char expected[600];
    snprintf(expected, sizeof expected, "plugin: it: %s", sentence);
    CU_ASSERT_PTR_NULL(grt_plugin_load(file, "it", &arena, &errors, &place));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    expect_text(errors.messages[0], expected);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

#define OTHER_HEADERS "was compiled with other headers than this gpurt "
#define AGAIN ": compile it again"

static void what_is_no_plugin_is_refused(void) {
    char other[200];
    put_file("text.so", "no program");
    put_file("short.so", "\x7f"
                         "EL");
    put_file("cut.so", "\x7f"
                       "ELF, but not really");
    refused(SCRATCH "none.so", "No such file or directory");
    refused(SCRATCH, "is a folder");
    CU_ASSERT_EQUAL(call("rm -f pipe.so; mkfifo pipe.so"), 0);
    refused(SCRATCH "pipe.so", "is no file");
    refused(SCRATCH "text.so", "is no shared object; `cc -shared -fPIC` makes one");
    refused(SCRATCH "short.so", "is no shared object; `cc -shared -fPIC` makes one");
    refused(SCRATCH "cut.so", "file too short");
    refused(PLUGIN("no-symbol"), "is no plug-in of gpurt: it does not say GRT_PLUGIN(policy)");
    refused(PLUGIN("unknown-function"), "undefined symbol: grt_policy_of_the_future");
    snprintf(
        other, sizeof other,
        "was made for plug-in interface %d, this gpurt has %d: compile it again with this gpurt's headers",
        GRT_PLUGIN_ABI + 1, GRT_PLUGIN_ABI);
    refused(PLUGIN("other-interface"), other);
    snprintf(other, sizeof other,
             OTHER_HEADERS "(struct grt_analysis_segment has a size of %zu there, %zu here)" AGAIN,
             sizeof(struct grt_analysis_segment) + 8, sizeof(struct grt_analysis_segment));
    refused(PLUGIN("other-layout"), other);
    refused(PLUGIN("other-place"),
            OTHER_HEADERS "(asynchronous of struct grt_analysis_segment is at byte 9 there, 1 here)" AGAIN);
    snprintf(other, sizeof other, OTHER_HEADERS "(GRT_TIME_TEXT_SIZE is %d there, %d here)" AGAIN,
             GRT_TIME_TEXT_SIZE + 1, GRT_TIME_TEXT_SIZE);
    refused(PLUGIN("other-constant"), other);
    refused(PLUGIN("other-types"), OTHER_HEADERS "(they have other structs, types or constants)" AGAIN);
    refused(PLUGIN("fewer-structs"), OTHER_HEADERS "(they have other structs, types or constants)" AGAIN);
    refused(PLUGIN("no-policy"),
            "the policy must have a name of letters, digits, \"-\" and \"+\" in lower case");
}

static void a_plugin_is_loaded_as_often_as_wanted(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    const struct grt_policy_ops *first = grt_plugin_load(PLUGIN("llf"), "it", &arena, &errors, &place);
    const struct grt_policy_ops *again = grt_policy_choose(PLUGIN("llf"), &arena, &errors, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    CU_ASSERT_PTR_NOT_NULL_FATAL(again);
    CU_ASSERT_STRING_EQUAL(first->name, "llf");
    CU_ASSERT_STRING_EQUAL(first->plugin, PLUGIN("llf"));
    CU_ASSERT(first->decide != NULL && first->decide == again->decide && first->analyses == again->analyses);
    CU_ASSERT_STRING_EQUAL(first->analyses[0]->name, "llf-latest-start");
    const char *name = first->name;
    grt_arena_clear(&arena);
    CU_ASSERT_STRING_EQUAL(name, "llf"); /* it stays */
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void names_and_files(void) {
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    CU_ASSERT(grt_plugin_is_file("./mine") && grt_plugin_is_file("mine.so") && grt_plugin_is_file("/a/b"));
    CU_ASSERT(!grt_plugin_is_file("np-edf") && !grt_plugin_is_file(".so") && !grt_plugin_is_file("so"));
    const struct grt_policy_ops *own = grt_policy_choose("np-edf", &arena, &errors, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(own);
    CU_ASSERT_PTR_NULL(own->plugin);
    CU_ASSERT_PTR_NULL(grt_policy_choose("np-edv", &arena, &errors, NULL));
    CU_ASSERT_PTR_NULL(grt_policy_choose("np-edf.so", &arena, &errors, NULL));
    CU_ASSERT_EQUAL_FATAL(errors.count, 2);
    expect_text(errors.messages[0],
                "unknown policy \"np-edv\" (did you mean \"np-edf\"?); `gpurt policies` lists them");
    expect_text(errors.messages[1], "np-edf.so: No such file or directory");
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
}

/* ---- tables ---- */

struct numbers {
    int64_t first, second;
    bool truth;
};

/* What a table is made of; a case changes some of it. */
struct table {
    struct grt_field fields[3];
    struct grt_record record;
    struct grt_analysis_ops analysis, second;
    const struct grt_analysis_ops *analyses[3];
    struct grt_policy_ops policy;
};

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    return state != NULL && world != NULL && errors != NULL;
}

static void decide(void *state, struct grt_world *world) {
    (void)state;
    (void)world;
}

static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    (void)set;
    (void)result;
}

static void make_table(struct table *table) {
    const struct grt_field time = {.name = "first",
                                   .type = GRT_FIELD_TIME,
                                   .offset = offsetof(struct numbers, first),
                                   .fallback = "\"1ms\"",
                                   .help = ""};
    *table = (struct table){.fields = {time, time, time}};
    table->fields[1].name = "second";
    table->fields[1].offset = offsetof(struct numbers, second);
    table->fields[2] = (struct grt_field){.name = "truth",
                                          .type = GRT_FIELD_BOOLEAN,
                                          .offset = offsetof(struct numbers, truth),
                                          .fallback = "true",
                                          .help = ""};
    table->record = (struct grt_record){
        .name = "mine", .size = sizeof(struct numbers), .fields = table->fields, .field_count = 3};
    table->analysis = (struct grt_analysis_ops){
        .name = "mine-proof", .summary = "a proof", .source = "the test", .run = analyse};
    table->second = table->analysis;
    table->second.name = "mine-guess";
    table->analyses[0] = &table->analysis;
    table->analyses[1] = &table->second;
    table->policy = (struct grt_policy_ops){.name = "mine",
                                            .summary = "a policy",
                                            .start = start,
                                            .decide = decide,
                                            .parameters = &table->record,
                                            .parameters_size = sizeof(struct numbers),
                                            .analyses = table->analyses};
}

static struct table table;

/* Expects of the table as it was changed the error "it: <sentence>", then makes it anew. */
static void wrong(const char *sentence) {
    struct grt_errors errors = {0};
    char expected[600];
    snprintf(expected, sizeof expected, "it: %s", sentence);
    CU_ASSERT_FALSE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 1);
    expect_text(errors.count > 0 ? errors.messages[0] : "no error", expected);
    grt_errors_clear(&errors);
    make_table(&table);
}

static void a_sound_table_is_taken(void) {
    struct grt_errors errors = {0};
    make_table(&table);
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    table.policy.analyses = NULL;
    table.policy.parameters = NULL;
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void a_policy_that_breaks_a_rule(void) {
    make_table(&table);
    table.policy.name = NULL;
    wrong("the policy must have a name of letters, digits, \"-\" and \"+\" in lower case");
    table.policy.name = "Mine";
    wrong("the policy must have a name of letters, digits, \"-\" and \"+\" in lower case");
    table.policy.name = "np-edf";
    wrong("policy np-edf has the name of one of gpurt's");
    table.policy.summary = "two\nlines";
    wrong("policy mine has no summary, which is one line");
    table.policy.start = NULL;
    wrong("policy mine lacks its operation `start`");
    table.policy.decide = NULL;
    wrong("policy mine lacks its operation `decide`");
    table.policy.plugin = "x";
    wrong("policy mine must leave `plugin` NULL");
    table.policy.promise.gpu = (enum grt_promise_gpu)99;
    wrong("policy mine has a promise, or a `host`, that is none");
    table.policy.state_size = SIZE_MAX;
    wrong("policy mine has a state or parameters above 1073741824 bytes");
}

static void parameters_that_break_a_rule(void) {
    static const char *const none[] = {NULL};
    make_table(&table);
    table.policy.parameters_size = 8;
    wrong("policy mine says parameters_size 8 and a record of size 24");
    table.policy.parameters = NULL;
    table.policy.parameters_size = 0;
    table.policy.permissive = &table;
    wrong("policy mine has permissive parameters, and no parameters");
    table.fields[1].name = "first";
    wrong("policy mine has two parameters first");
    table.fields[1].name = "Second";
    wrong("policy mine has a parameter whose name is not of letters, digits and \"_\" in lower case (number "
          "1 of mine)");
    table.fields[1].name = "plugin";
    wrong("policy mine has a parameter plugin, which says something else there");
    table.fields[1].help = NULL;
    wrong("policy mine has a parameter second without a help");
    table.fields[1].type = GRT_FIELD_CUSTOM;
    wrong("policy mine has a parameter second of a type that plug-ins may not have");
    table.fields[1].type = GRT_FIELD_CHOICE;
    table.fields[1].choices = none;
    wrong("policy mine has a parameter second without choices");
    table.fields[1].type = GRT_FIELD_LIST;
    wrong("policy mine has a parameter second without a record");
    table.fields[1].type = GRT_FIELD_OBJECT;
    table.fields[1].record = &table.record;
    wrong("policy mine has parameters nested more than 4 deep");
    table.fields[2].offset = sizeof(struct numbers);
    wrong("policy mine has a parameter truth outside of its struct");
    table.fields[1].offset = 4;
    wrong("policy mine has a parameter second outside of its struct");
    table.fields[1].fallback = "\"1 apple\"";
    wrong("policy mine has a parameter second with a wrong default: must end in a unit of time (ns, us, ms, "
          "s, min, h) "
          "(got \"1 apple\")");
    table.fields[1].type = GRT_FIELD_INTEGER;
    table.fields[1].fallback = "1e3";
    wrong("policy mine has a parameter second whose default is not plain: texts, objects and lists have \"\" "
          "or none, "
          "whole numbers digits");
    table.fields[1].type = GRT_FIELD_NAME;
    table.fields[1].fallback = "\"abc\"";
    wrong("policy mine has a parameter second whose default is not plain: texts, objects and lists have \"\" "
          "or none, "
          "whole numbers digits");
    table.fields[2].fallback = "yes";
    wrong("policy mine has a parameter truth with a wrong default: 1:1: expected a value");
}

static void analyses_that_break_a_rule(void) {
    make_table(&table);
    table.analysis.name = "";
    wrong("policy mine has an analysis whose name is not of letters, digits, \"-\" and \"+\" in lower case");
    table.analysis.name = "utilisation";
    wrong("analysis utilisation has the name of one of gpurt's");
    table.second.name = "mine-proof";
    wrong("policy mine has two analyses mine-proof");
    table.second.run = NULL;
    wrong("analysis mine-guess lacks a summary, a source or its function `run`");
    table.second.source = NULL;
    wrong("analysis mine-guess lacks a summary, a source or its function `run`");
    table.second.scope = (enum grt_analysis_scope)9;
    wrong("analysis mine-guess has a scope or an order that is none");
    struct grt_record options = {.name = "options", .size = 257};
    table.second.options = &options;
    wrong("analysis mine-guess has options of 257 bytes, at most 256 are allowed");
    struct grt_field field = {.name = "share", .type = GRT_FIELD_NUMBER, .fallback = "1", .help = ""};
    options = (struct grt_record){.name = "options", .size = 8, .fields = &field, .field_count = 1};
    table.second.options = &options;
    wrong("analysis mine-guess has an option share that is no choice, boolean, whole number or time with a "
          "default");
    field.type = GRT_FIELD_INTEGER;
    field.fallback = NULL;
    table.second.options = &options;
    wrong("analysis mine-guess has an option share that is no choice, boolean, whole number or time with a "
          "default");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"what is no plug-in is refused", what_is_no_plugin_is_refused},
        {"a plug-in is loaded as often as wanted", a_plugin_is_loaded_as_often_as_wanted},
        {"names and files", names_and_files},
        {"a sound table is taken", a_sound_table_is_taken},
        {"a policy that breaks a rule", a_policy_that_breaks_a_rule},
        {"parameters that break a rule", parameters_that_break_a_rule},
        {"analyses that break a rule", analyses_that_break_a_rule},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("plug-ins", tests);
}
