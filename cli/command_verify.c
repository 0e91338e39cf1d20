#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/analysis/wishes.h"
#include "cli/command.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output_file.h"
#include "cli/terminal/print_errors.h"
#include "cli/verify/options.h"
#include "cli/verify/report.h"
#include "scenarios/text_file.h"
#include "sim/output.h"
#include "verify/reproduce.h"
#include "verify/shrink.h"

/* One campaign and where its results go. */
struct verify {
    struct grt_verify_options options;
    char *text; /* of the scenario file */
    size_t size;
    struct grt_arena arena;
    struct grt_scenario_file file;
    struct grt_subject subject;
    struct grt_campaign campaign;
    struct grt_shrinking shrinking;
    struct grt_pattern shrunk;
    struct grt_verify_report report;
    struct grt_output *json; /* open, or NULL */
    struct timespec start;
    int64_t shown; /* tenths of a second at which progress was shown last */
    bool loaded, out_of_time, interrupted;
    struct grt_interruption interruption;
    const struct grt_analysis_ops *const *named; /* NULL: all */
    struct grt_analysis_settings settings;
    struct grt_errors errors;
};

/* ---- interruption, time limit, progress ---- */

static int64_t elapsed(const struct verify *verify) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - verify->start.tv_sec) * GRT_SECOND + (now.tv_nsec - verify->start.tv_nsec);
}

/* Ten times a second, where a person looks. */
static void show_progress(struct verify *verify, uint64_t done, int64_t now) {
    int64_t tenth = now / (GRT_SECOND / 10);
    if (tenth != verify->shown && !verify->options.quiet && isatty(STDERR_FILENO) == 1) {
        verify->shown = tenth;
        fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " patterns ", done, verify->options.patterns);
        fflush(stderr);
    }
}

static void clear_progress(const struct verify *verify) {
    if (verify->shown > 0) {
        fprintf(stderr, "\r%60s\r", "");
    }
}

static bool is_interrupted(struct verify *verify) {
    if (grt_interruption_came() && grt_interruption_tell()) {
        fprintf(stderr, "%sgpurt: told to end: reports what is done; told again, it ends at once\n",
                verify->shown > 0 ? "\r\x1b[K" : "");
    }
    verify->interrupted = grt_interruption_came();
    return verify->interrupted;
}

static bool go_on(void *state, uint64_t done) {
    struct verify *verify = state;
    int64_t now = elapsed(verify);
    show_progress(verify, done, now);
    verify->out_of_time = verify->options.time_limit > 0 && now >= verify->options.time_limit;
    return !is_interrupted(verify) && !verify->out_of_time;
}

/* ---- the scenario ---- */

static bool load(struct verify *verify) {
    const struct grt_verify_options *options = &verify->options;
    verify->text = grt_text_file_read(options->scenario, &verify->size, &verify->errors);
    if (verify->text == NULL) {
        return false;
    }
    const char *folder = grt_folder_of(&verify->arena, options->scenario);
    verify->loaded = grt_scenario_parse(verify->text, verify->size, folder, &options->changes, &verify->file,
                                        &verify->errors);
    return verify->loaded;
}

/* Finds the analyses and their options. Options of analyses that the campaign will not hold against anything are a mistake. */
static bool find_analyses(struct verify *verify) {
    const struct grt_analyses_subject subject = {&verify->file.scenario, verify->file.policy,
                                                 verify->file.policy_parameters};
    if (!grt_analysis_wishes_find(&verify->options.wishes, verify->file.policy, &verify->named,
                                  &verify->settings, &verify->arena, &verify->errors)) {
        return false;
    }
    const struct grt_analyses_choice choice = {
        .analyses =
            verify->named != NULL ? verify->named : grt_analyses_for(verify->file.policy, &verify->arena),
        .settings = &verify->settings};
    return grt_options_of_analyses_check(&subject, &choice, &verify->errors);
}

/* ---- the first violation ---- */

static char *reproduce(struct verify *verify, const struct grt_pattern *pattern,
                       const struct grt_violation *violation, struct grt_errors *errors) {
    struct grt_scenario_source source = {.text = verify->text,
                                         .size = verify->size,
                                         .folder = grt_folder_of(&verify->arena, verify->options.scenario),
                                         .changes = &verify->options.changes};
    return grt_reproduce(&source, &verify->subject, pattern, violation, errors);
}

static const struct grt_claim *claim_of(const struct grt_campaign *campaign,
                                        const struct grt_violation *violation) {
    for (size_t i = 0; i < campaign->claims.count; i++) {
        const struct grt_claim *claim = &campaign->claims.items[i];
        if (claim->analysis == violation->analysis && claim->gpu == violation->gpu) {
            return claim;
        }
    }
    return NULL;
}

