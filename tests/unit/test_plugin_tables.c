/* labels: plugins */
/* The rules of a plug-in's tables: each that can be broken, with the sentence that says so. */
#include "scenarios/plugin.h"
#include "tests/support/plugin_error.h"
#include "tests/support/plugin_table.h"
#include "tests/support/suite.h"

static struct plugin_table table;

static void piece_done(void *state, struct grt_world *world, grt_job job) {
    (void)state;
    (void)world;
    (void)job;
}

#define SECOND "policy mine has a parameter second"
#define PARAMETER "policy mine has a parameter"
#define NO_NAME                                                                                              \
    "the policy must have a name of letters, digits, \"-\" and \"+\" in lower case, a letter first, at "     \
    "most 32"

/* Expects of the table as it was changed the error "it: <sentence>", then makes it anew. */
static void wrong(const char *sentence) {
    struct grt_errors errors = {0};
    CU_ASSERT_FALSE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    expect_plugin_error(&errors, "", sentence);
    make_plugin_table(&table);
}

static void a_sound_table_is_taken(void) {
    struct grt_errors errors = {0};
    make_plugin_table(&table);
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    table.policy.analyses = NULL;
    table.policy.parameters = NULL;
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    CU_ASSERT_EQUAL(errors.count, 0);
}

static void a_policy_that_breaks_a_rule(void) {
    make_plugin_table(&table);
    table.policy.name = NULL;
    wrong(NO_NAME);
    table.policy.name = "my policy";
    wrong(NO_NAME);
    table.policy.name = "mine\n";
    wrong(NO_NAME);
    table.policy.name = "a-name-that-is-longer-than-it-may-be";
    wrong(NO_NAME);
    table.policy.name = "Mine";
    wrong(NO_NAME);
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
    wrong("policy mine has a promise that is none, or of the order by lateness, which only batches have");
    table.policy.host = (enum grt_host_by) - 1;
    wrong("policy mine has a `host` that is none");
    table.policy.host = GRT_HOST_BY_POLICY;
    table.policy.gpu_piece_done = piece_done;
    wrong("policy mine has segments cut (`gpu_piece_done`, `gpu_submission_done`), and a `host` that is not "
          "GRT_HOST_BY_JOB");
    table.policy.state_size = SIZE_MAX;
    wrong("policy mine has a state or parameters above 1073741824 bytes");
}

/* Only of batches it is known what the order by lateness means. */
static void orders_that_are_promised(void) {
    for (int gpu = GRT_PROMISE_UNSTATED; gpu <= GRT_PROMISE_PLACES; gpu++) {
        for (int order = GRT_ORDER_NONE; order <= GRT_ORDER_LATENESS; order++) {
            struct grt_errors errors = {0};
            bool good = order != GRT_ORDER_LATENESS || gpu == GRT_PROMISE_BATCHES;
            make_plugin_table(&table);
            table.policy.promise.gpu = (enum grt_promise_gpu)gpu;
            table.policy.promise.order = (enum grt_promise_order)order;
            CU_ASSERT_EQUAL(grt_plugin_check(&table.policy, "it", &errors, NULL), good);
            grt_errors_clear(&errors);
        }
    }
    make_plugin_table(&table);
    table.policy.promise.order = GRT_ORDER_LATENESS;
    wrong("policy mine has a promise that is none, or of the order by lateness, which only batches have");
}

static void parameters_that_break_a_rule(void) {
    static const char *const none[] = {NULL};
    make_plugin_table(&table);
    table.policy.parameters_size = 8;
    wrong("policy mine says parameters_size 8 and a record of size 24");
    table.policy.parameters = NULL;
    table.policy.parameters_size = 0;
    table.policy.permissive = &table;
    wrong("policy mine has permissive parameters, and no parameters");
    table.fields[1].name = "first";
    wrong("policy mine has two parameters first");
    table.fields[1].name = "Second";
    wrong(PARAMETER " whose name is not of letters, digits and \"_\" in lower case, a letter first, at most "
                    "32 (number 1 of mine)");
    table.fields[1].name = "plugin";
    wrong("policy mine has a parameter plugin, which says something else there");
    table.fields[1].help = NULL;
    wrong(SECOND " without a help, which is one line");
    table.fields[1].help = "two\nlines";
    wrong(SECOND " without a help, which is one line");
    table.fields[1].type = GRT_FIELD_CUSTOM;
    wrong(SECOND " of a type that plug-ins may not have");
    table.fields[1].type = GRT_FIELD_CHOICE;
    table.fields[1].choices = none;
    wrong(SECOND " without choices");
    table.fields[1].type = GRT_FIELD_LIST;
    wrong(SECOND " without a record");
    table.fields[1].type = GRT_FIELD_OBJECT;
    table.fields[1].record = &table.record;
    wrong("policy mine has parameters nested more than 4 deep");
    table.fields[2].offset = sizeof(struct plugin_numbers);
    wrong("policy mine has a parameter truth outside of its struct");
    table.record.name = "two\nlines";
    wrong("policy mine has a table of parameters without a name, or without fields");
    table.record.fields = NULL;
    wrong("policy mine has a table of parameters without a name, or without fields");
    table.record.field_count = 65;
    wrong("policy mine has more than 64 parameters in one table");
}

