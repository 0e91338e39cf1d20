/* labels: soak */
/* Random simulated worlds are written as cuda_scheduling_examiner would have measured them, and imported: the same kernels
 * and the same blocks, each at the same times on the same SM. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/examiner.h"
#include "sim/random.h"
#include "tests/support/random_world.h"
#include "tests/support/suite.h"

/* ---- Blocks of a trace ---- */

/* A block with the kernel that it is of. */
struct block {
    uint32_t task, job, index, sm, threads;
    size_t launch; /* record of its kernel */
    grt_time start, end, kernel_start, kernel_end;
    const char *kernel;
};

struct blocks {
    struct block *items;
    size_t count;
};

static int compare(const void *left, const void *right) {
    const struct block *a = left, *b = right;
    const int64_t differences[] = {(int64_t)a->task - b->task,
                                   (int64_t)a->job - b->job,
                                   a->kernel_start - b->kernel_start,
                                   a->kernel_end - b->kernel_end,
                                   strcmp(a->kernel, b->kernel),
                                   (int64_t)a->threads - b->threads,
                                   (int64_t)a->launch - (int64_t)b->launch,
                                   (int64_t)a->index - b->index,
                                   a->start - b->start,
                                   a->end - b->end,
                                   (int64_t)a->sm - b->sm};
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        if (differences[i] != 0) {
            return differences[i] < 0 ? -1 : 1;
        }
    }
    return 0;
}

/* Kernels that are given by their time fill an SM; a block that can be measured has no more than CUDA's 1024 threads. */
static uint32_t threads_of(const struct grt_trace_memory *trace, const struct grt_trace_record *kernel) {
    for (size_t i = 0; i < trace->name_count; i++) {
        const struct grt_trace_name *name = &trace->names[i];
        if (name->kind == GRT_NAME_KERNEL && name->index == kernel->task &&
            name->segment == grt_trace_segment(kernel->detail) &&
            name->command == grt_trace_command(kernel->detail)) {
            return name->weight < 1024 ? name->weight : 1024;
        }
    }
    return 0;
}

/* By the rule of the trace: a block belongs to the next kernel of its task, job and grid. Kernels that were given up, are
 * still open, or have blocks that ran twice could not have been measured. */
static void take_kernel(const struct grt_trace_memory *trace, size_t kernel, bool *used, struct blocks *out) {
    const struct grt_trace_record *end = &trace->records[kernel];
    size_t before = out->count;
    bool whole = end->flags == 0;
    for (size_t i = 0; i < kernel; i++) {
        const struct grt_trace_record *record = &trace->records[i];
        if (record->kind != GRT_TRACE_BLOCK || used[i] || record->task != end->task ||
            record->job != end->job || grt_trace_grid(record->row) != grt_trace_grid(end->row)) {
            continue;
        }
        used[i] = true;
        whole = whole && record->flags == 0;
        out->items[out->count++] = (struct block){
            .task = record->task,
            .job = record->job,
            .index = record->detail,
            .sm = grt_trace_row(record->row),
            .threads = threads_of(trace, end),
            .launch = kernel,
            .start = record->other,
            .end = record->time,
            .kernel_start = end->other,
            .kernel_end = end->time,
            .kernel = grt_trace_memory_name(trace, GRT_NAME_KERNEL, end->task, grt_trace_segment(end->detail),
                                            grt_trace_command(end->detail))};
    }
    out->count = whole ? out->count : before;
}

static struct blocks blocks_of(const struct grt_trace_memory *trace) {
    struct blocks blocks = {.items = grt_allocate(trace->record_count * sizeof *blocks.items)};
    bool *used = grt_allocate(trace->record_count * sizeof *used);
    memset(used, 0, trace->record_count * sizeof *used);
    for (size_t i = 0; i < trace->record_count; i++) {
        if (trace->records[i].kind == GRT_TRACE_KERNEL) {
            take_kernel(trace, i, used, &blocks);
        }
    }
    free(used);
    qsort(blocks.items, blocks.count, sizeof *blocks.items, compare);
    return blocks;
}

/* The examiner numbers iterations from 0 without gaps; so are these jobs and tasks then. Launches need no number more. */
static void renumber(struct blocks *blocks) {
    struct block last = {0};
    uint32_t task = 0, job = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        struct block *block = &blocks->items[i], seen = *block;
        bool next_task = i > 0 && block->task != last.task;
        job = next_task ? 0 : job + (i > 0 && block->job != last.job);
        task += next_task;
        last = seen;
        block->task = task;
        block->job = job;
    }
}

/* All as one iteration of one benchmark that uses many streams, so that its kernels overlap. */
static void merge(struct blocks *blocks) {
    for (size_t i = 0; i < blocks->count; i++) {
        blocks->items[i].task = blocks->items[i].job = 0;
    }
    qsort(blocks->items, blocks->count, sizeof *blocks->items, compare);
}

/* ---- Writing ---- */

static void put_time(FILE *out, const char *between, grt_time time) {
    fprintf(out, "%s%" PRId64 ".%09" PRId64, between, time / GRT_SECOND, time % GRT_SECOND);
}

static size_t put_kernel(FILE *out, const struct blocks *blocks, size_t first, grt_time shift) {
    const struct block *kernel = &blocks->items[first];
    size_t end = first;
    while (end < blocks->count && blocks->items[end].launch == kernel->launch) {
        end++;
    }
    fprintf(out, ",\n{\"kernel_name\":\"%s\",\"block_count\":%zu,\"thread_count\":%u,\"shared_memory\":0",
            kernel->kernel, end - first, kernel->threads);
    put_time(out, ",\"cuda_launch_times\":[", kernel->kernel_start + shift);
    put_time(out, ",", kernel->kernel_start + shift);
    fputs(",0.000000000],\"block_times\":", out);
    for (size_t i = first; i < end; i++) {
        put_time(out, i == first ? "[" : ",", blocks->items[i].start + shift);
        put_time(out, ",", blocks->items[i].end + shift);
    }
    fputs("],\"block_smids\":", out);
    for (size_t i = first; i < end; i++) {
        fprintf(out, "%s%u", i == first ? "[" : ",", blocks->items[i].sm);
    }
    fprintf(out, "],\"cpu_core\":%u}", kernel->task);
    return end;
}

