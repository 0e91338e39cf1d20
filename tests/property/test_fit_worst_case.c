/* From long series of runs to proofs: a pretended device with noise is measured, its kernel file declares worst cases, and analyses of a scenario that takes it go by them. */
#include <cjson/cJSON.h>
#include <math.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

static cJSON *read_json(const char *path) {
    enum { MOST = 1 << 20 };
    static char text[MOST];
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, MOST - 1, file)] = '\0';
    fclose(file);
    cJSON *root = cJSON_Parse(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return root;
}

/* The kernel of this name in a kernel file; NULL: there is none. */
static const cJSON *kernel_of(const cJSON *root, const char *name) {
    const cJSON *kernel;
    cJSON_ArrayForEach(kernel, cJSON_GetObjectItem(root, "kernels")) {
        if (strcmp(cJSON_GetObjectItem(kernel, "name")->valuestring, name) == 0) {
            return kernel;
        }
    }
    return NULL;
}

/* A field of the kernel's time, as ns; not a number: it is not there. */
static double time_of(const cJSON *kernel, const char *field) {
    const cJSON *item = cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), field);
    return item != NULL ? 1000 * strtod(item->valuestring, NULL) : NAN; /* all of these are us */
}

static double longest_of(const cJSON *kernel) {
    const cJSON *values = cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "values");
    const cJSON *last = cJSON_GetArrayItem(values, cJSON_GetArraySize(values) - 1);
    return 1000 * strtod(last->valuestring, NULL);
}

static const char *evidence_of(const cJSON *kernel) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "evidence")->valuestring;
}

static const char *source_of(const cJSON *kernel) {
    return cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "sources"), "time")->valuestring;
}

#define MEASURE                                                                                              \
    "gpurt-calib measure -q --replace --backend=sim --pretend='" GRT_SOURCE_DIR                              \
    "/calib/pretend/examples/noisy-tx2.json' -o raw.jsonl --only=clock,launch,coresidency,worst "            \
    "--workloads=fma --samples=30 --worst-samples="
#define FIT "gpurt-calib fit raw.jsonl --name=tx2 --kernel-file=kernels.json "

/* One task alone: its bound is what is declared. */
static void put_scenario(void) {
    put_file("scenario.json", "{\"gpurt\": 1, \"horizon\": \"500ms\", \"policy\": {\"name\": \"np-fp\"}, "
                              "\"kernels\": \"kernels.json\", \"platform\": {\"gpus\": [{\"device\": "
                              "\"tx2\", \"kernel_launch\": \"0ns\"}]}, \"tasks\": [{\"name\": \"a\", "
                              "\"period\": \"1ms\", \"segments\": [{\"gpu\": [{\"kernel\": "
                              "\"fma-2-cold\"}]}]}]}\n");
}

static double bound_of_scenario(void) {
    expect(0, call("gpurt analyze scenario.json --analysis np-fp-response --json analysis.json -q"));
    cJSON *root = read_json(SCRATCH "analysis.json");
    const cJSON *gpu = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "gpus"), 0);
    const cJSON *analysis = cJSON_GetArrayItem(cJSON_GetObjectItem(gpu, "analyses"), 0);
    const cJSON *task = cJSON_GetArrayItem(cJSON_GetObjectItem(analysis, "tasks"), 0);
    double bound = cJSON_GetObjectItem(task, "bound_ns")->valuedouble;
    cJSON_Delete(root);
    return bound;
}

/* The example of the scenarios is made in the same way: on another machine the last digits may differ. */
static void expect_example(const cJSON *root) {
    cJSON *example = read_json(GRT_SOURCE_DIR "/scenarios/calibration/kernels/pretended-tx2.json");
    const cJSON *kernels = cJSON_GetObjectItem(example, "kernels"), *kernel;
    CU_ASSERT_EQUAL(cJSON_GetArraySize(kernels), cJSON_GetArraySize(cJSON_GetObjectItem(root, "kernels")));
    cJSON_ArrayForEach(kernel, kernels) {
        const cJSON *made = kernel_of(root, cJSON_GetObjectItem(kernel, "name")->valuestring);
        CU_ASSERT_PTR_NOT_NULL_FATAL(made);
        if (cJSON_GetObjectItem(kernel, "time") != NULL) {
            CU_ASSERT_EQUAL(strncmp(source_of(kernel), source_of(made), strcspn(source_of(made), ":") + 1),
                            0);
            CU_ASSERT_DOUBLE_EQUAL(time_of(made, "declared") / time_of(kernel, "declared"), 1, 0.01);
            CU_ASSERT_DOUBLE_EQUAL(longest_of(made), longest_of(kernel), 1e-6);
        }
    }
    cJSON_Delete(example);
}

