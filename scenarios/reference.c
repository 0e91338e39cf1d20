/* The references of scenario files and of experiments in Markdown, from the tables that drive the reading. */
#include <inttypes.h>
#include <string.h>

#include "policies/registry.h"
#include "scenarios/experiment/fields.h"
#include "scenarios/records.h"
#include "scenarios/scenario.h"
#include "sim/unit.h"

static const char introduction[] =
    "# Scenario files\n"
    "\n"
    "This page and `scenario.schema.json` beside it are made from the tables "
    "by which gpurt reads scenarios; a test "
    "compares them.\n"
    "\n"
    "A scenario is one JSON object in UTF-8, of at most 64 MiB, nested at "
    "most 64 deep. It is read strictly: an "
    "unknown or repeated field, a wrong\n"
    "type or unit and an impossible value are errors, all errors of a file "
    "are shown at once, and the file is then not "
    "used.\n"
    "\n"
    "Quantities are texts with a unit and are read exactly: `\"0.1us\"` is "
    "100 ns, and `\"0.1ns\"` is refused. Nothing "
    "may be longer than 10^18 ns\n"
    "(about 31.7 years).\n"
    "\n"
    "Settings without effect that can only be mistakes are errors as well: a "
    "wait for an event that no task records,\n"
    "a slowdown of a class that no kernel is of, a field that says how something works which is off. "
    "To switch something off for a comparison\n"
    "and keep what belongs to it, write what switches it off: `\"hardware_queues\": 0`. What describes "
    "hardware, a kernel or a task may stand\n"
    "where nothing uses it ([decision 15](decisions/0015-settings-without-effect.md)).\n"
    "\n"
    "| Quantity | Units |\n"
    "| --- | --- |\n";

static const char introduction_of_experiments[] =
    "# Experiments\n"
    "\n"
    "This page and `experiment.schema.json` beside it are made from the tables by which gpurt reads "
    "experiments; a test compares them.\n"
    "[sweeps.md](sweeps.md) explains what experiments are for and how they are run.\n"
    "\n"
    "An experiment is one JSON object, read as strictly as [scenarios](scenario-reference.md), with "
    "quantities as there. Fields that\n"
    "`axes` may change are checked at every point, with the axes' values put in; an error that not all "
    "points have names the first of its points.\n";

static const char introduction_of_kernels[] =
    "# Kernel files\n"
    "\n"
    "A kernel file is one JSON object, read as strictly as scenarios, with quantities as there.\n";

static const struct {
    const char *name;
    enum grt_quantity quantity;
} quantities[] = {
    [GRT_FIELD_TIME] = {"duration", GRT_QUANTITY_TIME},
    [GRT_FIELD_SIZE] = {"size", GRT_QUANTITY_SIZE},
    [GRT_FIELD_RATE] = {"rate", GRT_QUANTITY_RATE},
    [GRT_FIELD_FREQUENCY] = {"frequency", GRT_QUANTITY_FREQUENCY},
};

/* A text in a cell of a table: a bar would end the cell. */
static void write_cell(FILE *out, const char *text) {
    for (; *text != '\0'; text++) {
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    }
}

static void write_choices(FILE *out, const char *const *choices) {
    for (size_t i = 0; choices[i] != NULL; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
        fprintf(out, "%s`\"%s\"`", between, choices[i]);
    }
}

static void write_quantity(FILE *out, const struct grt_field *field) {
    const char *bound = field->min < 0 ? ", may be negative" : field->min == 1 ? " above 0" : "";
    fprintf(out, "%s%s", quantities[field->type].name, bound);
}

static void write_integer(FILE *out, const struct grt_field *field) {
    bool bounded = field->min != 0 || field->max != 0;
    fprintf(out, "whole number");
    if (bounded && field->min == field->max) {
        fprintf(out, " %" PRId64, field->min);
    } else if (bounded) {
        fprintf(out, " from %" PRId64, field->min);
        if (field->max < GRT_INTEGER_LIMIT) {
            fprintf(out, " to %" PRId64, field->max);
        }
    }
}

/* "[PRUDA server](#pruda-server)": a heading's place has small letters, and no blanks. */
static void write_link(FILE *out, const char *name) {
    fprintf(out, "[%s](#", name);
    for (; *name != '\0'; name++) {
        fputc(*name == ' ' ? '-' : *name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name, out);
    }
    fputc(')', out);
}

static void write_list(FILE *out, const struct grt_field *field) {
    fprintf(out, "list of ");
    if (field->max > 0) {
        fprintf(out, "%" PRId64 " to %" PRId64 " ", field->min, field->max);
    }
    write_link(out, field->record->name);
}

