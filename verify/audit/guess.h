/* How far kernels are that run on a GPU of granularity shares, as the auditor takes it to be. It is one guess as a rule. Under left-over it matters which
 * of those that begin in one instant came first, which a trace does not say: then there is a guess for each order, and those that turn out wrong when a
 * kernel ends are dropped. */
#ifndef GRT_VERIFY_AUDIT_GUESS_H
#define GRT_VERIFY_AUDIT_GUESS_H

#include "verify/audit/shares.h"

__extension__ typedef unsigned __int128 audit_wide;

enum { AUDIT_FRACTION_BITS = 32 };

/* A kernel that runs. Work is counted in 2^-32 ns and speeds are in 2^-32; what is not known exactly is between two numbers. */
struct audit_runner {
    struct audit_shares_kernel *kernel;
    uint64_t least_speed, most_speed;
    audit_wide least_done, most_done;
    int64_t share;
    audit_wide tokens; /* F4: vprocessors for so many ns, which its stream was given since it began */
};

struct audit_guess {
    struct audit_runner *runners; /* in the order in which they began */
    uint32_t count, capacity;
};

struct audit_guesses {
    const struct grt_device *device;
    struct audit_guess *all;
    uint32_t count;
    bool lost; /* there were too many, or speeds are not known; until nothing runs, nothing is */
    struct audit_sharer *sharers; /* room to work in */
    double *speeds;
    uint32_t sharer_capacity, speed_capacity;
};

void audit_guesses_start(struct audit_guesses *guesses, const struct grt_device *device);
void audit_guesses_free(struct audit_guesses *guesses);

/* These begin, all in one instant. */
void audit_guesses_begin(struct audit_guesses *guesses, struct audit_shares_kernel **kernels, uint32_t count);

/* One ends, if it runs; false if that is right by none of the guesses. `seen`: how far it was by one of them. Those by which it is wrong are dropped if
 * it is right by another one. */
bool audit_guesses_end(struct audit_guesses *guesses, const struct audit_shares_kernel *kernel,
                       bool (*is_right)(const struct grt_audit *audit, const struct audit_runner *runner),
                       const struct grt_audit *audit, struct audit_runner *seen);

/* How many run. */
uint32_t audit_guesses_running(const struct audit_guesses *guesses);

/* The speeds from now on, by the shares of the streams, of which there are `count`. */
void audit_guesses_set_speeds(struct audit_guesses *guesses, const int64_t *shares, uint32_t count);

/* Time passes. */
void audit_guesses_pass(struct audit_guesses *guesses, grt_time from, grt_time to);

#endif
