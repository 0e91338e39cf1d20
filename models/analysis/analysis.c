#include "models/analysis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/memory.h"

void *grt_analysis_memory(size_t count, size_t size) {
    return memset(grt_allocate(count * size), 0, count * size);
}

void grt_analysis_refuse(struct grt_analysis_result *result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
    result->verdict = GRT_VERDICT_INAPPLICABLE;
    result->failing = GRT_ANALYSIS_NO_TASK;
}

void grt_analysis_fail(struct grt_analysis_result *result, enum grt_verdict verdict, uint32_t failing,
                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->reason, sizeof result->reason, format, arguments);
    va_end(arguments);
    result->verdict = verdict;
    result->failing = failing;
}

static void add(struct grt_analysis_result *result, struct grt_analysis_value value) {
    if (result->value_count < result->value_capacity) {
        result->values[result->value_count++] = value;
    }
}

void grt_analysis_add_time(struct grt_analysis_result *result, const char *name, uint32_t task,
                           int64_t time) {
    add(result, (struct grt_analysis_value){.name = name, .task = task, .is_time = true, .time = time});
}

void grt_analysis_add_number(struct grt_analysis_result *result, const char *name, uint32_t task,
                             double number) {
    add(result, (struct grt_analysis_value){.name = name, .task = task, .number = number});
}