/* Whoever reads a file writes to these places. */
static void places_that_are_none(void) {
    static const struct grt_field inner = {.name = "inner", .type = GRT_FIELD_INTEGER, .help = ""};
    struct grt_record odd = {.name = "odd", .size = 12, .fields = &inner, .field_count = 1};
    make_plugin_table(&table);
    table.fields[1].offset = 4;
    wrong(SECOND " whose place, or struct, is no multiple of 8 bytes");
    table.fields[1].offset = SIZE_MAX;
    wrong(SECOND " outside of its struct");
    table.fields[1].offset = 0;
    wrong("policy mine has parameters first and second in one place");
    table.fields[2].offset = 15;
    wrong("policy mine has parameters second and truth in one place");
    table.fields[1].type = GRT_FIELD_LIST; /* of two words, where there is one */
    table.fields[1].record = &(struct grt_record){.name = "empty"};
    table.fields[1].fallback = "";
    table.fields[2].offset = 23;
    wrong("policy mine has parameters second and truth in one place");
    table.fields[1].type = GRT_FIELD_LIST; /* whose second object would lie badly */
    table.fields[1].record = &odd;
    wrong("policy mine has a parameter inner whose place, or struct, is no multiple of 8 bytes");
    odd.size = 4;
    table.fields[1].type = GRT_FIELD_OBJECT;
    table.fields[1].record = &odd;
    wrong("policy mine has a parameter inner outside of its struct");
    odd.size = SIZE_MAX;
    table.fields[1].type = GRT_FIELD_OBJECT;
    table.fields[1].record = &odd;
    wrong("policy mine has a state or parameters above 1073741824 bytes");
}

static void bounds_and_choices_that_are_none(void) {
    static const char *choices[70];
    make_plugin_table(&table);
    table.fields[1].min = 2;
    table.fields[1].max = 1;
    wrong(SECOND " of which nothing is within its bounds");
    static const char *const bad[] = {"", "a\"b", "a\\b", "two\nlines", "\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        choices[0] = bad[i];
        table.fields[1].type = GRT_FIELD_CHOICE;
        table.fields[1].choices = choices;
        wrong(SECOND " with a choice (number 0) that is no short text, or has quotes or backslashes");
    }
    choices[0] = choices[1] = "same";
    table.fields[1].type = GRT_FIELD_CHOICE;
    table.fields[1].choices = choices;
    wrong(SECOND " with the choice same twice");
    static char words[65][4];
    for (size_t i = 0; i < 65; i++) {
        snprintf(words[i], sizeof words[i], "w%zu", i);
        choices[i] = words[i];
    }
    table.fields[1].type = GRT_FIELD_CHOICE;
    table.fields[1].choices = choices;
    wrong(SECOND " with more than 64 choices");
}

/* ---- defaults ---- */

struct other_default {
    enum grt_field_type type;
    const char *json;
};

static void give_default(const struct other_default *other) {
    static const char *const words[] = {"ab", "c d", NULL};
    table.fields[1].type = other->type;
    table.fields[1].choices = words;
    table.fields[1].fallback = other->json;
}

/* What JSON would read, and grt_record_defaults would not, or as something else. */
static void defaults_that_are_not_plain(void) {
    static const struct other_default cases[] = {
        {GRT_FIELD_CHOICE, "\"a\\u0062\""},
        {GRT_FIELD_CHOICE, " \"ab\""},
        {GRT_FIELD_CHOICE, "ab"},
        {GRT_FIELD_CHOICE, "\""},
        {GRT_FIELD_TIME, "\"1\\u006ds\""},
        {GRT_FIELD_TIME, "\"1ms\" "},
        {GRT_FIELD_SIZE, "\"0000000000000000000000000000000000000000000000000000000000001B\""},
        {GRT_FIELD_INTEGER, "1e3"},
        {GRT_FIELD_INTEGER, " 1"},
        {GRT_FIELD_INTEGER, "-"},
        {GRT_FIELD_INTEGER, "1-2"},
        {GRT_FIELD_NUMBER, " 1"},
        {GRT_FIELD_NUMBER, "1 "},
        {GRT_FIELD_NUMBER, "inf"},
        {GRT_FIELD_BOOLEAN, "true "},
        {GRT_FIELD_BOOLEAN, "1"},
        {GRT_FIELD_NAME, "\"abc\""},
    };
    make_plugin_table(&table);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        give_default(&cases[i]);
        wrong(SECOND " whose default is not plain: texts, objects and lists have \"\" or none, whole numbers "
                     "digits, choices and quantities a word in quotes, truths true or false");
    }
}