/* The smallest file that shows it; where that cannot be said in a file, the pattern as it was found. */
static char *shrink(struct verify *verify) {
    const struct grt_campaign_violation *found = &verify->campaign.violations[0];
    verify->shrinking = (struct grt_shrinking){.subject = &verify->subject,
                                               .player = verify->campaign.player,
                                               .violation = found->violation,
                                               .original = claim_of(&verify->campaign, &found->violation)};
    grt_pattern_start(&verify->shrunk, found->shown.task_count);
    grt_pattern_copy(&verify->shrunk, &found->shown);
    struct grt_errors errors = {0};
    char *text = NULL;
    if (grt_shrink(&verify->shrinking, &verify->shrunk)) {
        text = reproduce(verify, &verify->shrunk, &verify->shrinking.violation, &errors);
    }
    if (text == NULL) {
        grt_errors_clear(&errors);
        grt_pattern_copy(&verify->shrunk, &found->shown);
        verify->shrinking.violation = found->violation;
        verify->shrinking.keeps_claim = found->violation.kind != GRT_VIOLATION_AUDIT;
        text = reproduce(verify, &verify->shrunk, &found->violation, &errors);
    }
    for (size_t i = 0; i < errors.count && i < GRT_ERRORS_KEPT; i++) {
        grt_error_add(&verify->errors, NULL, "%s: cannot show the violation: %s", verify->options.reproduce,
                      errors.messages[i]);
    }
    grt_errors_clear(&errors);
    return text;
}

/* Writes the file that shows the first violation; true where there is none to write, or it was written. */
static bool write_reproduction(struct verify *verify) {
    if (verify->campaign.violation_count == 0) {
        return true;
    }
    char *text = shrink(verify);
    bool written = text != NULL && grt_output_text(verify->options.reproduce, text, "", &verify->errors);
    if (written) {
        verify->report.reproduction = verify->options.reproduce;
        verify->report.shrunk = &verify->shrunk;
        verify->report.shown = &verify->shrinking.violation;
        verify->report.plays = verify->shrinking.plays;
        verify->report.keeps_claim = verify->shrinking.keeps_claim;
    }
    free(text);
    return written;
}

/* ---- what comes out ---- */

static void print_report(const struct verify *verify) {
    const struct grt_verify_options *options = &verify->options;
    if (grt_is_standard_output(options->json) || grt_is_standard_output(options->reproduce)) {
        return;
    }
    if (options->quiet) {
        grt_verify_report_violations(&verify->report, &options->style, stdout);
    } else {
        grt_verify_report_tables(&verify->report, &options->style, stdout);
    }
}

static bool write_json(struct verify *verify) {
    if (verify->json == NULL) {
        return true;
    }
    char *text = grt_verify_report_json(&verify->report);
    grt_output_write(verify->json, text, strlen(text));
    grt_output_write(verify->json, "\n", 1);
    free(text);
    return grt_output_finish(&verify->json, &verify->errors);
}

static enum grt_exit report(struct verify *verify) {
    verify->report.campaign = &verify->campaign;
    verify->report.stop = verify->interrupted ? "interrupt" : verify->out_of_time ? "time" : "patterns";
    bool done = write_reproduction(verify);
    print_report(verify);
    done = write_json(verify) && done;
    grt_print_errors(&verify->errors, NULL);
    if (verify->campaign.violation_count > 0) {
        return GRT_EXIT_VIOLATION;
    }
    return done && !verify->interrupted ? GRT_EXIT_DONE : GRT_EXIT_FAILED;
}

/* ---- the whole ---- */

static enum grt_exit run(struct verify *verify) {
    const struct grt_verify_options *options = &verify->options;
    if (!load(verify) || !find_analyses(verify)) {
        grt_print_errors(&verify->errors, options->scenario);
        return GRT_EXIT_INPUT;
    }
    for (size_t i = 0; i < verify->file.note_count; i++) {
        fprintf(stderr, "gpurt: note: %s\n", verify->file.notes[i]);
    }
    grt_interruption_start(&verify->interruption);
    if (options->json != NULL && (verify->json = grt_output_open(options->json, &verify->errors)) == NULL) {
        grt_print_errors(&verify->errors, NULL);
        return GRT_EXIT_FAILED;
    }
    struct grt_campaign_options wanted = {.patterns = options->patterns,
                                          .seed = options->seed,
                                          .jobs = options->jobs,
                                          .no_audit = options->no_audit,
                                          .analyses = verify->named,
                                          .go_on = go_on,
                                          .go_on_state = verify};
    grt_subject_start(&verify->subject, &verify->file.scenario, verify->file.policy,
                      verify->file.policy_parameters);
    verify->subject.settings = &verify->settings;
    clock_gettime(CLOCK_MONOTONIC, &verify->start);
    bool good = grt_campaign_run(&verify->campaign, &verify->subject, &wanted, &verify->errors);
    is_interrupted(verify); /* also behind the last pattern */
    clear_progress(verify);
    grt_interruption_end(&verify->interruption);
    if (!good) {
        grt_print_errors(&verify->errors, options->scenario);
        return GRT_EXIT_INPUT;
    }
    return report(verify);
}

enum grt_exit grt_command_verify(int argc, char **argv) {
    struct verify verify = {.options = grt_verify_options_read(argc, argv)};
    enum grt_exit code = run(&verify);
    grt_output_discard(verify.json);
    grt_pattern_free(&verify.shrunk);
    grt_campaign_free(&verify.campaign);
    grt_subject_free(&verify.subject);
    if (verify.loaded) {
        grt_scenario_file_free(&verify.file);
    }
    grt_arena_clear(&verify.arena);
    free(verify.text);
    grt_errors_clear(&verify.errors);
    grt_verify_options_free(&verify.options);
    return code;
}
