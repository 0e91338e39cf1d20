/* Greedy reclamation of unused bandwidth: a server for every task, and deadlines by which servers are served earliest deadline first.
 *
 * Source: G. Lipari, S. Baruah, "Greedy Reclamation of Unused Bandwidth in Constant-Bandwidth Servers", ECRTS 2000, algorithm GRUB.
 * Implements: its rules, with U = Q / P the bandwidth of a server, V its virtual time, D its deadline:
 *     1. a job comes and the server is inactive: V = now, D = V + P; it is active and contends.
 *     2. its job completes. Another one waits: D = V + P. None does: the server is active and does not contend.
 *     3. an active server that does not contend becomes inactive as soon as V <= now.
 *     4. a job comes and the server is active and does not contend: D = V + P; it contends.
 *     5. nobody has work: all servers become inactive.
 *     While a server executes, V grows by (sum of U of all active servers) / U; once V reaches D and it still executes, D grows by P.
 * Assumes: the sum of U is at most 1, which grub_is_overloaded says.
 * Deviates: 1. V and D are kept to 2^-32 ns, and a server's part of the sum of U to 2^-32, rounded down: V is never ahead of the
 * paper's. 2. Instants are whole: a server becomes inactive at the first whole nanosecond at which V <= now. 3. A job that comes in
 * the very instant in which the one before completes did not wait: not rule 2, but rule 1 or 4 is for it.
 *
 * Who is executing is up to the caller: on a GPU that is not preempted, the server whose request has the GPU, from its submission to its
 * end. Instants must not go back. */
#ifndef GRT_POLICIES_PRUDA_GRUB_H
#define GRT_POLICIES_PRUDA_GRUB_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "sim/wide.h"

enum grub_state {
    GRUB_INACTIVE,
    GRUB_CONTENDING,
    GRUB_COMPLETED, /* in this very instant: what rule 2 makes of it is known at the instant's end */
    GRUB_NOT_CONTENDING,
};

struct grub_server {
    grt_time budget, period; /* Q and P, in ns; budget 0: there is no such server */
    uint64_t bandwidth;      /* U, in units of 2^-32 */
    enum grub_state state;
    grt_wide virtual_time, deadline; /* V and D, in units of 2^-32 ns */
};

#define GRUB_NONE UINT32_MAX

struct grub {
    struct grub_server *servers; /* the caller's */
    uint32_t count;
    uint32_t executing; /* GRUB_NONE: nobody */
    grt_time now;       /* up to which V counts */
    uint64_t active;    /* the sum of U of all that are not inactive, in units of 2^-32 */
    uint64_t postponed; /* how often a D grew because V reached it */
};

/* Begins with servers of which budget and period are set. */
void grub_start(struct grub *grub, struct grub_server *servers, uint32_t count);

/* Whether the bandwidths add up to more than 1. */
bool grub_is_overloaded(const struct grub *grub);

/* A job of the server comes, which has no other; `waited`: it came before now, while the server had another one, which has completed now. */
void grub_arrive(struct grub *grub, uint32_t server, bool waited, grt_time now);

/* The server executes from now on, which contends; nobody else does. GRUB_NONE: nobody. */
void grub_execute(struct grub *grub, uint32_t server, grt_time now);

/* The server's job has completed, or is gone. */
void grub_complete(struct grub *grub, uint32_t server, grt_time now);

/* All that happens at this instant has been told; `idle`: nobody has work. */
void grub_settle(struct grub *grub, bool idle, grt_time now);

/* D of a server in ns, rounded up. Of the one that executes, as of the last settling. */
grt_time grub_deadline(const struct grub *grub, uint32_t server);

/* How long the server that executes takes, in ns, until V reaches D if nothing happens; at least 1. It may take longer, if others become
 * inactive. GRT_TIME_NEVER: nobody executes. Call it behind a settling. */
grt_time grub_until_reached(const struct grub *grub);

#endif
