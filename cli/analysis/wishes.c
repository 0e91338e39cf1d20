#include "cli/analysis/wishes.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/command_line.h"
#include "scenarios/json_tree.h"
#include "scenarios/spelling.h"
#include "sim/memory.h"

static const struct grt_path root = {0}, option_path = {.parent = &root, .key = "--option"},
                             analysis_path = {.parent = &root, .key = "--analysis"};

/* ---- the command line ---- */

static void append(const char ***list, size_t *count, const char *text) {
    *list = grt_reallocate(*list, (*count + 1) * sizeof **list);
    (*list)[(*count)++] = text;
}

void grt_analysis_wishes_name(struct grt_analysis_wishes *wishes, const char *name,
                              const struct argp_state *state) {
    for (size_t i = 0; i < wishes->name_count; i++) {
        if (strcmp(wishes->names[i], name) == 0) {
            grt_argp_error(state, "--analysis %s was given twice", name);
        }
    }
    append(&wishes->names, &wishes->name_count, name);
}

void grt_analysis_wishes_option(struct grt_analysis_wishes *wishes, const char *text) {
    append(&wishes->options, &wishes->option_count, text);
}

void grt_analysis_wishes_free(struct grt_analysis_wishes *wishes) {
    free(wishes->names);
    free(wishes->options);
    *wishes = (struct grt_analysis_wishes){0};
}

/* ---- once the policy is known ---- */

static const struct grt_analysis_ops *find(const struct grt_policy_ops *policy, const char *name,
                                           struct grt_errors *errors) {
    const struct grt_analysis_ops *analysis = grt_analysis_find_for(policy, name);
    if (analysis == NULL) {
        char hint[GRT_GUESS_TEXT_SIZE], shown[GRT_JSON_SHOWN_SIZE];
        struct grt_guess guess = grt_guess_start(name);
        for (size_t i = 0; grt_analysis_number(policy, i) != NULL; i++) {
            grt_guess_try(&guess, grt_analysis_number(policy, i)->name);
        }
        const char *plugin = policy != NULL ? policy->plugin : NULL;
        grt_error_add(errors, &analysis_path,
                      "unknown analysis %s%s; `gpurt analyze --list` lists them%s%s%s",
                      grt_text_show(name, shown), grt_guess_text(&guess, hint),
                      plugin != NULL ? ", and `gpurt policies " : "", plugin != NULL ? plugin : "",
                      plugin != NULL ? "` those of the plug-in" : "");
    }
    return analysis;
}

static void set_option(struct grt_analysis_settings *settings, const struct grt_analysis_ops *const *known,
                       const char *text, struct grt_errors *errors) {
    struct grt_errors own = {0};
    grt_analysis_settings_set(settings, known, text, &own);
    for (size_t i = 0; i < own.count; i++) {
        grt_error_add(errors, &option_path, "%s", own.messages[i]);
    }
    grt_errors_clear(&own);
}

bool grt_analysis_wishes_find(const struct grt_analysis_wishes *wishes, const struct grt_policy_ops *policy,
                              const struct grt_analysis_ops *const **named,
                              struct grt_analysis_settings *settings, struct grt_arena *arena,
                              struct grt_errors *errors) {
    const struct grt_analysis_ops **list = grt_arena_array(arena, wishes->name_count + 1, sizeof *list);
    size_t before = errors->count;
    for (size_t i = 0; i < wishes->name_count; i++) {
        list[i] = find(policy, wishes->names[i], errors);
    }
    for (size_t i = 0; i < wishes->option_count; i++) {
        set_option(settings, grt_analyses_for(policy, arena), wishes->options[i], errors);
    }
    *named = wishes->name_count > 0 ? list : NULL;
    return errors->count == before;
}

bool grt_options_of_analyses_check(const struct grt_analyses_subject *subject,
                                   const struct grt_analyses_choice *choice, struct grt_errors *errors) {
    return grt_analyses_choice_check(subject, choice, errors, &option_path);
}
