/* Which sources this gpurt was made of, where they make a difference to results: its version stays the same while they are worked on. */
#ifndef GRT_SCENARIOS_BUILD_ID_H
#define GRT_SCENARIOS_BUILD_ID_H

enum { GRT_BUILD_ID_SIZE = 13 };

/* Twelve hexadecimal digits: a hash of all sources of results and of the presets, by their names and bytes (scenarios/embed/build_id.cmake). Not of the
 * compiler, which makes no difference, nor of programs and pictures, which make no results. */
extern const char grt_build_id[GRT_BUILD_ID_SIZE];

#endif
