#include "tests/support/heard_trace.h"

static bool outcome(struct heard_trace *heard, int here) {
    heard->failed = heard->fails_at == here;
    return !heard->failed;
}

static bool hear_names(void *state, const struct grt_trace_name *names, size_t count) {
    struct heard_trace *heard = state;
    heard->wrong_calls += heard->named || heard->ended || heard->failed;
    heard->named = true;
    grt_trace_memory_sink.names(&heard->kept, names, count);
    return outcome(heard, HEARD_FAILS_AT_NAMES);
}

static bool hear_records(void *state, const struct grt_trace_record *records, size_t count) {
    struct heard_trace *heard = state;
    heard->wrong_calls +=
        !heard->named || heard->ended || heard->failed || count == 0 || count > GRT_TRACE_LOT;
    heard->lots++;
    heard->smallest_lot = heard->lots == 1 || count < heard->smallest_lot ? count : heard->smallest_lot;
    heard->largest_lot = count > heard->largest_lot ? count : heard->largest_lot;
    grt_trace_memory_sink.write(&heard->kept, records, count);
    return outcome(heard, (int)heard->lots);
}

static bool hear_end(void *state) {
    struct heard_trace *heard = state;
    heard->wrong_calls += !heard->named || heard->ended || heard->failed;
    heard->ended = true;
    return outcome(heard, HEARD_FAILS_AT_END);
}

const struct grt_trace_sink heard_trace_sink = {hear_names, hear_records, hear_end};

void heard_trace_free(struct heard_trace *heard) {
    grt_trace_memory_free(&heard->kept);
    *heard = (struct heard_trace){0};
}
