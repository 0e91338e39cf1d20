/* The inside of measuring. An experiment is a file with one table of functions; what all share is here. */
#ifndef GRT_CALIB_MEASURE_INTERNAL_H
#define GRT_CALIB_MEASURE_INTERNAL_H

#include "calib/measure/host.h"
#include "calib/measure/measure.h"
#include "sim/random.h"

enum { OWN_NUMBERS = 5, SM_NUMBERS = 65536, REFUSALS = 8 };

/* A workload, sized for the device. */
struct workload {
    struct grt_raw_workload raw;
    uint32_t wave;  /* blocks that the device holds at a time */
    double span_ns; /* alone, on all SMs, as it was when its size was sought */
};

/* A cell of the experiment that is under way. */
struct cell {
    struct grt_raw_key keys[GRT_RAW_KEYS];
    size_t key_count;
    const struct workload *workload, *beside; /* NULL: none */
    int64_t numbers[OWN_NUMBERS];             /* the experiment's own */
    uint32_t rank;   /* 0: wanted in any case; cells of higher ranks are left out first */
    uint32_t setup;  /* cells of one setup are visited together; 0: needs none */
    double cost_ns;  /* of a sample, expected, besides what every sample costs */
    double *figures; /* what each sample comes to, */
    double *visits;  /* and the median of each visit, by which its end is found */
    uint32_t figure_count, figure_capacity, visit_count, visit_capacity, drops_in_row;
    /* Of the samples since the last one that was kept, those that were dropped because their SMs were slow: how many, and their frequencies. */
    uint32_t slow_in_row;
    double slow_lowest, slow_highest, slow_sum;
    double own_hertz;          /* what the cell's samples are judged by; 0: the warm frequency */
    bool done, given_up, told; /* told: there is a line about the partitions of its setup */
};

/* Setups of the experiment that were not possible, and why: a constant text. */
struct refusal {
    const char *why;
    uint32_t setups, cells;
};

enum taken {
    TAKEN,
    /* It is not of what the cell says, since: */
    UNRECORDED, /* a block left no record of its end */
    MISPLACED,  /* blocks were on other SMs, or not at the same time */
    APART,      /* what was to be beside it was not, or not all the time */
};

struct measure;

struct experiment {
    double weight;                   /* its part of the budget, against those of the others */
    uint32_t least, most, per_visit; /* samples of a cell; 0: as the plan says */
    /* The first sample of a visit, behind other work and a pause, is none of the cell's, whose samples are right behind each other. It is one of a cell of its own, of one value, which
     * is called as the other one, with `run`: "first". False: it is left out. */
    bool tells_first;
    bool keeps_slow; /* samples at a low clock count, too: the longest times are what is measured */
    /* Adds the cells. False: there is nothing to measure on this device, because `why`. */
    bool (*plan)(struct measure *measure, const char **why);
    /* Takes a sample: adds rows of values. */
    enum taken (*sample)(struct measure *measure, struct cell *cell);
    /* Before the first cell of a setup is visited, and after the last one. NULL: not needed. False: it is not possible, because `why`. */
    bool (*setup)(struct measure *measure, const struct cell *cell, const char **why);
    void (*teardown)(struct measure *measure);
};

extern const struct experiment grt_experiment_clock, grt_experiment_launch, grt_experiment_residency,
    grt_experiment_dispatch, grt_experiment_coresidency, grt_experiment_waves, grt_experiment_split,
    grt_experiment_copy, grt_experiment_engines, grt_experiment_priority, grt_experiment_partition,
    grt_experiment_together, grt_experiment_worst;

struct measure {
    struct grt_bench *bench;
    const struct grt_bench_device *device;
    const struct grt_plan *plan;
    struct grt_raw_writer *writer;
    const struct grt_errors *errors;
    struct grt_random random; /* of samples: the order of visits has its own */
    bool unwritten, stopped;

