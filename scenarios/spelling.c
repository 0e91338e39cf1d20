#include "scenarios/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WORD_LENGTH = 64, FARTHEST = 3 };

static int least(int a, int b) {
    return a < b ? a : b;
}

struct grt_guess grt_guess_start(const char *word) {
    size_t length = strnlen(word, WORD_LENGTH + 1);
    int allowed = length < 2 || length > WORD_LENGTH ? 0 : length < 3 ? 1 : least((int)length / 3, FARTHEST);
    return (struct grt_guess){.word = word, .best = NULL, .distance = allowed + 1};
}

/* Whether the word is what a candidate like "np-edf" has behind a "-". */
static bool is_last_part(const char *word, int length, const char *candidate, int candidate_length) {
    const char *last = candidate + candidate_length - length;
    return length > 1 && candidate_length > length && last[-1] == '-' && strcasecmp(last, word) == 0;
}

/* The optimal string alignment distance of words up to WORD_LENGTH; where it is `bound` or more, at least `bound`.
 * Only cells within `bound` of the diagonal are worked out: those right of them stay at `bound` or more. */
static int distance_of(const char *a, int a_length, const char *b, int b_length, int bound) {
    int rows[3][WORD_LENGTH + 1];
    for (int j = 0; j <= b_length; j++) {
        rows[0][j] = j;
        rows[1][j] = rows[2][j] = bound;
    }
    for (int i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        int from = i > bound ? i - bound : 1, to = least(b_length, i + bound);
        row[from - 1] = from == 1 ? i : bound;
        for (int j = from; j <= to; j++) {
            int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            /* j <= to <= b_length: NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

void grt_guess_try(struct grt_guess *guess, const char *candidate) {
    int length = (int)strlen(guess->word), candidate_length = (int)strnlen(candidate, WORD_LENGTH + 1);
    int difference = length > candidate_length ? length - candidate_length : candidate_length - length;
    if (candidate_length > WORD_LENGTH || length > WORD_LENGTH) {
        return;
    }
    if (guess->best == NULL && is_last_part(guess->word, length, candidate, candidate_length)) {
        guess->best = candidate;
        return;
    }
    if (difference >= guess->distance) {
        return;
    }
    int distance = distance_of(guess->word, length, candidate, candidate_length, guess->distance);
    distance = distance > 1 && strcasecmp(guess->word, candidate) == 0 ? 1 : distance;
    if (distance < guess->distance) {
        guess->distance = distance;
        guess->best = candidate;
    }
}

char *grt_guess_text(const struct grt_guess *guess, char text[GRT_GUESS_TEXT_SIZE]) {
    text[0] = '\0';
    if (guess->best != NULL) {
        snprintf(text, GRT_GUESS_TEXT_SIZE, " (did you mean \"%s\"?)", guess->best);
    }
    return text;
}
