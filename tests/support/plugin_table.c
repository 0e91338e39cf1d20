#include "tests/support/plugin_table.h"

#include <stddef.h>

static bool start(void *state, struct grt_world *world, struct grt_errors *errors) {
    return state != NULL && world != NULL && errors != NULL;
}

static void decide(void *state, struct grt_world *world) {
    (void)state;
    (void)world;
}

static void analyse(const struct grt_analysis_set *set, struct grt_analysis_result *result) {
    (void)set;
    (void)result;
}

void make_plugin_table(struct plugin_table *table) {
    const struct grt_field time = {.name = "first",
                                   .type = GRT_FIELD_TIME,
                                   .offset = offsetof(struct plugin_numbers, first),
                                   .fallback = "\"1ms\"",
                                   .help = ""};
    *table = (struct plugin_table){.fields = {time, time, time}};
    table->fields[1].name = "second";
    table->fields[1].offset = offsetof(struct plugin_numbers, second);
    table->fields[2] = (struct grt_field){.name = "truth",
                                          .type = GRT_FIELD_BOOLEAN,
                                          .offset = offsetof(struct plugin_numbers, truth),
                                          .fallback = "true",
                                          .help = ""};
    table->record = (struct grt_record){
        .name = "mine", .size = sizeof(struct plugin_numbers), .fields = table->fields, .field_count = 3};
    table->analysis = (struct grt_analysis_ops){
        .name = "mine-proof", .summary = "a proof", .source = "the test", .run = analyse};
    table->second = table->analysis;
    table->second.name = "mine-guess";
    table->analyses[0] = &table->analysis;
    table->analyses[1] = &table->second;
    table->policy = (struct grt_policy_ops){.name = "mine",
                                            .summary = "a policy",
                                            .start = start,
                                            .decide = decide,
                                            .parameters = &table->record,
                                            .parameters_size = sizeof(struct plugin_numbers),
                                            .analyses = table->analyses};
}
