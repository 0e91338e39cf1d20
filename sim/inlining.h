/* What the compiler shall inline, where measurements say that it chooses badly (docs/performance.md). */
#ifndef GRT_SIM_INLINING_H
#define GRT_SIM_INLINING_H

/* Into every caller. */
#define GRT_ALWAYS_INLINE inline __attribute__((always_inline))

/* Nowhere, so that what calls it on few of its ways stays short on the others. */
#define GRT_APART __attribute__((noinline))

/* The same of what most runs never call. */
#define GRT_RARE __attribute__((noinline, cold))

#endif
