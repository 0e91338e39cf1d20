/* A device under test: one device of a driver, with the kernels loaded, buffers allocated, streams, partitions, and a latch that holds streams back while commands are
 * issued, so that the host's own time does not show in what is measured. Everything is allocated before anything is measured. Once a call of the driver has failed, nothing is done any
 * more: grt_bench_is_lost, and the error says what and why. */
#ifndef GRT_CALIB_BENCH_BENCH_H
#define GRT_CALIB_BENCH_BENCH_H

#include "calib/driver/driver.h"
#include "calib/kernels/kernels.h"
#include "sim/error.h"

struct grt_bench;
struct grt_user_kernel;

enum {
    GRT_BENCH_STREAMS = 64,
    GRT_BENCH_EVENTS = 1024,
    GRT_BENCH_UUID_SIZE = 48,
    GRT_BENCH_NAME_SIZE = 128,
    GRT_BENCH_HELD = 500
};

/* What the device says about itself; numbers that it does not say are 0. */
struct grt_bench_device {
    char name[GRT_BENCH_NAME_SIZE], uuid[GRT_BENCH_UUID_SIZE], bus_id[GRT_BENCH_UUID_SIZE];
    int driver_version;     /* 1000 * major + 10 * minor of CUDA */
    int compute_capability; /* 10 * major + minor */
    int sm_count, warp_size, max_threads_per_block, max_threads_per_sm, max_blocks_per_sm;
    int registers_per_sm, registers_per_block;
    int shared_memory_per_sm, shared_memory_per_block, shared_memory_per_block_opt_in, shared_memory_reserved;
    int l2_bytes, async_engines, core_khz, memory_khz, memory_bus_bits, integrated;
    int priority_least, priority_greatest; /* 0 and -5, say */
    int partition_least, partition_step;   /* SMs of a partition by green contexts; 0: there are none */
    int64_t memory_bytes;
};

/* What the driver says about a kernel. */
struct grt_bench_kernel {
    int registers, shared_bytes, max_threads, ptx_version, binary_version;
};

struct grt_bench_options {
    struct grt_driver *driver; /* stays open as long as the bench */
    int device;                /* its number */
    /* of each buffer that kernels read or write, and of the host's; 0: 256 MiB (4 MiB where the driver pretends). Rounded down to a power of two, and less where memory is short */
    size_t buffer_bytes;
    uint32_t record_count; /* 0: 65536 */
    uint32_t order_events; /* the first so many events only order streams: they cannot be timed */
    uint32_t table_count;  /* of GRT_KERNEL_SPIN_TABLE; 0: 65536 */
    const struct grt_user_kernel *user; /* GRT_KERNEL_USER, if any; see calib/kernels/user.h */
};

/* NULL after adding errors. Errors of later calls go there, too: `errors` outlives the bench. */
struct grt_bench *grt_bench_open(const struct grt_bench_options *options, struct grt_errors *errors);
void grt_bench_close(struct grt_bench *bench); /* NULL: nothing */

const struct grt_bench_device *grt_bench_device(const struct grt_bench *bench);
const struct grt_bench_kernel *grt_bench_kernel(const struct grt_bench *bench, enum grt_kernel_id kernel);
/* Who made the user's kernel, and a hash of its PTX (FNV-1a, 64 bits): "NVRTC 13.0; hash 0011223344556677". "" for the bench's own kernels, of which grt_kernels_made_by tells. */
const char *grt_bench_made_by(const struct grt_bench *bench, enum grt_kernel_id kernel);
struct grt_driver *grt_bench_driver(const struct grt_bench *bench);
bool grt_bench_is_simulated(const struct grt_bench *bench); /* time passes in calls of the driver alone */

/* A kernel's kind, the user's as well; NULL: the user gave none. */
const struct grt_kernel_kind *grt_bench_kind(const struct grt_bench *bench, enum grt_kernel_id kernel);

