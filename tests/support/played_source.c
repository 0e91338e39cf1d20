#include "tests/support/played_source.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/cunit.h"

void source_put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT_EQUAL(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

void source_open(struct grt_trace_source *source, const char *path) {
    struct grt_errors errors = {0};
    bool good = grt_trace_source_open(source, path, &errors);
    grt_errors_print(&errors, stdout, "\n    ");
    CU_ASSERT_FATAL(good);
}

void source_play(struct grt_trace_source *source, const struct grt_scenario_changes *changes,
                 const struct grt_play_watch *watch, struct heard_trace *heard, enum grt_play_end end,
                 const char *message) {
    struct grt_errors errors = {0};
    enum grt_play_end got = grt_trace_source_play(source, changes, &heard_trace_sink, heard, watch, &errors);
    CU_ASSERT_EQUAL(got, end);
    CU_ASSERT_EQUAL(heard->wrong_calls, 0);
    CU_ASSERT_EQUAL(errors.count > 0, end == GRT_PLAY_REFUSED);
    const char *said = errors.count > 0 ? errors.messages[0] : "";
    if (strcmp(said, message) != 0) {
        printf("\n    got:      %s\n    expected: %s\n", said, message);
    }
    CU_ASSERT_STRING_EQUAL(said, message);
    grt_errors_clear(&errors);
}

void source_play_well(struct grt_trace_source *source, struct heard_trace *heard) {
    source_play(source, NULL, NULL, heard, GRT_PLAY_DONE, "");
    CU_ASSERT(heard->ended);
}

void source_write_trace(const char *text, const char *scenario_path, const char *trace_path) {
    struct grt_errors errors = {0};
    struct grt_trace_source source;
    struct grt_output *output = grt_output_open(trace_path, &errors);
    CU_ASSERT_FATAL(output != NULL);
    source_put_text(scenario_path, text);
    source_open(&source, scenario_path);
    CU_ASSERT_EQUAL(grt_trace_source_play(&source, NULL, &grt_trace_file_sink, output, NULL, &errors),
                    GRT_PLAY_DONE);
    grt_trace_source_close(&source);
    CU_ASSERT(grt_output_close(output, &errors));
}
