/* Traces that no simulation makes, as files, for tests of those who show traces. */
#ifndef GRT_TESTS_SUPPORT_VIEW_TRACES_H
#define GRT_TESTS_SUPPORT_VIEW_TRACES_H

#include "sim/time.h"

enum view_trace {
    VIEW_TRACE_WITHOUT_EVENTS, /* a task, a core, and nothing more */
    VIEW_TRACE_OF_AN_INSTANT,  /* a job that is released and finished at 0, and missed its deadline there */
    VIEW_TRACE_OF_TEN_YEARS,   /* jobs a year apart, each a month long */
    VIEW_TRACE_OF_ALL_TIME,    /* a job from 0 to the last instant that a run may have */
    VIEW_TRACE_OF_MANY_ROWS,   /* 10,000 cores with a slice each */
    VIEW_TRACE_WITH_NAMES,     /* empty ones, such of 4 KiB, not UTF-8 (control characters are refused) */
    VIEW_TRACES
};

#define VIEW_YEAR (INT64_C(365) * 86400 * 1000000000)

void view_trace_write(enum view_trace kind, const char *path);

#endif
