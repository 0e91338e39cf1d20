/* Scenarios as texts in the source of a test, read by the loader. */
#ifndef GRT_TESTS_SUPPORT_SCENARIO_TEXT_H
#define GRT_TESTS_SUPPORT_SCENARIO_TEXT_H

#include "scenarios/scenario.h"

/* The beginning of a text up to its list of tasks, which ends with "]}", and a task with one GPU segment of 1 ms. */
#define SCENARIO_HEAD                                                                                        \
    "{\"gpurt\":1,\"horizon\":\"1s\",\"platform\":{\"gpus\":[{\"device\":\"exclusive\"}]},\"tasks\":["
#define SCENARIO_SEGMENTS "\"segments\":[{\"gpu\":[{\"kernel\":\"k\",\"time\":\"1ms\"}]}]"
#define SCENARIO_TASK(name, rest) "{\"name\":\"" name "\"," rest "," SCENARIO_SEGMENTS "}"

/* Reads a text that must be accepted, after printing what is wrong with it if it is not. `changes` may be NULL. The test
 * frees the file. */
void grt_scenario_text_load(const char *text, const struct grt_scenario_changes *changes,
                            struct grt_scenario_file *file);

#endif
