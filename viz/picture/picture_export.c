#include "viz/picture/picture_export.h"

#include <math.h>

bool grt_rect_run_takes(struct grt_rect_run *run, const struct grt_shape *rect) {
    if (run->count == 0) {
        *run = (struct grt_rect_run){rect->colour, 1, rect->left, rect->top, rect->right, rect->bottom};
        return true;
    }
    bool apart = rect->left >= run->right || rect->right <= run->left || rect->top >= run->bottom ||
                 rect->bottom <= run->top;
    if (rect->colour != run->colour || ((rect->colour & 0xff) != 0xff && !apart)) {
        return false;
    }
    run->count++;
    run->left = fminf(run->left, rect->left);
    run->top = fminf(run->top, rect->top);
    run->right = fmaxf(run->right, rect->right);
    run->bottom = fmaxf(run->bottom, rect->bottom);
    return true;
}

static void cut(float *low, float *high, double end) {
    const float beyond = 16;
    *low = fmaxf(*low, -beyond);
    *high = fminf(*high, (float)end + beyond);
}

bool grt_shape_cut(const struct grt_picture *picture, struct grt_shape *rect) {
    cut(&rect->left, &rect->right, picture->width);
    cut(&rect->top, &rect->bottom, picture->height);
    return rect->right > rect->left && rect->bottom > rect->top;
}

/* A hatch line is where x + y (up) or x - y (down) is a multiple of the pitch. */
static bool cut_line(const struct grt_shape *box, bool up, double sum, struct grt_point *from,
                     struct grt_point *to) {
    /* As y = sum - x or y = x - sum for x between: */
    double low = fmax(box->left, up ? sum - box->bottom : sum + box->top);
    double high = fmin(box->right, up ? sum - box->top : sum + box->bottom);
    *from = (struct grt_point){low, up ? sum - low : low - sum};
    *to = (struct grt_point){high, up ? sum - high : high - sum};
    return high > low;
}

bool grt_hatch_line(struct grt_hatch_lines *lines, struct grt_point *from, struct grt_point *to) {
    const struct grt_shape *box = lines->shape;
    for (; lines->pass < 2; lines->pass++, lines->begun = false) {
        bool up = lines->pass == 0;
        if (box->direction == (up ? GRT_HATCH_DOWN : GRT_HATCH_UP)) {
            continue;
        }
        double first = up ? (double)box->left + box->top : (double)box->left - box->bottom;
        double last = up ? (double)box->right + box->bottom : (double)box->right - box->top;
        if (!lines->begun) {
            lines->begun = true;
            lines->next = floor(first / box->pitch) * box->pitch;
        }
        while (lines->next < last) {
            double sum = lines->next;
            lines->next += box->pitch;
            if (cut_line(box, up, sum, from, to)) {
                return true;
            }
        }
    }
    return false;
}