static void bounds_go_by_what_is_declared(void) {
    expect(0, call(MEASURE "3000 && " FIT));
    cJSON *root = read_json(SCRATCH "kernels.json");
    expect_example(root);
    const cJSON *kernel = kernel_of(root, "fma-2-cold");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
    double declared = time_of(kernel, "declared"), max = time_of(kernel, "max");
    CU_ASSERT(longest_of(kernel) < declared && declared < max); /* seen; 1e-6; 1e-9 */
    CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "tail"));
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "values")),
                    1000);
    CU_ASSERT_STRING_EQUAL(evidence_of(kernel), "model");
    expect_part(source_of(kernel), "3000 samples");
    expect_part(source_of(kernel), "1e-06 per run, by extreme value theory: ");
    expect_part(source_of(kernel), "95 % interval");
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(kernel_of(root, "fma-1-cold-beside-fma"), "class"));
    CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(kernel, "class")->valuestring, "fma");
    put_scenario();
    CU_ASSERT_DOUBLE_EQUAL(bound_of_scenario(), declared, 0.5);
    expect(0, call("gpurt run scenario.json"));
    /* An exceedance that is asked for is declared. */
    expect(0, call(FIT "--exceedance=5e-5 --json=all.json && grep -c 'once in 20000 runs' all.json"));
    cJSON *other = read_json(SCRATCH "kernels.json");
    double oftener = time_of(kernel_of(other, "fma-2-cold"), "declared");
    CU_ASSERT(oftener < declared && oftener >= longest_of(kernel));
    expect_part(source_of(kernel_of(other, "fma-2-cold")), "5e-05 per run");
    CU_ASSERT_DOUBLE_EQUAL(bound_of_scenario(), oftener, 0.5);
    cJSON_Delete(other);
    cJSON_Delete(root);
}

/* Too few runs for a model: then it is the longest one by the margin, and the text says that no theory does. */
static void refused_series_declare_a_margin(void) {
    expect(0, call(MEASURE "400 && " FIT));
    cJSON *root = read_json(SCRATCH "kernels.json");
    const cJSON *kernel = kernel_of(root, "fma-2-cold");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
    double longest = longest_of(kernel);
    CU_ASSERT_DOUBLE_EQUAL(time_of(kernel, "max"), longest, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(time_of(kernel, "declared"), 1.2 * longest, 1);
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "tail"));
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(kernel, "time"), "values")),
                    400);
    expect_part(source_of(kernel), "the longest measured time by 1.2, which is a choice and no theory's: ");
    CU_ASSERT_STRING_EQUAL(evidence_of(kernel), "refused");
    put_scenario();
    CU_ASSERT_DOUBLE_EQUAL(bound_of_scenario(), time_of(kernel, "declared"), 0.5);
    expect(0, call("gpurt check scenario.json"));
    expect_part(out,
                "scenario.json: note: the worst case that kernel fma-2-cold declares rests on no model: its "
                "measured times allow no extrapolation");
    expect(3, call("gpurt analyze scenario.json --fail-if-unproven"));
    expect_part(out, "all deadlines are met under the declared times, which rest on no model, by ");
    cJSON_Delete(root);
}

/* A device without noise always takes the same time, which is declared with a quantum of the clock; table, file and command agree. */
static void constant_times_are_declared_as_they_are(void) {
    expect(0, call("gpurt-calib measure -q --replace --backend=sim --pretend=jetson-tx2 -o raw.jsonl "
                   "--only=clock,launch,coresidency,worst --workloads=fma --samples=30 "
                   "--worst-samples=1000 && " FIT "--width=300"));
    expect_part(out, "constant: all 1000 times are equal: 93.6us, on a clock that counts in");
    cJSON *root = read_json(SCRATCH "kernels.json");
    const cJSON *kernel = kernel_of(root, "fma-2-cold");
    CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
    CU_ASSERT_DOUBLE_EQUAL(longest_of(kernel), 93600, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(time_of(kernel, "declared"), 93601, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(time_of(kernel, "max"), 93601, 1e-6);
    CU_ASSERT_STRING_EQUAL(evidence_of(kernel), "constant");
    expect_part(source_of(kernel), "declared: as measured, since all 1000 times are equal: 93.6us");
    expect(0, call("gpurt-calib report raw.jsonl"));
    expect_part(out, "| 1e-06 | constant | 93.601us | 93.599us to 93.601us | all runs |");
    cJSON_Delete(root);
}

/* Who asks for a rarer exceedance gets no shorter time, with a model or without one, and says which it is. */
static void rarer_exceedances_declare_no_less(void) {
    static const char *const asked[] = {"1e-3", "1e-6", "1e-9", "1e-15"};
    double declared = 0, max = 0;
    size_t without = 0;
    expect(0, call("gpurt-calib measure -q --replace --backend=sim --pretend='" GRT_SOURCE_DIR
                   "/calib/pretend/examples/noisy-tx2.json' -o raw.jsonl --only=clock,worst --workloads=fma "
                   "--samples=30 --worst-samples=1000 --seed=6")); /* methods do not agree on the rarest */
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        expect(0, call(FIT "--exceedance=%s", asked[i]));
        cJSON *root = read_json(SCRATCH "kernels.json");
        const cJSON *kernel = kernel_of(root, "fma-2-cold");
        CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
        CU_ASSERT(time_of(kernel, "declared") >= declared && time_of(kernel, "max") >= max);
        declared = time_of(kernel, "declared");
        max = time_of(kernel, "max");
        without += strcmp(evidence_of(kernel), "no-model") == 0;
        cJSON_Delete(root);
    }
    CU_ASSERT(without > 0); /* else it is too easy */
}

static void exceedances_that_make_no_sense_are_refused(void) {
    static const char *const wrong[] = {"0", "0.5", "-1", "1e-20", "often", ""};
    put_file("raw.jsonl", "");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(2, call(FIT "--exceedance='%s'", wrong[i]));
        expect_part(err, "--exceedance");
    }
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"bounds go by what is declared", bounds_go_by_what_is_declared},
        {"refused series declare a margin", refused_series_declare_a_margin},
        {"constant times are declared as they are", constant_times_are_declared_as_they_are},
        {"rarer exceedances declare no less", rarer_exceedances_declare_no_less},
        {"exceedances that make no sense are refused", exceedances_that_make_no_sense_are_refused},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("measured worst cases", tests);
}
