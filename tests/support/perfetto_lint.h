/* A reader of Perfetto traces that shares no code with the writer: refuses what Perfetto would drop, draw wrongly or not
 * understand, and tells what is in the trace. */
#ifndef GRT_TESTS_SUPPORT_PERFETTO_LINT_H
#define GRT_TESTS_SUPPORT_PERFETTO_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was read of one event. Texts are not ended by a zero. */
struct perfetto_text {
    const char *bytes;
    size_t size;
};

struct perfetto_slice {
    struct perfetto_text track, name;
    uint64_t start, end; /* end: UINT64_MAX where it is open */
};

/* What a trace holds. `slice` may be NULL; it is called when a slice ends, and for open ones at the end of the file. */
struct perfetto_contents {
    void (*slice)(void *state, const struct perfetto_slice *slice);
    void (*instant)(void *state, const struct perfetto_text *track, const struct perfetto_text *name,
                    uint64_t time);
    void (*value)(void *state, const struct perfetto_text *parent, uint64_t value, uint64_t time);
    void *state;
    size_t slices, open, instants, tracks, flows, flow_steps, categories, values;
};

/* Returns NULL, or a sentence that begins with the number of the rule that is broken:
 *   0  the bytes are messages with known fields only;
 *   1  every packet has the same sequence, which is not 0;
 *   2  the first packet clears the state and holds the names; whatever uses a name says that it needs the state, and the
 *      name is there;
 *   3  tracks are described once, before their first event, parents before children;
 *   4  processes and threads have no parent;
 *   5  a lane holds one slice at a time, ends belong to begins; tracks say how they are ordered, and are not merged;
 *   6  time never goes back (an end and the next begin at one instant stand in this order, or 5 is broken); no pid or tid
 *      is 0 or used twice;
 *   7  flows stand on begins, have two steps or more, and end at the last;
 *   8  counters have values and nothing else, and nothing else has values. */
const char *grt_perfetto_lint(const unsigned char *bytes, size_t size, struct perfetto_contents *contents);

#endif
