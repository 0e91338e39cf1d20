/* The parameters of the policy `gpu-server`, which its analysis reads too. */
#ifndef GRT_POLICIES_SERVER_SERVER_H
#define GRT_POLICIES_SERVER_SERVER_H

#include <stdint.h>

/* When the server pays for a request that it receives. */
enum server_enqueue_cost {
    SERVER_ENQUEUE_CHARGED, /* always: every request costs the server `epsilon` when it comes */
    SERVER_ENQUEUE_MERGED, /* only where it wakes the server up: one that comes while others are being served costs nothing then */
};

struct server_parameters {
    int64_t cpu;          /* the server's core; -1: a core of its own */
    int64_t epsilon;      /* ns */
    int64_t enqueue_cost; /* enum server_enqueue_cost */
    int64_t budget;       /* ns: a request that is served for so long is cut: its job is aborted; 0: never */
};

#endif
