/* Traces: what sinks get, the digest, failing sinks, and the sink that keeps everything in memory. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/random.h"
#include "sim/trace.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { RECORDS = 3 * GRT_TRACE_LOT + 17 };

static struct grt_trace_record records[RECORDS];

static const struct grt_trace_name names[] = {
    {.kind = GRT_NAME_RUN, .text = "run"},
    {.kind = GRT_NAME_TASK, .index = 0, .text = "detect"},
    {.kind = GRT_NAME_TASK, .index = 1, .text = "map"},
    {.kind = GRT_NAME_SM, .index = 0, .weight = 2048, .text = ""},
    {.kind = GRT_NAME_KERNEL, .index = 1, .segment = 2, .command = 3, .weight = 256, .text = "blur"},
    {.kind = GRT_NAME_KERNEL, .index = 1, .segment = 3, .command = 2, .weight = 128, .text = "warp"},
};

static void make_records(void) {
    struct grt_random random = grt_random_stream(1, "test trace", 0, 0);
    for (uint32_t i = 0; i < RECORDS; i++) {
        records[i] = (struct grt_trace_record){
            .time = 10 * (grt_time)i,
            .other = (grt_time)(grt_random_bits(&random) >> 1),
            .job = i,
            .detail = (uint32_t)grt_random_bits(&random),
            .row = (uint32_t)grt_random_bits(&random),
            .task = (uint16_t)grt_random_bits(&random),
            .kind = (uint8_t)(1 + grt_random_below(&random, GRT_TRACE_KINDS - 1)),
            .flags = (uint8_t)grt_random_below(&random, 32),
        };
    }
}

/* --- The format in memory. */

static void records_are_32_bytes(void) {
    CU_ASSERT_EQUAL(sizeof(struct grt_trace_record), 32);
    CU_ASSERT_EQUAL(GRT_TRACE_RELEASE, 1);
    CU_ASSERT(GRT_TRACE_LATE == 1 && GRT_TRACE_PREEMPTED == 2 && GRT_TRACE_ABORTED == 4);
    CU_ASSERT(GRT_TRACE_D2H == 8 && GRT_TRACE_OPEN == 16);
}

/* --- A sink that checks the order of calls and fails on demand. */

enum fault { NOTHING, AT_NAMES, AT_FIRST_WRITE, AT_THIRD_WRITE, AT_END };

struct probe {
    enum fault fault;
    unsigned name_calls, writes, ends, wrong;
    size_t name_count, got;
};

static bool probe_names(void *sink, const struct grt_trace_name *given, size_t count) {
    struct probe *probe = sink;
    probe->wrong += probe->writes > 0 || probe->ends > 0 || given != names;
    probe->name_calls++;
    probe->name_count = count;
    return probe->fault != AT_NAMES;
}

static bool probe_write(void *sink, const struct grt_trace_record *given, size_t count) {
    struct probe *probe = sink;
    probe->wrong += probe->name_calls != 1 || probe->ends > 0 || probe->got + count > RECORDS;
    probe->wrong += memcmp(given, records + probe->got, count * sizeof *given) != 0;
    probe->got += count;
    probe->writes++;
    return !(probe->fault == AT_FIRST_WRITE || (probe->fault == AT_THIRD_WRITE && probe->writes == 3));
}

static bool probe_end(void *sink) {
    struct probe *probe = sink;
    probe->ends++;
    return probe->fault != AT_END;
}

static const struct grt_trace_sink probe_sink = {probe_names, probe_write, probe_end};

/* A whole trace of the first `count` records; what grt_trace_finish says. The caller frees the trace. */
static bool run_trace(struct grt_trace *trace, size_t count) {
    grt_trace_names(trace, names, COUNT(names));
    for (size_t i = 0; i < count; i++) {
        grt_trace_add(trace, records[i]);
    }
    return grt_trace_finish(trace);
}

