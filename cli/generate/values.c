/* Values of the options of `gpurt generate`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/generate/options.h"
#include "cli/terminal/options.h"
#include "scenarios/spelling.h"

int64_t grt_generate_word(const char *option, const char *text, size_t length, const char *const *words,
                          const struct argp_state *state) {
    char word[GRT_GENERATE_MOST_TEXT], all[GRT_GENERATE_MOST_TEXT] = "", suggestion[GRT_GUESS_TEXT_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    struct grt_guess guess = grt_guess_start(word);
    for (int64_t i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
        grt_guess_try(&guess, words[i]);
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    grt_argp_error(state, "%s: unknown \"%s\"%s: it is one of %s", option, word,
                   grt_guess_text(&guess, suggestion), all);
    return 0;
}

void grt_generate_split(const char *option, const char *argument, char text[GRT_GENERATE_MOST_TEXT],
                        const char **parts, size_t count, const char *form, const struct argp_state *state) {
    size_t found = 1;
    snprintf(text, GRT_GENERATE_MOST_TEXT, "%s", argument);
    parts[0] = text;
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        *comma = '\0';
        if (found < count) {
            parts[found] = comma + 1;
        }
        found++;
    }
    if (found != count || strlen(argument) >= GRT_GENERATE_MOST_TEXT) {
        grt_argp_error(state, "%s: must be %s (got '%s')", option, form, argument);
    }
}

struct grt_generated_range grt_generate_range(const char *option, const char *argument, bool single,
                                              double most, const struct argp_state *state) {
    char text[GRT_GENERATE_MOST_TEXT];
    const char *parts[2];
    if (single && strchr(argument, ',') == NULL) {
        double value = grt_option_number(option, argument, 0, most, state);
        return (struct grt_generated_range){value, value};
    }
    grt_generate_split(option, argument, text, parts, 2,
                       single ? "a number or two, LOW,HIGH" : "two numbers, LOW,HIGH", state);
    return (struct grt_generated_range){grt_option_number(option, parts[0], 0, most, state),
                                        grt_option_number(option, parts[1], 0, most, state)};
}

struct grt_generated_count grt_generate_counts(const char *option, const char *argument, int64_t most,
                                               const struct argp_state *state) {
    char text[GRT_GENERATE_MOST_TEXT];
    const char *parts[2] = {argument, argument};
    if (strchr(argument, ',') != NULL) {
        grt_generate_split(option, argument, text, parts, 2, "a number or two, LOW,HIGH", state);
    }
    return (struct grt_generated_count){
        (int64_t)grt_option_whole(option, parts[0], 1, (uint64_t)most, state),
        (int64_t)grt_option_whole(option, parts[1], 1, (uint64_t)most, state)};
}
