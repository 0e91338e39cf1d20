/* From measured iterations to the records of a trace. */
#include <stdlib.h>
#include <string.h>

#include "scenarios/examiner_internal.h"

/* ---- Launches ---- */

struct grt_examiner_span examiner_kernel_span(const struct grt_examiner_kernel *kernel) {
    struct grt_examiner_span span = kernel->blocks[0];
    for (size_t i = 1; i < kernel->block_count; i++) {
        span.start = kernel->blocks[i].start < span.start ? kernel->blocks[i].start : span.start;
        span.end = kernel->blocks[i].end > span.end ? kernel->blocks[i].end : span.end;
    }
    return span;
}

static int compare_launches(const void *left, const void *right) {
    const struct examiner_launch *a = left, *b = right;
    if (a->span.start != b->span.start) {
        return a->span.start < b->span.start ? -1 : 1;
    }
    if (a->span.end != b->span.end) {
        return a->span.end < b->span.end ? -1 : 1;
    }
    return (a->kernel > b->kernel) - (a->kernel < b->kernel);
}

bool examiner_launches_find(const struct grt_examiner_job *job, struct examiner_launch *out) {
    grt_time ends[GRT_EXAMINER_GRIDS]; /* of the latest launch with each grid */
    uint32_t used = 0;
    for (size_t i = 0; i < job->kernel_count; i++) {
        out[i] = (struct examiner_launch){.span = examiner_kernel_span(&job->kernels[i]), .kernel = i};
    }
    qsort(out, job->kernel_count, sizeof *out, compare_launches);
    for (size_t i = 0; i < job->kernel_count; i++) {
        uint32_t grid = 0;
        while (grid < used && ends[grid] > out[i].span.start) {
            grid++;
        }
        if (grid == GRT_EXAMINER_GRIDS) {
            return false;
        }
        used += grid == used;
        ends[grid] = out[i].span.end;
        out[i].grid = grid;
    }
    return true;
}

/* ---- Checks ---- */

static void check_same_experiment(const struct grt_examiner_file *first, const struct grt_examiner_file *file,
                                  struct grt_errors *errors) {
    if (strcmp(first->scenario, file->scenario) != 0) {
        grt_error_add(errors, NULL,
                      "%s: is of the experiment \"%.80s\", but %s of \"%.80s\": import one at a time",
                      file->path, file->scenario, first->path, first->scenario);
    }
    if (first->resident_threads != file->resident_threads) {
        grt_error_add(
            errors, NULL,
            "%s: is of a GPU that holds %lld threads, but %s of one with %lld: import one GPU at a time",
            file->path, (long long)file->resident_threads, first->path, (long long)first->resident_threads);
    }
}

static void check_overlaps(const struct grt_examiner_file *file, struct grt_errors *errors) {
    for (size_t i = 0; i < file->job_count; i++) {
        const struct grt_examiner_job *job = &file->jobs[i];
        struct examiner_launch *launches = grt_allocate(job->kernel_count * sizeof *launches);
        if (!examiner_launches_find(job, launches)) {
            grt_error_add(errors, NULL, "%s: iteration %zu has more than %d kernels at a time", file->path, i,
                          GRT_EXAMINER_GRIDS);
        }
        free(launches);
    }
}

bool grt_examiner_check(const struct grt_examiner_file *files, size_t count,
                        const struct grt_examiner_options *options, struct grt_errors *errors) {
    size_t before = errors->count;
    if (count > GRT_EXAMINER_FILES) {
        grt_error_add(errors, NULL, "%zu files are more than %d, the most of one experiment", count,
                      GRT_EXAMINER_FILES);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct grt_arena arena = {0};
        struct examiner_places places;
        check_same_experiment(&files[0], &files[i], errors);
        check_overlaps(&files[i], errors);
        if (!examiner_places_find(&files[i], &arena, &places)) {
            grt_error_add(errors, NULL, "%s: has more than %d different kernels", files[i].path,
                          GRT_EXAMINER_PLACES);
        }
        grt_arena_clear(&arena);
    }
    struct grt_examiner_sms sms = grt_examiner_sms(files, count, options);
    if (errors->count == before && options->sm_threads > 0 && count > 0 &&
        (int64_t)sms.count * options->sm_threads != files[0].resident_threads) {
        grt_error_add(
            errors, NULL,
            "%s: the GPU holds %lld threads and its blocks ran on SMs up to %u: an SM cannot hold %lld",
            files[0].path, (long long)files[0].resident_threads, (unsigned)sms.count - 1,
            (long long)options->sm_threads);
    }
    return errors->count == before;
}