static void defaults_that_are_wrong(void) {
    make_plugin_table(&table);
    give_default(&(struct other_default){GRT_FIELD_TIME, "\"1 apple\""});
    wrong(SECOND
          " with a wrong default: must end in a unit of time (ns, us, ms, s, min, h) (got \"1 apple\")");
    give_default(&(struct other_default){GRT_FIELD_CHOICE, "\"c\""});
    wrong(SECOND " with a wrong default: must be \"ab\" or \"c d\" (got \"c\")");
    give_default(&(struct other_default){GRT_FIELD_NUMBER, "0x10"});
    wrong(SECOND " with a wrong default: 1:2: nothing may follow the end of the value");
    give_default(&(struct other_default){GRT_FIELD_INTEGER, "99999999999999999999"});
    wrong(SECOND " with a wrong default: must be at most 9007199254740991 (got 1e+20)");
}

/* A file could not say them. Without a default, what is absent is 0, in bounds or not. */
static void defaults_out_of_bounds(void) {
    static const struct {
        struct other_default other;
        int64_t min, max;
        const char *what;
    } cases[] = {{{GRT_FIELD_INTEGER, "99"}, 1, 16, "must be between 1 and 16 (got 99)"},
                 {{GRT_FIELD_INTEGER, "-3"}, 1, 16, "must be between 1 and 16 (got -3)"},
                 {{GRT_FIELD_NUMBER, "7"}, 0, 1, "must be between 0 and 1 (got 7)"},
                 {{GRT_FIELD_TIME, "\"9ms\""}, 0, 1000, "must be at most 1us (got \"9ms\")"}};
    make_plugin_table(&table);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sentence[200];
        snprintf(sentence, sizeof sentence, SECOND " with a wrong default: %s", cases[i].what);
        give_default(&cases[i].other);
        table.fields[1].min = cases[i].min;
        table.fields[1].max = cases[i].max;
        wrong(sentence);
    }
    struct grt_errors errors = {0};
    give_default(&(struct other_default){GRT_FIELD_INTEGER, ""});
    table.fields[1].min = 1;
    table.fields[1].max = 16;
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    make_plugin_table(&table);
}

/* A message has as many choices as there is room for. */
static void many_choices_are_told_in_part(void) {
    static char words[60][40];
    static const char *choices[61];
    for (size_t i = 0; i < 60; i++) {
        snprintf(words[i], sizeof words[i], "a-word-that-is-not-so-short-%zu", i);
        choices[i] = words[i];
    }
    struct grt_errors errors = {0};
    make_plugin_table(&table);
    give_default(&(struct other_default){GRT_FIELD_CHOICE, "\"c\""});
    table.fields[1].choices = choices;
    CU_ASSERT_FALSE(grt_plugin_check(&table.policy, "it", &errors, NULL));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    expect_part(errors.messages[0], "\"a-word-that-is-not-so-short-13\", ... (got \"c\")");
    grt_errors_clear(&errors);
}

/* What is taken can be filled in without a file. */
static void defaults_that_are_right(void) {
    static const struct {
        struct other_default other;
        int64_t value;
    } cases[] = {{{GRT_FIELD_CHOICE, "\"c d\""}, 1},
                 {{GRT_FIELD_TIME, "\"1.5us\""}, 1500},
                 {{GRT_FIELD_INTEGER, "-1"}, -1},
                 {{GRT_FIELD_CHOICE, "\"ab\""}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grt_errors errors = {0};
        struct plugin_numbers numbers;
        make_plugin_table(&table);
        give_default(&cases[i].other);
        table.fields[1].min = -1;
        table.fields[1].max = 1500;
        CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &errors, NULL));
        CU_ASSERT_EQUAL(errors.count, 0);
        CU_ASSERT_TRUE(grt_record_defaults(&table.record, &numbers));
        CU_ASSERT_EQUAL(numbers.second, cases[i].value);
    }
}