static void sinks_get_all_records_in_order(void) {
    static const size_t counts[] = {0, 1, GRT_TRACE_LOT - 1, GRT_TRACE_LOT, GRT_TRACE_LOT + 1, RECORDS};
    for (size_t k = 0; k < COUNT(counts); k++) {
        struct probe probes[GRT_TRACE_SINKS] = {0};
        struct grt_trace *trace = grt_trace_create();
        for (size_t i = 0; i < GRT_TRACE_SINKS; i++) {
            grt_trace_add_sink(trace, &probe_sink, &probes[i]);
        }
        CU_ASSERT(run_trace(trace, counts[k]));
        CU_ASSERT_EQUAL(trace->record_count, counts[k]);
        for (size_t i = 0; i < GRT_TRACE_SINKS; i++) {
            CU_ASSERT(probes[i].name_calls == 1 && probes[i].name_count == COUNT(names));
            CU_ASSERT(probes[i].got == counts[k] && probes[i].ends == 1 && probes[i].wrong == 0);
        }
        grt_trace_free(trace);
    }
}

static void flushing_passes_records_on(void) {
    struct probe probe = {0};
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &probe_sink, &probe);
    grt_trace_names(trace, names, COUNT(names));
    for (size_t i = 0; i < 100; i++) {
        grt_trace_add(trace, records[i]);
        if (i % 7 == 0) {
            grt_trace_flush(trace);
            CU_ASSERT(probe.got == i + 1 && trace->record_count == i + 1);
        }
    }
    CU_ASSERT(grt_trace_finish(trace));
    CU_ASSERT(probe.got == 100 && probe.wrong == 0);
    grt_trace_free(trace);
}

static void a_failing_sink_does_not_stop_others(void) {
    static const struct {
        enum fault fault;
        unsigned writes, ends; /* calls until no more are made */
    } cases[] = {{AT_NAMES, 0, 0}, {AT_FIRST_WRITE, 1, 0}, {AT_THIRD_WRITE, 3, 0}, {AT_END, 4, 1}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        for (size_t place = 0; place < 3; place++) {
            struct probe probes[3] = {0};
            probes[place].fault = cases[k].fault;
            struct grt_trace *trace = grt_trace_create();
            for (size_t i = 0; i < 3; i++) {
                grt_trace_add_sink(trace, &probe_sink, &probes[i]);
            }
            CU_ASSERT(!run_trace(trace, RECORDS));
            CU_ASSERT_EQUAL(probes[place].writes, cases[k].writes);
            CU_ASSERT_EQUAL(probes[place].ends, cases[k].ends);
            for (size_t i = 0; i < 3; i++) {
                CU_ASSERT(i == place || (probes[i].got == RECORDS && probes[i].ends == 1));
                CU_ASSERT(probes[i].name_calls == 1 && probes[i].wrong == 0);
            }
            grt_trace_free(trace);
        }
    }
}

/* Of two sinks both must have failed, at the names or in the third lot, before somebody is told; of none, never. */
static void unheard_is_a_trace_whose_sinks_all_failed(void) {
    for (size_t count = 0; count <= 2; count++) {
        for (enum fault last = NOTHING; last <= AT_THIRD_WRITE; last++) {
            struct probe probes[2] = {{.fault = AT_NAMES}, {.fault = last}};
            bool unheard = false;
            struct grt_trace *trace = grt_trace_create();
            trace->unheard = &unheard;
            for (size_t i = 0; i < count; i++) {
                grt_trace_add_sink(trace, &probe_sink, &probes[i]);
            }
            grt_trace_names(trace, names, COUNT(names));
            CU_ASSERT_EQUAL(unheard, count == 1 || (count == 2 && last == AT_NAMES));
            for (size_t i = 0; i < RECORDS; i++) {
                grt_trace_add(trace, records[i]);
                size_t lots = (i + 1) / GRT_TRACE_LOT;
                bool failed = last == AT_NAMES || (last == AT_FIRST_WRITE && lots >= 1) ||
                              (last == AT_THIRD_WRITE && lots >= 3);
                if (unheard != (count == 1 || (count == 2 && failed))) {
                    CU_FAIL_FATAL("told too early or too late");
                }
            }
            CU_ASSERT_EQUAL(grt_trace_is_unheard(trace), unheard);
            grt_trace_finish(trace);
            grt_trace_free(trace);
        }
    }
}

