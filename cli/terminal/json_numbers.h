/* Numbers in JSON that is written. */
#ifndef GRT_CLI_TERMINAL_JSON_NUMBERS_H
#define GRT_CLI_TERMINAL_JSON_NUMBERS_H

#include <cjson/cJSON.h>
#include <stdint.h>

#include "sim/time.h"

/* Whole numbers. cJSON keeps numbers as doubles: these are added as text, so that all 64 bits arrive. */
void grt_json_add_integer(cJSON *object, const char *key, int64_t value);
void grt_json_add_count(cJSON *object, const char *key, uint64_t value);

/* The same of sums that are longer than 64 bits. */
void grt_json_add_wide(cJSON *object, const char *key, grt_signed_wide value);

/* A time, or null where there is none, that is, below 0 or GRT_TIME_NEVER. */
void grt_json_add_time(cJSON *object, const char *key, grt_time time);

/* part / whole, or null where `whole` is 0. */
void grt_json_add_ratio(cJSON *object, const char *key, double part, double whole);

#endif
