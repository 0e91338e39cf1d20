/* Sources of traces that are opened and played by tests. */
#ifndef GRT_TESTS_SUPPORT_PLAYED_SOURCE_H
#define GRT_TESTS_SUPPORT_PLAYED_SOURCE_H

#include "scenarios/trace_source.h"
#include "tests/support/heard_trace.h"

/* Two tasks on a GPU that takes one segment at a time; 6 records a job: release, request, block, kernel, segment, finish. */
#define SOURCE_TEXT(horizon)                                                                                 \
    "{\"gpurt\":1,\"horizon\":\"" horizon "\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},"         \
    "\"policy\":{\"name\":\"fifo\"},\"tasks\":["                                                             \
    "{\"name\":\"slow\",\"period\":\"10ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"3ms\"}]}]}" \
    ","                                                                                                      \
    "{\"name\":\"fast\",\"period\":\"5ms\",\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]}]}]" \
    "}"

void source_put_text(const char *path, const char *text);

/* Opens what must be good, after printing what is wrong with it if it is not. */
void source_open(struct grt_trace_source *source, const char *path);

/* Plays into a sink that has been told where to fail; expects the end, and a message where that is REFUSED. */
void source_play(struct grt_trace_source *source, const struct grt_scenario_changes *changes,
                 const struct grt_play_watch *watch, struct heard_trace *heard, enum grt_play_end end,
                 const char *message);

/* The same of all, as it was opened. */
void source_play_well(struct grt_trace_source *source, struct heard_trace *heard);

/* Writes the text of a scenario into a file, and its trace into another. */
void source_write_trace(const char *text, const char *scenario_path, const char *trace_path);

#endif
