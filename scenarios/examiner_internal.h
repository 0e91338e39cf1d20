/* What the two halves of writing share: names and records. */
#ifndef GRT_SCENARIOS_EXAMINER_INTERNAL_H
#define GRT_SCENARIOS_EXAMINER_INTERNAL_H

#include "scenarios/examiner.h"

/* The segments of an iteration. */
enum { EXAMINER_COPY_IN, EXAMINER_EXECUTE, EXAMINER_COPY_OUT };

/* The kinds of kernels of one file: launches of equal names and threads are one, but each again for every launch that an
 * iteration has of it. So a launch and its iteration say which kernel it is, as number of the command. */
struct examiner_places {
    uint16_t *commands; /* of all launches, in the order of the file */
    uint32_t command_count;
    const struct grt_examiner_kernel **firsts; /* for each command a launch of it */
};

/* Numbers the launches of a file, in the order of their first occurrence; false if there are more commands than a trace
 * can name. The arena owns the result. */
bool examiner_places_find(const struct grt_examiner_file *file, struct grt_arena *arena,
                          struct examiner_places *out);

/* The cores that the files name, ascending and each once; the arena owns the result. */
struct examiner_cores {
    int32_t *numbers;
    uint32_t count;
};

struct examiner_cores examiner_cores_find(const struct grt_examiner_file *files, size_t count,
                                          struct grt_arena *arena);

/* The core of an iteration: that of its first kernel which says it; -1: not known. */
int32_t examiner_core_of(const struct grt_examiner_job *job);

/* The row of a task's job on cores: its place in the list, or behind it a row of the task's own. */
uint32_t examiner_core_row(const struct examiner_cores *cores, int32_t core, size_t task);

/* Passes the names of everything on to the trace. */
void examiner_write_names(const struct grt_examiner_file *files, size_t count,
                          const struct examiner_places *places, const struct examiner_cores *cores,
                          const struct grt_examiner_sms *sms, struct grt_trace *trace);

/* From the first block's start to the last one's end. */
struct grt_examiner_span examiner_kernel_span(const struct grt_examiner_kernel *kernel);

/* One launch of an iteration, in the order of their starts on the GPU. */
struct examiner_launch {
    struct grt_examiner_span span;
    size_t kernel;
    uint32_t grid; /* 0, or what keeps it apart from others that it overlaps */
};

/* Orders the launches of an iteration and gives grids to those that overlap, so that a block belongs to the next kernel of its
 * grid in the trace; `out` has room for all. False if more than GRT_EXAMINER_GRIDS overlap. */
bool examiner_launches_find(const struct grt_examiner_job *job, struct examiner_launch *out);

#endif
