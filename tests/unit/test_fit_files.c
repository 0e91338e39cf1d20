/* What fits find, as files that gpurt reads: devices, kernels, and the findings themselves. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/device_write.h"
#include "calib/program/files/fit_write.h"
#include "calib/program/files/kernels_write.h"
#include "scenarios/kernels.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/synthetic_device.h"

static struct raw_samples samples;
static struct grt_errors errors;

static struct grt_fit *measure(const struct synthetic_device *device) {
    struct grt_random random = grt_random_stream(5, "fit files", 0, 0);
    synthetic_measure(device, &samples, &random);
    snprintf(samples.raw.device.name, sizeof samples.raw.device.name, "NVIDIA A100-SXM4-40GB");
    samples.raw.device.driver_version = 13000;
    samples.raw.backend = "cuda";
    samples.raw.device.registers_per_sm = 65536;
    samples.raw.device.max_threads_per_sm = 2048;
    return grt_fit_all(&samples.raw, &samples.arena);
}

static bool read_back(const char *text, struct grt_device *device) {
    bool good = text != NULL && grt_device_file_read(text, strlen(text), &samples.arena, device, &errors);
    grt_errors_print(&errors, stdout, "");
    return good;
}

/* Copies of pageable memory that are quicker than those of pinned memory: 100 is written, but was not measured. */
static void percentages_beyond_the_model_are_said(void) {
    static const struct {
        int64_t percent;
        double noise;
        bool warned;
    } cases[] = {{143, 0, true}, {143, 50, true}, {100, 50, false}, {50, 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct synthetic_device truth = synthetic_default();
        truth.pageable_percent = cases[i].percent;
        truth.noise = cases[i].noise;
        struct grt_fit *fit = measure(&truth);
        const struct grt_finding *percent = grt_fit_find(fit, "pageable_percent");
        CU_ASSERT_FATAL(percent != NULL && percent->status == GRT_FINDING_MEASURED);
        bool warned = false;
        for (size_t k = 0; k < fit->warning_count; k++) {
            warned = warned || strstr(fit->warnings[k], "copy: pageable memory has 14") != NULL;
        }
        CU_ASSERT_EQUAL(warned, cases[i].warned);
        CU_ASSERT_EQUAL(isnan(percent->low) && isnan(percent->high), cases[i].warned);
        CU_ASSERT_EQUAL(strstr(percent->how, "where the model has 100 at most") != NULL,
                        cases[i].percent >= 100);
        if (cases[i].percent == 100) {
            CU_ASSERT(percent->low <= 100);
            CU_ASSERT_DOUBLE_EQUAL(percent->high, 100, 0);
        }
        char *text = grt_device_file_text(fit, "mine", &errors);
        struct grt_device device;
        CU_ASSERT_TRUE_FATAL(read_back(text, &device));
        CU_ASSERT_EQUAL(device.pageable_percent, cases[i].percent > 100 ? 100 : cases[i].percent);
        free(text);
        grt_arena_clear(&samples.arena);
    }
}

/* Every parameter of the device returns, and the rest is the preset's. */
static void a_device_file_has_what_was_measured(void) {
    struct synthetic_device truth = synthetic_default();
    struct grt_fit *fit = measure(&truth);
    char *text = grt_device_file_text(fit, "mine", &errors);
    struct grt_device device;
    CU_ASSERT_TRUE_FATAL(read_back(text, &device));
    CU_ASSERT_STRING_EQUAL(device.name, "mine");
    CU_ASSERT_EQUAL(device.compute_capability, 80);
    CU_ASSERT_EQUAL(device.sm_count, truth.placement.sm_count);
    CU_ASSERT_EQUAL(device.sms_per_tpc, 2);
    CU_ASSERT_EQUAL(device.sm_order, GRT_SM_ORDER_TPC_FIRST);
    CU_ASSERT_EQUAL(device.placement, GRT_PLACEMENT_MOST_ROOM);
    CU_ASSERT_EQUAL(device.kernel_launch, truth.launch);
    CU_ASSERT_EQUAL(device.copy_latency, truth.copy_latency);
    CU_ASSERT_EQUAL(device.h2d_bytes_per_second, truth.h2d);
    CU_ASSERT_EQUAL(device.d2h_bytes_per_second, truth.d2h);
    CU_ASSERT_EQUAL(device.memory_bytes_per_second, truth.memory);
    CU_ASSERT_EQUAL(device.pageable_percent, truth.pageable_percent);
    CU_ASSERT_EQUAL(device.early_return_bytes, truth.early_return);
    CU_ASSERT_EQUAL(device.copy_engines, truth.copy_engines);
    CU_ASSERT_EQUAL(device.priority_levels, truth.priority_levels);
    CU_ASSERT_EQUAL(device.threads_per_core, 8);
    CU_ASSERT_EQUAL(device.core_hertz, truth.cycles_per_second);
    CU_ASSERT_EQUAL_FATAL(device.slowdowns.count, 1); /* the one pair that is slowed */
    const struct grt_slowdown *row = device.slowdowns.items;
    CU_ASSERT_STRING_EQUAL(row->class_name, "fma");
    CU_ASSERT_STRING_EQUAL(row->beside, "triad");
    CU_ASSERT_DOUBLE_EQUAL(row->factor, truth.slowdown, 0);
    CU_ASSERT_EQUAL(device.cores_per_sm, 64); /* as the a100's */
    free(text);
}

static const char *source_of(const char *text, const char *field) {
    cJSON *root = cJSON_Parse(text);
    const cJSON *source = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "sources"), field);
    const char *kept = source != NULL ? grt_arena_text(&samples.arena, source->valuestring) : "";
    cJSON_Delete(root);
    return kept;
}

