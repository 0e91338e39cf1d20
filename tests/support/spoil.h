/* How spoilings of traces are written (spoilt_trace.c, spoilt_host.c): choose a record at random, change it. */
#ifndef GRT_TESTS_SUPPORT_SPOIL_H
#define GRT_TESTS_SUPPORT_SPOIL_H

#include "tests/support/spoilt_trace.h"

typedef bool spoil_chooser(const struct grt_spoilt *spoilt, size_t index);

/* A random one of the records that the chooser takes; the count of records where there is none. */
size_t spoil_choose(struct grt_spoilt *spoilt, spoil_chooser *takes);

/* Takes a record out. */
void spoil_drop(struct grt_spoilt *spoilt, size_t index);

/* A chooser by a condition on `record`. */
#define CHOOSER(name, condition)                                                                             \
    static bool name(const struct grt_spoilt *spoilt, size_t index) {                                        \
        const struct grt_trace_record *record = &spoilt->records[index];                                     \
        return condition;                                                                                    \
    }

/* A spoiling of one chosen record, which the last argument changes. */
#define SPOIL(name, takes, ...)                                                                              \
    static bool name(struct grt_spoilt *spoilt) {                                                            \
        size_t index = spoil_choose(spoilt, takes);                                                          \
        if (index == spoilt->count) {                                                                        \
            return false;                                                                                    \
        }                                                                                                    \
        struct grt_trace_record *record = &spoilt->records[index];                                           \
        (void)record;                                                                                        \
        __VA_ARGS__;                                                                                         \
        return true;                                                                                         \
    }

#endif
