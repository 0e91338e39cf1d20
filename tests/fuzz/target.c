#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/plugin.h"
#include "sim/memory.h"
#include "sim/utf8.h"

int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
    (void)argument_count;
    (void)arguments;
    return setenv(GRT_NO_PLUGINS, "1", 1);
}

static void judge_text(const char *text) {
    GRT_REQUIRE(text[0] != '\0', "say what is wrong");
    char *shown = grt_allocate(GRT_UTF8_SHOWN_SIZE(strlen(text)));
    GRT_REQUIRE(strcmp(grt_utf8_shown(text, shown), text) == 0,
                "an error is a text that a terminal can show");
    GRT_REQUIRE(strchr(text, '\n') == NULL, "an error is a line");
    free(shown);
}

void fuzz_judge_texts(struct grt_errors *warnings) {
    for (size_t i = 0; i < warnings->count && i < GRT_ERRORS_KEPT; i++) {
        judge_text(warnings->messages[i]);
    }
    grt_errors_clear(warnings);
}

static uint64_t accepted_count;

uint64_t fuzz_accepted(void) {
    return accepted_count;
}

bool fuzz_judge(bool accepted, struct grt_errors *errors) {
    GRT_REQUIRE(getenv(GRT_NO_PLUGINS) != NULL, "no input executes a plug-in");
    GRT_REQUIRE(accepted == (errors->count == 0), "add errors exactly to what is refused");
    accepted_count += accepted;
    fuzz_judge_texts(errors);
    return accepted;
}

static char why_cut_short[256];

void fuzz_cut_short(const char *why) {
    snprintf(why_cut_short, sizeof why_cut_short, "%s", why != NULL ? why : "");
}

const char *fuzz_why_cut_short(void) {
    return why_cut_short[0] != '\0' ? why_cut_short : NULL;
}

static char folder[FUZZ_PATH_SIZE / 2];

static void remove_folder(void) {
    rmdir(folder);
}

const char *fuzz_path(const char *name, char path[FUZZ_PATH_SIZE]) {
    if (folder[0] == '\0') {
        const char *above = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/gpurt-fuzz-XXXXXX", above != NULL ? above : "/tmp");
        GRT_REQUIRE(mkdtemp(folder) != NULL, "have a folder for files that are made");
        atexit(remove_folder);
    }
    snprintf(path, FUZZ_PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static bool take_names(void *sink, const struct grt_trace_name *names, size_t count) {
    (void)sink;
    for (size_t i = 0; i < count; i++) {
        GRT_REQUIRE(names[i].text != NULL, "every name has a text");
    }
    return true;
}

static bool take_records(void *sink, const struct grt_trace_record *records, size_t count) {
    struct fuzz_short_sink *left = sink;
    (void)records;
    (void)count;
    return left->lots-- > 1;
}

static bool take_end(void *sink) {
    (void)sink;
    return true;
}

const struct grt_trace_sink fuzz_short_sink = {.names = take_names, .write = take_records, .end = take_end};
