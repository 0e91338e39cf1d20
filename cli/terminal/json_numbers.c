#include "cli/terminal/json_numbers.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

void grt_json_add_integer(cJSON *object, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    cJSON_AddRawToObject(object, key, text);
}

void grt_json_add_count(cJSON *object, const char *key, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    cJSON_AddRawToObject(object, key, text);
}

void grt_json_add_wide(cJSON *object, const char *key, grt_signed_wide value) {
    char text[48], *first = text + sizeof text - 1;
    bool negative = value < 0;
    grt_wide rest = negative ? -(grt_wide)value : (grt_wide)value;
    *first = '\0';
    do {
        *--first = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (negative) {
        *--first = '-';
    }
    cJSON_AddRawToObject(object, key, first);
}

void grt_json_add_time(cJSON *object, const char *key, grt_time time) {
    if (time < 0 || time == GRT_TIME_NEVER) {
        cJSON_AddNullToObject(object, key);
    } else {
        grt_json_add_integer(object, key, time);
    }
}

void grt_json_add_ratio(cJSON *object, const char *key, double part, double whole) {
    if (whole > 0) {
        cJSON_AddNumberToObject(object, key, part / whole);
    } else {
        cJSON_AddNullToObject(object, key);
    }
}
