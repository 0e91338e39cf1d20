/* A picture with every kind of shape, in a theme: what the tests of the painters paint and a person looks at. */
#ifndef GRT_TESTS_SUPPORT_DEMO_PICTURE_H
#define GRT_TESTS_SUPPORT_DEMO_PICTURE_H

#include "viz/picture/picture.h"
#include "viz/scene/theme.h"

enum { GRT_DEMO_WIDTH = 900, GRT_DEMO_HEIGHT = 560 };

void grt_demo_picture(struct grt_picture *picture, const struct grt_theme *theme);

/* A frame as level of detail makes it: so many opaque one-pixel columns, bottom-aligned in rows, and so many labels. */
void grt_dense_picture(struct grt_picture *picture, const struct grt_theme *theme, uint32_t rects,
                       uint32_t labels);

#endif