/* ---- Records ---- */

/* A record and where it was added: in this order those of one instant stay. */
struct placed {
    struct grt_trace_record record;
    size_t position;
};

struct writer {
    struct placed *placed;
    size_t count;
    const struct examiner_cores *cores;
    const struct examiner_places *places; /* of the task at hand */
    size_t launch;                        /* the number of its next launch */
    uint16_t task;
    uint32_t job;
};

static size_t records_of(const struct grt_examiner_file *file) {
    size_t count = 0;
    for (size_t i = 0; i < file->job_count; i++) {
        count += 7; /* release, request, segment, finish, and three stays on a core */
        for (size_t k = 0; k < file->jobs[i].kernel_count; k++) {
            count += 2 + (size_t)file->jobs[i].kernels[k].block_count;
        }
    }
    return count;
}

static void add(struct writer *writer, enum grt_trace_kind kind, grt_time other, grt_time time, uint32_t row,
                uint32_t detail) {
    writer->placed[writer->count] = (struct placed){.record = {.time = time,
                                                               .other = other,
                                                               .job = writer->job,
                                                               .detail = detail,
                                                               .row = row,
                                                               .task = writer->task,
                                                               .kind = (uint8_t)kind},
                                                    .position = writer->count};
    writer->count++;
}

/* What the host did, as time on its core: the file says when a call began and returned, not whether it slept. */
static void add_host(struct writer *writer, const struct grt_examiner_span *span, uint32_t core,
                     uint32_t segment) {
    if (span->start != GRT_TIME_NEVER) {
        add(writer, GRT_TRACE_CPU, span->start, span->end, core, segment);
    }
}

static void add_kernel(struct writer *writer, const struct grt_examiner_kernel *kernel,
                       const struct examiner_launch *launch, uint32_t core) {
    add_host(writer, &kernel->launch, core, EXAMINER_EXECUTE);
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        add(writer, GRT_TRACE_BLOCK, kernel->blocks[i].start, kernel->blocks[i].end,
            grt_trace_grid_row(kernel->sms[i], launch->grid), i);
    }
    uint16_t command = writer->places->commands[writer->launch + launch->kernel];
    add(writer, GRT_TRACE_KERNEL, launch->span.start, launch->span.end,
        grt_trace_grid_row(writer->task, launch->grid), grt_trace_place(EXAMINER_EXECUTE, command));
}

static void add_kernels(struct writer *writer, const struct grt_examiner_job *job, uint32_t core) {
    struct examiner_launch *launches = grt_allocate(job->kernel_count * sizeof *launches);
    examiner_launches_find(job, launches);
    for (size_t i = 0; i < job->kernel_count; i++) {
        add_kernel(writer, &job->kernels[launches[i].kernel], &launches[i], core);
    }
    free(launches);
    writer->launch += job->kernel_count;
}

/* From the first launch to the last block or what waited for it. */
static struct grt_examiner_span launches_span(const struct grt_examiner_job *job) {
    struct grt_examiner_span span = job->kernels[0].launch;
    for (size_t i = 0; i < job->kernel_count; i++) {
        const struct grt_examiner_kernel *kernel = &job->kernels[i];
        grt_time end = examiner_kernel_span(kernel).end;
        end = kernel->launch.end > end ? kernel->launch.end : end;
        end =
            kernel->synchronized != GRT_TIME_NEVER && kernel->synchronized > end ? kernel->synchronized : end;
        span.start = kernel->launch.start < span.start ? kernel->launch.start : span.start;
        span.end = end > span.end ? end : span.end;
    }
    return span;
}

/* The GPU segment: from the beginning of the phase "execute" to its end, or that of the last block where nothing waited. */
static struct grt_examiner_span segment_of(const struct grt_examiner_job *job) {
    if (job->execute.start == GRT_TIME_NEVER && job->cpu.start == GRT_TIME_NEVER) {
        return launches_span(job);
    }
    struct grt_examiner_span span = job->execute.start != GRT_TIME_NEVER ? job->execute : job->cpu;
    for (size_t i = 0; i < job->kernel_count; i++) {
        grt_time end = examiner_kernel_span(&job->kernels[i]).end;
        span.end = end > span.end ? end : span.end;
    }
    return span;
}

