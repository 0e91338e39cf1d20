/* Sound traces that are spoilt on purpose, or read beside a scenario that is, and the rule of the auditor that must see it. */
#ifndef GRT_TESTS_SUPPORT_SPOILT_TRACE_H
#define GRT_TESTS_SUPPORT_SPOILT_TRACE_H

#include "sim/random.h"
#include "tests/support/audited_world.h"

/* What a spoiling has at hand. It may change all of it. */
struct grt_spoilt {
    struct grt_builder *builder;
    struct grt_trace_record *records; /* room for one more */
    size_t count;
    struct grt_audit_promise *promise;
    struct grt_audit_slots *slots;
    struct grt_audit_lock *lock;
    struct grt_audit_server *server;
    struct grt_random *random;
};

struct grt_spoiling {
    const char *what;
    const char *rule;
    const char *policy;                       /* that makes the trace */
    int kind;                                 /* enum grt_audited_kind, or one of those below */
    bool (*spoil)(struct grt_spoilt *spoilt); /* false where this trace has nothing to spoil in this way */
};

enum {
    GRT_SPOILT_SLOTTED = -1, /* for tdm */
    GRT_SPOILT_HOSTED = -2,  /* with host parts and costs, on one GPU */
};

/* All, to one without a spoil. */
extern const struct grt_spoiling grt_spoilings[];

#endif
