#include "calib/program/files/file_taken.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scenarios/file_kind.h"
#include "scenarios/text_file.h"
#include "sim/trace_file.h"

static const char *const sentences[] = {
    [GRT_TAKEN_RAW] = "this is a raw file of measurements; `gpurt-calib fit`, `report` and `worst` take it",
    [GRT_TAKEN_NUMBERS] = "this begins with a number; `gpurt-calib worst` takes files of times",
    [GRT_TAKEN_TRACE] = "this is a trace; `gpurt-calib validate SCENARIO TRACE` takes it",
    [GRT_TAKEN_PRETENDED] = "this describes a pretended device; --pretend takes it",
    [GRT_TAKEN_FINDINGS] = "these are the findings of `gpurt-calib fit --json`, for other programs",
    [GRT_TAKEN_WORST] = "this is what `gpurt-calib worst --json` says, for other programs",
    [GRT_TAKEN_NSYS] =
        "this is a database of SQLite; `gpurt-calib import nsys` takes those of Nsight Systems",
    [GRT_TAKEN_NCU] = "these are counters of Nsight Compute; `gpurt-calib import ncu` takes them",
};

/* Fields that only files of a kind have. */
static const struct {
    const char *field;
    enum grt_taken kind;
} fields[] = {{"gpurt_raw", GRT_TAKEN_RAW},
              {"gpurt_pretend", GRT_TAKEN_PRETENDED},
              {"gpurt_fit", GRT_TAKEN_FINDINGS},
              {"one_mode_p", GRT_TAKEN_WORST}};

static bool begins(const char *text, size_t size, const char *with) {
    size_t length = strlen(with);
    return size >= length && memcmp(text, with, length) == 0;
}

static const char *skip_mark(const char *text, size_t *size) {
    size_t mark = begins(text, *size, "\xEF\xBB\xBF") ? 3 : 0;
    *size -= mark;
    return text + mark;
}

/* What a JSON text is; `gpurt`: of gpurt's own kinds. */
static enum grt_taken json_kind(const char *text, size_t size, enum grt_file_kind *gpurt) {
    struct grt_errors errors = {0};
    cJSON *tree = grt_json_parse(text, size, &errors);
    const cJSON *item = cJSON_IsArray(tree) ? cJSON_GetArrayItem(tree, 0) : tree;
    enum grt_taken kind = GRT_TAKEN_UNKNOWN;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        kind =
            kind == GRT_TAKEN_UNKNOWN && grt_json_find(item, fields[i].field) != NULL ? fields[i].kind : kind;
    }
    *gpurt = kind == GRT_TAKEN_UNKNOWN && tree != NULL ? grt_file_kind_of(tree) : GRT_FILE_UNKNOWN;
    cJSON_Delete(tree);
    grt_errors_clear(&errors);
    return *gpurt == GRT_FILE_SCENARIO  ? GRT_TAKEN_SCENARIO
           : *gpurt != GRT_FILE_UNKNOWN ? GRT_TAKEN_OTHER
                                        : kind;
}

/* The first of the lines, which are JSON values each, or the only value, over many lines. */
static enum grt_taken kind_of_json(const char *text, size_t size, enum grt_file_kind *gpurt) {
    const char *end = memchr(text, '\n', size);
    size_t first = end != NULL ? (size_t)(end - text) : size;
    enum grt_taken kind = json_kind(text, first, gpurt);
    return kind == GRT_TAKEN_UNKNOWN && first < size ? json_kind(text, size, gpurt) : kind;
}

/* A text that has this word within its first kilobytes, in which programs' messages may come before a table. */
static bool has_early(const char *text, size_t size, const char *word) {
    enum { EARLY = 16384 };
    size_t length = strlen(word), most = size < EARLY ? size : EARLY;
    bool found = false;
    for (size_t i = 0; i + length <= most && !found; i++) {
        found = memcmp(text + i, word, length) == 0;
    }
    return found;
}

static bool begins_with_number(const char *text, size_t size) {
    static const char separators[] = " \t\r\n,;";
    size_t at = 0;
    while (at < size && (strchr(separators, text[at]) != NULL || text[at] == '#') && text[at] != '\0') {
        if (text[at] == '#') {
            const char *end = memchr(text + at, '\n', size - at);
            at = end != NULL ? (size_t)(end - text) : size;
        } else {
            at++;
        }
    }
    char first[32] = "", *end = NULL;
    size_t length = 0;
    while (at + length < size && length < sizeof first - 1 && strchr(separators, text[at + length]) == NULL) {
        first[length] = text[at + length];
        length++;
    }
    (void)strtod(first, &end);
    return length > 0 && end == first + length;
}

static enum grt_taken kind_of(const char *text, size_t size, enum grt_file_kind *gpurt) {
    text = skip_mark(text, &size);
    *gpurt = GRT_FILE_UNKNOWN;
    size_t at = 0;
    while (at < size && text[at] != '\0' && strchr(" \t\r\n", text[at]) != NULL) {
        at++;
    }
    if (begins(text, size, GRT_TRACE_FILE_MAGIC)) {
        return GRT_TAKEN_TRACE;
    }
    if (begins(text, size, "SQLite format 3")) {
        return GRT_TAKEN_NSYS;
    }
    if (at < size && (text[at] == '{' || text[at] == '[')) {
        return kind_of_json(text + at, size - at, gpurt);
    }
    if (has_early(text, size, "\"Kernel Name\"")) {
        return GRT_TAKEN_NCU;
    }
    return begins_with_number(text, size) ? GRT_TAKEN_NUMBERS : GRT_TAKEN_UNKNOWN;
}

enum grt_taken grt_taken_of(const char *text, size_t size) {
    enum grt_file_kind gpurt;
    return kind_of(text, size, &gpurt);
}

bool grt_taken_check(const char *text, size_t size, enum grt_taken wanted, struct grt_errors *errors) {
    enum grt_file_kind gpurt;
    enum grt_taken kind = kind_of(text, size, &gpurt);
    bool good = kind == wanted || kind == GRT_TAKEN_UNKNOWN;
    if (!good) {
        grt_error_add(errors, NULL, "%s",
                      gpurt != GRT_FILE_UNKNOWN ? grt_file_kind_sentence(gpurt) : sentences[kind]);
    }
    return good;
}

void grt_taken_explain(const char *path, enum grt_taken wanted, bool named, struct grt_errors *errors) {
    struct stat stat_of;
    bool regular = strcmp(path, "-") != 0 && stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode);
    struct grt_errors own = {0}, reading = {0};
    size_t size = 0;
    char *text = regular ? grt_text_file_read(path, &size, &reading) : NULL;
    if (text != NULL && !grt_taken_check(text, size, wanted, &own)) {
        grt_errors_clear(errors);
        grt_error_add(errors, NULL, "%s%s%s", named ? path : "", named ? ": " : "", own.messages[0]);
    }
    free(text);
    grt_errors_clear(&own);
    grt_errors_clear(&reading);
}