static void analyses_that_break_a_rule(void) {
    make_plugin_table(&table);
    table.analysis.name = "";
    wrong("policy mine has an analysis whose name is not of letters, digits, \"-\" and \"+\" in lower case, "
          "a letter first, at most 32");
    table.analysis.name = "utilisation";
    wrong("analysis utilisation has the name of one of gpurt's");
    table.second.name = "mine-proof";
    wrong("policy mine has two analyses mine-proof");
    table.second.run = NULL;
    wrong("analysis mine-guess lacks a summary, a source or its function `run`");
    table.second.source = NULL;
    wrong("analysis mine-guess lacks a summary, a source or its function `run`");
    table.second.deviation = "two\nlines";
    wrong("analysis mine-guess has a deviation that is no text of one line");
    table.second.values = (const char *const[]){"good", "not a key", NULL};
    wrong("analysis mine-guess has more than 64 values, or one whose name is not of letters, digits and "
          "\"_\" in "
          "lower case (number 1)");
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
    field.fallback = "0";
    field.min = 1;
    field.max = 10;
    table.second.options = &options;
    wrong("analysis mine-guess has an option share with a wrong default: must be between 1 and 10 (got 0)");
    field.fallback = " 1";
    table.second.options = &options;
    wrong("analysis mine-guess has an option share whose default is not plain: texts, objects and lists have "
          "\"\" or "
          "none, whole numbers digits, choices and quantities a word in quotes, truths true or false");
    field.name = "one two";
    table.second.options = &options;
    wrong("analysis mine-guess has an option whose name is not of letters, digits and \"_\" in lower case, a "
          "letter "
          "first, at most 32 (number 0 of options)");
    field = (struct grt_field){.name = "plugin", .type = GRT_FIELD_INTEGER, .fallback = "1", .help = ""};
    table.second.options = &options;
    CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &(struct grt_errors){0}, NULL));
    make_plugin_table(&table);
}

/* What Audsley's algorithm would go by. */
static void analyses_that_audsley_cannot_ask(void) {
    static const char *const words[] = {"a", "b", NULL};
    static const struct grt_field field = {
        .name = "x", .type = GRT_FIELD_CHOICE, .fallback = "\"a\"", .choices = words, .help = ""};
    static const struct grt_record options = {
        .name = "options", .size = sizeof(int64_t), .fields = &field, .field_count = 1};
    static const struct {
        const char *pairs[5];
        const char *sentence;
    } cases[] = {
        {{"x", "b", NULL}, NULL},
        {{"x", NULL}, "has `audsley_options` that are not at most 64 pairs of a name and a value"},
        {{"x", "b", "x", NULL}, "has `audsley_options` that are not at most 64 pairs of a name and a value"},
        {{"y", "b", NULL},
         "has `audsley_options` that it does not take: mine-guess.y: unknown option; `gpurt analyze --list` "
         "lists them"},
        {{"x", "c", NULL},
         "has `audsley_options` that it does not take: mine-guess.x: unknown word (got \"c\"); allowed: a, "
         "b"},
    };
    make_plugin_table(&table);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "analysis mine-guess %s", i > 0 ? cases[i].sentence : "");
        table.second.bounds = table.second.suits_audsley = true;
        table.second.options = &options;
        table.second.audsley_options = cases[i].pairs;
        if (i > 0) {
            wrong(sentence);
        } else {
            CU_ASSERT_TRUE(grt_plugin_check(&table.policy, "it", &(struct grt_errors){0}, NULL));
        }
    }
    table.second.audsley_options = cases[0].pairs;
    wrong("analysis mine-guess has `audsley_options` that it does not take: mine-guess.x: unknown option; "
          "`gpurt analyze --list` lists them");
    table.second.suits_audsley = true;
    wrong("analysis mine-guess suits Audsley's algorithm, which goes by bounds, and has none (`bounds`)");
    table.second.audsley_objection = "two\nlines";
    wrong("analysis mine-guess has an `audsley_objection` that is no text of one line");
}

int main(void) {
    CU_TestInfo tests[] = {
        {"a sound table is taken", a_sound_table_is_taken},
        {"a policy that breaks a rule", a_policy_that_breaks_a_rule},
        {"orders that are promised", orders_that_are_promised},
        {"parameters that break a rule", parameters_that_break_a_rule},
        {"defaults out of bounds", defaults_out_of_bounds},
        {"places that are none", places_that_are_none},
        {"bounds and choices that are none", bounds_and_choices_that_are_none},
        {"defaults that are not plain", defaults_that_are_not_plain},
        {"defaults that are wrong", defaults_that_are_wrong},
        {"many choices are told in part", many_choices_are_told_in_part},
        {"defaults that are right", defaults_that_are_right},
        {"analyses that break a rule", analyses_that_break_a_rule},
        {"analyses that Audsley cannot ask", analyses_that_audsley_cannot_ask},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("tables of plug-ins", tests);
}
