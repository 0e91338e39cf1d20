#include "cli/terminal/manual/value_kind.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policies/analyses/registry.h"
#include "policies/registry.h"
#include "scenarios/embedded.h"
#include "scenarios/generate/generate.h"
#include "scenarios/generate/generators.h"
#include "sim/check.h"

static const char *policy(size_t index) {
    return grt_policies[index] != NULL ? grt_policies[index]->name : NULL;
}

static const char *analysis(size_t index) {
    return grt_analyses[index] != NULL ? grt_analyses[index]->name : NULL;
}

static const char *usage(size_t index) {
    return grt_embedded_usages[index].name;
}

static const char *method(size_t index) {
    return grt_utilisation_method_names[index];
}

/* "kim" is a shape of `gpurt generate`, and so are the generators of experiments. */
static const char *shape(size_t index) {
    static const char *const first[] = {"kernel", "kim"};
    enum { COUNT = sizeof first / sizeof first[0] };
    if (index < COUNT) {
        return first[index];
    }
    return grt_generators[index - COUNT] != NULL ? grt_generators[index - COUNT]->name : NULL;
}

static void put(FILE *out, const char *word) {
    if (word != NULL) {
        fprintf(out, "%s%s", ftell(out) > 0 ? " " : "", word);
    }
}

/* Each with the other names that it has. */
static void put_devices(FILE *out) {
    for (size_t i = 0; i < grt_embedded_device_count; i++) {
        cJSON *tree = cJSON_ParseWithLength(grt_embedded_devices[i].text, grt_embedded_devices[i].size_bytes);
        const cJSON *alias;
        put(out, grt_embedded_devices[i].name);
        cJSON_ArrayForEach(alias, cJSON_GetObjectItemCaseSensitive(tree, "aliases")) {
            put(out, cJSON_GetStringValue(alias));
        }
        cJSON_Delete(tree);
    }
}

/* All that is known. The first line that fits counts; `place` NULL: wherever it stands. */
static const struct line {
    const char *place, *value;
    const char *(*word)(size_t index); /* or */
    void (*put)(FILE *out);            /* or */
    const char *words;
    struct grt_value_kind kind;
} lines[] = {
    {NULL, "POLICY", .word = policy, .kind = {.endings = "so"}}, /* a plug-in is a file */
    {NULL, "POLICIES", .word = policy, .kind = {.list = true, .labels = true}},
    {NULL, "ANALYSIS", .word = analysis},
    {NULL, "DEVICE", .put = put_devices, .kind = {.endings = "json"}},
    {NULL, "USAGE", .word = usage, .kind = {.endings = "json"}},
    {NULL, "METHOD", .word = method},
    {NULL, "SHAPE", .word = shape},
    {NULL, "WHEN", .words = "auto always never"},
    {"until", "DURATION", .words = "hyperperiod auto"},
    {"horizon", "TIME", .words = "hyperperiod auto"},
    {"deadlines", "KIND", .words = "implicit factor: slack:"},
    {"periods", "KIND", .words = "uniform: log-uniform: divisors: automotive automotive-equal"},
    {NULL, "SCENARIO", .kind = {.endings = "json", .library = true}},
    {NULL, "EXPERIMENT", .kind = {.endings = "json", .library = true}},
    {NULL, "INPUT", .kind = {.endings = "json trace trc", .library = true}},
    {NULL, "TRACE", .kind = {.endings = "trace trc"}},
    {NULL, "RAW", .kind = {.endings = "jsonl"}},
    {NULL, "RESULTS.csv", .kind = {.endings = "csv"}},
    {NULL, "JOURNAL", .kind = {.endings = "journal"}},
    {"scenarios", "NAME", .kind = {.library = true}},
    {"papers", "NAME", .kind = {.experiments = true}},
    {"trace", "FILE", .kind = {.endings = "trace trc"}},
    {"json", "FILE", .kind = {.endings = "json"}},
    {"check", "FILE", .kind = {.endings = "json", .library = true}},
    {"csv", "FILE", .kind = {.endings = "csv"}},
    {"markdown", "FILE", .kind = {.endings = "md"}},
    {"journal", "FILE", .kind = {.endings = "journal"}},
    {"measured", "FILE", .kind = {.endings = "csv jsonl"}},
    {"kernel", "FILE", .kind = {.endings = "cu ptx"}},
    {NULL, "FILE", .kind = {.endings = ""}},
    {NULL, "FOLDER", .kind = {.folders = true}},
    {NULL, "PLACE", .kind = {.endings = ""}},
};

