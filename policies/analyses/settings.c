#include "policies/analyses/settings.h"

#include <stdio.h>
#include <string.h>

static const struct grt_analysis_ops *find(const struct grt_analysis_ops *const *known, const char *name,
                                           size_t length) {
    for (; *known != NULL; known++) {
        if (strlen((*known)->name) == length && strncmp((*known)->name, name, length) == 0) {
            return *known;
        }
    }
    return NULL;
}

/* The setting of an analysis, a new one where it has none; NULL: there are too many. */
static struct grt_analysis_setting *setting_of(struct grt_analysis_settings *settings,
                                               const struct grt_analysis_ops *analysis) {
    for (size_t i = 0; i < settings->count; i++) {
        if (settings->items[i].analysis == analysis) {
            return &settings->items[i];
        }
    }
    if (settings->count == GRT_ANALYSIS_MOST_SETTINGS) {
        return NULL;
    }
    struct grt_analysis_setting *setting = &settings->items[settings->count++];
    setting->analysis = analysis;
    grt_analysis_options_default(analysis->options, setting->options);
    return setting;
}

bool grt_analysis_settings_set(struct grt_analysis_settings *settings,
                               const struct grt_analysis_ops *const *known, const char *text,
                               struct grt_errors *errors) {
    enum { LONGEST_NAME = 64 };
    const char *point = strchr(text, '.'), *equals = strchr(text, '=');
    char name[LONGEST_NAME];
    if (point == NULL || equals == NULL || equals < point || equals - point > LONGEST_NAME) {
        grt_error_add(errors, NULL, "expected ANALYSIS.OPTION=VALUE (got \"%s\")", text);
        return false;
    }
    const struct grt_analysis_ops *analysis = find(known, text, (size_t)(point - text));
    if (analysis == NULL) {
        grt_error_add(errors, NULL, "unknown analysis \"%.*s\"; `gpurt analyze --list` lists them",
                      (int)(point - text), text);
        return false;
    }
    if (analysis->options == NULL) {
        grt_error_add(errors, NULL, "analysis \"%s\" has no options", analysis->name);
        return false;
    }
    struct grt_analysis_setting *setting = setting_of(settings, analysis);
    if (setting == NULL) {
        grt_error_add(errors, NULL, "options of at most %d analyses", GRT_ANALYSIS_MOST_SETTINGS);
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - point - 1), point + 1);
    return grt_analysis_option_set(analysis->options, setting->options, analysis->name, name, equals + 1,
                                   errors);
}

const void *grt_analysis_settings_of(const struct grt_analysis_settings *settings,
                                     const struct grt_analysis_ops *analysis) {
    for (size_t i = 0; settings != NULL && i < settings->count; i++) {
        if (settings->items[i].analysis == analysis) {
            return settings->items[i].options;
        }
    }
    return NULL;
}
