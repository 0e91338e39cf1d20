#include "study/evaluate/training_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/record_write.h"
#include "sim/check.h"

static FILE *open_text(char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    GRT_REQUIRE(out != NULL, "have more memory");
    return out;
}

static const char *close_text(FILE *out, char **text, struct grt_arena *arena) {
    fclose(out);
    const char *kept = grt_arena_text(arena, *text);
    free(*text);
    return kept;
}

static void print_device(FILE *out, const struct grt_device *device) {
    static const struct grt_path root = {0};
    struct grt_errors errors = {0};
    struct grt_device unnamed = *device;
    unnamed.name = unnamed.description = "";
    cJSON *object = grt_record_write(&grt_device_record, &unnamed, &errors, &root);
    GRT_REQUIRE(errors.count == 0, "have every field of a device written (scenarios/record_write.c)");
    char *text = cJSON_PrintUnformatted(object);
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(object);
}

const char *grt_gpus_key(const struct grt_device *gpus, size_t count, struct grt_arena *arena) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_text(&text, &size);
    for (size_t i = 0; i < count; i++) {
        print_device(out, &gpus[i]);
    }
    return close_text(out, &text, arena);
}

static void print_numbers(FILE *out, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fprintf(out, " %a", numbers[i]);
    }
}

/* Names say how long they are, so that none runs into the next. */
static void print_name(FILE *out, const char *name) {
    fprintf(out, " %zu:%s", name != NULL ? strlen(name) : 0, name != NULL ? name : "");
}

static void print_application(FILE *out, const struct grt_application *application) {
    const struct grt_usage *usage = &application->usage;
    const struct grt_share_factor *factors = usage->share_factors.items;
    fprintf(out, "%" PRIu32 " %" PRId64, application->task, (int64_t)application->work);
    print_name(out, application->kernel->name);
    print_name(out, application->kernel->class_name);
    print_numbers(out, (const double[]){usage->host_fraction, usage->sm_utilisation}, 2);
    print_numbers(out, usage->demand, GRT_RESOURCES);
    print_numbers(out, usage->bound, GRT_RESOURCES);
    print_numbers(out, usage->counters, GRT_INDICATORS);
    for (size_t i = 0; i < usage->share_factors.count; i++) {
        fprintf(out, " %" PRId64 ":%a", factors[i].share, factors[i].factor);
    }
    fputc('\n', out);
}

/* Learners of one GPU stand together, and share the list. */
static void print_learner(FILE *out, const struct grt_learner *learner, const struct grt_learner *before) {
    if (before == NULL || before->all != learner->all) {
        fprintf(out, "gpu %" PRIu32 " ", learner->gpu);
        print_device(out, learner->all->device);
        for (size_t i = 0; i < learner->all->count; i++) {
            print_application(out, &learner->all->items[i]);
        }
    }
    fprintf(out, "learn %zu\n", learner->index);
}

const char *grt_training_key(const struct grt_scenario *scenario, uint64_t seed,
                             enum grt_training_effort effort, struct grt_arena *arena,
                             struct grt_errors *errors) {
    struct grt_arena scratch = {0};
    struct grt_learner_list learners;
    const char *key = NULL;
    if (grt_learners_find(scenario, NULL, &scratch, &learners, errors)) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_text(&text, &size);
        fprintf(out, "seed %" PRIu64 " effort %d\n", seed, (int)effort);
        for (size_t i = 0; i < learners.count; i++) {
            print_learner(out, &learners.items[i], i > 0 ? &learners.items[i - 1] : NULL);
        }
        key = close_text(out, &text, arena);
    }
    grt_arena_clear(&scratch);
    return key;
}