static void every_field_says_where_it_comes_from(void) {
    struct synthetic_device truth = synthetic_default();
    struct grt_fit *fit = measure(&truth);
    char *text = grt_device_file_text(fit, NULL, &errors);
    cJSON *root = cJSON_Parse(text);
    const cJSON *sources = cJSON_GetObjectItem(root, "sources"), *field;
    CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(root, "name")->valuestring, "nvidia-a100-sxm4-40gb");
    cJSON_ArrayForEach(field, root) {
        static const char *const own[] = {"gpurt_device", "name", "description", "sources"};
        bool is_own = false;
        for (int i = 0; i < 4; i++) {
            is_own |= strcmp(field->string, own[i]) == 0;
        }
        CU_ASSERT(is_own || cJSON_HasObjectItem(sources, field->string));
    }
    CU_ASSERT_PTR_NULL(cJSON_GetObjectItem(root, "aliases"));
    cJSON_Delete(root);
    CU_ASSERT_EQUAL(strncmp(source_of(text, "kernel_launch"), "measured: ", 10), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(source_of(text, "kernel_launch"), "experiment launch"));
    CU_ASSERT_STRING_EQUAL(source_of(text, "registers_per_sm"), "told by the driver");
    CU_ASSERT_PTR_NULL(strstr(text, "pretend"));
    CU_ASSERT_PTR_NULL(strstr(source_of(text, "warp_unit"), "assumed as on")); /* the preset is this device */
    free(text);
    snprintf(samples.raw.device.name, sizeof samples.raw.device.name, "Some other one");
    text = grt_device_file_text(fit, NULL, &errors);
    CU_ASSERT_PTR_NOT_NULL(strstr(source_of(text, "warp_unit"), "assumed as on a100: "));
    free(text);
}

/* A device that was none says so wherever a value of it is: in both files, by both back ends. */
static void pretended_devices_are_said_to_be(void) {
    static const char *const kinds[][2] = {{"sim", "(gpurt's own model of a GPU, back end sim)"},
                                           {"host", "(threads of the host, back end host)"}};
    struct synthetic_device truth = synthetic_default();
    for (size_t i = 0; i < 2; i++) {
        char wanted[200];
        struct grt_fit *fit = measure(&truth);
        samples.raw.backend = kinds[i][0];
        char *files[] = {grt_device_file_text(fit, "mine", &errors),
                         grt_kernel_file_text(fit, "mine", &errors)};
        snprintf(wanted, sizeof wanted, "measured on a pretended device %s: ", kinds[i][1]);
        CU_ASSERT_EQUAL(strncmp(source_of(files[0], "kernel_launch"), wanted, strlen(wanted)), 0);
        for (size_t j = 0; j < 2; j++) {
            CU_ASSERT_PTR_NOT_NULL_FATAL(files[j]);
            CU_ASSERT_PTR_NOT_NULL(strstr(files[j], wanted));
            CU_ASSERT_PTR_NOT_NULL(strstr(files[j], "told by a pretended driver ("));
            CU_ASSERT_PTR_NULL(strstr(files[j], "\"measured: "));
            CU_ASSERT_PTR_NULL(strstr(files[j], "\"computed: "));
            CU_ASSERT_PTR_NULL(strstr(files[j], "told by the driver"));
            free(files[j]);
        }
    }
}

