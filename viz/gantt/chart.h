/* The text Gantt chart between its parts: a grid of cells that the rows' makers paint and viz/gantt/text_gantt.c prints.
 * Internal to viz/. */
#ifndef GRT_VIZ_GANTT_CHART_H
#define GRT_VIZ_GANTT_CHART_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/memory.h"
#include "sim/trace.h"
#include "viz/gantt/text_gantt.h"

/* What a cell shows. Marks stand in the order of their rank: of two marks in a column the later one is shown. */
enum grt_gantt_sign {
    GRT_SIGN_BLANK,
    GRT_SIGN_BOOSTED, /* in the row of the marks, while a job has another priority than its task's */
    GRT_SIGN_RELEASE,
    GRT_SIGN_DEADLINE,
    GRT_SIGN_RELEASE_AND_DEADLINE,
    GRT_SIGN_SKIP,
    GRT_SIGN_ABORT,
    GRT_SIGN_MISS,
    GRT_SIGN_WAIT_CORE, /* what a job does, in the order of priority */
    GRT_SIGN_WAIT_GPU,
    GRT_SIGN_STILL,  /* a kernel whose stream has a share of 0 */
    GRT_SIGN_SERVED, /* a thread of the policy's own computes for it */
    GRT_SIGN_CALL,   /* a call that takes time: a wait for an event, a host function */
    GRT_SIGN_COPY_IN,
    GRT_SIGN_COPY_OUT,
    GRT_SIGN_OVERHEAD, /* of a core: a context switch or wake-up */
    GRT_SIGN_SPIN,     /* busy-waits for the GPU */
    GRT_SIGN_HOST,     /* a host part of a GPU segment, by the job's own thread */
    GRT_SIGN_CPU,
    GRT_SIGN_KERNEL,
    GRT_SIGN_SPIN_KERNEL, /* both at a time */
    GRT_SIGN_TURN,
    GRT_SIGN_OWN,    /* of the policy, for no task */
    GRT_SIGN_THREAD, /* the letter of a thread of the policy's own: of the task behind the last, and so on */
    GRT_SIGN_LETTER, /* the task's letter */
    GRT_SIGN_LEVEL,  /* GRT_SIGN_LEVEL + n: n + 1 eighths */
    GRT_SIGN_LAST_LEVEL = GRT_SIGN_LEVEL + 7,
    GRT_SIGNS
};

struct grt_gantt_cell {
    uint64_t score; /* what is painted over it has to have more */
    uint16_t task;
    uint8_t sign; /* enum grt_gantt_sign */
    bool late;    /* of a job that is past its deadline */
};

struct grt_gantt_row {
    const char *label; /* in the chart's arena */
    struct grt_gantt_cell *cells;
};

struct grt_gantt_chart {
    const struct grt_trace_memory *trace;
    struct grt_text_gantt_options options;
    struct grt_arena arena;
    const struct grt_trace_name **names; /* of the trace, sorted */
    grt_time column_ns, tick_ns;
    grt_time ticks_per_number; /* every how many ticks one has its number */
    uint32_t column_count, label_cells;
    struct grt_gantt_row *rows;
    uint32_t row_count, row_capacity;
    uint32_t task_count, hidden_tasks, hidden_rows;
    struct grt_gantt_stays *stays; /* of each process that takes turns */
    uint32_t process_count;
    bool *is_shared; /* of each stream: its GPU is simulated by shares, so that its kernels have no blocks */
    struct grt_gantt_share *shares; /* by stream and time */
    size_t share_count;
    uint32_t stream_count, shared_rows; /* shared_rows: of streams that are shown */
};

/* A span of time to paint into a row. */
struct grt_gantt_slice {
    grt_time start, end;
    enum grt_gantt_sign sign;
    uint32_t task;
    uint32_t priority; /* the larger is shown; 0: the one that fills more of the column */
    bool keep_short;   /* if it is in no column alone, it claims one; painted later, the smaller yields */
};

/* ---- scale.c ---- */

/* Chooses label_cells (no more than `longest_label`), columns and ticks from the options. */
void grt_gantt_choose_scale(struct grt_gantt_chart *chart, size_t longest_label);

/* The column of an instant of the window; its end belongs to the last one. */
uint32_t grt_gantt_column(const struct grt_gantt_chart *chart, grt_time instant);

/* How much of [start, end) lies in a column, and how much of the window. */
grt_time grt_gantt_overlap(const struct grt_gantt_chart *chart, uint32_t column, grt_time start,
                           grt_time end);
grt_time grt_gantt_column_time(const struct grt_gantt_chart *chart, uint32_t column);

