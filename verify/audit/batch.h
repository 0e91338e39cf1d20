/* Batches as the auditor sees them: who may be of one (batch_choice.c), and what its segments do (batch.c). */
#ifndef GRT_VERIFY_AUDIT_BATCH_H
#define GRT_VERIFY_AUDIT_BATCH_H

#include "verify/audit/internal.h"

/* How late a segment would be: the later, the more urgent. What is not known exactly lies between two bounds. Both kinds of priority of
 * equation (1) grow with the time, so that of two that wait the same one is ahead at all instants; so a date will do: that at which it
 * would be neither late nor early. The earliest goes first. */
struct batch_key {
    grt_time least, most;
    uint64_t tie;
    uint32_t task;
};

/* Somebody who asked. */
struct batch_asker {
    struct batch_key key;
    grt_time since; /* when the scheduler was told */
};

struct batch_task {
    uint32_t wait_at;     /* place in the GPU's list, AUDIT_NONE: it has none */
    bool may, member;     /* of the batch that goes on: may be, is or was */
    bool begun, ended;    /* executes a command, has executed all */
    struct batch_key key; /* as a member */
    uint32_t next;        /* command */
    grt_time free;        /* end of the one before, or the request */
    grt_time copied;      /* when the last copy in front of its kernels ended */
    grt_time kernel_end;  /* of its last kernel */
    /* number of the command; where there is none, of the first copy out, or of all commands */
    uint32_t first_kernel;
};

enum batch_state {
    BATCH_NONE,     /* none goes on, and nobody waits */
    BATCH_CHOOSING, /* none goes on, and somebody waits */
    BATCH_GOES,
    BATCH_UNKNOWN, /* it cannot be said who is in it: until nobody is left who asks */
};

struct batch_gpu {
    bool at_once; /* who is chosen is submitted in the instant of the choice */
    enum batch_state state;
    grt_time free;        /* since when none goes on */
    grt_time from, until; /* in this range of instants the members are chosen, or were */
    bool doubtful;        /* the scheduler may be at work for somebody who is gone */
    bool cut;             /* somebody of the batch was aborted before a command of his showed */
    /* when the first command of the batch was called, of those that showed; GRT_TIME_NEVER: none did */
    grt_time begun;
    struct batch_asker *waiting;
    uint32_t waiting_count, gone_count; /* gone: who was taken back since `from` */
    uint32_t *members;                  /* tasks, ended ones too; BATCH_UNKNOWN: who executes something */
    uint32_t member_count;
    uint32_t untaken; /* members of whom it is not known who they are: of those that may be */
    uint32_t left;    /* members that have not ended, with these */
    grt_time end;     /* of the last one that ended and had begun */
};

struct batch {
    uint32_t rules; /* the number of the first one */
    const struct grt_audit_batches *promise;
    struct batch_gpu *gpus;
    struct batch_task *tasks;
};

enum {
    BATCH_AT_MOST,
    BATCH_FIRST_GO,
    BATCH_NEVER_IDLE,
    BATCH_IN_ORDER,
    BATCH_COPIES_FOLLOW,
    BATCH_APART, /* what GRT_OVERLAP_NONE or _COPIES says */
    BATCH_RULES
};

/* ---- batch_choice.c ---- */

/* The key of a task's segment that asks now. */
struct batch_key batch_key_of(const struct grt_audit *audit, const struct batch *self,
                              const struct audit_task *task);
/* Whether the one goes before the other whatever is not known. */
bool batch_surely_before(const struct grt_audit *audit, const struct batch_key *one,
                         const struct batch_key *other);

/* Nobody executes anything, and somebody waits. */
void batch_choosing(const struct batch *self, struct batch_gpu *gpu);
/* The members have been chosen, at `until` at the latest. */
void batch_choose(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu);
/* One of those that may be a member is one. */
void batch_take(struct batch *self, struct batch_gpu *gpu, uint32_t task);
/* Who may be members are, where there is nobody else. */
void batch_take_rest(struct batch *self, struct batch_gpu *gpu);
/* From now on it is not known who is in a batch. */
void batch_lose_track(struct batch *self, struct batch_gpu *gpu);
void batch_stop_waiting(struct batch *self, struct batch_gpu *gpu, uint32_t task);

/* ---- batch_beside.c ---- */

/* Holds a command of a member against the others of the batch that goes on. */
void batch_check_beside(struct grt_audit *audit, struct batch *self, struct batch_gpu *gpu,
                        const struct audit_task *task, const struct grt_trace_record *record);

#endif