static void write_type(FILE *out, const struct grt_field *field) {
    int64_t least = field->max == 0 ? 1 : field->min, most = field->max == 0 ? GRT_NAME_LENGTH : field->max;
    switch (field->type) {
    case GRT_FIELD_TIME:
    case GRT_FIELD_SIZE:
    case GRT_FIELD_RATE:
    case GRT_FIELD_FREQUENCY:
        write_quantity(out, field);
        break;
    case GRT_FIELD_INTEGER:
        write_integer(out, field);
        break;
    case GRT_FIELD_NUMBER:
        fprintf(out, field->max > 0 ? "number from %" PRId64 " to %" PRId64 : "number", field->min,
                field->max);
        break;
    case GRT_FIELD_BOOLEAN:
        fprintf(out, "`true` or `false`");
        break;
    case GRT_FIELD_CHOICE:
        write_choices(out, field->choices);
        break;
    case GRT_FIELD_NAME:
        fprintf(out, "text of %" PRId64 " to %" PRId64 " bytes", least, most);
        break;
    case GRT_FIELD_OBJECT:
        write_link(out, field->record->name);
        break;
    case GRT_FIELD_LIST:
        write_list(out, field);
        break;
    case GRT_FIELD_CUSTOM:
        fprintf(out, "%s", grt_custom_find(field->custom)->type);
        break;
    }
}

static void write_field(FILE *out, const struct grt_field *field) {
    fprintf(out, "| `%s` | ", field->name);
    write_type(out, field);
    if (field->fallback == NULL) {
        fprintf(out, " | required | ");
    } else {
        fprintf(out, field->fallback[0] != '\0' ? " | `%s` | " : " | none%s | ", field->fallback);
    }
    write_cell(out, field->help);
    fprintf(out, " |\n");
}

static void write_fields(FILE *out, const struct grt_record *record) {
    for (size_t i = 0; i < record->field_count; i++) {
        write_field(out, &record->fields[i]);
    }
}

static void write_table(FILE *out, const struct grt_record *record) {
    const struct grt_record_rule *rule = grt_record_rule_find(record);
    fprintf(out, "| Field | Type | Default | Meaning |\n| --- | --- | --- | --- |\n");
    write_fields(out, record);
    for (size_t i = 0; rule != NULL && rule->beside != NULL && rule->beside[i] != NULL; i++) {
        write_fields(out, rule->beside[i]);
    }
}

static void write_record(FILE *out, const struct grt_record *record) {
    fprintf(out, "\n## %s\n\n%s\n\n", record->name, record->help);
    write_table(out, record);
}

/* Whether an earlier policy than `number` has a record of this kind among its parameters. */
static bool is_written(const struct grt_record *nested, size_t number) {
    for (size_t i = 0; i < number; i++) {
        const struct grt_record *parameters = grt_policies[i]->parameters;
        for (size_t j = 0; parameters != NULL && j < parameters->field_count; j++) {
            if (parameters->fields[j].record == nested) {
                return true;
            }
        }
    }
    return false;
}

/* The records of a list of parameters that no earlier policy than `number` has. */
static void write_nested(FILE *out, const struct grt_record *record, size_t number) {
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_record *nested = record->fields[i].record;
        if (nested != NULL && !is_written(nested, number)) {
            fprintf(out, "\n#### %s\n\n%s\n\n", nested->name, nested->help);
            write_table(out, nested);
            write_nested(out, nested, number);
        }
    }
}

/* The first policy with the same parameters as policy `number`, which has some: itself, if no earlier one has them. */
static size_t first_with_parameters(size_t number) {
    const struct grt_field *fields = grt_policies[number]->parameters->fields;
    size_t first = 0;
    while (grt_policies[first]->parameters == NULL || grt_policies[first]->parameters->fields != fields) {
        first++;
    }
    return first;
}

static void write_policies(FILE *out) {
    for (size_t i = 0; grt_policies[i] != NULL; i++) {
        const struct grt_record *parameters = grt_policies[i]->parameters;
        fprintf(out, "\n### Policy %s\n\nSummary: %s.", grt_policies[i]->name, grt_policies[i]->summary);
        if (parameters == NULL) {
            fprintf(out, " No parameters.\n");
            continue;
        }
        size_t first = first_with_parameters(i);
        if (first != i) {
            fprintf(out, " Parameters: those of [%s](#policy-%s).\n", grt_policies[first]->name,
                    grt_policies[first]->name);
            continue;
        }
        fprintf(out, " %s\n\n", parameters->help != NULL ? parameters->help : "Parameters:");
        write_table(out, parameters);
        write_nested(out, parameters, i);
    }
}

static void write_generators(FILE *out) {
    for (size_t i = 0; grt_generators[i] != NULL; i++) {
        const struct grt_generator_ops *generator = grt_generators[i];
        fprintf(out, "\n### Generator %s\n\nSummary: %s. Source: %s. %s\n\n", generator->name,
                generator->summary, generator->source,
                generator->record->help != NULL ? generator->record->help : "Parameters:");
        write_table(out, generator->record);
        write_nested(out, generator->record, 0);
    }
}

static void write_records(FILE *out, const struct grt_record *const *records) {
    for (size_t i = 0; records[i] != NULL; i++) {
        write_record(out, records[i]);
        if (records[i] == &grt_policy_record) {
            write_policies(out);
        } else if (records[i] == &grt_generator_record) {
            write_generators(out);
        }
    }
}

void grt_scenario_write_reference(FILE *out) {
    fputs(introduction, out);
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        fprintf(out, "| %s | %s |\n", quantities[i].name, grt_unit_names(quantities[i].quantity));
    }
    write_records(out, grt_records);
}

void grt_experiment_write_reference(FILE *out) {
    fputs(introduction_of_experiments, out);
    write_records(out, grt_experiment_records);
}

void grt_kernels_write_reference(FILE *out) {
    fputs(introduction_of_kernels, out);
    write_records(out, grt_kernel_records);
}
