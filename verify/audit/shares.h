/* Inside of the auditor of GPUs of granularity shares: kernels and shares as they come in the trace (shares.c), and their work as it is
 * added up afterwards (progress.c). A kernel's record comes when it has ended, and how fast others went meanwhile depends on it; so
 * nothing is added up before all that was on these GPUs has ended. */
#ifndef GRT_VERIFY_AUDIT_SHARES_H
#define GRT_VERIFY_AUDIT_SHARES_H

#include "verify/audit/internal.h"
#include "verify/audit/speeds.h"

/* The rules, behind the first one of the family. */
enum audit_shares_rule {
    AUDIT_SHARES_AT_ONCE,
    AUDIT_SHARES_WORK,
    AUDIT_SHARES_ALONE,
    AUDIT_SHARES_ABORTED,
    AUDIT_SHARES_TOKENS,
    AUDIT_SHARES_MARKS,
    AUDIT_SHARES_RULES
};

/* What the scenario says of a kernel. */
struct audit_shares_spec {
    struct grt_usage usage;
    const char *class_name;
    grt_time least, most; /* its work: the time that it takes alone with the whole GPU */
};

/* A kernel that has ended. */
struct audit_shares_kernel {
    const struct audit_shares_spec *spec;
    grt_time start, end;
    uint32_t stream, task, job;
    bool cut; /* it was aborted, or is open */
    /* While it is added up. */
    int64_t share;         /* at its begin */
    bool ended, disturbed; /* disturbed: something was beside it, or its share changed */
};

/* A share that was set. */
struct audit_shares_mark {
    grt_time time;
    uint32_t stream;
    int64_t share;
};

/* When a segment was submitted. */
struct audit_submission {
    grt_time latest; /* by then; AUDIT_UNKNOWN: not known yet */
    bool is_known;   /* it was then */
};

/* What was on a GPU since last none had a segment. */
struct audit_shares_gpu {
    struct audit_shares_kernel *kernels; /* in the order of their ends */
    uint32_t count, capacity;
};

struct audit_shares {
    uint32_t rule;                        /* the first */
    uint32_t open;                        /* segments that asked for such a GPU and have not ended */
    struct audit_shares_gpu *gpus;        /* by number */
    struct audit_shares_spec ***specs;    /* by task, segment, command; NULL: of tasks of other GPUs */
    bool *prompt;                         /* by task: only its own commands keep its kernels from beginning */
    struct audit_submission *submissions; /* by task: of the present segment */
    int64_t *latest;                      /* shares of streams, by the last mark */
    uint32_t latest_count, latest_capacity;
    int64_t *shares; /* before the marks that are kept */
    uint32_t share_count, share_capacity;
    struct audit_shares_mark *marks; /* ascending */
    uint32_t mark_count, mark_capacity;
};

/* ---- progress.c ---- */

/* Adds up what was done on a GPU, and checks when it ended. `shares`, of `share_count` streams, are those in front of all marks;
 * they are changed. */
void audit_shares_add_up(struct grt_audit *audit, const struct audit_shares *self, uint32_t gpu,
                         int64_t *shares, uint32_t share_count);

#endif
