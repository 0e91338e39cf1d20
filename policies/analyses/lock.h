/* Tasks on cores of their own choice that share GPUs, one request at a time per GPU: response times where a GPU is a lock (MPCP, FMLP+) and
 * where a server thread has it. Partitioned preemptive fixed priorities; pure functions on a few numbers of each task.
 *
 * Sources: H. Kim, P. Patel, S. Wang, R. Rajkumar, "A Server-based Approach for Predictable GPU Access Control", RTCSA 2017; K. Lakshmanan,
 * D. de Niz, R. Rajkumar, "Coordinated Task Scheduling, Allocation and Synchronization on Multiprocessors", RTSS 2009 (MPCP); B. Brandenburg,
 * "The FMLP+: An Asymptotically Optimal Real-Time Locking Protocol for Suspension-Aware Analysis", ECRTS 2014; J.-J. Chen and others, "Many
 * suspensions, many problems: a review of self-suspending tasks in real-time systems", Real-Time Systems 55, 2019. What is proven, by whom,
 * and what is wrong in print: docs/locks.md.
 *
 * A job is c_0 G_1 c_1 ... G_eta c_eta; it asks for the GPU only while it is dispatched at its base priority. A bound of one task is proven with
 * those of all others, so it holds only where all are schedulable, W_x <= min(D_x, T_x) for every task x on every core. Tasks of equal
 * priority count as more urgent than each other, which is right whichever way they go.
 *
 * Times in ns, from 0 to GRT_LOCK_LONGEST. Sums beyond it are "no", never wrong numbers. */
#ifndef GRT_POLICIES_ANALYSES_LOCK_H
#define GRT_POLICIES_ANALYSES_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#define GRT_LOCK_LONGEST INT64_C(1000000000000000000)
#define GRT_LOCK_NEVER INT64_MAX

/* A task. What is longest of its requests need not be of the same request. */
struct grt_lock_task {
    int64_t normal;          /* C: on its core outside of GPU segments */
    int64_t segments;        /* G: sum of its GPU segments, host parts included */
    int64_t longest_segment; /* the largest of them */
    int64_t host;            /* G^m: sum of their host parts */
    int64_t longest_host;    /* host parts of one segment, the most */
    int64_t requests;        /* eta: how many GPU segments a job has; 0: it never suspends itself */
    int64_t period;          /* T, above 0 */
    int64_t deadline;        /* D, from the arrival, above 0; GRT_LOCK_LONGEST: none */
    int64_t jitter;          /* from the arrival to the release, at most */
    int64_t priority;        /* larger is more urgent */
    int64_t core;            /* below 0: one of its own */
    int64_t gpu;             /* the lock; tasks of one number exclude each other */
};

/* What a core's own work costs (struct grt_analysis_platform): stated inflations, docs/locks.md. */
struct grt_lock_costs {
    int64_t context_switch, wake_up;
};

/* Waits for the lock, or for the server: by the requests that may come during one wait (a recurrence for each request), by those that may
 * come while the job lives, or the smaller, which holds since both do. */
enum grt_lock_bound { GRT_LOCK_SMALLER, GRT_LOCK_BY_REQUEST, GRT_LOCK_BY_JOB };

/* For how long a more urgent local task's work may be late, as release jitter. */
enum grt_lock_jitter {
    GRT_LOCK_JITTER_SUSPENDING, /* W - E, and 0 of tasks that never suspend themselves */
    GRT_LOCK_JITTER_RESPONSE,   /* W - E of all */
    GRT_LOCK_JITTER_DEADLINE,   /* D - E of all */
    GRT_LOCK_JITTER_BLOCKING,   /* B^r, the wait for the lock: UNSOUND, as printed by Lakshmanan and others */
};

/* How many jobs of a more urgent task ask within a wait of x: ceil((x + W) / T), or ceil(x / T) + 1. */
enum grt_lock_carry { GRT_LOCK_CARRY_RESPONSE, GRT_LOCK_CARRY_ONE_MORE };

/* W', how long a lock is held. */
enum grt_lock_holding {
    GRT_LOCK_HOLDING_SOUND, /* G; with several locks, G and what holders of others on the core may put before it */
    GRT_LOCK_HOLDING_LOCAL_HIGHER, /* G and the longest segment of each more urgent task on the core */
    GRT_LOCK_HOLDING_LOCAL,        /* G and the longest segment of each task on the core */
    GRT_LOCK_HOLDING_ANY_CORE,     /* G and the longest segment of each more urgent task on any core */
};

