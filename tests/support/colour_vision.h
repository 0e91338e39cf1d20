/* How far apart two colours look, also to people who do not see all: distances in OKLab (Ottosson 2020) times 100, after the
 * matrices for severity 1.0 of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
 * Deficiency", IEEE TVCG 2009. About 8 is clearly distinct. */
#ifndef GRT_TESTS_SUPPORT_COLOUR_VISION_H
#define GRT_TESTS_SUPPORT_COLOUR_VISION_H

#include <stdint.h>

enum grt_vision { GRT_VISION_NORMAL, GRT_VISION_PROTAN, GRT_VISION_DEUTAN, GRT_VISION_TRITAN, GRT_VISIONS };

/* Of two colours 0xRRGGBBAA; alpha is ignored. */
double grt_colour_distance(enum grt_vision vision, uint32_t a, uint32_t b);

#endif
