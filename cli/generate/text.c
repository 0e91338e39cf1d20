/* The options of `gpurt generate` written out again, for the descriptions of its files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/generate/options.h"
#include "scenarios/record_write.h"

/* The fewest digits that are read as the same number. */
static void put_number(FILE *out, double value) {
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    fputs(text, out);
}

static void put_range(FILE *out, const char *option, const struct grt_generated_range *range) {
    fprintf(out, " %s", option);
    put_number(out, range->low);
    fputc(',', out);
    put_number(out, range->high);
}

static void put_utilisation(FILE *out, const struct grt_independent *independent) {
    const struct grt_generator_spec *spec = &independent->spec;
    fprintf(out, "--tasks %" PRId64 " --utilisation ", independent->tasks);
    put_number(out, spec->utilisation);
    fprintf(out, " --method %s", grt_utilisation_method_names[spec->method]);
    if (spec->least != 0) {
        fputs(" --min-utilisation ", out);
        put_number(out, spec->least);
    }
    if (spec->most != 1) {
        fputs(" --max-utilisation ", out);
        put_number(out, spec->most);
    }
}

static void put_periods(FILE *out, const struct grt_period_spec *periods) {
    char hyperperiod[GRT_TIME_TEXT_SIZE], least[GRT_TIME_TEXT_SIZE], most[GRT_TIME_TEXT_SIZE];
    fprintf(out, " --periods %s", grt_period_method_names[periods->method]);
    if (periods->method == GRT_PERIODS_DIVISORS) {
        fprintf(out, ":%s,%s,%s", grt_time_text(periods->hyperperiod, hyperperiod),
                grt_time_text(periods->least, least), grt_time_text(periods->most, most));
    } else if (periods->method < GRT_PERIODS_AUTOMOTIVE) {
        fprintf(out, ":%s,%s", grt_time_text(periods->least, least), grt_time_text(periods->most, most));
    }
    fprintf(out, " --granularity %s", grt_time_text(periods->granularity, least));
}

static void put_rest(FILE *out, const struct grt_independent *independent) {
    const struct grt_generator_spec *spec = &independent->spec;
    char text[GRT_TIME_TEXT_SIZE];
    if (spec->deadlines != GRT_DEADLINES_IMPLICIT) {
        put_range(out, spec->deadlines == GRT_DEADLINES_FACTOR ? "--deadlines factor:" : "--deadlines slack:",
                  &spec->deadline_factor);
    }
    if (spec->jitter.high > 0) {
        put_range(out, "--jitter ", &spec->jitter);
    }
    if (spec->overhead > 0) {
        fprintf(out, " --overhead %s", grt_time_text(spec->overhead, text));
    }
    fputs(spec->random_offsets ? " --offsets random" : "", out);
    if (spec->blocks.high > 0) {
        fprintf(out, " --blocks %" PRId64 ",%" PRId64 " --threads %" PRId64, spec->blocks.low,
                spec->blocks.high, independent->threads);
    }
}

static void put_counts(FILE *out, const char *option, const struct grt_generated_count *count) {
    fprintf(out, " %s %" PRId64 ",%" PRId64, option, count->low, count->high);
}

static void put_kim(FILE *out, const struct grt_kim_spec *kim) {
    char text[GRT_TIME_TEXT_SIZE];
    fprintf(out, "--shape kim --cpus %" PRId64, kim->cores);
    put_counts(out, "--tasks-per-core", &kim->tasks);
    put_range(out, "--gpu-tasks ", &kim->gpu_tasks);
    put_range(out, "--core-utilisation ", &kim->utilisation);
    put_range(out, "--gpu-ratio ", &kim->gpu_ratio);
    put_counts(out, "--gpu-segments", &kim->segments);
    put_range(out, "--host-ratio ", &kim->host_ratio);
    fprintf(out, " --epsilon %s", grt_time_text(kim->epsilon, text));
    put_periods(out, &kim->periods);
}

static void put_value(FILE *out, const cJSON *value) {
    char *json = cJSON_PrintUnformatted(value);
    fputs(cJSON_IsString(value) ? value->valuestring : json, out);
    cJSON_free(json);
}

/* The parameters that are not as usual: all, or those without an option. */
static void put_parameters(FILE *out, const struct grt_generate_command *command, bool all) {
    struct grt_errors unused = {0};
    cJSON *parameters = grt_record_write(command->generator->record, command->parameters, &unused, NULL);
    const cJSON *value;
    cJSON_ArrayForEach(value, parameters) {
        const char *name = value->string,
                   *option = grt_generate_option_of(&command->shape, name, strlen(name));
        if (option == NULL) {
            fprintf(out, " --parameter %s=", name);
        } else if (all) {
            fprintf(out, " --%s ", option);
        }
        if (option == NULL || all) {
            put_value(out, value);
        }
    }
    cJSON_Delete(parameters);
    grt_errors_clear(&unused);
}

static void put_set(FILE *out, const struct grt_generate_command *command) {
    const char *shape = command->shape.name;
    bool kernel = strcmp(shape, "kernel") == 0, kim = strcmp(shape, "kim") == 0;
    if (kernel) {
        put_utilisation(out, &command->independent);
        put_periods(out, &command->independent.spec.periods);
        put_rest(out, &command->independent);
    } else if (kim) {
        put_kim(out, &command->kim);
    } else {
        fprintf(out, "--shape %s", shape);
    }
    put_parameters(out, command, !kernel && !kim);
}

static void put_horizon(FILE *out, const struct grt_generate_command *command) {
    char text[GRT_TIME_TEXT_SIZE];
    if (command->horizon_kind != GRT_HORIZON_FIXED) {
        fprintf(out, " --horizon %s", command->horizon_kind == GRT_HORIZON_AUTO ? "auto" : "hyperperiod");
    } else if (command->horizon > 0) {
        fprintf(out, " --horizon %s", grt_time_text(command->horizon, text));
    }
}

char *grt_generate_options_text(const struct grt_generate_command *command, uint64_t number, char *text,
                                size_t size) {
    FILE *out = fmemopen(text, size, "w");
    if (out == NULL) {
        text[0] = '\0';
        return text;
    }
    put_set(out, command);
    fprintf(out, " --device %s --policy %s", command->device,
            command->policy->plugin != NULL ? command->policy->plugin : command->policy->name);
    put_horizon(out, command);
    fprintf(out, " --seed %" PRIu64 " --first %" PRIu64, command->seed, number);
    fclose(out);
    return text;
}
