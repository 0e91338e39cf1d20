#include "scenarios/generate/frame.h"

#include <cjson/cJSON.h>
#include <inttypes.h>

#include "sim/check.h"

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

void grt_generated_put_text(FILE *out, const char *text) {
    cJSON string = {.type = cJSON_String};
    string.valuestring = (char *)(size_t)text; /* only read */
    char *json = cJSON_PrintUnformatted(&string);
    GRT_REQUIRE(json != NULL, "have more memory");
    fputs(json, out);
    cJSON_free(json);
}

void grt_generated_put_head(FILE *out, const struct grt_generated_frame *frame, grt_time usual_horizon) {
    char horizon[GRT_TIME_TEXT_SIZE];
    fputs("{\n  \"gpurt\": 1,\n  \"name\": ", out);
    grt_generated_put_text(out, frame->name);
    fputs(",\n  \"description\": ", out);
    grt_generated_put_text(out, frame->description);
    fprintf(out, ",\n  \"seed\": %" PRIu64 ",\n  \"horizon\": ", frame->seed);
    grt_generated_put_text(out,
                           frame->horizon != NULL ? frame->horizon : grt_time_text(usual_horizon, horizon));
    fputs(",\n  ", out);
}