/* How large buffers became: the most that a copy can have. */
size_t grt_bench_buffer_bytes(const struct grt_bench *bench);

/* How many records there are for the caller. */
uint32_t grt_bench_record_count(const struct grt_bench *bench);

bool grt_bench_is_lost(
    const struct grt_bench
        *bench); /* a call has failed; its error was added to the errors of grt_bench_open */

/* The host's time, in ns. */
grt_time grt_bench_now(const struct grt_bench *bench);

/* How many blocks of a kernel the driver says fit on an SM. */
int grt_bench_occupancy(struct grt_bench *bench, enum grt_kernel_id kernel, uint32_t threads,
                        uint32_t shared_bytes);

/* --- Partitions: some of the SMs. */

enum grt_partition_how {
    GRT_PARTITION_NONE,   /* all SMs */
    GRT_PARTITION_GREEN,  /* a green context */
    GRT_PARTITION_FILTER, /* blocks elsewhere leave at once */
};

struct grt_partition {
    enum grt_partition_how how;
    uint32_t sm_count; /* that it has, which may be more than were asked for */
    /* a green context of pairs of SMs, which the driver would not choose so by itself: clusters may be lost */
    bool glued;
    /* their numbers, ascending, as measured; owned by the bench, until grt_bench_unpartition */
    uint16_t *sms;
    uint32_t number; /* the bench's own */
};

/* Divides the device: `count` disjoint partitions of at least sms[i] SMs, out of one split; what is left belongs to nobody. Streams that are made in them stay until
 * grt_bench_unpartition. False: not possible so (too many, no green contexts); `why` says it. GRT_PARTITION_FILTER is always possible. */
bool grt_bench_partition(struct grt_bench *bench, enum grt_partition_how how, const uint32_t *sms,
                         size_t count, struct grt_partition *partitions, const char **why);
void grt_bench_unpartition(struct grt_bench *bench);

/* --- Streams, all of them non-blocking. Numbers below GRT_BENCH_STREAMS. */

/* A stream on all SMs (partition NULL) or some, of this priority (0 the lowest, negative is more urgent, clamped). The same arguments give a new stream each
 * time; those of partitions end with them. */
uint32_t grt_bench_stream(struct grt_bench *bench, const struct grt_partition *partition, int priority);
/* The same where the driver may refuse (streams of green contexts): false, and the bench is not lost for it. */
bool grt_bench_stream_try(struct grt_bench *bench, const struct grt_partition *partition, int priority,
                          uint32_t *stream);
void grt_bench_stream_end(struct grt_bench *bench, uint32_t stream);

/* --- Commands. They return at once, in the order in which the stream executes them. */

struct grt_bench_launch {
    enum grt_kernel_id kernel;
    uint64_t amount;
    uint32_t blocks;       /* logical ones of this launch */
    uint32_t first_block;  /* the first of them */
    uint32_t threads;      /* 0: the kernel's own */
    uint32_t shared_bytes; /* dynamic */
    bool record;           /* blocks leave records */
    /* which do not say in which order blocks began: no counters are needed, which have to be made 0 */
    bool unordered;
    uint32_t record_base;  /* where: logical block b goes to record_base + b / record_every */
    uint32_t record_every; /* 0: as 1 */
    uint32_t slot;         /* 0 or 1: which buffers it works on, so that two kernels do not share them */
};

/* Why a launch is not possible (too large an amount, too many threads, records that are not there, ...), in a sentence for people; NULL: it is. grt_bench_launch
 * requires that it is. */
const char *grt_bench_launch_problem(struct grt_bench *bench, const struct grt_bench_launch *launch);

void grt_bench_launch(struct grt_bench *bench, uint32_t stream, const struct grt_bench_launch *launch);

/* The table of GRT_KERNEL_SPIN_TABLE: mapped memory of the host, to be written before the launch whose blocks read it. NULL where the bench is lost. */
uint64_t *grt_bench_table(struct grt_bench *bench);