static const char *base_of(const char *name, int capability, bool *is_same) {
    struct grt_bench_device device = {.compute_capability = capability};
    snprintf(device.name, sizeof device.name, "%s", name);
    const char *base = grt_device_base(&device, is_same);
    return base != NULL ? base : "none";
}

static void the_nearest_preset_is_the_base(void) {
    bool same;
    CU_ASSERT_STRING_EQUAL(base_of("NVIDIA H200", 90, &same), "h200");
    CU_ASSERT_TRUE(same);
    CU_ASSERT_STRING_EQUAL(base_of("NVIDIA H100 80GB HBM3", 90, &same), "h100");
    CU_ASSERT_STRING_EQUAL(base_of("NVIDIA GeForce RTX 3090", 86, &same), "rtx3090");
    CU_ASSERT_STRING_EQUAL(base_of("NVIDIA RTX A1000", 86, &same), "rtx3090"); /* not an A100 */
    CU_ASSERT_FALSE(same);
    CU_ASSERT_STRING_EQUAL(base_of("NVIDIA L4", 89, &same), "rtx4090");
    CU_ASSERT_STRING_EQUAL(base_of("Tesla T4", 75, &same), "xavier"); /* 7.2 is nearer than 8.0 */
    CU_ASSERT_STRING_EQUAL(base_of("unknown", 0, &same), "none");
}

/* Without any preset: what was measured, and the format's defaults. */
static void a_device_without_a_preset_is_written(void) {
    struct synthetic_device truth = synthetic_default();
    struct grt_fit *fit = measure(&truth);
    samples.raw.device.compute_capability = 0;
    snprintf(samples.raw.device.name, sizeof samples.raw.device.name, "?");
    char *text = grt_device_file_text(fit, NULL, &errors);
    struct grt_device device;
    CU_ASSERT_TRUE_FATAL(read_back(text, &device));
    CU_ASSERT_EQUAL(device.kernel_launch, truth.launch);
    CU_ASSERT_STRING_EQUAL(device.name, "device");
    free(text);
}

static void a_device_that_cannot_be_is_refused(void) {
    struct synthetic_device truth = synthetic_default();
    measure(&truth);
    samples.raw.device.max_threads_per_sm = 100; /* no multiple of the warp */
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_PTR_NULL(grt_device_file_text(fit, NULL, &errors));
    CU_ASSERT_EQUAL_FATAL(errors.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(errors.messages[0], "max_threads_per_sm"));
    grt_errors_clear(&errors);
}

/* ---- kernels ---- */

static void a_kernel_file_is_accepted(void) {
    struct synthetic_device truth = synthetic_default();
    truth.noise = 500;
    struct grt_fit *fit = measure(&truth);
    char *text = grt_kernel_file_text(fit, "mine", &errors);
    grt_errors_print(&errors, stdout, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    cJSON *root = cJSON_Parse(text);
    CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(root, "device")->valuestring, "mine");
    const cJSON *kernels = cJSON_GetObjectItem(root, "kernels");
    CU_ASSERT_EQUAL_FATAL(cJSON_GetArraySize(kernels), 1); /* triad's block times were not measured */
    const cJSON *fma = cJSON_GetArrayItem(kernels, 0);
    CU_ASSERT_STRING_EQUAL(cJSON_GetObjectItem(fma, "name")->valuestring, "fma");
    CU_ASSERT_EQUAL(cJSON_GetObjectItem(fma, "threads")->valueint, 256);
    CU_ASSERT_EQUAL(cJSON_GetObjectItem(fma, "regs")->valueint, 16);
    const cJSON *time = cJSON_GetObjectItem(fma, "block_time");
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(time, "values")), 120); /* every sample */
    CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItem(fma, "split_overhead"));
    CU_ASSERT_PTR_NOT_NULL(cJSON_GetObjectItem(cJSON_GetObjectItem(fma, "usage"), "share_factors"));
    cJSON_Delete(root);
    free(text);
}