/* --- The digest. */

static uint64_t digest_of(const struct grt_trace_record *all, size_t count, size_t flush_every) {
    struct grt_trace *trace = grt_trace_create();
    for (size_t i = 0; i < count; i++) {
        grt_trace_add(trace, all[i]);
        if (flush_every > 0 && i % flush_every == 0) {
            grt_trace_flush(trace);
        }
    }
    CU_ASSERT(grt_trace_finish(trace));
    uint64_t digest = trace->digest;
    grt_trace_free(trace);
    return digest;
}

static void the_digest_depends_on_the_records_alone(void) {
    uint64_t digest = digest_of(records, RECORDS, 0);
    CU_ASSERT_EQUAL(digest_of(records, RECORDS, 0), digest);
    CU_ASSERT_EQUAL(digest_of(records, RECORDS, 1), digest);
    CU_ASSERT_EQUAL(digest_of(records, RECORDS, 1000), digest);
    struct grt_trace *trace = grt_trace_create();
    struct probe good = {0}, bad = {.fault = AT_FIRST_WRITE};
    struct grt_trace_memory memory = {0};
    grt_trace_add_sink(trace, &probe_sink, &bad);
    grt_trace_add_sink(trace, &probe_sink, &good);
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
    CU_ASSERT(!run_trace(trace, RECORDS));
    CU_ASSERT_EQUAL(trace->digest, digest);
    grt_trace_free(trace);
    grt_trace_memory_free(&memory);
}

static struct grt_trace_record flip(struct grt_trace_record record, unsigned bit) {
    unsigned char bytes[sizeof record];
    memcpy(bytes, &record, sizeof record);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    memcpy(&record, bytes, sizeof record);
    return record;
}

static void every_bit_changes_the_digest(void) {
    enum { SHORT = 40 };
    static const size_t places[] = {0, 1, SHORT / 2, SHORT - 1};
    struct grt_trace_record changed[SHORT];
    uint64_t digest = digest_of(records, SHORT, 0);
    unsigned same = 0;
    for (size_t k = 0; k < COUNT(places); k++) {
        for (unsigned bit = 0; bit < 256; bit++) {
            memcpy(changed, records, sizeof changed);
            changed[places[k]] = flip(records[places[k]], bit);
            same += digest_of(changed, SHORT, 0) == digest;
        }
    }
    CU_ASSERT_EQUAL(same, 0);
}

/* The same bit in two records: what the first changes, the second must not undo. */
static void two_equal_changes_do_not_cancel(void) {
    struct grt_trace_record changed[10];
    uint64_t digest = digest_of(records, 10, 0);
    unsigned same = 0;
    for (unsigned bit = 0; bit < 256; bit++) {
        memcpy(changed, records, sizeof changed);
        changed[4] = flip(records[4], bit);
        changed[5] = flip(records[5], bit);
        same += digest_of(changed, 10, 0) == digest;
    }
    CU_ASSERT_EQUAL(same, 0);
}

static void order_and_number_change_the_digest(void) {
    struct grt_trace_record changed[100];
    uint64_t digest = digest_of(records, 100, 0);
    unsigned same = 0;
    for (size_t i = 0; i < 99; i++) {
        memcpy(changed, records, sizeof changed);
        changed[i] = records[i + 1];
        changed[i + 1] = records[i];
        same += digest_of(changed, 100, 0) == digest;
        same += digest_of(records, i, 0) == digest;
        same += digest_of(records, i, 0) == digest_of(records, i + 1, 0);
    }
    CU_ASSERT_EQUAL(same, 0);
    CU_ASSERT(digest_of(records, RECORDS, 0) != digest_of(records, RECORDS - 1, 0));
}

/* --- The sink in memory. */

