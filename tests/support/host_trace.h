/* A small trace, made by hand, of everything that cores do for GPU segments. Milliseconds:
 *
 *     cpu 0   tau_h: overhead 0-0.1, computes 0.1-1, host part 1-1.5, busy-waits 1.5-4, host part 4-4.5, computes 4.5-5
 *     tau_h   asks for the GPU at 1, has it until 4.5, its kernel runs 1.5-4; has priority 1003 from 1 to 4.5
 *     cpu 1   tau_l computes 0-2; the server: overhead 2-2.05, receives its request 2.05-2.2; tau_m computes 2.2-4.5; the server
 *             copies for tau_l 4.5-5; tau_m 5-6; the server notifies tau_l 8-8.5; tau_l computes 8.5-9
 *     tau_l   asks for the GPU at 2, has it until 8.5, its kernel runs 5-8; has priority 7 from 8.5 until it ends at 9
 */
#ifndef GRT_TESTS_SUPPORT_HOST_TRACE_H
#define GRT_TESTS_SUPPORT_HOST_TRACE_H

#include "sim/trace.h"
#include "viz/timeline/timeline.h"

enum { HOST_TAU_H, HOST_TAU_M, HOST_TAU_L, HOST_TASKS };

/* Free it with grt_trace_memory_free. */
struct grt_trace_memory host_trace(void);

/* Free it with grt_timeline_free. */
struct grt_timeline host_timeline(void);

#endif