    grt_time start, end; /* of the whole, by the host's clock */
    grt_time origin_host;
    uint64_t origin_device;
    grt_time offset_at, health_at, health_written_at; /* when last looked at */
    uint64_t health_reasons;
    int pcie_generation, pcie_lanes; /* as last written */
    uint64_t usual_reasons;          /* of those that slow a device: what is so all the time */
    grt_time pause;                  /* after throttling, growing */
    grt_time rested;                 /* all pauses so far */
    grt_time warm_at;                /* when the warm frequency was last sought */

    double warm_hertz, overhead_ns; /* of a sample of nothing */
    grt_time tick_ns;
    struct workload workloads[GRT_PLAN_WORKLOADS];
    size_t workload_count;

    enum grt_experiment number; /* that is under way */
    const struct experiment *experiment;
    struct cell *cells;
    uint32_t cell_count, cell_capacity;
    uint32_t setup; /* that stands */
    struct refusal refusals[REFUSALS];
    size_t refusal_count;
    grt_time deadline;

    enum grt_partition_how how;         /* of partitions; none: not tried yet */
    uint32_t streams[2];                /* on all SMs, of the lowest priority */
    struct grt_partition partitions[2]; /* of the setup that stands */
    uint32_t partition_streams[2];
    uint64_t inside[SM_NUMBERS / 64]; /* a bit for each SM of the first partition */

    int64_t *rows; /* of the visit, row by row */
    uint32_t row_count, row_values, row_capacity;
    double figure; /* what the sample comes to; not a number: the median of its rows' first values */
    uint64_t cycles, cycles_ns, longest_cycles, longest_ns; /* of the sample's blocks */
};

/* ---- measuring itself (measure.c) ---- */