/* ---- Words ---- */

static void put_all(FILE *out, const char *(*word)(size_t index)) {
    for (size_t i = 0; word(i) != NULL; i++) {
        put(out, word(i));
    }
}

/* "light|dark|print": the help text has the choices in the place of a name. */
static void put_choices(FILE *out, const char *value) {
    while (*value != '\0') {
        int length = (int)strcspn(value, "|");
        fprintf(out, "%s%.*s", ftell(out) > 0 ? " " : "", length, value);
        value += length + (value[length] == '|');
    }
}

/* "mpcp.jitter=", of all options of analyses. */
static void put_analysis_options(FILE *out) {
    for (size_t i = 0; grt_analyses[i] != NULL; i++) {
        const struct grt_record *options = grt_analyses[i]->options;
        for (size_t k = 0; options != NULL && k < options->field_count; k++) {
            fprintf(out, "%s%s.%s=", ftell(out) > 0 ? " " : "", grt_analyses[i]->name,
                    options->fields[k].name);
        }
    }
}

static void put_words(FILE *out, const struct grt_manual_subject *subject, const struct line *line,
                      const char *value) {
    if (line != NULL) {
        if (line->word != NULL) {
            put_all(out, line->word);
        } else if (line->put != NULL) {
            line->put(out);
        }
        put(out, line->words);
    } else if (strchr(value, '|') != NULL) {
        put_choices(out, value);
    } else if (strcmp(value, "ANALYSIS.OPTION=VALUE") == 0) {
        put_analysis_options(out);
    }
    for (size_t i = 0; subject->word_of != NULL && subject->word_of(value, i) != NULL; i++) {
        put(out, subject->word_of(value, i));
    }
}

static const struct line *find_line(const char *place, const char *value) {
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bool here = lines[i].place == NULL || (place != NULL && strcmp(lines[i].place, place) == 0);
        if (here && strcmp(lines[i].value, value) == 0) {
            return &lines[i];
        }
    }
    return NULL;
}

struct grt_value_kind grt_value_kind_of(const struct grt_manual_subject *subject, const char *place,
                                        const char *value) {
    const struct line *line = find_line(place, value);
    struct grt_value_kind kind = line != NULL ? line->kind : (struct grt_value_kind){0};
    size_t size = 0, length = strlen(value);
    FILE *out = open_memstream(&kind.words, &size);
    GRT_REQUIRE(out != NULL, "have more memory");
    put_words(out, subject, line, value);
    fclose(out);
    /* A list is called by the plural of what is in it. */
    kind.list = kind.list || (line == NULL && size > 0 && length > 1 && value[length - 1] == 'S');
    if (size == 0) {
        free(kind.words);
        kind.words = NULL;
    }
    return kind;
}

/* ---- Arguments ---- */

bool grt_value_of_argument(const char *line, size_t index, char value[64]) {
    const char *at = line != NULL ? line : "";
    for (size_t i = 0; *at != '\0' && *at != '\n'; i++) {
        at += strspn(at, " [");
        size_t length = strcspn(at, " []\n");
        bool repeats = length > 3 && strncmp(at + length - 3, "...", 3) == 0;
        if (i == index || repeats) {
            snprintf(value, 64, "%.*s", (int)(length - (repeats ? 3 : 0)), at);
            return true;
        }
        at += length;
        at += strspn(at, "] ");
    }
    return false;
}
