#include "cli/generate/shapes.h"

#include <string.h>

#include "sim/check.h"

static const struct grt_generate_field kernel_fields[] = {{"tasks", "tasks"},
                                                          {"utilisation", "utilisation"},
                                                          {"method", "method"},
                                                          {"min_utilisation", "min-utilisation"},
                                                          {"max_utilisation", "max-utilisation"},
                                                          {"periods", "periods"},
                                                          {"min_period", "periods"},
                                                          {"max_period", "periods"},
                                                          {"hyperperiod", "periods"},
                                                          {"granularity", "granularity"},
                                                          {"deadlines", "deadlines"},
                                                          {"deadline_factor", "deadlines"},
                                                          {"jitter", "jitter"},
                                                          {"split_overhead", "overhead"},
                                                          {"random_offsets", "offsets"},
                                                          {"blocks", "blocks"},
                                                          {"threads", "threads"},
                                                          {0}};

static const struct grt_generate_field kim_fields[] = {{"cores", "cpus"},
                                                       {"tasks", "tasks-per-core"},
                                                       {"gpu_tasks", "gpu-tasks"},
                                                       {"utilisation", "core-utilisation"},
                                                       {"gpu_ratio", "gpu-ratio"},
                                                       {"gpu_segments", "gpu-segments"},
                                                       {"host_ratio", "host-ratio"},
                                                       {"epsilon", "epsilon"},
                                                       {"periods", "periods"},
                                                       {"min_period", "periods"},
                                                       {"max_period", "periods"},
                                                       {"hyperperiod", "periods"},
                                                       {"granularity", "granularity"},
                                                       {0}};

static const struct grt_generate_field application_fields[] = {
    {"count", "tasks"}, {"utilisation", "utilisation"}, {0}};

static const struct grt_generate_field no_fields[] = {{0}};

static const struct grt_generate_shape shapes[] = {
    {"kernel", "independent", kernel_fields, "np-edf", "exclusive", false},
    {"kim", "cores", kim_fields, "np-fp", "exclusive", false},
    {"applications", "applications", application_fields, "np-edf", "gtx1060_6gb", true}};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

void grt_generate_shape_names(const char *names[GRT_GENERATE_MOST_SHAPES]) {
    size_t count = 0;
    for (size_t i = 0; i < SHAPES; i++) {
        if (strcmp(shapes[i].name, shapes[i].generator) != 0) {
            names[count++] = shapes[i].name;
        }
    }
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        GRT_REQUIRE(count + 1 < GRT_GENERATE_MOST_SHAPES, "make room for more shapes");
        if (grt_generators[i]->files == NULL) {
            names[count++] = grt_generators[i]->name;
        }
    }
    names[count] = NULL;
}

struct grt_generate_shape grt_generate_shape_of(const char *name) {
    for (size_t i = 0; i < SHAPES; i++) {
        if (strcmp(shapes[i].name, name) == 0 || strcmp(shapes[i].generator, name) == 0) {
            return shapes[i];
        }
    }
    return (struct grt_generate_shape){name, name, no_fields, "np-edf", "exclusive", false};
}

bool grt_generate_has_option(const struct grt_generate_shape *shape, const char *option) {
    for (const struct grt_generate_field *field = shape->fields; field->field != NULL; field++) {
        if (strcmp(field->option, option) == 0) {
            return true;
        }
    }
    return false;
}

const char *grt_generate_option_of(const struct grt_generate_shape *shape, const char *field, size_t length) {
    for (const struct grt_generate_field *known = shape->fields; known->field != NULL; known++) {
        if (strlen(known->field) == length && strncmp(known->field, field, length) == 0) {
            return known->option;
        }
    }
    return NULL;
}
