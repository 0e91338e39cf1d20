/* Closest words, against a plain computation of the whole matrix of distances. */
#include <string.h>

#include "scenarios/spelling.h"
#include "sim/random.h"
#include "tests/support/suite.h"

static void check_guess(const char *word, const char *expected) {
    static const char *const words[] = {"period", "priority",        "name",   "cpu",  "segments",
                                        "stream", "stream_priority", "np-edf", "np-x", "cc-edfs",
                                        "edfst"};
    struct grt_guess guess = grt_guess_start(word);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        grt_guess_try(&guess, words[i]);
    }
    char text[GRT_GUESS_TEXT_SIZE];
    CU_ASSERT_STRING_EQUAL(grt_guess_text(&guess, text), expected);
}

static void test_words(void) {
    check_guess("perod", " (did you mean \"period\"?)");
    check_guess("peroid", " (did you mean \"period\"?)");
    check_guess("segmnet", " (did you mean \"segments\"?)");
    check_guess("streampriority", " (did you mean \"stream_priority\"?)");
    check_guess("Name", " (did you mean \"name\"?)");
    check_guess("cp", " (did you mean \"cpu\"?)");
    check_guess("NAME", " (did you mean \"name\"?)");
    check_guess("edf", " (did you mean \"np-edf\"?)");
    check_guess("EDF", " (did you mean \"np-edf\"?)");
    check_guess("edfs", " (did you mean \"edfst\"?)"); /* which comes after cc-edfs */
    check_guess("c", "");
    check_guess("C", "");
    check_guess("", "");
    check_guess("gpus", "");
    check_guess("x", "");
    check_guess("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnname", "");
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int plain_distance(const char *a, const char *b) {
    int cells[65][65], rows = (int)strlen(a), columns = (int)strlen(b);
    for (int i = 0; i <= rows; i++) {
        for (int j = 0; j <= columns; j++) {
            cells[i][j] = i == 0 ? j : i;
            if (i > 0 && j > 0) {
                cells[i][j] = least(cells[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                    least(cells[i - 1][j], cells[i][j - 1]) + 1);
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cells[i][j] = least(cells[i][j], cells[i - 2][j - 2] + 1);
            }
        }
    }
    return cells[rows][columns];
}

static void random_word(struct grt_random *random, char word[65]) {
    size_t length =
        grt_random_below(random, 2) != 0 ? grt_random_below(random, 65) : grt_random_below(random, 9);
    for (size_t i = 0; i < length; i++) {
        word[i] = (char)('a' + grt_random_below(random, 2));
    }
    word[length] = '\0';
}

/* Makes up to four small changes to a word. */
static void change_word(struct grt_random *random, const char *word, char changed[65]) {
    strcpy(changed, word);
    for (uint64_t i = grt_random_below(random, 5); i > 0; i--) {
        size_t length = strlen(changed), place = length > 0 ? grt_random_below(random, length) : 0;
        if (length > 0 && grt_random_below(random, 2) == 0) {
            memmove(changed + place, changed + place + 1, length - place);
        } else if (length < 64) {
            memmove(changed + place + 1, changed + place, length + 1 - place);
            changed[place] = (char)('a' + grt_random_below(random, 3));
        }
    }
}

static void test_distances(void) {
    struct grt_random random = grt_random_stream(1, "spelling", 0, 0);
    int found = 0;
    for (int round = 0; round < 20000; round++) {
        char word[65], candidate[65];
        random_word(&random, word);
        change_word(&random, word, candidate);
        int length = (int)strlen(word), allowed = length < 2 ? 0 : length == 2 ? 1 : least(length / 3, 3);
        struct grt_guess guess = grt_guess_start(word);
        grt_guess_try(&guess, candidate);
        int distance = plain_distance(word, candidate);
        CU_ASSERT_EQUAL(guess.best != NULL, distance <= allowed);
        CU_ASSERT_EQUAL(guess.distance, distance <= allowed ? distance : allowed + 1);
        found += guess.best != NULL;
    }
    CU_ASSERT(found > 5000 && found < 19000);
}

int main(void) {
    CU_TestInfo tests[] = {
        {"words", test_words},
        {"distances", test_distances},
        CU_TEST_INFO_NULL,
    };
    return grt_suite_run("spelling", tests);
}
