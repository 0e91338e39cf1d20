#include "tests/fuzz/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/plugin.h"
#include "sim/utf8.h"

int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
    (void)argument_count;
    (void)arguments;
    return setenv(GRT_NO_PLUGINS, "1", 1);
}

static void judge_text(const char *text) {
    GRT_REQUIRE(text[0] != '\0', "say what is wrong");
    GRT_REQUIRE(grt_utf8_valid(text), "an error is valid UTF-8");
    for (const char *at = text; *at != '\0'; at++) {
        GRT_REQUIRE((unsigned char)*at >= 0x20 && *at != 0x7f, "an error has no control characters");
    }
}

void fuzz_judge_texts(struct grt_errors *warnings) {
    for (size_t i = 0; i < warnings->count && i < GRT_ERRORS_KEPT; i++) {
        judge_text(warnings->messages[i]);
    }
    grt_errors_clear(warnings);
}

bool fuzz_judge(bool accepted, struct grt_errors *errors) {
    GRT_REQUIRE(getenv(GRT_NO_PLUGINS) != NULL, "no input executes a plug-in");
    GRT_REQUIRE(accepted == (errors->count == 0), "add errors exactly to what is refused");
    fuzz_judge_texts(errors);
    return accepted;
}

const char *fuzz_path(const char *suffix, char path[FUZZ_PATH_SIZE]) {
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(path, FUZZ_PATH_SIZE, "%s/gpurt-fuzz-%ld%s", folder, (long)getpid(), suffix);
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
