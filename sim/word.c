#include "sim/word.h"

#include <stddef.h>
#include <string.h>

bool grt_word_is_valid(const char *word, const char *others) {
    size_t length = word != NULL ? strnlen(word, GRT_WORD_LONGEST + 1) : 0;
    bool good = length > 0 && length <= GRT_WORD_LONGEST && word[0] >= 'a' && word[0] <= 'z';
    for (size_t i = 0; good && i < length; i++) {
        good = (word[i] >= 'a' && word[i] <= 'z') || (word[i] >= '0' && word[i] <= '9') ||
               strchr(others, word[i]) != NULL;
    }
    return good;
}