enum grt_bench_direction { GRT_BENCH_H2D, GRT_BENCH_D2H, GRT_BENCH_D2D, GRT_BENCH_DIRECTIONS };

/* slot as above. Pageable copies may return late. */
void grt_bench_copy(struct grt_bench *bench, uint32_t stream, enum grt_bench_direction direction,
                    size_t bytes, bool pageable, uint32_t slot);

/* Overwrites twice as much memory as the L2 cache has (where the driver pretends, and has no cache: a little). */
void grt_bench_flush_l2(struct grt_bench *bench, uint32_t stream);

/* Events, with times: numbers below GRT_BENCH_EVENTS. */
void grt_bench_record(struct grt_bench *bench, uint32_t stream, uint32_t event);
void grt_bench_wait(struct grt_bench *bench, uint32_t stream, uint32_t event);
bool grt_bench_event_is_done(struct grt_bench *bench, uint32_t event);
double grt_bench_elapsed_ns(struct grt_bench *bench, uint32_t from, uint32_t to);

/* Holds a stream: what is issued to it from now on waits for grt_bench_release, which lets all held streams go at once; returns when the stream is there. After ten
 * seconds streams go by themselves, and the bench is lost. Issue GRT_BENCH_HELD commands at most to streams that are held: a driver's queue has an end (about 1000), behind
 * which the call waits for the device. */
void grt_bench_hold(struct grt_bench *bench, uint32_t stream);
void grt_bench_release(struct grt_bench *bench);

/* Waits until everything that was issued is done. */
void grt_bench_sync_stream(struct grt_bench *bench, uint32_t stream);
void grt_bench_sync(struct grt_bench *bench);

/* --- Records. */

/* Makes records [from, from + count) empty; synchronous. After thousands of launches it waits for everything that was issued, where nothing is held. */
void grt_bench_clear_records(struct grt_bench *bench, uint32_t from, uint32_t count);

/* Fetches them; synchronous. `records` stays the bench's until the next fetch. NULL where the bench is lost. */
const struct grt_block_record *grt_bench_records(struct grt_bench *bench, uint32_t from, uint32_t count);

/* --- Clocks. */

/* One exchange with the device: the host's time before and after the instant at which the device read its own. */
struct grt_bench_exchange {
    grt_time before, after;
    uint64_t device_ns;
};
struct grt_bench_exchange grt_bench_exchange(struct grt_bench *bench);

/* Different values of the device's timer as one thread sees them, one after the other. */
void grt_bench_ticks(struct grt_bench *bench, uint64_t *values, uint32_t count);

/* Cycles of an SM and ns of the device's timer over some spinning: the frequency. */
void grt_bench_frequency(struct grt_bench *bench, grt_time spin, uint64_t *cycles, uint64_t *ns);

/* Keeps the device busy until windows of its frequency agree: for `least` at least, and for `most` at most. */
struct grt_bench_warm_up {
    grt_time least, most;
    bool (*goes_on)(void *state); /* asked at every window: false ends it. NULL: it goes on */
    void *state;
};

struct grt_bench_warmth {
    double low_hertz, hertz; /* the least and the largest of the last windows */
    bool steady;             /* they agree */
};

/* False where it was ended before there were windows enough. */
bool grt_bench_warm_up(struct grt_bench *bench, const struct grt_bench_warm_up *how,
                       struct grt_bench_warmth *warmth);

/* What the management library says right now. */
struct grt_bench_health {
    bool known;       /* there is such a library */
    bool throttled;   /* power, heat or hardware slow the device */
    uint64_t reasons; /* its own bits */
    int sm_mhz, memory_mhz, celsius, milliwatts;
    int pcie_generation, pcie_lanes, pcie_most_generation, pcie_most_lanes; /* 0: not known */
};
struct grt_bench_health grt_bench_health(struct grt_bench *bench);

#endif