static void memory_keeps_everything(void) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_trace_memory memory = {0};
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
    CU_ASSERT(run_trace(trace, RECORDS));
    grt_trace_free(trace);
    CU_ASSERT_FATAL(memory.record_count == RECORDS && memory.name_count == COUNT(names));
    CU_ASSERT(memcmp(memory.records, records, sizeof records) == 0);
    CU_ASSERT(!memory.cut);
    for (size_t i = 0; i < COUNT(names); i++) {
        CU_ASSERT_STRING_EQUAL(memory.names[i].text, names[i].text);
        CU_ASSERT_PTR_NOT_EQUAL(memory.names[i].text, names[i].text); /* the texts are owned */
        CU_ASSERT_EQUAL(memory.names[i].weight, names[i].weight);
    }
    grt_trace_memory_free(&memory);
    CU_ASSERT(memory.records == NULL && memory.record_count == 0 && memory.names == NULL &&
              memory.name_count == 0);
    grt_trace_memory_free(&memory);
}

static void memory_keeps_nothing(void) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_trace_memory memory = {0};
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
    CU_ASSERT(run_trace(trace, 0));
    CU_ASSERT(memory.record_count == 0 && !memory.cut);
    grt_trace_free(trace);
    grt_trace_memory_free(&memory);
}

static void memory_keeps_to_its_limit(void) {
    static const size_t limits[] = {1,           17,      GRT_TRACE_LOT - 1, GRT_TRACE_LOT, GRT_TRACE_LOT + 1,
                                    RECORDS - 1, RECORDS, RECORDS + 1};
    for (size_t k = 0; k < COUNT(limits); k++) {
        struct grt_trace *trace = grt_trace_create();
        struct grt_trace_memory memory = {.record_limit = limits[k]};
        grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
        CU_ASSERT(run_trace(trace, RECORDS));
        size_t kept = limits[k] < RECORDS ? limits[k] : RECORDS;
        CU_ASSERT_FATAL(memory.record_count == kept);
        CU_ASSERT(memcmp(memory.records, records, kept * sizeof records[0]) == 0);
        CU_ASSERT_EQUAL(memory.cut, limits[k] < RECORDS);
        grt_trace_free(trace);
        grt_trace_memory_free(&memory);
    }
}

static void memory_finds_names(void) {
    struct grt_trace *trace = grt_trace_create();
    struct grt_trace_memory memory = {0};
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(&memory, GRT_NAME_TASK, 0, 0, 0));
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &memory);
    CU_ASSERT(run_trace(trace, 0));
    grt_trace_free(trace);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct grt_trace_name *name = &names[i];
        const char *text =
            grt_trace_memory_name(&memory, name->kind, name->index, name->segment, name->command);
        CU_ASSERT_FATAL(text != NULL);
        CU_ASSERT_STRING_EQUAL(text, name->text);
    }
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(&memory, GRT_NAME_TASK, 2, 0, 0));
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(&memory, GRT_NAME_CORE, 0, 0, 0));
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(&memory, GRT_NAME_KERNEL, 1, 2, 2));
    CU_ASSERT_PTR_NULL(grt_trace_memory_name(&memory, GRT_NAME_KERNEL, 0, 2, 3));
    grt_trace_memory_free(&memory);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"records are 32 bytes", records_are_32_bytes},
        {"sinks get all records in order", sinks_get_all_records_in_order},
        {"flushing passes records on", flushing_passes_records_on},
        {"a failing sink does not stop others", a_failing_sink_does_not_stop_others},
        {"unheard is a trace whose sinks all failed", unheard_is_a_trace_whose_sinks_all_failed},
        {"the digest depends on the records alone", the_digest_depends_on_the_records_alone},
        {"every bit changes the digest", every_bit_changes_the_digest},
        {"two equal changes do not cancel", two_equal_changes_do_not_cancel},
        {"order and number change the digest", order_and_number_change_the_digest},
        {"memory keeps everything", memory_keeps_everything},
        {"memory keeps nothing", memory_keeps_nothing},
        {"memory keeps to its limit", memory_keeps_to_its_limit},
        {"memory finds names", memory_finds_names},
        CU_TEST_INFO_NULL,
    };
    make_records();
    return grt_suite_run("trace", tests);
}
