#include "scenarios/generate/frame.h"

enum { PERIODS_OF_HORIZON = 10 };

/* By hand: sets are made by the thousand a second. */
const char *grt_generated_name(char text[GRT_GENERATED_NAME], char letter, size_t index) {
    char digits[GRT_GENERATED_NAME];
    size_t count = 0, length = 0;
    for (uint32_t number = (uint32_t)(index + 1); number > 0; number /= 10) {
        digits[count++] = (char)('0' + number % 10);
    }
    text[length++] = letter;
    while (count > 0) {
        text[length++] = digits[--count];
    }
    text[length] = '\0';
    return text;
}

grt_time grt_generated_horizon(grt_time longest_period) {
    return longest_period <= GRT_TIME_LIMIT / PERIODS_OF_HORIZON ? longest_period * PERIODS_OF_HORIZON
                                                                 : GRT_TIME_LIMIT;
}
