#include <inttypes.h>
#include <string.h>

#include "scenarios/json_tree.h"
#include "scenarios/samples.h"

/* As many digits as bring a double back. */
#define EXACT "%.17g"

void grt_samples_write_names(FILE *out) {
    for (size_t i = 0; i < GRT_SAMPLE_COLUMNS; i++) {
        fprintf(out, "%s%s", i == 0 ? "" : ",", grt_sample_column(i));
    }
    fputc('\n', out);
}

/* With quotes where a comma, a quote or a brace would be taken for what it is not. */
static void write_csv_text(FILE *out, const char *text) {
    if (strpbrk(text, ",\"{ ") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void grt_samples_write_csv(FILE *out, const struct grt_kernel_samples *samples) {
    for (size_t i = 0; i < samples->samples.count; i++) {
        const struct grt_sample *sample = &samples->samples.items[i];
        write_csv_text(out, samples->kernel);
        fprintf(out, ",%" PRId64 "," EXACT, sample->share, sample->time);
        for (size_t k = 0; k < GRT_INDICATORS; k++) {
            fprintf(out, "," EXACT, sample->indicators[k]);
        }
        fputc('\n', out);
    }
}

void grt_samples_write_jsonl(FILE *out, const struct grt_kernel_samples *samples) {
    cJSON *name = cJSON_CreateString(samples->kernel);
    char *quoted = cJSON_PrintUnformatted(name);
    for (size_t i = 0; i < samples->samples.count; i++) {
        const struct grt_sample *sample = &samples->samples.items[i];
        fprintf(out, "{\"kernel\":%s,\"share\":%" PRId64 ",\"time_ns\":" EXACT, quoted, sample->share,
                sample->time);
        for (size_t k = 0; k < GRT_INDICATORS; k++) {
            fprintf(out, ",\"%s\":" EXACT, grt_sample_column(GRT_SAMPLE_INDICATORS + k),
                    sample->indicators[k]);
        }
        fputs("}\n", out);
    }
    cJSON_free(quoted);
    cJSON_Delete(name);
}
