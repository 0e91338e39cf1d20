/* The thread that measures: kept where it is, with its memory in place. */
#ifndef GRT_CALIB_MEASURE_HOST_H
#define GRT_CALIB_MEASURE_HOST_H

#include <stddef.h>

struct host_state;
/* Keeps the thread where it is and its memory in place, as far as allowed; what was changed is undone by grt_host_restore. */
struct host_state *grt_host_prepare(void);
void grt_host_restore(struct host_state *state);
/* The processor that the thread is on; below 0: not known. */
int grt_host_cpu(void);
/* What is known of the host and what became of the thread; NULL: nothing was tried. Returns `text`. */
const char *grt_host_text(const struct host_state *state, const char *host, char *text, size_t size);

#endif