static void add_job(struct writer *writer, const struct grt_examiner_job *job) {
    uint32_t core = examiner_core_row(writer->cores, examiner_core_of(job), writer->task);
    struct grt_examiner_span whole = job->cpu;
    if (whole.start == GRT_TIME_NEVER) {
        whole = launches_span(job);
    }
    add(writer, GRT_TRACE_RELEASE, GRT_TIME_NEVER, whole.start, 0, 0);
    add_host(writer, &job->copy_in, core, EXAMINER_COPY_IN);
    if (job->kernel_count > 0) {
        struct grt_examiner_span segment = segment_of(job);
        add(writer, GRT_TRACE_GPU_REQUEST, 0, segment.start, 0, EXAMINER_EXECUTE);
        add_kernels(writer, job, core);
        add(writer, GRT_TRACE_GPU_SEGMENT, segment.start, segment.end, writer->task, EXAMINER_EXECUTE);
    } else {
        add_host(writer, &job->execute, core, EXAMINER_EXECUTE); /* a benchmark of the CPU */
    }
    add_host(writer, &job->copy_out, core, EXAMINER_COPY_OUT);
    add(writer, GRT_TRACE_FINISH, whole.start, whole.end, 0, 0);
}

/* ---- The instant 0 ---- */

static bool has_start(const struct grt_trace_record *record) {
    return record->kind != GRT_TRACE_RELEASE && record->kind != GRT_TRACE_GPU_REQUEST;
}

static grt_time earliest(const struct writer *writer) {
    grt_time first = GRT_TIME_NEVER;
    for (size_t i = 0; i < writer->count; i++) {
        const struct grt_trace_record *record = &writer->placed[i].record;
        grt_time start = has_start(record) ? record->other : record->time;
        first = start < first ? start : first;
    }
    return first;
}

/* All benchmarks wait for each other, sleep for their release times, and begin. Sleeping takes longer than asked for, so the
 * one that was least late says best when that was; nothing may come before. */
static grt_time common_release(const struct grt_examiner_file *files, size_t count,
                               const struct writer *writer) {
    grt_time release = earliest(writer);
    for (size_t i = 0; i < count; i++) {
        const struct grt_examiner_job *job = &files[i].jobs[0];
        grt_time begin = job->cpu.start != GRT_TIME_NEVER ? job->cpu.start : launches_span(job).start;
        release = begin - files[i].release_time < release ? begin - files[i].release_time : release;
    }
    return release;
}

static void subtract(struct writer *writer, grt_time zero) {
    for (size_t i = 0; i < writer->count; i++) {
        struct grt_trace_record *record = &writer->placed[i].record;
        record->time -= zero;
        record->other -= has_start(record) ? zero : 0;
    }
}

/* ---- The whole ---- */

static int compare_placed(const void *left, const void *right) {
    const struct placed *a = left, *b = right;
    if (a->record.time != b->record.time) {
        return a->record.time < b->record.time ? -1 : 1;
    }
    return (a->position > b->position) - (a->position < b->position);
}

static void add_files(struct writer *writer, const struct grt_examiner_file *files, size_t count,
                      const struct examiner_places *places) {
    for (size_t i = 0; i < count; i++) {
        writer->task = (uint16_t)i;
        writer->places = &places[i];
        writer->launch = 0;
        for (size_t j = 0; j < files[i].job_count; j++) {
            writer->job = (uint32_t)j;
            add_job(writer, &files[i].jobs[j]);
        }
    }
}

grt_time grt_examiner_write(const struct grt_examiner_file *files, size_t count,
                            const struct grt_examiner_options *options, struct grt_trace *trace) {
    struct grt_arena arena = {0};
    struct examiner_places *places = grt_arena_array(&arena, count, sizeof *places);
    struct examiner_cores cores = examiner_cores_find(files, count, &arena);
    struct grt_examiner_sms sms = grt_examiner_sms(files, count, options);
    size_t records = 0;
    for (size_t i = 0; i < count; i++) {
        examiner_places_find(&files[i], &arena, &places[i]);
        records += records_of(&files[i]);
    }
    examiner_write_names(files, count, places, &cores, &sms, trace);
    struct writer writer = {.placed = grt_allocate(records * sizeof *writer.placed), .cores = &cores};
    add_files(&writer, files, count, places);
    grt_time zero = 0;
    if (options->zero == GRT_EXAMINER_ZERO_RELEASE) {
        zero = common_release(files, count, &writer);
        subtract(&writer, zero);
    }
    qsort(writer.placed, writer.count, sizeof *writer.placed, compare_placed);
    for (size_t i = 0; i < writer.count; i++) {
        grt_trace_add(trace, writer.placed[i].record);
    }
    free(writer.placed);
    grt_arena_clear(&arena);
    return zero;
}
