#include "cli/trace/input.h"

#include "cli/terminal/print_errors.h"
#include "scenarios/trace_source.h"

enum grt_exit grt_trace_input_play(const char *path, const struct grt_scenario_changes *changes,
                                   uint64_t most_records, const struct grt_trace_sink *sink, void *state) {
    static const enum grt_exit codes[] = {[GRT_PLAY_DONE] = GRT_EXIT_DONE,
                                          [GRT_PLAY_REFUSED] = GRT_EXIT_INPUT,
                                          [GRT_PLAY_STOPPED] = GRT_EXIT_FAILED,
                                          [GRT_PLAY_FAILED] = GRT_EXIT_FAILED};
    const struct grt_play_watch watch = {.most_records = most_records};
    struct grt_trace_source source = {0};
    struct grt_errors errors = {0};
    enum grt_play_end end = GRT_PLAY_REFUSED;
    if (grt_trace_source_open(&source, path, &errors)) {
        if (source.is_scenario || (changes->policy == NULL && changes->set_count == 0)) {
            end = grt_trace_source_play(&source, changes, sink, state, &watch, &errors);
        } else {
            grt_error_add(&errors, NULL, "is a trace; --policy and --set change scenarios");
        }
        if (end == GRT_PLAY_DONE && source.cut) {
            grt_error_add(&errors, NULL,
                          "was cut short: what came later is missing"); /* for the rest is good */
        }
        grt_trace_source_close(&source);
    }
    grt_print_errors(&errors, path);
    return codes[end];
}
