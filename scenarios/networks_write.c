#include <inttypes.h>
#include <stdlib.h>

#include "scenarios/networks_format.h"
#include "scenarios/read_fields.h"

/* As many digits as bring a double back. */
#define EXACT "%.17g"

static void write_text(FILE *out, const char *text) {
    cJSON *value = cJSON_CreateString(text);
    char *written = cJSON_PrintUnformatted(value);
    fputs(written, out);
    cJSON_free(written);
    cJSON_Delete(value);
}

static void write_list(FILE *out, const char *key, const double *numbers, size_t count) {
    fprintf(out, "\"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s" EXACT, i == 0 ? "" : ", ", numbers[i]);
    }
    fputc(']', out);
}

static void write_inputs(FILE *out, const struct grt_network *network) {
    fputs("      \"inputs\": [\n", out);
    for (size_t i = 0; i < GRT_NETWORK_INPUTS; i++) {
        fprintf(out, "        {\"name\": \"%s\", \"low\": " EXACT ", \"high\": " EXACT "}%s\n",
                grt_network_input_names[i], network->low[i], network->high[i],
                i + 1 < GRT_NETWORK_INPUTS ? "," : "");
    }
    fputs("      ],\n", out);
}

static void write_rules(FILE *out, const struct grt_network *network) {
    size_t terms = grt_network_terms(network->order);
    fputs("      \"rules\": [\n", out);
    for (size_t j = 0; j < (size_t)network->rules; j++) {
        fputs("        {", out);
        write_list(out, "centre", &network->centres[j * GRT_NETWORK_INPUTS], GRT_NETWORK_INPUTS);
        fputs(",\n         ", out);
        write_list(out, "width", &network->widths[j * GRT_NETWORK_INPUTS], GRT_NETWORK_INPUTS);
        fputs(",\n         ", out);
        write_list(out, "consequent", &network->consequents[j * terms], terms);
        fprintf(out, "}%s\n", j + 1 < (size_t)network->rules ? "," : "");
    }
    fputs("      ]", out);
}

/* A plain struct by its table: numbers, whole numbers, and objects of those. */
static void write_record(FILE *out, const struct grt_record *record, const void *from) {
    fputc('{', out);
    for (size_t i = 0; i < record->field_count; i++) {
        const struct grt_field *field = &record->fields[i];
        const void *value = (const char *)from + field->offset;
        fprintf(out, "%s\"%s\": ", i == 0 ? "" : ", ", field->name);
        if (field->type == GRT_FIELD_OBJECT) {
            write_record(out, field->record, value);
        } else if (field->type == GRT_FIELD_INTEGER) {
            fprintf(out, "%" PRId64, *(const int64_t *)value);
        } else {
            fprintf(out, EXACT, *(const double *)value);
        }
    }
    fputc('}', out);
}

static void write_network(FILE *out, const struct grt_network *network,
                          const struct grt_network_history *history) {
    fputs("    {\n      \"kernel\": ", out);
    write_text(out, network->kernel);
    fprintf(out,
            ",\n      \"order\": %" PRId64 ", \"threshold\": " EXACT ", \"mean\": " EXACT
            ", \"deviation\": " EXACT ",\n",
            network->order, network->threshold, network->mean, network->deviation);
    write_inputs(out, network);
    write_rules(out, network);
    if (history != NULL) {
        fputs(",\n      \"training\": ", out);
        write_record(out, &grt_network_training_record, history);
    }
    fputs("\n    }", out);
}

void grt_networks_write(FILE *out, const struct grt_networks *networks,
                        const struct grt_network_history *histories) {
    fputs("{\n  \"gpurt\": 1,\n  \"networks\": [\n", out);
    for (size_t i = 0; i < networks->count; i++) {
        write_network(out, &networks->items[i], histories != NULL ? &histories[i] : NULL);
        fputs(i + 1 < networks->count ? ",\n" : "\n", out);
    }
    fputs("  ]\n}\n", out);
}
