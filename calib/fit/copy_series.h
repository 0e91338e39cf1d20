/* Copies of one direction and kind of memory over their sizes: t = latency + bytes / bandwidth. */
#ifndef GRT_CALIB_FIT_COPY_SERIES_H
#define GRT_CALIB_FIT_COPY_SERIES_H

#include "calib/fit/build.h"

enum { GRT_MOST_SIZES = 100 };

/* Up to how much the device's model rounds a time up: a copy to a whole ns, one inside the device its two halves. */
#define GRT_COPY_HOST_ROUNDING 1.0
#define GRT_COPY_DEVICE_ROUNDING 2.0

struct grt_copy_size {
    double bytes;
    const double *sorted; /* elapsed, ns */
    size_t samples;
    const struct grt_raw_cell *cell;
    struct grt_ranged center;     /* a typical one, by visits */
    struct grt_visit_signs signs; /* of its visits */
};

struct grt_copy_series {
    const char *direction, *memory, *beside;
    struct grt_copy_size sizes[GRT_MOST_SIZES]; /* ascending */
    size_t count, samples;
    /* sizes that are not among them, since events told some copy of them as 0 ns */
    double unseen[GRT_MOST_SIZES];
    size_t unseen_count;

    bool known; /* what follows; else `why` */
    const char *why;
    bool exact;                /* one line agrees with every sample to the clock's step */
    struct grt_ranged latency; /* ns */
    struct grt_ranged ns_per_byte;
    double slowest,
        fastest;   /* bytes per second that agree with the latency that was settled on; 0: not settled */
    bool straight; /* noisy samples whose medians lie on a line: the fit is of the medians (median_line.h) */
    bool few;      /* each size was visited once: only the sizes tell how visits differ */
    double relative; /* else: how far sizes are from any line, beyond their noise, as a part of the time */
    double residual;
    double bend; /* bytes from which on a second line is much nearer; 0: none */
};

/* Gathers the cells. `rounding`: by how many ns at most the device rounds a time up. */
struct grt_copy_series grt_copy_series_of(struct grt_fit_build *build, const char *direction,
                                          const char *memory, const char *beside);
void grt_copy_series_fit(struct grt_copy_series *series, int64_t event_step, double rounding);

/* Those of its sizes, not fitted. */
struct grt_copy_series grt_copy_series_between(const struct grt_copy_series *series, double least,
                                               double most);

/* Where one line agrees with every sample: takes this latency, and the roundest bandwidth of those that are left with it. False, and unchanged: there is none. */
bool grt_copy_series_settle(struct grt_copy_series *series, double latency, int64_t event_step,
                            double rounding);

/* The latency that two straight series have in common. */
struct grt_ranged grt_copy_series_common(const struct grt_copy_series *one,
                                         const struct grt_copy_series *other, int64_t event_step,
                                         double rounding);

/* Bytes per second; of a series that is known. */
struct grt_ranged grt_copy_series_rate(const struct grt_copy_series *series);

/* How the line was found, of a series that is known. */
const char *grt_copy_series_how(struct grt_fit_build *build, const struct grt_copy_series *series);

/* Adds how much slower copies of the largest size are beside something else. */
void grt_copy_series_beside(struct grt_fit_build *build, const struct grt_copy_series *alone,
                            const char *beside);

/* Copies inside the device (copy_memory.c): its memory's bandwidth, by sizes well beyond its L2 cache, and that of the cache. */
void grt_fit_copies_inside(struct grt_fit_build *build);

#endif
