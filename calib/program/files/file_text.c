#include "calib/program/files/file_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/fit/quantum.h"
#include "calib/program/report/findings.h"

enum { TEXT_SIZE = 2048 };

void grt_put_text(cJSON *object, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') {
        cJSON_AddStringToObject(object, key, text);
    }
}

void grt_put_number(cJSON *object, const char *key, double value) {
    if (isfinite(value)) {
        cJSON_AddNumberToObject(object, key, value);
    }
}

char *grt_tree_text(cJSON *tree) {
    char *printed = cJSON_Print(tree);
    size_t length = strlen(printed);
    char *text = grt_reallocate(printed, length + 2);
    memcpy(text + length, "\n", 2);
    cJSON_Delete(tree);
    return text;
}

double grt_written_value(double value, double low, double high, bool whole) {
    enum { PART = 20 };
    double half = high > low ? (high - low) / PART : 0, least = value - half, most = value + half;
    if (whole) {
        least = ceil(least);
        most = floor(most);
        return least <= most ? grt_roundest(least, most) : round(value);
    }
    return half > 0 ? grt_roundest(least, most) : value;
}

const char *grt_source_text(const struct grt_finding *finding, struct grt_arena *arena) {
    char text[TEXT_SIZE], samples[80] = "", interval[120] = "";
    if (finding->status == GRT_FINDING_TOLD) {
        return "told by the driver";
    }
    if (finding->samples > 0) {
        snprintf(samples, sizeof samples, "; %zu samples of experiment %s", finding->samples,
                 finding->experiment);
    }
    if (finding->high > finding->low) {
        snprintf(interval, sizeof interval, ", 95 %% interval %s", grt_finding_interval_text(finding, arena));
    }
    snprintf(text, sizeof text, "measured: %s%s%s", finding->how, samples, interval);
    return grt_arena_text(arena, text);
}

const char *grt_pretended_text(const struct grt_raw *raw) {
    static const char *const pretended[][2] = {{"sim", "gpurt's own model of a GPU, back end sim"},
                                               {"host", "threads of the host, back end host"}};
    for (size_t i = 0; i < sizeof pretended / sizeof pretended[0] && raw->backend != NULL; i++) {
        if (strcmp(raw->backend, pretended[i][0]) == 0) {
            return pretended[i][1];
        }
    }
    return NULL;
}

void grt_sources_mark(cJSON *sources, const struct grt_raw *raw) {
    static const struct {
        const char *text, *instead, *behind;
    } words[] = {{"measured: ", "measured on a pretended device", ": "},
                 {"computed: ", "computed for a pretended device", ": "},
                 {"told by the driver", "told by a pretended driver", ""}};
    const char *what = grt_pretended_text(raw);
    cJSON *source = sources->child;
    for (; what != NULL && source != NULL; source = source->next) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t length = strlen(words[i].text);
            char text[2 * TEXT_SIZE];
            if (strncmp(source->valuestring, words[i].text, length) == 0) {
                snprintf(text, sizeof text, "%s (%s)%s%s", words[i].instead, what, words[i].behind,
                         source->valuestring + length);
                cJSON_SetValuestring(source, text);
                break;
            }
        }
    }
}

cJSON *grt_provenance(const struct grt_raw *raw) {
    char version[40], seed[40];
    snprintf(version, sizeof version, "%d.%d", raw->device.driver_version / 1000,
             raw->device.driver_version % 1000 / 10);
    snprintf(seed, sizeof seed, "%" PRIu64, raw->seed);
    cJSON *object = cJSON_CreateObject();
    grt_put_text(object, "device", raw->device.name);
    grt_put_text(object, "uuid", raw->device.uuid);
    grt_put_text(object, "driver", raw->device.driver_version > 0 ? version : NULL);
    grt_put_text(object, "backend", raw->backend);
    grt_put_text(object, "pretended", grt_pretended_text(raw));
    grt_put_text(object, "started", raw->started);
    grt_put_text(object, "host", raw->host);
    grt_put_text(object, "program", raw->program);
    grt_put_text(object, "build", raw->build);
    grt_put_text(object, "kernels_made_by", raw->kernels_made_by);
    grt_put_text(object, "seed", seed);
    grt_put_text(object, "raw_file", raw->file);
    grt_put_text(object, "raw_sha256", raw->sha256);
    return object;
}