/* Whether to go on: not lost, not stopped, written so far. */
bool grt_measure_goes_on(struct measure *measure);
grt_time grt_measure_now(const struct measure *measure);
void grt_measure_skip(struct measure *measure, const char *experiment, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void grt_measure_progress(struct measure *measure, const char *experiment, size_t cells, size_t done);

/* ---- an experiment's way (rounds.c) ---- */

/* Its part of the budget, against those of the others. */
double grt_experiment_weight(enum grt_experiment number);
/* Measures it, for so long at most. */
void grt_measure_experiment(struct measure *measure, enum grt_experiment number, grt_time span);

/* ---- a cell's visits (visit.c) ---- */

/* Samples in a row that are dropped, after which a cell is given up. */
enum { GRT_DROPS_IN_A_ROW = 40 };

/* Of a cell: what the experiment says, but no more than the plan. */
uint32_t grt_most_samples(const struct measure *measure);
uint32_t grt_least_samples(const struct measure *measure);
/* Takes some samples and writes them as a line; says in the cell whether that is enough, or vain. */
void grt_visit_cell(struct measure *measure, struct cell *cell);

/* ---- cells (cell.c) ---- */

/* A new cell. The pointer is good until the next one is made. */
struct cell *grt_cell_add(struct measure *measure, uint32_t rank, double cost_ns);
void grt_cell_text(struct cell *cell, const char *name, const char *text);
void grt_cell_number(struct cell *cell, const char *name, int64_t number);
/* Left out beforehand: those of the highest ranks, as long as all need more than this. Returns how many. */
uint32_t grt_cells_trim(struct measure *measure, double span_ns, uint32_t least);
void grt_cells_clear(struct measure *measure);
/* Adds a row of the sample: as many values as the cell has columns. */
void grt_cell_row(struct measure *measure, const int64_t *values, uint32_t count);
/* What is said of a visit besides its rows. */
struct visited {
    grt_time at;
    int cpu;      /* that the thread was on when it began; below 0: not known */
    double hertz; /* of the SMs; 0: not known */
    size_t dropped_for[GRT_RAW_DROPS];
};
/* Begins now. */
struct visited grt_cell_visited(const struct measure *measure);
/* Writes the rows of a visit as a line, and forgets them. */
void grt_cell_write(struct measure *measure, const struct cell *cell, const struct visited *visited);

/* ---- the device (state.c) ---- */

/* Spins until the frequency stands still, which becomes the warm one. */
void grt_measure_warm_up(struct measure *measure);
/* Writes samples of the steps of the device's timer and of events, which fits of whatever is measured need (clock.c). */
void grt_measure_steps(struct measure *measure);
/* Looks at the clocks' offset, or does if that was long ago; writes a line of it. Not within a visit. */
void grt_measure_offset(struct measure *measure, uint32_t exchanges);
void grt_measure_offset_if_due(struct measure *measure);
/* Whatever slows the device now, when it is warm, slows it all the time: says so, and measuring goes on. */
void grt_measure_note_health(struct measure *measure);
/* Asks the management library, if it is time. True: something slows the device that does not so all the time, and it has been given a pause. What does not go away by pauses is
 * so all the time from then on. */
bool grt_measure_is_throttled(struct measure *measure);

/* ---- samples (take.c) ---- */

struct span {
    uint64_t start, end; /* by the device's timer */
};

/* A block tells its SM's frequency from so many of the timer's ticks on: to half a percent. */
enum { GRT_TICKS_OF_A_FREQUENCY = 200 };

/* The first start and the last end of records, and the frequency of their SMs, which the sample is judged by. False: a block has no end, or the bench is lost. */
bool grt_take_records(struct measure *measure, const struct grt_block_record *records, uint32_t count,
                      struct span *span);
/* Forgets the cycles and times of blocks that are of no sample: before one, and before it is launched again. */
void grt_take_anew(struct measure *measure);
/* Fetches them first. */
bool grt_take_span(struct measure *measure, uint32_t from, uint32_t count, struct span *span);
/* Launches a kernel alone in a stream, its records from 0 on, and waits for it. */
bool grt_take_kernel(struct measure *measure, uint32_t stream, const struct grt_bench_launch *launch,
                     struct span *span);
/* The launch of so many blocks of a workload, with records. */
struct grt_bench_launch grt_take_workload(const struct workload *workload, uint32_t blocks, uint32_t slot);
/* A row of one value. */
enum taken grt_take_value(struct measure *measure, int64_t value);
/* One of several rows of the sample: the value, and the number of the launch that it is of. */
void grt_take_of_launch(struct measure *measure, const struct cell *cell, int64_t value);

/* ---- some of the SMs (parts.c) ---- */

/* What a cell's own numbers are in experiments on some of the SMs. `launches` of the other kernel cover the first one's time; it grows as needed. */
enum { PART_SMS, PART_BESIDE_SMS, PART_HOW, PART_LAUNCHES };

/* A cell on so many SMs; `beside`: another workload runs on beside_sms others, or on the same where that is 0; NULL: none. Keys are the caller's. */
struct cell *grt_part_cell(struct measure *measure, const struct workload *workload,
                           const struct workload *beside, const int64_t numbers[PART_LAUNCHES],
                           uint32_t rank);
bool grt_part_setup(struct measure *measure, const struct cell *cell, const char **why);
void grt_part_teardown(struct measure *measure);
/* Runs the cell's workload, alone or with the other one from before its start until after its end. `flush`: with nothing of it in the L2 cache. */
enum taken grt_part_sample(struct measure *measure, struct cell *cell, bool flush);
/* How partitions are made on this device, which is tried the first time, where no setup stands; what does not work is said. */
enum grt_partition_how grt_part_how(struct measure *measure);
/* The next possible size to a wanted one; 0: none. */
uint32_t grt_part_size(const struct measure *measure, enum grt_partition_how how, double wanted);
/* Sizes of two partitions beside each other, of which the first one is about this part of the device, and the second one what is left; on large devices of multiples of eight. False: there
 * are no two. */
bool grt_part_pair(struct measure *measure, double part, uint32_t sizes[2]);

/* ---- workloads (workload.c) ---- */

/* A time that is chosen for a GPU, on this device. */
static inline uint64_t grt_measure_slowed(const struct measure *measure, uint64_t ns) {
    return ns * measure->plan->slowness;
}

/* Sizes those of the plan and writes their lines. */
void grt_measure_workloads(struct measure *measure);
const struct workload *grt_measure_workload(const struct measure *measure, const char *name);

#endif