/* Clips a span to the window and finds its columns; false if it lies outside. */
bool grt_gantt_clip(const struct grt_gantt_chart *chart, grt_time *start, grt_time *end, uint32_t *first,
                    uint32_t *last);

/* True if a tick of the axis lies in the column. */
bool grt_gantt_has_tick(const struct grt_gantt_chart *chart, uint32_t column);

/* The first tick at or after the window's beginning, and the unit in which all ticks are whole numbers. */
grt_time grt_gantt_first_tick(const struct grt_gantt_chart *chart);
const char *grt_gantt_tick_unit(const struct grt_gantt_chart *chart, grt_time *unit_ns);

/* ---- rows.c ---- */

/* Adds an empty row; the label is copied. Rows move when another is added: use the returned cells, which do not. */
struct grt_gantt_cell *grt_gantt_add_row(struct grt_gantt_chart *chart, const char *label);

void grt_gantt_paint(const struct grt_gantt_chart *chart, struct grt_gantt_cell *cells,
                     const struct grt_gantt_slice *slice);

/* Sets a mark at an instant, which may lie outside of the window. */
void grt_gantt_mark(const struct grt_gantt_chart *chart, struct grt_gantt_cell *cells, grt_time instant,
                    enum grt_gantt_sign sign);

/* Letters A to Z, a to z, 0 to 9, and "*" for all further tasks. */
char grt_gantt_letter(uint32_t task);

/* ---- names.c ---- */

/* Sorts the names; before they are asked for. */
void grt_gantt_index_names(struct grt_gantt_chart *chart);

/* NULL where the trace has none; of several the first. */
const struct grt_trace_name *grt_gantt_find_name(const struct grt_gantt_chart *chart,
                                                 enum grt_trace_name_kind kind, uint32_t index,
                                                 uint16_t segment, uint16_t command);

/* The name of a row or of a task; "" where the trace has none. */
const char *grt_gantt_name(const struct grt_gantt_chart *chart, enum grt_trace_name_kind kind,
                           uint32_t index);
uint32_t grt_gantt_name_count(const struct grt_gantt_chart *chart, enum grt_trace_name_kind kind);

/* ---- stays.c ---- */

/* Collects when each process had the SMs, once for all rows; frees what that took. */
void grt_gantt_find_stays(struct grt_gantt_chart *chart);
void grt_gantt_free_stays(struct grt_gantt_chart *chart);

/* 1 + the process of a stream; 0 where its GPU is no process's in turns. */
uint32_t grt_gantt_process_of_stream(const struct grt_gantt_chart *chart, uint32_t stream);

/* The first time from *start on, but before `last`, in which a process (numbered so) has the SMs; false if there is none. */
bool grt_gantt_next_stay(const struct grt_gantt_chart *chart, uint32_t process, grt_time *start,
                         grt_time *end, grt_time last);

/* ---- shares.c ---- */

/* Finds out which streams are of GPUs that are simulated by shares, and their shares; before the rows are added. */
void grt_gantt_find_shares(struct grt_gantt_chart *chart);

/* Whether a kernel is on such a stream. */
bool grt_gantt_is_shared(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel);

/* Tells the spans of a kernel on such a stream, from its begin to its end, and which share it had in each, 0 to 100. */
void grt_gantt_each_share(const struct grt_gantt_chart *chart, const struct grt_trace_record *kernel,
                          void (*tell)(void *state, grt_time start, grt_time end, uint32_t share),
                          void *state);

/* ---- hosts.c ---- */

/* Whether cores execute parts of GPU segments: then requests tell which stays are such. */
bool grt_gantt_has_host_parts(const struct grt_gantt_chart *chart);

/* What a stay on a core is in the row of its task; `requests`: of each task its last request of a GPU segment, or NULL. */
enum grt_gantt_sign grt_gantt_stay_sign(const struct grt_trace_record *stay,
                                        const struct grt_trace_record *const *requests);

/* Tells the spans in which jobs of a task that is shown had other priorities than its own, cut to the window. */
void grt_gantt_each_boost(const struct grt_gantt_chart *chart,
                          void (*tell)(void *state, const struct grt_gantt_slice *boost), void *state);

/* ---- One file for each kind of row ---- */

void grt_gantt_add_tasks(struct grt_gantt_chart *chart);
void grt_gantt_add_policy(struct grt_gantt_chart *chart);
void grt_gantt_add_cores_and_engines(struct grt_gantt_chart *chart);
void grt_gantt_add_processes(struct grt_gantt_chart *chart);
void grt_gantt_add_shared_streams(struct grt_gantt_chart *chart);
void grt_gantt_add_sms(struct grt_gantt_chart *chart);

#endif
