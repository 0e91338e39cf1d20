#include "tests/support/colour_vision.h"

#include <math.h>

struct triple {
    double v[3];
};

static const double visions[GRT_VISIONS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

static const double to_cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                      {0.2119034982, 0.6806995451, 0.1073969566},
                                      {0.0883024619, 0.2817188376, 0.6299787005}};
static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                    {1.9779984951, -2.4285922050, 0.4505937099},
                                    {0.0259040371, 0.7827717662, -0.8086757660}};

static struct triple multiply(const double matrix[3][3], struct triple x) {
    struct triple y;
    for (int i = 0; i < 3; i++) {
        y.v[i] = matrix[i][0] * x.v[0] + matrix[i][1] * x.v[1] + matrix[i][2] * x.v[2];
    }
    return y;
}

static struct triple linear(uint32_t colour) {
    struct triple x;
    for (int i = 0; i < 3; i++) {
        double part = (colour >> (24 - 8 * i) & 0xff) / 255.0;
        x.v[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
    return x;
}

static struct triple oklab(enum grt_vision vision, uint32_t colour) {
    struct triple seen = multiply(visions[vision], linear(colour));
    for (int i = 0; i < 3; i++) {
        seen.v[i] = fmin(fmax(seen.v[i], 0), 1);
    }
    struct triple cones = multiply(to_cones, seen);
    for (int i = 0; i < 3; i++) {
        cones.v[i] = cbrt(cones.v[i]);
    }
    return multiply(to_lab, cones);
}

double grt_colour_distance(enum grt_vision vision, uint32_t a, uint32_t b) {
    struct triple x = oklab(vision, a), y = oklab(vision, b);
    return 100 * sqrt(pow(x.v[0] - y.v[0], 2) + pow(x.v[1] - y.v[1], 2) + pow(x.v[2] - y.v[2], 2));
}
