/* Scenarios as texts: what they look like, and what cannot be written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/scenario.h"
#include "scenarios/scenario_write.h"
#include "tests/support/suite.h"

/* What a file is written as again, with that description; NULL after the first error, which goes to `said`. */
static char *write_again(const char *text, const char *description, char said[256]) {
    struct grt_errors errors = {0};
    struct grt_scenario_file file;
    char *again = NULL;
    size_t size = 0;
    bool read = grt_scenario_parse(text, strlen(text), NULL, NULL, &file, &errors);
    grt_errors_print(&errors, stdout, "    ");
    CU_ASSERT_FATAL(read);
    FILE *out = open_memstream(&again, &size);
    const struct grt_scenario_content content = {&file.written, file.policy, file.policy_parameters,
                                                 description};
    bool written = grt_scenario_write(out, &content, &errors);
    fclose(out);
    snprintf(said, 256, "%s", errors.count > 0 ? errors.messages[0] : "");
    CU_ASSERT_EQUAL(written, errors.count == 0);
    CU_ASSERT(written || size == 0);
    if (!written) {
        free(again);
        again = NULL;
    }
    grt_errors_clear(&errors);
    grt_scenario_file_free(&file);
    return again;
}

static void stays_as_it_is(const char *text, const char *description) {
    char said[256], *again = write_again(text, description, said);
    CU_ASSERT_STRING_EQUAL(said, "");
    CU_ASSERT_FATAL(again != NULL);
    CU_ASSERT_STRING_EQUAL(again, text);
    if (strcmp(again, text) != 0) {
        printf("%s", again);
    }
    free(again);
}

#define SMALL                                                                                                \
    "{\n"                                                                                                    \
    "  \"gpurt\": 1,\n"                                                                                      \
    "  \"name\": \"a \\\"quoted\\\" name\\\\\",\n"

static void texts_of_one_gpu(void) {
    stays_as_it_is(
        SMALL "  \"description\": \"caf\xc3\xa9\",\n"
              "  \"seed\": 7,\n"
              "  \"horizon\": \"hyperperiod\",\n"
              "  \"platform\": {\"gpus\": [{\"device\": \"tx2\", \"sm_count\": 1}]},\n"
              "  \"policy\": {\"name\": \"np-rm\"},\n"
              "  \"tasks\": [\n"
              "    {\"name\": \"t1\", \"period\": \"10ms\", \"segments\": [{\"gpu\": [{\"kernel\": \"k1\", "
              "\"time\": \"1.234567ms\"}]}]},\n"
              "    {\"name\": \"t2\", \"period\": \"1s\", \"offset\": \"2ns\", \"jitter\": \"3us\", "
              "\"deadline\": \"900ms\", \"split_overhead\": \"5us\", \"segments\": [{\"gpu\": [{\"kernel\": "
              "\"k2\", \"blocks\": 6, \"threads\": 32, \"block_time\": \"7us\"}]}]}\n"
              "  ]\n"
              "}\n",
        "caf\xc3\xa9");
}

/* Priorities that are not those of the rates are said. */
static void texts_with_cores(void) {
    stays_as_it_is(SMALL
                   "  \"seed\": 1,\n"
                   "  \"horizon\": \"30ms\",\n"
                   "  \"platform\": {\"cpus\": 2, \"gpus\": [{\"device\": \"exclusive\"}]},\n"
                   "  \"policy\": {\"name\": \"gpu-server\", \"cpu\": 1},\n"
                   "  \"tasks\": [\n"
                   "    {\"name\": \"t1\", \"period\": \"10ms\", \"priority\": 1, \"cpu\": 0, \"segments\": "
                   "[{\"cpu\": \"1ms\"}, {\"gpu\": [{\"kernel\": \"k1\", \"time\": \"2ms\"}], \"host\": "
                   "{\"before\": \"10us\", \"after\": \"9.999us\"}}, {\"cpu\": {\"min\": \"1us\", \"max\": "
                   "\"1ms\"}}]},\n"
                   "    {\"name\": \"t2\", \"period\": \"15ms\", \"priority\": 2, \"cpu\": 1, \"segments\": "
                   "[{\"cpu\": \"1ms\"}]}\n"
                   "  ]\n"
                   "}\n",
                   NULL);
}

/* Rate-monotonic priorities are those of files that say nothing: they are left out, however they were given. */
static void priorities_by_rates_are_left_out(void) {
    static const char given[] =
        "{\"gpurt\": 1, \"name\": \"n\", \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": "
        "\"exclusive\"}]}, \"policy\": {\"name\": \"np-fp\"}, \"tasks\": [{\"name\": \"a\", \"period\": "
        "\"20ms\", \"priority\": 1, \"segments\": [{\"gpu\": [{\"kernel\": \"k\", \"time\": \"1ms\"}]}]}, "
        "{\"name\": \"b\", \"period\": \"10ms\", \"priority\": 2, \"segments\": [{\"gpu\": [{\"kernel\": "
        "\"k\", \"time\": \"1ms\"}]}]}]}";
    char said[256], *again = write_again(given, NULL, said);
    CU_ASSERT_FATAL(again != NULL);
    CU_ASSERT_PTR_NULL(strstr(again, "priorit"));
    stays_as_it_is(again, NULL);
    free(again);
}

#define HEAD                                                                                                 \
    "{\"gpurt\": 1, \"name\": \"n\", \"horizon\": \"1s\", \"platform\": {\"gpus\": [{\"device\": "           \
    "\"exclusive\"}]"
#define REST(segment, more)                                                                                  \
    ", \"policy\": {\"name\": \"hardware\"}, \"tasks\": [{\"name\": \"a\", \"period\": \"10ms\", "           \
    "\"segments\": [{\"gpu\": [" segment "]}]}" more "]}"
#define KERNEL "{\"kernel\": \"k\", \"time\": \"1ms\"}"

static void what_cannot_be_written_is_refused(void) {
    static const struct {
        const char *text, *said;
    } cases[] = {
        {HEAD ", \"processes\": [{\"name\": \"p\"}, {\"name\": \"q\"}]}, \"policy\": {\"name\": "
              "\"hardware\"}, \"tasks\": [{\"name\": \"a\", \"period\": \"10ms\", \"process\": \"q\", "
              "\"segments\": [{\"gpu\": [" KERNEL
              "]}]}, {\"name\": \"b\", \"period\": \"10ms\", \"process\": "
              "\"p\", \"segments\": [{\"gpu\": [" KERNEL "]}]}]}",
         "platform: several processes cannot be written"},
        {HEAD "}" REST(KERNEL ", {\"callback\": \"1us\"}", ""),
         "tasks[0].segments[0].gpu[1]: a call cannot be written"},
        {HEAD
         "}" REST(KERNEL, ", {\"name\": \"b\", \"after\": [\"a\"], \"segments\": [{\"gpu\": [" KERNEL "]}]}"),
         "tasks[1]: a task after others cannot be written"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char said[256];
        CU_ASSERT_PTR_NULL(write_again(cases[i].text, NULL, said));
        CU_ASSERT_STRING_EQUAL(said, cases[i].said);
        if (strcmp(said, cases[i].said) != 0) {
            printf("\n    %s\n", said);
        }
    }
}

int main(void) {
    CU_TestInfo tests[] = {
        {"one GPU", texts_of_one_gpu},
        {"cores", texts_with_cores},
        {"priorities by rates", priorities_by_rates_are_left_out},
        {"what cannot be written", what_cannot_be_written_is_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("texts of scenarios", tests);
}
