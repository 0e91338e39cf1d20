/* A trace file on its way to the screen: how long it takes to read it, to have its timeline ready, and how much memory that
 * takes at most. `gpurt-bench open 10000000` for ten million slices, 320 MB, which are written to a temporary file. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/trace_source.h"
#include "sim/memory.h"
#include "tests/bench/bench.h"
#include "tests/bench/block_file.h"
#include "viz/timeline/timeline.h"

enum { SLICES = 1000000, PATH_SIZE = 4096 };

struct opening {
    char path[PATH_SIZE];
    uint64_t slices;
    char *buffer; /* of a lot */
};

/* ---- Reading ---- */

static bool ignore_names(void *sink, const struct grt_trace_name *names, size_t count) {
    (void)sink;
    (void)names;
    return count > 0;
}

static bool count_records(void *sink, const struct grt_trace_record *records, size_t count) {
    uint64_t *sum = sink;
    *sum += count;
    bench_use(records[count - 1].detail);
    return true;
}

static bool ignore_end(void *sink) {
    return sink != NULL;
}

static void play(const struct opening *opening, const struct grt_trace_sink *sink, void *state) {
    struct grt_trace_source source;
    struct grt_errors errors = {0};
    if (!grt_trace_source_open(&source, opening->path, &errors) ||
        grt_trace_source_play(&source, NULL, sink, state, NULL, &errors) != GRT_PLAY_DONE) {
        grt_errors_print(&errors, stderr, "gpurt-bench: ");
        remove(opening->path);
        exit(EXIT_FAILURE);
    }
    grt_trace_source_close(&source);
}

static uint64_t read_all(void *state) {
    static const struct grt_trace_sink counter = {ignore_names, count_records, ignore_end};
    uint64_t count = 0;
    play(state, &counter, &count);
    return count;
}

static uint64_t open_timeline(void *state) {
    struct grt_timeline timeline = {0};
    play(state, &grt_timeline_sink, &timeline);
    uint64_t count = timeline.record_count;
    grt_timeline_free(&timeline);
    return count;
}

/* The least that reading takes: the bytes are copied out of the system's memory, a lot at a time. */
static uint64_t copy_file(void *state) {
    const struct opening *opening = state;
    int fd = open(opening->path, O_RDONLY);
    ssize_t got = 1;
    for (uint64_t i = 0; got > 0; i++) {
        got = read(fd, opening->buffer, GRT_TRACE_LOT * sizeof(struct grt_trace_record));
        bench_use((uint64_t)opening->buffer[0]);
    }
    close(fd);
    return opening->slices;
}

/* The most memory that a process of its own takes to open the timeline, beyond what it had: bytes per slice. */
static double peak_bytes(struct opening *opening) {
    int ends[2];
    long peak_kib = 0;
    if (pipe(ends) != 0) {
        return 0;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rusage before, after;
        getrusage(RUSAGE_SELF, &before);
        open_timeline(opening);
        getrusage(RUSAGE_SELF, &after);
        peak_kib = after.ru_maxrss - before.ru_maxrss;
        _exit(write(ends[1], &peak_kib, sizeof peak_kib) == sizeof peak_kib ? 0 : 1);
    }
    close(ends[1]);
    bool told = child > 0 && read(ends[0], &peak_kib, sizeof peak_kib) == sizeof peak_kib;
    close(ends[0]);
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    return told ? 1024.0 * (double)peak_kib / (double)opening->slices : 0;
}

static void report(struct opening *opening) {
    double copied = bench_ns_per_unit(copy_file, opening, 5);
    bench_report("memory to open it, bytes per slice", peak_bytes(opening), "a record of the trace", 32, "");
    bench_report("reading a trace file, per record", bench_ns_per_unit(read_all, opening, 5),
                 "its bytes copied by the system", copied, "<= 32 ns");
    bench_report("from the file to its timeline, per slice", bench_ns_per_unit(open_timeline, opening, 3),
                 "its bytes copied by the system", copied, "<= 200 ns");
}

void bench_open(void) {
    struct opening opening = {.slices = bench_argument(SLICES)};
    if (!block_file_write(opening.path, sizeof opening.path, opening.slices)) {
        return;
    }
    opening.buffer = grt_allocate(GRT_TRACE_LOT * sizeof(struct grt_trace_record));
    printf("a trace file of %" PRIu64 " blocks:\n", opening.slices);
    report(&opening);
    remove(opening.path);
    free(opening.buffer);
}