/* How often less urgent local tasks' boosted segments delay a job: each of them once per time it gets ready, or that and as often as they
 * are released. */
enum grt_lock_boosted { GRT_LOCK_BOOSTED_CAPPED, GRT_LOCK_BOOSTED_EVERY };

/* What a job does while the GPU executes its commands: keeps its core busy, or leaves it. */
enum grt_lock_waiting { GRT_LOCK_SPIN, GRT_LOCK_SUSPEND };

/* To which priority, above all base ones, MPCP raises a holder: in the order of the most urgent task of other cores that uses the lock, or in that of
 * its own. */
enum grt_lock_boost { GRT_LOCK_BOOST_CEILING, GRT_LOCK_BOOST_OWN };

struct grt_mpcp_rules {
    int64_t waiting; /* enum grt_lock_waiting; the policy's */
    int64_t boost;   /* enum grt_lock_boost; the policy's */
    int64_t bound;   /* enum grt_lock_bound */
    int64_t jitter;  /* enum grt_lock_jitter */
    int64_t carry;   /* enum grt_lock_carry */
    int64_t holding; /* enum grt_lock_holding */
    int64_t boosted; /* enum grt_lock_boosted */
};

struct grt_fmlp_rules {
    int64_t waiting; /* enum grt_lock_waiting; the policy's */
    int64_t jitter;  /* enum grt_lock_jitter; not GRT_LOCK_JITTER_BLOCKING */
    /* R_x = D_x in the bounds on waits; else the bounds found are put in again until nothing changes */
    bool once;
};

/* When an arriving request costs the server time: only where the server is idle, or each, epsilon. */
enum grt_lock_enqueue { GRT_LOCK_ENQUEUE_MERGED, GRT_LOCK_ENQUEUE_CHARGED };

/* Kim's equations as printed, sound with merged costs, or with enqueueing as it delays the server's work; AUTO: as the costs need. */
enum grt_lock_equations { GRT_LOCK_EQUATIONS_AUTO, GRT_LOCK_EQUATIONS_PRINTED, GRT_LOCK_EQUATIONS_REPAIRED };

/* How late the server's work for a task may come on the server's core: W - e where W is known, else D - e; or D - e of all. */
enum grt_lock_server_jitter { GRT_LOCK_SERVER_RESPONSE, GRT_LOCK_SERVER_DEADLINE };

struct grt_server_rules {
    int64_t core;      /* the server's; below 0: one of its own */
    int64_t epsilon;   /* ns */
    int64_t enqueue;   /* enum grt_lock_enqueue; the policy's */
    int64_t equations; /* enum grt_lock_equations */
    int64_t bound;     /* enum grt_lock_bound */
    int64_t jitter;    /* enum grt_lock_jitter; not GRT_LOCK_JITTER_BLOCKING */
    int64_t server;    /* enum grt_lock_server_jitter */
    int64_t carry;     /* enum grt_lock_carry */
};

/* What comes out. The caller provides the arrays, of as many items as there are tasks. */
struct grt_lock_result {
    bool schedulable;
    bool unsound;      /* by a rule that is known to be wrong */
    bool gave_up;      /* more than most_steps: not schedulable means nothing */
    uint32_t failing;  /* the first task without a bound, from the most urgent on; UINT32_MAX: none */
    uint32_t locks;    /* how many GPUs are used */
    int64_t *response; /* W: from arrival to end; GRT_LOCK_NEVER: none within deadline and period */
    /* of all requests of a job for lock or server, in the last step of the equation; unless NULL */
    int64_t *wait;
    /* one request, at most, from getting lock or server to where no budget cuts it any more; unless NULL */
    int64_t *held;
    int64_t most_steps; /* terms of sums; set by the caller */
    int64_t steps;      /* taken */
};

/* MPCP. Like the others it goes on behind a task that fails, as if that were in time after all. */
void grt_lock_mpcp(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                   const struct grt_mpcp_rules *rules, struct grt_lock_result *result);

/* FMLP+. */
void grt_lock_fmlp(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                   const struct grt_fmlp_rules *rules, struct grt_lock_result *result);

/* The GPU server; one GPU. */
void grt_lock_server(const struct grt_lock_task *tasks, uint32_t count, const struct grt_lock_costs *costs,
                     const struct grt_server_rules *rules, struct grt_lock_result *result);

#endif
