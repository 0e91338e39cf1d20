/* Audited records per second: jobs of 20 tasks under np-edf, blocks of kernels that share SMs, and kernels on a GPU of shares, against a loop that only reads
 * the records. */
#include <stdio.h>

#include "policies/registry.h"
#include "tests/bench/bench.h"
#include "tests/support/world_builder.h"
#include "verify/audit.h"

struct audited {
    const struct grt_builder *builder;
    struct grt_audit_promise promise;
    struct grt_built_run run;
};

static uint64_t audit(void *state) {
    struct audited *audited = state;
    struct grt_audit *auditor = grt_audit_create(&audited->builder->scenario, &audited->promise);
    grt_audit_sink.write(auditor, audited->run.kept.records, audited->run.kept.record_count);
    bench_use(grt_audit_finish(auditor));
    grt_audit_free(auditor);
    return audited->run.kept.record_count;
}

static uint64_t read_only(void *state) {
    const struct audited *audited = state;
    uint64_t sum = 0;
    for (size_t i = 0; i < audited->run.kept.record_count; i++) {
        const struct grt_trace_record *record = &audited->run.kept.records[i];
        sum += (uint64_t)record->time ^ record->detail ^ record->kind;
    }
    bench_use(sum);
    return audited->run.kept.record_count;
}

static void measure(const char *name, struct grt_builder *builder, const char *policy) {
    struct audited audited = {.builder = builder};
    grt_built_run_start(&audited.run, &builder->scenario, grt_policy_find(policy), false);
    audited.promise = (struct grt_audit_promise){.policy = grt_policy_find(policy)->promise,
                                                 .end = audited.run.result->end};
    double reference = bench_ns_per_unit(read_only, &audited, 5);
    bench_report(name, bench_ns_per_unit(audit, &audited, 5), "reading it, per record", reference,
                 "<= 150 ns");
    grt_built_run_free(&audited.run);
    grt_builder_free(builder);
}

static struct grt_builder *jobs(void) {
    struct grt_builder *builder = grt_builder_create(50 * GRT_MILLISECOND);
    grt_builder_gpu(builder, grt_built_exclusive());
    for (int i = 0; i < 20; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 5000 + 1777 * i, 37 * i);
        grt_builder_cpu(builder, task, 20);
        grt_builder_whole(builder, task, task->period / 30);
    }
    return builder;
}

static struct grt_builder *blocks(void) {
    struct grt_builder *builder = grt_builder_create(20 * GRT_MILLISECOND);
    grt_builder_gpu(builder, grt_built_device(16));
    for (int i = 0; i < 6; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 100000, 1000 * i);
        struct grt_kernel *kernel = grt_builder_kernel(builder, task, 500, 128 << i % 3, 900 + 37 * i);
        kernel->needs.registers_per_thread = 20;
    }
    return builder;
}

/* Every kernel begins beside others. */
static struct grt_builder *shares(int64_t contention) {
    static const struct grt_usage usage = {
        .host_fraction = 0.1, .sm_utilisation = 0.6, .demand = {0.3, 0.2, 0.5}, .bound = {0.2, 0.2, 0.4}};
    struct grt_builder *builder = grt_builder_create(50 * GRT_MILLISECOND);
    struct grt_device *device = grt_builder_gpu(builder, grt_built_device(16));
    device->granularity = GRT_GRANULARITY_SHARES;
    device->contention = contention;
    device->contention_latency = (struct grt_resource_numbers){0.15, 0.3, 0.5, 0.1, 0.15};
    device->contention_exponent = 0.9;
    for (int i = 0; i < 10; i++) {
        struct grt_task *task = grt_builder_task(builder, "t");
        grt_builder_periodic(task, 100000 + 7919 * i, 1000 * i);
        grt_builder_whole(builder, task, 5000)->usage = &usage;
    }
    return builder;
}

void bench_audit(void) {
    measure("auditor, np-edf, 20 tasks, per record", jobs(), "np-edf");
    measure("auditor, blocks of 6 streams, per record", blocks(), "hardware");
    measure("auditor, shares, max-min, 10 tasks, per record", shares(GRT_CONTENTION_MAX_MIN),
            "static-shares");
    measure("auditor, shares, saturation, 10 tasks, per record", shares(GRT_CONTENTION_SATURATION),
            "static-shares");
}