/* One task's iterations from `first` on; returns what is behind them. */
static size_t put_file(FILE *out, const struct blocks *blocks, size_t first, grt_time shift) {
    const struct block *block = &blocks->items[first];
    fprintf(
        out,
        "{\"scenario_name\":\"random\",\"benchmark_name\":\"task\",\"label\":\"task %u\","
        "\"max_resident_threads\":65536,\"data_size\":0,\"release_time\":0.000000,\"PID\":1,\"times\":[{}",
        block->task);
    size_t i = first;
    while (i < blocks->count && blocks->items[i].task == block->task) {
        uint32_t job = blocks->items[i].job;
        put_time(out, ",\n{\"cpu_times\":[", blocks->items[i].kernel_start + shift);
        put_time(out, ",", blocks->items[i].kernel_start + shift);
        fputs("]}", out);
        while (i < blocks->count && blocks->items[i].task == block->task && blocks->items[i].job == job) {
            i = put_kernel(out, blocks, i, shift);
        }
    }
    fputs("\n]}", out);
    return i;
}

/* ---- Comparing ---- */

enum { MOST_FILES = 64 };

static bool are_equal(struct blocks *wanted, struct blocks *got) {
    if (wanted->count != got->count) {
        printf("\n    %zu blocks instead of %zu", got->count, wanted->count);
        return false;
    }
    for (size_t i = 0; i < wanted->count; i++) {
        wanted->items[i].launch = got->items[i].launch = 0;
    }
    qsort(wanted->items, wanted->count, sizeof *wanted->items, compare);
    qsort(got->items, got->count, sizeof *got->items, compare);
    for (size_t i = 0; i < wanted->count; i++) {
        if (compare(&wanted->items[i], &got->items[i]) != 0) {
            printf("\n    block %zu differs", i);
            return false;
        }
    }
    return true;
}

/* Whether the trace of the files has those blocks, at times that are `shift` less than theirs. */
static bool has_blocks(const struct grt_examiner_file *files, size_t count,
                       const struct grt_examiner_options *options, grt_time shift, struct blocks *wanted) {
    struct grt_trace_memory kept = {0};
    struct grt_trace *trace = grt_trace_create();
    grt_trace_add_sink(trace, &grt_trace_memory_sink, &kept);
    shift -= grt_examiner_write(files, count, options, trace);
    grt_trace_finish(trace);
    grt_trace_free(trace);
    for (size_t i = 0; i < kept.record_count; i++) {
        kept.records[i].time -= shift;
        kept.records[i].other -= kept.records[i].kind == GRT_TRACE_RELEASE ? 0 : shift;
    }
    struct blocks got = blocks_of(&kept);
    bool equal = are_equal(wanted, &got);
    free(got.items);
    grt_trace_memory_free(&kept);
    return equal;
}

static bool survives(struct blocks *blocks, grt_time shift, enum grt_examiner_zero zero) {
    struct grt_examiner_file files[MOST_FILES];
    struct grt_examiner_options options = {.zero = zero};
    struct grt_arena arena = {0};
    struct grt_errors errors = {0};
    size_t count = 0;
    for (size_t i = 0; i < blocks->count && count < MOST_FILES; count++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        i = put_file(out, blocks, i, shift);
        fclose(out);
        grt_examiner_parse("random.json", text, size, &arena, &files[count], &errors);
        free(text);
    }
    bool good = errors.count == 0 && grt_examiner_check(files, count, &options, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    good = good && has_blocks(files, count, &options, shift, blocks);
    grt_errors_clear(&errors);
    grt_arena_clear(&arena);
    return good;
}

/* ---- Worlds ---- */

static void test_random_worlds(void) {
    const struct grt_policy_ops *policy = grt_policy_find("hardware");
    int worlds = 0;
    for (int i = 0, cases = grt_suite_all_cases(150, 5000); i < cases; i++) {
        struct grt_builder *builder = grt_random_world((uint64_t)i);
        struct grt_built_run run;
        grt_built_run_start(&run, &builder->scenario, policy, false);
        CU_ASSERT_PTR_NOT_NULL_FATAL(run.world);
        struct blocks blocks = blocks_of(&run.kept);
        renumber(&blocks);
        if (i % 3 == 0) {
            merge(&blocks);
        }
        if (blocks.count > 0) {
            struct grt_random random = grt_random_stream((uint64_t)i, "shift", 0, 0);
            grt_time shift = (grt_time)grt_random_below(&random, (uint64_t)(1000 * GRT_SECOND));
            bool good =
                survives(&blocks, shift, i % 2 == 0 ? GRT_EXAMINER_ZERO_RELEASE : GRT_EXAMINER_ZERO_FILE);
            if (!good) {
                printf(" (world %d)\n", i);
            }
            CU_ASSERT_TRUE(good);
            worlds++;
        }
        free(blocks.items);
        grt_built_run_free(&run);
        grt_builder_free(builder);
    }
    CU_ASSERT(worlds > 100);
}

int main(void) {
    CU_TestInfo tests[] = {{"random worlds", test_random_worlds}, CU_TEST_INFO_NULL};
    return grt_suite_run("property examiner", tests);
}