static void many_block_times_become_a_thousand(void) {
    struct synthetic_device truth = synthetic_default();
    truth.noise = 500;
    truth.samples = 700; /* 2,800 blocks */
    struct grt_fit *fit = measure(&truth);
    const struct grt_fitted_workload *fma = &fit->workloads[0];
    CU_ASSERT_EQUAL_FATAL(fma->block_time_count, 1000);
    for (size_t i = 1; i < fma->block_time_count; i++) {
        CU_ASSERT(fma->block_times[i] >= fma->block_times[i - 1]);
    }
    const struct grt_finding *median = grt_fit_find(fit, "fma: block_time");
    double middle = (double)(fma->block_times[499] + fma->block_times[500]) / 2;
    CU_ASSERT(fabs(middle / median->value - 1) < 1e-4);
}

static void no_block_times_make_no_file(void) {
    raw_start(&samples, 4);
    const struct grt_fit *fit = grt_fit_all(&samples.raw, &samples.arena);
    CU_ASSERT_PTR_NULL(grt_kernel_file_text(fit, "mine", &errors));
    CU_ASSERT_EQUAL(errors.count, 1);
    grt_errors_clear(&errors);
}

/* ---- a scenario takes both ---- */

static void a_scenario_takes_the_files(void) {
    struct synthetic_device truth = synthetic_default();
    struct grt_fit *fit = measure(&truth);
    char *device = grt_device_file_text(fit, "mine", &errors),
         *kernels = grt_kernel_file_text(fit, "mine", &errors);
    CU_ASSERT_FATAL(device != NULL && kernels != NULL);
    put_file("mine.json", device);
    put_file("mine-kernels.json", kernels);
    put_file("takes.json", "{\"gpurt\": 1, \"horizon\": \"10ms\", \"policy\": {\"name\": \"hardware\"}, "
                           "\"kernels\": \"mine-kernels.json\","
                           " \"platform\": {\"cpus\": 1, \"gpus\": [{\"device\": \"mine.json\"}]},"
                           " \"tasks\": [{\"name\": \"a\", \"period\": \"5ms\","
                           " \"segments\": [{\"gpu\": [{\"kernel\": \"fma\"}]}]}]}\n");
    expect(0, call("gpurt check mine.json mine-kernels.json takes.json"));
    expect(0, call("gpurt run takes.json"));
    free(device);
    free(kernels);
}

/* ---- findings ---- */

static void findings_are_written_whole(void) {
    struct synthetic_device truth = synthetic_default();
    struct grt_fit *fit = measure(&truth);
    char *text = grt_fit_text_of(fit);
    cJSON *root = cJSON_Parse(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(root, "findings")), (int)fit->finding_count);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(root, "curves")), (int)fit->curve_count);
    CU_ASSERT_EQUAL(cJSON_GetArraySize(cJSON_GetObjectItem(root, "slowdowns")), (int)fit->slowdown_count);
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(root, "findings")) {
        bool without = cJSON_HasObjectItem(finding, "why");
        CU_ASSERT(without != cJSON_HasObjectItem(finding, "how"));
        CU_ASSERT(without || cJSON_HasObjectItem(finding, "value") || cJSON_HasObjectItem(finding, "word"));
    }
    cJSON_Delete(root);
    free(text);
}

int main(void) {
    static CU_TestInfo tests[] = {
        {"a device file has what was measured", a_device_file_has_what_was_measured},
        {"percentages beyond the model are said", percentages_beyond_the_model_are_said},
        {"every field says where it comes from", every_field_says_where_it_comes_from},
        {"pretended devices are said to be", pretended_devices_are_said_to_be},
        {"the nearest preset is the base", the_nearest_preset_is_the_base},
        {"a device without a preset is written", a_device_without_a_preset_is_written},
        {"a device that cannot be is refused", a_device_that_cannot_be_is_refused},
        {"a kernel file is accepted", a_kernel_file_is_accepted},
        {"many block times become a thousand", many_block_times_become_a_thousand},
        {"no block times make no file", no_block_times_make_no_file},
        {"a scenario takes the files", a_scenario_takes_the_files},
        {"findings are written whole", findings_are_written_whole},
        CU_TEST_INFO_NULL,
    };
    int result = grt_suite_run("files of fits", tests);
    grt_arena_clear(&samples.arena);
    return result;
}
