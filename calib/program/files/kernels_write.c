#include "calib/program/files/kernels_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/program/files/file_text.h"
#include "calib/program/files/kernels_write_worst.h"
#include "scenarios/kernels.h"
#include "sim/time.h"
#include "sim/unit.h"

static void put_quantity(cJSON *object, const char *key, enum grt_quantity quantity, int64_t value) {
    char text[GRT_UNIT_TEXT_SIZE];
    cJSON_AddStringToObject(object, key, grt_unit_text(quantity, value, text));
}

/* One value, where all are the same. */
static void put_block_time(cJSON *object, const struct grt_fitted_workload *workload) {
    const int64_t *times = workload->block_times;
    size_t count = workload->block_time_count;
    if (times[0] == times[count - 1]) {
        grt_put_span(object, "block_time", times[0]);
        return;
    }
    cJSON *distribution = cJSON_AddObjectToObject(object, "block_time");
    cJSON_AddStringToObject(distribution, "distribution", "empirical");
    cJSON *values = cJSON_AddArrayToObject(distribution, "values");
    for (size_t i = 0; i < count; i++) {
        char text[GRT_TIME_TEXT_SIZE];
        cJSON_AddItemToArray(values, cJSON_CreateString(grt_time_text(times[i], text)));
    }
    grt_put_span(distribution, "max",
                 times[count - 1]); /* the largest that was seen: no promise that none is larger */
}

/* It fills the SMs if it has a block for each. */
static void put_usage(cJSON *object, const struct grt_fit *fit, const struct grt_fitted_workload *workload) {
    if (workload->share_factor_count == 0) {
        return;
    }
    double sms = fit->raw->device.sm_count;
    cJSON *usage = cJSON_AddObjectToObject(object, "usage");
    cJSON_AddNumberToObject(usage, "sm_utilisation", sms > 0 ? fmin(workload->workload->blocks / sms, 1) : 1);
    cJSON *factors = cJSON_AddArrayToObject(usage, "share_factors");
    for (size_t i = 0; i < workload->share_factor_count; i++) {
        cJSON *factor = cJSON_CreateObject();
        cJSON_AddNumberToObject(factor, "share", (double)workload->share_factors[i].share);
        cJSON_AddNumberToObject(factor, "factor", workload->share_factors[i].factor);
        cJSON_AddItemToArray(factors, factor);
    }
}

/* ---- sources ---- */

static void put_source(cJSON *sources, const char *field, const struct grt_fit *fit, const char *workload,
                       const char *finding, struct grt_arena *arena) {
    char name[200];
    snprintf(name, sizeof name, "%s: %s", workload, finding);
    const struct grt_finding *found = grt_fit_find(fit, name);
    if (found != NULL && found->status == GRT_FINDING_MEASURED) {
        cJSON_AddStringToObject(sources, field, grt_source_text(found, arena));
    }
}

static void put_sources(cJSON *object, const struct grt_fit *fit, const struct grt_fitted_workload *workload,
                        struct grt_arena *arena) {
    const char *name = workload->workload->name;
    cJSON *sources = cJSON_AddObjectToObject(object, "sources");
    cJSON_AddStringToObject(sources, "blocks", "chosen for the measurement");
    cJSON_AddStringToObject(sources, "regs", "told by the driver");
    put_source(sources, "block_time", fit, name, "block_time", arena);
    put_source(sources, "split_overhead", fit, name, "split_overhead", arena);
    put_source(sources, "usage", fit, name, "partition", arena);
    if (workload->bytes_per_second > 0) {
        cJSON_AddStringToObject(
            sources, "bandwidth",
            "computed: the bytes that the kernel's code moves, over the measured times of its blocks");
    }
}

/* ---- a kernel ---- */

/* Not more than the memory was found to have. */
static int64_t bandwidth_of(const struct grt_fit *fit, const struct grt_fitted_workload *workload) {
    const struct grt_finding *memory = grt_fit_find(fit, "memory_bandwidth");
    double rate = workload->bytes_per_second;
    bool known = memory != NULL && memory->status == GRT_FINDING_MEASURED;
    return llround(known ? fmin(rate, grt_written_value(memory->value, memory->low, memory->high, true))
                         : rate);
}

static cJSON *write_kernel(const struct grt_fit *fit, const struct grt_fitted_workload *fitted,
                           struct grt_arena *arena) {
    const struct grt_raw_workload *workload = fitted->workload;
    int64_t shared = (int64_t)workload->shared_bytes + workload->static_shared_bytes;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", workload->name);
    cJSON_AddNumberToObject(object, "blocks", workload->blocks);
    cJSON_AddNumberToObject(object, "threads", workload->threads);
    cJSON_AddNumberToObject(object, "regs", workload->registers);
    if (shared > 0) {
        put_quantity(object, "smem", GRT_QUANTITY_SIZE, shared);
    }
    if (shared > fit->raw->device.shared_memory_per_block && fit->raw->device.shared_memory_per_block > 0) {
        cJSON_AddBoolToObject(object, "smem_opt_in", true);
    }
    put_block_time(object, fitted);
    if (fitted->bytes_per_second >= 1) {
        put_quantity(object, "bandwidth", GRT_QUANTITY_RATE, bandwidth_of(fit, fitted));
    }
    put_usage(object, fit, fitted);
    if (fitted->split_overhead >= 0.5) {
        grt_put_span(object, "split_overhead", llround(fitted->split_overhead));
    }
    put_sources(object, fit, fitted, arena);
    return object;
}

char *grt_kernel_file_text(const struct grt_fit *fit, const char *device, struct grt_errors *errors) {
    struct grt_arena arena = {0};
    cJSON *root = cJSON_CreateObject(), *kernels = cJSON_CreateArray();
    for (size_t i = 0; i < fit->workload_count; i++) {
        if (fit->workloads[i].block_time_count > 0) {
            cJSON_AddItemToArray(kernels, write_kernel(fit, &fit->workloads[i], &arena));
        }
    }
    for (size_t i = 0; i < fit->worst_count; i++) {
        cJSON_AddItemToArray(kernels, grt_worst_kernel(fit, &fit->worst[i], &arena)); /* NULL adds nothing */
    }
    if (cJSON_GetArraySize(kernels) == 0) {
        grt_error_add(errors, NULL,
                      "no kernel file: of no workload the times of its blocks are known, or of runs; measure "
                      "experiments coresidency or worst");
        cJSON_Delete(kernels);
        cJSON_Delete(root);
        return NULL;
    }
    for (cJSON *kernel = kernels->child; kernel != NULL; kernel = kernel->next) {
        grt_sources_mark(cJSON_GetObjectItemCaseSensitive(kernel, "sources"), fit->raw);
    }
    cJSON_AddNumberToObject(root, "gpurt_kernels", 1);
    grt_put_text(root, "device", device);
    cJSON_AddStringToObject(
        root, "description",
        "Kernels that gpurt-calib measures with: block by block, each as it was measured alone; and by "
        "their whole time, with the worst cases that measurements allow to declare");
    cJSON_AddItemToObject(root, "measured", grt_provenance(fit->raw));
    cJSON_AddItemToObject(root, "kernels", kernels);
    char *text = grt_tree_text(root);
    if (!grt_kernel_file_check(text, strlen(text), errors)) {
        free(text);
        text = NULL;
    }
    grt_arena_clear(&arena);
    return text;
}
