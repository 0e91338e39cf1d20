#include "study/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *grt_double_text(double value, char text[GRT_DOUBLE_TEXT_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, GRT_DOUBLE_TEXT_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    return text;
}
